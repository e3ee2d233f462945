"""New boards: exactly one answer by a program that shares nothing with ours, and as they were wanted."""

from __future__ import annotations

import signal
from collections import Counter
from itertools import permutations, product
from random import Random
from typing import TYPE_CHECKING

import pytest
from clingo import Control

from pyasp_puzzles import InstanceError, OutOfTime, PuzzleError, Settings, check, generate, grade, load, loads, minimize
from pyasp_puzzles.generation.program import ClueProgram

from .command import pyasp, start
from .documents import files, write_files
from .helpers import KNIGHT, KNIGHT_MOVES, SHADED_NUMBERS, extra, mine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from pyasp_puzzles import Instance

    Cell = tuple[int, int]
    Allowed = Callable[[Mapping[Cell, int], Cell, int], bool]

GENERATING = "docs/generating.md"


# -- A solver of our own --------------------------------------------------------------


def answers(cells: Mapping[Cell, int], givens: Mapping[Cell, int], allowed: Allowed, limit: int = 2) -> int:
    """Return the number of answers, up to a limit, by backtracking: the cell with the fewest numbers comes first."""
    filled: dict[Cell, int] = {}
    for cell, value in givens.items():
        if not (1 <= value <= cells[cell] and allowed(filled, cell, value)):
            return 0
        filled[cell] = value

    def count(left: int) -> int:
        if len(filled) == len(cells):
            return 1
        options = {
            cell: [v for v in range(1, most + 1) if allowed(filled, cell, v)]
            for cell, most in cells.items()
            if cell not in filled
        }
        cell = min(options, key=lambda one: len(options[one]))
        found = 0
        for value in options[cell]:
            filled[cell] = value
            found += count(left - found)
            del filled[cell]
            if found >= left:
                break
        return found

    return count(limit)


def differ(groups: Iterable[Iterable[Cell]]) -> Allowed:
    """Return the rule that the numbers of each group differ."""
    peers: dict[Cell, set[Cell]] = {}
    for group in map(list, groups):
        for cell in group:
            peers.setdefault(cell, set()).update(group)
    return lambda filled, cell, value: all(filled.get(peer) != value for peer in peers[cell])


def names(board: Instance, predicate: str) -> dict[Cell, str]:
    """Return the name in each cell."""
    return {(int(r), int(c)): str(name) for r, c, name in board.facts.arguments(predicate)}


def regions(board: Instance, predicate: str) -> list[list[Cell]]:
    """Return the cells of each region."""
    found: dict[str, list[Cell]] = {}
    for cell, name in names(board, predicate).items():
        found.setdefault(name, []).append(cell)
    return list(found.values())


def givens(board: Instance) -> dict[Cell, int]:
    """Return the givens of a board."""
    return {(int(r), int(c)): int(v) for r, c, v in board.facts.arguments("given")}


def lines(board: Instance) -> list[list[Cell]]:
    """Return the rows and columns of a square board."""
    size = max(r for r, _ in board.puzzle.cells(board.facts))
    sides = range(1, size + 1)
    return [[(r, c) for c in sides] for r in sides] + [[(r, c) for r in sides] for c in sides]


def rules(board: Instance) -> tuple[dict[Cell, int], Allowed]:
    """Return the largest number of each cell, and what is allowed, of a Sudoku, a Strimko or a Tectonic."""
    if board.puzzle.name == "tectonic":
        blocks = regions(board, "block")
        sizes = {cell: len(block) for block in blocks for cell in block}
        touch = [[(r + y, c + x) for y in (0, 1) for x in (0, 1) if (r + y, c + x) in sizes] for r, c in near(sizes)]
        return sizes, differ([*blocks, *touch])
    streams = regions(board, "stream")
    return dict.fromkeys(names(board, "stream"), len(streams)), differ([*streams, *lines(board)])


