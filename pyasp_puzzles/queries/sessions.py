"""Sessions: boards that differ only in some facts share a grounding; assumptions select the facts of each board.

_Opening  _Opening(direct=(<givens>,)): the keys of a puzzle whose facts can be assumptions under some rules
Session   a search for all boards of one layout, with {given: {(1, 2, 3): 17}}: the literal to assume for a fact

The facts of a key are *direct* if the rules use them only to put their numbers in their cells: then the numbers are
assumed. Otherwise they are *chosen*: the program may choose any fact that a board can have, and each is assumed to be
true or false, so rules see exactly the facts of the board. If rules derive such facts themselves, or read files, facts
are part of the layout.

A 9x9 Sudoku takes 8 ms by itself, and 0.3 ms in a session. Boards with chosen facts take a fifth of their time in a
session (median of 18 puzzles). Without clues to simplify it, a session takes longer to ground than a single board, so
only the third board of a layout starts one.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from itertools import count, islice
from math import inf
from threading import local
from typing import TYPE_CHECKING, NamedTuple

from clingo.backend import Observer

from pyasp_puzzles.asp.deadline import Deadline
from pyasp_puzzles.asp.search import SEARCH_QUICKLY
from pyasp_puzzles.asp.source import source_stamp
from pyasp_puzzles.asp.symbols import UNKNOWN, fact_symbol, symbol_arguments, symbol_from_plain
from pyasp_puzzles.errors import EncodingError, OutOfTime
from pyasp_puzzles.puzzles import questions
from pyasp_puzzles.puzzles.questions import Question, rules_in_use

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from clingo import Symbol

    from pyasp_puzzles.asp.rules import RuleFile
    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.asp.symbols import Arguments
    from pyasp_puzzles.model.keys import Key
    from pyasp_puzzles.model.puzzle import AnswerView, Instance, Puzzle

# Puzzles, with their rules, whose open keys are cached.
_MOST_RULE_SETS = 16
# Boards of a layout before it gets a session.
_FEWEST_FOR_SESSION = 2
# The most facts to choose in a session: assuming these takes a millisecond for each board. A board of 8x8 whose numbers
# go up to 64 has 4096, and took 147 ms in a session, not 14.
MOST_CHOSEN = 2000
# The most literals in the rules of a session with facts to choose, per board so far: grounding them takes 40 ms. If
# there are more, the session is given up, and the next is tried after twice as many boards.
SESSION_LITERALS = 40_000
# Literals in the rules of the largest such session, which needs 30 MB.
_LARGEST_SESSION = 600_000


# The share of a time limit for grounding a program with facts to choose; if it fails, its board needs the rest.
_SHARE = 0.25


# -- Open facts --------------------------------------------------------------------------------------------------


class _Opening(NamedTuple):
    """The keys of a puzzle whose facts can be assumptions under some rules."""

    direct: tuple[Key, ...] = ()
    chosen: tuple[Key, ...] = ()
    cells: tuple[str, ...] = ()
    """Predicates of all cells: `cell`, by a rule `cell(R, C) :- tile(R, C, _).` about a fact that every cell has."""

    @property
    def keys(self) -> list[Key]:
        """All of them."""
        return [*self.direct, *self.chosen]

    @property
    def names(self) -> list[str]:
        """The predicates of their facts."""
        return [key.fact for key in self.keys]

    def lines(self, board: Instance) -> str:
        """Return the lines of a program that leave open the facts that a board of its layout can have.

        Raises:
            EncodingError: there are too many to choose.
        """
        facts: list[Symbol] = []
        for key in self.chosen:
            more = possible_session_facts(board, key, MOST_CHOSEN - len(facts))
            if more is None:
                raise EncodingError(f"more than {MOST_CHOSEN} facts to choose")
            facts += more
        chosen = session_choice_rule(facts)
        # The rules imply these for all boards, but clingo does not know it, and grounds more without them.
        cells = " ".join(f"{name}({r},{c})." for name in self.cells for r, c in board.cells)
        return f"{absent_session_facts(self.direct)}{chosen}{cells}\n"


def absent_session_facts(keys: Iterable[Key]) -> str:
    """Return the line of a program that says that facts of some keys may be absent."""
    return " ".join(f"#defined {fact.name}/{len(fact.arguments)}." for key in keys for fact in key.predicates)


def session_choice_rule(facts: Iterable[Symbol]) -> str:
    """Return the rule that may choose any of some facts; empty if there are none."""
    members = "; ".join(map(str, facts))
    return members and f"{{ {members} }}."


def possible_session_facts(board: Instance, key: Key, most: int) -> list[Symbol] | None:
    """Return the facts of a key that a board can have by its declaration, or by its own facts; None for too many."""
    outline = board.outline
    choices = [*islice(key.kind.possible(key, outline) if key.kind.possible else (), most + 1)]
    if len(choices) > most:
        return None
    facts = [board.facts.renamed(fact_symbol(key.fact, *arguments)) for arguments in choices]
    return [*facts, *unknown_session_facts(board, key)]


def unknown_session_facts(board: Instance, key: Key) -> list[Symbol]:
    """Return the facts of a key of a board without their value."""
    return [symbol_from_plain(key.fact, fact) for fact in board.facts.arguments(key.fact) if fact[-1] == UNKNOWN]


def is_direct_session_key(key: Key, output: str, rules: Sequence[RuleFile]) -> bool:
    """Return whether rules use the facts of a key only to put their numbers in their cells.

    Then assuming the number is as good as the clue, and faster: 0.33 ms for a Sudoku of a list, not 1.5, since a 9x9
    board has 729 possible clues.
    """
    if key.kind.role != "answers":
        return False
    from pyasp_puzzles.asp import syntax

    program = syntax.statements(rules) or ()
    uses = syntax.statements_using(program, key.fact)
    names = syntax.statement_variables(uses[0]) if len(uses) == 1 else []
    if len(names) != len("RCV"):
        return False
    r, c, v = names
    usual = f"violated({key.rule}({r},{c})) :- {key.fact}({r},{c},{v}); not {output}({r},{c},{v})."
    relaxed = [str(rule) for rule in syntax.statements_using(program, "relaxed")]
    return str(uses[0]) == usual and relaxed == ["#false :- violated(Rule); not relaxed(Rule)."]


@lru_cache(maxsize=_MOST_RULE_SETS)  # a batch of 200 Sudokus takes half as long again without it
def _opening(puzzle: Puzzle, rules: tuple[RuleFile, ...], stamps: tuple[object, ...]) -> _Opening:
    """Return the keys of a puzzle whose facts can be assumptions under some rules; it takes 30 ms."""
    del stamps
    from pyasp_puzzles.asp import syntax

    program = syntax.statements(rules)
    if program is None:
        return _Opening()
    output = puzzle.view().signatures()[0][0]
    keys = _candidates(puzzle)
    direct = [key for key in keys if is_direct_session_key(key, output, rules)]
    others = [
        key
        for key in keys
        if key not in direct and key.kind.possible and syntax.only_reads_predicate(program, key.fact)
    ]
    # Rules that combine three of them could be grounded for hours: there are 729 givens on a 9x9 board.
    chosen = [key for key in others if syntax.most_joined_atoms(program, key.fact) < 3]
    whole = "|".join(key.fact for key in chosen if key.whole)
    about_cells = re.compile(rf"(\w+)\((\w+),(\w+)\) :- (?:{whole or '(?!)'})\(\2,\3,_\)\.")
    cells = [match[1] for statement in program if (match := about_cells.fullmatch(str(statement)))]
    return _Opening(tuple(direct), tuple(chosen), tuple(cells))


def open_session_facts(search: Search, signatures: Iterable[tuple[str, int]]) -> dict[Symbol, int]:
    """Return {fact: its literal} for the facts that a ground program leaves open, sorted.

    Args:
        search: the program.
        signatures: the predicates of the facts, each with its arity.
    """
    return {atom: literal for atom, literal in sorted(search.literals(signatures).items()) if literal}


# -- Sessions ----------------------------------------------------------------------------------------------------


class _Program(NamedTuple):
    """The rules of a board; equal if they say the same."""

    puzzle: Puzzle
    rules: tuple[RuleFile, ...]
    stamps: tuple[object, ...] = ()
    """One for each file, which changes when the file does."""

    @property
    def opening(self) -> _Opening:
        """The keys whose facts the rules leave open."""
        return _opening(*self)

    def layout(self, instance: Instance, keys: Sequence[Key]) -> tuple[object, ...]:
        """Return a cache key: boards with the same one can share a grounding that leaves the facts of `keys` open."""
        domains = [_domain(instance, key) for key in keys if key.kind.role != "answers"]
        return self, instance.facts.layout_key(tuple([key.fact for key in keys])), *domains


def session_program(instance: Instance, settings: Settings) -> _Program:
    """Return the rules of a board. Shipped ones are not looked up, which takes 0.1 ms, a sixth of a listed Sudoku."""
    usual = not settings.edited and not instance.variants
    rules = instance.puzzle.encodings if usual else tuple(rules_in_use(instance, settings))
    return _Program(instance.puzzle, rules, tuple(map(source_stamp, rules)))


def _candidates(puzzle: Puzzle) -> list[Key]:
    """Return the keys whose facts may be open: those with clues, and those with colors.

    There are none if boards have many answers, as in Strata: their order would depend on earlier boards.
    """
    if puzzle.kind.solvable_is_good:
        return []
    keys = [key for key in puzzle.keys if key.clue or key.kind.role == "tiles"]
    return [key for key in keys if key.predicates == [key.predicate] and not key.kind.together]


def _domain(instance: Instance, key: Key) -> Hashable:
    """Return what `possible_session_facts` takes from the facts of a key: the cells of the board, and names."""
    facts = instance.facts
    cells = frozenset(facts.keys(key.fact)) if key.fact == instance.puzzle.required else None
    return cells, None if key.names_declared else frozenset([arguments[-1] for arguments in facts.arguments(key.fact)])


class _Size(Observer):
    """Ends a grounding that becomes too large, or never ends, since rules may join several facts to choose.

    Args:
        most: how many literals the rules may have.
        deadline: when to end it in any case.
    """

    def __init__(self, most: int, deadline: Deadline) -> None:
        self._left, self._late = most, deadline.late

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[object]) -> None:  # noqa: FBT001 (clingo's)
        """Count a rule."""
        del choice
        self._left -= len(head) + len(body)
        if self._left < 0 or self._late():
            raise TimeoutError

    def weight_rule(
        self,
        choice: bool,  # noqa: FBT001 (clingo's signature)
        head: Sequence[int],
        lower_bound: int,
        body: Sequence[tuple[int, int]],
    ) -> None:
        """Count a rule."""
        del lower_bound
        self.rule(choice, head, body)


def _session(instance: Instance, opening: _Opening, view: AnswerView, settings: Settings, most: int) -> Search:
    """Return a search on a ground program for all boards of a layout; not usable if grounding was given up.

    Args:
        instance: one of the boards.
        opening: the keys with open facts.
        view: which answers are asked for.
        settings: the rules, and a time limit for the grounding.
        most: how many literals its rules may have, if there are facts to choose.
    """
    given = f"{opening.lines(instance)}{view.shows}"
    question = Question(view.outputs, given=given, without=opening.names, pruning="all")
    share = Deadline(settings.deadline().left() * _SHARE)
    observer = _Size(most, share) if opening.chosen else None
    return questions.ask(instance, settings, question, observer, SEARCH_QUICKLY)


def _assuming_facts(
    search: Search, instance: Instance, opening: _Opening, view: AnswerView, settings: Settings
) -> Search | None:
    """Return the search for the answers of a board on the ground program of its layout.

    None if a fact of the board is not open, or if time ran out.
    """

    def facts() -> tuple[dict[str, dict[Arguments, int]], set[int]]:
        """Return {predicate: {arguments: the literal to assume, or 0 if it always holds}}, and the literals chosen."""
        outputs = search.atoms(*view.signatures()[0]) if opening.direct else {}
        values = {symbol_arguments(atom): literal for atom, literal in outputs.items()}
        by_predicate = {key.fact: values for key in opening.direct}
        chosen: set[int] = set()
        for key in opening.chosen:
            assert key.predicate is not None
            arity = len(key.predicate.arguments)
            atoms = open_session_facts(search, [(key.fact, arity), *([(key.fact, arity - 1)] if key.unknown else [])])
            arguments = ((key.predicate.completed(symbol_arguments(atom)), literal) for atom, literal in atoms.items())
            by_predicate[key.fact] = dict(arguments)
            chosen.update(atoms.values())
        search.check()  # atoms that could not be asked for must not be kept
        return by_predicate, chosen

    try:
        search.check()
        literals, chosen = search.once("facts", facts)
        direct = {key.fact for key in opening.direct}  # rules do not see these without their numbers
        facts_ = ((name, fact) for name in literals for fact in instance.facts.arguments(name))
        held = [literals[name][fact] for name, fact in facts_ if fact[-1] != UNKNOWN or name not in direct]
    except (KeyError, OutOfTime):
        return None
    assumed = [*filter(None, held)]
    return search.assuming([*assumed, *(-literal for literal in chosen.difference(assumed))], settings)


class _Boards:
    """The boards of a layout: how many there were, and how many are needed for a session."""

    def __init__(self) -> None:
        self.seen = 0
        self.needed: float = _FEWEST_FOR_SESSION + 1

    def enough(self) -> bool:
        """Count another board, and return whether there were enough."""
        self.seen += 1
        return self.seen >= self.needed


def _group() -> int:
    """Return the group of this thread: there is one per processor, and the threads of a group share sessions.

    With one session for all, four threads took 1.2 to 1.4 times as long as one for 200 Sudokus: they waited for each
    other.
    """
    if not hasattr(_THREAD, "group"):
        _THREAD.group = next(_NUMBERS) % (os.cpu_count() or 1)
    return int(_THREAD.group)


def session_search(instance: Instance, view: AnswerView, settings: Settings) -> Search | None:
    """Return a search for the answers of a board on the grounding of its layout.

    None if the board must be grounded by itself, or if there were too few of its layout.

    Raises:
        EncodingError: rules cannot be read, or do not fit the puzzle.
    """
    keys = _candidates(instance.puzzle)
    if not keys or view.files or settings.seed is not None or settings.threads > 1:
        return None
    # Until there are enough boards, all keys count as open: to analyse the rules takes some milliseconds.
    program = session_program(instance, settings)
    key = *program.layout(instance, keys), view.outputs, view.shows
    boards = questions.groundings().get(("boards", *key), _Boards)
    if not boards.enough():
        return None
    opening = program.opening
    if len(opening.keys) < len(keys):
        key = *program.layout(instance, opening.keys), view.outputs, view.shows
        boards = questions.groundings().get(("boards", *key), _Boards)
        if not opening.keys or not boards.enough():
            return None
    most = min(boards.seen * SESSION_LITERALS, _LARGEST_SESSION)
    try:
        search = questions.kept((*key, _group()), lambda: _session(instance, opening, view, settings, most), settings)
    except OutOfTime:
        return None
    except EncodingError:  # grounded by itself, a board says what is wrong
        boards.needed = inf
        return None
    if not search.usable and opening.chosen:
        boards.needed = 2 * boards.seen if most < _LARGEST_SESSION else inf
    return _assuming_facts(search.assuming((), settings), instance, opening, view, settings)


_THREAD, _NUMBERS = local(), count()
