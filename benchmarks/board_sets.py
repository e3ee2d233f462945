"""The sets of boards that are measured: shipped instances, reference collections, and boards generated from a seed."""

import json
import sys
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import NamedTuple

from pyasp_puzzles import Instance, InstanceError, count, load, solve

from .boards import Board, Rows, Words, grid

INSTANCES = Path(__file__).parents[1] / "instances"
PUZZLES = ("sudoku", "tectonic", "strimko", "strips", "strata")
SUDOKU_LISTS = ("17-clue", "magictour", "hardest")
SEED = 2026
# Bricks of Tectonics: the block of each of the 5x5 cells, a capital where its number is given.
BRICKS = """
aABbbaaaBBccccdeecDdEeeDd aAbbCaAbbcadbCCddddcEeeEe aAbbCAabbcadbEcDdeeCDdeec AaaBcDaabCddEBcdeebcDeebc
AabbbaAabBccdDeCcdeEcddEe AabBCaabbcadbccdDeEcDdEeE AaabbcaABBcccbdeecddEEedD AabbcaAbbCAdbccddddCEeeEe
aAabBcaaBbccdbeCDDeecdDEe abbcCaBbCcAbdceAddEeaddEe aAbBbaaAbBccdDDcccddeeEEe AaBcCaabCcabbcdeebddEEeDd
aAAbbCaabdcCbbdceedDCeeed aAbbBaAcbbadccEdDceeDdcEe AabbCAabBcadbcCddeEcDdeeE AabBcaabdCabbdceEdDcEeedc
""".split()  # noqa: SIM905 (a list of 16 lines)


class BoardSets(NamedTuple):
    """Where boards come from, and how many of them are used."""

    data: Path | None
    """The directory of the reference collections."""
    most: int | None
    """Boards of a reference collection; None for all."""
    generated: int
    """Boards of a generated set."""

    def of(self, puzzle: str) -> Iterator[tuple[str, list[Board]]]:
        """Yield the name and the boards of each set of a puzzle, shuffled so that the first few are a sample."""
        numbers = range(1, self.generated + 1)
        if puzzle == "sudoku":
            for name in SUDOKU_LISTS:
                if path := self._file(f"sudoku-{name}.txt"):
                    yield f"{name} Sudokus", self._sample(map(board_of, load(path, format="sudoku")))
            yield "generated Sudokus", self._sample(map(minimal_sudoku, numbers))
        elif puzzle == "tectonic":
            yield "Tectonics, each with its own blocks", self.tectonics()
        elif puzzle == "strimko":
            path = self._file("strimko.jsonl")
            found = [*map(board_of, load(INSTANCES / puzzle)), *(_collection(path, puzzle) if path else [])]
            yield "Strimkos, each with its own streams", self._sample(found)
        elif puzzle == "strips":
            yield "strips 5x5, each four times", hunt() * 4  # the first few are grounded one by one
        elif puzzle == "strata":
            yield "Strata boards 20x20, generated", [strata(20, i) for i in numbers]

    def anti_knight(self) -> Iterator[tuple[str, list[Board]]]:
        """Yield the name and the boards of each set of Sudokus with an extra rule, with and without a session."""
        sets = dict(self.of("sudoku"))
        sets["generated Sudokus"] = [minimal_sudoku(i, "anti-knight") for i in range(1, 2 * self.generated + 1)]
        for name in [name for name in (f"{SUDOKU_LISTS[0]} Sudokus", "generated Sudokus") if name in sets]:
            boards = [board._replace(extra="anti-knight") for board in sets[name]]
            yield f"{name} with `--extra anti-knight`", boards
            yield f"{name} with it, without a session", [board._replace(seed=1) for board in boards]

    def tectonics(self, side: int | None = None) -> list[Board]:
        """Return the Tectonics of the reference collection, of all sizes or of one, or generated ones."""
        path = self._file("suguru.jsonl")
        found = _collection(path, "tectonic") if path else []
        found = [board for board in found if side in {None, len(board.givens)} and side in {None, len(board.givens[0])}]
        return self._sample(found or [tectonic(10, i) for i in range(1, self.generated + 1)])

    def _sample(self, boards: Iterable[Board]) -> list[Board]:
        return shuffled(boards)[: self.most]

    def _file(self, name: str) -> Path | None:
        return self.data / name if self.data and (self.data / name).exists() else None