def near(cells: Iterable[Cell]) -> set[Cell]:
    """Return the upper left corners of the squares of four that have one of the cells."""
    return {(r - y, c - x) for r, c in cells for y in (0, 1) for x in (0, 1)}


def one_answer(board: Instance, *, needed: bool = True) -> None:
    """Assert that a board has one answer, and that each of its givens is needed."""
    cells, allowed = rules(board)
    shown = givens(board)
    assert answers(cells, shown, allowed) == 1
    for cell in shown if needed else ():
        assert answers(cells, {other: v for other, v in shown.items() if other != cell}, allowed) == 2


def connected(cells: list[Cell], *, corners: bool = False) -> bool:
    """Return whether cells are connected."""
    left, waiting = set(cells[1:]), cells[:1]
    for r, c in waiting:
        steps = [(y, x) for y, x in product((-1, 0, 1), repeat=2) if corners or abs(y) + abs(x) == 1]
        found = left & {(r + y, c + x) for y, x in steps}
        left -= found
        waiting += sorted(found)
    return not left


# -- Boards ----------------------------------------------------------------------------


@pytest.mark.parametrize("size", [4, 6])
def test_sudoku(size: int) -> None:
    """A Sudoku has one answer, and needs each of its givens."""
    for board in generate("sudoku", 3, size=size, seed=size):
        one_answer(board)


def test_nine() -> None:
    """A Sudoku of 9x9 has one answer."""
    (board,) = generate("sudoku", seed=1)
    one_answer(board, needed=False)


@pytest.mark.parametrize(("puzzle", "size", "corners"), [("sudoku", 6, False), ("strimko", 5, True)])
def test_new_regions(puzzle: str, size: int, corners: bool) -> None:  # noqa: FBT001
    """The regions of a jigsaw and the streams of a Strimko are connected, of one size, no lines, and new."""
    boards = list(generate(puzzle, 3, size=size, seed=1, layout="new"))
    for board in boards:
        one_answer(board)
        found = regions(board, "stream")
        assert {len(region) for region in found} == {len(found)} == {size}
        assert all(connected(region, corners=corners) for region in found)
        assert not any(set(line) == set(region) for line in lines(board) for region in found)
    assert len({str(sorted(regions(board, "stream"))) for board in boards}) == 3


def test_tectonic(tmp_path: Path) -> None:
    """Blocks are connected and have at most five cells; an outline may come from a board."""
    outline = mine(tmp_path, 'puzzle = "tectonic"\nblocks = """\n# A A #\nB B A A\nB B C C\n# C C #\n"""\n', "a.toml")
    for board in [*generate("tectonic", 2, size=(5, 6), seed=3), *generate("tectonic", 2, like=outline, seed=4)]:
        one_answer(board)
        for block in regions(board, "block"):
            assert len(block) <= 5
            assert connected(block)
    assert set(names(board, "block")) == set(names(load(outline)[0], "block"))
    (same,) = generate("tectonic", like=outline, layout="same", seed=5)
    assert names(same, "block") == names(load(outline)[0], "block")


def test_strata() -> None:
    """A Strata has one finished picture, and several without any of its tiles."""
    (board,) = generate("strata", size=(2, 3), colors=3, seed=2)
    tiles = names(board, "tile")
    colors = sorted(str(color) for (color,) in board.facts.arguments("color"))
    sides = [("row", 1), ("row", 2), ("col", 1), ("col", 2), ("col", 3)]
    pictures = set()
    for order, paint in product(permutations(sides), product(colors, repeat=5)):
        shown: dict[Cell, str] = {}
        for (line, i), color in zip(order, paint, strict=True):
            cells = [(i, 1), (i, 2), (i, 3)] if line == "row" else [(1, i), (2, i)]
            shown |= dict.fromkeys(cells, color)
        pictures.add(tuple(sorted(shown.items())))
    assert sum(all(dict(one)[cell] == color for cell, color in tiles.items()) for one in pictures) == 1
    for left_out in tiles:
        rest = {cell: color for cell, color in tiles.items() if cell != left_out}
        assert sum(all(dict(one)[cell] == color for cell, color in rest.items()) for one in pictures) > 1


