"""Plain clingo, given an encoding and the facts of an instance, finds the answers that the command prints."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from . import plain
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
    theirs = {frozenset(atom.replace('"', "") for atom in witness["Value"]) for witness in witnesses}
    assert theirs == {frozenset(atom.replace('"', "") for atom in plain.atoms(answer)) for answer in ours}
    assert len(theirs) == len(witnesses) == len(ours)