def rng(*what: object) -> Random:
    """Return a random generator that depends on what is generated, and on nothing else."""
    return Random(f"{SEED} {what}")  # noqa: S311 (boards must be reproducible)


def shuffled(boards: Iterable[Board]) -> list[Board]:
    """Return boards in a random order, the same each time."""
    found = list(boards)
    rng("order").shuffle(found)
    return found


# -- Shipped instances and reference collections -----------------------------------


def hunt() -> list[Board]:
    """Return the 25 boards of the hunt, and the final one."""
    return [board_of(instance)._replace(longest=3) for name in ("hunt", "final") for instance in load(f"strips/{name}")]


def board_of(instance: Instance) -> Board:
    """Return an instance as a board."""
    facts = instance.facts
    if instance.puzzle.name == "strips":
        return Board("strips", tiles=grid((*cell, tile.string) for cell, tile in facts.cells("tile").items()))
    regions_of = "block" if instance.puzzle.name == "tectonic" else "stream"
    streams, clues = facts.cells(regions_of), facts.cells("given")
    givens = grid((*cell, clues[cell].number if cell in clues else 0) for cell in streams)
    regions = grid((*cell, str(stream).strip('"')) for cell, stream in streams.items())
    return Board(instance.puzzle.name, givens, regions)


def _collection(path: Path, puzzle: str) -> list[Board]:
    """Return the boards of a file with a JSON object a line, except those that `loads` rejects."""
    boards = []
    for record in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        regions = [[str(region) for region in row] for row in record["regions"]]
        board = Board(puzzle, record["givens"], regions)
        try:
            board.instance()
        except InstanceError as error:
            sys.stderr.write(f"left out: {record['id']}: {error}\n")
        else:
            boards.append(board)
    return boards


# -- Generated boards --------------------------------------------------------------


