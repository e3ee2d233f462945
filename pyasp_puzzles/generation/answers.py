"""Random answers for new boards, chosen so that their clues exclude many other answers.

Long lines without values are drawn first, and an answer is found that keeps them: a random answer hardly ever has a
long thermometer. Where the places of clues are fixed, as outside the board, the clues of several answers are compared,
and an answer is sought that has rare ones at some places. Where random answers have weak clues, or take long to find, a
puzzle's `answer.lp` draws them; the rules in force decide whether they hold.
"""

from __future__ import annotations

from collections import Counter
from itertools import count
from typing import TYPE_CHECKING, TypeAlias

from pyasp_puzzles.asp.settings import NUMBER_OF_SEEDS
from pyasp_puzzles.asp.symbols import symbol_from_plain
from pyasp_puzzles.boards.grid import grouped
from pyasp_puzzles.generation import layouts
from pyasp_puzzles.generation.clue_search import ClueSearch
from pyasp_puzzles.generation.clues import clue_cells, clues_of_board, line_and_cage_keys
from pyasp_puzzles.generation.lines import (
    is_line_of_layout,
    is_on_sides,
    line_offers_at,
    line_sizes,
    places_of_line,
    turned_line,
)
from pyasp_puzzles.model.keys import Key, KeyOffer, KeyOutline, Shape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from random import Random

    from clingo import Symbol

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.generation.clue_search import AnswerLiterals
    from pyasp_puzzles.generation.clues import Wish
    from pyasp_puzzles.model.puzzle import Instance

# How many lines are drawn in a round, and the cells that each has at least, if there is room for so many.
_LINES, _SHORT = 300, 3
# Longer lines are tried first, by their cells and a random number up to this.
_CHANCE = 3
# How many rounds there are, and the conflicts after which the search for an answer with one more line is given up.
_ROUNDS, _MOST_CONFLICTS = 6, 1000
# Answers in which clues are counted, and the largest share of them that has a rare clue at a place like this. An answer
# is to have rare clues at so many places; the search ends after some that it does not find within these conflicts.
_ANSWERS, _RARE, _PLACES, _MOST_VAIN, _MOST_CONFLICTS_OF_RARE = 10, 0.03, 16, 4, 500
# With more ground rules, an answer with rare clues takes longer than it saves: x-sums have 1.3 million on 9x9.
_MOST_RULES = 500_000
# Values of clues that are compared, 91 at each of 36 places outside a 9x9 board: with more, it takes too long.
_MOST_VALUES = 4000

# A line, with the name of its key.
DrawnLine: TypeAlias = "tuple[str, KeyOffer]"
# Returns the search for the answers that have some of the offered clues of some keys, with further constraints.
Searching: TypeAlias = "Callable[[Sequence[Key], Sequence[KeyOffer], Sequence[str]], ClueSearch]"


def random_answer(
    board: Instance,
    wish: Wish,
    keys: Sequence[Key],
    rng: Random,
    search: Searching,
    *,
    settings: Settings,
    listed: bool,
) -> tuple[list[Symbol] | None, dict[str, list[Shape]]]:
    """Return the atoms of a random answer, None if there is none, and {name of a key: lines that were drawn for it}.

    Args:
        board: a board of the layout.
        wish: how many clues of each key there are to be, and how they are to lie.
        keys: those of the clues.
        rng: draws the answer.
        search: grounds the boards of the layout.
        settings: the rules and the time limit.
        listed: whether all answers of a small board are listed, because more boards of its layout are made.

    Raises:
        OutOfTime: time ran out.
    """
    answer: AnswerLiterals | None
    drawn: Sequence[DrawnLine] = ()
    if (held := _lines_that_hold(board, wish, keys, rng, search)) is not None:
        program, answer, drawn = held
    else:
        program = search([key for key in keys if not key.kind.drawn], (), ())
        answer = _drawn_by_file(program, settings, rng)
        if answer is None:
            answer = program.random_answer(rng, listed=listed)
        placed = [key for key in keys if _placed(board, key)]
        if answer is not None and placed and wish.givens is not None:
            answer = _telling(board, wish, placed, rng, program=program, search=search)
    return None if answer is None else program.atoms(answer), grouped((name, offer.shape) for name, offer in drawn)


