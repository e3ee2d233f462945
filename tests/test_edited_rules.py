"""Rules that are removed, relaxed, weakened or strengthened: every question is answered by the rules as edited.

Each named rule of each encoding is edited here, in the text of its encoding and in plain Python. A brute force written
from the puzzles' rules, and plain clingo without pruning, say what the answers are. Solving, counting, checking and
explaining must agree with them.

Atom    "value(1,2,3)": an atom of the output, as clingo writes it
Answer  frozenset({"value(1,1,1)", "value(1,2,2)"}): the atoms that hold
Count   Count(1, 1, {"value(1,1,1)", "value(1,1,2)"}): exactly one of these atoms holds, as in `step_checker`
Way     Way("tectonic", "touch", "removed"): an encoding, a rule of it, and what is done to that
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import combinations, islice, permutations, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest
from clingo import Control
from clingo.ast import AST, parse_files
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from pyasp_puzzles import EncodingError, Instance, Settings, Verdict, check, count, explain, solutions

from . import plain, rules, step_checker, strategies
from .helpers import encoding as shipped_rules
from .helpers import one, status
from .plain import exact_count, holds, term
from .rules import Cell
from .step_checker import Count
from .strategies import NumberBoard, StrataBoard, StripsBoard, examples, toml

Atom = str
Answer = frozenset[str]
MOST = 600
"""Answers of a board; one that has more is passed over."""


# -- Brute force ----------------------------------------------------------------


Counts = list[Count]


class Game(NamedTuple):
    """A board in plain Python: its named rules, and a function from counts to the answers that keep them."""

    rules: dict[str, Counts]
    answers: Callable[[Counts], Iterator[Answer]]


def counts(least: int, most: int, groups: Iterable[Iterable[Atom]]) -> Counts:
    """Return that of each group at least so many, and at most so many, atoms hold."""
    return [Count(least, most, frozenset(group)) for group in groups]


def satisfiable(count: Count, holding: Answer, left: Answer = frozenset()) -> bool:
    """Tell whether a count can be kept where some atoms hold, and others are left open."""
    now = len(count.atoms & holding)
    return now <= count.most and now + len(count.atoms & left) >= count.least


def subsets(atoms: Iterable[Atom], counts: Counts) -> Iterator[Answer]:
    """Yield every set of atoms that keeps all counts, by trying both values of each atom in turn."""
    order = sorted(atoms)
    left = [frozenset(order[i:]) for i in range(len(order) + 1)]
    about = {atom: [count for count in counts if atom in count.atoms] for atom in order}

    def extend(i: int, holding: Answer) -> Iterator[Answer]:
        if i == len(order):
            yield holding
            return
        for chosen in (holding, holding | {order[i]}):
            if all(satisfiable(count, chosen, left[i + 1]) for count in about[order[i]]):
                yield from extend(i + 1, chosen)

    return extend(0, frozenset()) if all(satisfiable(count, frozenset(), left[0]) for count in counts) else iter(())


def cell_rule(board: NumberBoard, least: int = 1, most: int = 1) -> Counts:
    """Return how many numbers a cell holds."""
    members = rules.members(board.regions)
    largest = {cell: len(members[region]) for cell, region in board.regions.items()}
    return counts(least, most, ([holds(cell, v + 1) for v in range(n)] for cell, n in largest.items()))


def once_rule(board: NumberBoard, without: str = "no unit", first: int = 1) -> Counts:
    """Return that each block, row, column or stream holds each number once; but for some, or for the first numbers."""
    units = rules.members(board.regions)
    if '"tectonic"' not in board.text:
        for r, c in board.regions:
            units.setdefault(f"row {r}", set()).add((r, c))
            units.setdefault(f"column {c}", set()).add((r, c))
    return each_once((cells for name, cells in units.items() if not name.startswith(without)), first)


def each_once(groups: Iterable[set[Cell]], first: int = 1) -> Counts:
    """Return that n cells hold each of 1..n once, or the numbers from the first on."""
    numbers = [(cells, v) for cells in groups for v in range(first, len(cells) + 1)]
    return counts(1, 1, ([holds(cell, v) for cell in cells] for cells, v in numbers))


def touch_rule(board: NumberBoard, *steps: tuple[int, int]) -> Counts:
    """Return that no two cells hold the same number that are so many rows and columns apart."""
    pairs = [((r, c), (r + y, c + x)) for (r, c), (y, x) in product(board.regions, steps)]
    found = product((pair for pair in pairs if pair[1] in board.regions), range(1, len(board.regions) + 1))
    return counts(0, 1, ([holds(cell, v) for cell in pair] for pair, v in found))


def given_rule(board: NumberBoard, rows: int = 99) -> Counts:
    """Return that the numbers that are printed in the first rows stay."""
    return counts(1, 1, ([holds(cell, v)] for cell, v in board.givens.items() if cell[0] <= rows))


def numbers(board: NumberBoard) -> Game:
    """Return the game of a Tectonic or a Strimko."""
    named = {"cell": cell_rule(board), "once": once_rule(board), "given": given_rule(board)}
    if '"tectonic"' in board.text:
        named["touch"] = touch_rule(board, (0, 1), (1, 0), (1, 1), (1, -1))
    atoms = {atom for count in named["cell"] for atom in count.atoms}
    return Game(named, lambda counts: subsets(atoms, counts))


def strip(r: int, c: int, way: str, n: int) -> tuple[Cell, ...]:
    """Return the cells of a strip."""
    return tuple((r + i * (way == "down"), c + i * (way == "right")) for i in range(n))


def placements(board: StripsBoard) -> dict[Atom, tuple[Cell, ...]]:
    """Return the cells of every strip that fits on the board; one of a single cell lies to the right."""
    places = product(board.tiles, ("right", "down"), range(1, board.longest + 1))
    lying = {f"placed({r},{c},{way},{n})": strip(r, c, way, n) for (r, c), way, n in places if (way, n) != ("down", 1)}
    return {atom: cells for atom, cells in lying.items() if board.tiles.keys() >= set(cells)}


def cover_rule(board: StripsBoard, least: int = 1, most: int = 1) -> Counts:
    """Return how many strips cover a cell."""
    lying = placements(board)
    return counts(least, most, ([atom for atom in lying if cell in lying[atom]] for cell in board.tiles))


def looks(board: StripsBoard, look: Callable[[tuple[str, ...]], Any] = tuple) -> dict[Any, set[Atom]]:
    """Return the strips of each pattern, or of each look of a pattern."""
    found: dict[Any, set[Atom]] = {}
    for atom, cells in placements(board).items():
        found.setdefault(look(rules.pattern(board.tiles, cells)), set()).add(atom)
    return found


def alike_rule(board: StripsBoard, most: int = 1, look: Callable[[tuple[str, ...]], Any] = tuple) -> Counts:
    """Return how many strips may look alike, where none are listed."""
    return counts(0, most, looks(board, look).values()) if board.listed is None else []


def stock_rule(board: StripsBoard, share: int = 1) -> Counts:
    """Return that strips are used as often as they are listed; or, where the share is 0, at most as often."""
    wanted = Counter(min(tuple(strip), tuple(strip)[::-1]) for strip in board.listed or ())
    found = {pattern: set[Atom]() for pattern in wanted} | looks(board) if wanted else {}
    return [Count(wanted[pattern] * share, wanted[pattern], frozenset(atoms)) for pattern, atoms in found.items()]


def strips(board: StripsBoard) -> Game:
    """Return the game of a board to cut into strips."""
    named = {"fit": [], "cover": cover_rule(board), "alike": alike_rule(board), "stock": stock_rule(board)}
    return Game(named, lambda counts: subsets(placements(board), counts))


def ribbons(board: StrataBoard) -> list[list[Atom]]:
    """Return the colours that each line may show."""
    colors = set(board.tiles.values())
    return [[f'ribbon({term(a)},"{color}")' for color in colors] for a in rules.lines(board.rows, board.columns)]


def strata(board: StrataBoard) -> Game:
    """Return the game of a Strata board: lay the ribbons in every order, whatever colours each of them shows."""
    found = set()
    for order in permutations(rules.lines(board.rows, board.columns)):
        atoms = set()
        for upper, lower in ((a, b) for i, a in enumerate(order) for b in order[:i] if a[0] != b[0]):
            atoms.add(f"over({term(upper)},{term(lower)})")
            (_, r), (_, c) = sorted((upper, lower), reverse=True)  # the row comes first
            if (r, c) in board.tiles:
                atoms.add(f'ribbon({term(upper)},"{board.tiles[r, c]}")')
        found.add(frozenset(atoms))
    named = {"color": counts(0, 1, ribbons(board))}
    return Game(named, lambda counts: (one for one in found if all(satisfiable(count, one) for count in counts)))


GAMES: dict[str, Callable[[Any], Game]] = {"strata": strata, "strimko": numbers, "strips": strips, "tectonic": numbers}


# -- The edits of each rule -------------------------------------------------------


class Edit(NamedTuple):
    """The text that replaces a rule or is added to it, and what that means on a board."""

    encoding: str
    rule: str
    done: str
    text: str
    means: Callable[[Any], Counts]


def edits_of_numbers(name: str, own: str, y: int, x: int) -> Iterator[Edit]:
    """Yield the edits that puzzles of numbers share; their own predicate has the cells.

    A cell may hold up to two numbers, or may not hold the number of its row. Givens count in row 1 only; or they are
    not to be repeated so many rows and columns further on.
    """
    text = f"violated(cell(R, C)) :- {own}(R, C, _), {{ value(R, C, V) }} > 2."
    yield Edit(name, "cell", "weakened", text, lambda b: cell_rule(b, 0, 2))
    text = "violated(cell(R, C)) :- value(R, C, R)."
    yield Edit(
        name, "cell", "strengthened", text, lambda b: counts(0, 0, ([holds(cell, cell[0])] for cell in b.regions))
    )
    text = "violated(given(1, C)) :- given(1, C, V), not value(1, C, V)."
    yield Edit(name, "given", "weakened", text, lambda b: given_rule(b, rows=1))

    def repeated(board: NumberBoard) -> Counts:
        return counts(0, 0, ([holds((r + y, c + x), v)] for (r, c), v in board.givens.items()))

    text = f"violated(given(R, C)) :- given(R, C, V), value(R + {y}, C + {x}, V)."
    yield Edit(name, "given", "strengthened", text, repeated)


def edits() -> Iterator[Edit]:
    """Yield the edits of all rules."""
    name = "tectonic"
    yield from edits_of_numbers(name, "block", 0, 2)
    text = "violated(once(block(B), V)) :- size(B, N), V = 3..N, { value(R, C, V) : block(R, C, B) } != 1."
    yield Edit(name, "once", "weakened", text, lambda b: once_rule(b, first=3))
    text = "violated(once(block(B), 2)) :- block(1, C, B), value(1, C, 2)."
    yield Edit(name, "once", "strengthened", text, lambda b: counts(0, 0, ([holds((1, c), 2)] for _, c in b.regions)))
    text = "violated(touch(R, C, V)) :- value(R, C, V), value(R', C', V), |R - R'| + |C - C'| = 1."
    yield Edit(name, "touch", "weakened", text, lambda b: touch_rule(b, (0, 1), (1, 0)))
    text = "violated(touch(R, C, V)) :- value(R, C, V), value(R, C + 2, V)."
    yield Edit(name, "touch", "strengthened", text, lambda b: touch_rule(b, (0, 2)))

    name = "strimko"
    yield from edits_of_numbers(name, "stream", 1, 1)
    text = "violated(once(U, V)) :- unit(U), size(N), V = 3..N, { value(R, C, V) : unit(U, R, C) } != 1."
    yield Edit(name, "once", "weakened", text, lambda b: once_rule(b, first=3))
    text = "violated(once({0}, V)) :- unit({0}), size(N), V = 1..N, {{ value(R, C, V) : unit({0}, R, C) }} != 1.\n"
    text = text.format("col(X)") + text.format("stream(S)")
    yield Edit(name, "once", "weakened", text, lambda b: once_rule(b, without="row"))
    text = "violated(once(diagonal, V)) :- size(N), V = 1..N, { value(R, R, V) } != 1."
    yield Edit(name, "once", "strengthened", text, lambda b: each_once([{(r, c) for r, c in b.regions if r == c}]))

    name = "strips"
    text = "violated(fit(R, C, D, N)) :- placed(R, C, D, N), not lies(R, C, D, N, _), N > 1."
    yield Edit(name, "fit", "weakened", text, lambda _: [])
    text = "violated(fit(R, C, down, N)) :- placed(R, C, down, N)."
    yield Edit(name, "fit", "strengthened", text, lambda b: counts(0, 0, ([a] for a in placements(b) if "down" in a)))
    text = "violated(cover(Y, X)) :- tile(Y, X, _), {{ placed(R, C, D, N) : covers(R, C, D, N, Y, X) }} {} 1."
    yield Edit(name, "cover", "weakened", text.format(">"), lambda b: cover_rule(b, least=0))
    yield Edit(name, "cover", "weakened", text.format("<"), lambda b: cover_rule(b, most=99))
    text = "violated(cover(1, C)) :- placed(1, C, right, 1)."
    single = "placed(1,{},right,1)"
    yield Edit(name, "cover", "strengthened", text, lambda b: counts(0, 0, ([single.format(c)] for _, c in b.tiles)))
    text = "violated(alike(P)) :- pattern(P), not listed, { placed(R, C, D, N) : lies(R, C, D, N, P) } > 2."
    yield Edit(name, "alike", "weakened", text, lambda b: alike_rule(b, most=2))
    text = "violated(alike(N)) :- not listed, longest(M), N = 1..M, { placed(R, C, D, N) } > 1."
    yield Edit(name, "alike", "strengthened", text, lambda b: alike_rule(b, look=len))
    text = """violated(stock(P)) :- pattern(P), listed, M = { listed(_, P) },
                                  { placed(R, C, D, N) : lies(R, C, D, N, P) } > M."""
    yield Edit(name, "stock", "weakened", text, lambda b: stock_rule(b, share=0))
    text = "violated(stock(right)) :- listed, placed(1, 1, right, 2..99)."
    long = [[f"placed(1,1,right,{n})"] for n in range(2, 9)]
    yield Edit(name, "stock", "strengthened", text, lambda b: [] if b.listed is None else counts(0, 0, long))

    name = "strata"
    text = "violated(color(A)) :- line(A), { ribbon(A, K) } > 2."
    yield Edit(name, "color", "weakened", text, lambda b: counts(0, 2, ribbons(b)))
    text = "violated(color(A)) :- ribbon(A, K), ribbon(B, K), A < B."
    yield Edit(name, "color", "strengthened", text, lambda b: counts(0, 1, zip(*ribbons(b), strict=True)))


LESS = {"removed", "relaxed", "weakened"}
"""The edits that remove the rule itself."""
IDLE = {"fit"}
"""Rules that no answer could break: only what a person fills in does."""


class Way(NamedTuple):
    """What is done to a rule: it is removed, weakened or strengthened in a copy, or relaxed or added to in a file."""

    encoding: str
    rule: str = ""
    done: str = "shipped"
    edit: Edit | None = None

    def __str__(self) -> str:
        """Return the name of a test."""
        return "-".join(filter(None, self[:3]))

    def answers(self, board: Any, most: int = MOST) -> set[Answer]:
        """Return the answers of a board by the edited rules, or some of them if there are too many."""
        game, gone = GAMES[self.encoding](board), self.rule if self.done in LESS else ""
        left = [count for name, counts in game.rules.items() if name != gone for count in counts]
        return set(islice(game.answers(left + (self.edit.means(board) if self.edit else [])), most))

    def written(self) -> tuple[str, str]:
        """Return the copy of the encoding, or nothing if it is used as it ships, and the rules that are added."""
        text = self.edit.text if self.edit else ""
        if self.done in {"removed", "weakened", "strengthened"}:
            gone = "" if self.done == "strengthened" else self.rule
            return "\n".join(
                [*(str(statement) for statement in statements(self.encoding) if gone not in heads(statement)), text]
            ), ""
        return "", self.relaxing() if self.done == "relaxed" else text

    def relaxing(self) -> str:
        """Return the statement that relaxes a rule."""
        places = next(
            heads(statement)[self.rule] for statement in statements(self.encoding) if self.rule in heads(statement)
        )
        name = f"{self.rule}({','.join(f'X{i}' for i in range(places))})"
        return f"relaxed({name}) :- violated({name})."

    def plainly(self) -> str:
        """Return what plain clingo is asked: where the rule is gone, it is the shipped file with that rule relaxed."""
        copy, extra = ("", self.relaxing()) if self.done == "removed" else self.written()
        return "\n".join([copy or "\n".join(map(str, statements(self.encoding))), extra])


@cache
def statements(encoding: str) -> list[AST]:
    """Return the statements of an encoding."""
    found: list[AST] = []
    parse_files([str(shipped_rules(encoding))], found.append)
    return found


def heads(statement: AST) -> dict[str, int]:
    """Return the named rule that a statement is about, with the number of its arguments; most are about none."""
    symbol: Any = getattr(getattr(getattr(statement, "head", None), "atom", None), "symbol", None)
    if getattr(symbol, "name", "") != "violated":
        return {}
    (rule,) = symbol.arguments
    return {str(rule).partition("(")[0]: len(getattr(rule, "arguments", ()))}


NAMED = [(encoding, rule) for encoding in GAMES for statement in statements(encoding) for rule in heads(statement)]
WAYS = [
    *(Way(encoding) for encoding in GAMES),
    *(Way(*named, done) for named in dict.fromkeys(NAMED) for done in ("removed", "relaxed")),
    *(Way(edit.encoding, edit.rule, edit.done, edit) for edit in edits()),
    *(Way(edit.encoding, edit.rule, "added", edit) for edit in edits() if edit.done == "strengthened"),
]


# -- What every question is to answer -----------------------------------------------


def plain_answers(program: str, instance: Instance) -> list[Answer]:
    """Return the answers that plain clingo finds."""
    control = Control(["0", "--warn=none"])
    control.add("base", [], program + "".join(f"{fact}.\n" for fact in instance.facts))
    control.ground([("base", [])])
    found: list[Answer] = []
    control.solve(on_model=lambda model: found.append(frozenset(map(str, model.symbols(shown=True)))))
    return found


def agree(board: Any, way: Way, expected: set[Answer]) -> None:
    """Compare the results of all functions for a board with its answers under the edited rules."""
    instance = one(board.text, "board.toml")
    plainly = plain_answers(way.plainly(), instance)
    assert set(plainly) == expected
    assert len(plainly) == len(expected)
    with TemporaryDirectory() as home:
        copy, extra = Path(home) / "copy.lp", Path(home) / "extra.lp"
        for file, text in zip((copy, extra), way.written(), strict=True):
            file.write_text(text, encoding="utf-8")
        how = Settings(copy if copy.stat().st_size else None, (extra,) if extra.stat().st_size else ())
        verdict = check_answers(instance, how, expected)
        if verdict and verdict.status == "none" and isinstance(board, NumberBoard) and len(board.givens) <= 4:
            check_repairs(board, way, verdict)
        (check_peeling if way.encoding == "strata" else check_steps)(instance, how, expected, way)


def whole(answer: Answer) -> bool:
    """Tell whether an answer can be shown: no cell has two numbers, and no ribbon two colours."""
    places = [atom.rpartition(",")[0] for atom in answer if atom.startswith(("value", "ribbon"))]
    return len(places) == len(set(places))


def cells(atom: Atom) -> tuple[Cell, ...]:
    """Return the cells that an atom is about."""
    r, c, *n = map(int, re.findall(r"\d+", atom + "0 0"))
    if atom.startswith("placed"):
        return strip(r, c, "down" if "down" in atom else "right", n[0])
    return {"value": ((r, c),), "over(row": ((r, c),), "over(col": ((c, r),)}.get(re.split(r"\(\d", atom)[0], ())


def check_answers(instance: Instance, how: Settings, expected: set[Answer]) -> Verdict | None:
    """Compare what `count`, `solutions` and `check` say, and return the verdict; two numbers in a cell give none.

    Of a ribbon with two colours, compare only what it lies over.
    """
    assert exact_count(count(instance, 0, how)) == (len(expected), True)
    shown = ("value", "placed", "over", "ribbon")[: 4 if all(map(whole, expected)) else 3]
    if "ribbon" not in shown and instance.puzzle.name != "strata":
        with pytest.raises(EncodingError):
            list(solutions(instance, 0, how))
        return None
    found = solutions(instance, 0, how)
    told = [frozenset(atom for atom in plain.atoms(one.json()) if atom.startswith(shown)) for one in found]
    assert found.complete
    assert len(told) == len(expected)
    assert set(told) == {frozenset(atom for atom in one if atom.startswith(shown)) for one in expected}
    verdict = check(instance, settings=how, distinct="lattices" if instance.puzzle.name == "strata" else None)
    assert verdict.status == status(len(expected))
    always = {cell for atom in frozenset.intersection(*expected) for cell in cells(atom)} if expected else set()
    assert verdict.decided == (len(always) if expected else None)
    return verdict


def check_repairs(board: NumberBoard, way: Way, verdict: Verdict) -> None:
    """Compare what is blamed where there is no answer: the fewest givens without which there are answers, and how many.

    If there is none without any given, other rules are blamed.
    """

    def without(gone: Iterable[Cell], most: int) -> set[Answer]:
        left = {cell: value for cell, value in board.givens.items() if cell not in set(gone)}
        return way.answers(board._replace(givens=left), most)

    if not without(board.givens, 1):
        assert verdict.without is None
        return
    fewest = (n for n in range(1, 5) if any(without(gone, 1) for gone in combinations(board.givens, n)))
    blamed = [rule.cells for rule in verdict.blamed]
    assert {rule.rule.partition("(")[0] for rule in verdict.blamed} == {"given"}
    assert len(blamed) == next(fewest)
    number = len(without([cell for (cell,) in blamed], 1001))
    assert verdict.without is not None
    assert exact_count(verdict.without) == (min(number, 1000), number <= 1000)


def check_steps(instance: Instance, how: Settings, expected: set[Answer], way: Way) -> None:
    """Compare an explanation: it names only rules that are there, and finds what holds in every answer, no more.

    Without a rule, each step is forced by the others.
    """
    steps = list(explain(instance, how))
    assert steps[-1].status == status(len(expected))
    if way.done in {"removed", "relaxed"}:
        left = step_checker.puzzle(instance, without={way.rule, "used"})
        wrong = step_checker.violations(left, [step.json() for step in steps])
        assert set(wrong) <= {"the end: it ends as several"}  # as above: what is placed may do, but not alone
    if expected:
        placed = {str(atom) for step in steps for atom in step.placed}
        out = {str(atom) for step in steps for atom in (*step.eliminated, *step.plain)}
        always = frozenset.intersection(*expected)
        assert placed <= always <= placed | {str(fact).replace("given", "value") for fact in instance.facts}
        assert not out & frozenset[Atom]().union(*expected)


def check_peeling(instance: Instance, how: Settings, expected: set[Answer], way: Way) -> None:
    """Compare an explanation of Strata: the ribbons come off in an order that is an answer, or there is none.

    Where rules are edited it may say that it does not know.
    """
    *steps, end = explain(instance, how)
    assert end.status in {"solved", "none"} or (end.status == "unknown" and way.done != "shipped")
    assert end.status != "none" or not expected
    if end.status == "solved":
        order = [step.rules[0].arguments[0] for step in steps]
        over = {f"over({a},{b})" for i, a in enumerate(order) for b in order[i + 1 :] if a.name != b.name}
        assert over in [{atom for atom in answer if atom.startswith("over")} for answer in expected]


# -- Tests --------------------------------------------------------------------------


def strips_board(tiles: str, listed: list[str] | None = None) -> StripsBoard:
    """Return a board to cut into strips of up to three cells; its colours are written row by row."""
    more = {} if listed is None else {"strips": listed}
    text = toml(puzzle='"strips"', tiles=f'"""\n{tiles.replace(" ", chr(10))}\n"""', longest=3, **more)
    return StripsBoard(text, written(tiles), 3, listed)


def written(rows: str) -> dict[Cell, str]:
    """Return the label of each cell."""
    return {(r, c): label for r, row in enumerate(rows.split(), 1) for c, label in enumerate(row, 1)}


README = strategies.numbers("tectonic", "blocks", written("AAB ABB CCB"), {(1, 1): 2})
WOVEN = strips_board("wbwb bwbw")
BOARDS: dict[str, list[Any]] = {
    "tectonic": [
        README,
        strategies.numbers("tectonic", "blocks", written("AAB AAB"), {(2, 3): 1}),
        strategies.numbers("tectonic", "blocks", written("AAA"), {(1, 1): 1}),
    ],
    "strimko": [
        strategies.numbers("strimko", "streams", written(rows), {(2, 1): 1})
        for rows in ("AAB CAB CCB", "AAA BBB CCC", "AA BB")
    ],
    "strips": [
        WOVEN,
        strips_board("wwww"),
        strips_board("wbw bww", ["wbw", "bw", "w"]),
        strips_board("ww", ["ww", "w", "w"]),
    ],
    "strata": [strategies.strata(2, 2, {(1, 1): "a", (1, 2): "b", (2, 1): "b"})],
}
SMALL: dict[str, SearchStrategy[Any]] = {
    "tectonic": strategies.tectonic_boards().filter(lambda board: len(board.regions) <= 6),
    "strimko": (strategies.strimko_boards() | strategies.sudoku_boards()).filter(
        lambda board: len(board.regions) <= 9 or len(board.regions) == 16 <= len(board.givens) + 4
    ),
    "strips": strategies.strips_boards().filter(lambda board: len(board.tiles) <= 6),
    "strata": strategies.strata_boards().filter(lambda board: board.rows + board.columns <= 5),
}


def test_every_rule_is_edited() -> None:
    """No rule that ships is forgotten: each is weakened and strengthened here."""
    folders = shipped_rules("tectonic").parent.parent
    assert {path.stem for path in folders.glob("*/*.lp") if path.stem == path.parent.name} == set(GAMES)
    for done in ("weakened", "strengthened"):
        assert {(edit.encoding, edit.rule) for edit in edits() if edit.done == done} == set(NAMED)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_known_boards(way: Way) -> None:
    """On boards where an edit changes the answers, every question follows it."""
    changes = way.done != "shipped" and not (way.rule in IDLE and way.done in LESS)
    answers = [(board, way.answers(board), Way(way.encoding).answers(board)) for board in BOARDS[way.encoding]]
    telling = [(board, edited) for board, edited, shipped in answers if (edited != shipped) is changes]
    assert telling
    twice = way.done in {"relaxed", "added"}  # which is another way to remove or strengthen it
    for board, edited in [(board, edited) for board, edited in telling if len(edited) < MOST][: 1 if twice else 2]:
        agree(board, way, edited)


@pytest.mark.parametrize("encoding", GAMES)
def test_random_boards(encoding: str) -> None:
    """On small random boards, every question is answered by the edited rules."""
    ways = [way for way in WAYS if way.encoding == encoding and way.done != "added"]

    @given(st.sampled_from(ways), SMALL[encoding])
    @examples(20)
    def compare(way: Way, board: Any) -> None:
        expected = way.answers(board)
        assume(len(expected) < MOST)
        agree(board, way, expected)

    compare()


@pytest.mark.parametrize(
    ("board", "rule", "done", "number"),
    [
        (README, "touch", "removed", 96),
        (README, "touch", "relaxed", 96),
        (README, "touch", "weakened", 13),
        (WOVEN, "alike", "removed", 109),
    ],
)
def test_known_counts(board: Any, rule: str, done: str, number: int) -> None:
    """Some edited rules have as many answers as were counted by hand."""
    (way,) = (way for way in WAYS if (way.rule, way.done) == (rule, done))
    expected = way.answers(board)
    assert len(expected) == number
    agree(board, way, expected)
