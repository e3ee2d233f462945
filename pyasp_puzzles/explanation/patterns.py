"""The names that people give to steps, by the shape of their rules alone.

A rule about one cell says that the cell holds one value. A rule about one value says that the value has one place in a
unit. In a step of several rules, some (the base) need one of their candidates, and the others (the cover) allow just
one of several. With as many rules in the base as in the cover, all other candidates of the cover are out. With one more
in the cover, what two of them exclude is out. Which rules are base and cover, and how they are linked, gives the name.

PatternRule       PatternRule(rule, cells, open, left, line): the shape of a rule of a step
PatternLink       PatternLink(part, atoms, values): a rule of the cover, and the candidates of which it allows one
PatternStructure  PatternStructure(base, links, out): the rules of a step by their roles, and what it excludes
Pattern           Pattern(name, structure, chain): what people call a step; the order in which links join the base
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.boards.spans import unmarked
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.queries.formulas import certain_formula_literals, simplify
from pyasp_puzzles.queries.words import words_of_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.queries.formulas import Formula
    from pyasp_puzzles.queries.ground_rules import GroundRule, GroundRules

# Ways in which the rules of a step may be base and cover; with more, it has no name.
_MOST_DIVISIONS = 300


SIZES = {2: "pair", 3: "triple", 4: "quadruple"}
FISH = {2: "X-wing", 3: "swordfish", 4: "jellyfish"}
# A line and a region share too few cells for more.
_LARGEST_LOCKED = 3


class PatternRule(NamedTuple):
    """The shape of a rule of a step."""

    rule: GroundRule
    cells: frozenset[Cell]
    values: frozenset[object]
    open: frozenset[int]
    """Its atoms that were possible before the step."""
    left: frozenset[object]
    """The values of these."""
    axis: str
    """"row" or "column" if it is about the cells of one; otherwise empty."""

    @property
    def of_cell(self) -> bool:
        """Whether it is about the values of one cell."""
        return len(self.cells) == 1 and len(self.values) > 1

    @property
    def of_value(self) -> bool:
        """Whether it is about the places of one value."""
        return len(self.values) == 1 and len(self.cells) > 1


class PatternLink(NamedTuple):
    """A rule of the cover."""

    part: PatternRule
    atoms: frozenset[int]
    """Candidates of different rules of the base, or that the step excludes; the rule allows one of them."""
    values: frozenset[object]
    """The values of these."""


class PatternStructure(NamedTuple):
    """The rules of a step by their roles."""

    base: tuple[PatternRule, ...]
    links: tuple[PatternLink, ...]
    out: frozenset[int]
    """What the step excludes."""

    @property
    def closed(self) -> bool:
        """Whether there are as many rules in the base as in the cover."""
        return len(self.base) == len(self.links)

    @property
    def of_cells(self) -> bool:
        """Whether all of the base are about cells, and all of the cover about values."""
        return all(part.of_cell for part in self.base) and all(len(link.values) == 1 for link in self.links)

    @property
    def of_one_value(self) -> bool:
        """Whether all rules are about one value."""
        values = {link.values for link in self.links} | {part.values for part in self.base}
        return len(values) == 1 and all(part.of_value for part in self.base)


class Pattern(NamedTuple):
    """The name of a step, and the shape that has this name."""

    name: str = ""
    structure: PatternStructure | None = None
    """None for a step of one rule."""
    chain: tuple[PatternRule, ...] = ()
    """The base in the order in which links join it; empty if they do not."""
    links: tuple[PatternLink, ...] = ()
    """The links in this order; the first and the last have what is excluded, unless the chain is a ring."""


def pattern_of(
    ground: GroundRules,
    rules: Sequence[int],
    known: Mapping[int, bool],
    conclusions: Sequence[int],
    board: Mapping[int, bool] | None = None,
) -> Pattern:
    """Return the pattern of a step; one without a name if it has none.

    There are names for steps about numbers only.

    Args:
        ground: the rules of the board.
        rules: the rules of the step, by index.
        known: the known atoms that it needs.
        conclusions: the literals that follow.
        board: all atoms known before the step. Without it, more candidates count as open than people see: some
            skyscrapers become finned X-wings.
    """
    if not rules or not conclusions or any(known.values()):
        return Pattern()
    if not all(isinstance(ground.values[atom], int) for rule in rules for atom in ground.rules[rule].atoms):
        return Pattern()
    every = set(ground.cells.values())
    board = board or known
    parts = [_part(ground, every, ground.rules[rule], board) for rule in rules]
    placed = frozenset(literal for literal in conclusions if literal > 0)
    out = frozenset(-literal for literal in conclusions if literal < 0)
    if len(parts) == 1:
        return Pattern(_single(ground, parts[0], conclusions, board))
    if placed:
        patterns = (_placing(structure) for structure in _structures(ground, parts, placed, out))
    else:
        patterns = (_excluding(ground, structure) for structure in _structures(ground, parts, placed, out))
    named = next((pattern for pattern in patterns if pattern.name), None)
    if named:
        return named
    several = sum(len(part.cells) > 1 for part in parts) > 1  # not a rule of a variant, and what its cells may hold
    one_value = several and len({ground.values[atom] for part in parts for atom in part.rule.atoms}) == 1
    return Pattern("Nishio" if one_value and not placed else "")


def _part(ground: GroundRules, every: Collection[Cell], rule: GroundRule, board: Mapping[int, bool]) -> PatternRule:
    cells = frozenset(ground.cells[atom] for atom in rule.atoms)
    left = rule.atoms - board.keys()
    values, open_values = (frozenset(ground.values[atom] for atom in atoms) for atoms in (rule.atoms, left))
    return PatternRule(rule, cells, values, left, open_values, unmarked(words_of_line(cells, every)).partition(" ")[0])


def _single(ground: GroundRules, part: PatternRule, conclusions: Sequence[int], board: Mapping[int, bool]) -> str:
    """Return the name of a step of one rule with one candidate left."""
    if len(conclusions) > 1 or part.open != set(conclusions):
        return ""
    if not part.of_value:
        return "naked single" if part.of_cell else ""
    filled = {ground.cells[atom] for atom, holds in board.items() if holds}
    return "full house" if part.cells - filled <= {ground.cells[conclusions[0]]} else "hidden single"


# -- Base and cover ---------------------------------------------------------------


def _structures(
    ground: GroundRules, parts: Sequence[PatternRule], placed: frozenset[int], out: frozenset[int]
) -> Iterator[PatternStructure]:
    """Yield the ways in which some rules of a step are its base and the others its cover.

    If a step excludes candidates, these are in no rule of the base, and in one rule of the cover, or in two if the
    cover has one rule more. If it places a value, two rules of the base have it, and the base has one rule more.
    """
    size = (len(parts) + bool(placed)) // 2
    often = Counter(atom for part in parts for atom in part.open)
    # Most rules of the cover have candidates that no other rule of the step has.
    possible = [part for part in parts if not part.open & out and all(often[atom] > 1 for atom in part.open - placed)]
    if len(placed) > 1 or (placed and not len(parts) % 2) or comb(len(possible), size) > _MOST_DIVISIONS:
        return
    possible = [part for part in possible if len(part.open) > 1 and part.rule.needs_one()]
    for base in combinations(possible, size):
        nodes = [part.open - placed for part in base]
        if sum(map(len, nodes)) > len(frozenset().union(*nodes)) or any(
            sum(atom in part.open for part in base) != 2 for atom in placed
        ):
            continue
        links = _links(ground, [part for part in parts if part not in base], [*nodes, out])
        covering = Counter(atom for link in links for atom in link.atoms)
        times = len(parts) - 2 * len(base) + 1
        if all(covering[atom] for node in nodes for atom in node) and all(covering[atom] >= times for atom in out):
            yield PatternStructure(base, links, out)


def _links(
    ground: GroundRules, cover: Sequence[PatternRule], nodes: Sequence[frozenset[int]]
) -> tuple[PatternLink, ...]:
    """Return which candidates of the nodes rules link; nothing if one of the rules allows several of them."""
    node_of = {atom: number for number, node in enumerate(nodes) for atom in node}
    links = []
    for part in cover:
        inside = sorted(part.open & node_of.keys())
        forced = {atom: _excluded(part.rule.formula, atom) for atom in inside}
        pairs = [pair for pair in combinations(inside, 2) if node_of[pair[0]] != node_of[pair[1]]]
        linked = frozenset(atom for first, other in pairs if -other in forced[first] for atom in (first, other))
        if not linked or not all(-other in forced[first] for first, other in pairs if linked >= {first, other}):
            return ()
        links.append(PatternLink(part, linked, frozenset(ground.values[atom] for atom in linked)))
    return tuple(links)


@lru_cache(maxsize=Limits.MOST_SHAPES)
def _excluded(formula: Formula, atom: int) -> tuple[int, ...]:
    """Return literals that a formula surely forces if an atom holds; cached: steps take a fifth longer without it."""
    return tuple(certain_formula_literals(simplify(formula, {atom: True})) or ())


def is_pattern_of_one(part: PatternRule) -> bool:
    """Return whether a rule needs one of its candidates, and allows no two of them."""
    return part.rule.needs_one() and part.rule.allows_one(part.open)


def _chain(
    nodes: Sequence[frozenset[int]], links: Sequence[PatternLink], *, ring: bool = False
) -> tuple[list[int], list[PatternLink]]:
    """Return the order in which links join all nodes, from the first to the last, and the links; empty if they do not.

    The links before and after a node have all its candidates; they may have some of other nodes as well.

    Args:
        nodes: sets of candidates.
        links: the rules that link them, one fewer.
        ring: whether the last is the first again, whose candidates two links have together.
    """
    last = len(nodes) - 1
    waiting: list[tuple[list[int], list[int]]] = [([0], [])]
    while waiting and len(links) == last > 0:
        order, used = waiting.pop()
        node, before = nodes[order[-1]], links[used[-1]].atoms if used else frozenset()
        if order[-1] == last:
            first = links[used[0]].atoms
            if node <= before | first if ring else node <= before and nodes[0] <= first:
                return order, [links[number] for number in used]
            continue
        following = {last} if len(order) == last else set(range(last)).difference(order)
        for number in set(range(last)).difference(used):
            after = links[number].atoms
            if after & node and (not used or node <= before | after):
                waiting += [([*order, other], [*used, number]) for other in following if after & nodes[other]]
    return [], []


# -- Names --------------------------------------------------------------------------


def _placing(structure: PatternStructure) -> Pattern:
    """Return the pattern of a step of several rules that places a value: a chain between two rules that need it."""
    base, links, _ = structure
    often = Counter(atom for part in base for atom in part.open)
    ends = [part for part in base if any(often[atom] > 1 for atom in part.open)]
    parts = [*ends[:1], *(part for part in base if part not in ends), *ends[1:]]
    order, joined = _chain([frozenset(atom for atom in part.open if often[atom] == 1) for part in parts], links)
    if not order:
        return Pattern()
    name = "X-chain" if structure.of_one_value else "alternating inference chain"
    name = f"grouped {name}" if any(len(part.open) > 2 for part in base) else name
    return Pattern(name, structure, tuple(parts[number] for number in order), tuple(joined))


def _excluding(ground: GroundRules, structure: PatternStructure) -> Pattern:
    """Return the pattern of a step of several rules that excludes candidates."""
    if len(structure.base) == 1:
        return Pattern(_locked(structure), structure)
    chain, joined = _ordered(structure)
    grouped = any(len(part.open) > 2 for part in structure.base)
    name = (
        _subset(ground, structure)
        or _fish(structure)
        or (_chain_name(structure, chain) if chain and not grouped else "")
        or _franken(structure)
        or _finned(structure)
        or _bent(structure)
        or (_grouped(structure, chain) if chain and grouped else "")
    )
    return Pattern(name, structure, chain, joined) if name else Pattern()


def _ordered(structure: PatternStructure) -> tuple[tuple[PatternRule, ...], tuple[PatternLink, ...]]:
    """Return the base of a step in the order in which links join it, and the links; nothing if they do not."""
    base, links = structure.base, structure.links
    left = [part.open for part in base]
    if structure.closed:
        order, joined = _chain([*left, left[0]], links, ring=True)
        return tuple(base[number] for number in order[:-1]), tuple(joined)
    order, joined = _chain([structure.out, *left, structure.out], links)
    return tuple(base[number - 1] for number in order[1:-1]), tuple(joined)


def _locked(structure: PatternStructure) -> str:
    """Return the name of a step of two rules about one value: all places in one unit are in the other one, too."""
    if not structure.closed or not structure.of_one_value:
        return ""
    axes = bool(structure.base[0].axis), bool(structure.links[0].part.axis)
    return {(False, True): "pointing", (True, False): "claiming"}.get(axes, "locked candidates")


def _subset(ground: GroundRules, structure: PatternStructure) -> str:
    """Return the name of a step of as many cells as values, in a unit that has all the cells."""
    base, links, _ = structure
    size = SIZES.get(len(base))
    if size is None or not structure.closed:
        return ""
    if all(part.of_value for part in base) and all(link.part.of_cell for link in links):
        return f"hidden {size}" if len({part.cells for part in base}) == 1 else ""
    units = [link.part for link in links]
    cells = frozenset().union(*(part.cells for part in base))
    if not structure.of_cells or not all(unit.of_value and unit.cells >= cells for unit in units):
        return ""
    if len(base) <= _LARGEST_LOCKED and _in_line_and_region(ground, cells, units):
        return f"locked {size}"
    return f"naked {size}" if len({unit.cells for unit in units}) == 1 else ""


def _in_line_and_region(ground: GroundRules, cells: frozenset[Cell], units: Sequence[PatternRule]) -> bool:
    """Return whether cells are in a row or column and in another unit, each of which holds these values once."""
    every = set(ground.cells.values())
    axes = []
    for unit in units:
        atoms = {atom for atom in ground.cells if ground.cells[atom] in cells and {ground.values[atom]} == unit.values}
        about = [_part(ground, every, rule, {}) for rule in ground.rules if rule.atoms >= atoms]
        axes.append({bool(part.axis) for part in about if part.of_value and part.rule.allows_one(atoms)})
    return all(lines == {True, False} for lines in axes)


def _fish(structure: PatternStructure) -> str:
    """Return the name of a step of as many rows as columns about one value."""
    base, links, _ = structure
    if not structure.closed or not structure.of_one_value:
        return ""
    axes = {part.axis for part in base}, {link.part.axis for link in links}
    return FISH.get(len(base), "") if axes in (({"row"}, {"column"}), ({"column"}, {"row"})) else ""


def _franken(structure: PatternStructure) -> str:
    """Return the name of a fish that has regions in the place of some rows or columns."""
    base, links, _ = structure
    if not structure.closed or not structure.of_one_value:
        return ""
    axes = {part.axis for part in base}, {link.part.axis for link in links}
    regions = "" in axes[0] | axes[1] and any(axes[0] | axes[1])
    crossing = (axes[0] <= {"row", ""} and axes[1] <= {"column", ""}) or (
        axes[0] <= {"column", ""} and axes[1] <= {"row", ""}
    )
    return f"Franken {FISH[len(base)]}" if regions and crossing and len(base) in FISH else ""


def _finned(structure: PatternStructure) -> str:
    """Return the name of a fish but for candidates that are all in one region, with what it excludes."""
    base, links, _ = structure
    lines = [link.atoms for link in links if link.part.axis]
    if structure.closed or not structure.of_one_value or all(part.open <= frozenset().union(*lines) for part in base):
        return ""
    along = {part.axis for part in base}
    across = Counter(link.part.axis for link in links)
    crossing = {"row": "column", "column": "row"}.get(next(iter(along)))
    fits = len(base) in FISH and len(along) == 1 and across == {crossing: len(base), "": 1}
    return f"finned {FISH[len(base)]}" if fits else ""


def _bent(structure: PatternStructure) -> str:
    """Return the name of a step of as many values as cells, one of which is in two units, and each other in one.

    What it excludes sees all places of this value.
    """
    base, links, _ = structure
    often = Counter(value for link in links for value in link.values)
    if structure.closed or not structure.of_cells or any(part.left - often.keys() for part in base):
        return ""
    if len(often) != len(base) or sorted(often.values())[-2:] != [1, 2]:
        return ""
    sizes = sorted(len(part.left) for part in base)
    if len(base) == 3:
        everywhere = all(often[value] == 1 or value in part.left for part in base for value in often)
        return "XYZ-wing" if sizes == [2, 2, 3] and everywhere else ""
    cells = frozenset().union(*(part.cells for part in base))
    bent = any(first.part.cells | other.part.cells >= cells for first, other in combinations(links, 2))
    return "WXYZ-wing" if len(base) == 4 and bent else ""


def _chain_name(structure: PatternStructure, chain: Sequence[PatternRule]) -> str:
    """Return the name of a chain in which each rule of the base has two candidates."""
    if structure.of_one_value:
        if len(chain) == 2:
            return _turbot_fish(structure)
        colored = not structure.closed and _is_colored(structure)
        return "simple coloring" if colored else f"X-{'cycle' if structure.closed else 'chain'}"
    if structure.of_cells and len(chain) > 2 and not structure.closed:
        alike = len({part.left for part in chain}) == 1
        return "XY-wing" if len(chain) == 3 else "remote pair" if alike else "XY-chain"
    return _several_values(structure, chain)


def _several_values(structure: PatternStructure, chain: Sequence[PatternRule]) -> str:
    """Return the name of a chain about several values whose links are not all in cells."""
    if structure.closed:
        return "continuous nice loop"
    if len(chain) == 3 and all(len(link.values) == 1 for link in structure.links):
        first, middle, last = chain
        if first.of_cell and last.of_cell and first.left == last.left and middle.of_value:
            return "W-wing"
    return "alternating inference chain"


def _turbot_fish(structure: PatternStructure) -> str:
    """Return the name of a chain of two rules about one value; what is out sees both ends of it."""
    first, second = (part.axis for part in structure.base)
    inner = [link.part.axis for link in structure.links if not link.atoms & structure.out]
    if len(inner) != 1:
        return "X-cycle"
    if first and first == second and inner[0]:
        return "skyscraper"
    return "two-string kite" if {first, second} == {"row", "column"} and not inner[0] else "turbot fish"


def _is_colored(structure: PatternStructure) -> bool:
    """Return whether a chain about one value uses units with two places for it, and so alternates two colors.

    What is out either sees both colors, or has a color that is twice in one unit.
    """
    out = structure.out
    weak = [link for link in structure.links if link.part.open != link.atoms]
    return len(weak) < 2 or all(link.atoms & out for link in weak)


def _grouped(structure: PatternStructure, chain: Sequence[PatternRule]) -> str:
    """Return the name of a chain in which a rule of the base has groups of candidates."""
    if not structure.of_one_value:
        plain = all(len(link.values) == 1 or link.part.of_cell for link in structure.links)
        return f"grouped {_several_values(structure, chain)}" if plain else ""
    if len(chain) == 2:
        region = [part for part in chain if not part.axis and len(part.open) > 2]
        line = [part for part in chain if part.axis and len(part.open) == 2]
        axes = {link.part.axis for link in structure.links if region and link.atoms & region[0].open}
        rectangle = region and line and axes == {"row", "column"} and not structure.closed
        return "empty rectangle" if rectangle else f"grouped {_turbot_fish(structure)}"
    return f"grouped X-{'cycle' if structure.closed else 'chain'}"
