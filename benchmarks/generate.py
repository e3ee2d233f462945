"""New boards: CPU times of `generate` for each kind, beside other programs: `python -m benchmarks.generate`.

The others are QQWing and Simon Tatham's Solo, if they are installed. That a board has one answer is checked by CaDiCaL,
with clauses that share nothing with our rules.
"""

import argparse
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, count, permutations
from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, NamedTuple

from pysat.solvers import Cadical195

from benchmarks.board_sets import board_of
from benchmarks.boards import Board, grid
from benchmarks.peers.cadical import clauses_of
from benchmarks.peers.choices import encode
from pyasp_puzzles import Instance, Settings, grade
from pyasp_puzzles import count as count_answers
from pyasp_puzzles.generation import reduction
from pyasp_puzzles.generation.clue_search import ClueSearch
from pyasp_puzzles.generation.clues import Generated, Wish, clue_units
from pyasp_puzzles.generation.generate import Generator, seeds
from pyasp_puzzles.generation.layouts import WantedLayout
from pyasp_puzzles.model.keys import KeyRange
from pyasp_puzzles.puzzles.declaration import find_puzzle
from tests.documents import write_files


class Kind(NamedTuple):
    """A kind of board, and the seconds that its median should not exceed on a quiet machine."""

    name: str
    target: float
    puzzle: str
    side: int
    grade: str | None = None
    layout: str | None = None
    wish: Wish = Wish()


def of_setters(keys: str, givens: int = 0, **more: Any) -> Kind:  # noqa: ANN401 (what a wish has)
    """Return boards of 9x9 with clues of some keys, and at most so many givens."""
    use = tuple((key, KeyRange(0, "cells")) for key in keys.split())
    wish = Wish(use=use, givens=KeyRange(0, givens), **more)
    return Kind(f"Sudoku 9x9, {keys.replace('_', ' ')}, {givens} givens at most", 10.0, "sudoku", 9, wish=wish)


KINDS = (
    Kind("Sudoku 9x9, minimal", 0.02, "sudoku", 9),
    *(
        Kind(f"Sudoku 9x9, {word}", target, "sudoku", 9, word)
        for word, target in (("easy", 0.05), ("medium", 1.5), ("hard", 0.5), ("very hard", 2.0))
    ),
    Kind("jigsaw 9x9, new regions", 2.0, "sudoku", 9, layout="new"),
    *(Kind(f"Tectonic {n}x{n}", target, "tectonic", n) for n, target in ((6, 0.3), (8, 1.0), (10, 2.0))),
    *(Kind(f"Strimko {n}x{n}", target, "strimko", n) for n, target in ((4, 0.05), (5, 0.1), (6, 0.3), (7, 1.0))),
    Kind("Strata 6x6, one look", 1.0, "strata", 6),
    Kind("strips 5x5, one answer", 3.0, "strips", 5),
    Kind("Futoshiki 6x6, from a puzzle folder", 1.0, "futoshiki", 6),
    of_setters("thermometers"),
    of_setters("killer_cages", cover=True),
    *map(of_setters, ("arrows", "x_sums", "differences ratios")),
    *map(of_setters, ("region_sum_lines", "sum_lines", "double_arrows")),
    # Renbans and whispers need a given: they hold as well if each number is replaced by what makes 10 with it; signs of
    # XV, if 1, 2, 6, 7 change places with 4, 3, 9, 8.
    *(of_setters(key, 8) for key in ("sandwiches", "whispers", "renbans", "zipper_lines", "xv")),
    *(of_setters(key, 8) for key in ("skyscrapers", "little_killers")),
)
# The document that shows its folder.
FUTOSHIKI = Path("docs/adding-a-puzzle.md")


def times(kind: Kind, number: int, folder: Path) -> Iterator[tuple[float, Generated]]:
    """Yield the seconds for each board of a kind, and the board; puzzles that do not ship are in the folder."""
    puzzle = find_puzzle(kind.puzzle, directories=[folder])
    wish = kind.wish._replace(grade=kind.grade)
    maker = Generator(WantedLayout(puzzle, (kind.side, kind.side), None, kind.layout), wish, Settings())
    for seed in seeds(1, number):
        started = process_time()
        made = maker.make(seed)
        yield process_time() - started, made


def reductions(number: int) -> list[float]:
    """Return the seconds from a random answer to minimal clues of a 9x9 Sudoku."""
    maker = Generator(WantedLayout(find_puzzle("sudoku"), (9, 9)), Wish(), Settings())
    program = ClueSearch(maker.make(1).instance, Settings())
    found = []
    for seed in seeds(1, number):
        rng = Random(seed)  # noqa: S311
        answer = program.random_answer(rng)
        assert answer is not None
        clues = clue_units(program.board, program.clues(answer, rng), symmetric=False)
        rng.shuffle(clues)
        started = process_time()
        reduction.minimal(program, answer, clues, None, lambda _unit, _kept: False)
        found.append(process_time() - started)
    return found


