"""Bare grids: the grids of a board as in TOML, without their keys, an empty line between them.

1 . . 2        A A B
. . 3 .   or   A C B   with --as tectonic, and a second grid of givens if there are any
. 4 . .        C C B
3 . . 1
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pyasp_puzzles.boards.grid import EMPTY, Grid, parse
from pyasp_puzzles.boards.toml import Table
from pyasp_puzzles.errors import InstanceError, Where, listing
from pyasp_puzzles.formats.data import keys_of
from pyasp_puzzles.formats.format import Format, only_board
from pyasp_puzzles.formats.numbers import left_out_of
from pyasp_puzzles.formats.toml import from_table, grid
from pyasp_puzzles.puzzles.declaration import find, names
from pyasp_puzzles.puzzles.keys import KINDS, USUAL_BOXES, empty_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyasp_puzzles.formats.format import Report, Text
    from pyasp_puzzles.puzzles.keys import Key
    from pyasp_puzzles.puzzles.puzzle import Instance, Puzzle

_ROW = re.compile(r"(?:[0-9]{1,2}|[._*-])(?:[ \t,]+(?:[0-9]{1,2}|[._*-]))+|[0-9._*-]+")
# Turns other marks of empty cells into dots.
BLANKS = str.maketrans(dict.fromkeys("-*", EMPTY))
# Turns the frames of boards into bars and dashes.
FRAMES = str.maketrans(dict.fromkeys("║│┃┆┊", "|") | dict.fromkeys("═─━╔╤╦╗╟┼╫╢╠╪╬╣╚╧╩╝┌┬┐├┤└┴┘╞╡╭╮╰╯", "-"))


def is_rule(line: str) -> bool:
    """Tell whether a line is drawn between boxes: `------+-------`."""
    return ("--" in line or "==" in line) and not set(line) - set("-+=*|. \t")


def rows_of(text: str) -> list[str]:
    """Return the rows of a Sudoku drawn as text, without bars and lines between its boxes."""
    if text.lstrip().startswith("["):  # a list of lists, as programs print it
        text = "\n".join(re.findall(r"\[([^\[\]]*)\]", re.sub(r"null|None|[\"' \n]", "", text)))
    lines = (line.strip() for line in text.translate(FRAMES).strip().split("\n"))
    return [_between(line) for line in lines if line and not is_rule(line)]


def _between(line: str) -> str:
    """Return a row with blanks between its cells, if it has bars, commas and the like between them."""
    fields = [field.strip() for field in re.split(r"[|,;\t]", line.strip("|"))]
    if len(fields) in USUAL_BOXES and all(len(field) < 3 for field in fields):
        return " ".join(field or EMPTY for field in fields)
    return re.sub(r"[|!]", " ", line).strip()


def is_sudoku(text: str) -> bool:
    """Tell whether a text is the one grid of a Sudoku: as many rows as columns, of numbers and empty cells."""
    if len(text) > 5000:
        return False
    rows = rows_of(text)
    if len(rows) not in USUAL_BOXES or not all(map(_ROW.fullmatch, rows)):
        return False
    return all(len(_tokens(row)) == len(rows) for row in rows)


def _tokens(row: str) -> list[str]:
    words = row.replace(",", " ").split()
    if len(words) > 1 and all(re.fullmatch(r"[0-9]{1,2}|[._*-]", word) for word in words):
        return words
    return list("".join(words))  # boxes with bars between them leave blanks between groups of characters


def read(text: Text) -> Iterator[Instance]:
    """Yield the board of some grids."""
    bare = is_sudoku(text.text)
    if text.puzzle is None and not bare:
        message = f"a grid of a puzzle without a name, expected --as PUZZLE: {listing(names(text.puzzles))}"
        raise InstanceError(message, text.where)
    puzzle = find(text.puzzle or "sudoku", text.where, text.puzzles)
    keys = _grid_keys(puzzle)
    if bare and any(key.kind == "givens" for key in keys) and _main(puzzle, keys).kind == "givens":
        lines = [" ".join(_tokens(row)).translate(BLANKS) for row in rows_of(text.text)]
        grids = [parse("\n".join(lines), text.where)]
    else:
        grids = list(_grids(text.text, text.where))
    if len(grids) > len(keys):
        message = f"{len(grids)} grids, expected at most {len(keys)}: {listing((key.name for key in keys), 'and')}"
        raise InstanceError(message, text.where)
    table = {"puzzle": puzzle.name} | {key.name: one for key, one in _assigned(puzzle, keys, grids)}
    yield from_table(Table(table, {}, text.where), text.puzzles)


def _grid_keys(puzzle: Puzzle) -> list[Key]:
    """Return the keys whose values are grids."""
    return [key for key in puzzle.keys if KINDS[key.kind].grid and key.kind != "notes"]


def _main(puzzle: Puzzle, keys: Sequence[Key]) -> Key:
    """Return the key whose value a single grid is."""
    return puzzle.board or keys[0]


def _grids(text: str, where: Where) -> Iterator[Grid]:
    """Yield the grids of a text, which empty lines separate."""
    first = where.line or 1
    part: list[str] = []
    start = first
    for number, line in enumerate([*text.split("\n"), ""], first):
        if line.strip():
            start = start if part else number
            part.append(line)
        elif part:
            yield parse("\n".join(part), Where(where.source, start))
            part = []


def _assigned(puzzle: Puzzle, keys: Sequence[Key], grids: Sequence[Grid]) -> Iterator[tuple[Key, Grid]]:
    """Yield the key of each grid: grids with empty cells are no regions; otherwise the order is that of the puzzle."""
    if len(grids) == 1:
        yield _main(puzzle, keys), grids[0]
        return
    left, waiting, empty = list(keys), list(grids), empty_tokens(None)
    for key in [key for key in keys if key.whole]:
        full = (i for i, one in enumerate(waiting) if empty.isdisjoint(token for _, token, _ in one.cells()))
        if (i := next(full, None)) is not None:
            left.remove(key)
            yield key, waiting.pop(i)
    yield from zip(left, waiting, strict=False)


def write(boards: Sequence[Instance], report: Report) -> str:
    """Return the grids of a board."""
    board = only_board("grid", boards)
    keys = keys_of(board)
    grids = {key.name for key in _grid_keys(board.puzzle)}
    found = [grid(rows) for name, rows in keys.items() if name in grids and isinstance(rows, list)]
    needed: list[str] = [name for name in ("box", "variants", "palette", "size") if name in keys]
    others = [key for key in board.puzzle.keys if key.name in keys.keys() - grids and key.kind != "notes"]
    needed += [key.name for key in others if keys[key.name] != key.option("default")]
    if needed or not found:
        message = f"grid cannot store {listing(needed or ['a board without a grid'], 'and')}; use --to toml"
        raise InstanceError(message, board.facts.where)
    lost = ["the name of the puzzle", *(name for name in keys if name not in grids and name != "puzzle")]
    report(f"{left_out_of('grid', lost)}; --as {board.puzzle.name} reads it")
    return "\n\n".join(found)


FORMAT = Format("grid", "bare grids of any puzzle, to be read with --as PUZZLE", is_sudoku, read, write)
