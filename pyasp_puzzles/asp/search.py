"""`Search`: the search of a ground program for models, their number, their consequences, cores of assumptions.

clingo works in threads of its own: a blocking call into it receives no signal, so it could neither be interrupted nor
stop when time is up. Only small programs, which take milliseconds, run in the calling thread.
"""

from __future__ import annotations

import atexit
from collections import deque
from contextlib import contextmanager, suppress
from functools import cache
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Any

from clingo.propagator import Propagator

from pyasp_puzzles.asp.deadline import uninterrupted
from pyasp_puzzles.asp.grounding import Grounding
from pyasp_puzzles.asp.settings import DEFAULT, Settings
from pyasp_puzzles.errors import OutOfTime
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from clingo import Assignment, Control, Model, SolveHandle, Symbol
    from clingo.backend import Backend, Observer
    from clingo.propagator import PropagateInit

    from pyasp_puzzles.asp.deadline import Deadline, Result
    from pyasp_puzzles.asp.rules import RuleFile
    from pyasp_puzzles.errors import EncodingError

# If a program is quick to ground, a few models are searched for in this thread, up to this many conflicts: 0.26 ms for
# a Sudoku of a list, not 0.36.
_FEW_MODELS = 2
_QUICK_CONFLICTS = 2000
# Conflicts before `solve_here` first checks the time, if it has no limit of conflicts; doubled each time.
_FIRST_CONFLICTS = 1000
# With a limit, the time is checked after `_QUICK_CONFLICTS` if fewer seconds than this are left: to begin again doubles
# the time of hard questions.
_SECONDS_OF_QUESTION = 5
# Seconds between checks for Ctrl-C while clingo searches for the next model.
_WAKE_SECONDS = 0.05

# Options for a program with `#heuristic` statements: a blank 100x100 Tectonic takes 0.3 s with those of its pruning.lp,
# and over 25 s without. For other programs, the options would only change clingo's cores.
GUIDED_SEARCH = ("--heuristic=Domain",)
# Options for many boards of one shape, whose questions are short: minimizing learned nogoods is not worth its time. The
# hardest Sudokus take 0.90 of the instructions, but new boards of strips four times as long.
SEARCH_QUICKLY = ("--strengthen=no",)
# Options for diverse models: clingo decides atoms in their order, so freely chosen ones come first. In a shading of
# connected cells, a model then rules out 90 candidates, not 5.
SEARCH_IN_TURN = ("--heuristic=None", "--save-progress=0")
# Options for many guided questions: with more than 160 assumptions, clingo would repeat its last choices.
SEARCH_ANEW = (*GUIDED_SEARCH, "--save-progress=0")


