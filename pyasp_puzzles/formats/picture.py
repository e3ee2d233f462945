"""Pictures of boards of colors, PNG or JPEG: screenshots of a game, scans, and what `pyasp draw` writes.

The user tells the puzzle, the size, and if necessary the number of colors. The picture is turned upright, the board is
found in it, and the colors in the middle of its cells are grouped. Cells without a tile have the color around the
board, or between its tiles.

Measured on 500 random boards of Strata for each level of noise, 2x2 to 8x8 in 2 to 6 colors, with known size and number
of colors: with a standard deviation of 0, 16, 24, 32 and 48 of 255 levels, 497, 496, 478, 458 and 415 are read right,
and the others refused.

Color  (0.63, 0.22, 0.13): lightness, green to red, and blue to yellow, in Oklab; 0.02 is a difference that shows
"""

from __future__ import annotations

import warnings
from functools import cache
from io import BytesIO
from itertools import product
from math import cbrt, dist, exp, floor, hypot, log
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pyasp_puzzles.boards.grid import Cell, all_cells, cell_place
from pyasp_puzzles.errors import InstanceError, PuzzleError, Where, shorten
from pyasp_puzzles.formats.format import MAGIC, Format, Report, Shows, Text
from pyasp_puzzles.formats.picture_grid import (
    AS_GOOD,
    MOST_UNEXPLAINED,
    SMALLEST_CELL,
    FoundGrid,
    Frame,
    find_grid,
    nearest_turn,
    turned_on_one_paper,
    turns_of,
    upright_pictures,
)
from pyasp_puzzles.puzzles import declaration
from pyasp_puzzles.puzzles.board import board_from_keys
from pyasp_puzzles.puzzles.declaration import find_puzzle
from pyasp_puzzles.render.text import color_name_in_text
from pyasp_puzzles.render.theme import COLORS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from PIL.Image import Image
    from PIL.ImageFile import ImageFile

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.formats.picture_grid import Upright
    from pyasp_puzzles.model.puzzle import Instance


# -- Colors, as people see them --------------------------------------------------------------------

Color: TypeAlias = tuple[float, float, float]

# The least difference between two colors of a board.
LEAST_DIFFERENCE = 0.035
# Smaller differences count as this large: pictures have them within one color.
_NOISE = 0.012
# Two colors differ by at least this many times the differences within one.
CLEAR_DIFFERENCE = 1.7


class ColorGroups(NamedTuple):
    """Cells by their color."""

    members: list[list[Cell]]
    """The cells of each color."""
    clear: float
    """How many times larger the smallest difference between colors is than the largest in one."""
    difference: float
    """The smallest difference between two colors; infinite for a single one."""


@cache
def _linear() -> list[float]:
    """Return the light of each level of a channel, 0 to 1."""
    shares = [level / 255 for level in range(256)]
    return [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]


def oklab(red: int, green: int, blue: int) -> Color:
    """Return a color in Oklab.

    Source: Björn Ottosson, "A perceptual color space for image processing".
    """
    r, g, b = _linear()[red], _linear()[green], _linear()[blue]
    long = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
    medium = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
    short = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    return (
        0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short,
    )


def median_color(colors: Sequence[Color]) -> Color:
    """Return the middle color of several."""
    middle = len(colors) // 2
    lightness, red, yellow = (sorted(channel)[middle] for channel in zip(*colors, strict=True))
    return lightness, red, yellow


def mean_color(colors: Sequence[Color]) -> Color:
    """Return the mean of colors."""
    lightness, red, yellow = (sum(channel) / len(colors) for channel in zip(*colors, strict=True))
    return lightness, red, yellow


def chroma(color: Color) -> float:
    """Return how far a color is from gray."""
    return hypot(color[1], color[2])


def color_groups(colors: Mapping[Cell, Color], count: int | None = None) -> ColorGroups:
    """Return the cells by color, in this number of colors, or in as many as there clearly are.

    If light falls on the board from one side, its effect on the colors is removed.
    """
    plain = _grouped(colors, count)
    # While the light, which may come from one side, is unknown, lightness counts less.
    shaded = {cell: (0.35 * color[0], color[1], color[2]) for cell, color in colors.items()}
    evenly = _grouped(_evenly_lit(colors, _grouped(shaded, count)), count)
    return max(plain, evenly, key=lambda groups: groups.clear)


