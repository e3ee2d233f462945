"""Penpa+: addresses with a drawing in them; thick edges make the regions of a Sudoku or of a Suguru.

    https://swaroopg92.github.io/penpa-edit/#m=edit&p=7VXPb9pM...

What follows `p=` is base 64 of a raw deflate stream of lines. Usual words of their JSON are shortened: "number" is zN.

Line   0 kind of grid, sizes, title, author; 1 margins; 3 the drawing of the problem; 4 that of the solution; 5 the
       cells of the board, the first and then differences; 17 tags of genres
Point  a number of a cell or a corner: rows of `columns + 4`, two of them before the first cell; then all corners
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

from pyasp_puzzles.errors import InstanceError, listing, shown
from pyasp_puzzles.formats.json import parse
from pyasp_puzzles.formats.numbers import (
    Can,
    NumberBoard,
    check_size,
    is_latin,
    is_usual,
    neighbors,
    number_format,
    regions_of,
    usual_boxes,
)
from pyasp_puzzles.puzzles.key_kinds import USUAL_BOXES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pyasp_puzzles.boards.grid import Cell

LARGEST = 2**20
"""Bytes of a drawing when it is inflated; the largest that we have seen has 60 000."""
SHORT = {
    "z9": '"qa"', "zQ": '"pu_q"', "zA": '"pu_a"', "zG": '"grid"', "zM": '"edit_mode"', "zS": '"surface"',
    "zL": '"line"', "zE": '"lineE"', "zW": '"wall"', "zC": '"cage"', "zN": '"number"', "z1": '"numberS"',
    "zY": '"symbol"', "zP": '"special"', "zB": '"board"', "zR": '"command_redo"', "zU": '"command_undo"',
    "z8": '"command_replay"', "zF": '"freeline"', "z2": '"freelineE"', "zT": '"thermo"', "z3": '"arrows"',
    "zD": '"direction"', "z0": '"squareframe"', "z5": '"polygon"', "z4": '"deletelineE"', "z6": '"killercages"',
    "z7": '"nobulbthermo"', "z_": '"__a"', "zO": "null",
}  # fmt: skip
GRIDS = ("square", "sudoku", "kakuro")
SUDOKU_TAGS = ("classic", "irregular", "latin", "nonconsecutive")
RULES = {"thermo": "thermometers", "nobulbthermo": "thermometers", "arrows": "arrows", "killercages": "killer cages"}
"""What is drawn that has rules which pyasp does not read here."""
DRAWN = {
    "surface": "shading", "symbol": "symbols", "line": "lines", "freeline": "lines", "freelineE": "lines",
    "wall": "walls", "cage": "cages", "direction": "arrows", "squareframe": "frames", "polygon": "shapes",
    "numberS": "small numbers",
}  # fmt: skip
THIN = (12, 13, 80)
"""Styles of edges that are dashed or thin."""
BLACK = 4
NORMAL = ("1", "5", "6", "8", "10", "11")
"""Styles of numbers that are given; others are candidates, arrows and the like."""
CANDIDATES = "7"
GREEN = 2
"""The style of a solver's numbers."""
_PARAMETERS = re.compile(
    r"(?:https?://[^\s#?]*)?[#?]?(?P<words>(?:[a-z]+=[^\s&]*&)*m=(?:edit|solve)(?:&[a-z]+=[^\s&]*)*)"
)


def recognise(text: str) -> bool:
    """Tell whether a text is an address of Penpa+, or what follows the # in one."""
    words = text.strip()[:200_000]
    return _PARAMETERS.fullmatch(words) is not None and "p=" in words


class Points(NamedTuple):
    """The numbers of cells and corners in a drawing of so many columns and rows, margins included."""

    columns: int
    rows: int
    top: int = 0
    left: int = 0
    """Rows and columns before the first of the board."""

    def cell(self, r: int, c: int, kind: int = 0) -> int:
        """Return the number of a cell, or with kind 1 that of its lower right corner."""
        wide = self.columns + 4
        return kind * wide * (self.rows + 4) + (r + self.top + 1) * wide + c + self.left + 1

    def place(self, number: int) -> tuple[int, int, int]:
        """Return the kind, the row and the column of a number."""
        wide = self.columns + 4
        kind, rest = divmod(number, wide * (self.rows + 4))
        return kind, rest // wide - 1 - self.top, rest % wide - 1 - self.left


# -- Reading -------------------------------------------------------------------------------------


