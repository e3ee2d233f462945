"""Sentences and chains leave no rule of a step out, and each link of a chain follows by its rule from earlier links."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from pyasp_puzzles import Instance, Step, explain
from pyasp_puzzles.explanation.pages import explanation_section
from pyasp_puzzles.render.pages import page

from . import step_checker, test_names
from .forced import Forced
from .helpers import one, only, read_places, write
from .rules import Cell
from .strategies import NumberBoard, StripsBoard, examples, grid, number_boards, strips_boards, toml
from .test_reasons import NUMBERED, SUDOKUS, VERY_HARD, steps
from .test_sentences import SHADING, shading
from .variant_boards import a_board

Facts = dict[tuple[Cell, Any], bool]
HITORI = """
cell(R, C) :- number(R, C, _).
side(R, C, R, C + 1) :- cell(R, C), cell(R, C + 1).
side(R, C, R + 1, C) :- cell(R, C), cell(R + 1, C).
{ black(R, C) } :- cell(R, C).
violated(row(R, N)) :- number(R, _, N), { not black(R, C) : number(R, C, N) } > 1.
violated(column(C, N)) :- number(_, C, N), { not black(R, C) : number(R, C, N) } > 1.
violated(touch(R, C, R', C')) :- side(R, C, R', C'), black(R, C), black(R', C').
violated(apart(R, C)) :- cell(R, C), not black(R, C), not reached(R, C).
first(R, C) :- cell(R, C), not black(R, C), black(R', C') : cell(R', C'), (R', C') < (R, C).
reached(R, C) :- first(R, C).
reached(R', C') :- reached(R, C), not black(R', C'), side(R, C, R', C').
reached(R, C) :- reached(R', C'), not black(R, C), side(R, C, R', C').
#defined relaxed/1.
:- violated(Rule), not relaxed(Rule).
#show black/2.
"""
HITORI_FILES = {
    "lonely/puzzle.toml": """
summary = "Shade cells, so that the others are connected."
[answer]
kind = "shading"
output = "black(R, C)"
unshaded = "white"
[keys.numbers]
kind = "numbers"
fact = "number(R, C, N)"
every = true
""",
    "lonely/lonely.lp": HITORI,
    "lonely/words.lp": """
