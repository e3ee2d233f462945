"""Resolution: what follows from a board by disjunctive syllogism alone, without a guess and without a search.

Guess        (1, 2, 3): row 1, column 2 is assumed to hold 3
Resolution   how far it comes, and what is left
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.settings import DEFAULT, Settings
from pyasp_puzzles.asp.symbols import fact, integers
from pyasp_puzzles.boards.grid import LONGEST_NUMBER
from pyasp_puzzles.errors import OutOfTime, PuzzleError, shown
from pyasp_puzzles.explanation.deduction import Deduction
from pyasp_puzzles.explanation.formulas import consequences, simplify
from pyasp_puzzles.explanation.ground_rules import ground_board
from pyasp_puzzles.formats.load import instance_of
from pyasp_puzzles.puzzles.numbers import NumbersKind
from pyasp_puzzles.puzzles.program import Question, ask
from pyasp_puzzles.puzzles.wording import Broken, named

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from clingo import Symbol

    from pyasp_puzzles.asp.deadline import Deadline
    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.errors import EncodingError
    from pyasp_puzzles.explanation.ground_rules import GroundBoard
    from pyasp_puzzles.formats.load import InstanceLike
    from pyasp_puzzles.puzzles.numbers import Candidates, Numbers
    from pyasp_puzzles.puzzles.puzzle import Instance


Guess = tuple[int, int, int]
LARGEST = 10**LONGEST_NUMBER
"""No part of a guess is as large."""


class Resolution(NamedTuple):
    """How far resolution comes on a board."""

    status: str
    """ "solved", "unsolved", "contradiction", or "unknown" where time ran out."""
    board: Numbers
    """The numbers that are known."""
    candidates: Candidates
    """The numbers that each cell may still hold."""
    contradictions: tuple[Broken, ...]
    """The disjunctions of which nothing is left: the rules that can no longer hold, with their cells."""
    singles: Mapping[str, tuple[int, int, int]]
    """The disjunctions that have come down to one member, `{"once(row(1),3)": (1, 2, 3)}`: row 1, column 2 holds 3."""
    warnings: tuple[EncodingError, ...]
    """What clingo noticed in the user's rules."""


def resolve(instance: InstanceLike, guesses: Iterable[Guess] = (), settings: Settings = DEFAULT) -> Resolution:
    """Return how far resolution comes on a board: what follows from its clues, and from guesses beside them.

    Where it meets a contradiction, the board is as it stands at the end of that round: as from a contradiction all
    follows, there would be nothing to see of it later.

    Args:
        instance: a board with a number in each cell.
        guesses: numbers to assume, `(row, column, number)` each.
        settings: how to search, and what with; of these, an encoding, more rules, and the time.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
        PuzzleError: a puzzle without disjunctions of numbers in cells, or a guess that is no number for its cell.

    Source: Algorithm 1 (RESOLVESTRIMKO) of "Strimko by Resolution"; see docs/strimko.md.
    """
    instance = instance_of(instance, settings)
    settings = settings.started()
    guesses = list(guesses)
    if not instance.puzzle.companions("pruning") or instance.puzzle.kind_name != "numbers":
        raise _nothing(instance)
    for guess in guesses:
        if not all(0 < part < LARGEST for part in guess):
            raise _misguess(instance, *guess)
    if settings.edited:
        return _by_rules(instance, guesses, settings)
    assumed = [fact("guess", *guess) for guess in guesses]
    search = _ground(instance, assumed, settings)
    _check(instance, search)
    if search.facts("contradiction", 1):
        search = _first_contradiction(instance, assumed, settings)
    return _read(instance, search)


def _by_rules(instance: Instance, guesses: Iterable[Guess], settings: Settings) -> Resolution:
    """Return how far resolution comes by rules that are not ours: `modes/resolve.lp` does not know what they exclude.

    Each round is as there: known numbers rule out others by one rule each, and each rule that leaves one is a single.
    """
    try:
        return _resolved(instance, guesses, settings)
    except OutOfTime:
        kind = instance.puzzle.kind
        assert isinstance(kind, NumbersKind)
        return Resolution("unknown", kind.decoder(instance)([]), kind.candidates(instance, []), (), {}, ())


def _resolved(instance: Instance, guesses: Iterable[Guess], settings: Settings) -> Resolution:
    """Return the same, or raise `OutOfTime`."""
    deadline = settings.deadline()
    board = ground_board(instance, settings)
    if not board.search.usable:
        raise OutOfTime
    if not board.rules:
        raise _nothing(instance)
    deduction = Deduction(board, deadline)
    atoms = {(*board.cells[atom], board.values[atom]): atom for atom in board.symbols}
    for guess in guesses:
        if guess not in atoms:
            raise _misguess(instance, *guess)
        deduction.learn(atoms[guess])
    for number, rule in enumerate(board.rules):
        for literal in deduction.rule_literals(number) if rule.clue else ():
            deduction.learn(literal)
    empty: list[Symbol] | None = None
    while empty is None:
        empty = _round(board, deduction, deadline)
    if empty:
        return _found(instance, board, deduction.known, "contradiction", _named(instance, empty, settings))
    cells = {board.cells[atom] for atom, holds in deduction.known.items() if holds}
    status = "solved" if len(cells) == len(set(board.cells.values())) else "unsolved"
    return _found(instance, board, deduction.known, status)


def _round(board: GroundBoard, deduction: Deduction, deadline: Deadline) -> list[Symbol] | None:
    """Learn what single rules force: first what does not hold, then what does; None if there was anything to learn.

    Where it was not, the names of the rules that cannot hold any more are returned.
    """
    for holds in (False, True):
        deadline.check()
        forced_now = _forced(board, deduction.known)
        empty = [board.rules[rule].name for rule, found in forced_now.items() if found is None]
        if holds and empty:
            return empty
        literals = {literal for found in forced_now.values() for literal in found or ()}
        new = {literal for literal in literals if (literal > 0) is holds and abs(literal) in board.symbols}
        for literal in new:
            deduction.learn(literal)
    return None if new else []


