"""Rules that are removed, relaxed, weakened or strengthened: every question is answered by the rules as edited.

Each named rule of each encoding is edited here, in the text of its encoding and in plain Python. A brute force written
from the puzzles' rules, and plain clingo without pruning, say what the answers are. Solving, counting, checking and
explaining must agree with them.

Atom    "value(1,2,3)": an atom of the output, as clingo writes it
Answer  frozenset({"value(1,1,1)", "value(1,2,2)"}): the atoms that hold
Count   Count(1, 1, {((1, 1), 1), ((1, 1), 2)}): exactly one of these holds, as in `step_checker`
Way     Way("tectonic", "touch", "removed"): an encoding, a rule of it, and what is done to that
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain, combinations, islice, permutations, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest
from clingo import Control
from clingo.ast import AST, parse_files
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from pyasp_puzzles import EncodingError, Instance, Settings, Verdict, check, count, explain, solutions

from . import plain, rules, step_checker, strategies
from .helpers import GENRES, one, status
from .helpers import encoding as shipped_rules
from .plain import exact_count, holds, term
from .rules import Cell
from .step_checker import Count, Rules
from .strategies import NumberBoard, StrataBoard, StripsBoard, times, toml

Atom = str
Answer = frozenset[str]
Counts = list[Count]
# Answers of a board; one that has more is passed over.
MOST = 600


# -- Brute force ----------------------------------------------------------------


def satisfiable(count: Count, holding: frozenset[Any], left: frozenset[Any] = frozenset()) -> bool:
    """Return whether a count can be kept where some atoms hold, and others are left open."""
    now = len(count.atoms & holding)
    return now <= count.most and now + len(count.atoms & left) >= count.least


def subsets(atoms: Iterable[Any], counts: Counts) -> Iterator[frozenset[Any]]:
    """Yield every set of atoms that keeps all counts, by trying both values of each atom in turn."""
    order = sorted(atoms)
    left = [frozenset(order[i:]) for i in range(len(order) + 1)]
    about = {atom: [count for count in counts if atom in count.atoms] for atom in order}

    def extend(i: int, holding: frozenset[Any]) -> Iterator[frozenset[Any]]:
        if i == len(order):
            yield holding
            return
        for chosen in (holding, holding | {order[i]}):
            if all(satisfiable(count, chosen, left[i + 1]) for count in about[order[i]]):
                yield from extend(i + 1, chosen)

    return extend(0, frozenset()) if all(satisfiable(count, frozenset(), left[0]) for count in counts) else iter(())


def layings(board: StrataBoard, counts: Counts) -> Iterator[Answer]:
    """Yield every way to lay the ribbons, whatever colors each of them shows, that keeps all counts."""
    found = set()
    for order in permutations(rules.lines(board.rows, board.columns)):
        atoms = set()
        for upper, lower in ((a, b) for i, a in enumerate(order) for b in order[:i] if a[0] != b[0]):
            atoms.add(f"over({term(upper)},{term(lower)})")
            (_, r), (_, c) = sorted((upper, lower), reverse=True)  # the row comes first
            if (r, c) in board.tiles:
                atoms.add(f'ribbon({term(upper)},"{board.tiles[r, c]}")')
        found.add(frozenset(atoms))
    return (one for one in found if all(satisfiable(count, one) for count in counts))


def ribbons(board: StrataBoard) -> list[list[Atom]]:
    """Return the colors that each line may show."""
    colors = set(board.tiles.values())
    return [[f'ribbon({term(a)},"{color}")' for color in colors] for a in rules.lines(board.rows, board.columns)]


@cache
def checker(text: str) -> step_checker.Puzzle:
    """Return the rules of a board of numbers or strips; that a pattern is used follows from them."""
    return step_checker.puzzle(one(text), without={"used"})


def rules_of(board: Any) -> Rules:
    """Return the named rules of a board."""
    if isinstance(board, StrataBoard):
        return {f"color({i})": (Count(0, 1, frozenset(colors)),) for i, colors in enumerate(ribbons(board))}
    return checker(board.text).rules


def answers_to(board: Any, counts: Counts) -> Iterator[Answer]:
    """Yield the answers of a board that keep all counts."""
    if isinstance(board, StrataBoard):
        return layings(board, counts)
    found = subsets(checker(board.text).rules_of, counts)
    return (frozenset(v if isinstance(v, str) else holds(cell, v) for cell, v in answer) for answer in found)


# -- The edits of each rule -------------------------------------------------------


# The edits that remove the rule itself.
LESS = {"removed", "relaxed", "weakened"}
# Rules that no answer could break: only what a person fills in does.
IDLE = {"fit"}


class Way(NamedTuple):
    """What is done to a rule: it is removed, weakened or strengthened in a copy, or relaxed or added to in a file."""

    encoding: str
    rule: str = ""
    done: str = "shipped"
    text: str = ""
    """What replaces the rule, or is added to it."""
    means: Callable[[Any, Rules], Iterable[Count]] = lambda *_: ()
    """From a board, and the rule itself, to what the text demands."""

    def __str__(self) -> str:
        """Return the name of a test."""
        return "-".join(filter(None, self[:3]))

    def answers(self, board: Any, most: int = MOST, gone: Iterable[Cell] = ()) -> set[Answer]:
        """Return the answers by the edited rules, or some if there are too many; without the givens that are gone."""
        names = {f"given({r},{c})" for r, c in gone}
        left = {name: counts for name, counts in rules_of(board).items() if name not in names}
        own = {name: counts for name, counts in left.items() if name.partition("(")[0] == self.rule}
        if names:
            board = board._replace(givens={c: v for c, v in board.givens.items() if f"given({c[0]},{c[1]})" in left})
        kept = chain(*(left[name] for name in left if name not in own or self.done not in LESS))
        return set(islice(answers_to(board, [*kept, *self.means(board, own)]), most))

    def written(self) -> tuple[str, str]:
        """Return the copy of the encoding, or nothing if it is used as it ships, and the rules that are added."""
        if self.done in {"removed", "weakened", "strengthened"}:
            gone = "" if self.done == "strengthened" else self.rule
            kept = [str(statement) for statement in statements(self.encoding) if gone not in heads(statement)]
            return "\n".join([*kept, self.text]), ""
        return "", self.relaxing() if self.done == "relaxed" else self.text

    def relaxing(self) -> str:
        """Return the statement that relaxes a rule."""
        places = next(
            heads(statement)[self.rule] for statement in statements(self.encoding) if self.rule in heads(statement)
        )
        name = f"{self.rule}({','.join(f'X{i}' for i in range(places))})" if places else self.rule
        return f"relaxed({name}) :- violated({name})."

    def plainly(self) -> str:
        """Return what plain clingo is asked: where the rule is gone, it is the shipped file with that rule relaxed."""
        copy, extra = ("", self.relaxing()) if self.done == "removed" else self.written()
        return "\n".join([copy or "\n".join(map(str, statements(self.encoding))), extra])


def never(atoms: Iterable[Any]) -> Counts:
    """Return that none of some atoms holds."""
    return [Count(0, 0, frozenset([atom])) for atom in atoms]


def differ(board: NumberBoard, *steps: Cell) -> Counts:
    """Return that no two cells hold the same number that are so many rows and columns apart."""
    pairs = [((r, c), (r + y, c + x)) for (r, c), (y, x) in product(board.regions, steps)]
    found = product((pair for pair in pairs if pair[1] in board.regions), range(1, len(board.regions) + 1))
    return [Count(0, 1, frozenset((cell, v) for cell in pair)) for pair, v in found]


def bounded(own: Rules, least: int = 0, most: int | None = None) -> Counts:
    """Return a rule with other bounds: at least so many of its atoms hold, and at most so many, or as before."""
    return [Count(least, c.most if most is None else most, c.atoms) for counts in own.values() for c in counts]


def some(own: Rules, pattern: str) -> Counts:
    """Return what a rule demands where its name matches."""
    return list(chain(*(counts for name, counts in own.items() if re.search(pattern, name))))


def of_each_length(own: Rules) -> Counts:
    """Return that no two strips have the same length, where none are listed."""
    atoms = sorted(set(chain(*(count.atoms for counts in own.values() for count in counts))))
    length = {atom: atom[1].rpartition(",")[2] for atom in atoms}
    return [Count(0, 1, frozenset(a for a in atoms if length[a] == n)) for n in set(length.values())]


def left(board: StripsBoard) -> int:
    """Return how many cells may be left, or -1 if the board does not say."""
    found = re.search(r"left = (\d+)", board.text)
    return int(found[1]) if found else -1


def some_covered(board: StripsBoard, number: int, columns: int = 99) -> Counts:
    """Return that of any so many cells, in the first so many columns, a strip covers one."""
    rules_of = checker(board.text).rules
    covering = [rules_of[f"cover({r},{c})"][0].atoms for r, c in board.tiles if c <= columns]
    return [Count(1, 99, frozenset(chain(*atoms))) for atoms in combinations(covering, number)]


def edits_of_numbers(name: str, own: str, y: int, x: int) -> Iterator[Way]:
    """Yield the edits that puzzles of numbers share; their own predicate has the cells.

    A cell may hold up to two numbers, or may not hold the number of its row. Givens count in row 1 only; or they are
    not to be repeated so many rows and columns further on.
    """
    text = f"violated(cell(R, C)) :- {own}(R, C, _), {{ value(R, C, V) }} > 2."
    yield Way(name, "cell", "weakened", text, lambda _, own: bounded(own, most=2))
    text = "violated(cell(R, C)) :- value(R, C, R)."
    yield Way(name, "cell", "strengthened", text, lambda b, _: never((cell, cell[0]) for cell in b.regions))
    text = "violated(given(1, C)) :- given(1, C, V), not value(1, C, V)."
    yield Way(name, "given", "weakened", text, lambda _, own: some(own, r"given\(1,"))
    text = f"violated(given(R, C)) :- given(R, C, V), value(R + {y}, C + {x}, V)."
    yield Way(
        name, "given", "strengthened", text, lambda b, _: never(((r + y, c + x), v) for (r, c), v in b.givens.items())
    )


def edits() -> Iterator[Way]:
    """Yield the edits of all rules."""
    name = "tectonic"
    yield from edits_of_numbers(name, "block", 0, 2)
    text = "violated(once(block(B), V)) :- size(B, N), V = 3..N, { value(R, C, V) : block(R, C, B) } != 1."
    yield Way(name, "once", "weakened", text, lambda _, own: some(own, r",[^12]\)$"))
    text = "violated(once(block(B), 2)) :- block(1, C, B), value(1, C, 2)."
    yield Way(name, "once", "strengthened", text, lambda b, _: never(((1, c), 2) for _, c in b.regions))
    text = "violated(touch(R, C, V)) :- value(R, C, V), value(R', C', V), |R - R'| + |C - C'| = 1."
    yield Way(name, "touch", "weakened", text, lambda b, _: differ(b, (0, 1), (1, 0)))
    text = "violated(touch(R, C, V)) :- value(R, C, V), value(R, C + 2, V)."
    yield Way(name, "touch", "strengthened", text, lambda b, _: differ(b, (0, 2)))

    name = "strimko"
    yield from edits_of_numbers(name, "stream", 1, 1)
    text = "violated(once(U, V)) :- unit(U), size(N), V = 3..N, { value(R, C, V) : unit(U, R, C) } != 1."
    yield Way(name, "once", "weakened", text, lambda _, own: some(own, r",[^12]\)$"))
    text = "violated(once({0}, V)) :- unit({0}), size(N), V = 1..N, {{ value(R, C, V) : unit({0}, R, C) }} != 1.\n"
    text = text.format("col(X)") + text.format("stream(S)")
    yield Way(name, "once", "weakened", text, lambda _, own: some(own, r"^once\((col|stream)"))
    text = "violated(once(diagonal, V)) :- size(N), V = 1..N, { value(R, R, V) } != 1."

    def diagonal(board: NumberBoard, _: Rules) -> Counts:
        cells = [(r, c) for r, c in board.regions if r == c]
        return [Count(1, 1, frozenset((cell, v) for cell in cells)) for v in range(1, len(cells) + 1)]

    yield Way(name, "once", "strengthened", text, diagonal)

    yield from edits_of_strips("strips")

    name = "strata"
    text = "violated(color(A)) :- line(A), { ribbon(A, K) } > 2."
    yield Way(name, "color", "weakened", text, lambda _, own: bounded(own, most=2))
    text = "violated(color(A)) :- ribbon(A, K), ribbon(B, K), A < B."

    def of_each_color(board: StrataBoard, _: Rules) -> Counts:
        return [Count(0, 1, frozenset(atoms)) for atoms in zip(*ribbons(board), strict=True)]

    yield Way(name, "color", "strengthened", text, of_each_color)


def edits_of_strips(name: str) -> Iterator[Way]:
    """Yield the edits of the rules of strips."""
    text = "violated(fit(R, C, D, N)) :- placed(R, C, D, N), not lies(R, C, D, N, _), N > 1."
    yield Way(name, "fit", "weakened", text)
    text = "violated(fit(R, C, down, N)) :- placed(R, C, down, N)."
    yield Way(
        name, "fit", "strengthened", text, lambda b, _: never(a for a in checker(b.text).rules_of if "down" in a[1])
    )
    text = "violated(cover(Y, X)) :- tile(Y, X, _), {{ placed(R, C, D, N) : covers(R, C, D, N, Y, X) }} {} 1."
    yield Way(name, "cover", "weakened", text.format(">"), lambda _, own: bounded(own))
    yield Way(name, "cover", "weakened", text.format("<"), lambda _, own: bounded(own, 1, 99))
    text = "violated(cover(1, C)) :- placed(1, C, right, 1)."
    yield Way(
        name, "cover", "strengthened", text, lambda b, _: never(((1, c), f"placed(1,{c},right,1)") for _, c in b.tiles)
    )
    text = "violated(alike(P)) :- pattern(P), not listed, { placed(R, C, D, N) : lies(R, C, D, N, P) } > 2."
    yield Way(name, "alike", "weakened", text, lambda _, own: bounded(own, most=2))
    text = "violated(alike(N)) :- not listed, longest(M), N = 1..M, { placed(R, C, D, N) } > 1."
    yield Way(name, "alike", "strengthened", text, lambda _, own: of_each_length(own))
    text = "violated(left) :- left(N), M = { cell(_, _) }, #sum { L, R, C, D : placed(R, C, D, L) } < M - N - 1."
    yield Way(name, "left", "weakened", text, lambda b, _: some_covered(b, left(b) + 2) if left(b) >= 0 else [])
    text = "violated(left) :- left(_), cell(R, 1), not placed(R', C', D, N) : covers(R', C', D, N, R, 1)."
    yield Way(name, "left", "strengthened", text, lambda b, _: some_covered(b, 1, 1) if left(b) >= 0 else [])
    text = """violated(stock(P)) :- pattern(P), listed, M = { listed(_, P) },
                                  { placed(R, C, D, N) : lies(R, C, D, N, P) } > M."""
    yield Way(name, "stock", "weakened", text, lambda _, own: bounded(own))
    text = "violated(stock(right)) :- listed, placed(1, 1, right, 2..99)."
    long = [((1, 1), f"placed(1,1,right,{n})") for n in range(2, 9)]
    yield Way(name, "stock", "strengthened", text, lambda b, _: [] if b.listed is None else never(long))


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


ENCODINGS = ["strata", "strimko", "strips", "tectonic"]
NAMED = [(encoding, rule) for encoding in ENCODINGS for statement in statements(encoding) for rule in heads(statement)]
WAYS = [
    *map(Way, ENCODINGS),
    *(Way(*named, done) for named in dict.fromkeys(NAMED) for done in ("removed", "relaxed")),
    *edits(),
    *(edit._replace(done="added") for edit in edits() if edit.done == "strengthened"),
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
    """Return whether an answer can be shown: no cell has two numbers, and no ribbon two colors."""
    places = [atom.rpartition(",")[0] for atom in answer if atom.startswith(("value", "ribbon"))]
    return len(places) == len(set(places))


def cells(atom: Atom) -> tuple[Cell, ...]:
    """Return the cells that an atom is about."""
    r, c, *n = map(int, re.findall(r"\d+", atom + "0 0"))
    if atom.startswith("placed"):
        return tuple((r + i * ("down" in atom), c + i * ("right" in atom)) for i in range(n[0]))
    return {"value": ((r, c),), "over(row": ((r, c),), "over(col": ((c, r),)}.get(re.split(r"\(\d", atom)[0], ())


def check_answers(instance: Instance, how: Settings, expected: set[Answer]) -> Verdict | None:
    """Compare what `count`, `solutions` and `check` say, and return the verdict; two numbers in a cell give none.

    Of a ribbon with two colors, compare only what it lies over.
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
    places = instance.cells
    about = [{frozenset(atom for atom in one if cell in cells(atom)) for one in expected} for cell in places]
    # A cell that no strip covers in any answer is the same in all of them; a cell without a number is open.
    same = [atoms for atoms in about if len(atoms) == 1 and (any(atoms) or instance.puzzle.name == "strips")]
    assert verdict.decided == (len(same) if expected else None)
    return verdict


