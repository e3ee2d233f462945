"""The command `draw`: boards as pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pyasp_puzzles.cli import options
from pyasp_puzzles.cli.options import ANSWERS, option
from pyasp_puzzles.cli.output import file_stem
from pyasp_puzzles.cli.run import Run, command_run
from pyasp_puzzles.cli.terminal import write
from pyasp_puzzles.errors import listing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.render.svg import Drawing

FORMATS = (".svg", ".html", ".png")

CANDIDATES = "Draw what each cell holds in some answer."
FILES = "Write to this file (.svg, .html or .png), or an SVG for each board to this directory."


def draw(
    files: options.Files,
    format: options.As = None,
    answer: Annotated[bool, option(ANSWERS, "Draw an answer.", "--answer")] = False,
    candidates: Annotated[bool, option(ANSWERS, CANDIDATES, "--candidates")] = False,
    clues: Annotated[bool, option(ANSWERS, "Draw the clues only; the default.", "--clues")] = False,
    output: Annotated[Path | None, options.output(FILES, "FILE|DIR")] = None,
    encoding: options.Encoding = None,
    extra: options.Extra = None,
    puzzles: options.Puzzles = None,
    timeout: options.Timeout = None,
    puzzle: options.Shown = None,
    size: options.Size = None,
    colors: options.Colors = None,
) -> None:
    """Draw boards or answers as SVG, HTML or PNG.

    Without --output, the SVG of a single board goes to standard output.
    """
    if answer + candidates + clues > 1:
        raise typer.BadParameter("--answer, --candidates and --clues do not go together")
    with command_run() as run:
        search = options.settings(encoding, extra, timeout, puzzles=puzzles)
        shows = options.shows(puzzle, size, colors)
        content = "answer" if answer else "candidates" if candidates else "clues"
        drawings = _drawings(run.boards(files, search, format, shows), run, content)
        suffix = "" if output is None else output.suffix.lower()
        if output is not None and suffix == ".html":
            _write_page(drawings, output)
        elif output is not None and suffix not in FORMATS:
            if suffix and not output.is_dir():
                raise typer.BadParameter(f"-o {output}: unknown format; choose {listing(FORMATS)}, or a directory")
            _write_directory(drawings, output)
        else:
            _write_one(drawings, output)


def _drawings(
    boards: Iterator[tuple[Instance, Settings]], run: Run, content: str
) -> Iterator[tuple[Instance, Drawing]]:
    """Yield each board with its drawing; a board without an answer is reported."""
    from dataclasses import replace

    from pyasp_puzzles.queries.solve import possible, solve

    if content == "clues":
        yield from ((instance, instance.drawing()) for instance, _ in boards)
        return
    for instance, found in run.answered(boards, solve if content == "answer" else possible):
        yield instance, replace(found.drawing(), title=instance.title or instance.puzzle.name)


def _write_one(drawings: Iterator[tuple[Instance, Drawing]], output: Path | None) -> None:
    """Write the only drawing, to standard output or a file.

    Raises:
        PuzzleError: there are several, which need HTML or a directory.
    """
    from pyasp_puzzles.errors import PuzzleError
    from pyasp_puzzles.render.svg import svg

    found = next(drawings, None)
    if found is None:
        return
    if next(drawings, None) is not None:
        raise PuzzleError(
            "there are several boards; write them to one page with -o PAGE.html, or to a file each with -o DIR"
        )
    text = svg(found[1]) + "\n"
    if output is None:
        write(text)
    elif output.suffix.lower() == ".png":
        output.write_bytes(_png(text))
    else:
        output.write_text(text, encoding="utf-8")


def _png(text: str) -> bytes:
    """Return an SVG as PNG, twice as large as on screen.

    Raises:
        PuzzleError: the program that does it is not installed.
    """
    from pyasp_puzzles.errors import PuzzleError

    try:
        import resvg_py
    except ImportError:
        raise PuzzleError("PNG needs resvg; run pip install 'pyasp-puzzles[png]', or write an .svg file") from None
    return bytes(resvg_py.svg_to_bytes(svg_string=text, zoom=2))


def _write_page(drawings: Iterator[tuple[Instance, Drawing]], output: Path) -> None:
    """Write all drawings to one HTML page."""
    from pyasp_puzzles.render.pages import gallery

    found = [
        (f"{drawing.title} {instance.number if instance.total != 1 else ''}", drawing) for instance, drawing in drawings
    ]
    if found:
        output.write_text(gallery("Puzzles", found), encoding="utf-8")


def _write_directory(drawings: Iterator[tuple[Instance, Drawing]], output: Path) -> None:
    """Write an SVG for each board to a directory."""
    from pyasp_puzzles.render.svg import svg

    output.mkdir(parents=True, exist_ok=True)
    for instance, drawing in drawings:
        (output / f"{file_stem(instance)}.svg").write_text(svg(drawing) + "\n", encoding="utf-8")