def _sudoku(givens: Rows) -> Board:
    side = round(len(givens) ** 0.5)
    boxes = [[str(r // side * side + c // side + 1) for c, _ in enumerate(row)] for r, row in enumerate(givens)]
    return Board("sudoku", givens, boxes)


def _full_sudoku(side: int, chance: Random) -> Rows:
    """Return a full grid with boxes of that side: a pattern with rows, columns and numbers permuted."""

    def order() -> list[int]:
        groups = [chance.sample(range(side), side) for _ in range(side)]
        return [side * group + i for group in chance.sample(range(side), side) for i in groups[group]]

    n = side * side
    numbers = chance.sample(range(1, n + 1), n)
    columns = order()
    return [[numbers[(side * (r % side) + r // side + c) % n] for c in columns] for r in order()]


def _thinned(side: int, chance: Random, share: float) -> Board:
    """Return a Sudoku with boxes of that side, with that share of its numbers given."""
    grid = _full_sudoku(side, chance)
    cells = [(r, c) for r, row in enumerate(grid) for c, _ in enumerate(row)]
    kept = set(chance.sample(cells, round(share * len(cells))))
    rows = [[value if (r, c) in kept else 0 for c, value in enumerate(row)] for r, row in enumerate(grid)]
    return _sudoku(rows)


def large_sudoku(side: int, number: int) -> Board:
    """Return a Sudoku with boxes of that side, with 60 % of its numbers given."""
    return _thinned(side, rng("sudoku", side, number), 0.6)


def minimal_sudoku(number: int, extra: str = "") -> Board:
    """Return a Sudoku with one answer, which has several if any clue is removed; an extra rule may hold."""
    chance = rng("minimal", extra, number) if extra else rng("minimal", number)
    board = _sudoku(_full_sudoku(3, chance))
    if extra:
        empty = board._replace(givens=[[0] * 9 for _ in range(9)], extra=extra, seed=number)
        answer = solve(empty.instance(), empty.settings())
        assert answer is not None
        board = empty._replace(givens=answer.json()["grid"], seed=None)
    givens = board.givens
    for cell in chance.sample(range(81), 81):
        r, c = divmod(cell, 9)
        value, givens[r][c] = givens[r][c], 0
        if count(board.instance(), 2, board.settings()) > 1:
            givens[r][c] = value
    return board


def tectonic(side: int, number: int) -> Board:
    """Return a Tectonic with one answer, made of bricks of 5x5 cells that each have one answer.

    The cell in row r and column c holds the number with the index (2r + c) mod 5. Equal numbers never touch, and every
    brick holds the same numbers, so bricks can be put together at will: a board grows in size but not in difficulty.
    """
    chance = rng("tectonic", side, number)
    numbers = chance.sample(range(1, 6), 5)
    regions, givens = [[""] * side for _ in range(side)], [[0] * side for _ in range(side)]
    for top, left in product(range(0, side, 5), repeat=2):
        for i, block in enumerate(chance.choice(BRICKS)):
            r, c = top + i // 5, left + i % 5
            regions[r][c] = f"{top}.{left}.{block.lower()}"
            givens[r][c] = numbers[(2 * r + c) % 5] if block.isupper() else 0
    return Board("tectonic", givens, regions)


def strips(longest: int, colors: int, side: int, number: int) -> Board:
    """Return a board cut at random into different strips."""
    chance = rng("strips", side, longest, colors, number)
    known = {}
    for length in range(1, longest + 1):
        patterns = {"".join(pattern) for pattern in product("wbrg"[:colors], repeat=length)}
        known[length] = sorted({max(pattern, pattern[::-1]) for pattern in patterns})
    while True:
        left = {length: chance.sample(some, len(some)) for length, some in known.items()}
        if tiles := _cut(side, left, chance):
            return Board("strips", tiles=tiles, longest=longest)


def _cut(side: int, left: dict[int, list[str]], chance: Random) -> Words | None:
    """Return a board made of strips placed in reading order, most of them long; None if a cell cannot be covered."""
    tiles = [[""] * side for _ in range(side)]
    for r, c in product(range(side), repeat=2):
        if tiles[r][c]:
            continue
        across = next((i for i in range(side - c) if tiles[r][c + i]), side - c)
        ways = [(n, down) for n in left if left[n] for down in (0, 1) if n <= (side - r if down else across)]
        if not ways:
            return None
        length, down = max(ways, key=lambda way: (way[0] * chance.random() ** 0.5, way))
        pattern = left[length].pop()
        for i, color in enumerate(pattern[:: chance.choice((1, -1))]):
            tiles[r + i * down][c + i * (1 - down)] = color
    return tiles


def strata(side: int, number: int) -> Board:
    """Return a board that ribbons of six colors, laid in a random order, produce; 20 % of its cells are blank."""
    chance = rng("strata", side, side, number)
    lines: list[tuple[int | None, int | None]] = [(r, None) for r in range(side)] + [(None, c) for c in range(side)]
    chance.shuffle(lines)
    height = {line: i for i, line in enumerate(lines)}
    color = {line: chance.choice("abcdef") for line in lines}

    def top(r: int, c: int) -> str:
        blank = chance.random() < 0.2
        return "." if blank else color[(r, None) if height[r, None] > height[None, c] else (None, c)]

    return Board("strata", tiles=[[top(r, c) for c in range(side)] for r in range(side)])


def small_board(puzzle: str) -> Board:
    """Return a small board, to solve before measuring."""
    if puzzle == "strips":
        return hunt()[0]
    if puzzle == "strata":
        return strata(3, 0)
    return tectonic(5, 0) if puzzle == "tectonic" else large_sudoku(2, 0)._replace(puzzle=puzzle)
