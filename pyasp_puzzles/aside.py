"""Work that cannot be interrupted, done in a thread of its own, so that whoever waits for it can be."""

from __future__ import annotations

from threading import Event, Lock, Thread, stack_size
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")

STACK = 64 * 2**20
"""Bytes for the thread, of which it only takes what it needs: clingo nests calls as deep as terms are."""
_LOCK = Lock()
"""The size of stacks is one for all threads."""


def aside(work: Callable[[], Result], seconds: float) -> list[Result]:
    """Do some work and return its result as `[result]`, or nothing if it takes longer; it may raise what the work does.

    Work that nobody waits for any more goes on until the process ends.
    """
    results: list[Result] = []
    errors: list[Exception] = []
    done = Event()

    def run() -> None:
        try:
            results.append(work())
        except Exception as error:  # noqa: BLE001 (raised again by whoever waits)
            errors.append(error)
        finally:
            done.set()

    with _LOCK:
        usual = stack_size(STACK)
        Thread(target=run, daemon=True).start()
        stack_size(usual)
    done.wait(max(0, seconds))
    if errors:
        raise errors[0]
    return list(results)
