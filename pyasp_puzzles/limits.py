"""How much a TOML instance may hold; what holds more is refused before it is read, or before its boards are built."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .errors import InstanceError, shown
from .grid import count

if TYPE_CHECKING:
    from .errors import Where

MOST_DOTS = 100
"""Dots in a key; more are taken for a mistake."""
MOST_LINES = 250_000
"""Lines of a file, and backslashes in it."""
MOST_PIECES = 250_000
"""Keys, values, tables, comments and dots of a file; `tomllib` reads as many in a second."""
MOST_BOARDS = 10_000
"""Boards of a file."""
MOST_CELLS = 250_000
"""Cells, words and names of all boards of a file; what a board has from the top level counts for each board."""
MOST_BITS = 64
"""Bits of a number; TOML promises no more, and Python refuses to write much larger ones."""

# Strings and comments; the rest is what TOML has to say. A string without an end is taken to the end of its line, or of
# the file, so that each character is looked at once.
_STRING = re.compile(
    r'''"""(?:[^"\\]++|\\.|"{1,2}(?!"))*+"{0,5} | "(?:[^"\\\n]++|\\.)*+"?'''
    r"""| '{3}(?:[^']++|'{1,2}(?!'))*+'{0,5} | '[^'\n]*+'? | \#[^\n]*+""",
    re.DOTALL | re.VERBOSE,
)


def check_text(text: str, where: Where) -> None:
    """Raise `InstanceError` for a text that `tomllib` would read for longer than a second or two."""
    for mark, name in (("\n", "lines"), ("\\", "backslashes")):
        if text.count(mark) > MOST_LINES:
            raise InstanceError(f"{text.count(mark)} {name}, expected at most {MOST_LINES}", where)
    outline, strings = _STRING.subn("", text, MOST_PIECES + 1)
    if strings + sum(map(outline.count, "=,[{.")) > MOST_PIECES:
        raise InstanceError(f"too large a file, expected at most {MOST_PIECES} keys, values and comments", where)


def check_cells(found: int, where: Where) -> None:
    """Raise `InstanceError` for more cells, words and names than a file may have."""
    if found > MOST_CELLS:
        message = f"too large a file, expected at most {MOST_CELLS} cells, words and names in all of its boards"
        raise InstanceError(message, where)


def dots(line: str) -> int:
    """Return how many dots the key has that has most of them."""
    return max(key.count(".") for key in re.split(r"[=,\[\]{}]", _STRING.sub("", line)))


def size(key: str, value: object, where: Where) -> int:
    """Return how many cells, words and names there are in the value of a key.

    Raises:
        InstanceError: a number that is too large to be shown, or to be meant.
    """
    found, waiting = 0, [value]
    for one in waiting:
        if isinstance(one, int) and one.bit_length() > MOST_BITS:
            raise InstanceError(f"{key}: {shown(one)} is out of range, expected at most {MOST_BITS} bits", where)
        if isinstance(one, list | dict):
            waiting += one if isinstance(one, list) else one.values()
        found += count(one, MOST_CELLS) if isinstance(one, str) else 1
    return found
