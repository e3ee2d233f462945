"""Keys whose value is a list of lines of cells: paths, cages, groups, pairs, corners, marks, candidates.

Line  "r1c1 r1c2 r2c3": cells in order; "r1c1 r1c2 = 10": with a value; "r1c1 > r1c2 r1c3": a head and its cells
"""

from __future__ import annotations

import re
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any, NamedTuple

from pyasp_puzzles.boards.facts import name_of
from pyasp_puzzles.boards.figure import Figure
from pyasp_puzzles.boards.grid import Cell, at, cell_name, cell_named
from pyasp_puzzles.errors import InstanceError, Where, listing, shown
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.keys import Editing, KeyKind, Layer, Range

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from pyasp_puzzles.asp.symbols import Arguments, Value
    from pyasp_puzzles.boards.facts import Fact, Predicate
    from pyasp_puzzles.boards.grid import Grid
    from pyasp_puzzles.boards.toml import Table
    from pyasp_puzzles.model.keys import Key, Outline

# Lines of a key of a board, such as thermometers; real boards have a hundred at most.
MOST_LINES_OF_KEY = 1000
# Cells of such a line.
MOST_CELLS_OF_LINE = 1000

# The lines across figures of one key that are filled, so that they can be told apart.
HATCHES = ("", "/", "\\", "|", "-")


class Line(NamedTuple):
    """One line of a key."""

    groups: list[list[Cell]]
    """Its cells; several groups where "=" or ">" separates them."""
    values: list[str]
    """What follows the last "=", if that is no cell."""
    text: str


def line_text(cells: Iterable[Cell], value: object = "") -> str:
    """Return cells as a line, with a value after them if it is not empty: "r1c1 r1c2 = 10"."""
    words = " ".join(map(cell_name, cells))
    return words if value in {None, ""} else f"{words} = {value}"


def line_of(text: str) -> Line:
    """Return the line of a text.

    Raises:
        ValueError: a word is not a cell, or a group has no word; its argument is that word, or "".
    """
    *before, last = (part.split() for part in re.split(r"[=>]", text))
    values = last if before and not any(map(cell_named, last)) else []
    groups = [*before, *([] if values else [last])]
    return Line([_cells(words) for words in groups], values, text)


def parts_of(text: str) -> tuple[list[Cell], str, str]:
    """Return the cells that a line names, the line without its value, and its value; a line may be unfinished."""
    before, equals, last = text.rpartition("=")
    cells = [[*filter(None, map(cell_named, re.split(r"[\s=>]+", part)))] for part in (before, last)]
    words, value = (before, last) if equals and not cells[1] else (text, "")
    return [*cells[0], *cells[1]], words.strip(), value.strip()


def _cells(words: Sequence[str]) -> list[Cell]:
    found = [cell_named(word) for word in words or [""]]
    if None in found:
        raise ValueError((words or [""])[found.index(None)])
    return [cell for cell in found if cell]


def _lines(key: Key, table: Table) -> Iterator[tuple[Line, Where]]:
    """Yield the lines of a key.

    Raises:
        InstanceError: what is wrong in a line.
    """
    found = table.get(key.name, object, "line of cells, or an array of lines")
    lines = [found] if isinstance(found, str) else found
    if found is None:
        return
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise table.error(
            f'{key.name}: {shown(found)} is wrong here, expected lines of cells such as "r1c1 r1c2"', key.name
        )
    if len(lines) > MOST_LINES_OF_KEY:
        raise table.error(f"{key.name}: {len(lines)} lines, expected at most {MOST_LINES_OF_KEY}", key.name)
    for text in lines:
        yield _line(key, text, table), table.place(key.name)


def _line(key: Key, text: str, table: Table) -> Line:
    try:
        line = line_of(text)
    except ValueError as error:
        message = f"{shown(text)}: {shown(str(error))} is not a cell, expected cells such as r1c2"
        raise table.error(f"{key.name}: {message}", key.name) from None
    longest, most = max(map(len, line.groups)), MOST_CELLS_OF_LINE
    if longest > most:
        raise table.error(f"{key.name}: a line of {longest} cells, expected at most {most}", key.name)
    return line


