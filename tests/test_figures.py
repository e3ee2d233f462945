"""Figures on boards: lines, cages, dots and the like, behind the numbers or on edges, where they cover none."""

import re
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from pyasp_puzzles import Instance, PuzzleError, board, loads
from pyasp_puzzles.boards.figure import FIGURE_SIGNS, FILLING_SYMBOLS, Figure
from pyasp_puzzles.cli.terminal import write_stdout
from pyasp_puzzles.errors import Where
from pyasp_puzzles.model.answer import Answer
from pyasp_puzzles.puzzles.declaration import shipped_variants, variant_in
from pyasp_puzzles.render.figures import (
    INKS,
    JOINED_SYMBOL,
    PAPER,
    PARTS,
    SHAPES,
    figure_tones,
    filling_symbol,
    symbol_in_cell,
)
from pyasp_puzzles.render.svg import Drawing, svg
from pyasp_puzzles.render.theme import FONT_SIZES, LEAST_TEXT, UNIT, contrast

from .command import run
from .strategies import rectangle

SVG = "{http://www.w3.org/2000/svg}"
GRID = ["1.....", ".2....", "..3...", "......", "......", ".....6"]
# A value for each key of a variant, on a board of 6x6 cells.
LINE = ["r1c1 r2c2 r2c3"]
VALUES: dict[str, object] = {
    "arrows": ["r1c1 > r2c1 r2c2", "r3c1 r3c2 > r4c3"],
    "clones": ["r1c1 = r3c3"],
    "differences": ["r1c1 r1c2", "r2c2 r3c2 = 3"],
    "equal_sums": ["r1c1 = r3c3"],
    "greater": ["r1c1 r1c2", "r3c3 r2c3"],
    "killer_cages": ["r1c1 r1c2 r2c2 = 10", "r2c2 r2c3 = 7"],
    "little_killers": ["r1c3 dr = 20", "r1c1 dr = 8", "r6c2 ur = 15", "r3c6 dl = 9"],
    "look_and_says": ["r1c1 r1c2 = 2114"],
    "pencil_marks": ["r1c2 = 1 2 3"],
    "quadruples": ["r1c1 = 1 2 3 4", "r2c2 = 5"],
    "ratios": ["r1c1 r1c2", "r2c2 r3c2 = 3"],
    "same_values": ["r1c1 = r3c3"],
    "xv": ["r1c1 r1c2 = X", "r2c2 r3c2 = V"],
    **{key: {"top": "3 . . . . 4"} for key in ("full_ranks", "numbered_rooms", "sandwiches", "skyscrapers", "x_sums")},
}
KEYS = {key.name: variant for variant in shipped_variants().values() for key in variant.keys}


def drawn(**keys: Any) -> Instance:
    """Return a board with some keys."""
    return board("sudoku", givens=GRID, **keys)


def groups(picture: str) -> dict[str, list[ET.Element]]:
    """Return the elements in the groups of figures, by the classes of the group."""
    found = ET.fromstring(picture).iter(f"{SVG}g")  # noqa: S314 (what we have drawn)
    return {name: [*group.iter()][1:] for group in found if "figures" in (name := group.get("class", ""))}


@pytest.mark.parametrize("key", sorted(KEYS))
def test_every_key_is_seen(key: str) -> None:
    """What a key prints is drawn, in one group behind the numbers and one before; or its variant is named."""
    instance = drawn(**{key: VALUES.get(key, LINE)})
    picture, plain = svg(instance.drawing()), svg(drawn().drawing())
    assert len(picture) > len(plain) + 40
    found = groups(picture)
    assert found.keys() <= {"figures", "figures behind"}
    if "figures behind" in found:
        assert picture.index('class="figures behind"') < picture.index('class="given"')
    if "figures" in found:
        assert picture.index('class="figures"') > picture.rindex('class="given"')
    assert (f"with {KEYS[key].name}" in picture) == (not KEYS[key].is_drawn)


@pytest.mark.parametrize("key", sorted(KEYS))
def test_nothing_is_over_a_given(key: str) -> None:
    """What is drawn before the numbers stays on edges and outside: no part is over a given or its candidates."""
    picture = svg(drawn(**{key: VALUES.get(key, LINE)}).drawing(), css=False)
    for element in groups(picture).get("figures", []):
        x, y, radius = (float(element.get(name, -1)) for name in ("cx", "cy", "r"))
        for r, c in rectangle(6, 6) if radius > 0 else ():
            far = [max(abs(at - (line - 0.5) * UNIT) - UNIT / 4, 0) for at, line in ((x, c), (y, r))]
            assert far[0] ** 2 + far[1] ** 2 > radius**2
        for point in re.findall(r"(-?[\d.]+),(-?[\d.]+)", element.get("d", "")):
            assert min(edge(float(part)) for part in point) < 6.5


