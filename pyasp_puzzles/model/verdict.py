"""`Verdict`: whether a board is a good puzzle, and what is wrong if it is not."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from pyasp_puzzles.boards import spans
from pyasp_puzzles.boards.grid import Cell
from pyasp_puzzles.boards.grid import cell_count as counted_cells
from pyasp_puzzles.boards.spans import marked_again
from pyasp_puzzles.errors import PuzzleError, listing
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.review import Broken, ReviewObstruction

if TYPE_CHECKING:
    from pyasp_puzzles.model.answer import Answer, Count, Entry
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.render.svg import Drawing

# More clues to add than this are not listed.
_MOST_ADDED = 12


VerdictStatus: TypeAlias = Literal["unique", "several", "none", "unknown", "solvable"]


class VerdictRemark(NamedTuple):
    """A sentence about a verdict, and the rules or clues that it is about.

    `VerdictRemark("The fewest rules that would have to be broken:", (Broken("once(row(1),3)", ((1, 2),), "..."),))`
    """

    words: str
    """A sentence; may be empty."""
    parts: tuple[Broken, ...] = ()
    """Rules, clues, or what else has cells; the name of the rule may be empty."""


class VerdictRepair(NamedTuple):
    """Clues of a board without an answer; without them it has one.

    `VerdictRepair((Broken("given(1,1)", ((1, 1),), "the 1 in row 1, column 1"),), Count(72))`
    """

    clues: tuple[Broken, ...]
    answers: Count
    """The number of answers without the clues."""
    kept: bool = False
    """Whether removing the clues does not help, but other clues in their place would."""
    instead: str = ""
    """What the cell of a single clue holds in the only answer without it."""

    @property
    def reason(self) -> Broken:
        """How many answers that leaves, in a sentence, and the cells of the clues."""
        clues = listing((marked_again(clue.words) for clue in self.clues), "and")
        answers = "1 answer" if str(self.answers) == "1" else f"{self.answers} answers"
        instead = f", with {self.instead} there" if self.instead else ""
        sentence = f"{'With something else in place of' if self.kept else 'Without'} {clues} it has {answers}{instead}."
        rules = " ".join(clue.rule for clue in self.clues)
        return Broken(rules, tuple(cell for clue in self.clues for cell in clue.cells), spans.sentence(sentence))

    def json(self) -> dict[str, object]:
        """Return `{"clues": [...], "count": ..., "exact": ..., "kept": ..., "instead": ...}`."""
        return {
            "clues": [clue.json() for clue in self.clues],
            "count": self.answers.number,
            "exact": self.answers.exact,
            "kept": self.kept,
            "instead": self.instead or None,
        }


@dataclass(frozen=True)
class Verdict:
    """Whether a board is a good puzzle, and why not.

    `Verdict("several", answers=(<Numbers 4x4>, <Numbers 4x4>), differ=((2, 1), (2, 2), (3, 1), (3, 2)), decided=9,
    cells=16, add=(Entry(...),))`; most fields are empty in most verdicts.
    """

    status: VerdictStatus
    """ "unique", "several", "none", "unknown" if time ran out, or "solvable" if one answer is not required."""
    answers: tuple[Answer, ...] = ()
    """One answer, or two of several."""
    differ: tuple[Cell, ...] = ()
    """The cells in which the two differ."""
    decided: int | None = None
    """The number of cells that are the same in every answer."""
    cells: int = 0
    """The number of cells in an answer."""
    repairs: tuple[VerdictRepair, ...] = ()
    """If there is no answer: the smallest sets of clues to remove, those that leave one answer first."""
    rules: tuple[Broken, ...] = ()
    """If there is none whatever the clues: a smallest set of rules to break, of added ones if these exclude it."""
    layout: bool = False
    """Whether there is no answer even without the clues."""
    unfilled: tuple[Broken, ...] = ()
    """If so: a minimal set of units, such as blocks and rows, that cannot be filled together."""
    clash: tuple[Broken, ...] = ()
    """If neither was found in time: rules and clues that conflict."""
    late: bool = False
    """Whether time ran out before the reason was found."""
    add: tuple[Entry, ...] = ()
    """If there are several answers: a few entries that, as clues, leave the first as the only one."""
    looks: Count | None = None
    """For "solvable": the number of finished pictures."""
    broken: tuple[Broken, ...] = ()
    """The rules that the board's own solution breaks."""
    warnings: tuple[PuzzleError, ...] = ()
    """clingo's warnings about the user's rules, and one if the board's own solution is wrong."""
    obstruction: ReviewObstruction | None = None
    """If there is no answer: what blocks the board."""
    instance: Instance | None = field(default=None, repr=False, compare=False)
    """The board."""

    def __repr__(self) -> str:
        decided = (
            f": {self.decided} of {counted_cells(self.cells)} decided"
            if self.decided is not None and self.cells
            else ""
        )
        return f"<Verdict {self.status}{decided}>"

    @property
    def blamed(self) -> tuple[Broken, ...]:
        """The first of the smallest sets of clues to remove, or the fewest rules to break."""
        return self.repairs[0].clues if self.repairs else self.rules

    @property
    def without(self) -> Count | None:
        """The number of answers without the blamed clues; None if no clue is blamed."""
        return self.repairs[0].answers if self.repairs else None

    @property
    def stuck(self) -> str:
        """What blocks a board without an answer, in words; may be empty."""
        return "" if self.obstruction is None else str(self.obstruction)

    @property
    def words(self) -> str:
        """How many answers there are, in a sentence; if there are several, pictures of two follow."""
        more = " One answer was found; there may be more." if self.answers else ""
        differ = f", which differ in {counted_cells(len(self.differ))}" if self.differ else ""
        return {
            "unique": "Exactly one answer.",
            "solvable": "It can be solved.",
            "none": "No answer.",
            "unknown": f"Out of time.{more}",
            "several": f"Several answers. Here are two{differ}.",
        }[self.status]

    @property
    def whatever(self) -> str:
        """What cannot be filled whatever the clues, in a sentence; empty if the clues matter, or there are none."""
        if not self.layout:
            return ""
        units = listing((unit.words for unit in self.unfilled), "and")
        all_ = {0: "", 1: "", 2: "both "}.get(len(self.unfilled), "all ")
        clues = self.instance is not None and any(map(self.instance.facts.arguments, self.instance.puzzle.clues))
        problem = "Even without its clues this board has no answer" if clues else "This layout has no answer"
        return f"{problem}: {units} cannot {all_}be filled." if self.unfilled else f"{problem}."

    @property
    def same(self) -> str:
        """How many cells are the same in every answer of several, in a sentence; may be empty."""
        if self.status != "several" or self.decided is None or not self.cells:
            return ""
        are = "is" if self.decided == 1 else "are"
        return f"{self.decided} of {counted_cells(self.cells)} {are} the same in every answer."

    def remarks(self) -> VerdictRemark:
        """Return why there is no answer, what would leave only one, or how the answers look."""
        if self.status == "none":
            return self._why_none()
        if self.status == "several" and 0 < len(self.add) <= _MOST_ADDED:
            clues = listing((entry.marked.replace("the ", "a ", 1) for entry in self.add), "and")
            as_clues = "a clue" if len(self.add) == 1 else "clues"
            sentence = f"With {clues} as {as_clues}, the first is the only answer."
            return VerdictRemark(
                "", (Broken("", tuple(cell for entry in self.add for cell in entry.cells), spans.sentence(sentence)),)
            )
        if self.status == "several" and self.add:
            return VerdictRemark(f"{len(self.add)} more clues would leave one answer; --json lists them.")
        if self.status == "solvable" and self.looks is not None:
            several = f"Its answers have {self.looks} looks"
            looks = "Every answer has the same look" if str(self.looks) == "1" else several
            free = self.cells - self.decided if self.decided is not None else 0
            more = f"; at {free} of {counted_cells(self.cells)} either ribbon may be on top" if free else ""
            return VerdictRemark(f"{looks}{more}.")
        return VerdictRemark("")

    def _why_none(self) -> VerdictRemark:
        if self.obstruction:
            return VerdictRemark(self.obstruction.words, self.obstruction.blocked)
        if self.repairs:
            several = len(self.repairs[0].clues) > 1
            return VerdictRemark(
                "", tuple(repair.reason for repair in self.repairs[: Limits.MOST_REPAIRS if several else None])
            )
        if self.rules or self.clash:
            late = "" if self.rules else "The fewest were not found in time. These cannot hold together:"
            return VerdictRemark(late or "The fewest rules that would have to be broken:", self.rules or self.clash)
        if self.late:
            return VerdictRemark("The reason was not found in time.")
        if self.unfilled:
            return VerdictRemark("")
        return VerdictRemark(
            "No rule with a name is to blame; expected `:- violated(Rule), not relaxed(Rule).` to forbid what is"
            " violated."
        )

    def in_full(self, reason: Broken) -> str:
        """Return the words of a remark, with its cells; the words of repairs name their clues already."""
        return reason.words if self.repairs else reason.in_full

    def drawings(self, reason: Broken | None = None) -> list[Drawing]:
        """Return the answer, or two of several, or else the clues.

        Args:
            reason: the remark whose cells and labels are marked; if None, the cells in which two answers differ, or
                those of all remarks.
        """
        reasons = (self.unfilled or self.remarks().parts) if reason is None else (reason,)
        marked = {cell for part in reasons for cell in part.cells}
        if self.instance is None:
            return []
        title = self.instance.title or self.instance.puzzle.name
        if self.answers:
            titles = [f"{title}: {which}" for which in ("one answer", "another answer")]
            titles = titles if len(self.answers) > 1 else [f"{title}: the answer"]
            shown = self.differ if reason is None else marked
            return [answer.drawing(shown, title) for title, answer in zip(titles, self.answers, strict=False)]
        labels = self.instance.printed.labels_of(rule for part in reasons for rule in part.rule.split())
        return [replace(self.instance.drawing(), marked=marked, framed=dict.fromkeys(labels, "marked"))]

    def drawing(self) -> Drawing | None:
        """Return the first of the drawings, as what `render.svg.svg` draws; None without a board."""
        return next(iter(self.drawings()), None)

    def _repr_html_(self) -> str:
        from pyasp_puzzles.render.pages import notebook_page

        header, parts = self.remarks()
        sentences = [self.words, self.same, self.whatever, header, *map(self.in_full, parts)]
        return notebook_page(filter(None, sentences), self.drawings())
