"""Reviews of an answer, complete or not: the rules that it breaks, and the entries to take back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyasp_puzzles.arguments import check_flag, check_type
from pyasp_puzzles.asp.cores import minimal_subset, smallest_hitting_set
from pyasp_puzzles.asp.deadline import Deadline
from pyasp_puzzles.asp.settings import DEFAULT, Settings, refuse_settings
from pyasp_puzzles.asp.symbols import fact_symbol
from pyasp_puzzles.boards import spans
from pyasp_puzzles.boards.grid import grid_extent
from pyasp_puzzles.errors import ArgumentError, OutOfTime, listing
from pyasp_puzzles.formats.load import InstanceLike, load_only_board
from pyasp_puzzles.model.answer import Answer
from pyasp_puzzles.model.review import UNNAMED_RULE, Broken, Review, ReviewStatus
from pyasp_puzzles.puzzles import questions, wording
from pyasp_puzzles.puzzles.questions import Question
from pyasp_puzzles.puzzles.wording import BROKEN_OUTPUTS, WORD_FILES, WORD_PREDICATES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from clingo import Model, Symbol

    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.model.answer import Entry
    from pyasp_puzzles.model.puzzle import Instance

# The time limit for the fewest entries to take back from an answer that breaks rules.
_TAKE_BACK_SECONDS = 3.0
# An answer that breaks more rules as it is counts as unfinished.
_MOST_BROKEN_AS_IT_IS = 5


def check_review(instance: Instance, answer: object, name: str) -> None:
    """Raise `TypeError` for an argument that is no answer, and `ValueError` for one to another board."""
    check_type(answer, Answer, name, "an Answer, as solve() returns one, or the solution of a board")
    assert isinstance(answer, Answer)
    kind, type_name = instance.puzzle.kind, type(answer).__name__
    if not any(data in vars(answer) for data in kind.data):
        raise ArgumentError(f"{name} is {type_name}, with no {listing(kind.data)}; pass an answer to this board")
    if "printed" in vars(answer) and set(answer.places()) != set(instance.printed.cells):
        size, other = ("x".join(map(str, grid_extent(cells))) for cells in (instance.printed.cells, answer.places()))
        raise ArgumentError(
            f"{name} is to a board of other cells ({other}, this one is {size}); pass one to this board"
        )


def review(instance: InstanceLike, answer: Answer, settings: Settings = DEFAULT, *, remedy: bool = True) -> Review:
    """Return which rules an answer breaks, or how much of it is right.

    Args:
        instance: the board, or the name or the path of a file with one, such as "tectonic/seed".
        answer: what is filled in, or all of it.
        settings: how to search.
        remedy: whether to find what to take back if a rule is broken; this takes the most time.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    instance = load_only_board(instance, settings)
    refuse_settings(answer, "review", "an answer")
    check_review(instance, answer, "answer")
    check_flag(remedy, "remedy")
    settings = settings.started()
    open_ = instance.puzzle.kind.open_cells(instance, answer)
    if _is_part(instance, answer, settings):
        blank = instance.puzzle.kind.with_blanks(answer) if open_ else None
        open_ = 0 if blank is not None and _is_part(instance, blank, settings) else open_
        return Review("right" if open_ else "solved", (), open_)
    rules = review_broken_rules(instance, answer, settings)
    if rules is None:
        return Review("unknown", (), open_)
    if rules:
        return Review("broken", tuple(rules), open_, tuple(_to_take_back(instance, answer, settings) if remedy else ()))
    wrong, search = entries_to_take_back(instance, answer, settings)
    whole: bool | None = not open_
    if not wrong and search.exhausted and instance.puzzle.kind.cells_left_over:
        whole = is_complete_answer(instance, answer, settings)
    if not search.exhausted or whole is None:
        return Review("unknown", (), open_)
    if wrong is None:
        return Review("none", (), open_)
    if wrong and instance.puzzle.kind.cells_left_over and instance.puzzle.kind.two_valued:
        rules = _broken_as_it_is(instance, answer, settings)
    status: ReviewStatus = "broken" if rules else "stuck" if wrong else "solved" if whole else "right"
    return Review(status, tuple(rules), 0 if whole else open_, tuple(wrong))


