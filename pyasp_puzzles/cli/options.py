"""Arguments and options of several commands, and help that shows options in groups."""

from __future__ import annotations

import re
import shutil
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.formats.format import Shows


# The groups of options in help; --help is in none.
ANSWERS, OUTPUT, RULES, SEARCH, MANY_BOARDS = "Answers", "Output", "Rules", "Search", "Many boards"
PICTURES = "Pictures"
# Columns of help, on a wide terminal.
WIDEST_HELP = 100


def option(group: str, text: str, *names: str, **details: Any) -> Any:  # noqa: ANN401 (what typer takes and gives)
    """Return an option with its help, in a group; without names, it has the name of its parameter."""
    return typer.Option(*names, help=text, rich_help_panel=group, **details)


def offers(kind: str) -> Callable[[typer.Context, str], list[tuple[str, str]]]:
    """Return the function that completes an argument or option in a shell; `cli.completion` has the kinds."""

    # Typer evaluates what annotations a function has, so this one has none.
    def complete(ctx, incomplete):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        from pyasp_puzzles.cli.completion import offered

        return offered(kind, incomplete, ctx.params.get("puzzles") or ())

    return complete


def output(text: str, metavar: str) -> Any:  # noqa: ANN401 (as above)
    """Return the option --output with its help."""
    return option(OUTPUT, text, "-o", "--output", metavar=metavar)


FORCE = "Replace files that exist."
Force = Annotated[bool, option(OUTPUT, FORCE, "--force")]
INPUT = (
    "A TOML or .lp file, a file or an address of another program (see `pyasp list --formats`), a list of Sudokus, a"
    " directory, - for standard input, or a name from `pyasp list`."
)
Files = Annotated[list[str], typer.Argument(metavar="FILE...", help=INPUT, autocompletion=offers("board"))]
File = Annotated[str, typer.Argument(metavar="FILE", help=INPUT, autocompletion=offers("board"))]
PUZZLE = "A puzzle from `pyasp list`, or from --puzzles."
Puzzle = Annotated[str, typer.Argument(metavar="PUZZLE", help=PUZZLE, autocompletion=offers("puzzle"))]
FILLED_IN = (
    "A file with what is filled in, all or part of it: a grid, with `.` for an empty cell; a laying order, of which a"
    " hint needs the last ribbons; or output of solve --json, also for several boards; - for standard input."
)
FilledIn = Annotated[str | None, option(ANSWERS, FILLED_IN, "--answer", metavar="FILE")]
FILES = "Write to this file, or a file for each board to this directory."
DISTINCT = (
    "Which answers to Strata count as different. lattices, the default: those with another ribbon on top at some"
    " crossing, or another visible color; plays: those with another laying order, or another color of some ribbon;"
    " orders: as plays, but consecutive ribbons that are parallel or of one color may be swapped; looks: those with"
    " another finished picture."
)
Distinct = Annotated[str | None, option(ANSWERS, DISTINCT, metavar="WHAT", autocompletion=offers("distinct"))]
AS = (
    "Read FILE in this format (see `pyasp list --formats`), or as bare grids of this puzzle, or as a list of Sudokus"
    " (sudoku: 16, 36, 64 or 81 cells a line, . or 0 for an empty cell). By default the format is recognised."
)
As = Annotated[
    str | None,
    option("Arguments", AS, "--as", metavar="FORMAT|PUZZLE", autocompletion=offers("format or puzzle")),
]
SHOWN = "The puzzle of the board in a picture (PNG or JPEG): strata or strips, or one of yours with colors."
Shown = Annotated[str | None, option(PICTURES, SHOWN, "--puzzle", metavar="PUZZLE", autocompletion=offers("puzzle"))]
SIZE = "The size of that board: 6, or 4x6 for 4 rows and 6 columns."
Size = Annotated[str | None, option(PICTURES, SIZE, "--size", metavar="SIZE")]
COLORS = "How many colors its tiles have; found out if it is clear."
Colors = Annotated[int | None, option(PICTURES, COLORS, "--colors", metavar="N", min=1, max=100)]
ANGLE = (
    "By about how many degrees it is turned clockwise, if it is not upright; by default 45 if it is on a corner, as"
    " Strata shows it."
)
Angle = Annotated[float | None, option(PICTURES, ANGLE, "--angle", metavar="DEGREES", min=-360, max=360)]
Json = Annotated[bool, option(OUTPUT, "Print JSON Lines, one object per board.", "--json")]
HTML = "Write an HTML page with pictures to this file instead; - for standard output."
Html = Annotated[str | None, option(OUTPUT, HTML, metavar="PAGE")]
Stats = Annotated[bool, option(OUTPUT, "Print the times and sizes of each search to standard error.", "--stats")]
ENCODING = (
    "Use the rules in this file instead of those of the puzzle; or all in this folder, where a file replaces the one of"
    " its name."
)
# A list, so that a second one is not ignored.
Encoding = Annotated[list[Path] | None, option(RULES, ENCODING, metavar="FILE|DIR")]
EXTRA = "Add the rules in this file, or a variant: its name in `pyasp list --variants`, or its folder. May be repeated."
Extra = Annotated[list[Path] | None, option(RULES, EXTRA, metavar="RULES", autocompletion=offers("variant"))]
PUZZLES = "Also use the puzzle or variant in this folder, or all in its subfolders. May be repeated."
Puzzles = Annotated[list[Path] | None, option(RULES, PUZZLES, metavar="DIR")]
TIMEOUT = "Stop working on a board after this time, and print what was found."
Timeout = Annotated[float | None, option(SEARCH, TIMEOUT, metavar="SECONDS", min=0)]
SEED = "Search in another order; the same seed gives the same order."
Seed = Annotated[int | None, option(SEARCH, SEED, metavar="N", min=0, max=2**32 - 1)]
Threads = Annotated[int, option(SEARCH, "Search with this many threads.", metavar="N", min=1, max=64)]


