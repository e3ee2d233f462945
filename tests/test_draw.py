"""Boards and answers as pictures: SVG, with well-formed elements for what is on the board, and text."""

import re
from pathlib import Path
from textwrap import dedent
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from pyasp_puzzles import Answer, Instance, board, explain, load, possible, solve
from pyasp_puzzles.render.svg import UNIT, Band, Drawing, frames, page, svg

from . import plain
from .command import printed, run
from .helpers import COLORED, FOUR, PLAIN, SHIPPED, not_none, one, only, write
from .strategies import rectangle

SVG = "{http://www.w3.org/2000/svg}"


def elements(picture: str, kind: str, name: str = "") -> list[ET.Element]:
    """Return the elements of a kind in an SVG, or those of a class."""
    found = ET.fromstring(picture).iter(f"{SVG}{kind}")  # noqa: S314 (what we have drawn)
    return [element for element in found if name in element.get("class", "").split() or not name]


def texts(picture: str, name: str) -> list[str]:
    """Return the texts of a class in an SVG, row by row."""
    return [element.text or "" for element in elements(picture, "text", name)]


def shown(thing: Instance | Answer) -> str:
    """Return what a notebook shows of a board or an answer."""
    return thing._repr_svg_()


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped(name: str) -> None:
    """Each board that ships and its answer are well-formed pictures, as large as the board, with its clues in them."""
    for instance in load(name)[:3]:
        clues, answer = shown(instance), solve(instance)
        givens = plain.labels(instance, "given")
        assert sorted(texts(clues, "given")) == sorted(givens.values())
        assert texts(clues, "value") == []
        for picture in [clues, *([shown(answer)] if answer else [])]:
            root = ET.fromstring(picture)  # noqa: S314 (what we have drawn)
            rows = max(r for r, _ in instance.puzzle.cells(instance.facts))
            assert rows * UNIT < float(root.get("height", 0)) < rows * UNIT + 150
            assert root.get("role") == "img"
        if answer is not None and givens:
            drawn = shown(answer)
            assert sorted(texts(drawn, "given") + texts(drawn, "value")) == sorted(map(str, answer.values.values()))


def test_candidates() -> None:
    """What is possible is drawn as small numbers, in cells with several candidates only."""
    found = not_none(possible(one(FOUR)))
    picture = shown(found)
    several = [values for values in found.candidates.values() if len(values) > 1]
    assert len(texts(picture, "note")) == sum(map(len, several))
    assert texts(picture, "given") == ["1"]


def test_ribbons() -> None:
    """Ribbons are drawn in the laying order, so that the upper one hides the lower one, with their numbers."""
    answer = not_none(solve("strata/seed"))
    picture = shown(answer)
    bands = elements(picture, "rect", "band")
    assert len(bands) == len(answer.order) == len(texts(picture, "order"))
    for band, ribbon in zip(bands, answer.order, strict=True):
        wide = float(band.get("width", 0)) > float(band.get("height", 0))
        assert ("row" if wide else "column") == ribbon.line
    assert sorted(map(int, texts(picture, "order"))) == list(range(1, len(bands) + 1))


def test_pieces_and_shading() -> None:
    """Each piece has an outline of its own; shaded cells are filled."""
    answer = not_none(solve("strips/final"))
    assert len(elements(shown(answer), "path", "piece")) == len(answer.strips)
    picture = svg(Drawing([(1, 1), (1, 2), (1, 3)], shading={(1, 1): True, (1, 2): False}))
    assert len(elements(picture, "rect", "shaded")) == 1
    assert len(elements(picture, "circle", "dot")) == 1


def test_walls() -> None:
    """A wall separates two cells just where their regions differ, and at the outline."""
    cells = [(1, 1), (1, 2), (2, 1)]
    picture = svg(Drawing(cells, regions={(1, 1): "A", (1, 2): "A", (2, 1): "B"}))
    [wall], [thin] = elements(picture, "path", "wall"), elements(picture, "path", "thin")
    assert thin.get("d") == f"M{UNIT},0v{UNIT}"
    assert (wall.get("d") or "").count("M") == 9


