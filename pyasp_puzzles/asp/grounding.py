"""`Grounding`, a ground program in a clingo control that searches use one at a time; and `LRUCache`."""

from __future__ import annotations

import re
from collections import OrderedDict
from contextlib import suppress
from threading import Lock, get_ident
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from clingo.control import Control

from pyasp_puzzles.asp.deadline import Deadline, run_in_thread, uninterrupted
from pyasp_puzzles.asp.rules import FACTS_NAME, Rules, is_shipped_path, mode_path
from pyasp_puzzles.asp.source import check_source, read_source, source_has_nameless_rules, without_mark
from pyasp_puzzles.errors import OutOfTime

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
    from pathlib import Path

    from clingo import Symbol
    from clingo.ast import AST
    from clingo.backend import Observer

    from pyasp_puzzles.asp.deadline import Result
    from pyasp_puzzles.asp.rules import RuleFile
    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.errors import EncodingError

# -- The strongly connected components of a graph ------------------------------------------------------------------


def components(below: Mapping[int, Collection[int]]) -> list[list[int]]:
    """Return the strongly connected components of a graph; a node on no cycle is a component by itself.

    Source: S. Rao Kosaraju's algorithm, in Aho, Hopcroft and Ullman, "Data Structures and Algorithms" (1983).

    Args:
        below: {node: the nodes that it leads to}, each of which is a key as well.
    """
    ended: list[int] = []
    seen: set[int] = set()
    for start in below:
        waiting = [] if start in seen else [(start, iter(below[start]))]
        seen.add(start)
        while waiting:
            node, others = waiting[-1]
            new = next((other for other in others if other not in seen), None)
            if new is None:
                ended.append(waiting.pop()[0])
            else:
                seen.add(new)
                waiting.append((new, iter(below[new])))
    above: dict[int, list[int]] = {node: [] for node in below}
    for node, others_below in below.items():
        for other in others_below:
            above[other].append(node)
    parts: list[list[int]] = []
    for start in reversed(ended):
        if start in seen:
            seen.remove(start)
            part = [start]
            for node in part:  # which grows
                new_ones = seen.intersection(above[node])
                seen -= new_ones
                part += sorted(new_ones)
            parts.append(part)
    return parts


# -- Grounding -----------------------------------------------------------------------------------------------------

_Item = TypeVar("_Item")
_NO_LIMIT = Deadline()


