"""The questions of the studio's page, asked as its workers ask them."""

import base64
import io
import json
import pickle
import re
import sys
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from itertools import islice, permutations, product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyasp_puzzles import (
    EncodingError,
    Rules,
    Settings,
    count,
    decided,
    dumps,
    generate,
    grade,
    load,
    loads,
    review,
    solve,
)
from pyasp_puzzles.boards.spans import spans_of
from pyasp_puzzles.explanation.explain import explain
from pyasp_puzzles.explanation.hint import hint_levels
from pyasp_puzzles.formats.load import shipped_instances
from pyasp_puzzles.formats.sites import compress
from pyasp_puzzles.puzzles import templates
from pyasp_puzzles.puzzles.board import keys_of_board
from pyasp_puzzles.queries.resolve import resolution_rounds, resolve
from pyasp_puzzles.queries.solve import candidate_texts
from pyasp_puzzles.studio import editing
from pyasp_puzzles.studio.questions import QUESTIONS, answer_question

from .command import printed, process
from .helpers import write

Grid = tuple[tuple[int, ...], ...]
Records = list[dict[str, Any]]
# A board of each kind of answer, and one with a variant.
BOARDS = ["sudoku", "strimko/four", "tectonic/seed", "strata/seed", "strips/list", "variants/thermometer"]
# The file of a directory.
FILES = {"sudoku": "sudoku/easy"}
EMPTY: dict[str, Any] = {"puzzle": "sudoku", "givens": [[None] * 4 for _ in range(4)]}
SOLVED = [[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]
DIAGONALS = ([(0, 0), (1, 1), (2, 2), (3, 3)], [(0, 3), (1, 2), (2, 1), (3, 0)])
DIFFERENT = "violated(diagonal(V)) :- V = 1..4, { value(I, I, V) } != 1.\n"


def asked(ask: str, board: object = None, **fields: object) -> Records:
    """Return the records of a question; each can be sent, and the last is an end."""
    found = list(answer_question({"ask": ask, "board": board, **fields}))
    assert json.loads(json.dumps(found)) == found
    assert [one["kind"] for one in found].index("end") == len(found) - 1
    return found


def one(ask: str, board: object = None, **fields: object) -> dict[str, Any]:
    """Return the only record of a question besides its end."""
    (record, end) = asked(ask, board, **fields)
    assert not end["late"]
    return record


@cache
def shipped(name: str) -> dict[str, Any]:
    """Return the keys of the first board of an instance."""
    return keys_of_board(load(name)[0])


def rules_of(name: str) -> str:
    """Return the rules of a board, as the page shows them."""
    files = one("board", shipped(name) if name != "sudoku" else EMPTY)["files"]
    return str(next(file["text"] for file in files if file["role"] == "rules"))


@cache
def sudokus() -> list[Grid]:
    """Return all 4x4 Sudokus."""
    rows = list(permutations((1, 2, 3, 4)))
    found = []
    for grid in product(rows, repeat=4):
        columns = zip(*grid, strict=True)
        if len(set(grid[0][:2] + grid[1][:2])) < 4 or any(len(set(column)) < 4 for column in columns):
            continue
        boxes = ([grid[r + y][c + x] for y in (0, 1) for x in (0, 1)] for r in (0, 2) for c in (0, 2))
        if all(len(set(box)) == 4 for box in boxes):
            found.append(grid)
    return found


def fitting(givens: list[list[int | None]]) -> list[Grid]:
    """Return the 4x4 Sudokus with these numbers."""
    wanted = [(r, c, v) for r, row in enumerate(givens) for c, v in enumerate(row) if v]
    return [grid for grid in sudokus() if all(grid[r][c] == v for r, c, v in wanted)]


def by_cell(grid: Grid) -> dict[str, str]:
    """Return a grid as the page has it."""
    return {f"r{r}c{c}": str(v) for r, row in enumerate(grid, 1) for c, v in enumerate(row, 1)}


def drawn(svg: str) -> ET.Element:
    """Return a picture, which a strict page shows as it is."""
    assert "style" not in svg
    return ET.fromstring(svg)  # noqa: S314 (what we have drawn)


# -- Boards -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_catalogue_has_all_there_is() -> None:
    """The catalogue has puzzles, boards that ship, variants and formats; each board that it has can be read."""
    found = one("catalogue")
    kinds = {puzzle["name"]: puzzle["answer"] for puzzle in found["puzzles"]}
    assert "suguru" in next(puzzle["aliases"] for puzzle in found["puzzles"] if puzzle["name"] == "tectonic")
    assert next(board["size"] for board in found["boards"] if board["name"] == "sudoku/large") == [16, 16]
    assert kinds.items() >= {"sudoku": "numbers", "strips": "pieces", "strata": "ribbons"}.items()
    assert {board["name"] for board in found["boards"]} >= {"tectonic/seed", "strata/seed"}
    for one_board in found["boards"]:
        read = load(one_board["name"])[0]
        title, puzzle, size = (one_board[key] for key in ("title", "puzzle", "size"))
        assert (title, puzzle) == (read.collection or read.title, read.puzzle.name), one_board["name"]
        assert size == [max(side) for side in zip(*read.cells, strict=True)], one_board["name"]
    keys = {variant["name"]: variant["keys"] for variant in found["variants"]}
    assert (keys["thermometer"], keys["diagonal"]) == (["thermometers"], [])
    assert {form["name"] for form in found["formats"]} >= {"toml", "lp", "svg", "penpa"}


def test_a_board_says_what_the_page_need_not_read() -> None:
    """The record of a board has the colors of its tiles as they are drawn, and what each line of a key says."""
    strata = one("board", shipped("strata/seed"))
    drawn_in = {one["token"]: one["color"] for one in strata["palette"]}
    filled = [square for square in drawn(strata["svg"]).iter() if (square.get("fill") or "").startswith("#")]
    squares = {(square.get("x"), square.get("y")): square.get("fill") for square in filled}
    assert len(strata["colors"]) > 3
    for cell, token in strata["colors"].items():
        row, column = map(int, re.findall(r"\d+", cell))
        assert squares[str(40 * (column - 1)), str(40 * (row - 1))] == drawn_in[token]
    lines = {"r1c1 r1c2 r2c2": "", "r1c3 r1c4 = 5": "5", "R4C4 =7": "7"}
    cages = one("board", EMPTY | {"killer_cages": [*lines]})
    assert {line: cages["lines"][line]["value"] for line in lines} == lines
    assert cages["lines"]["r1c3 r1c4 = 5"] == {"cells": ["r1c3", "r1c4"], "words": "r1c3 r1c4", "value": "5"}
    forms = {key["key"]: (key["form"], key["valued"]) for key in cages["schema"]}
    assert forms["killer_cages"] == ("{cells}", "{words} = {value}")
    assert forms["givens"][0] is None


PRINTED = {
    "nurikabe/five": {"r3c1": "2"},
    "slitherlink/eight": {"r1c1": "0"},
    "akari/seven": {"r2c6": "wall; 1", "r2c4": "wall"},
    "masyu/eight": {"r2c3": "white pearl"},
    "tents/eight": {"r2c4": "tree", "r3c1": "3 left of row 3"},
    "kakuro/five": {"r2c3": "sums; 19 pointing south; 12 pointing east"},
    "yajilin/six": {"r1c2": "grey; 1 pointing west"},
    "nonogram/five": {"r2c1": "3 left of row 2; 1 left of row 2"},
    "tectonic/cross": {"r1c3": "block A"},
    "variants/sum": {"r1c2": "sum 4 from row 1, column 1, cell 2 of 2"},
    "variants/thermometer": {"r3c2": "thermometer from row 2, column 2, cell 2 of 3"},
    "variants/xv": {"r1c2": "xv X between row 1, column 1 and row 1, column 2"},
    "variants/little-killer": {"r1c4": "little killer clue 11, down left from here"},
}


@pytest.mark.parametrize("name", PRINTED)
def test_each_cell_says_what_is_printed_there(name: str) -> None:
    """Each clue is among the words of its cells, or of the cell next to it, for those who do not see it."""
    assert one("board", shipped(name))["words"].items() >= PRINTED[name].items()


@pytest.mark.sampled(8)
@pytest.mark.parametrize("puzzle", sorted({name.split("/")[0] for name in shipped_instances()} - {"variants"}))
def test_no_printed_text_is_without_words(puzzle: str) -> None:
    """In each genre, a cell with a text that is no number of the answer has words, or a color with a name."""
    board = load(puzzle)[0]
    record = one("board", keys_of_board(board))
    told = {*record["words"], *record["givens"], *record["colors"]}
    assert {f"r{r}c{c}" for r, c in board.printed.texts} <= told


@pytest.mark.parametrize(
    ("name", "cells", "rules"),
    [
        ("nurikabe/five", ["r1c1", "r1c5", "r2c3", "r3c1", "r3c4", "r5c1", "r5c4"], {}),
        ("nurikabe/five", [], {"rules": ("cell(R, C), not printed(R, C).", "cell(R, C).")}),
        ("tents/eight", ["r2c4", "r3c2"], {}),
        ("hitori/eight", [], {}),
    ],
)
def test_cells_that_cannot_be_shaded(name: str, cells: list[str], rules: dict[str, tuple[str, str]]) -> None:
    """The rules say which cells with a clue cannot be shaded; edited ones say something else."""
    text = load(name)[0].puzzle.rules_text
    edited = {key: text.replace(old, new) for key, (old, new) in rules.items()}
    assert all(after != text for after in edited.values())
    assert one("closed", shipped(name), **edited)["cells"][: len(cells) or None] == cells


@pytest.mark.parametrize("text", ["", "=", "r1c1 =", "= 5", "r1c1 > r1c2", "r1c1 = r1c2", "nothing", "r1c1 = 1 2"])
def test_an_unfinished_line_says_what_it_has(text: str) -> None:
    """Whatever stands in a line, it has its cells and a value, or none."""
    found = editing.studio_line(text)
    assert found["cells"] == [cell.lower() for cell in re.findall(r"r\dc\d", text)]
    assert found["value"] == {"= 5": "5", "r1c1 = 1 2": "1 2"}.get(text, "")


@pytest.mark.parametrize(
    ("name", "filled", "status"),
    [
        ("sudoku", {"cells": {"r1c1": "1", "r1c2": "1"}}, "broken"),
        ("sudoku", {"cells": {}}, "right"),
        ("sudoku", {"cells": {"r9c9": "1"}}, "right"),
        ("strips/list", {"pieces": [["r1c1"]]}, None),
        ("strata/seed", {"ribbons": [{"line": "row", "index": 1, "color": None}]}, None),
    ],
)
def test_what_is_filled_in_may_be_data(name: str, filled: dict[str, Any], status: str | None) -> None:
    """The page says what is filled in as it keeps it; cells that the board lacks are left out."""
    board = EMPTY if name == "sudoku" else shipped(name)
    found = one("review", board, entries=filled)
    assert found["kind"] == "review"
    assert status is None or found["status"] == status


@pytest.mark.parametrize(
    "filled", [{"cells": 5}, {"cells": {"r1c1": [2]}}, {"pieces": [["r1c1"]], "cells": []}, {"cells": None}]
)
def test_what_is_no_entry_is_told(filled: object) -> None:
    """Entries of another form are an error in words."""
    assert asked("review", EMPTY, entries=filled)[0]["kind"] == "error"


@pytest.mark.parametrize("name", BOARDS)
def test_boards_are_as_they_were_read(name: str) -> None:
    """A board that is read, and asked for by its keys, is the same; its cells have squares in its picture."""
    first = asked("read", name=FILES.get(name, name))[0]
    again = one("board", first["board"])
    assert again == first
    parts = [*drawn(first["svg"]).iter()]
    assert {part.get("data-cell") for part in parts} - {None} == {*first["cells"]}
    edges = [part.get("data-edge", "").split() for part in parts if part.get("data-edge")]
    assert {cell for edge in edges for cell in edge} <= {*first["cells"]}
    assert {len(edge) for edge in edges} <= {2}
    assert {*first["givens"]} | {*first["labelled"]} <= {*first["cells"]}
    assert all(key["tool"] for key in first["schema"])


def test_a_board_says_which_cells_have_labels() -> None:
    """Candidates leave room for the sums of cages, which are in the first cells of these."""
    board = one("read", name="variants/killer-cage")
    assert {*board["labelled"]} == {line.split()[0] for line in board["board"]["killer_cages"]}


def test_pasted_text_is_read() -> None:
    """A text in any format is read; what is wrong with it has its line."""
    (board, end) = asked("read", text="1...\n..1.\n.1..\n...1")
    assert board["board"]["puzzle"] == "sudoku"
    assert board["givens"] == {"r1c1": "1", "r2c3": "1", "r3c2": "1", "r4c4": "1"}
    error = asked("read", text='puzzle = "sudoku"\ngivens = """\n12\n"""\n')[0]
    assert (error["kind"], error["file"], bool(error["line"])) == ("error", "board", True)
    assert end["kind"] == "end"


def penpa(drawing: bytes) -> str:
    """Return an address of Penpa+ with a drawing."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = base64.b64encode(packer.compress(drawing) + packer.flush()).decode()
    return f"https://swaroopg92.github.io/penpa-edit/#m=edit&p={packed}"


PASTED: dict[str, Callable[[], str]] = {
    "deflated 50 MB": lambda: penpa(b"0" * 50 * 2**20),
    "packed 1 MB": lambda: f"https://f-puzzles.com/?load={compress('a' * (2**20 + 1))}",
    "JSON in JSON": lambda: '{"size": 9, "grid": ' + "[" * 30_000,
    "a number in JSON": lambda: '{"size": ' + "9" * 5000 + ', "grid": []}',
    "NaN": lambda: '{"size": 9, "grid": [[{"value": NaN}]]}',
    "entities": lambda: (
        '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><opensudoku><name>&x;</name></opensudoku>'
    ),
    "elements in elements": lambda: "<opensudoku>" + "<a>" * 60_000,
    "arrays in arrays": lambda: "a = " + "[" * 100_000,
    "dots": lambda: "a" + ".a" * 100_000 + " = 1",
    "a board of 10^10 cells": lambda: 'puzzle = "sudoku"\nsize = [100000, 100000]\n',
    "an address of 10^10 cells": lambda: "https://puzz.link/p?sudoku/99999/99999/",
    "infinite": lambda: 'puzzle = "sudoku"\nsize = [inf, nan]\n',
    "a script": lambda: "% puzzle: sudoku\n#script (lua) #end.\n",
    "a file": lambda: "/etc/passwd",
    "an address of a file": lambda: "file:///etc/passwd",
    "an address of this computer": lambda: "http://127.0.0.1:8047/",
}
PASTED |= {
    f"250 000 of {sign}": partial(str.__mul__, sign, 250_000) for sign in (".", "1", "=", "(", " ", "+", "%", "|")
}


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", PASTED)
def test_hostile_texts_are_refused(name: str) -> None:
    """A pasted text that unpacks to megabytes, is nested deep, or names a file, is refused quickly, in one line."""
    error, end = asked("read", text=PASTED[name](), seconds=2)
    assert error["kind"] == "error"
    assert error["words"].isprintable()
    assert not end["late"]


def test_schema_says_how_keys_are_set() -> None:
    """Each key of the board and of its variants has its tool."""
    keys: dict[str, object] = {
        "arrows": ["r1c1 > r1c2 r1c3"],
        "killer_cages": ["r2c1 r2c2 = 5"],
        "xv": ["r3c1 r3c2 = V"],
    }
    keys |= {"little_killers": ["r1c3 dl = 6"], "quadruples": ["r3c3 = 1 2"], "odd": "r4c4"}
    schema = {key["key"]: key for key in one("board", EMPTY | keys | {"sandwiches": {"top": "3 . . ."}})["schema"]}
    tools = {name: key["tool"] for name, key in schema.items()}
    assert tools == {
        "digits": "digits",
        "regions": "region",
        "givens": "number",
        "arrows": "path",
        "killer_cages": "cage",
        "xv": "pair",
        "little_killers": "sight",
        "quadruples": "corner",
        "odd": "mark",
        "sandwiches": "outside",
    }
    assert schema["arrows"]["head"]
    assert schema["killer_cages"]["value"]
    assert schema["xv"]["values"] == ["X", "V"]
    assert schema["little_killers"]["sides"] == ["ul", "ur", "dl", "dr"]
    strata = {key["key"]: key for key in one("board", shipped("strata/seed"))["schema"]}
    assert {*strata["tiles"]["values"]} == {"b", "g", "r", "y"}


def test_a_text_is_read_as_a_puzzle() -> None:
    """A grid is a Sudoku, or what the page says; a board says what to do with it."""
    grid = "AAB\nACB\nCCB"
    assert asked("read", text=grid, **{"as": "tectonic"})[0]["board"]["puzzle"] == "tectonic"
    record = asked("read", name="strata/seed")[0]
    assert record["instructions"].startswith("Lay a ribbon of one color along each of the 3 rows")


def test_bad_boards_are_refused() -> None:
    """What is wrong with a board is said in one line; a board brings no folders of puzzles with it."""
    bad: list[object] = [None, [], {}, {"puzzle": 3}, {"puzzle": "nothing"}, EMPTY | {"givens": [[9] * 4] * 4}]
    for board in bad:
        (error, _) = asked("board", board)
        assert error["kind"] == "error"
        assert "\n" not in error["words"]
    (error, _) = asked("board", EMPTY | {"puzzles": "/etc"})
    assert "puzzles" in error["words"]
    for name in ("/etc/passwd", "../sudoku/easy", "sudoku/../../x", "sudoku", "a\0", ["sudoku/easy"]):
        assert asked("read", name=name)[0]["kind"] == "error"
    for puzzle in ("..", "/etc", "sudoku/../sudoku", "\ud800", "a" * 100_000):
        (error, _) = asked("board", {"puzzle": puzzle})
        assert len(error["words"]) < 300
    assert asked("nothing")[0]["kind"] == "error"
    assert asked("state", EMPTY, limit="many")[0]["kind"] == "error"
    assert asked("state", EMPTY, seconds=1000)[0]["kind"] == "error"


# -- Answers ------------------------------------------------------------------------------------------


@settings(max_examples=15)
@given(st.lists(st.tuples(st.integers(0, 15), st.integers(1, 4)), max_size=6))
@pytest.mark.slow
def test_states_are_those_of_brute_force(clues: list[tuple[int, int]]) -> None:
    """What is decided, what is possible and how often, and all answers agree with brute force on 4x4 boards."""
    givens: list[list[int | None]] = [[None] * 4 for _ in range(4)]
    for place, value in clues:
        givens[place // 4][place % 4] = value
    grids = [by_cell(grid) for grid in fitting(givens)]
    counts = {cell: Counter(grid[cell] for grid in grids) for cell in by_cell(sudokus()[0])} if grids else {}
    state = asked("state", EMPTY | {"givens": givens}, limit=3)[0]
    assert state["answers"] == min(2, len(grids))
    assert state["decided"] == {cell: min(of) for cell, of in counts.items() if len(of) == 1}
    assert {cell: {*of} for cell, of in state["possible"].items()} == {cell: {*of} for cell, of in counts.items()}
    assert state["counts"] == {cell: {v: min(n, 3) for v, n in of.items()} for cell, of in counts.items()}
    if len(grids) < 30:
        *answers, end = asked("answers", EMPTY | {"givens": givens}, limit=0)
        assert sorted(map(str, (sorted(one["cells"].items()) for one in answers))) == sorted(
            str(sorted(grid.items())) for grid in grids
        )
        assert end == {"kind": "end", "late": False, "found": len(grids), "complete": True}


def test_rules_of_ones_own_are_blamed() -> None:
    """A constraint typed under one's own rules is among those that leave no answer, told by its line and its words."""
    board = EMPTY | {"givens": [[None, 2, None, None], *([None] * 4 for _ in range(3))]}
    *_, last, _ = asked("state", board, extra="\n:- value(1, 1, V), V != 2.")
    assert "line 2 of your rules: `:- value(1, 1, V), V != 2.`" in [rule["words"] for rule in last["rules"]]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", BOARDS)
def test_answers_of_every_kind(name: str) -> None:
    """An answer has its cells, its picture, its atoms, and the text that reads as the same answer, which is solved."""
    board = shipped(name)
    (found, end) = asked("answers", board, limit=1)
    assert end["found"] == 1
    assert found["cells"]
    assert drawn(found["svg"]) is not None
    assert re.fullmatch(r"(\w+\([^ ]*\) ?)+", found["atoms"])
    assert one("review", board, entries=found["text"])["status"] == "solved"
    state = asked("state", board)[0]
    assert state["answers"] in {1, 2}
    assert state["decided"] == {
        "r{}c{}".format(*cell): v for cell, v in candidate_texts(decided(load(name)[0])).items()
    }


def test_a_limit_of_answers() -> None:
    """An empty board has as many answers as are asked for."""
    *answers, end = asked("answers", EMPTY, limit=5)
    assert len({one["text"] for one in answers}) == end["found"] == 5
    assert not end["complete"]


def test_answers_come_in_pages() -> None:
    """The pages of answers are those of the whole list, whatever was asked before; the last one says that it is."""
    board = EMPTY | {"givens": [[1, 2, 3, 4], [3, 4, 1, 2], [None] * 4, [None] * 4]}
    every = [found["text"] for found in asked("answers", board, limit=10)[:-1]]
    pages = [asked("answers", board, limit=3, skip=skip) for skip in (0, 3, 6)]
    assert [found["text"] for *page, _ in pages for found in page] == every
    assert [found["number"] for *page, _ in pages for found in page] == [1, 2, 3, 4]
    assert [end["complete"] for *_, end in pages] == [False, True, True]
    assert [end["found"] for *_, end in pages[1:]] == [4, 4]


def test_new_boards_have_no_clues() -> None:
    """A new board of each puzzle has the size that was asked for; a Sudoku without boxes has regions."""
    for name in ("sudoku", "strimko", "tectonic", "strata", "strips"):
        board = one("read", new=name, rows=4, columns=4)
        assert board["size"] == [4, 4]
        assert one("board", board["board"])["givens"] == {}
    assert len(one("read", new="sudoku", rows=7, columns=7)["cells"]) == 49


def test_many_answers_have_only_their_cells() -> None:
    """The first answers have a picture, a text and atoms: 200, or as many as are asked for; all have their cells."""
    for fields, drawn in (({}, 200), ({"drawn": 3}, 3), ({"drawn": 0}, 0)):
        *answers, end = asked("answers", EMPTY, limit=0, **fields)
        assert end["found"] == len(answers) == 288
        assert all(len(one["cells"]) == 16 for one in answers)
        assert [{"text", "svg", "atoms"} <= one.keys() for one in answers] == [i < drawn for i in range(288)]


@pytest.mark.alone
def test_a_large_board_has_what_there_is_time_for() -> None:
    """The number of answers comes alone if no candidates are asked for; those of whole cells come in the time given."""
    board = one("read", new="sudoku", rows=25, columns=25)["board"]
    verdict, end = asked("state", board, limit=0)
    assert (verdict["answers"], verdict["possible"], end["late"]) == (2, {}, False)
    found, end = asked("state", board, limit=100, seconds=5)
    assert (found["answers"], end["late"], found["counts"]) == (2, True, {})
    assert all(len(values) == 25 for values in found["possible"].values())


def test_no_answer_is_explained() -> None:
    """A board without an answer has the rules and clues that cannot hold together, and the clues that would help."""
    state, _, *removals, conflict, _ = asked("state", EMPTY | {"givens": [[1, None, None, 1], *[[None] * 4] * 3]})
    assert state["answers"] == 0
    assert {cell for rule in conflict["rules"] for cell in rule["cells"]} >= {"r1c1", "r1c4"}
    assert len(conflict["rules"]) == 3  # the two clues, and the row
    assert [(one["words"], one["cells"]) for one in removals] == [
        ("Remove the 1 in row 1, column 1", ["r1c1"]),
        ("Remove the 1 in row 1, column 4", ["r1c4"]),
    ]
    cages = ["r1c1 r2c1 = 8", "r3c3 r3c4 = 4"]
    *_, removal, _, _ = asked("state", EMPTY | {"killer_cages": cages})
    assert (removal["key"], removal["value"], removal["cells"]) == ("killer_cages", cages[1:], ["r1c1", "r2c1"])
    blocked = shipped("strata/seed") | {"tiles": [["r", "b"], ["b", "r"]], "colors": None, "solution": None}
    *_, conflict, _ = asked("state", {key: value for key, value in blocked.items() if value})
    assert conflict["rules"]


# -- What is filled in --------------------------------------------------------------------------------


def test_review_names_the_broken_rules() -> None:
    """Entries that break a rule are met with its sentence; those that do not are right, and stuck if it is too late."""
    assert one("review", EMPTY)["status"] == "right"
    found = one("review", EMPTY, entries="1 . . 1\n. . . .\n. . . .\n. . . .")
    assert found["status"] == "broken"
    assert found["broken"] == [
        {
            "rule": "once(row(1),1)",
            "words": "row 1 has more than one 1: row 1, column 1; row 1, column 4",
            "cells": ["r1c1", "r1c4"],
        }
    ]
    entries = "\n".join(" ".join(map(str, row)) for row in SOLVED)
    assert one("review", EMPTY, entries=entries)["status"] == "solved"
    assert asked("review", EMPTY, entries="1 2 3")[0]["kind"] == "error"
    stuck = one(
        "review",
        EMPTY | {"givens": [[1, 2, None, None], *[[None] * 4] * 3]},
        entries="1 2 . .\n. . 3 .\n. . . .\n. . . .",
    )
    assert stuck["status"] == "stuck"
    assert stuck["wrong"]


def test_marks_are_excluded_by_single_rules() -> None:
    """Marks that a number in sight excludes are told, and those that take more than one rule are not."""
    marks = {"r1c1": ["1", "2", "3", "4"], "r4c4": ["1"], "r9c9": ["1"]}
    board = EMPTY | {"givens": [[None, None, 3, None], *[[None] * 4] * 2, [1, None, None, None]]}
    assert one("marks", board, marks=marks)["excluded"] == {"r1c1": ["1", "3"], "r4c4": ["1"]}
    entries = "2 . 3 .\n. . . 1\n. . . .\n1 . . ."
    assert one("marks", board, marks={"r1c2": ["2", "4"]}, entries=entries)["excluded"] == {"r1c2": ["2"]}
    broken = "2 . 3 2\n. . . 1\n. . . .\n1 . . ."
    assert one("marks", board, marks={"r1c2": ["2", "4"]}, entries=broken)["excluded"] == {"r1c2": ["2"]}
    alone = "2 4 3 .\n. . . 4\n. . . .\n1 . . ."  # only 1 is left there, but each rule alone allows 3 in row 2
    assert one("marks", board, marks={"r2c1": ["3"], "r1c4": ["1"]}, entries=alone)["excluded"] == {}
    extra = "violated(odd) :- value(1, 1, (1; 3))."
    assert one("marks", EMPTY, marks={"r1c1": ["1", "2"]}, extra=extra)["excluded"] == {"r1c1": ["1"]}
    assert asked("marks", EMPTY, marks={"r1c1": 1})[0]["kind"] == "error"
    assert one("marks", shipped("strata/seed"), marks={"r1c1": ["1"]})["excluded"] == {}


@pytest.mark.slow
def test_reviews_agree_however_they_are_found() -> None:
    """A review without what to take back has the same status and broken rules as one with it."""
    board = load("sudoku")[0]
    full = solve(board)
    assert full is not None
    for wrong in ({}, {(1, 1): 9}, {(1, 1): full.values[1, 2], (5, 5): 1, (9, 9): full.values[8, 8]}):
        entries = type(full)({**dict(list(full.values.items())[::3]), **wrong}, full.printed)  # type: ignore[call-arg]
        quick, slow = review(board, entries, remedy=False), review(board, entries)
        assert (quick.status, quick.broken) == (slow.status, slow.broken)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", BOARDS)
def test_hints_say_more_and_more(name: str) -> None:
    """A hint has three levels: where to look, what is there, and what follows; the last one alone says the value.

    The first one lights more cells than those in which something follows, these among them.
    """
    hint = one("hint", shipped(name))
    first, second, third = hint["levels"]
    assert first["words"].startswith("Look at")
    assert len({first["words"], second["words"], third["words"]}) == 3
    assert {*second["goal"]} <= {*first["cells"]}
    assert {*second["goal"]} != {*first["cells"]}
    assert third["goal"] == second["goal"]
    for value in hint["fill"].values():
        assert f" {value}" in third["words"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["sudoku/easy", "sudoku/six", "tectonic/ten", "variants/thermometer", "strips/list", "strips/holes"]
)
def test_the_first_hint_does_not_tell_the_cell(name: str) -> None:
    """Where to look is a whole unit, or else some rows; the cells of a unit that is named are all lit."""
    board = load(name)[0]
    for step in islice(explain(board), 25):
        first, *others = hint_levels(board, step)
        if others and others[0].goal:
            assert {*others[0].goal} < {*first.cells}
            told = {cell for span in spans_of(first.words) for cell in span.cells}
            assert {*first.cells} >= told
            assert len(others[0].goal) > 1 or told != {*others[0].goal}


@pytest.mark.slow
def test_another_hint_is_the_next_step() -> None:
    """Where a hint fills in nothing, those after it are asked for, up to the end."""
    board = shipped("sudoku")
    steps = [step["words"] for step in asked("explain", board)[:-1]]
    for passed in (0, 1, 2):
        hint = one("hint", board, passed=passed)
        assert (hint["levels"][-1]["words"], hint["more"]) == (steps[passed], True)
    assert not one("hint", board, passed=len(steps) - 1)["more"]


def test_thumbnails_are_drawn() -> None:
    """Boards that ship and boards of the page, also with keys of their own, are drawn small, without axes.

    What is no board is left out.
    """
    ring = {"board": EMPTY | {"variants": ["own"], "rings": ["r1c1 r1c2"]}, "own": [{"name": "ring", "kind": "line"}]}
    boards = ["sudoku/easy", {"board": EMPTY}, ring, {"board": {"puzzle": "none"}}, 3]
    found = asked("thumbnails", boards=boards)[:-1]
    assert [record["index"] for record in found] == [0, 1, 2]
    assert all(record["svg"].startswith("<svg") and 'class="axis"' not in record["svg"] for record in found)


@pytest.mark.parametrize("own", [[{"name": "ring", "kind": []}], [{"name": "ring", "kind": {}}], [{"kind": []}], [3]])
def test_keys_of_another_form_are_refused(own: object) -> None:
    """Keys that are no names and kinds end a question with one line."""
    record = one("board", EMPTY, own=own)
    assert record["kind"] == "error"
    assert record["words"].startswith("question: own: ")
    assert "\n" not in record["words"]


@pytest.mark.parametrize(
    ("name", "look"), [("star-battle/six", "solid"), ("aquarium/six", "water"), ("hitori/five", "")]
)
def test_shaded_cells_look_as_in_pictures(name: str, look: str) -> None:
    """The page is told what a shaded cell looks like: a star, or water; nothing if it is only dark."""
    figure = one("board", shipped(name))["answer"]["figure"]
    assert f'class="{look}"' in figure if look else not figure


def test_reasons_of_a_hint_lead_from_cell_to_cell() -> None:
    """Each cell where the hint has no place for its number is told with the cell that forbids it."""
    rays = one("hint", shipped("sudoku"))["rays"]
    assert rays == [["r5c5", "r7c5"], ["r5c5", "r8c5"], ["r9c8", "r9c4"]]


def test_hints_take_back_what_is_wrong() -> None:
    """Something wrong is a mistake first, and then its place; a full board has one level only."""
    givens = [[1, 2, 3, None], [3, None, None, None], *[[None] * 4] * 2]
    hint = one("hint", EMPTY | {"givens": givens}, entries="1 2 3 .\n3 1 . .\n. . . .\n. . . .")
    assert len(hint["levels"]) == 3
    assert hint["levels"][1]["cells"] == ["r2c2"]


# The texts of a step, and the lengths of their parts with the cells that these name.
SPANS = {"words": "spans", "why": "why_spans"}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["sudoku", "strata/seed", "strips/list"])
def test_steps_and_their_words(name: str) -> None:
    """An explanation comes step by step, up to its end; words that name cells light them up."""
    *steps, end = asked("explain", shipped(name))
    assert steps[-1]["step"] == "end"
    assert [step["number"] for step in steps[:-1]] == list(range(1, len(steps)))
    for words, spans in ((step[name], step[spans]) for step in steps for name, spans in SPANS.items()):
        assert sum(int(span.partition(":")[0]) for span in (spans or str(len(words))).split()) == len(words)
    assert all(step["spans"] for step in steps[:-1])
    assert not end["late"]