@pytest.mark.parametrize("key", sorted(KEYS))
def test_nothing_is_cut_off(key: str) -> None:
    """All that is written is within the picture, even without the numbers of rows and columns."""
    root = ET.fromstring(svg(drawn(**{key: VALUES.get(key, LINE)}).drawing(), axes=False))  # noqa: S314 (ours)
    _, _, width, height = map(float, root.get("viewBox", "").split())
    moved = next(one for one in root.iter(f"{SVG}g") if one.get("transform"))
    x, y = (float(part) for part in re.findall(r"[\d.]+", moved.get("transform", "")))
    for text in root.iter(f"{SVG}text"):
        left, top, right, low = box_of(text)
        assert x + left >= 0, text.text
        assert x + right <= width, text.text
        assert y + top >= 0, text.text
        assert y + low <= height, text.text


def edge(place: float) -> float:
    """Return the pixels from a coordinate to the next edge of a cell; none outside the board."""
    return 0 if not 0 <= place <= 6 * UNIT else min(place % UNIT, UNIT - place % UNIT)


def test_cages_keep_to_the_edges() -> None:
    """Cages are inside the edges of their cells, where neither candidates nor frames are, and those of two differ."""
    found = groups(svg(drawn(killer_cages=VALUES["killer_cages"]).drawing()))["figures behind"]
    paths = [element.get("d", "") for element in found if element.tag == f"{SVG}path"]
    # Lines along several cells meet on the edges between these.
    gaps = [{edge(float(part)) for part in re.findall(r"[\d.]+", path)} - {0} for path in paths]
    assert len(gaps) == 2
    assert all(gap <= 5 for of in gaps for gap in of)
    assert gaps[0].isdisjoint(gaps[1])


def test_sums_are_in_corners() -> None:
    """The sums of cages are on the edge of their first cells, in text too, which names the keys it cannot draw."""
    instance = drawn(killer_cages=VALUES["killer_cages"], xv=VALUES["xv"], variants=["anti-knight"])
    assert [*instance.drawing().corners.items()] == [((1, 1), "10"), ((2, 2), "7")]
    text = str(instance)
    assert "┌10" in text
    assert "(1)X" in text
    assert text.splitlines()[-1] == "with killer cages and anti-knight"
    assert "└" in str(drawn()).splitlines()[-1]


def colors() -> Iterator[str]:
    """Yield the colors of all pictures."""
    for variant in shipped_variants().values():
        for look in [variant.picture, *(key.option("picture", {}) for key in variant.keys)]:
            yield from (value for value in look.values() if str(value).startswith("#"))


@pytest.mark.parametrize("color", sorted({*colors(), "#000", "#ffffff", "#ff0000", "#00ff00", "#0000ff"}))
def test_numbers_can_be_read(color: str) -> None:
    """Numbers, values and candidates have enough contrast to figures behind them, on white and on black."""
    for tone, inks, paper, thin in zip(figure_tones(color), INKS, PAPER, figure_tones(color, thin=True), strict=True):
        assert min(contrast(ink, tone) for ink in inks) >= LEAST_TEXT
        assert contrast(thin, paper) >= 3


def test_dots_have_numbers() -> None:
    """A dot has its number unless it is the usual one."""
    for key, usual in (("differences", "1"), ("ratios", "2")):
        picture = svg(drawn(**{key: VALUES[key]}).drawing())
        assert [
            "".join(element.itertext()) for element in groups(picture)["figures"] if element.tag == f"{SVG}text"
        ] == ["3"]
        assert usual not in {element.text for element in groups(picture)["figures"]}


def test_whole_boards() -> None:
    """Diagonals and windows are drawn; the variants that have no picture are named under the board."""
    instance = board("sudoku", size=[9, 9], variants=["diagonal", "windoku", "anti-knight", "disjoint-groups"])
    drawing = instance.drawing()
    assert [len(figure.cells) for figure in drawing.figures] == [9] * 6
    assert {cell for figure in drawing.figures[2:] for cell in figure.cells} == {
        (r, c) for r in (2, 3, 4, 6, 7, 8) for c in (2, 3, 4, 6, 7, 8)
    }
    assert drawing.caption == "with anti-knight and disjoint-groups"
    assert drawing.caption in svg(drawing)


