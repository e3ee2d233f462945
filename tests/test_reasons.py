"""What steps say of their reasons is true of the board so far, and their names hold by definition.

Candidates  {(1, 2): {3, 4}}: what each cell may still hold, kept from step to step
"""

import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest

from pyasp_puzzles import Instance, Settings, Step, explain, hint, solve
from pyasp_puzzles.boards.grid import places

from . import step_checker
from .helpers import ENCODINGS, KNIGHT, PLAIN, encoding, extra, filled, mine, not_none, one, only, read, sudoku
from .rules import Cell

Candidates = dict["Cell", set[int]]
# Boards whose steps have many names.
SUDOKUS = (
    "..1......7.4..2.16.5...9...3.8....6.......3.2..62.31.98......9..4..7.5.1...4...7.",
    ".75......4...8.....1.7.2...1..5.....6.2..1.53...9....4....68.318....5......27....",
    "....1...7.5894...249..........7.1...57.2.......4.3....269.....57.....18......5...",
    "83....5....26.......52..3....7..9.4..4..57.1.........6........4378..1........6.7.",
    "..8....31.2.5..6..69....4......8.15...3.....8....2...........7....49.2.6..4..1...",
    "..69....81.......9...178...8.47.3.5.6.3..5....9.4..7...358..2.7...53.9...........",
)
# Made by `pyasp generate`; its steps take many rules.
VERY_HARD = "97...........1..8.6.2.....1...7.......35.1.......92..5.9..4..7.1....52.43....8.1."
# A board whose streams are called as its rows are.
NUMBERED = (
    'puzzle = "strimko"\nstreams = "122331\\n213213\\n431124\\n344442\\n555665\\n666556"\n'
    'givens = "......\\n......\\n.....1\\n.3.4..\\n..6.1.\\n..5..4"\n'
)
BOARDS = ["sudoku/seventeen", "sudoku/six", "strimko/seven", "tectonic/ten", "tectonic/seed"]
NUMBERS = r"\d+(?:(?:, | and )\d+)*"
PLACE = rf"(?:rows? {NUMBERS} of column \d+|row \d+,? columns? {NUMBERS})"
UNIT = r"(?:row|column|box|stream|block) \w+"
PLACES = rf"{PLACE}(?:(?:, and |, | and ){PLACE})*"


def board(name: str) -> Instance:
    """Return a board by its name, of a line of digits, or of TOML."""
    if "\n" in name:
        return one(name)
    if len(name) < 81:
        return only(name)
    return one(name, format="sudoku")


@cache
def steps(name: str) -> tuple[Instance, list[Step]]:
    """Return a board and its steps, without the end."""
    instance = board(name)
    return instance, list(explain(instance))[:-1]


def replayed(name: str) -> Iterator[tuple[Step, step_checker.Puzzle, step_checker.State]]:
    """Yield each step with the rules, and with what is known before it."""
    instance, found = steps(name)
    puzzle = step_checker.puzzle(instance)
    state = puzzle.start(puzzle.clues)
    for step in found:
        yield step, puzzle, state
        said = step.json()
        for key, value in (("placed", True), ("eliminated", False), ("plain", False)):
            state |= dict.fromkeys(map(atom, said[key]), value)  # type: ignore[call-overload]


def atom(said: Any) -> tuple[Cell, int]:
    """Return an atom from JSON."""
    return tuple(said["cell"]), said["value"]


# -- Reasons ----------------------------------------------------------------------


@pytest.mark.parametrize("name", BOARDS)
def test_reasons(name: str) -> None:
    """Each candidate that is gone has one reason: a value on the board and a rule that rules it out, or a step."""
    eliminated_by: dict[tuple[Cell, int], int] = {}
    for step, puzzle, state in replayed(name):
        said: dict[str, Any] = step.json()
        rules = {candidate for rule in said["rules"] for candidate in puzzle.atoms[rule]}
        gone = {one for one in rules if list(one[0]) in said["cells"] and state.get(one) is False}
        assert sorted(map(atom, said["reasons"])) == sorted(gone)
        for reason in said["reasons"]:
            if "step" in reason:
                assert eliminated_by[atom(reason)] == reason["step"]
                assert reason["step"] in said["after"]
            else:
                assert state[atom(reason["by"])]
                assert {atom(reason), atom(reason["by"])} <= puzzle.atoms[reason["rule"]]
                assert atom(reason) in puzzle.plain(atom(reason["by"]))
                assert reason["by"]["cell"] in said["seen"]
        eliminated_by |= dict.fromkeys(map(atom, said["eliminated"]), step.number)


