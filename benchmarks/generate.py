"""New boards: CPU times of `generate` for each kind, beside other programs: `python -m benchmarks.generate`.

The others are QQWing and Simon Tatham's Solo, if they are installed. That a board has one answer is checked by the
SAT models of the benchmarks and CaDiCaL, which share nothing with ours. For Strata there is no such model, and for a
jigsaw it takes too long: there, `check` searches anew.
"""

import argparse
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from random import Random
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from time import process_time
from typing import Any, NamedTuple

from benchmarks.board_sets import board_of
from benchmarks.peers.cadical import new_solver
from pyasp_puzzles import Instance, Settings, check, grade
from pyasp_puzzles.generation.clues import units
from pyasp_puzzles.generation.generate import Maker, Wish, seeds
from pyasp_puzzles.generation.layouts import Wanted
from pyasp_puzzles.generation.program import ClueProgram
from pyasp_puzzles.generation.reduction import minimal
from pyasp_puzzles.puzzles.declaration import find


class Kind(NamedTuple):
    """A kind of board, and the seconds that its median should not exceed on a quiet machine."""

    name: str
    target: float
    puzzle: str
    side: int
    grade: str | None = None
    layout: str | None = None


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
)


def times(kind: Kind, number: int) -> Iterator[tuple[float, Instance]]:
    """Yield the seconds for each board of a kind, and the board."""
    maker = Maker(Wanted(find(kind.puzzle), (kind.side, kind.side), None, kind.layout), Wish(kind.grade), Settings())
    for seed in seeds(1, number):
        started = process_time()
        made = maker.make(seed)
        yield process_time() - started, made.instance


def reductions(number: int) -> list[float]:
    """Return the seconds from a random answer to minimal clues of a 9x9 Sudoku."""
    maker = Maker(Wanted(find("sudoku"), (9, 9)), Wish(), Settings())
    program = ClueProgram(maker.make(1).instance, Settings())
    found = []
    for seed in seeds(1, number):
        rng = Random(seed)  # noqa: S311
        answer = program.random_answer(rng)
        assert answer is not None
        clues = units(program.board, program.clues(answer, rng), symmetric=False)
        rng.shuffle(clues)
        started = process_time()
        minimal(program, answer, clues)
        found.append(process_time() - started)
    return found


def as_wanted(kind: Kind, instance: Instance) -> bool:
    """Return whether a board has exactly one answer, and the grade that was wanted."""
    if kind.puzzle == "strata":
        return check(instance, distinct="looks").status == "unique"
    if kind.layout == "new":  # CaDiCaL did not end within half a minute
        return check(instance).status == "unique"
    board = board_of(instance)
    if kind.puzzle == "strips":
        board = board._replace(longest=3)
    return new_solver(board).unique and kind.grade in {None, grade(instance).word}


OTHERS = {
    "QQWing, Sudoku 9x9, minimal": ["qqwing", "--one-line", "--generate"],
    "Solo, Sudoku 9x9, basic": ["sgt-solo", "--generate", "{}", "3x3db"],
    "Solo, Sudoku 9x9, extreme": ["sgt-solo", "--generate", "{}", "3x3de"],
    "Solo, jigsaw 9x9": ["sgt-solo", "--generate", "{}", "9jdb"],
}
"""Commands of other programs that make boards; their number takes the place of `{}`, or comes last."""


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
    for kind in KINDS:
        found = list(times(kind, number))
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