def test_text_shows_dots() -> None:
    """Dots between cells that touch are in text, with their number if it is not the usual one; others are named."""
    dots = {"differences": ["r1c1 r1c2", "r2c2 r3c2 = 3"], "ratios": ["r5c5 r4c5", "r5c1 r5c2 = 4"]}
    text = str(drawn(**dots)).splitlines()
    assert "(1)○ . " in text[1]
    assert "③" in text[4]
    assert "●" in text[8]
    assert " . ❹ . " in text[9]
    assert "with" not in text[-1]
    assert str(drawn(differences="r1c1 r1c2 = 12")).splitlines()[-1] == "with differences"


def test_clones_are_told_apart() -> None:
    """Each pair of clones has its letter and its hatch; one pair needs none."""
    drawing = drawn(clones=["r1c1 r1c2 = r3c3 r3c4", "r5c1 = r5c5", "r6c1 = r6c5"]).drawing()
    assert [figure.text for figure in drawing.figures] == ["A", "A", "B", "B", "C", "C"]
    assert len({figure.look.get("hatch") for figure in drawing.figures}) == 3
    assert drawing.corners == {(1, 1): "A", (3, 3): "A", (5, 1): "B", (5, 5): "B", (6, 1): "C", (6, 5): "C"}
    chain = drawn(clones=["r1c1 = r3c3", "r5c1 = r5c5", "r6c6 = r3c3"]).drawing().figures
    assert [(figure.cells[0], figure.text) for figure in chain] == [
        ((1, 1), "A"), ((3, 3), "A"), ((6, 6), "A"), ((5, 1), "B"), ((5, 5), "B")
    ]  # fmt: skip
    [one, other] = drawn(clones="r1c1 r1c2 = r3c3 r3c4").drawing().figures
    assert (one.text, one.look) == (other.text, other.look) == ("", {"fill": "#d9d9d9"})


def test_regions_that_touch_are_told_apart() -> None:
    """Extra regions that touch or overlap differ; the others are alike."""
    regions = ["r1c1 r1c2", "r2c2 r2c3", "r2c3 r2c4", "r6c6 r6c5"]
    figures = drawn(extra_regions=regions).drawing().figures
    hatches = [figure.look.get("hatch", "") for figure in figures]
    assert hatches[0] != hatches[1] != hatches[2]
    assert hatches[3] == ""


def box_of(element: ET.Element) -> tuple[float, float, float, float]:
    """Return where a text is: its left, upper, right and lower side."""
    usual = FONT_SIZES.get(element.get("class", "").split(" ")[0], 0)
    size = float(next((one.get("font-size", usual) for one in element), usual))
    wide, x, y = 0.58 * size * len("".join(element.itertext())), float(element.get("x", 0)), float(element.get("y", 0))
    return x - wide / 2, y - 0.73 * size, x + wide / 2, y


def test_nothing_covers_a_sum() -> None:
    """A sum keeps apart from a circle on its corner, from dots and signs at its edge, and from candidates."""
    keys: dict[str, Any] = {
        "killer_cages": ["r2c2 r2c3 = 15", "r3c3 r3c4 = 9", "r4c4 r5c4 = 12", "r5c5 r6c5 = 8", "r4c1 r5c1 = 11"],
        "quadruples": ["r1c1 = 1 2 3 4", "r3c4 = 5 5", "r4c4 = 1"],
        "differences": ["r1c2 r2c2", "r2c3 r3c3 = 3", "r3c1 r4c1"],
        "xv": "r5c5 r4c5 = X",
    }
    drawing = drawn(**keys).drawing()
    drawing = replace(drawing, notes={cell: list("123456") for cell in drawing.corners})
    found = [*ET.fromstring(svg(drawing, css=False, axes=False)).iter()]  # noqa: S314 (what we have drawn)
    sums = [
        box_of(one)
        for one in found
        if one.get("class") == "corner" and "".join(one.itertext()) in "15 9 12 8 11".split()
    ]
    assert len(sums) == 5
    for left, top, right, low in sums:
        for one in found:
            if one.tag == f"{SVG}circle":
                x, y, radius = (float(one.get(name, 0)) for name in ("cx", "cy", "r"))
                far = [max(left - x, x - right, 0), max(top - y, y - low, 0)]
                assert far[0] ** 2 + far[1] ** 2 >= radius**2, (left, top, x, y)
            elif one.get("class") in {"note", "sign"}:
                x0, y0, x1, y1 = box_of(one)
                assert x1 <= left or right <= x0 or y1 <= top or low <= y0, "".join(one.itertext())