def read(text: str) -> NumberBoard:
    """Return the board of an address."""
    match = _PARAMETERS.fullmatch(text.strip())
    parameters = dict(pair.split("=", 1) for pair in match["words"].split("&")) if match else {}
    lines = _inflated(parameters["p"]).split("\n")
    head = lines[0].split(",")
    if head[0] not in GRIDS:
        raise InstanceError(f"a Penpa drawing on a {shown(head[0])} grid, expected squares")
    wide, high = int(head[1]), int(head[2])
    check_size(high, wide)
    top, bottom, left, right = (int(side) for side in parse(lines[1]))
    rows, columns = high - top - bottom, wide - left - right
    check_size(rows, columns)
    points = Points(wide, high, top, left)
    problem, solved = _expanded(lines[3]), _expanded(lines[4]) if len(lines) > 4 else {}
    tags = [str(tag).lower() for tag in parse(lines[17])] if len(lines) > 17 and lines[17].startswith("[") else []
    cells = _cells(lines[5] if len(lines) > 5 else "", points, rows, columns)
    board = _board(head, tags, cells, points, problem, solved)
    if "a" in parameters and not board.solution:
        board = board._replace(
            warnings=(*board.warnings, "left out: the packed solution that Penpa+ checks answers with")
        )
    return board


def _inflated(packed: str) -> str:
    """Return the text of a drawing.

    Raises:
        InstanceError: it is damaged, or too large.
    """
    words = unquote(packed).replace("-", "+").replace("_", "/").replace(" ", "+")
    stream = zlib.decompressobj(-15)
    try:
        data = stream.decompress(base64.b64decode(words + "=" * (-len(words) % 4), validate=True), LARGEST)
        text = data.decode()
    except (zlib.error, binascii.Error, UnicodeDecodeError):
        raise InstanceError("the drawing in this address is damaged, expected the whole address") from None
    if stream.unconsumed_tail or not stream.eof:
        problem = "too large" if stream.unconsumed_tail else "cut off"
        raise InstanceError(f"the drawing in this address is {problem}, expected one of Penpa+")
    return text


def _expanded(line: str) -> dict[str, Any]:
    """Return a line of short JSON."""
    text = re.sub("|".join(SHORT), lambda match: SHORT[match[0]], line)
    found = parse(text)
    if not isinstance(found, dict):
        raise TypeError
    return found


def _cells(line: str, points: Points, rows: int, columns: int) -> list[Cell]:
    """Return the cells of the board."""
    every = [(r, c) for r in range(1, rows + 1) for c in range(1, columns + 1)]
    numbers = parse(line) if line.startswith("[") else []
    listed = {points.place(number)[1:] for number in accumulate(map(int, numbers))}
    return [cell for cell in every if cell in listed] or every


def _board(  # noqa: PLR0917 (the parts of a drawing)
    head: list[str],
    tags: list[str],
    cells: list[Cell],
    points: Points,
    problem: Mapping[str, Any],
    solved: Mapping[str, Any],
) -> NumberBoard:
    ruled = [words for key, words in RULES.items() if problem.get(key)]
    if ruled:
        raise InstanceError(f"{listing(dict.fromkeys(ruled), 'and')}, which pyasp does not read in Penpa+")
    suguru = any(tag.startswith(("suguru", "tectonic")) for tag in tags)
    others = [tag for tag in tags if tag not in SUDOKU_TAGS and not tag.startswith(("suguru", "tectonic"))]
    if others:
        raise InstanceError(f"this is a Penpa {listing(others, 'and')}; pyasp knows Sudoku and Suguru there")
    drawn = {key: words for key, words in DRAWN.items() if problem.get(key)}
    black = {points.place(int(key))[1:] for key, style in problem.get("surface", {}).items() if style == BLACK}
    givens, left_out = _numbers(problem.get("number", {}), points)
    walls = _walls(problem.get("lineE", {}), points)
    holes = black - givens.keys() if head[0] == "square" and not _is_sudoku(cells, walls, head, tags) else set()
    if holes and len(holes) == len(problem.get("surface", {})):
        drawn.pop("surface")
    kept = [cell for cell in cells if cell not in holes]
    regions, undrawn = _regions(kept, walls, is_sudoku=not suguru and _is_sudoku(kept, walls, head, tags))
    puzzle = "tectonic" if suguru or not is_latin(regions) else "sudoku"
    left_out += [*drawn.values(), *(["regions, as none are drawn: these are the usual boxes"] if undrawn else [])]
    outside = [cell for cell in givens if cell not in regions]
    if outside:
        left_out.append("numbers outside the board")
    givens = {cell: value for cell, value in givens.items() if cell in regions}
    solution, entered = _solution(solved, points, regions, givens)
    left_out += ["the numbers so far"] if entered else []
    first = min(r for r, _ in regions) - 1, min(c for _, c in regions) - 1

    def moved(values: Mapping[Cell, Any]) -> dict[Cell, Any]:
        return {(r - first[0], c - first[1]): value for (r, c), value in values.items()}

    warnings = (f"left out: {listing(dict.fromkeys(left_out), 'and')}",) if left_out else ()
    variants = ("non-consecutive",) if "nonconsecutive" in tags else ()
    return NumberBoard(
        puzzle, moved(givens), moved(regions), _details(head), moved(solution), variants, warnings=warnings
    )


