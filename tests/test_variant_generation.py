"""New boards with variants: one answer and no needless clue, by the checkers in plain Python; as they were wanted."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import prod
from pathlib import Path
from typing import Any

import pytest

from pyasp_puzzles import Instance, PuzzleError, Settings, count, dumps, generate, grade, loads, minimize
from pyasp_puzzles import board as board_of
from pyasp_puzzles.batches.batch import in_order
from pyasp_puzzles.batches.workers import Workers
from pyasp_puzzles.generation import lines
from pyasp_puzzles.generation.clues import Wish
from pyasp_puzzles.generation.generate import Generator
from pyasp_puzzles.generation.layouts import WantedLayout
from pyasp_puzzles.puzzles.declaration import find_puzzle

from .command import printed, pyasp
from .helpers import ENCODINGS, INSTANCES, grounded, write
from .rules import Cell, Values
from .strategies import TIMES, times
from .variant_boards import BOXES, KEYS, NEGATIVE, VARIANTS, sudokus
from .variants import CHECKERS, Clue, Filled

# No 4x4 Sudoku has an answer with these, or none of their clues holds in one.
NOT_FOUR = {
    "anti-king",
    "anti-taxicab",
    "global-entropy",
    "global-modulo",
    "negative-column-indexer",
    "negative-ratio",
    "negative-row-indexer",
    "non-consecutive",
    "windoku",
}


def cells(words: str) -> list[Cell]:
    """Return the cells of `r1c1 r1c2`."""
    parts = (word[1:].split("c") for word in words.split())
    return [(int(r), int(c)) for r, c in parts]


def sight(side: str, i: int, n: int) -> list[Cell]:
    """Return the cells that a clue sees, of row or column `i`, from its side."""
    there = range(1, n + 1) if side in {"top", "left"} else range(n, 0, -1)
    return [(j, i) if side in {"top", "bottom"} else (i, j) for j in there]


def clues_of(name: str, value: Any, n: int) -> list[Clue]:
    """Return the clues that a key of a variant has on a board of n x n, as its checker takes them."""
    kind = KEYS[name][1]
    if isinstance(value, dict):
        labels = [(side, i, word) for side, of in value.items() for i, word in enumerate(of.split(), 1) if word != "."]
        return [Clue(sight(side, i, n), int(word), side=side) for side, i, word in labels]
    found = []
    for line in [value] if isinstance(value, str) else value:
        if kind == "groups":
            found.append(Clue(groups=[cells(words) for words in line.split("=")]))
            continue
        words, _, number = (part.strip() for part in line.partition("="))
        if kind == "sights":
            place, direction = words.split()
            (r, c), y, x = cells(place)[0], "u d".index(direction[0]) - 1, "l r".index(direction[1]) - 1
            seen = [(r + i * y, c + i * x) for i in range(n)]
            found.append(Clue([cell for cell in seen if {*cell} <= {*range(1, n + 1)}], int(number), side=direction))
            continue
        *head, words = words.split(">")
        several = [int(one) for one in number.split()] if kind in {"corners", "candidates"} else None
        single = (int(number) if name != "look-and-say" else number) if number.isdigit() else number or None
        found.append(Clue(cells(words), several or single, [cell for one in head for cell in cells(one)]))
    return found


def keys_of(board: Instance) -> dict[str, Any]:
    """Return the keys of a board, as TOML has them."""
    return tomllib.loads(dumps(board, "toml"))


def all_clues(keys: Mapping[str, Any], n: int) -> dict[str, list[Clue]]:
    """Return the clues of each variant of a board of n x n."""
    clues = {name: clues_of(name, keys[key], n) for name, (key, _) in KEYS.items() if key in keys}
    return clues | {name: [] for name in keys.get("variants", ())}


def numbers(grid: str) -> Values:
    """Return the numbers of a grid."""
    rows = [row.split() for row in grid.split("\n") if row]
    return {(r, c): int(v) for r, row in enumerate(rows, 1) for c, v in enumerate(row, 1) if v != "."}


def answers(keys: Mapping[str, Any]) -> list[Values]:
    """Return the answers of a 4x4 Sudoku with these keys, by the checkers."""
    givens, clues = numbers(keys["givens"]), all_clues(keys, 4)
    found = [values for values in sudokus() if givens.items() <= values.items()]
    return [
        v for v in found if all(CHECKERS[name](Filled(v, BOXES, clues, range(1, 5)), of) for name, of in clues.items())
    ]


def with_one_clue_less(keys: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the keys of a Sudoku without each of its clues: a given, a line, a label."""

    def less(text: str) -> Iterator[str]:
        words = re.split(r"(\s+)", text)
        return ("".join([*words[:i], ".", *words[i + 1 :]]) for i, word in enumerate(words) if word.isdigit())

    keys = {key: value for key, value in keys.items() if key not in {"puzzle", "title", "source", "notes"}}
    for key, value in keys.items():
        fewer: list[object] = []
        if key == "givens":
            fewer += less(value)
        elif isinstance(value, dict):
            fewer += [value | {side: row} for side, labels in value.items() for row in less(labels)]
        elif key != "variants":
            lines = [value] if isinstance(value, str) else value
            fewer += [[one for one in lines if one != line] or None for line in lines]
        for one in fewer:
            yield {name: value for name, value in (keys | {key: one}).items() if value is not None}


