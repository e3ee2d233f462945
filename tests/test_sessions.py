"""Boards of one layout share a grounding, and nobody sees a difference, but in the time that it takes.

Their answers must be those that a board has by itself, by brute force or in plain clingo, whatever rules do with clues.
"""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

import pytest
from clingo import Control
from hypothesis import given
from hypothesis import strategies as st

from pyasp_puzzles import (
    Answer,
    Instance,
    Rules,
    Settings,
    check,
    count,
    decided,
    load,
    loads,
    possible,
    solutions,
    solve,
)
from pyasp_puzzles.puzzles import questions

from . import lists, plain, strategies
from .command import PACKAGE, SECONDS, printed, process
from .helpers import encoding, extra, facts, grounded, mine, not_none, one, only, sudoku
from .plain import holds
from .strategies import examples
from .variant_boards import FOLDERS, KEYS, VARIANTS


@pytest.fixture(autouse=True)
def no_session() -> Iterator[None]:
    """Begin and end without a session."""
    questions.groundings.cache_clear()
    yield
    questions.groundings.cache_clear()


BLANK = [". . . ."] * 3
# Of these, those with two different numbers have 24 answers, the others none.
BOARDS = [sudoku(f"{a} {b} . .", *BLANK) for a in range(1, 5) for b in range(1, 5)]
SEVERAL = BOARDS[1:5]


