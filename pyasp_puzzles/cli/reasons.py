"""The command that shows how far resolution comes: resolve."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from .boards import ABANDONED, instances, timed, warn
from .ending import ANSWERED, NO_ANSWER, OUT_OF_TIME, complain, ending, style, write
from .options import Encoding, Extra, File, Json, Puzzles, Timeout, settings


def resolve(
    file: File,
    guess: Annotated[
        list[str] | None,
        typer.Option(
            metavar="R,C,V", help="Assume V in row R, column C of each board; may be repeated.", show_default=False
        ),
    ] = None,
    as_json: Json = False,
    encoding: Encoding = None,
    extra: Extra = None,
    puzzles: Puzzles = None,
    timeout: Timeout = None,
) -> None:
    """Say how far disjunctive syllogism alone comes on a Strimko, Sudoku or Tectonic: no guess, no search."""
    from pyasp_puzzles.resolution import resolve
    from pyasp_puzzles.resolution_report import write_resolution

    with ending(as_json=as_json) as end:
        how = settings(encoding, extra, timeout, puzzles=puzzles)
        guesses = [_guess(text) for text in guess or ()]
        for instance, left in timed(instances([file], end, puzzles=how.puzzles), how):
            found = resolve(instance, guesses, left)
            warn(found.warnings)
            write_resolution(instance, found, write, style(), as_json=as_json)
            end.at_least({"solved": ANSWERED, "unknown": OUT_OF_TIME}.get(found.status, NO_ANSWER))
            if found.status == "unknown":
                complain(ABANDONED)
                return


def _guess(text: str) -> tuple[int, int, int]:
    """Return the guess that a text is.

    Raises:
        BadParameter: it is none.
    """
    match = re.fullmatch(r"\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*", text)
    if match is None:
        from pyasp_puzzles.errors import shown

        raise typer.BadParameter(f"--guess {shown(text)} is no guess, expected ROW,COLUMN,NUMBER")
    row, column, number = map(int, match.groups())
    return row, column, number
