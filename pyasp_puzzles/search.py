"""`Search`, the one place that grounds and solves; `messages` puts what clingo says of a program into our words.

clingo works in threads of its own, so that whoever waits for it can be interrupted, and can stop waiting when time is
up: a blocking call into it hears no signal.
"""

from __future__ import annotations

from collections import deque
from threading import Event
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

from clingo.control import Control

from .aside import aside
from .settings import DEFAULT, Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from pathlib import Path

    from clingo import Model, SolveResult, Symbol
    from clingo.backend import Observer

    from .aside import Result
    from .errors import EncodingError

PATIENCE = 0.05
"""Seconds between looks at models that came, but were not worth an announcement of their own."""
BUNCH = 0.005
"""Seconds within which models are announced together: a change of threads takes longer than a model."""
CONFLICTS = 1000
"""Conflicts after which a search that nothing can interrupt pauses, to look whether it is to go on."""
MOST_MESSAGES = 1000
"""Messages of clingo's that are kept; what is not defined must be known in full to suggest what was meant."""
MOST_WAITING = 500
"""Models that may wait to be taken before the search pauses, so that memory stays flat."""


class Search:
    """A grounded program, and what is asked of it; where time runs out, the answer is what was found until then.

    Raises:
        EncodingError: the program cannot be read or grounded.
    """

    def __init__(
        self, encodings: Sequence[Path], program: str, settings: Settings = DEFAULT, observer: Observer | None = None
    ) -> None:
        users = [path for path in (settings.encoding, *settings.extra) if path is not None]
        if users:
            from .messages import uses
            from .source import check_source

            for path in users:
                check_source(path)
            program += uses(program)
        self._program = program
        self._blamed = str(next(iter([*users, *encodings]), ""))
        self.exhausted = False
        """Whether the last question was answered in full: there is no model beyond those that came."""
        self.timed_out = False
        """Whether time ran out."""
        self.abandoned = False
        """Whether clingo is left at work on what cannot be stopped; nothing can be asked then."""
        self.warnings: Sequence[EncodingError] = ()
        """What clingo noticed in the user's files, none of it an error."""
        self.assumed: Sequence[int] = ()
        """Literals that hold in all that is asked, as long as they stand here."""
        self.seconds = {"ground": 0.0, "solve": 0.0}
        self._deadline = settings.deadline()
        self._messages: list[str] = []
        arguments = ["--project=project", "--opt-strategy=usc", f"--parallel-mode={settings.threads}"]
        if settings.seed is not None:
            arguments += [f"--seed={settings.seed}", "--sign-def=rnd", "--rand-freq=0.1"]
        self._control = Control(
            arguments, logger=lambda _, text: self._messages.append(text), message_limit=MOST_MESSAGES
        )

        if observer is not None:
            self._control.register_observer(observer)

        def ground() -> None:
            for path in encodings:
                self._control.load(str(path))
            self._control.add("base", [], program)
            self._control.ground([("base", [])])

        started = monotonic()
        self._aside(ground)
        if users and self._messages and not self.abandoned:
            self.warnings = self._warnings([str(path) for path in encodings if path not in users])
        self.seconds["ground"] = monotonic() - started

    def models(self, limit: int = 0) -> Iterator[Sequence[Symbol]]:
        """Yield the shown atoms of each model, at most `limit` of them (0: all), no two alike; unsorted."""
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

    def count(self, limit: int = 0) -> int:
        """Return how many models there are, at most `limit` (0: all); none of them comes to Python."""
        for _ in self._solve(limit, Event(), Event()):
            pass
        return self.counted

    def consequences(self, kind: str) -> Sequence[Symbol] | None:
        """Return the shown atoms of every model (`cautious`), or of any (`brave`); None if no model was found.

        Where time runs out, and `exhausted` is false, they are too many for `cautious` and too few for `brave`.
        """
        if self.abandoned:
            return None
        self._control.configuration.solve.enum_mode = kind  # type: ignore[union-attr]
        last = self.best()
        self._control.configuration.solve.enum_mode = "auto"  # type: ignore[union-attr]
        return last

    def best(self) -> Sequence[Symbol] | None:
        """Return the shown atoms of a model that minimises what the program wants minimised; None if there is none."""
        last = deque(self.models(), maxlen=1)  # each model is better than the one before
        return last[0] if last else None

    @property
    def counted(self) -> int:
        """How many models the last question has had."""
        return int(self._statistics().get("summary", {}).get("models", {}).get("enumerated", 0))

    def atoms(self, name: str, arity: int) -> dict[Symbol, int]:
        """Return {atom: its literal} for the atoms of a predicate that may hold; facts have the literal 0."""
        found = () if self.abandoned else self._control.symbolic_atoms.by_signature(name, arity)
        return {atom.symbol: 0 if atom.is_fact else atom.literal for atom in found}

    def settle(self, literals: Iterable[int]) -> None:
        """Let literals hold from now on."""
        with self._control.backend() as backend:
            for literal in literals:
                backend.add_rule([], [-literal])

    def refute(self, literals: Sequence[int]) -> list[int] | None:
        """Return some of the literals that cannot hold together, or None; not in a thread, which would take twice as long."""
        self.exhausted = False
        solve = self._control.configuration.solve
        solve.models, conflicts = "1", CONFLICTS  # type: ignore[union-attr]
        try:
            while not self.exhausted and not self._late():
                solve.solve_limit = str(conflicts)  # type: ignore[union-attr]
                with self._control.solve(literals, yield_=True) as handle:
                    result = handle.get()
                    self.exhausted = not result.unknown
                    if result.unsatisfiable:
                        return list(handle.core())
                conflicts *= 2
            self.timed_out = not self.exhausted
        finally:
            solve.solve_limit = "umax"  # type: ignore[union-attr]
        return None

    def facts(self, name: str, arity: int) -> list[Symbol]:
        """Return the atoms of a predicate that grounding alone has shown to hold: nothing is solved."""
        return [atom for atom, literal in self.atoms(name, arity).items() if not literal]

    def statistics(self) -> dict[str, float]:
        """Return the times, in seconds, and the sizes of the program and of the last question's search."""
        told = self._statistics()
        solver, program = told.get("solving", {}).get("solvers", {}), told.get("problem", {}).get("lp", {})
        sizes = {key: int(program.get(key, 0)) for key in ("atoms", "rules")}
        steps = {key: int(solver.get(key, 0)) for key in ("choices", "conflicts")}
        return self.seconds | sizes | steps

    def _statistics(self) -> dict[str, Any]:
        return {} if self.abandoned else self._control.statistics

    def _solve(
        self, limit: int, news: Event, stop: Event, on_model: Callable[[Model], bool] | None = None
    ) -> Iterator[None]:
        """Solve; yield whenever there may be news, until the search has ended or time is up."""
        ended = Event()

        def on_finish(_: SolveResult) -> None:
            ended.set()
            news.set()

        self.exhausted = False
        if self.abandoned:
            return
        self._control.configuration.solve.models = str(limit)  # type: ignore[union-attr]
        started = monotonic()
        assumed = self.assumed
        handle = self._aside(lambda: self._control.solve(assumed, on_model=on_model, on_finish=on_finish, async_=True))
        if handle is None:
            return
        with handle:
            try:
                while not ended.is_set() and not self._late():
                    news.wait(min(PATIENCE, max(0, self._deadline - monotonic())))
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

    def _late(self) -> bool:
        return monotonic() >= self._deadline

    def _aside(self, work: Callable[[], Result]) -> Result | None:
        """Do some work that cannot be interrupted; return its result, or None if time is up."""
        self.abandoned = True
        try:
            results = aside(work, self._deadline - monotonic())
        except Exception as error:  # noqa: BLE001 (whatever it is, it is put into our words)
            self.abandoned = False
            raise self._translated(error) from None
        self.abandoned = self.timed_out = not results
        return results[0] if results else None

    def _translated(self, error: Exception) -> Exception:
        from .messages import failure

        return failure(error, self._messages, self._program, self._blamed)

    def _warnings(self, ours: Collection[str]) -> list[EncodingError]:
        from .messages import warnings

        names = [f"{name}/{arity}" for name, arity, _ in self._control.symbolic_atoms.signatures]
        found = warnings(self._messages, self._program, self._blamed, names)
        return [warning for warning in found if warning.where is None or warning.where.source not in ours]
