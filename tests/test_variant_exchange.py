"""Variants go to f-puzzles and SudokuPad and come back, or are refused by name; folders of one's own work alike."""

import json
import re
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyasp_puzzles import Instance, InstanceError, PuzzleError, count, dumps, load, loads
from pyasp_puzzles.errors import EncodingError
from pyasp_puzzles.formats.exchange import CARRIED
from pyasp_puzzles.formats.sites import decompress
from pyasp_puzzles.model.puzzle import Variant
from pyasp_puzzles.puzzles.board import keys_of_board
from pyasp_puzzles.puzzles.declaration import shipped_variants
from pyasp_puzzles.puzzles.wording import variant_instructions

from .command import pyasp, refused
from .documents import write_files
from .exchange import example
from .test_penpa import drawing

ADDING = Path("docs/adding-a-puzzle.md")
NAMED = [variant for variant in shipped_variants().values() if not variant.keys]
KEYED = [variant for variant in shipped_variants().values() if variant.keys]
RULES = {"f-puzzles": "ruleset", "sudokumaker": "comment"}
SUDOKU_9 = 'puzzle = "sudoku"\nsize = [9, 9]\n'


def one(text: str, **options: Any) -> Instance:
    """Return the only board of a text."""
    (found,) = loads(text, **options)
    return found


def board_with(variant: Variant, size: int = 9) -> Instance:
    """Return a board of 4x4 that uses a variant by its keys, or one of a size that has it by name."""
    if not variant.keys:
        return one(f'puzzle = "sudoku"\nsize = [{size}, {size}]\nvariants = ["{variant.name}"]')
    keys = "\n".join(f"{key.name} = {example(key)}" for key in variant.keys)
    return one(f'puzzle = "sudoku"\nsize = [4, 4]\n{keys}')


def same(found: Instance, back: Instance) -> bool:
    """Return whether two boards have the same facts and variants."""
    return found.facts.equal(back.facts) and set(found.variants) == set(back.variants)


def packed(address: str) -> Any:
    """Return the JSON in an address of SudokuPad, f-puzzles or SudokuMaker."""
    if "sudokumaker" in address:
        found = unquote(address.split("puzzle=")[1]).replace("-", "/")
        return json.loads(decompress(found))["puzzle"]
    return json.loads(decompress(unquote(re.split("/scl|load=", address)[1])))


# What a format cannot store; a drawing of Penpa+ does not say which cells are of one cage or group.
REFUSED = {
    "iss": (
        *("box-indexer", "clone", "extra-region", "maximum", "minimum", "nabner", "slow-thermometer"),
        *("difference", "ratio", "negative-ratio"),
        *("negative-box-indexer", "negative-column-indexer", "negative-row-indexer"),
        "entropic-line",  # which needs 9x9
    ),
    "penpa": "all-different clone equal-sum extra-region look-and-say rellik-cage same-values sum".split(),
}


@pytest.mark.sampled(30)
@pytest.mark.parametrize("variant", [*KEYED, *NAMED], ids=lambda variant: variant.name)
@pytest.mark.parametrize("format_", ["f-puzzles", "iss", "penpa", "sudokupad", "sudokumaker"])
def test_variants_come_back(variant: Variant, format_: str) -> None:
    """A board comes back whole, or its key is named. What a program has no rule for is drawn, and told in words."""
    board = board_with(variant)
    assert board.variants == (variant.name,) or variant.keys
    if variant.name in REFUSED.get(format_, ()):
        names = "|".join([variant.name, *(key.name for key in variant.keys)])
        with pytest.raises(InstanceError, match=f"{format_} cannot store .*({names})"):
            dumps(board, format_)
        return
    reported: list[str] = []
    address = dumps(board, format_, reported.append)
    back = one(address)
    assert same(board, back)
    if format_ == "penpa":
        assert variant_instructions(variant, board) in drawing(address)[0].replace("%2C", ",")
        assert (back.details, reported) == ({}, [])
    elif format_ != "iss" and CARRIED in (found := packed(address)):
        rules = found["metadata"]["rules"] if format_ == "sudokupad" else found[RULES[format_]]
        assert variant_instructions(variant, board) in rules
        kinds = ("line", "cage", "text", "rectangle", "circle", "lines", "arrows", "underlays", "overlays", "cages")
        assert not variant.keys or any(found.get(kind) for kind in (*kinds, "constraints"))


