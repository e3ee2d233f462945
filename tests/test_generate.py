"""New boards: exactly one answer by a program that shares nothing with ours, and as they were wanted."""

import re
import signal
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations, islice, permutations, product
from pathlib import Path
from random import Random

import pytest
from clingo import Control

from pyasp_puzzles import (
    Instance,
    InstanceError,
    OutOfTime,
    PuzzleError,
    Settings,
    check,
    count,
    dumps,
    generate,
    grade,
    load,
    loads,
    minimize,
    solve,
)
from pyasp_puzzles.asp.deadline import Deadline
from pyasp_puzzles.generation import layouts
from pyasp_puzzles.generation.clue_search import ClueSearch
from pyasp_puzzles.generation.clues import Generated, Wish
from pyasp_puzzles.generation.generate import Generator
from pyasp_puzzles.generation.layouts import WantedLayout
from pyasp_puzzles.model.grades import GRADES, GradeWord
from pyasp_puzzles.puzzles.declaration import find_puzzle

from . import plain, rules
from .command import SECONDS, printed, pyasp, refused, start
from .documents import write_files
from .helpers import CHECKOUT, KNIGHT, KNIGHT_MOVES, SHADED_NUMBERS, encoding, extra, mine, only, sudoku, write
from .rules import Cell, Values, connected
from .strategies import rectangle, times

# -- Boards ----------------------------------------------------------------------------


def regions(board: Instance, predicate: str) -> list[set[Cell]]:
    """Return the cells of each region."""
    return list(rules.members(plain.labels(board, predicate)).values())


def without(clues: Values, *gone: Cell) -> Values:
    """Return the other clues."""
    return {cell: value for cell, value in clues.items() if cell not in gone}


def several(board: Instance, clues: Values, moves: Iterable[Cell] = ()) -> bool:
    """Return whether a board has more than one answer by these clues."""
    return len(list(islice(plain.answers(board, clues, moves), 2))) > 1


def one_answer(board: Instance, *, needed: bool = True, moves: Iterable[Cell] = ()) -> None:
    """Assert that a board has one answer, and that each of its givens is needed."""
    shown = plain.givens(board)
    assert len(list(islice(plain.answers(board, moves=moves), 2))) == 1
    assert all(several(board, without(shown, cell), moves) for cell in shown if needed)


@pytest.mark.parametrize(("number", "size", "needed"), [(3, 4, True), (3, 6, True), (1, 9, False)])
def test_a_sudoku_has_one_answer_and_needs_its_givens(number: int, size: int, needed: bool) -> None:  # noqa: FBT001
    """A Sudoku has one answer, and needs each of its givens."""
    for board in generate("sudoku", number, size=size, seed=size):
        one_answer(board, needed=needed)


@pytest.mark.slow
@pytest.mark.parametrize(("puzzle", "size", "corners"), [("sudoku", 6, False), ("strimko", 5, True)])
def test_new_regions_are_connected_and_new(puzzle: str, size: int, corners: bool) -> None:  # noqa: FBT001
    """The regions of a jigsaw and the streams of a Strimko are connected, of one size, no lines, and new."""
    boards = list(generate(puzzle, 3, size=size, seed=1, layout="new"))
    for board in boards:
        one_answer(board)
        found = regions(board, "stream")
        assert {len(region) for region in found} == {len(found)} == {size}
        assert all(connected(region, corners=corners) for region in found)
        assert all(len({cell[way] for cell in region}) > 1 for region in found for way in (0, 1))
    assert len({str(sorted(map(sorted, regions(board, "stream")))) for board in boards}) == 3


def lattice(boards: Iterable[Instance], predicate: str, rows: int, columns: int) -> float:
    """Return the density of walls on the lines of a lattice of boxes, minus that elsewhere."""
    walls: dict[bool, list[bool]] = {True: [], False: []}
    for board in boards:
        labels = plain.labels(board, predicate)
        for (r, c), label in labels.items():
            for other, line in (((r + 1, c), r % rows == 0), ((r, c + 1), c % columns == 0)):
                if other in labels:
                    walls[line].append(labels[other] != label)
    return sum(walls[True]) / len(walls[True]) - sum(walls[False]) / len(walls[False])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("puzzle", "size", "box", "number"),
    [
        ("tectonic", 7, (2, 2), 2),
        pytest.param("tectonic", 12, (2, 2), 1, marks=pytest.mark.night),
        ("sudoku", 6, (2, 3), 6),
        pytest.param("sudoku", 12, (3, 4), 1, marks=pytest.mark.night),
    ],
)
def test_the_first_layout_does_not_show(puzzle: str, size: int, box: tuple[int, int], number: int) -> None:
    """Nothing shows of the squares or boxes that a new layout begins with, not even on a large board.

    With all squares left, the difference would be 1. Over 40 boards of a size, it is below 0.03.
    """
    wanted = WantedLayout(find_puzzle(puzzle), (size, size), layout="new")
    _, cells = layouts.first(wanted)
    settings = Settings(timeout=100).started()
    rng = Random(size)  # noqa: S311 (no secret)
    boards = [next(layouts.new(wanted, cells, rng, settings, lambda _: None)) for _ in range(number)]
    assert abs(lattice(boards, "block" if puzzle == "tectonic" else "stream", *box)) < 0.1


