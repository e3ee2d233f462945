"""Mochinyoro: unshaded islands are rectangles, linked at corners, with at most one number; no shaded group is one."""

from random import Random

from tests.genres import Board, Told, mochikoro, parts, rectangular

tries = mochikoro.tries


def draw(random: Random) -> str:
    """Return a small board."""
    return mochikoro.draw(random).replace("mochikoro", "mochinyoro")


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a shading keeps the rules."""
    return mochikoro.keeps(board, answer) and not any(map(rectangular, parts(answer)))