@pytest.mark.parametrize("name", ["strimko/four", "strimko/needs-a-guess", "tectonic/seed"])
@pytest.mark.slow
def test_resolution_round_by_round(name: str) -> None:
    """Resolution ends as it does at once, by the shipped rules and by the same rules as text."""
    board, text = load(name)[0], rules_of(name)
    *found, last, _ = asked("resolve", shipped(name))
    assert [one["number"] for one in found] == list(range(1, len(found) + 1))
    assert last["status"] == resolve(board).status
    for rules in (Settings(), Settings(encoding=Rules(text))):
        *_, end = resolution_rounds(board, rules)
        assert (end.status, end.numbers, end.candidates) == resolve(board, settings=rules)[:3]


def test_grade_is_a_word_and_a_number() -> None:
    """A good board has a grade; others have a reason for none."""
    found = one("grade", shipped("sudoku"))
    assert (found["word"], found["label"]) == ("easy", f"easy {grade('sudoku/easy').score:.1f}")
    assert one("grade", EMPTY)["words"] == "No grade: there are several answers."


# -- Rules --------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_edited_rules_are_the_rules() -> None:
    """Without its regions, an edited Sudoku is a Latin square; an extra rule leaves those with a different diagonal."""
    rules = rules_of("sudoku")
    state = asked("answers", EMPTY, limit=0)[-1]
    assert state["found"] == 288
    latin = rules.replace("unit(stream(S), R, C) :- stream(R, C, S).", "")
    assert latin != rules
    assert asked("answers", EMPTY, rules=latin, limit=0)[-1]["found"] == 576
    diagonal = sum(len({grid[i][i] for i in range(4)}) == 4 for grid in sudokus())
    assert asked("answers", EMPTY, extra=DIFFERENT, limit=0)[-1]["found"] == diagonal
    for ask in ("state", "hint", "grade", "explain", "add", "review"):
        assert asked(ask, EMPTY, rules=latin, extra=DIFFERENT)[0]["kind"] != "error"


