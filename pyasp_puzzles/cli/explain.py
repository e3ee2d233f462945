"""The commands `explain`, `hint`, `grade` and `resolve`."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from pyasp_puzzles.boards.grid import at, cells
from pyasp_puzzles.cli import options
from pyasp_puzzles.cli.options import ANSWERS, MANY_BOARDS, OUTPUT, option
from pyasp_puzzles.cli.output import json_line, page_of_sections, title
from pyasp_puzzles.cli.run import (
    ABANDONED,
    ANSWERED,
    BAD_INPUT,
    NO_ANSWER,
    OUT_OF_TIME,
    SEVERITY,
    Run,
    command_run,
    read,
)
from pyasp_puzzles.cli.terminal import Progress, message, style, tell, write
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.render.text import BOLD, Style

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.cli.jobs import Item, Told
    from pyasp_puzzles.explanation.resolve import Resolution
    from pyasp_puzzles.formats.format import Shows
    from pyasp_puzzles.model.answer import Answer
    from pyasp_puzzles.model.grade import Grade
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.model.step import Step
    from pyasp_puzzles.render.pages import Section

# The exit code by the status of the last step, unless the answer was found.
STEP_CODES = {"several": NO_ANSWER, "none": NO_ANSWER, "unknown": OUT_OF_TIME}

JOBS = "Work on N boards at a time, each in a process; a board that kills its process is reported."
GUESS = "Assume V in row R, column C of each board; may be repeated."
SEARCH = "Make guesses, depth first, until the board is solved."
StepJson = Annotated[bool, option(OUTPUT, "Print JSON Lines, one object per step.", "--json")]
Brief = Annotated[bool, option(OUTPUT, "Print only the sentences, without pictures.", "--brief")]
Why = Annotated[bool, option(OUTPUT, "Also print why each candidate is ruled out.", "--why")]
Jobs = Annotated[int | None, option(MANY_BOARDS, JOBS, min=1, max=1024, metavar="N")]


class Form(NamedTuple):
    """The form in which a board's steps or its grade are told."""

    style: Style
    as_json: bool
    page: bool = False
    """Whether they go to a page."""
    pictures: bool = False
    why: bool = False
    where: bool = False
    """Whether only where to look is told."""


def explain(
    files: options.Files,
    format: options.As = None,
    as_json: StepJson = False,
    brief: Brief = False,
    why: Why = False,
    html: options.Html = None,
    force: options.Force = False,
    jobs: Jobs = None,
    encoding: options.Encoding = None,
    extra: options.Extra = None,
    puzzles: options.Puzzles = None,
    timeout: options.Timeout = None,
    puzzle: options.Shown = None,
    size: options.Size = None,
    colors: options.Colors = None,
    angle: options.Angle = None,
) -> None:
    """Explain the answer step by step.

    The next step is the one with the least to look at. In the pictures, *4* is new, [4] is a cell that the
    step relies on, (4) is a clue.
    """
    from pyasp_puzzles.explanation.explain import explain

    with command_run(as_json=as_json) as run, page_of_sections(html, as_json, brief, force=force) as sections:
        search = options.settings(encoding, extra, timeout, puzzles=puzzles)
        shows = options.shows(puzzle, size, colors, angle)
        form = Form(style(), as_json, sections is not None, not brief, why)
        if jobs is not None:
            _tell_all(run, files, search, format, shows, partial(explained, settings=search, form=form), jobs, sections)
            return
        for instance, timed in run.boards(files, search, format, shows):
            steps = explain(instance, settings=timed)
            if not (
                _write_steps(instance, steps, run, form)
                if sections is None
                else _add_steps(instance, steps, run, sections)
            ):
                return


def explained(instance: Instance, settings: Settings, form: Form) -> Told:
    """Return what `explain` says of a board; this runs in a worker."""
    from pyasp_puzzles.explanation.explain import explain
    from pyasp_puzzles.explanation.pages import explanation_section

    steps = list(explain(instance, settings=settings))
    section = explanation_section(instance, steps) if form.page else None
    lines = [] if form.page else [_step_text(instance, step, form) for step in steps]
    return _told(steps, "".join(["" if form.as_json or form.page else title(instance, form.style), *lines]), section)


def _told(steps: Iterable[Step], text: str, section: Section | None) -> Told:
    """Return what is said of a board, with what follows from its steps."""
    from pyasp_puzzles.cli.jobs import Told

    codes, messages = [ANSWERED], []
    for step in steps:
        codes.append(_step_code(step))
        messages += [f"warning: {warning.in_full}" for warning in step.warnings]
    spent = any(step.abandoned for step in steps)
    return Told(text, section, max(codes, key=SEVERITY.index), tuple(messages), spent)


