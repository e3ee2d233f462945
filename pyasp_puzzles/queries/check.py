"""The truth about a puzzle: has it just one answer, and if not, what is wrong.

Verdict   what there is to say about a puzzle, whether it has one answer, several, or none
Repair    clues that, taken back, give a board an answer
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, overload

from pyasp_puzzles.asp.deadline import Deadline
from pyasp_puzzles.asp.search import Search, minimal_core
from pyasp_puzzles.asp.settings import DEFAULT, Settings
from pyasp_puzzles.errors import EncodingError
from pyasp_puzzles.formats.load import instance_of
from pyasp_puzzles.puzzles.clues import clue_words
from pyasp_puzzles.puzzles.program import Question, ask, assembled
from pyasp_puzzles.puzzles.wording import WORD_FILES, WORD_PREDICATES, Broken, broken_rules
from pyasp_puzzles.queries.review import broken, literals_of, said_by
from pyasp_puzzles.queries.solve import Count, consequences, count, merged, solutions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyasp_puzzles.asp.symbols import Arguments
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.formats.load import InstanceLike
    from pyasp_puzzles.puzzles.answer import Answer
    from pyasp_puzzles.puzzles.kind import Entry
    from pyasp_puzzles.puzzles.puzzle import Instance


MOST_COUNTED = 1000
"""Answers of a repaired puzzle are counted up to here."""


class Repair(NamedTuple):
    """Clues that, taken back, give a board an answer that has none."""

    clues: tuple[Broken, ...]
    answers: Count
    """How many answers there are without them."""
    kept: bool = False
    """Whether leaving them out helps nothing, but other clues in their place would."""
    instead: str = ""
    """What the cell of the one clue holds in the one answer that there is then."""

    def json(self) -> dict[str, object]:
        """Return `{"clues": [...], "count": ..., "exact": ..., "kept": ..., "instead": ...}`."""
        return {
            "clues": [clue.json() for clue in self.clues],
            "count": self.answers.number,
            "exact": self.answers.exact,
            "kept": self.kept,
            "instead": self.instead or None,
        }


@dataclass(frozen=True)
class Verdict:
    """What there is to say about a puzzle."""

    status: str
    """ "unique", "several", "none", "unknown" where time ran out, or "solvable" where one answer is not asked for."""
    answers: tuple[Answer, ...] = ()
    """One answer, or two of several."""
    differ: tuple[Cell, ...] = ()
    """The cells in which these two differ."""
    decided: int | None = None
    """How many cells are the same in every answer."""
    cells: int = 0
    """How many cells an answer says something of."""
    repairs: tuple[Repair, ...] = ()
    """Where there is no answer: the smallest sets of clues to take back, those that leave one answer first."""
    rules: tuple[Broken, ...] = ()
    """Where there is none whatever the clues: the fewest rules that would have to be broken."""
    clash: tuple[Broken, ...] = ()
    """Where that was not found: rules and clues that cannot hold together."""
    late: bool = False
    """Whether time ran out before the reason was found."""
    add: tuple[Entry, ...] = ()
    """Where there are several: few numbers of the first answer that, as clues, make it the only one."""
    looks: Count | None = None
    """Of a puzzle that need only be solvable: how many finished pictures it has."""
    warnings: tuple[EncodingError, ...] = ()
    """What clingo noticed in the user's rules."""
    stuck: str = ""
    """Where there is no answer: what blocks the board, in words."""

    @property
    def blamed(self) -> tuple[Broken, ...]:
        """The smallest set of clues to take back, or, where no clue is to blame, of rules to break."""
        return self.repairs[0].clues if self.repairs else self.rules

    @property
    def without(self) -> Count | None:
        """How many answers there are without the clues that are blamed; None where no clue is to blame."""
        return self.repairs[0].answers if self.repairs else None


@overload
def check(
    instance: InstanceLike, answer: None = None, settings: Settings = DEFAULT, distinct: str | None = None
) -> Verdict: ...
@overload
def check(
    instance: InstanceLike, answer: Answer, settings: Settings = DEFAULT, distinct: str | None = None
) -> list[Broken] | None: ...
def check(
    instance: InstanceLike, answer: Answer | None = None, settings: Settings = DEFAULT, distinct: str | None = None
) -> Verdict | list[Broken] | None:
    """Return the verdict about an instance, as `verdict` does; or, given an answer, the rules that it breaks.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    instance = instance_of(instance, settings)
    return verdict(instance, settings, distinct) if answer is None else broken(instance, answer, settings)


def verdict(
    instance: Instance, settings: Settings = DEFAULT, distinct: str | None = None, *, reasons: bool = True
) -> Verdict:
    """Return whether an instance has one answer, several, or none, and what is wrong if it has not one.

    Args:
        instance: the board.
        settings: how to search, and what with. Reasons are looked for as long as there is time, 10 seconds at most.
        distinct: what tells answers apart; without it, Strata boards need only be solvable.
        reasons: whether to look for reasons; if not, `reasoned` does later.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    settings = settings.started()
    found = solutions(instance, 2, settings, distinct)
    answers = tuple(found)
    warnings = tuple(found.search.warnings) if found.search else ()
    if not answers:
        said = Verdict("none" if found.complete else "unknown", warnings=warnings)
    elif instance.puzzle.kind.solvable_is_good and distinct is None:
        said = Verdict("solvable", answers[:1], cells=len(answers[0].cells()), warnings=warnings)
    elif len(answers) == 1:
        cells = len(answers[0].cells())
        said = Verdict("unique" if found.complete else "unknown", answers, (), cells, cells, warnings=warnings)
    else:
        one, other = (answer.cells() for answer in answers)
        differ = tuple(sorted(cell for cell in one.keys() | other.keys() if one.get(cell) != other.get(cell)))
        usual = instance.puzzle.view(distinct).outputs == instance.puzzle.view().outputs
        same = merged(instance, found.search, "decided") if found.search and usual else None
        decided = None if same is None else len(same.cells())
        said = Verdict("several", answers, differ, decided, len(one), warnings=warnings)
    return reasoned(instance, said, settings) if reasons else said


