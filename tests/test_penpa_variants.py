"""Variants in Penpa+: they come back by its tools, or by our drawing and sentences; the others are refused by name."""

import json
import re
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyasp_puzzles import Instance, InstanceError, dumps, loads, solve
from pyasp_puzzles.formats.penpa import SHORT
from pyasp_puzzles.puzzles.board import keys_of_board
from pyasp_puzzles.puzzles.declaration import shipped_variants
from pyasp_puzzles.puzzles.wording import variant_instructions

from . import plain
from .exchange import example, penpa
from .helpers import not_none, one
from .test_penpa import BOXES, CELLS, NINE, drawing, packed_again
from .test_variant_exchange import KEYED, SUDOKU_9, board_with, same

# Two cells of the first row, and the second cell of the second row, of a drawing of 9x9.
FIRST, SECOND, BELOW = 28, 29, 42
# The middles of the sides between them.
RIGHT_SIDE, LOWER_SIDE = 3 * 169 + FIRST, 2 * 169 + SECOND


def drawn(content: dict[str, object], *tags: str, title: str = "", rules: str = "", colors: object = None) -> Instance:
    """Return the board of a drawing of 9x9 with these parts."""
    head = NINE.replace("Title: ", f"Title: {title}").replace("Author: ,,", f"Author: ,,{rules}")
    address = penpa(head, CELLS, {"lineE": dict.fromkeys(BOXES, 2)} | content, tags=tags)
    if colors is not None:
        lines = drawing(address)
        lines[14] = json.dumps(colors)
        address = packed_again(lines)
    return one(address)


def parts(board: Instance) -> dict[str, Any]:
    """Return what is written of a board, in whole words, without what is empty."""
    text = re.sub("|".join(SHORT), lambda short: SHORT[short[0]], drawing(dumps(board, "penpa"))[3])
    found = re.sub(r'"("\w+")"', r"\1", text)
    return {part: content for part, content in json.loads(found).items() if content}


def plain_keys(board: Instance) -> dict[str, Any]:
    """Return the keys of a board, the lines of each sorted: their order means nothing."""
    found = keys_of_board(board)
    return {key: sorted(value) if isinstance(value, list) and key != "size" else value for key, value in found.items()}


def test_a_drawing_that_is_told_in_words_is_read_as_it_is_drawn() -> None:
    """A line that somebody moves is read where it is; without our sentence, or with another color, it is no rule."""
    address = dumps(one(f'{SUDOKU_9}renbans = ["r1c1 r1c2", "r5c5 r5c6"]'), "penpa")
    lines = drawing(address)
    moved = [*lines[:3], lines[3].replace(f"[{FIRST},{SECOND}]", f"[{FIRST},{SECOND},{BELOW}]"), *lines[4:]]
    assert keys_of_board(one(packed_again(moved)))["renbans"] == ["r1c1 r1c2 r2c2", "r5c5 r5c6"]
    silent = [lines[0].replace("A renban line", "Another line"), *lines[1:]]
    recolored = [*lines[:14], lines[14].replace("#f067f0", "#f06700"), *lines[15:]]
    for changed in (silent, recolored):
        with pytest.raises(InstanceError, match="has lines, which may be rules that pyasp cannot read"):
            loads(packed_again(changed))


def test_no_sentence_is_part_of_another() -> None:
    """Variants are recognised by their sentences, so none may be within another."""
    board = one(SUDOKU_9)
    sentences = [variant_instructions(variant, board) for variant in shipped_variants().values()]
    assert not [pair for pair in product(sentences, repeat=2) if pair[0] in pair[1] and pair[0] != pair[1]]


CELL = st.tuples(st.integers(1, 6), st.integers(1, 6))
CELL_NAME = CELL.map(lambda cell: f"r{cell[0]}c{cell[1]}")
PATH = st.lists(CELL_NAME, min_size=1, max_size=5).map(" ".join)
PAIRS = CELL.filter(lambda cell: cell[0] < 6).map(lambda cell: f"r{cell[0]}c{cell[1]} r{cell[0] + 1}c{cell[1]}")
LABELS = st.lists(st.sampled_from(["."] * 3 + [*"123456"]), min_size=6, max_size=6).filter(
    lambda labels: {*labels} != {"."}
)
NAMES = ["anti-knight", "anti-king", "windoku", "diagonal", "rising-diagonal", "non-consecutive", "global-entropy"]
SMALL_NAMES = [name for name in NAMES if name != "windoku"]  # which needs boxes of 3x3


