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

from pyasp_puzzles import Settings, Step, board, explain, solutions
from pyasp_puzzles.explanation.cores import CoreFinder
from pyasp_puzzles.explanation.deduction import Deduction
from pyasp_puzzles.explanation.ground_rules import Formula, Threshold, consequences, ground_board, negate, simplify

from . import plain, step_checker, strategies
from .helpers import KNIGHT, extra, one, only, read, status, sudoku
from .step_checker import Atom, Json, Rules
from .strategies import NumberBoard, StripsBoard, examples


def as_json(steps: Iterable[Step]) -> list[Json]:
    """Return steps as JSON."""
    return [step.json() for step in steps]


# -- User rules --------------------------------------------------------------

Meaning = tuple["Collection[Atom]", "Callable[[set[Atom]], bool]"]
"""What atoms a rule is about, and whether it holds where just some of them do."""


class Worlds(step_checker.Puzzle):
    """A puzzle with rules of any kind, so small that all sets of atoms can be tried.

    A set of worlds is a number, whose bits stand for the worlds; so do its bits for the atoms that hold there.
    """

    def __init__(self, rules: Rules, own: Mapping[str, Meaning], always: Callable[[set[Atom]], bool] | None) -> None:
        super().__init__(rules | dict.fromkeys(own, ()))
        order = sorted(self.rules_of)
        for name, (atoms, _) in own.items():
            self.atoms[name] = frozenset(atoms)
            for atom in atoms:
                self.rules_of[atom].append(name)
        worlds = [{atom for i, atom in enumerate(order) if world >> i & 1} for world in range(2 ** len(order))]

        def where(holds: Callable[[set[Atom]], bool]) -> int:
            return int("".join("01"[holds(holding)] for holding in reversed(worlds)), 2)

        self._all = where(always or (lambda _: True))
        self._where = {atom: where(lambda holding, atom=atom: atom in holding) for atom in order}  # type: ignore[misc]
        self._sound = {name: where(holds) for name, (_, holds) in own.items()}
        for name, counts in rules.items():
            self._sound[name] = where(lambda _: True)
            for count in counts:
                self._sound[name] &= self._counted(count)

    def _counted(self, count: step_checker.Count) -> int:
        """Return the worlds where at least, and at most, so many of some atoms hold."""
        just = [2 ** (2 ** len(self._where)) - 1, *(0 for _ in count.atoms)]
        for atom in count.atoms:
            holds = self._where[atom]
            just = [less & holds | same & ~holds for less, same in zip([0, *just], just, strict=False)]
        return sum(just[count.least : count.most + 1])

    def possible(self, rules: Iterable[str], state: Mapping[Atom, bool]) -> bool:
        """Tell whether some rules can hold together where something is known."""
        worlds = self._all
        for name in rules:
            worlds &= self._sound[name]
        for atom, value in state.items():
            worlds &= self._where[atom] if value else ~self._where[atom]
        return worlds != 0

    def broken(self, holding: Collection[Atom]) -> list[str]:
        """Return the rules that are broken where these atoms hold, and no others."""
        state = {atom: atom in holding for atom in self.rules_of}
        return [name for name in self.rules if not self.possible([name], state)]


ROW = [((1, c), v) for c, most in enumerate((3, 3, 3, 2, 2), 1) for v in range(1, most + 1)]
"""All atoms of a Tectonic of one row, with a block of three cells and a block of two."""


def _about(*columns: int) -> list[Atom]:
    return [atom for atom in ROW if atom[0][1] in columns]


def _reaches(holding: set[Atom]) -> bool:
    """Tell whether the cells that hold 1 or 2 are the first ones, without a gap."""
    low = {cell[1] for cell, v in holding if v < 3}
    return low == set(range(1, len(low) + 1))


