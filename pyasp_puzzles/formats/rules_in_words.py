"""Rules in words: our own sentences are read back; others are found, for a warning.

A sentence says nothing new if all its words are those of the usual rules ("Normal sudoku rules apply"), or if it names
a variant of the board and no other: `called` in the declarations of variants has the words that name them.
"""

from __future__ import annotations

import re
from math import isqrt
from typing import TYPE_CHECKING

from pyasp_puzzles.boards.grid import grid_extent
from pyasp_puzzles.errors import InstanceError
from pyasp_puzzles.puzzles.declaration import fitting_variants, variants_in, variants_of
from pyasp_puzzles.puzzles.wording import instruction_sentences, variant_instructions

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pyasp_puzzles.model.puzzle import Instance, Variant

# The words of the usual rules of Sudoku, and further words of those of boards with blocks of several sizes.
_SUDOKU = (
    r"normal|standard|classic(?:al)?|usual|regular|ordinary|traditional|conventional|jigsaw|irregular|sudoku|rules?|"
    r"appl(?:y|ies)|place|put|fill|enter|write|insert|complete|an?|the|of|in(?:to)?|to|from|with(?:in|out)?|so|that|and|"
    r"or|through|each|every|all|any|both|rows?|columns?|box(?:es)?|regions?|blocks?|grid|cells?|houses?|empty|outlined|"
    r"digits?|numbers?|sets?|one|once|twice|exactly|only|just|must|may|can(?:not)?|should|not?|"
    r"never|none|be|is|are|do|does|repeat(?:s|ed|ing)?|contain(?:s|ing)?|hold(?:s|ing)?|ha(?:s|ve)|"
    r"(?:appear|occur)(?:s|ing)?"
)
_BLOCKS = (
    r"suguru|tectonic|size|n|touch(?:es|ing)?|adjacent|neighbou?r(?:s|ing)?|even|diagonal(?:ly)?|horizontally|"
    r"vertically|orthogonally|identical|equal|other|corner|at|by|if|it|they|next"
)
# What says nothing new: digits may repeat if other rules allow it; not all dots are given; some digits are. Patterns
# bound what is between words, so that no long text takes quadratic time.
_NOTHING = re.compile(
    r"(?:digits|numbers|they) (?:may|can) repeat[^.;!?]{0,80}(?:allowed|permitted) by (?:the )?other \w+"
    r"|not (?:necessarily )?(?:all|every)\b[^.;!?]{0,80}?\bgiven"
    r"|(?:there is |with )?(?:no|without) (?:a )?negative (?:constraint|rule)s?"
    r"|some (?:digits|numbers) are (?:already )?given"
    r"|exported from [a-z.-]+"
)
_NEGATION = re.compile(r"\b(?:no|not|never|none|cannot|without|once)\b")
_TWICE = re.compile(r"\b(?:repeat\w*|same|twice|more)\b")
_REVOKED = re.compile(r"\b(?:not|no|never|without|none of)\b.{0,80}\b(?:apply|applies|rules?)\b")


def variants_in_words(text: str, instance: Instance, directories: Sequence[Path]) -> list[str]:
    """Return the variants without keys that a text tells in our sentences, and its board does not have."""
    fit = {*fitting_variants(instance.puzzle, directories)} - {*instance.variants}
    variants = [variant for name, variant in variants_in(directories).items() if name in fit and not variant.keys]
    return [variant.name for variant in variants if variant_instructions(variant, instance) in text]


def check_rules_in_words(variant: Variant, format_: str, rules: str, what: str) -> None:
    """Check that rules in words do not give a constraint of a format another meaning than the usual one.

    Raises:
        InstanceError: they do, as `redefined` in the declaration of its variant finds.
    """
    pattern = variant.formats.get("redefined", {}).get(format_)
    if pattern and re.search(pattern, rules, re.IGNORECASE):
        raise InstanceError(f"the rules in its text say what {what}, which pyasp does not know: read them there")


def without_our_rule_words(text: str, instance: Instance) -> str:
    """Return a text without the sentences that we write of a board."""
    for sentence in sorted(instruction_sentences(instance), key=len, reverse=True):
        text = text.replace(sentence, "")
    return re.sub("  +", " ", text).strip()


def may_be_rules_in_words(text: str, instance: Instance) -> bool:
    """Return whether a text may tell rules that a board does not have."""
    lines = re.sub(r"\n\W{0,9}([a-z])", r" \1", text)  # such a line continues the one before
    folded = (
        re.sub(r"[\u2018\u2019]", "'", lines.lower())
        .replace("\u00d7", "x")
        .replace("can't", "cannot")
        .replace("n't", " not")
    )
    folded = re.sub(r"(?<=\d) *x *(?=\d)", "x", folded)
    parts = re.split(r"[.;!?\n]+", _NOTHING.sub(" ", folded))
    plain = (" ".join(re.findall(r"[\w'/]+", part)) for part in parts)
    return any(part and not _is_usual(part, instance) and not _is_read(part, instance) for part in plain)


def _is_usual(sentence: str, instance: Instance) -> bool:
    """Return whether a sentence, in lower case and without marks, says the usual rules."""
    rows, columns = grid_extent(instance.cells)
    numbers = " ".join(map(str, range(1, rows + 1)))
    usual = re.compile(_SUDOKU if instance.puzzle.square else f"{_SUDOKU}|{_BLOCKS}")
    if (_TWICE.search(sentence) and not _NEGATION.search(sentence)) or _REVOKED.search(sentence):
        return False
    sentence = re.sub(rf"\b(?:1 (?:(?:to|through) )?{rows}|{numbers}|{numbers.replace(' ', '')})\b", "", sentence)
    sentence = re.sub(r"\bmore than once|same (?=row|column|box|region|block|house|digit|number)", "", sentence)
    return all(usual.fullmatch(word) or _is_size(word, rows, columns) for word in sentence.split())


def _is_size(word: str, rows: int, columns: int) -> bool:
    """Return whether a word is the size of a board, or of usual boxes on it: 9x9, 3x3."""
    sides = re.fullmatch(r"(\d{1,3})x(\d{1,3})", word)
    if sides is None:
        return False
    high, wide = int(sides[1]), int(sides[2])
    return (high, wide) == (rows, columns) or (high * wide == rows and abs(isqrt(rows) - high) <= 1)


def _is_read(sentence: str, instance: Instance) -> bool:
    """Return whether a sentence names variants of a board, and no other."""
    owners: dict[str, set[str]] = {}
    for name, variant in variants_of(instance.puzzle).items():
        for phrase in variant.called:
            owners.setdefault(phrase, set()).add(name)
    every = sorted(owners, key=len, reverse=True)  # the longest first, and long ones with any ending
    long, short = ("|".join(re.escape(phrase) for phrase in every if (len(phrase) < 5) is few) for few in (False, True))
    matches = re.findall(rf"(?<![\w'])(?:({long})|({short})s?(?!\w))", sentence)
    return bool(matches) and all(owners[first or second] & {*instance.variants} for first, second in matches)
