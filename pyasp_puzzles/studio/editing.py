"""What the studio's page shows and edits of a board: its cells, lines, pictures and answers.

Cell   "r1c2": row 1, column 2
Line   {"cells": ["r1c1", "r1c2"], "words": "r1c1 r1c2", "value": "10"}: what `r1c1 r1c2 = 10` says
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeAlias

from pyasp_puzzles.asp.symbols import symbol_arguments
from pyasp_puzzles.boards.facts import fact_name
from pyasp_puzzles.boards.figure import FILLING_SYMBOLS
from pyasp_puzzles.boards.grid import (
    OUTSIDE,
    cell_name,
    cells_at_corner,
    grid_extent,
    grid_rows,
    is_side_of_columns,
)
from pyasp_puzzles.boards.spans import unmarked
from pyasp_puzzles.errors import Where
from pyasp_puzzles.generation.clues import clue_cells, clue_keys, clues_of_board, with_clues
from pyasp_puzzles.puzzles import declaration, wording
from pyasp_puzzles.puzzles.board import keys_of_board
from pyasp_puzzles.puzzles.declaration import fitting_variants
from pyasp_puzzles.puzzles.keys.editing import key_editing_schema
from pyasp_puzzles.puzzles.keys.lines import key_line_parts
from pyasp_puzzles.puzzles.wording import instructions
from pyasp_puzzles.queries.resolve import is_resolvable
from pyasp_puzzles.queries.solve import solutions
from pyasp_puzzles.render.figures import filling_symbol, symbol_in_cell
from pyasp_puzzles.render.svg import svg
from pyasp_puzzles.render.text import color_name_in_text
from pyasp_puzzles.render.theme import paint_colors

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.asp.symbols import Arguments
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.generation.clues import Clue
    from pyasp_puzzles.model.answer import Answer
    from pyasp_puzzles.model.keys import Key
    from pyasp_puzzles.model.puzzle import Instance, Puzzle
    from pyasp_puzzles.render.svg import Drawing

Record = dict[str, Any]
# The end of the wording of a clue in a cell.
_IN_CELL = r" (in|at) row \d+, column \d+$"
# What the page calls the kinds of answers, by their data.
_ANSWERS = {
    "values": "numbers",
    "shaded": "shading",
    "pieces": "pieces",
    "strips": "pieces",
    "order": "ribbons",
    "lines": "lines",
    "areas": "areas",
}


def studio_cells(cells: Iterable[Cell]) -> list[str]:
    """Return the names of cells, in order, none twice."""
    return [*map(cell_name, dict.fromkeys(cells))]


def studio_values(values: Mapping[Cell, Any]) -> dict[str, Any]:
    """Return {name of a cell: its value}."""
    return {cell_name(cell): value for cell, value in values.items()}


def studio_svg(drawing: Drawing | None) -> str:
    """Return a drawing as SVG without styles, which the page's policy forbids; empty without one."""
    return "" if drawing is None else svg(drawing, css=False, places=True)


def studio_board(instance: Instance) -> Record:
    """Return what the page shows of a board."""
    printed, puzzle = instance.printed, instance.puzzle
    board, keys, drawing = keys_of_board(instance), key_editing_schema(instance.outline), instance.drawing()
    return {
        "kind": "board",
        "board": board,
        "title": instance.title,
        "svg": studio_svg(drawing),
        "labelled": studio_cells(sorted(drawing.labelled)),
        "size": list(grid_extent(printed.cells)),
        "cells": studio_cells(sorted(printed.cells)),
        "words": studio_words(instance),
        "colors": studio_values(printed.colors),
        "palette": _palette(instance),
        "givens": {name: str(number) for name, number in studio_values(printed.givens).items()},
        "answer": _answer(instance),
        "schema": keys,
        "lines": studio_lines(keys, board),
        "files": _files(instance),
        "variants": list(instance.variants),
        "fitting": fitting_variants(puzzle),
        "instructions": instructions(instance),
        "holes": not (puzzle.square or puzzle.full or puzzle.lines or puzzle.grid_key is None),
        "warnings": [*instance.warnings, *puzzle.warnings],
    }