def settings(
    encoding: list[Path] | None = None,
    extra: list[Path] | None = None,
    timeout: float | None = None,
    seed: int | None = None,
    threads: int = 1,
    puzzles: list[Path] | None = None,
) -> Settings:
    """Return the settings that these options make.

    Raises:
        BadParameter: the timeout is not a number, or there are two encodings.
    """
    if encoding and len(encoding) > 1:
        raise typer.BadParameter("--encoding is given twice; name one file, or one folder with all of them")
    if timeout is not None and isnan(timeout):
        raise typer.BadParameter("--timeout is not a number; write seconds")
    from pyasp_puzzles.asp.paths import is_variant
    from pyasp_puzzles.asp.settings import Settings

    # The keys of a variant in a folder may be in boards.
    folders = filter(is_variant, extra or ())
    return Settings(
        encoding[0] if encoding else None, tuple(extra or ()), timeout, seed, threads, (*(puzzles or ()), *folders)
    )


def shows(puzzle: str | None, size: str | None, colors: int | None, angle: float | None) -> Shows | None:
    """Return what a picture shows, as these options say; None if none of them is given.

    Raises:
        BadParameter: the size is none, or the angle is no number.
    """
    if puzzle is None and size is None and colors is None and angle is None:
        return None
    if angle is not None and isnan(angle):
        raise typer.BadParameter("--angle is not a number; write degrees")
    from pyasp_puzzles.formats.format import Shows

    return Shows(puzzle, None if size is None else rows_and_columns(size), colors, angle)


def rows_and_columns(words: str) -> tuple[int, int]:
    """Return the numbers that --size says: 9, or 8x10.

    Raises:
        BadParameter: it is no size.
    """
    match = re.fullmatch(r"(\d{1,4})(?:x(\d{1,4}))?", words)
    if match is None:
        raise typer.BadParameter(f"--size {words} is not a size; write 9, or 8x10 for 8 rows and 10 columns")
    return int(match[1]), int(match[2] or match[1])


def help_width() -> int:
    """Return how many columns help takes: as many as the terminal has, unless that is too wide to read."""
    return max(20, min(shutil.get_terminal_size().columns, WIDEST_HELP) - 2)


class GroupedCommand(TyperCommand):
    """A command whose help lists its options in groups, in plain text.

    Typer groups options only if rich writes the help, which takes 100 ms more and draws boxes that do not belong in a
    pipe.
    """

    def collect_usage_pieces(self, ctx: Any) -> list[str]:  # noqa: ANN401 (as below)
        """Return the parts of the usage line: FILE, where typer has {FILE} for what is required."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 (click's types, which typer hides)
        """Write the arguments, and then the options of each group."""
        groups: dict[str, list[tuple[str, str]]] = {"Arguments": []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                argument = parameter.param_type_name == "argument"
                group = "Arguments" if argument else getattr(parameter, "rich_help_panel", None) or "Options"
                groups.setdefault(group, []).append((record[0], _plain_help(record[1])))
        for name, records in groups.items():
            _write_list(name, records, formatter)


class CommandGroup(TyperGroup):
    """The command itself, whose help has the whole summary of each of its commands; typer would cut it."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 (as above)
        """Write each command with the first paragraph of its help."""
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        summaries = [(name, (command.help or "").partition("\n\n")[0]) for name, command in commands if command]
        _write_list("Commands", [(name, " ".join(summary.split())) for name, summary in summaries], formatter)


def _write_list(name: str, records: list[tuple[str, str]], formatter: Any) -> None:  # noqa: ANN401 (as above)
    if records:
        with formatter.section(name):
            formatter.write_dl(records, col_max=min(30, formatter.width * 2 // 5))


def _plain_help(text: str) -> str:
    """Return the help of an option without the notes of typer that say nothing: ranges, and what usage shows."""
    words, _, notes = text.rpartition("  [")
    if not words:
        return text
    kept = [note for note in notes.removesuffix("]").split("; ") if note != "required" and not re.search("[<>]", note)]
    return f"{words}  [{'; '.join(kept)}]" if kept else words


def usage_words(text: str) -> str:
    """Return the message of a usage error in our words: `--jobs: 0 is too small, expected at least 1`."""
    found = re.fullmatch(r"Invalid value for (.+?): (.+?)\.?", " ".join(text.split()))
    if found is None:
        return " ".join(text.split()).rstrip(".")
    name, problem = found[1].split(" / ")[-1].strip("'"), found[2]
    bounds = re.fullmatch(r"(\S+) is not in the range (?:(\S+?)<=x<=(\S+)|x>=(\S+))", problem)
    if bounds is not None:
        value, low, high = bounds[1], bounds[2] or bounds[4], bounds[3]
        small = float(value) < float(low)
        problem = (
            f"{value} is too {'small' if small else 'large'}, expected at {f'least {low}' if small else f'most {high}'}"
        )
    kind = re.fullmatch(r"(.*) is not a valid (int|float)\w*(?: range)?", problem)
    if kind is not None:
        problem = f"{kind[1]} is not a {'whole number' if kind[2] == 'int' else 'number'}"
    return f"{name}: {problem}"
