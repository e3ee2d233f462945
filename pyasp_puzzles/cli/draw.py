"""The commands `draw` and `book`: boards as pictures, and a printable book of them."""

from __future__ import annotations

import logging
import signal
import sys
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pyasp_puzzles.cli import options
from pyasp_puzzles.cli.files import OutputFiles, board_file_name
from pyasp_puzzles.cli.options import ANSWERS, OUTPUT, option, option_error, refuse_options_together
from pyasp_puzzles.cli.run import ABANDONED_MESSAGE, ANSWERED, NO_ANSWER, OUT_OF_TIME, Run
from pyasp_puzzles.cli.terminal import ProgressLine, write_stderr
from pyasp_puzzles.errors import PuzzleError, listing
from pyasp_puzzles.render.svg import svg

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.render.book import BookExercise
    from pyasp_puzzles.render.svg import Drawing

_FORMATS = (".svg", ".html", ".png")

_CANDIDATES = "Draw what each cell holds in some answer."
_AXES = "Leave out the numbers of rows and columns, and the line that names the variants."
_TURNED = "Turn boards clockwise by 45 degrees, as Strata shows them."


def draw_command(
    run: Run,
    boards: options.AnyBoardOptions,
    out: OutputFiles,
    solved: Annotated[bool, option(ANSWERS, "Draw an answer.", "--solved")] = False,
    candidates: Annotated[bool, option(ANSWERS, _CANDIDATES, "--candidates")] = False,
    turned: Annotated[bool, option(OUTPUT, _TURNED, "--turned")] = False,
    bare: Annotated[bool, option(OUTPUT, _AXES, "--no-axes")] = False,
) -> None:
    """Draw boards, answers or candidates.

    The suffix of --output is .svg, .html or .png; in a directory, each board has an SVG. Without it, the SVG of a
    single board goes to standard output; on a terminal, to a file with the name of the board.

    Examples:
      pyasp draw tectonic/seed --solved -o seed.svg
      pyasp draw strips/hunt --solved -o hunt.html
      pyasp draw my.toml --candidates > my.svg

    Exit codes: 0 every board was drawn, 1 some board has no answer
    """
    refuse_options_together({"--solved": solved, "--candidates": candidates})
    suffix = "" if out.path is None else out.path.suffix.lower()
    if suffix not in {"", *_FORMATS}:
        raise option_error("--output", out.path, f"has an unknown suffix; choose {listing(_FORMATS)}, or a directory")
    with out:
        free = out.free(run.boards(boards), ".svg", run.report)
        drawn = drawings_of(free, run, solved=solved, candidates=candidates)
        drawings = ((instance, replace(drawing, turned=turned)) for instance, drawing in drawn)
        if bare:
            drawings = ((instance, replace(drawing, caption="")) for instance, drawing in drawings)
        if out.directory is not None:
            for instance, drawing in drawings:
                out.write(f"{svg(drawing, axes=not bare)}\n", board_file_name(instance, ".svg"))
        elif suffix == ".html":
            _write_page(drawings, out, run, axes=not bare)
        else:
            write_drawing(drawings, out, run, axes=not bare)


def drawings_of(
    boards: Iterator[tuple[Instance, Settings]], run: Run, *, solved: bool, candidates: bool = False
) -> Iterator[tuple[Instance, Drawing]]:
    """Yield each board with its drawing; a board without an answer is reported."""
    from pyasp_puzzles.queries.solve import possible, solve

    if not (solved or candidates):
        yield from ((instance, instance.drawing()) for instance, _ in boards)
        return
    for instance, answer in run.answered(boards, solve if solved else possible):
        yield instance, replace(answer.drawing(), title=instance.title or instance.puzzle.name)


def write_drawing(
    drawings: Iterator[tuple[Instance, Drawing]], output: OutputFiles, run: Run, *, axes: bool = True
) -> None:
    """Write the only drawing, to standard output or a file, PNG if its name says so; to a file rather than a terminal.

    Raises:
        PuzzleError: there are several, which need HTML or a directory.
    """
    only = next(drawings, None)
    if only is None:
        return
    if next(drawings, None) is not None:
        raise PuzzleError(
            "there are several boards; draw them on one page with `pyasp draw -o PAGE.html`, or each with -o DIR"
        )
    text = svg(only[1], axes=axes) + "\n"
    if output.unnamed and sys.stdout.isatty():
        path = Path(board_file_name(only[0], ".svg"))
        with OutputFiles(output=path, force=output.force, directories=False) as file:
            file.write(text, lacks=_lacks(run))
        write_stderr(f"wrote {path}")
        return
    is_png = output.path is not None and output.path.suffix.lower() == ".png"
    output.write(_png(text) if is_png else text, lacks=_lacks(run))


