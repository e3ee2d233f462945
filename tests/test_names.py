"""Steps have the names that people give them: each is what its name says, by an oracle."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from clingo import Control
from hypothesis import given
from hypothesis import strategies as st

from pyasp_puzzles import EncodingError, Instance, Settings, explain
from pyasp_puzzles.explanation import patterns
from pyasp_puzzles.explanation.patterns import pattern_of
from pyasp_puzzles.queries.ground_rules import GroundRules, ground_rules_of

from . import step_checker, step_names, strategies
from .helpers import ENCODINGS, one
from .step_checker import Atom, Json, Puzzle, as_json
from .step_names import Position
from .strategies import NumberBoard, examples

# -- Patterns ---------------------------------------------------------------------------

# The rules that need one of their candidates, with these; the rules that allow one; what is out, or placed (+).
# `r2 4: 23 28` says that row 2 has its 4 in column 3 or 8, `c` is a column, `b` a box, and `11: 37` that row 1,
# column 1 is 3 or 7. `174` is 4 in row 1, column 7. What comes last is true, but not needed. Of several names that fit,
# the first is used.
PATTERNS = {
    "pointing": "b1 4: 11 12 | r1 4 | 194",
    "claiming": "r1 4: 11 12 | b1 4 | 234",
    "locked pair": "11: 12; 12: 12 | r1 1; r1 2 | 191 192",
    "locked triple": "11: 12; 12: 23; 13: 13 | b1 1; b1 2; b1 3 | 221 222",
    "naked pair": "11: 12; 15: 12 | r1 1; r1 2 | 191 192",
    "naked triple": "11: 12; 15: 23; 19: 13 | r1 1; r1 2; r1 3 | 121 122",
    "naked quadruple": "11: 12; 15: 23; 18: 34; 19: 14 | r1 1; r1 2; r1 3; r1 4 | 121 122",
    "hidden pair": "r1 1: 11 15; r1 2: 11 15 | 11; 15 | 113 154",
    "hidden triple": "r1 1: 11 15; r1 2: 15 19; r1 3: 11 19 | 11; 15; 19 | 114 154",
    "hidden quadruple": "b1 1: 11 12; b1 2: 12 22; b1 3: 22 33; b1 4: 11 33 | 11; 12; 22; 33 | 115 335",
    "X-wing": "r2 4: 23 28; r6 4: 63 68 | c3 4; c8 4 | 134 184",
    "swordfish": "r1 4: 11 14; r5 4: 54 57; r9 4: 91 97 | c1 4; c4 4; c7 4 | 214",
    "jellyfish": "c1 4: 11 41; c4 4: 44 64; c6 4: 66 96; c9 4: 19 99 | r1 4; r4 4; r6 4; r9 4 | 124",
    "skyscraper": "r2 4: 23 28; r6 4: 63 67 | c3 4; c7 4; b3 4 | 174 374",
    "two-string kite": "r2 4: 21 28; c3 4: 33 73 | b1 4; c8 4; r7 4 | 784",
    "turbot fish": "r2 4: 21 28; b7 4: 81 93 | c1 4; c8 4; r9 4 | 984",
    "simple coloring": "r2 4: 21 25; r8 4: 85 89; c7 4: 77 37 | c5 4; b9 4; b1 4; r3 4|324| b9 4: 89 77; c5 4: 25 85",
    "X-chain": "r2 4: 21 25; r8 4: 85 89; c7 4: 77 37 | c5 4; b9 4; b1 4; r3 4 | 324",
    "X-cycle": "r2 4: 21 25; r8 4: 82 85; b4 4: 42 51 | c5 4; c2 4; c1 4 | 914",
    "XY-wing": "11: 12; 15: 13; 51: 23 | r1 1; c1 2; c5 3; r5 3 | 553",
    "remote pair": "11: 12; 15: 12; 34: 12; 74: 12 | r1 2; b2 1; c4 2; c1 1; r7 1 | 711",
    "XY-chain": "11: 12; 15: 23; 55: 34; 59: 14 | r1 2; c5 3; r5 4; r1 1; c9 1 | 191",
    "W-wing": "11: 37; 55: 37; r9 7: 91 95 | c1 7; c5 7; r1 3; c5 3 | 153",
    "continuous nice loop": "11: 12; 15: 23; 55: 34; 51: 14 | r1 2; c5 3; r5 4; c1 1 | 192",
    "Franken X-wing": "r4 4: 41 42 48; r5 4: 52 58 | c8 4; b4 4 | 634",
    "finned X-wing": "r2 4: 22 28; r6 4: 62 68 69 | c2 4; c8 4; b6 4 | 484 584",
    "finned swordfish": "r1 4: 11 14; r5 4: 54 57; r9 4: 91 97 98 | c1 4; c4 4; c7 4; b9 4 | 774 874",
    "finned jellyfish": "r1 4: 11 14; r4 4: 44 46; r6 4: 66 67; r9 4: 91 97 98 | c1 4; c4 4; c6 4; c7 4; b9 4 | 874",
    "empty rectangle": "b5 4: 45 65 54; c8 4: 58 28 | r5 4; c5 4; r2 4 | 254",
    "XYZ-wing": "11: 123; 22: 13; 17: 23 | b1 1; r1 2; b1 3; r1 3 | 123 133",
    "WXYZ-wing": "51: 6789; 42: 78; 56: 89; 57: 68 | r5 6; r5 8; r5 9; b4 7; b4 8 | 538",
    "alternating inference chain": "11: 12; c5 2: 15 55; r5 1: 55 59 | r1 2; 55; r1 1; c9 1 | 191",
    "grouped two-string kite": "c5 8: 25 85 95; r7 8: 73 74 76 | b8 8; c3 8; r2 8 | 238",
    "grouped X-chain": "c4 5: 34 94; c7 5: 37 47 57 67; b9 5: 79 89 98 99 | r3 5; r9 5; b6 5; c9 5 | 595",
    "grouped X-cycle": "r1 4: 11 12 19; c8 4: 38 88; c3 4: 83 23 | b3 4; r8 4; b1 4 | 224",
    "grouped W-wing": "63: 26; 81: 26; c2 6: 42 62 72 82 | b4 6; b7 6; c3 2; b7 2 | 732 932",
    "grouped continuous nice loop": "84: 47; r9 4: 94 95 96 98; r9 7: 94 95 96 98 | 98; b8 4; b8 7 | 767",
    "grouped alternating inference chain": "34: 12; c5 2: 15 25 55; r5 1: 55 59 | b2 2; 55; r3 1; c9 1 | 391",
    "Nishio": "c1 7: 11 61 81 91; c8 7: 18 48 98; r8 7: 81 83 89; b1 7: 11 23 | c3 7; r1 7; r4 7; b9 7 | 437",
}
PLACING = "c1 8: 41 51; r4 8: 41 49; 54: 58; c9 5: 49 59 | 49; r5 5; r5 8 | 418+"
# All names that fit are looked for in steps with so many rules.
MOST_RULES = 9
UNITS = {"r": "row({})", "c": "col({})", "b": 'stream("{}")'}
# All names of steps of several rules; some patterns have no room in a Sudoku.
NAMES = (
    *("locked candidates", *(name for name in PATTERNS if name != "Nishio")),
    *("Franken swordfish", "grouped turbot fish", "grouped skyscraper", "Nishio"),
)


@cache
def blank() -> tuple[GroundRules, Puzzle]:
    """Return the rules of an empty Sudoku, as they are explained and as they are checked."""
    instance = one("." * 81, format="sudoku")
    return ground_rules_of(instance, Settings()), step_checker.puzzle(instance)


def rule(short: str) -> str:
    """Return the name of a rule: `once(row(2),4)` for `r2 4`, and `cell(1,1)` for `11`."""
    if short.isdigit():
        return f"cell({short[0]},{short[1]})"
    return f"once({UNITS[short[0]].format(short[1])},{short[3]})"


def places(text: str) -> tuple[list[str], dict[Atom, bool]]:
    """Return rules, and what they do not have."""
    rules: list[str] = []
    out: dict[Atom, bool] = {}
    for part in filter(None, text.split(";")):
        short, _, said = part.strip().partition(": ")
        name = rule(short)
        rules.append(name)
        numbers = {((int(one[0]), int(one[1])), int(short[3])) for one in said.split()} if " " in short else set()
        numbers |= set() if " " in short else {((int(short[0]), int(short[1])), int(v)) for v in said}
        out |= dict.fromkeys(blank()[1].atoms[name] - numbers, False) if said else {}
    return rules, out


def pattern(text: str) -> tuple[str, Position]:
    """Return what a pattern is called, and the pattern as a step."""
    base, cover, told, *more = text.split("|")
    rules, known = places(base)
    state = known | {atom: False for one in more for atom in places(one)[1]}
    rules += places(cover)[0]
    atoms = frozenset(((int(one[0]), int(one[1])), int(one[2])) for one in told.split())
    placed = "+" in told
    ground, puzzle = blank()
    number = {(ground.cells[atom], ground.values[atom]): atom for atom in ground.symbols}
    numbers = {str(one.name): i for i, one in enumerate(ground.rules)}
    name = pattern_of(
        ground,
        [numbers[one] for one in rules],
        {number[atom]: value for atom, value in known.items()},
        [number[atom] * (1 if placed else -1) for atom in atoms],
        {number[atom]: value for atom, value in state.items()},
    ).name
    for atom in atoms:
        assert puzzle.force(rules, known, (atom, placed))
        assert not any(puzzle.force([one for one in rules if one != left], known, (atom, placed)) for left in rules)
    nothing: frozenset[Atom] = frozenset()
    return name, Position(puzzle, state, rules, atoms if placed else nothing, nothing if placed else atoms)


@pytest.mark.sampled(15)
@pytest.mark.parametrize("name", PATTERNS)
def test_patterns_have_their_names(name: str) -> None:
    """A pattern has its name, the first that fits it."""
    found, at = pattern(PATTERNS[name])
    assert found == name
    assert first_that_fits(at) == name


def first_that_fits(at: Position) -> str:
    """Return the first name of a step of several rules that fits; empty if none does."""
    return next((name for name in NAMES if step_names.fits(name, at)), "")


def test_a_chain_that_places_a_number_has_a_name() -> None:
    """A chain from a candidate to itself places it."""
    name, at = pattern(PLACING)
    assert name == "alternating inference chain"
    assert step_names.fits(name, at)


# -- The table --------------------------------------------------------------------------

TABLE = (ENCODINGS / "modes" / "names.lp").read_text(encoding="utf-8")


def test_each_name_of_the_table_is_given() -> None:
    """Each name of the table, and each word that several names have, is in the name of a pattern here or on a board."""
    words = set(re.findall(r'"(.+?)"', re.sub(r"%.*", "", TABLE)))
    given_names = [f" {name} " for name in (*PATTERNS, *step_names.SINGLES, "locked candidates")]
    assert len(words) > 30
    assert [word for word in words if not any(f" {word} " in name for name in given_names)] == []


def test_plain_clingo_reads_the_table() -> None:
    """From the facts that its header lists, clingo derives names, without a warning."""
    messages: list[str] = []
    control = Control(logger=lambda _, text: messages.append(text))
    control.load(str(ENCODINGS / "modes" / "names.lp"))
    wing = "size(2, 2). values(1). base(1..2, row). candidates(1..2, 2). cover(1..2, column). out(1..2). chain."
    control.add("base", [], wing)
    control.ground([("base", [])])
    found = sorted(atom.symbol.arguments for atom in control.symbolic_atoms.by_signature("name", 3))
    assert [str(name) for _, name, _ in found] == ['"X-wing"', '"X-cycle"', '"X-chain"']
    assert not messages


def test_an_edited_table_is_obeyed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that is changed, added or dropped is used at once; a mistake is reported with its place."""
    file = tmp_path / "names.lp"
    monkeypatch.setattr(patterns, "mode_path", lambda name: tmp_path / f"{name}.lp")
    edits = {
        TABLE: "X-wing",
        TABLE.replace('"X-wing"', '"fish of two"'): "fish of two",
        TABLE + 'name(30, ("four", "corners"), cover) :- closed(2), one_value.\n': "four corners",
        TABLE + 'name(32, "four corners", cover) :- closed(2), one_value.\n': "X-wing",
        TABLE.replace('2, "X-wing"; ', ""): "X-cycle",
        "": "",
    }
    assert len(edits) == 6
    for text, name in edits.items():
        file.write_text(text, encoding="utf-8")
        assert pattern(PATTERNS["X-wing"])[0] == name
    file.write_text('line(row).\nname(1 "X-wing").\n', encoding="utf-8")
    with pytest.raises(EncodingError) as caught:
        pattern(PATTERNS["X-wing"])
    assert caught.value.where == (str(file), 2, 8)