@pytest.mark.parametrize("size", [5, 7])
@pytest.mark.slow
def test_a_size_without_boxes_gets_new_regions(size: int) -> None:
    """A Sudoku of a size that has no boxes gets new regions."""
    (board,) = generate("sudoku", size=size, seed=1)
    one_answer(board)
    found = regions(board, "stream")
    assert {len(region) for region in found} == {len(found)} == {size}
    assert all(connected(region, corners=False) for region in found)
    with pytest.raises(PuzzleError, match="--like"):
        list(generate("sudoku", size=size, layout="same"))


@pytest.mark.slow
def test_the_largest_block_is_as_wanted() -> None:
    """Blocks have as many cells as are wanted."""
    (board,) = generate("tectonic", size=6, largest=7, seed=1)
    one_answer(board)
    found = regions(board, "block")
    assert 5 < max(map(len, found)) <= 7
    assert all(map(connected, found))


@pytest.mark.slow
def test_tectonic_blocks_are_connected_and_small(tmp_path: Path) -> None:
    """Blocks are connected and have at most five cells; an outline may come from a board."""
    outline = mine(tmp_path, 'puzzle = "tectonic"\nblocks = """\n# A A #\nB B A A\nB B C C\n# C C #\n"""\n', "a.toml")
    for board in [*generate("tectonic", 2, size=(5, 6), seed=3), *generate("tectonic", 2, like=outline, seed=4)]:
        one_answer(board)
        assert all(len(block) <= 5 and connected(block) for block in regions(board, "block"))
    blocks = plain.labels(only(outline), "block")
    assert plain.labels(board, "block").keys() == blocks.keys()
    (same,) = generate("tectonic", like=outline, layout="same", seed=5)
    assert plain.labels(same, "block") == blocks


@pytest.mark.slow
def test_a_strata_has_one_look_and_needs_its_tiles() -> None:
    """A Strata has one finished picture, and several without any of its tiles."""
    (board,) = generate("strata", size=(2, 3), colors=3, seed=2)
    tiles = plain.labels(board, "tile")
    pictures = set()
    for order, paint in product(permutations(rules.lines(2, 3)), product(plain.palette(board), repeat=5)):
        laying = ((*line, color) for line, color in zip(order, paint, strict=True))
        pictures.add(frozenset(rules.picture(2, 3, laying).items()))

    def fitting(shown: Iterable[tuple[Cell, str]]) -> int:
        return sum(picture.issuperset(shown) for picture in pictures)

    assert fitting(tiles.items()) == 1
    assert all(fitting(tiles.items() - {tile}) > 1 for tile in tiles.items())


def rounds(board: Instance) -> int:
    """Return in how many rounds a board is peeled: in each, all lines go whose tiles that are left have one color."""
    tiles = plain.labels(board, "tile")
    left = {(way, cell[way]) for cell in board.cells for way in (0, 1)}
    found = 0
    while left:
        shown = {cell: color for cell, color in tiles.items() if (0, cell[0]) in left and (1, cell[1]) in left}
        off = {(way, i) for way, i in left if len({color for cell, color in shown.items() if cell[way] == i}) < 2}
        assert off
        left -= off
        found += 1
    return found


@pytest.mark.slow
@pytest.mark.parametrize("peels", [3, 5])
def test_peels_are_as_many_as_wanted(peels: int) -> None:
    """A Strata board is peeled in as many rounds as were wanted."""
    (board,) = generate("strata", size=(3, 4), peels=peels, seed=1)
    assert rounds(board) == peels
    assert check(board, distinct="looks").status == "unique"


@pytest.mark.slow
def test_strips_are_cut_in_one_way() -> None:
    """A strips board can be cut in one way."""
    for board in generate("strips", times(1, 2), seed=1):
        assert len(list(rules.strips_answers(plain.labels(board, "tile"), 3, None))) == 1


def test_symmetric_clues_stay_symmetric() -> None:
    """The places of symmetric clues stay the same when the board is turned, and no two opposite ones can go."""
    for board in generate("sudoku", 3, size=6, seed=5, symmetric=True):
        shown = plain.givens(board)
        assert set(shown) == {(7 - r, 7 - c) for r, c in shown}
        one_answer(board, needed=False)
        assert all(several(board, without(shown, (r, c), (7 - r, 7 - c))) for r, c in shown)


@pytest.mark.parametrize("word", ["easy", "hard"])
@pytest.mark.slow
def test_boards_have_the_wanted_grade(word: GradeWord) -> None:
    """The grade that was wanted is that of the board."""
    for board in generate("sudoku", 2, size=6, grade=word, seed=1):
        assert grade(board).word == word
        one_answer(board, needed=False)


@pytest.mark.parametrize(("wanted", "found", "timeout"), [(9, 9, None), (2, 4, 0.5)])
def test_boards_have_the_wanted_number_of_clues(wanted: int, found: int, timeout: float | None) -> None:
    """A board has as many clues as were wanted; if that cannot be, the one with the nearest number comes."""
    (board,) = generate("sudoku", size=4, clues=wanted, seed=1, settings=Settings(timeout=timeout))
    assert len(plain.givens(board)) == found


