"""What every shipped instance keeps, and the encodings with it."""

import json
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from pyasp_puzzles import load, solutions

from . import plain
from .command import objects, process, pyasp
from .helpers import SHIPPED, grounded, write

# As many answers of a board are looked at.
MOST = 50
# As many laying orders are looked at, for the published one to be among them.
MOST_ORDERS = 5000


@pytest.mark.parametrize("name", SHIPPED)
def test_instances_say_what_they_are(name: str) -> None:
    """An instance says what it is, where it comes from, and what is worth knowing about it."""
    for instance in load(name):
        assert {key for key in ("title", "source", "notes") if not instance.details.get(key)} == set()


@pytest.mark.parametrize("name", SHIPPED)
def test_published_solutions_are_the_answer(name: str) -> None:
    """The published answer of a board is its one answer; a Strata board's, where many orders will do, is among them."""
    for instance in load(name):
        if instance.solution is not None:
            assert plain.broken(instance, instance.solution.json()) == [], f"board {instance.number}"
            found = [plain.identity(answer.json()) for answer in islice(solutions(instance), MOST_ORDERS)]
            assert plain.identity(instance.solution.json()) in found, f"board {instance.number}"
            assert len(found) == 1 or instance.puzzle.name == "strata", f"board {instance.number}"


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", SHIPPED)
def test_answers_keep_the_rules(name: str) -> None:
    """Every answer keeps the rules of its puzzle, as a checker in plain Python sees them."""
    for instance in load(name):
        for answer in islice(solutions(instance), MOST):
            assert plain.broken(instance, answer.json()) == [], f"board {instance.number}"


@pytest.mark.sampled(10)
@pytest.mark.parametrize("name", SHIPPED)
def test_plain_clingo_agrees(name: str) -> None:
    """The encoding and the facts alone have as many answer sets as we have answers, and clingo warns of nothing."""
    for instance in load(name):
        messages: list[str] = []
        control = grounded(instance, messages=messages)
        assert messages == []
        with control.solve(yield_=True) as models:
            expected = sum(1 for _ in islice(models, MOST))
        assert sum(1 for _ in islice(solutions(instance), MOST)) == expected, f"board {instance.number}"


def test_every_puzzle_has_a_published_answer() -> None:
    """There is something for the tests above to check: an instance of each puzzle, and published answers."""
    boards = [instance for name in SHIPPED for instance in load(name)]
    assert {instance.puzzle.name for instance in boards} >= {"strata", "strimko", "sudoku", "tectonic", "strips"}
    assert {instance.puzzle.name for instance in boards if instance.solution} >= {"strimko", "sudoku", "tectonic"}


BOARDS = {
    "strata.toml": 'puzzle = "strata"\ntiles = """\nr . b\nr g .\n"""\n',
    "strimko.toml": 'puzzle = "strimko"\nstreams = """\nABCD\nBADC\nCDAB\nDCBA\n"""\n'
    'givens = """\n1...\n....\n....\n....\n"""\n',
    "sudoku.toml": 'puzzle = "sudoku"\ngivens = """\n1...\n..2.\n....\n...3\n"""\n',
    "tectonic.toml": 'puzzle = "tectonic"\nblocks = """\nA A A A\nB B B B\n# # C #\n"""\n',
    "strips.toml": 'puzzle = "strips"\nlongest = 4\ntiles = """\nwbbw\nwwb#\n"""\n',
    "unsolvable.lp": "block(1,1,a). block(1,2,b).",
    "strips.lp": "tile(1,1,w). tile(1,2,b). tile(2,1,b). tile(2,2,w). longest(2). strip(1,1,w). strip(1,2,b).\n"
    "strip(2,1,b). strip(2,2,w).\n",
    "strata.lp": "row(1). row(2). col(1). col(2). col(3). tile(1,1,r). tile(2,3,b).\n",
}


@pytest.mark.parametrize("name", [*BOARDS, "strimko/zigzag", "tectonic/seed"])
@pytest.mark.sampled(0)
def test_printed_facts_and_encoding_are_for_plain_clingo(name: str, tmp_path: Path) -> None:
    """`pyasp facts X | clingo $(pyasp encoding X --path) - 0` finds what `pyasp solve --all --json X` finds."""
    write(tmp_path, BOARDS)
    boards = objects(pyasp("solve", "--all", "--json", name, where=tmp_path).stdout)
    ours: list[dict[str, Any]] = [answer for board in boards for answer in board["solutions"]]
    encoding = pyasp("encoding", "--path", name, where=tmp_path).stdout.strip()
    facts = pyasp("facts", name, where=tmp_path).stdout
    clingo = process([sys.executable, "-m", "clingo", encoding, "-", "0", "--outf=2"], tmp_path, input=facts)
    assert clingo.stderr == ""
    witnesses = json.loads(clingo.stdout)["Call"][0].get("Witnesses", [])
    assert bool(witnesses) == (name != "unsolvable.lp")
    theirs = {frozenset(atom.replace('"', "") for atom in witness["Value"]) for witness in witnesses}
    assert theirs == {frozenset(atom.replace('"', "") for atom in plain.atoms(answer)) for answer in ours}
    assert len(theirs) == len(witnesses) == len(ours)
