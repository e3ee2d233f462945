"""Figures on boards: lines, cages, dots and the like, behind the numbers or on edges, where they cover none."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from pyasp_puzzles import Instance, board
from pyasp_puzzles.boards.figure import Figure
from pyasp_puzzles.puzzles.variant import shipped_variants
from pyasp_puzzles.render.figures import INKS, PAPER, tones
from pyasp_puzzles.render.svg import LEAST_TEXT, UNIT, Drawing, contrast, svg

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
    **{key: {"top": "3 . . . . 4"} for key in ("numbered_rooms", "sandwiches", "skyscrapers", "x_sums")},
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
    for tone, inks, paper, thin in zip(tones(color), INKS, PAPER, tones(color, thin=True), strict=True):
        assert min(contrast(ink, tone) for ink in inks) >= LEAST_TEXT
        assert contrast(thin, paper) >= 3


def test_dots_have_numbers() -> None:
    """A dot has its number unless it is the usual one."""
    for key, usual in (("differences", "1"), ("ratios", "2")):
        picture = svg(drawn(**{key: VALUES[key]}).drawing())
        assert [element.text for element in groups(picture)["figures"] if element.tag == f"{SVG}text"] == ["3"]
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
