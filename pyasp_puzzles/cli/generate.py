"""The commands `generate` and `minimize`."""

from __future__ import annotations

import re
import shlex
from collections import deque
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from pyasp_puzzles.cli import options
from pyasp_puzzles.cli.options import OUTPUT, option
from pyasp_puzzles.cli.run import OUT_OF_TIME, command_run, read
from pyasp_puzzles.cli.terminal import Progress, message, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.generation.generate import Made, Maker, Wish
    from pyasp_puzzles.generation.layouts import Wanted
    from pyasp_puzzles.puzzles.puzzle import Instance

BOARD = "Board"
# A board with more cells is graded only if a grade is asked for, because this can take minutes.
MOST_GRADED = 100
# The options that tell which boards are made.
BOARDS_BY = (
    *("size", "wanted_grade", "symmetric", "clues", "fewest", "peels", "like", "format", "layout", "colors", "longest"),
    "largest",
    *("encoding", "extra", "puzzles"),
)
# Boards that are started ahead of their turn, per process.
AHEAD = 4

SIZE = "The size: 9, or 8x10 for 8 rows and 10 columns."
GRADE = "How hard the boards are: easy, medium, hard, 'very hard' or extreme."
LIKE = (
    "Keep the layout of the board in this file, in any format, or its outline if the layout is new. Of several boards,"
    " take the first."
)
LAYOUT = (
    "new: make new regions, streams or blocks, such as those of a jigsaw Sudoku; same: keep those of --like, or the"
    " usual boxes. The default is new where a size alone makes no board, such as Sudokus of 5x5 or 7x7."
)
SYMMETRIC = "Place the clues so that a half-turn of the board keeps their places."
FEWEST = "Keep the fewest clues that leave one answer, by proof; if time runs out, print how many are needed at least."
PEELS = (
    "In how many rounds a Strata board is peeled, if in each round all ribbons come off that can come off. Most boards"
    " take many."
)
COLORS = "How many colours there are, in Strata and strips."
LARGEST = "The most cells of a block in new layouts of Tectonic, up to 9; 5 by default."
NUMBER = "How many boards to make."
NO_GRADE = "Do not grade the boards, which takes longer than to make them."
SEED = "Make the boards of this seed; the same seed makes the same boards."
OTHER_SEED = "Another seed leaves other clues."
TIMEOUT = "Stop working on a board after this time, and print the nearest that was found; 60 by default."
Timeout = Annotated[float | None, option(options.SEARCH, TIMEOUT, metavar="SECONDS", min=0)]
Grade = Annotated[str | None, option(BOARD, GRADE, "--grade", metavar="WORD")]
Symmetric = Annotated[bool, option(BOARD, SYMMETRIC, "--symmetric")]
Fewest = Annotated[bool, option(BOARD, FEWEST, "--fewest")]
Seed = Annotated[int | None, option(options.SEARCH, SEED, metavar="N", min=0, max=2**32 - 1)]


