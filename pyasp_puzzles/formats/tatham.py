"""Games of Simon Tatham's Portable Puzzle Collection, besides Solo: those that the folders of puzzles name.

    https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/lightup.html#7x7:a1bBhB2i1i10h2b2a

An ID is the columns and rows, parameters, a colon, and the parts that `body` in `[formats.tatham]` lists. Letters skip
1 to 26 cells. With the name of the puzzle (`--as akari`), an ID is enough. What a game does not open is declared, too:
`least` is its smallest side; numbers of `up_to_side` are at most the longer side; cells of `apart` do not touch.
"""

from __future__ import annotations

import re
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits
from typing import TYPE_CHECKING

from pyasp_puzzles.boards.grid import cell_place, grouped, neighbor_pairs
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
from pyasp_puzzles.formats.exchange import Draft, draft_format
from pyasp_puzzles.puzzles.declaration import find_puzzle

if TYPE_CHECKING:
    from pyasp_puzzles.formats.format import Text

_SITE = "https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/"
_ADDRESS = re.compile(r"(?:https?://\S{0,100}/)?(?P<name>[a-z]{3,12})(?:\.html#|:)(?P<id>\d\S*)")
_ID = re.compile(r"(?P<columns>\d{1,3})(?:x(?P<rows>\d{1,3}))?(?P<more>[a-zA-Z0-9.]{0,40}):(?P<body>\S*)")
_LETTERS = digits + ascii_uppercase
_EVERY = digits + ascii_letters


def _recognise(text: str) -> bool:
    """Return whether a text is the address of a game of the collection."""
    match = _ADDRESS.match(text.strip())
    return match is not None and match["name"] != "solo" and ("tatham" in text[:200] or match["id"].find(":") > 0)


def _read(text: Text) -> Draft:
    """Return the board of an address, or of an ID if the text has a puzzle."""
    words = text.text.strip()
    address = _ADDRESS.fullmatch(words)
    own = find_puzzle(text.puzzle or "sudoku", text.where, text.puzzles)
    name = address["name"] if address else next(iter(own.formats.get("tatham", {}).get("names", [""])))
    match = _ID.fullmatch(address["id"] if address else words)
    one = find_entry("tatham", "Simon Tatham's", name, text)
    if match is None:
        raise InstanceError(f"this is not a game ID of {name}, such as 7x7:...; a random seed needs the program")
    columns = int(match["columns"])
    body = Body(one.puzzle, (int(match["rows"] or columns), columns), match["body"])
    body.values |= one.names[name]
    for flag in re.findall(r"[a-zA-Z][\d.]*", re.sub(r"d[a-z0-9]$", "", match["more"])):
        if flag in one.flags:
            body.values |= one.flags[flag]
        elif flag[0] not in one.table.get("free", ""):
            raise InstanceError(f"this ID has the parameter {shown(flag)}, a rule that {one.puzzle.name} lacks here")
    read_parts(one, CODINGS, body)
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


def _write(draft: Draft) -> str:
    """Return the address of a board.

    Raises:
        InstanceError: the game has no such boards.
    """
    body = body_of_draft(draft)
    one = FormatTable(body.puzzle, body.puzzle.formats["tatham"])
    _check(one, body, draft.instance.facts.where if draft.instance else None)
    flags = "".join(flag for flag, values in one.flags.items() if one.has(body, values))
    size = f"{body.columns}x{body.rows}" if not body.puzzle.square else f"{body.rows}"
    return f"{_SITE}{next(iter(one.names))}.html#{size}{flags}:{write_parts(one, CODINGS, body)}"


def _check(one: FormatTable, body: Body, where: Where | None) -> None:
    """Raise `InstanceError` if a board is too small, has too large a number, or cells that touch and must not."""
    least, most = one.table.get("least", 1), max(body.rows, body.columns, 3)
    numbers, apart = (body.values.get(str(one.table.get(name)), {}) for name in ("up_to_side", "apart"))
    large = [number for number in map(str, numbers.values()) if number.isdecimal() and int(number) > most]
    pairs = [pair for pairs in neighbor_pairs(body.rows, body.columns) for pair in pairs if apart.keys() >= {*pair}]
    problem = ""
    if min(body.rows, body.columns) < least:
        problem = f"has boards from {least}x{least} on"
    elif large:
        problem = f"has numbers up to {most} on a board of this size, and not {large[0]}"
    elif pairs:
        problem = (
            f"lets no two {one.table['apart']} touch, as {cell_place(pairs[0][0])} and {cell_place(pairs[0][1])} do"
        )
    if problem:
        raise InstanceError(f"Simon Tatham's {one.name_of(body).capitalize()} {problem}", where)


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
    found, body.text = read_numbers(body.text.removeprefix(","), len(body.places), part.key)
    body.add(part, {body.places[i]: number for i, number in found.items()})


