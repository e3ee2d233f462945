"""Random small boards with variants, with all their answers by brute force and the checkers in plain Python.

Base     Base("tectonic", text, {(1, 1): "A", ...}, (1, 2, 3), answers): a board without variants, its numbers, and its
         answers
a_board  a_board("thermometer", 0): the text of a board with a random thermometer, and its answers
"""

import random
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice, permutations, product
from pathlib import Path
from typing import NamedTuple

from pyasp_puzzles.puzzles.declaration import shipped_variants
from pyasp_puzzles.puzzles.keys import key_kind_name

from . import rules, strategies
from .documents import files
from .helpers import ENCODINGS
from .rules import Cell, Values, touching
from .strategies import rectangle
from .variants import CHECKERS, Clue, Filled

VARIANTS = sorted(path.parent.name for path in ENCODINGS.glob("variants/*/variant.toml"))
FOLDERS = {name: ENCODINGS / "variants" / name for name in VARIANTS}
DECLARED = {name: tomllib.loads((folder / "variant.toml").read_text("utf-8")) for name, folder in FOLDERS.items()}
# The key of each variant that has one, and its kind.
KEYS = {
    name: (one.keys[0].name, key_kind_name(one.keys[0].kind)) for name, one in shipped_variants().items() if one.keys
}
# Folders of variants in the documents, and in the template: their files.
ADDING = Path("docs/adding-a-puzzle.md")
OWN_KEYS = {"thermo": ("thermos", "paths"), "twins": ("twins", "paths")}
# Variants about pairs without a dot or letter, or cells without a mark, and the variant of these.
NEGATIVE = {
    "negative-box-indexer": "box-indexer",
    "negative-column-indexer": "column-indexer",
    "negative-ratio": "ratio",
    "negative-row-indexer": "row-indexer",
    "negative-xv": "xv",
    "non-consecutive": "difference",
}
# Variants about lines that hold each number once.
LATIN = {"diagonal", "falling-diagonal", "full-rank", "rising-diagonal", "sandwich", "windoku"}
CELLS = rectangle(4, 4)
BOXES = {(r, c): "AABB"[c - 1] if r < 3 else "CCDD"[c - 1] for r, c in CELLS}
# A puzzle without rules of its own: a number of 1 to 3 in each cell, whatever the outline, and any regions.
FREE = {
    "free/free.lp": """
        #defined relaxed/1.
        size(3).
        number(1..3).
        { value(R, C, 1..3) } :- region(R, C, _).
        violated(cell(R, C)) :- region(R, C, _), { value(R, C, V) } != 1.
        :- violated(Rule), not relaxed(Rule).
        #show value/3.
    """,
    "free/puzzle.toml": """
        summary = "A number of 1 to 3 in each cell."
        [answer]
        kind = "numbers"
        output = "value(R, C, V)"
        range = "1..3"
        [keys.regions]
        kind = "regions"
        fact = "region(R, C, B)"
    """,
}
# Most answers of a board without its variants.
MOST = 729


# Boards that list their digits: rows, columns, the size of a box, and the digits.
DIGITS: Sequence[tuple[int, int, tuple[int, int], str]] = (
    (4, 4, (2, 2), "0 1 2 3"),
    (4, 4, (2, 2), "1 2 4 7"),
    (2, 4, (2, 2), "1 2 3 4"),
    (4, 2, (2, 2), "0 1 3 4"),
    (3, 3, (1, 3), "0 1 2"),
    (3, 2, (1, 2), "0 1 2 3"),
    (2, 3, (2, 1), "1 2 3 5"),
    (1, 4, (1, 2), "0 1 2 3 10"),
)


class Base(NamedTuple):
    """A board without variants."""

    puzzle: str
    text: str
    regions: Mapping[Cell, str]
    numbers: Sequence[int]
    """Its numbers, in ascending order."""
    answers: Sequence[Values]

    @property
    def cells(self) -> list[Cell]:
        """Its cells, row by row."""
        return sorted(self.regions)

    def filled(self, values: Values, clues: Mapping[str, Sequence[Clue]]) -> Filled:
        """Return an answer with the clues of variants."""
        return Filled(values, self.regions, clues, self.numbers)

    def pairs(self) -> list[tuple[Cell, Cell]]:
        """Return the pairs of cells that share a side."""
        return self.filled(dict.fromkeys(self.cells, 1), {}).neighbours()

    def corners(self) -> list[Cell]:
        """Return the upper left cells of the 2x2 squares."""
        return [(r, c) for r, c in self.cells if {(r, c + 1), (r + 1, c), (r + 1, c + 1)} <= {*self.cells}]

    def sides(self) -> dict[str, list[list[Cell]]]:
        """Return the cells that a clue outside the board looks along, by its side and place."""
        rows, columns = (max(cell[i] for cell in self.cells) for i in (0, 1))
        down = [[(r, c) for r in range(1, rows + 1) if (r, c) in self.regions] for c in range(1, columns + 1)]
        right = [[(r, c) for c in range(1, columns + 1) if (r, c) in self.regions] for r in range(1, rows + 1)]
        back = {"bottom": [line[::-1] for line in down], "right": [line[::-1] for line in right]}
        return {"top": down, "left": right, **back}


