"""Resolution: what follows from a board by disjunctive syllogism alone, without a guess and without search.

Guess        (1, 2, 3): row 1, column 2 is assumed to hold 3
Resolution   the numbers that follow, and the candidates that are left
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple, get_args

from pyasp_puzzles.arguments import check_type, whole_number
from pyasp_puzzles.asp.settings import DEFAULT, Settings, refuse_settings
from pyasp_puzzles.asp.symbols import fact, integers
from pyasp_puzzles.boards.grid import cells
from pyasp_puzzles.errors import OutOfTime, PuzzleError, listing, shown
from pyasp_puzzles.explanation.deduction import Deduction
from pyasp_puzzles.explanation.ground_rules import consequences_of, ground_rules_of
from pyasp_puzzles.formats.load import instance_of
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.grade import ResolutionStatus
from pyasp_puzzles.puzzles.numbers import NumbersKind
from pyasp_puzzles.puzzles.question import Question, ask
from pyasp_puzzles.puzzles.wording import WORD_FILES, broken_rules, word_atoms

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from clingo import Symbol

    from pyasp_puzzles.asp.deadline import Deadline
    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.errors import EncodingError
    from pyasp_puzzles.explanation.ground_rules import GroundRules
    from pyasp_puzzles.formats.load import InstanceLike
    from pyasp_puzzles.model.puzzle import Instance, Puzzle
    from pyasp_puzzles.model.review import Broken
    from pyasp_puzzles.puzzles.numbers import Candidates, Numbers


Guess = tuple[int, int, int]


class Resolution(NamedTuple):
    """How far resolution gets on a board."""

    status: ResolutionStatus
    """ "solved", "unsolved", "contradiction", or "unknown" if time ran out."""
    numbers: Numbers
    """The numbers that follow."""
    candidates: Candidates
    """The numbers that are left in each cell."""
    contradictions: tuple[Broken, ...]
    """The disjunctions with no member left: rules that can no longer hold, with their cells."""
    singles: Mapping[str, tuple[int, int, int]]
    """The disjunctions with one member left, `{"once(row(1),3)": (1, 2, 3)}`: row 1, column 2 holds 3."""
    warnings: tuple[EncodingError, ...]
    """clingo's warnings about the user's rules."""

    @property
    def words(self) -> str:
        """How resolution ends, in a sentence."""
        known, every = len(self.numbers.values), len(self.candidates.candidates)
        rules = listing((rule.words for rule in self.contradictions[: Limits.MOST_CONTRADICTORY]), "and")
        return {
            "solved": "Solved: every cell is known, without a guess.",
            "unsolved": f"Unsolved: resolution stops with {known} of {cells(every)} known; the rest takes a guess.",
            "contradiction": f"Contradiction: nothing is left with which {rules}.",
            "unknown": "Out of time.",
        }[self.status]

    def __repr__(self) -> str:
        return (
            f"<Resolution {self.status}: {len(self.numbers.values)} of {cells(len(self.candidates.candidates))} known>"
        )


def resolve(instance: InstanceLike, guesses: Iterable[Guess] = (), settings: Settings = DEFAULT) -> Resolution:
    """Return how far resolution gets on a board: what follows from its clues, and from guesses if there are any.

    At a contradiction, the result is the board at the end of that round: everything follows from a contradiction, so
    later rounds would show nothing useful.

    Args:
        instance: a board with a number in each cell.
        guesses: numbers to assume, `(row, column, number)` each.
        settings: how to search; only the encoding, added rules and the time limit matter here.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
        PuzzleError: the puzzle has no disjunctions of numbers in cells, or a guess is no number for its cell.

    Source: Algorithm 1 (RESOLVESTRIMKO) of "Strimko by Resolution"; see docs/strimko.md.
    """
    refuse_settings(guesses, "resolve", "guesses")
    instance = instance_of(instance, settings)
    settings = settings.started()
    guesses = _checked(guesses)
    _check_kind(instance)
    for guess in guesses:
        if not all(0 < part < Limits.GUESS_LIMIT for part in guess):
            raise _wrong_guess(instance, *guess)
    if settings.edited or instance.variants:
        try:
            return _resolve_edited(instance, guesses, settings)
        except OutOfTime:
            return _resolution(instance, "unknown")
    return _resolve_shipped(instance, [fact("guess", *guess) for guess in guesses], settings)


def rounds(instance: InstanceLike, settings: Settings = DEFAULT) -> Iterator[Resolution]:
    """Yield the board after each round of resolution; the last one is what `resolve` returns.

    In a round, numbers that are known exclude others, and then what is left alone becomes known. Errors are as for
    `resolve`; if time runs out, the last one is "unknown".
    """
    instance = instance_of(instance, settings)
    settings = settings.started()
    _check_kind(instance)
    if settings.edited or instance.variants:
        try:
            for empty, ground, deduction in _edited_rounds(instance, (), settings):
                yield _resolution_so_far(instance, empty, ground, deduction, settings)
        except OutOfTime:
            yield _resolution(instance, "unknown")
        return
    known: set[Symbol] = set()
    while True:
        search = _ground(instance, known, settings, stepwise=True)
        if not search.facts("disjunction", 1) and not search.timed_out:
            raise _not_resolvable(instance)
        new = {fact("guess", *single.arguments[1:]) for single in search.facts("single", 4)} - known
        if not new or search.timed_out or search.facts("contradiction", 1):
            yield _resolution_of(instance, search)
            return
        known |= new
        yield _resolution_of(instance, search, new)._replace(status="unsolved")


def _checked(guesses: Iterable[Guess]) -> list[Guess]:
    """Return guesses; raise `TypeError` unless each is a row, a column and a number."""
    expected = "a list of (row, column, number)"
    check_type(guesses, Iterable, "guesses", expected)
    found = []
    for guess in guesses:
        if not isinstance(guess, tuple | list) or len(guess) != len(("row", "column", "number")):
            raise TypeError(f"{shown(guess)} is no guess; pass {expected}")
        row, column, number = (whole_number(part, "a part of a guess") for part in guess)
        found.append((row, column, number))
    return found


def resolution_status(instance: Instance, settings: Settings = DEFAULT) -> ResolutionStatus:
    """Return the status of a board's resolution alone, which takes less time; raises as `resolve` does."""
    _check_kind(instance)
    if settings.edited or instance.variants:
        return resolve(instance, settings=settings).status
    return _status(_resolved(instance, (), settings))


