"""Which clues a board may have, as its puzzle declares them, and which clues are removed together.

Clue  given(1, 2, 3), sign(1, 1, 1, 2, "<"): a fact of a key of clues
Unit  clues that are kept or left out together: one clue; with symmetry, a clue and its opposite
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from pyasp_puzzles.asp.symbols import fact, plain_arguments, to_symbol
from pyasp_puzzles.errors import PuzzleError, Where
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.keys import SIDES, Outline, cells_by_region

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clingo import Symbol

    from pyasp_puzzles.asp.symbols import Value
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.model.keys import Key
    from pyasp_puzzles.model.puzzle import Instance, Puzzle

    Unit: TypeAlias = tuple[Symbol, ...]


# Kinds of keys that are never generated as clues.
KEPT = {"regions", "number", "patterns", "notes"}
OPPOSITE = {"top": "bottom", "bottom": "top", "left": "right", "right": "left"}


def clue_keys(puzzle: Puzzle) -> list[Key]:
    """Return the keys whose facts are generated: those of clues; without any, those of colors that a cell may lack.

    A key that every cell has is part of the layout, even if it has clues: none of them can be left out.
    """
    found = [key for key in puzzle.clue_keys if key.kind not in KEPT and not key.whole]
    return found or [key for key in puzzle.keys if key.kind == "colors" and not key.whole]


def with_clues(board: Instance, clues: Iterable[Symbol]) -> Instance:
    """Return a board with these clues only, sorted, and without its published answer."""
    facts = board.facts
    chosen = sorted(clues)
    for key in clue_keys(board.puzzle):
        of_key = [clue for clue in chosen if clue.name == key.fact]
        facts = facts.replaced(key.fact, of_key, Where(board.source))
    return board._replace(facts=facts, solution=None)


def clues_of(board: Instance) -> list[Symbol]:
    """Return the clues of a board."""
    return [clue for key in clue_keys(board.puzzle) for clue in board.facts.of(key.fact)]


def possible_clues(board: Instance, key: Key) -> list[Symbol]:
    """Return the clues of a key that a board may have.

    Raises:
        PuzzleError: there are too many, or neither the declaration nor the board tells which there are.
    """
    shape = Outline(board.puzzle.cells(board.facts), board.facts, board.puzzle.keys)
    found = list(_possible(key, shape))
    if not found:
        message = f"{board.puzzle.name} does not declare which {key.name} there may be: add them to its declaration"
        raise PuzzleError(f"{message}, or pass a board that has some with --like")
    if len(found) > Limits.MOST_POSSIBLE_CLUES:
        raise PuzzleError(
            f"this board has {len(found)} possible {key.name}; use one with at most {Limits.MOST_POSSIBLE_CLUES}"
        )
    return [board.facts.renamed(fact(key.fact, *arguments)) for arguments in found]


def _possible(key: Key, shape: Outline) -> Iterator[tuple[Value, ...]]:
    """Yield the arguments of the possible clues of a key."""
    range_ = key.option("range")
    largest = range_.largest(shape) if range_ else None
    low = range_.low if range_ else 1
    side, cells = max(shape.rows, shape.columns), sorted(shape.cells)
    seen: list[Value] = [*sorted({to_symbol(one[-1]) for one in shape.facts.arguments(key.fact)})]
    if key.kind in {"givens", "numbers"}:
        most = side if key.kind == "givens" else len(cells)
        yield from ((r, c, v) for r, c in cells for v in range(low, (largest((r, c)) if largest else most) + 1))
    elif key.kind == "colors":
        palette = key.option("palette")
        colors = [to_symbol(one) for (one,) in shape.facts.arguments(palette.name)] if palette else seen
        yield from ((r, c, color) for r, c in cells for color in colors)
    elif key.kind == "signs":
        across, down = (key.option(way) or key.option("tokens") or seen for way in ("across", "down"))
        yield from ((r, c, r, c + 1, name) for r, c in cells if (r, c + 1) in shape.cells for name in across)
        yield from ((r, c, r + 1, c, name) for r, c in cells if (r + 1, c) in shape.cells for name in down)
    elif key.kind == "outside":
        values = range(low, largest((0, 0)) + 1) if largest else range(len(cells) + 1)
        yield from ((*place, value) for place in _labelled(key, shape) for value in values)
    elif key.kind == "sums":
        of = next(other for other in shape.keys if other.name == key.options["of"])
        for region, members in cells_by_region(shape.values(of.fact)).items():
            yield from ((to_symbol(region), value) for value in range(len(members) * side + 1))


def _labelled(key: Key, shape: Outline) -> Iterator[tuple[Value, ...]]:
    """Yield the places of labels: a side, a line, and if a line may have several labels, which of them."""
    for name in key.option("sides", list(SIDES)):
        length, lines = (shape.rows, shape.columns) if name in {"top", "bottom"} else (shape.columns, shape.rows)
        for i in range(1, lines + 1):
            if key.option("several"):
                yield from ((fact(name), i, j) for j in range(1, (length + 1) // 2 + 1))
            else:
                yield fact(name), i


def units(board: Instance, clues: Iterable[Symbol], *, symmetric: bool) -> list[Unit]:
    """Return clues in units, sorted; if `symmetric`, a clue goes with those half a turn around the board from it."""
    keys = {key.fact: key for key in clue_keys(board.puzzle)}
    cells = board.puzzle.cells(board.facts)
    found: dict[tuple[object, ...], list[Symbol]] = {}
    for clue in sorted(clues):
        key = keys[clue.name]
        place = _place(key, clue)
        if symmetric:
            place = min(place, _opposite(key, place, cells), key=lambda one: [*map(str, one)])
        found.setdefault((clue.name, *place), []).append(clue)
    return [tuple(unit) for unit in found.values()]


def _place(key: Key, clue: Symbol) -> tuple[object, ...]:
    """Return where a clue is; all labels of one line are at one place."""
    assert key.predicate is not None
    return tuple(plain_arguments(clue)[: 2 if key.option("several") else key.predicate.unique])


def _opposite(key: Key, place: tuple[object, ...], cells: Iterable[Cell]) -> tuple[object, ...]:
    """Return the place opposite to a place, half a turn around the board."""
    rows, columns = zip(*cells, strict=True)
    height, width = min(rows) + max(rows), min(columns) + max(columns)
    if key.kind == "outside":
        side, i = str(place[0]), int(str(place[1]))
        return OPPOSITE.get(side, side), (width if side in {"top", "bottom"} else height) - i
    if not key.cells:
        return place
    numbers = [int(str(part)) for part in place]
    turned = [((height, width)[i % 2]) - number for i, number in enumerate(numbers)]
    return (*turned[2:4], *turned[:2]) if key.kind == "signs" else tuple(turned)
