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
from pyasp_puzzles.boards.grid import Cell, all_cells, check_grid_size, connected_cells, grid_extent
from pyasp_puzzles.boards.regions import Regions, Walls, windows
from pyasp_puzzles.errors import InstanceError, listing, shown
from pyasp_puzzles.formats.codings import FormatTable, body_of_draft, draft_of_body, entries, find_entry
from pyasp_puzzles.formats.exchange import (
    DIAGONALS,
    Can,
    Draft,
    cage_sum,
    cages_key,
    draft_format,
    joined_variants,
    regions_of_sudoku,
    windows_variant,
)
from pyasp_puzzles.formats.format import COPY_WHOLE, WRONG, Text, refusal
from pyasp_puzzles.formats.json import compact_json, json_integer, parse_json
from pyasp_puzzles.formats.penpa_drawing import (
    CANDIDATES,
    DASHED,
    SHADE,
    Crossing,
    Points,
    RuleReader,
    Sheet,
    Sketch,
    cage_sides,
    candidates_in,
    check_tags,
    checked_answer,
    draw_layer,
    draw_parts,
    draw_rule,
    drawn_tags,
    has_outside,
    is_readable,
    margins_of,
    read_answer,
    read_parts,
    rule_of,
    tags_of,
    told_keys,
    tool_of,
    walls_of_edges,
)
from pyasp_puzzles.model.keys import KeyLayer
from pyasp_puzzles.puzzles import declaration
from pyasp_puzzles.puzzles.declaration import find_puzzle, shipped_variants, variants_in
from pyasp_puzzles.puzzles.keys.lines import key_line_text
from pyasp_puzzles.puzzles.wording import instructions

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pyasp_puzzles.model.puzzle import Variant

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
# Tags of Sudokus with regions; a latin square without one of them has none.
_BOXED_TAGS = {"classic", "irregular"}
# The tags that Penpa+ gives a drawing without any by the first words of its title, "Consecutive Pairs Sudoku".
_TITLES = {
    "consecutive pairs": "consecutivepairs", "consecutive": "consecutive", "nonconsecutive": "nonconsecutive",
    "arrow": "classic", "even": "classic", "killer": "classic", "thermo": "classic", "": "classic",
}  # fmt: skip
_TITLE = re.compile(rf"(?:Title: )?(?:({'|'.join(_TITLES)})\W+(?:\w+\W+)?)?sudoku\b", re.IGNORECASE)
# Penpa+ has no tag for Suguru, and drops a tag that it does not know, so its title says what it is.
_SUGURU = "Tectonic"
_SUGURU_TITLE = re.compile(r"\b(?:suguru|tectonics?|number ?blocks)\b", re.IGNORECASE)
# Parts of a drawing, in words. Those of a Sudoku up to "shapes" may be rules, which pyasp cannot read from a drawing.
_RULES = {
    "line": "lines", "freeline": "lines", "freelineE": "lines", "wall": "walls", "direction": "arrows",
    "squareframe": "frames", "polygon": "shapes",
}  # fmt: skip
_PARTS = _RULES | {
    "number": "numbers", "numberS": "small numbers", "symbol": "symbols", "surface": "shaded cells",
    "thermo": "thermometers", "arrows": "arrows", "cage": "cages",
}  # fmt: skip
# What else may be rules in a drawing of a genre, if it is not read.
_GENRE_PARTS = _PARTS | {"lineE": "edges", "killercages": "cages", "nobulbthermo": "lines"}
# How marks are written in the first line.
_MARKS = {"%2C": ",", "%2D": "\n", "%2E": "&", "%2F": "="}
_BLACK = 4
_DETAILS = ("title", "author", "source")
_PARAMETERS = re.compile(
    r"(?:(?:https?://)?[\w.-]+(?::\d+)?/[^\s#?]*)?[#?]?(?P<words>(?:[a-z]+=[^\s&]*&)*m=(?:edit|solve)(?:&[a-z]+=[^\s&]*)*)"
)


