"""`Search`, a ground program: its models, their number, their consequences, and cores of its assumptions.

clingo works in threads of its own: a blocking call into it receives no signal, so it could neither be interrupted nor
stop when time is up. Only small programs, which take milliseconds, run in the calling thread.
"""

from __future__ import annotations

import atexit
import re
from collections import deque
from contextlib import contextmanager, suppress
from functools import cache
from time import monotonic
from typing import TYPE_CHECKING, Any

from pyasp_puzzles.asp.control import SharedControl, uninterrupted
from pyasp_puzzles.asp.deadline import run_in_thread
from pyasp_puzzles.asp.paths import mode_path, ships
from pyasp_puzzles.asp.rules import FACTS, Rules
from pyasp_puzzles.asp.settings import DEFAULT, Settings
from pyasp_puzzles.asp.source import check_source, has_nameless, read_source
from pyasp_puzzles.errors import OutOfTime

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Self

    from clingo import Control, Model, SolveHandle, Symbol
    from clingo.ast import AST
    from clingo.backend import Backend, Observer
    from clingo.propagator import Propagator

    from pyasp_puzzles.asp.deadline import Deadline, Result
    from pyasp_puzzles.asp.rules import RuleFile
    from pyasp_puzzles.errors import EncodingError

# Seconds. What is grounded in this time is searched without a thread of our own, which takes 0.2 ms: 0.26 ms for a
# Sudoku of a list, not 0.46.
QUICK_GROUNDING = 0.1
# If a program is quick to ground, a few models are searched for in this thread, up to this many conflicts: 0.26 ms for
# a Sudoku of a list, not 0.36.
FEW_MODELS = 2
QUICK_CONFLICTS = 2000
# Conflicts before `solve_here` first checks the time; doubled each time.
FIRST_CONFLICTS = 1000
# Extra time for a grounding whose observer ends it. If clingo still called the observer when Python exits, the
# process would crash, so this thread is never left running.
OBSERVER_SECONDS = 0.3
# Seconds between checks for Ctrl-C while clingo searches for the next model.
WAKE_SECONDS = 0.05


# The mode with the consequences of sums.
SUMS = "sums"

# Options for a program with `#heuristic` statements: a blank 100x100 Tectonic takes 0.3 s with those of its pruning.lp,
# and over 25 s without. For other programs, the options would only change clingo's cores.
GUIDED = ("--heuristic=Domain",)
# Options for `#heuristic` statements that find a model almost without conflicts: a 400x400 Strata takes 32 s if clingo
# infers backward along `#edge`, and 0.1 s if not.
IN_ORDER = (*GUIDED, "--acyc-prop=0")
# Options for models that differ from one another: atoms are chosen in their order, and so those that are chosen freely
# come first. In a shading of connected cells, a model rules out 90 candidates, not 5.
IN_TURN = ("--heuristic=None", "--save-progress=0")
# Options for many guided questions: with more than 160 assumptions, clingo would take its last choices again.
ANEW = (*GUIDED, "--save-progress=0")


