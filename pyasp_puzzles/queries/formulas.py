"""Formulas, such as a `Threshold`: what they say about atoms, how to `simplify` them, and what follows from them.

Literal    5, -5: atom 5 holds, atom 5 does not hold
Threshold  Threshold(2, ((1, 5), (1, -6), (2, 7))): the parts that hold weigh 2 or more
Formula    a literal, a threshold, True or False; "and" and "or" are thresholds as well
Known      {5: True, 6: False}: the known atoms

clingo computes consequences once for each shape of formulas: "exactly one of four atoms holds" is one shape, whichever
atoms these are. An explanation of a whole board needs some hundred shapes. A `formula_search` answers many
questions about the same formulas.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from pyasp_puzzles.asp.cores import minimal_subset
from pyasp_puzzles.asp.deadline import uninterrupted
from pyasp_puzzles.asp.search import program_search
from pyasp_puzzles.asp.settings import DEFAULT
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from clingo import Model
    from clingo.backend import Backend

    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.asp.settings import Settings

# Formulas whose shape is cached: the rules of a few boards.
_MOST_FORMULAS = 5000
# Guards of groups of literals have numbers from this one on, which no board has.
_FIRST_GUARD = 1 << 40
# States whose consequences a table keeps.
_MOST_STATES = 20_000

_Group = TypeVar("_Group")


class Threshold(NamedTuple):
    """Holds if the weights of the parts that hold add up to the bound or more."""

    bound: int
    parts: tuple[tuple[int, Formula], ...]


Formula: TypeAlias = "bool | int | Threshold"
# A body of a ground rule: its bound, and the literals with their weights.
RuleBody: TypeAlias = "tuple[int, Sequence[tuple[int, int]]]"


def negate(formula: Formula) -> Formula:
    """Return the negation of a formula."""
    if isinstance(formula, bool):
        return not formula
    if isinstance(formula, int):
        return -formula
    total = sum(weight for weight, _ in formula.parts)
    return Threshold(total - formula.bound + 1, tuple((weight, negate(part)) for weight, part in formula.parts))


def simplify(formula: Formula, known: Mapping[int, bool]) -> Formula:
    """Return what remains of a formula when the truth of some atoms is known."""
    if isinstance(formula, bool):
        return formula
    if isinstance(formula, int):
        value = known.get(abs(formula))
        return formula if value is None else value is (formula > 0)
    return threshold_formula(formula.bound, ((weight, simplify(part, known)) for weight, part in formula.parts))


def threshold_formula(bound: int, parts: Iterable[tuple[int, Formula]]) -> Formula:
    """Return the formula that holds if parts, each simplified, add up to a bound or more, without true or false parts.

    To simplify the parts again, while a program is unfolded, took 1 s of 2 for a hint on nine lunchboxes.
    """
    left, total = [], 0
    for weight, part in parts:
        if part is True:
            bound -= weight
        elif part is not False:
            left.append((weight, part))
            total += weight
    if bound <= 0:
        return True
    if total < bound:
        return False
    return left[0][1] if len(left) == 1 else Threshold(bound, tuple(left))


def known_literals(known: Mapping[int, bool], atoms: Iterable[int] | None = None) -> list[int]:
    """Return known atoms as literals; given some atoms, those of them that are known, in their order."""
    if atoms is None:
        return [atom if holds else -atom for atom, holds in known.items()]
    return [atom if known[atom] else -atom for atom in atoms if atom in known]


def formula_literals(formula: Formula) -> Iterator[int]:
    """Yield the literals of a formula, from left to right, with repetitions."""
    waiting = [formula]  # without recursion, a hint on skyscrapers takes a tenth less
    while waiting:
        part = waiting.pop()
        if isinstance(part, Threshold):
            waiting.extend([below for _, below in reversed(part.parts)])
        elif not isinstance(part, bool):
            yield part


def certain_formula_literals(formula: Formula) -> list[int] | None:
    """Return the literals that a simplified formula forces by its bounds alone; None if it cannot hold."""
    if isinstance(formula, bool):
        return [] if formula else None
    if isinstance(formula, int):
        return [formula]
    spare = sum(weight for weight, _ in formula.parts) - formula.bound
    return [
        literal for weight, part in formula.parts if weight > spare for literal in certain_formula_literals(part) or ()
    ]


def formula_conditions(formula: Formula) -> Iterator[Formula]:
    """Yield the conditions that a formula demands together."""
    if isinstance(formula, Threshold) and formula.bound == sum(weight for weight, _ in formula.parts):
        for _, part in formula.parts:
            yield from formula_conditions(part)
    elif formula is not True:
        yield formula


def failing_formula(formula: Formula, known: Mapping[int, bool]) -> Formula:
    """Return the part of a formula that known atoms violate: of "A and B", the one that fails.

    True if known atoms alone do not violate the formula.
    """
    while isinstance(formula, Threshold) and formula.bound == sum(weight for weight, _ in formula.parts):
        formula = next((part for _, part in formula.parts if simplify(part, known) is False), True)
    return formula if simplify(formula, known) is False else True


def formula_witnesses(formula: Formula, known: Mapping[int, bool]) -> list[int]:
    """Return few known literals that violate a formula: of "at most one", two that hold.

    Nothing if known atoms alone do not violate it.
    """
    if isinstance(formula, bool) or simplify(formula, known) is not False:
        return []
    if isinstance(formula, int):
        return [-formula]
    spare = sum(weight for weight, _ in formula.parts) - formula.bound
    failing = [(weight, part) for weight, part in formula.parts if simplify(part, known) is False]
    witnesses: list[int] = []
    for weight, part in sorted(failing, key=lambda entry: -entry[0]):
        if spare >= 0:
            witnesses += formula_witnesses(part, known)
            spare -= weight
    return list(dict.fromkeys(witnesses))


def formula_alternatives(formula: Formula) -> list[int]:
    """Return the literals of a formula that demands at least one of them; nothing if it demands anything else."""
    if not isinstance(formula, Threshold) or any(weight < formula.bound for weight, _ in formula.parts):
        return []
    literals = [part for _, part in formula.parts if isinstance(part, int) and not isinstance(part, bool)]
    return literals if len(literals) == len(formula.parts) else []


def consequences_of_formulas(formulas: Sequence[Formula]) -> frozenset[int] | None:
    """Return the literals that hold whenever all the formulas hold; None if the formulas are unsatisfiable."""
    if any(formula is False for formula in formulas):
        return None
    formulas = [formula for formula in formulas if formula is not True]
    number: dict[int, int] = {}
    forced = _shape_consequences(tuple(renumbered_formula(formula, number) for formula in formulas))
    if not forced:
        return forced
    atoms = list(number)
    return frozenset(atoms[abs(i) - 1] * (1 if i > 0 else -1) for i in forced)


def consequences_of_formula(formula: Formula, known: Mapping[int, bool]) -> frozenset[int] | None:
    """Return the literals that a formula forces, given known atoms; None for a contradiction.

    This is `consequences_of_formulas([simplify(formula, known)])`, cached for all formulas of a shape. Most
    rules of a board have the same shape, so the steps of an easy board take two thirds of the time.
    """
    shape, atoms = formula_shape(formula)
    return shape.forced(atoms, known)


class ConsequenceTable(dict[int, "tuple[int, ...] | None"]):
    """{state of the atoms 1, 2, 3 and so on: the literals that formulas over these force}; None: a contradiction.

    Args:
        forced: returns these literals, given known atoms.
    """

    def __init__(self, forced: Callable[[dict[int, bool]], Collection[int] | None]) -> None:
        super().__init__()
        self._forced = forced
        self._needed: dict[tuple[int, tuple[int, ...], tuple[int, ...] | None], tuple[int, ...]] = {}

    def __missing__(self, state: int) -> tuple[int, ...] | None:
        """Return what a state forces."""
        if len(self) >= _MOST_STATES:
            self.clear()
            self._needed.clear()
        self[state] = answer = self.asked(state)
        return answer

    def asked(self, state: int) -> tuple[int, ...] | None:
        """Return what a state forces, without a look into the table."""
        known: dict[int, bool] = {}
        left, atom = state, 1
        while left:
            if left & 3:
                known[atom] = left & 3 == 1
            left, atom = left >> 2, atom + 1
        literals = self._forced(known)
        return None if literals is None else tuple(sorted(literals))

    def needed(self, state: int, parts: tuple[int, ...], forced: tuple[int, ...] | None) -> tuple[int, ...]:
        """Return a minimal choice of `parts` that, with the state, forces literals (None: a contradiction)."""
        key = state, parts, forced
        if key not in self._needed:

            def suffice(rest: list[int]) -> list[int] | None:
                literals = self[state + sum(rest)]
                if forced is None or literals is None:
                    return rest if literals is forced else None
                return rest if {*forced} <= {*literals} else None

            self._needed[key] = tuple(minimal_subset(parts, suffice))
        return self._needed[key]


def atoms_state(atoms: Iterable[int], known: Mapping[int, bool]) -> int:
    """Return the state of atoms, in the order of a table, two bits for each: 0b01 if it holds, 0b10 if it does not."""
    return sum([(1 if known[atom] else 2) << 2 * place for place, atom in enumerate(atoms) if atom in known])


class FormulaShape:
    """A formula over the atoms 1, 2, 3 and so on. It is compared by identity, which is quick."""

    def __init__(self, formula: Formula) -> None:
        self.formula = formula
        self.table = ConsequenceTable(lambda known: consequences_of_formulas([simplify(formula, known)]))
        """What it forces, by the state of its atoms."""

    def forced(self, atoms: Sequence[int], known: Mapping[int, bool]) -> frozenset[int] | None:
        """Return the literals that the formula over some atoms forces, given known ones; None for a contradiction."""
        literals = self.table[atoms_state(atoms, known)]
        return None if literals is None else frozenset([atoms[abs(i) - 1] * (1 if i > 0 else -1) for i in literals])


_shape_of = lru_cache(maxsize=Limits.MOST_SHAPES)(FormulaShape)


@lru_cache(maxsize=_MOST_FORMULAS)
def formula_shape(formula: Formula) -> tuple[FormulaShape, tuple[int, ...]]:
    """Return the shape of a formula, and its atoms in the order of their numbers there.

    Cached: steps of five boards take a twelfth longer without it.
    """
    number: dict[int, int] = {}
    return _shape_of(renumbered_formula(formula, number)), tuple(number)


def renumbered_formula(formula: Formula, number: dict[int, int]) -> Formula:
    """Return a formula with other numbers for its atoms; atoms that have none yet get the next ones."""
    if isinstance(formula, bool):
        return formula
    if isinstance(formula, int):
        new = number.setdefault(abs(formula), len(number) + 1)
        return new if formula > 0 else -new
    parts = [(weight, renumbered_formula(part, number)) for weight, part in formula.parts]
    parts.sort(key=lambda part: (part[0], part[1] if isinstance(part[1], int) else 0))
    return Threshold(formula.bound, tuple(parts))


@lru_cache(maxsize=Limits.MOST_SHAPES)
def _shape_consequences(shape: tuple[Formula, ...]) -> frozenset[int] | None:
    """Return the consequences of formulas over the atoms 1, 2, 3 and so on.

    What bounds alone force is taken out first. If each atom occurs once in what is left, nothing else follows. clingo
    is asked about the rest only, so a board with whispers takes a tenth less.
    """
    left = [simplify(formula, {}) for formula in shape]
    if any(formula is False for formula in left):
        return None
    certain = {abs(literal): literal > 0 for formula in left for literal in certain_formula_literals(formula) or ()}
    if certain:
        rest = consequences_of_formulas([simplify(formula, certain) for formula in left])
        return None if rest is None else rest | {atom if holds else -atom for atom, holds in certain.items()}
    often = [abs(literal) for formula in left for literal in formula_literals(formula)]
    atoms = {*often}
    if len(atoms) == len(often):
        return frozenset()
    guards = range(max(atoms) + 1, max(atoms) + 1 + len(left))
    forced = formula_search(dict(zip(guards, left, strict=True))).forced(guards, sorted(atoms))
    return None if forced is None else frozenset(forced)


def formula_search(
    formulas: Mapping[int, Formula],
    settings: Settings = DEFAULT,
    below: Callable[[Iterable[int]], Mapping[int, Sequence[RuleBody]]] | None = None,
    options: Sequence[str] = (),
) -> TranslatedFormulaSearch:
    """Return a search of formulas alone, which answers questions ten times as fast as one of a whole board.

    Args:
        formulas: {guard: the formula that holds if the guard does}; a guard can be the formula itself.
        settings: how to search.
        below: returns the ground rules of the atoms that formulas leave folded, and of what these depend on.
        options: options of clingo.
    """
    # It can be made when time is up, too; then its questions have no answer.
    search = program_search([], "", settings._replace(timeout=None), options).assuming((), settings)
    literal_of: dict[int, int] = {}
    # As text, the program would take five times as long.
    with search.backend() as backend:
        used = {abs(literal) for formula in formulas.values() for literal in formula_literals(formula)}
        folded = below(used) if below else {}
        used |= {abs(literal) for bodies in folded.values() for _, body in bodies for literal, _ in body}
        for number in sorted(used, key=folded.__contains__):
            literal_of[number] = atom = backend.add_atom() if number in folded else _choice(backend)
            literal_of[-number] = -atom
        for number, bodies in folded.items():
            for bound, body in bodies:
                parts = [(literal_of[literal], weight) for literal, weight in body]
                if bound == len(body) == sum(weight for _, weight in body):
                    backend.add_rule([literal_of[number]], [literal for literal, _ in parts])
                else:
                    backend.add_weight_rule([literal_of[number]], bound, parts)
        for guard, formula in formulas.items():
            if guard != formula:
                literal_of[guard] = _choice(backend)
                backend.add_rule([], [literal_of[guard], -_defined(formula, literal_of, backend)])
    return TranslatedFormulaSearch(search, literal_of)


def _defined(formula: Formula, literal_of: Mapping[int, int], backend: Backend) -> int:
    """Return a literal that holds exactly if a formula does."""
    if isinstance(formula, int) and not isinstance(formula, bool):
        return literal_of[formula]
    atom: int = backend.add_atom()
    if isinstance(formula, Threshold):
        parts = [(_defined(part, literal_of, backend), weight) for weight, part in formula.parts]
        backend.add_weight_rule([atom], formula.bound, parts)
    elif formula:
        backend.add_rule([atom])
    return atom


def _choice(backend: Backend) -> int:
    """Return a new atom that may hold."""
    atom: int = backend.add_atom()
    backend.add_rule([atom], choice=True)
    return atom


class TranslatedFormulaSearch:
    """A search that is asked about literals with other numbers than in its program.

    Args:
        search: the search of the program.
        own: {literal or guard: the literal of the program}; questions ignore all others.
    """

    def __init__(self, search: Search, own: Mapping[int, int]) -> None:
        self.search, self._own = search, dict(own)
        self.gave_up = False
        """Whether a question was given up after many conflicts."""

    def refute(self, literals: Iterable[int], most: int | None = None) -> list[int] | None:
        """Return a core of literals and guards; None if they can hold together, or if time ran out.

        Args:
            literals: what is to hold.
            most: conflicts after which the search is given up, with the same result.
        """
        return self.answer(literals, (), most)[0]

    def answer(
        self, literals: Iterable[int], atoms: Collection[int], most: int | None = None
    ) -> tuple[list[int] | None, list[int] | None]:
        """Return what `refute` does, and which of some atoms hold in a model; None if none was found."""
        asked = {self._own[literal]: literal for literal in literals if literal in self._own}

        def read(model: Model) -> list[int]:
            return [atom for atom in atoms if atom in self._own and model.is_true(self._own[atom])]

        models, core = self.search.solve_here([*asked], 1, read if atoms else None, most=most)
        self.gave_up |= core is None and not self.search.exhausted
        return None if core is None else [asked[literal] for literal in core], models[0] if models else None

    def forced(
        self, literals: Iterable[int], atoms: Iterable[int], most: int | None = None, *, opposed: bool = False
    ) -> set[int] | None:
        """Return the literals of some atoms that hold whenever these literals hold; None if these are unsatisfiable.

        Each model rules out many literals at once, so few questions are asked.

        Args:
            literals: what holds.
            atoms: the atoms of interest.
            most: conflicts after which the search for one literal is given up; then it is not among the result.
            opposed: whether models are to differ from one another; otherwise, as few atoms hold as possible.
        """
        assumed = [self._own[literal] for literal in literals if literal in self._own]
        number = {self._own[atom]: atom for atom in atoms if atom in self._own}
        possible = [*number]

        def read(model: Model) -> list[int]:
            return [literal for literal in possible if model.is_true(literal)]

        holding, core = self.search.solve_here(assumed, 1, read, most=most)
        if not holding:
            self.gave_up |= core is None
            return set() if core is None and most is not None else None
        possible = [*holding[0], *(-literal for literal in {*possible}.difference(holding[0]))]
        forced: set[int] = set()
        with uninterrupted():
            while possible:
                literal = possible.pop()
                signs = "pos" if opposed and literal < 0 else "asp"
                models, core = self.search.solve_here([*assumed, -literal], 1, read, signs, most)
                if models:
                    [possible] = models
                elif core is not None or most is None:
                    forced.add(number[abs(literal)] * (1 if literal > 0 else -1))
                else:
                    self.gave_up = True
        return forced

    def guards(self, groups: Mapping[_Group, Iterable[int]]) -> dict[_Group, int]:
        """Return for each group of literals one literal that stands for all of them in further questions.

        Questions with fewer literals are answered faster.

        Raises:
            OutOfTime: no more questions are possible.
        """
        first = _FIRST_GUARD + len(self._own)
        every = [[self._own[literal] for literal in literals if literal in self._own] for literals in groups.values()]
        own = self.search.guards(every)
        self._own |= dict(enumerate(own, first))
        return dict(zip(groups, range(first, first + len(own)), strict=True))

    def settle(self, literals: Iterable[int]) -> None:
        """Make literals true in all further questions, if any are possible."""
        self.search.settle(self._own[literal] for literal in literals if literal in self._own)
