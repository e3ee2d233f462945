"""`SharedControl`, a clingo control that several searches use, one at a time."""

from __future__ import annotations

import signal
from threading import Lock, get_ident, main_thread
from typing import TYPE_CHECKING, Any

from clingo.control import Control

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path
    from types import FrameType

    from clingo.ast import AST
    from clingo.backend import Observer

    from pyasp_puzzles.asp.rules import Rules

# Messages that clingo may send. The predicates that they call undefined are not suggested as corrections.
MOST_MESSAGES = 1000


# The nogoods that clingo learns from a question are deleted after it. Kept, they made many quick questions on one
# grounding five times as slow, and led to the same cores again and again.
ARGUMENTS = ("--project=project", "--opt-strategy=usc", "--forget-on-step=lemmas")


class uninterrupted:  # noqa: N801 (used as a function)
    """A block in which Ctrl-C is delayed until it ends, in the main thread.

    Raised while clingo calls back into Python, the exception is lost or ends the process: 12 of 60 interrupts during
    many quick questions did. Within another such block, this does nothing: to change what Ctrl-C does takes a third of
    the time of a quick question.
    """

    _inside = False

    def __enter__(self) -> None:
        main = get_ident() == main_thread().ident and not uninterrupted._inside
        self._handler = signal.getsignal(signal.SIGINT) if main else None
        self._frames: list[FrameType | None] = []
        if callable(self._handler):
            signal.signal(signal.SIGINT, lambda _, frame: self._frames.append(frame))
            uninterrupted._inside = True

    def __exit__(self, *_: object) -> None:
        if callable(self._handler):
            uninterrupted._inside = False
            signal.signal(signal.SIGINT, self._handler)
            if self._frames:
                self._handler(signal.SIGINT, None)


class SharedControl:
    """A clingo control, the lock that guards it, and the options it was last given.

    Every use must hold the lock, even reading statistics. Without it, counts were wrong, and the process aborted.
    """

    def __init__(self, arguments: Sequence[str], messages: list[str], observer: Observer | None = None) -> None:
        # An exception in the logger would end the process, so it only appends.
        self.control = Control(
            [*ARGUMENTS, *arguments], logger=lambda _, text: messages.append(text), message_limit=MOST_MESSAGES
        )
        if observer is not None:
            self.control.register_observer(observer)
        self.ground_seconds = 0.0
        self.last_user: object = None
        """The key of the search that asked last. clingo's statistics are about its question."""
        self.unusable = False
        """Whether grounding never finished, or clingo still works on a question that was given up."""
        self._options = {"enum_mode": "auto", "solve_limit": "umax", "opt_mode": "opt", "sign_def": "asp"}
        self._lock = Lock()
        self._holder = 0

    def ground(self, encodings: Iterable[Path], texts: Iterable[Rules], statements: Sequence[AST] = ()) -> None:
        """Load the files, the statements and the texts, and ground them."""
        for path in encodings:
            self.control.load(str(path))
        if statements:
            from clingo.ast import ProgramBuilder

            with ProgramBuilder(self.control) as builder:
                for statement in statements:
                    builder.add(statement)
        first = 0
        for rules in texts:
            # clingo calls every text `<block>`; the numbers of its lines tell which one it is.
            self.control.add("base", [], "\n" * first + rules.text)
            first += rules.lines
        self.control.ground([("base", [])])

    def acquire(self, seconds: float) -> bool:
        """Wait up to this many seconds for exclusive access; return whether it was granted.

        If this same thread already holds the control, an iterator of answers is paused in it. Waiting for that iterator
        could last forever, so there is no wait at all.
        """
        acquired = self._lock.acquire(blocking=False)
        if not acquired and not self.unusable and self._holder != get_ident() and seconds > 0:
            acquired = self._lock.acquire(timeout=seconds)
        if acquired:
            self._holder = get_ident()
        return acquired

    def release(self) -> None:
        """Give up exclusive access."""
        self._holder = 0
        self._lock.release()

    def configure(
        self,
        user: object,
        limit: int,
        *,
        conflicts: str = "umax",
        enum_mode: str = "auto",
        opt_mode: str = "opt",
        signs: str = "asp",
    ) -> None:
        """Set options for a question of a user. Only changed ones are passed to clingo, because each takes time.

        `signs` says which value atoms are given first: "asp" for false, "pos" for true.
        """
        self.last_user = user
        options = {"models": str(limit), "solve_limit": conflicts, "enum_mode": enum_mode, "opt_mode": opt_mode}
        for name, value in (options | {"sign_def": signs}).items():
            if self._options.get(name) != value:
                configuration: Any = self.control.configuration
                setattr(configuration.solver if name == "sign_def" else configuration.solve, name, value)
                self._options[name] = value
