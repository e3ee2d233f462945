"""Sudokus as text: one on each line, drawn in rows, and the files `.sdm`, `.sdk` and `.ss`; what is nearly a Sudoku.

A line has 16, 36, 64 or 81 characters, row by row, `.` or `0` for an empty cell, and perhaps a title. Larger boards
have letters: 1 to 9 and A to G, 0 to 9 and A to F (0 is read as 16), or A to P. A line of 729 characters has nine for
each cell, those of its candidates. Lists are read line by line, so they may have any length.

    #AJohn        SadMan's .sdk: author; also C comment, D description, S source, U address, B date, L level
    [Puzzle]
    2..1.5..3
    [State]       the numbers so far, or here the answer

    1..|...|7..   Simple Sudoku's .ss
    -----------

Row        (3, ["5", "3", ".", ...]): the line of the text, and its cells; "249" is a cell with three candidates
DrawnRows  the rows of one Sudoku, and its title
"""

from __future__ import annotations

import itertools
import re
from functools import cache, partial
from io import BytesIO
from string import ascii_uppercase
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.boards import regions
from pyasp_puzzles.boards.grid import EMPTY, Cell, all_cells, cell_place, grid_tokens
from pyasp_puzzles.boards.toml import Table
from pyasp_puzzles.errors import InstanceError, Where, first_listed, listing, printable_line, shown
from pyasp_puzzles.formats.exchange import (
    Can,
    Draft,
    candidates_key,
    checked,
    draft_format,
    draft_of_instance,
    instance_of_draft,
    numbers_in_digits,
)
from pyasp_puzzles.formats.format import Format, Report, Text, content_lines
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.puzzle import Instance
from pyasp_puzzles.puzzles.board import board_from_table
from pyasp_puzzles.puzzles.declaration import shipped_variants
from pyasp_puzzles.puzzles.keys.lines import key_line_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pyasp_puzzles.asp.symbols import Arguments
    from pyasp_puzzles.model.puzzle import Variant

    ReportError = Callable[[InstanceError], object]


# -- Rows ------------------------------------------------------------------------------------------

Row = tuple[int, list[str]]

# Marks of empty cells; in a grid they may be mixed.
ROW_MARKS = "0._*-xX?"
# Marks that a line may mix.
PLAIN = "0._*"
# Turns other marks of empty cells into dots.
ROW_BLANKS = str.maketrans(dict.fromkeys("*-xX?", EMPTY))
# Turns the frames of boards into bars and dashes.
_FRAMES = str.maketrans(dict.fromkeys("║│┃┆┊", "|") | dict.fromkeys("═─━╔╤╦╗╟┼╫╢╠╪╬╣╚╧╩╝┌┬┐├┤└┴┘╞╡╭╮╰╯", "-"))
# The largest side of a board whose cells need no separators.
_ROWS_ONE_DIGIT = 9
# The sides of boards that a line may nearly be, and the most cells that it may have too many or too few.
_LINES = {9: 6, 8: 3, 6: 2, 4: 1}

_CELL = r"(?:[0-9]{1,9}|[._*xX?-])"
_ROWS_ROW = re.compile(rf"{_CELL}(?:[ \t,]+{_CELL})+|[0-9._*xX?-]+")
_BOXES = re.compile(r"[0-9._*xX?-]{2,5}(?: +[0-9._*xX?-]{2,5})+")
# Words may be in brackets, "Puzzle 17 (hard)", if these follow a blank, unlike those of a fact.
_IN_TITLE = r"(?:[^=<>{}\[\]()|]|(?:(?<=\s)|^)(?:\([^=<>{}\[\]()|]*\)|\[[^=<>{}\[\]()|]*\]))*"
_TITLE = re.compile(rf"(?!\S*[0-9._*xX?-]{{9}})(?=.*[A-Za-z][A-WYZa-wyz]){_IN_TITLE}")
# A comment: after %, ;, or //; after # only if it is not a row with a place outside the board.
_COMMENT = re.compile(r"[ \t]*(?:%|//|;)")
# The first line of a text in another format with rows of cells.
_OTHER = re.compile(r"\s*(?:begin|pzprv|#[A-Z])")