def resolvable(puzzle: Puzzle) -> bool:
    """Return whether a puzzle can be resolved: it is one of numbers, and its rules say what excludes what."""
    return bool(puzzle.companions("pruning")) and isinstance(puzzle.kind, NumbersKind)


def _check_kind(instance: Instance) -> None:
    if not resolvable(instance.puzzle):
        raise _not_resolvable(instance)


def _resolution(
    instance: Instance,
    status: ResolutionStatus,
    *,
    known: Iterable[Symbol] = (),
    left: Sequence[Symbol] = (),
    singles: Iterable[tuple[Symbol, Sequence[Symbol]]] = (),
    contradictions: Sequence[Broken] = (),
    warnings: Sequence[EncodingError] = (),
) -> Resolution:
    """Return a resolution.

    Its board leaves out cells with several known numbers. Each single is a disjunction with the row, the column and
    the number of its only member. What is left are the atoms that may still hold.
    """
    kind = instance.puzzle.kind
    assert isinstance(kind, NumbersKind)
    values: dict[tuple[Symbol, ...], set[Symbol]] = {}
    for atom in known:
        values.setdefault(tuple(atom.arguments[:-1]), set()).add(atom)
    members = {str(rule): integers(member) for rule, member in singles}
    return Resolution(
        status,
        kind.decoder(instance)([atom for atoms in values.values() if len(atoms) == 1 for atom in atoms]),
        kind.candidates(instance, left),
        tuple(contradictions),
        {rule: (r, c, v) for rule, (r, c, v) in sorted(members.items())},
        tuple(warnings),
    )


def _not_resolvable(instance: Instance) -> PuzzleError:
    message = f"{instance.puzzle.name} cannot be resolved; pass a puzzle of numbers that units hold once"
    return PuzzleError(message, instance.facts.where)


def _wrong_guess(instance: Instance, *guess: int) -> PuzzleError:
    words = shown(",".join(map(str, guess)))
    message = f"guess {words} fits no cell; pass the row and column of a cell and a number that it could hold"
    return PuzzleError(message, instance.facts.where)


# -- By the shipped rules: modes/resolve.lp --------------------------------------


def _resolve_shipped(instance: Instance, guesses: Collection[Symbol], settings: Settings) -> Resolution:
    search = _resolved(instance, guesses, settings)
    for guess in search.facts("misguess", 3):
        raise _wrong_guess(instance, *integers(guess.arguments))
    if search.facts("contradiction", 1):
        search = _first_contradiction(instance, guesses, settings)
    return _resolution_of(instance, search)


def _resolution_of(instance: Instance, search: Search, new: Collection[Symbol] = ()) -> Resolution:
    """Return the resolution that a program has, and of its next round what becomes known."""
    singles = [atom.arguments for atom in search.facts("single", 4)]
    return _resolution(
        instance,
        _status(search),
        known=[*search.facts("value", 3), *(fact("value", *guess.arguments) for guess in new)],
        left=[fact("value", *atom.arguments) for atom in search.atoms("candidate", 3)],
        singles=[(rule, member) for rule, *member in singles],
        contradictions=broken_rules(
            instance, [*search.facts("contradiction", 1), *word_atoms(search)], "contradiction"
        ),
        warnings=search.warnings,
    )


def _resolved(instance: Instance, guesses: Collection[Symbol], settings: Settings) -> Search:
    search = _ground(instance, guesses, settings)
    if not search.facts("disjunction", 1) and not search.timed_out:
        raise _not_resolvable(instance)
    return search