def _recognise(text: str) -> bool:
    """Return whether a text is an address of Penpa+, or what follows the # in one."""
    content = text.strip()[:200_000]
    return _PARAMETERS.fullmatch(content) is not None and "p=" in content


class _Page(NamedTuple):
    """What an address holds; the answer that Penpa+ checks is packed."""

    head: list[str]
    lines: list[str]
    tags: list[str]
    cells: list[Cell]
    points: Points
    answer: str


# -- Reading -------------------------------------------------------------------------------------


def _read(text: Text) -> Draft:
    """Return the board of an address."""
    page, name = _page(text.text), ""
    with suppress(InstanceError, *WRONG):  # a drawing of no genre is one of a Sudoku or the like, which says more
        name = _tag(page, text)
    return _read_genre(page, name, text) if name else _read_board(page, text)


def _read_board(page: _Page, text: Text) -> Draft:
    """Return the Sudoku, Strimko or Tectonic of a drawing."""
    head, lines, tags, cells, points, answer = page
    if not tags and (title := _TITLE.match(head[15])):
        tags = [_TITLES[(title[1] or "").lower()]]
    puzzle = _named(head, tags, text.puzzle)
    first, last = (min(r for r, _ in cells), min(c for _, c in cells)), grid_extent(cells)
    if puzzle == "tectonic":  # its outer rows may be empty; those of a Sudoku are only space
        top, bottom, left, right = _margins(lines[1], points)
        first = min(first[0], top + 1), min(first[1], left + 1)
        last = max(last[0], points.rows - bottom), max(last[1], points.columns - right)
    points = points._replace(top=first[0] - 1, left=first[1] - 1)
    cells = [(r - points.top, c - points.left) for r, c in cells]
    corners = (1, 1), (last[0] - points.top, last[1] - points.left)
    solved = _numbers(parse_json(lines[4]).get("number", {}), points)[0] if lines[4].startswith("{") else {}
    checked: dict[Cell, int] = {}
    with suppress(InstanceError, *WRONG):  # it may be no answer in numbers
        entries = (entry.split(",", 1) for entry in parse_json(_inflated(answer))[4] if head[20] != "true")
        checked = _numbers({number: [value] for number, value in entries}, points)[0]
    page = page._replace(tags=tags, cells=cells, points=points)
    board = _board(page, puzzle, corners, [checked, solved], text)
    return board._replace(lost=(*board.lost, _ANSWER)) if answer and not board.solution else board


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
    points = Points(int(head[1]), int(head[2]))
    check_grid_size(points.rows, points.columns)
    tags = [str(tag).lower() for tag in parse_json(lines[17])] if lines[17].startswith("[") else []
    return _Page(head, lines, tags, _cells(lines[5], lines[1], points), points, parameters.get("a", ""))


def _tag(page: _Page, text: Text) -> str:
    """Return the tag of a genre that the user or a drawing says; empty for a Sudoku and the like."""
    table = find_puzzle(text.puzzle, text.where, text.puzzles).formats.get(_NAME) if text.puzzle else None
    named = () if _sudoku_tags() & {*page.tags} else page.tags
    tags = [tag for tag in named if any(tag in entry.names for entry in entries(_NAME, text.puzzles, tag))]
    return next(iter([*tags, *(table["names"] if table else ())]), "")


