"""The kinds of answers, as data that knows how to print itself: an answer prints as its text.

numbers.Numbers   a number a cell:   {(1, 1): 3, (1, 2): 1, ...}
ribbons.Ribbons   a laying order:    Ribbon("row", 2, "b") first, at the bottom
strips.Strips     a board cut up:    Strip(((1, 1), (1, 2)), "wb"), ...
"""

from __future__ import annotations

from pyasp_puzzles.render.style import Style


class Printable:
    """What has a text prints as its plain text."""

    def __str__(self) -> str:
        return self.text(Style())

    def text(self, style: Style) -> str:
        """Return the answer as lines to read."""
        raise NotImplementedError
