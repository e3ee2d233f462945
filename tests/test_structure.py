"""How the project is laid out: names that agree, imports that go one way, one place that prints."""

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import TopologicalSorter

import pytest

from pyasp_puzzles import load
from pyasp_puzzles.asp.paths import encodings_directory, instances_directory, mode_path
from pyasp_puzzles.formats.load import shipped
from pyasp_puzzles.puzzles.declaration import find, names, puzzles

from .command import PACKAGE

MODULES = {
    ".".join((PACKAGE.name, *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}
LAYERS = (
    "errors",
    "asp",
    "boards",
    "render",
    "puzzles",
    "formats",
    "queries",
    "explanation",
    "generation",
    "batches",
    "cli",
)
"""The rooms of the package, low to high: each imports only from itself and from those before it."""
USES_CLINGO = {
    "asp.control",
    "asp.propagation",
    "asp.symbols",
    "formats.facts",
    "explanation.ground_rules",
    "puzzles.wording",
    "puzzles.strips",
}
"""Modules that cannot do without clingo; all others only name its types."""


@cache
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


def imported(module: str, nodes: Iterable[ast.AST]) -> set[str]:
    """Return the full names of what some imports of a module import."""
    found = set()
    package = module if MODULES[module].name == "__init__.py" else module.rpartition(".")[0]
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
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


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_down(module: str) -> None:
    """A module imports from its own layer and from those below it, in functions and for types as well."""
    room = module.split(".")[1] if "." in module else ""
    if room not in LAYERS:  # the package itself and its entry point stand above all
        assert room in {"", "__main__"}
        return
    for name in imported(module, ast.walk(tree(module))):
        if name.startswith(f"{PACKAGE.name}."):
            assert LAYERS.index(name.split(".")[1]) <= LAYERS.index(room), name
        assert name != PACKAGE.name or room == "cli"


def test_imports_go_one_way() -> None:
    """No module imports, however indirectly, a module that imports it."""
    graph = {module: imported(module, at_import(tree(module).body)) & MODULES.keys() - {module} for module in MODULES}
    assert graph[f"{PACKAGE.name}.queries.solve"]
    assert set(TopologicalSorter(graph).static_order()) == set(MODULES)


def test_clingo_stays_where_it_belongs() -> None:
    """Few modules import clingo; the others would start without it."""
    users = {
        module
        for module in MODULES
        if any(name.split(".")[0] == "clingo" for name in imported(module, at_import(tree(module).body)))
    }
    assert users == {f"{PACKAGE.name}.{name}" for name in USES_CLINGO}


def test_one_place_prints() -> None:
    """Only `cli` prints, writes to the terminal, or exits."""
    for module in (name for name in MODULES if not name.startswith(f"{PACKAGE.name}.cli")):
        used = {ast.unparse(node) for node in ast.walk(tree(module)) if isinstance(node, ast.Name | ast.Attribute)}
        assert (
            used & {"print", "exit", "quit", "sys.exit", "os._exit", "sys.stdout", "sys.stderr", "SystemExit"} == set()
        )


@pytest.mark.parametrize("module", MODULES)
def test_modules_are_described(module: str) -> None:
    """A module says what it is, and so do its public functions, classes and methods."""
    parsed = tree(module)
    assert ast.get_docstring(parsed)
    classes = [node for node in parsed.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
    for node in [*parsed.body, *(member for owner in classes for member in owner.body)]:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            overloaded = [ast.unparse(decorator) for decorator in node.decorator_list] == ["overload"]
            assert overloaded or ast.get_docstring(node), node.name
