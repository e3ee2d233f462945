"""Every shipped variant: its rules mean what a checker in plain Python says, and every command honours them."""

import random
import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations

import pytest

from pyasp_puzzles import Instance, solutions
from pyasp_puzzles.asp.paths import mode_path
from pyasp_puzzles.asp.search import Search
from pyasp_puzzles.puzzles.question import rule_files

from .helpers import ENCODINGS, grounded, one
from .rules import Cell, Values
from .strategies import rectangle
from .variants import CHECKERS, Clue, Filled

VARIANTS = sorted(path.parent.name for path in ENCODINGS.glob("variants/*/variant.toml"))
FOLDERS = {name: ENCODINGS / "variants" / name for name in VARIANTS}
DECLARED = {name: tomllib.loads((folder / "variant.toml").read_text("utf-8")) for name, folder in FOLDERS.items()}
# The key of each variant that has one, and its kind.
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


def a_clue(name: str, rng: random.Random) -> Clue:  # noqa: PLR0911 (one for each kind)
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
        said_by: dict[str, int | str | None] = {
            "killer-cage": rng.choice((None, rng.randint(3, 9))),
            "look-and-say": said,
        }
        return Clue(cells, said_by.get(name, rng.randint(2, 12) if name in {"sum", "rellik-cage"} else None))
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
    """Return a 4x4 Sudoku with a variant, and its answers by the checker: some of 288, if there are any."""
    rng = random.Random(f"{name} {seed}")  # noqa: S311 (boards, not secrets)
    for _ in range(100):
        clues = {name: [a_clue(name, rng)] if name in KEYS else []}
        if name in NEGATIVE:
            clues[NEGATIVE[name]] = dots(NEGATIVE[name], rng)
        if name in KEYS and seed % 2 and name not in {"quadruple", "minimum", "maximum", "pencil-marks"}:
            clues[name].append(a_clue(name, rng))
        found = [v for v in sudokus() if all(CHECKERS[k](Filled(v, BOXES, clues), of) for k, of in clues.items())]
        different = len({str((clue.side, clue.cells, clue.groups)) for clue in clues[name]}) == len(clues[name])
        if different and (0 < len(found) < 288 or name not in KEYS):
            break
    keys = sorted((written(k, of) for k, of in clues.items()), key=lambda text: "[" in text[:1])
    return 'puzzle = "sudoku"\nsize = [4, 4]\n' + "".join(keys), found


def all_values(instance: Instance) -> set[tuple[int, ...]]:
    """Return the numbers of all answers."""
    return {tuple(answer.values[cell] for cell in CELLS) for answer in solutions(instance, 0)}


# A filled 6x6 Sudoku for each variant that no 4x4 Sudoku has an answer with.
SIXES = {
    "anti-king": "351264 264351 415623 623145 146532 532416",
    "anti-taxicab": "364521 215346 152634 436152 643215 521463",
    "global-entropy": "412365 536214 123546 645132 261453 354621",
    "global-modulo": "465132 213546 321654 546213 132465 654321",
}


@cache
def six(name: str, *, flipped: bool) -> list[Values]:
    """Return all 6x6 Sudokus with the three upper rows of the board of a variant, or of the board upside down."""
    rows = [tuple(map(int, row)) for row in SIXES[name].split()]
    return [*_completed((rows[::-1] if flipped else rows)[:3])]