def as_wanted(kind: Kind, made: Generated) -> bool:
    """Return whether a board has exactly one answer, and the clues and the grade that were wanted."""
    instance = made.instance
    if kind.wish.use:
        return made.met and count_answers(instance, 2) == 1
    clauses, answer = look(instance) if kind.puzzle == "strata" else numbers(instance)
    with Cadical195(bootstrap_with=clauses) as solver:
        if not solver.solve():
            return False
        true = set(solver.get_model())
        solver.add_clause([-choice for choice in answer if choice in true])
        return not solver.solve() and kind.grade in {None, grade(instance).word}


def numbers(instance: Instance) -> tuple[list[list[int]], Collection[int]]:
    """Return a board of numbers or strips as clauses, and the variables that make an answer."""
    if instance.puzzle.name != "futoshiki":
        encoded = encode(board_of(instance)._replace(longest=3))
        return [*clauses_of(encoded), *([i + 1] for i in encoded.given)], range(1, len(encoded.choices) + 1)
    clues = {(int(r), int(c)): int(v) for r, c, v in instance.facts.arguments("given")}
    cells = instance.puzzle.cells(instance.facts)
    # Without its signs, it is a Strimko whose streams are its rows.
    rows = Board("strimko", grid((*cell, clues.get(cell, 0)) for cell in cells), grid((r, c, str(r)) for r, c in cells))
    encoded = encode(rows)
    choice = {place: i for i, place in enumerate(encoded.choices, 1)}
    clauses = [*clauses_of(encoded), *([i + 1] for i in encoded.given)]
    for *place, sign in instance.facts.arguments("sign"):
        r, c, y, x = map(int, place)
        less, more = ((r, c), (y, x)) if str(sign).strip('"') in "<^" else ((y, x), (r, c))
        values = range(1, len(rows.givens) + 1)
        clauses += [[-choice[*less, v], -choice[*more, w]] for v in values for w in values if v >= w]
    return clauses, choice.values()


def look(instance: Instance) -> tuple[list[list[int]], Collection[int]]:
    """Return a Strata board as clauses, and the variables of its look: which color is seen in which cell."""
    number: dict[object, int] = defaultdict(count(1).__next__)
    cells = instance.puzzle.cells(instance.facts)
    colors = [str(color) for (color,) in instance.facts.arguments("color")]
    ribbons = sorted({("row", r) for r, _ in cells} | {("column", c) for _, c in cells})

    def over(one: tuple[str, int], other: tuple[str, int]) -> int:
        return number[one, other] if one < other else -number[other, one]

    clauses = [[-over(a, b), -over(b, c), over(a, c)] for a, b, c in permutations(ribbons, 3)]
    clauses += [[number[ribbon, color] for color in colors] for ribbon in ribbons]
    for one in [*ribbons, *cells]:
        clauses += [[-number[one, color], -number[one, other]] for color, other in combinations(colors, 2)]
    for r, c in cells:
        for top, below in permutations([("row", r), ("column", c)]):
            clauses += [[-over(top, below), -number[top, color], number[(r, c), color]] for color in colors]
    clauses += [[number[(int(r), int(c)), str(color)]] for r, c, color in instance.facts.arguments("tile")]
    return clauses, [number[cell, color] for cell in cells for color in colors]


# Commands of other programs that make boards; their number takes the place of `{}`, or comes last.
OTHERS = {
    "QQWing, Sudoku 9x9, minimal": ["qqwing", "--one-line", "--generate"],
    "Solo, Sudoku 9x9, basic": ["sgt-solo", "--generate", "{}", "3x3db"],
    "Solo, Sudoku 9x9, extreme": ["sgt-solo", "--generate", "{}", "3x3de"],
    "Solo, jigsaw 9x9": ["sgt-solo", "--generate", "{}", "9jdb"],
}


def other_program(words: Sequence[str], number: int) -> float | None:
    """Return the seconds that another program takes for a board; None if it is not installed."""
    program = shutil.which(words[0]) or shutil.which(words[0], path="/usr/games")
    if program is None:
        return None
    options = [word.format(number) for word in words[1:]] + ([] if "{}" in words else [str(number)])
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run([program, *options], check=True, capture_output=True)  # noqa: S603
    after = getrusage(RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / number


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.generate", description=__doc__)
    parser.add_argument("-n", type=int, default=10, help="boards of each kind")
    number = parser.parse_args().n
    rows: list[tuple[Any, ...]] = [
        ("Sudoku 9x9, from an answer to minimal clues", 0.01, median(reductions(4 * number)), "", "")
    ]
    with TemporaryDirectory() as folder:
        write_files(FUTOSHIKI, Path(folder))
        for kind in KINDS:
            found = list(times(kind, number, Path(folder)))
            good = sum(as_wanted(kind, board) for _, board in found)
            seconds = [second for second, _ in found]
            rows.append((kind.name, kind.target, median(seconds), max(seconds), f"{good} of {number}"))
            sys.stderr.write(f"{kind.name}\n")
    for name, words in OTHERS.items():
        if (mean := other_program(words, 100)) is not None:
            rows.append((f"{name} (mean of 100)", "", mean, "", ""))
    print("| boards | target | median | longest | as wanted |\n|---|---:|---:|---:|---:|")  # noqa: T201
    for row in rows:
        print(f"| {' | '.join(f'{cell:.3g}' if isinstance(cell, float) else str(cell) for cell in row)} |")  # noqa: T201


if __name__ == "__main__":
    main()