@pytest.mark.parametrize(
    ("format_", "title", "cells"),
    [
        ("f-puzzles", {"title": "Two"}, "grid"),
        ("sudokupad", {"metadata": {"title": "Two"}}, "cells"),
        ("sudokumaker", {"name": "Two"}, "cells"),
    ],
)
def test_a_board_that_travels_along_is_used_only_if_the_rest_agrees(
    format_: str, title: dict[str, object], cells: str
) -> None:
    """If somebody changed the puzzle, what it carries is old: the puzzle is read as it is shown."""
    board = one('puzzle = "sudoku"\nsize = [4, 4]\nequal_sums = "r1c1 r1c2 = r3c3 r3c4"\ntitle = "One"')
    found = packed(dumps(board, format_)) | title
    back = one(json.dumps(found))
    assert (same(board, back), back.details["title"]) == (True, "Two")
    first = found[cells] if format_ == "sudokumaker" else found[cells][0]
    first[0] = {"value": 3, "given": True}
    for spoilt in (found, found | {CARRIED: {"name": "nonsense"}}, found | {CARRIED: [1]}, found | {CARRIED: {}}):
        back = one(json.dumps(spoilt))
        assert (back.variants, len(back.facts.arguments("given"))) == ((), 1)


def test_what_sudokupad_has_as_rules() -> None:
    """Cages, sums, pencil marks and diagonals come back from SudokuPad, and other keys if it has f-puzzles' JSON."""
    for variant in ("killer-cage", "sum", "pencil-marks", "falling-diagonal", "rising-diagonal", "disjoint-groups"):
        board = board_with(shipped_variants()[variant])
        assert same(board, one(dumps(board, "sudokupad"))), variant
    thermometer = board_with(shipped_variants()["thermometer"])
    load = dumps(thermometer, "f-puzzles").split("load=")[1]
    assert same(thermometer, one(f"https://sudokupad.app/fpuzzles{load}"))


def test_a_thermometer_in_sudokupad() -> None:
    """A thermometer is a line through the middles of its cells, and a round bulb under the first."""
    shown = packed(dumps(board_with(shipped_variants()["thermometer"]), "sudokupad"))
    assert [line["wayPoints"] for line in shown["lines"]] == [[[0.5, 0.5], [0.5, 1.5], [1.5, 2.5]]]
    assert [(bulb["center"], bulb["rounded"]) for bulb in shown["underlays"]] == [([0.5, 0.5], True)]


def shown_of(keys: str) -> Any:
    """Return what SudokuPad gets of a board of 9x9 with these keys."""
    return packed(dumps(one(SUDOKU_9 + keys), "sudokupad"))


def test_arrows_in_sudokupad() -> None:
    """An arrow begins at its circle, which is under it; a pill is as long as its cells, one that bends is two lines."""
    found = shown_of('arrows = ["r2c2 > r2c3 r2c4", "r5c1 r5c2 > r6c3"]')
    assert found["arrows"][0]["wayPoints"] == [[1.5, 1.9], [1.5, 2.5], [1.5, 3.5]]
    assert [(shape["center"], shape["height"], shape["width"]) for shape in found["underlays"]] == [
        ([1.5, 1.5], 0.8, 0.8),
        ([4.5, 1.0], 0.8, 1.8),
    ]
    bent = shown_of('arrows = "r1c1 r1c2 r2c2 > r3c3"')
    assert [line["wayPoints"] for line in bent["lines"]] == [[[0.5, 0.5], [0.5, 1.5], [1.5, 1.5]]] * 2
    between = shown_of('between_lines = "r1c1 r1c2 r1c3"')
    assert between["lines"][0]["wayPoints"] == [[0.5, 0.9], [0.5, 1.5], [0.5, 2.1]]


def test_texts_in_sudokupad() -> None:
    """Numbers of lines and corners are shown, and two at one place outside do not hide each other."""
    (little,) = shown_of('little_killers = "r1c1 dr = 20"')["arrows"]
    assert (little["color"], little["wayPoints"]) == ("#000000", [[-0.2, -0.2], [-0.02, -0.02]])
    assert shown_of('lunchboxes = "r1c1 r1c2 = 12"')["overlays"][0]["text"] == "12"
    assert shown_of('quadruples = "r1c1 = 1 2 3"')["overlays"][0]["text"] == "1 2\n3"
    labels = ". . . . . . . ."
    (both,) = shown_of(f'sandwiches = {{ top = "5 {labels}" }}\nx_sums = {{ top = "9 {labels}" }}')["overlays"]
    assert both["text"] == "5 9"


def test_shapes_in_sudokupad() -> None:
    """Shapes have their color as it is, signs are not between two minima, and slow thermometers are outlines."""
    found = shown_of('minimum = "r1c1 r1c2"')
    assert [shape["backgroundColor"] for shape in found["underlays"]] == ["#CFCFCF"] * 2
    assert [sign["center"] for sign in found["overlays"]] == [[0.9, 0.5], [0.9, 1.5], [0.5, 1.9]]
    assert shown_of('clones = "r1c1 = r2c2"')["underlays"][0]["backgroundColor"] == "#d9d9d9ff"
    slow, quick = (shown_of(f'{key} = "r1c1 r1c2"') for key in ("slow_thermometers", "thermometers"))
    assert [line["color"] for line in slow["lines"]] == ["#8a8a8a", "#FFFFFF"]  # only its outline
    assert [line["color"] for line in quick["lines"]] == ["#cfcfcf"]


