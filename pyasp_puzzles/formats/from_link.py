"""`folder_from_link`: a new folder for a puzzle, begun with what a link to one of its boards tells.

The link says the name of the puzzle and the size of the board. The keys and the codings of the known puzzles are tried
on its body, alone or after regions; those that read all of it and write it back alike fit.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from pyasp_puzzles.boards.grid import check_grid_size
from pyasp_puzzles.errors import InstanceError, PuzzleError
from pyasp_puzzles.formats.codings import entries
from pyasp_puzzles.formats.format import dumps
from pyasp_puzzles.formats.load import loads
from pyasp_puzzles.formats.puzzlink import FORMAT, match_address
from pyasp_puzzles.puzzles import templates
from pyasp_puzzles.puzzles.declaration import PUZZLE_FILE

_PARTS = "name", "flags", "columns", "rows", "body"


class _Suggestion(NamedTuple):
    """A way to read the body of a link: its parts, as in a declaration, and the tables of their keys."""

    body: tuple[str, ...] = ()
    keys: str = ""

    @property
    def reading(self) -> tuple[tuple[str, ...], ...]:
        """The codings of the parts that must be there, and the kinds of the keys, except walls."""
        codings = [part.split()[0] for part in self.body if "?" not in part]
        kinds = re.findall(r'^kind = "(?!borders)(.*)"', self.keys, re.MULTILINE)
        return tuple(codings), tuple(kinds)


def folder_from_link(name: str, link: str, answer: str, directory: Path) -> tuple[Path, bool]:
    """Write a folder for the puzzle of a link; return its path, and whether keys were found that fit the body.

    If they were, the folder also has the board of the link. For the other arguments and `EncodingError`, see
    `templates.new_folder`.

    Raises:
        InstanceError: it is no link, the board is too large, or its kind has a puzzle already.
    """
    address = match_address(link)
    rows, columns = int(address["rows"]), int(address["columns"])
    check_grid_size(rows, columns)
    for table in entries(FORMAT.name, (), address["name"]):
        if address["name"] in table.names:
            known = table.puzzle.name
            raise InstanceError(
                f"this is a board of {known}, which has a folder; `pyasp encoding {known}` prints its rules"
            )
    fitting: dict[_Suggestion, str] = {}
    with TemporaryDirectory() as place:
        for i, suggestion in enumerate(_suggestions(answer)):
            if suggestion.reading in {one.reading for one in fitting}:
                continue
            files = _files(name, address, answer, [suggestion])
            folder = templates.write_folder(name, files, Path(place, str(i)))
            with suppress(PuzzleError):
                (board,) = loads(link, puzzles=[folder])
                if match_address(dumps(board, FORMAT.name)).group(*_PARTS) == address.group(*_PARTS):
                    fitting[suggestion] = dumps(board._replace(details={"source": link}), "toml")
    files = _files(name, address, answer, [*fitting])
    if fitting:
        files["first.toml"] = next(iter(fitting.values()))
    return templates.write_folder(name, files, directory), bool(fitting)


def _suggestions(answer: str) -> list[_Suggestion]:
    """Return the ways to read a body: few parts first, then those without figures, then those of most puzzles."""
    found = Counter[_Suggestion]()
    for table in entries(FORMAT.name, ()):
        named = {key for part in table.parts for key in (*part.key.split(","), part.word)}
        keys = table.puzzle.keys
        of_answers = answer != "numbers" and any(key.kind.role == "answers" for key in keys)
        if not of_answers and table.table.keys() <= {"names", "body", "flags"} and {key.name for key in keys} <= named:
            text = (table.puzzle.folder / PUZZLE_FILE).read_text(encoding="utf-8")
            tables = re.sub(r"^#.*\n", "", "".join(templates.KEYS.findall(text)), flags=re.MULTILINE)
            found[_Suggestion(tuple(table.table["body"]), f"{tables.strip()}\n")] += 1
    singles = [one for one in found if len(one.body) == 1]
    areas = [one for one in singles if one.body[0].startswith("borders ")]
    pairs = [_Suggestion(one.body + other.body, f"{one.keys}\n{other.keys}") for one in areas for other in singles]
    return sorted(dict.fromkeys([*found, *pairs]), key=lambda one: (len(one.body), "picture" in one.keys, -found[one]))


def _files(name: str, address: re.Match[str], answer: str, fitting: list[_Suggestion]) -> dict[str, str]:
    """Return the files of a folder with the first keys that fit; a comment names the others."""
    first, *others = fitting or [_Suggestion()]
    also = "".join(f"# It can also be read as {_array(one.body)}.\n" for one in others)
    size = max(int(address["rows"]), int(address["columns"]))
    declaration = f"""\
# What boards and answers of {name} look like, as far as a link tells; the rules are in {name}.lp.
summary = "The rules are not written yet."
cell = "cell(R, C)"              # a fact for each cell of the board
usual_size = {size:<20}# the board of the link is {address["rows"]}x{address["columns"]}

{templates.answer_table(answer)}{first.keys}
# Addresses of puzz.link: the parts of the body, each with its coding and its key.
{also}[formats.puzzlink]
names = ["{address["name"]}"]
{f"body = {_array(first.body)}" if first.body else "# body = [...]"}
"""
    return {PUZZLE_FILE: declaration, f"{name}.lp": templates.bare_rules(name, answer, first.keys)}


def _array(words: tuple[str, ...]) -> str:
    return json.dumps(words, ensure_ascii=False)
