"""Formats of other programs, and our own: recognised, read, written, and bounded."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyasp_puzzles import Instance, InstanceError, PuzzleError, board, check, count, dumps, explain, load, loads, solve
from pyasp_puzzles import formats as package
from pyasp_puzzles.formats.format import formats
from pyasp_puzzles.formats.sites import LONGEST_UNPACKED, compress, decompress

from .command import objects, printed, pyasp, refused
from .documents import files
from .exchange import FORMATS, KILLER, TEXTS, packed, penpa
from .helpers import SHIPPED, mine, not_none, one, only, write
from .hostile import PIECES
from .rules import members
from .strategies import NumberBoard, examples, sudoku_boards, tectonic_boards

SUGURU = ("puzzlink", "penpa", "janko", "toml", "json", "lp")
JIGSAW = ("solo", "f-puzzles", "sudokupad", "janko", "penpa", "toml", "json", "lp")
USUAL = (*JIGSAW, "puzzlink", "line", "grid")
NINE = ("sdk", "sdm", "ss", "opensudoku")
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
PACKED = ("puzzlink", "solo", "f-puzzles", "sudokupad", "penpa")


def content(instance: Instance) -> tuple[object, ...]:
    """Return what a board is: its puzzle, its regions whatever they are called, its clues and variants."""
    facts = {p.name: instance.facts.arguments(p.name) for p in instance.puzzle.predicates}
    regions = {
        name: frozenset(map(frozenset, members({(int(r), int(c)): str(of) for r, c, of in facts[name]}).values()))
        for name in facts.keys() - {"given"}
    }
    return instance.puzzle.name, regions, frozenset(facts["given"]), instance.variants


def f_puzzles(size: int = 4, **keys: Any) -> str:
    """Return a blank board of f-puzzles with more keys."""
    return json.dumps({"size": size, "grid": [[{}] * size] * size, **keys})


def again(instance: Instance, name: str) -> Instance:
    """Return what is read back of a board that was written in a format, which is recognised."""
    (found,) = loads(dumps(instance, name), format=None if name != "grid" else instance.puzzle.name)
    return found


# -- The registry ---------------------------------------------------------------------------------


def test_formats_are_listed(tmp_path: Path) -> None:
    """`pyasp list --formats` lists every format."""
    listed = printed("list", "--formats", where=tmp_path)
    assert [line.partition(":")[0] for line in listed.splitlines()] == sorted(FORMATS)
    with pytest.raises(PuzzleError, match="did you mean penpa"):
        loads("", format="penpaa")


@pytest.mark.parametrize("name", TEXTS)
def test_texts_are_recognised(name: str) -> None:
    """A text is recognised as what it is, and as nothing else."""
    wanted = name.partition(" ")[0]
    found = [format_.name for format_ in formats().values() if format_.recognise(TEXTS[name])]
    assert found == [wanted if wanted != "sdm" else "line"]
    for instance in loads(TEXTS[name]):
        assert instance.puzzle.name in {"sudoku", "tectonic", "nonogram"}


def test_the_example_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The format of `docs/adding-a-format.md` has some thirty lines; put into the folder, it is read and written."""
    text = files(Path("docs/adding-a-format.md"))["short.py"]
    assert sum(1 for line in text.splitlines() if line.strip()) <= 31
    mine(tmp_path, text, "short.py")
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    formats.cache_clear()
    try:
        (instance,) = loads("short 3x3 AABABBCCB 2........")
        assert instance.puzzle.name == "tectonic"
        assert dumps(instance, "short") == "short 3x3 aababbccb 2........"
        jigsaw = "short 4x4 aaabacbbccdbcddd 1..............."
        assert dumps(loads(jigsaw)[0], "short") == jigsaw
        with pytest.raises(InstanceError, match="this short text is damaged"):
            loads("short 3x3 AAB 2........")
    finally:
        formats.cache_clear()


# -- Round trips ------------------------------------------------------------------------------------


@examples(10)
@given(sudoku_boards())
def test_sudokus_come_back(made: NumberBoard) -> None:
    """A Sudoku that is written in a format and read again has the same facts; or the format refuses it."""
    instance, refused = one(made.text), []
    for name in USUAL:
        try:
            assert content(again(instance, name)) == content(instance), name
        except InstanceError:
            refused.append(name)
    assert set(refused) <= {"puzzlink", "line", "grid"}


@pytest.mark.slow
@settings(max_examples=25)
@given(tectonic_boards())
def test_tectonics_come_back(made: NumberBoard) -> None:
    """A Tectonic of any outline that is written in a format and read again has the same facts."""
    instance = one(made.text)
    for name in SUGURU:
        if name == "toml" and "#" not in made.text and max(c for _, c in made.regions) == 1:
            continue
        back = loads(dumps(instance, name), format=None)[0]
        assert content(back) == content(instance), name
    (grid,) = loads(dumps(instance, "grid"), format="tectonic") if instance.facts.arguments("given") else [instance]
    assert content(grid) == content(instance)


@pytest.mark.parametrize("name", NINE)
def test_formats_of_nine_by_nine_keep_the_clues(name: str) -> None:
    """Formats of 9x9 keep the clues."""
    easy = only("sudoku/easy")
    text = dumps(easy, name)
    back = one(text, format=name)
    assert (content(back), dumps(back, name)) == (content(easy), text)


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.sampled(0)
def test_what_ships_comes_back(name: str, tmp_path: Path) -> None:
    """Every shipped board, its answer and its details come back from our TOML and JSON."""
    boards = load(name)
    for format_ in ("toml", "json"):
        back = loads(printed("convert", name, "--to", format_, where=tmp_path))
        assert [(x.solution, x.details, dict(x.extras.get("colors", {})), len(x.facts)) for x in back] == [
            (x.solution, x.details, dict(x.extras.get("colors", {})), len(x.facts)) for x in boards
        ]
        if not name.endswith(("rows", "zigzag", "oblong", "six", "three-clues")):  # facts may have constants
            assert [set(map(str, x.facts)) for x in back] == [set(map(str, x.facts)) for x in boards]


@pytest.mark.parametrize(
    "name", ["puzzlink", "puzzlink suguru", "solo", "solo jigsaw", "solo X", "ss", "sdk", "line", "janko", "non"]
)
def test_texts_of_programs_are_written_as_they_were(name: str) -> None:
    """What a program writes is written in the same way."""
    (instance,) = loads(TEXTS[name])
    assert dumps(instance, name.partition(" ")[0]) == TEXTS[name]


@pytest.mark.parametrize("name", ["penpa", "sudokupad", "f-puzzles", "janko", "json", "toml"])
def test_answers_come_back(name: str) -> None:
    """A format with a place for answers keeps them."""
    for instance in (*loads(TEXTS["line"]), *loads(TEXTS["puzzlink suguru"])):
        if name in SUGURU or instance.puzzle.name == "sudoku":
            answer = solve(instance)
            assert again(instance._replace(solution=answer), name).solution == answer


