"""Explanations are proofs: each step is forced by what it names, needs all of that, and the steps end in the answer."""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from itertools import islice, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyasp_puzzles import Instance, Settings, board, decided, explain, generate, load, solutions, solve
from pyasp_puzzles.explanation.cores import RuleCoreFinder
from pyasp_puzzles.explanation.deduction import Deduction
from pyasp_puzzles.explanation.groups import minimal_needs
from pyasp_puzzles.queries.formulas import Formula, Threshold, consequences_of_formulas, negate, simplify
from pyasp_puzzles.queries.ground_rules import ground_rules_of

from . import algorithm_1, plain, step_checker, strategies
from .helpers import (
    KNIGHT,
    KNIGHT_MOVES,
    PLAIN,
    SHIPPED,
    extra,
    filled,
    not_none,
    one,
    only,
    overlong,
    read,
    status,
    sudoku,
)
from .rules import Cell
from .step_checker import Atom, Count, Json, Rules, as_json
from .strategies import NumberBoard, StripsBoard, examples, rectangle

# The boards that ship; Strata has steps of its own kind.
BOARDS = [name for name in SHIPPED if name.split("/")[0] != "strata"]
LONG = {"sudoku/large": pytest.mark.night} | dict.fromkeys(
    ("sudoku/jigsaw", "tectonic/ten", "strips/holes", "strips/hunt", "strips/nine"), pytest.mark.slow
)


@cache
def ships(name: str) -> list[tuple[Instance, list[Json]]]:
    """Return the boards of a name, each with its explanation; of many boards, every ninth; no sentence is long."""
    explained = [(instance, [*explain(instance)]) for instance in load(name)[::9]]
    assert [sentence for _, steps in explained for sentence in overlong(steps)] == []
    return [(instance, as_json(steps)) for instance, steps in explained]


def holding(instance: Instance, steps: Iterable[Json]) -> set[Atom]:
    """Return what an explanation says of the answer, the clues with it."""
    placed = {(tuple(said["cell"]), said["value"]) for step in steps for said in step["placed"]}
    return placed | set(plain.givens(instance).items())


def strip_atoms(strips: Iterable[tuple[Cell, ...]]) -> set[Atom]:
    """Return strips as atoms: by their first cell, and as the encoding's term."""
    return {(strip[0], plain.placed(strip)) for strip in strips}


def atoms_of(json: Mapping[str, Any]) -> set[Atom]:
    """Return what an answer says, by its JSON, as atoms."""
    return strip_atoms(plain.strips(json)) if "strips" in json else set(plain.values(json).items())


def singles(instance: Instance) -> bool:
    """Return whether naked and hidden singles solve a puzzle of numbers."""
    return algorithm_1.in_full(*algorithm_1.knowledge(instance)).status == "solved"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", [pytest.param(one, marks=LONG[one]) if one in LONG else one for one in BOARDS])
def test_explanations_of_shipped_boards_are_right(name: str) -> None:
    """On each shipped board, every step is forced, nothing is redundant, and the end is the answer.

    Where singles do, no step takes more than one rule.
    """
    for instance, steps in ships(name):
        assert step_checker.violations(step_checker.puzzle(instance), steps) == []
        answer = not_none(solve(instance))
        assert plain.broken(instance, answer.json()) == []
        assert steps[-1]["status"] == "unique"
        assert holding(instance, steps) == atoms_of(answer.json())
        if instance.puzzle.name != "strips" and singles(instance):
            assert {len(step["rules"]) for step in steps[:-1]} == {1}
        assert not any(re.search(r"\w\(|[{}_]", step["words"]) for step in steps), "people do not speak in terms"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("many", [1, pytest.param(10, marks=pytest.mark.night)])
