"""`resolve` is Algorithm 1 of "Strimko by Resolution": what follows from the clues alone, and no more."""

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from clingo import Control
from hypothesis import given
from hypothesis import strategies as st

from pyasp_puzzles import PuzzleError, Resolution, Settings, load, resolve, solutions, solve
from pyasp_puzzles.queries.resolve import Guess, is_resolvable, resolution_tries

from . import algorithm_1, plain, rules, strategies
from .command import objects, printed, pyasp
from .documents import files
from .helpers import ENCODINGS, ENDLESS_GROUNDING, SHIPPED, encoding, grounded, mine, one, only, sudoku
from .strategies import NumberBoard, examples

RESOLVED = [name for name in SHIPPED if name.split("/")[0] in {"strimko", "sudoku", "tectonic"}]
# modes/resolve.lp is not for boards that list their digits.
BY_CLINGO = [name for name in RESOLVED if name not in {"sudoku/zero", "sudoku/rectangle"}]
BOARDS = strategies.number_boards()
X = """
% The two diagonals are units, too.
unit(diagonal(1), R, R) :- unit(row(R), _, _).
unit(diagonal(2), R, N + 1 - R) :- unit(row(R), _, _), size(N).
unit(diagonal(1..2)).
"""


def agree(found: Resolution, end: algorithm_1.End) -> None:
    """Demand the same status and the same set B; and the same set A and candidates, of a board that is unsolved."""
    assert found.status == end.status
    cells = Counter(cell for cell, _ in end.facts)
    assert found.numbers.values == {cell: value for cell, value in end.facts if cells[cell] == 1}
    if found.status == "unsolved":
        assert {cell: set(values) for cell, values in found.candidates.candidates.items()} == end.candidates
        assert {rule.replace('"', ""): facts_of(left) for rule, left in found.disjunctions.items()} == end.left


def facts_of(numbers: Iterable[Guess]) -> set[algorithm_1.Fact]:
    """Return numbers as Algorithm 1 has them."""
    return {((r, c), value) for r, c, value in numbers}


# -- Algorithm 1 ------------------------------------------------------------------


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=pytest.mark.slow) if one == "sudoku/large" else one for one in RESOLVED]
)
def test_resolution_of_shipped_boards_is_algorithm_1(name: str) -> None:
    """On every shipped board, status, numbers and candidates are those of Algorithm 1, line by line."""
    for instance in load(name):
        board, evidence = algorithm_1.knowledge(instance)
        found, end = resolve(instance), algorithm_1.resolve(board, evidence)
        agree(found, end)
        full = algorithm_1.in_full(board, evidence)
        assert [facts_of(new) for new in found.rounds] == [set(new.values()) for new in full.rounds if new]
        assert found.status != "contradiction"
        assert not found.contradictions
        assert set(found.singles.values()) == {(*cell, value) for cell, value in found.numbers.values.items()}


@examples(20)
@given(BOARDS)
def test_resolution_of_random_boards_is_algorithm_1(board: NumberBoard) -> None:
    """The same on random boards; where the pseudo-code takes shortcuts past a contradiction, it is found all the same.

    At a contradiction, the board is as it stands in the round that meets it first.
    """
    instance = one(board.text)
    disjunctions, evidence = algorithm_1.knowledge(instance)
    found = resolve(instance)
    agree(found, algorithm_1.in_full(disjunctions, evidence))
    end = algorithm_1.resolve(disjunctions, evidence)
    if found.status == "contradiction":
        assert found.contradictions
        assert all(rule.cells and rule.words for rule in found.contradictions)
    else:
        agree(found, end)


@examples(20)
@given(BOARDS, st.data())
def test_guesses_count_as_evidence(board: NumberBoard, data: st.DataObject) -> None:
    """A guess counts as evidence, whether it agrees with the clues or not."""
    instance = one(board.text)
    disjunctions, evidence = algorithm_1.knowledge(instance)
    choices = sorted(next(iter(d)) for name, d in disjunctions.disjunctions.items() if name.startswith("cell"))
    guesses = data.draw(st.lists(st.sampled_from(choices), max_size=3, unique_by=lambda fact: fact[0]))
    found = resolve(instance, [(r, c, value) for (r, c), value in guesses])
    agree(found, algorithm_1.in_full(disjunctions, {*evidence, *guesses}))


