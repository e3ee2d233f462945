"""Penpa+: addresses with a drawing in them; thick edges make the regions of a Sudoku or of a Suguru.

    https://swaroopg92.github.io/penpa-edit/#m=edit&p=7VXPb9pM...

After `p=` comes base 64 of a raw deflate stream of lines. Usual words of their JSON are shortened: "number" is zN.
After `a=` comes, packed alike, the answer that Penpa+ checks: six lists. The fifth has the numbers that are not given,
"28,5", sorted as text.

Line   0 kind of grid, sizes, turns, title, author, source, rules; 1 margins; 2 and 11 tools; 3 the drawing of the
       problem; 4 that of the solution, empty with `m=solve`; 5 the cells of the board, the first and then differences;
       7 which parts of the answer are checked; 10 the version; 13 whether there are colors, which are in 14;
       17 tags of genres

`penpa_drawing` has how rules and the rest are drawn, and what points are.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from contextlib import suppress
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

from pyasp_puzzles.boards import regions
from pyasp_puzzles.boards.grid import Cell, all_cells, check_grid_size, grid_extent
from pyasp_puzzles.errors import InstanceError, listing, shown
from pyasp_puzzles.formats.codings import FormatTable, body_of_draft, draft_of_body, entries, find_entry
from pyasp_puzzles.formats.exchange import Can, Draft, draft_format, joined_variants, main_keys, regions_of_sudoku
from pyasp_puzzles.formats.format import COPY_WHOLE, WRONG, Text
from pyasp_puzzles.formats.json import compact_json, json_integer, parse_json
from pyasp_puzzles.formats.penpa_drawing import (
    PARTS,
    UPRIGHT,
    Points,
    Sheet,
    Sketch,
    check_tags,
    checked_answer,
    draw_parts,
    draw_variants,
    drawn_tags,
    given_of,
    has_outside,
    margins_of,
    read_answer,
    read_parts,
    rule_of,
    tags_of,
    told_keys,
    walls_of_edges,
)
from pyasp_puzzles.puzzles.declaration import find_puzzle, shipped_variants, variants_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

# Bytes of a drawing when it is inflated, of which the largest that we have seen has 60 000; and its rows or columns.
_LARGEST_DRAWING, _LONGEST_SIDE_OF_DRAWING = 2**20, 100

SHORT = {
    "z9": '"qa"', "zQ": '"pu_q"', "zA": '"pu_a"', "zG": '"grid"', "zM": '"edit_mode"', "zS": '"surface"',
    "zL": '"line"', "zE": '"lineE"', "zW": '"wall"', "zC": '"cage"', "zN": '"number"', "z1": '"numberS"',
    "zY": '"symbol"', "zP": '"special"', "zB": '"board"', "zR": '"command_redo"', "zU": '"command_undo"',
    "z8": '"command_replay"', "zF": '"freeline"', "z2": '"freelineE"', "zT": '"thermo"', "z3": '"arrows"',
    "zD": '"direction"', "z0": '"squareframe"', "z5": '"polygon"', "z4": '"deletelineE"', "z6": '"killercages"',
    "z7": '"nobulbthermo"', "z_": '"__a"', "zO": "null", "zZ": "z",
}  # fmt: skip
_NAME = "penpa"
_KNOWN = "pyasp knows no puzzle of that tag"
# What an address has that is not read.
_ANSWER = "the packed answer that Penpa+ checks"
# The tags that Penpa+ gives a drawing without any by the first words of its title, "Consecutive Pairs Sudoku".
_TITLES = {
    "consecutive pairs": "consecutivepairs", "consecutive": "consecutive", "nonconsecutive": "nonconsecutive",
    "arrow": "classic", "even": "classic", "killer": "classic", "thermo": "classic", "": "classic",
}  # fmt: skip
_TITLE = re.compile(rf"(?:Title: )?(?:({'|'.join(_TITLES)})\W+(?:\w+\W+)?)?sudoku\b", re.IGNORECASE)
_SUGURU_TITLE = re.compile(r"\b(?:suguru|tectonics?|number ?blocks)\b", re.IGNORECASE)
# How marks are written in the first line.
_MARKS = {"%2C": ",", "%2D": "\n", "%2E": "&", "%2F": "="}
_DETAILS = ("title", "author", "source")
_READ = "regions, numbers, diagonals, thermometers, arrows, killer cages and what a tag names"
_PARAMETERS = re.compile(
    r"(?:(?:https?://)?[\w.-]+(?::\d+)?/[^\s#?]*)?[#?]?(?P<words>(?:[a-z]+=[^\s&]*&)*m=(?:edit|solve)(?:&[a-z]+=[^\s&]*)*)"
)


def _recognise(text: str) -> bool:
    """Return whether a text is an address of Penpa+, or what follows the # in one."""
    content = text.strip()[:200_000]
    return _PARAMETERS.fullmatch(content) is not None and "p=" in content