def test_variants_are_carried() -> None:
    """Diagonals, knight's and king's moves are kept, and their rules hold."""
    both = one(TEXTS["f-puzzles"])
    assert both.variants == ("diagonal", "anti-knight")
    for name in ("f-puzzles", "sudokupad", "toml", "json", "lp"):
        assert again(both, name).variants == both.variants
    assert again(both._replace(variants=("diagonal",)), "solo").variants == ("diagonal",)
    assert count(both) < count(both._replace(variants=()))
    with pytest.raises(InstanceError, match="cannot store the variants diagonal and anti-knight"):
        dumps(both, "puzzlink")
    values = not_none(solve(one(TEXTS["solo X"]))).values
    for diagonal in ([(i, i) for i in range(1, 10)], [(i, 10 - i) for i in range(1, 10)]):
        assert {values[cell] for cell in diagonal} == {*range(1, 10)}


def test_short_forms_of_sudokupad_are_read() -> None:
    """Short forms are the cells of a Sudoku; `scf` may have rules, a title and an author after them."""
    short = TEXTS["sudokupad scf"].removeprefix("scf")
    letters = "53C7E6C195E98E6B8D6D34C8B3C17D2D6B6E28E419C5E8C79"
    for text in (f"scf{short}", f"classic{short}", f"https://sudokupad.app/classic{letters}"):
        assert dumps(loads(text)[0], "line") == EASY
    (found,) = loads(f"scf{short}*xwtX%20**%20Win*aJo")
    assert (found.variants, found.details) == (("diagonal", "windoku"), {"title": "X * Win", "author": "Jo"})
    assert count(loads(TEXTS["sudokupad classic"])[0]) == 1
    with pytest.raises(PuzzleError, match="scf is a form of the format sudokupad"):
        dumps(found, "scf")


@pytest.mark.parametrize("name", ["f-puzzles", "sudokupad"])
def test_windows_are_a_variant(name: str) -> None:
    """The four windows of a Windoku are carried as extra regions, and only they."""
    windoku = only("sudoku/easy")._replace(variants=("diagonal", "windoku"), details={}, solution=None)
    back = again(windoku, name)
    assert (set(back.variants), back.warnings, back.facts.equal(windoku.facts)) == ({"diagonal", "windoku"}, (), True)


def test_variants_are_those_that_ship(tmp_path: Path) -> None:
    """A board switches on what ships by its name, and never a file that happens to have it."""
    text = 'puzzle = "sudoku"\nvariants = ["diagonal"]\ngivens = """\n1...\n....\n....\n....\n"""\n'
    write(tmp_path, {"diagonal": "value(1, 1, 9).\n", "x.toml": text})
    assert printed("count", "x.toml", where=tmp_path) == "12\n"
    for bad in ("../mine", "mine.lp", "diagonall"):
        with pytest.raises(InstanceError, match="variants"):
            one(text.replace("diagonal", bad))


def test_cages_go_to_a_puzzle_that_has_them(tmp_path: Path) -> None:
    """Killer cages are read into a user's puzzle with cages, and written again; without one they are a variant."""
    write(tmp_path, KILLER)
    cages = [{"cells": ["R1C1", "R1C2"], "value": "3"}, {"cells": ["R4C1", "R4C2"], "value": "7"}]
    killer = f_puzzles(killercage=cages)
    assert one(killer).variants == ("killer-cage",)
    (read,) = loads(killer, puzzles=[tmp_path])
    assert read.puzzle.name == "killer"
    values = not_none(solve(read)).values
    assert values[1, 1] + values[1, 2] == 3
    for name in ("f-puzzles", "sudokupad", "toml", "json"):
        (back,) = loads(dumps(read, name), puzzles=[tmp_path])
        assert set(map(str, back.facts)) == set(map(str, read.facts)), name


def test_killers_with_diagonals_have_both_rules(tmp_path: Path) -> None:
    """A killer with X of Solo is read with both rules; a variant that does not fit a puzzle is refused on loading."""
    write(tmp_path, KILLER)
    # made by Solo with --generate 1 2x3kx
    text = "2x3xk:zj,_aaaa_aa_a_aa__bd___________a____aa__aa__,15_3a9a9b4a6a6a8b5_9a9_6b3b18_9a7e"
    found = one(text, puzzles=[tmp_path])
    assert (found.puzzle.name, found.variants) == ("killer", ("diagonal",))
    answers = solve(found)
    values = not_none(answers).values
    for diagonal in ([(i, i) for i in range(1, 7)], [(i, 7 - i) for i in range(1, 7)]):
        assert {values[cell] for cell in diagonal} == {*range(1, 7)}
    assert count(found) == 1
    for text in (
        'puzzle = "tectonic"\nvariants = ["windoku"]\nblocks = "A"\n',
        "% variants: diagonal\nblock(1, 1, a).\n",
    ):
        with pytest.raises(
            InstanceError, match=r"variants: \w+: no variant of tectonic: its rules are about (side|unit)\("
        ):
            one(text)


# -- As people have them ----------------------------------------------------------------------------

ROWS = [EASY[i : i + 9] for i in range(0, 81, 9)]
ANSWER = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
FRAMED = ["|".join(("", row[:3], row[3:6], row[6:], "")) for row in ROWS]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(
            ["*-----------*", *FRAMED[:3], "|---+---+---|", *FRAMED[3:], "*-----------*", "Simple Sudoku Version 4"]
        ),
        "\n".join(f"| {' | '.join(row.replace('.', ' '))} |\n{'+---' * 9}+" for row in ROWS),
        "\n".join(
            f"║ {' '.join(row[:3])} │ {' '.join(row[3:6])} │ {' '.join(row[6:])} ║" for row in ["╔═══╗", *ROWS][1:]
        ),
        "\n".join(",".join(row).replace(".", "") for row in ROWS),
        "\r\n".join(";".join(row) for row in ROWS),
        str([[int(digit.replace(".", "0")) for digit in row] for row in ROWS]),
        json.dumps([[*row] for row in ROWS], indent=2),
        " ".join(EASY),
        "/".join(ROWS),
        EASY.replace(".", "x"),
        f"quizzes,solutions\n{EASY.replace('.', '0')},{ANSWER}\n",
        f'id,puzzle,solution,clues,difficulty\n1,"{EASY}",{ANSWER},30,2.2\n',
        f":0000:x:{EASY[:2]}+4{EASY[3:]}:::\n",
        f"https://example.org/play?s={EASY}&d=1",
        f"https://example.org/en/play/{EASY}",
        f"\ufeff{EASY}\r\n",
    ],
    ids=range(16),
)
def test_sudokus_as_people_have_them(text: str, tmp_path: Path) -> None:
    """A Sudoku is read from what programs print and people keep: frames, tables, lists of lists, lines."""
    found = only(mine(tmp_path, text, "x.txt"))
    assert dumps(found._replace(details={}, solution=None), "line") == EASY
    assert found.solution is None or found.solution == solve(found)