@examples(20)
@given(BOARDS)
def test_resolution_is_sound(board: NumberBoard) -> None:
    """What is known holds in every answer, what is no candidate in none; where there is one is no contradiction."""
    found = resolve(one(board.text))
    for values in board.answers():
        assert found.status != "contradiction"
        assert found.numbers.values.items() <= values.items()
        assert all(value in found.candidates.candidates[cell] for cell, value in values.items())


def test_the_shortcuts_of_the_paper_miss_contradictions() -> None:
    """The pseudo-code takes any full board for solved, and overlooks that singles of one round exclude each other."""
    full = one('puzzle = "strimko"\nstreams = """\nA B\nB A\n"""\ngivens = """\n1 1\n2 2\n"""\n')
    assert algorithm_1.resolve(*algorithm_1.knowledge(full)).status == "solved"
    assert resolve(full).status == "contradiction"
    streams = 'puzzle = "strimko"\nstreams = """\nC D C A\nD B A D\nB B C A\nB A D C\n"""\n'
    equals = one(streams + 'givens = """\n. . . 2\n. . . .\n. . . .\n. . . .\n"""\n')
    assert algorithm_1.resolve(*algorithm_1.knowledge(equals)).status == "unsolved"
    assert resolve(equals).status == "contradiction"
    assert list(rules.strimko_answers(plain.labels(equals, "stream"), {(1, 4): 2})) == []


@pytest.mark.sampled(0)
@pytest.mark.parametrize("name", BY_CLINGO)
def test_plain_clingo_derives_the_same(name: str) -> None:
    """Of modes/resolve.lp, clingo's grounder alone derives the same numbers, candidates and singles, as facts."""
    for instance in load(name):
        control = grounded(instance, *instance.puzzle.companions("pruning"), ENCODINGS / "modes" / "resolve.lp")
        atoms = control.symbolic_atoms
        facts = {
            signature: {tuple(map(str, atom.symbol.arguments)) for atom in atoms.by_signature(*signature)}
            for signature in [("clue", 3), ("single", 4), ("candidate", 3), ("status", 1)]
        }
        assert all(atom.is_fact for signature in facts for atom in atoms.by_signature(*signature))
        found = resolve(instance)
        assert facts["status", 1] == {(found.status,)}
        assert facts["clue", 3] == {(str(r), str(c), str(v)) for (r, c), v in found.numbers.values.items()}
        assert facts["single", 4] == {(rule, *map(str, single)) for rule, single in found.singles.items()}
        left = {(str(r), str(c), str(v)) for (r, c), values in found.candidates.candidates.items() for v in values}
        assert facts["candidate", 3] == left


# -- The questions; docs/strimko.md has more answers, which are tests too ------------------


@pytest.mark.parametrize("n", [4, 9, 16])
def test_disjunctions_have_4n3_members(n: int) -> None:
    """The disjunctions of an n x n Sudoku have 4n³ members, all of which are grounded."""
    blank = one('puzzle = "sudoku"\ngivens = """\n' + n * (n * ". " + "\n") + '"""')
    control = Control()
    for file in (*blank.puzzle.encodings, *blank.puzzle.companions("pruning"), ENCODINGS / "modes" / "resolve.lp"):
        control.load(str(file))
    control.add(blank.facts.program())
    control.ground()
    assert len(list(control.symbolic_atoms.by_signature("member", 5))) == 4 * n**3


def test_five_lines_solve_a_strimko() -> None:
    """The five lines of the page find the only answer to a board that resolution leaves unsolved."""
    instance = only("strimko/needs-a-guess")
    assert instance.solution
    control = Control(["0"])
    control.add(files(Path("docs/strimko.md"))["five-lines.lp"])
    control.add(instance.facts.program())
    control.ground()
    found: list[set[str]] = []
    control.solve(on_model=lambda model: found.append({str(atom) for atom in model.symbols(shown=True)}))
    values = {f"value({r},{c},{number})" for (r, c), number in instance.solution.cells().items()}
    assert [{atom for atom in model if atom.startswith("value")} for model in found] == [values]


