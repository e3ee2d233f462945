"""The rules of a board in words: for players, in books and in texts for other programs; and read back from texts."""

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from pyasp_puzzles import Instance, count, dumps, loads
from pyasp_puzzles.formats.sites import compress, decompress
from pyasp_puzzles.model.puzzle import Variant
from pyasp_puzzles.puzzles.declaration import shipped_variants
from pyasp_puzzles.puzzles.wording import instructions, variant_instructions

from .command import pyasp
from .helpers import one, write
from .test_penpa import drawing
from .test_variant_exchange import KEYED, NAMED, SUDOKU_9, board_with, packed, same

USUAL = [
    "Normal sudoku rules apply.",
    "Standard Sudoku: digits can't repeat in any row, column or box.",
    "Classic rules: no digit may appear more than once in the same row, column or region.",
    "Fill each row, column and 3x3 box with the digits from 1 to 9. Digits may not repeat in a row, column or box.",
    "Place the numbers 1-9 in the grid so that every row, every column and every outlined 3\u00d73 box has each once!",
    "",
]
UNUSUAL = [
    "Every 2x2 box must contain a low, a middle and a high digit.",
    "Normal sudoku rules apply. Digits a bishop's move apart are different.",
    "Normal sudoku rules do not apply.",
    "Digits may repeat in a box.",
    "Every 4x4 box contains each digit.",
    "Digits in the same cell of every box are not the same.",
    "Each number in column 1 must be in row 9.",
    "Place the digits from 1 to 8 in each row, column and box.",
    "Anti-knight rules apply.",
]


def f_puzzles(**more: object) -> Instance:
    """Return a board of f-puzzles of 9x9 with these keys."""
    return one(json.dumps({"size": 9, "grid": [[{}] * 9] * 9, **more}))


def f_puzzles_json(keys: str) -> Any:
    """Return what f-puzzles gets of a board of 9x9 with these keys."""
    return json.loads(decompress(dumps(one(SUDOKU_9 + keys), "f-puzzles").split("load=")[1]))


def sudokupad(rules: str, **more: object) -> Instance:
    """Return a board of SudokuPad with a text of rules."""
    regions = [[[r + y, c + x] for y in range(3) for x in range(3)] for r in (0, 3, 6) for c in (0, 3, 6)]
    puzzle = {"cells": [[{}] * 9] * 9, "regions": regions, "metadata": {"rules": rules}, **more}
    return one(f"scl{compress(json.dumps(puzzle))}")


def penpa(rules: str) -> Instance:
    """Return a board of Penpa+ with a text of rules in place of ours."""
    return one(dumps(one(f"{SUDOKU_9}rules = '''{rules}'''"), "penpa"))


FOREIGN = {"f-puzzles": lambda rules: f_puzzles(ruleset=rules), "sudokupad": sudokupad, "penpa": penpa}


# -- What is told ------------------------------------------------------------------------------------


def test_every_variant_has_sentences() -> None:
    """A variant has sentences for players, with the numbers of the board, and no terms of its rules."""
    for variant in (*KEYED, *NAMED):
        assert variant.instructions, variant.name
        words = variant_instructions(variant, board_with(variant))
        assert re.fullmatch(r"[A-Z].*\.", words), variant.name
        assert not re.search(r"[{}]|\w\(|\bn\b|facts?\b|Sudoku", words), variant.name


@pytest.mark.sampled(1)
@pytest.mark.parametrize("size", [4, 6, 8, 9])
def test_whispers_have_the_difference_of_their_board(size: int) -> None:
    """The difference that is told is the least that the rules allow on a board of that size."""
    text = f'puzzle = "sudoku"\nsize = [{size}, {size}]\nwhispers = "r1c1 r1c2"\n'
    pairs = [f'pencil_marks = ["r1c1 = 1", "r1c2 = {1 + d}"]' for d in range(1, size)]
    allowed = [d for d, pair in enumerate(pairs, 1) if count(one(text + pair), limit=1)]
    assert instructions(one(text)).endswith(f" differ by at least {min(allowed)}.")


def test_numbers_of_the_clues() -> None:
    """The number of a clue is told if all have the same, and otherwise that each has its own."""
    told = {
        'whispers = "r1c1 r1c2 = 4"': "differ by at least 4.",
        'whispers = ["r1c1 r1c2 = 4", "r2c1 r2c2"]': "the number of the line (4), or by 5 if it has none.",
        'differences = "r1c1 r1c2"': "a white dot differ by 1.",
        'differences = ["r1c1 r1c2", "r2c1 r2c2 = 3"]': "by the number in it, or by 1 if it has none.",
        'killer_cages = "r1c1 r1c2 = 4"': "in a cage are all different, and add up to the number in its corner",
        'variants = ["global-entropy"]': "number (1, 2 or 3), a middle one (4, 5 or 6) and a high one (7, 8 or 9).",
        "sandwiches = { top = '5 . . . . . . . .' }": "between the 1 and the 9 in that row or column.",
    }
    for keys, words in told.items():
        assert words in instructions(one(SUDOKU_9 + keys)), keys


