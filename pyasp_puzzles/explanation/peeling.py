"""Peeling: the ribbons of a Strata board come off from the top, one by one, each with its reason."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, partial
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from pyasp_puzzles.asp.settings import DEFAULT, Settings
from pyasp_puzzles.asp.symbols import fact, text
from pyasp_puzzles.errors import EncodingError, Where
from pyasp_puzzles.puzzles.program import Question, ask
from pyasp_puzzles.puzzles.step import OUT_OF_TIME, Step
from pyasp_puzzles.puzzles.strata.answers import (
    ANY,
    Ribbon,
    Ribbons,
    blocked_words,
    color_names,
    line_name,
    line_symbol,
    line_symbols,
)
from pyasp_puzzles.puzzles.wording import words
from pyasp_puzzles.queries.solve import solutions
from pyasp_puzzles.render.text import paints, picture

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from clingo import Symbol

    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.puzzles.answer import Answer
    from pyasp_puzzles.puzzles.puzzle import Instance
    from pyasp_puzzles.render.text import Style


class Pile:
    """The lines of a board, and which of them are off.

    Args:
        instance: the board.
        search: its grounding, with the mode that says what may come off.
        blamed: the encoding to blame if that says nothing.

    Raises:
        EncodingError: it does not say of all lines when they come off, or where they cross at a colour.
    """

    def __init__(self, instance: Instance, search: Search, blamed: Path | None = None) -> None:
        self.names = color_names(instance)
        """What people call the colours."""
        self.lines = sorted(line_symbols(instance), key=lambda line: (line.name != "row", line.arguments[0].number))
        """The lines as the encoding has them."""
        self.places = [line_name(line) for line in self.lines]
        """The lines as people call them: `("column", 2)`."""
        self.number = {line: i for i, line in enumerate(self.lines)}
        self.off: dict[int, int] = {}
        """The lines that are off, and the number of the step that took each off."""
        self.shown: list[dict[Symbol, set[int]]] = [{} for _ in self.lines]
        """The colours that a line shows, and the lines, of those that are not off, that it shows them to lie over."""
        self._crossing: list[dict[int, Symbol]] = [{} for _ in self.lines]
        """The lines that cross a line at a coloured cell, and the colour."""
        self._limit: dict[int, int] = {}
        """How many colours a line may show that comes off."""
        self._read(search)
        if not self._complete(instance):
            message = "nothing to peel, expected line/1 and crossing/3 for every line and tile, as in strata.lp"
            raise EncodingError(message, Where(str(blamed)) if blamed else None)

    def _read(self, search: Search) -> None:
        """Take down what the grounding says of the lines."""
        for symbol in search.facts("limit", 3):
            _, line, most = symbol.arguments
            if line in self.number:
                self._limit[self.number[line]] = most.number
        for symbol in search.facts("crossing", 3):
            line, other, color = symbol.arguments
            one, two = self.number.get(line), self.number.get(other)
            if one is not None and two is not None:
                self._crossing[one][two] = color
                self.shown[one].setdefault(color, set()).add(two)

    def _complete(self, instance: Instance) -> bool:
        """Tell whether something is known of every line and every tile."""
        index = {place: line for line, place in enumerate(self.places)}
        return len(self._limit) == len(self.lines) and all(
            self._crossing[index["row", r]].get(index["column", c]) == color
            and self._crossing[index["column", c]].get(index["row", r]) == color
            for (r, c), color in instance.facts.cells("tile").items()
        )

    def ready(self, line: int) -> bool:
        """Tell whether a line can come off."""
        return len(self.shown[line]) <= self._limit[line]

    def take_off(self, line: int, step: int) -> list[int]:
        """Take a line off in a step, and return the lines that can come off only now."""
        self.off[line] = step
        ready = []
        for other, shown in enumerate(self.shown):
            color = self._crossing[other].get(line)
            if color is not None and other not in self.off:
                before = self.ready(other)
                shown[color].remove(line)
                if not shown[color]:
                    del shown[color]
                if self.ready(other) and not before:
                    ready.append(other)
        return ready

    def after(self, line: int) -> tuple[int, ...]:
        """Return the steps that took off the lines over which a line would show colours that it does not show now."""
        gone = [other for other, color in self._crossing[line].items() if color not in self.shown[line]]
        return tuple(sorted(self.off[other] for other in gone))

    def cells(self, line: int) -> tuple[Cell, ...]:
        """Return the coloured cells along a line that are still uncovered."""
        return tuple(sorted(self._cell(line, other) for others in self.shown[line].values() for other in others))

    def _cell(self, line: int, other: int) -> Cell:
        (name, index), (_, crossed) = self.places[line], self.places[other]
        return (index, crossed) if name == "row" else (crossed, index)

    def called(self, color: Symbol) -> str:
        """Return what people call a colour."""
        return self.names.get(text(color), text(color))

    @cached_property
    def _tiles(self) -> dict[Cell, str]:
        lines = enumerate(self._crossing)
        return {self._cell(line, other): text(color) for line, along in lines for other, color in along.items()}

    def draw(self, step: int, marked: Collection[Cell], style: Style) -> str:
        """Return a picture of what is uncovered just before a step, now or earlier."""
        off = {place: self.off.get(line, step) < step for line, place in enumerate(self.places)}
        board = {
            (r, c): None if off["row", r] or off["column", c] else self._tiles.get((r, c))
            for r in (index for name, index in self.places if name == "row")
            for c in (index for name, index in self.places if name == "column")
        }
        return picture(board, style, paints(self._tiles.values(), self.names), marked)


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
            self._pile.take_off(self._pile.number[line_symbol(ribbon)], 0)
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
            draw=partial(pile.draw, number, cells),
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
        from pyasp_puzzles.puzzles.wording import UNNAMED
        from pyasp_puzzles.queries.review import broken

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
            draw=answer.text,
        )

    def _blocked(self, left: Sequence[int]) -> Step:
        """Return the last step where lines are left."""
        pile, number = self._pile, len(self._peeled) + 1
        blocks = [blocked_words(pile.lines[line], map(pile.called, sorted(pile.shown[line]))) for line in left]
        return Step(
            number,
            "end",
            f"No other line comes off, as each that is left shows more than one colour: {'; '.join(blocks)}.",
            tuple(fact("color", pile.lines[line]) for line in left),
            tuple(sorted({cell for line in left for cell in pile.cells(line)})),
            status="none",
            draw=partial(pile.draw, number, ()),
        )


def _told(search: Search, predicate: str) -> dict[Symbol, Symbol]:
    """Return {rule: the words for it}."""
    return {told.arguments[0]: told.arguments[1] for told in search.facts(predicate, 2)}