def reasoned(instance: Instance, said: Verdict, settings: Settings = DEFAULT) -> Verdict:
    """Return a verdict with its reasons: what is wrong with a board without an answer, what several ones need.

    They are looked for as long as there is time, 10 seconds at most; the best that was found is in the verdict.
    """
    if said.status not in {"none", "several", "solvable"}:
        return said
    settings = settings._replace(timeout=Deadline(min(SECONDS, settings.deadline().left())))
    if said.status == "solvable":
        counting = count(instance, MOST_COUNTED, settings, "looks")
        same = next(consequences(instance, "decided", settings), None)
        decided = None if same is None else len(same.cells())
        return replace(said, looks=counting, decided=decided)
    if said.status == "several":
        return replace(said, add=additions(instance, said.answers[0], settings))
    return _unsolvable(instance, said, settings)


def _unsolvable(instance: Instance, said: Verdict, settings: Settings) -> Verdict:
    """Return the verdict with what is wrong with an instance that has no answer."""
    obstacle = instance.puzzle.kind.obstacle
    if obstacle is not None and not settings.edited:
        search = ask(instance, settings, Question(obstacle.outputs, files=(obstacle.mode,)))
        atoms = next(search.models(1), None)
        return replace(said, stuck="" if atoms is None else obstacle.words(instance, atoms), late=atoms is None)
    for kept in (False, True):
        clues = {clue.name: clue for clue in _clues(instance, kept=kept)}
        repairs = _repairs(instance, clues, settings) if clues else []
        if repairs is None:
            return replace(said, clash=_clash(instance, settings), late=True)
        if repairs:
            return replace(said, repairs=tuple(repair._replace(kept=kept) for repair in repairs))
    search = ask(instance, settings, Question(("broken/1",), ("broken", "repair"), files=WORD_FILES))
    sets = search.optima(1)
    if sets:
        words = [atom for name, arity in WORD_PREDICATES for atom in search.facts(name, arity)]
        return replace(said, rules=tuple(broken_rules(instance, [*sets[0], *words])))
    return replace(said, clash=_clash(instance, settings), late=not search.exhausted)


class _Clue(NamedTuple):
    name: str
    """What it is dropped by: the term of its fact."""
    program: str
    """The lines by which it holds, unless it is dropped."""
    told: Broken
    number: bool = False
    """Whether it is a number of the answer, so that another may be meant in its place."""


def _clues(instance: Instance, *, kept: bool) -> list[_Clue]:
    """Return the clues of a board, each with the rule that it is about: several labels of one line are one clue.

    Args:
        instance: the board.
        kept: whether the fact of a clue is kept, and its rule relaxed, as if it said something else.
    """
    found = []
    for key in instance.puzzle.clue_keys:
        assert key.predicate
        several = bool(key.option("several"))
        lines: dict[Arguments, list[Arguments]] = {}
        for arguments in instance.facts.arguments(key.fact):
            lines.setdefault(arguments[: 2 if several else key.predicate.unique], []).append(arguments)
        for unique, facts in lines.items():
            rule = _term(key.rule, unique)
            places = list(zip(unique[::2], unique[1::2], strict=False))[: key.cells]
            cells = tuple((int(r), int(c)) for r, c in places)
            numbers = ",".join(str(fact[-1]) for fact in sorted(facts))
            said = (*facts[0][:2], numbers) if several else facts[0]
            name = rule if several else _term(key.fact, facts[0])
            program = _relaxable(name, key.rule, unique) if several or kept else f"{name} :- not dropped({name})."
            kept_facts = " ".join(f"{_term(key.fact, fact)}." for fact in facts) if several or kept else ""
            told = Broken(rule, cells, clue_words(key, said))
            found.append(_Clue(name, f"{{ dropped({name}) }}. {program} {kept_facts}", told, key.kind == "givens"))
    return found


def _term(name: str, arguments: Arguments) -> str:
    return f"{name}({','.join(map(str, arguments))})" if arguments else name


def _relaxable(name: str, rule: str, arguments: Arguments) -> str:
    """Return the lines that relax the rules of a line whose labels are dropped; no labels may mean an empty line."""
    more = [",".join([*map(str, arguments), *(f"X{i}" for i in range(n))]) for n in range(3)]
    return " ".join(f"relaxed({rule}({one})) :- dropped({name}), violated({rule}({one}))." for one in more)


