"""Compare pyasp_puzzles with other programs on this machine, and print the table, or write the page."""

import argparse
import json
import sys
from datetime import date
from os import getloadavg
from pathlib import Path
from typing import Any, NamedTuple

from . import processes
from .board_sets import PUZZLES, BoardSets, hunt, minimal_sudoku, strata
from .growth import SIDES, draw, growth
from .peers import OURS, PEERS, able
from .race import race
from .tables import blocks, update
from .timing import compare, explanations

SECTIONS = (*PUZZLES, "anti-knight", "whole", "jobs", "explanations", "growth")
PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
FIGURES = PAGE.with_suffix("") / "figures.json"


class Scale(NamedTuple):
    """How much is measured; times in seconds."""

    most: int | None = None  # boards of a reference collection
    generated: int = 40  # boards of a generated set
    explained: int = 100  # boards that are explained; a quarter of the hardest
    repeats: int = 3
    limit: float = 5.0  # for a board
    budget: float = 10.0  # for a program on a set, in each repeat
    processes: int = 11  # repeats of whole processes; a third for several boards
    side_limit: float = 20.0  # for the boards of a side
    side_boards: int = 3  # boards of each side


QUICK = Scale(20, 5, 4, 1, 2.0, 1.0, 1, 2.0, 1)


def main() -> None:
    """Measure, and print the table or update the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--data", type=Path, metavar="DIR", help="the directory of the reference collections")
    parser.add_argument("--quick", action="store_true", help="measure little, in a minute or two")
    parser.add_argument("--only", choices=SECTIONS, action="append", help="measure this section; may be repeated")
    parser.add_argument("--write", action="store_true", help="update docs/performance.md with what was measured")
    parser.add_argument(
        "--against", metavar="COMMIT", help="race this checkout and another in turns; 1 if it is slower"
    )
    parser.add_argument(
        "--kind", action="append", default=[], help="with --against: kinds with this word in their name"
    )
    options = parser.parse_args()
    if options.write and options.quick:
        parser.error("--write needs a full run, not --quick")
    scale = QUICK if options.quick else Scale()
    boards = BoardSets(options.data, scale.most, scale.generated)
    if options.against:
        boards = boards._replace(most=scale.most or 60)
        sys.exit(0 if race(options.against, boards, scale.repeats, options.kind) else 1)
    results = json.loads(FIGURES.read_text(encoding="utf-8")) if options.write and FIGURES.exists() else {}
    for name in options.only or SECTIONS:
        sys.stderr.write(f"{name}\n")
        state = f"{date.today()}, pyasp-puzzles {PEERS[OURS].version()}"  # noqa: DTZ011
        load = getloadavg()[0]
        results[name] = {"state": state, "load": load, "figures": _measure(name, boards, scale)}
        if options.write:
            rounded = json.loads(json.dumps(results), parse_float=lambda text: float(f"{float(text):.4g}"))
            FIGURES.write_text(json.dumps(rounded, indent=1) + "\n", encoding="utf-8")
    found = blocks({name: results[name] for name in SECTIONS if name in results})
    if not options.write:
        sys.stdout.write("\n".join(found.values()))
        return
    PAGE.write_text(update(PAGE.read_text(encoding="utf-8"), found), encoding="utf-8")
    sys.stdout.write(found["goals"])
    for name, figures in results.get("growth", {}).get("figures", {}).items():
        draw(name, figures, FIGURES.with_name(f"{name.lower()}.svg"))


def _measure(name: str, boards: BoardSets, scale: Scale) -> dict[str, Any]:
    """Return {what: figures} of a section."""
    if name in PUZZLES or name == "anti-knight":
        sets = boards.of(name) if name in PUZZLES else boards.anti_knight()
        return {title: compare(some, able(some[0]), *scale[3:6]) for title, some in sets}
    if name == "whole":
        lists = {
            "one Sudoku": [minimal_sudoku(1)],
            "one Tectonic 10x10": boards.tectonics(10)[:1],
            "one Strata board 80x80": [strata(80, 1)],
            "all strips": hunt(),
            "all Tectonics": boards.tectonics(),
        }
        repeats = {title: scale.processes // (1 if len(some) == 1 else 3) or 1 for title, some in lists.items()}
        return {f"{title}, whole process": processes.whole(some, repeats[title]) for title, some in lists.items()}
    if name == "jobs":
        return processes.jobs(boards.tectonics() * (1 if scale.most else 5), scale.processes // 2 or 1)
    if name == "explanations":
        sets = [*boards.of("sudoku"), ("Tectonics 10x10", boards.tectonics(10))]
        most = {"hardest Sudokus": scale.explained // 4}
        return {
            f"{title}, explained": explanations(some[: most.get(title, scale.explained)])
            for title, some in sets
            if "generated" not in title
        }
    return {kind: growth(kind, scale.side_boards, scale.side_limit, quick=bool(scale.most)) for kind in SIDES}


if __name__ == "__main__":
    main()
