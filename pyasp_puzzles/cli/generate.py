"""The commands `generate` and `minimize`."""

from __future__ import annotations

import shlex
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pyasp_puzzles.cli import options
from pyasp_puzzles.cli.files import NewFile, Output
from pyasp_puzzles.cli.options import OUTPUT, offers, option
from pyasp_puzzles.cli.output import file_stem
from pyasp_puzzles.cli.run import NO_ANSWER, OUT_OF_TIME, command_run, read
from pyasp_puzzles.cli.terminal import Progress, message, write
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.batches.workers import Workers
    from pyasp_puzzles.model.puzzle import Instance

# Characters of the longest name of an input that the source of a minimized board repeats; an address can be longer.
LONGEST_SOURCE = 200

BOARD = "Board"
# The options that tell which boards are made.
BOARDS_BY = (
    *("size", "wanted_grade", "symmetric", "clues", "fewest", "peels", "like", "format", "layout", "colors", "longest"),
    "largest",
    *("encoding", "extra", "puzzles"),
)
MINIMIZED_BY = ("fewest", "symmetric", "wanted_grade", "format", "encoding", "extra", "puzzles", "seed")


def _grade_word(word: str | None) -> str | None:
    """Return the grade that an option names, with a hyphen or a blank between its words."""
    return None if word is None else word.replace("-", " ")


SIZE = "The size: 9, or 8x10 for 8 rows and 10 columns."
GRADE = "How hard the boards are: easy, medium, hard, very-hard or extreme."
LIKE = (
    "Make boards like the first one in this file, which may have any format: with its layout, or only with its outline"
    " if the layout is new."
)
LAYOUT = (
    "new: make new regions, streams or blocks, as in a jigsaw Sudoku; same: keep those of --like, or the usual boxes."
    " The default is new where a size alone does not say what the layout is, as for a Sudoku of 5x5."
)
SYMMETRIC = "Place the clues symmetrically: a half-turn of the board maps them to one another."
FEWEST = "Keep as few clues as possible, with proof. If time runs out, print how many are needed at least."
FEWEST_OF = "Keep the fewest of the board's clues, with proof. If time runs out, print how many are needed at least."
SYMMETRIC_OF = "Leave out clues only together with those half a turn around the board from them."
PEELS = (
    "How many rounds it takes to peel a Strata board, where each round takes off all ribbons that can come off. Most"
    " boards take many."
)
COLORS = "How many colors a board of Strata or strips has."
LARGEST = "The most cells of a block in new layouts of Tectonic, up to 9; 5 by default."
NUMBER = "How many boards to make."
NO_GRADE = "Skip grading (faster)."
SEED = "The seed of random choices; the same seed makes the same boards."
OTHER_SEED = "The seed of random choices; another seed keeps other clues."
TIMEOUT = "Stop working on a board after this time, grading included, and print the nearest one found; 60 by default."
Timeout = Annotated[float | None, option(options.SEARCH, TIMEOUT, metavar="SECONDS", min=0)]
Grade = Annotated[
    str | None, option(BOARD, GRADE, "--grade", metavar="WORD", callback=_grade_word, autocompletion=offers("grade"))
]
Symmetric = Annotated[bool, option(BOARD, SYMMETRIC, "--symmetric")]
Fewest = Annotated[bool, option(BOARD, FEWEST, "--fewest")]
Seed = Annotated[int | None, option(options.SEARCH, SEED, metavar="N", min=0, max=2**32 - 1)]