def check_board(name: str, board: Instance) -> None:
    """Check that a 4x4 board has one answer, and several without any of its clues."""
    keys = keys_of(board)
    assert len(answers(keys)) == 1
    if name in NEGATIVE:
        return  # a missing dot says something there
    assert minimize(board).facts.equal(board.facts)
    for fewer in with_one_clue_less(keys):
        assert len(answers(fewer)) > 1


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in VARIANTS if name not in NOT_FOUR])
def test_every_variant_makes_boards(name: str) -> None:
    """Of all 4x4 Sudokus one keeps the clues of a new board; without any, there are more. Some have the variant's."""
    larger = {"extra-region", "lockout-line", "modular-line", "nabner", "palindrome"}  # they need a larger board
    found = name not in KEYS or name in larger
    for board in generate("sudoku", times(4, 4), size=4, seed=2, settings=Settings(extra=name)):
        check_board(name, board)
        found = found or KEYS[name][0] in keys_of(board)
        if found and TIMES == 1:
            return
    assert found


@pytest.mark.parametrize("name", ["negative-column-indexer", "negative-row-indexer", "negative-box-indexer"])
def test_what_must_not_be_missing_stays(name: str) -> None:
    """A new board has all marks, if cells without one say something: without one of them, its answer is lost."""
    rules = (name, NEGATIVE[name])
    for board in generate("sudoku", 2, size=4, seed=1, settings=Settings(extra=rules)):
        keys = keys_of(board)
        assert len(answers(keys)) == 1
        assert count(board) == 1
        assert name in keys["variants"]
        assert KEYS[NEGATIVE[name]][0] in keys


@pytest.mark.slow
@pytest.mark.parametrize("name", ["negative-xv", "non-consecutive"])
def test_all_dots_of_a_new_board_are_given(name: str) -> None:
    """The same of dots and letters, on a larger board; before, those that were left out lost the answer."""
    for board in generate("sudoku", 2, size=6, seed=3, settings=Settings(extra=(name, NEGATIVE[name]))):
        assert count(board) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_each_variant_has_a_board(name: str) -> None:
    """A board of each variant ships; the checker accepts its answer."""
    text = (INSTANCES / "variants" / f"{name}.toml").read_text("utf-8")
    keys, (board,) = tomllib.loads(text), loads(text)
    assert name in board.variants
    assert keys["source"].startswith("pyasp generate sudoku ")
    values = numbers(keys["solution"])
    clues = all_clues(keys, max(r for r, _ in values))
    assert name in clues
    filled = Filled(values, board.facts.names("stream"), clues, range(1, max(values.values()) + 1))
    assert all(CHECKERS[one](filled, of) for one, of in clues.items())
    assert count(board) == 1


def plain_answers(made: Instance) -> int:
    """Return the number of answers that plain clingo finds, at most 2."""
    control = grounded(made, *(ENCODINGS / "variants" / name / f"{name}.lp" for name in made.variants))
    control.configuration.solve.models = 2  # type: ignore[union-attr]
    with control.solve(yield_=True) as handle:
        return sum(1 for _ in handle)


