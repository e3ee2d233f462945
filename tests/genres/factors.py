"""Factors: every row and column holds 1..n once; the number of a region is the product of its numbers."""

from collections.abc import Iterator
from math import prod
from random import Random

from tests.genres import UNKNOWN, Board, Told, blurred, cut, squares, tokens
from tests.rules import members
from tests.strategies import grid, rectangle, toml


def draw(random: Random) -> str:
    """Return a small board, perhaps with a product that is wrong."""
    n = random.randint(2, 4)
    cells = rectangle(n, n)
    regions = cut(random, cells, random.randint(n, 2 * n) if n > 2 else 2)
    value = {(r, c): v for r, c, v in random.choice([*squares(range(1, n + 1))])}
    products = {name: prod(value[cell] for cell in inside) for name, inside in members(regions).items()}
    products = {name: number for name, number in sorted(products.items()) if random.random() < 0.6}
    if products and random.random() < 0.25:
        products[random.choice([*products])] = random.randint(1, 6)
    words = [f"{name} = {number!r}" for name, number in blurred(random, products).items()]
    line = f"products = {{ {', '.join(words)} }}\n" if words else ""
    return toml(puzzle='"factors"', regions=grid(regions, cells, n, n)) + line


def tries(board: Board) -> Iterator[Told]:
    """Yield every Latin square."""
    return squares(range(1, max(tokens(board["regions"]))[0] + 1))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether the regions have their products."""
    value, inside = {(r, c): v for r, c, v in answer}, members(tokens(board["regions"]))
    return all(
        number in {UNKNOWN, prod(value[cell] for cell in inside[name])}
        for name, number in board.get("products", {}).items()
    )
