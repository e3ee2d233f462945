"""Colors in pictures as people see them: which are alike, in groups, and what they are called.

Color  (0.63, 0.22, 0.13): lightness, green to red, and blue to yellow, in Oklab; 0.02 is a difference that shows
"""

from __future__ import annotations

from functools import cache
from math import cbrt, dist, exp, hypot, log
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pyasp_puzzles.render.text import color_name_in_text
from pyasp_puzzles.render.theme import COLORS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyasp_puzzles.boards.grid import Cell

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


def picture_color(red: int, green: int, blue: int) -> Color:
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
    shaded = {cell: (0.35 * one[0], one[1], one[2]) for cell, one in colors.items()}
    evenly = _grouped(_evenly_lit(colors, _grouped(shaded, count)), count)
    return max(plain, evenly, key=lambda one: one.clear)


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
        cell = min(nearest, key=lambda one: (nearest[one][0], one))
        difference, other = nearest.pop(cell)
        links.append((difference, cell, other))
        here = colors[cell]
        for one, (known, _) in nearest.items():
            if (found := dist(colors[one], here)) < known:
                nearest[one] = (found, cell)
    return sorted(links, reverse=True)


def _joined(colors: Mapping[Cell, Color], links: Sequence[tuple[float, Cell, Cell]]) -> list[list[Cell]]:
    """Return the cells that links join, in the order of their first cells."""
    group = {cell: [cell] for cell in colors}
    for _, one, other in links:
        if group[one] is not group[other]:
            group[one].extend(group[other])
            for cell in group[other]:
                group[cell] = group[one]
    return sorted({id(members): sorted(members) for members in group.values()}.values())


def _evenly_lit(colors: Mapping[Cell, Color], found: ColorGroups) -> Mapping[Cell, Color]:
    """Return the colors without the effect of light that falls from one side, by the lightness in each group."""
    xx = xy = yy = xl = yl = 0.0
    for members in found.members:
        lit = [(r, c, log(max(0.05, colors[r, c][0]))) for r, c in members]
        middle = [sum(values) / len(lit) for values in zip(*lit, strict=True)]
        for one in lit:
            y, x, light = (value - mid for value, mid in zip(one, middle, strict=True))
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


def picture_color_names(colors: Sequence[Color]) -> list[str]:
    """Return a name for each color, no name twice, the most alike first; a number for colors without a name."""
    once = COLORS.keys() - {"grey", "violet"}  # other names of colors that have one
    known = {name: _hue(picture_color(*bytes.fromhex(code[1:]))) for name, code in COLORS.items() if name in once}
    hues = [_hue(color) for color in colors]
    pairs = sorted((dist(hue, one), i, name) for i, hue in enumerate(hues) for name, one in known.items())
    found: dict[int, str] = {}
    for _, i, name in pairs:
        if i not in found and name not in found.values():
            found[i] = name
    return [found.get(i, f"color{i + 1}") for i in range(len(colors))]


def _hue(color: Color) -> Color:
    """Return a color such that those of one thing in more or less light are near each other."""
    lightness = max(color[0], 0.3)
    return 0.3 * color[0], 0.7 * color[1] / lightness, 0.7 * color[2] / lightness


def picture_color_tokens(names: Sequence[str]) -> list[str]:
    """Return a letter for each name of a color where each letter means its color, or else the names."""
    letters = [name[0] for name in names]
    are_clear = len({*letters}) == len(letters) and [color_name_in_text(one, {}, letters) for one in letters] == [
        *names
    ]
    return letters if are_clear else [*names]


def nearest_color_group(color: Color, colors: Mapping[Cell, Color], found: ColorGroups) -> int | None:
    """Return the group with a cell of about this color; None if there is none."""
    apart = [min(dist(color, colors[cell]) for cell in members) for members in found.members]
    best = min(range(len(apart)), key=lambda i: apart[i])
    return best if apart[best] < min(0.06, found.difference / 2) else None