def _lacks(run: Run) -> str:
    return "" if run.code == ANSWERED else "is incomplete"


def _png(text: str) -> bytes:
    """Return an SVG as PNG, twice as large as on screen.

    Raises:
        PuzzleError: the program that does it is not installed.
    """
    try:
        import resvg_py
    except ImportError:
        raise PuzzleError("PNG needs resvg; run pip install 'pyasp-puzzles[png]', or write an .svg file") from None
    return bytes(resvg_py.svg_to_bytes(svg_string=text, zoom=2))


def _write_page(drawings: Iterator[tuple[Instance, Drawing]], output: OutputFiles, run: Run, *, axes: bool) -> None:
    from pyasp_puzzles.render.pages import gallery_page

    titled = [
        (f"{drawing.title} {instance.number if instance.total != 1 else ''}", drawing) for instance, drawing in drawings
    ]
    if titled:
        output.write(gallery_page("Puzzles", titled, axes=axes), lacks=_lacks(run))


# -- Books ---------------------------------------------------------------------------------------

# Boards on a page; more would be too small to read.
_MOST_PER_PAGE = 24

_FILE = "Write the book to this file, .html or .pdf."
_PAPER = "The size of the paper, a4 or letter."
_PER_PAGE = "How many boards a page has; by default 6, 4, 2 or 1, depending on their size."
_LARGE = "Print large: a board on a page, with larger cells and letters."
_CORNERS = "Print a box for pencil marks in the corner of each empty cell."
_NOTES = "Leave room for notes below each board."
_BOOK_FORMATS, _PAPERS = (".html", ".pdf"), ("a4", "letter")


def book_command(
    run: Run,
    boards: options.BoardOptions,
    output: Annotated[Path, option(OUTPUT, _FILE, "-o", "--output", metavar="FILE")],
    force: options.Force = False,
    title: Annotated[str | None, option(OUTPUT, "The title of the book.", metavar="TEXT")] = None,
    per_page: Annotated[int | None, option(OUTPUT, _PER_PAGE, metavar="N", min=1, max=_MOST_PER_PAGE)] = None,
    paper: Annotated[str, option(OUTPUT, _PAPER, metavar="PAPER", offers="paper")] = "a4",
    large: Annotated[bool, option(OUTPUT, _LARGE, "--large-print")] = False,
    corners: Annotated[bool, option(OUTPUT, _CORNERS, "--corners")] = False,
    notes: Annotated[bool, option(OUTPUT, _NOTES, "--notes")] = False,
    ungraded: options.NoGrade = False,
) -> None:
    """Print boards as a book, with their answers at the end.

    Above each board are its number and how hard it is. The book is HTML, or PDF if weasyprint is installed.

    Examples:
      pyasp book strips/hunt -o hunt.pdf
      pyasp book mine/ tectonic/ten -o book.html --title Weekend --paper letter
      pyasp book --as sudoku list.txt -o list.html --per-page 6 --no-grade

    Exit codes: 0 every board has exactly one answer, 1 some board has several or none
    """
    paper = paper.lower()
    if paper not in _PAPERS:
        raise option_error("--paper", paper, f"is unknown; choose {listing(_PAPERS)}")
    encode = _encoder(output)
    where = OutputFiles(output=output, force=force, directories=False)
    from pyasp_puzzles.render.book import book as pages_of

    made: list[Instance] = []
    exercises: list[BookExercise] = []

    def finish(lacks: str) -> None:
        if not exercises:
            return
        name = title or next((board.collection for board in made if board.collection), "Puzzles")
        with ProgressLine("writing the book"):
            styled = output.suffix.lower() == ".pdf"  # weasyprint does not apply the page's style to pictures
            pages = pages_of(
                name,
                exercises,
                per_page=per_page,
                paper=paper,
                large=large,
                notes=notes,
                styled=styled,
            )
            where.write(encode(pages), lacks=lacks)

    with where:
        try:
            loaded = run.boards(boards)
            with _reading(boards.files):
                first = next(loaded, None)
            every = chain([first] if first else [], loaded)
            with ProgressLine("preparing board {next}") as progress:
                for instance, exercise in progress.each(_exercises(run, every, graded=not ungraded, corners=corners)):
                    made.append(instance)
                    exercises.append(exercise)
        except BaseException:
            finish(f"has the boards so far: {len(exercises)}")
            raise
        finish("" if run.code in {ANSWERED, NO_ANSWER} else "is incomplete")