def _number(key: Key, word: str, place: Where) -> int:
    if not re.fullmatch(r"-?[0-9]+", word) or len(word) > Limits.LONGEST_NUMBER:
        raise InstanceError(f"{key.name}: {shown(word)} is not a number", place)
    return int(word)


def _wrong(key: Key, line: Line, expected: str, place: Where) -> InstanceError:
    return InstanceError(f"{key.name}: {shown(line.text)} is wrong here, expected {expected}", place)


# -- Cells in order, with a number: paths and cages ------------------------------------------------


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
            yield from ((value.name, (i, *one), place) for one in _values(key, value, line.values, place))


def _values(key: Key, value: Predicate, words: Sequence[str], place: Where) -> Iterator[tuple[int, ...]]:
    """Yield the last arguments of the facts of a value: a number, or pairs of digits, "1324" for one 3 and two 4s."""
    if len(words) != 1:
        raise InstanceError(f"{key.name}: {shown(' '.join(words))} is wrong here, expected one value", place)
    if len(value.arguments) == 2:
        yield (_number(key, words[0], place),)
        return
    digits = [_number(key, digit, place) for digit in words[0]]
    if len(digits) % 2:
        raise InstanceError(
            f"{key.name}: {shown(words[0])} is wrong here, expected how often and which, in turn", place
        )
    yield from ((digits[i + 1], digits[i]) for i in range(0, len(digits), 2))


def _ordered(key: Key, outline: Outline) -> dict[int, list[Cell]]:
    """Return the cells of each line, by its number."""
    found: dict[int, list[Cell]] = {}
    for i, _, r, c in sorted(outline.facts.arguments(key.fact), key=lambda one: (int(one[0]), int(one[1]))):
        found.setdefault(int(i), []).append((int(r), int(c)))
    return found


def _by_line(predicate: Predicate | None, outline: Outline) -> dict[int, list[Arguments]]:
    """Return the further arguments of the facts of a predicate, by the number of their line."""
    found: dict[int, list[Arguments]] = {}
    for i, *rest in sorted(outline.facts.arguments(predicate.name), key=str) if predicate else ():
        found.setdefault(int(i), []).append(tuple(rest))
    return found


def _check_ordered(key: Key, outline: Outline) -> None:
    lines = {i: [*cells] for i, cells in _ordered(key, outline).items()}
    heads = _by_line(key.option("head"), outline)
    for i, cells in lines.items():
        if key.option("head") and i not in heads:
            raise InstanceError(f"{key.name}: the line from {at(cells[0])} has no head", outline.facts.where)
    for i, more in heads.items():
        lines.setdefault(i, []).extend((int(r), int(c)) for _, r, c in more)
    _check_on_board(key, (cell for cells in lines.values() for cell in cells), outline)
    for name in ("value", "closed"):
        for i in _by_line(key.option(name), outline):
            if i not in lines:
                raise InstanceError(f"{key.fact} {i} has a {name}, but no cells", outline.facts.where)


def _check_on_board(key: Key, cells: Iterable[Cell], outline: Outline) -> None:
    for cell in cells:
        if cell not in outline.cells:
            message = f"{key.name}: {at(cell)} is outside the board of {outline.size}"
            raise InstanceError(message, outline.facts.where)


def _write_ordered(key: Key, outline: Outline, _extras: object) -> dict[str, object]:
    heads, values, closed = (_by_line(key.option(name), outline) for name in ("head", "value", "closed"))
    lines = []
    for i, cells in _ordered(key, outline).items():
        words = line_text([*cells, *(cells[:1] if i in closed else [])])
        if i in heads:
            words = f"{line_text((int(r), int(c)) for _, r, c in heads[i])} > {words}"
        if i in values:
            pairs = ["".join(map(str, reversed(one))) for one in values[i]]
            words += f" = {''.join(pairs)}"
        lines.append(words)
    return {key.name: lines} if lines else {}


