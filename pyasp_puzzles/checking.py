"""The truth about a puzzle: has it just one answer, and if not, what is wrong; and which rules an answer breaks.

Broken    Broken('once(row(1),3)', ((1, 2), (1, 5)), 'row 1 holds 3 once'): a rule that does not hold, and where
Verdict   what there is to say about a puzzle, whether it has one answer, several, or none
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, overload

from .deadline import Deadline
from .errors import listing
from .guarded import Guarded, shrunk
from .instance import instance_of
from .query import Count, Question, ask, assembled, consequences, count, merged, solutions
from .search import Search
from .settings import DEFAULT, Settings
from .symbols import integers
from .wording import clue_called, clue_words, pairs, title, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clingo import Symbol

    from .board import Cell
    from .errors import EncodingError
    from .instance import InstanceLike
    from .puzzle import Answer, Entry, Instance
    from .symbols import Arguments

UNNAMED = "unnamed"
"""What is called so breaks rules that have no name."""
MOST_COUNTED = 1000
"""Answers of a repaired puzzle are counted up to here."""


class Broken(NamedTuple):
    """A rule that does not hold: its name in the encoding, the cells that break it, and what it says."""

    rule: str
    cells: tuple[Cell, ...]
    words: str

    def json(self) -> dict[str, object]:
        """Return `{"rule": ..., "cells": [[row, column], ...], "words": ...}`."""
        return {"rule": self.rule, "cells": [list(cell) for cell in self.cells], "words": self.words}


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


class Review(NamedTuple):
    """What there is to say of an answer, full or in part."""

    status: str
    """ "solved"; "right" so far; "broken" if it breaks rules; "stuck" if it breaks none yet, but cannot be completed;
    "none" if the board has no answer; "unknown" where time ran out."""
    broken: tuple[Broken, ...] = ()
    open: int = 0
    """How many cells (or ribbons) are not filled in."""
    wrong: tuple[Entry, ...] = ()
    """The fewest entries to take back so that the rest can be completed."""


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


def broken(instance: Instance, answer: Answer, settings: Settings = DEFAULT) -> list[Broken] | None:
    """Return the rules that an answer breaks, sorted by name; None if time ran out.

    Of an answer in part, these are the rules that can no longer hold, however the rest is filled. What no answer can
    have, by rules that have no name, is called "unnamed".

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    kind, settings = instance.puzzle.kind, settings.started()
    asserted = kind.asserted(instance, answer)
    search = _relaxed(instance, asserted, settings)
    entries = [] if not search.usable else kind.entries(instance, answer, search)
    unknown = [entry.atom for entry in entries if None in entry.holds]
    if unknown and search.usable:  # of what no answer has, rules may still tell what is wrong
        search = _relaxed(instance, [*asserted, *unknown], settings)
        entries = [] if not search.usable else kind.entries(instance, answer, search)
    if not search.usable:
        return None
    said, unnamed = _assumed(instance, search, entries), list[Broken]()
    while (core := search.refute(list(said))) is not None:
        core = shrunk(core, search.refute)
        if not core:
            return [Broken(UNNAMED, (), "no board is an answer, by rules that have no name")]
        unnamed.append(_unnamed(dict.fromkeys(said[literal] for literal in core)))
        said = {literal: entry for literal, entry in said.items() if literal not in core}
    search.assumed = list(said)
    atoms = search.consequences("cautious") if search.exhausted else None
    if atoms is None or not search.exhausted:
        return None
    rules = _once(named(instance, atoms))
    unnamed += [_unnamed([entry]) for entry in entries if entry.atom in unknown]
    seen = [set(rule.cells) for rule in rules]
    told = (
        rule
        for rule in dict.fromkeys(unnamed)
        if not any(rule.cells and cells.issuperset(rule.cells) for cells in seen)
    )
    return [*told, *rules]


