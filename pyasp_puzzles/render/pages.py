"""Pages: boards with remarks or steps, as one HTML file that needs no other file and no network.

Slide      one state of the boards and its words: Slide("Row 1, column 2 can only be 4.", [drawing], ["one(1,2)"], "7")
Section   a board with its slides: steps to go through, or remarks whose cells are marked while they are pointed at

The page works without its script, too: then it shows the first slide, and the words of all.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from html import escape
from typing import TYPE_CHECKING

from pyasp_puzzles.boards.grid import extent
from pyasp_puzzles.errors import printable
from pyasp_puzzles.render.svg import UNIT, frames, style_sheet, svg

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.render.svg import Drawing


LEGEND = '<p class="legend"><i class="follows"></i>what follows<i class="rests"></i>what it follows from</p>\n'
HINT = '<p class="legend hint">Point at a cell or a sentence, or tap it, to see what belongs together.</p>\n'


@dataclass(frozen=True)
class Slide:
    """One state of the boards of a section."""

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
    places: Mapping[str, Collection[Cell]] = field(default_factory=dict)
    """What its words name: {"row 2": [(2, 1), (2, 2)]}. These cells light up while the words are pointed at."""


@dataclass(frozen=True)
class Section:
    """A board, or two to compare, in one or more states."""

    title: str
    slides: Sequence[Slide]
    """The first one is shown at first. If the slides are remarks, it has no words."""
    lead: Sequence[str] = ()
    """Paragraphs above the boards."""
    captions: Sequence[str] = ()
    """What is written under each board."""
    steps: bool = False
    """Whether the slides are steps, with buttons and a slider, rather than remarks."""
    chart: str = ""
    """What the bars of the chart show; without it, there is no chart."""


def remarks(
    title: str,
    lead: Sequence[str],
    drawings: Sequence[Drawing],
    parts: Sequence[tuple[str, str, Sequence[Drawing]]],
    captions: Sequence[str] = (),
) -> Section:
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
    for words, _, boards in parts:
        for cell in boards[0].marked:
            tooltips[cell] = f"{tooltips[cell]}\n{words}" if cell in tooltips else words

    def with_tooltips(boards: Sequence[Drawing]) -> list[Drawing]:
        return [replace(board, tooltips=tooltips) for board in boards]

    slides = [Slide(words, with_tooltips(boards), [rule] if rule else []) for words, rule, boards in parts]
    return Section(title, [Slide("", with_tooltips(drawings)), *slides], lead, captions)


def notebook(words: Iterable[str], drawings: Iterable[Drawing]) -> str:
    """Return sentences and boards side by side as HTML, for notebooks."""
    boards = "".join(f'<figure style="margin:0">{svg(drawing)}</figure>' for drawing in drawings)
    return f'{"".join(map(_paragraph, words))}<div style="display:flex;flex-wrap:wrap;gap:1rem">{boards}</div>'


def scale(title: str, words: str, parts: Sequence[tuple[str, float]], value: float) -> str:
    """Return a value on a scale as HTML, for notebooks.

    Args:
        title: the value in words.
        words: a sentence below it.
        parts: the names of the parts of the scale, each with the largest value in it; without any, no scale is drawn.
        value: a larger one than the last of the scale is at its end.
    """
    text = f"<p><strong>{_text(title)}</strong><br>{_text(words)}</p>"
    if not parts:
        return text
    wide, part = 84 * len(parts), 84
    drawn, start, at = "", 0.0, float(wide)
    for i, (name, most) in enumerate(parts):
        here = value <= most and at == wide
        if here:
            at = part * (i + (max(value, start) - start) / (most - start))
        kind = "marked" if here or (value > most and i == len(parts) - 1) else "thin"
        drawn += f'<rect class="{kind}" x="{part * i + 2}" y="12" width="{part - 4}" height="22"/>'
        drawn += f'<text style="font-size:12px" x="{part * (i + 0.5):g}" y="27">{_text(name)}</text>'
        start = most
    at = min(max(at, 6), wide - 6)
    drawn += f'<path class="chevron" d="M{at - 5:g},2L{at:g},8L{at + 5:g},2"/>'
    return (
        f'{text}<svg xmlns="http://www.w3.org/2000/svg" class="pyasp" role="img" aria-label="{_text(title)}" style="'
        f'max-width:100%" '
        f'viewBox="0 0 {wide} 38" width="{wide}" height="38"><style>{style_sheet(linked=False)}</style>'
        f'<rect class="paper" width="{wide}" height="38"/>{drawn}</svg>'
    )


def page(title: str, sections: Sequence[Section]) -> str:
    """Return a page with sections; its script shows one at a time."""
    from base64 import b64encode
    from hashlib import sha256
    from string import Template

    # Without comments and indentation: they are a third of the script, and every page has it.
    script = "\n" + re.sub(r"(?m)^ *(?:/\*\*[^*]*\*/|//.*)\n|^ +| +// .*$|^\n", "", _file("page.js"))
    alone = len(sections) == 1
    linked = any(drawing.linked for section in sections for drawing in section.slides[0].drawings)
    links = (f'<a href="#b{i}" title="{_text(section.title)}">{i}</a>' for i, section in enumerate(sections, 1))
    body = "" if alone else f'<nav aria-label="Boards">{"".join(links)}</nav>\n'
    body += "".join(_section(i, section, alone=alone) for i, section in enumerate(sections, 1))
    return Template(_file("page.html")).substitute(
        title=_text(title),
        allowed=f"sha256-{b64encode(sha256(script.encode()).digest()).decode()}",
        style=f"{_file('page.css')}{style_sheet(linked=linked)}\n",
        body=body,
        script=script.removeprefix("\n"),
    )


def _file(name: str) -> str:
    """Return the text of a file next to this module."""
    from importlib.resources import files

    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _text(words: str) -> str:
    """Return words as HTML; characters that cannot be written are replaced."""
    return escape(printable(words, kept="\n"))


def _section(number: int, section: Section, *, alone: bool) -> str:
    """Return a section as HTML; the ids of its parts begin with its number."""
    name, slides = f"b{number}", section.slides
    kind = "steps" if section.steps else "remarks two" if len(slides[0].drawings) > 1 else "remarks"
    lead = "" if alone else f"<h2>{number}. {_text(section.title)}</h2>\n"
    lead += f'<div class="lead">{"".join(map(_paragraph, section.lead))}</div>\n' if section.lead else ""
    boards = ""
    for i, first in enumerate(slides[0].drawings):
        caption = f"<figcaption>{_text(section.captions[i])}</figcaption>" if section.captions else ""
        wide = (extent(first.cells)[1] + 1) * UNIT * 3 // 2
        called = ": ".join(filter(None, [section.title, section.captions[i] if section.captions else ""]))
        drawings = [replace(view.drawings[i], title=called) for view in slides]
        boards += f'<figure style="--wide:{wide}px" data-unit="{UNIT}">{frames(drawings)}{caption}</figure>\n'
    legend = LEGEND if section.steps else HINT if len(slides) > 2 else ""
    stage = f'<div class="stage">\n<div class="boards">\n{boards}</div>\n{legend}</div>\n'
    items = "".join(_steps(name, slides) if section.steps else _remarks(slides))
    text = '<div class="now"></div>\n' if section.steps else ""
    text += _chart(name, section) if section.chart else ""
    text += f"<ol>\n{items}</ol>\n" if items else ""
    places = _places(_shared_places(slides)[0])
    return (
        f'<section id="{name}" class="{kind}" aria-label="{_text(section.title)}"{places}>\n'
        f'{lead}{stage}<div class="text">\n{text}</div>\n</section>\n'
    )


def _paragraph(words: str) -> str:
    """Return a paragraph; several lines remain several lines."""
    return f"<pre>{_text(words)}</pre>" if "\n" in words else f"<p>{_text(words)}</p>"


def _steps(name: str, slides: Sequence[Slide]) -> Iterator[str]:
    """Yield a link for each slide, with its label, its words, and its rules; and its reasons."""
    _, own = _shared_places(slides)
    for number, view in enumerate(slides):
        place = f"{name}-s{number}"
        words = f"<b>{_text(view.label)}</b><span>{_text(view.words)}</span>{_rules(view)}"
        reasons = _text("\n".join(view.why))
        why = f"<details><summary>Why</summary><p>{reasons}</p></details>" if reasons else ""
        yield f'<li id="{place}"{_places(own[number])}><a href="#{place}">{words}</a>{why}</li>\n'


def _places(places: Mapping[str, str]) -> str:
    """Return the cells that words name as an attribute: data-places='{"row 2": "2.1 2.2"}'."""
    if not places:
        return ""
    text = escape(json.dumps(places, separators=(",", ":"), ensure_ascii=False), quote=False).replace("'", "&#39;")
    return f" data-places='{text}'"


def _shared_places(slides: Sequence[Slide]) -> tuple[dict[str, str], list[dict[str, str]]]:
    """Return the cells of words that name the same cells in all slides, and for each slide those of other words.

    Words begin with a small letter, whether they do in their sentence or not.
    """
    each = [
        {
            printable(name[:1].lower() + name[1:]): " ".join(f"{r}.{c}" for r, c in cells)
            for name, cells in view.places.items()
        }
        for view in slides
    ]
    # The script knows the cell of "row 1, column 2".
    each = [
        {name: cells for name, cells in places.items() if not re.fullmatch(r"row \d+,? column \d+", name)}
        for places in each
    ]
    meanings: dict[str, set[str]] = {}
    for places in each:
        for name, cells in places.items():
            meanings.setdefault(name, set()).add(cells)
    shared = {name: next(iter(cells)) for name, cells in meanings.items() if len(cells) == 1}
    own = [{name: cells for name, cells in places.items() if name not in shared} for places in each]
    return shared, own


def _remarks(slides: Sequence[Slide]) -> Iterator[str]:
    """Yield a button for each slide but the first."""
    for number, view in enumerate(slides[1:], 1):
        yield f'<li><button type="button" data-view="{number}">{_text(view.words)}{_rules(view)}</button></li>\n'


def _rules(view: Slide) -> str:
    codes = " ".join(f"<code>{escape(printable(rule), quote=False)}</code>" for rule in view.rules)
    return f"<small>{codes}</small>" if codes else ""


def _chart(name: str, section: Section) -> str:
    """Return a bar for each slide with a size, which leads to it; the list says the same to screen readers."""
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
    return (
        f'<svg class="bars" viewBox="0 0 {len(sized) * wide} {high}" preserveAspectRatio="none" aria-hidden="true" '
        f'style="max-width:{len(sized) * 2}rem">{bars}</svg>\n<p class="legend">{_text(section.chart)}</p>\n'
    )
