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
        encoding, facts = str(ENCODINGS / f"{board.puzzle}.lp"), board.facts()
        times["rules"].append(timed(lambda: control.load(encoding)))  # noqa: B023 (it is called at once)
        times["facts"].append(timed(lambda: control.add("base", [], facts)))  # noqa: B023
        times["ground"].append(timed(lambda: control.ground([("base", [])])))  # noqa: B023
        times["solve"].append(timed(control.solve))
    return Limit(name, {call: median(seconds) for call, seconds in times.items()})


def assumed(name: str, sudokus: Sequence[Board]) -> Limit:
    """Return what Sudokus take that share one grounding: a solve call, and as much of that as is no search."""
    boards = [board for board in sudokus if isinstance(board, Numbers)]
    empty = boards[0]._replace(givens=[[0] * len(row) for row in boards[0].givens])
    clues = [[(r, c, value) for r, c in board.cells if (value := board.givens[r - 1][c - 1])] for board in boards]
    control, literals = _grounded(empty)
    answers: list[list[tuple[int, ...]]] = []
    taken: list[float] = []
    for given in clues:
        assumed = [literals[clue] for clue in given]
        taken.append(timed(lambda: answers.append(_read(control, assumed))))  # noqa: B023 (it is called at once)
    control, literals = _grounded(empty)  # one that has not seen the boards
    searched, filled = (
        median(timed(lambda: control.solve(assumed)) for assumed in [[literals[c] for c in given] for given in some])  # noqa: B023
        for some in (clues, answers)
    )
    calls = {"solve, every number given": filled, "search": searched - filled, "answer": median(taken) - searched}
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
    control.load(str(ENCODINGS / "strimko.lp"))
    control.add("base", [], board.facts())
    control.ground([("base", [])])
    return control, {_numbers(atom.symbol): atom.literal for atom in control.symbolic_atoms.by_signature("value", 3)}


def _numbers(atom: clingo.Symbol) -> tuple[int, ...]:
    return tuple(argument.number for argument in atom.arguments)


def timed(work: Callable[[], object]) -> float:
    """Return how long some work takes, in seconds."""
    started = perf_counter()
    work()
    return perf_counter() - started