def check_repairs(board: NumberBoard, way: Way, verdict: Verdict) -> None:
    """Compare what is blamed where there is no answer: the fewest givens without which there are answers, and how many.

    If there is none without any given, other rules are blamed.
    """
    if not way.answers(board, 1, board.givens):
        assert verdict.without is None
        return
    fewest = (n for n in range(1, 5) if any(way.answers(board, 1, gone) for gone in combinations(board.givens, n)))
    blamed = [rule.cells for rule in verdict.blamed]
    assert {rule.rule.partition("(")[0] for rule in verdict.blamed} == {"given"}
    assert len(blamed) == next(fewest)
    number = len(way.answers(board, 1001, [cell for (cell,) in blamed]))
    assert verdict.without is not None
    assert exact_count(verdict.without) == (min(number, 1000), number <= 1000)


def check_steps(instance: Instance, how: Settings, expected: set[Answer], way: Way) -> None:
    """Compare an explanation: it names only rules that are there, and finds what holds in every answer, no more.

    Without a rule, each step is forced by the others.
    """
    steps = list(explain(instance, settings=how))
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
    *steps, end = explain(instance, settings=how)
    assert end.status in {"solved", "none"} or (end.status == "unknown" and way.done != "shipped")
    assert end.status != "none" or not expected
    if end.status == "solved":
        order = [step.rules[0].arguments[0] for step in steps]
        over = {f"over({a},{b})" for i, a in enumerate(order) for b in order[i + 1 :] if a.name != b.name}
        assert over in [{atom for atom in answer if atom.startswith("over")} for answer in expected]