def studio_words(instance: Instance) -> dict[str, str]:
    """Return {cell: what is printed in it and beside it, but for its color and a number of the answer}, in words."""
    printed, written = instance.printed, keys_of_board(instance)
    texts = {cell: [name] for cell, name in printed.symbols.items()}
    for key in instance.puzzle.keys:
        seen = key.kind.role == "tiles" and any(map(key.option, ("palette", "every", "picture")))
        if key.kind.role != "answers" and not seen and key.name in written:
            for clue in clues_of_board(instance, [key]):
                for cell, text in _words_of_clue(instance, key, clue):
                    texts.setdefault(cell, []).append(text)
    return studio_values({cell: "; ".join(dict.fromkeys(words)) for cell, words in texts.items()})


def _words_of_clue(instance: Instance, key: Key, clue: Clue) -> Iterator[tuple[Cell, str]]:
    """Yield the cells of a clue, each with the words for the clue there."""
    arguments, cells = symbol_arguments(clue[0]), list(dict.fromkeys(clue_cells(key, clue)))
    text = unmarked(wording.of_clue(key, arguments)).removeprefix("the ")
    value = next((f" {fact.arguments[1]}" for fact in clue if len(fact.arguments) == 2 < len(arguments)), "")
    if key.kind.role == "regions":
        text = f"{key.fact.replace('_', ' ')} {fact_name(arguments[2])}"
    elif key.kind.tool == "sight":
        (r, c), (down, right) = cells[0], cells[1] if len(cells) > 1 else cells[0]
        ways = {r - 1: "up", r + 1: "down"}.get(down, ""), {c - 1: "left", c + 1: "right"}.get(right, "")
        cells, text = cells[:1], " ".join(filter(None, (f"{text},", *ways, "from here")))
    elif key.kind.tool == "corner" and not key.kind.around:
        [(r, c)] = cells
        text = f"{re.sub(_IN_CELL, '', text)} where rows {r} and {r + 1} meet columns {c} and {c + 1}"
        cells = sorted(cells_at_corner(r + 1, c + 1))
    elif len(cells) == 1:
        text = re.sub(_IN_CELL, "", text)
    elif key.kind.tool == "crossing":
        corners = cells_at_corner(int(arguments[0]), int(arguments[1])).items()
        value = text.partition(" ")[0]
        yield from ((cell, f"{value} at the {way} corner") for cell, way in corners if cell in instance.cells)
        return
    for number, cell in enumerate(cells, 1):
        several = key.kind.together and len(cells) > 1
        yield (
            cell,
            text.replace(" from ", f"{value} from ", 1) + (f", cell {number} of {len(cells)}" if several else ""),
        )
    for cell in () if cells else _cells_beside(instance, key, arguments):
        yield cell, text


def _cells_beside(instance: Instance, key: Key, arguments: Arguments) -> list[Cell]:
    """Return the cell next to a clue outside the board, or the first of the region that a clue is about."""
    if of := key.option("of"):
        [regions] = [other for other in instance.puzzle.keys if other.name == of]
        facts = instance.facts.arguments(regions.fact)
        return sorted((int(r), int(c)) for r, c, name in facts if name == arguments[0])[:1]
    if key.kind.tool != "outside":
        return []
    side, number = str(arguments[0]), int(arguments[1])
    line = [cell for cell in sorted(instance.printed.cells) if cell[is_side_of_columns(side)] == number]
    return line[-1:] if side in {"right", "bottom"} else line[:1]


def studio_answer_kind(puzzle: Puzzle) -> str:
    """Return the page's name for the kind of the answers of a puzzle."""
    return _ANSWERS[puzzle.kind.data[0]]