class DrawnRows(NamedTuple):
    """The rows of one Sudoku."""

    title: str
    rows: list[Row]

    @property
    def cells(self) -> list[list[str]]:
        """The cells of each row."""
        return [cells for _, cells in self.rows]

    @property
    def has_candidates(self) -> bool:
        """Whether cells hold several candidates."""
        return len(self.rows) <= _ROWS_ONE_DIGIT and any(
            cell.isdigit() and len(cell) > 1 for row in self.cells for cell in row
        )


def untabbed_rows(text: str) -> str:
    """Return rows of a spreadsheet with blanks between cells and dots for empty ones; other rows unchanged."""
    rows = [line.strip("\r").split("\t") for line in text.rstrip("\r\n").split("\n")]
    wide = len(rows[0])
    if wide == 1 or any(len(row) != wide or max(map(len, row)) > 3 for row in rows if row != [""]):
        return text
    return "\n".join(" ".join(cell.strip() or EMPTY for cell in row) if len(row) > 1 else "" for row in rows)


def without_comment_rows(text: str) -> str:
    """Return rows with a vertical tab in place of each line that is a comment, so that lines keep their numbers."""
    lines = text.split("\n")
    plain = [line for line in lines if line.strip() and not line.lstrip().startswith("#") and not _COMMENT.match(line)]
    wide = {len(grid_tokens(line)) for line in plain}
    rows = []
    for line in lines:
        is_hash = line.lstrip().startswith("#") and plain and len(grid_tokens(line)) not in wide
        rows.append("\v" if _COMMENT.match(line) or is_hash else line)
    return "\n".join(rows)


def is_ruled_row(line: str) -> bool:
    """Return whether a line is drawn between boxes: `------+-------`."""
    return ("--" in line or "==" in line) and not set(line) - set("-+=*|. \t:'`,")


def is_title_row(words: str) -> bool:
    """Return whether a line is words about boards, and no row of one."""
    return _TITLE.fullmatch(words) is not None


