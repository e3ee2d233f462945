"""What holds for each genre that ships: its answers are those of a checker in plain Python, and of plain clingo.

A genre is tested by being there: a folder in `encodings/`, boards in `instances/`, a module in `tests/genres/`.
"""

import re
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from random import Random
from typing import Any

import pytest
from clingo import Control, Symbol
from clingo.ast import ASTType

import pyasp_puzzles
from pyasp_puzzles import (
    Instance,
    Settings,
    Solutions,
    count,
    dumps,
    explain,
    generate,
    load,
    loads,
    review,
    solutions,
    solve,
)
from pyasp_puzzles.asp.rules import Rules
from pyasp_puzzles.asp.syntax import statements
from pyasp_puzzles.errors import Where
from pyasp_puzzles.generation.clues import clues_of_board, with_clues
from pyasp_puzzles.puzzles.numbers import Numbers
from pyasp_puzzles.puzzles.pieces import AreasKind, PiecesKind
from pyasp_puzzles.render.text import TextStyle

from . import genres
from .forced import Demanded, Forced, State, concluded
from .genres import Board, Told, told
from .helpers import BOARDS, GENRES, INSTANCES, facts, one, overlong
from .step_checker import as_json
from .strategies import TIMES

# Answers of a board that are compared; boards with more are compared in part only if rules are left out.
MOST = 300
# The largest number of random boards of a genre whose answers, or whose edited rules, are compared.
MANY, EDITED = 25, 8
# No board of these with 5x5 cells has one answer, or it takes long to find one.
LARGER = {"binairo", "detour", "double-back", "four-cells", "maxi-loop", "stostone"}


def module(name: str) -> Any:
    """Return the module of a genre."""
    return import_module(f"{genres.__name__}.{name.replace('-', '_')}")


def shipped(name: str) -> Iterator[tuple[Board, Instance]]:
    """Yield the boards of a genre that ship, as TOML has them and as they are read."""
    for board in BOARDS:
        if board.startswith(f"{name}/"):
            table = tomllib.loads((INSTANCES / f"{board}.toml").read_text(encoding="utf-8"))
            tables = [table | inner for inner in table.get("board", [{}])]
            yield from zip(tables, load(board), strict=True)


def drawn(name: str, number: int) -> Iterator[tuple[Board, Instance]]:
    """Yield small random boards of a genre."""
    texts = (module(name).draw(Random(f"{name} {i}")) for i in range(number * TIMES))  # noqa: S311
    return ((tomllib.loads(text), one(text)) for text in texts)


def some_holds(found: Iterator[bool], few: int) -> bool:
    """Return whether something holds for one of these boards: at least for one of a few, of all boards at night."""
    checked = [*islice(found, few if TIMES == 1 else None)]
    return any(checked) or any(found)


def by_clingo(instance: Instance, rules: str, most: int = 0) -> list[Told]:
    """Return what plain clingo's answer sets say, if it warns of nothing."""
    messages: list[str] = []
    control = Control([str(most), "--project=show"], logger=lambda _, message: messages.append(message))
    view = instance.puzzle.view()
    control.add("base", [], rules + view.shows + facts(instance))
    control.ground([("base", [])])
    decode = view.decoder(instance)
    with control.solve(yield_=True) as models:
        found = [told(decode(model.symbols(shown=True))) for model in models]
    assert messages == []
    return found


def answers(instance: Instance, settings: Settings | None = None, most: int | None = None) -> list[Told]:
    """Return what our answers say."""
    return [told(answer) for answer in islice(solutions(instance, settings=settings or Settings()), most)]


def check(name: str, board: Board, instance: Instance) -> int:
    """Compare the answers of a board with those of brute force and of plain clingo; return their number."""
    expected = {answer for answer in module(name).tries(board) if module(name).keeps(board, answer)}
    found, theirs = answers(instance), by_clingo(instance, instance.puzzle.rules_text)
    assert {*found} == {*theirs} == expected, facts(instance)
    assert len(found) == len(theirs) == len(expected)
    return len(expected)


@pytest.mark.sampled(3, 40)
@pytest.mark.parametrize("name", GENRES)
def test_random_boards_have_the_answers_of_brute_force(name: str) -> None:
    """Of small random boards, our answers and plain clingo's are those that a checker accepts of all there may be.

    Some of the boards have answers.
    """
    assert some_holds((check(name, board, instance) > 0 for board, instance in drawn(name, MANY)), 4)


