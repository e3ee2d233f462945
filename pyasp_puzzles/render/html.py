"""Builders of HTML: documents, elements and text.

html_text     html_text("a < b"): "a &lt; b"
html_element  html_element("p", html_text("a < b"), class_="lead"): '<p class="lead">a &lt; b</p>'
"""

from __future__ import annotations

from html import escape

from pyasp_puzzles.errors import printable


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
