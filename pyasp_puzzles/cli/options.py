"""The arguments and options that several commands take."""

from __future__ import annotations

from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pyasp_puzzles.asp.settings import Settings


Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE...",
        help="TOML or .lp files, directories of them, - for standard input, or names from `pyasp list`.",
        show_default=False,
    ),
]
File = Annotated[str, typer.Argument(metavar="FILE", help="An instance, as for `pyasp solve`.", show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object a board and line.")]
Distinct = Annotated[
    str | None,
    typer.Option(
        metavar="WHAT",
        help="What tells answers apart, for Strata: lattices (who lies over whom; the default), plays (every laying"
        " order, in every colour), looks (the finished picture).",
        show_default=False,
    ),
]
Encoding = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Use this encoding, in place of the one that ships.", show_default=False),
]
Extra = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="RULES",
        help="Add the rules of this file, or of a variant from `pyasp list --variants`; may be repeated.",
        show_default=False,
    ),
]
Lines = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="PUZZLE",
        help="Read files other than .toml and .lp as boards of sudoku, one a line: 81 cells, . or 0 for empty.",
        show_default=False,
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=1024,
        metavar="N",
        help="Solve in N processes; one that dies or never comes back costs its board alone.",
        show_default=False,
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Solve on the Dask cluster of this scheduler, as tcp://HOST:8786; needs pyasp-puzzles[dask].",
        show_default=False,
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(metavar="FILE.jsonl", help="Write JSON Lines to this file, which must be new.", show_default=False),
]
Resume = Annotated[
    bool, typer.Option("--resume", help="Go on with the --output of an earlier run: what is there is not done again.")
]
MOST = 2**31 - 1
"""The largest limit that clingo takes."""
Puzzles = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="DIR",
        help="Know the puzzles in this folder, too: a puzzle, or a directory of puzzles; may be repeated.",
        show_default=False,
    ),
]
Timeout = Annotated[
    float | None,
    typer.Option(
        metavar="SECONDS", min=0, help="Stop looking at a board after so long; say what was found.", show_default=False
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        metavar="N", min=0, max=2**32 - 1, help="Look in another order, the same for the same N.", show_default=False
    ),
]
Threads = Annotated[int, typer.Option(metavar="N", min=1, max=64, help="Search in N threads.")]
Stats = Annotated[bool, typer.Option("--stats", help="Print times and sizes of each search to standard error.")]


def settings(
    encoding: Path | None,
    extra: list[Path] | None,
    timeout: float | None,
    seed: int | None = None,
    threads: int = 1,
    puzzles: list[Path] | None = None,
) -> Settings:
    """Return the options of a search as its settings.

    Raises:
        BadParameter: the timeout is no number.
    """
    if timeout is not None and isnan(timeout):
        raise typer.BadParameter("--timeout is no number, expected seconds")
    from pyasp_puzzles.asp.settings import Settings

    return Settings(encoding, tuple(extra or ()), timeout, seed, threads, tuple(puzzles or ()))
