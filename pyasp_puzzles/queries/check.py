"""`check` and its `Verdict`: whether a board is a good puzzle, with exactly one answer, and if not, what is wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.arguments import check_text
from pyasp_puzzles.asp.cores import ClueHittingSet, minimal_subset, smallest_literal_core
from pyasp_puzzles.asp.deadline import Deadline
from pyasp_puzzles.asp.settings import DEFAULT, Settings
from pyasp_puzzles.asp.symbols import symbol_integers
from pyasp_puzzles.boards import spans
from pyasp_puzzles.boards.facts import fact_text
from pyasp_puzzles.boards.grid import grouped
from pyasp_puzzles.errors import EncodingError, InstanceError, OutOfTime
from pyasp_puzzles.formats.load import InstanceLike, load_only_board
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.answer import Count
from pyasp_puzzles.model.review import Broken
from pyasp_puzzles.model.verdict import Verdict, VerdictRepair
from pyasp_puzzles.puzzles import questions, wording
from pyasp_puzzles.puzzles.questions import Question
from pyasp_puzzles.puzzles.wording import BROKEN_OUTPUTS, WORD_FILES
from pyasp_puzzles.queries.review import review_broken_rules, review_literals
from pyasp_puzzles.queries.solve import answers_in_common, count, search_for_answers, solutions, solutions_in_common

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from clingo import Symbol

    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.asp.symbols import Arguments
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.model.answer import Answer, Entry
    from pyasp_puzzles.model.puzzle import AnswerMethod, Instance

# The time limit for what is wrong with a board, if the settings have no shorter one.
_REMARK_SECONDS = 10.0
# The time limit for clues to add to a board with several answers, unless the settings have one. On a board with few
# clues, the fewest are hard to find.
_ADD_SECONDS = 1.0
# Answers of a repaired board are counted up to here.
_MOST_REPAIRED_COUNTED = 1000
# The most sets of clues to remove.
_MOST_SETS = 30


def check(instance: InstanceLike, settings: Settings = DEFAULT, distinct: str | None = None) -> Verdict:
    """Return whether a board has one answer, several, or none, and what is wrong.

    Args:
        instance: the board, or the name or the path of a file with one, such as "tectonic/seed".
        settings: how to search. The search for what is wrong ends after 10 seconds at most.
        distinct: which answers count as different; if None, a Strata board only has to be solvable.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    instance = load_only_board(instance, settings)
    check_text(distinct, "distinct", "the name of a view", optional=True)
    settings = settings.started()
    return verdict_with_remarks(instance, checked_verdict(instance, settings, distinct), settings)


# -- How many answers there are --------------------------------------------------------


def checked_verdict(instance: Instance, settings: Settings, distinct: str | None) -> Verdict:
    """Return whether a board has one answer, several, or none; `verdict_with_remarks` adds what is wrong."""
    solvable = instance.puzzle.kind.solvable_is_good and distinct is None
    query = solutions(instance, 1 if solvable else 2, settings, distinct)
    answers = tuple(query)
    if not answers:
        result = Verdict("none" if query.complete else "unknown")
    elif solvable:
        result = Verdict("solvable", answers[:1], cells=len(answers[0].cells()))
    elif len(answers) == 1:
        cells = _size(answers[0], instance)
        result = Verdict("unique" if query.complete else "unknown", answers, (), cells, cells)
    else:
        first, second = (answer.cells() for answer in answers)
        differ = tuple(sorted(cell for cell in first.keys() | second.keys() if first.get(cell) != second.get(cell)))
        usual = instance.puzzle.view(distinct).outputs == instance.puzzle.view().outputs
        same = None
        if usual:
            search = search_for_answers(instance, instance.puzzle.view(), settings) if query.normal else query.search
            same = _decided_cells(instance, search)
        result = Verdict("several", answers, differ, same, _size(answers[0], instance))
    broken = _broken_by_solution(instance, answers, settings)
    message = f"the solution is wrong, it breaks: {broken[0].in_full}" if broken else ""
    warnings = (*query.search.warnings, *([InstanceError(message, instance.facts.where)] if broken else ()))
    return replace(result, instance=instance, warnings=warnings, broken=broken)