def _grouped(colors: Mapping[Cell, Color], count: int | None) -> ColorGroups:
    """Return the cells by color: a chain of small differences joins like ones."""
    links = _links(colors)
    differences = [difference for difference, _, _ in links]
    number = count or max(range(1, len(links) + 2), key=lambda n: _clear(differences, n))
    number = min(number, len(links) + 1)
    members = _joined(colors, links[number - 1 :])
    return ColorGroups(members, _clear(differences, number), differences[number - 2] if number > 1 else float("inf"))


def _clear(differences: Sequence[float], number: int) -> float:
    """Return how clear it is that there are so many colors, given the differences, the largest first."""
    within = max(_NOISE, *differences[number - 1 : number]) if number <= len(differences) else _NOISE
    if within > 0.09:  # between two cells of one color, if no other cell of it is between them
        return 0.0
    between = differences[number - 2] if number > 1 else 2.5 * LEAST_DIFFERENCE
    return between / within if between >= LEAST_DIFFERENCE else 0.0


def _links(colors: Mapping[Cell, Color]) -> list[tuple[float, Cell, Cell]]:
    """Return the links that join all cells with the smallest differences, the largest first: Prim's algorithm."""
    first, *rest = colors
    nearest = {cell: (dist(colors[cell], colors[first]), first) for cell in rest}
    links = []
    while nearest:
        cell = min(nearest, key=lambda place: (nearest[place][0], place))
        difference, other = nearest.pop(cell)
        links.append((difference, cell, other))
        here = colors[cell]
        for free, (least, _) in nearest.items():
            if (distance := dist(colors[free], here)) < least:
                nearest[free] = (distance, cell)
    return sorted(links, reverse=True)


def _joined(colors: Mapping[Cell, Color], links: Sequence[tuple[float, Cell, Cell]]) -> list[list[Cell]]:
    """Return the cells that links join, in the order of their first cells."""
    group = {cell: [cell] for cell in colors}
    for _, first, second in links:
        if group[first] is not group[second]:
            group[first].extend(group[second])
            for cell in group[second]:
                group[cell] = group[first]
    return sorted({id(members): sorted(members) for members in group.values()}.values())


def _evenly_lit(colors: Mapping[Cell, Color], groups: ColorGroups) -> Mapping[Cell, Color]:
    """Return the colors without the effect of light that falls from one side, by the lightness in each group."""
    xx = xy = yy = xl = yl = 0.0
    for members in groups.members:
        lit = [(r, c, log(max(0.05, colors[r, c][0]))) for r, c in members]
        middle = [sum(values) / len(lit) for values in zip(*lit, strict=True)]
        for point in lit:
            y, x, light = (value - mid for value, mid in zip(point, middle, strict=True))
            xx, xy, yy, xl, yl = xx + x * x, xy + x * y, yy + y * y, xl + x * light, yl + y * light
    xx, yy = xx + 1e-3, yy + 1e-3  # if no two cells of a color are in one row, or in one column
    determinant = xx * yy - xy * xy
    across, down = (xl * yy - yl * xy) / determinant, (yl * xx - xl * xy) / determinant
    rows, columns = max(r for r, _ in colors), max(c for _, c in colors)
    evened: dict[Cell, Color] = {}
    for (r, c), (lightness, red, yellow) in colors.items():
        share = exp(-across * (c - (columns + 1) / 2) - down * (r - (rows + 1) / 2))
        evened[r, c] = lightness * share, red * share, yellow * share
    return evened


def color_names(colors: Sequence[Color]) -> list[str]:
    """Return a name for each color, no name twice, the most alike first; a number for colors without a name."""
    once = COLORS.keys() - {"grey", "violet"}  # other names of colors that have one
    named_hues = {name: _hue(oklab(*bytes.fromhex(code[1:]))) for name, code in COLORS.items() if name in once}
    hues = [_hue(color) for color in colors]
    pairs = sorted((dist(hue, other), i, name) for i, hue in enumerate(hues) for name, other in named_hues.items())
    by_index: dict[int, str] = {}
    for _, i, name in pairs:
        if i not in by_index and name not in by_index.values():
            by_index[i] = name
    return [by_index.get(i, f"color{i + 1}") for i in range(len(colors))]


