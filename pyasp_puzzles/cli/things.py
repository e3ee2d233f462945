"""The commands that show what there is: facts, encoding, list."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .ending import ending, style, write
from .options import File

if TYPE_CHECKING:
    from pyasp_puzzles.puzzle import Instance

Board = Annotated[
    int | None, typer.Option("--board", min=1, metavar="N", help="Which board of the file, if it has several.")
]


def facts(file: File, board: Board = None) -> None:
    """Print the facts of a board, as an .lp file that plain clingo takes: pyasp facts X | clingo ENCODING - 0."""
    from pyasp_puzzles.query import program

    with ending():
        write(program(one_board(file, board)))


def one_board(file: str, board: int | None) -> Instance:
    """Return a board of a file, the only one if none is named.

    Raises:
        InstanceError: there are several, or there is no such board.
    """
    from pyasp_puzzles.errors import InstanceError, Where
    from pyasp_puzzles.instance import load

    instances = list(load(file))
    if board is None and len(instances) > 1:
        raise InstanceError(f"there are {len(instances)} boards, expected --board N to choose one", Where(file))
    if (board or 1) > len(instances):
        raise InstanceError(f"there is no board {board}, expected 1 to {len(instances)}", Where(file))
    return instances[(board or 1) - 1]


def encoding(
    puzzle: Annotated[str, typer.Argument(help="strata, strimko, sudoku, tectonic (or suguru), strips.")],
    path: Annotated[bool, typer.Option("--path", help="Print where the file is, not its text.")] = False,
    eject: Annotated[
        Path | None, typer.Option("--eject", metavar="DIR", help="Copy the file into DIR, for you to edit.")
    ] = None,
) -> None:
    """Print the encoding of a puzzle: its rules, as an answer set program."""
    from pyasp_puzzles.encoding import eject_encoding, encoding_path
    from pyasp_puzzles.puzzle import find

    with ending():
        file = encoding_path(find(puzzle).encoding)
        if eject is not None:
            write(f"{eject_encoding(file, eject)}\n")
        else:
            write(f"{file}\n" if path else file.read_text(encoding="utf-8"))


def list_() -> None:
    """List the puzzles, and the instances that ship."""
    from pyasp_puzzles.instance import load, shipped
    from pyasp_puzzles.puzzle import puzzles
    from pyasp_puzzles.render.style import BOLD

    with ending():
        decoration = style()
        names = list(shipped())
        for puzzle in puzzles():
            also = f" (also: {', '.join(puzzle.aliases)})" if puzzle.aliases else ""
            write(f"{decoration.paint(puzzle.name, BOLD)}{also}: {puzzle.summary}\n")
            for name in (name for name in names if name.startswith(f"{puzzle.name}/")):
                first = next(load(name))
                count = f" ({first.boards} boards)" if first.boards > 1 else ""
                write(f"  {name:<24} {first.collection or first.title}{count}\n")
