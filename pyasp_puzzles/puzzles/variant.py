"""Variants: folders with rules to add to a puzzle, their words, and the keys of boards that use them.

    encodings/variants/thermometer/    thermometer.lp, variant.toml, words.lp, and perhaps pruning.lp

Variant  Variant("thermometer", "Numbers rise along each thermometer.", folder, keys=(Key("thermometers", ...),))
"""

from __future__ import annotations

import copyreg
from contextlib import suppress
from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from pyasp_puzzles.asp.paths import VARIANT_FILE as FILE
from pyasp_puzzles.asp.paths import is_variant_path, variant_path, variant_paths
from pyasp_puzzles.asp.rules import Rules
from pyasp_puzzles.boards.figure import figure_look
from pyasp_puzzles.errors import EncodingError, InstanceError, PuzzleError, Where, did_you_mean, listing, shown
from pyasp_puzzles.model.puzzle import Puzzle, Variant
from pyasp_puzzles.puzzles.declaration import (
    declaration_folders,
    declared_instructions,
    declared_keys,
    puzzle_of_folder,
    read_declaration,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from pyasp_puzzles.asp.rules import RuleFile
    from pyasp_puzzles.boards.toml import Table
    from pyasp_puzzles.model.keys import Key


@cache
def shipped_variants() -> Mapping[str, Variant]:
    """Return the variants that ship, by name; reading them takes 100 ms."""
    return {file.stem: variant_in(file.parent) for file in variant_paths()}


def variant_in(folder: Path) -> Variant:
    """Return the variant that a folder declares.

    Raises:
        EncodingError: what is wrong with the declaration, with its line.
    """
    table = read_declaration(folder / FILE)
    table.check_names(["name", "summary", "instructions", "called", "square", "picture", "keys", "formats", "common"])
    if not (folder / f"{folder.name}.lp").is_file():
        raise EncodingError(f"there is no {folder.name}.lp with the rules", Where(str(folder)))
    return Variant(
        folder.name,
        table.get("summary", str) or "",
        folder,
        declared_instructions(table),
        tuple(map(str, table.get("called", list) or [folder.name.replace("-", " ")])),
        tuple(declared_keys(table)),
        figure_look(table),
        _sides(table),
        table.get("formats", dict) or {},
        table.get("common", bool) or False,
    )


def _sides(table: Table) -> tuple[int, ...] | None:
    """Return the sides of the boards that a variant fits, as `square` says: true, or an array of them."""
    found = table.get("square", object, "true, or an array of sides")
    if found is None:
        return None
    sides = () if found is True else found
    if not isinstance(sides, (list, tuple)) or not all(type(side) is int for side in sides):
        raise table.error(f"square is {shown(found)}, expected true, or an array of sides", "square")
    return tuple(sides)


def _stamp(folder: Path) -> tuple[tuple[str, int], ...]:
    files = (folder / FILE, folder / f"{folder.name}.lp")
    return tuple((file.name, file.stat().st_mtime_ns) for file in files if file.is_file())


def variants_in(directories: Sequence[Path] = ()) -> Mapping[str, Variant]:
    """Return the variants that ship and those in other directories, and in PYASP_PUZZLES, by name.

    Raises:
        EncodingError: what is wrong with a declaration, or two variants have one name.
    """
    found = dict(shipped_variants())
    for folder in declaration_folders(FILE, directories):
        if folder.name in found and found[folder.name].folder != folder:
            message = f"two variants are called {folder.name}: give this one another name"
            raise EncodingError(message, Where(str(folder)))
        found[folder.name] = variant_in(folder)
        _check_formats(found[folder.name])
    return found


def _check_formats(variant: Variant) -> None:
    """Check that what formats call a variant has the form that it has for those that ship.

    Raises:
        EncodingError: it has another form.
    """
    for name, value in variant.formats.items():
        known = {type(one.formats[name]) for one in shipped_variants().values() if name in one.formats}
        if known and (type(value) not in known or not value):
            expected = {str: "its name", dict: "a table", bool: "true"}.get(next(iter(known)), "another value")
            where = Where(str(variant.folder / FILE))
            raise EncodingError(f"formats.{name} is {shown(value)}, expected {expected}", where)


def variants_of(puzzle: Puzzle) -> Mapping[str, Variant]:
    """Return the variants that ship and those of the boards of a puzzle, by name."""
    return variants_in(puzzle.variant_folders) if puzzle.variant_folders else shipped_variants()


def rules_of_variant(puzzle: Puzzle, name: str) -> Path:
    """Return the file of a variant of a puzzle.

    Raises:
        EncodingError: there is none of that name.
    """
    folder = next((one for one in puzzle.variant_folders if one.name == name), None)
    return folder / f"{name}.lp" if folder else variant_path(name)


def variant_name(path: RuleFile) -> str:
    """Return the name of the variant that a path names: a shipped one, or its folder; "" if it names none."""
    if isinstance(path, Rules):
        return ""
    if is_variant_path(path):
        return path.resolve().name
    return str(path) if not path.exists() and any(file.stem == str(path) for file in variant_paths()) else ""


def folders_of_variants(puzzle: Puzzle) -> list[Path]:
    """Return the folders that are needed to read boards of a puzzle, besides those that ship."""
    return [*([] if puzzle.ships else [puzzle.folder]), *puzzle.variant_folders]


def variant_layout_files(puzzle: Puzzle, key: Key) -> list[Path]:
    """Return the layout.lp of the variant of a board that has a key, if there is one."""
    folders = (one.folder for one in puzzle.added if any(own.name == key.name for own in one.keys))
    return [file for folder in folders if (file := folder / "layout.lp").is_file()]


def variants_with_keys(keys: Iterable[str], known: Iterable[Variant]) -> list[str]:
    """Return the names of the variants that have these keys."""
    by_key = {key.name: variant.name for variant in known for key in variant.keys}
    return list(dict.fromkeys(by_key[key] for key in keys if key in by_key))


def puzzle_with_variants(puzzle: Puzzle, names: Sequence[str], directories: Sequence[Path] = ()) -> Puzzle:
    """Return a puzzle whose boards may have the keys of some variants.

    Raises:
        InstanceError: there is no such variant, or its rules are about what those of the puzzle do not have.
    """
    own = variants_in(directories)
    folders = tuple(own[name].folder for name in names if name in own and name not in shipped_variants())
    return _extended(puzzle, tuple(names), folders, tuple(map(_stamp, folders)))


@lru_cache(maxsize=256)
def _extended(puzzle: Puzzle, names: Sequence[str], folders: tuple[Path, ...], stamps: object) -> Puzzle:
    """Return an extended puzzle: one object for all boards, which can then share a grounding.

    It is made again when the files of a variant change.
    """
    del stamps
    known = variants_in(folders)
    found: list[Variant] = []
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known)
            message = f"no variant of that name in `pyasp list --variants`{hint}"
            raise InstanceError(message, Where(name))
        check_variant_fit(known[name], puzzle.encodings, puzzle.name, found)
        found.append(known[name])
    keys = (key for variant in found for key in variant.keys)
    predicates = (predicate for variant in found for predicate in variant.predicates())
    return replace(puzzle, keys=(*puzzle.keys, *keys), predicates=(*puzzle.predicates, *predicates), added=tuple(found))


