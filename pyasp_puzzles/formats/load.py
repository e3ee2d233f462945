"""`load`, `iload` and `loads`: instances from files and texts in any format, directories, and those that ship.

_Input  a file, standard input, or a text that was given in place of a file's name
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from contextlib import contextmanager, suppress
from functools import partial
from io import BytesIO
from itertools import chain, islice
from math import isfinite
from os import PathLike
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TypeAlias

from pyasp_puzzles.arguments import PathArguments, check_text, check_type, several_paths, type_error
from pyasp_puzzles.asp.rules import VARIANT_FILE, instances_directory
from pyasp_puzzles.asp.settings import DEFAULT, Settings, check_settings
from pyasp_puzzles.errors import InstanceError, Where, did_you_mean, listing, printable_line, shown
from pyasp_puzzles.formats import toml
from pyasp_puzzles.formats.format import (
    MAGIC,
    Shows,
    Text,
    check_format,
    find_format,
    format_of_line,
    formats,
    formats_by_suffix,
)
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.puzzle import Instance
from pyasp_puzzles.puzzles import declaration
from pyasp_puzzles.puzzles.declaration import PUZZLE_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pyasp_puzzles.formats.format import Format
    from pyasp_puzzles.formats.lists import ReportError
    from pyasp_puzzles.model.answer import Answer


# Bytes of a file of boards.
_LARGEST_FILE = 16 * 2**20
# Suffixes of our own files.
_SUFFIXES = (".toml", ".lp")
# Declarations of a puzzle or a variant; .lp files next to them are rules.
_DECLARATIONS = (PUZZLE_FILE, VARIANT_FILE)
# Suffixes of lists of boards in a directory, with `--as`; a file that is named may have any suffix.
LIST_SUFFIXES = (".txt", ".sdm")
# Suffixes of other programs' files in a directory.
_OTHERS = (".sdk", ".sdm", ".ss", ".opensudoku", ".non")
# The format of pictures.
_PICTURE = "picture"
STDIN = "<stdin>"
# The most files and directories inside a directory; looking through them takes some seconds.
MOST_SEEN = 100_000
# Seconds in which a program must begin to write to a pipe that has a name.
_WRITER_SECONDS = 1.0
# Seconds for which a signal may go unheard while standard input has nothing to read.
_SIGNAL_SECONDS = 0.2
# The marks with which a text in UTF-16 begins.
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")

# {how files begin that are no text: what they are, and what to do}
_PACKED = {
    b"\x1f\x8b": "compressed by gzip: unpack it first, with gunzip",
    b"BZh": "compressed by bzip2: unpack it first, with bunzip2",
    b"\xfd7zXZ\0": "compressed by xz: unpack it first, with unxz",
    b"PK\3\4": "a zip archive, or a document of an office program: unpack it, or copy the board out of it",
    b"%PDF-": "a PDF: copy the board out of it, or make a PNG of it",
    b"GIF8": "a GIF: save it as PNG",
    b"RIFF": "a picture in WebP, or a sound: save it as PNG",
}
# How a saved game of Simon Tatham's collection begins.
SAVED_GAME = "SAVEFILE:"

# A board, or the name or the path of a file with one: what public functions of a board take.
InstanceLike: TypeAlias = "Instance | str | PathLike[str]"


class _Input(NamedTuple):
    """What boards are read from."""

    source: str
    """Its name in messages."""
    path: Path | None = None
    """The file; None for a text, and for standard input."""
    text: str | None = None
    """The text, if it was given in place of a file's name."""
    skipped: tuple[str, ...] = ()
    """For a directory, the files in it that have no boards."""


