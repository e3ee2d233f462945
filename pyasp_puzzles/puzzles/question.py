"""Programs for clingo: the encodings, facts and modes for a question about an instance."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.cache import LRUCache
from pyasp_puzzles.asp.paths import extra_rules, is_variant, mode_path, ships
from pyasp_puzzles.asp.rules import Rules
from pyasp_puzzles.asp.search import SUMS, Search
from pyasp_puzzles.asp.settings import DEFAULT
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.puzzles.variant import check_fit, rules_of, shipped_variants

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from pyasp_puzzles.asp.rules import RuleFile
    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.model.puzzle import Instance, Puzzle


def program(instance: Instance, without: Collection[str] = ()) -> str:
    """Return the facts of an instance, `without` some predicates, as a program for plain clingo.

    Its details are comments at the top.
    """
    head = [f"% {key}: {value}" for key, value in {"puzzle": instance.puzzle.name, **instance.details}.items()]
    head += [f"% variants: {' '.join(instance.variants)}"] if instance.variants else []
    return "\n".join([*head, "", instance.facts.program(without), ""])


def rules_text(puzzle: Puzzle) -> str:
    """Return the rules of a puzzle as one text: those of the puzzle whose rules it uses, and then its own."""
    return "\n".join(file.read_text(encoding="utf-8") for file in puzzle.encodings)


class Question(NamedTuple):
    """What a question adds to the encoding and the facts of an instance."""

    outputs: tuple[str, ...]
    """Output predicates, such as "value/3"; models that agree in these are one model."""
    modes: tuple[str, ...] = ()
    """The modes to load: files of `encodings/modes`."""
    given: str = ""
    """Further lines of the program."""
    files: tuple[str, ...] = ()
    """Further files of the puzzle's folder: "words" for its rules, "cells" that break them."""
    without: Collection[str] = ()
    """Predicates of the facts to leave out."""
    more: tuple[Path, ...] = ()
    """Further files."""
    pruned: bool = False
    """Whether to load the pruning rules; edited rules are never pruned, as these may not follow from them."""
    named: bool = True
    """Whether rules keep their names, which are asked for, or on which the order of answers depends."""
    ordered: bool = False
    """Whether `given` has an order that finds an answer almost without conflicts."""
    explained: bool = False
    """Whether all that follows needs a rule as its reason: then no pruning rules of variants are loaded."""


def with_variants(instance: Instance, settings: Settings) -> Settings:
    """Return settings that add the rules of the board's variants, too."""
    # Shipped files, or of folders that the user names: an instance is data, and brings no rules with it.
    known = {extra_rules(path) for path in settings.extra}
    files = [rules_of(instance.puzzle, name) for name in instance.variants]
    added = [file for file in files if file not in known]
    return settings._replace(extra=(*settings.extra, *added)) if added else settings


def rule_files(instance: Instance) -> list[Path]:
    """Return the files of the shipped rules of a board; errors as for `rules_in_use`."""
    return [path for path in rules_in_use(instance) if not isinstance(path, Rules)]


def rules_in_use(instance: Instance, settings: Settings = DEFAULT) -> list[RuleFile]:
    """Return the rules of a board: those of its puzzle, those that are added, those of its variants.

    Raises:
        EncodingError: a shipped variant does not fit the rules, or there is none of a name.
    """
    puzzle = instance.puzzle
    rules: list[RuleFile] = [settings.encoding] if settings.encoding else [*puzzle.encodings]
    extra = [*map(extra_rules, with_variants(instance, settings).extra)]
    for path in filter(ships, extra):
        check_fit(shipped_variants()[path.stem], rules, puzzle.name)
    return [*rules, *extra]


def assemble(instance: Instance, settings: Settings, question: Question) -> tuple[list[RuleFile], str]:
    """Return the files, and the text of further lines, to ground for a question."""
    files = list(question.files)
    extra = [*map(extra_rules, with_variants(instance, settings).extra)]
    if question.pruned and settings.encoding is None and all(map(ships, extra)):
        files.append("pruning")  # what follows from the shipped rules follows from them and more
    encodings = rules_in_use(instance, settings)
    variants = [path.parent for path in encodings if not isinstance(path, Rules) and is_variant(path.parent)]
    encodings += [path for name in files for path in instance.puzzle.companions(name)]
    if question.explained:
        files = list(question.files)
    added = [folder / f"{name}.lp" for folder in variants for name in files]
    encodings += [path for path in added if path.is_file()]
    modes = list(question.modes)
    if "pruning" in files and any(shipped_variants()[folder.name].sums for folder in variants if ships(folder / "")):
        modes.append(SUMS)
    encodings += [*map(mode_path, modes), *question.more]
    facts = program(instance, question.without)
    large = "large.\n" if "pruning" in files and len(facts) > Limits.SMALL_PROGRAM else ""
    show = "".join(f"#show {output}. #project {output}.\n" for output in question.outputs)
    return encodings, f"{facts}{question.given}{large}{show}"


def ask_again(instance: Instance, settings: Settings, question: Question) -> Search:
    """Return the same as `ask`, on a grounding that is kept for the next time: its program must not be changed.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
        OutOfTime: time ran out while another thread grounded it.
    """
    settings = settings.started()
    files, text = assemble(instance, settings, question)
    from pyasp_puzzles.asp.source import check_source

    own = [one for file in files if not ships(file) for one in check_source(file)]
    stamps = tuple(None if isinstance(one, Rules) else stamp(one) for one in own)
    key = tuple(files), stamps, text, settings.seed, settings.threads
    search = _groundings().get(key, lambda: _kept(Search(files, text, settings)), settings.deadline())
    if not search.usable:
        _groundings().drop(key)
        return search
    return search.assuming((), settings)


def _kept(search: Search) -> Search:
    search.keep_atoms()
    return search


@cache
def _groundings() -> LRUCache[Search]:
    return LRUCache(Limits.MOST_ASKED_AGAIN)


def stamp(file: Path) -> object:
    """Return what changes when a file does; None if it is gone, which is an error later."""
    with suppress(OSError, ValueError):
        status = file.stat()
        return status.st_mtime_ns, status.st_size
    return None


def ask(instance: Instance, settings: Settings, question: Question) -> Search:
    """Return the search for a question, grounded.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    settings = settings.started()
    return Search(*assemble(instance, settings, question), settings, named=question.named, ordered=question.ordered)
