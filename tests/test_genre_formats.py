"""Addresses of puzz.link, Simon Tatham's games and Penpa+, as the folders of puzzles declare them."""

import base64
import re
import tomllib
import zlib
from contextlib import nullcontext, suppress
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from pyasp_puzzles import InstanceError, PuzzleError, check, count, dumps, load, loads
from pyasp_puzzles import board as make
from pyasp_puzzles.boards.grid import grid_extent, grid_rows
from pyasp_puzzles.model.keys import Key
from pyasp_puzzles.puzzles.board import keys_of_board
from pyasp_puzzles.puzzles.wording import instructions

from .exchange import penpa
from .helpers import BOARDS, GENRES, facts, write
from .rules import Cell
from .test_genres import drawn
from .test_penpa_variants import WRONG

DECLARED = ("puzzlink", "tatham", "penpa")
ENCODINGS = Path(__file__).parents[1] / "encodings"
TABLES = {
    (name, format_): tomllib.loads((ENCODINGS / name / "puzzle.toml").read_text(encoding="utf-8"))["formats"][format_]
    for name in (*GENRES, "sudoku", "tectonic")
    for format_ in DECLARED
    if format_ in tomllib.loads((ENCODINGS / name / "puzzle.toml").read_text(encoding="utf-8")).get("formats", {})
}
# Addresses of puzz.link, and what Penpa+ 3.2.3 makes of each when it imports it.
IMPORTED = [line.split() for line in (Path(__file__).parent / "penpa_imports.txt").read_text("utf-8").splitlines()]
TATHAM = "https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/"
# Addresses as pzprjs and the games themselves write them, each with one answer.
ADDRESSES = [
    "https://puzz.link/p?akari/7/7/p.g1.g6.j.iah75.6bn",
    "https://puzz.link/p?hitori/5/5/4255121324241343243143512",
    "https://puzz.link/p?norinori/6/6/84cadc420js1",
    "https://puzz.link/p?starbattle/6/6/1/b9484a13h3gc",
    "https://puzz.link/p?country/8/8/518dsu288o5003qqhhi26s20g683a3gbg",
    "https://puzz.link/p?tentaisho/8/8/p62aepexceyereieezmeqeoaeg",
    "https://puzz.link/p?hashi/8/8/4j4g4g44i3i3h3h3g35641h5g44g2i2j5g22h22g3h22g42",
    "https://puzz.link/p?mashu/8/8/00037c00b0310009939110",
    "https://puzz.link/p?numlin/6/6/t4g3k41g2h321k",
    "https://puzz.link/p?arukone/4/4/12l3123j",
    "https://puzz.link/p?shikaku/8/8/4i4k3k5g2p255i6g2j64h2g6k42j2i",
    "https://puzz.link/p?simpleloop/8/8/p2108ga860i0o",
    "https://puzz.link/p?slither/8/8/a82dhbh02c3226cg5076161cg0166dhd2bd",
    "https://puzz.link/p?yajilin/6/6/a31n21a4141c21e11f",
    "https://puzz.link/p?kakuro/4/4/.jcl3hp.l..6gc3",
    "https://puzz.link/p?ripple/5/5/andk6gde2k5q3k2",
    "https://puzz.link/p?skyscrapers/4/4/k2g1l2gi21q",
    "https://puzz.link/p?nonogram/5/5/11g3h4k13g1h13g12g2h111",
    "https://puzz.link/p?aquarium/r/6/6/cem6k43m727o/h40h11252g",
    "https://puzz.link/p?heyawake/6/6/99991073g3tv2g0022g",
    "https://puzz.link/p?lits/6/6/h5qbr2cajq0h",
    "https://puzz.link/p?nurikabe/5/5/1i1h1h2h1l1h3g",
    "https://puzz.link/p?tents/6/6/111121120211k03a0067",
    "https://puzz.link/p?fillomino/5/5/h8g1n4g5446j1g",
    "https://puzz.link/p?fivecells/4/4/72f2d22a",
    f"{TATHAM}tents.html#8x8:aaxb_i_c_cdcb,2,2,1,0,4,0,2,1,1,1,2,1,0,3,0,4",
    f"{TATHAM}unequal.html#4:2D,0,0L,0,0,0R,0,0,0,0,0,0D,0,0,0,2,",
    f"{TATHAM}unruly.html#8x8:AfCdeddaLAaDdcbDf",
    f"{TATHAM}towers.html#5:2///3////1////3/2///2///4/",
    f"{TATHAM}galaxies.html#7x7:dzfzhivzsdee",
    f"{TATHAM}rect.html#7x7:f4e2a8b3a2e6_2b2_5_3e6b3_3g",
    f"{TATHAM}bridges.html#7x7m2:b2b4a4c2h15d5c3a4g1a3a4a5a3",
    f"{TATHAM}pearl.html#8x8:BbBBbBhBaBWWkWaWaWaWeWBiWBaWe",
    f"{TATHAM}lightup.html#7x7:a1f1a0a0Bh0a0a2hBBa1aBfBa",
    f"{TATHAM}filling.html#9x7:j2a2b39a3e7g3323a74b7a2a9d9a423a3b4c",
    f"{TATHAM}singles.html#5x5:4411431524355344212351241",
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("name", "format_"), TABLES, ids=str)
def test_boards_of_genres_come_back(name: str, format_: str) -> None:
    """Every shipped board of a genre, and random ones, come back from the formats that its folder declares."""
    boards = [board for path in BOARDS if path.startswith(f"{name}/") for board in load(path)]
    stored = 0
    names = "|".join(map(re.escape, TABLES[name, format_]["names"]))
    boards += [
        board for address in ADDRESSES if re.search(rf"[/?]({names})(\.|/)", address) for board in loads(address)
    ]
    for board in [*boards, *(board for _, board in (drawn(name, 2) if name in GENRES else []))]:
        try:
            text = dumps(board, format_)
        except InstanceError:
            continue
        (back,) = loads(text)
        assert (back.puzzle.name, len(back.facts)) == (name, len(board.facts))
        again = dumps(back, format_)  # which may list ships in another order
        assert dumps(loads(again)[0], format_) == again
        stored += 1
    assert stored


