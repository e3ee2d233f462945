"""Loading instances from TOML and `.lp` files, directories, standard input, and the instances that ship."""

from __future__ import annotations

import re
import sys
from contextlib import contextmanager
from io import BytesIO
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from pyasp_puzzles.asp.paths import instances_directory
from pyasp_puzzles.asp.settings import DEFAULT, Settings
from pyasp_puzzles.boards.facts import Facts
from pyasp_puzzles.boards.toml import DETAILS, Table, one_line, read_toml
from pyasp_puzzles.errors import InstanceError, PuzzleError, Where, did_you_mean, listing
from pyasp_puzzles.puzzles.declaration import find, puzzles, shipped_aliases
from pyasp_puzzles.puzzles.puzzle import Instance, Puzzle

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import BinaryIO

    from pyasp_puzzles.formats.lines import Report


SUFFIXES = (".toml", ".lp")
LINES = (".txt", ".sdm")
"""Suffixes of lists of boards in a directory; a file that is named may have any suffix."""
STDIN = "<stdin>"
LARGEST_FILE = 16 * 2**20
"""Bytes."""

InstanceLike: TypeAlias = "Instance | str | Path"
"""An instance, or the name, as for `load`, of a file with one board."""


def load(name: str | Path, lines: str | None = None, puzzles: Sequence[Path] = ()) -> list[Instance]:
    """Return the boards of an instance, in order; `iload` reads them one by one.

    Args:
        name: a file, a directory (all of its instances), `-` for standard input, or an instance that ships, such as
            `tectonic/seed`.
        lines: the puzzle ("sudoku") of files with one board a line; `.toml` and `.lp` files are read as usual.
        puzzles: folders of your own puzzles, or directories of such folders, besides those in PYASP_PUZZLES.

    Raises:
        InstanceError: what is wrong, with file and line.
        EncodingError: a folder is not a puzzle.
    """
    return list(iload(name, lines, puzzles=puzzles))


def iload(
    name: str | Path,
    lines: str | None = None,
    report: Report | None = None,
    puzzles: Sequence[Path] = (),
) -> Iterator[Instance]:
    """Yield the boards of an instance one by one, from a list of any length, or a directory with many files.

    A file of TOML or facts is read and checked as a whole before its first board.

    Args:
        name: as for `load`.
        lines: as for `load`; such a list is read line by line.
        report: called with the error of a bad line; without it, the first bad line ends the iteration.
        puzzles: as for `load`.

    Raises:
        InstanceError: what is wrong, with file and line.
        EncodingError: a folder is not a puzzle.
    """
    for path, source in files(name, lines):
        if lines is None or (path and path.suffix in SUFFIXES):
            yield from loads(read_text(path, source), source, puzzles=puzzles)
        else:
            from pyasp_puzzles.formats.lines import read_lines

            with _open(path, Where(source)) as file:
                yield from read_lines(file, source, lines, report)


def instance_of(given: InstanceLike, settings: Settings = DEFAULT) -> Instance:
    """Return the given instance, or the only board of the file with the given name.

    Raises:
        InstanceError: there are several boards, or what is wrong with the file.
    """
    if isinstance(given, Instance):
        return given
    first, *others = islice(iload(given, puzzles=settings.puzzles), 2)
    if others:
        raise InstanceError("there are several boards, expected one; `load` returns them all", Where(str(given)))
    return first


def files(name: str | Path, lines: str | None = None) -> Iterator[tuple[Path | None, str]]:
    """Yield the path of each file with the given name, as for `load`, and its name in messages.

    The path is None for standard input.

    Raises:
        InstanceError: there is no such file, or a directory has no instances.
    """
    if lines is not None:
        from pyasp_puzzles.formats.lines import check_lines

        check_lines(lines)
    if str(name) in {"-", STDIN}:
        yield None, STDIN
        return
    path = _find(str(name))
    if not path.is_dir():
        yield path, str(name)
        return
    expected = SUFFIXES if lines is None else (*SUFFIXES, *LINES)
    try:
        inside = sorted(file for file in path.rglob("*") if file.suffix in expected and file.is_file())
    except RecursionError:
        raise InstanceError("directories nested too deep, expected instances in it", Where(str(name))) from None
    except OSError as error:
        raise _unreadable(error, Where(str(name))) from None
    if not inside:
        suffixes = listing(f"*{suffix}" for suffix in expected)
        raise InstanceError(f"no instances in this directory, expected {suffixes}", Where(str(path)))
    yield from ((file, str(Path(name) / file.relative_to(path))) for file in inside)


