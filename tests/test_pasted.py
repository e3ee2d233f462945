"""What people paste: it is read, or the message says what it is and what to do."""

import gzip
import json
from pathlib import Path

import pytest

from pyasp_puzzles import Instance, InstanceError, UnknownPuzzleError, count, dumps, load, loads, solve
from pyasp_puzzles.puzzles import declaration

from .command import pyasp, refused
from .helpers import one, write

CLUES = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = [CLUES[i : i + 9] for i in range(0, 81, 9)]
BAR = "+-------+-------+-------+"
FRAMED = "\n".join(
    BAR * (r % 3 == 0) + "\n" * (r % 3 == 0) + "| " + " | ".join(" ".join(row[c : c + 3]) for c in (0, 3, 6)) + " |"
    for r, row in enumerate(ROWS)
)
REGIONS = "A A B B\nA A B B\nC C D D\nC C D D\n"
CUT = "quote it, because a shell cuts links at &"


def message(text: str, **options: str) -> str:
    """Return the error that a text gets, one line."""
    with pytest.raises(InstanceError) as caught:
        loads(text, **options)
    return str(caught.value)


def facts(board: Instance) -> list[str]:
    """Return the facts of a board, without its details."""
    lines = (line for line in dumps(board, "lp").splitlines() if not line.startswith("%"))
    return sorted(fact for line in lines for fact in line.split())


@pytest.mark.parametrize("heading", ["Puzzle 17 (hard)", "[Hard] Puzzle 17", "Puzzle 17 [hard] (9x9)", "% from a book"])
def test_headings_with_brackets_and_comments_are_read_over_a_frame(heading: str) -> None:
    """The clues below a heading are those of the line."""
    assert facts(one(f"{heading}\n{FRAMED}\n")) == facts(one(CLUES))


def test_comments_in_bare_grids_are_no_rows() -> None:
    """Lines after %, //, ; or # are left out, but # is a place outside the board where it is as wide as a row."""
    text = "% mine\nA A B\n// a note\nA C B\n# of the last row\nC C B\n"
    assert facts(one(text, format="tectonic")) == facts(one("A A B\nA C B\nC C B", format="tectonic"))
    assert len(one("# A B\nA A B\n", format="tectonic").cells) == 5
    sudoku = "\n".join([*ROWS[:3], "# the middle", *ROWS[3:6], "// the end", *ROWS[6:]])
    assert facts(one(sudoku)) == facts(one(CLUES))


def test_blanks_for_empty_cells_are_named() -> None:
    """Neither plain nor framed rows with blanks can be told apart; the message says what to write."""
    plain = [row.replace(".", " ") for row in ROWS]
    for text in ("\n".join(plain), "\n".join(map(str.rstrip, plain)), FRAMED.replace(".", " ")):
        assert "write . or 0 for each" in message(text)


def test_json_of_other_programs_is_named(tmp_path: Path) -> None:
    """The message has its keys; a file that ends in .json too."""
    words = json.dumps({"grid": [[1, 0], [0, 1]], "difficulty": "easy"}, indent=1)
    assert "JSON of another program, with the keys 'grid' and 'difficulty'" in message(words)
    assert "not valid JSON" in message(words[:-9])
    write(tmp_path, {"a.json": words})
    refused(pyasp("count", "a.json", where=tmp_path), "JSON of another program")


def test_our_own_printed_answer_is_named(tmp_path: Path) -> None:
    """What `solve` prints is no board; the message says what to print instead."""
    text = pyasp("solve", "strimko/four", where=tmp_path).stdout
    write(tmp_path, {"answer.txt": text})
    refused(pyasp("count", "answer.txt", where=tmp_path), "as pyasp prints it for people")
    write(tmp_path, {"ribbons.txt": pyasp("solve", "strata/seed", where=tmp_path).stdout})
    refused(pyasp("count", "ribbons.txt", where=tmp_path), "`solve --json` answers for `check --answer`")
    assert pyasp("check", "strimko/four", "--answer", "answer.txt", where=tmp_path).returncode == 0


def test_packed_files_are_named(tmp_path: Path) -> None:
    """A file of gzip and the like is no text; the message says how to unpack it."""
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(CLUES.encode()))
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.4\n\xff\xfe\n")
    refused(pyasp("count", "a.txt.gz", where=tmp_path), "compressed by gzip: unpack it first, with gunzip")
    refused(pyasp("count", "a.pdf", where=tmp_path), "a PDF")


def test_letters_of_a_numberlink_are_its_numbers() -> None:
    """A is 1; with digits, A is 10; small letters are other numbers than capital ones."""
    rows = "A . B\n. . .\nA . B\n"
    assert facts(one(rows, format="numberlink")) == facts(one(rows.translate({65: "1", 66: "2"}), format="numberlink"))
    board = one("1 . A\n. . .\n1 . A\n", format="numberlink")
    assert {int(n) for *_, n in board.facts.arguments("number")} == {1, 10}
    board = one("a . A\n. . .\na . A\n", format="numberlink")
    assert {int(n) for *_, n in board.facts.arguments("number")} == {1, 27}
    assert "'A' is not a number" in message("A . .\n. . .\n", format="nurikabe")