def test_lines_that_f_puzzles_lacks() -> None:
    """A closed line is drawn in f-puzzles, and told in words."""
    board = one('puzzle = "sudoku"\nsize = [4, 4]\nwhispers = "r1c1 r1c2 r2c2 r1c1"')
    address = dumps(board, "f-puzzles")
    assert "whispers" not in packed(address)
    assert same(board, one(address))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('killer_cages = "r1c1 r1c2 = --5"', "killer_cages: '--5' is not a number"),
        ('quadruples = "r1c1 = 1 --1"', "quadruples: '--1' is not a number"),
        ('thermometers = "r1c1 > r1c2"', "thermometers: 'r1c1 > r1c2' is wrong here, expected cells"),
        ('killer_cages = "r1c1 = "', "killer_cages: 'r1c1 = ': '' is not a cell"),
        ('killer_cages = "r1c1 = 5 r1c2"', "'r1c1 = 5 r1c2': '5' is not a cell"),
    ],
)
def test_wrong_lines_are_refused_as_they_were_written(line: str, message: str) -> None:
    """What is wrong in a line of cells is said in one line, with the text of the board."""
    with pytest.raises(InstanceError, match=re.escape(message)):
        one(f'puzzle = "sudoku"\nsize = [4, 4]\n{line}')


def test_an_arrow_without_a_circle_is_refused() -> None:
    """An arrow without a circle would mean nothing, so it is no arrow, in a key and in facts."""
    with pytest.raises(InstanceError, match="'r1c1 r1c2' is wrong here, expected a head, > and cells"):
        one('puzzle = "sudoku"\nsize = [4, 4]\narrows = "r1c1 r1c2"')
    facts = dumps(one('puzzle = "sudoku"\nsize = [4, 4]\narrows = "r1c1 > r1c2"'), "lp")
    with pytest.raises(InstanceError, match="the line from row 1, column 2 has no head"):
        one(facts.replace("arrow_circle(1,1,1,1).", ""))


def test_f_puzzles_in_detail() -> None:
    """Several keys of a board, pills, values and pencil marks in several cells come back together."""
    board = one("""
puzzle = "sudoku"
size = [9, 9]
arrows = ["r1c1 r1c2 > r2c3 r3c4", "r9c9 > r8c8"]
little_killers = ["r1c1 dr = 20", "r1c1 ur = 3", "r9c3 ul = 7"]
killer_cages = ["r5c5 r5c6 = 9", "r7c1 r7c2"]
pencil_marks = ["r1c1 = 1 2 4", "r9c9 = 5 6"]
whispers = ["r1c9 r2c9 = 4", "r3c9 r4c9"]
xv = ["r4c1 r4c2 = X", "r4c3 r4c4 = V"]
skyscrapers = { bottom = ". . 3 . . . . . .", right = "1 . . . . . . . 2" }
variants = ["negative-xv", "negative-ratio", "anti-king", "falling-diagonal"]
""")
    assert same(board, one(dumps(board, "f-puzzles")))


def test_little_killers_of_f_puzzles() -> None:
    """A little killer begins beside the cell outside that f-puzzles names, and goes on in the direction it names."""
    parts: list[dict[str, Any]] = [
        {"cell": "R0C1", "cells": ["R1C2", "R2C3", "R3C4"], "direction": "DR", "value": "5"},
        {"cell": "R1C5", "cells": ["R2C4", "R3C3", "R4C2"], "direction": "DL", "value": "6"},
        {"cell": "R4C0", "cells": ["R3C1", "R2C2", "R1C3"], "direction": "UR", "value": "7"},
        {"cell": "R5C4", "cells": ["R4C3", "R3C2", "R2C1"], "direction": "UL", "value": "8"},
    ]
    found = one(f_puzzles_json("0011 0011 2233 2233", littlekillersum=parts))
    sums = {i: int(str(total)) for i, total in found.facts.arguments("little_killer")}
    lines: dict[int, list[str]] = {value: [] for value in sums.values()}
    for i, _, r, c in sorted(found.facts.arguments("little_killer_line")):
        lines[sums[i]].append(f"R{r}C{c}")
    assert lines == {int(str(part["value"])): part["cells"] for part in parts}
    written = json.loads(decompress(dumps(found, "f-puzzles").split("load=")[1]))["littlekillersum"]
    assert written == [{key: words for key, words in part.items() if key != "cells"} for part in parts]


def f_puzzles_json(regions: str, **more: object) -> str:
    """Return a board of f-puzzles with these regions; a dot is a cell in none."""
    grid = [[{"region": None if name == "." else int(name)} for name in row] for row in regions.split()]
    return json.dumps({"size": len(grid), "grid": grid, **more})


