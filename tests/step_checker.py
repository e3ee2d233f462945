"""A checker of explanations: every step is to be forced by the rules and the cells that it names, and by no fewer.

It is written from the puzzles' rules and from the names of the rules, and knows neither the encodings nor how steps
are found. A rule is a set of counts, each of which says of how many atoms hold; what follows is asked of clingo, to
which the counts are given one by one, each with a literal that switches its rule on.

Atom    ((1, 2), 3): row 1, column 2 holds 3; for strips ((1, 2), "placed(1,2,right,3)")
Count   Count(1, 1, {((1, 1), 3), ((1, 2), 3)}): just one of these holds
Rule    {"once(row(1),3)": (Count(1, 1, ...),)}: a name, and what it demands
State   {((1, 2), 3): False}: what is known
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, product
from typing import Any, NamedTuple, TypeAlias

from clingo import Control, Symbol

from pyasp_puzzles import Instance, Step

from . import plain
from .rules import Cell, members, pattern

Atom = tuple["Cell", Any]
State = dict[Atom, bool]
# What follows; None: a contradiction.
Claim: TypeAlias = "tuple[Atom, bool] | None"
Json = dict[str, Any]


def as_json(steps: Iterable[Step]) -> list[Json]:
    """Return an explanation as people get it with `--json`."""
    return [json.loads(json.dumps(step.json())) for step in steps]


class Count(NamedTuple):
    """At least so many, and at most so many, of some atoms hold."""

    least: int
    most: int
    atoms: frozenset[Any]


Rules = dict[str, tuple[Count, ...]]


class Puzzle:
    """A puzzle as its named rules, and the literals by which clingo knows them and the atoms."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.atoms = {name: frozenset(chain(*(count.atoms for count in counts))) for name, counts in rules.items()}
        """The atoms of a rule."""
        self.rules_of: dict[Atom, list[str]] = {}
        for name, atoms in self.atoms.items():
            for atom in atoms:
                self.rules_of.setdefault(atom, []).append(name)
        self.clues = sorted(atom for name, atoms in self.atoms.items() if name.startswith("given(") for atom in atoms)
        self._control = Control(["--warn=none"])
        with self._control.backend() as backend:
            self._literal = {atom: backend.add_atom() for atom in self.rules_of}
            self._switch = {name: backend.add_atom() for name in rules}
            backend.add_rule([*self._literal.values(), *self._switch.values()], choice=True)
            for name, count in ((name, count) for name, counts in rules.items() for count in counts):
                holding, n = [self._literal[atom] for atom in count.atoms], len(count.atoms) + 1
                on = (self._switch[name], n)  # more than all the atoms together
                backend.add_weight_rule([], n + count.most + 1, [on, *((a, 1) for a in holding)])
                backend.add_weight_rule([], n + n - count.least, [on, *((-a, 1) for a in holding)])

    def possible(self, rules: Iterable[str], state: Mapping[Atom, bool]) -> bool:
        """Return whether some rules can hold together where something is known."""
        rules = list(rules)
        if len(rules) == 1 and len(self.rules[rules[0]]) == 1:  # as in most steps: there is no need to search
            [count] = self.rules[rules[0]]
            known = [state[atom] for atom in count.atoms if atom in state]
            return sum(known) <= count.most and len(count.atoms) - known.count(False) >= count.least
        literals = [self._literal[atom] * (1 if value else -1) for atom, value in state.items()]
        literals += [self._switch[name] for name in rules]
        return bool(self._control.solve(assumptions=literals).satisfiable)

    def force(self, rules: Collection[str], state: Mapping[Atom, bool], conclusion: Claim) -> bool:
        """Return whether rules, and what is known, force a conclusion, or, if there is none, cannot hold together."""
        if conclusion is None:
            return not self.possible(rules, state)
        atom, value = conclusion
        return state.get(atom) is value or not self.possible(rules, {**state, atom: not value})

    def plain(self, placed: Atom) -> set[Atom]:
        """Return what does not hold by one rule alone, and that atom alone; without the atom, the rule allows it."""
        out: set[Atom] = set()
        for name in self.rules_of[placed]:
            counts, atoms = self.rules[name], self.atoms[name]
            if len(counts) != 1:
                forced = [atom for atom in atoms - {placed} if self.force([name], {placed: True}, (atom, False))]
                out.update(atom for atom in forced if not self.force([name], {}, (atom, False)))
            elif counts[0].most == 1:
                out |= atoms
        return out - {placed}

    def start(self, filled: Iterable[Atom]) -> State:
        """Return what is known from the start: what is filled in (of a clash, the first), and what follows plainly."""
        state: State = {}
        for clue in filled:
            state.setdefault(clue, True)
            for atom in self.plain(clue):
                state.setdefault(atom, False)
        return state

    def decided(self) -> set[Atom]:
        """Return the atoms that hold in every answer."""
        return {atom for atom in self.rules_of if not self.possible(self.rules, {atom: False})}

    def broken(self, holding: Collection[Atom]) -> list[str]:
        """Return the rules that are broken where these atoms hold, and no others."""

        def kept(count: Count) -> bool:
            return count.least <= len(count.atoms.intersection(holding)) <= count.most

        return [name for name, counts in self.rules.items() if not all(map(kept, counts))]


