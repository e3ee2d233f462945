"""Reading pictures of boards of colors: drawn, spoilt, and read back; what cannot be told apart is refused."""

import struct
import sys
import zlib
from collections import Counter
from dataclasses import replace
from io import BytesIO
from math import cos, radians, sin
from pathlib import Path

import pytest
from PIL import Image

from pyasp_puzzles import InstanceError, PuzzleError, Shows, load, loads

from .command import objects, printed, pyasp, refused
from .pictures import (
    BACKGROUNDS,
    SIZES,
    STRIPS,
    TILES,
    Cells,
    Spoil,
    alike,
    drawn,
    outcome,
    random_board,
    seeded,
    sheet,
    some_board,
    some_turned_board,
    tiles,
    turned,
)
from .strategies import times

BOARD = ["red blue . red", ". green red red", "blue blue green .", "green . red blue"]
SOLVABLE = ["red blue . red", "red blue red red", "red blue red .", ". blue green green"]
# What may be wrong with a picture, one thing at a time.
SPOILS = {
    "clean": Spoil(),
    "margin": Spoil(margin=1.5),
    "narrow margin": Spoil(margin=0.1),
    "noise": Spoil(margin=0.5, noise=24),
    "texture": Spoil(margin=0.5, texture=20),
    "hair lines": Spoil(margin=1, line=1),
    "wide lines": Spoil(margin=1, line=5, line_color=(20, 20, 20)),
    "frame": Spoil(margin=1, frame=6),
    "letters": Spoil(margin=0.5, line=2, frame=4, letters=True),
    "letters, cropped": Spoil(cell=80, line=2, letters=True),
    "gaps": Spoil(margin=0.5, gap=0.2),
    "rounded": Spoil(margin=0.5, gap=0.1, radius=0.35),
    "gradient": Spoil(margin=0.5, gradient=0.35),
    "small": Spoil(margin=0.5, scale=0.7),
    "large": Spoil(margin=0.5, scale=3),
    "no whole number": Spoil(margin=0.37, line=2, scale=1.37),
    "JPEG": Spoil(margin=0.5, quality=60),
    "all": Spoil(margin=1, gap=0.1, radius=0.2, noise=12, texture=10, gradient=0.2, scale=1.37, quality=60),
}


def cells_of(rows: list[str]) -> Cells:
    """Return a board from its rows."""
    return [row.split() for row in rows]


def saved(folder: Path, data: bytes, name: str = "board.png") -> Path:
    """Return the file of a picture."""
    path = folder / name
    path.write_bytes(data)
    return path


def size_of(path: Path) -> tuple[int, int]:
    """Return the width and the height of a picture."""
    with Image.open(path) as image:
        return image.size


@pytest.mark.sampled(2, 8)
@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=pytest.mark.slow) if i % 4 else one for i, one in enumerate(SPOILS)]
)
def test_a_spoilt_strata_board_is_read(name: str, tmp_path: Path) -> None:
    """A Strata board is read from a picture with anything wrong that games and screenshots have."""
    random = seeded(name)
    rows, columns = random.choice(SIZES[2:5])
    cells = random_board(random, rows, columns, random.sample(sorted(TILES), 4), 0.2)
    path = saved(tmp_path, drawn(cells, SPOILS[name], random, random.choice(BACKGROUNDS)))
    [instance] = load(path, format="picture", shows=Shows("strata", (rows, columns), 4))
    assert alike(tiles(instance, cells), cells)
    if not SPOILS[name].gradient:
        assert tiles(instance, cells) == cells


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["clean", "frame", "hair lines", "noise", "JPEG", "no whole number"])
def test_a_strips_board_is_read(name: str, tmp_path: Path) -> None:
    """A board of black and white strips is read, on any paper."""
    random = seeded(name)
    cells = random_board(random, 5, 5, ["black", "white"], 0)
    spoil = replace(SPOILS[name], margin=0) if name == "clean" else replace(SPOILS[name], frame=4)
    path = saved(tmp_path, drawn(cells, spoil, random, BACKGROUNDS[0], STRIPS))
    [instance] = load(path, shows=Shows("strips", (5, 5)))
    assert (instance.puzzle.name, tiles(instance, cells)) == ("strips", cells)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("paper", [BACKGROUNDS[0], BACKGROUNDS[1]], ids=["light", "dark"])
