"""Lists of Sudokus, one per line, are read as they come; a bad line is reported and skipped."""

import tracemalloc
from itertools import islice
from pathlib import Path

import pytest

from pyasp_puzzles import Instance, InstanceError, PuzzleError, iload, load, loads, solve

from .command import SECONDS, objects, printed, pyasp, refused, start
from .helpers import mine, one, write
from .lists import line, lines

BOARD, ANSWER = line(1)
SMALL = "1......2.3......"


def boards(text: str) -> list[Instance]:
    """Return the boards of a list."""
    return loads(text, "list.txt", format="sudoku")


def as_toml(cells: str) -> Instance:
    """Return the same board as it is read from TOML."""
    side = int(len(cells) ** 0.5)
    rows = "\n".join(cells[i : i + side] for i in range(0, len(cells), side))
    return one(f'puzzle = "sudoku"\ngivens = """\n{rows}\n"""\n', "list.txt")


@pytest.mark.parametrize("side", [4, 6, 8, 9])
def test_a_line_is_a_board(side: int) -> None:
    """A line of side x side cells is the board that the same rows are in TOML: its facts, its shape and its answer."""
    cells = f"1{'.' * (side + 1)}2{'.' * side}3".ljust(side * side, ".")
    (board,), same = boards(cells), as_toml(cells)
    assert board.facts.layout_key(("given",)) == same.facts.layout_key(("given",))
    assert set(board.facts) == set(same.facts)
    assert len(board.facts) == len(same.facts) == len(list(board.facts))
    assert board.facts.cells("given") == same.facts.cells("given")
    assert board.facts.place("given", 1, 1) == board.facts.where == ("list.txt", 1, None)
    assert (board.source, board.number, board.title, board.puzzle.name) == ("list.txt", 1, "", "sudoku")
    assert solve(board) is not None


def test_text_that_is_a_list() -> None:
    """`loads` takes lists, too, and refuses them in the same words."""
    assert [set(board.facts) for board in loads(f"# one\n{BOARD}\n", format="sudoku")] == [set(as_toml(BOARD).facts)]
    for text in ("1234", f"{BOARD[:-1]}x", "\ud800"):
        with pytest.raises(InstanceError, match=r"^mine:1: "):
            loads(text, "mine", format="sudoku")
    with pytest.raises(PuzzleError, match="tectonic"):
        loads(BOARD, format="tectonic")


@pytest.mark.parametrize("symbol", ".0_*")
def test_empty_cells_are_dots_zeros_underscores_or_stars(symbol: str) -> None:
    """An empty cell is a dot, a zero, an underscore or a star."""
    (board,) = boards(BOARD.replace(".", symbol))
    assert set(board.facts) == set(as_toml(BOARD).facts)


def test_what_else_is_in_a_list(tmp_path: Path) -> None:
    """Comments and empty lines count for nothing; title or answer follow the cells; lines end as on any system."""
    text = f"\ufeff# a list\r\n\r\n{BOARD}  easy, 1\r\n% x\n;y\n{BOARD}:two\n{BOARD},{ANSWER}\n{SMALL}"
    found = load(mine(tmp_path, text, "list.txt"), "sudoku")
    assert [board.number for board in found] == [1, 2, 3, 4]
    assert [board.title for board in found] == ["easy, 1", "two", "", ""]
    assert found[2].solution == solve(found[2])
    assert [board.facts.where.line for board in found] == [3, 6, 7, 8]


def test_boards_share_what_they_can() -> None:
    """All boards of a size have the same shape, the very same; their clues are their own, and nothing can be added."""
    first, second = boards(f"{BOARD}\n{line(2)[0]}\n")
    assert first.facts.layout_key(("given",)) is second.facts.layout_key(("given",))
    assert first.facts.layout_key(()) != second.facts.layout_key(())
    assert set(first.facts) != set(second.facts)
    with pytest.raises(AssertionError):
        first.facts.add("given", (1, 1, 1), second.facts.where)


