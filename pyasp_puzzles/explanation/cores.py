"""Conclusions that need several rules: small sets of rules that contradict the opposite of a literal.

Patience      Patience(200, 60_000, 400, 900_000): limits on what is searched until no further step counts as near
PatienceLeft  what is left of them for one board
_Supposition  what follows from a literal, kept from question to question
Suppositions  those of a board: which few rules refute a literal, by the fewest levels

Deduction by one or two rules comes first, because cores of all rules are slow: by cores alone, an easy Sudoku was not
explained within 40 s. Suppositions are next, level by level: proofs of few levels have few rules, while the size of a
core from clingo depends on how its search happens to run. Where they prove nothing, the smallest cores of clingo are
kept, and searched for again as more becomes known. The smallest core is minimized, first its rules, then the cells
that they need.

Rules over the same cells are asked together where single rules refute nothing: a sum with what its cells hold once.
Rules that are asked as a whole are only asked whether they can hold, where nothing else is found.

Questions are counted, not seconds, so a board has the same steps on every machine. A question is about a rule, a group
or a literal, and takes 0.2 to 0.4 ms on hard Sudokus and killers.
"""

from __future__ import annotations

from collections import deque
from functools import cache, partial
from itertools import chain
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.cores import minimal_subset, smallest_literal_core
from pyasp_puzzles.errors import OutOfTime
from pyasp_puzzles.explanation.closures import irreducible_closure
from pyasp_puzzles.explanation.deduction import Deduced
from pyasp_puzzles.explanation.formulas import TranslatedFormulaSearch
from pyasp_puzzles.explanation.ground_rules import GroundRuleObserver, search_in_ground_rules
from pyasp_puzzles.explanation.levels import KnownLevels, Levels, split_level_parts
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.puzzles.question import Question, ask_clingo, question_output_literals

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from pyasp_puzzles.asp.deadline import Deadline
    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.explanation.closures import Needed
    from pyasp_puzzles.explanation.deduction import Deduction
    from pyasp_puzzles.explanation.ground_rules import GroundRule, GroundRules
    from pyasp_puzzles.explanation.levels import LevelProof
    from pyasp_puzzles.explanation.wholes import Whole
    from pyasp_puzzles.model.puzzle import Instance

# -- Patience ------------------------------------------------------------------------------------------------------


class Patience(NamedTuple):
    """How much is searched until no placement counts as near."""

    found: int
    """Steps that wait for a placement; then all of them are told."""
    questions: int
    """Questions until the next placement."""
    more: int
    """How many more each placement allows, up to those at first."""
    conflicts: int
    """Conflicts of clingo without a core; 300 take 5 ms on a killer."""
    deep: bool = True
    """Whether several rules are searched although some eliminations wait."""


# The hardest classic Sudokus take 20 000 questions in all, at most 8000 between two placements; of published variants
# that are explained to the end, some take nearly 50 000.
THOROUGH = Patience(200, 60_000, 400, 900_000)
# For the grade of a new board. If it takes long, another board is a better choice.
SOON = Patience(200, 20_000, 400, 300_000)
# For a hint: if no placement is near, the cheapest elimination is told.
BRIEF = Patience(12, 4000, 0, 3000, deep=False)


class PatienceLeft:
    """What is left of a patience, and of the time."""

    def __init__(self, patience: Patience, deadline: Deadline) -> None:
        self.patience, self._deadline = patience, deadline
        self._left, self._conflicts = patience.questions, patience.conflicts

    @property
    def spent(self) -> bool:
        """Whether no more may be searched."""
        return self._left < 0 or self._conflicts <= 0

    def check(self) -> None:
        """Count a question.

        Raises:
            OutOfTime: nothing is left of the patience, or of the time.
        """
        self._left -= 1
        if self._left < 0:
            raise OutOfTime
        self._deadline.check()

    def give_up(self, conflicts: int) -> None:
        """Count a search that was given up after so many conflicts."""
        self._conflicts -= conflicts

    def stop(self) -> None:
        """Allow no more questions."""
        self._left = -1

    def placed(self) -> None:
        """Allow more questions after a placement."""
        self._left = min(self.patience.questions, self._left + self.patience.more)


# -- Suppositions and what they lead to ----------------------------------------------------------------------------

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


# -- Cores of named rules ------------------------------------------------------------------------------------------