def _is_sudoku(cells: list[Cell], walls: set[tuple[Cell, Cell]], head: list[str], tags: list[str]) -> bool:
    """Tell whether a drawing is a Sudoku: it says so, or it has n regions of n cells, or usual size and no regions."""
    if head[0] == "sudoku" or any(tag in SUDOKU_TAGS for tag in tags):
        return True
    return is_latin(regions_of(cells, walls))


def _regions(cells: list[Cell], walls: set[tuple[Cell, Cell]], *, is_sudoku: bool) -> tuple[dict[Cell, str], bool]:
    """Return the regions, and whether none are drawn, so that they are the usual boxes."""
    found = regions_of(cells, walls)
    if is_latin(found) or (not is_sudoku and len(set(found.values())) > 1):
        return found, False
    side = max(r for r, _ in cells)
    if len(set(found.values())) == 1 and side in USUAL_BOXES and len(cells) == side * side:
        return usual_boxes(side), True
    if is_sudoku:
        raise InstanceError(f"regions that are not {side} of {side} cells, expected those of a Sudoku")
    if len(found) > 9:
        raise InstanceError("no regions are drawn, expected thick edges around them")
    return found, False


def _numbers(found: Mapping[str, Any], points: Points) -> tuple[dict[Cell, int], list[str]]:
    """Return the numbers of cells, and what else there is."""
    givens: dict[Cell, int] = {}
    left_out = []
    for key, content in found.items():
        kind, r, c = points.place(int(key))
        value, *style = content
        name = str(style[1]) if len(style) > 1 else "1"
        if name == CANDIDATES:
            left_out.append("candidates")
        elif kind != 0 or name not in NORMAL or not re.fullmatch(r"[0-9]{1,4}", str(value).strip()):
            if str(value).strip():
                left_out.append("texts that are no numbers in cells")
        else:
            givens[r, c] = int(value)
    return givens, left_out


def _walls(edges: Mapping[str, Any], points: Points) -> set[tuple[Cell, Cell]]:
    """Return the walls that edges between two corners make."""
    walls: set[tuple[Cell, Cell]] = set()
    for key, style in edges.items():
        if "," not in key or style in THIN:
            continue
        (kind, r, c), (other, row, column) = sorted(points.place(int(one)) for one in key.split(","))
        if kind != 1 or other != 1:
            continue
        if r == row and column - c == 1:
            walls.add(((r, column), (r + 1, column)))
        elif c == column and row - r == 1:
            walls.add(((row, c), (row, c + 1)))
    return walls


def _solution(
    solved: Mapping[str, Any], points: Points, regions: Mapping[Cell, str], givens: Mapping[Cell, int]
) -> tuple[dict[Cell, int], bool]:
    """Return the solution, if the drawing of it has a number in each cell, and whether it has only some."""
    found, _ = _numbers(solved.get("number", {}), points)
    found = {cell: value for cell, value in found.items() if cell in regions and cell not in givens}
    whole = {**found, **givens} if found and len(found) + len(givens) == len(regions) else {}
    return whole, bool(found) and not whole


def _details(head: Iterable[str]) -> dict[str, str]:
    names = {"Title: ": "title", "Author: ": "author"}
    found = {key: part.removeprefix(name) for part in head for name, key in names.items() if part.startswith(name)}
    return {key: words.replace("%2C", ",").strip() for key, words in found.items() if words.strip()}


# -- Writing ---------------------------------------------------------------------------------------