def loads(text: str, source: str = "<text>", lines: str | None = None, puzzles: Sequence[Path] = ()) -> list[Instance]:
    """Return the boards of an instance in a string, TOML or facts.

    Args:
        text: the instance.
        source: its name in messages.
        lines: the puzzle ("sudoku") of a text with one board a line.
        puzzles: as for `load`.

    Raises:
        InstanceError: what is wrong, with source and line.
    """
    if lines is not None:
        from pyasp_puzzles.formats.lines import check_lines, read_lines

        check_lines(lines)
        return list(read_lines(BytesIO(text.encode("utf-8", "surrogatepass")), source, lines))
    where = Where(source)
    if not text.strip():
        raise InstanceError("the file is empty, expected an instance", where)
    if _is_facts(text, source):
        return [_from_facts(text, where, puzzles)]
    boards = read_toml(text, where)
    return [from_table(table, board, len(boards), puzzles) for board, table in enumerate(boards, 1)]


def shipped() -> Iterator[str]:
    """Yield the names of the instances that ship, as for `load`."""
    root = instances_directory()
    for path in sorted(root.rglob("*")):
        if path.suffix in SUFFIXES:
            name = path.relative_to(root)
            ambiguous = path.suffix == ".lp" and path.with_suffix(".toml").exists()
            yield str(name if ambiguous else name.with_suffix(""))


def _find(name: str) -> Path:
    """Return the file or directory of a name, or the instance that ships under that name."""
    for candidate in _candidates(name):
        try:
            if candidate.exists():
                return candidate
        except (OSError, ValueError):  # no file can have the name: it is too long, or has a NUL character
            break
    message = "there is no such file, nor an instance of that name among those of `pyasp list`"
    raise InstanceError(f"{message}{did_you_mean(name, _shipped_names())}", Where(one_line(name[:200])))


def _candidates(name: str) -> Iterator[Path]:
    """Yield the paths that a name may have: a file, or an instance that ships, also under an alias of its puzzle."""
    yield Path(name)
    root = instances_directory()
    yield from (root / f"{name}{suffix}" for suffix in ("", *SUFFIXES))
    folder, slash, rest = name.partition("/")
    puzzle = shipped_aliases().get(folder)  # reads every puzzle, so it comes last
    if puzzle is not None:
        yield from (root / f"{puzzle}{slash}{rest}{suffix}" for suffix in ("", *SUFFIXES))


def _shipped_names() -> Iterator[str]:
    """Yield the names of the instances that ship, also under the aliases of their puzzles."""
    aliases = shipped_aliases()
    for name in shipped():
        folder, _, rest = name.partition("/")
        yield name
        yield from (f"{alias}/{rest}" for alias, puzzle in aliases.items() if puzzle == folder)


def read_text(path: Path | None, source: str) -> str:
    """Return the text of a file, or of standard input if the path is None.

    Raises:
        InstanceError: it is not a regular file, cannot be read, is too large, or is not text.
    """
    where = Where(source)
    try:
        with _open(path, where) as file:
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        raise _unreadable(error, where) from None
    if len(data) > LARGEST_FILE:
        raise InstanceError(f"the file is larger than {LARGEST_FILE >> 20} MB", where)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InstanceError("not UTF-8, expected text", Where(source, line)) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise InstanceError("a NUL character, expected text", Where(source, line))
    return text


