"""`Search`, a grounded program that is solved: its models, their number, their consequences, and cores."""

from __future__ import annotations

from collections import deque
from threading import Event
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, TypeVar

from pyasp_puzzles.asp.control import Grounded

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from clingo import Model, SolveHandle, SolveResult, Symbol


PATIENCE = 0.05
"""Seconds between looks at models that came, but were not worth an announcement of their own."""
BUNCH = 0.005
"""Seconds within which models are announced together: a change of threads takes longer than a model."""
FEW = 2
"""Models that are looked for at once."""
CONFLICTS = 2000
"""Conflicts after which a search is no quick one, and begins anew so that it can be interrupted."""
MOST_WAITING = 500
"""Models that may wait to be taken before the search pauses, so that memory stays flat."""


class Search(Grounded):
    """A grounded program, and what is asked of it; where time runs out, the answer is what was found until then.

    Raises:
        EncodingError: the program cannot be read or grounded.
    """

    _mode = "auto"
    """How models are enumerated."""
    _opt_mode = "opt"
    """Which models of a program that minimises something are looked for: better and better ones, or all of the best."""
    counted = 0
    """How many models the last `count` has found."""

    def models(self, limit: int = 0) -> Iterator[Sequence[Symbol]]:
        """Yield the shown atoms of each model, at most `limit` of them (0: all), no two alike; unsorted."""
        if self._small and 0 < limit <= FEW and self._mode == "auto":
            found = self._at_once(limit)
            if found is not None:
                yield from found
                return
        waiting: deque[Sequence[Symbol]] = deque()
        news, stop = Event(), Event()
        told = 0.0

        def on_model(model: Model) -> bool:
            nonlocal told
            waiting.append(model.symbols(shown=True))
            if monotonic() - told > BUNCH:
                told = monotonic()
                news.set()
            while len(waiting) > MOST_WAITING and not stop.is_set():
                sleep(BUNCH)
            return not stop.is_set()

        for _ in self._solve(limit, news, stop, on_model):
            while waiting and not self._late():
                yield waiting.popleft()
        yield from waiting

    def _at_once(self, limit: int) -> list[Sequence[Symbol]] | None:
        """Return the models of a program that is quick to solve, or None if it is not: no thread is made for it."""
        if self.abandoned or self._late():
            return None
        started = monotonic()
        with self._working() as control:
            if control is None:
                return None
            self._configure(models=str(limit), enum_mode=self._mode, solve_limit=str(CONFLICTS))
            with control.solve(self.assumed, yield_=True) as handle:
                found = [model.symbols(shown=True) for model in handle]
                self.exhausted = bool(handle.get().exhausted)
        self.seconds["solve"] += monotonic() - started
        return found if self.exhausted or len(found) == limit else None

    def count(self, limit: int = 0) -> int:
        """Return how many models there are, at most `limit` (0: all); none of them comes to Python."""
        for _ in self._solve(limit, Event(), Event()):
            pass
        return self.counted

    def consequences(self, kind: str) -> Sequence[Symbol] | None:
        """Return the shown atoms of every model (`cautious`), or of any (`brave`); None if no model was found.

        Where time runs out, and `exhausted` is false, they are too many for `cautious` and too few for `brave`.
        """
        self._mode = kind
        try:
            return self.best()
        finally:
            self._mode = "auto"

    def best(self) -> Sequence[Symbol] | None:
        """Return the shown atoms of a model that minimises what the program wants minimised; None if there is none."""
        last = deque(self.models(), maxlen=1)  # each model is better than the one before
        return last[0] if last else None

    def optima(self, limit: int) -> list[Sequence[Symbol]]:
        """Return the shown atoms of the models that minimise what the program wants minimised, at most so many."""
        found: dict[frozenset[Symbol], Sequence[Symbol]] = {}

        def on_model(model: Model) -> bool:
            if model.optimality_proven:
                symbols = model.symbols(shown=True)
                found.setdefault(frozenset(symbols), symbols)
            return len(found) < limit

        self._opt_mode = "optN"
        try:
            for _ in self._solve(0, Event(), Event(), on_model):
                pass
        finally:
            self._opt_mode = "opt"
        return list(found.values())

    def forbid(self, literals: Sequence[int]) -> int:
        """Return a literal: where it is assumed, not all of some literals hold."""
        with self._working() as control:
            assert control is not None, "what was abandoned is asked nothing"
            with control.backend() as backend:
                guard: int = backend.add_atom()
                backend.add_rule([guard], choice=True)
                backend.add_rule([], [guard, *literals])
        return guard

    def fewest(self, groups: Sequence[Sequence[int]]) -> list[int] | None:
        """Return the fewest groups of literals, by their numbers, to give up so that all others can hold at once.

        None if the program has no model, or if time ran out (then `exhausted` is false). The program can be asked
        nothing else afterwards.
        """
        with self._working() as control:
            if control is None:
                return None
            with control.backend() as backend:
                given_up = [backend.add_atom() for _ in groups]
                backend.add_rule(given_up, choice=True)
                for atom, literals in zip(given_up, groups, strict=True):
                    for literal in literals:
                        backend.add_rule([], [-literal, -atom])
                backend.add_minimize(0, [(atom, 1) for atom in given_up])
        best: list[list[int]] = []

        def on_model(model: Model) -> bool:
            best.append([i for i, atom in enumerate(given_up) if model.is_true(atom)])
            return True

        for _ in self._solve(0, Event(), Event(), on_model):
            pass
        return best[-1] if best else None

    def statistics(self) -> dict[str, float]:
        """Return the times, in seconds, and the sizes of the program and of the last question's search.

        Where others share the control, and have asked it something since, there are only the times.
        """
        told: dict[str, Any] = {}
        with self._working() as control:
            if control is not None and self._shared.asked is self._key:
                told = control.statistics
        solver, program = told.get("solving", {}).get("solvers", {}), told.get("problem", {}).get("lp", {})
        sizes = {key: int(program.get(key, 0)) for key in ("atoms", "rules")}
        steps = {key: int(solver.get(key, 0)) for key in ("choices", "conflicts")}
        return self.seconds | (sizes | steps if told else {})

    def _solve(
        self, limit: int, news: Event, stop: Event, on_model: Callable[[Model], bool] | None = None
    ) -> Iterator[None]:
        """Solve; yield whenever there may be news, until the search has ended or time is up."""
        self.exhausted = False
        self.counted = 0
        self.timed_out = self._late()
        if self.abandoned or self.timed_out:
            return
        ended = Event()

        def on_finish(_: SolveResult) -> None:
            ended.set()
            news.set()

        with self._working() as control:
            if control is None:
                return
            self._configure(models=str(limit), enum_mode=self._mode, solve_limit="umax", opt_mode=self._opt_mode)
            assumed = self.assumed
            handle = self._aside(lambda: control.solve(assumed, on_model=on_model, on_finish=on_finish, async_=True))
            if handle is None:
                return
            try:
                yield from self._until(ended, handle, news, stop)
            finally:
                if on_model is None:
                    self.counted = int(control.statistics["summary"]["models"]["enumerated"])

    def _until(self, ended: Event, handle: SolveHandle, news: Event, stop: Event) -> Iterator[None]:
        """Yield whenever there may be news, until clingo has ended or time is up."""
        started = monotonic()
        with handle:
            try:
                while not ended.is_set() and not self._late():
                    news.wait(min(PATIENCE, self._deadline.left()))
                    news.clear()
                    yield
                self.timed_out = not ended.is_set()
            finally:
                stop.set()
                handle.cancel()
                self.seconds["solve"] += monotonic() - started
            try:
                self.exhausted = bool(handle.get().exhausted)
            except RuntimeError as error:
                raise self._translated(error) from None


