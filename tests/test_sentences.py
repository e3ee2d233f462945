"""What the sentences of steps say is true, for rules of every shape: checked against all worlds of small boards.

Atom    ((1, 2), "black"), ((1, 2), 3): a value of a cell
World   an int with a bit for each atom that holds; there are no others than 0 to 2 ** atoms - 1
Facts   {atom: True}: what is known, or what a sentence says
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pyasp_puzzles import Instance, Settings, Step, explain, load
from pyasp_puzzles.boards import spans
from pyasp_puzzles.boards.spans import marked_cell, marked_line, marked_value, unmarked
from pyasp_puzzles.puzzles import wording
from pyasp_puzzles.queries.review import review
from pyasp_puzzles.queries.words import merged_clauses

from .helpers import (
    INSTANCES,
    PLACE,
    encoding,
    mine,
    one,
    only,
    overlong,
    read,
    read_places,
    steps,
    write,
)
from .rules import Cell

Atom = tuple[Cell, Any]
Facts = dict[Atom, bool]
# Whether a rule holds where these atoms do.
Holds = Callable[[set[Atom]], bool]

SHADING = {
    "shapes/puzzle.toml": """
summary = "Rules of many shapes for shaded cells."
cell = "cell(R, C)"
[answer]
kind = "shading"
output = "black(R, C)"
[keys.numbers]
kind = "numbers"
fact = "number(R, C, N)"
[keys.marks]
kind = "colors"
fact = "mark(R, C, K)"
[keys.labels]
kind = "outside"
fact = "label(Side, I, N)"
clue = true
""",
    "shapes/shapes.lp": """
#defined number/3. #defined mark/3. #defined label/3. #defined relaxed/1.
{ black(R, C) } :- cell(R, C).
violated(label(left, R))   :- label(left, R, N),   { black(R, C) } != N.
violated(label(top, C))    :- label(top, C, N),    { black(R, C) } < N.
violated(label(bottom, C)) :- label(bottom, C, N), { black(R, C) } > N.
violated(label(right, R))  :- label(right, R, N),  #sum { C : black(R, C) } != N.
violated(twice(row(R), N)) :- number(R, _, N), { not black(R, C) : number(R, C, N) } > 1.
violated(some(col(C), N))  :- number(_, C, N), { not black(R, C) : number(R, C, N) } < 1.
violated(then(R, C))       :- mark(R, C, "t"), black(R, C), cell(R, C + 1), not black(R, C + 1).
violated(joined(R, C))     :- mark(_, _, "j"), black(R, C), not reached(R, C).
violated(touch(R, C, Y, X)) :- mark(_, _, "n"), black(R, C), black(Y, X), |R - Y| + |C - X| = 1, (R, C) < (Y, X).
reached(R, C) :- black(R, C), not black(R', C') : cell(R', C'), (R', C') < (R, C).
reached(R, C) :- black(R, C), reached(R', C'), |R - R'| + |C - C'| = 1.
:- violated(Rule), not relaxed(Rule).
#show black/2.
""",
    "shapes/words.lp": """
says(label(left, R),   ("row", R, "holds", N, W))           :- label(left, R, N), noun(N, W).
says(label(top, C),    ("column", C, "has at least", N, W)) :- label(top, C, N), noun(N, W).
says(label(bottom, C), ("column", C, "has at most", N, W))  :- label(bottom, C, N), noun(N, W).
noun(1, "black cell").
noun(N, "black cells") :- label(_, _, N), N != 1.
says(label(right, R),  ("the black cells of row", R, "are in columns with the sum", N)) :- label(right, R, N).
says(twice(row(R), N), ("at most one", N, "in row", R, "is white"))       :- number(R, _, N).
says(some(col(C), N),  ("at least one", N, "in column", C, "is white"))   :- number(_, C, N).
says(touch(R, C, R', C'), (cell(R, C), "and", cell(R', C'), "are not both black")) :- cell(R, C), cell(R', C').
says(then(R, C),       ("if", cell(R, C), "is black, so is its right neighbour")) :- mark(R, C, "t").
""",
}
NUMBERS = {
    "sums/puzzle.toml": """