FULL = [ANSWER[i : i + 9] for i in range(0, 81, 9)]


def readable(rows: list[str]) -> str:
    """Return a Sudoku as QQWing prints it for people."""
    lines = [" | ".join(" ".join(row[i : i + 3]) for i in (0, 3, 6)) for row in rows]
    return "".join(f" {line}\n{'-------|-------|-------' * (r in {2, 5})}\n" for r, line in enumerate(lines))


@pytest.mark.parametrize(
    ("text", "solved"),
    [
        (f"Puzzle,\n{EASY},\n{EASY},\n", False),
        (
            "Puzzle,Solution,Solution Count,Time (milliseconds),Givens,Pointing Pairs/Triples,Difficulty\n"
            + f"{EASY},{ANSWER},1,0.4,30,0,Easy,\n" * 2
            + "2 puzzles generated in 0.0105 seconds.\n",
            True,
        ),
        (f"{readable(ROWS)}\n{readable(ROWS)}\n", False),
        (f"{readable(ROWS)}\n{readable(FULL)}\nTime: 7.4 milliseconds\nDifficulty: Easy\n" * 2, True),
        (("\n".join(ROWS) + "\n\n") * 2, False),
        (f"Grid 01\n{chr(10).join(ROWS)}\nGrid 02\n{chr(10).join(ROWS)}\n".replace(".", "0"), False),
        (f"0000183b305c {EASY}  1.2\n00015cc0c3ba {EASY} 10.5\n".replace(EASY, EASY.replace(".", "0")), False),
    ],
    ids=["csv", "csv with answers", "readable", "readable with answers", "compact", "titles", "exchange bank"],
)
def test_files_of_several_sudokus(text: str, *, solved: bool, tmp_path: Path) -> None:
    """What QQWing prints in each of its styles, banks of Sudoku Exchange, and grids with titles hold several boards."""
    file = mine(tmp_path, text, "x.txt")
    for found in (load(file), loads(text), load(file, "sudoku")):
        assert [(board_.number, board_.total) for board_ in loads(text)] == [(1, 2), (2, 2)]
        assert [dumps(board_._replace(details={}), "line") for board_ in found] == [EASY, EASY]
        assert all((board_.solution is not None) is solved for board_ in found)
    titles = [board_.title for board_ in loads(text)]
    assert titles == {"G": ["Grid 01", "Grid 02"], "0": ["1.2", "10.5"]}.get(text[0], titles)


def candidate_grid(cells: Sequence[str]) -> str:
    """Return a grid of candidates as forums write it, given those of each cell."""
    rows = [[cells[i + j : i + j + 3] for j in (0, 3, 6)] for i in range(0, 81, 9)]
    lines = ["| " + " | ".join("  ".join(part) for part in row) + " |" for row in rows]
    rule = ".---------.---------.---------."
    middle = rule.replace(".", "+")
    return "\n".join([rule, *lines[:3], middle, *lines[3:6], middle, *lines[6:], rule.replace(".", "'")])


def test_a_grid_of_candidates_is_a_board() -> None:
    """Single candidates are givens; of all others, a cell holds one of its candidates."""
    values = [*not_none(solve(one(EASY))).values.values()]
    held = [
        str(v) if i % 9 in {0, 4} else "".join(sorted({*f"{v}{v % 9 + 1}{i % 7 + 2}"})) for i, v in enumerate(values)
    ]
    (found,) = loads(candidate_grid(held))
    assert not found.warnings
    assert {cell for cell, _ in found.facts.items("given")} == {(r, c) for r in range(1, 10) for c in (1, 5)}
    marks = {(int(r), int(c), int(v)) for r, c, v in found.facts.arguments("pencil_mark")}
    assert marks == {(i // 9 + 1, i % 9 + 1, int(v)) for i, some in enumerate(held) if len(some) > 1 for v in some}
    assert [*not_none(solve(found)).values.values()] == values
    assert loads(dumps(found, "line")) == [found]
    assert len(dumps(found, "line")) == 729
    every = one(candidate_grid(["123456789"] * 81))
    assert not every.variants
    assert not every.facts.arguments("given")


def test_a_grid_of_candidates_goes_on_from_there() -> None:
    """Without its other candidates a board has several answers; with them one, and steps lead there."""
    values = [*not_none(solve(one(EASY))).values.values()]
    held = ["".join(sorted({str(v), str(v % 9 + 1)})) for v in values]
    held[:9] = [*map(str, values[:9])]
    (found,) = loads(candidate_grid(held))
    assert count(found) == 1
    assert check(found).status == "unique"
    steps = [*explain(found)]
    assert steps[-1].kind == "end"
    assert any("pencil_mark" in str(rule) for step in steps for rule in step.rules)


SHORT = [*ROWS[:4], ROWS[4][:8], *ROWS[5:]]


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (EASY[:80], "", "80 cells instead of 81: row 9 has 8 cells instead of 9"),
        (f"{EASY}.", "", "82 cells instead of 81: row 9 has 10 cells instead of 9"),
        (EASY[:80].replace(".", "x"), "", "row 9 has 8 cells"),
        (f"{EASY[:80]} a title", "", "80 cells instead of 81"),
        (EASY.replace(".", "O", 1), "", "row 1, column 3: 'O' is not a number"),
        (EASY.replace(".", "x", 1), "", "row 1, column 3: 'x' is not a number"),
        ("/".join(SHORT), "", "80 cells instead of 81: row 5 has 8 cells instead of 9"),
        ("\n".join(SHORT), ":5", "80 cells instead of 81: row 5 has 8 cells instead of 9"),
        ("\n".join(map(" ".join, SHORT)), ":5", "row 5 has 8 cells instead of 9"),
        ("\n\n".join(SHORT), ":9", "row 5 has 8 cells instead of 9"),
        ("\n".join("|".join((row[:3], row[3:6], row[6:])) for row in SHORT), ":5", "row 5 has 8 cells instead of 9"),
        ("+===+===+===+\n" + "\n".join(f"|{row}|" for row in SHORT), ":6", "row 5 has 8 cells instead of 9"),
        ("\n".join(ROWS[:8]), ":1", "72 cells instead of 81: it has 8 rows instead of 9"),
        ("\n".join([*ROWS, ROWS[0]]).replace(".", "?"), ":1", "it has 10 rows instead of 9"),
        ("\n".join(ROWS).replace("6", "b", 1), ":1", "row 2, column 1: 'b' is not a number"),
        ("\n".join([*ROWS, "", *SHORT]), ":15", "row 5 of board 2 has 8 cells instead of 9"),
        ("\n".join([*ROWS, "", *ROWS[:8]]), ":11", "board 2 has 8 rows instead of 9"),
        ("1...\n..2\n....\n3...", ":2", "Sudoku of 4x4 with 15 cells instead of 16: row 2 has 3 cells instead of 4"),
        ("1......2.3.....", "", "Sudoku of 4x4 with 15 cells instead of 16"),
        ("[Puzzle]\n" + "\n".join(SHORT), "", "row 5 has 8 cells instead of 9"),
    ],
)
def test_what_is_nearly_a_sudoku(text: str, line: str, words: str, tmp_path: Path) -> None:
    """A Sudoku with a missing cell or row, or a strange character, is told with its row, its column and its count."""
    for format_ in (None, "sudoku") if "Puzzle" not in text else (None,):
        with pytest.raises(InstanceError) as error:
            loads(text, "x", format=format_)
        assert str(error.value).startswith(f"x{line}: ") or format_
        assert words in str(error.value)
    refused(pyasp("check", text, where=tmp_path), words)


