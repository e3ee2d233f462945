"""`Recent`: what was made lately, to be used again."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

from pyasp_puzzles.asp.deadline import Deadline
from pyasp_puzzles.errors import OutOfTime

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable


Thing = TypeVar("Thing")
NO_LIMIT = Deadline()


class Recent(Generic[Thing]):
    """At most so many things, each under a key; the one that was not asked for the longest makes way."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._things: OrderedDict[Hashable, Thing] = OrderedDict()
        self._making: dict[Hashable, Lock] = {}
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], Thing], deadline: Deadline = NO_LIMIT) -> Thing:
        """Return what is kept under a key; if there is nothing, one thread makes it, and others wait for it.

        Raises:
            OutOfTime: time ran out while another thread was at work on it.
        """
        with self._lock:
            if key in self._things:
                self._things.move_to_end(key)
                return self._things[key]
            making = self._making.setdefault(key, Lock())
        if not making.acquire(timeout=deadline.left()):
            raise OutOfTime
        try:
            with self._lock:
                if key in self._things:
                    return self._things[key]
            thing = make()
            with self._lock:
                self._things[key] = thing
                while len(self._things) > self._most:
                    self._things.popitem(last=False)
        finally:
            with self._lock:
                self._making.pop(key, None)
            making.release()
        return thing

    def drop(self, key: Hashable) -> None:
        """Forget what is kept under a key."""
        with self._lock:
            self._things.pop(key, None)
