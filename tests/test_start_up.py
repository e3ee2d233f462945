"""Starting up is what people wait for: a command imports what it needs, and nothing else."""

import sys
from pathlib import Path

import pytest

from pyasp_puzzles.formats.load import shipped_instances

from .command import process

# Our own modules that `pyasp solve tectonic/seed` imports; they take some 10 ms, and clingo 20.
PLAIN = """
__main__ arguments asp asp.deadline asp.grounding asp.rules asp.search asp.settings
asp.source asp.symbols boards boards.facts boards.figure boards.grid boards.regions boards.toml cli cli.options
cli.output cli.run cli.solve cli.terminal errors formats formats.format formats.load formats.toml limits model
model.answer model.grades model.keys model.puzzle puzzles puzzles.board
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


def calls(code: str, place: Path) -> int:
    """Return how many functions a piece of code calls, which no clock and no other process changes."""
    counted = f"import sys; made = []; sys.setprofile(lambda *_: made.append(1)); {code}; print(len(made) // 2)"
    done = process([sys.executable, "-c", counted], place)
    assert not done.stderr
    return int(done.stdout)


def test_a_list_of_puzzles_opens_no_board(tmp_path: Path) -> None:
    """`pyasp list` reads declarations, and none of the boards that ship."""
    code = (
        "import os, sys; sys.argv = ['pyasp', 'list']; opened = [];"
        "os._exit = lambda _: print(*opened, file=sys.stderr);"
        "sys.addaudithook(lambda event, names: opened.append(names[0]) if event == 'open' else None);"
        "from pyasp_puzzles.__main__ import main; main()"
    )
    done = process([sys.executable, "-c", code], tmp_path)
    assert "puzzle.toml" in done.stderr
    assert "/instances/" not in done.stderr


def test_the_catalogue_makes_few_boards(tmp_path: Path) -> None:
    """The studio's catalogue takes little for each board that ships: no facts are made of it."""
    code = "from pyasp_puzzles.studio.questions import answer_question; [*answer_question({'ask': 'catalogue'})]"
    boards = len([*shipped_instances()])
    assert calls(code, tmp_path) < 4000 * boards
