"""Battleships: the ships of a fleet never touch; numbers outside count the cells with ships."""

from collections import Counter
from collections.abc import Iterator
from random import Random

from tests.genres import UNKNOWN, Board, Told, beside, label_words, labels, shadings, size, tokens
from tests.rules import Cell, touching
from tests.strategies import grid, toml

PUZZLE = '"battleships"'
# The neighbour into which a ship goes on from its end.
ENDS = {"n": (1, 0), "e": (0, -1), "s": (-1, 0), "w": (0, 1)}


def _ships(parts: Told) -> list[set[Cell]] | None:
    """Return the ships; None if they touch at a corner or are bent."""
    left, found = {*parts}, []
    while left:
        ship, waiting = set[Cell](), [min(left)]
        while waiting:
            cell = waiting.pop()
            ship.add(cell)
            waiting += [other for other in touching(cell) & {*parts} if other not in ship]
        rows, columns = zip(*ship, strict=True)
        if len({*rows}) > 1 and len({*columns}) > 1:
            return None
        left -= ship
        found.append(ship)
    return found


def _hint(cell: Cell, parts: Told) -> str:
    """Return what is printed in a cell that is a part of these ships, or water."""
    near = beside(cell) & parts
    if cell not in parts:
        return "x"
    ends = [token for token, (y, x) in ENDS.items() if near == {(cell[0] + y, cell[1] + x)}]
    return ends[0] if ends else "m" if near else "o"


def draw(random: Random) -> str:
    """Return a small board with some clues of random ships, or without its fleet."""
    cells = size(random, 12)
    rows, columns = cells[-1]
    parts = random.choice([one for one in shadings(cells) if one and _ships(one) is not None])
    hints = {cell: _hint(cell, parts) for cell in random.sample(cells, random.randint(0, 2))}
    ships = _ships(parts) or []
    fleet = ["s" * len(ship) for ship in ships]
    if random.random() < 0.2:
        fleet[-1] += "s"
    sides = []
    for side, length, way in (("left", rows, 0), ("top", columns, 1)):
        numbers = [sum(cell[way] == i for cell in parts) for i in range(1, length + 1)]
        sides.append(
            f'{side} = "{" ".join(str(n) if random.random() < 0.4 else random.choice(".?") for n in numbers)}"'
        )
    keys = {"fleet": fleet} if random.random() < 0.8 else {}
    made = toml(puzzle=PUZZLE, hints=grid(hints, cells, rows, columns), **keys)
    return f"{made}counts = {{ {', '.join(sides)} }}\n"


def tries(board: Board) -> Iterator[Told]:
    """Yield every shading."""
    return shadings([*tokens(board["hints"])])


def keeps(board: Board, answer: Told) -> bool:
    """Return whether parts of ships keep the rules."""
    ships = _ships(answer)
    if ships is None or any(_hint(cell, answer) != hint for cell, hint in labels(board["hints"]).items()):
        return False
    if board.get("fleet") and Counter(map(len, ships)) != Counter(map(len, board["fleet"])):
        return False
    return all(
        label in {".", UNKNOWN} or sum(cell[way] == i for cell in answer) == int(label)
        for side, way in (("left", 0), ("top", 1))
        for i, label in enumerate(label_words(board, "counts", side), 1)
    )
