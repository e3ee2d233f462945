"""The time of the clingo calls alone that a board needs."""

from collections.abc import Callable
from pathlib import Path
from re import findall
from statistics import median
from time import process_time
from typing import Any

from clingo import Control, Function

from .boards import Board
from .peers.asp import encoding

ARGUMENTS = ("2", "--forget-on-step=lemmas")


def new_controls(boards: list[Board]) -> dict[str, float]:
    """Return the median seconds of each call, for boards that are grounded one by one, with their `pruning.lp`."""
    times: dict[str, list[float]] = {"rules": [], "facts": [], "ground": [], "solve": []}
    for board in boards:
        control, rules = Control(ARGUMENTS), Path(encoding(board))
        pruning = rules.with_name("pruning.lp")
        times["rules"].append(sum(_timed(control.load, str(path)) for path in (rules, pruning)))
        times["facts"].append(_timed(control.add, "base", [], board.facts()))
        times["ground"].append(_timed(control.ground, [("base", [])]))
        times["solve"].append(_timed(control.solve))
    return {call: median(seconds) for call, seconds in times.items()}


def shared_control(sudokus: list[Board]) -> dict[str, float]:
    """Return the median seconds of a solve call, and of reading the answer, for Sudokus that share one grounding."""
    empty = sudokus[0]._replace(givens=[[0] * len(row) for row in sudokus[0].givens])
    (solving, literals), (reading, _) = _grounded(empty), _grounded(empty)
    times: list[tuple[float, float]] = []
    for board in sudokus:
        clues = [literals[r, c, v] for (r, c), v in board.clues.items()]
        times.append((_timed(solving.solve, clues), _timed(_answer, reading, clues)))
    return {
        "solve": median(solve for solve, _ in times),
        "read the answer": median(answer - solve for solve, answer in times),
    }


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
