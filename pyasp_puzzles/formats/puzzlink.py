"""puzz.link, pzplus, pzprxs, pzv.jp and other sites of pzprjs: addresses of the puzzles whose folders name them.

    https://puzz.link/p?NAME/[FLAGS/]COLUMNS/ROWS/BODY

Body     the parts that `body` in `[formats.puzzlink]` lists, one after another, each in one of `CODINGS`
Numbers  a hexadecimal digit; `-` and two, `+` and three of them, and other marks; `g` to `z` skip 1 to 20 places; `.`
         is a question mark. Of "digits", a decimal digit, and `a` to `z` skip 1 to 26
Bits     five in a digit of base 32; borders are those of neighbors side by side, then those one above the other

`folder_from_link` begins a new folder for a puzzle with what a link to one of its boards says: the name of the puzzle
and the size of the board. The keys and the codings of the known puzzles are tried on its body, alone or after regions;
those that read all of it and write it back alike fit.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from contextlib import suppress
from functools import reduce
from itertools import pairwise
from pathlib import Path
from string import ascii_lowercase
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.symbols import UNKNOWN
from pyasp_puzzles.boards.grid import EMPTY, OUTSIDE, Cell, check_grid_size, neighbor_pairs
from pyasp_puzzles.errors import InstanceError, PuzzleError, listing, shown
from pyasp_puzzles.formats.codings import (
    Body,
    Coding,
    FormatTable,
    Part,
    TokenCoding,
    body_of_draft,
    draft_of_body,
    entries,
    find_entry,
    read_parts,
    read_tokens,
    write_parts,
    write_skips,
)
from pyasp_puzzles.formats.exchange import Draft, draft_format
from pyasp_puzzles.formats.format import COPY_WHOLE, dumps
from pyasp_puzzles.puzzles import templates
from pyasp_puzzles.puzzles.declaration import PUZZLE_FILE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyasp_puzzles.formats.format import Text

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
# The digits of sums: 0 to 19 and 20 to 45.
_SUMS = f"{_DIGITS[:20]}{_DIGITS[10:].upper()}"
# The usual fleets, by the length of their longest ship.
_FLEETS = {"c": 3, "d": 4, "e": 5}
# The directions of arrows: none, up, down, left, right.
_WAYS = (".", *"nswe")
# How many kinds of tokens are packed: in which base, and how many in a digit of it.
_PACKED = {1: (32, 5), 2: (27, 3)}
# {mark: the least number after it, what is added to the digits, how many digits}; the mark of a number is the last one
# whose least number is not greater.
_MARKS = {
    "-": (16, 0, 2), "+": (256, 0, 3), "=": (4096, 4096, 3), "%": (8192, 8192, 3), "@": (8192, 8192, 3),
    "*": (12240, 12240, 4), "$": (77776, 77776, 5),
}  # fmt: skip
_ADDRESS = re.compile(
    r"(?:https?://)?(?:www\.)?(?:[\w.:-]+/)*(?:p|p\.html|index\.html|pzprxs|pzpr)?\?(?:type=\w+&)?"
    r"(?P<name>[a-z][a-z0-9_-]*?)(?:_edit|_play)?/(?P<variant>v:\w*/)?(?:(?P<flags>[a-z][a-z0-9]*)/)?"
    r"(?P<columns>\d{1,4})/(?P<rows>\d{1,4})(?:/(?P<body>\S*?))?/?"
)
_HOSTS = r"(?:https?://)?(?:www\.)?(?:puzz\.link|pzv\.jp|pzprxs\.vercel\.app|pzplus\.tck\.mn|pzprv3\.\w+)/"


def _recognise(text: str) -> bool:
    """Return whether a text is an address of any puzzle of pzprjs."""
    address = text.strip().split(None, 1)[0] if text.strip() else ""
    if len(address) > 100_000 or ("\n" in text.strip() and "?" not in address):
        return False
    return _ADDRESS.fullmatch(address) is not None or re.match(_HOSTS, address) is not None


def match_address(text: str) -> re.Match[str]:
    """Return the parts of an address.

    Raises:
        InstanceError: it is not a whole one, or of a variant of its puzzle.
    """
    match = _ADDRESS.fullmatch(text.strip())
    if match is None:
        message = "this is not a whole address of puzz.link, ...p?NAME/COLUMNS/ROWS/..."
        raise InstanceError(f"{message}: if the link is cut, {COPY_WHOLE}")
    if match["variant"]:
        raise InstanceError(
            f"this is a variant whose rules no address tells; without {match['variant']} it has the usual ones"
        )
    return match


def _read(text: Text) -> Draft:
    """Return the board of an address."""
    match = match_address(text.text)
    table = find_entry("puzzlink", "a puzz.link", match["name"], text)
    margin = table.table.get("margin", 0)
    body = Body(table.puzzle, (int(match["rows"]) + margin, int(match["columns"]) + margin), match["body"] or "")
    sides = table.table.get("sides")
    if sides and (body.rows != body.columns or body.rows not in sides):
        expected = listing(f"{side}x{side}" for side in sides)
        board = f"{table.puzzle.name.capitalize()} of {body.rows}x{body.columns}"
        raise InstanceError(f"a puzz.link {board} has no boxes; one of {expected} has")
    read_parts(table, CODINGS, body)
    body.values |= table.names[match["name"]]
    for flag in match["flags"] or "":
        if flag not in table.flags:
            raise InstanceError(f"this address has the flag {shown(flag)}, a rule that {table.puzzle.name} lacks here")
        body.values |= table.flags[flag]
    return draft_of_body(body, text)


def _write(draft: Draft) -> str:
    """Return the address of a board."""
    body = body_of_draft(draft)
    table = FormatTable(body.puzzle, body.puzzle.formats["puzzlink"])
    flags = "".join(flag for flag, values in table.flags.items() if values and table.has(body, values))
    text = write_parts(table, CODINGS, body)
    text += "/" if text.endswith(".") else ""  # a full stop would end a sentence
    margin = table.table.get("margin", 0)
    size = f"{body.columns - margin}/{body.rows - margin}"
    return f"https://puzz.link/p?{table.name_of(body)}/{f'{flags}/' if flags else ''}{size}/{text}"


# -- Tokens of places --------------------------------------------------------------------------


def _unknown(part: Part) -> str:
    """Return the token of a question mark."""
    if not part.unknown:
        raise InstanceError(f"a clue is a question mark, for which {part.key} have no meaning here")
    return part.unknown


def _number(word: str, part: Part) -> int | str:
    if word == ".":
        return _unknown(part)
    return int(word[1:], 16) + _MARKS[word[0]][1] if word[0] in _MARKS else int(word, 16)


def _written_number(token: str, part: Part) -> str:
    if token == part.unknown:
        return "."
    number = int(token)
    mark = next((mark for mark in reversed(_MARKS) if number >= _MARKS[mark][0]), "")
    _, more, digits = _MARKS.get(mark, (0, 0, 1))
    return f"{mark}{number - more:0{digits}x}"


def _coded(word: str, part: Part) -> str:
    """Return the token of a part with this number."""
    tokens, number = part.word.split(","), _number(word, part)
    if number == UNKNOWN:
        return UNKNOWN
    if int(number) >= len(tokens):
        raise InstanceError(f"{shown(word)} is not one of the {part.key}, which are numbered 0 to {len(tokens) - 1}")
    return tokens[int(number)]


def _digit_or_hole(word: str, part: Part) -> int | str:
    """Return a number; with the word `7=#`, 7 is a hole."""
    return OUTSIDE if part.word == f"{word}={OUTSIDE}" else _number(word, part)


def _written_digit(token: str, part: Part) -> str:
    if token in {part.unknown, OUTSIDE}:
        return part.word[0] if token == OUTSIDE else "."
    if len(token) > 1:
        raise InstanceError(f"puzzlink cannot store {part.key} over 9 of this puzzle")
    return token


def _written_letter(token: str, part: Part) -> str:
    if token == part.unknown:
        return "@"
    high, low = divmod(int(token), 36)
    return (f"-{_DIGITS[high]}" if high else "") + _DIGITS[low]


def _arrow(word: str, part: Part) -> str:
    """Return the number and the direction of an arrow; 5 is added to the direction before two digits."""
    way, number = (0, ".") if word == "+" else (int(word[0]), word[1:]) if word[0] != "-" else (int(word[1]), word[2:])
    if not way % 5:
        if number != ".":
            raise InstanceError(
                f"a clue is {int(number, 16)} without a direction, for which {part.key} have no meaning"
            )
        return part.word
    return f"{UNKNOWN if number == '.' else int(number, 16)}{_WAYS[way % 5]}"


def _written_arrow(token: str, part: Part) -> str:
    if token == part.word:
        return "0."
    number, way = token[:-1], _WAYS.index(token[-1])
    if number == UNKNOWN:
        return f"{way}."
    return _digit_and_number(way, int(number)) if int(number) < 256 else f"-{way}{int(number):03x}"


def _digit_and_number(digit: int, number: int) -> str:
    """Return a digit and a hexadecimal number after it; before two digits, 5 is added."""
    return f"{digit}{number:x}" if number < 16 else f"{digit + 5}{number:02x}"


def _index(token: str, part: Part) -> int:
    """Return which one of the tokens of a part this is, from 0."""
    tokens = part.word.split(",")
    if token not in tokens:
        raise InstanceError(f"puzzlink cannot store {shown(token) if token else 'a cell without one'} of {part.key}")
    return tokens.index(token)


def _colored(word: str, part: Part) -> str:
    """Return one of the tokens of a part, and a number: of two tokens, 6 is 3 of the first, 7 is 3 of the second."""
    tokens = part.word.split(",")
    number, i = divmod(int(_number(word, part._replace(unknown=""))), len(tokens))
    return f"{tokens[i]},{number or ''}"


def _written_colored(token: str, part: Part) -> str:
    name, number = token.split(",")
    return _written_number(str(int(number or 0) * len(part.word.split(",")) + _index(name, part)), part)


def _colored_arrow(word: str, part: Part) -> str:
    """Return a color, and an arrow; a part's first token is a clue without an arrow, and the others are the colors."""
    bare, *colors = part.word.split(",")
    return f"{colors[int(word[0])]},{_arrow(word[1:], part._replace(word=bare))}"


