"""`python -m benchmarks`: measure everything on this machine, and write `docs/performance.md`."""

from __future__ import annotations

import argparse
import sys
from importlib.util import find_spec
from pathlib import Path

from .collected import Collections
from .page import page, tables
from .peers import packages
from .suite import FULL, NAMES, QUICK, Suite, say

DOCS = Path(__file__).parents[1] / "docs"


def main() -> None:
    """Measure, and print the tables, or write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--data", type=Path, metavar="DIR", help="where the reference collections are")
    parser.add_argument("--quick", action="store_true", help="a run of about a minute")
    parser.add_argument("--only", choices=NAMES, help="measure one thing")
    parser.add_argument("--write", action="store_true", help="write docs/performance.md and its plots")
    options = parser.parse_args()
    if options.write and options.only:
        parser.error("--write needs all of it, and --only is a part")
    if options.write and not find_spec("matplotlib"):
        parser.error("--write draws plots with matplotlib: pip install -r benchmarks/requirements.txt")
    say("; ".join(f"{name} {version or 'not installed'}" for name, version in packages()))
    scale = QUICK if options.quick else FULL
    results = Suite(scale, Collections(options.data, scale.boards, scale.made)).run(options.only)
    if not options.write:
        sys.stdout.write(tables(results))
        return
    from .plots import draw

    for growth in results.growths:
        draw(growth, DOCS / "performance" / f"{growth.name.lower()}.svg")
    (DOCS / "performance.md").write_text(page(results), encoding="utf-8")


if __name__ == "__main__":
    main()
