"""The table of `docs/performance.md`, and the goals, from the figures of each section.

Results  {"sudoku": {"state": "2026-11-23, ...", "load": 0.1, "figures": {"17-clue Sudokus": {...}, ...}}, ...}
Figures  {"boards": 500, "answers": {"unique": 500}, "rows": {"clingo": {"median": 0.014, "by_median": 18.2, ...}}}
Table    [["program", "ratio"], ["clingo", "1.35x"]]: the head and the rows
"""

import re
from typing import Any

from .board_sets import SUDOKU_LISTS
from .growth import SIDES
from .peers import ARTICLE, OURS, PEERS

Results = dict[str, dict[str, Any]]
Table = list[list[str]]

# Each program and the ways to use it, of which the fastest counts.
GROUPS = {
    OURS: (OURS,),
    "clingo": ("clingo",),
    "multi-puzzle-solver": ("multi-puzzle-solver",),
    "puzzlekit": ("puzzlekit",),
    "CP-SAT": ("OR-Tools CP-SAT", "OR-Tools CP-SAT, Booleans"),
    "CaDiCaL": ("python-sat CaDiCaL", "python-sat CaDiCaL, assumptions"),
    "grilops": ("grilops",),
    "plain Python": ("plain Python", "plain Python, strip by strip"),
    "depth-first search, position by position": (ARTICLE,),
}
# The other programs of the page, of which it has clingo and the fastest of the rest.
RIVALS = ("multi-puzzle-solver", "puzzlekit", "CP-SAT", "CaDiCaL", "grilops", "plain Python")
# Above the table of times.
HEAD = """\
Median CPU time (user and system) for a board, in a process that solves many; "whole process" is from the start of a
process to its end, for all its boards. Bold times are shorter than that of pyasp_puzzles. Only ratios carry over to
other machines."""
TECTONICS, STRIMKOS = "Tectonics, each with its own blocks", "Strimkos, each with its own streams"
# How many times as fast as another program, or as pyasp_puzzles in another row, a board for a board.
GOALS = (
    *((f"{name} Sudokus", "multi-puzzle-solver", goal) for name, goal in zip(SUDOKU_LISTS, (12, 10, 15), strict=True)),
    *((f"{name} Sudokus", "CaDiCaL", goal) for name, goal in zip(SUDOKU_LISTS, (0.8, 1.2, 1.5), strict=True)),
    (TECTONICS, "multi-puzzle-solver", 1.4),
    (TECTONICS, "CaDiCaL", 0.8),
    (STRIMKOS, "CaDiCaL", 0.8),
    ("strips 5x5, each four times", "depth-first search, position by position", 15),
    *(
        (f"{name} Sudokus with `--extra anti-knight`", f"{name} Sudokus with it, without a session", 20)
        for name in ("17-clue", "generated")
    ),
    ("one Sudoku, whole process", "clingo", 1 / 1.6),
    ("one Tectonic 10x10, whole process", "clingo", 1 / 1.6),
    ("Tectonics, two jobs, wall time", "Tectonics, two processes at once, each with one job, wall time", 0.9),
)
# Seconds for the median.
TIME_GOALS = (
    ("17-clue Sudokus, explained", 1.0),
    ("magictour Sudokus, explained", 3.0),
    ("hardest Sudokus, explained", 2.2),
    ("Tectonics 10x10, explained", 1.0),
)
# Seconds for a board of the largest side.
LARGEST = 10.0


def update(page: str, found: dict[str, str]) -> str:
    """Return the page with each block between `<!-- NAME -->` and `<!-- end -->` replaced."""
    return re.sub(
        r"(?s)<!-- (\w+) -->\n.*?<!-- end -->",
        lambda block: f"<!-- {block[1]} -->\n\n{found[block[1]]}\n<!-- end -->",
        page,
    )


def blocks(results: Results) -> dict[str, str]:
    """Return the tables by the name of their block, as far as they were measured."""
    growth = results.get("growth", {}).get("figures", {})
    rows = {
        name: f for section, result in results.items() if section != "growth" for name, f in result["figures"].items()
    }
    states = "; ".join(dict.fromkeys(result["state"] for result in results.values()))
    loads = [result["load"] for result in results.values()]
    head = f"{HEAD}\n\nMeasured: {states}; load {min(loads):.1f} to {max(loads):.1f}; {', '.join(_programs())}."
    pictures = [f"![{name}: time against the side](performance/{name.lower()}.svg)\n" for name in growth]
    return {
        "times": f"{head}\n\n{_times(rows)}",
        "growth": "\n".join(pictures),
        "goals": _markdown(_goals(rows, growth)),
    }