@pytest.mark.slow
def test_edited_rules_of_a_variant_are_its_rules(tmp_path: Path) -> None:
    """A text in the place of a variant's rules is obeyed, has its errors, forbids, and works in a saved folder."""
    board = EMPTY | {"thermometers": ["r1c1 r1c2 r1c3"], "variants": ["diagonal"]}
    [rises] = [file["text"] for file in one("board", board)["files"] if file["name"] == "thermometer.lp"]
    line = 1 + rises[: rises.index("\nviolated(")].count("\n") + 1
    place = {"file": "thermometer.lp", "line": line, "last": line + 1}
    diagonals = [g for g in sudokus() if all(len({g[i][j] for i, j in d}) == 4 for d in DIAGONALS)]
    for words, fits in ((">=", int.__lt__), ("<=", int.__gt__), ("=", int.__ne__)):
        edits = {"thermometer.lp": rises.replace(">=", words)}
        right = [g for g in diagonals if all(fits(g[0][i], g[0][i + 1]) for i in range(2))]
        assert asked("answers", board, limit=0, edits=edits)[-1]["found"] == len(right)
        file = one("folder", board, name="mine", edits=edits)
        with zipfile.ZipFile(io.BytesIO(base64.b64decode(file["base64"]))) as archive:
            archive.extractall(tmp_path / str(ord(words[0])))
        folder = tmp_path / str(ord(words[0])) / "mine"
        (saved,) = load(folder / "first.toml", puzzles=folder)
        assert count(saved).number == len(right)
        assert saved.variants == ("diagonal",)
    falls = {"thermometer.lp": rises.replace(">=", "<=")}
    forbidden = one("forbids", board, cell="r1c1", edits=falls, **place)
    assert ([value["value"] for value in forbidden["values"]], forbidden["left"]) == (["1", "2"], ["3", "4"])
    broken = {"thermometer.lp": f"{rises}\nviolated(x) :- value(R, C, W), V > 1."}
    [fault] = asked("diagnose", board, edits=broken)[:-1]
    assert (fault["file"], fault["severity"]) == ("thermometer.lp", "error")
    # What is edited of a variant that the board does not have changes nothing; a name leads to no other file.
    strange = {"../thermometer.lp": "no rules", "/etc/passwd": "no rules"}
    for ask in ("answers", "diagnose"):
        assert asked(ask, board, limit=0, edits=strange) == asked(ask, board, limit=0)
    file = one("folder", board, name="mine", edits=strange)
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(file["base64"]))) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    assert all(name.startswith("mine/") and b"no rules" not in text for name, text in files.items())
    assert asked("answers", EMPTY, limit=0, edits=broken)[-1]["found"] == 288
    for bad in ({"thermometer.lp": 3}, ["thermometer.lp"]):
        assert asked("answers", board, edits=bad)[0]["kind"] == "error"


