"""Peeling: the ribbons of a Strata board come off from the top, one by one, each with its reason."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from .answers.ribbons import ANY, Ribbon, Ribbons, line_of
from .laying import still_shows
from .pile import Pile
from .query import Question, ask, solutions
from .settings import DEFAULT, Settings
from .step import OUT_OF_TIME, Sketch, Step
from .symbols import fact, text
from .wording import words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clingo import Symbol

    from .puzzle import Answer, Instance
    from .search import Search

OTHERS = "Peeling knows nothing of rules that were added or changed."


def peel(instance: Instance, settings: Settings = DEFAULT, so_far: Answer | None = None) -> Iterator[Step]:
    """Yield the steps that peel a board from the top: next comes the first line that can come off, rows before columns.

    Lines that show no colour any more when they could come off are free, and come last. The last step, of the kind
    "end", has the laying order (its status is "solved"), or says what blocks the lines that are left ("none").

    Args:
        instance: a Strata board.
        settings: how to search, and what with.
        so_far: the top of the pile: ribbons that are peeled off already, and rightly.

    Raises:
        EncodingError: the encoding cannot be read or grounded, or says nothing of lines that cross.

    Source: the algorithm of "Solving Strata".
    """
    settings = settings.started()
    search = ask(instance, settings, Question((), files=("peel", "words")))
    warnings = tuple(search.warnings)
    if not search.usable:
        yield Step(1, "end", OUT_OF_TIME, status="unknown", warnings=warnings, abandoned=search.abandoned)
        return
    for step in _Peeling(instance, search, settings, so_far).steps():
        yield replace(step, warnings=warnings) if step.number == 1 else step


class _Peeling:
    """The steps of a board."""

    def __init__(self, instance: Instance, search: Search, settings: Settings, so_far: Answer | None) -> None:
        assert so_far is None or isinstance(so_far, Ribbons)
        self._instance, self._settings = instance, settings
        self._late = settings.deadline().late
        self._edited = settings.edited
        """Whether rules may count that are not ours."""
        self._pile = Pile(instance, search, next(filter(None, [settings.encoding, *settings.extra]), None))
        self._needs, self._frees = _told(search, "needs"), _told(search, "frees")
        self._top = tuple(so_far.order) if so_far else ()
        for ribbon in reversed(self._top):
            self._pile.take_off(self._pile.number[line_of(ribbon)], 0)
        self._peeled: list[Ribbon] = []
        """The ribbons that steps took off, the top one first."""

    def steps(self) -> Iterator[Step]:
        """Yield the steps."""
        pile = self._pile
        ready = [line for line in self._left() if pile.ready(line)]
        free = []
        while ready:
            line = heappop(ready)
            if self._late():
                yield self._out_of_time()
                return
            if pile.shown[line]:
                yield self._step(line)
                for other in pile.take_off(line, len(self._peeled)):
                    heappush(ready, other)
            else:
                free.append(line)
        for line in sorted(free):
            yield self._step(line)
            pile.take_off(line, len(self._peeled))
        yield self._end()

    def _left(self) -> list[int]:
        return [line for line in range(len(self._pile.lines)) if line not in self._pile.off]

    def _step(self, line: int) -> Step:
        """Return the step that takes off a line."""
        pile = self._pile
        symbol, cells = pile.lines[line], pile.cells(line)
        rule, color = fact("color", symbol), next(iter(pile.shown[line]), None)
        self._peeled.append(Ribbon(*pile.places[line], None if color is None else text(color)))
        number = len(self._peeled)
        said = (
            words(self._frees[rule], {})
            if color is None
            else words(self._needs[rule], {}, {"this": pile.called(color)})
        )
        return Step(
            number,
            "free" if color is None else "peel",
            f"{said[:1].upper()}{said[1:]}.",
            (rule,),
            cells,
            () if color is None else (fact("ribbon", symbol, color),),
            after=tuple(step for step in pile.after(line) if step),
            sketch=Sketch((), {}, cells, ()),
            sketcher=partial(pile.draw, number),
        )

    def _end(self) -> Step:
        """Return the last step; where more than our own rules may count, with the status that these give it."""
        left = self._left()
        end = self._blocked(left) if left else self._laying()
        objection = self._objection(solved=not left) if self._edited or self._top else ""
        if objection and self._late():
            return replace(self._out_of_time(), abandoned=True)
        if objection:
            more = f" {OTHERS}" if self._edited else ""
            return replace(end, words=f"{end.words} But {objection}.{more}", status="unknown")
        return replace(end, words=f"{end.words} There is no answer.") if left else end

    def _out_of_time(self) -> Step:
        return Step(len(self._peeled) + 1, "end", OUT_OF_TIME, status="unknown")

    def _objection(self, *, solved: bool) -> str:
        """Return why the end that peeling comes to is none by all rules in use; nothing if it is."""
        if not solved:
            found = solutions(self._instance, 1, self._settings)
            return "" if next(found, None) is None and found.complete else "there is an answer"
        from .broken_rules import UNNAMED
        from .review import broken

        rules = broken(self._instance, self._answer(), self._settings)
        if rules is None or any(rule.rule == UNNAMED for rule in rules):
            return "it breaks a rule that has no name"
        return f"it breaks rules: {'; '.join(rule.words for rule in rules)}" if rules else ""

    def _answer(self) -> Ribbons:
        return Ribbons((*reversed(self._peeled), *self._top), self._pile.names)

    def _laying(self) -> Step:
        """Return the last step where all lines are off."""
        answer, names = self._answer(), self._pile.names
        colors = [ANY if ribbon.color is None else names.get(ribbon.color, ribbon.color) for ribbon in answer.order]
        order = [f"{ribbon.line} {ribbon.index} {color}" for ribbon, color in zip(answer.order, colors, strict=True)]
        return Step(
            len(self._peeled) + 1,
            "end",
            f"Laid the other way round, bottom to top: {', '.join(order)}.",
            status="solved",
            sketch=Sketch((), {}, (), ()),
            sketcher=lambda _, style: answer.text(style),
        )

    def _blocked(self, left: Sequence[int]) -> Step:
        """Return the last step where lines are left."""
        pile, number = self._pile, len(self._peeled) + 1
        blocks = [still_shows(pile.lines[line], map(pile.called, sorted(pile.shown[line]))) for line in left]
        return Step(
            number,
            "end",
            f"No other line comes off, as each that is left shows more than one colour: {'; '.join(blocks)}.",
            tuple(fact("color", pile.lines[line]) for line in left),
            tuple(sorted({cell for line in left for cell in pile.cells(line)})),
            status="none",
            sketch=Sketch((), {}, (), ()),
            sketcher=partial(pile.draw, number),
        )


def _told(search: Search, predicate: str) -> dict[Symbol, Symbol]:
    """Return {rule: the words for it}."""
    return {told.arguments[0]: told.arguments[1] for told in search.facts(predicate, 2)}