def test_rules_of_ones_own(tmp_path: Path) -> None:
    """Boards follow added rules, and need each clue under them."""
    for board in generate("sudoku", 2, size=6, seed=1, settings=extra(tmp_path, KNIGHT)):
        one_answer(board, moves=KNIGHT_MOVES)


def test_a_rule_about_givens_is_kept(tmp_path: Path) -> None:
    """Where rules do more with givens than to put their numbers, the givens are as these rules say."""
    small = "violated(small(R, C)) :- given(R, C, V), V > 3.\n"
    (board,) = generate("sudoku", size=4, seed=1, clues=6, settings=extra(tmp_path, small))
    assert max(plain.givens(board).values()) == 3
    one_answer(board, needed=False)


def test_a_weaker_rule_decides_what_is_an_answer(tmp_path: Path) -> None:
    """Where a clue says less than its number, the rules that say so decide what is an answer."""
    usual = "given(R, C, V), not value(R, C, V)."
    text = encoding("strimko").read_text(encoding="utf-8")
    weaker = mine(tmp_path, text.replace(usual, "given(R, C, V), value(R, C, V'), |V - V'| > 1."))
    assert usual in text
    (board,) = generate("sudoku", size=4, seed=1, settings=Settings(weaker))
    assert count(board, settings=Settings(weaker)) == 1


def test_a_puzzle_of_ones_own_is_generated(tmp_path: Path) -> None:
    """A puzzle of one's own is generated from its declaration: givens and signs."""
    write_files(Path("docs/adding-a-puzzle.md"), tmp_path)
    squares = list(rules.strimko_answers({(r, c): str(r) for r, c in rectangle(4, 4)}, {}))
    Sign = tuple[Cell, Cell, str]  # noqa: N806 (a type)

    def number(shown: Values, signs: Iterable[Sign]) -> int:
        return sum(
            shown.items() <= square.items()
            and all((square[one] < square[other]) == (sign in "<^") for one, other, sign in signs)
            for square in squares
        )

    for board in generate("futoshiki", 2, size=4, seed=1, settings=Settings(puzzles=[tmp_path / "futoshiki"])):
        found = (fact.arguments for fact in board.facts if fact.name == "sign")
        signs = {((r.number, c.number), (y.number, x.number), plain.words(sign)) for r, c, y, x, sign in found}
        shown = plain.givens(board)
        assert signs
        assert number(shown, signs) == 1
        assert all(number(without(shown, cell), signs) > 1 for cell in shown)
        assert all(number(shown, signs - {sign}) > 1 for sign in signs)


SHADED_RULES = """#defined relaxed/1.
{ black(R, C) } :- number(R, C, _).
violated(number(R, N)) :- number(R, _, N), { number(R, C, N) : not black(R, C) } > 1.
violated(touch(R, C)) :- black(R, C), black(R + 1, C).
violated(touch(R, C)) :- black(R, C), black(R, C + 1).
:- violated(Rule), not relaxed(Rule).
"""


def test_clues_in_every_cell(tmp_path: Path) -> None:
    """Clues that every cell has are chosen by layout.lp, so that there is one answer; without it, this is said."""
    texts = {"puzzle.toml": f"{SHADED_NUMBERS}clue = true\n", "shaded.lp": SHADED_RULES}
    folder = write(tmp_path / "shaded", texts)
    words = ["generate", "shaded", "--size", "3x4", "--seed", "1", "--puzzles", str(folder)]
    assert "--like FILE" in pyasp(*words, where=tmp_path).stderr
    mine(folder, "with_rules. { number(R, C, 1..3) } = 1 :- cell(R, C).", "layout.lp")
    (board,) = loads(printed(*words, where=tmp_path), puzzles=[folder])
    numbers = plain.labels(board, "number")

    assert shaded(numbers) == 1


def shaded(numbers: Mapping[Cell, str]) -> int:
    """Return how many answers a board has by `SHADED_RULES`."""

    def good(black: set[Cell]) -> bool:
        left = [(r, n) for (r, c), n in numbers.items() if (r, c) not in black]
        return len(left) == len(set(left)) and not any({(r + 1, c), (r, c + 1)} & black for r, c in black)

    return sum(map(good, rules.subsets(numbers)))


@pytest.mark.parametrize("more", ["with_rules. :- black(R, R).", "with_rules. :- black(R, C), number(R, C, 1).", ""])
def test_a_layout_that_is_stricter_than_the_rules(more: str, tmp_path: Path) -> None:
    """Whatever layout.lp demands of the answer, and if it does not see the answer at all, the rules alone leave one."""
    layout = "{ number(R, C, 1..3) } = 1 :- cell(R, C)."
    texts = {"puzzle.toml": SHADED_NUMBERS, "shaded.lp": SHADED_RULES, "layout.lp": f"{layout} {more}\n"}
    folder = write(tmp_path / "shaded", texts)
    for board in generate("shaded", 4, size=(3, 4), seed=1, settings=Settings(puzzles=[folder])):
        (again,) = loads(dumps(board, "toml"), puzzles=[folder])
        assert shaded(plain.labels(again, "number")) == 1