def _size(answer: Answer, instance: Instance) -> int:
    return len(answer.places() if instance.puzzle.kind.cells_left_over else answer.cells())


def _decided_cells(instance: Instance, search: Search) -> int | None:
    """Return the number of cells that are the same in every answer; None if time ran out."""
    same = answers_in_common(instance, search, "decided")
    if same is None or not instance.puzzle.kind.cells_left_over:
        return None if same is None else len(same.cells())
    brave = answers_in_common(instance, search, "possible")
    return None if brave is None else sum(same.cells().get(cell) == brave.cells().get(cell) for cell in same.places())


def _broken_by_solution(instance: Instance, answers: Sequence[Answer], settings: Settings) -> tuple[Broken, ...]:
    """Return the rules that the solution that comes with a board breaks; () if rules were edited since."""
    solution = instance.solution
    if solution is None or solution in answers or settings.edited:
        return ()
    return tuple(review_broken_rules(instance, solution, settings) or ())


# -- What is wrong ---------------------------------------------------------------------


def verdict_with_remarks(instance: Instance, verdict: Verdict, settings: Settings) -> Verdict:
    """Return a verdict with what is wrong, as far as it is found in time, within 10 seconds at most.

    Clues to add to a board with several answers get 1 second, unless the settings have a time limit.
    """
    left = settings.deadline().left()
    seconds = _ADD_SECONDS if verdict.status == "several" and settings.timeout is None else _REMARK_SECONDS
    settings = settings._replace(timeout=Deadline(min(seconds, left)))
    if verdict.status == "solvable":
        looks = count(instance, _MOST_REPAIRED_COUNTED, settings, "looks")
        same = next(solutions_in_common(instance, "decided", settings), None)
        return replace(verdict, looks=looks, decided=None if same is None else len(same.cells()))
    if verdict.status == "several":
        return replace(verdict, add=_additions(instance, verdict.answers[0], settings))
    if verdict.status == "none":
        return _why_none(instance, verdict, settings)
    return verdict


# -- Several answers: clues to add -----------------------------------------------------


def _additions(instance: Instance, answer: Answer, settings: Settings) -> tuple[Entry, ...]:
    """Return a few entries of an answer that, as clues, make it the only one; () if none are found in time.

    They are the fewest if there is time to prove it. Puzzles whose clues are not part of the answer get none.
    """
    kind = instance.puzzle.kind
    if not any(key.kind.role == "answers" for key in instance.puzzle.keys):
        return ()
    search = questions.ask(instance, settings, Question(instance.puzzle.view().outputs))
    if not search.usable:
        return ()
    literals = questions.output_literals(instance, search)
    entries = {
        parts[0]: entry
        for entry in kind.entries(instance, answer, search)
        if entry.value is not None and (parts := review_literals(entry, literals))  # a number, and no region
    }
    other = search.forbid(list(entries))  # assumed, it excludes the answer itself
    core = search.refute([*entries], given=[other])
    if core is None:
        return ()
    best = minimal_subset(core, lambda rest: search.refute(rest, given=[other]))

    def another(chosen: Sequence[int]) -> set[Symbol] | None:
        """Return another answer with the chosen entries, if there is one."""
        search.assumed = [other, *chosen]
        model = next(search.models(1), None)
        if model is None and not search.exhausted:
            raise OutOfTime
        return None if model is None else set(model)

    def has(atoms: set[Symbol], literal: int) -> bool:
        return atoms.issuperset(filter(None, entries[literal].holds))

    fewest = ClueHittingSet(dict.fromkeys(entries, 1), another, has, best)
    fewest.run(settings)
    return tuple(entries[literal] for literal in fewest.best)


