"""Explanations of Strata boards: ribbons are peeled off from the top, one by one, each with its reason."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from pyasp_puzzles.asp.settings import DEFAULT, Settings
from pyasp_puzzles.asp.symbols import fact, text
from pyasp_puzzles.errors import EncodingError, Where, first_of, listing
from pyasp_puzzles.explanation.cores import conflicting_rules
from pyasp_puzzles.explanation.deduction import step_cost
from pyasp_puzzles.explanation.ground_rules import ground_rules_of
from pyasp_puzzles.explanation.sentences import Sentences, as_sentence
from pyasp_puzzles.explanation.words import Words
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.answer import Ribbon
from pyasp_puzzles.model.review import UNNAMED
from pyasp_puzzles.model.step import OUT_OF_TIME, UNEXPLAINED, Step, StepPicture
from pyasp_puzzles.puzzles.question import Question, ask
from pyasp_puzzles.puzzles.strata.answers import (
    ANY,
    Ribbons,
    blocked_words,
    color_names,
    line_name,
    line_symbol,
    line_symbols,
)
from pyasp_puzzles.puzzles.wording import phrase
from pyasp_puzzles.queries.review import broken
from pyasp_puzzles.queries.solve import solutions
from pyasp_puzzles.render.text import color_codes, color_name, picture

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from clingo import Symbol

    from pyasp_puzzles.asp.rules import RuleFile
    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.model.answer import Answer
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.render.svg import Drawing
    from pyasp_puzzles.render.text import Style


def peel(instance: Instance, settings: Settings = DEFAULT, so_far: Answer | None = None) -> Iterator[Step]:
    """Yield the steps that peel a board from the top. The first line that can come off is next, rows before columns.

    Lines that have no uncovered colored cell any more are free, and come last. The last step, of the kind "end", has
    the laying order (its status is "solved"), or what blocks the lines that are left ("none").

    Args:
        instance: a Strata board.
        settings: how to search.
        so_far: the ribbons on top that are peeled off already, without mistakes.

    If the rules are edited, and peeling does not lead to an answer though there is one, the only step is an end that
    says so; its status is "unknown".

    Raises:
        EncodingError: the encoding cannot be read or grounded, or defines no lines and crossings.

    Source: the algorithm of "Solving Strata".
    """
    settings = settings.started()
    search = ask(instance, settings, Question((), files=("peel", "words")))
    warnings = tuple(search.warnings)
    if not search.usable:
        yield Step(1, "end", OUT_OF_TIME, status="unknown", warnings=warnings, abandoned=search.abandoned)
        return
    steps: Iterable[Step] = _Peeling(instance, search, settings, so_far).steps()
    if settings.edited:
        steps = _checked(list(steps), instance, settings)
    for step in steps:
        yield replace(step, warnings=warnings) if step.number == 1 else step


def _checked(steps: list[Step], instance: Instance, settings: Settings) -> Iterable[Step]:
    """Return the steps; or only an end if the rules in use allow no answer, or one that peeling does not find."""
    *_, end = steps
    if end.status != "unknown" or end.timed_out:
        return steps
    found = solutions(instance, 1, settings)
    if next(found, None) is None:
        return [_no_answer(instance, settings) if found.complete else _late(1)]
    words = f"{UNEXPLAINED}boards of {instance.puzzle.name} are explained by peeling, and {end.words}"
    return [Step(1, "end", f"{words}, though the rules in use have an answer.", status="unknown")]


def _no_answer(instance: Instance, settings: Settings) -> Step:
    """Return the end of a board without an answer: the rules that cannot hold together."""
    board = ground_rules_of(instance, settings)
    rules = conflicting_rules(board) if board.search.usable else []
    words = Sentences(Words(board, instance), two_valued=False).contradiction(rules) if rules else "There is no answer."
    return Step(1, "end", words, tuple(rule.name for rule in rules), status="none")


def _late(number: int) -> Step:
    return Step(number, "end", OUT_OF_TIME, status="unknown")


class _Lines:
    """The lines of a board by their numbers, rows before columns, and which of them are off.

    The grounding of peel.lp has which lines can come off, but not in which order, nor what each step rests on.

    Raises:
        EncodingError: the encoding, or `blamed`, does not define all lines, or all crossings at colored cells.
    """

    def __init__(self, instance: Instance, search: Search, blamed: RuleFile | None) -> None:
        self.names = color_names(instance)
        """What people call the colors."""
        self.symbols = sorted(line_symbols(instance), key=lambda line: (line.name != "row", line.arguments[0].number))
        self.places = [line_name(line) for line in self.symbols]
        """The lines as people call them: `("column", 2)`."""
        self.number = {line: i for i, line in enumerate(self.symbols)}
        self.off: dict[int, int] = {}
        """{line that is off: the number of its step}"""
        self.colors: list[Counter[Symbol]] = [Counter() for _ in self.symbols]
        """The colors that are uncovered along each line, and in how many cells."""
        # {other line: color} for the colored cells along each line
        self._crossing: list[dict[int, Symbol]] = [{} for _ in self.symbols]
        for symbol in search.facts("crossing", 3):
            line, other = (self.number.get(argument, -1) for argument in symbol.arguments[:2])
            if min(line, other) >= 0:
                self._crossing[line][other] = symbol.arguments[2]
                self.colors[line][symbol.arguments[2]] += 1
        limits = [symbol.arguments[1:] for symbol in search.facts("limit", 3)]
        # How many colors a line may show to come off.
        self._limit = {self.number[line]: most.number for line, most in limits if line in self.number}
        tiles = instance.facts.cells("tile")
        self._tiles = {cell: text(color) for cell, color in tiles.items()}
        index = {place: line for line, place in enumerate(self.places)}
        if len(self._limit) < len(self.symbols) or any(
            {self._crossing[one].get(two), self._crossing[two].get(one)} != {color}
            for (r, c), color in tiles.items()
            for one, two in [(index["row", r], index["column", c])]
        ):
            message = (
                "there is nothing to peel: rules need line/1 and crossing/3 for each line and tile, as in strata.lp"
            )
            raise EncodingError(message, Where(str(blamed)) if blamed else None)

    def left(self) -> list[int]:
        """Return the lines that are not off."""
        return [line for line in range(len(self.symbols)) if line not in self.off]

    def ready(self) -> list[int]:
        """Return the lines that can come off next; free lines only if there are no others."""
        ready = [line for line in self.left() if len(self.colors[line]) <= self._limit[line]]
        return [line for line in ready if self.colors[line]] or ready

    def take_off(self, line: int, step: int) -> None:
        """Take a line off in a step."""
        self.off[line] = step
        for other in self.left():
            color = self._crossing[other].get(line)
            if color is not None:
                self.colors[other] -= Counter([color])  # without those that are 0 now

    def after(self, line: int) -> tuple[int, ...]:
        """Return the steps that took off the lines that covered a line in colors that are gone now."""
        return tuple(sorted(self.off[other] for other in self.gone(line) if self.off[other]))

    def gone(self, line: int) -> list[int]:
        """Return the lines that covered a line in colors that are gone now."""
        return sorted(other for other, color in self._crossing[line].items() if color not in self.colors[line])

    def cells(self, line: int) -> tuple[Cell, ...]:
        """Return the colored cells along a line that are still uncovered."""
        return tuple(sorted(self._cell(line, other) for other in self._crossing[line] if other not in self.off))

    def _cell(self, line: int, other: int) -> Cell:
        (name, index), (_, crossed) = self.places[line], self.places[other]
        return (index, crossed) if name == "row" else (crossed, index)

    def color_name(self, color: Symbol) -> str:
        """Return what people call a color."""
        return self.names.get(text(color), text(color))

    def picture(self, step: int, marked: Collection[Cell]) -> StepPicture:
        """Return a picture of what was uncovered before a step."""

        def draw_text(style: Style) -> str:
            return picture(self._uncovered(step), style, color_codes(self._tiles.values(), self.names), marked)

        def drawing(_: str) -> Drawing:
            from pyasp_puzzles.render.svg import Drawing

            board, tokens = self._uncovered(step), set(self._tiles.values())
            fills = {cell: color_name(token, self.names, tokens) for cell, token in board.items() if token}
            palette = {color_name(token, self.names, tokens) for token in tokens}
            return Drawing(tuple(board), fills=fills, marked=marked, palette=palette)

        return StepPicture(draw_text, drawing)

    def _uncovered(self, step: int) -> dict[Cell, str | None]:
        """Return the colors that were uncovered before a step, of all cells."""
        off = {place: self.off.get(line, step) < step for line, place in enumerate(self.places)}
        return {
            (r, c): None if off["row", r] or off["column", c] else self._tiles.get((r, c))
            for r in (index for name, index in self.places if name == "row")
            for c in (index for name, index in self.places if name == "column")
        }


class _Peeling:
    """The steps of a board."""

    def __init__(self, instance: Instance, search: Search, settings: Settings, so_far: Answer | None) -> None:
        assert so_far is None or isinstance(so_far, Ribbons)
        self._instance, self._settings = instance, settings
        self._late = settings.deadline().late
        edited = [one for one in (settings.encoding, *settings.extra) if one is not None]
        self._lines = _Lines(instance, search, next(iter(edited), None))
        self._needs, self._frees, self._excludes = (
            {atom.arguments[0]: atom.arguments[1] for atom in search.facts(predicate, 2)}
            for predicate in ("needs", "frees", "excludes")
        )
        self._top = tuple(so_far.order) if so_far else ()
        for ribbon in reversed(self._top):
            self._lines.take_off(self._lines.number[line_symbol(ribbon)], 0)
        # The ribbons that steps took off, the top one first.
        self._peeled: list[Ribbon] = []

    def steps(self) -> Iterator[Step]:
        """Yield the steps."""
        while ready := self._lines.ready():
            if self._late():
                yield _late(len(self._peeled) + 1)
                return
            yield self._step(ready[0], len(ready))
            self._lines.take_off(ready[0], len(self._peeled))
        yield self._end()

    def _step(self, line: int, available: int) -> Step:
        """Return the step that takes off a line, one of `available` lines that can come off."""
        lines = self._lines
        symbol, cells = lines.symbols[line], lines.cells(line)
        rule, color = fact("color", symbol), next(iter(lines.colors[line]), None)
        self._peeled.append(Ribbon(*lines.places[line], None if color is None else text(color)))
        number = len(self._peeled)
        if color is None:
            words = phrase(self._frees[rule], {})
        else:
            words = phrase(self._needs[rule], {}, {"this": lines.color_name(color)}) + self._because(line)
        return Step(
            number,
            "free" if color is None else "peel",
            as_sentence(words),
            (rule,),
            cells,
            () if color is None else (fact("ribbon", symbol, color),),
            after=lines.after(line),
            where=f"Look at {' '.join(map(str, lines.places[line]))}.",
            available=available,
            cost=step_cost(1, 0, len(lines.gone(line)), max(len(cells) - 1, 0)),
            board=lines.picture(number, cells),
            before=lines.picture(number, cells),
        )

    def _because(self, line: int) -> str:
        """Return which lines came off with the other colors of a line; nothing if it had none."""
        words = self._excludes.get(fact("color"))
        gone = [" ".join(map(str, self._lines.places[other])) for other in self._lines.gone(line)]
        if words is None or not gone:
            return ""
        return f", because {phrase(words, {}, {'that': listing(first_of(gone, Limits.MOST_LINES_GONE), 'and')})}"

    def _end(self) -> Step:
        """Return the last step, checked by a search if the rules are edited or ribbons were off from the start."""
        solved = not self._lines.left()
        end = self._end_solved() if solved else self._end_blocked()
        edited = self._settings.edited
        objection = self._objection(solved=solved) if edited or self._top else ""
        if objection and self._late():
            return replace(_late(end.number), abandoned=True)
        if objection and edited:
            return replace(end, words=objection, status="unknown")
        if objection:
            return replace(end, words=f"{end.words} But {objection}.", status="unknown")
        return end if solved else replace(end, words=f"{end.words} There is no answer.")

    def _objection(self, *, solved: bool) -> str:
        """Return why the end of peeling is wrong by all rules in use; nothing if it is right."""
        if not solved:
            found = solutions(self._instance, 1, self._settings)
            return "" if next(found, None) is None and found.complete else "no other ribbon comes off"
        rules = broken(self._instance, self._answer(), self._settings)
        if rules is None or any(rule.rule == UNNAMED for rule in rules):
            return "the order that it finds breaks a rule that has no name"
        return f"the order that it finds breaks {listing([rule.words for rule in rules], 'and')}" if rules else ""

    def _answer(self) -> Ribbons:
        return Ribbons((*reversed(self._peeled), *self._top), self._lines.names)

    def _end_solved(self) -> Step:
        """Return the last step when all lines are off."""
        answer, names = self._answer(), self._lines.names
        order = (
            f"{ribbon.line} {ribbon.index} {ANY if ribbon.color is None else names.get(ribbon.color, ribbon.color)}"
            for ribbon in answer.order
        )
        return Step(
            len(self._peeled) + 1,
            "end",
            f"Laid the other way round, bottom to top: {', '.join(order)}.",
            status="solved",
            board=StepPicture(answer.text, lambda _: answer.drawing()),
        )

    def _end_blocked(self) -> Step:
        """Return the last step when lines are left that cannot come off."""
        lines, left, number = self._lines, self._lines.left(), len(self._peeled) + 1
        blocks = [
            blocked_words(lines.symbols[line], map(lines.color_name, sorted(lines.colors[line]))) for line in left
        ]
        return Step(
            number,
            "end",
            f"No other line comes off, as each that is left shows more than one color: {'; '.join(blocks)}.",
            tuple(fact("color", lines.symbols[line]) for line in left),
            tuple(sorted({cell for line in left for cell in lines.cells(line)})),
            status="none",
            board=lines.picture(number, ()),
        )