def test_values_that_say_nothing_in_f_puzzles() -> None:
    """A clue whose value is neither a number nor a token has no meaning there; that it is left out is reported."""
    xv = [{"cells": ["R1C1", "R1C2"], "value": "X"}, {"cells": ["R2C1", "R2C2"], "value": "ten"}]
    sums = [{"cell": "R0C1", "value": "?"}, {"cell": "R0C2", "value": "5"}, {"cell": "R0C3", "value": ""}]
    found = one(f_puzzles_json("1122 1122 3344 3344", xv=xv, sandwichsum=sums))
    assert keys_of_board(found)["xv"] == ["r1c1 r1c2 = X"]
    assert keys_of_board(found)["sandwiches"] == {"top": [".", "5", ".", "."]}
    assert set(found.warnings[0].removeprefix("left out: ").split(" and ")) == {"sandwichsum with '?'", "xv with 'ten'"}


# A board with clues of most forms, and what somebody may put in place of any value in its JSON.
MIXED = """
puzzle = "sudoku"
size = [6, 6]
arrows = ["r1c1 r1c2 > r2c3 r3c4", "r6c6 > r5c5"]
clones = ["r1c1 r1c2 = r3c3 r3c4"]
differences = ["r4c1 r5c1"]
killer_cages = ["r5c5 r5c6 = 9", "r6c1 r6c2"]
little_killers = ["r1c1 dr = 20", "r6c3 ul = 7"]
modular_lines = ["r1c6 r2c6 r2c5"]
pencil_marks = ["r1c1 = 1 2 4"]
quadruples = ["r1c1 = 1 2"]
skyscrapers = { bottom = ". . 3 . . .", right = "1 . . . . 2" }
whispers = ["r1c6 r2c6 = 3", "r3c6 r4c6"]
xv = ["r4c1 r4c2 = X", "r4c3 r4c4 = V"]
variants = ["negative-xv", "anti-king", "falling-diagonal"]
"""
HOSTILE: list[Any] = [None, -1, 0, 10**30, 0.5, "x", "", [], {}, True, [[1]], [0, 0], "R1C1", float("nan")]


def with_one_changed(content: Any, data: st.DataObject) -> Any:
    """Return JSON with another value in one place."""
    inside = bool(content) and isinstance(content, dict | list) and data.draw(st.integers(0, 9)) > 0
    if not inside:
        return data.draw(st.sampled_from(HOSTILE))
    if isinstance(content, dict):
        key = data.draw(st.sampled_from(sorted(content)))
        return content | {key: with_one_changed(content[key], data)}
    i = data.draw(st.integers(0, len(content) - 1))
    return [*content[:i], with_one_changed(content[i], data), *content[i + 1 :]]


@pytest.mark.sampled(1)
@settings(max_examples=12)
@given(st.data())
@pytest.mark.parametrize("format_", ["f-puzzles", "sudokumaker", "sudokupad"])
def test_hostile_values_are_refused_or_boards(format_: str, data: st.DataObject) -> None:
    """Whatever a value in a text is: the text is refused in one line, or makes a board that can be written."""
    content = {key: value for key, value in packed(dumps(one(MIXED), format_)).items() if key != CARRIED}
    with suppress(PuzzleError):
        for board in loads(json.dumps(with_one_changed(content, data)), format=format_):
            with suppress(InstanceError):
                dumps(board, format_)


def test_a_negative_constraint_of_f_puzzles_that_is_unknown() -> None:
    """It is refused by name, as any constraint is that pyasp does not know."""
    with pytest.raises(InstanceError, match="does not know these constraints of the board: 'negative difference'"):
        one(f_puzzles_json("1122 1122 3344 3344", negative=["difference"]), format="f-puzzles")


def test_cells_in_no_region() -> None:
    """If cells are in no region, the rows stand for regions, and the others are extra regions; they come back."""
    found = one(f_puzzles_json("00.1 001. .3.2 3.22", extraregion=[{"cells": ["R1C3", "R2C4"]}]))
    assert found.warnings == (
        "some cells are in no region: the rows stand for regions, and each region is an extra region",
    )
    assert keys_of_board(found)["extra_regions"] == [
        "r1c1 r1c2 r2c1 r2c2",
        "r1c4 r2c3",
        "r3c2 r4c1",
        "r3c4 r4c3 r4c4",
        "r1c3 r2c4",
    ]
    address = dumps(found, "f-puzzles")
    assert same(found, one(address))
    grid = json.loads(decompress(address.split("load=")[1]))["grid"]
    assert {cell["region"] for row in grid for cell in row} == {None}
    latin = one(f_puzzles_json(".... .... .... ...."))
    assert (count(latin), latin.variants) == (576, ())  # the Latin squares of order 4
    with pytest.raises(InstanceError, match=r"cells are in no region, .* together with disjointgroups"):
        one(f_puzzles_json("000. 0111 1222 2333", disjointgroups=True))


def test_regions_that_are_rows() -> None:
    """Regions that are rows come back as they are, with the variants that mean regions."""
    for extra in ('variants = ["disjoint-groups"]', 'region_sum_lines = "r1c1 r2c1"', ""):
        board = one(f'puzzle = "sudoku"\nsize = [4, 4]\nbox = [1, 4]\n{extra}')
        assert same(board, one(dumps(board, "f-puzzles")))