def _read_genre(page: _Page, name: str, text: Text) -> Draft:
    """Return the board of a drawing with the tag of a genre."""
    table = find_entry(_NAME, "a Penpa+", name, text)
    if page.head[4] not in {"", "0"} or "-1" in page.head[5:7]:
        raise InstanceError("this Penpa+ drawing is turned or mirrored: turn it back and share it again")
    top, left = min(r for r, _ in page.cells) - 1, min(c for _, c in page.cells) - 1
    cells = [(r - top, c - left) for r, c in page.cells]
    sketch = Sketch(table.puzzle, cells, page.points._replace(top=top, left=left), dict(parse_json(page.lines[3])))
    if unread := [_GENRE_PARTS[layer] for layer in read_parts(table, sketch) if layer in _GENRE_PARTS]:
        raise InstanceError(
            f"this Penpa+ drawing has {listing(dict.fromkeys(unread), 'and')}, which may be rules that pyasp cannot "
            f"read in {table.puzzle.name}: remove them if they are none"
        )
    sketch.values |= table.names[name]
    details = _details(page.head, "")
    rules = details.pop("rules")
    draft = draft_of_body(sketch, text, details)
    solution = read_answer(parse_json(_inflated(page.answer)), sketch) if page.answer else ""
    lost = (_ANSWER,) * bool(page.answer and not solution)
    return draft._replace(answer=solution, lost=lost, rules=rules)


def _sudoku_tags() -> set[str]:
    """Return the tags that are those of a Sudoku alone."""
    return {"classic", "irregular", "latin", *tags_of(shipped_variants(), genres=False)}


def _named(head: list[str], tags: list[str], wanted: str | None) -> str:
    """Return the puzzle that the user, a tag or the title names; empty if none does."""
    suguru = [tag for tag in tags if tag.startswith(("suguru", "tectonic"))]
    boxed = tags_of(shipped_variants()) if _BOXED_TAGS & {*tags} else ()
    allowed = {*_sudoku_tags(), "puzzlehunt", "noconflict", *suguru, *boxed}
    if unknown := [tag for tag in tags if tag not in allowed]:
        names = listing((shown(tag, 30) for tag in unknown[:3]), "and")
        raise InstanceError(f"the tags of this Penpa+ drawing say {names}; {_KNOWN}")
    asked = declaration.shipped_name(wanted) if wanted else None
    if asked in {"sudoku", "strimko", "tectonic"}:
        return "tectonic" if asked == "tectonic" else "sudoku"
    if _sudoku_tags() & {*tags} and not suguru:
        return "sudoku"
    return "tectonic" if suguru or _SUGURU_TITLE.search(head[15]) else ""


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


def _cells(line: str, margins: str, points: Points) -> list[Cell]:
    """Return the cells of the board in the drawing: the listed ones, or all between the margins."""
    numbers = parse_json(line) if line.startswith("[") and not line.startswith("[null") else []
    listed = [points.place(number) for number in accumulate(map(json_integer, numbers))]
    if cells := sorted({(r, c) for kind, r, c in listed if kind == 0}):
        return cells
    top, bottom, left, right = _margins(margins, points)
    rows, columns = points.rows - top - bottom, points.columns - left - right
    return [(r + top, c + left) for r, c in all_cells(rows, columns)]


def _margins(line: str, points: Points) -> list[int]:
    """Return how many rows and columns of a drawing are space: above, below, left and right of the board."""
    margins = [*map(json_integer, parse_json(line))]
    if min(margins) < 0 or sum(margins[:2]) >= points.rows or sum(margins[2:]) >= points.columns:
        raise InstanceError("the margins of this Penpa+ drawing leave no board, or are negative")
    return margins


class _Outline(NamedTuple):
    """What the edges of a drawing make."""

    puzzle: str
    regions: Regions
    usual: bool
    """Whether no regions are drawn, so that they are the usual boxes."""
    walls: Walls
    crossed: set[Crossing]
    """The diagonals of cells that are drawn."""
    marked: bool
    """Whether anything else is drawn with edges."""


