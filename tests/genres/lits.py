"""LITS: an L, I, T or S in each region; equal ones do not share a side; no 2x2 square is shaded; all are connected."""

from collections.abc import Collection, Iterator
from itertools import combinations, product
from random import Random

from tests.genres import Board, Told, beside, cut, outline, tokens
from tests.rules import Cell, connected, members
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 18)
    regions = cut(random, cells, random.choice([1, 2, 2, 2, 3]) if len(cells) > 11 else 1)
    return toml(puzzle='"lits"', regions=grid(regions, regions, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every choice of four cells in each region."""
    chosen = (combinations(sorted(region), 4) for region in members(tokens(board["regions"])).values())
    return (frozenset(cell for part in parts for cell in part) for parts in product(*chosen))


def shape(cells: Collection[Cell]) -> str:
    """Return which tetromino four cells are: "I", "T", "L" or "S"; "" if they are none of these."""
    near = sorted(len(beside(cell) & {*cells}) for cell in cells)
    if not connected(cells) or near == [2, 2, 2, 2]:
        return ""
    if near == [1, 1, 1, 3]:
        return "T"
    extent = sorted(len({cell[way] for cell in cells}) for way in (0, 1))
    if extent == [1, 4]:
        return "I"
    straight = [sum(cell[way] == value for cell in cells) for way in (0, 1) for value in {cell[way] for cell in cells}]
    return "L" if 3 in straight else "S"


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    regions = tokens(board["regions"])
    parts = {name: cells & answer for name, cells in members(regions).items()}
    shapes = {name: shape(cells) for name, cells in parts.items()}
    squares = any({(r, c), (r + 1, c), (r, c + 1), (r + 1, c + 1)} <= answer for r, c in answer)
    if not all(shapes.values()) or squares or not connected(answer):
        return False
    pairs = ((regions[cell], regions[other]) for cell in answer for other in beside(cell) & answer)
    return not any(one != other and shapes[one] == shapes[other] for one, other in pairs)
