"""What clingo alone takes for boards, call by call: no driver of it can be faster."""

from __future__ import annotations

from re import findall
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import clingo

from .board import Numbers
from .peers.plain_clingo import ENCODINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .board import Board

ARGUMENTS = ("2", "--forget-on-step=lemmas")
"""Two answers are asked for, and there is one: that there is no other is shown."""


class Limit(NamedTuple):
    """The calls that boards take, one after another."""

    name: str
    calls: dict[str, float]
    """Seconds of each call, the median over the boards."""

    @property
    def together(self) -> float:
        """What a board takes at least, in seconds."""
        return sum(self.calls.values())


def afresh(name: str, boards: Sequence[Board]) -> Limit:
    """Return what boards take that are grounded one by one."""
    times: dict[str, list[float]] = {"rules": [], "facts": [], "ground": [], "solve": []}
    for board in boards:
        control = clingo.Control(ARGUMENTS)
        times["rules"].append(timed(control.load, str(ENCODINGS / board.puzzle / f"{board.puzzle}.lp")))
        times["facts"].append(timed(control.add, "base", [], board.facts()))
        times["ground"].append(timed(control.ground, [("base", [])]))
        times["solve"].append(timed(control.solve))
    return Limit(name, {call: median(seconds) for call, seconds in times.items()})


def assumed(name: str, sudokus: Sequence[Board]) -> Limit:
    """Return what Sudokus take that share one grounding: a solve call, and as much of that as is no search."""
    boards = [board for board in sudokus if isinstance(board, Numbers)]
    empty = boards[0]._replace(givens=[[0] * len(row) for row in boards[0].givens])
    clues: list[list[tuple[int, ...]]] = [
        [(r, c, value) for r, c in board.cells if (value := board.givens[r - 1][c - 1])] for board in boards
    ]
    control, literals = _grounded(empty)
    answers = [_read(control, [literals[clue] for clue in given]) for given in clues]

    def typical(work: Callable[[clingo.Control, list[int]], object], some: list[list[tuple[int, ...]]]) -> float:
        control, literals = _grounded(empty)  # one that has not seen the boards
        return median(timed(work, control, [literals[clue] for clue in given]) for given in some)

    filled, searched = typical(clingo.Control.solve, answers), typical(clingo.Control.solve, clues)
    answered = typical(_read, clues)
    calls = {"solve, every number given": filled, "search": searched - filled, "answer": answered - searched}
    return Limit(name, {call: max(0.0, took) for call, took in calls.items()})


def _read(control: clingo.Control, assumed: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the numbers of the one answer, which clingo writes as one text, the fastest way to have them."""
    texts: list[str] = []
    with control.solve(assumed, yield_=True) as handle:
        texts += [str(clingo.Function("", model.symbols(shown=True))) for model in handle]
    (text,) = texts
    return [(int(r), int(c), int(value)) for r, c, value in findall(r"value\((\d+),(\d+),(\d+)\)", text)]


def _grounded(board: Numbers) -> tuple[clingo.Control, dict[tuple[int, ...], int]]:
    """Return a control, and the literal of each row, column and number."""
    control = clingo.Control(ARGUMENTS)
    control.load(str(ENCODINGS / "strimko" / "strimko.lp"))
    control.add("base", [], board.facts())
    control.ground([("base", [])])
    return control, {_numbers(atom.symbol): atom.literal for atom in control.symbolic_atoms.by_signature("value", 3)}


def _numbers(atom: clingo.Symbol) -> tuple[int, ...]:
    return tuple(argument.number for argument in atom.arguments)


def timed(work: Callable[..., object], *arguments: object) -> float:
    """Return how long some work takes, in seconds."""
    started = perf_counter()
    work(*arguments)
    return perf_counter() - started