def _tiled_signs(grid: list[list[Any]], times: int) -> list[list[Any]]:
    """Return the signs between cells of such a board; between two of its parts there is none."""
    rows = [[*row, None] for row in [*grid, [None] * len(grid[0])]]
    return [(row * times)[:-1] for row in rows * times][:-1]


def _tiled_corners(grid: list[list[Any]], times: int) -> list[list[Any]]:
    """Return the numbers at corners of such a board; those at the right and below are left out."""
    rows = [[*row[:-1] * times, None] for row in grid[:-1] * times]
    return [*rows, [None] * len(rows[0])]


def _tiled_value(key: Key, value: Any, size: Cell, times: int) -> Any:
    """Return the value of a key of a board that is another so many times side by side, and one below the other."""
    rows, columns = size
    tiles = [*product(range(times), repeat=2)]

    def shifted(line: str, y: int, x: int) -> str:
        return re.sub(r"r(\d+)c(\d+)", lambda cell: f"r{int(cell[1]) + y * rows}c{int(cell[2]) + x * columns}", line)

    if key.kind.other_grid:
        return _tiled_signs(value, times) if key.kind.tool == "sign" else _tiled_corners(value, times)
    if key.kind.grid:
        found = {
            (r + y * rows, c + x * columns): f"{token}.{y}.{x}" if key.kind.role == "regions" else token
            for y, x in tiles
            for r, row in enumerate(value, 1)
            for c, token in enumerate(row, 1)
        }
        return grid_rows(found, found)
    if isinstance(value, str):
        return " ".join(shifted(value, *tile) for tile in tiles)
    if isinstance(value, list) and key.kind.tool != "pattern":
        return [shifted(line, *tile) for tile in tiles for line in value]
    if isinstance(value, dict) and key.option("of"):
        return {f"{name}.{y}.{x}": number for y, x in tiles for name, number in value.items()}
    return {side: labels * times for side, labels in value.items()} if isinstance(value, dict) else value


