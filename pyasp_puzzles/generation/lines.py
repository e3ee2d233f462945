"""Random lines, cages and other clues of several facts, which hold for an answer.

A kind of key draws cells at random; the rules tell which of these clues hold. Those are made longer by a cell, and
asked about again.

RandomLines  RandomLines(board, answer, rng, settings).of(key): clues of that key that share no cell, as offers
"""

from __future__ import annotations

from itertools import chain, count, islice, pairwise
from typing import TYPE_CHECKING

from pyasp_puzzles.asp.symbols import Arguments, symbol_arguments, symbol_from_plain
from pyasp_puzzles.boards.facts import fact_name
from pyasp_puzzles.generation.clue_search import ClueSearch
from pyasp_puzzles.generation.clues import clue_cells, clues_of_board, gathered_clues
from pyasp_puzzles.model.keys import Key, KeyOffer, KeyOutline, KeyRange, Shape
from pyasp_puzzles.puzzles.board import board as board_of
from pyasp_puzzles.puzzles.board import keys_of_board
from pyasp_puzzles.puzzles.declaration import folders_of_variants, variant_layout_files, variants_of
from pyasp_puzzles.puzzles.keys import outside

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from random import Random

    from clingo import Symbol

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.generation.clues import Clue
    from pyasp_puzzles.model.generated import Wish
    from pyasp_puzzles.model.puzzle import Instance

# Lines that are drawn before the rules tell which hold, if they may have so few cells; fewer each time they are made
# longer by a cell, in some ways.
_MOST_LINES_DRAWN, _USUAL, _LONGER = 1500, 3, 4
# Values that all these lines may have together: each is an atom. With 8000, a Sudoku of killer cages takes 10 s, not 6;
# with 1200, cages do not cover the board.
_MOST_VALUES_OF_LINES = 3000


def random_line_sizes(key: Key) -> KeyRange:
    """Return how many cells a line or a cage of a key has."""
    assert key.kind.drawn is not None
    sizes: KeyRange = key.option("cells", key.kind.drawn.sizes)
    return sizes


