"""`Step`, what follows from which rules and cells, in words, with `Reason`s and links; and `Grade`, how hard it is."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from pyasp_puzzles.boards import spans
from pyasp_puzzles.boards.spans import Sentence, Span, marked_again, spans_of
from pyasp_puzzles.errors import EncodingError, listing, number_listing, shown
from pyasp_puzzles.model.answer import Answer
from pyasp_puzzles.render.text import TextMarks, TextStyle

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from clingo import Symbol

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.model.grades import GradeScale, GradeWord
    from pyasp_puzzles.model.keys import Printed
    from pyasp_puzzles.render.svg import Drawing

# Characters of a sentence in `repr`.
_LONGEST_WORDS_SHOWN = 60


# What the last step says if time ran out.
OUT_OF_TIME = "Out of time."
# What it says of the only answer.
THE_ANSWER = "That is the answer, and there is no other."
# How the only step of a board begins if it cannot be explained by the rules in use.
UNEXPLAINED = "No explanation: "

StepKind: TypeAlias = Literal["placement", "elimination", "peel", "free", "contradiction", "mistake", "end"]
# How an explanation ends.
EndStatus: TypeAlias = Literal["unique", "several", "none", "unknown", "solved"]
StepDrawer: TypeAlias = "Callable[[StepPosition], StepPicture]"


class StepPosition(NamedTuple):
    """What is known of the board at a step.

    `StepPosition((value(2,2,4),), {(1, 2): (value(1,2,2), value(1,2,3))}, marked=[(2, 2)], premises=[(1, 1)])`
    """

    placed: tuple[Symbol, ...] = ()
    """The atoms that are known to be true, the step's own conclusions included."""
    candidates: Mapping[Cell, tuple[Symbol, ...]] = {}
    """For each cell of the step: the atoms that are still possible after it."""
    marked: Collection[Cell] = ()
    """The cells of the conclusions."""
    premises: Collection[Cell] = ()
    """The cells that the conclusions follow from."""
    excluded: tuple[Symbol, ...] = ()
    """The atoms that are known to be false, if that is an answer too: cells that are not shaded."""
    eliminated: tuple[Symbol, ...] = ()
    """The conclusions that are false."""
    cut: Collection[Cell] = ()
    """The cells that would be cut off from others, or on a loop of their own."""
    new: tuple[Symbol, ...] = ()
    """The conclusions, and what they rule out."""

    @property
    def marks(self) -> TextMarks:
        """The cells to mark on the board."""
        return TextMarks(self.marked, self.premises, self.cut)


class StepPicture(NamedTuple):
    """The board at a step, drawn on demand."""

    text: Callable[[TextStyle], str]
    drawing: Callable[[str], Drawing]
    """The board beside a sentence, as what `render.svg.svg` draws."""


def step_drawer(printed: Printed, known: Callable[[StepPosition], Answer]) -> StepDrawer:
    """Return the function that draws a step on a board, given the function from a position to what is known there."""

    def text(position: StepPosition, style: TextStyle) -> str:
        return known(position).marked_text(style, position.marks)

    def drawing(position: StepPosition, words: str) -> Drawing:
        return known(position).drawn_on(replace(printed.drawing(words=words), **position.marks._asdict()))

    return lambda position: StepPicture(partial(text, position), partial(drawing, position))


class Reason(NamedTuple):
    """Why a candidate was ruled out before a step: by a rule and a value that is placed, or by an earlier step.

    `Reason(value(1,3,1), rule=once(row(1),1), by=value(1,1,1))`, or `Reason(value(1,3,1), step=4)`
    """

    atom: Symbol
    rule: Symbol | None = None
    by: Symbol | None = None
    step: int = 0
    """The number of the earlier step; 0 if there is none."""


