"""The command `pyasp`: the only package that prints or exits.

solve          the commands solve and count; worker processes, clusters and record files
check          the command check
explain        the commands explain, hint, grade and resolve
generate       the commands generate and minimize
draw           the commands draw and book
studio         the command studio
show           the commands facts, encoding, list, new and convert
options        arguments and options, groups of them, help, and what a shell completes
run            a running command: its boards, here or in workers, results, errors and exit code
output         answers as text and as JSON Lines
files          the files that commands write
terminal       standard output, error messages and progress
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from importlib import import_module

# Until `run_application` has seen to Ctrl-C, little is imported: `typing` would be a third of the time until then.
TYPE_CHECKING = False
if TYPE_CHECKING:
    import typer

# The groups of commands in help: `{group: {command: the module of its function}}`.
_GROUPS = {
    "Solve": {
        **dict.fromkeys(("solve", "count"), "solve"),
        "check": "check",
        **dict.fromkeys(("explain", "hint", "grade", "resolve"), "explain"),
    },
    "Look": {"draw": "draw", "book": "draw", "studio": "studio"},
    "Make": dict.fromkeys(("generate", "minimize"), "generate"),
    "Convert": {"convert": "show", "facts": "show"},
    "Puzzles and rules": dict.fromkeys(("list", "encoding", "new"), "show"),
}
# `{command: its group}`
COMMANDS = {name: group for group, commands in _GROUPS.items() for name in commands}


def application(*names: str) -> typer.Typer:
    """Return the command line with these commands, or with all."""
    from inspect import getdoc

    import typer

    from pyasp_puzzles.cli.options import HelpCommand, HelpCommandGroup, help_width
    from pyasp_puzzles.cli.run import command_runner

    app = typer.Typer(
        name="pyasp",
        cls=HelpCommandGroup,
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
        _: bool = typer.Option(
            False, "-V", "--version", callback=version, is_eager=True, help="Print the version and exit."
        ),
    ) -> None: ...

    for name in names or COMMANDS:
        group = COMMANDS[name]
        module = import_module(f".{_GROUPS[group][name]}", __name__)
        function = getattr(module, f"{name}_command")
        text, *codes = (getdoc(function) or "").split("\n\nExit codes: ")
        app.command(
            name,
            cls=HelpCommand,
            rich_help_panel=group,
            help=text.replace("\nExamples:\n", "\n\b\nExamples:\n"),
            epilog=f"Exit codes: {codes[0]}, 2 bad input, 3 out of time, 130 interrupted." if codes else None,
        )(command_runner(function))
    return app


def run_application() -> None:
    """Run the command line, and exit."""
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) != signal.SIG_IGN:
            # Until a command begins, which changes this: imports would raise KeyboardInterrupt anywhere.
            signal.signal(number, lambda *_: os._exit(130))

    from pyasp_puzzles.cli.run import BAD_INPUT, INTERRUPTED
    from pyasp_puzzles.cli.terminal import stdout_error_words, write_stderr

    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115 (open until the program ends)
    if sys.stdout is None:
        write_stderr("standard output is closed")
        os._exit(BAD_INPUT)
    arguments = sys.argv[1:] or ["--help"]
    try:
        code = _exit_code(arguments)
    except SystemExit as end:
        code = int(end.code or 0)
    except KeyboardInterrupt:
        code = INTERRUPTED
    except OSError as error:
        write_stderr(stdout_error_words(error))
        code = BAD_INPUT
    with suppress(OSError):
        sys.stdout.flush()
    os._exit(code)  # the thread of an abandoned search would keep Python from exiting


def _exit_code(arguments: list[str]) -> int:
    """Run the command that the arguments name, and return its exit code."""
    import typer

    from pyasp_puzzles.cli.run import BAD_INPUT
    from pyasp_puzzles.cli.terminal import write_stderr

    if arguments[0] == "help":
        arguments = [*arguments[1:2], "--help"]
    usage_error: type[Exception] = typer.BadParameter.__bases__[0]  # typer does not export it
    needed = {"-V": ["list"], "--version": ["list"]} | {name: [name] for name in COMMANDS}
    app = application(*needed.get(arguments[0], ()))  # all commands would take 3 ms more
    try:
        return app(arguments, standalone_mode=False, prog_name="pyasp") or 0
    except usage_error as error:
        message = " ".join(error.format_message().split()).removesuffix(".")  # type: ignore[attr-defined]
        see = "" if message.endswith("?") else f"; see pyasp {f'{arguments[0]} ' * (arguments[0] in COMMANDS)}--help"
        write_stderr(f"{message}{see}")
        return BAD_INPUT
