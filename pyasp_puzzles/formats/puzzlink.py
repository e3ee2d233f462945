"""puzz.link, pzprxs, pzv.jp and other sites of pzprjs: addresses of `sudoku` and `suguru`.

    https://puzz.link/p?suguru/COLUMNS/ROWS/BORDERS NUMBERS [HOLES]

Borders   bits, five in a digit of base 32: those between neighbours side by side, then those one above the other
Numbers   a hexadecimal digit; `-` and two, or `+` and three of them; `g` to `z` skip 1 to 20 cells
Holes     a bit for each cell, as borders
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pyasp_puzzles.boards.grid import all_cells
from pyasp_puzzles.boards.regions import neighbors, regions_of, usual_boxes
from pyasp_puzzles.errors import InstanceError, shown
from pyasp_puzzles.formats.numbers import Can, NumberBoard, number_format

if TYPE_CHECKING:
    from pyasp_puzzles.boards.grid import Cell

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
# The sides of Sudokus whose boxes pzprjs draws as they are.
SIDES = (4, 6, 9, 16, 25)
PUZZLES = {"sudoku": "sudoku", "suguru": "tectonic", "capsules": "tectonic"}
_ADDRESS = re.compile(
    r"(?:https?://)?(?:www\.)?(?:[\w.:-]+/)*(?:p|p\.html|index\.html|pzprxs|pzpr)?\?(?:type=\w+&)?"
    r"(?P<name>[a-z][a-z0-9-]*?)(?:_edit|_play)?/(?:[a-z][a-z:0-9]*/)?(?:v:\w+/)?"
    r"(?P<columns>\d{1,4})/(?P<rows>\d{1,4})(?:/(?P<body>\S*?))?/?"
)
_HOSTS = re.compile(r"(?:https?://)?(?:www\.)?(?:puzz\.link|pzv\.jp|pzprxs\.vercel\.app|pzplus\.tck\.mn|pzprv3\.\w+)/")
# Names of puzzles that differ from the word in the address.
_KNOWN = (
    "slither Slitherlink, mashu Masyu, lightup Akari, hashi Hashiwokakero, hashikake Hashiwokakero, gokigen Slant, "
    "firefly Hotaru Beam, numlin Numberlink, kaero Return Home, ripple Ripple Effect, starbattle Star Battle, cbanana "
    "Choco Banana, simpleloop Simple Loop, castle Castle Wall, country Country Road, dbchoco Double Choco, easyasabc "
    "Easy as ABC, interbd International Borders, lits LITS, mines Minesweeper, nagare Nagareru-Loop, nurimaze "
    "Nuri-Maze, simplegako Simple Gako, statuepark Statue Park, tapaloop Tapa-Like Loop, tslither Touch Slitherlink, "
    "vslither Vertex Slitherlink, yajikazu Yajisan-Kazusan, yinyang Yin-Yang, cts Cross the Streams, icewalk Ice Walk, "
    "kinkonkan Kin-Kon-Kan, onsen Onsen-meguri, kazunori Kazunori Room, meander Meandering Numbers, factors Rooms of "
    "Factors, japanesesums Japanese Sums, renban Renban-Madoguchi, sukororoom Sukoro-room, building Skyscrapers, "
    "moonsun Moon or Sun, midloop Mid-loop, maxi Maxi Loop, balance Balance Loop, ayeheya Ekawayeh, cojun Kojun, "
    "ringring Ring-ring, yajilin-regions Regional Yajilin"
)


def recognise(text: str) -> bool:
    """Return whether a text is an address of any puzzle of pzprjs."""
    words = text.strip().split(None, 1)[0] if text.strip() else ""
    if len(words) > 100_000 or ("\n" in text.strip() and "?" not in words):
        return False
    return _ADDRESS.fullmatch(words) is not None or _HOSTS.match(words) is not None


def read(text: str) -> NumberBoard:
    """Return the board of an address."""
    match = _ADDRESS.fullmatch(text.strip())
    if match is None:
        raise InstanceError("this is not a whole address of puzz.link; write ...p?sudoku/9/9/... or ...p?suguru/...")
    name = match["name"]
    if name not in PUZZLES:
        known = dict(words.split(" ", 1) for words in re.split(r",\s+", _KNOWN))
        title = known.get(name, name.capitalize())
        raise InstanceError(f"this is a puzz.link {title}; pyasp reads only sudoku and suguru from there")
    rows, columns, body = int(match["rows"]), int(match["columns"]), match["body"] or ""
    cells = all_cells(rows, columns)
    if PUZZLES[name] == "sudoku":
        if rows != columns or rows not in SIDES:
            raise InstanceError(
                f"a puzz.link Sudoku of {rows}x{columns} has no boxes; one of 4x4, 6x6, 9x9, 16x16 or 25x25 has"
            )
        givens, rest = _numbers(body, cells)
        _check_end(rest)
        return NumberBoard("sudoku", givens, usual_boxes(rows))
    beside, above = neighbors(rows, columns)
    first, second = -(-len(beside) // 5), -(-len(above) // 5)
    if len(body) < first + second:
        raise _cut_off(len(body), "borders", rows, columns, first + second)
    walls = {pair for pair, bit in zip(beside, _bits(body[:first]), strict=False) if bit}
    walls |= {pair for pair, bit in zip(above, _bits(body[first : first + second]), strict=False) if bit}
    givens, rest = _numbers(body[first + second :], cells)
    third = -(-len(cells) // 5)
    if 0 < len(rest) < third:
        raise _cut_off(len(rest), "holes", rows, columns, third)
    holes = {cell for cell, bit in zip(cells, _bits(rest[:third]), strict=False) if bit}
    _check_end(rest[third:])
    regions = regions_of([cell for cell in cells if cell not in holes], walls)
    if not regions:
        raise InstanceError("this board has no cells")
    return NumberBoard("tectonic", givens, regions)


def _cut_off(length: int, what: str, rows: int, columns: int, needed: int) -> InstanceError:
    return InstanceError(
        f"the address has {length} characters of {what}; {rows}x{columns} needs {needed}: copy it whole"
    )


def _check_end(rest: str) -> None:
    if rest:
        raise InstanceError(f"{shown(rest)} follows the end of the board: copy the address alone")


def _bits(text: str) -> list[int]:
    """Return the bits of digits of base 32, five of each."""
    wrong = next((digit for digit in text if digit not in DIGITS[:32]), None)
    if wrong:
        raise InstanceError(f"{shown(wrong)} is not a border; borders are written 0 to 9 and a to v")
    return [int(bit) for digit in text for bit in f"{DIGITS.index(digit):05b}"]


def _numbers(text: str, cells: list[Cell]) -> tuple[dict[Cell, int], str]:
    """Return the numbers at the start of a text, and the rest of it."""
    found: dict[Cell, int] = {}
    at = i = 0
    while i < len(text) and at < len(cells):
        digit = text[i]
        wide = {"-": 2, "+": 3}.get(digit, 0)
        word = text[i + 1 : i + 1 + wide] if wide else digit
        if "g" <= digit <= "z":
            at += DIGITS.index(digit) - 15
        elif digit == ".":
            raise InstanceError("a clue is a question mark; pyasp reads numbers")
        elif re.fullmatch(rf"[0-9a-f]{{{wide or 1}}}", word):
            found[cells[at]] = int(word, 16)
            at += 1
        else:
            raise InstanceError(f"{shown(text[i : i + 1 + wide])} is not a number of a cell: copy the whole address")
        i += 1 + wide
    if at != len(cells):
        raise InstanceError(f"the address has numbers for {at} of {len(cells)} cells: copy it whole")
    return {cell: value for cell, value in found.items() if value}, text[i:]


def write(board: NumberBoard) -> str:
    """Return the address of a board."""
    rows, columns = board.size
    places = board.places()
    body = _written_numbers([board.givens.get(cell) for cell in places])
    if board.puzzle == "sudoku":
        return f"https://puzz.link/p?sudoku/{columns}/{rows}/{body}"
    beside, above = neighbors(rows, columns)
    region = board.regions.get
    borders = "".join(_digits([region(a) != region(b) for a, b in pairs]) for pairs in (beside, above))
    holes = [cell not in board.regions for cell in places]
    end = _digits(holes) if any(holes) else ""
    return f"https://puzz.link/p?suguru/{columns}/{rows}/{borders}{body}{end}"


def _written_numbers(values: list[int | None]) -> str:
    found, empty = "", 0
    for value in [*values, -1]:
        if value is None:
            empty += 1
        if empty and (value is not None or empty == 20):
            found += DIGITS[15 + empty]
            empty = 0
        if value is not None and value >= 0:
            found += f"{value:x}" if value < 16 else f"-{value:02x}" if value < 256 else f"+{value:03x}"
    return found


def _digits(bits: list[bool]) -> str:
    """Return bits as digits of base 32, five in each."""
    words = "".join("01"[bit] for bit in bits)
    return "".join(DIGITS[int(words[i : i + 5].ljust(5, "0"), 2)] for i in range(0, len(words), 5))


FORMAT = number_format(
    "puzzlink",
    "addresses of puzz.link and other sites of pzprjs: Sudoku, and Tectonic as suguru",
    recognise,
    read,
    write,
    can=Can(puzzles=("sudoku", "tectonic"), sides=SIDES, scattered=False),
    line=True,
)