def base(puzzle: str, seed: object = 0) -> Base:
    """Return a board of a puzzle: the blank 4x4 Sudoku, or a random board of another one."""
    rng = random.Random(f"{puzzle} {seed}")  # noqa: S311 (boards, not secrets)
    if puzzle == "digits":
        return digits_base(*rng.choice(DIGITS))
    if puzzle == "sudoku":
        return Base(puzzle, 'puzzle = "sudoku"\nsize = [4, 4]\n', BOXES, range(1, 5), sudokus())
    while True:
        regions = _streams(rng) if puzzle == "strimko" else _grown_regions(rng)
        key = {"strimko": "streams", "tectonic": "blocks", "free": "regions"}[puzzle]
        text = strategies.numbers(puzzle, key, regions, {}).text
        if puzzle == "free":
            numbers = [range(1, 4)] * len(regions)
            answers = [dict(zip(regions, values, strict=True)) for values in islice(product(*numbers), MOST + 1)]
        else:
            found = (rules.strimko_answers if puzzle == "strimko" else rules.tectonic_answers)(regions, {})
            answers = [*islice(found, MOST + 1)]
        if 1 < len(answers) <= MOST:
            largest = 3 if puzzle == "free" else max(Counter(regions.values()).values())
            return Base(puzzle, text, regions, range(1, largest + 1), answers)


def digits_base(rows: int, columns: int, box: tuple[int, int], digits: str) -> Base:
    """Return a Sudoku that lists its digits, with all its answers: no digit is twice in a row, a column or a box."""
    cells, numbers = rectangle(rows, columns), [*map(int, digits.split())]
    regions = {(r, c): f"{(r - 1) // box[0]}-{(c - 1) // box[1]}" for r, c in cells}
    text = f'puzzle = "sudoku"\nsize = [{rows}, {columns}]\nbox = {[*box]}\ndigits = "{digits}"\n'
    return Base("sudoku", text, regions, numbers, [*rules.strimko_answers(regions, {}, (), numbers)])


def _streams(rng: random.Random) -> dict[Cell, str]:
    """Return four streams of four cells: a Latin square, which has answers, with two cells exchanged at times."""
    answer = rng.choice(sudokus())
    streams = {cell: "ABCD"[value - 1] for cell, value in answer.items()}
    if rng.random() < 0.5:
        one, other = rng.sample(CELLS, 2)
        streams[one], streams[other] = streams[other], streams[one]
    return streams


def _grown_regions(rng: random.Random) -> dict[Cell, str]:
    """Return regions of up to 5 cells on a small board, with holes at times; all rows and columns have cells."""
    rows, columns = rng.choice([(1, 5), (2, 3), (3, 2), (2, 4), (3, 3), (4, 2), (2, 5), (3, 4), (4, 4)])
    cells = [cell for cell in rectangle(rows, columns) if rng.random() < 0.85]
    if {r for r, _ in cells} != {*range(1, rows + 1)} or {c for _, c in cells} != {*range(1, columns + 1)}:
        return _grown_regions(rng)
    size = rng.randint(2, 5)
    regions = {cell: {cell} for cell in cells}
    for r, c in rng.sample(cells, len(cells)):
        for other in ((r, c + 1), (r + 1, c)):
            if other in regions and rng.random() < 0.7:
                joined = regions[r, c] | regions[other]
                if len(joined) <= size:
                    regions |= dict.fromkeys(joined, joined)
    names = sorted({min(region) for region in regions.values()})
    return {cell: "ABCDEFGHIJKLMNOP"[names.index(min(region))] for cell, region in regions.items()}


@cache
def sudokus() -> list[Values]:
    """Return all 288 answers of the blank 4x4 Sudoku."""
    return [*_grown([])]


