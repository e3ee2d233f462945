"""Boards and answers as pictures: SVG, with well-formed elements for what is on the board, and text."""

import re
import signal
from itertools import combinations, product
from pathlib import Path
from subprocess import PIPE
from textwrap import dedent
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from pyasp_puzzles import Answer, Instance, board, explain, load, possible, solve
from pyasp_puzzles.boards.spans import Sentence, Span
from pyasp_puzzles.render.pages import gallery_page
from pyasp_puzzles.render.svg import Drawing, DrawingBand, svg, svg_frames
from pyasp_puzzles.render.theme import COLORS, FONT_SIZES, OTHERS, TEXT_INKS, TINTS, UNIT, contrast

from . import plain
from .command import printed, run, start
from .helpers import COLORED, FOUR, PLAIN, SHIPPED, not_none, one, only, write
from .rules import Cell
from .strategies import rectangle

SVG = "{http://www.w3.org/2000/svg}"


def elements(picture: str, kind: str, name: str = "") -> list[ET.Element]:
    """Return the elements of a kind in an SVG, or those of a class."""
    found = ET.fromstring(picture).iter(f"{SVG}{kind}")  # noqa: S314 (what we have drawn)
    return [element for element in found if name in element.get("class", "").split() or not name]


def texts(picture: str, name: str) -> list[str]:
    """Return the texts of a class in an SVG, row by row."""
    return ["".join(element.itertext()) for element in elements(picture, "text", name)]


def shown(thing: Instance | Answer) -> str:
    """Return what a notebook shows of a board or an answer."""
    return thing._repr_svg_()


@pytest.mark.sampled(10)
@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_boards_are_well_formed_pictures(name: str) -> None:
    """Each board that ships and its answer are well-formed pictures, as large as the board, with its clues in them."""
    for instance in load(name)[:3]:
        clues, answer = shown(instance), solve(instance)
        givens = plain.labels(instance, "given")
        assert sorted(texts(clues, "given")) == sorted(givens.values())
        assert texts(clues, "value") == []
        for picture in [clues, *([shown(answer)] if answer else [])]:
            root = ET.fromstring(picture)  # noqa: S314 (what we have drawn)
            rows = max(r for r, _ in instance.cells)
            assert rows * UNIT < float(root.get("height", 0)) < rows * UNIT + 150
            assert root.get("role") == "img"
        if answer is not None and givens:
            drawn = shown(answer)
            assert sorted(texts(drawn, "given") + texts(drawn, "value")) == sorted(map(str, answer.values.values()))


def test_candidates_are_drawn_where_there_are_several() -> None:
    """What is possible is drawn as small numbers, in cells with several candidates only."""
    found = not_none(possible(one(FOUR)))
    picture = shown(found)
    several = [values for values in found.candidates.values() if len(values) > 1]
    assert len(texts(picture, "note")) == sum(map(len, several))
    assert texts(picture, "given") == ["1"]


def test_ribbons_are_drawn_in_their_laying_order() -> None:
    """Ribbons are drawn in the laying order, so that the upper one hides the lower one, with their numbers."""
    answer = not_none(solve("strata/seed"))
    picture = shown(answer)
    bands = elements(picture, "rect", "band")
    assert len(bands) == len(answer.order) == len(texts(picture, "order"))
    for band, ribbon in zip(bands, answer.order, strict=True):
        wide = float(band.get("width", 0)) > float(band.get("height", 0))
        assert ("row" if wide else "column") == ribbon.line
    assert sorted(map(int, texts(picture, "order"))) == list(range(1, len(bands) + 1))


def test_pieces_are_outlined_and_shaded_cells_filled() -> None:
    """Each piece has an outline of its own; shaded cells are filled."""
    answer = not_none(solve("strips/final"))
    assert len(elements(shown(answer), "path", "piece")) == len(answer.strips)
    picture = svg(Drawing([(1, 1), (1, 2), (1, 3)], shading={(1, 1): True, (1, 2): False}))
    assert len(elements(picture, "rect", "shaded")) == 1
    assert len(elements(picture, "circle", "dot")) == 1


def test_walls_separate_regions() -> None:
    """A wall separates two cells just where their regions differ, and at the outline."""
    cells = [(1, 1), (1, 2), (2, 1)]
    picture = svg(Drawing(cells, regions={(1, 1): "A", (1, 2): "A", (2, 1): "B"}))
    [wall], [thin] = elements(picture, "path", "wall"), elements(picture, "path", "thin")
    assert thin.get("d") == f"M{UNIT},0v{UNIT}"
    assert (wall.get("d") or "").count("M") == 9