def test_rules_told_in_words() -> None:
    """What f-puzzles only draws is left out with one warning, which has the rules of its text."""
    grid: list[list[dict[str, int]]] = [[{}] * 4 for _ in range(4)]
    lines = [{"lines": [["R1C1", "R1C2"]]}]
    found = one(json.dumps({"size": 4, "grid": grid, "line": lines, "ruleset": "Lines\nare snakes."}))
    assert found.warnings == ("left out: lines; its rules are told in words: Lines are snakes.",)


# -- Variants of one's own --------------------------------------------------------------------------


@pytest.mark.slow
def test_a_new_variant(tmp_path: Path) -> None:
    """A new variant works at once in every command: its key may be in boards, with --extra or --puzzles."""
    done = pyasp("new", "mine", "--variant", where=tmp_path)
    assert done.stdout.startswith("mine\n  pyasp solve mine/first.toml --extra mine\n")
    says = {
        "check": "Exactly one answer.",
        "explain": "The ends of the twin line from row 1, column 4 hold the same number",
        "grade": "steps, each by a single rule",
        "hint": "",
        "count": "1\n",
        "facts": "twin(1,1,1,1).",
        "solve": "with mine",
    }
    for command, words in says.items():
        options = ["--puzzles", "mine"] if command in {"facts", "solve"} else ["--extra", "mine"]
        done = pyasp(command, "mine/first.toml", *options, where=tmp_path)
        assert done.returncode == 0, done.stderr
        assert words in done.stdout, command
    refused(pyasp("solve", "mine/first.toml", where=tmp_path), "unknown key 'twins'")
    listed = pyasp("list", "--variants", "--puzzles", ".", where=tmp_path).stdout
    assert "mine (key: twins): Two cells at the ends of a twin line hold the same number.\n" in listed
    assert "violated(twin(I))" in pyasp("encoding", "mine", "--puzzles", ".", where=tmp_path).stdout
    jobs = pyasp("solve", "mine/first.toml", "mine/first.toml", "--jobs", "2", "--extra", "mine", where=tmp_path)
    assert jobs.stdout.count("┌") == 2
    refused(pyasp("new", "thermometer", "--variant", where=tmp_path), "exists already")


def test_a_variant_in_the_library(tmp_path: Path) -> None:
    """`load` takes the folder of a variant, or a directory with it; a changed rule is read again."""
    write_files(ADDING, tmp_path)
    [board] = load(tmp_path / "three-thermos.toml", puzzles=tmp_path)
    assert (board.variants, count(board)) == (("thermo",), 1)
    assert same(board, one(dumps(board, "toml"), puzzles=tmp_path / "thermo"))
    with pytest.raises(InstanceError, match="unknown key 'thermos'"):
        one(dumps(board, "toml"))
    assert same(board, one(dumps(board, "f-puzzles"), puzzles=tmp_path / "thermo"))
    assert one(dumps(board, "f-puzzles")).variants == ()
    shown = packed(dumps(board, "sudokupad"))
    assert len(shown["lines"]) == 3
    assert shown["metadata"]["rules"].endswith(" Numbers rise along each thermometer, from the bulb on.")
    assert same(board, one(dumps(board, "penpa"), puzzles=tmp_path))
    with pytest.raises(
        InstanceError, match=r"has lines and symbols, .* its rules say: .* Numbers rise along each thermometer"
    ):
        one(dumps(board, "penpa"))
    named = one(f'{SUDOKU_9}variants = ["thermo"]', puzzles=tmp_path)
    assert named.variants == ("thermo",)


@pytest.mark.parametrize("format_", ["f-puzzles", "sudokupad", "sudokumaker"])
def test_a_diagonal_of_ones_own_is_no_other(format_: str, tmp_path: Path) -> None:
    """A variant of one's own that looks like a diagonal is not written as the variant of that diagonal."""
    shutil.copytree("encodings/variants/falling-diagonal", tmp_path / "steep")
    (tmp_path / "steep" / "falling-diagonal.lp").rename(tmp_path / "steep" / "steep.lp")
    declared = tmp_path / "steep" / "variant.toml"
    declared.write_text(declared.read_text("utf-8").partition("[formats]")[0].replace("The ", "A steep "), "utf-8")
    board = one(f'{SUDOKU_9}variants = ["steep"]', puzzles=tmp_path)
    assert one(dumps(board, format_)).variants == ()
    assert one(dumps(board, format_), puzzles=tmp_path).variants == ("steep",)


# Variants of one's own that are like shipped ones, but have other names, here and in other programs.
OWN = {
    "rising": ("thermometer", 'f-puzzles = "rising"\niss = "Rising"\nsudokumaker = { type = 9300, list = "risings" }'),
    "gap": ("difference", 'f-puzzles = "gap"\niss = "Gap"\nsudokumaker = { type = 9200 }'),
    "tower": ("skyscraper", 'f-puzzles = "tower drawn"\niss = "Tower"\nsudokumaker = { type = 9503 }'),
    "pen": ("killer-cage", 'f-puzzles = "pen"\niss = "Pen"\nsudokumaker = { type = 9301 }'),
    "no-horse": ("anti-knight", 'f-puzzles = "nohorse"\niss = "NoHorse"\nsudokumaker = { type = 9013 }'),
}