def _status(search: Search) -> ResolutionStatus:
    found = {atom.arguments[0].name for atom in search.facts("status", 1)}
    statuses: tuple[ResolutionStatus, ...] = get_args(ResolutionStatus)
    return "unknown" if search.timed_out else next((status for status in statuses if status in found), "unsolved")


def _ground(instance: Instance, guesses: Iterable[Symbol], settings: Settings, *, stepwise: bool = False) -> Search:
    given = "".join(f"{guess}.\n" for guess in guesses) + ("stepwise.\n" if stepwise else "")
    return ask(instance, settings, Question((), ("resolve",), given, WORD_FILES if stepwise else (), pruned=True))


def _first_contradiction(instance: Instance, guesses: Collection[Symbol], settings: Settings) -> Search:
    """Return the first round with a contradiction: the singles of each round are the guesses of the next."""
    known = set(guesses)
    while True:
        search = _ground(instance, known, settings, stepwise=True)
        singles = {fact("guess", *single.arguments[1:]) for single in search.facts("single", 4)}
        if search.facts("contradiction", 1) or singles <= known:
            return search
        known |= singles


# -- By edited rules: modes/resolve.lp does not know what they exclude -----------


def _resolve_edited(instance: Instance, guesses: Iterable[Guess], settings: Settings) -> Resolution:
    """Return the same by formulas, in the same rounds: known numbers exclude others, then single members become known.

    Raises:
        OutOfTime: time ran out.
    """
    return _resolution_so_far(instance, *[*_edited_rounds(instance, guesses, settings)][-1], settings)


def _edited_rounds(
    instance: Instance, guesses: Iterable[Guess], settings: Settings
) -> Iterator[tuple[set[Symbol] | None, GroundRules, Deduction]]:
    """Yield after each round the rules that can no longer hold, None if there are more rounds, and what is known."""
    deadline = settings.deadline()
    board = ground_rules_of(instance, settings)
    if not board.search.usable:
        raise OutOfTime
    if not board.rules:
        raise _not_resolvable(instance)
    deduction = Deduction(board, deadline)
    atoms = {(*board.cells[atom], board.values[atom]): atom for atom in board.symbols}
    for guess in guesses:
        if guess not in atoms:
            raise _wrong_guess(instance, *guess)
        deduction.learn(atoms[guess])
    for number, rule in enumerate(board.rules):
        for literal in deduction.rule_literals(number) if rule.clue else ():
            deduction.learn(literal)
    empty: set[Symbol] | None = None
    while empty is None:
        empty = _round(deduction, deadline)
        yield empty, board, deduction


def _resolution_so_far(
    instance: Instance, empty: set[Symbol] | None, board: GroundRules, deduction: Deduction, settings: Settings
) -> Resolution:
    known = deduction.known
    holding = [atom for atom, holds in known.items() if holds]
    solved = {board.cells[atom] for atom in holding} == set(board.cells.values())
    words = ask(instance, settings, Question((), ("broken",), files=WORD_FILES)) if empty else None
    contradictions = [fact("contradiction", rule) for rule in empty or ()]
    excluded = {atom: holds for atom, holds in known.items() if not holds}
    return _resolution(
        instance,
        "contradiction" if empty else "solved" if solved else "unsolved",
        known=[board.symbols[atom] for atom in holding],
        left=[symbol for atom, symbol in board.symbols.items() if known.get(atom, True)],
        singles=[
            (board.rules[rule].name, board.symbols[literal].arguments)
            for rule, forced in _forced_literals(board, excluded).items()
            for literal in forced or ()
            if literal in board.symbols
        ],
        contradictions=broken_rules(instance, [*contradictions, *word_atoms(words)], "contradiction") if words else (),
        warnings=board.search.warnings,
    )


def _round(deduction: Deduction, deadline: Deadline) -> set[Symbol] | None:
    """Learn what single rules force: negative literals first, then positive ones.

    When there is nothing more to learn, return the names of the rules that can no longer hold; until then, None.
    """
    board = deduction.ground
    new: set[int] = set()
    for positive in (False, True):
        deadline.check()
        forced = _forced_literals(board, deduction.known)
        empty = {board.rules[rule].name for rule, literals in forced.items() if literals is None}
        if positive and empty:
            return empty
        found = {literal for literals in forced.values() for literal in literals or ()}
        new = {literal for literal in found if (literal > 0) is positive and abs(literal) in board.symbols}
        for literal in new:
            deduction.learn(literal)
    return None if new else set()


def _forced_literals(ground: GroundRules, known: Mapping[int, bool]) -> dict[int, frozenset[int] | None]:
    """Return {rule: the literals that it forces alone}; None for a rule that can no longer hold."""
    return {
        number: consequences_of(rule.formula, known)
        for number, rule in enumerate(ground.rules)
        if not rule.clue and rule.atoms
    }
