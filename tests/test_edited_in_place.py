"""Rules that are edited where they stand: in a copy of the whole program, as in a clone or an installed package.

One process asks about each board before and after each edit, as a session or the studio would.

Edit  ("violated(cell(R, C)) :- ...", ""): the text of a file of rules, edited, and a file that is added to it
"""

import json
import os
import random
import re
import shutil
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from clingo import Control

from pyasp_puzzles import Rules, Settings, count, loads, solutions
from pyasp_puzzles.asp.rules import encodings_directory
from pyasp_puzzles.puzzles.questions import facts_program

from .digests import old
from .strategies import grid
from .variant_boards import LATIN, VARIANTS, Base, a_board, base

ROOT = encodings_directory().parent
BOARDS = {
    "tectonic/tectonic.lp": 'puzzle = "tectonic"\nblocks = "AAB\\nABB\\nCCB"\ngivens = "2..\\n...\\n..."\n',
    "strimko/strimko.lp": 'puzzle = "strimko"\nstreams = "AAB\\nCAB\\nCCB"\ngivens = "1..\\n...\\n..."\n',
    "strips/strips.lp": 'puzzle = "strips"\ntiles = "wbwb\\nbwbw"\nleft = 1\n',
    "strata/strata.lp": 'puzzle = "strata"\ntiles = "ab\\nba"\n',
}
KEYS = {
    "anti-knight": "",
    "arrow": 'arrows = ["r2c1 > r2c2 r2c3"]',
    "even": 'even = "r2c2 r3c4"',
    "killer-cage": 'killer_cages = ["r1c1 r1c2 = 3", "r3c1 r3c2 r4c1"]',
    "little-killer": 'little_killers = ["r1c3 dl = 6"]',
    "odd": 'odd = "r2c2 r3c4"',
    "renban": 'renbans = ["r2c1 r2c2 r2c3"]',
    "sandwich": 'sandwiches = { left = "5 . . ." }',
    "skyscraper": 'skyscrapers = { left = ". 3 . ." }',
    "sum": 'sums = ["r2c1 r3c1 = 4"]',
    "thermometer": 'thermometers = ["r1c1 r1c2 r2c2"]',
    "x-sum": 'x_sums = { left = ". 3 . ." }',
}
EDITS = ("dropped", "weakened", "renamed", "moved")
for name, keys in KEYS.items():
    key = keys or f'variants = ["{name}"]'
    board = f'puzzle = "sudoku"\ngivens = "1...\\n....\\n....\\n..4."\n{key}\n'
    BOARDS[f"variants/{name}/{name}.lp"] = board

# Asks about boards before and after each edit; given the edits, it prints a JSON object for each.
ASKING = """
import json, sys
from pathlib import Path
import clingo
from pyasp_puzzles import EncodingError, Settings, check, count, explain, loads, solutions
from pyasp_puzzles.puzzles.questions import facts_program, rules_in_use

def plainly(board, added):
    control = clingo.Control(["0", "--warn=none", "--project=show"])
    for file in rules_in_use(board):
        control.load(str(file))
    control.add("base", [], facts_program(board) + added)
    control.ground([("base", [])])
    return sum(1 for _ in control.solve(yield_=True))

def asked(board, added=""):
    Path("added.lp").write_text(added)
    how = Settings(extra=["added.lp"] if added else [])
    number = plainly(board, added)
    found = {"plain": number, "count": [count(board, settings=how).number for _ in range(5)]}
    try:
        *_, end = explain(board, settings=how)
        found |= {"solve": len([*solutions(board, 0, how)]), "check": check(board, settings=how).status}
        found["end"] = end.status
    except EncodingError as error:  # two numbers in a cell are no answer to read
        assert "has two numbers" in str(error)
        found |= {"solve": number, "check": "several", "end": "unknown"}
    return found

for path, text, edits in json.load(sys.stdin):
    file, board = Path(path), loads(text)[0]
    found = [asked(board)]
    for edited, added in edits:
        before = file.read_text()
        file.write_text(edited)
        found.append(asked(board, added))
        file.write_text(before)
    found.append(asked(board))
    print(json.dumps(found))
"""