# -- No answer: units that cannot be filled, clues to remove, rules to break -----------


def _obstructed(instance: Instance, method: AnswerMethod, verdict: Verdict, settings: Settings) -> Verdict:
    try:
        return replace(verdict, obstruction=method.obstruction(instance, settings.deadline()))
    except OutOfTime:
        return replace(verdict, late=True)


def _why_none(instance: Instance, verdict: Verdict, settings: Settings) -> Verdict:
    """Return the verdict on a board without an answer, with what is wrong."""
    method = instance.puzzle.kind.method
    if method is not None and questions.have_method(instance, settings):
        return _obstructed(instance, method, verdict, settings)
    added = _added(instance, settings) if settings.extra else ()
    if added:
        return replace(verdict, rules=added)
    without = instance.puzzle.clues
    units = _unfillable(instance, settings) if without else None
    if units is not None:
        verdict = replace(verdict, layout=True, unfilled=units)
    for kept in (False, True) if units is None else ():
        clues = {clue.name: clue for clue in _clues(instance, kept=kept)}
        repairs = _repairs(instance, clues, settings) if clues else []
        if repairs is None:
            return replace(verdict, clash=_clash(instance, settings), late=True)
        if repairs:
            return replace(verdict, repairs=tuple(repair._replace(kept=kept) for repair in repairs))
    dropped = without if units is not None else ()
    search, rules = _fewest_broken(instance, settings, dropped)
    if dropped and len(rules) > 1 and not units:
        # Without clues there may be nothing to fill the board with, such as rectangles: then keep them.
        _, kept_rules = _fewest_broken(instance, settings)
        if 0 < len(kept_rules) < len(rules):
            verdict, rules = replace(verdict, layout=False), kept_rules
    if rules:
        return replace(verdict, rules=rules)
    return replace(verdict, clash=_clash(instance, settings, dropped), late=not search.exhausted)


def _fewest_broken(
    instance: Instance, settings: Settings, without: Collection[str] = (), held: Collection[Symbol] = ()
) -> tuple[Search, tuple[Broken, ...]]:
    """Return a search and its result: the fewest rules to break, none of those held, if some clues are left out."""
    search = questions.ask(
        instance, settings, Question(BROKEN_OUTPUTS, ("broken", "repair"), files=WORD_FILES, without=without)
    )
    search.assumed = [-literal for atom, literal in search.atoms("broken", 1).items() if atom in held]
    sets = search.optima(1)
    return search, tuple(wording.distinct(wording.broken_rules(instance, sets[0], settings))) if sets else ()


def _added(instance: Instance, settings: Settings) -> tuple[Broken, ...]:
    """Return the fewest added rules to leave out so that a board has an answer; () if leaving all out gives none."""
    shipped = questions.ask(instance, settings._replace(extra=()), Question((), ("broken",))).atoms("broken", 1)
    return _fewest_broken(instance, settings, held=shipped)[1]


class _Conflict(NamedTuple):
    """Why a board has no answer."""

    words: str
    rules: tuple[Broken, ...]
    """Rules and clues that cannot hold together."""
    clues: tuple[VerdictRepair, ...]
    """Clues that would each help if removed; if none would alone, the fewest that would together."""


def check_conflict(instance: Instance, settings: Settings) -> _Conflict:
    """Return why a board without an answer has none; errors as for `check`."""
    verdict = check(instance, settings)
    header, parts = verdict.remarks()
    if verdict.obstruction is not None:
        rules = verdict.obstruction.blocked
    else:
        rules = _clash(instance, settings) or verdict.unfilled or verdict.rules
    alone = tuple(repair for repair in verdict.repairs if len(repair.clues) == 1)
    why = [part.words for part in parts[: Limits.MOST_REPAIRS]]
    said = why if verdict.repairs or not why else [f"{'; '.join(why)}."]
    more = [] if verdict.unfilled else [header, *said]
    return _Conflict(
        " ".join(filter(None, [verdict.words, verdict.whatever, *more])), rules, alone or verdict.repairs[:1]
    )


