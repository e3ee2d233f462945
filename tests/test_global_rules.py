"""Rules about connectedness: each step is forced, what is cut off is right, and boards are explained to the end."""

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from clingo import Symbol
from hypothesis import given
from hypothesis import strategies as st

from pyasp_puzzles import Instance, explain
from pyasp_puzzles.asp.grounding import components
from pyasp_puzzles.explanation.hint import hint_levels
from pyasp_puzzles.explanation.pages import explanation_section
from pyasp_puzzles.render.pages import page
from pyasp_puzzles.render.svg import svg

from .forced import Demanded, State, concluded
from .helpers import PLAIN, not_none, one, only, write
from .rules import Cell
from .strategies import examples
from .test_own_puzzles import CONNECTED

# The loop is the border of the cells inside; both sides are connected, and it does not touch itself.
SLITHERLINK = {
    "fence/puzzle.toml": """
summary = "One loop along the edges; a number counts the edges of its cell that are on it. Shade the cells inside."
cell = "cell(R, C)"
[answer]
kind = "shading"
output = "inside(R, C)"
shaded = "inside"
unshaded = "outside"
[keys.numbers]
kind = "numbers"
fact = "number(R, C, N)"
range = "0..4"
clue = true
""",
    "fence/fence.lp": """
#defined number/3. #defined relaxed/1.
beyond(R, C, R + Y, C + X) :- cell(R, C), (Y, X) = (0, 1; 0, -1; 1, 0; -1, 0).
side(R, C, R', C') :- beyond(R, C, R', C'), cell(R', C').
rim(R, C) :- beyond(R, C, R', C'), not cell(R', C').
{ inside(R, C) } :- cell(R, C).
violated(number(R, C)) :- number(R, C, N), inside(R, C), { inside(R', C') : side(R, C, R', C') } != 4 - N.
violated(number(R, C)) :- number(R, C, N), not inside(R, C), { inside(R', C') : side(R, C, R', C') } != N.
first(R, C) :- cell(R, C), inside(R, C), not inside(R', C') : cell(R', C'), (R', C') < (R, C).
reached(R, C) :- first(R, C).
reached(R', C') :- reached(R, C), side(R, C, R', C'), inside(R', C').
violated(apart) :- inside(R, C), not reached(R, C).
violated(empty) :- not inside(R, C) : cell(R, C).
open(R, C) :- rim(R, C), not inside(R, C).
open(R', C') :- open(R, C), side(R, C, R', C'), not inside(R', C').
violated(closed) :- cell(R, C), not inside(R, C), not open(R, C).
violated(corner(R, C)) :- inside(R, C), inside(R + 1, C + 1), not inside(R + 1, C), not inside(R, C + 1).
violated(corner(R, C)) :- inside(R, C + 1), inside(R + 1, C), not inside(R, C), not inside(R + 1, C + 1), cell(R, C).
:- violated(Rule), not relaxed(Rule).
#show inside/2.
""",
}
# One loop through all cells that are not gray, as lines between cells.
LOOP = {
    "loop/puzzle.toml": """
summary = "Draw one loop through all cells that are not gray."
cell = "cell(R, C)"
[answer]
kind = "pieces"
output = "line(R, C, R', C')"
covers = "covers(R, C, R', C', Y, X)"
[keys.ground]
kind = "colors"
fact = "ground(R, C, K)"
""",
    "loop/words.lp": 'says(apart, ("there is one loop",)).',
    "loop/loop.lp": """
#defined ground/3. #defined relaxed/1.
free(R, C) :- cell(R, C), not ground(R, C, _).
beside(R, C, R + Y, C + X) :- free(R, C), (Y, X) = (0, 1; 1, 0), free(R + Y, C + X).
covers(R, C, R', C', R, C) :- beside(R, C, R', C').
covers(R, C, R', C', R', C') :- beside(R, C, R', C').
{ line(R, C, R', C') } :- beside(R, C, R', C').
on(R, C, R', C') :- line(R, C, R', C').
on(R', C', R, C) :- line(R, C, R', C').
on(R, C) :- on(R, C, _, _).
violated(visit(R, C)) :- free(R, C), not on(R, C).
violated(two(R, C)) :- on(R, C), { on(R, C, R', C') } != 2.
first(R, C) :- on(R, C), not on(R', C') : cell(R', C'), (R', C') < (R, C).
reached(R, C) :- first(R, C).
reached(R', C') :- reached(R, C), on(R, C, R', C').
violated(apart) :- on(R, C), not reached(R, C).
:- violated(Rule), not relaxed(Rule).
#show line/4.
""",
}
BOARDS = {
    "lonely": (
        ("2 4 3 5 5", "1 5 3 3 1", "4 4 2 1 1", "1 3 5 3 2", "1 2 1 4 5"),
        ("2 3 1 5 5", "2 2 5 3 1", "5 4 2 3 2", "2 1 4 2 5", "1 5 2 5 3"),
        ("5 4 4 5 2", "2 5 1 3 5", "2 1 1 2 4", "5 3 2 3 1", "1 3 3 4 3"),
    ),
    "fence": (
        ("2 1 . .", ". . . 1", ". . 2 0", "1 3 . ."),
        (". . . 2 .", ". . 1 1 .", ". . 2 1 .", ". . 3 1 .", ". . . 3 ."),
        (". . 3 . 3", "3 1 . . 2", "1 . . . .", ". . 3 . .", "3 1 . . 1"),
    ),
    "loop": (
        (". . . . .", ". . x . .", "x . . . .", ". . . . .", ". . . . x"),
        (". . . . . .", ". . . . . .", ". . x . . x", ". x . . . .", ". x . . . .", ". . . . . ."),
        (". . x . . .", ". . . . x .", ". . . . . .", ". x . . . .", ". . . . . .", ". . x . . ."),
    ),
}
KEYS = {"lonely": "numbers", "fence": "numbers", "loop": "ground"}
# The first board of each puzzle comes with the quick tests.
EVERY = [
    pytest.param(name, i, marks=pytest.mark.slow if i else ())
    for name, boards in BOARDS.items()
    for i in range(len(boards))
]


