"""Penpa+: what it writes is read, and what we write is what it draws. Its points and lines are told here once more."""

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyasp_puzzles import InstanceError, board, dumps, loads, solve
from pyasp_puzzles.puzzles.wording import instructions

from . import plain
from .exchange import KILLER, TEXTS, packed, penpa
from .helpers import not_none, one, write
from .strategies import NumberBoard, tectonic_boards

NINE = "square,9,9,38,0,1,1,380,380,84,84,0,0,0,0,Title: ,Author: ,,,OFF,false"
CELLS = "[28" + ",1" * 8 + (",5" + ",1" * 8) * 8 + "]"
FOUR = "square,4,4,38,{turn},190,190,91,91,0,0,0,0,Title: ,Author: ,,,OFF,false"
BOXES = [f"{p},{p + 13}" for c in (3, 6) for p in range(169 + 13 + c + 1, 169 + 10 * 13 + c + 1, 13)]
BOXES += [f"{p},{p + 1}" for r in (3, 6) for p in range(169 + 13 * (r + 1) + 1, 169 + 13 * (r + 1) + 10)]
"""The edges that Penpa+ draws between boxes: 184,197 lies right of the third cell of the first row."""
FALLING = [f"{p},{p + 14}" for p in range(183, 296, 14)]
# Its diagonals, an edge in each cell, of style 12.
RISING = [f"{p + 12},{p}" for p in range(192, 289, 12)]
# The sides that it draws for a cage of 54, 55, 67, 68, 80 and 81: three rows of two cells.
CAGE = (
    "892,894 892,893 893,896 894,944 896,897 897,899 899,949 944,946 946,996 949,951 951,1001 996,998 999,1002 "
    "1001,1003 1002,1003 998,999"
)


def drawing(address: str) -> list[str]:
    """Return the lines of a drawing, expanded as Penpa+ does: short words in turn, the escape of a z last."""
    text = zlib.decompress(base64.b64decode(address.partition("&p=")[2]), -15).decode()
    words = {"zN": '"number"', "zE": '"lineE"', "z1": '"numberS"', "z6": '"killercages"', "zC": '"cage"', "zZ": "z"}
    for short, word in words.items():
        text = text.replace(short, word)
    return text.split("\n")


def packed_again(lines: list[str]) -> str:
    """Return the address of the lines of a drawing, which needs no short words."""
    return f"https://swaroopg92.github.io/penpa-edit/#m=solve&p={packed(chr(10).join(lines))}"


def problem(address: str) -> dict[str, Any]:
    """Return the drawing of a problem."""
    found: dict[str, Any] = json.loads(re.sub(r"\bz(\w)", r'"z\1"', drawing(address)[3]))
    return found


def position(point: int, columns: int, rows: int) -> tuple[float, float]:
    """Return the row and column of a point; a cell of the board is at whole numbers from 1."""
    kind, rest = divmod(point, (columns + 4) * (rows + 4))
    down, right = [(0, 0), (0.5, 0.5), (0.5, 0), (0, 0.5)][kind]
    return rest // (columns + 4) - 1 + down, rest % (columns + 4) - 1 + right


# -- Reading -----------------------------------------------------------------------------------------


def test_addresses_for_solvers_have_no_solution() -> None:
    """An address for solvers has no drawing of the solution; its title and rules are read."""
    (found,) = loads(TEXTS["penpa"])
    assert found.details == {"title": "Puzzle, easy", "author": "Jo", "rules": "One. Two & three."}
    assert found.puzzle.name == "sudoku"
    assert plain.givens(found) == {(1, 1): 1, (2, 3): 2, (4, 2): 3}
    (warning,) = found.warnings
    assert warning.startswith("left out: regions, as none are drawn: these are the usual boxes; its rules are told ")
    assert warning.endswith(": One. Two & three.")


def test_the_answer_that_is_checked() -> None:
    """The answer of an address for solvers is read, if it is in numbers; otherwise it is left out."""
    rows = ["1234", "3421", "2143", "4312"]
    values = {(r + 2) * 8 + c + 2: rows[r][c] for r in range(4) for c in range(4)}
    head, givens = FOUR.format(turn="0,1,1"), {"18": ["1", 1, "1"]}
    checked = [[], [], [], [], [f"{point},{value}" for point, value in values.items() if point != 18], []]
    cells = "[18,1,1,1,5,1,1,1,5,1,1,1,5,1,1,1]"
    (found,) = loads(penpa(head, cells, {"number": givens}, tags=("classic",), answer=checked))
    assert not_none(found.solution).json() == {"grid": [[*map(int, row)] for row in rows]}
    (other,) = loads(penpa(head, "[18,1,1,1]", {"number": givens}, tags=("suguru",), answer=[[], ["18,19,1"]]))
    assert other.solution is None
    assert "left out: the packed answer that Penpa+ checks" in other.warnings


