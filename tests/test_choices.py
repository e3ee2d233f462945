"""A choice that depends on other atoms is a rule: it is named and told, has a cost, and is in minimal sets."""

from dataclasses import replace
from pathlib import Path

import pytest
from clingo import Symbol

from pyasp_puzzles import Instance, Step, count, explain, grade, hint, solutions

from .forced import Demanded
from .helpers import ENCODINGS, FOUR, INSTANCES, encoding, extra, one, only, steps, write

# In the first, no second bridge without the first is a named rule; in the second, it is how bridges are chosen.
NAMED = (
    """
{ line(R, C, R', C', 1..2) } :- face(R, C, R', C').
""",
    """
violated(second(R, C, R', C')) :- line(R, C, R', C', 2), not line(R, C, R', C', 1).
""",
)
CHOSEN = (
    """
{ line(R, C, R', C', 1) } :- face(R, C, R', C').
{ line(R, C, R', C', 2) } :- line(R, C, R', C', 1).
""",
    """
""",
)
# Cells are shaded from the left of each row on.
BARS = {
    "bars/puzzle.toml": """
summary = "Shade each row from the left on; a number is how many cells of its column are shaded."
cell = "cell(R, C)"
[answer]
kind = "shading"
output = "black(R, C)"
[keys.below]
kind = "outside"
fact = "below(S, I, N)"
sides = ["top"]
clue = true
""",
    "bars/bars.lp": """
#defined below/3. #defined relaxed/1.
{ black(R, 1) } :- cell(R, 1).
{ black(R, C + 1) } :- black(R, C), cell(R, C + 1).
violated(below(S, C)) :- below(S, C, N), { black(R, C) } != N.
:- violated(Rule), not relaxed(Rule).
#show black/2.
""",
}


@pytest.fixture(scope="module")
def bridges(tmp_path_factory: pytest.TempPathFactory) -> Instance:
    """Return the Hashi that ships, as a board of a puzzle of one's own in which the second bridge is such a choice."""
    rules = encoding("hashi").read_text(encoding="utf-8")
    for named, chosen in zip(NAMED, CHOSEN, strict=True):
        assert rules.count(named) == 1
        rules = rules.replace(named, chosen)
    declaration = (ENCODINGS / "hashi" / "puzzle.toml").read_text(encoding="utf-8").partition("[formats")[0]
    files = {"bridge/puzzle.toml": declaration.partition("\n")[2], "bridge/bridge.lp": rules}
    place = write(tmp_path_factory.mktemp("own"), files)
    board = (INSTANCES / "hashi" / "eight.toml").read_text(encoding="utf-8").replace('"hashi"', '"bridge"')
    return one(board, puzzles=[place / "bridge"])


def needs_choice(step: Step) -> list[Symbol]:
    """Return the rules of a step that are choices."""
    return [rule for rule in step.rules if rule.name == "choice"]


@pytest.mark.slow
def test_it_costs_what_a_named_rule_costs(bridges: Instance) -> None:
    """Whether an encoding chooses so or names the rule, the grade is the same, and no step takes more rules."""
    found, named = grade(bridges), grade(only("hashi/eight"))
    assert (found.score, found.steps, found.largest) == (named.score, named.steps, named.largest)
    assert (found.score, found.largest) == (3.4, 2)


@pytest.mark.slow
def test_steps_name_it(bridges: Instance) -> None:
    """Each step is forced by its rules and cells, and by no fewer, where such a choice may be made in any case."""
    every, demanded = list(explain(bridges)), Demanded(bridges)
    assert [*demanded.violations(every)] == []
    assert [*Demanded(only("hashi/eight")).violations(steps("hashi/eight"))] == []
    number, step = next((i, step) for i, step in enumerate(every) if needs_choice(step) and len(step.rules) == 2)
    rules = {rule for step in every for rule in step.rules}

    def spoilt(*own: Symbol) -> list[str]:
        return [*demanded.violations([*every[:number], replace(step, rules=own), *every[number + 1 :]])]

    left = [rule for rule in step.rules if rule not in needs_choice(step)]
    assert spoilt(*left) == [f"step {step.number}: it is not forced"]
    more = min(rule for rule in rules if rule not in step.rules and rule.name == "choice")
    assert spoilt(*step.rules, more) == [f"step {step.number}: it is forced without {more}"]