class _Page(NamedTuple):
    """What an address holds, as it is shown; the answer that Penpa+ checks is packed."""

    head: list[str]
    lines: list[str]
    tags: list[str]
    cells: list[Cell]
    points: Points
    problem: dict[str, Any]
    answer: str


# -- Reading -------------------------------------------------------------------------------------


def _read(text: Text) -> Draft:
    """Return the board of an address."""
    page = _page(text.text)
    name, table = _table(page, text)
    has_variants, nameless = "variants" in table.table, None if name or text.puzzle else _of_no_puzzle(page)
    if not has_variants and page.points.turn != UPRIGHT:
        raise InstanceError("this Penpa+ drawing is turned or mirrored: turn it back and share it again")
    sketch = _sketch(page, table)
    read_parts(table, sketch)
    details = _details(page.head, table)
    rules = details.pop("rules")
    if not has_variants:
        _refuse(sketch.unread(), f" in {table.puzzle.name}: remove them if they are none")
        sketch.values |= table.names[name]
        draft = draft_of_body(sketch, text, details)
    else:
        draft = _draft_with_variants(page, sketch, rules, text)._replace(details=details)
        if nameless and not (draft.givens or draft.keys or draft.variants):  # other puzzles have regions, too
            raise nameless
    answer, lost = _answer(page, sketch, draft)
    return draft._replace(answer=answer, lost=(*sketch.lost, *lost), rules=rules)


def _page(text: str) -> _Page:
    match = _PARAMETERS.fullmatch(text.strip())
    parameters = dict(pair.split("=", 1) for pair in match["words"].split("&")) if match else {}
    if parameters["p"].startswith("http"):
        raise InstanceError("Penpa+ would import another address from this one: give pyasp that other address")
    text = re.sub("|".join(SHORT), lambda short: SHORT[short[0]], _inflated(parameters["p"]))
    lines = text.split("\n") + [""] * 18
    head = lines[0].split(",") + [""] * 20
    if head[0].isdigit():
        raise InstanceError("this is a drawing of the first Penpa: open it in Penpa+ and share it again")
    if head[0] not in {"square", "sudoku", "kakuro"}:
        raise InstanceError(f"this Penpa+ drawing has a {shown(head[0])} grid; pyasp reads square grids")
    points = Points(int(head[1]), int(head[2]), turn=_turn(head))
    check_grid_size(points.rows, points.columns)
    tags = [str(tag).lower() for tag in parse_json(lines[17])] if lines[17].startswith("[") else []
    if not tags and (title := _TITLE.match(head[15])):
        tags = [_TITLES[(title[1] or "").lower()]]
    points, cells = _from_first(points, _cells(lines[5], points) or _within_margins(lines[1], points))
    return _Page(head, lines, tags, cells, points, dict(parse_json(lines[3])), parameters.get("a", ""))


def _from_first(points: Points, cells: Sequence[Cell]) -> tuple[Points, list[Cell]]:
    """Return points and cells counted from the first row and the first column that have any."""
    top, left = min(r for r, _ in cells) - 1, min(c for _, c in cells) - 1
    return points._replace(top=points.top + top, left=points.left + left), [(r - top, c - left) for r, c in cells]


