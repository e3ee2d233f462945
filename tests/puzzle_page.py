"""`docs/puzzles.md` and its pictures: each puzzle that ships, with a board, its rule and what others call it."""

from pathlib import Path

from pyasp_puzzles import Instance, load
from pyasp_puzzles.boards.grid import grid_extent, grouped
from pyasp_puzzles.model.puzzle import Puzzle
from pyasp_puzzles.puzzles import declaration
from pyasp_puzzles.puzzles.declaration import find_puzzle

from .helpers import INSTANCES
from .variant_page import small_picture

PUZZLE_PAGE, PICTURES = Path("docs/puzzles.md"), Path("docs/images/puzzles")
HEAD = """\
# Puzzles

The {number} puzzles that ship: a board with its answer, the rule, other names, and the sites whose texts pyasp
[reads and writes](instances.md#formats), with names that differ. A flag of a link, as in `mashu/f/8/8`, adds a rule,
which is a key of the board. Or [add a puzzle](adding-a-puzzle.md).
"""
TABLE = "\n## {family}\n\n| board | rule |\n|---|---|\n"
# How formats are called on the page.
CALLED = {"puzzlink": "puzz.link", "penpa": "Penpa+", "tatham": "Tatham"}


def puzzle_page() -> str:
    """Return the page, as Markdown."""
    names = declaration.well_known_puzzles()
    families = grouped((puzzle.kind.family, puzzle) for puzzle in map(find_puzzle, names))
    tables = (TABLE.format(family=family) + "".join(map(_row, puzzles)) for family, puzzles in families.items())
    return HEAD.format(number=len(names)) + "".join(tables)


def puzzle_pictures() -> dict[Path, str]:
    """Return the pictures of the page: `{path: text}`."""
    return {PICTURES / f"{one.name}.svg": _picture(_board(one)[1]) for one in declaration.puzzles(())}


def _row(puzzle: Puzzle) -> str:
    file, board = _board(puzzle)
    picture = f"[![{puzzle.name}]({PICTURES.relative_to('docs') / puzzle.name}.svg)](../instances/{file})"
    codes = {CALLED[key]: [*puzzle.formats[key]["names"]] for key in CALLED if key in puzzle.formats}
    others = [one for one in puzzle.aliases if not any(one in own for own in codes.values())]
    codes = {site: [] if own == [puzzle.name] else own for site, own in codes.items()}
    names = ({"": others} if others else {}) | codes
    known = "; ".join(f"{site} {', '.join(f'`{one}`' for one in own)}".strip() for site, own in names.items())
    known += "".join(f"; flag `{flag}`: `{key} = {value}`" for flag, key, value in _flags(puzzle))
    return f"| {picture} | **{puzzle.name}**: {board.puzzle.summary}{'<br>' if known else ''}{known} |\n"


def _flags(puzzle: Puzzle) -> list[tuple[str, str, int]]:
    """Return the flags of links that set a key, with the key and its value."""
    flags = puzzle.formats.get("puzzlink", {}).get("flags", {})
    return [(flag, key, value) for flag, values in flags.items() for key, value in values.items()]


def _board(puzzle: Puzzle) -> tuple[Path, Instance]:
    """Return the file and the first of the smallest boards that have an answer."""
    found = []
    for file in sorted((INSTANCES / puzzle.name).glob("*.toml")):
        found += [(file, board) for board in load(file) if board.solution]
    file, board = min(found, key=lambda one: max(*grid_extent(one[1].cells), 5))
    return file.relative_to(INSTANCES), board


def _picture(board: Instance) -> str:
    assert board.solution
    return small_picture(board.solution.drawing())
