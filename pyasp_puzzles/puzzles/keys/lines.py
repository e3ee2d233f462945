"""Keys whose value is a list of lines of cells: paths, cages, groups, pairs, borders, corners, marks and others.

KeyLine  "r1c1 r1c2 r2c3": cells in order; "r1c1 r1c2 = 10": with a value; "r1c1 > r1c2 r1c3": a head and its cells

Lines of new boards are random, and the rules say which fit an answer. Small shapes come first; given shapes are
extended by one cell, so that lines that rules allow, which may be rare, are found in a few rounds.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from string import ascii_uppercase
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from pyasp_puzzles.boards.facts import fact_name
from pyasp_puzzles.boards.figure import Figure
from pyasp_puzzles.boards.grid import (
    CORNER_STEPS,
    SIDE_STEPS,
    Cell,
    are_neighbors,
    cell_name,
    cell_named,
    cell_place,
    grouped,
)
from pyasp_puzzles.errors import InstanceError, Where, listing, shown
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.keys import KeyKind, KeyLayer, KeyOffer, KeyRange, KeySampler, check_key_cells

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from random import Random

    from pyasp_puzzles.asp.symbols import Arguments, SymbolValue
    from pyasp_puzzles.boards.facts import Fact, FactPredicate
    from pyasp_puzzles.boards.grid import Grid
    from pyasp_puzzles.boards.toml import Table
    from pyasp_puzzles.model.keys import Key, KeyOutline, Shape

_One = TypeVar("_One", int, tuple[int, int])

# On most boards, no number exceeds the larger of this and the length of a side.
_USUAL_LARGEST = 9


def path_shapes(key: Key, outline: KeyOutline, rng: Random, shorter: Sequence[Shape]) -> Iterator[Shape]:
    """Yield random paths, diagonal steps included, without sharp turns; the first cell is the head, if there is one."""
    for path in [sum(shape, ()) for shape in shorter] or [(cell,) for cell in _shuffled(outline.cells, rng)]:
        for step in _shuffled((*SIDE_STEPS, *CORNER_STEPS), rng):
            cell = (path[-1][0] + step[0], path[-1][1] + step[1])
            if cell in outline.cells and cell not in path and not _sharp(path, step) and not _crosses(path, cell):
                longer = (*path, cell)
                yield (longer[:1], longer[1:]) if key.option("head") else (longer,)


def cage_shapes(_key: Key, outline: KeyOutline, rng: Random, smaller: Sequence[Shape]) -> Iterator[Shape]:
    """Yield random cages, whose cells are joined by their sides."""
    seen = set()
    for cells in [shape[0] for shape in smaller] or [(cell,) for cell in _shuffled(outline.cells, rng)]:
        for r, c in _shuffled(cells, rng):
            for y, x in _shuffled(SIDE_STEPS, rng):
                larger = tuple(sorted({*cells, (r + y, c + x)}))
                if (r + y, c + x) in outline.cells and len(larger) > len(cells) and larger not in seen:
                    seen.add(larger)
                    yield (larger,)


def group_shapes(_key: Key, outline: KeyOutline, rng: Random, smaller: Sequence[Shape]) -> Iterator[Shape]:
    """Yield two random groups of cells of one shape, joined by their sides."""
    cells = _shuffled(outline.cells, rng)
    pairs = [((cell,), (other,)) for cell in cells for other in rng.sample(cells, min(2, len(cells))) if cell < other]
    for first, other in smaller or pairs:
        for i in _shuffled(range(len(first)), rng):
            for y, x in _shuffled(SIDE_STEPS, rng):
                more, same = ((group[i][0] + y, group[i][1] + x) for group in (first, other))
                every = [*first, *other, more, same]
                if len({*every}) == len(every) and more in outline.cells and same in outline.cells:
                    yield (*first, more), (*other, same)


def cell_shapes(_key: Key, outline: KeyOutline, rng: Random, smaller: Sequence[Shape]) -> Iterator[Shape]:
    """Yield every cell, in random order."""
    return iter([] if smaller else [((cell,),) for cell in _shuffled(outline.cells, rng)])


def ordered_shape_offer(key: Key, outline: KeyOutline, _rng: Random, shape: Shape, number: int) -> KeyOffer:
    """Return the offer of a path or a cage, with the values that it may have."""
    facts: list[tuple[str, Arguments]] = [(key.fact, (number, j, *cell)) for j, cell in enumerate(shape[-1], 1)]
    if head := key.option("head"):
        facts += [(head.name, (number, 1, *shape[0][0]))]
    value = key.option("value")
    values: Iterable[Arguments] = ()
    if value is not None and len(value.arguments) == 2:
        usual = KeyRange(0, _largest(outline) * len(shape[-1]))
        values = ((number, total) for total in key.values_in(outline, usual))
    elif value is not None:
        times = range(1, len(shape[-1]) + 1)
        values = ((number, digit, k) for digit in range(1, _largest(outline) + 1) for k in times)
    return KeyOffer(shape, tuple(facts), tuple((value.name, arguments) for arguments in values) if value else ())


def group_shape_offer(key: Key, _outline: KeyOutline, _rng: Random, shape: Shape, number: int) -> KeyOffer:
    """Return the offer of groups of cells."""
    places = ((g, j, cell) for g, cells in enumerate(shape, 1) for j, cell in enumerate(cells, 1))
    return KeyOffer(shape, tuple((key.fact, (number, g, j, *cell)) for g, j, cell in places))


def number_set_shape_offer(key: Key, outline: KeyOutline, rng: Random, shape: Shape, _number: int) -> KeyOffer:
    """Return the offer of a random set of two to four numbers in a cell."""
    every = range(1, max(outline.rows, outline.columns) + 1)
    kept = sorted(rng.sample(every, min(len(every), rng.randrange(2, 5))))
    return KeyOffer(shape, tuple((key.fact, (*shape[0][0], value)) for value in kept))


def sight_shape_offer(key: Key, outline: KeyOutline, _rng: Random, shape: Shape, number: int) -> KeyOffer:
    """Return the offer of a clue that looks along a line of cells."""
    facts = [(key.options["line"].name, (number, j, *cell)) for j, cell in enumerate(shape[0], 1)]
    usual = KeyRange(0, _largest(outline) * len(shape[0]))
    values = [(key.fact, (number, value)) for value in key.values_in(outline, usual)]
    return KeyOffer(shape, tuple(facts), tuple(values))


def _largest(outline: KeyOutline) -> int:
    return max(outline.rows, outline.columns, _USUAL_LARGEST)


def _sharp(path: Sequence[Cell], step: Cell) -> bool:
    """Return whether a step turns back more than a right angle."""
    if len(path) < 2:
        return False
    (r, c), (row, column) = path[-2:]
    return (row - r) * step[0] + (column - c) * step[1] < 0


def _crosses(path: Sequence[Cell], cell: Cell) -> bool:
    """Return whether a step to a cell crosses a diagonal step of a path."""
    (r, c), (row, column) = path[-1], cell
    corners = {(r, column), (row, c)}
    return r != row and c != column and any({*pair} == corners for pair in pairwise(path))


def _shuffled(values: Iterable[_One], rng: Random) -> list[_One]:
    order = sorted(values)
    rng.shuffle(order)
    return order


# Lines of a key of a board, such as thermometers; real boards have a hundred at most.
_MOST_LINES_OF_KEY = 1000
# Cells of such a line.
_MOST_CELLS_OF_LINE = 1000

# The lines across figures of one key that are filled, so that they can be told apart.
_HATCHES = ("", "/", "\\", "|", "-")


class KeyLine(NamedTuple):
    """One line of a key."""

    groups: list[list[Cell]]
    """Its cells; several groups where "=" or ">" separates them."""
    values: list[str]
    """What follows the last "=", if that is no cell."""
    text: str


def key_line_text(cells: Iterable[Cell], value: object = "") -> str:
    """Return cells as a line, with a value after them if it is not empty: "r1c1 r1c2 = 10"."""
    names = " ".join(map(cell_name, cells))
    return names if value in {None, ""} else f"{names} = {value}"


def parsed_key_line(text: str) -> KeyLine:
    """Return the line of a text.

    Raises:
        ValueError: a word is not a cell, or a group has no word; its argument is that word, or "".
    """
    *before, last = (part.split() for part in re.split(r"[=>]", text))
    values = last if before and not any(map(cell_named, last)) else []
    groups = [*before, *([] if values else [last])]
    return KeyLine([_cells(tokens) for tokens in groups], values, text)


def key_line_parts(text: str) -> tuple[list[Cell], str, str]:
    """Return the cells that a line names, the line without its value, and its value; a line may be unfinished."""
    before, equals, last = text.rpartition("=")
    cells = [[*filter(None, map(cell_named, re.split(r"[\s=>]+", part)))] for part in (before, last)]
    front, value = (before, last) if equals and not cells[1] else (text, "")
    return [*cells[0], *cells[1]], front.strip(), value.strip()


def _cells(tokens: Sequence[str]) -> list[Cell]:
    cells = [cell_named(word) for word in tokens or [""]]
    if None in cells:
        raise ValueError((tokens or [""])[cells.index(None)])
    return [cell for cell in cells if cell]


def _lines(key: Key, table: Table) -> Iterator[tuple[KeyLine, Where]]:
    """Yield the lines of a key.

    Raises:
        InstanceError: what is wrong in a line.
    """
    value = table.get(key.name, object, "line of cells, or an array of lines")
    lines = [value] if isinstance(value, str) else value
    if value is None:
        return
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise table.error(
            f'{key.name}: {shown(value)} is wrong here, expected lines of cells such as "r1c1 r1c2"', key.name
        )
    if len(lines) > _MOST_LINES_OF_KEY:
        raise table.error(f"{key.name}: {len(lines)} lines, expected at most {_MOST_LINES_OF_KEY}", key.name)
    for text in lines:
        yield _line(key, text, table), table.place(key.name)


def _line(key: Key, text: str, table: Table) -> KeyLine:
    try:
        line = parsed_key_line(text)
    except ValueError as error:
        message = f"{shown(text)}: {shown(str(error))} is not a cell, expected cells such as r1c2"
        raise table.error(f"{key.name}: {message}", key.name) from None
    longest, most = max(map(len, line.groups)), _MOST_CELLS_OF_LINE
    if longest > most:
        raise table.error(f"{key.name}: a line of {longest} cells, expected at most {most}", key.name)
    return line


def _number(key: Key, word: str, place: Where) -> int:
    if not re.fullmatch(r"-?[0-9]+", word) or len(word) > Limits.LONGEST_NUMBER:
        raise InstanceError(f"{key.name}: {shown(word)} is not a number", place)
    return int(word)


def _wrong(key: Key, line: KeyLine, expected: str, place: Where) -> InstanceError:
    return InstanceError(f"{key.name}: {shown(line.text)} is wrong here, expected {expected}", place)


# -- From lines to facts ----------------------------------------------------------------------------


def _read_ordered(key: Key, table: Table, _board: Grid) -> Iterator[Fact]:
    head, value, closed = (key.option(name) for name in ("head", "value", "closed"))
    for i, (line, place) in enumerate(_lines(key, table), 1):
        if len(line.groups) != (1 if head is None else 2) or (line.values and value is None):
            raise _wrong(key, line, "cells" if head is None else "a head, > and cells", place)
        cells = line.groups[-1]
        if closed is not None and len(cells) > 2 and cells[0] == cells[-1]:
            cells = cells[:-1]
            yield closed.name, (i,), place
        yield from ((key.fact, (i, j, *cell), place) for j, cell in enumerate(cells, 1))
        if head is not None:
            yield from ((head.name, (i, k, *cell), place) for k, cell in enumerate(line.groups[0], 1))
        if line.values and value is not None:
            yield from ((value.name, (i, *rest), place) for rest in _values(key, value, line.values, place))


def _values(key: Key, value: FactPredicate, tokens: Sequence[str], place: Where) -> Iterator[tuple[int, ...]]:
    """Yield the last arguments of the facts of a value: a number, or pairs of digits, "1324" for one 3 and two 4s."""
    if len(tokens) != 1:
        raise InstanceError(f"{key.name}: {shown(' '.join(tokens))} is wrong here, expected one value", place)
    if len(value.arguments) == 2:
        yield (_number(key, tokens[0], place),)
        return
    digits = [_number(key, digit, place) for digit in tokens[0]]
    if len(digits) % 2:
        raise InstanceError(
            f"{key.name}: {shown(tokens[0])} is wrong here, expected how often and which, in turn", place
        )
    yield from ((digits[i + 1], digits[i]) for i in range(0, len(digits), 2))


def _read_groups(key: Key, table: Table, _board: Grid) -> Iterator[Fact]:
    for i, (line, place) in enumerate(_lines(key, table), 1):
        if len(line.groups) < 2 or line.values:
            raise _wrong(key, line, 'groups of cells with "=" between them', place)
        for g, cells in enumerate(line.groups, 1):
            yield from ((key.fact, (i, g, j, *cell), place) for j, cell in enumerate(cells, 1))


def _read_pairs(key: Key, table: Table, _board: Grid) -> Iterator[Fact]:
    for line, place in _lines(key, table):
        if len(line.groups) != 1 or len(line.groups[0]) != 2:
            raise _wrong(key, line, "two cells", place)
        yield key.fact, (*line.groups[0][0], *line.groups[0][1], *_sign(key, line, place)), place


def _sign(key: Key, line: KeyLine, place: Where) -> list[SymbolValue]:
    """Return the value of a pair, as the last argument of its fact; [] if pairs have none."""
    if _shape(key)[-1] == "column":
        if line.values:
            raise _wrong(key, line, "two cells without a value", place)
        return []
    tokens = line.values or ([str(key.option("default"))] if key.option("default") is not None else [])
    if len(tokens) != 1:
        raise _wrong(key, line, "two cells and a value after =", place)
    return [tokens[0] if key.option("tokens") else _number(key, tokens[0], place)]


def _read_values(key: Key, table: Table, _board: Grid) -> Iterator[Fact]:
    """Yield a fact for each number after the cell of a line; with a fourth argument, how often it is listed."""
    for line, place in _lines(key, table):
        if len(line.groups) != 1 or len(line.groups[0]) != 1 or not line.values:
            raise _wrong(key, line, "a cell, and numbers after =", place)
        times = Counter(_number(key, word, place) for word in line.values)
        for number, often in times.items():
            yield key.fact, (*line.groups[0][0], number, *([often] if len(_shape(key)) == 4 else [])), place


def _read_marks(key: Key, table: Table, _board: Grid) -> Iterator[Fact]:
    for line, place in _lines(key, table):
        if len(line.groups) != 1 or line.values:
            raise _wrong(key, line, "cells", place)
        yield from ((key.fact, cell, place) for cell in line.groups[0])


# -- From facts to lines ----------------------------------------------------------------------------


class _LineClue(NamedTuple):
    """A clue on a board."""

    groups: list[list[Cell]]
    value: str = ""
    head: Sequence[Cell] = ()
    closed: bool = False


def _shape(key: Key) -> tuple[str, ...]:
    """Return what the arguments of the facts of a key are."""
    assert key.predicate is not None
    return key.predicate.arguments


def _by_first(predicate: FactPredicate | None, outline: KeyOutline) -> dict[int, list[list[int]]]:
    """Return the further arguments of the facts of a predicate, sorted, by the first one."""
    facts = outline.facts.arguments(predicate.name) if predicate else ()
    return grouped((i, rest) for i, *rest in sorted([*map(int, arguments)] for arguments in facts))


def _clues(key: Key, outline: KeyOutline) -> list[_LineClue]:
    """Return the clues of a key on a board: (I, J, R, C) and (I, G, J, R, C), or (R, C, R', C'), or (R, C, V)."""
    if _shape(key)[0] == "number":
        heads, values, closed = (_by_first(key.option(name), outline) for name in ("head", "value", "closed"))
        clues = []
        for i, places in _by_first(key.predicate, outline).items():
            groups = grouped((group[0] if group else 1, (r, c)) for *group, _, r, c in places)
            value = "".join(str(part) for parts in values.get(i, ()) for part in reversed(parts))
            clues.append(_LineClue([*groups.values()], value, [(r, c) for _, r, c in heads.get(i, ())], i in closed))
        return clues
    if key.cells == 2:
        facts = (
            (map(int, arguments[:4]), "".join(map(fact_name, arguments[4:])))
            for arguments in outline.facts.arguments(key.fact)
        )
        return [_LineClue([[(r, c), (row, column)]], sign) for (r, c, row, column), sign in facts]
    numbers: dict[Cell, list[str]] = {}
    for r, facts_of_row in _by_first(key.predicate, outline).items():
        for c, *number in facts_of_row:
            often = number[1] if len(number) > 1 else 1
            numbers.setdefault((r, c), []).extend(map(str, number[:1] * often))
    return [_LineClue([[cell]], " ".join(tokens)) for cell, tokens in numbers.items()]


def _check_pairs(key: Key, outline: KeyOutline) -> None:
    """Raise `InstanceError` for a sign that is not among those declared."""
    tokens = key.option("tokens")
    for *cells, sign in outline.facts.arguments(key.fact) if tokens else ():
        if fact_name(sign) not in tokens:
            message = f"{key.name}: {shown(fact_name(sign))} is unknown, expected {listing(tokens)}"
            raise InstanceError(message, outline.facts.place(key.fact, *cells))


def _check_corners(key: Key, outline: KeyOutline) -> None:
    """Raise `InstanceError` unless all four cells around each corner are on the board."""
    assert key.predicate is not None
    for arguments in outline.facts.arguments(key.fact):
        around = [(int(arguments[0]) + y, int(arguments[1]) + x) for y, x in _FOUR_CELLS]
        check_key_cells(key, key.predicate, arguments, around, outline)


def _check_ordered(key: Key, outline: KeyOutline) -> None:
    lines, heads = (_by_first(predicate, outline) for predicate in (key.predicate, key.option("head")))
    for i, ((_, r, c), *_) in lines.items():
        if key.option("head") and i not in heads:
            raise InstanceError(f"{key.name}: the line from {cell_place((r, c))} has no head", outline.facts.where)
    for name in ("value", "closed"):
        for i in _by_first(key.option(name), outline):
            if i not in lines:
                raise InstanceError(f"{key.fact} {i} has a {name}, but no cells", outline.facts.where)


def _write(key: Key, outline: KeyOutline, _extras: object) -> dict[str, object]:
    """Return the lines of a key; marks are one line."""
    lines = []
    for groups, value, head, closed in _clues(key, outline):
        text = " = ".join(key_line_text([*cells, *cells[:closed]]) for cells in groups)
        lines.append((f"{key_line_text(head)} > " if head else "") + text + (f" = {value}" if value else ""))
    return {key.name: lines if len(_shape(key)) > 2 else " ".join(lines)} if lines else {}


# -- Centers -----------------------------------------------------------------------------------------


def _read_centers(key: Key, table: Table, _board: Grid) -> Iterator[Fact]:
    """Yield the middle of each line as the sum of the rows, and of the columns, of its first and its last cell."""
    for line, place in _lines(key, table):
        (r, c), (row, column) = line.groups[0][0], line.groups[0][-1]
        if len(line.groups) != 1 or line.values or max(abs(row - r), abs(column - c)) > 1:
            raise _wrong(key, line, "a cell, or two cells that touch, with the center between them", place)
        yield key.fact, (r + row, c + column), place


def _center_cells(arguments: Arguments) -> tuple[Cell, ...]:
    """Return the cells around a center: one, two that share a side, or four."""
    (top, bottom), (left, right) = ((int(middle) // 2, (int(middle) + 1) // 2) for middle in arguments[:2])
    return tuple(dict.fromkeys([(top, left), (top, right), (bottom, left), (bottom, right)]))


def _write_centers(key: Key, outline: KeyOutline, _extras: object) -> dict[str, object]:
    """Return a line for each center: its cell, or the first and the last of its cells."""
    centers = [_center_cells(arguments) for arguments in outline.facts.arguments(key.fact)]
    lines = [key_line_text(dict.fromkeys([cells[0], cells[-1]])) for cells in centers]
    return {key.name: lines} if lines else {}


def _possible_centers(_key: Key, outline: KeyOutline) -> Iterator[tuple[SymbolValue, ...]]:
    places = ((y, x) for y in range(2, 2 * outline.rows + 1) for x in range(2, 2 * outline.columns + 1))
    return (place for place in places if outline.cells >= {*_center_cells(place)})  # type: ignore[operator]


def _draw_centers(key: Key, outline: KeyOutline) -> KeyLayer:
    look = key.option("picture", {"dot": "white"})
    around = (_center_cells(arguments) for arguments in outline.facts.arguments(key.fact))
    return KeyLayer(figures=tuple(Figure(look, tuple(dict.fromkeys([cells[0], cells[-1]]))) for cells in around))


# -- Borders -----------------------------------------------------------------------------------------


def _read_borders(key: Key, table: Table, _board: Grid) -> Iterator[Fact]:
    """Yield the two cells of each line, the left or upper one first."""
    for name, cells, place in _read_pairs(key, table, _board):
        (r, c), (row, column) = sorted([(cells[0], cells[1]), (cells[2], cells[3])])
        yield name, (r, c, row, column), place


def key_borders(key: Key, outline: KeyOutline) -> set[tuple[Cell, Cell]]:
    """Return the pairs of cells with a border between them that a key has, the left or upper cell first."""
    return {((int(r), int(c)), (int(y), int(x))) for r, c, y, x in outline.facts.arguments(key.fact)}


def _check_borders(key: Key, outline: KeyOutline) -> None:
    """Raise `InstanceError` unless each border is between neighbors of one region."""
    regions = [outline.values(of.fact) for of in outline.keys if of.kind.role == "regions" and of.whole]
    for first, other in key_borders(key, outline):
        place = outline.facts.place(key.fact, *first, *other)
        between = f"{key.name}: {cell_place(first)} and {cell_place(other)}"
        if not are_neighbors((first, other)) or other < first:
            raise InstanceError(f"{between}: expected a cell and its neighbour to the right or below", place)
        if any(of.get(first) != of.get(other) for of in regions):
            raise InstanceError(f"{between} are in different regions, which have a border anyway", place)


# -- Pictures -----------------------------------------------------------------------------------------


def _draw(key: Key, outline: KeyOutline) -> KeyLayer:
    look, clues = key.option("picture", {}), _clues(key, outline)
    figures = [Figure(look, tuple(clue.groups[0]), tuple(clue.head), clue.value, clue.closed) for clue in clues]
    return KeyLayer(figures=tuple(_hatched(figures) if _shape(key)[0] == "number" else figures))


def _hatched(figures: Sequence[Figure]) -> Iterator[Figure]:
    """Yield figures; a filled one is hatched where it touches or overlaps one that is not hatched."""
    taken: list[tuple[str, set[Cell]]] = []
    for figure in figures:
        if "fill" not in figure.look or "hatch" in figure.look:
            yield figure
            continue
        around = {(r + y, c + x) for r, c in figure.cells for y in (-1, 0, 1) for x in (-1, 0, 1)}
        beside = {hatch for hatch, cells in taken if cells & around}
        hatch = next((sign for sign in _HATCHES if sign not in beside), _HATCHES[-1])
        taken.append((hatch, {*figure.cells}))
        yield _with_hatch(figure, hatch)


def _with_hatch(figure: Figure, hatch: str) -> Figure:
    return figure._replace(look={**figure.look, "hatch": hatch}) if hatch else figure


def _draw_groups(key: Key, outline: KeyOutline) -> KeyLayer:
    """Return the groups; those of one clue share a letter and a hatch if there are several clues."""
    sets: list[list[tuple[Cell, ...]]] = []
    for clue in _clues(key, outline):
        groups = [*map(tuple, clue.groups)]
        shared = [kin for kin in sets if not {*kin}.isdisjoint(groups)]
        sets = [kin for kin in sets if kin not in shared]
        sets.append([*dict.fromkeys(group for kin in (*shared, groups) for group in kin)])
    sets.sort(key=lambda kin: min(map(min, kin)))
    look, figures = key.option("picture", {}), []
    for k, groups in enumerate(sets):
        letter = "" if len(sets) < 2 else ascii_uppercase[k] if k < len(ascii_uppercase) else str(k + 1)
        hatch = _HATCHES[k % len(_HATCHES)] if "fill" in look and "hatch" not in look else ""
        figures += [_with_hatch(Figure(look, cells, (), letter), hatch) for cells in groups]
    return KeyLayer(figures=tuple(figures))


# -- The clues of new boards ----------------------------------------------------------------------------------


def _possible_pairs(key: Key, outline: KeyOutline) -> Iterator[tuple[SymbolValue, ...]]:
    """Yield pairs of cells that share a side, with the usual value, or any; in both orders if they have none."""
    directed = _shape(key)[-1] == "column"
    usual = key.option("default")
    numbers = key.values_in(outline, KeyRange(1, max(outline.rows, outline.columns)))
    values = key.option("tokens") or (numbers if usual is None else [usual])
    for r, c in sorted(outline.cells):
        for other in ((r, c + 1), (r + 1, c)):
            if other in outline.cells and directed:
                yield from ((r, c, *other), (*other, r, c))
            elif other in outline.cells:
                yield from ((r, c, *other, value) for value in values)


def _possible_corners(_key: Key, outline: KeyOutline) -> Iterator[tuple[SymbolValue, ...]]:
    numbers = range(1, max(outline.rows, outline.columns) + 1)
    for r, c in sorted(outline.cells):
        if all((r + y, c + x) in outline.cells for y, x in _FOUR_CELLS):
            yield from ((r, c, number, 1) for number in numbers)


_PICTURE: Mapping[str, type] = {"picture": dict}
_ORDERED = ("number", "number", "row", "column")
_FOUR_CELLS = ((0, 0), (0, 1), (1, 0), (1, 1))
PATHS = KeyKind(
    _ORDERED,
    2,
    {"head": str, "value": str, "closed": str, "cells": str, "values": str, **_PICTURE},
    "path",
    _read_ordered,
    _write,
    _draw,
    check=_check_ordered,
    drawn=KeySampler(path_shapes, ordered_shape_offer, KeyRange(3, "rows")),
    more={"head": (_ORDERED, 2), "value": (("number", "number"), 1), "closed": (("number",), 1)},
)
CAGES = PATHS._replace(
    options={"value": str, "cells": str, "values": str, **_PICTURE},
    tool="cage",
    drawn=KeySampler(cage_shapes, ordered_shape_offer, KeyRange(2, 4)),
)
GROUPS = KeyKind(
    ("number", *_ORDERED),
    3,
    {"cells": str, **_PICTURE},
    "groups",
    _read_groups,
    _write,
    _draw_groups,
    drawn=KeySampler(group_shapes, group_shape_offer, KeyRange(2, 4)),
)
PAIRS = KeyKind(
    ("row", "column", "row", "column", "number"),
    4,
    {"tokens": list, "default": int, "values": str, **_PICTURE},
    "pair",
    _read_pairs,
    _write,
    _draw,
    check=_check_pairs,
    possible=_possible_pairs,
)
BORDERS = PAIRS._replace(
    arguments=("row", "column", "row", "column"),
    options={},
    read=_read_borders,
    check=_check_borders,
    draw=lambda key, outline: KeyLayer(borders=key_borders(key, outline)),
    possible=None,
)
CORNERS = KeyKind(
    ("row", "column", "number", "number"),
    3,
    _PICTURE,
    "corner",
    _read_values,
    _write,
    _draw,
    check=_check_corners,
    possible=_possible_corners,
)
MARKS = KeyKind(
    ("row", "column"),
    2,
    _PICTURE,
    "mark",
    _read_marks,
    _write,
    _draw,
    possible=lambda _key, outline: sorted(outline.cells),
)
CANDIDATES = KeyKind(
    ("row", "column", "number"),
    3,
    _PICTURE,
    "mark",
    _read_values,
    _write,
    _draw,
    drawn=KeySampler(cell_shapes, number_set_shape_offer),
)
CENTERS = KeyKind(
    ("number", "number"),
    2,
    _PICTURE,
    "cage",
    _read_centers,
    _write_centers,
    _draw_centers,
    possible=_possible_centers,
    around=_center_cells,
)