def review(instance: Instance, answer: Answer, settings: Settings = DEFAULT) -> Review:
    """Return what there is to say of an answer: which rules it breaks, or how far it is right.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    kind = instance.puzzle.kind
    settings = settings.started()
    rules = broken(instance, answer, settings)
    open_ = kind.open(instance, answer)
    if rules is None or rules:
        return Review("unknown" if rules is None else "broken", tuple(rules or ()), open_)
    search = ask(instance, settings, Question(instance.puzzle.view().outputs))
    entries = [] if not search.usable else kind.entries(instance, answer, search)
    wrong = wrong_entries(instance, entries, search)
    if not search.exhausted:
        return Review("unknown", (), open_)
    if wrong is None:
        return Review("none", (), open_)
    status = "stuck" if wrong else "right" if open_ else "solved"
    return Review(status, (), open_, tuple(wrong))


def wrong_entries(instance: Instance, entries: Sequence[Entry], search: Search) -> list[Entry] | None:
    """Return the fewest entries to take back so that the rest can be completed; None if there is no answer anyway.

    Args:
        instance: the board.
        entries: what is filled in.
        search: a grounding of the board, which can be asked nothing else afterwards.
    """
    literals = _literals(instance, search)
    impossible = [entry for entry in entries if any(atom not in literals for atom in entry.holds)]
    rest = [entry for entry in entries if entry not in impossible]
    given_up = search.fewest([_of_entry(entry, literals) for entry in rest])
    if given_up is None:
        return None
    return sorted([*impossible, *(rest[i] for i in given_up)], key=lambda entry: entry.atom)


def _literals(instance: Instance, search: Search) -> dict[Symbol, int]:
    """Return the literals of the output; facts have the literal 0."""
    return {
        symbol: literal
        for name, arity in instance.puzzle.view().signatures()
        for symbol, literal in search.atoms(name, arity).items()
    }


def _of_entry(entry: Entry, literals: Mapping[Symbol, int]) -> list[int]:
    """Return the literals that an entry says to hold."""
    holding = [literals[atom] for atom in entry.holds if atom and literals.get(atom)]
    return holding + [-literals[atom] for atom in entry.fails if literals.get(atom)]


def _relaxed(instance: Instance, asserted: Iterable[Symbol], settings: Settings) -> Guarded:
    """Return the search in which every rule may be broken, and some atoms are facts."""
    given = "".join(f"{atom}.\nsaid({atom}).\n" for atom in asserted)
    return Guarded(*assembled(instance, settings, Question(_NAMED, ("broken",), given, _WORDS)), settings)


def _assumed(instance: Instance, search: Search, entries: Iterable[Entry]) -> dict[int, Entry]:
    """Return the literals that entries assume."""
    literals = _literals(instance, search)
    return {literal: entry for entry in entries for literal in _of_entry(entry, literals)}


def _once(rules: Iterable[Broken]) -> list[Broken]:
    """Return rules without those that say the same of the same cells by another name: a pair is in two squares."""
    found: dict[tuple[object, ...], Broken] = {}
    for rule in rules:
        key = (rule.rule.partition("(")[0], rule.cells, rule.words) if len(rule.cells) > 1 else (rule,)
        found.setdefault(key, rule)
    return list(found.values())


def _unnamed(entries: Iterable[Entry]) -> Broken:
    cells = sorted({cell for entry in entries for cell in entry.cells})
    what = listing([entry.words for entry in entries], "and")
    return Broken(UNNAMED, tuple(cells), f"no answer can have {what}")


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
    elif instance.puzzle.solvable_is_good and distinct is None:
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
    obstacle = instance.puzzle.obstacle
    if obstacle is not None and settings.encoding is None and not settings.extra:
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
    search = ask(instance, settings, Question(("broken/1",), ("broken", "repair"), files=_WORDS))
    sets = search.optima(1)
    if sets:
        words = [atom for name, arity in _SAID for atom in search.facts(name, arity)]
        return replace(said, rules=tuple(named(instance, [*sets[0], *words])))
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
            facts_ = " ".join(f"{_term(key.fact, fact)}." for fact in facts) if several or kept else ""
            told = Broken(rule, cells, clue_called(key, said))
            found.append(_Clue(name, f"{{ dropped({name}) }}. {program} {facts_}", told, key.kind == "givens"))
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
    view, kind = instance.puzzle.view(), instance.puzzle.kind
    search = ask(instance, settings, Question(view.outputs, given=facts + view.shows, without=without))
    dropped = {str(atom.arguments[0]): literal for atom, literal in search.atoms("dropped", 1).items()}
    decode = view.decoder(instance)
    found = []
    for one in sets:
        names = {str(atom.arguments[0]) for atom in one if atom.name == "dropped"}  # rules may show more
        search.assumed = [literal if name in names else -literal for name, literal in dropped.items()]
        number = search.count(MOST_COUNTED)
        answers = Count(number, exact=search.exhausted)
        told = tuple(clues[name].told for name in clues if name in names)
        instead = ""
        if number == 1 and answers.exact and len(told) == 1 and clues[min(names)].number:
            answer = decode(next(search.models(1)))
            value = answer.cells().get(told[0].cells[0])
            instead = kind.called(value) if value is not None else ""
        found.append(Repair(told, answers, instead=instead))
    return sorted(found, key=lambda repair: (not repair.answers.exact, repair.answers.number, repair.clues))


def _clash(instance: Instance, settings: Settings) -> tuple[Broken, ...]:
    """Return rules and clues that cannot hold together, few but not the fewest; nothing if time runs out."""
    search = Guarded(*assembled(instance, settings, Question((), ("broken",), files=_WORDS)), settings)
    guards = {-literal: atom for atom, literal in search.atoms("broken", 1).items()}
    core = search.refute(list(guards))
    if core is None:
        return ()
    words = [atom for name, arity in _SAID for atom in search.facts(name, arity)]
    return tuple(named(instance, [*(guards[guard] for guard in shrunk(core, search.refute)), *words]))


def additions(instance: Instance, answer: Answer, settings: Settings = DEFAULT) -> tuple[Entry, ...]:
    """Return few numbers of an answer that, as clues, make it the only one; nothing if that is not found in time.

    They are the fewest, where time suffices: each other answer that was found is to be told apart by one of them.
    Boards whose answers hold no clues get none.
    """
    kind = instance.puzzle.kind
    if not any(key.kind == "givens" for key in instance.puzzle.keys):
        return ()
    search = Guarded(*assembled(instance, settings, Question(instance.puzzle.view().outputs)), settings)
    if not search.usable:
        return ()
    literals = _literals(instance, search)
    said = [(_of_entry(entry, literals), entry) for entry in kind.entries(instance, answer, search)]
    entries = {parts[0]: entry for parts, entry in said if parts}
    other = search.forbid(list(entries))
    enough = search.refute([other, *entries])
    if enough is None:
        return ()
    best = shrunk([literal for literal in enough if literal != other], lambda rest: search.refute([other, *rest]))
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
_SAID = (("says", 2), ("called", 2), ("about", 3))
_NAMED = ("broken/1", "says/2", "called/2", "about/3")
_WORDS = ("words", "cells")


def named(instance: Instance, atoms: Sequence[Symbol], predicate: str = "broken") -> list[Broken]:
    """Return the rules of atoms of a predicate, with the cells and words that stand beside them."""
    rules: dict[Symbol, set[Cell]] = {atom.arguments[0]: set() for atom in atoms if atom.name == predicate}
    called = {atom.arguments[0]: atom.arguments[1] for atom in atoms if atom.name == "called"}
    says = {atom.arguments[0]: words(atom.arguments[1], called) for atom in atoms if atom.name == "says"}
    for atom in atoms:
        if atom.name == "about" and atom.arguments[0] in rules:
            r, c = integers(atom.arguments[1:])
            rules[atom.arguments[0]].add((r, c))
    board = instance.puzzle.cells(instance.facts)
    return [
        Broken(
            str(rule),
            tuple(sorted(cells or {cell for cell in pairs(rule) if cell in board})),
            says.get(rule) or clue_words(instance, rule) or f"the rule {title(rule)}",
        )
        for rule, cells in sorted(rules.items())
    ]
