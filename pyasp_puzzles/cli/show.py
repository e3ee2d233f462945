"""The commands that show what there is: facts, encoding, list."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pyasp_puzzles.cli.exit import ending, style, write
from pyasp_puzzles.cli.options import File, Puzzles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyasp_puzzles.puzzles.puzzle import Instance


Board = Annotated[
    int | None, typer.Option("--board", min=1, metavar="N", help="Which board of the file, if it has several.")
]


def facts(file: File, board: Board = None, puzzles: Puzzles = None) -> None:
    """Print the facts of a board, as an .lp file that plain clingo takes: pyasp facts X | clingo ENCODING - 0."""
    from pyasp_puzzles.puzzles.program import program

    with ending():
        write(program(one_board(file, board, puzzles or ())))


def one_board(file: str, board: int | None, puzzles: Sequence[Path] = ()) -> Instance:
    """Return a board of a file, the only one if none is named.

    Raises:
        InstanceError: there are several, or there is no such board.
    """
    from pyasp_puzzles.errors import InstanceError, Where
    from pyasp_puzzles.formats.load import load

    instances = load(file, puzzles=puzzles)
    if board is None and len(instances) > 1:
        raise InstanceError(f"there are {len(instances)} boards, expected --board N to choose one", Where(file))
    if (board or 1) > len(instances):
        raise InstanceError(f"there is no board {board}, expected 1 to {len(instances)}", Where(file))
    return instances[(board or 1) - 1]


def encoding(
    puzzle: Annotated[str, typer.Argument(help="A puzzle of `pyasp list`, or of --puzzles.")],
    path: Annotated[bool, typer.Option("--path", help="Print where the file is, not its text.")] = False,
    eject: Annotated[
        Path | None, typer.Option("--eject", metavar="DIR", help="Copy the file into DIR, for you to edit.")
    ] = None,
    puzzles: Puzzles = None,
) -> None:
    """Print the encoding of a puzzle: its rules, as an answer set program."""
    from pyasp_puzzles.asp.paths import eject_encoding
    from pyasp_puzzles.errors import printable
    from pyasp_puzzles.puzzles.declaration import find

    with ending():
        file = find(puzzle, directories=puzzles or ()).encoding
        if eject is not None:
            write(f"{printable(str(eject_encoding(file, eject)))}\n")
        else:
            write(f"{file}\n" if path else file.read_text(encoding="utf-8"))


def list_(
    variants: Annotated[bool, typer.Option("--variants", help="List the variants: rules to add with --extra.")] = False,
    puzzles: Puzzles = None,
) -> None:
    """List the puzzles, and the instances that ship; or the variants."""
    from pyasp_puzzles.asp.paths import summary
    from pyasp_puzzles.asp.paths import variants as files
    from pyasp_puzzles.formats.load import iload, shipped
    from pyasp_puzzles.puzzles import declaration
    from pyasp_puzzles.render.text import BOLD

    with ending():
        decoration = style()
        for file in files() if variants else ():
            write(f"{decoration.paint(file.stem, BOLD)}: {summary(file)}\n")
        names = [] if variants else list(shipped())
        for puzzle in () if variants else declaration.puzzles(puzzles or ()):
            also = f" (also: {', '.join(puzzle.aliases)})" if puzzle.aliases else ""
            write(f"{decoration.paint(puzzle.name, BOLD)}{also}: {puzzle.summary}\n")
            for name in (name for name in names if name.startswith(f"{puzzle.name}/")):
                first = next(iload(name))
                count = f" ({first.boards} boards)" if first.boards > 1 else ""
                write(f"  {name:<24} {first.collection or first.title}{count}\n")


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the puzzle, and of its folder.")],
    answer: Annotated[
        str, typer.Option("--answer", metavar="KIND", help="What an answer is: numbers, shading or pieces.")
    ] = "numbers",
) -> None:
    """Write a folder with a small puzzle of your own, complete and commented, for you to change.

    Examples: pyasp new sums; pyasp new islands --answer shading
    """
    from pyasp_puzzles.asp.paths import new_puzzle

    with ending():
        folder = new_puzzle(name, answer, Path())
        write(f"{folder}\n")
        for line in (f"pyasp solve {folder}/first.toml --puzzles {folder}", "docs/adding-a-puzzle.md"):
            write(f"  {line}\n")
