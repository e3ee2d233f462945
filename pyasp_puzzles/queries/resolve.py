"""Resolution: what follows from a board by disjunctive syllogism alone, without a guess and without search.

Guess        (1, 2, 3): row 1, column 2 is assumed to hold 3
Resolution   the numbers that follow, and the candidates that are left
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.arguments import check_flag, check_type, whole_number
from pyasp_puzzles.asp.cores import minimal_subset
from pyasp_puzzles.asp.settings import DEFAULT, Settings, refuse_settings
from pyasp_puzzles.asp.symbols import fact_symbol, symbol_integers
from pyasp_puzzles.boards.grid import cell_count
from pyasp_puzzles.errors import OutOfTime, PuzzleError, listing, shown
from pyasp_puzzles.formats.load import InstanceLike, load_only_board
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.puzzles import wording
from pyasp_puzzles.puzzles.numbers import NumbersKind
from pyasp_puzzles.queries.formulas import Threshold, consequences_of_formula, formula_alternatives, known_literals
from pyasp_puzzles.queries.ground_rules import ground_rules_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from clingo import Symbol

    from pyasp_puzzles.asp.deadline import Deadline
    from pyasp_puzzles.errors import EncodingError
    from pyasp_puzzles.model.puzzle import Instance, Puzzle
    from pyasp_puzzles.model.review import Broken
    from pyasp_puzzles.model.step import ResolutionStatus
    from pyasp_puzzles.puzzles.numbers import Candidates, Numbers
    from pyasp_puzzles.queries.formulas import Formula
    from pyasp_puzzles.queries.ground_rules import GroundRule, GroundRules

# The limit on conflicts of the check that rules allow the numbers that were found.
_MOST_CONFLICTS = 10_000
# The three numbers of a guess are smaller than this.
_GUESS_LIMIT = 10**Limits.LONGEST_NUMBER


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
    singles: Mapping[str, Guess]
    """The disjunctions with one member left, `{"once(row(1),3)": (1, 2, 3)}`: row 1, column 2 holds 3."""
    disjunctions: Mapping[str, tuple[Guess, ...]]
    """The members of the others, `{"once(row(1),4)": ((1, 1, 4), (1, 3, 4))}`; none if there is a contradiction."""
    rounds: tuple[tuple[Guess, ...], ...]
    """The numbers that each round finds; a round that finds none is left out."""
    guesses: tuple[Guess, ...]
    """The numbers that are assumed."""
    warnings: tuple[EncodingError, ...]
    """clingo's warnings about the user's rules."""
    unused: tuple[Broken, ...] = ()
    """If it is solved: the rules that it does not use, where it is not known whether these allow the numbers."""

    @property
    def words(self) -> str:
        """How resolution ends, in a sentence."""
        known, every = len(self.numbers.values), cell_count(len(self.candidates.candidates))
        rules = listing((rule.words for rule in self.contradictions[: Limits.MOST_CONTRADICTORY]), "and")
        broken = f"nothing is left with which {rules}" if self.contradictions else "a rule without a name is broken"
        return {
            "solved": f"Solved: every cell is known, without a guess.{self.doubt}",
            "unsolved": f"Unsolved: resolution stops with {known} of {every} known; the rest takes a guess.",
            "contradiction": f"Contradiction: {broken}.",
            "unknown": "Out of time.",
        }[self.status]

    @property
    def doubt(self) -> str:
        """Which rules it does not use, after a blank, if it is not known whether these allow the numbers."""
        unused = listing((rule.words for rule in self.unused), "and")
        return f" Not used, so perhaps broken: {unused}." if self.unused else ""

    def __repr__(self) -> str:
        every = cell_count(len(self.candidates.candidates))
        return f"<Resolution {self.status}: {len(self.numbers.values)} of {every} known>"


def resolve(
    instance: InstanceLike, guesses: Iterable[Guess] = (), settings: Settings = DEFAULT, *, search: bool = False
) -> Resolution:
    """Return how far resolution gets on a board: what follows from its clues, and from guesses if there are any.

    At a contradiction, the result is the board at the end of that round: everything follows from a contradiction, so
    later rounds would show nothing useful.

    Args:
        instance: a board with a number in each cell, or the name or the path of a file with one.
        guesses: numbers to assume, `(row, column, number)` each.
        settings: how to search; only the encoding, added rules and the time limit matter here.
        search: whether to make guesses, depth first, until the board is solved; if each guess ends in a
            contradiction, the result is that of the last one.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
        PuzzleError: the puzzle is not one of numbers, its rules have no names, or a guess is no number for its cell.

    Source: Algorithm 1 (RESOLVESTRIMKO) and Problem 2 of "Strimko by Resolution"; see docs/strimko.md.
    """
    instance = load_only_board(instance, settings)
    check_flag(search, "search")
    for resolution in resolution_tries(instance, guesses, settings):
        if resolution.status == "solved" or not search:
            break
    return resolution


def resolution_tries(
    instance: Instance, guesses: Iterable[Guess] = (), settings: Settings = DEFAULT
) -> Iterator[Resolution]:
    """Yield how far resolution gets on a board, and then with further guesses, depth first.

    Each guess is in a cell with the fewest candidates. Arguments and errors are as for `resolve`; if time runs out, the
    last result is "unknown".
    """
    refuse_settings(guesses, "resolve", "guesses")
    settings = settings.started()
    waiting = [tuple(_checked(guesses))]
    ground = _ground(instance, waiting[0], settings)
    while waiting:
        assumed = waiting.pop()
        resolution = _resolution(instance, settings, [*_rounds(instance, ground, assumed, settings)][-1], assumed)
        yield resolution
        if resolution.status == "unknown":
            return
        if resolution.status == "unsolved":
            candidates = resolution.candidates.candidates
            cell = min(
                candidates.keys() - resolution.numbers.values.keys(), key=lambda cell: (len(candidates[cell]), cell)
            )
            waiting += [(*assumed, (*cell, number)) for number in reversed(candidates[cell])]


def resolution_rounds(instance: Instance, settings: Settings = DEFAULT) -> Iterator[Resolution]:
    """Yield the board after each round of resolution; the last one is what `resolve` returns.

    In a round, numbers that are known exclude others, and then what is left alone becomes known. Errors are as for
    `resolve`; if time runs out, the last one is "unknown".
    """
    settings = settings.started()
    ground = _ground(instance, (), settings)
    return (_resolution(instance, settings, after, ()) for after in _rounds(instance, ground, (), settings))


def _checked(guesses: Iterable[Guess]) -> list[Guess]:
    """Return guesses; raise `TypeError` unless each is a row, a column and a number."""
    expected = "a list of (row, column, number)"
    check_type(guesses, Iterable, "guesses", expected)
    checked = []
    for guess in guesses:
        if not isinstance(guess, tuple | list) or len(guess) != len(("row", "column", "number")):
            raise TypeError(f"{shown(guess)} is no guess; pass {expected}")
        row, column, number = (whole_number(part, "a part of a guess") for part in guess)
        checked.append((row, column, number))
    return checked


def is_resolvable(puzzle: Puzzle) -> bool:
    """Return whether a puzzle can be resolved: it is one of numbers."""
    return isinstance(puzzle.kind, NumbersKind)


class _Round(NamedTuple):
    """What is known after a round."""

    ground: GroundRules
    known: dict[int, bool]
    empty: list[GroundRule]
    """The rules that can no longer hold."""
    found: tuple[tuple[int, ...], ...]
    """The atoms that each round has found."""


def _ground(instance: Instance, guesses: Collection[Guess], settings: Settings) -> GroundRules | None:
    """Return the ground rules of a board; None if time runs out."""
    if not is_resolvable(instance.puzzle):
        raise _not_resolvable(instance)
    for guess in guesses:
        if min(guess[:2]) < 1 or guess[2] < 0 or max(guess) >= _GUESS_LIMIT:
            raise _wrong_guess(instance, *guess)
    try:
        ground = ground_rules_of(instance, settings)
    except OutOfTime:
        return None
    return ground if ground.search.usable else None


def _rounds(
    instance: Instance, ground: GroundRules | None, guesses: Collection[Guess], settings: Settings
) -> Iterator[_Round | None]:
    """Yield each round; at last None if time runs out."""
    if ground is None:
        yield None
        return
    deadline = settings.deadline()
    known = _known(instance, ground, guesses)
    empty: list[GroundRule] | None = None
    learned: tuple[tuple[int, ...], ...] = ()
    try:
        while empty is None:
            before = {atom for atom, holds in known.items() if holds}
            empty = _learn(ground, known, deadline)
            new = [atom for atom, holds in known.items() if holds and atom not in before]
            learned = (*learned, tuple(new)) if new else learned
            yield _Round(ground, dict(known), empty or [], learned)
    except OutOfTime:
        yield None


def _known(instance: Instance, ground: GroundRules, guesses: Iterable[Guess]) -> dict[int, bool]:
    """Return {atom: whether it holds}, by clues and guesses."""
    if not ground.rules:
        raise _not_resolvable(instance)
    atoms = {(*ground.cells[atom], ground.values[atom]): atom for atom in ground.symbols}
    known: dict[int, bool] = {}
    for guess in guesses:
        if guess not in atoms:
            raise _wrong_guess(instance, *guess)
        known[atoms[guess]] = True
    said = [consequences_of_formula(rule.formula, {}) or () for rule in ground.rules if rule.clue]
    return known | {
        abs(literal): literal > 0 for literals in said for literal in literals if abs(literal) in ground.symbols
    }


def _learn(ground: GroundRules, known: dict[int, bool], deadline: Deadline) -> list[GroundRule] | None:
    """Learn what single rules force: negative literals first, then positive ones.

    When there is nothing more to learn, return the rules that can no longer hold; until then, None.
    """
    new: set[int] = set()
    for positive in (False, True):
        deadline.check()
        forced = _forced_literals(ground, known)
        empty = [ground.rules[rule] for rule, literals in forced.items() if literals is None]
        if positive and empty:
            return empty
        literals = {literal for literals in forced.values() for literal in literals or ()}
        new = {literal for literal in literals if (literal > 0) is positive and abs(literal) in ground.symbols}
        known |= {abs(literal): literal > 0 for literal in new}
    return None if new else []


def _forced_literals(ground: GroundRules, known: Mapping[int, bool]) -> dict[int, Collection[int] | None]:
    """Return {rule: the literals that it forces alone}; None for a rule that can no longer hold."""
    used = (rule.formula is False or (rule.atoms and not rule.clue) for rule in ground.rules)
    rules = (number for number, is_used in enumerate(used) if is_used)
    return {rule: consequences_of_formula(ground.rules[rule].formula, known) for rule in rules}


def _disjunction(formula: Formula) -> list[int]:
    """Return the atoms of a formula that demands at least one of them; nothing if it demands none."""
    parts: list[Formula] = [formula]
    if isinstance(formula, Threshold) and formula.bound == sum(weight for weight, _ in formula.parts):
        parts = [part for _, part in formula.parts]  # such as: at least one, and at most one
    return next((atoms for atoms in map(formula_alternatives, parts) if atoms and min(atoms) > 0), [])


def _resolution(instance: Instance, settings: Settings, after: _Round | None, guesses: tuple[Guess, ...]) -> Resolution:
    """Return how far resolution is after a round; None if time ran out."""
    if after is None:
        return Resolution("unknown", *_board(instance, (), ()), (), {}, {}, (), guesses, ())
    ground, known, empty, new = after
    holding = [atom for atom, holds in known.items() if holds]
    solved = {ground.cells[atom] for atom in holding} == set(ground.cells.values())
    allowed: bool | None = not empty
    unused: list[GroundRule] = []
    if solved and allowed:
        allowed, rules = _allowed(ground, known)
        empty, unused = (rules, []) if allowed is False else ([], rules)
    excluded = {atom: holds for atom, holds in known.items() if not holds}
    contradictions = [fact_symbol("contradiction", rule.name) for rule in empty]
    unused_atoms = [fact_symbol("unused", rule.name) for rule in unused]
    about = [fact_symbol("about", rule.name, *ground.cells[atom]) for rule in empty for atom in rule.atoms]
    about += wording.word_atoms(ground.search) if contradictions or unused else []
    facts: dict[int, Guess] = {}
    for atom, symbol in ground.symbols.items():
        row, column, number = symbol_integers(symbol.arguments)
        facts[atom] = row, column, number
    singles = {
        str(ground.rules[rule].name): facts[literal]
        for rule, forced in _forced_literals(ground, excluded).items()
        for literal in forced or ()
        if literal in ground.symbols
    }
    disjunctions = {
        str(rule.name): tuple(sorted(facts[atom] for atom in atoms if atom in facts and atom not in excluded))
        for rule in ground.rules
        if not rule.clue and str(rule.name) not in singles and (atoms := _disjunction(rule.formula))
    }
    left = [symbol for atom, symbol in ground.symbols.items() if known.get(atom, True)]
    return Resolution(
        "contradiction" if allowed is False else "solved" if solved else "unsolved",
        *_board(instance, [ground.symbols[atom] for atom in holding], left),
        tuple(wording.broken_rules(instance, [*contradictions, *about], settings, "contradiction")),
        dict(sorted(singles.items())),
        disjunctions,
        tuple(tuple(sorted(facts[atom] for atom in atoms)) for atoms in new),
        guesses,
        tuple(ground.search.warnings),
        tuple(wording.broken_rules(instance, [*unused_atoms, *about], settings, "unused")),
    )


def _allowed(ground: GroundRules, known: Mapping[int, bool]) -> tuple[bool | None, list[GroundRule]]:
    """Return whether all rules allow the numbers of a whole board.

    If they do not, also those that cannot hold; if that is not known (None), those that resolution does not use.
    """
    rules = {rule.guard: rule for rule in ground.rules}
    numbers = known_literals(known)
    refute = partial(ground.search.refute, most=_MOST_CONFLICTS, given=numbers)
    core = refute([*rules])
    if core is not None:
        return False, [rules[guard] for guard in minimal_subset(core, refute)]
    if ground.search.exhausted:
        return True, []
    return None, [rule for rule in ground.rules if rule.is_global or not rule.atoms]


def _board(instance: Instance, known: Iterable[Symbol], left: Sequence[Symbol]) -> tuple[Numbers, Candidates]:
    """Return the numbers of atoms that are known, without cells that have several, and those that are left."""
    kind = instance.puzzle.kind
    assert isinstance(kind, NumbersKind)
    values: dict[tuple[Symbol, ...], set[Symbol]] = {}
    for atom in known:
        values.setdefault(tuple(atom.arguments[:-1]), set()).add(atom)
    alone = [atom for atoms in values.values() if len(atoms) == 1 for atom in atoms]
    return kind.decode(instance.printed, alone), kind.candidates(instance, left)


def _not_resolvable(instance: Instance) -> PuzzleError:
    message = f"{instance.puzzle.name} cannot be resolved; pass a puzzle of numbers, whose rules have names"
    return PuzzleError(message, instance.facts.where)


def _wrong_guess(instance: Instance, *guess: int) -> PuzzleError:
    text = shown(",".join(map(str, guess)))
    message = f"guess {text} fits no cell; pass the row and column of a cell and a number that it could hold"
    return PuzzleError(message, instance.facts.where)