def _hue(color: Color) -> Color:
    """Return a color scaled so that one hue in more or less light stays nearly the same."""
    lightness = max(color[0], 0.3)
    return 0.3 * color[0], 0.7 * color[1] / lightness, 0.7 * color[2] / lightness


def color_tokens(names: Sequence[str]) -> list[str]:
    """Return a letter for each name of a color where each letter means its color, or else the names."""
    letters = [name[0] for name in names]
    are_clear = len({*letters}) == len(letters) and [color_name_in_text(letter, {}, letters) for letter in letters] == [
        *names
    ]
    return letters if are_clear else [*names]


def nearest_group(color: Color, colors: Mapping[Cell, Color], found: ColorGroups) -> int | None:
    """Return the group with a cell of about this color; None if there is none."""
    apart = [min(dist(color, colors[cell]) for cell in members) for members in found.members]
    best = min(range(len(apart)), key=lambda i: apart[i])
    return best if apart[best] < min(0.06, found.difference / 2) else None


# -- Boards ----------------------------------------------------------------------------------------

# Pixels of a picture: those of the largest screens; more take too much memory.
_MOST_PIXELS = 40_000_000
# Pixels of a side of a picture; a larger one is made smaller.
_WIDEST_PICTURE = 2000
# Pixels of a side of a cell when its color is taken, and those of its middle.
_SIDE, _MIDDLE = 16, range(3, 13)
# Those where a letter may be.
_CENTER = range(5, 11)
# Where the ends of ribbons are looked for, in cells; the middle of the first cell is at 1.
_ENDS = (0, 0.25, 0.5, 0.75, 1)


class _Cells(NamedTuple):
    """What a picture shows of a board."""

    colors: Mapping[Cell, Color]
    """The color of the middle of each cell."""
    uneven: Mapping[Cell, float]
    """How much the quarters of a cell differ from it."""
    between: Sequence[tuple[Color, frozenset[Cell]]]
    """The colors where cells meet, each with these cells."""
    border: Color | None
    """The color at the edge of the picture, if the board does not fill it."""
    around: Color | None
    """The color around the board."""
    unlined: frozenset[Cell]
    """The cells at the edge of the board with nothing between them and what is around it."""


def _read(text: Text) -> Iterator[Instance]:
    """Yield the board of a picture."""
    where, shows = text.where, text.shows or Shows()
    name = shows.puzzle or text.puzzle
    if name is None or shows.size is None:
        message = "this is a picture: say what board it shows, such as --as strata --size 6x6"
        raise InstanceError(f"{message}; `pyasp convert` takes that and writes the board as TOML", where)
    puzzle = find_puzzle(name, where, text.puzzles)
    key = next((key for key in puzzle.keys if key.kind.role == "tiles"), None)
    if key is None:
        able = [
            one.name for one in declaration.puzzles(text.puzzles) if any(key.kind.role == "tiles" for key in one.keys)
        ]
        message = f"the board of {puzzle.name} has no colors, and pictures are read by their colors"
        raise InstanceError(f"{message}; they may show {' or '.join(able)}", where)
    rows, columns = shows.size
    # More rows or columns take seconds, and no screen shows them well.
    if not (1 <= rows <= 30 and 1 <= columns <= 30):
        raise InstanceError(f"the board in a picture has 1 to 30 rows and columns, not {rows}x{columns}", where)
    if shows.colors is not None and not 1 <= shows.colors <= rows * columns:
        raise InstanceError(f"a board of this size has 1 to {rows * columns} colors", where)
    image, scale = _decoded(text.data, where)
    upright, place = _place(image, shows.size, shows.angle, where)
    cells = _look(upright.image, place, rows, columns)
    tiles = _tiles(cells, shows.colors, where, whole=bool(key.option("every")))
    blank = "#" if key.option("every") else "."
    keys = {key.name: [[tiles.get((r, c), blank) for c in range(1, columns + 1)] for r in range(1, rows + 1)]}
    pixels = _pixels(upright, place, shows.size, scale)
    yield board_from_keys(puzzle.name, keys, where, text.puzzles)._replace(pixels=pixels)


