"""Boards to measure: those that ship, the reference collections where they are at hand, and boards made at random.

What is random comes from a fixed seed, and is the same each time.
"""

from __future__ import annotations

import json
import tomllib
from itertools import product
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from .board import Numbers, Strata, Strips, Words
from .brick import bricks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .board import Rows

INSTANCES = Path(__file__).parents[1] / "instances"
SEED = 2026


def dice(*what: object) -> Random:
    """Return a source of chance that depends on what is made, and on nothing else."""
    return Random(f"{SEED} {what}")  # noqa: S311 (chance that can be repeated)


# -- Those that are there -------------------------------------------------------


def shipped(name: str) -> list[dict[str, str]]:
    """Return the boards of an instance that ships, as its sections."""
    sections = tomllib.loads((INSTANCES / f"{name}.toml").read_text(encoding="utf-8"))
    return [{**sections, **board} for board in sections.get("board", [{}])]


def hunt() -> list[Strips]:
    """Return the 25 boards of the hunt, and the one that they make up."""
    boards = [*shipped("strips/hunt"), *shipped("strips/final")]
    return [Strips(f"hunt {i}", _words(board["tiles"]), 3) for i, board in enumerate(boards, 1)]


def shipped_numbers(puzzle: str, key: str) -> list[Numbers]:
    """Return the boards of a puzzle that ship, as far as they are TOML."""
    names = sorted(path.stem for path in (INSTANCES / puzzle).glob("*.toml"))
    return [
        Numbers(puzzle, name, _words(board[key]), _digits(_words(board.get("givens", board[key])), "givens" in board))
        for name in names
        for board in shipped(f"{puzzle}/{name}")
        if "#" not in board[key]
    ]