# Counts the answers to boards, up to 5000, before and after each edit: in plain clingo, by `count` where the rules are
# edited in place, and where a copy of them is.
COUNTING = """
import json, shutil, sys, tempfile
from pathlib import Path
import clingo
from pyasp_puzzles import Settings, count, loads
from pyasp_puzzles.puzzles.questions import facts_program, rules_in_use

def plainly(board):
    control = clingo.Control(["5000", "--warn=none", "--project=show"])
    for file in rules_in_use(board):
        control.load(str(file))
    control.add("base", [], facts_program(board))
    control.ground([("base", [])])
    return sum(1 for _ in control.solve(yield_=True))

for path, text, edits in json.load(sys.stdin):
    file, board = Path(path), loads(text)[0]
    before, found = file.read_text(), []
    for edited in (before, *edits, before):
        file.write_text(edited)
        numbers = [plainly(board), int(count(board, 5000))]
        with tempfile.TemporaryDirectory() as copy:
            for rules in rules_in_use(board):
                shutil.copy(rules, copy)
            file.write_text(before)
            found.append([*numbers, int(count(board, 5000, Settings(encoding=Path(copy))))])
    print(json.dumps(found))
"""


# Answers other questions about a board and a filled one before and after each edit of a file.
OTHERS = """
import json, sys
from pathlib import Path
import clingo
from pyasp_puzzles import Settings, Workers, batch, generate, hint, loads, minimize, resolve
from pyasp_puzzles.puzzles.questions import facts_program, rules_in_use

def plainly(board, added, without=None):
    control = clingo.Control(["0", "--warn=none", "--project=show"])
    for file in rules_in_use(board):
        control.load(str(file))
    facts = facts_program(board).splitlines()
    control.add("base", [], "\\n".join(fact for fact in facts if fact != without) + added)
    control.ground([("base", [])])
    with control.solve(yield_=True) as models:
        return [sorted(map(str, model.symbols(shown=True))) for model in models]

def asked(board, filled, added, workers):
    Path("added.lp").write_text(added)
    how = Settings(extra=["added.lp"] if added else [])
    fewer = minimize(filled, settings=how)
    clues = [fact for fact in facts_program(fewer).splitlines() if fact.startswith("given(")]
    [new] = generate(board.puzzle.name, 1, size=4, seed=1, settings=how)
    records = [*batch([board] * 2, 0, how), *batch([board] * 2, 0, how, workers)]
    return {
        "answers": plainly(board, added),
        "batch": [len(record["solutions"]) for record in records],
        "hint": [*map(str, hint(board, settings=how).placed)],
        "resolve": sorted(f"value({r},{c},{v})" for (r, c), v in resolve(board, settings=how).numbers.values.items()),
        "minimize": [len(plainly(fewer, added)), *(len(plainly(fewer, added, clue)) > 1 for clue in clues)],
        "generate": len(plainly(new, added)),
    }

if __name__ == "__main__":
    path, boards, edits = json.load(sys.stdin)
    file, boards = Path(path), [loads(text)[0] for text in boards]
    before = file.read_text()
    with Workers(1) as workers:
        for edited, added in [(before, ""), *edits, (before, "")]:
            file.write_text(edited)
            print(json.dumps(asked(*boards, added, workers)))
"""


def program_copy(directory: Path) -> Path:
    """Return the directory of a copy of the whole program."""
    for name in ("pyasp_puzzles", "encodings", "instances"):
        shutil.copytree(ROOT / name, directory / name, ignore=shutil.ignore_patterns("__pycache__"))
    return directory


