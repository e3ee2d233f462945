"""Lines of Sudokus: 16, 36, 64 or 81 characters, row by row, `.` or `0` for an empty cell, and perhaps a title.

Lists of them are read line by line, so they may have any length. Larger boards have letters: 1 to 9 and A to G, 0 to 9
and A to F (0 is read as 16), or A to P. A line of 729 characters has nine for each cell, those of its candidates.
"""

from __future__ import annotations

import itertools
import re
from functools import cache
from io import BytesIO
from string import ascii_uppercase
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.boards.grid import EMPTY, all_cells, cell_place
from pyasp_puzzles.boards.regions import numbered_regions, usual_boxes
from pyasp_puzzles.boards.toml import Table
from pyasp_puzzles.errors import InstanceError, Where, listing, printable_line, shown
from pyasp_puzzles.formats.exchange import (
    Can,
    Draft,
    candidates_key,
    checked,
    draft_of_instance,
    instance_of_draft,
    numbers_in_digits,
)
from pyasp_puzzles.formats.format import Format, Report, Text, format_content_lines
from pyasp_puzzles.formats.rows import PLAIN, ROW_BLANKS, fault_in_rows
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.puzzle import Instance
from pyasp_puzzles.puzzles.board import board_from_table
from pyasp_puzzles.puzzles.keys.lines import key_line_text
from pyasp_puzzles.puzzles.variant import shipped_variants

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pyasp_puzzles.asp.symbols import Arguments

    ReportError = Callable[[InstanceError], object]

# The sides of boards; a cell is one digit.
_SIDES = (4, 6, 8, 9)
_ONE_DIGIT = 9
_MARKS = frozenset(f"123456789{PLAIN}")
# {number of cells: side} of boards with letters; and how many characters a line of candidates has.
_LARGE, _CANDIDATES = {100: 10, 144: 12, 256: 16, 625: 25}, 729
# Characters of the rows of such a board, with ends of lines.
_LONGEST_ROWS = 1000
# The characters between cells and title.
_SEPARATORS = " \t,;:|#"
_SEPARATOR = re.compile(f"[{_SEPARATORS}]")
_CAN = Can(sides=_SIDES)
# An address of another site with the 81 cells in it, such as `...?bd=003020600...&d=1`; a full stop may follow it.
_ADDRESS = re.compile(r"https?://\S{3,200}?[?#&=/](?P<cells>[0-9._*]{81})(?=\.?(?:[^0-9._*]|$))\S{0,200}")
_LINE = re.compile(r"(?:[0-9._*]{16}|[0-9._*]{36}|[0-9._*]{64}|[0-9._*]{81})(?=[ \t,;:|#]|$)")
# The cells in a row of a table, perhaps after a number or a name; or after a hash, as in the banks of Sudoku Exchange.
_FIELD = re.compile(r"(?:[^,;\t]{0,40}[,;\t]|[0-9a-f]{12} +)?(?P<cells>[0-9._*]{81})(?=[ \t,;:|#]|$)")
# A line of HoDoKu's library; a plus sign marks a number that is not given.
_HODOKU = re.compile(r":[0-9a-z-]*:[^:]*:(?P<cells>(?:\+?[0-9.]){81}):")
# Cells with something between them, or with other marks for empty ones.
_SPREAD = re.compile(r"[0-9.*_xX?-](?:[ ,;|/]{0,3}[0-9.*_xX?-]){15,80}[ ,;|/]{0,3}")
_HEADER = re.compile(r"(?i)(?=.*(?:puzzle|quiz|sudoku|grid))[a-z_ ]+(?:[,;\t][a-z_ /().]*)+")
_FOOTER_OF_QQWING = re.compile(r"[0-9]{1,9} puzzles? (?:generated|solved) in [0-9.e-]{1,20} seconds\.")


class _Blank(NamedTuple):
    """A board without clues, and for each cell, row by row, {digit: ((row, column), (row, column, digit))}.

    With it, a line is read in 8 µs; TOML takes 480.
    """

    board: Instance
    clues: tuple[dict[str, tuple[Arguments, Arguments] | None], ...]


def is_sudoku_line(words: str) -> bool:
    """Return whether a line is a board."""
    return _LINE.match(words) is not None or _LINE.match(_plain(words)) is not None or _is_large(_parts(words)[0])


def _is_large(cells: str) -> bool:
    """Return whether characters are the cells of a board with letters, a quarter of them empty, or candidates."""
    if len(cells) == _CANDIDATES:
        return all(c in f"{i % _ONE_DIGIT + 1}.0" for i, c in enumerate(cells))
    return (
        len(cells) in _LARGE
        and re.fullmatch(r"[0-9A-Za-z.*_]+", cells) is not None
        and 4 * sum(map(cells.count, PLAIN)) >= len(cells)
    )


def is_line_without_sudoku(words: str) -> bool:
    """Return whether a line has no board: empty, a comment, or the head or foot of a table."""
    if not words or words.startswith(("#", "%", ";")) or _FOOTER_OF_QQWING.fullmatch(words):
        return True
    return (words[0] == '"' or words[0].isalpha()) and _HEADER.fullmatch(words.replace('"', "")) is not None