@pytest.mark.parametrize(
    ("picture", "problem"),
    [
        ('{ lin = "#123456" }', "unknown key 'keys.zebras.picture.lin'; the keys are line, .*; did you mean line"),
        ('{ line = "grey" }', "keys.zebras.picture.line is 'grey', expected a color such as #9fc5e8"),
        ('{ outline = "dash" }', "picture.outline is 'dash', expected dashed, dotted, mixed or solid"),
        ('{ width = "wide" }', "picture.width is 'wide', expected a number"),
        ("{ hollow = 1 }", "picture.hollow is '1', expected true or false"),
        ("{ arrow = 1 }", "picture.arrow is '1', expected true or false"),
        ('"red"', "picture"),
    ],
)
def test_misspelt_pictures_are_reported(picture: str, problem: str, tmp_path: Path) -> None:
    """A word that no picture has, or a wrong value, is reported when the variant is read, with its line."""
    folder = tmp_path / "zebra"
    folder.mkdir()
    (folder / "zebra.lp").write_text("#defined zebra/4.\n", encoding="utf-8")
    kind = "sights" if "arrow" in picture else "paths"
    text = f'[keys.zebras]\nkind = "{kind}"\nfact = "zebra({"I, S" if "arrow" in picture else "I, J, R, C"})"\n'
    (folder / "variant.toml").write_text(f"{text}picture = {picture}\n", encoding="utf-8")
    with pytest.raises(PuzzleError, match=problem) as caught:
        variant_in(folder)
    assert "variant.toml:4: " in str(caught.value)
    (folder / "variant.toml").write_text('picture = { diagonal = "both" }\n', encoding="utf-8")
    with pytest.raises(PuzzleError, match=r"unknown key 'picture.diagonal'.*did you mean diagonals"):
        variant_in(folder)


def test_closed_and_short_lines() -> None:
    """A closed line leads back; a line of one cell is a point; a pill is around two cells."""
    loop = Figure({"line": "#67f067"}, ((1, 1), (1, 2), (2, 2)), closed=True)
    point = Figure({"line": "#67f067"}, ((2, 1),))
    pill = Figure({"line": "#67f067", "end": "arrow"}, ((3, 3),), ((1, 1), (1, 2)))
    picture = svg(Drawing(rectangle(3, 3), figures=(loop, point, pill)))
    assert 'd="M20,20L60,20L60,60L20,20"' in picture
    assert 'd="M20,60h0"' in picture
    assert f'width="{UNIT + 2 * 17.3:g}"' in picture


def test_command(tmp_path: Path) -> None:
    """The command draws figures and names the rest, as SVG and in books."""
    text = 'puzzle = "sudoku"\nthermometers = "r1c1 r1c2"\nvariants = ["disjoint-groups"]\n'
    text += 'givens = """\n123.\n3412\n2143\n432.\n"""\n'
    (tmp_path / "board.toml").write_text(text, encoding="utf-8")
    assert not run("book", "board.toml", "-o", "book.html", where=tmp_path).stderr
    pictures = (run("draw", "board.toml", where=tmp_path).stdout, (tmp_path / "book.html").read_text(encoding="utf-8"))
    for picture in pictures:
        assert "figures behind" in picture
        assert "with disjoint-groups" in picture


def genre(tmp_path: Path, picture: str, walls: str = "") -> Path:
    """Write a puzzle of shading in which anything may be shaded, with pictures; return its folder."""
    folder = tmp_path / "tiles"
    folder.mkdir()
    (folder / "tiles.lp").write_text(
        "#defined wall/3. #defined relaxed/1.\n{ on(R, C) } :- cell(R, C), not wall(R, C, _).\n"
        ":- violated(R), not relaxed(R).\nviolated(none) :- not on(R, C) : cell(R, C).\n#show on/2.\n",
        encoding="utf-8",
    )
    (folder / "puzzle.toml").write_text(
        f'cell = "cell(R, C)"\n[answer]\nkind = "shading"\noutput = "on(R, C)"\n{picture}\n'
        f'[keys.walls]\nkind = "colors"\nfact = "wall(R, C, K)"\n{walls}\n',
        encoding="utf-8",
    )
    return folder