def groundings(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """Return a list that grows whenever a program is grounded."""
    grounded: list[None] = []
    ground = Control.ground

    def counted(self: Control, *rest: Any) -> None:
        grounded.append(None)
        ground(self, *rest)

    monkeypatch.setattr(Control, "ground", counted)
    return grounded


def answers(instance: Instance, how: Settings | None = None, limit: int = 0) -> tuple[frozenset[Answer], bool, str]:
    """Return all answers of a board, whether they are complete, and the status."""
    found = solutions(instance, limit, how or Settings())
    return frozenset(found), found.complete, found.status


def test_boards_of_a_layout_share_a_grounding(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a few boards of a shape, no other of it is grounded."""
    grounded = groundings(monkeypatch)
    numbers = [(answers(board), len(grounded))[1] for board in BOARDS]
    assert numbers[0] == 1
    assert numbers[-1] == numbers[3] == 3


def test_sessions_give_the_same_answers() -> None:
    """A board of a session has the answers that it has alone, whatever came before."""
    alone = [answers(board, Settings(seed=1)) for board in BOARDS]  # with a seed, each board is searched for itself
    assert [answers(board) for board in BOARDS] == alone
    assert [len(found) for found, _, _ in alone] == [24 if a != b else 0 for a in range(4) for b in range(4)]


@pytest.mark.parametrize("limit", [1, 2, 3, 24, 25])
def test_sessions_give_as_many_answers_as_asked_for(limit: int) -> None:
    """As many answers come as are asked for, and it is known whether there are more."""
    for board in BOARDS[:6]:
        found, complete, status = answers(board, limit=limit)
        many = 24 if board is not BOARDS[0] and board is not BOARDS[5] else 0
        assert len(found) == min(limit, many)
        assert complete == (limit > many)
        assert status == ("satisfiable" if many else "unsatisfiable")


@given(strategies.strimko_boards() | strategies.tectonic_boards())
@examples(12)
def test_sessions_give_the_same_answers_the_third_time(drawn: strategies.NumberBoard) -> None:
    """The third time that a board comes, its answers are those of the first time."""
    board = one(drawn.text)
    first = answers(board)
    assert [answers(board) for _ in range(3)] == [first] * 3


def test_boards_are_answered_while_others_are_at_work() -> None:
    """While answers of a board are still coming, or are not asked for any more, others of its shape are answered."""
    streams = [solutions(board) for board in SEVERAL]
    firsts = [next(stream) for stream in streams]
    rest = [frozenset([first, *stream]) for first, stream in zip(firsts, streams, strict=True)]
    assert [len(found) for found in rest] == [24] * 4
    assert rest == [answers(board)[0] for board in SEVERAL]
    for board in SEVERAL:
        next(solutions(board))
    assert all(len(answers(board)[0]) == 24 for board in SEVERAL)


def test_each_layout_has_its_own_session(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards of several shapes in turn each have their own session."""
    other = sudoku("1 . . . . .", *[". . . . . ."] * 5)
    boards = (BOARDS[1], other, only("tectonic/seed"))
    expected = [answers(board, Settings(seed=1), 3)[1:] for board in boards]
    grounded = groundings(monkeypatch)
    for _ in range(5):
        assert [answers(board, limit=3)[1:] for board in boards] == expected
    assert len(grounded) == 3 * 3


# -- Rules that do something with clues ------------------------------------------------------------


# What added rules do with clues, and whether boards can share a grounding then.
ADDED = {
    "absent": ("violated(few) :- not given(1, 1, 1).", True),
    "counted": ("violated(two) :- { given(R, C, V) } > 1, value(4, 4, 1).", True),
    "added up": ("violated(sum) :- S = #sum { V, R, C : given(R, C, V) }, value(4, 4, V), V >= S.", True),
    "largest": ("top(N) :- N = #max { V : given(_, _, V) }. violated(top) :- top(N), value(4, 4, V), V > N.", True),
    "in pairs": ("violated(two) :- given(R, C, V), given(R, C', V'), C < C', value(4, 4, V' - V).", True),
    "as a domain": ("{ mark(1..V) } :- given(1, 2, V). violated(mark) :- mark(3), value(4, 4, 1).", True),
    "followed": ("to(R, C) :- given(R, C, _). to(R, C + 1) :- to(R, C), C < 4. violated(to) :- to(1, 4).", True),
    "in conditions": ("violated(all) :- value(4, 4, V), value(4, 3, W) : given(1, 1, W).", True),
    "off the board": ("violated(off) :- not given(5, 5, 5), given(_, _, 4).", True),
    "not at all": ("violated(corner) :- value(4, 4, 1).", True),
    "relaxed": ("relaxed(given(1, 1)).", True),
    "relaxed by others": ("relaxed(given(1, 1)) :- given(1, 2, 3).", True),
    "in threes": (":- given(_, C, V), given(R, C', V'), given(R, _, W), C < C', V < V', V < W, value(4, 4, W).", False),
    "a fact": ("given(4, 4, 1).", False),
    "derived": ("given(4, 4, V) :- given(1, 1, V).", False),
    "chosen": ("{ given(4, 4, 1) }.", False),
    "external": ("#external given(4, 4, 1).", False),
}
STRIMKO = encoding("strimko").read_text("utf-8")
GIVEN = "violated(given(R, C)) :- given(R, C, V), not value(R, C, V)."
CANDIDATE = "candidate(R, C, V) :- stream(R, C, _), number(V), not excluded(R, C, V)."
# Rules of the encoding, and what they become.
EDITED = {
    "weakened": (GIVEN, GIVEN.replace("not value", "V != 2, not value")),
    "mirrored": (GIVEN, GIVEN.replace("not value(R, C", "not value(C, R")),
    "with another variable": (GIVEN, GIVEN.replace("given(R, C, V),", "given(R, C, V), given(_, _, V),")),
    "without a name": (GIVEN, ":- given(R, C, V), not value(R, C, V)."),
    "gone": (GIVEN, ""),
    "twice": (GIVEN, GIVEN + GIVEN.replace("not value", "V = 1, not value")),
    "in the domain": (CANDIDATE, f"{CANDIDATE[:-1]}, not given(R, C, _). candidate(R, C, V) :- given(R, C, V)."),
    "as the size": ("side(N)      :- N = #max { R : stream(R, _, _) }.", "side(N) :- N = #max { V : given(_, _, V) }."),
    "never relaxed": (":- violated(Rule), not relaxed(Rule).", ":- violated(Rule)."),
    "relaxed by number": (":- violated(Rule), not relaxed(Rule).", ":- violated(Rule), Rule != given(1, 1)."),
}
FEW = [BOARDS[i] for i in (1, 2, 4, 0, 7, 1, 12)]


def plain_answers(board: Instance, rules: str) -> set[frozenset[str]]:
    """Return the numbers in each answer set of plain clingo, as atoms."""
    control = Control(["0"], logger=lambda _code, _message: None)
    control.add("base", [], f"{rules}\n{facts(board)}")
    control.ground([("base", [])])
    return models(control, "value")


def models(control: Control, name: str) -> set[frozenset[str]]:
    """Return the atoms of a predicate in each answer set of a grounding."""
    with control.solve(yield_=True) as found:
        return {frozenset(str(atom) for atom in model.symbols(atoms=True) if atom.name == name) for model in found}


def found_answers(board: Instance, how: Settings) -> set[frozenset[str]]:
    """Return the same, as they are found here."""
    found, complete, _ = answers(board, how)
    assert complete
    return {frozenset(map(holds, values, values.values())) for values in (plain.values(one.json()) for one in found)}


@pytest.mark.parametrize("name", ADDED)
@pytest.mark.slow
def test_added_rules_may_do_anything_with_clues(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever rules of one's own do with clues, each board has the answers that it has in plain clingo."""
    rules, shared_then = ADDED[name]
    expected = [plain_answers(board, f"{STRIMKO}\n{rules}") for board in FEW]
    grounded = groundings(monkeypatch)
    assert [found_answers(board, Settings(extra=Rules(rules))) for board in FEW] == expected
    assert len(grounded) == (3 if shared_then else len(FEW))


@pytest.mark.parametrize("name", EDITED)
@pytest.mark.slow
def test_edited_rules_may_do_anything_with_clues(name: str) -> None:
    """Whatever becomes of the rules about clues, each board has the answers that it has in plain clingo."""
    assert EDITED[name][0] in STRIMKO
    rules = STRIMKO.replace(*EDITED[name])
    for board in FEW:
        assert found_answers(board, Settings(encoding=Rules(rules))) == plain_answers(board, rules), board.clues


def test_files_of_rules_share_a_grounding_until_they_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards share a grounding with rules in a file, until the file changes."""
    how = extra(tmp_path, "violated(corner) :- value(4, 4, 1).\n")
    grounded = groundings(monkeypatch)
    assert [len(answers(board, how)[0]) for board in SEVERAL] == [18] * 3 + [18]
    assert len(grounded) == 3
    extra(tmp_path, "violated(corner) :- not value(4, 4, 1).\n")
    assert [len(answers(board, how)[0]) for board in SEVERAL] == [6] * 3 + [6]
    assert len(grounded) == 6


def test_included_files_are_read_each_time(tmp_path: Path) -> None:
    """Rules that include a file follow it when it changes."""
    mine(tmp_path, "violated(corner) :- value(4, 4, 1).\n", "other.lp")
    how = extra(tmp_path, '#include "other.lp".\n')
    first = [len(answers(board, how)[0]) for board in SEVERAL]
    mine(tmp_path, "violated(corner) :- not value(4, 4, 1).\n", "other.lp")
    assert [24 - len(answers(board, how)[0]) for board in SEVERAL] == first


def test_warnings_are_the_same_for_each_board(tmp_path: Path) -> None:
    """Rules of one's own have the same warnings for the first board and for those that share its grounding."""
    how = extra(tmp_path, "violated(corner) :- valeu(4, 4, 1).\n")
    warned = [[str(one) for one in not_none(solutions(board, 1, how).search).warnings] for board in FEW]
    assert len(warned[0]) == 1
    assert warned == warned[:1] * len(FEW)


def test_rules_that_ground_without_end_for_some_boards_spare_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a clue that could be leads to a grounding without end, boards without it are answered in time."""
    monkeypatch.setattr("pyasp_puzzles.queries.sessions.SESSION_LITERALS", 2000)
    how = Settings(extra=Rules("a(1) :- given(4, 4, 1). a(X + 1) :- a(X)."), timeout=5)
    for board in [*FEW, *FEW]:
        assert answers(board, how) == answers(board, Settings(seed=1))


@pytest.mark.parametrize(
    ("limit", "number", "more"),
    [
        ("SESSION_LITERALS", 300, 2),
        ("MOST_CHOSEN", 60, 0),
    ],
)
def test_too_large_a_session_is_given_up(limit: str, number: int, more: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where clues that could be make a program too large, each board is grounded by itself, or tried again later."""
    how = Settings(extra=Rules(ADDED["in pairs"][0]))
    expected = [found_answers(board, Settings(extra=how.extra, seed=1)) for board in FEW]
    monkeypatch.setattr(f"pyasp_puzzles.queries.sessions.{limit}", number)
    grounded = groundings(monkeypatch)
    assert [found_answers(board, how) for board in FEW] == expected
    assert len(grounded) == len(FEW) + more  # at the third board and at the sixth, or never


# -- All puzzles ------------------------------------------------------------------------------------


@pytest.mark.slow
@given(strategies.strips_boards(), st.randoms(use_true_random=False))
@examples(12)
def test_boards_with_the_same_colors_share_a_grounding(drawn: strategies.StripsBoard, random: Random) -> None:
    """Boards with the same cells, and the same colors in others of these, have the answers of a brute force."""
    for _ in range(5):
        found, complete, _ = answers(one(drawn.text))
        assert complete
        assert {plain.identity(answer.json()) for answer in found} == {*map(frozenset, drawn.answers())}
        colors = [*drawn.tiles.values()]
        random.shuffle(colors)
        drawn = strategies.strips(dict(zip(drawn.tiles, colors, strict=True)), drawn.longest, drawn.listed)


def test_boards_with_many_answers_have_the_same_first_each_time() -> None:
    """The first answer to a Strata board, of many, does not depend on what was solved before."""
    board = only("strata/seed")
    assert len({str(not_none(solve(board))) for _ in range(5)}) == 1


def test_strips_of_one_outline_are_grounded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the boards of a file with one outline and the same colors, the third grounds for all that follow."""
    boards = load("strips/hunt")
    grounded = groundings(monkeypatch)
    assert [len(answers(board)[0]) for board in boards] == [1] * len(boards)
    assert len(grounded) == 3


# The other clues that boards of a puzzle of one's own have in turn; no pieces or areas have 99 cells.
OTHERS: dict[str, list[dict[Any, Any]]] = {
    "numbers": [{(1, 1): 1, (1, 2): 2, (2, 2): 4}, {(1, 1): 2, (2, 3): 2}, {(1, 2): 3, (4, 4): 3}],
    "shading": [{("left", 1): 2}, {("left", 1): 1, ("top", 4): 2}, {("top", 1): 0}, {("left", 2): 16}],
    "pieces": [{(1, 1): 4, (4, 4): 12}, {(2, 2): 16}, {(1, 2): 3, (3, 2): 13}, {(4, 1): 99}],
    "lines": [{(1, 1): 2, (2, 2): 4, (4, 4): 1}, {(2, 3): 4, (4, 1): 0}, {(1, 2): 4}],
    "areas": [{(1, 1): 12, (4, 4): 4}, {(2, 2): 16}, {(1, 1): 3, (2, 3): 7, (4, 1): 6}, {(4, 1): 99}],
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", OTHERS)
def test_puzzles_of_ones_own_share_a_grounding(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards of a puzzle of one's own share a grounding, and have as many answers as in plain clingo, the same ones."""
    printed("new", "mine", "--kind", kind, where=tmp_path)
    first = only(tmp_path / "mine" / "first.toml", puzzles=[tmp_path / "mine"])
    boards = [first, first, *map(first.with_clues, OTHERS[kind]), first]
    output = first.puzzle.view().signatures()[0][0]
    expected = [len(models(grounded(board), output)) for board in boards]
    alone = [answers(board, Settings(seed=1)) for board in boards]
    seen = groundings(monkeypatch)
    assert [answers(board) for board in boards] == alone
    assert [len(found) for found, _, _ in alone] == expected
    assert len(seen) == (4 if kind in {"pieces", "areas"} else 3)


@pytest.mark.sampled(0, 19)
@pytest.mark.parametrize("name", VARIANTS)
def test_variants_share_a_grounding(name: str) -> None:
    """Boards of a variant that differ in their givens have the answers that each has by itself."""
    for board in load(f"variants/{name}"):
        answer = plain.values(not_none(solve(board)).json())
        known, added = board.clues, sorted(answer.items() - board.clues.items())[::7][:3]
        others = [known | {cell: value + shift} for cell, value in added for shift in (0, -1 if value > 1 else 1)]
        boards = [board.with_clues(clues) if clues else board for clues in [known, known, *others]]
        assert [answers(one) for one in boards] == [answers(one, Settings(seed=1)) for one in boards]


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in VARIANTS if name not in KEYS])
def test_added_variants_share_a_grounding(name: str) -> None:
    """Boards have the answers with a variant, added by its name, that they have in plain clingo."""
    rules = "\n".join(file.read_text("utf-8") for file in (encoding("strimko"), FOLDERS[name] / f"{name}.lp"))
    for board in FEW:
        assert found_answers(board, Settings(extra=name)) == plain_answers(board, rules)


# -- Other questions, threads and time --------------------------------------------------------------


def test_other_questions_may_use_a_session() -> None:
    """Other questions are asked of a session, too; what holds in all or some answers is no answer of the next board."""
    for board in SEVERAL:
        verdict = check(board)
        assert (verdict.status, verdict.decided, count(board)) == ("several", 2, 24)
        for ask in (decided, possible):
            assert ask(board) is not None
            assert len(answers(board, limit=2)[0]) == 2
        assert len(answers(board)[0]) == 24
    assert check(BOARDS[0]).status == "none"


def test_time_that_ran_out_is_there_for_the_next_board() -> None:
    """Time that has run out for one board is there again for the next."""
    for board in SEVERAL:
        answers(board)
    late = solutions(BOARDS[1], 0, Settings(timeout=0))
    assert list(late) == []
    assert (late.status, late.complete) == ("unknown", False)
    assert len(answers(BOARDS[1])[0]) == 24


# -- Threads ---------------------------------------------------------------

# Asks each question, and then all, about boards of one shape: in turn, and from eight threads.
COMMON = """
from concurrent.futures import ThreadPoolExecutor
from pyasp_puzzles import *

def sudoku(cells):
    return board("sudoku", givens=[cells[i : i + 4] for i in range(0, 16, 4)])

WHOLE = "1234341221434321"
boards = [
    sudoku([c if (i + kept) % 3 == 0 and i != hidden else "." for i, c in enumerate(WHOLE)])
    for kept in range(3) for hidden in range(0, 8, 2)
]
some = solve(boards[0])
boards.append(sudoku("12........1...2."))  # no answer

def told(steps):
    *others, end = steps
    return end.status, sorted(str(atom) for step in others for atom in step.placed)

def verdict(found):
    return found.status, len(found.answers), found.decided, [clue.rule for clue in found.blamed]

def whole(found):
    return sorted(map(str, found)), found.complete

ASKED = {
    "solve": lambda board: solve(board) in [None, *solutions(board)],
    "solutions": lambda board: whole(solutions(board)),
    "count": count,
    "check": lambda board: verdict(check(board)),
    "review": lambda board: review(board, some),
    "decided": lambda board: str(decided(board)),
    "possible": lambda board: str(possible(board)),
    "explain": lambda board: told(explain(board)),
    "hint": lambda board: hint(board).kind,
    "grade": lambda board: grade(board).status,
    "resolve": lambda board: str(resolve(board).candidates),
    "batch": lambda board: [record["complete"] for record in batch([board], 0)],
}
places = range(len(boards))
alone = {(name, i): ASKED[name](boards[i]) for name in ASKED for i in places}
with ThreadPoolExecutor(8) as pool:
    for names in [*([name] for name in ASKED), list(ASKED)]:
        asked = [(name, i) for i in [*places, *(places if len(names) == 1 else [])] for name in names]
        together = list(pool.map(lambda one: ASKED[one[0]](boards[one[1]]), asked))
        wrong = [(one, alone[one], said) for one, said in zip(asked, together, strict=True) if said != alone[one]]
        assert not wrong, (len(wrong), wrong[0])
        print(len(asked))
"""


@pytest.mark.slow  # eight threads keep all processors busy
def test_threads_get_the_answers_that_one_gets() -> None:
    """Eight threads get the answers that one gets; as a crash would end Python, this is a Python of its own."""
    done = process([sys.executable, "-c", COMMON], PACKAGE, timeout=4 * SECONDS)
    assert (done.returncode, done.stderr[-2000:]) == (0, "")
    assert [*map(int, done.stdout.split())] == [26] * 12 + [156]


def test_an_unread_iterator_keeps_no_thread_waiting() -> None:
    """An iterator that waits to be asked for its next answer keeps no other thread waiting."""
    boards = SEVERAL * 2
    streams = [solutions(board) for board in boards]
    firsts = [next(stream) for stream in streams]
    with ThreadPoolExecutor(4) as pool:
        assert [found.number for found in pool.map(count, boards, timeout=SECONDS)] == [24] * 8
        rest = [*pool.map(lambda stream: [*stream], streams, timeout=SECONDS)]  # begun here, and ended there
    assert [len({first, *others}) for first, others in zip(firsts, rest, strict=True)] == [24] * 8


def test_statistics_of_ones_own() -> None:
    """Where others have asked the same control since, there are no sizes that would be those of their search."""
    searches = []
    for board in SEVERAL:
        found = solutions(board, 2)
        list(found)
        searches.append(found.search)
    one_before, last = map(not_none, searches[-2:])
    assert {"ground", "solve", "choices"} <= last.statistics().keys()
    assert one_before.statistics().keys() == {"ground", "solve"}


@pytest.mark.slow
def test_late_groundings_are_not_lent() -> None:
    """What was to be grounded too late is not kept for those who have time."""
    rows = "\n".join(" ".join(str(12 * r + c // 5) for c in range(60)) for r in range(20))
    board = one(f'puzzle = "tectonic"\nblocks = """\n{rows}\n"""')
    for _ in range(4):
        assert list(solutions(board, 1, Settings(timeout=0))) == []
    assert len(list(solutions(board, 1))) == 1


@pytest.mark.alone
def test_four_threads_are_not_slower_than_one() -> None:
    """To solve 200 Sudokus of one shape in four threads takes no longer than in one: median of pairs, with a margin."""
    boards = loads(lists.lines(200, 40), format="sudoku")
    ratios = []
    with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(4) as four:
        for _ in range(9):
            started = perf_counter()
            alone = [answer is None for answer in one.map(solve, boards)]
            middle = perf_counter()
            assert [answer is None for answer in four.map(solve, boards)] == alone
            ratios.append((perf_counter() - middle) / (middle - started))
    assert median(ratios) < 1.15