def read_sudoku_lines(lines: Iterator[bytes], source: str, report: ReportError | None = None) -> Iterator[Instance]:
    """Yield the boards of a list as they are read, numbered from 1; bad lines count, too.

    Args:
        lines: the lines of a file, which may be endless; of a longer line, its first `Limits.LONGEST_LINE` bytes.
        source: its name in messages.
        report: called with the error of a bad line; without it, the error is raised.

    Raises:
        InstanceError: what is wrong, with source and line.
    """
    board = 0
    for line, words in _decoded(lines, source):
        try:
            if isinstance(words, InstanceError):
                raise words
            if is_line_without_sudoku(words):
                continue
            board += 1
            yield _board(words, Where(source, line), board)
        except InstanceError as error:
            if error.where and error.where.line and not isinstance(words, InstanceError):
                error.about = {"puzzle": "sudoku", "source": source, "board": board, "title": ""}
            if report is None:
                raise
            report(error)


def recognise_sudoku_lines(text: str) -> bool:
    """Return whether the first line of a text is a Sudoku, or an address that has one."""
    first = next((words for _, words in format_content_lines(text[:5000]) if not is_line_without_sudoku(words)), "")
    return is_sudoku_line(first) or _ADDRESS.match(first) is not None or bool(_joined(text))


def _joined(text: str) -> str:
    """Return the rows of a large board as one line; "" for another text."""
    rows = text.split() if len(text) <= _LONGEST_ROWS else []
    cells = "".join(rows)
    return cells if {*map(len, rows)} == {len(rows)} and _is_large(cells) else ""


def _read(text: Text) -> Iterator[Instance]:
    """Yield the boards of a list."""
    if text.puzzle not in {None, "sudoku"}:
        message = f"these are Sudokus, and not boards of {text.puzzle}; use --as sudoku, or no --as"
        raise InstanceError(message, text.where)
    words = _joined(text.text) or text.text
    if "://" in words and len(words) <= Limits.LONGEST_ADDRESS:
        words = re.sub(_ADDRESS, lambda match: match["cells"], words.strip())
    found = list(read_sudoku_lines(BytesIO(words.encode("utf-8", "surrogatepass")), text.where.source))
    if not found:
        raise InstanceError("there is no board in this text; a list has a Sudoku on each line", text.where)
    yield from (board._replace(total=len(found)) for board in found)


def write_sudoku_lines(
    boards: Sequence[Instance], report: Report, name: str = "line", can: Can = _CAN, empty: str = "."
) -> str:
    """Return a line for each board, with the cells row by row, and in the format "line" with its title."""
    drafts, titled = [draft_of_instance(name, can, board, report) for board in boards], name == "line"
    lines = [f"{''.join(one.lines(one.givens, empty))} {one.details.get('title', '') * titled}" for one in drafts]
    text = "\n".join(map(str.strip, lines))
    return checked(name, drafts, text, lambda one: _read(one._replace(puzzle=None)), report)


def _decoded(lines: Iterator[bytes], source: str) -> Iterator[tuple[int, str | InstanceError]]:
    """Yield the number of each line, and its stripped text, or what is wrong with it."""
    for line in itertools.count(1):
        try:
            data = next(lines, b"")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            yield line, InstanceError(f"cannot be read: {reason}", Where(source))
            return
        if not data:
            return
        if len(data) >= Limits.LONGEST_LINE:
            yield line, InstanceError("this line is too long for a board; the rest is not read", Where(source, line))
            return
        try:
            yield line, data.decode("utf-8-sig").strip()
        except UnicodeDecodeError:
            yield line, InstanceError("this is not valid UTF-8: save the file as UTF-8", Where(source, line))