WALLS = """
cell = "cell(R, C)"
[answer]
kind = "shading"
output = "black(R, C)"
[keys.walls]
kind = "signs"
fact = "wall(R, C, Y, X, W)"
tokens = ["x"]
"""
WALL_RULES = """
#defined relaxed/1. #defined wall/5.
{ black(R, C) } :- cell(R, C).
violated(wall(R, C, Y, X)) :- wall(R, C, Y, X, _), { black(R, C); black(Y, X) } != 1.
violated(one(R)) :- cell(R, _), { black(R, C) } != 1.
:- violated(Rule), not relaxed(Rule).
"""
WALL_LAYOUT = """
with_rules.
{ wall(R, C, R, C + 1, "x") } :- cell(R, C), cell(R, C + 1).
{ wall(R, C, R + 1, C, "x") } :- cell(R, C), cell(R + 1, C).
"""


@pytest.mark.parametrize(("rows", "columns"), [(2, 3), (3, 4)])
def test_optional_walls_are_part_of_the_layout(rows: int, columns: int, tmp_path: Path) -> None:
    """Where walls are optional and make the layout, a board has walls, and one answer by them."""
    folder = write(tmp_path / "walls", {"puzzle.toml": WALLS, "walls.lp": WALL_RULES, "layout.lp": WALL_LAYOUT})
    cells = rectangle(rows, columns)
    for board in generate("walls", 3, size=(rows, columns), seed=1, settings=Settings(puzzles=[folder])):
        (again,) = loads(dumps(board, "toml"), puzzles=[folder])
        found = [[part.number for part in fact.arguments[:4]] for fact in again.facts if fact.name == "wall"]
        walls = [{(r, c), (y, x)} for r, c, y, x in found]
        rows_of = [{(r, c) for c in range(1, columns + 1)} for r in range(1, rows + 1)]
        good = (all(len(part & black) == 1 for part in [*walls, *rows_of]) for black in rules.subsets(cells))
        assert walls
        assert sum(good) == 1


@pytest.mark.slow
def test_the_answer_can_be_drawn_first(tmp_path: Path) -> None:
    """Where layout.lp says `answer_first`, a random answer is drawn before the layout, so that boards are others."""
    boards = []
    for name, gone in ("drawn", ""), ("found", "answer_first.\n"):
        texts = {file.name: file.read_text("utf-8") for file in encoding("strimko").parent.iterdir()}
        texts = {file.replace("strimko", name): text.replace("strimko", name) for file, text in texts.items()}
        texts["layout.lp"] = texts["layout.lp"].replace(gone, "")
        folder = write(tmp_path / name, texts)
        boards += [str(board) for board in generate(name, 3, size=(4, 4), seed=3, settings=Settings(puzzles=[folder]))]
    assert not {*boards[:3]} & {*boards[3:]}
    assert boards[:3] == [str(board) for board in generate("strimko", 3, size=(4, 4), seed=3)]


LABELS = """
cell = "cell(R, C)"
[answer]
kind = "shading"
output = "black(R, C)"
[keys.labels]
kind = "outside"
fact = "label(Side, I, N)"
sides = ["left", "top"]
range = "0..cells"
"""
LABEL_RULES = """
#defined relaxed/1. #defined label/3.
{ black(R, C) } :- cell(R, C).
line(left, R, R, C) :- cell(R, C).
line(top, C, R, C) :- cell(R, C).
violated(label(Side, I)) :- label(Side, I, N), { black(R, C) : line(Side, I, R, C) } != N.
:- violated(Rule), not relaxed(Rule).
"""


@pytest.mark.slow
def test_a_large_nonogram_has_one_answer() -> None:
    """A Nonogram of 15x15 is made: its picture is drawn first, and then the runs of each line are found."""
    (board,) = generate("nonogram", size=15, seed=3)
    assert count(board, 2) == 1
    assert sum(fact.name == "run" for fact in board.facts) > 50


@pytest.mark.slow
@pytest.mark.parametrize(("puzzle", "size"), [("hashi", 10), ("fillomino", 5), ("masyu", 10), ("galaxies", 10)])
def test_answers_are_drawn_as_their_file_says(puzzle: str, size: int) -> None:
    """What answer.lp says holds for the answer: islands lie apart, areas are small, a loop is long."""
    (board,) = generate(puzzle, size=size, seed=1)
    assert count(board, 2) == 1
    if puzzle == "hashi":
        islands = {(int(r), int(c)) for r, c, _ in board.facts.arguments("island")}
        assert size * size <= 5 * len(islands) <= size * size * 3 / 2
        assert not any((r + 1, c) in islands or (r, c + 1) in islands for r, c in islands)
    elif puzzle == "masyu":
        answer = solve(board)
        assert answer is not None
        assert len(answer.json()["lines"]) >= size * size / 2  # cells with room for a pearl
    elif puzzle == "galaxies":
        assert 3 * len([*board.facts.arguments("center")]) <= size * size
    else:
        assert max(plain.givens(board).values()) <= 6