def _place(image: Image, size: tuple[int, int], angle: float | None, where: Where) -> tuple[Upright, Frame]:
    """Return a picture with its board upright, and where the board is in it."""
    rows, columns = size
    tried: list[tuple[bool, float, Upright, FoundGrid]] = []
    for picture, turn in _ways(image):
        for i, upright in enumerate(
            upright_pictures(picture, nearest_turn(turn, _expected(turn, angle)), rows, columns)
        ):
            grid = find_grid(upright.image, rows, columns)
            if grid is not None:
                clear = grid.unexplained <= MOST_UNEXPLAINED and not grid.other and grid.size is None
                tried.append((not clear, grid.unexplained + i * AS_GOOD, upright, grid))
        if any(not unclear for unclear, *_ in tried):
            break
    if all(grid.unexplained > MOST_UNEXPLAINED for *_, grid in tried):
        message = f"no board of {rows}x{columns} is found in this picture"
        raise InstanceError(f"{message}; crop it to the board, or say how far it is turned with --angle", where)
    *_, upright, grid = min(tried, key=lambda attempt: attempt[:2])
    if grid.other:
        message = f"a board of {rows}x{columns} may be in several places of this picture"
        raise InstanceError(f"{message}; crop it to the board, or choose another --size", where)
    if grid.size is not None:
        message = f"the board in this picture looks like {grid.size[0]}x{grid.size[1]}, not {rows}x{columns}"
        raise InstanceError(f"{message}; is the size right?", where)
    if min(grid.place.width / columns, grid.place.height / rows) < SMALLEST_CELL:
        raise InstanceError("the cells in this picture are too small, expected at least 5 pixels each", where)
    degrees, expected = round(upright.turn), _expected(upright.turn, angle)
    if abs(upright.turn - expected) > 32:
        other = degrees - 90 if degrees > expected else degrees + 90
        message = f"the board in this picture is turned by {degrees} or by {other} degrees, as its tiles look the same"
        raise InstanceError(f"{message}: say which, clockwise, with --angle {degrees} or --angle {other}", where)
    return upright, grid.place


def _ways(image: Image) -> Iterator[tuple[Image, float]]:
    """Yield a picture with its likeliest turns, and then as a turned picture on paper, without the paper."""
    turns = turns_of(image)
    yield from ((image, turn) for turn in turns)
    for turn in turns:
        picture = turned_on_one_paper(image, turn)
        yield from ((picture, other_turn) for other_turn in turns_of(picture))


def _expected(turn: float, angle: float | None) -> float:
    """Return about how far a board is turned: as given, or else 45 degrees for one on a corner, and 0 for others.

    Strata is shown so: its board is upright when it is turned counter-clockwise by 45 degrees.
    """
    return (45 if abs(nearest_turn(turn, 45) - 45) <= 3 else 0) if angle is None else angle


def _pixels(upright: Upright, place: Frame, size: tuple[int, int], scale: float) -> dict[Cell, tuple[int, int]]:
    """Return `Instance.pixels`; a pixel of the picture is `scale` pixels of the file."""
    rows, columns = size
    wide, high = place.width / columns, place.height / rows
    most_x, most_y = (scale * side for side in upright.size)

    def pixel(r: float, c: float) -> tuple[int, int]:
        x, y = upright.pixel(place.left + (c - 0.5) * wide, place.top + (r - 0.5) * high)
        return floor(scale * x), floor(scale * y)

    def end(points: Iterable[tuple[int, int]]) -> tuple[int, int]:
        return next((x, y) for x, y in points if 0 <= x < most_x and 0 <= y < most_y)

    # Half a cell away from the board, or less in a picture that ends before.
    ends = {(r, 0): end(pixel(r, c) for c in _ENDS) for r in range(1, rows + 1)}
    ends |= {(0, c): end(pixel(r, c) for r in _ENDS) for c in range(1, columns + 1)}
    return ends | {cell: pixel(*cell) for cell in all_cells(rows, columns)}


