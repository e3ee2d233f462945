"""Games of Simon Tatham's Portable Puzzle Collection: those that the folders of puzzles name, and Solo.

    https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/lightup.html#7x7:a1bBhB2i1i10h2b2a

An ID is the columns and rows, parameters, a colon, and the parts that `body` in `[formats.tatham]` lists. Letters skip
1 to 26 cells. With the name of the puzzle (`--as akari`), an ID is enough. What a game does not open is declared, too:
`least` is its smallest side; numbers of `up_to_side` are at most the longer side; cells of `apart` do not touch.

Solo   3x3:NUMBERS       boxes of 3 rows and 3 columns; letters skip 1 to 26 cells, `_` separates two numbers
       9j:NUMBERS,WALLS  a jigsaw; letters skip 1 to 25 edges, `_` is an edge with a wall, as is the end of a letter
                         except z
       3x3x:NUMBERS      X: the two diagonals hold every number as well
       3x3k:NUMBERS,CAGES,SUMS  killer: walls of the cages, and sums in their first cells
"""

from __future__ import annotations

import re
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits
from typing import TYPE_CHECKING

from pyasp_puzzles.boards import regions
from pyasp_puzzles.boards.grid import Cell, all_cells, cell_place, grouped, neighbor_pairs
from pyasp_puzzles.boards.regions import box_size, boxes
from pyasp_puzzles.errors import InstanceError, Where, shown
from pyasp_puzzles.formats.codings import (
    Body,
    Coding,
    FormatTable,
    Part,
    TokenCoding,
    body_of_draft,
    draft_of_body,
    find_entry,
    read_numbers,
    read_parts,
    read_runs,
    write_numbers,
    write_parts,
    write_runs,
)
from pyasp_puzzles.formats.exchange import Can, Draft, cages_key, draft_format
from pyasp_puzzles.formats.format import Text, refusal
from pyasp_puzzles.puzzles.declaration import find_puzzle, shipped_variants
from pyasp_puzzles.puzzles.keys.lines import key_line_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyasp_puzzles.formats.format import Text
    from pyasp_puzzles.model.puzzle import Variant


_SITE = "https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/"
_ADDRESS = re.compile(r"(?:https?://\S{0,100}/)?(?P<name>[a-z]{3,12})(?:\.html#|:)(?P<id>\d\S*)")
_TATHAM_ID = re.compile(r"(?P<columns>\d{1,3})(?:x(?P<rows>\d{1,3}))?(?P<more>[a-zA-Z0-9.]{0,40}):(?P<body>\S*)")
_LETTERS = digits + ascii_uppercase
_EVERY = digits + ascii_letters


def _recognise_tatham(text: str) -> bool:
    """Return whether a text is the address of a game of the collection."""
    match = _ADDRESS.match(text.strip())
    return match is not None and match["name"] != "solo" and ("tatham" in text[:200] or match["id"].find(":") > 0)


def _read_tatham(text: Text) -> Draft:
    """Return the board of an address, or of an ID if the text has a puzzle."""
    content = text.text.strip()
    address = _ADDRESS.fullmatch(content)
    puzzle = find_puzzle(text.puzzle or "sudoku", text.where, text.puzzles)
    name = address["name"] if address else next(iter(puzzle.formats.get("tatham", {}).get("names", [""])))
    match = _TATHAM_ID.fullmatch(address["id"] if address else content)
    table = find_entry("tatham", "Simon Tatham's", name, text)
    if match is None:
        raise InstanceError(f"this is not a game ID of {name}, such as 7x7:...; a random seed needs the program")
    columns = int(match["columns"])
    body = Body(table.puzzle, (int(match["rows"] or columns), columns), match["body"])
    body.values |= table.names[name]
    for flag in re.findall(r"[a-zA-Z][\d.]*", re.sub(r"d[a-z0-9]$", "", match["more"])):
        if flag in table.flags:
            body.values |= table.flags[flag]
        elif flag[0] not in table.table.get("free", ""):
            raise InstanceError(f"this ID has the parameter {shown(flag)}, a rule that {table.puzzle.name} lacks here")
    read_parts(table, CODINGS, body)
    return draft_of_body(body, text)