says(row(R, N), ("row", R, "has one white", N)) :- number(R, _, N).
says(column(C, N), ("column", C, "has one white", N)) :- number(_, C, N).
says(touch(R, C, Y, X), (cell(R, C), "and", cell(Y, X), "are not both black")) :- side(R, C, Y, X).
says(apart(R, C), (cell(R, C), "is connected to the other white cells")) :- cell(R, C).
""",
}
HITORIS = ("333\n312\n113", "122\n323\n133", "3441\n1224\n1413\n4112")


def facts(said: Mapping[str, Any]) -> Facts:
    """Return what the JSON of a step or a link says to hold and not to hold."""
    return {
        (tuple(one["cell"]), one["value"]): key == "placed" for key in ("placed", "eliminated") for one in said[key]
    }


def check_links(step: Step, possible: Any, known: Facts) -> int:
    """Check that each link follows by its rules from what is known and what it rests on; return how many there are.

    Args:
        step: a step.
        possible: tells whether rules can hold together with some facts.
        known: what is known of the cells of the step.
    """
    said: dict[str, Any] = json.loads(json.dumps(step.json()))
    links = said["links"]
    if not links:
        assert not step.listed
        return 0
    first, *others, last = links
    concluded = facts(said)
    if facts(last):
        return check_pattern(step, possible, known)
    assert {rule for link in links for rule in link["rules"]} == set(said["rules"])
    assert not first["rules"] + first["rests_on"]
    assert all(concluded[atom] is not value for atom, value in facts(first).items())
    assert bool(facts(first)) == bool(concluded)
    rested_on = {number for link in links for number in link["rests_on"]}
    for number, link in enumerate(links[1:], 1):
        before = [facts(links[other]) for other in link["rests_on"] if other < number]
        assert len(before) == len(link["rests_on"])
        premises = {**known, **{atom: value for some in before for atom, value in some.items()}}
        if link is last:
            assert not facts(link)
            assert not possible(link["rules"], premises), (step.words, link)
        else:
            assert number in rested_on
            assert len(link["rules"]) == 1 or "; otherwise, " in link["words"] or not facts(link)
            assert facts(link) or {*link["rules"]} <= {*last["rules"]}  # what rules demand, where these are a list
            assert link["words"].count(".") == 1
            for atom, value in facts(link).items():
                assert not possible(link["rules"], premises | {atom: not value}), (step.words, link)
    assert len(step.listed) in {0, len(others) + 1}
    assert step.listed or len(others) <= 7
    assert max(map(len, step.words.split(". "))) <= 250
    assert all(line.startswith(link.words[:-1]) for line, link in zip(step.listed, step.links[1:], strict=False))
    return len(links)


def check_pattern(step: Step, possible: Any, known: Facts) -> int:
    """Check the same of a list that nothing contradicts: a chain, a loop, or the candidates of a rule, case by case.

    The first link of a chain, or the opposite of it, leads to the conclusions; each case does, and some case holds.
    """
    said: dict[str, Any] = json.loads(json.dumps(step.json()))
    first, *links = said["links"]
    concluded, told = facts(said), {**known, **facts(first)}
    named = {rule for link in said["links"] for rule in link["rules"]}
    assert len(step.listed) == len(links)
    assert max(map(len, (step.words, *step.listed))) <= 250
    if first["rules"]:
        assert named == set(said["rules"])
        supposed = [dict.fromkeys(facts(link).keys() - concluded.keys(), True) for link in links]
        assert not possible(first["rules"], {**known, **{atom: False for some in supposed for atom in some}})
        for link, some in zip(links, supposed, strict=True):
            assert len(some) == 1
            for atom, value in concluded.items():
                assert not possible(link["rules"], {**known, **some, atom: not value}), (step.words, link)
        return len(links)
    assert named < set(said["rules"]) or step.kind == "placement" or "loop" in step.name
    for link in links:
        assert facts(link)
        for atom, value in facts(link).items():
            assert not possible(link["rules"], {**told, atom: not value}), (step.words, link)
        told |= facts(link)
    assert concluded.items() <= told.items() or "loop" in step.name or "cycle" in step.name
    return len(links)


def left_out(step: Step) -> Iterator[str]:
    """Yield the rules of a step that neither its links nor its sentence name, except that a cell holds one value.

    What a unit adds up to names the rules that each number is in it once.
    """
    words, rules = step.words.lower(), {str(rule) for rule in step.rules}
    cells = set(read_places(step.words))
    for rule in rules.difference(str(rule) for link in step.links for rule in link.rules):
        name, _, rest = rule.partition("(")
        if match := re.fullmatch(r"(\w+)\(\W?(\w+)\W?\),(\d+)\)", rest):
            noun = {"col": "columns?", "row": "rows?", "stream": "(?:stream|box)s?"}.get(match[1], f"{match[1]}s?")
            unit = rf"\b{noun} (?:\w+, )*(?:\w+ and )?{match[2].lower()}\b"
            if not re.search(rf"{unit}( and (?:\w+ )?\d)? adds? up to", words) and not (
                re.search(unit, words) and re.search(rf"\b{match[3]}\b", words)
            ):
                yield rule
        elif name == "cover":
            yield from [] if tuple(map(int, re.findall(r"\d+", rest))) in cells else [rule]
        elif name in {"used", "alike", "stock"}:
            yield from [] if "".join(re.findall(r'"(\w+)"', rest)) in re.findall(r"\w+", words) else [rule]
        elif name != "cell":
            said = {
                "touch": "never touch",
                "killer_cage": "cage",
                "given": "row",
                "thermometer": "thermometer|is less than",
            }
            yield from [] if re.search(said.get(name, name), words) else [rule]


def check(instance: Instance, found: Sequence[Step] = ()) -> Iterator[Step]:
    """Check the steps of a board of numbers or strips, and yield those of several rules."""
    puzzle = step_checker.puzzle(instance)
    state = puzzle.start(puzzle.clues)
    for step in found or list(explain(instance))[:-1]:
        check_links(step, puzzle.possible, state)
        if len(step.rules) > 1:
            assert not list(left_out(step)), step.words
            yield step
        said: dict[str, Any] = json.loads(json.dumps(step.json()))
        state |= facts(said) | {(tuple(atom["cell"]), atom["value"]): False for atom in said["plain"]}


@given(number_boards())
@examples(12)
@pytest.mark.slow
def test_no_rule_is_left_out_of_random_boards(drawn: NumberBoard) -> None:
    """Sentences and links of random Sudokus, Strimkos and Tectonics name each rule, and each link follows."""
    for step in check(one(drawn.text)):
        assert "more" not in re.findall(r"\w+", step.words)


@pytest.mark.slow
@given(strips_boards())
@examples(8)
def test_no_rule_is_left_out_of_random_strips(drawn: StripsBoard) -> None:
    """The same of strips."""
    list(check(one(drawn.text)))


@pytest.mark.sampled(0)
@pytest.mark.parametrize("name", [VERY_HARD, *SUDOKUS, NUMBERED, "tectonic/ten", "tectonic/seed", "strips/final"])
def test_no_rule_is_left_out_of_hard_boards(name: str) -> None:
    """The same of boards whose steps take many rules; a chain of many links is printed as a list below its sentence."""
    found = list(check(*steps(name)))
    for step in found:
        lines = str(step).split("\n")[1 : len(step.listed) + 1]
        assert lines == [f"   {number}. {link}" for number, link in enumerate(step.listed, 1)]
        if step.links and not step.name:
            told = r"If .* (?:were|were not) .*\. So .*\." if step.kind != "contradiction" else r".*no answer\."
            assert re.fullmatch(told, step.words), step.words
    if name == "strips/final":
        assert any(step.links and not step.listed for step in found)
    if name == SUDOKUS[0]:
        assert any(step.listed for step in found)


@pytest.mark.parametrize("name", ["thermometer", "killer-cage", "arrow"])
@pytest.mark.slow
def test_no_rule_is_left_out_of_variants(name: str) -> None:
    """The same of rules of variants, as plain clingo has them."""
    several = 0
    for instance in (only(f"variants/{name}"), one(a_board(name, 2)[0]), one(a_board(name, 3)[0])):
        plain = Forced(instance)
        for step in list(explain(instance))[:-1]:
            known: Facts = {}
            for said in step.json()["known"]:  # type: ignore[attr-defined]
                left = {(tuple(said["cell"]), value) for value in said["left"]}
                known |= dict.fromkeys(plain.atoms(tuple(said["cell"])) - left, False)
            check_links(step, plain.possible, known)
            if len(step.rules) > 1:
                assert not list(left_out(step)), step.words
                several += 1
    assert several


def hitori(text: str, folder: Path) -> Instance:
    """Return a Hitori."""
    numbers = {(r, c): n for r, line in enumerate(text.split("\n"), 1) for c, n in enumerate(line, 1)}
    size = max(numbers)
    return one(toml(puzzle='"lonely"', numbers=grid(numbers, numbers, *size)), puzzles=[folder / "lonely"])


@pytest.mark.slow
@pytest.mark.parametrize("text", HITORIS)
def test_rules_of_a_graph_name_the_cells_that_are_cut_off(text: str, tmp_path: Path) -> None:
    """Cells that would be cut off have only shaded cells around them, and a white one elsewhere."""
    instance = hitori(text, write(tmp_path, HITORI_FILES))
    cells = set(instance.cells)
    color: dict[Cell, str] = {}
    for step in list(explain(instance))[:-1]:
        said: dict[str, Any] = step.json()
        rules = [rule for rule in said["rules"] if rule.startswith("apart")]
        then = dict(color)
        for link in said["links"]:
            then |= {cell: "black" if holds else "white" for (cell, _), holds in facts(link).items()}
        told = re.search(r"(.*) (?:would be|is|are) cut off", step.words)
        assert bool(told) == bool(rules) or step.kind == "contradiction", step.words
        if told:
            cut = set(read_places(re.split(r"were black, (?:in the end )?|\bso ", told[1])[-1]))
            inside = connected(cut, {cell for cell in cells if then.get(cell) != "black"})
            assert inside == cut, step.words
            assert any(cell not in cut for cell in cells if then.get(cell) == "white"), step.words
        for (cell, _), holds in (facts(said) | {(tuple(a["cell"]), 0): False for a in said["plain"]}).items():
            color[cell] = "black" if holds else "white"


def connected(part: Collection[Cell], among: Collection[Cell]) -> set[Cell]:
    """Return the cells that are connected to some cells by their sides, among others."""
    found = set(part)
    while True:
        more = {(r, c) for r, c in among if any(abs(r - y) + abs(c - x) == 1 for y, x in found)} - found
        if not more:
            return found
        found |= more


def test_hitori_has_steps_about_connection(tmp_path: Path) -> None:
    """A step of a rule of a graph says which cells would be cut off."""
    found = [step.words for step in explain(hitori(HITORIS[0], write(tmp_path, HITORI_FILES)))]
    assert any("row 1, column 2 would be cut off" in words for words in found)


def test_the_author_says_what_fails(tmp_path: Path) -> None:
    """`fails` in words.lp says what is not the case for cells that a rule of a graph does not reach."""
    folder = write(tmp_path, HITORI_FILES)
    words = HITORI_FILES["lonely/words.lp"] + 'fails(reached, ("out of reach",)).\n'
    write(tmp_path, {"lonely/words.lp": words})
    found = [step.words for step in explain(hitori(HITORIS[0], folder))]
    assert any("would be out of reach" in text for text in found)
    assert not any("cut off" in text for text in found)


AT, UNIT = r"row \d, column \d", r"(?:row|column|box) \d"
BOTH = rf"\((?:{UNIT} and {UNIT}|(?:rows|columns|boxes) \d and \d)\)"
CHAIN = rf"if {AT} is not \d, (?:it|{AT}) is \d.*; either way, .* not \d {BOTH}\."
# Boards from `pyasp generate` with an X-wing, with a naked pair and with a naked triple.
NAMED = [
    "...9..4.7..1...2..7......9.6..82..3..5..3.7...7.5...4....2.6....15...6.8...3..1..",
    "...5...9294....3.....3.61...8...25..1..6.5.......8...3...75..4.6.3...7..8........",
    "...96.5........1.42.1..5..6.5....6...2.87....7.....9......9.41..9.2...8.8........",
    "........4..8.3.7..7.....51....4............316...758...4..2.37...2....9....1.9.6.",
]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("pointing", r"Pointing: \d in box \d can only be in (row|column) \d(, because .*)?, so .* not \d\."),
        ("claiming", r"Claiming: \d in (row|column) \d can only be in box \d(, because .*)?, so .* not \d\."),
        ("naked pair", rf"Naked pair in {UNIT}: .* (?:are|is) \d or \d, so .*"),
        ("naked triple", rf"Naked triple in {UNIT}: .* (?:are|is) \d(?:, \d)? or \d.*, so .*"),
        ("hidden pair", r"Hidden pair: \d and \d in \w+ \d can only be in .*, so .*"),
        ("hidden triple", r"Hidden triple: \d, \d and \d in \w+ \d can only be in .*, so .*"),
        ("X-wing", r"X-wing: \d in (rows|columns) \d and \d can only be in (columns|rows) \d and \d, so .*"),
        (
            "finned swordfish",
            r"Finned swordfish: \d in .* can only be in .* \d, \d and \d, or in row .*; either way, .*",
        ),
        ("skyscraper", rf"Skyscraper: {CHAIN}"),
        ("two-string kite", rf"Two-string kite: {CHAIN}"),
        ("turbot fish", rf"Turbot fish: {CHAIN}"),
        ("XY-wing", rf"XY-wing: {AT} is \d or \d; (if it is \d, {AT} is \d \({UNIT}\); ){{2}}so .* not \d \(.*\)\."),
        ("XYZ-wing", r"XYZ-wing: .* have only \d, \d and \d left, and \d and \d can be there once each \(.*\), so .*"),
        ("W-wing", rf"W-wing: {CHAIN}"),
        (
            "alternating inference chain",
            r"Alternating inference chain: (?:if .* is not .*, .* is .*; (?:either way,|so)|.* or .*, so) .*\.",
        ),
        ("empty rectangle", r"Empty rectangle: if .* is not .*, .* is .*; either way, .* not \d \(.*\)\."),
    ],
)
@pytest.mark.sampled(0)
def test_named_steps_are_told_as_people_say_them(name: str, sentence: str) -> None:
    """A step of several rules with a name is told by its pattern: the numbers, the units and the cells."""
    lines = [line for line, names in test_names.SUDOKUS.items() if name in names] or [*SUDOKUS, *NAMED]
    found = [step for line in lines for step in steps(line)[1] if step.name == name]
    assert found
    for step in found:
        assert re.fullmatch(sentence, step.words), step.words
        assert not list(left_out(step)), step.words
        for text in (step.words, *step.listed):  # two units that would read as a cell
            assert not re.search(r"\((?:row|column|box) \d, ", text), text


@pytest.mark.slow
def test_steps_name_rules_without_a_unit() -> None:
    """A step of several rules tells each by which it holds, whatever the rule is about."""
    found = [step for step in explain(only("variants/anti-king")) if any(rule.name == "king" for rule in step.rules)]
    told = [step for step in found if len(step.rules) > 1]
    assert told
    assert all("a king's move away" in " ".join([step.words, *step.listed]) for step in told)


@pytest.mark.slow
def test_pages_list_the_links_of_long_chains() -> None:
    """The page of an explanation has long chains as lists, each link with the cells that it is about."""
    instance, found = steps(SUDOKUS[0])
    text = page("Steps", [explanation_section(instance, found)])
    lists = re.findall(r"<ol>(<li class=\"place\".*?)</ol>", text)
    assert [len(re.findall("<li", one)) for one in lists] == [len(step.listed) for step in found if step.listed]
    assert re.search(r'data-cells="r\dc\d(,r\dc\d)*" data-spans="[^"]+">Row \d', lists[0])


@pytest.mark.parametrize("seed", [2, 5])
def test_shading_links_follow(seed: int, tmp_path: Path) -> None:
    """No word of a sentence of shaded cells is left without a rule, for rules of every shape."""
    folder = write(tmp_path, SHADING) / "shapes"
    for step in explain(one(shading(seed), puzzles=[folder])):
        assert "more" not in step.words.split()
        if step.links:
            assert {rule for link in step.links for rule in link.rules} == set(step.rules)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["variants/row-indexer", "variants/counting-circles"])
def test_a_value_that_is_supposed_needs_no_others_ruled_out(name: str) -> None:
    """After "if row 3, column 3 were 2", nobody is told that it would not be 3; a number that follows has a "then"."""
    told = [step.words for step in steps(name)[1]]
    assert any(re.search(r"[Ii]f row \d, column \d were \d,", words) for words in told)
    assert not [words for words in told if re.search(r"were \d, (it would not be|\d)", words)]


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("numberlink/six", "a line would join different numbers"),
        ("masyu/eight", "the loop could not go straight through the white pearl in"),
        ("battleships/six", "the fleet would not have"),
    ],
)
def test_steps_say_what_would_be_broken(name: str, words: str) -> None:
    """Where the encoding has words for it, and not that rules cannot hold, neither in sentences nor in links."""
    told = [said for step in explain(only(name)) for said in (step.words, *(link.words for link in step.links))]
    assert any(words in said for said in told)
    assert not [said for said in told if re.search("all hold|not be that", said)]


@pytest.mark.slow
def test_a_loop_goes_from_the_cell_of_the_rule() -> None:
    """What is known of it is told from "there", and what follows from the same cell."""
    pattern = r"The loop goes through (row \d, column \d), and the loop does not go (.*), so (.*)\."
    found = [re.match(pattern, step.words) for step in explain(only("simple-loop/eight"))]
    for place, known, follows in (match.groups() for match in found if match):
        assert known.startswith("from there to ")
        assert follows.startswith(f"the loop goes from {place} to ")
    assert any(found)