@pytest.mark.parametrize("name", BOARDS)
def test_because(name: str) -> None:
    """The values of a because are in that unit, or touch, on the board so far; short sentences leave nothing out."""
    seen: set[str] = set()
    for step, puzzle, state in replayed(name):
        words, _, why = step.words.partition(", because ")
        if len(step.rules) > 1 or not step.placed or not why:
            continue
        values = {cell: value for (cell, value), holds in state.items() if holds}
        [(place, value)] = (atom(said) for said in step.json()["placed"])  # type: ignore[attr-defined]
        if "can only be" in words:
            told = set(_told_of_cell(why, puzzle, values, place, seen))
            assert told | {value} == {other for cell, other in puzzle.rules_of if cell == place}
        else:
            _check_blocks(why, puzzle, values, value, seen)
    assert seen >= ({"unit", "touches it", "touches"} if name.startswith("tectonic") else {"unit", "already"})


def _told_of_cell(
    why: str, puzzle: step_checker.Puzzle, values: dict[Cell, int], place: Cell, seen: set[str]
) -> Iterator[int]:
    """Yield the values that a because rules out for a cell, having checked where they are."""
    r, c = place
    touching = {values.get((r + i, c + j)) for i in (-1, 0, 1) for j in (-1, 0, 1)}
    for unit, numbers in re.findall(rf"its (\w+) has ({NUMBERS}|every other number)", why):
        there = {values[cell] for cell in members(puzzle, unit, place) if cell in values}
        listed = set(map(int, re.findall(r"\d+", numbers))) or there
        assert listed <= there
        yield from listed
        seen.add("unit")
    for number, where in re.findall(rf"the (\d+) in ({PLACE})", why):
        [(y, x)] = read_places(where)
        assert values[y, x] == int(number)
        assert max(abs(r - y), abs(c - x)) == 1
        yield int(number)
    for number in map(int, re.findall(r"\ban? (\d+)", why)):
        assert number in touching
        yield number
        seen.add("touches it")
    for numbers in re.findall(rf"rules? out ({NUMBERS})", why):
        yield from map(int, re.findall(r"\d+", numbers))


def _check_blocks(why: str, puzzle: step_checker.Puzzle, values: dict[Cell, int], value: int, seen: set[str]) -> None:
    """Check where a because has the value that has no place elsewhere."""
    for number, units in re.findall(rf"(\d+) is already in ({UNIT}(?:(?:, | and ){UNIT})*)", why):
        for unit, label in re.findall(r"(\w+) (\w+)", re.sub(" and ", ", ", units)):
            assert int(number) == value
            assert value in {values.get(cell) for cell in named(puzzle, unit, label)}
        seen.add("already")
    for number, where in re.findall(rf"an? (\d+) touches ({PLACES})", why):
        assert int(number) == value
        for y, x in read_places(where):
            assert any(values.get((y + i, x + j)) == value for i in (-1, 0, 1) for j in (-1, 0, 1))
        seen.add("touches")


