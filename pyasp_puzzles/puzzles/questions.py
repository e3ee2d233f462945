"""Questions for clingo about a board: facts, rules in use, modes and consequences; and groundings that are kept.

A question is grounded from these files, each kind with one name:

Encoding      the rules of the board's puzzle
Variant       a folder with rules, words and keys; a board uses it by name or by a key (`Instance.variants`)
Extra         a file of rules that the user adds (`Settings.extra`); a variant that ships may be added in this way, too
Consequences  what follows from rules (`pruning.lp`, `normal.lp`, `other.lp`); for speed, and never of another meaning
Digest        of the text of rules; files that follow from rules name it, and are left out when the rules change
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeGuard, TypeVar

from pyasp_puzzles.asp.grounding import LRUCache
from pyasp_puzzles.asp.rules import Rules, extra_rules_path, is_shipped_path, is_variant_path, mode_path
from pyasp_puzzles.asp.search import GUIDED_SEARCH, program_search
from pyasp_puzzles.asp.settings import DEFAULT
from pyasp_puzzles.asp.source import check_source, source_stamp
from pyasp_puzzles.errors import EncodingError, Where
from pyasp_puzzles.puzzles import consequences, declaration
from pyasp_puzzles.puzzles.consequences import WORD_ONLY_PREDICATES
from pyasp_puzzles.puzzles.declaration import check_variant_fit, shipped_variants

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from clingo import Symbol
    from clingo.backend import Observer

    from pyasp_puzzles.asp.rules import RuleFile
    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.asp.syntax import Signature
    from pyasp_puzzles.model.puzzle import Instance, Puzzle

# Groundings that are kept, of layouts, and two of each board while answers are reviewed; and counts of boards.
_MOST_KEPT = 32
# Characters of the facts of a board that is not large, and the fact of one that is: pruning.lp has heuristics for it.
_NOT_LARGE = 8000
_LARGE = "large.\n"


def facts_program(instance: Instance, without: Collection[str] = ()) -> str:
    """Return the facts of an instance, `without` some predicates, as a program for plain clingo.

    Its details are comments at the top.
    """
    head = [f"% {key}: {value}" for key, value in {"puzzle": instance.puzzle.name, **instance.details}.items()]
    head += [f"% variants: {' '.join(instance.variants)}"] if instance.variants else []
    return "\n".join([*head, "", instance.facts.program(without), ""])


# Characters of a comment that stands for the words of a rule; of a longer one, the first sentence does.
_LONGEST_COMMENT = 120


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
    pruning: Literal["none", "own", "all"] = "none"
    """Which consequences of the rules in force to load; "own" leaves out those of variants, which no step may use."""


def rule_files_in_use(instance: Instance) -> list[Path]:
    """Return the files of the shipped rules of a board; errors as for `rules_in_use`."""
    return [path for path in rules_in_use(instance) if not isinstance(path, Rules)]


def rules_in_use(instance: Instance, settings: Settings = DEFAULT) -> list[RuleFile]:
    """Return the rules of a board: those of its puzzle, those that are added, those of its variants.

    Raises:
        EncodingError: a shipped variant does not fit the rules, there is none of a name, or two files are copies.
        InstanceError: one does not fit the board.
    """
    puzzle = instance.puzzle
    rules = rules_with_variants(puzzle, instance.variants, settings)
    for path in filter(is_shipped_path, _added_rules(puzzle, instance.variants, settings)):
        shipped_variants()[path.stem].check(instance.outline)
    return rules


def rules_with_variants(puzzle: Puzzle, variants: Sequence[str], settings: Settings) -> list[RuleFile]:
    """Return the rules of boards with some variants; errors as for `rules_in_use`."""
    encoding = settings.encoding
    extra = _added_rules(puzzle, variants, settings)
    rules: list[RuleFile] = [*puzzle.encodings]
    if _is_folder(encoding):
        companions = {file.name for folder in puzzle.folders for file in folder.glob("*.lp")}
        names = companions - {file.name for file in puzzle.encodings}
        copies = {file.name: file for file in sorted(encoding.glob("*.lp")) if file.name not in names}
        if not copies:
            raise EncodingError("this is not a regular file, nor a folder with .lp files", Where(str(encoding)))
        rules = [copies.pop(file.name, file) for file in puzzle.encodings]
        extra = [copies.pop(file.name, file) if _of_variant(file) else file for file in extra]
        extra += [file for file in copies.values() if file not in extra]
    elif encoding is not None:
        rules = [encoding]
    for path in filter(is_shipped_path, extra):
        check_variant_fit(shipped_variants()[path.stem], rules, puzzle.name)
    if not all(map(is_shipped_path, [*rules, *extra])):
        from pyasp_puzzles.asp.checks import check_rule_copies

        check_rule_copies([*rules, *extra])
    return [*rules, *extra]


def rule_comments(instance: Instance, settings: Settings) -> dict[tuple[str, int], str]:
    """Return {("once", 2): the comment above that rule, as a clause}, of rules that no words.lp tells; errors as above.

    Where a rule was edited, its words are not used, and its comment may be as old as they are.
    """
    from pyasp_puzzles.asp import syntax

    words = syntax.statements(_companions(instance, settings, "words")) or ()
    told = {syntax.statement_subject(statement) for statement in words}
    comments: dict[tuple[str, int], str] = {}
    for file in rules_in_use(instance, settings):
        for name, text in syntax.rule_comments(file).items():
            sentence = text if len(text) <= _LONGEST_COMMENT else f"{text.partition('. ')[0].rstrip('.')}."
            if len(sentence) <= _LONGEST_COMMENT and name not in told:
                comments.setdefault(name, f"{sentence[0].lower()}{sentence[1:-1]}")
    return comments


def _added_rules(puzzle: Puzzle, variants: Sequence[str], settings: Settings) -> list[RuleFile]:
    """Return the rules that are added to those of a puzzle: by the settings, and then by the variants of boards."""
    extra = [*map(extra_rules_path, settings.extra)]
    texts = {rules.name for rules in extra if isinstance(rules, Rules)}
    # Shipped files, or of folders that the user names: an instance is data, and brings no rules with it.
    files = (file for name in variants if (file := declaration.variant_rules(puzzle, name)).name not in texts)
    return list(dict.fromkeys([*extra, *files]))


def _companion_folders(instance: Instance, settings: Settings) -> list[Path]:
    """Return the folders besides the puzzle's whose words and other companions are used: of variants, and of copies."""
    puzzle, variants = instance.puzzle, instance.variants
    added = [*_added_rules(puzzle, variants, settings), *(declaration.variant_rules(puzzle, name) for name in variants)]
    folders = [*dict.fromkeys(file.parent for file in added if _of_variant(file))]
    encoding = settings.encoding
    return [*folders, encoding] if _is_folder(encoding) else folders


