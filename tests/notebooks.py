"""The notebook in the documents: what its cells show, and how to bring that up to date.

`python -m tests.notebooks` prints the notebook as it runs today; `python -m tests.documents --write` writes it.
"""

import ast
import json
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

CHECKOUT = Path(__file__).parents[1]
NOTEBOOK = Path("docs/tutorial.ipynb")
FORMATS = {"_repr_html_": "text/html", "_repr_svg_": "image/svg+xml"}


def executed(notebook: Path = NOTEBOOK) -> str:
    """Return a notebook with what its cells show, run from the first to the last in a new Python."""
    from .command import process  # not in the new Python: it starts a process of its own

    with TemporaryDirectory() as place:
        done = process([sys.executable, "-W", "error", "-m", "tests.notebooks", str(CHECKOUT / notebook)], Path(place))
    assert done.returncode == 0, done.stderr
    return done.stdout


def _run(notebook: dict[str, Any]) -> None:
    """Run the cells of a notebook, as Jupyter would, and keep what they show."""
    names: dict[str, Any] = {}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(cells, 1):
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        with redirect_stdout(StringIO()) as printed:
            exec(compile(tree, f"cell {number}", "exec"), names)  # noqa: S102 (our own notebook)
            expression = ast.Expression(last.value) if isinstance(last, ast.Expr) else None
            shown = eval(compile(expression, f"cell {number}", "eval"), names) if expression else None  # noqa: S307
        cell["execution_count"] = number
        cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": _lines(printed.getvalue())}]
        cell["outputs"] = cell["outputs"] if printed.getvalue() else []
        if shown is not None:
            result = {"execution_count": number, "metadata": {}, "output_type": "execute_result"}
            cell["outputs"].append(result | {"data": _data(shown)})


def _data(shown: Any) -> dict[str, list[str]]:
    """Return what a notebook shows of a value, in each format that it has."""
    plain = str(shown) if hasattr(shown, "_repr_pretty_") else repr(shown)
    formats = {mime: getattr(shown, name)() for name, mime in FORMATS.items() if hasattr(shown, name)}
    return {mime: _lines(text) for mime, text in (formats | {"text/plain": plain}).items()}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def main() -> None:
    """Print a notebook as it runs today."""
    found = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    _run(found)
    sys.stdout.write(json.dumps(found, ensure_ascii=False, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
