"""However many boards a process solves, it takes no more memory than a few do."""

import sys
from pathlib import Path
from random import Random

import pytest

from .command import process
from .helpers import mine

BOARDS = 30_000
FEW = 3000
"""Boards after which all is there that is kept."""
GROWTH = 4.0
"""MB by which a process may grow from then on; a leak of 0.15 KB a board would be as much."""
ANSWER = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
CODE = f"""
import re, sys
from pathlib import Path
from pyasp_puzzles import Workers, batch, load, solutions

def used(process="self"):
    status = Path(f"/proc/{{process}}/status").read_text()
    return int(re.search(r"VmRSS:\\s+([0-9]+)", status)[1]) / 1024

def alone(boards):
    for board in boards:
        assert list(solutions(board, 2))
        yield [used()] if number in (few, every) else []

def by_workers(boards):
    with Workers(1) as workers:
        for record in batch(boards, 2, executor=workers):
            assert record["solutions"]
            yield [used(), *(used(process.pid) for process in workers._processes)] if number in (few, every) else []

few, every, number, seen = {FEW}, {BOARDS}, 1, {{}}
for now in {{"alone": alone, "by_workers": by_workers}}[sys.argv[2]](load(sys.argv[1], "sudoku")):
    seen[number] = now
    number += 1
assert len(seen) == every
print(max(last - first for first, last in zip(seen[few], seen[every], strict=True)))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="what a process takes is read from /proc")
@pytest.mark.parametrize("how", ["alone", "by_workers"])
def test_memory_stays_flat(tmp_path: Path, how: str) -> None:
    """Tens of thousands of Sudokus of one shape, no two of them alike, leave nothing behind."""
    chance = Random(0)  # noqa: S311 (nothing is secret here)
    lines = []
    for _ in range(BOARDS):
        digits = dict(zip("123456789", chance.sample("123456789", 9), strict=True))
        hidden = set(chance.sample(range(81), 40))
        cells = ["." if i in hidden else digits[c] for i, c in enumerate(ANSWER)]
        lines.append("".join(cells))
    file = mine(tmp_path, "\n".join(lines) + "\n", "list.txt")
    done = process([sys.executable, "-c", CODE, str(file), how], tmp_path, timeout=300)
    assert (done.returncode, done.stderr[-1000:]) == (0, "")
    assert float(done.stdout) < GROWTH
