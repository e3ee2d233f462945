"""What the names of steps mean, on the candidates of a board: an oracle, written from what solvers call techniques.

It knows neither the encodings nor how names are found. It looks for the pattern of a name among the cells and units
that the rules of a step are about, and whether the pattern excludes what the step does.

Atom   ((1, 2), 3): row 1, column 2 holds 3
Group  {((1, 2), 3), ((1, 3), 3)}: candidates, one of which holds or not
Pair   (Group, Group): one of both holds
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from typing import Any

from .rules import Cell
from .step_checker import Atom, Puzzle, State

Group = frozenset[Atom]
Pair = tuple[Group, Group]
FISH = {"X-wing": 2, "swordfish": 3, "jellyfish": 4}
SUBSETS = {"pair": 2, "triple": 3, "quadruple": 4}


@dataclass(frozen=True)
class Position:
    """A step, and the board before it."""

    puzzle: Puzzle
    state: State
    rules: Sequence[str]
    placed: frozenset[Atom]
    out: frozenset[Atom]

    def open(self, rule: str) -> Group:
        """Return the candidates of a rule."""
        return frozenset(atom for atom in self.puzzle.atoms[rule] if atom not in self.state)

    def left(self, cell: Cell) -> set[int]:
        """Return the candidates of a cell."""
        return {v for where, v in self.puzzle.rules_of if where == cell and (where, v) not in self.state}

    def filled(self, cell: Cell) -> bool:
        """Return whether a cell holds a value."""
        return any(self.state.get(atom) for atom in self.puzzle.rules_of if atom[0] == cell)

    def clash(self, one: Atom, other: Atom) -> bool:
        """Return whether two candidates exclude each other."""
        both = set(self.puzzle.rules_of[one]).intersection(self.puzzle.rules_of[other])
        return one != other and any(
            count.most == 1 and {one, other} <= count.atoms for rule in both for count in self.puzzle.rules[rule]
        )

    def linked(self, some: Iterable[Atom], others: Collection[Atom]) -> bool:
        """Return whether all of some candidates exclude all of others."""
        return all(self.clash(one, other) for one, other in product(some, others))

    def units(self, value: int) -> list[str]:
        """Return the rules that a value has one place in a unit."""
        rules = ((name, counts[0]) for name, counts in self.puzzle.rules.items() if name.startswith("once("))
        return [name for name, count in rules if name.endswith(f",{value})") and count.least == 1]

    def share(self, atoms: Collection[Atom], kind: Callable[[str], bool]) -> list[str]:
        """Return the rules of a kind that allow just one of some candidates of one value."""
        units = [rule for value in {v for _, v in atoms} for rule in self.units(value)]
        return [rule for rule in units if kind(rule) and self.puzzle.atoms[rule] >= set(atoms)]


def row(rule: str) -> bool:
    """Return whether a rule is about a value in a row."""
    return rule.startswith("once(row(")


def column(rule: str) -> bool:
    """Return whether a rule is about a value in a column."""
    return rule.startswith("once(col(")


def line(rule: str) -> bool:
    """Return whether a rule is about a value in a row or a column."""
    return row(rule) or column(rule)


def region(rule: str) -> bool:
    """Return whether a rule is about a value in a box, a stream or a block."""
    return rule.startswith("once(") and not line(rule)


def of_cell(rule: str) -> bool:
    """Return whether a rule says that a cell holds one value."""
    return rule.startswith("cell(")


def cells_of(atoms: Iterable[Atom]) -> set[Cell]:
    """Return the cells of candidates."""
    return {cell for cell, _ in atoms}


def values_of(atoms: Iterable[Atom]) -> set[Any]:
    """Return the values of candidates."""
    return {value for _, value in atoms}


def fits(name: str, at: Position) -> bool:
    """Return whether a step is what a name says."""
    grouped = name.startswith("grouped ")
    plain = name.removeprefix("grouped ")
    kind, _, size = plain.partition(" ")
    if plain in SINGLES:
        return len(at.rules) == 1 and len(at.placed) == 1 and not at.out and SINGLES[plain](at)
    if kind in {"naked", "hidden", "locked"} and size in SUBSETS:
        return not at.placed and {"naked": naked, "hidden": hidden, "locked": locked}[kind](at, SUBSETS[size])
    if size in FISH and kind in FINS:
        return not at.placed and FINS[kind](at, FISH[size])
    if plain in FISH:
        return not at.placed and fish(at, FISH[plain])
    if plain in CHAINS:
        return any(CHAINS[plain](at, chain) for chain in chains(at, grouped=grouped))
    return plain in OTHERS and not at.placed and OTHERS[plain](at)


# -- Singles and locked candidates ------------------------------------------------


def naked_single(at: Position) -> bool:
    """Return whether one value is left for a cell."""
    [atom] = at.placed
    return of_cell(at.rules[0]) and at.left(atom[0]) == {atom[1]}


def full_house(at: Position) -> bool:
    """Return whether one cell is left of a unit."""
    [rule] = at.rules
    return not of_cell(rule) and [at.filled(cell) for cell in cells_of(at.puzzle.atoms[rule])].count(False) == 1


def hidden_single(at: Position) -> bool:
    """Return whether one of several cells that are left of a unit may hold a value."""
    return not of_cell(at.rules[0]) and at.open(at.rules[0]) == at.placed and not full_house(at)


SINGLES = {"naked single": naked_single, "full house": full_house, "hidden single": hidden_single}


def _confined(at: Position, inner: Callable[[str], bool], outer: Callable[[str], bool]) -> bool:
    """Return whether all places for a value in one unit are in another one, where it is out elsewhere."""
    return len(at.rules) == 2 and any(
        inner(one) and outer(other) and at.open(one) <= at.puzzle.atoms[other] and at.out <= at.puzzle.atoms[other]
        for one, other in (at.rules, at.rules[::-1])
    )


def _touch(rule: str) -> bool:
    return rule.startswith("touch(")


# -- Subsets and fish -------------------------------------------------------------


def _naked(at: Position, size: int) -> tuple[set[Cell], bool]:
    """Return as many cells as they have values in all, in one unit of those of the step, and whether it has them."""
    cells = cells_of(atom for rule in at.rules if of_cell(rule) for atom in at.open(rule))
    values = set().union(*(at.left(cell) for cell in cells))
    return cells, len(cells) == len(values) == size and len(at.rules) == 2 * size and values_of(at.out) <= values


def naked(at: Position, size: int) -> bool:
    """Return whether cells of one unit have as many values, which are out in the rest of the unit."""
    cells, fit = _naked(at, size)
    units = [cells_of(at.puzzle.atoms[rule]) for rule in at.rules if not of_cell(rule)]
    return fit and not locked(at, size) and any(cells <= unit and cells_of(at.out) <= unit - cells for unit in units)


def locked(at: Position, size: int) -> bool:
    """Return whether cells of a line and a region have as many values, which are out in the rest of either."""
    cells, fit = _naked(at, size)
    if not fit or size > 3:
        return False
    value = min(values_of(at.out))
    both = [at.share({(cell, value) for cell in cells}, kind) for kind in (line, region)]
    seen = {cell for rules in both for rule in rules for cell in cells_of(at.puzzle.atoms[rule])}
    return all(both) and cells_of(at.out) <= seen - cells


def hidden(at: Position, size: int) -> bool:
    """Return whether values have their places in a unit in as many cells, where all others are out."""
    rules = [rule for rule in at.rules if not of_cell(rule)]
    places = frozenset().union(*map(at.open, rules))
    return (
        len({frozenset(cells_of(at.puzzle.atoms[rule])) for rule in rules}) == 1
        and len(values_of(places)) == len(cells_of(places)) == size == len(rules)
        and cells_of(at.out) <= cells_of(places)
        and not values_of(at.out) & values_of(places)
    )


def _crossing(at: Position, size: int, *regions: Callable[[str], bool]) -> Iterator[tuple[Group, Group]]:
    """Yield the places of a value in so many rows, and all its places in as many columns, or the reverse.

    Regions may be in the place of some of either.
    """
    if len(values_of(at.out)) == 1:
        for one, other in ((row, column), (column, row)):
            along, across = (
                [rule for rule in at.rules if any(kind(rule) for kind in (lines, *regions))] for lines in (one, other)
            )
            for bases, covers in product(combinations(along, size), combinations(across, size)):
                base = frozenset().union(*map(at.open, bases))
                if sum(len(at.open(rule)) for rule in bases) == len(base) and len(at.rules) - 2 * size in {0, 1}:
                    yield base, frozenset().union(*(at.puzzle.atoms[rule] for rule in covers))


def fish(at: Position, size: int) -> bool:
    """Return whether a value has its places in some rows in as many columns, or the reverse."""
    return any(base <= cover and at.out <= cover - base for base, cover in _crossing(at, size))


def franken(at: Position, size: int) -> bool:
    """Return whether this holds with regions in the place of some rows or columns."""
    crossing = _crossing(at, size, region)
    return not fish(at, size) and any(base <= cover and at.out <= cover - base for base, cover in crossing)


def finned(at: Position, size: int) -> bool:
    """Return whether this holds but for places in one region, in which the value is out."""
    for base, cover in _crossing(at, size):
        fins = base - cover
        if fins and at.out <= cover - base:
            return any(at.puzzle.atoms[rule] >= fins | at.out for rule in at.share(fins, region))
    return False


FINS = {"finned": finned, "Franken": franken}


# -- Chains -----------------------------------------------------------------------


@dataclass(frozen=True)
class Chain:
    """Rules, of each of which one of two groups holds; each second group excludes the first one of the next rule."""

    rules: tuple[str, ...]
    pairs: tuple[Pair, ...]

    @property
    def ends(self) -> Pair:
        """The first and the last group, of which one holds."""
        return self.pairs[0][0], self.pairs[-1][1]

    @property
    def inner(self) -> list[Pair]:
        """The groups that exclude each other."""
        return [(one[1], other[0]) for one, other in pairwise(self.pairs)]


def _pairs(at: Position, rule: str, *, grouped: bool) -> Iterator[Pair]:
    """Yield the ways in which the candidates of a rule are two groups; those of a group share two units."""
    places = sorted(at.open(rule))
    if len(places) == 2:
        yield frozenset(places[:1]), frozenset(places[1:])
        yield frozenset(places[1:]), frozenset(places[:1])
    elif grouped and not of_cell(rule) and 2 < len(places) < 8:
        for size in range(1, len(places)):
            for some in map(frozenset, combinations(places, size)):
                halves = some, frozenset(places) - some
                if all(len(half) == 1 or len(_sharing(at, half)) > 1 for half in halves):
                    yield halves


def _sharing(at: Position, half: Group) -> list[str]:
    """Return the rules that allow one of a group."""
    return [
        rule
        for rule in at.puzzle.rules_of[min(half)]
        if at.puzzle.atoms[rule] >= half and all(count.most == 1 for count in at.puzzle.rules[rule])
    ]


def chains(at: Position, *, grouped: bool) -> Iterator[Chain]:
    """Yield the chains of rules of a step that have its conclusions, by as many strong links as these can have."""
    length = (len(at.rules) + bool(at.placed)) // 2
    pairs = {rule: list(_pairs(at, rule, grouped=grouped)) for rule in at.rules}
    waiting = [Chain((rule,), (pair,)) for rule in at.rules for pair in pairs[rule]]
    while waiting:
        chain = waiting.pop()
        if len(chain.rules) == length:
            if _concludes(at, chain) and (not grouped or any(len(group) > 1 for pair in chain.pairs for group in pair)):
                yield chain
            continue
        waiting += [
            Chain((*chain.rules, rule), (*chain.pairs, pair))
            for rule in pairs
            if rule not in chain.rules
            for pair in pairs[rule]
            if at.linked(chain.ends[1], pair[0])
            and not (pair[0] | pair[1] - at.placed) & frozenset().union(*map(frozenset().union, *chain.pairs))
        ]


def _concludes(at: Position, chain: Chain) -> bool:
    """Return whether a chain has the conclusions of a step: what both ends exclude, or what is both ends."""
    first, last = chain.ends
    if at.placed:
        return first == last == at.placed
    if at.linked(first, last):  # a loop: of each two that exclude each other, one holds
        links = [*chain.inner, (last, first)]
        return all(any(at.linked([one], left | right) for left, right in links) for one in at.out)
    return at.linked(at.out, first | last)


def _loop(at: Position, chain: Chain) -> bool:
    """Return whether as many links exclude as are needed, so that the chain has no ends."""
    return at.linked(*chain.ends) and len(at.rules) == 2 * len(chain.rules)


def _one_value(chain: Chain) -> bool:
    return len(values_of(atom for pair in chain.pairs for group in pair for atom in group)) == 1


def _of_cells(chain: Chain) -> bool:
    return all(map(of_cell, chain.rules))


def _turbot(at: Position, chain: Chain) -> bool:
    first, last = chain.ends
    return len(chain.rules) == 2 and _one_value(chain) and at.linked(at.out, first | last) and not at.placed


def skyscraper(at: Position, chain: Chain) -> bool:
    """Return whether the links are in two rows and joined by a column, or the reverse."""
    kinds = ((row, column), (column, row))
    return _turbot(at, chain) and any(
        all(map(along, chain.rules)) and bool(at.share(frozenset().union(*chain.inner[0]), across))
        for along, across in kinds
    )


def kite(at: Position, chain: Chain) -> bool:
    """Return whether the links are in a row and a column, and joined by a region."""
    crossed = _turbot(at, chain) and any(map(row, chain.rules)) and any(map(column, chain.rules))
    return crossed and bool(at.share(frozenset().union(*chain.inner[0]), region))


def turbot(at: Position, chain: Chain) -> bool:
    """Return whether there are two links about one value, in another way."""
    return _turbot(at, chain) and not skyscraper(at, chain) and not kite(at, chain)


def rectangle(at: Position, chain: Chain) -> bool:
    """Return whether the places in a region are in a row and a column of it, and another line has two."""
    if not _turbot(at, chain) or _loop(at, chain):
        return False
    [(inner, other)] = chain.inner
    outer, _ = chain.ends
    inside, along = chain.rules
    crossed = any(
        at.share(inner | other, one) and at.share(outer | at.out, two) for one, two in ((row, column), (column, row))
    )
    return region(inside) and line(along) and crossed and len(at.open(inside)) > len(at.open(along)) == 2


def xy_wing(at: Position, chain: Chain) -> bool:
    """Return whether three cells have two values each."""
    return _of_cells(chain) and len(chain.rules) == 3 and not _loop(at, chain)


def xy_chain(at: Position, chain: Chain) -> bool:
    """Return whether more cells have two values each."""
    return _of_cells(chain) and len(chain.rules) > 3 and not _loop(at, chain) and not remote_pair(at, chain)


def remote_pair(at: Position, chain: Chain) -> bool:
    """Return whether they all have the same two."""
    alike = len({frozenset(values_of(at.open(rule))) for rule in chain.rules}) == 1
    return _of_cells(chain) and len(chain.rules) > 3 and not _loop(at, chain) and alike


def w_wing(at: Position, chain: Chain) -> bool:
    """Return whether two cells have the same two values, and one of these has two places that see them."""
    if len(chain.rules) != 3 or _loop(at, chain) or at.placed:
        return False
    first, middle, last = chain.rules
    same = of_cell(first) and of_cell(last) and values_of(at.open(first)) == values_of(at.open(last))
    return same and not of_cell(middle) and len(values_of(frozenset().union(*chain.ends))) == 1


def x_chain(at: Position, chain: Chain) -> bool:
    """Return whether there are more links about one value, or what they place."""
    return _one_value(chain) and (len(chain.rules) > 2 or bool(at.placed)) and not _loop(at, chain)


def x_cycle(at: Position, chain: Chain) -> bool:
    """Return whether they are a loop; of two links, one that excludes more than what sees its ends."""
    return _one_value(chain) and _loop(at, chain) and not _turbot(at, chain)


def nice_loop(at: Position, chain: Chain) -> bool:
    """Return whether a chain of several values is a loop."""
    return _loop(at, chain) and not _one_value(chain)


def alternating(at: Position, chain: Chain) -> bool:
    """Return whether a chain has another form."""
    special = (xy_wing, xy_chain, remote_pair, w_wing, nice_loop)
    return not _one_value(chain) and not any(form(at, chain) for form in special)


CHAINS: Mapping[str, Callable[[Position, Chain], bool]] = {
    "skyscraper": skyscraper,
    "two-string kite": kite,
    "turbot fish": turbot,
    "XY-wing": xy_wing,
    "XY-chain": xy_chain,
    "remote pair": remote_pair,
    "W-wing": w_wing,
    "X-chain": x_chain,
    "X-cycle": x_cycle,
    "continuous nice loop": nice_loop,
    "alternating inference chain": alternating,
}


# -- Others -----------------------------------------------------------------------


def empty_rectangle(at: Position) -> bool:
    """Return whether the places in a region are in a row and a column of it, and another line links them."""
    return any(rectangle(at, chain) for chain in chains(at, grouped=True))


def _wing(at: Position, size: int) -> bool:
    """Return whether as many cells as values have each value but one in cells that see one another.

    What is out sees all places of this one.
    """
    cells = [min(cells_of(at.puzzle.atoms[rule])) for rule in at.rules if of_cell(rule)]
    atoms = [(cell, value) for cell in cells for value in at.left(cell)]
    if len(cells) != size or len(values_of(atoms)) != size or len(values_of(at.out)) != 1:
        return False
    places = {value: [atom for atom in atoms if atom[1] == value] for value in values_of(atoms)}
    common = values_of(at.out)
    return all(
        at.linked(at.out, places[value])
        if value in common
        else all(at.clash(one, other) for one, other in combinations(places[value], 2))
        for value in places
    )


def xyz_wing(at: Position) -> bool:
    """Return whether three cells have 2, 2 and 3 of three values, and the value that is out is in each of them."""
    cells = [min(cells_of(at.puzzle.atoms[rule])) for rule in at.rules if of_cell(rule)]
    common = values_of(at.out)
    left = [at.left(cell) for cell in cells]
    return _wing(at, 3) and sorted(map(len, left)) == [2, 2, 3] and all(common <= some for some in left)


def wxyz_wing(at: Position) -> bool:
    """Return whether four cells of two units have four values."""
    cells = {min(cells_of(at.puzzle.atoms[rule])) for rule in at.rules if of_cell(rule)}
    units = [cells_of(at.puzzle.atoms[rule]) for rule in at.units(1)]
    return _wing(at, 4) and any(one | other >= cells for one, other in combinations(units, 2))


def simple_coloring(at: Position) -> bool:
    """Return whether, where units with two places for a value give these two colors, what is out sees both colors.

    Or it has a color that is in one unit twice.
    """
    pairs = [at.open(rule) for rule in at.rules if not of_cell(rule) and len(at.open(rule)) == 2]
    color: dict[Atom, tuple[int, bool]] = {}
    for number, pair in enumerate(pairs):
        waiting = [(min(pair), True)] if min(pair) not in color else []
        while waiting:
            atom, side = waiting.pop()
            if atom not in color:
                color[atom] = number, side
                waiting += [(other, not side) for two in pairs if atom in two for other in two - {atom}]
    seen = [{color[other] for other in color if at.clash(one, other)} for one in sorted(at.out)]
    traps = [any((number, not side) in colors for number, side in colors) for colors in seen]
    wraps = {color[one] for one, other in combinations(color, 2) if color[one] == color[other] and at.clash(one, other)}
    return len(at.rules) > 5 and all(
        trap or color.get(one) in wraps for one, trap in zip(sorted(at.out), traps, strict=True)
    )


OTHERS: Mapping[str, Callable[[Position], bool]] = {
    "pointing": lambda at: _confined(at, region, line),
    "claiming": lambda at: _confined(at, line, region),
    "locked candidates": lambda at: _confined(at, region, _touch) or _confined(at, region, region),
    "empty rectangle": empty_rectangle,
    "XYZ-wing": xyz_wing,
    "WXYZ-wing": wxyz_wing,
    "simple coloring": simple_coloring,
    "Nishio": lambda at: len(values_of(atom for rule in at.rules for atom in at.puzzle.atoms[rule])) == 1,
}
