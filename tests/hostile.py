"""Hostile input: sound texts to spoil, pieces to spoil them with, and what takes a careless reader for ever."""

import json
from collections.abc import Callable, Iterator
from random import Random

SIDE = 150
MANY = 60_000
# Sound instances, by the names of their files.
VALID = {
    "strata.toml": 'puzzle = "strata"\ntitle = "A wave"\npalette = ["r", "b", "g"]\n'
    'colors = { r = "red", b = "blue" }\n[[board]]\ntiles = """\nr .\nb r\n"""\n'
    '[[board]]\ntiles = "r b"\nsolution = """\nrow 1\ncolumn 1 red\ncolumn 2 blue\n"""\n',
    "strimko.toml": 'puzzle = "strimko"\nstreams = """\nA B\nB A\n"""\ngivens = """\n1 .\n. .\n"""\n'
    'solution = "12\\n21"\n',
    "sudoku.toml": 'puzzle = "sudoku"\nbox = [2, 2]\ngivens = """\n1...\n..2.\n....\n...3\n"""\n',
    "jigsaw.toml": 'puzzle = "sudoku"\ngivens = """\n1..\n..2\n...\n"""\nregions = """\nAAB\nABB\nCCC\n"""\n',
    "tectonic.toml": 'puzzle = "suguru"\ntitle = "T"\n'
    'blocks = """\nA A B\nA C #\n"""\ngivens = """\n. 2 .\n. . #\n"""\n',
    "strips.toml": 'puzzle = "strips"\nlongest = 2\ntiles = """\nwb\nw#\n"""\nletters = """\na.\nb.\n"""\n'
    'solution = "ab\\na#"\n',
    "listed.toml": 'puzzle = "strips"\ntiles = """\nw b\nw b\n"""\nstrips = ["bw", "w", "b"]\nnotes = "n"\n',
    "strata.lp": 'row(1). row(2).\ncol(1). col(2).\ncolor("r"). color(b).\ntile(1, 1, "r"). tile(2, 1, b).\n',
    "strimko.lp": "% title: S\nstream(1,1,a). stream(1,2,b).\nstream(2,1,b). stream(2,2,a).\ngiven(1,1,2).\n",
    "sudoku.lp": '% puzzle: sudoku\nstream(1,1,"1"). stream(1,2,"1").\nstream(2,1,2). stream(2,2,2). %* a\nb *%\n',
    "tectonic.lp": 'block(1,1,"A"). block(1,2,"A"). block(2,1,b).\ngiven(1, 1, 1).\n',
    "strips.lp": "tile(1,1,w). tile(1,2,b).\nlongest(2).\nstrip(1,1,b). strip(1,2,w).\n",
}
# What is put into an instance.
PIECES = [
    *" \n\t\r\0.,;:()[]{}\"'#%*=_-+\\/|!?&@^~0123459aAbBwr\u00e9\u0661\u2028\x1b\ufeff\U0001f600",
    *"[[board]] *% %* :- 99999999999 2147483647 #script #include [1] true 1979-05-27 nan 0x1f board".split(),
    *('"""', "'''", "not ", "\n# #\n", "given(1, 1, 1).", "stream(1,1,a).", "board = 1\n", 'puzzle = "strips"\n'),
    *("longest = 0\n", "row 1"),
]
# What is put into rules.
RULE_PIECES = [
    *"é\"%\n\\}{aX_. (),'|;<=-\r\t\x01\x80#~!1",
    *'%* *% \\" &f{ .. :- :~ 99999999999 0x #script (lua) #end #sum @f('.split(),
    *("#const ", "#show ", "not ", "#theory t { x { + : 1, unary }; &f/0 : x, any }."),
]


# -- Files ------------------------------------------------------------------------


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
    yield "line of 2 MB", b"x" * 2_000_000
    yield "line of 2 MB of brackets", b"[" * 2_000_000
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
    for i in range(3):
        yield f"noise {i}", noise(random, random.randint(1, 400))
    for i in range(3):
        yield f"pieces {i}", "".join(random.choices(PIECES, k=random.randint(1, 40))).encode()


