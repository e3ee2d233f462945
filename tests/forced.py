"""A checker of explanations for rules of any kind: plain clingo, the encodings, and nothing of how steps are found.

`step_checker.py` knows what the rules of the puzzles demand, and replays a whole explanation. This one asks of each
step whether its rules and what is known of its cells force its conclusions, where all other rules may be broken, and
whether each rule and each cell is needed. So it can check variants, and rules that a test adds.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from pyasp_puzzles import Instance
from pyasp_puzzles.puzzles.question import rule_files_in_use

from .helpers import grounded
from .rules import Cell

Json = dict[str, Any]
# A conclusion: row 1, column 2 holds 3, or does not.
Claim = tuple[Cell, int, bool]


class Forced:
    """The rules of a board, each of which can be broken unless it is demanded."""

    def __init__(self, instance: Instance) -> None:
        files = rule_files_in_use(instance)[1:]
        self._control = grounded(instance, *files, more="{ relaxed(Rule) } :- violated(Rule).\n")
        self._control.configuration.solve.models = 1  # type: ignore[union-attr]
        atoms = self._control.symbolic_atoms
        # {rule: the literal that it is violated}; 0 if it is so in any case.
        self._violated = {
            str(atom.symbol.arguments[0]): 0 if atom.is_fact else atom.literal
            for atom in atoms.by_signature("violated", 1)
        }
        values = {tuple(n.number for n in atom.symbol.arguments): atom for atom in atoms.by_signature("value", 3)}
        self._literal = {((r, c), v): atom.literal for (r, c, v), atom in values.items()}
        self._values: dict[Cell, set[int]] = {}
        for cell, value in self._literal:
            self._values.setdefault(cell, set()).add(value)
        self._placed: dict[Cell, int] = {(int(r), int(c)): int(v) for r, c, v in instance.facts.arguments("given")}

    def violations(self, steps: Sequence[Json]) -> list[str]:
        """Return what is wrong with the steps of an explanation, except with the last, which says how it ends."""
        return [f"step {step['step']}: {text}" for step in steps[:-1] for text in self._step(step)]

    def _step(self, step: Json) -> Iterator[str]:
        rules: list[str] = step["rules"]
        known = {tuple(one["cell"]): set(one["left"]) for one in step["known"]}
        if not self._violated.keys() >= set(rules):
            yield f"there are no such rules: {rules}"
            return
        every: list[Claim | None] = [*claims(step)]
        needed: set[str] = set()
        for claim in every or [None]:
            if self._possible(rules, known, claim):
                yield f"{claim} is not forced by {rules}"
                continue
            for rule in rules:
                if not self._possible([one for one in rules if one != rule], known, claim):
                    if not rule.startswith("cell("):  # rules that go without saying serve some conclusion
                        yield f"{claim} is forced without {rule}"
                else:
                    needed.add(rule)
            for cell in known:
                if not self._possible(rules, {one: known[one] for one in known if one != cell}, claim):
                    yield f"{claim} is forced without {cell}"
        yield from (f"nothing needs {rule}" for rule in rules if rule not in needed)
        self._placed |= {tuple(one["cell"]): one["value"] for one in step["placed"]}

    def _possible(self, rules: Collection[str], known: Mapping[Cell, Collection[int]], claim: Claim | None) -> bool:
        """Return whether rules can hold where the opposite of a conclusion does, given what is left in some cells."""
        if not all(self._violated[rule] for rule in rules):
            return False
        literals = [-self._violated[rule] for rule in rules]
        for cell, left in known.items():
            literals += [-self._literal[cell, value] for value in self._values[cell].difference(left)]
            literals += [self._literal[cell, self._placed[cell]]] if cell in self._placed else []
        if claim is not None:
            literals.append(self._literal[claim[0], claim[1]] * (-1 if claim[2] else 1))
        return bool(self._control.solve(assumptions=literals).satisfiable)

    def atoms(self, cell: Cell) -> set[tuple[Cell, int]]:
        """Return what a cell may hold: {((1, 2), 3), ...}."""
        return {(cell, value) for value in self._values[cell]}

    def possible(self, rules: Collection[str], facts: Mapping[tuple[Cell, Any], bool]) -> bool:
        """Return whether rules can hold together with the clues and with facts: {((1, 2), 3): True}."""
        if not all(self._violated[rule] for rule in rules):
            return False
        literals = [-self._violated[rule] for rule in rules]
        literals += [self._literal[cell, value] for cell, value in self._placed.items()]
        literals += [self._literal[one] * (1 if holds else -1) for one, holds in facts.items()]
        return bool(self._control.solve(assumptions=literals).satisfiable)


def claims(step: Json) -> list[Claim]:
    """Return what a step concludes, what its placements rule out by one rule not included."""
    return [
        (tuple(one["cell"]), one["value"], key == "placed") for key in ("placed", "eliminated") for one in step[key]
    ]
