"""Mutants: `python -m tests.mutants [MODULE]` changes one thing at a time in modules that guard, and lists what lives.

A comparison, a number, or a word such as `not` or `True` is changed in a copy of the checkout, and the tests that are
named for the module run there. A change that no test notices is printed; CONTRIBUTING says which are harmless.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory

from .helpers import CHECKOUT

# {module: the tests that guard it}
GUARDS = {
    "new_file": "test_files",
    "batches/records": "test_records",
    "asp/deadline": "test_deadline test_signals",
    "asp/source": "test_encodings",
    "formats/load": "test_deadline test_hostile test_formats",
    "formats/puzzlink": "test_genre_formats test_formats",
    "formats/addresses": "test_formats test_pasted",
    "render/pages": "test_pages test_hostile",
    "render/svg": "test_draw",
    "studio/server": "test_studio",
    "studio/processes": "test_studio",
}
_OTHERS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
_OTHERS |= {ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is}


def mutants(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line of each change, and the module with it."""
    for i, node in enumerate(ast.walk(ast.parse(text))):
        tree = ast.parse(text)
        changed = next(other for j, other in enumerate(ast.walk(tree)) if j == i)
        if isinstance(changed, ast.Compare) and type(changed.ops[0]) in _OTHERS:
            changed.ops[0] = _OTHERS[type(changed.ops[0])]()
        elif isinstance(changed, ast.Constant) and isinstance(changed.value, int | float):
            changed.value = not changed.value if isinstance(changed.value, bool) else changed.value + 1
        elif isinstance(changed, ast.BoolOp):
            changed.op = ast.And() if isinstance(changed.op, ast.Or) else ast.Or()
        elif isinstance(changed, ast.UnaryOp) and isinstance(changed.op, ast.Not):
            changed.op = ast.Not()
            changed.operand = ast.UnaryOp(ast.Not(), changed.operand)
        else:
            continue
        yield getattr(node, "lineno", 0), ast.unparse(tree)


def main(*names: str) -> None:
    """Print the changes that live."""
    with TemporaryDirectory() as directory:
        copy = Path(directory, "copy")
        copytree(CHECKOUT, copy, ignore=ignore_patterns(".venv", ".git", "__pycache__", ".*_cache"))
        for name in names or GUARDS:
            file, tests = copy / f"pyasp_puzzles/{name}.py", [f"tests/{test}.py" for test in GUARDS[name].split()]
            text = file.read_text(encoding="utf-8")
            for line, mutant in mutants(text):
                file.write_text(mutant, encoding="utf-8")
                command = [sys.executable, "-m", "pytest", "-qx", "-m", "not slow and not browser", *tests]
                try:
                    ran = subprocess.run(command, cwd=copy, timeout=600, check=False, capture_output=True)
                    lives = not ran.returncode
                except subprocess.TimeoutExpired:
                    lives = False
                if lives:
                    lines = zip(ast.unparse(ast.parse(text)).split("\n"), mutant.split("\n"), strict=False)
                    sys.stdout.write(f"{name}:{line}: {next(new.strip() for old, new in lines if old != new)}\n")
                    sys.stdout.flush()
            file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