class LRUCache(Generic[_Item]):
    """A cache of at most `size` entries; several threads that need the same new entry make it only once."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._entries: OrderedDict[Hashable, _Item] = OrderedDict()
        self._entry_locks: dict[Hashable, Lock] = {}
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], _Item], deadline: Deadline = _NO_LIMIT) -> _Item:
        """Return the entry of a key; if there is none, one thread makes it and the others wait.

        Raises:
            OutOfTime: time ran out while another thread was making it.
        """
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
                return self._entries[key]
            entry_lock = self._entry_locks.setdefault(key, Lock())
        if not entry_lock.acquire(timeout=deadline.left()):
            raise OutOfTime
        try:
            with self._lock:
                if key in self._entries:
                    return self._entries[key]
            entry = make()
            with self._lock:
                self._entries[key] = entry
                while len(self._entries) > self._size:
                    self._entries.popitem(last=False)
        finally:
            with self._lock:
                self._entry_locks.pop(key, None)
            entry_lock.release()
        return entry

    def drop(self, key: Hashable) -> None:
        """Remove the entry of a key, if there is one."""
        with self._lock:
            self._entries.pop(key, None)


# Messages that clingo may send. The predicates that they call undefined are not suggested as corrections.
_MOST_MESSAGES = 1000
# The nogoods that clingo learns from a question are deleted after it. Kept, they made many quick questions on one
# grounding five times as slow, and led to the same cores again and again.
_ARGUMENTS = ("--project=project", "--opt-strategy=usc", "--forget-on-step=lemmas")
# The mode with the consequences of sums.
SUMS_MODE = "sums"
# Seconds. What is grounded in this time is searched without a thread of our own, which takes 0.2 ms: 0.26 ms for a
# Sudoku of a list, not 0.46.
_QUICK_GROUNDING = 0.1
# Extra time for a grounding whose observer ends it. If clingo still called the observer when Python exits, the
# process would crash, so this thread is never left running.
_OBSERVER_SECONDS = 0.3
# The options of a question that a control begins with.
_USUAL = {"enum_mode": "auto", "solve_limit": "umax", "opt_mode": "opt", "sign_def": "asp"}


class Grounding:
    """A ground program, with its clingo control and the lock of that.

    Every use must hold the lock, even reading statistics. Without it, counts were wrong, and the process aborted.

    Args:
        encodings: files of rules.
        program: further lines.
        settings: the seed, the threads, and the time limit for grounding.
        options: further options of clingo.
        observer: sees the ground rules; it may end the grounding by raising `TimeoutError`.

    Raises:
        EncodingError: the program cannot be read or grounded.
    """

    def __init__(
        self,
        encodings: Sequence[RuleFile],
        program: str,
        settings: Settings,
        options: Sequence[str],
        observer: Observer | None = None,
    ) -> None:
        for path in encodings:
            check_source(path)
        encodings = [*map(without_mark, encodings)]
        self._encodings, self._program, self._settings, self._options = encodings, program, settings, options
        files = [path for path in encodings if not isinstance(path, Rules)]
        self._texts = [
            Rules(program + _uses(program), FACTS_NAME),
            *(file for file in encodings if isinstance(file, Rules)),
        ]
        # Rules that ship may be edited in place.
        self._users = [
            path
            for path in encodings
            if isinstance(path, Rules) or not is_shipped_path(path) or path.stem == path.parent.name
        ]
        named = _named([*files, *self._texts], self._users)
        self._messages: list[str] = []
        self.control = self._new_control()
        if observer is not None:
            self.control.register_observer(observer)
        # The options that the control has now.
        self._configured = {**_USUAL}
        self._lock = Lock()
        self._holder = 0
        self.last_user: object = None
        """The key of the search that asked last. clingo's statistics are about its question."""
        self.atoms: dict[tuple[str, int], Mapping[Symbol, int]] = {}
        """{predicate: its atoms}: asking clingo for those of a Sudoku takes longer than most questions."""
        self.made: dict[object, Any] = {}
        """The cache of `Search.once`."""
        # Rules may ground without end, so that takes a thread; those that were quick are searched without one.
        self.small = not encodings
        started, seconds = monotonic(), settings.deadline().left()
        self.abandoned = False
        """Whether clingo is still grounding, and cannot be stopped."""
        self.unusable = True
        """Whether grounding never finished, or clingo still works on a question that was given up."""
        with suppress(TimeoutError):  # the observer has ended it
            if self.small or seconds > 0:
                extra = _OBSERVER_SECONDS if observer else 0.0
                self.unusable = self.abandoned = not self.run(lambda: self._ground(files, named), seconds + extra)
        self.seconds = monotonic() - started
        """How long grounding took."""
        self.warnings = self._warned()
        """clingo's warnings about the user's files, and any that are added."""
        self.small = not self.unusable and self.seconds < _QUICK_GROUNDING

    def again(self, deadline: Deadline) -> Grounding:
        """Return the same program, ground in another control."""
        settings = self._settings._replace(timeout=deadline)
        other = Grounding(self._encodings, self._program, settings, self._options)
        other.warnings = self.warnings
        return other

    def _new_control(self) -> Control:
        arguments = [*_ARGUMENTS, f"--parallel-mode={self._settings.threads}", *self._options]
        if self._settings.seed is not None:
            arguments += [f"--seed={self._settings.seed}", "--sign-def=rnd", "--rand-freq=0.1"]
        if mode_path(SUMS_MODE) in self._encodings:
            # With equivalence preprocessing, clingo 5.8.3 missed the model of 32 in 1364 random boards with sums of
            # chains (with an earlier sums.lp). Without it, no search took longer.
            arguments.append("--eq=0")
        # An exception in the logger would end the process, so it only appends.
        messages = self._messages
        return Control(arguments, logger=lambda _, text: messages.append(text), message_limit=_MOST_MESSAGES)

    def _ground(self, files: Sequence[Path], named: Mapping[RuleFile, Sequence[AST]]) -> None:
        """Load the files, the statements with names, and the texts, and ground them."""
        for path in files:
            if path not in named:
                self.control.load(str(path))
        if named:
            from clingo.ast import ProgramBuilder

            with ProgramBuilder(self.control) as builder:
                for statements in named.values():
                    for statement in statements:
                        builder.add(statement)
        above = 0
        for rules in self._texts:
            # clingo calls every text `<block>`; the numbers of its lines tell which one it is.
            if rules not in named:
                self.control.add("base", [], "\n" * above + rules.text)
            above += rules.lines
        self.control.ground([("base", [])])

    def run(self, work: Callable[[], Result], seconds: float) -> list[Result]:
        """Return `[work()]`, or an empty list if clingo still works when time is up.

        Raises:
            EncodingError: clingo refuses the program.
            TimeoutError: an observer has ended the grounding.
        """
        try:
            if not self.small:
                return run_in_thread(work, seconds)
            with uninterrupted():
                return [work()]
        except TimeoutError:
            raise
        except Exception as error:  # noqa: BLE001 (clingo raises RuntimeError, MemoryError and others)
            raise self.error(error) from None

    def error(self, error: Exception) -> Exception:
        """Return the error to raise for one that clingo raises."""
        from pyasp_puzzles.asp.diagnostics import clingo_error

        return clingo_error(error, self._messages, self._texts, self._blamed, self._files)

    def _warned(self) -> Sequence[EncodingError]:
        """Return clingo's warnings about the user's files."""
        if not self._users or not self._messages or self.unusable:
            return ()
        from pyasp_puzzles.asp.diagnostics import clingo_warnings

        ours = [str(path) for path in self._encodings if path not in self._users]
        names = [f"{name}/{arity}" for name, arity, _ in self.control.symbolic_atoms.signatures]
        warnings = clingo_warnings(self._messages, self._texts, self._blamed, self._files, names)
        return [warning for warning in warnings if warning.where is None or warning.where.source not in ours]

    @property
    def _files(self) -> list[str]:
        """The files and texts, without what they include, as messages name them."""
        return [FACTS_NAME, *map(str, self._encodings)]

    @property
    def _blamed(self) -> str:
        """The file that messages without a place are about: one of the user's, if there is any."""
        return str(next(iter(sorted(self._encodings, key=is_shipped_path)), ""))

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

    def configure(self, user: object, limit: int, **options: str) -> None:
        """Set options for a question of a user. Only changed ones are passed to clingo, because each takes time.

        Args:
            user: the key of a search.
            limit: the most models, 0 for all.
            options: `solve_limit` (conflicts), `enum_mode`, `opt_mode`; and `sign_def`, "asp" if atoms are first tried
                as false, "pos" if as true.
        """
        self.last_user = user
        for name, value in (_USUAL | options | {"models": str(limit)}).items():
            if self._configured.get(name) != value:
                configuration: Any = self.control.configuration
                setattr(configuration.solver if name == "sign_def" else configuration.solve, name, value)
                self._configured[name] = value


def _uses(program: str) -> str:
    """Return rules without effect that use what a program shows: clingo then warns if nothing defines it."""
    outputs = re.findall(r"^#show (\w+)/(\d+)\.", program, re.MULTILINE)
    return "".join(f":- #false, {name}({', '.join('_' * int(arity))}).\n" for name, arity in outputs)


def _named(files: Sequence[RuleFile], users: Sequence[RuleFile]) -> dict[RuleFile, Sequence[AST]]:
    """Return {file with nameless constraints: its statements, with names for these}."""
    nameless = [file for file in users if source_has_nameless_rules(read_source(file).text)]
    if not nameless:
        return {}
    from pyasp_puzzles.asp.syntax import statements_with_names

    statements: dict[RuleFile, Sequence[AST]] = {}
    above = 0
    for file in files:
        named = statements_with_names(file, above) if file in nameless else None
        if named is not None:
            statements[file] = named
        above += file.lines if isinstance(file, Rules) else 0
    return statements
