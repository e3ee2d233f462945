"""The plots of `docs/performance.md`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib as mpl
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from pathlib import Path

    from .growth import Growth

MARKERS = "osD^vP*X<>hp"


def draw(growth: Growth, path: Path) -> None:
    """Write a plot as SVG, the same for the same figures."""
    with mpl.rc_context({"svg.hashsalt": growth.name, "svg.fonttype": "none", "font.family": "sans-serif"}):
        figure = Figure(figsize=(8, 4.5), layout="constrained")
        axes = figure.add_subplot()
        for i, (name, series) in enumerate(growth.series.items()):
            first = i == 0 and name.startswith("pyasp")
            width, marker = (2.5 if first else 1.2), MARKERS[i % len(MARKERS)]
            axes.plot(list(series), list(series.values()), marker=marker, linewidth=width, markersize=4, label=name)
        sizes = sorted({size for series in growth.series.values() for size in series})
        axes.set(xscale="log", yscale="log", xlabel="side of the board", ylabel="seconds", title=growth.name)
        axes.set_xticks(sizes, [str(size) for size in sizes])
        axes.minorticks_off()
        axes.grid(visible=True, alpha=0.3)
        figure.legend(loc="outside right center", fontsize="small", frameon=False)
        path.parent.mkdir(exist_ok=True)
        figure.savefig(path, format="svg", metadata={"Date": None})