def _is_part(instance: Instance, answer: Answer, settings: Settings) -> bool:
    """Return whether an answer is known to be part of one that breaks no rule.

    It usually is while people solve: a half-filled Sudoku takes 3 ms, and 37 if all questions are asked.
    """
    kind = instance.puzzle.kind
    if kind.cells_left_over or kind.derived_facts(instance, answer):
        return False
    search = questions.ask_again(instance, settings, Question(instance.puzzle.view().outputs))
    entries = kind.entries(instance, answer, search) if search.usable else []
    if not search.usable or any(None in entry.holds for entry in entries):
        return False
    literals = questions.output_literals(instance, search)
    assumed = [literal for entry in entries for literal in review_literals(entry, literals)]
    return bool(search.solve_here(assumed, 1, lambda _: True)[0])


def is_complete_answer(instance: Instance, answer: Answer, settings: Settings) -> bool | None:
    """Return whether an answer is complete, so that nothing can be added; None if time ran out."""
    search = questions.ask(instance, settings, Question(instance.puzzle.view().outputs))
    entries = instance.puzzle.kind.entries(instance, answer, search) if search.usable else []
    literals = questions.output_literals(instance, search)
    core = search.refute(_nothing_added(entries, literals))
    return core is None if search.exhausted or core is not None else None