def test_disjunctions_may_come_down_to_known_facts() -> None:
    """A disjunction may come down to a fact that had been inferred before; in the end, all four that have it do."""
    instance = only("strimko/resolution")
    end = algorithm_1.resolve(*algorithm_1.knowledge(instance))
    four = ((2, 1), 4)
    names = {name for name, fact in end.rounds[2].items() if fact == four}
    assert names == {"once(row(2),4)", "once(col(1),4)", "once(stream(A),4)"}
    assert end.again[3]["cell(2,1)"] == four


@examples(12)
@given(BOARDS.filter(lambda board: len(list(board.answers())) < 25))
def test_search_on_top_of_resolution_is_complete(board: NumberBoard) -> None:
    """Search on top of resolution is complete: it finds all answers, each once, and nothing else.

    It stops at the first; without one, each guess ends in a contradiction.
    """
    ends = [*resolution_tries(one(board.text))]
    answers = [frozenset(end.numbers.values.items()) for end in ends if end.status == "solved"]
    assert len(answers) == len(set(answers))
    assert set(answers) == {frozenset(values.items()) for values in board.answers()}
    found = resolve(one(board.text), search=True)
    assert found.status == ("solved" if answers else "contradiction")
    assert not answers or frozenset(found.numbers.values.items()) == answers[0]


def test_the_board_of_the_figure() -> None:
    """As in the paper's Figure 2, nothing follows by resolution, but row 5, column 2, in stream R (red), is 5 or 6.

    With a 5 there, stream G (green) has no place for 5; with a 6, resolution solves the board.
    """
    figure = only("strimko/figure")
    found = resolve(figure)
    red = next(name for cell, name in plain.labels(figure, "stream").items() if cell == (5, 2))
    assert (red, found.status) == ("R", "unsolved")
    assert found.candidates.candidates[5, 2] == (5, 6)
    wrong = resolve(figure, [(5, 2, 5)])
    assert wrong.status == "contradiction"
    assert [rule.rule for rule in wrong.contradictions] == ['once(stream("G"),5)']
    assert resolve(figure, [(5, 2, 6)]).numbers == figure.solution
    assert [answer == figure.solution for answer in solutions(figure, 2)] == [True]


@pytest.mark.slow
def test_the_list_says_which_boards_resolution_leaves_unsolved(tmp_path: Path) -> None:
    """`pyasp list` marks the boards that resolution leaves unsolved, and no others."""
    for puzzle in dict.fromkeys(name.split("/")[0] for name in SHIPPED if not name.startswith("variants/")):
        lines = printed("list", puzzle, where=tmp_path).splitlines()
        for name in (name for name in SHIPPED if name.startswith(f"{puzzle}/")):
            [line] = [line for line in lines if line.startswith(f"  {name} ")]
            unsolved = is_resolvable(load(name)[0].puzzle) and any(
                resolve(board).status == "unsolved" for board in load(name)
            )
            assert line.endswith("(unsolved by resolution)") == unsolved


# -- Settings and errors ----------------------------------------------------------------


@pytest.mark.parametrize("guess", [(1, 7, 1), (7, 1, 1), (1, 1, 7), (0, 1, 1), (1, 1, 0), (-1, 1, 1), (1, 1, 2**40)])
def test_impossible_guesses_are_refused(guess: tuple[int, int, int]) -> None:
    """A guess off the board, or beyond the numbers of its cell, is refused in one line."""
    with pytest.raises(PuzzleError, match=r"guess '.*' fits no cell; pass the row and column"):
        resolve("strimko/needs-a-guess", [guess])


