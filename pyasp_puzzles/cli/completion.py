"""What a shell completes for arguments and options: names that ship, words, and files."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pyasp_puzzles.errors import PuzzleError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Kinds of names that may also be files; a shell adds no files to the names that it is given.
_WITH_FILES = {"board", "variant", "rules"}
_WORDS = {
    "distinct": ("lattices", "plays", "orders", "looks"),
    "layout": ("new", "same"),
    "paper": ("a4", "letter"),
}


def completions(kind: str, incomplete: str, puzzles: Sequence[Path] = ()) -> list[tuple[str, str]]:
    """Return what may follow, each with its meaning, which may be empty.

    Args:
        kind: "board", "puzzle", "variant", "rules" (all three), "format", "format or puzzle", "grade", "answer", or a
            key of `_WORDS`.
        incomplete: what is typed already.
        puzzles: folders of further puzzles.
    """
    names = []
    with suppress(PuzzleError, OSError):
        names = [(name, meaning) for name, meaning in _names(kind, puzzles) if name.startswith(incomplete)]
    return names + [(file, "") for file in _files(incomplete)] if names and kind in _WITH_FILES else names


def _names(kind: str, puzzles: Sequence[Path]) -> Iterator[tuple[str, str]]:
    if kind in {"puzzle", "rules", "format or puzzle"}:
        from pyasp_puzzles.puzzles import declaration

        for puzzle in declaration.declared_puzzles(puzzles):
            yield from ((name, puzzle.summary) for name in (puzzle.name, *puzzle.aliases))
    if kind in {"variant", "rules"}:
        from pyasp_puzzles.puzzles.variant import variants_in

        yield from ((name, variant.summary) for name, variant in variants_in(puzzles).items())
    if kind in {"board", "rules"}:
        from pyasp_puzzles.formats.load import shipped_instances

        yield from ((name, "") for name in shipped_instances())
    if kind in {"format", "format or puzzle"}:
        from pyasp_puzzles.formats.format import formats

        yield from ((one.name, one.summary) for one in formats().values())
    if kind == "grade":
        from pyasp_puzzles.model.grade import GRADES

        yield from ((word.replace(" ", "-"), "") for word in GRADES)
    if kind == "answer":
        from pyasp_puzzles.puzzles.templates import TEMPLATES

        yield from ((word, "") for word in TEMPLATES)
    yield from ((word, "") for word in _WORDS.get(kind, ()))


def _files(incomplete: str) -> list[str]:
    """Return the files and directories that begin with a text; hidden ones only if it has their dot."""
    directory, _, start = incomplete.rpartition("/")
    place = f"{directory}/" if "/" in incomplete else ""
    with suppress(OSError, ValueError), os.scandir(place or ".") as entries:
        return sorted(
            f"{place}{entry.name}" + "/" * entry.is_dir()
            for entry in entries
            if entry.name.startswith(start) and (start or not entry.name.startswith("."))
        )
    return []
