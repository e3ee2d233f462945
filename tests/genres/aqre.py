"""Aqre: shaded cells are connected; no four cells in a line are all shaded or all unshaded; regions have counts."""

from collections.abc import Iterator
from random import Random

from tests.genres import UNKNOWN, Board, Told, blurred, cut, outline, shadings, tokens
from tests.rules import connected, members
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 12)
    regions = cut(random, cells, random.randint(2, 4))
    counts = {name: random.randint(0, 3) for name in sorted({*regions.values()}) if random.random() < 0.4}
    text = ", ".join(f"{name} = {number!r}" for name, number in blurred(random, counts).items())
    board = toml(puzzle='"aqre"', regions=grid(regions, regions, *cells[-1]))
    return board + (f"counts = {{ {text} }}\n" if text else "")


def tries(board: Board) -> Iterator[Told]:
    """Yield every shading."""
    return shadings(tokens(board["regions"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    regions = tokens(board["regions"])
    cells = members(regions)
    lines = [{(r + y * i, c + x * i) for i in range(4)} for r, c in regions for y, x in ((0, 1), (1, 0))]
    return (
        all(number in {UNKNOWN, len(cells[name] & answer)} for name, number in board.get("counts", {}).items())
        and not any(line <= answer or line <= regions.keys() - answer for line in lines)
        and connected(answer)
    )