def board(name: str, number: int, folder: Path, files: Mapping[str, str] | None = None) -> Instance:
    """Return one of the boards, by its puzzle."""
    place = write(folder, files or {**CONNECTED, **SLITHERLINK, **LOOP})
    text = "\n".join(BOARDS[name][number])
    return one(f'puzzle = "{name}"\n{KEYS[name]} = """\n{text}\n"""\n', puzzles=[place / name])


def cell_of(atom: Symbol) -> Cell:
    """Return the first cell that an atom names."""
    row, column, *_ = atom.arguments
    return row.number, column.number


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("name", "number"), EVERY)
def test_steps_are_forced(name: str, number: int, tmp_path: Path) -> None:
    """Each step follows from its rules and cells, none of which can be left out, and the last step is the answer."""
    instance = board(name, number, tmp_path)
    *found, end = explain(instance)
    assert end.status == "unique"
    assert any(one in map(str, step.rules) for step in found for one in ("connected", "apart", "closed"))
    assert [*Demanded(instance).violations([*found, end])] == []


@pytest.mark.slow
def test_a_placement_rests_on_what_is_stated() -> None:
    """A placement that rests on pending eliminations, which later steps derive by other rules, is forced, too."""
    rows = ". . 3 5 .", "2 3 3 5 .", "5 1 6 5 1", "2 . . . .", "4 . 3 1 2"
    instance = one('puzzle = "araf"\nnumbers = """\n' + "\n".join(rows) + '\n"""\n')
    assert [*Demanded(instance).violations([*explain(instance)])] == []


