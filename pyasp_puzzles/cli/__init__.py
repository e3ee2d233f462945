"""The command `pyasp`: the only place that prints or exits.

solve, batch   solve: the answers; many boards, in other processes too
check          count, check
explain        explain, hint, grade, resolve
show           facts, encoding, list, new
options        the arguments and options that several commands take
boards         what the commands do with boards
output         answers as text and as JSON Lines
exit           exit codes, and how text gets out
progress       a line on the terminal while nothing else comes
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING

from pyasp_puzzles.cli.exit import BAD_INPUT, INTERRUPTED, complain, unwritable

if TYPE_CHECKING:
    import typer


COMMANDS = {
    "solve": ("solve", "0 all boards have answers, 1 some board has none"),
    "count": ("check", "0 all boards were counted"),
    "check": ("check", "0 every board has just one answer (or: ANSWER breaks no rule), 1 it is not so"),
    "explain": ("explain", "0 every board ends in its answer, 1 some board has several or none"),
    "hint": ("explain", "0 there is a next step, or all is done, 1 something is wrong"),
    "grade": ("explain", "0 every board has a grade, 1 some board has not just one answer"),
    "resolve": ("explain", "0 every board is solved, 1 resolution stops, or meets a contradiction"),
    "facts": ("show", "0"),
    "encoding": ("show", "0"),
    "list": ("show", "0"),
    "new": ("show", "0"),
}
"""Of each command: its module, and what its exit codes mean beside those that all have."""


def application(*names: str) -> typer.Typer:
    """Return the command line with these commands, or with all."""
    import typer

    app = typer.Typer(
        name="pyasp",
        help="Solve Strata, Strimko, Sudoku, Tectonic and strips puzzles with answer set programs that you can read.",
        epilog="Begin with: pyasp solve tectonic/seed",
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    def version(asked: bool) -> None:
        if asked:
            from pyasp_puzzles import __version__

            typer.echo(f"pyasp {__version__}")
            raise typer.Exit

    @app.callback()  # with which one command alone is one command still
    def _(
        _: bool = typer.Option(
            False, "--version", callback=version, is_eager=True, help="Print the version, and exit."
        ),
    ) -> None: ...

    for name in names or COMMANDS:
        module, codes = COMMANDS[name]
        function = getattr(import_module(f".{module}", __name__), name if name != "list" else "list_")
        epilog = f"Exit codes: {codes}, 2 bad input, 3 out of time, 130 interrupted." if codes != "0" else None
        app.command(name=name, epilog=epilog)(function)
    return app


def main() -> None:
    """Run the command line: the entry point."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115 (it stays open for as long as the program runs)
    if sys.stdout is None:
        complain("standard output is closed, expected somewhere to write to")
        os._exit(BAD_INPUT)
    words = sys.argv[1:] or ["--help"]
    try:
        code = _parsed(words)
    except SystemExit as end:
        code = int(end.code or 0)
    except KeyboardInterrupt:
        code = INTERRUPTED
    except OSError as error:
        complain(unwritable(error))
        code = BAD_INPUT
    with suppress(OSError):
        sys.stdout.flush()
    os._exit(code)  # a search that was left alone may still be running, and would not let Python end


def _parsed(words: list[str]) -> int:
    """Run the command that the words are, and return its exit code."""
    import typer

    usage_error: type[Exception] = typer.BadParameter.__bases__[0]  # typer exports no name for it
    app = application(*(words[:1] if words[0] in COMMANDS else ()))  # to set up all would take 3 ms more
    try:
        return app(words, standalone_mode=False) or 0
    except usage_error as error:
        message: str = error.format_message()  # type: ignore[attr-defined]
        complain(f"{' '.join(message.split()).rstrip('.')}; see pyasp --help")
        return BAD_INPUT