def generate(
    puzzle: options.Puzzle,
    size: Annotated[str | None, option(BOARD, SIZE, metavar="SIZE")] = None,
    wanted_grade: Grade = None,
    symmetric: Symmetric = False,
    clues: Annotated[int | None, option(BOARD, "How many clues the boards have.", metavar="N", min=0)] = None,
    fewest: Fewest = False,
    peels: Annotated[int | None, option(BOARD, PEELS, metavar="N", min=1)] = None,
    like: Annotated[str | None, option(BOARD, LIKE, metavar="FILE", autocompletion=offers("board"))] = None,
    format: options.As = None,
    layout: Annotated[str | None, option(BOARD, LAYOUT, metavar="new|same", autocompletion=offers("layout"))] = None,
    colors: Annotated[int | None, option(BOARD, COLORS, metavar="N", min=1)] = None,
    longest: Annotated[int | None, option(BOARD, "The length of the longest strip.", metavar="N", min=1)] = None,
    largest: Annotated[int | None, option(BOARD, LARGEST, metavar="N", min=1)] = None,
    number: Annotated[int, option(OUTPUT, NUMBER, "-n", "--number", min=1, max=Limits.LARGEST_LIMIT, metavar="N")] = 1,
    output: Annotated[Path | None, options.output(options.FILES, "FILE|DIR")] = None,
    force: options.Force = False,
    ungraded: Annotated[bool, option(OUTPUT, NO_GRADE, "--no-grade")] = False,
    jobs: Annotated[int, option(OUTPUT, "Work in N processes.", min=1, max=1024, metavar="N")] = 1,
    encoding: options.Encoding = None,
    extra: options.Extra = None,
    puzzles: options.Puzzles = None,
    timeout: Timeout = None,
    seed: Seed = None,
) -> None:
    """Make new boards with exactly one answer.

    Boards are printed as TOML, each with its grade, its seed and the command that makes it again. Without --grade or
    --clues, boards are minimal: no clue can be removed.
    """
    with command_run() as run, ExitStack() as stack:
        from pyasp_puzzles.generation.generate import Maker, seeds
        from pyasp_puzzles.generation.layouts import Wanted, named
        from pyasp_puzzles.generation.reduction import Wish
        from pyasp_puzzles.puzzles.declaration import find
        from pyasp_puzzles.puzzles.question import unread_predicates

        settings = options.settings(encoding, extra, timeout, puzzles=puzzles)
        wanted = Wanted(
            find(puzzle, directories=settings.puzzles),
            None if size is None else options.rows_and_columns(size),
            _like(like, settings, format),
            layout,
            colors,
            named(longest=longest, largest=largest),
        )
        wish = Wish(wanted_grade, clues, symmetric, fewest, named(peels=peels))
        if ungraded and wanted_grade is not None:
            raise typer.BadParameter("--no-grade contradicts --grade; leave one of them out")
        words = _command(["generate", puzzle], locals(), BOARDS_BY)
        maker = Maker(wanted, wish, settings, graded=not ungraded, command=words)
        where = Output(output, force=force)
        if seed is not None and where.directory is not None:
            for one in seeds(seed, number):
                where.in_directory(f"{wanted.puzzle.name}-{one}.toml")
        out = _Boards(where, number, wanted.puzzle.name, stack)
        progress = stack.enter_context(Progress("{count} boards, {rate:.1f} a second", number))
        for board_seed, made in maker.boards(seed, number, _workers(jobs, number, stack), jobs * Limits.MOST_AHEAD):
            progress.clear()
            if made is None:
                run.at_least(OUT_OF_TIME)
                message(f"seed {board_seed}: no board was found in time")
                continue
            run.warn(warning.in_full for warning in unread_predicates(made.instance, settings))
            if not made.met:
                run.at_least(OUT_OF_TIME)
                message(f"seed {board_seed}: {made.missed}, the nearest that was found in time")
            elif made.late:
                run.at_least(OUT_OF_TIME)
                message(f"seed {board_seed}: there was no time left to grade this board; --no-grade skips grading")
            out.board(made.instance, board_seed)
            progress.count += 1
            progress.completed += 1