# Keys of which a 6x6 Sudoku needs few givens, or none.
FEW_GIVENS = (
    "thermometers", "slow_thermometers", "arrows", "killer_cages", "little_killers", "sandwiches", "skyscrapers",
    "x_sums", "differences", "ratios", "xv", "whispers", "renbans", "between_lines", "zipper_lines", "quadruples",
    "numbered_rooms", "region_sum_lines", "greater", "double_arrows",
)  # fmt: skip


@pytest.mark.sampled(0, 7)
@pytest.mark.parametrize("key", FEW_GIVENS)
def test_boards_of_setters_need_all_their_clues(key: str) -> None:
    """Plain clingo finds one answer of each board with few givens, and several if any clue is left out."""
    settings = Settings(timeout=600)
    for made in generate("sudoku", times(1, 2), size=6, seed=5, use={key: None}, givens=(0, 8), settings=settings):
        keys = keys_of(made)
        assert key in keys
        assert len(numbers(keys["givens"])) <= 8
        assert plain_answers(made) == 1
        assert all(plain_answers(board_of("sudoku", **fewer)) == 2 for fewer in with_one_clue_less(keys))


@pytest.mark.slow
def test_symmetric_boards() -> None:
    """The lines and dots of a symmetric board are at the same places if the board is turned half around."""
    settings = Settings(extra=("thermometer", "ratio"))
    (board,) = generate("sudoku", size=6, seed=3, symmetric=True, settings=settings)
    keys = keys_of(board)
    for name in ("thermometer", "ratio"):
        lines = {frozenset(clue.cells) for clue in clues_of(name, keys.get(KEYS[name][0], []), 6)}
        assert lines == {frozenset((7 - r, 7 - c) for r, c in line) for line in lines}
    assert {*numbers(keys["givens"])} == {(7 - r, 7 - c) for r, c in numbers(keys["givens"])}


@pytest.mark.slow
def test_lines_share_no_cell() -> None:
    """No two lines of a new board share a cell, and no line turns back by more than a right angle."""
    (board,) = generate("sudoku", size=9, seed=1, settings=Settings(extra="thermometer"))
    lines = [clue.cells for clue in clues_of("thermometer", keys_of(board)["thermometers"], 9)]
    every = [cell for line in lines for cell in line]
    assert len(every) == len({*every}) > 9
    for line in lines:
        steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line)]
        assert all(a[0] * b[0] + a[1] * b[1] >= 0 for a, b in pairwise(steps))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wanted", "missed"),
    [
        ({"use": {"arrows": 8}}, "arrows, not 8: there is no room for so many"),
        ({"use": {"even": None}, "givens": 0}, "givens, not 0: all clues that hold leave another answer"),
        ({"use": {"thermometers": None}, "cells": 5}, "no thermometers of 5 cells hold for an answer that was drawn"),
        ({"givens": 0}, "4 givens, not 0: each is needed"),
    ],
)
def test_what_cannot_be_met_is_said(wanted: dict[str, Any], missed: str) -> None:
    """The nearest board says what it lacks, and why."""
    (board,) = generate("sudoku", size=4, seed=1, settings=Settings(timeout=5), **wanted)
    assert missed in board.details["notes"]


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ({"use": {"killer_cages": 2}, "cover": True}, "so many killer_cages cover at most 10 cells; the board has 16"),
        ({"use": {"anti-knight": None}}, "it is a variant; to add its rules, write --extra anti-knight"),
        ({"numbers": {(1, 1): 1, (1, 2): 1}}, "with the numbers asked for has an answer by these rules"),
        ({"numbers": {(5, 1): 1}}, "row 5, column 1 is not on the board"),
        ({"givens": 17}, "this board has room for at most 16 givens, not 17"),
        ({"use": {"sandwiches": (8, 9)}, "sides": ["top"]}, "this board has room for at most 4 sandwiches, not 8..9"),
        ({"use": {"ratios": None}, "clues": 99}, "this board has room for at most 40 clues, not 99"),
        ({"use": {"thermometers": 6}, "lines": "apart"}, "this board has room for at most 5 thermometers, not 6"),
        ({"use": {"thermometers": None}, "cells": 1}, "thermometers can have 2 to 16 cells here, not 1"),
        ({"use": {"killer_cages": None}, "cells": 3, "cover": True}, "killer_cages of 3 cells cannot cover 16 cells"),
        ({"use": {"quadruples": None}, "all_dots": True}, "with givens and quadruples have no signs between two cells"),
        ({"puzzle": "akari", "numbers": {}}, "answers of akari are not numbers"),
    ],
)
def test_what_no_board_can_have_is_refused(wanted: dict[str, Any], why: str) -> None:
    """It is said before any board is made, with the reason."""
    with pytest.raises(PuzzleError, match=re.escape(why)):
        next(generate(**{"puzzle": "sudoku", "size": 4, "seed": 1, **wanted}))


