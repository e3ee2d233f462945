"""Texts to instances and back: a module for each format, which `format.find` finds by its name.

load      reads files and texts in any format
format    `Format`, and the registry of formats
numbers   boards of numbers as other programs have them
data      boards as Python data, the keys of TOML and JSON with their values
answers   reads answers, for `pyasp check` and the like
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyasp_puzzles.model.puzzle import Instance

if TYPE_CHECKING:
    from pyasp_puzzles.formats.format import Report


def _to(self: Instance, format: str, report: Report | None = None) -> str:
    from pyasp_puzzles.arguments import check_text, type_error
    from pyasp_puzzles.formats.format import find

    check_text(format, "format", "the name of a format")
    if report is not None and not callable(report):
        raise type_error(report, "report", "a function of one argument")
    text = find(format).write([self], report or (lambda _: None))
    return f"{text}\n" if "\n" in text else text  # several lines end with a newline, as in a file


# `Instance` is in a lower layer, which cannot import formats. Every instance is made by a module of this folder.
_to.__doc__ = Instance.to.__doc__
Instance.to = _to  # type: ignore[method-assign]