def _words_ordered(key: Key, arguments: Sequence[int | str]) -> str:
    _, _, r, c = arguments
    return f"the {key.fact.replace('_', ' ')} from {at((int(r), int(c)))}"


def _draw_ordered(key: Key, outline: Outline) -> Layer:
    heads, values, closed = (_by_line(key.option(name), outline) for name in ("head", "value", "closed"))
    found = []
    for i, cells in _ordered(key, outline).items():
        head = tuple((int(r), int(c)) for _, r, c in heads.get(i, ()))
        number = "".join(str(part) for one in values.get(i, ()) for part in reversed(one))
        found.append(Figure(_look(key), tuple(cells), head, number, closed=i in closed))
    return Layer(figures=tuple(_hatched(found)))


def _hatched(figures: Sequence[Figure]) -> Iterator[Figure]:
    """Yield figures; a filled one is hatched where it touches or overlaps one that is not hatched."""
    taken: list[tuple[str, set[Cell]]] = []
    for figure in figures:
        if "fill" not in figure.look or "hatch" in figure.look:
            yield figure
            continue
        around = {(r + y, c + x) for r, c in figure.cells for y in (-1, 0, 1) for x in (-1, 0, 1)}
        beside = {hatch for hatch, cells in taken if cells & around}
        hatch = next((one for one in HATCHES if one not in beside), HATCHES[-1])
        taken.append((hatch, {*figure.cells}))
        yield _with_hatch(figure, hatch)


def _with_hatch(figure: Figure, hatch: str) -> Figure:
    return figure._replace(look={**figure.look, "hatch": hatch}) if hatch else figure


def _look(key: Key) -> Mapping[str, Any]:
    """Return how the figures of a key look, as its declaration says."""
    look: Mapping[str, Any] = key.option("picture", {})
    return look


# -- Groups of cells ----------------------------------------------------------------------------------


def _read_groups(key: Key, table: Table, _board: Grid) -> Iterator[Fact]:
    for i, (line, place) in enumerate(_lines(key, table), 1):
        if len(line.groups) < 2 or line.values:
            raise _wrong(key, line, 'groups of cells with "=" between them', place)
        for g, cells in enumerate(line.groups, 1):
            yield from ((key.fact, (i, g, j, *cell), place) for j, cell in enumerate(cells, 1))


def _groups(key: Key, outline: Outline) -> dict[int, dict[int, list[Cell]]]:
    found: dict[int, dict[int, list[Cell]]] = {}
    for i, g, _, r, c in sorted(outline.facts.arguments(key.fact), key=lambda one: [*map(int, one)]):
        found.setdefault(int(i), {}).setdefault(int(g), []).append((int(r), int(c)))
    return found


def _check_groups(key: Key, outline: Outline) -> None:
    _check_on_board(
        key, (cell for of in _groups(key, outline).values() for part in of.values() for cell in part), outline
    )


def _write_groups(key: Key, outline: Outline, _extras: object) -> dict[str, object]:
    lines = [" = ".join(map(line_text, of.values())) for of in _groups(key, outline).values()]
    return {key.name: lines} if lines else {}


def _draw_groups(key: Key, outline: Outline) -> Layer:
    """Return the groups; those of one clue have the same letter and hatch if there are several clues."""
    sets: list[list[tuple[Cell, ...]]] = []
    for of in _groups(key, outline).values():
        groups = [*map(tuple, of.values())]
        shared = [one for one in sets if not {*one}.isdisjoint(groups)]
        sets = [one for one in sets if one not in shared]
        sets.append([*dict.fromkeys(group for one in (*shared, groups) for group in one)])
    sets.sort(key=lambda one: min(map(min, one)))
    look, figures = _look(key), []
    for k, groups in enumerate(sets):
        letter = "" if len(sets) < 2 else ascii_uppercase[k] if k < len(ascii_uppercase) else str(k + 1)
        hatch = HATCHES[k % len(HATCHES)] if "fill" in look and "hatch" not in look else ""
        figures += [_with_hatch(Figure(look, cells, (), letter), hatch) for cells in groups]
    return Layer(figures=tuple(figures))


