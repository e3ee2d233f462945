"""puzz.link, pzplus, pzprxs, pzv.jp and other sites of pzprjs: addresses of the puzzles whose folders name them.

    https://puzz.link/p?NAME/[FLAGS/]COLUMNS/ROWS/BODY

Body     the parts that `body` in `[formats.puzzlink]` lists, one after another, each in one of `CODINGS`
Numbers  a hexadecimal digit; `-` and two, `+` and three of them; `g` to `z` skip 1 to 20 places; `.` is a question mark
Bits     five in a digit of base 32; borders are those of neighbors side by side, then those one above the other
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pyasp_puzzles.boards.grid import EMPTY
from pyasp_puzzles.boards.regions import neighbors
from pyasp_puzzles.errors import InstanceError, listing, shown
from pyasp_puzzles.formats.declared import (
    Body,
    Coding,
    Part,
    Said,
    declared_format,
    read_parts,
    said,
    skipping,
    to_instance,
    written_parts,
)
from pyasp_puzzles.puzzles.keys.outside import SIDES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.formats.format import Text
    from pyasp_puzzles.model.puzzle import Instance

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
# The digits of sums: 0 to 19 and 20 to 45.
_SUMS = f"{DIGITS[:20]}{DIGITS[10:].upper()}"
# The usual fleets, by the length of their longest ship.
FLEETS = {"c": 3, "d": 4, "e": 5}
# The directions of arrows: none, up, down, left, right.
_WAYS = (".", *"nswe")
# {first character of a number: how many hexadecimal digits follow, and what is added to them}
_WIDE = {"-": (2, 0), "+": (3, 0), "=": (3, 4096), "@": (3, 8192), "%": (3, 8192)}
_ADDRESS = re.compile(
    r"(?:https?://)?(?:www\.)?(?:[\w.:-]+/)*(?:p|p\.html|index\.html|pzprxs|pzpr)?\?(?:type=\w+&)?"
    r"(?P<name>[a-z][a-z0-9-]*?)(?:_edit|_play)?/(?P<variant>v:\w*/)?(?:(?P<flags>[a-z][a-z0-9]*)/)?"
    r"(?P<columns>\d{1,4})/(?P<rows>\d{1,4})(?:/(?P<body>\S*?))?/?"
)
_HOSTS = re.compile(r"(?:https?://)?(?:www\.)?(?:puzz\.link|pzv\.jp|pzprxs\.vercel\.app|pzplus\.tck\.mn|pzprv3\.\w+)/")


def recognise(text: str) -> bool:
    """Return whether a text is an address of any puzzle of pzprjs."""
    words = text.strip().split(None, 1)[0] if text.strip() else ""
    if len(words) > 100_000 or ("\n" in text.strip() and "?" not in words):
        return False
    return _ADDRESS.fullmatch(words) is not None or _HOSTS.match(words) is not None


def read(text: Text) -> Instance:
    """Return the board of an address."""
    match = _ADDRESS.fullmatch(text.text.strip())
    if match is None:
        raise InstanceError("this is not a whole address of puzz.link; write ...p?NAME/COLUMNS/ROWS/...")
    one = said("puzzlink", "a puzz.link", match["name"], text)
    margin = one.table.get("margin", 0)
    body = Body(one.puzzle, (int(match["rows"]) + margin, int(match["columns"]) + margin), match["body"] or "")
    sides = one.table.get("sides")
    if sides and (body.rows != body.columns or body.rows not in sides):
        expected = listing(f"{side}x{side}" for side in sides)
        board = f"{one.puzzle.name.capitalize()} of {body.rows}x{body.columns}"
        raise InstanceError(f"a puzz.link {board} has no boxes; one of {expected} has")
    read_parts(one, CODINGS, body)
    body.values |= one.names[match["name"]]
    for flag in match["flags"] or "":
        if flag not in one.flags:
            raise InstanceError(f"this address has the flag {shown(flag)}, a rule that {one.puzzle.name} lacks here")
        body.values |= one.flags[flag]
    told = "the rules of the variant that this address is, which it does not tell"
    return to_instance(body, text, (f"left out: {told}",) if match["variant"] else ())


def write(one: Said, body: Body) -> str:
    """Return the address of a board."""
    flags = "".join(flag for flag, values in one.flags.items() if values and one.has(body, values))
    text = written_parts(one, CODINGS, body)
    text += "/" if text.endswith(".") else ""  # a full stop would end a sentence
    margin = one.table.get("margin", 0)
    size = f"{body.columns - margin}/{body.rows - margin}"
    return f"https://puzz.link/p?{one.name_of(body)}/{f'{flags}/' if flags else ''}{size}/{text}"


# -- Numbers -----------------------------------------------------------------------------------


def _take_numbers(body: Body, count: int, part: Part) -> dict[int, int | str]:
    """Return the numbers at the start of the text by their places, of which there are so many."""
    found: dict[int, int | str] = {}
    at = i = 0
    text = body.text
    while i < len(text) and at < count:
        digit = text[i]
        wide, more = _WIDE.get(digit, (0, 0))
        word = text[i + 1 : i + 1 + wide] if wide else digit
        if "g" <= digit <= "z":
            at += DIGITS.index(digit) - 15
        elif digit == ".":
            found[at] = _unknown(part)
            at += 1
        elif re.fullmatch(rf"[0-9a-f]{{{wide or 1}}}", word):
            found[at] = int(word, 16) + more
            at += 1
        else:
            raise InstanceError(f"{shown(text[i : i + 1 + wide])} is not a number: copy the whole address")
        i += 1 + wide
    if at != count:
        raise InstanceError(f"the address has numbers for {at} of {count} places: copy it whole")
    body.text = text[i:]
    return found


def _unknown(part: Part) -> str:
    """Return the token of a clue that is a question mark."""
    if not part.word:
        raise InstanceError(f"a clue is a question mark; {part.key} are numbers")
    return part.word


def _numbers(values: Iterable[object], part: Part) -> str:
    """Return numbers as a text; None is no number."""
    words = []
    for value in values:
        if value is None:
            words.append("")
        elif str(value) == part.word:
            words.append(".")
        else:
            number = int(str(value))
            words.append(f"{number:x}" if number < 16 else f"-{number:02x}" if number < 256 else f"+{number:03x}")
    return skipping(words, DIGITS[16:])


def _read_numbers(body: Body, part: Part) -> None:
    found = _take_numbers(body, len(body.places), part)
    body.grid(part.key).update((body.places[i], value) for i, value in found.items())


def _write_numbers(body: Body, part: Part) -> str:
    grid = body.grid(part.key)
    return "" if part.optional and not grid else _numbers(map(grid.get, body.places), part)


def _read_codes(body: Body, part: Part) -> None:
    """Read numbers that stand for the tokens of a key, in the order of its words."""
    tokens = part.word.split(",")
    found = _take_numbers(body, len(body.places), part._replace(word=""))
    body.grid(part.key).update((body.places[i], tokens[int(code)]) for i, code in found.items())


def _write_codes(body: Body, part: Part) -> str:
    tokens = part.word.split(",")
    codes = [body.grid(part.key).get(cell) for cell in body.places]
    return _numbers((None if token is None else tokens.index(str(token)) for token in codes), part._replace(word=""))


def _read_fleet(body: Body, part: Part) -> None:
    """Read straight pieces: `//` and the letter of a usual fleet, or `/`, their number, and each after a slash."""
    words = body.take(len(body.text), part.key).split("/")
    pieces = words[2:] if words[1] else [_piece(n) for n in _fleet(FLEETS[words[2]])]
    lengths = {_piece(n): n for n in range(1, 10)} | {_piece(n, upright=True): n for n in range(1, 10)}
    body.values[part.key] = sorted(part.word * lengths[piece] for piece in pieces)


def _write_fleet(body: Body, part: Part) -> str:
    lengths = sorted((len(ship) for ship in body.values.get(part.key, ())), reverse=True)
    usual = next((letter for letter, longest in FLEETS.items() if lengths == _fleet(longest)), None)
    return f"//{usual}" if usual else "/".join(["", str(len(lengths)), *map(_piece, sorted(lengths))])


def _fleet(longest: int) -> list[int]:
    """Return the lengths of the ships of a usual fleet: one of the longest, two shorter by one, and so on."""
    return [n for n in range(longest, 0, -1) for _ in range(longest - n + 1)]


def _piece(length: int, *, upright: bool = False) -> str:
    """Return a straight piece: its sides, and its cells as bits."""
    return f"{1 if upright else length}{length if upright else 1}{_digits([1] * length, 32, 5)}"


def _read_small(body: Body, part: Part) -> None:
    """Read numbers up to 4: 5 is added if one empty cell follows, 10 if two do."""
    at, grid = 0, body.grid(part.key)
    while at < len(body.places):
        digit = body.take(1, part.key)
        if "g" <= digit <= "z":
            at += DIGITS.index(digit) - 15
            continue
        value = DIGITS.index(digit) if digit != "." else -1
        grid[body.places[at]] = value % 5 if value >= 0 else _unknown(part)
        at += 1 + max(value, 0) // 5


def _write_small(body: Body, part: Part) -> str:
    grid = body.grid(part.key)
    words, at = list[str](), 0
    while at < len(body.places):
        value = grid.get(body.places[at])
        if value is None or str(value) == part.word:
            words.append("" if value is None else ".")
            at += 1
            continue
        free = next((i for i, cell in enumerate(body.places[at + 1 : at + 3]) if cell in grid), 2)
        words.append(DIGITS[int(value) + 5 * free])
        at += 1 + free
    return skipping(words, DIGITS[16:])


def _read_letters(body: Body, part: Part) -> None:
    """Read a digit of base 36 for each cell."""
    for cell in body.places:
        digit = body.take(1, part.key)
        if digit != EMPTY:
            body.grid(part.key)[cell] = int(body.take(2, part.key) if digit == "-" else digit, 36)


def _write_letters(body: Body, part: Part) -> str:
    values = (body.grid(part.key).get(cell) for cell in body.places)
    return "".join(EMPTY if v is None else _base_36(int(v)) for v in values)


def _base_36(value: int) -> str:
    return DIGITS[value] if value < 36 else f"-{DIGITS[value // 36]}{DIGITS[value % 36]}"


def _read_count(body: Body, part: Part) -> None:
    """Read a number of the board, up to a slash."""
    number, _, body.text = body.text.partition("/")
    body.values[part.key] = int(number)


def _sums(body: Body, part: Part) -> list[str]:
    """Return the regions that the numbers of a key are about, in the order of their first cells."""
    of = body.key(part.key).options["of"]
    return [*dict.fromkeys(region for _, region in sorted(body.regions(of).items()))]


def _read_sums(body: Body, part: Part) -> None:
    regions = _sums(body, part)
    found = _take_numbers(body, len(regions), part)
    body.values[part.key] = {regions[i]: value for i, value in found.items()}


def _outside(body: Body, part: Part) -> list[int]:
    """Return how many numbers each line outside may have."""
    several = body.key(part.key).option("several")
    along = {side: body.rows if side in SIDES[:2] else body.columns for side in SIDES}
    return [(along[side] + 1) // 2 if several else 1 for side, length in body.sides(part.key) for _ in range(length)]


def _read_outside(body: Body, part: Part) -> None:
    """Read the numbers of each line outside, outwards from the board."""
    counts, at, lines = _outside(body, part), 0, list[list[str]]()
    found = _take_numbers(body, sum(counts), part)
    for count in counts:
        lines.append([str(found[i]) for i in reversed(range(at, at + count)) if i in found])
        at += count
    body.set_labels(part, lines)


def _write_outside(body: Body, part: Part) -> str:
    values: list[object] = []
    for line, count in zip(body.labels(part), _outside(body, part), strict=True):
        values += [*line[::-1], *[None] * count][:count]
    return _numbers(values, part)


# -- Bits and the like ---------------------------------------------------------------------------


def _take_digits(body: Body, count: int, base: int, each: int, what: str) -> list[int]:
    """Return so many small numbers at the start of the text, `each` of them in a digit of a base."""
    found: list[int] = []
    root = round(base ** (1 / each))
    for digit in body.take(-(-count // each), what):
        if digit not in DIGITS[:base]:
            raise InstanceError(f"{shown(digit)} is not one of {what}: these are written 0 to {DIGITS[base - 1]}")
        value = DIGITS.index(digit)
        found += [value // root**place % root for place in reversed(range(each))]
    return found[:count]


def _digits(values: Sequence[int], base: int, each: int) -> str:
    root = round(base ** (1 / each))
    found = ""
    for i in range(0, len(values), each):
        value = 0
        for j in range(i, i + each):
            value = value * root + (values[j] if j < len(values) else 0)
        found += DIGITS[value]
    return found


def _read_borders(body: Body, part: Part) -> None:
    walls = body.walls.setdefault(part.key, set())
    for pairs in neighbors(body.rows, body.columns):
        bits = _take_digits(body, len(pairs), 32, 5, "borders")
        walls |= {pair for pair, bit in zip(pairs, bits, strict=True) if bit}


def _write_borders(body: Body, part: Part) -> str:
    region = body.regions(part.key).get
    bits = [[region(a) != region(b) for a, b in pairs] for pairs in neighbors(body.rows, body.columns)]
    return "".join(_digits(one, 32, 5) for one in bits)


def _read_marked(body: Body, part: Part) -> None:
    """Read a bit for each cell: whether it is a hole, or has the token of a key."""
    bits = _take_digits(body, len(body.places), 32, 5, part.key or "holes")
    marked = {cell for cell, bit in zip(body.places, bits, strict=True) if bit}
    if part.key:
        body.grid(part.key).update(dict.fromkeys(marked, part.word))
    else:
        body.holes |= marked


def _write_marked(body: Body, part: Part) -> str:
    marked = body.grid(part.key) if part.key else body.holes
    return "" if part.optional and not marked else _digits([cell in marked for cell in body.places], 32, 5)


def _read_kinds(body: Body, part: Part) -> None:
    """Read for each cell none or one of the two tokens of a key."""
    tokens = part.word.split(",")
    for cell, kind in zip(body.places, _take_digits(body, len(body.places), 27, 3, part.key), strict=True):
        if kind:
            body.grid(part.key)[cell] = tokens[kind - 1]


def _write_kinds(body: Body, part: Part) -> str:
    tokens = ["", *part.word.split(",")]
    return _digits([tokens.index(str(body.grid(part.key).get(cell, ""))) for cell in body.places], 27, 3)


def _read_sparse(body: Body, part: Part) -> None:
    """Read the cells with a token: 0 to h is one, and how many free cells follow; i to z skip 1 to 18 cells."""
    at = 0
    while at < len(body.places):
        value = DIGITS.index(body.take(1, part.key))
        if value < 18:
            body.grid(part.key)[body.places[at]] = part.word
        at += 1 + value if value < 18 else value - 17


def _write_sparse(body: Body, part: Part) -> str:
    found, at, grid = "", 0, body.grid(part.key)
    while at < len(body.places):
        here = body.places[at] in grid
        following = body.places[at + here : at + 18]
        free = next((i for i, cell in enumerate(following) if cell in grid), len(following))
        found += DIGITS[free + 17 * (not here)]
        at += free + here
    return found


def _read_arrows(body: Body, part: Part) -> None:
    """Read a direction and a number for each cell with an arrow; 5 is added before two digits. Letters skip cells."""
    at = 0
    while at < len(body.places):
        digit = body.take(1, part.key)
        if "a" <= digit <= "z":
            at += DIGITS.index(digit) - 9
            continue
        way = 0 if digit == "+" else int(body.take(1, part.key) if digit == "-" else digit)
        wide = 3 if digit == "-" else 2 if way > 4 else 1
        number = "." if digit == "+" else body.take(wide, part.key)
        known = number != "." and way % 5
        token = f"{int(number, 16)}{_WAYS[way % 5]}" if known else _unknown(part)
        body.grid(part.key)[body.places[at]] = token
        at += 1


def _write_arrows(body: Body, part: Part) -> str:
    words = []
    for cell in body.places:
        token = str(body.grid(part.key).get(cell, ""))
        if token in {"", part.word}:
            words.append("0." if token else "")
            continue
        number, way = int(token[:-1]), _WAYS.index(token[-1])
        words.append(f"{way}{number:x}" if number < 16 else f"{way + 5}{number:02x}")
    return skipping(words, DIGITS[10:])


def _read_kakuro(body: Body, part: Part) -> None:
    """Read the sums down and across of black cells, and then those outside, next to white cells; k to z are white."""
    grid, at = body.grid(part.key), 0
    inner = [cell for cell in body.places if min(cell) > 1]
    grid.update((cell, "x") for cell in body.places if min(cell) == 1)

    def sums(digits: str) -> str:
        found = ((_SUMS.index(digit), way) for digit, way in zip(digits, "se", strict=True) if digit not in "-0")
        return "".join(f"{number}{way}" for number, way in found) or "x"

    while at < len(inner):
        digit = body.take(1, part.key)
        if "k" <= digit <= "z":
            at += DIGITS.index(digit) - 19
            continue
        grid[inner[at]] = "x" if digit == "." else sums(digit + body.take(1, part.key))
        at += 1
    for c in range(2, body.columns + 1):
        if (2, c) not in grid:
            grid[1, c] = sums(body.take(1, part.key) + "-")
    for r in range(2, body.rows + 1):
        if (r, 2) not in grid:
            grid[r, 1] = sums("-" + body.take(1, part.key))


def _write_kakuro(body: Body, part: Part) -> str:
    grid = body.grid(part.key)

    def sums(cell: Cell, ways: str) -> str:
        numbers = {way: int(number) for number, way in re.findall(r"(\d+)([se])", str(grid.get(cell, "")))}
        return "".join(_SUMS[numbers[way]] if way in numbers else "-" for way in ways)

    words = [(sums(cell, "se").replace("--", ".") if cell in grid else "") for cell in body.places if min(cell) > 1]
    down = [sums((1, c), "s") for c in range(2, body.columns + 1) if (2, c) not in grid]
    across = [sums((r, 1), "e") for r in range(2, body.rows + 1) if (r, 2) not in grid]
    return skipping(words, DIGITS[20:]) + "".join(down + across)


def _read_dots(body: Body, part: Part) -> None:
    """Read dots in cells, on sides and on corners: two less than twice the dots that may be between, and its color."""
    at, places = 0, list[int]()
    while at < (2 * body.columns - 1) * (2 * body.rows - 1):
        value = DIGITS.index(body.take(1, part.key))
        places += [at] * (value < 16)
        at += value // 2 + 1 if value < 16 else value - 15
    body.set_dots(part.key, places)


def _write_dots(body: Body, part: Part) -> str:
    dots = {*body.dots(part.key)}
    words, at = list[str](), 0
    while at < (2 * body.columns - 1) * (2 * body.rows - 1):
        following = [i for i in range(1, 8) if at + i in dots]
        words.append(DIGITS[2 * (following[0] - 1) if following else 14] if at in dots else "")
        at += (following[0] if following else 8) if at in dots else 1
    return skipping(words, DIGITS[16:])


def _read_slash(body: Body, _: Part) -> None:
    body.take(1, "parts")


CODINGS: dict[str, Coding[Body, str]] = {
    "numbers": Coding(_read_numbers, _write_numbers),
    "codes": Coding(_read_codes, _write_codes),
    "fleet": Coding(_read_fleet, _write_fleet),
    "small": Coding(_read_small, _write_small),
    "letters": Coding(_read_letters, _write_letters),
    "count": Coding(_read_count, lambda body, part: f"{body.values.get(part.key, 0)}/"),
    "sums": Coding(
        _read_sums,
        lambda body, part: _numbers((body.values.get(part.key, {}).get(one) for one in _sums(body, part)), part),
    ),
    "outside": Coding(_read_outside, _write_outside),
    "borders": Coding(_read_borders, _write_borders),
    "marked": Coding(_read_marked, _write_marked),
    "kinds": Coding(_read_kinds, _write_kinds),
    "sparse": Coding(_read_sparse, _write_sparse),
    "arrows": Coding(_read_arrows, _write_arrows),
    "dots": Coding(_read_dots, _write_dots),
    "kakuro": Coding(_read_kakuro, _write_kakuro),
    "slash": Coding(_read_slash, lambda _body, _part: "/"),
}

FORMAT = declared_format(
    "puzzlink",
    "addresses of puzz.link and other sites of pzprjs",
    recognise,
    read,
    write,
    line=True,
)