def _repairs(instance: Instance, clues: Mapping[str, _Clue], settings: Settings) -> list[Repair] | None:
    """Return the smallest sets of clues without which there is an answer; None if time ran out."""
    without, fewest = instance.puzzle.clues, "#minimize { 1, Fact : dropped(Fact) }.\n"
    facts = "\n".join([*(clue.program for clue in clues.values()), ""])
    search = ask(instance, settings, Question(("dropped/1",), given=facts + fewest, without=without))
    sets = search.optima(MOST_SETS)
    if not sets:
        return [] if search.exhausted else None
    view = instance.puzzle.view()
    search = ask(instance, settings, Question(view.outputs, given=facts + view.shows, without=without))
    dropped = {str(atom.arguments[0]): literal for atom, literal in search.atoms("dropped", 1).items()}
    found = []
    for one in sets:
        names = {str(atom.arguments[0]) for atom in one if atom.name == "dropped"}  # rules may show more
        search.assumed = [literal if name in names else -literal for name, literal in dropped.items()]
        number = search.count(MOST_COUNTED)
        answers = Count(number, exact=search.exhausted)
        told = tuple(clues[name].told for name in clues if name in names)
        instead = ""
        if number == 1 and answers.exact and len(told) == 1 and clues[min(names)].number:
            instead = _in_its_place(instance, search, told[0].cells[0])
        found.append(Repair(told, answers, instead=instead))
    return sorted(found, key=lambda repair: (not repair.answers.exact, repair.answers.number, repair.clues))


def _in_its_place(instance: Instance, search: Search, cell: Cell) -> str:
    """Return what a cell holds in the one answer of a search; nothing if edited rules leave it no single number."""
    atoms = next(search.models(1), None)
    try:
        value = None if atoms is None else instance.puzzle.view().decoder(instance)(atoms).cells().get(cell)
    except EncodingError:
        return ""
    return "" if value is None else instance.puzzle.kind.value_words(value)


def _clash(instance: Instance, settings: Settings) -> tuple[Broken, ...]:
    """Return rules and clues that cannot hold together, few but not the fewest; nothing if time runs out."""
    search = Search(*assembled(instance, settings, Question((), ("broken",), files=WORD_FILES)), settings)
    guards = {-literal: atom for atom, literal in search.atoms("broken", 1).items()}
    core = search.refute(list(guards))
    if core is None:
        return ()
    words = [atom for name, arity in WORD_PREDICATES for atom in search.facts(name, arity)]
    return tuple(broken_rules(instance, [*(guards[guard] for guard in minimal_core(core, search.refute)), *words]))


def additions(instance: Instance, answer: Answer, settings: Settings = DEFAULT) -> tuple[Entry, ...]:
    """Return few numbers of an answer that, as clues, make it the only one; nothing if that is not found in time.

    They are the fewest, where time suffices: each other answer that was found is to be told apart by one of them.
    Boards whose answers hold no clues get none.
    """
    kind = instance.puzzle.kind
    if not any(key.kind == "givens" for key in instance.puzzle.keys):
        return ()
    search = Search(*assembled(instance, settings, Question(instance.puzzle.view().outputs)), settings)
    if not search.usable:
        return ()
    literals = literals_of(instance, search)
    said = [(said_by(entry, literals), entry) for entry in kind.entries(instance, answer, search)]
    entries = {parts[0]: entry for parts, entry in said if parts}
    other = search.forbid(list(entries))
    enough = search.refute([other, *entries])
    if enough is None:
        return ()
    best = minimal_core([literal for literal in enough if literal != other], lambda rest: search.refute([other, *rest]))
    differ: list[set[int]] = []
    while True:
        fewest = _hitting(differ, len(best), settings)
        if fewest is None or len(fewest) >= len(best):
            break
        search.assumed = [other, *fewest]
        model = next(search.models(1), None)
        if model is None and search.exhausted:
            best = fewest
            break
        if model is None:
            break
        holding = set(model)
        differ.append(
            {literal for literal, entry in entries.items() if not holding.issuperset(filter(None, entry.holds))}
        )
    return tuple(entries[literal] for literal in sorted(best))


def _hitting(sets: Sequence[set[int]], most: int, settings: Settings) -> list[int] | None:
    """Return the fewest elements of which each set has one, fewer than so many; None if there are none in time."""
    lines = [f"{{ {'; '.join(f'pick({one})' for one in sorted(choice))} }} >= 1." for choice in sets]
    lines += [f":- {{ pick(X) }} >= {most}.", "#minimize { 1, X : pick(X) }.", "#defined pick/1."]
    lines += ["#show pick/1.", "#project pick/1."]
    best = Search([], "\n".join(lines), settings).best()
    return None if best is None else [atom.arguments[0].number for atom in best]


SECONDS = 10.0
"""For which reasons are looked for, if there is no other limit."""
MOST_SETS = 30
"""Sets of clues that are looked for; of those with more than one clue ten are told."""