def _written_colored_arrow(token: str, part: Part) -> str:
    bare, _, colors = part.word.partition(",")
    color, arrow = token.split(",")
    return f"{_index(color, part._replace(word=colors))}{_written_arrow(arrow or bare, part._replace(word=bare))}"


def _mirror(word: str, part: Part) -> str:
    """Return one of five tokens of a part, and a number; the fifth has none. Before two digits, 5 is added."""
    i, number = int(word[0]), int(word[1:] or "0", 16)
    return f"{part.word.split(',')[i - 1 - 5 * (i > 5)]},{number or ''}"


def _written_mirror(token: str, part: Part) -> str:
    name, number = token.split(",")
    i = _index(name, part) + 1
    return str(i) if i == 5 else _digit_and_number(i, int(number or 0))


def _quarters(word: str, part: Part) -> str:
    """Return the numbers above, below, left and right, some of which are missing: "2n3e"."""
    numbers = re.findall(_NUMBERS.pattern, word)
    known = [f"{_number(n, part)}{way}" for n, way in zip(numbers, _WAYS[1:], strict=True) if n != "."]
    return "".join(known) or part.word


def _written_quarters(token: str, part: Part) -> str:
    numbers = {way: number for number, way in re.findall(r"(\d+)([nswe])", token)}
    return "".join(_written_number(numbers[way], part) if way in numbers else "." for way in _WAYS[1:])