@pytest.mark.parametrize("degrees", [45, -3, *(pytest.param(one, marks=pytest.mark.slow) for one in (44, 30, 5))])
def test_a_turned_board_is_read(degrees: float, paper: tuple[int, int, int], tmp_path: Path) -> None:
    """A board that is turned by 45 degrees, as Strata shows it, or by others, is read, in light and dark."""
    random = seeded(degrees)
    side = random.randint(3, 6)
    cells = random_board(random, side, side, random.sample(sorted(TILES), random.randint(2, 6)), 0.2)
    for corners in (paper, (0, 0, 0)):  # of the paper, or as programs leave them
        path = saved(tmp_path, turned(drawn(cells, Spoil(margin=0.5, line=2), random, paper), degrees, corners))
        [instance] = load(path, shows=Shows("strata", (side, side)))
        assert tiles(instance, cells) == cells


@pytest.mark.parametrize("degrees", [5, -45])
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.sampled(0, 2)
def test_a_picture_that_shows_a_turned_board_may_be_turned_too(degrees: float, tmp_path: Path, *, dark: bool) -> None:
    """The board on a corner that `draw --turned` draws is read when its picture is turned and put on another paper."""
    pytest.importorskip("resvg_py")
    cells = cells_of(BOARD)
    picture = sheet(cells, dark=dark, turned=True)
    for paper in BACKGROUNDS[:2]:
        path = saved(tmp_path, turned(picture, degrees, paper))
        [instance] = load(path, shows=Shows("strata", (4, 4), 3, 45 + degrees))
        assert tiles(instance, cells) == cells


@pytest.mark.slow
def test_a_large_picture_of_a_turned_board_may_be_turned_too(tmp_path: Path) -> None:
    """So may a large one, of which a turn that is found nearly moves the corners by some pixels."""
    pytest.importorskip("resvg_py")
    [six] = load("strata/six")
    named = {name[0]: name for name in TILES} | {"v": "purple"}
    found = {cell: named[letter] for cell, letter in six.facts.names("tile").items()}
    cells = [[found.get((r, c), ".") for c in range(1, 7)] for r in range(1, 7)]
    path = saved(tmp_path, turned(sheet(cells, dark=False, turned=True), 2, BACKGROUNDS[1]))
    [instance] = load(path, shows=Shows("strata", (6, 6)))
    assert alike(tiles(instance, cells), cells)


@pytest.mark.slow
def test_an_oblong_that_lies_on_its_side_needs_its_angle(tmp_path: Path) -> None:
    """A board with fewer columns than rows, turned so far that it looks wide, is read if it is said how far."""
    cells = cells_of(["red blue", "green .", "blue red", "red green"])
    picture = drawn(cells, Spoil(margin=0.5, line=2), seeded(0), BACKGROUNDS[0])
    path = saved(tmp_path, turned(picture, 60, BACKGROUNDS[0]))
    with pytest.raises(InstanceError, match=r"no board of 4x2 is found .*--angle"):
        load(path, shows=Shows("strata", (4, 2), 3))
    [instance] = load(path, shows=Shows("strata", (4, 2), 3, 60))
    assert tiles(instance, cells) == cells


