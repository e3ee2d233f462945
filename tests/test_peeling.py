"""A Strata board is explained by peeling it; each step is checked on the board in plain Python."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from clingo import Control
from hypothesis import given
from hypothesis import strategies as st

from pyasp_puzzles import (
    EncodingError,
    Instance,
    Settings,
    Step,
    Verdict,
    check,
    explain,
    grade,
    hint,
    load,
    solutions,
)
from pyasp_puzzles.asp.deadline import Deadline

from . import plain, rules, strategies
from .command import printed, pyasp
from .helpers import COLORED, PLAIN, encoding, extra, mine, one, only, read
from .helpers import SHIPPED as SHIPPED_NAMES
from .rules import Cell, Laying, Line
from .strategies import StrataBoard, examples, rectangle
from .test_answers import paint

SHIPPED = [(name, i) for name in SHIPPED_NAMES if name.startswith("strata/") for i, _ in enumerate(load(name))]
CHEQUERED = strategies.strata(2, 2, dict(zip(rectangle(2, 2), "abba", strict=True)))
NAMES = {"row": "row", "col": "column"}


def test_one_answer_is_peeled_without_grounding_the_rules(tmp_path: Path) -> None:
    """One answer, or that there is none, needs no rules to be grounded, unless rules are added; it keeps the rules."""
    board = load("strata/seed")[0]
    found = solutions(board, 1)
    [answer] = found
    assert plain.identity(answer.json()) in {plain.identity(other.json()) for other in solutions(board)}
    assert not found.search.statistics().get("rules")
    stuck = solutions(one(CHEQUERED.text))
    assert (stuck.count().number, stuck.complete) == (0, True)
    assert stuck.search.statistics()["rules"] < 5
    edited = solutions(board, 1, extra(tmp_path, "violated(mine) :- over(row(1), col(1))."))
    assert all("column" in str(other.cells()[1, 1]) for other in edited)
    assert edited.search.statistics()["rules"]


def crossed(cell: Cell, line: Line) -> Line | None:
    """Return the line that crosses a line at a cell; None if the cell does not lie along it."""
    row, column = ("row", cell[0]), ("column", cell[1])
    return {row: column, column: row}.get(line)


def lines_of(said: Step) -> list[Line]:
    """Return the lines that the rules of a step are about."""
    found = [re.fullmatch(r"color\((row|col)\((\d+)\)\)", str(rule)) for rule in said.rules]
    return [(NAMES[match[1]], int(match[2])) for match in found if match]


def laying(instance: Instance, end: Step) -> Laying:
    """Return the laying order that the last step tells, as people could have written it."""
    said = end.words.removeprefix("Laid the other way round, bottom to top: ").removesuffix(".")
    return plain.laying(read(instance, said.replace(", ", "\n")).json())


class Replay:
    """A board that is peeled step by step; each step must be right, and the first possible one."""

    def __init__(self, instance: Instance, top: Sequence[Line] = ()) -> None:
        self.instance = instance
        self.tiles = plain.labels(instance, "tile")
        self.left = [line for line in rules.lines(*plain.size(instance)) if line not in top]
        self.steps: dict[Line, int] = {}

    def uncovered(self, line: Line) -> dict[Cell, str]:
        """Return the colored cells along a line that no line that is off lies over."""
        return {cell: self.tiles[cell] for cell in sorted(self.tiles) if crossed(cell, line) in self.left}

    def step(self, said: Step) -> None:
        """Check a step, and take its line off."""
        (line,) = lines_of(said)
        one_colored = [line for line in self.left if len(set(self.uncovered(line).values())) == 1]
        uncovered = self.uncovered(line)
        color = next(iter(uncovered.values()), None)
        if said.kind == "free":
            assert not one_colored  # free lines come last
            assert (color, said.placed) == (None, ())
            assert line == next(line for line in self.left if not self.uncovered(line))
        else:
            assert said.kind == "peel"
            assert line == one_colored[0]
            assert [str(atom).replace('"', "") for atom in said.placed] == [f"ribbon({line[0][:3]}({line[1]}),{color})"]
        assert list(said.cells) == list(uncovered)
        others = [crossed(cell, line) for cell, tile in self.tiles.items() if tile != color]
        assert list(said.after) == sorted(self.steps[other] for other in others if other in self.steps)
        assert said.number == len(self.steps) + 1
        assert (said.eliminated, said.plain, said.status) == ((), (), "")
        self.left.remove(line)
        self.steps[line] = said.number

    def end(self, said: Step) -> None:
        """Check the last step, if rules and time are as usual."""
        assert (said.kind, said.number) == ("end", len(self.steps) + 1)
        uncovered = {line: self.uncovered(line) for line in self.left}
        assert lines_of(said) == self.left
        assert set(said.cells) == {cell for cells in uncovered.values() for cell in cells}
        if self.left:
            assert said.status == "none"
            assert all(len(set(cells.values())) > 1 for cells in uncovered.values())
            assert "There is no answer." in said.words
            for (name, index), cells in uncovered.items():
                shows = re.search(rf"{name} {index} still shows ([^;.]*)", said.words)
                names: Any = self.instance.extras.get("colors", {})
                called = {names.get(color, color) for color in cells.values()}
                assert shows
                assert set(re.split(r", | and ", shows[1])) == called
        else:
            assert said.status == "solved"
            assert rules.strata_broken(*plain.size(self.instance), self.tiles, laying(self.instance, said)) == []


def replay(instance: Instance, steps: Sequence[Step], top: Sequence[Line] = ()) -> Replay:
    """Check all steps of a board, and their pictures, and return the board as it is left."""
    board = Replay(instance, top)
    for step in steps[:-1]:
        shown = tokens(step.picture(PLAIN))
        uncovered = {cell: tile for line in board.left for cell, tile in board.uncovered(line).items()}
        both = {cell for cell in uncovered if {("row", cell[0]), ("column", cell[1])} <= set(board.left)}
        stars = dict.fromkeys(step.cells, "*")
        cells = rectangle(*plain.size(instance))
        assert shown == {c: stars.get(c, "") + (uncovered[c] if c in both else ".") for c in cells}
        board.step(step)
    board.end(steps[-1])
    return board


def tokens(picture: str) -> dict[Cell, str]:
    """Return the tokens of a picture."""
    _, *rows = picture.split("\n")
    return {(int(r), c): token for r, *tokens in map(str.split, rows) for c, token in enumerate(tokens, 1)}


# -- All boards ---------------------------------------------------------------------


@pytest.mark.parametrize(("name", "number"), SHIPPED)
def test_peeling_of_shipped_boards_is_right(name: str, number: int) -> None:
    """Every step of every shipped board is as it says, and so is the end."""
    instance = load(name)[number]
    steps = list(explain(instance))
    board = replay(instance, steps)
    assert (steps[-1].status == "solved") == rules.strata_solvable(*plain.size(instance), board.tiles)


@examples(25)
@given(strategies.strata_boards())
def test_peeling_of_random_boards_is_right(board: StrataBoard) -> None:
    """The same on random boards, which are solved if they have an answer, and else blocked by what `check` says."""
    instance = one(board.text)
    steps = list(explain(instance))
    replay(instance, steps)
    assert (steps[-1].status == "solved") == rules.strata_solvable(*board[1:])
    if steps[-1].status == "none":
        verdict: Verdict = check(instance)
        blocks = re.findall(r"(?:row|column) \d+ still shows [^;.\n]*", verdict.stuck)
        assert blocks == re.findall(r"(?:row|column) \d+ still shows [^;.\n]*", steps[-1].words)
        assert steps[-1].picture(PLAIN) in verdict.stuck


@examples(25)
@given(strategies.strata_boards(), st.randoms(use_true_random=False))
def test_peeling_continues_from_what_is_peeled(board: StrataBoard, random: Random) -> None:
    """The next step continues from what was rightly peeled off already, in any order."""
    instance = one(board.text)
    top = Replay(instance)
    taken: Laying = []
    for _ in range(random.randint(0, len(top.left))):
        colors = {line: sorted(set(top.uncovered(line).values())) for line in top.left}
        if choices := [line for line in top.left if len(colors[line]) <= 1]:
            line = random.choice(choices)
            top.left.remove(line)
            taken.append((*line, next(iter(colors[line]), None)))
    text = "\n".join(f"{name} {index} {color or ''}" for name, index, color in reversed(taken))
    steps = list(explain(instance, so_far=read(instance, text)))
    replay(instance, steps, [(name, index) for name, index, _ in taken])
    assert (steps[-1].status == "solved") == rules.strata_solvable(*board[1:])
    if steps[-1].status == "solved" and taken:
        assert laying(instance, steps[-1])[-len(taken) :] == taken[::-1]


@pytest.mark.slow
def test_large_boards_are_peeled_or_blocked() -> None:
    """A board of 40x40 is peeled; one of as many colors as cells is blocked at once, and `check` says so, too."""
    tiles = paint(Random(2), 40, 40, "abcdef", 0.1)  # noqa: S311 (no secrets here)
    instance = one(strategies.strata(40, 40, tiles).text)
    *steps, end = explain(instance)
    assert (len(steps), end.status) == (80, "solved")
    assert rules.strata_broken(40, 40, tiles, laying(instance, end)) == []
    motley = one(strategies.strata(40, 40, {(r, c): f"k{r}x{c}" for r, c in rectangle(40, 40)}).text)
    (end,) = explain(motley)
    assert (end.status, len(end.rules), len(end.cells)) == ("none", 80, 1600)
    assert check(motley).status == "none"


@examples(15)
@given(strategies.strata_boards())
def test_a_board_without_an_answer_is_told_what_is_left(board: StrataBoard) -> None:
    """What `check` says is left when no line comes off is what the explanation ends with, and is left in any order."""
    instance = one(board.text)
    *_, end = explain(instance)
    obstruction = check(instance).obstruction
    assert (obstruction is None) == rules.strata_solvable(*board[1:])
    if obstruction is not None:
        assert sorted({cell for part in obstruction.blocked for cell in part.cells}) == list(end.cells)
        assert all(part.words in end.words for part in obstruction.blocked)
        assert set(lines_of(end)) == rules.strata_left(*board[1:])


# -- Words ----------------------------------------------------------------------------


def test_words_and_json_of_the_seed_are_these() -> None:
    """The seed's board in the seed's logic; in JSON, rules and ribbons are terms, and cells pairs."""
    instance = only("strata/seed")
    steps = list(explain(instance))
    order = "column 3 any color, row 3 green, row 1 yellow, column 2 red, column 1 yellow, row 2 blue"
    assert [step.words for step in steps] == [
        "Row 2: every colored cell still uncovered is blue.",
        "Column 1: every colored cell still uncovered is yellow, because the rest came off with row 2.",
        "Column 2: every colored cell still uncovered is red, because the rest came off with row 2.",
        "Row 1: every colored cell still uncovered is yellow, because the rest came off with column 2.",
        "Row 3: every colored cell still uncovered is green, because the rest came off with column 1 and column 2.",
        "Column 3: no colored cell along it is still uncovered, so any color will do.",
        f"Laid the other way round, bottom to top: {order}.",
    ]
    assert [step.after for step in steps] == [(), (1,), (1,), (3,), (2, 3), (1, 4, 5), ()]
    assert steps[0].picture(PLAIN) == "   1  2  3\n1  .  r  y\n2 *b *b *b\n3  y  r  g"
    assert "\033[" in steps[0].picture(COLORED)
    assert steps[-1].picture(PLAIN) == read(instance, order.replace(", ", "\n")).text(PLAIN)
    *_, fifth, free, end = [json.loads(json.dumps(step.json())) for step in steps]
    assert (fifth["step"], fifth["kind"], fifth["after"], fifth["status"]) == (5, "peel", [2, 3], None)
    assert (fifth["rules"], fifth["cells"]) == (["color(row(3))"], [[3, 3]])
    assert fifth["placed"] == [{"atom": 'ribbon(row(3),"g")'}]
    assert (free["kind"], free["placed"], end["kind"], end["placed"]) == ("free", [], "end", [])
    assert end["status"] == "solved"


def test_a_chequerboard_is_blocked_from_the_start() -> None:
    """A chequerboard is blocked from the start, and the explanation says by what."""
    (end,) = explain(one(CHEQUERED.text))
    assert (end.status, end.cells) == ("none", tuple(rectangle(2, 2)))
    assert end.words == (
        "No other line comes off, as each that is left shows more than one color: row 1 still shows a and b; row 2"
        " still shows a and b; column 1 still shows a and b; column 2 still shows a and b. There is no answer."
    )
    assert tokens(end.picture(PLAIN)) == CHEQUERED.tiles


def test_lines_in_any_order() -> None:
    """Rows come before columns, each in their order, however the facts are written."""
    facts = "col(2). row(2). row(1). col(1). tile(1,1,a). tile(1,2,a). tile(2,1,a). tile(2,2,a).\n"
    instance = one(facts, "board.lp")
    steps = list(explain(instance))
    replay(instance, steps)
    assert [str(step.rules[0].arguments[0]) for step in steps[:-1]] == ["row(1)", "row(2)", "col(1)", "col(2)"]


# -- Time, and user rules -----------------------------------------------------


def test_peeling_ends_when_time_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where time runs out, that is the end; nothing is solved to peel a board."""
    instance = only("strata/seed")
    (end,) = explain(instance, settings=Settings(timeout=0))
    assert (end.kind, end.status, end.words) == ("end", "unknown", "Out of time.")
    monkeypatch.delattr(Control, "solve")
    assert [step.status for step in explain(instance, settings=Settings(timeout=60))][-1] == "solved"


