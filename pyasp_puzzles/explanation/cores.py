"""Conclusions that need several rules: small cores, which refute the opposite of a literal.

Patience      Patience(200, 60_000, 400, 900_000): limits on the search for the next placement
PatienceLeft  what is left of them for one board
_Supposition  propagation from a literal, kept from question to question
Suppositions  those of a board: they refute literals by the fewest levels, and so by few rules

Deduction by one or two rules comes first, because cores of all rules are slow: by cores alone, an easy Sudoku was not
explained within 40 s. Suppositions are next, level by level: proofs of few levels have few rules, while the size of a
core from clingo depends on how its search happens to run. Where they prove nothing, the smallest cores of clingo are
kept, and searched for again as more becomes known. The smallest core is minimized, first its rules, then the cells
that they need.

Where single rules refute nothing, global rules are asked whether they can hold, and not what they force.

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
from pyasp_puzzles.explanation.groups import minimal_needs
from pyasp_puzzles.explanation.levels import KnownLevels, Levels, split_level_parts
from pyasp_puzzles.explanation.propagators import Deduced, known_parts
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.puzzles import questions
from pyasp_puzzles.puzzles.questions import Question
from pyasp_puzzles.queries.formulas import TranslatedFormulaSearch
from pyasp_puzzles.queries.ground_rules import GroundRuleObserver, search_in_ground_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from pyasp_puzzles.asp.deadline import Deadline
    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.explanation.deduction import Deduction
    from pyasp_puzzles.explanation.global_rules import GlobalRule
    from pyasp_puzzles.explanation.groups import Needed
    from pyasp_puzzles.explanation.levels import LevelProof
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.queries.ground_rules import GroundRules

# -- Patience ------------------------------------------------------------------------------------------------------


class Patience(NamedTuple):
    """Limits on the search for the next placement."""

    found: int
    """The most findings that are pending without a placement; with more, all of them are stated."""
    questions: int
    """Questions until the next placement."""
    more: int
    """How many more questions each placement allows, up to `questions`."""
    conflicts: int
    """Conflicts of clingo without a core; 300 take 5 ms on a killer."""
    deep: bool = True
    """Whether conclusions of several rules are searched for although eliminations are pending."""


# The hardest classic Sudokus take 20 000 questions in all, at most 8000 between two placements; of published variants
# that are explained to the end, some take nearly 50 000.
THOROUGH = Patience(200, 60_000, 400, 900_000)
# For the grade of a new board. If it takes long, another board is a better choice.
SOON = Patience(200, 20_000, 400, 300_000)
# For a hint: if no placement is near, the cheapest elimination is stated.
BRIEF = Patience(12, 4000, 0, 3000, deep=False)


class PatienceLeft:
    """What is left of the limits, and of the time."""

    def __init__(self, patience: Patience, deadline: Deadline) -> None:
        self.patience, self._deadline = patience, deadline
        self._left, self._conflicts = patience.questions, patience.conflicts

    @property
    def spent(self) -> bool:
        """Whether the questions or the conflicts are spent."""
        return self._left < 0 or self._conflicts <= 0

    def check(self) -> None:
        """Count a question.

        Raises:
            OutOfTime: the questions or the time are spent.
        """
        self._left -= 1
        if self._left < 0:
            raise OutOfTime
        self._deadline.check()

    def give_up(self, conflicts: int) -> None:
        """Count the conflicts of a search that was given up."""
        self._conflicts -= conflicts

    def stop(self) -> None:
        """Allow no more questions."""
        self._left = -1

    def placed(self) -> None:
        """Allow more questions after a placement."""
        self._left = min(self.patience.questions, self._left + self.patience.more)


# -- Suppositions and what they lead to ----------------------------------------------------------------------------

# At most this many models of a global rule are kept; they answer most questions about it.
_MODELS = 32
# Levels beyond the fewest with which a literal is refuted: a proof of one level more may take fewer rules.
_MORE_LEVELS = 1


class _Supposition:
    """Propagation from a literal.

    Args:
        known: the known atoms.
        literal: the literal.
        rules: the rules that are used, by index; all if None.
    """

    def __init__(self, known: KnownLevels, literal: int, rules: Collection[int] | None = None) -> None:
        self.levels = Levels(known, rules, literal)
        self.proof: LevelProof | None = None
        """The proof of a contradiction; None if none was found."""

    @property
    def depth(self) -> int:
        """How many levels were added."""
        return self.levels.depth

    @property
    def at_end(self) -> bool:
        """Whether nothing more follows by single rules, or there is a contradiction."""
        return self.proof is not None or self.levels.at_end

    def deepen(self) -> None:
        """Add one more level."""
        if failing := self.levels.next():
            self.proof = min(map(self.levels.proof, failing), key=lambda proof: len(proof.rules))


class Suppositions:
    """Propagation from the literals of a board, given its known atoms.

    Args:
        ground: the rules of the board.
        global_rules: {index: the rule} of the global rules.
    """

    def __init__(self, ground: GroundRules, global_rules: Mapping[int, GlobalRule]) -> None:
        self._parts = ground.once(split_level_parts)
        self._known = KnownLevels(self._parts, {})
        # {literal: propagation from it}
        self._found: dict[int, _Supposition] = {}
        # {global rule, by index: (the rule, [the true atoms of a model])}
        self._global_rules = {
            rule: (own, deque[frozenset[int]](maxlen=_MODELS))
            for rule, own in sorted(global_rules.items(), key=lambda item: len(item[1].atoms))
        }

    def know(self, known: Mapping[int, bool]) -> None:
        """Learn atoms, given all that are known by now; they only become more."""
        news = {atom: holds for atom, holds in known.items() if atom not in self._known.known}
        touched = self._known.learn(news)
        for literal, supposition in [*self._found.items()]:
            if not self._still(supposition, news, touched):
                self._found[literal] = _Supposition(self._known, literal)

    @staticmethod
    def _still(supposition: _Supposition, news: Mapping[int, bool], touched: Collection[int]) -> bool:
        """Add known atoms; return whether a supposition still has all that follows by so many levels."""
        levels = supposition.levels
        try:
            levels.learn(news)
            if affected := levels.affected(touched):
                # A proof may be shorter now. After a placement, most inferences would keep too high a level.
                if supposition.proof or (any(news.values()) and not levels.at_end):
                    return False
                levels.catch_up(affected)
        except ValueError:
            return False
        return True

    def refuted(self, literals: Collection[int], check: Callable[[], None]) -> dict[int, LevelProof]:
        """Return {literal: its refuting proof} by the fewest levels; if there is none, by global rules.

        Args:
            literals: the literals.
            check: called once per question.
        """
        every = {}
        for literal in literals:
            check()
            if literal not in self._found:
                self._found[literal] = _Supposition(self._known, literal)
            every[literal] = self._found[literal]
        waiting = [supposition for supposition in every.values() if not supposition.at_end]
        most = min((supposition.depth for supposition in every.values() if supposition.proof), default=None)
        depth = 0
        while waiting and (most is None or depth < most + _MORE_LEVELS):
            depth += 1
            for supposition in waiting:
                if supposition.depth < depth:
                    supposition.deepen()
                    if supposition.proof and (most is None or supposition.depth < most):
                        most = supposition.depth
            waiting = [supposition for supposition in waiting if not supposition.at_end]
        if most is not None:
            return {
                literal: supposition.proof
                for literal, supposition in every.items()
                if supposition.proof and supposition.depth <= most + _MORE_LEVELS
            }
        return self._by_global_rules(every, check)

    def _by_global_rules(self, every: Mapping[int, _Supposition], check: Callable[[], None]) -> dict[int, LevelProof]:
        """Return {literal: the proof that refutes it} by global rules."""
        proofs = {}
        for literal, supposition in every.items() if self._global_rules else ():
            check()
            if proof := self._by_global_rule(supposition.levels, self._global_rules):
                proofs[literal] = proof
        return proofs

    def proof(self, literal: int, rules: Collection[int]) -> LevelProof | None:
        """Return the proof by which some of these rules refute a literal; None if they do not."""
        supposition = _Supposition(self._known, literal, rules)
        while not supposition.at_end:
            supposition.deepen()
        return supposition.proof or self._by_global_rule(supposition.levels, self._global_rules.keys() & rules)

    def _by_global_rule(self, levels: Levels, rules: Iterable[int]) -> LevelProof | None:
        """Return the proof that a global rule contradicts derived atoms; None if none does."""
        known, derived = self._known.known, levels.derived
        for rule in rules:
            asked, models = self._global_rules[rule]
            if derived.keys().isdisjoint(asked.atoms):
                continue
            then = {
                atom: derived.get(atom, known.get(atom)) for atom in asked.atoms if atom in derived or atom in known
            }
            true = {atom for atom, holds in then.items() if holds}
            false = then.keys() - true
            if any(true <= model and false.isdisjoint(model) for model in models):
                continue
            core, model_atoms = asked.answer([*true, *(-atom for atom in false)])
            if model_atoms is not None:
                models.appendleft(frozenset(model_atoms))
            if core is not None:
                atoms = {abs(literal) for literal in core}
                return levels.proof_of([rule], atoms & derived.keys(), atoms - derived.keys())
        return None


# -- Cores of named rules ------------------------------------------------------------------------------------------

# A core with at most this many rules is minimized without searching for a smaller one first.
_FEW_RULES_OF_CORE = 8
# A proof with more than this many times the rules of the smallest core is not minimized.
_MOST_SPARE = 2
# Eliminations that cost less than this more than the cheapest are learned with it: on hard boards, explanations take a
# sixth less time than with one at a time, and their steps cost as much.
_MORE_COST = 2
# This many proofs are minimized each time; further ones only if they have few rules.
_MOST_LONG_PROOFS = 16
# Minimizing a proof ends if more rules than this cannot be removed beyond those of the smallest core.
_MOST_MORE_RULES = 2
# How many of the smallest cores are searched for again each time. With 10, 17 of the hardest Sudokus take a sixth
# longer, and their steps cost as much.
_MOST_RETRIED = 5
# For this many literals without a core, one is searched each time; for fewer where others have one. Values come first:
# with three times as many, these Sudokus take two thirds longer, and their steps cost three quarters more.
_MOST_NEW_TARGETS = 20
_FEW_NEW_TARGETS = 10
# The limit on conflicts of the first search for a core, and the factor by which it grows.
_FEW_CONFLICTS = 300
_MORE_CONFLICTS = 8
# The limit on conflicts when a core is minimized; a sum of 36 cells could take hours.
_MOST_CONFLICTS_OF_CORE = 10_000
# Of a core with more rules than this, other conclusions are not searched for.
_MOST_EXTENDED = 30


class _Core(NamedTuple):
    rules: list[int]
    literal: int
    """The literal that the rules force."""
    known: frozenset[int] | None
    """The known atoms of the rules when the core was found; None if it must be found again."""
    available: int = 1
    """How many literals are forced by cores of equally few rules."""


class _Proof(NamedTuple):
    rules: list[int]
    minimal: list[int]
    """The fewest of them that were found to suffice."""


def _size(core: _Core) -> int:
    return len(core.rules)


class RuleCoreFinder:
    """Finds the conclusions of a deduction that need several rules."""

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
        self._suppositions = Suppositions(self._ground, deduction.global_rules)
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
            finding = self._found(smallest)
            if finding is not None or self._effort.spent:
                return finding
        return None

    def _found(self, core: _Core) -> Deduced | None:
        """Return the finding of a core; None if it is given up."""
        finding = self._minimize(core.rules, core.literal)
        # What is known is a fact in that search, and may stand for a rule that is missing here.
        if finding is None and core.literal in self._targets:
            finding = self._minimize(range(len(self._ground.rules)), core.literal)
        return finding and finding._replace(available=max(core.available, len(finding.conclusions)))

    @property
    def is_open(self) -> bool:
        """Whether a literal that decides a cell in all answers was not found."""
        known = self._deduction.known
        given_up = [literal for literal in self._given_up if abs(literal) not in known]
        return any(map(self._deduction.decides, [*self._targets, *given_up]))

    @property
    def _timed_out(self) -> bool:
        return any(search.timed_out for search in self.searches)

    def _fact_search(self) -> TranslatedFormulaSearch:
        """Return a search in which known atoms are facts.

        It takes half as long as one that assumes them: 2.4 s, not 5.1, for 2700 questions about one of the hardest
        Sudokus.
        """
        if self._facts is None:
            observer = GroundRuleObserver(self._settings.deadline()) if self._ground.has_choices else None
            search = search_in_ground_rules(self._instance, self._settings, observer)
            guard_of = {symbol.arguments[0]: -atom for symbol, atom in search.atoms("broken", 1).items()}
            if observer is not None:
                shown = {*self._ground.symbols.values()}
                literals = questions.output_literals(self._instance, search)
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
        literals = questions.output_literals(self._instance, search)
        literal_of = {atom: literals.get(symbol, 0) for atom, symbol in self._ground.symbols.items()}
        return {sign * atom: sign * literal for sign in (1, -1) for atom, literal in literal_of.items() if literal}

    def _smallest(self) -> _Core | None:
        """Return the core with the fewest rules of those that were found."""
        self._next = [core for core in self._next if abs(core.literal) not in self._deduction.known]
        if not self._next:
            self._next = self._cores_by_suppositions()
        return self._next.pop(0) if self._next else self._core_by_search()

    def _cores_by_suppositions(self) -> list[_Core]:
        """Return the cheapest cores among the proofs of the fewest levels that refute negations of targets."""
        self._suppositions.know(self._deduction.known)
        cores: list[tuple[float, _Core]] = []
        least = len(self._ground.rules)
        refuted = self._suppositions.refuted([-literal for literal in self._targets], self._effort.check)
        proofs = [(-literal, proof.rules) for literal, proof in refuted.items()]
        for literal, rules in sorted(proofs, key=lambda proof: len(proof[1])):
            enough = len(cores) >= _MOST_LONG_PROOFS and len(rules) > _FEW_RULES_OF_CORE
            if enough or len(rules) > _MOST_SPARE * least:
                break
            self._effort.check()
            core = self._proof_of_few_rules(literal, rules, least)
            least = min(least, len(core.rules))
            cores.append((self._proof_cost(core), _Core(core.rules, literal, None)))
        cores.sort(key=lambda entry: (entry[0], entry[1].literal))
        # The others that take as many rules need not be searched for again.
        cheapest = [core for cost, core in cores if int(cost) == int(cores[0][0])]
        number = len(cheapest)
        if cheapest and not self._deduction.decides(cheapest[0].literal):
            near = (core for cost, core in cores[1:] if cost < cores[0][0] + _MORE_COST)
            for rules, literal, *_ in near:
                if not self._deduction.decides(literal):
                    used = tuple(sorted(rules))
                    self._deduction.postpone_core(used, literal, number, self.refuting(used))
            del cheapest[1:]
        return [core._replace(available=number) for core in cheapest]

    def _proof_of_few_rules(self, literal: int, rules: list[int], least: int) -> LevelProof:
        """Return a proof of few rules that refutes the negation of a literal: by some of these, or one found before.

        Minimizing ends early if it cannot come near `least`, the fewest rules of other proofs.
        """

        def proof(rest: list[int]) -> list[int] | None:
            shorter = self._suppositions.proof(-literal, rest)
            return shorter and shorter.rules

        before = self._proofs.get(literal)
        rule_sets = [before.minimal] if before and self._suppositions.proof(-literal, before.minimal) else []
        if not rule_sets or not before or before.rules != rules:
            rule_sets.append(minimal_subset(sorted(rules), proof, least + _MOST_MORE_RULES))
        proofs = [self._suppositions.proof(-literal, rest) for rest in rule_sets]
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
        new = sorted(
            (literal for literal in targets if literal not in self._cores),
            key=lambda literal: self._asked.get(literal, 0),
        )
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

    def _keep(self, cores_found: Iterable[_Core | None]) -> list[_Core]:
        """Store the cores that were found; return them, those with the fewest rules first."""
        cores = sorted(filter(None, cores_found), key=_size)
        self._cores |= {core.literal: core for core in cores}
        return cores

    def _renew(self, core: _Core) -> _Core | None:
        """Return a core among the same rules, given the atoms known now."""
        return core if core.known == self._known(core.rules) else self._core(core.rules, core.literal)

    def _core(self, rules: Iterable[int], literal: int) -> _Core | None:
        self._check()
        guards = [self._ground.rules[rule].guard for rule in rules]
        core = None if self._effort.spent else self._fact_search().refute([-literal, *guards], self._conflicts)
        self._effort.give_up(self._conflicts if core is None else 0)
        if core is None:
            return None
        rules_of_core = [self._guards[guard] for guard in core if guard in self._guards]
        return _Core(rules_of_core, literal, self._known(rules_of_core))

    def _known(self, rules: Iterable[int]) -> frozenset[int]:
        """Return the known atoms of some rules."""
        return frozenset().union(*(self._ground.rules[rule].atoms for rule in rules)) & self._deduction.known.keys()

    def _answers(self) -> Search:
        """Return a search for the answers, given known atoms."""
        if not self._instance.variants:
            return self._ground.search.assuming(self._deduction.assumptions(), self._settings)
        # Where rules can be broken, `pruning.lp` is left out, and a search may take minutes.
        outputs = self._instance.puzzle.view().outputs
        search = questions.ask(self._instance, self._settings, Question(outputs, pruning="all"))
        literal_of, known = self._translated(search), self._deduction.known
        assumed = [literal for atom in known if (literal := literal_of.get(atom if known[atom] else -atom))]
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
        refute = partial(search.refute, most=_MOST_CONFLICTS_OF_CORE)
        parts: Mapping[Cell, Sequence[int]] = {
            cell: [guard] for cell, guard in search.guards(self._parts(rules)).items()
        }
        needed = self._needed(refute, rules, parts, literal)
        if needed is None and not search.gave_up:
            # These rules depend on a rule without a name.
            refute = partial(self._ground.search.refute, most=_MOST_CONFLICTS_OF_CORE)
            parts = self._parts(range(len(self._ground.rules)))
            needed = self._needed(refute, rules, parts, literal)
        if search.gave_up:  # what can be left out is not known
            self._effort.give_up(_MOST_CONFLICTS_OF_CORE)
            self._given_up.add(literal or 0)
            self._targets = [target for target in self._targets if target != literal]
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
        """Return the refuter of some rules."""
        search = cache(lambda: self._ground.search_of(rules))  # made when it is first asked
        return lambda literals: search().refute(literals, _MOST_CONFLICTS_OF_CORE)

    def _parts(self, rules: Iterable[int]) -> dict[Cell, list[int]]:
        """Return {cell: its known literals} for the cells of some rules."""
        atoms = (atom for rule in rules for atom in self._ground.rules[rule].atoms)
        return known_parts(self._ground, atoms, self._deduction.known)

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
        return minimal_needs(refute, guards, parts, literal, likely=[cell for cell in sorted(likely) if cell in parts])
