"""Compare scores with the ratings of published boards: `python -m benchmarks.grades [--fit] FILE...`.

A file holds rated Sudokus, `81 digits RATING` a line, or JSON Lines with `givens`, `regions` and `difficulty`. For each
file, the rank correlation (Spearman) of the ratings with each measure is printed, and how often each word is given.
With `--fit`, the constants of the formula are fitted on every other board, and measured on the others.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from math import log
from pathlib import Path
from statistics import correlation
from time import process_time

from pyasp_puzzles import Grade, Instance, Step, explain, loads
from pyasp_puzzles.explanation.grade import CHOICE, POWER, SCALE, grade_steps
from pyasp_puzzles.model.step import GRADES

from .boards import Board

LEVELS = ("Easy", "Medium", "Hard")
MEASURES = ("score", "hardest", "sum", "largest", "beyond", "steps")
# The ratings between which scores agree least.
BAND = 4.5, 7.2
# The constants that are tried: CHOICE and POWER.
TRIED = (0.0, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0), (3, 4, 5, 6, 8)
# The share of boards that each word but the last should have.
SHARES = 0.12, 0.14, 0.3, 0.18


def rated(path: Path) -> Iterator[tuple[Instance, float]]:
    """Yield the boards of a file, each with its rating."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if path.suffix == ".jsonl":
            record = json.loads(line)
            regions = [[str(region) for region in row] for row in record["regions"]]
            yield Board("strimko", record["givens"], regions).instance(), LEVELS.index(record["difficulty"])
        else:
            digits, rating = line.split()
            yield loads(f"{digits}\n", format="sudoku")[0], float(rating)


def spearman(ones: Sequence[float], others: Sequence[float]) -> float:
    """Return the correlation of ranks; equal values share the mean of their ranks."""
    return correlation(_ranks(ones), _ranks(others))


def _ranks(values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    first = {value: rank for rank, value in reversed([*enumerate(ordered)])}
    count = Counter(values)
    return [first[value] + (count[value] - 1) / 2 for value in values]


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


def agreement(boards: Sequence[Graded], constants: tuple[float, float]) -> tuple[float, float]:
    """Return the rank correlation of scores and ratings, on all boards and on those of the band."""
    pairs = [(board.score(*constants), board.rating) for board in boards]
    inside = [(score, rating) for score, rating in pairs if BAND[0] <= rating <= BAND[1]]
    one, other = (spearman(*zip(*some, strict=True)) if len(some) > 1 else 0.0 for some in (pairs, inside))
    return one, other


def fit(boards: Sequence[Graded]) -> None:
    """Print the constants that agree best on every other board, and how they do on the rest; and the same of words."""
    half, rest = boards[::2], boards[1::2]
    best = max(product(*TRIED), key=lambda constants: agreement(half, constants)[0])
    for name, constants in (("in use", (CHOICE, POWER)), ("fitted", best)):
        for which, some in (("half", half), ("rest", rest), ("all", boards)):
            every, band = agreement(some, constants)
            say(f"{name} {constants}, {which}: {every:.3f}, rated {BAND[0]} to {BAND[1]}: {band:.3f}")
    scores = sorted(board.grade.score for board in half)
    limits = [scores[round(sum(SHARES[: i + 1]) * len(half))] for i in range(len(SHARES))]
    say(f"limits of words for the shares {SHARES}, by the half: {limits}")
    for which, some in (("half", half), ("rest", rest)):
        words = Counter(board.grade.word for board in some)
        say(f"words in use, {which}: {', '.join(f'{word} {words[word] / len(some):.0%}' for word in GRADES)}")


def say(text: str) -> None:
    """Print a line."""
    print(text)  # noqa: T201 (what it is for)


def main(arguments: Sequence[str]) -> None:
    """Grade the boards of each file, and print the correlations."""
    for path in (Path(name) for name in arguments if name != "--fit"):
        start = process_time()
        boards = [Graded(instance, rating) for instance, rating in rated(path)]
        seconds = (process_time() - start) / len(boards)
        ratings = [board.rating for board in boards]
        say(f"{path.name}: {len(boards)} boards, {seconds:.2f} s of CPU time each")
        for name in MEASURES:
            say(f"{name:8} {spearman([getattr(board.grade, name) for board in boards], ratings):.3f}")
        for word, number in Counter(board.grade.word for board in boards).most_common():
            of_word = sorted(board.rating for board in boards if board.grade.word == word)
            say(f"{word:9} {number:4}, rated {of_word[0]:g} to {of_word[-1]:g}, half {of_word[number // 2]:g}")
        if "--fit" in arguments:
            fit(boards)


if __name__ == "__main__":
    main(sys.argv[1:])
