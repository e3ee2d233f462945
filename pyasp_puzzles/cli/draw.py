"""The command `draw`: boards as pictures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pyasp_puzzles.cli import options
from pyasp_puzzles.cli.files import Output
from pyasp_puzzles.cli.options import ANSWERS, option
from pyasp_puzzles.cli.output import file_stem
from pyasp_puzzles.cli.run import Run, command_run
from pyasp_puzzles.errors import listing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.render.svg import Drawing

FORMATS = (".svg", ".html", ".png")

CANDIDATES = "Draw what each cell holds in some answer."
TURNED = "Turn boards clockwise by 45 degrees, as Strata shows them."
FILES = "Write to this file (.svg, .html or .png), or an SVG for each board to this directory."


def draw(
    files: options.Files,
    format: options.As = None,
    answer: Annotated[bool, option(ANSWERS, "Draw an answer.", "--answer")] = False,
    candidates: Annotated[bool, option(ANSWERS, CANDIDATES, "--candidates")] = False,
    clues: Annotated[bool, option(ANSWERS, "Draw the clues only; the default.", "--clues")] = False,
    turned: Annotated[bool, option(options.OUTPUT, TURNED, "--turned")] = False,
    output: Annotated[Path | None, options.output(FILES, "FILE|DIR")] = None,
    force: options.Force = False,
    encoding: options.Encoding = None,
    extra: options.Extra = None,
    puzzles: options.Puzzles = None,
    timeout: options.Timeout = None,
    puzzle: options.Shown = None,
    size: options.Size = None,
    colors: options.Colors = None,
    angle: options.Angle = None,
) -> None:
    """Draw boards or answers as SVG, HTML or PNG.

    Without --output, the SVG of a single board goes to standard output.
    """
    if answer + candidates + clues > 1:
        raise typer.BadParameter("--answer, --candidates and --clues do not go together")
    suffix = "" if output is None else output.suffix.lower()
    if suffix not in {"", *FORMATS} and output is not None and not output.is_dir():
        raise typer.BadParameter(f"-o {output}: unknown format; choose {listing(FORMATS)}, or a directory")
    with command_run() as run:
        search = options.settings(encoding, extra, timeout, puzzles=puzzles)
        shows = options.shows(puzzle, size, colors, angle)
        content = "answer" if answer else "candidates" if candidates else "clues"
        out = Output(output, force=force)
        boards = out.free(run.boards(files, search, format, shows), _name, run.report)
        found = _drawings(boards, run, content)
        drawings = ((instance, replace(drawing, turned=turned)) for instance, drawing in found)
        if out.directory is not None:
            from pyasp_puzzles.render.svg import svg

            for instance, drawing in drawings:
                out.write_in_directory(_name(instance), svg(drawing) + "\n")
        elif suffix == ".html":
            _write_page(drawings, out)
        else:
            _write_one(drawings, out, suffix)


def _name(instance: Instance) -> str:
    """Return the name of the file of a board in a directory."""
    return f"{file_stem(instance)}.svg"


def _drawings(
    boards: Iterator[tuple[Instance, Settings]], run: Run, content: str
) -> Iterator[tuple[Instance, Drawing]]:
    """Yield each board with its drawing; a board without an answer is reported."""
    from pyasp_puzzles.queries.solve import possible, solve

    if content == "clues":
        yield from ((instance, instance.drawing()) for instance, _ in boards)
        return
    for instance, found in run.answered(boards, solve if content == "answer" else possible):
        yield instance, replace(found.drawing(), title=instance.title or instance.puzzle.name)


def _write_one(drawings: Iterator[tuple[Instance, Drawing]], output: Output, suffix: str) -> None:
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
    output.write(_png(text) if suffix == ".png" else text)


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


def _write_page(drawings: Iterator[tuple[Instance, Drawing]], output: Output) -> None:
    """Write all drawings to one HTML page."""
    from pyasp_puzzles.render.pages import gallery

    found = [
        (f"{drawing.title} {instance.number if instance.total != 1 else ''}", drawing) for instance, drawing in drawings
    ]
    if found:
        output.write(gallery("Puzzles", found))