@pytest.mark.parametrize(
    ("text", "number", "without"),
    [
        ("aquarium/2/2/80/i1", 2, 0),  # no water flows through a wall
        ("aquarium/r/2/3/8g/i2g", 2, 2),  # unless all of a tank has one level
        ("heyawake/4/3/0c801", 3, 12),  # a line beyond a wall is in another room
        ("lits/3/2/20", 4, 8),  # a tetromino has no wall inside
        ("lits/2/3/o0", 2, 8),
        ("country/4/2/100g", 6, 6),
        ("country/2/2/80g", 1, 1),  # both cells beside a wall are not left out
        ("norinori/3/2/20", 7, 7),
        ("ripple/3/2/2kl", 72, 72),
        ("starbattle/4/4/1/p4g1s0", 2, 2),
    ],
)
def test_walls_that_separate_nothing(text: str, number: int, without: int) -> None:
    """A wall within a region is a fact, which comes back from each format, and means what pzprjs says it means."""
    address = f"https://puzz.link/p?{text}"
    (board,) = loads(address)
    plain: dict[str, Any] = keys_of_board(board)
    walls = plain.pop("walls")
    assert isinstance(walls, list)
    assert len(board.facts.arguments("wall")) == len(walls) > 0
    assert count(board).number == number
    unwalled = make(board.puzzle.name, **{name: plain[name] for name in plain.keys() - {"puzzle"}})
    assert count(unwalled).number == without
    assert ["wall" in instructions(one).lower() for one in (board, unwalled)] == [True, False]
    assert dumps(board, "puzzlink") == address
    for format_ in ("toml", "json", "lp", *([] if "/r/" in text else ["penpa"])):
        assert loads(dumps(board, format_))[0].facts.equal(board.facts)


def test_walls_are_drawn() -> None:
    """A wall within a region is in pictures, and what is no such wall is refused."""
    (board,) = loads("https://puzz.link/p?aquarium/2/2/80/i1")
    (plain,) = loads("https://puzz.link/p?aquarium/2/2/00/i1")
    assert str(board).splitlines()[2:4] == ["  │   ╷   │", "1 │ . │ . │"]
    walls = [re.findall('class="wall" d="([^"]*)"', one._repr_svg_())[0].count("M") for one in (board, plain)]
    assert walls[0] == walls[1] + 1
    text = 'puzzle = "heyawake"\nrooms = "A A B"\nwalls = ["{}"]\n'
    assert loads(text.format("r1c2 r1c1"))[0].facts.arguments("wall")
    for line, words in (
        ("r1c2 r1c3", "are in different regions"),
        ("r1c1 r1c3", "its neighbour"),
        ("r1c1", "two cells"),
    ):
        with pytest.raises(InstanceError, match=words):
            loads(text.format(line))


def test_a_wall_without_a_meaning_is_refused(tmp_path: Path) -> None:
    """A puzzle that has no key for walls within regions does not read a board with one, and says where it is."""
    message = (
        "a border between row 2, column 1 and row 2, column 2 separates no blocks, which has no meaning in tectonic"
    )
    with pytest.raises(InstanceError, match=message):
        loads("https://puzz.link/p?suguru/2/2/80j")
    head = "square,4,4,38,0,1,1,190,190,91,91,0,0,0,0,Title: Suguru,Author: ,,,OFF,false"
    edges: dict[str, object] = {"lineE": {f"{64 + 19},{64 + 27}": 2}, "number": {"18": ["3", 1, "1"]}}
    (board,) = loads(penpa(head, "", edges))
    assert "edges that separate no regions" in board.warnings[0]
    (board,) = loads(penpa(head, "", edges, tags=("cojun",), answer=[]))
    assert board.warnings == ("left out: edges that separate no regions and the packed answer that Penpa+ checks",)
    text = (ENCODINGS / "norinori" / "puzzle.toml").read_text(encoding="utf-8").replace("regions walls", "regions wals")
    rules = (ENCODINGS / "norinori" / "norinori.lp").read_text(encoding="utf-8")
    write(tmp_path, {"norinori/puzzle.toml": text, "norinori/norinori.lp": rules})
    with pytest.raises(PuzzleError, match="body has 'wals', which is no key of a board"):
        loads("https://puzz.link/p?norinori/2/2/00", puzzles=[tmp_path])