# -- Two cells, four cells, one cell ------------------------------------------------------------------------


def _read_pairs(key: Key, table: Table, _board: Grid) -> Iterator[Fact]:
    for line, place in _lines(key, table):
        if len(line.groups) != 1 or len(line.groups[0]) != 2:
            raise _wrong(key, line, "two cells", place)
        yield key.fact, (*line.groups[0][0], *line.groups[0][1], *_sign(key, line, place)), place


def _sign(key: Key, line: Line, place: Where) -> list[Value]:
    """Return the value of a pair, as the last argument of its fact; [] if pairs have none."""
    assert key.predicate is not None
    if len(key.predicate.arguments) == 4:
        if line.values:
            raise _wrong(key, line, "two cells without a value", place)
        return []
    words = line.values or ([str(key.option("default"))] if key.option("default") is not None else [])
    if len(words) != 1:
        raise _wrong(key, line, "two cells and a value after =", place)
    known = key.option("tokens")
    if known and words[0] not in known:
        raise InstanceError(f"{key.name}: {shown(words[0])} is unknown, expected {listing(known)}", place)
    return [words[0] if known else _number(key, words[0], place)]


def _pairs(key: Key, outline: Outline) -> Iterator[tuple[Cell, Cell, str]]:
    for r, c, row, column, *sign in outline.facts.arguments(key.fact):
        yield (int(r), int(c)), (int(row), int(column)), name_of(sign[0]) if sign else ""


def _check_pairs(key: Key, outline: Outline) -> None:
    _check_on_board(key, (cell for one, other, _ in _pairs(key, outline) for cell in (one, other)), outline)


def _write_pairs(key: Key, outline: Outline, _extras: object) -> dict[str, object]:
    lines = [line_text((one, other), sign) for one, other, sign in _pairs(key, outline)]
    return {key.name: lines} if lines else {}


def _words_pairs(key: Key, arguments: Sequence[int | str]) -> str:
    r, c, row, column, *sign = arguments
    noun = f"{key.fact.replace('_', ' ')} {sign[0]}" if sign else key.fact.replace("_", " ")
    return f"the {noun} between {at((int(r), int(c)))} and {at((int(row), int(column)))}"


def _draw_pairs(key: Key, outline: Outline) -> Layer:
    return Layer(figures=tuple(Figure(_look(key), (one, other), (), sign) for one, other, sign in _pairs(key, outline)))


def _read_values(key: Key, table: Table, _board: Grid) -> Iterator[Fact]:
    """Yield a fact for each number after the cell of a line; with a fourth argument, how often it is listed."""
    assert key.predicate is not None
    often = len(key.predicate.arguments) == 4
    for line, place in _lines(key, table):
        if len(line.groups) != 1 or len(line.groups[0]) != 1 or not line.values:
            raise _wrong(key, line, "a cell, and numbers after =", place)
        numbers = [_number(key, word, place) for word in line.values]
        for number in dict.fromkeys(numbers):
            times = [numbers.count(number)] if often else []
            yield key.fact, (*line.groups[0][0], number, *times), place


def _numbers(key: Key, outline: Outline) -> dict[Cell, list[int]]:
    """Return the numbers at each cell, each as often as it is listed."""
    found: dict[Cell, list[int]] = {}
    for r, c, value, *often in sorted(outline.facts.arguments(key.fact), key=lambda one: [*map(int, one)]):
        found.setdefault((int(r), int(c)), []).extend([int(value)] * (int(often[0]) if often else 1))
    return found