def load(
    name: str | PathLike[str], format: str | None = None, puzzles: PathArguments = (), shows: Shows | None = None
) -> list[Instance]:
    """Return the boards of an instance, in order; `iload` reads them one by one.

    Args:
        name: a file, a directory (all of its instances), `-` for standard input, an instance that ships, such as
            `tectonic/seed`, or a text such as an address of puzz.link. The format is recognised.
        format: the name of a format, or of the puzzle of a bare grid: "sudoku" for a list of Sudokus, one a line.
            In TOML, it is the puzzle of boards that do not name theirs; `.lp` files are read as usual.
        puzzles: a folder of your own puzzle, or a directory of such folders, or several, besides those in
            PYASP_PUZZLES.
        shows: what a picture shows: `Shows("strata", (6, 6), colors=4)`.

    Raises:
        InstanceError: what is wrong, with file and line.
        EncodingError: a folder is not a puzzle.
        PuzzleError: there is no such format.
    """
    return list(iload(name, format, puzzles=puzzles, shows=shows))


def iload(
    name: str | PathLike[str],
    format: str | None = None,
    report: ReportError | None = None,
    puzzles: PathArguments = (),
    shows: Shows | None = None,
) -> Iterator[Instance]:
    """Yield the boards of an instance one by one, from a list of any length, or a directory with many files.

    A list is read line by line; a file of TOML or facts is read and checked as a whole before its first board. `report`
    is called with the error of a bad line; without it, the first bad line ends the iteration. The other arguments and
    the errors are those of `load`.
    """
    check_type(name, (str, PathLike), "name", "the name or path of a file, or a text such as an address")
    check_text(format, "format", "the name of a format or a puzzle", optional=True)
    if report is not None and not callable(report):
        raise type_error(report, "report", "a function of one argument")
    _check_shows(shows)
    folders = several_paths(puzzles, "puzzles")

    def boards() -> Iterator[Instance]:
        for given in load_inputs(name, format, folders, shows):
            yield from load_input(given, format, report, folders, shows)

    return boards()


def loads(text: str, source: str = "<text>", format: str | None = None, puzzles: PathArguments = ()) -> list[Instance]:
    """Return the boards of a text in any format, which is recognised.

    `source` is its name in messages; the other arguments and the errors are those of `load`.
    """
    check_text(text, "text", "a board")
    check_text(source, "source", "a name for messages")
    check_text(format, "format", "the name of a format or a puzzle", optional=True)
    folders = several_paths(puzzles, "puzzles")
    check_format(format, folders)
    return list(_read_text(text, source, format, None, folders))


def _check_shows(shows: Shows | None) -> None:
    """Raise `TypeError` unless `shows` and its fields have the right types."""
    if shows is None:
        return
    check_type(shows, Shows, "shows", 'what a picture shows, such as Shows("strata", (6, 6))')
    check_text(shows.puzzle, "puzzle", "the name of a puzzle", optional=True)
    if shows.size is not None and not (isinstance(shows.size, tuple) and [*map(type, shows.size)] == [int, int]):
        raise type_error(shows.size, "size", "the numbers of rows and columns, such as (6, 6)")
    if shows.colors is not None and type(shows.colors) is not int:
        raise type_error(shows.colors, "colors", "a whole number")
    if shows.angle is not None and (type(shows.angle) not in {int, float} or not isfinite(shows.angle)):
        raise type_error(shows.angle, "angle", "degrees, such as 45")


def load_only_board(given: InstanceLike, settings: Settings = DEFAULT) -> Instance:
    """Return the given instance, or the only board of a named file.

    Raises:
        TypeError: it is neither, or the settings are no settings.
        InstanceError: there are several boards, or what is wrong with the file.
    """
    check_settings(settings)
    if isinstance(given, Instance):
        return given
    if isinstance(given, list | tuple):
        raise type_error(given, "the board", "one board; for several, use batch() or a loop")
    check_type(given, (str, PathLike), "the board", "an Instance, or the name or path of a file with one board")
    first, *others = islice(iload(given, puzzles=settings.puzzles), 2)
    if others:
        raise InstanceError("there are several boards; `load` returns them all", Where(str(given)))
    return first


