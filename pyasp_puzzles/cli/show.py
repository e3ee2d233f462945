"""The commands that show what there is, and begin a puzzle: `facts`, `encoding`, `list` and `new`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pyasp_puzzles.cli import options
from pyasp_puzzles.cli.run import command_run
from pyasp_puzzles.cli.terminal import style, write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyasp_puzzles.puzzles.puzzle import Instance


def facts(
    file: options.File,
    format: options.As = None,
    board: Annotated[
        int | None, typer.Option("--board", min=1, metavar="N", help="The number of the board, if FILE has several.")
    ] = None,
    puzzles: options.Puzzles = None,
) -> None:
    """Print the facts of a board for plain clingo.

    pyasp facts FILE | clingo ENCODING - 0
    """
    from pyasp_puzzles.puzzles.program import program

    with command_run():
        write(program(_one_board(file, board, format, puzzles or ())))


def _one_board(file: str, number: int | None, format: str | None, puzzles: Sequence[Path]) -> Instance:
    """Return the board of a file with a number, or its only board.

    Raises:
        InstanceError: there are several boards and no number, or no board has the number.
    """
    from pyasp_puzzles.errors import InstanceError, Where
    from pyasp_puzzles.formats.load import load

    instances = load(file, puzzles=puzzles, format=format)
    if number is None and len(instances) > 1:
        raise InstanceError(f"there are {len(instances)} boards, expected --board N to choose one", Where(file))
    if (number or 1) > len(instances):
        raise InstanceError(f"there is no board {number}, expected 1 to {len(instances)}", Where(file))
    return instances[(number or 1) - 1]


def encoding(
    puzzle: Annotated[str, typer.Argument(metavar="PUZZLE", help="A puzzle from `pyasp list`, or from --puzzles.")],
    path: Annotated[bool, typer.Option("--path", help="Print the name of the file instead.")] = False,
    eject: Annotated[
        Path | None, typer.Option("--eject", metavar="DIR", help="Copy the file into DIR, for you to edit.")
    ] = None,
    puzzles: options.Puzzles = None,
) -> None:
    """Print the rules of a puzzle.

    They are an answer set program, which plain clingo can run, too.
    """
    from pyasp_puzzles.asp.paths import eject_encoding
    from pyasp_puzzles.errors import printable
    from pyasp_puzzles.puzzles.declaration import find

    with command_run():
        file = find(puzzle, directories=puzzles or ()).encoding
        if eject is not None:
            write(f"{printable(str(eject_encoding(file, eject)))}\n")
        else:
            write(f"{file}\n" if path else file.read_text(encoding="utf-8"))


def list_(
    variants: Annotated[
        bool, typer.Option("--variants", help="List the variants instead: rules to add with --extra.")
    ] = False,
    formats: Annotated[
        bool, typer.Option("--formats", help="List the formats instead: what FILE may be, and `convert` can write.")
    ] = False,
    puzzles: options.Puzzles = None,
) -> None:
    """List the puzzles and the boards that ship, or the variants or formats."""
    from pyasp_puzzles.asp import paths
    from pyasp_puzzles.formats.load import iload, shipped
    from pyasp_puzzles.puzzles import declaration
    from pyasp_puzzles.render.text import BOLD

    with command_run():
        paint = style().paint
        if variants:
            for file in paths.variants():
                write(f"{paint(file.stem, BOLD)}: {paths.summary(file)}\n")
            return
        if formats:
            from pyasp_puzzles.formats import format as registry

            for one in registry.formats().values():
                write(f"{paint(one.name, BOLD)}: {one.summary}\n")
            return
        names = list(shipped())
        for puzzle in declaration.puzzles(puzzles or ()):
            also = f" (also: {', '.join(puzzle.aliases)})" if puzzle.aliases else ""
            write(f"{paint(puzzle.name, BOLD)}{also}: {puzzle.summary}\n")
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
    """Write a folder for a puzzle of your own.

    It contains a small puzzle, complete and commented, for you to change.
    """
    from pyasp_puzzles.asp.paths import new_puzzle

    with command_run():
        folder = new_puzzle(name, answer, Path())
        write(f"{folder}\n  pyasp solve {folder}/first.toml --puzzles {folder}\n")
        write(f"  see the comments in {folder}/puzzle.toml and {folder}/{name}.lp\n")