def test_decorations_are_drawn() -> None:
    """Signs, sums, labels outside the board, and marks are drawn."""
    labels = {"left": {1: ["3", "11"]}, "top": {2: ["4"]}, "right": {2: ["5"]}, "bottom": {1: ["6"]}}
    parts: dict[str, Any] = {
        "signs": {((1, 1), (1, 2)): "<"},
        "corners": {(2, 1): "12"},
        "labels": labels,
        "values": {(1, 1): "7"},
    }
    picture = svg(Drawing(rectangle(2, 2), marked=[(1, 1)], premises=[(2, 2)], **parts))
    assert len(elements(picture, "path", "chevron")) == 1
    assert texts(picture, "corner") == ["12"]
    assert sorted(texts(picture, "label")) == ["11", "3", "4", "5", "6"]
    assert len(elements(picture, "rect", "marked")) == len(elements(picture, "rect", "premise")) == 1


def test_streams_have_letters() -> None:
    """Regions in several parts have tints, and a letter in each part: greyscale print tells them apart."""
    instance = only("strimko/six")
    picture = shown(instance)
    assert set(texts(picture, "corner")) == set(plain.labels(instance, "stream").values())
    assert len(elements(picture, "rect", "tint")) == 36


def links(picture: str) -> list[list[tuple[str, str]]]:
    """Return the ends of the links of each region in a picture, as columns and rows."""
    drawn = [element.get("d", "") for element in elements(picture, "path", "link")]
    return [re.findall(r"M([\d.,]+)L([\d.,]+)", path) for path in dict.fromkeys(drawn)]