def minimize(
    files: options.Files,
    fewest: Annotated[bool, option(BOARD, FEWEST_OF, "--fewest")] = False,
    symmetric: Annotated[bool, option(BOARD, SYMMETRIC_OF, "--symmetric")] = False,
    wanted_grade: Grade = None,
    format: options.As = None,
    output: Annotated[Path | None, options.output(options.FILES, "FILE|DIR")] = None,
    force: options.Force = False,
    encoding: options.Encoding = None,
    extra: options.Extra = None,
    puzzles: options.Puzzles = None,
    timeout: Timeout = None,
    seed: Annotated[int, option(options.SEARCH, OTHER_SEED, metavar="N", min=0, max=2**32 - 1)] = 0,
) -> None:
    """Remove clues from boards that have one answer, as long as it remains the only one.

    The boards are printed as TOML. They are minimal: no clue can be removed.
    """
    with command_run() as run, ExitStack() as stack:
        from pyasp_puzzles.boards.toml import DETAILS
        from pyasp_puzzles.errors import OutOfTime, PuzzleError
        from pyasp_puzzles.generation.clues import clues_of
        from pyasp_puzzles.generation.generate import minimized
        from pyasp_puzzles.generation.reduction import Wish

        options_given: dict[str, object] = {**locals(), "seed": seed or None}
        settings = options.settings(encoding, extra, timeout, puzzles=puzzles)
        wish = Wish(wanted_grade, None, symmetric, fewest)
        where = Output(output, force=force)
        out = _Boards(where, 0, "", stack)
        boards = where.free(run.boards(files, settings, format), lambda board: f"{file_stem(board)}.toml", run.report)
        for board, timed in boards:
            try:
                made = minimized(board, wish, seed, timed)
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
                details["source"] = _command(["minimize", board.source], options_given, MINIMIZED_BY)
            out.single = len(files) == 1 and board.total == 1 and not Path(files[0]).is_dir()
            details = {key: details[key] for key in DETAILS if key in details}
            out.board(made.instance._replace(details=details), seed, f"# {after} of {before} clues{proven}\n")


def _nothing_left_out(*, symmetric: bool) -> str:
    """Return why a board has all its clues."""
    if symmetric:
        return "no clue can be left out together with the one half a turn around the board; try without --symmetric"
    return "every clue is needed"


def _like(name: str | None, settings: Settings, format: str | None) -> Instance | None:
    """Return the first board of what --like names.

    Raises:
        BadParameter: a format is given, but no file.
        PuzzleError: it has no board, or what is wrong with it.
    """
    from pyasp_puzzles.errors import InstanceError, Where
    from pyasp_puzzles.formats.format import check_format

    check_format(format, settings.puzzles)
    if name is None:
        if format is not None:
            raise typer.BadParameter(f"--as {format}: there is nothing to read; name a board with --like FILE")
        return None
    board = next(read([name], settings, format), None)
    if board is None:
        raise InstanceError("there is no board to make others like it; name one with --like", Where(name))
    if isinstance(board, Exception):
        raise board
    return board


def _command(start: Sequence[str], given: dict[str, object], options: Iterable[str]) -> str:
    """Return the command that was given, with these of its options."""
    names = {"wanted_grade": "grade", "format": "as"}
    words = ["pyasp", *start]
    for name in options:
        value = given[name]
        for one in value if isinstance(value, list) else [value]:
            if one is not None and one is not False:
                words += [f"--{names.get(name, name)}", *([] if one is True else [str(one)])]
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
    """Writes boards as TOML: to a file for all, to standard output, or to a directory with a file for each."""

    def __init__(self, output: Output, number: int, puzzle: str, stack: ExitStack) -> None:
        self.single = number == 1
        self._puzzle = puzzle
        self._output = output
        self._stack = stack
        self._first = True

    @cached_property
    def _write(self) -> Callable[[str], object]:
        """The function that writes text to the file, or to standard output."""
        if self._output.path is None:
            return write
        file = self._stack.enter_context(NewFile(self._output.path, force=self._output.force))
        return lambda text: file.write(text.encode())

    def board(self, instance: Instance, seed: int, comment: str = "") -> None:
        """Write a board, with a comment above its keys."""
        from pyasp_puzzles.formats.toml import value
        from pyasp_puzzles.puzzles.board import keys_of

        keys = {key: value(key, one) for key, one in keys_of(instance).items()}
        if self._output.directory is not None:
            name = f"{self._puzzle}-{seed}" if self._puzzle else file_stem(instance)
            self._output.write_in_directory(f"{name}.toml", comment + "\n".join([*keys.values(), ""]))
            return
        text = ""
        if not self.single:
            if self._puzzle and self._first:
                text += f"{keys['puzzle']}\n"
            if self._puzzle:
                del keys["puzzle"]
            text += "\n[[board]]\n" if self._puzzle or not self._first else "[[board]]\n"
        self._write(text + comment + "\n".join([*keys.values(), ""]))
        self._first = False
