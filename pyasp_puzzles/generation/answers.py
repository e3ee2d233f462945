"""Random answers for new boards on which clues say much.

Long lines come first, if they have no values: an answer is found that keeps them, as a random answer hardly has a long
thermometer. Where the places of clues are fixed, as outside the board, the clues of several answers are compared, and
the answer with the rarest ones is taken.
"""

from __future__ import annotations

from collections import Counter
from itertools import count
from math import log
from typing import TYPE_CHECKING, TypeAlias

from pyasp_puzzles.asp.symbols import from_plain
from pyasp_puzzles.boards.grid import grouped
from pyasp_puzzles.generation.clues import gathered
from pyasp_puzzles.generation.lines import is_chosen, offers_at, on_sides, places, turned

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from random import Random

    from clingo import Symbol

    from pyasp_puzzles.generation.clue_search import AnswerLiterals, ClueSearch
    from pyasp_puzzles.model.generated import Wish
    from pyasp_puzzles.model.keys import Key, Offer, Outline, Shape
    from pyasp_puzzles.model.puzzle import Instance

# Lines that are drawn, some of which the answer keeps; and how much longer one may seem by chance.
LINES = 120
CHANCE = 3
# Conflicts after which an answer is looked for that need not keep the second half of the lines.
MOST_CONFLICTS = 5000
# Answers in which clues are counted; attempts to find an answer with rarer clues than the best one, the share of its
# numbers that each keeps, the clues that it is to have, and the conflicts after which it is given up.
ANSWERS, MOST_VAIN, KEPT, MOST_RARE, MOST_CONFLICTS_OF_RARE = 3, 5, (0.1, 0.5), 100, 500
# Values of clues that are compared: where there are more, each says much.
MOST_VALUES = 1000

# A line, with the name of its key.
DrawnLine: TypeAlias = "tuple[str, Offer]"
# Returns the search for the answers that have some of the offered clues of some keys, with further constraints.
Searching: TypeAlias = "Callable[[Sequence[Key], Sequence[Offer], Sequence[str]], ClueSearch]"


def random_answer(
    board: Instance,
    wish: Wish,
    keys: Sequence[Key],
    rng: Random,
    search: Searching,
    *,
    listed: bool,
) -> tuple[list[Symbol] | None, dict[str, list[Shape]]]:
    """Return the atoms of a random answer, None if there is none, and {name of a key: lines that were drawn for it}.

    Args:
        board: a board of the layout.
        wish: how many clues of each key there are to be, and how they are to lie.
        keys: those of the clues.
        rng: draws the answer.
        search: grounds the boards of the layout.
        listed: whether all answers of a small board are listed, because more boards of its layout are made.

    Raises:
        OutOfTime: time ran out.
    """
    answer: AnswerLiterals | None
    drawn: Sequence[DrawnLine] = ()
    if (found := _lines_that_hold(board, wish, keys, rng, search)) is not None:
        program, answer, drawn = found
    else:
        program = search([key for key in keys if not key.kind.drawn], (), ())
        answer = program.random_answer(rng, listed=listed)
        placed = [key for key in keys if _placed(board, key)]
        if answer is not None and placed and wish.givens is not None:
            answer = _telling(board, wish, placed, rng, program=program, search=search)
    return None if answer is None else program.atoms(answer), grouped((name, offer.shape) for name, offer in drawn)


