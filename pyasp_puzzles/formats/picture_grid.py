"""Finding the board in a picture: how far it is turned, and where its rows and columns are.

Turn    45.0: the board is turned clockwise by as many degrees, so that its upper left corner is at the top
Extent  (12.0, 80.5): where an axis of the board begins, and how long it is, in pixels
Frame   where a board is: its `left`, `top`, `width` and `height` in pixels

Colors change at the sides of cells, and little inside them. So the board is the grid of its size with the least change
inside its cells and outside it.
"""

from __future__ import annotations

from array import array
from itertools import accumulate, combinations, islice, product
from math import cos, radians, sin
from operator import add
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PIL.Image import Image


# Pixels of the smallest cell in the picture; smaller ones are mostly the seams between their neighbors.
SMALLEST_CELL = 5.0
# Pixels of the longer side of the picture in which the board is looked for: some for each cell, within bounds.
_PER_CELL, _LEAST_SIDE, _MOST_SIDE = 24, 160, 560
# How far inside a cell its sides reach: lines, gaps, and rounded corners.
_SEAM = 0.18
# The most that a change counts, in levels of a channel: a black line is no better than a change of tiles.
_STRONGEST = 64
# Cells are about as wide as they are high.
_NARROWEST = 0.75
# Spans of an axis that are tried with those of the other; and fewer, for other sizes.
_MOST_SPANS, _FEW_SPANS = 40, 10
# The share of all change that a board leaves unexplained.
MOST_UNEXPLAINED = 0.2
# A second place for the board must be worse by this share.
_CLEARLY_WORSE = 0.03
# A smaller size counts as equally good if it leaves this much more unexplained.
AS_GOOD = 0.003


class _Extent(NamedTuple):
    """An axis of a board: where it begins, and how long it is."""

    start: float
    length: float


class Frame(NamedTuple):
    """Where a board is in a picture, in pixels."""

    left: float
    top: float
    width: float
    height: float


class FoundGrid(NamedTuple):
    """The best place of a board."""

    place: Frame
    unexplained: float
    """The share of the change in the picture that is inside cells, or outside the board."""
    other: bool
    """Whether another place is as good."""
    size: tuple[int, int] | None
    """Another size that fits the picture, if one fits better, or as well with fewer cells."""


def find_grid(image: Image, rows: int, columns: int) -> FoundGrid | None:
    """Return where the grid of a size is in a picture; None if none is as large as a grid that could be read."""
    from PIL.Image import Resampling

    wanted = min(_MOST_SIDE, max(_LEAST_SIDE, _PER_CELL * max(rows, columns) + 32))
    scale = wanted / max(image.size)
    size = max(8, round(image.width * scale)), max(8, round(image.height * scale))
    small = image.resize(size, Resampling.BILINEAR)
    changes = _Changes(small)
    least = SMALLEST_CELL * scale
    grids = changes.grids(rows, columns, least, _MOST_SPANS)
    if not grids:
        return None
    best = min((changes.moved(x, y, rows, columns) for _, x, y in grids[:4]), key=lambda grid: grid[0])
    limit = best[0] + _CLEARLY_WORSE
    others = (
        (x, y) for cost, x, y in grids if cost < limit and (_apart(best[1], x, columns) or _apart(best[2], y, rows))
    )
    other = any(
        _apart(best[1], x, columns) or _apart(best[2], y, rows)
        for _, x, y in (changes.moved(*grid, rows, columns) for grid in islice(others, 5))
    )
    fitting = None if other else _other_size(changes, best[0], rows, columns, least)
    x, y = best[1], best[2]
    sx, sy = image.width / small.width, image.height / small.height
    return FoundGrid(Frame(x.start * sx, y.start * sy, x.length * sx, y.length * sy), best[0], other, fitting)


def _other_size(changes: _Changes, unexplained: float, rows: int, columns: int, least: float) -> tuple[int, int] | None:
    """Return a size near another that explains clearly more, or is smaller and explains as much; None if none does."""
    for r, c in product((rows, rows - 1, rows + 1), (columns, columns - 1, columns + 1)):
        if min(r, c) < 1 or (r, c) == (rows, columns):
            continue
        smaller = r <= rows and c <= columns
        limit = unexplained + (AS_GOOD if smaller else -_CLEARLY_WORSE)
        for cost, x, y in changes.grids(r, c, least, _FEW_SPANS)[:2]:
            if cost < limit + _CLEARLY_WORSE and changes.moved(x, y, r, c)[0] < limit:
                return r, c
    return None


