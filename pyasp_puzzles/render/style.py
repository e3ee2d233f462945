"""How text is decorated, and laid out on a page.

Style(color=False, width=80)   plain text for a page of 80 columns
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

BOLD = "1"
DIM = "2"
MARKED = "1;97;48;5;160"
"""White on red."""
RESTING = "30;48;5;222"
"""Black on orange."""
BACKGROUNDS = (224, 153, 157, 229, 183, 216, 159, 253, 218, 151, 187, 147)
"""Light colours of the 256-colour palette that black text is easy to read on, neighbours unlike one another."""
NAMED = {
    "red": 203,
    "green": 114,
    "blue": 75,
    "yellow": 227,
    "orange": 215,
    "purple": 177,
    "pink": 218,
    "white": 255,
    "black": 240,
    "gray": 250,
    "brown": 137,
    "cyan": 123,
}


class Style(NamedTuple):
    """Whether to use colour, and how wide the page is."""

    color: bool = False
    width: int = 80

    def paint(self, text: str, *codes: str) -> str:
        """Return the text with these SGR codes, or as it is where there is no colour."""
        return f"\033[{';'.join(codes)}m{text}\033[0m" if self.color and codes and text else text


def backgrounds(keys: Sequence[str], names: Sequence[str] = ()) -> dict[str, str]:
    """Return the SGR code of a background for each key: the colour that its name says, or one of a cycle."""
    cycle = {key: BACKGROUNDS[i % len(BACKGROUNDS)] for i, key in enumerate(dict.fromkeys(keys))}
    named = {key: NAMED[name] for key, name in zip(keys, names, strict=False) if name in NAMED}
    return {key: f"30;48;5;{code}" for key, code in (cycle | named).items()}


def visible(line: str) -> int:
    """Return how many columns a line takes, its decoration aside."""
    return len(re.sub(r"\033\[[0-9;]*m", "", line))


def beside(blocks: Sequence[str], gap: str = " ") -> str:
    """Return blocks of lines side by side, their first lines level."""
    columns = [block.split("\n") for block in blocks]
    height = max(map(len, columns))
    padded = []
    for column in columns:
        wide = max(map(visible, column))
        padded.append([line + " " * (wide - visible(line)) for line in column + [""] * (height - len(column))])
    return "\n".join(gap.join(row).rstrip() for row in zip(*padded, strict=True))
