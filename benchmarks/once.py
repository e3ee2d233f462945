"""One solver on the boards of a file, in a process of its own: `python -m benchmarks.once SOLVER BOARDS.json`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from .board import unpacked
from .peers import kind


def main(name: str, file: str) -> None:
    """Print `[answer, unique]` of each board, as JSON, a line each."""
    solver = kind(name)()
    for data in json.loads(Path(file).read_text(encoding="utf-8")):
        task = solver.prepare(unpacked(data))
        verdict = None if task is None else solver.solve(task)
        sys.stdout.write(json.dumps(verdict) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
