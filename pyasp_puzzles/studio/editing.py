"""What the page needs to know of a board to show it and to edit it: its keys, its pictures, its files.

Cell   "r1c2": row 1, column 2
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyasp_puzzles.asp.symbols import plain_arguments
from pyasp_puzzles.boards.grid import extent
from pyasp_puzzles.errors import OutOfTime
from pyasp_puzzles.explanation.resolve import resolvable
from pyasp_puzzles.formats.data import keys_of
from pyasp_puzzles.generation.clues import cells_of, clue_keys, clues_of, with_clues
from pyasp_puzzles.model.keys import Outline
from pyasp_puzzles.puzzles.instructions import instructions
from pyasp_puzzles.puzzles.keys.editing import schema
from pyasp_puzzles.puzzles.question import rules_text
from pyasp_puzzles.puzzles.variant import fitting, rules_of
from pyasp_puzzles.puzzles.wording import clue_words
from pyasp_puzzles.queries.solve import solutions
from pyasp_puzzles.render.svg import svg

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.model.puzzle import Instance, Puzzle
    from pyasp_puzzles.render.svg import Drawing

Record = dict[str, Any]
# What the page calls the kinds of answers, by their data.
ANSWERS = {"values": "numbers", "shaded": "shading", "pieces": "pieces", "strips": "pieces", "order": "ribbons"}


def cell_name(cell: Cell) -> str:
    """Return the name of a cell."""
    return "r{}c{}".format(*cell)


def cell_names(cells: Iterable[Cell]) -> list[str]:
    """Return the names of cells, in order, none twice."""
    return [*map(cell_name, dict.fromkeys(cells))]


def by_name(values: Mapping[Cell, Any]) -> dict[str, Any]:
    """Return {name of a cell: its value}."""
    return {cell_name(cell): value for cell, value in values.items()}


def picture(drawing: Drawing | None) -> str:
    """Return a drawing as SVG, as a strict page takes it; empty without one."""
    return "" if drawing is None else svg(drawing, css=False, places=True)


def board_record(instance: Instance) -> Record:
    """Return what the page shows of a board."""
    printed, puzzle = instance.printed, instance.puzzle
    return {
        "kind": "board",
        "board": keys_of(instance),
        "title": instance.title,
        "svg": picture(instance.drawing()),
        "size": list(extent(printed.cells)),
        "cells": cell_names(sorted(printed.cells)),
        "fixed": cell_names(sorted(printed.givens)),
        "answer": _answer(instance),
        "schema": schema(_outline(instance)),
        "files": _files(instance),
        "variants": list(instance.variants),
        "fitting": [*fitting(puzzle)],
        "instructions": instructions(instance),
        "holes": not (puzzle.square or puzzle.full or puzzle.lines or puzzle.grid_key is None),
        "warnings": [*instance.warnings, *puzzle.warnings],
    }


def answer_kind(puzzle: Puzzle) -> str:
    """Return what the page calls the kind of the answers of a puzzle."""
    return ANSWERS[puzzle.kind.data[0]]


def _answer(instance: Instance) -> Record:
    """Return the kind of the answer, whether Algorithm 1 has rounds for it, and the numbers that its cells may hold."""
    puzzle, outline = instance.puzzle, _outline(instance)
    found: Record = {"kind": answer_kind(puzzle), "output": puzzle.view().outputs[0], "low": None, "high": None}
    found["rounds"] = resolvable(puzzle)
    range_ = getattr(puzzle.kind, "range", None)
    if range_ is not None:
        largest = range_.largest(outline)
        high = {cell_name(cell): largest(cell) for cell in sorted(outline.cells)}
        found |= {"low": range_.low, "high": high if len({*high.values()}) > 1 else max(high.values(), default=0)}
    return found


def _outline(instance: Instance) -> Outline:
    return Outline(instance.puzzle.cells(instance.facts), instance.facts, instance.puzzle.keys)


def _files(instance: Instance) -> list[Record]:
    """Return the rules of a board, their words, and the rules of its variants."""
    puzzle = instance.puzzle
    words = [file for name in ("words", "cells") for file in puzzle.companions(name)]
    variants = [rules_of(puzzle, name) for name in instance.variants]
    found: list[Record] = [{"name": puzzle.encodings[-1].name, "role": "rules", "text": rules_text(puzzle)}]
    for role, files in (("words", words), ("variant", variants)):
        for file in files:
            name = f"{file.parent.name}/{file.name}" if role == "words" else file.name
            found.append({"name": name, "role": role, "text": file.read_text(encoding="utf-8")})
    return found


def removals(instance: Instance, settings: Settings) -> Iterator[Record]:
    """Yield each clue of a board without an answer that has one without it, and the keys of the board without it."""
    clues = clues_of(instance)
    by_predicate = {predicate.name: key for key in clue_keys(instance.puzzle) for predicate in key.predicates}
    for clue in clues:
        key = by_predicate[clue[0].name]
        rest = with_clues(instance, (other for other in clues if other != clue))
        search = solutions(rest, 1, settings).search
        if next(search.models(1), None) is not None:
            left = keys_of(rest)
            yield {
                "kind": "removal",
                "words": f"Remove {clue_words(key, plain_arguments(clue[0]))}",
                "cells": cell_names(cells_of(key, clue)),
                "key": key.name,
                "value": left.get(key.name),
            }
        if search.timed_out:
            raise OutOfTime
