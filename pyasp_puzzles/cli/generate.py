"""The commands `generate` and `minimize`."""

from __future__ import annotations

import shlex
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pyasp_puzzles.cli import options
from pyasp_puzzles.cli.files import Output, file_name
from pyasp_puzzles.cli.options import BOARD, argument, option, refuse_together, rows_and_columns
from pyasp_puzzles.cli.run import NO_ANSWER, OUT_OF_TIME, Run, read
from pyasp_puzzles.cli.terminal import Progress, message
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyasp_puzzles.batches.workers import Workers
    from pyasp_puzzles.model.puzzle import Instance

# Characters of the longest name of an input that the source of a minimized board repeats; an address can be longer.
LONGEST_SOURCE = 200

PUZZLE = "A puzzle from `pyasp list`, or from --puzzles."
LIKE = (
    "Make boards like the first one in this file, of any format: with its layout, or only with its outline if the"
    " layout is new."
)
LAYOUT = (
    "Make new regions, streams or blocks (new), or keep those of --like or the usual boxes (same). The default is new"
    " where a size alone does not say what the layout is, as for a Sudoku of 5x5."
)
PEELS = (
    "How many rounds it takes to peel a Strata board; each round takes off all ribbons that can come off. Most boards"
    " take many."
)
LARGEST = "The most cells of a block in new layouts of Tectonic, up to 9; 5 by default."


def generate(
    run: Run,
    rules: options.Rules,
    where: Output,
    puzzle: Annotated[str, argument("PUZZLE", PUZZLE, "puzzle")],
    size: options.Size = None,
    wanted_grade: options.Grade = None,
    symmetric: options.Symmetric = False,
    clues: Annotated[int | None, option(BOARD, "How many clues the boards have.", metavar="N", min=0)] = None,
    fewest: options.Fewest = False,
    peels: Annotated[int | None, option(BOARD, PEELS, metavar="N", min=1)] = None,
    like: Annotated[str | None, option(BOARD, LIKE, metavar="FILE", offers="board")] = None,
    format: options.As = None,
    layout: Annotated[str | None, option(BOARD, LAYOUT, metavar="new|same", offers="layout")] = None,
    colors: options.Colors = None,
    longest: Annotated[int | None, option(BOARD, "The length of the longest strip.", metavar="N", min=1)] = None,
    largest: Annotated[int | None, option(BOARD, LARGEST, metavar="N", min=1)] = None,
    number: options.Number = 1,
    ungraded: options.NoGrade = False,
    jobs: options.Jobs = None,
    seed: options.Seed = None,
) -> None:
    """Make new boards with exactly one answer.

    Boards are printed as TOML, each with its grade, its seed and the command that makes it again. Without --grade or
    --clues, boards are minimal: no clue can be removed. If a board takes longer than --timeout (60 seconds by default,
    grading included), the nearest one found is printed.

    Examples:
      pyasp generate sudoku
      pyasp generate tectonic --size 8x10 --grade hard -n 24 --jobs 2 -o hard.toml
      pyasp generate sudoku --extra anti-knight --symmetric --seed 7

    Exit codes: 0 every board is as wanted
    """
    from pyasp_puzzles.generation.generate import Maker, seeds
    from pyasp_puzzles.generation.layouts import Wanted, named
    from pyasp_puzzles.generation.reduction import Wish
    from pyasp_puzzles.puzzles.declaration import find
    from pyasp_puzzles.puzzles.question import unread_predicates

    refuse_together({"--no-grade": ungraded, "--grade": wanted_grade})
    settings, number, jobs = rules.settings, number or 1, jobs or 1
    wanted = Wanted(
        find(puzzle, directories=settings.puzzles),
        rows_and_columns(size),
        _like(like, format, rules),
        layout,
        colors,
        named(longest=longest, largest=largest),
    )
    wish = Wish(_grade(wanted_grade), clues, symmetric, fewest, named(peels=peels))
    asked = {"size": size, "grade": wish.grade, "symmetric": symmetric, "clues": clues, "fewest": fewest}
    asked |= {"peels": peels, "like": like, "as": format, "layout": layout, "colors": colors, "longest": longest}
    words = _command(["generate", puzzle], asked | {"largest": largest}, rules)
    maker = Maker(wanted, wish, settings, graded=not ungraded, command=words)
    with ExitStack() as stack:
        stack.enter_context(where)
        for one in [] if seed is None else seeds(seed, number):
            where.check(f"{wanted.puzzle.name}-{one}.toml")
        out = _Boards(where, puzzle=wanted.puzzle.name, single=number == 1)
        progress = stack.enter_context(Progress("{count} boards, {rate:.1f} a second", number))
        for board_seed, made in maker.boards(seed, number, _workers(jobs, number, stack), jobs * Limits.MOST_AHEAD):
            if made is None:
                run.at_least(OUT_OF_TIME)
                message(f"seed {board_seed}: no board was found in time")
                continue
            run.warn(warning.in_full for warning in unread_predicates(made.instance, settings))
            if not made.met or made.late:
                run.at_least(OUT_OF_TIME)
                late = "there was no time left to grade this board; --no-grade skips grading"
                message(
                    f"seed {board_seed}: {late if made.met else f'{made.missed}, the nearest that was found in time'}"
                )
            out.write(made.instance, f"{wanted.puzzle.name}-{board_seed}.toml")
            progress.count += 1
            progress.completed += 1