def test_what_is_told_to_players(tmp_path: Path) -> None:
    """Books, the studio, and the texts of three programs tell the same rules; notes are not among them."""
    text = """
puzzle = "sudoku"
notes = "grade extreme, seed 3"
size = [6, 6]
whispers = "r1c1 r2c1 r3c1"
variants = ["anti-knight"]
"""
    board = one(text)
    rules = instructions(board)
    assert "from 1 to 6" in rules
    assert "differ by at least 3" in rules
    assert "seed" not in rules
    write(tmp_path, {"b.toml": text})
    pyasp("book", "b.toml", "--no-grade", "-o", "b.html", where=tmp_path)
    assert f'<p class="rules">{rules}</p>'.replace("'", "&#x27;") in (tmp_path / "b.html").read_text("utf-8")
    assert packed(dumps(board, "sudokupad"))["metadata"]["rules"] == rules
    assert json.loads(decompress(dumps(board, "f-puzzles").split("load=")[1]))["ruleset"] == rules
    assert rules.replace(",", "%2C") in drawing(dumps(board, "penpa"))[0]
    for name in ("f-puzzles", "sudokupad"):
        assert one(dumps(board, name)).details["notes"] == board.details["notes"]


def test_a_variant_of_ones_own_is_told_by_its_summary(tmp_path: Path) -> None:
    """Without sentences for players, the summary is told; the comment of the rules never is."""
    pyasp("new", "mine", "--variant", where=tmp_path)
    text = (tmp_path / "mine" / "first.toml").read_text("utf-8")
    assert instructions(one(text, puzzles=tmp_path)).endswith(
        "The two numbers at the ends of each blue line are the same."
    )
    declared = tmp_path / "mine" / "variant.toml"
    declared.write_text(re.sub(r"instructions = .*\n", "", declared.read_text("utf-8")), "utf-8")
    words = instructions(one(text, puzzles=tmp_path))
    assert words.endswith("Two cells at the ends of a twin line hold the same number.")


# -- What is read ------------------------------------------------------------------------------------


@pytest.mark.sampled(13)
@pytest.mark.parametrize("name", ["sudokupad", "penpa", "f-puzzles"])
@pytest.mark.parametrize("variant", NAMED, ids=lambda variant: variant.name)
def test_our_own_sentences_are_read_back(variant: Variant, name: str) -> None:
    """A variant without keys comes back from every text that we write, and nothing is warned of."""
    board = board_with(variant)
    if name == "f-puzzles" and variant.name.startswith(("anti-taxicab", "global-")):
        return  # refused by name
    back = one(dumps(board, name))
    assert same(board, back)
    assert (back.warnings, back.details) == ((), {})


def test_sentences_about_what_is_only_drawn() -> None:
    """A sentence is not read if drawings are left out that it may be about: these pairs would be no exceptions."""
    board = one(f'{SUDOKU_9}xv = "r1c1 r1c2 = X"\nvariants = ["negative-xv"]')
    shown = packed(dumps(board, "sudokupad"))
    del shown["pyasp"]
    (warning,) = (back := one(json.dumps(shown))).warnings
    assert back.variants == ()
    assert "left out: shapes; its rules are told in words: " in warning
    assert "Every X and every V is given" in warning


@pytest.mark.parametrize("name", FOREIGN)
@pytest.mark.parametrize("rules", USUAL)
def test_usual_rules_are_not_warned_of(rules: str, name: str) -> None:
    """A text that only says the usual rules is read without a warning, and keeps its words."""
    found = FOREIGN[name](rules)
    assert found.warnings == ()
    assert found.details.get("rules", "") == rules


@pytest.mark.parametrize("name", FOREIGN)
@pytest.mark.parametrize("rules", UNUSUAL)
def test_rules_that_stand_in_words_only(rules: str, name: str) -> None:
    """A rule that is only told is warned of once, with the text."""
    found = FOREIGN[name](rules)
    assert found.warnings == (f"rules that are only told in words are not read: {rules}",)