OWN: dict[str, tuple[str, dict[str, Meaning]]] = {
    "a sum": (
        "violated(four) :- #sum { V, C : value(1, C, V), C = 3..4 } != 4.",
        {"four": (_about(3, 4), lambda holding: sum(v for (_, c), v in holding if c in {3, 4}) == 4)},
    ),
    "a sum with signs": (
        "violated(less) :- #sum { V : value(1, 1, V); -V, 2 : value(1, 4, V) } > 0.",
        {
            "less": (
                _about(1, 4),
                lambda h: sum(v for (_, c), v in h if c == 1) <= sum(v for (_, c), v in h if c == 4),
            )
        },
    ),
    "several bodies": (
        """violated(ends) :- value(1, 1, V), V > 1. violated(ends) :- value(1, 5, V), V < 2.
        violated(ends) :- not value(1, 2, 2), value(1, 3, 2).""",
        {
            "ends": (
                {((1, 1), 2), ((1, 1), 3), ((1, 2), 2), ((1, 3), 2), ((1, 5), 1)},
                lambda h: (
                    not h & {((1, 1), 2), ((1, 1), 3), ((1, 5), 1)} and (((1, 2), 2) in h or ((1, 3), 2) not in h)
                ),
            )
        },
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
    puzzle = Worlds(step_checker.puzzle(instance).rules, own, None)
    assert step_checker.violations(puzzle, steps) == []
    assert steps[-1]["status"] == status(len(list(solutions(instance, 2, how))))
    if kind in {"a rule that is never kept", "a rule that cannot be kept"}:
        assert [step["rules"] for step in steps] == [list(own)] * 2


def test_a_rule_without_a_name(tmp_path: Path) -> None:
    """A constraint that has no name holds too: each step follows from the named rules with it."""
    meant: dict[str, Callable[[set[Atom]], bool]] = {
        ":- value(1, 1, 1).": lambda holding: ((1, 1), 1) not in holding,
        ":- value(1, 1, 1), value(1, 5, 2).": lambda holding: not holding >= {((1, 1), 1), ((1, 5), 2)},
        ":- value(1, C, 2), C > 2.": lambda holding: not any(c > 2 and v == 2 for (_, c), v in holding),
    }
    for text, holds in meant.items():
        instance = board("tectonic", blocks="A A A B B", givens=". 3 . . .")
        steps = as_json(explain(instance, extra(tmp_path, text)))
        puzzle = Worlds(step_checker.puzzle(instance).rules, {}, holds)
        wrong = step_checker.violations(puzzle, steps)
        assert [text for text in wrong if not re.search("forced without|names no rule", text)] == []
        assert all(step["words"][0].isupper() for step in steps)


def knights(values: int) -> Rules:
    """Return the rule of the README on a board of four by four."""
    cells = list(product(range(1, 5), repeat=2))
    return {
        f"knight({r},{c},{r + y},{c + x})": tuple(
            step_checker.Count(0, 1, frozenset({((r, c), v), ((r + y, c + x), v)})) for v in range(1, values + 1)
        )
        for (r, c), (y, x) in product(cells, [(1, -2), (1, 2), (2, -1), (2, 1)])
        if (r + y, c + x) in cells
    }


def test_knight(tmp_path: Path) -> None:
    """The rule of the README takes part at once, and is called by its name and its cells."""
    boards = [
        ["1 . . .", *[". . . ."] * 3],
        ["1 2 . .", *[". . . ."] * 3],
        ["1 2 . .", ". . . .", ". . . 1", ". . . ."],
    ]
    said = ""
    for rows in boards:
        instance = sudoku(*rows)
        steps = as_json(explain(instance, extra(tmp_path, KNIGHT)))
        assert step_checker.violations(step_checker.puzzle(instance, knights(4)), steps) == []
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


def test_from_numbers_that_are_filled_in() -> None:
    """An explanation may begin where someone is: what is filled in counts as clues do."""
    for name, share in [("strimko/seven", 3), ("tectonic/three-clues", 2), ("strips/list", 2)]:
        instance = only(name)
        steps = as_json(explain(instance))
        filled = [(tuple(said["cell"]), said["value"]) for step in steps for said in step["placed"]][::share]
        if instance.puzzle.name == "strips":
            lying = [[int(n) for n in re.findall(r"\d+", value)] + ["down" in value] for _, value in filled]
            strips = [[f"{r + i * down},{c + i * (not down)}" for i in range(n)] for r, c, n, down in lying]
            text = "\n".join(" ".join(strip) for strip in strips)
        else:
            cells = plain.labels(instance, instance.puzzle.required)
            text = strategies.grid(dict(filled), cells, *(max(cell[i] for cell in cells) for i in (0, 1))).strip('"\n')
        so_far = read(instance, text)
        rest = as_json(explain(instance, so_far=so_far))
        assert step_checker.violations(step_checker.puzzle(instance), rest, filled) == []
        assert rest[-1]["status"] == "unique"
        assert sum(len(step["placed"]) for step in rest) + len(filled) == sum(len(step["placed"]) for step in steps)


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


@given(
    strategies.strimko_boards()
    | strategies.sudoku_boards()
    | strategies.tectonic_boards()
    | strategies.strips_boards(),
    st.randoms(use_true_random=False),
)
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
