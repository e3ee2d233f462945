"""The command `pyasp`: the only place that prints or exits.

ending      how a command ends, as an exit code, and how text gets out
options     the arguments and options that several commands take
questions   solve, count, check: what is asked of boards
things      facts, encoding, list: what there is
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

import typer

from . import questions, things
from .ending import BAD_INPUT, INTERRUPTED, complain

app = typer.Typer(
    name="pyasp",
    help="Solve Strata, Strimko, Sudoku, Tectonic and strips puzzles with answer set programs that you can read.",
    epilog="Begin with: pyasp solve tectonic/seed",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command(
    epilog="Exit codes: 0 all boards have answers, 1 some board has none, 2 bad input, 3 out of time, 130 interrupted."
)(questions.solve)
app.command(epilog="Exit codes: 0 every board was counted, 2 bad input, 3 out of time, 130 interrupted.")(
    questions.count
)
app.command(
    epilog="Exit codes: 0 every board has just one answer (or: ANSWER breaks no rule), 1 not so, 2 bad input, 3 out of"
    " time, 130 interrupted."
)(questions.check)
app.command()(things.facts)
app.command()(things.encoding)
app.command(name="list")(things.list_)


def main() -> None:
    """Run the command line: the entry point."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115 (it stays open for as long as the program runs)
    if sys.stdout is None:
        complain("standard output is closed, expected somewhere to write to")
        os._exit(BAD_INPUT)
    try:
        code = app(sys.argv[1:] or ["--help"], standalone_mode=False)
    except _UsageError as error:
        message: str = error.format_message()  # type: ignore[attr-defined]
        complain(f"{' '.join(message.split()).rstrip('.')}; see pyasp --help")
        code = BAD_INPUT
    except KeyboardInterrupt:
        code = INTERRUPTED
    with suppress(OSError):
        sys.stdout.flush()
    os._exit(code or 0)  # a search that was left alone may still be running, and would not let Python end


_UsageError: type[Exception] = typer.BadParameter.__bases__[0]
"""What typer raises for wrong usage; it exports no name for it."""