class Search:
    """A ground program and the questions asked of it. When time runs out, results hold what was found until then.

    Args:
        encodings: files of rules.
        program: further lines.
        settings: how to search.
        observer: sees the ground rules.
        options: options of clingo: `GUIDED`, `IN_ORDER` or `ANEW`.

    Raises:
        EncodingError: the program cannot be read or grounded.
    """

    def __init__(
        self,
        encodings: Sequence[RuleFile],
        program: str,
        settings: Settings = DEFAULT,
        observer: Observer | None = None,
        options: Sequence[str] = (),
    ) -> None:
        for path in encodings:
            check_source(path)
        # Rules that ship may be edited where they stand.
        users = [
            path for path in encodings if isinstance(path, Rules) or not ships(path) or path.stem == path.parent.name
        ]
        program += _uses(program)
        self._files = [path for path in encodings if not isinstance(path, Rules)]
        self._texts = [Rules(program, FACTS), *(path for path in encodings if isinstance(path, Rules))]
        self._named = _named([*self._files, *self._texts], users)
        self._blamed = str(next(iter(sorted(encodings, key=ships)), ""))
        self.assumed: Sequence[int] = ()
        """The assumptions of all questions, except those of `refute` and `solve_here`."""
        self.exhausted = False
        """Whether the last question was answered in full: there are no more models, or `refute` knows the answer."""
        self.timed_out = False
        self.abandoned = False
        """Whether clingo still works on something that cannot be stopped; no more questions are possible."""
        self.counted = 0
        """The number of models that the last `count` found."""
        self.warnings: Sequence[EncodingError] = ()
        """clingo's warnings about the user's files."""
        self.seconds = {"ground": 0.0, "solve": 0.0}
        # Identifies this search to the control. A reference to the search itself would be a cycle, and keep its memory.
        self._key = object()
        self._deadline = settings.deadline()
        # {predicate: its atoms}: asking clingo for those of a Sudoku takes longer than most questions
        self._atoms: dict[tuple[str, int], Mapping[Symbol, int]] = {}
        self._groups: dict[tuple[str, int], dict[Symbol, dict[Symbol, int]]] = {}
        self._messages: list[str] = []
        # Rules may ground without end, so that takes a thread; those that were quick are searched without one.
        self._small = not encodings
        self._arguments = [f"--parallel-mode={settings.threads}", *options]
        if settings.seed is not None:
            self._arguments += [f"--seed={settings.seed}", "--sign-def=rnd", "--rand-freq=0.1"]
        if mode_path(SUMS) in encodings:
            # With equivalence preprocessing, clingo 5.8.3 missed the model of 32 in 1364 random boards with sums of
            # chains (with an earlier sums.lp). Without it, no search took longer.
            self._arguments.append("--eq=0")
        self._ground(observer)
        self._small = self.usable and self.seconds["ground"] < QUICK_GROUNDING
        if users and self._messages and self.usable:
            self.warnings = self._warnings([str(path) for path in encodings if path not in users])

    def _ground(self, observer: Observer | None = None) -> None:
        started = monotonic()
        shared = self._shared = SharedControl(self._arguments, self._messages, observer)
        files = [file for file in self._files if file not in self._named]
        texts = [Rules("\n" * (one.lines - 1)) if one in self._named else one for one in self._texts]
        statements = [one for program in self._named.values() for one in program]
        done = self._run(
            lambda: shared.ground(files, texts, statements),
            OBSERVER_SECONDS if observer else 0.0,
        )
        shared.unusable = not done
        self.seconds["ground"] = shared.ground_seconds = monotonic() - started

    @contextmanager
    def _control(self) -> Iterator[Control | None]:
        """Provide exclusive access to the control, or None if it is unusable.

        If another search keeps the control for longer than grounding took, this one grounds again. That takes at most
        twice as long as the better choice, and cannot deadlock.
        """
        if not self.abandoned and not self._shared.acquire(min(self._shared.ground_seconds, self._deadline.left())):
            self._ground()
            self._shared.acquire(0)
        if not self.usable:
            yield None
            return
        shared = self._shared
        try:
            yield shared.control
        finally:
            if self.abandoned:
                shared.unusable = True
            else:
                shared.release()

    @property
    def deadline(self) -> Deadline:
        """Return when the time for questions ends."""
        return self._deadline

    @property
    def usable(self) -> bool:
        """Whether questions can be asked."""
        return not self.abandoned and not self._shared.unusable

    def assuming(self, literals: Sequence[int], settings: Settings) -> Self:
        """Return a search on the same grounding, with these assumptions and the time limit of the settings."""
        other = object.__new__(type(self))
        vars(other).update(vars(self), assumed=literals, exhausted=False, timed_out=False)
        vars(other).update(_key=object(), _deadline=settings.deadline(), seconds=dict.fromkeys(self.seconds, 0.0))
        return other

    def atoms(self, name: str, arity: int) -> Mapping[Symbol, int]:
        """Return {atom: its literal} for the atoms of a predicate that may hold; the literal of a fact is 0."""
        if (name, arity) not in self._atoms:
            with self._control() as control:
                if control is None:
                    return {}
                found = control.symbolic_atoms.by_signature(name, arity)
                self._atoms[name, arity] = {atom.symbol: 0 if atom.is_fact else atom.literal for atom in found}
        return self._atoms[name, arity]

    def signatures(self) -> list[tuple[str, int]]:
        """Return the name and the arity of each predicate that has atoms which may hold."""
        with self._control() as control:
            return [] if control is None else [(name, arity) for name, arity, _ in control.symbolic_atoms.signatures]

    def groups(self, name: str, arity: int) -> Mapping[Symbol, Mapping[Symbol, int]]:
        """Return {first argument: what `atoms` returns for it}."""
        groups = self._groups.setdefault((name, arity), {})
        if not groups:
            for atom, literal in self.atoms(name, arity).items():
                groups.setdefault(atom.arguments[0], {})[atom] = literal
        return groups

    def facts(self, name: str, arity: int) -> list[Symbol]:
        """Return the atoms of a predicate that are facts after grounding, without solving."""
        return [atom for atom, literal in self.atoms(name, arity).items() if not literal]

    def models(self, limit: int = 0) -> Iterator[Sequence[Symbol]]:
        """Yield the shown atoms of each model, at most `limit` of them (0: all), no two alike; unsorted."""
        if self._small and 0 < limit <= FEW_MODELS:
            found, core = self.solve_here(self.assumed, limit, _shown, most=QUICK_CONFLICTS)
            if found or core is not None:
                yield from found
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
        found: dict[frozenset[Symbol], Sequence[Symbol]] = {}

        for model in self._solve(opt_mode="optN"):
            if model.optimality_proven:
                symbols = model.symbols(shown=True)
                found.setdefault(frozenset(symbols), symbols)
            if len(found) == limit:
                break
        return list(found.values())

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
            found = [backend.add_atom() for _ in groups]
            backend.add_rule(found, choice=True)
            for guard, literals in zip(found, groups, strict=True):
                for literal in literals:
                    backend.add_rule([], [guard, -literal])
        return found

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

    def fewest(self, groups: Sequence[Sequence[int]]) -> list[int] | None:
        """Return the indices of the fewest groups of literals to give up so that the others can hold together.

        None if the program has no model, or if time ran out (then `exhausted` is false). This changes the program, so
        it must be the last question.
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

    def refute(self, literals: Sequence[int], most: int | None = None) -> list[int] | None:
        """Return a core of literals as the only assumptions; None if they can hold together, or if time ran out.

        Args:
            literals: the assumptions.
            most: conflicts after which the search is given up, with the same result.
        """
        return self.solve_here(literals, 1, None, most=most)[1]

    def solve_here(
        self,
        literals: Sequence[int],
        limit: int,
        read: Callable[[Model], Result] | None,
        signs: str = "asp",
        most: int | None = None,
    ) -> tuple[list[Result], list[int] | None]:
        """Return what is read from models with literals as the only assumptions; if there is none, a core of them.

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
        conflicts = most or FIRST_CONFLICTS
        while not self._deadline.late():
            started = monotonic()
            with self._control() as control:
                if control is None:
                    break
                self._shared.configure(self._key, limit, conflicts=str(conflicts), signs=signs)
                with uninterrupted(), control.solve(literals, yield_=True) as handle:
                    found = []
                    if read is not None:
                        for model in handle:
                            found.append(read(model))
                            if limit != 1 and self._deadline.late():
                                break
                    result = handle.get()
                    ended = bool(result.satisfiable) if read is None else len(found) == limit
                    if result.unsatisfiable or result.exhausted or ended:
                        self.exhausted = read is None or bool(result.exhausted)
                        self.seconds["solve"] += monotonic() - started
                        return found, self._core(handle, literals) if result.unsatisfiable else None
            if most is not None:
                return [], None
            possible = conflicts * self._deadline.left() / max(1e-9, monotonic() - started)  # in the time that is left
            conflicts = max(FIRST_CONFLICTS, int(min(2 * conflicts, possible)))
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
            if control is not None and self._shared.last_user is self._key:
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
            self._shared.configure(self._key, limit, enum_mode=enum_mode, opt_mode=opt_mode)
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
                    ready = handle.wait(min(WAKE_SECONDS, self._deadline.left()))
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
                raise self._error(error) from None

    def _run(self, work: Callable[[], Result], grace: float = 0.0) -> list[Result]:
        """Return `[work()]`, or an empty list if time runs out. If already late, only small programs start."""
        if not self._small and self._deadline.late():
            self.timed_out = True
            return []
        self.abandoned = True  # until the work ends; Ctrl-C leaves it so
        try:
            if self._small:
                with uninterrupted():
                    results = [work()]
            else:
                results = run_in_thread(work, self._deadline.left() + grace)
        except TimeoutError:  # the observer has ended it
            self.abandoned, self.timed_out = False, True
            return []
        except Exception as error:  # noqa: BLE001 (clingo raises RuntimeError, MemoryError and others)
            self.abandoned = False
            raise self._error(error) from None
        self.abandoned, self.timed_out = not results, not results or self._deadline.late()
        return results

    def _error(self, error: Exception) -> Exception:
        from pyasp_puzzles.asp.diagnostics import failure

        return failure(error, self._messages, self._texts, self._blamed)

    def _warnings(self, ours: Collection[str]) -> list[EncodingError]:
        from pyasp_puzzles.asp.diagnostics import warnings

        names = [f"{name}/{arity}" for name, arity, _ in self._shared.control.symbolic_atoms.signatures]
        found = warnings(self._messages, self._texts, self._blamed, names)
        return [warning for warning in found if warning.where is None or warning.where.source not in ours]


def _uses(program: str) -> str:
    """Return rules without effect that use what a program shows: clingo then warns if nothing defines it."""
    outputs = re.findall(r"^#show (\w+)/(\d+)\.", program, re.MULTILINE)
    return "".join(f":- #false, {name}({', '.join('_' * int(arity))}).\n" for name, arity in outputs)


def _named(files: Sequence[RuleFile], users: Sequence[RuleFile]) -> dict[RuleFile, Sequence[AST]]:
    """Return {file with nameless constraints: its statements, with names for these}."""
    nameless = [file for file in users if has_nameless(read_source(file).text)]
    if not nameless:
        return {}
    from pyasp_puzzles.asp.syntax import with_names

    found: dict[RuleFile, Sequence[AST]] = {}
    above = 0
    for file in files:
        named = with_names(file, above) if file in nameless else None
        if named is not None:
            found[file] = named
        above += file.lines if isinstance(file, Rules) else 0
    return found


@cache
def _running() -> set[SolveHandle]:
    """Return what clingo searches for in its own threads. It is cancelled at exit: Python would abort otherwise."""
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
