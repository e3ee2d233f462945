"""The commands that explain: explain, hint, grade."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from .boards import ABANDONED, all_timed, instances, timed, warn
from .ending import ANSWERED, NO_ANSWER, OUT_OF_TIME, Ending, complain, ending, style, write
from .options import Encoding, Extra, File, Files, Json, Puzzles, Timeout, settings
from .progress import progress

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyasp_puzzles.puzzle import Answer, Instance
    from pyasp_puzzles.settings import Settings
    from pyasp_puzzles.step import Step
    from pyasp_puzzles.steps_report import StepWriter

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
    from pyasp_puzzles.explaining import explain
    from pyasp_puzzles.steps_report import StepWriter

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
    from pyasp_puzzles.answer_file import read_answers
    from pyasp_puzzles.hinting import next_step
    from pyasp_puzzles.steps_report import StepWriter

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
    from pyasp_puzzles.explaining import explain
    from pyasp_puzzles.grading import NO_ANSWER as NONE
    from pyasp_puzzles.grading import graded
    from pyasp_puzzles.query import unsolvable
    from pyasp_puzzles.steps_report import write_grade

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
