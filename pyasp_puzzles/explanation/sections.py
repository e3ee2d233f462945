"""Explanations as sections of a page: the clues, each step, and the end."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pyasp_puzzles.puzzles.layout import layout
from pyasp_puzzles.render.pages import Section, View

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyasp_puzzles.puzzles.puzzle import Instance
    from pyasp_puzzles.puzzles.step import Step
    from pyasp_puzzles.render.svg import Drawing

ENDS = {
    "unique": "from the clues to the only answer",
    "solved": "from the clues to an answer",
    "several": "as far as the clues lead",
    "none": "from the clues to a contradiction",
    "unknown": "before it ended",
}
"""Where steps lead, by the status of the last one."""


def explanation_section(
    instance: Instance, steps: Sequence[Step], lead: Sequence[str] = (), chart: str = ""
) -> Section:
    """Return the steps of a board as a section: the first view has the clues alone.

    Args:
        instance: the board.
        steps: all steps, or the first ones.
        lead: paragraphs above the board.
        chart: what is said below a chart of what each step costs; without it there is no chart.
    """
    clues = instance.drawing()
    title = instance.title or instance.puzzle.name
    if not steps:
        return Section(title, [View("", [clues])], lead)
    number = sum(step.kind != "end" for step in steps)
    end = ENDS[steps[-1].status if steps[-1].kind == "end" else "unknown"]
    words = f"The clues. There {'is 1 step' if number == 1 else f'are {number} steps'} {end}."
    views = [View(words, [clues], label="Start")]
    for step in steps:
        last = step.kind == "end"
        views.append(
            View(
                step.words,
                [_drawing(instance, step, clues)],
                [str(rule) for rule in step.rules],
                step.why,
                "End" if last else str(step.number),
                0 if last else max(1.0, round(step.cost, 1)),
            )
        )
    return Section(title, views, lead, steps=True, chart=chart)


def _drawing(instance: Instance, step: Step, clues: Drawing) -> Drawing:
    """Return the board at a step, with frames around labels that it follows from.

    If there is no picture of a step, the clues have its cells marked.
    """
    found = step.drawing() or replace(clues, marked=step.cells)
    labels = layout(instance).labels_of(map(str, step.rules))
    return replace(found, framed=dict.fromkeys(labels, "premise")) if labels else found
