"""A program plays Strata in the studio by sight: it sees pixels, and moves a mouse.

It is told the size and the number of colors of each board, and nothing else. It takes a screenshot, finds the board,
reads it with the library as a picture, solves it, presses colors and arrows where it saw them, and sees that the board
is solved by the green frame around it.
"""

from __future__ import annotations  # selenium need not be there

import json
import zlib
from base64 import b64decode, urlsafe_b64encode
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageFilter

import pyasp_puzzles
from pyasp_puzzles import Shows, generate, load, solve
from pyasp_puzzles.puzzles.board import keys_of_board

from .chromium import STUDIO, chrome, resize
from .studio import studio

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

    from pyasp_puzzles import Instance

pytestmark = STUDIO

Place: TypeAlias = tuple[int, int]
"""A pixel: from the left, from the top."""
Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, right and bottom."""

PAGE = Path(pyasp_puzzles.__file__).parent / "studio" / "page"
# How far lines are from the paper in each channel, and how near like colors are.
INK, ALIKE = 150, 12
# Hues of green, 0 to 255.
GREEN = range(85, 112)
# Pixels of a side of the smallest board.
SMALLEST_BOARD = 100
# Pixels around the board in the picture that is read.
MARGIN = 10
# Screenshots until something shows; each takes a tenth of a second.
MOST_LOOKS = 150


class Made(NamedTuple):
    """A board to be made."""

    size: tuple[int, int]
    colors: int
    clues: int
    """How many tiles; the other cells have none."""
    seed: int


# The wave: boards that ship, and new ones.
WAVE: tuple[str | Made, ...] = (
    "strata/seed",
    Made((3, 4), 2, 10, 1),
    Made((4, 4), 3, 16, 2),
    "strata/four",
    Made((5, 4), 3, 14, 3),
    Made((5, 5), 4, 20, 4),
    "strata/rows",
    Made((6, 5), 5, 26, 5),
    "strata/six",
    Made((6, 6), 6, 30, 6),
)


@pytest.fixture(scope="module")
def boards() -> list[Instance]:
    """Return the boards of the wave."""
    return [_made(one) if isinstance(one, Made) else load(one)[0] for one in WAVE]


def _made(wish: Made) -> Instance:
    """Return a board whose tiles have exactly so many colors."""
    for number in range(100):
        seed = 100 * wish.seed + number
        [found] = generate("strata", size=wish.size, colors=wish.colors, clues=wish.clues, seed=seed)
        if told_of(found).colors == wish.colors:
            return found
    raise AssertionError(wish)


def told_of(board: Instance) -> Shows:
    """Return what the program is told of a board."""
    tiles = board.facts.names("tile")
    rows, columns = (max(sides) for sides in zip(*board.cells, strict=True))
    return Shows("strata", (rows, columns), len({*tiles.values()}))


# -- Seeing and pressing -----------------------------------------------------------------------------


class Screen:
    """The screen of a page, and a mouse."""

    def __init__(self, browser: Chrome) -> None:
        self._browser = browser

    def look(self) -> Image.Image:
        """Return what is on the screen."""
        shot = self._browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
        return Image.open(BytesIO(b64decode(shot["data"]))).convert("RGB")

    def press(self, place: Place) -> None:
        """Press the left button of the mouse at a place."""
        for kind in ("mousePressed", "mouseReleased"):
            event = {"type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1}
            self._browser.execute_cdp_cmd("Input.dispatchMouseEvent", event)


class Seen(NamedTuple):
    """What the program sees of a board that is not begun."""

    board: Instance
    frame: Box
    arrows: dict[tuple[str, int], Place]
    colors: dict[str, Place]


def see(image: Image.Image, told: Shows, file: Path) -> Seen | None:
    """Return the board on a screen, and where its arrows and colors are; None if there is none yet."""
    ink = dark_or_light(image)
    frame = widest_frame(ink)
    if frame is None:
        return None
    left, top, right, bottom = frame
    image.crop((left - MARGIN, top - MARGIN, right + MARGIN, bottom + MARGIN)).save(file)
    [board] = load(file, shows=told)
    rows, columns = told.size or (0, 0)
    across, down = (right - left) / columns, (bottom - top) / rows
    solid = ink.filter(ImageFilter.MinFilter(7))  # arrows are, letters and lines are not
    strips: dict[tuple[str, int], Box] = {}
    for i in range(rows):
        strips["row", i + 1] = (0, round(top + i * down), left, round(top + (i + 1) * down))
    for i in range(columns):
        strips["column", i + 1] = (round(left + i * across), 0, round(left + (i + 1) * across), top)
    arrows = {line: middle(solid.crop(strip).getbbox(), strip) for line, strip in strips.items()}
    colors = {}
    for (r, c), token in board.facts.names("tile").items():
        if token not in colors:
            beside_its_letter = round(left + (c - 0.75) * across), round(top + (r - 0.75) * down)
            alike = like(image, beside_its_letter)
            ImageDraw.Draw(alike).rectangle(frame, fill=0)
            colors[token] = middle(alike.filter(ImageFilter.MinFilter(7)).getbbox())
    return Seen(board, frame, arrows, colors)


def dark_or_light(image: Image.Image) -> Image.Image:
    """Return a mask of what is as dark as black lines on light paper, or as light as white ones on dark paper."""
    paper = max(image.getcolors(image.width * image.height) or [])[1]
    red, green, blue = difference(image, paper)
    return ImageChops.darker(ImageChops.darker(red, green), blue).point([255 * (i > INK) for i in range(256)])


def like(image: Image.Image, place: Place) -> Image.Image:
    """Return a mask of what has the color of a place."""
    red, green, blue = difference(image, image.getpixel(place))
    return ImageChops.lighter(ImageChops.lighter(red, green), blue).point([255 * (i < ALIKE) for i in range(256)])


def difference(image: Image.Image, color: object) -> tuple[Image.Image, ...]:
    """Return how far each channel is from a color."""
    assert isinstance(color, tuple)
    return ImageChops.difference(image, Image.new("RGB", image.size, color)).split()


def longest_runs(mask: Image.Image) -> list[tuple[int, int]]:
    """Return where the longest line of each row of pixels begins and ends."""
    pixels, wide, found = mask.tobytes(), mask.width, []
    for start in range(0, len(pixels), wide):
        row = pixels[start : start + wide]
        run = max(row.split(b"\0"), key=len)
        left = row.find(run)
        found.append((left, left + len(run)))
    return found


def widest_frame(mask: Image.Image) -> Box | None:
    """Return the place of the largest frame, between the first and the last of its widest lines; None without one."""
    runs = longest_runs(mask)
    left, right = max(runs, key=lambda run: run[1] - run[0])
    rows = [y for y, run in enumerate(runs) if run == (left, right)]
    frame = left, rows[0], right, rows[-1] + 1
    return frame if right - left > SMALLEST_BOARD < frame[3] - frame[1] else None


def middle(box: Box | None, within: Box = (0, 0, 0, 0)) -> Place:
    """Return the middle of what was found in a part of the screen."""
    assert box is not None
    return within[0] + (box[0] + box[2]) // 2, within[1] + (box[1] + box[3]) // 2


def is_solved(image: Image.Image, frame: Box) -> bool:
    """Return whether there are green lines above and below the board, wider than it."""
    hue, strength, _ = image.convert("HSV").split()
    green = ImageChops.darker(
        hue.point([255 * (i in GREEN) for i in range(256)]), strength.point([255 * (i > 70) for i in range(256)])
    )
    lines = [y for y, (left, right) in enumerate(longest_runs(green)) if left < frame[0] and right > frame[2]]
    return bool(lines) and lines[0] < frame[1] and lines[-1] > frame[3]


def play(screen: Screen, told: Shows, file: Path) -> bool:
    """Play the board on the screen; return whether it was solved with the last ribbon, and not before."""
    seen = next(filter(None, (see(screen.look(), told, file) for _ in range(MOST_LOOKS))))
    answer = solve(seen.board)
    assert answer
    for ribbon in answer.order:
        if ribbon is answer.order[-1]:
            assert not is_solved(screen.look(), seen.frame)
        if ribbon.color is not None:  # else the color of the ribbon before is as good
            screen.press(seen.colors[ribbon.color])
        screen.press(seen.arrows[ribbon.line, ribbon.index])
    return any(is_solved(screen.look(), seen.frame) for _ in range(MOST_LOOKS))


# -- The wave ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_wave_is_played_by_sight(boards: list[Instance], tmp_path: Path, *, dark: bool) -> None:
    """A program that is told sizes and numbers of colors solves ten boards from what it sees."""
    answer = "pyasp_puzzles.studio.questions.answer_question"
    with studio(tmp_path, answer=answer, page=str(PAGE)) as server, chrome(tmp_path / "profile") as browser:
        resize(browser, 1200, dark=dark)
        screen = Screen(browser)
        for board in boards:
            browser.get(f"{server.address}#{packed(board)}")
            assert play(screen, told_of(board), tmp_path / "board.png"), board


def packed(board: Instance) -> str:
    """Return a board as the address of the page has it."""
    deflate = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    data = deflate.compress(json.dumps(keys_of_board(board)).encode()) + deflate.flush()
    return urlsafe_b64encode(data).decode().rstrip("=")
