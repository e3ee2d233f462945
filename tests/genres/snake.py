"""Snake: a path that does not touch itself; black circles are at its ends, white ones are not; numbers count it."""

from collections.abc import Iterator
from random import Random

from tests.genres import Board, Told, beside, counted, labels, outline, shadings, tokens
from tests.rules import connected, touching
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board."""
    cells = outline(random, 15)
    circles = {cell: random.choice("bw") for cell in random.sample(cells, random.randint(0, 2))}
    sides = zip(("left", "top"), cells[-1], strict=True)
    labels = {side: " ".join(random.choice("....123?") for _ in range(number)) for side, number in sides}
    text = ", ".join(f'{side} = "{line}"' for side, line in labels.items())
    return toml(puzzle='"snake"', circles=grid(circles, cells, *cells[-1])) + f"counts = {{ {text} }}\n"


def tries(board: Board) -> Iterator[Told]:
    """Yield every shading."""
    return shadings(tokens(board["circles"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    near = {cell: len(beside(cell) & answer) for cell in answer}
    ends = {cell for cell in answer if near[cell] == 1}
    path = connected(answer) and len(ends) == 2 and max(near.values()) < 3
    apart = all(
        beside(cell) & beside(other) & answer for cell in answer for other in (touching(cell) - beside(cell)) & answer
    )
    circles = labels(board["circles"]).items()
    return (
        path
        and apart
        and counted(board, answer)
        and all(cell in answer and (cell in ends) == (color == "b") for cell, color in circles)
    )
