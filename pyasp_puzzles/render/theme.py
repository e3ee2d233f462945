"""Builders of HTML; and the theme of drawn boards: pixels, paint, contrast, sizes of text, hatching, the style sheet.

html_text     html_text("a < b"): "a &lt; b"
html_element  html_element("p", html_text("a < b"), class_="lead"): '<p class="lead">a &lt; b</p>'
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from pyasp_puzzles.errors import printable
from pyasp_puzzles.render.text import NAMED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyasp_puzzles.boards.grid import Cell


def html_text(words: str, *, quotes: bool = True) -> str:
    """Return words as HTML; unprintable characters are replaced.

    Args:
        words: the text, with its line breaks.
        quotes: whether quotation marks are escaped, which only attributes need.
    """
    # Boards have hundreds of tokens, all printable.
    shown = words if words.isprintable() else printable(words, kept="\n\N{NO-BREAK SPACE}")
    return escape(shown, quote=quotes)


def html_element(name: str, content: str = "", **attributes: object) -> str:
    """Return an element.

    Args:
        name: its name.
        content: its content, as HTML.
        attributes: its attributes; those whose value is None are left out. `class_` and `aria_label` are the names of
            class and aria-label.
    """
    given = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items() if value is not None}
    written = "".join(f' {key}="{html_text(str(value))}"' for key, value in given.items())
    return f"<{name}{written}>{content}</{name}>"


def html_paragraph(words: str) -> str:
    """Return a paragraph; several lines remain several lines."""
    return html_element("pre" if "\n" in words else "p", html_text(words))


def html_document(title: str, style: str, body: str, viewport: str = "width=device-width,initial-scale=1") -> str:
    """Return a document that needs no other file; `viewport` says how wide small screens show it."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="{viewport}"><title>{html_text(title)}</title>'
        f"<style>{style}</style></head><body>{body}</body></html>\n"
    )


# Pixels of a cell.
UNIT = 40
# Fills of linked circles, on white and on black. Links and outlines show the regions even without these.
TINTS = (
    ("#f6d7c3", "#4a3325"),
    ("#cfe4f5", "#1f3a50"),
    ("#d5ecd9", "#24432b"),
    ("#f8edb5", "#453b12"),
    ("#ead6ea", "#452f48"),
    ("#e2e2e2", "#3c3c3f"),
    ("#bfe3e0", "#17423f"),
    ("#f3d0dc", "#4a2735"),
    ("#e3e6b8", "#3b3e18"),
    ("#d3d4f2", "#2f3159"),
)
# Pixels between the edge of a cell and its frame; drawings on the edge leave room for both.
FRAME_PIXELS = 5
# Pixels between the lines that hatch a hole.
_HATCH = 8
# The colors that people name.
COLORS = {name: color for name, (color, _) in NAMED.items()}
# Colors for names that are no colors; Okabe and Ito chose them for color-blind readers.
OTHERS = ("#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#999999")
# The least contrast of text, and of frames and walls, to their background.
# Source: Web Content Accessibility Guidelines 2.2, 1.4.3 and 1.4.11.
LEAST_TEXT, LEAST_LINE = 4.5, 3.0
# Inks for text on a color; black and white, because with any other pair some color has too little contrast to both.
TEXT_INKS = {"dark": "#000000", "light": "#ffffff"}
# Frames on a color; the one with the most contrast is used.
FRAME_COLORS = {
    "marked": {"deep": "#0b4fae", "pale": "#9cc4ff"},
    "premise": {"deep": "#6b5400", "pale": "#ffd95e"},
}

