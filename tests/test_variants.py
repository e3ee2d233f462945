"""Every shipped variant: its rules mean what a checker in plain Python says, and every command honours them."""

import random
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations

import pytest

from pyasp_puzzles import Instance, solutions
from pyasp_puzzles.puzzles.question import rule_files

from .helpers import ENCODINGS, grounded, one
from .rules import Cell, Values
from .strategies import rectangle
from .variants import CHECKERS, Clue, Filled

VARIANTS = sorted(path.parent.name for path in ENCODINGS.glob("variants/*/variant.toml"))
FOLDERS = {name: ENCODINGS / "variants" / name for name in VARIANTS}
DECLARED = {name: tomllib.loads((folder / "variant.toml").read_text("utf-8")) for name, folder in FOLDERS.items()}
# {variant: (key, kind)}
KEYS = {
    name: next((key, of["kind"]) for key, of in one["keys"].items()) for name, one in DECLARED.items() if "keys" in one
}
# Variants that no 4x4 Sudoku obeys, or that look at dots and letters.
NEGATIVE = {
    "negative-ratio": ("ratio", "difference"),
    "negative-xv": ("xv",),
    "non-consecutive": ("ratio", "difference"),
}
CELLS = rectangle(4, 4)
BOXES = {(r, c): "AABB"[c - 1] if r < 3 else "CCDD"[c - 1] for r, c in CELLS}
SIDES = {
    "top": [[(r, i) for r in range(1, 5)] for i in range(1, 5)],
    "bottom": [[(r, i) for r in range(4, 0, -1)] for i in range(1, 5)],
    "left": [[(i, c) for c in range(1, 5)] for i in range(1, 5)],
    "right": [[(i, c) for c in range(4, 0, -1)] for i in range(1, 5)],
}


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


def walk(rng: random.Random, length: int) -> list[Cell]:
    """Return a path of at most that many cells, diagonal steps included."""
    path = [rng.choice(CELLS)]
    while len(path) < length:
        r, c = path[-1]
        near = [x for x in CELLS if x not in path and max(abs(x[0] - r), abs(x[1] - c)) == 1]
        if not near:
            break
        path.append(rng.choice(near))
    return path


def a_clue(name: str, rng: random.Random) -> Clue:
    """Return a random clue of a variant."""
    _, kind = KEYS[name]
    if kind == "paths":
        cells = walk(rng, rng.randint(2, 5))
        closed = "closed" in DECLARED[name]["keys"][KEYS[name][0]] and len(cells) > 2 and rng.random() < 0.3
        head = [cells.pop(0)] if name == "arrow" else []
        value = {
            "whispers": rng.choice((None, 1, 2)),
            "lockout-line": rng.choice((1, 2)),
            "modular-line": rng.choice((None, 2)),
        }
        return Clue(
            cells, value.get(name, rng.randint(1, 8) if name in {"lunchbox", "sum-line"} else None), head, closed
        )
    if kind == "cages":
        cells = rng.sample(CELLS, rng.randint(2, 4))
        said = f"{rng.randint(1, 2)}{rng.randint(1, 4)}"
        value = {"killer-cage": rng.choice((None, rng.randint(3, 9))), "look-and-say": said}
        return Clue(cells, value.get(name, rng.randint(2, 12) if name in {"sum", "rellik-cage"} else None))
    if kind == "groups":
        size = rng.randint(1, 3)
        return Clue(groups=[rng.sample(CELLS, size) for _ in range(rng.randint(2, 3))])
    if kind == "pairs":
        pair = rng.choice([(a, b) for a in CELLS for b in CELLS if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1])
        return Clue(
            pair, {"difference": rng.randint(1, 3), "ratio": rng.randint(2, 4), "xv": rng.choice("VVX")}.get(name)
        )
    if kind in {"corners", "candidates"}:
        numbers = [rng.randint(1, 4) for _ in range(rng.randint(1, 3))]
        return Clue([(rng.randint(1, 3), rng.randint(1, 3))], numbers if kind == "corners" else sorted({*numbers}))
    if kind == "marks":
        return Clue(rng.sample(CELLS, rng.randint(1, 3)))
    if name == "little-killer":
        r, c, step = rng.randint(1, 4), rng.randint(1, 4), rng.choice(("dr", "dl", "ur", "ul"))
        y, x = ({"d": 1, "u": -1}[step[0]], {"r": 1, "l": -1}[step[1]])
        return Clue(
            [(r + i * y, c + i * x) for i in range(4) if (r + i * y, c + i * x) in CELLS], rng.randint(1, 12), side=step
        )
    side = rng.choice([*SIDES])
    return Clue(
        rng.choice(SIDES[side]), rng.randint(0 if name == "sandwich" else 1, 10 if name == "x-sum" else 4), side=side
    )