# -- Tests --------------------------------------------------------------------------


def strips_board(tiles: str, listed: list[str] | None = None, **more: object) -> StripsBoard:
    """Return a board to cut into strips of up to three cells; its colors are written row by row."""
    more |= {} if listed is None else {"strips": listed}
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
        strips_board("wb bw", left=1),
        strips_board("wbw bww", left=1, optional='"r1c1 r1c2 r2c3"'),
    ],
    "strata": [strategies.strata(2, 2, {(1, 1): "a", (1, 2): "b", (2, 1): "b"})],
}
SMALL: dict[str, SearchStrategy[Any]] = {
    "tectonic": strategies.tectonic_boards().filter(lambda board: len(board.regions) <= 6),
    "strimko": (strategies.strimko_boards() | strategies.sudoku_boards()).filter(
        lambda board: len(board.regions) <= 9 or len(board.regions) == 16 <= len(board.givens) + 4
    ),
    "strips": strategies.strips_boards().filter(lambda board: len(board.tiles) <= 6)
    | st.tuples(strategies.strips_boards(), st.integers(0, 2))
    .filter(lambda both: len(both[0].tiles) <= 6 and both[0].listed is None)
    .map(lambda both: both[0]._replace(text=f"{both[0].text}left = {both[1]}\n")),
    "strata": strategies.strata_boards().filter(lambda board: board.rows + board.columns <= 5),
}