# -- The rules of the puzzles ----------------------------------------------------


def puzzle(instance: Instance, extra: Rules | None = None, without: Collection[str] = ()) -> Puzzle:
    """Return the puzzle that an instance is, with extra rules, and without those of some names."""
    name = instance.puzzle.name
    rules = _strips(instance) if name == "strips" else _numbers(instance, "block" if name == "tectonic" else "stream")
    return Puzzle({rule: counts for rule, counts in rules.items() if rule.split("(")[0] not in without} | (extra or {}))


def _labels(instance: Instance, predicate: str) -> dict[Cell, Symbol]:
    facts = [fact.arguments for fact in instance.facts if fact.name == predicate]
    return {(r.number, c.number): label for r, c, label in facts}


def just(number: int, atoms: Iterable[Atom]) -> tuple[Count, ...]:
    """Return the rule that exactly so many of some atoms hold."""
    return (Count(number, number, frozenset(atoms)),)


def _numbers(instance: Instance, region: str) -> Rules:
    """Return the rules of a Strimko, Sudoku or Tectonic; a unit with fewer cells than numbers need not hold each."""
    regions = {cell: str(label) for cell, label in _labels(instance, region).items()}
    units = {f"{region}({label})": cells for label, cells in members(regions).items()}
    rows, columns = (max(cell[i] for cell in regions) for i in (0, 1))
    largest = {cell: len(units[f"{region}({label})"]) for cell, label in regions.items()}
    numbers = {cell: plain.digits(instance) or range(1, n + 1) for cell, n in largest.items()}
    rules: Rules = {}
    if region == "block":
        for r, c, v in product(range(1, rows + 1), range(1, columns + 1), range(1, max(largest.values()) + 1)):
            square = ((cell, v) for cell in product((r, r + 1), (c, c + 1)) if largest.get(cell, 0) >= v)
            rules[f"touch({r},{c},{v})"] = (Count(0, 1, frozenset(square)),)
    else:
        units |= {f"row({i})": {cell for cell in regions if cell[0] == i} for i in range(1, rows + 1)}
        units |= {f"col({i})": {cell for cell in regions if cell[1] == i} for i in range(1, columns + 1)}
    for (r, c), of_cell in numbers.items():
        rules[f"cell({r},{c})"] = just(1, (((r, c), v) for v in of_cell))
    for unit, cells in units.items():
        of_unit = numbers[min(cells)]
        least = int(len(cells) == len(of_unit))
        rules |= {f"once({unit},{v})": (Count(least, 1, frozenset((cell, v) for cell in cells)),) for v in of_unit}
    for (r, c), value in _labels(instance, "given").items():
        rules[f"given({r},{c})"] = just(1, [((r, c), value.number)])
    return rules


