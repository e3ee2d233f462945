"""Hostile input, made from a seed: what may stand in a file of any kind, and boards and answers that are spoilt."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING

from .test_any_input import PIECES, VALID

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SIDE = 200


def noise(random: Random, size: int) -> bytes:
    """Return some bytes."""
    return bytes(random.randrange(256) for _ in range(size))


def anywhere() -> Iterator[tuple[str, bytes]]:
    """Yield what is right in no file of any kind, each with a name."""
    random = Random(1)  # noqa: S311 (no secrets here)
    yield "empty", b""
    yield "blank", b" \n\t\r\n" * 9
    yield "NUL", b"\0"
    yield "NULs", b"\0" * 100_000
    yield "byte order mark", b"\xef\xbb\xbf"
    yield "UTF-16", 'puzzle = "sudoku"'.encode("utf-16")
    yield "ELF", b"\x7fELF\x02\x01\x01" + noise(random, 200)
    yield "PNG", b"\x89PNG\r\n\x1a\n" + noise(random, 200)
    yield "gzip", b"\x1f\x8b\x08" + noise(random, 200)
    yield "surrogate", b"\xed\xa0\x80"
    yield "overlong", b"\xc0\xaf"
    yield "escape codes", b"\x1b[2J\x1b]0;x\x07" * 3
    yield "line of 10 MB", b"x" * 10_000_000
    yield "line of 10 MB of brackets", b"[" * 10_000_000
    yield "blanks and an x", b" " * 1_000_000 + b"x"
    yield "very many lines", b"?\n" * 300_000
    yield "brackets", b"a = " + b"[" * 100_000
    yield "braces", b"{" * 100_000
    yield "tables", b"a." * 60_000 + b"a = 1"
    yield "nested objects", b'{"a":' * 100_000
    yield "parentheses", b"a" + b"(" * 100_000
    yield "huge number", b"a = " + b"9" * 100_000
    yield "script", b"#script (python)\nimport os\nos._exit(66)\n#end.\n"
    yield "include", b'#include "/etc/passwd".\n'
    yield "HTML", b"<!doctype html><title>404</title>"
    for i in range(20):
        yield f"noise {i}", noise(random, random.randint(1, 400))
    for i in range(20):
        yield f"pieces {i}", "".join(random.choices(PIECES, k=random.randint(1, 40))).encode()


def spoilt(random: Random, text: str) -> bytes:
    """Return a sound text cut off, or with a few pieces put in, left out or doubled, or a byte changed."""
    for _ in range(random.randint(0, 2)):
        start = random.randrange(len(text) + 1)
        end = min(len(text), start + random.randrange(4))
        text = text[:start] + random.choice(["", text[start:end] * 2, *"12ab. \n", *PIECES]) + text[end:]
    if random.random() < 0.1:
        text = text[: random.randrange(len(text) + 1)]
    data = bytearray(text.encode())
    if data and random.random() < 0.1:
        data[random.randrange(len(data))] = random.randrange(256)
    return bytes(data)


def instances() -> Iterator[tuple[str, bytes]]:
    """Yield spoilt instances, each with the name of its file."""
    random = Random(2)  # noqa: S311
    for i in range(120):
        name, text = random.choice([*VALID.items()])
        yield f"{i}-{name}", spoilt(random, text)


ANSWERS = [
    "1 2\n2 1\n",
    '{"board": 1, "solutions": [{"grid": [[1, 2], [2, 1]]}]}\n',
    "row 1\ncolumn 1 r\nrow 2 b\ncolumn 2 b\n",
    '{"solutions": [{"ribbons": [{"line": "row", "index": 1, "color": "r"}, {"line": "column", "index": 2}]}]}\n',
    '{"solutions": [{"ribbons": [{"line": "row", "index": 2, "color": null}]}]}\n',
    "a a\nb #\n",
    "1,1 1,2\n2,1\n",
    '{"solutions": [{"strips": [{"cells": [[1, 1], [1, 2]], "pattern": "wb"}]}]}\n',
]
TWO = {
    "strimko.toml": VALID["strimko.toml"],
    "strata.toml": 'puzzle = "strata"\npalette = ["r", "b"]\ntiles = """\nr .\nb b\n"""\n',
    "strips.toml": VALID["strips.toml"],
}
"""Boards of two rows and two columns, to which all of these are answers."""


def json_values() -> list[object]:
    """Return what JSON may hold anywhere."""
    deep: object = []
    for _ in range(100):
        deep = [deep]
    return [None, True, False, 0, 1, -1, 10**30, 1.5, "", "1", "1 2", "\n", "\0", "\u2028", [], {}, [[]], deep, "row"]


def answers() -> Iterator[bytes]:
    """Yield spoilt answers: as text, and as JSON in which something is replaced by something else."""
    random = Random(3)  # noqa: S311
    for _ in range(60):
        yield spoilt(random, random.choice(ANSWERS))
    for _ in range(60):
        value: object = json.loads(random.choice([answer for answer in ANSWERS if answer.startswith("{")]))
        yield json.dumps(_replaced(random, value)).encode()


def _replaced(random: Random, value: object) -> object:
    """Return a JSON value with some part of it replaced."""
    if isinstance(value, dict) and value and random.random() < 0.9:
        key = random.choice([*value])
        return value | {key: _replaced(random, value[key])}
    if isinstance(value, list) and value and random.random() < 0.9:
        i = random.randrange(len(value))
        return [*value[:i], _replaced(random, value[i]), *value[i + 1 :]]
    return random.choice(json_values())


MANY = 60_000


def laborious() -> Iterator[tuple[str, str, str]]:
    """Yield boards that take a careless reader for ever: name, text, and what is said to be wrong, if anything is."""
    strata, strips = 'puzzle = "strata"\ntiles = "c"\n', 'puzzle = "strips"\ntiles = "w"\n'
    colors = ", ".join(f"c{i} = 'x'" for i in range(MANY))
    palette = [f"d{i}" for i in range(MANY)]
    yield "boards.toml", 'puzzle = "strata"\n' + "[[board]]\n" * MANY, "boards"
    yield "keys.toml", strata + "".join(f"k{i} = 1\n" for i in range(MANY)), "k0"
    yield "tables.toml", strata + "".join(f"[k{i}]\n" for i in range(MANY)), "k0"
    yield "names.toml", strata + f"colors = {{ {colors} }}\n", ""
    yield "palette.toml", strata + f"palette = {palette[: MANY // 5]}\n", "not in the palette"
    yield "palette.lp", "row(1). col(1). tile(1, 1, c).\n" + "".join(f"color({c}).\n" for c in palette), "palette"
    yield "title.toml", strata + f'title = "x{" " * MANY}x"\n', ""
    yield "title.lp", f"% title: x{' ' * MANY}x\nrow(1). col(1).\n", ""
    yield "strips.toml", strips + "strips = [" + '"w", ' * (MANY // 3) + "]\n", "large"
    yield "strip.toml", strips + f'strips = ["{"w" * (MANY // 3)}"]\n', "large"
    yield "facts.lp", "row(1). col(1).\n" * (MANY // 4), ""
    yield "comments.lp", "%* " * MANY, "%*"
    yield "stars.lp", "%*" + "*" * MANY, "%*"
    yield "string.lp", 'tile(1, 1, "' + "\\\\" * MANY, "unexpected"
    yield "long.lp", "tile(1, 1, w). longest(2147483647). strip(1, 2147483647, w).", "strip 1"


LABORIOUS_ANSWERS = [
    f"row 1 a{' ' * MANY}b",
    " " * MANY + "b",
    "1" * MANY + ". row 1 x",
    "row 1\n" * MANY,
    "row " + "1" * MANY,
    "{" * MANY,
    '{"solutions": [{"grid": [[' + "1, " * MANY + "1]]}]}",
    '{"solutions": [{"ribbons": [' + '{"line": "row", "index": 1, "color": "c"}, ' * MANY + "1]}]}",
]
"""Answers, to a board of strata, that take a careless reader for ever, and are wrong."""


def large() -> Iterator[tuple[str, str]]:
    """Yield large boards of each puzzle: 200x200, but for strips."""

    def board(entry: Callable[[int, int], str], side: int = SIDE) -> str:
        return '"""\n' + "\n".join(" ".join(entry(r, c) for c in range(side)) for r in range(side)) + '\n"""\n'

    yield "strata", 'puzzle = "strata"\ntiles = ' + board(lambda _, __: "a")
    yield "strimko", 'puzzle = "strimko"\nstreams = ' + board(lambda r, _: str(r))
    yield "sudoku", 'puzzle = "sudoku"\nbox = [10, 20]\ngivens = ' + board(lambda _, __: ".")
    yield "tectonic", 'puzzle = "tectonic"\nblocks = ' + board(lambda r, c: f"{r}_{c // 5}")
    yield "strips", 'puzzle = "strips"\ntiles = ' + board(lambda r, c: "wb"[(r * 7 + c * c) % 2], 100)
