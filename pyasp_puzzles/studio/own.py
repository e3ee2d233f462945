"""Keys of boards that a user makes in the page: a variant without rules, which are among the user's added rules.

Own  (("ring", "line"),): each key by its name and what it is; its facts are `ring(I, J, R, C)`
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

Own: TypeAlias = tuple[tuple[str, str], ...]
# The variant that has the keys.
OWN_VARIANT = "own"
# {what a key is: its fact and what else its declaration has}
_KINDS = {
    "line": ("{}(I, J, R, C)", 'kind = "paths"\npicture = { line = "#b9c4ec", width = 0.3 }'),
    "cage": ("{}(I, J, R, C)", 'kind = "cages"\nvalue = "{}_value(I, N)"\npicture = { outline = "dashed" }'),
    "mark": ("{}(R, C)", 'kind = "marks"\npicture = { fill = "#dfe6fb" }'),
    "pair": ("{}(R, C, R', C')", 'kind = "pairs"\npicture = { circle = "#2746c8" }'),
}
# Directories that are kept as long as the process runs.
_KEPT: list[TemporaryDirectory[str]] = []


def own_keys(given: object) -> Own:
    """Return keys as `Own`, given as JSON: `[{"name": "ring", "kind": "line"}]`.

    Raises:
        ValueError: it is of another form, or there are two of a name.
    """
    keys = (
        tuple((key["name"], key["kind"]) for key in given if isinstance(key, dict)) if isinstance(given, list) else ()
    )
    names = [name for name, _ in keys]
    fit = all(isinstance(name, str) and re.fullmatch(r"[a-z][a-z_]{0,29}", name) for name in names)
    if not keys or not fit or len({*names}) < len(names) or not all(kind in _KINDS for _, kind in keys):
        raise ValueError("expected names and kinds")
    return keys


def own_declaration(own: Iterable[tuple[str, str]]) -> str:
    """Return the tables of keys in a declaration."""
    tables = []
    for name, kind in own:
        fact, more = _KINDS[kind]
        tables.append(f'[keys.{name}s]\nfact = "{fact.replace("{}", name)}"\n{more.replace("{}", name)}\n')
    return "\n".join(tables)


@lru_cache(maxsize=16)
def own_folder(own: Own) -> Path:
    """Return a directory with the variant that has these keys."""
    _KEPT.append(TemporaryDirectory(prefix="pyasp-keys-"))
    folder = Path(_KEPT[-1].name) / OWN_VARIANT
    folder.mkdir()
    (folder / "variant.toml").write_text(f'summary = "Keys of your own."\n{own_declaration(own)}', encoding="utf-8")
    (folder / f"{OWN_VARIANT}.lp").write_text(
        "% The rules of these keys are among those that you add.\n", encoding="utf-8"
    )
    return folder
