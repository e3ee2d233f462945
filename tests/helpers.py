"""What many tests share: a board from a text, files of rules, answers as people write them, and what ships."""

import pickle
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from clingo import Control

from pyasp_puzzles import Answer, Instance, Settings, Step, dumps, explain, load, loads
from pyasp_puzzles.errors import Where
from pyasp_puzzles.render.text import TextStyle

from .rules import Cell
from .strategies import grid

Thing = TypeVar("Thing")
CHECKOUT = Path(__file__).parents[1]
ENCODINGS, INSTANCES = CHECKOUT / "encodings", CHECKOUT / "instances"
# The names of the instances that ship, without those of variants.
BOARDS = sorted(
    str(path.relative_to(INSTANCES).with_suffix("")) for path in INSTANCES.glob("*/*") if path.parent.name != "variants"
)
# The genres that `test_genres.py` tests, and the instances of the puzzles with tests of their own.
GENRES = sorted(path.stem.replace("_", "-") for path in (CHECKOUT / "tests" / "genres").glob("[a-z]*.py"))
SHIPPED = [name for name in BOARDS if name.split("/")[0] not in GENRES]
PLAIN, COLORED = TextStyle(), TextStyle(color=True)
# A Sudoku with 72 answers.
FOUR = 'puzzle = "sudoku"\ngivens = """\n1 . . .\n. . . .\n. . . .\n. . . .\n"""\n'
# A Tectonic with six answers.
A_A_A = 'puzzle = "tectonic"\nblocks = "A A A"\n'
# The rule of the README: equal numbers are no knight's move apart.
KNIGHT = """
violated(knight(R, C, R + Y, C + X)) :- value(R, C, V), value(R + Y, C + X, V), jump(Y, X).
jump(1, -2). jump(1, 2). jump(2, -1). jump(2, 1).
"""
KNIGHT_MOVES = [(1, -2), (1, 2), (2, -1), (2, 1)]
ENDLESS_GROUNDING = "a(1).\na(X + 1) :- a(X).\n"
# Twelve pigeons in eleven holes.
ENDLESS_SEARCH = "{ in(P, H) : H = 1..11 } = 1 :- P = 1..12.\n:- in(P, H), in(Q, H), P < Q.\n"
# The declaration of a puzzle such as Hitori, whose last table is of the numbers.
SHADED_NUMBERS = """
summary = "Shade cells so that no number stands twice in a row or column."
[answer]
kind = "shading"
output = "black(R, C)"
[keys.numbers]
kind = "numbers"
fact = "number(R, C, N)"
every = true
"""


# Numbers in a list, "1, 3 and 5 to 7", and the places of cells.
LISTED = r"\d+(?: to \d+)?(?:(?:, | and )\d+(?: to \d+)?)*"
PLACE = rf"(?:rows? {LISTED} of columns? {LISTED}|row \d+,? columns? {LISTED})"


def listed(text: str) -> list[int]:
    """Return the numbers that a text lists."""
    found = re.findall(r"(\d+)(?: to (\d+))?", text)
    return [number for first, last in found for number in range(int(first), int(last or first) + 1)]


def read_places(words: str) -> list[Cell]:
    """Return the cells that words name."""
    found = []
    for place in re.findall(PLACE, words):
        rows, _, columns = place.partition("column")
        found += [(r, c) for r in listed(rows) for c in listed(columns)]
    return found


def one(text: str, name: str = "<text>", **options: Any) -> Instance:
    """Return the only board of a text."""
    (instance,) = loads(text, name, **options)
    return instance


def only(name: str | Path, **options: Any) -> Instance:
    """Return the only board of a file, or of an instance that ships."""
    (instance,) = load(name, **options)
    return instance


@cache
def steps(name: str) -> list[Step]:
    """Return the steps of a board that ships."""
    return list(explain(only(name)))


def sudoku(*rows: str) -> Instance:
    """Return a Sudoku from its rows."""
    return one('puzzle = "sudoku"\ngivens = """\n' + "\n".join(rows) + '\n"""\n')


def encoding(puzzle: str) -> Path:
    """Return the file of a puzzle's rules."""
    return ENCODINGS / puzzle / f"{puzzle}.lp"


def facts(instance: Instance) -> str:
    """Return what `pyasp facts` prints of a board: a program for clingo, which can be read back."""
    return dumps(instance, "lp")


def grounded(instance: Instance, *files: Path, more: str = "", messages: list[str] | None = None) -> Control:
    """Return what plain clingo makes of an instance with its encodings and other files; its messages go to the list.

    Keep it while its atoms or models are in use: clingo frees them with it.
    """
    control = Control(["0"], logger=lambda _, message: ([] if messages is None else messages).append(message))
    for file in dict.fromkeys((*instance.puzzle.encodings, *files)):
        control.load(str(file))
    control.add("base", [], facts(instance) + more)
    control.ground([("base", [])])
    return control


def write(place: Path, files: Mapping[str, str]) -> Path:
    """Write files into a directory; return the directory."""
    for name, text in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text, encoding="utf-8")
    return place


def mine(place: Path, text: str, name: str = "mine.lp") -> Path:
    """Return a file with a text."""
    return write(place, {name: text}) / name


def extra(place: Path, text: str, name: str = "mine.lp") -> Settings:
    """Return the settings that add these rules."""
    return Settings(extra=[mine(place, text, name)])


def read(instance: Instance, text: str) -> Answer:
    """Return an answer as people write it."""
    return instance.puzzle.kind.read(instance, text, Where("answer.txt"))


def filled(values: Mapping[Cell, object], cells: Iterable[Cell]) -> str:
    """Return the numbers in some cells of a board as people write them."""
    board = [*cells]
    rows, columns = (max(cell[i] for cell in board) for i in (0, 1))
    return grid(values, board, rows, columns).strip('"\n')


def not_none(thing: Thing | None) -> Thing:
    """Return what is there."""
    assert thing is not None
    return thing


def again(thing: Thing) -> Thing:
    """Return what comes out of a pickle of it."""
    copy: Thing = pickle.loads(pickle.dumps(thing))  # noqa: S301 (it is ours)
    return copy


def status(answers: int) -> str:
    """Return the verdict on a board with so many answers."""
    return ("none", "unique", "several")[min(answers, 2)]


def overlong(steps: Iterable[Step]) -> list[str]:
    """Return the sentences of steps and of their links that have more than 250 characters and are not lists.

    A list is what contradicts on a board without an answer.
    """
    words = [text for step in steps for text in (step.words, *(link.words for link in step.links), *step.listed)]
    sentences = [sentence for text in words for sentence in text.split(". ")]
    return [one for one in sentences if len(one) > 250 and " cannot hold together: " not in one]