def write(board: NumberBoard) -> str:
    """Return the address of a board; numbers of a solution are those of a solver."""
    rows, columns = board.size
    points = Points(columns, rows)
    edges: dict[str, int] = {}
    beside, above = neighbors(rows, columns)
    region = board.regions.get
    for (r, c), other in beside:
        if region((r, c)) != region(other):
            edges[f"{points.cell(r - 1, c, 1)},{points.cell(r, c, 1)}"] = 2
    for (r, c), other in above:
        if region((r, c)) != region(other):
            edges[f"{points.cell(r, c - 1, 1)},{points.cell(r, c, 1)}"] = 2
    numbers = {str(points.cell(*cell)): [str(value), 1, "1"] for cell, value in sorted(board.givens.items())}
    entered = {
        str(points.cell(*cell)): [str(value), GREEN, "1"]
        for cell, value in sorted(board.solution.items())
        if cell not in board.givens
    }
    places = [points.cell(*cell) for cell in board.places() if cell in board.regions]
    cells = [places[0], *(after - before for before, after in pairwise(places))]
    tags = (
        ["suguru (capsules)"] if board.puzzle == "tectonic" else ["classic" if is_usual(board.regions) else "irregular"]
    )
    tags += ["nonconsecutive"] * ("non-consecutive" in board.variants)
    mode = _mode()
    lines = [
        _head(board, points), "[0,0,0,0]", mode, _dumped(_layer() | {"number": numbers, "lineE": edges}),
        _dumped(_layer() | {"number": entered}), _dumped(cells), _dumped(["Number Normal"]), "{}", '"x"', '"x"',
        "[3,2,4]", mode, '"x"', "0", _dumped(_layer()), _dumped(_layer()), "{}", _dumped(tags), "",
    ]  # fmt: skip
    long = {word: short for short, word in SHORT.items()}
    pattern = "|".join(map(re.escape, sorted(long, key=len, reverse=True)))
    text = "\n".join([lines[0], *(re.sub(pattern, lambda match: long[match[0]], line) for line in lines[1:])])
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = base64.b64encode(packer.compress(text.encode()) + packer.flush()).decode()
    return f"https://swaroopg92.github.io/penpa-edit/#m=edit&p={packed}"


def _head(board: NumberBoard, points: Points) -> str:
    rows, columns = board.size
    size = 38
    even = rows % 2 == 0 and columns % 2 == 0
    middle = points.cell(rows // 2, columns // 2, 1) if even else points.cell((rows + 1) // 2, (columns + 1) // 2)
    title, author = (board.details.get(key, "").replace(",", "%2C") for key in ("title", "author"))
    numbers = [columns, rows, size, 0, 1, 1, (columns + 1) * size, (rows + 1) * size, middle, middle, 0, 0, 0, 0]
    return f"square,{','.join(map(str, numbers))},Title: {title},Author: {author},,,OFF,false"


def _layer() -> dict[str, Any]:
    """Return a drawing without anything in it."""
    commands: dict[str, Any] = {key: {"__a": []} for key in ("command_redo", "command_undo", "command_replay")}
    groups = ("surface", "number", "numberS", "symbol", "freeline", "freelineE")
    lists = ("thermo", "arrows", "direction", "squareframe", "polygon")
    return {
        **commands, **{key: {} for key in groups}, **{key: [] for key in lists}, "line": {}, "lineE": {}, "wall": {},
        "cage": {}, "deletelineE": {}, "killercages": [], "nobulbthermo": [],
    }  # fmt: skip


def _mode() -> str:
    """Return the tools that Penpa+ shows first: numbers of a solver."""
    tools = {
        "surface": ["", 1], "line": ["1", 2], "lineE": ["1", 2], "wall": ["", 2], "cage": ["1", 10], "number": ["1", 2],
        "symbol": ["circle_L", 1], "special": ["thermo", ""], "board": ["", ""], "move": ["1", ""],
        "combi": ["battleship", ""], "sudoku": ["1", 9],
    }  # fmt: skip
    layers = {"pu_q": {"edit_mode": "lineE", **tools}, "pu_a": {"edit_mode": "number", **tools}}
    return _dumped({"qa": "pu_a", "grid": ["1", "2", "1"], **layers})


def _dumped(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


FORMAT = number_format(
    "penpa",
    "addresses of Penpa+: Sudoku, also jigsaws, and Suguru, by their thick edges",
    recognise=recognise,
    read=read,
    write=write,
    can=Can(
        puzzles=("sudoku", "tectonic"),
        jigsaw=True,
        scattered=False,
        variants=("non-consecutive",),
        details=("title", "author"),
    ),
    line=True,
    answers=True,
)