def _apart(first: _Extent, second: _Extent, cells: int) -> bool:
    far = 0.3 * first.length / cells
    return abs(first.start - second.start) > far or abs(first.start + first.length - second.start - second.length) > far


def changes(image: Image) -> tuple[Image, Image, Image]:
    """Return how much the color of each pixel differs from the one right of it, from the one below, and from both.

    The first has one column less, the second one row less, the third neither.
    """
    from PIL import Image as Images
    from PIL import ImageChops

    w, h = image.size
    filtered, whole = [], []
    for first, second in (((0, 0, w - 1, h), (1, 0, w, h)), ((0, 0, w, h - 1), (0, 1, w, h))):
        red, green, blue = ImageChops.difference(image.crop(first), image.crop(second)).split()
        strongest = ImageChops.lighter(ImageChops.lighter(red, green), blue)
        counts = list(accumulate(strongest.histogram()))
        middle = next(level for level, count in enumerate(counts) if count >= 0.6 * counts[-1])
        floor = round(1.5 * middle) + 2  # noise and texture change the color everywhere
        filtered.append(
            strongest.point(
                [round(max(0, min(level, _STRONGEST + floor) - floor) ** 2 / _STRONGEST) for level in range(256)]
            )
        )
        whole.append(Images.new("L", (w, h)))
        whole[-1].paste(filtered[-1], (0, 0))
    return filtered[0], filtered[1], ImageChops.lighter(*whole)


