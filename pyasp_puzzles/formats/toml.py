"""Our TOML as a format: `docs/instances.md` has its keys. Every board can be written in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pyasp_puzzles.boards import toml
from pyasp_puzzles.boards.grid import EMPTY
from pyasp_puzzles.errors import InstanceError
from pyasp_puzzles.formats.format import Format, Report, Text
from pyasp_puzzles.puzzles.board import board_from_table, keys_of_board

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyasp_puzzles.model.puzzle import Instance

_TOML = (
    r"\s*+(?:#[^\n]*+\s*+)*+(?:[\w\"'.-]++[ \t]*+=(?!=)"
    r"|\[\[?(?!(?i:puzzle|begin)\])[ \t]*+[\w\"'.-][^\[\]\n]*+\]\]?[ \t]*+(?:#[^\n]*+)?(?:\n|$))"
)

# What looks like a key, but is part of an address of Penpa+, f-puzzles or SudokuPad, an address without quotes, a link
# of Markdown, or a list of lists.
_NO_TOML = (
    r"\s*+(?:#[^\n]*+\s*+)*+(?:m=(?:edit|solve)&|[\w.-]++[ \t]*+=[ \t]*+https?:|\[[^\]\n]*\]\(|\[\s*+\[[^\]\n]*,"
    r"|(?:scl|ctc|fpuz(?:zles)?|(?=N4Ig))[A-Za-z0-9+/%_-]{16,}=)"
)


def _is_toml(text: str) -> bool:
    """Return whether a text begins like TOML."""
    return re.match(_TOML, text) is not None and not re.match(_NO_TOML, text)


def _read(text: Text) -> Iterator[Instance]:
    """Yield the boards of a text."""
    tables = toml.read(text.text, text.where)
    # All boards are made before the first is used, so that an error in any of them comes first.
    yield from [
        board_from_table(table, text.puzzles, board, len(tables), text.puzzle) for board, table in enumerate(tables, 1)
    ]


def _write(boards: Sequence[Instance], _report: Report) -> str:
    """Return the text of boards; of several, keys that all of them share come first."""
    contents = [keys_of_board(board) for board in boards]
    for board, keys in zip(boards, contents, strict=True):
        _check_columns(board, keys)
    tables = [{key: key_text(key, text) for key, text in keys.items()} for keys in contents]
    if len(tables) == 1:
        return "\n".join(tables[0].values())
    shared = {key: text for key, text in tables[0].items() if all(table.get(key) == text for table in tables)}
    shared.pop("title", None)
    titles = {board.collection for board in boards}
    if len(titles) == 1 and any(titles):
        (title,) = titles
        shared = {"title": key_text("title", title), **shared}  # also that of boards without one
    parts = ["\n".join(shared.values())]
    parts += [
        "\n".join(["[[board]]", *(text for key, text in table.items() if text != shared.get(key))]) for table in tables
    ]
    return "\n\n".join(filter(None, parts))


def key_text(key: str, one: object) -> str:
    """Return a key with its value: a grid as rows in triple quotes, a long list with a line for each value."""
    name = _name(key)
    if isinstance(one, list) and one and isinstance(one[0], list):
        return f'{name} = """\n{grid_rows_text(one)}\n"""'
    if isinstance(one, str) and "\n" in one:
        return f'{name} = """\n{_escaped(one)}\n"""'
    text = f"{name} = {_plain(one)}"
    if isinstance(one, list) and len(text) > 100:
        return "\n".join([f"{name} = [", *(f"  {_plain(member)}," for member in one), "]"])
    return text


def grid_rows_text(rows: list[list[int | str | None]]) -> str:
    """Return rows of cells as lines, columns aligned."""
    tokens = [[EMPTY if cell is None else str(cell) for cell in row] for row in rows]
    wide = max(len(token) for row in tokens for token in row)
    return _escaped("\n".join(" ".join(f"{token:>{wide}}" for token in row) for row in tokens))


def _name(key: str) -> str:
    return key if re.fullmatch("[A-Za-z0-9_-]+", key) else _string(key)


def _plain(value: object) -> str:
    if isinstance(value, dict):
        members = (f"{_name(name)} = {_plain(_labels(member))}" for name, member in value.items())
        return f"{{ {', '.join(members)} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_plain, value))}]"
    return _string(value) if isinstance(value, str) else str(value)


def _labels(one: object) -> object:
    """Return the labels of a side as they are typed, "8 . . 5"; a single one would be taken for its characters."""
    return " ".join(one) if isinstance(one, list) and len(one) > 1 and all(isinstance(x, str) for x in one) else one


def _string(text: str) -> str:
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _check_columns(board: Instance, keys: dict[str, object]) -> None:
    """Raise `InstanceError` for a board of one column with a token of several characters, which would be a row."""
    for key, rows in keys.items():
        lines = rows if isinstance(rows, list) else []
        narrow = all(isinstance(row, list) and len(row) == 1 for row in lines)
        if narrow and any(len(str(row[0])) > 1 for row in lines):
            problem = "has one column with tokens of several characters, which no grid can say"
            raise InstanceError(f"{key} {problem}; use --to json", board.facts.where)


FORMAT = Format("toml", "our TOML, one board or many", _is_toml, _read, _write, suffixes=(".toml",), answers=True)
