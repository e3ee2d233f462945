"""What there is to say of an answer, full or in part: which rules it breaks, or how far it is right."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.search import Search, minimal_core
from pyasp_puzzles.asp.settings import DEFAULT, Settings
from pyasp_puzzles.errors import listing
from pyasp_puzzles.puzzles.program import Question, ask, assembled
from pyasp_puzzles.puzzles.wording import BROKEN_OUTPUTS, UNNAMED, WORD_FILES, Broken, broken_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clingo import Symbol

    from pyasp_puzzles.puzzles.answer import Answer
    from pyasp_puzzles.puzzles.kind import Entry
    from pyasp_puzzles.puzzles.puzzle import Instance


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


def broken(instance: Instance, answer: Answer, settings: Settings = DEFAULT) -> list[Broken] | None:
    """Return the rules that an answer breaks, sorted by name; None if time ran out.

    Of an answer in part, these are the rules that can no longer hold, however the rest is filled. What no answer can
    have, by rules that have no name, is called "unnamed".

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    kind, settings = instance.puzzle.kind, settings.started()
    asserted = kind.derived_facts(instance, answer)
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
        core = minimal_core(core, search.refute)
        if not core:
            return [Broken(UNNAMED, (), "no board is an answer, by rules that have no name")]
        unnamed.append(_unnamed(dict.fromkeys(said[literal] for literal in core)))
        said = {literal: entry for literal, entry in said.items() if literal not in core}
    search.assumed = list(said)
    atoms = search.consequences("cautious") if search.exhausted else None
    if atoms is None or not search.exhausted:
        return None
    rules = _once(broken_rules(instance, atoms))
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
    open_ = kind.open_cells(instance, answer)
    if rules is None or rules:
        return Review("unknown" if rules is None else "broken", tuple(rules or ()), open_)
    wrong, search = wrong_entries(instance, answer, settings)
    if not search.exhausted:
        return Review("unknown", (), open_)
    if wrong is None:
        return Review("none", (), open_)
    status = "stuck" if wrong else "right" if open_ else "solved"
    return Review(status, (), open_, tuple(wrong))


def wrong_entries(
    instance: Instance, answer: Answer, settings: Settings, *, so_far: bool = False
) -> tuple[list[Entry] | None, Search]:
    """Return the fewest entries to take back so that the rest can be completed, and the search that found them.

    None if there is no answer anyway, or if time ran out: the search is not exhausted then.

    Args:
        instance: the board.
        answer: what is filled in.
        settings: how to search, and what with.
        so_far: as for `Kind.entries`.
    """
    search = ask(instance, settings, Question(instance.puzzle.view().outputs))
    entries = instance.puzzle.kind.entries(instance, answer, search, so_far=so_far) if search.usable else []
    literals = literals_of(instance, search)
    impossible = [entry for entry in entries if any(atom not in literals for atom in entry.holds)]
    rest = [entry for entry in entries if entry not in impossible]
    given_up = search.fewest([said_by(entry, literals) for entry in rest])
    if given_up is None:
        return None, search
    return sorted([*impossible, *(rest[i] for i in given_up)], key=lambda entry: entry.atom), search


def literals_of(instance: Instance, search: Search) -> dict[Symbol, int]:
    """Return the literals of the output; facts have the literal 0."""
    return {
        symbol: literal
        for name, arity in instance.puzzle.view().signatures()
        for symbol, literal in search.atoms(name, arity).items()
    }


def said_by(entry: Entry, literals: Mapping[Symbol, int]) -> list[int]:
    """Return the literals that an entry says to hold."""
    holding = [literals[atom] for atom in entry.holds if atom and literals.get(atom)]
    return holding + [-literals[atom] for atom in entry.fails if literals.get(atom)]


def _relaxed(instance: Instance, asserted: Iterable[Symbol], settings: Settings) -> Search:
    """Return the search in which every rule may be broken, and some atoms are facts."""
    given = "".join(f"{atom}.\nsaid({atom}).\n" for atom in asserted)
    return Search(*assembled(instance, settings, Question(BROKEN_OUTPUTS, ("broken",), given, WORD_FILES)), settings)


def _assumed(instance: Instance, search: Search, entries: Iterable[Entry]) -> dict[int, Entry]:
    """Return the literals that entries assume."""
    literals = literals_of(instance, search)
    return {literal: entry for entry in entries for literal in said_by(entry, literals)}


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