summary = "Rules of many shapes for numbers."
cell = "cell(R, C)"
[answer]
kind = "numbers"
output = "value(R, C, V)"
range = "1..2"
[keys.givens]
kind = "givens"
fact = "given(R, C, V)"
[keys.labels]
kind = "outside"
fact = "label(Side, I, N)"
clue = true
[keys.signs]
kind = "signs"
fact = "sign(R, C, R', C', S)"
across = ["<", ">"]
down = ["^", "v"]
clue = true
""",
    "sums/sums.lp": """
#defined given/3. #defined label/3. #defined sign/5. #defined relaxed/1.
{ value(R, C, 1..2) } :- cell(R, C).
violated(cell(R, C))       :- cell(R, C), { value(R, C, V) } != 1.
violated(given(R, C))      :- given(R, C, V), not value(R, C, V).
violated(label(left, R))   :- label(left, R, N),   #sum { V, C : value(R, C, V) } != N.
violated(label(top, C))    :- label(top, C, N),    { value(R, C, N) } < 1.
violated(label(bottom, C)) :- label(bottom, C, N), { value(R, C, N) } > 1.
violated(sign(R, C, R', C')) :- sign(R, C, R', C', ("<"; "^")), value(R, C, V), value(R', C', V'), V >= V'.
violated(sign(R, C, R', C')) :- sign(R, C, R', C', (">"; "v")), value(R, C, V), value(R', C', V'), V <= V'.
violated(first(row(R), V)) :- cell(R, 1), V = 1..2, { value(R, C, V) : C < 3 } < 1.
:- violated(Rule), not relaxed(Rule).
#show value/3.
""",
    "sums/words.lp": """
says(cell(R, C),       (cell(R, C), "holds one number"))                   :- cell(R, C).
says(label(left, R),   ("row", R, "has the sum", N))                       :- label(left, R, N).
says(label(top, C),    ("column", C, "has a", N))                          :- label(top, C, N).
leaves(label(top, C),  ("column", C, "needs a", N, "in", places))          :- label(top, C, N).
says(label(bottom, C), ("column", C, "has at most one", N))                :- label(bottom, C, N).
leaves(label(bottom, C), ("column", C, "needs a", N, "in", places))        :- label(bottom, C, N).
says(first(row(R), V), ("the first two cells of row", R, "have a", V))     :- cell(R, 1), V = 1..2.
""",
}


def labels(random: Random, sides: Mapping[str, Sequence[int]], lines: int) -> str:
    """Return labels outside a board; of each side, one in two."""
    found = {
        side: " ".join(str(random.choice(numbers)) if random.random() < 0.5 else "." for _ in range(lines))
        for side, numbers in sides.items()
    }
    return f"labels = {{ {', '.join(f'{side} = {text!r}' for side, text in found.items())} }}\n"


def shading(seed: int) -> str:
    """Return a board of 3x3 with rules of many shapes."""
    random = Random(seed)  # noqa: S311 (no secrets here)
    numbers = "\n".join(" ".join(random.choice("123...") for _ in range(3)) for _ in range(3))
    marks = "\n".join(" ".join(random.choice("t....") for _ in range(3)) for _ in range(3))
    marks = f"{'jn.'[seed % 3]}{marks[1:]}"
    sides = {"left": (1, 2), "top": (1, 2), "bottom": (0, 1, 2), "right": (3, 4, 5)}
    text = labels(random, sides, 3).replace("'", '"')
    return f'puzzle = "shapes"\nnumbers = """\n{numbers}\n"""\nmarks = """\n{marks}\n"""\n{text}'


def numbers(seed: int) -> str:
    """Return a board of 2x3 with numbers, and rules of many shapes."""
    random = Random(seed)  # noqa: S311 (no secrets here)
    givens = "\n".join(" ".join(random.choice("12.......") for _ in range(3)) for _ in range(2))
    across = [" ".join(["o", random.choice("<>....."), "o", random.choice("<>....."), "o"]) for _ in range(2)]
    down = " ".join([random.choice("^v...."), ".", random.choice("^v...."), ".", random.choice("^v....")])
    rows = labels(random, {"left": (4, 5)}, 2).removesuffix(" }\n").replace("'", '"')
    columns = labels(random, {"top": (1, 2), "bottom": (1, 2)}, 3).removeprefix("labels = { ").replace("'", '"')
    signs = f"{across[0]}\n{down}\n{across[1]}"
    return f'puzzle = "sums"\ngivens = """\n{givens}\n"""\nsigns = """\n{signs}\n"""\n{rows}, {columns}'


# "Row 1, columns 2 and 3 would be black", "rows 1 and 2 of column 3 are not 1 or 2".
CLAIM = re.compile(
    rf"(?:; |, and | and )?({PLACE}((?:, and |, | and ){PLACE})*)"
    r" (is|are|were|would be|is not|are not|were not|would not be) (black|white|\d+(?:(?:, | or )\d+)*)(?![\w ]* black)"
)


class Board:
    """All worlds of a small board, and which of them keep each rule of a step."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.shaded = instance.puzzle.name == "shapes"
        self.cells = sorted(instance.cells)
        values: list[Any] = ["black"] if self.shaded else [1, 2]
        self.atoms = [(cell, value) for cell in self.cells for value in values]
        self._bit = {atom: 1 << i for i, atom in enumerate(self.atoms)}
        self._kept: dict[str, list[int]] = {}
        self.number = {(r, c): n for r, c, n in instance.facts.arguments("number")} if self.shaded else {}
        givens = () if self.shaded else instance.facts.arguments("given")
        self.givens: Facts = {((int(r), int(c)), v): True for r, c, v in givens}

    def worlds(self, rule: str) -> list[int]:
        """Return the worlds in which a rule holds."""
        if rule not in self._kept:
            holds = self._meaning(rule)
            every = range(1 << len(self.atoms))
            self._kept[rule] = [w for w in every if holds({atom for atom in self.atoms if w & self._bit[atom]})]
        return self._kept[rule]

    def left(self, rule: str, facts: Facts) -> list[int]:
        """Return the worlds in which a rule and some facts hold."""
        known, held = (sum(self._bit[atom] for atom in facts if facts[atom] or all_) for all_ in (True, False))
        return [world for world in self.worlds(rule) if world & known == held]

    def forced(self, rule: str, facts: Facts) -> Facts | None:
        """Return what follows from a rule and some facts; None if they cannot hold together."""
        left = self.left(rule, facts)
        if not left:
            return None
        return {
            atom: bool(left[0] & bit)
            for atom, bit in self._bit.items()
            if len({bool(world & bit) for world in left}) == 1
        }

    def closure(self, rules: Sequence[str], facts: Facts) -> tuple[set[tuple[Atom, bool]], list[str]]:
        """Return what follows from facts by one rule at a time, and the rules that cannot hold then."""
        told = set(facts.items())
        while True:
            found = {rule: self.forced(rule, facts) for rule in rules}
            failing = [rule for rule, news in found.items() if news is None]
            news = {rule: (more or {}) for rule, more in found.items()}
            told |= {pair for more in news.values() for pair in more.items()}
            every = [(rule, facts | others) for others in news.values() for rule in rules]
            failing += [rule for rule, then in every if self.forced(rule, then) is None]
            before = len(facts)
            for more in news.values():
                facts = facts | more
            if failing or len(facts) == before:
                return told, failing

    def _meaning(self, rule: str) -> Holds:
        name, _, rest = rule.partition("(")
        numbers = [int(number) for number in re.findall(r"\d+", rest)]
        if self.shaded:
            return self._of_shading(name, rest, numbers)
        return self._of_numbers(name, rest, numbers)

    def _label(self, side: str, i: int) -> int:
        [value] = [int(n) for s, j, n in self.instance.facts.arguments("label") if (str(s), j) == (side, i)]
        return value

    def _of_shading(self, name: str, rest: str, found: list[int]) -> Holds:
        def black(held: set[Atom], **line: int) -> list[Cell]:
            axis = ("row", "column")
            return [cell for cell, _ in held if all(cell[axis.index(key)] == i for key, i in line.items())]

        def white(held: set[Atom], axis: int) -> int:
            line, number = found
            cells = [cell for cell in self.cells if cell[axis] == line and self.number.get(cell) == number]
            return sum((cell, "black") not in held for cell in cells)

        def together(held: set[Atom]) -> bool:
            reached = {min(cell for cell, _ in held)} if held else set()
            for _ in held:
                reached |= {(r, c) for (r, c), _ in held if any(abs(r - y) + abs(c - x) == 1 for y, x in reached)}
            return tuple(found) not in black(held) or tuple(found) in reached

        if name == "label":
            side = rest.partition(",")[0]
            i, n = found[0], self._label(side, found[0])
            return {
                "left": lambda held: len(black(held, row=i)) == n,
                "top": lambda held: len(black(held, column=i)) >= n,
                "bottom": lambda held: len(black(held, column=i)) <= n,
                "right": lambda held: sum(c for _, c in black(held, row=i)) == n,
            }[side]
        return {
            "twice": lambda held: white(held, 0) <= 1,
            "some": lambda held: white(held, 1) >= 1,
            "then": lambda h: tuple(found) not in black(h) or found[1] == 3 or (found[0], found[1] + 1) in black(h),
            "joined": together,
            "touch": lambda held: not {tuple(found[:2]), tuple(found[2:])} <= set(black(held)),
        }[name]

    def _of_numbers(self, name: str, rest: str, found: list[int]) -> Holds:
        def values(held: set[Atom], axis: int, line: int) -> list[int]:
            return [value for cell, value in held if cell[axis] == line]

        if name == "label":
            side = rest.partition(",")[0]
            i, n = found[0], self._label(side, found[0])
            return {
                "left": lambda held: sum(values(held, 0, i)) == n,
                "top": lambda held: values(held, 1, i).count(n) >= 1,
                "bottom": lambda held: values(held, 1, i).count(n) <= 1,
            }[side]
        if name == "sign":
            r, c, row, column = found
            [sign] = [str(a[4]).strip('"') for a in self.instance.facts.arguments("sign") if list(a[:4]) == found]

            def ordered(held: set[Atom]) -> bool:
                pairs = product(*([v for cell, v in held if cell == one] for one in ((r, c), (row, column))))
                return all(a < b if sign in "<^" else a > b for a, b in pairs)

            return ordered
        if name == "given":
            [value] = [a[2] for a in self.instance.facts.arguments("given") if list(a[:2]) == found]
            return lambda held: (tuple(found), value) in held
        if name == "first":
            return lambda held: any((r, v) == tuple(found) and c < 3 for (r, c), v in held)
        return lambda held: sum(cell == tuple(found) for cell, _ in held) == 1

    def read(self, words: str) -> Facts | None:
        """Return the facts of a clause, "row 1, columns 2 and 3 would be black"; None if it is no such clause."""
        facts: Facts = {}
        at = 0
        while match := CLAIM.match(words, at):
            at = match.end()
            cells = read_places(match[1])
            assert cells
            for cell in cells:
                if self.shaded:
                    facts[cell, "black"] = match[4] == "black"
                else:
                    facts |= {(cell, int(value)): "not" not in match[3] for value in re.findall(r"\d+", match[4])}
        return facts if at == len(words) else None


def atoms(said: Sequence[Mapping[str, Any]], *, value: bool) -> Facts:
    """Return facts from the JSON of a step."""
    return {(tuple(atom["cell"]), atom["value"]): value for atom in said}


def check_step(board: Board, step: Step, state: Facts) -> Iterator[str]:
    """Yield what is wrong with the sentence of a step, given what is known before it; and the shape of the sentence."""
    said: dict[str, Any] = step.json()
    rules = [str(rule) for rule in step.rules]
    # That this is so is checked by other tests.
    for known in said["known"] if not board.shaded else ():
        state |= {(tuple(known["cell"]), value): False for value in (1, 2) if value not in known["left"]}
    concluded = atoms(said["placed"], value=True) | atoms(said["eliminated"], value=False)
    words, _, then = step.words.partition(" Then ")
    if then:
        assert board.read(then.removesuffix(".")) == atoms(said["plain"], value=False)
        assert board.shaded
    assert not re.search(r": so |\b1 black cells|\d, and \d", words), words
    if said["links"]:
        check_chain(board, said, words, state)
        yield "if" if words.startswith("If ") else "is"
        return
    if match := re.fullmatch(r"(.*), but (.*), so there is no answer\.", words):
        facts = board.read(f"{match[1][0].lower()}{match[1][1:]}") or {}
        assert facts.items() <= state.items()
        assert not board.left(rules[0], facts), words
        yield "but"
        return
    if match := re.fullmatch(r"(No place|Nothing) is left for (.*?)(, because .*)?, so there is no answer\.", words):
        assert not board.left(rules[0], state), words
        yield "nothing"
        return
    if len(rules) == 1 and board.shaded:
        clause, _, end = words.removesuffix(".").rpartition(", so ")
        facts = board.read(clause.partition(", and ")[2]) or {}
        place = re.match(r"row \d+, column \d+", clause, re.IGNORECASE)
        assert board.read(re.sub(r"^it\b", place[0].lower() if place else "", end)) == concluded, words
        assert facts.items() <= state.items(), words
        forced = board.forced(rules[0], facts)
        assert forced is not None
        assert concluded.items() <= forced.items(), words
        yield "so"
    yield "other"


def check_chain(board: Board, said: dict[str, Any], words: str, state: Facts) -> None:
    """Check that each link follows in all worlds, and that its sentence says nothing else."""
    told: list[Facts] = []
    rules: set[str] = set()
    for link in said["links"]:
        facts = atoms(link["placed"], value=True) | atoms(link["eliminated"], value=False)
        before = dict(state)
        for number in link["rests_on"]:
            before |= told[number]
        if facts and told and len(link["rules"]) == 1:
            forced = board.forced(link["rules"][0], before)
            assert forced is not None
            assert facts.items() <= forced.items(), (words, link)
        elif facts and told:  # they refute the opposite together
            [(atom, value)] = facts.items()
            left = [set(board.left(rule, {**before, atom: not value})) for rule in link["rules"]]
            assert not set.intersection(*left), (words, link)
        elif link["rules"]:
            left = [set(board.left(rule, before)) for rule in link["rules"]]
            assert not set.intersection(*left), (words, link)
        told.append(facts)
        rules |= set(link["rules"])
    assert rules == set(said["rules"])
    assert not told[-1]
    every = set(state.items()).union(*(facts.items() for facts in told))
    chain, _, so = words.partition(". So ")
    for match in CLAIM.finditer(chain):
        claimed = board.read(match[0])
        assert claimed is not None
        assert set(claimed.items()) <= every or "must hold" in words, (words, match[0])
    if so:
        first = board.read(so.removesuffix(".").partition("; in the same way")[0])
        assert first == {atom: not value for atom, value in told[0].items()}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["shapes", "sums"])
def test_rules_of_every_shape(kind: str, tmp_path: Path) -> None:
    """What sentences say follows, holds, or cannot hold is so, by rules of every shape."""
    make, files = {"shapes": (shading, SHADING), "sums": (numbers, NUMBERS)}[kind]
    folder = write(tmp_path, files) / kind
    seen: set[str] = set()
    for seed in range(36):
        instance = one(make(seed), puzzles=[folder])
        board = Board(instance)
        state = dict(board.givens)
        for step in explain(instance):
            if step.kind == "end":
                break
            seen.update(check_step(board, step, state))
            said: dict[str, Any] = step.json()
            state |= atoms(said["placed"], value=True)
            state |= atoms([*said["eliminated"], *said["plain"]], value=False)
    assert seen >= ({"if", "but", "so", "other"} if kind == "shapes" else {"nothing", "other"})


def test_clauses_are_merged_as_they_mean() -> None:
    """Clauses become one only where their words say so: by `spans.each` parts, or by forms after a cell or a unit."""
    clauses = [
        *("no two strips are bw", "no two strips are w"),
        *("the group of row 1, column 1 has 3 cells", "the group of row 2, column 1 has 3 cells"),
        *(f"the board takes {spans.each('a bw')}", f"the board takes {spans.each('a w')}"),
        *(f"row 2 needs {spans.each('a 4')} in column 1", f"row 2 needs {spans.each('an 8')} in column 1"),
        *(f"{marked_cell((r, 1))} {spans.forms('is', 'are')} even" for r in (1, 2)),
        *("row 3 holds 2 black", "row 3 holds 2 black"),
        *(f"{marked_cell((1, c))} {spans.forms('is', 'are each')} covered by one strip" for c in (3, 4)),
        *(f"{marked_line(unit)} {spans.forms('has', 'each have')} a 2" for unit in ("row 1", "row 4")),
        *(f"{marked_cell((1, 1))} is odd", f"{marked_cell((2, 1))} is odd"),
        *(f"the strips {spans.each(strip)} {spans.forms('begins', 'begin')} there" for strip in ("bw", "w")),
    ]
    assert [unmarked(clause) for clause in merged_clauses(clauses)] == [
        "no two strips are bw",
        "no two strips are w",
        "the group of row 1, column 1 has 3 cells",
        "the group of row 2, column 1 has 3 cells",
        "the board takes a bw and a w",
        "row 2 needs a 4 and an 8 in column 1",
        "rows 1 and 2 of column 1 are even",
        "row 3 holds 2 black",
        "row 1, columns 3 and 4 are each covered by one strip",
        "rows 1 and 4 each have a 2",
        "row 1, column 1 is odd",
        "row 2, column 1 is odd",
        "the strips bw and w begin there",
    ]


OWN = {
    "own/puzzle.toml": """
summary = "Rows with sums."
cell = "cell(R, C)"
[answer]
kind = "numbers"
output = "value(R, C, V)"
range = "1..3"
[keys.givens]
kind = "givens"
fact = "given(R, C, V)"
[keys.labels]
kind = "outside"
fact = "label(Side, I, N)"
clue = true
""",
    "own/own.lp": """
#defined given/3. #defined label/3. #defined relaxed/1.
{ value(R, C, 1..3) } :- cell(R, C).
violated(cell(R, C))     :- cell(R, C), { value(R, C, V) } != 1.
violated(given(R, C))    :- given(R, C, V), not value(R, C, V).
violated(label(left, R)) :- label(left, R, N), #sum { V, C : value(R, C, V) } != N.
violated(label(top, C))  :- label(top, C, N), #sum { V, R : value(R, C, V) } != N.
:- violated(Rule), not relaxed(Rule).
#show value/3.
""",
    "own/words.lp": """
says(cell(R, C), (cell(R, C), "holds one number"))      :- cell(R, C).
says(label(left, R), ("row", R, "has the sum", N))   :- label(left, R, N).
says(label(top, C), ("column", C, "has the sum", N)) :- label(top, C, N).
""",
    "lamps/puzzle.toml": """
summary = "Numbers count the lamps around them."
cell = "cell(R, C)"
[answer]
kind = "shading"
output = "lamp(R, C)"
shaded = "a lamp"
unshaded = "no lamp"
[keys.numbers]
kind = "numbers"
fact = "number(R, C, N)"
clue = true
""",
    "lamps/lamps.lp": """
#defined number/3. #defined relaxed/1.
{ lamp(R, C) } :- cell(R, C).
violated(number(R, C)) :- number(R, C, N), { lamp(R', C') : cell(R', C'), |R - R'| + |C - C'| = 1 } != N.
violated(off(R, C))    :- number(R, C, _), lamp(R, C).
:- violated(Rule), not relaxed(Rule).
#show lamp/2.
""",
    "lamps/words.lp": """
says(number(R, C), (cell(R, C), "touches", N, "lamps")) :- number(R, C, N).
says(off(R, C), (cell(R, C), "is no lamp"))             :- number(R, C, _).
""",
}


def sentences(text: str, folder: Path) -> list[str]:
    """Return the sentences of a board of a puzzle in a folder."""
    return [step.words for step in explain(one(text, puzzles=[folder]))]


def test_reasons_of_rules_about_many_values(tmp_path: Path) -> None:
    """A reason says which candidates of a cell are ruled out, and which number is in it, where a rule adds up many."""
    folder = write(tmp_path, OWN) / "own"
    boards = ['labels = { left = ". 4", top = ". 5" }', 'labels = { left = "3 5", top = "3 5" }']
    grids = ['givens = """\n. .\n. 3\n"""', 'givens = """\n. .\n. .\n"""']
    found = [
        words
        for grid, labels in zip(grids, boards, strict=True)
        for words in sentences(f'puzzle = "own"\n{grid}\n{labels}\n', folder)
    ]
    assert "Column 2 has the sum 5, and row 2, column 2 is 3, so row 1, column 2 is 2." in found
    assert not any(re.search(r"rules? out row|every other place is filled", words) for words in found)
    assert "Column 2 has the sum 5, so its cells are 2 and 3." in found
    told = r"(?:Row|Column) \d has the sum 3, and row \d, column \d is at least 2, so it is 2\."
    assert any(re.fullmatch(told, words) for words in found)


def test_a_clause_that_says_the_conclusion(tmp_path: Path) -> None:
    """A rule about one cell that is its own conclusion is said once, and what several cells are is in the plural."""
    board = 'puzzle = "lamps"\nnumbers = """\n. . .\n. 4 .\n. . .\n"""\n'
    found = sentences(board, write(tmp_path, OWN) / "lamps")
    assert any(words.startswith("Row 2, column 2 is no lamp.") for words in found)
    [many] = [words for words in found if "touches 4 lamps" in words]
    assert "and row 2 columns 1 and 3 are lamps." in many


def test_entries_whose_word_is_a_noun(tmp_path: Path) -> None:
    """What to take back is "the lamp", where cells are called "a lamp"."""
    board = one('puzzle = "lamps"\nnumbers = """\n. 1 .\n"""\n', puzzles=[write(tmp_path, OWN) / "lamps"])
    wrong = review(board, read(board, ". x .")).wrong
    assert [entry.words for entry in wrong] == ["the lamp in row 1, column 2"]


def test_a_cell_of_its_own() -> None:
    """The only number of a block of one cell is said plainly, and the cell is named once."""
    text = 'puzzle = "tectonic"\nblocks = """\nA A D\nA B D\nG G D\n"""\ngivens = """\n. . .\n. . .\n. 1 .\n"""\n'
    words = [step.words for step in explain(one(text))]
    assert words[1] == "Row 2, column 2 is not 1, but it holds the number 1, so there is no answer."


def test_hints_name_all_lines_of_their_rules(tmp_path: Path) -> None:
    """A hint names all rows or columns that its rules are about, even if the rules are named for one of them."""
    rule = "violated(high(row(1))) :- value(1, 1, V), value(3, 1, W), V <= W.\n"
    settings = Settings(extra=[write(tmp_path, {"high.lp": rule}) / "high.lp"])
    instance = one('puzzle = "sudoku"\ngivens = """\n. . . .\n1 . . .\n. . . .\n4 . . .\n"""\n')
    looked_at = [step.where for step in explain(instance, settings=settings) if "high" in str(step.rules)]
    assert looked_at
    assert not any(re.fullmatch(r"Look at row 1\.", where) for where in looked_at)


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        (("row", "1", "needs a", "8", "; ", "here"), "row 1 needs an 8; here"),
        (("row", "1", "needs a", marked_value("11"), ", there"), "row 1 needs an 11, there"),
        (("row", "1", "needs a", "1"), "row 1 needs a 1"),
        (("row", "1", "holds", "8", "once"), "row 1 holds 8 once"),
    ],
)
def test_numbers_have_their_article(parts: Sequence[str], text: str) -> None:
    """The words of a rule say "an" before numbers that are spoken with a vowel first."""
    assert unmarked(wording.joined(parts)) == text