class StepLink(NamedTuple):
    """One inference of a chain: what rules force, given the assumption and earlier links.

    `StepLink((once(row(2),1),), "Row 2, column 7 would not be 1: row 2 holds 1 once.", ((2, 7),), (), (value(2,7,1),))`
    """

    rules: tuple[Symbol, ...]
    """The rule; several if only together they force the link, or conflict at the end; none for the assumption."""
    words: str
    """The link as a sentence."""
    cells: tuple[Cell, ...]
    """The cells that it is about."""
    placed: tuple[Symbol, ...] = ()
    """What would hold; nothing at the end."""
    eliminated: tuple[Symbol, ...] = ()
    """What would not hold."""
    rests_on: tuple[int, ...] = ()
    """The links that it needs; 0 is the first, the assumption."""

    @property
    def spans(self) -> tuple[Span, ...]:
        """Its sentence in parts, each with what it names."""
        return spans_of(self.words)


class StepDisplay(NamedTuple):
    """What a step needs to be shown, besides what it says."""

    board: StepPicture | None = None
    """The board at this step; None if there is no picture."""
    before: StepPicture | None = None
    """The board before this step, with the cells to look at; None if there is no picture."""
    details: Callable[[], tuple[str, ...]] = tuple
    """Returns the same as sentences, in full where the words of the step are short."""
    meaning: Mapping[Symbol, tuple[Cell, object]] = {}
    """The cell and the value of atoms, as JSON has them."""
    units: tuple[Span, ...] = ()
    """The units that its rules are about: `Span("window 1", ((2, 2), ...))`."""