class _Changes:
    """How much the color changes at each pixel of a picture."""

    def __init__(self, image: Image) -> None:
        from PIL import Image as Images

        self.size = w, h = image.size
        across, down, both = changes(image)
        box = Images.Resampling.BOX
        self._profiles = [
            array("f", across.convert("F").resize((w - 1, 1), box).tobytes()),
            array("f", down.convert("F").resize((1, h - 1), box).tobytes()),
        ]
        pixels = both.tobytes()
        blocks = sorted(array("f", both.convert("F").resize((max(1, w // 4), max(1, h // 4)), box).tobytes()))
        self._usual = blocks[round(0.35 * (len(blocks) - 1))]
        # sums[r][c]: of all pixels above row r and left of column c
        self._sums = [[0] * (w + 1)]
        for r in range(h):
            row = accumulate(pixels[r * w : (r + 1) * w], initial=0)
            self._sums.append(list(map(add, self._sums[-1], row)))

    def spans(self, cells: int, axis: int, most: int) -> list[tuple[_Extent, int]]:
        """Return the most likely spans of an axis, and of each how many lines of it have no tile at the edge."""
        profile, length = self._profiles[axis], self.size[axis]
        floor = sorted(profile)[len(profile) // 2] if profile else 0.0
        heights = [max(0.0, height - floor) for height in profile]
        sums = list(accumulate(heights, initial=0.0))
        total = sums[-1] or 1.0
        costs = [
            (self._outside(sums, span, cells) / total + 0.02 * missing, missing, span)
            for span, missing in _spans(heights, cells, length)
        ]
        costs.sort(key=lambda scored: scored[:2])
        return [(span, missing) for _, missing, span in costs[:most]]

    @staticmethod
    def _outside(sums: Sequence[float], span: _Extent, cells: int) -> float:
        """Return how much of a profile is neither at the sides of cells nor near them."""
        last = len(sums) - 1

        def at(x: float) -> float:
            return sums[min(last, max(0, round(x)))]

        pitch = span.length / cells
        inside = sum(
            at(span.start + (i + 1 - _SEAM) * pitch) - at(span.start + (i + _SEAM) * pitch) for i in range(cells)
        )
        end = span.start + span.length
        return inside + at(span.start - _SEAM * pitch) + sums[-1] - at(end + _SEAM * pitch)

    def grids(self, rows: int, columns: int, least: float, most: int) -> list[tuple[float, _Extent, _Extent]]:
        """Return (cost, horizontal extent, vertical extent) of grids of a size, the best first."""
        grids = []
        for (x, missing_x), (y, missing_y) in product(self.spans(columns, 0, most), self.spans(rows, 1, most)):
            wide, high = x.length / columns, y.length / rows
            if min(wide, high) >= least and _NARROWEST <= wide / high <= 1 / _NARROWEST:
                penalty = 0.01 * (missing_x + missing_y)
                grids.append((self.unexplained(x, y, rows, columns) + penalty, x, y))
        return sorted(grids)

    def unexplained(self, x: _Extent, y: _Extent, rows: int, columns: int) -> float:
        """Return the share of all change that is inside cells or outside the board."""
        wide, high = x.length / columns, y.length / rows
        sums, (w, h) = self._sums, self.size
        change, area = self._inside(x, y, rows, columns, _SEAM)
        of_letters, their_area = self._inside(x, y, rows, columns, 0.28)
        a, b = _clamp(x.start - _SEAM * wide, w), _clamp(x.start + x.length + _SEAM * wide, w)
        first, last = _clamp(y.start - _SEAM * high, h), _clamp(y.start + y.length + _SEAM * high, h)
        top, bottom = sums[first], sums[last]
        # Larger places have more noise and texture, which says nothing.
        board = bottom[b] - bottom[a] - top[b] + top[a] - self._usual * (b - a) * (last - first)
        # Letters in the middle of cells say little, so 0.75 of the change there is taken to be as around them.
        around = (change - of_letters) / max(1, area - their_area)
        inside = change + 0.75 * (around * their_area - of_letters)
        total = sums[-1][-1] - self._usual * w * h - change + inside
        return 1 - (board - change) / total if total > 0 else 1.0

    def _inside(self, x: _Extent, y: _Extent, rows: int, columns: int, margin: float) -> tuple[float, int]:
        """Return how much more the color changes this far inside cells than it does elsewhere, and their pixels."""
        wide, high = x.length / columns, y.length / rows
        w, h = self.size
        lefts = [_clamp(x.start + (c + margin) * wide, w) for c in range(columns)]
        rights = [_clamp(x.start + (c + 1 - margin) * wide, w) for c in range(columns)]
        change = heights = 0
        for r in range(rows):
            above, below = _clamp(y.start + (r + margin) * high, h), _clamp(y.start + (r + 1 - margin) * high, h)
            upper, lower = self._sums[above], self._sums[below]
            heights += below - above
            change += sum(lower[b] - lower[a] - upper[b] + upper[a] for a, b in zip(lefts, rights, strict=True))
        area = sum(b - a for a, b in zip(lefts, rights, strict=True)) * heights
        return change - self._usual * area, area

    def moved(self, x: _Extent, y: _Extent, rows: int, columns: int) -> tuple[float, _Extent, _Extent]:
        """Return the best place near one, and how much it leaves unexplained."""
        best = self.unexplained(x, y, rows, columns), x, y
        for step in (1.0, 0.5):
            better = True
            while better:
                better = False
                _, x, y = best
                for start, length in ((-step, 0), (step, 0), (0, step), (0, -step), (-step, step), (step, -step)):
                    for extents in (
                        (_Extent(x.start + start, x.length + length), y),
                        (x, _Extent(y.start + start, y.length + length)),
                    ):
                        cost = self.unexplained(*extents, rows, columns)
                        if cost < best[0] - 1e-9:
                            best, better = (cost, *extents), True
        return best


def _clamp(x: float, most: int) -> int:
    return min(most, max(0, round(x)))


def _spans(heights: Sequence[float], cells: int, length: int) -> Iterator[tuple[_Extent, int]]:
    """Yield spans between places where the color changes, or the edges of the picture.

    An outermost line without any tile may not show, so spans may have one line more.
    """
    tallest = max(heights, default=0.0)
    last = len(heights) - 1
    peaks = [
        i
        for i, peak in enumerate(heights)
        if peak > 0.08 * tallest and peak >= heights[max(0, i - 1)] and peak > heights[min(last, i + 1)] - (i == last)
    ]
    peaks = sorted(sorted(peaks, key=lambda i: -heights[i])[: 2 * cells + 12])
    places = sorted({0.0, float(length), *(i + 1.0 for i in peaks)})
    for start, end in combinations(places, 2):
        for before, after in ((0, 0), (1, 0), (0, 1)):
            between = cells - before - after
            if between < 1:
                continue
            pitch = (end - start) / between
            span = _Extent(start - before * pitch, pitch * cells)
            slack = 0.1 * pitch
            if pitch >= 3 and span.start >= -slack and span.start + span.length <= length + slack:
                yield span, before + after


# -- Turns -----------------------------------------------------------------------------------------

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


class Upright(NamedTuple):
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


def turns_of(image: Image) -> list[float]:
    """Return the likeliest turns of the board in a picture, from -45 to 45, the best first; 0 is among them.

    Summed along lines, changes of color have peaks; the better the turn, the higher they are.

    Source: the Radon transform finds lines so.
    """
    from PIL import Image as Images
    from PIL.ImageFilter import GaussianBlur

    scale = _LONGEST / max(image.size)
    size = max(8, round(image.width * scale)), max(8, round(image.height * scale))
    small = image.resize(size, Images.Resampling.BOX)
    lines = changes(small)[2].filter(GaussianBlur(1))
    side = round((lines.width**2 + lines.height**2) ** 0.5) + 1
    square = Images.new("L", (side, side))
    square.paste(lines, ((side - lines.width) // 2, (side - lines.height) // 2))

    def height(turn: float) -> float:
        turned = square.rotate(turn, Images.Resampling.BILINEAR, translate=_SHIFT).convert("F")  # type: ignore[arg-type]
        profiles = (turned.resize(shape, Images.Resampling.BOX) for shape in ((side, 1), (1, side)))
        return sum(level * level for profile in profiles for level in array("f", profile.tobytes()))

    count = round(90 / _STEP)
    heights = [height(i * _STEP - 45) for i in range(count)]
    peaks = [i for i, value in enumerate(heights) if heights[i - 1] < value >= heights[(i + 1) % count]]
    turns = []
    for i in sorted(peaks, key=lambda peak: -heights[peak])[:_MOST_TURNS]:
        near = [i * _STEP - 45 + k * _FINE for k in range(round(-_STEP / _FINE) + 1, round(_STEP / _FINE))]
        turn = max(near, key=height)
        turns.append(0.0 if abs(turn) < _UPRIGHT else turn)
    return turns if 0.0 in turns else [*turns, 0.0]


def nearest_turn(turn: float, wanted: float) -> float:
    """Return the turn, changed by quarters of a circle, that is nearest to a wanted one."""
    return wanted + (turn - wanted + 45) % 90 - 45


def upright_pictures(image: Image, turn: float, rows: int, columns: int) -> Iterator[Upright]:
    """Yield a picture with its board upright, if that is turned so far and has these rows and columns.

    A turned picture may have another color in its corners. So it is cut in two ways: as a board on paper of that color,
    and as a picture on such paper.
    """
    if not turn:
        yield Upright(image, 0.0, image.size)
        return
    whole, (left, top, right, bottom) = _rotated(image, turn)
    around = round(_AROUND * max(right - left, bottom - top) / max(rows, columns))
    first, last = (max(0, left - around), max(0, top - around)), (right + around, bottom + around)
    padded = *first, min(whole.width, last[0]), min(whole.height, last[1])
    inner = (left + _BLENDED, top + _BLENDED, right - _BLENDED, bottom - _BLENDED)
    for box in (padded, inner):
        if min(box[2] - box[0], box[3] - box[1]) >= _LEAST:
            yield Upright(whole.crop(box), turn, image.size, box[0], box[1], whole.size)


def turned_on_one_paper(image: Image, turn: float) -> Image:
    """Return a picture with the color of its inner corners around it, if it was turned so far and put on paper."""
    from PIL import Image as Images
    from PIL import ImageDraw

    whole, (left, top, right, bottom) = _rotated(image, turn)
    edge = _BLENDED + max(whole.size) // 100  # a turn is found nearly
    left, top, right, bottom = left + edge, top + edge, right - edge, bottom - edge
    if min(right - left, bottom - top) < _LEAST:
        return image
    inner = Upright(whole, turn, image.size, whole=whole.size)
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
    box = strongest.point([255 * (level > _DIFFERENT) for level in range(256)]).getbbox()
    return box or (0, 0, *image.size)
