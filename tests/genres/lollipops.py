"""Lollipops: a circle and a stick each, which share no side; between equal signs of a line is another sign."""

from collections.abc import Iterator
from itertools import chain, combinations, pairwise, product
from random import Random

from tests.genres import UNKNOWN, Board, Told, beside, blurred, labels, outline, pairs, tokens
from tests.strategies import grid, toml

SIGNS = "○┃━"


def draw(random: Random) -> str:
    """Return a small board; a sign that is printed may be wrong."""
    cells = outline(random, 9)
    told = {cell: random.choice(SIGNS) for cell in random.sample(cells, random.randint(0, 2))}
    return toml(puzzle='"lollipops"', givens=grid(blurred(random, told), cells, *cells[-1]))


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to draw lollipops, which may touch."""
    cells = tokens(board["givens"])
    places = pairs(cells)
    for chosen in chain.from_iterable(combinations(places, number) for number in range(len(cells) // 2 + 1)):
        if len({cell for pair in chosen for cell in pair}) == 2 * len(chosen):
            for ways in product((1, -1), repeat=len(chosen)):
                value = dict.fromkeys(cells, 0)
                for (one, other), way in zip(chosen, ways, strict=True):
                    circle, stick = (one, other)[::way]
                    value |= {circle: 1, stick: 2 if one[1] == other[1] else 3}
                yield frozenset((*cell, sign) for cell, sign in value.items())


def keeps(board: Board, answer: Told) -> bool:
    """Return whether signs are lollipops, and no two equal ones follow one another in a line."""
    value = {(r, c): v for r, c, v in answer if v}
    for cell, v in value.items():
        others = beside(cell) & value.keys()
        if len(others) != 1:
            return False
        (other,) = others
        stick = 2 if cell[1] == other[1] else 3
        if {v, value[other]} != {1, stick}:
            return False
    lines = ([v for cell, v in sorted(value.items()) if cell[way] == i] for way in (0, 1) for i in range(9))
    apart = all(one != other for line in lines for one, other in pairwise(line))
    told = labels(board["givens"]).items()
    return apart and all(cell in value and token in {UNKNOWN, SIGNS[value[cell] - 1]} for cell, token in told)