@pytest.mark.slow
def test_which_corner_is_at_the_top_is_said_or_asked(tmp_path: Path) -> None:
    """--angle says by how much a board is turned; without it, a board between upright and 45 degrees is asked about."""
    cells = cells_of(BOARD)
    picture = drawn(cells, Spoil(margin=0.5, gap=0.1), seeded(0), BACKGROUNDS[1])
    shows = ["--as", "strata", "--size", "4", "--colors", "3"]

    def read(degrees: float, angle: float | None) -> Cells:
        saved(tmp_path, turned(picture, degrees, BACKGROUNDS[1]))
        [instance] = load(tmp_path / "board.png", shows=Shows("strata", (4, 4), 3, angle))
        return tiles(instance, cells)

    assert read(45, None) == read(45, 45) == read(-45, -45) == read(135, 140) == read(180, 180) == cells
    right = [[*column] for column in zip(*cells, strict=True)][::-1]  # the board, turned counter-clockwise
    assert read(-45, None) == right
    with pytest.raises(InstanceError, match="--angle 36 or --angle -54"):
        read(36, None)
    assert read(36, 36) == cells
    with pytest.raises(InstanceError, match="--angle -40 or --angle 50"):
        read(-40, None)
    with pytest.raises(InstanceError, match="--angle 0 or --angle 90"):
        read(0, 45)
    refused(pyasp("solve", "board.png", *shows, "--angle", "45", where=tmp_path), "--angle 0 or --angle 90")
    refused(pyasp("solve", "board.png", *shows, "--angle", "nan", where=tmp_path), "--angle")
    with pytest.raises(TypeError, match="angle"):
        load(tmp_path / "board.png", shows=Shows("strata", (4, 4), 3, "45"))  # type: ignore[arg-type]


@pytest.mark.parametrize("degrees", [45, *(pytest.param(one, marks=pytest.mark.slow) for one in (0, -7))])
def test_clicks_lie_on_the_ends_of_ribbons(degrees: float, tmp_path: Path) -> None:
    """`solve --clicks` prints ends of ribbons beside the board, which lay an answer if they are clicked in order."""
    cells, side, spoil = cells_of(SOLVABLE), 4, Spoil(margin=1, line=2)
    picture = drawn(cells, spoil, seeded(0), BACKGROUNDS[1])
    saved(tmp_path, turned(picture, degrees, BACKGROUNDS[1]))
    command = ["solve", "board.png", "--as", "strata", "--size", str(side), "--clicks"]
    lines = [line.split() for line in printed(*command, where=tmp_path).splitlines()]
    [record] = objects(printed(*command, "--json", where=tmp_path))
    assert [[str(click[name]) for name in ("x", "y", "color")] for click in record["clicks"]] == lines
    ways = [(line, index) for line in ("row", "column") for index in range(1, side + 1)]
    assert sorted((click["line"], click["index"]) for click in record["clicks"]) == sorted(ways)
    # Half a cell before the first cells, in pixels from the middle of the picture.
    before, along = -(side + 1) / 2 * spoil.cell, [(i - (side + 1) / 2) * spoil.cell for i in range(side + 1)]
    middle = [length / 2 for length in size_of(tmp_path / "board.png")]
    shown: dict[tuple[int, int], str] = {}
    for click in record["clicks"]:
        index, row = click["index"], click["line"] == "row"
        x, y = (before, along[index]) if row else (along[index], before)
        end = complex(x, y) * complex(cos(radians(degrees)), sin(radians(degrees))) + complex(*middle)
        assert abs(complex(click["x"], click["y"]) - end) < spoil.cell / 4
        shown |= {((index, i) if row else (i, index)): click["color"] for i in range(1, side + 1)}
    colored = {(r, c): one for r, row in enumerate(cells, 1) for c, one in enumerate(row, 1) if one != "."}
    assert {cell: shown[cell] for cell in colored} == colored