def test_clauses_and_values_name_what_they_are() -> None:
    """A clause names its rule, and a number that stands alone its value, in JSON as well."""
    rules, values = set(), set()
    for step in steps("variants/thermometer"):
        named = {str(rule) for rule in step.rules}
        for span in step.spans:
            assert not span.rule or span.rule in named
            assert span.value is None or str(span.value) in re.findall(r"\d+", span.text)
            rules |= {span.rule.partition("(")[0]}
            values |= {span.value}
        if " are at least " in step.words:
            first = next(i for i, span in enumerate(step.spans) if span.text.endswith(" at least "))
            assert step.spans[first + 1].value == int(step.spans[first + 1].text)
    assert {"thermometer"} <= rules
    assert values >= {1, 2, 3, 4, 5, 6}


@pytest.mark.sampled(0, 5)
@pytest.mark.parametrize("letter", sorted({path.stem[0] for path in INSTANCES.glob("variants/*")}))
def test_no_sentence_is_long(letter: str) -> None:
    """No sentence about a board of a variant has more than 250 characters, in lists below it neither.

    Those about other boards are measured where these are explained to the end.
    """
    for path in INSTANCES.glob(f"variants/{letter}*"):
        for instance in load(path):
            assert overlong(explain(instance)) == [], path


YAJILIN = '''
puzzle = "yajilin"
arrows = """
1e  .  .  .  .  .  .  .
 .  .  x  .  .  .  .  .
 .  .  . 1e  .  .  .  .
 .  . 1e  .  .  x  .  x
 .  .  .  .  .  .  .  .
 .  .  .  .  . 1n  .  .
 . 1n  .  x  .  .  .  .
 x  .  .  .  .  .  .  .
"""
'''


