"""The command `convert`: boards in another format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pyasp_puzzles.cli import options
from pyasp_puzzles.cli.output import file_stem
from pyasp_puzzles.cli.run import command_run
from pyasp_puzzles.cli.terminal import message, write
from pyasp_puzzles.errors import PuzzleError, listing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pyasp_puzzles.formats.format import Format
    from pyasp_puzzles.model.puzzle import Instance

TO = "Write this format; see `pyasp list --formats`."


def convert(
    files: options.Files,
    format: options.As = None,
    to: Annotated[
        str | None,
        options.option(options.OUTPUT, TO, "--to", metavar="FORMAT", autocompletion=options.offers("format")),
    ] = None,
    output: Annotated[Path | None, options.output(options.FILES, "OUT")] = None,
    puzzles: options.Puzzles = None,
    puzzle: options.Shown = None,
    size: options.Size = None,
    colors: options.Colors = None,
) -> None:
    """Write boards in another format.

    Boards that the format cannot represent are refused. A warning names details that are lost, such as the title.
    """
    from pyasp_puzzles.formats.format import by_suffix, find, formats

    with command_run() as run:
        name = to or by_suffix().get(output.suffix if output else "")
        if name is None:
            raise typer.BadParameter(f"--to is missing; choose {listing(formats())}")
        wanted = find(name)
        search = options.settings(puzzles=puzzles)
        shows = options.shows(puzzle, size, colors)
        boards = (board for board, _ in run.boards(files, search, format, shows))
        write_boards(boards, wanted, output, run.report)


def write_boards(
    boards: Iterable[Instance], wanted: Format, output: Path | None, report: Callable[[PuzzleError], object]
) -> None:
    """Write boards in a format, to standard output, a file, or a directory; report boards that it cannot store."""
    found = []
    for board in boards:
        if wanted.line and output is None:  # as they come
            _write_each([board], wanted, report)
        else:
            found.append(board)
    if output is not None and (output.is_dir() or (not output.suffix and len(found) > 1)):
        _write_directory(found, wanted, output, report)
    elif found and output is None:
        _write_each(found, wanted, report)
    elif found:
        assert output is not None
        for text in _texts(found, wanted, report):
            output.write_text(f"{text}\n", encoding="utf-8")


def _write_each(boards: Sequence[Instance], wanted: Format, report: Callable[[PuzzleError], object]) -> None:
    for text in _texts(boards, wanted, report):
        write(f"{text}\n")


def _texts(boards: Sequence[Instance], wanted: Format, report: Callable[[PuzzleError], object]) -> Iterator[str]:
    """Yield the text of boards, if the format can say them."""
    try:
        yield wanted.write(boards, lambda words: message(f"warning: {words}"))
    except PuzzleError as error:
        error.about = error.about or boards[0].about
        report(error)


def _write_directory(
    boards: Sequence[Instance], wanted: Format, output: Path, report: Callable[[PuzzleError], object]
) -> None:
    """Write a file for each board to a directory."""
    output.mkdir(parents=True, exist_ok=True)
    suffix = (*wanted.suffixes, ".txt")[0]
    for board in boards:
        for text in _texts([board], wanted, report):
            (output / f"{file_stem(board)}{suffix}").write_text(f"{text}\n", encoding="utf-8")