def _check_values(key: Key, outline: Outline) -> None:
    _check_on_board(key, _numbers(key, outline), outline)


def _check_corners(key: Key, outline: Outline) -> None:
    cells = _numbers(key, outline)
    _check_on_board(key, ((r + y, c + x) for r, c in cells for y in (0, 1) for x in (0, 1)), outline)


def _write_values(key: Key, outline: Outline, _extras: object) -> dict[str, object]:
    lines = [line_text([cell], " ".join(map(str, of))) for cell, of in _numbers(key, outline).items()]
    return {key.name: lines} if lines else {}


def _words_values(key: Key, arguments: Sequence[int | str]) -> str:
    r, c, value, *_ = arguments
    return f"the {key.fact.replace('_', ' ')} {value} at {at((int(r), int(c)))}"


def _draw_values(key: Key, outline: Outline) -> Layer:
    found = _numbers(key, outline).items()
    return Layer(figures=tuple(Figure(_look(key), (cell,), (), " ".join(map(str, of))) for cell, of in found))


def _read_marks(key: Key, table: Table, _board: Grid) -> Iterator[Fact]:
    for line, place in _lines(key, table):
        if len(line.groups) != 1 or line.values:
            raise _wrong(key, line, "cells", place)
        yield from ((key.fact, cell, place) for cell in line.groups[0])


def _marked(key: Key, outline: Outline) -> list[Cell]:
    return sorted((int(r), int(c)) for r, c in outline.facts.arguments(key.fact))


def _write_marks(key: Key, outline: Outline, _extras: object) -> dict[str, object]:
    cells = _marked(key, outline)
    return {key.name: line_text(cells)} if cells else {}


def _draw_marks(key: Key, outline: Outline) -> Layer:
    return Layer(figures=tuple(Figure(_look(key), (cell,)) for cell in _marked(key, outline)))


def _fitted_pairs(options: Mapping[str, Any], arity: int) -> tuple[tuple[str, ...], int]:
    """Return the arguments of pairs: two cells, and a number or a name, unless their fact has four arguments."""
    cells = ("row", "column", "row", "column")
    return (cells if arity == len(cells) else (*cells, "name" if options.get("tokens") else "number")), len(cells)


def _edit_path(key: Key, _outline: Outline) -> Editing:
    head, value, closed = (bool(key.option(part)) for part in ("head", "value", "closed"))
    return Editing("path", head=head, value=value, closed=closed)


def _edit_pairs(key: Key, _outline: Outline) -> Editing:
    assert key.predicate is not None
    tokens = key.option("tokens")
    value = len(key.predicate.arguments) > len("rcrc")
    return Editing("pair", tuple(tokens or ()) or None, value=value, needed=value and key.option("default") is None)


# -- The clues of new boards ----------------------------------------------------------------------------------


def _possible_pairs(key: Key, outline: Outline) -> Iterator[tuple[Value, ...]]:
    """Yield pairs of cells that share a side, with the usual value, or any; in both orders if they have none."""
    assert key.predicate is not None
    directed = len(key.predicate.arguments) == 4
    usual = key.option("default")
    numbers = key.values_in(outline, Range(1, max(outline.rows, outline.columns)))
    values = key.option("tokens") or (numbers if usual is None else [usual])
    for r, c in sorted(outline.cells):
        for other in ((r, c + 1), (r + 1, c)):
            if other in outline.cells and directed:
                yield from ((r, c, *other), (*other, r, c))
            elif other in outline.cells:
                yield from ((r, c, *other, value) for value in values)


def _possible_marks(_key: Key, outline: Outline) -> Iterator[tuple[Value, ...]]:
    return iter(sorted(outline.cells))


def _possible_corners(_key: Key, outline: Outline) -> Iterator[tuple[Value, ...]]:
    numbers = range(1, max(outline.rows, outline.columns) + 1)
    for r, c in sorted(outline.cells):
        if all((r + y, c + x) in outline.cells for y in (0, 1) for x in (0, 1)):
            yield from ((r, c, number, 1) for number in numbers)


