"""OpenSudoku's XML: a folder of Sudokus of 9x9, 81 digits each, `0` for an empty cell.

Entities and document types are refused, so a small file stays small.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from pyasp_puzzles.boards.grid import Cell, all_cells
from pyasp_puzzles.boards.regions import usual_boxes
from pyasp_puzzles.errors import InstanceError, Where, printable_line, shown
from pyasp_puzzles.formats.exchange import Can, Draft, checked, draft_of_instance, instance_of_draft, numbers_in_digits
from pyasp_puzzles.formats.format import Format, Report, Text
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyasp_puzzles.model.puzzle import Instance

# Characters of a text of XML.
_LONGEST_XML = 2**22
_SIDE = 9
# {element: detail}, of the folder and so of each board
_DETAILS = {"name": "title", "author": "author", "source": "source", "description": "notes"}


def _recognise(text: str) -> bool:
    """Return whether a text is XML of OpenSudoku."""
    return re.search(r"<opensudoku2?\b", text[:5000]) is not None


def _read(text: Text) -> Iterator[Instance]:
    """Yield the boards of a folder."""
    if len(text.text) > _LONGEST_XML:
        raise InstanceError(f"this XML is too large: it may have at most {_LONGEST_XML} characters", text.where)
    games, words_of = _parsed(text)
    shared = {key: printable_line(words) for key, words in words_of.items() if words.strip()}
    collection = shared.get("title", "") if len(games) > 1 else ""
    boards = []
    for number, (line, title, data) in enumerate(games, 1):
        place = text._replace(where=Where(text.where.source, line))
        givens, lost = _givens(data, place.where)
        details = shared | ({"title": printable_line(title)} if title.strip() else {})
        instance = instance_of_draft(Draft(givens, usual_boxes(_SIDE), details, lost=lost), place)
        boards.append(instance._replace(number=number, total=len(games), collection=collection))
    yield from boards


def _parsed(text: Text) -> tuple[list[tuple[int, str, str]], dict[str, str]]:
    """Return the line, the title and the data of each game of a folder, and the details of the folder."""
    games: list[tuple[int, str, str]] = []
    details: dict[str, str] = {}
    path: list[tuple[str, str]] = []
    parser = expat.ParserCreate()

    def refuse(*_: object) -> None:
        raise InstanceError("this XML has a document type or an entity; pyasp reads elements only", text.where)

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(path) >= 10 or len(games) > Limits.MOST_BOARDS:
            problem = f"there are more than {Limits.MOST_BOARDS} games, or elements are nested too deep"
            raise InstanceError(problem, text.where)
        if name == "game":
            title = attributes.get("name") or next((title for one, title in path if one == "folder"), "")
            games.append((parser.CurrentLineNumber, title, attributes.get("data", "")))
        path.append((name, attributes.get("name", "")))

    def words_in(words: str) -> None:
        if len(path) == 2 and path[-1][0] in _DETAILS:
            key = _DETAILS[path[-1][0]]
            details[key] = f"{details.get(key, '')}{words}"[:1000]

    parser.StartElementHandler, parser.EndElementHandler = start, lambda _: path.pop()
    parser.CharacterDataHandler = words_in
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    try:
        parser.Parse(text.text.encode("utf-8", "surrogatepass"), True)  # noqa: FBT003 (as expat has it)
    except (expat.ExpatError, UnicodeEncodeError, ValueError, LookupError) as error:
        line = getattr(error, "lineno", None)
        raise InstanceError("this is not valid XML", Where(text.where.source, line)) from None
    if not games:
        raise InstanceError("this XML has no game of OpenSudoku: no <game data=...>", text.where)
    return games, details


def _givens(data: str, where: Where) -> tuple[dict[Cell, int], tuple[str, ...]]:
    """Return the givens of a game, and what is left out: other numbers.

    Data is 81 digits, or `version: N`, a newline, and for each cell its value, its notes, and whether it may be edited.
    """
    if re.fullmatch(r"[0-9.]{81}", data.strip()):
        return numbers_in_digits(data.strip(), _SIDE, ".0"), ()
    match = re.fullmatch(r"version: ?(\d)\s+([\d|,;-]*)\s*", data)
    fields = match[2].rstrip("|").split("|") if match else []
    wide = len(fields) // (_SIDE * _SIDE)
    if match is None or wide * _SIDE * _SIDE != len(fields) or wide not in {3, 4}:
        raise InstanceError(f"{shown(data)} is not the data of a game; write 81 digits", where)
    parts = zip(all_cells(_SIDE, _SIDE), fields[::wide], fields[wide - 1 :: wide], strict=True)
    filled = [(cell, int(value), editable) for cell, value, editable in parts if value in set("123456789")]
    found = {cell: value for cell, value, editable in filled if editable == "0"}
    return found, (f"{len(filled) - len(found)} numbers that are not given",) * (len(filled) > len(found))


def _write(boards: Sequence[Instance], report: Report) -> str:
    """Return the XML of a folder with all boards."""
    can = Can(sides=(_SIDE,))
    found = [draft_of_instance("opensudoku", can, board, report) for board in boards]
    first = dict(found[0].details)
    title = boards[0].collection or first.get("title", "")
    names = {"name": title, **{name: first.get(key, "") for name, key in _DETAILS.items() if key != "title"}}
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<opensudoku>"]
    lines += [f"  <{name}>{escape(words)}</{name}>" for name, words in names.items() if words]
    for board in found:
        own = board.details.get("title", "")
        name = f" name={quoteattr(own)}" if len(found) > 1 and own and own != title else ""
        digits = "".join(board.lines(board.givens, "0"))
        lines.append(f'  <game{name} data="{digits}" />')
    return checked("opensudoku", found, "\n".join([*lines, "</opensudoku>"]), _read, report)


FORMAT = Format("opensudoku", "OpenSudoku's XML, Sudokus of 9x9", _recognise, _read, _write, suffixes=(".opensudoku",))
