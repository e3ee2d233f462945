"""The commands `explain`, `hint`, `grade` and `resolve`."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Annotated, NamedTuple

from pyasp_puzzles.boards import spans
from pyasp_puzzles.boards.grid import cell_count, cell_place
from pyasp_puzzles.cli import options
from pyasp_puzzles.cli.options import (
    ANSWERS,
    OUTPUT,
    AnyBoardOptions,
    BoardOptions,
    option,
    option_error,
    refuse_options_together,
)
from pyasp_puzzles.cli.output import output_title
from pyasp_puzzles.cli.run import LinesRun, PageRun
from pyasp_puzzles.cli.terminal import ProgressLine, stdout_style
from pyasp_puzzles.errors import PuzzleError
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.record import Outcome
from pyasp_puzzles.render.text import BOLD_CODE, TextStyle

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.model.answer import Answer
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.model.step import Grade, Step
    from pyasp_puzzles.queries.resolve import Resolution
    from pyasp_puzzles.render.pages import PageSection

_GUESS = "Assume V in row R, column C of each board; may be repeated."
_TRY = "Make guesses, depth first, until the board is solved."


class _Form(NamedTuple):
    """How a board's steps or its grade are written."""

    style: TextStyle
    as_json: bool
    page: bool = False
    """Whether they go to a page."""
    pictures: bool = False
    why: bool = False
    where: bool = False
    """Whether to tell only where to look."""


def explain_command(
    run: PageRun,
    boards: AnyBoardOptions,
    brief: options.Brief = False,
    why: options.Why = False,
    jobs: options.Jobs = None,
) -> None:
    """Explain the answer step by step.

    The next step is the one with the least to look at. In the pictures, *4* is new, [4] is a cell that the
    step relies on, (4) is a clue.

    Examples:
      pyasp explain tectonic/seed
      pyasp explain strimko/four --brief
      pyasp explain my.toml --html my.html

    Exit codes: 0 every board was explained to its only answer, 1 some board has several or none
    """
    refuse_options_together({"--html": run.html, "--brief": brief})
    form = _Form(stdout_style(), run.as_json, run.html is not None, not brief, why)
    run.ask(boards, partial(_explained, form=form), "looking for step {next}", jobs)


def _explained(instance: Instance, settings: Settings, progress: ProgressLine, form: _Form) -> Iterator[Outcome]:
    """Yield the output of `explain` for a board."""
    from pyasp_puzzles.explanation.explain import explain
    from pyasp_puzzles.explanation.pages import explanation_section

    steps = progress.each(explain(instance, settings=settings))
    if not form.page:
        if not form.as_json:
            yield Outcome(texts=[output_title(instance, form.style)])
        yield from (_step(step, form) for step in steps)
        return
    shown: list[Step] = []
    try:
        shown.extend(steps)
    except (KeyboardInterrupt, PuzzleError):
        if shown:
            yield Outcome(section=explanation_section(instance, shown))
        raise
    yield Outcome(section=explanation_section(instance, shown))
    yield from (_step(step, form) for step in shown)


def _step(step: Step, form: _Form) -> Outcome:
    """Return a step as data or as text, or where to look for it; neither if it goes to a page."""
    status = "error" if step.refused else step.kind if step.kind == "mistake" else step.status
    outcome = Outcome(status=status, warnings=_warnings([step]), abandoned=step.abandoned)
    if form.as_json:
        return outcome._replace(answers=[step.json()])
    if form.page:
        return outcome
    gap = "\n" if form.pictures and step.number > 1 else ""
    drawn = form.pictures or step.kind == "end"
    hidden, shown = step.hint, partial(step.text, why=form.why)
    return outcome._replace(texts=[f"{gap}{(hidden if form.where else shown)(form.style, pictures=drawn)}\n"])


def _warnings(steps: Iterable[Step]) -> list[str]:
    return [warning.in_full for step in steps for warning in step.warnings]


