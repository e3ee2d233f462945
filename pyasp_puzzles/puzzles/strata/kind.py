"""Strata: coloured ribbons laid over a grid, one at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyasp_puzzles.asp.symbols import fact, text
from pyasp_puzzles.boards.grid import LONGEST_NUMBER
from pyasp_puzzles.errors import InstanceError, Where, listing, shown
from pyasp_puzzles.puzzles.puzzle import Entry, Obstacle, View
from pyasp_puzzles.puzzles.strata.answers import (
    ANY,
    LINES,
    Ribbon,
    Ribbons,
    crossings,
    lattices,
    line_of,
    lines_of,
    looks,
    names_of,
    plays,
    stuck,
)
from pyasp_puzzles.puzzles.strata.counting import tally

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from clingo import Symbol

    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.boards.facts import Facts
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.puzzles.declaration import Declaration
    from pyasp_puzzles.puzzles.keys import Key, Shape
    from pyasp_puzzles.puzzles.puzzle import Answer, Instance, Puzzle


HOOKS = {"obstacle": Obstacle("peel", ("stuck/2",), stuck), "peeled": True, "solvable_is_good": True}


def kind(declaration: Declaration, answer: Mapping[str, Any], keys: Sequence[Key]) -> RibbonsKind:
    """Return the kind of answer that a table `[answer]` declares."""
    del keys
    declaration.output(answer, "over(A, B)", 2)
    return RibbonsKind()


@dataclass(frozen=True)
class RibbonsKind:
    """A laying order of ribbons: `over(A, B)` says who lies over whom, `ribbon(A, K)` the colours that show."""

    decides = False

    @property
    def views(self) -> Mapping[str, View]:
        """The three meanings of "different"."""
        return {
            "lattices": View(("over/2", "ribbon/2"), lattices, decided=crossings, possible=crossings),
            "plays": View(("after/2", "paint/2"), plays, "plays", tally=tally),
            "looks": View(("look/3",), looks, "looks"),
        }

    def check(self, puzzle: Puzzle, facts: Facts, shape: Shape) -> None:
        """Refuse nothing beyond what holds for all boards of lines."""

    def read(self, instance: Instance, words: str, where: Where, *, whole: bool) -> Ribbons:
        """Read a laying order, bottom to top: a line each like `row 2 blue`, without a colour for any.

        Raises:
            InstanceError: no line of the board, a line twice, or a colour that is not in the palette.
        """
        del whole
        names = names_of(instance)
        tokens = {text(f.arguments[-1]) for name in ("color", "tile") for f in instance.facts.of(name)}
        meant = (
            {name: token for token, name in names.items()} | {token: token for token in tokens} | {ANY: None, "": None}
        )
        order: dict[tuple[str, int], Ribbon] = {}
        for i, words_of_line in enumerate(words.split("\n")):
            place = Where(where.source, (where.line or 1) + i)
            line, number, color = _parts(words_of_line)
            if not line:
                continue
            if line not in {"row", "column", "col"} or not (number.isdecimal() and len(number) <= LONGEST_NUMBER):
                message = f"{shown(words_of_line.strip())} is no ribbon, expected `row 2 blue` or `column 1`"
                raise InstanceError(message, place)
            name, index = "row" if line == "row" else "col", int(number)
            if color not in meant:
                raise InstanceError(
                    f"color {shown(color)} is not in the palette, expected {listing(sorted(tokens))}", place
                )
            if (index,) not in instance.facts.arguments(name) or (name, index) in order:
                problem = "is laid twice" if (name, index) in order else "is not on the board"
                raise InstanceError(f"{LINES[name]} {index} {problem}, expected each line once", place)
            order[name, index] = Ribbon(LINES[name], index, meant[color])
        return Ribbons(tuple(order.values()), names)

    def from_json(self, instance: Instance, said: Mapping[str, Any], where: Where) -> Ribbons:
        """Return an answer from `{"ribbons": [...]}`."""
        lines = [f"{r['line']} {r['index']} {r['color'] or ''}" for r in said["ribbons"]]
        return self.read(instance, "\n".join(lines), where, whole=False)

    def asserted(self, instance: Instance, answer: Answer) -> list[Symbol]:
        """Return `ribbon(A, K)` for each ribbon with a colour: it has that colour even if it shows nowhere."""
        assert isinstance(answer, Ribbons)
        return [
            instance.facts.renamed(fact("ribbon", line_of(ribbon), ribbon.color))
            for ribbon in answer.order
            if ribbon.color is not None
        ]

    def entries(self, instance: Instance, answer: Answer, program: Search, *, so_far: bool = False) -> list[Entry]:
        """Return an entry a ribbon: it lies over those that are mentioned before it.

        Of what someone has found so far, each lies over all that are not mentioned, too, and shows no other colour.
        """
        assert isinstance(answer, Ribbons)
        found = []
        for i, upper in enumerate(answer.order):
            below = [lower for lower in answer.order[:i] if lower.line != upper.line]
            over = tuple(fact("over", line_of(upper), line_of(lower)) for lower in below)
            found.append(Entry(f"{upper.line} {upper.index}", line_of(upper), (), over))
        return self._on_top(instance, answer, program, found) if so_far else found

    @staticmethod
    def _on_top(instance: Instance, answer: Ribbons, program: Search, entries: Sequence[Entry]) -> list[Entry]:
        laid = {line_of(ribbon) for ribbon in answer.order}
        rest = [line for line in lines_of(instance) if line not in laid]
        ribbons = program.atoms("ribbon", 2)
        found = []
        for entry, ribbon in zip(entries, answer.order, strict=True):
            line = line_of(ribbon)
            own = instance.facts.renamed(fact("ribbon", line, ribbon.color)) if ribbon.color is not None else None
            others = [atom for atom in ribbons if atom.arguments[0] == line and atom != own] if own else []
            over = [fact("over", line, other) for other in rest if other.name != line.name]
            found.append(entry._replace(holds=(*entry.holds, *over), fails=tuple(others)))
        return found

    def open(self, instance: Instance, answer: Answer) -> int:
        """Return how many ribbons are not mentioned."""
        assert isinstance(answer, Ribbons)
        return len(lines_of(instance)) - len(answer.order)

    def called(self, value: object) -> str:
        """Return nothing: a Strata board has no clues."""
        del value
        return ""

    def reader(self, program: Search) -> Callable[[Symbol], tuple[Cell, object] | None]:
        """Return the function that says nothing: the atoms are about no single cell."""
        del program
        return lambda _: None

    def name(self, cell: Cell, value: object, *, holds: bool) -> tuple[str, bool]:
        """Return the value; nothing is said of cells."""
        del cell
        return str(value), not holds


def _parts(line: str) -> tuple[str, str, str]:
    """Return the line, the number and the colour of a ribbon, as they are written: `3. row 2 light blue`."""
    numbered, dot, rest = line.strip().partition(".")
    words = (rest if dot and numbered.isdecimal() else line).split()
    return words[0] if words else "", words[1] if len(words) > 1 else "", " ".join(words[2:])