@dataclass(frozen=True)
class Step:
    """One step of an explanation.

    `Step(1, "placement", "Row 2, column 2 can only be 4, ...", rules=(cell(2,2),), cells=((2, 2),),
    placed=(value(2,2,4),), name="naked single", where="Look at row 2, column 2.")`
    """

    number: int
    """Counted from 1."""
    kind: StepKind
    """ "placement", "elimination", "peel", "free", "contradiction", "mistake"; last of all "end"."""
    words: str
    """The step as a sentence."""
    rules: tuple[Symbol, ...] = ()
    """The names of the rules that force it, as in the encoding."""
    cells: tuple[Cell, ...] = ()
    """The cells that it depends on."""
    placed: tuple[Symbol, ...] = ()
    """The conclusions that are true: atoms of the output."""
    eliminated: tuple[Symbol, ...] = ()
    """The conclusions that are false: atoms of the output."""
    plain: tuple[Symbol, ...] = ()
    """Candidates that `placed` eliminates by one rule each: the number in the rest of its row."""
    known: Mapping[Cell, tuple[Symbol, ...]] = field(default_factory=dict)
    """For each of the cells: the atoms that were possible before the step."""
    seen: tuple[Cell, ...] = ()
    """The cells whose numbers have eliminated candidates of these cells."""
    after: tuple[int, ...] = ()
    """The numbers of the earlier steps that it depends on directly."""
    status: EndStatus | Literal[""] = ""
    """Of the last step: "unique", "several", "none", "unknown" if time ran out, "solved" if it is not known whether the
    answer is the only one."""
    warnings: tuple[EncodingError, ...] = field(default=(), compare=False)
    """Of the first step: clingo's warnings about the user's rules."""
    abandoned: bool = False
    """Of the last step: whether a grounding that could not be stopped is still running, so no other should start."""
    available: int = 1
    """How many conclusions followed from as few rules at that moment, its own included."""
    cost: float = 0.0
    """How hard it is to find, by `deduction_cost`; 0 for a mistake and the end."""
    cheapest: bool = False
    """Whether it is proven that no step that places a value costs less."""
    name: str = ""
    """What people call such a step: "hidden single"; empty if it has no name."""
    where: str = ""
    """Where to look, as a sentence that does not say what follows: "Look at block M."."""
    reasons: tuple[Reason, ...] = ()
    """Why each candidate that the cells no longer hold was ruled out."""
    links: tuple[StepLink, ...] = ()
    """The inferences from the negation of its first conclusion to a contradiction; the first link is the assumption.
    Empty if its sentence explains it otherwise."""
    has_list: bool = False
    """Whether the links are listed below the sentence, which then has only the last."""
    display: StepDisplay = field(default=StepDisplay(), repr=False, compare=False)
    """What else its pictures and sentences need."""

    def __getstate__(self) -> dict[str, object]:
        # The functions that draw hold a grounding, which cannot be pickled, so what they draw is pickled.
        display = self.display
        drawn = display._replace(board=_drawn(display.board, self.words), before=_drawn(display.before, self.where))
        return vars(self) | {"display": drawn._replace(details=partial(tuple, self.why))}

    @property
    def spans(self) -> tuple[Span, ...]:
        """Its sentence in parts, each with what it names: `Span("row 2, columns 3 and 5", ((2, 3), (2, 5)))`."""
        return spans_of(self.words)

    @property
    def why(self) -> tuple[str, ...]:
        """What rules out each candidate that the cells no longer hold, as sentences."""
        return self.display.details()

    @property
    def listed(self) -> tuple[Sentence, ...]:
        """The links after the first as sentences, if `words` does not tell them, each with what it needs.

        `("Row 2, column 7 would not be 1: row 2 holds 1 once.", "Row 2, column 9 would be 3, ... (from 1).")`
        """
        links = self.links[1:] if self.has_list else ()
        return tuple(
            spans.sentence(f"{marked_again(link.words).removesuffix('.')}{link_support(link.rests_on, number)}.")
            for number, link in enumerate(links, 1)
        )

    @property
    def timed_out(self) -> bool:
        """Whether time ran out."""
        return self.status == "unknown" and self.words == OUT_OF_TIME

    @property
    def refused(self) -> bool:
        """Whether the board cannot be explained by the rules in use."""
        return self.status == "unknown" and self.words.startswith(UNEXPLAINED)

    def picture(self, style: TextStyle) -> str:
        """Return the board at this step, empty if there is no picture: `*4*` follows, from `[4]`; `{4}` is cut off."""
        board = self.display.board
        return board.text(style.beside(self.words)) if board else ""

    def text(self, style: TextStyle, *, pictures: bool = True, why: bool = False) -> str:
        """Return the step as a numbered sentence, with `why` all its reasons, and its picture."""
        sentence = self.words if self.kind == "end" else f"{self.number}. {self.words}"
        links = [f"   {number}. {link}" for number, link in enumerate(self.listed, 1)]
        reasons = [f"   - {reason}" for reason in self.why] if why else []
        return "\n".join(filter(None, [sentence, *links, *reasons, self.picture(style) if pictures else ""]))

    def hint(self, style: TextStyle, *, pictures: bool = True) -> str:
        """Return where to look, and a picture that marks it; the whole step if it is an end or a mistake."""
        if not self.where:
            return self.text(style, pictures=pictures)
        before = self.display.before
        picture = before.text(style.beside(self.where)) if before and pictures else ""
        return "\n".join(filter(None, [self.where, picture]))

    def __str__(self) -> str:
        return self.text(TextStyle())

    def __repr__(self) -> str:
        return f"<Step {self.number} {self.kind}: {shown(self.words, _LONGEST_WORDS_SHOWN)}>"

    _repr_pretty_ = Answer._repr_pretty_

    def drawing(self) -> Drawing | None:
        """Return the board at this step, as what `render.svg.svg` draws; None if there is no picture."""
        board = self.display.board
        return board.drawing(self.words) if board else None

    def _repr_html_(self) -> str:
        from pyasp_puzzles.render.pages import page_figure
        from pyasp_puzzles.render.svg import svg

        drawing = self.drawing()
        return page_figure(self.text(TextStyle(), pictures=False), svg(drawing) if drawing else "")

    def json(self) -> dict[str, object]:
        """Return the step as `docs/explaining.md` describes it: rules as terms, cells as pairs."""
        return {
            "step": self.number,
            "kind": self.kind,
            "words": self.words,
            "spans": [span.json() for span in self.spans],
            "rules": [str(rule) for rule in self.rules],
            "cells": [list(cell) for cell in self.cells],
            "placed": [self._atom_json(atom) for atom in self.placed],
            "eliminated": [self._atom_json(atom) for atom in self.eliminated],
            "plain": [self._atom_json(atom) for atom in self.plain],
            "known": [
                {"cell": list(cell), "left": [self.display.meaning[atom][1] for atom in left]}
                for cell, left in self.known.items()
            ],
            "seen": [list(cell) for cell in self.seen],
            "after": list(self.after),
            "status": self.status or None,
            "name": self.name or None,
            "where": self.where or None,
            "reasons": [self._reason_json(reason) for reason in self.reasons],
            "links": [self._link_json(link) for link in self.links],
            "available": self.available if self.cost else None,
            "cost": round(self.cost, 2) or None,
            "cheapest": self.cheapest,
        }

    def _reason_json(self, reason: Reason) -> dict[str, object]:
        """Return `{"cell": [1, 2], "value": 3, "rule": "once(row(1),3)", "by": {"cell": [1, 5], "value": 3}}`."""
        why: dict[str, object] = {"step": reason.step}
        if reason.rule is not None and reason.by is not None:
            why = {"rule": str(reason.rule), "by": self._atom_json(reason.by)}
        return self._atom_json(reason.atom) | why

    def _link_json(self, link: StepLink) -> dict[str, object]:
        return {
            "rules": [str(rule) for rule in link.rules],
            "words": link.words,
            "spans": [span.json() for span in link.spans],
            "cells": [list(cell) for cell in link.cells],
            "placed": [self._atom_json(atom) for atom in link.placed],
            "eliminated": [self._atom_json(atom) for atom in link.eliminated],
            "rests_on": list(link.rests_on),
        }

    def _atom_json(self, atom: Symbol) -> dict[str, object]:
        """Return `{"cell": [1, 2], "value": 3}`, or the atom if it is not about one cell."""
        if atom not in self.display.meaning:
            return {"atom": str(atom)}
        cell, value = self.display.meaning[atom]
        return {"cell": list(cell), "value": value}