def test_decorations() -> None:
    """Signs, sums, labels outside the board, and marks are drawn."""
    labels = {"left": {1: ["3", "11"]}, "top": {2: ["4"]}, "right": {2: ["5"]}, "bottom": {1: ["6"]}}
    parts: dict[str, Any] = {
        "signs": {((1, 1), (1, 2)): "<"},
        "corners": {(2, 1): "12"},
        "labels": labels,
        "values": {(1, 1): "7"},
    }
    picture = svg(Drawing(rectangle(2, 2), marked=[(1, 1)], premises=[(2, 2)], **parts))
    assert texts(picture, "sign") == ["<"]
    assert texts(picture, "corner") == ["12"]
    assert sorted(texts(picture, "label")) == ["11", "3", "4", "5", "6"]
    assert len(elements(picture, "rect", "marked")) == len(elements(picture, "rect", "premise")) == 1


def test_streams_have_letters() -> None:
    """Regions in several parts have tints, and a letter in each part: greyscale print tells them apart."""
    instance = only("strimko/six")
    picture = shown(instance)
    assert set(texts(picture, "corner")) == set(plain.labels(instance, "stream").values())
    assert len(elements(picture, "rect", "tint")) == 36


def test_streams_are_linked_at_corners() -> None:
    """Cells of a stream that touch at a corner alone have a line between them; those with a side between have none."""
    square = [(1, 1), (1, 2), (2, 1), (2, 2)]
    for labels, lines in (("abca", 1), ("abba", 2), ("aaba", 0), ("abcd", 0)):
        found = svg(Drawing(square, regions=dict(zip(square, labels, strict=True)), tinted=True))
        assert found.count('<path class="tint"') == lines, labels


def test_colours_have_letters() -> None:
    """Each coloured tile, and the ribbon on top of each crossing, has the letters of its colour."""
    instance, answer = only("strata/seed"), not_none(solve("strata/seed"))
    tiles = plain.labels(instance, "tile")
    assert texts(shown(instance), "letter") == [tiles[cell] for cell in sorted(tiles)]
    tops = {ribbon.color for ribbon in answer.order if ribbon.color is not None}
    assert set(texts(shown(answer), "letter")) == tops
    named = Drawing([(1, 1), (1, 2), (1, 3)], fills={(1, 1): "black", (1, 2): "blue", (1, 3): "red"})
    assert texts(svg(named), "letter") == ["bla", "blu", "r"]
    assert texts(shown(only("strips/final")), "letter") == []


def test_candidates_keep_their_places() -> None:
    """A candidate is in the same place of its cell, whichever others are left."""

    def places(notes: str) -> set[tuple[object, ...]]:
        drawn = elements(svg(Drawing([(1, 1)], notes={(1, 1): [*notes]})), "text", "note")
        return {(element.text, element.get("x"), element.get("y")) for element in drawn}

    assert places("29") <= places("1239")


def test_frames() -> None:
    """Of several drawings of a board, each part is there once, with the numbers of its drawings."""
    cells = [(1, 1), (1, 2)]
    picture = frames(
        [Drawing(cells, values=dict.fromkeys(cells[:n], "7"), marked=cells[:1] * (n != 1)) for n in range(3)]
    )
    groups = {element.get("data-at"): element for element in elements(picture, "g") if element.get("data-at")}
    assert {at: group.get("class") for at, group in groups.items()} == {"1-2": None, "2": None, "0 2": "on"}
    assert len(texts(picture, "value")) == len(elements(picture, "rect", "marked")) + 1 == 2
    assert len(elements(picture, "path", "wall")) == 1


def test_text_is_escaped() -> None:
    """Titles and tokens are text, whatever they hold."""
    title = "<script>alert('1')</script> & \"x\""
    instance = board("tectonic", blocks=[["<b>", "&"]], title=title)
    picture = shown(instance)
    root = ET.fromstring(picture)  # noqa: S314 (what we have drawn)
    assert root.findtext(f"{SVG}title") == root.get("aria-label") == title
    assert "<script" not in page(title, [(title, instance.drawing())])


def test_a_page_stands_alone() -> None:
    """A page has its style once, and loads nothing."""
    text = page("Two", [("one", Drawing([(1, 1)])), ("two", Drawing([(1, 1)], bands=[Band("row", 1, None, 1)]))])
    assert text.count("<style>") == 1
    assert text.count("<svg") == text.count("</svg>") == 2
    assert not re.search(r"(src|href)=|@import|url\((?!#)", text)