@pytest.mark.slow
def test_what_is_known_of_a_long_loop_is_left_out() -> None:
    """Where cells would be on another loop, what is known of it is told if the sentence has room for it."""
    steps = list(explain(one(YAJILIN)))
    assert any("would be on another loop" in step.words for step in steps)
    assert overlong(steps) == []


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("board", "sentence"),
    [
        (
            "variants/zipper-line",
            (
                "Rows 2 and 5 of column 3 have the same sum as row 1 column 3 and row 4 column 2 on the zipper line; "
                "row 1, column 3 is 3; row 2, column 3 is 2; row 4, column 2 is 2 or 3; row 5, column 3 is 4 or 5, so"
            ),
        ),
        (
            "norinori/six",
            "Region C has two shaded cells, and row 4, column 3 is unshaded, so row 3 column 3 and row 4 column 4 are",
        ),
        (
            "star-battle/two-stars",
            "The stars of region G are in row 5 column 2 and row 8 column 9, so row 5, column 2 is a star.",
        ),
        (
            "hashi/eight",
            (
                "There is no second bridge without the first, and no bridge goes from row 5, column 5 to row 8, "
                "column 5, so 2 bridges do not go from row 5, column 5 to"
            ),
        ),
        (
            "skyscrapers/five",
            "The skyscraper clue before row 1, column 5 sees one number, and row 1 holds 5 once, so row 1, column 5 is",
        ),
    ],
)
def test_sentences_give_each_premise_once(board: str, sentence: str) -> None:
    """A sentence tells what the cells between lead to, and what is left or what is gone, but not both."""
    assert any(sentence in step.words for step in explain(only(board)))


