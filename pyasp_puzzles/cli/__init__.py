"""The command `pyasp`: the only place that prints or exits.

ending      how a command ends, as an exit code, and how text gets out
options     the arguments and options that several commands take
boards      what the commands do with boards
solving     solve: the answers
many        solve, where boards come in collections, or are sent to other processes
questions   count, check: whether it is a good puzzle
progress    a line on the terminal while nothing else comes
steps       explain, hint, grade: the steps that lead to the answer
reasons     resolve: how far resolution comes
things      facts, encoding, list, new: what there is, and a puzzle of one's own
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING

from .ending import BAD_INPUT, INTERRUPTED, complain, unwritable

if TYPE_CHECKING:
    import typer

COMMANDS = {
    "solve": ("solving", "0 all boards have answers, 1 some board has none"),
    "count": ("questions", "0 all boards were counted"),
    "check": ("questions", "0 every board has just one answer (or: ANSWER breaks no rule), 1 it is not so"),
    "explain": ("steps", "0 every board ends in its answer, 1 some board has several or none"),
    "hint": ("steps", "0 there is a next step, or all is done, 1 something is wrong"),
    "grade": ("steps", "0 every board has a grade, 1 some board has not just one answer"),
    "resolve": ("reasons", "0 every board is solved, 1 resolution stops, or meets a contradiction"),
    "facts": ("things", "0"),
    "encoding": ("things", "0"),
    "list": ("things", "0"),
    "new": ("things", "0"),
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
        plain = _plain(words[1:]) if words[0] == "solve" else None
        if plain is not None:
            from .boards import solve_plainly

            solve_plainly(*plain)
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


def _plain(words: list[str]) -> tuple[list[str], int, bool] | None:
    """Return the files, how many answers, and whether as JSON; None if there is more to it, and it takes typer.

    typer would take 20 ms of 60.
    """
    names, number, as_json = [], "1", False
    rest = iter(words)
    for word in rest:
        if word == "--json":
            as_json = True
        elif word == "-n":
            number = next(rest, "")
        elif word.startswith("-") and word != "-":
            return None
        else:
            names.append(word)
    sound = number.isdecimal() and len(number) < 9 and int(number) > 0
    return (names, int(number), as_json) if names and sound else None


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
