"""The option --html: results as one page, which is written when the command ends, however it ends."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pyasp_puzzles.cli.options import OUTPUT, option
from pyasp_puzzles.cli.terminal import write

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyasp_puzzles.render.pages import Section

Html = Annotated[
    str | None,
    option(
        OUTPUT,
        "Write a page for browsers to this file instead, with pictures; - for standard output.",
        "--html",
        metavar="PAGE",
    ),
]


@contextmanager
def page_of_sections(output: str | None, *others: bool) -> Iterator[list[Section] | None]:
    """Yield the list that takes the sections of the page that the option asks for, or None; write the page at the end.

    Args:
        output: the file, "-" for standard output, or None if there is no page.
        others: whether other options ask for other output.

    Raises:
        BadParameter: there is such an option besides.
        OSError: the file cannot be written.
    """
    if output is None:
        yield None
        return
    if any(others):
        raise typer.BadParameter("--html does not go together with other forms of output")
    path = None if output == "-" else Path(output)
    new = path is not None and not path.exists()
    if path is not None:
        path.open("a").close()  # rather an error now than when all is computed
    sections: list[Section] = []
    try:
        yield sections
    finally:
        if sections:
            _write(path, sections)
        elif path is not None and new:
            path.unlink(missing_ok=True)


def _write(path: Path | None, sections: list[Section]) -> None:
    from pyasp_puzzles.render.pages import page

    titles = {section.title for section in sections}
    text = page(titles.pop() if len(titles) == 1 else "Puzzles", sections)
    if path is not None:
        path.write_text(text, encoding="utf-8", errors="xmlcharrefreplace")
        return
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", errors="xmlcharrefreplace")  # as the page says, whatever the locale
    write(text)
