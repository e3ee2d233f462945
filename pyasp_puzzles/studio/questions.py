"""The questions of the page, and their answers as records: `answer({"ask": "board", "board": {...}})`.

Question  {"ask": "answers", "board": {"puzzle": "sudoku", "givens": [[1, None, ...], ...]}, "rules": None, "limit": 2}
Record    {"kind": "answer", "number": 1, "cells": {"r1c1": "1", ...}, ...}; the last one is {"kind": "end", ...}

Common to all questions are `board`, the keys of a board; `rules`, a text that replaces those of the puzzle; `extra`, a
text of rules that are added; `entries`, what is filled in, as text; and `seconds`, the time limit. Whatever a question
says, it opens no file but those that ship and those of the folders in PYASP_PUZZLES.
"""

from __future__ import annotations

import base64
import io
import re
import zipfile
from functools import cache, cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

from pyasp_puzzles.asp.deadline import Deadline
from pyasp_puzzles.asp.rules import Rules
from pyasp_puzzles.asp.settings import Settings
from pyasp_puzzles.boards.grid import at
from pyasp_puzzles.errors import EncodingError, OutOfTime, PuzzleError, Where, listing, shown
from pyasp_puzzles.formats.data import answer_text, from_keys
from pyasp_puzzles.puzzles.declaration import puzzles
from pyasp_puzzles.puzzles.question import Question, ask, program
from pyasp_puzzles.puzzles.variant import variants_in
from pyasp_puzzles.studio.editing import (
    answer_kind,
    board_record,
    by_name,
    cell_name,
    cell_names,
    picture,
    shipped_rules,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.model.answer import Answer
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.model.review import Broken
    from pyasp_puzzles.model.step import Step
    from pyasp_puzzles.studio.editing import Record


# Seconds of a question that names none, and the most that one may name.
USUAL_SECONDS, MOST_SECONDS = 10, 60
# Seconds to look for errors while somebody types.
DIAGNOSE_SECONDS = 2
# The names of the texts of rules in messages, and so the files that errors are in.
RULES, EXTRA, BOARD = "rules", "extra", "board"
# Boards of a text that are shown, answers that are asked for at once, and answers that are counted for a candidate.
MOST_BOARDS, MOST_ANSWERS, MOST_COUNTED = 200, 100_000, 100
# What can be written besides the formats.
PAGES = {"svg": "A picture of the board.", "steps": "A page with the steps of the explanation."}
_CELL = re.compile(r"r(\d{1,4})c(\d{1,4})")


class Asked:
    """A question: its fields, checked, and what it says of a board."""

    def __init__(self, question: Mapping[str, Any]) -> None:
        self._fields = question
        self.end: Record = {}
        """What the last record says besides."""
        self.late = False
        """Whether time ran out before all was found."""
        seconds = self.number("seconds", USUAL_SECONDS, 0, MOST_SECONDS)
        self.deadline = Deadline(seconds)

    def text(self, name: str, default: str | None = None) -> str:
        """Return a text; a field that is absent or null has the default, if there is one."""
        value = self._fields.get(name)
        if value is None and default is not None:
            return default
        if not isinstance(value, str):
            raise PuzzleError(f"{name} is {shown(value)}, expected a text")
        return value

    def number(self, name: str, default: float, low: float, high: float) -> float:
        """Return a number in a range."""
        value = self._fields.get(name)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise PuzzleError(f"{name} is {shown(value)}, expected a number from {low:g} to {high:g}")
        return value

    def integer(self, name: str, default: int, low: int, high: int) -> int:
        """Return a whole number in a range."""
        return int(self.number(name, default, low, high))

    def flag(self, name: str) -> bool:
        """Return whether a field is true."""
        return self._fields.get(name) is True

    def has(self, name: str) -> bool:
        """Return whether a field is given."""
        return self._fields.get(name) is not None

    def list(self, name: str) -> list[Any]:
        """Return a list; an absent one is empty."""
        value = self._fields.get(name) or []
        if not isinstance(value, list):
            raise PuzzleError(f"{name} is {shown(value)}, expected a list")
        return value

    def cell(self, name: str) -> Cell | None:
        """Return a cell, or None if there is none."""
        if self._fields.get(name) is None:
            return None
        match = _CELL.fullmatch(self.text(name))
        if match is None:
            raise PuzzleError(f"{name} is {shown(self.text(name))}, expected a cell such as r1c2")
        return int(match[1]), int(match[2])

    @cached_property
    def instance(self) -> Instance:
        """The board."""
        keys = self._fields.get("board")
        if not isinstance(keys, dict) or not all(isinstance(key, str) for key in keys):
            raise PuzzleError("board: this is no board, expected an object with its keys")
        name = keys.get("puzzle")
        if not isinstance(name, str):
            raise PuzzleError("board: puzzle is missing, expected the name of a puzzle")
        return from_keys(name, {key: value for key, value in keys.items() if key != "puzzle"}, Where(BOARD), ())

    @property
    def rules(self) -> str | None:
        """The text that replaces the rules of the puzzle; None if it is the same text, or there is none."""
        text = self._fields.get(RULES)
        if text is not None and (not isinstance(text, str) or text == shipped_rules(self.instance.puzzle)):
            return None if isinstance(text, str) else self.text(RULES)
        return text

    @property
    def settings(self) -> Settings:
        """The rules in use, and the time limit."""
        extra = self.text(EXTRA, "")
        return Settings(
            None if self.rules is None else Rules(self.rules, RULES),
            [Rules(extra, EXTRA)] if extra.strip() else [],
            self.deadline,
        )

    @cached_property
    def entries(self) -> Answer | None:
        """What is filled in; None if that is nothing."""
        text = self.text("entries", "")
        if not text.strip():
            return None
        return self.instance.puzzle.kind.read(self.instance, text, Where("entries"))


def answer(question: Mapping[str, Any]) -> Iterator[Record]:
    """Yield the records of a question, as they are found."""
    asked = None
    try:
        asked = Asked(question)
        yield from _asked(asked)
    except OutOfTime:
        assert asked is not None
        asked.late = True
    except PuzzleError as error:
        yield _error(error)
    except MemoryError:
        yield {"kind": "error", "words": "There is not enough memory for it.", "file": "", "line": None}
    except RecursionError:
        yield {"kind": "error", "words": "This is nested too deep.", "file": "", "line": None}
    yield {"kind": "end", "late": asked is not None and asked.late} | (asked.end if asked else {})


def _asked(asked: Asked) -> Iterator[Record]:
    name = asked.text("ask")
    if name not in QUESTIONS:
        raise PuzzleError(f"there is no question {shown(name)}, expected {listing(QUESTIONS)}")
    return QUESTIONS[name](asked)


def _error(error: PuzzleError) -> Record:
    file, line, words = _place(error)
    return {"kind": "error", "words": words, "file": file, "line": line}


def _place(error: PuzzleError) -> tuple[str, int | None, str]:
    """Return the file of an error, as the page names it, its line, and its words."""
    where = error.where
    source, _, key = ("", "", "") if where is None else where.source.partition(": ")
    if where is None or source not in {RULES, EXTRA, BOARD}:
        return "", None, str(error)
    words = f"{key}: {error.message}" if key and not error.message.startswith(key) else error.message
    return source, where.line, words


# -- Boards -------------------------------------------------------------------------------------------


def _catalogue(_asked: Asked) -> Iterator[Record]:
    yield _catalogue_record()


def _catalogue_record() -> Record:
    from pyasp_puzzles.formats.format import formats

    return {
        "kind": "catalogue",
        "puzzles": [{"name": one.name, "summary": one.summary, "answer": answer_kind(one)} for one in puzzles()],
        "boards": _boards(),
        "variants": [
            {"name": one.name, "summary": one.summary, "keys": [key.name for key in one.keys]}
            for one in variants_in().values()
        ],
        "formats": [{"name": one.name, "summary": one.summary} for one in formats().values()]
        + [{"name": name, "summary": words} for name, words in PAGES.items()],
    }


@cache
def _boards() -> list[Record]:
    """Return the boards that ship, each with its title."""
    from pyasp_puzzles.formats.load import iload, shipped

    found = []
    for name in shipped():
        first = next(iload(name))
        found.append({"name": name, "title": first.collection or first.title, "puzzle": first.puzzle.name})
    return found


def _read(asked: Asked) -> Iterator[Record]:
    from pyasp_puzzles.formats.load import load, loads, shipped

    name = asked.text("name", "")
    if name and name not in shipped():
        raise PuzzleError(f"there is no board {shown(name)}")
    boards = load(name) if name else loads(asked.text("text"), BOARD)
    yield from map(board_record, boards[:MOST_BOARDS])


def _board(asked: Asked) -> Iterator[Record]:
    yield board_record(asked.instance)


def _write(asked: Asked) -> Iterator[Record]:
    from pyasp_puzzles.formats.format import dumps
    from pyasp_puzzles.render.svg import svg

    name, instance = asked.text("format"), asked.instance
    lost: list[str] = []
    if name == "svg":
        text = svg(instance.drawing())
    elif name == "steps":
        text = _steps_page(asked)
    else:
        text = dumps(instance, name, lost.append)
    yield {"kind": "text", "text": text, "warnings": lost}


def _steps_page(asked: Asked) -> str:
    from pyasp_puzzles.explanation.explain import explain
    from pyasp_puzzles.explanation.pages import explanation_section
    from pyasp_puzzles.render.pages import page

    steps = [*explain(asked.instance, asked.entries, asked.settings)]
    title = asked.instance.title or asked.instance.puzzle.name
    return page(title, [explanation_section(asked.instance, steps)])


def _facts(asked: Asked) -> Iterator[Record]:
    yield {"kind": "text", "text": program(asked.instance)}


def _links(asked: Asked) -> Iterator[Record]:
    from pyasp_puzzles.formats.format import dumps, formats

    instance, found = asked.instance, []
    for one in formats().values():
        try:
            text = dumps(instance, one.name) if one.line else ""
        except PuzzleError:  # it cannot store what the board is
            continue
        if re.match(r"https?://\S+$", text):
            found.append({"format": one.name, "text": text})
    yield {"kind": "links", "links": found}


def _folder(asked: Asked) -> Iterator[Record]:
    from pyasp_puzzles.formats.format import dumps
    from pyasp_puzzles.puzzles.templates import edited_folder

    puzzle, name = asked.instance.puzzle, asked.text("name")
    rules = asked.rules if asked.rules is not None else shipped_rules(puzzle)
    files = edited_folder(puzzle, name, f"{rules.rstrip()}\n\n{asked.text(EXTRA, '').strip()}".strip() + "\n")
    board = dumps(asked.instance._replace(solution=None), "toml")
    files["first.toml"] = board.replace(f'puzzle = "{puzzle.name}"', f'puzzle = "{name}"', 1)
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for file, text in files.items():
            archive.writestr(f"{name}/{file}", text)
    yield {"kind": "file", "name": f"{name}.zip", "base64": base64.b64encode(data.getvalue()).decode()}


# -- Answers ------------------------------------------------------------------------------------------


def _answers(asked: Asked) -> Iterator[Record]:
    from pyasp_puzzles.queries.candidates import tokens
    from pyasp_puzzles.queries.solve import solutions

    limit = asked.integer("limit", 1, 0, MOST_ANSWERS)
    instance, number = asked.instance, 0
    search = solutions(instance, limit, asked.settings).search
    decode = instance.puzzle.view().decoder(instance)
    for number, atoms in enumerate(search.models(limit), 1):
        found = decode(atoms)
        asked.end |= {"found": number, "complete": False}
        yield {
            "kind": "answer",
            "number": number,
            "cells": by_name(tokens(found)),
            "text": answer_text(found),
            "svg": picture(found.drawing(title=instance.title)),
            "atoms": " ".join(sorted(map(str, atoms))),
        }
    asked.end |= {"found": number, "complete": search.exhausted}
    asked.late = search.timed_out


def _state(asked: Asked) -> Iterator[Record]:
    from pyasp_puzzles.queries.candidates import possible_tokens, tokens, true_candidates

    found = true_candidates(asked.instance, asked.integer("limit", 1, 1, MOST_COUNTED), asked.settings)
    yield {
        "kind": "state",
        "answers": found.answers,
        "decided": by_name(tokens(found.decided)),
        "possible": by_name(possible_tokens(found)),
        "counts": by_name(found.counts),
    }
    asked.late = found.late
    if not found.answers:
        yield _conflict(asked)


def _conflict(asked: Asked) -> Record:
    """Return why there is no answer: what cannot hold together, and the clues of which each, if it went, would help."""
    from pyasp_puzzles.queries.check import check, clash

    verdict = check(asked.instance, asked.settings)
    header, parts = verdict.remarks()
    if verdict.obstruction is not None:
        rules = verdict.obstruction.blocked
    else:
        rules = verdict.clash or clash(asked.instance, asked.settings) or verdict.unfilled or verdict.rules
    fewest = [repair for repair in verdict.repairs if len(repair.clues) == 1] or verdict.repairs[:1]
    clues = [
        {"words": repair.reason.words, "cells": cell_names(clue.cells)} for repair in fewest for clue in repair.clues
    ]
    said = [verdict.words, *(unit.words for unit in verdict.unfilled), header, *(part.words for part in parts[:3])]
    return {"kind": "conflict", "words": " ".join(filter(None, said)), "rules": [*map(_rule, rules)], "clues": clues}


def _rule(rule: Broken) -> Record:
    return {"rule": rule.rule, "words": rule.in_full, "cells": cell_names(rule.cells)}


# -- What is filled in --------------------------------------------------------------------------------


def _review(asked: Asked) -> Iterator[Record]:
    from pyasp_puzzles.queries.review import review

    kind = asked.instance.puzzle.kind
    entries = asked.entries or kind.read(asked.instance, _nothing(asked.instance), Where("entries"))
    found = review(asked.instance, entries, asked.settings, remedy=False)
    yield {
        "kind": "review",
        "status": found.status,
        "words": found.words,
        "broken": [*map(_rule, found.broken)],
        "wrong": cell_names(sorted({cell for entry in found.wrong for cell in entry.cells})),
    }


def _nothing(instance: Instance) -> str:
    """Return the text of an answer with nothing filled in."""
    from pyasp_puzzles.boards.grid import EMPTY, OUTSIDE, by_row

    if answer_kind(instance.puzzle) in {"pieces", "ribbons"}:
        return ""
    cells = dict.fromkeys(instance.printed.cells, EMPTY)
    return "\n".join(map(" ".join, by_row(cells, cells, OUTSIDE)))


def _hint(asked: Asked) -> Iterator[Record]:
    from pyasp_puzzles.explanation.hint import hint

    step = hint(asked.instance, asked.entries, asked.settings)
    concluded = [step.meaning[atom] for atom in (*step.placed, *step.eliminated) if atom in step.meaning]
    cell, value = concluded[0] if step.placed and concluded else (None, None)
    yield {
        "kind": "hint",
        "levels": [*_levels(asked.instance, step, [cell for cell, _ in concluded])],
        "cell": cell and cell_name(cell),
        "value": None if value is None else str(value),
    }


def _levels(instance: Instance, step: Step, concluded: list[Cell]) -> Iterator[Record]:
    """Yield where to look, what is to be found there, and what it is."""
    found = cell_names(step.cells or concluded)
    if step.where:
        before = picture(step.before.drawing(step.where)) if step.before else picture(instance.drawing())
        named = instance.printed.places(step.where, None).values()
        there = cell_names(step.cells or (cell for cells in named for cell in cells))
        yield {"words": step.where, "svg": before, "cells": there}
        places = listing(map(at, dict.fromkeys(concluded)), "and")
        if step.kind in {"peel", "free"}:
            what = "A ribbon can be taken off there."
        elif not concluded:
            what = f"There is a {step.name}." if step.name else "Something follows there."
        elif step.placed:
            what = f"There is a {step.name} at {places}." if step.name else f"You can fill in {places}."
        else:
            what = f"Something can be ruled out at {places}."
        yield {"words": f"{step.where} {what}", "svg": before, "cells": cell_names(concluded) or there}
    elif step.kind == "mistake":
        words = "Something that is filled in is wrong."
        yield {"words": words, "svg": picture(instance.drawing()), "cells": []}
        words = f"What is filled in at {listing(map(at, step.cells), 'and')} is wrong."
        yield {"words": words, "svg": _step_picture(instance, step), "cells": found}
    yield {"words": step.words, "svg": _step_picture(instance, step), "cells": found}


def _step_picture(instance: Instance, step: Step) -> str:
    from pyasp_puzzles.explanation.pages import step_drawing

    return picture(step_drawing(instance, step, instance.drawing()))


def _explain(asked: Asked) -> Iterator[Record]:
    from pyasp_puzzles.explanation.explain import explain
    from pyasp_puzzles.explanation.pages import places

    for step in explain(asked.instance, asked.entries, asked.settings):
        if step.timed_out:
            raise OutOfTime
        yield {
            "kind": "step",
            "number": step.number,
            "step": step.kind,
            "name": step.name,
            "words": step.words,
            "why": list(step.why),
            "svg": _step_picture(asked.instance, step),
            "cells": cell_names(step.cells),
            "places": {words: cell_names(cells) for words, cells in places(asked.instance, step).items()},
            "rules": [*map(str, step.rules)],
            "cost": round(step.cost, 1),
        }


def _resolve(asked: Asked) -> Iterator[Record]:
    from pyasp_puzzles.explanation.resolve import rounds

    before, found = asked.instance.printed.givens.keys(), None
    for number, found in enumerate(rounds(asked.instance, asked.settings), 1):
        if found.status == "unknown":
            raise OutOfTime
        new = found.numbers.values.keys() - before
        before = found.numbers.values.keys()
        many = f"{len(new)} number{'s' * (len(new) != 1)}" if new else "nothing new"
        words = f"Round {number}: {many}; {len(before)} of {len(found.candidates.candidates)} cells are known."
        drawing = found.candidates.drawing(sorted(new), asked.instance.title)
        yield {"kind": "round", "number": number, "words": words, "svg": picture(drawing), "cells": cell_names(new)}
    if found is not None:
        known, every = len(found.numbers.values), len(found.candidates.candidates)
        rules = listing((rule.words for rule in found.contradictions[:3]), "and")
        words = {
            "solved": "Solved: every cell is known, without a guess.",
            "unsolved": f"Unsolved: resolution stops with {known} of {every} cells known. The rest takes a guess.",
            "contradiction": f"Contradiction: this cannot hold any more: {rules}.",
        }[found.status]
        yield {"kind": "resolution", "status": found.status, "words": words}


def _grade(asked: Asked) -> Iterator[Record]:
    from pyasp_puzzles.explanation.grade import grade

    found = grade(asked.instance, asked.settings, resolution=False)
    if found.status == "unknown" and asked.deadline.late():
        raise OutOfTime
    no = {"none": "There is no answer.", "several": "There are several answers.", "unknown": "It cannot be explained."}
    words = f"{found.word[0].upper()}{found.word[1:]}: {found.why}." if found.word else no[found.status]
    yield {"kind": "grade", "word": found.word, "score": found.score, "words": words, "status": found.status}


# -- Rules --------------------------------------------------------------------------------------------


def _diagnose(asked: Asked) -> Iterator[Record]:
    settings = asked.settings._replace(timeout=Deadline(min(DIAGNOSE_SECONDS, asked.deadline.left())))
    try:
        search = ask(asked.instance, settings, Question(asked.instance.puzzle.view().outputs))
    except EncodingError as error:
        yield from _diagnostics("error", [error, *error.others])
        return
    yield from _diagnostics("warning", search.warnings)
    if search.abandoned:
        raise OutOfTime


def _diagnostics(severity: str, errors: Iterable[EncodingError]) -> Iterator[Record]:
    for error in errors:
        file, line, words = _place(error)
        yield {"kind": "diagnostic", "severity": severity, "file": file, "line": line, "words": words}


def _about(asked: Asked) -> Iterator[Record]:
    from pyasp_puzzles.queries.about import rules_about

    # The lines are those of the text that the page shows, even if it is that of several files.
    text = asked.rules if asked.rules is not None else shipped_rules(asked.instance.puzzle)
    settings = asked.settings._replace(encoding=Rules(text, RULES))
    cell = asked.cell("cell")
    line = None if cell else (asked.text("file"), asked.integer("line", 1, 1, 10**6))
    found = rules_about(asked.instance, cell, line, asked.entries, settings)
    rules = [_rule(one.rule) | {"broken": one.broken, "file": one.file, "line": one.line or None} for one in found]
    yield {"kind": "about", "rules": rules}


# -- New boards ---------------------------------------------------------------------------------------


def _make(asked: Asked) -> Iterator[Record]:
    from pyasp_puzzles.generation.generate import generate

    rules, extra = asked.text(RULES, ""), asked.text(EXTRA, "")
    known, names, size = variants_in(), asked.list("variants"), asked.list("size")
    wrong = next((name for name in names if not isinstance(name, str) or name not in known), None)
    if wrong is not None:
        raise PuzzleError(f"there is no variant {shown(wrong)}")
    if len(size) not in {0, 2} or not all(type(side) is int for side in size):
        raise PuzzleError(f"size is {shown(size)}, expected [rows, columns]")
    puzzle = next((one for one in puzzles() if one.name == asked.text("puzzle")), None)
    same = puzzle is not None and rules == shipped_rules(puzzle)
    settings = Settings(
        Rules(rules, RULES) if rules.strip() and not same else None,
        [*(known[name].folder for name in names), *([Rules(extra, EXTRA)] if extra.strip() else [])],
        asked.deadline,
    )
    boards = generate(
        asked.text("puzzle"),
        size=(size[0], size[1]) if size else None,
        grade=asked.text("grade", "") or None,  # type: ignore[arg-type]
        seed=asked.integer("seed", 0, 0, 2**32 - 1) if asked.has("seed") else None,
        symmetric=asked.flag("symmetric"),
        settings=settings,
    )
    yield from map(board_record, islice(boards, 1))


def _minimize(asked: Asked) -> Iterator[Record]:
    from pyasp_puzzles.generation.generate import minimize

    yield board_record(minimize(asked.instance, symmetric=asked.flag("symmetric"), settings=asked.settings))


def _add(asked: Asked) -> Iterator[Record]:
    from pyasp_puzzles.queries.check import check

    verdict = check(asked.instance, asked.settings)
    if verdict.status == "unknown":
        raise OutOfTime
    add = {entry.cells[0]: str(entry.value) for entry in verdict.add if entry.value is not None}
    number = f"{len(add)} clue{'s' * (len(add) != 1)}"
    words = {
        "several": f"{number} would leave one answer." if add else "No clues were found that would leave one answer.",
        "unique": "There is only one answer already.",
        "none": "There is no answer.",
    }.get(verdict.status, verdict.words)
    yield {"kind": "clues", "words": words, "add": by_name(add)}


QUESTIONS: Mapping[str, Callable[[Asked], Iterator[Record]]] = {
    "catalogue": _catalogue,
    "read": _read,
    "board": _board,
    "answers": _answers,
    "state": _state,
    "review": _review,
    "hint": _hint,
    "explain": _explain,
    "resolve": _resolve,
    "grade": _grade,
    "diagnose": _diagnose,
    "about": _about,
    "facts": _facts,
    "make": _make,
    "minimize": _minimize,
    "add": _add,
    "write": _write,
    "links": _links,
    "folder": _folder,
}