def test_resolution_uses_rules_of_ones_own(tmp_path: Path) -> None:
    """An encoding that says the same resolves the same; what rules that are added force or exclude is resolved, too."""
    instance = sudoku("1 . . .", ". . 2 .", ". . . .", ". 3 . .")
    text = "violated(k(R, C)) :- value(R, C, V), value(R + 1, C + 2, V).\n{ clue(1, 2, 3) }.\n:- oops.\n"
    knight, diagonals = mine(tmp_path, text, "knight.lp"), mine(tmp_path, X, "diagonals.lp")
    copy = mine(tmp_path, encoding("strimko").read_text(encoding="utf-8"), "copy.lp")
    plainly = resolve(instance)
    assert plainly.status == "unsolved"
    assert resolve(instance, settings=Settings(encoding=copy)) == plainly
    found = resolve(instance, settings=Settings(extra=(knight,)))
    assert found.numbers == solve(instance, Settings(extra=(knight,)))
    assert [str(warning) for warning in found.warnings] == [f"{knight}:3:4: nothing defines oops"]
    found = resolve(instance, settings=Settings(extra=(diagonals,)))
    assert len(found.numbers.values) > len(plainly.numbers.values)
    assert "once(diagonal(1),1)" in found.singles


def test_encodings_without_units_are_refused(tmp_path: Path) -> None:
    """An encoding without units is refused, rather than reported as stuck."""
    file = mine(tmp_path, "{ value(R, C, 1..2) } :- stream(R, C, _).\n")
    with pytest.raises(PuzzleError, match="cannot be resolved"):
        resolve("strimko/four", settings=Settings(encoding=file))


def test_out_of_time_nothing_is_known() -> None:
    """Where time runs out, nothing is known."""
    assert resolve("sudoku/large", settings=Settings(timeout=0)).status == "unknown"


# -- The command ------------------------------------------------------------------------


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ("strimko/resolution", 0, "Solved."),
        ("strimko/needs-a-guess --guess 1,5,6 --guess 1,1,2", 0, "Solved."),
        ("tectonic/ten", 1, "Unsolved: resolution stops with 20 of 100 cells known."),
        ("strimko/needs-a-guess --guess 1,5,4", 1, "Contradiction: nothing is left of"),
    ],
)
def test_resolve_says_by_its_exit_code_how_it_ends(tmp_path: Path, arguments: str, code: int, says: str) -> None:
    """0: all boards are solved; 1: resolution stops, or meets a contradiction. The result and the board are printed."""
    lines = printed("resolve", *arguments.split(), where=tmp_path, code=code).splitlines()
    assert lines[1] == says
    if "Contradiction" in says:
        assert lines[2] == "once(col(6),4)  column 6 holds 4 once"
        assert sum("*" in line for line in lines) == 6  # the cells of the column


def test_resolve_prints_an_object_for_each_board(tmp_path: Path) -> None:
    """An object a board: how it ends, sets A and B, the rounds, the candidates, and of what nothing is left."""
    boards = ("1 .\n. .", "1 .\n. 2", "1 .\n. 1", ". .\n. .")
    text = 'puzzle = "sudoku"\ntitle = "Four"\nbox = [1, 2]\n'
    text += "".join(f'[[board]]\ngivens = """\n{givens}\n"""\n' for givens in boards)
    mine(tmp_path, text, "four.toml")
    solved, twice, none, blank = objects(printed("resolve", "--json", "four.toml", where=tmp_path, code=1))
    head = {"puzzle": "sudoku", "source": "four.toml", "title": "Four"}
    grids = {"grid": [[1, 2], [2, 1]], "candidates": [[[1], [2]], [[2], [1]]], "contradictions": [], "unused": []}
    grids |= {"disjunctions": {}}
    sides = [[1, 2, 2], [2, 1, 2]]
    assert solved == head | {"board": 1, "status": "solved"} | grids | {"rounds": [[*sides, [2, 2, 1]]]}
    assert none == head | {"board": 3, "status": "solved"} | grids | {"rounds": [sides]}
    assert (blank["status"], blank["grid"]) == ("unsolved", [[None, None], [None, None]])
    assert blank["candidates"] == [[[1, 2], [1, 2]], [[1, 2], [1, 2]]]
    assert (twice["status"], twice["grid"]) == ("contradiction", [[1, None], [None, 2]])
    told = [(rule["rule"], rule["cells"], rule["words"]) for rule in twice["contradictions"]]
    assert ("cell(1,2)", [[1, 2]], "row 1, column 2 holds one number of 1 to 2") in told
    assert twice["disjunctions"]["cell(1,2)"] == []
    assert blank["disjunctions"]["once(row(1),2)"] == [[1, 1, 2], [1, 2, 2]]
    assert blank["rounds"] == []
    lines = pyasp("resolve", "four.toml", where=tmp_path).stdout.splitlines()
    assert [line for line in lines if line.startswith("Board")] == [f"Board {i} of 4" for i in range(1, 5)]
    (holes,) = objects(pyasp("resolve", "--json", "tectonic/cross", where=tmp_path).stdout)
    assert holes["grid"][0][0] is holes["candidates"][0][0] is None


