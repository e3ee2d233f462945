"""Compare the steps of explanations of two commits: `python -m benchmarks.steps OUT.json [FILE...]`, `--compare A B`.

The first form explains 80 boards that ship or are generated, or those of JSON Lines with `format` and `text`, and
writes what each step is: its rules, its conclusions, its cost, its name and its sentence, how many questions clingo has
been asked until then; and the CPU time of each board. The second form prints what differs.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import process_time
from typing import Any

from pyasp_puzzles import Settings, explain, loads
from pyasp_puzzles.asp.search import Search

from .board_sets import INSTANCES, minimal_sudoku
from .boards import instance_file

# Seconds for a board; a board that takes longer counts as late, and is not compared.
LIMIT = 240
# The first boards of so many puzzles, spread evenly, and so many generated Sudokus.
_GENRES, _SUDOKUS = 65, 15
_PARTS = "rules", "placed", "eliminated", "cost", "name", "words"


def boards(files: Sequence[Path]) -> Iterator[tuple[str, str | None, str]]:
    """Yield the name, the format and the text of each board."""
    for path in files:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            record = json.loads(line)
            yield record.get("name", f"{path.stem} {number}"), record["format"], record["text"]
    if files:
        return
    folders = sorted(path for path in INSTANCES.iterdir() if path.is_dir())
    for i in range(_GENRES):
        path = min(folders[i * len(folders) // _GENRES].glob("*.toml"))
        yield f"{path.parent.name}/{path.stem}", None, path.read_text(encoding="utf-8")
    for i in range(_SUDOKUS):
        yield f"Sudoku {i}", None, instance_file([minimal_sudoku(i)])


def steps_of(name: str | None, text: str) -> dict[str, Any]:
    """Return the steps of the first board of a text, how its explanation ends, and the CPU time in seconds."""
    asked, solve_here = [0], Search.solve_here

    def counted(self: Search, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401
        asked[0] += 1
        return solve_here(self, *arguments, **named)

    Search.solve_here = counted  # type: ignore[method-assign]
    start, steps, status = process_time(), [], ""
    try:
        for step in explain(loads(text, format=name)[0], settings=Settings(timeout=LIMIT)):
            found = step.json()
            steps.append({part: found[part] for part in _PARTS} | {"questions": asked[0]})
            status = "late" if step.timed_out else step.status
    finally:
        Search.solve_here = solve_here  # type: ignore[method-assign]
    return {"status": status, "seconds": process_time() - start, "steps": steps}


def compare(before: dict[str, Any], after: dict[str, Any], *, words: bool) -> None:
    """Print what differs: of each board its steps, and of all boards the sums; with `words`, each other sentence."""
    moved: Counter[str] = Counter()
    sums: dict[str, tuple[float, float]] = {}
    for name in (name for name in before if name in after):
        old, new = before[name], after[name]
        if "late" in {old["status"], new["status"]}:
            say(f"{name}: {old['status']} -> {new['status']}")
            continue
        pairs = [*zip(old["steps"], new["steps"], strict=False)]
        other = {part: number for part in _PARTS if (number := sum(one[part] != two[part] for one, two in pairs))}
        moved.update(other)
        own = {
            "steps": (len(old["steps"]), len(new["steps"])),
            "cost": (_cost(old), _cost(new)),
            "questions": (old["steps"][-1]["questions"], new["steps"][-1]["questions"]),
            "seconds": (old["seconds"], new["seconds"]),
        }
        for part, (one, two) in own.items():
            sums[part] = sums.get(part, (0, 0))[0] + one, sums.get(part, (0, 0))[1] + two
        if old["status"] != new["status"] or own["steps"][0] != own["steps"][1] or other:
            what = ", ".join(f"{number} {part}" for part, number in other.items())
            both = ", ".join(f"{part} {own[part][0]:.4g} -> {own[part][1]:.4g}" for part in ("steps", "cost"))
            say(f"{name}: {both}; other: {what}")
        for one, two in pairs if words else ():
            if one["words"] != two["words"]:
                say(f"  - {one['words']}\n  + {two['words']}")
    for part, (one, two) in sums.items():
        say(f"{part}: {one:.5g} -> {two:.5g}, ratio {two / one:.3f}")
    say(f"other: {dict(moved)}")


def _cost(board: dict[str, Any]) -> float:
    return sum(step["cost"] or 0 for step in board["steps"])


def say(text: str) -> None:
    """Print a line."""
    print(text, flush=True)  # noqa: T201 (what it is for)


def main() -> None:
    """Write the steps, or compare two files of them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.steps", description=__doc__)
    parser.add_argument("--compare", action="store_true", help="print what differs between two files that were written")
    parser.add_argument("--words", action="store_true", help="with --compare: print each sentence that differs")
    parser.add_argument("files", type=Path, nargs="+")
    options = parser.parse_args()
    out, *files = options.files
    if options.compare:
        compare(*(json.loads(path.read_text(encoding="utf-8")) for path in options.files), words=options.words)
        return
    found = {}
    for name, form, text in boards(files):
        found[name] = steps_of(form, text)
        sys.stderr.write(f"{name}: {len(found[name]['steps'])} steps, {found[name]['seconds']:.2f} s\n")
    out.write_text(json.dumps(found, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
