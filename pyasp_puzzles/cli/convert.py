"""The command `convert`: boards in another format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pyasp_puzzles.cli import options
from pyasp_puzzles.cli.files import Output
from pyasp_puzzles.cli.output import file_stem
from pyasp_puzzles.cli.run import command_run
from pyasp_puzzles.cli.terminal import message
from pyasp_puzzles.errors import PuzzleError, listing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pyasp_puzzles.formats.format import Format
    from pyasp_puzzles.model.puzzle import Instance

# The boards that a warning names.
MOST_NAMED = 3
TO = "Write this format; see `pyasp list --formats`."


def convert(
    files: options.Files,
    format: options.As = None,
    to: Annotated[
        str | None,
        options.option(options.OUTPUT, TO, "--to", metavar="FORMAT", autocompletion=options.offers("format")),
    ] = None,
    output: Annotated[Path | None, options.output(options.FILES, "FILE|DIR")] = None,
    force: options.Force = False,
    puzzles: options.Puzzles = None,
    puzzle: options.Shown = None,
    size: options.Size = None,
    colors: options.Colors = None,
    angle: options.Angle = None,
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
        shows = options.shows(puzzle, size, colors, angle)
        boards = (board for board, _ in run.boards(files, search, format, shows))
        write_boards(boards, wanted, Output(output, force=force), run.report)


def write_boards(
    boards: Iterable[Instance], wanted: Format, output: Output, report: Callable[[PuzzleError], object]
) -> None:
    """Write boards in a format, to standard output, a file, or a directory; report boards that it cannot store."""
    lost: dict[str, list[Instance]] = {}
    total = 0

    def counted() -> Iterator[Instance]:
        nonlocal total
        for total, board in enumerate(boards, 1):  # noqa: B007 (counted)
            yield board

    try:
        _write_all(counted(), wanted, output, lost, report)
    finally:
        for words, losers in lost.items():
            message(f"warning: {words}{_which(losers, total)}")


def _which(boards: Sequence[Instance], total: int) -> str:
    """Return which boards of all a warning is about, in parentheses; nothing if there is only one."""
    if len(boards) == total:
        return f" (all {total} boards)" if total > 1 else ""
    names = list(dict.fromkeys(str(board.facts.where) for board in boards))
    more = len(names) - MOST_NAMED
    shown = [*names[:MOST_NAMED], *([f"{more} more"] if more > 0 else [])]
    return f" ({listing(shown, 'and')})"


def _write_all(
    boards: Iterator[Instance],
    wanted: Format,
    output: Output,
    lost: dict[str, list[Instance]],
    report: Callable[[PuzzleError], object],
) -> None:
    """Write all boards; add what is lost of each."""
    if output.directory is None and not (wanted.line and output.path is None):
        found = list(boards)
        for text in _texts(found, wanted, lost, report) if found else ():
            output.write(f"{text}\n")
        return
    suffix = (*wanted.suffixes, ".txt")[0]
    for board in boards:  # as they come
        for text in _texts([board], wanted, lost, report):
            if output.directory is None:
                output.write(f"{text}\n")
                continue
            try:
                output.write_in_directory(f"{file_stem(board)}{suffix}", f"{text}\n")
            except PuzzleError as error:
                error.about = board.about
                report(error)


def _texts(
    boards: Sequence[Instance],
    wanted: Format,
    lost: dict[str, list[Instance]],
    report: Callable[[PuzzleError], object],
) -> Iterator[str]:
    """Yield the text of boards, if the format can say them; add what is lost of each."""

    def written(some: Sequence[Instance]) -> str:
        return wanted.write(some, lambda words: lost.setdefault(words, []).append(some[0]))

    try:
        if len(boards) > 1:  # a warning does not say its board
            for board in boards:
                written([board])
        yield wanted.write(boards, lambda _: None) if len(boards) > 1 else written(boards)
    except PuzzleError as error:
        error.about = error.about or boards[0].about
        report(error)
