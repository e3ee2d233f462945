"""Arguments and options of several commands, and help that shows options in groups."""

from __future__ import annotations

from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

if TYPE_CHECKING:
    from pyasp_puzzles.asp.settings import Settings


ANSWERS, OUTPUT, RULES, SEARCH, MANY_BOARDS = "Answers", "Output", "Rules", "Search", "Many boards"
"""The groups of options in help; --help is in none."""
MAX_LIMIT = 2**31 - 1
"""The largest limit on models that clingo takes."""

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE...",
        help="TOML or .lp files, directories of them, - for standard input, or names from `pyasp list`.",
        show_default=False,
    ),
]
File = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="A TOML or .lp file, a directory, - for standard input, or a name from `pyasp list`.",
        show_default=False,
    ),
]
Distinct = Annotated[
    str | None,
    typer.Option(
        metavar="WHAT",
        help="Which answers to Strata count as different: lattices (another ribbon on top at some crossing, or another"
        " visible colour; the default), plays (another laying order, or colour of any ribbon), looks (another finished"
        " picture).",
        show_default=False,
        rich_help_panel=ANSWERS,
    ),
]
Lines = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="PUZZLE",
        help="Read files other than .toml and .lp as lists of this puzzle, which must be sudoku: 81 cells a line, . or"
        " 0 for an empty cell.",
        show_default=False,
        rich_help_panel=MANY_BOARDS,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON Lines, one object per board.", rich_help_panel=OUTPUT)]
Stats = Annotated[
    bool,
    typer.Option("--stats", help="Print the times and sizes of each search to standard error.", rich_help_panel=OUTPUT),
]
Encoding = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Use the rules in this file instead of those that ship.",
        show_default=False,
        rich_help_panel=RULES,
    ),
]
Extra = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="RULES",
        help="Add the rules in this file, or a variant from `pyasp list --variants`; may be repeated.",
        show_default=False,
        rich_help_panel=RULES,
    ),
]
Puzzles = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="DIR",
        help="Also use the puzzle in this folder, or the puzzles in its folders; may be repeated.",
        show_default=False,
        rich_help_panel=RULES,
    ),
]
Timeout = Annotated[
    float | None,
    typer.Option(
        metavar="SECONDS",
        min=0,
        help="Stop working on a board after this time, and print what was found.",
        show_default=False,
        rich_help_panel=SEARCH,
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=0,
        max=2**32 - 1,
        help="Search in another order; the same seed gives the same order.",
        show_default=False,
        rich_help_panel=SEARCH,
    ),
]
Threads = Annotated[
    int, typer.Option(metavar="N", min=1, max=64, help="Search with this many threads.", rich_help_panel=SEARCH)
]


def settings(
    encoding: Path | None,
    extra: list[Path] | None,
    timeout: float | None,
    seed: int | None = None,
    threads: int = 1,
    puzzles: list[Path] | None = None,
) -> Settings:
    """Return the settings that these options make.

    Raises:
        BadParameter: the timeout is not a number.
    """
    if timeout is not None and isnan(timeout):
        raise typer.BadParameter("--timeout is no number, expected seconds")
    from pyasp_puzzles.asp.settings import Settings

    return Settings(encoding, tuple(extra or ()), timeout, seed, threads, tuple(puzzles or ()))


class GroupedCommand(TyperCommand):
    """A command whose help lists its options in groups, in plain text.

    Typer groups options only if rich writes the help, which takes 100 ms more, and boxes that do not belong in a pipe.
    """

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 (click's types, which typer hides)
        """Write the arguments, and then the options of each group."""
        groups: dict[str, list[tuple[str, str]]] = {"Arguments": []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                argument = parameter.param_type_name == "argument"
                group = "Arguments" if argument else getattr(parameter, "rich_help_panel", None) or "Options"
                groups.setdefault(group, []).append(record)
        for name, records in groups.items():
            if records:
                with formatter.section(name):
                    formatter.write_dl(records)
