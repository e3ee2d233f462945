"""The commands that show what there is, and begin a puzzle: `facts`, `encoding`, `list` and `new`."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pyasp_puzzles.cli import options
from pyasp_puzzles.cli.run import command_run
from pyasp_puzzles.cli.terminal import style, tell, write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyasp_puzzles.formats.format import Shows
    from pyasp_puzzles.model.puzzle import Instance


Board = Annotated[
    int | None, typer.Option("--board", min=1, metavar="N", help="The number of the board, if FILE has several.")
]
ANSWER = "What an answer is: numbers, shading or pieces."
VARIANT_BOARD = "variants/thermometer"
WHAT = "A puzzle from `pyasp list`, a variant from `pyasp list --variants`, or a board as other commands take it."


def facts(
    file: options.File,
    format: options.As = None,
    board: Board = None,
    puzzles: options.Puzzles = None,
    puzzle: options.Shown = None,
    size: options.Size = None,
    colors: options.Colors = None,
    angle: options.Angle = None,
) -> None:
    """Print the facts of a board for plain clingo.

    pyasp facts FILE | clingo $(pyasp encoding FILE --path) - 0
    """
    from pyasp_puzzles.puzzles.question import program

    with command_run():
        shows = options.shows(puzzle, size, colors, angle)
        write(program(_one_board(file, board, format, puzzles or (), shows)))


def _one_board(
    file: str, number: int | None, format: str | None, puzzles: Sequence[Path], shows: Shows | None = None
) -> Instance:
    """Return the board of a file with a number, or its only board.

    Raises:
        InstanceError: there are several boards and no number, or no board has the number.
    """
    from pyasp_puzzles.errors import InstanceError, Where
    from pyasp_puzzles.formats.load import load

    instances = load(file, puzzles=puzzles, format=format, shows=shows)
    if number is None and len(instances) > 1:
        raise InstanceError(f"{len(instances)} boards here; choose one with --board N", Where(file))
    if (number or 1) > len(instances):
        raise InstanceError(f"there is no board {number}; choose 1 to {len(instances)}", Where(file))
    return instances[(number or 1) - 1]


def encoding(
    name: Annotated[
        str, typer.Argument(metavar="PUZZLE|VARIANT|FILE", help=WHAT, autocompletion=options.offers("rules"))
    ],
    format: options.As = None,
    board: Board = None,
    path: Annotated[bool, typer.Option("--path", help="Print the path of each file instead.")] = False,
    eject: Annotated[
        Path | None, typer.Option("--eject", metavar="DIR", help="Copy the files to DIR, for you to edit.")
    ] = None,
    puzzles: options.Puzzles = None,
) -> None:
    """Print the rules of a puzzle, of a variant, or of a board with its variants.

    The rules are an answer set program, which plain clingo runs, too.
    """
    from pyasp_puzzles.errors import printable
    from pyasp_puzzles.puzzles.templates import eject_encoding

    with command_run():
        files = _rule_files(name, board, format, puzzles or ())
        if eject is not None:
            for copy in eject_encoding(files, eject):
                write(f"{printable(str(copy))}\n")
        elif path:
            write("".join(f"{file}\n" for file in files))
        else:
            write("\n".join(file.read_text(encoding="utf-8") for file in files))


def _rule_files(name: str, number: int | None, format: str | None, puzzles: Sequence[Path]) -> list[Path]:
    """Return the files of the rules of a puzzle, a variant or a board.

    Raises:
        PuzzleError: there is none of that name, or the boards of a file have different rules.
    """
    from pyasp_puzzles.errors import InstanceError, UnknownPuzzleError, Where, did_you_mean, shown
    from pyasp_puzzles.formats.load import load, shipped
    from pyasp_puzzles.puzzles.declaration import find, names
    from pyasp_puzzles.puzzles.question import rule_files
    from pyasp_puzzles.puzzles.variant import variants_in

    if format is None and number is None:
        with suppress(UnknownPuzzleError):
            return [*find(name, directories=puzzles).encodings]
        variants = variants_in(puzzles)
        if name in variants:
            return [variants[name].rules]
        if re.fullmatch(r"\w[\w/-]*", name) and name not in shipped() and not Path(name).exists():
            hint = did_you_mean(name, [*names(puzzles), *variants, *shipped()])
            raise UnknownPuzzleError(f"no puzzle, variant, board or file is called {shown(name)}{hint}")
    if number is not None:
        return rule_files(_one_board(name, number, format, puzzles))
    found = {tuple(rule_files(instance)) for instance in load(name, puzzles=puzzles, format=format)}
    if len(found) > 1:
        raise InstanceError("the boards have different rules; choose one with --board N", Where(name))
    return [*found.pop()]


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
    from pyasp_puzzles.formats.load import iload, shipped
    from pyasp_puzzles.puzzles import declaration
    from pyasp_puzzles.render.text import BOLD

    with command_run():
        paint = style().paint
        if variants:
            from pyasp_puzzles.puzzles.variant import variants_in

            for variant in variants_in(puzzles or ()).values():
                keys = "".join(f" (key: {key.name})" for key in variant.keys)
                tell(f"{paint(variant.name, BOLD)}{keys}: {variant.summary}\n")
            return
        if formats:
            from pyasp_puzzles.formats import format as registry

            for one in registry.formats().values():
                tell(f"{paint(one.name, BOLD)}: {one.summary}\n")
            return
        names = list(shipped())
        for puzzle in declaration.puzzles(puzzles or ()):
            also = f" (also: {', '.join(puzzle.aliases)})" if puzzle.aliases else ""
            tell(f"{paint(puzzle.name, BOLD)}{also}: {puzzle.summary}\n")
            for name in (name for name in names if name.startswith(f"{puzzle.name}/")):
                first = next(iload(name))
                count = f" ({first.total} boards)" if first.total > 1 else ""
                end = f" ({ends} by resolution)" if (ends := first.details.get("resolution")) else ""
                tell(f"  {name:<24} {first.collection or first.title}{count}{end}\n")
        tell(
            f"{paint('variants', BOLD)}: Boards of the variants in `pyasp list --variants`, such as {VARIANT_BOARD}.\n"
        )


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the puzzle, and of its folder.")],
    answer: Annotated[
        str, typer.Option("--answer", metavar="KIND", help=ANSWER, autocompletion=options.offers("answer"))
    ] = "numbers",
    variant: Annotated[
        bool, typer.Option("--variant", help="Write the folder of a variant instead: rules to add to Sudoku.")
    ] = False,
) -> None:
    """Write a folder for a puzzle of your own, or with --variant for a variant.

    It contains a small puzzle, complete and commented, for you to change.
    """
    from pyasp_puzzles.puzzles.templates import new_puzzle

    with command_run():
        if variant:
            folder = new_puzzle(name, "variant", Path())
            write(f"{folder}\n  pyasp solve {folder}/first.toml --extra {folder}\n")
            write(f"  see the comments in {folder}/variant.toml and {folder}/{name}.lp\n")
            return
        folder = new_puzzle(name, answer, Path())
        write(f"{folder}\n  pyasp solve {folder}/first.toml --puzzles {folder}\n")
        write(f"  see the comments in {folder}/puzzle.toml and {folder}/{name}.lp\n")