def rounds(board: Instance) -> int:
    """Return in how many rounds a board is peeled: in each, all lines go whose tiles that are left have one colour."""
    tiles = names(board, "tile")
    left = {(way, cell[way]) for cell in board.puzzle.cells(board.facts) for way in (0, 1)}
    found = 0
    while left:
        shown = {cell: color for cell, color in tiles.items() if (0, cell[0]) in left and (1, cell[1]) in left}
        off = {(way, i) for way, i in left if len({color for cell, color in shown.items() if cell[way] == i}) < 2}
        assert off
        left -= off
        found += 1
    return found


@pytest.mark.parametrize("peels", [3, 5])
def test_peels(peels: int) -> None:
    """A Strata board is peeled in as many rounds as were wanted; too many are refused."""
    (board,) = generate("strata", size=(3, 4), peels=peels, seed=1)
    assert rounds(board) == peels
    assert check(board, distinct="looks").status == "unique"
    with pytest.raises(PuzzleError):
        next(generate("strata", size=(3, 4), peels=7))
    with pytest.raises(PuzzleError):
        next(generate("sudoku", size=4, peels=3))


def cuts(tiles: Mapping[Cell, str], longest: int, used: frozenset[str] = frozenset()) -> int:
    """Return in how many ways a board can be cut into strips with different patterns."""
    if not tiles:
        return 1
    r, c = min(tiles)
    found = 0
    for length in range(1, longest + 1):
        for y, x in ((0, 1), (1, 0)) if length > 1 else ((0, 1),):
            cells = [(r + i * y, c + i * x) for i in range(length)]
            if all(cell in tiles for cell in cells):
                pattern = "".join(tiles[cell] for cell in cells)
                pattern = min(pattern, pattern[::-1])
                if pattern not in used:
                    rest = {cell: color for cell, color in tiles.items() if cell not in cells}
                    found += cuts(rest, longest, used | {pattern})
    return found


def test_strips() -> None:
    """A strips board can be cut in one way."""
    for board in generate("strips", 2, seed=1):
        assert cuts({cell: name.strip('"') for cell, name in names(board, "tile").items()}, 3) == 1


def test_symmetric() -> None:
    """The places of symmetric clues stay the same when the board is turned, and no two opposite ones can go."""
    for board in generate("sudoku", 3, size=6, seed=5, symmetric=True):
        shown = givens(board)
        assert set(shown) == {(7 - r, 7 - c) for r, c in shown}
        one_answer(board, needed=False)
        cells, allowed = rules(board)
        for r, c in shown:
            rest = {cell: v for cell, v in shown.items() if cell not in {(r, c), (7 - r, 7 - c)}}
            assert answers(cells, rest, allowed) == 2


@pytest.mark.parametrize("word", ["easy", "hard"])
def test_grade(word: str) -> None:
    """The grade that was wanted is that of the board."""
    for board in generate("sudoku", 2, size=6, grade=word, seed=1):
        assert grade(board).word == word
        one_answer(board, needed=False)


def test_clues() -> None:
    """A board has as many clues as were wanted; if that cannot be, the one with the nearest number comes."""
    (board,) = generate("sudoku", size=4, clues=9, seed=1)
    assert len(givens(board)) == 9
    (board,) = generate("sudoku", size=4, clues=2, seed=1, settings=Settings(timeout=0.5))
    assert len(givens(board)) == 4


def test_rules_of_ones_own(tmp_path: Path) -> None:
    """Boards follow added rules, and need each clue under them."""
    settings = extra(tmp_path, KNIGHT)
    for board in generate("sudoku", 2, size=6, seed=1, settings=settings):
        cells, allowed = rules(board)

        def both(filled: Mapping[Cell, int], cell: Cell, value: int, usual: Allowed = allowed) -> bool:
            moves = [(s * y, s * x) for y, x in KNIGHT_MOVES for s in (1, -1)]
            return usual(filled, cell, value) and all(filled.get((cell[0] + y, cell[1] + x)) != value for y, x in moves)

        shown = givens(board)
        assert answers(cells, shown, both) == 1
        for cell in shown:
            assert answers(cells, {other: v for other, v in shown.items() if other != cell}, both) == 2


