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

from pyasp_puzzles import InstanceError, board, loads

from . import plain
from .exchange import KILLER, TEXTS, penpa
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


def test_for_solvers() -> None:
    """An address for solvers has no drawing of the solution; its title and rules are read."""
    (found,) = loads(TEXTS["penpa"])
    assert found.details == {"title": "Puzzle, easy", "author": "Jo", "notes": "One. Two & three."}
    assert found.puzzle.name == "sudoku"
    assert plain.givens(found) == {(1, 1): 1, (2, 3): 2, (4, 2): 3}
    assert found.warnings == ("left out: regions, as none are drawn: these are the usual boxes",)


def test_the_answer_that_is_checked() -> None:
    """The answer of an address for solvers is read, if it is in numbers; otherwise it is left out."""
    rows = ["1234", "3421", "2143", "4312"]
    values = {(r + 2) * 8 + c + 2: rows[r][c] for r in range(4) for c in range(4)}
    head, givens = FOUR.format(turn="0,1,1"), {"18": ["1", 1, "1"]}
    checked = [[], [], [], [], [f"{point},{value}" for point, value in values.items() if point != 18], []]
    (found,) = loads(penpa(head, "[18,1,1,1,5,1,1,1,5,1,1,1,5,1,1,1]", {"number": givens}, answer=checked))
    assert not_none(found.solution).json() == {"grid": [[*map(int, row)] for row in rows]}
    (other,) = loads(penpa(head, "[18,1,1,1]", {"number": givens}, tags=("suguru",), answer=[[], ["18,19,1"]]))
    assert other.solution is None
    assert "left out: the packed answer that Penpa+ checks" in other.warnings


@pytest.mark.parametrize(
    ("turn", "given"),
    [("0,1,1", (1, 2)), ("90,1,1", (2, 4)), ("180,1,1", (4, 3)), ("0,-1,1", (1, 3)), ("0,1,-1", (4, 2))],
)
def test_turned(turn: str, given: tuple[int, int]) -> None:
    """A drawing that is turned, or mirrored, is read as it is shown."""
    (found,) = loads(penpa(FOUR.format(turn=turn), "[]", {"number": {"19": ["3", 1, "1"]}}))
    assert plain.givens(found) == {given: 3}


def test_diagonals() -> None:
    """Both diagonals are a variant, one is refused; they are written as Penpa+ draws them."""
    edges = dict.fromkeys(BOXES, 2) | dict.fromkeys(FALLING, 12)
    with pytest.raises(InstanceError, match="only one diagonal"):
        loads(penpa(NINE, CELLS, {"lineE": edges}))
    edges |= dict.fromkeys(RISING, 12)
    (found,) = loads(penpa(NINE, CELLS, {"lineE": edges}))
    assert (found.variants, found.warnings) == (("diagonal",), ())
    written = problem(found.to("penpa"))["lineE"]
    ends, drawn = ({frozenset(key.split(",")): style for key, style in lines.items()} for lines in (edges, written))
    assert drawn == ends


def test_killer_cages(tmp_path: Path) -> None:
    """Killer cages go to a puzzle that has them, and are written as Penpa+ draws them."""
    write(tmp_path, KILLER)
    drawn: dict[str, object] = {"killercages": [[54, 55, 67, 68, 80, 81]], "numberS": {"892": [" 22", 1]}}
    drawn |= {"cage": dict.fromkeys(CAGE.split(), 10)}
    address = penpa(NINE, CELLS, {"lineE": dict.fromkeys(BOXES, 2), **drawn}, tags=("killer",))
    (found,) = loads(address, puzzles=[tmp_path])
    assert (found.puzzle.name, found.warnings) == ("killer", ())
    written = problem(found.to("penpa"))
    assert written["killercages"] == [[54, 55, 67, 68, 80, 81]]
    assert written["numberS"] == {"892": ["22", 1]}
    assert {frozenset(key.split(",")) for key in written["cage"]} == {frozenset(key.split(",")) for key in CAGE.split()}
    with pytest.raises(InstanceError, match="cages that are only drawn"):
        loads(penpa(NINE, CELLS, {"cage": {"892,894": 10}}))


@pytest.mark.parametrize(
    ("head", "content", "words"),
    [
        ("9,9,38", {}, "the first Penpa"),
        ("hex,5,5", {}, "on a 'hex' grid"),
        (NINE, {"thermo": [[28, 29]]}, "thermometers, which pyasp does not read"),
        (NINE, {"killercages": [[28, 29]], "numberS": {"788": ["x", 1]}}, "a cage of 'x'"),
    ],
)
def test_what_is_refused(head: str, content: dict[str, object], words: str) -> None:
    """What pyasp does not know is named."""
    with pytest.raises(InstanceError, match=words):
        loads(penpa(head, CELLS, content))


def test_what_is_warned_about() -> None:
    """Numbers on edges are no clues; a drawing without a tag may be of any puzzle with regions."""
    (found,) = loads(penpa(NINE, "[28,1,1]", {"number": {"28E": ["1", 1, "1"], "29": ["2", 1, "1"]}, "thermo": [[]]}))
    assert found.puzzle.name == "tectonic"
    assert found.warnings == (
        "left out: texts that are no numbers in cells",
        "no tag says which puzzle this is: it is read as a Tectonic",
    )


# -- Writing -----------------------------------------------------------------------------------------


@settings(max_examples=25)
@given(tectonic_boards(), st.sampled_from(["", "Jazz, zN & zZ", "a=b %"]))
def test_what_is_drawn(made: NumberBoard, words: str) -> None:
    """Cells and clues are where Penpa+ draws them, the middle is in the middle, and words are as they were."""
    instance = one(made.text)._replace(details={"title": words, "notes": words} if words else {})
    lines = drawing(instance.to("penpa"))
    head = lines[0].split(",")
    rows, columns = (max(cell[way] for cell in made.regions) for way in (0, 1))
    assert head[1:3] == [str(columns), str(rows)]
    assert position(int(head[9]), columns, rows) == ((rows + 1) / 2, (columns + 1) / 2)
    numbers = problem(instance.to("penpa"))["number"]
    assert {position(int(point), columns, rows): int(content[0]) for point, content in numbers.items()} == made.givens
    assert head[15] == f"Title: {words.replace(',', '%2C')}"
    assert head[18] == words.replace(",", "%2C").replace("&", "%2E").replace("=", "%2F")
    assert (head[19:], len(lines)) == (["OFF", "false"], 19)


def test_the_middle_of_what_penpa_wrote() -> None:
    """The middle is the point that Penpa+ itself has for boards of these sizes."""
    for side, middle in ((9, "84"), (6, "144"), (4, "91")):
        made = board("sudoku", givens=[[0] * side] * side)
        assert drawing(made.to("penpa"))[0].split(",")[9] == middle


def test_sources_are_addresses() -> None:
    """Penpa+ shows a source as a link: another one is not written, and that is said."""
    (made,) = loads(TEXTS["penpa"])
    reported: list[str] = []
    (back,) = loads(made._replace(details={"source": "https://example.org/?a=1,2"}).to("penpa", reported.append))
    assert (back.details["source"], reported) == ("https://example.org/?a=1,2", [])
    (back,) = loads(made._replace(details={"source": "A book, page 2"}).to("penpa", reported.append))
    assert (back.details, reported) == ({}, ["penpa has no place for a source that is no address"])


def test_too_large() -> None:
    """Penpa+ has at most 100 rows and columns."""
    made = board("tectonic", blocks=["A" * 101])
    with pytest.raises(InstanceError, match="a board of 1x101, expected at most 100x100"):
        made.to("penpa")
