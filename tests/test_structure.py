"""How the project is laid out: names that agree, imports that go one way, one place that prints."""

import ast
import re
import sys
from collections.abc import Iterable
from functools import cache
from graphlib import TopologicalSorter
from itertools import combinations
from pathlib import Path

import pytest
from clingo import Control
from clingo.ast import ASTType
from clingo.symbol import parse_term

from pyasp_puzzles import EncodingError, load
from pyasp_puzzles.asp.syntax import statements
from pyasp_puzzles.model.puzzle import Puzzle
from pyasp_puzzles.puzzles.declaration import check_variant_fit, find_puzzle, shipped_variants
from pyasp_puzzles.puzzles.keys import KEY_KINDS

from .command import PACKAGE, process
from .helpers import BOARDS, CHECKOUT, ENCODINGS, GENRES, INSTANCES, write

MODULES = {
    ".".join((PACKAGE.name, *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}
# The rooms of the package, low to high: each imports only from itself and from those before it.
LAYERS = (
    "errors arguments limits new_file asp boards render model puzzles formats queries explanation generation batches"
    " studio cli"
).split()
# The puzzles that ship, by the folder of their instances.
PUZZLES = {name.split("/")[0] for name in BOARDS}


@cache
def puzzles() -> list[Puzzle]:
    """Return these puzzles."""
    return [*map(find_puzzle, PUZZLES)]


@cache
def tree(module: str) -> ast.Module:
    """Return the syntax of a module."""
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


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


@cache
def imports(module: str) -> set[str]:
    """Return the full names of all that a module imports."""
    return imported(module, ast.walk(tree(module)))


def test_names_agree() -> None:
    """A puzzle's folder, its rules and its folder of instances have names that agree; nothing else is in these."""
    assert {path.parent.name for path in ENCODINGS.glob("*/puzzle.toml")} == PUZZLES
    assert {path.name for path in INSTANCES.iterdir()} == {*PUZZLES, "variants"}
    for puzzle in puzzles():
        assert puzzle.name == puzzle.folder.name
        assert puzzle.encoding.is_file()
        assert puzzle.encoding.stem == puzzle.encoding.parent.name
        assert puzzle.required in {predicate.name for predicate in puzzle.predicates}
        assert puzzle.summary.endswith(".")
    for name in BOARDS:
        assert {instance.puzzle.name for instance in load(name)} == {name.split("/")[0]}
    assert {path.suffix for path in INSTANCES.rglob("*") if path.is_file()} <= {".toml", ".lp"}
    assert PUZZLES - {*GENRES} == {"strata", "strimko", "sudoku", "tectonic", "strips"}
    assert {*GENRES} <= PUZZLES


def test_encodings_stand_alone() -> None:
    """An encoding includes, runs and sets nothing; a `.py` beside it is a trap."""
    assert {path.suffix for path in ENCODINGS.rglob("*") if path.is_file()} == {".lp", ".toml"}
    for path in ENCODINGS.rglob("*.lp"):
        rules = "\n".join(line.split("%")[0] for line in path.read_text(encoding="utf-8").splitlines())
        assert re.findall(r"#include|#script|#const|@\w+\s*\(", rules) == [], path.name


def test_encodings_name_their_rules() -> None:
    """An encoding begins with its puzzle, lists its input and output, and forbids in one line what it names.

    It knows one hook of what prunes, and nothing of how it is explained or repaired.
    """
    words = {"clue", "ruled_out", "tentative", "implied", "concluding", "retractable", "used", "assumes"}
    forbids = ":- violated(Rule), not relaxed(Rule)."
    for encoding in sorted({puzzle.encodings[-1] for puzzle in puzzles()}):
        text = encoding.read_text(encoding="utf-8")
        assert text.lower().replace(" ", "-").startswith(f"%-{encoding.stem}"), encoding
        for word in ("% Input: ", "% Output: ", "% Names: ", forbids):
            assert text.count(word) == 1, encoding
        assert [line for line in text.splitlines() if line.startswith(":-")] == [forbids], encoding
        assert words.isdisjoint(re.findall(r"\b[a-z]\w*", re.sub(r"%.*", "", text))), encoding


FORBIDDING = [path for path in ENCODINGS.rglob("*.lp") if ":- violated(Rule), not" in path.read_text(encoding="utf-8")]


def test_what_forbids_is_explained() -> None:
    """Where an encoding forbids what is violated, a sentence says so, and `relaxed` is listed as input."""
    sentence = "% No rule may be violated; pyasp relaxes rules to see which force what.\n"
    for path in FORBIDDING:
        text = path.read_text(encoding="utf-8")
        assert f"{sentence}:- violated(Rule), not relaxed(Rule).\n" in text, path
        head = text.partition("% Output:")[0].partition("% Input:")[2]
        assert re.search(r"^%          relaxed\(Rule\) +Rule may be violated +\(optional\)$", head, re.MULTILINE), path


def rules(path: Path) -> set[str]:
    """Return the rules of a file, without comments and what declares predicates."""
    program = statements([path])
    assert program is not None
    return {str(one) for one in program if one.ast_type == ASTType.Rule}


def test_rules_stand_once() -> None:
    """No rule is in two files of a folder."""
    assert len(FORBIDDING) >= len({puzzle.encodings[-1] for puzzle in puzzles()})
    for folder in {path.parent for path in ENCODINGS.rglob("*.lp")}:
        files = {path: rules(path) for path in folder.glob("*.lp")}
        for one, other in combinations(files, 2):
            assert files[one] & files[other] == set(), (one, other)


def test_the_example_of_patterns() -> None:
    """The examples in the comments of strips.lp are what clingo derives."""
    path = ENCODINGS / "strips" / "strips.lp"
    comment = " ".join(re.findall(r"^% (.*)", path.read_text(encoding="utf-8"), re.MULTILINE))
    atoms = re.findall(r"reads\(row\(1\), .*?\(\)\)\)\)\)", comment)
    control = Control(["0"])
    control.load(str(path))
    control.add("base", [], "tile(1, 1, w). tile(1, 2, w). tile(1, 3, b). longest(3).")
    control.ground([("base", [])])
    found = {atom.symbol for atom in control.symbolic_atoms.by_signature("reads", 5)}
    assert len(atoms) == len(("forward", "backward"))
    assert found.issuperset(map(parse_term, atoms))


@pytest.mark.parametrize("mode", ["broken", "repair"])
def test_modes_know_no_puzzle(mode: str) -> None:
    """The modes that hold for any puzzle name no predicate of a puzzle."""
    rules = re.sub(r"%.*", "", (ENCODINGS / "modes" / f"{mode}.lp").read_text(encoding="utf-8"))
    assert set(re.findall(r"(?<!#)\b[a-z]\w*", rules)) <= {"violated", "relaxed", "broken", "breakable"}


def test_variants_fit_what_they_name(tmp_path: Path) -> None:
    """A variant fits Sudoku, which has the predicates that its header lists; it fits no rules without them."""
    copy = tmp_path / "copy.lp"
    for name, variant in shipped_variants().items():
        check_variant_fit(variant, find_puzzle("sudoku").encodings, "sudoku")
        assert variant.reads(), name
        copy.write_text("a(1).", encoding="utf-8")
        with pytest.raises(EncodingError, match=rf"{name}.*copy\.lp does not have"):
            check_variant_fit(variant, [copy], "sudoku")
        copy.write_text("a(1) :-", encoding="utf-8")
        check_variant_fit(variant, [copy], "sudoku")  # of rules that cannot be read, clingo says why


def test_imports_go_down() -> None:
    """A module imports from its own layer and from those below it, in functions and for types as well."""
    for module in MODULES:
        room = module.split(".")[1] if "." in module else ""
        if room not in LAYERS:  # the package itself and its entry point stand above all
            assert room in {"", "__main__"}
            continue
        for name in imports(module):
            if name.startswith(f"{PACKAGE.name}."):
                assert LAYERS.index(name.split(".")[1]) <= LAYERS.index(room), (module, name)
            assert name != PACKAGE.name or room == "cli", module


def test_imports_go_one_way() -> None:
    """No module imports, however indirectly and late, and not for types either, a module that imports it."""
    graph = {module: imports(module) & MODULES.keys() - {module} for module in MODULES}
    assert graph[f"{PACKAGE.name}.queries.solve"]
    assert set(TopologicalSorter(graph).static_order()) == set(MODULES)


def test_names_mean_one_thing() -> None:
    """No two modules define a class or a type of one name."""
    found: dict[str, list[str]] = {}
    for module in MODULES:
        for node in tree(module).body:
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(module)
            elif isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias":
                found.setdefault(ast.unparse(node.target), []).append(module)
    assert {name: modules for name, modules in found.items() if len(modules) > 1} == {}


def test_what_explains_knows_no_puzzle() -> None:
    """What explains boards imports no puzzle: a kind of answer says if it has steps of its own, and which."""
    puzzles = f"{PACKAGE.name}.puzzles"
    own = (f"{puzzles}.strata", f"{puzzles}.strips", f"{puzzles}.pieces", f"{puzzles}.shading")
    for module in (name for name in MODULES if name.startswith(f"{PACKAGE.name}.explanation")):
        assert [name for name in imports(module) if name.startswith(own)] == [], module


def test_one_place_prints() -> None:
    """Only `cli` prints, writes to the terminal, or exits."""
    for module in (name for name in MODULES if not name.startswith(f"{PACKAGE.name}.cli")):
        used = {ast.unparse(node) for node in ast.walk(tree(module)) if isinstance(node, ast.Name | ast.Attribute)}
        assert (
            used & {"print", "exit", "quit", "sys.exit", "os._exit", "sys.stdout", "sys.stderr", "SystemExit"} == set()
        )


def test_kinds_of_keys_are_known_in_one_place() -> None:
    """Only the modules of the kinds of keys, and their table, know a kind by its name or compare kinds."""
    keys = f"{PACKAGE.name}.puzzles.keys"
    names = set(KEY_KINDS)
    for module in (name for name in MODULES if not name.startswith(keys)):
        for node in ast.walk(tree(module)):
            if isinstance(node, ast.Compare) and ast.unparse(node.left).endswith(
                ("key.kind", "kind_name", "keys).kind")
            ):
                compared = {one.value for one in ast.walk(node) if isinstance(one, ast.Constant)}
                assert compared.isdisjoint(names), f"{module}:{node.lineno}"
            table = isinstance(node, ast.ImportFrom) and keys in imported(module, [node])
            assert not table or module.endswith("puzzles.declaration"), module


# -- What runs before a change lands -----------------------------------------------------------


@pytest.mark.slow
def test_a_promise_that_is_skipped_fails_where_nothing_should_be_missing(tmp_path: Path) -> None:
    """With NO_SKIPS, as in CI, a test that is skipped, by its marks or on its way, fails and says why."""
    skipped = "import pytest\n@pytest.mark.skip(reason='no tool')\ndef test_one(): pass\n"
    write(tmp_path, {"test_skips.py": f"{skipped}def test_two(): pytest.skip('no page')\ndef test_three(): pass\n"})
    options = f"-m pytest -p tests.conftest -p no:cacheprovider --rootdir={tmp_path} {tmp_path}".split()
    lenient, strict = (
        process([sys.executable, *options], CHECKOUT, more) for more in ({"NO_SKIPS": ""}, {"NO_SKIPS": "1"})
    )
    assert (lenient.returncode, "1 passed, 2 skipped" in lenient.stdout) == (0, True)
    assert (strict.returncode, "1 failed, 1 passed, 1 error" in strict.stdout) == (1, True)
    assert all(f"is skipped: Skipped: {reason}" in strict.stdout for reason in ("no tool", "no page"))


def test_ci_leaves_nothing_out() -> None:
    """What tests need is installed before those that need it; packages are named without an address."""
    script = (CHECKOUT / ".ci" / "run").read_text(encoding="utf-8")
    assert (
        script.index("'.[dev,dask,png,pdf]'")
        < script.index("export NO_SKIPS")
        < script.index('--quiet -n auto -m "slow')
    )
    assert re.findall(r"https?://[^\[\s]+", script) == []
    packages = re.findall(r"--package=(\S+)|npm pack --silent (\S+)\)", script)
    assert {re.sub(r"@\d+(\.\d+)+$", "@", one or other) for one, other in packages} == {"typescript@", "axe-core@"}
