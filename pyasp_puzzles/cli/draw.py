"""The command `draw`: boards as pictures."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pyasp_puzzles.cli import options
from pyasp_puzzles.cli.files import OutputFiles, board_file_name
from pyasp_puzzles.cli.options import ANSWERS, OUTPUT, option, option_error, refuse_options_together
from pyasp_puzzles.cli.run import ANSWERED, Run
from pyasp_puzzles.cli.terminal import write_stderr
from pyasp_puzzles.errors import PuzzleError, listing
from pyasp_puzzles.render.svg import svg

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.render.svg import Drawing

_FORMATS = (".svg", ".html", ".png")

_CANDIDATES = "Draw what each cell holds in some answer."
_AXES = "Leave out the numbers of rows and columns, and the line that names the variants."
_TURNED = "Turn boards clockwise by 45 degrees, as Strata shows them."


def draw_command(
    run: Run,
    boards: options.AnyBoardOptions,
    out: OutputFiles,
    solved: Annotated[bool, option(ANSWERS, "Draw an answer.", "--solved")] = False,
    candidates: Annotated[bool, option(ANSWERS, _CANDIDATES, "--candidates")] = False,
    turned: Annotated[bool, option(OUTPUT, _TURNED, "--turned")] = False,
    bare: Annotated[bool, option(OUTPUT, _AXES, "--no-axes")] = False,
) -> None:
    """Draw boards, answers or candidates.

    The suffix of --output is .svg, .html or .png; in a directory, each board has an SVG. Without it, the SVG of a
    single board goes to standard output; on a terminal, to a file with the name of the board.

    Examples:
      pyasp draw tectonic/seed --solved -o seed.svg
      pyasp draw strips/hunt --solved -o hunt.html
      pyasp draw my.toml --candidates > my.svg

    Exit codes: 0 every board was drawn, 1 some board has no answer
    """
    refuse_options_together({"--solved": solved, "--candidates": candidates})
    suffix = "" if out.path is None else out.path.suffix.lower()
    if suffix not in {"", *_FORMATS}:
        raise option_error("--output", out.path, f"has an unknown suffix; choose {listing(_FORMATS)}, or a directory")
    with out:
        free = out.free(run.boards(boards), ".svg", run.report)
        found = drawings_of(free, run, solved=solved, candidates=candidates)
        drawings = ((instance, replace(drawing, turned=turned)) for instance, drawing in found)
        if bare:
            drawings = ((instance, replace(drawing, caption="")) for instance, drawing in drawings)
        if out.directory is not None:
            for instance, drawing in drawings:
                out.write(f"{svg(drawing, axes=not bare)}\n", board_file_name(instance, ".svg"))
        elif suffix == ".html":
            _write_page(drawings, out, run, axes=not bare)
        else:
            write_drawing(drawings, out, run, axes=not bare)


def drawings_of(
    boards: Iterator[tuple[Instance, Settings]], run: Run, *, solved: bool, candidates: bool = False
) -> Iterator[tuple[Instance, Drawing]]:
    """Yield each board with its drawing; a board without an answer is reported."""
    from pyasp_puzzles.queries.solve import possible, solve

    if not (solved or candidates):
        yield from ((instance, instance.drawing()) for instance, _ in boards)
        return
    for instance, found in run.answered(boards, solve if solved else possible):
        yield instance, replace(found.drawing(), title=instance.title or instance.puzzle.name)


def write_drawing(
    drawings: Iterator[tuple[Instance, Drawing]], output: OutputFiles, run: Run, *, axes: bool = True
) -> None:
    """Write the only drawing, to standard output or a file, PNG if its name says so; to a file rather than a terminal.

    Raises:
        PuzzleError: there are several, which need HTML or a directory.
    """
    found = next(drawings, None)
    if found is None:
        return
    if next(drawings, None) is not None:
        raise PuzzleError(
            "there are several boards; draw them on one page with `pyasp draw -o PAGE.html`, or each with -o DIR"
        )
    text = svg(found[1], axes=axes) + "\n"
    if output.unnamed and sys.stdout.isatty():
        path = Path(board_file_name(found[0], ".svg"))
        with OutputFiles(output=path, force=output.force, directories=False) as file:
            file.write(text, lacks=_lacks(run))
        write_stderr(f"wrote {path}")
        return
    is_png = output.path is not None and output.path.suffix.lower() == ".png"
    output.write(_png(text) if is_png else text, lacks=_lacks(run))


def _lacks(run: Run) -> str:
    return "" if run.code == ANSWERED else "is incomplete"


def _png(text: str) -> bytes:
    """Return an SVG as PNG, twice as large as on screen.

    Raises:
        PuzzleError: the program that does it is not installed.
    """
    try:
        import resvg_py
    except ImportError:
        raise PuzzleError("PNG needs resvg; run pip install 'pyasp-puzzles[png]', or write an .svg file") from None
    return bytes(resvg_py.svg_to_bytes(svg_string=text, zoom=2))


def _write_page(drawings: Iterator[tuple[Instance, Drawing]], output: OutputFiles, run: Run, *, axes: bool) -> None:
    from pyasp_puzzles.render.pages import gallery_page

    found = [
        (f"{drawing.title} {instance.number if instance.total != 1 else ''}", drawing) for instance, drawing in drawings
    ]
    if found:
        output.write(gallery_page("Puzzles", found, axes=axes), lacks=_lacks(run))
