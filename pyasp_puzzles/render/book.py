"""A printable book of puzzles, as an HTML page: boards with their rules, and the answers at the end, upside down.

BookExercise  BookExercise("The first Tectonic", "tectonic, easy", "Each block ...", drawing, answer_drawing)
_Area         _Area(180.0, 266.0): the millimetres of a page, or of a board's part of it
"""

from __future__ import annotations

import re
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.boards.grid import grid_extent
from pyasp_puzzles.render.svg import svg
from pyasp_puzzles.render.theme import UNIT, html_document, html_element, html_text, style_sheet

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyasp_puzzles.render.svg import Drawing


class BookExercise(NamedTuple):
    """A board of a book."""

    title: str
    about: str
    """The line below its title: "sudoku, easy"."""
    rules: str
    """What players must do."""
    board: Drawing
    answer: Drawing | None = None
    note: str = ""
    """A note with its answer: "no answer"."""


class _Area(NamedTuple):
    """A width and a height, in millimetres."""

    width: float
    height: float


class _Block(NamedTuple):
    """What is at the top of a page, or above a board, as HTML, and its height in millimetres."""

    html: str = ""
    height: float = 0

    def above(self, other: _Block) -> _Block:
        """Return both, this one first."""
        return _Block(self.html + other.html, self.height + other.height)


_NOTHING = _Block()
PAPERS = {"a4": _Area(210, 297), "letter": _Area(215.9, 279.4)}
# Millimetres of the margins of a page.
MARGIN = 14


class _Print(NamedTuple):
    """The sizes of a book."""

    fitting: Sequence[tuple[int, int]] = ((6, 6), (12, 4), (18, 2))
    """The longest side of a board, and how many such boards fit on a page; a larger board gets a page alone."""
    answers: int = 3
    """How many times more answers than boards fit on a page."""
    cell: float = 14
    """Millimetres of the largest cell."""
    caption: float = 20
    """Millimetres of the lines above a board."""
    heading: float = 14
    """Millimetres of the heading of a page."""
    text: float = 11
    """Points of the text."""
    title: float = 26
    """Points of the title of the book."""
    notes: float = 0
    """The share of a board's space that is left for notes."""


_NORMAL, _LARGE = _Print(), _Print((), 2, 26, 32, 20, 18, 40)
# The share of a board's space for notes, if wanted; and the millimetres between the lines for them.
_NOTES, _RULED = 0.3, 9
# The size of a board's rules, by that of the text; and the share of its width that they take beside it.
_SMALL, _BESIDE = 0.75, 0.3
# Millimetres of a point; how wide and how high a letter is on average, with the space around it, in points of its text.
_POINT, _WIDE, _HIGH = 25.4 / 72, 0.55, 1.4

_FONTS = "Helvetica,Arial,'Liberation Sans','DejaVu Sans','Noto Sans',Roboto,sans-serif"
_STYLE = (
    f"*{{box-sizing:border-box}}body{{margin:0;background:#fff;color:#16191f;font-family:{_FONTS};line-height:1.4}}"
    "section{position:relative;break-inside:avoid;overflow:hidden}section+section{break-before:page}"
    "h1,h2{margin:0;line-height:1.15;letter-spacing:-.02em;overflow-wrap:anywhere}h2{font-size:2.2em}"
    ".count{margin:2mm 0 6mm}.rules{margin:1mm 3% 3mm 0}figure .rules{font-size:.75em}"
    ".turned{transform:rotate(180deg)}figure{position:absolute;margin:0;break-inside:avoid}"
    "figure div{margin:2mm auto 0}figure svg{display:block;width:100%;height:100%}"
    "figcaption{padding-right:3%;font-weight:700;font-size:1.3em;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}"
    ".count,small{color:#555b66}small{font-weight:400;font-size:.7em}"
    ".notes{position:absolute;left:3%;right:3%;bottom:3mm;margin:0;text-align:left;color:#555}"
    f".notes i{{display:block;height:{_RULED}mm;border-bottom:.3mm solid #8a8a8a}}.notes i:first-of-type{{height:5mm}}"
    ".large .pyasp .thin{stroke:#777}"
    "@media screen{body{background:#ddd}section{background:#fff;margin:8mm auto;padding:0;outline:8mm solid #fff}"
    "section+section{margin-top:24mm}}"
    "@media screen and (prefers-color-scheme:dark){body{background:#000;color:#f2f2f2}"
    "section{background:#1b1b1d;outline-color:#1b1b1d}.count,small,.notes{color:#b8b8b8}"
    ".large .pyasp .thin{stroke:#888}}"
)


