"""`RibbonsKind`, Strata's kind of answer, by which answers are read, checked, drawn and explained."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from pyasp_puzzles.asp.symbols import fact_symbol, symbol_text
from pyasp_puzzles.boards.grid import grid_extent
from pyasp_puzzles.errors import InstanceError, Where, listing, shown
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.answer import Entry, Ribbon
from pyasp_puzzles.model.puzzle import AnswerKind, AnswerMeasure, AnswerMethod, AnswerView
from pyasp_puzzles.puzzles.declaration import declared_output
from pyasp_puzzles.puzzles.strata.answers import (
    ANY_COLOR,
    RIBBON_LINE_NAMES,
    Crossings,
    Ribbons,
    ribbon_color_names,
    ribbon_crossings,
    ribbon_order_decoder,
    ribbon_symbol,
    ribbon_symbols,
    strata_picture_decoder,
)
from pyasp_puzzles.puzzles.strata.peeling import (
    count_peeling_orders,
    count_peeling_plays,
    peel,
    peeled,
    peeling_obstruction,
    peeling_rounds,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Self

    from clingo import Symbol

    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.boards.toml import Table
    from pyasp_puzzles.model.answer import Answer
    from pyasp_puzzles.model.puzzle import Instance


@dataclass(frozen=True)
class RibbonsKind(AnswerKind):
    """A laying order of ribbons: `over(A, B)` lays A over B, `ribbon(A, K)` gives A a visible color."""

    data = ("order",)
    solvable_is_good = True
    generated_view = "looks"
    method = AnswerMethod(
        "peeling", peel, peeled, peeling_obstruction, "no other ribbon comes off", "the order that it finds"
    )
    # At least one ribbon comes off in each round, and the last two together.
    measures: ClassVar[Mapping[str, AnswerMeasure]] = {
        "peels": AnswerMeasure(peeling_rounds, lambda cells: sum(grid_extent(cells)) - 1)
    }

    @classmethod
    def from_table(cls, answer: Table) -> Self:
        """Return the kind; the table may only repeat that the output is `over(A, B)`."""
        declared_output(answer, "over(A, B)", 2)
        return cls()

    @property
    def views(self) -> Mapping[str, AnswerView]:
        """The meanings of "different"."""
        return {
            "lattices": AnswerView(
                ("over/2", "ribbon/2"), partial(ribbon_order_decoder, above="over", colored="ribbon")
            ),
            "plays": AnswerView(
                ("after/2", "paint/2"),
                partial(ribbon_order_decoder, above="after", colored="paint"),
                ("paint", "plays"),
                counter=count_peeling_plays,
            ),
            "orders": AnswerView(
                ("above/2", "paint/2"),
                partial(ribbon_order_decoder, above="above", colored="paint"),
                ("paint", "orders"),
                counter=count_peeling_orders,
            ),
            "looks": AnswerView(("look/3",), strata_picture_decoder, ("paint", "looks")),
        }

    def consequences(
        self, instance: Instance, question: str, always: Sequence[Symbol], sometimes: Sequence[Symbol]
    ) -> Crossings:
        """Return which lines are on top in every answer (`decided`) or in some (`possible`), and their colors."""
        return ribbon_crossings(instance, always if question == "decided" else sometimes)

    def read(self, instance: Instance, words: str, where: Where, *, whole: bool = False) -> Ribbons:
        """Return a laying order from lines like `row 2 blue`, bottom to top; no color means any.

        Raises:
            InstanceError: no line of the board, a line twice, or a color that is not in the palette.
        """
        del whole
        names = ribbon_color_names(instance)
        tokens = {symbol_text(f.arguments[-1]) for name in ("color", "tile") for f in instance.facts.of(name)}
        colors: dict[str, str | None] = {name: token for token, name in names.items()}
        colors |= {token: token for token in tokens} | {ANY_COLOR: None, "": None}
        order: dict[tuple[str, int], Ribbon] = {}
        for i, words_of_line in enumerate(words.split("\n")):
            place = Where(where.source, (where.line or 1) + i)
            line, number, color = _parts(words_of_line)
            if not line:
                continue
            if line not in {"row", "column", "col"} or not (
                number.isdecimal() and len(number) <= Limits.LONGEST_NUMBER
            ):
                message = f"{shown(words_of_line.strip())} is not a ribbon, expected `row 2 blue` or `column 1`"
                raise InstanceError(message, place)
            name, index = "row" if line == "row" else "col", int(number)
            if color not in colors:
                message = f"color {shown(color)} is not in the palette, expected {listing(sorted(tokens))}"
                raise InstanceError(message, place)
            if (index,) not in instance.facts.arguments(name) or (name, index) in order:
                problem = "is laid twice" if (name, index) in order else "is not on the board"
                raise InstanceError(f"{RIBBON_LINE_NAMES[name]} {index} {problem}; each line is laid once", place)
            order[name, index] = Ribbon(RIBBON_LINE_NAMES[name], index, colors[color])
        return Ribbons(tuple(order.values()), names)

    def typed(self, instance: Instance, table: Mapping[str, Any]) -> str:
        """Return each of `{"ribbons": [...]}` in a line."""
        del instance
        return "\n".join(f"{r['line']} {r['index']} {r['color'] or ''}".strip() for r in table["ribbons"])

    def derived_facts(self, instance: Instance, answer: Answer) -> list[Symbol]:
        """Return `ribbon(A, K)` for each ribbon with a color: it has that color even if it is not visible."""
        colored = [ribbon for ribbon in answer.order if ribbon.color is not None]
        return [_ribbon_atom(instance, ribbon) for ribbon in colored]

    def entries(self, instance: Instance, answer: Answer, search: Search, *, so_far: bool = False) -> list[Entry]:
        """Return an entry for each ribbon: it lies over the ribbons before it.

        With `so_far`, each also lies over all ribbons that are not listed, and shows no other color.
        """
        listed = {ribbon_symbol(ribbon) for ribbon in answer.order}
        others = [line for line in ribbon_symbols(instance) if line not in listed] if so_far else []
        ribbons = search.atoms("ribbon", 2) if so_far else {}
        found = []
        for i, upper in enumerate(answer.order):
            line = ribbon_symbol(upper)
            below = [ribbon_symbol(lower) for lower in answer.order[:i]] + others
            over = tuple(fact_symbol("over", line, lower) for lower in below if lower.name != line.name)
            own = None if upper.color is None else _ribbon_atom(instance, upper)
            fails = [atom for atom in ribbons if atom.arguments[0] == line and atom != own] if own else []
            found.append(Entry(f"{upper.line} {upper.index}", line, (), over, tuple(fails)))
        return found

    def open_cells(self, instance: Instance, answer: Answer) -> int:
        """Return how many ribbons are not listed."""
        return len(ribbon_symbols(instance)) - len(answer.order)


def _ribbon_atom(instance: Instance, ribbon: Ribbon) -> Symbol:
    assert ribbon.color is not None
    return instance.facts.renamed(fact_symbol("ribbon", ribbon_symbol(ribbon), ribbon.color))


def _parts(line: str) -> tuple[str, str, str]:
    """Return the line, the number and the color in a line like `3. row 2 light blue`."""
    numbered, dot, rest = line.strip().partition(".")
    words = (rest if dot and numbered.isdecimal() else line).split()
    return words[0] if words else "", words[1] if len(words) > 1 else "", " ".join(words[2:])