def id_of_saved_game(text: str, where: Where) -> str:
    """Return the address of the game that a saved game of the collection is of, from its start; moves are left out.

    Its lines are `GAME    :8:Light Up`: a name, the length of the value, and the value.

    Raises:
        InstanceError: the text lacks the game, its parameters or its board.
    """
    lines = (re.match(r"([A-Z]+) *:\d+:(.*)", line) for line in text.split("\n"))
    values = {match[1]: match[2].strip() for match in reversed([*filter(None, lines)])}
    missing = [name for name in ("GAME", "PARAMS", "DESC") if not values.get(name)]
    if missing:
        raise InstanceError(f"this saved game has no {missing[0]}: copy the whole file", where)
    name = re.sub(r"[^a-z]", "", values["GAME"].lower())
    return f"{_SITE}{name}.html#{values.get('CPARAMS', values['PARAMS'])}:{values['DESC']}"


def is_other_tatham_game(text: Text) -> bool:
    """Return whether the user says that a text is a puzzle of another game than Solo."""
    return bool(text.puzzle) and "tatham" in find_puzzle(text.puzzle or "", text.where, text.puzzles).formats


def _write_tatham(draft: Draft) -> str:
    """Return the address of a board.

    Raises:
        InstanceError: the game has no such boards.
    """
    body = body_of_draft(draft)
    table = FormatTable(body.puzzle, body.puzzle.formats["tatham"])
    _check(table, body, draft.instance.facts.where if draft.instance else None)
    flags = "".join(flag for flag, values in table.flags.items() if table.has(body, values))
    size = f"{body.columns}x{body.rows}" if not body.puzzle.square else f"{body.rows}"
    return f"{_SITE}{next(iter(table.names))}.html#{size}{flags}:{write_parts(table, CODINGS, body)}"


def _check(table: FormatTable, body: Body, where: Where | None) -> None:
    """Raise `InstanceError` if a board is too small, has too large a number, or cells that touch and must not."""
    least, most = table.table.get("least", 1), max(body.rows, body.columns, 3)
    numbers, apart = (body.values.get(str(table.table.get(name)), {}) for name in ("up_to_side", "apart"))
    large = [number for number in map(str, numbers.values()) if number.isdecimal() and int(number) > most]
    pairs = [pair for pairs in neighbor_pairs(body.rows, body.columns) for pair in pairs if apart.keys() >= {*pair}]
    problem = ""
    if min(body.rows, body.columns) < least:
        problem = f"has boards from {least}x{least} on"
    elif large:
        problem = f"has numbers up to {most} on a board of this size, and not {large[0]}"
    elif pairs:
        problem = (
            f"lets no two {table.table['apart']} touch, as {cell_place(pairs[0][0])} and {cell_place(pairs[0][1])} do"
        )
    if problem:
        raise InstanceError(f"Simon Tatham's {table.name_of(body).capitalize()} {problem}", where)


# -- Codings -----------------------------------------------------------------------------------


def _tokens(part: Part) -> dict[str, str]:
    """Return the tokens of a key by the letters that stand for them: `B=x` in the words of a part."""
    return dict(pair.split("=", 1) for pair in part.word.split(",")) if part.word else {}


def _digit(word: str, part: Part) -> str:
    return _tokens(part).get(word, str(_LETTERS.index(word)))


def _written_digit(token: str, part: Part) -> str:
    letters = {token: letter for letter, token in _tokens(part).items()}
    return letters.get(token) or _LETTERS[int(token)]


def _read_numbers(body: Body, part: Part) -> None:
    placed, body.text = read_numbers(body.text.removeprefix(","), len(body.places), part.key)
    body.add(part, {body.places[i]: number for i, number in placed.items()})


def _write_numbers(body: Body, part: Part) -> str:
    return write_numbers(map(body.grid(part.key).get, body.places))


def _read_runs(body: Body, part: Part) -> None:
    text, comma, rest = body.text.partition(",")
    places, tokens = body.places_of(part.key), part.word.split(",")
    placed, body.text = read_runs(text, len(places), tokens, part.key, ends=part.coding == "runs"), comma + rest
    body.add(part, {places[i]: token for i, token in placed.items()})


def _write_runs(body: Body, part: Part) -> str:
    by_place = {place: str(token) for place, token in body.tokens(part).items()}
    values = map(by_place.get, body.places_of(part.key))
    return write_runs(values, part.word.split(","), ends=part.coding == "runs")


