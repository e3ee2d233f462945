"""Suppositions and what they lead to, level by level: which few rules refute a literal, by the fewest levels.

_Supposition  what follows from a literal, kept from question to question
Suppositions  those of a board

Rules over the same cells are asked together where single rules refute nothing: a sum with what its cells hold once.
Rules that are asked as a whole are only asked whether they can hold, where nothing else is found.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from pyasp_puzzles.explanation.levels import KnownLevels, Levels, split_level_parts

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from pyasp_puzzles.explanation.ground_rules import GroundRules
    from pyasp_puzzles.explanation.levels import LevelProof
    from pyasp_puzzles.explanation.wholes import Whole

# Models that are kept of a rule that is asked as a whole; most questions about it have one of them as their answer.
_MODELS = 32
# Levels beyond the fewest with which a literal is refuted: a proof of one level more may take fewer rules.
_MORE_LEVELS = 1


class _Supposition:
    """What follows from a literal.

    Args:
        known: what is known.
        literal: the literal.
        rules: the numbers of the rules that are used; all if None.
    """

    def __init__(self, known: KnownLevels, literal: int, rules: Collection[int] | None = None) -> None:
        self.levels = Levels(known, rules, literal)
        self.depth = 0
        self.proof: LevelProof | None = None
        """How this is a contradiction; None if it is not known to be one."""

    @property
    def at_end(self) -> bool:
        """Whether nothing more follows."""
        return self.proof is not None or self.levels.at_end

    def deepen(self) -> None:
        """Add what follows by one more level."""
        self.depth += 1
        if failing := self.levels.next():
            self.proof = min(map(self.levels.proof, failing), key=lambda proof: len(proof.rules))

    def deepen_by_groups(self) -> None:
        """Add what follows by groups of rules over the same cells, and by what single rules force then."""
        if failing := self.levels.next_by_groups():
            self.proof = min(map(self.levels.proof, failing), key=lambda proof: len(proof.rules))
        while not self.at_end:
            self.deepen()


class Suppositions:
    """What suppositions lead to, given what is known.

    Args:
        ground: the rules of the board.
        wholes: {number: the rule} of those that are asked as a whole.
    """

    def __init__(self, ground: GroundRules, wholes: Mapping[int, Whole]) -> None:
        self._parts = ground.once(split_level_parts)
        self._known = KnownLevels(self._parts, {})
        # What was known last.
        self._last: dict[int, bool] = {}
        # {literal: what follows from it}
        self._found: dict[int, _Supposition] = {}
        # {rule: the rule, and the atoms that hold in some of its models}
        self._wholes = {
            rule: (whole, deque[frozenset[int]](maxlen=_MODELS))
            for rule, whole in sorted(wholes.items(), key=lambda one: len(one[1].atoms))
        }

    def know(self, known: Mapping[int, bool]) -> None:
        """Take these atoms as known, and no others."""
        before = self._last
        news = {atom: holds for atom, holds in known.items() if atom not in before}
        if len(before) + len(news) > len(known):
            self._known, self._found, news = KnownLevels(self._parts, {}), {}, dict(known)
        self._last = dict(known)
        touched = self._known.learn(news)
        for literal, one in [*self._found.items()]:
            if not self._still(one, news, touched):
                self._found[literal] = _Supposition(self._known, literal)

    @staticmethod
    def _still(one: _Supposition, news: Mapping[int, bool], touched: Collection[int]) -> bool:
        """Return whether what was found is still all that follows by so many levels; add what more follows."""
        ended = one.at_end
        try:
            if not one.levels.learn(news, touched):
                return True
        except ValueError:
            return False
        if not ended or one.proof:
            return False
        while not one.at_end:  # to begin anew takes longer, and most literals are still not refuted
            one.deepen()
        return one.proof is None

    def refuted(self, literals: Collection[int], check: Callable[[], None]) -> dict[int, LevelProof]:
        """Return {literal: how it is refuted} for those that the fewest levels refute; if none, those that wholes do.

        Args:
            literals: the literals.
            check: counts a question.
        """
        every = {}
        for literal in literals:
            check()
            if literal not in self._found:
                self._found[literal] = _Supposition(self._known, literal)
            every[literal] = self._found[literal]
        waiting = [one for one in every.values() if not one.at_end]
        most = min((one.depth for one in every.values() if one.proof), default=None)
        depth = 0
        while waiting and (most is None or depth < most + _MORE_LEVELS):
            depth += 1
            for one in waiting:
                if one.depth < depth:
                    one.deepen()
                    if one.proof and (most is None or one.depth < most):
                        most = one.depth
            waiting = [one for one in waiting if not one.at_end]
        if most is not None:
            return {
                literal: one.proof for literal, one in every.items() if one.proof and one.depth <= most + _MORE_LEVELS
            }
        return self._by_groups(every, check) or self._by_wholes(every, check)

    @staticmethod
    def _by_groups(every: Mapping[int, _Supposition], check: Callable[[], None]) -> dict[int, LevelProof]:
        """Return what the fewest rounds refute in which rules over the same cells are asked together."""
        found: dict[int, LevelProof] = {}
        waiting = [*every.values()]
        while waiting and not found:
            waiting = [one for one in waiting if one.levels.of_groups]
            for one in waiting:
                check()
                one.deepen_by_groups()
            found = {literal: one.proof for literal, one in every.items() if one.proof}
        return found

    def _by_wholes(self, every: Mapping[int, _Supposition], check: Callable[[], None]) -> dict[int, LevelProof]:
        """Return what rules that are asked as a whole refute."""
        found = {}
        for literal, one in every.items() if self._wholes else ():
            check()
            if proof := self._by_whole(one.levels, self._wholes):
                found[literal] = proof
        return found

    def proof(self, literal: int, rules: Collection[int]) -> LevelProof | None:
        """Return how these rules refute a literal, without those that are not used; None if they do not."""
        one = _Supposition(self._known, literal, rules)
        while not one.at_end:
            one.deepen()
        while one.proof is None and one.levels.of_groups:
            one.deepen_by_groups()
        return one.proof or self._by_whole(one.levels, self._wholes.keys() & rules)

    def _by_whole(self, levels: Levels, rules: Iterable[int]) -> LevelProof | None:
        """Return how a rule that is asked as a whole refutes what was found to follow; None if none does."""
        known, own = self._known.known, levels.own
        for rule in rules:
            whole, models = self._wholes[rule]
            if own.keys().isdisjoint(whole.atoms):
                continue
            then = {atom: own.get(atom, known.get(atom)) for atom in whole.atoms if atom in own or atom in known}
            true = {atom for atom, holds in then.items() if holds}
            false = then.keys() - true
            if any(true <= model and false.isdisjoint(model) for model in models):
                continue
            core, found = whole.answer([*true, *(-atom for atom in false)])
            if found is not None:
                models.appendleft(frozenset(found))
            if core is not None:
                atoms = {abs(one) for one in core}
                return levels.proof_of([rule], atoms & own.keys(), atoms - own.keys())
        return None