@pytest.mark.parametrize("name", [VERY_HARD, *SUDOKUS[:2], "tectonic/ten"])
def test_suppositions(name: str) -> None:
    """What would follow from the opposite of a conclusion follows from the rules of the step, one at a time."""
    suppositions = 0
    for step, puzzle, state in replayed(name):
        told = re.match(rf"If ({PLACE}) were( not)? (\d+): (.*)\. So \1 is( not)? \3[.;]", step.words)
        assert step.words.startswith("If ") == bool(told)
        if told is None:
            continue
        suppositions += 1
        place, denied, value, claims, negated = told.groups()
        assert bool(denied) != bool(negated)
        [cell] = read_places(place)
        counts = [count for rule in step.json()["rules"] for count in puzzle.rules[rule]]  # type: ignore[attr-defined]
        holding, failing = closure(counts, state | {(cell, int(value)): not denied})
        *followed, end = claims.split("; ")
        assert followed
        for claim in followed:
            if claimed := re.fullmatch(rf"({PLACE}) would be (\d+)", claim):
                [cell] = read_places(claimed[1])
                assert (cell, int(claimed[2])) in holding
            else:
                assert re.fullmatch(r"\d+ more cells would follow", claim)
        if lost := re.fullmatch(r"no place would be left for (\d+) in (\w+) (\w+)", end):
            assert {(cell, int(lost[1])) for cell in named(puzzle, *lost.groups()[1:])} <= failing
        elif empty := re.fullmatch(rf"nothing would be left for ({PLACE})", end):
            assert {one for one in puzzle.rules_of if one[0] == read_places(empty[1])[0]} <= failing
        else:
            assert end.startswith("but ")
            assert any(len(count.atoms & holding) > count.most for count in counts) or holding & failing
    assert suppositions


@pytest.mark.parametrize("name", [*BOARDS, "strips/oblong", "strips/list"])
def test_no_word_twice(name: str) -> None:
    """No sentence has a word twice in a row."""
    for step in explain(only(name)):
        for sentence in (step.words, step.where, *step.details()):
            assert not re.search(r"\b([a-z]{2,}) \1\b", sentence, re.IGNORECASE), sentence


def closure(
    counts: Sequence[step_checker.Count], state: step_checker.State
) -> tuple[set[step_checker.Atom], set[step_checker.Atom]]:
    """Return what holds and what does not as each rule forces it alone, in turn; an atom may be in both."""
    holding, failing = ({one for one, value in state.items() if value is wanted} for wanted in (True, False))
    before = -1
    while len(holding) + len(failing) > before:
        before = len(holding) + len(failing)
        for least, most, atoms in counts:
            failing |= {one for one in atoms if len((atoms - {one}) & holding) >= most}
            holding |= {one for one in atoms if len(atoms - {one} - failing) < least}
    return holding, failing


@pytest.mark.parametrize("name", ["strimko/seven", "tectonic/seed", NUMBERED])
def test_lists(name: str) -> None:
    """A sentence that lists the rules of a step leaves none of them out."""
    for step, _, _ in replayed(name):
        if len(step.rules) > 3 or step.words.startswith("If "):
            continue
        for functor, label in re.findall(r"once\((\w+)\(\W?(\w+)\W?\),", " ".join(map(str, step.rules))):
            unit = {"col": "columns?", "row": "rows?", "stream": "(?:stream|box)"}.get(functor, functor)
            assert re.search(rf"\b{unit} (?:\w+, )*(?:\w+ and )?{label}\b", step.words, re.IGNORECASE), step.words


def cells_of(puzzle: step_checker.Puzzle, unit: str, label: str = r"[^)]+") -> list[set[Cell]]:
    """Return the cells of each unit of a kind, or of that with a label, as words name it."""
    functor = {"column": "col", "box": "stream"}.get(unit, unit)
    name = re.compile(rf'once\({functor}\("?{label}"?\),1\)')
    return [{cell for cell, _ in atoms} for rule, atoms in puzzle.atoms.items() if name.fullmatch(rule)]


def named(puzzle: step_checker.Puzzle, unit: str, label: str) -> set[Cell]:
    """Return the cells of a unit as words name it."""
    [found] = cells_of(puzzle, unit, label)
    return found


def members(puzzle: step_checker.Puzzle, unit: str, cell: Cell) -> set[Cell]:
    """Return the cells of the unit of a kind that a cell is in."""
    [found] = [cells for cells in cells_of(puzzle, unit) if cell in cells]
    return found


def read_places(words: str) -> list[Cell]:
    """Return the cells that words name."""
    found = []
    for place in re.findall(PLACE, words):
        rows, _, columns = place.partition("column")
        found += [(int(r), int(c)) for r in re.findall(r"\d+", rows) for c in re.findall(r"\d+", columns)]
    return found