class Search:
    """Questions asked of a ground program; several searches share one, and each alone knows its time and assumptions.

    When time runs out, results hold what was found until then.

    Args:
        grounding: the program.
        settings: the time limit.
        assumed: the assumptions of all questions, except those of `refute` and `solve_here`.
    """

    def __init__(self, grounding: Grounding, settings: Settings, assumed: Sequence[int] = ()) -> None:
        self._grounding, self._deadline, self.assumed = grounding, settings.deadline(), assumed
        self.exhausted = False
        """Whether the last question was answered in full: there are no more models, or `refute` knows the answer."""
        self.timed_out = False
        self.abandoned = False
        """Whether clingo still works on something that cannot be stopped; no more questions are possible."""
        self.counted = 0
        """The number of models that the last `count` found."""
        self.seconds = {"ground": 0.0, "solve": 0.0}
        # Identifies this search to the grounding. A reference to the search itself would be a cycle, and keep its
        # memory.
        self._key = object()

    @property
    def warnings(self) -> Sequence[EncodingError]:
        """What is suspicious in the user's files."""
        return self._grounding.warnings

    def warn(self, more: Sequence[EncodingError]) -> None:
        """Add warnings."""
        self._grounding.warnings = [*self.warnings, *more][: Limits.MOST_WARNINGS]

    @contextmanager
    def _control(self) -> Iterator[Control | None]:
        """Provide exclusive access to the control, or None if it is unusable.

        If another search keeps the control for longer than grounding took, this one grounds again. That takes at most
        twice as long as the better choice, and cannot deadlock.
        """
        grounding = self._grounding
        if not self.abandoned and not grounding.acquire(min(grounding.seconds, self._deadline.left())):
            grounding = grounding.again(self._deadline)
            grounding.acquire(0)
            self._grounding, self.abandoned = grounding, grounding.abandoned
        if self.abandoned or grounding.unusable:
            yield None
            return
        try:
            yield grounding.control
        finally:
            if self.abandoned:
                grounding.unusable = True
            else:
                grounding.release()

    @property
    def deadline(self) -> Deadline:
        """Return when the time for questions ends."""
        return self._deadline

    @property
    def usable(self) -> bool:
        """Whether questions can be asked."""
        return not self.abandoned and not self._grounding.unusable

    def check(self) -> None:
        """Raise `OutOfTime` if time ran out in grounding or in the last question."""
        if self.timed_out or not self.usable:
            raise OutOfTime

    def assuming(self, literals: Sequence[int], settings: Settings) -> Search:
        """Return a search on the same grounding, with these assumptions and the time limit of the settings."""
        return Search(self._grounding, settings, literals)

    def again(self, settings: Settings) -> Search:
        """Return a search of the same program, ground in another control, with the same literals."""
        return Search(self._grounding.again(settings.deadline()), settings)

    def atoms(self, name: str, arity: int) -> Mapping[Symbol, int]:
        """Return {atom: its literal} for the atoms of a predicate that may hold; the literal of a fact is 0."""
        cache = self._grounding.atoms
        if (name, arity) not in cache:
            with self._control() as control:
                if control is None:
                    return {}
                symbolic_atoms = control.symbolic_atoms.by_signature(name, arity)
                cache[name, arity] = {atom.symbol: 0 if atom.is_fact else atom.literal for atom in symbolic_atoms}
        return cache[name, arity]

    def literals(self, signatures: Iterable[tuple[str, int]]) -> dict[Symbol, int]:
        """Return what `atoms` returns for some predicates."""
        return {atom: literal for signature in signatures for atom, literal in self.atoms(*signature).items()}

    def signatures(self) -> list[tuple[str, int]]:
        """Return the name and the arity of each predicate that has atoms which may hold."""
        with self._control() as control:
            return [] if control is None else [(name, arity) for name, arity, _ in control.symbolic_atoms.signatures]

    def once(self, key: object, make: Callable[[], Result]) -> Result:
        """Return what `make` returns for the ground program; cached by key for all searches on it."""
        made = self._grounding.made
        if key not in made:
            made[key] = make()
        result: Result = made[key]
        return result

    def groups(self, name: str, arity: int) -> Mapping[Symbol, Mapping[Symbol, int]]:
        """Return {first argument: what `atoms` returns for it}."""
        groups: dict[Symbol, dict[Symbol, int]] = self.once(("groups", name, arity), dict)
        if not groups:
            for atom, literal in self.atoms(name, arity).items():
                groups.setdefault(atom.arguments[0], {})[atom] = literal
        return groups

    def facts(self, name: str, arity: int) -> list[Symbol]:
        """Return the atoms of a predicate that are facts after grounding, without solving."""
        return [atom for atom, literal in self.atoms(name, arity).items() if not literal]

    def models(self, limit: int = 0) -> Iterator[Sequence[Symbol]]:
        """Yield the shown atoms of each model, at most `limit` of them (0: all), no two alike; unsorted."""
        if self._grounding.small and 0 < limit <= _FEW_MODELS:
            models, core = self.solve_here(self.assumed, limit, _shown, most=_QUICK_CONFLICTS)
            if models or core is not None:
                yield from models
                return
        yield from map(_shown, self._solve(limit))

    def count(self, limit: int = 0) -> int:
        """Return the number of models, at most `limit` (0: no limit), without reading them into Python."""
        for _ in self._solve(limit, read=False):
            pass
        return self.counted

    def consequences(self, kind: str) -> Sequence[Symbol] | None:
        """Return the shown atoms of every model (`cautious`) or of any (`brave`); None if no model was found.

        When time runs out, `exhausted` is false, and these are too many (`cautious`) or too few (`brave`).
        """
        return _last(map(_shown, self._solve(enum_mode=kind)))

    def best(self) -> Sequence[Symbol] | None:
        """Return the shown atoms of a model that is optimal by the program's minimize statements; None without one."""
        return _last(map(_shown, self._solve()))  # each model is better than the one before

    def optima(self, limit: int) -> list[Sequence[Symbol]]:
        """Return the shown atoms of each optimal model, at most `limit` of them."""
        models: dict[frozenset[Symbol], Sequence[Symbol]] = {}

        for model in self._solve(opt_mode="optN"):
            if model.optimality_proven:
                symbols = model.symbols(shown=True)
                models.setdefault(frozenset(symbols), symbols)
            if len(models) == limit:
                break
        return list(models.values())

    @contextmanager
    def backend(self) -> Iterator[Backend]:
        """Provide clingo's backend, which adds ground rules to the program.

        Raises:
            OutOfTime: no more questions are possible.
        """
        with self._control() as control:
            if control is None:
                raise OutOfTime
            with uninterrupted(), control.backend() as backend:
                yield backend

    def forbid(self, literals: Sequence[int]) -> int:
        """Return a literal to assume so that not all of the literals hold."""
        with self.backend() as backend:
            guard: int = backend.add_atom()
            backend.add_rule([guard], choice=True)
            backend.add_rule([], [guard, *literals])
        return guard

    def guards(self, groups: Sequence[Sequence[int]]) -> list[int]:
        """Return a literal for each group of literals; to assume it is to assume all of them.

        Raises:
            OutOfTime: no more questions are possible.
        """
        with self.backend() as backend:
            guards = [backend.add_atom() for _ in groups]
            backend.add_rule(guards, choice=True)
            for guard, literals in zip(guards, groups, strict=True):
                for literal in literals:
                    backend.add_rule([], [guard, -literal])
        return guards

    def register(self, propagator: Propagator) -> None:
        """Let a propagator see all further questions."""
        with self._control() as control:
            if control is not None:
                control.register_propagator(propagator)

    def settle(self, literals: Iterable[int]) -> None:
        """Make literals true in all further questions, if any are possible."""
        with suppress(OutOfTime), self.backend() as backend:
            for literal in literals:
                backend.add_rule([], [-literal])

    def smallest_correction_set(self, groups: Sequence[Sequence[int]]) -> list[int] | None:
        """Return the indices of the fewest groups of literals to give up so that the others can hold together.

        None if the program has no model, or if time ran out (then `exhausted` is false). This changes the program, so
        it must be the last question. Of several smallest sets, hitting sets of cores would find others.
        """
        try:
            with self.backend() as backend:
                given_up = [backend.add_atom() for _ in groups]
                backend.add_rule(given_up, choice=True)
                for atom, literals in zip(given_up, groups, strict=True):
                    for literal in literals:
                        backend.add_rule([], [-literal, -atom])
                backend.add_minimize(0, [(atom, 1) for atom in given_up])
        except OutOfTime:
            self.exhausted = False
            return None
        best: list[int] | None = None
        for model in self._solve():
            best = [i for i, atom in enumerate(given_up) if model.is_true(atom)]
        return best

    def refute(self, literals: Sequence[int], most: int | None = None, given: Sequence[int] = ()) -> list[int] | None:
        """Return a core of literals, in their order; None if they can hold together, or if time ran out.

        Args:
            literals: the assumptions.
            most: conflicts after which the search is given up, with the same result.
            given: further assumptions, which are no part of the core.
        """
        core, parts = self.solve_here([*given, *literals], 1, None, most=most)[1], {*literals}
        return None if core is None else [literal for literal in core if literal in parts]

    def find(
        self,
        literals: Sequence[int],
        limit: int,
        read: Callable[[Model], Result],
        signs: str = "asp",
        most: int | None = None,
    ) -> list[Result]:
        """Return what `solve_here` reads from models.

        Raises:
            OutOfTime: time ran out.
        """
        results, _ = self.solve_here(literals, limit, read, signs, most)
        self.check()
        return results

    def solve_here(
        self,
        literals: Sequence[int],
        limit: int,
        read: Callable[[Model], Result] | None,
        signs: str = "asp",
        most: int | None = None,
    ) -> tuple[list[Result], list[int] | None]:
        """Return what `read` returns for each model, with only these assumptions; without a model, a core of them.

        This runs in the calling thread: starting another takes twice as long as most of these questions. If time runs
        out, nothing is found, and `timed_out` is true.

        Args:
            literals: the assumptions.
            limit: the most models.
            read: reads a model; None if it is enough that there is one, which takes two thirds of the time.
            signs: which value atoms are given first: "asp" for false, "pos" for true.
            most: conflicts after which the search is given up; then nothing is found, and `exhausted` is false.
        """
        self.exhausted = self.timed_out = False
        conflicts = _FIRST_CONFLICTS
        if most is not None:
            conflicts = most if self._deadline.left() > _SECONDS_OF_QUESTION else min(most, _QUICK_CONFLICTS)
        while not self._deadline.late():
            started = monotonic()
            with self._control() as control:
                if control is None:
                    break
                self._grounding.configure(self._key, limit, solve_limit=str(conflicts), sign_def=signs)
                with uninterrupted(), control.solve(literals, yield_=True) as handle:
                    results = []
                    if read is not None:
                        for model in handle:
                            results.append(read(model))
                            if limit != 1 and self._deadline.late():
                                break
                    result = handle.get()
                    ended = bool(result.satisfiable) if read is None else len(results) == limit
                    if result.unsatisfiable or result.exhausted or ended:
                        self.exhausted = read is None or bool(result.exhausted)
                        self.seconds["solve"] += monotonic() - started
                        return results, self._core(handle, literals) if result.unsatisfiable else None
            if most is not None and conflicts >= most:
                return [], None
            possible = conflicts * self._deadline.left() / max(1e-9, monotonic() - started)  # in the time that is left
            # clingo has deleted its learned nogoods, so with a limit, the next try has all conflicts.
            conflicts = max(_FIRST_CONFLICTS, int(min(2 * conflicts if most is None else most, possible)))
        self.timed_out = True
        return [], None

    @staticmethod
    def _core(handle: SolveHandle, literals: Sequence[int]) -> list[int]:
        """Return the literals of a core; clingo assumes the values of externals, too."""
        given = {*literals}
        return [literal for literal in handle.core() if literal in given]

    def statistics(self) -> dict[str, float]:
        """Return the times in seconds, and the sizes of the program and of the last question's search.

        If another search has used the control since, only the times.
        """
        statistics: dict[str, Any] = {}
        with self._control() as control:
            if control is not None and self._grounding.last_user is self._key:
                statistics = control.statistics
        if not statistics:
            return dict(self.seconds)
        solver, program = statistics.get("solving", {}).get("solvers", {}), statistics.get("problem", {}).get("lp", {})
        sizes = {key: int(program.get(key, 0)) for key in ("atoms", "rules")}
        return self.seconds | sizes | {key: int(solver.get(key, 0)) for key in ("choices", "conflicts")}

    def _solve(
        self, limit: int = 0, *, read: bool = True, enum_mode: str = "auto", opt_mode: str = "opt"
    ) -> Iterator[Model]:
        """Yield the models as they are found, until the search ends or time is up; none if they are not read."""
        self.exhausted, self.counted = False, 0
        self.timed_out = self._deadline.late()
        if self.abandoned or self.timed_out:
            return
        with self._control() as control:
            if control is None:
                return
            self._grounding.configure(self._key, limit, enum_mode=enum_mode, opt_mode=opt_mode)
            assumed = self.assumed
            for handle in self._run(lambda: control.solve(assumed, yield_=read, async_=True)):
                try:
                    yield from self._models(handle)
                finally:
                    if not read:
                        self.counted = int(control.statistics["summary"]["models"]["enumerated"])

    def _models(self, handle: SolveHandle) -> Iterator[Model]:
        started = monotonic()
        with handle:
            _running().add(handle)
            try:
                while not self.timed_out:
                    # Ctrl-C is heard only between waits.
                    ready = handle.wait(min(_WAKE_SECONDS, self._deadline.left()))
                    model = handle.model() if ready else None
                    if ready and model is None:
                        break
                    self.timed_out = self._deadline.late()
                    if model is not None and not self.timed_out:
                        yield model
                        handle.resume()
            finally:
                handle.cancel()
                _running().discard(handle)
                self.seconds["solve"] += monotonic() - started
            try:
                self.exhausted = bool(handle.get().exhausted)
            except RuntimeError as error:
                raise self._grounding.error(error) from None

    def _run(self, work: Callable[[], Result]) -> list[Result]:
        """Return `[work()]`, or an empty list if time runs out. If already late, only small programs start."""
        if not self._grounding.small and self._deadline.late():
            self.timed_out = True
            return []
        self.abandoned = True  # until the work ends; Ctrl-C leaves it so
        try:
            results = self._grounding.run(work, self._deadline.left())
        except Exception:
            self.abandoned = False
            raise
        self.abandoned, self.timed_out = not results, not results or self._deadline.late()
        return results