@pytest.mark.parametrize("kind", strategies.KINDS)
def test_explanations_of_random_boards_are_right(kind: str, many: int) -> None:
    """On a board with one, several or no answers, each step is forced, and the end is right.

    With singles, a board of numbers goes by single rules.
    """

    @examples(many * (6 if kind == "sudoku" else 15))
    @given(strategies.KINDS[kind])
    def agrees(drawn: NumberBoard | StripsBoard) -> None:
        instance = one(drawn.text)
        found = [set(answer.items()) if isinstance(answer, dict) else strip_atoms(answer) for answer in drawn.answers()]
        steps = as_json(explain(instance))
        assert step_checker.violations(step_checker.puzzle(instance), steps) == []
        assert steps[-1]["status"] == status(len(found))
        if found:
            assert holding(instance, steps) == set.intersection(*found)
            always = not_none(decided(instance))
            assert holding(instance, steps) == atoms_of(always.json())
        if len(found) == 1 and isinstance(drawn, NumberBoard) and singles(instance):
            assert {len(step["rules"]) for step in steps[:-1]} <= {1}

    agrees()


@pytest.mark.parametrize("blocks", ["# A\nB A\nB B", "A # B B B\n# # E E B", "A # B B B\nA # B G G"])
def test_what_waits_hides_no_cheaper_placement(blocks: str) -> None:
    """Where the answer is none, what was ruled out but not told does not hide a placement that is cheaper by then."""
    instance = board("tectonic", blocks=blocks.split("\n"))
    assert step_checker.violations(step_checker.puzzle(instance), as_json(explain(instance))) == []


@pytest.mark.parametrize(
    ("tiles", "listed", "words"),
    [
        ("w b", ["w", "w"], "The list has 2 of w, and the board has 1 place for them: this cannot hold"),
        ("w w b", ["w", "w", "w"], "The list has 3 of w, and the board has 2 places for them: this cannot hold"),
        ("w b w", ["w", "r"], "The list has 1 of r, and the board has no place for it: this cannot hold"),
    ],
)
def test_more_strips_than_places(tiles: str, listed: list[str], words: str) -> None:
    """A strip that is listed more often than it has places is a contradiction by itself, and the sentence says why."""
    instance = one(f'puzzle = "strips"\ntiles = "{tiles}"\nstrips = {json.dumps(listed)}\n')
    steps = as_json(explain(instance))
    assert step_checker.violations(step_checker.puzzle(instance), steps) == []
    assert [step["words"].startswith(words) for step in steps[:-1]] == [True]


def test_a_step_that_contradicts_itself() -> None:
    """Conclusions of one step that exclude one another stay conclusions; the next step is the contradiction."""
    instance = one('puzzle = "strips"\ntiles = "w w r w"\nstrips = ["rw", "w", "rw"]\n')
    steps = as_json(explain(instance))
    assert step_checker.violations(step_checker.puzzle(instance), steps) == []
    assert steps[-1]["status"] == "none"


# -- Words and pictures -------------------------------------------------------------------

NUMBERS = ["strimko/four", "strimko/needs-a-guess", "sudoku/six", "sudoku/large", "tectonic/ten", "tectonic/seed"]
UNITS = {"row": "Row", "col": "Column", "block": "Block", "stream": "Stream"}


@pytest.mark.sampled(0, 2)
@pytest.mark.parametrize(("puzzle", "size"), [("sudoku", (9, 9)), ("strimko", (6, 6)), ("tectonic", (7, 7))])
def test_places_in_a_block_come_before_cells(puzzle: str, size: tuple[int, int]) -> None:
    """A naked single with many values to see waits while a block has one place left for a number, which has fewer.

    In a box of a Sudoku, at most four lines rule out all other places. In blocks of any form, a value for each empty
    cell does, and the block is as long as its cells are apart.
    """
    naked = 0
    for instance in generate(puzzle, 5, size=size, seed=27, settings=Settings(timeout=300)):
        knowledge, evidence = algorithm_1.knowledge(instance)
        filled = dict(evidence)
        for step in as_json(explain(instance)):
            if step["name"] == "naked single" and len(step["seen"]) > (5 if puzzle == "sudoku" else 1):
                naked += 1
                for places, empty in _last_places(knowledge, filled):
                    apart = sum(max(line) - min(line) for line in zip(*places, strict=True))
                    see = 4 if puzzle == "sudoku" else empty - 1
                    assert see + apart / 4 >= len(step["seen"]), f"{step['words']} But see {places}."
            filled |= {tuple(said["cell"]): said["value"] for said in step["placed"]}
    assert naked > 1