# A drawing does not say where one of two cages ends; dots of Interactive Sudoku Solver have no value.
NOT_STORED = {("pen", "penpa"): "pens of this board", ("gap", "iss"): "gaps with a value"}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize("format_", ["f-puzzles", "iss", "penpa", "sudokumaker", "sudokupad"])
def test_variants_of_ones_own_come_back(name: str, format_: str, tmp_path: Path) -> None:
    """A variant of one's own goes to other programs under the names that its folder has, and comes back."""
    like, formats = OWN[name]
    board = board_with(shipped_variants()[like])
    old, new = (one_name.replace("-", "_") for one_name in (like, name))
    words = f"This rule is called {name}."
    folder = shutil.copytree(f"encodings/variants/{like}", tmp_path / name)
    rules = (folder / f"{like}.lp").read_text("utf-8").replace(old, new)
    keys = (
        (folder / "variant.toml").read_text("utf-8").partition("[keys")[2].partition("[formats]")[0].replace(old, new)
    )
    for file in folder.iterdir():
        file.unlink()
    (folder / f"{name}.lp").write_text(rules, "utf-8")
    declared = f'summary = "{words}"\n{keys and "[keys"}{keys}[formats]\n{formats}\n'
    (folder / "variant.toml").write_text(declared, "utf-8")
    own = one(dumps(board, "toml").replace(f'"{like}"', f'"{name}"').replace(old, new), puzzles=tmp_path)
    assert own.variants == (name,)
    if (name, format_) in NOT_STORED:
        with pytest.raises(InstanceError, match=f"{format_} cannot store {NOT_STORED[name, format_]}"):
            dumps(own, format_)
        return
    back = one(dumps(own, format_), puzzles=tmp_path)
    assert same(own, back)
    with suppress(InstanceError):  # which names it, or what is drawn
        assert not one(dumps(own, format_)).variants


@pytest.mark.parametrize(
    ("declared", "words"),
    [
        ('sudokumaker = "thermo"', "formats.sudokumaker is 'thermo', expected a table"),
        ("f-puzzles = 3", "formats.f-puzzles is '3', expected its name"),
        ('iss = ""', "formats.iss is '', expected its name"),
        ("penpa = {}", "formats.penpa is '{}', expected a table"),
    ],
)
def test_what_a_variant_of_ones_own_says_of_formats_is_checked(declared: str, words: str, tmp_path: Path) -> None:
    """What the folder of a variant says of a format has the form of those that ship."""
    write_files(ADDING, tmp_path)
    file = tmp_path / "thermo" / "variant.toml"
    file.write_text(f"{file.read_text('utf-8')}\n[formats]\n{declared}\n", "utf-8")
    with pytest.raises(EncodingError, match=re.escape(words)):
        load(tmp_path / "three-thermos.toml", puzzles=tmp_path)


def test_a_variant_with_a_name_that_is_taken(tmp_path: Path) -> None:
    """A variant of one's own cannot have the name of one that ships."""
    write_files(ADDING, tmp_path)
    shutil.move(tmp_path / "thermo", tmp_path / "renban")
    (tmp_path / "renban" / "thermo.lp").rename(tmp_path / "renban" / "renban.lp")
    with pytest.raises(EncodingError, match="two variants are called renban"):
        load(tmp_path / "three-thermos.toml", puzzles=tmp_path)


# -- Interactive Sudoku Solver ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("string", "keys"),
    [
        (".LittleKiller~7~R1C3", {"little_killers": ["r1c3 dl = 7"]}),
        (".littlekiller~7~r2c4", {"little_killers": ["r2c4 ul = 7"]}),
        (".XSum~C2~5~6.Skyscraper~R3~~2", {"x_sums": {"top": [".", "5", ".", "."], "bottom": [".", "6", ".", "."]}}),
        (".Sandwich~3~R2", {"sandwiches": {"left": [".", "3", ".", "."]}}),
        (".PillArrow~2~R1C2~R1C1~R2C1", {"arrows": ["r1c1 r1c2 > r2c1"]}),
        (".SumLine~10~R1C1~R1C2~R2C2~LOOP", {"sum_lines": ["r1c1 r1c2 r2c2 r1c1"]}),
        (".Whisper~R1C1~R1C2", {"whispers": ["r1c1 r1c2 = 5"]}),
        (".Whisper~2~R1C1~R1C2", {"whispers": ["r1c1 r1c2"]}),
        (".WhiteDot~R1C1~R1C2~R2C2~R4C4", {"differences": ["r1c1 r1c2 = 1", "r1c2 r2c2 = 1"]}),
        (".~R1C1_1_2.~R1C2_2_4", {"pencil_marks": ["r1c1 = 1 2"], "even": "r1c2"}),
    ],
)
def test_strings_of_interactive_sudoku_solver(string: str, keys: dict[str, object]) -> None:
    """Directions, sides, pills, loops and pairs are as that program has them."""
    found = keys_of_board(one(f".Shape~4x4{string}"))
    assert {key: found.get(key) for key in keys} == keys