def _content(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text with their numbers, without empty ones and those between boxes."""
    if text.lstrip().startswith("[") and not is_title_row(
        text.lstrip().partition("\n")[0].strip()
    ):  # a list of lists, as programs print it
        text = "\n".join(re.findall(r"\[([^\[\]]*)\]", re.sub(r"null|None|[\"' \n]", "", text)))
    for number, line in enumerate(text.translate(_FRAMES).split("\n"), 1):
        content = line.strip()
        if is_ruled_row(content) or _COMMENT.match(content) or content.startswith("# "):
            continue
        # A row has bars, commas and the like between its cells, or blanks.
        fields = [field.strip() for field in re.split(r"[|,;\t]", content.strip("|"))]
        if len(fields) in regions.USUAL and not any(" " in field for field in fields):
            yield number, " ".join(field or EMPTY for field in fields)
        elif plain := re.sub(r"[|!]", " ", content).strip():
            yield number, plain


def _row_cells(row: str) -> list[str]:
    """Return the cells of a row: its words if there are several of one cell each, or else its characters."""
    tokens = row.replace(",", " ").split()
    if len(tokens) > 1 and all(re.fullmatch(_CELL, word) for word in tokens) and len(tokens) in regions.USUAL:
        return tokens
    return list("".join(tokens))  # boxes with bars between them leave blanks between groups of characters


def boards_of_rows(text: str, *, boxes: bool = True) -> Iterator[DrawnRows]:
    """Yield the Sudokus that are drawn in a text, one below the other, perhaps with titles, until one is not whole.

    Args:
        text: the text.
        boxes: whether a row may be in groups, `1.. .2. ..3`.
    """
    if _OTHER.match(text):
        return
    title, rows, side = "", list[Row](), 0
    for number, row in _content(text):
        if not (_ROWS_ROW.fullmatch(row) or (boxes and _BOXES.fullmatch(row))):
            if rows or not is_title_row(row):
                return
            # What programs print about a board is no title of the next one.
            title = title if ":" in row or row.endswith(".") else row
            continue
        cells = _row_cells(row)
        side = side or len(cells)
        if len(cells) != side or side not in regions.USUAL or (side > _ROWS_ONE_DIGIT and "".join(cells) == row):
            return
        rows.append((number, cells))
        if len(rows) == side:
            yield DrawnRows(title, rows)
            title, rows = "", []


def are_rows_of_sudokus(text: str, *, boxes: bool = True) -> bool:
    """Return whether a text is one Sudoku or several, and nothing else but titles."""
    numbers = [number for board in boards_of_rows(text, boxes=boxes) for number, _ in board.rows]
    last = max((number for number, row in _content(text) if not is_title_row(row)), default=0)
    return bool(numbers) and numbers[-1] == last


# -- What is nearly a Sudoku ------------------------------------------------------------------


def fault_of_rows(rows: Sequence[Sequence[str]], side: int, marks: str = ROW_MARKS) -> str:
    """Return the faults of rows that should be a Sudoku of one digit a cell, as a message; empty if there are none."""
    faults = [f"row {r} has {len(row)} cells instead of {side}" for r, row in enumerate(rows, 1) if len(row) != side]
    if len(rows) != side:
        faults.insert(0, f"it has {len(rows)} rows instead of {side}")
    faults = faults or [
        f"{cell_place((r, c))}: {shown(cell)} is not a number from 1 to {side}, nor {EMPTY} for an empty cell"
        for r, row in enumerate(rows, 1)
        for c, cell in enumerate(row, 1)
        if not (cell in marks or (cell.isascii() and cell.isdigit() and 0 < int(cell) <= side))
    ]
    count, total = sum(map(len, rows)), side * side
    counted = "" if count == total else f" with {count} cells instead of {total}"
    return f"this looks like a Sudoku of {side}x{side}{counted}: {'; '.join(first_listed(faults, 3))}" if faults else ""


def fault_after_rows(text: str, found: Sequence[DrawnRows]) -> tuple[str, int] | None:
    """Return (fault, line) of the rows that follow the whole Sudokus of a text; None if nothing follows."""
    side, last = len(found[0].rows), found[-1].rows[-1][0]
    after = [(number, content) for number, content in _content(text) if number > last and not is_title_row(content)]
    board = f"board {len(found) + 1}"
    for r, (number, content) in enumerate(after[:side], 1):
        row = _row_cells(content)
        if len(row) != side:
            return f"row {r} of {board} has {len(row)} cells instead of {side}", number
        if not (_ROWS_ROW.fullmatch(content) or _BOXES.fullmatch(content)):
            return f"row {r} of {board} has {shown(content)}, and not only numbers and {EMPTY} for empty cells", number
    problem = f"{len(after)} rows instead of {side}" if len(after) < side else "words between its rows"
    return (f"{board} has {problem}", after[0][0]) if after else None


def fault_in_rows(text: str) -> tuple[str, int] | None:
    """Return (fault, line) of a text that is nearly a Sudoku; None for any other text."""
    if len(text) > 5000 or _OTHER.match(text):
        return None
    rows = [(number, content) for number, content in _content(text) if not is_title_row(content)]
    if not rows:
        return None
    boards = [*boards_of_rows(text)]
    if boards and len(rows) > sum(len(board.rows) for board in boards) + 2:
        return fault_after_rows(text, boards)
    line, content = rows[0]
    if problem := _fault_of_line(content):
        several = "; --as sudoku reads the other lines of a list" if len(rows) > 1 else ""
        return f"{problem}{several}", line
    if has_blank_cells(text):
        return f"this looks like a Sudoku with blanks for empty cells: write {EMPTY} or 0 for each of them", line
    split = [(number, re.split(r"[\s,]+", content)) for number, content in rows]
    return _fault_of_rows(
        [(number, row if len(row) > 3 and max(map(len, row)) <= 2 else list("".join(row))) for number, row in split]
    )


def has_blank_cells(text: str) -> bool:
    """Return whether a text is rows of digits, some of them with fewer than others, with blanks between them."""
    lines = [line for line in text.translate(_FRAMES).split("\n") if not is_ruled_row(line.strip())]
    rows = [re.sub(r"[|!]", " ", line) for line in lines if not is_title_row(line.strip())]
    filled = [i for i, row in enumerate(rows) if row.strip()]
    rows = rows[filled[0] : filled[-1] + 1] if filled else []
    counts = {len("".join(row.split())) for row in rows}
    plain = all(re.fullmatch(r"[1-9\s]*", row) for row in rows) and any(re.search(r"\s", row.strip()) for row in rows)
    return plain and len(rows) in _LINES and len(counts) > 1 and max(counts) <= len(rows)


def _is_near(cells: Sequence[str]) -> bool:
    """Return whether nearly all cells are numbers or empty, and some are numbers."""
    good = sum(cell in ROW_MARKS or (cell.isascii() and cell.isdigit()) for cell in cells)
    return good >= 0.9 * len(cells) and any(cell in set("123456789") for cell in cells)


def _fault_of_line(line: str) -> str:
    """Return the fault of a line that is nearly a Sudoku; empty for any other."""
    parts = [part for part in re.split(r"[/|]", line) if part]
    if len(parts) > 2:  # a row between two slashes
        fault = _fault_of_rows([(1, [*part.strip()]) for part in parts])
        return fault[0] if fault else ""
    first = line.split(maxsplit=1)[0]
    cells = [*(first if len(first) > len(line) // 2 else re.sub(r"[\s,;]", "", line))]
    has_empty = not {*cells}.isdisjoint(ROW_MARKS)
    # If a line has two kinds of marks, one is a mistake.
    marks = PLAIN if not {*cells}.isdisjoint(PLAIN) else ROW_MARKS
    for side, most in _LINES.items():
        near = abs(len(cells) - side * side) <= most and (has_empty or side == _ROWS_ONE_DIGIT)
        if near and _is_near(cells):
            rows = [cells[i : i + side] for i in range(0, side * (side - 1), side)] + [cells[side * (side - 1) :]]
            return fault_of_rows(rows, side, marks)
    return ""


def _fault_of_rows(rows: Sequence[Row]) -> tuple[str, int] | None:
    """Return (fault, line of the first wrong row) of rows that are nearly a Sudoku; None for any others."""
    if len(rows) < 3 or not _is_near([cell for _, row in rows for cell in row]):
        return None

    def distance(side: int) -> int:
        """Return by how many cells the rows are too long or too short, and twice by how many there are."""
        return 2 * abs(len(rows) - side) + sum(abs(len(row) - side) for _, row in rows)

    side = min((side for side in regions.USUAL if side <= _ROWS_ONE_DIGIT), key=distance)
    if distance(side) > max(3, side * side // 10):
        return None
    fault = fault_of_rows([row for _, row in rows], side)
    return (fault, next((line for line, row in rows if len(row) != side), rows[0][0])) if fault else None


def numbers_in_rows(rows: Sequence[str]) -> dict[Cell, int]:
    """Return the numbers of a Sudoku of 9x9 with one character for each cell.

    Raises:
        InstanceError: the rows are no such Sudoku.
    """
    if problem := fault_of_rows(rows, 9):
        raise InstanceError(problem)
    return numbers_in_digits("".join(rows), 9, ROW_MARKS)


# -- Lines -----------------------------------------------------------------------------------------

# The sides of boards; a cell is one digit.
_SIDES = (4, 6, 8, 9)
_LINE_ONE_DIGIT = 9
_MARKS = frozenset(f"123456789{PLAIN}")
# {number of cells: side} of boards with letters; and how many characters a line of candidates has.
_LARGE, _CANDIDATES = {100: 10, 144: 12, 256: 16, 625: 25}, 729
# Characters of the rows of such a board, with ends of lines.
_LONGEST_ROWS = 1000
# The characters between cells and title.
_SEPARATORS = " \t,;:|#"
_SEPARATOR = re.compile(f"[{_SEPARATORS}]")


def _says_candidates(board: Draft, variant: Variant) -> bool:
    """Return whether a line can have the clues of a variant: candidates of a 9x9."""
    return candidates_key(board.known) in variant.keys and board.size == (_LINE_ONE_DIGIT, _LINE_ONE_DIGIT)


_CAN = Can(sides=_SIDES, says=_says_candidates)
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


def is_board_line(words: str) -> bool:
    """Return whether a line is a board."""
    return _LINE.match(words) is not None or _LINE.match(_plain(words)) is not None or _is_large(_parts(words)[0])


def _is_large(cells: str) -> bool:
    """Return whether characters are the cells of a board with letters, a quarter of them empty, or candidates."""
    if len(cells) == _CANDIDATES:
        return all(c in f"{i % _LINE_ONE_DIGIT + 1}.0" for i, c in enumerate(cells))
    return (
        len(cells) in _LARGE
        and re.fullmatch(r"[0-9A-Za-z.*_]+", cells) is not None
        and 4 * sum(map(cells.count, PLAIN)) >= len(cells)
    )


def has_no_board(words: str) -> bool:
    """Return whether a line has no board: empty, a comment, or the head or foot of a table."""
    if not words or words.startswith(("#", "%", ";")) or _FOOTER_OF_QQWING.fullmatch(words):
        return True
    return (words[0] == '"' or words[0].isalpha()) and _HEADER.fullmatch(words.replace('"', "")) is not None


def read_lines(lines: Iterator[bytes], source: str, report: ReportError | None = None) -> Iterator[Instance]:
    """Yield the boards of a list as they are read, numbered from 1; bad lines count, too.

    Args:
        lines: the lines of a file, which may be endless; of a longer line, its first `Limits.LONGEST_LINE` bytes.
        source: its name in messages.
        report: called with the error of a bad line; without it, the error is raised.

    Raises:
        InstanceError: a line is no board; the error has source and line.
    """
    board = 0
    for line, content in _decoded(lines, source):
        try:
            if isinstance(content, InstanceError):
                raise content
            if has_no_board(content):
                continue
            board += 1
            yield _board(content, Where(source, line), board)
        except InstanceError as error:
            if error.where and error.where.line and not isinstance(content, InstanceError):
                error.about = {"puzzle": "sudoku", "source": source, "board": board, "title": ""}
            if report is None:
                raise
            report(error)


def are_lines(text: str) -> bool:
    """Return whether the first line of a text is a Sudoku, or an address that has one."""
    first = next((content for _, content in content_lines(text[:5000]) if not has_no_board(content)), "")
    return is_board_line(first) or _ADDRESS.match(first) is not None or bool(_joined(text))


def _joined(text: str) -> str:
    """Return the rows of a large board as one line; "" for another text."""
    rows = text.split() if len(text) <= _LONGEST_ROWS else []
    cells = "".join(rows)
    return cells if {*map(len, rows)} == {len(rows)} and _is_large(cells) else ""


def _read_line(text: Text) -> Iterator[Instance]:
    """Yield the boards of a list."""
    if text.puzzle not in {None, "sudoku"}:
        message = f"these are Sudokus, and not boards of {text.puzzle}; use --as sudoku, or no --as"
        raise InstanceError(message, text.where)
    content = _joined(text.text) or text.text
    if "://" in content and len(content) <= Limits.LONGEST_ADDRESS:
        content = re.sub(_ADDRESS, lambda match: match["cells"], content.strip())
    boards = list(read_lines(BytesIO(content.encode("utf-8", "surrogatepass")), text.where.source))
    if not boards:
        raise InstanceError("there is no board in this text; a list has a Sudoku on each line", text.where)
    yield from (board._replace(total=len(boards)) for board in boards)


def write_lines(
    boards: Sequence[Instance], report: Report, name: str = "line", can: Can = _CAN, empty: str = "."
) -> str:
    """Return a line for each board, with the cells row by row, and in the format "line" with its title."""
    drafts, titled = [draft_of_instance(name, can, board, report) for board in boards], name == "line"
    lines = [f"{_cells(one, empty)} {one.details.get('title', '') * titled}" for one in drafts]
    text = "\n".join(map(str.strip, lines))
    return checked(name, drafts, text, lambda text: _read_line(text._replace(puzzle=None)), report)


def _cells(board: Draft, empty: str) -> str:
    """Return the cells of a board row by row; if some have candidates, those of each cell."""
    if not board.candidates:
        return "".join(board.lines(board.givens, empty))
    every = range(1, board.size[0] + 1)
    held = board.candidates | {cell: [value] for cell, value in board.givens.items()}
    return "".join(str(v) if v in held.get(cell, every) else empty for cell in board.places() for v in every)


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


def _board(content: str, where: Where, board: int) -> Instance:
    cells, title = _parts(content)
    if _is_large(cells):
        named = {"title": printable_line(title)} if title else {}
        draft = _candidates(cells, named, where) if len(cells) == _CANDIDATES else _large(cells, named, where)
        return instance_of_draft(draft, Text("", where))._replace(number=board)
    if len(cells) not in _blanks() or not set(cells) <= _MARKS:
        cells, title = _parts(_plain(content))
    blank = _blanks().get(end := len(cells))
    if blank is None:
        if problem := fault_in_rows(content):  # says the row, too
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
    digits, letters = (sorted({*cells.upper()} & {*alphabet}) for alphabet in ("123456789", ascii_uppercase))
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
    return Draft(givens, regions.usual(side), details, warnings=warnings)


def _candidates(cells: str, details: Mapping[str, str], where: Where) -> Draft:
    """Return the board of a line of candidates; cells with one of them are givens."""
    places = all_cells(_LINE_ONE_DIGIT, _LINE_ONE_DIGIT)
    groups = (cells[i : i + _LINE_ONE_DIGIT] for i in range(0, _CANDIDATES, _LINE_ONE_DIGIT))
    by_cell = {cell: re.sub("[.0]", "", group) for cell, group in zip(places, groups, strict=True)}
    if empty := next((cell for cell, held in by_cell.items() if not held), None):
        raise InstanceError(f"{cell_place(empty)} has no candidates", where)
    name = candidates_key(shipped_variants()).name
    marks = [key_line_text([cell], " ".join(held)) for cell, held in by_cell.items() if 1 < len(held) < _LINE_ONE_DIGIT]
    givens = {cell: int(held) for cell, held in by_cell.items() if len(held) == 1}
    return Draft(givens, regions.usual(_LINE_ONE_DIGIT), details, keys={name: marks} if marks else {})


def _plain(line: str) -> str:
    """Return a line that begins with its cells, if it has any."""
    if len(line) > Limits.LONGEST_LINE >> 4:
        return line
    line = line.replace('"', "")
    if match := _HODOKU.match(line):
        return re.sub(r"\+.", ".", match["cells"])
    if match := _FIELD.match(line):
        return line[match.start("cells") :]
    if _SPREAD.fullmatch(line) and not ({*line} & {*"xX?-"} and {*line} & {*PLAIN}):
        plain = re.sub(r"[ ,;|/]", "", line).translate(ROW_BLANKS)
        return plain if len(plain) in _blanks() else line
    return line


def _parts(line: str) -> tuple[str, str]:
    """Return what comes before the first separator, and the title after it."""
    match = _SEPARATOR.search(line)
    end = match.start() if match else len(line)
    return line[:end], line[end:].strip(_SEPARATORS)


def _with_second(instance: Instance, cells: str, second: str) -> Instance:
    """Return a board with what follows its cells: its answer or its regions."""
    side, where = round(len(cells) ** 0.5), instance.facts.where
    rows = [second[i : i + side] for i in range(0, len(second), side)]
    if all(len(set(line)) == side for line in (*rows, *zip(*rows, strict=True))):
        return instance._replace(solution=instance.puzzle.kind.read(instance, "\n".join(rows), where, whole=True))
    region_of = regions.numbered(dict(zip(all_cells(side, side), second, strict=True)))
    board = Draft(numbers_in_digits(cells, side, PLAIN), region_of, instance.details)
    return instance_of_draft(board, Text("", where))._replace(number=instance.number, total=instance.total)


@cache
def _blanks() -> dict[int, _Blank]:
    """Return {number of cells: what boards of that size share}."""
    blanks = {}
    for side in _SIDES:
        givens = "\n".join([EMPTY * side] * side)
        board = board_from_table(Table({"puzzle": "sudoku", "givens": givens}, {}, Where("<text>")), ())
        indices = range(1, side + 1)
        empty: dict[str, tuple[Arguments, Arguments] | None] = dict.fromkeys(PLAIN)
        clues = [empty | {str(v): ((r, c), (r, c, v)) for v in indices} for r in indices for c in indices]
        blanks[side * side] = _Blank(board, tuple(clues))
    return blanks


LINE = Format(
    "line",
    "Sudokus of 4x4, 6x6, 8x8 and 9x9, one on each line, with a title after it",
    are_lines,
    _read_line,
    write_lines,
)


SDM = Format(
    "sdm",
    "SadMan's .sdm, a Sudoku of 9x9 on each line",
    lambda _: False,
    LINE.read,
    partial(write_lines, name="sdm", can=Can(sides=(9,)), empty="0"),
    suffixes=(".sdm",),
)


# -- SadMan's .sdk ---------------------------------------------------------------------------------

_DETAILS = {"A": "author", "D": "title", "C": "notes", "S": "source"}
_OTHERS = {"B": "date", "L": "level", "U": "address"}
_SDK_SIDE = 9
_FIRST = re.compile(r"\s*(?:#[A-Z][^\n]*\n\s*)*(?:\[Puzzle\]|(?<=\n)[0-9.*X]{9}\s*\n)", re.IGNORECASE)


def _recognise_sdk(text: str) -> bool:
    """Return whether a text has a section [Puzzle], or rows after lines that begin with # and a letter."""
    return _FIRST.match(text[:20_000]) is not None


def _read_sdk(text: Text) -> Draft:
    """Return the board of a file."""
    details, left_out, section = dict[str, str](), list[str](), "puzzle"
    rows: dict[str, list[str]] = {"puzzle": []}
    for line in map(str.strip, text.text.split("\n")):
        if line.startswith("#"):
            name, value = line[1:2].upper(), line[2:].strip()
            if name in _DETAILS and value:
                details[_DETAILS[name]] = f"{details.get(_DETAILS[name], '')} {value}".strip()
            elif value and name in _OTHERS:
                left_out.append(_OTHERS[name])
        elif match := re.fullmatch(r"\[(\w+)\]", line):
            section = match[1].lower()
            rows.setdefault(section, [])
        elif line:
            rows.setdefault(section, []).append(line)
    givens = numbers_in_rows(rows["puzzle"])
    state = numbers_in_rows(rows["state"]) if rows.get("state") else {}
    solution = state if len(state) == _SDK_SIDE * _SDK_SIDE else {}
    if state not in ({}, givens, solution):
        left_out.append("the numbers so far")
    left_out += [f"the section {name}" for name, lines in rows.items() if name not in {"puzzle", "state"} and lines]
    if any("jigsaw" in name for name in rows):
        raise InstanceError("this is a jigsaw, which pyasp does not read in .sdk")
    return Draft(givens, regions.usual(_SDK_SIDE), details, solution, lost=tuple(left_out))


def _write_sdk(board: Draft) -> str:
    """Return the text of a board."""
    lines = [f"#{name}{board.details[key]}" for name, key in _DETAILS.items() if key in board.details]
    lines += ["[Puzzle]", *board.lines(board.givens)]
    if board.solution:
        lines += ["[State]", *board.lines({**board.solution, **board.givens})]
    return "\n".join(lines)


SDK = draft_format(
    "sdk",
    "SadMan's .sdk, a Sudoku of 9x9 with its title and author",
    _recognise_sdk,
    _read_sdk,
    _write_sdk,
    can=Can(sides=(_SDK_SIDE,)),
    answers=True,
    suffixes=(".sdk",),
)


# -- Simple Sudoku's .ss ---------------------------------------------------------------------------

_SS_SIDE = 9
_SS_ROW = re.compile(r"[|*]?[0-9.X ]{3,9}\|[0-9.X ]{3,9}\|[0-9.X ]{3,9}[|*]?")


def _recognise_ss(text: str) -> bool:
    """Return whether the nine rows of a text have two bars inside."""
    rows = _lines(text[:2000]) if not has_blank_cells(text[:2000]) else []
    return (
        len(rows) >= _SS_SIDE
        and all(map(_SS_ROW.fullmatch, rows[:_SS_SIDE]))
        and not any(map(_SS_ROW.fullmatch, rows[_SS_SIDE:]))
    )


def _lines(text: str) -> list[str]:
    """Return the lines of a text, except empty ones and those between boxes."""
    return [line for line in map(str.strip, text.strip().split("\n")) if line and not is_ruled_row(line)]


def _read_ss(text: Text) -> Draft:
    """Return the board of a file."""
    rows = [re.sub("[|* ]", "", line) for line in _lines(text.text) if not line.startswith("Simple Sudoku")]
    return Draft(numbers_in_rows(rows), regions.usual(_SS_SIDE))


def _write_ss(board: Draft) -> str:
    """Return the text of a board."""
    rows = [f"{line[:3]}|{line[3:6]}|{line[6:]}" for line in board.lines(board.givens)]
    return "\n-----------\n".join("\n".join(rows[i : i + 3]) for i in (0, 3, 6))


SS = draft_format(
    "ss",
    "Simple Sudoku's .ss, a Sudoku of 9x9 with bars",
    _recognise_ss,
    _read_ss,
    _write_ss,
    can=Can(sides=(_SS_SIDE,)),
    suffixes=(".ss",),
)