def _last_places(board: algorithm_1.Board, filled: Mapping[Cell, int]) -> Iterator[tuple[set[Cell], int]]:
    """Yield the cells of each block with one place left for a number, and how many are empty."""
    for name, disjunction in board.disjunctions.items():
        places = {cell for cell, _ in disjunction}
        if re.search(r"\b(row|col|cell)\(", name) or any(filled.get(cell) == value for cell, value in disjunction):
            continue
        empty = [(cell, value) for cell, value in disjunction if cell not in filled]
        left = [cell for cell, value in empty if all(filled.get(other) != value for other in board.unlike[cell])]
        if len(left) == 1:
            yield places, len(empty)


@pytest.mark.slow
def test_single_rules_are_said_in_words() -> None:
    """A step of one rule says so as people do: "Block B needs a 4; row 2, column 3 is its only place left."""
    seen = set()
    for name in NUMBERS:
        [(_, steps)] = ships(name)
        units = UNITS | {"stream": "Box"} if name.startswith("sudoku") else UNITS
        for step in steps:
            if len(step["rules"]) == 1 and len(step["placed"]) == 1:
                [rule], [placed] = step["rules"], step["placed"]
                (r, c), v = placed["cell"], placed["value"]
                match = re.fullmatch(r'once\((\w+)\("?(\w+)"?\),\d+\)', rule)
                an = "an" if v in {8, 11, 18} else "a"
                place = f"row {r}, column {c}"
                if match is None:
                    begins = f"Row {r}, column {c} can only be {v}"
                else:
                    unit = f"{units[match[1]]} {match[2]}"
                    begins = f"{unit} needs {an} {v}; {place} is its only place left"
                    seen |= {units[match[1]], an}
                sentence = rf"{begins}(, a (full house|(naked|hidden) single))?(, because .+)?\."
                assert re.fullmatch(sentence, step["words"]) or "one cell" in step["words"]
                assert len(step["words"]) <= 220
    assert seen >= {"Row", "Column", "Block", "Stream", "Box", "a", "an"}


@pytest.mark.slow
def test_larger_steps_are_said_in_words() -> None:
    """A larger step is one sentence too, which says what follows, in which cells."""
    larger = 0
    for name in NUMBERS:
        [(_, steps)] = ships(name)
        for step in steps[:-1]:
            words = step["words"]
            assert words[0].isupper()
            assert words.endswith(".")
            assert "\n" not in words
            assert "  " not in words
            if len(step["rules"]) > 1:
                larger += 1
                concluded = words.rpartition("so ")[2]
                for said in [*step["placed"], *step["eliminated"]]:
                    assert all(re.search(rf"\b{number}\b", concluded) for number in (*said["cell"], said["value"]))
    assert larger > 5


def test_contradictions_are_said_in_words() -> None:
    """Where there is no answer, the last step says which clues and rules clash, as people say them."""
    *_, step, end = as_json(explain(sudoku("1...", ".1..", "....", "....")))
    assert (step["kind"], end["status"]) == ("contradiction", "none")
    assert end["words"].startswith("There is no answer.")
    for words in (step["words"], end["words"]):
        assert not re.search(r"\w\(|[{}_]", words)
    assert all(clue in end["words"] for clue in ("the 1 in row 1, column 1", "the 1 in row 2, column 2"))
    assert {tuple(cell) for cell in end["cells"]} == {(1, 1), (2, 2)}


