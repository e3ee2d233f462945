"""The tables of `docs/performance.md`, from the figures of each section.

Results  {"sudoku": {"state": "2026-11-21, ...", "figures": {"sudoku-17-clue": {...}, ...}}, ...}
Table    [["program", "ratio"], ["clingo", "1.35x"]]: the head and the rows
"""

import re
from inspect import getdoc
from typing import Any

from .board_sets import PUZZLES, SUDOKU_LISTS
from .peers import CLINGO, OURS, PEERS

Results = dict[str, dict[str, Any]]
Table = list[list[str]]

# Each program and the ways to use it, of which the fastest counts for a goal.
GROUPS = {
    "clingo": ("clingo",),
    "multi-puzzle-solver": ("multi-puzzle-solver",),
    "puzzlekit": ("puzzlekit",),
    "CP-SAT": ("OR-Tools CP-SAT", "OR-Tools CP-SAT, Booleans"),
    "CaDiCaL": ("python-sat CaDiCaL", "python-sat CaDiCaL, assumptions"),
    "grilops": ("grilops",),
    "plain Python": ("plain Python",),
}
RATIO_GOALS = (
    *((name, "multi-puzzle-solver", 10) for name in SUDOKU_LISTS),
    *((name, "CaDiCaL", 2) for name in SUDOKU_LISTS),
    ("suguru", "multi-puzzle-solver", 1.5),
    ("tectonic 10x10, generated", "multi-puzzle-solver", 1.5),
    ("strips/hunt and strips/final", "plain Python", 20),
    ("one Tectonic, 10x10, whole process", "multi-puzzle-solver", 5),
)
# A goal is out of reach if clingo alone takes this many times what it allows; it was measured in another run.
MARGIN = 1.5
EXPLANATION_GOALS = (
    ("sudoku solved by singles, generated", "longest", 0.5),
    ("sudoku-17-clue", "median", 1.0),
    ("sudoku-magictour", "median", 3.0),
    ("sudoku-hardest", "longest", 30.0),
    ("tectonic 10x10", "median", 1.0),
)


def update(page: str, results: Results) -> str:
    """Return the page with each block between `<!-- NAME -->` and `<!-- end -->` replaced."""
    found = blocks(results)
    return re.sub(
        r"(?s)<!-- (\w+) -->\n.*?<!-- end -->",
        lambda block: f"<!-- {block[1]} -->\n\n{found[block[1]]}\n<!-- end -->",
        page,
    )


def blocks(results: Results) -> dict[str, str]:
    """Return the tables by the name of their block, as far as they were measured."""
    sets = {name: f for puzzle in PUZZLES for name, f in _figures(results, puzzle).items()}
    ratios = _ratios(results, sets)
    found = {
        "whole": _markdown(_processes(_figures(results, "whole"))),
        "sets": _markdown(_sets(sets)),
        "calls": _markdown(_calls(results, sets)),
        "jobs": _markdown(_jobs(results)),
        "explanations": _markdown(_explanations(results)),
        "growth": _growth(_figures(results, "growth")),
        "programs": _markdown(_programs()),
        "goals": _markdown(_goals(results, sets, ratios)),
    }
    for block, sections in {**{name: [name] for name in found}, "sets": PUZZLES}.items():
        if states := dict.fromkeys(results[name]["state"] for name in sections if name in results):
            found[block] = f"Measured: {'; '.join(states)}.\n\n{found[block]}"
    return found


def _figures(results: Results, section: str) -> dict[str, Any]:
    return results.get(section, {}).get("figures", {})


def _ratios(results: Results, sets: dict[str, Any]) -> dict[str, dict[str, float]]:
    """Return {boards: {program: ratio}}, for each program the ratio of the fastest way to use it."""
    found = {
        f"{name}, whole process": {peer: seconds / f["seconds"][OURS] for peer, seconds in f["seconds"].items()}
        for name, f in _figures(results, "whole").items()
        if OURS in f["seconds"]
    }
    for name, f in sets.items():
        found[name] = {peer: row["by_median"] for peer, row in f["rows"].items() if row["boards"]}
    return {
        name: {
            group: min(ratios[peer] for peer in peers if peer in ratios)
            for group, peers in GROUPS.items()
            if ratios.keys() & peers
        }
        for name, ratios in found.items()
    }


def _processes(found: dict[str, Any]) -> Table:
    """Return the CPU times of commands, a row for each list of boards; why a program failed stands in place of one."""
    names = {OURS: "`pyasp solve`", CLINGO: "`python -m clingo`"}
    peers = list(dict.fromkeys(peer for f in found.values() for peer in (*f["seconds"], *f["failed"])))
    rows = [["boards", "answers", *(names.get(peer, peer) for peer in peers)]]
    for name, f in found.items():
        times = {peer: _compared(seconds, f["seconds"].get(OURS)) for peer, seconds in f["seconds"].items()}
        rows.append([name, _answers(f), *((times | f["failed"]).get(peer, "") for peer in peers)])
    return rows


def _sets(sets: dict[str, Any]) -> Table:
    """Return the median times of programs, a row for each; with the number of boards where it is not all of them."""
    rows = [["", *sets], ["boards", *map(_answers, sets.values())]]
    peers = dict.fromkeys(peer for f in sets.values() for peer in f["rows"])
    rows += [[peer, *(_median(peer, f) if peer in f["rows"] else "" for f in sets.values())] for peer in peers]
    if any(f["disputed"] for f in sets.values()):
        rows.append(["**the programs disagree on**", *(f"{f['disputed'] or ''}" for f in sets.values())])
    return rows


