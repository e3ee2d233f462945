"""The command `pyasp`: the only package that prints or exits.

solve, batch   the commands solve and count; lists, worker processes and record files
check          the command check
explain        the commands explain, hint, grade and resolve
generate       the commands generate and minimize
draw           the command draw
book           the command book
studio         the command studio
convert        the command convert
show           the commands facts, encoding, list and new
options        arguments and options of several commands, and help
completion     what a shell offers
run            exit codes; reading boards and reporting errors
output         answers as text, as JSON Lines and as pages
files          the files that commands write
terminal       standard output, error messages and progress
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.cli.run import BAD_INPUT, INTERRUPTED
from pyasp_puzzles.cli.terminal import message, write_error

if TYPE_CHECKING:
    from types import FrameType

    import typer


class Command(NamedTuple):
    """What the help of a command says besides the docstring of its function."""

    module: str
    """The module of its function."""
    examples: tuple[str, ...]
    codes: str = ""
    """The meaning of the exit codes that differ from command to command."""


COMMANDS = {
    "solve": Command(
        "solve",
        (
            "pyasp solve tectonic/seed",
            "pyasp solve my.toml --all --json",
            "pyasp solve --as sudoku list.txt --jobs 4 --output answers.jsonl",
        ),
        "0 all boards have answers, 1 some board has none",
    ),
    "count": Command(
        "solve",
        ("pyasp count sudoku/easy", "pyasp count strata/seed --distinct looks", "pyasp count my.toml --limit 1000"),
        "0 all boards were counted",
    ),
    "check": Command(
        "check",
        (
            "pyasp check tectonic/seed",
            "pyasp check my.toml --answer answer.txt",
            "pyasp check my.toml --extra anti-knight",
        ),
        "0 every board has exactly one answer (or: the answer breaks no rule), 1 otherwise",
    ),
    "explain": Command(
        "explain",
        ("pyasp explain tectonic/seed", "pyasp explain strimko/four --brief", "pyasp explain my.toml --html my.html"),
        "0 every board was explained to its only answer, 1 some board has several or none",
    ),
    "hint": Command(
        "explain",
        ("pyasp hint tectonic/seed", "pyasp hint tectonic/seed --more", "pyasp hint my.toml --answer so-far.txt --all"),
        "0 there is a next step, or nothing is left to do, 1 something is wrong",
    ),
    "grade": Command(
        "explain",
        ("pyasp grade tectonic/seed", "pyasp grade my.toml --html my.html"),
        "0 every board has a grade, 1 some board has several answers or none",
    ),
    "resolve": Command(
        "explain",
        (
            "pyasp resolve strimko/four",
            "pyasp resolve strimko/needs-a-guess --guess 1,5,5",
            "pyasp resolve strimko/needs-a-guess --search",
        ),
        "0 every board is solved, 1 resolution stops or finds a contradiction",
    ),
    "generate": Command(
        "generate",
        (
            "pyasp generate sudoku",
            "pyasp generate tectonic --size 8x10 --grade hard -n 24 --jobs 2 -o hard.toml",
            "pyasp generate sudoku --extra anti-knight --symmetric --seed 7",
        ),
        "0 every board is as wanted",
    ),
    "minimize": Command(
        "generate",
        ("pyasp minimize my.toml", "pyasp minimize my.toml --fewest --timeout 20"),
        "0 every board is as wanted, 1 some board is not, though there was time",
    ),
    "draw": Command(
        "draw",
        (
            "pyasp draw tectonic/seed --answer -o seed.svg",
            "pyasp draw strips/hunt --answer -o hunt.html",
            "pyasp draw my.toml --candidates > my.svg",
        ),
        "0 every board was drawn, 1 some board has no answer",
    ),
    "book": Command(
        "book",
        (
            "pyasp book strips/hunt -o hunt.pdf",
            "pyasp book mine/ tectonic/ten -o book.html --title Weekend --paper letter",
            "pyasp book --as sudoku list.txt -o list.html --per-page 6 --no-grade",
        ),
        "0 every board has exactly one answer, 1 some board has several or none",
    ),
    "studio": Command(
        "studio", ("pyasp studio", "pyasp studio sudoku/easy", "pyasp studio my.toml --puzzles mine --port 8080")
    ),
    "convert": Command(
        "convert",
        (
            "pyasp convert sudoku/easy --to sudokupad",
            "pyasp convert 'https://puzz.link/p?sudoku/4/4/g1k23k3g' --to toml",
            "pyasp convert list.txt --to penpa -o addresses.txt",
        ),
        "0 every board was written",
    ),
    "facts": Command("show", ("pyasp facts tectonic/seed", "pyasp facts strips/hunt --board 3")),
    "encoding": Command(
        "show", ("pyasp encoding tectonic", "pyasp encoding strata --path", "pyasp encoding sudoku --eject mine")
    ),
    "list": Command("show", ("pyasp list", "pyasp list --variants", "pyasp list --formats")),
    "new": Command("show", ("pyasp new sums", "pyasp new islands --answer shading")),
}


def application(*names: str) -> typer.Typer:
    """Return the command line with these commands, or with all."""
    from inspect import getdoc

    import typer

    from pyasp_puzzles.cli.options import CommandGroup, GroupedCommand, help_width

    app = typer.Typer(
        name="pyasp",
        cls=CommandGroup,
        help="Solve, check, explain and make logic puzzles, such as Sudoku and Tectonic, by rules that you can edit.",
        epilog="To begin: pyasp solve tectonic/seed",
        add_completion=not names,  # setting it up takes 2 ms
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "terminal_width": help_width()},
    )

    def version(asked: bool) -> None:
        if asked:
            from pyasp_puzzles import __version__

            typer.echo(f"pyasp {__version__}")
            raise typer.Exit

    @app.callback()  # without a callback, typer would take a single command for the whole application
    def _(
        _: bool = typer.Option(False, "--version", callback=version, is_eager=True, help="Print the version and exit."),
    ) -> None: ...

    for name in names or COMMANDS:
        command = COMMANDS[name]
        function = getattr(import_module(f".{command.module}", __name__), name if name != "list" else "list_")
        examples = "\n".join(["\b", "Examples:", *(f"  {example}" for example in command.examples)])
        codes = f"Exit codes: {command.codes}, 2 bad input, 3 out of time, 130 interrupted." if command.codes else None
        app.command(name, cls=GroupedCommand, help=f"{getdoc(function)}\n\n{examples}", epilog=codes)(function)
    return app


def main() -> None:
    """Run the command line, and exit."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115 (open until the program ends)
    if sys.stdout is None:
        message("standard output is closed, so there is nowhere to write")
        os._exit(BAD_INPUT)
    arguments = sys.argv[1:] or ["--help"]
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # it may be ignored, too
        signal.signal(signal.SIGINT, _interrupt)
    try:
        code = _exit_code(arguments)
    except SystemExit as end:
        code = int(end.code or 0)
    except KeyboardInterrupt:
        code = INTERRUPTED
    except OSError as error:
        message(write_error(error))
        code = BAD_INPUT
    with suppress(OSError):
        sys.stdout.flush()
    os._exit(code)  # the thread of an abandoned search would keep Python from exiting


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt; while an object is deleted, a moment later, because Python drops exceptions there."""
    if frame is not None and frame.f_code.co_name == "__del__":  # clingo takes milliseconds to free a ground program
        threading.Timer(0.001, signal.pthread_kill, [threading.get_ident(), number]).start()
    else:
        raise KeyboardInterrupt


def _exit_code(arguments: list[str]) -> int:
    """Run the command that the arguments name, and return its exit code."""
    import typer

    usage_error: type[Exception] = typer.BadParameter.__bases__[0]  # typer does not export it
    app = application(*(arguments[:1] if arguments[0] in COMMANDS else ()))  # all commands would take 3 ms more
    try:
        return app(arguments, standalone_mode=False, prog_name="pyasp") or 0
    except usage_error as error:
        text: str = error.format_message()  # type: ignore[attr-defined]
        context = error.ctx  # type: ignore[attr-defined]
        from pyasp_puzzles.cli.options import usage_words

        message(f"{usage_words(text)}; see {context.command_path if context else 'pyasp'} --help")
        return BAD_INPUT
