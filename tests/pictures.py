"""Pictures of boards of colors, drawn with Pillow and spoilt: what a screenshot of a game may look like."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TypeAlias

from PIL import Image, ImageChops, ImageDraw, ImageFont

from pyasp_puzzles import Instance, InstanceError, Shows, load
from pyasp_puzzles import board as board_of
from pyasp_puzzles.render.svg import svg

Cells: TypeAlias = list[list[str]]
Level: TypeAlias = tuple[int, int, int]

# Colors of tiles, by the name that each is read as; and backgrounds that are none of them.
TILES = {
    "red": (207, 59, 52),
    "orange": (240, 144, 43),
    "yellow": (245, 212, 65),
    "green": (63, 155, 82),
    "blue": (59, 125, 216),
    "purple": (132, 87, 179),
}
# Black and white, as strips have them.
STRIPS = {"black": (34, 34, 34), "white": (247, 247, 247)}
SIZES = [(2, 2), (3, 3), (4, 4), (4, 6), (6, 6), (8, 8)]
LETTERS = {name[0]: name for name in TILES}
BACKGROUNDS = ((255, 255, 255), (24, 26, 34), (205, 196, 178))


@dataclass(frozen=True)
class Spoil:
    """What is wrong with a picture."""

    cell: int = 32
    margin: float = 0.0  # cells
    line: int = 0  # pixels
    line_color: Level = (90, 90, 90)
    gap: float = 0.0  # cells between tiles
    radius: float = 0.0  # of the corners, in cells
    frame: int = 0  # pixels
    letters: bool = False
    noise: float = 0.0  # standard deviation, levels
    texture: float = 0.0  # levels
    gradient: float = 0.0  # how much darker one corner is
    scale: float = 1.0
    quality: int = 0  # of a JPEG


# Pictures with nothing wrong.
CLEAN = [
    Spoil(margin=0.5),
    Spoil(line=2),
    Spoil(margin=1, line=2),
    Spoil(margin=1, gap=0.1),
    Spoil(margin=0.5, gap=0.15, radius=0.3),
    Spoil(margin=1, line=2, letters=True),
]


def seeded(seed: float | str) -> Random:
    """Return random numbers that are the same each time."""
    return Random(seed)  # noqa: S311 (no secrets)


def random_board(random: Random, rows: int, columns: int, names: list[str], blank: float) -> Cells:
    """Return a board with all of the colors, and the share of cells without a tile; every line has one."""
    while True:
        cells = [
            ["." if random.random() < blank else random.choice(names) for _ in range(columns)] for _ in range(rows)
        ]
        found = {one for row in cells for one in row} - {"."}
        lines = [*cells, *zip(*cells, strict=True)]
        if found == {*names} and all(any(one != "." for one in line) for line in lines):
            return cells


def drawn(cells: Cells, spoil: Spoil, random: Random, background: Level, colors: Mapping[str, Level] = TILES) -> bytes:
    """Return a picture of a board, PNG or JPEG."""
    image = spoilt(board(cells, spoil, background, colors), spoil, random)
    file = BytesIO()
    if spoil.quality:
        image.save(file, "JPEG", quality=spoil.quality)
    else:
        image.save(file, "PNG", compress_level=1)
    return file.getvalue()


def board(cells: Cells, spoil: Spoil, background: Level, colors: Mapping[str, Level]) -> Image.Image:
    """Return the tiles of a board, with lines and a frame."""
    side, rows, columns = spoil.cell, len(cells), len(cells[0])
    offset = round(spoil.margin * side)
    width, height = columns * side + 2 * offset, rows * side + 2 * offset
    image = Image.new("RGB", (width, height), background)
    draw = ImageDraw.Draw(image)
    for r, row in enumerate(cells):
        for c, one in enumerate(row):
            if one != ".":
                x, y, gap = offset + c * side, offset + r * side, spoil.gap * side / 2
                box = (x + gap, y + gap, x + side - 1 - gap, y + side - 1 - gap)
                draw.rounded_rectangle(box, spoil.radius * side, fill=colors[one])
                if spoil.letters:
                    font = ImageFont.load_default(0.55 * side)
                    draw.text((x + side / 2, y + side / 2), one[0].upper(), "black", font, anchor="mm")
    if spoil.line:
        for i in range(rows + 1):
            y = offset + i * side
            draw.line((offset, y, offset + columns * side, y), spoil.line_color, spoil.line)
        for i in range(columns + 1):
            x = offset + i * side
            draw.line((x, offset, x, offset + rows * side), spoil.line_color, spoil.line)
    if spoil.frame:
        near, out = offset - spoil.frame, spoil.frame
        draw.rectangle((near, near, width - near - 1, height - near - 1), outline=spoil.line_color, width=out)
    return image


def spoilt(image: Image.Image, spoil: Spoil, random: Random) -> Image.Image:
    """Return a picture with texture, light from one side, another scale, and noise."""
    if spoil.texture:
        image = textured(image, spoil.texture, random)
    if spoil.gradient:
        ramp = Image.linear_gradient("L").rotate(random.choice([0, 90, 180, 270])).resize(image.size)
        shade = ramp.point([round(255 * (1 - spoil.gradient * (255 - level) / 255)) for level in range(256)])
        image = ImageChops.multiply(image, Image.merge("RGB", [shade] * 3))
    if spoil.scale != 1:
        size = round(image.width * spoil.scale), round(image.height * spoil.scale)
        image = image.resize(size, Image.Resampling.BICUBIC)
    if spoil.noise:
        image = Image.merge("RGB", [noisy(part, spoil.noise, random) for part in image.split()])
    return image


def textured(image: Image.Image, strength: float, random: Random) -> Image.Image:
    """Return a picture with stripes and coarse spots, as of wood or cloth."""
    width, height = image.size
    coarse = Image.frombytes(
        "L", (width // 5 + 1, height // 5 + 1), random.randbytes((width // 5 + 1) * (height // 5 + 1))
    )
    spots = coarse.resize(image.size, Image.Resampling.BICUBIC)
    stripes = Image.frombytes("L", (1, height), random.randbytes(height)).resize(image.size)
    both = ImageChops.add(spots, stripes, 2).point([round(128 + (level - 128) * strength / 64) for level in range(256)])
    return ImageChops.add(image, Image.merge("RGB", [both] * 3), 1, -128)


def noisy(channel: Image.Image, deviation: float, random: Random) -> Image.Image:
    """Return a channel with noise of a standard deviation: the sum of four even ones, which is nearly normal."""
    size = channel.size
    parts = [Image.frombytes("L", size, random.randbytes(size[0] * size[1])) for _ in range(4)]
    total = ImageChops.add(ImageChops.add(parts[0], parts[1], 2), ImageChops.add(parts[2], parts[3], 2), 2)
    spread = 255 / 12**0.5 / 2
    noise = total.point([max(0, min(255, round(128 + (level - 127.5) * deviation / spread))) for level in range(256)])
    return ImageChops.add(channel, noise, 1, -128)


def turned(data: bytes, degrees: float, paper: Level) -> bytes:
    """Return a picture that is turned clockwise, with what is new in its corners on paper of this color."""
    image = Image.open(BytesIO(data)).convert("RGB")
    file = BytesIO()
    image.rotate(-degrees, Image.Resampling.BICUBIC, expand=True, fillcolor=paper).save(file, "PNG", compress_level=1)
    return file.getvalue()


def sheet(cells: Cells, *, dark: bool, turned: bool) -> bytes:
    """Return the picture that we draw of a board, on white or on black."""
    from resvg_py import svg_to_bytes

    drawing = board_of("strata", tiles=[" ".join(row) for row in cells]).drawing()
    text = svg(replace(drawing, turned=turned))
    if dark:
        both = "".join(re.findall(r"[^{}]*\{[^{}]*light-dark[^{}]*\}", text))
        text = text.replace("</style>", re.sub(r"light-dark\(.*?,(.*?)\)", r"\1", both) + "</style>")
    return bytes(svg_to_bytes(svg_string=text, zoom=2))


# -- Reading them back -----------------------------------------------------------------------------


def random_spoil(random: Random) -> Spoil:
    """Return several things that are wrong with a picture."""
    gap = random.choice([0, 0, 0.06, 0.15])
    return Spoil(
        margin=random.choice([0, 0.3, 1, 2.5]),
        line=0 if gap else random.choice([0, 1, 2, 4]),
        line_color=random.choice([(90, 90, 90), (20, 20, 20), (180, 180, 180)]),
        gap=gap,
        radius=random.choice([0, 0.15, 0.3]) if gap else 0,
        frame=random.choice([0, 0, 4]),
        noise=random.choice([0, 8, 20]),
        texture=random.choice([0, 8, 16]),
        gradient=random.choice([0, 0.2, 0.35]),
        scale=random.choice([0.7, 1, 1.37, 3]),
        quality=random.choice([0, 60, 85]),
    )


def some_board(seed: int, noise: float | None = None) -> tuple[Cells, bytes]:
    """Return a random Strata board and a picture of it, spoilt in random ways, with this noise if it is given."""
    random = seeded(seed)
    rows, columns = random.choice(SIZES)
    names = random.sample(sorted(TILES), random.randint(2, 6 if rows > 2 else 2))
    cells = random_board(random, rows, columns, names, random.choice([0, 0.15, 0.3]) if rows > 2 else 0)
    spoil = random_spoil(random)
    if noise is not None:
        spoil = replace(spoil, noise=noise)
    return cells, drawn(cells, spoil, random, random.choice(BACKGROUNDS))


def some_turned_board(seed: int) -> tuple[Cells, bytes]:
    """Return a random Strata board of 3x3 to 6x6, and a clean picture of it that is turned, in light or dark."""
    random = seeded(seed)
    rows = random.randint(3, 6)
    columns = random.choice([rows, rows, random.randint(3, 6)])
    names = random.sample(sorted(TILES), random.randint(2, 6))
    cells = random_board(random, rows, columns, names, random.choice([0, 0.15, 0.3]))
    paper = random.choice(BACKGROUNDS)
    degrees = random.choice([45, 45, 44.5, 46, -1, 2, -4, 5, -10, 20])
    how = random.choice(["drawn", "sheet", "turned sheet"])
    if how == "turned sheet":
        return cells, sheet(cells, dark=random.random() < 0.5, turned=True)
    if how == "sheet":
        data = sheet(cells, dark=random.random() < 0.5, turned=False)
    else:
        data = drawn(cells, random.choice(CLEAN), random, paper)
    return cells, turned(data, degrees, random.choice([paper, (255, 255, 255), (0, 0, 0)]))


def outcome(cells: Cells, data: bytes) -> str:
    """Return whether a picture is read right, wrong, or refused."""
    colors = {one for row in cells for one in row} - {"."}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "board.png"
        path.write_bytes(data)
        try:
            [instance] = load(path, shows=Shows("strata", (len(cells), len(cells[0])), len(colors)))
        except InstanceError:
            return "refused"
    return "right" if alike(tiles(instance, cells), cells) else "wrong"


def tiles(instance: Instance, cells: Cells) -> Cells:
    """Return what was read as a board of the same size as another, with full names of colors."""
    found = instance.facts.names("tile")
    letters = LETTERS | ({"b": "black", "w": "white"} if instance.puzzle.name == "strips" else {})
    at = [[found.get((r, c), ".") for c in range(1, len(cells[0]) + 1)] for r in range(1, len(cells) + 1)]
    return [[letters.get(one, one) for one in row] for row in at]


def alike(found: Cells, cells: Cells) -> bool:
    """Return whether two boards have the same cells without a tile, and the same cells in one color."""
    pairs = {pair for rows in zip(found, cells, strict=True) for pair in zip(*rows, strict=True)}
    one, other = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    return max([*one.values(), *other.values()]) == 1 and all((a == ".") == (b == ".") for a, b in pairs)
