"""`Grounded`, a program that clingo has grounded; `messages` puts what clingo says of it into our words.

clingo works in threads of its own, so that whoever waits for it can be interrupted, and can stop waiting when time is
up: a blocking call into it hears no signal.
"""

from __future__ import annotations

from contextlib import contextmanager
from copy import copy
from threading import Lock, get_ident
from time import monotonic
from typing import TYPE_CHECKING

from clingo.control import Control

from pyasp_puzzles.asp.deadline import aside
from pyasp_puzzles.asp.paths import ships
from pyasp_puzzles.asp.settings import DEFAULT, Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from pathlib import Path
    from typing import Self

    from clingo import Symbol
    from clingo.backend import Observer

    from pyasp_puzzles.asp.deadline import Result
    from pyasp_puzzles.errors import EncodingError


ARGUMENTS = ("--project=project", "--opt-strategy=usc", "--forget-on-step=lemmas")
"""Of clingo. What it learns from a question that is soon answered would only slow down those after it."""
SMALL = 8000
"""Characters of facts that we ground, and mostly solve, in less than some 50 ms: no thread is made for them."""
MOST_MESSAGES = 1000
"""Messages of clingo's that are kept; what is not defined must be known in full to suggest what was meant."""


GRACE = 0.3
"""Seconds that a grounding has to end once its observer has told it to; else it might be at work when Python ends."""


class _Shared:
    """A control, which several questions may share, but answers one at a time: every use of it is under its lock."""

    def __init__(self, control: Control) -> None:
        self.control = control
        self.seconds = 0.0
        """How long it took to ground."""
        self.configured = {"enum_mode": "auto", "solve_limit": "umax", "opt_mode": "opt"}
        """How the control was told to solve, or does if it is told nothing."""
        self.asked: object = None
        """The search that asked last: what the control tells of the last question is about its own."""
        self.lost = False
        """Whether clingo is left at work on it, or never got to it; nobody can have it any more."""
        self._lock = Lock()
        self._holder = 0

    def take(self, seconds: float) -> bool:
        """Have it to oneself; return whether that came about in time.

        Whoever holds it in this same thread is an iterator of answers that waits to be asked for the next one. It may
        wait for us, so that there is no use in waiting for it.
        """
        free = self._lock.acquire(blocking=False)
        if not free and not self.lost and self._holder != get_ident() and seconds > 0:
            free = self._lock.acquire(timeout=seconds)
        if free:
            self._holder = get_ident()
        return free

    def leave(self) -> None:
        """Let others have it."""
        self._holder = 0
        self._lock.release()