def spoil(random: Random, text: str) -> bytes:
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
    for i in range(50):
        name, text = random.choice([*VALID.items()])
        yield f"{i}-{name}", spoil(random, text)


# A number that Python reads, but refuses to write in digits.
HUGE = "0x" + "f" * 3600
STRATA = 'puzzle = "strata"\n'
ONE = STRATA + 'tiles = "a"\n'
STRIPS = 'puzzle = "strips"\ntiles = "w"\n'
LARGE = "".join(f"{'abcd' * 60}\n" for _ in range(240))


def tiles(rows: str) -> str:
    """Return the key of a grid."""
    return f'tiles = """\n{rows}"""\n'


# Files that take a careless reader for ever, or all memory: {name: (text, what the refusal says)}; "" is read.
FILES: dict[str, tuple[Callable[[], str], str]] = {
    "hex-box.toml": (lambda: f'puzzle = "sudoku"\nbox = [{HUGE}, 1]\ngivens = "1"', "toml:2: box: a huge number"),
    "hex-title.toml": (lambda: f"title = {HUGE}\n[[board]]", "hex-title.toml:1: title: a huge number"),
    "hex-list.toml": (lambda: f"{ONE}title = [{{ a = [{HUGE}] }}]", "hex-list.toml:3: title: a huge number"),
    "hex-unknown.toml": (lambda: f"{ONE}x = 0o{'7' * 9000}", "hex-unknown.toml:3: x: a huge number"),
    "hex-board.toml": (lambda: f"{STRATA}[[board]]\ntiles = {HUGE}", "hex-board.toml:3: tiles: a huge number"),
    "boards-of-grids.toml": (lambda: STRATA + tiles(LARGE) + "[[board]]\n" * 40, "at most 250000 cells"),
    "thousand-boards.toml": (lambda: STRATA + tiles(LARGE) + "[[board]]\n" * 1000, "at most 250000 cells"),
    "palettes.toml": (
        lambda: f"{ONE}palette = {[f'd{i}' for i in range(60_000)]}\n" + "[[board]]\n" * 5000,
        "at most 250000 cells",
    ),
    "boards-of-keys.toml": (
        lambda: ONE + "".join(f"k{i} = 1\n" for i in range(60_000)) + "[[board]]\n" * 9000,
        "at most 250000 cells",
    ),
    "boards.toml": (lambda: "[[board]]\n" * 90_000, "there are 90000 boards; a file has at most 10000"),
    "many-boards.toml": (lambda: "[[board]]\n" * 1_600_000, "lines"),
    "keys.toml": (lambda: STRATA + "".join(f"tile{i}s = 1\n" for i in range(300_000)), "300001 lines"),
    "some-keys.toml": (lambda: STRATA + "".join(f"tile{i}s = 1\n" for i in range(100_000)), "no key 'tiles'"),
    "tables.toml": (lambda: ONE + "".join(f"[a{i}.b.c.d]\n" for i in range(400_000)), "400002 lines"),
    "inline.toml": (lambda: f"{ONE}x = {{ {','.join(f'a{i}=1' for i in range(500_000))} }}", "250000 keys"),
    "array.toml": (lambda: f"{ONE}x = [{'1,' * 7_000_000}]", "250000 keys"),
    "arrays.toml": (lambda: f"{ONE}x = [{'[],' * 5_000_000}]", "250000 keys"),
    "strings.toml": (lambda: f"""{ONE}x = [{'"",' * 5_000_000}]""", "250000 keys"),
    "dots.toml": (lambda: f"{ONE}x = {{ {'a.' * 190_000}a = 1 }}", "dots.toml:3: this is not valid TOML"),
    "dotted.toml": (lambda: ONE + "".join(f"{'a.' * 90}a{i} = 1\n" for i in range(50_000)), "250000 keys"),
    "rows.toml": (lambda: STRATA + tiles("a\n" * 200_000), "more than 1000 rows"),
    "many-rows.toml": (lambda: STRATA + tiles("a\n" * 5_000_000), "lines"),
    "one-row.toml": (lambda: STRATA + tiles("ab " * 5_000_000), "at most 250000 cells"),
    "blank-rows.toml": (lambda: STRATA + tiles("\n" * 16_000_000), "lines"),
    "carriage-returns.toml": (lambda: ONE + "\r\n" * 8_000_000, "lines"),
    "comments.toml": (lambda: ONE + "#\n" * 400_000, "comments"),
    "escapes.toml": (lambda: f'{ONE}title = "{chr(92)}n' + "\\n" * 7_000_000 + '"', "backslashes"),
    "title.toml": (lambda: f'{ONE}title = "{"a" * 15_000_000}"', "at most 250000 cells"),
    "deep.toml": (lambda: f"{ONE}title = {'[' * 480}{']' * 480}", "title"),
    "open-array.toml": (lambda: f"{ONE}title = {'[' * 7_000_000}", "250000 keys"),
    "open-string.toml": (lambda: f'{ONE}title = """' + '"\\' * 240_000, "not valid TOML"),
    "patterns.toml": (lambda: f'puzzle = "strips"\ntiles = "w"\nstrips = {["w"] * 1_000_000}', "250000 keys"),
    "long-patterns.toml": (lambda: f'puzzle = "strips"\ntiles = "w"\nstrips = {["w" * 1000] * 9000}', "cells"),
    "long-colors.toml": (
        lambda: f'{STRATA}tiles = "z"\npalette = {[str(i) + "x y" * 8_000 for i in range(9)]}'.replace("'", '"'),
        "color 'z' is not in the palette",
    ),
    "wide-board.toml": (lambda: 'puzzle = "strips"\n' + tiles(f"{'w' * 1000}\n" * 900), "at most 250000 cells"),
    "rows.lp": (lambda: "".join(f"row({i}).\n" for i in range(1_000_000)), "lines"),
    "rows-in-a-line.lp": (lambda: "row(1). " * 2_000_000, "there are 2000000 facts; an instance has at most 250000"),
    "constants.lp": (lambda: "a." * 8_000_000, "8000000 facts"),
    "unknown.lp": (lambda: "row(1). " + f"a({'1,' * 90}1). " * 80_000, "unknown predicate 'a'"),
    "arguments.lp": (lambda: f"tile({'1,' * 5_000_000}1).", "more than 100 arguments"),
    "string-arguments.lp": (lambda: "tile(" + '"\\n",' * 2_500_000 + "1).", "unprintable"),
    "string.lp": (lambda: f'row(1). col(1). tile(1, 1, "{"a" * 8_000_000}").', ""),
    "comment.lp": (lambda: f"%*{'a ' * 4_000_000}*%\nrow(1).", "columns"),
    "stars.lp": (lambda: f"%*{'*a' * 4_000_000}", "unexpected '%**a"),
    "comments.lp": (lambda: "%* " * 5_000_000, "unexpected '%*'"),
    "open-string.lp": (lambda: f'row("{"a" * 15_000_000}', "unexpected"),
    "underscores.lp": (lambda: "_" * 15_000_000, "unexpected '___"),
    "titles.lp": (lambda: "% title: x\n" * 200_000 + "row(1).", "columns"),
    "alike.lp": (lambda: f'block(1, 1, "{"a" * 5_000_000}"). block(1, 2, {"a" * 5_000_000}).', "alike.lp:1: aaa"),
    "many-names.toml": (lambda: ONE + "colors = { " + ", ".join(f"c{i} = 'x'" for i in range(MANY)) + " }\n", ""),
    "many-keys.toml": (lambda: ONE + "".join(f"k{i} = 1\n" for i in range(MANY)), "k0"),
    "many-tables.toml": (lambda: ONE + "".join(f"[k{i}]\n" for i in range(MANY)), "k0"),
    "long-palette.toml": (lambda: f"{ONE}palette = {[f'd{i}' for i in range(MANY // 5)]}\n", "not in the palette"),
    "blank-title.toml": (lambda: f'{ONE}title = "x{" " * MANY}x"\n', ""),
    "wide-strips.toml": (lambda: STRIPS + "strips = [" + '"w", ' * (MANY // 3) + "]\n", "large"),
    "wide-strip.toml": (lambda: f'{STRIPS}strips = ["{"w" * (MANY // 3)}"]\n', "large"),
    "palette.lp": (
        lambda: "row(1). col(1). tile(1, 1, c).\n" + "".join(f"color(d{i}).\n" for i in range(MANY)),
        "palette",
    ),
    "blank-title.lp": (lambda: f"% title: x{' ' * MANY}x\nrow(1). col(1).\n", ""),
    "facts-twice.lp": (lambda: "row(1). col(1).\n" * (MANY // 4), ""),
    "only-stars.lp": (lambda: "%*" + "*" * MANY, "%*"),
    "backslashes.lp": (lambda: 'tile(1, 1, "' + "\\\\" * MANY, "unexpected"),
    "far-strip.lp": (lambda: "tile(1, 1, w). longest(2147483647). strip(1, 2147483647, w).", "strip 1"),
}


# -- Answers ----------------------------------------------------------------------

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
# Boards of two rows and two columns, to which all of these are answers.
TWO = {
    "strimko.toml": VALID["strimko.toml"],
    "strata.toml": 'puzzle = "strata"\npalette = ["r", "b"]\ntiles = """\nr .\nb b\n"""\n',
    "strips.toml": VALID["strips.toml"],
}


def json_values() -> list[object]:
    """Return what JSON may hold anywhere."""
    deep: object = []
    for _ in range(100):
        deep = [deep]
    return [None, True, False, 0, 1, -1, 10**30, 1.5, "", "1", "1 2", "\n", "\0", "\u2028", [], {}, [[]], deep, "row"]


def answers() -> Iterator[bytes]:
    """Yield spoilt answers: as text, and as JSON in which something is replaced by something else."""
    random = Random(3)  # noqa: S311
    for _ in range(10):
        yield spoil(random, random.choice(ANSWERS))
    for _ in range(10):
        value: object = json.loads(random.choice([answer for answer in ANSWERS if answer.startswith("{")]))
        yield json.dumps(replace_part(random, value)).encode()


def replace_part(random: Random, value: object) -> object:
    """Return a JSON value with some part of it replaced."""
    if isinstance(value, dict) and value and random.random() < 0.9:
        key = random.choice([*value])
        return value | {key: replace_part(random, value[key])}
    if isinstance(value, list) and value and random.random() < 0.9:
        i = random.randrange(len(value))
        return [*value[:i], replace_part(random, value[i]), *value[i + 1 :]]
    return random.choice(json_values())


# Answers, to a board of strata, that take a careless reader for ever, and are wrong.
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


def large() -> Iterator[tuple[str, str]]:
    """Yield large boards of each puzzle: 150x150, but for strips."""

    def board(entry: Callable[[int, int], str], side: int = SIDE) -> str:
        return '"""\n' + "\n".join(" ".join(entry(r, c) for c in range(side)) for r in range(side)) + '\n"""\n'

    yield "strata", 'puzzle = "strata"\ntiles = ' + board(lambda _, __: "a")
    yield "strimko", 'puzzle = "strimko"\nstreams = ' + board(lambda r, _: str(r))
    yield "sudoku", 'puzzle = "sudoku"\nbox = [10, 20]\ngivens = ' + board(lambda _, __: ".")
    yield "tectonic", 'puzzle = "tectonic"\nblocks = ' + board(lambda r, c: f"{r}_{c // 5}")
    yield "strips", 'puzzle = "strips"\ntiles = ' + board(lambda r, c: "wb"[(r * 7 + c * c) % 2], 100)