def written(name: str, clues: Sequence[Clue]) -> str:
    """Return the clues of a variant as keys of a board; by name if it has no key."""
    if name not in KEYS:
        return f'variants = ["{name}"]\n'
    key, kind = KEYS[name]

    def line(clue: Clue) -> str:
        cells = [" ".join(f"r{r}c{c}" for r, c in part) for part in (clue.groups or [clue.cells])]
        words = " = ".join(cells) + (" " + cells[0].split()[0]) * clue.closed
        words = "".join(f"r{r}c{c} > " for r, c in clue.head) + words
        value = " ".join(map(str, clue.value)) if isinstance(clue.value, list) else clue.value
        return words + (f" = {value}" if value is not None else "")

    if kind == "sights" and name != "little-killer":
        seen = {(clue.side, SIDES[clue.side].index([*clue.cells])): clue.value for clue in clues}
        sides = (f'{side} = "{" ".join(str(seen.get((side, i), ".")) for i in range(4))}"' for side in SIDES)
        return "\n".join([f"[{key}]", *sides, ""])
    if kind == "sights":
        lines = [f"r{clue.cells[0][0]}c{clue.cells[0][1]} {clue.side} = {clue.value}" for clue in clues]
    else:
        lines = [*map(line, clues)]
    if kind == "marks":
        return f'{key} = "{" ".join(lines)}"\n'
    return f"{key} = {lines}\n".replace("'", '"')


def a_board(name: str, seed: int) -> tuple[str, list[Values]]:
    """Return a 4x4 Sudoku with a variant, and all its answers by the checker: some of 288, if the variant can be obeyed."""
    rng = random.Random(f"{name} {seed}")
    for _ in range(100):
        clues = {name: [a_clue(name, rng)] if name in KEYS else []}
        for other in NEGATIVE.get(name, ()):
            clues[other] = [a_clue(other, rng)]
            if other == "ratio":
                clues[other] = [clues[other][0]._replace(value=2)]
        if name in KEYS and seed % 2 and name not in {"quadruple", "minimum", "maximum", "pencil-marks"}:
            clues[name].append(a_clue(name, rng))
        found = [v for v in sudokus() if all(CHECKERS[k](Filled(v, BOXES, clues), of) for k, of in clues.items())]
        if len({clue.side + str(clue.cells) for clue in clues[name]}) == len(clues[name]) and 0 < len(found) < 288:
            break
    keys = sorted((written(k, of) for k, of in clues.items()), key=lambda text: "[" in text[:1])
    return 'puzzle = "sudoku"\nsize = [4, 4]\n' + "".join(keys), found


def all_values(instance: Instance) -> set[tuple[int, ...]]:
    """Return the numbers of all answers."""
    return {tuple(answer.values[cell] for cell in CELLS) for answer in solutions(instance, 0)}


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("name", VARIANTS)
def test_rules_mean_what_the_checker_says(name: str, seed: int) -> None:
    """All answers of a small board are those that the checker accepts, with the rules for speed and in plain clingo without."""
    text, expected = a_board(name, seed)
    instance = one(text)
    wanted = {tuple(values[cell] for cell in CELLS) for values in expected}
    assert all_values(instance) == wanted, text
    messages: list[str] = []
    control = grounded(instance, *rule_files(instance)[1:], messages=messages)
    plain = set()
    with control.solve(yield_=True) as models:
        for model in models:
            values = {tuple(a.number for a in atom.arguments) for atom in model.symbols(shown=True)}
            plain.add(tuple(v for _, _, v in sorted(values)))
    assert plain == wanted, text
    assert not messages