def _forced(board: GroundBoard, known: Mapping[int, bool]) -> dict[int, frozenset[int] | None]:
    """Return what each rule by itself forces, given what is known; None where it cannot hold any more."""
    return {
        number: consequences([simplify(rule.formula, known)])
        for number, rule in enumerate(board.rules)
        if not rule.clue and rule.atoms
    }


def _named(instance: Instance, empty: Iterable[Symbol], settings: Settings) -> tuple[Broken, ...]:
    """Return rules that can no longer hold, in words."""
    search = ask(instance, settings, Question((), ("broken",), files=("words", "cells")))
    rules = set(empty)
    said = [atom for atom in search.facts("says", 2) + search.facts("about", 3) if atom.arguments[0] in rules]
    named_ = [fact("contradiction", rule) for rule in rules]
    return tuple(named(instance, [*named_, *said, *search.facts("called", 2)], "contradiction"))


def _found(
    instance: Instance,
    board: GroundBoard,
    known: Mapping[int, bool],
    status: str,
    contradictions: tuple[Broken, ...] = (),
) -> Resolution:
    kind = instance.puzzle.kind
    assert isinstance(kind, NumbersKind)
    holding: dict[Cell, set[int]] = {}
    for atom, holds in known.items():
        if holds:
            holding.setdefault(board.cells[atom], set()).add(atom)
    sure = [board.symbols[atom] for atoms in holding.values() if len(atoms) == 1 for atom in atoms]
    ruled_out = {atom: holds for atom, holds in known.items() if not holds}
    singles = {
        str(board.rules[rule].name): integers(board.symbols[literal].arguments)
        for rule, literals in _forced(board, ruled_out).items()
        for literal in literals or ()
        if literal in board.symbols
    }
    left = [symbol for atom, symbol in board.symbols.items() if known.get(atom, True)]
    return Resolution(
        status,
        kind.decoder(instance)(sure),
        kind.candidates(instance, left),
        contradictions,
        {rule: (r, c, v) for rule, (r, c, v) in sorted(singles.items())},
        tuple(board.search.warnings),
    )


def _ground(instance: Instance, assumed: Iterable[Symbol], settings: Settings, *, stepwise: bool = False) -> Search:
    given = "".join(f"{guess}.\n" for guess in assumed) + ("stepwise.\n" if stepwise else "")
    return ask(
        instance, settings, Question((), ("resolve",), given, ("words", "cells") if stepwise else (), pruned=True)
    )


def _check(instance: Instance, search: Search) -> None:
    """Raise `PuzzleError` unless there is something to resolve, and guesses that make sense."""
    if not search.facts("disjunction", 1) and not search.timed_out:
        raise _nothing(instance)
    for guess in search.facts("misguess", 3):
        raise _misguess(instance, *integers(guess.arguments))


def _nothing(instance: Instance) -> PuzzleError:
    message = f"{instance.puzzle.name} cannot be resolved, expected a puzzle of numbers that units hold once"
    return PuzzleError(message, instance.facts.where)


def _misguess(instance: Instance, *guess: int) -> PuzzleError:
    said = shown(",".join(map(str, guess)))
    message = f"guess {said} fits no cell, expected the row and column of a cell and a number that it could hold"
    return PuzzleError(message, instance.facts.where)


def _first_contradiction(instance: Instance, assumed: Iterable[Symbol], settings: Settings) -> Search:
    """Return the round in which a contradiction shows first: the singles of each round are the guesses of the next."""
    known: Collection[Symbol] = set(assumed)
    while True:
        search = _ground(instance, known, settings, stepwise=True)
        singles = {fact("guess", *single.arguments[1:]) for single in search.facts("single", 4)}
        if search.facts("contradiction", 1) or singles <= set(known):
            return search
        known = singles | set(known)


def _read(instance: Instance, search: Search) -> Resolution:
    kind = instance.puzzle.kind
    assert isinstance(kind, NumbersKind)
    known: dict[tuple[Symbol, ...], Symbol] = {}
    twice = set()
    for atom in search.facts("value", 3):
        *cell, _ = atom.arguments
        if known.setdefault(tuple(cell), atom) != atom:
            twice.add(tuple(cell))
    left = [fact("value", *atom.arguments) for atom in search.atoms("candidate", 3)]
    statuses = [atom.arguments[0].name for atom in search.facts("status", 1)]
    return Resolution(
        "unknown" if search.timed_out else next(iter(statuses), "unsolved"),
        kind.decoder(instance)([atom for cell, atom in known.items() if cell not in twice]),
        kind.candidates(instance, left),
        tuple(_contradictions(instance, search)),
        _singles(search.facts("single", 4)),
        tuple(search.warnings),
    )


def _contradictions(instance: Instance, search: Search) -> list[Broken]:
    """Return the rules of which nothing is left; of all the words that are there, only theirs are put together."""
    empty = search.facts("contradiction", 1)
    rules = {atom.arguments[0] for atom in empty}
    said = [atom for atom in search.facts("says", 2) + search.facts("about", 3) if atom.arguments[0] in rules]
    return named(instance, [*empty, *said, *search.facts("called", 2)], "contradiction")


def _singles(atoms: Sequence[Symbol]) -> dict[str, tuple[int, int, int]]:
    found = {}
    for atom in atoms:
        rule, *member = atom.arguments
        r, c, v = integers(member)
        found[str(rule)] = (r, c, v)
    return dict(sorted(found.items()))
