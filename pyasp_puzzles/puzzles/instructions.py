"""What to do with a board, in plain words for solvers: with its own sizes and numbers, not with those of any board."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pyasp_puzzles.model.keys import Outline
from pyasp_puzzles.puzzles.templates import summary
from pyasp_puzzles.puzzles.variant import rules_of

if TYPE_CHECKING:
    from pathlib import Path

    from pyasp_puzzles.model.puzzle import Instance


def instructions(instance: Instance) -> str:
    """Return what to do with a board, with its sizes and numbers: those of its puzzle, and of its variants.

    Of several sentences, the first is chosen that names only what the board has. Without instructions, the summary of
    the puzzle takes their place.
    """
    puzzle, values = instance.puzzle, _values(instance)
    sentences = []
    for choice in puzzle.instructions:
        fitting = (one for one in choice if set(re.findall(r"\{(\w+)\}", one)) <= values.keys())
        sentence = next(fitting, "")
        sentences.append(re.sub(r"\{(\w+)\}", lambda match: values[match[1]], sentence))
    found = sentences or [_of_this_board(puzzle.summary, values, square=puzzle.square)]
    return " ".join(filter(None, [*found, *(_variant(rules_of(puzzle, name)) for name in instance.variants)]))


def _values(instance: Instance) -> dict[str, str]:
    """Return what stands in instructions for names in braces."""
    facts, keys = instance.facts, instance.puzzle.keys
    outline = Outline(instance.puzzle.cells(facts), facts, keys)
    largest = instance.puzzle.kind.largest(outline)
    found = {"rows": outline.rows, "columns": outline.columns, "cells": len(outline.cells)}
    found |= {"largest": largest} if largest is not None else {}
    values = {name: str(value) for name, value in found.items()}
    colors = instance.extras.get("colors", {})
    values |= {key.name: words for key in keys if (words := key.kind.said(key, outline, colors))}
    return values


def _of_this_board(summary: str, values: dict[str, str], *, square: bool) -> str:
    """Return a summary with the numbers of a board in place of n; where n is not its size, "1 to n" for "1..n"."""
    n = values["rows"] if square else "n"
    words = re.sub(r"\bn x n\b", f"{n} x {n}", summary)
    return re.sub(r"\b1\.\.n\b", f"1 to {n}", words)


def _variant(file: Path) -> str:
    """Return what a variant demands, as a sentence."""
    title, _, words = summary(file).partition(": ")
    words = words or title
    return words[:1].upper() + words[1:]