def _decoded(data: bytes, where: Where) -> tuple[Image, float]:
    """Return a picture in RGB, its transparent parts white, and how many pixels of the file one of its pixels is."""
    try:
        from PIL.JpegImagePlugin import JpegImageFile
        from PIL.PngImagePlugin import PngImageFile
    except ImportError:
        raise PuzzleError("pictures need Pillow; run pip install 'pyasp-puzzles[picture]'") from None
    if not data.startswith(MAGIC):
        raise InstanceError("this is not a picture in PNG or JPEG", where)
    kind = PngImageFile if data.startswith(MAGIC[0]) else JpegImageFile
    try:
        opened = kind(BytesIO(data))  # nothing is decoded yet
        if opened.width * opened.height <= _MOST_PIXELS:
            longest, image = max(opened.size), _in_rgb(opened)
            return image, longest / max(image.size)
    except Exception as error:  # noqa: BLE001 (Pillow raises many kinds for damaged files)
        message = shorten(" ".join(str(error).split()), 100) or "it cannot be decoded"
        raise InstanceError(f"this picture is damaged: {message}", where) from None
    most = f"expected at most {_MOST_PIXELS // 10**6} million"
    raise InstanceError(f"this picture has {opened.width}x{opened.height} pixels, {most}", where)


def _in_rgb(opened: ImageFile) -> Image:
    """Return a picture that was opened, upright and not too large."""
    from PIL import Image as Images
    from PIL import ImageOps

    widest = (_WIDEST_PICTURE, _WIDEST_PICTURE)
    opened.draft("RGB", widest)
    image: Image = opened
    if "exif" in opened.info:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about damaged metadata
            image = ImageOps.exif_transpose(opened)
    image = image.convert("RGBA" if image.has_transparency_data else "RGB")
    image.thumbnail(widest)
    if image.mode == "RGBA":
        image = Images.alpha_composite(Images.new("RGBA", image.size, "white"), image)
    return image.convert("RGB")


# -- Looking at cells --------------------------------------------------------------------------


def _look(image: Image, place: Frame, rows: int, columns: int) -> _Cells:
    from PIL.Image import Resampling

    left, top = max(0.0, place.left), max(0.0, place.top)
    right, bottom = min(image.width, place.left + place.width), min(image.height, place.top + place.height)
    w, h = columns * _SIDE, rows * _SIDE
    board = image.resize((w, h), Resampling.BILINEAR, box=(left, top, right, bottom))
    pixels = board.tobytes()

    def color(x: int, y: int) -> Color:
        i = 3 * (y * w + x)
        return oklab(pixels[i], pixels[i + 1], pixels[i + 2])

    colors, uneven, between = {}, {}, []
    for r, c in all_cells(rows, columns):
        left, top = (c - 1) * _SIDE, (r - 1) * _SIDE
        middle = {(x, y): color(left + x, top + y) for y in _MIDDLE for x in _MIDDLE}
        colors[r, c] = median_color([*middle.values()])
        quarters: dict[tuple[bool, bool], list[Color]] = {}
        for (x, y), pixel_color in middle.items():
            if not (x in _CENTER and y in _CENTER):
                quarters.setdefault((x < _SIDE / 2, y < _SIDE / 2), []).append(pixel_color)
        uneven[r, c] = max(dist(median_color(quarter), colors[r, c]) for quarter in quarters.values())
        for up, back in ((1, 1), (0, 1), (1, 0)):  # where it meets the cells above it and to the left of it
            if r > up and c > back:
                columns_of, rows_of = ((-1, 0) if step else _MIDDLE for step in (back, up))
                near = [color(left + x, top + y) for x in columns_of for y in rows_of]
                between.append((median_color(near), frozenset(product({r, r - up}, {c, c - back}))))
    border, around = _outside(image, place, rows, columns)
    unlined = frozenset() if border is None else frozenset(_unlined(image, place, rows, columns))
    return _Cells(colors, uneven, between, border, around, unlined)