def _read_outside(body: Body, part: Part) -> None:
    """Read the labels of the sides: with a separator between, several ones of a line with dots."""
    count = len(body.outer_lines(part.key))
    text, comma, rest = body.text.removeprefix(","), "", ""
    if not part.word:
        text, comma, rest = text.partition(",")
    body.text = comma + rest
    texts = text.split(part.word or "/")
    if len(texts) != count:
        raise InstanceError(f"the ID has {len(texts)} of {count} {part.key}: copy it whole")
    if other := [word for word in texts if not re.fullmatch(r"[\d.]*", word)]:
        raise InstanceError(f"{shown(other[0])} is not one of the {part.key}: copy the ID whole")
    several = body.key(part.key).option("several")
    lines = zip(body.outer_lines(part.key), (word.split(".")[::-1] if word else [] for word in texts), strict=True)
    labels = {(*line, far): word for line, numbers in lines for far, word in enumerate(numbers)}
    body.add(part._replace(word="0" if part.word or several else ""), labels)


def _write_outside(body: Body, part: Part) -> str:
    several = body.key(part.key).option("several")
    labels = sorted(body.tokens(part._replace(word="0" if several else "")).items(), key=lambda pair: -pair[0][2])
    lines = grouped((place[:2], word) for place, word in labels)
    texts = [".".join(lines.get(line, ())) for line in body.outer_lines(part.key)]
    if part.word and not all(texts):
        raise InstanceError(f"every line needs one of the {part.key}")
    return f",{','.join(texts)}" if part.word else "/".join(texts)


# {direction of a neighbor that is smaller: the sign between, and the step to the neighbor}
_SIGNS = {"U": ("^", (-1, 0)), "R": (">", (0, 1)), "D": ("v", (1, 0)), "L": ("<", (0, -1))}


def _read_order(body: Body, part: Part) -> None:
    """Read for each cell its number or 0, and the directions of the neighbors that are smaller."""
    cells = body.text.removesuffix(",").split(",")
    body.text = ""
    signs = body.values.setdefault(part.word, {})
    for (r, c), word in zip(body.places, cells, strict=True):
        number = word.rstrip("URDL")
        if int(number):
            body.grid(part.key)[r, c] = int(number)
        for letter in word[len(number) :]:
            sign, (y, x) = _SIGNS[letter]
            signs[2 * r - 1 + y, 2 * c - 1 + x] = sign


def _write_order(body: Body, part: Part) -> str:
    text = ""
    for r, c in body.places:
        text += str(body.grid(part.key).get((r, c), 0))
        for letter, (sign, (y, x)) in _SIGNS.items():
            here = body.values.get(part.word, {}).get((2 * r - 1 + y, 2 * c - 1 + x))
            text += letter if here == sign else ""
        text += ","
    return text


CODINGS: dict[str, Coding | TokenCoding] = {
    "digits": TokenCoding("[0-9A-Z]", ascii_lowercase, _digit, _written_digit),
    "numbers": Coding(_read_numbers, _write_numbers),
    "more": Coding(_read_numbers, lambda body, part: f",{_write_numbers(body, part)}" if body.grid(part.key) else ""),
    # A digit or a letter for each cell.
    # No cell can be skipped.
    "every": TokenCoding("[0-9a-zA-Z]", "\n", lambda word, _: _EVERY.index(word), lambda token, _: _EVERY[int(token)]),
    "runs": Coding(_read_runs, _write_runs),
    "outside": Coding(_read_outside, _write_outside),
    "order": Coding(_read_order, _write_order),
    "dots": Coding(_read_runs, _write_runs),
}

TATHAM = draft_format(
    "tatham",
    "addresses of games in Simon Tatham's collection",
    _recognise_tatham,
    _read_tatham,
    _write_tatham,
    line=True,
)


# -- Solo ------------------------------------------------------------------------------------------

# The largest side of Solo.
_LONGEST_SOLO = 31

_SOLO_ID = re.compile(
    r"(?:https?://\S*?/solo\.html#)?(?:[Ss]olo:)?(?P<a>[1-9]\d?)(?:x(?P<b>[1-9]\d?))?(?P<flags>[jxk]*)[a-z0-9]{0,12}"
    r"(?P<mark>[:#])(?P<description>\S+)"
)


def _recognise_solo(text: str) -> bool:
    """Return whether a text is a game ID of Solo, or looks like one of another game."""
    return _SOLO_ID.fullmatch(text.strip()) is not None