def _companions(instance: Instance, settings: Settings, name: str) -> list[Path]:
    """Return the companions of a name, such as "words", that are used: of the puzzle, of variants, and of copies."""
    return [*instance.puzzle.companions(name), *_added_companions(instance, settings, name)]


def _added_companions(instance: Instance, settings: Settings, name: str) -> list[Path]:
    folders = _companion_folders(instance, settings)
    return [file for folder in folders if (file := folder / f"{name}.lp").is_file()]


def _is_folder(rules: RuleFile | None) -> TypeGuard[Path]:
    return isinstance(rules, Path) and os.path.isdir(rules)  # noqa: PTH112 (a name may be too long for a file)


def _of_variant(file: RuleFile) -> TypeGuard[Path]:
    return not isinstance(file, Rules) and is_variant_path(file.parent)


def have_method(instance: Instance, settings: Settings) -> bool:
    """Return whether the kind of answer has a method of its own, and the rules in force are those it is made for.

    These are the rules in the header of the puzzle's words.lp.
    """
    method = instance.puzzle.kind.method
    files = instance.puzzle.companions("words") if method else ()
    return any(consequences.hold_exactly(file, rules_in_use(instance, settings)) for file in files)


def normal_files(instance: Instance, settings: Settings) -> tuple[Path, ...]:
    """Return the `normal.lp` and `other.lp` of a puzzle if both follow from exactly the rules in force; else none."""
    normal = instance.puzzle.companions("normal")
    other = instance.puzzle.companions("other") if normal else ()
    rules = rules_in_use(instance, settings) if len(normal) == len(other) == 1 else ()
    files = (*normal, *other)
    return files if rules and all(consequences.hold_exactly(file, rules) for file in files) else ()


