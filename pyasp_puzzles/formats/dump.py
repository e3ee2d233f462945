"""`dumps`, a board as text in any format, and `dumped_links`, its addresses in other programs."""

from __future__ import annotations

import re
from contextlib import suppress

from pyasp_puzzles.arguments import check_text, check_type, type_error
from pyasp_puzzles.errors import InstanceError
from pyasp_puzzles.formats.format import Report, find_format, formats
from pyasp_puzzles.model.puzzle import Instance


def dumps(instance: Instance, format: str, report: Report | None = None) -> str:
    """Return a board in a format, such as "penpa" or "toml"; `pyasp list --formats` has their names.

    A text of several lines ends with a newline.

    Args:
        instance: the board.
        format: the name of the format.
        report: called with a sentence about details that the format cannot store, such as the title.

    Raises:
        InstanceError: the format cannot store what the board is.
        PuzzleError: there is no such format.
    """
    check_type(instance, Instance, "instance", "a board, as load() returns them")
    check_text(format, "format", "the name of a format")
    if report is not None and not callable(report):
        raise type_error(report, "report", "a function of one argument")
    text = find_format(format).write([instance], report or (lambda _: None))
    return f"{text}\n" if "\n" in text else text  # several lines end with a newline, as in a file


def dumped_links(instance: Instance) -> dict[str, str]:
    """Return {format: address} of the programs that can store what a board is."""
    found = {}
    for one in formats().values():
        with suppress(InstanceError):
            if one.line and re.match(r"https?://\S+$", text := dumps(instance, one.name)):
                found[one.name] = text
    return found
