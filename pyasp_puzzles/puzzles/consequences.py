"""Files of consequences: implied rules, which are used only while the rules that imply them are in force, unchanged.

The header of a file names the files of rules that it follows from, each with a digest of its text, and the predicates
to which other rules may add:

    % Follows from: strimko.lp 1f00ba52
    % Open: unit

The header of a `words.lp` or a `cells.lp` has a digest of each rule that it tells, together with what that rule reads,
and a digest of its own text. If that text was edited, it is used as it is; if not, only for rules that are unchanged:

    % Rules: cell/2 0e16c0c9, once(row)/2 b2ef98a1, once(col)/2 85dc6a26
    % Text: 61bd8a4f

Claims  Claims({"1f00ba52": "strimko.lp"}, {"unit"}, {"cell/2": "0e16c0c9", ...}, "61bd8a4f"): what a header says
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.grounding import SUMS_MODE
from pyasp_puzzles.asp.rules import Rules, mode_path
from pyasp_puzzles.asp.source import read_source, source_digest, source_stamp
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clingo.ast import AST

    from pyasp_puzzles.asp.rules import RuleFile


# The companions that follow from the rules of their puzzle.
FILES = ("pruning", "normal", "other")
FOLLOWS = re.compile(r"^% Follows from: (\S+) (\S+)$", re.MULTILINE)
RULES = re.compile(r"^% Rules: (.+)$", re.MULTILINE)
TEXT = re.compile(r"^% Text: (\S+)$", re.MULTILINE)
_OPEN = re.compile(r"^% Open: (.+)$", re.MULTILINE)
# Predicates that only say rules in words.
WORD_ONLY_PREDICATES = {
    "says",
    "says_part",
    "needs",
    "leaves",
    "fails",
    "breaks",
    "excludes",
    "blocks",
    "called",
    "about",
}


class _Claims(NamedTuple):
    """What the header of a file says."""

    follows: Mapping[str, str]
    """{digest: the name of the file of rules}"""
    open: frozenset[str]
    """The predicates to which other rules may add."""
    rules: Mapping[str, str]
    """{the name of a rule and the number of its arguments, `once(row)/2`: the digest of all that it says}"""
    text: str
    """The digest of the file; empty if the header has none."""


def _claims(file: Path) -> _Claims:
    """Return what the header of a file says."""
    text = read_source(file).text
    names = {name for names_of_line in _OPEN.findall(text) for name in names_of_line.split(", ")}
    rules = dict(claim.split() for line in RULES.findall(text) for claim in line.split(", "))
    implied_by = {digest: name for name, digest in FOLLOWS.findall(text)}
    return _Claims(implied_by, frozenset(names), rules, "".join(TEXT.findall(text)))


def line(rules: Path) -> str:
    """Return the line of a header that says that a file follows from these rules."""
    return f"% Follows from: {rules.name} {source_digest(read_source(rules).text)}"


def _by_digest(rules: Sequence[RuleFile]) -> dict[str, RuleFile]:
    """Return {digest: file}, without files that include others: their text is not all of their rules."""
    texts = {file: read_source(file).text for file in rules}
    return {source_digest(text): file for file, text in texts.items() if "#include" not in text}


def hold(file: Path, rules: Sequence[RuleFile]) -> bool:
    """Return whether the rules in the header of a file are in force, and all other rules only forbid."""
    by_digest, claim = _by_digest(rules), _claims(file)
    added: dict[RuleFile, set[Path]] = {
        rule: set() for digest, rule in by_digest.items() if digest not in claim.follows
    }
    complete = len(by_digest) == len(rules) and len(claim.follows) > 0 and claim.follows.keys() <= by_digest.keys()
    base = [by_digest[digest] for digest in claim.follows if digest in by_digest]
    return complete and (not added or _only_forbid(added, base, (), claim.open | {"violated"}, set()))


def hold_exactly(file: Path, rules: Sequence[RuleFile]) -> bool:
    """Return whether the rules in force are exactly those in the header of a file."""
    return {source_digest(read_source(file_of_rules).text) for file_of_rules in rules} == _claims(file).follows.keys()


def rule_digests(files: Sequence[RuleFile]) -> dict[str, str]:
    """Return {name and number of arguments: digest} for the rules of files, with the statements that these read."""
    from pyasp_puzzles.asp import syntax

    written = {
        id(statement): syntax.statement_text(statement, read_source(file))
        for file in files
        for statement in syntax.statements([file]) or ()
    }
    definitions = syntax.statement_definitions(
        [statement for file in files for statement in syntax.statements([file]) or ()]
    )
    return {
        name: source_digest("\n".join(written[id(statement)] for statement in read))
        for name, read in definitions.items()
    }


def without_stale(file: Path, rules: Sequence[RuleFile]) -> RuleFile:
    """Return a file with words or cells of rules, without those of rules that have changed since."""
    source, claim = read_source(file), _claims(file)
    if source_digest(source.text) != claim.text or claim.follows.keys() <= _by_digest(rules).keys():
        return file
    from pyasp_puzzles.asp import syntax

    # Files that a puzzle uses together may come as one text, as in the studio.
    together = [rule_file for rule_file in rules if Path(read_source(rule_file).name).name in claim.follows.values()]
    digests = [rule_digests(files) for files in (together, *([rule_file] for rule_file in rules))]
    same = {name for name, digest in claim.rules.items() if any(current.get(name) == digest for current in digests)}
    # Where one kind of a rule is gone, once(col)/2, the words hold for the others.
    gone = claim.rules.keys() - set().union(*digests) if same else set()
    left = {_rule_of(name) for name in same}
    stale = {_rule_of(name) for name in claim.rules.keys() - same if name not in gone or _rule_of(name) not in left}
    names = {name for name, _ in stale}
    kept = [
        statement
        for statement in syntax.statements([file]) or ()
        for name, places in [syntax.statement_subject(statement)]
        if (name, str(places)) not in stale and not (name in names and not places)
    ]
    return Rules("\n".join(map(str, kept)), source.name)


def _rule_of(name: str) -> tuple[str, str]:
    """Return the name of a rule and the number of its arguments: ("once", "2") for `once(col)/2`."""
    front, _, places = name.partition("/")
    return front.partition("(")[0], places


def files(
    rules: Sequence[RuleFile], own: Sequence[Path], more: Sequence[Path], outputs: Sequence[str]
) -> Sequence[Path]:
    """Return the files of consequences that hold with the rules in force, and the mode that they need.

    Without those of the puzzle, no others are returned; nor if an added rule does more than forbid, since what followed
    from the other rules need not hold then.

    Args:
        rules: the rules in force.
        own: the files of the puzzle.
        more: the files of its variants.
        outputs: the output predicates, without their arity.
    """
    return _consequences(
        *map(tuple, (rules, own, more, outputs, [source_stamp(file) for file in (*rules, *own, *more)]))
    )


@lru_cache(maxsize=Limits.MOST_SOURCES)
def _consequences(
    rules: tuple[RuleFile, ...],
    own: tuple[Path, ...],
    more: tuple[Path, ...],
    outputs: tuple[str, ...],
    stamps: tuple[object, ...],
) -> Sequence[Path]:
    """Return what `files` does; cached: it takes 30 ms."""
    del stamps
    by_digest = _by_digest(rules)
    said = {file: _claims(file) for file in (*own, *more)}
    fitting = [file for file, claim in said.items() if claim.follows and claim.follows.keys() <= by_digest.keys()]
    if not own or not set(own) <= set(fitting):
        return ()
    base = {by_digest[digest] for file in own for digest in said[file].follows}
    # A variant's own consequences may use what its rules derive.
    added = {
        rule: {file for file in fitting if rule in map(by_digest.get, said[file].follows)}
        for rule in rules
        if rule not in base
    }
    if any(re.search(r"^total\(", read_source(file).text, re.MULTILINE) for file in fitting):
        fitting.append(mode_path(SUMS_MODE))
    allowed = frozenset().union(*(said[file].open for file in own), ("violated",))
    return tuple(fitting) if not added or _only_forbid(added, [*base], fitting, allowed, {*outputs}) else ()


def _only_forbid(
    added: Mapping[RuleFile, set[Path]],
    base: Sequence[RuleFile],
    consequences: Sequence[Path],
    allowed: frozenset[str],
    outputs: set[str],
) -> bool:
    """Return whether added rules only forbid, and read nothing that consequences change.

    Args:
        added: {file of added rules: the consequences that may use what it derives}.
        base: the other rules in force.
        consequences: the files of consequences.
        allowed: the predicates to which rules may add.
        outputs: the output predicates, which consequences do not change.
    """
    from pyasp_puzzles.asp import syntax

    programs: dict[RuleFile, list[AST]] = {}
    for file in (*added, *base, *consequences):
        program = syntax.statements([file])
        if program is None:
            return False
        programs[file] = program
    derived = {file: syntax.derived_atom_names(program) - allowed for file, program in programs.items()}
    used = {file: syntax.atom_names(program) for file, program in programs.items()}
    changed = syntax.dependent_predicates(
        set[str]().union(*(derived[file] for file in consequences)),
        [statement for file in base for statement in programs[file]],
        allowed | outputs,
    )
    for file, consequent in added.items():
        rules = [
            statement
            for statement in programs[file]
            if not (syntax.derived_atom_names([statement]) or {""}) <= WORD_ONLY_PREDICATES
        ]
        if not syntax.has_plain_syntax(programs[file]) or not changed.isdisjoint(syntax.atom_names(rules)):
            return False
        if any(derived[file] & used[other] for other in programs if other != file and other not in consequent):
            return False
    return True