def _turn(head: list[str]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return how a drawing is turned and perhaps mirrored, see `Points`."""
    down, right = UPRIGHT
    for _ in range(int(head[4] or 0) // 90 % 4):
        down, right = right, (-down[0], -down[1])
    signs = (-1 if head[6] == "-1" else 1), (-1 if head[5] == "-1" else 1)
    return (signs[0] * down[0], signs[0] * down[1]), (signs[1] * right[0], signs[1] * right[1])


def _table(page: _Page, text: Text) -> tuple[str, FormatTable]:
    """Return what names the puzzle of a drawing, the user, a tag or its title, and its declaration.

    If nothing names it, its regions tell whether it is a Sudoku.

    Raises:
        InstanceError: a tag is unknown, or nothing says which puzzle it is.
    """
    sudoku, tectonic = (FormatTable(one, one.formats[_NAME]) for one in map(find_puzzle, ("sudoku", "tectonic")))
    tags, wanted = page.tags, find_puzzle(text.puzzle, text.where, text.puzzles) if text.puzzle else None
    of_sudoku = {*sudoku.names, "latin", *tags_of(shipped_variants(), genres=False)}
    genres = [
        tag
        for tag in ([] if of_sudoku & {*tags} else tags)
        if any(tag in one.names and "variants" not in one.table for one in entries(_NAME, text.puzzles, tag))
    ]
    table = wanted.formats.get(_NAME, {}) if wanted else {}
    for name in (*genres, *([] if "variants" in table else table.get("names", []))):
        return name, find_entry(_NAME, "a Penpa+", name, text)
    suguru = [tag for tag in tags if tag.startswith(("suguru", "tectonic"))]
    boxed = tags_of(shipped_variants()) if {*sudoku.names} & {*tags} else ()
    if unknown := [tag for tag in tags if tag not in {*of_sudoku, "puzzlehunt", "noconflict", *suguru, *boxed}]:
        names = listing((shown(tag, 30) for tag in unknown[:3]), "and")
        raise InstanceError(f"the tags of this Penpa+ drawing say {names}; {_KNOWN}")
    if wanted and wanted.ships and wanted.name in {"sudoku", "strimko", "tectonic"}:
        return wanted.name, tectonic if wanted.name == "tectonic" else sudoku
    if of_sudoku & {*tags} and not suguru:
        return "sudoku", sudoku
    if suguru or _SUGURU_TITLE.search(page.head[15]):
        return "tectonic", tectonic
    latin = regions.are_latin(_regions(page)) and len(page.cells) > 1
    if not (latin or page.head[0] == "sudoku" or text.puzzle):
        raise _of_no_puzzle(page)
    return "", sudoku if latin or page.head[0] == "sudoku" else tectonic


def _regions(page: _Page) -> regions.Regions:
    """Return what thick edges divide a drawing into."""
    return regions.of_walls(page.cells, walls_of_edges(page.problem.get("lineE", {}), page.points)[0])


def _sketch(page: _Page, table: FormatTable) -> Sketch:
    """Return the drawing of a board; outer rows without cells are only space, unless holes are drawn."""
    holes = any(part.coding == "holes" for part in table.parts)
    within = _within_margins(page.lines[1], page.points) if holes else []
    points, places = _from_first(page.points, [*page.cells, *within])
    sketch = Sketch(table.puzzle, grid_extent(places), points, page.problem)
    sketch.holes = {*sketch.places}.difference(places[: len(page.cells)])
    sketch.colors = parse_json(page.lines[14]) if page.lines[14].startswith("{") else {}
    return sketch


def _draft_with_variants(page: _Page, sketch: Sketch, rules: str, text: Text) -> Draft:
    """Return the Sudoku or the Tectonic of a drawing, whose other parts are clues of variants, or decoration.

    What sentences of ours tell is read as we draw it; the rest is drawn with tools, or named by tags.

    Raises:
        InstanceError: something else is drawn, or the regions are not those of a Sudoku.
    """
    known = variants_in(text.puzzles)
    region_key, givens = (key.name for key in main_keys(sketch.puzzle) if key)
    region_of, side, tags = sketch.regions(region_key), sketch.rows, page.tags
    if not sketch.puzzle.square:
        tags = []
    elif len({*region_of.values()}) == 1 and side in regions.USUAL and len(region_of) == side * side:
        if "latin" in tags and not {*sketch.puzzle.formats[_NAME]["names"]} & {*tags}:
            raise InstanceError(f"the tags of this Penpa+ drawing say latin, a square without regions; {_KNOWN}")
        region_of = regions.usual(side)
        sketch.lost.insert(0, "regions, as none are drawn: these are the usual boxes")
    else:
        region_of = regions_of_sudoku(region_of, side)
    told = told_keys(known.values(), rules) if page.points.turn == UPRIGHT else []
    keys = sketch.keys_of_variants(known, tags, told, rules)
    variants = [one.name for one in known.values() if not one.keys and {*rule_of(one).get("tags", ())} & {*tags}]
    variants += sketch.areas_of_variants(region_of, known, rules)
    say = f"; its rules say: {shown(rules, 200)}" if rules else ""
    _refuse(sketch.unread(known), f"; it reads {_READ}: remove the rest if it is no rule{say}")
    check_tags(known, tags, keys)
    return Draft(
        {cell: int(value) for cell, value in sketch.grid(givens).items()},
        regions.numbered(region_of),
        variants=joined_variants(variants, known),
        keys=keys,
        puzzle=sketch.puzzle.name,
    )


def _refuse(unread: Iterable[str], what_to_do: str) -> None:
    if unread:
        names = listing(dict.fromkeys(unread), "and")
        message = f"this Penpa+ drawing has {names}, which may be rules that pyasp cannot read"
        raise InstanceError(f"{message}{what_to_do}")


def _answer(page: _Page, sketch: Sketch, draft: Draft) -> tuple[str, list[str]]:
    """Return the answer of a drawing as text, and what is left out: the one that is checked, or a whole one so far."""
    texts = [""]
    with suppress(InstanceError, *WRONG):  # it may be no answer of this kind
        if page.head[20] != "true":
            texts[0] = read_answer(parse_json(_inflated(page.answer)), sketch)
    if not draft.regions:
        return texts[0], [_ANSWER] * bool(page.answer and not texts[0])
    with suppress(*WRONG):
        numbers = {point: given_of(content) for point, content in parse_json(page.lines[4])["number"].items()}
        texts.append(read_answer([*[[]] * 4, [f"{point},{value}" for point, value in numbers.items()], []], sketch))
    filled = {text: sum(map(str.isdigit, text.split())) for text in texts}
    whole = [text for text, count in filled.items() if count == len(draft.regions) > len(draft.givens)]
    so_far = any(len(draft.givens) < count < len(draft.regions) for count in filled.values())
    lost = ["the numbers so far"] * so_far + [_ANSWER] * bool(page.answer and not whole)
    return next(iter(whole), ""), lost


def _inflated(packed: str) -> str:
    encoded = unquote(packed).translate(str.maketrans("-_ ", "+/+"))
    stream = zlib.decompressobj(-15)
    try:
        data = stream.decompress(base64.b64decode(encoded + "=" * (-len(encoded) % 4), validate=True), _LARGEST_DRAWING)
        text = data.decode()
    except (zlib.error, binascii.Error, UnicodeDecodeError):
        raise InstanceError(f"the link is cut or damaged: {COPY_WHOLE}") from None
    if stream.unconsumed_tail or not stream.eof:
        raise InstanceError("the drawing is too large" if stream.unconsumed_tail else f"the link is cut: {COPY_WHOLE}")
    return text


def _cells(line: str, points: Points) -> list[Cell]:
    """Return the cells that a drawing lists, from its upper left corner on."""
    numbers = parse_json(line) if line.startswith("[") and not line.startswith("[null") else []
    listed = [points.place(number) for number in accumulate(map(json_integer, numbers))]
    return sorted({(r, c) for kind, r, c in listed if kind == 0})


def _within_margins(line: str, points: Points) -> list[Cell]:
    """Return the cells of a drawing that are no space: its margins are above, below, left and right of the board."""
    margins = top, bottom, left, right = [*map(json_integer, parse_json(line))]
    if min(margins) < 0 or top + bottom >= points.rows or left + right >= points.columns:
        raise InstanceError("the margins of this Penpa+ drawing leave no board, or are negative")
    drawn = Points(points.columns, points.rows)
    cells = all_cells(points.rows - top - bottom, points.columns - left - right)
    return [points.place(drawn.cell(r + top, c + left))[1:] for r, c in cells]


def _of_no_puzzle(page: _Page) -> InstanceError:
    count = len({*_regions(page).values()})
    names = [name for part, name in PARTS.items() if any(page.problem.get(part) or ()) and part != "lineE"]
    drawn = listing(dict.fromkeys([f"{count} regions"] * (count > 1) + names) or ["empty cells"], "and")
    return InstanceError(
        f"this Penpa+ drawing does not say which puzzle it is: no tag and no title does, and it has {drawn}; if pyasp "
        "knows the puzzle, say which with --as sudoku, --as tectonic or another name"
    )


def _details(head: list[str], table: FormatTable) -> dict[str, str]:
    """Return the title, the author, the source and the rules; the title without the words that say its puzzle."""
    details = dict(zip((*_DETAILS, "rules"), head[15:19], strict=True))
    details |= {key: details[key].removeprefix(f"{key.capitalize()}: ") for key in ("title", "author")}
    for code, mark in _MARKS.items():
        details = {key: value.replace(code, mark) for key, value in details.items()}
    if title := table.table.get("title"):
        details["title"] = "" if details["title"] == title else details["title"].removesuffix(f" ({title})")
    return details


# -- Writing ---------------------------------------------------------------------------------------


def _write(draft: Draft) -> str:
    """Return the address of a board; one with a solution is for solvers, whose answer Penpa+ checks."""
    assert draft.instance
    body, solution = body_of_draft(draft), draft.instance.solution
    table = FormatTable(body.puzzle, body.puzzle.formats[_NAME])
    margins = [1] * 4 if any(map(has_outside, draft.layers.values())) else margins_of(table, body)
    sketch = draw_parts(table, body, _points((body.rows, body.columns), margins))
    answer = checked_answer(solution, sketch, table.table.get("answer", "")) if solution else None
    draw_variants(sketch.sheet, draft)
    cells = [cell for cell in body.places if cell not in body.holes]
    details, tags = {**draft.details, "rules": draft.rules}, [table.name_of(body), *drawn_tags(draft)]
    if draft.puzzle == "sudoku" and not regions.are_usual(draft.regions):
        tags[0] = [*table.names][1]
    if called := table.table.get("title"):
        title, tags = details.get("title", ""), []
        if not _SUGURU_TITLE.search(title):
            details["title"] = f"{title} ({called})" if title else called
    return _address(sketch.sheet, cells, margins, details, tags, answer=answer, table=table.table)


def _points(size: tuple[int, int], margins: Sequence[int]) -> Points:
    """Return the points of a drawing of a board with margins above, below, left and right."""
    top, bottom, left, right = margins
    rows, columns = size[0] + top + bottom, size[1] + left + right
    if max(rows, columns) > _LONGEST_SIDE_OF_DRAWING:
        largest = f"{_LONGEST_SIDE_OF_DRAWING}x{_LONGEST_SIDE_OF_DRAWING}"
        raise InstanceError(f"Penpa+ has boards of at most {largest}, and this one is {rows}x{columns}")
    return Points(columns, rows, top, left)


def _address(
    sheet: Sheet,
    board: Sequence[Cell],
    margins: Sequence[int],
    details: Mapping[str, str],
    tags: Sequence[str],
    *,
    answer: tuple[Sequence[Sequence[str]], Mapping[str, bool]] | None,
    table: Mapping[str, Any],
) -> str:
    """Return the address of a drawing, given the cells of its board, the answer that Penpa+ checks, and its look."""
    points, problem = sheet.points, _layer() | sheet.parts
    places = [points.cell(*cell) for cell in board]
    cells = [places[0], *(after - before for before, after in pairwise(places))]
    # How the grid is drawn, the tool that a solver begins with, and what that draws: numbers in green.
    grid, (tool, *drawn_by) = [*table.get("grid", "121")], table.get("tool", ("number", "1", 2))
    mode = _mode(grid, tool, drawn_by)
    is_colored = any(any(of.values() if isinstance(of, dict) else of) for of in sheet.colors.values())
    lines = [
        _head(points, details), compact_json([*margins]), mode, compact_json(problem), compact_json(_layer()),
        compact_json(cells), compact_json(["Number Normal"]), "{}", '"x"', '"x"', "[3,2,4]", mode, '"x"',
        str(int(is_colored)), compact_json(_layer() | sheet.colors), compact_json(_layer()), "{}",
        compact_json([*tags]), "",
    ]  # fmt: skip
    if answer:
        lines[2] = "~".join(map(compact_json, (grid, tool, drawn_by)))
        lines[4], lines[7], lines[15] = "", compact_json(answer[1]), "x"
    long = {word: short for short, word in SHORT.items() if word != "z"}
    pattern = "|".join(map(re.escape, sorted(long, key=len, reverse=True)))
    text = "\n".join([lines[0], *(re.sub(pattern, lambda match: long[match[0]], line) for line in lines[1:])])
    address = f"https://swaroopg92.github.io/penpa-edit/#m={'solve' if answer else 'edit'}&p={_packed(text)}"
    return f"{address}&a={_packed(compact_json(answer[0]))}" if answer else address


def _packed(text: str) -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(packer.compress(text.encode()) + packer.flush()).decode()


def _head(points: Points, details: Mapping[str, str]) -> str:
    """Return the first line: sizes, turns, the point in the middle, title, author, source and rules."""
    size, whole = 38, points._replace(top=0, left=0)
    kind = {(1, 1): 0, (0, 0): 1, (0, 1): 2, (1, 0): 3}[points.rows % 2, points.columns % 2]
    middle = whole.cell((points.rows + 1) // 2, (points.columns + 1) // 2, kind)
    fields = {key: details.get(key, "").replace(",", "%2C") for key in (*_DETAILS, "rules")}
    fields["source"] *= fields["source"].startswith("http")
    for code, mark in _MARKS.items():
        fields["rules"] = fields["rules"].replace(mark, code)
    # Text that looks like a short word would be expanded.
    fields = {key: re.sub("|".join(SHORT), lambda short: f"zZ{short[0][1]}", text) for key, text in fields.items()}
    columns, rows = points.columns, points.rows
    numbers = [columns, rows, size, 0, 1, 1, (columns + 1) * size, (rows + 1) * size, middle, middle, 0, 0, 0, 0]
    texts = [f"Title: {fields['title']}", f"Author: {fields['author']}", fields["source"], fields["rules"]]
    return ",".join(["square", *map(str, numbers), *texts, "OFF", "false"])


def _layer() -> dict[str, Any]:
    commands: dict[str, Any] = {key: {"__a": []} for key in ("command_redo", "command_undo", "command_replay")}
    groups = ("surface", "number", "numberS", "symbol", "freeline", "freelineE")
    lists = ("thermo", "arrows", "direction", "squareframe", "polygon")
    return {
        **commands, **{key: {} for key in groups}, **{key: [] for key in lists}, "line": {}, "lineE": {}, "wall": {},
        "cage": {}, "deletelineE": {}, "killercages": [], "nobulbthermo": [],
    }  # fmt: skip


def _mode(grid: list[str], tool: str, drawn_by: list[object]) -> str:
    """Return how the grid is drawn, and the tools that Penpa+ shows first, among them that of a solver."""
    tools = {
        "surface": ["", 1], "line": ["1", 2], "lineE": ["1", 2], "wall": ["", 2], "cage": ["1", 10], "number": ["1", 2],
        "symbol": ["circle_L", 1], "special": ["thermo", ""], "board": ["", ""], "move": ["1", ""],
        "combi": ["battleship", ""], "sudoku": ["1", 9],
    }  # fmt: skip
    layers = {"pu_q": {"edit_mode": "lineE", **tools}, "pu_a": {"edit_mode": tool, **tools, tool: drawn_by}}
    return compact_json({"qa": "pu_a", "grid": grid, **layers})


FORMAT = draft_format(
    _NAME,
    "addresses of Penpa+: Sudoku, also jigsaws and variants, Tectonic, and genres that have a tag there",
    _recognise,
    _read,
    _write,
    can=Can(puzzles=("sudoku", "tectonic"), says=lambda *_: True),
    web=True,
    line=True,
    answers=True,
)