# Pixels of fonts, by the class of a text.
FONT_SIZES = {
    "value": 22,
    "given": 22,
    "note": 9.5,
    "corner": 9,
    "axis": 11,
    "label": 16,
    "letter": 13,
    "order": 14,
    "sign": 14,
}
# The colors of pictures: selector, properties, their value on white, their value on black.
THEME = (
    (".paper", "fill", "#fff", "#1b1b1d"),
    (".thin", "stroke", "#b5b5b5", "#55555a"),
    (".wall,.bare,.dots", "stroke", "#111", "#e8e8e8"),
    (".hatch", "stroke", "#9a9a9a", "#6c6c72"),
    ("text", "fill", "#111", "#f2f2f2"),
    (".value", "fill", "#0b4fae", "#8fbcff"),
    (".note,.corner", "fill", "#333", "#d0d0d0"),
    (".stroke", "stroke", "#0b4fae", "#8fbcff"),
    (".cross", "stroke", "#767676", "#8f8f95"),
    (".cross.new", "stroke", "#a3201a", "#ffb3ab"),
    (".axis", "fill", "#5c5c5c", "#b8b8b8"),
    (".struck", "fill", "#a3201a", "#ffb3ab"),
    (".chevron,.cage", "stroke", "#111", "#f2f2f2"),
    (".paper-line", "stroke", "#fff", "#1b1b1d"),
    (".edge", "color", "#4d4d4d", "#a8a8ad"),
    (".marked", "fill", "#cfe0fb", "#24447a"),
    (".marked", "stroke", "#0b4fae", "#8fbcff"),
    (".premise", "fill", "#fdf0c8", "#4d4113"),
    (".premise", "stroke", "#8a6d00", "#d9b93b"),
    (".cut", "stroke", "#c2410c", "#ff9d5c"),
    (".lit", "stroke", "#b35c00", "#ffc400"),
    (".shaded", "fill", "#3a3a3a", "#d0d0d0"),
    (".grey", "fill", "#bfbfbf", "#5c5c62"),
    (".water", "fill", "#9cc9ee", "#235079"),
    (".light", "fill", "#fff3b8", "#4a4416"),
    (".solid", "fill", "#222", "#e4e4e4"),
    (".rim", "stroke", "#222", "#f2f2f2"),
    ("text.on-shade", "fill", "#fff", "#111"),
    (".band", "stroke", "#111", "#000"),
    (".pencil", "stroke", "#949494", "#88888e"),
)
# The fills of circles, and of the links between them, in the form of `THEME`.
_TINTED = tuple((f".t{i}", "color", *tints) for i, tints in enumerate(TINTS))
# How notebooks and sites set a theme, which overrides that of the system: JupyterLab and Jupyter Notebook, VS Code,
# Colab, Sphinx and others.
_HOSTS = (
    (":is([data-jp-theme-light=true],.vscode-light,[theme=light],[data-theme=light])", "light"),
    (":is([data-jp-theme-light=false],.vscode-dark,[theme=dark],[data-theme=dark])", "dark"),
)


def style_sheet(*, linked: bool = True) -> str:
    """Return the style sheet of pictures; `linked` includes the colors of circles and links.

    It uses no variables, and names fonts one by one: resvg, which makes PNGs, supports neither variables nor
    sans-serif, and drops text whose font it does not find. Browsers without `light-dark` show the colors for paper.
    """

    def rule(selectors: str, properties: str, value: str) -> str:
        chosen = ",".join(f".pyasp {selector}" for selector in selectors.split(","))
        return f"{chosen}{{{';'.join(f'{name}:{value}' for name in properties.split(','))}}}"

    theme = THEME + _TINTED if linked else THEME
    light = "".join(rule(selector, properties, light) for selector, properties, light, _ in theme)
    both = "".join(rule(selector, names, f"light-dark({light},{dark})") for selector, names, light, dark in theme)
    hosts = "".join(f"{host} .pyasp{{color-scheme:{scheme}}}" for host, scheme in _HOSTS)
    fixed = [
        rule(f"text.{name}", "fill", ink) + rule(f".halo.{name}", "stroke", ink) for name, ink in TEXT_INKS.items()
    ]
    fixed += [
        rule(f".{kind}.{name}", "stroke", ink) for kind in FRAME_COLORS for name, ink in FRAME_COLORS[kind].items()
    ]
    fonts = "".join(f".pyasp .{name}{{font-size:{size:g}px}}" for name, size in FONT_SIZES.items())
    bold = ",".join(f".pyasp .{name}" for name in ("given", "circle", "order", "sign"))
    return (
        ".pyasp{font-family:Helvetica,Arial,'Liberation Sans','DejaVu Sans','Noto Sans',Roboto,sans-serif}"
        ".pyasp text{text-anchor:middle;pointer-events:none}.pyasp .tooltip{pointer-events:all}"
        ".pyasp .thin,.pyasp .hatch{stroke-width:1;fill:none}"
        ".pyasp .wall{stroke-width:3;stroke-linecap:square;fill:none}"
        f"{fonts}{bold}{{font-weight:700}}"
        ".pyasp .chevron{fill:none;stroke-linecap:round;stroke-linejoin:round}"
        ".pyasp .rim{stroke-width:1.4;stroke-linejoin:round;stroke-linecap:round}"
        ".pyasp .paper-line{fill:none}.pyasp .marked{stroke-width:2.5}"
        ".pyasp .premise{stroke-width:1.5;stroke-dasharray:4 3}.pyasp .cut{fill:none;stroke-width:2.5}"
        ".pyasp .lit{fill:#ffc400;fill-opacity:.3;stroke-width:2}.pyasp .dot{fill:#767676}"
        ".pyasp .pencil{fill:none;stroke-width:.75}"
        ".pyasp .any{stroke:#bbb;stroke-width:28;stroke-dasharray:3 6;fill:none}.pyasp .band{stroke-width:1.5}"
        ".pyasp .dots{fill:none;stroke-width:4.5;stroke-linecap:round}"
        ".pyasp .stroke{fill:none;stroke-width:4;stroke-linecap:round}.pyasp .cross{fill:none;stroke-width:1.25}"
        ".pyasp .stroke.new{stroke-width:6}.pyasp .cross.new{stroke-width:2.5}"
        ".pyasp .piece{fill:none;stroke-width:5;stroke-linecap:square}.pyasp .loose{stroke-width:2.5}"
        f"{light}@media screen{{.pyasp{{color-scheme:light dark}}{hosts}{both}}}"
        ".pyasp .tint,.pyasp .edge{fill:currentColor}.pyasp .link{stroke:currentColor}"
        ".pyasp path.link{fill:none;stroke-linecap:round}.pyasp rect.hollow{fill:none;stroke-width:3}"
        f".pyasp .halo{{fill:none;stroke-width:6}}.pyasp .struck{{text-decoration:line-through}}{''.join(fixed)}"
    )