def _median(peer: str, f: dict[str, Any]) -> str:
    """Return the median time of a program, and how many boards it is of, if not of all."""
    row, ours = f["rows"][peer], f["rows"].get(OURS, {})
    notes = [f"{row['boards']} boards"] if row["boards"] < f["boards"] else []
    notes += [f"{count} {ending}" for ending, count in row["notes"].items()]
    time = _compared(row["median"], ours.get("median")) if "median" in row else ""
    return f"{time} ({', '.join(notes)})" if notes else time


def _compared(seconds: float, ours: float | None) -> str:
    """Return a time, in bold if it is shorter than that of pyasp_puzzles."""
    return f"**{_seconds(seconds)}**" if ours and seconds < ours else _seconds(seconds)


def _answers(f: dict[str, Any]) -> str:
    kinds = ", ".join(f"{count} with {kind}" for kind, count in f["answers"].items())
    return kinds.replace("unique", "one answer").replace("several", "several answers").replace("none", "no answer")


def _calls(results: Results, sets: dict[str, Any]) -> Table:
    rows = [["boards", OURS, "clingo alone"]]
    for name, calls in _figures(results, "calls").items():
        ours = _seconds(sets[name]["rows"][OURS]["median"]) if name in sets else ""
        rows.append([name, ours, _seconds(sum(calls.values()))])
    return rows


def _jobs(results: Results) -> Table:
    rows = [["", "time", "boards a second, relative"]]
    for f in _figures(results, "jobs").values():
        rows.append([f"`--jobs 1`, {f['boards']} Tectonics", _seconds(f["one"]), ""])
        rows.append(["`--jobs 2`, the same", _seconds(f["two"]), _ratio(f["one"] / f["two"])])
        rows.append(["two processes at once, both `--jobs 1`", "", _ratio(2 * f["one"] / f["pair"])])
    return rows


def _explanations(results: Results) -> Table:
    rows = [["boards", "explained", "median", "longest", "steps, mean"]]
    for name, f in _figures(results, "explanations").items():
        times = [_seconds(f["median"]), _seconds(f["longest"])]
        rows.append([name, f"{f['explained']} of {f['boards']}", *times, f"{f['steps']:.0f}"])
    return rows


def _growth(found: dict[str, Any]) -> str:
    """Return the pictures, and how far pyasp_puzzles goes, and who ends before the largest side."""
    rows = [["boards", "program", "largest side", "time", "ends with"]]
    for name, f in found.items():
        for label, series in f["series"].items():
            if OURS in f["series"] and label != OURS and label not in f["ended"]:
                continue
            side, seconds = [(side, value) for side, value in zip(f["sides"], series, strict=True) if value][-1]
            row = [name, label] if OURS in f["series"] else [f"{name}, {label.strip()}", OURS]
            rows.append([*row, str(side), _seconds(seconds), f["ended"].get(label, "")])
    pictures = "\n".join(f"![{name}: time against the side](performance/{name.lower()}.svg)\n" for name in found)
    return f"{pictures}\n{_markdown(rows)}"


def _programs() -> Table:
    rows = [["program", "package", "how it is used"]]
    for name, peer in PEERS.items():
        usage = " ".join((getdoc(peer.load()) or "").split()) if peer.version() else "Not installed, left out."
        rows.append([name, f"{peer.package} {peer.version() or ''}".strip(), usage])
    return rows


def _goals(results: Results, sets: dict[str, Any], ratios: dict[str, dict[str, float]]) -> Table:
    """Return the goals; one that leaves much less time than the clingo calls alone take is out of reach."""
    rows = [["what", "goal", "measured", "reached"]]
    for name, group, factor in RATIO_GOALS:
        if ratio := ratios.get(name, {}).get(group):
            most = sets[name]["rows"][OURS]["median"] * ratio / factor if name in sets else float("inf")
            clingo = sum(_figures(results, "calls").get(name, {}).values())
            reached = _yes(ratio >= factor)
            if ratio < factor and clingo > MARGIN * most:
                reached = f"out of reach: {_seconds(most)} a board, and clingo alone takes {_seconds(clingo)}"
            rows.append([f"{name}, against {group}", f"{factor:g}x", _ratio(ratio), reached])
    if seconds := _figures(results, "whole").get("one Strata, 80x80", {}).get("seconds", {}):
        rows.append(["one Strata, 80x80, whole process", "1 s", _seconds(seconds[OURS]), _yes(seconds[OURS] <= 1)])
    for f in _figures(results, "jobs").values():
        gain, most = f["one"] / f["two"], 2 * f["one"] / f["pair"]
        goal = f"90 % of two processes: {_ratio(0.9 * most)}"
        rows.append(["two jobs against one", goal, _ratio(gain), _yes(gain >= 0.9 * most)])
    for name, which, most in EXPLANATION_GOALS:
        if f := _figures(results, "explanations").get(name):
            some = "" if f["explained"] == f["boards"] else f", of the {f['explained']} boards that were explained"
            rows.append(
                [f"explanation, {name}, {which}", f"{most:g} s", _seconds(f[which]), _yes(f[which] <= most) + some]
            )
    return rows


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