def test_zeros_and_ones_are_no_sudoku() -> None:
    """0 is a number beside other marks of empty cells, so the puzzle must be named, and Binairo comes first."""
    rows = ["0x1x0xxx", "xxxxxx1x"] * 4
    for text in ("\n".join(rows), "\n".join(map(" ".join, rows)).replace("x", ".")):
        assert "--as PUZZLE; it fits binairo, " in message(text)
        board = one(text, format="binairo")
        assert len([*board.facts.arguments("given")]) == 16
    zeros = "\n".join(row.replace(".", "0") for row in ROWS)
    assert facts(one(zeros)) == facts(one(CLUES))


def solution(k: int, symbols: str) -> list[str]:
    """Return the rows of a filled board of k x k boxes."""
    side = k * k
    return ["".join(symbols[(k * (r % k) + r // k + c) % side] for c in range(side)) for r in range(side)]


@pytest.mark.parametrize(
    ("symbols", "empty"),
    [
        ("123456789ABCDEFG", "."),
        ("123456789abcdefg", "0"),
        ("123456789ABCDEF0", "."),
        ("ABCDEFGHIJKLMNOP", "."),
        ("ABCDEFGHIJKLMNOP", "0"),
        ("ABCDEFGHIJKLMNOPQRSTUVWXY", "."),
        ("123456789ABCDEFGHIJKLMNOP", "."),
    ],
)
def test_large_sudokus_on_one_line(symbols: str, empty: str) -> None:
    """Each letter is the number at its place among the symbols."""
    side = len(symbols)
    cells = "".join(solution(round(side**0.5), symbols))
    line = "".join(empty if i % 3 == 0 else symbol for i, symbol in enumerate(cells))
    board = one(f"{line} A title")
    givens = {(int(r), int(c)): int(v) for r, c, v in board.facts.arguments("given")}
    assert (len(board.cells), board.title) == (side * side, "A title")
    assert givens == {(i // side + 1, i % side + 1): symbols.index(cells[i]) + 1 for i in range(side * side) if i % 3}
    rows = "\n".join(line[i : i + side] for i in range(0, side * side, side))
    assert facts(one(rows)) == facts(board)
    assert "'Z' is not a number from 1 to" in message(f"Z{line[1:]}")


def test_candidates_on_one_line() -> None:
    """729 characters are the candidates of 81 cells; single ones are givens, and an answer keeps to the others."""
    assert count(load("sudoku/easy")[0]) == 1
    answer = solve(load("sudoku/easy")[0])
    assert answer is not None
    values = answer.values
    cells = [(r, c) for r in range(1, 10) for c in range(1, 10)]

    def line(first: int) -> str:
        kept = ({values[cell]} if i < first else {values[cell], values[cell] % 9 + 1} for i, cell in enumerate(cells))
        return "".join("".join(str(v) if v in some else "." for v in range(1, 10)) for some in kept)

    board = one(line(70))
    assert len([*board.facts.arguments("given")]) == 70
    assert len([*board.facts.arguments("pencil_mark")]) == 22
    assert solve(board) == answer
    assert facts(one(line(0).replace(".", "0"))) == facts(one(line(0)))
    assert "row 1, column 1 has no candidates" in message("." * 9 + line(70)[9:])
    assert facts(one("123456789" * 81)) == facts(one("\n".join([". " * 9] * 9)))


SAVED = """SAVEFILE:41:Simon Tatham's Portable Puzzle Collection
VERSION :1:1
GAME    :{}:{}
PARAMS  :{}:{}
CPARAMS :{}:{}
DESC    :{}:{}
NSTATES :1:2
STATEPOS:1:1
MOVE    :4:L0,1
"""


@pytest.mark.parametrize(
    ("game", "name"), [("Light Up", "akari/seven"), ("Solo", "sudoku/easy"), ("Pattern", "nonogram/five")]
)
def test_saved_games_of_simon_tatham(game: str, name: str) -> None:
    """The board of a saved game is that of its ID."""
    board = load(name)[0]
    address = dumps(board, "solo" if game == "Solo" else "tatham").strip()
    parameters, _, desc = address.rpartition("#")[2].rpartition(":")
    saved = SAVED.format(*(word for value in (game, "9x9", parameters, desc) for word in (len(value), value)))
    assert facts(one(saved)) == facts(board)
    assert "this saved game has no DESC" in message(saved[: saved.index("DESC")])


NON = """catalogue "a book"
title "Two &amp; two"
by "Somebody"
copyright "free"
width 3
height 2

rows
1,1

columns
1
0
1

goal "101000"
"""


def test_non_files(tmp_path: Path) -> None:
    """A `.non` file is a Nonogram with its details and its answer, and is written as one; several are divided."""
    board = one(NON)
    assert (board.puzzle.name, board.title, board.details["author"]) == ("nonogram", "Two & two", "Somebody")
    assert solve(board) == board.solution
    assert facts(one(dumps(board, "non"))) == facts(board)
    assert one(dumps(board, "non")).solution == board.solution
    write(tmp_path, {"a.non": f"{NON}====\n{NON}"})
    assert pyasp("count", "a.non", where=tmp_path).returncode == 0
    assert len(loads(f"{NON}====\n{NON}")) == 2


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (NON.replace("1,1\n", "1a,1b\n"), "<text>:9: '1a,1b' has numbers with colors"),
        (NON[: NON.index("columns")], "this .non file has no columns: copy it whole"),
        (NON.replace("0\n1\n\n", "columns\n"), "this .non file has 1 of 3 columns"),
        (NON.replace("101000", "10100"), "the goal has 5 cells instead of 6"),
        (NON.replace("width 3\n", ""), "there is no width and height before"),
        (NON.replace("width 3", "width 99999999"), "is not read"),
    ],
)
def test_wrong_non_files(wrong: str, words: str) -> None:
    """What is wrong is one line."""
    assert words in message(wrong)


def test_sudocle_takes_the_addresses_of_others() -> None:
    """The packed puzzle of f-puzzles or SudokuPad is read from an address of Sudocle; an ID alone is not there."""
    board = load("sudoku/easy")[0]
    packed = dumps(board, "f-puzzles").strip().partition("load=")[2]
    scl = dumps(board, "sudokupad").strip().rpartition("/")[2]
    site = "https://michelkraemer.com/sudocle"
    for rest in (f"/?puzzleid=fpuzzles{packed}", f"?fpuzzles={packed}", f"/?fpuz={packed}", f"/{scl}"):
        assert facts(one(site + rest)) == facts(board)
    assert "it needs the server" in message(f"{site}/tjN9LtrrTL")


@pytest.mark.parametrize("fleet", ["//p", "//t", "/2/22v/13s"])
def test_fleets_of_other_shapes_are_named(fleet: str) -> None:
    """Ships that are no straight lines are not read."""
    address = dumps(load("battleships/six")[0], "puzzlink").strip()
    assert "ships of other shapes than straight ones" in message(f"{address[: address.index('//', 10)]}{fleet}")


@pytest.mark.parametrize(
    "cut",
    [
        "https://swaroopg92.github.io/penpa-edit/#m=edit",
        "https://swaroopg92.github.io/penpa-edit/?m=edit&p=7VRNb9swDL3nVxQ686APW/64ZV2yS5ZtaIaiMI",
        "https://sudokupad.app/?puzzleid=",
        "https://sudokupad.app/sclN4IgzglgXgpiBcBOANCA5gJwgEwQbT2AF9ljSS",
        "https://f-puzzles.com/?load=",
        "https://www.f-puzzles.com/?load=N4IgzglgXgpiBcBOANCA5gJwgEwQbT2AF9lj",
        "https://puzz.link/p?slither",
        "https://puzz.link/p?slither/4/4",
        "https://puzz.link/p?suguru/5/5/ci",
        "https://pzv.jp/p.html?",
    ],
)
def test_cut_links_are_named(cut: str, tmp_path: Path) -> None:
    """A link that lacks a part is said to be cut, and to be quoted."""
    words = message(cut)
    assert "cut" in words
    assert CUT in words
    refused(pyasp("solve", cut, where=tmp_path), CUT)


def test_a_grid_without_its_puzzle_names_what_fits() -> None:
    """At most five names or counts: those that read it, the strictest first."""
    found = message(REGIONS).partition("it fits ")[2]
    assert {"strimko", "sudoku", "tectonic"} <= {*found.replace(" and ", ", ").split(", ")}
    assert len(found.replace(" and ", ", ").split(", ")) <= 5
    wide = message("A A B\nA B B\n").partition("it fits ")[2].split(", ")
    assert wide[0] == "tectonic"
    assert "sudoku" not in wide
    for name in ("sudoku", "strimko", "tectonic"):
        assert len(one(REGIONS, format=name).cells) == 16
    clues = message(f"{REGIONS}\n1 . . .\n. . . .\n. . . .\n. . . .\n").partition("it fits ")[2]
    assert clues.startswith("strimko, sudoku, tectonic, ")


def test_an_unknown_puzzle_names_few() -> None:
    """At most five names, and the likely one."""
    with pytest.raises(UnknownPuzzleError) as caught:
        loads('puzzle = "tektonic"')
    listed = str(caught.value).partition("the puzzles are ")[2].partition(";")[0].replace(" and ", ", ").split(", ")
    assert len(listed) == 5
    assert {*listed[:4]} <= {*declaration.names()}
    assert "did you mean tectonic?" in str(caught.value)
