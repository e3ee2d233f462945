"""Pictures of boards of colors, drawn with Pillow and spoilt: what a screenshot of a game may look like."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from random import Random

from PIL import Image, ImageChops, ImageDraw

# Colors of tiles, by the name that each is read as; and backgrounds that are none of them.
TILES = {
    "red": (207, 59, 52),
    "orange": (240, 144, 43),
    "yellow": (245, 212, 65),
    "green": (63, 155, 82),
    "blue": (59, 125, 216),
    "purple": (132, 87, 179),
}
LETTERS = {name[0]: name for name in TILES}
BACKGROUNDS = ((255, 255, 255), (24, 26, 34), (205, 196, 178))


@dataclass(frozen=True)
class Spoil:
    """What is wrong with a picture."""

    cell: int = 32
    margin: float = 0.0  # cells
    line: int = 0  # pixels
    line_color: tuple[int, int, int] = (90, 90, 90)
    gap: float = 0.0  # cells between tiles
    radius: float = 0.0  # of the corners, in cells
    frame: int = 0  # pixels
    noise: float = 0.0  # standard deviation, levels
    texture: float = 0.0  # levels
    gradient: float = 0.0  # how much darker one corner is
    scale: float = 1.0
    quality: int = 0  # of a JPEG


def random_board(random: Random, rows: int, columns: int, names: list[str], blank: float) -> list[list[str]]:
    """Return a board with all of the colors, and the share of cells without a tile; every line has one."""
    while True:
        cells = [
            ["." if random.random() < blank else random.choice(names) for _ in range(columns)] for _ in range(rows)
        ]
        found = {one for row in cells for one in row} - {"."}
        lines = [*cells, *zip(*cells, strict=True)]
        if found == {*names} and all(any(one != "." for one in line) for line in lines):
            return cells


def drawn(
    cells: list[list[str]],
    spoil: Spoil,
    random: Random,
    background: tuple[int, int, int],
    tiles: dict[str, tuple[int, int, int]] = TILES,
) -> bytes:
    """Return a picture of a board, PNG or JPEG."""
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
                draw.rounded_rectangle(box, spoil.radius * side, fill=tiles[one])
    for i in range(rows + 1) if spoil.line else ():
        y = offset + i * side
        draw.line((offset, y, offset + columns * side, y), spoil.line_color, spoil.line)
    for i in range(columns + 1) if spoil.line else ():
        x = offset + i * side
        draw.line((x, offset, x, offset + rows * side), spoil.line_color, spoil.line)
    if spoil.frame:
        box = (offset, offset, width - offset - 1, height - offset - 1)
        out = spoil.frame
        draw.rectangle((box[0] - out, box[1] - out, box[2] + out, box[3] + out), outline=spoil.line_color, width=out)
    if spoil.texture:
        image = textured(image, spoil.texture, random)
    if spoil.gradient:
        ramp = Image.linear_gradient("L").rotate(random.choice([0, 90, 180, 270])).resize(image.size)
        shade = ramp.point([round(255 * (1 - spoil.gradient * (255 - level) / 255)) for level in range(256)])
        image = ImageChops.multiply(image, Image.merge("RGB", [shade] * 3))
    if spoil.scale != 1:
        image = image.resize((round(width * spoil.scale), round(height * spoil.scale)), Image.Resampling.BICUBIC)
    if spoil.noise:
        parts = [noisy(part, spoil.noise, random) for part in image.split()]
        image = Image.merge("RGB", parts)
    file = BytesIO()
    if spoil.quality:
        image.save(file, "JPEG", quality=spoil.quality)
    else:
        image.save(file, "PNG", compress_level=1)
    return file.getvalue()


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