def generate(
    puzzle: Annotated[str, typer.Argument(metavar="PUZZLE", help="A puzzle from `pyasp list`, or from --puzzles.")],
    size: Annotated[str | None, option(BOARD, SIZE, metavar="SIZE")] = None,
    wanted_grade: Grade = None,
    symmetric: Symmetric = False,
    clues: Annotated[int | None, option(BOARD, "How many clues the boards have.", metavar="N", min=0)] = None,
    fewest: Fewest = False,
    peels: Annotated[int | None, option(BOARD, PEELS, metavar="N", min=1)] = None,
    like: Annotated[str | None, option(BOARD, LIKE, metavar="FILE")] = None,
    format: options.As = None,
    layout: Annotated[str | None, option(BOARD, LAYOUT, metavar="new|same")] = None,
    colors: Annotated[int | None, option(BOARD, COLORS, metavar="N", min=1)] = None,
    longest: Annotated[int | None, option(BOARD, "The length of the longest strip.", metavar="N", min=1)] = None,
    largest: Annotated[int | None, option(BOARD, LARGEST, metavar="N", min=1)] = None,
    number: Annotated[int, option(OUTPUT, NUMBER, "-n", "--number", min=1, max=options.MAX_LIMIT, metavar="N")] = 1,
    output: Annotated[Path | None, options.output(options.FILES, "FILE|DIR")] = None,
    ungraded: Annotated[bool, option(OUTPUT, NO_GRADE, "--no-grade")] = False,
    jobs: Annotated[int, option(OUTPUT, "Work in N processes.", min=1, max=1024, metavar="N")] = 1,
    encoding: options.Encoding = None,
    extra: options.Extra = None,
    puzzles: options.Puzzles = None,
    timeout: Timeout = None,
    seed: Seed = None,
) -> None:
    """Make new boards with exactly one answer.

    They are printed as TOML, each with its grade, its seed and the command that makes it again. Unless a grade or a
    number of clues is asked for, no clue can be left out.
    """
    with command_run() as run, ExitStack() as stack:
        from pyasp_puzzles.generation.generate import Wish, new_seed, seeds
        from pyasp_puzzles.generation.layouts import Wanted
        from pyasp_puzzles.puzzles.declaration import find

        settings = options.settings(encoding, extra, timeout, puzzles=puzzles)
        wanted = Wanted(
            find(puzzle, directories=settings.puzzles),
            None if size is None else _size(size),
            _like(like, settings, format),
            layout,
            colors,
            longest,
            largest,
        )
        wish = Wish(wanted_grade, clues, symmetric, fewest, peels)
        _maker(wanted, wish, settings)  # checks them
        order = _Order(wanted, wish, settings, graded=not ungraded)
        words = _command(puzzle, locals())
        out = _Output(output, number, wanted.puzzle.name, stack)
        progress = stack.enter_context(Progress("{count} boards, {rate:.1f} a second", number))
        first = new_seed() if seed is None else seed
        for board_seed, made in _made(order, list(seeds(first, number)), jobs, stack):
            progress.clear()
            if made is None:
                run.at_least(OUT_OF_TIME)
                message(f"seed {board_seed}: no board was found in time")
                continue
            if not made.met:
                run.at_least(OUT_OF_TIME)
                message(f"seed {board_seed}: {made.missed}, the nearest that was found in time")
            out.board(_described(made, f"{words} --seed {board_seed}"), board_seed)
            progress.count += 1
            progress.completed += 1


def minimize(
    files: options.Files,
    fewest: Fewest = False,
    symmetric: Symmetric = False,
    wanted_grade: Grade = None,
    format: options.As = None,
    encoding: options.Encoding = None,
    extra: options.Extra = None,
    puzzles: options.Puzzles = None,
    timeout: Timeout = None,
    seed: Annotated[int, option(options.SEARCH, OTHER_SEED, metavar="N", min=0, max=2**32 - 1)] = 0,
) -> None:
    """Leave out clues of boards that have one answer, while it remains the only one.

    The boards are printed as TOML; none of their clues can be left out.
    """
    with command_run() as run, ExitStack() as stack:
        from pyasp_puzzles.errors import OutOfTime, PuzzleError
        from pyasp_puzzles.generation.clues import clues_of
        from pyasp_puzzles.generation.generate import Wish, minimized

        settings = options.settings(encoding, extra, timeout, puzzles=puzzles)
        wish = Wish(wanted_grade, None, symmetric, fewest)
        out = _Output(None, 0, "", stack)
        for board, timed in run.boards(files, settings, format):
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
                run.lacks(board, OUT_OF_TIME, made.missed)
            proven = ", and no fewer are enough" if fewest and made.met else ""
            out.single = len(files) == 1 and board.boards == 1 and not Path(files[0]).is_dir()
            out.board(made.instance, seed, f"# {after} of {before} clues{proven}\n")


class _Order(NamedTuple):
    """What boards to make, as worker processes receive it."""

    wanted: Wanted
    wish: Wish
    settings: Settings
    graded: bool = True


def _size(words: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,4})(?:x(\d{1,4}))?", words)
    if match is None:
        raise typer.BadParameter(f"--size {words}: no size, expected 9, or 8x10 for 8 rows and 10 columns")
    return int(match[1]), int(match[2] or match[1])


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
            raise typer.BadParameter(f"--as {format}: there is nothing to read, expected --like FILE, too")
        return None
    board = next(read([name], settings, format), None)
    if board is None:
        raise InstanceError("no board, expected one to make others like it", Where(name))
    if isinstance(board, Exception):
        raise board
    return board