def test_aquariums_of_penpa_and_puzz_link_have_the_same_rules() -> None:
    """Where nothing says how far water is level, both sites mean the same."""
    (board,) = loads("https://puzz.link/p?aquarium/3/2/68/j1")
    (back,) = loads(dumps(board, "penpa"))
    assert back.facts.equal(board.facts)
    with pytest.raises(InstanceError, match="penpa cannot store the parts of this board, only parts = 1"):
        dumps(loads("https://puzz.link/p?aquarium/r/3/2/68/j1")[0], "penpa")


@pytest.mark.sampled(2, 40)
@pytest.mark.parametrize("name", GENRES)
def test_large_boards_are_read(name: str) -> None:
    """A board of each genre with 20 rows or more is read from TOML, and from each format that its folder declares."""
    small = load(next(path for path in BOARDS if path.startswith(f"{name}/")))[0]
    size, keys = grid_extent(small.cells), keys_of_board(small)
    times = -(-20 // min(size))
    rows, columns = size[0] * times, size[1] * times
    large = {key.name: _tiled_value(key, keys[key.name], size, times) for key in small.puzzle.keys if key.name in keys}
    sizes = {
        name: value for name, value in (("size", [rows, columns]), ("largest", None), ("parts", 1)) if name in keys
    }
    board = make(name, **{**large, **sizes, "mines": None})
    assert grid_extent(board.cells) == (rows, columns)
    (back,) = loads(dumps(board, "toml"))
    assert back.facts.equal(board.facts)
    for format_ in (format_ for genre, format_ in TABLES if genre == name):
        with suppress(InstanceError) if format_ == "tatham" else nullcontext():
            (back,) = loads(dumps(board, format_))
            assert len(back.facts) == len(board.facts)


@pytest.mark.parametrize(
    "text",
    [
        "fillomino/10/10/zzzzy-64",  # the last cell of 100 has a 100
        "fillomino/20/20/+190zzzzzzzzzzzzzzzzzzzy",
        "nurikabe/20/20/+12czzzzzzzzzzzzzzzzzzzy",
        "shikaku/20/20/+190zzzzzzzzzzzzzzzzzzzy",
        "starbattle/44/44/10/" + "0" * 758,
    ],
)
def test_large_numbers_are_read(text: str) -> None:
    """A clue of a large board may be as large as the board."""
    address = f"https://puzz.link/p?{text}"
    (board,) = loads(address)
    assert dumps(board, "puzzlink") == address
    assert loads(dumps(board, "penpa"))[0].facts.equal(board.facts)


@pytest.mark.parametrize("body", ["nurikabe/3/3/0m2", "kurodoko/3/3/0m2", "sudoku/4/4/0u"])
def test_a_zero_is_refused_where_numbers_begin_at_one(body: str) -> None:
    """A 0 of an address is no empty cell."""
    with pytest.raises(InstanceError, match=r"row 1, column 1: \w+ 0 is out of range, expected 1 or more"):
        loads(f"https://puzz.link/p?{body}")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("tatamibari/3/3/-10n", "'-10' is not one of the signs, which are numbered 0 to 3"),
        ("dominion/3/3/.n", "a clue is a question mark, for which letters have no meaning here"),
        ("castle/3/3/900i", "'9' is not one of the shades,arrows"),
        ("balance/2/2/.i", "a clue is a question mark, for which circles,lengths have no meaning here"),
        ("tapa/2/2/dzi", "'dz' is not one of the numbers"),
    ],
)
def test_tokens_that_a_genre_lacks_are_refused(body: str, words: str) -> None:
    """A number or a sign of an address that means nothing is named."""
    with pytest.raises(InstanceError, match=re.escape(words)):
        loads(f"https://puzz.link/p?{body}")


