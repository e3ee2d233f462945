"""Messages are whole: cut between words where they are long, with names that are nearly right."""

from pathlib import Path

import pytest

from pyasp_puzzles import InstanceError, PuzzleError, load, loads, solutions

from .helpers import A_A_A, extra, one, only


def test_excerpts(tmp_path: Path) -> None:
    """The caret is below its column, in an excerpt no wider than a page, which is cut at blanks and says so."""
    words = [f"not nowhere{i}(R, C), value(R, C, {i})," for i in range(15)]
    search = solutions(
        one(A_A_A), 1, extra(tmp_path, f"violated(long(R, C)) :- {' '.join(words)} value(R, C, 1).")
    ).search
    assert search
    assert len(search.warnings) == 15
    pieces = {*" ".join(words).split(), *"violated(long(R, C)) :- value(R, C, 1).".split(), ""}
    for i, warning in enumerate(search.warnings):
        shown, caret = warning.excerpt.split("\n")
        assert len(shown) <= 100
        assert shown[len(caret) - 1 :].startswith(f"nowhere{i}(")
        assert caret.strip() == "^"
        assert shown.startswith(("...", "violated("))
        assert shown.endswith(("...", " value(R, C, 1)."))
        assert {word.removeprefix("...").removesuffix("...") for word in shown.split()} <= pieces


def test_long_messages_are_cut_between_words() -> None:
    """A message of many words ends with a whole one; one of a single word is cut all the same."""
    message = PuzzleError("stone " * 400).message
    assert message.endswith(" stone...")
    assert len(message) <= 1003
    assert PuzzleError("x" * 5000).message == f"{'x' * 1000}..."
    assert PuzzleError("short").message == "short"


def test_suggestions() -> None:
    """A name that is nearly right is found in any case, and as it is written."""
    for name, hint in (("Suguru", "; did you mean suguru[?]"), ("x", "$")):
        with pytest.raises(PuzzleError, match=rf"unknown puzzle '{name}', [^;]*{hint}"):
            loads(f'puzzle = "{name}"\n')
    nearly = {"Suguru/Seed": "suguru/seed", "suguru/sed": "suguru/seed", "Tectonic/seed": "tectonic/seed"}
    for name, near in nearly.items():
        with pytest.raises(InstanceError, match=f"did you mean {near}"):
            list(load(name))


def test_aliases_are_folders() -> None:
    """An alias of a puzzle names the folder of its instances; a file of that name comes first."""
    board = only("suguru/seed")
    same = only("tectonic/seed")
    assert (board.source, board.puzzle) == ("suguru/seed", same.puzzle)
    assert set(board.facts) == set(same.facts)
    assert len(list(load("suguru"))) == len(list(load("tectonic")))