def review_broken_rules(instance: Instance, answer: Answer, settings: Settings = DEFAULT) -> list[Broken] | None:
    """Return the rules that an answer breaks, sorted by name; None if time ran out.

    If the answer is incomplete, these are the rules that are broken however it is completed. Entries that rules without
    a name forbid appear as a rule called "unnamed".

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    settings = settings.started()
    asserted = instance.puzzle.kind.derived_facts(instance, answer)
    search = _relaxed(instance, asserted, settings, again=not asserted)
    entries = _entries(instance, answer, search, settings)
    impossible = [entry.atom for entry in entries if None in entry.holds]
    if impossible and search.usable:  # as facts, they may break rules with a name
        search = _relaxed(instance, [*asserted, *impossible], settings)
        entries = _entries(instance, answer, search, settings)
    if not search.usable:
        return None
    literals = questions.output_literals(instance, search)
    assumed = {literal: entry for entry in entries for literal in review_literals(entry, literals)}
    unnamed: list[Broken] = []
    while (core := search.refute(list(assumed))) is not None:
        core = minimal_subset(core, search.refute)
        if not core:
            return [Broken(UNNAMED_RULE, (), "no board is an answer, by rules that have no name")]
        unnamed.append(_unnamed(dict.fromkeys(assumed[literal] for literal in core)))
        assumed = {literal: entry for literal, entry in assumed.items() if literal not in core}
    search.assumed = list(assumed)
    atoms = _certain(search)
    if atoms is None:
        return None
    rules = wording.distinct(wording.broken_rules(instance, atoms, settings))
    unnamed += [_unnamed([entry]) for entry in entries if entry.atom in impossible]
    seen = [set(rule.cells) for rule in rules]
    new = [rule for rule in dict.fromkeys(unnamed) if not rule.cells or not any(map(set(rule.cells).issubset, seen))]
    return [*new, *rules]


def _nothing_added(entries: Iterable[Entry], literals: Mapping[Symbol, int]) -> list[int]:
    """Return the assumptions by which an answer is complete: atoms of no entry are false."""
    holding = {literals[atom] for entry in entries for atom in entry.holds if atom}
    return [literal if literal in holding else -literal for literal in literals.values() if literal]


def _broken_as_it_is(instance: Instance, answer: Answer, settings: Settings) -> list[Broken]:
    """Return the rules that an answer breaks if nothing is added; nothing if fewer might be broken with more added.

    Two loops break a rule although more lines might join them; an unfinished line breaks none yet.
    """
    left = min(_TAKE_BACK_SECONDS, settings.deadline().left())
    search = _relaxed(instance, (), settings._replace(timeout=Deadline(left)))
    if instance.puzzle.kind.derived_facts(instance, answer) or not search.usable:
        return []
    entries = _entries(instance, answer, search, settings)
    literals = questions.output_literals(instance, search)
    search.assumed = _nothing_added(entries, literals)
    atoms = _certain(search) or []
    rules = wording.distinct(wording.broken_rules(instance, atoms, settings))
    number = sum(atom.name == "broken" for atom in atoms)
    if number in range(2, _MOST_BROKEN_AS_IT_IS + 1):
        search.assumed = [literal for entry in entries for literal in review_literals(entry, literals)]
        fewest = search.smallest_correction_set(
            [[-literal] for literal in search.atoms("broken", 1).values() if literal]
        )
        number = 1 if fewest is not None and search.exhausted and len(fewest) == number else number
    return rules if number == 1 else []


def _certain(search: Search) -> list[Symbol] | None:
    """Return the rules that are broken in every model, with the words and the cells for them; None if time ran out.

    These are cautious consequences; asking only about the few atoms that matter here takes a tenth of the time.
    """
    rules = _always(search, _few(search, search.atoms("broken", 1)))
    rules = None if rules is None else [*rules, *_alike(search, rules)]
    names = {atom.arguments[0] for atom in rules or ()}
    about: dict[Symbol, int] = {}
    for name, arity in WORD_PREDICATES:
        groups = search.groups(name, arity)
        for rule in names & groups.keys():
            about |= groups[rule]
        if name == "called":
            about |= {atom: 0 for of in groups.values() for atom, literal in of.items() if not literal}
    said = None if rules is None else _always(search, about)
    return None if rules is None or said is None else [*rules, *said]


def _alike(search: Search, certain: Collection[Symbol]) -> Iterator[Symbol]:
    """Yield rules that share their words, if every model breaks at least one of them."""
    literals = search.atoms("broken", 1)
    by_words: dict[Symbol, dict[Symbol, int]] = {}
    for rule, said in search.groups("says", 2).items():
        if literal := literals.get(fact_symbol("broken", rule)):
            for atom in said:
                by_words.setdefault(atom.arguments[1], {})[fact_symbol("broken", rule)] = literal
    for rules in by_words.values():
        every = [-literal for literal in rules.values()]
        if len(rules) > 1 and rules.keys().isdisjoint(certain):
            core = search.refute(every, given=search.assumed)
            yield from (atom for atom, literal in rules.items() if -literal in (core or ()))


def _few(search: Search, literals: Mapping[Symbol, int]) -> Mapping[Symbol, int]:
    """Return few of these atoms, such that all others can be false together."""
    avoided = {-literal for literal in literals.values() if literal}
    while core := search.refute([*avoided], given=search.assumed):
        avoided.difference_update(core)
    return {atom: literal for atom, literal in literals.items() if -literal not in avoided}


def _always(search: Search, literals: Mapping[Symbol, int]) -> list[Symbol] | None:
    """Return those of some output atoms that are true in every model; None if time ran out."""
    left = dict(literals)

    def read(model: Model) -> None:
        nonlocal left
        left = {atom: literal for atom, literal in left.items() if not literal or model.is_true(literal)}
        model.context.add_clause([-literal for literal in left.values() if literal])  # the next makes one false

    search.solve_here(search.assumed, 0, read)
    return None if search.timed_out else list(left)


def _entries(instance: Instance, answer: Answer, relaxed: Search, settings: Settings) -> Sequence[Entry]:
    """Return the entries of an answer in a search in which rules may be broken.

    If entries never overlap, each excludes those that overlap it.
    """
    kind = instance.puzzle.kind
    if not relaxed.usable:
        return []
    entries = kind.entries(instance, answer, relaxed)
    return entries if not kind.overlap or _overlaps(instance, settings) else kind.closed(entries, relaxed)


def _overlaps(instance: Instance, settings: Settings) -> bool:
    """Return whether the rules let entries of an answer share a cell; also True if time runs out."""
    for without in dict.fromkeys([(), tuple(instance.puzzle.clues)]):  # wrong clues may leave no answer at all
        question = Question(("shared_cell/2",), given=instance.puzzle.kind.overlap, without=without)
        search = questions.ask(instance, settings, question)
        if next(search.models(1), None) is not None or not search.exhausted:
            return True
    return False


def entries_to_take_back(
    instance: Instance, answer: Answer, settings: Settings, *, so_far: bool = False
) -> tuple[list[Entry] | None, Search]:
    """Return the fewest entries to take back so that the rest can be completed, and the search for them.

    None if the board has no answer, or if time ran out; then the search is not exhausted. `so_far` is as for
    `AnswerKind.entries`.
    """
    search = questions.ask(instance, settings, Question(instance.puzzle.view().outputs))
    entries = instance.puzzle.kind.entries(instance, answer, search, so_far=so_far) if search.usable else []
    literals = questions.output_literals(instance, search)
    impossible = [entry for entry in entries if any(atom not in literals for atom in entry.holds)]
    rest = [entry for entry in entries if entry not in impossible]
    dropped = search.smallest_correction_set([review_literals(entry, literals) for entry in rest])
    if dropped is None:
        return None, search
    return sorted([*impossible, *(rest[i] for i in dropped)], key=lambda entry: entry.atom), search


def _to_take_back(instance: Instance, answer: Answer, settings: Settings) -> list[Entry]:
    """Return the fewest entries without which an answer breaks no rule; nothing if that takes too long to find.

    Entries that repeat clues stay. Of sets of the same size, one after which the rest can be completed is preferred.

    The entries are a smallest hitting set of the sets of entries that break a rule.
    """
    left = min(_TAKE_BACK_SECONDS, settings.deadline().left())
    completed, search = entries_to_take_back(instance, answer, settings._replace(timeout=Deadline(left / 2)))
    best = completed if search.exhausted else None
    if instance.puzzle.kind.derived_facts(instance, answer):  # its entries cannot be taken back one by one
        return best or []
    settings = settings._replace(timeout=Deadline(left))
    search = _relaxed(instance, (), settings)
    try:
        entries = _entries(instance, answer, search, settings)
        literals = questions.output_literals(instance, search)
        impossible = [entry for entry in entries if None in entry.holds]
        rest = [entry for entry in entries if entry not in impossible]
        repeated = _repeated(instance, search, rest, literals)
        guards = search.guards([review_literals(entry, literals) for entry in rest])
        by_guard = dict(zip(guards, rest, strict=True))
        staying = [guard for guard, entry in by_guard.items() if entry in repeated]
        others = [guard for guard, entry in by_guard.items() if entry not in repeated]
        most = len(others) if best is None else len(best) - len(impossible) - 1

        def missed(fewest: Collection[int]) -> list[set[int]]:
            return _conflicts(search, [guard for guard in others if guard not in fewest], staying)

        taken = smallest_hitting_set(missed, settings, most)
        if taken or (taken is not None and impossible):
            return sorted([*impossible, *(by_guard[guard] for guard in taken)], key=lambda entry: entry.atom)
    except OutOfTime:
        pass
    return best or []


def _repeated(
    instance: Instance, search: Search, entries: Iterable[Entry], literals: Mapping[Symbol, int]
) -> set[Entry]:
    """Return the entries that repeat clues: the rules of clues alone force them."""
    broken = search.atoms("broken", 1)
    clues = [-literal for atom, literal in broken.items() if instance.puzzle.is_clue(atom.arguments[0])]

    def is_forced(entry: Entry) -> bool:
        said = [literals[atom] for atom in entry.holds if atom] or review_literals(entry, literals)
        return all(not literal or search.refute([*clues, -literal]) is not None for literal in said)

    return set(filter(is_forced, entries)) if clues else set()


def _conflicts(search: Search, entries: Sequence[int], staying: Sequence[int]) -> list[set[int]]:
    """Return minimal sets of entries, as literals to assume, that break a rule together with those that stay.

    At least one, unless no rule is broken. An empty set if those that stay break a rule alone.

    Raises:
        OutOfTime: time ran out.
    """

    def minimal_core(entries: Sequence[int], unbroken: Sequence[int]) -> set[int] | None:
        """Return a minimal set of entries with which these rules are broken; None if they need not be."""
        given = [*staying, *unbroken]
        core = search.refute(entries, given=given)
        core = core and minimal_subset(core, lambda rest: search.refute(rest, given=given))
        search.check()
        return None if core is None else {*core}

    cores: list[set[int]] = []
    while (core := minimal_core(entries, [])) is not None:
        if not core:
            return [core]
        cores.append(core)
        entries = [entry for entry in entries if entry not in core]
    if cores:
        return cores
    search.assumed = [*staying, *entries]
    atoms = search.consequences("cautious")
    if atoms is None or not search.exhausted:
        raise OutOfTime
    broken = search.atoms("broken", 1)
    return [minimal_core(entries, [-broken[atom]]) or set() for atom in atoms if atom in broken]


def review_literals(entry: Entry, literals: Mapping[Symbol, int]) -> list[int]:
    """Return the literals that hold if an entry is right, without those of facts."""
    holding = [literals[atom] for atom in entry.holds if atom and literals.get(atom)]
    return holding + [-literals[atom] for atom in entry.fails if literals.get(atom)]


def _relaxed(instance: Instance, asserted: Iterable[Symbol], settings: Settings, *, again: bool = False) -> Search:
    """Return a search in which every rule may be broken and some atoms are facts; `again`: as `questions.ask_again`."""
    given = "".join(f"{atom}.\nsaid({atom}).\n" for atom in asserted)
    question = Question(BROKEN_OUTPUTS, ("broken",), given, WORD_FILES)
    return questions.ask_again(instance, settings, question) if again else questions.ask(instance, settings, question)


def _unnamed(entries: Collection[Entry]) -> Broken:
    cells = sorted({cell for entry in entries for cell in entry.cells})
    text = listing([entry.marked for entry in entries], "and")
    return Broken(UNNAMED_RULE, tuple(cells), spans.sentence(f"no answer can have {text}"))