# The cells of each little killer on a board of 4x4, by its name, as Interactive Sudoku Solver itself lists them.
LITTLE_KILLERS = {
    "R1C1": "R1C1 R2C2 R3C3 R4C4",
    "R2C1": "R2C1 R3C2 R4C3",
    "R3C1": "R3C1 R4C2",
    "R2C4": "R2C4 R1C3",
    "R3C4": "R3C4 R2C3 R1C2",
    "R1C2": "R1C2 R2C1",
    "R1C3": "R1C3 R2C2 R3C1",
    "R1C4": "R1C4 R2C3 R3C2 R4C1",
    "R4C2": "R4C2 R3C3 R2C4",
    "R4C3": "R4C3 R3C4",
}


@pytest.mark.parametrize("name", LITTLE_KILLERS)
def test_diagonals_of_interactive_sudoku_solver(name: str) -> None:
    """A little killer has the cells that the program gives it, and its name from whichever end it is told."""
    found = one(f".Shape~4x4.LittleKiller~7~{name}")
    places = [(int(r), int(c)) for _, _, r, c in sorted(found.facts.arguments("little_killer_line"))]
    assert [f"R{r}C{c}" for r, c in places] == LITTLE_KILLERS[name].split()
    assert unquote(dumps(found, "iss")).endswith(f".LittleKiller~7~{name}")
    (r, c), (row, column) = places[-1], places[-2]
    way = ("d" if row > r else "u") + ("r" if column > c else "l")
    other = one(f'puzzle = "sudoku"\nsize = [4, 4]\nlittle_killers = "r{r}c{c} {way} = 7"')
    assert dumps(other, "iss") == dumps(found, "iss")


def test_a_sandwich_from_its_other_end() -> None:
    """A sum that is the same from both ends is written from the end that Interactive Sudoku Solver has."""
    first, other = (
        one(f'puzzle = "sudoku"\nvariants = ["sandwich"]\nsize = [6, 6]\nsandwiches = {{ {side} }}')
        for side in ('left = "5 . . . . ."', 'right = "5 . . . . ."')
    )
    assert dumps(first, "iss") == dumps(other, "iss")


@pytest.mark.parametrize(
    ("string", "words"),
    [
        (".Shape~4x5~Raw", "is no board of a Sudoku"),
        (".Regex~abc~R1C1", "does not know the constraint 'regex'"),
        (".Shape~4x4.FullRankTies~any", "does not know the constraint 'fullrankties'"),
        (".Thermo~R1C1~R0C2", "'R0C2' is not a cell of a board of 9x9"),
        (".Shape~4x4.GreaterThan~R1C1~R1C2~R9C9", "'R9C9' is not a cell of a board of 4x4"),
        (".Thermo", "damaged"),
        (".X~R1C1~R3C3", "no two cells of 'R1C1~R3C3' share an edge"),
        (".SameValues~2~R1C1~R1C2~R1C3", "3 cells make no 2 groups of one size"),
        (".SameValues~0~R1C1", "damaged"),
        (".XSum~C2~5~6~7", "damaged"),
        (".SumLine~10~R1C1~R1C2~R2C2~R1C1", "the line of 'sumline' leads back to its first cell, 'R1C1'; pyasp reads"),
        (".XSum~C2~5.XSum~C2~6", "two numbers of the x_sums are at row 0, column 2: '5' and '6'"),
        (".Thermo~R1C1~5~R1C2", "'5' is not a cell of a board of 9x9"),
        (".Jigsaw~0011", "damaged"),
        (".Shape~4x4.LittleKiller~7~R2C2", "no diagonal begins at 'R2C2'"),
    ],
)
def test_bad_strings_are_refused(string: str, words: str) -> None:
    """What is wrong with a string is said in one line."""
    with pytest.raises(InstanceError, match=re.escape(words)):
        loads(string, format="iss")