@pytest.mark.sampled(2, 80)
@pytest.mark.parametrize("name", GENRES)
@pytest.mark.parametrize("larger", [False, pytest.param(True, marks=pytest.mark.night)])
def test_new_boards_need_all_of_their_clues(name: str, larger: bool) -> None:  # noqa: FBT001 (pytest gives it)
    """Of a new board, plain clingo finds one answer, and not the same alone without any one of its clues."""
    size = 6 if name in LARGER or (larger and name != "five-cells") else 5
    for board in generate(name, TIMES, size=size, seed=1):
        clues, rules = clues_of_board(board), board.puzzle.rules_text
        answer = by_clingo(board, rules, 2)
        assert len(answer) == 1
        for clue in clues:
            assert by_clingo(with_clues(board, [one for one in clues if one != clue]), rules, 2) != answer, clue


@pytest.mark.sampled(7)
@pytest.mark.parametrize("name", GENRES)
def test_shipped_boards_have_their_answer(name: str) -> None:
    """A board that ships says what it is; its solution is its only answer, we, a checker and plain clingo accept it."""
    boards = [*shipped(name)]
    assert boards
    for board, instance in boards:
        assert {key for key in ("title", "notes") if not instance.details.get(key)} == set()
        assert instance.solution is not None
        solution = told(instance.solution)
        assert module(name).keeps(board, solution)
        assert review(instance, instance.solution).status == "solved"
        assert answers(instance, most=2) == by_clingo(instance, instance.puzzle.rules_text, 2) == [solution]
        (back,) = loads(dumps(instance, "toml"))
        assert ({*map(str, back.facts)}, back.solution) == ({*map(str, instance.facts)}, instance.solution)
        for picture in (instance._repr_svg_(), instance.solution._repr_svg_()):
            assert ET.fromstring(picture).get("role") == "img"  # noqa: S314 (what we have drawn)


def without(text: str, name: str) -> str:
    """Return rules without those of a name."""
    program = statements([Rules(text)])
    assert program is not None
    kept = [str(one) for one in program if f"violated({name}" not in str(getattr(one, "head", ""))]
    return "\n".join([*kept, "#defined violated/1."])


def rule_names(text: str) -> list[str]:
    """Return the names of the rules of a program."""
    program = statements([Rules(text)]) or []
    heads = [str(one.head) for one in program if one.ast_type == ASTType.Rule]
    return sorted({head.removeprefix("violated(").split("(")[0].rstrip(")") for head in heads if "violated(" in head})


def has_other_answers(instance: Instance) -> bool:
    """Return whether a board has others without one of its rules, which plain clingo finds, too."""
    changed, text = False, instance.puzzle.rules_text
    every = by_clingo(instance, text, MOST)
    # Answers do not tell a cell with several numbers, nor an area in several parts.
    untold = {"cell", "connected"} if isinstance(instance.puzzle.kind, AreasKind) else {"cell"}
    for rule in [name for name in rule_names(text) if name not in untold]:
        edited = without(text, rule)
        found = answers(instance, Settings(encoding=Rules(edited)), MOST)
        theirs = by_clingo(instance, edited, MOST)
        assert len(found) == len(theirs), rule
        assert {*found} == {*theirs} or len(found) == MOST, rule
        changed |= {*theirs} != {*every}
    return changed


@pytest.mark.sampled(4, 40)
@pytest.mark.parametrize("name", GENRES)
def test_edited_rules_are_obeyed(name: str) -> None:
    """Without any of its rules, a board has the answers that plain clingo finds; without some, there are others."""
    assert some_holds((has_other_answers(instance) for _, instance in drawn(name, EDITED)), 1)


def certain(instance: Instance) -> set[Symbol]:
    """Return the atoms of an answer that are facts: a number is in its own rectangle, a mat covers its cells."""
    kind = instance.puzzle.kind
    covers = [(kind.covers, kind.arity + 2)] if isinstance(kind, PiecesKind) else []
    control = Control()
    control.add("base", [], instance.puzzle.rules_text + facts(instance))
    control.ground([("base", [])])
    outputs = [
        atom
        for one in (*instance.puzzle.view().signatures(), *covers)
        for atom in control.symbolic_atoms.by_signature(*one)
    ]
    return {atom.symbol for atom in outputs if atom.is_fact}


@pytest.mark.sampled(0, 80)
@pytest.mark.parametrize("name", GENRES)
@pytest.mark.parametrize("others", [False, pytest.param(True, marks=pytest.mark.night)])
def test_boards_are_explained_to_the_end(name: str, others: bool) -> None:  # noqa: FBT001 (pytest gives it)
    """The smallest board that ships is explained to its answer, in short sentences that need their rules and cells."""
    smallest, *rest = sorted((board for _, board in shipped(name)), key=lambda board: len(board.cells))
    for instance in rest if others else [smallest]:
        check_explanation(instance)