def test_clicks_are_in_the_picture_and_need_one(tmp_path: Path) -> None:
    """Clicks lie in a picture that ends at its board; without a picture, ribbons or an answer there are none."""
    shows = ["--as", "strata", "--size", "4", "--colors", "3", "--clicks"]
    saved(tmp_path, drawn(cells_of(SOLVABLE), Spoil(line=2), seeded(0), BACKGROUNDS[0]))
    width, height = size_of(tmp_path / "board.png")
    for line in printed("solve", "board.png", *shows, where=tmp_path).splitlines():
        x, y, _ = line.split()
        assert 0 <= int(x) < width
        assert 0 <= int(y) < height
    saved(tmp_path, drawn(cells_of(BOARD), Spoil(line=2), seeded(0), BACKGROUNDS[0]))
    assert "no answer" in pyasp("solve", "board.png", *shows, where=tmp_path).stderr
    refused(pyasp("solve", "strata/seed", "--clicks", where=tmp_path), "not read from a picture")
    refused(pyasp("solve", "strips/final", "--clicks", "--json", where=tmp_path), "ribbons")
    refused(pyasp("solve", "board.png", *shows, "--to", "toml", where=tmp_path), "do not go together")


def test_the_number_of_colors_is_found(tmp_path: Path) -> None:
    """The number of colors may be left out, and a picture may be a JPEG, transparent, or have a palette."""
    cells = cells_of(BOARD)
    data = drawn(cells, Spoil(margin=1, gap=0.1), seeded(0), BACKGROUNDS[0])
    image = Image.open(BytesIO(data)).convert("RGBA")
    clear = Image.new("RGBA", image.size)
    clear.paste(image, mask=image.convert("L").point([255] * 254 + [0] * 2))
    for name, one in {"a.jpeg": image.convert("RGB"), "b.png": clear, "c.png": image.quantize(8)}.items():
        one.save(tmp_path / name)
        [instance] = load(tmp_path / name, shows=Shows("strata", (4, 4)))
        assert tiles(instance, cells) == cells


@pytest.mark.slow
def test_every_command_takes_a_picture(tmp_path: Path) -> None:
    """Commands read a picture as the board that it shows, from a file, standard input, or a directory of pictures."""
    data = drawn(cells_of(SOLVABLE), Spoil(margin=0.5, line=2), seeded(0), BACKGROUNDS[0])
    saved(tmp_path, data)
    shows = ["--as", "strata", "--size", "4x4", "--colors", "3"]
    board = printed("convert", "board.png", *shows, "--to", "toml", where=tmp_path)
    (tmp_path / "board.toml").write_text(board, encoding="utf-8")
    for command in ("solve", "hint", "draw", "facts", "count", "explain", "grade"):
        done = pyasp(command, "board.png", *shows, where=tmp_path)
        other = pyasp(command, "board.toml", where=tmp_path)
        assert (done.returncode, done.stderr.replace("png", "toml")) == (other.returncode, other.stderr)
        assert done.stdout.replace("board.png", "board.toml") == other.stdout
    assert pyasp("check", "board.png", *shows, where=tmp_path).stdout
    assert printed("convert", "-", *shows, "--to", "toml", where=tmp_path, stdin=data) == board
    (tmp_path / "several").mkdir()
    for name in ("a.png", "b.png"):
        saved(tmp_path / "several", data, name)
    assert printed("solve", "several", *shows[:-2], "--json", where=tmp_path).count("\n") == 2
    assert printed("convert", "board.png", "--as", "strata", "--size", "4", "--to", "toml", where=tmp_path) == board


AMBIGUOUS = {
    "near colors": (cells_of(["a b", "b a"]), Shows("strata", (2, 2), 2), "places|colors"),
    "fewer colors": (cells_of(BOARD), Shows("strata", (4, 4), 4), "3"),
    "more colors": (cells_of(BOARD), Shows("strata", (4, 4), 2), "colors"),
    "one color": (cells_of(["red red", "red red"]), Shows("strata", (2, 2), 1), "board"),
    "another size": (cells_of(BOARD), Shows("strata", (3, 4), 3), "several places|size right"),
    "a larger size": (cells_of(BOARD), Shows("strata", (5, 5), 3), "several places|size right|tiles"),
    "an empty row": ([*cells_of(BOARD[:3]), ["."] * 4], Shows("strata", (4, 4), 3), "places|several colors"),
    "white strips": (cells_of(["black white", "white black"]), Shows("strips", (2, 2), 2), "no line around"),
}


