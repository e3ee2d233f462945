"""Lines, cages and other clues of several facts: random ones that hold for an answer.

A kind of key draws cells at random; the rules tell which of these clues hold. Those are made longer by a cell, and
asked about again.

Lines  Lines(board, answer, rng, settings).of(key): clues of that key that share no cell, as offers
"""

from __future__ import annotations

from itertools import chain, count, islice, pairwise
from typing import TYPE_CHECKING

from pyasp_puzzles.asp.symbols import from_plain, plain_arguments
from pyasp_puzzles.generation.clue_search import ClueSearch
from pyasp_puzzles.generation.clues import clues_of, gathered
from pyasp_puzzles.model.keys import Offer, Outline
from pyasp_puzzles.puzzles.board import board as board_of
from pyasp_puzzles.puzzles.board import keys_of
from pyasp_puzzles.puzzles.variant import folders_of, layout_files, variants_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random

    from clingo import Symbol

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.asp.symbols import Arguments
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.model.keys import Key, Shape
    from pyasp_puzzles.model.puzzle import Instance

# Lines that are drawn at once, before the rules tell which hold; and lines that are made longer by a cell.
MOST_LINES_DRAWN = 300
MOST_LINES_MADE_LONGER = 60
# Values that these lines may have, taken together: each is an atom.
MOST_VALUES_OF_LINES = 12_000


# How much longer a line may seem by chance where longer ones are preferred.
CHANCE = 2


class Lines:
    """The clues of several facts that hold for an answer.

    Args:
        board: a board of the layout.
        answer: the atoms of the answer.
        rng: draws them.
        settings: the rules and the time limit.
    """

    def __init__(self, board: Instance, answer: Sequence[Symbol], rng: Random, settings: Settings) -> None:
        self._board, self._answer, self._rng, self._settings = board, answer, rng, settings
        self._outline = Outline(board.puzzle.cells(board.facts), board.facts, board.puzzle.keys)
        self._numbers = count(1)

    def of(self, key: Key, *, symmetric: bool = False) -> list[Offer]:
        """Return random clues of a key, long ones first; if its kind says so, they share no cell.

        If `symmetric`, each has another half a turn around the board from it.

        Raises:
            OutOfTime: time ran out.
        """
        if self._is_chosen(key):
            return self._chosen(key)
        assert key.kind.drawn is not None
        range_, apart = key.option("cells", key.kind.drawn.sizes), key.kind.drawn.apart
        most = range_.largest(self._outline)((0, 0))
        found: list[Offer] = []
        shapes: list[Shape] = []
        while offers := self._offers(key, self._drawn(key, shapes, most)):
            held, others = self._held(key, offers)
            found += [offer for offer in held if len(offer.shape[-1]) >= range_.low]
            # What does not hold may do so with one more cell: the sum of an arrow.
            self._rng.shuffle(others)
            self._rng.shuffle(held)
            shapes = [offer.shape for offer in [*held, *others][:MOST_LINES_MADE_LONGER]]
        found.sort(key=lambda offer: -len(offer.shape[-1]) - CHANCE * self._rng.random())
        chosen = self._symmetric(key, found) if symmetric and apart else [[offer] for offer in found]
        return self._valued(key, [*chain.from_iterable(_apart(chosen) if apart else chosen)])

    def _drawn(self, key: Key, smaller: Sequence[Shape], most: int) -> list[Shape]:
        assert key.kind.drawn is not None
        drawn = key.kind.drawn.shapes(key, self._outline, self._rng, smaller)
        return list(islice((shape for shape in drawn if len(shape[-1]) <= most), MOST_LINES_DRAWN))

    def _offers(self, key: Key, shapes: Iterable[Shape]) -> list[Offer]:
        """Return the clues of shapes, fewer if they may have many values."""
        assert key.kind.drawn is not None
        found: list[Offer] = []
        facts = 0
        for shape in shapes:
            found.append(key.kind.drawn.offer(key, self._outline, self._rng, shape, next(self._numbers)))
            facts += len(found[-1].one_of)
            if facts > MOST_VALUES_OF_LINES:
                break
        return found

    def _symmetric(self, key: Key, offers: Sequence[Offer]) -> list[list[Offer]]:
        """Return each offer with one that holds half a turn around the board, in either direction, if there is one."""
        height, width = self._outline.rows + 1, self._outline.columns + 1

        def turned(shape: Shape) -> Shape:
            return tuple(tuple((height - r, width - c) for r, c in cells) for cells in shape)

        shapes = [turned(offer.shape) for offer in offers]
        shapes += [tuple(cells[::-1] for cells in shape) for shape in shapes]
        held, _ = self._held(key, self._offers(key, shapes))
        by_cells = {_cells(offer.shape): offer for offer in reversed(held)}
        pairs = [(offer, _cells(offer.shape), _cells(turned(offer.shape))) for offer in offers]
        return [
            [offer] if here == there else [offer, by_cells[there]]
            for offer, here, there in pairs
            if here == there or there in by_cells
        ]

    def _held(self, key: Key, offers: Sequence[Offer]) -> tuple[list[Offer], list[Offer]]:
        """Return the offers that hold, and the others."""
        search = self._search(key, offers)
        clues = search.clues(search.only, self._rng)
        first = {one for clue in clues for one in clue}
        held: list[Offer] = []
        others: list[Offer] = []
        for offer in offers:
            (held if from_plain(*offer.facts[0]) in first else others).append(offer)
        return held, others

    def _valued(self, key: Key, offers: Sequence[Offer]) -> list[Offer]:
        """Return offers that hold, each with one of its values that do, at random."""
        if not any(offer.one_of for offer in offers):
            return [*offers]
        search = self._search(key, offers)
        found = []
        for offer in offers:
            values = [*offer.one_of]
            self._rng.shuffle(values)
            value = next(one for one in values if search.allows(search.only, from_plain(*one)))
            found.append(offer._replace(facts=(*offer.facts, value), one_of=()))
        return found

    def _is_chosen(self, key: Key) -> bool:
        """Return whether the layout.lp of a variant chooses the facts of a key itself."""
        from pyasp_puzzles.asp import syntax

        program = syntax.statements(layout_files(self._board.puzzle, key)) or ()
        return any(head.name == key.fact for head in syntax.heads(program))

    def _chosen(self, key: Key) -> list[Offer]:
        """Return clues that the layout.lp of the variant chooses, at random."""
        search = self._search(key, ())
        facts = search.random_facts(key, self._rng)
        return [Offer((), tuple(map(_plain, clue))) for clue in gathered(key, facts)]

    def _search(self, key: Key, offers: Sequence[Offer]) -> ClueSearch:
        files = layout_files(self._board.puzzle, key)
        return ClueSearch(self._board, self._settings, [key], offers, answer=self._answer, more=files)


