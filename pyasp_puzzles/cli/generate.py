"""The commands `generate` and `minimize`."""

from __future__ import annotations

import re
import shlex
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pyasp_puzzles.cli import options
from pyasp_puzzles.cli.files import OutputFiles, board_file_name
from pyasp_puzzles.cli.options import (
    ANSWERS,
    BOARD,
    COLORED,
    STRATA,
    STRIPS,
    TECTONIC,
    argument,
    option,
    option_error,
    refuse_options_together,
    size_option,
)
from pyasp_puzzles.cli.run import NO_ANSWER, OUT_OF_TIME, Run, boards_of_run
from pyasp_puzzles.cli.terminal import ProgressLine, write_stderr
from pyasp_puzzles.errors import PuzzleError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.generation.layouts import WantedLayout
    from pyasp_puzzles.model.keys import KeyRange
    from pyasp_puzzles.model.puzzle import Instance

# Characters of the longest name of an input that the source of a minimized board repeats; an address can be longer.
_LONGEST_SOURCE = 200

_PUZZLE = "A puzzle from `pyasp list`, or from --puzzles."
_LIKE = "Make boards like the first one in this file; with its layout, or only with its outline if the layout is new."
_LAYOUT = (
    "Make new regions (new), or keep those of --like or the usual boxes (same). The default is new if the size alone"
    " makes no board, as for a 5x5 Sudoku."
)
_PEELS = (
    "In how many rounds a board is peeled; each round takes off all ribbons that can come off. Most boards take many."
)
_GIVENS = "How many numbers are printed, such as 0 or 0..4."
_USE = (
    "How many clues a board has of a key: thermometers=4, killer_cages=8..12, or sandwiches for any number. May be"
    " repeated."
)
_CELLS = "How many cells a line or a cage has, such as 3..5."
_COVER = "Let the cages cover the board; without cages, the lines."
_SIDES = "The sides of the board that have clues, such as top,left; by default all."
_LINES = (
    "How close lines, and cages, may be: touch (they share no cell), apart (they are not side by side either) or"
    " overlap (they may share cells)."
)
_DOTS = "Print all dots and other signs that hold, even if they are not needed."
_SIZE = "Rows and columns of the boards: 9, or 8x10."
_COLORS = "How many colors the boards have."
_ANSWER = "A file with the numbers that the answers have, a grid with `.` for any number; - for standard input."
_LARGEST = "The most cells of a new block, up to 9; 5 by default."