class Looks(Deadline):
    """A deadline that passes after it was looked at so many times."""

    __slots__ = ("left_over",)

    def __init__(self, times: int) -> None:
        super().__init__()
        self.left_over = times

    def late(self) -> bool:
        """Return whether the deadline has passed."""
        self.left_over -= 1
        return self.left_over < 0


@pytest.mark.slow
def test_peeling_looks_at_the_deadline_all_along() -> None:
    """Wherever time runs out while a board is peeled, its steps until then are told, and that it is out of time."""
    tiles = paint(Random(2), 5, 5, "abc", 0.1)  # noqa: S311 (no secrets here)
    instance = one(strategies.strata(5, 5, tiles).text)
    every = list(explain(instance))
    told = set()
    for times in range(200):
        *steps, end = explain(instance, settings=Settings(timeout=Looks(times)))
        assert steps == every[: len(steps)]
        assert (end.number, end.kind) == (len(steps) + 1, "end")
        assert end == every[-1] or (end.status, end.words) == ("unknown", "Out of time.")
        told.add(len(steps))
    assert told == {*range(len(every))}


def test_rules_that_the_order_keeps_change_nothing(tmp_path: Path) -> None:
    """A copy of the encoding, and rules that the order keeps, change nothing."""
    instance = only("strata/seed")
    copy = mine(tmp_path, encoding("strata").read_text(encoding="utf-8"), "copy.lp")
    more = extra(tmp_path, "violated(top) :- row(R), not over(row(2), col(1)).\n")
    for board, how in ((instance, Settings(copy)), (only("strata/stuck"), Settings(copy)), (instance, more)):
        assert list(explain(board, settings=how)) == list(explain(board))


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("violated(third) :- over(row(3), col(3)), { row(R) } < 4.", "the order that it finds breaks the rule third"),
        (
            ":- over(row(3), col(3)), { row(R) } < 4.",
            "the order that it finds breaks line 1 of mine.lp: `:- over(row(3), col(3)), { row(R) } < 4.`",
        ),
        (
            ":- over(row(3), col(3)), not relaxed(x).",
            "the order that it finds breaks a rule that has no name",
        ),
    ],
)
@pytest.mark.slow
def test_orders_that_break_an_added_rule_are_refused(rule: str, words: str, tmp_path: Path) -> None:
    """Where the order that peeling comes to breaks a rule that was added, the board is refused, and not half explained.

    The exit code is that of bad input, and not that of a timeout; the next board is answered.
    """
    how = extra(tmp_path, rule)
    assert next(solutions("strata/seed", 1, how))
    told = f"No explanation: boards of strata are explained by peeling, and {words}"
    told += ", though the rules in use have an answer."
    for end in (*explain("strata/seed", settings=how), hint("strata/seed", None, how)):
        assert (end.number, end.kind, end.status, end.words) == (1, "end", "unknown", told)
    assert grade("strata/seed", how)[:2] == ("unknown", "")
    for command in ("explain", "grade", "hint"):
        boards = ["strata/seed"] if command == "hint" else ["strata/seed", "strata/four"]
        done = pyasp(command, *boards, "--extra", "mine.lp", where=tmp_path)
        assert (done.returncode, done.stdout.splitlines()[1]) == (2, told)
        assert "Four by four" in done.stdout or command == "hint"
    made = printed("generate", "strata", "--size", "3", "-n", "3", "--seed", "1", "--extra", "mine.lp", where=tmp_path)
    assert made.count("tiles = ") == 3


