"""Country Road: one loop visits each country once, and one of each two cells on both sides of a border."""

from collections.abc import Iterator
from random import Random

from tests.genres import (
    UNKNOWN,
    Board,
    Told,
    counts_line,
    cut,
    flags,
    joins,
    loop_drawings,
    one_loop,
    pairs,
    size,
    tokens,
)
from tests.strategies import grid, toml


def draw(random: Random) -> str:
    """Return a small board, with a number or none."""
    cells = size(random, 16)
    countries = cut(random, cells, random.randint(2, 4))
    counts = {
        name: random.choice([0, 1, 2, 2, 3, 4])
        for name in random.sample(sorted({*countries.values()}), random.randint(0, 1))
    }
    return (
        toml(puzzle='"country-road"', countries=grid(countries, cells, *cells[-1]))
        + flags(random, "empty")
        + counts_line(random, counts)
    )


def tries(board: Board) -> Iterator[Told]:
    """Yield every way to join each cell to two others or none."""
    return loop_drawings(tokens(board["countries"]))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether these are one loop that visits the countries as it should."""
    country, joined = tokens(board["countries"]), joins(answer)
    borders = [(one, other) for one, other in pairs(country) if country[one] != country[other]]
    crossed = [country[cell] for pair in borders if pair[1] in joined.get(pair[0], ()) for cell in pair]
    visited = [country[cell] for cell in joined]
    counted = all(count in {UNKNOWN, visited.count(name)} for name, count in board["counts"].items())
    once = all(crossed.count(name) in ({0, 2} if board.get("empty") else {2}) for name in country.values())
    return once and counted and one_loop(answer) and all({*pair} & joined.keys() for pair in borders)