@pytest.mark.parametrize("name", AMBIGUOUS)
@pytest.mark.sampled(0, 4)
def test_what_cannot_be_told_apart_is_refused(name: str, tmp_path: Path) -> None:
    """A picture that may show several boards, or another one than was said, is refused."""
    cells, shows, words = AMBIGUOUS[name]
    colors = {**TILES, **STRIPS, "white": (255, 255, 255), "a": (200, 60, 50), "b": (206, 62, 50)}
    path = saved(tmp_path, drawn(cells, Spoil(margin=1.5), seeded(0), (255, 255, 255), colors))
    with pytest.raises(InstanceError, match=words):
        load(path, shows=shows)


def header(width: int, height: int) -> bytes:
    """Return the beginning of a PNG of a size, and a few of its pixels."""
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(bytes(10**4)))]
    parts = [struct.pack(">I", len(d)) + n + d + struct.pack(">I", zlib.crc32(n + d)) for n, d in chunks]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def hostile() -> dict[str, tuple[bytes, str]]:
    """Return {name: file, what is said of it}."""
    good = drawn(cells_of(BOARD), Spoil(), seeded(0), (255, 255, 255))
    jpeg = drawn(cells_of(BOARD), Spoil(quality=80), seeded(0), (255, 255, 255))
    empty, noise = BytesIO(), BytesIO()
    Image.new("RGB", (300, 300), "white").save(empty, "PNG")
    Image.frombytes("RGB", (200, 200), seeded(0).randbytes(120_000)).save(noise, "PNG")
    tiny = BytesIO()
    Image.new("RGB", (1, 1)).save(tiny, "PNG")
    gif = BytesIO()
    Image.new("RGB", (50, 50)).save(gif, "GIF")
    return {
        "truncated": (good[: len(good) // 2], "damaged"),
        "truncated JPEG": (jpeg[: len(jpeg) // 2], "damaged"),
        "only magic": (good[:8], "damaged"),
        "bomb": (header(20_000, 20_000), "40 million"),
        "huge bomb": (header(2**31 - 1, 2**31 - 1), "pixels"),
        "large": (header(7000, 7000), "7000x7000 pixels"),
        "no pixels": (header(0, 5), "damaged"),
        "text": (b'puzzle = "strata"\n', "not a picture"),
        "nothing": (b"", "not a picture"),
        "bytes": (bytes(range(256)) * 9, "not a picture"),
        "GIF": (gif.getvalue(), "PNG"),
        "empty": (empty.getvalue(), "board"),
        "only noise": (noise.getvalue(), ""),
        "one pixel": (tiny.getvalue(), ""),
    }


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=pytest.mark.alone) if "noise" in one else one for one in hostile()]
)
def test_hostile_files_are_refused(name: str, tmp_path: Path) -> None:
    """A damaged or malicious file is refused in one line with exit code 2, in little memory and time."""
    data, words = hostile()[name]
    saved(tmp_path, data)
    shows = ["--as", "strata", "--size", "4x4", "--colors", "3"]
    refused(pyasp("solve", "board.png", *shows, where=tmp_path, memory=2**30, seconds=20), words)


@pytest.mark.slow
def test_what_a_picture_shows_is_told(tmp_path: Path) -> None:
    """Without its puzzle and size, or with wrong ones, a picture is refused; so are other files with these."""
    saved(tmp_path, drawn(cells_of(BOARD), Spoil(), seeded(0), (255, 255, 255)))
    wrong = {
        (): "--as strata --size 6x6",
        ("--as", "strata"): "--size",
        ("--as", "picture", "--size", "4"): "--as strata",
        ("--as", "sudoku", "--size", "4"): "strata or strips",
        ("--as", "stratta", "--size", "4"): "did you mean strata",
        ("--as", "strata", "--size", "4x"): "is not a size",
        ("--as", "strata", "--size", "0x4"): "0x4",
        ("--as", "strata", "--size", "900"): "1 to 30",
        ("--as", "strata", "--size", "4", "--colors", "17"): "16 colors",
    }
    for words, says in wrong.items():
        refused(pyasp("solve", "board.png", *words, where=tmp_path), says)
    refused(pyasp("encoding", "board.png", where=tmp_path), "pyasp convert")
    refused(pyasp("solve", "strata/seed", "--size", "4", where=tmp_path), "not a picture")
    refused(pyasp("convert", "strata/seed", "-o", "x.png", where=tmp_path), "pyasp draw")
    with pytest.raises(TypeError, match="shows"):
        load(tmp_path / "board.png", shows=("strata", (4, 4), 3))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="size"):
        load(tmp_path / "board.png", shows=Shows("strata", "4x4"))  # type: ignore[arg-type]