def book(
    title: str,
    exercises: Sequence[BookExercise],
    *,
    per_page: int | None = None,
    paper: str = "a4",
    large: bool = False,
    notes: bool = False,
    styled: bool = False,
) -> str:
    """Return a book as an HTML page that needs no other file.

    Args:
        title: of the book.
        exercises: the boards.
        per_page: how many boards are on a page; by default, as many as fit at a readable size.
        paper: a key of `PAPERS`.
        large: whether it is in large print, with one board on a page unless `per_page` is given.
        notes: whether each board has room for notes below it.
        styled: whether each picture contains its style, for programs that do not apply the page's style to pictures.
    """
    sheet, sizes = PAPERS[paper], _LARGE if large else _NORMAL
    wanted = sizes._replace(notes=_NOTES if notes else 0)
    page = _Area(
        sheet.width - 2 * MARGIN, sheet.height - 2 * MARGIN - 1
    )  # so that rounding does not start another page
    sections = []
    head = _title(title, len(exercises), page, sizes)
    for most, numbers in _pages(exercises, per_page, sizes.fitting, 1):
        same = len(numbers) > 1 and len({exercises[i].rules for i in numbers}) == 1
        head = head.above(_rules(exercises[numbers[0]].rules, page.width, sizes.text)) if same else head
        figures = [
            (
                _caption(i + 1, exercises[i].title, exercises[i].about),
                "" if same else exercises[i].rules,
                exercises[i].board,
            )
            for i in numbers
        ]
        sections.append(_section(figures, most, page, wanted, head=head, styled=styled))
        head = _NOTHING
    short = sizes._replace(caption=sizes.caption / 2)  # an answer has one line
    for most, numbers in _pages(exercises, per_page, sizes.fitting, sizes.answers):
        answers = [(_caption(i + 1, "", exercises[i].note), "", exercises[i].answer) for i in numbers]
        head = _Block(html_element("h2", "Answers"), sizes.heading)
        sections.append(_section(answers, most, page, short, head=head, turned=True, styled=styled))
    style = (
        f"@page{{size:{sheet.width}mm {sheet.height}mm;margin:{MARGIN}mm;"
        f"color:#555b66;font:9pt {_FONTS};@bottom-left{{content:'pyasp book'}}@bottom-right{{content:counter(page)}}}}"
        f"section{{width:{page.width}mm;height:{page.height}mm}}"
        f"{_STYLE}body{{font-size:{sizes.text:g}pt}}h1{{font-size:{sizes.title:g}pt}}"
    )
    body = f"<main{' class=large' if large else ''}>{''.join(sections)}</main>"
    return html_document(title, style + ("" if styled else style_sheet()), body, "width=860")


def _title(title: str, count: int, page: _Area, sizes: _Print) -> _Block:
    """Return the title of a book, and how many boards it has."""
    boards = html_element("p", "1 board" if count == 1 else f"{count} boards", class_="count")
    height = _height(title, page.width, sizes.title) + sizes.text * _HIGH * _POINT + 8  # with the margins
    return _Block(html_element("h1", html_text(title)) + boards, height)


def _rules(rules: str, width: float, points: float) -> _Block:
    """Return the rules of a board."""
    return _Block(html_element("p", html_text(rules), class_="rules"), _height(rules, 0.97 * width, points) + 4)