def hint_command(
    run: LinesRun,
    boards: AnyBoardOptions,
    so_far: options.FilledIn = None,
    more: Annotated[bool, option(OUTPUT, "Print what follows there, and why.", "--more")] = False,
    full: Annotated[bool, option(OUTPUT, "Print what follows and why, with a picture of it.", "--full")] = False,
    why: options.Why = False,
    brief: options.Brief = False,
) -> None:
    """Print where to look next, and with --more or --full what follows there.

    With --answer, the hint continues from what is filled in. If entries are wrong, print which ones to take back.

    Examples:
      pyasp hint tectonic/seed
      pyasp hint tectonic/seed --more
      pyasp hint my.toml --answer so-far.txt --full

    Exit codes: 0 there is a next step, or nothing is left to do, 1 something is wrong
    """
    from pyasp_puzzles.explanation.hint import next_hint

    pictures = not brief and (full or not (more or why))
    form = _Form(stdout_style(), run.as_json, False, pictures, why, where=not (more or full or why))

    def hinted(instance: Instance, answer: Answer | None, settings: Settings) -> Iterator[Outcome]:
        if not form.as_json:
            yield Outcome(texts=[output_title(instance, form.style)])
        yield _step(next_hint(instance, answer, settings), form)

    for instance, answer, timed in run.answers(boards, so_far):
        if not run.tell_all(instance, hinted(instance, answer, timed), ProgressLine("looking for the next step")):
            return


def grade_command(run: PageRun, boards: AnyBoardOptions, jobs: options.Jobs = None) -> None:
    """Print how hard a board is for people.

    It has a score from about 1 to 12, according to the steps that explain it. Where published grades support it, it is
    also easy, medium, hard, very hard or extreme.

    Examples:
      pyasp grade tectonic/seed
      pyasp grade my.toml --html my.html

    Exit codes: 0 every board has a grade, 1 some board has several answers or none
    """
    form = _Form(stdout_style(), run.as_json, run.html is not None)
    run.ask(boards, partial(_graded, form=form), "grading: step {next}", jobs)


def _graded(instance: Instance, settings: Settings, progress: ProgressLine, form: _Form) -> Iterator[Outcome]:
    """Yield the output of `grade` for a board."""
    from pyasp_puzzles.explanation.explain import explain
    from pyasp_puzzles.explanation.grade import grade_steps

    steps: list[Step] = []

    def kept() -> Iterator[Step]:
        for step in progress.each(explain(instance, settings=settings, words=form.page)):
            steps.append(step)
            yield step

    try:
        grade = grade_steps(instance, kept(), settings)
    except (KeyboardInterrupt, PuzzleError):
        if form.page and steps:
            yield Outcome(section=_grade_section(instance, steps, None))
        raise
    refused = next((f"{step.words}\n" for step in steps if step.refused), "")
    title = output_title(instance, form.style)
    yield Outcome(
        [grade.json()] if form.as_json else (),
        () if form.as_json or form.page else [title, refused or _grade_words(grade, form.style)],
        "error" if refused else grade.status,
        section=_grade_section(instance, steps, grade) if form.page else None,
        warnings=_warnings(steps),
        abandoned=any(step.abandoned for step in steps),
    )


def _grade_section(instance: Instance, steps: Sequence[Step], grade: Grade | None) -> PageSection:
    """Return a grade and the steps that it follows from as a section of a page; None if it was interrupted."""
    from pyasp_puzzles.explanation.pages import explanation_section

    lead = _grade_words(grade, TextStyle()).splitlines() if grade else ["It was interrupted, so there is no grade."]
    return explanation_section(instance, steps, lead, "How hard each step is, by its cost.")


def _grade_words(grade: Grade, style: TextStyle) -> str:
    """Return a line: how hard a board is, and why."""
    return f"{style.paint(grade.title, BOLD_CODE)}: {grade.why}\n"