def _answer(instance: Instance) -> Record:
    """Return the kind of the answer, whether Algorithm 1 has rounds for it, and the numbers that its cells may hold."""
    puzzle, outline = instance.puzzle, instance.outline
    record: Record = {"kind": studio_answer_kind(puzzle), "output": puzzle.view().outputs[0], "low": None, "high": None}
    record["rounds"] = is_resolvable(puzzle)
    record |= {"edges": getattr(puzzle.kind, "along_edges", False), "double": getattr(puzzle.kind, "numbered", False)}
    record["marks"] = bool(getattr(puzzle.kind, "marks", ""))
    look = str(instance.printed.look.get("cell") or "")  # what a shaded cell looks like, drawn in the first cell
    record["figure"] = (
        "" if not look else filling_symbol(look, (1, 1)) if look in FILLING_SYMBOLS else symbol_in_cell(look, (1, 1))
    )
    range_ = getattr(puzzle.kind, "range", None)
    if range_ is not None:
        numbers = range_.numbers(outline, listed=True)
        low = min(outline.digits, default=range_.low)
        high = {cell_name(cell): max(numbers(cell), default=0) for cell in sorted(outline.cells)}
        record |= {"low": low, "high": high if len({*high.values()}) > 1 else max(high.values(), default=0)}
    return record


def _palette(instance: Instance) -> list[Record]:
    """Return the colors that a cell may have, each with its token, its name and the color that it is drawn in."""
    printed = instance.printed
    on_board = {*printed.colors.values()}
    keys = [key for key in instance.puzzle.keys if key.option("palette")]
    further = {fact_name(color) for key in keys for (color,) in instance.facts.arguments(key.options["palette"].name)}
    names = {
        token: color_name_in_text(token, instance.extras.get("colors", {}), on_board) for token in on_board | further
    }
    drawn = paint_colors(names.values()) | paint_colors(names[token] for token in on_board)
    return [{"token": token, "name": names[token], "color": drawn[names[token]]} for token in sorted(names)]


def studio_answer(instance: Instance, given: Mapping[str, Any]) -> Answer | None:
    """Return what is filled in on the page, `{"cells": {"r1c2": "5"}, "ribbons": [], "pieces": [["r1c1", "r1c2"]]}`.

    Lines are `{"lines": ["r1c1-r1c2", "r1c2xr1c3"]}`. None if nothing is filled in.

    Raises:
        AttributeError, KeyError, TypeError, ValueError: it does not have this form.
        InstanceError: it does not fit the board.
    """
    cells, ribbons, pieces = given.get("cells", {}), given.get("ribbons", []), given.get("pieces", [])
    printed, kind = instance.printed, instance.puzzle.kind
    known = {cell_name(cell): cell for cell in printed.cells}
    filled = {**{known[name]: value for name, value in cells.items() if name in known}, **printed.givens}
    lines = given.get("lines", [])
    if not (ribbons or pieces or lines or len(filled) > len(printed.givens)):
        return None
    if kind.data[0] == "lines":
        marks = [name for name, value in cells.items() if value == "x"]
        return kind.read(instance, " ".join(map(str, [*lines, *marks])), Where("entries"))
    grid = grid_rows({cell: filled.get(cell) for cell in printed.cells}, printed.cells, OUTSIDE)
    cells_of_pieces = [{"cells": [known[name] for name in piece]} for piece in pieces]
    return kind.from_json(instance, {"grid": grid, "ribbons": ribbons, kind.data[0]: cells_of_pieces}, Where("entries"))


def studio_lines(keys: Iterable[Record], board: Mapping[str, object]) -> dict[str, Record]:
    """Return {line: what it says} of a board, given the schema of its keys."""
    values = [board.get(key["key"]) for key in keys if key["form"]]
    written = [text for value in values for text in (value if isinstance(value, list) else [value])]
    return {text: studio_line(text) for text in written if isinstance(text, str)}


def studio_line(text: str) -> Record:
    """Return the cells, the words and the value of a line of cells."""
    cells, cell_text, value = key_line_parts(text)
    return {"cells": studio_cells(cells), "words": cell_text, "value": value}