@pytest.mark.parametrize("format_", ["puzzlink", "penpa"])
def test_a_largest_number_that_another_program_lacks_is_refused(format_: str) -> None:
    """A Fillomino with a largest number is not written where it would have more answers; one without it is."""
    text = 'puzzle = "fillomino"\n{}givens = """\n. 2 .\n. . .\n"""\n'
    few, all_ = (loads(text.format(largest))[0] for largest in ("largest = 2\n", ""))
    assert count(few).number != count(all_).number
    with pytest.raises(InstanceError, match=f"{format_} cannot store the largest of this board"):
        dumps(few, format_)
    assert count(loads(dumps(all_, format_))[0]).number == count(all_).number


@pytest.mark.parametrize("address", ADDRESSES)
def test_addresses_of_programs_are_written_as_they_were(address: str) -> None:
    """What a program writes is written in the same way."""
    (board,) = loads(address)
    assert dumps(board, "tatham" if "sgtatham" in address else "puzzlink") == address


@pytest.mark.parametrize(
    ("usual", "other", "key"),
    [
        # a tank that is like a table: each of its legs may be full, with `r` only both
        ("aquarium/3/2/68/j1", "aquarium/r/3/2/68/j1", "parts"),
        # two lines that need not visit all cells: those of arukone do, with `e` as those of numlin
        ("arukone/3/3/1g2i1g2", "arukone/e/3/3/1g2i1g2", "full"),
    ],
)
def test_rules_that_sites_tell_by_a_flag_are_a_key(usual: str, other: str, key: str) -> None:
    """Where pzprjs knows two sets of rules, a flag of its address says which, and is written again."""
    (first,), (second,) = (loads(f"https://puzz.link/p?{text}") for text in (usual, other))
    assert (keys_of_board(first)[key], keys_of_board(second)[key]) == (1, 0)
    assert dumps(first, "puzzlink") == f"https://puzz.link/p?{usual}"
    assert dumps(second, "puzzlink").replace("numlin", "arukone") == f"https://puzz.link/p?{other}"
    assert count(first).number != count(second).number


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("aqre/b/2/2/o0h", "opposite"),
        ("balance/f/4/4/l0o", "full"),
        ("country/e/4/4/9401goi", "empty"),
        ("geradeweg/f/4/4/k2p", "full"),
        ("koburin/m/4/4/lbm", "corners"),
        ("koburin/o/4/3/nag", "outside"),
        ("mashu/f/4/4/000900", "full"),
        ("midloop/f/4/4/wezj", "full"),
        ("nuriuzu/c/5/2/neke", "connected"),
        ("slither/f/2/3/kc", "full"),
        ("tslither/f/2/3/kb", "full"),
        ("turnaround/f/4/4/k2p", "full"),
        ("yajilin/o/4/3/f0.e", "outside"),
        ("yajilin-regions/o/3/4/qkgg0i", "outside"),
    ],
)
def test_a_flag_of_an_address_adds_a_rule(address: str, key: str) -> None:
    """A board with a flag has the key of its rule, and fewer answers or, if the rule is relaxed, more; 1 says all."""
    (board,), (usual,) = (loads(f"https://puzz.link/p?{text}") for text in (address, re.sub("/[a-z]/", "/", address)))
    assert keys_of_board(board) == {**keys_of_board(usual), key: 1}
    assert dumps(board, "puzzlink") == f"https://puzz.link/p?{address}"
    few, many = (count(one).number for one in ((usual, board) if key in {"empty", "corners"} else (board, usual)))
    assert 0 < few < many
    (back,) = loads(dumps(board, "toml"))
    assert back.facts.equal(board.facts)
    with pytest.raises(InstanceError, match=f"{key} is 0, expected 1$"):
        loads(dumps(board, "toml").replace(f"{key} = 1", f"{key} = 0"))
    if "penpa" in board.puzzle.formats:
        with pytest.raises(InstanceError, match=f"penpa cannot store the {key} of this board"):
            dumps(board, "penpa")


def test_flags_may_be_together_or_about_the_drawing() -> None:
    """Letters of a flag are read one by one; one that is only about the drawing is left out."""
    (board,) = loads("https://puzz.link/p?koburin/omb/4/3/nag")
    assert dumps(board, "puzzlink") == "https://puzz.link/p?koburin/om/4/3/nag"
    (three,) = loads("https://puzz.link/p?fillomino/t/3/2/2k")
    assert keys_of_board(three)["largest"] == 3
    assert dumps(three, "puzzlink") == "https://puzz.link/p?fillomino/t/3/2/2k"


