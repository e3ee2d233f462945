"""What the commands do with boards: read them, find answers, and say what is to be said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyasp_puzzles.cli.exit import NO_ANSWER, OUT_OF_TIME, Ending, complain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.cli.output import Answers
    from pyasp_puzzles.errors import EncodingError, PuzzleError
    from pyasp_puzzles.puzzles.puzzle import Instance
    from pyasp_puzzles.queries.solve import Solutions

    Elsewhere = Callable[[Iterator[Instance], Ending], Iterator[tuple[Instance, Answers]]]

ABANDONED = "the grounding did not end in time; as it cannot be stopped, no further board is begun"


def answers(
    names: list[str],
    ask: Callable[..., Solutions],
    end: Ending,
    how: Settings,
    *,
    stats: bool,
    elsewhere: Elsewhere | None = None,
) -> Iterator[tuple[Instance, Answers]]:
    """Yield each board with its answers to come; after one that cannot be stopped, go elsewhere."""
    from pyasp_puzzles.queries.solve import Solutions

    boards = instances(names, end, puzzles=how.puzzles)
    for instance, left in timed(boards, how):
        try:
            answers = ask(instance, settings=left)
        except KeyboardInterrupt:
            yield instance, Solutions()
            raise
        yield instance, answers
        if not answers.found:
            end.at_least(NO_ANSWER)
        if answers.search and not conclude(answers.search, end, stats=stats, silent=elsewhere is not None):
            if elsewhere is not None:
                yield from elsewhere(boards, end)
            return


def conclude(search: Search, end: Ending, *, stats: bool, silent: bool = False) -> bool:
    """Say what is to be said after a search; return whether others may follow, and say why not unless silent."""
    warn(search.warnings)
    if stats:
        tell(search.statistics())
    if search.timed_out:
        end.at_least(OUT_OF_TIME)
    if search.abandoned and not silent:
        complain(ABANDONED)
    return not search.abandoned


def tell(statistics: Mapping[str, float]) -> None:
    """Print times, in seconds, and sizes."""
    words = (
        f"{key} {value:.3f} s" if isinstance(value, float) else f"{key} {value}" for key, value in statistics.items()
    )
    complain(", ".join(words))


def warn(warnings: Sequence[EncodingError]) -> None:
    """Print what clingo noticed in the user's rules, none of it an error."""
    for warning in warnings:
        complain(f"warning: {warning.in_full}")


def instances(
    names: list[str], end: Ending, lines: str | None = None, puzzles: Sequence[Path] = ()
) -> Iterator[Instance]:
    """Yield the boards of all files; what is wrong with a file, or with a line, is said, and the others go on."""
    from pyasp_puzzles.errors import PuzzleError

    doubts: set[str] = set()
    for board in read(names, lines, puzzles):
        if isinstance(board, PuzzleError):
            end.complain(board)
            continue
        for warning in board.puzzle.warnings:
            if warning not in doubts:
                complain(f"warning: {warning}")
                doubts.add(warning)
        end.board = board
        yield board
        end.board = None


def timed(boards: Iterator[Instance], how: Settings) -> Iterator[tuple[Instance, Settings]]:
    """Yield the boards, each with settings whose clock runs since its reading began."""
    while True:
        left = how.started()
        instance = next(boards, None)
        if instance is None:
            return
        yield instance, left


def all_timed(boards: Iterator[Instance], how: Settings) -> tuple[list[Instance], Settings]:
    """Return the boards, read at once, and their settings; if there is but one, its clock runs since then."""
    left = how.started()
    found = list(boards)
    return found, left if len(found) == 1 else how


def check_reading(lines: str | None) -> None:
    """Raise `PuzzleError` unless files may be read as lines of that puzzle."""
    if lines is not None:
        from pyasp_puzzles.formats.lines import check_lines

        check_lines(lines)


def read(names: list[str], lines: str | None = None, puzzles: Sequence[Path] = ()) -> Iterator[Instance | PuzzleError]:
    """Yield the boards of all files, and among them what is wrong."""
    from pyasp_puzzles.errors import PuzzleError
    from pyasp_puzzles.formats.load import files, iload

    wrong: list[PuzzleError] = []
    for name in names:
        try:
            for _, source in files(name, lines):
                try:
                    for board in iload(source, lines, wrong.append, puzzles):
                        yield from wrong
                        wrong.clear()
                        yield board
                except PuzzleError as error:
                    error.about = {"source": source, **error.about}
                    wrong.append(error)
                yield from wrong
                wrong.clear()
        except PuzzleError as error:
            error.about = {"source": name}
            yield error