def test_the_same_rules_as_text_give_the_same() -> None:
    """The shipped rules as text are the shipped rules, for answers, states and steps."""
    board = shipped("sudoku")
    for ask in ("answers", "state", "hint"):
        assert asked(ask, board, rules=f"{rules_of('sudoku')}% the same\n") == asked(ask, board)


REFUSED = [
    ("#script (lua)\nfunction f() return 1 end\n#end.", 1),
    ("% here\n#script (python)\ndef f(): return 1\n#end.", 2),
    ('\n\n#include "/etc/passwd".', 3),
    ("#include <incmode>.", 1),
    ("a(1).\nb(@f()).", 2),
    ("a(X) :-\n    X = @f(1, 2).", 2),
    ("#const n = @f().", 1),
    ("#show @f() : value(1, 1, 1).", 1),
    ("a(1;@f()).", 1),
]


@pytest.mark.sampled(9)
@pytest.mark.parametrize(("text", "line"), REFUSED)
@pytest.mark.parametrize("field", ["rules", "extra", "diagonal.lp"])
def test_programs_are_refused(text: str, line: int, field: str) -> None:
    """Scripts, files and functions in rules are refused by every question, in one line with its number."""
    above = rules_of("sudoku") if field == "rules" else ""
    board, entries = EMPTY | {"variants": ["diagonal"]}, "1 . . .\n. . . .\n. . . .\n. . . ."
    given = {field: f"{above}{text}"}
    for ask in ("answers", "diagnose", "state", "hint", "review"):
        error = asked(ask, board, entries=entries, **(given if "." not in field else {"edits": given}))[0]
        assert error["kind"] in {"error", "diagnostic"}
        assert (error["file"], error["line"]) == (field, above.count("\n") + line)
        assert "\n" not in error["words"]
        assert "root:" not in error["words"]


