"""Paths of the shipped encodings and instances, in a wheel or a checkout, and copies of them for the user."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pyasp_puzzles.errors import EncodingError, Where, did_you_mean, listing, shown

if TYPE_CHECKING:
    from collections.abc import Iterable

# The kinds of answers for which there is a template of a puzzle.
TEMPLATES = ("numbers", "shading", "pieces")

# What declares a variant, in its folder.
VARIANT_FILE = "variant.toml"

_PACKAGE = Path(__file__).resolve().parents[1]


def encodings_directory() -> Path:
    """Return the directory of the shipped encodings: a folder for each puzzle, and the modes."""
    return _directory("encodings")


def ships(path: Path) -> bool:
    """Return whether a file is a shipped encoding, which needs no check."""
    return str(path).startswith(f"{encodings_directory()}{os.sep}")


def mode_path(name: str) -> Path:
    """Return the file of a mode: rules that are loaded with an encoding to ask another question."""
    return _directory("encodings") / "modes" / f"{name}.lp"


def variants() -> list[Path]:
    """Return the files of the shipped variants: rules to add."""
    return sorted(
        path.parent / f"{path.parent.name}.lp"
        for path in (_directory("encodings") / "variants").glob(f"*/{VARIANT_FILE}")
    )


def variant(name: str) -> Path:
    """Return the file of a shipped variant.

    Raises:
        EncodingError: there is none of that name.
    """
    shipped = {path.stem: path for path in variants()}
    if name not in shipped:
        hint = did_you_mean(name, shipped)
        raise EncodingError(f"there is no such variant; see `pyasp list --variants`{hint}", Where(name))
    return shipped[name]


def summary(file: Path) -> str:
    """Return the first sentence of the comment at the top of an encoding."""
    lines = []
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line.startswith("% "):
            break
        lines.append(line.removeprefix("% "))
    return " ".join(lines).partition(". ")[0].rstrip(".") + "."


def extra_rules(name: Path) -> Path:
    """Return a file of rules to add, given its path, the folder of a variant, or the name of a shipped variant."""
    if (name / VARIANT_FILE).is_file():
        folder = name.resolve()
        return folder / f"{folder.name}.lp"
    if not re.fullmatch(r"[a-z][a-z0-9-]*", str(name)) or name.exists():
        return name
    try:
        return variant(str(name))
    except EncodingError as error:
        raise EncodingError(f"there is no such file, and {error.message}", error.where) from None


def instances_directory() -> Path:
    """Return the directory of the shipped instances."""
    return _directory("instances")


def new_puzzle(name: str, answer: str, directory: Path) -> Path:
    """Write the folder of a small, complete puzzle, and return its path.

    Args:
        name: the name of the puzzle and its folder.
        answer: the kind of its answer, one of `TEMPLATES`; "variant" for the folder of a variant.
        directory: where to make the folder.

    Raises:
        EncodingError: the name is invalid or taken, or the folder cannot be written.
    """
    folder = directory / name
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
        raise EncodingError(f"a puzzle cannot be called {shown(name)}; use a-z, 0-9, - and _, with a letter first")
    if (_directory("encodings") / name).exists() or (_directory("encodings") / "variants" / name).exists():
        raise EncodingError(f"the puzzle {shown(name)} exists already; choose another name")
    if answer not in {*TEMPLATES, "variant"}:
        raise EncodingError(f"unknown kind of answer {shown(answer)}; choose {listing(TEMPLATES)}")
    try:
        folder.mkdir(parents=True)
        for file in sorted((_directory("encodings") / "templates" / answer).iterdir()):
            target = folder / (f"{name}.lp" if file.stem == "rules" else file.name)
            target.write_text(file.read_text(encoding="utf-8").replace("NAME", name), encoding="utf-8")
    except OSError as error:
        raise _not_written(error, folder, "another name") from None
    return folder


def eject_encoding(files: Iterable[Path], directory: Path) -> list[Path]:
    """Copy files of rules to a directory, which is made if there is none, and return the paths of the copies.

    Raises:
        EncodingError: a copy exists already, and then nothing is copied; or one cannot be written.
    """
    copies = {directory / file.name: file for file in files}
    copy = directory
    try:
        for copy in copies:
            if copy.exists():
                raise FileExistsError
        directory.mkdir(parents=True, exist_ok=True)
        for copy, file in copies.items():
            with copy.open("x", encoding="utf-8") as out:
                out.write(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise _not_written(error, copy, "another directory") from None
    return [*copies]


@cache
def _directory(name: str) -> Path:
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def _not_written(error: OSError, path: Path, instead: str) -> EncodingError:
    exists = f"exists already; choose {instead}"
    message = exists if isinstance(error, FileExistsError) else f"cannot be written: {error.strerror}"
    return EncodingError(message, Where(str(path)))