def _strips(instance: Instance) -> Rules:
    """Return the rules of strips."""
    tiles = {cell: plain.words(label) for cell, label in _labels(instance, "tile").items()}
    terms = {plain.words(label): str(label) for label in _labels(instance, "tile").values()}
    (longest,) = (fact.arguments[0].number for fact in instance.facts if fact.name == "longest")
    listed: dict[int, list[str]] = {}
    for (i, _), label in sorted(_labels(instance, "strip").items(), key=lambda item: item[0]):
        listed.setdefault(i, []).append(plain.words(label))
        terms[plain.words(label)] = str(label)
    stock = Counter(min(tuple(strip), tuple(strip)[::-1]) for strip in listed.values())
    covering: dict[Cell, set[Atom]] = {cell: set() for cell in tiles}
    alike: dict[tuple[str, ...], set[Atom]] = {colors: set() for colors in stock}
    rules: Rules = {}
    for (r, c), down, n in product(tiles, (False, True), range(1, longest + 1)):
        cells = [(r + i * down, c + i * (not down)) for i in range(n)]
        if (n == 1 and down) or not tiles.keys() >= set(cells):
            continue
        place = f"{r},{c},{'down' if down else 'right'},{n}"
        atom = ((r, c), f"placed({place})")
        rules[f"fit({place})"] = ()
        alike.setdefault(pattern(tiles, cells), set()).add(atom)
        for cell in cells:
            covering[cell].add(atom)
    most = [fact.arguments[0].number for fact in instance.facts if fact.name == "left"]
    spare = {(r.number, c.number) for r, c in (fact.arguments for fact in instance.facts if fact.name == "optional")}
    if most and not spare:
        spare = {*tiles}
    rules |= {f"cover({r},{c})": (Count((r, c) not in spare, 1, frozenset(of)),) for (r, c), of in covering.items()}
    if most and not listed:  # with a list, how many cells are left follows from it
        # Of any so many cells and one more, a strip covers one.
        some = [frozenset(chain(*(covering[cell] for cell in cells))) for cells in combinations(tiles, most[0] + 1)]
        rules["left"] = tuple(Count(1, len(atoms), atoms) for atoms in some)
    for colors, atoms in alike.items():
        name = _pattern(terms, colors)
        if listed:
            # More than there are places for is false whatever the atoms are.
            rules[f"stock({name})"] = just(stock[colors], atoms) if stock[colors] <= len(atoms) else just(1, ())
        else:
            rules[f"alike({name})"] = (Count(0, 1, frozenset(atoms)),)
            if not spare and sum(map(len, alike)) - len(colors) < len(tiles):
                rules[f"used({name})"] = (Count(1, len(atoms), frozenset(atoms)),)
    return rules


def _pattern(terms: Mapping[str, str], colors: Sequence[str]) -> str:
    """Return a pattern as a term; read from either end, the smaller one as clingo compares them."""
    from clingo import parse_term

    ends = (f"{''.join(f'({terms[color]},' for color in way)}(){')' * len(way)}" for way in (colors, colors[::-1]))
    return str(min(map(parse_term, ends)))


# -- The steps of an explanation -------------------------------------------------


# Of a step of more rules, the values that one must look at may be some that were found, and not the fewest.
LARGE = 4
# Costs in JSON are rounded.
# The least that two rules cost, unless they are about the same cells.
TWO_RULES = 2
CENT = 0.006


