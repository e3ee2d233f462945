"""The steps of an explanation as a section of a page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.model.step import Step
    from pyasp_puzzles.render.pages import PageSection
    from pyasp_puzzles.render.svg import Drawing


# Where steps lead, by the status of the last one.
_ENDS = {
    "unique": "from the clues to the only answer",
    "solved": "from the clues to an answer",
    "several": "as far as the clues lead",
    "none": "from the clues to a contradiction",
    "unknown": "before it ended",
}


def explanation_section(
    instance: Instance, steps: Sequence[Step], lead: Sequence[str] = (), chart: str = ""
) -> PageSection:
    """Return the steps of a board as a section: the first slide has the clues alone.

    Args:
        instance: the board.
        steps: all steps, or the first ones.
        lead: paragraphs above the board.
        chart: the caption of a chart of what each step costs; without it there is no chart.
    """
    from pyasp_puzzles.render.pages import PageSection, PageSlide

    clues = instance.drawing()
    title = instance.title or instance.puzzle.name
    if not steps:
        return PageSection(title, [PageSlide("", [clues])], lead)
    number = sum(step.kind != "end" for step in steps)
    end = _ENDS[steps[-1].status if steps[-1].kind == "end" else "unknown"]
    caption = f"The clues. There {'is 1 step' if number == 1 else f'are {number} steps'} {end}."
    slides = [PageSlide(caption, [clues], label="Start")]
    for step in steps:
        last = step.kind == "end"
        slides.append(
            PageSlide(
                step.words,
                [explanation_drawing(instance, step, clues)],
                [str(rule) for rule in step.rules],
                step.why,
                "End" if last else str(step.number),
                0 if last else max(1.0, round(step.cost, 1)),
                [(text, link.cells) for text, link in zip(step.listed, step.links[1:], strict=False)],
            )
        )
    return PageSection(title, slides, lead, steps=True, chart=chart)


def explanation_drawing(instance: Instance, step: Step, clues: Drawing) -> Drawing:
    """Return the board at a step, with frames around labels that it follows from.

    If there is no picture of a step, the clues have its cells marked.
    """
    drawing = step.drawing() or replace(clues, marked=step.cells)
    labels = instance.printed.labels_of(map(str, step.rules))
    return replace(drawing, framed=dict.fromkeys(labels, "premise")) if labels else drawing