def _outline(page: _Page, named: str, problem: Mapping[str, Any], text: Text) -> _Outline:
    """Return the regions of a drawing, and its puzzle, which they tell if nothing names it.

    Raises:
        InstanceError: nothing says which puzzle it is, or its regions are not those of a Sudoku.
    """
    tags, cells, points = page.tags, page.cells, page.points
    walls, crossed, marked = walls_of_edges(problem.get("lineE", {}), points)
    latin = regions.are_latin(regions.of_walls(cells, walls)) and len(cells) > 1
    puzzle = named or ("sudoku" if latin or page.head[0] == "sudoku" else "")
    if not puzzle and not text.puzzle:
        raise _of_no_puzzle(cells, problem, walls)
    if puzzle != "sudoku":  # black cells without a number are holes
        givens, _ = _numbers(problem.get("number", {}), points)
        black = {points.place(key)[1:] for key, style in problem.get("surface", {}).items() if style == _BLACK}
        cells = [cell for cell in cells if cell not in black - givens.keys()]
    region_of, usual = _regions(cells, walls, is_sudoku=puzzle == "sudoku")
    if usual and "latin" in tags and not _BOXED_TAGS & {*tags}:
        raise InstanceError(f"the tags of this Penpa+ drawing say latin, a square without regions; {_KNOWN}")
    puzzle = puzzle or ("sudoku" if regions.are_latin(region_of) else "tectonic")
    return _Outline(puzzle, region_of, usual, walls, crossed, marked)


class _Rules(NamedTuple):
    """What is drawn on the regions of a drawing."""

    givens: Mapping[Cell, int]
    keys: Mapping[str, Any]
    variants: list[str]
    is_shaded: bool
    """Whether whole regions are shaded, which is decoration."""


def _rules(
    page: _Page, outline: _Outline, problem: dict[str, Any], turned: Mapping[Cell, Cell], known: Mapping[str, Variant]
) -> _Rules:
    """Take the clues and rules out of a drawing, one kind after another: what is left may be rules, too.

    Cages come first, with the sums in their corners, then the keys that sentences of ours tell, as we draw them.
    Numbers that are left are givens, or clues outside the board; the rest is drawn with tools, or named by tags.

    Raises:
        InstanceError: something is left.
    """
    points, region_of, tags = page.points, outline.regions, page.tags if outline.puzzle == "sudoku" else []
    sentences = _details(page.head, outline.puzzle)["rules"]
    members = {cell: turned[cell] for cell in region_of}
    colors = parse_json(page.lines[14] if page.lines[14].startswith("{") else "{}")
    reader = RuleReader(problem, colors, points, members)
    cages, more_sides = _cages(problem, points, members)
    is_turned = any(cell != place for cell, place in turned.items())
    told = [] if is_turned else told_keys(known.values(), sentences)
    keys = ({cages_key().name: cages} if cages else {}) | reader.told(told)
    givens, unread = _numbers(problem.get("number", {}), points)
    labels = {turned[cell]: value for cell, value in givens.items() if cell not in region_of}
    keys |= reader.drawn(known, tags, labels, sentences)
    variants, crossed = list[str](), outline.crossed
    if outline.puzzle == "sudoku":
        variants, crossed = _diagonals(crossed, members, known)
    variants += [name for name, one in known.items() if not one.keys and {*rule_of(one).get("tags", ())} & {*tags}]
    shaded = {points.place(key)[1:] for key in problem.get("surface", {})} & region_of.keys()
    named_so = any(called in page.head[18].lower() for called in known[windows_variant(known)].called)
    if named_so and shaded == {cell for window in windows(grid_extent(region_of)[0]) for cell in window}:
        variants.append(windows_variant(known))
        shaded = set()
    whole = all(shaded >= {*cells} for cells in regions.cells(region_of).values() if shaded & {*cells})
    unread += [*reader.unread, *(part for key, part in _RULES.items() if any(problem.get(key) or ()))]
    unread += ["cages that are only drawn"] * more_sides + ["lines"] * bool(crossed or outline.marked)
    unread += ["small numbers"] * bool(problem.get("numberS")) + ["shaded cells"] * bool(shaded and not whole)
    if unread:
        say = f"; its rules say: {shown(sentences, 200)}" if sentences else ""
        raise InstanceError(
            f"this Penpa+ drawing has {listing(dict.fromkeys(unread), 'and')}, which may be rules that pyasp cannot "
            "read; it reads regions, numbers, diagonals, thermometers, arrows, killer cages and what a tag names: "
            f"remove the rest if it is no rule{say}"
        )
    return _Rules(givens, keys, variants, bool(shaded))