def test_rules_that_name_what_is_read() -> None:
    """Sentences about the variants of a board need no warning; one about another variant does."""
    lines = [{"lines": [["R1C1", "R1C2", "R1C3"]]}]
    rules = "Normal sudoku rules apply.\n\nAlong thermometers, digits increase from the bulb.\n- Anti-knight applies."
    assert f_puzzles(thermometer=lines, antiknight=True, ruleset=rules).warnings == ()
    (warning,) = f_puzzles(thermometer=lines, ruleset=rules).warnings
    assert warning.endswith(
        ": Normal sudoku rules apply. Along thermometers, digits increase from the bulb. - Anti-knight applies."
    )
    dots = [{"cells": ["R1C1", "R1C2"]}]
    some = "Cells joined by a white dot are consecutive. Not all possible dots are given."
    assert f_puzzles(difference=dots, ruleset=some).warnings == ()
    assert f_puzzles(difference=dots, ruleset=some.replace("Not all", "All")).warnings
    assert f_puzzles(difference=dots, nonconsecutive=True, ruleset=some.replace("Not all", "All")).warnings == ()


# -- Drawings of f-puzzles ---------------------------------------------------------------------------


def test_drawings_that_repeat_a_constraint() -> None:
    """A drawing made from a constraint that is read says nothing new; another is left out with a warning."""
    line = {"lines": [["R1C1", "R1C2"]]}
    drawn = line | {"outlineC": "#F067F0", "width": 0.4}
    assert f_puzzles(renban=[line], line=[drawn | {"fromConstraint": "Renban"}]).warnings == ()
    assert f_puzzles(whispers=[line], line=[drawn | {"isNewConstraint": True}]).warnings == ()
    clue = {"cell": "R0C1", "value": "12"}
    texts = [{"cells": ["R0C1"], "value": words, "fromConstraint": "X Sum"} for words in ("\u25ef", "12")]
    assert f_puzzles(xsum=[clue], text=texts).warnings == ()
    for other in (drawn, drawn | {"fromConstraint": "Renban", "lines": [["R5C5", "R5C6"]]}):
        assert f_puzzles(renban=[line], line=[other]).warnings == ("left out: lines",)
    assert f_puzzles(line=[drawn | {"fromConstraint": "Renban"}]).warnings == ("left out: lines",)


def test_drawings_for_f_puzzles() -> None:
    """Constraints that SudokuPad shows only as drawings get those that the tools of f-puzzles make."""
    renban = f_puzzles_json('renbans = "r1c1 r1c2 r2c2"')
    assert renban["line"] == [
        {"lines": [["R1C1", "R1C2", "R2C2"]], "outlineC": "#f067f0", "width": 0.3, "fromConstraint": "Renban"}
    ]
    sums = f_puzzles_json("x_sums = { bottom = '. 9 . . . . . . .' }")
    assert [(text["cells"], text["value"], text["fromConstraint"]) for text in sums["text"]] == [
        (["R10C2"], "\u25ef", "X Sum"),
        (["R10C2"], "9", "X Sum"),
    ]
    marked = f_puzzles_json('column_indexers = "r1c1 r3c1"')
    assert marked["cage"] == [
        {"cells": ["R1C1", "R3C1"], "outlineC": "#C77C7C", "fontC": "#000000", "fromConstraint": "Column Indexer"}
    ]
    slow = f_puzzles_json('slow_thermometers = "r1c1 r1c2"')
    assert [circle["cells"] for circle in slow["circle"]] == [["R1C1"]]
    assert [text["value"] for text in f_puzzles_json('whispers = "r1c1 r1c2 = 4"')["text"]] == ["4"]
    assert not {"line", "circle", "text", "cage"} & f_puzzles_json('thermometers = "r1c1 r1c2"').keys()


@pytest.mark.parametrize(
    "name",
    """renban whispers nabner lockout-line entropic-line modular-line region-sum-line zipper-line slow-thermometer
    double-arrow column-indexer row-indexer box-indexer x-sum skyscraper numbered-room""".split(),
)
def test_an_export_can_be_played(name: str) -> None:
    """An export has a drawing and the words of each constraint, and comes back without a warning."""
    board = board_with(shipped_variants()[name])
    address = dumps(board, "f-puzzles")
    found = json.loads(decompress(unquote(address.split("load=")[1])))
    drawn = [part for key in ("line", "circle", "rectangle", "text", "cage") for part in found.get(key, ())]
    assert drawn
    assert {part["fromConstraint"] for part in drawn} == {name.replace("-", " ").title()}
    assert variant_instructions(shipped_variants()[name], board) in found["ruleset"]
    (back,) = loads(address)
    assert same(board, back)
    assert (back.warnings, back.details) == ((), {})