def test_a_rule_about_givens(tmp_path: Path) -> None:
    """Where rules do more with givens than to put their numbers, the givens are as these rules say."""
    small = "violated(small(R, C)) :- given(R, C, V), V > 3.\n"
    (board,) = generate("sudoku", size=4, seed=1, clues=6, settings=extra(tmp_path, small))
    assert max(givens(board).values()) == 3
    one_answer(board, needed=False)


def test_a_weaker_rule(tmp_path: Path) -> None:
    """Where a clue says less than its number, the rules that say so decide what is an answer."""
    from pyasp_puzzles import count

    from .helpers import encoding

    usual = "given(R, C, V), not value(R, C, V)."
    text = encoding("strimko").read_text(encoding="utf-8")
    weaker = mine(tmp_path, text.replace(usual, "given(R, C, V), value(R, C, V'), |V - V'| > 1."))
    assert usual in text
    (board,) = generate("sudoku", size=4, seed=1, settings=Settings(weaker))
    assert count(board, settings=Settings(weaker)) == 1


def test_puzzle_folder(tmp_path: Path) -> None:
    """A puzzle of one's own is generated from its declaration: givens and signs."""
    from pathlib import Path as At

    write_files(At("docs/adding-a-puzzle.md"), tmp_path)
    settings = Settings(puzzles=[tmp_path / "futoshiki"])
    for board in generate("futoshiki", 2, size=4, seed=1, settings=settings):
        signs = [(tuple(map(int, one[:4])), str(one[4]).strip('"')) for one in board.facts.arguments("sign")]
        allowed = differ(lines(board))
        cells = dict.fromkeys(board.puzzle.cells(board.facts), 4)

        def count(shown: Mapping[Cell, int], left: list[tuple[tuple[int, ...], str]], usual: Allowed = allowed) -> int:
            def both(filled: Mapping[Cell, int], place: Cell, value: int) -> bool:
                known = {**filled, place: value}
                for (r, c, row, column), sign in left:
                    one, other = known.get((r, c)), known.get((row, column))
                    if one and other and not (one < other if sign in "<^" else one > other):
                        return False
                return usual(filled, place, value)

            return answers(cells, shown, both)  # noqa: B023 (called at once)

        shown = givens(board)
        assert signs
        assert count(shown, signs) == 1
        for cell in shown:
            assert count({other: v for other, v in shown.items() if other != cell}, signs) == 2
        for sign in signs:
            assert count(shown, [one for one in signs if one != sign]) == 2


SHADED_RULES = """#defined relaxed/1.
{ black(R, C) } :- number(R, C, _).
violated(number(R, N)) :- number(R, _, N), { number(R, C, N) : not black(R, C) } > 1.
violated(touch(R, C)) :- black(R, C), black(R + 1, C).
violated(touch(R, C)) :- black(R, C), black(R, C + 1).
:- violated(Rule), not relaxed(Rule).
"""


