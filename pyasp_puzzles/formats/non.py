"""`.non`, the files of Steve Simpson's nonogram programs and of webpbn.com: numbers left of rows and above columns.

    title "A letter"
    width 2
    height 2

    rows
    1,1
    2

The lines after `columns` are like those after `rows`: numbers with commas between them, 0 or nothing for a line without
any. `goal "1011"` is the answer, row by row. Lines `====` separate several boards. A puzzle that is written so has a
table `[formats.non]` with a `key`, that of its numbers outside.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from pyasp_puzzles.boards.grid import all_cells, check_grid_size, grid_extent, grid_text
from pyasp_puzzles.boards.toml import Table
from pyasp_puzzles.errors import InstanceError, Where, printable_line, shown
from pyasp_puzzles.formats.codings import entries
from pyasp_puzzles.formats.exchange import Draft, checked
from pyasp_puzzles.formats.format import Format, Report, Text, refusal
from pyasp_puzzles.puzzles.board import board_from_table, keys_of_board

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyasp_puzzles.model.puzzle import Instance

# {word in a file: key of a board}
_DETAILS = {"title": "title", "by": "author", "catalogue": "source"}
# {word in a file: where the numbers after it are}
_SIDES = {"rows": "left", "columns": "top"}
_DIVIDER = re.compile(r"={4,}")
_LINE = re.compile(r"[0-9]{1,4}(?:,[0-9]{1,4})*")


def _recognise(text: str) -> bool:
    """Return whether a text has the size and the lines of a board."""
    words = text[:5000]
    return re.search(r"^\s*(?:width|height)[ \t]+\d+\s*$", words, re.MULTILINE) is not None and (
        re.search(r"^\s*(?:rows|columns)\s*$", words, re.MULTILINE) is not None
    )


def _read(text: Text) -> Iterator[Instance]:
    """Yield the boards of a text."""
    parts: list[list[tuple[int, str]]] = [[]]
    for number, line in enumerate(text.text.split("\n"), 1):
        if _DIVIDER.fullmatch(line.strip()):
            parts.append([])
        else:
            parts[-1].append((number, line.strip()))
    parts = [part for part in parts if any(words for _, words in part)]
    for number, part in enumerate(parts, 1):
        yield _board(part, text, number, len(parts))


def _board(lines: Sequence[tuple[int, str]], text: Text, number: int, total: int) -> Instance:
    """Return the board of some lines."""
    where = text.where if total == 1 else Where(text.where.source, lines[0][0])
    size, words, runs = dict[str, int](), dict[str, str](), dict[str, list[str]]()
    side, left = "", 0
    for place, line in lines:
        at = Where(where.source, place)
        name, _, rest = line.partition(" ")
        if left and (not line or line[0].isdigit()):
            numbers = re.sub(r"\s", "", line).rstrip(",") or "0"
            if not _LINE.fullmatch(numbers):
                colored = re.fullmatch(r"[0-9,]*[0-9][a-z][0-9a-z,]*", numbers)
                problem = "numbers with colors, which no puzzle has here" if colored else "no numbers, such as 2,1"
                raise InstanceError(f"{shown(line)} has {problem}", at)
            runs[side].append(numbers)
            left -= 1
        elif name in {"width", "height"} and rest.strip().isdecimal():
            size[name] = int(rest[:9])
        elif left and line:
            break
        elif line in _SIDES:
            if len(size) < 2:
                raise InstanceError("there is no width and height before these lines", at)
            check_grid_size(size["height"], size["width"])
            side, left = _SIDES[line], size["height" if line == "rows" else "width"]
            runs[side] = []
        elif rest.strip():
            words[name] = html.unescape(rest.strip().removeprefix('"').removesuffix('"'))
    missing = [name for name, one in _SIDES.items() if one not in runs]
    if missing or left:
        found = len(runs.get(side, ()))
        problem = f"{found} of {found + left} {next(name for name in _SIDES if _SIDES[name] == side)}" if left else ""
        raise InstanceError(f"this .non file has {problem or f'no {missing[0]}'}: copy it whole", where)
    return _instance(size, words, runs, text._replace(where=where))._replace(number=number, total=total)


def _instance(size: dict[str, int], words: dict[str, str], runs: dict[str, list[str]], text: Text) -> Instance:
    """Return the board of a size, details and numbers outside."""
    known = entries("non", text.puzzles)
    one = next((one for one in known if text.puzzle in {None, one.puzzle.name}), None)
    if one is None:
        raise InstanceError(f"this is a board of {known[0].puzzle.name}, and not of {text.puzzle}", text.where)
    rows, columns = size["height"], size["width"]
    table: dict[str, object] = {"puzzle": one.puzzle.name, "size": [rows, columns], one.table["key"]: runs}
    table |= {key: told for name, key in _DETAILS.items() if (told := printable_line(words.get(name, "")))}
    if rights := printable_line("; ".join(filter(None, (words.get("copyright"), words.get("license"))))):
        table["notes"] = rights
    instance = board_from_table(Table(table, {}, text.where), text.puzzles)
    goal = words.get("goal", "")
    if not goal:
        return instance
    if len(goal) != rows * columns:
        raise InstanceError(f"the goal has {len(goal)} cells instead of {rows * columns}", text.where)
    cells = all_cells(rows, columns)
    marks = {cell: "o" if mark == "0" else "x" for cell, mark in zip(cells, goal, strict=True)}
    return instance._replace(solution=one.puzzle.kind.read(instance, grid_text(cells, marks), text.where, whole=True))


def _write(boards: Sequence[Instance], report: Report) -> str:
    """Return the text of boards."""
    text = "\n====\n".join(map(_written, boards))
    return checked("non", [Draft(puzzle=board.puzzle.name, instance=board) for board in boards], text, _read, report)


def _written(board: Instance) -> str:
    where, table = board.facts.where, board.puzzle.formats.get("non")
    if table is None:
        known = ", ".join(one.puzzle.name for one in entries("non", ()))
        raise refusal("non", f"a board of {board.puzzle.name}", where, known)
    keys = keys_of_board(board)
    outside = keys.get(table["key"])
    runs = outside if isinstance(outside, dict) else {}
    rows, columns = grid_extent(board.cells)
    lines = [f'{name} "{html.escape(board.details[key])}"' for name, key in _DETAILS.items() if key in board.details]
    lines += [f"width {columns}", f"height {rows}"]
    for name, side in _SIDES.items():
        found = [str(one) for one in runs.get(side, ())]
        if board.variants or not found or not all(map(_LINE.fullmatch, found)) or len(board.cells) != rows * columns:
            raise refusal("non", "rows and columns without numbers, holes, or variants", where)
        lines += ["", name, *found]
    if board.solution is not None:
        goal = "".join(str(int(board.solution.shaded[cell])) for cell in all_cells(rows, columns))
        lines += ["", f'goal "{goal}"']
    return "\n".join(lines)


FORMAT = Format(
    "non",
    "nonograms in .non files, as on webpbn.com",
    _recognise,
    _read,
    _write,
    suffixes=(".non",),
    answers=True,
)