def _board(
    page: _Page, named: str, corners: Sequence[Cell], solutions: Sequence[Mapping[Cell, int]], text: Text
) -> Draft:
    """Return the board of a drawing, given its puzzle if something names it, its first and last place, and answers."""
    known, problem = variants_in(text.puzzles), parse_json(page.lines[3])
    outline = _outline(page, named, problem, text)
    region_of = outline.regions
    numbers, _ = _numbers(problem.get("number", {}), page.points)
    turned = _turn(page.head, [*region_of, *corners], [cell for cell in numbers if cell not in region_of])
    givens, keys, variants, is_shaded = _rules(page, outline, problem, turned, known)
    if not (named or text.puzzle or givens or keys or variants):  # other puzzles have regions, too
        raise _of_no_puzzle(page.cells, problem, outline.walls)
    check_tags(known, page.tags if outline.puzzle == "sudoku" else (), keys)
    givens = {cell: value for cell, value in givens.items() if cell in region_of}
    inside = [{cell: value for cell, value in answer.items() if cell in region_of} | givens for answer in solutions]
    solution = next((answer for answer in inside if len(answer) == len(region_of) > len(givens)), {})
    within = (
        region_of.get(near) == region_of.get(far) for near, far in outline.walls if {near, far} <= region_of.keys()
    )
    lost = ["shading of whole regions"] * is_shaded
    lost += ["regions, as none are drawn: these are the usual boxes"] * outline.usual
    lost += ["edges that separate no regions"] * any(within)
    lost += ["the numbers so far"] * any(len(givens) < len(answer) < len(region_of) for answer in inside)
    details = _details(page.head, outline.puzzle)
    return Draft(
        {turned[cell]: value for cell, value in givens.items()},
        regions.numbered({turned[cell]: region for cell, region in region_of.items()}),
        details,
        {turned[cell]: value for cell, value in solution.items()},
        joined_variants(variants, known),
        tuple(lost),
        keys=keys,
        rules=details.pop("rules"),
        puzzle=outline.puzzle,
    )


def _of_no_puzzle(cells: Sequence[Cell], problem: Mapping[str, Any], walls: Walls) -> InstanceError:
    count = len({*regions.of_walls(cells, walls).values()})
    names = [name for part, name in _PARTS.items() if any(problem.get(part) or ())]
    drawn = listing(dict.fromkeys([f"{count} regions"] * (count > 1) + names) or ["empty cells"], "and")
    return InstanceError(
        f"this Penpa+ drawing does not say which puzzle it is: no tag and no title does, and it has {drawn}; if pyasp "
        "knows the puzzle, say which with --as sudoku, --as tectonic or another name"
    )


