"""Messages are whole: cut between words where they are long, with names that are nearly right."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyasp_puzzles import InstanceError, PuzzleError, load, loads
from pyasp_puzzles.asp.source import WIDEST_EXCERPT, excerpt
from pyasp_puzzles.errors import did_you_mean, shorten

from .helpers import only

WORDS = "violated(long(R, C)) :- value(R, C, V), not given(R, C, V), " * 6


@given(st.text("ab ,(\t", max_size=300), st.integers(1, 301))
def test_excerpts(line: str, column: int) -> None:
    """The caret is below its column, in an excerpt that is no wider than a page."""
    column = min(column, len(line.rstrip()) + 1)
    shown = excerpt(line, column)
    if not line.rstrip():
        assert shown == ""
        return
    words, caret = shown.split("\n")
    assert len(words) <= WIDEST_EXCERPT
    place = caret.index("^")
    assert caret[:place].strip() == ""
    assert words[place : place + 1].replace(".", "") in line[column - 1 : column]
    assert words.removeprefix("...").removesuffix("...") in line


def test_excerpts_are_cut_between_words() -> None:
    """A long line is cut at blanks, and says so."""
    pieces = {*WORDS.split(), "..."}
    for column in range(1, len(WORDS)):
        words = excerpt(WORDS, column).split("\n")[0]
        assert {word.removeprefix("...").removesuffix("...") for word in words.split()} <= {*pieces, ""}


def test_long_messages_are_cut_between_words() -> None:
    """A message of many words ends with a whole one; one of a single word is cut all the same."""
    message = PuzzleError("stone " * 400).message
    assert message.endswith(" stone...")
    assert len(message) <= 1003
    assert shorten("x" * 50, 10) == f"{'x' * 10}..."
    assert shorten("short", 10) == "short"


def test_suggestions() -> None:
    """A name that is nearly right is found in any case, and as it is written."""
    assert did_you_mean("Suguru", ["tectonic", "suguru"]) == "; did you mean suguru?"
    assert did_you_mean("palete", ["Palette"]) == "; did you mean Palette?"
    assert did_you_mean("x", ["Palette"]) == ""
    with pytest.raises(PuzzleError, match=r"unknown puzzle 'Suguru', .*; did you mean suguru"):
        loads('puzzle = "Suguru"\n')
    for name, near in (
        ("Suguru/Seed", "suguru/seed"),
        ("suguru/sed", "suguru/seed"),
        ("Tectonic/seed", "tectonic/seed"),
    ):
        with pytest.raises(InstanceError, match=f"did you mean {near}"):
            list(load(name))


def test_aliases_are_folders() -> None:
    """An alias of a puzzle names the folder of its instances; a file of that name comes first."""
    board = only("suguru/seed")
    same = only("tectonic/seed")
    assert (board.source, board.puzzle) == ("suguru/seed", same.puzzle)
    assert set(board.facts) == set(same.facts)
    assert len(list(load("suguru"))) == len(list(load("tectonic")))
