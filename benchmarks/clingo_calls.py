"""The time of the clingo calls alone that a board needs."""

from collections.abc import Callable
from re import findall
from statistics import median
from time import process_time
from typing import Any

from clingo import Control, Function

from .boards import Board
from .peers.asp import encoding

ARGUMENTS = ("2", "--forget-on-step=lemmas")


def new_controls(boards: list[Board]) -> dict[str, float]:
    """Return the median seconds of each call, for boards that are grounded one by one."""
    times: dict[str, list[float]] = {"rules": [], "facts": [], "ground": [], "solve": []}
    for board in boards:
        control = Control(ARGUMENTS)
        times["rules"].append(_timed(control.load, encoding(board)))
        times["facts"].append(_timed(control.add, "base", [], board.facts()))
        times["ground"].append(_timed(control.ground, [("base", [])]))
        times["solve"].append(_timed(control.solve))
    return {call: median(seconds) for call, seconds in times.items()}


def shared_control(sudokus: list[Board]) -> dict[str, float]:
    """Return the median seconds of a solve call, and of reading the answer, for Sudokus that share one grounding."""
    empty = sudokus[0]._replace(givens=[[0] * len(row) for row in sudokus[0].givens])
    times: list[float] = []
    for work in (Control.solve, _answer):
        control, literals = _grounded(empty)  # a control that has not seen the boards
        clues = [[literals[r, c, v] for (r, c), v in board.clues.items()] for board in sudokus]
        times.append(median(_timed(work, control, given) for given in clues))
    return {"solve": times[0], "read the answer": times[1] - times[0]}


def _answer(control: Control, assumptions: list[int]) -> list[tuple[int, ...]]:
    """Return the numbers of the answer, read from one text, which is the fastest way."""
    with control.solve(assumptions, yield_=True) as handle:
        [text] = [str(Function("", model.symbols(shown=True))) for model in handle]
    return [(int(r), int(c), int(value)) for r, c, value in findall(r"value\((\d+),(\d+),(\d+)\)", text)]


def _grounded(board: Board) -> tuple[Control, dict[tuple[int, ...], int]]:
    """Return a control, and the literal of each row, column and number."""
    control = Control(ARGUMENTS)
    control.load(encoding(board))
    control.add("base", [], board.facts())
    control.ground([("base", [])])
    atoms = control.symbolic_atoms.by_signature("value", 3)
    return control, {tuple(argument.number for argument in atom.symbol.arguments): atom.literal for atom in atoms}


def _timed(work: Callable[..., Any], *arguments: object) -> float:
    started = process_time()
    work(*arguments)
    return process_time() - started