def _outside(image: Image, place: Frame, rows: int, columns: int) -> tuple[Color | None, Color | None]:
    """Return the color at the edges of a picture, and that around its board; None where the board fills it."""
    ways = (
        (image.width, place.left, place.width, place.width / columns),
        (image.height, place.top, place.height, place.height / rows),
    )
    samples: tuple[list[Color], list[Color]] = ([], [])
    for way, far, i, k in product((0, 1), (False, True), range(12), (1, 2, 3)):
        (size, start, length, cell), (long, first, along, _) = ways[way], ways[1 - way]
        gap, share = (size - start - length if far else start), (i + 0.5) / 12
        if gap <= 0.26 * cell:
            continue
        at_edge = 0.1 * k * gap, share * (long - 1)
        at_board = gap - (0.15 * k + 0.1) * cell, first + share * along
        for colors, (deep, beside) in zip(samples, (at_edge, at_board), strict=True):
            x, y = (size - 1 - deep if far else deep, beside)[:: -1 if way else 1]
            if 0 <= x < image.width and 0 <= y < image.height:
                colors.append(oklab(*image.getpixel((int(x), int(y)))))  # type: ignore[misc]  # a picture in RGB
    edge, near = (median_color(colors) if colors else None for colors in samples)
    return edge, near


def _unlined(image: Image, place: Frame, rows: int, columns: int) -> Iterator[Cell]:
    """Yield the cells at the edge of the board with nothing between them and what is around it."""
    wide, high = place.width / columns, place.height / rows
    for r, c in all_cells(rows, columns):
        edges = {(-1, 0): c == 1, (1, 0): c == columns, (0, -1): r == 1, (0, 1): r == rows}
        for dx, dy in (side for side, edge in edges.items() if edge):
            x, y = place.left + (c - 0.5 + dx / 2) * wide, place.top + (r - 0.5 + dy / 2) * high
            box = (x - 0.3 * wide, y - 0.3 * high, x + 0.3 * wide, y + 0.3 * high)
            inside = min(box[:2]) >= 0 and box[2] <= image.width and box[3] <= image.height
            if inside and _is_plain(image, box, down=bool(dy)):
                yield r, c


def _is_plain(image: Image, box: tuple[float, float, float, float], *, down: bool) -> bool:
    """Return whether the color of a part of a picture stays the same from the left to the right, or down."""
    from PIL.Image import Resampling

    levels = image.resize((_SIDE, _SIDE), Resampling.BILINEAR, box=box).tobytes()
    pixels = [oklab(*levels[i : i + 3]) for i in range(0, len(levels), 3)]
    middles = [median_color(pixels[i * _SIDE : (i + 1) * _SIDE] if down else pixels[i::_SIDE]) for i in range(_SIDE)]
    return max(dist(middle, middles[0]) for middle in middles) < LEAST_DIFFERENCE


# -- Colors ------------------------------------------------------------------------------------


def _tiles(cells: _Cells, wanted: int | None, where: Where, *, whole: bool) -> dict[Cell, str]:
    groups, blank = _groups(cells, wanted, where, whole=whole)
    tiles = [members for i, members in enumerate(groups.members) if i != blank]
    if not tiles:
        raise InstanceError("there are no tiles in this picture", where)
    if wanted is not None and len(tiles) != wanted:
        raise InstanceError(f"the tiles in this picture have {len(tiles)} colors, expected {wanted}", where)
    worst = max(cells.uneven, key=lambda cell: cells.uneven[cell])
    if cells.uneven[worst] > max(0.08, min(0.14, groups.difference / 2)):  # as when the size is wrong
        raise InstanceError(f"{cell_place(worst)} shows several colors; is the size right?", where)
    tokens = color_tokens(color_names([mean_color([cells.colors[cell] for cell in members]) for members in tiles]))
    return {cell: token for members, token in zip(tiles, tokens, strict=True) for cell in members}