def _tell_all(
    run: Run,
    files: Sequence[str],
    search: Settings,
    format: str | None,
    shows: Shows | None,
    ask: Callable[[Instance], Told],
    jobs: int,
    sections: list[Section] | None,
) -> None:
    """Write what workers say of all boards, or add it to a page."""
    from pyasp_puzzles.cli.jobs import told_in_order, with_pauses
    from pyasp_puzzles.formats.format import check_format
    from pyasp_puzzles.formats.load import STDIN

    check_format(format, search.puzzles)
    boards: Iterable[Item] = read(files, search, format, shows)
    if {"-", STDIN} & set(files):
        boards = with_pauses(boards)
    with Progress("working on board {next}") as progress:
        for told in progress.each(told_in_order(run, boards, ask, jobs, as_json=run.as_json)):
            if told.section is not None and sections is not None:
                sections.append(told.section)
            (write if run.as_json else tell)(told.text)
            for one in told.messages:
                run.once(one)
            run.at_least(told.code)


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
    files: options.Files,
    format: options.As = None,
    so_far: options.FilledIn = None,
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
    angle: options.Angle = None,
) -> None:
    """Print where to look next, and with --more or --all what follows there.

    The next step is after what --answer has filled in. If entries of it are wrong, print which ones to take back.
    """
    from pyasp_puzzles.explanation.hint import next_step

    with command_run(as_json=as_json) as run:
        search = options.settings(encoding, extra, timeout, puzzles=puzzles)
        shows = options.shows(puzzle, size, colors, angle)
        questions: Iterable[tuple[Instance, Answer | None, Settings]]
        if so_far is None:
            questions = ((board, None, timed) for board, timed in run.boards(files, search, format, shows))
        else:
            questions = run.answers(files, so_far, search, format, shows)
        for instance, answer, timed in questions:
            steps = (next_step(instance, answer, timed) for _ in range(1))  # not before the title is written
            pictures = not brief and (whole or not (more or why))
            form = Form(style(), as_json, False, pictures, why, where=not (more or whole or why))
            if not _write_steps(instance, steps, run, form):
                return


def _write_steps(instance: Instance, steps: Iterable[Step], run: Run, form: Form) -> bool:
    """Write the steps of a board as they are found, or where to look; return whether another board can be started."""
    if not form.as_json:
        tell(title(instance, form.style))
    with Progress("looking for step {next}") as progress:
        for step in progress.each(steps):
            (write if form.as_json else tell)(_step_text(instance, step, form))
            if not _conclude_step(step, run):
                return False
    return True


def _step_text(instance: Instance, step: Step, form: Form) -> str:
    """Return a step, or where to look for it, as it is written."""
    if form.as_json:
        return json_line(instance, step.json())
    gap = "\n" if form.pictures and step.number > 1 else ""
    drawn = form.pictures or step.kind == "end"
    hidden, shown = step.hint, partial(step.text, why=form.why)
    return f"{gap}{(hidden if form.where else shown)(form.style, pictures=drawn)}\n"


def _conclude_step(step: Step, run: Run) -> bool:
    """Set the exit code for a step, and write its warnings; return whether another board can be started."""
    run.warn(warning.in_full for warning in step.warnings)
    run.at_least(_step_code(step))
    if step.abandoned:
        message(ABANDONED)
    return not step.abandoned


def _step_code(step: Step) -> int:
    """Return the exit code for a step."""
    code = NO_ANSWER if step.kind == "mistake" else STEP_CODES.get(step.status, ANSWERED)
    return BAD_INPUT if step.refused else code


def grade(
    files: options.Files,
    format: options.As = None,
    as_json: options.Json = False,
    html: options.Html = None,
    force: options.Force = False,
    jobs: Jobs = None,
    encoding: options.Encoding = None,
    extra: options.Extra = None,
    puzzles: options.Puzzles = None,
    timeout: options.Timeout = None,
    puzzle: options.Shown = None,
    size: options.Size = None,
    colors: options.Colors = None,
    angle: options.Angle = None,
) -> None:
    """Print how hard a board is for people.

    It is easy, medium, hard, very hard or extreme, with a score from about 1 to 10, according to the steps that explain
    it.
    """
    from pyasp_puzzles.explanation.explain import explain
    from pyasp_puzzles.explanation.grade import grade_steps

    with command_run(as_json=as_json) as run, page_of_sections(html, as_json, force=force) as sections:
        search = options.settings(encoding, extra, timeout, puzzles=puzzles)
        shows = options.shows(puzzle, size, colors, angle)
        form = Form(style(), as_json, sections is not None)
        if jobs is not None:
            _tell_all(run, files, search, format, shows, partial(graded, settings=search, form=form), jobs, sections)
            return
        for instance, timed in run.boards(files, search, format, shows):
            steps: list[Step] = []
            found: Grade | None = None
            try:
                with Progress("grading: step {next}") as progress:
                    every = progress.each(explain(instance, settings=timed, words=form.page))
                    found = grade_steps(instance, _kept(every, steps), timed)
            finally:
                if sections is not None and (found or steps):
                    sections.append(_grade_section(instance, steps, found))
            run.at_least(STEP_CODES.get(found.status, ANSWERED))
            (write if as_json else tell)(_grade_text(instance, steps, found, form))
            if not all(_conclude_step(step, run) for step in steps):
                return