def test_clues_in_every_cell(tmp_path: Path) -> None:
    """Clues that every cell has are chosen by layout.lp, so that there is one answer; without it, this is said."""
    folder = tmp_path / "shaded"
    folder.mkdir()
    mine(folder, f"{SHADED_NUMBERS}clue = true\n", "puzzle.toml")
    mine(folder, SHADED_RULES, "shaded.lp")
    words = ["generate", "shaded", "--size", "3x4", "--seed", "1", "--puzzles", str(folder)]
    assert "expected" in pyasp(*words, where=tmp_path).stderr
    mine(folder, "with_rules. { number(R, C, 1..3) } = 1 :- cell(R, C).", "layout.lp")
    (board,) = loads(pyasp(*words, where=tmp_path).stdout, puzzles=[folder])
    numbers = {(int(r), int(c)): int(n) for r, c, n in board.facts.arguments("number")}

    def good(black: set[Cell]) -> bool:
        left = [(r, n) for (r, c), n in numbers.items() if (r, c) not in black]
        return len(left) == len(set(left)) and not any({(r + 1, c), (r, c + 1)} & black for r, c in black)

    every = ({cell for cell, bit in zip(numbers, bits, strict=True) if bit} for bits in product((0, 1), repeat=12))
    assert sum(map(good, every)) == 1


def test_uniform() -> None:
    """Each of the 288 answers to a 4x4 Sudoku comes as often as any other: chi-square at 1 %."""
    (board,) = generate("sudoku", size=4, seed=1)
    program = ClueProgram(board, Settings())
    found = Counter(program.random_answer(Random(seed)) for seed in range(10_000))  # noqa: S311 (no secret)
    assert len(found) == 288
    assert sum((count - 10_000 / 288) ** 2 * 288 / 10_000 for count in found.values()) < 346