def paint_colors(names: Iterable[str]) -> dict[str, str]:
    """Return the color of each name, as `#rrggbb`: the color so called, or else one of `OTHERS`."""
    unique = sorted(set(names))
    left = [name for name in unique if name.lower() not in COLORS]
    others = {name: OTHERS[i % len(OTHERS)] for i, name in enumerate(left)}
    return {name: others.get(name) or COLORS[name.lower()] for name in unique}


def theme_text(x: float, y: float, words: str, kind: str, size: float = 0, *, ink: str | None = None) -> str:
    """Return a text centred at a point; browsers and other programs differ on baselines, so it is moved down.

    Its own size, and an ink that is the same in both themes, are attributes of a <tspan>: style sheets would override
    those of the text, and a strict content security policy forbids styles.
    """
    content = html_element("tspan", html_text(words), fill=ink, font_size=f"{size:g}") if size else html_text(words)
    shift = 0.35 * (size or FONT_SIZES[kind.split(" ", 1)[0]])
    return f'<text class="{kind}" x="{x:g}" y="{round(y + shift, 1):g}">{content}</text>'


def theme_text_size(words: str, kind: str, room: float = UNIT - 6) -> float:
    """Return the size at which a text fits; 0 for its usual one."""
    usual = FONT_SIZES[kind.split(" ", 1)[0]]
    most = room / max(1, len(words)) / 0.58
    return 0 if most >= usual else max(6, most)


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colors, 1 to 21.

    Source: Web Content Accessibility Guidelines 2.2, contrast ratio.
    """
    dark, light = sorted(map(_luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: str) -> float:
    parts = (part / 255 for part in color_channels(color))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def color_channels(color: str) -> list[int]:
    """Return red, green and blue of `#rgb` or `#rrggbb`, 0 to 255 each."""
    digits = color.removeprefix("#")
    size = len(digits) // 3
    return [int(digits[i : i + size] * (3 - size), 16) for i in range(0, 3 * size, size)]


def hatch_path(cell: Cell, way: str = "/") -> str:
    """Return the path of lines across a cell, which continue in the next cells."""
    # A pattern would need an id, which would not be unique on a page.
    x, y = (cell[1] - 1) * UNIT, (cell[0] - 1) * UNIT
    path = ""
    for k in range(_HATCH // 2, UNIT if way in {"|", "-"} else 2 * UNIT, _HATCH):
        start, end = max(0, k - UNIT), min(k, UNIT)
        x0, y0, x1, y1 = {
            "|": (k, 0, k, UNIT),
            "-": (0, k, UNIT, k),
            "/": (start, k - start, end, k - end),
            "\\": (UNIT - start, k - start, UNIT - end, k - end),
        }[way]
        path += f"M{x + x0},{y + y0}L{x + x1},{y + y1}"
    return path
