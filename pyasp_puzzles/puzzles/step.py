"""`Step`, one step of an explanation: what follows, from which rules and cells, and in which words.

Step    Step(number=3, kind="placement", placed=(value(2, 3, 4),), rules=(once(row(2), 4),), cells=((2, 1), ...), ...)
Sketch  what is known when the step is made, for a picture of it
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pyasp_puzzles.puzzles.answer import Answer
from pyasp_puzzles.render.text import Style

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from clingo import Symbol

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.errors import EncodingError


class Sketch(NamedTuple):
    """What a picture of a step shows."""

    placed: tuple[Symbol, ...]
    """What is known to hold when the step is made, its own conclusions with it."""
    left: Mapping[Cell, tuple[Symbol, ...]]
    """Of the cells that the step is about: what may still hold there, once it is made."""
    marked: Collection[Cell]
    """The cells of which something follows."""
    resting: Collection[Cell]
    """The cells that it follows from."""
    excluded: tuple[Symbol, ...] = ()
    """What is known not to hold, where that is an answer too: cells that are not shaded."""


OUT_OF_TIME = "Out of time."
"""What the last step says if time ran out."""

Sketcher: TypeAlias = "Callable[[Sketch, Style], str]"


class Drawn(NamedTuple):
    """The picture of a step, drawn already: a sketcher that can go to another process."""

    plain: str
    colored: str

    def __call__(self, _sketch: Sketch, style: Style) -> str:
        """Return the picture."""
        return self.colored if style.color else self.plain


@dataclass(frozen=True)
class Step:
    """One step of an explanation."""

    number: int
    """Counted from 1."""
    kind: str
    """ "placement", "elimination", "peel", "free", "contradiction", "mistake"; last of all "end"."""
    words: str
    """The step as a sentence."""
    rules: tuple[Symbol, ...] = ()
    """The named rules that force it, by their names in the encoding."""
    cells: tuple[Cell, ...] = ()
    """The cells that it rests on: what is known of them is needed."""
    placed: tuple[Symbol, ...] = ()
    """What follows: atoms of the output that hold."""
    eliminated: tuple[Symbol, ...] = ()
    """What follows: atoms that do not hold."""
    plain: tuple[Symbol, ...] = ()
    """What no longer holds because of `placed`, by one rule each: the number leaves its row."""
    known: Mapping[Cell, tuple[Symbol, ...]] = field(default_factory=dict)
    """Of the cells that it rests on: what could still hold there before the step."""
    seen: tuple[Cell, ...] = ()
    """The cells whose numbers have ruled out what these cells no longer hold."""
    after: tuple[int, ...] = ()
    """The numbers of the earlier steps that it rests on, directly."""
    status: str = ""
    """Of the last step: "unique", "several", "none", "unknown" where time ran out, "solved" if it is not known whether
    the answer is the only one."""
    warnings: tuple[EncodingError, ...] = field(default=(), compare=False)
    """Of the first step: what clingo noticed in the user's rules."""
    abandoned: bool = False
    """Of the last step: whether a grounding goes on that could not be stopped, so that no other should be begun."""
    meaning: Mapping[Symbol, tuple[Cell, object]] = field(default_factory=dict, repr=False, compare=False)
    """What atoms say: their cell, and what JSON has for it."""
    sketch: Sketch | None = field(default=None, repr=False, compare=False)
    sketcher: Sketcher | None = field(default=None, repr=False, compare=False)

    def __getstate__(self) -> dict[str, object]:
        """Return what is pickled: all but the sketch, which is drawn; a sketcher holds a grounding, which cannot go."""
        drawn = Drawn(self.picture(Style()), self.picture(Style(color=True)))
        return vars(self) | {"sketch": Sketch((), {}, (), ()), "sketcher": drawn}

    @property
    def timed_out(self) -> bool:
        """Whether it says that time ran out."""
        return self.status == "unknown" and self.words == OUT_OF_TIME

    def picture(self, style: Style) -> str:
        """Return the board at this step: `*4*` follows, `[4]` is rested on; nothing if there is no picture."""
        return self.sketcher(self.sketch, style) if self.sketch and self.sketcher else ""

    def text(self, style: Style, *, pictures: bool = True) -> str:
        """Return the step as a numbered sentence, and its picture."""
        sentence = self.words if self.kind == "end" else f"{self.number}. {self.words}"
        return "\n".join(filter(None, [sentence, self.picture(style) if pictures else ""]))

    def __str__(self) -> str:
        return self.text(Style())

    _repr_pretty_ = Answer._repr_pretty_

    def json(self) -> dict[str, object]:
        """Return the step as `docs/explaining.md` has it: rules as terms, cells as pairs."""
        return {
            "step": self.number,
            "kind": self.kind,
            "words": self.words,
            "rules": [str(rule) for rule in self.rules],
            "cells": [list(cell) for cell in self.cells],
            "placed": [self._said(atom) for atom in self.placed],
            "eliminated": [self._said(atom) for atom in self.eliminated],
            "plain": [self._said(atom) for atom in self.plain],
            "known": [
                {"cell": list(cell), "left": [self.meaning[atom][1] for atom in left]}
                for cell, left in self.known.items()
            ],
            "seen": [list(cell) for cell in self.seen],
            "after": list(self.after),
            "status": self.status or None,
        }

    def _said(self, atom: Symbol) -> dict[str, object]:
        """Return what an atom of the output says: `{"cell": [1, 2], "value": 3}`, or the atom, if about no cell."""
        if atom not in self.meaning:
            return {"atom": str(atom)}
        cell, value = self.meaning[atom]
        return {"cell": list(cell), "value": value}
