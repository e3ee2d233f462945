"""Cores of named rules, for conclusions that need several: small sets that contradict the opposite of a literal.

Deduction by one or two rules comes first, because cores of all rules are slow: by cores alone, an easy Sudoku was not
explained within 40 s. Suppositions are next, level by level: proofs of few levels have few rules, while the size of a
core from clingo depends on how its search happens to run. Where they prove nothing, clingo's smallest cores are kept,
and searched for again as more becomes known. The smallest core is minimized, first its rules, then the cells that they
need.
"""

from __future__ import annotations

from functools import cache, partial
from itertools import chain
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.cores import minimal_subset, smallest_literal_core
from pyasp_puzzles.explanation.closures import irreducible_closure
from pyasp_puzzles.explanation.deduction import Deduced
from pyasp_puzzles.explanation.formulas import TranslatedFormulaSearch
from pyasp_puzzles.explanation.ground_rules import GroundRuleObserver, search_in_ground_rules
from pyasp_puzzles.explanation.suppositions import Suppositions
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.puzzles.question import Question, ask_clingo, question_output_literals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.explanation.closures import Needed
    from pyasp_puzzles.explanation.deduction import Deduction
    from pyasp_puzzles.explanation.ground_rules import GroundRule, GroundRules
    from pyasp_puzzles.explanation.levels import LevelProof
    from pyasp_puzzles.explanation.patience import PatienceLeft
    from pyasp_puzzles.model.puzzle import Instance

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