def _read_solo(text: Text) -> Draft:
    """Return the board of a game ID."""
    match = _SOLO_ID.fullmatch(text.text.strip())
    if match is None:
        raise InstanceError("this is not a game ID of Solo, such as 3x3:... or 9j:...")
    if match["mark"] == "#":
        raise InstanceError("this is a random seed, which needs the program Solo; copy its game ID, which has a colon")
    high, flags = int(match["a"]), match["flags"]
    jigsaw = "j" in flags or match["b"] == "1"
    wide = int(match["b"] or (1 if jigsaw else high))
    side = high * wide
    if side > _LONGEST_SOLO:
        raise InstanceError(f"a Solo of {side}x{side} is too large; Solo has at most {_LONGEST_SOLO}x{_LONGEST_SOLO}")
    cells = all_cells(side, side)
    parts = match["description"].split(",")
    expected = 1 + jigsaw + 2 * ("k" in flags)
    if len(parts) != expected:
        raise InstanceError(f"the game ID has {len(parts)} parts between commas; this kind has {expected}")
    givens = _numbers(parts.pop(0), cells)
    region_of = _regions(parts.pop(0), side) if jigsaw else boxes(high, wide)
    keys: dict[str, object] = {}
    if "k" in flags:
        cage_of = _regions(parts.pop(0), side)
        sums = _numbers(parts.pop(0), cells)
        keys[cages_key().name] = [
            key_line_text(sorted(members), next((sums[cell] for cell in members if cell in sums), None))
            for members in regions.cells(cage_of).values()
        ]
    variants = tuple(variant.name for variant in shipped_variants().values() if "x" in flags and _is_x(variant))
    return Draft(givens, region_of, variants=variants, keys=keys)


def _is_x(variant: Variant) -> bool:
    """Return whether a variant is that of both diagonals."""
    return variant.formats.get("diagonals") == "both"


def _numbers(text: str, cells: Sequence[Cell]) -> dict[Cell, int]:
    placed, rest = read_numbers(text, len(cells), "numbers")
    if rest:
        raise InstanceError(f"{shown(rest)} follows the numbers of all cells: copy the text alone")
    return {cells[i]: number for i, number in placed.items()}


def _edges(side: int) -> list[tuple[Cell, Cell]]:
    """Return pairs of neighbours in Solo's order: side by side row by row, then one above the other by columns."""
    beside, above = neighbor_pairs(side, side)
    return beside + sorted(above, key=lambda pair: pair[0][::-1])


def _regions(text: str, side: int) -> Mapping[Cell, str]:
    edges = _edges(side)
    return regions.of_walls(all_cells(side, side), {edges[i] for i in read_runs(text, len(edges), "x", "walls")})


def _write_solo(board: Draft) -> str:
    """Return the game ID of a board."""
    side, _ = board.size
    if side > _LONGEST_SOLO:
        longest = f"{_LONGEST_SOLO}x{_LONGEST_SOLO}"
        raise InstanceError(f"solo has Sudokus of at most {longest}, and this one is {side}x{side}")
    box = box_size(board.regions)
    jigsaw = box is None or 1 in box
    size = f"{side}j" if jigsaw or box is None else f"{box[0]}x{box[1]}"
    cages = board.lines_of(cages_key().name)
    flags = ("x" if board.variants else "") + ("k" if cages else "")
    cage_of = {cell: str(i) for i, cage in enumerate(cages) for cell in cage.groups[0]}
    if cages and cage_of.keys() != board.regions.keys():
        raise refusal("solo", "cages that leave cells out", able="cages of all cells")
    sums = {min(cage.groups[0]): int(cage.values[0]) for cage in cages if cage.values}
    of = [*([board.regions] if jigsaw else []), *([cage_of] if cages else [])]
    walls = [write_runs(("x" if labels[a] != labels[b] else None for a, b in _edges(side)), "x") for labels in of]
    givens, totals = (write_numbers(map(numbers.get, board.places())) for numbers in (board.givens, sums))
    return f"{size}{flags}:{','.join([givens, *walls, *([totals] if cages else [])])}"


_SOLO = draft_format(
    "solo",
    "game IDs of Simon Tatham's Solo: Sudoku, also jigsaws, diagonals and killer cages",
    _recognise_solo,
    _read_solo,
    _write_solo,
    can=Can(says=lambda _, variant: _is_x(variant) or cages_key() in variant.keys),
    line=True,
)
# An ID does not say of which game it is; the user may.
SOLO = _SOLO._replace(read=lambda text: (TATHAM if is_other_tatham_game(text) else _SOLO).read(text))