def test_every_rule_is_edited() -> None:
    """No rule that ships is forgotten: each is weakened and strengthened here."""
    folders = shipped_rules("tectonic").parent.parent
    stems = {path.stem for path in folders.glob("*/*.lp") if path.stem == path.parent.name}
    assert stems - {*GENRES} == set(ENCODINGS)
    for done in ("weakened", "strengthened"):
        assert {(edit.encoding, edit.rule) for edit in edits() if edit.done == done} == set(NAMED)


@pytest.mark.parametrize("way", WAYS, ids=str)
@pytest.mark.sampled(0, 36)
def test_every_question_follows_an_edit(way: Way) -> None:
    """On boards where an edit changes the answers, every question follows it."""
    changes = way.done != "shipped" and not (way.rule in IDLE and way.done in LESS)
    answers = [(board, way.answers(board), Way(way.encoding).answers(board)) for board in BOARDS[way.encoding]]
    telling = [(board, edited) for board, edited, shipped in answers if (edited != shipped) is changes]
    assert telling
    twice = way.done in {"relaxed", "added"}  # which is another way to remove or strengthen it
    for board, edited in [(board, edited) for board, edited in telling if len(edited) < MOST][: 1 if twice else 2]:
        agree(board, way, edited)


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_question_of_random_boards_follows_edited_rules(encoding: str) -> None:
    """On small random boards, every question is answered by the edited rules."""
    ways = [way for way in WAYS if way.encoding == encoding and way.done != "added"]

    @given(st.sampled_from(ways), SMALL[encoding])
    @settings(max_examples=times(8, 20))
    def compare(way: Way, board: Any) -> None:
        expected = way.answers(board)
        assume(len(expected) < MOST)
        agree(board, way, expected)

    compare()


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("board", "rule", "done", "number"),
    [
        (README, "touch", "removed", 96),
        (README, "touch", "relaxed", 96),
        (README, "touch", "weakened", 13),
        (WOVEN, "alike", "removed", 109),
    ],
)
def test_edited_rules_have_the_counts_found_by_hand(board: Any, rule: str, done: str, number: int) -> None:
    """Some edited rules have as many answers as were counted by hand."""
    (way,) = (way for way in WAYS if (way.rule, way.done) == (rule, done))
    expected = way.answers(board)
    assert len(expected) == number
    agree(board, way, expected)