def deduction_cost(things: int, more: int, seen: int, spread: int) -> float:
    """Return what a person must look at to find a step, as a number of rules.

    Args:
        things: the sets of cells that its rules are about; rules over the same cells are looked at together.
        more: the numbers that these are about beyond one of each: a pair is about one more.
        seen: the cells whose values rule out others.
        spread: how many rows and columns its cells are apart.
    """
    return things + 5 * more / 4 + seen / 10 + spread / 40


def link_support(numbers: Sequence[int], own: int) -> str:
    """Return the links that a link needs, in parentheses, without the assumption; empty for only the link before it."""
    listed = [*number_listing([number for number in numbers if number])] if {*numbers} != {own - 1} else []
    return f" (from {listing(listed, 'and')})" if listed else ""


def _drawn(picture: StepPicture | None, sentence: str) -> StepPicture | None:
    """Return a picture that can be pickled, as it is drawn beside a sentence."""
    if picture is None:
        return None
    plain, colored = (picture.text(TextStyle(color=color).beside(sentence)) for color in (False, True))
    return StepPicture(partial(_drawn_text, plain, colored), partial(_same, picture.drawing(sentence)))


def _drawn_text(plain: str, colored: str, style: TextStyle) -> str:
    """Return the text of a picture that was pickled."""
    return colored if style.color else plain


def _same(drawing: Drawing, sentence: str) -> Drawing:
    """Return the drawing of a picture that was pickled."""
    del sentence
    return drawing


ResolutionStatus: TypeAlias = Literal["solved", "unsolved", "contradiction", "unknown"]

# The end of the scale that a notebook shows.
_LARGEST_SHOWN = 12.0