def _height(text: str, width: float, points: float) -> float:
    """Return the largest height, in millimetres, of a text in lines of a width."""
    return (1 + len(text) * points * _POINT * _WIDE // width) * points * _HIGH * _POINT


def _pages(
    exercises: Sequence[BookExercise], per_page: int | None, fits: Sequence[tuple[int, int]], times: int
) -> Iterator[tuple[int, range]]:
    """Yield for each page how many figures fit on it (`times` the number of boards), and the indices of its boards."""
    sides = [max(grid_extent(exercise.board.cells)) for exercise in exercises]
    fitting = [times * (per_page or next((n for side, n in fits if longest <= side), 1)) for longest in sides]
    start = 0
    while start < len(fitting):
        end, most = start + 1, fitting[start]
        while end < len(fitting) and end - start < min(most, fitting[end]):
            most = min(most, fitting[end])
            end += 1
        yield most, range(start, end)
        start = end


def _section(
    figures: Sequence[tuple[str, str, Drawing | None]],
    most: int,
    page: _Area,
    sizes: _Print,
    *,
    head: _Block,
    turned: bool = False,
    styled: bool,
) -> str:
    """Return a page of figures, in boxes that leave room for `most` answers; fewer boards than that fill the page.

    Args:
        figures: for each its caption, its rules if they are not at the top of the page, and its drawing.
        most: how many figures a page has.
        page: the size of the page.
        sizes: of what is on it.
        head: what is at its top.
        turned: whether it has answers, upside down.
        styled: whether each picture contains its style.
    """
    if len(figures) < most and not turned:
        most = len(figures)
    if not turned:
        sizes = sizes._replace(cell=page.width)
    top = head.height
    columns = max(range(1, most + 1), key=lambda n: min(page.width / n, (page.height - top) / ceil(most / n)))
    box = _Area(page.width / columns, (page.height - top) / ceil(most / columns))
    boxes = []
    for i, (caption, rules, drawing) in enumerate(figures):
        row, column = divmod(i, columns)
        place = f"left:{column * box.width:.1f}mm;top:{top + row * box.height:.1f}mm"
        size = f"width:{box.width:.1f}mm;height:{box.height:.1f}mm"
        picture = _picture(drawing, rules, box, sizes, styled=styled) if drawing else ""
        lines = max(1, int(sizes.notes * box.height - 10) // _RULED)
        room = html_element("p", "Notes" + html_element("i") * lines, class_="notes") if sizes.notes else ""
        content = html_element("figcaption", caption) + picture + room
        boxes.append(html_element("figure", content, style=f"{place};{size}"))
    return html_element("section", head.html + "".join(boxes), class_="turned" if turned else None)


def _picture(drawing: Drawing, text: str, box: _Area, sizes: _Print, *, styled: bool) -> str:
    """Return a drawing in a box, as large as possible, with its rules below it, or beside it if it is larger then."""
    picture = svg(drawing, css=styled, axes=False)
    [extent] = re.findall(r'viewBox="0 0 (\S+) (\S+)"', picture)
    width, height = map(float, extent)
    small, room = _SMALL * sizes.text, (1 - sizes.notes) * box.height - sizes.caption

    def scale(across: float, rules: _Block) -> float:
        return min((0.94 * box.width - across) / width, (room - rules.height) / height, sizes.cell / UNIT)

    below = _rules(text, box.width, small) if text else _NOTHING
    beside, across = _rules(text, _BESIDE * box.width, small), _BESIDE * box.width
    if text and beside.height <= room and scale(across, _NOTHING) > scale(0, below):
        size = scale(across, _NOTHING)
        place = f"position:absolute;left:{0.03 * box.width + size * width:.2f}mm;width:{across:.2f}mm"
        rules, margin = html_element("div", beside.html, style=place), ";margin-left:0"
    else:
        size, rules, margin = scale(0, below), "", ""
    board = html_element("div", picture, style=f"width:{size * width:.2f}mm;height:{size * height:.2f}mm{margin}")
    return rules + board + ("" if rules else below.html)


def _caption(number: int, title: str, about: str) -> str:
    """Return the number and the title of a board, and a line about it that does not repeat the title."""
    heading = title.casefold()
    new = (part for part in about.split(", ") if not re.search(rf"(?<!\w){re.escape(part.casefold())}(?!\w)", heading))
    parts = [*filter(None, new)]
    more = html_element("small", html_text(", ".join(parts))) if parts else ""
    between = ("<br>" if title else " ") if more else ""
    return html_element("b", str(number)) + (f" {html_text(title)}" if title else "") + between + more
