"""The table of variants in `docs/instances.md`: their keys, how a line of each is written, and their rules."""

from pyasp_puzzles.model.keys import Key
from pyasp_puzzles.puzzles.keys import kind_name
from pyasp_puzzles.puzzles.variant import shipped_variants

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


def variant_table() -> str:
    """Return the table of all variants that ship, as it is in the page."""
    rows = [("variant", "key, and a line of it", "rule")]
    for variant in shipped_variants().values():
        keys = "<br>".join(f"`{key.name} = {example(key)}`" for key in variant.keys)
        rows.append((f"`{variant.name}`", keys or "by name", variant.summary))
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in rows
    ]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines) + "\n"
