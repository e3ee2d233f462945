"""Roma: arrows in all cells, none twice in a region, lead to a goal that is printed."""

from collections.abc import Iterator
from itertools import product
from random import Random

from tests.genres import UNKNOWN, Board, Told, blurred, cut, labels, size, tokens
from tests.rules import members
from tests.strategies import grid, toml

ARROWS = {"↑": (-1, 0), "↓": (1, 0), "←": (0, -1), "→": (0, 1)}
GOAL = "○"


def draw(random: Random) -> str:
    """Return a small board with one or two goals; an arrow that is printed may be wrong."""
    cells = size(random, 6)
    regions = cut(random, cells, random.randint(2, 3))
    goal, *others = random.sample(cells, random.randint(2, 3))
    told = {cell: random.choice([*ARROWS, GOAL]) for cell in others}
    given = {**blurred(random, told), goal: GOAL}
    return toml(puzzle='"roma"', regions=grid(regions, cells, *cells[-1]), givens=grid(given, cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to draw arrows around the goals that are printed."""
    goals = {cell for cell, token in labels(board["givens"]).items() if token in {GOAL, "5"}}
    cells = [*tokens(board["regions"])]
    for signs in product(*([5] if cell in goals else [1, 2, 3, 4] for cell in cells)):
        yield frozenset((*cell, sign) for cell, sign in zip(cells, signs, strict=True))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether arrows keep the rules."""
    sign = {(r, c): [*ARROWS, GOAL][v - 1] for r, c, v in answer}
    for inside in members(tokens(board["regions"])).values():
        arrows = [sign[cell] for cell in inside if sign[cell] != GOAL]
        if len({*arrows}) < len(arrows):
            return False
    for cell in sign:
        at, steps = cell, 0
        while sign.get(at) in ARROWS and steps <= len(sign):
            y, x = ARROWS[sign[at]]
            at, steps = (at[0] + y, at[1] + x), steps + 1
        if sign.get(at) != GOAL:
            return False
    return all(token in {UNKNOWN, sign[cell]} for cell, token in labels(board["givens"]).items())