def test_rules_of_contradictions_say_where() -> None:
    """Where rules that say the same clash, each has its place: no clause is there twice."""
    clues = {(1, 1): 1, (3, 3): 1}
    for rows, numbers in (("AAB ABB CCB", clues), ("AABBCC DDEEFF", {}), ("ABC ADC EDF", {}), ("AAB ACB CCC", clues)):
        blocks = rows.split()
        empty = board("tectonic", blocks=blocks, givens=["." * len(row) for row in blocks])
        *_, end = explain(empty.with_clues(numbers))
        assert end.status == "none"
        clauses = end.words.rpartition(": ")[2].rstrip(".").split("; ")
        assert len(set(clauses)) == len(clauses) == int(end.words.split()[5])
        touching = [clause for clause in clauses if clause.startswith("equal numbers never touch")]
        assert len(touching) == 1 or all(" in row" in clause for clause in touching)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "name", ["strimko/five", "strimko/seven", "sudoku/six", "tectonic/three-clues", "strips/final"]
)
def test_pictures_mark_conclusions_and_premises(name: str) -> None:
    """The picture of a step has what follows between stars, and what it rests on in brackets."""
    instance = only(name)
    strips = instance.puzzle.name == "strips"
    for step in explain(instance):
        if step.kind == "end":
            continue
        picture, said = step.picture(PLAIN), step.json()
        marked = {tuple(atom["cell"]) for key in ("placed", "eliminated") for atom in said[key]}  # type: ignore[attr-defined]
        resting = {*step.cells, *step.seen} - marked
        stars, brackets = re.findall(r"\*(\w+|\.)\*", picture), re.findall(r"\[(\w+|\.)\]", picture)
        if not strips:
            assert len(stars) == len(marked)
            assert len(brackets) == len(resting)
            assert sorted(str(atom["value"]) for atom in said["placed"]) == sorted(stars) or not step.placed  # type: ignore[attr-defined]
        assert stars
        assert str(step).startswith(f"{step.number}. {step.words}\n")
        assert picture in str(step)


# -- The checker ---------------------------------------------------------------------

# A board whose explanation begins with two eliminations, of three rules each, and the placement that they serve.
LARGER = board("tectonic", blocks=["AABB", "AAAB", "CCCB", "CCDD"], givens=["2..1", *["...."] * 3])


@cache
def good() -> str:
    """Return an explanation to spoil."""
    return json.dumps(as_json(explain(LARGER)))


def _swap(steps: list[Json]) -> None:
    steps[0], steps[2] = {**steps[2], "step": 1}, {**steps[0], "step": 3}


def _lose(steps: list[Json]) -> None:
    del steps[0]
    for i, step in enumerate(steps, 1):
        step["step"] = i
        step["after"] = [number - 1 for number in step["after"] if number > 1]


TWO = {"cell": [1, 1], "left": [2]}
SPOILT: dict[str, Callable[[list[Json]], object]] = {
    "a rule too few": lambda steps: steps[0]["rules"].pop(),
    "a rule too many": lambda steps: steps[0]["rules"].append("cell(3,3)"),
    "another rule": lambda steps: steps[3]["rules"].__setitem__(0, 'once(block("B"),1)'),
    "no such rule": lambda steps: steps[0]["rules"].append("cell(9,9)"),
    "a cell too few": lambda steps: (steps[2]["cells"].pop(), steps[2]["known"].pop()),
    "a cell too many": lambda steps: (steps[2]["cells"].append([1, 1]), steps[2]["known"].append(TWO)),
    "what was known": lambda steps: steps[2]["known"][0]["left"].append(1),
    "another number": lambda steps: steps[2]["placed"][0].update(value=2),
    "another elimination": lambda steps: steps[0]["eliminated"][0].update(value=1),
    "said before": lambda steps: steps[4]["placed"].append(steps[2]["placed"][0]),
    "not plain": lambda steps: steps[2]["plain"].append({"cell": [3, 1], "value": 2}),
    "too little plain": lambda steps: steps[2]["plain"].pop(),
    "a needless elimination": lambda steps: steps[2]["after"].remove(2),
    "after nothing": lambda steps: steps[2]["after"].append(0),
    "seen in vain": lambda steps: steps[2]["seen"].append([3, 3]),
    "not seen": lambda steps: steps[2]["seen"].clear(),
    "another kind": lambda steps: steps[2].update(kind="elimination"),
    "another order": _swap,
    "a step lost": _lose,
    "a step at the end lost": lambda steps: (steps.pop(-2), steps[-1].update(step=len(steps))),
    "another end": lambda steps: steps[-1].update(status="unique"),
    "none": lambda steps: steps[-1].update(status="none", rules=["given(1,1)"], cells=[[1, 1]]),
}


