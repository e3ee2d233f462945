"""Clues whose numbers are unknown, `?`: in each genre that declares them, whatever they are written in.

What they mean in each genre is in `genres/`, whose random boards have such clues.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from pyasp_puzzles import Instance, InstanceError, check, count, dumps, explain, load, loads, minimize, solve
from pyasp_puzzles.puzzles.declaration import find_puzzle

from .genres import UNKNOWN
from .helpers import GENRES, facts, mine, one, write
from .test_genre_formats import TABLES
from .test_genres import module

UNKNOWN_GENRES = [name for name in GENRES if any(key.unknown for key in find_puzzle(name).keys)]


def unknown(instance: Instance) -> int:
    """Return how many clues of a board have no number."""
    keys = (key for key in instance.puzzle.keys if key.unknown)
    return sum(clue[-1] == UNKNOWN for key in keys for clue in instance.facts.arguments(key.fact))


def boards(name: str, most: int = 40) -> Iterator[Instance]:
    """Yield random boards of a genre that have such clues."""
    found = (one(module(name).draw(Random(f"{name} {i}"))) for i in range(most))  # noqa: S311
    return (board for board in found if unknown(board))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", UNKNOWN_GENRES)
def test_unknown_clues_come_back(name: str) -> None:
    """TOML, JSON, facts, puzz.link and Penpa+ keep them; what is read is written as it was."""
    forms = ["toml", "json", "lp", *(form for form in ("puzzlink", "penpa") if (name, form) in TABLES)]
    stored = dict.fromkeys(forms, 0)
    for board in boards(name):
        for form in (form for form in forms if stored[form] < 2):
            with suppress(InstanceError):  # an address has no place for holes, nor for a largest number
                (back,) = loads(dumps(board, form))
                assert (len(back.facts), unknown(back)) == (len(board.facts), unknown(board)), form
                text = dumps(back, form)
                assert dumps(loads(text)[0], form) == text
                stored[form] += 1
        if {*stored.values()} == {2}:
            return
    assert all(stored.values()) or name == "fillomino", stored


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", UNKNOWN_GENRES)
def test_unknown_clues_are_drawn_and_told(name: str) -> None:
    """A picture and a text show them, and `with_clues` takes what `clues` has."""
    board = next(boards(name))
    puzzle = board.puzzle
    figure = any(key.unknown and key.option("picture", {}).get("cell") == "circle" for key in puzzle.keys)
    assert ("○" if figure else UNKNOWN) in str(board)
    assert figure or f">{UNKNOWN}<" in board._repr_svg_() or f">{UNKNOWN}" in board._repr_svg_()
    assert not puzzle.clue_keys or facts(board.with_clues(board.clues)) == facts(board)


@pytest.mark.sampled(1, 30)
@pytest.mark.parametrize("name", UNKNOWN_GENRES)
def test_unknown_clues_are_clues(name: str) -> None:
    """Without those that a board does not need, it has the same answer; and all of it is explained."""
    for board in (board for board in boards(name, 12) if check(board).status == "unique"):
        fewer = minimize(board)
        assert len(fewer.facts) <= len(board.facts)
        assert [solve(fewer)] == [solve(board)]
        assert check(fewer).status == "unique"
        assert [*explain(board)][-1].status == "unique"
        return


# Addresses with such clues, and how many answers they have; pzprjs accepts these where it knows the clues.
ADDRESSES = [
    ("hashi/4/2/.3g1j", 1),
    ("shikaku/3/3/.g..4j", 2),
    ("nurikabe/5/3/g.s", 191),
    ("mines/5/2/g11h.g.h", 12),
    ("arukone/2/4/....j", 1),
    ("ripple/4/2/o0mh.i3g", 10),
    ("country/2/2/o8g.g", 1),
    ("hitori/4/2/3.@32@41", 9),
    ("heyawake/3/2/4s.1g", 3),
    ("slither/2/2/g.h", 13),
    ("fillomino/3/2/.g2i", 8),
    ("skyscrapers/3/3/.1p", 4),
    ("yajilin/4/4/e40h4.a", 1),
    ("tents/2/5/h.jj24", 3),
]


@pytest.mark.parametrize(("address", "answers"), ADDRESSES)
def test_addresses_with_unknown_clues_are_read(address: str, answers: int) -> None:
    """A question mark of puzz.link is a clue that its genre has a meaning for, and is written again."""
    (board,) = loads(f"https://puzz.link/p?{address}")
    assert count(board).number == answers
    assert dumps(board, "puzzlink") == f"https://puzz.link/p?{address}"


def test_an_arrow_keeps_its_direction_without_its_number() -> None:
    """An arrow of Yajilin points somewhere, known or not; a number without a direction is refused."""
    (board,) = loads("https://puzz.link/p?yajilin/4/4/e40h4.a")
    assert "arrow(4,3,east)" in map(str, board.facts)
    (back,) = loads(dumps(board, "penpa"))
    assert facts(back) == facts(board)
    with pytest.raises(InstanceError, match="a clue is 3 without a direction"):
        loads("https://puzz.link/p?yajilin/4/4/e03h4.a")


def test_an_unknown_run_has_any_length() -> None:
    """In Nonogram, a ? is one run: also in Penpa+, where it was read as 0. Simon Tatham's games have none."""
    board = one('puzzle = "nonogram"\nsize = [2, 2]\nruns = { top = "1 1", left = "? ?" }\n')
    (back,) = loads(dumps(board, "penpa"))
    assert (count(board).number, count(back).number) == (2, 2)
    with pytest.raises(InstanceError, match="tatham cannot store the runs"):
        dumps(board, "tatham")


