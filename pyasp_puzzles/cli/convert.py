"""The command `convert`: boards in another format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyasp_puzzles.cli import options
from pyasp_puzzles.cli.files import OutputFiles, board_file_name
from pyasp_puzzles.cli.run import Run
from pyasp_puzzles.cli.terminal import write_stderr
from pyasp_puzzles.errors import PuzzleError, listing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pyasp_puzzles.formats.format import Format
    from pyasp_puzzles.model.puzzle import Instance

# The boards that a warning names.
_MOST_NAMED = 3


def convert_command(run: Run, boards: options.PicturedBoardOptions, out: OutputFiles, to: options.To = None) -> None:
    """Write boards in another format.

    Boards that the format cannot represent are refused. A warning names details that are lost, such as the title.

    Examples:
      pyasp convert sudoku/easy --to sudokupad
      pyasp convert 'https://puzz.link/p?sudoku/4/4/g1k23k3g' --to toml
      pyasp convert list.txt --to penpa -o addresses.txt

    Exit codes: 0 every board was written
    """
    from pyasp_puzzles.formats.format import find_format, formats, formats_by_suffix

    name = to or formats_by_suffix().get(out.output.suffix if out.output else "")
    if name is None:
        raise options.UsageError(f"--to is missing; choose {listing(formats())}")
    wanted = find_format(name)
    with out:
        convert_boards((board for board, _ in run.boards(boards)), wanted, out, run.report)


def convert_boards(
    boards: Iterable[Instance], wanted: Format, output: OutputFiles, report: Callable[[PuzzleError], object]
) -> None:
    """Write boards in a format, to standard output, a file, or a directory; report boards that it cannot store."""
    lost: dict[str, list[Instance]] = {}
    total = 0

    def text(some: Sequence[Instance]) -> str:
        return wanted.write(some, lambda words: lost.setdefault(words, []).append(some[0]))

    at_once = output.directory is None and not (wanted.line and output.path is None)
    try:
        for some in [[*boards]] if at_once else ([board] for board in boards):
            total += len(some)
            try:
                texts = [text([board]) for board in some]  # one by one, as a warning does not name its board
                for one in texts if len(some) < 2 else [wanted.write(some, lambda _: None)]:
                    output.write(f"{one}\n", board_file_name(some[0], (*wanted.suffixes, ".txt")[0]))
            except PuzzleError as error:
                error.about = error.about or some[0].about
                report(error)
    finally:
        for words, losers in lost.items():
            write_stderr(f"warning: {words}{_which(losers, total)}")


def _which(boards: Sequence[Instance], total: int) -> str:
    """Return which boards of all a warning is about, in parentheses; nothing if there is only one."""
    if len(boards) == total:
        return f" (all {total} boards)" if total > 1 else ""
    names = list(dict.fromkeys(str(board.facts.where) for board in boards))
    more = len(names) - _MOST_NAMED
    shown = [*names[:_MOST_NAMED], *([f"{more} more"] if more > 0 else [])]
    return f" ({listing(shown, 'and')})"
