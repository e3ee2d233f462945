"""Starting up is what people wait for: a command imports what it needs, and nothing else."""

import sys
from pathlib import Path

import pytest

from .command import process

# Our own modules that `pyasp solve tectonic/seed` imports; they take some 10 ms, and clingo 20.
PLAIN = """
__main__ arguments asp asp.deadline asp.grounding asp.rules asp.search asp.settings
asp.source asp.symbols boards boards.facts boards.figure boards.grid boards.regions boards.toml cli cli.options
cli.output cli.run cli.solve cli.terminal errors formats formats.format formats.load formats.toml limits model
model.answer model.keys model.puzzle puzzles puzzles.board
puzzles.consequences puzzles.declaration puzzles.keys puzzles.keys.grids puzzles.numbers puzzles.questions queries
queries.sessions queries.solve render render.text
"""
# What takes long to import, or brings along what does.
HEAVY = """
asyncio clingo.ast concurrent.futures csv distributed email http json logging multiprocessing pickle random rich socket
statistics unittest
"""


def imported(place: Path, *arguments: str) -> set[str]:
    """Return the modules that a command has imported when it ends."""
    code = (
        "import os, sys; sys.argv[0] = 'pyasp'; os._exit = lambda _: print(*sys.modules, file=sys.stderr);"
        "from pyasp_puzzles.__main__ import main; main()"
    )
    done = process([sys.executable, "-c", code, *arguments], place)
    assert done.returncode == 0
    return set(done.stderr.split())


def test_plain_solve_imports_these_modules(tmp_path: Path) -> None:
    """To solve a board, with no options, takes these modules of ours, and none that is heavy."""
    modules = imported(tmp_path, "solve", "tectonic/seed")
    ours = {module.removeprefix("pyasp_puzzles.") for module in modules if module.startswith("pyasp_puzzles.")}
    assert ours == set(PLAIN.split())
    assert modules & set(HEAVY.split()) == set()
    assert {"clingo.control", "tomllib"} <= modules


@pytest.mark.parametrize("arguments", [["--help"], ["solve", "--help"]])
def test_help_imports_neither_clingo_nor_rich(tmp_path: Path, arguments: list[str]) -> None:
    """Help takes typer, and neither clingo nor rich."""
    modules = imported(tmp_path, *arguments)
    assert "typer" in modules
    assert not {"clingo", "rich", "tomllib", "concurrent.futures", "pyasp_puzzles.puzzles"} & modules


def test_options_import_what_they_need(tmp_path: Path) -> None:
    """What is for collections and other processes is left out until asked for."""
    modules = imported(tmp_path, "solve", "--json", "--all", "tectonic/seed")
    assert not {"pyasp_puzzles.formats.lists", "concurrent.futures"} & modules
    assert not any(module.startswith("pyasp_puzzles.batches") for module in modules)