def test_rules_that_an_address_does_not_tell_are_refused() -> None:
    """A flag for a rule that we lack, and the mark of variants, whose rules no address tells, are named."""
    with pytest.raises(InstanceError, match="has the flag 'm', a rule that ichimaga lacks"):
        loads("https://puzz.link/p?ichimaga/m/3/3/o")
    with pytest.raises(InstanceError, match="has the flag 'e', a rule that masyu lacks"):
        loads("https://puzz.link/p?mashu/fe/3/3/000")
    with pytest.raises(InstanceError, match="a variant whose rules no address tells; without v:x/ it has the usual"):
        loads("https://puzz.link/p?mashu/v:x/3/3/000")
    with pytest.raises(InstanceError, match="has the parameter 't1', a rule that slitherlink lacks"):
        loads(f"{TATHAM}loopy.html#3x3t1:0_2a")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            'puzzle = "hashi"\nislands = """\n1 1 .\n. . .\n. . .\n"""',
            "Bridges lets no two islands touch, as row 1, col",
        ),
        (
            'puzzle = "fillomino"\nlargest = 9\ngivens = """\n4 .\n. .\n"""',
            "Filling has numbers up to 3 on .* and not 4",
        ),
        ('puzzle = "masyu"\npearls = """\nw . .\n. . .\n. . .\n"""', "Pearl has boards from 5x5 on"),
    ],
)
def test_what_a_game_does_not_open_is_refused(text: str, words: str) -> None:
    """Simon Tatham's games refuse islands that touch, numbers above the longer side, and small boards."""
    with pytest.raises(InstanceError, match=words):
        dumps(loads(text)[0], "tatham")


@pytest.mark.parametrize(("address", "penpa"), IMPORTED, ids=lambda text: text.split("?")[-1][:12])
def test_what_penpa_imports_is_the_same_board(address: str, penpa: str) -> None:
    """What Penpa+ draws when it imports an address of puzz.link is read as the board of that address."""
    (found,), (board,) = loads(penpa), loads(address)
    assert (found.puzzle.name, found.warnings) == (board.puzzle.name, ())
    assert found.facts.equal(board.facts)
    (back,) = loads(dumps(board, "penpa"))
    assert back.facts.equal(board.facts)


@pytest.mark.sampled(10)
@pytest.mark.parametrize("name", [name for name, format_ in TABLES if format_ == "penpa" and name in GENRES])
def test_penpa_checks_the_answer(name: str) -> None:
    """An address of Penpa+ has the answer of its board, which comes back with the title and the rules in words."""
    for board in (board for path in BOARDS if path.startswith(f"{name}/") for board in load(path)):
        reports: list[str] = []
        with suppress(InstanceError):
            text = dumps(board, "penpa", reports.append)
            (back,) = loads(text)
            assert (back.solution, back.title) == (board.solution, board.title)
            assert not back.warnings
            assert not any("solution" in report for report in reports)


@pytest.mark.parametrize(
    ("name", "tool"), [("yajilin/six", '["yajilin",""]'), ("heyawake/six", '["",1]'), ("hashi/eight", '["hashi",""]')]
)
def test_the_tool_that_penpa_shows_enters_the_answer(name: str, tool: str) -> None:
    """An address for solvers begins with a tool that enters all of the answer: one for lines and for shaded cells."""
    shared = dumps(load(name)[0], "penpa").partition("&p=")[2].partition("&a=")[0]
    lines = zlib.decompress(base64.b64decode(shared), -15).decode().split("\n")
    assert lines[2].endswith(f"~{tool}")


