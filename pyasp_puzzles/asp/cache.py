"""`LRUCache`, a thread-safe cache that evicts the least recently used entry."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

from pyasp_puzzles.asp.deadline import Deadline
from pyasp_puzzles.errors import OutOfTime

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable


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