def _cells(shape: Shape) -> frozenset[Cell]:
    return frozenset(chain.from_iterable(shape))


def _apart(several: Sequence[list[Offer]]) -> list[list[Offer]]:
    """Return the first offers, or pairs of them, that share no cell, and whose diagonal steps do not cross."""
    taken: set[object] = set()
    found = []
    for offers in several:
        parts = [{*_cells(offer.shape), *_steps([*chain.from_iterable(offer.shape)])} for offer in offers]
        together = set().union(*parts)
        if taken.isdisjoint(together) and len(together) == sum(map(len, parts)):
            taken |= together
            found.append(offers)
    return found


def _plain(one: Symbol) -> tuple[str, Arguments]:
    return one.name, plain_arguments(one)


def offers_of(board: Instance, keys: Sequence[Key]) -> list[Offer]:
    """Return the clues of several facts that a board has, as what it may have."""
    drawn = [key for key in keys if key.kind.drawn]
    clues = clues_of(board, drawn)
    return [Offer((), tuple(map(_plain, clue))) for clue in clues]


def numbered_anew(board: Instance) -> Instance:
    """Return a board as its file would be read: lines numbered in order, and no variants without a clue."""
    if not board.puzzle.variants:
        return board
    keys = {name: value for name, value in keys_of(board).items() if name not in {"puzzle", "solution", "variants"}}
    known = variants_of(board.puzzle)
    keys["variants"] = [name for name in board.variants if not known[name].keys] or None
    read = board_of(board.puzzle.name, puzzles=folders_of(board.puzzle), **keys)
    return board._replace(puzzle=read.puzzle, facts=read.facts, variants=read.variants)


def _steps(cells: Sequence[Cell]) -> set[object]:
    """Return the corners that the diagonal steps of a path pass, each as twice its place."""
    pairs = pairwise(cells)
    return {
        ("corner", r + row, c + column) for (r, c), (row, column) in pairs if abs(r - row) == 1 and abs(c - column) == 1
    }
