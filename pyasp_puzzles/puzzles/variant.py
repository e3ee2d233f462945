"""Variants: folders with rules to add to a puzzle, their words, and the keys of boards that use them.

    encodings/variants/thermometer/    thermometer.lp, variant.toml, words.lp, and perhaps pruning.lp

Variant  Variant("thermometer", "Numbers rise along each thermometer.", folder, keys=(Key("thermometers", ...),))
"""

from __future__ import annotations

import copyreg
import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from pyasp_puzzles.asp.paths import encodings_directory
from pyasp_puzzles.errors import EncodingError, InstanceError, Where, did_you_mean, listing
from pyasp_puzzles.model.declaration_table import DeclarationTable
from pyasp_puzzles.model.puzzle import Puzzle
from pyasp_puzzles.puzzles.declaration import keys_in, puzzle_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from pyasp_puzzles.boards.facts import Predicate
    from pyasp_puzzles.model.keys import Key

FILE = "variant.toml"
# The companion files that a variant may have, and the name of the file with the consequences of sums.
SUMS = "sums"
_ATOM = re.compile(r"\b([a-z]\w*)\(([^()]*)\)")


class Variant(NamedTuple):
    """Rules that can be added to a puzzle."""

    name: str
    summary: str
    folder: Path
    keys: tuple[Key, ...] = ()
    sums: bool = False
    """Whether its pruning.lp says which terms have which total, for `modes/sums.lp`."""
    picture: Mapping[str, Any] = {}
    """How it looks, if it has no key: the `picture` of its declaration."""

    @property
    def rules(self) -> Path:
        """The file of its rules."""
        return self.folder / f"{self.folder.name}.lp"

    @property
    def is_drawn(self) -> bool:
        """Whether its picture, or that of a key, tells it from others."""
        return bool(self.picture) or any(key.option("picture") for key in self.keys)

    def predicates(self) -> list[Predicate]:
        """Return the predicates of its keys."""
        return [predicate for key in self.keys for predicate in key.predicates]

    def reads(self) -> list[str]:
        """Return the predicates of a puzzle that its rules read, as its header lists them: `["value(R, C, V)"]`."""
        own = {predicate.name for predicate in self.predicates()}
        found: list[str] = []
        reading = False
        for line in self.rules.read_text(encoding="utf-8").splitlines():
            if not line.startswith("%"):
                break
            reading = line.startswith("% Input:") or (reading and not re.match(r"% \w+:", line))
            if reading and "(optional)" not in line:
                words = line.removeprefix("% Input:").strip("% ")
                atoms = _ATOM.finditer(re.split(r"   +|;", words)[0])
                found += [atom[0] for atom in atoms if atom[1] not in own]
        return found


@lru_cache(maxsize=1)
def shipped_variants() -> Mapping[str, Variant]:
    """Return the variants that ship, by name."""
    folders = sorted(path.parent for path in (encodings_directory() / "variants").glob(f"*/{FILE}"))
    return {folder.name: variant_in(folder) for folder in folders}


def variant_in(folder: Path) -> Variant:
    """Return the variant that a folder declares.

    Raises:
        EncodingError: what is wrong with the declaration, with its line.
    """
    table = DeclarationTable.read(folder / FILE)
    table.check_names("name", "summary", "sums", "picture", "keys")
    if not (folder / f"{folder.name}.lp").is_file():
        raise EncodingError(f"there is no {folder.name}.lp with the rules", Where(str(folder)))
    picture: Mapping[str, Any] = table.get("picture", dict) or {}
    keys = tuple(keys_in(table))
    return Variant(folder.name, table.get("summary", str) or "", folder, keys, bool(table.get("sums", bool)), picture)


@lru_cache(maxsize=1)
def _by_key() -> Mapping[str, str]:
    return {key.name: variant.name for variant in shipped_variants().values() for key in variant.keys}


def named_by(keys: Iterable[str]) -> list[str]:
    """Return the shipped variants that have these keys."""
    known = _by_key()
    return list(dict.fromkeys(known[key] for key in keys if key in known))


@lru_cache(maxsize=256)
def extended(puzzle: Puzzle, names: Sequence[str]) -> Puzzle:
    """Return a puzzle whose boards may have the keys of some variants.

    Raises:
        InstanceError: a variant does not ship, or its rules are about what those of the puzzle do not have.
    """
    known = shipped_variants()
    found: list[Variant] = []
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known)
            message = f"no variant of that name in `pyasp list --variants`{hint}"
            raise InstanceError(message, Where(name))
        check_fit(known[name], puzzle.encodings, puzzle.name, found)
        found.append(known[name])
    keys = tuple(key for variant in found for key in variant.keys)
    predicates = tuple(predicate for variant in found for predicate in variant.predicates())
    return replace(
        puzzle,
        keys=(*puzzle.keys, *keys),
        predicates=(*puzzle.predicates, *predicates),
        variants=tuple(names),
        pictures=tuple(variant.picture for variant in found if variant.picture),
        unseen=tuple(variant.name for variant in found if not variant.is_drawn),
    )


def check_fit(variant: Variant, encodings: Iterable[Path], puzzle: str, others: Iterable[Variant] = ()) -> None:
    """Raise unless the rules of a puzzle, or of other variants, have the predicates that a variant reads.

    Raises:
        EncodingError: they do not, so the variant would change nothing.
    """
    files = [*encodings, *(other.rules for other in others)]
    rules = "\n".join(encoding.read_text(encoding="utf-8") for encoding in files)
    known = {(atom[1], atom[2].count(",")) for atom in _ATOM.finditer(rules)}
    atoms = [atom for words in variant.reads() for atom in _ATOM.finditer(words)]
    missing = [atom[0] for atom in atoms if (atom[1], atom[2].count(",")) not in known]
    if missing:
        names = listing((encoding.name for encoding in encodings), "and")
        message = f"no variant of {puzzle}: its rules are about {listing(missing, 'and')}"
        raise EncodingError(f"{message}, which {names} does not have", Where(variant.name))


def _extended_in(folder: Path, names: tuple[str, ...]) -> Puzzle:
    return extended(puzzle_in(folder), names) if names else puzzle_in(folder)


# A puzzle pickles as its folder and variants, so that a process reads the declaration once.
copyreg.pickle(Puzzle, lambda puzzle: (_extended_in, (puzzle.folder, puzzle.variants)))