class Grounded:
    """A grounded program.

    Raises:
        EncodingError: the program cannot be read or grounded.
    """

    def __init__(
        self, encodings: Sequence[Path], program: str, settings: Settings = DEFAULT, observer: Observer | None = None
    ) -> None:
        users = [path for path in encodings if not ships(path)]
        if users:
            from pyasp_puzzles.asp.diagnostics import uses
            from pyasp_puzzles.asp.source import check_source

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
        self._key = object()
        """By which the control knows who asked last; a reference to the search itself would make a circle."""
        self.assumed: Sequence[int] = ()
        """Literals that hold in all that is asked, as long as they stand here."""
        self.seconds = {"ground": 0.0, "solve": 0.0}
        self._deadline = settings.deadline()
        """When time is up."""
        self._messages: list[str] = []
        self._encodings = encodings
        self._arguments = [*ARGUMENTS, f"--parallel-mode={settings.threads}"]
        if settings.seed is not None:
            self._arguments += [f"--seed={settings.seed}", "--sign-def=rnd", "--rand-freq=0.1"]
        self._small = not users and len(program) <= SMALL
        """Whether it takes so little time that nobody needs to interrupt it."""
        if not self._small:
            self._arguments.append("--heuristic=Domain")
        self._ground(observer)
        if users and self._messages and self.usable:
            self.warnings = self._warnings([str(path) for path in encodings if path not in users])

    def _ground(self, observer: Observer | None = None) -> None:
        """Ground the program."""
        started = monotonic()
        messages = self._messages
        control = Control(self._arguments, logger=lambda _, text: messages.append(text), message_limit=MOST_MESSAGES)
        self._shared = _Shared(control)
        if observer is not None:
            control.register_observer(observer)

        def ground() -> bool:
            for path in self._encodings:
                control.load(str(path))
            control.add("base", [], self._program)
            control.ground([("base", [])])
            return True

        self._shared.lost = not self._aside(ground, GRACE if observer else 0.0)
        self.seconds["ground"] = self._shared.seconds = monotonic() - started

    @contextmanager
    def _working(self) -> Iterator[Control | None]:
        """Have the control to oneself; where another question is at work on it for long, there is a new one.

        To wait for as long as grounding takes costs at most twice as much as whichever is better, to wait or to ground,
        and it cannot end in a deadlock. None if there is no control that could be asked, as time ran out.
        """
        shared = self._shared
        if not self.abandoned and not shared.take(min(shared.seconds, self._deadline.left())):
            self._ground()
            shared = self._shared
            shared.take(0)
        if not self.usable:
            yield None
            return
        try:
            yield shared.control
        finally:
            if self.abandoned:  # clingo is still at work on it
                shared.lost = True
            else:
                shared.leave()

    @property
    def usable(self) -> bool:
        """Whether anything can be asked."""
        return not self.abandoned and not self._shared.lost

    def _configure(self, **options: str) -> None:
        """Tell the control how to solve what is asked next; only what is new, for to tell it takes a while."""
        for name, value in options.items():
            if self._shared.configured.get(name) != value:
                setattr(self._shared.control.configuration.solve, name, value)
                self._shared.configured[name] = value
        self._shared.asked = self._key

    def assuming(self, literals: Sequence[int], settings: Settings) -> Self:
        """Return the same, grounded once for both, with the time of the settings, and literals that are assumed."""
        other = copy(self)
        other.assumed, other._key = literals, object()  # noqa: SLF001 (it is one of us)
        other.exhausted = other.timed_out = False
        other.seconds = dict.fromkeys(self.seconds, 0.0)
        other._deadline = settings.deadline()  # noqa: SLF001 (it is one of us)
        return other

    def atoms(self, name: str, arity: int) -> dict[Symbol, int]:
        """Return {atom: its literal} for the atoms of a predicate that may hold; facts have the literal 0."""
        with self._working() as control:
            found = () if control is None else control.symbolic_atoms.by_signature(name, arity)
            return {atom.symbol: 0 if atom.is_fact else atom.literal for atom in found}

    def facts(self, name: str, arity: int) -> list[Symbol]:
        """Return the atoms of a predicate that grounding alone has shown to hold: nothing is solved."""
        return [atom for atom, literal in self.atoms(name, arity).items() if not literal]

    def _late(self) -> bool:
        return self._deadline.late()

    def _aside(self, work: Callable[[], Result], grace: float = 0.0) -> Result | None:
        """Do some work that cannot be interrupted; return its result, or None if time is up.

        Where it is up already, the work is not begun, unless there is next to none.
        """
        if not self._small and self._late():
            self.timed_out = True
            return None
        self.abandoned = True
        try:
            results = [work()] if self._small else aside(work, self._deadline.left() + grace)
        except TimeoutError:  # an observer has ended it
            self.abandoned, self.timed_out = False, True
            return None
        except Exception as error:  # noqa: BLE001 (whatever it is, it is put into our words)
            self.abandoned = False
            raise self._translated(error) from None
        self.abandoned, self.timed_out = not results, not results or self._late()
        return results[0] if results else None

    def _translated(self, error: Exception) -> Exception:
        from pyasp_puzzles.asp.diagnostics import failure

        return failure(error, self._messages, self._program, self._blamed)

    def _warnings(self, ours: Collection[str]) -> list[EncodingError]:
        from pyasp_puzzles.asp.diagnostics import warnings

        names = [f"{name}/{arity}" for name, arity, _ in self._shared.control.symbolic_atoms.signatures]
        found = warnings(self._messages, self._program, self._blamed, names)
        return [warning for warning in found if warning.where is None or warning.where.source not in ours]
