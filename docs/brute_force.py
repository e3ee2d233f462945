"""Tectonic by brute force, cell by cell, as the notebook "Tectonic solver" describes it.

`python brute_force.py BOARD [FIRST LAST]` prints the trace of the steps from FIRST to LAST, the solved grid, how many
steps it took, and how often it went back.
"""
# ruff: noqa: INP001, T201 (a script that prints)

import sys
from collections.abc import Callable, Collection

from pyasp_puzzles import dumps, load

Grid = list[list[int]]


class Cell:
    """A cell of the board: its number, 0 if it has none, and the cells that may not have the same."""

    def __init__(self, position: tuple[int, int], given: int) -> None:
        self.position, self.value, self.fixed = position, given, given > 0
        self.others: list[Cell] = []
        self.largest = 0

    def fill(self, say: Callable[[str], object], *, forward: bool) -> int:
        """Try the next number. Return 1 to go on, 0 to stay, -1 to go back."""
        if self.fixed:
            say(f"Cell : value not changed : {self.value}")
            say(f"Cell : fixed. Keep going {'forward' if forward else 'backward'}!")
            return 1 if forward else -1
        if self.value == self.largest:
            self.value = 0
            say("Cell : maxed. Set to 0 and go back!")
            say("Cell : new value 0, new status notmax")
            return -1
        self.value += 1
        maxed = self.value == self.largest
        say("Cell : adding one")
        state = "maxed" if maxed else "notmax"
        say(f"Cell : max {'' if maxed else 'not '}reached, new value : {self.value}, new state : {state}")
        if any(other.value == self.value for other in self.others):
            say("Cell : test failed, we'll stay here")
            return 0
        say("Cell : test passed")
        return 1


def solve_by_force(blocks: list[list[str]], givens: Grid, printed: Collection[int] = ()) -> tuple[Grid, int, int]:
    """Return the solved grid, the number of steps, and how many of them went back; print the trace of some steps."""
    places = [(r, c) for r, row in enumerate(blocks) for c in range(len(row))]
    cells = [Cell((r, c), givens[r][c]) for r, c in places]
    for cell, (r, c) in zip(cells, places, strict=True):
        block = [other for other, (i, j) in zip(cells, places, strict=True) if blocks[i][j] == blocks[r][c]]
        near = [other for other, (i, j) in zip(cells, places, strict=True) if max(abs(i - r), abs(j - c)) == 1]
        cell.largest = len(block)
        cell.others = [other for other in {*block, *near} if other is not cell]
    i, forward, steps, backs = 0, True, 0, 0
    while 0 <= i < len(cells):
        steps += 1
        say: Callable[[str], object] = print if steps in printed else str
        say(f"STEP {steps}")
        r, c = cells[i].position
        say(f"ActiveCell : {r},{c}, active i : {i}, value : {cells[i].value}")
        outcome = cells[i].fill(say, forward=forward)
        forward = outcome >= 0
        backs += outcome < 0
        i += outcome
    return [[cells[places.index((r, c))].value for c in range(len(row))] for r, row in enumerate(blocks)], steps, backs


def main(board: str, first: str = "1", last: str = "0") -> None:
    """Solve a board, and print the trace, the grid and the numbers of steps."""
    [instance] = load(board)
    blocks, clues = ([line.split() for line in part.splitlines()] for part in dumps(instance, "grid").split("\n\n"))
    givens = [[0 if clue == "." else int(clue) for clue in row] for row in clues]
    grid, steps, backs = solve_by_force(blocks, givens, range(int(first), int(last) + 1))
    for row in grid:
        print(*row)
    print(f"{steps} steps, {backs} of them back")


if __name__ == "__main__":
    main(*sys.argv[1:])