def program_search(
    encodings: Sequence[RuleFile],
    program: str,
    settings: Settings = DEFAULT,
    options: Sequence[str] = (),
    observer: Observer | None = None,
) -> Search:
    """Return the search of a program, ground for it; arguments and errors as for `Grounding`."""
    settings = settings.started()
    grounding = Grounding(encodings, program, settings, options, observer)
    search = Search(grounding, settings)
    search.seconds["ground"] = grounding.seconds
    search.abandoned, search.timed_out = grounding.abandoned, grounding.unusable or search.deadline.late()
    return search


@cache
def _running() -> set[SolveHandle]:
    """Return the handles of searches in clingo's own threads, cancelled at exit: Python would abort otherwise."""
    handles: set[SolveHandle] = set()

    def cancel() -> None:
        for handle in tuple(handles):
            handle.cancel()

    atexit.register(cancel)
    return handles


def _shown(model: Model) -> Sequence[Symbol]:
    return model.symbols(shown=True)


def _last(models: Iterable[Sequence[Symbol]]) -> Sequence[Symbol] | None:
    last = deque(models, maxlen=1)
    return last[0] if last else None


# -- Decisions -----------------------------------------------------------------------------------------------------

# Decisions per group before the rest is left to clingo: in random order, a few boards take far too many.
MOST_DECISIONS = 10


