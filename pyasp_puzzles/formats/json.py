"""Our JSON: an object with the keys of our TOML, grids as rows of cells, one object on each line or in an array.

{"puzzle": "sudoku", "title": "Four", "givens": [[1, null, null, null], ...]}
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pyasp_puzzles.boards import toml
from pyasp_puzzles.errors import InstanceError, PuzzleError, Where, shown
from pyasp_puzzles.formats.format import Format, Report, Text
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.puzzles.board import board_from_keys, keys_of_board

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pyasp_puzzles.model.puzzle import Instance

# Characters of a text of JSON; only after it is read are its cells counted.
_LONGEST_JSON = 2**22


def _recognise(text: str) -> bool:
    """Return whether a text is an object, or an array of objects, with the key `puzzle`."""
    return text.lstrip()[:1] in {"{", "["} and '"puzzle"' in text and '"constraints"' not in text  # as SudokuMaker has


def _read(text: Text) -> Iterator[Instance]:
    """Yield the boards of a text."""
    objects = list(_objects(text.text, text.where))
    if len(objects) > Limits.MOST_BOARDS:
        raise InstanceError(f"there are {len(objects)} boards; a text has at most {Limits.MOST_BOARDS}", text.where)
    toml.check_size(sum(toml.size("", table, text.where) for _, table in objects), text.where)
    boards = []
    for number, (where, table) in enumerate(objects, 1):
        keys = {key: value for key, value in table.items() if key != "puzzle"}
        name = table.get("puzzle", text.puzzle)
        if "solutions" in table or not isinstance(name, str):
            is_answer = "this is an answer, as solve --json prints it"
            problem = is_answer if "solutions" in table else "there is no key 'puzzle'"
            raise InstanceError(f"{problem}; a board has the keys of a TOML file", where)
        try:
            instance = board_from_keys(name, keys, where, text.puzzles)
        except PuzzleError as error:
            error.about = error.about or {"source": where.source, "board": number}
            raise
        boards.append(instance._replace(number=number, total=len(objects)))
    yield from boards


def _objects(text: str, where: Where) -> Iterator[tuple[Where, dict[str, Any]]]:
    if len(text) > _LONGEST_JSON:
        raise InstanceError(f"this JSON is too large: it may have at most {_LONGEST_JSON} characters", where)
    try:
        value = parse_json(text)
    except ValueError as error:
        lines = [(Where(where.source, i), line) for i, line in enumerate(text.split("\n"), 1) if line.strip()]
        if len(lines) < 2 or not all(line.lstrip().startswith("{") for _, line in lines):
            place = Where(where.source, error.lineno) if isinstance(error, json.JSONDecodeError) else where
            raise InstanceError("this is not valid JSON; write an object for each board", place) from None
        for place, line in lines:
            try:
                yield place, _object(parse_json(line), place)
            except ValueError:
                raise InstanceError("this is not valid JSON; write one object a line", place) from None
        return
    for member in value if isinstance(value, list) else [value]:
        yield where, _object(member, where)


def _object(value: object, where: Where) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InstanceError(f"{shown(value)} is wrong here, expected an object for each board", where)
    return value


def parse_json(text: str, names: Mapping[str, str] = {}) -> Any:  # noqa: ANN401 (what JSON has)
    """Return what a text of JSON holds, some keys by other names.

    Raises:
        ValueError: it is not JSON, or nested too deep.
    """
    try:
        parsed = json.loads(text, object_hook=lambda node: {names.get(key, key): value for key, value in node.items()})
    except RecursionError:
        raise ValueError("too deep") from None
    waiting = [(parsed, 1)]
    for value, depth in waiting:
        if depth > 20:
            raise ValueError("too deep")
        members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        waiting += [(member, depth + 1) for member in members]
    return parsed


def compact_json(value: object) -> str:
    """Return JSON without blanks."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def json_integer(value: object) -> int:
    """Return a whole number of JSON, or a text of one.

    Raises:
        ValueError: it is something else, such as 0.5.
    """
    return int(str(value))


def _write(boards: Sequence[Instance], _report: Report) -> str:
    """Return a line for each board."""
    return "\n".join(json.dumps(keys_of_board(board), ensure_ascii=False) for board in boards)


FORMAT = Format(
    "json",
    "our JSON: the keys of our TOML, one board on each line",
    _recognise,
    _read,
    _write,
    answers=True,
    suffixes=(".json",),
)