@pytest.mark.parametrize(
    ("layer", "content", "words"),
    [
        ("line", {"24,25": 3}, "has lines, which may be rules"),
        ("symbol", {"24": [1, "circle_L", 1]}, "has symbols"),
        ("lineE", {"103,104": 2}, "has edges"),
        ("numberS", {"500": ["3", 1]}, "has small numbers"),
        ("number", {"30": [[1, 1], 1, "7"]}, "has texts that are no numbers in cells"),
        ("number", {"31E": ["4", 1, "1"]}, "has texts that are no numbers in cells"),
    ],
)
def test_what_a_genre_has_no_part_for_is_refused(layer: str, content: dict[str, Any], words: str) -> None:
    """A drawing of a genre with something that its folder does not list is refused, and so is one that is turned."""
    head = "square,5,5,38,{turn},1,1,228,228,40,40,0,0,0,0,Title: ,Author: ,,,OFF,false"
    problem: dict[str, object] = {"number": {"20": ["3", 1, "1"]}}
    assert len(loads(penpa(head.format(turn=0), "", problem, tags=("nurikabe",)))[0].facts) == 26
    with pytest.raises(InstanceError, match=words):
        loads(penpa(head.format(turn=0), "", problem | {layer: content}, tags=("nurikabe",)))
    with pytest.raises(InstanceError, match="turn it back"):
        loads(penpa(head.format(turn=90), "", problem, tags=("nurikabe",)))


@pytest.mark.parametrize(("style", "signs"), [(1, "<"), (2, "^"), (3, ">"), (4, "v"), (5, "<"), (6, "^")])
def test_signs_of_penpa(style: int, signs: str) -> None:
    """A sign of Penpa+ points left, up, right or down, to the smaller number; there is a full one and an open one."""
    beside, below = 3 * 64 + 18, 2 * 64 + 18  # the right and the lower side of the first cell of a board of 4x4
    head = "square,4,4,38,0,1,1,190,190,91,91,0,0,0,0,Title: ,Author: ,,,OFF,false"
    content: dict[str, object] = {"symbol": {str(beside if signs in "<>" else below): [style, "inequality", 2]}}
    (found,) = loads(penpa(head, "", content, tags=("futoshiki",)))
    across = signs in "<>"
    assert f'sign(1,1,{1 if across else 2},{2 if across else 1},"{signs}")' in {*map(str, found.facts)}
    wrong: dict[str, object] = {"symbol": {str(below if across else beside): [style, "inequality", 2]}}
    with pytest.raises(InstanceError):
        loads(penpa(head, "", wrong, tags=("futoshiki",)))


@pytest.mark.slow
@pytest.mark.parametrize("tag", ["futoshiki", "kakuro", "starbattle", "yajilin"])
def test_hostile_drawings_of_genres(tag: str) -> None:
    """Whatever a layer of a drawing of a genre is, the board is read, or one line says what is wrong."""
    head = "square,5,5,38,0,1,1,228,228,40,40,0,0,0,0,Title: ,Author: ,,,OFF,false"
    said = []
    for layer, value in product(("number", "numberS", "symbol", "surface", "lineE"), WRONG):
        try:
            loads(penpa(head, "", {layer: value}, tags=(tag,), answer=value))
        except InstanceError as error:
            said.append(str(error))
    assert not [words for words in said if not re.fullmatch(r".{1,600}", words)]


@pytest.mark.sampled(0)
@pytest.mark.parametrize("address", ADDRESSES)
def test_addresses_of_programs_have_one_answer(address: str) -> None:
    """What a program publishes has one answer: each part of it is read as it is meant."""
    assert check(loads(address)[0]).status == "unique"


@pytest.mark.sampled(2, 12)
@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_that_is_cut_off_or_spoilt_is_refused(address: str) -> None:
    """Half an address and one with an odd character are bad input, or another board."""
    body = re.search(r"[^/:#]*$", address)
    assert body
    for at in range(body.start(), len(address)):
        for text in (address[:at], f"{address[:at]}\N{SNOWMAN}{address[at + 1 :]}"):
            with suppress(PuzzleError):
                loads(text)