def test_without_pillow_one_line_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Pillow, one line says how to install it."""
    path = saved(tmp_path, drawn(cells_of(BOARD), Spoil(), seeded(0), (255, 255, 255)))
    for name in ("PIL", "PIL.JpegImagePlugin", "PIL.PngImagePlugin"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(PuzzleError, match=r"pip install 'pyasp-puzzles\[picture\]'"):
        load(path, shows=Shows("strata", (4, 4)))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "size", "colors"), [("strata/six", "6x6", "6"), ("strips/final", "5x5", "2")])
def test_our_own_png_is_read(name: str, size: str, colors: str, tmp_path: Path) -> None:
    """What `pyasp draw` writes as PNG, with letters, numbers and lines, is read."""
    pytest.importorskip("resvg_py")
    printed("draw", name, "-o", "x.png", where=tmp_path)
    printed("draw", name, "--turned", "-o", "turned.png", where=tmp_path)
    shows = ["--as", name.partition("/")[0], "--size", size, "--colors", colors]
    [original] = load(name)
    for file in ("x.png", "turned.png"):
        [instance] = loads(printed("convert", file, *shows, "--to", "toml", where=tmp_path))
        one, other = (board.facts.names("tile") for board in (instance, original))
        assert one.keys() == other.keys()
        pairs = {(one[cell], other[cell]) for cell in one}
        assert len(pairs) == len({*one.values()}) == len({*other.values()})


@pytest.mark.slow
def test_pictures_are_solved_by_other_processes(tmp_path: Path) -> None:
    """Pictures are also solved in several processes, and into a file of records."""
    saved(tmp_path, drawn(cells_of(SOLVABLE), Spoil(margin=0.5, line=2), seeded(0), BACKGROUNDS[0]))
    shows = ["--as", "strata", "--size", "4x4"]
    for words in ("solve --jobs 2", "solve --output x.jsonl"):
        command, *options = words.split()
        assert pyasp(command, "board.png", *shows, *options, where=tmp_path).returncode in {0, 1}


@pytest.mark.slow
def test_most_spoilt_boards_are_read_and_none_wrongly() -> None:
    """Of many boards spoilt in many ways, at least 97 % are read, and the others refused; it takes 0.2 s a board."""
    number = times(40, 120)
    outcomes = Counter(outcome(*some_board(seed)) for seed in range(number))
    assert outcomes["wrong"] == 0
    assert outcomes["right"] >= 0.97 * number


@pytest.mark.slow
def test_all_clean_turned_boards_are_read() -> None:
    """All of many clean boards, 3x3 to 6x6 in two to six colors, turned by 45 or by less, light or dark, are read."""
    pytest.importorskip("resvg_py")
    number = times(20, 60)
    outcomes = {seed: outcome(*some_turned_board(seed)) for seed in range(number)}
    assert {seed: found for seed, found in outcomes.items() if found != "right"} == {}
