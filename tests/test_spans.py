"""Sentences in parts: each part that names cells names exactly these, whatever words an encoding has for them."""

import pickle
import re
from collections.abc import Iterable, Iterator
from itertools import combinations, islice
from pathlib import Path

import pytest

from pyasp_puzzles import Instance, check, explain, hint, loads, review
from pyasp_puzzles.boards import spans
from pyasp_puzzles.boards.regions import windows
from pyasp_puzzles.boards.spans import Span, marked, marked_line, marked_units, spans_of

from .helpers import extra, listed, one, only, read, steps, sudoku
from .rules import Cell

BOARDS = [
    *("sudoku/easy", "sudoku/jigsaw", "sudoku/six", "strimko/seven", "tectonic/ten", "tectonic/seed"),
    *("strips/list", "strips/final", "strata/seed", "strata/stuck"),
    *("variants/diagonal", "variants/windoku", "variants/killer-cage", "variants/thermometer", "variants/even"),
    *("variants/slow-thermometer", "variants/sandwich", "variants/quadruple", "variants/xv"),
]
NUMBERS = r"\d+(?: to \d+)?(?:(?:, | or | and )\d+(?: to \d+)?)*"


def parts(board: Instance, *ends: Cell, some: bool = False) -> Iterator[set[Cell]]:
    """Yield the cells of each line and cage, from one cell on or to another cell; or also some of its cells."""
    shape = ("number", "number", "row", "column")
    for key in (key for key in board.puzzle.keys if key.predicate and key.predicate.arguments == shape):
        for number in {first for first, *_ in board.facts.arguments(key.fact)}:
            line = [(int(r), int(c)) for i, _, r, c in board.facts.arguments(key.fact) if i == number]
            if {*ends} <= {*line}:
                first, last = map(line.index, (*ends, line[-1])[:2]) if ends else (0, len(line))
                yield set(line[first : last + 1])
                yield from (set(cells) for size in range(some * len(line)) for cells in combinations(line, size))


def readings(text: str, board: Instance) -> Iterator[set[Cell]]:
    """Yield the cells that a part of a sentence may mean: for "its row", those of each row."""
    text = re.sub(r"^the (\S+|start of \S+ \w+|\S+ alone) in ", "", text[:1].lower() + text[1:])
    every, size = board.printed.cells, max(board.printed.cells)[0]
    if match := re.fullmatch(rf"row (\d+),? columns? ({NUMBERS})", text):
        yield {(int(match[1]), c) for c in listed(match[2])}
    if match := re.fullmatch(rf"rows? ({NUMBERS}) of columns? ({NUMBERS})", text):
        yield {(r, c) for r in listed(match[1]) for c in listed(match[2])}
    if match := re.fullmatch(rf"(its )?(row|column)s?(?: ({NUMBERS}))?", text):
        i = int(match[2] == "column")
        wanted = {*(listed(match[3]) if match[3] else range(1, size + 1))}
        for some in ({one} for one in wanted) if match[1] else [wanted]:
            yield {cell for cell in every if cell[i] in some}
        for line in {cell[1 - i] for cell in every}:  # "column 7 ... rows 1 and 8"
            yield {cell for cell in every if cell[i] in wanted and cell[1 - i] == line}
    if match := re.fullmatch(r"(?:its )?(?:box|block|stream)(?:e?s)?(?: (\w+(?:(?:, | and )\w+)*))?", text):
        regions = board.printed.regions
        for names in [re.split(", | and ", match[1])] if match[1] else [[name] for name in {*regions.values()}]:
            yield {cell for cell in regions if regions[cell] in names}
    others: dict[str, Iterable[set[Cell]]] = {
        "it": ({cell} for cell in every),
        "falling": [{(r, r) for r in range(1, size + 1)}],
        "rising": [{(r, size + 1 - r) for r in range(1, size + 1)}],
        "window": map(set, windows(9)),
        "windows": ({*one, *other} for one, other in combinations(windows(9), 2)),
        "cells": parts(board, *zip(listed(text)[::2], listed(text)[1::2], strict=False), some="other" in text),
    }
    yield from next((found for name, found in others.items() if name in text.split()), ())


def sentences(name: str) -> Iterator[tuple[str, tuple[Span, ...]]]:
    """Yield the sentences of the steps of a board, each with its spans."""
    for step in islice(explain(name), 40):
        yield step.words, step.spans
        yield from ((link.words, link.spans) for link in step.links)
        yield from ((words, spans_of(words)) for words in (step.where, *step.listed, *step.why))


@pytest.mark.sampled(2, 7)
@pytest.mark.parametrize("name", BOARDS)
def test_every_part_names_just_its_cells(name: str) -> None:
    """The parts of a sentence are the sentence, and a part that names cells names these and no others."""
    board, places = only(name), 0
    for words, parts in sentences(name):
        assert "".join(span.text for span in parts) == words
        assert words.isprintable()
        for span in parts:
            assert not span.cells or {*span.cells} in [*readings(span.text, board)], span
            places += bool(span.cells)
    assert places > 10


@pytest.mark.parametrize(
    ("units", "words"),
    [
        (["row 1"], "row 1"),
        (["row 1", "row 3"], "rows 1 and 3"),
        (["row 1", "column 3"], "row 1 and column 3"),
        (["row 1", "row 3", "column 6"], "rows 1 and 3, and column 6"),
        (["row 1", "box 2", "box 4", "column 6"], "row 1, boxes 2 and 4, and column 6"),
        (["place 1 of the regions", "place 2 of the regions"], "place 1 of the regions and place 2 of the regions"),
    ],
)
def test_units_of_a_kind_are_listed_together(units: list[str], words: str) -> None:
    """Rows, columns and boxes are listed by their kind, and each name lights its own cells."""
    found = marked_units(marked_line(unit) if unit[:3] in {"row", "col"} else marked(unit, [unit]) for unit in units)
    told = spans.sentence(found, lambda unit: [(len(unit), int(unit.split()[1]))])
    assert told == words
    assert {cell for span in told.spans for cell in span.cells} == {(len(one), int(one.split()[1])) for one in units}


