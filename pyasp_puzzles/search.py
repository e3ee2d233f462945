"""`Search`, the one place that grounds and solves; a clingo error becomes an `EncodingError` here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clingo.control import Control
from clingo.core import MessageCode

from .errors import EncodingError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from clingo import Symbol

PATIENCE = 0.05
"""Seconds for which clingo is left alone before Python looks whether someone wants to stop."""


class Search:
    """A grounded program, and what is asked of it.

    Raises:
        EncodingError: the program cannot be read or grounded.
    """

    def __init__(self, encodings: Iterable[Path], facts: str) -> None:
        self.exhausted = False
        """Whether the last question was answered in full: there is no model beyond those that came."""
        messages: list[str] = []
        self._control = Control(
            ["--project=show"],
            logger=lambda code, text: None if code in _INFORMATION else messages.append(text),
        )
        try:
            for path in encodings:
                self._control.load(str(path))
            self._control.add("base", [], facts)
            self._control.ground([("base", [])])
        except RuntimeError as error:
            raise EncodingError(messages[0] if messages else str(error)) from None

    def models(self, limit: int = 0) -> Iterator[Sequence[Symbol]]:
        """Yield the shown atoms of each model, at most `limit` of them (0: all), no two alike; unsorted."""
        self.exhausted = False
        self._control.configuration.solve.models = str(limit)  # type: ignore[union-attr]
        with self._control.solve(yield_=True, async_=True) as handle:
            while True:
                handle.resume()
                while not handle.wait(PATIENCE):
                    pass
                model = handle.model()
                if model is None:
                    break
                yield model.symbols(shown=True)
            self.exhausted = bool(handle.get().exhausted)


_INFORMATION = {MessageCode.OperationUndefined, MessageCode.AtomUndefined, MessageCode.GlobalVariable}