def test_the_checker_sees() -> None:
    """The checker of these tests is content with a good explanation, and finds whatever is wrong with one."""
    steps, puzzle = json.loads(good()), step_checker.puzzle(LARGER)
    assert [len(step["rules"]) for step in steps[:3]] == [3, 3, 1]
    assert step_checker.violations(puzzle, steps) == []
    for how, spoil in SPOILT.items():
        spoilt = json.loads(good())
        spoil(spoilt)
        assert spoilt != steps, how
        assert step_checker.violations(puzzle, spoilt) != [], how


def test_the_checker_sees_smaller_steps() -> None:
    """The checker finds a larger step where a smaller one would do."""
    instance = board("tectonic", blocks="AAA", givens="12.")
    (step, end) = as_json(explain(instance))
    assert (step["rules"], step["cost"]) == (['once(block("A"),3)'], 1.05)
    slow = {**step, "rules": ["cell(1,3)"], "cells": [[1, 3]], "cost": 1.2}
    slow |= {"known": [{"cell": [1, 3], "left": [3]}]}
    found = step_checker.violations(step_checker.puzzle(instance), [slow, end])
    assert found == ['step 1: once(block("A"),3) alone says more, for 1.05']


# -- User rules ------------------------------------------------------------

# What atoms a rule is about, and whether it holds where just some of them do.
Meaning = tuple["Collection[Atom]", "Callable[[set[Atom]], bool]"]


class Worlds(step_checker.Puzzle):
    """A puzzle with rules of any kind, so small that all sets of atoms, its worlds, can be tried."""

    def __init__(self, rules: Rules, own: Mapping[str, Meaning], always: Callable[[set[Atom]], bool]) -> None:
        super().__init__(rules | dict.fromkeys(own, ()))
        order = sorted(self.rules_of)
        for name, (atoms, _) in own.items():
            self.atoms[name] = frozenset(atoms)
            for atom in atoms:
                self.rules_of[atom].append(name)
        self._bits = {atom: 1 << i for i, atom in enumerate(order)}
        holding = {world: {atom for atom in order if world & self._bits[atom]} for world in range(1 << len(order))}
        self._worlds = {world for world, held in holding.items() if always(held)}
        self._sound = {name: {world for world in holding if holds(holding[world])} for name, (_, holds) in own.items()}
        for name, counts in rules.items():
            masks = [(least, most, sum(self._bits[atom] for atom in atoms)) for least, most, atoms in counts]
            self._sound[name] = {
                world
                for world in holding
                if all(least <= (world & mask).bit_count() <= most for least, most, mask in masks)
            }

    def possible(self, rules: Iterable[str], state: Mapping[Atom, bool]) -> bool:
        """Return whether some rules can hold together where something is known."""
        known = sum(self._bits[atom] for atom in state)
        held = sum(self._bits[atom] for atom, value in state.items() if value)
        worlds = self._worlds.intersection(*sorted((self._sound[name] for name in rules), key=len))
        return any(world & known == held for world in worlds)

    def broken(self, holding: Collection[Atom]) -> list[str]:
        """Return the rules that are broken where these atoms hold, and no others."""
        state = {atom: atom in holding for atom in self.rules_of}
        return [name for name in self.rules if not self.possible([name], state)]


