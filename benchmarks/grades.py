"""Compare scores with published grades: `python -m benchmarks.grades [--fit] [--write FILE] FILE...`.

A file holds rated Sudokus, `81 digits RATING` a line, or JSON Lines, `{"board": "...", "word": "hard"}`: a board in any
format, and the word that its published grade is here. For rated Sudokus, the rank correlation (Spearman) of the ratings
with each measure is printed; with `--fit`, the constants of the formula are fitted on every other board, and measured
on the others.

For words, there is a line for each puzzle, about boards on which no limit was fitted:

    rho      the rank correlation of scores and words
    pairs    the share of the pairs of boards with different words of which the harder one has the larger score
    agree    the share of boards whose word is that of the limits fitted on the other four fifths of its puzzle's boards
    one      that share if all boards were called by one word
    family   that share if limits are fitted on the other puzzles of its family, and not on its own boards

In shares, each word counts the same, however many boards it has. Limits that fit all boards follow. A board may take
30 seconds (`SECONDS`); those that take longer are counted as left out. `--write` keeps the records with their scores,
and boards with a `score` are not graded again.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, product
from math import floor, inf, log
from pathlib import Path
from statistics import correlation, mean
from time import process_time
from typing import Any

from pyasp_puzzles import Grade, Instance, PuzzleError, Settings, Step, explain, grade, loads
from pyasp_puzzles.boards.grid import grouped
from pyasp_puzzles.explanation.grade import CHOICE, POWER, SCALE, grade_steps
from pyasp_puzzles.model.grades import GRADES
from pyasp_puzzles.puzzles.declaration import find_puzzle

# Seconds that a board may take.
SECONDS = 30
MEASURES = ("score", "hardest", "sum", "largest", "beyond", "steps")
# The ratings between which scores agree least.
BAND = 4.5, 7.2
# The constants that are tried: CHOICE and POWER.
TRIED = (0.0, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0), (3, 4, 5, 6, 8)
# A board of words is on a part of its own; limits are fitted on the others.
PARTS = 5

# A line of a file, with the name of its puzzle and its score, if it is known.
Record = dict[str, Any]


def spearman(ones: Sequence[float], others: Sequence[float]) -> float:
    """Return the correlation of ranks; equal values share the mean of their ranks."""
    return correlation(_ranks(ones), _ranks(others)) if len({*ones}) > 1 < len({*others}) else 0.0


def _ranks(values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    first = {value: rank for rank, value in reversed([*enumerate(ordered)])}
    count = Counter(values)
    return [first[value] + (count[value] - 1) / 2 for value in values]


# -- Words -----------------------------------------------------------------------------------------


def scored(path: Path) -> Iterator[Record]:
    """Yield the records of a file, each with the puzzle and the score of its board; no score if time ran out."""
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if "score" not in record:
            (board,) = loads(record["board"])
            try:
                found = grade(board, Settings(timeout=SECONDS), resolution=False)
            except PuzzleError:
                found = None
            fine = found is not None and found.status == "unique"
            record |= {"puzzle": board.puzzle.name, "score": found.score if found and fine else None}
        yield record


def fitted(records: Sequence[Record], words: Sequence[str]) -> dict[str, float]:
    """Return the largest score of each word, with which the most records have their word; each word counts the same."""
    weight = {word: 1 / number for word, number in Counter(record["word"] for record in records).items()}
    scores = sorted({record["score"] for record in records})
    # Limits lie in the middle between two scores, which have one decimal.
    tried = sorted({floor(5 * (low + high) + 1e-6) / 10 for low, high in pairwise(scores)})
    # {the limit of the last word: the worth of the words so far, and their limits}
    best: dict[float, tuple[float, tuple[float, ...]]] = {0.0: (0.0, ())}
    for word in words:
        own = [record["score"] for record in records if record["word"] == word]
        found: dict[float, tuple[float, tuple[float, ...]]] = {}
        for most in [inf] if word == words[-1] else tried:
            for least, (worth, limits) in best.items():
                more = worth + weight.get(word, 0) * sum(least < score <= most for score in own)
                if least < most and (most not in found or more > found[most][0]):
                    found[most] = more, (*limits, most)
        best = found
    return dict(zip(words, best[inf][1], strict=True))


def agreement(records: Sequence[Record], words: Sequence[str]) -> float:
    """Return the share of records that have the word said of them; each word of the records counts the same."""
    right = grouped((record["word"], record["word"] == word) for record, word in zip(records, words, strict=True))
    return mean(mean(map(float, ones)) for ones in right.values())


def said(limits: Mapping[str, float], records: Iterable[Record]) -> list[str]:
    """Return the words that limits say of records."""
    return [next(word for word, most in limits.items() if record["score"] <= most) for record in records]


def held_out(records: Sequence[Record], words: Sequence[str]) -> list[str]:
    """Return the word of each record by the limits that were fitted on the records of other parts."""
    fits = [fitted([one for j, one in enumerate(records) if j % PARTS != part], words) for part in range(PARTS)]
    return [said(fits[i % PARTS], [record])[0] for i, record in enumerate(records)]


def ordered_pairs(records: Sequence[Record]) -> float:
    """Return the share of pairs of different words of which the harder has the larger score; an equal one is half."""
    ranks = [(GRADES.index(record["word"]), record["score"]) for record in records]
    shares = [
        1.0 if score > other else 0.5 if score == other else 0.0
        for rank, score in ranks
        for easier, other in ranks
        if easier < rank
    ]
    return mean(shares) if shares else 0.0


def table_of_words(records: Sequence[Record]) -> None:
    """Print how scores agree with words, puzzle by puzzle, and the tables that this fits."""
    by_puzzle = grouped((record["puzzle"], record) for record in records)
    known = {name: [one for one in some if one["score"] is not None] for name, some in by_puzzle.items()}
    families = {name: find_puzzle(name).kind.family for name in known}
    say(f"{'family':20} {'puzzle':14} boards  out   rho pairs agree   one family")
    tables = []
    for name in sorted(known, key=lambda name: (families[name], name)):
        ones = sorted(known[name], key=lambda record: GRADES.index(record["word"]))
        words = [word for word in GRADES if any(one["word"] == word for one in ones)]
        rho = spearman([one["score"] for one in ones], [GRADES.index(one["word"]) for one in ones])
        agree = agreement(ones, held_out(ones, words))
        others = [one for other in known if families[other] == families[name] != other != name for one in known[other]]
        of_family = [word for word in GRADES if any(one["word"] == word for one in others)]
        family = f"{agreement(ones, said(fitted(others, of_family), ones)):6.2f}" if others else "     -"
        left_out = len(by_puzzle[name]) - len(ones)
        say(
            f"{families[name]:20} {name:14} {len(ones):6} {left_out:4} {rho:5.2f} {ordered_pairs(ones):5.2f}"
            f" {agree:5.2f} {1 / len(words):5.2f} {family}"
        )
        limits = ", ".join(f"{word} {most:g}" for word, most in fitted(ones, words).items())
        tables.append(f"{name}: {limits}; agree {agree:.2f}")
    for line in tables:
        say(line)


# -- Rated Sudokus ---------------------------------------------------------------------------------


def rated(path: Path) -> Iterator[tuple[Instance, float]]:
    """Yield the boards of a list, each with its rating."""
    for line in path.read_text(encoding="utf-8").splitlines():
        digits, rating = line.split()
        yield loads(f"{digits}\n", format="sudoku")[0], float(rating)


class Graded:
    """A board that was graded: its rating, its steps and its grade."""

    def __init__(self, instance: Instance, rating: float) -> None:
        self.rating = rating
        steps = list(explain(instance, words=False))
        self.steps: list[Step] = steps[:-1]
        self.grade: Grade = grade_steps(instance, steps, resolution=False)

    def score(self, choice: float, power: float) -> float:
        """Return the score by other constants, not rounded."""
        each = [step.cost - choice * log(step.available) for step in self.steps]
        return SCALE * log(max(1.0, sum(max(0.0, one) ** power for one in each))) / power


def agreement_of_ratings(boards: Sequence[Graded], constants: tuple[float, float]) -> tuple[float, float]:
    """Return the rank correlation of scores and ratings, on all boards and on those of the band."""
    pairs = [(board.score(*constants), board.rating) for board in boards]
    inside = [(score, rating) for score, rating in pairs if BAND[0] <= rating <= BAND[1]]
    one, other = (spearman(*zip(*some, strict=True)) if len(some) > 1 else 0.0 for some in (pairs, inside))
    return one, other


def fit(boards: Sequence[Graded]) -> None:
    """Print the constants that agree best on every other board, and how they do on the rest."""
    half, rest = boards[::2], boards[1::2]
    best = max(product(*TRIED), key=lambda constants: agreement_of_ratings(half, constants)[0])
    for name, constants in (("in use", (CHOICE, POWER)), ("fitted", best)):
        for which, some in (("half", half), ("rest", rest), ("all", boards)):
            every, band = agreement_of_ratings(some, constants)
            say(f"{name} {constants}, {which}: {every:.3f}, rated {BAND[0]} to {BAND[1]}: {band:.3f}")


def table_of_ratings(path: Path, *, fits: bool) -> None:
    """Print the rank correlation of each measure with the ratings of a list."""
    start = process_time()
    boards = [Graded(instance, rating) for instance, rating in rated(path)]
    say(f"{path.name}: {len(boards)} boards, {(process_time() - start) / len(boards):.2f} s of CPU time each")
    for name in MEASURES:
        say(f"{name:8} {spearman([getattr(board.grade, name) for board in boards], [b.rating for b in boards]):.3f}")
    for word, number in Counter(board.grade.word for board in boards).most_common():
        of_word = sorted(board.rating for board in boards if board.grade.word == word)
        say(f"{word:9} {number:4}, rated {of_word[0]:g} to {of_word[-1]:g}, half {of_word[number // 2]:g}")
    if fits:
        fit(boards)


def say(text: str) -> None:
    """Print a line."""
    print(text, flush=True)  # noqa: T201 (what it is for)


def main(arguments: Sequence[str]) -> None:
    """Print the tables of the files."""
    names = [name for name in arguments if name != "--fit"]
    written = Path(names.pop(names.index("--write") + 1)) if "--write" in names else None
    paths = [Path(name) for name in names if name != "--write"]
    records: list[Record] = []
    for path in paths:
        if path.suffix != ".jsonl":
            table_of_ratings(path, fits="--fit" in arguments)
            continue
        for record in scored(path):
            records.append(record)
            if written:
                with written.open("a", encoding="utf-8") as file:
                    file.write(f"{json.dumps(record)}\n")
    if records:
        table_of_words(records)


if __name__ == "__main__":
    main(sys.argv[1:])