@pytest.mark.parametrize("mark", "xX?-*_0")
def test_marks_of_empty_cells_are_read(mark: str) -> None:
    """An empty cell has any of these marks, in a line and in a grid, with blanks or without."""
    for text in (EASY, " ".join(EASY), "\n".join(ROWS), "\n".join(map(" ".join, ROWS)), f"1{'.' * 15}"):
        (found,) = loads(text.replace(".", mark))
        assert dumps(found, "line") == (EASY if len(text) > 16 else text)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_read(encoding: str, tmp_path: Path) -> None:
    """What PowerShell writes, UTF-16 with a byte order mark, is read: lists line by line, TOML, facts, and JSON."""
    toml = 'puzzle = "sudoku"\ntitle = "Été 🧩"\ngivens = """\n1...\n....\n....\n....\n"""\n'
    texts = {"a.toml": toml, "b.lp": TEXTS["lp"], "c.json": TEXTS["json"], "d.txt": f"{EASY}\n12\n{EASY}\n"}
    for name, text in texts.items():
        (tmp_path / name).write_bytes(f"\ufeff{text}".replace("\n", "\r\n").encode(encoding))
    assert load(tmp_path / "a.toml")[0].title == "Été 🧩"
    done = pyasp("count", "a.toml", "b.lp", "c.json", "d.txt", where=tmp_path)
    assert (done.stdout.count("\n"), done.stderr.partition(" has")[0]) == (5, "pyasp: d.txt:2: '12'")
    (tmp_path / "rule.lp").write_bytes("\ufeff% Été\r\n:- given(R, C, V), value(R, C, V).\r\n".encode(encoding))
    refused(pyasp("count", "a.toml", "--extra", "rule.lp", where=tmp_path), "in UTF-16, and rules are in UTF-8")
    (tmp_path / "e.txt").write_bytes("\ufeff1".encode(encoding) + b"\0")
    refused(pyasp("count", "e.txt", where=tmp_path), "this is not valid UTF-16: save the file as UTF-8")


ARRAYS = ([[0, 0, 1], [0, 1, 1]], [[0, 3, 0], [0, 0, 0]])


def printed_array(rows: list[list[int]], end: str, between: str) -> str:
    """Return an array as numpy prints it."""
    return "[" + "\n ".join("[" + between.join(f"{cell}{end}" for cell in row) + "]" for row in rows) + "]"


@pytest.mark.parametrize(
    "text",
    [
        "{}\n{}",
        "{}\n\n{}\n",
        "({}, {})",
        "blocks = {}\ngivens = {}\n",
        "import numpy as np\n\n# the blocks\nblocks = np.array({})\n# 0 is empty\ngivens = np.array({}, dtype=float)\n",
        "array({})\narray({})",
    ],
)
@pytest.mark.parametrize(("end", "between"), [("", ", "), ("", " "), (".", ", "), (".0", "  "), (".", ",\n  ")])
def test_arrays_are_grids(text: str, end: str, between: str) -> None:
    """Two arrays, as a program writes or prints them, are the blocks and the givens; a block may have the number 0."""
    filled = text.format(*(printed_array(rows, end, between) for rows in ARRAYS))
    (found,) = loads(filled, format="tectonic")
    blocks, givens = ({(r + 1, c + 1): str(rows[r][c]) for r in range(2) for c in range(3)} for rows in ARRAYS)
    assert found.facts.names("block") == blocks
    assert found.facts.names("given") == {cell: number for cell, number in givens.items() if number != "0"}


def test_arrays_of_decimal_numbers_are_data() -> None:
    """GlobalRule numbers may be floats, as numpy makes them."""
    blocks, givens = ([[float(cell) for cell in row] for row in rows] for rows in ARRAYS)
    assert board("tectonic", blocks=ARRAYS[0], givens=ARRAYS[1]) == board("tectonic", blocks=blocks, givens=givens)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[0, 0],\n [0]]", "<text>:2: row 2 has 1 cell, expected 2 as in row 1"),
        ("x\n[[1, 1]]\n\n[[1.5, 0]]", "<text>:4: row 1, column 1: '1.5' is not a number"),
        ("[[1]] [[0]] [[0]]", "<text>: there are 3 grids, but tectonic has 2"),
        ("[[", "<text>: the grid is empty"),
        ("[[]]", "<text>:1: "),
    ],
)
def test_bad_arrays_are_refused(text: str, message: str) -> None:
    """What is wrong in an array is told with its line."""
    with pytest.raises(InstanceError) as caught:
        loads(text, format="tectonic")
    assert str(caught.value).startswith(message)


def test_arguments_that_are_no_files(tmp_path: Path) -> None:
    """A list of lists may stand in place of a file; a name that begins as a short form does is that of a file."""
    rows = [[1, 0, 0, 0], [0, 0, 2, 0], [0, 0, 0, 0], [0, 3, 0, 0]]
    assert pyasp("count", str(rows), where=tmp_path).stdout == f"{count(board('sudoku', givens=rows))}\n"
    for name in ("classic-sudokus-of-2024.txt", "scf_sudokus_of_the_year"):
        assert f"pyasp: {name}: there is no such file" in pyasp("count", name, where=tmp_path).stderr


def test_regions_after_the_cells(tmp_path: Path) -> None:
    """A line may have the regions of a jigsaw after its cells; others than n of n cells are refused."""
    mine(tmp_path, "1...3.2......... AAABCABBCCDBCDDD\n1............... AAAABBBBCCCCDDDA\n", "x.txt")
    done = pyasp("count", "x.txt", where=tmp_path)
    jigsaw = board("sudoku", givens=["1...", "3.2.", "....", "...."], regions=["AAAB", "CABB", "CCDB", "CDDD"])
    assert done.stdout == f"{count(jigsaw)}\n"
    assert done.stderr.startswith("pyasp: x.txt:2: ")