@pytest.mark.slow
@pytest.mark.parametrize(("key", "more"), [("killer_cages", {"cells": 4}), ("thermometers", {}), ("renbans", {})])
def test_clues_cover_the_board(key: str, more: dict[str, Any]) -> None:
    """Each cell of a board that is covered is in one of its cages, or on one of its lines, or the board says so."""
    (board,) = generate("sudoku", size=4, seed=1, use={key: None}, cover=True, settings=Settings(timeout=20), **more)
    there = tomllib.loads(dumps(board, "toml"))[key]
    left = 16 - len({cell for words in there for cell in cells(words.split(" =")[0])})
    assert left == 0 or f"{left} cell{'s' * (left > 1)} not covered" in board.details["notes"]


@pytest.mark.slow
def test_lines_of_a_given_board_remain() -> None:
    """New boards like one with lines have these, and new clues of what is added."""
    text = 'puzzle = "sudoku"\nsize = [4, 4]\nthermometers = ["r1c1 r1c2 r2c2", "r4c3 r4c4"]\n'
    (like,) = loads(text)
    (board,) = generate("sudoku", like=like, seed=1)
    assert keys_of(board)["thermometers"] == ["r1c1 r1c2 r2c2", "r4c3 r4c4"]
    assert len(answers(keys_of(board))) == 1
    for board in generate("sudoku", 3, like=like, seed=1, use={"renbans": (1, 2)}):
        lines = [cells(line) for line in keys_of(board)["thermometers"] + keys_of(board)["renbans"]]
        assert sum(map(len, lines)) == len({cell for line in lines for cell in line}), "a new line lies over another"
    boards = list(generate("sudoku", 3, like=like, seed=1, settings=Settings(extra="ratio")))
    assert any("ratios" in keys_of(board) for board in boards)
    assert all(len(answers(keys_of(board))) == 1 for board in boards)


def test_a_choice_of_cages_that_is_not_proven_is_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    """While it is open whether cages leave one answer, others are chosen; the board has one answer."""
    for limit in ("_MOST_CONFLICTS", "_MOST_CONFLICTS_OF_JUDGE", "_MOST_CONFLICTS_OF_UNIT"):
        monkeypatch.setattr(lines, limit, 0)
    open_choices: list[int] = []
    proven = lines.Selection._proven  # noqa: SLF001 (what decides)

    def watched(selection: lines.Selection, chosen: Sequence[int]) -> list[set[int]]:
        wrong = proven(selection, chosen)
        open_choices.append(len(wrong))
        return wrong

    monkeypatch.setattr(lines.Selection, "_proven", watched)
    (board,) = generate("sudoku", size=4, use={"killer_cages": None}, cover=True, givens=0, seed=2)
    assert count(board, limit=2).number == 1
    *tried, last = open_choices
    assert (set(tried), last) == ({2}, 0)


@pytest.mark.slow
def test_boards_of_a_grade() -> None:
    """A wanted grade is met with clues outside the board, too."""
    (board,) = generate("skyscrapers", size=5, seed=1, grade="easy")
    assert grade(board).word == "easy"
    assert keys_of(board)["skyscrapers"]


@pytest.mark.slow
def test_jobs_make_the_same_boards(tmp_path: Path) -> None:
    """Boards depend on their seeds only."""
    command = ["generate", "sudoku", "--size", "4", "--extra", "killer-cage", "--seed", "3", "-n", "3", "--no-grade"]
    assert printed(*command, where=tmp_path) == printed(*command, "--jobs", "2", where=tmp_path)


def test_workers_say_what_is_being_done() -> None:
    """The stages of a board that is made in another process are known here."""
    maker = Generator(WantedLayout(find_puzzle("sudoku"), (4, 4)), Wish(), Settings())
    said: list[str] = []
    with Workers(1) as workers:
        workers.said = said.append
        ((_, made),) = in_order([1], maker.make_in_time, workers, str)
    assert not isinstance(made, str)
    assert said == ["drawing an answer", "leaving out clues"]


