"""The questions of the page, and their answers as records: `answer_question({"ask": "board", "board": {...}})`.

Question  {"ask": "answers", "board": {"puzzle": "sudoku", "givens": [[1, None, ...], ...]}, "rules": None, "limit": 2}
Record    {"kind": "answer", "number": 1, "cells": {"r1c1": "1", ...}, ...}; the last one is {"kind": "end", ...}

Every question may have:

board    the keys of a board
rules    a text that replaces the rules of its puzzle
extra    a text of rules that are added
edits    {"thermometer.lp": "..."}: texts in place of the rules of variants
entries  what is filled in, as text or as the page has it; see `editing.studio_answer`
seconds  the time limit

A question opens no files but those that ship and those of the folders in PYASP_PUZZLES.
"""

from __future__ import annotations

import base64
import binascii
import io
import zipfile
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

from pyasp_puzzles.asp.deadline import Deadline
from pyasp_puzzles.asp.diagnostics import slow_rule_diagnostic
from pyasp_puzzles.asp.rules import Rules
from pyasp_puzzles.asp.settings import NUMBER_OF_SEEDS, Settings
from pyasp_puzzles.asp.symbols import cell_of_symbols
from pyasp_puzzles.boards import spans
from pyasp_puzzles.boards.grid import EMPTY, cell_name, cell_named, grid_extent, grouped
from pyasp_puzzles.boards.toml import DETAILS, Table
from pyasp_puzzles.errors import EncodingError, OutOfTime, PuzzleError, Where, listing, shown
from pyasp_puzzles.explanation.deduction import deduced_exclusions
from pyasp_puzzles.explanation.explain import explain
from pyasp_puzzles.explanation.grade import grade
from pyasp_puzzles.explanation.hint import hint, hint_levels
from pyasp_puzzles.explanation.pages import explanation_drawing, explanation_section
from pyasp_puzzles.formats.format import Shows, Text, dumped_links, dumps, formats
from pyasp_puzzles.formats.load import iload, load, loads, shipped_instances, shipped_table
from pyasp_puzzles.generation.generate import generate
from pyasp_puzzles.generation.minimize import minimize
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.puzzles import declaration, questions, templates
from pyasp_puzzles.puzzles.board import board_from_keys
from pyasp_puzzles.puzzles.declaration import find_puzzle, variants_in, variants_of
from pyasp_puzzles.puzzles.keys.editing import keys_of_new_board
from pyasp_puzzles.puzzles.lines import Lines, answer_line_pair, answer_line_text
from pyasp_puzzles.puzzles.questions import Question, facts_program
from pyasp_puzzles.queries.about import cells_about, forbidden_about, rules_about
from pyasp_puzzles.queries.check import check, check_conflict
from pyasp_puzzles.queries.resolve import resolution_rounds
from pyasp_puzzles.queries.review import review
from pyasp_puzzles.queries.solve import candidate_texts, true_candidates
from pyasp_puzzles.render.pages import page, page_spans
from pyasp_puzzles.render.svg import svg
from pyasp_puzzles.studio.editing import OWN_VARIANT as OWN
from pyasp_puzzles.studio.editing import (
    own_declaration,
    own_folder,
    own_keys,
    studio_answer,
    studio_answer_kind,
    studio_board,
    studio_cells,
    studio_clue_removals,
    studio_lines,
    studio_svg,
    studio_values,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.generation.generate import HowMany
    from pyasp_puzzles.model.answer import Answer
    from pyasp_puzzles.model.puzzle import Instance, Puzzle
    from pyasp_puzzles.model.review import Broken
    from pyasp_puzzles.queries.about import Origin
    from pyasp_puzzles.studio.editing import Own, Record

# At most so many boards of a text are shown, answers are sent at once, and answers have a picture and a text.
_MOST_BOARDS_READ = 200
_MOST_ANSWERS_ASKED = 100_000
_MOST_ANSWERS_DRAWN = 200
# At most so many boards are made for one question.
_MOST_MADE = 12
# At most so many answers are counted for a candidate.
_MOST_COUNTED = 100
# Seconds to look for errors in rules while somebody types.
_DIAGNOSE_SECONDS = 2


# The largest number of a line.
_MOST_LINES = 10**6

# The names of the texts of rules in messages, and so the files that errors are in.
_RULES, _EXTRA, _BOARD = "rules", "extra", "board"
# The names that can be written in addition to the formats.
_PAGES = {"svg": "A picture of the board.", "steps": "A page with the steps of the explanation."}


class _Asked:
    """A question: its fields, checked, and its board, entries and rules."""

    def __init__(self, question: Mapping[str, Any]) -> None:
        self.fields = Table(question, {}, Where("question"))
        self.end: Record = {}
        """Further keys of the last record."""
        self.late = False
        """Whether time ran out before all was found."""
        self.deadline = Deadline(self.number("seconds", Limits.QUESTION_SECONDS, 0, Limits.MOST_QUESTION_SECONDS))

    def text(self, name: str, default: str | None = None) -> str:
        """Return a text; if it is absent and there is no default, that is an error."""
        text = self.fields.get(name, str)
        if text is None and default is None:
            raise self.fields.missing(name, "a text")
        return default or "" if text is None else text

    def number(self, name: str, default: float, low: float, high: float) -> float:
        """Return a number in a range."""
        value: object = self.fields.get(name, object)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise self.fields.wrong(name, shown(value), f"a number from {low:g} to {high:g}")
        return value

    @cached_property
    def instance(self) -> Instance:
        """The board."""
        keys = self.fields.get(_BOARD, dict) or {}
        name = keys.get("puzzle")
        if not isinstance(name, str) or not all(isinstance(key, str) for key in keys):
            raise self.fields.error("board: expected an object with the puzzle and the keys of a board")
        folders = (own_folder(self.own),) if self.own else ()
        return board_from_keys(
            name, {key: value for key, value in keys.items() if key != "puzzle"}, Where(_BOARD), folders
        )

    @property
    def own(self) -> Own:
        """The keys that were made in the page."""
        given: object = self.fields.get("own", object)
        try:
            return own_keys(given) if given else ()
        except (ValueError, KeyError, TypeError):
            raise self.fields.wrong("own", shown(given), 'keys such as [{"name": "ring", "kind": "line"}]') from None

    @cached_property
    def entries(self) -> Answer | None:
        """What is filled in; None if nothing is."""
        given: object = self.fields.get("entries", object)
        if isinstance(given, dict):
            with suppress(AttributeError, KeyError, TypeError, ValueError):
                return studio_answer(self.instance, given)
            raise self.fields.wrong("entries", shown(given), 'an object such as {"cells": {"r1c2": "5"}}')
        text = self.text("entries", "")
        return self.instance.puzzle.kind.read(self.instance, text, Where("entries")) if text.strip() else None

    @property
    def edits(self) -> dict[str, str]:
        """Texts in place of the rules of variants, by the names of their files."""
        given: Mapping[str, object] = self.fields.get("edits", dict) or {}
        edits = {name: text for name, text in given.items() if isinstance(name, str) and isinstance(text, str)}
        if len(edits) < len(given):
            raise self.fields.wrong("edits", shown(given), 'an object such as {"thermometer.lp": "..."}')
        return edits

    @property
    def settings(self) -> Settings:
        """The rules in use, and the time limit."""
        return self.settings_for(self.instance.puzzle.rules_text, self.instance.variants)

    def settings_for(self, usual: str, variants: Sequence[str]) -> Settings:
        """Return the settings for a puzzle with these rules; an equal text is left out, as files are faster."""
        rules, extra = self.fields.get(_RULES, str), self.text(_EXTRA, "")
        encoding = None if rules is None or rules == usual else Rules(rules, _RULES)
        files = [f"{name}.lp" for name in variants]
        added = [Rules(self.edits[file], file) for file in files if file in self.edits]
        return Settings(encoding, [*([Rules(extra, _EXTRA)] if extra.strip() else []), *added], self.deadline)

    @property
    def rules(self) -> str:
        """The text of the rules in place, as the page shows it."""
        encoding = self.settings.encoding
        return encoding.text if isinstance(encoding, Rules) else self.instance.puzzle.rules_text


def answer_question(question: Mapping[str, Any]) -> Iterator[Record]:
    """Yield the records of a question, as they are found."""
    end: Record = {"kind": "end", "late": False}
    try:
        asked = _Asked(question)
        name = asked.text("ask")
        if name not in QUESTIONS:
            yield {"kind": "error", "words": f"there is no question {shown(name)}", "file": "", "line": None}
        else:
            yield from QUESTIONS[name](asked)
            end |= asked.end | {"late": asked.late}
    except OutOfTime:
        end |= asked.end | {"late": True}
    except PuzzleError as error:
        yield {"kind": "error"} | _place(error, question.get("edits"))
    except RecursionError:
        yield {"kind": "error", "words": "This is nested too deep.", "file": "", "line": None}
    yield end


def _place(error: PuzzleError, edits: object) -> Record:
    """Return the words of an error, its file, as the page names it, and its line."""
    source, _, key = ("" if error.where is None else error.where.source).partition(": ")
    texts = {_RULES, _EXTRA, _BOARD, *(edits if isinstance(edits, dict) else ())}
    if error.where is None or source not in texts:
        return {"words": str(error), "file": "", "line": None}
    text = f"{key}: {error.message}" if key and not error.message.startswith(key) else error.message
    return {"words": text, "file": source, "line": error.where.line}


# -- Boards -------------------------------------------------------------------------------------------


def _catalogue(_asked: _Asked) -> Iterator[Record]:
    variants, puzzles = variants_in().values(), {puzzle.name: puzzle for puzzle in declaration.puzzles()}
    written = {
        known_format.name: known_format.summary for known_format in formats().values() if known_format.name != "picture"
    } | _PAGES  # the page has PNG
    yield {
        "kind": "catalogue",
        "puzzles": [
            {
                "name": puzzle.name,
                "aliases": [*puzzle.aliases],
                "summary": puzzle.summary,
                "answer": studio_answer_kind(puzzle),
            }
            | {"colors": any(key.kind.role == "tiles" for key in puzzle.keys)}
            | {"grades": puzzle.grades.words if puzzle.grades else []}
            for puzzle in puzzles.values()
        ],
        "boards": [*_boards(puzzles)],
        "variants": [
            {"name": variant.name, "summary": variant.summary, "keys": [key.name for key in variant.keys]}
            | {"tool": variant.keys[0].kind.tool if variant.keys else "", "common": variant.common}
            for variant in variants
        ],
        "formats": [{"name": name, "summary": summary} for name, summary in written.items()],
    }


def _boards(puzzles: Mapping[str, Puzzle]) -> Iterator[Record]:
    """Yield the boards that ship, each with its title and its size; of those with a grid, only the grid is read."""
    for name in shipped_instances():
        keys, _ = shipped_table(name)
        puzzle = puzzles[keys["puzzle"]]
        if keys.keys() - {"puzzle", *DETAILS}:
            cells = [cell for cell, _, _ in puzzle.grid(Table(keys, {}, Where(name))).cells()]
        else:
            cells = [*next(iload(name)).cells]
        yield {"name": name, "title": keys.get("title", ""), "puzzle": puzzle.name, "size": [*grid_extent(cells)]}


def _read(asked: _Asked) -> Iterator[Record]:
    name, new = asked.text("name", ""), asked.text("new", "")
    rows, columns = (int(asked.number(side, 1, 1, Limits.LONGEST_SIDE)) for side in ("rows", "columns"))
    if picture := asked.text("picture", ""):
        shows = Shows(asked.text("as"), (rows, columns))
        with suppress(binascii.Error):
            picture_ = Text("", Where(_BOARD), data=base64.b64decode(picture), shows=shows)
            yield from map(studio_board, formats()["picture"].read(picture_))
        return
    if new:
        yield studio_board(
            board_from_keys(new, keys_of_new_board(find_puzzle(new).keys, rows, columns), Where(_BOARD), ())
        )
        return
    if name and name not in shipped_instances():
        raise PuzzleError(f"there is no board {shown(name)}")
    boards = load(name) if name else loads(asked.text("text"), _BOARD, asked.text("as", "") or None)
    yield from map(studio_board, boards[:_MOST_BOARDS_READ])


def _board(asked: _Asked) -> Iterator[Record]:
    record = studio_board(asked.instance)
    record["lines"] |= studio_lines(record["schema"], asked.fields.get(_BOARD, dict) or {})  # as they are written there
    yield record


def _closed(asked: _Asked) -> Iterator[Record]:
    """Yield the cells with a clue that cannot be shaded, such as those with a number in Nurikabe."""
    view, instance = asked.instance.puzzle.view(), asked.instance
    search = questions.ask(instance, asked.settings, Question(view.outputs))
    asked.late = not search.usable
    atoms = [atom for name, arity in view.signatures() if arity == 2 for atom in search.atoms(name, 2)]
    shaded = {cell_of_symbols(atom.arguments) for atom in atoms}
    if search.usable:
        yield {"kind": "closed", "cells": studio_cells(sorted({*instance.printed.texts} - shaded))}


def _thumbnails(asked: _Asked) -> Iterator[Record]:
    for number, board in enumerate(asked.fields.get("boards", list) or []):
        with suppress(PuzzleError):  # such as a board that is being set
            instance = (
                next(iload(board))
                if board in shipped_instances()
                else _Asked(board if isinstance(board, dict) else {}).instance
            )
            yield {
                "kind": "thumbnail",
                "index": number,
                "svg": svg(instance.drawing(), css=False, axes=False, places=True),
            }


def _write(asked: _Asked) -> Iterator[Record]:
    name, instance = asked.text("format"), asked.instance
    lost: list[str] = []
    if name == "steps":
        steps = [*explain(instance, asked.entries, asked.settings)]
        text = page(instance.title or instance.puzzle.name, [explanation_section(instance, steps)])
    else:
        text = svg(instance.drawing()) if name == "svg" else dumps(instance, name, lost.append)
    yield {"kind": "text", "text": text, "warnings": lost}


def _facts(asked: _Asked) -> Iterator[Record]:
    yield {"kind": "text", "text": facts_program(asked.instance)}


def _links(asked: _Asked) -> Iterator[Record]:
    links = dumped_links(asked.instance)
    yield {"kind": "links", "links": [{"format": name, "text": text} for name, text in links.items()]}


def _folder(asked: _Asked) -> Iterator[Record]:
    puzzle, name = asked.instance.puzzle, asked.text("name")
    edited = [variant for variant in asked.instance.variants if f"{variant}.lp" in asked.edits]
    texts = [asked.rules, asked.text(_EXTRA, ""), *(asked.edits[f"{variant}.lp"] for variant in edited)]
    rules = "\n\n".join(filter(None, map(str.strip, texts)))
    files = templates.edited_files(puzzle, name, f"{rules}\n", [variants_of(puzzle)[variant] for variant in edited])
    files["puzzle.toml"] += f"\n{own_declaration(asked.own)}" if asked.own else ""
    in_folder = {*edited, *([OWN] if asked.own else [])}
    variants = tuple(variant for variant in asked.instance.variants if variant not in in_folder)
    board = dumps(asked.instance._replace(solution=None, variants=variants), "toml")
    files["first.toml"] = board.replace(f'puzzle = "{puzzle.name}"', f'puzzle = "{name}"', 1)
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for file, text in files.items():
            archive.writestr(f"{name}/{file}", text.encode(errors="replace"))
    yield {"kind": "file", "name": f"{name}.zip", "base64": base64.b64encode(data.getvalue()).decode()}


# -- Answers ------------------------------------------------------------------------------------------


def _answers(asked: _Asked) -> Iterator[Record]:
    most = _MOST_ANSWERS_ASKED
    limit, skip = (int(asked.number(name, least, 0, most)) for name, least in (("limit", 1), ("skip", 0)))
    drawn = asked.number("drawn", _MOST_ANSWERS_DRAWN, 0, most)
    instance, number, view = asked.instance, 0, asked.instance.puzzle.view()
    # A shared grounding finds answers in another order each time, so the next page would not continue this one.
    search = questions.ask(
        instance, asked.settings, Question(view.outputs, given=view.shows, files=view.files, pruning="all")
    )
    decode = view.decoder(instance)
    for number, atoms in enumerate(search.models(limit + skip if limit else 0), 1):
        if asked.deadline.late():  # many answers may wait to be read
            raise OutOfTime
        if number <= skip:
            continue
        answer = decode(atoms)
        asked.end |= {"found": number, "complete": False}
        record: Record = {"kind": "answer", "number": number, "cells": studio_values(candidate_texts(answer))}
        if number <= skip + drawn:  # to draw an answer takes six times as long as to find it
            text = instance.puzzle.kind.typed(instance, answer.json())
            record |= {"text": text, "svg": studio_svg(answer.drawing(title=instance.title))}
            record |= {"atoms": " ".join(sorted(map(str, atoms)))}
        yield record
    asked.end |= {"found": number, "complete": search.exhausted}
    asked.late = search.timed_out


def _state(asked: _Asked) -> Iterator[Record]:
    candidates = true_candidates(asked.instance, int(asked.number("limit", 1, 0, _MOST_COUNTED)), asked.settings)
    yield {
        "kind": "state",
        "answers": candidates.answers,
        "decided": studio_values(candidate_texts(candidates.decided)),
        "lines": candidates.decided.typed().split() if isinstance(candidates.decided, Lines) else [],
        "possible": studio_values(candidates.possible),
        "counts": studio_values(candidates.counts),
    }
    asked.late = candidates.late
    if not candidates.answers:
        yield {"kind": "conflict", "words": "No answer.", "rules": []}
        # Clues that would help are found faster than why there is no answer.
        half = asked.settings._replace(timeout=Deadline(asked.settings.deadline().left() / 2))
        with suppress(OutOfTime):
            yield from studio_clue_removals(asked.instance, half)
        why = check_conflict(asked.instance, asked.settings)
        text = "No answer." if why.clues else why.words
        yield {"kind": "conflict", "words": text, "rules": [*map(_rule, _one_of_each(why.rules))]}


def _one_of_each(rules: Sequence[Broken]) -> Iterator[Broken]:
    """Yield one rule about each set of cells, and how many more there are."""
    for first, *rest in grouped((rule.cells, rule) for rule in rules).values():
        more = f", and {len(rest)} more about these cells" if rest else ""
        yield first._replace(words=f"{first.words}{more}", rule="" if more else first.rule)


def _rule(rule: Broken) -> Record:
    return {"rule": rule.rule, "words": rule.in_full, "cells": studio_cells(rule.cells)}


# -- What is filled in --------------------------------------------------------------------------------


def _review(asked: _Asked) -> Iterator[Record]:
    if asked.entries is None:
        yield {"kind": "review", "status": "right", "words": "Nothing is filled in.", "broken": [], "wrong": []}
        return
    checked, kind = review(asked.instance, asked.entries, asked.settings, remedy=False), asked.instance.puzzle.kind
    if checked.status == "right" and kind.two_valued:  # few people mark what is not shaded
        typed = kind.typed(asked.instance, asked.entries.json()).replace(EMPTY, "o")
        whole = kind.read(asked.instance, typed, Where("entries"))
        completed = review(asked.instance, whole, asked.settings, remedy=False)
        checked = completed if completed.status == "solved" else checked
    asked.late = checked.status == "unknown"
    yield {
        "kind": "review",
        "status": checked.status,
        "words": checked.words,
        "broken": [*map(_rule, checked.broken)],
        "wrong": studio_cells(sorted({cell for entry in checked.wrong for cell in entry.cells})),
    }


def _marks(asked: _Asked) -> Iterator[Record]:
    given: dict[str, Any] = asked.fields.get("marks", dict) or {}
    marks = {cell: given[name] for cell in asked.instance.printed.cells if (name := cell_name(cell)) in given}
    if not all(isinstance(tokens, list) for tokens in marks.values()):
        raise asked.fields.wrong("marks", shown(given), 'an object such as {"r1c2": ["1", "2"]}')
    filled = asked.entries.cells() if asked.entries else {}
    values = {cell: value for cell, value in filled.items() if value is not None}
    yield {
        "kind": "marks",
        "excluded": studio_values(deduced_exclusions(asked.instance, values, marks, asked.settings)),
    }


def _hint(asked: _Asked) -> Iterator[Record]:
    passed = int(asked.number("passed", 0, 0, 1000))
    step = hint(asked.instance, asked.entries, asked.settings)
    if passed and step.kind != "mistake":
        steps = explain(asked.instance, asked.entries, asked.settings)
        step = next(islice(steps, passed, None), step)
        if step.timed_out:
            raise OutOfTime
    levels = [
        {"words": text, "spans": page_spans(text)}
        | {name: studio_cells(cells) for name, cells in zip(("cells", "goal", "seen"), lit, strict=True)}
        for text, *lit in hint_levels(asked.instance, step)
    ]
    shades, fill = asked.instance.puzzle.kind.two_valued, dict[str, str]()
    lines: list[str] = []
    for atom in (*step.placed, *step.eliminated, *step.plain) if step.kind in {"placement", "elimination"} else ():
        (cell, value), holds = step.display.meaning[atom], atom in step.placed
        pair, number = answer_line_pair(str(value))
        if pair is not None:
            lines += [answer_line_text(pair, number if holds else 0)] if holds or number == 1 else []
        elif shades or (holds and studio_answer_kind(asked.instance.puzzle) == "numbers"):
            fill[cell_name(cell)] = ("x" if holds else "o") if shades else str(value)
    more = step.kind in {"placement", "elimination", "peel", "free"}
    causes = [(step.display.meaning.get(why.atom), step.display.meaning.get(why.by)) for why in step.reasons if why.by]
    rays = dict.fromkeys((cell_name(by[0]), cell_name(of[0])) for of, by in causes if of and by and of[0] != by[0])
    yield {"kind": "hint", "levels": levels, "fill": fill, "lines": lines, "more": more, "rays": [*map(list, rays)]}


def _explain(asked: _Asked) -> Iterator[Record]:
    instance = asked.instance
    clues = instance.drawing()
    for step in explain(instance, asked.entries, asked.settings):
        if step.timed_out:
            raise OutOfTime
        why = spans.in_lines([*step.listed, *step.why])
        yield {
            "kind": "step",
            "number": step.number,
            "step": step.kind,
            "name": step.name,
            "words": step.words,
            "spans": page_spans(step.words),
            "why": why,
            "why_spans": page_spans(why),
            "svg": studio_svg(explanation_drawing(instance, step, clues)),
            "cells": studio_cells(step.cells),
            "rules": [*map(str, step.rules)],
            "cost": round(step.cost, 1),
        }


def _resolve(asked: _Asked) -> Iterator[Record]:
    known, resolution = asked.instance.printed.givens.keys(), None
    for number, resolution in enumerate(resolution_rounds(asked.instance, asked.settings), 1):
        if resolution.status == "unknown":
            raise OutOfTime
        new, known = resolution.numbers.values.keys() - known, resolution.numbers.values.keys()
        amount = f"{len(new)} number{'s' * (len(new) != 1)}" if new else "nothing new"
        text = f"Round {number}: {amount}; {len(known)} of {len(resolution.candidates.candidates)} cells are known."
        numbers = {cell: (value,) for cell, value in resolution.numbers.values.items()}
        candidates = replace(resolution.candidates, candidates={**resolution.candidates.candidates, **numbers})
        drawing = candidates.drawing(sorted(new), asked.instance.title)
        yield {
            "kind": "round",
            "number": number,
            "words": text,
            "svg": studio_svg(drawing),
            "cells": studio_cells(new),
        }
    if resolution is not None:
        yield {"kind": "resolution", "status": resolution.status, "words": resolution.words}


def _grade(asked: _Asked) -> Iterator[Record]:
    graded = grade(asked.instance, asked.settings, resolution=False)
    if graded.status == "unknown" and asked.deadline.late():
        raise OutOfTime
    label = "" if graded.ungraded else graded.title.lower()
    text = f"{graded.title}: {graded.why}."
    yield {"kind": "grade", "word": graded.name, "label": label, "words": text, "status": graded.status}


# -- Rules --------------------------------------------------------------------------------------------


def _diagnose(asked: _Asked) -> Iterator[Record]:
    settings = asked.settings._replace(timeout=Deadline(min(_DIAGNOSE_SECONDS, asked.deadline.left())))
    severity, diagnostics = "warning", list[EncodingError]()
    try:
        question = Question(asked.instance.puzzle.view().outputs)
        search = questions.ask(asked.instance, settings, question)
        diagnostics, asked.late = [*search.warnings], search.abandoned
        if search.abandoned:
            rules = questions.program(asked.instance, asked.settings, question)
            raise slow_rule_diagnostic(*rules, _DIAGNOSE_SECONDS) or OutOfTime
    except EncodingError as error:
        severity, diagnostics = "error", [error, *error.others]
    for diagnostic in diagnostics:
        column, fault = diagnostic.where and diagnostic.where.column, diagnostic.fault and diagnostic.fault._asdict()
        yield (
            {"kind": "diagnostic", "severity": severity}
            | _place(diagnostic, asked.edits)
            | {"column": column, "fault": fault}
        )


def _shown(asked: _Asked) -> Settings:
    """Return the rules in use, with those of the puzzle as the one text that the page shows."""
    return asked.settings._replace(encoding=Rules(asked.rules, _RULES))


def _cell(asked: _Asked) -> Cell | None:
    name = asked.text("cell", "")
    cell = cell_named(name)
    if name and not cell:
        raise asked.fields.wrong("cell", shown(name), "a cell such as r1c2")
    return cell


def _lines(asked: _Asked) -> Origin:
    first = int(asked.number("line", 1, 1, _MOST_LINES))
    return asked.text("file"), first, int(asked.number("last", first, 1, _MOST_LINES))


def _about(asked: _Asked) -> Iterator[Record]:
    cell = _cell(asked)
    about = rules_about(asked.instance, cell, None if cell else _lines(asked), asked.entries, _shown(asked))
    rules = [
        _rule(entry.rule) | {"words": entry.rule.words, "broken": entry.broken, "file": file, "line": line}
        for entry in about
        for file, line, _ in (entry.origins or (("", None, None),))[:1]
    ]
    yield {"kind": "about", "rules": rules}


def _sizes(asked: _Asked) -> Iterator[Record]:
    """Yield how often each rule applies, and on how many sets of cells; `single` if each of these is one cell."""
    sizes = [
        {"file": file, "first": first, "last": last, "instances": len(cells), "places": len({*cells})}
        | {"single": all(len(place) == 1 for place in cells)}
        for (file, first, last), cells in cells_about(asked.instance, _shown(asked)).items()
    ]
    yield {"kind": "sizes", "sizes": sizes}


def _forbids(asked: _Asked) -> Iterator[Record]:
    cell = _cell(asked)
    if cell is None:
        raise asked.fields.missing("cell", "a cell such as r1c2")
    forbidden, left = forbidden_about(asked.instance, cell, _lines(asked), asked.entries, _shown(asked))
    values = [
        {"value": value.value, "absent": value.absent, "words": value.words, "cells": studio_cells(value.cells)}
        for value in forbidden
    ]
    yield {"kind": "forbids", "values": values, "left": left}


# -- New boards ---------------------------------------------------------------------------------------


def _make(asked: _Asked) -> Iterator[Record]:
    fields, declared = asked.fields, variants_in()
    size = tuple(fields.array("size", int, "whole numbers") or ())
    puzzle, names = find_puzzle(asked.text("puzzle")), fields.array("variants", str, "names") or []
    unknown = [name for name in names if name not in declared]
    if unknown or len(size) not in {0, 2}:
        problem = f"there is no variant {listing(map(shown, unknown))}" if unknown else "size: expected [rows, columns]"
        raise fields.error(problem)
    settings = asked.settings_for(puzzle.rules_text, names)
    number = int(asked.number("number", 1, 1, _MOST_MADE))
    boards = generate(
        puzzle.name,
        number,
        size=(size[0], size[1]) if size else None,
        grade=asked.text("grade", "") or None,  # type: ignore[arg-type]
        seed=None if fields.get("seed", int) is None else int(asked.number("seed", 0, 0, NUMBER_OF_SEEDS - 1)),
        symmetric=bool(fields.get("symmetric", bool)),
        like=asked.instance if fields.get("like", bool) else None,
        givens=_count(asked, "givens", fields.get("givens", object)),
        use={name: _count(asked, "use", number) for name, number in (fields.get("use", dict) or {}).items()},
        cells=_count(asked, "cells", fields.get("cells", object)),
        cover=bool(fields.get("cover", bool)),
        sides=fields.array("sides", str, "sides") or (),
        lines=asked.text("lines", "touch"),  # type: ignore[arg-type]
        all_dots=bool(fields.get("all_dots", bool)),
        numbers=_numbers(asked) if fields.get("answer", bool) else None,
        settings=settings._replace(extra=[*settings.extra, *(str(declared[name].folder) for name in names)]),
    )
    yield from map(studio_board, islice(boards, number))


def _numbers(asked: _Asked) -> Mapping[Cell, int]:
    """Return the numbers on the board, printed and filled in, which are those of the answer."""
    return {**asked.instance.printed.givens, **(asked.entries.values if asked.entries else {})}


def _count(asked: _Asked, name: str, value: Any) -> HowMany | None:  # noqa: ANN401 (what JSON has)
    """Return how many clues or cells are wanted: a number, or the least and the most; None for any number."""
    numbers = value if isinstance(value, list) else [value, value]
    if value is None:
        return None
    if [type(number) for number in numbers] != [int, int] or not 0 <= numbers[0] <= numbers[1]:
        raise asked.fields.wrong(name, shown(value), "a number, or an array of the least and the most")
    return numbers[0], numbers[1]


def _minimize(asked: _Asked) -> Iterator[Record]:
    symmetric = bool(asked.fields.get("symmetric", bool))
    yield studio_board(minimize(asked.instance, symmetric=symmetric, settings=asked.settings))


def _add(asked: _Asked) -> Iterator[Record]:
    verdict = check(asked.instance, asked.settings)
    if verdict.status == "unknown":
        raise OutOfTime
    add = {entry.cells[0]: str(entry.value) for entry in verdict.add if entry.value is not None}
    text = {"unique": "There is one answer already.", "none": "There is no answer."}.get(verdict.status, verdict.words)
    if verdict.status == "several":
        number = f"{len(add)} clue{'s' * (len(add) != 1)}" if add else "No clues were found that"
        text = f"{number} would leave one answer."
    yield {"kind": "clues", "words": text, "add": studio_values(add)}


def _by_name(*functions: Any) -> dict[str, Any]:  # noqa: ANN401 (of one `_Asked` each)
    return {function.__name__.removeprefix("_"): function for function in functions}


QUESTIONS = (
    _by_name(_catalogue, _read, _board, _closed, _thumbnails, _write, _facts, _links, _folder)
    | _by_name(_answers, _state, _review, _marks, _hint, _explain, _resolve, _grade)
    | _by_name(_diagnose, _about, _sizes, _forbids, _make, _minimize, _add)
)
