"""New boards: CPU times of `generate` for each kind, beside QQWing if it is installed: `python -m benchmarks.generate`.

Each board is checked by `check`, which searches anew; the tests
check boards with programs that share no rules.
"""

import argparse
import shutil
import subprocess
import sys
from collections.abc import Iterator
from random import Random
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from time import process_time
from typing import Any, NamedTuple

from pyasp_puzzles import Instance, Settings, check
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


def qqwing(number: int) -> float | None:
    """Return the seconds that QQWing takes for a minimal 9x9 Sudoku; None if it is not installed."""
    program = shutil.which("qqwing")
    if program is None:
        return None
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run([program, "--generate", str(number), "--one-line"], check=True, capture_output=True)  # noqa: S603
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
        distinct = "looks" if kind.puzzle == "strata" else None
        unique = sum(check(board, distinct=distinct).status == "unique" for _, board in found)
        seconds = [second for second, _ in found]
        rows.append((kind.name, kind.target, median(seconds), max(seconds), f"{unique} of {number}"))
        sys.stderr.write(f"{kind.name}\n")
    if (other := qqwing(100)) is not None:
        rows.append(("QQWing, Sudoku 9x9, minimal", "", other, "", ""))
    print("| boards | target | median | longest | one answer |\n|---|---:|---:|---:|---:|")  # noqa: T201
    for row in rows:
        print(f"| {' | '.join(f'{cell:.3g}' if isinstance(cell, float) else str(cell) for cell in row)} |")  # noqa: T201


if __name__ == "__main__":
    main()