def shaded(instance: Instance, words: str) -> Answer:
    """Return an answer, or a part of one."""
    return instance.puzzle.kind.read(instance, words, Where("test"))


def test_every_figure_has_a_sign_and_a_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture may name each figure that can be drawn, and text and plain terminals have a sign for it."""
    assert FIGURE_SIGNS.keys() == FILLING_SYMBOLS.keys() - {"light"} | SHAPES.keys() | PARTS.keys() | {JOINED_SYMBOL}
    plain = BytesIO()
    monkeypatch.setattr("sys.stdout", TextIOWrapper(plain, "ascii"))
    write_stdout("".join(FIGURE_SIGNS.values()))
    assert len(plain.getvalue()) == len(FIGURE_SIGNS)
    assert b"?" not in plain.getvalue()


@pytest.mark.parametrize("name", FIGURE_SIGNS)
def test_answers_have_figures(name: str, tmp_path: Path) -> None:
    """What is filled in looks as declared, in pictures and in text, and text is read back."""
    folder = genre(tmp_path, f'picture = {{ cell = "{name}" }}')
    [instance] = loads('puzzle = "tiles"\nwalls = "..x\\n..."', "toml", puzzles=[folder])
    answer = shaded(instance, ". x o\no x o")
    drawing = answer.drawing()
    assert drawing.symbols == {(1, 2): name, (2, 2): name}
    assert drawing.shading == {(1, 3): False, (2, 1): False, (2, 3): False}
    assert {*drawing.unknown} == {(1, 1)}
    picture = ET.fromstring(svg(drawing))  # noqa: S314 (what we have drawn)
    wanted = (
        symbol_in_cell(name, (1, 2), [(2, 2)], [(1, 1)])
        if name not in FILLING_SYMBOLS
        else filling_symbol(name, (1, 2))
    )
    assert wanted in svg(drawing)
    assert picture.tag == f"{SVG}svg"
    assert str(answer).count(FIGURE_SIGNS[name]) == 2
    assert shaded(instance, f". {FIGURE_SIGNS[name]} o\no {FIGURE_SIGNS[name]} o") == answer
    assert "style=" not in svg(drawing, css=False, places=True)


def test_printed_cells_have_figures(tmp_path: Path) -> None:
    """Each name of a key has its figure; numbers stay, and light ends at walls."""
    walls = 'picture = { cell = { t = "tree", w = "wall", "2" = "wall" } }'
    folder = genre(tmp_path, 'picture = { cell = "bulb", light = true }', walls)
    [instance] = loads('puzzle = "tiles"\nwalls = "t.w.q\\n...2."', "toml", puzzles=[folder])
    drawing = instance.drawing()
    assert drawing.symbols == {(1, 1): "tree", (1, 3): "wall", (2, 4): "wall"}
    assert drawing.printed == {(1, 5): "q", (2, 4): "2"}
    assert "on-shade" in svg(drawing)
    assert f"{FIGURE_SIGNS['tree']} │" in str(instance)
    answer = shaded(instance, "o o o o o\no x o o o")
    assert {*answer.drawing().lit} == {(1, 2), (2, 1), (2, 2), (2, 3)}
    assert "█2█" in str(answer)


def test_parts_of_ships_are_joined() -> None:
    """A ship is round at its ends, joined inside, and neither towards cells that are open."""
    corners = {(): 4, ((1, 2),): 2, ((1, 2), (3, 2)): 0}
    for joined, arcs in corners.items():
        assert symbol_in_cell(JOINED_SYMBOL, (2, 2), joined).count("A") == arcs
    assert symbol_in_cell(JOINED_SYMBOL, (2, 2), [], [(1, 2)]).count("A") == 2


def test_unknown_figures_are_reported(tmp_path: Path) -> None:
    """A picture with an unknown figure is an error with its place."""
    folder = genre(tmp_path, 'picture = { cell = "sun" }')
    with pytest.raises(PuzzleError, match=r"answer\.picture\.cell is 'sun', expected one of: wall, .*star"):
        loads('puzzle = "tiles"\nsize = [2, 2]', "toml", puzzles=[folder])