class Grade(NamedTuple):
    """How hard a puzzle is.

    `Grade("unique", "hard", score=5.5, steps=56, beyond=9, largest=3, hardest=4.82, sum=120.93, resolution="unsolved")`
    """

    status: EndStatus
    """How its explanation ends: "unique", "solved", "several", "none" or "unknown"."""
    word: GradeWord | Literal[""]
    """ "easy", "medium", "hard", "very hard" or "extreme"; empty without a `scale`, and if it is `ungraded`."""
    score: float
    """How hard it is as a number with one decimal, about 1 to 12; 0 unless an answer was found."""
    steps: int
    """The number of steps."""
    beyond: int
    """The number of steps that take more than one rule."""
    largest: int
    """The number of rules in the largest step."""
    hardest: float
    """The cost of the hardest step."""
    sum: float
    """The costs of all steps together."""
    resolution: ResolutionStatus | Literal[""]
    """How far resolution gets: "solved", "unsolved" or "contradiction"; empty if not applicable or not asked for."""
    hardest_step: int = 0
    """The number of the hardest step, the first of several; 0 if there is none."""
    scale: GradeScale | None = None
    """The words for scores of such boards; None where too few graded boards are known."""

    @property
    def guess(self) -> bool | None:
        """Whether resolution alone needs a guess; None if unknown. The steps of `explain` need none."""
        return {"solved": False, "unsolved": True}.get(self.resolution)

    @property
    def ungraded(self) -> str:
        """Why it has no grade: "there are several answers"; empty if it has one."""
        reasons = {
            "several": "there are several answers",
            "none": "there is no answer",
            "unknown": f"it was not explained to the end; steps found: {self.steps}",
            "solved": f"all {self.steps} steps are of the same kind",
        }
        return reasons.get(self.status, "")

    @property
    def name(self) -> str:
        """The word, or the score of a puzzle whose scores have no words; empty if it has no grade."""
        return "" if self.ungraded else self.word or f"{self.score:.1f}"

    @property
    def title(self) -> str:
        """How hard it is: "Easy 1.0", "3.4", "No grade"."""
        number = "" if self.ungraded else f"{self.score:.1f}"
        return f"{self.word[:1].upper()}{self.word[1:]} {number}".strip() or "No grade"

    @property
    def why(self) -> str:
        """What the steps need: "24 steps, 9 of which combine rules, 3 at most".

        With a word also how sure it is, and else the hardest step; why it has no grade, if it has none.
        """
        if self.ungraded:
            return self.ungraded
        if not self.steps:
            return "there is nothing to find"
        number = "1 step" if self.steps == 1 else f"{self.steps} steps"
        if not self.beyond:
            need = f"{number} by a single rule" if self.steps == 1 else f"{number}, each by a single rule"
        elif self.steps == 1:
            need = f"{number}, which combines {self.largest} rules"
        else:
            combine = "combines" if self.beyond == 1 else "combine"
            few = self.beyond == 1 or self.largest == 2
            most = f"{self.largest} rules" if few else f"rules, {self.largest} at most"
            need = f"{number}, {self.beyond} of which {combine} {most}"
        if not self.word:
            return f"{need}; the hardest, step {self.hardest_step}, costs {self.hardest}"
        agree = self.scale.agree if self.scale else None
        return need if agree is None else f"{need}; about {min(9, int(10 * agree))} of 10 published grades agree"

    def _repr_html_(self) -> str:
        from pyasp_puzzles.render.pages import notebook_page_scale

        limits = self.scale.limits if self.scale and self.word else ()
        parts = [(word, min(most, _LARGEST_SHOWN)) for word, most in limits]
        return notebook_page_scale(self.title, self.why, parts, self.score)

    def json(self) -> dict[str, object]:
        """Return the grade in the form that `grade --json` prints."""
        told = {name: value for name, value in self._asdict().items() if name != "scale"}
        return told | {
            "word": self.word or None,
            "agree": self.scale.agree if self.scale and self.word else None,
            "score": self.score if not self.ungraded or self.status == "solved" else None,
            "resolution": self.resolution or None,
            "resolution_solves": None if self.guess is None else not self.guess,
            "needs_guess": self.guess,
        }


# The grade of a board without an answer.
GRADE_WITHOUT_ANSWER = Grade("none", "", 0.0, 0, 0, 0, 0.0, 0.0, "")