@pytest.mark.parametrize(
    ("turn", "given"),
    [("0,1,1", (1, 2)), ("90,1,1", (2, 4)), ("180,1,1", (4, 3)), ("0,-1,1", (1, 3)), ("0,1,-1", (4, 2))],
)
def test_turned_drawings_are_read_as_shown(turn: str, given: tuple[int, int]) -> None:
    """A drawing that is turned, or mirrored, is read as it is shown."""
    (found,) = loads(penpa(FOUR.format(turn=turn), "[]", {"number": {"19": ["3", 1, "1"]}}, tags=("classic",)))
    assert plain.givens(found) == {given: 3}


def test_diagonals_are_variants() -> None:
    """Both diagonals are a variant, one is another, turned as it is shown; they are written as Penpa+ draws them."""
    edges = dict.fromkeys(BOXES, 2) | dict.fromkeys(FALLING, 12)
    for head, name in ((NINE, "falling"), (NINE.replace("38,0,", "38,90,"), "rising")):
        assert one(penpa(head, CELLS, {"lineE": edges})).variants == (f"{name}-diagonal",)
    edges |= dict.fromkeys(RISING, 12)
    with pytest.raises(InstanceError, match="has lines, which may be rules"):
        loads(penpa(NINE, CELLS, {"lineE": edges | {"184,198": 12}}))
    (found,) = loads(penpa(NINE, CELLS, {"lineE": edges}))
    assert (found.variants, found.warnings) == (("diagonal",), ())
    written = problem(dumps(found, "penpa"))["lineE"]
    ends, drawn = ({frozenset(key.split(",")): style for key, style in lines.items()} for lines in (edges, written))
    assert drawn == ends


def test_killer_cages_are_read_and_written(tmp_path: Path) -> None:
    """Killer cages go to a puzzle that has them, and are written as Penpa+ draws them."""
    write(tmp_path, KILLER)
    drawn: dict[str, object] = {"killercages": [[54, 55, 67, 68, 80, 81]], "numberS": {"892": [" 22", 1]}}
    drawn |= {"cage": dict.fromkeys(CAGE.split(), 10)}
    address = penpa(NINE, CELLS, {"lineE": dict.fromkeys(BOXES, 2), **drawn}, tags=("killer",))
    (found,) = loads(address, puzzles=[tmp_path])
    assert (found.puzzle.name, found.warnings) == ("killer", ())
    written = problem(dumps(found, "penpa"))
    assert written["killercages"] == [[54, 55, 67, 68, 80, 81]]
    assert written["numberS"] == {"892": ["22", 1]}
    assert {frozenset(key.split(",")) for key in written["cage"]} == {frozenset(key.split(",")) for key in CAGE.split()}
    with pytest.raises(InstanceError, match="cages that are only drawn"):
        loads(penpa(NINE, CELLS, {"lineE": dict.fromkeys(BOXES, 2), "cage": {"892,894": 10}}))


@pytest.mark.parametrize(
    ("head", "content", "words"),
    [
        ("9,9,38", {}, "the first Penpa"),
        ("hex,5,5", {}, "has a 'hex' grid"),
        (NINE, {"killercages": [[28, 29]], "numberS": {"788": ["x", 1]}}, "a cage of 'x'"),
    ],
)
def test_what_is_unknown_is_named(head: str, content: dict[str, object], words: str) -> None:
    """What pyasp does not know is named."""
    with pytest.raises(InstanceError, match=words):
        loads(penpa(head, CELLS, content, tags=("classic",)))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"thermo": [[15, 28]]}, "thermometers outside the board"),
        ({"thermo": [[197, 28]]}, "thermometers outside the board"),
        ({"nobulbthermo": [[28, 29]]}, "lines"),
        ({"direction": [[28, 29]]}, "arrows"),
        ({"symbol": {"28": [3, "circle_L", 1]}}, "symbols"),
        ({"symbol": {"197": [2, "bars_B", 2]}}, "symbols"),
        ({"number": {"28E": ["1", 1, "1"]}}, "texts that are no numbers in cells"),
        ({"number": {"28E": [[1, 1], 1, "7"]}}, "texts that are no numbers in cells"),
        ({"number": {"30": ["<", 1, "5"]}}, "texts that are no numbers in cells"),
        ({"number": {"30": ["0", 1, "1"]}}, "zeros"),
        ({"number": {"15": ["8", 1, "1"]}}, "numbers outside the board"),
        ({"numberS": {"788": ["4", 1]}}, "small numbers"),
        ({"line": {"28,29": 2}}, "lines"),
        ({"lineE": {"184,29": 2}}, "lines"),
        ({"lineE": {"410": 98}}, "lines"),
        ({"surface": {"28": 3, "30": 3}}, "shaded cells"),
        ({"wall": {"28,29": 3}}, "walls"),
        ({"squareframe": [[28, 29]], "polygon": [[28, 29]]}, "frames and shapes"),
    ],
)
@pytest.mark.parametrize("tag", ["classic", "suguru"])
def test_drawn_rules_are_refused(content: dict[str, object], words: str, tag: str) -> None:
    """What may be a rule, such as a circle for even numbers, would change the answers: it is refused by its name."""
    with pytest.raises(InstanceError, match=f"this Penpa.* has {words}, which may be rules"):
        loads(penpa(NINE, CELLS, content, tags=(tag,)))