def run(directory: Path, script: str, given: object) -> list[Any]:
    """Return the lines of JSON that a script prints with the program of a directory."""
    environment = os.environ | {"PYTHONPATH": str(directory)}
    command = [sys.executable, "-c", script]
    done = subprocess.run(
        command, input=json.dumps(given), capture_output=True, text=True, env=environment, cwd=directory, check=False
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def named_rules(text: str) -> list[str]:
    """Return the names of the rules of a file."""
    return list(dict.fromkeys(re.findall(r"^violated\((\w+)", text, re.MULTILINE)))


def without(text: str, rule: str) -> str:
    """Return the text of a file without a rule."""
    return re.sub(rf"(?ms)^violated\({rule}\b.*?\.\s*$", "", text)


def weakened(text: str, rule: str) -> str:
    """Return the text of a file with a rule that only holds for numbers and places above 2, or the like."""

    def weaker(match: re.Match[str]) -> str:
        [*_, last] = re.findall(r"\b[A-Z]\w*", match[1]) or ["N"]  # as in `left(N)`
        where = {"A": "A != row(1)", "P": 'P != ("b", ("w", ()))'}.get(last, f"{last} > 2")
        return f"{match[0].rstrip()[:-1]}; {where}."

    return re.sub(rf"(?ms)^violated\({rule}\b(.*?):-.*?\.\s*$", weaker, text)


def renamed(text: str, rule: str) -> str:
    """Return the text of a file with another name for a rule."""
    return re.sub(rf"(?m)^violated\({rule}\b", f"violated(my_{rule}", text)


def edits(text: str, rule: str) -> dict[str, tuple[str, str]]:
    """Return the edits of a rule in place, by what is done to it: one moves it to a file that is added."""
    alone = "".join(match[0] for match in re.finditer(rf"(?ms)^violated\({rule}\b.*?\.\s*$", text))
    return {
        "dropped": (without(text, rule), ""),
        "weakened": (weakened(text, rule), ""),
        "renamed": (renamed(text, rule), ""),
        "moved": (without(text, rule), alone),
    }


@pytest.mark.slow
def test_no_digest_is_old() -> None:
    """What follows from rules was read again after these changed; then `python -m tests.digests --write`."""
    assert [str(file) for file in old()] == []


@pytest.mark.parametrize(
    ("done", "few"),
    [
        ("dropped", 1),
        *(pytest.param(done, 7, marks=pytest.mark.slow) for done in EDITS),
        *(pytest.param(done, None, marks=pytest.mark.night) for done in EDITS),
    ],
)
def test_every_rule_edited_in_place_takes_effect(done: str, few: int | None, tmp_path: Path) -> None:
    """Whichever rule is edited where it stands, all questions follow plain clingo, also in a process that lives on."""
    copy, boards = program_copy(tmp_path), dict(islice(BOARDS.items(), few))
    asked: list[tuple[str, str, list[tuple[str, str]]]] = []
    for name, board in boards.items():
        text = (copy / "encodings" / name).read_text(encoding="utf-8")
        asked.append((str(copy / "encodings" / name), board, [edits(text, rule)[done] for rule in named_rules(text)]))
    found = run(copy, ASKING, asked)
    assert len(found) == len(boards)
    changed: dict[str, bool] = {}
    for (name, _, edited), (before, *after, again) in zip(asked, found, strict=True):
        assert edited
        assert before == again
        for one in after:
            number = one["plain"]
            status = "solvable" if "strata" in name and number else ["none", "unique", "several"][min(number, 2)]
            assert one["count"] == [number] * 5, name
            assert (one["solve"], one["check"]) == (number, status), name
            assert one["end"] != "none" or not number, name
        changed[name] = {one["plain"] for one in after} != {before["plain"]}
    # That no knight's move joins equal numbers in two columns alone leaves no answer either.
    same = {"dropped": [], "weakened": ["variants/anti-knight/anti-knight.lp"]}.get(done, boards)
    assert [str(Path(name).relative_to(copy / "encodings")) for name in changed if not changed[name]] == [*same]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tectonic/tectonic.lp", "strimko/strimko.lp"])
def test_other_questions_follow_rules_edited_in_place(name: str, tmp_path: Path) -> None:
    """Hints, resolution, fewer clues, new boards and batches follow plain clingo, also in a process that lives on."""
    copy = program_copy(tmp_path)
    file, rule = copy / "encodings" / name, {"tectonic": "touch", "strimko": "once"}[name.partition("/")[0]]
    values = next(iter(solutions(loads(BOARDS[name])[0]))).values
    rows = "\\n".join("".join(str(values[r, c]) for c in (1, 2, 3)) for r in (1, 2, 3))
    boards = [BOARDS[name], re.sub('givens = ".*"', lambda _: f'givens = "{rows}"', BOARDS[name])]
    found = run(copy, OTHERS, [str(file), boards, [*edits(file.read_text(encoding="utf-8"), rule).values()]])
    assert found[0] == found[-1]
    for one in found:
        assert one["batch"] == 4 * [len(one["answers"])]
        assert one["minimize"][0] == one["generate"] == 1
        assert all(one["minimize"])
        always = set(one["answers"][0]).intersection(*one["answers"])
        assert {*one["hint"], *one["resolve"]} <= always
    shipped, dropped, weakened, renamed, moved, _ = ([one[key] for key in one if key != "answers"] for one in found)
    assert dropped != shipped != weakened != dropped
    assert shipped == renamed == moved


@pytest.mark.slow
def test_rules_of_an_installed_wheel_are_edited_in_place(tmp_path: Path) -> None:
    """What a wheel installs follows edits of its rules as a checkout does."""
    pytest.importorskip("build")
    building = [sys.executable, "-m", "build", "--wheel", "--outdir", str(tmp_path), str(ROOT)]
    subprocess.run(building, check=True, capture_output=True, cwd=tmp_path)
    [wheel] = tmp_path.glob("*.whl")
    ZipFile(wheel).extractall(tmp_path / "installed")
    name = "tectonic/tectonic.lp"
    file = tmp_path / "installed" / "pyasp_puzzles" / "encodings" / name
    edited = edits(file.read_text(encoding="utf-8"), "touch")
    [found] = run(tmp_path / "installed", ASKING, [(str(file), BOARDS[name], [*edited.values()])])
    assert all(one["count"] == 5 * [one["plain"]] and one["solve"] == one["plain"] for one in found)
    shipped, dropped, weakened, renamed, moved, again = found
    assert dropped != shipped != weakened != dropped
    assert shipped == renamed == moved == again


@pytest.mark.night
def test_the_first_command_of_the_readme_installs_rules_to_edit(tmp_path: Path) -> None:
    """After README's first command, in a clone, a rule that is dropped where it stands is dropped for `pyasp`."""
    copy = program_copy(tmp_path)
    for name in ("README.md", "LICENSE", "pyproject.toml"):
        shutil.copy(ROOT / name, copy)
    [command, _] = re.findall(r"^python3 -m venv.*", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    installed = subprocess.run(
        ["/bin/sh", "-c", command], cwd=copy, env=environment, capture_output=True, text=True, check=False
    )
    if "No matching distribution found" in installed.stderr:
        pytest.skip("needs a package index")
    assert installed.returncode == 0, installed.stderr
    rules = copy / "encodings/tectonic/tectonic.lp"
    counts = []
    for text in (rules.read_text(encoding="utf-8"), without(rules.read_text(encoding="utf-8"), "touch")):
        rules.write_text(text, encoding="utf-8")
        counting = [str(copy / ".venv/bin/pyasp"), "count", "-n", "2", "tectonic/seed"]
        done = subprocess.run(counting, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        counts.append(done.stdout)
    assert counts == ["1\n", "at least 2\n"]


PUZZLES = ("sudoku", "strimko", "tectonic")


def a_board_with_givens(name: str, board: Base) -> str:
    """Return a random board with a variant, and with two thirds of the numbers of an answer, if it has any."""
    text, answers = a_board(name, 0, board)
    answer = (answers or board.answers)[0]
    rng = random.Random(name)  # noqa: S311 (boards, not secrets)
    shown = {cell: answer[cell] for cell in rng.sample(board.cells, len(board.cells) * 2 // 3)}
    rows, columns = (max(cell[i] for cell in board.cells) for i in (0, 1))
    givens = f"givens = {grid(shown, board.cells, rows, columns)}\n"
    return board.text.replace("size = [4, 4]\n", "") + givens + text.removeprefix(board.text)


@pytest.mark.parametrize(
    ("puzzle", "whole"),
    [
        ("", False),
        *(pytest.param(puzzle, True, marks=pytest.mark.night) for puzzle in PUZZLES),
    ],
)
@pytest.mark.slow
def test_every_rule_of_a_board_with_a_variant_is_dropped(puzzle: str, whole: bool, tmp_path: Path) -> None:  # noqa: FBT001
    """Whichever rule of a variant, or of the puzzle under it, is dropped, in place or in a copy, counts are clingo's.

    At night, each variant is on boards of each puzzle, and rules of the puzzle are dropped, too.
    """
    copy = program_copy(tmp_path)
    asked: list[tuple[str, str, list[str]]] = []
    for i, name in enumerate(VARIANTS):
        under = puzzle or PUZZLES[i % 2 if name in LATIN else i % 3]
        if under == "tectonic" and name in LATIN:
            continue
        text = a_board_with_givens(name, base(under, name))
        files = [copy / "encodings" / "variants" / name / f"{name}.lp"]
        if whole:
            rules = "tectonic" if puzzle == "tectonic" else "strimko"
            files.append(copy / "encodings" / rules / f"{rules}.lp")
        for file in files:
            before = file.read_text(encoding="utf-8")
            asked.append((str(file), text, [without(before, rule) for rule in named_rules(before)]))
    for (where, text, _), counts in zip(asked, run(copy, COUNTING, asked), strict=True):
        assert all(len({*numbers}) == 1 for numbers in counts), (where, text, counts)


def test_consequences_of_ones_own_puzzle_are_used_only_with_their_digest(tmp_path: Path) -> None:
    """Without the digest, what its author wrote is not used, and a warning gives the line to write; then it is."""
    folder = tmp_path / "mine"
    shutil.copytree(encodings_directory() / "strimko", folder)
    (folder / "strimko.lp").rename(folder / "mine.lp")
    wrong = "excluded(R, C, V) :- unit(row(R), R, C), V = 1.\n"
    (folder / "pruning.lp").write_text(wrong, encoding="utf-8")
    text = BOARDS["strimko/strimko.lp"].replace('"strimko"', '"mine"')
    [board] = loads(text, puzzles=folder)
    before = count(board).number
    assert before
    [warning] = board.puzzle.warnings
    line = re.search(r"% Follows from: mine\.lp \w+$", warning)
    assert line
    (folder / "pruning.lp").write_text(f"{line[0]}\n{wrong}", encoding="utf-8")
    [board] = loads(text, puzzles=folder)
    assert (count(board).number, board.puzzle.warnings) == (0, ())
    assert count(board, settings=Settings(extra=Rules("relaxed(none)."))).number == before


@pytest.mark.parametrize(
    "extra",
    [
        "relaxed(touch(R, C, V)) :- violated(touch(R, C, V)).",
        "violated(mine(R, C)) :- block(R, C, _), not candidate(R, C, 3).",
        "violated(mine(R, C)) :- value(R, C, V), value(R, C + 2, V).",
        "clue(1, 1, 1).",
        "excluded(R, C, 2) :- given(R, C, _).",
        "{ block(1, 1, 2) }.",
        ":- value(2, 3, 3), not clue(1, 1, 2).",
    ],
)
def test_added_rules_mean_what_plain_clingo_says(extra: str) -> None:
    """Whatever rules are added, what follows from the shipped ones is used only where it still follows."""
    [board] = loads('puzzle = "tectonic"\nblocks = "AABB\\nABBC\\nDDCC"\ngivens = "2...\\n....\\n...."\n')
    control = Control(["0", "--warn=none", "--project=show"])
    control.load(str(board.puzzle.encoding))
    control.add("base", [], facts_program(board) + extra)
    control.ground([("base", [])])
    with control.solve(yield_=True) as models:
        expected = sum(1 for _ in models)
    assert count(board, settings=Settings(extra=Rules(extra))).number == expected


@pytest.mark.sampled(2)
@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("row", [1, 2, 3])
def test_sums_of_lines_that_repeat_numbers(side: str, row: int) -> None:
    """An x-sum in a Tectonic, whose rows may hold a number twice, leaves the answers that have that sum."""
    text = 'puzzle = "tectonic"\nblocks = "ABBCC\\nABBBC\\nDDDDC"\n'
    lines = [[int(str(answer.cells()[row, c])) for c in range(1, 6)] for answer in solutions(loads(text)[0])]
    sums = [sum(line[: line[0]]) for line in (lines if side == "left" else [line[::-1] for line in lines])]
    assert any(len({*line}) < len(line) for line in lines)
    for total in range(1, 16):
        clues = " ".join(str(total) if r == row else "." for r in (1, 2, 3))
        [board] = loads(f'{text}x_sums = {{ {side} = "{clues}" }}\n')
        assert count(board).number == sums.count(total)


# Tells the rules that a wrong answer breaks, given a board, the answer, and edits of files.
TELLING = """
import json, sys
from pathlib import Path
from pyasp_puzzles import loads, review
from pyasp_puzzles.errors import Where

for text, answer, edits in json.load(sys.stdin):
    for path, edited in edits:
        Path(path).write_text(edited)
    [board] = loads(text)
    found = review(board, board.puzzle.kind.read(board, answer, Where("answer")))
    print(json.dumps(sorted({one.words for one in found.broken})))
"""


@pytest.mark.slow
def test_words_are_used_for_rules_that_read_as_they_did(tmp_path: Path) -> None:
    """A rule that is edited in place is told by its name, the others in words; words that are edited, too, are used."""
    copy = program_copy(tmp_path)
    rules, words = (copy / "encodings" / "tectonic" / name for name in ("tectonic.lp", "words.lp"))
    text, said = (file.read_text(encoding="utf-8") for file in (rules, words))
    board, answer = BOARDS["tectonic/tectonic.lp"], "1 1 1\n2 2 3\n4 4 4\n"
    weaker = text.replace("(R1, C1) < (R2, C2)", "(R1, C1) < (R2, C2), R1 = R2")
    commented = text.replace("% -- Test", "% My tests\n% -- Test")
    larger = text.replace("V = 1..N, not excluded", "V = 0..N, not excluded")
    assert len({text, weaker, commented, larger}) == 4
    steps = [
        [],
        [(str(rules), commented)],
        [(str(rules), weaker)],
        [(str(words), said.replace("equal numbers never touch", "no number is beside itself"))],
        [(str(words), said), (str(rules), larger)],
        [(str(rules), text)],
    ]
    shipped, same, edited, both, defined, again = run(copy, TELLING, [(board, answer, edits) for edits in steps])
    touch = "equal numbers never touch"
    assert touch in shipped
    assert shipped == same == again
    assert {*edited} == {*shipped} - {touch} | {"the rule touch"}
    assert {*both} == {*shipped} - {touch} | {"no number is beside itself"}
    assert not {"holds one number of 1 to"} & {*defined}
    assert all("the rule" in one or "the 2 in" in one for one in defined)