def graded(instance: Instance, settings: Settings, form: Form) -> Told:
    """Return what `grade` says of a board; this runs in a worker."""
    from pyasp_puzzles.explanation.explain import explain
    from pyasp_puzzles.explanation.grade import grade_steps

    settings = settings.started()
    steps: list[Step] = []
    found = grade_steps(instance, _kept(explain(instance, settings=settings, words=form.page), steps), settings)
    section = _grade_section(instance, steps, found) if form.page else None
    told = _told(steps, _grade_text(instance, steps, found, form), section)
    code = max(told.code, STEP_CODES.get(found.status, ANSWERED), key=SEVERITY.index)
    return told._replace(code=code)


def _kept(steps: Iterable[Step], taken: list[Step]) -> Iterator[Step]:
    """Yield steps, and add each to a list, which keeps them if this is interrupted."""
    for step in steps:
        taken.append(step)
        yield step


def _grade_section(instance: Instance, steps: Sequence[Step], grade: Grade | None) -> Section:
    """Return a grade and the steps that it follows from as a section of a page; None if it was interrupted."""
    from pyasp_puzzles.explanation.pages import explanation_section

    lead = _grade_words(grade, Style()).splitlines() if grade else ["It was interrupted, so there is no grade."]
    return explanation_section(instance, steps, lead, "How hard each step is, by its cost.")


def _grade_text(instance: Instance, steps: Iterable[Step], grade: Grade, form: Form) -> str:
    """Return the grade of a board as it is written; nothing if it goes to a page."""
    if form.as_json:
        return json_line(instance, grade.json())
    if form.page:
        return ""
    refused = next((f"{step.words}\n" for step in steps if step.refused), "")
    return title(instance, form.style) + (refused or _grade_words(grade, form.style))


def _grade_words(grade: Grade, style: Style) -> str:
    """Return in one line how hard a board is, why, and what its steps need at most."""
    score = style.paint(f"{grade.word[:1].upper()}{grade.word[1:]} {grade.score:.1f}", BOLD)
    lead = score if grade.word else f"{style.paint('No grade', BOLD)}: {grade.ungraded}"
    return f"{': '.join([lead, *([grade.why] if grade.word else [])])}\n"


def resolve(
    files: options.Files,
    format: options.As = None,
    guess: Annotated[list[str] | None, option(ANSWERS, GUESS, metavar="R,C,V")] = None,
    searching: Annotated[bool, option(ANSWERS, SEARCH, "--search")] = False,
    as_json: options.Json = False,
    encoding: options.Encoding = None,
    extra: options.Extra = None,
    puzzles: options.Puzzles = None,
    timeout: options.Timeout = None,
) -> None:
    """Solve by disjunctive syllogism alone.

    This works for puzzles of numbers whose rules have names. It neither searches nor guesses, unless you add --search
    or a --guess.
    """
    from pyasp_puzzles.explanation.resolve import tries

    with command_run(as_json=as_json) as run:
        search = options.settings(encoding, extra, timeout, puzzles=puzzles)
        guesses = [_guess(text) for text in guess or ()]
        for instance, timed in run.boards(files, search, format):
            made: list[dict[str, object]] = []
            for found in tries(instance, guesses, timed):
                if not made and not as_json:
                    tell(title(instance, style()))
                made.append({"guesses": [*map(list, found.guesses)], "status": found.status})
                if searching and not as_json:
                    tell(_try_text(found, len(found.guesses) - len(guesses)))
                if found.status == "solved" or not searching:
                    break
            run.warn(warning.in_full for warning in found.warnings)
            if as_json:
                write(json_line(instance, _resolution_json(found) | ({"search": made} if searching else {})))
            elif len(made) > 1 and found.status not in {"solved", "unknown"}:
                tell("No answer: each guess ends in a contradiction.\n")
            else:
                tell(_resolution_text(found, style()) + "\n")
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
        "disjunctions": found.disjunctions,
        "rounds": found.rounds,
    }


def _try_text(found: Resolution, depth: int) -> str:
    """Return how resolution ends after a guess as a line; nothing where the result follows."""
    if not depth:
        return f"{_unsolved(found)}\n" if found.status == "unsolved" else ""
    row, column, number = found.guesses[-1]
    return f"{'  ' * depth}Guess {number} in {at((row, column))}: {found.status}\n"


def _unsolved(found: Resolution) -> str:
    known, every = len(found.numbers.values), len(found.candidates.candidates)
    return f"Unsolved: resolution stops with {known} of {cells(every)} known."


def _resolution_text(found: Resolution, style: Style) -> str:
    """Return how resolution ends, the board, and the candidates of its cells."""
    if found.status == "unknown":
        return "Out of time."
    if found.status == "solved":
        return f"Solved.\n{found.numbers.text(style)}"
    if found.status == "unsolved":
        lines = [_unsolved(found)]
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