def test_what_is_no_rule() -> None:
    """GlobalRule regions may be shaded, and so may places that are no cells; empty lists are nothing."""
    box = [p + 13 * r for p in (28, 29, 30) for r in range(3)]
    content: dict[str, object] = {
        "lineE": dict.fromkeys(BOXES, 2),
        "surface": dict.fromkeys(map(str, [*box, 15]), 3),
        "thermo": [[]],
    }
    (found,) = loads(penpa(NINE, CELLS, content, tags=("classic",)))
    assert (found.puzzle.name, found.warnings) == ("sudoku", ("left out: shading of whole regions",))


def titled(words: str) -> str:
    """Return the first line of a drawing with a title."""
    return NINE.replace("Title: ", f"Title: {words}")


@pytest.mark.parametrize(
    ("head", "edges", "tags", "wanted"),
    [
        (NINE, [], (), None),
        (NINE, BOXES[:20], (), None),
        (titled("Slitherlink"), [], (), None),
        (NINE, [], ("latin",), None),
        (NINE, [], ("snake",), None),
        (NINE, [], ("slitherlink",), "slitherlink"),
        (NINE, BOXES, ("starbattle",), "star-battle"),
        (NINE, BOXES, (), None),
        (titled("Star Battle"), BOXES, (), None),
        (NINE, BOXES, ("noconflict",), None),
        (NINE, [], ("classic",), "sudoku"),
        (NINE.replace("square", "sudoku"), [], (), None),
        (NINE, BOXES, ("suguru",), "tectonic"),
        (titled("Suguru no. 4"), BOXES[:20], (), "tectonic"),
        (titled("A TECTONIC"), BOXES, (), "tectonic"),
        (titled("Easier than a Suguru"), BOXES, ("classic",), "sudoku"),
    ],
)
def test_which_puzzle_it_is(head: str, edges: list[str], tags: tuple[str, ...], wanted: str | None) -> None:
    """A drawing without numbers is read only where a tag, its title or the user says what it is."""
    address = penpa(head, CELLS, {"lineE": dict.fromkeys(edges, 2)}, tags=tags)
    if wanted is not None:
        assert [found.puzzle.name for found in loads(address)] == [wanted]
        return
    with pytest.raises(InstanceError, match=r"does not say which puzzle it is.* --as sudoku|tags of this .* say '?\w+"):
        loads(address)
    for name in ("sudoku", "suguru"):
        if not tags and edges in ([], BOXES):
            assert loads(address, format=name)[0].puzzle.name == {"suguru": "tectonic"}.get(name, name)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({}, "it has 9 regions; if pyasp knows the puzzle"),
        (
            {"thermo": [[]], "surface": dict.fromkeys(map(str, [28, 29, 30, 41, 42, 43, 54, 55, 56]), 3)},
            "9 regions and shaded cells; if",
        ),
        ({"symbol": {"28": [1, "star", 1]}}, "this Penpa.* drawing has symbols, which may be rules"),
        ({"line": {"28,29": 3}}, "this Penpa.* drawing has lines, which may be rules"),
    ],
)
def test_regions_alone_are_no_sudoku(content: dict[str, object], words: str) -> None:
    """Nine regions of nine cells are also those of other genres: without a number, it is said what the drawing has."""
    regions = {"lineE": dict.fromkeys(BOXES, 2)}
    with pytest.raises(InstanceError, match=words):
        loads(penpa(NINE, CELLS, regions | content))
    for head in (NINE, NINE.replace("square", "sudoku")):
        assert one(penpa(head, CELLS, regions | {"number": {"28": ["5", 1, "1"]}})).puzzle.name == "sudoku"