@pytest.mark.sampled(0, 1)
@pytest.mark.parametrize(
    ("puzzle", "seed", "number", "least", "most"), [("norinori", 1, None, 3, 7), ("star-battle", 2, 10, 3, 20)]
)
def test_large_boards_of_regions_are_made(puzzle: str, seed: int, number: int | None, least: int, most: int) -> None:
    """Boards of 10x10 have one answer, and connected regions as layout.lp says, whose sizes differ."""
    (board,) = generate(puzzle, size=10, seed=seed)
    assert count(board, 2) == 1
    found = regions(board, "region")
    assert number is None or len(found) == number
    assert all(rules.connected(region) for region in found)
    assert {*map(len, found)} <= {*range(least, most + 1)}
    assert len({*map(len, found)}) > 3


@pytest.mark.parametrize(("puzzle", "seed"), [("shikaku", 1), pytest.param("kakuro", 3, marks=pytest.mark.night)])
def test_large_boards_are_made(puzzle: str, seed: int) -> None:
    """Boards of 10x10 have one answer."""
    (board,) = generate(puzzle, size=10, seed=seed, settings=Settings(timeout=SECONDS))
    assert count(board, 2) == 1


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", ["country-road", "simple-loop"])
def test_answers_that_clues_do_not_determine_are_changed(puzzle: str) -> None:
    """All clues of a random answer of this size nearly always leave another one: a board comes from changes to it."""
    (board,) = generate(puzzle, size=10, seed=1)
    assert count(board, 2) == 1


def test_answers_that_the_rules_forbid_are_not_drawn(tmp_path: Path) -> None:
    """Where answer.lp draws no answer that further rules allow, one is drawn by these."""
    settings = extra(tmp_path, "violated(corner) :- not value(1, 1, 7).")
    (board,) = generate("fillomino", size=4, seed=1, settings=settings)
    assert count(board, 2, settings) == 1


def test_labels_are_chosen(tmp_path: Path) -> None:
    """layout.lp may choose labels outside the board: sides keep their names, which are no names of regions."""
    layout = "with_rules. { label(Side, I, 0..3) } 1 :- line(Side, I, _, _). :- not black(1, 1)."
    texts = {"puzzle.toml": LABELS, "labels.lp": LABEL_RULES, "layout.lp": layout}
    folder = write(tmp_path / "labels", texts)
    (board,) = generate("labels", size=(2, 3), seed=1, settings=Settings(puzzles=[folder]))
    (again,) = loads(dumps(board, "toml"), puzzles=[folder])
    found = [fact.arguments for fact in again.facts if fact.name == "label"]
    labels = [(0 if str(side) == "left" else 1, i.number, n.number) for side, i, n in found]
    blacks = rules.subsets(rectangle(2, 3))
    assert sum(all(sum(cell[way] == i for cell in black) == n for way, i, n in labels) for black in blacks) == 1


@pytest.mark.parametrize(
    "size", [(1, 4), (3, 2), *(pytest.param(one, marks=pytest.mark.slow) for one in ((2, 3), (1, 7)))]
)
def test_refused_sizes_of_strips_are_impossible(size: tuple[int, int]) -> None:
    """Of the sizes of strips that are refused, no board in two colors has one answer."""
    with pytest.raises(PuzzleError, match="no board of"):
        next(generate("strips", size=size))
    cells = rectangle(*size)
    for colors in product("bw", repeat=len(cells)):
        answers = rules.strips_answers(dict(zip(cells, colors, strict=True)), 3, None)
        assert len(list(islice(answers, 2))) != 1


def test_random_answers_are_uniform() -> None:
    """Each of the 288 answers to a 4x4 Sudoku comes as often as any other: chi-square at 1 %."""
    (board,) = generate("sudoku", size=4, seed=1)
    program = ClueSearch(board, Settings())
    found = Counter(program.random_answer(Random(seed)) for seed in range(10_000))  # noqa: S311 (no secret)
    assert len(found) == 288
    assert sum((count - 10_000 / 288) ** 2 * 288 / 10_000 for count in found.values()) < 346


def test_a_random_answer_is_the_same_in_both_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """A random answer is the same whether clingo finds it in one search, or cell by cell where that takes too long."""
    (board,) = generate("sudoku", size=6, layout="new", seed=1)
    program = ClueSearch(board, Settings())
    found = []
    for most in (10, 0):
        monkeypatch.setattr("pyasp_puzzles.asp.search.MOST_DECISIONS", most)
        found.append([program.random_answer(Random(seed), listed=False) for seed in range(5)])  # noqa: S311 (no secret)
    assert found[0] == found[1]