def test_a_puzzle_of_ones_own_has_addresses(tmp_path: Path) -> None:
    """A folder of the user declares how its boards are written; what its table gets wrong is named."""
    puzzle = """\
cell = "cell(R, C)"
[answer]
kind = "shading"
output = "black(R, C)"
[keys.arrows]
kind = "arrows"
fact = "arrow(R, C, D, N)"
wall = "clue(R, C)"
[keys.level]
kind = "number"
fact = "level(N)"
[keys.counts]
kind = "outside"
fact = "count(Side, I, N)"
sides = ["top", "left"]
[formats.puzzlink]
names = ["mine"]
flags = { r = { level = 1 } }
body = ["arrows arrows x", "outside? counts"]
"""
    rules = (
        "{ black(R, C) } :- cell(R, C).\n#defined arrow/4.\n#defined clue/2.\n#defined level/1.\n#defined count/3.\n"
    )
    write(tmp_path, {"mine/puzzle.toml": puzzle, "mine/mine.lp": f"{rules}#show black/2.\n"})
    address = "https://puzz.link/p?mine/r/3/2/a0.31a912a1g2h"
    (board,) = loads(address, puzzles=[tmp_path])
    assert {*facts(board).split()} >= {"arrow(2,2,east,18).", "clue(1,2).", "level(1).", "count(top,3,2)."}
    assert dumps(board, "puzzlink") == address
    write(tmp_path, {"mine/puzzle.toml": puzzle.replace("arrows arrows x", "arows arrows x")})
    with pytest.raises(PuzzleError, match="body has 'arows', which is no coding, expected numbers"):
        loads(address, puzzles=[tmp_path])


@pytest.mark.parametrize("fleet", ["//c", "//d", "/2/31s/51v"])
def test_a_puzzle_of_ones_own_has_a_fleet(fleet: str, tmp_path: Path) -> None:
    """Tokens go as numbers, and straight pieces as a usual fleet or one by one; a key without a place is named."""
    puzzle = """\
cell = "cell(R, C)"
[answer]
kind = "shading"
output = "ship(R, C)"
[keys.hints]
kind = "colors"
fact = "hint(R, C, K)"
[keys.fleet]
kind = "patterns"
fact = "fleet(I, J, K)"
[keys.largest]
kind = "number"
fact = "largest(N)"
[formats.puzzlink]
names = { mine = { largest = 6 } }
body = ["codes hints x,n,s,w,e,m,o", "fleet fleet s"]
"""
    rules = "{ ship(R, C) } :- cell(R, C).\n#defined hint/3.\n#defined fleet/3.\n#defined largest/1.\n#show ship/2.\n"
    write(tmp_path, {"mine/puzzle.toml": puzzle, "mine/mine.lp": rules})
    address = f"https://puzz.link/p?mine/3/2/0g1h6{fleet}"
    (board,) = loads(address, puzzles=[tmp_path])
    assert {*facts(board).split()} >= {'hint(1,1,"x").', 'hint(1,3,"n").', 'hint(2,3,"o").', "largest(6)."}
    assert dumps(board, "puzzlink") == address
    smaller = dumps(board, "toml").replace("largest = 6", "largest = 5")
    with pytest.raises(InstanceError, match="puzzlink cannot store the largest of this board, only largest = 6;"):
        dumps(loads(smaller, puzzles=[tmp_path])[0], "puzzlink")
    bent = address.replace(fleet, "/1/22u")
    with pytest.raises(InstanceError, match="ships of other shapes"):
        loads(bent, puzzles=[tmp_path])


@pytest.mark.parametrize(
    ("word", "number"),
    [("f", 15), ("-10", 16), ("+100", 256), ("=000", 4096), ("%001", 8193), ("@001", 8193), ("*0000", 12240)],
)
def test_numbers_of_links(word: str, number: int) -> None:
    """Numbers of puzz.link have marks for how large they are; `@` is another one for `%`."""
    with pytest.raises(PuzzleError, match=f"given {number} is out of range"):
        loads(f"https://puzz.link/p?fillomino/1/1/{word}")


def test_upright_ships_are_read_as_ships() -> None:
    """A link may give the ships of a fleet down as well as across: they are the same ships."""
    across, down = (f"https://puzz.link/p?battleship/4/4/1mv/2/{ships}" for ships in ("21o/31s", "12o/13s"))
    assert keys_of_board(loads(down)[0])["fleet"] == keys_of_board(loads(across)[0])["fleet"] == ["ss", "sss"]