@pytest.mark.parametrize(
    ("side", "box"), [(4, (2, 2)), (6, (2, 3)), (7, (1, 7)), (8, (2, 4)), (10, (2, 5)), (14, (2, 7)), (15, (3, 5))]
)
def test_boxes_of_interactive_sudoku_solver(side: int, box: tuple[int, int]) -> None:
    """Its boxes are as square as the side allows, and no higher than wide; a prime side has none."""
    regions = one(f".Shape~{side}x{side}").facts.names("stream")
    high, wide = box
    assert len({(regions[r, c], (r - 1) // high, (c - 1) // wide) for r, c in regions}) == side


@pytest.mark.parametrize("between", [" ", "\n", "\r\n  "])
def test_a_string_with_blanks_is_one_board(between: str) -> None:
    """That program leaves out blanks and ends of lines: each constraint is of the board, none is a title."""
    parts = [".Shape~4x4", ".Thermo~R1C1~R1C2", ".AntiKing", ".~R1C1_1"]
    (found,) = loads(between.join(parts))
    assert found.facts.equal(one("".join(parts)).facts)
    assert (found.variants, found.title) == (("anti-king", "thermometer"), "")


@pytest.mark.parametrize("format_", ["iss", "penpa", "puzzlink", "sudokupad"])
def test_a_text_without_a_board_is_refused(format_: str) -> None:
    """Words are not read as no boards at all."""
    with pytest.raises(InstanceError, match=f"no board of the format {format_}"):
        loads("hello there", format=format_)


# -- SudokuMaker --------------------------------------------------------------------------------------


def sudokumaker(*constraints: dict[str, object], **more: object) -> str:
    """Return a board of 4x4 in the JSON of SudokuMaker."""
    return json.dumps({"puzzle": {"type": "sudoku", "cells": [{}] * 16, "constraints": constraints, **more}})


@pytest.mark.parametrize(
    ("constraint", "keys"),
    [
        ({"type": 202, "clues": [{"edge": 1, "value": 10}]}, {"xv": ["r1c1 r1c2 = X"]}),
        ({"type": 200, "clues": [{"edge": 4, "value": 1}]}, {"differences": ["r1c1 r2c1 = 1"]}),
        ({"type": 303, "clues": [{"corner": 6, "digits": [1, 1]}]}, {"quadruples": ["r1c1 = 1 1"]}),
        ({"type": 303, "clues": [{"corner": 7, "digits": [4]}]}, {"quadruples": ["r1c2 = 4"]}),
        ({"type": 500, "clues": [{"outerCell": 1, "diagonal": -1, "value": 5}]}, {"little_killers": ["r1c2 dr = 5"]}),
        ({"type": 500, "clues": [{"outerCell": 4, "diagonal": 1, "value": 5}]}, {"little_killers": ["r1c3 dl = 5"]}),
        ({"type": 503, "clues": [{"outerCell": 6, "value": 3}]}, {"skyscrapers": {"left": ["3", ".", ".", "."]}}),
        ({"type": 401, "lines": [[0, 1]], "minDifference": 3}, {"whispers": ["r1c1 r1c2 = 3"]}),
        ({"type": 300, "thermometers": [[0, 1]], "slow": True}, {"slow_thermometers": ["r1c1 r1c2"]}),
        ({"type": 302, "groups": [[0, 14], [1, 15]]}, {"clones": ["r1c1 r1c2 = r4c3 r4c4"]}),
        ({"type": 301, "cages": [{"cells": [0, 1], "value": 0}]}, {"killer_cages": ["r1c1 r1c2"]}),
        (
            {"type": 408, "bulbsWithArrows": [{"bulbCells": [1, 0], "arrows": [[0, 4]]}]},
            {"arrows": ["r1c1 r1c2 > r2c1"]},
        ),
    ],
)
def test_places_of_sudokumaker(constraint: dict[str, object], keys: dict[str, object]) -> None:
    """Edges, corners, places outside, directions and pills are as that program numbers them."""
    found = keys_of_board(one(sudokumaker(constraint)))
    assert {key: found.get(key) for key in keys} == keys


@pytest.mark.parametrize("modulus", [0, 5])
def test_groups_without_digits_are_drawn(modulus: int) -> None:
    """In SudokuMaker a line needs a digit of each group, so a modulus with an empty group is only drawn there."""
    board, told = one(f'puzzle = "sudoku"\nsize = [4, 4]\nmodular_lines = ["r1c1 r1c2 = {modulus}"]'), list[str]()
    address = dumps(board, "sudokumaker", told.append)
    assert told == ["sudokumaker has no rules for modular_lines: they are drawn, and told in words"]
    assert [one["type"] for one in packed(address)["constraints"]] == [0, 1, 2000]
    assert same(board, one(address))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (sudokumaker({"type": 405, "lines": [[0, 1]]}), "does not know the constraint 'type 405' of SudokuMaker"),
        (sudokumaker({"type": 400, "lines": [[0, 99]]}), "'99' is no cell"),
        (sudokumaker({"type": 202, "clues": [], "negative": [7]}), "does not know what '[7]' excludes"),
        (sudokumaker({"type": 406, "lines": [[0, 1]], "groups": []}), "this sudokumaker text is damaged"),
        (sudokumaker(minDigit=0), "other digits than 1 to n"),
        (sudokumaker(type="custom"), "may hold a digit twice"),
        (sudokumaker({"type": 501, "clues": [{"outerCell": 0, "value": 3}]}), "not beside a line"),
        ("https://sudokumaker.app/", "has no puzzle in it"),
        ("https://sudokumaker.app/?puzzle=N4IgZg9gTgtghgFw", "damaged"),
    ],
)
def test_bad_puzzles_of_sudokumaker_are_refused(text: str, words: str) -> None:
    """What is wrong with a puzzle is said in one line."""
    with pytest.raises(InstanceError, match=re.escape(words)):
        loads(text, format="sudokumaker")
