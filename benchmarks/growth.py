"""How the time grows with the side of the board: larger and larger boards, until a program takes too long.

Series   {"clingo": [0.0014, 0.0043, None], ...}: the median seconds of each program for each side
"""

from functools import partial
from itertools import product
from math import isqrt
from pathlib import Path
from statistics import median
from typing import Any

from .board_sets import large_sudoku, strata, strips, tectonic
from .peers import OURS, able
from .timing import DECIDED, measure

SIDES = {
    "Sudoku": (4, 9, 16, 25, 36, 49, 64),
    "Tectonic": (5, 10, 20, 40, 60, 100, 200),
    "Strips": (5, 8, 10, 12, 15, 20, 25, 30),
    "Strata": (10, 20, 40, 80, 120, 200, 300, 400),
}
MAKERS = {
    "Sudoku": lambda side, i: large_sudoku(isqrt(side), i),
    "Tectonic": tectonic,
    "Strips": partial(strips, 5, 4),
    "Strata": strata,
}
MARKERS = "osD^vP*X<>hp"


def growth(name: str, number: int, limit: float, *, quick: bool) -> dict[str, Any]:
    """Return the series of one kind of board: `number` boards of each side, which may take `limit` seconds together."""
    sides, make = SIDES[name][: 3 if quick else None], MAKERS[name]
    peers = [peer for peer in able(make(sides[0], 1)) if not peer.endswith(("assumptions", "position"))]
    series: dict[str, list[float | None]] = {peer: [] for peer in peers}
    for side, peer in product(sides, peers):
        found = None
        if None not in series[peer]:
            runs = [*measure([make(side, i) for i in range(1, number + 1)], [peer], limit, limit)]
            if len(runs) == number and {run.ending for run in runs} <= set(DECIDED):
                found = median(run.seconds for run in runs)
        series[peer].append(found)
    return {"sides": sides, "series": series}


def draw(name: str, figures: dict[str, Any], path: Path) -> None:
    """Write the plot of one kind of board as SVG, the same for the same figures."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": name, "svg.fonttype": "none", "font.family": "sans-serif"}):
        plot = Figure(figsize=(8, 4.5), layout="constrained")
        axes = plot.add_subplot()
        sides = figures["sides"]
        for marker, (peer, series) in zip(MARKERS, figures["series"].items(), strict=False):
            points = [(side, seconds) for side, seconds in zip(sides, series, strict=True) if seconds]
            width = 2.5 if peer == OURS else 1.2
            axes.plot(*zip(*points, strict=True), marker=marker, linewidth=width, markersize=4, label=peer)
        axes.set(xscale="log", yscale="log", xlabel="side of the board", ylabel="seconds", title=name)
        axes.set_xticks(sides, [str(side) for side in sides])
        axes.minorticks_off()
        axes.grid(visible=True, alpha=0.3)
        plot.legend(loc="outside right center", fontsize="small", frameon=False)
        plot.savefig(path, format="svg", metadata={"Date": None})