def test_a_sentence_depends_on_the_form_of_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under other names, the sentences of steps are the same but for these; with another form, they list the rules."""
    names = {"claiming": "sweeping", "naked pair": "bare pair", "skyscraper": "tower"}
    table = tmp_path / "names.lp"
    monkeypatch.setattr(patterns, "mode_path", lambda name: tmp_path / f"{name}.lp")

    def told(text: str) -> list[str]:
        table.write_text(text, encoding="utf-8")
        return [step.words for step in explain("sudoku/zero")]

    usual = told(TABLE)
    other = TABLE
    for name, new in names.items():
        other = other.replace(f'"{name.removesuffix(" pair")}"', f'"{new.removesuffix(" pair")}"')
    renamed = told(other)
    for new, old in zip(renamed, usual, strict=True):
        for name, another in names.items():
            old = old.replace(name, another).replace(name.capitalize(), another.capitalize())  # noqa: PLW2901
        assert new == old
    assert all(any(name in words.lower() for words in renamed) for name in names.values())
    listed = told(TABLE.replace('"claiming", cover', '"claiming", rules'))
    changed = [(old, new) for old, new in zip(usual, listed, strict=True) if old != new]
    assert changed
    assert all(old.startswith("Claiming") and "claiming" in new.lower() for old, new in changed)


# -- Boards -----------------------------------------------------------------------------


def positions(instance: Instance, steps: Sequence[Json]) -> Iterator[tuple[str, Position]]:
    """Yield the name of each step, and the step with the board before it."""
    puzzle = step_checker.puzzle(instance)
    state = puzzle.start(puzzle.clues)
    for step in steps[:-1]:
        placed, out, plain = (frozenset(map(_atom, step[key])) for key in ("placed", "eliminated", "plain"))
        yield step["name"] or "", Position(puzzle, dict(state), step["rules"], placed, out)
        state |= dict.fromkeys(placed, True) | dict.fromkeys(out | plain, False)


def _atom(said: Mapping[str, Any]) -> Atom:
    row, column = said["cell"]
    return (row, column), said["value"]


def names(instance: Instance) -> set[str]:
    """Return the names of the steps of a board, each of which fits."""
    steps = as_json(explain(instance))
    found = list(positions(instance, steps))
    wrong = [(name, at.rules) for name, at in found if name and not step_names.fits(name, at)]
    assert wrong == []
    # Whatever is about one number may be called a Nishio, where no other name was found.
    named = [(name, at) for name, at in found if name not in {"", "Nishio"}]
    several = [(name, first_that_fits(at)) for name, at in named if 1 < len(at.rules) <= MOST_RULES]
    assert [pair for pair in several if len(set(pair)) > 1] == []
    unnamed = [at.puzzle.atoms[at.rules[0]] for name, at in found if not name and at.placed and len(at.rules) == 1]
    assert all(len(atoms) == 1 for atoms in unnamed), "only a block of one cell holds its number without a reason"
    assert all(step["name"] is None or step["name"].lower() in step["words"].lower() for step in steps)
    return {name for name, _ in found} - {""}


# Generated boards.
SUDOKUS = {
    "...5...9294....3.....3.61...8...25..1..6.5.......8...3...75..4.6.3...7..8........": {
        "W-wing",
        "X-wing",
        "XY-wing",
    },
    "....3..6.9....4......6.5..7.........174...8.6.....9.3...14...5.4...1.3...26.5.1..": {"locked pair", "skyscraper"},
    "...............1835.1.964.7..6.8...478.....5.9...658..8...3.....4.7.9....27......": {"skyscraper"},
    ".94.37..6.5.8.4...3.7..1.4.......96.5..9........7....1..8...2..7.......9.61....7.": {"naked pair", "turbot fish"},
    ".........8.4.1.2...679....3.9...7.28...5.1...25.4...1.6....349...8.5.3.7.........": {"hidden quadruple"},
    "....3.9....5..82..3....1.........7...38....944..7...65.9.17.......5......56....1.": {"two-string kite"},
    "4....67....71..3..23..846...2.6..84......1....7...3.1.........684...9.....53.....": {
        "continuous nice loop",
        "X-chain",
    },
    "3...7.....2..4.8.1.7...2.3.6..71...5.....97...5..2.............9.38...1284....95.": {"grouped two-string kite"},
    ".87....9......71.34...5.8......793.....1....95...36.1.34829...5.9.......7.5......": {"finned swordfish"},
    "....8.6....347....18.....2...159.7...3.8..........4..2...24.9....8..53.6..5.....4": {"X-wing", "XYZ-wing"},
    "63...9.51....46.....41..9.....48..1....76......5.......43.....2..25....8.1...8.9.": {"empty rectangle"},
}
SIX = (
    'puzzle = "sudoku"\ngivens = "...4.6\\n34...2\\n...1..\\n1....4\\n4.2...\\n.1...."\n',
    'puzzle = "sudoku"\ngivens = "..63..\\n.41...\\n6.....\\n.5...2\\n....13\\n...4.."\n',
)
TECTONIC = (
    'puzzle = "tectonic"\nblocks = "AAAAABC\\nDDDDDBB\\nEEEEEFB\\nGGFFFFB\\nGHHIIII\\nHHJIKKK\\nHJJJKKL"\n'
    'givens = "1......\\n2.4....\\n.......\\n1.3....\\n.4.....\\n2....43\\n..3...."\n'
)
STRIMKO = (
    'puzzle = "strimko"\nstreams = "ABBBCBB\\nACACBCB\\nDACACCE\\nDFFAAFE\\nDGFGFEE\\nGDGFEFE\\nDDDGGGE"\n'
    'givens = ".....7.\\n....4..\\n......7\\n6....5.\\n3......\\n.......\\n2.4...."\n'
)
JIGSAW = (
    'puzzle = "sudoku"\nregions = "AAABBBB\\nACADBBE\\nACADEBE\\nCCCDEEE\\nFFCDEGG\\nFFCDGGG\\nFFFDDGG"\n'
    'givens = ".....6.\\n..3....\\n...6...\\n52.....\\n1.6..4.\\n.......\\n.4..5.."\n'
)
OTHER_JIGSAW = (
    JIGSAW.partition("givens")[0] + 'givens = "....26.\\n..67.4.\\n....6..\\n..1....\\n.......\\n.2.1...\\n.3....."\n'
)


@pytest.mark.slow
def test_of_a_pair_and_a_triple_the_pair_is_told() -> None:
    """A hidden pair leaves the other three cells of a row a triple, which has more rules to look at."""
    found = names(
        one("7.........4.63..7....1.5..236...1..8....8.....589.3.....1.24.575..7....62.....8..", format="sudoku")
    )
    assert "hidden pair" in found
    assert not any(name.endswith("triple") for name in found)


@pytest.mark.sampled(0, 5)
@pytest.mark.parametrize("line", SUDOKUS)
def test_names_on_sudokus(line: str) -> None:
    """Each name on a Sudoku is the first that fits, and those are seen for which the board is here."""
    assert names(one(line, format="sudoku")) >= SUDOKUS[line]


@pytest.mark.slow
def test_names_on_small_boards() -> None:
    """So it is on Sudokus six by six."""
    assert set().union(*(names(one(text)) for text in SIX)) >= {"full house", "skyscraper", "W-wing"}


@pytest.mark.slow
def test_names_on_other_boards() -> None:
    """So it is where boxes are of any form, or there are no rows and columns."""
    assert names(one(JIGSAW)) >= {"finned X-wing", "grouped X-chain"}
    assert names(one(OTHER_JIGSAW)) >= {"Franken X-wing"}
    assert names(one(STRIMKO)) >= {"Franken X-wing"}
    assert names(one(TECTONIC)) >= {"full house", "hidden single", "naked single", "locked candidates"}


@given(st.one_of(*(strategies.KINDS[kind] for kind in ("strimko", "sudoku", "tectonic"))))
@examples(20)
@pytest.mark.slow
def test_names_on_random_boards(drawn: NumberBoard) -> None:
    """So it is on random boards, with one answer or not."""
    names(one(drawn.text))