def test_words_in_strings_and_comments_are_no_programs() -> None:
    """A string or a comment may say what a program may not."""
    extra = '% #script (lua) @f()\nnote("@f() #include"). %* #include "x". *%\n'
    assert asked("answers", EMPTY, extra=extra)[0]["kind"] == "answer"


# Rules that are odd, or hard to read, and whether they are rules.
ODD = {
    "a theory": ("#theory t { x { - : 1, unary }; &a/0 : x, any }.\n&a { } .", True),
    "a theory that is not there": ("&sum { 1 } >= 1.", False),
    "an external": ("#external b.\na :- b.", True),
    "an external that is true": ("#external value(1, 1, 1). [true]", True),
    "a predicate that is nowhere": ("#defined nowhere/3.", True),
    "a constant": ("#const n = 2147483647.\na(n).", True),
    "a constant that is too large": ("#const n = 99999999999999999999.\na(n).", False),
    "a division by 0": ("a(1 / 0).", True),
    "a power": ("a(2 ** 2 ** 2 ** 31).", True),
    "a name in Cyrillic": ("\u0430(1).", False),
    "a string that turns": ('a("\u202e\U0001f600").', True),
    "a half of a character": ('a("\ud800").', False),
    "a NUL": ("a(1).\0b(2).", False),
    "parentheses": (f"a({'(' * 50_000}1{')' * 50_000}).", False),
    "minus signs": (f"a(X) :- X = {'-' * 9000}1.", True),
    "functions in functions": (f"violated({'f(' * 3000}1{')' * 3000}).", True),
    "comments in comments": ("%*" * 60_000, False),
    "20 000 errors": ("a :- b(X.\n" * 20_000, False),
    "1000 warnings": ("\n".join(f"a :- undefined{i}." for i in range(1000)), True),
    "an optimum": ("#minimize { 1 : value(1, 1, 1) }.", False),
    "another part": ("#program more.\na.", False),
    "a heuristic": ("#heuristic value(1, 1, 1). [1000000, true]", True),
}