def _shapes(name: str) -> Callable[..., Any]:
    """Return the function of that name in `shapes`, which is imported when boards are made."""

    def call(*arguments: Any) -> Any:  # noqa: ANN401 (those of the function)
        from pyasp_puzzles.puzzles.keys import shapes

        return getattr(shapes, name)(*arguments)

    return call


_PICTURE: Mapping[str, type] = {"picture": dict}
_ORDERED = ("number", "number", "row", "column")
PATHS = KeyKind(
    _ORDERED,
    2,
    {"head": str, "value": str, "closed": str, "cells": str, "values": str, **_PICTURE},
    _read_ordered,
    _check_ordered,
    _write_ordered,
    _words_ordered,
    draw=_draw_ordered,
    drawn=_shapes("paths"),
    offer=_shapes("ordered_offer"),
    always=True,
    together=1,
    sizes=Range(3, 6),
    apart=True,
    more={"head": (_ORDERED, 2), "value": (("number", "number"), 1), "closed": (("number",), 1)},
    edit=_edit_path,
)
CAGES = PATHS._replace(
    options={"value": str, "cells": str, "values": str, **_PICTURE},
    drawn=_shapes("cages"),
    sizes=Range(2, 4),
    more={"value": (("number", "number"), 1)},
    edit=lambda key, _outline: Editing("cage", value=bool(key.option("value"))),
)
GROUPS = KeyKind(
    ("number", *_ORDERED),
    3,
    {"cells": str, **_PICTURE},
    _read_groups,
    _check_groups,
    _write_groups,
    lambda key, clue: f"the {key.fact.replace('_', ' ')} {clue[0]}",
    draw=_draw_groups,
    drawn=_shapes("groups"),
    offer=_shapes("groups_offer"),
    always=True,
    together=1,
    sizes=Range(2, 4),
    apart=True,
    edit=lambda _key, _outline: Editing("groups"),
)
PAIRS = KeyKind(
    ("row", "column", "row", "column", "number"),
    4,
    {"tokens": list, "default": int, "values": str, **_PICTURE},
    _read_pairs,
    _check_pairs,
    _write_pairs,
    _words_pairs,
    _possible_pairs,
    always=True,
    same=lambda clue, place: clue[: len(place)] == place or (clue[2:4], clue[:2]) == (place[:2], place[2:4]),
    draw=_draw_pairs,
    fitted=_fitted_pairs,
    edit=_edit_pairs,
)
CORNERS = KeyKind(
    ("row", "column", "number", "number"),
    3,
    _PICTURE,
    _read_values,
    _check_corners,
    _write_values,
    _words_values,
    _possible_corners,
    lambda _key, place, height, width: (height - 1 - int(place[0]), width - 1 - int(place[1])),
    always=True,
    draw=_draw_values,
    edit=lambda _key, _outline: Editing("corner", value=True, needed=True, separator=" "),
)
MARKS = KeyKind(
    ("row", "column"),
    2,
    _PICTURE,
    _read_marks,
    lambda key, outline: _check_on_board(key, _marked(key, outline), outline),
    _write_marks,
    lambda key, clue: f"the {key.fact.replace('_', ' ')} mark in {at((int(clue[0]), int(clue[1])))}",
    _possible_marks,
    always=True,
    draw=_draw_marks,
    said=lambda key, outline, _colors: line_text(_marked(key, outline)),
    edit=lambda _key, _outline: Editing("mark"),
)
CANDIDATES = KeyKind(
    ("row", "column", "number"),
    3,
    _PICTURE,
    _read_values,
    _check_values,
    _write_values,
    _words_values,
    draw=_draw_values,
    drawn=_shapes("single"),
    offer=_shapes("numbers_offer"),
    always=True,
    together=2,
    apart=True,
    edit=lambda _key, _outline: Editing("mark", value=True, needed=True, separator=" "),
)