def _times(rows: dict[str, Any]) -> str:
    """Return the median times of pyasp_puzzles, clingo and the fastest other program; bold if shorter than ours."""
    table, ours = [["", "boards", OURS, "clingo", "fastest other"]], [["", "boards", OURS]]
    for name, f in rows.items():
        line = [name, _boards(f), _cell(f, OURS)]
        if clingo := _cell(f, "clingo"):
            other = min(RIVALS, key=lambda group: _fastest(f, group).get("by_median", float("inf")))
            table.append([*line, clingo, f"{cell}, {other}" if (cell := _cell(f, other)) else ""])
        elif name.endswith("explained"):
            ours.append(line)
    return f"{_markdown(table)}\n{_markdown(ours)}"


def _fastest(f: dict[str, Any], group: str) -> dict[str, Any]:
    """Return the row of the fastest way to use a program; {} if it was not measured."""
    rows: list[dict[str, Any]] = [f["rows"][peer] for peer in GROUPS[group] if peer in f["rows"]]
    return min(rows, key=lambda row: row.get("by_median", float("inf")), default={})


def _cell(f: dict[str, Any], group: str) -> str:
    row = _fastest(f, group)
    if not row:
        return ""
    notes = [f"{row['boards']} boards"] if 0 < row["boards"] < f["boards"] else []
    notes += [f"{count} {ending}" for ending, count in row["notes"].items()]
    time = _seconds(row["median"]) if "median" in row else ""
    time = f"**{time}**" if row.get("by_median", 1) < 1 else time
    return f"{time} ({', '.join(notes)})".strip() if notes else time


def _boards(f: dict[str, Any]) -> str:
    """Return how many boards there are, and how many of them do not have one answer."""
    kinds = {"several": "several answers", "none": "no answer"}
    counts = {kinds[kind]: count for kind, count in f.get("answers", {}).items() if kind in kinds}
    notes = [kind if count == f["boards"] else f"{count} with {kind}" for kind, count in counts.items()]
    notes += [f"**the programs disagree on {f['disputed']}**"] if f.get("disputed") else []
    return f"{f['boards']} ({', '.join(notes)})" if notes else str(f["boards"])


def _programs() -> list[str]:
    versions = {peer.package: peer.version() or "(left out)" for peer in PEERS.values()}
    return [f"{package} {version}".strip() for package, version in versions.items()]


def _goals(rows: dict[str, Any], growth: dict[str, Any]) -> Table:
    table = [["what", "goal", "measured", "reached"]]
    for name, other, goal in GOALS:
        if f := rows.get(name):
            ratio = _fastest(f, other).get("by_median") if other in GROUPS else _against(f, rows.get(other))
            if ratio:
                table.append([f"{name}, against {other}", f"{goal:.3g}x", _ratio(ratio), _yes(ratio >= goal)])
    for name, most in TIME_GOALS:
        if f := rows.get(name):
            seconds = f["rows"][OURS]["median"]
            table.append([name, f"{most:g} s", _seconds(seconds), _yes(seconds <= most)])
    for name, figures in growth.items():
        if (side := figures["sides"][-1]) == SIDES[name][-1]:
            seconds = figures["series"][OURS][-1]
            measured = _seconds(seconds) if seconds else "too long"
            table.append([f"{name} {side}x{side}", f"{LARGEST:g} s", measured, _yes(seconds and seconds <= LARGEST)])
    return table


def _against(f: dict[str, Any], other: dict[str, Any] | None) -> float | None:
    """Return how many times as fast as in another row pyasp_puzzles is."""
    if other is None:
        return None
    return float(other["rows"][OURS]["median"] / other["boards"] / (f["rows"][OURS]["median"] / f["boards"]))


def _yes(reached: object) -> str:
    return "yes" if reached else "no"


def _markdown(table: Table) -> str:
    """Return a table in Markdown; columns of numbers are right-aligned. Return nothing if there are no rows."""
    if len(table) == 1:
        return ""
    numeric = [
        all(not cell or cell.strip("*")[:1].isdigit() for cell in column) for column in zip(*table[1:], strict=True)
    ]
    rule = "|".join("---:" if right else "---" for right in numeric)
    head, *rows = (f"| {' | '.join(row)} |\n" for row in table)
    return "".join([head, f"|{rule}|\n", *rows])


def _seconds(value: float) -> str:
    unit, size = next(((unit, size) for unit, size in (("s", 1.0), ("ms", 1e-3)) if value >= size), ("µs", 1e-6))
    return f"{value / size:.3g} {unit}" if value < 1000 * size else f"{value / size:.0f} {unit}"


def _ratio(ratio: float) -> str:
    return f"{ratio:.2f}x" if ratio < 10 else f"{ratio:.0f}x"
