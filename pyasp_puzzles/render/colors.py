"""The names of colours that tokens of a board stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

LETTERS = {
    "b": "blue",
    "g": "green",
    "k": "black",
    "o": "orange",
    "p": "purple",
    "r": "red",
    "w": "white",
    "y": "yellow",
}
"""The colours that single letters stand for, if nothing names them; beside `w` and without `k`, `b` is black."""


def color_name(token: str, names: Mapping[str, str], tokens: Collection[str]) -> str:
    """Return the name of the colour that a token stands for, among the tokens of a board."""
    letters = LETTERS | ({"b": "black"} if "w" in tokens and "k" not in tokens else {})
    return names.get(token) or letters.get(token, token)
