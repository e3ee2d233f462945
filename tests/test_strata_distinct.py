"""Strata's meanings of "different": lattices, plays, orders and looks, and how many there are of each."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice, pairwise, permutations, product
from math import factorial
from typing import Any

import pytest
from clingo import Control
from hypothesis import assume, given

from pyasp_puzzles import Instance, Settings, count, load, solutions

from . import plain, rules, strategies
from .helpers import SHIPPED as SHIPPED_NAMES
from .helpers import encoding, one
from .plain import exact_count
from .rules import Lattice, Line
from .strategies import StrataBoard, examples, rectangle

Play = tuple[tuple[str, int, str | None], ...]
Look = tuple[tuple[str | None, ...], ...]

# Source: the poly-Bernoulli numbers of negative index, OEIS A099594.
#
# They count the acyclic orientations of the complete bipartite graph K(m, n): the lattices of a blank board. They also
# count the 0-1 matrices of m x n that their row and column sums determine: the pictures that two colors make on it
# (C. Brewbaker, "A combinatorial interpretation of the poly-Bernoulli numbers and two Fermat analogues", 2008).
POLY_BERNOULLI = {(1, 1): 2, (2, 2): 14, (2, 3): 46, (3, 3): 230, (4, 4): 6902}
# With an encoding of the user's, were it ours, plays are found by search.
LISTED = Settings(encoding=encoding("strata"))
# The color of ribbons where none is named.
NAMELESS = "any"
# Boards are gone through play by play if they have no more.
MOST_PLAYS = 5000


def board(rows: int, columns: int, palette: str, tiles: str = "") -> Instance:
    """Return a board with a palette; its tiles row by row, blank if there are none."""
    cells = dict(zip(rectangle(rows, columns), tiles, strict=False))
    text = strategies.strata(rows, columns, cells, palette=list(palette)).text
    return one(text)


FULL = board(2, 2, "a", "aaaa")
SHIPPED = [instance for name in SHIPPED_NAMES if name.startswith("strata/") for instance in load(name)]
SMALL = [instance for instance in SHIPPED if 0 < count(instance, distinct="plays").number <= MOST_PLAYS]


def name_of(instance: Instance) -> str:
    """Return a name for a board."""
    return f"{instance.title or instance.collection}-{instance.number}"


@cache
def palette(instance: Instance) -> list[str]:
    """Return the colors that a ribbon may have."""
    return plain.palette(instance) or sorted(set(plain.labels(instance, "tile").values())) or [NAMELESS]


def plays(instance: Instance, limit: int = 0) -> set[Play]:
    """Return the plays of an instance; none comes twice."""
    found = [tuple(plain.laying(answer.json())) for answer in solutions(instance, limit, distinct="plays")]
    assert len(set(found)) == len(found)
    return set(found)


def looks(instance: Instance) -> set[Look]:
    """Return the looks of an instance; none comes twice."""
    grids: list[Any] = [answer.json()["grid"] for answer in solutions(instance, distinct="looks")]
    found = [tuple(map(tuple, grid)) for grid in grids]
    assert len(set(found)) == len(found)
    return set(found)


def picture_of(instance: Instance, play: Play) -> Look:
    """Return what shows when the ribbons of a play are laid."""
    rows, columns = plain.size(instance)
    shown = rules.picture(rows, columns, play)
    return tuple(tuple(shown[r, c] for c in range(1, columns + 1)) for r in range(1, rows + 1))


def is_play(instance: Instance, play: Play) -> bool:
    """Return whether a play is one, in plain Python: each ribbon has a color, and all tiles show theirs."""
    tiles = plain.labels(instance, "tile")
    colored = {color for _, _, color in play} <= set(palette(instance))
    return colored and rules.strata_broken(*plain.size(instance), tiles, list(play)) == []


def all_plays(instance: Instance) -> Iterator[Play]:
    """Yield every play, by trying every order of the lines and every color for each of them."""
    for order in permutations(rules.lines(*plain.size(instance))):
        for colors in product(palette(instance), repeat=len(order)):
            play = tuple((name, index, color) for (name, index), color in zip(order, colors, strict=True))
            if is_play(instance, play):
                yield play


def extensions(lines: Sequence[Line], lattice: Lattice) -> int:
    """Return in how many orders the lines of a lattice can be laid."""

    @cache
    def orders(left: frozenset[Line]) -> int:
        top = [line for line in left if not any(lower == line and upper in left for upper, lower in lattice.over)]
        return sum(orders(left - {line}) for line in top) if left else 1

    return orders(frozenset(lines))


def plays_of_lattices(instance: Instance) -> int:
    """Return how many plays the lattices have: each in all its orders, its free ribbons in all colors."""
    lines, colors = rules.lines(*plain.size(instance)), len(palette(instance))
    lattices: Any = [plain.identity(answer.json()) for answer in solutions(instance, distinct="lattices")]
    return sum(extensions(lines, lattice) * colors ** (len(lines) - len(lattice.colors)) for lattice in lattices)


# -- Known counts -----------------------------------------------------------------


@pytest.mark.parametrize(("rows", "columns"), POLY_BERNOULLI)
def test_blank_boards_have_the_published_counts(rows: int, columns: int) -> None:
    """A blank board has as many lattices as K(m, n) has acyclic orientations, and one look in one color.

    In two colors, it has as many looks as there are matrices that their sums determine.
    """
    known, single, two = POLY_BERNOULLI[rows, columns], board(rows, columns, "a"), board(rows, columns, "ab")
    assert exact_count(count(single, distinct="lattices")) == (known, True)
    assert exact_count(count(board(columns, rows, "ab"))) == (known, True)
    assert exact_count(count(single, distinct="looks")) == (1, True)
    assert exact_count(count(two, distinct="looks")) == (known, True)


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 4), (4, 1), (3, 3), (5, 5), (1, 19), (19, 1), (10, 10)])
@pytest.mark.parametrize("colors", ["a", "abc", "abcdef"])
def test_blank_plays_are_counted_at_once(rows: int, columns: int, colors: str) -> None:
    """A blank board of up to 20 lines has (m+n)! plays for each way to color its ribbons, counted at once."""
    lines = rows + columns
    expected = factorial(lines) * len(colors) ** lines
    assert exact_count(count(board(rows, columns, colors), distinct="plays")) == (expected, True)


@pytest.mark.parametrize(("way", "number"), [("plays", 24), ("lattices", 14), ("orders", 1), ("looks", 1)])
def test_two_by_two_has_these_counts(way: str, number: int) -> None:
    """2x2 in one color, the only one of its palette: 24 plays, 14 lattices, 1 order, 1 look. Chequered: none of all."""
    assert exact_count(count(FULL, distinct=way)) == (number, True)
    chequered = board(2, 2, "ab", "abba")
    assert exact_count(count(chequered, distinct=way)) == (0, True)
    assert list(solutions(chequered, distinct=way)) == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize("side", [1, 2, 5, 6])
def test_ribbons_of_one_color_have_one_order(side: int) -> None:
    """By the seed, consecutive ribbons of one color can be laid in any order, whatever their direction."""
    assert exact_count(count(board(side, side, "a", "a" * side**2), distinct="orders")) == (1, True)
    assert exact_count(count(board(side, 6, "a"), distinct="orders")) == (1, True)


def test_limits_hold_for_both_ways_to_count() -> None:
    """A limit holds for a count without search and for one by search; more than 20 lines are counted by search."""
    for how in (Settings(), LISTED):
        assert exact_count(count(FULL, 10, how, "plays")) == (10, False)
        assert exact_count(count(FULL, 100, how, "plays")) == (24, True)
    assert exact_count(count(board(10, 11, "ab"), 1000, distinct="plays")) == (1000, False)


# -- Nothing missing, nothing twice -----------------------------------------------


@pytest.mark.parametrize("instance", SHIPPED, ids=name_of)
def test_plays_of_shipped_boards_are_counted_rightly(instance: Instance) -> None:
    """Plays counted by sets of lines are as many as the orders and colors of lattices, and as the encoding finds."""
    known = exact_count(count(instance, distinct="plays"))
    assert known == (plays_of_lattices(instance), True)
    if known[0] <= 20 * MOST_PLAYS:
        assert exact_count(count(instance, settings=LISTED, distinct="plays")) == known


@pytest.mark.slow
@examples(20)
@given(strategies.strata_boards())
def test_plays_of_random_boards_are_counted_rightly(board: StrataBoard) -> None:
    """The same on random boards."""
    test_plays_of_shipped_boards_are_counted_rightly(one(board.text))


@pytest.mark.slow
@examples(15)
@given(strategies.strata_boards())
def test_plays_and_looks_are_those_of_trying_all(board: StrataBoard) -> None:
    """Plays and looks are exactly those found by trying all orders and all colors."""
    instance, lines = one(board.text), board.rows + board.columns
    assume(factorial(lines) * len(palette(instance)) ** lines <= MOST_PLAYS // 2)
    expected = set(all_plays(instance))
    assert plays(instance) == expected
    assert looks(instance) == {picture_of(instance, play) for play in expected}


def classes(found: set[Play], hidden: Sequence[str] = ()) -> list[set[Play]]:
    """Return the classes of plays that swaps of consecutive ribbons make, if they are parallel or of one color.

    A ribbon that shows nowhere, as all lines across it are laid later, may also change its color to the `hidden` ones.
    """

    def near(play: Play) -> Iterator[Play]:
        for i, (lower, upper) in enumerate(pairwise(play)):
            if lower[0] == upper[0] or lower[2] == upper[2]:
                yield (*play[:i], upper, lower, *play[i + 2 :])
        for i, (name, index, _) in enumerate(play):
            if all(other[0] == name for other in play[:i]):
                yield from ((*play[:i], (name, index, color), *play[i + 1 :]) for color in hidden)

    left, made = set(found), []
    while left:
        reached, waiting = set[Play](), [left.pop()]
        while waiting:
            play = waiting.pop()
            reached.add(play)
            waiting += {other for other in near(play) if other in found} - reached
        left -= reached
        made.append(reached)
    return made


def check_orders(instance: Instance) -> None:
    """Check that there is one order for each class of plays, as the encoding finds, and plain clingo."""
    found = plays(instance)
    expected = classes(found)
    number = len(expected)
    orders = {tuple(plain.laying(answer.json())) for answer in solutions(instance, distinct="orders")}
    assert {sum(order in one for order in orders) for one in expected} <= {1}
    assert len(orders) == number
    assert exact_count(count(instance, distinct="orders")) == (number, True)
    assert exact_count(count(instance, settings=LISTED, distinct="orders")) == (number, True)
    control = Control(["--project=show", "0"])
    for name in ("strata", "paint", "orders"):
        control.load(str(encoding("strata").with_name(f"{name}.lp")))
    control.add(instance.facts.program())
    control.ground()
    told: set[tuple[str, ...]] = set()
    with control.solve(yield_=True) as models:
        for model in models:
            shown = (str(atom) for atom in model.symbols(shown=True) if atom.name in {"above", "paint"})
            told.add(tuple(sorted(shown)))
    assert len(told) == number
    assert len(classes(found, palette(instance))) == len(looks(instance))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("instance", SMALL, ids=name_of)
def test_orders_of_shipped_boards_are_those_that_swaps_leave(instance: Instance) -> None:
    """Orders are the classes of plays under swaps; with hidden ribbons in any color, the looks are."""
    check_orders(instance)


@pytest.mark.slow
@examples(25)
@given(strategies.strata_boards())
def test_orders_of_random_boards_are_those_that_swaps_leave(board: StrataBoard) -> None:
    """The same on random boards, which have blank cells, free ribbons, and colors that are only in the palette."""
    instance = one(board.text)
    assume(count(instance, distinct="plays").number <= MOST_PLAYS // 4)
    check_orders(instance)


@pytest.mark.parametrize(
    ("facts", "colors"),
    [
        ("row(1). row(2). col(1).", {NAMELESS}),
        ("row(1). row(2). col(1). tile(1, 1, red). tile(2, 1, blue).", {"red", "blue"}),
        ('row(1). row(2). col(1). tile(1, 1, "red"). color("red"). color("green").', {"red", "green"}),
    ],
)
def test_free_ribbons_take_colors_of_the_palette(facts: str, colors: set[str]) -> None:
    """Free ribbons take the colors of the palette, or else of the board, or else one that has no name."""
    instance = one(facts, "board.lp")
    found = plays(instance)
    assert {color for play in found for _, _, color in play} == colors
    assert found == set(all_plays(instance))
    assert exact_count(count(instance, distinct="plays")) == (len(found), True)
    assert looks(instance) == {picture_of(instance, play) for play in found}
    check_orders(instance)


@pytest.mark.parametrize("way", ["lattices", "plays", "orders", "looks"])
def test_the_first_of_many_answers_come_at_once(way: str) -> None:
    """Of astronomically many answers the first come at once."""
    assert len(set(islice(solutions(board(10, 10, "abcdef"), distinct=way), 20))) == 20


def test_a_look_prints_as_its_picture() -> None:
    """A look prints as the picture that a play prints below its laying order, and is equal to one that looks alike."""
    instance = board(2, 2, "ab", "aab")
    found = list(solutions(instance, distinct="looks"))
    again = list(solutions(instance, settings=Settings(seed=1), distinct="looks"))
    shown = {str(look) for look in found}
    assert set(found) == set(again)
    assert shown == {str(play).split("\n\n")[1] for play in solutions(instance, distinct="plays")}
    assert shown == {"  1 2\n1 a a\n2 b a", "  1 2\n1 a a\n2 b b"}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("instance", SMALL, ids=name_of)
def test_documented_observations_hold(instance: Instance) -> None:
    """What is said there holds on real boards.

    - Each play laid out shows every tile; what the plays show are the looks.
    - The first ribbon, and those laid parallel to it next, can have any color, as all of it will be covered.
    - The first ribbon laid across the first one contributes its color to the finished picture.
    - Ribbons laid one after the other can be laid in either order if they are parallel, or have one color.
    """
    shown = {play: picture_of(instance, play) for play in plays(instance)}
    assert all(is_play(instance, play) for play in shown)
    assert looks(instance) == set(shown.values())
    for play, look in shown.items():
        across = next(i for i, ribbon in enumerate(play) if ribbon[0] != play[0][0])
        for i, color in product(range(across), palette(instance)):
            assert shown[(*play[:i], (*play[i][:2], color), *play[i + 1 :])] == look
        (_, row, _), (_, column, _) = sorted((play[0], play[across]), reverse=True)
        assert look[row - 1][column - 1] == play[across][2]
        for i, (lower, upper) in enumerate(pairwise(play)):
            if lower[0] == upper[0] or lower[2] == upper[2]:
                assert shown[(*play[:i], upper, lower, *play[i + 2 :])] == look


def test_there_are_real_boards() -> None:
    """There is something for these observations to be true of, up to the game's largest size."""
    assert len(SMALL) >= 8
    assert (6, 6) in map(plain.size, SMALL)