@st.composite
def carried_boards(draw: st.DrawFn) -> str:
    """Return a board of 6x6 with keys that Penpa+ has as rules, with usual boxes or others."""
    cages = draw(st.lists(st.sets(CELL, min_size=1, max_size=4), max_size=3, unique_by=min))
    sums = [draw(st.sampled_from(["", f" = {i + 5}"])) for i in range(len(cages))]
    found: dict[str, object] = {
        "thermometers": draw(st.lists(PATH, max_size=3)),
        "arrows": [f"{circle} > {shaft}" for circle, shaft in draw(st.lists(st.tuples(CELL_NAME, PATH), max_size=2))],
        "killer_cages": [
            " ".join(f"r{r}c{c}" for r, c in sorted(cage)) + total for cage, total in zip(cages, sums, strict=True)
        ],
        "even": " ".join(draw(st.sets(CELL_NAME, max_size=2))),
        "odd": " ".join(draw(st.sets(CELL_NAME, max_size=2))),
        "differences": draw(st.lists(PAIRS, max_size=2, unique=True)),
        "pencil_marks": [
            f"{cell} = {' '.join(sorted(marks))}"
            for cell, marks in draw(
                st.dictionaries(CELL_NAME, st.sets(st.sampled_from("123456"), min_size=2), max_size=2)
            ).items()
        ],
        "skyscrapers": {
            side: draw(LABELS) for side in draw(st.sets(st.sampled_from(["top", "bottom", "left", "right"])))
        },
        "variants": draw(st.lists(st.sampled_from(SMALL_NAMES), max_size=2, unique=True)),
    }
    box = draw(st.sampled_from(["", "box = [3, 2]\n"]))
    keys = "\n".join(f"{key} = {toml(value)}" for key, value in found.items() if value)
    return f'puzzle = "sudoku"\nsize = [6, 6]\n{box}title = "Six, in {draw(st.sampled_from(["zN", "Rome"]))}"\n{keys}'