BAD = {
    "12": "list.txt:2: '12' has 2 cells, expected 81 (9x9), 64 (8x8), 36 (6x6) or 16 (4x4)",
    "x" + BOARD[1:]: "list.txt:2: row 1, column 1: 'x' is not a number, expected 1 to 9, or . for empty",
    "5" + SMALL[1:]: "list.txt:2: row 1, column 1: '5' is not a number, expected 1 to 4, or . for empty",
    BOARD[:80] + "²": "list.txt:2: row 9, column 9: '²' is not a number, expected 1 to 9, or . for empty",
    BOARD[:9] + "\0" + BOARD[10:]: "list.txt:2: row 2, column 1: '?' is not a number, expected 1 to 9, or . for empty",
    ",": "list.txt:2: '' has 0 cells, expected 81 (9x9), 64 (8x8), 36 (6x6) or 16 (4x4)",
}


@pytest.mark.parametrize("bad", BAD, ids=ascii)
def test_bad_lines_are_reported_and_counted(bad: str, tmp_path: Path) -> None:
    """A bad line is reported with file and line, and counts as a board; without a report, it raises an error."""
    text = f"{BOARD}\n{bad}\n{BOARD}\n"
    write(tmp_path, {"list.txt": text})
    records = objects(pyasp("count", "--as", "sudoku", "--json", "list.txt", where=tmp_path).stdout)
    assert [(record["board"], record.get("error")) for record in records] == [(1, None), (2, BAD[bad]), (3, None)]
    with pytest.raises(InstanceError, match=r"^list\.txt:2: "):
        boards(text)


def test_lines_that_are_no_text_are_reported(tmp_path: Path) -> None:
    """A line that is not UTF-8 is reported; a line without an end is an error, and the rest is not read."""
    (tmp_path / "list.txt").write_bytes(b"\xff\n%b\n%b\n%b" % (BOARD.encode(), b"." * 2_000_000, BOARD.encode()))
    done = pyasp("count", "--as", "sudoku", "list.txt", where=tmp_path)
    assert (done.returncode, done.stdout) == (2, "1\n")
    assert [line.partition(",")[0] for line in done.stderr.splitlines()] == [
        "pyasp: list.txt:1: this is not valid UTF-8: save the file as UTF-8",
        "pyasp: list.txt:3: this line is too long for a board; the rest is not read",
    ]


def test_a_directory_is_read_file_by_file(tmp_path: Path) -> None:
    """Each file that is read alone is read in a directory, too; the others are named; a damaged grid is an error."""
    grid = "12..\n34..\n....\n....\n"
    data = printed("convert", "sudoku/easy", "--to", "json", where=tmp_path)
    boards = {
        "a.txt": grid,
        "b.md": "# Links\n\nhttps://puzz.link/p?sudoku/4/4/g1k23k3g\n",
        "c": grid,
        "d/e.json": data,
    }
    write(tmp_path, {f"in/{name}": text for name, text in boards.items()})
    write(tmp_path, {"in/note.txt": "no board\n", "in/.git/config": "[core]\n", "in/x.py": "x = 1\n"})
    (tmp_path / "in/x.png").write_bytes(b"\x89PNG\r\n\x1a\n\0")
    done = pyasp("count", "in", "--json", where=tmp_path)
    assert [record["source"] for record in objects(done.stdout)] == ["in/a.txt", "in/b.md", "in/c", "in/d/e.json"]
    assert done.returncode == 0
    assert done.stderr == "pyasp: warning: in: skipped note.txt, x.png and x.py, in which no board is recognised\n"
    write(tmp_path, {"bad/a.txt": f"{'53..7....' * 8}\n".replace("....5", "....\n5") + "53..7...\n"})
    refused(pyasp("count", "bad", where=tmp_path), "pyasp: bad/a.txt")
    write(tmp_path, {"none/a.md": "no board\n"})
    refused(pyasp("count", "none", where=tmp_path), "pyasp: none: this directory has no boards: no format has a.md")


def test_load_reads_lists_and_directories_of_them(tmp_path: Path) -> None:
    """`load` reads lists, also those in a directory; if it is told their puzzle, that must be right."""
    toml = 'puzzle = "strata"\ntiles = "r"\n'
    write(tmp_path, {"a.txt": f"{BOARD}\n{SMALL}\n", "b.toml": toml, "c.sdm": f"{SMALL}\n", "d.md": "no list\n"})
    found = load(tmp_path, "sudoku")
    assert [(board.source.rpartition("/")[2], board.number) for board in found] == [
        *(("a.txt", 1), ("a.txt", 2), ("b.toml", 1), ("c.sdm", 1))
    ]
    assert [board.puzzle.name for board in load(tmp_path)] == ["sudoku", "sudoku", "strata", "sudoku"]
    with pytest.raises(PuzzleError, match=r"a\.txt: these are Sudokus, and not boards of strips; use --as sudoku"):
        load(tmp_path, "strips")