# All atoms of a Tectonic of one row, with a block of three cells and a block of two.
ROW = [((1, c), v) for c, most in enumerate((3, 3, 3, 2, 2), 1) for v in range(1, most + 1)]


PAIR = {((1, 2), 2), ((1, 3), 2)}
ENDS = {((1, 1), 2), ((1, 1), 3), ((1, 5), 1)}


def _about(*columns: int) -> list[Atom]:
    return [atom for atom in ROW if atom[0][1] in columns]


def _total(holding: set[Atom], *columns: int) -> int:
    return sum(v for (_, c), v in holding if c in columns)


def _reaches(holding: set[Atom]) -> bool:
    """Return whether the cells that hold 1 or 2 are the first ones, without a gap."""
    low = {cell[1] for cell, v in holding if v < 3}
    return low == set(range(1, len(low) + 1))


# User rules, and what they mean.
OWN: dict[str, tuple[str, dict[str, Meaning]]] = {
    "a sum": (
        "violated(four) :- #sum { V, C : value(1, C, V), C = 3..4 } != 4.",
        {"four": (_about(3, 4), lambda holding: _total(holding, 3, 4) == 4)},
    ),
    "a sum with signs": (
        "violated(less) :- #sum { V : value(1, 1, V); -V, 2 : value(1, 4, V) } > 0.",
        {"less": (_about(1, 4), lambda holding: _total(holding, 1) <= _total(holding, 4))},
    ),
    "several bodies": (
        """violated(ends) :- value(1, 1, V), V > 1. violated(ends) :- value(1, 5, V), V < 2.
        violated(ends) :- not value(1, 2, 2), value(1, 3, 2).""",
        {"ends": (ENDS | PAIR, lambda h: not h & ENDS and h & PAIR != {((1, 3), 2)})},
    ),
    "an order": (
        "violated(more) :- value(1, 1, V), value(1, 3, V'), V >= V'.",
        {"more": (_about(1, 3), lambda h: not any(a >= b for (_, c), a in h if c == 1 for (_, d), b in h if d == 3))},
    ),
    "what can be reached": (
        """low(C) :- value(1, C, V), V < 3. reached(1) :- low(1). reached(C) :- low(C), reached(C'), |C - C'| = 1.
        violated(joined) :- low(C), not reached(C).""",
        {"joined": ([atom for atom in ROW if atom[1] < 3], _reaches)},
    ),
    "a rule that is never kept": ("violated(never).", {"never": ((), lambda _: False)}),
    "a rule that cannot be kept": (
        "violated(never(1, 1)) :- not value(1, 1, 9).",
        {"never(1,1)": ((), lambda _: False)},
    ),
    "a rule that is always kept": ("violated(always) :- value(1, 1, 9).", {}),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", OWN)
@pytest.mark.parametrize("givens", [". . . . .", ". 3 . . ."])
def test_rules_of_ones_own_are_explained(kind: str, givens: str, tmp_path: Path) -> None:
    """Explanations use a user rule of any form like all others."""
    text, own = OWN[kind]
    instance, how = board("tectonic", blocks="A A A B B", givens=givens), extra(tmp_path, text)
    steps = as_json(explain(instance, settings=how))
    puzzle = Worlds(step_checker.puzzle(instance).rules, own, lambda _: True)
    assert step_checker.violations(puzzle, steps) == []
    assert steps[-1]["status"] == status(len(list(solutions(instance, 2, how))))
    if kind in {"a rule that is never kept", "a rule that cannot be kept"}:
        assert [step["rules"] for step in steps] == [list(own)] * 2


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        (":- value(1, 1, 1).", ([((1, 1), 1)], lambda held: ((1, 1), 1) not in held)),
        (
            ":- value(1, 1, 1), value(1, 5, 2).",
            ([((1, 1), 1), ((1, 5), 2)], lambda held: not held >= {((1, 1), 1), ((1, 5), 2)}),
        ),
        (
            ":- value(1, C, 2), C > 2.",
            ([((1, c), 2) for c in (3, 4, 5)], lambda held: not any(c > 2 and v == 2 for (_, c), v in held)),
        ),
    ],
)
def test_a_rule_without_a_name(text: str, meaning: Meaning, tmp_path: Path) -> None:
    """A constraint that has no name is used like a rule that is named by its line."""
    instance = board("tectonic", blocks="A A A B B", givens=". 3 . . .")
    steps = as_json(explain(instance, settings=extra(tmp_path, text)))
    puzzle = Worlds(step_checker.puzzle(instance).rules, {'line("mine.lp",1)': meaning}, lambda _: True)
    assert step_checker.violations(puzzle, steps) == []
    assert any('line("mine.lp",1)' in step["rules"] for step in steps)
    assert all(step["words"][0].isupper() for step in steps)