@pytest.mark.sampled(1, 8)
@pytest.mark.parametrize("name", ODD)
def test_odd_rules_do_no_harm(name: str) -> None:
    """Rules that are odd, or hard to read, are used or refused, in one line; nothing fails."""
    text, good = ODD[name]
    entries = "1 . . 1\n. . . .\n. . . .\n. . . ."
    for ask in ("answers", "diagnose", "review", "hint"):
        found = asked(ask, EMPTY, entries=entries, extra=text)
        words = [one["words"] for one in found if one["kind"] == "error" or one.get("severity") == "error"]
        assert not any("\n" in one for one in words)
        if ask == "answers":
            assert bool(words) != good
        assert not found[-1]["late"]


HUGE = {
    "shown": "#show f(X, Y, Z) : X = 1..1000, Y = 1..1000, Z = 1..1000.",
    "counted": "a :- #count { X : X = 1..100000000 } > 5.",
    "external": "#external a(1..1000000000).",
    "numbers": "#const n = 1000000000.\na(1..n).",
    "pairs": "{ b(1..300000) }. a :- #sum { X, Y : b(X), b(Y) } > 5.",
}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", HUGE)
def test_huge_rules_end_in_time(name: str, tmp_path: Path) -> None:
    """Rules that ground to billions of atoms run out of time, and say so."""
    ask = {"ask": "answers", "board": EMPTY, "extra": HUGE[name], "seconds": 0.3}
    code = f"from pyasp_puzzles.studio.questions import answer_question; print([*answer_question({ask})][-1]['late'])"
    # What grounds goes on, and takes memory, until its process ends.
    assert process([sys.executable, "-c", code], tmp_path).stdout == "True\n"


ENDLESS = {
    "a rule that needs itself": ("b(1).\na(1).\na(X + 1) :- a(X).", 3),
    "rules that need each other": ("even(0).\nodd(X + 1) :- even(X).\neven(X + 1) :- odd(X).", 2),
    "a product": ("n(1..1000).\n\na(X, Y, Z) :- n(X), n(Y), n(Z).", 3),
    "a named rule": ("violated(odd(X)) :- X = 1..100000000, value(1, 1, 1).", 1),
    "facts": ("a(1).\nb(1..1000000000).", 2),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ENDLESS)
def test_the_rule_that_never_ends_has_its_line(name: str, tmp_path: Path) -> None:
    """A rule of a text that does not ground in time is told, with its line."""
    text, line = ENDLESS[name]
    ask = {"ask": "diagnose", "board": EMPTY, "extra": text}
    code = f"from pyasp_puzzles.studio.questions import answer_question; print(next(answer_question({ask})))"
    found = process(
        [sys.executable, "-c", code], tmp_path
    ).stdout  # what grounds cannot be stopped but with its process
    assert f"'file': 'extra', 'line': {line}" in found


DIAGNOSED = [
    ("a :- b", "error", 1),
    ("a(X) :-\n  not b(X).", "error", 1),
    ("\n\na :- b(.", "error", 3),
    ("\nthing(1) :- valeu(1, 1, 1).", "warning", 2),
    ("a(1).\né", "error", 2),
]


@pytest.mark.parametrize(("text", "severity", "line"), DIAGNOSED)
def test_errors_have_their_lines(text: str, severity: str, line: int) -> None:
    """What is wrong with a text of rules is said at its line, in either text."""
    rules = rules_of("sudoku")
    for field, above in (("rules", rules), ("extra", "")):
        found = asked("diagnose", EMPTY, **{field: above + text})[0]
        assert (found["severity"], found["file"], found["line"]) == (severity, field, above.count("\n") + line)
        if severity == "error":
            error = asked("answers", EMPTY, **{field: above + text})[0]
            assert (error["file"], error["line"], error["words"]) == (field, found["line"], found["words"])
    assert asked("diagnose", EMPTY, rules=rules, extra=DIFFERENT) == [{"kind": "end", "late": False}]


def test_all_errors_of_a_text_are_found() -> None:
    """Several errors are diagnosed at once, each at its line."""
    found = asked("diagnose", EMPTY, extra="a(X).\nb(1).\nc(Y) :- b(1).\n")[:-1]
    assert [one["line"] for one in found] == [1, 3]


def test_rules_about_a_cell_and_of_a_line() -> None:
    """A cell has the rules about it; the rules of a line are those that it grounds to, marked if they are broken."""
    entries = "1 . . 1\n. . . .\n. . . .\n. . . ."
    rules = one("about", EMPTY, cell="r1c1", entries=entries)["rules"]
    assert all("r1c1" in rule["cells"] for rule in rules)
    assert {rule["rule"].split("(")[0] for rule in rules} == {"cell", "once"}
    assert [rule["rule"] for rule in rules if rule["broken"]] == ["once(row(1),1)"]
    line = next(rule["line"] for rule in rules if rule["broken"])
    assert "violated(once(U, V))" in rules_of("sudoku").splitlines()[line - 1]
    same = one("about", EMPTY, file="rules", line=line, entries=entries)["rules"]
    assert len(same) == 3 * 4 * 4
    assert [rule["rule"] for rule in same if rule["broken"]] == ["once(row(1),1)"]
    found = one("about", EMPTY, file="extra", line=1, extra=DIFFERENT)["rules"]
    assert [rule["rule"] for rule in found] == [f"diagonal({v})" for v in (1, 2, 3, 4)]
    assert one("about", EMPTY, file="rules", line=1)["rules"] == []


@pytest.mark.slow
def test_instances_of_rules_without_a_name() -> None:
    """A choice, a definition and a constraint without a name are at work in cells, and broken there; a fact is not."""
    text = rules_of("sudoku").splitlines()
    line = next(i for i, one in enumerate(text, 1) if one.startswith("{ value(R, C, V) }"))
    found = one("about", EMPTY, file="rules", line=line)["rules"]
    assert [rule["cells"] for rule in found] == [[f"r{r}c{c}"] for r in range(1, 5) for c in range(1, 5)]
    assert found[0]["words"] == "{ value(1,1,1) } :- candidate(1,1,1)."
    extra = ':- value(R, C, V), value(R + 1, C + 1, V).\n:- not value(1, 2, 3).\nfact(1, 1).\n:- fact("V", 2).'
    entries = "1 . . .\n. 1 . .\n. . . .\n. . . ."
    found = one("about", EMPTY, file="extra", line=1, extra=extra, entries=entries)["rules"]
    assert len(found) == 9
    [broken] = [rule for rule in found if rule["broken"]]
    assert broken["cells"] == ["r1c1", "r2c2"]
    assert broken["words"].startswith(":- value(1,1,1); value(")
    [other] = one("about", EMPTY, file="extra", line=2, extra=extra)["rules"]
    assert (other["cells"], other["line"]) == (["r1c2"], 2)
    for line in (3, 4, 5):
        assert one("about", EMPTY, file="extra", line=line, extra=extra)["rules"] == []