@pytest.mark.parametrize("regions", ["AAAB\nCABB\nCCDB\nCDDD", "1 1 1 2\n3 1 2 2\n3 3 4 2\n3 4 4 4"])
@pytest.mark.parametrize(
    "between", ["regions = {}\ngivens = {}", "givens = {1}\nregions = {0}", "{}\n\n{}", "{1}\n\n{0}"]
)
def test_givens_and_regions_in_any_order(between: str, regions: str) -> None:
    """Where the puzzle is named, the regions of a jigsaw may come after its clues, in bare grids and in TOML."""
    quote = 3 * "'" if "=" in between else ""
    text = between.format(*(f"{quote}\n{grid}\n{quote}" for grid in (regions, "1...\n3.2.\n....\n....")))
    (found,) = loads(text, format="sudoku")
    jigsaw = board("sudoku", givens=["1...", "3.2.", "....", "...."], regions=regions.replace(" ", "").split("\n"))
    assert count(found) == count(jigsaw)
    with pytest.raises(InstanceError, match=r"there is no key 'puzzle'|name it with --as PUZZLE"):
        loads(text)


def test_a_page_of_janko() -> None:
    """The text in a page is read."""
    page = f"<!DOCTYPE html>\n<html><body><script>\n{TEXTS['janko'].strip()}\n</script></body></html>\n"
    assert loads(page)[0].facts.equal(loads(TEXTS["janko"])[0].facts)


# -- What cannot be said, or read ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "https://puzz.link/p?nosuch/5/5/abc",
            "this is a puzz.link Nosuch, which pyasp has no puzzle for",
        ),
        ("http://pzv.jp/p.html?nosuch/5/5/h", "this is a puzz.link Nosuch, which"),
        ("https://puzz.link/p?sudoku/8/8/zzzj", "a puzz.link Sudoku of 8x8"),
        ("https://puzz.link/p?suguru/5/5/ci", "the address ends within its borders: copy it whole"),
        (
            "https://puzz.link/p?sudoku/4/4/g1k23k",
            "there are givens for 14 of 16 places: copy it whole",
        ),
        ("https://puzz.link/p?capsules/3/3/cgb02", "givens for 1 of 9 places"),
        ("https://puzz.link/p?sudoku/4/4/zz", "givens for 20 of 16 places"),
        ("https://puzz.link/p?suguru/3/3/cgb02n0", "the address ends within its holes: copy it whole"),
        (
            "https://sudokupad.app/abc123",
            "needs the server of SudokuPad, and pyasp stays offline; open 'https://sudokupad.app/api/puzzle/abc123'",
        ),
        ("https://app.crackingthecryptic.com/sudoku/abCDef", "https://sudokupad.app/api/puzzle/abCDef"),
        ("https://f-puzzles.com/?id=yabc", "it needs the server of f-puzzles"),
        ("https://tinyurl.com/abc", "a short link, which needs its server"),
        ("https://www.f-puzzles.com/?load=N4Igzg", "damaged"),
        ("3x3#123456", "a random seed, which needs the program Solo"),
        ("3x3:a1", "numbers for 2 of 81 places"),
        ("https://example.org/x", "pyasp does not know the site of 'https://example.org/x', and opens no addresses"),
        ("begin\npuzzle sudoku\nproblem\n1 2 3 4 - -\n3 4 - - - -\n2 1 - - - -\n4 3 - - 1 -\nend\n", "a grid of 4x6"),
        ("begin\npuzzle hitori\nproblem\n1 2\n2 1\nend\n", "this is a 'hitori' of janko.at"),
        (f_puzzles(hydrometer=[1]), "'hydrometer'"),
        (
            f_puzzles(arrow=[1], ruleset="All arrows are Digit Sum Arrows."),
            "the rules in its text say what arrow means",
        ),
        ('{"cells":[[{"value":"0"}]]}', "'0' is given in a cell"),
        (
            '{"cells":[[{}]],"global":["disjointed"]}',
            "pyasp does not know these rules of the board: 'disjointed'",
        ),
        ('{"cells":[[{}]],"metadata":{"antixv":true}}', "pyasp does not know these rules of the board: 'antixv'"),
        ("pzprv3\nsudoku\n4\n", "a file of pzprjs"),
        ("\n".join(["| 12 345 69 | 789 1 25 | 36 47 585 |"] * 9), "row 1, column 9: '585' is no list of candidates"),
        ("|", "does not recognise the format of a text that begins '|'"),
        ("hello\nworld\n", "does not recognise the format of a text that begins 'hello'; `pyasp list --formats`"),
        ("https://sudokupad.app/packN4IgzglgXgpiBcBOANCA5gJwgEwQ", "a pack of several puzzles"),
    ],
)
def test_what_is_not_read_is_named(text: str, words: str) -> None:
    """What is recognised but cannot be read is refused in words that say what it is."""
    with pytest.raises(InstanceError, match=re.escape(words)):
        loads(text)


@pytest.mark.sampled(2, 8)
@pytest.mark.parametrize(
    ("name", "holes"), [("sudoku/easy", 0), ("sudoku/six", 0), ("tectonic/seed", 0), ("tectonic/cross", 10)]
)
def test_an_address_of_puzz_link_that_is_cut_off_is_refused(name: str, holes: int) -> None:
    """Wherever the end of an address is lost, other than all of its holes, the cells do not come out even."""
    text = dumps(only(name), "puzzlink")
    for end in {*range(text.index("?"), len(text))} - {len(text) - holes}:
        with pytest.raises(InstanceError):
            loads(text[:end])
    assert one(text)


def test_overlapping_cages_are_refused_where_they_would_be_others() -> None:
    """Cages that overlap are not written as those that Solo can divide a board into; others come back."""
    cages = [f"r{r}c1 r{r}c2 r{r}c3 r{r}c4 = 10" for r in range(1, 5)]
    instance = board("sudoku", givens="1...\n....\n....\n....", killer_cages=cages)
    assert {*map(str, again(instance, "solo").facts)} == {*map(str, instance.facts)}
    overlapping = board("sudoku", givens="1...\n....\n....\n....", killer_cages=[*cages, "r1c1 r2c1 = 4"])
    with pytest.raises(InstanceError, match="solo cannot store killer_cages of this board"):
        dumps(overlapping, "solo")


def test_what_a_format_cannot_say_is_refused() -> None:
    """Boards that a format has no words for are refused, and details that it has no place for are reported."""
    for board_, name, words in [
        ("sudoku/jigsaw", "puzzlink", "the regions of this board"),
        ("sudoku/jigsaw", "line", "regions of a Sudoku"),
        ("tectonic/seed", "solo", "cannot store a Tectonic, only Sudoku; toml and json store every board"),
        ("strimko/five", "penpa", "which is in several pieces"),
        ("strata/seed", "penpa", "one of our own formats: toml, lp, json or grid"),
        ("sudoku/large", "sdk", "a Sudoku of 16x16, only 9x9"),
    ]:
        with pytest.raises(InstanceError, match=words):
            dumps(only(board_), name)
    reported: list[str] = []
    assert dumps(only("strimko/five"), "janko", reported.append)
    assert "janko has no Strimko" in reported[0]
    dumps(only("tectonic/seed"), "puzzlink", reported.append)
    assert reported[-1] == "left out: title, author, source, notes and solution, which puzzlink cannot store"