def knights() -> Rules:
    """Return the rule of the README on a board of four by four."""
    cells = rectangle(4, 4)
    pairs = [((r, c), (r + y, c + x)) for (r, c), (y, x) in product(cells, KNIGHT_MOVES) if (r + y, c + x) in cells]
    return {
        f"knight({r},{c},{y},{x})": tuple(Count(0, 1, frozenset({((r, c), v), ((y, x), v)})) for v in range(1, 5))
        for (r, c), (y, x) in pairs
    }


def test_an_added_rule_takes_part_by_its_name(tmp_path: Path) -> None:
    """The rule of the README takes part at once, and is called by its name and its cells."""
    blank, said = ". . . .", ""
    for rows in (["1 . . .", *[blank] * 3], ["1 2 . .", *[blank] * 3], ["1 2 . .", blank, ". . . 1", blank]):
        instance = sudoku(*rows)
        steps = as_json(explain(instance, settings=extra(tmp_path, KNIGHT)))
        assert step_checker.violations(step_checker.puzzle(instance, knights()), steps) == []
        said += " ".join(step["words"] for step in steps if any("knight" in rule for rule in step["rules"]))
    assert re.search(r"[Tt]he rule knight for row \d, column \d and row \d, column \d", said)


def test_the_first_step_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step comes as soon as it is found: what needs large steps later on begins without them."""
    instance = only("strimko/seven")
    asked: list[str] = []

    def smallest(self: Deduction) -> Any:
        asked.append("smallest")
        return looked(self)

    def refuse(_: RuleCoreFinder) -> None:
        raise LookupError

    looked = Deduction.smallest
    monkeypatch.setattr(Deduction, "smallest", smallest)
    monkeypatch.setattr(RuleCoreFinder, "find", refuse)
    steps = iter(explain(instance))
    assert next(steps).kind == "placement"
    assert asked == ["smallest"]
    assert [step.number for step in islice(steps, 3)] == [2, 3, 4]
    with pytest.raises(LookupError):
        list(steps)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("name", "share"), [("strimko/seven", 3), ("tectonic/three-clues", 2), ("strips/list", 2)])
def test_an_explanation_continues_from_filled_in_numbers(name: str, share: int) -> None:
    """An explanation may begin where someone is: what is filled in counts as clues do."""
    instance = only(name)
    steps = as_json(explain(instance))
    known = [(tuple(said["cell"]), said["value"]) for step in steps for said in step["placed"]][::share]
    if instance.puzzle.name == "strips":
        lying = [[int(n) for n in re.findall(r"\d+", value)] + ["down" in value] for _, value in known]
        strips = [[f"{r + i * down},{c + i * (not down)}" for i in range(n)] for r, c, n, down in lying]
        text = "\n".join(map(" ".join, strips))
    else:
        text = filled(dict(known), plain.labels(instance, instance.puzzle.required))
    rest = as_json(explain(instance, so_far=read(instance, text)))
    assert step_checker.violations(step_checker.puzzle(instance), rest, known) == []
    assert rest[-1]["status"] == "unique"
    assert sum(len(step["placed"]) for step in rest) + len(known) == sum(len(step["placed"]) for step in steps)


# -- Formulas --------------------------------------------------------------------------

ATOMS = range(1, 6)
WORLDS = [dict(zip(ATOMS, values, strict=True)) for values in product([False, True], repeat=len(ATOMS))]
LITERALS = st.sampled_from([*ATOMS, *(-atom for atom in ATOMS)])


def thresholds(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return threshold formulas over some parts."""
    weighed = st.lists(st.tuples(st.integers(1, 3), parts), max_size=4).map(tuple)
    return st.builds(Threshold, st.integers(-1, 7), weighed)


