"""Programs for clingo: the encodings, facts and modes for a question about an instance."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.paths import extra_rules, mode_path, ships, variant
from pyasp_puzzles.asp.search import Search
from pyasp_puzzles.asp.settings import DEFAULT
from pyasp_puzzles.errors import EncodingError, Where, listing
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.model.puzzle import Instance, Puzzle

# An atom with plain arguments.
_ATOM = re.compile(r"\b([a-z]\w*)\(([^()]*)\)")


def program(instance: Instance, without: Collection[str] = ()) -> str:
    """Return the facts of an instance, `without` some predicates, as a program for plain clingo.

    Its details are comments at the top.
    """
    head = [f"% {key}: {value}" for key, value in {"puzzle": instance.puzzle.name, **instance.details}.items()]
    head += [f"% variants: {' '.join(instance.variants)}"] if instance.variants else []
    return "\n".join([*head, "", instance.facts.program(without), ""])


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
    pruned: bool = False
    """Whether to load the pruning rules; edited rules are never pruned, as these may not follow from them."""


def with_variants(instance: Instance, settings: Settings) -> Settings:
    """Return settings that add the rules of the board's variants, too."""
    # Shipped files, never files of the same name: an instance is data, and brings no rules with it.
    added = [variant(name) for name in instance.variants if Path(name) not in settings.extra]
    return settings._replace(extra=(*settings.extra, *added)) if added else settings


def rule_files(instance: Instance, settings: Settings = DEFAULT) -> list[Path]:
    """Return the files of the rules of a board: those of its puzzle, those that are added, those of its variants.

    Raises:
        EncodingError: a shipped variant does not fit the rules, or there is none of a name.
    """
    puzzle = instance.puzzle
    rules = [settings.encoding] if settings.encoding else [*puzzle.encodings]
    extra = [*map(extra_rules, with_variants(instance, settings).extra)]
    for path in filter(ships, extra):
        check_fit(path, rules, puzzle)
    return [*rules, *extra]


def assemble(instance: Instance, settings: Settings, question: Question) -> tuple[list[Path], str]:
    """Return the files, and the text of further lines, to ground for a question."""
    files = list(question.files)
    if question.pruned and not with_variants(instance, settings).edited:
        files.append("pruning")
    encodings = rule_files(instance, settings)
    encodings += [path for name in files for path in instance.puzzle.companions(name)]
    encodings += map(mode_path, question.modes)
    facts = program(instance, question.without)
    large = "large.\n" if "pruning" in files and len(facts) > Limits.SMALL_PROGRAM else ""
    show = "".join(f"#show {output}. #project {output}.\n" for output in question.outputs)
    return encodings, f"{facts}{question.given}{large}{show}"


def check_fit(variant: Path, encodings: Sequence[Path], puzzle: Puzzle) -> None:
    """Raise unless the rules have the predicates that a shipped variant reads, as its header lists them.

    Those after a semicolon are for its words alone.

    Raises:
        EncodingError: they do not, so the variant would change nothing.
    """
    reads = next(line for line in variant.read_text(encoding="utf-8").splitlines() if line.startswith("% Input:"))
    if any(ships(encoding) and f"as in {encoding.name}" in reads for encoding in encodings):
        return  # so says the header, and `clingo.ast` need not be imported for most boards with variants
    from pyasp_puzzles.asp import syntax

    known = syntax.signatures(syntax.statements(encodings) or ())
    listed = _ATOM.finditer(reads.partition(";")[0])
    missing = [atom[0] for atom in listed if (atom[1], atom[2].count(",") + 1) not in known]
    if missing:
        names = listing((encoding.name for encoding in encodings), "and")
        message = f"no variant of {puzzle.name}: its rules are about {listing(missing, 'and')}"
        lacks = "does not have" if len(encodings) == 1 else "do not have"
        raise EncodingError(f"{message}, which {names} {lacks}", Where(variant.stem))


def ask(instance: Instance, settings: Settings, question: Question) -> Search:
    """Return the search for a question, grounded.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    settings = settings.started()
    return Search(*assemble(instance, settings, question), settings)
