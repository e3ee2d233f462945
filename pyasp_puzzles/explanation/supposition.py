"""How the opposite of a conclusion leads to a contradiction: what each rule of a step forces in turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.explanation.formulas import consequences_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyasp_puzzles.explanation.ground_rules import GroundBoard


class Inference(NamedTuple):
    """A rule, and the literals that it forces."""

    rule: int
    literals: tuple[int, ...]


class Refutation(NamedTuple):
    """A supposition that leads to a contradiction."""

    supposed: int
    inferences: list[Inference]
    """What follows, in order; nothing that the contradiction does not rest on."""
    failing: int
    """The rule that cannot hold then."""
    known: dict[int, bool]
    """The atoms that are known then."""


def refutation(board: GroundBoard, rules: Sequence[int], known: Mapping[int, bool], supposed: int) -> Refutation | None:
    """Return how rules refute a supposition, one rule at a time; None if they do not.

    Args:
        board: the board.
        rules: the rules, by their numbers.
        known: the known atoms.
        supposed: a literal.
    """
    known = {**known, abs(supposed): supposed > 0}
    source: dict[int, int] = {}
    found: list[Inference] = []
    while True:
        forced = {rule: consequences_of(board.rules[rule].formula, known) for rule in rules}
        failing = next((rule for rule, literals in forced.items() if literals is None), None)
        if failing is not None:
            needed = _needed(board, failing, found, source, known)
            return Refutation(supposed, needed, failing, known)
        before = len(found)
        for rule, literals in forced.items():
            news = tuple(literal for literal in sorted(literals or ()) if abs(literal) not in known)
            if news:
                source |= dict.fromkeys(map(abs, news), len(found))
                found.append(Inference(rule, news))
                known |= {abs(literal): literal > 0 for literal in news}
        if len(found) == before:
            return None


def _needed(
    board: GroundBoard, failing: int, found: Sequence[Inference], source: Mapping[int, int], known: Mapping[int, bool]
) -> list[Inference]:
    """Return what a contradiction rests on: of each inference, only the literals that others use."""
    used: dict[int, set[int]] = {}
    waiting = [(failing, len(found))]
    while waiting:
        rule, before = waiting.pop()
        atoms = [atom for atom in board.rules[rule].atoms if source.get(atom, before) < before]
        # A rule that a value satisfies, "row 2 holds 4 once", forces by this value; others force by what is left.
        holding = [atom for atom in atoms if known[atom]]
        for atom in holding or atoms:
            number = source[atom]
            if number not in used:
                used[number] = set()
                waiting.append((found[number].rule, number))
            used[number].add(atom if known[atom] else -atom)
    return [Inference(found[number].rule, tuple(sorted(used[number]))) for number in sorted(used)]