def _drawn_by_file(program: ClueSearch, settings: Settings, rng: Random) -> AnswerLiterals | None:
    """Return an answer that the puzzle's `answer.lp` draws; None if there is no such file, or the rules forbid it."""
    files = program.puzzle.companions("answer")
    if not files:
        return None
    alone = "without_rules" in layouts.statements(files)
    if alone and program.board.variants:
        return None
    settings = settings._replace(seed=rng.randrange(NUMBER_OF_SEEDS))
    used = settings._replace(encoding=files[-1]) if alone else settings
    drawing = ClueSearch(program.board, used, program.keys, possible=(), more=() if alone else files)
    drawn = drawing.another(())
    atoms = [] if drawn is None else drawing.atoms(drawn)
    if not atoms or not program.outputs.keys() >= {*atoms}:
        return None
    answer = program.literals(atoms)
    return answer if program.refute(program.holding(answer)) is None else None


def _lines_that_hold(
    board: Instance, wish: Wish, keys: Sequence[Key], rng: Random, search: Searching
) -> tuple[ClueSearch, AnswerLiterals, list[DrawnLine]] | None:
    """Return a random answer and lines that it keeps; None if no lines are wanted, or there is no answer.

    Lines are drawn where there is room, and the long ones are tried first. Each is kept if it rules something out, and
    an answer with all lines so far is soon found. The next round draws in the room that is left.
    """
    drawn = [key for key in keys if _is_line(board, key)]
    numbers = count(1)
    kept: list[Sequence[DrawnLine]] = []
    last: tuple[ClueSearch, AnswerLiterals] | None = None
    for _ in range(_ROUNDS if drawn else 0):
        room = _Room(board, wish, drawn, kept)
        new = room.lines(rng, numbers)
        worth = [len(lines[0][1].shape[-1]) + _CHANCE * rng.random() for lines in new]
        new = [new[i] for i in sorted(range(len(new)), key=lambda i: -worth[i]) if room.take(new[i])]
        if not new:
            break
        program = search(keys, [offer for lines in (*kept, *new) for _, offer in lines], ())
        answer = program.random_answer(rng) if last is None else program.literals(last[0].atoms(last[1]))
        if answer is None:
            return None
        held = program.assertion(_facts(kept))
        for lines in new:
            literals = program.assertion(_facts([lines]))
            if program.refute([*program.holding(answer), *held, *literals]) is None:
                continue  # it rules out nothing, as far as is known
            other = program.another([*held, *literals], _MOST_CONFLICTS)
            if other is None:
                continue
            answer = other
            held += literals
            kept.append(lines)
        last = program, answer
    return None if last is None else (*last, [line for lines in kept for line in lines])


def _facts(kept: Iterable[Sequence[DrawnLine]]) -> list[Symbol]:
    return [symbol_from_plain(*offer.facts[0]) for lines in kept for _, offer in lines]


def _is_line(board: Instance, key: Key) -> bool:
    """Return whether the lines of a key have no values, and the board has none of them yet."""
    if not key.kind.drawn or not key.kind.drawn.apart or is_line_of_layout(board, key) or any(board.facts.of(key.fact)):
        return False
    return not (key.option("value") and key.option("values", key))