def generate_command(
    run: Run,
    rules: options.RuleOptions,
    where: OutputFiles,
    puzzle: Annotated[str, argument("PUZZLE", _PUZZLE, "puzzle")],
    size: Annotated[str | None, option(BOARD, _SIZE, metavar="SIZE")] = None,
    wanted_grade: options.Grade = None,
    symmetric: options.Symmetric = False,
    clues: Annotated[int | None, option(BOARD, "How many clues the boards have.", metavar="N", min=0)] = None,
    fewest: options.Fewest = False,
    givens: Annotated[str | None, option(BOARD, _GIVENS, metavar="N|N..M")] = None,
    use: Annotated[list[str] | None, option(BOARD, _USE, metavar="KEY=N")] = None,
    cells: Annotated[str | None, option(BOARD, _CELLS, metavar="N..M")] = None,
    cover: Annotated[bool, option(BOARD, _COVER, "--cover")] = False,
    sides: Annotated[str | None, option(BOARD, _SIDES, metavar="SIDES")] = None,
    lines: Annotated[str, option(BOARD, _LINES, metavar="WAY")] = "touch",
    all_dots: Annotated[bool, option(BOARD, _DOTS, "--all-dots")] = False,
    answer: Annotated[str | None, option(ANSWERS, _ANSWER, "--answer", metavar="FILE")] = None,
    peels: Annotated[int | None, option(STRATA, _PEELS, metavar="N", min=1)] = None,
    like: Annotated[str | None, option(BOARD, _LIKE, metavar="FILE", offers="board")] = None,
    format: options.As = None,
    layout: Annotated[str | None, option(BOARD, _LAYOUT, metavar="new|same", offers="layout")] = None,
    colors: Annotated[int | None, option(COLORED, _COLORS, metavar="N", min=1, max=100)] = None,
    longest: Annotated[int | None, option(STRIPS, "The length of the longest strip.", metavar="N", min=1)] = None,
    largest: Annotated[int | None, option(TECTONIC, _LARGEST, metavar="N", min=1)] = None,
    number: Annotated[int | None, options.number_option("How many boards to make.")] = 1,
    to: options.To = None,
    ungraded: options.NoGrade = False,
    jobs: options.Jobs = None,
    seed: options.Seed = None,
) -> None:
    """Make new boards with exactly one answer.

    Boards are printed as TOML, each with its grade, its seed and the command that makes it again; --to chooses another
    format. No clue can be removed unless it is asked for. With --answer, the answer has these numbers. If a board takes
    longer than --timeout (60 seconds by default, grading included), the nearest one found is printed.

    Examples:
      pyasp generate sudoku
      pyasp generate sudoku --grade hard -n 24 --jobs 2 -o hard.toml
      pyasp generate sudoku --extra anti-knight --symmetric --seed 7
      pyasp generate sudoku --use killer_cages --cover --givens 0

    Exit codes: 0 every board is as wanted, 1 some board is not, though there was time
    """
    from pyasp_puzzles.batches.batch import in_order
    from pyasp_puzzles.batches.workers import started_workers
    from pyasp_puzzles.generation import layouts
    from pyasp_puzzles.generation.clues import Wish
    from pyasp_puzzles.generation.generate import Generator, seeds
    from pyasp_puzzles.generation.layouts import WantedLayout
    from pyasp_puzzles.puzzles import questions
    from pyasp_puzzles.puzzles.declaration import find_puzzle

    refuse_options_together({"--no-grade": ungraded, "--grade": wanted_grade})
    settings, number, jobs = rules.settings, number or 1, jobs or 1
    wanted = WantedLayout(
        find_puzzle(puzzle, directories=settings.puzzles),
        size_option(size),
        _like(like, format, rules),
        layout,
        colors,
        layouts.measures(longest=longest, largest=largest),
    )
    wish = Wish(
        _grade(wanted_grade),
        clues,
        symmetric,
        fewest,
        layouts.measures(peels=peels),
        _range("--givens", givens),
        _every_use(use or ()),
        _range("--cells", cells),
        tuple(sides.replace(",", " ").split()) if sides else (),
        cover,
        lines,
        all_dots,
    )
    asked: dict[str, object] = {
        "givens": givens,
        "use": use,
        "cells": cells,
        "cover": cover,
        "sides": sides,
        "all-dots": all_dots,
    }
    asked |= {"lines": lines if lines != "touch" else None, "answer": answer}
    asked |= {"size": size, "grade": wish.grade, "symmetric": symmetric, "clues": clues, "fewest": fewest}
    asked |= {"peels": peels, "like": like, "as": format, "layout": layout, "colors": colors, "longest": longest}
    command = _command(["generate", puzzle], asked | {"largest": largest}, rules)
    numbers = _numbers(answer, layouts.with_variants(wanted, (), settings.puzzles)) if answer else None
    maker = Generator(wanted, wish, settings, graded=not ungraded, command=command, answer=numbers)
    with ExitStack() as stack:
        stack.enter_context(where)
        out = _NewBoards(where, to, run, puzzle=wanted.puzzle.name, single=number == 1)
        for board_seed in [] if seed is None else seeds(seed, number):
            where.check(f"{wanted.puzzle.name}-{board_seed}{out.suffix}")
        counted = "{count} boards, {rate:.1f} a second"
        progress = stack.enter_context(ProgressLine(counted if number > 1 else "making a board", number))
        maker.stage = lambda stage: progress.say(counted + ", " + stage if number > 1 else stage)
        workers = stack.enter_context(started_workers(min(jobs, number))) if jobs > 1 else None
        if workers is not None:
            workers.said = maker.stage
        for board_seed, made in in_order(seeds(seed, number), maker.make_in_time, workers, str):
            if isinstance(made, str):
                run.at_least(OUT_OF_TIME)
                write_stderr(f"seed {board_seed}: {made}")
                continue
            run.warn(warning.in_full for warning in questions.unread(made.instance, settings))
            if not made.met or made.late:
                run.at_least(OUT_OF_TIME if made.late else NO_ANSWER)
                graded = "this board was graded; --no-grade skips grading"
                late = f"out of time before {'all clues were tested' if ungraded else graded}"
                lacks = f"{made.lacks}, the nearest that was found in time" if made.late else made.lacks
                write_stderr(f"seed {board_seed}: {late if made.met else lacks}")
            out.write(made.instance, f"{wanted.puzzle.name}-{board_seed}{out.suffix}")
            progress.count += 1
            progress.completed += 1