def test_memory_stays_flat(tmp_path: Path) -> None:
    """A list is read as its boards are asked for, however long it is: 5000 take no more memory than 1000."""
    file = mine(tmp_path, f"{BOARD}\n" * 5001, "long.txt")

    def peak(count: int) -> int:
        tracemalloc.start()
        for _ in islice(iload(file, "sudoku"), count):
            pass
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used

    peak(10)
    assert peak(5000) < peak(1000) + 100_000


# -- The command -----------------------------------------------------------------


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a directory with a list that has all sorts of lines, and one without faults."""
    twice = "." * 81
    text = f"# x\n{BOARD}\n12\n11{BOARD[2:]}\n{twice}\n{SMALL}\n"
    return write(tmp_path, {"all.txt": text, "good.txt": lines(30)})


def test_answers_to_a_list_are_lines(place: Path) -> None:
    """Each board is a line: the cells of its answer in the same order; bad lines are reported, with exit code 2."""
    shown = printed("solve", "--as", "sudoku", "good.txt", where=place)
    assert shown.splitlines() == [line(seed)[1] for seed in range(30)]
    done = pyasp("solve", "--as", "sudoku", "all.txt", where=place)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("pyasp: all.txt:3: '12' has 2 cells")
    answer, none, *others = done.stdout.splitlines()
    assert (answer, none, *map(len, others)) == (ANSWER, "No answer", 81, 16)


def test_several_answers_begin_with_the_number_of_the_board(place: Path) -> None:
    """With several answers per board, each line begins with the number of its board."""
    done = pyasp("solve", "--as", "sudoku", "-n", "2", "all.txt", where=place)
    assert [words.split()[0] for words in done.stdout.splitlines()] == ["1", "3", "4", "4", "5", "5"]
    assert done.stdout.splitlines()[1] == "3 No answer"


@pytest.mark.parametrize(("kind", "shown"), [("--decided", "12..34..."), ("--possible", "12[34][34]34")])
def test_decided_and_possible_are_lines(place: Path, kind: str, shown: str) -> None:
    """`--decided` and `--possible` are lines, too."""
    write(place, {"four.txt": "11..............\n12..3...........\n"})
    none, found = printed("solve", "--as", "sudoku", kind, "four.txt", where=place, code=1).splitlines()
    assert (none, found[: len(shown)]) == ("No answer", shown)


def test_json_and_count_read_lists(place: Path) -> None:
    """`--json` is as for any board; `count` reads lists, too."""
    found = objects(pyasp("solve", "--as", "sudoku", "--json", "all.txt", where=place).stdout)
    statuses = [(board.get("board"), board["status"]) for board in found[:3]]
    assert statuses == [(1, "satisfiable"), (2, "error"), (3, "unsatisfiable")]
    done = pyasp("count", "--as", "sudoku", "-n", "2", "all.txt", where=place)
    assert (done.returncode, done.stdout.split("\n")[:2]) == (2, ["1", "0"])


def test_a_list_of_another_puzzle_is_refused(place: Path) -> None:
    """A list whose boards are of another puzzle is refused in one line."""
    for command in ("solve", "count"):
        refused(pyasp(command, "--as", "tectonic", "good.txt", where=place), "pyasp: good.txt: these are Sudokus")


@pytest.mark.parametrize("jobs", [[], ["--jobs", "2"]])
def test_boards_are_answered_before_the_next_one_comes(place: Path, jobs: list[str]) -> None:
    """From standard input, a board is answered before the next one comes."""
    options = {"stdin": -1, "stderr": None, "encoding": "utf-8", "bufsize": 1}
    with start("solve", "--as", "sudoku", "-", *jobs, where=place, **options) as process:
        for seed in range(4):
            cells, answer = line(seed)
            process.stdin.write(f"{cells}\n")
            process.stdin.flush()
            assert process.stdout.readline() == f"{answer}\n"
        process.stdin.close()
        assert process.wait(SECONDS) == 0