def _files(instance: Instance) -> list[Record]:
    """Return the rules of a board, their words, and the rules of its variants."""
    puzzle = instance.puzzle
    companions = [file for name in ("words", "cells") for file in puzzle.companions(name)]
    variants = [declaration.variant_rules(puzzle, name) for name in instance.variants]
    records: list[Record] = [{"name": puzzle.encodings[-1].name, "role": "rules", "text": puzzle.rules_text}]
    for role, files in (("words", companions), ("variant", variants)):
        for file in files:
            name = f"{file.parent.name}/{file.name}" if role == "words" else file.name
            records.append({"name": name, "role": role, "text": file.read_text(encoding="utf-8")})
    return records


def studio_clue_removals(instance: Instance, settings: Settings) -> Iterator[Record]:
    """Yield each clue of a board without an answer whose removal leaves one, and the value of its key then."""
    clues = clues_of_board(instance)
    by_predicate = {predicate.name: key for key in clue_keys(instance.puzzle) for predicate in key.predicates}
    for clue in clues:
        key = by_predicate[clue[0].name]
        rest = with_clues(instance, (other for other in clues if other != clue))
        answers = solutions(rest, 1, settings)
        if next(answers, None) is not None:
            left = keys_of_board(rest)
            yield {
                "kind": "removal",
                "words": f"Remove {unmarked(wording.of_clue(key, symbol_arguments(clue[0])))}",
                "cells": studio_cells(clue_cells(key, clue)),
                "key": key.name,
                "value": left.get(key.name),
            }
        answers.search.check()


# -- Keys of boards that a user makes in the page ------------------------------------------------------------------

Own: TypeAlias = tuple[tuple[str, str], ...]
# The variant that has the keys.
OWN_VARIANT = "own"
# {what a key is: its fact and what else its declaration has}
_KINDS = {
    "line": ("{}(I, J, R, C)", 'kind = "paths"\npicture = { line = "#b9c4ec", width = 0.3 }'),
    "cage": ("{}(I, J, R, C)", 'kind = "cages"\nvalue = "{}_value(I, N)"\npicture = { outline = "dashed" }'),
    "mark": ("{}(R, C)", 'kind = "marks"\npicture = { fill = "#dfe6fb" }'),
    "pair": ("{}(R, C, R', C')", 'kind = "pairs"\npicture = { circle = "#2746c8" }'),
}
# Directories that are kept as long as the process runs.
_KEPT: list[TemporaryDirectory[str]] = []


def own_keys(given: object) -> Own:
    """Return keys as `Own`, given as JSON: `[{"name": "ring", "kind": "line"}]`.

    Raises:
        KeyError, TypeError, ValueError: it is of another form, or there are two of a name.
    """
    keys = (
        tuple((key["name"], key["kind"]) for key in given if isinstance(key, dict)) if isinstance(given, list) else ()
    )
    names = [name for name, _ in keys]
    fit = all(isinstance(name, str) and re.fullmatch(r"[a-z][a-z_]{0,29}", name) for name in names)
    if not keys or not fit or len({*names}) < len(names) or not all(kind in _KINDS for _, kind in keys):
        raise ValueError("expected names and kinds")
    return keys


def own_declaration(own: Iterable[tuple[str, str]]) -> str:
    """Return the tables of keys in a declaration."""
    tables = []
    for name, kind in own:
        fact, more = _KINDS[kind]
        tables.append(f'[keys.{name}s]\nfact = "{fact.replace("{}", name)}"\n{more.replace("{}", name)}\n')
    return "\n".join(tables)


@lru_cache(maxsize=16)
def own_folder(own: Own) -> Path:
    """Return a directory with the variant that has these keys."""
    _KEPT.append(TemporaryDirectory(prefix="pyasp-keys-"))
    folder = Path(_KEPT[-1].name) / OWN_VARIANT
    folder.mkdir()
    (folder / "variant.toml").write_text(f'summary = "Keys of your own."\n{own_declaration(own)}', encoding="utf-8")
    (folder / f"{OWN_VARIANT}.lp").write_text(
        "% The rules of these keys are among those that you add.\n", encoding="utf-8"
    )
    return folder