def _command(puzzle: str, given: dict[str, object]) -> str:
    """Return the command that was given, without options that do not change the boards."""
    names = {"wanted_grade": "grade", "format": "as"}
    words = ["pyasp", "generate", puzzle]
    for name in BOARDS_BY:
        value = given[name]
        for one in value if isinstance(value, list) else [value]:
            if one is not None and one is not False:
                words += [f"--{names.get(name, name)}", *([] if one is True else [str(one)])]
    return shlex.join(words)


def _described(made: Made, command: str) -> Instance:
    """Return a board with a title, and with its grade, its seed and its command."""
    from pyasp_puzzles.boards.grid import extent

    puzzle = made.instance.puzzle
    rows, columns = extent(puzzle.cells(made.instance.facts))
    word = made.grade
    title = f"{puzzle.name.capitalize()} {rows}x{columns}" + (f", {word}" if word else "")
    notes = [f"grade {word}"] if word else []
    notes += [f"seed {made.seed}", *([made.missed] if made.missed else [])]
    return made.instance._replace(details={"title": title, "source": command, "notes": ", ".join(notes)})


def _made(order: _Order, seeds: list[int], jobs: int, stack: ExitStack) -> Iterator[tuple[int, Made | None]]:
    """Yield each seed with its board, in order; None for a board that was not found in time."""
    if jobs == 1:
        for seed in seeds:
            yield seed, make(order, seed)
        return
    from pyasp_puzzles.batches.workers import Workers

    workers = Workers(min(jobs, len(seeds)))
    stack.callback(workers.kill)
    left = iter(seeds)
    waiting = deque(
        (seed, workers.submit(make, order, seed)) for seed, _ in zip(left, range(jobs * AHEAD), strict=False)
    )
    while waiting:
        seed, future = waiting.popleft()
        yield seed, future.result()
        following = next(left, None)
        if following is not None:
            waiting.append((following, workers.submit(make, order, following)))


@lru_cache(maxsize=1)
def _maker(wanted: Wanted, wish: Wish, settings: Settings) -> Maker:
    from pyasp_puzzles.generation.generate import Maker

    return Maker(wanted, wish, settings)


def make(order: _Order, seed: int) -> Made | None:
    """Return the board of a seed, graded; None if it was not found in time. Worker processes call this."""
    from pyasp_puzzles.errors import OutOfTime

    try:
        made = _maker(order.wanted, order.wish, order.settings).make(seed)
    except OutOfTime:
        return None
    if not made.grade and order.graded and len(made.instance.puzzle.cells(made.instance.facts)) <= MOST_GRADED:
        from pyasp_puzzles.explanation.grade import grade

        made = made._replace(grade=grade(made.instance, order.settings, resolution=False).word)
    return made


class _Output:
    """Where boards are written: a file for all, standard output, or a directory with a file for each."""

    def __init__(self, path: Path | None, number: int, puzzle: str, stack: ExitStack) -> None:
        self.single = number == 1
        self._puzzle = puzzle
        self._directory = path if path is not None and (path.is_dir() or not path.suffix) else None
        self._write: Callable[[str], object] = write
        if self._directory is not None:
            self._directory.mkdir(parents=True, exist_ok=True)
        elif path is not None:
            file = stack.enter_context(path.open("w", encoding="utf-8"))

            def write_file(text: str) -> None:
                file.write(text)
                file.flush()

            self._write = write_file
        self._first = True

    def board(self, instance: Instance, seed: int, comment: str = "") -> None:
        """Write a board, with a comment above its keys."""
        from pyasp_puzzles.formats.data import keys_of
        from pyasp_puzzles.formats.toml import value

        keys = {key: value(key, one) for key, one in keys_of(instance).items()}
        if self._directory is not None:
            file = self._directory / f"{self._puzzle}-{seed}.toml"
            file.write_text("\n".join([*keys.values(), ""]), encoding="utf-8")
            return
        if not self.single:
            if self._puzzle and self._first:
                self._write(f"{keys['puzzle']}\n")
            if self._puzzle:
                del keys["puzzle"]
            self._write("\n[[board]]\n" if self._puzzle or not self._first else "[[board]]\n")
        self._write(comment + "\n".join([*keys.values(), ""]))
        self._first = False
