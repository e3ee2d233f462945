"""The commands `explain`, `hint`, `grade` and `resolve`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import typer

from pyasp_puzzles.boards.grid import cells
from pyasp_puzzles.cli import options
from pyasp_puzzles.cli.options import ANSWERS, OUTPUT, option
from pyasp_puzzles.cli.output import json_line, page_of_sections, title
from pyasp_puzzles.cli.run import ABANDONED, ANSWERED, BAD_INPUT, NO_ANSWER, OUT_OF_TIME, Run, command_run, warn
from pyasp_puzzles.cli.terminal import Progress, message, style, tell, write
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.render.text import BOLD, Style

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.explanation.resolve import Resolution
    from pyasp_puzzles.model.answer import Answer
    from pyasp_puzzles.model.grade import Grade
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.model.step import Step
    from pyasp_puzzles.render.pages import Section

# The exit code by the status of the last step, unless the answer was found.
STEP_CODES = {"several": NO_ANSWER, "none": NO_ANSWER, "unknown": OUT_OF_TIME}

SO_FAR = (
    "A file with what is filled in: a grid, with `.` for an empty cell; for Strata the topmost ribbons, bottom to top;"
    " - for standard input."
)
GUESS = "Assume V in row R, column C of each board; may be repeated."
StepJson = Annotated[bool, option(OUTPUT, "Print JSON Lines, one object per step.", "--json")]
Brief = Annotated[bool, option(OUTPUT, "Print only the sentences, without pictures.", "--brief")]
Why = Annotated[bool, option(OUTPUT, "Also print why each candidate is ruled out.", "--why")]


def explain(
    files: options.Files,
    format: options.As = None,
    as_json: StepJson = False,
    brief: Brief = False,
    why: Why = False,
    html: options.Html = None,
    encoding: options.Encoding = None,
    extra: options.Extra = None,
    puzzles: options.Puzzles = None,
    timeout: options.Timeout = None,
    puzzle: options.Shown = None,
    size: options.Size = None,
    colors: options.Colors = None,
) -> None:
    """Explain the answer step by step.

    The next step is the one with the least to look at. In the pictures, *4* is new, [4] is a cell that the
    step relies on, (4) is a clue.
    """
    from pyasp_puzzles.explanation.explain import explain

    with command_run(as_json=as_json) as run, page_of_sections(html, as_json, brief) as sections:
        search = options.settings(encoding, extra, timeout, puzzles=puzzles)
        shows = options.shows(puzzle, size, colors)
        for instance, timed in run.boards(files, search, format, shows):
            steps = explain(instance, settings=timed)
            if not (
                _write_steps(instance, steps, run, as_json=as_json, pictures=not brief, why=why)
                if sections is None
                else _add_steps(instance, steps, run, sections)
            ):
                return


def _add_steps(instance: Instance, steps: Iterable[Step], run: Run, sections: list[Section]) -> bool:
    """Add the steps of a board to a page, even after an interruption; return the same as `_write_steps`."""
    from pyasp_puzzles.explanation.pages import explanation_section

    found: list[Step] = []
    try:
        with Progress("looking for step {next}") as progress:
            for step in progress.each(steps):
                found.append(step)  # noqa: PERF402 (what was found is kept if this is interrupted)
    finally:
        if found:
            sections.append(explanation_section(instance, found))
    return all(_conclude_step(step, run) for step in found)


def hint(
    file: options.File,
    so_far: Annotated[str | None, typer.Argument(metavar="[SO_FAR]", help=SO_FAR)] = None,
    format: options.As = None,
    more: Annotated[bool, option(OUTPUT, "Print what follows there, and why.", "--more")] = False,
    whole: Annotated[bool, option(OUTPUT, "Print what follows and why, with a picture of it.", "--all")] = False,
    why: Why = False,
    as_json: StepJson = False,
    brief: Brief = False,
    encoding: options.Encoding = None,
    extra: options.Extra = None,
    puzzles: options.Puzzles = None,
    timeout: options.Timeout = None,
    puzzle: options.Shown = None,
    size: options.Size = None,
    colors: options.Colors = None,
) -> None:
    """Print where to look next, and with --more or --all what follows there.

    If entries of SO_FAR are wrong, print which ones to take back.
    """
    from pyasp_puzzles.explanation.hint import next_step

    with command_run(as_json=as_json) as run:
        search = options.settings(encoding, extra, timeout, puzzles=puzzles)
        shows = options.shows(puzzle, size, colors)
        questions: Iterable[tuple[Instance, Answer | None, Settings]]
        if so_far is None:
            questions = ((board, None, timed) for board, timed in run.boards([file], search, format, shows))
        else:
            questions = run.answers(file, so_far, search, format, shows)
        for instance, answer, timed in questions:
            steps = (next_step(instance, answer, timed) for _ in range(1))  # not before the title is written
            pictures = not brief and (whole or not (more or why))
            where = not (more or whole or why)
            if not _write_steps(instance, steps, run, as_json=as_json, pictures=pictures, why=why, where=where):
                return


def _write_steps(
    instance: Instance,
    steps: Iterable[Step],
    run: Run,
    *,
    as_json: bool,
    pictures: bool,
    why: bool = False,
    where: bool = False,
) -> bool:
    """Write the steps of a board as they are found, or where to look; return whether another board can be started."""
    if not as_json:
        tell(title(instance, style()))
    with Progress("looking for step {next}") as progress:
        for step in progress.each(steps):
            if as_json:
                write(json_line(instance, step.json()))
            else:
                gap = "\n" if pictures and step.number > 1 else ""
                drawn = pictures or step.kind == "end"
                text = step.hint(style(), pictures=drawn) if where else step.text(style(), pictures=drawn, why=why)
                tell(f"{gap}{text}\n")
            if not _conclude_step(step, run):
                return False
    return True


def _conclude_step(step: Step, run: Run) -> bool:
    """Set the exit code for a step, and write its warnings; return whether another board can be started."""
    warn(step.warnings)
    code = NO_ANSWER if step.kind == "mistake" else STEP_CODES.get(step.status, ANSWERED)
    run.at_least(BAD_INPUT if step.refused else code)
    if step.abandoned:
        message(ABANDONED)
    return not step.abandoned


def grade(
    files: options.Files,
    format: options.As = None,
    as_json: options.Json = False,
    html: options.Html = None,
    encoding: options.Encoding = None,
    extra: options.Extra = None,
    puzzles: options.Puzzles = None,
    timeout: options.Timeout = None,
    puzzle: options.Shown = None,
    size: options.Size = None,
    colors: options.Colors = None,
) -> None:
    """Print how hard a board is for people.

    It is easy, medium, hard, very hard or extreme, with a score from about 1 to 10, according to the steps that explain
    it.
    """
    from pyasp_puzzles.explanation.explain import explain
    from pyasp_puzzles.explanation.grade import grade_steps

    with command_run(as_json=as_json) as run, page_of_sections(html, as_json) as sections:
        search = options.settings(encoding, extra, timeout, puzzles=puzzles)
        shows = options.shows(puzzle, size, colors)
        for instance, timed in run.boards(files, search, format, shows):
            steps: list[Step] = []
            found: Grade | None = None
            try:
                with Progress("grading: step {next}") as progress:
                    found = grade_steps(instance, _kept(progress.each(explain(instance, settings=timed)), steps), timed)
            finally:
                if sections is not None and (found or steps):
                    sections.append(_grade_section(instance, steps, found))
            run.at_least(STEP_CODES.get(found.status, ANSWERED))
            if as_json:
                write(json_line(instance, found.json()))
            elif sections is None:
                refused = next((f"{step.words}\n" for step in steps if step.refused), "")
                tell(title(instance, style()) + (refused or _grade_text(found, style())))
            if not all(_conclude_step(step, run) for step in steps):
                return


def _kept(steps: Iterable[Step], taken: list[Step]) -> Iterator[Step]:
    """Yield steps, and add each to a list, which keeps them if this is interrupted."""
    for step in steps:
        taken.append(step)
        yield step


def _grade_section(instance: Instance, steps: Sequence[Step], grade: Grade | None) -> Section:
    """Return a grade and the steps that it follows from as a section of a page; None if it was interrupted."""
    from pyasp_puzzles.explanation.pages import explanation_section

    lead = _grade_text(grade, Style()).splitlines() if grade else ["It was interrupted, so there is no grade."]
    return explanation_section(instance, steps, lead, "How hard each step is, by its cost.")


def _grade_text(grade: Grade, style: Style) -> str:
    """Return in one line how hard a board is, why, and what its steps need at most."""
    reasons = {
        "several": "there are several answers",
        "none": "there is no answer",
        "unknown": "it was not explained to the end",
    }
    score = style.paint(f"{grade.word[:1].upper()}{grade.word[1:]} {grade.score:.1f}", BOLD)
    lead = score if grade.word else f"{style.paint('No grade', BOLD)}: {reasons[grade.status]}"
    return f"{': '.join([lead, *([grade.why] if grade.word else [])])}\n"


def resolve(
    file: options.File,
    format: options.As = None,
    guess: Annotated[list[str] | None, option(ANSWERS, GUESS, metavar="R,C,V")] = None,
    as_json: options.Json = False,
    encoding: options.Encoding = None,
    extra: options.Extra = None,
    puzzles: options.Puzzles = None,
    timeout: options.Timeout = None,
) -> None:
    """Solve by disjunctive syllogism alone.

    This works for Strimko, Sudoku and Tectonic. It neither searches nor guesses, unless you add a --guess.
    """
    from pyasp_puzzles.explanation.resolve import resolve

    with command_run(as_json=as_json) as run:
        search = options.settings(encoding, extra, timeout, puzzles=puzzles)
        guesses = [_guess(text) for text in guess or ()]
        for instance, timed in run.boards([file], search, format):
            found = resolve(instance, guesses, timed)
            warn(found.warnings)
            if as_json:
                write(json_line(instance, _resolution_json(found)))
            else:
                tell(title(instance, style()) + _resolution_text(found, style()) + "\n")
            run.at_least({"solved": ANSWERED, "unknown": OUT_OF_TIME}.get(found.status, NO_ANSWER))
            if found.status == "unknown":
                message(ABANDONED)
                return


def _guess(text: str) -> tuple[int, int, int]:
    """Return the (row, column, number) of a guess.

    Raises:
        BadParameter: it is not a guess.
    """
    match = re.fullmatch(r"\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*", text)
    if match is None:
        from pyasp_puzzles.errors import shown

        raise typer.BadParameter(f"--guess {shown(text)} is not a guess; write ROW,COLUMN,NUMBER")
    row, column, number = map(int, match.groups())
    return row, column, number


def _resolution_json(found: Resolution) -> dict[str, object]:
    contradictions = [rule.json() for rule in found.contradictions]
    return {
        "status": found.status,
        **found.numbers.json(),
        **found.candidates.json(),
        "contradictions": contradictions,
    }


def _resolution_text(found: Resolution, style: Style) -> str:
    """Return how resolution ends, the board, and the candidates of its cells."""
    if found.status == "unknown":
        return "Out of time."
    if found.status == "solved":
        return f"Solved.\n{found.numbers.text(style)}"
    if found.status == "unsolved":
        known, every = len(found.numbers.values), len(found.candidates.candidates)
        lines = [f"Unsolved: resolution stops with {known} of {cells(every)} known."]
    else:
        lines = ["Contradiction: nothing is left of"]
        lines += [
            f"{style.paint(rule.rule, BOLD)}  {rule.words}"
            for rule in found.contradictions[: Limits.MOST_CONTRADICTORY]
        ]
        more = len(found.contradictions) - Limits.MOST_CONTRADICTORY
        lines += [f"and {more} more"] if more > 0 else []
    marked = {cell for rule in found.contradictions for cell in rule.cells}
    beside = style.beside("\n".join(lines))
    boards = [
        found.numbers.text(beside),
        "The numbers that each cell may still hold:",
        found.candidates.text(beside, marked),
    ]
    return "\n".join([*lines, *boards])
