"""What rules forbid in a cell, and how often they apply, against brute force over the cells of each rule."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyasp_puzzles import Rules, Settings, load, loads
from pyasp_puzzles.errors import Where
from pyasp_puzzles.formats.load import shipped_instances
from pyasp_puzzles.model.puzzle import Instance
from pyasp_puzzles.puzzles.questions import rules_in_use
from pyasp_puzzles.queries.about import Origin, cells_about, forbidden_about, rules_about

Cell = tuple[int, int]
# A rule about some cells: whether it holds when they have these values.
Ground = tuple[list[Cell], Callable[[list[int]], bool]]
SUDOKU = [(r, c) for r in range(1, 5) for c in range(1, 5)]
PATH, CAGE = [(1, 1), (1, 2), (2, 3), (3, 3)], [(1, 3), (1, 4), (2, 4)]
BLOCKS = ("aaab", "cdab", "cdbb")


def units() -> list[list[Cell]]:
    """Return the rows, columns and boxes of a board of 4x4 cells."""
    rows = [[(r, c) for c in range(1, 5)] for r in range(1, 5)]
    boxes = [[(r + i, c + j) for i in (0, 1) for j in (0, 1)] for r in (1, 3) for c in (1, 3)]
    return [*rows, *map(list, zip(*rows, strict=True)), *boxes]


def once(cells: list[Cell], value: int) -> Ground:
    """Return the rule that cells hold a value once."""
    return cells, lambda values: values.count(value) == 1


def at_most_once(value: int, values: list[int]) -> bool:
    """Return whether no two values are this one."""
    return values.count(value) < 2


def blocks() -> dict[Cell, list[Cell]]:
    """Return {cell: its block} of a small Tectonic."""
    letters = {(r, c): letter for r, row in enumerate(BLOCKS, 1) for c, letter in enumerate(row, 1)}
    return {cell: [other for other in letters if letters[other] == letters[cell]] for cell in letters}


def touching() -> Iterator[Ground]:
    """Yield the rule of each square of a small Tectonic and each number: at most one cell holds it."""
    for r, c in product(range(4), range(5)):
        square = [cell for cell in product((r, r + 1), (c, c + 1)) if cell in blocks()]
        for value in range(1, 5):
            yield square, partial(at_most_once, value)


# {name: (the words that begin its line, its ground rules, {cell: its numbers}, the keys of the board)}
NUMBERS = dict.fromkeys(SUDOKU, range(1, 5))
RULES: dict[str, tuple[str, list[Ground], Mapping[Cell, range], str]] = {
    "once": (
        "violated(once(U, V)) :- unit(U), not short",
        [once(cells, v) for cells in units() for v in range(1, 5)],
        NUMBERS,
        'puzzle = "sudoku"',
    ),
    "rising": (
        "violated(thermometer(",
        [(PATH, lambda values: values == sorted({*values}))],
        NUMBERS,
        'puzzle = "sudoku"\nthermometers = ["r1c1 r1c2 r2c3 r3c3"]',
    ),
    "sum": (
        "violated(killer_cage(I)) :- killer",
        [(CAGE, lambda values: sum(values) == 6 and len({*values}) == 3)],
        NUMBERS,
        'puzzle = "sudoku"\nkiller_cages = ["r1c3 r1c4 r2c4 = 6"]',
    ),
    "touch": (
        "violated(touch(",
        [*touching()],
        {cell: range(1, len(block) + 1) for cell, block in blocks().items()},
        "\n".join(['puzzle = "tectonic"', 'blocks = """', *BLOCKS, '"""']),
    ),
}


def lines_of(board: Instance, words: str) -> Origin:
    """Return the lines of the only rule of a board that begins so."""
    [found] = [
        (file.name, number, number)
        for file in rules_in_use(board)
        for number, line in enumerate(file.read_text().splitlines(), 1)  # type: ignore[union-attr]
        if line.startswith(words)
    ]
    return found


def excluded(rule: Ground, cell: Cell, numbers: Mapping[Cell, range], known: Mapping[Cell, int]) -> set[int]:
    """Return which numbers a cell cannot hold by a rule, given what is known; all of them if it cannot hold."""
    cells, holds = rule
    every = [[known[one]] if one in known else numbers[one] for one in cells]
    fitting = {values[cells.index(cell)] for values in product(*every) if holds([*values])}
    return {*numbers[cell]} - fitting


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
@given(data=st.data())
@settings(max_examples=12, deadline=None)
def test_a_rule_forbids_what_no_filling_of_its_cells_has(name: str, data: st.DataObject) -> None:
    """What is forbidden is what brute force over the cells of each rule leaves out; the reasons given suffice for it.

    A rule that is broken forbids what each number on the board forbids by itself.
    """
    words, rules, numbers, text = RULES[name]
    known = data.draw(st.fixed_dictionaries({}, optional={cell: st.sampled_from(numbers[cell]) for cell in numbers}))
    cell = data.draw(st.sampled_from([*numbers]))
    rows = [" ".join(str(known.get((r, c), ".")) for c in range(1, 5)) for r in range(1, 1 + max(numbers)[0])]
    [board] = loads("\n".join([text, 'givens = """', *rows, '"""']))
    others = {one: value for one, value in known.items() if one != cell}
    own = [rule for rule in rules if cell in rule[0]]
    wanted: dict[int, list[Mapping[Cell, int]]] = {}
    for rule in own:
        parts: list[Mapping[Cell, int]] = [others]
        if len(excluded(rule, cell, numbers, others)) == len(numbers[cell]):
            parts = [{one: value} for one, value in others.items() if one in rule[0]]
        for part in parts:
            for value in excluded(rule, cell, numbers, part):
                wanted.setdefault(value, []).append(part)
    found, left = forbidden_about(board, cell, lines_of(board, words))
    assert {int(one.value) for one in found} == {*wanted}
    assert {*map(int, left)} == {*numbers[cell]} - {*wanted}
    for one in found:
        assert not one.absent
        reason = {at: others[at] for at in one.cells}
        assert any(int(one.value) in excluded(rule, cell, numbers, reason) for rule in own)


def test_reasons_name_what_is_on_the_board() -> None:
    """A reason is the rule and what it needs; what is filled in counts like what is printed."""
    text = 'puzzle = "sudoku"\ngivens = """\n1 . . .\n. . . .\n. . . .\n. . . .\n"""'
    [board] = loads(text)
    lines = lines_of(board, "violated(once(U, V)) :- unit")
    [one], left = forbidden_about(board, (1, 3), lines)
    assert (one.value, one.words, one.cells) == ("1", "Row 1 holds 1 once: the 1 in row 1, column 1.", ((1, 1),))
    assert left == ["2", "3", "4"]
    answer = board.puzzle.kind.read(board, "1 2 . .\n. . 4 .\n. . . .\n. . . .", Where("filled"))
    found, left = forbidden_about(board, (1, 3), lines, answer)
    assert [one.value for one in found] == ["1", "2", "4"]
    assert left == ["3"]


def test_what_must_be_there_is_told() -> None:
    """Where a cell holds something or nothing, it may be forbidden that it holds nothing."""
    [board] = loads('puzzle = "akari"\nwalls = """\n. x\nx .\n"""')
    [one], left = forbidden_about(board, (1, 1), lines_of(board, "violated(lit("))
    assert (one.value, one.absent, one.cells) == ("a bulb", True, ())
    assert left == ["a bulb"]
    [board] = loads('puzzle = "akari"\nwalls = """\n. .\n"""')
    bulb = board.puzzle.kind.read(board, "x .", Where("filled"))
    [one], left = forbidden_about(board, (1, 2), lines_of(board, "violated(alone("), bulb)
    assert (one.value, one.absent, one.cells, left) == ("a bulb", False, ((1, 1),), [])


def test_sizes_count_the_instances_of_each_rule() -> None:
    """Each rule has as many instances as it grounds to: a Sudoku of 4x4 has 16 cells and 12 units with 4 numbers."""
    [board] = loads("." * 15 + "1")
    found = cells_about(board)
    cells = found[lines_of(board, "violated(cell(")]
    assert len(cells) == 16
    assert {len(one) for one in cells} == {1}
    unit = found[lines_of(board, "violated(once(U, V)) :- unit")]
    assert (len(unit), len({*unit}), {len(one) for one in unit}) == (48, 12, {4})
    assert found[lines_of(board, "violated(given(")] == [((4, 4),)]
    assert len(found[lines_of(board, "{ value(R, C, V) }")]) == 16
    assert sum(map(len, found.values())) >= len(rules_about(board))


def test_a_conditional_literal_ends_at_its_semicolon() -> None:
    """A condition within a body is not joined with what follows it: this rule has one instance, not nine."""
    [board] = loads("." * 15 + "1")
    text = "w(R, 1) :- unit(row(R), R, 1), value(R, C, 1) : C = 1..2; R = 2."
    [found] = rules_about(board, lines=("<rules>", 1, 1), settings=Settings(extra=[Rules(text)]))
    assert found.rule.cells == ((2, 1),)
    assert found.rule.words.endswith("value(2,C,1): C = (1..2); 2 = 2.")


FIRST_BOARDS = {name if name.startswith("variants/") else name.split("/")[0]: name for name in shipped_instances()}


@pytest.mark.sampled(1, 20)
@pytest.mark.parametrize("name", FIRST_BOARDS.values())
def test_sizes_are_found_of_every_puzzle_and_variant(name: str) -> None:
    """The rules of a board of each puzzle and variant apply somewhere on it."""
    for board in load(name):
        found = cells_about(board)
        assert found
        assert all(found.values())
