"""Files of rules: `Rules`, a program as text in place of one, and the paths of those that ship, and of boards.

Rules     Settings(encoding=Rules("..."))
RuleFile  a path, or `Rules`
"""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

from pyasp_puzzles.errors import EncodingError, Where, did_you_mean

# The name of the facts of a board in messages, and of the lines added to them. clingo calls them `<block>`.
FACTS_NAME = "<facts>"


class Rules(NamedTuple):
    """Rules as text, in place of a file. They are equal if text and name are, so caches know them by content.

    Unlike files, they can be somebody else's: they cannot include files, and call no functions of Python or Lua.
    """

    text: str
    name: str = "<rules>"
    """Its name in messages, `<rules>:3:1: syntax error`."""

    def __str__(self) -> str:
        return self.name

    @property
    def lines(self) -> int:
        """The number of its lines."""
        return self.text.count("\n") + 1

    @property
    def stem(self) -> str:
        """The name, as of a file."""
        return self.name


# What rules are read from.
RuleFile: TypeAlias = Path | Rules


# What declares a variant, in its folder.
VARIANT_FILE = "variant.toml"

_PACKAGE = Path(__file__).resolve().parents[1]


def encodings_directory() -> Path:
    """Return the directory of the shipped encodings: a folder for each puzzle, and the modes."""
    return _directory("encodings")


def is_shipped_path(path: RuleFile) -> bool:
    """Return whether a file is a shipped encoding, which needs no check."""
    return not isinstance(path, Rules) and str(path).startswith(f"{encodings_directory()}{os.sep}")


def mode_path(name: str) -> Path:
    """Return the file of a mode: rules that are loaded with an encoding to ask another question."""
    return _directory("encodings") / "modes" / f"{name}.lp"


def variant_paths() -> list[Path]:
    """Return the files of the shipped variants: rules to add."""
    return sorted(
        path.parent / f"{path.parent.name}.lp"
        for path in (_directory("encodings") / "variants").glob(f"*/{VARIANT_FILE}")
    )


def variant_path(name: str) -> Path:
    """Return the file of a shipped variant.

    Raises:
        EncodingError: there is none of that name.
    """
    folder = _directory("encodings") / "variants" / name
    if not re.fullmatch(r"[a-z-]+", name) or not is_variant_path(folder):
        hint = did_you_mean(name, [path.stem for path in variant_paths()])
        raise EncodingError(f"there is no such variant; see `pyasp list --variants`{hint}", Where(name))
    return folder / f"{name}.lp"


def is_variant_path(path: Path) -> bool:
    """Return whether a path is the folder of a variant."""
    return os.path.isfile(path / VARIANT_FILE)  # noqa: PTH113 (a name may be too long for a file)


def extra_rules_path(name: RuleFile) -> RuleFile:
    """Return a file of rules to add, given its path, the folder of a variant, or the name of a shipped variant."""
    if isinstance(name, Rules):
        return name
    if is_variant_path(name):
        folder = name.resolve()
        return folder / f"{folder.name}.lp"
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", str(name)) or name.exists():
        return name
    try:
        return variant_path(str(name))
    except EncodingError as error:
        raise EncodingError(f"there is no such file, and {error.message}", error.where) from None


def instances_directory() -> Path:
    """Return the directory of the shipped instances."""
    return _directory("instances")


@cache
def _directory(name: str) -> Path:
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name