# A core with at most this many rules is minimized without searching for a smaller one first.
_FEW_RULES_OF_CORE = 8
# A proof with more than this many times the rules of the smallest core is not minimized.
_MOST_SPARE = 2
# Eliminations that cost so much more than the cheapest are learned with it: on hard boards, explanations take a sixth
# less time than with one at a time, and their steps cost as much.
_MORE_COST = 2
# So many proofs are minimized each time; further ones only if they have few rules.
_MOST_LONG_PROOFS = 16
# Minimizing a proof ends if more rules than this cannot be removed beyond those of the smallest core.
_MOST_MORE_RULES = 2
# How many of the smallest cores are searched for again each time.
_MOST_RETRIED = 10
# Literals without a core for which one is searched each time, and so many where others have one. Values come
# first: with 300, the steps of four of the hardest Sudokus cost a quarter more.
_MOST_NEW_TARGETS = 60
_FEW_NEW_TARGETS = 30
# Conflicts after which the search for a core is given up at first, and how many times as many come next.
_FEW_CONFLICTS = 300
_MORE_CONFLICTS = 8
# Conflicts after which it is not known whether a core of fewer rules is one; a sum of 36 cells could take hours.
_MOST_CONFLICTS_OF_CORE = 10_000
# A finding with more rules than this is not searched for other conclusions.
_MOST_EXTENDED = 30


class _Core(NamedTuple):
    rules: list[int]
    literal: int
    """The rules force this."""
    known: frozenset[int] | None
    """The known atoms of the rules when the core was found; None if it must be found again."""
    available: int = 1
    """How many literals are forced by cores of as few rules."""


class _Proof(NamedTuple):
    rules: list[int]
    minimal: list[int]
    """The fewest rules that were found to suffice."""


def _size(core: _Core) -> int:
    return len(core.rules)