NOT_DECLARED = {
    "sudoku": ('givens = """\n? . . .\n. . . .\n. . . .\n. . . .\n"""', "row 1, column 1: '?': givens cannot be"),
    "akari": ('walls = """\n? .\n. .\n"""', "write a number, or x for none"),
    "kakuro": ('sums = """\nx ?s\nx .\n"""', "write a number, or x for none"),
}


@pytest.mark.parametrize("name", NOT_DECLARED)
def test_other_clues_must_have_numbers(name: str) -> None:
    """A `?` in a puzzle that does not declare it is refused, with what to write."""
    keys, words = NOT_DECLARED[name]
    with pytest.raises(InstanceError, match=words.replace("?", r"\?")):
        one(f'puzzle = "{name}"\n{keys}\n')


def test_a_puzzle_of_ones_own_declares_unknown_clues(tmp_path: Path) -> None:
    """`unknown = true` is all that a declaration needs; the rules see a fact without its last argument."""
    folder = write(tmp_path / "near", {"near.lp": OWN_RULES, "puzzle.toml": OWN})
    board = mine(tmp_path, 'puzzle = "near"\nnumbers = """\n? . .\n1 . 2\n"""\n', "board.toml")
    (instance,) = load(board, puzzles=[folder])
    assert {"number(1,1)", "number(2,1,1)", "number(2,3,2)"} <= {*map(str, instance.facts)}
    assert instance.puzzle.warnings == ()
    assert len(solve(instance).cells()) == len(instance.cells)  # type: ignore[union-attr]


OWN = """\
summary = "A number says how many cells beside it are black; a ? says that some are."
rules = ["shading", "sides"]
cell = "cell(R, C)"
[answer]
kind = "shading"
output = "black(R, C)"
[keys.numbers]
kind = "numbers"
fact = "number(R, C, N)"
clue = true
unknown = true
"""
OWN_RULES = """\
#defined number/3.
#defined number/2.
#defined relaxed/1.
violated(number(R, C)) :- number(R, C, N), { black(R', C') : side(R, C, R', C') } != N.
violated(number(R, C)) :- number(R, C), not black(R', C') : side(R, C, R', C').
:- violated(Rule), not relaxed(Rule).
"""