def load_inputs(
    name: str | PathLike[str], format: str | None, puzzles: Sequence[Path], shows: Shows | None
) -> Iterator[_Input]:
    """Yield the inputs that the name given to `load` stands for: several files for a directory.

    Raises:
        InstanceError: there is no such file, or a directory has no boards.
        PuzzleError: there is no such format.
    """
    check_format(format, puzzles)
    if str(name) in {"-", STDIN}:
        yield _Input(STDIN)
        return
    path = _find(name, format)
    if path is None:
        text = " ".join(str(name).split())
        yield _Input(text if len(text) <= 200 else f"{text[:100]}...{text[-100:]}", None, str(name))
    elif path.is_dir():
        files, others = _inside(path, format, shows, str(name))
        for file in files:
            yield _Input(str(Path(name) / file.relative_to(path)), file)
        if others:
            yield _Input(str(name), skipped=tuple(str(file.relative_to(path)) for file in others))
    else:
        yield _Input(str(name), path)


def _inside(directory: Path, format: str | None, shows: Shows | None, name: str) -> tuple[list[Path], list[Path]]:
    """Return the files with boards in a directory and those below it, and the others; errors as for `load_inputs`."""
    try:
        walk = os.walk(directory)  # which passes over what vanishes, or cannot be looked into
        every = (Path(place, name) for place, inner, files in walk for name in (*inner, *files))
        seen = [*islice(every, MOST_SEEN + 1)]
        # The folder of a puzzle or a variant may have boards, too.
        folders = {file.parent for file in seen if file.name in _DECLARATIONS}
        own = [file for file in seen if file.parent in folders and (file.suffix == ".lp" or file.name in _DECLARATIONS)]
        files = sorted(file for file in {*seen}.difference(own) if file.is_file())
    except RecursionError:
        raise InstanceError("the directories in this one are nested too deep", Where(name)) from None
    except OSError as error:
        raise _unreadable(error, Where(name)) from None
    if len(seen) > MOST_SEEN:
        raise InstanceError(f"this directory has more than {MOST_SEEN} files; name one inside", Where(name))
    files = [file for file in files if file.suffix in _SUFFIXES or not _is_hidden(file.relative_to(directory))]
    boards = [file for file in files if _has_board(file, format, shows)]
    if not boards:
        none = f": no format has {listing(file.name for file in files)}" if files else ""
        raise InstanceError(f"this directory has no boards{none}", Where(str(directory)))
    return boards, sorted({*files}.difference(boards))


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _has_board(file: Path, format: str | None, shows: Shows | None) -> bool:
    """Return whether a file of a directory is read: its suffix, or its text, is that of a board."""
    if format == _PICTURE or shows is not None:
        return file.suffix in find_format(_PICTURE).suffixes
    if file.suffix in (*_SUFFIXES, *_OTHERS, *(LIST_SUFFIXES if format is not None else ())):
        return True
    try:
        with _open(file, Where(file.name)) as opened:
            first = opened.readline(Limits.LONGEST_LINE)
            if first.startswith(MAGIC):
                return format is not None and not _names_format(format)
            head = chain([first], iter(partial(opened.readline, Limits.LONGEST_LINE), b""))
            lines: list[bytes] = []
            is_list = _is_list(head, lines, None)
            text = "" if is_list else _rest(opened, b"".join(lines), file.name)
    except InstanceError:
        return False
    from pyasp_puzzles.formats.lists import fault_in_rows

    recognised = _recognised(text, file.name, None)
    if is_list or (recognised is not None and recognised[0] is not toml.FORMAT):
        return True
    # Other files than TOML have assignments, too.
    return fault_in_rows(text) is not None or re.search(r"^[ \t]*puzzle[ \t]*=", text, re.MULTILINE) is not None