@pytest.mark.parametrize("rule", ["violated(first) :- over(row(2), col(1)).", ":- over(row(2), col(1))."])
def test_no_answer_by_other_rules(rule: str, tmp_path: Path) -> None:
    """Where rules that were added leave no answer, that is the end."""
    (end,) = explain("strata/seed", settings=extra(tmp_path, rule))
    assert (end.kind, end.status) == ("end", "none")
    assert end.words.startswith("There is no answer. These ")
    assert ("the rule first" in end.words) == ("violated" in rule)


def test_boards_blocked_by_other_rules_are_refused(tmp_path: Path) -> None:
    """If peeling is blocked, but not by the rules in use, the board is refused, and not said to have no answer."""
    file = mine(tmp_path, encoding("strata").read_text().replace("{ ribbon(A, K) } > 1", "{ ribbon(A, K) } > 2"))
    (end,) = explain(one(CHEQUERED.text), settings=Settings(encoding=file))
    assert (end.status, end.words.partition(", and ")[2]) == (
        "unknown",
        "no other ribbon comes off, though the rules in use have an answer.",
    )


@pytest.mark.parametrize("name", ["line", "crossing"])
def test_encodings_without_lines_are_refused(name: str, tmp_path: Path) -> None:
    """An encoding that does not say which lines there are, or where they cross, is refused in one line."""
    file = mine(tmp_path, re.sub(rf"\b{name}\(", "my_\\g<0>", encoding("strata").read_text()))
    with pytest.raises(EncodingError, match=rf"^{file}: .*nothing to peel: rules need line/1 and crossing/3"):
        list(explain("strata/seed", settings=Settings(encoding=file)))


def test_wrong_ribbons_make_no_answer() -> None:
    """Ribbons that cannot be on top are accepted, but the result is not called an answer."""
    instance = only("strata/seed")
    *_, end = explain(instance, so_far=read(instance, "row 1 yellow"))
    assert end.status == "unknown"
    assert "But the order that it finds breaks " in end.words


def test_warnings_come_with_the_first_step(tmp_path: Path) -> None:
    """Warnings about user rules come with the first step."""
    steps = explain("strata/seed", settings=extra(tmp_path, "violated(a) :- nothing.\n"))
    assert [len(step.warnings) for step in steps] == [1, *[0] * 6]
