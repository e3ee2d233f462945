"""Search in plain Python: peeling for Strata, and unit propagation with depth-first search for the other puzzles."""

from collections.abc import Iterator
from itertools import islice, product

from benchmarks.boards import Answer, Board, Cell, Verdict, ribbons

from .choices import Choices, encode


def solve(board: Board) -> Verdict:
    """Use peeling for Strata, otherwise unit propagation, with depth-first search on a smallest group of choices."""
    if board.puzzle == "strata":
        return Verdict(_peel(board), unique=False)
    encoded = encode(board)
    answers = list(islice(_answers(encoded), 2))
    return Verdict(encoded.answer(answers[0]) if answers else None, len(answers) == 1)


def _peel(board: Board) -> Answer | None:
    """Remove lines from the top: any line whose remaining colored cells have at most one color.

    Removing such a line is never wrong, so there is no search. A board with an answer always has a second one: of the
    row and the column at the bottom, either may be lower.
    """
    lines = {"row": set(range(1, len(board.tiles) + 1)), "column": set(range(1, len(board.tiles[0]) + 1))}
    peeled: list[tuple[str, int, str | None]] = []
    while lines["row"] or lines["column"]:
        before = len(peeled)
        for kind, crossing in (("row", "column"), ("column", "row")):
            for i in sorted(lines[kind]):
                cells = ((i, j) if kind == "row" else (j, i) for j in lines[crossing])
                colors = {board.tiles[r - 1][c - 1] for r, c in cells} - {"."}
                if len(colors) <= 1:
                    lines[kind].remove(i)
                    peeled.append((kind, i, min(colors, default=None)))
        if len(peeled) == before:
            return None
    return ribbons(peeled[::-1])


def _answers(encoded: Choices) -> Iterator[set[int]]:
    """Yield the sets of choices that are true."""
    excludes: list[set[int]] = [set() for _ in encoded.choices]
    for group in encoded.exactly_one + encoded.at_most_one:
        for choice in group:
            excludes[choice].update(group)
    groups_of: list[list[int]] = [[] for _ in encoded.choices]
    for number, choice in ((number, choice) for number, group in enumerate(encoded.exactly_one) for choice in group):
        groups_of[choice].append(number)

    def search(groups: list[set[int]], true: set[int], new: list[int]) -> Iterator[set[int]]:
        while new:
            choice = new.pop()
            if choice not in true:
                true.add(choice)
                if not _exclude(groups, groups_of, excludes[choice] - {choice}, new):
                    return
        smallest = min((group for group in groups if len(group) > 1), key=len, default=None)
        if smallest is None:
            yield true
            return
        for guess in sorted(smallest):
            yield from search([set(group) for group in groups], set(true), [guess])

    single = [choice for group in encoded.exactly_one if len(group) == 1 for choice in group]
    return search([set(group) for group in encoded.exactly_one], set(), encoded.given + single)


def _exclude(groups: list[set[int]], groups_of: list[list[int]], choices: set[int], new: list[int]) -> bool:
    """Remove choices from their groups, and add what becomes true to `new`; return whether no group is empty."""
    for choice in choices:
        for number in groups_of[choice]:
            group = groups[number]
            if choice in group:
                group.remove(choice)
                if not group:
                    return False
                if len(group) == 1:
                    new.extend(group)
    return True


def strip_by_strip(board: Board) -> Verdict:
    """Use depth-first search for a place for each strip, the longest first."""
    encoded = encode(board)
    cells = [frozenset(strip["cells"]) for strip in encoded.choices]
    alike = sorted(encoded.at_most_one, key=lambda places: -len(cells[places[0]]))

    def search(alike: list[list[int]], spare: int, free: frozenset[Cell]) -> Iterator[list[int]]:
        """Yield a place for each strip, except strips of `spare` cells in all."""
        if not alike:
            yield []
            return
        places, *others = alike
        for place in places:
            if cells[place] <= free:
                yield from ([place, *rest] for rest in search(others, spare, free - cells[place]))
        if (length := len(cells[places[0]])) <= spare:
            yield from search(others, spare - length, free)

    spare = sum(len(cells[places[0]]) for places in alike) - len(board.cells)
    answers = list(islice(search(alike, spare, frozenset(board.cells)), 2))
    return Verdict(encoded.answer(answers[0]) if answers else None, len(answers) == 1)


def position_by_position(board: Board) -> Verdict:
    """Use depth-first search that compares colors in each position of each strip, the longest first."""
    colors = {cell: board.tiles[cell[0] - 1][cell[1] - 1] for cell in board.cells}
    words = {word for n in range(1, board.longest + 1) for word in product(sorted(set(colors.values())), repeat=n)}
    strips = sorted((word for word in words if word <= word[::-1]), key=lambda word: (len(word), word), reverse=True)

    def search(
        strips: list[tuple[str, ...]], spare: int, occupied: tuple[Cell, ...]
    ) -> Iterator[list[tuple[Cell, ...]]]:
        """Yield the cells, strip by strip, with strips of `spare` cells in all left out."""
        if not strips:
            yield []
            return
        strip, *others = strips
        for position in _positions(board, strip):
            for cell, color in position:
                if colors[cell] != color or cell in occupied:
                    break
            else:
                cells = tuple(cell for cell, _ in position)
                yield from ([cells, *rest] for rest in search(others, spare, occupied + cells))
        if len(strip) <= spare:
            yield from search(others, spare - len(strip), occupied)

    answers = list(islice(search(strips, sum(map(len, strips)) - len(colors), ()), 2))
    if not answers:
        return Verdict(None, unique=False)
    found = [
        board.strip(min(cells), len(cells), down=cells[0][1] == cells[-1][1] and len(cells) > 1) for cells in answers[0]
    ]
    return Verdict({"strips": found}, len(answers) == 1)


def _positions(board: Board, strip: tuple[str, ...]) -> Iterator[list[tuple[Cell, str]]]:
    """Yield the cells and colors of a strip in each position, both ways round if that makes a difference."""
    ways = sorted({strip, strip[::-1]})
    for y, x in ((0, 1), (1, 0))[: len(strip)]:
        rows, columns = len(board.tiles) - y * (len(strip) - 1), len(board.tiles[0]) - x * (len(strip) - 1)
        for r, c, word in product(range(1, rows + 1), range(1, columns + 1), ways):
            yield [((r + y * i, c + x * i), color) for i, color in enumerate(word)]