FORMULAS = st.booleans() | st.recursive(LITERALS, thresholds, max_leaves=8)


def holds(formula: Formula, world: Mapping[int, bool]) -> bool:
    """Return whether a formula holds where atoms do, or do not."""
    if isinstance(formula, bool):
        return formula
    if isinstance(formula, int):
        return world[abs(formula)] is (formula > 0)
    return sum(weight for weight, part in formula.parts if holds(part, world)) >= formula.bound


@given(st.lists(FORMULAS, max_size=3))
@examples(60)
def test_forced_literals_hold_in_all_worlds(formulas: list[Formula]) -> None:
    """What formulas force holds in all worlds where they do; without such a world, it is None."""
    worlds = [world for world in WORLDS if all(holds(formula, world) for formula in formulas)]
    sure = {sign * atom for atom in ATOMS for sign in (1, -1) if all(world[atom] is (sign > 0) for world in worlds)}
    assert consequences_of_formulas(formulas) == (sure if worlds else None)


@given(FORMULAS, st.dictionaries(st.sampled_from(ATOMS), st.booleans()))
def test_simplified_formulas_say_the_same(formula: Formula, known: dict[int, bool]) -> None:
    """What remains of a formula says the same where something is known, and nothing of what is known."""
    remains = simplify(formula, known)
    for world in WORLDS:
        assert holds(remains, {**world, **known}) is holds(formula, {**world, **known})
        assert holds(remains, world) is holds(remains, {**world, **known})


@given(FORMULAS)
def test_a_negation_holds_where_the_formula_does_not(formula: Formula) -> None:
    """The negation of a formula holds exactly where the formula does not."""
    assert all(holds(negate(formula), world) is not holds(formula, world) for world in WORLDS)


@given(st.one_of(*strategies.KINDS.values()), st.randoms(use_true_random=False))
@examples(15)
@pytest.mark.slow
def test_formulas_say_what_the_puzzle_says(board: NumberBoard | StripsBoard, random: Random) -> None:
    """The formulas of the rules of a puzzle say what the puzzle says, whatever holds."""
    instance = one(board.text)
    grounded, puzzle = ground_rules_of(instance, Settings()), step_checker.puzzle(instance)
    names = {str(rule.name) for rule in grounded.rules}
    assert names <= puzzle.rules.keys()
    atoms = {atom: (grounded.cells[atom], _value(symbol)) for atom, symbol in grounded.symbols.items()}
    assert set(atoms.values()) == puzzle.rules_of.keys()
    for _ in range(20):
        share = random.choice([0.1, 0.3, 0.6])
        world = {atom: random.random() < share for atom in atoms}
        broken = {str(rule.name) for rule in grounded.rules if not holds(rule.formula, world)}
        assert broken == set(puzzle.broken([atoms[atom] for atom in atoms if world[atom]]))


def _value(symbol: Any) -> object:
    return symbol.arguments[2].number if symbol.name == "value" else str(symbol)


def test_a_search_that_is_given_up_proves_nothing() -> None:
    """Where the search for the cells that a step needs is given up, all of them remain."""
    answers = iter([[1, 5, 6]])
    needed = minimal_needs(lambda _: next(answers, None), {1: 7}, {(1, 1): [5], (1, 2): [6]}, 9)
    assert needed == ((7,), ((1, 1), (1, 2)))