def _lines_that_hold(
    board: Instance, wish: Wish, keys: Sequence[Key], rng: Random, search: Searching
) -> tuple[ClueSearch, AnswerLiterals, list[DrawnLine]] | None:
    """Return a random answer and lines that it keeps, long ones first; None if no lines are wanted."""
    lines = long_lines(board, wish, keys, rng)
    while lines:
        drawn = [key for key in keys if not key.kind.drawn or any(name == key.name for name, _ in lines)]
        program = search(drawn, [offer for _, offer in lines], _room(lines, wish, drawn))
        first = [from_plain(*offer.facts[0]) for _, offer in lines]
        found = program.answer_with(program.assertion(first), rng, MOST_CONFLICTS)
        if found is not None:
            answer = found[0]
            return program, answer, [line for line in lines if program.allows(answer, from_plain(*line[1].facts[0]))]
        lines = lines[: len(lines) // 2]
    return None


def _room(lines: Sequence[DrawnLine], wish: Wish, keys: Sequence[Key]) -> list[str]:
    """Return constraints by which lines share no place, and are not too many."""
    by_name = {key.name: key for key in keys}
    groups = grouped(
        (place, str(from_plain(*offer.facts[0])))
        for name, offer in (lines if wish.lines != "overlap" else ())
        for place in {*places(by_name[name], offer.shape, wish)}
    )
    found = [f":- {{ {'; '.join(one)} }} > 1." for one in groups.values() if len(one) > 1]
    for name, span in wish.spans(keys):
        facts = [str(from_plain(*offer.facts[0])) for one, offer in lines if one == name]
        found += [f":- {{ {'; '.join(facts)} }} > {span.high}."] if facts and isinstance(span.high, int) else []
    return found


def _placed(board: Instance, key: Key) -> bool:
    """Return whether the places of a key's clues do not depend on the answer, and its clues are no numbers of it."""
    placed = key.kind.possible if key.kind.drawn is None else not key.kind.drawn.apart
    return bool(placed) and key.kind.role != "answers" and not is_chosen(board, key)


def _telling(
    board: Instance, wish: Wish, keys: Sequence[Key], rng: Random, *, program: ClueSearch, search: Searching
) -> AnswerLiterals | None:
    """Return a random answer whose clues of some keys leave few others; None if the layout has no answer.

    It has clues that other answers seldom have: some of its numbers are drawn anew, with such clues, while they get
    rarer.
    """
    offers = [offer for key in keys if key.kind.drawn for offer in offers_at(board, key, rng)]
    if sum(len(offer.one_of) for offer in offers) > MOST_VALUES:
        return program.random_answer(rng)
    # A grounding of its own: what is found within some conflicts depends on what was asked before.
    judge = search(keys, offers, (":- #false.",))
    shapes = {from_plain(*one): offer.shape for offer in offers for one in (*offer.facts, *offer.one_of)}

    def drawn(first: Sequence[int], most: int) -> Iterator[tuple[AnswerLiterals, list[Symbol]]]:
        if (found := judge.answer_with(first, rng, most)) is not None:
            clues = [clue for key in keys for clue in gathered(key, found[1])]
            here = (clue for clue in clues if on_sides(judge.key_of(clue), clue, shapes.get(clue[0], ()), wish.sides))
            yield found[0], [one for clue in here for one in clue]

    answers = [answer for _ in range(ANSWERS) if (answer := program.random_answer(rng)) is not None]
    literals = [sorted(judge.literals(program.atoms(answer))) for answer in answers]
    known = [one for first in literals for one in drawn(first, MOST_CONFLICTS)]
    seen = Counter(_value(one) for _, facts in known for one in facts)
    there = Counter(map(_value, judge.chosen))
    share = {one: seen[one] / (len(known) * there[one]) for one in seen}
    rarity = {one: -log(share[_value(one)]) for one in judge.chosen if 0 < share.get(_value(one), 0) < 1}
    best: Sequence[int] = ()
    rarest, vain = 0.0, 0
    while vain < MOST_VAIN:
        vain += 1
        for answer, facts in known:
            rare = sum(rarity.get(one, 0) for one in facts)
            if rare > rarest:
                best, rarest, vain = sorted(answer), rare, 0
        worth = {one: rare + CHANCE * rng.random() for one, rare in rarity.items()}
        first = judge.assertion(sorted(worth, key=lambda one: -worth[one])[:MOST_RARE])
        kept = rng.uniform(*KEPT)
        known = [*drawn([*(one for one in best if rng.random() < kept), *first], MOST_CONFLICTS_OF_RARE)]
    return program.literals(judge.atoms(frozenset(best))) if best else next(iter(answers), None)


def _value(clue: Symbol) -> object:
    return clue.name, clue.arguments[-1]


def long_lines(board: Instance, wish: Wish, keys: Sequence[Key], rng: Random) -> list[DrawnLine]:
    """Return random lines of keys whose lines have no values, long ones first; they may lie over each other."""
    outline, numbers = board.outline, count(1)
    keys = [
        key
        for key in keys
        if key.kind.drawn and key.kind.drawn.apart and not is_chosen(board, key) and not any(board.facts.of(key.fact))
        if not (key.option("value") and key.option("values", key))
    ]
    found: list[tuple[float, DrawnLine]] = []
    for key in keys * (LINES // max(1, len(keys))):
        assert key.kind.drawn is not None
        shape = _line(key, outline, rng)
        if len(shape[-1]) >= key.option("cells", key.kind.drawn.sizes).low:
            both = [shape, *([turned(shape, outline)] if wish.symmetric else [])]
            worth = len(shape[-1]) + CHANCE * rng.random()
            found += [(-worth, (key.name, key.kind.drawn.offer(key, outline, rng, one, next(numbers)))) for one in both]
    return [line for _, line in sorted(found, key=lambda one: one[0])]


def _line(key: Key, outline: Outline, rng: Random) -> Shape:
    """Return a random line of a key, of at least half of its greatest length if there is room."""
    assert key.kind.drawn is not None
    sizes = key.option("cells", key.kind.drawn.sizes)
    longest = sizes.largest(outline)((0, 0))
    longest = rng.randint((sizes.low + longest + 1) // 2, max(sizes.low, longest))
    line: Shape = ((),)
    while len(line[-1]) < longest:
        longer = next(key.kind.drawn.shapes(key, outline, rng, [line] if line[-1] else []), None)
        if longer is None:
            break
        line = longer
    return line
