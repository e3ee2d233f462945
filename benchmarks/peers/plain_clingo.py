"""clingo itself, as its own documentation uses it: our encoding and the facts, grounded afresh for each board."""

from __future__ import annotations

from graphlib import TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING

import clingo

from . import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.board import Answer, Board

ENCODINGS = Path(__file__).parents[2] / "encodings"


class PlainClingo:
    """`clingo.Control`, two models at most."""

    puzzles = frozenset({"sudoku", "strimko", "tectonic", "strips", "strata"})
    how = "the encoding and the facts in a fresh `clingo.Control(['2'])`"

    def prepare(self, board: Board) -> tuple[str, str]:
        """Return the encoding and the facts."""
        name = "strimko" if board.puzzle == "sudoku" else board.puzzle
        return str(ENCODINGS / name / f"{name}.lp"), board.facts()

    def solve(self, task: tuple[str, str]) -> Verdict:
        """Return the first model."""
        encoding, facts = task
        control = clingo.Control(["2"])
        control.load(encoding)
        control.add("base", [], facts)
        control.ground([("base", [])])
        models: list[Sequence[clingo.Symbol]] = []
        control.solve(on_model=lambda model: models.append(model.symbols(shown=True)))
        return Verdict(_answer(models[0]) if models else None, len(models) == 1)


def _answer(atoms: Sequence[clingo.Symbol]) -> Answer:
    if atoms[0].name == "value":
        rows: dict[int, dict[int, int]] = {}
        for atom in atoms:
            r, c, value = (argument.number for argument in atom.arguments)
            rows.setdefault(r, {})[c] = value
        return [[row[c] for c in sorted(row)] for _, row in sorted(rows.items())]
    if atoms[0].name == "placed":
        return [_strip(*atom.arguments) for atom in atoms]
    below: dict[clingo.Symbol, set[clingo.Symbol]] = {}
    colors = {atom.arguments[0]: atom.arguments[1].string for atom in atoms if atom.name == "ribbon"}
    for atom in atoms:
        if atom.name == "over":
            upper, lower = atom.arguments
            below.setdefault(upper, set()).add(lower)
    order = TopologicalSorter(below).static_order()
    names = {"row": "row", "col": "column"}
    return [(names[line.name], line.arguments[0].number, colors.get(line)) for line in order]


def _strip(r: clingo.Symbol, c: clingo.Symbol, way: clingo.Symbol, length: clingo.Symbol) -> list[tuple[int, int]]:
    down = way.name == "down"
    return [(r.number + i * down, c.number + i * (not down)) for i in range(length.number)]