def load_input(
    given: _Input,
    format: str | None,
    report: ReportError | None = None,
    puzzles: Sequence[Path] = (),
    shows: Shows | None = None,
) -> Iterator[Instance]:
    """Yield the boards of an input; arguments and errors as for `iload`."""
    if given.skipped:
        return
    ours = given.path is not None and given.path.suffix in _SUFFIXES
    if shows is not None and (given.text is not None or ours):
        message = "this is not a picture, and --size, --colors and --angle say what a picture shows"
        raise InstanceError(message, Where(given.source))
    if given.text is not None or (ours and not _names_format(format)):
        content = load_text(given.path, given.source) if given.text is None else given.text
        yield from _read_text(content, given.source, format, report, puzzles)
        return
    from pyasp_puzzles.formats.lists import read_lines

    with _open(given.path, Where(given.source)) as opened:
        file = opened
        try:
            first = file.readline(Limits.LONGEST_LINE)
        except (OSError, ValueError):
            first = b""  # the next line says what is wrong
        if first.startswith(_UTF_16):  # as PowerShell writes it
            file, first = BytesIO(_rest(file, first, given.source).encode()), b""
        if format == _PICTURE or shows is not None or first.startswith(MAGIC):
            data = _bytes(file, first, given.source)
            puzzle = None if _names_format(format) else format
            yield from find_format(_PICTURE).read(Text("", Where(given.source), puzzle, puzzles, data, shows))
            return
        lines = chain([first] if first else [], iter(partial(file.readline, Limits.LONGEST_LINE), b""))
        head: list[bytes] = []
        if format in {None, "sudoku", "line", "sdm"} and _is_list(lines, head, format):
            yield from read_lines(chain(head, lines), given.source, report)
            return
        text = _rest(file, b"".join(head) or first, given.source)
    yield from _read_text(text, given.source, format, report, puzzles)


def load_text(path: Path | None, source: str) -> str:
    """Return the text of a file, or of standard input if the path is None.

    Raises:
        InstanceError: it is not a regular file, cannot be read, is too large, or is not text.
    """
    with _open(path, Where(source)) as file:
        return _rest(file, b"", source)


def is_stream(name: str) -> bool:
    """Return whether a name is of standard input or a pipe, which is read once, and may have to be waited for."""
    with suppress(OSError, ValueError):  # no file can have the name
        return name in {"-", STDIN} or Path(name).is_fifo()
    return False


def shipped_instances() -> Iterator[str]:
    """Yield the names of the instances that ship, as for `load`."""
    root = instances_directory()
    for path in sorted(root.rglob("*")):
        if path.suffix in _SUFFIXES:
            name = path.relative_to(root)
            ambiguous = path.suffix == ".lp" and path.with_suffix(".toml").exists()
            yield str(name if ambiguous else name.with_suffix(""))


def shipped_table(name: str) -> tuple[Mapping[str, Any], int]:
    """Return the keys of the first board of a file that ships, with the title of the file, and its number of boards.

    The board is not made, which would take ten times as long. Of a file of facts (`.lp`), only details are returned.
    """
    file = instances_directory() / f"{name}.toml"
    if not file.exists():
        head = file.with_suffix(".lp").read_text(encoding="utf-8").split("\n\n")[0]
        return dict(line.removeprefix("% ").split(": ", 1) for line in head.splitlines()), 1
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    boards = table.pop("board", [table])
    return table | boards[0] | {key: table[key] for key in {"title"} & table.keys()}, len(boards)


# -- Files and names --------------------------------------------------------------------------


def _find(given: str | PathLike[str], format: str | None) -> Path | None:
    """Return the file, directory or shipped instance of a name; None for a text instead of a name."""
    name = str(given)
    refuse_empty_file_name(name)
    for candidate in _candidates(name):
        try:
            if candidate.exists():
                return candidate
        except (OSError, ValueError):  # no file can have the name: it is too long, or has a NUL character
            break
    if isinstance(given, str) and _is_text(name, format):
        return None
    names, aliases = [*shipped_instances()], [*declaration.aliases().items()]
    others = [alias + file.removeprefix(of) for alias, of in aliases for file in names if file.startswith(f"{of}/")]
    near = did_you_mean(name, [*names, *others])
    message = f"there is no such file, and no board or puzzle of that name in `pyasp list`{near}"
    raise InstanceError(message, Where(printable_line(name[:200])))


def refuse_empty_file_name(name: str) -> None:
    """Raise `InstanceError` for an empty name, which would mean the current directory."""
    if not name.strip():
        expected = "the name of a file, - for standard input, or a name from `pyasp list`"
        raise InstanceError(f"the name of the file is empty; pass {expected}")