def test_rules_say_how_often_they_apply_and_what_they_forbid() -> None:
    """Each rule, of one's own too, has its size; in a cell it forbids values, each with its reason and its cells."""
    found = one("sizes", EMPTY, extra=DIFFERENT)["sizes"]
    line = next(i for i, text in enumerate(rules_of("sudoku").splitlines(), 1) if text.startswith("violated(once("))
    place = {"file": "rules", "first": line, "last": line}
    assert place | {"instances": 48, "places": 12, "single": False} in found
    own = {"file": "extra", "first": 1, "last": 1}
    assert own | {"instances": 4, "places": 1, "single": False} in found
    fields: dict[str, Any] = {"cell": "r1c2", "entries": "1 . . .\n. . . .\n. . . .\n. . . ."}
    record = one("forbids", EMPTY, file="rules", line=line, last=line + 1, **fields)
    [value] = record["values"]
    assert (value["value"], value["absent"], value["cells"]) == ("1", False, ["r1c1"])
    assert value["words"].startswith(("Row 1 holds 1 once", "Box 1 holds 1 once"))
    assert record["left"] == ["2", "3", "4"]
    assert one("forbids", EMPTY, file="extra", line=1, extra=DIFFERENT, **fields)["values"] == []
    assert one("forbids", EMPTY, file="rules", line=line)["kind"] == "error"


# {what a key is: a clue, a rule about it, and whether a 4x4 Sudoku keeps that}
KEYS: dict[str, tuple[object, str, Callable[[Grid], bool]]] = {
    "line": (["r1c1 r1c2"], "ring(I, J, R, C), value(R, C, V), V > 2", lambda grid: {*grid[0][:2]} == {1, 2}),
    "cage": (
        ["r1c1 r1c2 = 7"],
        "ring_value(I, S), #sum { V, J : ring(I, J, R, C), value(R, C, V) } != S",
        lambda grid: sum(grid[0][:2]) == 7,
    ),
    "mark": ("r1c1 r3c3", "ring(R, C), not value(R, C, 1)", lambda grid: grid[0][0] == grid[2][2] == 1),
    "pair": (
        ["r1c1 r1c2"],
        "ring(R, C, R', C'), value(R, C, V), value(R', C', W), V > W",
        lambda grid: grid[0][0] < grid[0][1],
    ),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", KEYS)
def test_a_key_of_ones_own(kind: str, tmp_path: Path) -> None:
    """A board has a key that was made in the page; rules read its facts; the folder that is saved has it, too."""
    clue, body, keeps = KEYS[kind]
    rule = f"violated(own) :- {body}."
    own, board = [{"name": "ring", "kind": kind}], EMPTY | {"variants": ["own"]}
    assert "rings" in [key["key"] for key in one("board", board, own=own)["schema"]]
    drawn, answers = board | {"rings": clue}, sum(map(keeps, sudokus()))
    end = asked("answers", drawn, own=own, extra=rule, limit=300, drawn=0)[-1]
    assert (end["found"], end["complete"]) == (answers, True)
    file = one("folder", drawn, own=own, extra=rule, name="mine")
    zipfile.ZipFile(io.BytesIO(base64.b64decode(file["base64"]))).extractall(tmp_path)
    [saved] = load(tmp_path / "mine" / "first.toml", puzzles=tmp_path / "mine")
    assert count(saved) == answers
    for wrong in ({"name": "../ring", "kind": kind}, {"name": "ring", "kind": "script"}, {"name": "ring"}, "ring"):
        assert asked("board", board, own=[wrong])[0]["kind"] == "error"


def test_rules_as_text_are_values() -> None:
    """Rules are equal by their content, and pickle in settings; only text is rules."""
    settings = Settings(encoding=Rules("a."), extra=[Rules("b.", "more"), "thermometer"])
    assert pickle.loads(pickle.dumps(settings)) == settings  # noqa: S301 (our own)
    assert settings == Settings(encoding=Rules("a."), extra=(Rules("b.", "more"), Path("thermometer")))
    assert Settings(extra=Rules("b.")).edited
    with pytest.raises(TypeError):
        Settings(encoding=Rules(3))  # type: ignore[arg-type]
    with pytest.raises(EncodingError, match=r"^mine:2:1: scripts"):
        count("tectonic/seed", settings=Settings(extra=Rules("\n#script (lua) #end.", "mine")))
    with pytest.raises(EncodingError, match="cannot include"):  # whatever it is called
        count("tectonic/seed", settings=Settings(extra=Rules('#include "x".', str(load("sudoku")[0].puzzle.encoding))))


# -- Writing, and new boards --------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOARDS)
def test_boards_are_written(name: str) -> None:
    """What is written in TOML or as facts reads as the same board; its picture and its steps are written, too."""
    board = shipped(name)
    for form in ("toml", "lp"):
        text = one("write", board, format=form)["text"]
        again = asked("read", text=text)[0]["board"]
        unseen = {"solution": "", "colors": {}}  # by the rules, and so not in facts
        assert again | unseen == one("board", board)["board"] | unseen
    assert one("write", board, format="svg")["text"].startswith("<svg")
    assert one("facts", board)["text"].startswith("% puzzle: ")
    assert all(link["text"].startswith("https://") for link in one("links", board)["links"])
    assert asked("write", board, format="nothing")[0]["kind"] == "error"


def test_steps_are_written() -> None:
    """The steps of a board are written as the page of `explain --html`."""
    assert one("write", shipped("strimko/four"), format="steps")["text"].startswith("<!doctype html>")


def test_links_read_as_the_same_board() -> None:
    """Each link of a Sudoku reads as a board with its clues."""
    board = shipped("sudoku")
    links = one("links", board)["links"]
    assert {"f-puzzles", "penpa"} <= {link["format"] for link in links}
    for link in links:
        assert asked("read", text=link["text"])[0]["board"]["givens"] == board["givens"]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["sudoku", "tectonic/seed", "strata/seed", "strips/list"])
def test_rules_are_saved_as_a_folder(name: str, tmp_path: Path) -> None:
    """The rules as they are, in a folder, are a puzzle of its own, with the same answers."""
    file = one("folder", shipped(name), name="mine", extra="% one more\n")
    assert file["name"] == "mine.zip"
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(file["base64"]))) as archive:
        archive.extractall(tmp_path)
    (board,) = load(tmp_path / "mine" / "first.toml", puzzles=tmp_path / "mine")
    assert board.puzzle.folder == tmp_path / "mine"
    assert "% one more" in board.puzzle.encoding.read_text(encoding="utf-8")
    assert count(board, 3) == count(load(name)[0], 3)
    assert one("folder", shipped(name), name="mine", extra='a("\ud800").')["base64"]
    for bad in ("", "../mine", "/mine", "mine/..", "mi\0ne", "a" * 1000, "sudoku", "A"):
        assert asked("folder", EMPTY, name=bad)[0]["kind"] == "error"


def test_new_boards() -> None:
    """New boards have the size, the variants and the rules that are asked for, and one answer."""
    made = one("make", puzzle="sudoku", size=[4, 4], seed=1, variants=["anti-knight"], symmetric=True)
    assert made["variants"] == ["anti-knight"]
    assert asked("state", made["board"])[0]["answers"] == 1
    ruled = one("make", puzzle="sudoku", size=[4, 4], seed=1, extra=DIFFERENT)
    assert asked("state", ruled["board"], extra=DIFFERENT)[0]["answers"] == 1
    found = asked("make", puzzle="sudoku", size=[4, 4], seed=1, number=2)
    assert [one["kind"] for one in found] == ["board", "board", "end"]
    assert asked("make", puzzle="sudoku", number=100)[0]["kind"] == "error"
    refused = one("make", shipped("akari/seven"), puzzle="akari", answer=True)["words"]
    assert refused.startswith("answers of akari are not numbers")
    for bad in ({"puzzle": "sudoku", "variants": ["/etc"]}, {"puzzle": "sudoku", "size": [4]}, {"puzzle": "none"}):
        assert asked("make", **bad)[0]["kind"] == "error"


