"""Random lines, cages and other clues of several facts, which hold for an answer; and `Selection`, which chooses clues.

A kind of key draws cells at random, and the rules tell which of these clues hold. Those are extended by a cell, and
asked about again.

`Selection` chooses clues that leave the answer as the only one: lines that lie apart, cages that cover the board, few
givens. As long as a choice leaves another answer, clingo chooses anew, with one of the clues that this answer breaks.
Other answers are looked for near the answer, because few clues tell these apart.

RandomLines  RandomLines(board, answer, rng, settings).of(key): clues of that key that share no cell, as offers
Unit         clues that are chosen together: `((thermometer(7, 1, 1, 1), thermometer(7, 2, 1, 2)),)`
"""

from __future__ import annotations

from itertools import chain, count, islice, pairwise
from typing import TYPE_CHECKING

from pyasp_puzzles.asp.rules import mode_path
from pyasp_puzzles.asp.search import SEARCH_ANEW, Decisions, Search, program_search
from pyasp_puzzles.asp.symbols import Arguments, symbol_arguments, symbol_from_plain
from pyasp_puzzles.boards.facts import fact_name
from pyasp_puzzles.generation.clue_search import ClueSearch
from pyasp_puzzles.generation.clues import clue_cells, clues_of_board, covering_keys, gathered_clues, with_clues
from pyasp_puzzles.model.keys import Key, KeyOffer, KeyOutline, KeyRange, Shape
from pyasp_puzzles.puzzles import questions
from pyasp_puzzles.puzzles.board import board as board_of
from pyasp_puzzles.puzzles.board import keys_of_board
from pyasp_puzzles.puzzles.declaration import folders_of_variants, variant_layout_files, variants_of
from pyasp_puzzles.puzzles.keys import outside
from pyasp_puzzles.puzzles.questions import Question
from pyasp_puzzles.queries.solve import nearest_answers_first, other_answers

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from random import Random

    from clingo import Model, Symbol

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.generation.clue_search import AnswerLiterals
    from pyasp_puzzles.generation.clues import Clue, Unit, Wish
    from pyasp_puzzles.model.keys import Shape
    from pyasp_puzzles.model.puzzle import Instance

# -- Random lines --------------------------------------------------------------------------------------------------

# Lines that are drawn at first, fewer if they have more cells than the second number. Each time after,
# half as many are drawn: a part of the last ones, one in the third number, is extended.
_MOST_LINES_DRAWN, _USUAL, _LONGER = 1500, 3, 4
# Values that all these lines may have together: each is an atom. With 8000, a Sudoku of killer cages takes 10 s, not 6;
# with 1200, cages do not cover the board.
_MOST_VALUES_OF_LINES = 3000


