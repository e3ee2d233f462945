"""No Three: shaded cells do not touch, the others are connected; dots touch one; no three are at equal distances."""

from collections.abc import Iterator
from itertools import product
from random import Random

from tests.genres import Board, Told, beside, shadings, size
from tests.rules import Cell, connected
from tests.strategies import toml


def draw(random: Random) -> str:
    """Return a small board."""
    rows, columns = size(random, 15)[-1]
    places = random.sample([*product(range(2, 2 * rows + 1), range(2, 2 * columns + 1))], random.randint(1, 4))
    dots = [" ".join(f"r{r}c{c}" for r, c in dict.fromkeys([min(touched(dot)), max(touched(dot))])) for dot in places]
    return toml(puzzle='"no-three"', size=[rows, columns], dots=dots)


def touched(dot: Cell) -> set[Cell]:
    """Return the cells that touch a dot at twice its row and column."""
    y, x = dot
    return {(r, c) for r in {y // 2, (y + 1) // 2} for c in {x // 2, (x + 1) // 2}}


def cells_of(board: Board) -> set[Cell]:
    """Return the cells of a board."""
    rows, columns = board["size"]
    return {*product(range(1, rows + 1), range(1, columns + 1))}


def tries(board: Board) -> Iterator[Told]:
    """Yield every shading."""
    return shadings(cells_of(board))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    for line in board["dots"]:
        ends = [tuple(map(int, name[1:].split("c"))) for name in line.split()]
        if len(touched((ends[0][0] + ends[-1][0], ends[0][1] + ends[-1][1])) & answer) != 1:
            return False
    for way in (0, 1):
        lines: dict[int, list[int]] = {}
        for cell in sorted(answer):
            lines.setdefault(cell[way], []).append(cell[1 - way])
        if any(b - a == c - b for line in lines.values() for a, b, c in zip(line, line[1:], line[2:], strict=False)):
            return False
    return not any(beside(cell) & answer for cell in answer) and connected(cells_of(board) - answer)
