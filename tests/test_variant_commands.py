"""Every command honours the variants of a board, of a key that ships and of a folder of one's own."""

from pathlib import Path

import pytest
from clingo import Control

from pyasp_puzzles import PuzzleError, count, dumps, loads
from pyasp_puzzles.cli import COMMANDS
from pyasp_puzzles.model.puzzle import Variant
from pyasp_puzzles.puzzles.declaration import shipped_variants
from pyasp_puzzles.puzzles.questions import facts_program, rule_files_in_use

from .command import printed
from .documents import write_files
from .helpers import write
from .test_variant_exchange import ADDING, board_with, same
from .variant_boards import own_variants

# With its thermometers, it has one answer even without its givens; without them, it has 18.
BOARD = """
puzzle = "sudoku"
title = "Mine"
{key} = ["r4c1 r4c2 r3c2 r3c1", "r3c4 r4c4 r4c3", "r1c3 r2c3 r1c4"]
givens = '''
3 . . .
. . . .
. . . .
. . 4 .
'''
"""
# Without its thermometer, resolution solves it.
WRONG = """
puzzle = "sudoku"
{key} = "r1c4 r1c3"
givens = '''
1 2 . .
3 4 1 .
2 . 4 .
. 3 . 1
'''
"""
ANSWER = "3 1 2 4\n2 4 3 1\n4 3 1 2\n1 2 4 3\n"
# A command, its arguments, and what it prints only if the variant holds.
SAYS = {
    "solve": "│(3)  1 │ 2   4 │\n│       │       │\n│ 2   4 │ 3   1 │",
    "count": "1\n",
    "check": "Exactly one answer.",
    "explain --brief": "That is the answer, and there is no other.",
    "grade": " steps, ",
    "minimize": '{key} = ["r4c1 r4c2 r3c2 r3c1", ',
    "draw": 'class="figures behind"',
    "convert --to toml": '{key} = ["r4c1 r4c2 r3c2 r3c1", ',
    "facts": "{fact}(1,1,4,1).",
    "encoding": "violated({fact}(",
}
FOLDERS = {"thermometers": [], "thermos": ["--puzzles", "thermo"]}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a directory with the boards, and the folder of a variant from the tutorial."""
    write_files(ADDING, tmp_path)
    for key in FOLDERS:
        write(tmp_path, {f"{key}.toml": BOARD.format(key=key), f"wrong-{key}.toml": WRONG.format(key=key)})
    return write(
        tmp_path,
        {
            "answer.txt": ANSWER,
            "other.txt": ANSWER.replace("1 2 4 3", "2 1 4 3"),
            "wrong.txt": "3 2 . .\n" + 3 * ". . . .\n",
        },
    )


@pytest.mark.slow
@pytest.mark.parametrize("key", FOLDERS)
def test_every_command_honours_the_key_of_a_board(key: str, place: Path) -> None:
    """Each command does what the variant of a board says, which is named by its key alone."""
    fact = "thermometer" if key == "thermometers" else "thermo"
    for command, words in SAYS.items():
        shown = printed(*command.split(), f"{key}.toml", *FOLDERS[key], where=place)
        assert words.format(key=key, fact=fact) in shown, command
    printed("book", f"{key}.toml", "-o", "book.html", "--no-grade", *FOLDERS[key], where=place)
    assert 'class="figures behind"' in (place / "book.html").read_text(encoding="utf-8")
    resolved = printed("resolve", f"wrong-{key}.toml", *FOLDERS[key], where=place, code=1)
    assert resolved.count("Contradiction") == resolved.count(f"{fact}(1)") == 1
    hint = printed("hint", f"{key}.toml", "--answer", "wrong.txt", *FOLDERS[key], where=place, code=1)
    assert "The 2 in row 1, column 2 contradicts the clues" in hint
    assert "solved" in printed("check", f"{key}.toml", "--answer", "answer.txt", *FOLDERS[key], where=place).lower()
    broken = printed("check", f"{key}.toml", "--answer", "other.txt", "--json", *FOLDERS[key], where=place, code=1)
    assert f'"rule": "{fact}(1)"' in broken
    tested = {"book", "hint", "resolve", *(command.split()[0] for command in SAYS)}
    # The studio is tested in test_studio; the others take no boards.
    assert {*COMMANDS} - tested == {"studio", "generate", "list", "new"}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("key", FOLDERS)
def test_plain_clingo_honours_the_key_of_a_board(key: str, place: Path) -> None:
    """The facts that the command prints, and the files that it names, have the same answers in plain clingo."""
    files = printed("encoding", f"{key}.toml", "--path", *FOLDERS[key], where=place).splitlines()
    facts = printed("facts", f"{key}.toml", *FOLDERS[key], where=place)
    assert answers(facts, [place / file for file in files]) == 1
    assert answers(facts, [place / file for file in files[:1]]) == 18


def answers(facts: str, files: list[Path], most: int = 100) -> int:
    """Return the number of answer sets in plain clingo, up to a limit; clingo has nothing to say about them."""
    messages: list[str] = []
    control = Control([str(most)], logger=lambda _, message: messages.append(message))
    for file in files:
        control.load(str(file))
    control.add("base", [], facts)
    control.ground([("base", [])])
    assert messages == []
    with control.solve(yield_=True) as models:
        return sum(1 for _ in models)


def test_toml_is_written_as_people_write_it() -> None:
    """Clues outside the board are in one string for each side, and a long list has a line for each of its values."""
    cages = [f"r{r}c{c} r{r}c{c + 1} r{r + 1}c{c} = 12" for r in (1, 4) for c in (1, 4, 7)]
    [board] = loads(
        f'puzzle = "sudoku"\nsize = [9, 9]\nkiller_cages = {cages}\nsandwiches = {{ top = [1, 2, "."{6 * ", 12"}] }}\n'
    )
    lines = dumps(board, "toml").splitlines()
    assert 'sandwiches = { top = "1 2 . 12 12 12 12 12 12" }' in lines
    first = lines.index("killer_cages = [")
    assert lines[first + 1 : first + 8] == [*(f'  "{cage}",' for cage in cages), "]"]


def test_rules_that_are_no_text_are_refused(tmp_path: Path) -> None:
    """A variant of the user whose rules are not UTF-8 ends in one line that names the file."""
    own_variants(tmp_path)
    rules = tmp_path / "twins" / "twins.lp"
    rules.write_bytes(b"% \xab\n" + rules.read_bytes())
    with pytest.raises(PuzzleError, match=r"twins\.lp.*not UTF-8"):
        count(loads('puzzle = "sudoku"\nsize = [4, 4]\ntwins = "r1c1 r1c2 r1c3"\n', puzzles=tmp_path / "twins")[0])


@pytest.mark.parametrize("variant", shipped_variants().values(), ids=lambda variant: variant.name)
@pytest.mark.sampled(0)
def test_a_board_of_each_variant_comes_back(variant: Variant) -> None:
    """A board comes back from TOML and facts, with its variants; plain clingo has as many answers from these facts."""
    board = board_with(variant, min(variant.sides or (6,)))
    for name in ("toml", "lp", "json"):
        [back] = loads(dumps(board, name))
        assert same(board, back), name
    assert answers(facts_program(board), rule_files_in_use(board), 3) == min(3, int(count(board, 3)))
