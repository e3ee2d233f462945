"""`docs/variants.md` and its pictures: each variant that ships, with a board, a sentence and its key."""

import re
import tomllib
from pathlib import Path

from pyasp_puzzles import Instance, dumps, load
from pyasp_puzzles.model.puzzle import Variant
from pyasp_puzzles.puzzles.declaration import shipped_variants
from pyasp_puzzles.puzzles.keys import key_kind_name
from pyasp_puzzles.puzzles.wording import variant_instructions
from pyasp_puzzles.render.svg import Drawing, svg

from .helpers import CHECKOUT, INSTANCES

VARIANT_PAGE, PICTURES = Path("docs/variants.md"), Path("docs/images/variants")
HEAD = """\
# Variants

The {number} variants that ship, each with a board that leads to its file, its rule on that board, and the
[key](instances.md#keys-of-variants) that a board needs. Those of the whole board need `variants = ["anti-king"]`.
A board may have several. `pyasp encoding arrow` prints the rules of one. Or
[add a constraint](adding-a-puzzle.md#add-a-constraint).
"""
# The side of a picture, in pixels.
SIDE = 180
# The kinds of keys of each family.
FAMILIES = {
    "Lines": ("paths",),
    "Cages and groups of cells": ("cages", "groups"),
    "Between cells": ("pairs", "corners"),
    "Marks in cells": ("marks", "candidates"),
    "Clues outside the board": ("sights",),
    "The whole board": (),
}


def variant_page() -> str:
    """Return the page, as Markdown."""
    variants = [*shipped_variants().values()]
    families: dict[str, list[Variant]] = {name: [] for name in FAMILIES}
    for variant in variants:
        families[_family(variant)].append(variant)
    sections = [
        f"\n## {name}\n\n| board | rule{', key' if FAMILIES[name] else ''} |\n|---|---|\n" + "".join(map(_row, of))
        for name, of in families.items()
    ]
    return HEAD.format(number=len(variants)) + "".join(sections)


def variant_pictures() -> dict[Path, str]:
    """Return the pictures of the page: `{path: text}`."""
    return {PICTURES / f"{one.name}.svg": small_picture(_board(one).drawing()) for one in shipped_variants().values()}


def _family(variant: Variant) -> str:
    if not variant.keys:
        return next(name for name, kinds in FAMILIES.items() if not kinds)
    kind = key_kind_name(variant.keys[0].kind)
    return next(name for name, kinds in FAMILIES.items() if kind in kinds)


def _row(variant: Variant) -> str:
    instance = _board(variant)
    name = variant.name
    picture = f"[![{name}]({PICTURES.relative_to('docs') / name}.svg)](../{_file(variant).relative_to(CHECKOUT)})"
    key = f"<br>`{_line(variant, instance)}`" if variant.keys else ""
    return f"| {picture} | **{name}**: {variant_instructions(variant, instance)}{key} |\n"


def _line(variant: Variant, instance: Instance) -> str:
    """Return the line with which a board uses a variant: its key with the first clue, or the first three marks."""
    name = variant.keys[0].name
    clues = tomllib.loads(dumps(instance, "toml"))[name]
    if isinstance(clues, dict):
        side, labels = next(iter(clues.items()))
        return f'{name} = {{ {side} = "{labels}" }}'
    first = " ".join(clues.split()[:3]) if isinstance(clues, str) else clues[0]
    return f'{name} = "{first}"'


def _file(variant: Variant) -> Path:
    return INSTANCES / "variants" / f"{variant.name}.toml"


def _board(variant: Variant) -> Instance:
    """Return the board that ships for a variant."""
    return load(_file(variant))[0]


def small_picture(drawing: Drawing) -> str:
    """Return a small picture of a board, with the style only of what is in it."""
    drawn = re.sub(r' width="[^"]*" height="[^"]*"', f' width="{SIDE}"', svg(drawing, axes=False), count=1)
    [style, *_] = re.findall(r"<style>.*?</style>", drawn)
    used = {name for names in re.findall(r'class="([^"]*)"', drawn) for name in names.split()}

    def kept(rule: re.Match[str]) -> str:
        selectors = [one for one in rule[1].split(",") if {*re.findall(r"\.([a-z][\w-]*)", one)} <= {*used, "pyasp"}]
        return ",".join(selectors) + rule[2] if selectors else ""

    shorter = re.sub(r"(\.pyasp [^{}]*?)(\{[^{}]*\})", kept, style)
    return drawn.replace(style, shorter, 1) + "\n"