def _candidates(name: str) -> Iterator[Path]:
    """Yield the paths that a name may have: a file, or an instance that ships, also under an alias of its puzzle."""
    yield Path(name)
    yield from (instances_directory() / f"{name}{suffix}" for suffix in ("", *_SUFFIXES))
    folder, slash, rest = name.partition("/")
    puzzle = declaration.shipped_name(folder)
    if puzzle is not None:
        yield from (instances_directory() / f"{puzzle}{slash}{rest}{suffix}" for suffix in ("", *_SUFFIXES))


def _is_text(name: str, format: str | None) -> bool:
    """Return whether what was given in place of a file's name is a text: an address, a line, a game ID, a grid."""
    if not name.strip() or name.endswith(_SUFFIXES):
        return False
    if "\n" in name.strip() or "://" in name or re.match(r"\s*(?:\[\s*\[|\(+\s*['\"])", name):
        return True
    if format is not None and _names_format(format) and find_format(format).recognise(name):
        return True
    from pyasp_puzzles.formats.addresses import recognise
    from pyasp_puzzles.formats.lists import fault_in_rows

    format_ = recognise(name)
    return format_.name not in {"toml", "lp", "grid"} if format_ else fault_in_rows(name) is not None


@contextmanager
def _open(path: Path | None, where: Where) -> Iterator[BinaryIO]:
    """Open a file; or yield standard input, which is not closed, if the path is None."""
    if path is None and sys.stdin is None:
        raise InstanceError("standard input is closed", where)
    if path is None:
        _await_input()
        yield sys.stdin.buffer
        return
    try:
        if path.is_fifo():
            opened = _opened_pipe(path)
        elif not path.is_file():
            problem = "this is not a regular file" if path.exists() else "there is no such file"
            raise InstanceError(f"{problem}; name a file, or - for standard input", where)
        else:
            opened = path.open("rb")
    except (OSError, ValueError) as error:
        raise _unreadable(error, where) from None
    with opened as file:
        yield file


def _await_input() -> None:
    """Wait until standard input can be read: a signal that comes right before a read begins is heard after it only."""
    from select import select

    with suppress(OSError, ValueError):  # it is no file, or this is Windows
        while not select([sys.stdin], [], [], _SIGNAL_SECONDS)[0]:
            pass


def _opened_pipe(path: Path) -> BinaryIO:
    """Open a pipe, for which some program must have it open to write; if none has soon, it is empty."""

    def be_writer() -> None:
        with suppress(OSError):  # some other program is
            os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))

    waiting = Timer(_WRITER_SECONDS, be_writer)
    waiting.start()
    try:
        return path.open("rb")
    finally:
        waiting.cancel()


def _rest(file: BinaryIO, start: bytes, source: str) -> str:
    """Return the text of a file whose start is read already."""
    data = _bytes(file, start, source)
    if packed := next((name for mark, name in _PACKED.items() if data.startswith(mark)), ""):
        raise InstanceError(f"this file is {packed}", Where(source))
    encoding = "UTF-16" if data.startswith(_UTF_16) else "UTF-8"
    try:
        text = data.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        where = Where(source, data.count(b"\n", 0, error.start) + 1)
        raise InstanceError(f"this is not valid {encoding}: save the file as UTF-8", where) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise InstanceError("there is a NUL character here: save the file as UTF-8", Where(source, line))
    return text


def _bytes(file: BinaryIO, start: bytes, source: str) -> bytes:
    """Return the bytes of a file, given its start, which is read already."""
    try:
        data = start + file.read(max(0, _LARGEST_FILE + 1 - len(start)))
    except (OSError, ValueError) as error:
        raise _unreadable(error, Where(source)) from None
    if len(data) > _LARGEST_FILE:
        raise InstanceError(f"the file is larger than {_LARGEST_FILE >> 20} MB", Where(source))
    return data


def _unreadable(error: Exception, where: Where) -> InstanceError:
    return InstanceError(f"cannot be read: {getattr(error, 'strerror', None) or error}", where)


# -- Formats -----------------------------------------------------------------------------------