# -- Writing -----------------------------------------------------------------------------------------


@settings(max_examples=25)
@given(tectonic_boards(), st.sampled_from(["", "Jazz, zN & zZ", "a=b %"]))
def test_cells_and_clues_are_where_penpa_draws_them(made: NumberBoard, words: str) -> None:
    """Cells and clues are where Penpa+ draws them, the middle is in the middle, and words are as they were."""
    instance = one(made.text)._replace(details={"title": words, "rules": words} if words else {})
    lines = drawing(dumps(instance, "penpa"))
    head = lines[0].split(",")
    rows, columns = (max(cell[way] for cell in made.regions) for way in (0, 1))
    assert head[1:3] == [str(columns), str(rows)]
    assert position(int(head[9]), columns, rows) == ((rows + 1) / 2, (columns + 1) / 2)
    numbers = problem(dumps(instance, "penpa"))["number"]
    assert {position(int(point), columns, rows): int(content[0]) for point, content in numbers.items()} == made.givens
    assert head[15] == f"Title: {words.replace(',', '%2C')}{' (Tectonic)' if words else 'Tectonic'}"
    rules = instructions(instance)
    assert rules.endswith(words)
    assert head[18] == rules.replace(",", "%2C").replace("&", "%2E").replace("=", "%2F")
    assert (head[19:], len(lines)) == (["OFF", "false"], 19)
    assert one(dumps(instance, "penpa")).details == instance.details


def test_holes_are_drawn() -> None:
    """Holes within a board are black, so that none looks like a cell; empty rows at its sides are kept."""
    made = board("tectonic", blocks=["#####", "#AAA#", "#A#AB", "#AAAB"])
    drawn = problem(dumps(made, "penpa"))
    black = [position(int(point), 5, 4) for point, style in drawn["zS"].items() if style == 4]
    assert black == [(3, 3)]
    assert one(dumps(made, "penpa")).facts.equal(board("tectonic", blocks=["#####", "#111#", "#1#12", "#1112"]).facts)
    ten = board("tectonic", blocks=["AAAAA", "AAAAA"])
    assert set(one(dumps(ten, "penpa")).facts.names("block").values()) == {"1"}


def test_answers_are_hidden_and_checked() -> None:
    """A board with its answer is for solvers: the answer is in no drawing, and Penpa+ compares what is entered."""
    for text in (TEXTS["penpa"], TEXTS["puzzlink suguru"]):
        made = one(text)
        assert "#m=edit&p=" in dumps(made, "penpa")
        answer = not_none(solve(made))
        address = dumps(made._replace(solution=answer), "penpa")
        shared, _, packed_answer = address.partition("&a=")
        assert "#m=solve&p=" in shared
        lines = drawing(shared)
        assert (lines[4], json.loads(lines[7])) == ("", {"sol_number": True})
        checked = json.loads(zlib.decompress(base64.b64decode(packed_answer), -15))
        rows, columns = (max(cell[way] for cell in answer.values) for way in (0, 1))
        entries = {position(int(point), columns, rows): int(value) for point, value in map(split, checked[4])}
        assert entries == {cell: value for cell, value in answer.values.items() if cell not in plain.givens(made)}
        assert checked == [[], [], [], [], sorted(checked[4]), []]
        assert one(address).solution == answer


def split(entry: str) -> list[str]:
    """Return the point and the number of an entry of an answer."""
    return entry.split(",")


def test_the_middle_of_what_penpa_wrote() -> None:
    """The middle is the point that Penpa+ itself has for boards of these sizes."""
    for side, middle in ((9, "84"), (6, "144"), (4, "91")):
        made = board("sudoku", givens=[[0] * side] * side)
        assert drawing(dumps(made, "penpa"))[0].split(",")[9] == middle


def test_sources_are_addresses() -> None:
    """Penpa+ shows a source as a link: another one is not written, and that is said."""
    (made,) = loads(TEXTS["penpa"])
    reported: list[str] = []
    (back,) = loads(dumps(made._replace(details={"source": "https://example.org/?a=1,2"}), "penpa", reported.append))
    assert (back.details["source"], reported) == ("https://example.org/?a=1,2", [])
    (back,) = loads(dumps(made._replace(details={"source": "A book, page 2"}), "penpa", reported.append))
    assert (back.details, reported) == ({}, ["left out: a source that is not a web address, which penpa cannot store"])


def test_boards_larger_than_penpa_are_refused() -> None:
    """Penpa+ has at most 100 rows and columns."""
    made = board("tectonic", blocks=["A" * 101])
    with pytest.raises(InstanceError, match="at most 100x100, and this one is 1x101"):
        dumps(made, "penpa")
