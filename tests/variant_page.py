"""`docs/variants.md` and its pictures: each variant that ships, with a board and its rules."""

import re
from pathlib import Path

from pyasp_puzzles import Instance, dumps, load, loads
from pyasp_puzzles.model.keys import Key
from pyasp_puzzles.puzzles.keys import kind_name
from pyasp_puzzles.puzzles.variant import Variant, shipped_variants
from pyasp_puzzles.render.svg import svg

from .helpers import CHECKOUT, INSTANCES

VARIANT_PAGE, PICTURES = Path("docs/variants.md"), Path("docs/images/variants")
HEAD = """\
# Variants

The {number} variants that ship: what each means, a board with it, how a board says so, and its rules. The rules are
those that `pyasp` runs; `pyasp encoding NAME` prints them with the names that they use. Several variants may hold for
one board, and most fit every puzzle with a number in each cell. [Instances](instances.md#keys-of-variants) explains how
lines of a key are written, and [Add a constraint](adding-a-puzzle.md#add-a-constraint) how to make a variant of your
own. `python -m tests.documents --write` makes this page and its pictures.

"""
# The kinds of keys of each family.
FAMILIES = {
    "Lines": ("paths",),
    "Cages and groups of cells": ("cages", "groups"),
    "Between cells": ("pairs", "corners"),
    "Marks in cells": ("marks", "candidates"),
    "Clues outside the board": ("sights",),
    "The whole board": (),
}
# A value of a key, by its kind.
EXAMPLES = {
    "paths": '"r1c1 r1c2 r2c3"',
    "cages": '"r1c1 r1c2 r2c1"',
    "groups": '"r1c1 r1c2 = r3c3 r3c4"',
    "pairs": '"r1c1 r1c2 = 3"',
    "corners": '"r1c1 = 1 2 2"',
    "marks": '"r1c1 r2c3"',
    "candidates": '"r1c1 = 1 2 4"',
    "sights": '{ top = "8 . . 5", left = ". 3 . ." }',
}


def example(key: Key) -> str:
    """Return a value of a key of a board of 4x4."""
    kind = kind_name(key.kind)
    words = EXAMPLES[kind]
    if key.option("directions"):
        return '"r1c1 dr = 20"'
    if key.option("tokens"):
        return words.replace("= 3", f"= {key.options['tokens'][0]}")
    if key.option("head"):
        return '"r1c1 > r1c2 r2c3"'
    if kind == "pairs" and key.option("default") is None:
        return '"r1c1 r1c2"'
    value = key.option("value")
    if value is not None:
        number = "1124" if len(value.arguments) > 2 else "5"
        return f'{words[:-1]} = {number}"'
    return words


def variant_page() -> str:
    """Return the page, as Markdown."""
    variants = [*shipped_variants().values()]
    families: dict[str, list[Variant]] = {name: [] for name in FAMILIES}
    for variant in variants:
        families[_family(variant)].append(variant)
    index = [f"- {name}: {', '.join(f'[{one.name}](#{one.name})' for one in of)}" for name, of in families.items()]
    sections = [part for name, of in families.items() for part in (f"## {name}", *map(_section, of))]
    return HEAD.format(number=len(variants)) + "\n".join(index) + "\n\n" + "\n\n".join(sections) + "\n"


def variant_pictures() -> dict[Path, str]:
    """Return the pictures of the page: `{path: text}`."""
    return {PICTURES / f"{one.name}.svg": _picture(_board(one)) for one in shipped_variants().values()}


def _family(variant: Variant) -> str:
    if not variant.keys:
        return next(name for name, kinds in FAMILIES.items() if not kinds)
    kind = kind_name(variant.keys[0].kind)
    return next(name for name, kinds in FAMILIES.items() if kind in kinds)


def _section(variant: Variant) -> str:
    instance = _board(variant)
    name = variant.name
    picture = f'<img src="{PICTURES.relative_to("docs") / name}.svg" width="200" alt="A board with {name}">'
    parts = [f"### {name}", variant.summary, picture]
    parts.append(f"```toml\n{_lines(variant, instance)}\n```")
    parts.append(f"```prolog\n{_rules(variant)}\n```")
    if (file := _file(variant)).is_file():
        parts.append(f"Board: [variants/{name}](../{file.relative_to(CHECKOUT)}).")
    return "\n\n".join(parts)


def _rules(variant: Variant) -> str:
    """Return the rules of a variant without the head of their file."""
    _, _, rules = variant.rules.read_text(encoding="utf-8").partition("\n\n")
    return re.sub(r"^#defined .*\n+", "", rules, flags=re.MULTILINE).strip()


def _lines(variant: Variant, instance: Instance) -> str:
    """Return the lines of a board that use a variant."""
    written = dumps(instance, "toml")
    names = "|".join(key.name for key in variant.keys) or "variants"
    found = re.findall(rf"^(?:{names}) = (?:\[\n(?:.*\n)*?\]|.*)$|^\[(?:{names})\]\n(?:.+\n)*", written, re.MULTILINE)
    assert found, written
    return "\n".join(part.strip() for part in found)


def _file(variant: Variant) -> Path:
    return INSTANCES / "variants" / f"{variant.name}.toml"


def _board(variant: Variant) -> Instance:
    """Return the board that ships for a variant."""
    file = _file(variant)
    if file.is_file():
        return load(file)[0]
    # To be dropped when every variant has a board that ships, and so is the test above for the file.
    keys = "\n".join(f"{key.name} = {example(key)}" for key in variant.keys)
    [instance] = loads(f'puzzle = "sudoku"\nsize = [4, 4]\n{keys or f"""variants = ["{variant.name}"]"""}')
    return instance


def _picture(instance: Instance) -> str:
    """Return the picture of a board, with the style only of what is in it."""
    drawn = svg(instance.drawing(), axes=False)
    [style, *_] = re.findall(r"<style>.*?</style>", drawn)
    used = {name for names in re.findall(r'class="([^"]*)"', drawn) for name in names.split()}

    def kept(rule: re.Match[str]) -> str:
        selectors = [one for one in rule[1].split(",") if {*re.findall(r"\.([a-z][\w-]*)", one)} <= {*used, "pyasp"}]
        return ",".join(selectors) + rule[2] if selectors else ""

    shorter = re.sub(r"(\.pyasp [^{}]*?)(\{[^{}]*\})", kept, style)
    return drawn.replace(style, shorter, 1) + "\n"
