"""Texts that are recognised, but that no format reads: what to say about them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pyasp_puzzles.errors import InstanceError, shown

if TYPE_CHECKING:
    from pyasp_puzzles.errors import Where

KNOWN = {
    r"(?:tinyurl\.com|bit\.ly|t\.co|goo\.gl|is\.gd)/": "a short address, which needs its server, and pyasp stays "
    "offline: open it, and copy the long address",
    r"sudokumaker\.app/": "SudokuMaker, whose format pyasp does not read; it exports to SudokuPad and f-puzzles",
    r"lisudoku\.xyz/": "Lisudoku, whose format pyasp does not read; it exports to f-puzzles and to a line of digits",
    r"pzprv3(?:[./]|\s)": "a file of pzprjs, which pyasp does not read; it reads the address of the puzzle",
    r"(?:[^0-9a-z]*[0-9]{1,9}\b){81}[^0-9a-z]*(?:Simple Sudoku|$)": "a grid of candidates, which pyasp does not read; "
    "it reads the clues",
    r"<": "a page or a file in XML, which pyasp does not read",
    r"kanpen\.net/": "Kanpen, whose format pyasp does not read; puzz.link imports it",
}
"""What other addresses look like, and what they are."""


def refuse_known(text: str, where: Where) -> None:
    """Raise `InstanceError` for a text that is an address, or the like, of no format.

    Raises:
        InstanceError: what it is.
    """
    words = text.strip()
    for pattern, message in KNOWN.items():
        if re.match(rf"(?:https?://)?(?:www\.)?{pattern}", words):
            raise InstanceError(f"this is {message}", where)
    if re.match(r"https?://\S+\s*$", words):
        message = f"{shown(words)} is an address of no format that pyasp knows, expected one of `pyasp list --formats`"
        raise InstanceError(f"{message}; pyasp opens no addresses, it reads what is in them", where)
    if not re.search(r"[=(\[]", words):
        message = f"{shown(words.partition(chr(10))[0])} begins no format that pyasp knows"
        raise InstanceError(f"{message}, expected one of `pyasp list --formats`", where)
