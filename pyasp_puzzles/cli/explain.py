"""The commands `explain`, `hint`, `grade` and `resolve`, and how their results are written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import typer

from pyasp_puzzles.boards.grid import cells
from pyasp_puzzles.cli.boards import ABANDONED, all_timed, instances, timed, warn
from pyasp_puzzles.cli.exit import ANSWERED, NO_ANSWER, OUT_OF_TIME, Ending, complain, ending, style, write
from pyasp_puzzles.cli.options import Encoding, Extra, File, Files, Json, Puzzles, Timeout, settings
from pyasp_puzzles.cli.output import json_line, title
from pyasp_puzzles.cli.progress import progress
from pyasp_puzzles.render.text import BOLD, Style

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.explanation.grade import Grade
    from pyasp_puzzles.explanation.resolve import Resolution
    from pyasp_puzzles.puzzles.answer import Answer
    from pyasp_puzzles.puzzles.puzzle import Instance
    from pyasp_puzzles.puzzles.step import Step

    Write = Callable[[str], object]


class StepWriter:
    """Writes the steps of a board.

    Args:
        write: what takes the text.
        style: how it is decorated.
        as_json: whether to write a JSON object a step and line.
        pictures: whether to draw the board beside each sentence.
    """

    def __init__(self, write: Write, style: Style, *, as_json: bool, pictures: bool = True) -> None:
        self._write, self._style = write, style
        self._as_json, self._pictures = as_json, pictures

    def begin(self, instance: Instance) -> None:
        """Write which board it is."""
        if not self._as_json:
            self._write(title(instance, self._style))

    def step(self, instance: Instance, step: Step) -> None:
        """Write a step."""
        if self._as_json:
            self._write(json_line(instance, step.json()))
            return
        pictures = self._pictures or step.kind == "end"
        gap = "\n" if self._pictures and step.number > 1 else ""
        self._write(gap + step.text(self._style, pictures=pictures) + "\n")


def write_grade(instance: Instance, grade: Grade, write: Write, style: Style, *, as_json: bool) -> None:
    """Write how hard a board is, and why."""
    if as_json:
        write(json_line(instance, grade.json()))
        return
    unique = {
        "several": "there are several answers",
        "none": "there is no answer",
        "unknown": "it was not explained to the end",
    }
    word = grade.word or f"no grade: {unique[grade.status]}"
    size = "1 rule" if grade.largest == 1 else f"{grade.largest} rules"
    lines = [style.paint(word[:1].upper() + word[1:], BOLD)]
    lines += (
        []
        if grade.status == "none"
        else [
            f"{grade.steps} steps, {grade.beyond} of them by more than one rule; the largest takes {size}",
        ]
    )
    says = {"solved": "Resolution solves it.", "unsolved": "Resolution does not solve it: it needs a guess."}
    lines += [says[grade.resolution]] if grade.resolution in says else []
    write(title(instance, style) + "\n".join(lines) + "\n")


MOST_RULES = 12
"""Rules that are listed one by one."""


def write_resolution(instance: Instance, found: Resolution, write: Write, style: Style, *, as_json: bool) -> None:
    """Write how far resolution comes on a board: its end, the board, and the numbers that its cells may still hold."""
    if as_json:
        said = {"status": found.status, **found.board.json(), **found.candidates.json()}
        write(json_line(instance, said | {"contradictions": [rule.json() for rule in found.contradictions]}))
        return
    write(title(instance, style) + "\n".join(_lines(found, style)) + "\n")


def _lines(found: Resolution, style: Style) -> list[str]:
    if found.status == "unknown":
        return ["Out of time."]
    board = found.board.text(style)
    if found.status == "solved":
        return ["Solved.", board]
    if found.status == "unsolved":
        known, every = len(found.board.values), len(found.candidates.candidates)
        lines = [f"Unsolved: resolution stops with {known} of {cells(every)} known."]
    else:
        lines = ["Contradiction: nothing is left of"]
        lines += [f"{style.paint(rule.rule, BOLD)}  {rule.words}" for rule in found.contradictions[:MOST_RULES]]
        more = len(found.contradictions) - MOST_RULES
        lines += [f"and {more} more"] if more > 0 else []
    marked = {cell for rule in found.contradictions for cell in rule.cells}
    return [*lines, board, "The numbers that each cell may still hold:", found.candidates.text(style, marked)]


StepJson = Annotated[bool, typer.Option("--json", help="Print one JSON object a step and line.")]
Brief = Annotated[bool, typer.Option("--brief", help="Only the sentences, no pictures.")]


def explain(
    files: Files,
    as_json: StepJson = False,
    brief: Brief = False,
    encoding: Encoding = None,
    extra: Extra = None,
    puzzles: Puzzles = None,
    timeout: Timeout = None,
) -> None:
    """Lead from the clues to the answer, step by step, each by the fewest rules and cells that force it.

    In the pictures, *4* follows, [4] is what it rests on, (4) is a clue.
    """
    from pyasp_puzzles.explanation.explain import explain

    with ending(as_json=as_json) as end:
        how = settings(encoding, extra, timeout, puzzles=puzzles)
        writer = StepWriter(write, style(), as_json=as_json, pictures=not brief)
        for instance, left in timed(instances(files, end, puzzles=how.puzzles), how):
            if not _tell(instance, explain(instance, left), writer, end):
                return


def hint(
    file: File,
    so_far: Annotated[
        str | None,
        typer.Argument(
            metavar="[SO_FAR]",
            help="A file with what is filled in so far: a grid, `.` where nothing is; for Strata the ribbons at the top"
            " of the pile, bottom to top; - for standard input.",
            show_default=False,
        ),
    ] = None,
    as_json: StepJson = False,
    brief: Brief = False,
    encoding: Encoding = None,
    extra: Extra = None,
    puzzles: Puzzles = None,
    timeout: Timeout = None,
) -> None:
    """Give the next step only, not the answer; or say which entries of SO_FAR to take back, if some are wrong."""
    from pyasp_puzzles.explanation.hint import next_step
    from pyasp_puzzles.formats.answers import read_answers

    with ending(as_json=as_json) as end:
        how = settings(encoding, extra, timeout, puzzles=puzzles)
        writer = StepWriter(write, style(), as_json=as_json, pictures=not brief)
        runs: Iterable[tuple[Instance, Answer | None, Settings]]
        if so_far is None:
            runs = ((board, None, left) for board, left in timed(instances([file], end, puzzles=how.puzzles), how))
        else:
            boards, left = all_timed(instances([file], end, puzzles=how.puzzles), how)
            runs = [(board, given, left) for board, given in (read_answers(boards, so_far) if boards else ())]
        for instance, answer, left in runs:
            end.board = instance
            if not _tell(instance, (next_step(instance, answer, left) for _ in range(1)), writer, end):
                return


def grade(
    files: Files,
    as_json: Json = False,
    encoding: Encoding = None,
    extra: Extra = None,
    puzzles: Puzzles = None,
    timeout: Timeout = None,
) -> None:
    """Say how hard a puzzle is for a person: easy, medium, hard or very hard, and by which steps."""
    from pyasp_puzzles.explanation.explain import explain
    from pyasp_puzzles.explanation.grade import NO_ANSWER as NONE
    from pyasp_puzzles.explanation.grade import graded
    from pyasp_puzzles.queries.solve import unsolvable

    with ending(as_json=as_json) as end:
        how = settings(encoding, extra, timeout, puzzles=puzzles)
        for instance, left in timed(instances(files, end, puzzles=how.puzzles), how):
            with progress("grading: step") as line:
                none = unsolvable(instance, left)
                steps = [] if none else list(line.each(explain(instance, left)))
                found = NONE if none else graded(instance, steps, left)
            end.at_least(NO_ANSWER if none else ANSWERED)
            write_grade(instance, found, write, style(), as_json=as_json)
            if not all(_note(step, end) for step in steps):
                return


_CODES = {"several": NO_ANSWER, "none": NO_ANSWER, "unknown": OUT_OF_TIME}
"""The exit codes of explanations that do not end in the answer."""


def _tell(instance: Instance, steps: Iterable[Step], writer: StepWriter, end: Ending) -> bool:
    """Write the steps of a board as they come; return whether others may follow."""
    writer.begin(instance)
    with progress("looking for step") as line:
        for step in line.each(steps):
            writer.step(instance, step)
            if not _note(step, end):
                return False
    return True


def _note(step: Step, end: Ending) -> bool:
    """Note what a step means for the exit code, and say what is to be said; return whether others may follow."""
    warn(step.warnings)
    end.at_least(NO_ANSWER if step.kind == "mistake" else _CODES.get(step.status, ANSWERED))
    if step.abandoned:
        complain(ABANDONED)
    return not step.abandoned


def resolve(
    file: File,
    guess: Annotated[
        list[str] | None,
        typer.Option(
            metavar="R,C,V", help="Assume V in row R, column C of each board; may be repeated.", show_default=False
        ),
    ] = None,
    as_json: Json = False,
    encoding: Encoding = None,
    extra: Extra = None,
    puzzles: Puzzles = None,
    timeout: Timeout = None,
) -> None:
    """Say how far disjunctive syllogism alone comes on a Strimko, Sudoku or Tectonic: no guess, no search."""
    from pyasp_puzzles.explanation.resolve import resolve

    with ending(as_json=as_json) as end:
        how = settings(encoding, extra, timeout, puzzles=puzzles)
        guesses = [_guess(text) for text in guess or ()]
        for instance, left in timed(instances([file], end, puzzles=how.puzzles), how):
            found = resolve(instance, guesses, left)
            warn(found.warnings)
            write_resolution(instance, found, write, style(), as_json=as_json)
            end.at_least({"solved": ANSWERED, "unknown": OUT_OF_TIME}.get(found.status, NO_ANSWER))
            if found.status == "unknown":
                complain(ABANDONED)
                return


def _guess(text: str) -> tuple[int, int, int]:
    """Return the guess that a text is.

    Raises:
        BadParameter: it is none.
    """
    match = re.fullmatch(r"\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*", text)
    if match is None:
        from pyasp_puzzles.errors import shown

        raise typer.BadParameter(f"--guess {shown(text)} is no guess, expected ROW,COLUMN,NUMBER")
    row, column, number = map(int, match.groups())
    return row, column, number