@contextmanager
def _reading(files: Iterable[str]) -> Iterator[None]:
    """Let the first Ctrl-C end only the program that writes to our input; the boards read so far become a book."""
    if "-" not in files or sys.stdin is None or sys.stdin.isatty():
        yield
        return
    before = signal.getsignal(signal.SIGINT)

    def hear(number: int, _: object) -> None:
        signal.signal(signal.SIGINT, before)
        if number == signal.SIGTERM:  # which is for this program only
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, hear)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _encoder(output: Path) -> Callable[[str], bytes]:
    """Return the function from an HTML page to the bytes of the file.

    Raises:
        BadParameter: the file has another suffix.
        PuzzleError: weasyprint is not installed.
    """
    suffix = output.suffix.lower()
    if suffix not in _BOOK_FORMATS:
        raise option_error("--output", output, f"has an unknown suffix; choose {listing(_BOOK_FORMATS)}")
    if suffix == ".html":
        return str.encode
    try:
        import weasyprint
    except (ImportError, OSError):  # OSError if a library of the system is missing
        message = "PDF needs weasyprint; run pip install 'pyasp-puzzles[pdf]', or print an .html file"
        raise PuzzleError(message) from None
    logging.getLogger("weasyprint").setLevel(logging.CRITICAL)  # it warns about what only browsers know
    return lambda page: bytes(weasyprint.HTML(string=page).write_pdf())


def _exercises(
    run: Run, boards: Iterable[tuple[Instance, Settings]], *, graded: bool, corners: bool
) -> Iterator[tuple[Instance, BookExercise]]:
    """Yield each board with its exercise in the book; report boards without exactly one answer in time."""
    from pyasp_puzzles.puzzles.wording import instructions
    from pyasp_puzzles.queries.solve import solutions
    from pyasp_puzzles.render.book import BookExercise

    for instance, settings in boards:
        try:
            limit = 1 if instance.puzzle.kind.solvable_is_good else 2
            query = solutions(instance, limit, settings)
            answers = list(query)
            proven = query.complete or len(answers) == limit
            usable = run.conclude(query.search, stats=False)
            note = _note(len(answers), limit, proven=proven)
            if note:
                code = NO_ANSWER if proven else OUT_OF_TIME
                run.lacks(instance, code, "several answers" if len(answers) > 1 else note)
            word = _word(run, instance, settings) if graded and usable and not note else ""
        except PuzzleError as error:
            error.about = instance.about
            run.report(error)
            continue
        about = ", ".join(filter(None, [instance.puzzle.name, word]))
        board = instance.drawing()
        if corners and "candidates" in instance.puzzle.kind.data:
            board = replace(board, pencil=board.cells)
        answer = replace(answers[0].drawing(), title=f"Answer to {board.title}") if answers else None
        title = instance.title if instance.title != instance.collection else ""
        yield instance, BookExercise(title, about, instructions(instance), board, answer, note)
        if not usable:
            write_stderr(ABANDONED_MESSAGE)
            return


def _note(answers: int, limit: int, *, proven: bool) -> str:
    """Return what is wrong with a board with this number of answers; empty if it is good."""
    if not answers:
        return "no answer" if proven else "no answer found in time"
    if not proven:
        return "there may be other answers"
    return "one of several answers" if answers == limit == 2 else ""


def _word(run: Run, instance: Instance, settings: Settings) -> str:
    """Return how hard a board is, in a word or as a number; report if time ran out."""
    from pyasp_puzzles.explanation.grade import grade

    graded = grade(instance, settings)
    if graded.status == "unknown":
        run.lacks(instance, OUT_OF_TIME, "not graded in time; --no-grade leaves grades out")
    return graded.name
