"""The command `pyasp`: the only place that prints or exits."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .errors import PuzzleError
    from .puzzle import Instance
    from .query import Solutions
    from .render.style import Style

ANSWERED, NO_ANSWER, OUT_OF_TIME, BAD_INPUT, INTERRUPTED = SEVERITY = 0, 1, 3, 2, 130
"""Exit codes; where several apply, the last of them does."""

app = typer.Typer(
    name="pyasp",
    help="Solve Strata, Strimko, Sudoku, Tectonic and strips puzzles with answer set programs that you can read.",
    epilog="Begin with: pyasp solve tectonic/seed",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE...",
        help="TOML or .lp files, directories of them, - for standard input, or names from `pyasp list`.",
        show_default=False,
    ),
]
File = Annotated[str, typer.Argument(metavar="FILE", help="An instance, as for `pyasp solve`.", show_default=False)]


@app.command(epilog="Exit codes: 0 every board has an answer, 1 some board has none, 2 bad input, 130 interrupted.")
def solve(
    files: Files,
    number: Annotated[int, typer.Option("-n", "--number", min=1, metavar="N", help="Up to N answers a board.")] = 1,
    every: Annotated[bool, typer.Option("--all", help="All answers.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a board and line.")] = False,
) -> None:
    """Print an answer of each board, or several, or all."""
    from .report import write_json, write_text

    with _ending() as ending:
        runs = _runs(files, 0 if every else number, ending)
        if as_json:
            write_json(runs, _write)
        else:
            write_text(runs, _write, _style(), several=every or number > 1)


@app.command()
def facts(
    file: File,
    board: Annotated[
        int | None, typer.Option("--board", min=1, metavar="N", help="Which board of the file, if it has several.")
    ] = None,
) -> None:
    """Print the facts of a board, as an .lp file that plain clingo takes: pyasp facts X | clingo ENCODING - 0."""
    from .errors import InstanceError, Where
    from .instance import load
    from .query import program

    with _ending():
        instances = list(load(file))
        if board is None and len(instances) > 1:
            raise InstanceError(f"there are {len(instances)} boards, expected --board N to choose one", Where(file))
        if (board or 1) > len(instances):
            raise InstanceError(f"there is no board {board}, expected 1 to {len(instances)}", Where(file))
        _write(program(instances[(board or 1) - 1]))


@app.command()
def encoding(
    puzzle: Annotated[str, typer.Argument(help="strata, strimko, sudoku, tectonic (or suguru), strips.")],
    path: Annotated[bool, typer.Option("--path", help="Print where the file is, not its text.")] = False,
    eject: Annotated[
        Path | None, typer.Option("--eject", metavar="DIR", help="Copy the file into DIR, for you to edit.")
    ] = None,
) -> None:
    """Print the encoding of a puzzle: its rules, as an answer set program."""
    from .encoding import eject_encoding, encoding_path
    from .puzzle import find

    with _ending():
        file = encoding_path(find(puzzle).encoding)
        if eject is not None:
            _write(f"{eject_encoding(file, eject)}\n")
        else:
            _write(f"{file}\n" if path else file.read_text(encoding="utf-8"))


@app.command(name="list")
def list_() -> None:
    """List the puzzles, and the instances that ship."""
    from .instance import load, shipped
    from .puzzle import puzzles

    with _ending():
        style = _style()
        for puzzle in puzzles():
            also = f" (also: {', '.join(puzzle.aliases)})" if puzzle.aliases else ""
            _write(f"{style.paint(puzzle.name, '1')}{also}: {puzzle.summary}\n")
            names = [name for name in shipped() if name.split("/")[0] == puzzle.name]
            for name in names:
                first = next(load(name))
                count = f" ({first.boards} boards)" if first.boards > 1 else ""
                _write(f"  {name:<24} {first.title}{count}\n")


def main() -> None:
    """Run the command line: the entry point."""
    try:
        code = app(sys.argv[1:] or ["--help"], standalone_mode=False)
    except _UsageError as error:
        message: str = error.format_message()  # type: ignore[attr-defined]
        _complain(f"{' '.join(message.split()).rstrip('.')}; see pyasp --help")
        code = BAD_INPUT
    except KeyboardInterrupt:
        code = INTERRUPTED
    with suppress(OSError):
        sys.stdout.flush()
    os._exit(code)  # a search that was left alone may still be running, and would not let Python end


_UsageError: type[Exception] = typer.BadParameter.__bases__[0]
"""What typer raises for wrong usage; it exports no name for it."""


class _Ending:
    """How the command is going to end: the exit code, 0 as long as all goes well."""

    def __init__(self) -> None:
        self.code = ANSWERED

    def at_least(self, code: int) -> None:
        """Note an exit code."""
        self.code = max(self.code, code, key=SEVERITY.index)

    def complain(self, error: PuzzleError) -> None:
        """Print an error, to go on with other files."""
        _complain(str(error))
        self.at_least(BAD_INPUT)


@contextmanager
def _ending() -> Iterator[_Ending]:
    """Turn whatever ends a command into an exit code, and never into a traceback."""
    from .errors import PuzzleError

    ending = _Ending()
    try:
        yield ending
        sys.stdout.flush()
    except PuzzleError as error:
        ending.complain(error)
    except KeyboardInterrupt:
        ending.at_least(INTERRUPTED)
        _complain("interrupted")
    except BrokenPipeError:  # the reader has seen enough; keep Python from complaining when it exits
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        _complain(f"cannot write: {error.strerror}")
        ending.at_least(BAD_INPUT)
    raise typer.Exit(ending.code)


def _runs(names: list[str], limit: int, ending: _Ending) -> Iterator[tuple[Instance, Solutions]]:
    """Yield each board with its answers to come."""
    from .query import solutions

    for instance in _instances(names, ending):
        answers = solutions(instance, limit)
        yield instance, answers
        if not answers.found:
            ending.at_least(NO_ANSWER)


def _instances(names: list[str], ending: _Ending) -> Iterator[Instance]:
    """Yield the boards of all files; a file that is wrong is said, and the others go on."""
    from .errors import PuzzleError
    from .instance import files, load

    for name in names:
        try:
            for _, source in files(name):
                try:
                    yield from load(source)
                except PuzzleError as error:
                    ending.complain(error)
        except PuzzleError as error:
            ending.complain(error)


def _style() -> Style:
    from .render.style import Style

    color = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Style(color, shutil.get_terminal_size().columns)


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _complain(message: str) -> None:
    sys.stderr.write(f"pyasp: {message}\n")
