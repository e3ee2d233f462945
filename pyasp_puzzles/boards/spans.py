"""`Span`s of a `Sentence`, and marked texts: sentences whose parts name cells, units, values and rules.

Span         Span("rows 2 and 3 of column 1", ((2, 1), (3, 1))): a part of a sentence
Sentence     "Row 1, column 2 is even.", a str with its spans
Marked text  f"{marked_cell((1, 2))} is even": a text whose hidden characters say what its parts name
Unit         "row 2", "column 3" or a term, 'block("A")': the name of several cells, which `sentence` looks up

Marks may be nested: what an inner mark says overrides the marks around it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from pyasp_puzzles.boards.grid import Cell, cell_place, grouped
from pyasp_puzzles.errors import listing, number_listing

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

# A mark begins and ends with a character for private use, and hides JSON behind it: ASCII, shifted to such characters.
_OPEN, _CLOSE = "\ue000", "\ue001"
# Encloses a part of a text. Texts that differ only in this part are merged, and their parts listed.
_EACH = "\ue002"
_HIDE = {code: 0xF0000 + code for code in range(128)}
_SHOW = {hidden: code for code, hidden in _HIDE.items()}
_MARK = re.compile(f"({_OPEN}|{_EACH}|{_CLOSE}[\U000f0000-\U000f007f]*)")
_FORMS = re.compile(f"{_OPEN}([^{_OPEN}{_CLOSE}]*){_CLOSE}([\U000f0000-\U000f007f]*)")


class Span(NamedTuple):
    """A part of a sentence, with what it names: `Span("the 4 in row 1, column 2", ((1, 2),), 4)`."""

    text: str
    cells: tuple[Cell, ...] = ()
    """Exactly the cells that it names, sorted."""
    value: int | str | None = None
    """A number, or the name of a shade or a piece."""
    rule: str = ""
    """The name of a rule, as in the encoding."""

    def json(self) -> dict[str, object]:
        """Return `{"text": "row 1, column 2", "cells": [[1, 2]]}`; what it does not name is left out."""
        names = {"cells": [list(cell) for cell in self.cells], "value": self.value, "rule": self.rule}
        return {"text": self.text} | _without_blanks(names)


class Sentence(str):
    """A text with the spans that make it up: `Sentence([Span("row 1", ((1, 1), (1, 2))), Span(" is even")])`."""

    __slots__ = ("spans",)
    spans: tuple[Span, ...]

    def __new__(cls, spans: Iterable[Span]) -> Self:
        """Return the sentence that spans make up."""
        parts = tuple(spans)
        self = super().__new__(cls, "".join(span.text for span in parts))
        self.spans = parts
        return self

    def __reduce__(self) -> tuple[type[Sentence], tuple[tuple[Span, ...]]]:
        return Sentence, (self.spans,)


def spans_of(words: str) -> tuple[Span, ...]:
    """Return the spans of a sentence; any other text is one span, which names nothing."""
    return words.spans if isinstance(words, Sentence) else (Span(words),) if words else ()


def sentence(text: str, cells_of: Callable[[str], Iterable[Cell]] = lambda _: ()) -> Sentence:
    """Return a marked text as a sentence, given the function from a unit to its cells."""
    spans: list[Span] = []
    for part, names in _parts(text):
        named = names.get("cells", ())
        cells = {cell for unit in named for cell in (cells_of(unit) if isinstance(unit, str) else [(unit[0], unit[1])])}
        span = Span(part, tuple(sorted(cells)), names.get("value"), names.get("rule", ""))
        if spans and spans[-1][1:] == span[1:]:
            span = span._replace(text=spans.pop().text + part)
        spans.append(span)
    return Sentence(spans)


def in_lines(sentences: Iterable[str]) -> Sentence:
    """Return sentences as one, each on a line of its own."""
    return sentence("\n".join(map(marked_again, sentences)))


# -- Marked texts ---------------------------------------------------------------------


def marked(text: str, cells: Iterable[Cell | str] = (), value: object = None, rule: str = "") -> str:
    """Return a text with a mark around it, which says what it names; a string among the cells is a unit."""
    return _hiding(text, _without_blanks({"cells": [*cells], "value": value, "rule": rule}))


def _hiding(text: str, names: dict[str, object]) -> str:
    from json import dumps

    return f"{_OPEN}{text}{_CLOSE}{dumps(names).translate(_HIDE)}"


def each(text: str) -> str:
    """Mark the part in which texts to be merged differ, so that the parts are listed: "4" of "row 2 holds 4 once"."""
    return f"{_EACH}{text}{_EACH}"


def around_each(text: str) -> tuple[str, str, str]:
    """Return the text before a part marked by `each`, the part, and the text after it; (text, "", "") without one."""
    before, item, after = text.split(_EACH) if text.count(_EACH) == len(_EACH * 2) else (text, "", "")
    return before, item, after


def marked_value(name: str) -> str:
    """Return the name of a value; a number is marked as one."""
    return marked(name, value=int(name)) if name.isdigit() else name


def marked_again(words: str) -> str:
    """Return a sentence as a marked text again, to be a part of another one."""
    return "".join(span.text if span == Span(span.text) else marked(*span) for span in spans_of(words))


def renamed(text: str, *others: str, value: object = None) -> str:
    """Return a text that names the cells that other marked texts name: "it" for "row 1, column 2"."""
    return marked(text, [cell for other in others for cell in _outer(other)], value)


def marked_unit(text: str) -> str:
    """Return the unit that a marked text is the name of; empty if it is none."""
    return next((unit for unit in _outer(text) if isinstance(unit, str)), "")


def unmarked(text: str) -> str:
    """Return a marked text without its marks."""
    return _MARK.sub("", text)


def length(text: str) -> int:
    """Return the number of characters of a marked text, without its marks."""
    return len(unmarked(text))


def fitting(texts: Iterable[str], longest: int) -> str:
    """Return the first of some marked texts that has at most so many characters; the last one if none has."""
    text = ""
    for text in texts:
        if length(text) <= longest:
            break
    return text


def longest_sentence(text: str) -> int:
    """Return the number of characters of the longest sentence of a marked text."""
    return max(map(len, unmarked(text).split(". ")))


def forms(one: str, several: str) -> str:
    """Return words with a form for one cell or unit and a form for several: "holds", "each hold"."""
    return _hiding(one, {"several": several})


def of_several(text: str) -> str:
    """Return a marked text in which words have their forms for several."""
    return _FORMS.sub(lambda match: _names(match[2]).get("several", match[0]), text)


def split_name(text: str) -> tuple[str, str]:
    """Split a marked text after the cell or unit that it begins with; ("", text) if it begins with neither."""
    depth = 0
    for mark in _MARK.finditer(text) if text.startswith(_OPEN) else ():
        depth += (mark[0] == _OPEN) - mark[0].startswith(_CLOSE)
        if not depth:
            name = text[: mark.end()]
            units, cells = _units_and_cells([name])
            return (name, text[mark.end() :]) if units or [name] == [*map(marked_cell, cells)] else ("", text)
    return "", text


def marked_names(names: Iterable[str]) -> str:
    """Return places of cells and names of units as a list: `row 1, columns 2 and 3`, `rows 2 and 7`."""
    units, cells = _units_and_cells(names)
    return listing([*([marked_units(units)] if units else []), *([marked_cells(cells)] if cells else [])], "and")


def with_it(clause: str, then: str) -> str:
    """Return a conclusion; if it and its premise begin with the same cell alone, with "it" for the cell."""
    front = _OPEN if then.startswith(_OPEN * 2) else ""  # the mark of a rule
    name, rest = split_name(then.removeprefix(front))
    if not _units_and_cells([name])[1] or not rest.startswith(" ") or rest.startswith(" and "):
        return then
    clause = clause[clause.startswith(_OPEN * 2) :]
    same = clause.startswith(f"{name} ") and not clause.startswith(f"{name} and ")
    return f"{front}{renamed('it', name)}{rest}" if same else then


def only_cell(text: str) -> Cell | None:
    """Return the only cell that a marked text names; None if it names none, or several."""
    cells = {cell for span in sentence(text).spans for cell in span.cells}
    return min(cells) if len(cells) == 1 else None


def capitalized(text: str) -> str:
    """Return a marked text with a capital letter first."""
    first = len(text) - len(text.lstrip(_OPEN))
    return f"{text[:first]}{text[first : first + 1].upper()}{text[first + 1 :]}"


def marked_line(name: str) -> str:
    """Return the name of a row or column, marked: `row 2`."""
    return marked(name, [name])


def marked_cell(cell: Cell) -> str:
    """Return the place of a cell, marked: `row 1, column 2`."""
    return marked(cell_place(cell), [cell])


def plural(noun: str) -> str:
    """Return the plural of a noun: "rows", "boxes"."""
    return f"{noun}{'es' if noun.endswith(('s', 'x', 'ch', 'sh')) else 's'}"


def marked_units(units: Iterable[str]) -> str:
    """Return marked units in a list, those of a kind together: `rows 2 and 7`, `rows 1 and 3, and column 6`."""
    nouns = ((unmarked(unit).rpartition(" ")[0], unit) for unit in units)
    kinds = grouped((unmarked(unit) if " " in noun else noun, unit) for noun, unit in nouns)
    texts = [
        renamed(
            f"{plural(noun)} {listing([unmarked(unit).rpartition(' ')[2] for unit in marked_of_noun], 'and')}",
            *marked_of_noun,
        )
        if len(marked_of_noun) > 1
        else marked_of_noun[0]
        for noun, marked_of_noun in kinds.items()
    ]
    several = 1 < len(texts) < sum(map(len, kinds.values()))
    return f"{', '.join(texts[:-1])}, and {texts[-1]}" if several else listing(texts, "and")


def marked_cells(cells: Iterable[Cell], last: str = "and", lines: Collection[str] = ()) -> str:
    """Return the places of cells, marked: `row 1, columns 2 and 3`, `rows 2 and 3 of column 1`.

    Args:
        cells: the cells.
        last: "and", or "or" for `row 1, column 2 or 3`.
        lines: rows and columns that the sentence has named already: after "row 1", `column 2 or 3`.
    """
    places = sorted(set(cells))
    rows, columns = (grouped((cell[way], cell) for cell in places) for way in (0, 1))

    def numbered(noun: str, numbers: Sequence[int]) -> str:
        listed = number_listing(numbers) if last == "and" else map(str, numbers)
        return f"{noun}{'s' if len(numbers) > 1 and last == 'and' else ''} {listing(listed, last)}"

    by_rows = len(rows) == 1 or (len(columns) > 1 and len(rows) <= len(columns))
    blocks: list[tuple[list[int], list[int]]] = []  # some columns, and the rows with these cells; or the reverse
    for line, places_on_line in (rows if by_rows else columns).items():
        across = [cell[by_rows] for cell in places_on_line]
        alike = [along for numbers, along in blocks if numbers == across and last == "and"]
        if alike:
            alike[0].append(line)
        else:
            blocks.append((across, [line]))
    groups = []
    for across, along in blocks:
        these, those = (along, across) if by_rows else (across, along)
        text = f"{numbered('row', these)} of {numbered('column', those)}"
        if by_rows and len(these) == 1:
            text = f"row {these[0]}{',' if len(rows) == 1 else ''} {numbered('column', those)}"
        groups.append((text, [cell for cell in places if cell[0] in these and cell[1] in those]))
    texts = [marked(_without_lines(text, lines), places_of_group) for text, places_of_group in groups]
    if len(texts) in {1, len(places)}:
        return listing(texts, last)
    *front, end = texts
    return f"{', '.join(front)}, {last} {end}"


def _without_lines(text: str, lines: Iterable[str]) -> str:
    for name in lines:
        text = text.removeprefix(f"{name}, ").removesuffix(f" of {name}")
    return text


def _parts(text: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the parts of a marked text, each with what it names."""
    parts: list[tuple[str, dict[str, Any]]] = []
    begun: list[int] = []
    for part in _MARK.split(text):
        if part == _OPEN:
            begun.append(len(parts))
        elif part.startswith(_CLOSE) and begun:
            names, first = _names(part[1:]), begun.pop()
            parts[first:] = [(inner, names | inner_names) for inner, inner_names in parts[first:]]
        elif part and part != _EACH:
            parts.append((part, {}))
    return parts


def _outer(text: str) -> list[Cell | str]:
    """Return the cells and units that the mark around a text names."""
    _, mark, hidden = text.rpartition(_CLOSE)
    return list(_names(hidden).get("cells", ())) if mark else []


def _units_and_cells(names: Iterable[str]) -> tuple[list[str], list[Cell]]:
    """Return those of some marked texts that name one unit, and the cells of those that name one cell."""
    alone = [(name, place) for name in names for place in _outer(name) if len(_outer(name)) == 1]
    units = [name for name, place in alone if isinstance(place, str)]
    return units, [(place[0], place[1]) for _, place in alone if not isinstance(place, str)]


def _names(hidden: str) -> dict[str, Any]:
    """Return what a mark hides; nothing of a mark that an encoding has in its words."""
    from json import loads

    try:
        return dict(loads(hidden.translate(_SHOW) or "{}"))
    except (TypeError, ValueError):
        return {}


def _without_blanks(names: dict[str, Any]) -> dict[str, Any]:
    return {name: part for name, part in names.items() if part not in ([], "", None)}


def as_sentence(text: str) -> str:
    """Return a text as a sentence, with a capital and a full stop."""
    return f"{capitalized(text)}."