@contextmanager
def _open(path: Path | None, where: Where) -> Iterator[BinaryIO]:
    """Open a file; or yield standard input, which is not closed, if the path is None."""
    if path is None and sys.stdin is None:
        raise InstanceError("standard input is closed", where)
    if path is None:
        yield sys.stdin.buffer
        return
    try:
        if not path.is_file():
            problem = "this is not a regular file" if path.exists() else "there is no such file"
            raise InstanceError(f"{problem}, expected one, or - for standard input", where)
        opened = path.open("rb")
    except (OSError, ValueError) as error:
        raise _unreadable(error, where) from None
    with opened as file:
        yield file


def _unreadable(error: Exception, where: Where) -> InstanceError:
    return InstanceError(f"cannot be read: {getattr(error, 'strerror', None) or error}", where)


def _is_facts(text: str, source: str) -> bool:
    """Tell whether a text is facts, not TOML, by its suffix or its first characters."""
    if source.endswith(SUFFIXES):
        return source.endswith(".lp")
    return re.match(r"\s*+(%|:-|#(script|include|const|show)\b|[a-z]\w*\s*[(.])", text) is not None


def from_table(table: Table, board: int, boards: int, directories: Sequence[Path]) -> Instance:
    """Return the board with the keys of a table; `board` and `boards` are those of `Instance`.

    Raises:
        InstanceError: what is wrong, with its place.
    """
    name = table.string("puzzle")
    if name is None:
        raise table.missing("puzzle", "the name of one")
    puzzle = find(name, table.place("puzzle"), directories)
    about: dict[str, object] = {"puzzle": puzzle.name, "source": table.where.source, "board": board, "title": ""}
    try:
        details = table.details()
        about["title"] = details.get("title", "")
        facts = Facts(puzzle.predicates, table.where)
        for fact in puzzle.facts(table):
            facts.add(*fact)
        solution = table.string("solution")
        table.finish()
        puzzle.validate(facts)
        instance = Instance(puzzle, facts, board, boards, table.collection, details, table.extras)
        if solution is None:
            return instance
        return instance._replace(solution=puzzle.read(instance, solution, table.place("solution"), whole=True))
    except PuzzleError as error:
        error.about = about
        raise


_DETAIL = re.compile(rf"^% (puzzle|{'|'.join(DETAILS)}):(.*)$", re.MULTILINE)


def _from_facts(text: str, where: Where, directories: Sequence[Path]) -> Instance:
    from pyasp_puzzles.formats.facts import predicates, read_facts

    used = predicates(text, where)
    read = read_facts(text, where)
    first = list(islice(read, 1))  # an error in the first fact comes before an unknown puzzle
    details = {match[1]: (match[2].strip(), match.start()) for match in _DETAIL.finditer(text)}
    name, start = details.pop("puzzle", ("", 0))
    if name:
        puzzle = find(name, Where(where.source, text.count("\n", 0, start) + 1), directories)
    else:
        puzzle = _recognise(used, where, directories)
    facts = Facts(puzzle.predicates, where)
    words = {key: one_line(value) for key, (value, _) in details.items()}
    try:
        for fact in chain(first, read):
            facts.add(*fact)
        if not len(facts):
            raise InstanceError(f"no facts, expected {puzzle.required} and others", where)
        puzzle.validate(facts)
    except PuzzleError as error:
        error.about = {"puzzle": puzzle.name, "source": where.source, "board": 1, "title": words.get("title", "")}
        raise
    return Instance(puzzle, facts, details=words)


def _recognise(predicates: set[str], where: Where, directories: Sequence[Path]) -> Puzzle:
    """Return the puzzle of facts with these predicates: it requires one of them, and knows the most."""
    with_rules = [puzzle for puzzle in puzzles(directories) if puzzle.rules == puzzle.folder]
    candidates = [puzzle for puzzle in with_rules if puzzle.required in predicates]
    if not candidates:
        needed = listing(f"{puzzle.required} ({puzzle.name})" for puzzle in with_rules)
        raise InstanceError(f"no board of any puzzle in these facts, expected facts of {needed}", where)
    return min(candidates, key=lambda puzzle: len(predicates - {known.name for known in puzzle.predicates}))