def _grown(rows: list[tuple[int, ...]]) -> Iterator[Values]:
    if len(rows) == 4:
        yield {cell: rows[cell[0] - 1][cell[1] - 1] for cell in CELLS}
        return
    for row in permutations(range(1, 5)):
        columns = all(a != b for above in rows for a, b in zip(above, row, strict=True))
        boxes = len(rows) % 2 == 0 or {*row[:2]} == {*rows[-1][2:]}
        if columns and boxes:
            yield from _grown([*rows, row])


def walk(rng: random.Random, length: int, cells: Sequence[Cell]) -> list[Cell]:
    """Return a path of at most that many cells, diagonal steps included."""
    path = [rng.choice(cells)]
    while len(path) < length:
        near = [cell for cell in cells if cell not in path and cell in touching(path[-1])]
        if not near:
            break
        path.append(rng.choice(near))
    return path


def _a_path(name: str, rng: random.Random, board: Base) -> Clue | None:
    cells = walk(rng, rng.randint(2, 5), board.cells)
    if len(cells) < 2:
        return None
    closed = name in FOLDERS and "closed" in DECLARED[name]["keys"][KEYS[name][0]]
    value = {
        "whispers": rng.choice((None, 1, 2)),
        "lockout-line": rng.choice((1, 2)),
        "modular-line": rng.choice((None, 2)),
        "lunchbox": rng.randint(1, 8),
        "sum-line": rng.choice((None, *range(1, 9))),
    }
    head = [cells.pop(0) for _ in range(min(rng.choice((1, 1, 1, 2)), len(cells) - 1))] if name == "arrow" else []
    return Clue(cells, value.get(name), head, closed and len(cells) > 2 and rng.random() < 0.3)


def _a_cage(name: str, rng: random.Random, board: Base) -> Clue:
    cells = rng.sample(board.cells, rng.randint(2, min(4, len(board.cells))))
    value = {
        "killer-cage": rng.choice((None, rng.randint(3, 9))),
        "look-and-say": f"{rng.randint(1, 2)}{rng.choice([v for v in board.numbers if v < 10])}",
        "sum": rng.randint(2, 12),
        "rellik-cage": rng.randint(2, 12),
    }
    return Clue(cells, value.get(name))


def _a_sight(name: str, rng: random.Random, board: Base) -> Clue:
    if name == "little-killer":
        (r, c), step = rng.choice(board.cells), rng.choice(("dr", "dl", "ur", "ul"))
        y, x = ({"d": 1, "u": -1}[step[0]], {"r": 1, "l": -1}[step[1]])
        seen = [(r + i * y, c + i * x) for i in range(len(board.cells)) if (r + i * y, c + i * x) in board.regions]
        return Clue(seen, rng.randint(1, 12), side=step)
    side = rng.choice(("top", "bottom", "left", "right"))
    most = {"x-sum": 10, "full-rank": 4 * len(board.sides()["left"])}.get(name, board.numbers[-1])
    return Clue(rng.choice(board.sides()[side]), rng.randint(name != "sandwich", most), side=side)


def _a_group(name: str, rng: random.Random, board: Base) -> Clue:
    del name
    size = rng.randint(1, min(3, len(board.cells)))
    return Clue(groups=[rng.sample(board.cells, size) for _ in range(rng.randint(2, 3))])


def _a_pair(name: str, rng: random.Random, board: Base) -> Clue | None:
    value = {"difference": rng.randint(1, 3), "ratio": rng.randint(2, 4), "xv": rng.choice("VVX")}
    pairs = board.pairs()
    return Clue(rng.sample(rng.choice(pairs), 2), value.get(name)) if pairs else None


def _numbers(rng: random.Random, board: Base) -> list[int]:
    return [rng.choice(board.numbers) for _ in range(rng.randint(1, 3))]


def _a_corner(name: str, rng: random.Random, board: Base) -> Clue | None:
    del name
    corners = board.corners()
    return Clue([rng.choice(corners)], _numbers(rng, board)) if corners else None


# A random clue of each kind; None if there is no place for one, or none was found.
CLUES: Mapping[str, Callable[[str, random.Random, Base], Clue | None]] = {
    "paths": _a_path,
    "cages": _a_cage,
    "sights": _a_sight,
    "groups": _a_group,
    "pairs": _a_pair,
    "corners": _a_corner,
    "candidates": lambda _, rng, board: Clue([rng.choice(board.cells)], sorted({*_numbers(rng, board)})),
    "marks": lambda _, rng, board: Clue(rng.sample(board.cells, rng.randint(1, min(3, len(board.cells))))),
}


