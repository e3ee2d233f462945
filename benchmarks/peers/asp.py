"""pyasp_puzzles, through its public names, and clingo, as its own documentation uses it."""

import sys
from collections.abc import Sequence
from graphlib import TopologicalSorter
from pathlib import Path

from clingo import Control, Symbol, parse_term

from benchmarks.boards import ENCODINGS, Answer, Board, Verdict, grid, ribbons
from pyasp_puzzles import solutions

from . import Solve


def pyasp(board: Board) -> Solve:
    """Use `solutions(instance, 2)`, and `complete` after one answer."""
    task, settings = board.instance(), board.settings()

    def solve() -> Verdict:
        found = solutions(task, 2, settings=settings)
        answers = list(found)
        return Verdict(answers[0].json() if answers else None, len(answers) == 1 and found.complete)

    return solve


def pyasp_command(file: Path, *options: str) -> list[str]:
    """Return the command that finds up to two answers of each board of a file."""
    return [str(Path(sys.executable).with_name("pyasp")), "solve", "--json", "-n", "2", *options, str(file)]


def encoding(board: Board) -> str:
    """Return the path of the encoding of a board; that of a Sudoku is Strimko's."""
    name = "strimko" if board.puzzle == "sudoku" else board.puzzle
    return str(ENCODINGS / name / f"{name}.lp")


def clingo(board: Board) -> Solve:
    """Use the encoding and the facts in a new `clingo.Control(['2'])`."""
    files, facts = [encoding(board)], board.facts()
    if board.extra:
        files.append(str(ENCODINGS / "variants" / board.extra / f"{board.extra}.lp"))

    def solve() -> Verdict:
        control = Control(["2"])
        for file in files:
            control.load(file)
        control.add("base", [], facts)
        control.ground([("base", [])])
        models: list[Sequence[Symbol]] = []
        control.solve(on_model=lambda model: models.append(model.symbols(shown=True)))
        return Verdict(_answer(board, models[0]) if models else None, len(models) == 1)

    return solve


def clingo_command(board: Board, facts: Path) -> list[str]:
    """Return the command that finds up to two answers of a board."""
    return [sys.executable, "-m", "clingo", encoding(board), str(facts), "2"]


def clingo_output(board: Board, text: str) -> Verdict:
    """Return the answer that the clingo command printed."""
    _, found, models = text.partition("\nAnswer: 1")
    if not found:
        return Verdict(None, unique=False)
    atoms = [parse_term(atom) for atom in models.splitlines()[1].split()]
    return Verdict(_answer(board, atoms), "\nAnswer: 2" not in text)


def _answer(board: Board, atoms: Sequence[Symbol]) -> Answer:
    """Return the answer in the shown atoms of a model."""
    if board.givens:
        return {"grid": grid(tuple(argument.number for argument in atom.arguments) for atom in atoms)}
    if board.puzzle == "strips":
        placed = [((r.number, c.number), n.number, way.name == "down") for r, c, way, n in (x.arguments for x in atoms)]
        return {"strips": [board.strip(cell, length, down=down) for cell, length, down in placed]}
    below: dict[Symbol, set[Symbol]] = {}
    colors = {atom.arguments[0]: atom.arguments[1].string for atom in atoms if atom.name == "ribbon"}
    for atom in atoms:
        if atom.name == "over":
            below.setdefault(atom.arguments[0], set()).add(atom.arguments[1])
    order = TopologicalSorter(below).static_order()
    return ribbons(("row" if x.name == "row" else "column", x.arguments[0].number, colors.get(x)) for x in order)
