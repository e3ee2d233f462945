"""Explanations with user rules, the formulas behind them, and steps as they are found."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import islice, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyasp_puzzles import Settings, board, explain, solutions
from pyasp_puzzles.explanation.cores import CoreFinder
from pyasp_puzzles.explanation.deduction import Deduction
from pyasp_puzzles.explanation.ground_rules import Formula, Threshold, consequences, ground_board, negate, simplify

from . import plain, step_checker, strategies
from .helpers import KNIGHT, KNIGHT_MOVES, extra, filled, one, only, read, status, sudoku
from .step_checker import Atom, Count, Rules, as_json
from .strategies import NumberBoard, StripsBoard, examples, rectangle

# -- User rules --------------------------------------------------------------

Meaning = tuple["Collection[Atom]", "Callable[[set[Atom]], bool]"]
"""What atoms a rule is about, and whether it holds where just some of them do."""


class Worlds(step_checker.Puzzle):
    """A puzzle with rules of any kind, so small that all sets of atoms, its worlds, can be tried."""

    def __init__(self, rules: Rules, own: Mapping[str, Meaning], always: Callable[[set[Atom]], bool]) -> None:
        super().__init__(rules | dict.fromkeys(own, ()))
        order = sorted(self.rules_of)
        for name, (atoms, _) in own.items():
            self.atoms[name] = frozenset(atoms)
            for atom in atoms:
                self.rules_of[atom].append(name)
        self._bits = {atom: 1 << i for i, atom in enumerate(order)}
        holding = {world: {atom for atom in order if world & self._bits[atom]} for world in range(1 << len(order))}
        self._worlds = {world for world, held in holding.items() if always(held)}
        self._sound = {name: {world for world in holding if holds(holding[world])} for name, (_, holds) in own.items()}
        for name, counts in rules.items():
            masks = [(least, most, sum(self._bits[atom] for atom in atoms)) for least, most, atoms in counts]
            self._sound[name] = {
                world
                for world in holding
                if all(least <= (world & mask).bit_count() <= most for least, most, mask in masks)
            }

    def possible(self, rules: Iterable[str], state: Mapping[Atom, bool]) -> bool:
        """Tell whether some rules can hold together where something is known."""
        known = sum(self._bits[atom] for atom in state)
        held = sum(self._bits[atom] for atom, value in state.items() if value)
        worlds = self._worlds.intersection(*sorted((self._sound[name] for name in rules), key=len))
        return any(world & known == held for world in worlds)

    def broken(self, holding: Collection[Atom]) -> list[str]:
        """Return the rules that are broken where these atoms hold, and no others."""
        state = {atom: atom in holding for atom in self.rules_of}
        return [name for name in self.rules if not self.possible([name], state)]


ROW = [((1, c), v) for c, most in enumerate((3, 3, 3, 2, 2), 1) for v in range(1, most + 1)]
"""All atoms of a Tectonic of one row, with a block of three cells and a block of two."""


PAIR = {((1, 2), 2), ((1, 3), 2)}
ENDS = {((1, 1), 2), ((1, 1), 3), ((1, 5), 1)}


def _about(*columns: int) -> list[Atom]:
    return [atom for atom in ROW if atom[0][1] in columns]


def _total(holding: set[Atom], *columns: int) -> int:
    return sum(v for (_, c), v in holding if c in columns)


def _reaches(holding: set[Atom]) -> bool:
    """Tell whether the cells that hold 1 or 2 are the first ones, without a gap."""
    low = {cell[1] for cell, v in holding if v < 3}
    return low == set(range(1, len(low) + 1))


OWN: dict[str, tuple[str, dict[str, Meaning]]] = {
    "a sum": (
        "violated(four) :- #sum { V, C : value(1, C, V), C = 3..4 } != 4.",
        {"four": (_about(3, 4), lambda holding: _total(holding, 3, 4) == 4)},
    ),
    "a sum with signs": (
        "violated(less) :- #sum { V : value(1, 1, V); -V, 2 : value(1, 4, V) } > 0.",
        {"less": (_about(1, 4), lambda holding: _total(holding, 1) <= _total(holding, 4))},
    ),
    "several bodies": (
        """violated(ends) :- value(1, 1, V), V > 1. violated(ends) :- value(1, 5, V), V < 2.
        violated(ends) :- not value(1, 2, 2), value(1, 3, 2).""",
        {"ends": (ENDS | PAIR, lambda h: not h & ENDS and h & PAIR != {((1, 3), 2)})},
    ),
    "an order": (
        "violated(more) :- value(1, 1, V), value(1, 3, V'), V >= V'.",
        {"more": (_about(1, 3), lambda h: not any(a >= b for (_, c), a in h if c == 1 for (_, d), b in h if d == 3))},
    ),
    "what can be reached": (
        """low(C) :- value(1, C, V), V < 3. reached(1) :- low(1). reached(C) :- low(C), reached(C'), |C - C'| = 1.
        violated(joined) :- low(C), not reached(C).""",
        {"joined": (ROW, _reaches)},
    ),
    "a rule that is never kept": ("violated(never).", {"never": ((), lambda _: False)}),
    "a rule that cannot be kept": (
        "violated(never(1, 1)) :- not value(1, 1, 9).",
        {"never(1,1)": ((), lambda _: False)},
    ),
    "a rule that is always kept": ("violated(always) :- value(1, 1, 9).", {}),
}
"""User rules, and what they mean."""


@pytest.mark.parametrize("kind", OWN)
@pytest.mark.parametrize("givens", [". . . . .", ". 3 . . ."])
def test_rules_of_ones_own(kind: str, givens: str, tmp_path: Path) -> None:
    """Explanations use a user rule of any form like all others."""
    text, own = OWN[kind]
    instance, how = board("tectonic", blocks="A A A B B", givens=givens), extra(tmp_path, text)
    steps = as_json(explain(instance, how))
    puzzle = Worlds(step_checker.puzzle(instance).rules, own, lambda _: True)
    assert step_checker.violations(puzzle, steps) == []
    assert steps[-1]["status"] == status(len(list(solutions(instance, 2, how))))
    if kind in {"a rule that is never kept", "a rule that cannot be kept"}:
        assert [step["rules"] for step in steps] == [list(own)] * 2


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        (":- value(1, 1, 1).", lambda holding: ((1, 1), 1) not in holding),
        (":- value(1, 1, 1), value(1, 5, 2).", lambda holding: not holding >= {((1, 1), 1), ((1, 5), 2)}),
        (":- value(1, C, 2), C > 2.", lambda holding: not any(c > 2 and v == 2 for (_, c), v in holding)),
    ],
)
def test_a_rule_without_a_name(text: str, holds: Callable[[set[Atom]], bool], tmp_path: Path) -> None:
    """A constraint that has no name holds too: each step follows from the named rules with it."""
    instance = board("tectonic", blocks="A A A B B", givens=". 3 . . .")
    steps = as_json(explain(instance, extra(tmp_path, text)))
    puzzle = Worlds(step_checker.puzzle(instance).rules, {}, holds)
    wrong = step_checker.violations(puzzle, steps)
    assert [text for text in wrong if not re.search("forced without|names no rule", text)] == []
    assert all(step["words"][0].isupper() for step in steps)


def knights() -> Rules:
    """Return the rule of the README on a board of four by four."""
    cells = rectangle(4, 4)
    pairs = [((r, c), (r + y, c + x)) for (r, c), (y, x) in product(cells, KNIGHT_MOVES) if (r + y, c + x) in cells]
    return {
        f"knight({r},{c},{y},{x})": tuple(Count(0, 1, frozenset({((r, c), v), ((y, x), v)})) for v in range(1, 5))
        for (r, c), (y, x) in pairs
    }


def test_knight(tmp_path: Path) -> None:
    """The rule of the README takes part at once, and is called by its name and its cells."""
    blank, said = ". . . .", ""
    for rows in (["1 . . .", *[blank] * 3], ["1 2 . .", *[blank] * 3], ["1 2 . .", blank, ". . . 1", blank]):
        instance = sudoku(*rows)
        steps = as_json(explain(instance, extra(tmp_path, KNIGHT)))
        assert step_checker.violations(step_checker.puzzle(instance, knights()), steps) == []
        said += " ".join(step["words"] for step in steps if any("knight" in rule for rule in step["rules"]))
    assert re.search(r"[Tt]he rule knight for row \d, column \d and row \d, column \d", said)


# -- Steps as they are found ------------------------------------------------------------


def test_the_first_step_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step comes as soon as it is found: what needs large steps later on begins without them."""
    instance = only("strimko/seven")
    asked: list[str] = []

    def smallest(self: Deduction) -> Any:
        asked.append("smallest")
        return looked(self)

    def refuse(_: CoreFinder) -> None:
        raise LookupError

    looked = Deduction.smallest
    monkeypatch.setattr(Deduction, "smallest", smallest)
    monkeypatch.setattr(CoreFinder, "find", refuse)
    steps = iter(explain(instance))
    assert next(steps).kind == "placement"
    assert asked == ["smallest"]
    assert [step.number for step in islice(steps, 3)] == [2, 3, 4]
    with pytest.raises(LookupError):
        list(steps)


@pytest.mark.parametrize(("name", "share"), [("strimko/seven", 3), ("tectonic/three-clues", 2), ("strips/list", 2)])
def test_from_numbers_that_are_filled_in(name: str, share: int) -> None:
    """An explanation may begin where someone is: what is filled in counts as clues do."""
    instance = only(name)
    steps = as_json(explain(instance))
    known = [(tuple(said["cell"]), said["value"]) for step in steps for said in step["placed"]][::share]
    if instance.puzzle.name == "strips":
        lying = [[int(n) for n in re.findall(r"\d+", value)] + ["down" in value] for _, value in known]
        strips = [[f"{r + i * down},{c + i * (not down)}" for i in range(n)] for r, c, n, down in lying]
        text = "\n".join(map(" ".join, strips))
    else:
        text = filled(dict(known), plain.labels(instance, instance.puzzle.required))
    rest = as_json(explain(instance, so_far=read(instance, text)))
    assert step_checker.violations(step_checker.puzzle(instance), rest, known) == []
    assert rest[-1]["status"] == "unique"
    assert sum(len(step["placed"]) for step in rest) + len(known) == sum(len(step["placed"]) for step in steps)


# -- Formulas --------------------------------------------------------------------------

ATOMS = range(1, 6)
WORLDS = [dict(zip(ATOMS, values, strict=True)) for values in product([False, True], repeat=len(ATOMS))]
LITERALS = st.sampled_from([*ATOMS, *(-atom for atom in ATOMS)])


def thresholds(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return threshold formulas over some parts."""
    weighed = st.lists(st.tuples(st.integers(1, 3), parts), max_size=4).map(tuple)
    return st.builds(Threshold, st.integers(-1, 7), weighed)


FORMULAS = st.booleans() | st.recursive(LITERALS, thresholds, max_leaves=8)


def holds(formula: Formula, world: Mapping[int, bool]) -> bool:
    """Tell whether a formula holds where atoms do, or do not."""
    if isinstance(formula, bool):
        return formula
    if isinstance(formula, int):
        return world[abs(formula)] is (formula > 0)
    return sum(weight for weight, part in formula.parts if holds(part, world)) >= formula.bound


@given(st.lists(FORMULAS, max_size=3))
@examples(60)
def test_forced(formulas: list[Formula]) -> None:
    """What formulas force holds in all worlds where they do; without such a world, it is None."""
    worlds = [world for world in WORLDS if all(holds(formula, world) for formula in formulas)]
    sure = {sign * atom for atom in ATOMS for sign in (1, -1) if all(world[atom] is (sign > 0) for world in worlds)}
    assert consequences(formulas) == (sure if worlds else None)


@given(FORMULAS, st.dictionaries(st.sampled_from(ATOMS), st.booleans()))
def test_simplified(formula: Formula, known: dict[int, bool]) -> None:
    """What remains of a formula says the same where something is known, and nothing of what is known."""
    remains = simplify(formula, known)
    for world in WORLDS:
        assert holds(remains, {**world, **known}) is holds(formula, {**world, **known})
        assert holds(remains, world) is holds(remains, {**world, **known})


@given(FORMULAS)
def test_negation(formula: Formula) -> None:
    """The negation of a formula holds exactly where the formula does not."""
    assert all(holds(negate(formula), world) is not holds(formula, world) for world in WORLDS)


@given(st.one_of(*strategies.KINDS.values()), st.randoms(use_true_random=False))
@examples(15)
def test_what_rules_mean(board: NumberBoard | StripsBoard, random: Random) -> None:
    """The formulas of the rules of a puzzle say what the puzzle says, whatever holds."""
    instance = one(board.text)
    grounded, puzzle = ground_board(instance, Settings()), step_checker.puzzle(instance)
    names = {str(rule.name) for rule in grounded.rules}
    assert names <= puzzle.rules.keys()
    atoms = {atom: (grounded.cells[atom], _value(symbol)) for atom, symbol in grounded.symbols.items()}
    assert set(atoms.values()) == puzzle.rules_of.keys()
    for _ in range(20):
        share = random.choice([0.1, 0.3, 0.6])
        world = {atom: random.random() < share for atom in atoms}
        broken = {str(rule.name) for rule in grounded.rules if not holds(rule.formula, world)}
        assert broken == set(puzzle.broken([atoms[atom] for atom in atoms if world[atom]]))


def _value(symbol: Any) -> object:
    return symbol.arguments[2].number if symbol.name == "value" else str(symbol)
