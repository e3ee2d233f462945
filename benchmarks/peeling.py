"""How much work it is to peel Strata boards from the top: `python -m benchmarks.peeling` prints the table."""

from time import process_time
from typing import NamedTuple

from clingo import Control

from .board_sets import strata
from .boards import ENCODINGS, Board

SIDES = (6, 10, 20, 40, 80, 120, 200, 300, 400)


class Work(NamedTuple):
    """What it takes to peel a board."""

    looked_at: int
    """Cells."""
    bound: int
    """(r + c) r c for a board of r rows and c columns."""


def peel(board: Board) -> Work:
    """Peel a board line by line, looking for the next line from the first row on, as the published algorithm does."""
    rows, columns = len(board.tiles), len(board.tiles[0])
    left = {("row", r): board.tiles[r] for r in range(rows)}
    left |= {("column", c): [row[c] for row in board.tiles] for c in range(columns)}
    looked_at = 0
    while left:
        for (kind, i), tiles in left.items():
            other = "column" if kind == "row" else "row"
            colors = {color for j, color in enumerate(tiles) if (other, j) in left}
            looked_at += len(tiles)
            if len(colors - {"."}) <= 1:
                del left[kind, i]
                break
    return Work(looked_at, (rows + columns) * rows * columns)


def ground(board: Board) -> float:
    """Return the seconds in which clingo grounds strata.lp and peel.lp, which is all that it takes to peel a board."""
    facts = board.facts()
    start = process_time()
    control = Control()
    for name in ("strata.lp", "peel.lp"):
        control.load(str(ENCODINGS / "strata" / name))
    control.add(facts)
    control.ground()
    seconds = process_time() - start
    assert sum(1 for _ in control.symbolic_atoms.by_signature("peeled", 1)) == 2 * len(board.tiles)
    return seconds


def main() -> None:
    """Print the table."""
    print("| board | cells looked at | (r + c) r c | plain Python | peel.lp |\n|---|---:|---:|---:|---:|")  # noqa: T201
    for side in SIDES:
        board = strata(side, 1)
        start = process_time()
        work = peel(board)
        times = f"{process_time() - start:.4f} s | {ground(board):.4f} s"
        print(f"| {side}x{side} | {work.looked_at} | {work.bound} | {times} |")  # noqa: T201


if __name__ == "__main__":
    main()