def _unfillable(instance: Instance, settings: Settings) -> tuple[Broken, ...] | None:
    """Return a minimal set of units that cannot be filled together, whatever the clues.

    A unit is an argument of the names of rules: `block("A")` in `once(block("A"), 3)`. The rules about these units and
    their cells contradict one another; without one of the units they do not. Empty if the contradiction needs rules
    without a unit; None if the board has an answer without its clues, or time runs out.
    """
    question = Question((), ("broken",), files=WORD_FILES, without=instance.puzzle.clues)
    search = questions.ask(instance, settings, question)
    rules = {-literal: atom.arguments[0] for atom, literal in search.atoms("broken", 1).items()}
    core = search.refute(list(rules))
    if core is None:
        return None
    wordings = wording.possible_word_atoms(search)
    cells = _cells_of_rules(rules.values(), wordings)
    by_unit: dict[Symbol, set[Cell]] = {}
    for rule, rule_cells in cells.items():
        if unit := wording.unit_of_rule(rule):
            by_unit.setdefault(unit, set()).update(rule_cells)

    def contradicts(units: Collection[Symbol]) -> bool:
        """Return whether the rules about these units and their cells contradict one another."""
        inside = {cell for unit in units for cell in by_unit[unit]}
        about = [
            guard
            for guard, rule in rules.items()
            if (
                unit in units
                if (unit := wording.unit_of_rule(rule))
                else not cells[rule].isdisjoint(inside) or not cells[rule]
            )
        ]
        return search.refute(about) is not None

    blamed = sorted(rules[literal] for literal in core)
    units = list(dict.fromkeys(filter(None, map(wording.unit_of_rule, blamed))))
    if not contradicts(units):
        inside = {cell for rule in blamed for cell in cells[rule]}
        units = [unit for unit, area in sorted(by_unit.items()) if unit in units or not area.isdisjoint(inside)]
    if not contradicts(units):
        return ()
    units = minimal_subset(units, lambda rest: rest if contradicts(rest) else None)
    called = {atom.arguments[0]: atom.arguments[1] for atom in wordings if atom.name == "called"}
    return tuple(
        Broken(
            str(unit),
            tuple(sorted(by_unit[unit])),
            spans.sentence(wording.of_term(unit, called), instance.printed.unit),
        )
        for unit in units
    )


def _cells_of_rules(rules: Iterable[Symbol], wordings: Iterable[Symbol]) -> dict[Symbol, set[Cell]]:
    """Return the cells that each rule may be about."""
    named = {atom.arguments[0]: wording.cells_of_words(atom.arguments[1]) for atom in wordings if atom.name == "says"}
    cells = {rule: named.get(rule) or wording.cells_of_rule(rule) for rule in rules}
    for atom in wordings:
        if atom.name == "about" and atom.arguments[0] in cells:
            r, c = symbol_integers(atom.arguments[1:])
            cells[atom.arguments[0]].add((r, c))
    return cells


class _Clue(NamedTuple):
    """A clue that can be dropped."""

    name: str
    """The term that drops it."""
    program: str
    """The lines that make it hold unless it is dropped."""
    rule: Broken
    number: bool = False
    """Whether it is a number of the answer, so that another number may be meant."""