@pytest.mark.slow
def test_new_boards_in_the_words_of_setters() -> None:
    """New boards have as many givens and lines as are asked for; what is drawn on the board stays."""
    wanted = {"puzzle": "sudoku", "size": [4, 4], "seed": 1}
    made = one("make", **wanted, givens=0, use={"thermometers": [1, 9]}, cells=[3, 4], lines="touch")["board"]
    assert made["thermometers"]
    assert {value for row in made["givens"] for value in row} == {None}
    assert asked("state", made)[0]["answers"] == 1
    drawn = EMPTY | {"thermometers": ["r1c1 r1c2 r2c2"]}
    fixed = one("make", EMPTY, **wanted, answer=True, entries={"cells": {"r1c1": "4", "r1c2": "3"}})["board"]
    only = solve(loads(json.dumps(fixed))[0])
    assert only is not None
    assert (only.values[1, 1], only.values[1, 2]) == (4, 3)
    again = one("make", drawn, puzzle="sudoku", like=True, seed=1)["board"]
    assert again["thermometers"] == drawn["thermometers"]
    counts: list[dict[str, object]] = [{"givens": "few"}, {"use": {"thermometers": [2]}}, {"cells": [4, 3]}]
    others: list[dict[str, object]] = [{"use": 1}, {"sides": ["up"]}]
    for wrong in [*counts, *others]:
        assert asked("make", **wanted, **wrong)[0]["kind"] == "error"


# What the command is told, and the same for the library and for Make.
WISHES: list[tuple[str, dict[str, Any]]] = [
    ("--use thermometers=2 --symmetric --givens 0", {"use": {"thermometers": 2}, "symmetric": True, "givens": 0}),
    ("--use thermometers=1 --use killer_cages=1..3 --cells 3..4 --givens 0..6",
     {"use": {"thermometers": 1, "killer_cages": (1, 3)}, "cells": (3, 4), "givens": (0, 6)}),
    ("--use killer_cages --cover --givens 0", {"use": {"killer_cages": None}, "cover": True, "givens": 0}),
    ("--use sandwiches --sides top,left --givens 0..4",
     {"use": {"sandwiches": None}, "sides": ["top", "left"], "givens": (0, 4)}),
    ("--use thermometers --lines apart", {"use": {"thermometers": None}, "lines": "apart"}),
    ("--use ratios --all-dots", {"use": {"ratios": None}, "all_dots": True}),
    ("--like drawn.toml --givens 0..4", {"like": True, "givens": (0, 4)}),
    ("--answer some.txt", {"numbers": {(1, 1): 4, (1, 2): 3}}),
]  # fmt: skip


@pytest.mark.sampled(0, 4)
@pytest.mark.parametrize(("words", "wanted"), WISHES)
def test_the_same_words_make_the_same_board(words: str, wanted: dict[str, Any], tmp_path: Path) -> None:
    """The command, the library and Make understand the same words, and make the same board of a seed."""
    drawn = {"puzzle": "sudoku", "size": [4, 4], "thermometers": ["r1c1 r1c2 r2c2"], "ratios": ["r1c3 r1c4"]}
    drawn |= {"killer_cages": ["r3c3 r3c4 r4c4", "r2c3 r2c4"]}
    like = loads(json.dumps(drawn))[0]
    write(tmp_path, {"drawn.toml": dumps(like, "toml"), "some.txt": "43..\n....\n....\n....\n"})
    size: list[str] = [] if "like" in wanted else ["--size", "4"]
    text = printed("generate", "sudoku", *size, "--seed", "1", "--no-grade", *words.split(), where=tmp_path)
    by_command = loads(text)[0]
    asks = {name: value for name, value in wanted.items() if name != "numbers"}
    asks |= {"size": [4, 4]} if size else {}
    entries = {"cells": {f"r{r}c{c}": str(v) for (r, c), v in wanted.get("numbers", {}).items()}}
    asks |= {"answer": True, "entries": entries} if "numbers" in wanted else {}
    made = one("make", drawn if "like" in wanted else EMPTY, puzzle="sudoku", seed=1, **json.loads(json.dumps(asks)))
    assert loads(json.dumps(made["board"]))[0].facts.equal(by_command.facts)
    calls = wanted | ({"like": like} if "like" in wanted else {"size": 4})
    assert next(generate("sudoku", seed=1, **calls)).facts.equal(by_command.facts)


@pytest.mark.slow
def test_clues_are_left_out_and_added() -> None:
    """A solved board keeps few clues; a board with several answers gets those that leave one."""
    small = one("minimize", EMPTY | {"givens": SOLVED})
    assert len(small["givens"]) < 8
    assert asked("state", small["board"])[0]["answers"] == 1
    added = one("add", EMPTY)
    assert len(added["add"]) >= 4
    givens: Any = [[None] * 4 for _ in range(4)]
    for cell, value in added["add"].items():
        givens[int(cell[1]) - 1][int(cell[3]) - 1] = int(value)
    assert len(fitting(givens)) == 1


# -- Puzzles of one's own, and time -------------------------------------------------------------------


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a puzzle of each template, named by the environment, as the server names them."""
    for kind in ("numbers", "shading", "pieces"):
        templates.new_folder(f"my-{kind}", kind, tmp_path)
    monkeypatch.setenv("PYASP_PUZZLES", str(tmp_path))
    return tmp_path


def test_only_boards_of_puzzles_with_grades_are_asked_for_by_grade(own: Path) -> None:
    """A puzzle has the words for which graded boards are known, if any are; one's own has none."""
    graded = {puzzle["name"]: puzzle["grades"] for puzzle in one("catalogue")["puzzles"] if puzzle["grades"]}
    assert (graded["sudoku"][0], graded["tents"]) == ("easy", ["easy", "hard"])
    for name in ("strata", "nurikabe", *(folder.name for folder in own.iterdir())):
        assert name not in graded
        refused = one("make", puzzle=name, grade="easy", seconds=1)
        assert "no grade to ask for" in refused["words"], name


@pytest.mark.parametrize("kind", ["numbers", "shading", "pieces"])
@pytest.mark.slow
def test_puzzles_of_ones_own(kind: str, own: Path) -> None:
    """All questions about boards take puzzles of the user's folders."""
    assert f"my-{kind}" in {one["name"] for one in one("catalogue")["puzzles"]}
    text = (own / f"my-{kind}" / "first.toml").read_text(encoding="utf-8")
    board = asked("read", text=text)[0]
    assert board["answer"]["kind"] == kind
    assert board["files"][0]["name"] == f"my-{kind}.lp"
    found = asked("answers", board["board"])[0]
    assert one("review", board["board"], entries=found["text"])["status"] == "solved"
    for ask in sorted(
        {*QUESTIONS} - {"catalogue", "read", "line", "make", "write", "resolve", "about", "forbids", "folder"}
    ):
        assert asked(ask, board["board"])[0]["kind"] != "error", ask
    [rule, *_] = one("about", board["board"], cell=board["cells"][0])["rules"]
    place = {"file": rule["file"], "line": rule["line"], "cell": board["cells"][0]}
    assert one("forbids", board["board"], **place)["kind"] == "forbids"


def test_hints_fill_in_a_shading(own: Path) -> None:
    """Hints about shading say what to fill in, for what is not shaded, too; shaded cells alone are the whole answer."""
    text = (own / "my-shading" / "first.toml").read_text(encoding="utf-8")
    board = asked("read", text=text)[0]["board"]
    rows = [["."] * 4 for _ in range(4)]
    while fill := one("hint", board, entries="\n".join(map(" ".join, rows)))["fill"]:
        for cell, token in fill.items():
            assert rows[int(cell[1]) - 1][int(cell[3]) - 1] == "."
            rows[int(cell[1]) - 1][int(cell[3]) - 1] = token
    shaded = "\n".join(map(" ".join, rows)).replace("o", ".")
    for entries, status in ((shaded, "solved"), (shaded.replace("x", ".", 1), "right")):
        assert one("review", board, entries=entries)["status"] == status


def test_time_runs_out() -> None:
    """A question that takes too long ends, and says so."""
    *_, end = asked("answers", {"puzzle": "sudoku", "size": [9, 9]}, limit=0, seconds=0.3)
    assert end["late"]
    assert not end["complete"]


def test_variants_of_ones_own_are_in_the_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A variant of --puzzles, which the server has in PYASP_PUZZLES, is in the list, fits, and can be turned on."""
    templates.new_folder("mine", "variant", tmp_path)
    monkeypatch.setenv("PYASP_PUZZLES", str(tmp_path))
    assert "mine" in [variant["name"] for variant in one("catalogue")["variants"]]
    assert "mine" in one("board", EMPTY)["fitting"]
    assert "mine" not in one("board", shipped("strips/list"))["fitting"]
    assert "mine" in one("board", EMPTY | {"variants": ["mine"]})["variants"]
