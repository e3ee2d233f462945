"""f-puzzles: addresses with the JSON of a Sudoku and its variants, packed with lz-string.

    https://www.f-puzzles.com/?load=N4Igz...
    {"size": 9, "grid": [[{"value": 5, "given": true}, {"region": 0}, ...], ...], "antiknight": true, ...}

A cell without the key `region` is in its usual box; with `null`, it is in no region. Our Sudokus have a region for each
cell. So if cells are in none, the rows become the regions, which adds no rule, and the regions become extra regions.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from pyasp_puzzles.boards import regions
from pyasp_puzzles.boards.grid import Cell, cell_name, cell_named, cell_place, check_grid_size, grid_by_cell, grid_rows
from pyasp_puzzles.boards.regions import boxes, flat_boxes, windows
from pyasp_puzzles.errors import InstanceError, listing, shown
from pyasp_puzzles.formats.exchange import (
    CARRIED,
    Can,
    Draft,
    cage_sum,
    candidates_key,
    check_rules_in_words,
    draft_format,
    windows_variant,
)
from pyasp_puzzles.formats.format import COPY_WHOLE, Text, refusal
from pyasp_puzzles.formats.json import compact_json, json_integer, parse_json
from pyasp_puzzles.formats.sites import (
    BLACK,
    PIXELS,
    ClueForm,
    ClueName,
    Clues,
    cell_at,
    cells_at,
    clue_names,
    clues_of,
    compress,
    decompress,
    diagonal_groups,
    form_of,
    shapes_of,
)
from pyasp_puzzles.puzzles.declaration import is_variant_about_regions, variants_in
from pyasp_puzzles.puzzles.keys import outside

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pyasp_puzzles.model.keys import Key
    from pyasp_puzzles.model.puzzle import Variant

_DETAILS = ("title", "author", "notes")
# Keys that are read, or say nothing about the rules.
_NOTHING = {
    *_DETAILS, "size", "ruleset", "grid", "solution", "highlightConflicts", "successMessage", "metadata",
    "disabledlogic", "truecandidatesoptions", "activeConstraints", "candidates", CARRIED,
}  # fmt: skip
# What may follow a name in a `variant.toml`. "drawn": the constraint is shown only if a drawing repeats it, of which a
# further word says how: the color of a cage, or a sign around a number. "unnamed": old texts do not name that drawing.
_DRAWN_AGAIN, _UNNAMED = "drawn", "unnamed"
_NEGATIVE, _EXTRA = "negative", "extraregion"
# The forms of numbers outside the board.
_OUTSIDE = ("labels", "diagonals")
# Keys of drawings, which may belong to rules that are only in words.
_DRAWN = {"line": "lines", "text": "texts", "rectangle": "rectangles", "circle": "circles", "cage": "drawn cages"}
# What cells may have besides clues, in words.
_MARKS = {"pencil marks": ("cornerPencilMarks", "centerPencilMarks"), "colors": ("c", "cArray", "highlight")}
_ADDRESS = re.compile(r"(?:https?://)?(?:www\.)?(?:f-puzzles\.com|sudokulab\.net)/\S*")
# Packed JSON, in an address or alone: `{"` is always packed as N4Ig.
_LOAD = re.compile(r"(?:[?&#](?:load|fpuzzle)=|^(?=N4Ig))([^&#\s]*)")
_PACKED = re.compile(r"N4Ig[A-Za-z0-9+/=]{20,}")


def _recognise(text: str) -> bool:
    """Return whether a text is an address of f-puzzles, its packed part, or its JSON."""
    content = text.strip()
    if content.startswith("{"):
        return '"grid"' in content and '"size"' in content and '"puzzle"' not in content
    content = content[:200_000]
    return _ADDRESS.fullmatch(content) is not None or _PACKED.fullmatch(content) is not None


def _read(text: Text) -> Draft:
    """Return the board of an address, or of JSON."""
    return draft_of_json(_json(text.text), variants_in(text.puzzles))


def _json(text: str) -> Any:  # noqa: ANN401 (what JSON has)
    content = text.strip()
    if content.startswith("{"):
        return parse_json(content)
    if packed := _LOAD.search(content):
        return parse_json(unpacked(packed[1]))
    message = "this is a short link: it needs the server of f-puzzles, and pyasp stays offline"
    raise InstanceError(f"{message}; open it in a browser, and export the puzzle as a link with ?load=")


def unpacked(packed: str) -> str:
    """Return the text that is packed in an address.

    Raises:
        InstanceError: it is damaged.
    """
    # A blank was a plus sign. Slashes may be missing, because some servers turn two into one: the first are doubled.
    data = unquote(packed).translate(str.maketrans(" -_\\", "++/="))
    slashes = [i for i, letter in enumerate(data) if letter == "/"][: 16 if len(data) <= 2**14 else 0]
    for variant in (data, *(f"{data[:i]}/{data[i:]}" for i in slashes)):
        try:
            text = decompress(variant)
        except ValueError:
            continue
        if text.strip():
            return text
    raise InstanceError(f"the link is cut or damaged: {COPY_WHOLE}")


def named_constraints(known: Mapping[str, Variant]) -> dict[str, ClueName]:
    """Return {name in f-puzzles: constraint}; "negative ratio" is a member of its list "negative"."""
    names = clue_names(known, "f-puzzles")
    return {" ".join([clue.name, *clue.words]) if clue.name == _NEGATIVE else clue.name: clue for clue in names}


def draft_of_json(puzzle: Any, variants: Mapping[str, Variant]) -> Draft:  # noqa: ANN401 (what JSON has)
    """Return the draft of the JSON of f-puzzles.

    Raises:
        InstanceError: it has constraints that pyasp does not know, or is no Sudoku.
    """
    grid = puzzle["grid"]
    side = int(puzzle.get("size", len(grid)))
    check_grid_size(side, side)
    if {len(grid), *map(len, grid)} != {side}:
        raise InstanceError(f"the grid has {len(grid)} rows; its size says {side} rows of {side} cells")
    by_name, rules = named_constraints(variants), str(puzzle.get("ruleset") or "")
    every = {*_NOTHING, *_DRAWN, *by_name, _NEGATIVE}
    negative = [f"{_NEGATIVE} {word}" for word in puzzle.get(_NEGATIVE) or ()]
    unknown = [key for key, value in puzzle.items() if value and key not in every]
    if unknown := [shown(key, 30) for key in (*unknown, *(name for name in negative if name not in by_name))]:
        raise InstanceError(f"pyasp does not know these constraints of the board: {listing(unknown, 'and')}")
    used = {name: by_name[name] for name in (*filter(puzzle.get, by_name), *negative)}
    clues = Clues((side, side), variants)
    for name, clue in used.items():
        check_rules_in_words(clue.variant, "f-puzzles", rules, f"{name} means")
        if not clue.variant.keys:
            clues.variants.append(clue.variant.name)
        for part in puzzle[name] if clue.variant.keys and name != _EXTRA else ():
            _read_key(clues, clue.key, name, part)
    cells = grid_by_cell(grid)
    usual = flat_boxes(side)
    named = {cell: content.get("region", int(usual[cell]) - 1) for cell, content in cells.items()}
    region_of = {cell: str(json_integer(region)) for cell, region in named.items() if region is not None}
    rest = None if len(region_of) == len(cells) else regions.cells(region_of).values()
    if rest is not None and (regional := [name for name, one in used.items() if is_variant_about_regions(one.variant)]):
        raise InstanceError(f"cells are in no region, which pyasp cannot read together with {listing(regional, 'and')}")
    extra = [sorted(map(_cell_of, region["cells"])) for region in puzzle.get(_EXTRA) or ()]
    if extra and sorted(extra) == sorted(map(sorted, windows(side))):
        clues.variants.append(windows_variant(variants))
        extra = []
    for region in (*(rest or ()), *extra):
        clues.add(by_name[_EXTRA].variant.keys[0], region)
    parts = [(kind, part) for key, kind in _DRAWN.items() for part in puzzle.get(key) or ()]
    no_region = "some cells are in no region: the rows stand for regions, and each region is an extra region"
    drawn = dict.fromkeys(kind for kind, part in parts if not _says_nothing(part, puzzle, by_name))
    givens, others = _givens(cells, clues)
    solution = puzzle.get("solution") or ()  # a list, or a text of digits; it may be incomplete
    values = solution.split(",") if "," in solution and isinstance(solution, str) else solution
    is_whole = len(values) == len(cells) and all(re.fullmatch(r"[1-9]\d?", str(value)) for value in values)
    return Draft(
        givens,
        regions.numbered(region_of) if rest is None else boxes(1, side),
        {key: str(puzzle.get(key) or "") for key in _DETAILS},
        {cell: int(value) for cell, value in zip(cells, values, strict=True)} if is_whole else {},
        clues.names,
        (*drawn, *others, *clues.lost),
        drawn=bool(drawn),
        carried=puzzle.get(CARRIED) or {},
        warnings=() if rest is None else (no_region,),
        keys=clues.keys,
        rules=rules,
    )


def _givens(cells: Mapping[Cell, Any], clues: Clues) -> tuple[dict[Cell, int], list[str]]:
    """Return the givens of cells, and what else they have; candidates are added to what was found."""
    givens: dict[Cell, int] = {}
    others = []
    for place, cell in cells.items():
        if cell.get("value") and cell.get("given"):
            givens[place] = json_integer(cell["value"])
        elif cell.get("value"):
            others.append("numbers that are not given")
        if cell.get("givenPencilMarks"):
            marks = " ".join(str(json_integer(number)) for number in cell["givenPencilMarks"])
            clues.add(candidates_key(clues.known), [place], value=marks)
        others += [what for what, keys in _MARKS.items() if any(map(cell.get, keys))]
    return givens, others


def _read_key(clues: Clues, key: Key, name: str, part: Mapping[str, Any]) -> None:
    form, text, tokens = form_of(key), str(part.get("value") or "").strip(), key.option("tokens", ())
    value: Any = int(text) if re.fullmatch(r"-?\d{1,9}", text) else None
    if (text not in tokens if tokens else value is None and (form in _OUTSIDE or key.option("value"))) and text:
        clues.lost.append(f"{name} with {shown(text, 20)}")  # which says nothing in f-puzzles
    if form == "corner":
        value = " ".join(str(json_integer(number)) for number in part.get("values") or ())
    elif form == "pair":
        value = text if tokens else key.option("default") if value is None else value
    elif form == "cage" and key.option("value"):
        value = cage_sum(part.get("value") or None)
    elif form not in _OUTSIDE and not key.option("value"):
        value = None
    if (form == "corner" and not value) or value not in (tokens or [value]):
        return
    if form in _OUTSIDE and not clues.is_outside(_cell_of(part["cell"]), form):
        raise InstanceError(f"the {name} of {shown(part['cell'])} is not beside a line of the board")
    for groups in _FORMS[form].read(part):
        clues.add(key, *groups, value=value)


def _cells(names: Iterable[str] | None) -> list[Cell]:
    return [*map(_cell_of, names or ())]


def _read_arrows(part: Mapping[str, Any]) -> Iterator[list[list[Cell]]]:
    head = _cells(part.get("cells"))
    for line in part.get("lines") or () if head else ():
        start, *shaft = _cells(line)
        if start not in head:
            raise InstanceError(f"the line of an arrow begins at {shown(line[0])}, which is not in its circle")
        if shaft:
            yield [head, shaft]


def _read_corner(part: Mapping[str, Any]) -> list[list[list[Cell]]]:
    first, *others = sorted(_cells(part.get("cells")))
    if others != _square(*first)[1:]:
        raise InstanceError(f"the clue at {cell_place(first)} is not about the four cells of a square")
    return [[[first]]]


def _square(r: int, c: int) -> list[Cell]:
    return [(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)]


_PLAIN = ClueForm(
    lambda part: [[_cells(part.get("cells") or [part["cell"]])]],
    lambda clue: [{"cells": _names(clue.cells)}],
)
_SINGLE = _PLAIN._replace(write=lambda clue: [{"cell": _name(cell)} for cell in clue.cells])
_FORMS = {
    "labels": _SINGLE,
    "diagonals": ClueForm(
        lambda part: [diagonal_groups(_cell_of(part["cell"]), part["direction"].lower())],
        lambda clue: [{"cell": _name(clue.cells[0]), "direction": clue.way.upper()}],
    ),
    "heads": ClueForm(_read_arrows, lambda clue: [{"lines": [_names(clue.shaft)], "cells": _names(clue.cells)}]),
    # A line of one cell says nothing.
    "path": ClueForm(
        lambda part: [[_cells(line)] for line in part.get("lines") or () if len(line) > 1],
        lambda clue: [{"lines": [_names(clue.cells)]}],
    ),
    "groups": ClueForm(
        lambda part: [[_cells(part.get("cells")), _cells(part["cloneCells"])]],
        lambda clue: [{"cells": _names(clue.cells), "cloneCells": _names(other)} for other in clue.groups[1:]],
    ),
    "corner": ClueForm(
        _read_corner, lambda clue: [{"cells": _names(_square(*clue.cells[0])), "values": [*map(int, clue.values)]}]
    ),
    "mark": _SINGLE,
    "pair": _PLAIN,
    "cage": _PLAIN,
}


def _says_nothing(part: Any, puzzle: Mapping[str, Any], named: Mapping[str, ClueName]) -> bool:  # noqa: ANN401 (as JSON)
    """Return whether a drawing holds a detail for SudokuPad, or repeats a constraint in its cells."""
    if not isinstance(part, dict):
        return False
    if re.match(r"[a-z]+: ", str(part.get("value", ""))):
        return True
    name = str(part.get("fromConstraint") or "").lower().replace(" ", "")
    old = part.get("isNewConstraint")
    again = {key: clue.words for key, clue in named.items() if _DRAWN_AGAIN in clue.words}
    keys = (key for key in again if (name and name.startswith(key)) or (old and _UNNAMED in again[key]))
    return any(puzzle.get(key) and _cells_in(part) <= _cells_in(puzzle[key]) for key in keys)


def _cells_in(value: Any) -> set[str]:  # noqa: ANN401 (what JSON has)
    return {*filter(cell_named, re.findall(r'"(\w+)"', json.dumps(value)))}


def _cell_of(name: str) -> Cell:
    """Return the cell of a name: `R1C2`."""
    cell = cell_named(name)
    if cell is None:
        raise InstanceError(f"{shown(name)} is not a cell, such as R1C1")
    return cell


def _says(board: Draft, variant: Variant) -> bool:
    """Return whether f-puzzles has a variant of a board: no line that leads back to its first cell."""
    return board.has_name(variant, "f-puzzles") and not any(map(board.is_closed, variant.keys))


def _write(board: Draft) -> str:
    """Return the address of a board."""
    side, _ = board.size
    region_of = regions.numbered(board.regions)
    usual, latin = (
        region_of == flat_boxes(side),
        region_of == boxes(1, side) and not any(map(is_variant_about_regions, board.used)),
    )
    puzzle: dict[str, Any] = {"size": side}
    puzzle |= {key: board.details[key] for key in _DETAILS if key in board.details}
    puzzle["ruleset"] = board.rules
    cells: dict[Cell, dict[str, Any]] = {
        cell: {} if usual else {"region": None if latin else int(region) - 1} for cell, region in region_of.items()
    }
    for cell, value in board.givens.items():
        cells[cell] |= {"value": value, "given": True}
    for cell, numbers in board.candidates.items():
        cells[cell]["givenPencilMarks"] = numbers
    puzzle["grid"] = grid_rows(cells, cells)
    for kind, part in _constraints(board):
        puzzle.setdefault(kind, []).append(part)
    puzzle |= {name: True for name, parts in puzzle.items() if parts == [True]}
    if board.solution:
        puzzle["solution"] = [board.solution[cell] for cell in sorted(board.solution)]
    return f"https://www.f-puzzles.com/?load={compress(compact_json(puzzle | board.carrying))}"


def _constraints(board: Draft) -> Iterator[tuple[str, Any]]:
    able, again = [variant for variant in board.used if _says(board, variant)], dict[str, ClueName]()
    for name, clue in named_constraints({variant.name: variant for variant in able}).items():
        if not clue.variant.keys:
            yield (_NEGATIVE, clue.words[0]) if clue.name == _NEGATIVE else (name, True)
        else:
            yield from ((name, part) for part in _parts(board, clue.key, clue))
            again |= {clue.key.name: clue} if _DRAWN_AGAIN in clue.words else {}
    enough = {key.name for variant in able for key in variant.keys} - again.keys()
    for key in (key for key in board.layers if key not in enough):
        marks = again[key].words if key in again else []
        by = {"fromConstraint": again[key].variant.name.replace("-", " ").title()} if key in again else {}
        yield from ((kind, part | by) for kind, part in _drawings(board, key, marks))
    yield from ((_EXTRA, {"cells": _names(window)}) for window in board.windows)


def _parts(board: Draft, key: Key, constraint: ClueName) -> Iterator[dict[str, Any]]:
    """Yield the constraints that f-puzzles has for a key of a board."""
    form = form_of(key)
    for clue in clues_of(board, key):
        if form == "diagonals" and clue.cells[0] in board.regions:
            place = cell_place(clue.groups[1][0])
            raise refusal("f-puzzles", f"a little killer that begins inside the board, at {place}")
        usual = form == "corner" or (form == "pair" and clue.values == [str(key.option("default"))])
        value = {"value": clue.values[0]} if clue.values and not usual else {}
        together = form == "mark" and _DRAWN_AGAIN in constraint.words
        yield from (part | value for part in (_PLAIN if together else _FORMS[form]).write(clue))


def _drawings(board: Draft, key: str, marks: Iterable[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the drawings of a key: as its declaration says, or what SudokuPad shows, with cells in place of points."""
    layer = board.layers[key]
    sign = next((word for word in marks if word not in {_DRAWN_AGAIN, _UNNAMED}), "")
    if sign.startswith("#"):
        cells = [cell for figure in layer.figures for cell in figure.cells]
        yield "cage", {"cells": _names(cells), "outlineC": sign, "fontC": BLACK}
        return
    for cell, _ in outside.labels(layer, board.size) if sign else ():
        yield "text", {"cells": _names([cell]), "value": sign, "fontC": BLACK, "size": 1.2}
    shapes = shapes_of(layer, board.size[0])
    for part in (*shapes.get("lines", ()), *shapes.get("arrows", ())):
        line = {"lines": [_names(map(cell_at, part["wayPoints"]))], "outlineC": part["color"]}
        yield "line", line | {"width": round(part["thickness"] / PIXELS, 2)}
    for part in shapes.get("cages", ()):
        cage = {"cells": [_name((r + 1, c + 1)) for r, c in part["cells"]], "value": part["value"]}
        yield "cage", cage | {"outlineC": part.get("borderColor", BLACK), "fontC": BLACK}
    for part in (*shapes.get("underlays", ()), *shapes.get("overlays", ())):
        cells = cells_at(part["center"])
        if color := part.get("backgroundColor"):
            look = {"baseC": color[:7], "outlineC": part.get("borderColor", color[:7]), "fontC": BLACK}
            more = {"width": part["width"], "height": part["height"], "angle": part.get("angle", 0)}
            yield "circle" if part.get("rounded") else "rectangle", {"cells": _names(cells), **look, **more}
        if part.get("text"):
            text = {"cells": _names(cells), "value": part["text"], "fontC": part.get("color", BLACK)}
            yield "text", text | {"size": round(1.6 * part["fontSize"] / PIXELS, 2)}


def _name(cell: Cell) -> str:
    return cell_name(cell).upper()


def _names(cells: Iterable[Cell]) -> list[str]:
    return [*map(_name, cells)]


FORMAT = draft_format(
    "f-puzzles",
    "addresses of f-puzzles.com: Sudoku, also jigsaws, and all its constraints",
    _recognise,
    _read,
    _write,
    can=Can(says=_says),
    answers=True,
    content=lambda text: _json(text) | dict.fromkeys((*_DETAILS, "ruleset", "solution")),
    line=True,
)
