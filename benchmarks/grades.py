"""Compare scores with the ratings of published boards: `python -m benchmarks.grades FILE...`.

A file holds rated Sudokus, `81 digits RATING` a line, or JSON Lines with `givens`, `regions` and `difficulty`. For each
file, the rank correlation (Spearman) of the ratings with each measure is printed, and how often each word is given.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import correlation
from time import process_time

from pyasp_puzzles import Instance, grade, loads

from .boards import Board

LEVELS = ("Easy", "Medium", "Hard")
MEASURES = ("score", "hardest", "sum", "largest", "beyond", "steps")


def rated(path: Path) -> Iterator[tuple[Instance, float]]:
    """Yield the boards of a file, each with its rating."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if path.suffix == ".jsonl":
            record = json.loads(line)
            regions = [[str(region) for region in row] for row in record["regions"]]
            yield Board("strimko", record["givens"], regions).instance(), LEVELS.index(record["difficulty"])
        else:
            digits, rating = line.split()
            yield loads(f"{digits}\n", format="sudoku")[0], float(rating)


def spearman(ones: Sequence[float], others: Sequence[float]) -> float:
    """Return the correlation of ranks; equal values share the mean of their ranks."""
    return correlation(_ranks(ones), _ranks(others))


def _ranks(values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    first = {value: rank for rank, value in reversed([*enumerate(ordered)])}
    count = Counter(values)
    return [first[value] + (count[value] - 1) / 2 for value in values]


def main(paths: Sequence[str]) -> None:
    """Grade the boards of each file, and print the correlations."""
    for path in map(Path, paths):
        start = process_time()
        boards = [(grade(instance), rating) for instance, rating in rated(path)]
        seconds = (process_time() - start) / len(boards)
        ratings = [rating for _, rating in boards]
        print(f"{path.name}: {len(boards)} boards, {seconds:.2f} s of CPU time each")  # noqa: T201 (what it is for)
        for name in MEASURES:
            print(f"{name:8} {spearman([getattr(found, name) for found, _ in boards], ratings):.3f}")  # noqa: T201 (what it is for)
        for word, number in Counter(found.word for found, _ in boards).most_common():
            of_word = sorted(rating for found, rating in boards if found.word == word)
            print(f"{word:9} {number:4}, rated {of_word[0]:g} to {of_word[-1]:g}, half {of_word[number // 2]:g}")  # noqa: T201 (what it is for)


if __name__ == "__main__":
    main(sys.argv[1:])