def test_drawn_rules_are_warned_about() -> None:
    """What is drawn or entered, and is not read, is named."""
    (found,) = loads('{"size":4,"grid":[[{"value":2},{},{},{}],[{},{},{},{}],[{},{},{},{}],[{},{},{},{}]],"line":[{}]}')
    assert found.warnings == ("left out: lines and numbers that are not given",)


# -- Bounds ---------------------------------------------------------------------------------------


# Addresses with a text that is packed as the test runs, as that takes a while.
PACKERS = {"m=edit&p=": packed, "https://www.f-puzzles.com/?load=": compress, "https://sudokupad.app/scl": compress}


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("head", "text", "words"),
    [
        ("m=edit&p=", "a" * 50_000_000, "too large"),
        ("m=edit&p=", "square,99999,99999", "99999"),
        ("m=edit&p=", "square,9,9,38\n[0,0,0,0]\n\n" + "[" * 100_000, "this penpa text is damaged"),
        ("https://www.f-puzzles.com/?load=", "a" * 3_000_000, "damaged"),
        (
            "https://www.f-puzzles.com/?load=",
            '{"size":4,"grid":' + "[" * 5000,
            "this f-puzzles text is damaged",
        ),
        ("https://sudokupad.app/scl", "{ce:" + "[" * 5000, "this sudokupad text is damaged"),
        ("", "scl" + "A" * 200_000, "too long"),
        ("", "https://puzz.link/p?sudoku/9999/9999/z", "9999"),
        (
            "",
            '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa">]><opensudoku><game data="&a;"/></opensudoku>',
            "entity",
        ),
        ("", '<?xml version="1.0"?><!DOCTYPE x SYSTEM "file:///etc/passwd"><opensudoku/>', "document type"),
        ("", "<opensudoku>" + "<a>" * 100_000, "nested"),
        ("", '{"puzzle": ' + "[" * 100_000, "not valid JSON"),
        ("", '{"puzzle": "sudoku", "givens": ' + "9" * 10_000 + "}", ""),
    ],
    ids=range(13),
)
def test_texts_without_bounds_are_refused(head: str, text: str, words: str) -> None:
    """Texts that would unpack, nest or name more than any board has are refused."""
    with pytest.raises(PuzzleError) as error:
        loads(head + PACKERS[head](text) if head else text)
    assert words in str(error.value)


# Numbers that are no row, no column and no point of a board of 4x4.
NOWHERE = (-1, -4, -(10**30), 10**30, 7, 0.5, -0.5, True)
PENPA_HEAD = "square,4,4,38,0,1,1,190,190,91,91,0,0,0,0,Title: Four,Author: ,,,OFF,false"


def places(at: object) -> list[str]:
    """Return boards of 4x4, in JSON of other programs, with a number in the place of a row, a column or a point."""
    regions: list[list[list[object]]] = [[[r, c] for r in range(4)] for c in range(4)]
    down, right = ([[place, *regions[0][1:]], *regions[1:]] for place in ([at, 0], [0, at]))
    cells: list[list[dict[str, int]]] = [[{}] * 4] * 4
    found = [json.dumps({"cells": cells, "regions": moved}) for moved in (down, right)]
    cage = {"cells": [[1, 0], [at, 0]], "value": "5"}
    found.append(json.dumps({"cells": cells, "regions": regions, "cages": [cage]}))
    found += [f_puzzles(killercage=[{"cells": ["R1C1", f"R{at}C1"]}]), f_puzzles(extraregion=[{"cells": [f"R1C{at}"]}])]
    blank = "[18,1,1,1,5,1,1,1,5,1,1,1,5,1,1,1]"
    found += [penpa(PENPA_HEAD, blank, {"thermo": [[18, at]]}, tags=("classic",))]
    found += [penpa(PENPA_HEAD, blank, {"number": {}, "lineE": {f"18,{at}": 2}}, tags=("classic",))]
    return [*found, penpa(PENPA_HEAD, json.dumps([at, 1]), {}, tags=("classic",))]


@pytest.mark.parametrize("at", NOWHERE)
def test_places_outside_the_board_are_refused(at: object) -> None:
    """A row, column or point that the board does not have is refused in one line, and never read from the other end."""
    assert all(map(one, places(0)[:3]))
    for text in places(at):
        with pytest.raises(InstanceError) as error:
            loads(text)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"sandwichsum": [{"cell": "R0C0", "value": "2"}]}, "the sandwichsum of 'R0C0' is not beside a line"),
        ({"xsum": [{"cell": "R2C3", "value": "2"}]}, "the xsum of 'R2C3' is not beside a line"),
        ({"skyscraper": [{"cell": "R0C9", "value": "2"}]}, "the skyscraper of 'R0C9' is not beside a line"),
        ({"littlekillersum": [{"cell": "R2C2", "direction": "DR", "value": "2"}]}, "'R2C2' is not beside a line"),
        ({"quadruple": [{"cells": ["R1C1", "R1C2", "R2C1", "R9C9"], "values": [1]}]}, "row 1, column 1 is not about"),
        ({"arrow": [{"cells": ["R1C1"], "lines": [["R9C9", "R1C2"]]}]}, "begins at 'R9C9', which is not in its circle"),
        ({"grid": [[{"value": 0.5, "given": True}] * 4] * 4}, "this f-puzzles text is damaged"),
        ({"grid": [[{"region": 0.5}] * 4] * 4}, "this f-puzzles text is damaged"),
    ],
)
def test_places_of_f_puzzles_are_checked(keys: dict[str, Any], words: str) -> None:
    """A clue of f-puzzles in a place that means nothing is refused by its name."""
    with pytest.raises(InstanceError, match=words):
        loads(f_puzzles(**keys))


@pytest.mark.parametrize("name", ["f-puzzles", "sudokupad"])
def test_characters_beyond_16_bits(name: str) -> None:
    """Titles keep characters that JavaScript has in two units."""
    made = one(TEXTS["line"])._replace(details={"title": "🧩 𐐷", "notes": "𐐷"})
    assert again(made, name).details == made.details


@pytest.mark.parametrize(
    ("kind", "names"), [("f-puzzles", ["", "fpuz", "fpuzzles"]), ("sudokupad short", ["scl", "ctc"])]
)
def test_what_is_packed_may_stand_alone(kind: str, names: list[str], tmp_path: Path) -> None:
    """What is packed in an address is read without it, also if it ends with = and has neither + nor /."""
    texts = (
        TEXTS[kind].replace("1", f"{' ' * i}1", 1).replace("2", f"{' ' * j}2", 1) for i in range(60) for j in range(60)
    )
    alone = next(one_ for one_ in map(compress, texts) if one_.endswith("=") and one_.rstrip("=").isalnum())
    for name in names:
        assert one(f"{name}{alone}").facts.equal(one(TEXTS[kind]).facts)
        assert one(f"# a list\n{name}{alone} a title\n").facts.equal(one(TEXTS[kind]).facts)
    assert pyasp("count", f"{names[1]}{alone}", where=tmp_path).returncode == 0