def sudoku_list(path: Path) -> list[Numbers]:
    """Return the Sudokus of a collection with 81 characters a line."""
    lines = (line.split()[0] for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
    digits = [line.replace(".", "0") for line in lines if not line.startswith("#")]
    return [
        sudoku([[int(value) for value in line[i : i + 9]] for i in range(0, 81, 9)], f"{path.stem} {number}")
        for number, line in enumerate(digits, 1)
    ]


def collection(path: Path, puzzle: str) -> list[Numbers]:
    """Return the boards of a collection with a JSON object a line; a record whose sizes do not agree is left out."""
    records = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    boards = (Numbers(puzzle, r["id"], [[str(s) for s in row] for row in r["regions"]], r["givens"]) for r in records)
    return [board for board in boards if [*map(len, board.regions)] == [*map(len, board.givens)]]


# -- Sudoku ---------------------------------------------------------------------


def sudoku(givens: Rows, name: str) -> Numbers:
    """Return a Sudoku with square boxes."""
    side = round(len(givens) ** 0.5)
    boxes = [[str(r // side * side + c // side + 1) for c, _ in enumerate(row)] for r, row in enumerate(givens)]
    return Numbers("sudoku", name, boxes, givens)


def full_sudoku(side: int, chance: Random) -> Rows:
    """Return a full grid with boxes of that side: a pattern whose rows, columns and numbers are permuted."""

    def order() -> list[int]:
        groups = [chance.sample(range(side), side) for _ in range(side)]
        return [side * group + i for group in chance.sample(range(side), side) for i in groups[group]]

    n = side * side
    numbers = chance.sample(range(1, n + 1), n)
    columns = order()
    return [[numbers[(side * (r % side) + r // side + c) % n] for c in columns] for r in order()]


def thinned(grid: Rows, share: float, chance: Random) -> Rows:
    """Return a grid with only that share of its numbers."""
    cells = [(r, c) for r, row in enumerate(grid) for c, _ in enumerate(row)]
    kept = set(chance.sample(cells, round(share * len(cells))))
    return [[value if (r, c) in kept else 0 for c, value in enumerate(row)] for r, row in enumerate(grid)]


def large_sudoku(side: int, number: int, share: float = 0.6) -> Numbers:
    """Return a Sudoku with boxes of that side, a fixed share of whose numbers is given."""
    chance = dice("sudoku", side, number)
    return sudoku(thinned(full_sudoku(side, chance), share, chance), f"sudoku {side**2}x{side**2} {number}")


# -- Tectonic -------------------------------------------------------------------


def tectonic(rows: int, columns: int, number: int) -> Numbers:
    """Return a Tectonic with one answer, laid from bricks of 5x5 cells that each have one answer, and touch nowhere.

    Its blocks lie within the bricks, so that it grows in size and not in difficulty.
    """
    regions = [[""] * columns for _ in range(rows)]
    givens = [[0] * columns for _ in range(rows)]
    for number_of_brick, brick in enumerate(bricks(rows, columns, dice("tectonic", rows, columns, number)), 1):
        for (r, c), block in brick.blocks.items():
            regions[r][c] = f"{number_of_brick}.{block}"
            givens[r][c] = brick.givens.get((r, c), 0)
    return Numbers("tectonic", f"tectonic {rows}x{columns} {number}", regions, givens)


# -- Strips ---------------------------------------------------------------------


def patterns(longest: int, colors: Iterable[str]) -> set[str]:
    """Return the patterns of strips, each as it reads from its later end in the alphabet."""
    found = {"".join(pattern) for n in range(1, longest + 1) for pattern in product(sorted(colors), repeat=n)}
    return {max(pattern, pattern[::-1]) for pattern in found}


def strips(side: int, longest: int, colors: int, number: int) -> Strips | None:
    """Return a board cut at random into strips, no two of them alike; None if there are not strips enough."""
    chance = dice("strips", side, longest, colors, number)
    stock: dict[int, list[str]] = {}
    for pattern in sorted(patterns(longest, "wbrg"[:colors])):
        stock.setdefault(len(pattern), []).append(pattern)
    for _ in range(200):
        left = {length: chance.sample(known, len(known)) for length, known in stock.items()}
        tiles = _cut(side, left, chance)
        if tiles:
            name = f"strips {side}x{side}, longest {longest}, {colors} colours, {number}"
            return Strips(name, tiles, longest)
    return None


def _cut(side: int, left: dict[int, list[str]], chance: Random) -> Words | None:
    """Return a board from strips laid in reading order, mostly long ones; None if there is none for a cell."""
    tiles = [[""] * side for _ in range(side)]
    for r, c in product(range(side), repeat=2):
        if tiles[r][c]:
            continue
        across = next((i for i in range(side - c) if tiles[r][c + i]), side - c)
        ways = [(n, down) for n in left if left[n] for down in (0, 1) if n <= (side - r if down else across)]
        if not ways:
            return None
        length, down = max(ways, key=lambda way: (way[0] * chance.random() ** 0.5, way))
        pattern = left[length].pop()
        for i, color in enumerate(pattern[:: chance.choice((1, -1))]):
            tiles[r + i * down][c + i * (1 - down)] = color
    return tiles


# -- Strata ---------------------------------------------------------------------


def strata(rows: int, columns: int, number: int, colors: int = 6, blank: float = 0.2) -> Strata:
    """Return a board that ribbons laid at random have left; a share of its cells is blank."""
    chance = dice("strata", rows, columns, number)
    lines: list[tuple[int | None, int | None]] = [(r, None) for r in range(rows)] + [(None, c) for c in range(columns)]
    chance.shuffle(lines)
    height = {line: i for i, line in enumerate(lines)}
    color = {line: chance.choice("abcdefghij"[:colors]) for line in lines}

    def top(r: int, c: int) -> str:
        return "." if chance.random() < blank else color[(r, None) if height[r, None] > height[None, c] else (None, c)]

    tiles = [[top(r, c) for c in range(columns)] for r in range(rows)]
    return Strata(f"strata {rows}x{columns} {number}", tiles)


def _words(grid: str) -> Words:
    return [row.split() for row in grid.split("\n") if row.strip()]


def _digits(grid: Words, given: bool) -> Rows:  # noqa: FBT001
    return [[int(word) if given and word.isdigit() else 0 for word in row] for row in grid]


def mixed(boards: Iterable[Numbers | Strips | Strata]) -> Iterator[Numbers | Strips | Strata]:
    """Yield boards in an order of chance, so that the first few stand for all."""
    shuffled = list(boards)
    dice("order").shuffle(shuffled)
    yield from shuffled
