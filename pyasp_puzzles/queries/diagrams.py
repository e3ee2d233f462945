"""Decision diagrams: what formulas over a few cells force together, one layer a cell, made as far as is asked.

Variable  (1, 2, 3): atoms of which just one holds, as of a cell; (7,): an atom that may hold or not
Option    0, 1, 2: the place of the atom that holds; of a single atom, 0 if it holds, 1 if not
State     what the formulas still demand after the first variables: assignments that leave the same come to one state
Diagram   its question: which options of each variable occur in the assignments that are left

A sum of nine cells has some hundred states, and millions of assignments. Boards share the diagrams of equal formulas.
"""

from __future__ import annotations

from bisect import insort
from functools import lru_cache, partial
from itertools import combinations
from operator import and_
from typing import TYPE_CHECKING

from pyasp_puzzles.limits import Limits
from pyasp_puzzles.queries.formulas import (
    ConsequenceTable,
    Threshold,
    certain_formula_literals,
    formula_conditions,
    formula_literals,
    simplify,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from pyasp_puzzles.queries.formulas import Formula

# States that a question visits, each as costly as it has sums; with more, it has no answer. Skyscrapers have many.
_MOST_VISITED = 60_000
_SIZE_OF_STATE = 10
# States of a diagram that are kept.
_MOST_STATES = 100_000
# Of a formula about so many variables, the options of one leave some of the other.
_TWO_VARIABLES = 2
# A sum that holds, or cannot hold, whatever comes; and one on which nothing depends.
_HOLDS, _FAILS, _IDLE = -1, -2, -3


class TooLargeDiagramError(Exception):
    """A question would visit too many states."""


class _State:
    """What is demanded after the first variables."""

    __slots__ = ("following", "held", "left", "sums")

    def __init__(self, left: tuple[int, ...], held: int, sums: tuple[int, ...]) -> None:
        self.left = left
        """The options of the next variables that the first ones leave, as bits."""
        self.held = held
        """The clauses that hold, as bits."""
        self.sums = sums
        self.following: dict[int, _State | None] = {}
        """{option of the next variable: the state after it}"""


class Diagram:
    """The assignments that formulas allow.

    Args:
        formulas: formulas over the atoms 1, 2, 3 and so on.
        variables: the variables, by how many atoms each has, in the order of these.
    """

    def __init__(self, formulas: Sequence[Formula], variables: Sequence[int]) -> None:
        self._sizes = [max(2, size) for size in variables]
        # {literal: the variable, and the options with which it holds}
        self._place: dict[int, tuple[int, tuple[int, ...]]] = {}
        self._atoms: list[range] = []
        first = 1
        for number, size in enumerate(variables):
            self._atoms.append(range(first, first + size))
            for option in range(size):
                self._place[first + option] = number, (option,)
                self._place[-first - option] = number, tuple(other for other in range(max(2, size)) if other != option)
            first += size
        # {atom: whether it holds} if an option of a variable does.
        self._known = [
            [{atom: place == option for place, atom in enumerate(atoms)} for option in range(size)]
            for atoms, size in zip(self._atoms, self._sizes, strict=True)
        ]
        full = tuple((1 << size) - 1 for size in self._sizes)
        self._first_left = [*full]
        # What an option of a variable leaves of others.
        self._leaves = [[[*full] for _ in range(size)] for size in self._sizes]
        # The clauses that hold with an option, and those that no later variable can satisfy.
        self._holding = [[0] * size for size in self._sizes]
        self._due = [0 for _ in self._sizes]
        # Sums, each after those it depends on: their bounds, what options add, and (weight, sum) of those.
        self._bounds: list[int] = []
        self._adds: list[list[list[int]]] = []
        self._below: list[list[tuple[int, int]]] = []
        self._sums: dict[Formula, int] = {}
        self._demanded: set[int] = set()
        self._clauses = 0
        self._fails = False
        for formula in formulas:
            for condition in formula_conditions(formula):
                self._demand(condition)
        every = range(len(self._bounds))
        self._above: list[list[int]] = [[] for _ in every]
        for number in every:
            for _, below in self._below[number]:
                self._above[below].append(number)
        # Of each sum: its bound, what it depends on, and what variables from one on add at least and at most.
        self._nodes = [(self._bounds[index], self._below[index], _ends(self._adds[index])) for index in every]
        # For each option of a variable: the sums that it adds to, and how much.
        self._added = [
            [[(index, more) for index in every if (more := self._adds[index][i][option])] for option in range(size)]
            for i, size in enumerate(self._sizes)
        ]
        # The sums that may be decided after so many variables: those that the last one adds to.
        self._touched = [
            [*every],
            *([index for index in every if any(self._adds[index][i])] for i in range(len(self._sizes))),
        ]
        self._most = _MOST_VISITED // (_SIZE_OF_STATE + len(self._bounds))
        self._made = 0
        self._clear()

    def _clear(self) -> None:
        """Forget all states."""
        self._made = 0
        self._layers: list[dict[tuple[object, ...], _State]] = [{} for _ in range(len(self._sizes) + 1)]
        sums = None if self._fails else self._settled([0] * len(self._bounds), 0)
        self._first = None if sums is None else self._state(0, tuple(self._first_left), 0, sums)

    def _demand(self, formula: Formula) -> None:
        """Add a formula that must hold."""
        if isinstance(formula, bool):
            self._fails |= not formula
            return
        about = sorted({self._place[abs(literal)][0] for literal in formula_literals(formula)})
        bound, parts = (formula.bound, formula.parts) if isinstance(formula, Threshold) else (1, ((1, formula),))
        literals = [part for _, part in parts if isinstance(part, int)]
        flat = len(literals) == len(parts)
        if len(about) == 1:
            self._first_left[about[0]] &= self._fitting(formula, about[0])
        elif flat and all(weight == 1 for weight, _ in parts) and bound == len(parts) - 1:
            for first, second in combinations(literals, 2):
                self._exclude(-first, -second)
        elif len(about) == _TWO_VARIABLES:
            variable, other = about
            for option in range(self._sizes[variable]):
                rest = simplify(formula, self._known[variable][option])
                self._leaves[variable][option][other] &= self._fitting(rest, other)
        elif flat and all(weight >= bound for weight, _ in parts):
            for number, options in map(self._place.__getitem__, literals):
                for option in options:
                    self._holding[number][option] |= 1 << self._clauses
            self._due[about[-1]] |= 1 << self._clauses
            self._clauses += 1
        else:
            self._demanded.add(self._sum(formula))

    def _fitting(self, formula: Formula, variable: int) -> int:
        """Return the options of a variable with which a formula about nothing else can hold, as bits."""
        every = range(self._sizes[variable])
        return sum(1 << option for option in every if simplify(formula, self._known[variable][option]) is not False)

    def _exclude(self, first: int, second: int) -> None:
        """Demand that two literals do not hold together."""
        (variable, options), (other, further) = sorted((self._place[first], self._place[second]))
        for option in options:
            if variable != other:
                self._leaves[variable][option][other] &= ~sum(1 << place for place in further)
            elif option in further:
                self._first_left[variable] &= ~(1 << option)

    def _sum(self, formula: Formula) -> int:
        """Return the number of the sum of a formula."""
        if formula not in self._sums:
            adds = [[0] * size for size in self._sizes]
            below: list[tuple[int, int]] = []
            bound, parts = (formula.bound, formula.parts) if isinstance(formula, Threshold) else (1, ((1, formula),))
            for weight, part in parts:
                if isinstance(part, Threshold):
                    below.append((weight, self._sum(part)))
                elif not isinstance(part, bool):
                    number, options = self._place[part]
                    for option in options:
                        adds[number][option] += weight
            self._sums[formula] = len(self._bounds)
            self._bounds.append(bound)
            self._adds.append(adds)
            self._below.append(below)
        return self._sums[formula]

    def _settled(self, sums: list[int], assigned: int) -> tuple[int, ...] | None:
        """Return sums after the first variables, as far as something depends on them; None if they cannot hold."""
        decided: list[int] = []
        waiting = [*self._touched[assigned]]
        for number in waiting:  # a sum that is decided may decide those above it, which are further on
            value = sums[number]
            if value < 0:
                continue
            bound, below, ends = self._nodes[number]
            least, most = ends[assigned]
            least, most = least + value, most + value
            for weight, other in below:
                least += weight if sums[other] == _HOLDS else 0
                most += weight if sums[other] != _FAILS else 0
            if least < bound <= most:
                continue
            sums[number] = _HOLDS if least >= bound else _FAILS
            if most < bound and number in self._demanded:
                return None
            decided.append(number)
            for above in self._above[number]:
                insort(waiting, above)
        while decided:
            for _, number in self._below[decided.pop()]:
                needed = sums[number] != _IDLE and number not in self._demanded
                if needed and max([sums[above] for above in self._above[number]]) < 0:
                    sums[number] = _IDLE
                    decided.append(number)
        return tuple(sums)

    def _state(self, assigned: int, left: tuple[int, ...], held: int, sums: tuple[int, ...]) -> _State:
        """Return a state after the first variables."""
        key = left, held, sums
        state = self._layers[assigned].get(key)
        if state is None:
            self._made += 1
            state = self._layers[assigned][key] = _State(left, held, sums)
        return state

    def _next(self, number: int, state: _State, option: int) -> _State | None:
        """Return the state after an option of a variable; None if the formulas cannot hold then."""
        left = tuple(map(and_, state.left[1:], self._leaves[number][option][number + 1 :]))
        held = state.held | self._holding[number][option]
        if 0 in left or self._due[number] & ~held:
            return None
        sums: tuple[int, ...] | None = ()
        if state.sums:
            values = [*state.sums]
            for index, more in self._added[number][option]:
                if values[index] >= 0:
                    values[index] += more
            sums = self._settled(values, number + 1)
        return None if sums is None else self._state(number + 1, left, held, sums)

    def left(self, options: Sequence[int]) -> list[int] | None:
        """Return which of some options of each variable occur in an assignment of these, as bits; None if none do.

        Raises:
            TooLargeDiagramError: there are too many states.
        """
        if self._made > _MOST_STATES:
            self._clear()
        layers: list[Collection[_State]] = [] if self._first is None else [[self._first]]
        places = [
            [place for place in range(size) if mask >> place & 1]
            for mask, size in zip(options, self._sizes, strict=True)
        ]
        visited = 0
        for number, allowed in enumerate(places if layers else ()):
            layers.append(self._reached(number, layers[-1], allowed))
            visited += len(layers[-1])
            if visited > self._most:
                raise TooLargeDiagramError
        masks = []
        alive = {*layers.pop()} if layers else set()
        for allowed in reversed(places):
            if not alive:
                return None
            mask, above = 0, set()
            for state in layers.pop():
                for option in allowed:
                    if state.following.get(option) in alive:
                        mask |= 1 << option
                        above.add(state)
            masks.append(mask)
            alive = above
        return masks[::-1]

    def _reached(self, number: int, states: Iterable[_State], options: Sequence[int]) -> dict[_State, None]:
        """Return the states that some options of a variable lead to."""
        reached: dict[_State, None] = {}
        for state in states:
            following, left = state.following, state.left[0]
            for option in options:
                if left >> option & 1:
                    if option not in following:
                        following[option] = self._next(number, state, option)
                    after = following[option]
                    if after is not None:
                        reached[after] = None
        return reached


def _ends(adds: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Return what variables from the first, second and so on add at least and at most, given what their options add."""
    ends = [(0, 0)]
    for amounts in reversed(adds):
        least, most = ends[-1]
        ends.append((least + min(amounts), most + max(amounts)))
    return ends[::-1]


@lru_cache(maxsize=Limits.MOST_SHAPES)
def _diagram(formulas: tuple[Formula, ...], variables: tuple[int, ...]) -> Diagram:
    """Return the diagram of formulas; equal ones, as of 40 dots, share what was asked of it.

    Cached: steps of five boards take a seventh longer without it.
    """
    return Diagram(formulas, variables)


class DiagramTable(ConsequenceTable):
    """The propagator of rules over the same cells: {state of the atoms: the literals that these rules force}.

    Args:
        formulas: {rule: its formula over the atoms 1, 2, 3 and so on}.
        cells: how many atoms each cell has, in order, and its one-value rule; -1 if there is none.
    """

    def __init__(self, formulas: Mapping[int, Formula], cells: Sequence[tuple[int, int]]) -> None:
        super().__init__(lambda _: None)
        self._formulas, self._cells = formulas, cells
        self._granting: dict[tuple[int, ...], ConsequenceTable] = {}
        self.rules = (*formulas, *(rule for _, rule in cells if rule >= 0))
        """The rules that are used."""
        sizes = [size for size, _ in cells]
        self._diagram = _diagram(tuple(formulas.values()), tuple(sizes))
        self._variables: list[tuple[int, int]] = []
        for size in sizes:
            self._variables.append((sum(length for _, length in self._variables), size))

    def asked(self, state: int) -> tuple[int, ...] | None:
        """Return what a state forces.

        Raises:
            TooLargeDiagramError: there are too many states.
        """
        options = [_options(state >> 2 * first & (1 << 2 * size) - 1, size) for first, size in self._variables]
        left = self._diagram.left(options)
        if left is None:
            return None
        forced: list[int] = []
        for (first, size), before, after in zip(self._variables, options, left, strict=True):
            if size == 1:
                forced += [] if after == before else [first + 1 if after == 1 else -first - 1]
                continue
            only = not after & after - 1
            for place in range(size):
                if not state >> 2 * (first + place) & 3 and (only or not after >> place & 1):
                    forced.append(first + place + 1 if after >> place & 1 else -first - place - 1)
        return tuple(sorted(forced))

    def __missing__(self, state: int) -> tuple[int, ...] | None:
        """Return what a state forces; nothing if that takes too many states."""
        try:
            return super().__missing__(state)
        except TooLargeDiagramError:
            self[state] = ()
            return ()

    def needed(self, state: int, parts: tuple[int, ...], forced: tuple[int, ...] | None) -> tuple[int, ...]:
        """Return the same as the base class; whole cells are left out first, as they are fewer."""
        of_cell: dict[int, int] = {}
        for part in parts:
            shift = next(first for first, size in self._variables if part < 1 << 2 * (first + size))
            of_cell[shift] = of_cell.get(shift, 0) | part
        cells_needed = super().needed(state, tuple(of_cell.values()), forced)
        return super().needed(state, tuple(part for part in parts if any(part & bits for bits in cells_needed)), forced)

    def granting(self, given: Collection[int]) -> ConsequenceTable:
        """Return the table of some of the rules; it is incomplete if a cell may hold several values by these."""
        used = tuple([rule for rule in self.rules if rule in given])
        if used not in self._granting:
            whole = all(rule < 0 or rule in used for _, rule in self._cells)
            formulas = {rule: formula for rule, formula in self._formulas.items() if rule in used}
            self._granting[used] = (
                DiagramTable(formulas, self._cells)
                if whole
                else ConsequenceTable(partial(_certain, [*formulas.values()]))
            )
        return self._granting[used]


def _certain(formulas: Iterable[Formula], known: Mapping[int, bool]) -> list[int] | None:
    """Return the literals that single formulas force by their bounds; None if one cannot hold."""
    certain = [certain_formula_literals(simplify(formula, known)) for formula in formulas]
    return None if None in certain else [literal for literals in certain for literal in literals or ()]


def _options(state: int, size: int) -> int:
    """Return which options of a variable are left, by the state of its atoms."""
    bits = [state >> 2 * place & 3 for place in range(size)]
    if size == 1:
        return (3, 1, 2)[bits[0]]
    holding = [place for place in range(size) if bits[place] == 1]
    if holding:
        return 1 << holding[0] if len(holding) == 1 else 0
    return sum(1 << place for place in range(size) if not bits[place])