def test_places() -> None:
    """Cells are named by rows or columns, whichever is shorter, and each of them once."""
    assert places([(1, 2)]) == "row 1, column 2"
    assert places([(1, 3), (1, 2)]) == "row 1, columns 2 and 3"
    assert places([(1, 3), (1, 2)], "or") == "row 1, column 2 or 3"
    assert places([(1, 2), (3, 2)]) == "rows 1 and 3 of column 2"
    assert places([(1, 2), (3, 4)]) == "row 1 column 2 and row 3 column 4"
    assert places([(1, 2), (1, 3), (3, 4)], "or") == "row 1 column 2 or 3, or row 3 column 4"


# -- Names ------------------------------------------------------------------------

LINES = [[(i, j) for j in range(1, 10)] for i in range(1, 10)]
COLUMNS = [[(j, i) for j in range(1, 10)] for i in range(1, 10)]
BOXES = [[(3 * a + i, 3 * b + j) for i in (1, 2, 3) for j in (1, 2, 3)] for a in range(3) for b in range(3)]
UNITS = [set(unit) for unit in (*LINES, *COLUMNS, *BOXES)]
SUBSETS = ((2, "pair"), (3, "triple"), (4, "quadruple"))
FISH = {2: "X-wing", 3: "swordfish", 4: "jellyfish"}


def shapes(left: Candidates, placed: Sequence[tuple[Cell, int]], out: set[tuple[Cell, int]]) -> set[str]:
    """Return the names that a step has by definition, given all candidates of a 9x9 Sudoku."""
    found = set()
    for cell, value in placed:
        if left[cell] == {value}:
            found.add("naked single")
        if any(cell in unit and not any(value in left[other] for other in unit - {cell}) for unit in UNITS):
            found.add("hidden single")
    values = {value for _, value in out}
    for base, cover in ((a, b) for a in UNITS for b in UNITS if a != b and out):
        inside = {cell for cell in base for value in values if value in left[cell]}
        if len(values) == 1 and inside and inside <= cover and {cell for cell, _ in out} <= cover - base:
            found.add("claiming" if any(base == set(line) for line in (*LINES, *COLUMNS)) else "pointing")
    for unit, (size, word) in ((unit, pair) for unit in UNITS for pair in SUBSETS):
        cells = sorted(cell for cell in unit if len(left[cell]) > 1)
        for group in combinations(cells, size) if out else ():
            union = set().union(*(left[cell] for cell in group))
            if len(union) == size and values <= union and not {cell for cell, _ in out} & set(group):
                found.add(f"naked {word}")
            hidden = {value for value in union if not any(value in left[other] for other in set(cells) - set(group))}
            if len(hidden) == size and {cell for cell, _ in out} <= set(group) and not values & hidden:
                found.add(f"hidden {word}")
    return found | set(fish(left, values, {cell for cell, _ in out}) if len(values) == 1 else ())


def fish(left: Candidates, values: set[int], out: set[Cell]) -> Iterator[str]:
    """Yield the names by which a value is out of cells: as many rows have their places for it in as many columns."""
    for axis, (size, name) in product((0, 1), FISH.items()):
        places = [{cell[1 - axis] for cell in left if cell[axis] == i and values <= left[cell]} for i in range(1, 10)]
        for lines in combinations([i for i, across in enumerate(places, 1) if 1 < len(across) <= size], size):
            crossing = set().union(*(places[i - 1] for i in lines))
            if len(crossing) == size and all(c[axis] not in lines and c[1 - axis] in crossing for c in out):
                yield name


@pytest.mark.parametrize("name", ["sudoku/seventeen", *SUDOKUS])
def test_names(name: str) -> None:
    """A name holds by its definition on the grid; a step of one rule on a Sudoku has one."""
    seen = set()
    for step, puzzle, state in replayed(name):
        left: Candidates = {}
        for cell, value in puzzle.rules_of:
            left.setdefault(cell, set()).update({value} if state.get((cell, value), True) else set())
        said: dict[str, Any] = step.json()
        names = shapes(left, list(map(atom, said["placed"])), set(map(atom, said["eliminated"])))
        assert not step.name or step.name in names
        assert step.name or len(step.rules) > 1
        assert step.name in step.words
        assert said["name"] == (step.name or None)
        seen.add(step.name)
    assert seen >= {"naked single", "hidden single"}