class _Replay:
    """The steps of an explanation, done again one by one."""

    def __init__(self, puzzle: Puzzle, filled: Iterable[Atom]) -> None:
        self.puzzle = puzzle
        self.filled = [*puzzle.clues, *filled]
        """What is there from the start, though clues may clash."""
        self.state = puzzle.start(self.filled)
        self.by: dict[Atom, int] = {}
        """The step by which an atom is known."""
        self._cheapest: dict[str, float | None] = {}
        self._changed = set(puzzle.rules)
        self.cells: dict[Cell, list[Atom]] = {}
        for atom in puzzle.rules_of:
            self.cells.setdefault(atom[0], []).append(atom)
        self.granted = {
            name
            for name, atoms in puzzle.atoms.items()
            if len({cell for cell, _ in atoms}) == 1 < len(atoms) == len(self.cells[min(atoms)[0]])
            and puzzle.rules[name] == just(1, atoms)
        }
        """The rules that a cell holds one value, which are free beside rules about one or two sets of cells."""
        self.out_by: dict[Atom, set[Cell]] = {}
        """{what is out: the cells of the values that exclude it}"""
        self._place(self.filled)

    def step(self, number: int, step: Json) -> Iterator[str]:
        """Yield what is wrong with a step, and take it down."""
        rules, cells = step["rules"], [tuple(cell) for cell in step["cells"]]
        placed, eliminated, plainly = ([_atom(said) for said in step[key]] for key in ("placed", "eliminated", "plain"))
        kind = "placement" if placed else "elimination" if eliminated else "contradiction"
        if step["step"] != number or step["kind"] != kind or step["status"] is not None or not step["words"]:
            yield f"it is step {number}, a {kind}"
        if not self.puzzle.rules.keys() >= set(rules) or len(set(rules)) < len(rules):
            yield f"there are no such rules: {rules}"
            return
        if not rules:
            yield "it names no rule"
        if any(atom in self.state for atom in (*placed, *eliminated, *plainly)):
            yield "it was known before"
        if step["known"] != [{"cell": list(cell), "left": self.left(cell)} for cell in cells]:
            yield f"what is known is {[self.left(cell) for cell in cells]}, not {step['known']}"
        atoms = frozenset(chain(*(self.puzzle.atoms[rule] for rule in rules)))
        known = {cell: {a: self.state[a] for a in self.cells[cell] if a in self.state and a in atoms} for cell in cells}
        claims: list[Claim] = [*((atom, True) for atom in placed), *((atom, False) for atom in eliminated)]
        yield from self._forced(rules, known, claims or [None])
        yield from self._reasons({atom for atoms in known.values() for atom in atoms}, step)
        taken = self._cost(rules, {atom for atoms in known.values() for atom in atoms})
        if abs(taken - step["cost"]) > CENT and not (len(rules) > LARGE and taken < step["cost"]):
            yield f"it costs {taken}, not {step['cost']}"
        yield from self._cheaper(step)
        expected = {out for atom in placed for out in self.puzzle.plain(atom) if out not in self.state} - {*placed}
        if len(plainly) > len(set(plainly)) or set(plainly) != expected:
            yield f"what follows plainly is {expected}"
        self.state |= dict.fromkeys(placed, True) | dict.fromkeys([*eliminated, *plainly], False)
        self._changed.update(*(self.puzzle.rules_of[atom] for atom in [*placed, *eliminated, *plainly]))
        self.by |= dict.fromkeys([*placed, *eliminated], number)
        self._place(placed)

    def left(self, cell: Cell) -> list[Any]:
        """Return what may still hold in a cell."""
        holds = [value for _, value in (atom for atom in self.cells[cell] if self.state.get(atom))]
        return sorted(holds or [atom[1] for atom in self.cells[cell] if self.state.get(atom, True)])

    def _forced(self, rules: list[str], known: Mapping[Cell, State], claims: Iterable[Claim]) -> Iterator[str]:
        """Yield what is wrong unless rules and cells force each conclusion, and none of them can be left out."""

        def force(without: object = None) -> bool:
            rest = [known[cell].items() for cell in known if cell != without]
            return self.puzzle.force([rule for rule in rules if rule != without], dict(chain(*rest)), claim)

        for claim in claims:
            if not force():
                yield f"{claim} is not forced"
            elif spare := [part for part in (*rules, *known) if force(part)]:
                yield f"{claim} is forced without {spare}"

    def _reasons(self, known: set[Atom], step: Json) -> Iterator[str]:
        """Yield what is wrong with `seen` and `after`: where what is known of the cells comes from."""
        out = {atom for atom in known if not self.state[atom]}
        holds = {*self.filled, *(atom for atom, value in self.state.items() if value)}
        seen = {cell: holds.intersection(self.cells[cell]) for cell in map(tuple, step["seen"])}
        by_cell = {cell: set(chain(*map(self.puzzle.plain, holding))) for cell, holding in seen.items()}
        after = set(step["after"])
        for cell, holding in seen.items():
            if not known.intersection(holding) and not out & by_cell[cell]:
                yield f"{cell} is seen for no reason"
        for number in after - {self.by.get(atom) for atom in known}:
            yield f"it does not rest on step {number}"
        for atom in out - set(chain(*by_cell.values())):
            if self.by.get(atom) not in after:
                yield f"it is not said why {atom} is out"
        for atom in known - out:
            if atom[0] not in seen or self.by.get(atom, step["step"]) not in after | {step["step"]}:
                yield f"it is not said where {atom} comes from"

    def _place(self, placed: Iterable[Atom]) -> None:
        for atom in placed:
            for out in self.puzzle.plain(atom):
                self.out_by.setdefault(out, set()).add(atom[0])
                self._changed.update(self.puzzle.rules_of[out])

    def _cost(self, rules: Collection[str], known: Iterable[Atom]) -> float:
        """Return what one must look at: rules, values by which what is known of their cells is seen, how far it is."""
        about = {cell for name in rules for cell, _ in self.puzzle.atoms[name]}
        others = [name for name in rules if name not in self.granted]
        over = {name: frozenset(cell for cell, _ in self.puzzle.atoms[name]) for name in others}
        things = len(set(over.values()))
        things += len(rules) - len(others) if things > 2 else 0
        searched = [cells for name, cells in over.items() if len(cells) == len(self.puzzle.atoms[name])]
        more = len(searched) - len(set(searched))
        seen = {atom[0] for atom in known if self.state[atom] or not self.out_by.get(atom)}
        out = [atom for atom in known if not self.state[atom] and self.out_by.get(atom)]
        options = [self.out_by[atom] for atom in out if atom[0] not in self.out_by[atom]]
        sets = {frozenset(cells) for cells in options if not cells & seen}
        fewest = _fewest(sets, len(sets))
        spread: int = sum(max(line) - min(line) for line in zip(*about, strict=True))
        return max(1, things) + 5 * more / 4 + (len(seen) + fewest) / 10 + spread / 40

    def _cheaper(self, step: Json) -> Iterator[str]:
        """Yield the cheaper steps that place something; what only rules something out need not be told."""
        self._cheapest |= {name: self._alone(name) for name in self._changed}
        self._changed.clear()
        for name, cost in self._cheapest.items():
            if cost is not None and (step["kind"] == "elimination" or cost < step["cost"] - CENT):
                yield f"{name} alone says more, for {cost}"
        if step["cheapest"] and step["cost"] > TWO_RULES:
            yield "two rules might place something for less"
        if len(step["rules"]) > 2 and step["cost"] >= 3:
            yield from self._pairs()

    def _open(self, name: str) -> tuple[int, int, frozenset[Atom]] | None:
        """Return what a rule with one count demands of the undecided atoms."""
        if len(self.puzzle.rules[name]) != 1:
            return None
        (low, high, atoms) = self.puzzle.rules[name][0]
        holding = sum(self.state.get(atom, False) for atom in atoms)
        return low - holding, high - holding, frozenset(atom for atom in atoms if atom not in self.state)

    def _alone(self, name: str) -> float | None:
        """Return for what cost a rule places something, or cannot hold; None if it does not."""
        atoms = self.puzzle.atoms[name]
        found = self._open(name)
        if found is not None:
            low, high, left = found
            if high >= 0 and (low != len(left) or not left) and low <= len(left):
                return None
            ((least, most, _),) = self.puzzle.rules[name]
            value, needed = (True, most + 1) if high < 0 else (False, len(atoms) - least + (low > len(left)))
            deciding = sorted(atom for atom in atoms if self.state.get(atom) is value)
            some = combinations(deciding, needed)
            return min(self._cost([name], self._known(atoms, {cell for cell, _ in way})) for way in some)
        known = {atom: self.state[atom] for atom in atoms & self.state.keys()}
        claims: list[Claim] = [None, *((atom, True) for atom in atoms - known.keys())]
        conclusions = [claim for claim in claims if self.puzzle.force([name], known, claim)]
        costs = []
        for conclusion in conclusions:
            cells = {atom[0] for atom in known}
            ways: list[frozenset[Atom]] = []
            for size in range(len(cells) + 1):
                parts = (self._known(atoms, some) for some in combinations(cells, size))
                ways = [
                    frozenset(one) for one in parts if self.puzzle.force([name], {a: known[a] for a in one}, conclusion)
                ]
                if ways:
                    break
            costs.append(min(self._cost([name], way) for way in ways))
        return min(costs, default=None)

    def _known(self, atoms: Iterable[Atom], cells: Collection[Cell]) -> set[Atom]:
        """Return those of some atoms that are about cells, and known."""
        return {atom for atom in atoms if atom[0] in cells and atom in self.state}

    def _pairs(self) -> Iterator[str]:
        """Yield the pairs of rules that place something."""
        counts = {name: found for name in self.puzzle.rules if (found := self._open(name)) is not None and found[2]}
        pairs = {
            (one, other)
            for one, (_, _, left) in counts.items()
            for atom in left
            for other in self.puzzle.rules_of[atom]
            if one < other and other in counts
        }
        for one, other in pairs:
            (low, high, left), (low_, high_, left_) = counts[one], counts[other]
            both = len(left & left_)
            only, only_ = len(left) - both, len(left_) - both
            ways = [
                (max(0, low - n), n, max(0, low_ - n))
                for n in range(both + 1)
                if max(0, low - n) <= min(only, high - n) and max(0, low_ - n) <= min(only_, high_ - n)
            ]
            sizes = (only, both, only_)
            if not ways or any(
                size and min(fewest) == size for fewest, size in zip(zip(*ways, strict=True), sizes, strict=True)
            ):
                yield f"{one} and {other} say more"