def written(name: str, clues: Sequence[Clue], board: Base) -> str:
    """Return the clues of a variant as keys of a board; by name if it has no key."""
    if name not in KEYS | OWN_KEYS:
        return f'variants = ["{name}"]\n'
    key, kind = (KEYS | OWN_KEYS)[name]

    def line(clue: Clue) -> str:
        cells = [" ".join(f"r{r}c{c}" for r, c in part) for part in (clue.groups or [clue.cells])]
        words = " = ".join(cells) + (" " + cells[0].split()[0]) * clue.closed
        head = " ".join(f"r{r}c{c}" for r, c in clue.head)
        words = (f"{head} > " if head else "") + words
        value = " ".join(map(str, clue.value)) if isinstance(clue.value, list) else clue.value
        return words + (f" = {value}" if value is not None else "")

    if kind == "sights" and name != "little-killer":
        lines = board.sides()
        seen = {(clue.side, lines[clue.side].index([*clue.cells])): clue.value for clue in clues}
        labels = {side: [str(seen.get((side, i), ".")) for i in range(len(of))] for side, of in lines.items()}
        return "\n".join([f"[{key}]", *(f'{side} = "{" ".join(of)}"' for side, of in labels.items()), ""])
    if kind == "sights":
        texts = [f"r{clue.cells[0][0]}c{clue.cells[0][1]} {clue.side} = {clue.value}" for clue in clues]
    else:
        texts = [*map(line, clues)]
    if kind == "marks":
        return f'{key} = "{" ".join(texts)}"\n'
    return f"{key} = {texts}\n".replace("'", '"')


def dots(name: str, rng: random.Random, board: Base) -> list[Clue]:
    """Return all dots, letters or marks of one kind that are true of some answer."""
    filled = board.filled(rng.choice(board.answers), {})
    value = {"difference": 1, "ratio": 2, "xv": "V"}.get(name)
    found = [Clue(cells, value) for cells in (board.pairs() if value else [[cell] for cell in board.cells])]
    return [clue for clue in found if CHECKERS[name](filled, [clue])]


def a_board(name: str, seed: int, board: Base | None = None) -> tuple[str, list[Values]]:
    """Return a board with a variant, and its answers by the checker: some of all, if there are any.

    The board is the 4x4 Sudoku if none is given.
    """
    board = base("sudoku") if board is None else board
    rng = random.Random(f"{name} {seed}")  # noqa: S311 (boards, not secrets)
    single = {"quadruple", "minimum", "maximum", "pencil-marks"}
    best: tuple[dict[str, list[Clue]], list[Values]] = ({}, [])
    for _ in range(100):
        clues: dict[str, list[Clue]] = {name: []}
        if name in NEGATIVE and (true := dots(NEGATIVE[name], rng, board)):
            clues[NEGATIVE[name]] = true
        if name in KEYS | OWN_KEYS:
            wanted = [
                CLUES[(KEYS | OWN_KEYS)[name][1]](name, rng, board)
                for _ in range(1 if name in single else 1 + seed % 2)
            ]
            clues[name] = [clue for clue in wanted if clue]
            if not clues[name]:
                continue
        if len({str((clue.side, clue.cells, clue.groups)) for clue in clues[name]}) != len(clues[name]):
            continue
        kept = [v for v in board.answers if all(CHECKERS[k](board.filled(v, clues), of) for k, of in clues.items())]
        best = clues, kept
        if 0 < len(kept) < len(board.answers) or name not in KEYS | OWN_KEYS:
            break
    clues, kept = best
    keys = sorted((written(k, of, board) for k, of in clues.items()), key=lambda text: "[" in text[:1])
    return board.text + "".join(keys), kept if clues else [*board.answers]


def own_variants(place: Path) -> list[Path]:
    """Write the variants of the documents and of the template, and the free puzzle; return their folders."""
    template = {path.name: path.read_text("utf-8") for path in (ENCODINGS / "templates" / "variant").iterdir()}
    texts = {name: text for name, text in files(ADDING).items() if name.startswith("thermo/")} | FREE
    texts |= {f"twins/{'twins.lp' if name == 'rules.lp' else name}": text for name, text in template.items()}
    del texts["twins/first.toml"]
    for name, text in texts.items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text(text, encoding="utf-8")
    return [place / name for name in ("thermo", "twins", "free")]