Part = TypeVar("Part")

FIRST_CONFLICTS = 1000
"""Conflicts after which a search that nothing can interrupt pauses, to look whether it is to go on."""


class Guarded(Search):
    """A search whose rules are switched on and off by the literals that are assumed."""

    def settle(self, literals: Iterable[int]) -> None:
        """Let literals hold from now on."""
        with self._working() as control:
            if control is not None:
                with control.backend() as backend:
                    for literal in literals:
                        backend.add_rule([], [-literal])

    def refute(self, literals: Sequence[int]) -> list[int] | None:
        """Return some of the literals that cannot hold together, or None if they can, or if time ran out.

        No thread is made for it, which would take twice as long as most of the answers.
        """
        self.exhausted = False
        conflicts = FIRST_CONFLICTS
        while not self.exhausted and not self._late():
            with self._working() as control:
                if control is None:
                    return None
                self._configure(models="1", enum_mode=self._mode, solve_limit=str(conflicts))
                with control.solve(literals, yield_=True) as handle:
                    result = handle.get()
                    self.exhausted = not result.unknown
                    if result.unsatisfiable:
                        return list(handle.core())
            conflicts *= 2
        self.timed_out = not self.exhausted
        return None


def shrunk(parts: list[Part], core: Callable[[list[Part]], Collection[Part] | None]) -> list[Part]:
    """Return parts of which none can be left out, in the order given.

    Args:
        parts: what suffices.
        core: a function that returns those of some parts that suffice, or None if they do not.
    """
    i = 0
    while i < len(parts):
        found = core(parts[:i] + parts[i + 1 :])
        if found is None:
            i += 1
        else:
            kept = set(found)
            parts = [part for part in parts if part in kept]
    return parts