class RuleCoreFinder:
    """Finds what several rules force together, for a deduction."""

    def __init__(self, instance: Instance, deduction: Deduction, settings: Settings, effort: PatienceLeft) -> None:
        self._instance, self._settings, self._effort = instance, settings, effort
        self._check = settings.deadline().check
        self._deduction, self._ground = deduction, deduction.ground
        # Grounded when it is first needed.
        self._facts: TranslatedFormulaSearch | None = None
        # The atoms that are facts there.
        self._settled: set[int] = set()
        # {guard: its rule}
        self._guards = {rule.guard: number for number, rule in enumerate(self._ground.rules)}
        self.searches = [self._ground.search]
        """All searches that were used."""
        # The literals that hold in every answer; None before the first question.
        self._decided: list[int] | None = None
        # Those of them that are not known yet.
        self._targets: list[int] = []
        # Targets whose core could not be minimized.
        self._given_up: set[int] = set()
        # The conflicts after which the search for a core is given up.
        self._conflicts = _FEW_CONFLICTS
        # {target: how many atoms were known when a core of it was last searched for}
        self._asked: dict[int, int] = {}
        # The smallest core found of each target.
        self._cores: dict[int, _Core] = {}
        self._suppositions = Suppositions(self._ground, deduction.wholes)
        # The smallest cores that suppositions found, and that no finding has used yet.
        self._next: list[_Core] = []
        # The last proof of each target by suppositions.
        self._proofs: dict[int, _Proof] = {}
        self._random = Random(0)  # noqa: S311 (not for security)
        # False if it is proven that there is no answer.
        self._has_answer = True

    def find(self) -> Deduced | None:
        """Return the smallest finding of the search, minimal in rules and cells; None if no further cell is decided.

        Raises:
            OutOfTime: time ran out.
        """
        if self._timed_out:
            return None
        if self._decided is None:
            self._decided = self._decided_literals()
        if not self._has_answer:
            core = smallest_literal_core(self._fact_search().refute, [*self._guards]) or self._guards
            return self._minimize([self._guards[guard] for guard in core], None)
        known = self._deduction.known
        self._targets = [literal for literal in self._decided if abs(literal) not in known]
        if not any(map(self._deduction.decides, self._targets)):  # answers differ in all cells that are left
            return None
        self._targets = [literal for literal in self._targets if literal not in self._given_up]
        if not self._targets:  # there is more to find, but not within the limits
            self._effort.stop()
        while (smallest := self._smallest() if self._targets else None) is not None and not self._timed_out:
            found = self._found(smallest)
            if found is not None or self._effort.spent:
                return found
        return None

    def _found(self, core: _Core) -> Deduced | None:
        """Return the finding of a core; None if it is given up."""
        found = self._minimize(core.rules, core.literal)
        # What is known is a fact in that search, and may stand for a rule that is missing here.
        if found is None and core.literal in self._targets:
            found = self._minimize(range(len(self._ground.rules)), core.literal)
        return found and found._replace(available=max(core.available, len(found.conclusions)))

    @property
    def is_open(self) -> bool:
        """Whether something that all answers share was not found."""
        known = self._deduction.known
        given_up = [literal for literal in self._given_up if abs(literal) not in known]
        return any(map(self._deduction.decides, [*self._targets, *given_up]))

    @property
    def _timed_out(self) -> bool:
        return any(search.timed_out for search in self.searches)

    def _fact_search(self) -> TranslatedFormulaSearch:
        """Return a search in which all that is known is a fact.

        It takes half as long as one that assumes it: 2.4 s, not 5.1, for 2700 questions about one of the hardest
        Sudokus.
        """
        if self._facts is None:
            observer = GroundRuleObserver(self._settings.deadline()) if self._ground.has_choices else None
            search = search_in_ground_rules(self._instance, self._settings, observer)
            guard_of = {symbol.arguments[0]: -atom for symbol, atom in search.atoms("broken", 1).items()}
            if observer is not None:
                shown = {*self._ground.symbols.values()}
                literals = question_output_literals(self._instance, search)
                outputs = {atom: symbol for symbol, atom in literals.items() if symbol in shown}
                chosen = observer.name_choices(search, outputs, {*guard_of.values()})
                guard_of |= {rule: guard for rule, (_, guard) in chosen.items()}
            guards = {rule.guard: guard_of[rule.name] for rule in self._ground.rules if rule.name in guard_of}
            self._facts = TranslatedFormulaSearch(search, guards | self._translated(search))
            self.searches.append(search)
        known = self._deduction.known
        if news := known.keys() - self._settled:
            self._facts.settle(atom if known[atom] else -atom for atom in news)
            self._settled |= news
        return self._facts

    def _translated(self, search: Search) -> dict[int, int]:
        """Return {literal of the board: the literal of a search for its answers}, without those of facts there."""
        literals = question_output_literals(self._instance, search)
        own = {atom: literals.get(symbol, 0) for atom, symbol in self._ground.symbols.items()}
        return {sign * atom: sign * literal for sign in (1, -1) for atom, literal in own.items() if literal}

    def _smallest(self) -> _Core | None:
        """Return the core with the fewest rules of those that were found."""
        self._next = [core for core in self._next if abs(core.literal) not in self._deduction.known]
        if not self._next:
            self._next = self._cores_by_suppositions()
        return self._next.pop(0) if self._next else self._core_by_search()

    def _cores_by_suppositions(self) -> list[_Core]:
        """Return the cheapest cores of those that the fewest levels find from negations of targets."""
        self._suppositions.know(self._deduction.known)
        found: list[tuple[float, _Core]] = []
        least = len(self._ground.rules)
        refuted = self._suppositions.refuted([-literal for literal in self._targets], self._effort.check)
        proofs = [(-literal, proof.rules) for literal, proof in refuted.items()]
        for literal, rules in sorted(proofs, key=lambda proof: len(proof[1])):
            many = len(found) >= _MOST_LONG_PROOFS and len(rules) > _FEW_RULES_OF_CORE
            if many or len(rules) > _MOST_SPARE * least:
                break
            self._effort.check()
            core = self._proof_of_few_rules(literal, rules, least)
            least = min(least, len(core.rules))
            found.append((self._proof_cost(core), _Core(core.rules, literal, None)))
        found.sort(key=lambda one: (one[0], one[1].literal))
        # The others that take as many rules need not be searched for again.
        cheapest = [core for cost, core in found if int(cost) == int(found[0][0])]
        number = len(cheapest)
        if cheapest and not self._deduction.decides(cheapest[0].literal):
            near = (core for cost, core in found[1:] if cost < found[0][0] + _MORE_COST)
            for rules, literal, *_ in near:
                if not self._deduction.decides(literal):
                    used = tuple(sorted(rules))
                    self._deduction.wait_too(used, literal, number, self.refuting(used))
            del cheapest[1:]
        return [core._replace(available=number) for core in cheapest]

    def _proof_of_few_rules(self, literal: int, rules: list[int], least: int) -> LevelProof:
        """Return a proof of few rules that refutes the negation of a literal: of these, or found before.

        Minimizing ends early if they cannot come near `least`, the fewest rules of other proofs.
        """

        def proof(rest: list[int]) -> list[int] | None:
            found = self._suppositions.proof(-literal, rest)
            return found and found.rules

        before = self._proofs.get(literal)
        found = [before.minimal] if before and self._suppositions.proof(-literal, before.minimal) else []
        if not found or not before or before.rules != rules:
            found.append(minimal_subset(sorted(rules), proof, least + _MOST_MORE_RULES))
        proofs = [self._suppositions.proof(-literal, rest) for rest in found]
        best = min(filter(None, proofs), key=self._proof_cost)
        self._proofs[literal] = _Proof(rules, best.rules)
        return best

    def _proof_cost(self, proof: LevelProof) -> float:
        """Return the cost of a proof, by which proofs are compared."""
        cells = {self._ground.cells[atom] for atom in proof.known}
        return self._deduction.cost(proof.rules, cells)

    def _core_by_search(self) -> _Core | None:
        """Return the smallest core of those that clingo finds."""
        rules = [rule for rule in range(len(self._ground.rules)) if not self._deduction.is_satisfied(rule)]
        targets = self._targets
        self._cores = {literal: self._cores[literal] for literal in targets if literal in self._cores}
        # If few literals have a core that is found quickly, the least recently searched come first.
        new = sorted((one for one in targets if one not in self._cores), key=lambda one: self._asked.get(one, 0))
        new = new[: _FEW_NEW_TARGETS if self._cores else _MOST_NEW_TARGETS]
        self._asked |= dict.fromkeys(new, len(self._deduction.known))
        self._keep(self._core(rules, literal) for literal in new)
        while new and not self._cores and not self._timed_out and not self._effort.spent:
            # On some boards, the core of one literal takes a second, that of another a millisecond.
            self._conflicts *= _MORE_CONFLICTS
            self._keep(self._core(rules, literal) for literal in new)
        best = sorted(self._cores.values(), key=_size)[:_MOST_RETRIED]
        best = self._keep(self._renew(core) or self._core(rules, core.literal) for core in best)
        # clingo's cores depend on the order of the assumptions: shuffled, they lead to smaller ones.
        vain = 0
        while best and len(best[0].rules) > _FEW_RULES_OF_CORE and vain < Limits.MOST_VAIN:
            self._random.shuffle(rules)
            least = len(best[0].rules)
            best = self._keep(min(core, self._core(rules, core.literal) or core, key=_size) for core in best)
            vain = 0 if len(best[0].rules) < least else vain + 1
        return best[0] if best else None

    def _keep(self, found: Iterable[_Core | None]) -> list[_Core]:
        """Store the cores that were found; return them, those with the fewest rules first."""
        cores = sorted(filter(None, found), key=_size)
        self._cores |= {core.literal: core for core in cores}
        return cores

    def _renew(self, core: _Core) -> _Core | None:
        """Return a core among the same rules, given what is known now."""
        return core if core.known == self._known(core.rules) else self._core(core.rules, core.literal)

    def _core(self, rules: Iterable[int], literal: int) -> _Core | None:
        self._check()
        guards = [self._ground.rules[rule].guard for rule in rules]
        core = None if self._effort.spent else self._fact_search().refute([-literal, *guards], self._conflicts)
        self._effort.give_up(self._conflicts if core is None else 0)
        if core is None:
            return None
        found = [self._guards[one] for one in core if one in self._guards]
        return _Core(found, literal, self._known(found))

    def _known(self, rules: Iterable[int]) -> frozenset[int]:
        """Return the known atoms of some rules."""
        return frozenset().union(*(self._ground.rules[rule].atoms for rule in rules)) & self._deduction.known.keys()

    def _answers(self) -> Search:
        """Return a search for the answers, given what is known."""
        if not self._instance.variants:
            return self._ground.search.assuming(self._deduction.assumptions(), self._settings)
        # Where rules can be broken, `pruning.lp` is left out, and a search may take minutes.
        outputs = self._instance.puzzle.view().outputs
        search = ask_clingo(self._instance, self._settings, Question(outputs, pruning="all"))
        own, known = self._translated(search), self._deduction.known
        assumed = [literal for atom in known if (literal := own.get(atom if known[atom] else -atom))]
        return search.assuming(assumed, self._settings)

    def _decided_literals(self) -> list[int]:
        """Return the literals that hold in every answer."""
        search = self._answers()
        self.searches.append(search)
        always = search.consequences("cautious")
        self._has_answer = always is not None or not search.exhausted
        sometimes = search.consequences("brave") if always is not None else None
        if always is None or sometimes is None or not search.exhausted:
            return []
        certain, possible, symbols = set(always), set(sometimes), self._ground.symbols
        return [
            *(atom for atom in symbols if symbols[atom] in certain),
            *(-atom for atom in symbols if symbols[atom] not in possible),
        ]

    def _minimize(self, rules: Sequence[int], literal: int | None) -> Deduced | None:
        """Return the finding of a core of rules, minimal in rules and cells."""
        search = self._ground.search_of(rules, self._settings)
        refute, parts = partial(search.refute, most=_MOST_CONFLICTS_OF_CORE), self._parts(rules)
        needed = self._needed(refute, rules, parts, literal)
        if needed is None and not search.gave_up:
            # These rules rest on a rule without a name.
            refute = partial(self._ground.search.refute, most=_MOST_CONFLICTS_OF_CORE)
            parts = self._parts(range(len(self._ground.rules)))
            needed = self._needed(refute, rules, parts, literal)
        if search.gave_up:  # what can be left out is not known
            self._effort.give_up(_MOST_CONFLICTS_OF_CORE)
            self._given_up.add(literal or 0)
            self._targets = [one for one in self._targets if one != literal]
            self._cores.pop(literal or 0, None)
            return None
        if needed is None or self._timed_out:
            return None
        conclusions = [] if literal is None else [literal]
        if literal is not None and len(needed[0]) <= _MOST_EXTENDED:
            atoms = {atom for rule in needed[0] for atom in self._ground.rules[rule].atoms}
            others = [other for other in self._targets if abs(other) in atoms and other != literal]
            fewer = {cell: parts[cell] for cell in needed[1]}
            # Asked one by one, what does not follow took a third of the time of a core.
            assumed = [*(self._ground.rules[rule].guard for rule in needed[0]), *chain.from_iterable(fewer.values())]
            forced = search.forced(assumed, map(abs, others), _MOST_CONFLICTS_OF_CORE) or ()
            conclusions += [
                other
                for other in others
                if other in forced and self._needed(refute, needed[0], fewer, other, every=True) == needed
            ]
        return Deduced(*needed, tuple(sorted(conclusions)))

    def refuting(self, rules: tuple[int, ...]) -> Callable[[list[int]], list[int] | None]:
        """Return what refutes literals by some rules."""
        search = cache(lambda: self._ground.search_of(rules))  # made when it is first asked
        return lambda literals: search().refute(literals, _MOST_CONFLICTS_OF_CORE)

    def _parts(self, rules: Iterable[int]) -> dict[Cell, list[int]]:
        """Return what is known of the cells of some rules, as literals."""
        cells = sorted(self._deduction.knowledge(rules))
        return {cell: self._deduction.literals_of(cell) for cell in cells}

    def _needed(
        self,
        refute: Callable[[list[int]], list[int] | None],
        rules: Sequence[int],
        parts: Mapping[Cell, Sequence[int]],
        literal: int | None,
        *,
        every: bool = False,
    ) -> Needed | None:
        """Return those of the rules and cells that force a literal; with `every`, None if some are not needed."""
        self._check()
        proof = None if literal is None else self._suppositions.proof(-literal, rules)
        if every and proof is not None and len(proof.rules) < len(rules):
            return None
        likely = {self._ground.cells[atom] for atom in proof.known} if proof else ()
        guards = {self._ground.rules[rule].guard: rule for rule in rules}
        return irreducible_closure(
            refute, guards, parts, literal, likely=[cell for cell in sorted(likely) if cell in parts]
        )


def core_of_rules(ground: GroundRules) -> list[GroundRule]:
    """Return a minimal set of rules that cannot hold together, the smallest of several; empty if they can."""
    rules = {rule.guard: rule for rule in ground.rules}
    core = smallest_literal_core(ground.search.refute, list(rules))
    return sorted((rules[guard] for guard in core or ()), key=lambda rule: rule.name)