@pytest.mark.slow
def test_what_propagates_is_the_same_after_other_questions() -> None:
    """Whether clues lead to an answer by unit propagation depends on nothing that was asked before."""
    (board,) = generate("futoshiki", size=4, seed=1)
    program, rng = ClueSearch(board, Settings()), Random(1)  # noqa: S311 (no secret)
    answer = program.random_answer(rng)
    assert answer is not None
    clues = [one for clue in program.clues(answer, rng) for one in clue]
    some = [rng.sample(clues, size) for size in range(4, len(clues), 2) for _ in range(4)]
    found = [program.propagates({*one}, answer) for one in some]
    assert {*found} == {True, False}
    assert found == [ClueSearch(board, Settings()).propagates({*one}, answer) for one in some]


# -- Fewer clues -------------------------------------------------------------------------


def test_minimize_keeps_the_answer_and_needs_every_clue() -> None:
    """A board keeps its answer, and needs each of the clues that are left."""
    (full,) = generate("sudoku", size=6, clues=36, seed=1)
    board = minimize(full)
    assert plain.givens(board).items() < plain.givens(full).items()
    one_answer(board)


def test_the_fewest_clues_are_those_of_brute_force() -> None:
    """The fewest clues are as few as brute force finds."""
    (board,) = generate("sudoku", size=4, clues=16, seed=3)
    full = plain.givens(board)
    assert len(full) == 16
    fewest = len(plain.givens(minimize(board, fewest=True)))
    assert all(several(board, dict(shown)) for shown in combinations(full.items(), fewest - 1))