def minimize_command(
    run: Run,
    boards: options.BoardOptions,
    where: OutputFiles,
    fewest: options.Fewest = False,
    symmetric: options.Symmetric = False,
    wanted_grade: options.Grade = None,
    to: options.To = None,
    seed: options.Seed = None,
) -> None:
    """Remove clues from boards that have one answer, as long as it remains the only one.

    The boards are printed as TOML, or as --to says. They are minimal: no clue can be removed. Another --seed keeps
    other clues; the default is 0. If a board takes longer than --timeout (60 seconds by default), the nearest one found
    is printed.

    Examples:
      pyasp minimize my.toml
      pyasp minimize my.toml --fewest --timeout 20

    Exit codes: 0 every board is as wanted, 1 some board is not, though there was time
    """
    from pyasp_puzzles.boards.toml import DETAILS
    from pyasp_puzzles.errors import OutOfTime
    from pyasp_puzzles.formats.load import is_stream
    from pyasp_puzzles.generation.clues import Wish, clues_of_board
    from pyasp_puzzles.generation.minimize import minimized

    wish = Wish(_grade(wanted_grade), None, symmetric, fewest)
    asked = {"fewest": fewest, "symmetric": symmetric, "grade": wish.grade, "as": boards.format}
    with where:
        out = _NewBoards(where, to, run)
        for board, timed in where.free(run.boards(boards), out.suffix, run.report):
            try:
                made = minimized(board, wish, seed or 0, timed)
            except OutOfTime:
                run.lacks(board, OUT_OF_TIME, "out of time")
                continue
            except PuzzleError as error:
                run.report(error)
                continue
            before, after = len(clues_of_board(board)), len(clues_of_board(made.instance))
            if not made.met:
                run.lacks(board, OUT_OF_TIME if made.late else NO_ANSWER, made.lacks)
            if after == before and made.met and wanted_grade is None:
                write_stderr(f"{board.facts.where}: {_nothing_left_out(symmetric=symmetric)}")
            proven = ", and no fewer of them are enough" if fewest and made.met else ""
            details = dict(made.instance.details)
            if after < before and len(board.source) <= _LONGEST_SOURCE and not is_stream(board.source):
                details["source"] = _command(["minimize", board.source], asked, boards, seed or None)
            out.single = len(boards.files) == 1 and board.total == 1 and not Path(boards.files[0]).is_dir()
            details = {key: details[key] for key in DETAILS if key in details}
            comment = f"# {after} of {before} clues{proven}\n"
            out.write(made.instance._replace(details=details), board_file_name(board, out.suffix), comment)


def _grade(word: str | None) -> str | None:
    """Return the grade that an option names, with a hyphen or a blank between its words."""
    return None if word is None else word.replace("-", " ")


def _range(name: str, text: str | None) -> KeyRange | None:
    """Return the numbers that an option names, 4 or 3..5 or 3..; None if it is not given.

    Raises:
        BadParameter: these are no numbers.
    """
    from pyasp_puzzles.model.keys import KeyRange

    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,4})(?:(\.\.)(\d{1,4})?)?", text)
    if match is None:
        raise option_error(name, text, "is not a number; write 4, or 3..5 for three to five")
    if int(match[3] or match[1]) < int(match[1]):
        raise option_error(name, text, f"has the larger number first; write {match[3]}..{match[1]}")
    return KeyRange(int(match[1]), "cells" if match[2] and not match[3] else int(match[3] or match[1]))