def check_explanation(instance: Instance) -> None:
    """Check that a board is explained to its answer, in short sentences, each step forced by its rules and cells."""
    *steps, end = explain(instance)
    assert end.status == "unique"
    assert overlong(steps) == []
    assert [step for step in steps if re.search(r"r\d+c\d", step.words)] == []
    if isinstance(instance.solution, Numbers):
        assert Forced(instance).violations(as_json([*steps, end])) == []
        return
    assert [*Demanded(instance).violations([*steps, end])] == []
    state = State()
    for step in steps:
        state |= concluded(step)
    placed = {atom for atom, holds in state.items() if holds} | certain(instance)
    decode = instance.puzzle.view().decoder(instance)
    assert instance.solution is not None
    assert told(decode([*placed])) == told(instance.solution)


@pytest.mark.slow
def test_a_group_of_fillomino_is_counted_from_its_first_cell_only() -> None:
    """Consequences leave less than 60 % of the ground rules, unless rules are added that relax some."""
    [board] = load("fillomino/six")
    relaxed = Settings(extra=Rules("relaxed(none)."))
    found = [solutions(board, settings=settings) for settings in (Settings(), relaxed)]
    assert [len([*answers]) for answers in found] == [1, 1]
    few, all_rules = (answers.search.statistics()["rules"] for answers in found)
    assert few < 0.6 * all_rules


def test_numbers_in_no_combination_of_a_run_are_no_candidates() -> None:
    """Two cells of a Kakuro that add up to 16 hold 7 and 9; with rules that relax some, any number is a candidate."""
    text = 'puzzle = "kakuro"\nsums = """\nx 7s 9s\n16e . .\n"""\n'
    found = []
    for settings in (Settings(), Settings(extra=Rules("relaxed(none)."))):
        search = solutions(one(text), settings=settings).search
        found.append({str(atom) for atom in search.atoms("candidate", 3)})
    assert found[0] == {"candidate(2,2,7)", "candidate(2,3,9)"} < found[1]


@pytest.mark.slow
def test_words_remain_where_all_rules_are_one_text() -> None:
    """Rules that are edited in one text keep their words, if they read as they did together with their bases."""
    (instance,) = load("hitori/five")
    text = instance.puzzle.rules_text
    words = [
        [step.words for step in explain(instance, settings=Settings(encoding=Rules(one)))]
        for one in (text, f"{text}edited.\n")
    ]
    assert words[0] == words[1] == [step.words for step in explain(instance)]


def test_the_cells_that_break_a_rule_are_named() -> None:
    """Where a number is unshaded twice in a line, the broken rule has its cells."""
    board = one('puzzle = "hitori"\nnumbers = """\n1 2 1\n2 3 1\n3 1 2\n"""\n')
    found = review(board, board.puzzle.kind.read(board, "o x o\no o o\no o o", Where("answer")))
    assert [(broken.rule, broken.cells) for broken in found.broken][:2] == [
        ("twice(col(3),1)", ((1, 3), (2, 3))),
        ("twice(row(1),1)", ((1, 1), (1, 3))),
    ]


def test_numbers_that_a_line_must_not_join_are_named() -> None:
    """Where a line joins different numbers, the broken rule has their cells, and what to take back is said plainly."""
    board = one('puzzle = "numberlink"\nnumbers = """\n1 . 2\n. . .\n1 . 2\n"""\n')
    found = review(board, board.puzzle.kind.read(board, "r1c1-r1c2 r1c2-r1c3", Where("answer")))
    assert [(broken.rule, broken.cells) for broken in found.broken] == [("same(1,1,1,2)", ((1, 1), (1, 3)))]
    assert found.remedy == "Without the line from row 1, column 1 to row 1, column 2, no rule is broken."


def crossed(side: int, settings: Settings) -> Solutions:
    """Return the search for an answer of a Numberlink whose two lines would have to cross, after it has ended."""
    rows = [["."] * side for _ in range(side)]
    rows[0][0] = rows[-1][-1] = "1"
    rows[0][-1] = rows[-1][0] = "2"
    found = solutions(one(f'puzzle = "numberlink"\nnumbers = """\n{numbers(rows)}"""\n'), 1, settings)
    assert ([*found], found.complete) == ([], True)
    return found


def numbers(rows: list[list[str]]) -> str:
    """Return the text of a grid."""
    return "".join(" ".join(row) + "\n" for row in rows)


