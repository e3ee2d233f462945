"""How much work it is to peel Strata boards from the top: `python -m benchmarks.peeling` prints the table."""

from time import process_time
from typing import NamedTuple

from .board_sets import strata
from .boards import Board

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


def main() -> None:
    """Print the table."""
    print("| board | cells looked at | (r + c) r c | time |\n|---|---:|---:|---:|")  # noqa: T201
    for side in SIDES:
        board = strata(side, 1)
        start = process_time()
        work = peel(board)
        seconds = process_time() - start
        print(f"| {side}x{side} | {work.looked_at} | {work.bound} | {seconds:.4f} s |")  # noqa: T201


if __name__ == "__main__":
    main()