def _write_numbers(body: Body, part: Part) -> str:
    return write_numbers(map(body.grid(part.key).get, body.places))


def _read_runs(body: Body, part: Part) -> None:
    text, comma, rest = body.text.partition(",")
    places, tokens = body.places_of(part.key), part.word.split(",")
    found, body.text = read_runs(text, len(places), tokens, part.key, ends=part.coding == "runs"), comma + rest
    body.add(part, {places[i]: token for i, token in found.items()})


def _write_runs(body: Body, part: Part) -> str:
    found = {place: str(token) for place, token in body.tokens(part).items()}
    values = map(found.get, body.places_of(part.key))
    return write_runs(values, part.word.split(","), ends=part.coding == "runs")


def _read_outside(body: Body, part: Part) -> None:
    """Read the labels of the sides: with a separator between, several ones of a line with dots."""
    count = len(body.outer_lines(part.key))
    text, comma, rest = body.text.removeprefix(","), "", ""
    if not part.word:
        text, comma, rest = text.partition(",")
    body.text = comma + rest
    words = text.split(part.word or "/")
    if len(words) != count:
        raise InstanceError(f"the ID has {len(words)} of {count} {part.key}: copy it whole")
    if other := [word for word in words if not re.fullmatch(r"[\d.]*", word)]:
        raise InstanceError(f"{shown(other[0])} is not one of the {part.key}: copy the ID whole")
    several = body.key(part.key).option("several")
    lines = zip(body.outer_lines(part.key), (word.split(".")[::-1] if word else [] for word in words), strict=True)
    found = {(*line, far): word for line, numbers in lines for far, word in enumerate(numbers)}
    body.add(part._replace(word="0" if part.word or several else ""), found)


def _write_outside(body: Body, part: Part) -> str:
    several = body.key(part.key).option("several")
    found = sorted(body.tokens(part._replace(word="0" if several else "")).items(), key=lambda pair: -pair[0][2])
    lines = grouped((place[:2], word) for place, word in found)
    words = [".".join(lines.get(line, ())) for line in body.outer_lines(part.key)]
    if part.word and not all(words):
        raise InstanceError(f"every line needs one of the {part.key}")
    return f",{','.join(words)}" if part.word else "/".join(words)


# {direction of a neighbor that is smaller: the sign between, and the step to the neighbor}
_SIGNS = {"U": ("^", (-1, 0)), "R": (">", (0, 1)), "D": ("v", (1, 0)), "L": ("<", (0, -1))}


def _read_order(body: Body, part: Part) -> None:
    """Read for each cell its number or 0, and the directions of the neighbors that are smaller."""
    words = body.text.removesuffix(",").split(",")
    body.text = ""
    signs = body.values.setdefault(part.word, {})
    for (r, c), word in zip(body.places, words, strict=True):
        number = word.rstrip("URDL")
        if int(number):
            body.grid(part.key)[r, c] = int(number)
        for letter in word[len(number) :]:
            sign, (y, x) = _SIGNS[letter]
            signs[2 * r - 1 + y, 2 * c - 1 + x] = sign


def _write_order(body: Body, part: Part) -> str:
    found = ""
    for r, c in body.places:
        found += str(body.grid(part.key).get((r, c), 0))
        for letter, (sign, (y, x)) in _SIGNS.items():
            here = body.values.get(part.word, {}).get((2 * r - 1 + y, 2 * c - 1 + x))
            found += letter if here == sign else ""
        found += ","
    return found


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

FORMAT = draft_format("tatham", "addresses of games in Simon Tatham's collection", _recognise, _read, _write, line=True)
