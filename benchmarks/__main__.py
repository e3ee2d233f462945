"""Compare pyasp_puzzles with other programs on this machine, and print the tables."""

import argparse
import json
import sys
from datetime import date
from os import getloadavg
from pathlib import Path
from typing import Any, NamedTuple

from . import clingo_calls, processes
from .board_sets import PUZZLES, BoardSets, hunt, minimal_sudoku, strata
from .growth import SIDES, draw, growth
from .peers import OURS, PEERS, able
from .tables import blocks, update
from .timing import compare, explanations

SECTIONS = (*PUZZLES, "whole", "jobs", "explanations", "calls", "growth")
PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
FIGURES = PAGE.with_suffix("") / "figures.json"


class Scale(NamedTuple):
    """How much is measured; times in seconds."""

    most: int | None = None  # boards of a reference collection
    generated: int = 40  # boards of a generated set
    repeats: int = 3
    limit: float = 10.0  # for a board
    budget: float = 20.0  # for a program on a set, in each repeat
    processes: int = 15  # repeats of whole processes
    explain: float = 1200.0  # for the explanations of a set
    side_limit: float = 60.0  # for the boards of a size
    side_boards: int = 3  # boards of each size


QUICK = Scale(20, 5, 1, 2.0, 1.0, 2, 2.0, 2.0, 1)


def main() -> None:
    """Measure, and print the tables or update the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--data", type=Path, metavar="DIR", help="the directory of the reference collections")
    parser.add_argument("--quick", action="store_true", help="measure little, in about a minute")
    parser.add_argument("--only", choices=SECTIONS, action="append", help="measure this section; may be repeated")
    parser.add_argument("--write", action="store_true", help="update docs/performance.md with what was measured")
    options = parser.parse_args()
    if options.write and options.quick:
        parser.error("--write needs a full run, not --quick")
    scale = QUICK if options.quick else Scale()
    boards = BoardSets(options.data, scale.most, scale.generated)
    results = json.loads(FIGURES.read_text(encoding="utf-8")) if options.write and FIGURES.exists() else {}
    for name in options.only or SECTIONS:
        sys.stderr.write(f"{name}\n")
        state = f"{date.today()}, pyasp-puzzles {PEERS[OURS].version()}, load {getloadavg()[0]:.1f} at the start"  # noqa: DTZ011
        results[name] = {"state": state, "figures": _measure(name, boards, scale)}
        if options.write:
            rounded = json.loads(json.dumps(results), parse_float=lambda text: float(f"{float(text):.4g}"))
            FIGURES.write_text(json.dumps(rounded, indent=1) + "\n", encoding="utf-8")
    if not options.write:
        sys.stdout.write("\n".join(f"## {name}\n\n{block}" for name, block in blocks(results).items() if block))
        return
    PAGE.write_text(update(PAGE.read_text(encoding="utf-8"), results), encoding="utf-8")
    for name, figures in results.get("growth", {}).get("figures", {}).items():
        draw(name, figures, FIGURES.with_name(f"{name.lower()}.svg"))


def _measure(name: str, boards: BoardSets, scale: Scale) -> dict[str, Any]:
    """Return {name: figures} of a section."""
    if name in PUZZLES:
        peers = able(name)
        return {title: compare(some, peers, *scale[2:5]) for title, some in boards.of(name)}
    if name == "whole":
        return {
            "one Tectonic, 10x10": processes.whole(boards.tectonics(10)[:1], scale.processes),
            "one Sudoku, 9x9": processes.whole([minimal_sudoku(1)], scale.processes),
            "one Strata, 80x80": processes.whole([strata(80, 1)], scale.processes),
            "strips/hunt and strips/final": processes.whole(hunt(), (scale.processes + 2) // 3),
            "all Tectonics": processes.whole(boards.tectonics(), (scale.processes + 2) // 3),
        }
    if name == "jobs":
        return {"jobs": processes.jobs(boards.tectonics() * (1 if scale.most else 5), (scale.processes + 2) // 3)}
    if name == "explanations":
        sets = {"sudoku solved by singles, generated": boards.sudokus_by_singles(), **dict(boards.of("sudoku"))}
        sets["tectonic 10x10"] = boards.tectonics(10)
        return {title: explanations(some, scale.explain) for title, some in sets.items()}
    if name == "calls":
        shared = {title: clingo_calls.shared_control(some) for title, some in boards.of("sudoku")}
        others = {title: some for puzzle in ("tectonic", "strips") for title, some in boards.of(puzzle)}
        return shared | {title: clingo_calls.new_controls(some) for title, some in others.items()}
    return {kind: growth(kind, scale.side_boards, scale.side_limit, quick=bool(scale.most)) for kind in SIDES}


if __name__ == "__main__":
    main()