def test_draw(tmp_path: Path) -> None:
    """One board goes to standard output, several to a page or a directory."""
    assert printed("draw", "tectonic/seed", where=tmp_path) == shown(only("tectonic/seed")) + "\n"
    assert run("draw", "strips/hunt", "-o", "hunt.html", "--answer", where=tmp_path).returncode == 0
    assert (tmp_path / "hunt.html").read_text(encoding="utf-8").count("<svg") == 25
    assert run("draw", "strips/hunt", "sudoku/easy", "-o", "all", where=tmp_path).returncode == 0
    assert len(list((tmp_path / "all").glob("*.svg"))) == 26
    assert run("draw", "sudoku/easy", "--candidates", "-o", "easy.svg", where=tmp_path).returncode == 0
    ET.parse(tmp_path / "easy.svg")  # noqa: S314 (what we have drawn)


def test_draw_without_an_answer(tmp_path: Path) -> None:
    """That a board has no answer to draw is said in one line, with exit code 1."""
    write(tmp_path, {"none.toml": 'puzzle = "strips"\nlongest = 1\ntiles = "ww"\n'})
    done = run("draw", "none.toml", "--answer", where=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "none.toml: no answer" in done.stderr


def test_png(tmp_path: Path) -> None:
    """A PNG is written if resvg is there; otherwise one line says what to install."""
    done = run("draw", "tectonic/seed", "-o", "x.png", where=tmp_path)
    try:
        import resvg_py  # noqa: F401 (whether it is there)
    except ImportError:
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert "pip install" in done.stderr
    else:
        assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")


# -- Text ------------------------------------------------------------------

# Boards with their answers, and what these look like without colour.
PICTURES = {
    "Tectonic": (
        board("tectonic", blocks="AAAA\nBBBB\n##C#", givens=".2..\n...2\n##.#", solution="3214\n1432\n##1#"),
        """
        ┌───────────────┐
        │ 3  (2)  1   4 │
        ├───────────────┤
        │ 1   4   3  (2)│
        └───────┬───┬───┘
                │ 1 │
                └───┘""",
    ),
    "Tectonic with a hole, and cells that stand alone": (
        board("tectonic", blocks="AAA##\nA#B#D\nBBB##", solution="213##\n4#2#1\n134##"),
        """
        ┌───────────┐
        │ 2   1   3 │
        │   ┌───┬───┤   ┌───┐
        │ 4 │   │ 2 │   │ 1 │
        ├───┴───┘   │   └───┘
        │ 1   3   4 │
        └───────────┘""",
    ),
    "Tectonic that is not filled yet": (
        board("tectonic", blocks="AA", solution="1."),
        """
        ┌───────┐
        │ 1   . │
        └───────┘""",
    ),
    "Strimko with streams in pieces, which are named in the cells": (
        board("strimko", streams="ABC\nBCA\nCAB", givens="1..\n2..\n...", solution="132\n213\n321"),
        """
        ┌─────┬─────┬─────┐
        │(1)A │ 3 B │ 2 C │
        ├─────┼─────┼─────┤
        │(2)B │ 1 C │ 3 A │
        ├─────┼─────┼─────┤
        │ 3 C │ 2 A │ 1 B │
        └─────┴─────┴─────┘""",
    ),
    "Sudoku": (
        board("sudoku", givens="1...\n..2.\n.3..\n...4", solution="1243\n3421\n4312\n2134"),
        """
        ┌───────┬───────┐
        │(1)  2 │ 4   3 │
        │       │       │
        │ 3   4 │(2)  1 │
        ├───────┼───────┤
        │ 4  (3)│ 1   2 │
        │       │       │
        │ 2   1 │ 3  (4)│
        └───────┴───────┘""",
    ),
    "Tectonic with numbers of two digits": (
        board("tectonic", blocks="AAAAA\nAAAAA", givens=". . 10 . .\n. . . . .", solution="1 2 10 4 5\n6 7 8 9 3"),
        """
        ┌────────────────────────┐
        │  1    2  (10)   4    5 │
        │                        │
        │  6    7    8    9    3 │
        └────────────────────────┘""",
    ),
    "Strips": (
        board("strips", tiles="wbw\n#bb", solution="abc\n#bc"),
        """
         _ _ _
        |_| | |
          |_|_|""",
    ),
    "Strips around a hole": (
        board("strips", tiles="wbw\nb#b\nwwb", solution="aac\nb#c\nbdd"),
        """
         _ _ _
        |_ _| |
        | |_|_|
        |_|_ _|""",
    ),
    "Strata": (
        board(
            "strata",
            colors={"r": "red", "b": "blue"},
            tiles="rbr\nr.r",
            solution="row 2\ncolumn 3 red\ncolumn 1 red\nrow 1 red\ncolumn 2 b",
        ),
        """
        1. row 2    any colour
        2. column 3 red
        3. column 1 red
        4. row 1    red
        5. column 2 blue

          1 2 3
        1 r b r
        2 r b r""",
    ),
    "Strata with words for colours, and a cell that may show anything": (
        board("strata", tiles=". green\n. .", solution="row 2\ncolumn 2\ncolumn 1\nrow 1 green"),
        """
        1. row 2    any colour
        2. column 2 any colour
        3. column 1 any colour
        4. row 1    green

              1     2
        1 green green
        2     .     .""",
    ),
}


@pytest.mark.parametrize("name", PICTURES)
def test_pictures(name: str) -> None:
    """An answer has exactly this picture, without trailing blanks; `str` gives the same.

    In colour it takes the same number of lines, and every code is switched off in its line.
    """
    instance, looks = PICTURES[name]
    answer = not_none(instance.solution)
    assert answer.text(PLAIN) == str(answer) == dedent(looks).strip("\n")
    colored = answer.text(COLORED)
    assert colored.count("\n") == str(answer).count("\n")
    assert all(line.count("\033[") == 2 * line.count("\033[0m") for line in colored.split("\n"))


SENTENCE = "Block B needs a 2; row 3, column 1 is its only place left."
# A board beside a sentence that names the blocks B and C.
BESIDE = """
    1   2
  ┌───────┐
1 │ 1  *3*│
  │   ┌─B─┤
2 │ 2 │ 1 │
  ├─C─┤   │
3 │ . │ 2 │
  └───┴───┘
"""


# Most of an answer to a Tectonic of three blocks.
THREE_BLOCKS = not_none(board("tectonic", blocks="AA\nAB\nCB", solution="13\n21\n.2").solution)


def test_beside_a_sentence() -> None:
    """Beside a sentence, rows and columns have numbers, and the regions that it names have letters."""
    answer = THREE_BLOCKS
    both = PLAIN.beside(f"{SENTENCE} So has block C.")
    assert answer.text(both, [(1, 2)]) == BESIDE.strip("\n")
    assert answer.text(PLAIN.beside(SENTENCE), [(1, 2)]) == BESIDE.strip("\n").replace("C", "─")
    assert "B" not in answer.text(PLAIN.beside("An A, a B and a C are in row B, column C."))


def test_narrow_terminal() -> None:
    """Numbers are left out where only they would make lines too long."""
    answer = THREE_BLOCKS
    both, wide = PLAIN.beside(SENTENCE), max(map(len, BESIDE.splitlines()))
    assert answer.text(both._replace(width=wide)).startswith("    1   2")
    assert answer.text(both._replace(width=wide - 1)).startswith("┌")
    assert answer.text(both._replace(width=wide - 3)).startswith("    1   2")


def test_strips_beside_a_sentence() -> None:
    """Columns of strips are one character wide, so tens have a line of their own; in colour, cells keep theirs."""
    answer = not_none(board("strips", tiles="wb" * 5 + "w", solution="aaabbbccddd").solution)
    lines = answer.text(PLAIN.beside("They differ.")).split("\n")
    assert lines == [
        " " * 21 + "1 1",
        "   1 2 3 4 5 6 7 8 9 0 1",
        "   _ _ _ _ _ _ _ _ _ _ _",
        "1 |_ _ _|_ _ _|_ _|_ _ _|",
    ]
    assert set(re.findall(r"48;5;(\d+)m_", answer.text(COLORED))) == {"255", "236"}  # white and black


def test_streams_keep_their_letters() -> None:
    """In colour, streams have their letters, too; and steps are drawn as in black and white."""
    answer = not_none(solve("strimko/six"))
    plain, colored = answer.text(PLAIN), re.sub(r"\033\[[0-9;]*m", "", answer.text(COLORED))
    assert re.findall("[A-F]", plain) == re.findall("[A-F]", colored)
    assert plain.replace("(", " ").replace(")", " ") == colored


def test_a_step_letters_what_it_names() -> None:
    """The picture of a step has the letters of the blocks in its sentence, and no others; so has its SVG."""
    step = next(step for step in explain("tectonic/seed") if "lock C needs a 1" in step.words)
    assert re.findall("[A-Z]", step.picture(PLAIN)) == ["C"]
    drawing = not_none(step.drawing())
    assert list(drawing.letters.values()) == ["C"]