def program(instance: Instance, settings: Settings, question: Question) -> tuple[list[RuleFile], str]:
    """Return the files, and the text of further lines, to ground for a question."""
    puzzle, rules = instance.puzzle, rules_in_use(instance, settings)
    files = [file for name in question.files for file in _companions(instance, settings, name)]
    encodings = [*rules, *(consequences.without_stale(file, rules) for file in files)]
    pruned: Sequence[Path] = ()
    if question.pruning != "none":
        added = _added_companions(instance, settings, "pruning")
        others = [*puzzle.pruning(of_variants=True), *added] if question.pruning == "all" else []
        outputs = [name for name, _ in puzzle.view().signatures()]
        pruned = consequences.files(rules, puzzle.pruning(of_variants=False), others, outputs)
    encodings += [*pruned, *map(mode_path, question.modes), *question.more]
    facts = facts_program(instance, question.without)
    of_puzzle = {*puzzle.pruning(of_variants=False)}
    more = _LARGE if pruned and len(facts) > _NOT_LARGE else ""
    more += "variants.\n" if not of_puzzle.issuperset(pruned) else ""
    project = "" if "#project" in question.given else " #project {}."
    show = "".join(f"#show {output}.{project.format(output)}\n" for output in question.outputs)
    return encodings, f"{facts}{question.given}{more}{show}"


def ask_again(instance: Instance, settings: Settings, question: Question) -> Search:
    """Return what `ask` does, on a grounding that is kept: its program must not be changed.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
        OutOfTime: time ran out while another thread grounded it.
    """
    settings = settings.started()
    files, text = program(instance, settings, question)
    stamps = tuple(source_stamp(path) for file in files for path in check_source(file))
    key = tuple(files), stamps, text, settings.seed, settings.threads
    search = kept(key, lambda: ask(instance, settings, question), settings)
    return search.assuming((), settings) if search.usable else search


class _Ground(Protocol):
    """A ground program, or what is made of one."""

    @property
    def usable(self) -> bool:
        """Whether grounding has ended, so that questions can be asked."""


_Kept = TypeVar("_Kept", bound=_Ground)


def kept(key: tuple[object, ...], make: Callable[[], _Kept], settings: Settings) -> _Kept:
    """Return the grounding for a key, which is made once and kept unless it cannot be used.

    Args:
        key: the files of rules, their stamps, the facts without those that are open, and what is shown.
        make: returns a new grounding.
        settings: the time limit.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
        OutOfTime: time ran out while another thread grounded it.
    """
    grounding: _Kept = groundings().get(key, make, settings.deadline())
    if not grounding.usable:
        groundings().drop(key)
    return grounding


@cache
def groundings() -> LRUCache[Any]:
    """Return the groundings that this process keeps."""
    return LRUCache(_MOST_KEPT)


def ask(
    instance: Instance,
    settings: Settings,
    question: Question,
    observer: Observer | None = None,
    options: Sequence[str] = (),
) -> Search:
    """Return the search for a question, grounded, with warnings of predicates that nothing reads.

    `options` are options of clingo; those of a guided search are added where the rules have heuristics.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    settings = settings.started()
    files, text = program(instance, settings, question)
    guided = _LARGE in text or not all(map(is_shipped_path, files))
    options = tuple(dict.fromkeys((*options, *(GUIDED_SEARCH if guided else ()))))
    search = program_search(files, text, settings, options, observer)
    search.warn(unread(instance, settings))
    return search


def output_literals(instance: Instance, search: Search) -> dict[Symbol, int]:
    """Return {atom of an answer: its literal in a search}; the literal of a fact is 0."""
    return search.literals(instance.puzzle.view().signatures())


def unread(instance: Instance, settings: Settings) -> list[EncodingError]:
    """Return a warning for each predicate that the user's rules of a board derive and nothing reads.

    Raises:
        EncodingError: as for `rules_in_use`.
    """
    rules = rules_in_use(instance, settings)
    if all(map(is_shipped_path, rules)):
        return []
    from pyasp_puzzles.asp.checks import check_unread_predicates

    return check_unread_predicates(rules, lambda: _read_elsewhere(instance, settings))


def _read_elsewhere(instance: Instance, settings: Settings) -> set[Signature]:
    """Return the predicates that other questions about a board, variants, or Python read."""
    from pyasp_puzzles.asp.checks import contents_to_check

    puzzle, kind = instance.puzzle, instance.puzzle.kind
    folders = [mode_path("").parent, *puzzle.folders, *_companion_folders(instance, settings)]
    files = sorted(file for folder in folders for file in folder.glob("*.lp"))
    signatures = {signature for view in kind.views.values() for signature in view.signatures()}
    signatures |= {(name, arity) for name in WORD_ONLY_PREDICATES for arity in (2, 3)}
    signatures.add((getattr(kind, "covers", ""), 2 + getattr(kind, "arity", 0)))
    signatures |= {signature for variant in shipped_variants().values() for signature in variant.reads().values()}
    signatures = signatures.union(*(contents.reads for contents in map(contents_to_check, files) if contents))
    return signatures.union(
        *(
            contents.derives
            for contents in map(contents_to_check, filter(is_shipped_path, puzzle.encodings))
            if contents
        )
    )
