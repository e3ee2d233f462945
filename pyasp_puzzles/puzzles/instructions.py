"""The rules of a board in words, for players, with the sizes and numbers of that board."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pyasp_puzzles.boards.grid import grid_tokens
from pyasp_puzzles.errors import listing
from pyasp_puzzles.puzzles.variant import variants_of
from pyasp_puzzles.render.text import color_name_in_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pyasp_puzzles.model.puzzle import Instance, Variant


def instructions(instance: Instance) -> str:
    """Return what to do with a board: the instructions of its puzzle and variants, and rules told only in words."""
    return " ".join(filter(None, [*instruction_sentences(instance), instance.details.get("rules", "")]))


def instruction_sentences(instance: Instance) -> list[str]:
    """Return the instructions of the puzzle of a board, and those of each of its variants.

    Of several sentences, the first is chosen that names only what the board has. Without instructions, the summary
    takes their place.
    """
    puzzle = instance.puzzle
    known = variants_of(puzzle)
    found = _chosen(puzzle.instructions, _values(instance)) or _of_this_board(puzzle.summary, instance)
    return [found, *(variant_instructions(known[name], instance) for name in instance.variants)]


def variant_instructions(variant: Variant, instance: Instance) -> str:
    """Return the instructions of a variant, for a board that has it or might have it."""
    values = {**_values(instance), **_clue_values(variant, instance)}
    return _chosen(variant.instructions, values) or _of_this_board(variant.summary, instance)


def _chosen(choices: Iterable[Iterable[str]], values: Mapping[str, str]) -> str:
    """Return instructions with values in place of their names in braces."""
    found = []
    for choice in choices:
        fitting = (one for one in choice if set(re.findall(r"\{([\w=]+)\}", one)) <= values.keys())
        found.append(re.sub(r"\{([\w=]+)\}", lambda match: values[match[1]], next(fitting, "")))
    return " ".join(filter(None, found))


def _values(instance: Instance) -> dict[str, str]:
    """Return the values for names in braces in instructions."""
    outline = instance.outline
    largest = instance.puzzle.kind.largest(outline)
    values = {"rows": str(outline.rows), "columns": str(outline.columns), "cells": str(len(outline.cells))}
    if largest is not None:
        third = (largest + 1) // 3
        parts = {
            "low": range(1, third + 1),
            "middle": range(third + 1, largest - third + 1),
            "high": range(largest - third + 1, largest + 1),
        }
        values |= {"largest": str(largest), "half": str((largest + 1) // 2)}
        values |= {name: listing(map(str, numbers)) for name, numbers in parts.items() if numbers}
    told = (key for key in instance.puzzle.keys if key.kind.tool in {"total", "pattern", "mark"})
    written = {name: value for key in told for name, value in key.kind.write(key, outline, {}).items()}
    values |= {name: _told(value, instance.extras.get("colors", {})) for name, value in written.items()}
    # {full=1} marks a sentence for boards with that number, {walls} one for boards with that key; they become nothing.
    has = {key.name: "" for key in instance.puzzle.keys if key.predicate and instance.facts.arguments(key.fact)}
    return has | values | {f"{name}={value}": "" for name, value in values.items()}


def _told(value: object, colors: Mapping[str, str]) -> str:
    """Return the value of a key in a sentence: a number, a line of cells, or patterns, with the names of colors."""
    patterns = [grid_tokens(str(pattern)) for pattern in value] if isinstance(value, list) else []
    every = {token for pattern in patterns for token in pattern}
    words = ("-".join(color_name_in_text(token, colors, every) for token in pattern) for pattern in patterns)
    return ", ".join(words) if patterns else str(value)


def _clue_values(variant: Variant, instance: Instance) -> dict[str, str]:
    """Return {"value": "4"} if all clues of a variant have that number, {"values": "4 or 6"} if only some have one."""
    own = {key.name for key in variant.keys}
    outline = instance.outline
    layers = (key.kind.draw(key, outline) for key in instance.puzzle.keys if key.name in own)
    found = {figure.text for layer in layers for figure in layer.figures}
    numbers = sorted(filter(None, found), key=lambda text: (len(text), text))
    if not numbers:
        return {}
    return {"value": numbers[0]} if len(found) == 1 else {"values": listing(numbers)}


def _of_this_board(summary: str, instance: Instance) -> str:
    """Return a summary with the numbers of a board in place of n; where n is not its size, "1 to n" for "1..n"."""
    n = str(instance.outline.rows) if instance.puzzle.square else "n"
    words = re.sub(r"\bn x n\b", f"{n} x {n}", summary)
    return re.sub(r"\b1\.\.n\b", f"1 to {n}", words)