@pytest.mark.slow
def test_a_packed_text_has_a_longest_length() -> None:
    """A text is unpacked up to a length, and no further, however short what is packed is."""
    longest = "a" * LONGEST_UNPACKED
    assert decompress(compress(longest)) == longest
    with pytest.raises(ValueError, match="too long a text"):
        decompress(compress(f"{longest}a"))


@settings(max_examples=30)
@given(st.text(max_size=100) | st.text("abc{}[],:\"'0123456789", max_size=500))
@pytest.mark.slow
def test_packed_texts_come_back(text: str) -> None:
    """A text that is packed comes back, and cut off it is refused or shorter."""
    units = text.encode("utf-16-be", "surrogatepass")
    assert decompress(compress(text)).encode("utf-16-be", "surrogatepass") == units
    with pytest.raises(ValueError, match=r"cut off|piece|long"):
        decompress(compress(text + "abcdefghi")[:-12])


@pytest.mark.slow
@settings(max_examples=40)
@given(st.data())
def test_spoilt_texts_are_refused_or_boards(data: st.DataObject) -> None:
    """A text of any program with a few changes is refused in one line, or makes boards."""
    texts = [*TEXTS.values(), *(dumps(load("sudoku/easy")[0], name) for name in PACKED)]
    text = data.draw(st.sampled_from(texts))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 12)))
        text = text[:start] + data.draw(st.sampled_from(["", "9", "z", "%", text[start:end] * 3, *PIECES])) + text[end:]
    refusal = "x"
    try:
        assert all(len(instance.facts) for instance in loads(text, "x"))
    except PuzzleError as error:
        refusal = str(error)
    assert refusal.isprintable()
    assert refusal.startswith("x")


# -- The command ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        *("solve", "count", "check", "explain --brief", "hint --brief", "grade", "resolve", "facts --board 1"),
        *("minimize", "draw --force -o page.html", "book --force -o book.html", "convert --to toml"),
    ],
)
@pytest.mark.sampled(0)
def test_every_command_takes_every_format(command: str, tmp_path: Path) -> None:
    """An address as argument, one in a file, a list, a file with a suffix of its own, and grids from standard input."""
    files = {
        "address.txt": dumps(one(TEXTS["solo"]), "penpa"),
        "list.txt": f"{dumps(one(TEXTS['puzzlink']), 'line')} one\n" * 2,
    }
    write(tmp_path, files | {"easy.sdk": dumps(only("sudoku/easy"), "sdk")})
    name, *options = command.split()
    grids = "A A B\nA B B\nC C B\n\n2 . .\n. . .\n. . .\n"
    for words in ([TEXTS["puzzlink"]], ["address.txt"], ["list.txt"], ["easy.sdk"], ["-", "--as", "tectonic"]):
        done = pyasp(name, *options, *words, where=tmp_path, stdin=grids)
        made = done.stdout or "".join(path.name for path in tmp_path.glob("*.html"))
        said = [line for line in done.stderr.splitlines() if not line.endswith("every clue is needed")]
        assert (done.returncode in {0, 1}, bool(made), said) == (True, True, []), words


@pytest.mark.slow
def test_messages_say_what_to_do() -> None:
    """Messages of the whole package are sentences: none is "no board, expected one", or says "expected to"."""
    avoided = (
        r"(?i)expected to |expected nothing|expected no |expected one of them|expected one to |no \w+, expected one|"
        r"unknown \w+[^;\n]*, expected|too large a board, |as many rows as columns, exp|cannot say|no place for|"
        r"begins no |is no address|this is no |pyasp knows [\w ]+ there|which takes longer than"
    )
    for path in Path(package.__file__).parent.parent.rglob("*.py"):
        found = re.findall(avoided, path.read_text())
        assert not found, path


def test_lists_in_other_commands(tmp_path: Path) -> None:
    """In check, grade and explain each board of a list has its number; a bad line is reported, and the rest is read."""
    mine(tmp_path, f"{TEXTS['line of four']} one\n12\n{TEXTS['line of four']}\n", "list.txt")
    for command in ("check", "grade", "count"):
        done = pyasp(command, "list.txt", "--as", "sudoku", where=tmp_path)
        assert done.stderr.startswith("pyasp: list.txt:2: '12' has 2 cells")
        assert command == "count" or ("Board 1: one" in done.stdout and "Board 3\n" in done.stdout)
        assert done.returncode == 2


@pytest.mark.slow
def test_convert_writes_boards_to_files_or_lines(tmp_path: Path) -> None:
    """Boards of several inputs are written one a line, to a file, or to a file each; what is refused is reported."""
    two = pyasp("convert", TEXTS["puzzlink"], TEXTS["solo"], "--to", "line", where=tmp_path)
    assert two.stdout.count("\n") == 2
    done = pyasp("convert", "tectonic/ten", "strata/seed", "--to", "puzzlink", where=tmp_path)
    assert done.stdout.startswith("https://puzz.link/p?suguru/10/10/")
    assert "warning: left out: title" in done.stderr
    assert "strata/seed: puzzlink cannot store" in done.stderr
    assert done.returncode == 2
    assert pyasp("convert", "strips/hunt", "-o", "hunt.toml", where=tmp_path).returncode == 0
    assert len(load(tmp_path / "hunt.toml")) == 25
    assert pyasp("convert", "strips/hunt", "--to", "lp", "-o", "boards", where=tmp_path).returncode == 0
    assert len(list((tmp_path / "boards").glob("*.lp"))) == 25
    assert pyasp("convert", "strips/hunt", "--to", "lp", where=tmp_path).returncode == 2
    assert "--to is missing" in pyasp("convert", "strips/hunt", where=tmp_path).stderr