def test_one_random_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A random answer is the same whether clingo finds it in one search, or cell by cell where that takes too long."""
    (board,) = generate("sudoku", size=6, layout="new", seed=1)
    program = ClueProgram(board, Settings())
    found = []
    for most in (10, 0):
        monkeypatch.setattr("pyasp_puzzles.asp.decisions.MOST", most)
        found.append([program.random_answer(Random(seed), listed=False) for seed in range(5)])  # noqa: S311 (no secret)
    assert found[0] == found[1]


# -- Fewer clues -------------------------------------------------------------------------


def test_minimize() -> None:
    """A board keeps its answer, and needs each of the clues that are left."""
    (full,) = generate("sudoku", size=6, clues=36, seed=1)
    board = minimize(full)
    assert set(givens(board).items()) < set(givens(full).items())
    one_answer(board)


def test_fewest() -> None:
    """The fewest clues are as few as brute force finds."""
    from itertools import combinations

    (board,) = generate("sudoku", size=4, clues=16, seed=3)
    cells, allowed = rules(board)
    full = givens(board)
    assert len(full) == 16
    fewest = len(givens(minimize(board, fewest=True)))
    assert all(answers(cells, dict(shown), allowed) == 2 for shown in combinations(full.items(), fewest - 1))


def test_minimize_needs_one_answer() -> None:
    """A board with several answers or none, or without clues, is refused."""
    for text in (
        'puzzle = "sudoku"\ngivens = """\n1...\n....\n....\n....\n"""',
        'puzzle = "sudoku"\ngivens = """\n11..\n....\n....\n....\n"""',
        'puzzle = "strips"\ntiles = "w b"',
    ):
        with pytest.raises(InstanceError):
            minimize(loads(text)[0])


# -- The command ------------------------------------------------------------------------


def test_same_bytes(tmp_path: Path) -> None:
    """The same seed makes the same bytes, in one process or two; each board says the command that makes it again."""
    words = ["generate", "strimko", "--size", "4", "-n", "3", "--seed", "9"]
    one, two = pyasp(*words, where=tmp_path), pyasp(*words, "--jobs", "2", where=tmp_path)
    assert one.returncode == two.returncode == 0
    assert one.stdout == two.stdout
    boards = loads(one.stdout)
    assert [check(board).status for board in boards] == ["unique"] * 3
    command = boards[2].details["source"].split()
    (again,) = loads(pyasp(*command[1:], where=tmp_path).stdout)
    assert again.facts.equal(boards[2].facts)
    assert grade(again).word in again.details["notes"]


def test_output(tmp_path: Path) -> None:
    """Boards go to a file, or each to a file of a directory, and load again; variants are said in them."""
    words = ["generate", "sudoku", "--size", "4", "-n", "2", "--seed", "1", "--extra", "diagonal", "--no-grade"]
    assert pyasp(*words, "-o", "a.toml", where=tmp_path).returncode == 0
    assert pyasp(*words, "-o", "all", where=tmp_path).returncode == 0
    boards = load(tmp_path / "a.toml")
    assert len(load(tmp_path / "all")) == 2
    assert [check(board).status for board in boards] == ["unique", "unique"]
    assert all(board.variants == ("diagonal",) for board in boards)


def test_like_in_any_format(tmp_path: Path) -> None:
    """A board to make others like may have any format that other commands read, named with --as."""
    mine(tmp_path, "A A B B\n\n. . . 2\n", "grids.txt")
    done = pyasp("generate", "tectonic", *"--like grids.txt --as tectonic --layout same".split(), where=tmp_path)
    (board,) = loads(done.stdout)
    one_answer(board)
    assert sorted(map(sorted, regions(board, "block"))) == [[(1, 1), (1, 2)], [(1, 3), (1, 4)]]
    assert "--like grids.txt --as tectonic --layout same" in board.details["source"]


def test_grade_out_of_reach(tmp_path: Path) -> None:
    """If a grade cannot be reached, the nearest board comes, it is said, and the exit code is 3."""
    done = pyasp("generate", "sudoku", "--size", "4", "--grade", "very hard", "--timeout", "1", where=tmp_path)
    assert done.returncode == 3
    assert "not very hard, the nearest that was found in time" in done.stderr
    assert check(loads(done.stdout)[0]).status == "unique"


def test_interrupt(tmp_path: Path) -> None:
    """Ctrl-C keeps the boards that were made."""
    process = start("generate", "sudoku", "--size", "4", "-n", "100000", "--no-grade", where=tmp_path)
    assert process.stdout is not None
    text = b""
    while text.count(b"[[board]]") < 3:
        text += process.stdout.read(4096)
    process.send_signal(signal.SIGINT)
    rest, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert b"Traceback" not in errors
    whole = (text + rest).decode().split("\n\n[[board]]\n")
    assert check(loads("\n\n[[board]]\n".join(whole[:3]))[1]).status == "unique"


@pytest.mark.parametrize(
    "words",
    [
        "sudoku --size 0",
        "sudoku --size 1000",
        "sudoku --size 3x4",
        "sudoku --size x",
        "sudoku --size 5",
        "tectonic --size 1000",
        "strimko --size 3x4",
        "strimko --layout same",
        "strata --layout new",
        "strata --colors 99",
        "sudoku --grade nonsense",
        "sudoku --clues 82",
        "sudoku --like tectonic/seed",
        "sudoku --like nowhere.toml",
        "sudoku --as line",
        "strips --symmetric",
        "sudoku --extra nowhere.lp",
        "sudoku --layout odd",
        "nowhere",
    ],
)
def test_bad_input(words: str, tmp_path: Path) -> None:
    """What cannot be is refused in one line."""
    done = pyasp("generate", *words.split(), where=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1


def test_rules_without_an_answer(tmp_path: Path) -> None:
    """Rules that no board can follow are reported, and a time limit holds."""
    never = "violated(never(R, C)) :- value(R, C, 1).\n"
    with pytest.raises(PuzzleError):
        list(generate("sudoku", size=4, settings=extra(tmp_path, never)))
    with pytest.raises(OutOfTime):
        list(generate("sudoku", settings=Settings(timeout=0)))


# -- The document -----------------------------------------------------------------------


def test_saturation() -> None:
    """No 4x4 Sudoku has three clues, and some have four: one program proves it."""
    from pathlib import Path as At

    program = files(At(GENERATING))["three-clues.lp"]
    for clues, satisfiable in (("3", False), ("4", True)):
        control = Control()
        control.add("base", [], program.replace("= 3.", f"= {clues}."))
        control.ground([("base", [])])
        assert control.solve().satisfiable is satisfiable