def _several(packed: Mapping[int, tuple[str, int, int]]) -> TokenCoding:
    """Return the coding of up to four numbers in a cell, "1,1,3" or "1,?": {how many: (mark, value of zeros, base)}."""

    def token(word: str, part: Part) -> str:
        if len(word) == 1:
            return _unknown(part) if word == "." else "1,1,1,1" if word == "9" else word
        mark, value = word.rstrip(_DIGITS), int(word.strip("+-"), 36)
        count = max((count for count, (its, first, _) in packed.items() if its == mark and value >= first), default=0)
        _, first, base = packed.get(count, ("", 0, 1))
        if not count or value - first >= base**count:
            raise InstanceError(f"{shown(word)} is not one of the {part.key}: {COPY_WHOLE}")
        return ",".join(str((value - first) // base**i % base or _unknown(part)) for i in reversed(range(count)))

    def text(token: str, part: Part) -> str:
        numbers = [0 if number == UNKNOWN else int(number) for number in token.split(",")]
        if len(numbers) == 1:
            return _written_number(token, part)
        mark, first, base = packed.get(len(numbers), ("", 0, 0))
        if max(numbers) >= base:
            raise InstanceError(f"puzzlink cannot store {token} of {part.key}")
        value = first + reduce(lambda total, number: total * base + number, numbers)
        return "9" if value == 475 and base == 2 else mark + _DIGITS[value // 36] + _DIGITS[value % 36]

    return TokenCoding(r"[0-9.]|[a-f][0-9a-z]|[+-][0-9a-z]{2}", _DIGITS[16:], token, text)


def _read_gaps(body: Body, part: Part) -> None:
    """Read how many free places are before each token: a digit of base 36, or `.` for 36 without a token."""
    places, at = body.places_of(part.key), -1
    while body.text and at < len(places) - 1:
        digit = body.take(1, part.key)
        at += 36 if digit == "." else 1 + _digit(digit, 36, part.key)
        if digit != "." and at < len(places):
            body.add(part, {places[at]: part.word})


def _write_gaps(body: Body, part: Part) -> str:
    tokens = body.tokens(part)
    marked = [-1, *(i for i, place in enumerate(body.places_of(part.key)) if place in tokens)]
    gaps = [after - before - 1 for before, after in pairwise(marked)]
    return "".join("." * (gap // 36) + _DIGITS[gap % 36] for gap in gaps)


def _read_count(body: Body, part: Part) -> None:
    """Read a number, or nothing, and the slash after it."""
    number, _, body.text = body.text.partition("/")
    if part.key:
        body.values[part.key] = int(number)


def _read_fleet(body: Body, part: Part) -> None:
    """Read straight pieces: `//` and the letter of a usual fleet, or `/`, their number, and each after a slash."""
    parts = body.take(len(body.text), part.key).split("/")
    straight = parts[1] or parts[2] in _FLEETS
    pieces = parts[2:] if parts[1] else [_piece(n) for n in _fleet(_FLEETS[parts[2]])] if straight else []
    lengths = {_piece(n): n for n in range(1, 10)} | {_piece(n, upright=True): n for n in range(1, 10)}
    if not straight or not lengths.keys() >= {*pieces}:
        raise InstanceError(f"this {part.key} has ships of other shapes than straight ones, which pyasp does not read")
    body.values[part.key] = sorted(part.word * lengths[piece] for piece in pieces)


def _write_fleet(body: Body, part: Part) -> str:
    lengths = sorted((len(ship) for ship in body.values.get(part.key, ())), reverse=True)
    usual = next((letter for letter, longest in _FLEETS.items() if lengths == _fleet(longest)), None)
    return f"//{usual}" if usual else "/".join(["", str(len(lengths)), *map(_piece, sorted(lengths))])


def _fleet(longest: int) -> list[int]:
    """Return the lengths of the ships of a usual fleet: one of the longest, two shorter by one, and so on."""
    return [n for n in range(longest, 0, -1) for _ in range(longest - n + 1)]


def _piece(length: int, *, upright: bool = False) -> str:
    """Return a straight piece: its sides, and its cells as bits."""
    return f"{1 if upright else length}{length if upright else 1}{_digits([1] * length, 32, 5)}"


# -- Bits and the like ---------------------------------------------------------------------------


def _take_digits(body: Body, count: int, base: int, each: int, what: str) -> list[int]:
    """Take `count` small numbers from the start of the text; a digit of the base packs `each` of them."""
    values, root = list[int](), round(base ** (1 / each))
    for digit in body.take(-(-count // each), what):
        value = _digit(digit, base, what)
        values += [value // root**place % root for place in reversed(range(each))]
    return values[:count]


def _digit(digit: str, base: int, what: str) -> int:
    """Return the value of a digit.

    Raises:
        InstanceError: it is none of this base.
    """
    if digit not in _DIGITS[:base]:
        raise InstanceError(f"{shown(digit)} is not one of {what}: these are written 0 to {_DIGITS[base - 1]}")
    return _DIGITS.index(digit)


def _digits(values: Sequence[int], base: int, each: int) -> str:
    root, padded = round(base ** (1 / each)), [*values, *[0] * (-len(values) % each)]
    groups = (padded[i : i + each] for i in range(0, len(padded), each))
    return "".join(_DIGITS[reduce(lambda total, value: total * root + value, group)] for group in groups)


def _read_borders(body: Body, part: Part) -> None:
    walls = set()
    for pairs in neighbor_pairs(body.rows, body.columns):
        bits = _take_digits(body, len(pairs), 32, 5, "borders")
        walls |= {pair for pair, bit in zip(pairs, bits, strict=True) if bit}
    body.divide(part, walls)


def _write_borders(body: Body, part: Part) -> str:
    borders = body.borders(part)
    bits = [[pair in borders for pair in pairs] for pairs in neighbor_pairs(body.rows, body.columns)]
    return "".join(_digits(row, 32, 5) for row in bits)


def _read_kinds(body: Body, part: Part) -> None:
    """Read for each place whether it has a token: one, or one of two."""
    tokens, places = part.word.split(","), body.places_of(part.key)
    kinds = _take_digits(body, len(places), *_PACKED[len(tokens)], part.key or "holes")
    body.add(part, {place: tokens[kind - 1] for place, kind in zip(places, kinds, strict=True) if kind})


def _write_kinds(body: Body, part: Part) -> str:
    tokens, by_place = part.word.split(","), body.tokens(part)
    kinds = [1 + tokens.index(str(by_place[place])) if place in by_place else 0 for place in body.places_of(part.key)]
    return "" if part.optional and not by_place else _digits(kinds, *_PACKED[len(tokens)])


def _read_unmarked(body: Body, part: Part) -> None:
    """Read for each place whether it has no token."""
    places = body.places_of(part.key)
    bits = _take_digits(body, len(places), *_PACKED[1], part.key)
    body.add(part, {place: part.word for place, bit in zip(places, bits, strict=True) if not bit})


def _write_unmarked(body: Body, part: Part) -> str:
    by_place = body.tokens(part)
    return _digits([int(place not in by_place) for place in body.places_of(part.key)], *_PACKED[1])


def _read_double(body: Body, part: Part) -> None:
    """Read the sums down and across of black cells, and then those outside, next to white cells; k to z are white."""
    grid, inner = body.grid(part.key), [cell for cell in body.places if min(cell) > 1]
    grid.update((cell, "x") for cell in body.places if min(cell) == 1)

    def sums(digits: str) -> str:
        placed = ((_SUMS.index(digit), way) for digit, way in zip(digits, "se", strict=True) if digit not in "-0")
        return "".join(f"{number}{way}" for number, way in placed) or "x"

    placed, body.text = read_tokens(body.text, len(inner), r"\.|[-0-9a-jA-Z]{2}", _DIGITS[20:], part.key)
    grid.update((inner[i], "x" if word == "." else sums(word)) for i, word in placed.items())
    for c in range(2, body.columns + 1):
        if (2, c) not in grid:
            grid[1, c] = sums(body.take(1, part.key) + "-")
    for r in range(2, body.rows + 1):
        if (r, 2) not in grid:
            grid[r, 1] = sums("-" + body.take(1, part.key))


def _write_double(body: Body, part: Part) -> str:
    grid = body.grid(part.key)

    def sums(cell: Cell, ways: str) -> str:
        numbers = {way: int(number) for number, way in re.findall(r"(\d+)([se])", str(grid.get(cell, "")))}
        return "".join(_SUMS[numbers[way]] if way in numbers else "-" for way in ways)

    texts = [(sums(cell, "se").replace("--", ".") if cell in grid else "") for cell in body.places if min(cell) > 1]
    down = [sums((1, c), "s") for c in range(2, body.columns + 1) if (2, c) not in grid]
    across = [sums((r, 1), "e") for r in range(2, body.rows + 1) if (r, 2) not in grid]
    return write_skips(texts, _DIGITS[20:]) + "".join(down + across)


_ARROW = r"-\d[0-9a-f]{3}|[5-9][0-9a-f]{2}|[0-4][0-9a-f.]"
_NUMBERS = TokenCoding(
    r"[0-9a-f]|-[0-9a-f]{2}|[+=@%][0-9a-f]{3}|\*[0-9a-f]{4}|\$[0-9a-f]{5}|\.", _DIGITS[16:], _number, _written_number
)
_KINDS = Coding(_read_kinds, _write_kinds)
CODINGS: dict[str, Coding | TokenCoding] = {
    "numbers": _NUMBERS,
    "outside": _NUMBERS,
    "codes": _NUMBERS._replace(
        token=_coded,
        text=lambda token, part: "." if token == UNKNOWN else _written_number(str(_index(token, part)), part),
    ),
    "digits": TokenCoding(r"[0-9.]", ascii_lowercase, _digit_or_hole, _written_digit),
    "fleet": Coding(_read_fleet, _write_fleet),
    "small": TokenCoding(
        r"[0-9a-e]|\.",
        _DIGITS[16:],
        lambda word, part: _unknown(part) if word == "." else _DIGITS.index(word) % 5,
        _written_number,
        values=5,
        most=2,
    ),
    "letters": TokenCoding(
        "-[0-9a-z]{2}|[0-9a-z@%]",
        EMPTY,
        lambda word, part: _unknown(part) if word in "@%" else int(word.strip("-"), 36),
        _written_letter,
    ),
    "count": Coding(_read_count, lambda body, part: f"{body.values.get(part.key, 0)}/"),
    "borders": Coding(_read_borders, _write_borders),
    "marked": _KINDS,
    "unmarked": Coding(_read_unmarked, _write_unmarked),
    "kinds": _KINDS,
    "sparse": TokenCoding("[0-9a-h]", _DIGITS[18:], values=1, most=17),
    "arrows": TokenCoding(rf"\+|{_ARROW}", _DIGITS[10:], _arrow, _written_arrow),
    "colored-arrows": TokenCoding(rf"[0-2](?:{_ARROW})", ascii_lowercase, _colored_arrow, _written_colored_arrow),
    "colored": _NUMBERS._replace(token=_colored, text=_written_colored),
    "mirrors": TokenCoding("5|[1-4][0-9a-f]|[6-9][0-9a-f]{2}", ascii_lowercase, _mirror, _written_mirror),
    "quarters": TokenCoding(rf"(?:{_NUMBERS.pattern}){{4}}", _DIGITS[16:], _quarters, _written_quarters),
    "several": _several({2: ("", 360, 6), 3: ("", 396, 4), 4: ("", 460, 2)}),
    "several-long": _several({2: ("", 360, 8), 3: ("+", 36, 7), 4: ("-", 36, 6)}),
    "pieces": TokenCoding(
        "[a-g]",
        _DIGITS[17:],
        lambda word, part: part.word.split(",")[_DIGITS.index(word) - 10],
        lambda token, part: _DIGITS[10 + _index(token, part)],
    ),
    "gaps": Coding(_read_gaps, _write_gaps),
    "dots": TokenCoding("[0-9a-f]", _DIGITS[16:], values=2, most=7),
    "double": Coding(_read_double, _write_double),
    "slash": Coding(_read_count, lambda *_: "/"),
}

FORMAT = draft_format(
    "puzzlink", "addresses of puzz.link and other sites of pzprjs", _recognise, _read, _write, line=True
)


# -- A folder from a link --------------------------------------------------------------------------

_PARTS = "name", "flags", "columns", "rows", "body"


class _Suggestion(NamedTuple):
    """A way to read the body of a link: its parts, as in a declaration, and the tables of their keys."""

    body: tuple[str, ...] = ()
    keys: str = ""

    @property
    def reading(self) -> tuple[tuple[str, ...], ...]:
        """The codings of the parts that must be there, and the kinds of the keys, except walls."""
        codings = [part.split()[0] for part in self.body if "?" not in part]
        kinds = re.findall(r'^kind = "(?!borders)(.*)"', self.keys, re.MULTILINE)
        return tuple(codings), tuple(kinds)


def folder_from_link(name: str, link: str, answer: str, directory: Path) -> tuple[Path, bool]:
    """Write a folder for the puzzle of a link; return its path, and whether keys were found that fit the body.

    If they were, the folder also has the board of the link. For the other arguments and `EncodingError`, see
    `templates.new_folder`.

    Raises:
        InstanceError: it is no link, the board is too large, or its kind has a puzzle already.
    """
    from tempfile import TemporaryDirectory

    from pyasp_puzzles.formats.load import loads

    address = match_address(link)
    rows, columns = int(address["rows"]), int(address["columns"])
    check_grid_size(rows, columns)
    for table in entries(FORMAT.name, (), address["name"]):
        if address["name"] in table.names:
            known = table.puzzle.name
            raise InstanceError(
                f"this is a board of {known}, which has a folder; `pyasp encoding {known}` prints its rules"
            )
    fitting: dict[_Suggestion, str] = {}
    with TemporaryDirectory() as place:
        for i, suggestion in enumerate(_suggestions(answer)):
            if suggestion.reading in {one.reading for one in fitting}:
                continue
            files = _files(name, address, answer, [suggestion])
            folder = templates.write_folder(name, files, Path(place, str(i)))
            with suppress(PuzzleError):
                (board,) = loads(link, puzzles=[folder])
                if match_address(dumps(board, FORMAT.name)).group(*_PARTS) == address.group(*_PARTS):
                    fitting[suggestion] = dumps(board._replace(details={"source": link}), "toml")
    files = _files(name, address, answer, [*fitting])
    if fitting:
        files["first.toml"] = next(iter(fitting.values()))
    return templates.write_folder(name, files, directory), bool(fitting)


def _suggestions(answer: str) -> list[_Suggestion]:
    """Return the ways to read a body: few parts first, then those without figures, then those of most puzzles."""
    found = Counter[_Suggestion]()
    for table in entries(FORMAT.name, ()):
        named = {key for part in table.parts for key in (*part.key.split(","), part.word)}
        keys = table.puzzle.keys
        of_answers = answer != "numbers" and any(key.kind.role == "answers" for key in keys)
        if not of_answers and table.table.keys() <= {"names", "body", "flags"} and {key.name for key in keys} <= named:
            text = (table.puzzle.folder / PUZZLE_FILE).read_text(encoding="utf-8")
            tables = re.sub(r"^#.*\n", "", "".join(templates.KEYS.findall(text)), flags=re.MULTILINE)
            found[_Suggestion(tuple(table.table["body"]), f"{tables.strip()}\n")] += 1
    singles = [one for one in found if len(one.body) == 1]
    areas = [one for one in singles if one.body[0].startswith("borders ")]
    pairs = [_Suggestion(one.body + other.body, f"{one.keys}\n{other.keys}") for one in areas for other in singles]
    return sorted(dict.fromkeys([*found, *pairs]), key=lambda one: (len(one.body), "picture" in one.keys, -found[one]))


def _files(name: str, address: re.Match[str], answer: str, fitting: list[_Suggestion]) -> dict[str, str]:
    """Return the files of a folder with the first keys that fit; a comment names the others."""
    first, *others = fitting or [_Suggestion()]
    also = "".join(f"# It can also be read as {_array(one.body)}.\n" for one in others)
    size = max(int(address["rows"]), int(address["columns"]))
    declaration = f"""\
# What boards and answers of {name} look like, as far as a link tells; the rules are in {name}.lp.
summary = "The rules are not written yet."
cell = "cell(R, C)"              # a fact for each cell of the board
usual_size = {size:<20}# the board of the link is {address["rows"]}x{address["columns"]}

{templates.answer_table(answer)}{first.keys}
# Addresses of puzz.link: the parts of the body, each with its coding and its key.
{also}[formats.puzzlink]
names = ["{address["name"]}"]
{f"body = {_array(first.body)}" if first.body else "# body = [...]"}
"""
    return {PUZZLE_FILE: declaration, f"{name}.lp": templates.bare_rules(name, answer, first.keys)}


def _array(words: tuple[str, ...]) -> str:
    return json.dumps(words, ensure_ascii=False)