class RandomLines:
    """The clues of several facts that hold for an answer."""

    def __init__(self, board: Instance, answer: Sequence[Symbol], rng: Random, settings: Settings) -> None:
        self._board, self._answer, self._rng, self._settings = board, answer, rng, settings
        self._outline = board.outline
        self._numbers = count(1)

    def of(
        self, key: Key, known: Sequence[Shape] = (), *, without: Collection[Cell] = (), symmetric: bool = False
    ) -> list[KeyOffer]:
        """Return random clues of a key, each with a value; no two lines have the same cells.

        Those of `known` shapes are among them; others are `without` some cells. If `symmetric`, those half a turn
        around the board from others are, too.

        Raises:
            OutOfTime: time ran out.
        """
        if is_random_line_of_layout(self._board, key):
            return self._chosen(key)
        if any(self._board.facts.of(key.fact)):
            return self._held(key, self._there(key))[0]
        assert key.kind.drawn is not None
        range_ = random_line_sizes(key)
        most = range_.largest(self._outline)((0, 0))
        self._free = [cell for cell in self._outline.cells if cell not in without]
        found: dict[object, KeyOffer] = {}
        number = _MOST_LINES_DRAWN * _USUAL // max(_USUAL, range_.low)
        shapes = self._drawn(key, [], most, number)
        while shapes and len(shapes[0][-1]) < range_.low:
            shapes = self._drawn(key, shapes, most, number)
        while offers := self._offers(key, [*known, *shapes]):
            known, number = (), number // 2
            held, others = self._held(key, offers)
            for offer in held:
                found.setdefault(_cells(offer.shape) if key.kind.drawn.apart else offer.shape, offer)
            # What does not hold may do so with one more cell: the sum of an arrow.
            self._rng.shuffle(others)
            self._rng.shuffle(held)
            longer = [offer.shape for offer in [*held, *others][: number // _LONGER]]
            shapes = self._drawn(key, longer, most, number) if longer else []
        if symmetric and key.kind.drawn.apart:
            for offer in self._turned(key, [*found.values()]):
                found.setdefault(_cells(offer.shape), offer)
        return [*found.values()]

    def _there(self, key: Key) -> list[KeyOffer]:
        """Return the clues of a key that the board has, those without a value with all that they may have."""
        assert key.kind.drawn is not None
        found: list[KeyOffer] = []
        for clue in clues_of_board(self._board, [key]):
            facts = tuple(map(_plain, clue))
            cells = tuple(clue_cells(key, sorted(one for one in clue if one.name == key.fact)))
            number = int(facts[0][1][0])
            values = key.kind.drawn.offer(key, self._outline, self._rng, (cells,), number).one_of
            valued = {name for name, _ in facts}.intersection(name for name, _ in values)
            found.append(KeyOffer((cells,), facts, () if valued else values))
        return found

    def _drawn(self, key: Key, smaller: Sequence[Shape], most: int, number: int) -> list[Shape]:
        assert key.kind.drawn is not None
        free = KeyOutline(self._free, self._outline.facts, self._outline.keys) if self._free else None
        drawn = key.kind.drawn.shapes(key, free, self._rng, smaller) if free else ()
        found = list(islice((shape for shape in drawn if len(shape[-1]) <= most), number))
        self._rng.shuffle(found)
        return found

    def _offers(self, key: Key, shapes: Iterable[Shape]) -> list[KeyOffer]:
        """Return the clues of shapes, fewer if they may have many values."""
        assert key.kind.drawn is not None
        found: list[KeyOffer] = []
        facts = 0
        for shape in shapes:
            found.append(key.kind.drawn.offer(key, self._outline, self._rng, shape, next(self._numbers)))
            facts += len(found[-1].one_of)
            if facts > _MOST_VALUES_OF_LINES:
                break
        return found

    def _turned(self, key: Key, offers: Sequence[KeyOffer]) -> list[KeyOffer]:
        """Return the clues that hold half a turn around the board from others, in either direction."""
        shapes = [turned_random_line(one.shape, self._outline) for one in offers]
        shapes += [tuple(cells[::-1] for cells in shape) for shape in shapes]
        return self._held(key, self._offers(key, shapes))[0]

    def _held(self, key: Key, offers: Sequence[KeyOffer]) -> tuple[list[KeyOffer], list[KeyOffer]]:
        """Return the offers that hold, each with one of its values that do, and the others."""
        search = self._search(key, offers)
        clues = {clue[0]: clue for clue in search.clues(search.only, self._rng)}
        facts = {one: clue for clue in clues.values() for one in clue}
        held: list[KeyOffer] = []
        others: list[KeyOffer] = []
        for offer in offers:
            clue = facts.get(symbol_from_plain(*offer.facts[0]))
            if clue is None:
                others.append(offer)
            else:
                values = [one for one in offer.one_of if symbol_from_plain(*one) in clue]
                held.append(offer._replace(facts=(*offer.facts, *values), one_of=()))
        return held, others

    def _chosen(self, key: Key) -> list[KeyOffer]:
        """Return clues that the layout.lp of the variant chooses, at random."""
        search = self._search(key, ())
        facts = search.random_facts(key, self._rng)
        return [KeyOffer((), tuple(map(_plain, clue))) for clue in gathered_clues(key, facts)]

    def _search(self, key: Key, offers: Sequence[KeyOffer]) -> ClueSearch:
        files = variant_layout_files(self._board.puzzle, key)
        return ClueSearch(self._board, self._settings, [key], offers, answer=self._answer, more=files)


def is_random_line_of_layout(board: Instance, key: Key) -> bool:
    """Return whether the layout.lp of a variant chooses the facts of a key itself."""
    from pyasp_puzzles.asp import syntax

    program = syntax.statements(variant_layout_files(board.puzzle, key)) or ()
    return any(head.name == key.fact for head in syntax.head_atoms(program))


def random_line_offers_at(board: Instance, key: Key, rng: Random) -> list[KeyOffer]:
    """Return the clues of a key at all places that it knows, each with all values that it may have."""
    assert key.kind.drawn is not None
    outline, drawn = board.outline, key.kind.drawn
    shapes = sorted(drawn.shapes(key, outline, rng, ()))
    return [drawn.offer(key, outline, rng, shape, i) for i, shape in enumerate(shapes, 1)]


def turned_random_line(shape: Shape, outline: KeyOutline) -> Shape:
    """Return the cells half a turn around the board."""
    height, width = outline.rows + 1, outline.columns + 1
    return tuple(tuple((height - r, width - c) for r, c in cells) for cells in shape)


def places_of_random_line(key: Key, shape: Shape, wish: Wish) -> Iterator[object]:
    """Yield the places that a line or a cage of a key takes, and that no other one drawn with its tool may take.

    These are cells, and the corners that the diagonal steps of a path pass, each as twice its place; if lines are to
    lie apart, also the sides of cells.
    """
    tool = key.kind.tool
    cells = tuple(chain.from_iterable(shape))
    yield from ((tool, cell) for cell in cells)
    for (r, c), (row, column) in pairwise(cells):
        if abs(r - row) == 1 and abs(c - column) == 1:
            yield tool, "corner", r + row, c + column
    if wish.lines == "apart":
        sides = {(2 * r + y, 2 * c + x) for r, c in cells for y, x in ((0, 1), (1, 0), (0, -1), (-1, 0))}
        yield from ((tool, "side", *side) for side in sides)


def random_lines_on_sides(key: Key, clue: Clue, shape: Shape, sides: Sequence[str]) -> bool:
    """Return whether a clue is on one of some sides of the board, or inside it; no sides stand for all."""
    if not sides or key.kind.tool not in {"outside", "sight"} or key.option("directions"):
        return True
    side = (
        fact_name(symbol_arguments(clue[0])[0])
        if key.kind.tool == "outside"
        else (outside.sight_side(shape[0]) or ("",))[0]
    )
    return side in sides


def _cells(shape: Shape) -> frozenset[Cell]:
    return frozenset(chain.from_iterable(shape))


def _plain(one: Symbol) -> tuple[str, Arguments]:
    return one.name, symbol_arguments(one)


def random_line_offers_of(board: Instance, keys: Sequence[Key]) -> list[KeyOffer]:
    """Return the clues of several facts that a board has, as what it may have."""
    drawn = [key for key in keys if key.kind.drawn]
    clues = clues_of_board(board, drawn)
    return [KeyOffer((), tuple(map(_plain, clue))) for clue in clues]


def with_random_lines_numbered(board: Instance) -> Instance:
    """Return a board as its file would be read: lines numbered in order, and no variants without a clue."""
    if not board.puzzle.variants:
        return board
    keys = {
        name: value for name, value in keys_of_board(board).items() if name not in {"puzzle", "solution", "variants"}
    }
    known = variants_of(board.puzzle)
    keys["variants"] = [name for name in board.variants if not known[name].keys] or None
    read = board_of(board.puzzle.name, puzzles=folders_of_variants(board.puzzle), **keys)
    return board._replace(puzzle=read.puzzle, facts=read.facts, variants=read.variants)
