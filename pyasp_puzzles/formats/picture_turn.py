"""Turning pictures: finding how far the board in a picture is turned, and turning it upright.

Turn  45.0: the board is turned clockwise by as many degrees, so that its upper left corner is at the top
"""

from __future__ import annotations

from array import array
from math import cos, radians, sin
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.formats.picture_grid import picture_grid_changes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PIL.Image import Image

# Pixels of the longer side of the picture in which lines are looked for.
_LONGEST = 200
# Degrees between the turns that are tried first, and those around the best of these.
_STEP, _FINE = 1.0, 0.25
# Pixels by which lines are also moved, so that no turn blurs less than others.
_SHIFT = (0.21, 0.21)  # its type says whole numbers, but any will do
# How many turns are likely.
_MOST_TURNS = 3
# A board that is turned by less is upright.
_UPRIGHT = 0.4
# The least distance of a color from that of the corners of the picture, in levels of a channel.
_DIFFERENT = 30
# How much there may be around a board, in cells.
_AROUND = 1.1
# Pixels at the edge of a turned picture that blend with what is around it.
_BLENDED = 4
# Pixels of a side of the smallest picture.
_LEAST = 10


class UprightPicture(NamedTuple):
    """A picture that is turned, and cut to what is in it."""

    image: Image
    turn: float
    size: tuple[int, int]
    """The size of the picture that was turned."""
    left: float = 0
    """What is cut off, in pixels of the picture when it is turned: at the left, and at the top."""
    top: float = 0
    whole: tuple[int, int] = (0, 0)
    """The size of the picture when it is turned."""

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point is in the picture that was turned."""
        if not self.turn:
            return x, y
        x, y = x + self.left - self.whole[0] / 2, y + self.top - self.whole[1] / 2
        across, down = cos(radians(self.turn)), sin(radians(self.turn))
        return x * across - y * down + self.size[0] / 2, x * down + y * across + self.size[1] / 2


def picture_turns(image: Image) -> list[float]:
    """Return the likeliest turns of the board in a picture, from -45 to 45, the best first; 0 is among them.

    Summed along lines, changes of color have peaks; the better the turn, the higher they are.

    Source: the Radon transform finds lines so.
    """
    from PIL import Image as Images
    from PIL.ImageFilter import GaussianBlur

    scale = _LONGEST / max(image.size)
    size = max(8, round(image.width * scale)), max(8, round(image.height * scale))
    small = image.resize(size, Images.Resampling.BOX)
    lines = picture_grid_changes(small)[2].filter(GaussianBlur(1))
    side = round((lines.width**2 + lines.height**2) ** 0.5) + 1
    square = Images.new("L", (side, side))
    square.paste(lines, ((side - lines.width) // 2, (side - lines.height) // 2))

    def height(turn: float) -> float:
        turned = square.rotate(turn, Images.Resampling.BILINEAR, translate=_SHIFT).convert("F")  # type: ignore[arg-type]
        profiles = (turned.resize(one, Images.Resampling.BOX) for one in ((side, 1), (1, side)))
        return sum(level * level for profile in profiles for level in array("f", profile.tobytes()))

    count = round(90 / _STEP)
    heights = [height(i * _STEP - 45) for i in range(count)]
    peaks = [i for i, one in enumerate(heights) if heights[i - 1] < one >= heights[(i + 1) % count]]
    found = []
    for i in sorted(peaks, key=lambda one: -heights[one])[:_MOST_TURNS]:
        near = [i * _STEP - 45 + k * _FINE for k in range(round(-_STEP / _FINE) + 1, round(_STEP / _FINE))]
        turn = max(near, key=height)
        found.append(0.0 if abs(turn) < _UPRIGHT else turn)
    return found if 0.0 in found else [*found, 0.0]


def nearest_picture_turn(turn: float, wanted: float) -> float:
    """Return the turn nearest to a wanted one that looks the same as a turn: it may differ by quarters of a circle."""
    return wanted + (turn - wanted + 45) % 90 - 45


def turned_picture(image: Image, turn: float, rows: int, columns: int) -> Iterator[UprightPicture]:
    """Yield a picture with its board upright, if that is turned so far and has these rows and columns.

    A turned picture may have another color in its corners. So it is cut in two ways: as a board on paper of that color,
    and as a picture on such paper.
    """
    if not turn:
        yield UprightPicture(image, 0.0, image.size)
        return
    whole, (left, top, right, bottom) = _rotated(image, turn)
    around = round(_AROUND * max(right - left, bottom - top) / max(rows, columns))
    first, last = (max(0, left - around), max(0, top - around)), (right + around, bottom + around)
    padded = *first, min(whole.width, last[0]), min(whole.height, last[1])
    inner = (left + _BLENDED, top + _BLENDED, right - _BLENDED, bottom - _BLENDED)
    for box in (padded, inner):
        if min(box[2] - box[0], box[3] - box[1]) >= _LEAST:
            yield UprightPicture(whole.crop(box), turn, image.size, box[0], box[1], whole.size)


def turned_on_one_paper(image: Image, turn: float) -> Image:
    """Return a picture with the color of its inner corners around it, if it was turned so far and put on paper."""
    from PIL import Image as Images
    from PIL import ImageDraw

    whole, (left, top, right, bottom) = _rotated(image, turn)
    edge = _BLENDED + max(whole.size) // 100  # a turn is found nearly
    left, top, right, bottom = left + edge, top + edge, right - edge, bottom - edge
    if min(right - left, bottom - top) < _LEAST:
        return image
    inner = UprightPicture(whole, turn, image.size, whole=whole.size)
    mask = Images.new("L", image.size)
    corners = [inner.pixel(*corner) for corner in ((left, top), (right, top), (right, bottom), (left, bottom))]
    ImageDraw.Draw(mask).polygon(corners, fill=255)
    color = _corner(whole.crop((left, top, right, bottom)))
    return Images.composite(image, Images.new("RGB", image.size, color), mask)


def _rotated(image: Image, turn: float) -> tuple[Image, tuple[int, int, int, int]]:
    """Return a picture turned back by a turn, with the color of its corners around it; and the box of what is in it."""
    from PIL import Image as Images

    paper = _corner(image)
    whole = image.rotate(turn, Images.Resampling.BICUBIC, expand=True, fillcolor=paper)
    return whole, _content(whole, paper)


def _corner(image: Image) -> tuple[int, ...]:
    """Return the usual color in the corners of a picture."""
    w, h = image.width - 1, image.height - 1
    colors = [image.crop((x, y, x + 1, y + 1)).tobytes() for x in (0, w) for y in (0, h)]
    return tuple(sorted(levels)[1] for levels in zip(*colors, strict=True))


def _content(image: Image, color: tuple[int, ...]) -> tuple[int, int, int, int]:
    """Return the box around all that does not have a color; the whole picture if that is nothing."""
    from PIL import Image as Images
    from PIL import ImageChops
    from PIL.ImageFilter import BoxBlur

    apart = ImageChops.difference(image.filter(BoxBlur(2)), Images.new("RGB", image.size, color))
    strongest = ImageChops.lighter(ImageChops.lighter(*apart.split()[:2]), apart.split()[2])
    found = strongest.point([255 * (level > _DIFFERENT) for level in range(256)]).getbbox()
    return found or (0, 0, *image.size)
