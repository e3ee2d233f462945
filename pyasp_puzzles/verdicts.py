"""What `count` and `check` find, written as text or as JSON Lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .board import at, cells
from .errors import listing, printable
from .render.style import BOLD, Style, beside, visible
from .report import heading, json_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .checking import Broken, Verdict
    from .puzzle import Answer, Instance
    from .query import Count

    Write = Callable[[str], object]

MOST_CELLS = 12
"""Cells that are listed one by one."""


def write_count(instance: Instance, count: Count, write: Write, *, as_json: bool) -> None:
    """Write how many answers a board has; with the board's name, if its file has several."""
    if as_json:
        write(json_line(instance, {"count": count.number, "exact": count.exact}))
    else:
        name = f"  {printable(instance.source)}, board {instance.board}" if instance.boards > 1 else ""
        write(f"{count}{name}\n")


def write_broken(
    instance: Instance, answer: Answer, rules: Sequence[Broken] | None, write: Write, style: Style, *, as_json: bool
) -> None:
    """Write the rules that an answer breaks, each with its name and cells, and the board with these marked."""
    if as_json:
        write(json_line(instance, {"broken": None if rules is None else [rule.json() for rule in rules]}))
        return
    write(heading(instance, style))
    if rules is None:
        write("Out of time.\n")
        return
    for rule in rules:
        write(f"{style.paint(rule.rule, BOLD)}  {rule.words}{_where(rule)}\n")
    if rules:
        write(answer.text(style, {cell for rule in rules for cell in rule.cells}) + "\n")
    else:
        write("No rule is broken.\n")


def write_verdict(instance: Instance, verdict: Verdict, write: Write, style: Style, *, as_json: bool) -> None:
    """Write whether a board has one answer, several, or none, and what is wrong if it has not one."""
    if as_json:
        write(json_line(instance, _json(verdict)))
        return
    write(heading(instance, style))
    say = {"unique": _unique, "several": _several, "none": _none, "unknown": _unknown}[verdict.status]
    write(say(verdict, style) + "\n")


def _json(verdict: Verdict) -> dict[str, object]:
    return {
        "status": verdict.status,
        "solutions": [answer.json() for answer in verdict.answers],
        "differ": [list(cell) for cell in verdict.differ],
        "decided": verdict.decided,
        "cells": verdict.cells,
        "blamed": [rule.json() for rule in verdict.blamed],
        "without": verdict.without and {"count": verdict.without.number, "exact": verdict.without.exact},
        "stuck": verdict.stuck,
    }


def _unique(verdict: Verdict, style: Style) -> str:
    return f"Exactly one answer.\n{verdict.answers[0].text(style)}"


def _several(verdict: Verdict, style: Style) -> str:
    """Return two answers side by side, or one below the other where the page is narrow."""
    pictures = [answer.text(style, verdict.differ) for answer in verdict.answers]
    row = beside(pictures, gap="   ")
    fits = max(map(visible, row.split("\n"))) <= style.width
    lines = [
        f"Several answers. Here are two, which differ in {cells(len(verdict.differ))}:",
        row if fits else "\n\n".join(pictures),
    ]
    if verdict.decided is not None:
        lines.append(f"{verdict.decided} of {cells(verdict.cells)} are the same in every answer.")
    return "\n".join(lines)


def _none(verdict: Verdict, style: Style) -> str:  # noqa: ARG001 (as its siblings)
    if verdict.stuck:
        return f"No answer.\n{verdict.stuck}"
    if verdict.without is not None:
        clues = listing((rule.words for rule in verdict.blamed), "and")
        answers = "1 answer" if str(verdict.without) == "1" else f"{verdict.without} answers"
        return f"No answer. Without {clues} it has {answers}."
    if not verdict.blamed:
        return "No answer. Time ran out before it was known why."
    rules = [f"{rule.rule}  {rule.words}{_where(rule)}" for rule in verdict.blamed]
    return "\n".join(["No answer, whatever the clues. The fewest rules that would have to be broken:", *rules])


def _unknown(verdict: Verdict, style: Style) -> str:
    found = f" One answer was found; there may be more.\n{verdict.answers[0].text(style)}" if verdict.answers else ""
    return f"Out of time.{found}"


def _where(rule: Broken) -> str:
    """Return the cells that break a rule, as people say them."""
    if not rule.cells:
        return ""
    more = f" and {len(rule.cells) - MOST_CELLS} more" if len(rule.cells) > MOST_CELLS else ""
    return f": {'; '.join(map(at, rule.cells[:MOST_CELLS]))}{more}"