def joined(start: Cell, among: Collection[Cell], ways: Collection[frozenset[Cell]]) -> set[Cell]:
    """Return the cells that are joined to one by ways."""
    found, waiting = {start}, [start]
    while waiting:
        cell = waiting.pop()
        new = {other for way in ways if cell in way for other in way} & {*among} - found
        found |= new
        waiting += new
    return found


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("name", "number"), EVERY)
def test_what_is_cut_off_is_right(name: str, number: int, tmp_path: Path) -> None:
    """What a picture shows as cut off is all that is joined there by what is known; others are needed, or the edge."""
    instance = board(name, number, tmp_path)
    cells = {*instance.printed.cells}
    sides = {frozenset(((r, c), other)) for r, c in cells for other in ((r + 1, c), (r, c + 1)) if other in cells}
    state, shown = State(), 0
    for step in list(explain(instance))[:-1]:
        cut = {*getattr(step.drawing(), "cut", ())}
        then = dict(state)
        for link in step.links:
            then |= dict.fromkeys(link.placed, True) | dict.fromkeys(link.eliminated, False)
        if cut:
            shown += 1
            if name == "loop":
                out = {_ends(atom) for atom, holds in then.items() if not holds}
                gray = {cell_of(fact) for fact in instance.facts if fact.name == "ground"}
                assert joined(min(cut), cells - gray, sides - out) == cut != cells - gray, step.words
            else:
                black = {cell_of(atom) for atom, holds in then.items() if holds}
                white = {cell_of(atom) for atom, holds in then.items() if not holds}
                on, off = (black, white) if "apart" in map(str, step.rules) else (white, black)
                assert joined(min(cut), cells - off, sides) == cut, step.words
                assert cut & on
                edge = {(r, c) for r, c in cells if {r, c} & {1, max(cells)[0]}}
                assert on - cut or not cut & edge, step.words
            told = re.search(r"cut off|a loop through .* would be closed", step.words + "".join(step.listed))
            assert told, step.words
        state |= concluded(step)
    assert shown


def _ends(line: Symbol) -> frozenset[Cell]:
    r, c, row, column = (one.number for one in line.arguments)
    return frozenset(((r, c), (row, column)))


def test_pictures_mark_what_is_cut_off(tmp_path: Path) -> None:
    """As text in braces, in SVG and on pages by a line around it; a hint shows the part, and not the whole board."""
    instance = board("lonely", 0, tmp_path)
    found = list(explain(instance))
    step = next(step for step in found if "cut off" in step.words)
    drawing = not_none(step.drawing())
    marked = len(re.findall(r"[{] .[^ ]* ?[}]|[{].*?[}]", step.picture(PLAIN)))
    assert marked == len({*drawing.cut} - {*drawing.marked})
    assert svg(drawing).count('class="cut"') == 1
    assert 'class="cut"' not in svg(replace(drawing, cut=()))
    assert page("Steps", [explanation_section(instance, found)]).count('class="cut"')
    first, *_ = hint_levels(instance, step)
    assert {*drawing.cut} <= {*first.cells} < {*instance.printed.cells}


@pytest.mark.slow
def test_atoms_that_follow_from_one_another_are_unfolded(tmp_path: Path) -> None:
    """A relation that holds both ways gives the same steps, whether one rule says so or two."""
    once = "on(R', C', R, C) :- line(R, C, R', C')."
    both = "on(R', C', R, C) :- on(R, C, R', C')."
    assert once in LOOP["loop/loop.lp"]
    other = {**LOOP, "loop/loop.lp": LOOP["loop/loop.lp"].replace(once, both)}
    told, same = (
        [step.words for step in explain(board("loop", 0, tmp_path / str(i), files))]
        for i, files in enumerate((LOOP, other))
    )
    assert told == same


@given(st.dictionaries(st.integers(0, 8), st.sets(st.integers(0, 8)), max_size=9))
@examples(50)
def test_components(drawn: dict[int, set[int]]) -> None:
    """Two nodes are in one component if each leads to the other."""
    below = {node: drawn.get(node, set()) for node in range(9)}
    leads = {node: {node} for node in below}
    for _ in below:
        leads = {node: found.union(*(below[one] for one in found)) for node, found in leads.items()}
    expected = {frozenset(one for one in found if node in leads[one]) for node, found in leads.items()}
    found = components(below)
    assert {frozenset(part) for part in found} == expected
    assert sum(map(len, found)) == len(below)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "star-battle/two-stars",
            "(region D has 2 stars), so stars in row 3, columns 9 and 10 would touch.",
        ),
        (
            "minesweeper/eight",
            "would be free (the 1 in row 6, column 2 touches one mine), and row 5, column 4 is free, so the 2 in",
        ),
        ("heyawake/six", "so rows 2 to 5 of column 3 would be a white line into three rooms."),
    ],
)
def test_the_end_of_a_chain_says_what_would_be_broken(name: str, words: str) -> None:
    """A contradiction ends with what is broken, in the words of its rule; what is known is not said to follow."""
    assert any(words in text for step in explain(only(name)) for text in (step.words, *step.listed))
