"""`Review`: which rules an answer breaks, each as `Broken`, or how much of it is right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from pyasp_puzzles.boards import spans
from pyasp_puzzles.boards.spans import Span, marked_again, marked_cell, spans_of
from pyasp_puzzles.errors import listing

if TYPE_CHECKING:
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.model.answer import Entry

# Cells of a broken rule that its words list.
_MOST_BROKEN_CELLS = 12

# The name of broken rules that have none in the encoding.
UNNAMED_RULE = "unnamed"

ReviewStatus: TypeAlias = Literal["solved", "right", "broken", "stuck", "none", "unknown"]


class Broken(NamedTuple):
    """A rule that does not hold: its name in the encoding, the cells that break it, and what it demands.

    `Broken("once(row(1),1)", ((1, 1), (1, 2)), "row 1 holds 1 once")`
    """

    rule: str
    cells: tuple[Cell, ...]
    words: str

    @property
    def spans(self) -> tuple[Span, ...]:
        """Its words in parts, each with what it names."""
        return spans_of(self.words)

    @property
    def in_full(self) -> str:
        """What it demands, and the cells that break it, unless its words name each of them."""
        if {*self.cells} <= {span.cells[0] for span in self.spans if len(span.cells) == 1} or not self.rule:
            return self.words
        more = f" and {len(self.cells) - _MOST_BROKEN_CELLS} more" if len(self.cells) > _MOST_BROKEN_CELLS else ""
        return spans.sentence(
            f"{marked_again(self.words)}: {'; '.join(map(marked_cell, self.cells[:_MOST_BROKEN_CELLS]))}{more}"
        )

    def json(self) -> dict[str, object]:
        """Return `{"rule": ..., "cells": [[row, column], ...], "words": ..., "spans": [...]}`."""
        cells, parts = [list(cell) for cell in self.cells], [span.json() for span in self.spans]
        return {"rule": self.rule, "cells": cells, "words": self.words, "spans": parts}


class Review(NamedTuple):
    """What is known about an answer, complete or not.

    `Review("right", open=3)`, or `Review("broken", (Broken(...), ...), open=12, wrong=(Entry(...),))`
    """

    status: ReviewStatus
    """ "solved"; "right" so far; "broken" if it breaks rules; "stuck" if it breaks none yet but cannot be completed;
    "none" if the board has no answer; "unknown" if time ran out."""
    broken: tuple[Broken, ...] = ()
    open: int = 0
    """How many cells (or ribbons) are not filled in."""
    wrong: tuple[Entry, ...] = ()
    """The fewest entries to take back so that the rest can be completed; if it breaks rules, so that the rest breaks
    none, or nothing if that takes too long to find."""

    @property
    def words(self) -> str:
        """How much of the answer is right, in a sentence."""
        wrong = listing([entry.words for entry in self.wrong], "and")
        return {
            "unknown": "Out of time.",
            "solved": "Solved.",
            "right": f"Right so far, {self.open} still open." if self.open else "Right so far, but not complete.",
            "none": "No rule is broken yet, but the board has no answer.",
            "stuck": f"No rule is broken yet, but it cannot be completed: take back {wrong}.",
            "broken": "It breaks a rule:" if len(self.broken) == 1 else f"It breaks {len(self.broken)} rules:",
        }[self.status]

    @property
    def remedy(self) -> str:
        """What to take back so that no rule is broken, in a sentence; empty if none is, or it was not found."""
        if self.status != "broken" or not self.wrong:
            return ""
        return f"Without {listing([entry.words for entry in self.wrong], 'and')}, no rule is broken."

    @property
    def marked(self) -> set[Cell]:
        """The cells that are wrong; if these are not known, those that break rules."""
        wrong = {cell for entry in self.wrong for cell in entry.cells}
        return wrong or {cell for rule in self.broken for cell in rule.cells}


class ReviewObstruction(NamedTuple):
    """Why a board has no answer.

    `ReviewObstruction("Each line that is left needs two colors.", "1 g y", (Broken("", ((1, 1), (1, 2)), "..."),))`
    """

    words: str
    picture: str
    """What blocks the board, as text."""
    blocked: tuple[Broken, ...]
    """What is blocked, each in words and with its cells."""

    def __str__(self) -> str:
        return "\n".join([self.words, self.picture, *(rule.words for rule in self.blocked)])
