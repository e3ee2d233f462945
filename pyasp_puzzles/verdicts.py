"""What `count` and `check` find, written as text or as JSON Lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .broken_rules import UNNAMED
from .errors import listing, printable
from .grid import at, cells
from .render.style import BOLD, Style, beside, visible
from .report import heading, json_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from .broken_rules import Broken
    from .checking import Repair, Verdict
    from .puzzle import Answer, Instance
    from .query import Count
    from .review import Review

    Write = Callable[[str], object]

MOST_ADDED = 12
"""Clues to add that are told; more help nobody."""
MOST_REPAIRS = 10
"""Sets of several clues to take back that are told."""
MOST_CELLS = 12
"""Cells that are listed one by one."""


def write_count(instance: Instance, count: Count, write: Write, *, as_json: bool) -> None:
    """Write how many answers a board has; with the board's name, if its file has several."""
    if as_json:
        write(json_line(instance, {"count": count.number, "exact": count.exact}))
    else:
        name = f"  {printable(instance.source)}, board {instance.board}" if instance.boards > 1 else ""
        write(f"{count}{name}\n")


def write_review(
    instance: Instance, answer: Answer, found: Review, write: Write, style: Style, *, as_json: bool
) -> None:
    """Write what there is to say of an answer: each broken rule with its name and cells, or how far it is right."""
    marked = {cell for rule in found.broken for cell in rule.cells} | {
        cell for entry in found.wrong for cell in entry.cells
    }
    if as_json:
        wrong = [{"words": entry.words, "cells": [list(cell) for cell in entry.cells]} for entry in found.wrong]
        said: dict[str, object] = {"status": found.status, "open": found.open, "wrong": wrong}
        known = found.status != "unknown"
        write(json_line(instance, said | {"broken": [rule.json() for rule in found.broken] if known else None}))
        return
    write(heading(instance, style))
    back = listing([entry.words for entry in found.wrong], "and")
    words = {
        "unknown": "Out of time.",
        "solved": "Solved.",
        "right": f"Right so far, {found.open} still open.",
        "none": "No rule is broken yet, but the board has no answer.",
        "stuck": f"No rule is broken yet, but it cannot be completed: take back {back}.",
    }
    lines = [
        rule.words if rule.rule == UNNAMED else f"{style.paint(rule.rule, BOLD)}  {rule.words}{_where(rule)}"
        for rule in found.broken
    ]
    write("\n".join(lines or [words[found.status]]) + "\n")
    if marked:
        write(answer.text(style, marked) + "\n")


def write_verdict(instance: Instance, verdict: Verdict, write: Write, style: Style, *, as_json: bool) -> None:
    """Write whether a board has one answer, several, or none, and what is wrong if it has not one."""
    if as_json:
        write(json_line(instance, _json(verdict)))
        return
    begin_verdict(instance, verdict, write, style)
    write_reasons(verdict, write)


def begin_verdict(instance: Instance, verdict: Verdict, write: Write, style: Style) -> None:
    """Write whether a board has one answer, several, or none; why stands in `write_reasons`, once that is known."""
    say = {
        "unique": _unique,
        "several": _several,
        "solvable": _solvable,
        "none": lambda *_: "No answer.",
        "unknown": _unknown,
    }[verdict.status]
    write(heading(instance, style) + say(verdict, style) + "\n")


def write_reasons(verdict: Verdict, write: Write) -> None:
    """Write why a board has no answer, or what would make one of several the only one."""
    lines = {"none": _why_none, "several": _to_add, "solvable": _free}.get(verdict.status, lambda _: [])(verdict)
    write("".join(f"{line}\n" for line in lines))


def _json(verdict: Verdict) -> dict[str, object]:
    return {
        "status": verdict.status,
        "solutions": [answer.json() for answer in verdict.answers],
        "differ": [list(cell) for cell in verdict.differ],
        "decided": verdict.decided,
        "cells": verdict.cells,
        "blamed": [rule.json() for rule in verdict.blamed],
        "without": _count(verdict.without),
        "repairs": [repair.json() for repair in verdict.repairs],
        "clash": [rule.json() for rule in verdict.clash],
        "add": [{"cell": list(entry.cells[0]), "value": entry.value} for entry in verdict.add],
        "looks": _count(verdict.looks),
        "stuck": verdict.stuck,
    }


def _count(count: Count | None) -> dict[str, object] | None:
    return None if count is None else {"count": count.number, "exact": count.exact}


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
    if verdict.decided is not None and verdict.cells:
        lines.append(f"{verdict.decided} of {cells(verdict.cells)} are the same in every answer.")
    return "\n".join(lines)


def _solvable(verdict: Verdict, style: Style) -> str:
    return f"It can be solved.\n{verdict.answers[0].text(style)}"


def _free(verdict: Verdict) -> list[str]:
    """Return how many looks a board has that can be solved, and what is free."""
    if verdict.looks is None:
        return []
    looks = "Every answer has the same look" if str(verdict.looks) == "1" else f"Its answers have {verdict.looks} looks"
    free = verdict.cells - verdict.decided if verdict.decided is not None else 0
    more = f"; at {free} of {cells(verdict.cells)} either ribbon may be on top" if free else ""
    return [f"{looks}{more}."]


def _to_add(verdict: Verdict) -> list[str]:
    """Return the clues that would make the first answer the only one."""
    if not verdict.add or len(verdict.add) > MOST_ADDED:
        return []
    clues = listing((entry.words.replace("the ", "a ", 1) for entry in verdict.add), "and")
    return [f"With {clues} as {'a clue' if len(verdict.add) == 1 else 'clues'}, the first is the only answer."]


def _why_none(verdict: Verdict) -> list[str]:
    """Return why there is no answer."""
    if verdict.stuck:
        return [verdict.stuck]
    if verdict.repairs:
        many = len(verdict.repairs[0].clues) > 1
        lines = [_repair(repair) for repair in verdict.repairs[: MOST_REPAIRS if many else None]]
        return lines if len(lines) == 1 else [*(f"- {line}" for line in lines)]
    if verdict.rules:
        rules = [f"{rule.rule}  {rule.words}{_where(rule)}" for rule in verdict.rules]
        return ["No clue is to blame. The fewest rules that would have to be broken:", *rules]
    if verdict.clash:
        rules = [f"{rule.rule}  {rule.words}{_where(rule)}" for rule in verdict.clash]
        return ["The fewest were not found in time. These cannot hold together:", *rules]
    if verdict.late:
        return ["The reason was not found in time."]
    return [
        "No rule with a name is to blame; expected `:- violated(Rule), not relaxed(Rule).` to forbid what is violated."
    ]


def _repair(repair: Repair) -> str:
    clues = listing((clue.words for clue in repair.clues), "and")
    answers = "1 answer" if str(repair.answers) == "1" else f"{repair.answers} answers"
    instead = f", with {repair.instead} there" if repair.instead else ""
    return f"{'With something else in place of' if repair.kept else 'Without'} {clues} it has {answers}{instead}."


def _unknown(verdict: Verdict, style: Style) -> str:
    found = f" One answer was found; there may be more.\n{verdict.answers[0].text(style)}" if verdict.answers else ""
    return f"Out of time.{found}"


def _where(rule: Broken) -> str:
    """Return the cells that break a rule, as people say them."""
    if all(at(cell) in rule.words for cell in rule.cells):
        return ""
    more = f" and {len(rule.cells) - MOST_CELLS} more" if len(rule.cells) > MOST_CELLS else ""
    return f": {'; '.join(map(at, rule.cells[:MOST_CELLS]))}{more}"