def _clues(instance: Instance, *, kept: bool) -> list[_Clue]:
    """Return the clues of a board, each with its rule; all labels of one line are one clue.

    If clues are kept, dropping one keeps its fact but relaxes its rule, as if the clue said something else.
    """
    clues = []
    for key in instance.puzzle.clue_keys:
        assert key.predicate
        labels = bool(key.option("several"))
        first = 2 if labels else key.predicate.unique
        groups = grouped((arguments[:first], arguments) for arguments in instance.facts.arguments(key.fact))
        for unique, facts in groups.items():
            rule = fact_text(key.rule, unique)
            places = list(zip(unique[::2], unique[1::2], strict=False))[: key.cells]
            cells = tuple((int(r), int(c)) for r, c in places)
            numbers = f'"{",".join(str(fact[-1]) for fact in sorted(facts))}"'
            clue = wording.of_clue(key, (*facts[0][:-1], numbers) if labels else facts[0])
            sentence = spans.sentence(clue, instance.printed.unit)
            name = rule if labels else fact_text(key.fact, facts[0])
            if labels or kept:
                program = _relaxable(name, key.rule, unique) + "".join(
                    f" {fact_text(key.fact, fact)}." for fact in facts
                )
            else:
                program = f"{name} :- not dropped({name})."
            program = f"{{ dropped({name}) }}. {program}"
            clues.append(_Clue(name, program, Broken(rule, cells, sentence), key.kind.role == "answers"))
    return clues


def _relaxable(name: str, rule: str, arguments: Arguments) -> str:
    """Return lines that relax the rules about a clue if it is dropped; they may have up to two more arguments."""
    terms = [",".join([*map(str, arguments), *(f"X{i}" for i in range(n))]) for n in range(3)]
    return " ".join(f"relaxed({rule}({term})) :- dropped({name}), violated({rule}({term}))." for term in terms)


def _repairs(instance: Instance, clues: Mapping[str, _Clue], settings: Settings) -> list[VerdictRepair] | None:
    """Return the smallest sets of clues without which there is an answer; None if time ran out."""
    without, fewest = instance.puzzle.clues, "#minimize { 1, Fact : dropped(Fact) }.\n"
    facts = "\n".join([*(clue.program for clue in clues.values()), ""])
    search = questions.ask(instance, settings, Question(("dropped/1",), given=facts + fewest, without=without))
    sets = search.optima(_MOST_SETS)
    if not sets:
        return [] if search.exhausted else None
    view = instance.puzzle.view()
    search = questions.ask(instance, settings, Question(view.outputs, given=facts + view.shows, without=without))
    literals = {str(atom.arguments[0]): literal for atom, literal in search.atoms("dropped", 1).items()}
    repairs = []
    for atoms in sets:
        names = {str(atom.arguments[0]) for atom in atoms if atom.name == "dropped"}  # edited rules may show more
        search.assumed = [literal if name in names else -literal for name, literal in literals.items()]
        number = search.count(_MOST_REPAIRED_COUNTED)
        answers = Count(number, exact=search.exhausted)
        rules = tuple(clues[name].rule for name in clues if name in names)
        instead = ""
        if number == 1 and answers.exact and len(rules) == 1 and clues[min(names)].number:
            instead = _value(instance, search, rules[0].cells[0])
        repairs.append(VerdictRepair(rules, answers, instead=instead))
    return sorted(repairs, key=lambda repair: (not repair.answers.exact, repair.answers.number, repair.clues))


def _value(instance: Instance, search: Search, cell: Cell) -> str:
    """Return the value of a cell in the only answer of a search; "" if edited rules give it no single number."""
    atoms = next(search.models(1), None)
    try:
        value = None if atoms is None else instance.puzzle.view().decoder(instance)(atoms).cells().get(cell)
    except EncodingError:
        return ""
    return "" if value is None else instance.puzzle.kind.value_words(value)


def _clash(instance: Instance, settings: Settings, without: Collection[str] = ()) -> tuple[Broken, ...]:
    """Return a minimal set of rules and clues that cannot hold together, the smallest found; () if time runs out."""
    search = questions.ask(instance, settings, Question((), ("broken",), files=WORD_FILES, without=without))
    rules = {-literal: atom for atom, literal in search.atoms("broken", 1).items()}
    best = smallest_literal_core(search.refute, list(rules))
    if search.timed_out or not best:
        return ()
    atoms = [rules[literal] for literal in best]
    return tuple(
        wording.distinct(wording.broken_rules(instance, [*atoms, *wording.possible_word_atoms(search)], settings))
    )
