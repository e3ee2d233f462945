"""Every shipped variant: its rules mean what a checker in plain Python says, and every command honours them."""

import random
import re
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
# The key of each variant and its kind.
KEYS = {
    name: next((key, of["kind"]) for key, of in one["keys"].items()) for name, one in DECLARED.items() if "keys" in one
}
# Variants about pairs without a dot or letter, and the variant of these.
NEGATIVE = {"negative-ratio": "ratio", "negative-xv": "xv", "non-consecutive": "difference"}
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


def a_clue(name: str, rng: random.Random) -> Clue:  # noqa: PLR0911
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
        totals: dict[str, int | str | None] = {
            "killer-cage": rng.choice((None, rng.randint(3, 9))),
            "look-and-say": said,
        }
        return Clue(cells, totals.get(name, rng.randint(2, 12) if name in {"sum", "rellik-cage"} else None))
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


def dots(name: str, rng: random.Random) -> list[Clue]:
    """Return all dots or letters of one kind that are true of some Sudoku."""
    values = rng.choice(sudokus())
    pairs = Filled(values, BOXES, {}).neighbours()
    value = {"difference": 1, "ratio": 2, "xv": "V"}[name]
    found = [Clue(pair, value) for pair in pairs]
    return [clue for clue in found if CHECKERS[name](Filled(values, BOXES, {}), [clue])]


def a_board(name: str, seed: int) -> tuple[str, list[Values]]:
    """Return a 4x4 Sudoku with a variant, and all its answers by the checker: some of 288, if there can be any."""
    rng = random.Random(f"{name} {seed}")  # noqa: S311
    for _ in range(100):
        clues = {name: [a_clue(name, rng)] if name in KEYS else []}
        if name in NEGATIVE:
            clues[NEGATIVE[name]] = dots(NEGATIVE[name], rng)
        if name in KEYS and seed % 2 and name not in {"quadruple", "minimum", "maximum", "pencil-marks"}:
            clues[name].append(a_clue(name, rng))
        found = [v for v in sudokus() if all(CHECKERS[k](Filled(v, BOXES, clues), of) for k, of in clues.items())]
        different = len({clue.side + str(clue.cells) for clue in clues[name]}) == len(clues[name])
        if different and (0 < len(found) < 288 or name not in KEYS):
            break
    keys = sorted((written(k, of) for k, of in clues.items()), key=lambda text: "[" in text[:1])
    return 'puzzle = "sudoku"\nsize = [4, 4]\n' + "".join(keys), found


def broken(values: Values, text: str) -> set[str]:
    """Return the names of the rules of a board's variants that a filled board violates, by plain clingo."""
    filled = "".join(f":- not value({r}, {c}, {v}).\n" for (r, c), v in values.items())
    instance = one(text)
    more = f"{filled}relaxed(Rule) :- violated(Rule).\n#show.\n#show Rule : violated(Rule).\n"
    control = grounded(instance, *rule_files(instance)[1:], more=more)
    with control.solve(yield_=True) as models:
        found = {str(rule) for model in models for rule in model.symbols(terms=True)}
    return {rule for rule in found if not re.match(r"cell\(|once\((row|col|stream)\(", rule)}


def all_values(instance: Instance) -> set[tuple[int, ...]]:
    """Return the numbers of all answers."""
    return {tuple(answer.values[cell] for cell in CELLS) for answer in solutions(instance, 0)}


@pytest.mark.parametrize(("name", "seed"), [(name, seed) for name in VARIANTS for seed in range(1 + (name in KEYS))])
def test_rules_mean_what_the_checker_says(name: str, seed: int) -> None:
    """All answers of a small board are those that the checker accepts, with the rules for speed and without."""
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


@pytest.mark.parametrize("name", sorted(FOLDERS.keys() - KEYS.keys()))
def test_filled_boards(name: str) -> None:
    """A filled 9x9 board breaks a variant without keys if and only if the checker says so."""
    cells = rectangle(9, 9)
    regions = {(r, c): f"{(r - 1) // 3}{(c - 1) // 3}" for r, c in cells}
    for down, right, boxes in (3, 1, 1), (3, 3, 0), (1, 1, 0), (2, 5, 0), (4, 1, 0), (3, 1, 0), (2, 7, 0), (3, 2, 2):
        values = {(r, c): (down * r + right * c + boxes * ((r - 1) // 3)) % 9 + 1 for r, c in cells}
        obeyed = CHECKERS[name](Filled(values, regions, {}), [])
        assert obeyed != bool(broken(values, f'puzzle = "sudoku"\nsize = [9, 9]\nvariants = ["{name}"]\n'))


@pytest.mark.parametrize("name", VARIANTS)
def test_folders_are_complete(name: str) -> None:
    """A variant has a summary, a header with what it reads and how its rules are called, and words for each rule."""
    assert DECLARED[name]["summary"].endswith(".")
    header, _, rules_ = (FOLDERS[name] / f"{name}.lp").read_text("utf-8").partition("\n\n")
    assert re.match(r"% [A-Z].*\.", header)
    assert re.search(r"^% Input:   \S", header, re.MULTILINE)
    named = set(re.findall(r"(\w+)\(", header.partition("% Names:")[2]))
    heads = set(re.findall(r"^violated\((\w+)\(", rules_, re.MULTILINE))
    assert heads <= named
    text, _ = a_board(name, 0)
    instance = one(text)
    words = [*instance.puzzle.companions("words"), *FOLDERS[name].glob("words.lp")]
    messages: list[str] = []
    control = grounded(instance, *rule_files(instance)[1:], *words, messages=messages)
    atoms = {
        which: {str(atom.symbol.arguments[0]) for atom in control.symbolic_atoms.by_signature(which, arity)}
        for which, arity in (("violated", 1), ("says", 2), ("excludes", 2), ("blocks", 2))
    }
    assert {rule for rule in atoms["violated"] if not rule.startswith("given")} <= atoms["says"]
    assert heads <= atoms["excludes"] & atoms["blocks"]
    assert not [message for message in messages if "info" not in message]


def test_lines_of_encodings_are_short() -> None:
    """No line of the shipped rules is wider than 120 columns."""
    files = ENCODINGS.rglob("*.lp")
    assert [
        f"{file.name}: {line}" for file in files for line in file.read_text("utf-8").split("\n") if len(line) > 120
    ] == []


COMMANDS = "solve count check explain hint grade minimize draw book facts".split()
BOARD = """puzzle = "sudoku"
variants = ["anti-knight"]
thermometers = "r1c1 r1c2 r1c3"
killer_cages = "r3c1 r3c2 r4c2 = 7"
givens = '''
. . . .
. . . .
. . . .
. . . 1
'''
"""