def _names_format(name: str | None) -> bool:
    """Return whether a name is of a format, and not of a puzzle."""
    return name is not None and name != "sudoku" and name in formats()  # which imports them all


def _is_list(lines: Iterator[bytes], head: list[bytes], format: str | None) -> bool:
    """Return whether a file is a list of Sudokus, of any length; add the lines that were read to `head`."""
    from pyasp_puzzles.formats.lists import has_no_board, is_board_line, is_title_row

    first = ""
    try:
        for line in islice(lines, 1000):
            head.append(line)
            content = line.decode("utf-8-sig", "replace").strip()
            if not (has_no_board(content) or (format == "sudoku" and is_title_row(content))):
                first = content
                break
    except (OSError, ValueError):
        return True  # reading it says what is wrong
    if is_board_line(first):
        return True
    # With --as sudoku, a text that is neither a grid nor in another format is a list with a bad line.
    return format == "sudoku" and not re.match(
        r"(?:\S{1,2}[ \t|!]|[^\s,;]{2,15}$|[0-9._*|!+-]{2,30}$)|.*(?:://|:[a-z0-9_]+)|[<\[({b#]|\w+ *=", first
    )


def _read_text(
    text: str, source: str, format: str | None, report: ReportError | None, puzzles: Sequence[Path]
) -> Iterator[Instance]:
    """Yield the boards of a text; if each line is a board, the error of a bad line is reported."""
    where = Where(source)
    if not text.strip():
        raise InstanceError("the file is empty", where)
    if text.startswith(SAVED_GAME):
        from pyasp_puzzles.formats.tatham import id_of_saved_game

        text = id_of_saved_game(text, where)
    if "\t" in text:
        from pyasp_puzzles.formats.lists import untabbed_rows

        text = untabbed_rows(text)
    chosen, puzzle = _chosen(text, source, format)
    if chosen.line and not text.lstrip().startswith("{"):
        yield from _each_line(Text(text, where, puzzle, puzzles), chosen, format, report)
    else:
        yield from chosen.read(Text(text, where, puzzle, puzzles))


def _chosen(text: str, source: str, name: str | None) -> tuple[Format, str | None]:
    """Return the format of a text, and the name of its puzzle if `name` is one.

    Raises:
        InstanceError: no format reads it; one with `=`, `(` or `[` may be taken for TOML, and fails when it is read.
    """
    recognised = _recognised(text, source, name)
    if recognised is None:
        from pyasp_puzzles.formats.addresses import refuse_known

        refuse_known(text, Where(source))
    return recognised or (toml.FORMAT, name)


def _recognised(text: str, source: str, name: str | None) -> tuple[Format, str | None] | None:  # noqa: PLR0911
    """As `_chosen`, but None for a text that is not recognised; the order of the checks matters."""
    if name is not None and _names_format(name):
        return find_format(name), None
    suffix = Path(source[-20:]).suffix
    # Our own formats come first: the others are not imported for them.
    if suffix == ".toml" or (name is None and suffix != ".lp" and toml.FORMAT.recognise(text)):
        return toml.FORMAT, name
    if name is None or suffix == ".lp":
        from pyasp_puzzles.formats import lp

        if suffix == ".lp" or lp.FORMAT.recognise(text):
            return lp.FORMAT, None
        if suffix in _OTHERS:
            return find_format(formats_by_suffix()[suffix]), None
    from pyasp_puzzles.formats.addresses import recognise

    format_ = recognise(text)
    if format_ is None and name == "sudoku" and _is_list(iter(text.encode("utf-8", "replace").splitlines()), [], name):
        return find_format("line"), name
    if name is not None and (format_ is None or _is_grids(text, format_)):
        return find_format("grid"), name
    if format_ is not None:
        return format_, name
    from pyasp_puzzles.formats.grid import is_bare
    from pyasp_puzzles.formats.lists import fault_in_rows

    if is_bare(text) and not fault_in_rows(text):
        return find_format("grid"), None  # which says that it needs the name of its puzzle
    return None