def check_variant_fit(
    variant: Variant, encodings: Sequence[RuleFile], puzzle: str, others: Iterable[Variant] = ()
) -> None:
    """Raise unless the rules of a puzzle, or of other variants, have the predicates that a variant reads.

    Raises:
        EncodingError: they do not, so the variant would change nothing.
    """
    from pyasp_puzzles.asp import syntax

    files = [*encodings, *(other.rules for other in others)]
    known = syntax.program_atom_signatures(files)
    missing = [atom for atom, signature in variant.reads().items() if signature not in known]
    if known and missing:  # of rules that cannot be read, clingo says why
        names = listing((encoding.name for encoding in encodings), "and")
        message = f"no variant of {puzzle}: its rules are about {listing(missing, 'and')}"
        lacks = "does not have" if len(encodings) == 1 else "do not have"
        raise EncodingError(f"{message}, which {names} {lacks}", Where(variant.name))


def fitting_variants(puzzle: Puzzle, directories: Sequence[Path] = ()) -> list[str]:
    """Return the names of the variants that the boards of a puzzle may have, those of directories among them."""
    own = [one for name, one in variants_in(directories).items() if name not in shipped_variants()]
    return [*_fitting_shipped(puzzle), *_fitting(puzzle, own)]


@lru_cache(maxsize=100)
def _fitting_shipped(puzzle: Puzzle) -> list[str]:
    """Return those that ship; the studio asks for them with each board, and looking takes 40 ms."""
    return _fitting(puzzle, shipped_variants().values())


def _fitting(puzzle: Puzzle, variants: Iterable[Variant]) -> list[str]:
    found = []
    for one in variants:
        with suppress(EncodingError):
            check_variant_fit(one, puzzle.encodings, puzzle.name)
            found.append(one.name)
    return found


def _extended_in(folder: Path, names: tuple[str, ...], folders: tuple[Path, ...]) -> Puzzle:
    return puzzle_with_variants(puzzle_of_folder(folder), names, folders) if names else puzzle_of_folder(folder)


# A puzzle pickles as its folder and variants, so that a process reads the declaration once.
copyreg.pickle(Puzzle, lambda puzzle: (_extended_in, (puzzle.folder, puzzle.variants, puzzle.variant_folders)))


def puzzle_with_named_variants(
    puzzle: Puzzle, names: Sequence[str], where: Where, directories: Sequence[Path] = ()
) -> Puzzle:
    """Return a puzzle whose boards may have the keys of variants: those that ship, and those in other directories.

    Raises:
        InstanceError: there is no such variant, or its rules are about what those of the puzzle do not have. An
            instance brings no rules with it: the user names the directories.
    """
    if not names:
        return puzzle
    try:
        return puzzle_with_variants(puzzle, tuple(dict.fromkeys(names)), directories)
    except PuzzleError as error:
        raise InstanceError(f"variants: {error}", where) from None


def is_variant_about_regions(variant: Variant) -> bool:
    """Return whether the rules of a variant are about the regions of a board."""
    return any(words.startswith("region(") for words in variant.reads())
