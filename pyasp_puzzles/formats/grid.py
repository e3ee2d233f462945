"""Bare grids: the grids of a board as in TOML, without their keys, an empty line between them.

1 . . 2        A A B
. . 3 .   or   A C B   with --as tectonic, and a second grid of givens if there are any
. 4 . .        C C B
3 . . 1

They may be arrays as in Python, [[1, 1, 2], [1, 3, 2]], or tuples of strings, ("bwb", "wwb"), with names or without. A
text may have the grids of several boards. A tuple with the name of another key, strips = ("ww", "wb"), is its value in
all of them. Sudokus need no --as, and may be framed. In a grid of candidates, single ones are givens.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

from pyasp_puzzles.boards.grid import EMPTY, Grid, cell_place, grid_of, grid_tokens, parse_grid
from pyasp_puzzles.boards.toml import Table
from pyasp_puzzles.errors import InstanceError, PuzzleError, Where, first_listed, listing, printable_line, shown
from pyasp_puzzles.formats.exchange import candidates_key
from pyasp_puzzles.formats.format import Format, Report, Text, left_out, only_board
from pyasp_puzzles.formats.lists import (
    ROW_BLANKS,
    ROW_MARKS,
    are_rows_of_sudokus,
    boards_of_rows,
    fault_after_rows,
    fault_in_rows,
    without_comment_rows,
)
from pyasp_puzzles.formats.toml import grid_rows_text
from pyasp_puzzles.model.keys import Key, empty_key_tokens
from pyasp_puzzles.puzzles.board import board_from_table, keys_of_board
from pyasp_puzzles.puzzles.declaration import find_puzzle, shipped_variants, well_known_puzzles
from pyasp_puzzles.puzzles.keys.lines import key_line_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyasp_puzzles.formats.lists import DrawnRows
    from pyasp_puzzles.model.puzzle import Instance, Puzzle

# Puzzles that a message names.
_MOST_NAMED = 5
# Characters of a text in which a Sudoku is recognised.
_LONGEST_HEAD = 5000
# Rows of the smallest Sudoku with regions in a text.
_SMALLEST = 4

# A tuple or a list of strings, with rows as its members, as in Python.
_STRINGS = re.compile(r"""[(\[](?=\s*+['"])([^()\[\]]*+)[)\]]""")
_NAMED = re.compile(rf"^(\w++)\s*+=\s*+{_STRINGS.pattern}", re.MULTILINE)
_STRING = re.compile(r"""(['"])([^'"\n]*+)\1""")
_COMMENT = re.compile(r"^#.*", re.MULTILINE)


def _recognise(text: str) -> bool:
    """Return whether a text begins with the grid of a Sudoku: as many rows as columns, of numbers and empty cells.

    A grid of regions is none: letters in as many rows as columns would be taken for titles.
    """
    if has_regions(text) or _has_zeros_and_ones(text):
        return False
    is_short = len(text) <= _LONGEST_HEAD
    if is_short and are_rows_of_sudokus(text, boxes=False):
        return True
    # A single board in groups is one of Simple Sudoku.
    several = len([*islice(boards_of_rows(text[:_LONGEST_HEAD]), 2)]) == 2
    return several and (not is_short or are_rows_of_sudokus(text))


def _has_zeros_and_ones(text: str) -> bool:
    """Return whether a text has only 0, 1, and a mark of empty cells: 0 is a number, and no number is above 1."""
    cells = {*"".join(text[:_LONGEST_HEAD].split())}
    return {"0", "1"} < cells <= {"0", "1", *ROW_MARKS} and len(text.split("\n", 2)) > 2


def is_bare(text: str) -> bool:
    """Return whether a text is arrays, or rows of short tokens: of one length in each block between empty lines."""
    if len(text) > _LONGEST_HEAD:
        return False
    if has_regions(text) or re.match(r"\s*\[\s*\[[^\]\[\n]*[\],]", text):
        return True
    blocks = [
        block.split("\n")
        for block in re.split(r"\n\s*\n", re.sub("\v\n?", "", without_comment_rows(text)).strip("\n"))
        if block.strip()
    ]
    rows = [[grid_tokens(row) for row in block] for block in blocks]
    if not blocks or (len(rows[0]) == 1 and " " not in blocks[0][0].strip()):
        return False
    tokens = [token for block in rows for row in block for token in row]
    is_even = all(len({*map(len, block)}) == 1 for block in rows) and max(map(len, tokens)) <= 3
    # Words may be as long as one another, but their letters are not those of few regions or colors.
    return is_even and (not "".join(tokens).isalpha() or 2 * len({*tokens}) <= len(tokens))


def has_regions(text: str) -> bool:
    """Return whether one of the grids of a text, which empty lines separate, is one of the regions of a Sudoku.

    It has as many rows as columns, of letters; or, if there is one other grid, of digits, each as often as there are
    rows, some of them twice in a row.
    """
    blocks = re.split(r"\n\s*\n", text[:_LONGEST_HEAD].strip())
    for block in blocks:
        rows = ["".join(line.split()) for line in block.strip().split("\n")]
        if len(rows) >= _SMALLEST and all(row.isalnum() and len(row) == len(rows) for row in rows):
            often = {*Counter("".join(rows)).values()} == {len(rows)}
            twice = any(len({*row}) < len(row) for row in rows)
            if all(map(str.isalpha, rows)) or (len(blocks) == 2 and often and twice):
                return True
    return False


def _read(text: Text) -> Iterator[Instance]:
    """Yield the board of some grids; or several Sudokus, one below the other."""
    bare = _recognise(text.text)
    if text.puzzle is None and not bare:
        fitting = first_listed(_fitting_puzzles(text), _MOST_NAMED, "more")
        fits = f"it fits {listing(fitting, 'and')}" if fitting else "it fits none as it is; `pyasp list` lists them"
        raise InstanceError(f"this grid does not say its puzzle: name it with --as PUZZLE; {fits}", text.where)
    puzzle = find_puzzle(text.puzzle or "sudoku", text.where, text.puzzles)
    keys = _grid_keys(puzzle)
    main = puzzle.grid_key or next(iter(keys), None)
    if bare and main and main.kind.role == "answers":
        boards = [*boards_of_rows(text.text)]
        if text.puzzle is None or len(boards) == 1 or _has_empty(boards[0]):
            yield from _drawn(boards, main, puzzle, text)
            return
    if puzzle.name == "sudoku" and not has_strings(text.text) and (problem := fault_in_rows(text.text)):
        raise InstanceError(problem[0], Where(text.where.source, problem[1]))
    text = text._replace(text=without_comment_rows(text.text))
    content, lists = _lists(text, puzzle)
    grids = list(_grids(content, text.where))
    if len(grids) > len(keys) and (not keys or len(grids) % len(keys)):
        most = listing((key.name for key in keys), "and")
        raise InstanceError(f"there are {len(grids)} grids, but {puzzle.name} has {len(keys)}: {most}", text.where)
    parts = [grids[i : i + len(keys)] for i in range(0, len(grids), len(keys) or 1)] or [grids]
    total = len(parts)
    for number, board in enumerate(parts, 1):
        where = text.where if total == 1 else board[0].places[0]
        table: dict[str, object] = {"puzzle": puzzle.name, **lists}
        table |= {key.name: _plain(key, grid) for key, grid in _assigned(puzzle, keys, board)}
        if lists and any(key.name == "left" for key in puzzle.keys):
            # As in the program that the text is from: all pieces are placed, and other cells are left.
            covered = sum(len(grid_tokens(piece)) for pieces in lists.values() for piece in pieces)
            if (left := sum(1 for grid in board for _ in grid.cells()) - covered) > 0:
                table["left"] = left
        yield board_from_table(Table(table, {}, where), text.puzzles, number, total)


def _fitting_puzzles(text: Text) -> list[str]:
    """Return the puzzles that can read some grids: the strictest first, then as `well_known_puzzles` sorts them."""
    fitting, named = list[tuple[tuple[int, int], str]](), has_regions(text.text)
    for name in well_known_puzzles(text.puzzles) if len(text.text) <= _LONGEST_HEAD else ():
        with suppress(PuzzleError):
            board, *_ = _read(text._replace(puzzle=name))
            given = keys_of_board(board)
            # Usual boxes are no key of a board.
            keys = [key for key in _grid_keys(board.puzzle) if key.name in given or (named and key.option("boxes"))]
            usual = ((key.option("usual"), board.facts.names(key.fact).values()) for key in keys if not key.whole)
            if all({*tokens} <= {*usual_tokens} for usual_tokens, tokens in usual if usual_tokens):
                # Of several grids, the regions tell the most: many puzzles have a small number in some of them.
                regions = [key for key in keys if key.kind.role == "regions"]
                fitting.append((min(map(_strictness, regions or keys), default=(4, 0)), name))
    return [name for _, name in sorted(fitting, key=lambda pair: pair[0])]


# A key with at most so many usual names tells what a grid is; if it has more, such as letters, too many grids fit.
_FEW_NAMES = 5


def _strictness(key: Key) -> tuple[int, int]:
    """Return a sort key: keys that accept the fewest grids come first."""
    if key.kind.role == "regions":
        return (0 if key.option("size") else 2), 0
    if key.kind.role == "tiles":
        usual = len(key.option("usual", ()))
        return (1, usual) if 0 < usual <= _FEW_NAMES and not key.whole else (3, 0)
    most = key.option("range").high if key.option("range") else None
    return (1, most) if isinstance(most, int) else (2, 1)


def _lists(text: Text, puzzle: Puzzle) -> tuple[str, dict[str, list[str]]]:
    """Return a text without the named tuples that are no grids, its lines kept; and those tuples."""
    lists: dict[str, list[str]] = {}
    others = {key.name for key in puzzle.keys if not key.kind.grid}

    def without(match: re.Match[str]) -> str:
        if match[1] not in others:
            return match[0]
        lists[match[1]] = [string[2] for string in _strings(match, 2, text.where)]
        return "\n" * match[0].count("\n")

    rest = _NAMED.sub(without, text.text)
    return (_COMMENT.sub("", rest) if lists else rest), lists


def _strings(match: re.Match[str], group: int, where: Where) -> list[re.Match[str]]:
    """Return the strings of a tuple, given the group of the match that has its members."""
    strings = [*_STRING.finditer(match.string, *match.span(group))]
    rest = re.sub(r"#.*", "", _STRING.sub("", match[group])).strip(", \t\r\n")
    if rest or not strings:
        message = f"{shown(match[0])} is no grid; write rows as strings, ('bwb', 'wwb')"
        raise InstanceError(message, _place(match, where))
    return strings


def _place(match: re.Match[str], where: Where) -> Where:
    return Where(where.source, (where.line or 1) + match.string.count("\n", 0, match.start()))


def _has_empty(board: DrawnRows) -> bool:
    return any(cell in ROW_MARKS for row in board.cells for cell in row)


def _drawn(boards: Sequence[DrawnRows], givens: Key, puzzle: Puzzle, text: Text) -> Iterator[Instance]:
    """Yield Sudokus; a full board after one that it completes is the answer to it."""
    if problem := fault_after_rows(text.text, boards):
        raise InstanceError(problem[0], Where(text.where.source, problem[1]))
    answers = {i for i in range(1, len(boards)) if _completes(boards[i], boards[i - 1])}
    total = len(boards) - len(answers)
    for number, i in enumerate((i for i in range(len(boards)) if i not in answers), 1):
        board = boards[i]
        where = text.where if total == 1 else Where(text.where.source, board.rows[0][0])
        table: dict[str, object] = {"puzzle": puzzle.name, givens.name: _grid(board, where)}
        if board.has_candidates and (marks := _candidates(board, where)):
            table[candidates_key(shipped_variants()).name] = marks
        if board.title:
            table["title"] = printable_line(board.title)
        instance = board_from_table(Table(table, {}, where), text.puzzles, number, total)
        if i + 1 in answers:
            answer = "\n".join(map(" ".join, boards[i + 1].cells))
            instance = instance._replace(solution=puzzle.kind.read(instance, answer, where, whole=True))
        yield instance


def _completes(board: DrawnRows, first: DrawnRows) -> bool:
    """Return whether a full board has the numbers of another that has empty cells."""
    if _has_empty(board) or not _has_empty(first) or first.has_candidates:
        return False
    pairs = (pair for rows in zip(board.cells, first.cells, strict=False) for pair in zip(*rows, strict=False))
    return len(board.rows) == len(first.rows) and all(cell == clue or clue in ROW_MARKS for cell, clue in pairs)


def _grid(board: DrawnRows, where: Where) -> Grid:
    """Return the grid of a board; a cell with several candidates is empty."""
    cells = board.cells
    if board.has_candidates:
        cells = [[cell if len(cell) == 1 else EMPTY for cell in row] for row in cells]
    places = [Where(where.source, number) for number, _ in board.rows]
    return grid_of([tuple(cell.translate(ROW_BLANKS) for cell in row) for row in cells], places, where)


def _candidates(board: DrawnRows, where: Where) -> list[str]:
    """Return the candidates of each cell that has several, but not all, as lines of their key."""
    side, marks = len(board.rows), []
    for r, (number, row) in enumerate(board.rows, 1):
        for c, cell in enumerate(row, 1):
            if len(cell) < 2:
                continue
            held = sorted({*cell})
            if len(held) < len(cell) or not "1" <= held[0] <= held[-1] <= str(side):
                message = f"{shown(cell)} is no list of candidates, expected different numbers of 1 to {side}"
                raise InstanceError(f"{cell_place((r, c))}: {message}", Where(where.source, number))
            if len(held) < side:
                marks.append(key_line_text([(r, c)], " ".join(held)))
    return marks


def _grid_keys(puzzle: Puzzle) -> list[Key]:
    return [key for key in puzzle.keys if key.kind.grid and key.predicate]


def _grids(text: str, where: Where) -> Iterator[Grid]:
    if re.search(r"\[\s*\[", text):
        yield from _arrays(text, where)
        return
    first = where.line or 1
    if has_strings(text):
        text = _COMMENT.sub("", text)
        for match in _STRINGS.finditer(text):
            rows = _strings(match, 1, where)
            places = [_place(row, where) for row in rows]
            yield grid_of([tuple(grid_tokens(row[2])) for row in rows], places, places[0])
        return
    part: list[str] = []
    for number, line in enumerate([*text.split("\n"), ""], first):
        if line.strip():
            part.append(line)
        elif part and line == "\v":  # a comment
            part.append("")
        elif part:
            yield parse_grid("\n".join(part), Where(where.source, number - len(part)))
            part = []


def has_strings(text: str) -> bool:
    """Return whether a text begins with a tuple or a list of strings, which may have a name."""
    lines = _COMMENT.sub("", text[:_LONGEST_HEAD])
    return re.match(r"\s*+(?:\w+\s*+=)?(?:\s*+[(\[])++\s*+['\"]", lines) is not None


def _arrays(text: str, where: Where) -> Iterator[Grid]:
    """Yield the arrays of a text: `[[1, 0], [0, 2]]`, or `array([[1., 0.], [0., 2.]])`, with commas or without."""
    rows: list[tuple[str, ...]] = []
    places: list[Where] = []
    line, end = where.line or 1, 0
    for match in re.finditer(r"\[([^\[\]]*)\]", text):
        between = text[end : match.start()]
        line, end = line + between.count("\n"), match.end()
        if rows and between.strip(", \t\r\n"):
            yield grid_of(rows, places, where)
            rows, places = [], []
        tokens = (token.strip("'\"") for token in re.split(r"[\s,]+", match[1].strip(", \t\r\n")))
        plain = (re.sub(r"^([0-9]+)\.0*$", r"\1", token) for token in tokens)  # 3. and 3.0 are whole numbers
        rows.append(tuple(EMPTY if token in {"None", "null", "nan", ""} else token for token in plain))
        places.append(Where(where.source, line))
        line += match[0].count("\n")
    yield grid_of(rows, places, where)


def _assigned(puzzle: Puzzle, keys: Sequence[Key], grids: Sequence[Grid]) -> Iterator[tuple[Key, Grid]]:
    """Yield the key of each grid: keys in the order of the puzzle, but grids with empty cells are no regions."""
    if len(grids) == 1:
        main, regions = puzzle.grid_key or keys[0], next((key for key in keys if key.whole), None)
        if regions and main.kind.role == "answers" and all(token.isalpha() for _, token, _ in grids[0].cells()):
            yield regions, grids[0]  # names of regions; nothing is given
            grids = [grid_of([(EMPTY,) * len(row) for row in grids[0].rows], grids[0].places, grids[0].places[0])]
        yield main, grids[0]
        return
    left, waiting, empty = list(keys), list(grids), empty_key_tokens(None)
    for key in [key for key in keys if key.whole]:
        full = (i for i, grid in enumerate(waiting) if empty.isdisjoint(token for _, token, _ in grid.cells()))
        if (i := next(full, None)) is not None:
            left.remove(key)
            yield key, waiting.pop(i)
    yield from zip(left, waiting, strict=False)


def _plain(key: Key, grid: Grid) -> Grid:
    """Return a grid with dots for empty cells; in one of givens these may have other marks, as in a Sudoku."""
    if key.kind.role != "answers":
        return grid
    return grid._replace(rows=tuple(tuple(token.translate(ROW_BLANKS) for token in row) for row in grid.rows))


def _write(instances: Sequence[Instance], report: Report) -> str:
    """Return the grids of a board."""
    board = only_board("grid", instances)
    keys = keys_of_board(board)
    grids = {key.name for key in _grid_keys(board.puzzle)}
    texts = [grid_rows_text(rows) for name, rows in keys.items() if name in grids and isinstance(rows, list)]
    needed: list[str] = [name for name in ("box", "variants", "palette", "size") if name in keys]
    others = [key for key in board.puzzle.keys if key.name in keys.keys() - grids and key.predicate]
    needed += [key.name for key in others if keys[key.name] != key.option("default")]
    if needed or not texts:
        message = f"grid cannot store {listing(needed or ['a board without a grid'], 'and')}; use --to toml"
        raise InstanceError(message, board.facts.where)
    lost = ["the name of the puzzle", *(name for name in keys if name not in grids and name != "puzzle")]
    report(f"{left_out('grid', lost)}; --as {board.puzzle.name} reads it")
    return "\n\n".join(texts)


FORMAT = Format("grid", "bare grids of any puzzle, to be read with --as PUZZLE", _recognise, _read, _write)
