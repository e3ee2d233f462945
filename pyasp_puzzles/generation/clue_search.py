"""`ClueSearch`, the boards of one layout: their answers for any clues, which are assumptions.

Outcomes depend on whether there are answers, never on which answer clingo finds first. So the same random numbers make
the same board on every machine, whatever was asked before.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from pyasp_puzzles.asp.search import SEARCH_ANEW, Decisions
from pyasp_puzzles.asp.symbols import fact_symbol, symbol_arguments, symbol_from_plain
from pyasp_puzzles.boards.grid import grouped
from pyasp_puzzles.generation import layouts
from pyasp_puzzles.generation.clues import clue_keys, gathered_clues, possible_clues, with_clues
from pyasp_puzzles.puzzles import questions
from pyasp_puzzles.puzzles.questions import Question, rules_in_use
from pyasp_puzzles.queries.sessions import (
    is_direct_session_key,
    open_session_facts,
    session_choice_rule,
    unknown_session_facts,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path
    from random import Random
    from typing import Self

    from clingo import Model, Symbol

    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.generation.clues import Clue
    from pyasp_puzzles.model.keys import Key, KeyOffer
    from pyasp_puzzles.model.puzzle import Instance, Puzzle

# Output atoms of a board whose answers are listed.
_SMALL_BOARD = 128

# Answers among which one is drawn at random. Listing 20 takes as long as fixing one more cell.
_FEW_ANSWERS = 20
# If a board with at most `_SMALL_BOARD` output atoms has at most this many answers, all have the same probability.
_MOST_ANSWERS_LISTED = 5000


# The literals of the atoms that hold in an answer, without those of facts.
AnswerLiterals: TypeAlias = "frozenset[int]"

# Changes that are tried to an answer whose clues leave other answers.
_MOST_CHANGES = 100
# Other answers are counted up to here.
_MOST_OTHERS = 12
# The sides of the squares of cells that are drawn anew.
_SQUARES = (3, 4, 5)
# Conflicts after which a square is left as it was.
_MOST_CONFLICTS_OF_SQUARE = 300

# One cell in four is fixed before the remaining answers are first counted, then one in 27 before each further count.
_FIXED_SHARE, _STEPS = 4, 27


class ClueSearch:
    """The boards of one layout, grounded without clues.

    Args:
        board: a board of the layout; its clues do not matter, except for which tokens there are.
        settings: the rules and the time limit.
        keys: the keys of the clues, by default `clue_keys`. The facts of others are part of the layout.
        offers: the possible clues of several facts, such as lines.
        answer: the atoms of the only answer that is of interest; None for every answer.
        possible: the clues of one fact that may be chosen; None for all that a board may have.
        more: further files of rules.
        fixed: atoms that every answer has.
        lines: further lines of the program.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
        OutOfTime: grounding did not end in time; every question raises this, too.
    """

    def __init__(
        self,
        board: Instance,
        settings: Settings,
        keys: Sequence[Key] | None = None,
        offers: Sequence[KeyOffer] = (),
        *,
        answer: Sequence[Symbol] | None = None,
        possible: Collection[Symbol] | None = None,
        more: Sequence[Path] = (),
        fixed: Sequence[Symbol] = (),
        lines: Sequence[str] = (),
    ) -> None:
        self.keys = clue_keys(board.puzzle) if keys is None else keys
        """The keys of the clues."""
        self.board = with_clues(board, (), self.keys)
        settings.deadline().check()
        self._given, self._settings, self._offers = board, settings, offers
        self.puzzle = board.puzzle
        self.view = self.puzzle.view(self.puzzle.kind.generated_view)
        self._output = self.view.outputs[0].partition("/")[0]
        rules = rules_in_use(self.board, settings)
        self._direct = [key for key in self.keys if is_direct_session_key(key, self._output, rules)]
        self.all_direct = len(self._direct) == len(self.keys)
        """Whether the rules use all clues only to put their numbers in their cells."""
        open_ = [key for key in self.keys if key not in self._direct and not key.kind.drawn]
        if possible is None:
            chosen = [clue for key in open_ for clue in possible_clues(board, key)]
            chosen += [clue for key in self._direct for clue in unknown_session_facts(board, key)]
        else:
            chosen = sorted(possible)
        choices, offered = _choices(offers)
        choices += [session_choice_rule(chosen), *lines]
        choices += [line for key in open_ if key.option("several") for line in _one_at_a_place(key, chosen)]
        chosen += [fact for clue in offered for fact in clue]
        # {fact of an offer: all facts of the offer, some of which make a clue}
        self._siblings = {fact: clue for clue in offered for fact in clue}
        question = Question(
            self.view.outputs,
            given="\n".join([*choices, *self._only(answer), *(f":- not {atom}." for atom in fixed), self.view.shows]),
            files=self.view.files,
            without=[predicate.name for key in self.keys for predicate in key.predicates],
            more=tuple(more),
        )
        self.search = questions.ask(self.board, settings, question, options=SEARCH_ANEW if offers else ())
        self.search.check()
        self._decisions = Decisions(self.search)
        outputs = [self.search.atoms(name, arity) for name, arity in self.view.signatures()]
        self.outputs: dict[Symbol, int] = {atom: atoms[atom] for atoms in outputs for atom in sorted(atoms)}
        """{atom of an answer: its literal, 0 for a fact}"""
        # {literal of an atom that may or may not hold: its place among them}
        self._free = {literal: i for i, literal in enumerate(filter(None, self.outputs.values()))}
        self.chosen = open_session_facts(self.search, {(clue.name, len(clue.arguments)) for clue in chosen})
        """{clue: its literal} for the clues that are chosen with an answer; the others are atoms of the answer."""

    def _only(self, answer: Sequence[Symbol] | None) -> Iterator[str]:
        """Yield lines with which there is no other answer, and less to ground."""
        if answer is None:
            return
        yield from (f"{atom}." for atom in answer)
        if len(self.view.outputs) == 1 and len(answer[0].arguments) == 3:
            most = max(atom.arguments[2].number for atom in answer)
            for r, c, value in (symbol_arguments(atom) for atom in answer):
                yield f"excluded({r},{c},V) :- V = 0..{most}, V != {value}."

    def offering(
        self, offers: Sequence[KeyOffer], facts: Collection[Symbol], answer: AnswerLiterals
    ) -> tuple[Self, AnswerLiterals]:
        """Return a search in which only some clues can be chosen, and the answer as its literals.

        Args:
            offers: the clues of several facts.
            facts: the facts of the clues; those of one fact are taken from them.
            answer: the answer as literals of this search.

        A program with the 120 runs of a Nonogram of 15x15, and not with 3840, answers in a tenth of the time.
        """
        possible = self.chosen.keys() & facts - self._siblings.keys()
        other = type(self)(self._given, self._settings, self.keys, offers, possible=possible)
        return other, other.literals(self.atoms(answer))

    def literals(self, atoms: Iterable[Symbol]) -> AnswerLiterals:
        """Return an answer, given its atoms."""
        return frozenset(filter(None, map(self.outputs.__getitem__, atoms)))

    def timed(self, settings: Settings) -> Self:
        """Use the time limit of these settings for further questions, and return this search."""
        self._settings = settings
        self.search = self.search.assuming((), settings)
        return self

    def propagates(self, clues: Collection[Symbol], answer: AnswerLiterals) -> bool:
        """Return whether unit propagation alone leads from clues to an answer."""
        search, decisions = self._unasked
        literals = [*self.assertion(clues), *self.absent(clues)]
        return decisions.needless(search.assuming((), self._settings), literals, self.holding(answer))

    @cached_property
    def _unasked(self) -> tuple[Search, Decisions]:
        """A fresh copy of the program: after other questions, clauses that clingo has learned would propagate more.

        Literals that always hold are not forgotten: of 98 answers for Tectonics of 5x5, 15 would differ.

        Raises:
            OutOfTime: grounding did not end in time.
        """
        search = self.search.again(self._settings)
        search.check()
        return search, Decisions(search)

    # -- Questions --------------------------------------------------------------------

    def refute(self, literals: Sequence[int], most: int | None = None) -> list[int] | None:
        """Return a core of literals; None if they hold together, or if that takes more than `most` conflicts."""
        core = self.search.refute(literals, most)
        self.search.check()
        return core

    def key_of(self, clue: Clue) -> Key:
        """Return the key of a clue."""
        return next(key for key in self.keys if any(predicate.name == clue[0].name for predicate in key.predicates))

    def literal(self, clue: Symbol) -> int:
        """Return the literal that asserts a clue; 0 if it always holds."""
        return self.chosen.get(clue, 0) or self.outputs[_renamed(clue, self._output)]

    def absent(self, clues: Collection[Symbol]) -> list[int]:
        """Return the negated literals of all `chosen` clues except these."""
        return [-literal for clue, literal in self.chosen.items() if clue not in clues]

    def assertion(self, clues: Iterable[Symbol]) -> list[int]:
        """Return the literals of clues, in their order."""
        return [literal for clue in clues if (literal := self.literal(clue))]

    def holding(self, answer: AnswerLiterals) -> list[int]:
        """Return the literals of an answer: those of its atoms, and the negated ones of all other atoms."""
        return [literal if literal in answer else -literal for literal in self._free]

    @property
    def only(self) -> AnswerLiterals:
        """The answer that this search was made for: all atoms that can hold."""
        return frozenset(filter(None, self.outputs.values()))

    def atoms(self, answer: AnswerLiterals) -> list[Symbol]:
        """Return the atoms of an answer."""
        return [atom for atom, literal in self.outputs.items() if not literal or literal in answer]

    @contextmanager
    def other_than(self, answer: AnswerLiterals) -> Iterator[int]:
        """Provide a literal to assume for other answers than this one; after the block, it is false."""
        guard = self.search.forbid(self.holding(answer))
        try:
            yield guard
        finally:
            self.search.settle([-guard])

    def another(self, literals: Sequence[int], most: int | None = None) -> AnswerLiterals | None:
        """Return an answer under assumptions; None if there is none, or if that takes more than `most` conflicts."""
        answers = self.search.find(literals, 1, self._read, most=most)
        return answers[0] if answers else None

    def _read(self, model: Model) -> AnswerLiterals:
        return frozenset(filter(None, map(self.outputs.get, model.symbols(shown=True))))

    # -- A random answer --------------------------------------------------------------

    def random_answer(self, rng: Random, *, listed: bool = True) -> AnswerLiterals | None:
        """Return a random answer, None if there is none.

        If a small board has few enough answers, they are listed, and each has the same probability; `listed` is false
        where this is not worth the time, because only one is drawn. Otherwise random cells get random numbers that
        still allow an answer, until at most `_FEW_ANSWERS` answers are left; one of these is drawn.
        """
        every = self._every if listed else None
        if every is not None:
            return rng.choice(every) if every else None
        groups = self._shuffled(rng)
        answer, ordered = self._decisions.first(self.search, groups, self._read)
        if answer is None:
            return None
        fixed: list[int] = []
        passed = 0
        for i in range(len(groups) // _FIXED_SHARE, len(groups), max(1, len(groups) // _STEPS)):
            new, passed = groups[passed:i], i
            answer = answer if ordered else self._ordered(answer, new, fixed)
            true = {*self.holding(answer)}
            # A cell without a number has none of its numbers.
            fixed += [one for options in new for one in true.intersection(options) or [-literal for literal in options]]
            answers = self._answers(fixed, _FEW_ANSWERS)
            if answers is not None:
                return rng.choice(answers)
        return answer if ordered else self._ordered(answer, groups[passed:], fixed)

    def determined(self, answer: AnswerLiterals, rng: Random) -> AnswerLiterals | None:
        """Return an answer near a given one that is the only one with its clues; None if none is found.

        A square of cells is drawn anew where the answer and another one with its clues differ, again and again.
        A change that leaves more answers is taken back. What is found depends on what was asked before.
        """
        cells = {literal: layouts.first_cell(atom) for atom, literal in self.outputs.items() if literal}
        others = self._others(answer, rng)
        for _ in range(_MOST_CHANGES):
            if not others:
                return answer
            r, c = cells[rng.choice(sorted(answer ^ rng.choice(others)))] or (1, 1)
            side = rng.choice(_SQUARES)
            r, c = r - rng.randrange(side), c - rng.randrange(side)
            square = {(r + y, c + x) for y in range(side) for x in range(side)}
            inside = [literal for literal, cell in cells.items() if cell in square]
            held = [literal for literal in self.holding(answer) if cells[abs(literal)] not in square]
            groups = [rng.sample([literal, -literal], 2) for literal in rng.sample(inside, len(inside))]
            near, _ = self._decisions.first(self.search, groups, self._read, _MOST_CONFLICTS_OF_SQUARE, held)
            if near is None or near == answer:
                continue
            left = self._others(near, rng)
            if len(left) <= len(others):
                answer, others = near, left
        return None

    def _others(self, answer: AnswerLiterals, rng: Random) -> list[AnswerLiterals]:
        """Return other answers with all clues of an answer, up to a limit."""
        clues = {fact for clue in self.clues(answer, rng) for fact in clue}
        answers = self.search.find([*self.assertion(clues), *self.absent(clues)], _MOST_OTHERS, self._read)
        return [other for other in answers if other != answer]

    def clues_in(self, answer: AnswerLiterals) -> list[Symbol]:
        """Return facts of clues that hold together for an answer, nearly all that can."""
        models = self.search.find(self.holding(answer), 1, self._chosen_in, "pos")
        return models[0] if models else []

    def _shuffled(self, rng: Random) -> list[list[int]]:
        groups = [list(options) for options in self._groups]
        rng.shuffle(groups)
        for options in groups:
            rng.shuffle(options)
        return groups

    def _ordered(
        self, answer: AnswerLiterals, groups: Sequence[Sequence[int]], before: Sequence[int]
    ) -> AnswerLiterals:
        """Return the answer that has some literals, and the first possible one of each group, given those before.

        It is asked cell by cell; nothing is asked of literals that hold in the answer found last, at first `answer`.
        """
        fixed = [*before]
        for options in groups:
            for option in options:
                holds = option in answer if option > 0 else -option not in answer
                near = answer if holds else self.another([*fixed, option])
                if near is not None:
                    answer = near
                    fixed.append(option)
                    break
        return answer

    @cached_property
    def _groups(self) -> list[list[int]]:
        """What each cell may hold, as literals: its numbers; for other atoms, the literal and its negation.

        Cached: further Sudokus of a layout take 16 ms more without it, of 58.
        """
        cells: dict[object, list[int]] = {}
        for atom, literal in self.outputs.items():
            if literal and len(self.view.outputs) == 1 and len(atom.arguments) == 3:
                cells.setdefault((str(atom.arguments[0]), str(atom.arguments[1])), []).append(literal)
            elif literal:
                cells[atom] = [literal, -literal]
        return list(cells.values())

    @cached_property
    def _every(self) -> list[AnswerLiterals] | None:
        """All answers of the layout, if it is small and has at most `_MOST_ANSWERS_LISTED`."""
        return self._answers((), _MOST_ANSWERS_LISTED) if len(self.outputs) <= _SMALL_BOARD else None

    def _answers(self, literals: Sequence[int], most: int) -> list[AnswerLiterals] | None:
        """Return the answers under assumptions, sorted; None if there are more than `most`."""
        self.search.find(literals, most + 1, lambda _: None)
        if not self.search.exhausted:
            return None
        answers = self.search.find(literals, 0, self._read)
        return sorted(answers, key=lambda answer: sorted(self._free[literal] for literal in answer))

    # -- The clues of an answer ---------------------------------------------------------

    def clues(self, answer: AnswerLiterals, rng: Random) -> list[Clue]:
        """Return a maximal set of clues that hold for an answer together."""
        facts = self._clue_facts(answer, rng)
        return [clue for key in self.keys for clue in gathered_clues(key, facts)]

    def _clue_facts(self, answer: AnswerLiterals, rng: Random) -> list[Symbol]:
        true = self.atoms(answer)
        told = [atom for atom in true if atom.name == self._output]
        sure = [_renamed(atom, key.fact) for key in self._direct for atom in told]
        if not self.chosen:
            return sure
        holding = self.holding(answer)
        away = [absent for absent, *_ in self._lists]
        possible: list[Symbol] = []
        # One place at a time: together, the lengths of the runs of all lines take minutes on 15x15.
        for i, (_, has_some, clues) in enumerate(self._lists):
            assumed = [has_some, *holding, *away[:i], *away[i + 1 :]]
            possible += chain(*self.search.find(assumed, 1, partial(_true_clues, clues), "pos"))
        left = {clue: literal for clue, literal in self.chosen.items() if clue.name not in self._several}
        while left:  # with true as the first value, the first answer has nearly all clues that it can have
            guard = self.search.forbid([-literal for literal in left.values()])  # one of them is to hold
            models = self.search.find([guard, *holding, *away], 1, self._chosen_in, "pos")
            self.search.settle([-guard])
            new = {clue for clue in models[0] if clue in left} if models else set()
            if not new:
                break
            possible += sorted(new)
            gone = {*new, *(fact for clue in new for fact in self._siblings.get(clue, ()))}
            left = {clue: literal for clue, literal in left.items() if clue not in gone}
        possible.sort()
        rng.shuffle(possible)
        unique = {predicate.name: predicate.unique for key in self.keys for predicate in key.predicates}
        places = {(clue.name, *clue.arguments[: unique[clue.name]]): clue for clue in possible}
        possible = list(places.values())  # a board has one clue at a place, even if others would hold, too
        together = [self.chosen[clue] for clue in possible]
        if self.refute([*holding, *together]) is None:
            return [*sure, *possible]
        kept: list[Symbol] = []
        for clue in possible:
            if self.refute([*holding, *(self.chosen[other] for other in kept), self.chosen[clue]]) is None:
                kept.append(clue)
        return [*sure, *kept]

    @cached_property
    def _several(self) -> dict[str, int]:
        """{fact of a key with several clues at one place, in order: how many arguments say the place}."""
        return {key.fact: key.place for key in self.keys if key.option("several")}

    @cached_property
    def _lists(self) -> list[tuple[int, int, dict[int, Symbol]]]:
        """For each place with several clues: literals to assume that it has none, or some, and {literal: clue}."""
        places = grouped(
            ((clue.name, *clue.arguments[: self._several[clue.name]]), (literal, clue))
            for clue, literal in self.chosen.items()
            if clue.name in self._several
        )
        lists = [*map(dict, places.values())]
        none = self.search.guards([[-literal for literal in clues] for clues in lists])
        some_hold = [self.search.forbid([-literal for literal in clues]) for clues in lists]
        return [*zip(none, some_hold, lists, strict=True)]

    def random_facts(self, key: Key, rng: Random) -> list[Symbol]:
        """Return facts of a key that the program chooses at random; none if it cannot choose any."""
        of_predicates = (
            sorted(self.search.atoms(predicate.name, len(predicate.arguments)).items()) for predicate in key.predicates
        )
        atoms = dict(chain.from_iterable(of_predicates))
        groups = [[literal, -literal] for literal in atoms.values() if literal]
        rng.shuffle(groups)
        names = {literal: atom for atom, literal in atoms.items()}
        chosen, _ = self._decisions.first(
            self.search, groups, lambda model: [names[literal] for literal, _ in groups if model.is_true(literal)]
        )
        return [*(chosen or ()), *(atom for atom, literal in atoms.items() if not literal)]

    def _chosen_in(self, model: Model) -> list[Symbol]:
        return [clue for clue, literal in self.chosen.items() if model.is_true(literal)]

    def only_answer(self, clues: Collection[Symbol]) -> AnswerLiterals | None:
        """Return the only answer under clues; None if there are several or none."""
        try:
            literals = [*self.assertion(clues), *self.absent(clues)]
        except KeyError:  # no answer has the number of one of the clues
            return None
        answers = self.search.find(literals, 2, self._read)
        return answers[0] if len(answers) == 1 else None

    def allows(self, answer: AnswerLiterals, clue: Symbol) -> bool:
        """Return whether a clue holds for an answer."""
        if clue not in self.chosen:
            return self.literal(clue) in {0, *answer}
        return self.refute([*self.holding(answer), self.chosen[clue]]) is None

    def missed(self, answer: AnswerLiterals, clues: Collection[Symbol]) -> set[Symbol]:
        """Return clues of which one must be there for an answer to hold: a dot, if all dots are given; often none."""
        core = self.refute([*self.holding(answer), *self.assertion(clues), *self.absent(clues)])
        return {clue for clue, literal in self.chosen.items() if -literal in (core or ())}

    def admits(self, answer: AnswerLiterals, clues: Collection[Symbol]) -> bool:
        """Return whether an answer holds if exactly these clues are given."""
        return self.refute([*self.holding(answer), *self.assertion(clues), *self.absent(clues)]) is None


def _true_clues(clues: Mapping[int, Symbol], model: Model) -> list[Symbol]:
    """Return the clues that hold in a model, given by their literals."""
    return [clue for literal, clue in clues.items() if model.is_true(literal)]


def clues_only_forbid(puzzle: Puzzle, variants: Sequence[str], keys: Iterable[Key], settings: Settings) -> bool:
    """Return whether clues of some keys only forbid answers.

    Then no atom of an answer depends on such a clue, and no rule applies because one is absent.
    """
    from pyasp_puzzles.asp import syntax

    rules = syntax.statements(questions.rules_with_variants(puzzle, variants, settings))
    names = {predicate.name for key in keys for predicate in key.predicates}
    outputs = {name for name, _ in puzzle.view(puzzle.kind.generated_view).signatures()}
    if rules is None:
        return False
    dependent = syntax.dependent_predicates(names, rules, ())
    return outputs.isdisjoint(dependent) and not syntax.reads_absence(rules, dependent)


def _choices(offers: Iterable[KeyOffer]) -> tuple[list[str], list[Clue]]:
    """Return rules that choose all facts of an offer or none of them, and the facts of each."""
    lines: list[str] = []
    facts: list[Clue] = []
    for offer in offers:
        first, *rest = (symbol_from_plain(*fact) for fact in offer.facts)
        values = [symbol_from_plain(*fact) for fact in offer.one_of]
        lines.append(f"{{ {first} }}.")
        lines += [f"{fact} :- {first}." for fact in rest]
        if values:
            lines.append(f"{{ {'; '.join(map(str, values))} }} = 1 :- {first}.")
        facts.append((first, *rest, *values))
    return lines, facts


def _one_at_a_place(key: Key, chosen: Iterable[Symbol]) -> Iterator[str]:
    """Yield constraints by which a place has one of several facts: the second run of row 3 has one length."""
    assert key.predicate is not None
    unique = key.predicate.unique
    places = grouped((tuple(fact.arguments[:unique]), str(fact)) for fact in chosen if fact.name == key.fact)
    yield from (f":- {{ {'; '.join(facts)} }} > 1." for facts in places.values() if len(facts) > 1)


def _renamed(atom: Symbol, name: str) -> Symbol:
    return fact_symbol(name, *atom.arguments)
