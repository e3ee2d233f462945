"""How the project is laid out: names that agree, imports that go one way, one place that prints."""

from __future__ import annotations

import ast
import re
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import typer

from pyasp_puzzles import load
from pyasp_puzzles.cli import application
from pyasp_puzzles.declaration import find, names, puzzles
from pyasp_puzzles.encoding import encodings_directory, instances_directory, mode_path
from pyasp_puzzles.instance import shipped

from .command import PACKAGE

if TYPE_CHECKING:
    from collections.abc import Iterator

MODULES = {
    ".".join((PACKAGE.name, *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}
USES_CLINGO = {"grounded", "symbols", "ground_facts", "ground_rules", "wording", "puzzles.strips"}
"""Modules that cannot do without clingo; all others only name its types."""
CHECKOUT = Path(__file__).parents[1]


def tree(module: str) -> ast.Module:
    """Return the syntax of a module."""
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


def at_import(body: list[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the imports that run when a module is imported: not those in functions, nor those for types."""
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from at_import(node.orelse)
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for part in ("body", "orelse", "finalbody"):
                yield from at_import(getattr(node, part, []))


def imported(module: str) -> set[str]:
    """Return the full names of what a module imports when it is imported itself."""
    found = set()
    package = module if MODULES[module].name == "__init__.py" else module.rpartition(".")[0]
    for node in at_import(tree(module).body):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        else:
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            found |= {full if (full := f"{base}.{alias.name}") in MODULES else base for alias in node.names}
    return found


@pytest.mark.parametrize("name", names())
def test_names_agree(name: str) -> None:
    """A puzzle's folder, its rules and its folder of instances have names that agree."""
    puzzle = find(name)
    assert puzzle.name == puzzle.folder.name == name
    assert puzzle.encoding.is_file()
    assert puzzle.encoding.stem == puzzle.encoding.parent.name
    assert (instances_directory() / name).is_dir()
    assert puzzle.required in {predicate.name for predicate in puzzle.predicates}
    assert puzzle.summary.endswith(".")


def test_instances_stand_with_their_puzzle() -> None:
    """Each shipped instance is in the folder of its puzzle, and there is nothing else in the folders."""
    for name in shipped():
        assert {instance.puzzle.name for instance in load(name)} == {name.split("/")[0]}
    assert {path.suffix for path in instances_directory().rglob("*") if path.is_file()} <= {".toml", ".lp"}
    assert {path.name for path in instances_directory().iterdir()} == set(names())


def test_encodings_stand_alone() -> None:
    """An encoding includes, runs and sets nothing; a `.py` beside it is a trap."""
    folder = encodings_directory()
    assert {path.suffix for path in folder.rglob("*") if path.is_file()} == {".lp", ".toml"}
    for path in folder.rglob("*.lp"):
        rules = "\n".join(line.split("%")[0] for line in path.read_text(encoding="utf-8").splitlines())
        assert re.findall(r"#include|#script|#const|@\w+\s*\(", rules) == [], path.name


@pytest.mark.parametrize("puzzle", sorted({puzzle.rules.name for puzzle in puzzles()}))
def test_encodings_name_their_rules(puzzle: str) -> None:
    """An encoding begins with its puzzle, lists its input and output, and forbids in one line what it names."""
    text = find(puzzle).encoding.read_text(encoding="utf-8")
    assert text.lower().startswith(f"% {puzzle}")
    for word in ("% Input: ", "% Output: ", "% Names: ", ":- violated(Rule), not relaxed(Rule)."):
        assert text.count(word) == 1
    assert [line for line in text.splitlines() if line.startswith(":-")] == [":- violated(Rule), not relaxed(Rule)."]


@pytest.mark.parametrize("mode", ["broken", "repair"])
def test_modes_know_no_puzzle(mode: str) -> None:
    """The modes that hold for any puzzle name no predicate of a puzzle."""
    rules = re.sub(r"%.*", "", mode_path(mode).read_text(encoding="utf-8"))
    assert set(re.findall(r"(?<!#)\b[a-z]\w*", rules)) <= {"violated", "relaxed", "broken"}


def test_encodings_hold_rules_only() -> None:
    """Rules know one hook of what prunes, and nothing of how they are explained or repaired."""
    words = {"clue", "ruled_out", "tentative", "implied", "concluding", "retractable", "used", "assumes"}
    for puzzle in puzzles():
        rules = re.sub(r"%.*", "", puzzle.encoding.read_text(encoding="utf-8"))
        assert words.isdisjoint(re.findall(r"\b[a-z]\w*", rules)), puzzle.name


def test_imports_go_one_way() -> None:
    """No module imports, however indirectly, a module that imports it."""
    graph = {module: {name for name in imported(module) if name in MODULES} - {module} for module in MODULES}
    assert graph[f"{PACKAGE.name}.query"]
    assert set(TopologicalSorter(graph).static_order()) == set(MODULES)


def test_clingo_stays_where_it_belongs() -> None:
    """Few modules import clingo; the others would start without it."""
    users = {module for module in MODULES if any(name.split(".")[0] == "clingo" for name in imported(module))}
    assert users == {f"{PACKAGE.name}.{name}" for name in USES_CLINGO}


def test_one_place_prints() -> None:
    """Only `cli` prints, writes to the terminal, or exits."""
    for module in (name for name in MODULES if not name.startswith(f"{PACKAGE.name}.cli")):
        used = {ast.unparse(node) for node in ast.walk(tree(module)) if isinstance(node, ast.Name | ast.Attribute)}
        assert (
            used & {"print", "exit", "quit", "sys.exit", "os._exit", "sys.stdout", "sys.stderr", "SystemExit"} == set()
        )


@pytest.mark.parametrize("module", MODULES)
def test_modules_are_short_and_described(module: str) -> None:
    """A module says what it is, and so do its public functions, classes and methods; it is no longer than one idea."""
    assert MODULES[module].read_text(encoding="utf-8").count("\n") <= 500
    parsed = tree(module)
    assert ast.get_docstring(parsed)
    classes = [node for node in parsed.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
    for node in [*parsed.body, *(member for owner in classes for member in owner.body)]:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            overloaded = [ast.unparse(decorator) for decorator in node.decorator_list] == ["overload"]
            assert overloaded or ast.get_docstring(node), node.name


def test_readme_names_every_command() -> None:
    """Every command stands in the README."""
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    for name in getattr(typer.main.get_command(application()), "commands", {}):
        assert f"pyasp {name}" in readme
