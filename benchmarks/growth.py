"""How the time grows with the side of the board: larger and larger boards, until a program takes too long.

Series   {"clingo": [0.0014, 0.0043, None], ...}: the median seconds for each side, for each program or kind of board
"""

from functools import partial
from itertools import product
from math import isqrt
from pathlib import Path
from statistics import median
from typing import Any

from .board_sets import large_sudoku, strata, strips, tectonic
from .peers import OURS, PEERS, able
from .timing import DECIDED, measure

SIDES = {
    "Strata": (10, 20, 40, 60, 80, 100, 140, 200),
    "Sudoku": (4, 9, 16, 25, 36),
    "Tectonic": (5, 10, 15, 20, 30, 40, 50, 60),
    "Strips": (4, 5, 6, 8, 10, 12, 15, 20, 25, 30),
}
ENDS = {"wrong": "its answer is wrong", "failed": "it fails", "not taken": "cannot take larger boards"}
MARKERS = "osD^vP*X<>hp"


def growth(name: str, number: int, limit: float, *, quick: bool) -> dict[str, Any]:
    """Return the series of one kind of board: `number` boards of each size, which may take `limit` seconds together."""
    sides = SIDES[name][: {"Strips": 4}.get(name, 3)] if quick else SIDES[name]
    if name == "Strips":
        kinds = product((3, 4, 5, 6), (2, 3, 4))
        makers = {f"longest {n}, {colors} colors": partial(strips, n, colors) for n, colors in kinds}
    else:
        make = {"Strata": strata, "Sudoku": lambda side, i: large_sudoku(isqrt(side), i), "Tectonic": tectonic}[name]
        makers = dict.fromkeys((peer for peer in able(name.lower()) if "assumptions" not in peer), make)
    series: dict[str, list[float | None]] = {label: [] for label in makers}
    ended: dict[str, str] = {}
    unique = dict.fromkeys(sides, (0, 0))
    for side, (label, make) in product(sides, makers.items()):
        series[label].append(None)
        if label in ended:
            continue
        boards = [board for i in range(1, number + 1) if (board := make(side, i))]
        if len(boards) < number:
            ended[label] = "too few different strips"
            continue
        peer = label if label in PEERS else OURS
        runs = list(measure(boards, [peer], limit, limit))
        endings = [run.ending for run in runs]
        if peer == OURS:
            unique[side] = unique[side][0] + endings.count("unique"), unique[side][1] + len(runs)
        if len(runs) == number and set(endings) <= set(DECIDED):
            series[label][-1] = median(run.seconds for run in runs)
        else:
            ended[label] = next((ENDS[ending] for ending in endings if ending in ENDS), f"more than {limit:.0f} s")
    return {"sides": sides, "series": series, "ended": ended, "unique": [*unique.values()]}


def draw(name: str, figures: dict[str, Any], path: Path) -> None:
    """Write the plot of one kind of board as SVG, the same for the same figures."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": name, "svg.fonttype": "none", "font.family": "sans-serif"}):
        plot = Figure(figsize=(8, 4.5), layout="constrained")
        axes = plot.add_subplot()
        sides = figures["sides"]
        for i, (label, series) in enumerate(figures["series"].items()):
            points = [(side, seconds) for side, seconds in zip(sides, series, strict=True) if seconds]
            width = 2.5 if label == OURS else 1.2
            axes.plot(*zip(*points, strict=True), marker=MARKERS[i], linewidth=width, markersize=4, label=label)
        axes.set(xscale="log", yscale="log", xlabel="side of the board", ylabel="seconds", title=name)
        axes.set_xticks(sides, [str(side) for side in sides])
        axes.minorticks_off()
        axes.grid(visible=True, alpha=0.3)
        plot.legend(loc="outside right center", fontsize="small", frameon=False)
        plot.savefig(path, format="svg", metadata={"Date": None})
