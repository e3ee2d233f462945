"""pyasp_puzzles, through its public names, and clingo, as its own documentation uses it."""

import sys
from collections.abc import Sequence
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

from clingo import Symbol

from benchmarks.boards import Answer, Board, Verdict, grid, instance_file
from pyasp_puzzles import Instance

from . import Solve

ENCODINGS = Path(__file__).parents[2] / "encodings"


def pyasp(board: Board) -> Solve:
    """Use `solutions(instance, 2)`, and `complete` after one answer."""
    from pyasp_puzzles import solutions

    task = instance(board)

    def solve() -> Verdict:
        found = solutions(task, 2)
        answers = list(found)
        return Verdict(pyasp_answer(answers[0].json()) if answers else None, len(answers) == 1 and found.complete)

    return solve


def instance(board: Board) -> Instance:
    """Return a board as an instance; a 9x9 Sudoku is read from a line, as in a list.

    Raises:
        InstanceError: the board is not valid.
    """
    from pyasp_puzzles import loads

    line = board.line()
    [loaded] = loads(line, lines="sudoku") if line else loads(instance_file([board]))
    return loaded


def pyasp_answer(solution: dict[str, Any]) -> Answer:
    """Return the answer in what `--json` prints."""
    if "grid" in solution:
        rows: Answer = solution["grid"]
        return rows
    if "strips" in solution:
        return [[(r, c) for r, c in strip["cells"]] for strip in solution["strips"]]
    return [(ribbon["line"], ribbon["index"], ribbon["color"]) for ribbon in solution["ribbons"]]


def pyasp_command(file: Path, *options: str) -> list[str]:
    """Return the command that finds up to two answers of each board of a file."""
    return [str(Path(sys.executable).with_name("pyasp")), "solve", "--json", "-n", "2", *options, str(file)]


def encoding(board: Board) -> str:
    """Return the path of the encoding of a board; that of a Sudoku is Strimko's."""
    name = "strimko" if board.puzzle == "sudoku" else board.puzzle
    return str(ENCODINGS / name / f"{name}.lp")


def clingo(board: Board) -> Solve:
    """Use the encoding and the facts in a new `clingo.Control(['2'])`."""
    from clingo import Control

    rules, facts = encoding(board), board.facts()

    def solve() -> Verdict:
        control = Control(["2"])
        control.load(rules)
        control.add("base", [], facts)
        control.ground([("base", [])])
        models: list[Sequence[Symbol]] = []
        control.solve(on_model=lambda model: models.append(model.symbols(shown=True)))
        return Verdict(clingo_answer(models[0]) if models else None, len(models) == 1)

    return solve


def clingo_command(board: Board, facts: Path) -> list[str]:
    """Return the command that finds up to two answers of a board."""
    return [sys.executable, "-m", "clingo", encoding(board), str(facts), "2"]


def clingo_output(text: str) -> Verdict:
    """Return the answer that the clingo command printed."""
    from clingo import parse_term

    _, found, models = text.partition("\nAnswer: 1")
    if not found:
        return Verdict(None, unique=False)
    atoms = [parse_term(atom) for atom in models.splitlines()[1].split()]
    return Verdict(clingo_answer(atoms), "\nAnswer: 2" not in text)


def clingo_answer(atoms: Sequence[Symbol]) -> Answer:
    """Return the answer in the shown atoms of a model."""
    if atoms[0].name == "value":
        return grid(tuple(argument.number for argument in atom.arguments) for atom in atoms)
    if atoms[0].name == "placed":
        strips = [(r.number, c.number, way.name == "down", n.number) for r, c, way, n in (a.arguments for a in atoms)]
        return [[(r + i * down, c + i * (not down)) for i in range(n)] for r, c, down, n in strips]
    below: dict[Symbol, set[Symbol]] = {}
    colors = {atom.arguments[0]: atom.arguments[1].string for atom in atoms if atom.name == "ribbon"}
    for atom in atoms:
        if atom.name == "over":
            below.setdefault(atom.arguments[0], set()).add(atom.arguments[1])
    order = TopologicalSorter(below).static_order()
    return [("row" if line.name == "row" else "column", line.arguments[0].number, colors.get(line)) for line in order]