def _turn(head: list[str], cells: list[Cell], outer: Iterable[Cell]) -> dict[Cell, Cell]:
    """Return where Penpa+ shows each place: turned, perhaps mirrored, and counted from the first of the cells."""
    places = {cell: cell for cell in (*cells, *outer)}
    for _ in range(int(head[4] or 0) // 90 % 4):
        places = {cell: (c, -r) for cell, (r, c) in places.items()}
    down, right = -1 if head[6] == "-1" else 1, -1 if head[5] == "-1" else 1
    places = {cell: (r * down, c * right) for cell, (r, c) in places.items()}
    first = min(places[cell][0] for cell in cells) - 1, min(places[cell][1] for cell in cells) - 1
    return {cell: (r - first[0], c - first[1]) for cell, (r, c) in places.items()}


def _diagonals(
    crossed: set[Crossing], turned: Mapping[Cell, Cell], variants: Mapping[str, Variant]
) -> tuple[list[str], set[Crossing]]:
    """Return the variants of the diagonals that are drawn through cells, and the other crossings."""
    (r, c), side = turned.get((1, 1), (1, 1)), grid_extent(turned)[0]
    looks = zip(_crossings(side).values(), DIAGONALS[:: 1 if r == c else -1], strict=True)  # a turn may exchange them
    drawn = {look: cells for cells, look in looks if cells <= crossed}
    names = [name for look in drawn for name, variant in variants.items() if variant.formats.get("diagonals") == look]
    return names, crossed.difference(*drawn.values())


def _crossings(side: int) -> dict[str, set[Crossing]]:
    """Return the crossings that make the diagonals of a board."""
    ways = zip(DIAGONALS, (-1, 1), strict=True)
    return {look: {(way, (i, i if way > 0 else side + 1 - i)) for i in range(1, side + 1)} for look, way in ways}


def _cages(problem: Mapping[str, Any], points: Points, turned: Mapping[Cell, Cell]) -> tuple[list[str], bool]:
    """Return the killer cages, taking the numbers out of their corners; and whether there are sides of others."""
    small, sides = problem.get("numberS") or {}, set[frozenset[str]]()
    cages = []
    for members in filter(None, problem.get("killercages") or ()):
        cells = [points.place(number)[1:] for number in members]
        if any(cell not in turned for cell in cells):
            raise InstanceError("this Penpa+ drawing has a killer cage that leaves the board")
        total = str(small.pop(str(points.corner(min(cells))), [""])[0]).strip()
        cages.append(key_line_text(map(turned.__getitem__, cells), cage_sum(total)))
        sides |= {frozenset(side.split(",")) for side in cage_sides(cells, points)}
    return cages, any(frozenset(side.split(",")) not in sides for side in problem.get("cage") or ())


def _regions(cells: list[Cell], walls: Walls, *, is_sudoku: bool) -> tuple[Regions, bool]:
    """Return the regions, and whether none are drawn, so that they are the usual boxes."""
    region_of = regions.of_walls(cells, walls)
    if not is_sudoku:
        return region_of, False
    side = max(r for r, _ in cells)
    if len(set(region_of.values())) == 1 and side in regions.USUAL and len(cells) == side * side:
        return regions.usual(side), True
    return regions_of_sudoku(region_of, side), False


def _numbers(contents: Mapping[str, Any], points: Points) -> tuple[dict[Cell, int], list[str]]:
    """Return the numbers in cells, and the names of what is neither a number nor several candidates."""
    numbers: dict[Cell, int] = {}
    others = []
    for key, content in contents.items():
        value, *style = content
        name = str(style[1]) if len(style) > 1 else "1"
        kind, r, c = points.place(key) if key.isdigit() else (-1, 0, 0)  # an E marks what covers an edge
        if name == CANDIDATES and kind == 0:
            # several are pencil marks, see `penpa_drawing`; one alone is shown as a given is
            candidates = candidates_in(content)
            value, name = (candidates[0], "1") if len(candidates) == 1 else ("", "1")
        # other styles are arrows and the like
        if kind or name not in {"1", "5", "6", "8", "10", "11"} or not re.fullmatch(r"[0-9]{1,4}", str(value).strip()):
            others += ["texts that are no numbers in cells"] * bool(str(value).strip())
        else:
            numbers[r, c] = int(value)
            others += ["zeros"] * (not numbers[r, c])
    return numbers, others


def _details(head: list[str], puzzle: str) -> dict[str, str]:
    details = dict(zip((*_DETAILS, "rules"), head[15:19], strict=True))
    details |= {key: details[key].removeprefix(f"{key.capitalize()}: ") for key in ("title", "author")}
    for code, mark in _MARKS.items():
        details = {key: value.replace(code, mark) for key, value in details.items()}
    if puzzle == "tectonic":
        details["title"] = "" if details["title"] == _SUGURU else details["title"].removesuffix(f" ({_SUGURU})")
    return details


# -- Writing ---------------------------------------------------------------------------------------


def _write(draft: Draft) -> str:
    """Return the address of a board; one with a solution is for solvers, whose answer Penpa+ checks."""
    return _write_board(draft) if draft.regions else _write_genre(draft)


def _write_board(board: Draft) -> str:
    """Return the address of a Sudoku or a Tectonic."""
    margin = int(any(map(has_outside, board.layers.values())))
    points = _points(board.size, [margin] * 4)
    entries = [f"{points.cell(*cell)},{value}" for cell, value in board.solution.items() if cell not in board.givens]
    sheet = _sheet(board, points)
    drawn = [variant.keys[0] for variant in board.known.values() if variant.keys and variant.keys[0].name in board.keys]
    if unread := [key.name for key in drawn if not (tool_of(board, key.name) or is_readable(key))]:
        what = f"{listing(unread, 'and')} of this board so that they can be read again"
        raise refusal(_NAME, what, board.instance.facts.where if board.instance else None)
    sheet.borders(regions.walls(board.regions, board.size))
    across = [crossing for look in board.diagonals for crossing in _crossings(board.size[0])[look]]
    for way, (r, c) in sorted(across, key=lambda pair: (pair[1][0], -pair[0])):
        sheet.table("lineE", f"{points.cell(r - 1, c - (way > 0), 1)},{points.cell(r, c - (way < 0), 1)}", DASHED)
    cells = [cell for cell in board.places() if cell in board.regions]
    base = "classic" if regions.are_usual(board.regions) else "irregular"
    tags = [base, *drawn_tags(board)] if board.puzzle == "sudoku" else []
    details = {**board.details, "rules": board.rules}
    title = details.get("title", "")
    if board.puzzle == "tectonic" and not _SUGURU_TITLE.search(title):
        details["title"] = f"{title} ({_SUGURU})" if title else _SUGURU
    answer = ([[], [], [], [], sorted(entries), []], {"sol_number": True}) if entries else None
    return _address(sheet, cells, [margin] * 4, details, tags, answer=answer)


def _write_genre(draft: Draft) -> str:
    """Return the address of a board of a genre."""
    assert draft.instance
    body, board = body_of_draft(draft), draft.instance
    table = FormatTable(body.puzzle, body.puzzle.formats[_NAME])
    margins = margins_of(table, body)
    sketch = draw_parts(table, body, _points((body.rows, body.columns), margins))
    details = {**board.details, "rules": instructions(board)}
    answer = checked_answer(board.solution, sketch, table.table.get("answer", "")) if board.solution else None
    cells = [cell for cell in body.places if cell not in body.holes]
    return _address(sketch.sheet, cells, margins, details, [table.name_of(body)], answer=answer, table=table.table)


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
    table: Mapping[str, Any] = {},
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


def _sheet(board: Draft, points: Points) -> Sheet:
    """Return what is drawn on a board besides its edges: numbers, holes, cages, and the keys of its variants."""
    sheet = Sheet(points)
    for cell, value in sorted(board.givens.items()):
        sheet.number(points.cell(*cell), [str(value), 1, "1"])
    empty, (rows, columns) = [cell for cell in board.places() if cell not in board.regions], board.size
    for part in connected_cells(empty):
        if not any(r in {1, rows} or c in {1, columns} for r, c in part):  # holes, and no corners of the outline
            for cell in part:
                sheet.table("surface", points.cell(*cell), _BLACK)
    for key in sorted(board.keys, key=lambda key: key != cages_key().name):
        layer = board.layers.get(key, KeyLayer())
        if tool_of(board, key):
            draw_rule(sheet, board, key)
        elif layer.labels or any(figure.look for figure in layer.figures):
            draw_layer(sheet, layer, board.size)
        else:
            raise refusal(_NAME, f"{key}, which have no picture")
    for window in board.windows:
        for cell in window:
            sheet.table("surface", points.cell(*cell), SHADE, "#e8e8e8")  # on which Penpa+'s grey is visible
    return sheet


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
    can=Can(puzzles=("sudoku", "tectonic"), jigsaw=True, scattered=False, says=lambda *_: True),
    web=True,
    line=True,
    answers=True,
)