def line_sizes(key: Key) -> KeyRange:
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
        if is_line_of_layout(self._board, key):
            return self._chosen(key)
        if any(self._board.facts.of(key.fact)):
            return self._held(key, self._there(key))[0]
        assert key.kind.drawn is not None
        range_ = line_sizes(key)
        most = range_.largest(self._outline)((0, 0))
        self._free = [cell for cell in self._outline.cells if cell not in without]
        by_cells: dict[object, KeyOffer] = {}
        number = _MOST_LINES_DRAWN * _USUAL // max(_USUAL, range_.low)
        shapes = self._drawn(key, [], most, number)
        while shapes and len(shapes[0][-1]) < range_.low:
            shapes = self._drawn(key, shapes, most, number)
        while offers := self._offers(key, [*known, *shapes]):
            known, number = (), number // 2
            held, others = self._held(key, offers)
            for offer in held:
                by_cells.setdefault(_cells(offer.shape) if key.kind.drawn.apart else offer.shape, offer)
            # What does not hold may do so with one more cell: the sum of an arrow.
            self._rng.shuffle(others)
            self._rng.shuffle(held)
            longer = [offer.shape for offer in [*held, *others][: number // _LONGER]]
            shapes = self._drawn(key, longer, most, number) if longer else []
        if symmetric and key.kind.drawn.apart:
            for offer in self._turned(key, [*by_cells.values()]):
                by_cells.setdefault(_cells(offer.shape), offer)
        return [*by_cells.values()]

    def _there(self, key: Key) -> list[KeyOffer]:
        """Return the clues of a key that the board has, those without a value with all that they may have."""
        assert key.kind.drawn is not None
        offers: list[KeyOffer] = []
        for clue in clues_of_board(self._board, [key]):
            facts = tuple(map(_plain, clue))
            cells = tuple(clue_cells(key, sorted(fact for fact in clue if fact.name == key.fact)))
            number = int(facts[0][1][0])
            values = key.kind.drawn.offer(key, self._outline, self._rng, (cells,), number).one_of
            valued = {name for name, _ in facts}.intersection(name for name, _ in values)
            offers.append(KeyOffer((cells,), facts, () if valued else values))
        return offers

    def _drawn(self, key: Key, smaller: Sequence[Shape], most: int, number: int) -> list[Shape]:
        assert key.kind.drawn is not None
        free = KeyOutline(self._free, self._outline.facts, self._outline.keys) if self._free else None
        drawn = key.kind.drawn.shapes(key, free, self._rng, smaller) if free else ()
        shapes = list(islice((shape for shape in drawn if len(shape[-1]) <= most), number))
        self._rng.shuffle(shapes)
        return shapes

    def _offers(self, key: Key, shapes: Iterable[Shape]) -> list[KeyOffer]:
        """Return the clues of shapes, fewer if they may have many values."""
        assert key.kind.drawn is not None
        offers: list[KeyOffer] = []
        facts = 0
        for shape in shapes:
            offers.append(key.kind.drawn.offer(key, self._outline, self._rng, shape, next(self._numbers)))
            facts += len(offers[-1].one_of)
            if facts > _MOST_VALUES_OF_LINES:
                break
        return offers

    def _turned(self, key: Key, offers: Sequence[KeyOffer]) -> list[KeyOffer]:
        """Return the clues that hold half a turn around the board from others, in either direction."""
        shapes = [turned_line(offer.shape, self._outline) for offer in offers]
        shapes += [tuple(cells[::-1] for cells in shape) for shape in shapes]
        return self._held(key, self._offers(key, shapes))[0]

    def _held(self, key: Key, offers: Sequence[KeyOffer]) -> tuple[list[KeyOffer], list[KeyOffer]]:
        """Return the offers that hold, each with one of its values that do, and the others."""
        search = self._search(key, offers)
        clues = {clue[0]: clue for clue in search.clues(search.only, self._rng)}
        facts = {fact: clue for clue in clues.values() for fact in clue}
        held: list[KeyOffer] = []
        others: list[KeyOffer] = []
        for offer in offers:
            clue = facts.get(symbol_from_plain(*offer.facts[0]))
            if clue is None:
                others.append(offer)
            else:
                values = [value for value in offer.one_of if symbol_from_plain(*value) in clue]
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


def is_line_of_layout(board: Instance, key: Key) -> bool:
    """Return whether the layout.lp of a variant chooses the facts of a key itself."""
    from pyasp_puzzles.asp import syntax

    program = syntax.statements(variant_layout_files(board.puzzle, key)) or ()
    return any(head.name == key.fact for head in syntax.head_atoms(program))


def line_offers_at(board: Instance, key: Key, rng: Random) -> list[KeyOffer]:
    """Return the clues of a key at all of its places, each with all values that it may have."""
    assert key.kind.drawn is not None
    outline, drawn = board.outline, key.kind.drawn
    shapes = sorted(drawn.shapes(key, outline, rng, ()))
    return [drawn.offer(key, outline, rng, shape, i) for i, shape in enumerate(shapes, 1)]


def turned_line(shape: Shape, outline: KeyOutline) -> Shape:
    """Return the cells half a turn around the board."""
    height, width = outline.rows + 1, outline.columns + 1
    return tuple(tuple((height - r, width - c) for r, c in cells) for cells in shape)


def places_of_line(key: Key, shape: Shape, wish: Wish) -> Iterator[object]:
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


def is_on_sides(key: Key, clue: Clue, shape: Shape, sides: Sequence[str]) -> bool:
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


def _plain(fact: Symbol) -> tuple[str, Arguments]:
    return fact.name, symbol_arguments(fact)


def line_offers_of(board: Instance, keys: Sequence[Key]) -> list[KeyOffer]:
    """Return the clues of several facts that a board has, as what it may have."""
    drawn = [key for key in keys if key.kind.drawn]
    clues = clues_of_board(board, drawn)
    return [KeyOffer((), tuple(map(_plain, clue))) for clue in clues]


def with_lines_numbered(board: Instance) -> Instance:
    """Return a board as its file would be read: lines numbered in order, and no variants without a clue."""
    if not board.puzzle.variants:
        return board
    keys = {
        name: value for name, value in keys_of_board(board).items() if name not in {"puzzle", "solution", "variants"}
    }
    variants = variants_of(board.puzzle)
    keys["variants"] = [name for name in board.variants if not variants[name].keys] or None
    read = board_of(board.puzzle.name, puzzles=folders_of_variants(board.puzzle), **keys)
    return board._replace(puzzle=read.puzzle, facts=read.facts, variants=read.variants)


# -- Choosing clues that leave an answer as the only one -----------------------------------------------------------

# Choices that are tried for an answer, and other answers that are looked for at a time.
_MOST_ROUNDS = 25
_OTHERS = 4
# If it is open after so many conflicts whether a choice leaves one answer, so many more clues are chosen. The third
# number is the limit for a choice of all clues.
_MOST_CONFLICTS, _MORE, _MOST_CONFLICTS_OF_ALL = 5_000, 2, 20_000
# If no other answer is found after so many conflicts, the next search loads the consequences of the rules.
_MOST_CONFLICTS_OF_JUDGE = 4000
# Shares of the other clues that an answer may break. With few of them, it takes 100 conflicts, and not 8000.
_SHARES = (0, 0.2, 0.5, 0.7, 0.8, 0.9, 0.95, 1)
# If no answer is found after so many conflicts, it may break more clues. Then so many failed attempts are made to find
# one that breaks fewer.
_MOST_CONFLICTS_OF_UNIT = 500
_MOST_VAIN = 3
# Longer lines are preferred; up to so many cells are added to a length at random.
_CHANCE = 2
# How much more lines of the given board, and units of the last choice, count than others.
_KNOWN = 100
# Each answer that must be ruled out adds this, divided by their number, to the worth of the lines that rule it out.
_BUMP = 4


class Selection:
    """The choices from a pool of clues that hold for an answer.

    Args:
        program: a search that has all clues of the pool.
        answer: the answer.
        pool: the clues, in units.
        shapes: {fact of a clue that is drawn: its cells}.
        known: shapes that are taken before others.
        wish: how many clues of each key there are to be, and how they are to lie.
        rng: chooses among them.
        settings: the rules and the time limit.
    """

    def __init__(
        self,
        program: ClueSearch,
        answer: AnswerLiterals,
        pool: Sequence[Unit],
        shapes: Mapping[Symbol, Shape],
        known: Collection[Shape],
        *,
        wish: Wish,
        rng: Random,
        settings: Settings,
    ) -> None:
        self._program, self._answer, self._pool = program, answer, pool
        self._shapes, self._wish, self._rng, self._settings = shapes, wish, rng, settings
        self._key = [program.key_of(unit[0]) for unit in pool]
        # How much each unit is preferred: as its lines are long or known, and as it rules out other answers.
        self._worth = [self._length(unit, known) + _CHANCE * rng.random() for unit in pool]
        self._places = [frozenset(self._taken(unit)) for unit in pool]
        self._search = self._made(strict=True)
        self._decisions = Decisions(self._search)
        self._last: set[int] = set()
        # The units that other answers break, as far as is known.
        self._known: list[set[int]] = []
        self._prepare()
        # Whether the program with all clues finds other answers soon; not if an answer may break a clue but no rule.
        self._judging = self.judges = all(self._broken.values())

    def units(self) -> tuple[list[Unit], str]:
        """Return clues, and why they do not leave the answer as the only one; empty if they do.

        Raises:
            OutOfTime: time ran out.
        """
        chosen = self._chosen()
        if chosen is None:  # there is no room for so many
            self._search = self._made(strict=False)
            self._decisions = Decisions(self._search)
            why = "no choice of them covers the board" if self._wish.cover else "there is no room for so many"
            return [self._pool[i] for i in self._chosen() or ()], why
        for _ in range(_MOST_ROUNDS):
            wrong = self._wrong_units(chosen)
            if not wrong:
                return [self._pool[i] for i in chosen], ""
            if not all(wrong):
                return [self._pool[i] for i in chosen], "all clues that hold leave another answer"
            for units in wrong:
                self._require(units)
            better = self._chosen()
            if better is None:
                return [self._pool[i] for i in chosen], "there is no room for the clues that leave one answer"
            chosen = better
        return [self._pool[i] for i in chosen], "each choice of clues that was tried left another answer"

    def _wrong_units(self, chosen: Sequence[int]) -> list[set[int]]:
        """Return the units that other answers of a choice break, as few as can be; nothing if it leaves one answer."""
        wrong_units: list[set[int]] = []
        for _ in range(_OTHERS if self._judging else 0):
            wrong = self._near(chosen)
            if wrong is None:
                break
            wrong_units.append(wrong)
            if not wrong:
                break
        if wrong_units or (self._judging and self._judge.exhausted):
            return wrong_units
        wrong_units = self._proven(chosen)
        self._judging = not wrong_units
        return wrong_units

    def _near(self, kept: Sequence[int]) -> set[int] | None:
        """Return the units that some other answer with the kept units breaks, as few as is soon found.

        None if there is no such answer, or none was found; then the search is not exhausted.
        """
        rest = [i for i in range(len(self._pool)) if i not in {*kept}]
        broken: list[set[int]] = []
        for free in sorted({int(share * len(rest)) for share in _SHARES}):
            self._rng.shuffle(rest)
            most = _MOST_CONFLICTS_OF_JUDGE if free == len(rest) else _MOST_CONFLICTS_OF_UNIT
            broken = self._breaking(rest[:free], most)
            if broken:
                break
        if not broken:
            return None
        best, vain = broken[0], 0
        while vain < _MOST_VAIN and len(best) > 1:
            fewer = self._rng.sample(sorted(best), len(best) - max(1, len(best) >> (vain + 1)))
            broken = self._breaking(fewer, _MOST_CONFLICTS_OF_UNIT)
            best, vain = (broken[0], 0) if broken else (best, vain + 1)
        self._known.append(best)
        return best

    def _breaking(self, free: Collection[int], most: int) -> list[set[int]]:
        """Return the units that another answer breaks, only free ones, if one is found soon."""
        held = [-literal for i in range(len(self._pool)) if i not in free for literal in self._broken[i]]
        return self._asked([self._other, *held], most)

    def _asked(self, literals: Sequence[int], most: int | None = None) -> list[set[int]]:
        return self._judge.find(literals, 1, self._broken_in, most=most)

    def _broken_in(self, model: Model) -> set[int]:
        """Return the units that the answer of a model breaks."""
        return {i for i, literals in self._broken.items() if any(map(model.is_true, literals))}

    def needs(self, unit: Unit, units: Sequence[Unit]) -> bool:
        """Return whether another answer is known that breaks one of some units, and none of the others."""
        rest = [self._pool.index(other) for other in units if other is not unit]
        i = self._pool.index(unit)
        return any(i in wrong and wrong.isdisjoint(rest) for wrong in self._known)

    def _proven(self, chosen: Sequence[int]) -> list[set[int]]:
        """Return what `_wrong_units` does, by a search that loads the consequences of the rules."""
        board = with_clues(self._program.board, [clue for i in chosen for clue in self._pool[i]], self._program.keys)
        atoms = self._program.atoms(self._answer)
        rest = [i for i in range(len(self._pool)) if i not in {*chosen}]
        most = _MOST_CONFLICTS if rest else _MOST_CONFLICTS_OF_ALL
        others, complete = other_answers(board, atoms, self._settings, _OTHERS, most)
        if complete and not others:
            return []
        # While it is open whether there are others, more clues are chosen, with which this is easier to tell.
        self._rng.shuffle(rest)
        return [self._wrong(other) for other in others] or [set(rest[i::_MORE]) for i in range(_MORE)]

    def _wrong(self, other: Collection[Symbol]) -> set[int]:
        """Return the units that another answer breaks."""
        true = {*other}
        literals = [literal if atom in true else -literal for atom, literal in self._judged if literal]
        return next(iter(self._asked(literals)), set())

    def _prepare(self) -> None:
        """Make a program with all clues of the pool, in which an answer tells which rules are broken."""
        program = self._program
        board = with_clues(program.board, [clue for unit in self._pool for clue in unit], program.keys)
        given = program.view.shows + nearest_answers_first(program.atoms(self._answer))
        question = Question((*program.view.outputs, "broken/1"), ("broken",), given=given)
        self._judge = questions.ask(board, self._settings, question, options=SEARCH_ANEW)
        self._judge.check()
        # The atoms of answers in that program, with their literals.
        self._judged = self._judge.literals(program.view.signatures()).items()
        # {name and first arguments of a rule: the units with a clue that it is about}
        by_rule: dict[tuple[object, ...], list[int]] = {}
        for i, key in enumerate(self._key):
            for clue in self._pool[i]:
                place = clue[0].arguments[: key.kind.together or 2 * key.cells]
                by_rule.setdefault((key.rule, *place), []).append(i)
        # {unit: literals of its broken rules}
        self._broken: dict[int, list[int]] = {i: [] for i in range(len(self._pool))}
        ours = {key.rule for key in self._key}
        settled = []
        for atom, literal in self._judge.atoms("broken", 1).items():
            rule = atom.arguments[0]
            units = {i for n in (1, 2, 4) for i in by_rule.get((rule.name, *rule.arguments[:n]), ())}
            units = {i for i in units if self._says(i, rule)} or units
            for i in units:
                self._broken[i].append(literal)
            if not units and rule.name not in ours:
                settled.append(-literal)
        true = {*program.atoms(self._answer)}
        self._judge.settle(settled)
        self._other = self._judge.forbid([literal for atom, literal in self._judged if literal and atom in true])

    def _says(self, i: int, rule: Symbol) -> bool:
        """Return whether a fact of a unit has the arguments of a rule: this tells apart several clues at one place."""
        number = len(rule.arguments)
        return any(fact.arguments[:number] == rule.arguments for clue in self._pool[i] for fact in clue)

    def _require(self, units: Collection[int]) -> None:
        """Demand that one of some units is chosen."""
        with self._search.backend() as backend:
            backend.add_rule([], [-self._picks[i] for i in sorted(units)])
        for i in units:  # lines are good where few others would do, givens where they tell many answers apart
            self._worth[i] += 1 if self._key[i].kind.role == "answers" else _BUMP / len(units)

    def _chosen(self) -> list[int] | None:
        """Return the units of the best choice; None if there is none."""
        # As many clues as there is room for, those of the last choice first; of givens as few as possible.
        signs = [-1 if key.kind.role == "answers" else 1 for key in self._key]
        worth = [value + _KNOWN * (i in self._last) for i, value in enumerate(self._worth)]
        order = sorted(range(len(self._pool)), key=lambda i: (-signs[i], -signs[i] * worth[i]))
        groups = [[signs[i] * self._picks[i]] for i in order]
        chosen = self._decisions.first(
            self._search, groups, lambda model: [i for i in order if model.is_true(self._picks[i])]
        )[0]
        self._last = {*(chosen or ())}
        return chosen

    # -- The program ----------------------------------------------------------------------------------------

    def _made(self, *, strict: bool) -> Search:
        """Return the program of all choices, without least numbers if it is not strict."""
        keys = {key.name: i for i, key in enumerate(self._program.keys)}
        numbers: dict[object, int] = {}  # of places
        lines = []
        for i, unit in enumerate(self._pool):
            lines.append(f"unit({i},{keys[self._key[i].name]}). weight({i},{len(unit)}).")
            lines += [
                f"takes({i},{numbers.setdefault(place, len(numbers))})." for place in sorted(self._places[i], key=str)
            ]
        lines += [f"room({place})." for place in numbers.values()]
        if strict and self._wish.cover:
            lines += [
                f"covered({numbers.setdefault((tool, cell), len(numbers))})."
                for tool in {key.kind.tool for key in covering_keys(self._program.keys)}
                for cell in sorted(self._program.board.cells)
            ]
        for name, span in self._wish.spans(self._program.keys):
            lines += [f"least({keys[name]},{span.low})."] if strict else []
            lines += [f"most({keys[name]},{span.high})."] if isinstance(span.high, int) else []
        search = program_search([mode_path("selection")], "\n".join(lines), self._settings)
        search.check()
        picks = search.atoms("pick", 1)
        self._picks = {atom.arguments[0].number: literal for atom, literal in picks.items()}
        return search

    def _length(self, unit: Unit, preferred: Collection[Shape]) -> int:
        shapes = [shape for clue in unit if (shape := self._shapes.get(clue[0]))]
        return max((len(shape[-1]) + _KNOWN * (shape in preferred) for shape in shapes), default=0)

    def _taken(self, unit: Unit) -> Iterator[object]:
        """Yield the places that the lines of a unit take: lines of any key, cages of any key."""
        for clue in unit:
            key = self._program.key_of(clue)
            if key.kind.drawn is not None and key.kind.drawn.apart and self._wish.lines != "overlap":
                yield from places_of_line(key, self._shapes.get(clue[0], ()), self._wish)