@pytest.mark.slow
def test_it_is_told(bridges: Instance, tmp_path: Path) -> None:
    """Its sentence says what there is only with what, or how the words of the encoding say it."""
    told = "the bridge from row 4, column 1 to row 4, column 3"
    assert any(f"column 3 cannot be without {told}, and" in step.words for step in explain(bridges))
    assert not any("choice(" in step.words for step in explain(bridges))
    words = 'says(choice(black(R, C + 1)), ("shading begins on the left",)) :- cell(R, C), cell(R, C + 1).'
    text = 'puzzle = "bars"\nbelow.top = ". . 2"\nsize = [2, 3]\n'
    plain, worded = (
        [step for step in explain(one(text, puzzles=[write(tmp_path / str(i), files) / "bars"])) if needs_choice(step)]
        for i, files in enumerate((BARS, BARS | {"bars/words.lp": words}))
    )
    assert plain
    assert all("cannot be without the black cell in" in step.words for step in plain if len(step.rules) == 1)
    assert all("shading begins on the left" in step.words.lower() for step in worded if len(step.rules) == 1)


def test_what_answers_do_not_show_is_part_of_the_rules_that_read_it() -> None:
    """A tree and its tent are a pair where there is a tent: that a tree has one is a single rule."""
    own = [step for step in steps("tents/eight") if [rule.name for rule in step.rules] == ["own"]]
    assert any("has a tent of its own, and" in step.words for step in own)
    assert [*Demanded(only("tents/eight")).violations(steps("tents/eight"))] == []


def test_choices_that_are_not_shown_are_not_counted(tmp_path: Path) -> None:
    """Answers that show the same are one, as clingo has them with `--project=show`."""
    settings = extra(tmp_path, "{ a; b; c }.\n")
    assert count(one(FOUR), settings=settings).number == 72


MARKS = "{ mark(R, C) : unit(row(R), R, C) }.\n"
# Rules about cells that are marked, which answers do not show.
MARKED = {
    "sums": "violated(sum(R)) :- unit(row(R)), not 6 #sum { V, C : value(R, C, V), C < 3 ; V, C, twice :"
    " value(R, C, V), mark(R, C), C < 3 }.",
    "counts": "violated(one(R)) :- unit(row(R)), { mark(R, C) } != 1.\n"
    "violated(large(R, C)) :- mark(R, C), value(R, C, V), V < 3.",
    "none": "violated(all) :- { mark(R, C) } < 16.\nviolated(large(R, C)) :- mark(R, C), value(R, C, V), V < 2.",
}


@pytest.mark.parametrize("rules", MARKED.values(), ids=MARKED)
def test_rules_may_be_about_choices_that_are_not_shown(rules: str, tmp_path: Path) -> None:
    """Steps that use such rules are true in every answer; they end as the board does."""
    settings, board = extra(tmp_path, MARKS + rules), one('puzzle = "sudoku"\ngivens = "....\\n.12.\\n....\\n...3"\n')
    answers = [answer.values for answer in solutions(board, settings=settings)]
    *found, end = explain(board, settings=settings)
    assert end.status == {0: "none", 1: "unique"}.get(len(answers), "several")
    for atom in (atom for step in found for atom in step.placed):
        row, column, value = (argument.number for argument in atom.arguments)
        assert all(values[row, column] == value for values in answers)
    assert hint(board, settings=settings).words


ISLES = {
    "isles/puzzle.toml": """
summary = "Shade cells, those of clues among them; shaded cells share no side."
cell = "cell(R, C)"
[answer]
kind = "shading"
output = "black(R, C)"
unshaded = "white"
[keys.clues]
kind = "walls"
fact = "number(R, C, N)"
wall = "clue(R, C)"
clue = true
rule = "count"
[keys.counts]
kind = "outside"
fact = "count(S, I, N)"
sides = ["top"]
clue = true
""",
    "isles/isles.lp": """
#defined clue/2. #defined number/3. #defined count/3. #defined relaxed/1.
{ black(R, C) } :- cell(R, C), not clue(R, C).
black(R, C) :- clue(R, C).
next(R, C, R, C + 1) :- cell(R, C), cell(R, C + 1).
next(R, C, R + 1, C) :- cell(R, C), cell(R + 1, C).
violated(touch(R, C, R', C')) :- next(R, C, R', C'), black(R, C), black(R', C').
violated(count(S, C)) :- count(S, C, N), { black(R, C) } != N.
:- violated(Rule), not relaxed(Rule).
#show black/2.
""",
}


def test_a_cell_that_a_fact_settles_is_named(tmp_path: Path) -> None:
    """A clue shades its cell by a fact: the step that it forces names the cell, in its cells and in its sentence."""
    place = write(tmp_path, ISLES)
    text = 'puzzle = "isles"\nclues = """\n. x .\n. . .\n"""\ncounts.top = "1 . 1"\n'
    *found, end = explain(one(text, puzzles=[place / "isles"]))
    assert end.status == "unique"
    forced = [step for step in found if [rule.name for rule in step.rules] == ["touch"]]
    assert forced
    for step in forced:
        assert (1, 2) in step.cells
        assert ", and row 1, column 2 is black, so " in step.words
