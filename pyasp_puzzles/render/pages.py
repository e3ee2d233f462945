"""Pages: boards with remarks or steps, as one HTML file that needs no other file; galleries, notebooks.

PageSlide    one state of the boards and its words: PageSlide("Row 1, column 2 can only be 4.", [drawing], [""], "7")
PageSection  a board with its slides: steps to go through, or remarks whose cells are marked under the pointer

Without its script, a page shows the first slide, and the words of all slides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from pyasp_puzzles.boards import spans
from pyasp_puzzles.boards.grid import cell_name, grid_extent
from pyasp_puzzles.boards.spans import spans_of
from pyasp_puzzles.render.svg import svg, svg_element, svg_frames
from pyasp_puzzles.render.theme import UNIT, html_document, html_element, html_paragraph, html_text, style_sheet

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.render.svg import Drawing


_LEGEND = '<p class="legend"><i class="follows"></i>what follows<i class="rests"></i>what it follows from</p>\n'
_HINT = '<p class="legend hint">Point at a cell or a sentence, or tap it, to see what belongs together.</p>\n'


@dataclass(frozen=True)
class PageSlide:
    """One state of the boards of a section. Pointing at a part of a sentence highlights the cells that it names."""

    words: str
    drawings: Sequence[Drawing]
    """A drawing of each board."""
    rules: Sequence[str] = ()
    """The names of rules, in small type."""
    why: Sequence[str] = ()
    """Remarks that are shown on demand."""
    label: str = ""
    """The number of a step, or the name of a state."""
    size: float = 0
    """The height of its bar, if the section has a chart."""
    links: Sequence[tuple[str, Collection[Cell]]] = ()
    """Sentences, each of which follows from earlier ones, with the cells that they are about; a numbered list."""


@dataclass(frozen=True)
class PageSection:
    """A board, or two to compare, in one or more states."""

    title: str
    slides: Sequence[PageSlide]
    """The first one is shown at first. If the slides are remarks, it has no words."""
    lead: Sequence[str] = ()
    """Paragraphs above the boards."""
    captions: Sequence[str] = ()
    """What is written under each board."""
    steps: bool = False
    """Whether the slides are steps, with buttons and a slider, rather than remarks."""
    chart: str = ""
    """What the bars of the chart show; without it, there is no chart."""


def page_section_of_remarks(
    title: str,
    lead: Sequence[str],
    drawings: Sequence[Drawing],
    parts: Sequence[tuple[str, str, Sequence[Drawing]]],
    captions: Sequence[str] = (),
) -> PageSection:
    """Return a section with remarks.

    Args:
        title: its title.
        lead: paragraphs above the boards.
        drawings: the boards as they are shown at first.
        parts: for each remark its words, the name of its rule, which may be empty, and the boards with its cells
            marked.
        captions: what is written under each board.
    """
    tooltips: dict[Cell, str] = {}
    for text, _, boards in parts:
        for cell in boards[0].marked:
            tooltips[cell] = f"{tooltips[cell]}\n{text}" if cell in tooltips else text

    slides = [
        PageSlide(text, [replace(board, tooltips=tooltips) for board in boards], [rule] if rule else [])
        for text, rule, boards in (("", "", drawings), *parts)
    ]
    return PageSection(title, slides, lead, captions)


def gallery_page(title: str, drawings: Iterable[tuple[str, Drawing]], *, axes: bool = True) -> str:
    """Return a page with drawings, each with its caption; it prints well."""
    pictures = ((caption, svg(drawing, css=False, axes=axes)) for caption, drawing in drawings)
    figures = "".join(page_figure(caption, picture, below=True) for caption, picture in pictures)
    style = (
        "body{font:16px/1.4 system-ui,sans-serif;margin:1rem;background:#fff;color:#111}"
        "main{display:flex;flex-wrap:wrap;gap:1rem}h1{flex-basis:100%;font-size:1.35rem;margin:0}figure{margin:0;break-inside:avoid}"
        "figcaption{text-align:center;overflow-wrap:anywhere}svg{max-width:100%;height:auto}"
        "@media screen and (prefers-color-scheme:dark){body{background:#1b1b1d;color:#f2f2f2}}"
    )
    body = html_element("main", html_element("h1", html_text(title)) + figures)
    return html_document(title, style + style_sheet(), body)


def page_figure(words: str, picture: str, *, below: bool = False) -> str:
    """Return a picture with a sentence above or below it, as HTML."""
    caption = html_element("figcaption", html_text(words))
    return html_element("figure", picture + caption if below else caption + picture)


def notebook_page(words: Iterable[str], drawings: Iterable[Drawing]) -> str:
    """Return sentences and boards side by side as HTML, for notebooks."""
    boards = "".join(html_element("figure", svg(drawing), style="margin:0") for drawing in drawings)
    return "".join(map(html_paragraph, words)) + html_element(
        "div", boards, style="display:flex;flex-wrap:wrap;gap:1rem"
    )


def notebook_page_scale(title: str, words: str, parts: Sequence[tuple[str, float]], value: float) -> str:
    """Return a value on a scale as HTML, for notebooks.

    Args:
        title: the value in words.
        words: a sentence below it.
        parts: the names of the parts of the scale, each with the largest value in it; without any, no scale is drawn.
        value: a larger one than the last of the scale is at its end.
    """
    opening = html_element("p", f"{html_element('strong', html_text(title))}<br>{html_text(words)}")
    if not parts:
        return opening
    wide, part = 84 * len(parts), 84
    drawn, start, at = "", 0.0, float(wide)
    for i, (name, most) in enumerate(parts):
        here = value <= most and at == wide
        if here:
            at = part * (i + (max(value, start) - start) / (most - start))
        kind = "marked" if here or (value > most and i == len(parts) - 1) else "thin"
        drawn += f'<rect class="{kind}" x="{part * i + 2}" y="12" width="{part - 4}" height="22"/>'
        drawn += f'<text font-size="12" x="{part * (i + 0.5):g}" y="27">{html_text(name)}</text>'
        start = most
    at = min(max(at, 6), wide - 6)
    drawn += f'<path class="chevron" stroke-width="2" d="M{at - 5:g},2L{at:g},8L{at + 5:g},2"/>'
    style = html_element("style", style_sheet(linked=False))
    return opening + svg_element(wide, 38, style, drawn, aria_label=title, style="max-width:100%")


def page(title: str, sections: Sequence[PageSection]) -> str:
    """Return a page with sections; its script shows one at a time."""
    from base64 import b64encode
    from hashlib import sha256
    from string import Template

    # Without comments, indentation and most line breaks, which are a third of the script: every page contains it.
    script = re.sub(r"(?m)^ *(?:/\*\*[^*]*\*/|//.*)\n|^ +| +// .*$|^\n", "", _file("player.js"))
    script = "\n" + re.sub(r"(?<=[{}(\[,;])\n", "", script) + "start();\n"
    alone = len(sections) == 1
    linked = any(drawing.linked for section in sections for drawing in section.slides[0].drawings)
    links = "".join(
        html_element("a", str(i), href=f"#b{i}", title=section.title) for i, section in enumerate(sections, 1)
    )
    body = "" if alone else html_element("nav", links, aria_label="Boards") + "\n"
    body += "".join(_section(i, section, alone=alone) for i, section in enumerate(sections, 1))
    return Template(_file("page.html")).substitute(
        title=html_text(title),
        allowed=f"sha256-{b64encode(sha256(script.encode()).digest()).decode()}",
        style="".join([*_file("page.css").splitlines(), style_sheet(linked=linked), "\n"]),
        body=body,
        controls=_file("controls.html"),
        script=script.removeprefix("\n"),
    )


def _file(name: str) -> str:
    """Return the text of a file next to this module."""
    from importlib.resources import files

    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _section(number: int, section: PageSection, *, alone: bool) -> str:
    """Return a section as HTML; the ids of its parts begin with its number."""
    name, slides = f"b{number}", section.slides
    kind = "steps" if section.steps else "remarks two" if len(slides[0].drawings) > 1 else "remarks"
    lead = "" if alone else html_element("h2", f"{number}. {html_text(section.title)}") + "\n"
    lead += (
        html_element("div", "".join(map(html_paragraph, section.lead)), class_="lead") + "\n" if section.lead else ""
    )
    boards = ""
    for i, first in enumerate(slides[0].drawings):
        caption = html_element("figcaption", html_text(section.captions[i])) if section.captions else ""
        wide = (grid_extent(first.cells)[1] + 1) * UNIT * 3 // 2
        called = ": ".join(filter(None, [section.title, section.captions[i] if section.captions else ""]))
        drawings = [replace(view.drawings[i], title=called) for view in slides]
        board = svg_frames(drawings) + caption
        boards += html_element("figure", board, style=f"--wide:{wide}px", data_unit=UNIT) + "\n"
    legend = _LEGEND if section.steps else _HINT if len(slides) > 2 else ""
    stage = html_element(
        "div", "\n" + html_element("div", f"\n{boards}", class_="boards") + f"\n{legend}", class_="stage"
    )
    items = "".join(_steps(name, slides) if section.steps else _remarks(slides))
    text = html_element("div", class_="now") + "\n" if section.steps else ""
    text += _chart(name, section) if section.chart else ""
    text += html_element("ol", f"\n{items}") + "\n" if items else ""
    text = html_element("div", f"\n{text}", class_="text")
    label = html_text(section.title)
    return f'<section id="{name}" class="{kind}" aria-label="{label}">\n{lead}{stage}\n{text}\n</section>\n'


def _steps(name: str, slides: Sequence[PageSlide]) -> Iterator[str]:
    """Yield a link for each slide, with its label, words, rules and reasons."""
    for number, view in enumerate(slides):
        place = f"{name}-s{number}"
        content = html_element("b", html_text(view.label)) + _told("span", view.words) + _links(view) + _rules(view)
        reasons = spans.in_lines(view.why)
        why = html_element("details", html_element("summary", "Why") + _told("p", reasons)) if reasons else ""
        yield html_element("li", html_element("a", content, href=f"#{place}") + why, id=place) + "\n"


def _links(view: PageSlide) -> str:
    """Return the links of a slide as a list; pointing at one highlights its cells."""
    items = "".join(
        _told("li", text, class_="place", data_cells=",".join(map(cell_name, cells))) for text, cells in view.links
    )
    return html_element("ol", items) if items else ""


def _told(name: str, text: str, **attributes: object) -> str:
    """Return a sentence as an element."""
    return html_element(name, html_text(text), **attributes, data_spans=page_spans(text))


def page_spans(words: str) -> str | None:
    """Return the lengths of the spans of a sentence, with their cells, for the script: `5 16:r1c1,r1c2 1`."""
    groups = groupby(spans_of(words), attrgetter("cells"))
    sizes = [(cells, sum(len(span.text) for span in group)) for cells, group in groups]
    named = (f"{size}:{','.join(map(cell_name, cells))}".removesuffix(":") for cells, size in sizes)
    return " ".join(named) if any(cells for cells, _ in sizes) else None


def _remarks(slides: Sequence[PageSlide]) -> Iterator[str]:
    """Yield a button for each slide but the first."""
    for number, view in enumerate(slides[1:], 1):
        content = html_text(view.words) + _rules(view)
        yield html_element("li", html_element("button", content, type="button", data_view=number)) + "\n"


def _rules(view: PageSlide) -> str:
    codes = " ".join(html_element("code", html_text(rule, quotes=False)) for rule in view.rules)
    return html_element("small", codes) if codes else ""


def _chart(name: str, section: PageSection) -> str:
    """Return a chart with a bar, which is a link, for each slide with a size; screen readers read the list instead."""
    sized = [(number, view.size) for number, view in enumerate(section.slides) if view.size]
    if not sized:
        return ""
    wide, high, most = 10, 50, max(size for _, size in sized)
    bars = ""
    for place, (number, size) in enumerate(sized):
        bar = size * high / most
        bars += (
            f'<a href="#{name}-s{number}" tabindex="-1"><title>{number}: {size}</title>'
            f'<path class="all" d="M{place * wide},0h{wide}v{high}h-{wide}z"/>'
            f'<path class="bar" d="M{place * wide + 1},{high}v-{bar:.3g}h{wide - 2}v{bar:.3g}z"/></a>'
        )
    legend = html_element("p", html_text(section.chart), class_="legend")
    return (
        f'<svg class="bars" viewBox="0 0 {len(sized) * wide} {high}" preserveAspectRatio="none" aria-hidden="true" '
        f'style="max-width:{len(sized) * 2}rem">{bars}</svg>\n{legend}\n'
    )
