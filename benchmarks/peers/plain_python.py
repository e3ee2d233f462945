"""Search in plain Python: peeling for Strata, and unit propagation with depth-first search for the other puzzles."""

from collections.abc import Iterator
from itertools import islice

from benchmarks.boards import Answer, Board, Verdict, ribbons

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