ZIGZAG = {
    "zigzag/zigzag.lp": """
        % Input:   value(R, C, V)
        %          zigzag(I, J, R, C)
        #defined zigzag/4.
        up(I, J) :- zigzag(I, J, R, C), zigzag(I, J + 1, R', C'), value(R, C, V), value(R', C', V'), V < V'.
        violated(zigzag(I, J)) :- zigzag(I, J + 2, _, _), up(I, J), up(I, J + 1).
        violated(zigzag(I, J)) :- zigzag(I, J + 2, _, _), zigzag(I, J, _, _), not up(I, J), not up(I, J + 1).
    """,
    "zigzag/variant.toml": """
        summary = "Along a line, numbers go up and down in turn."
        [keys.zigzags]
        kind = "paths"
        fact = "zigzag(I, J, R, C)"
    """,
}


@pytest.mark.slow
def test_a_variant_of_ones_own(tmp_path: Path) -> None:
    """A folder with rules over lines is enough for new boards."""
    write(tmp_path, ZIGZAG)
    made = printed("generate", "sudoku", "--size", "4", "--extra", "zigzag", "--seed", "2", where=tmp_path)
    keys = tomllib.loads(made)
    lines = [cells(line) for line in keys["zigzags"]]
    assert lines

    def keeps(values: Values) -> bool:
        ups = [[values[a] < values[b] for a, b in pairwise(line)] for line in lines]
        return all(a != b for up in ups for a, b in pairwise(up))

    found = [v for v in sudokus() if numbers(keys["givens"]).items() <= v.items() and keeps(v)]
    assert len(found) == 1
    write(tmp_path, {"board.toml": made})
    assert printed("count", "board.toml", "--extra", "zigzag", where=tmp_path) == "1\n"
    again = pyasp("minimize", "board.toml", "--extra", "zigzag", where=tmp_path)
    assert again.stdout.startswith(f"# {len(lines) + len(numbers(keys['givens']))} of ")
    assert "every clue is needed" in again.stderr


@pytest.mark.slow
def test_values_of_ones_own(tmp_path: Path) -> None:
    """A key says which values new clues may have, where they are no sums."""
    rules = """
        % Input:   value(R, C, V)
        #defined product/4.
        #defined product_value/2.
        product_of(I, 0, 1) :- product(I, 1, _, _).
        product_of(I, J, P * V) :- product_of(I, J - 1, P), product(I, J, R, C), value(R, C, V).
        violated(product(I)) :- product_value(I, P), product(I, J, _, _), not product(I, J + 1, _, _),
                                not product_of(I, J, P).
    """
    declared = """
        summary = "The numbers of a cage multiply to its value."
        [keys.products]
        kind = "cages"
        fact = "product(I, J, R, C)"
        value = "product_value(I, P)"
        cells = "3..3"
        values = "1..64"
    """
    write(tmp_path, {"product/product.lp": rules, "product/variant.toml": declared})
    keys = tomllib.loads(
        printed("generate", "sudoku", "--size", "4", "--extra", "product", "--seed", "3", where=tmp_path)
    )
    cages = [(cells(line.split("=")[0]), int(line.split("=")[1])) for line in keys["products"]]
    assert max(value for _, value in cages) > 3 * 4
    givens = numbers(keys["givens"]).items()
    found = [v for v in sudokus() if givens <= v.items() and all(prod(v[c] for c in of) == n for of, n in cages)]
    assert len(found) == 1


@pytest.mark.slow
def test_minimize_leaves_out_lines() -> None:
    """Lines are clues: what is not needed goes, givens before lines."""
    (board,) = loads(
        'puzzle = "sudoku"\ngivens = """\n1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1\n"""\n'
        'thermometers = ["r1c1 r1c2 r1c3 r1c4", "r2c3 r2c4", "r3c2 r3c1"]\n'
    )
    keys = keys_of(minimize(board))
    assert "r1c1 r1c2 r1c3 r1c4" in keys["thermometers"]
    assert len(answers(keys)) == 1
    assert len(numbers(keys["givens"])) < 4
