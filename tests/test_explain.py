"""Explanations are proofs: each step is forced by what it names, needs all of that, and the steps end in the answer."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

import pytest
from hypothesis import given

from pyasp_puzzles import Instance, board, decided, explain, load, solve

from . import algorithm_1, plain, step_checker, strategies
from .helpers import PLAIN, SHIPPED, not_none, one, only, status, sudoku
from .rules import Cell
from .step_checker import Atom, Json, as_json
from .strategies import NumberBoard, StripsBoard, examples

BOARDS = [name for name in SHIPPED if name.split("/")[0] != "strata"]
"""The boards that ship; Strata has steps of its own kind."""


@cache
def ships(name: str) -> list[tuple[Instance, list[Json]]]:
    """Return the boards of a name, each with its explanation; of many boards, every ninth."""
    return [(instance, as_json(explain(instance))) for instance in load(name)[::9]]


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
    """Tell whether naked and hidden singles solve a puzzle of numbers."""
    return algorithm_1.in_full(*algorithm_1.knowledge(instance)).status == "solved"


# -- The boards that ship ---------------------------------------------------------


@pytest.mark.parametrize("name", BOARDS)
def test_shipped(name: str) -> None:
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
        assert not any(sign in step["words"] for step in steps for sign in "(){}_"), "people do not speak in terms"


# -- Random boards ------------------------------------------------------------------


@pytest.mark.parametrize("kind", strategies.KINDS)
def test_random(kind: str) -> None:
    """On a board with one, several or no answers, each step is forced, and the end is right.

    With singles, a board of numbers goes by single rules.
    """

    @examples(6 if kind == "sudoku" else 15)
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


def test_a_step_that_contradicts_itself() -> None:
    """Conclusions of one step that exclude one another stay conclusions; the next step is the contradiction."""
    instance = one('puzzle = "strips"\ntiles = "w w r w"\nstrips = ["rw", "w", "rw"]\n')
    steps = as_json(explain(instance))
    assert step_checker.violations(step_checker.puzzle(instance), steps) == []
    assert steps[-1]["status"] == "none"


# -- Words and pictures -------------------------------------------------------------------

NUMBERS = ["strimko/four", "strimko/needs-a-guess", "sudoku/six", "sudoku/large", "tectonic/ten", "tectonic/seed"]
UNITS = {"row": "Row", "col": "Column", "block": "Block", "stream": "Stream"}


def test_words_of_single_rules() -> None:
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
                sentence = rf"{begins}(, a (naked|hidden) single)?(, because .+)?\."
                assert re.fullmatch(sentence, step["words"]) or "one cell" in step["words"]
                assert len(step["words"]) <= 220
    assert seen >= {"Row", "Column", "Block", "Stream", "Box", "a", "an"}


def test_words_of_larger_steps() -> None:
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


def test_words_of_contradictions() -> None:
    """Where there is no answer, the last step says which clues and rules clash, as people say them."""
    *_, step, end = as_json(explain(sudoku("1...", ".1..", "....", "....")))
    assert (step["kind"], end["status"]) == ("contradiction", "none")
    assert end["words"].startswith("There is no answer.")
    for words in (step["words"], end["words"]):
        assert not set("(){}_") & set(words)
    assert all(clue in end["words"] for clue in ("the 1 in row 1, column 1", "the 1 in row 2, column 2"))
    assert {tuple(cell) for cell in end["cells"]} == {(1, 1), (2, 2)}


@pytest.mark.parametrize(
    "name", ["strimko/five", "strimko/seven", "sudoku/six", "tectonic/three-clues", "strips/final"]
)
def test_pictures(name: str) -> None:
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

LARGER = board("tectonic", blocks=["AAB", "ABB", "CCB"], givens=["2..", "...", "..."])
"""A board whose explanation begins with two eliminations, of two rules each, and the placement that they serve."""


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
    "another elimination": lambda steps: steps[0]["eliminated"][0].update(value=4),
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
    "several": lambda steps: steps[-1].update(status="several"),
    "none": lambda steps: steps[-1].update(status="none", rules=["given(1,1)"], cells=[[1, 1]]),
}


@pytest.mark.parametrize("how", SPOILT)
def test_the_checker_sees(how: str) -> None:
    """The checker of these tests is content with a good explanation, and finds whatever is wrong with one."""
    steps, puzzle = json.loads(good()), step_checker.puzzle(LARGER)
    assert [len(step["rules"]) for step in steps[:3]] == [2, 2, 1]
    assert step_checker.violations(puzzle, steps) == []
    SPOILT[how](steps)
    assert steps != json.loads(good())
    assert step_checker.violations(puzzle, steps) != []


def test_the_checker_sees_smaller_steps() -> None:
    """The checker finds a larger step where a smaller one would do."""
    instance = board("tectonic", blocks="AAA", givens="12.")
    (step, end) = as_json(explain(instance))
    assert (step["rules"], step["cells"]) == (["cell(1,3)"], [[1, 3]])
    slow = {**step, "rules": ['once(block("A"),3)'], "cells": [[1, 1], [1, 2]]}
    slow |= {"known": [{"cell": [1, 1], "left": [1]}, {"cell": [1, 2], "left": [2]}], "seen": [[1, 1], [1, 2]]}
    found = step_checker.violations(step_checker.puzzle(instance), [slow, end])
    assert found == ["step 1: cell(1,3) alone says more, with 1 cells"]