def resolve_command(
    run: LinesRun,
    boards: BoardOptions,
    guess: Annotated[list[str] | None, option(ANSWERS, _GUESS, metavar="R,C,V")] = None,
    searching: Annotated[bool, option(ANSWERS, _TRY, "--search")] = False,
) -> None:
    """Solve by disjunctive syllogism alone.

    This works for puzzles of numbers whose rules have names. It neither searches nor guesses, unless you add --search
    or a --guess.

    Examples:
      pyasp resolve strimko/four
      pyasp resolve strimko/needs-a-guess --guess 1,5,5
      pyasp resolve strimko/needs-a-guess --search

    Exit codes: 0 every board is solved, 1 resolution stops or finds a contradiction
    """
    from pyasp_puzzles.queries.resolve import resolution_tries

    guesses = [_guess(text) for text in guess or ()]

    def resolved(instance: Instance, settings: Settings, _: ProgressLine) -> Iterator[Outcome]:
        made: list[dict[str, object]] = []
        for resolution in resolution_tries(instance, guesses, settings):
            if not made and not run.as_json:
                yield Outcome(texts=[output_title(instance, stdout_style())])
            made.append({"guesses": [*map(list, resolution.guesses)], "status": resolution.status})
            if searching and not run.as_json:
                yield Outcome(texts=[_try_text(resolution, len(resolution.guesses) - len(guesses))])
            if resolution.status == "solved" or not searching:
                break
        answer, text = None, ""
        if run.as_json:
            answer = _resolution_json(resolution) | ({"search": made} if searching else {})
        elif len(made) > 1 and resolution.status not in {"solved", "unknown"}:
            text = "No answer: each guess ends in a contradiction.\n"
        else:
            text = _resolution_text(resolution, stdout_style()) + "\n"
        yield Outcome(
            [answer] if answer else (),
            [text],
            resolution.status,
            warnings=[warning.in_full for warning in resolution.warnings],
            abandoned=resolution.status == "unknown",
        )

    run.ask(boards, resolved, "resolving")


def _guess(text: str) -> tuple[int, int, int]:
    """Return the (row, column, number) of a guess.

    Raises:
        BadParameter: it is not a guess.
    """
    match = re.fullmatch(r"\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*", text)
    if match is None:
        raise option_error("--guess", text, "is not a guess; write ROW,COLUMN,NUMBER")
    row, column, number = map(int, match.groups())
    return row, column, number


def _resolution_json(resolution: Resolution) -> dict[str, object]:
    contradictions = [rule.json() for rule in resolution.contradictions]
    return {
        "status": resolution.status,
        **resolution.numbers.json(),
        **resolution.candidates.json(),
        "contradictions": contradictions,
        "unused": [rule.json() for rule in resolution.unused],
        "disjunctions": resolution.disjunctions,
        "rounds": resolution.rounds,
    }


def _try_text(resolution: Resolution, depth: int) -> str:
    """Return a line with how resolution ends after a guess; empty if the result says so."""
    if not depth:
        return f"{_unsolved(resolution)}\n" if resolution.status == "unsolved" else ""
    row, column, number = resolution.guesses[-1]
    return f"{'  ' * depth}Guess {number} in {cell_place((row, column))}: {resolution.status}\n"


def _unsolved(resolution: Resolution) -> str:
    count, every = len(resolution.numbers.values), len(resolution.candidates.candidates)
    return f"Unsolved: resolution stops with {count} of {cell_count(every)} known."


def _resolution_text(resolution: Resolution, style: TextStyle) -> str:
    """Return how resolution ends, the board, and the candidates of its cells."""
    if resolution.status == "unknown":
        return "Out of time."
    if resolution.status == "solved":
        return f"Solved.{resolution.doubt}\n{resolution.numbers.text(style)}"
    if resolution.status == "unsolved":
        lines = [_unsolved(resolution)]
    else:
        complete = len(resolution.numbers.values) == len(resolution.candidates.candidates)
        lines = [f"Contradiction: {'with these numbers, this cannot hold:' if complete else 'nothing is left of'}"]
        lines += [
            f"{style.paint(rule.rule, BOLD_CODE)}  {rule.words}"
            for rule in resolution.contradictions[: Limits.MOST_CONTRADICTORY]
        ]
        more = len(resolution.contradictions) - Limits.MOST_CONTRADICTORY
        lines += [f"and {more} more"] if more > 0 else []
    marked = {cell for rule in resolution.contradictions for cell in rule.cells}
    beside = style.beside(spans.in_lines([resolution.words, *(rule.words for rule in resolution.contradictions)]))
    boards = [
        resolution.numbers.text(beside),
        "The numbers that each cell may still hold:",
        resolution.candidates.text(beside, marked),
    ]
    return "\n".join([*lines, *boards])