def toml(value: object) -> str:
    """Return a value as TOML has it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {json.dumps(labels)}" for key, labels in value.items()) + "}"
    return json.dumps(value)


@settings(max_examples=10)
@given(carried_boards())
def test_what_is_carried_comes_back(text: str) -> None:
    """Any board with keys that Penpa+ has as rules comes back equal, but for the order of lines."""
    board = one(text)
    reported: list[str] = []
    back = one(dumps(board, "penpa", reported.append))
    assert reported == []
    assert plain_keys(back) | {"variants": set(back.variants)} == plain_keys(board) | {"variants": set(board.variants)}


@settings(max_examples=10)
@given(st.lists(st.sampled_from([variant.name for variant in KEYED]), min_size=2, max_size=4, unique=True))
def test_several_variants_come_back_or_are_refused(names: list[str]) -> None:
    """Several variants on a board never come back as others, nor are some of them lost."""
    variants = [shipped_variants()[name] for name in names]
    keys = "\n".join(f"{key.name} = {example(key)}" for variant in variants for key in variant.keys)
    board = one(f'puzzle = "sudoku"\nsize = [4, 4]\n{keys}')
    try:
        back = one(dumps(board, "penpa"))
    except InstanceError:
        assert len(names) > 1
    else:
        assert plain_keys(back) == plain_keys(board)


# -- Reading -----------------------------------------------------------------------------------------


def test_branches_of_thermometers() -> None:
    """A line without a bulb that begins on a thermometer of its color is a branch of it; others may be anything."""
    content: dict[str, object] = {"thermo": [[FIRST, SECOND, 30]], "nobulbthermo": [[SECOND, BELOW]]}
    assert keys_of_board(drawn(content))["thermometers"] == ["r1c1 r1c2 r1c3", "r1c2 r2c2"]
    with pytest.raises(InstanceError, match="has lines, which may be rules"):
        drawn(content, colors={"nobulbthermo": ["#ff0000"]})


@pytest.mark.parametrize(
    ("part", "rules"),
    [
        ("thermo", "Slow thermometers: digits do not decrease."),
        ("thermo", "Along thermos digits increase or stay the same."),
        ("arrows", "Digit sum arrows are usual here."),
    ],
)
def test_tools_that_mean_something_else(part: str, rules: str) -> None:
    """Where the text of the rules says that a tool means something else, that is said."""
    with pytest.raises(InstanceError, match=r"the rules in its text say what \w+ mean, which pyasp does not know"):
        drawn({part: [[FIRST, SECOND]]}, rules=rules)


def test_what_tags_mean() -> None:
    """Symbols and numbers outside are rules with a tag, or as Penpa+ guesses one from the title."""
    marks: dict[str, object] = {"symbol": {str(FIRST): [3, "square_L", 1], str(SECOND): [3, "circle_M", 1]}}
    assert {"even": "r1c1", "odd": "r1c2"}.items() <= keys_of_board(drawn(marks, "classic", "evenodd")).items()
    pairs: dict[str, object] = {"symbol": {str(RIGHT_SIDE): [2, "bars_G", 2], f"{LOWER_SIDE}E": [1, "bars_G", 2]}}
    for tag in ("consecutivepairs", "consecutive", "nonconsecutive"):
        found = keys_of_board(drawn(pairs, tag))
        assert found["differences"] == ["r1c1 r1c2 = 1", "r1c2 r2c2 = 1"]
        assert ("variants" in found) == (tag != "consecutivepairs")
    titled = drawn(pairs, title="Consecutive Pairs Sudoku no. 3")
    assert titled.variants == ("difference",)
    for content in (marks, pairs):
        with pytest.raises(InstanceError, match="has symbols, which may be rules"):
            drawn(content, "classic")
    dots: dict[str, object] = {"symbol": {str(RIGHT_SIDE): [1, "circle_SS", 2], str(LOWER_SIDE): [2, "circle_SS", 2]}}
    with pytest.raises(InstanceError, match="has symbols, which may be rules"):  # two colors mean two things
        drawn(dots, "consecutivepairs")


@pytest.mark.parametrize(
    ("tag", "words"),
    [
        ("thermo", "thermometers"),
        ("arrow", "arrows"),
        ("killer", "killer cages"),
        ("evenodd", "squares or circles in cells"),
        ("consecutive", "circles or bars between cells"),
    ],
)
def test_tags_without_their_drawing(tag: str, words: str) -> None:
    """A tag whose rule is not drawn with its tool is refused: it may be drawn with another."""
    with pytest.raises(InstanceError, match=f"the tags of this .* say {tag}, and it has no {words}"):
        drawn({}, "classic", tag)


def test_candidates() -> None:
    """Several candidates are pencil marks; one alone, which Penpa+ shows large, is a given; none is nothing."""
    numbers = {str(FIRST + i): [marks, 1, "7"] for i, marks in enumerate(([1, 1, 0, 0, 1], [0, 1], [0, 0, 0]))}
    found = drawn({"number": numbers})
    assert keys_of_board(found)["pencil_marks"] == ["r1c1 = 1 2 5"]
    assert plain.givens(found) == {(1, 2): 2}


def test_sides_of_no_killer_cage() -> None:
    """Sides of cages that are none of the killer cages are not ignored."""
    with pytest.raises(InstanceError, match="has cages that are only drawn"):
        drawn({"killercages": [[FIRST]], "cage": {"792,793": 10}})
    with pytest.raises(InstanceError, match="has a killer cage that leaves the board"):
        drawn({"killercages": [[FIRST, 27]]})


# -- Writing -----------------------------------------------------------------------------------------


def test_a_thermometer_and_an_arrow() -> None:
    """Thermometers and arrows are lists of cells, from the bulb and from the circle; a pill is refused."""
    shown = parts(one(f'{SUDOKU_9}thermometers = "r1c1 r1c2 r2c2"\narrows = "r1c2 > r2c2"'))
    assert (shown["thermo"], shown["arrows"]) == ([[FIRST, SECOND, BELOW]], [[SECOND, BELOW]])
    with pytest.raises(InstanceError, match="penpa cannot store arrows"):
        dumps(one(f'{SUDOKU_9}arrows = "r1c1 r1c2 > r1c3 r2c2"'), "penpa")


def test_slow_thermometers_differ() -> None:
    """A slow thermometer looks like no thermometer: it is a line with dashes, and a symbol as its bulb."""
    shown = parts(one(f'{SUDOKU_9}slow_thermometers = "r1c1 r1c2"'))
    assert "thermo" not in shown
    assert (shown["nobulbthermo"], shown["line"]) == ([[FIRST, SECOND]], {"28,29": 14})
    assert shown["symbol"] == {"28": [1, "circle_L", 2]}


def test_a_number_beside_no_line_is_refused() -> None:
    """A number outside, at a corner of the board, is no clue, and the clues beside rows and columns are not lost."""
    lines = drawing(dumps(one(f'{SUDOKU_9}x_sums = {{ top = "5 . . . . . . . 9" }}'), "penpa"))
    (first,) = re.findall(r'"(\d+)":\["5"', lines[3])
    more = lines[3].replace(f'"{first}":["5"', f'"{int(first) - 1}":["7",1,"1"],"{first}":["5"')
    with pytest.raises(InstanceError, match="numbers outside the board"):
        one(packed_again([*lines[:3], more, *lines[4:]]))


def test_clues_outside_have_a_margin() -> None:
    """Numbers outside the board are in a margin of it; those of two kinds could not be told apart."""
    board = one(f'{SUDOKU_9}sandwiches = {{ top = "5 . . . . . . . ." }}')
    head, margins = drawing(dumps(board, "penpa"))[:2]
    assert (head.split(",")[1:3], margins) == (["11", "11"], "[1,1,1,1]")
    assert [*parts(board)["number"].values()] == [["5", 1, "1"]]
    both = f'{SUDOKU_9}sandwiches = {{ top = "5 . . . . . . . ." }}\nx_sums = {{ top = "9 . . . . . . . ." }}'
    with pytest.raises(InstanceError, match="penpa cannot store sandwich and x-sum of this board"):
        dumps(one(both), "penpa")
    little = parts(one(f'{SUDOKU_9}little_killers = ["r1c1 dr = 20", "r9c2 ul = 9"]'))
    assert list(little["number"].values()) == [["20_7", 1, "2"], ["9_4", 1, "2"]]


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ('killer_cages = ["r1c1 r1c2 = 3", "r1c1 r2c1 = 4"]', "two cages that begin at row 1, column 1"),
        ('clones = "r1c1 = r2c2"\nextra_regions = "r1c1 r3c3"', "two shadings at row 1, column 1"),
        ('xv = "r1c1 r1c3 = X"', "a sign between row 1, column 1 and row 1, column 3, which do not touch"),
        ('xv = "r1c1 r1c2 = X"\ndifferences = "r1c1 r1c2 = 3"', "two numbers at row 1, column 1"),
    ],
)
def test_what_there_is_no_room_for(keys: str, words: str) -> None:
    """Where one thing would hide another, a board is refused."""
    with pytest.raises(InstanceError, match=f"penpa cannot (store|draw) {words}"):
        dumps(one(SUDOKU_9 + keys), "penpa")


def test_rules_are_told_once() -> None:
    """What a setter tells in words follows our sentences, and comes back without them."""
    board = one(f'{SUDOKU_9}rules = "Be quick."\nvariants = ["anti-king", "anti-knight"]')
    address = dumps(board, "penpa")
    back = one(address)
    assert (back.details, set(back.variants)) == ({"rules": "Be quick."}, {"anti-king", "anti-knight"})
    assert back.warnings == ("rules that are only told in words are not read: Be quick.",)
    assert drawing(dumps(back, "penpa"))[0] == drawing(address)[0]


def test_answers_with_variants() -> None:
    """A board with clues outside and its answer is for solvers, and comes back with both."""
    board = one("""
