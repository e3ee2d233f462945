"""Explanations, hints and grades, written as text or as JSON Lines, each step as it comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .render.style import BOLD, Style
from .report import json_line, title

if TYPE_CHECKING:
    from collections.abc import Callable

    from .grading import Grade
    from .puzzle import Instance
    from .step import Step

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