def _groups(cells: _Cells, wanted: int | None, where: Where, *, whole: bool) -> tuple[ColorGroups, int | None]:
    """Return the cells by color, and the group of those without a tile."""
    usual = color_groups(cells.colors)
    if wanted is None:
        if usual.clear < CLEAR_DIFFERENCE:
            raise InstanceError("the number of colors in this picture is not clear; give it with --colors N", where)
        return usual, _blank(cells, usual, wanted, where, whole=whole)
    groups, more = color_groups(cells.colors, wanted), color_groups(cells.colors, wanted + 1)
    # Cells without a tile are one more color. So may noise be, but less clearly, and not like what is around the board.
    if more.clear >= CLEAR_DIFFERENCE and len(more.members) == wanted + 1:
        blank = _blank(cells, more, wanted, where, whole=whole)
        if blank is not None:
            return more, blank
        if more.clear >= groups.clear:
            message = f"there are {wanted + 1} colors in this picture, one of them perhaps of cells without a tile"
            raise InstanceError(f"{message}, but it is not clear which", where)
    if groups.clear < CLEAR_DIFFERENCE or len(groups.members) < wanted:
        hint = f"; it seems to have {len(usual.members)}" if usual.clear >= CLEAR_DIFFERENCE else ""
        message = f"{wanted} colors cannot be told apart in this picture, with or without cells that have no tile"
        raise InstanceError(f"{message}{hint}", where)
    return groups, _blank(cells, groups, wanted, where, whole=whole)


def _blank(cells: _Cells, groups: ColorGroups, wanted: int | None, where: Where, *, whole: bool) -> int | None:
    """Return the group of the cells without a tile; None if all have one. Of a whole board, those would be holes."""
    border, around = (
        None if color is None else nearest_group(color, cells.colors, groups) for color in (cells.border, cells.around)
    )
    count = len(groups.members)
    gaps = [i for i in range(count) if _is_gap(i, cells, groups)]
    gap = gaps[0] if len(gaps) == 1 else None
    evidence = next((group for group in (border, around, gap) if group is not None), None)
    if wanted is not None and count == wanted + 1:
        return _only_gray(cells, groups) if evidence is None else evidence
    if whole:
        _check_holes(cells, groups, border, wanted, where)
        return None
    if border is not None or wanted is not None:
        return gap if border is None else border
    if around is not None and around == gap:
        return around
    if evidence is not None or _only_gray(cells, groups) is not None:
        raise _unclear(count, where)
    return None


def _unclear(count: int, where: Where) -> InstanceError:
    message = f"there are {count} colors in this picture, one of them perhaps of cells without a tile"
    return InstanceError(f"{message}: say how many colors the tiles have with --colors N", where)


def _check_holes(cells: _Cells, groups: ColorGroups, border: int | None, wanted: int | None, where: Where) -> None:
    """Raise `InstanceError` if cells with the color of the border may be tiles, or holes in the board."""
    if border is None:
        return
    if wanted is None and len(groups.members) > 2:
        raise _unclear(len(groups.members), where)
    if open_ := sorted(cells.unlined.intersection(groups.members[border])):
        message = f"{cell_place(open_[0])} has the color of what is around the board, and no line around it"
        raise InstanceError(f"{message}: it may be a tile, or no cell", where)


def _is_gap(i: int, cells: _Cells, groups: ColorGroups) -> bool:
    """Return whether the color of a group is what shows between cells of other groups."""
    others = ((color, meeting) for color, meeting in cells.between if not meeting & {*groups.members[i]})
    colors = [color for color, meeting in others if min(dist(color, cells.colors[cell]) for cell in meeting) > 0.08]
    alike = sum(nearest_group(color, cells.colors, groups) == i for color in colors)
    return alike >= max(3, 0.6 * len(colors))


def _only_gray(cells: _Cells, groups: ColorGroups) -> int | None:
    """Return the group of the only gray; None if there is none, several, or a color that is nearly gray."""
    strengths = [chroma(mean_color([cells.colors[cell] for cell in members])) for members in groups.members]
    gray = [i for i, strength in enumerate(strengths) if strength < 0.03]
    colored = [strength for strength in strengths if strength > 0.06]
    return gray[0] if len(gray) == 1 and len(colored) == len(strengths) - 1 else None


def _write(instances: Sequence[Instance], _report: Report) -> str:
    """Raise `InstanceError`: `pyasp draw` draws pictures."""
    raise InstanceError("a format of text is needed; `pyasp draw -o FILE.png` draws pictures", instances[0].facts.where)


FORMAT = Format(
    "picture",
    "a picture of a board of colors, PNG or JPEG, to be read with --as and --size",
    lambda _: False,
    _read,
    _write,
    suffixes=(".png", ".jpg", ".jpeg"),
)