def _is_grids(text: str, format_: Format) -> bool:
    """Return whether a text for which a puzzle is named is grids, although it begins like one of our formats."""
    from pyasp_puzzles.formats.grid import has_strings

    if format_.name == "toml":  # arrays that are assigned, as in Python; a board in TOML names its puzzle
        arrays = re.search(r"\[\s*\[", text) is not None or has_strings(text)
        return arrays and not re.search(r"^[ \t]*puzzle[ \t]*=", text, re.MULTILINE)
    return format_.name == "lp" and not re.match(r"\s*+(?:%|\w+\s*+\((?!\s*+\[))", text)


def _each_line(text: Text, first: Format, format: str | None, report: ReportError | None) -> Iterator[Instance]:
    """Yield the boards of addresses and the like, each with the title that follows it on its line."""
    from pyasp_puzzles.formats.addresses import address_entries

    entries = list(address_entries(text.text))
    if not entries:
        raise InstanceError(f"this text has no board of the format {first.name}", text.where)
    for board, (line, endings, title) in enumerate(entries, 1):
        where = text.where if len(entries) == 1 else Where(text.where.source, line)
        chosen = first if format == first.name else format_of_line(endings[0])
        try:
            if chosen is None:
                message = f"this line is no board of the format {first.name}; a list has a board on each line"
                raise InstanceError(message, where)  # noqa: TRY301 (as those of reading it)
            for instance in _first_read(chosen, [text._replace(text=ending, where=where) for ending in endings]):
                details = {**({"title": printable_line(title)} if title.strip() else {}), **instance.details}
                yield instance._replace(number=board, total=len(entries), details=details)
        except InstanceError as error:
            error.about = error.about or {"source": text.where.source, "board": board}
            if report is None or len(entries) == 1:
                raise
            report(error)


def _first_read(form: Format, texts: Sequence[Text]) -> list[Instance]:
    """Return the boards of the first text that can be read; if there is none, raise the error of the first."""
    for text in texts:
        with suppress(InstanceError):
            return [*form.read(text)]
    return [*form.read(texts[0])]


# -- Answers -----------------------------------------------------------------------------------


def read_answers(boards: Sequence[Instance], name: str) -> Iterator[tuple[Instance, Answer]]:
    """Yield boards, each with its answer from a file: the first, if JSON has several for a board.

    Raises:
        InstanceError: the answer cannot be read, or is to another board.
    """
    refuse_empty_file_name(name)
    text = load_text(None if name == "-" else Path(name), name)
    if text.lstrip().startswith("{"):
        yield from _answers_in_json(boards, text, name)
    elif len(boards) > 1:
        needed = f"{len(boards)} boards need JSON Lines, as solve --json prints them"
        raise InstanceError(f"this is an answer to one board; {needed}", Where(name))
    else:
        yield boards[0], boards[0].puzzle.kind.read(boards[0], text, Where(name))


def _answers_in_json(boards: Sequence[Instance], text: str, name: str) -> Iterator[tuple[Instance, Answer]]:
    import json

    answered, sources = False, {board.source for board in boards}
    by_number = {(board.source, board.number): board for board in boards}
    for number, line in enumerate(text.split("\n"), 1):
        where = Where(name, number)
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            board, solutions = record.get("board", 1), record.get("solutions", [record])
            source = next(iter(sources)) if len(sources) == 1 else record.get("source")
            instance = by_number.get((source, board))
            answer = instance.puzzle.kind.from_json(instance, solutions[0], where) if instance and solutions else None
        except InstanceError as error:
            raise InstanceError(error.message, where) from None
        except (ValueError, RecursionError):
            message = "this is not valid JSON; write one object a line, as solve --json prints"
            raise InstanceError(message, where) from None
        except (AttributeError, KeyError, TypeError, IndexError):
            message = "this JSON has no answer to this puzzle; solve --json prints one"
            raise InstanceError(message, where) from None
        if instance is None:
            raise InstanceError(f"board {shown(board)} of {shown(source)} is not among the boards given", where)
        if answer is not None:
            answered = True
            yield instance, answer
    if not answered:
        raise InstanceError("this JSON has no answer to any board", Where(name))