def test_convert_from_deep_directories(tmp_path: Path) -> None:
    """Files whose long paths differ only at their ends are written to a file each."""
    deep = "/".join(["directory"] * 12)
    write(tmp_path, {f"{deep}/{name}.txt": f"{name}{'.' * 15}" for name in "12"})
    done = pyasp("convert", deep, "--as", "sudoku", "--to", "toml", "-o", "boards", where=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(load(tmp_path / "boards")) == 2


def test_solve_to_says_what_it_cannot_write(tmp_path: Path) -> None:
    """`solve --to` says where a format cannot hold the answer, and where there is none."""
    done = pyasp("solve", TEXTS["puzzlink"], "--to", "solo", where=tmp_path)
    refused(done, "solo cannot store an answer; use --to f-puzzles, janko")
    done = pyasp("solve", "11" + "." * 14, "--to", "penpa", where=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", [name for name, one in formats().items() if one.answers and name != "non"])
def test_solve_to_every_format_with_answers(name: str, tmp_path: Path) -> None:
    """What `solve --to` writes holds the answer."""
    done = pyasp("solve", TEXTS["line"], "--to", name, where=tmp_path)
    assert loads(done.stdout)[0].solution == solve(one(TEXTS["line"]))


def test_addresses_in_a_file(tmp_path: Path) -> None:
    """A file may have an address on each line, of several programs, with titles; a bad line is reported."""
    text = f"{TEXTS['puzzlink']}\tone\n# note\n{TEXTS['solo']} two\nhttps://puzz.link/p?nosuch/4/4/x\n"
    mine(tmp_path, text, "addresses")
    done = pyasp("solve", "addresses", "--json", where=tmp_path)
    assert [record.get("title") for record in objects(done.stdout)] == ["one", "two", None]
    assert "addresses:4: this is a puzz.link Nosuch" in done.stderr


@pytest.mark.parametrize("name", PACKED)
def test_lists_of_addresses_are_read(name: str) -> None:
    """A text may have an address or a game ID of any program on each line, after comments, with titles."""
    address = dumps(one(EASY), name)
    for text in (f"# note\n{address}\n\n{address}\n", f"{address}\n<{address}>\ttwo words\n", f"{address} one"):
        assert {dumps(board_, "line").partition(" ")[0] for board_ in loads(text)} == {EASY}
        assert len(loads(text)) == text.count(address)


PASTED = (
    "[title]({})", "Here it is: {}", "here (at last) it is: {}", "url = {}", "> {}", "`{}`", "<{}>", "{}.", "({})",
    "**{}**", "- {}", "Hi,\n\n{}\n\nHave fun!\n", "{}\n\nHave fun!\n",
    "![](https://example.org/x.png) [it]({}), with a picture", "Try {}, it is nice!",
    "<p><a class='x' href='{}'>{}</a></p>", "'{}'", '"{}"',
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in PACKED if name != "solo"])
def test_an_address_is_found_in_what_people_paste(name: str, tmp_path: Path) -> None:
    """The one known address of a text is read, whatever is around it: words, Markdown, HTML, quotes, a full stop."""
    board_ = one(EASY)
    address = dumps(board_, name)
    escaped = f'<a href="{address.replace("&", "&amp;")}">A Sudoku</a>'
    _, _, bare = address.partition("://")
    host, slash, rest = bare.partition("/")
    texts = [*(text.format(*[address] * 2) for text in PASTED), escaped, bare, f"HTTPS://{host.upper()}{slash}{rest}"]
    for text in texts:
        found = one(text)
        assert found.facts.equal(board_.facts), text
        assert found.title == "", text
    mine(tmp_path, texts[1], "pasted.txt")
    for given_ in (texts[0], texts[1], "pasted.txt", "-"):
        assert printed("count", given_, where=tmp_path, stdin=texts[2]) == "1\n"


@pytest.mark.sampled(1)
@pytest.mark.parametrize("address", ["https://puzz.link/p?akari/2/2/i.", "https://puzz.link/p?kakuro/2/2/...."])
def test_a_full_stop_may_be_part_of_an_address(address: str) -> None:
    """A full stop after an address belongs to the sentence only if the board is complete without it."""
    board_ = one(f"{address}/")
    for text in (*PASTED, "{}", "Try {}..", "Try ({}).", "{}, {}", "Here: {}\nHave fun!"):
        found = one(text.format(*[address] * 2))
        assert found.facts.equal(board_.facts), text
        assert found.title == "", text
    with pytest.raises(InstanceError, match="there are walls for 2 of 4 places"):
        loads("https://puzz.link/p?akari/2/2/h.")


def test_a_full_stop_follows_an_address_with_81_cells() -> None:
    """The 81 cells of an address may end with a full stop, and the sentence with another one."""
    cells = EASY[:-1] + "."
    for text in (cells, f"https://example.org/?bd={cells}", f"https://example.org/?bd={cells}."):
        assert one(text).facts.equal(one(cells).facts)


def test_all_addresses_of_a_text_are_read(tmp_path: Path) -> None:
    """A text with several known addresses has as many boards; one address twice on a line is one board."""
    small, large = (f"https://puzz.link/p?sudoku/{body}" for body in ("4/4/g1k23k3g", "6/6/zv"))
    for text in (
        f"{small} {large}",
        f"The small one: {small}\nThe large one: {large}.\n",
        f"[a]({small}), [b]({large})",
    ):
        assert [len(found.facts.arguments("stream")) for found in loads(text)] == [16, 36]
    assert len(loads(f"[{small}]({small})")) == len(loads(f"{small} or {small}")) == 1
    for text, words in (
        ("Here it is: https://tinyurl.com/abc", "this is a short link"),
        ("See https://example.org/x for it", "does not know the site of 'https://example.org/x'"),
        (f"{small} and https://puzz.link/p?nosuch/4/4/g", "this is a puzz.link Nosuch"),
    ):
        with pytest.raises(InstanceError, match=re.escape(words)):
            loads(text)
    mine(tmp_path, f"A first: {small}\nand https://puzz.link/p?nosuch/4/4/g\n", "two.txt")
    done = pyasp("count", "two.txt", where=tmp_path)
    assert (done.stdout, done.returncode) == ("1  two.txt, board 1\n", 2)
    assert done.stderr.startswith("pyasp: two.txt:2: this is a puzz.link Nosuch")


def test_cells_of_a_spreadsheet_are_read() -> None:
    """Rows of cells with tabs between them are a grid, in which nothing is an empty cell, also at the ends of a row."""
    rows = [EASY[i : i + 9].replace(".", " ") for i in range(0, 81, 9)]
    for ends in ("\n", "\r\n"):
        for empty in ("", " "):
            text = ends.join("\t".join(cell.strip() or empty for cell in row) for row in rows) + ends
            assert one(text).facts.equal(one(EASY).facts)
    blank = "\n".join(["\t" * 8] * 8 + ["1" + "\t" * 8])
    assert one(blank).facts.equal(one("." * 72 + "1" + "." * 8).facts)
    tectonic = one("A\tA\tB\nA\tB\tB\nC\tC\tB\n\n2\t\t\n\t\t\n\t\t1\n", format="tectonic")
    assert tectonic.facts.equal(one("AAB\nABB\nCCB\n\n2..\n...\n..1\n", format="tectonic").facts)


def test_formats_are_named(tmp_path: Path) -> None:
    """`--as` takes a format or a puzzle, and nothing else; a grid without a name is asked for one."""
    for says in ("neither a format nor a puzzle", "did you mean tectonic?"):
        refused(pyasp("solve", "x", "--as", "tectonick", where=tmp_path), says)
    with pytest.raises(InstanceError):
        loads("A A\nB B\n")
    assert one("A A\nB B\n", format="strimko").facts.equal(board("strimko", streams=["AA", "BB"]).facts)
    for name in ("strata", "strips"):
        assert one("r b\nb r\n", format=name).puzzle.name == name