def _every_use(use: Iterable[str]) -> tuple[tuple[str, KeyRange], ...]:
    """Return the keys that are named, each once, and how many clues each has; errors as for `_range`."""
    uses = [_used(text) for text in use]
    names = [name for name, _ in uses]
    for name in names:
        if names.count(name) > 1:
            raise options.UsageError(f"--use {name} is given twice; write one number, or a span such as 3..5")
    return tuple(uses)


def _used(text: str) -> tuple[str, KeyRange]:
    """Return the key that --use names, and how many clues it has; errors as for `_range`."""
    from pyasp_puzzles.generation.wishes import SOME

    name, equals, number = text.partition("=")
    return name, (_range(f"--use {name}", number) if equals else None) or SOME


def _numbers(name: str, wanted: WantedLayout) -> Mapping[Cell, int]:
    """Return the numbers of the answer in a file.

    Raises:
        PuzzleError: it has none.
    """
    from pyasp_puzzles.formats.load import read_answers
    from pyasp_puzzles.generation import layouts, wishes

    board, _ = layouts.first(wanted)
    wishes.check_numbers({}, wanted.puzzle, board)
    assert board is not None
    return next(answer.values for _, answer in read_answers([board], name))


def _nothing_left_out(*, symmetric: bool) -> str:
    """Return why no clue was left out."""
    if symmetric:
        return "no clue can be left out together with the one half a turn around the board; try without --symmetric"
    return "every clue is needed"


def _like(name: str | None, format: str | None, rules: options.RuleOptions) -> Instance | None:
    """Return the first board of what --like names.

    Raises:
        UsageError: a format is given, but no file.
        PuzzleError: it has no board, or what is wrong with it.
    """
    from pyasp_puzzles.errors import InstanceError, Where
    from pyasp_puzzles.formats.format import check_format

    check_format(format, rules.settings.puzzles)
    if name is None:
        if format is not None:
            raise options.UsageError(f"--as {format}: there is nothing to read; name a board with --like FILE")
        return None
    board = next(boards_of_run(options.BoardOptions(files=[name], format=format, **vars(rules))), None)
    if board is None:
        raise InstanceError("there is no board to make others like it; name one with --like", Where(name))
    if isinstance(board, Exception):
        raise board
    return board


def _command(
    start: Sequence[str], asked: Mapping[str, object], rules: options.RuleOptions, seed: int | None = None
) -> str:
    """Return the command that was given, with these of its options."""
    asked = {**asked, "encoding": rules.encoding, "extra": rules.extra, "puzzles": rules.puzzles, "seed": seed}
    parts = ["pyasp", *start]
    for name, value in asked.items():
        for part in value if isinstance(value, list) else [value]:
            if part is not None and part is not False:
                parts += [f"--{name}", *([] if part is True else [str(part)])]
    return shlex.join(parts)


class _NewBoards:
    """Writes boards as TOML, or in another format: to standard output or a file, or to a file each in a directory.

    Raises:
        PuzzleError: there is no such format.
    """

    def __init__(
        self, output: OutputFiles, to: str | None, run: Run, *, puzzle: str = "", single: bool = False
    ) -> None:
        from pyasp_puzzles.formats.format import find_format

        self._run = run
        self.single = single
        self._format = None if to in {None, "toml"} else find_format(str(to))
        self.suffix = ".toml" if self._format is None else (*self._format.suffixes, ".txt")[0]
        self._puzzle = puzzle
        self._output = output
        self._first = True

    def write(self, instance: Instance, name: str, comment: str = "") -> None:
        """Write a board, in TOML with a comment above its keys; in a directory, to the file of this name."""
        if self._format is not None:
            several = not (self.single or self._format.line or self._output.directory)
            if several and not self._first:
                raise PuzzleError(f"{self._format.name} has one board a file; write them to a directory with -o DIR")
            self._first = False
            try:
                text = self._format.write([instance], lambda warning: self._run.warn([warning]))
            except PuzzleError as error:
                self._run.report(error)
            else:
                self._output.write(f"{text}\n", name)
            return
        from pyasp_puzzles.formats.toml import key_text
        from pyasp_puzzles.puzzles.board import keys_of_board

        keys = {key: key_text(key, value) for key, value in keys_of_board(instance).items()}
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