def test_all_names_are_seen() -> None:
    """The boards of these tests have steps of each of these names; Strimko and Tectonic have names as well."""
    seen = {step.name for name in SUDOKUS for step in steps(name)[1]}
    assert seen >= {"naked single", "hidden single", "pointing", "claiming", "naked pair", "hidden pair", ""}
    assert seen >= {"hidden triple", "X-wing", "swordfish"}
    singles = {"naked single", "hidden single"}
    assert {step.name for step in steps("strimko/seven")[1]} >= singles | {"pointing", "claiming"}
    assert {step.name for step in steps("tectonic/seed")[1]} >= singles | {"locked candidates"}


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("anti-knight", r"a knight's move from"),
        ("anti-king", "it touches"),
        ("non-consecutive", "next to"),
        ("diagonal", "diagonal"),
    ],
)
def test_variants(name: str, says: str) -> None:
    """The variants that ship have words for their reasons."""
    settings = Settings(extra=(ENCODINGS / "variants" / f"{name}.lp",))
    answer = not_none(solve(board("." * 81), settings))
    holes = {(r, c): value for (r, c), value in answer.cells().items() if (r + 2 * c) % 5 > 1}
    found = list(explain(one(filled(holes, answer.cells()), format="sudoku"), settings=settings))
    whys = [f"{step.words} {' '.join(step.why)}" for step in found]
    assert any(says in why for why in whys)
    assert not any(sign in why for why in whys for sign in "(){}_")


def test_rules_without_words(tmp_path: Path) -> None:
    """A rule without words is named in a reason, with the value that it links."""
    found = explain(sudoku("1 2 . .", *[". . . ."] * 3), settings=extra(tmp_path, KNIGHT))
    assert any(re.search(r"the rule knight links (it to )?the \d in row \d, column \d", step.words) for step in found)
    edited = mine(tmp_path, encoding("strimko").read_text().replace("once(", "single("))
    first = next(iter(explain("strimko/four", settings=Settings(encoding=edited))))
    assert first.placed
    assert any("row 4" in why for why in first.why)


# -- Hints ------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*BOARDS, "strips/final", "strata/seed"])
def test_first_level(name: str) -> None:
    """The first level of a hint says where to look and marks it, and does not show what follows."""
    step = hint(only(name))
    words, _, picture = step.hint(PLAIN).partition("\n")
    assert words == step.where
    assert re.fullmatch(r"Look at .+\.", words)
    assert "[" in picture or name.startswith("strata")
    assert "*" not in picture or name.startswith("strata")
    assert step.before is not None
    drawing = step.before.drawing(step.where)
    assert not {atom(said)[0] for said in step.json()["placed"] if "cell" in said} & drawing.values.keys()  # type: ignore[attr-defined]


def test_mistakes_have_reasons() -> None:
    """A mistake is told at every level: the clue in its way, or where it leads, with rules that cannot hold."""
    instance = only("sudoku/seventeen")
    answer = not_none(solve(instance))
    value = int(str(answer.cells()[1, 3])) % 9 + 1
    step = hint(instance, read(instance, filled({(1, 3): value}, answer.cells())))
    assert step.kind == "mistake"
    assert step.hint(PLAIN) == step.text(PLAIN)
    assert "contradicts the clues: " in step.words
    puzzle = step_checker.puzzle(instance)
    rules = [str(rule) for rule in step.rules]
    entry = {((1, 3), other): other == value for other in range(1, 10)}
    assert not puzzle.possible(rules, entry)
    assert all(puzzle.possible([other for other in rules if other != rule], entry) for rule in rules)
    assert json.dumps(step.json())


def test_mistakes_of_ribbons_have_reasons() -> None:
    """A ribbon on top that shows on cells of two colors contradicts that it has one."""
    instance = one('puzzle = "strata"\ntiles = """\nb b a\nr b a\n"""\n')
    step = hint(instance, read(instance, "row 1"))
    assert (step.kind, [str(rule) for rule in step.rules]) == ("mistake", ["color(row(1))"])
    assert step.words == (
        "Row 1 contradicts the rules: with it, this cannot hold: the ribbon along row 1 has one color."
    )
