"""A printable book of puzzles, as an HTML page: a title page, boards, and their answers at the end.

Exercise   Exercise("The first Tectonic", "tectonic, easy", drawing, answer_drawing)
Area       Area(180.0, 266.0): millimetres of a page, or of the part of it that one board has
"""

from __future__ import annotations

import re
from html import escape
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.boards.grid import extent
from pyasp_puzzles.render.svg import CSS, UNIT, svg

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pyasp_puzzles.render.svg import Drawing


class Exercise(NamedTuple):
    """A board of a book."""

    title: str
    about: str
    """The line below its title: "sudoku, easy"."""
    board: Drawing
    answer: Drawing | None = None
    note: str = ""
    """A note below its answer: "no answer"."""


class Area(NamedTuple):
    """A width and a height, in millimetres."""

    width: float
    height: float


PAPERS = {"a4": Area(210, 297), "letter": Area(215.9, 279.4)}
# Millimetres of the margins of a page.
MARGIN = 15
# (longest side of a board, boards on a page); a larger board has a page of its own.
FITTING = ((6, 6), (12, 4), (18, 2))
# A page has this many times as many answers as boards.
ANSWERS = 3
# Millimetres of a cell.
LARGEST_CELL = 14
# Millimetres of the lines below a board, and of the heading of a page.
CAPTION, HEADING = 16, 14

FONTS = "Helvetica,Arial,'Liberation Sans','DejaVu Sans','Noto Sans',Roboto,sans-serif"
STYLE = (
    f"*{{box-sizing:border-box}}body{{margin:0;background:#fff;color:#111;font:11pt/1.35 {FONTS}}}"
    "section{position:relative;break-inside:avoid;overflow:hidden}section+section{break-before:page}"
    "h1{margin:0;padding-top:80mm;font-size:30pt;line-height:1.15;text-align:center;overflow-wrap:anywhere}"
    "h2{margin:0;font-size:16pt}.count{text-align:center;font-size:13pt;margin:4mm 0 20mm}dt{font-weight:700}"
    "dd{margin:0 0 3mm}figure{position:absolute;margin:0;text-align:center;break-inside:avoid}"
    "figure div{margin:0 auto 1.5mm}figure svg{display:block;width:100%;height:100%}"
    "figcaption{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}figcaption small{font-size:9pt;color:#444}"
    "@media screen{body{background:#ddd}section{background:#fff;margin:8mm auto;padding:0;outline:8mm solid #fff}"
    "section+section{margin-top:24mm}}"
    "@media screen and (prefers-color-scheme:dark){body{background:#000;color:#f2f2f2}"
    "section{background:#1b1b1d;outline-color:#1b1b1d}figcaption small{color:#b8b8b8}}"
)


def book(
    title: str,
    rules: Mapping[str, str],
    exercises: Sequence[Exercise],
    *,
    per_page: int | None = None,
    paper: str = "a4",
    styled: bool = False,
) -> str:
    """Return a book as an HTML page that needs no other file.

    Args:
        title: of the book.
        rules: the rules of each puzzle in it, by the name of the puzzle.
        exercises: the boards.
        per_page: how many boards are on a page; by default as many as are large enough there.
        paper: a key of `PAPERS`.
        styled: whether each picture brings its style, for programs that do not apply the page's style to it.
    """
    sheet = PAPERS[paper]
    page = Area(sheet.width - 2 * MARGIN, sheet.height - 2 * MARGIN - 1)  # so that rounding does not start another page
    sections = [_title_page(title, rules, len(exercises))]
    for most, numbers in _pages(exercises, per_page, 1):
        figures = ((_caption(i + 1, exercises[i].title, exercises[i].about), exercises[i].board) for i in numbers)
        sections.append(_section(figures, most, page, styled=styled))
    for most, numbers in _pages(exercises, per_page, ANSWERS):
        answers = ((_caption(i + 1, "", exercises[i].note), exercises[i].answer) for i in numbers)
        sections.append(_section(answers, most, page, "Answers", styled=styled))
    style = (
        f"@page{{size:{sheet.width}mm {sheet.height}mm;margin:{MARGIN}mm;"
        f"@bottom-center{{content:counter(page);font:10pt {FONTS}}}}}"
        f"@page:first{{@bottom-center{{content:none}}}}section{{width:{page.width}mm;height:{page.height}mm}}{STYLE}"
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=860"><title>{escape(title)}</title>'
        f"<style>{style}{'' if styled else CSS}</style></head><body>{''.join(sections)}</body></html>\n"
    )


def _title_page(title: str, rules: Mapping[str, str], count: int) -> str:
    """Return the first page: the title, how many boards there are, and the rules."""
    listed = "".join(f"<dt>{escape(name.capitalize())}</dt><dd>{escape(words)}</dd>" for name, words in rules.items())
    boards = "1 board" if count == 1 else f"{count} boards"
    return f'<section><h1>{escape(title)}</h1><p class="count">{boards}</p><dl>{listed}</dl></section>'


def _pages(exercises: Sequence[Exercise], per_page: int | None, times: int) -> Iterator[tuple[int, range]]:
    """Yield for each page how many figures fit on it (`times` as many as boards), and the indices of its boards."""
    sides = [max(extent(exercise.board.cells)) for exercise in exercises]
    fitting = [times * (per_page or next((n for side, n in FITTING if longest <= side), 1)) for longest in sides]
    start = 0
    while start < len(fitting):
        end, most = start + 1, fitting[start]
        while end < len(fitting) and end - start < min(most, fitting[end]):
            most = min(most, fitting[end])
            end += 1
        yield most, range(start, end)
        start = end


def _section(
    figures: Iterable[tuple[str, Drawing | None]], most: int, page: Area, heading: str = "", *, styled: bool
) -> str:
    """Return a page of figures, in boxes of which `most` fit on the page."""
    top = HEADING if heading else 0
    columns = max(range(1, most + 1), key=lambda n: min(page.width / n, (page.height - top) / ceil(most / n)))
    box = Area(page.width / columns, (page.height - top) / ceil(most / columns))
    found = []
    for i, (caption, drawing) in enumerate(figures):
        row, column = divmod(i, columns)
        place = f"left:{column * box.width:.1f}mm;top:{top + row * box.height:.1f}mm"
        size = f"width:{box.width:.1f}mm;height:{box.height:.1f}mm"
        picture = _picture(drawing, box, styled=styled) if drawing else ""
        found.append(f'<figure style="{place};{size}">{picture}<figcaption>{caption}</figcaption></figure>')
    return f"<section>{f'<h2>{heading}</h2>' if heading else ''}{''.join(found)}</section>"


def _picture(drawing: Drawing, box: Area, *, styled: bool) -> str:
    """Return a drawing in a box, as large as fits there."""
    picture = svg(drawing, css=styled, axes=False)
    [found] = re.findall(r'viewBox="0 0 (\S+) (\S+)"', picture)
    width, height = map(float, found)
    scale = min(0.94 * box.width / width, (box.height - CAPTION) / height, LARGEST_CELL / UNIT)
    return f'<div style="width:{scale * width:.2f}mm;height:{scale * height:.2f}mm">{picture}</div>'


def _caption(number: int, title: str, about: str) -> str:
    """Return the number and the title of a board, and a line about it."""
    return f"<b>{number}</b> {escape(title)}<br><small>{escape(about)}</small>"