def test_a_cell_that_one_rectangle_can_reach() -> None:
    """A cell of one rectangle is told why: no other can reach it, in words with single blanks."""
    board = one('puzzle = "shikaku"\nnumbers = """\n4 . .\n. . 2\n. 3 .\n"""\n')
    words = [step.words for step in explain(board)]
    assert any(line.endswith(", because no other rectangle can reach it.") for line in words)
    assert not any("  " in line for line in words[:-1])


@pytest.mark.slow
def test_a_choice_that_is_gone_is_told() -> None:
    """Without a first bridge there is no second one: the sentence says so, and what is known."""
    text = """
puzzle = "hashi"
islands = '''
4 2 1 2 . 4 3 3
. 2 . 5 2 . 1 .
3 . . . 2 . 2 .
. . 4 3 . . . .
2 5 4 . 5 . 4 .
2 3 4 4 4 . 3 .
6 3 3 . 2 . 2 .
3 3 . 6 . 5 2 2
'''
"""
    words = [str(step.words) for step in explain(one(text))]
    assert words
    assert not [said for said in words if re.search(r": [.;]|[(] ?[)]", said)]


def test_words_remain_for_the_units_that_remain(tmp_path: Path) -> None:
    """Without columns, rows and streams are told in words; where rows are others, units are told by their rule."""
    text = encoding("strimko").read_text(encoding="utf-8")
    columns, rows = "unit(col(C),    R, C) :- stream(R, C, _).\n", "unit(row(R),    R, C) :- stream(R, C, _)."
    edits = [text.replace(columns, ""), text.replace(rows, f"{rows[:-1]}, R > 1.")]
    assert text not in edits
    board = one('puzzle = "strimko"\nstreams = "1122\\n1122\\n3344\\n3344"\ngivens = "12..\\n3...\\n....\\n2.1."\n')
    said = [
        " ".join(step.words for step in explain(board, settings=Settings(encoding=mine(tmp_path, edited))))
        for edited in (text, *edits)
    ]
    assert [("the rule once" in words.lower(), "needs a" in words) for words in said] == [
        (False, True),
        (False, True),
        (True, False),
    ]