def minimize(
    run: Run,
    boards: options.Boards,
    where: Output,
    fewest: options.Fewest = False,
    symmetric: options.Symmetric = False,
    wanted_grade: options.Grade = None,
    seed: options.Seed = None,
) -> None:
    """Remove clues from boards that have one answer, as long as it remains the only one.

    The boards are printed as TOML. They are minimal: no clue can be removed. Another --seed keeps other clues; the
    default is 0. If a board takes longer than --timeout (60 seconds by default), the nearest one found is printed.

    Examples:
      pyasp minimize my.toml
      pyasp minimize my.toml --fewest --timeout 20

    Exit codes: 0 every board is as wanted, 1 some board is not, though there was time
    """
    from pyasp_puzzles.boards.toml import DETAILS
    from pyasp_puzzles.errors import OutOfTime, PuzzleError
    from pyasp_puzzles.generation.clues import clues_of
    from pyasp_puzzles.generation.generate import minimized
    from pyasp_puzzles.generation.reduction import Wish

    wish = Wish(_grade(wanted_grade), None, symmetric, fewest)
    asked = {"fewest": fewest, "symmetric": symmetric, "grade": wish.grade, "as": boards.format}
    with where:
        out = _Boards(where)
        for board, timed in where.free(run.boards(boards), ".toml", run.report):
            try:
                made = minimized(board, wish, seed or 0, timed)
            except OutOfTime:
                run.lacks(board, OUT_OF_TIME, "out of time")
                continue
            except PuzzleError as error:
                run.report(error)
                continue
            before, after = len(clues_of(board)), len(clues_of(made.instance))
            if not made.met:
                run.lacks(board, OUT_OF_TIME if made.late else NO_ANSWER, made.missed)
            if after == before and made.met and wanted_grade is None:
                message(f"{board.facts.where}: {_nothing_left_out(symmetric=symmetric)}")
            proven = ", and no fewer of them are enough" if fewest and made.met else ""
            details = dict(made.instance.details)
            if after < before and len(board.source) <= LONGEST_SOURCE and not board.source.startswith("<"):
                details["source"] = _command(["minimize", board.source], asked, boards, seed or None)
            out.single = len(boards.files) == 1 and board.total == 1 and not Path(boards.files[0]).is_dir()
            details = {key: details[key] for key in DETAILS if key in details}
            comment = f"# {after} of {before} clues{proven}\n"
            out.write(made.instance._replace(details=details), file_name(board, ".toml"), comment)


def _grade(word: str | None) -> str | None:
    """Return the grade that an option names, with a hyphen or a blank between its words."""
    return None if word is None else word.replace("-", " ")


def _nothing_left_out(*, symmetric: bool) -> str:
    """Return why no clue was left out."""
    if symmetric:
        return "no clue can be left out together with the one half a turn around the board; try without --symmetric"
    return "every clue is needed"


def _like(name: str | None, format: str | None, rules: options.Rules) -> Instance | None:
    """Return the first board of what --like names.

    Raises:
        BadParameter: a format is given, but no file.
        PuzzleError: it has no board, or what is wrong with it.
    """
    from pyasp_puzzles.errors import InstanceError, Where
    from pyasp_puzzles.formats.format import check_format

    check_format(format, rules.settings.puzzles)
    if name is None:
        if format is not None:
            raise typer.BadParameter(f"--as {format}: there is nothing to read; name a board with --like FILE")
        return None
    board = next(read(options.Boards(files=[name], format=format, **vars(rules))), None)
    if board is None:
        raise InstanceError("there is no board to make others like it; name one with --like", Where(name))
    if isinstance(board, Exception):
        raise board
    return board


def _command(start: Sequence[str], asked: dict[str, Any], rules: options.Rules, seed: int | None = None) -> str:
    """Return the command that was given, with these of its options."""
    asked |= {"encoding": rules.encoding, "extra": rules.extra, "puzzles": rules.puzzles, "seed": seed}
    words = ["pyasp", *start]
    for name, value in asked.items():
        for one in value if isinstance(value, list) else [value]:
            if one is not None and one is not False:
                words += [f"--{name}", *([] if one is True else [str(one)])]
    return shlex.join(words)


def _workers(jobs: int, number: int, stack: ExitStack) -> Workers | None:
    """Return the processes for this number of boards, which end with the command; None if this process is enough."""
    if jobs == 1:
        return None
    from pyasp_puzzles.batches.workers import Workers

    workers = Workers(min(jobs, number))
    stack.callback(workers.kill)
    return workers


class _Boards:
    """Writes boards as TOML: all to standard output or a file, or to a directory with a file for each."""

    def __init__(self, output: Output, *, puzzle: str = "", single: bool = False) -> None:
        self.single = single
        self._puzzle = puzzle
        self._output = output
        self._first = True

    def write(self, instance: Instance, name: str, comment: str = "") -> None:
        """Write a board, with a comment above its keys; in a directory, to the file of this name."""
        from pyasp_puzzles.formats.toml import value
        from pyasp_puzzles.puzzles.board import keys_of

        keys = {key: value(key, one) for key, one in keys_of(instance).items()}
        start = ""
        if not self.single and self._output.directory is None:
            start = "[[board]]\n"
            if self._puzzle:
                start = f"\n{start}"
                puzzle = keys.pop("puzzle")
                start = f"{puzzle}\n{start}" if self._first else start
            elif not self._first:
                start = f"\n{start}"
        self._output.write(start + comment + "\n".join([*keys.values(), ""]), name)
        self._first = False
