"""Plain clingo, given an encoding and the facts of an instance, finds the answers that the command prints."""

import json
import sys
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import pytest
from clingo import Symbol, parse_term

from . import plain, rules
from .command import objects, process, pyasp

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


def meaning(atoms: list[Symbol]) -> Hashable:
    """Return what an answer set says, in the form of `plain.identity`."""
    if any(atom.name == "value" for atom in atoms):
        return frozenset(((r.number, c.number), v.number) for r, c, v in (atom.arguments for atom in atoms))
    if any(atom.name == "placed" for atom in atoms):
        strips = set()
        for r, c, direction, length in (atom.arguments for atom in atoms):
            y, x = {"right": (0, 1), "down": (1, 0)}[direction.name]
            strips.add(tuple((r.number + i * y, c.number + i * x) for i in range(length.number)))
        return frozenset(strips)
    pairs = [atom.arguments for atom in atoms if atom.name == "over"]
    over = {(line(upper), line(lower)) for upper, lower in pairs}
    ribbons = {(line(atom.arguments[0]), plain.words(atom.arguments[1])) for atom in atoms if atom.name == "ribbon"}
    return rules.Lattice(frozenset(over), frozenset(ribbons))


def line(symbol: Symbol) -> rules.Line:
    """Return `row(2)` or `col(2)` as data."""
    return plain.LINES[symbol.name], symbol.arguments[0].number


@pytest.mark.parametrize("name", [*BOARDS, "strimko/zigzag", "tectonic/seed"])
def test_plain_clingo(name: str, tmp_path: Path) -> None:
    """`pyasp facts X | clingo ENCODING - 0` and `pyasp solve --all --json X` give the same answers."""
    if name in BOARDS:
        (tmp_path / name).write_text(BOARDS[name], encoding="utf-8")
    (board,) = objects(pyasp("solve", "--all", "--json", name, where=tmp_path).stdout)
    ours: list[dict[str, Any]] = board["solutions"]
    encoding = pyasp("encoding", "--path", board["puzzle"], where=tmp_path).stdout.strip()
    facts = pyasp("facts", name, where=tmp_path).stdout
    clingo = process([sys.executable, "-m", "clingo", encoding, "-", "0", "--outf=2"], tmp_path, input=facts)
    assert clingo.stderr == ""
    witnesses = json.loads(clingo.stdout)["Call"][0].get("Witnesses", [])
    assert bool(witnesses) == (name != "unsolvable.lp")
    theirs = [meaning([parse_term(atom) for atom in witness["Value"]]) for witness in witnesses]
    assert len(theirs) == len(ours)
    assert set(theirs) == {plain.identity(answer) for answer in ours}