def _completed(rows: list[tuple[int, ...]]) -> Iterator[Values]:
    """Yield the 6x6 Sudokus that begin with some rows."""
    if len(rows) == 6:
        yield {(r, c): rows[r - 1][c - 1] for r, c in rectangle(6, 6)}
        return
    for row in permutations(range(1, 7)):
        boxes = len(rows) % 2 == 0 or {*row[:3]} == {*rows[-1][3:]}
        if boxes and all(a != b for above in rows for a, b in zip(above, row, strict=True)):
            yield from _completed([*rows, row])


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("name", SIXES)
def test_rules_about_the_whole_board(name: str, flipped: bool) -> None:  # noqa: FBT001 (pytest gives it)
    """Of all 6x6 Sudokus with three rows in common, the answers are those that the checker accepts."""
    boards = six(name, flipped=flipped)
    regions = {(r, c): "ABCDEF"[(r - 1) // 2 * 2 + (c - 1) // 3] for r, c in rectangle(6, 6)}
    wanted = {tuple(values.values()) for values in boards if CHECKERS[name](Filled(values, regions, {}), ())}
    assert 0 < len(wanted) < len(boards)
    rows = ["".join(str(boards[0][r, c]) for c in range(1, 7)) for r in (1, 2, 3)]
    text = f'puzzle = "sudoku"\nvariants = ["{name}"]\ngivens = """\n' + "\n".join([*rows, *3 * ["......"]]) + '\n"""\n'
    found = solutions(one(text), 0)
    assert {tuple(answer.values[cell] for cell in rectangle(6, 6)) for answer in found} == wanted


@pytest.mark.parametrize(
    ("name", "seed"),
    [*((name, 0) for name in VARIANTS), *(pytest.param(name, 1, marks=pytest.mark.slow) for name in KEYS)],
)
def test_rules_mean_what_the_checker_says(name: str, seed: int) -> None:
    """All answers of a small board are those that the checker accepts, with pruning and in plain clingo without."""
    text, expected = a_board(name, seed)
    assert expected or name in SIXES, text
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


@pytest.mark.parametrize("name", VARIANTS)
def test_folders_are_complete(name: str) -> None:
    """A variant has a summary, a header with what it reads and how its rules are called, and words for each rule."""
    assert DECLARED[name]["summary"].endswith(".")
    header, _, rules_ = (FOLDERS[name] / f"{name}.lp").read_text("utf-8").partition("\n\n")
    assert re.match(r"% [A-Z]", header)
    assert re.search(r"^% Input:   \S", header, re.MULTILINE)
    named = set(re.findall(r"(\w+)\(", header.partition("% Names:")[2]))
    heads = set(re.findall(r"^violated\((\w+)\(", rules_, re.MULTILINE))
    assert heads <= named
    text, _ = a_board(name, 0)
    instance = one(text)
    words = [
        *instance.puzzle.companions("words"),
        *(file for one in instance.variants for file in FOLDERS[one].glob("words.lp")),
    ]
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


# A small program that has a model, and for which clingo 5.8.3 says that there is none, unless it runs with `--eq=0`.
LOST = """
size(N) :- N = #max { R: stream(R,_,_) }.
candidate(R,C,V) :- stream(R,C,_); size(N); V = (1..N); not excluded(R,C,V).
{ value(R,C,V) } :- candidate(R,C,V).
violated(given(R,C)) :- given(R,C,V); not value(R,C,V).
#false :- violated(Rule); not relaxed(Rule).
stream(2,5,2).
stream(4,1,4).
stream(4,2,4).
stream(4,3,4).
stream(5,1,5).
stream(5,2,5).
stream(5,3,5).
stream(5,4,5).
stream(7,7,7).
killer_cage(1,1,5,1).
killer_cage(1,2,4,1).
killer_cage(1,3,5,2).
killer_cage(1,4,5,3).
killer_cage(1,5,4,3).
killer_cage_value(1,23).
violated(killer_cage(I,V)) :- killer_cage(I,1,_,_); size(N); V = (1..N); 1 < { value(R,C,V): killer_cage(I,_,R,C) }.
term(killer_cage(I),J,1,R,C) :- killer_cage(I,J,R,C); killer_cage_value(I,_).
total(killer_cage(I),S) :- killer_cage_value(I,S).
weight(X,R,C,F) :- total(X,_); term(X,_,_,R,C); F = #sum { F',K: term(X,K,F',R,C) }; F != 0.
at_least(R,C,V) :- weight(_,R,C,_); value(R,C,V).
at_least(R,C,V) :- at_least(R,C,(V+1)); V > 0.
#false :- total(X,T); T != #sum { F,R,C,V: at_least(R,C,V), weight(X,R,C,F) }; not relaxing.
given(4,1,4).
given(4,3,6).
given(5,1,7).
given(5,2,5).
given(5,3,1).
"""


def test_no_answer_is_lost() -> None:
    """Where the consequences of sums are loaded, clingo runs without a preprocessing that loses models."""
    assert len([*Search([mode_path("sums")], f"{LOST}unit(none, 0, 0).").models(1)]) == 1