puzzle = "sudoku"
size = [4, 4]
thermometers = ["r1c1 r1c2 r1c3 r1c4", "r2c3 r2c4", "r2c4 r2c1"]
skyscrapers = { left = "4 . 1 ." }
""")
    answer = not_none(solve(board))
    address = dumps(board._replace(solution=answer), "penpa")
    assert "#m=solve" in address
    assert same(board, one(address))
    assert one(address).solution == answer


def test_variants_of_a_tectonic() -> None:
    """A Tectonic has no tags, so what depends on one comes back by its color and its sentence."""
    text = 'puzzle = "tectonic"\nblocks = """\n111\n222\n"""\nthermometers = "r1c1 r1c2"\n'
    assert same(one(text), one(dumps(one(text), "penpa")))
    assert same(one(f'{text}even = "r2c1"'), one(dumps(one(f'{text}even = "r2c1"'), "penpa")))


# -- Hostile drawings --------------------------------------------------------------------------------

PARTS = (
    "thermo nobulbthermo arrows killercages symbol number numberS cage surface line lineE direction squareframe polygon"
).split()
WRONG: tuple[object, ...] = (
    *(1, "x", None, [1], ["x"], [[]], [["x"]], [[None]], [[[1]]], [[10**30]], [[-5]], [[28, 10**6]], {}),
    *({"x": 1}, {"28": 1}, {"28": []}, {"28": [1]}, {"28": [None, None, None]}, {"28": [[], 1, "7"]}),
    *({"28": [3, 5, 1]}, {"-1": [1, "circle_L", 1]}, {"28,": 2}, {"28,29,30": 2}, {"99999999999": [1, 1, "1"]}),
    *({"28": [5, 1, "7"]}, {"28E": [[1, 1], 1, "7"]}, {"28": ["9" * 5000, 1, "1"]}, {"788": ["9" * 5000, 1]}),
)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("part", PARTS)
def test_hostile_parts(part: str) -> None:
    """Whatever a part of a drawing is, the board is read, or one line says what is wrong."""
    said = []
    for value, colors in product(WRONG, (None, {part: WRONG[0]}, {part: WRONG[-1]})):
        try:
            drawn({part: value}, "classic", "evenodd", "consecutive", "skyscrapers", colors=colors)
        except InstanceError as error:
            said.append(str(error))
    assert not [words for words in said if not re.fullmatch(r".{1,600}", words)]


def test_cut_drawings() -> None:
    """A drawing that is cut anywhere is refused in one line."""
    address = dumps(board_with(shipped_variants()["thermometer"]), "penpa")
    for length in range(len(address) - 20, address.index("&p=") + 3, -20):
        with pytest.raises(InstanceError, match=r"the drawing in this address is|the link is cut"):
            loads(address[:length])