@pytest.mark.slow
def test_a_row_is_not_two_of_its_cells() -> None:
    """After "in row 4", "columns 1 and 2" are two cells; in a list of units, "row 3 and column 4" are whole lines."""
    board = loads("..8.....4..4.89..2..37...5...61........9.5.48.5...81....7.4..3....57.....2...6...\n", format="line")
    step = next(step for step in explain(board[0]) if step.words.startswith("Hidden pair: 4 and 8 in row 4"))
    named = {span.text: span.cells for span in step.spans}
    assert named["columns 1 and 2"] == ((4, 1), (4, 2))
    assert named["row 4"] == tuple((4, c) for c in range(1, 10))
    listed = next(step for step in steps("sudoku/easy") if re.search(r"in row \d and column \d", step.words))
    assert {len(span.cells) for span in listed.spans if re.fullmatch(r"row \d|column \d", span.text)} == {9}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["strips/holes", "country-road/eight"])
def test_what_follows_in_the_same_way_is_told(name: str) -> None:
    """No sentence only counts what it rules out."""
    told = [step.words for step in steps(name)]
    also = [words.partition("; in the same way, ")[2] for words in told if "; in the same way, " in words]
    assert also
    assert not [words for words in also if not re.search(r"rows? \d", words)]


def test_cells_come_from_terms(tmp_path: Path) -> None:
    """The words of a user's rule name the cells of its terms, whatever they are called; a text names none."""
    rules = """
violated(pair) :- value(1, 1, V), value(3, 3, V).
says(pair, ("not as in row 2:", cell(1, 1), "and", row(3), "and", U, "and", mine(1))) :- U = stream("2"), size(_).
called(stream(S), ("row", S)) :- stream(_, _, S).
called(mine(1), ("the corner of", cell(4, 4))) :- size(_).
"""
    board = one('puzzle = "strimko"\nstreams = "1122\\n1122\\n3344\\n3344"\ngivens = "1...\\n....\\n....\\n...."\n')
    broken = review(board, read(board, "1 . . .\n. . . .\n. . 1 .\n. . . ."), extra(tmp_path, rules)).broken
    spans = next(rule.spans for rule in broken if rule.rule == "pair")
    assert "".join(span.text for span in spans) == (
        "not as in row 2: row 1, column 1 and row 3 and row 2 and the corner of row 4, column 4"
    )
    assert [(span.text, span.cells) for span in spans if span.cells] == [
        ("row 1, column 1", ((1, 1),)),
        ("row 3", tuple((3, c) for c in range(1, 5))),
        ("row 2", ((1, 3), (1, 4), (2, 3), (2, 4))),
        ("row 4, column 4", ((4, 4),)),
    ]


@pytest.mark.parametrize(
    "words", ["\ue000a\ue001\U000f0041", "\ue001\U000f0041", "\ue000\ue000", "\ue000a\ue001\U000f0031"]
)
def test_hidden_characters_of_an_encoding_name_nothing(words: str, tmp_path: Path) -> None:
    """The characters that hide what a part names do no harm in the words of a user's rule."""
    rules = f'violated(mine) :- not value(1, 1, 1).\nsays(mine, ("{words} b", cell(1, 1))) :- size(_).\n'
    settings = extra(tmp_path, rules)
    first = next(iter(explain(sudoku(*4 * [". . . ."]), settings=settings)))
    assert "b row 1, column 1" in first.words


@pytest.mark.slow
def test_parts_name_values_and_rules(tmp_path: Path) -> None:
    """A part may name a value with its cell, and a rule by its name in the encoding; JSON has what a part names."""
    words = next(words for step in explain("tectonic/seed") for words in step.why if "the 3 in" in words)
    entry = next(span for span in spans_of(words) if span.value is not None and span.cells)
    assert entry.json() == {"text": entry.text, "cells": [list(entry.cells[0])], "value": 3}
    clash = check(sudoku("1 1 . .", ". . . .", ". . . .", ". . . ."))
    assert [clue.spans for clue in clash.blamed] == [(Span("the 1 in row 1, column 1", ((1, 1),), 1),)]
    settings = extra(tmp_path, "violated(apart(R, C)) :- value(R, C, V), value(R + 1, C, V + 1).")
    board = sudoku("1 . . .", "2 . . .", ". . . .", ". . . .")
    [rule] = review(board, read(board, "1 . . .\n2 . . .\n. . . .\n. . . ."), settings).broken
    assert rule.spans == (Span("the rule apart", rule="apart(1,1)"),)
    assert rule.json()["spans"] == [{"text": "the rule apart", "rule": "apart(1,1)"}]


@pytest.mark.slow
def test_hints_and_mistakes_have_parts() -> None:
    """So have hints; a step that was sent from another process is the same."""
    board = sudoku("1 . . .", ". . . .", ". . . .", ". . . 2")
    wrong = hint(board, read(board, "1 . 1 .\n. . . .\n. . . .\n. . . 2"))
    assert wrong.spans[0] == Span("The 1 in row 1, column 3", ((1, 3),), 1)
    for step in steps("tectonic/seed"):
        again = pickle.loads(pickle.dumps(step))  # noqa: S301 (what we have written)
        assert (again.spans, again.words) == (step.spans, step.words)
        assert [spans_of(words) for words in again.why] == [spans_of(words) for words in step.why]