def _fewest(sets: Collection[frozenset[Cell]], most: int) -> int:
    """Return how few cells have one of each set, if at most so many; or else one more."""
    if not sets:
        return 0
    if not most:
        return 1
    best = most + 1
    for cell in min(sets, key=len):
        best = min(best, 1 + _fewest([one for one in sets if cell not in one], best - 2))
    return best


def _atom(said: Json) -> Atom:
    return tuple(said["cell"]), said["value"]


def violations(puzzle: Puzzle, steps: Sequence[Json], filled: Iterable[Atom] = ()) -> list[str]:
    """Return what is wrong with an explanation, all of its steps, which began with the clues and what was filled in."""
    replay = _Replay(puzzle, filled)
    wrong = [f"step {i}: {text}" for i, step in enumerate(steps[:-1], 1) for text in replay.step(i, step)]
    used = set(chain(*(step["after"] for step in steps)))
    unused = [step["step"] for step in steps[:-1] if step["kind"] == "elimination" and step["step"] not in used]
    wrong += [f"step {number}: nothing rests on it" for number in unused]
    return wrong + [f"the end: {text}" for text in _end(replay, steps)]


def _end(replay: _Replay, steps: Sequence[Json]) -> Iterator[str]:
    """Yield what is wrong with how an explanation ends."""
    puzzle, last = replay.puzzle, steps[-1]
    placed = {atom for atom, value in replay.state.items() if value}
    if last["kind"] != "end" or last["step"] != len(steps):
        yield "it is not the end"
    clash = [step for step in steps[:-1] if step["kind"] == "contradiction"]
    if bool(clash) != (last["status"] == "none") or (clash and clash != [steps[-2]]):
        yield "a contradiction is the last step, where there is no answer"
    if last["status"] == "none":
        rules = last["rules"]
        cells = {atom[0] for name in rules if name.startswith("given(") for atom in puzzle.atoms[name]}
        if puzzle.possible(rules, {}):
            yield "these rules can hold together"
        yield from (f"{r} is needless" for r in rules if not puzzle.possible([o for o in rules if o != r], {}))
        if sorted(cells) != [tuple(cell) for cell in last["cells"]]:
            yield "its cells are those of the clues"
        return
    if last["status"] != ("several" if puzzle.broken(placed) else "unique"):
        yield f"it ends as {last['status']}"
    if last["status"] == "several" and placed != puzzle.decided():
        yield f"what is decided is {puzzle.decided()}, not {placed}"