def test_the_fewest_symmetric_clues_count_clues() -> None:
    """With symmetry, clues are counted, not pairs: no symmetric choice of fewer clues leaves one answer."""
    (board,) = generate("sudoku", size=4, clues=16, seed=3)
    full = plain.givens(board)
    found = plain.givens(minimize(board, fewest=True, symmetric=True))
    pairs = [{(r, c), (5 - r, 5 - c)} for r in (1, 2) for c in range(1, 5)]
    fewer = combinations(pairs, len(found) // 2 - 1)
    assert set(found) == {(5 - r, 5 - c) for r, c in found}
    assert all(several(board, {cell: full[cell] for pair in kept for cell in pair}) for kept in fewer)


CLAIMS = [
    ("Sudoku 4x4, medium", "grade medium, seed 3", r"Sudoku 4x4, \w+"),
    ("Hard one", "", r"Sudoku 4x4, \w+"),
    ("Of sixteen (very hard)", "", r"Of sixteen, \w+"),
    ("Of sixteen", "so easy", r"Of sixteen"),
    ("16 clues", "", ""),
    ("Of sixteen", "", "Of sixteen"),
]


@pytest.mark.parametrize(("title", "notes", "remains"), CLAIMS)
def test_what_a_board_says_of_itself(title: str, notes: str, remains: str) -> None:
    """A board with fewer clues keeps its author and its name; its grade is found anew, its source and notes go."""
    (full,) = generate("sudoku", size=4, clues=16, seed=3)
    details = {"title": title, "author": "A. B.", "source": "a book", "notes": notes}
    full = full._replace(details=details)
    board = minimize(full)
    word = grade(board).word
    assert re.fullmatch(remains.replace(r"\w+", word), board.title)
    graded = title.endswith(("medium", "hard)", "one")) or notes == "so easy"
    assert board.details.get("notes", "") == (f"grade {word}" if graded else "")
    assert (board.details["author"], "source" in board.details) == ("A. B.", False)
    other = full.with_clues({(1, 1): 1}).details
    assert other.keys() <= {"title", "author"}
    assert other.get("title", "") in {"", "Sudoku 4x4", "Of sixteen"}
    assert minimize(board).details == board.details  # nothing was left out


@pytest.mark.sampled(2)
@pytest.mark.parametrize("word", GRADES)
def test_every_grade_is_a_claim(word: str, tmp_path: Path) -> None:
    """No word for a grade stays in the title of a board whose clues change, nor in that of a board like it."""
    (full,) = generate("sudoku", size=4, clues=16, seed=3)
    full = full._replace(details={"title": f"Mine, {word}", "notes": word})
    assert full.with_clues({(1, 1): 1}).title == "Mine"
    (like,) = generate("sudoku", like=full, clues=16, seed=4)
    assert (like.title, like.details["notes"]) == ("Sudoku 4x4", "seed 4")
    mine(tmp_path, dumps(full, "toml"), "full.toml")
    (board,) = loads(printed("minimize", "full.toml", where=tmp_path))
    assert board.title == f"Mine, {grade(board).word}"
    assert board.details["source"] == "pyasp minimize full.toml"


def test_minimize_says_if_no_clue_can_go(tmp_path: Path) -> None:
    """If no clue can go, or no two opposite ones, this is said."""
    done = pyasp("minimize", "sudoku/six", "--symmetric", where=tmp_path)
    assert (done.returncode, "half a turn" in done.stderr) == (0, True)
    mine(tmp_path, printed("minimize", "sudoku/six", where=tmp_path), "less.toml")
    done = pyasp("minimize", "less.toml", where=tmp_path)
    assert (done.returncode, done.stderr) == (0, "pyasp: less.toml: every clue is needed\n")
    assert done.stdout.partition("\n")[2] == (tmp_path / "less.toml").read_text(encoding="utf-8").partition("\n")[2]


def test_added_clues_get_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clues to add to a board with several answers are looked for in a second, unless there is a time limit."""
    seconds: list[float] = []

    def deadline(left: float) -> Deadline:
        seconds.append(left)
        return Deadline(left)

    monkeypatch.setattr("pyasp_puzzles.queries.check.Deadline", deadline)
    board = sudoku("1...", *["...."] * 3)
    assert check(board).add
    assert check(board, settings=Settings(timeout=5)).add
    assert check(sudoku("11..", *["...."] * 3)).repairs
    assert [round(left) for left in seconds] == [1, 5, 10]


@pytest.mark.parametrize("board", [sudoku("1...", *["...."] * 3), sudoku("11..", *["...."] * 3), only("strips/final")])
def test_minimize_needs_one_answer(board: Instance) -> None:
    """A board with several answers or none, or without clues, is refused."""
    with pytest.raises(InstanceError):
        minimize(board)


# -- The command ------------------------------------------------------------------------


@pytest.mark.slow
def test_the_same_seed_makes_the_same_bytes(tmp_path: Path) -> None:
    """The same seed makes the same bytes, in one process or two; each board says the command that makes it again."""
    words = ["generate", "strimko", "--size", "4", "-n", "3", "--seed", "9"]
    one, two = printed(*words, where=tmp_path), printed(*words, "--jobs", "2", where=tmp_path)
    assert one == two
    boards = loads(one)
    assert [check(board).status for board in boards] == ["unique"] * 3
    command = boards[2].details["source"].split()
    (again,) = loads(printed(*command[1:], where=tmp_path))
    assert again.facts.equal(boards[2].facts)
    assert grade(again).word in again.details["notes"]


def test_generated_files_load_again(tmp_path: Path) -> None:
    """Boards go to a file, or each to a file of a directory, and load again; variants are said in them."""
    words = ["generate", "sudoku", "--size", "4", "-n", "2", "--seed", "1", "--extra", "diagonal", "--no-grade"]
    for name in ("a.toml", "all"):
        printed(*words, "-o", name, where=tmp_path)
        boards = load(tmp_path / name)
        assert [check(board).status for board in boards] == ["unique", "unique"]
        assert all(board.variants == ("diagonal",) for board in boards)


def test_like_in_any_format(tmp_path: Path) -> None:
    """A board to make others like may have any format that other commands read, named with --as."""
    mine(tmp_path, "A A B B\n\n. . . 2\n", "grids.txt")
    words = "--like grids.txt --as tectonic --layout same"
    (board,) = loads(printed("generate", "tectonic", *words.split(), where=tmp_path))
    one_answer(board)
    assert sorted(map(sorted, regions(board, "block"))) == [[(1, 1), (1, 2)], [(1, 3), (1, 4)]]
    assert words in board.details["source"]


@pytest.mark.slow
@pytest.mark.parametrize(("words", "wanted"), [("sudoku --size 4", "very hard"), ("galaxies --size 4", "extreme")])
def test_grade_out_of_reach(words: str, wanted: str, tmp_path: Path) -> None:
    """If all boards that are tried have another grade, the nearest comes, it is said, and the exit code is 1."""
    done = pyasp("generate", *words.split(), "--grade", wanted, "--seed", "1", where=tmp_path)
    assert done.returncode == 1
    assert re.search(f"(easy|medium), not {wanted}, the nearest of [0-9]+ boards$", done.stderr.strip())
    assert check(loads(done.stdout)[0]).status == "unique"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("--fewest --grade hard --seed 1", "perhaps not the fewest"),
        ("--fewest --clues 20 --seed 1", "clues, not 20; "),
    ],
)
def test_out_of_time_says_what_is_lacking(words: str, says: str, tmp_path: Path) -> None:
    """A board that may not have the fewest clues when time ends is printed, and what it lacks is said, with code 3."""
    done = pyasp("generate", "sudoku", *words.split(), "--timeout", "5", where=tmp_path)
    assert done.returncode == 3
    assert says in done.stderr
    assert "at least 0" not in done.stderr
    assert check(loads(done.stdout)[0], settings=Settings(timeout=20)).status == "unique"


def test_no_time_to_grade(monkeypatch: pytest.MonkeyPatch) -> None:
    """Making and grading share a time limit; if it ends during grading, the board comes without a grade."""
    left: list[float] = []

    def grade_word(_: Instance, settings: Settings) -> str:
        left.append(settings.deadline().left())
        raise OutOfTime

    monkeypatch.setattr("pyasp_puzzles.explanation.grade.grade_word", grade_word)
    for timeout in (None, 50):
        made = Generator(
            WantedLayout(find_puzzle("sudoku"), (4, 4)), Wish(), Settings(timeout=timeout), graded=True
        ).make(1)
        assert (made.met, made.late, made.grade) == (True, True, "")
        assert check(made.instance).status == "unique"
    assert 0 < left[1] < 50 < left[0] < 60


def test_a_grade_that_comes_late_is_what_a_board_lacks() -> None:
    """What a board lacks is said with the grade that is known last, and its reason stays with what it explains."""
    made = Generated(sudoku("1...", "....", "....", "...."), wanted="hard", missed="3 givens, not 0: no room", boards=3)
    assert made.lacks == "3 givens, not 0: no room; not known to be hard, the nearest of 3 boards"
    assert made._replace(grade="easy").lacks == "3 givens, not 0: no room; easy, not hard, the nearest of 3 boards"
    assert made._replace(grade="hard", missed="", boards=1).met


@pytest.mark.parametrize("name", ["a.toml", "all"])
def test_no_board_no_file(name: str, tmp_path: Path) -> None:
    """Where no board is made, no file and no directory is left, and a file that was there keeps its text."""
    words = ["generate", "sudoku", "--timeout", "0", "-o", name]
    assert pyasp(*words, where=tmp_path).returncode == 3
    assert not [*tmp_path.iterdir()]
    mine(tmp_path, "mine", "a.toml")
    assert pyasp(*words, "--force", where=tmp_path).returncode == 3
    assert (tmp_path / "a.toml").read_text(encoding="utf-8") == "mine"
    for wrong in ("a.toml/b.toml", "nowhere/b.toml", "a.toml/all"):
        refused(pyasp("generate", "sudoku", "-o", wrong, where=tmp_path), "cannot be written")


def test_boards_say_which_rules_were_added(tmp_path: Path) -> None:
    """A board that has one answer by added rules alone says so."""
    (board,) = generate("sudoku", size=4, seed=1, settings=extra(tmp_path, KNIGHT))
    assert board.details["notes"] == "seed 1, for the rules of mine.lp"


def test_an_interrupt_keeps_the_boards_made(tmp_path: Path) -> None:
    """Ctrl-C keeps the boards that were made."""
    process = start("generate", "sudoku", "--size", "4", "-n", "100000", "--no-grade", where=tmp_path)
    text = b""
    while text.count(b"[[board]]") < 3:
        text += process.stdout.read(4096)
    process.send_signal(signal.SIGINT)
    rest, errors = process.communicate(timeout=180)
    assert process.returncode == 130, errors
    assert b"Traceback" not in errors
    whole = (text + rest).decode().split("\n\n[[board]]\n")
    assert check(loads("\n\n[[board]]\n".join(whole[:3]))[1]).status == "unique"


REFUSED = """
sudoku --size 0; sudoku --size 1000; sudoku --size 3x4; sudoku --size x; sudoku --size 5 --layout same
tectonic --size 1000; strimko --size 3x4; strimko --layout same; sudoku --layout odd; strata --layout new
strata --colors 99; strata --size 3x4 --peels 7; sudoku --size 4 --peels 3; strips --symmetric
sudoku --colors 3; sudoku --longest 3; strata --longest 3; tectonic --colors 2; strata --like strata/seed --colors 3
strips --size 4; strips --size 6; strips --size 3x5; strips --size 3 --colors 3; sudoku --grade hard --no-grade
sudoku --grade nonsense; sudoku --clues 82; sudoku --as line; nowhere
sudoku --size 16 --layout new; sudoku --size 17; sudoku --largest 7; tectonic --largest 10
tectonic --like tectonic/seed --layout same --largest 7; tectonic --size 21; tectonic --size 4 --largest 1
sudoku --like tectonic/seed; sudoku --like nowhere.toml; sudoku --extra nowhere.lp
"""


@pytest.mark.sampled(9)
@pytest.mark.parametrize("words", [words.strip() for line in REFUSED.strip().split("\n") for words in line.split(";")])
def test_impossible_wishes_are_refused_in_one_line(words: str, tmp_path: Path) -> None:
    """What cannot be is refused in one line."""
    refused(pyasp("generate", *words.split(), where=tmp_path))


def test_rules_without_an_answer(tmp_path: Path) -> None:
    """Rules that no board can follow are reported, and a time limit holds."""
    never = "violated(never(R, C)) :- value(R, C, 1).\n"
    with pytest.raises(PuzzleError, match=r"^no 4x4 board"):  # there is no file to name
        list(generate("sudoku", size=4, settings=extra(tmp_path, never)))
    with pytest.raises(OutOfTime):
        list(generate("sudoku", settings=Settings(timeout=0)))


def test_no_small_sudoku_has_three_clues() -> None:
    """No 4x4 Sudoku has three clues, and some have four: one program proves it."""
    program = (CHECKOUT / "docs/three-clues.lp").read_text(encoding="utf-8")
    for clues, satisfiable in (("3", False), ("4", True)):
        control = Control()
        control.add("base", [], program.replace("= 3.", f"= {clues}."))
        control.ground([("base", [])])
        assert control.solve().satisfiable is satisfiable


def test_rules_that_let_a_cell_hold_two_numbers_make_no_board(tmp_path: Path) -> None:
    """A board prints one number in a cell: `generate` says so, where the rules let an answer have two."""
    text = encoding("strimko").read_text(encoding="utf-8")
    mine(tmp_path, "\n".join(line for line in text.splitlines() if not line.startswith("violated(cell(")))
    done = pyasp("generate", "sudoku", "--size", "4", "--seed", "1", "--encoding", "mine.lp", where=tmp_path)
    refused(done, "by these rules, an answer has both given(")
