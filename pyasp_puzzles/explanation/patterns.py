"""The names that people give to steps, by the shape of their rules alone: `encodings/modes/names.lp` lists them.

A rule about one cell says that the cell holds one value. A rule about one value says that the value has one place in a
unit. In a step of several rules, some (the base) need one of their candidates, and the others (the cover) allow just
one of several. With as many rules in the base as in the cover, all other candidates of the cover are out. With one more
in the cover, what two of them exclude is out. Which rules are base and cover, and how they are linked, gives the name.

PatternRule       PatternRule(rule, cells, open, left, line): the shape of a rule of a step
PatternLink       PatternLink(part, atoms, values): a rule of the cover, and the candidates of which it allows one
PatternStructure  PatternStructure(base, links, out): the rules of a step by their roles, and what it excludes
Pattern           Pattern(name, form, structure): what people call a step, what its sentence states, and its shape
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.rules import mode_path
from pyasp_puzzles.asp.search import program_search
from pyasp_puzzles.asp.source import read_source
from pyasp_puzzles.asp.symbols import symbol_members, symbol_text
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.queries.formulas import certain_formula_literals, simplify

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pyasp_puzzles.asp.source import Source
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.queries.formulas import Formula
    from pyasp_puzzles.queries.ground_rules import GroundRule, GroundRules

# Ways in which the rules of a step may be base and cover; with more, it has no name.
_MOST_DIVISIONS = 300


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


class Pattern(NamedTuple):
    """The name of a step, and the shape that has this name."""

    name: str = ""
    form: str = ""
    """What its sentence states, as `names.lp` says: "cover", "chain" and so on."""
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
    board = board or known
    parts = [_part(ground, ground.rules[rule], board) for rule in rules]
    placed = frozenset(literal for literal in conclusions if literal > 0)
    out = frozenset(-literal for literal in conclusions if literal < 0)
    for structure in _structures(ground, parts, placed, out):
        chain, links = _ordered(structure)
        name, form = _name(_shape(ground, structure, chain, links, board))
        if name:
            return Pattern(name, form, structure if structure.links else None, chain, links)
    if placed or len({ground.values[atom] for part in parts for atom in part.rule.atoms}) > 1:
        return Pattern()
    return Pattern(*_name((f"unnamed({sum(len(part.cells) > 1 for part in parts)})",)))


def _part(ground: GroundRules, rule: GroundRule, board: Mapping[int, bool]) -> PatternRule:
    cells = frozenset(ground.cells[atom] for atom in rule.atoms)
    left = rule.atoms - board.keys()
    values, open_values = (frozenset(ground.values[atom] for atom in atoms) for atoms in (rule.atoms, left))
    return PatternRule(rule, cells, values, left, open_values, ground.once(_axes).get(cells, ""))


def _axes(ground: GroundRules) -> dict[frozenset[Cell], str]:
    """Return {the cells of a row or column: "row" or "column"}."""
    lines: dict[tuple[str, int], set[Cell]] = {}
    for cell in ground.cells.values():
        for axis, number in zip(("column", "row"), (cell[1], cell[0]), strict=True):
            lines.setdefault((axis, number), set()).add(cell)
    return {frozenset(cells): axis for (axis, _), cells in lines.items() if len(cells) > 1}


# -- Base and cover ---------------------------------------------------------------


def _structures(
    ground: GroundRules, parts: Sequence[PatternRule], placed: frozenset[int], out: frozenset[int]
) -> Iterator[PatternStructure]:
    """Yield the ways in which some rules of a step are its base and the others its cover.

    A step of one rule has a base only, with one candidate.
    If a step excludes candidates, these are in no rule of the base, and in one rule of the cover, or in two if the
    cover has one rule more. If it places a value, two rules of the base have it, and the base has one rule more.
    """
    if len(parts) == 1:
        if parts[0].open == placed and not out:
            yield PatternStructure(tuple(parts), (), out)
        return
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


# -- Shapes ------------------------------------------------------------------------


def _ordered(structure: PatternStructure) -> tuple[tuple[PatternRule, ...], tuple[PatternLink, ...]]:
    """Return the base of a step in the order in which links join it, and the links; nothing if they do not."""
    base, links = structure.base, structure.links
    if len(base) == 1:
        return (), ()
    left = [part.open for part in base]
    if structure.closed:
        order, joined = _chain([*left, left[0]], links, ring=True)
        return tuple(base[number] for number in order[:-1]), tuple(joined)
    if structure.out:
        order, joined = _chain([structure.out, *left, structure.out], links)
        return tuple(base[number - 1] for number in order[1:-1]), tuple(joined)
    often = Counter(atom for atoms in left for atom in atoms)
    ends = [part for part in base if any(often[atom] > 1 for atom in part.open)]
    parts = [*ends[:1], *(part for part in base if part not in ends), *ends[1:]]
    order, joined = _chain([frozenset(atom for atom in part.open if often[atom] == 1) for part in parts], links)
    return tuple(parts[number] for number in order), tuple(joined)


def _shape(
    ground: GroundRules,
    structure: PatternStructure,
    chain: Sequence[PatternRule],
    joined: Sequence[PatternLink],
    board: Mapping[int, bool],
) -> tuple[str, ...]:
    """Return the shape of a step: facts for the table of names.

    Args:
        ground: the rules of the board.
        structure: the rules of the step by their roles.
        chain: the base in the order in which links join it, if they do.
        joined: the links in this order.
        board: all atoms known before the step.
    """
    base, links, out = structure
    values = frozenset().union(*(part.left for part in base), *(link.values for link in links))
    # Rows, columns and regions are told apart where names depend on them: fewer shapes are asked for.
    lines = len(values) == 1 and bool(links)
    facts = [f"size({len(base)},{len(links)})", f"values({len(values)})", *_whole(ground, structure, board)]
    facts += [fact for fact, holds in (("chain", chain), ("placed", not out)) if holds]
    for i, part in enumerate(chain or sorted(base, key=_look), 1):
        kind = _kind(part, lines=lines) if part.of_cell or part.of_value else "other"
        facts += [f"base({i},{kind})", f"candidates({i},{min(len(part.open), 3)})"]
    for i, link in enumerate(joined or sorted(links, key=lambda link: _look(link.part)), 1):
        holding = {"mixed": len(link.values) > 1, "out": chain and link.atoms & out}
        holding["more"] = chain and lines and link.part.open != link.atoms
        facts += [f"cover({i},{_kind(link.part, lines=lines)})", *(f"{fact}({i})" for fact in holding if holding[fact])]
    return tuple(facts)


def _kind(part: PatternRule, *, lines: bool = True) -> str:
    return "cell" if part.of_cell else part.axis or "region" if lines else "unit"


def _look(part: PatternRule) -> tuple[str, int]:
    """Return the sort key of a rule, so that steps of one shape have the same facts."""
    return _kind(part), len(part.open)


def _whole(ground: GroundRules, structure: PatternStructure, board: Mapping[int, bool]) -> Iterator[str]:
    """Yield the facts about all rules of a step together."""
    base, links, out = structure
    cells = frozenset().union(*(part.cells for part in base))
    if not links:
        if len(cells.difference(ground.cells[atom] for atom, holds in board.items() if holds)) == 1:
            yield "filled"
        return
    units = [part for part in (*base, *(link.part for link in links)) if not part.of_cell]
    if all(part.of_value for part in units) and len({part.cells for part in units}) == 1:
        yield "one_unit"
    if all(part.of_cell for part in base):
        around = all(unit.of_value and unit.cells >= cells for unit in units)
        if structure.closed and around and _in_line_and_region(ground, cells, units):
            yield "line_and_region"
        if any(first.part.cells | other.part.cells >= cells for first, other in combinations(links, 2)):
            yield "two_units"
    if out and all(part.left >= {ground.values[atom] for atom in out} for part in base):
        yield "common"
    lines = frozenset().union(*(link.atoms for link in links if link.part.axis))
    if lines and not all(part.open <= lines for part in base):
        yield "fins"


def _in_line_and_region(ground: GroundRules, cells: frozenset[Cell], units: Sequence[PatternRule]) -> bool:
    """Return whether cells are in a row or column and in another unit, each of which holds these values once."""
    axes = []
    for unit in units:
        atoms = {atom for atom in ground.cells if ground.cells[atom] in cells and {ground.values[atom]} == unit.values}
        about = [_part(ground, rule, {}) for rule in ground.rules if rule.atoms >= atoms]
        axes.append({bool(part.axis) for part in about if part.of_value and part.rule.allows_one(atoms)})
    return all(lines == {True, False} for lines in axes)


def _name(shape: tuple[str, ...]) -> tuple[str, str]:
    """Return the name of a shape, and its form; both are empty if it has none.

    Raises:
        EncodingError: somebody has edited the table, and it cannot be read or grounded.
    """
    return _name_by(read_source(mode_path("names")), shape)


@lru_cache(maxsize=Limits.MOST_SHAPES)
def _name_by(table: Source, shape: tuple[str, ...]) -> tuple[str, str]:
    """Return what a table calls a shape, and its form."""
    found = program_search([Path(table.name)], "".join(f"{fact}." for fact in shape)).facts("name", 3)
    if not found:
        return "", ""
    _, name, form = min(found).arguments
    return " ".join(map(symbol_text, symbol_members(name))), symbol_text(form)
