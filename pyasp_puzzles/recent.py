"""`Recent`: what was made lately, to be used again."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

Thing = TypeVar("Thing")


class Recent(Generic[Thing]):
    """At most so many things, each under a key; the one that was not asked for the longest makes way."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._things: OrderedDict[Hashable, Thing] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], Thing]) -> Thing:
        """Return what is kept under a key; it is made if there is nothing, by several threads at once perhaps."""
        with self._lock:
            if key in self._things:
                self._things.move_to_end(key)
                return self._things[key]
        thing = make()
        with self._lock:
            thing = self._things.setdefault(key, thing)
            while len(self._things) > self._most:
                self._things.popitem(last=False)
        return thing

    def drop(self, key: Hashable) -> None:
        """Forget what is kept under a key."""
        with self._lock:
            self._things.pop(key, None)