class Decisions(Propagator):
    """A propagator that observes or takes decisions. Create it before the first question of the search.

    Questions may come from another search on the same grounding.
    """

    def __init__(self, search: Search) -> None:
        # Whether there was any decision since a question began.
        self._decided = False
        self._groups: Sequence[Sequence[int]] = ()
        # How many decisions are still taken in order.
        self._left: float = 0
        # The groups, as literals of the solver.
        self._solver: list[list[int]] = []
        # {decision level: how many of the first groups have a literal that holds there}
        self._settled: dict[int, int] = {}
        search.register(self)

    def needless(self, search: Search, literals: Sequence[int], model: Iterable[int]) -> bool:
        """Return whether unit propagation alone leads from literals to a model; errors as for `first`.

        Decisions follow the given model, so there is no conflict. From a conflict, clingo would learn a nogood, which
        propagates more in the next question.
        """
        self._decided = False
        result, _ = self.first(search, [[literal] for literal in model], lambda _: not self._decided, given=literals)
        return bool(result)

    def first(
        self,
        search: Search,
        groups: Sequence[Sequence[int]],
        read: Callable[[Model], Result],
        most: int | None = None,
        given: Sequence[int] = (),
    ) -> tuple[Result | None, bool]:
        """Return what is read from the lexicographically first model: each group's first possible literal is true.

        None if there is no model, or none within `most` conflicts. The literals `given` are assumptions.

        Which literal is possible depends on those of earlier groups. Deciding in this order finds that model, because
        learned nogoods hold in all models. The second value is false if this takes too many decisions, and no limit of
        conflicts is given: then clingo decides the rest in its own order, and finds another model.

        Raises:
            OutOfTime: time ran out.
        """
        self._groups, self._left = groups, MOST_DECISIONS * len(groups) if most is None else inf
        try:
            results = search.find(given, 1, read, most=most)
        finally:
            self._groups = ()
        return results[0] if results else None, self._left > 0

    def init(self, init: PropagateInit) -> None:
        """Look up the literals of the groups; watch none."""
        self._solver = [[init.solver_literal(literal) for literal in group] for group in self._groups]
        self._settled = {}

    def decide(self, thread_id: int, assignment: Assignment, fallback: int) -> int:
        """Return the next literal in order; 0 leaves the decision to clingo."""
        del thread_id, fallback
        self._decided = True
        self._left -= 1
        if self._left <= 0:
            return 0
        level = assignment.decision_level
        first = self._settled.get(level - 1, 0)
        for i in range(first, len(self._solver)):
            for literal in self._solver[i]:
                value = assignment.value(literal)
                if value is None:
                    self._settled[level] = i
                    return literal
                if value:
                    break
        return 0
