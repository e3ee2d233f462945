"""Rows of Sudokus as people draw them in text, with frames and titles; and what is wrong with nearly correct texts.

Row    (3, ["5", "3", ".", ...]): the line of the text, and its cells; "249" is a cell with three candidates
Drawn  the rows of one Sudoku, and its title
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.boards.grid import EMPTY, cell_place, grid_tokens
from pyasp_puzzles.boards.regions import USUAL_BOXES
from pyasp_puzzles.errors import first_listed, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
_ONE_DIGIT = 9
# The sides of boards that a line may nearly be, and the most cells that it may have too many or too few.
_LINES = {9: 6, 8: 3, 6: 2, 4: 1}

_CELL = r"(?:[0-9]{1,9}|[._*xX?-])"
_ROW = re.compile(rf"{_CELL}(?:[ \t,]+{_CELL})+|[0-9._*xX?-]+")
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
        return len(self.rows) <= _ONE_DIGIT and any(
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
    found = []
    for line in lines:
        is_hash = line.lstrip().startswith("#") and plain and len(grid_tokens(line)) not in wide
        found.append("\v" if _COMMENT.match(line) or is_hash else line)
    return "\n".join(found)


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
        words = line.strip()
        if is_ruled_row(words) or _COMMENT.match(words) or words.startswith("# "):
            continue
        # A row has bars, commas and the like between its cells, or blanks.
        fields = [field.strip() for field in re.split(r"[|,;\t]", words.strip("|"))]
        if len(fields) in USUAL_BOXES and not any(" " in field for field in fields):
            yield number, " ".join(field or EMPTY for field in fields)
        elif plain := re.sub(r"[|!]", " ", words).strip():
            yield number, plain


def _row_cells(row: str) -> list[str]:
    """Return the cells of a row: its words if there are several of one cell each, or else its characters."""
    words = row.replace(",", " ").split()
    if len(words) > 1 and all(re.fullmatch(_CELL, word) for word in words) and len(words) in USUAL_BOXES:
        return words
    return list("".join(words))  # boxes with bars between them leave blanks between groups of characters


def boards_of_rows(text: str, *, boxes: bool = True) -> Iterator[DrawnRows]:
    """Yield the Sudokus that are drawn in a text, one below the other, perhaps with titles, until one is not whole.

    Args:
        text: the text.
        boxes: whether a row may be in groups, `1.. .2. ..3`.
    """
    if _OTHER.match(text):
        return
    title, rows, side = "", list[Row](), 0
    for number, words in _content(text):
        if not (_ROW.fullmatch(words) or (boxes and _BOXES.fullmatch(words))):
            if rows or not is_title_row(words):
                return
            # What programs print about a board is no title of the next one.
            title = title if ":" in words or words.endswith(".") else words
            continue
        cells = _row_cells(words)
        side = side or len(cells)
        if len(cells) != side or side not in USUAL_BOXES or (side > _ONE_DIGIT and "".join(cells) == words):
            return
        rows.append((number, cells))
        if len(rows) == side:
            yield DrawnRows(title, rows)
            title, rows = "", []


def are_rows_of_sudokus(text: str, *, boxes: bool = True) -> bool:
    """Return whether a text is one Sudoku or several, and nothing else but titles."""
    found = [number for one in boards_of_rows(text, boxes=boxes) for number, _ in one.rows]
    last = max((number for number, words in _content(text) if not is_title_row(words)), default=0)
    return bool(found) and found[-1] == last


# -- What is nearly a Sudoku ------------------------------------------------------------------


def fault_of_rows(rows: Sequence[Sequence[str]], side: int, marks: str = ROW_MARKS) -> str:
    """Return what is wrong with rows that should be those of a Sudoku of one digit a cell; empty if nothing is."""
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
    """Return what is wrong with the rows that follow whole Sudokus of a text, and its line; None if nothing follows."""
    side, last = len(found[0].rows), found[-1].rows[-1][0]
    after = [(number, words) for number, words in _content(text) if number > last and not is_title_row(words)]
    board = f"board {len(found) + 1}"
    for r, (number, words) in enumerate(after[:side], 1):
        row = _row_cells(words)
        if len(row) != side:
            return f"row {r} of {board} has {len(row)} cells instead of {side}", number
        if not (_ROW.fullmatch(words) or _BOXES.fullmatch(words)):
            return f"row {r} of {board} has {shown(words)}, and not only numbers and {EMPTY} for empty cells", number
    problem = f"{len(after)} rows instead of {side}" if len(after) < side else "words between its rows"
    return (f"{board} has {problem}", after[0][0]) if after else None


def fault_in_rows(text: str) -> tuple[str, int] | None:
    """Return what is wrong with a text that is nearly a Sudoku, in words, and its line; None for any other text."""
    if len(text) > 5000 or _OTHER.match(text):
        return None
    rows = [(number, words) for number, words in _content(text) if not is_title_row(words)]
    if not rows:
        return None
    found = [*boards_of_rows(text)]
    if found and len(rows) > sum(len(one.rows) for one in found) + 2:
        return fault_after_rows(text, found)
    line, words = rows[0]
    if problem := _fault_of_line(words):
        several = "; --as sudoku reads the other lines of a list" if len(rows) > 1 else ""
        return f"{problem}{several}", line
    if has_blank_cells(text):
        return f"this looks like a Sudoku with blanks for empty cells: write {EMPTY} or 0 for each of them", line
    split = [(number, re.split(r"[\s,]+", words)) for number, words in rows]
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


def _fault_of_line(words: str) -> str:
    """Return what is wrong with a line that is nearly a Sudoku; empty for any other."""
    parts = [part for part in re.split(r"[/|]", words) if part]
    if len(parts) > 2:  # a row between two slashes
        found = _fault_of_rows([(1, [*part.strip()]) for part in parts])
        return found[0] if found else ""
    first = words.split(maxsplit=1)[0]
    cells = [*(first if len(first) > len(words) // 2 else re.sub(r"[\s,;]", "", words))]
    has_empty = not {*cells}.isdisjoint(ROW_MARKS)
    # If a line has two kinds of marks, one is a mistake.
    marks = PLAIN if not {*cells}.isdisjoint(PLAIN) else ROW_MARKS
    for side, most in _LINES.items():
        near = abs(len(cells) - side * side) <= most and (has_empty or side == _ONE_DIGIT)
        if near and _is_near(cells):
            rows = [cells[i : i + side] for i in range(0, side * (side - 1), side)] + [cells[side * (side - 1) :]]
            return fault_of_rows(rows, side, marks)
    return ""


def _fault_of_rows(rows: Sequence[Row]) -> tuple[str, int] | None:
    """Return what is wrong with rows that are nearly those of a Sudoku, and the line of the first that is."""
    if len(rows) < 3 or not _is_near([cell for _, row in rows for cell in row]):
        return None

    def distance(side: int) -> int:
        """Return by how many cells the rows are too long or too short, and twice by how many there are."""
        return 2 * abs(len(rows) - side) + sum(abs(len(row) - side) for _, row in rows)

    side = min((side for side in USUAL_BOXES if side <= _ONE_DIGIT), key=distance)
    if distance(side) > max(3, side * side // 10):
        return None
    found = fault_of_rows([row for _, row in rows], side)
    return (found, next((line for line, row in rows if len(row) != side), rows[0][0])) if found else None