def test_resolve_makes_guesses(tmp_path: Path) -> None:
    """With --search, the guesses are told, each after those that it rests on, and then the answer, or that none is."""
    shown = printed("resolve", "--search", "strimko/figure", where=tmp_path)
    lines = shown.splitlines()
    assert lines[1].startswith("Unsolved: resolution stops with")
    assert all(re.match(r"(  )+Guess \d in row \d, column \d: \w", line) for line in lines[2 : lines.index("Solved.")])
    assert shown.endswith(f"Solved.\n{only('strimko/figure').solution}\n")
    (found,) = objects(printed("resolve", "--search", "strimko/figure", "--json", where=tmp_path))
    assert found["status"] == found["search"][-1]["status"] == "solved"
    assert found["search"][0] == {"guesses": [], "status": "unsolved"}
    assert found["disjunctions"] == {}
    lines = printed("resolve", "--search", "strimko/figure", "--guess", "1,2,2", where=tmp_path, code=1).splitlines()
    assert (lines[1][:9], lines[-1]) == ("Unsolved:", "No answer: each guess ends in a contradiction.")


def test_resolve_says_that_time_ran_out(tmp_path: Path) -> None:
    """Out of time is exit code 3, and no further board is begun."""
    mine(tmp_path, ENDLESS_GROUNDING, "endless.lp")
    done = pyasp("resolve", "strimko/four", "--extra", "endless.lp", "--timeout", "0.2", where=tmp_path)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (3, "Out of time.")
    assert "no further board is begun" in done.stderr


@pytest.mark.parametrize(
    ("rules", "broken"),
    [
        ("a. :- a.", 'line("mine.lp",1)'),
        ("{ a; b } = 1. :- not a. :- not b.", 'line("mine.lp",1,2)'),
        (":- value(1, 1, V), value(2, 2, V + 1), value(3, 3, V + 2).", ""),
    ],
)
def test_added_rules_that_no_answer_keeps_are_a_contradiction(rules: str, broken: str, tmp_path: Path) -> None:
    """Rules that are about no cell, or that a whole board breaks, are in force, too, also with guesses."""
    mine(tmp_path, rules)
    settings = Settings(extra=(tmp_path / "mine.lp",))
    expected = "contradiction" if broken else "solved"
    for search in (False, True):
        found = resolve(only("strimko/four"), settings=settings, search=search)
        assert found.status == expected
        assert found.words.startswith("Contradiction: nothing is left with which" if broken else "Solved: ")
        assert not broken or broken in {one.rule for one in found.contradictions}
    done = pyasp("resolve", "strimko/four", "--search", "--extra", "mine.lp", where=tmp_path)
    assert (done.returncode, "Solved" in done.stdout) == (1 if broken else 0, not broken)


def test_rules_that_resolution_does_not_use_are_said(tmp_path: Path) -> None:
    """Thirteen pigeons in twelve holes take long to refute: it says which rules it did not use."""
    pigeons = mine(tmp_path, "{ in(P, H) : H = 1..12 } = 1 :- P = 1..13.\n:- in(P, H), in(Q, H), P < Q.\n")
    found = resolve(only("strimko/four"), settings=Settings(extra=(pigeons,)))
    assert (found.status, [one.rule for one in found.unused]) == ("solved", ['line("mine.lp",2)'])
    assert "Not used, so perhaps broken: line 2 of mine.lp" in found.words
    assert "Solved. Not used" in pyasp("resolve", "strimko/four", "--extra", "mine.lp", where=tmp_path).stdout