def test_an_answer_of_a_numberlink_is_searched_for_among_normal_answers() -> None:
    """That two lines would cross is clear after few conflicts, unless rules are added."""
    edited = Settings(extra=Rules("relaxed(none)."))
    assert crossed(12, Settings()).search.statistics()["conflicts"] < 10_000
    normal, usual = (crossed(6, settings).search.statistics()["conflicts"] for settings in (Settings(), edited))
    assert 5 * normal < usual


def draw_numberlinks(number: int) -> Iterator[tuple[Instance, set[Told]]]:
    """Yield Numberlinks of up to 5x5 cells with two to four pairs, and all of their answers."""
    random = Random("numberlink")  # noqa: S311
    for _ in range(number):
        height, width = random.randint(3, 5), random.randint(3, 5)
        cells = [(r, c) for r in range(height) for c in range(width)]
        rows = [["."] * width for _ in range(height)]
        for i, (r, c) in enumerate(random.sample(cells, 2 * random.randint(2, min(4, height * width // 4)))):
            rows[r][c] = str(i // 2 + 1)
        full = random.choice((0, 0, 0, 1))
        board = one(f'puzzle = "numberlink"\nfull = {full}\nnumbers = """\n{numbers(rows)}"""\n')
        yield board, {*by_clingo(board, board.puzzle.rules_text)}


@pytest.mark.slow
def test_one_or_two_answers_of_a_numberlink_are_all_that_are_needed() -> None:
    """Whether there is none, one or several, is found as by the rules alone, with answers that these have, too."""
    kinds = []
    for board, every in draw_numberlinks(60):
        found = solutions(board, 2)
        some = [told(answer) for answer in found]
        assert {*some} <= every
        assert len({*some}) == len(some) == min(2, len(every)), facts(board)
        assert found.complete == (len(every) < 2)
        assert [count(board, 2).number, count(board).number] == [min(2, len(every)), len(every)]
        assert (solve(board) is None) == (not every)
        kinds.append(("none", "unique", "several")[len(some)])
        if len(kinds) <= 10:
            verdict, usual = (
                pyasp_puzzles.check(board),
                pyasp_puzzles.check(board, Settings(extra=Rules("relaxed(none)."))),
            )
            assert (verdict.status, verdict.decided) == (usual.status, usual.decided) == (kinds[-1], verdict.decided)
    assert {*kinds} == {"none", "unique", "several"}


def ring(r: int, c: int) -> str:
    """Return the loop around the corner that four cells share; the first is in this row and column."""
    corners = [(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)]
    return " ".join(
        f"r{corners[i][0]}c{corners[i][1]}-r{corners[j][0]}c{corners[j][1]}"
        for i, j in ((0, 1), (0, 2), (1, 3), (2, 3))
    )


def test_a_finished_answer_with_two_loops_breaks_a_rule() -> None:
    """Two loops that leave nothing to add are too many; with one of them, the rest may still be wrong or open."""
    board = one('puzzle = "simple-loop"\nsize = [4, 4]\n')

    def status(*loops: tuple[int, int]) -> tuple[str, list[str]]:
        found = review(board, board.puzzle.kind.read(board, " ".join(ring(*loop) for loop in loops), Where("answer")))
        return found.status, [broken.rule for broken in found.broken]

    assert status((1, 1), (1, 3), (3, 1), (3, 3)) == ("broken", ["loop"])
    assert status((1, 1)) == ("stuck", [])


@pytest.mark.parametrize("name", ["kakuro/five", "futoshiki/five", "skyscrapers/five", "fillomino/five"])
def test_a_printed_answer_in_numbers_is_read(name: str) -> None:
    """The picture of a board that `solve` prints, with walls, signs and numbers outside, is read as its answer."""
    (board,) = load(name)
    answer = solve(board)
    assert answer is not None
    assert board.puzzle.kind.read(board, f"{board.title}\n{answer.text(TextStyle())}\n", Where("answer")) == answer


def test_answers_show_walls() -> None:
    """The text of an answer shows walls, with their numbers, and is read back; blanks are those of free cells."""
    board_ = one('puzzle = "shakashaka"\nwalls = """\n. . 1 .\n. . x .\n"""\n')
    [answer] = pyasp_puzzles.solutions(board_, 2)
    assert str(answer).split("\n")[1::2] == ["│ ◤ │ ◥ │ 1 │ - │", "│ ◣ │ ◢ │ █ │ - │"]
    for words in (str(answer), "1 2 . 0\n4 3 . 0", "1 2 . .\n4 3 . ."):
        assert board_.puzzle.kind.read(board_, words, Where("answer.txt"), whole=True) == answer