class _Room:
    """The room that is left on a board for lines of some keys."""

    def __init__(self, board: Instance, wish: Wish, keys: Sequence[Key], there: Iterable[Sequence[DrawnLine]]) -> None:
        self._outline, self._wish = board.outline, wish
        self._keys = {key.name: key for key in keys}
        self._spans = dict(wish.spans(keys))
        self._left = {name: span.high for name, span in self._spans.items() if isinstance(span.high, int)}
        kinds = line_and_cage_keys(board.puzzle.keys)
        drawn = [
            (key, (tuple(clue_cells(key, sorted(clue))),)) for key in kinds for clue in clues_of_board(board, [key])
        ]
        self._taken = {place for key, shape in drawn for place in places_of_line(key, shape, wish)}
        for lines in there:
            self.take(lines)

    def take(self, lines: Sequence[DrawnLine]) -> bool:
        """Take the places of lines, and return whether there is room for them."""
        name = lines[0][0]
        each = [{*places_of_line(self._keys[name], offer.shape, self._wish)} for _, offer in lines]
        every: set[object] = set().union(*each)
        over = self._wish.lines != "overlap" and (self._taken & every or len(every) < sum(map(len, each)))
        if over or self._left.get(name, len(lines)) < len(lines):
            return False
        self._taken |= every
        if name in self._left:
            self._left[name] -= len(lines)
        return True

    def lines(self, rng: Random, numbers: Iterator[int]) -> list[list[DrawnLine]]:
        """Return random lines where there is room for each; with symmetry, in pairs."""
        whole, drawn = self._outline, []
        taken = self._taken if self._wish.lines != "overlap" else ()
        for name, key in self._keys.items():
            assert key.kind.drawn is not None
            sizes = line_sizes(key)
            share = len(whole.cells) // max(1, self._spans[name].low if name in self._spans else 1)
            longest = min(sizes.largest(whole)((0, 0)), max(_SHORT, share))
            cells = [cell for cell in whole.cells if (key.kind.tool, cell) not in taken]
            for _ in range(_LINES // len(self._keys) if cells else 0):
                most = rng.randint(min(_SHORT, longest), longest)
                shape = _line(key, KeyOutline(cells, whole.facts, whole.keys), rng, most)
                if len(shape[-1]) >= sizes.low:
                    both = [shape, *([turned_line(shape, whole)] if self._wish.symmetric else [])]
                    drawn.append(
                        [(name, key.kind.drawn.offer(key, whole, rng, place, next(numbers))) for place in both]
                    )
        return drawn


def _line(key: Key, outline: KeyOutline, rng: Random, most: int) -> Shape:
    """Return a random line of a key, of so many cells if there is room."""
    assert key.kind.drawn is not None
    line: Shape = ((),)
    while len(line[-1]) < most:
        longer = next(key.kind.drawn.shapes(key, outline, rng, [line] if line[-1] else []), None)
        if longer is None:
            break
        line = longer
    return line


def _placed(board: Instance, key: Key) -> bool:
    """Return whether the clues of a key have fixed places, whatever the answer, and are no numbers of it."""
    placed = key.kind.possible if key.kind.drawn is None else not key.kind.drawn.apart
    return bool(placed) and key.kind.role != "answers" and not is_line_of_layout(board, key)


def _telling(
    board: Instance, wish: Wish, keys: Sequence[Key], rng: Random, *, program: ClueSearch, search: Searching
) -> AnswerLiterals | None:
    """Return a random answer whose clues of some keys leave few others; None if the layout has no answer.

    At many places it has clues that are rare in other answers, there or at other places with as many cells.
    """
    offers = [offer for key in keys if key.kind.drawn for offer in line_offers_at(board, key, rng)]
    answer = program.random_answer(rng)
    if answer is None or sum(len(offer.one_of) for offer in offers) > _MOST_VALUES:
        return answer
    # A grounding of its own: what is found within some conflicts depends on what was asked before.
    judge = search(keys, offers, (":- #false.",))
    shapes = {symbol_from_plain(*fact): offer.shape for offer in offers for fact in (*offer.facts, *offer.one_of)}

    def value(clue: Symbol) -> object:
        return clue.name, sum(map(len, shapes.get(clue, ()))), clue.arguments[-1]

    every = [judge.clues_in(judge.literals(program.atoms(answer)))]
    if judge.search.statistics().get("rules", 0) > _MOST_RULES:
        return answer
    others = filter(None, (program.random_answer(rng) for _ in range(_ANSWERS - 1)))
    every += [judge.clues_in(judge.literals(program.atoms(other))) for other in others]
    seen = Counter(value(clue) for clues in every for clue in clues)
    there = Counter(map(value, judge.chosen))
    rare: dict[object, list[int]] = {}
    for clue, literal in judge.chosen.items():
        here = is_on_sides(judge.key_of((clue,)), (clue,), shapes.get(clue, ()), wish.sides)
        if here and seen[value(clue)] <= _RARE * len(every) * there[value(clue)]:
            rare.setdefault((clue.name, *clue.arguments[:-1]), []).append(-literal)
    answer_so_far, held, vain = judge.literals(program.atoms(answer)), [], 0
    for place in rng.sample([*rare], len(rare)):
        held.append(judge.search.forbid(rare[place]))
        other = judge.another(held, _MOST_CONFLICTS_OF_RARE)
        if other is None:
            held.pop()
            vain += 1
        answer_so_far = other or answer_so_far
        if vain == _MOST_VAIN or len(held) == _PLACES:
            break
    return program.literals(judge.atoms(answer_so_far))
