"""Mutants: `python -m tests.mutants [N] [MODULE...]` changes one thing at a time in modules, and lists what lives.

A comparison, a number, or a word such as `not` or `True` is changed in a copy of the checkout, and the tests that are
named for the module run there. A change that no test notices is printed; CONTRIBUTING says which are harmless. With a
number, so many changes of each module are tried, the same ones in every run.
"""

import ast
import subprocess
import sys
from itertools import islice
from pathlib import Path
from random import Random
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory

from .helpers import CHECKOUT

# {module: the tests that guard it}
GUARDS = {
    "new_file": "test_files",
    "batches/records": "test_records",
    "asp/deadline": "test_deadline test_signals",
    "asp/source": "test_encodings",
    "formats/load": "test_own_puzzles test_deadline test_hostile test_formats",
    "formats/puzzlink": "test_genre_formats test_formats",
    "formats/addresses": "test_formats test_pasted",
    "render/pages": "test_pages test_hostile",
    "render/svg": "test_draw",
    "studio/server": "test_studio",
    "studio/processes": "test_studio",
}
_OTHERS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
_OTHERS |= {ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is}


def mutants(text: str, most: int | None = None) -> tuple[int, list[tuple[int, str]]]:
    """Return how many changes there are, and of each, or of some chosen ones, its line and the module with it."""
    places = [i for i, node in enumerate(ast.walk(ast.parse(text))) if _changed(node)]
    chosen = places if most is None else sorted(Random(0).sample(places, min(most, len(places))))  # noqa: S311
    made = []
    for i in chosen:
        tree = ast.parse(text)
        node = next(islice(ast.walk(tree), i, None))
        _changed(node)
        made.append((getattr(node, "lineno", 0), ast.unparse(tree)))
    return len(places), made


def _changed(node: ast.AST) -> bool:
    """Change a node of a syntax tree, and return whether there was something to change."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _OTHERS:
        node.ops[0] = _OTHERS[type(node.ops[0])]()
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        node.value = not node.value if isinstance(node.value, bool) else node.value + 1
    elif isinstance(node, ast.BoolOp):
        node.op = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        node.operand = ast.UnaryOp(ast.Not(), node.operand)
    else:
        return False
    return True


def main(*arguments: str) -> None:
    """Print the changes that live, and how many were tried of each module."""
    most = next((int(word) for word in arguments if word.isdigit()), None)
    names = [word for word in arguments if not word.isdigit()]
    with TemporaryDirectory() as directory:
        copy = Path(directory, "copy")
        copytree(CHECKOUT, copy, ignore=ignore_patterns(".venv", ".git", "__pycache__", ".*_cache"))
        for name in names or GUARDS:
            file, tests = copy / f"pyasp_puzzles/{name}.py", [f"tests/{test}.py" for test in GUARDS[name].split()]
            text = file.read_text(encoding="utf-8")
            number, made = mutants(text, most)
            for line, mutant in made:
                file.write_text(mutant, encoding="utf-8")
                command = [sys.executable, "-m", "pytest", "-qx", "-m", "not slow and not browser", *tests]
                try:
                    ran = subprocess.run(command, cwd=copy, timeout=600, check=False, capture_output=True)
                    lives = not ran.returncode
                except subprocess.TimeoutExpired:
                    lives = False
                if lives:
                    lines = zip(ast.unparse(ast.parse(text)).split("\n"), mutant.split("\n"), strict=False)
                    say(f"{name}:{line}: {next(new.strip() for old, new in lines if old != new)}")
            say(f"{name}: {len(made)} of {number} changes")
            file.write_text(text, encoding="utf-8")


def say(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