def test_streams_are_linked() -> None:
    """Links join the circles of a stream: as few as needed, at corners only where no side will do."""
    square = [(1, 1), (1, 2), (2, 1), (2, 2)]
    for labels, numbers in (("abca", [1]), ("abba", [1, 1]), ("aaba", [2]), ("abcd", []), ("aaaa", [3])):
        found = links(svg(Drawing(square, regions=dict(zip(square, labels, strict=True)), linked=True)))
        assert [len(pairs) for pairs in found] == numbers, labels
    for name in ("strimko/six", "strimko/seven", "strimko/pieces"):
        instance = only(name)
        streams = plain.labels(instance, "stream")
        parts = sum(len(parts_of(cells)) for cells in by_label(streams).values())
        found = links(shown(instance))
        assert sum(map(len, found)) == len(streams) - parts, name
        for pairs in found:
            ends = {tuple(int(float(part) // UNIT) + 1 for part in end.split(",")) for pair in pairs for end in pair}
            assert len({streams[r, c] for c, r in ends}) == 1


def by_label(labels: dict[tuple[int, int], str]) -> dict[str, set[tuple[int, int]]]:
    """Return the cells with each label."""
    return {name: {cell for cell in labels if labels[cell] == name} for name in labels.values()}


def parts_of(cells: set[tuple[int, int]]) -> list[set[tuple[int, int]]]:
    """Return the parts of some cells that touch at sides or corners."""
    parts: list[set[tuple[int, int]]] = []
    for r, c in cells:
        near = [part for part in parts if any(abs(r - row) < 2 and abs(c - column) < 2 for row, column in part)]
        parts = [part for part in parts if part not in near] + [{(r, c)}.union(*near)]
    return parts


def test_colors_have_letters() -> None:
    """Each colored tile, and the ribbon on top of each crossing, has the letters of its color."""
    instance, answer = only("strata/seed"), not_none(solve("strata/seed"))
    tiles = plain.labels(instance, "tile")
    assert texts(shown(instance), "letter") == [tiles[cell] for cell in sorted(tiles)]
    tops = {ribbon.color for ribbon in answer.order if ribbon.color is not None}
    assert set(texts(shown(answer), "letter")) == tops
    named = Drawing([(1, 1), (1, 2), (1, 3)], fills={(1, 1): "black", (1, 2): "blue", (1, 3): "red"})
    assert texts(svg(named), "letter") == ["bla", "blu", "r"]
    assert texts(shown(only("strips/final")), "letter") == []


def test_ink_has_contrast() -> None:
    """Text on each color has a contrast of at least 4.5, and walls between pieces stand out from black and white."""
    for name, color in {**COLORS, **{other: other for other in OTHERS}}.items():
        cells = [(1, 1), (1, 2)]
        picture = svg(Drawing(cells, fills={(1, 1): name}, palette=COLORS, notes={(1, 1): ["1"]}, values={(1, 2): "2"}))
        ink = elements(picture, "text", "note")[0].get("class", "").split()[-1]
        painted = not_none(elements(picture, "rect")[1].get("fill"))
        assert painted == color or name in OTHERS
        assert contrast(TEXT_INKS[ink], painted) >= 4.5, name
    [wall, *_] = elements(shown(not_none(solve("strips/final"))), "path", "piece")
    assert min(contrast(not_none(wall.get("stroke")), COLORS[name]) for name in ("black", "white")) >= 3


def test_dark_tints_are_readable() -> None:
    """The fills of circles have a contrast of at least 4.5 to what is on them, on white and on black."""
    for tints, inks in zip(zip(*TINTS, strict=True), (("#111111", "#0b4fae"), ("#f2f2f2", "#8fbcff")), strict=True):
        assert min(contrast(tint, ink) for tint in tints for ink in inks) >= 4.5


def test_holes_are_hatched() -> None:
    """Cells that are not on the board are hatched, and only those."""
    ring = [cell for cell in rectangle(3, 3) if cell != (2, 2)]
    [hatch] = elements(svg(Drawing(ring)), "path", "hatch")
    places = [tuple(map(float, place.split(","))) for place in re.findall(r"[\d.]+,[\d.]+", hatch.get("d", ""))]
    assert all(UNIT <= x <= 2 * UNIT and UNIT <= y <= 2 * UNIT for x, y in places)
    assert len(places) >= 10
    assert not elements(svg(Drawing(rectangle(3, 3))), "path", "hatch")


def test_pieces_have_walls() -> None:
    """Pieces have thick walls on their edges, without a halo; those that overlap have walls inside their edges."""
    one, other = [(1, 1), (1, 2)], [(1, 2), (1, 3)]
    for pieces, inside in (([one, [(1, 3)]], False), ([one, other], True)):
        picture = svg(Drawing([*one, (1, 3)], pieces=pieces, fills={(1, 1): "black"}))
        drawn = elements(picture, "path", "piece")
        assert len(drawn) == 2
        assert not elements(picture, "path", "halo")
        numbers = {float(number) for path in drawn for number in re.findall(r"[\d.]+", path.get("d", ""))}
        assert (numbers <= {0.0, UNIT, 2.0 * UNIT, 3.0 * UNIT}) != inside


class _Asked(dict[Cell, str]):
    """Colors of cells that count how often somebody asks for all of them."""

    times = 0

    def values(self) -> Any:
        """Return the colors."""
        self.times += 1
        return super().values()


def test_colors_are_asked_for_as_often_on_a_large_board() -> None:
    """The colors of a whole drawing are gone through a fixed number of times, not once for each of its cells."""
    asked = []
    for side in (2, 20):
        cells = rectangle(side, side)
        fills = _Asked(dict.fromkeys(cells, "black"))
        picture = svg(Drawing(tuple(cells), fills=fills, pieces=[[cell] for cell in cells], marked=cells))
        assert len(elements(picture, "path", "piece")) == side * side
        asked.append(fills.times)
    assert asked[0] == asked[1]


def test_chevrons_point_at_the_smaller_cell() -> None:
    """Signs of order are chevrons of one size, whose point is at the smaller cell."""
    signs = {"<": ((1, 1), (1, 2)), ">": ((2, 1), (2, 2)), "^": ((1, 1), (2, 1)), "v": ((1, 2), (2, 2))}
    sizes = set()
    for sign, pair in signs.items():
        picture = svg(Drawing(rectangle(2, 2), signs={pair: sign}))
        [chevron] = elements(picture, "path", "chevron")
        points = [complex(*map(float, point)) for point in re.findall(r"([\d.]+),([\d.]+)", chevron.get("d", ""))]
        assert len(points) == 3
        smaller, larger = (complex(c - 0.5, r - 0.5) * UNIT for r, c in (pair if sign in "<^" else reversed(pair)))
        assert abs(points[1] - smaller) < abs(points[0] - smaller)
        assert abs(points[1] - larger) > abs(points[0] - larger)
        sizes.add(tuple(sorted(round(abs(a - b), 3) for a, b in combinations(points, 2))))
    assert len(sizes) == 1


@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize("highest", [2, 4, 5, 6, 9, 12, 16, 20, 25])
def test_nothing_overlaps(highest: int, linked: bool) -> None:  # noqa: FBT001 (a parameter of the test)
    """Candidates are centred in their cell, inside its frame, and overlap neither one another nor names and signs."""
    cell, size = (2, 2), 3
    picture = svg(
        Drawing(
            rectangle(size, size),
            linked=linked,
            regions={(r, c): f"{r}" for r, c in rectangle(size, size)},
            letters={cell: "F"},
            corners={} if linked else {cell: "12"},
            notes={cell: [str(number) for number in range(1, highest + 1)]},
            signs={} if linked else {((2, 2), (2, 3)): "<"},
            marked=[cell],
        )
    )
    notes = [box_of(text) for text in elements(picture, "text", "note")]
    others = [box_of(text) for text in elements(picture, "text", "corner")]
    [frame] = elements(picture, "rect", "marked")
    left, top, wide = (float(frame.get(key, 0)) for key in ("x", "y", "width"))
    assert len(notes) == highest
    assert len(others) == (1 if linked else 2)
    for first, second in [*combinations(notes, 2), *product(notes, others)]:
        apart = (first[2] - second[0], second[2] - first[0], first[3] - second[1], second[3] - first[1])
        assert min(apart) <= 0.1
    for box in notes:
        assert left <= box[0] < box[2] <= left + wide
        assert top <= box[1] < box[3] <= top + wide
    for low, high in ((0, 2), (1, 3)):
        middle = (min(box[low] for box in notes) + max(box[high] for box in notes)) / 2
        assert abs(middle - 1.5 * UNIT) < 2
    if linked:
        radius = float(frame.get("rx", 0))
        for x0, y0, x1, y1 in others:
            x, y = (min(max(1.5 * UNIT, low), high) for low, high in ((x0, x1), (y0, y1)))
            assert abs(complex(x, y) - complex(1.5 * UNIT, 1.5 * UNIT)) > radius + 1.25  # half of the line around it


def box_of(text: ET.Element) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom of digits or capitals, as fonts such as Helvetica have them."""
    usual = FONT_SIZES[text.get("class", "").split()[0]]
    size = float(next((one.get("font-size", usual) for one in text), usual))
    x, y, wide = float(text.get("x", 0)), float(text.get("y", 0)), 0.56 * size * len("".join(text.itertext()))
    return x - wide / 2, y - 0.72 * size, x + wide / 2, y


def test_candidates_keep_their_places() -> None:
    """A candidate is in the same place of its cell, whichever others are left."""

    def places(notes: str) -> set[tuple[object, ...]]:
        drawn = elements(svg(Drawing([(1, 1)], notes={(1, 1): [*notes]})), "text", "note")
        return {("".join(element.itertext()), element.get("x"), element.get("y")) for element in drawn}

    assert places("29") <= places("1239")


def test_drawings_of_a_board_share_their_parts() -> None:
    """Of several drawings of a board, each part is there once, with the numbers of its drawings."""
    cells = [(1, 1), (1, 2)]
    picture = svg_frames(
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
    assert "<script" not in gallery_page(title, [(title, instance.drawing())])


def test_a_page_stands_alone() -> None:
    """A page has its style once, and loads nothing."""
    text = gallery_page(
        "Two", [("one", Drawing([(1, 1)])), ("two", Drawing([(1, 1)], bands=[DrawingBand("row", 1, None, 1)]))]
    )
    assert text.count("<style>") == 1
    assert text.count("<svg") == text.count("</svg>") == 2
    assert not re.search(r"(src|href)=|@import|url\((?!#)", text)


@pytest.mark.slow
def test_one_board_goes_to_stdout_and_several_to_files(tmp_path: Path) -> None:
    """One board goes to standard output, several to a page or a directory."""
    assert printed("draw", "tectonic/seed", where=tmp_path) == shown(only("tectonic/seed")) + "\n"
    assert run("draw", "strips/hunt", "-o", "hunt.html", "--solved", where=tmp_path).returncode == 0
    assert (tmp_path / "hunt.html").read_text(encoding="utf-8").count("<svg") == 25
    assert run("draw", "strips/hunt", "sudoku/easy", "-o", "all", where=tmp_path).returncode == 0
    assert len(list((tmp_path / "all").glob("*.svg"))) == 26
    assert run("draw", "sudoku/easy", "--candidates", "-o", "easy.svg", where=tmp_path).returncode == 0
    ET.parse(tmp_path / "easy.svg")  # noqa: S314 (what we have drawn)


def test_draw_without_an_answer(tmp_path: Path) -> None:
    """That a board has no answer to draw is said in one line, with exit code 1."""
    write(tmp_path, {"none.toml": 'puzzle = "strips"\nlongest = 1\ntiles = "ww"\n'})
    done = run("draw", "none.toml", "--solved", where=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "none.toml: no answer" in done.stderr


@pytest.mark.parametrize("options", [(), ("--solved",)], ids=["board", "answer"])
@pytest.mark.parametrize("name", ["strata/three-rows", "variants/anti-knight"])
def test_a_turned_board_has_upright_texts(name: str, options: tuple[str, ...], tmp_path: Path) -> None:
    """--turned turns a board by 45 degrees; each text stays at its place and upright, and the caption is below."""
    upright, turned = (printed("draw", name, *options, *more, where=tmp_path) for more in ((), ("--turned",)))
    texts = [("".join(one.itertext()), one.get("x"), one.get("y")) for one in elements(upright, "text")]
    assert [("".join(one.itertext()), one.get("x"), one.get("y")) for one in elements(turned, "text")] == texts
    places = [group.get("transform", "") for group in elements(turned, "g") if group.get("transform")]
    captions = [text for text, *_ in texts if text and text.startswith("with ")]
    assert "rotate(45)" in places[0]
    assert len(places) == 1 + len(captions)
    for text in elements(turned, "text"):
        assert (text.get("transform") or "").startswith(f"rotate(-45 {text.get('x')} ") != (
            "".join(text.itertext()) in captions
        )
    [frame] = elements(turned, "svg")
    width, height = (float(frame.get(side, 0)) for side in ("width", "height"))
    assert (width < height) == bool(captions)


def test_a_png_is_written_or_says_what_to_install(tmp_path: Path) -> None:
    """A PNG is written if resvg is there; otherwise one line says what to install."""
    done = run("draw", "tectonic/seed", "-o", "x.png", where=tmp_path)
    try:
        import resvg_py  # noqa: F401 (whether it is there)
    except ImportError:
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert "pip install" in done.stderr
    else:
        assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", ["x.html", "x.svg", "x.png"])
def test_a_drawing_that_failed_does_not_block_the_next_try(name: str, tmp_path: Path) -> None:
    """A picture or page that lacks boards is valid, and replaced by the next one; a whole one is not."""
    if name.endswith("png"):
        pytest.importorskip("resvg_py")
    (tmp_path / "bad.toml").write_text("puzzle = 3", encoding="utf-8")
    failed = run("draw", "tectonic/seed", "bad.toml", "-o", name, where=tmp_path)
    assert (failed.returncode, f"{name} is incomplete; the next try replaces it" in failed.stderr) == (2, True)
    if name.endswith("svg"):
        ET.parse(tmp_path / name)  # noqa: S314 (what we have drawn)
    assert run("draw", "tectonic/seed", "-o", name, where=tmp_path).returncode == 0
    refused = run("draw", "tectonic/seed", "-o", name, where=tmp_path)
    assert (refused.returncode, f"{name}: exists" in refused.stderr) == (2, True)


def test_an_interrupted_drawing_is_not_written(tmp_path: Path) -> None:
    """After Ctrl-C, there is no page."""
    with start("draw", "tectonic/seed", "nosuch", "-", "-o", "x.html", where=tmp_path, stdin=PIPE) as command:
        command.stderr.readline()  # about the second board: the first is done
        command.send_signal(signal.SIGINT)
        command.stderr.read()
    assert (command.returncode, [*tmp_path.iterdir()]) == (130, [])


def test_a_drawing_without_boards_is_not_written(tmp_path: Path) -> None:
    """Where no board can be read, or several do not fit in a picture, there is no file."""
    for boards in (["nosuch"], ["tectonic/seed", "strimko/four"]):
        assert run("draw", *boards, "-o", "x.svg", where=tmp_path).returncode == 2
    assert [*tmp_path.iterdir()] == []


# -- Text ------------------------------------------------------------------

# Boards with their answers, and what these look like without color.
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
        ┌─┬─┬─┐
        │w│b│w│
        └─┤ │ │
          │b│b│
          └─┴─┘""",
    ),
    "Strips around a hole": (
        board("strips", tiles="wbw\nb#b\nwwb", solution="aac\nb#c\nbdd"),
        """
        ┌───┬─┐
        │w b│w│
        ├─┬─┤ │
        │b│ │b│
        │ ├─┴─┤
        │w│w b│
        └─┴───┘""",
    ),
    "Strata": (
        board(
            "strata",
            colors={"r": "red", "b": "blue"},
            tiles="rbr\nr.r",
            solution="row 2\ncolumn 3 red\ncolumn 1 red\nrow 1 red\ncolumn 2 b",
        ),
        """
        1. row 2    any color
        2. column 3 red
        3. column 1 red
        4. row 1    red
        5. column 2 blue

          1 2 3
        1 r b r
        2 r b r""",
    ),
    "Strata with words for colors, and a cell that may show anything": (
        board("strata", tiles=". green\n. .", solution="row 2\ncolumn 2\ncolumn 1\nrow 1 green"),
        """
        1. row 2    any color
        2. column 2 any color
        3. column 1 any color
        4. row 1    green

              1     2
        1 green green
        2     .     .""",
    ),
}


@pytest.mark.parametrize("name", PICTURES)
def test_answers_print_as_their_picture(name: str) -> None:
    """An answer has exactly this picture, without trailing blanks; `str` gives the same.

    In color it takes the same number of lines, and every code is switched off in its line.
    """
    instance, looks = PICTURES[name]
    answer = not_none(instance.solution)
    assert answer.text(PLAIN) == str(answer) == dedent(looks).strip("\n")
    colored = answer.text(COLORED)
    assert colored.count("\n") == str(answer).count("\n")
    assert all(line.count("\033[") == 2 * line.count("\033[0m") for line in colored.split("\n"))


# "Block B needs a 2; row 3, column 1 is its only place left."
SENTENCE = Sentence(
    [
        *(Span("Block B", ((2, 2), (3, 2))), Span(" needs a 2; ")),
        *(Span("row 3, column 1", ((3, 1),)), Span(" is its only place left.")),
    ]
)
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


def test_beside_a_sentence_lines_have_numbers() -> None:
    """Beside a sentence, rows and columns have numbers, and the regions that it names have letters."""
    answer = THREE_BLOCKS
    both = PLAIN.beside(Sentence([*SENTENCE.spans, Span(" So has "), Span("block C", ((3, 1),)), Span(".")]))
    assert answer.text(both, [(1, 2)]) == BESIDE.strip("\n")
    assert answer.text(PLAIN.beside(SENTENCE), [(1, 2)]) == BESIDE.strip("\n").replace("C", "─")
    assert "B" not in answer.text(PLAIN.beside("An A, a B and a C are in row B, column C."))


def test_numbers_are_left_out_on_narrow_terminals() -> None:
    """Numbers are left out where only they would make lines too long."""
    answer = THREE_BLOCKS
    both, wide = PLAIN.beside(SENTENCE), max(map(len, BESIDE.splitlines()))
    assert answer.text(both._replace(width=wide)).startswith("    1   2")
    assert answer.text(both._replace(width=wide - 1)).startswith("┌")
    assert answer.text(both._replace(width=wide - 3)).startswith("    1   2")


def test_strips_in_a_terminal() -> None:
    """Strips have walls, and each cell the letter of its color, in black and white too."""
    answer = not_none(board("strips", tiles="wb" * 3, solution="aaabbc").solution)
    lines = answer.text(PLAIN.beside("They differ."), [(1, 2)]).split("\n")
    assert lines == [
        "    1   2   3   4   5   6",
        "  ┌───────────┬───────┬───┐",
        "1 │ w  *b*  w │ b   w │ b │",
        "  └───────────┴───────┴───┘",
    ]
    assert set(re.findall(r"48;5;(\d+)m[wb]", answer.text(COLORED))) == {"255", "236"}  # white and black


def test_streams_keep_their_letters() -> None:
    """In color, streams have their letters, too; and steps are drawn as in black and white."""
    answer = not_none(solve("strimko/six"))
    plain, colored = answer.text(PLAIN), re.sub(r"\033\[[0-9;]*m", "", answer.text(COLORED))
    assert re.findall("[A-F]", plain) == re.findall("[A-F]", colored)
    assert plain.replace("(", " ").replace(")", " ") == colored


def test_a_step_letters_what_it_names() -> None:
    """The picture of a step has the letters of the blocks in its sentence, and no others; so has its SVG."""
    step = next(step for step in explain("tectonic/eight-clues") if "lock C needs a 1" in step.words)
    assert re.findall("[A-Z]", step.picture(PLAIN)) == ["C"]
    drawing = not_none(step.drawing())
    assert list(drawing.letters.values()) == ["C"]
