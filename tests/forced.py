"""A checker of explanations for rules of any kind: plain clingo, the encodings, and nothing of how steps are found.

`step_checker.py` knows what the rules of the puzzles demand, and replays a whole explanation. This one asks of each
step whether its rules and what is known of its cells force its conclusions, where all other rules may be broken, and
whether each rule and each cell is needed. So it can check variants, and rules that a test adds.

Forced     of a puzzle of numbers, from steps as JSON
Demanded   of any puzzle, from steps; a choice that depends on other atoms is a rule, too
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from clingo import Symbol
from clingo.ast import AST, ASTType, parse_string

from pyasp_puzzles import Instance, Step
from pyasp_puzzles.puzzles.questions import rule_files_in_use

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
        self._placed: dict[Cell, int] = {**instance.printed.givens}

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


State = dict[Symbol, bool]


def concluded(step: Step) -> State:
    """Return what a step says to hold and not to hold."""
    return dict.fromkeys(step.placed, True) | dict.fromkeys((*step.eliminated, *step.plain), False)


class Demanded:
    """The rules of a board, each of which can be broken unless it is demanded, as plain clingo has them."""

    def __init__(self, instance: Instance) -> None:
        more = "{ relaxed(Rule) } :- violated(Rule).\n" + "\n".join(freed_choices(instance))
        self._control = grounded(instance, *rule_files_in_use(instance)[1:], more=more)
        self._control.configuration.solve.models = 1  # type: ignore[union-attr]
        self._literal = {atom.symbol: 0 if atom.is_fact else atom.literal for atom in self._control.symbolic_atoms}
        self._rule = {atom.arguments[0]: one for atom, one in self._literal.items() if atom.name == "violated"}

    def force(self, rules: Collection[Symbol], known: Mapping[Symbol, bool], atom: Symbol, *, holds: bool) -> bool:
        """Return whether rules and what is known force an atom to hold, or not to hold."""
        facts = {**known, atom: not holds}
        literals = [self._literal[one] * (1 if value else -1) for one, value in facts.items()]
        literals += [-self._rule[rule] for rule in rules]
        return not self._control.solve(assumptions=literals).satisfiable

    def violations(self, steps: Sequence[Step]) -> Iterator[str]:
        """Yield what is wrong with the steps of an explanation, except with the last, which says how it ends."""
        state = State()
        cell_of = {atom: cell for step in steps for atom, (cell, _) in step.display.meaning.items()}
        for step in steps[:-1]:
            own = {atom: holds for atom, holds in concluded(step).items() if atom not in step.plain}

            parts: list[Symbol | Cell | None] = [None, *step.rules, *step.cells]
            for part in parts:
                rules = [rule for rule in step.rules if rule != part]
                known = {atom: holds for atom, holds in state.items() if cell_of[atom] in {*step.cells} - {part}}
                forced = all(self.force(rules, known, atom, holds=holds) for atom, holds in own.items())
                if forced is not (part is None):
                    yield f"step {step.number}: {f'it is forced without {part}' if forced else 'it is not forced'}"
            state |= concluded(step)


def freed_choices(instance: Instance) -> Iterator[str]:
    """Yield rules by which each choice of an output, `{ a } :- b.`, is free, and `choice(a)` violated without b."""
    outputs = {*instance.puzzle.view().signatures()}
    program: list[AST] = []
    for file in (*instance.puzzle.encodings, *rule_files_in_use(instance)[1:]):
        parse_string(file.read_text(encoding="utf-8"), program.append)
    chosen = [one for one in program if one.ast_type == ASTType.Rule and one.head.ast_type == ASTType.Aggregate]
    for element, others in [(element, rule.body) for rule in chosen for element in rule.head.elements]:
        atom, body = element.literal.atom.symbol, "; ".join(map(str, (*element.condition, *others)))
        if (atom.name, len(atom.arguments)) in outputs:
            yield f"allowed({atom}) :- {body}. #external free({atom}) : {body}. [free] {{ {atom} }} :- free({atom})."
    for name, arity in outputs:
        atom = f"{name}({','.join(f'X{i}' for i in range(arity))})"
        yield f"violated(choice({atom})) :- {atom}, not allowed({atom}). #defined allowed/1."