def _board(words: str, where: Where, board: int) -> Instance:
    cells, title = _parts(words)
    if _is_large(cells):
        named = {"title": printable_line(title)} if title else {}
        found = _candidates(cells, named, where) if len(cells) == _CANDIDATES else _large(cells, named, where)
        return instance_of_draft(found, Text("", where))._replace(number=board)
    if len(cells) not in _blanks() or not set(cells) <= _MARKS:
        cells, title = _parts(_plain(words))
    blank = _blanks().get(end := len(cells))
    if blank is None:
        if problem := fault_in_rows(words):  # says the row, too
            raise InstanceError(problem[0], where)
        sizes = listing(f"{side * side} ({side}x{side})" for side in reversed(_SIDES))
        raise InstanceError(f"{shown(cells)} has {end} cells, expected {sizes}", where)
    try:
        clues = dict([clue for by_digit, digit in zip(blank.clues, cells, strict=True) if (clue := by_digit[digit])])
    except KeyError:
        side = int(end**0.5)
        i, digit = next((i, digit) for i, digit in enumerate(cells) if digit not in blank.clues[i])
        cell = cell_place((i // side + 1, i % side + 1))
        message = f"{cell}: {shown(digit)} is not a number, expected 1 to {side}, or {EMPTY} for empty"
        raise InstanceError(message, where) from None
    facts = blank.board.facts.variant(where, "given", clues)
    second = title[: end + 1].rstrip(_SEPARATORS)  # perhaps as many characters follow the cells: an answer, or regions
    if len(second) == end and second.isalnum() and len(set(second)) ** 2 == end:
        title = title[end:].strip(_SEPARATORS)
    else:
        second = ""
    details = {"title": printable_line(title)} if title else blank.board.details
    instance = Instance(blank.board.puzzle, facts, board, 0, "", details)
    return _with_second(instance, cells, second) if second else instance


def _large(cells: str, details: Mapping[str, str], where: Where) -> Draft:
    """Return the board of a line with letters. If other marks are empty cells, 0 is a number: that after F."""
    side = _LARGE[len(cells)]
    digits, letters = (sorted({*cells.upper()} & {*known}) for known in ("123456789", ascii_uppercase))
    first = 10 if digits else 1
    numbers = {c: int(c) for c in digits} | {c: ord(c) - ord("A") + first for c in letters}
    is_hex = side == 16 and bool(digits) and "G" not in letters and not {*cells}.isdisjoint(".*_")
    numbers |= {"0": side} if is_hex else {}
    places = all_cells(side, side)
    givens = {cell: numbers[c] for cell, c in zip(places, cells.upper(), strict=True) if c in numbers}
    if large := next((cell for cell in givens if givens[cell] > side), None):
        letter = shown(cells[places.index(large)])
        raise InstanceError(
            f"{cell_place(large)}: {letter} is not a number from 1 to {side}, with letters from {first} on", where
        )
    warnings = ("0 is read as 16",) if is_hex and "0" in cells else ()
    return Draft(givens, usual_boxes(side), details, warnings=warnings)


def _candidates(cells: str, details: Mapping[str, str], where: Where) -> Draft:
    """Return the board of a line of candidates; cells with one of them are givens."""
    places = all_cells(_ONE_DIGIT, _ONE_DIGIT)
    groups = (cells[i : i + _ONE_DIGIT] for i in range(0, _CANDIDATES, _ONE_DIGIT))
    found = {cell: re.sub("[.0]", "", group) for cell, group in zip(places, groups, strict=True)}
    if empty := next((cell for cell, some in found.items() if not some), None):
        raise InstanceError(f"{cell_place(empty)} has no candidates", where)
    name = candidates_key(shipped_variants()).name
    marks = [key_line_text([cell], " ".join(some)) for cell, some in found.items() if 1 < len(some) < _ONE_DIGIT]
    givens = {cell: int(some) for cell, some in found.items() if len(some) == 1}
    return Draft(givens, usual_boxes(_ONE_DIGIT), details, keys={name: marks} if marks else {})


def _plain(words: str) -> str:
    """Return a line that begins with its cells, if it has any."""
    if len(words) > Limits.LONGEST_LINE >> 4:
        return words
    words = words.replace('"', "")
    if match := _HODOKU.match(words):
        return re.sub(r"\+.", ".", match["cells"])
    if match := _FIELD.match(words):
        return words[match.start("cells") :]
    if _SPREAD.fullmatch(words) and not ({*words} & {*"xX?-"} and {*words} & {*PLAIN}):
        plain = re.sub(r"[ ,;|/]", "", words).translate(ROW_BLANKS)
        return plain if len(plain) in _blanks() else words
    return words


def _parts(words: str) -> tuple[str, str]:
    """Return what comes before the first separator, and the title after it."""
    found = _SEPARATOR.search(words)
    end = found.start() if found else len(words)
    return words[:end], words[end:].strip(_SEPARATORS)


def _with_second(instance: Instance, cells: str, second: str) -> Instance:
    """Return a board with what follows its cells: its answer or its regions."""
    side, where = round(len(cells) ** 0.5), instance.facts.where
    rows = [second[i : i + side] for i in range(0, len(second), side)]
    if all(len(set(line)) == side for line in (*rows, *zip(*rows, strict=True))):
        return instance._replace(solution=instance.puzzle.kind.read(instance, "\n".join(rows), where, whole=True))
    regions = numbered_regions(dict(zip(all_cells(side, side), second, strict=True)))
    board = Draft(numbers_in_digits(cells, side, PLAIN), regions, instance.details)
    return instance_of_draft(board, Text("", where))._replace(number=instance.number, total=instance.total)


@cache
def _blanks() -> dict[int, _Blank]:
    """Return {number of cells: what boards of that size share}."""
    found = {}
    for side in _SIDES:
        givens = "\n".join([EMPTY * side] * side)
        board = board_from_table(Table({"puzzle": "sudoku", "givens": givens}, {}, Where("<text>")), ())
        indices = range(1, side + 1)
        empty: dict[str, tuple[Arguments, Arguments] | None] = dict.fromkeys(PLAIN)
        clues = [empty | {str(v): ((r, c), (r, c, v)) for v in indices} for r in indices for c in indices]
        found[side * side] = _Blank(board, tuple(clues))
    return found


FORMAT = Format(
    "line",
    "Sudokus of 4x4, 6x6, 8x8 and 9x9, one on each line, with a title after it",
    recognise_sudoku_lines,
    _read,
    write_sudoku_lines,
)
