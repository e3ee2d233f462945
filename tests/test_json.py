"""docs/json.md names the keys that each command prints, all of them and no other, and every exit code."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from pyasp_puzzles import batch, cli, load

from .command import objects, pyasp
from .helpers import write

DOCUMENT = (Path(__file__).parents[1] / "docs" / "json.md").read_text(encoding="utf-8")
HEAD = ["puzzle", "source", "board", "title"]
BOARDS = ["tectonic/three-clues", "strimko/four", "sudoku/six", "strata/seed", "strips/list"]
NUMBERS = BOARDS[:3]


def keys(section: str) -> list[str]:
    """Return the first column of the first table of a section."""
    (text,) = re.findall(rf"^## {section}\n(.*?)(?=^## |\Z)", DOCUMENT, re.MULTILINE | re.DOTALL)
    table = re.search(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert table
    return [re.sub(r"[`| ]", "", row.split("|")[1]) for row in table[0].splitlines()[2:]]


def printed(place: Path, *arguments: str) -> Iterator[dict[str, Any]]:
    """Yield the objects that a command prints; each is one line of UTF-8."""
    yield from objects(pyasp(*arguments, "--json", where=place).stdout)


def test_every_object() -> None:
    """The document begins with the keys of every board."""
    assert re.findall(r"^\| `(\w+)`", DOCUMENT.split("\n## ")[0], re.MULTILINE) == HEAD


@pytest.mark.parametrize(
    ("section", "command", "boards"),
    [
        ("solve", "solve -n 2", [*BOARDS, "strata/stuck"]),
        ("solve", "solve --decided --jobs 1", BOARDS),
        ("solve", "solve --possible", BOARDS),
        ("count", "count --limit 3", BOARDS),
        ("check", "check", [*BOARDS, "strata/stuck"]),
        ("explain", "explain", BOARDS),
        ("explain", "hint", BOARDS),
        ("grade", "grade", BOARDS),
        ("resolve", "resolve", NUMBERS),
    ],
)
def test_keys(tmp_path: Path, section: str, command: str, boards: list[str]) -> None:
    """Each object has the keys of its section, in that order, for boards that ship."""
    together = section in {"solve", "count", "grade"}  # other commands take one board
    asked = [boards] if together else [[board] for board in boards]
    found = [record for names in asked for record in printed(tmp_path, *command.split(), *names)]
    assert {record["source"] for record in found} == set(boards)
    assert {tuple(record) for record in found} == {(*HEAD, *keys(section))}


def test_check_answer(tmp_path: Path) -> None:
    """The rules that an answer breaks are printed as documented."""
    (tmp_path / "answer.txt").write_text("1 1 . .\n. . . .\n. . . .\n. . . .\n", encoding="utf-8")
    (record,) = printed(tmp_path, "check", "strimko/four", "answer.txt")
    assert list(record) == [*HEAD, *keys("check ANSWER")]
    assert list(record["broken"][0]) == ["rule", "cells", "words"]


def test_batch(tmp_path: Path) -> None:
    """Records of `batch` are those of `solve`; those of `--output` also have the options, if there are any."""
    (record,) = batch(load("tectonic/seed"))
    assert list(record) == [*HEAD, *keys("solve")]
    for options, more in (([], []), (["-n", "2"], keys("solve --output"))):
        pyasp("solve", "tectonic/seed", "nosuch", "--output", "out.jsonl", *options, where=tmp_path)
        answered, refused = (json.loads(line) for line in (tmp_path / "out.jsonl").read_bytes().splitlines())
        assert list(answered) == [*HEAD, *keys("solve"), *more]
        assert list(refused) == [*keys("Errors"), *more]
        (tmp_path / "out.jsonl").unlink()


def test_errors(tmp_path: Path) -> None:
    """An error has the documented keys, and those of the board if they are known."""
    assert keys("Errors") == ["source", "status", "error"]  # as test_records has it of every command
    write(tmp_path, {"bad.lp": "value(99, 99, 1).\n"})
    for options in ([], ["--jobs", "1"]):
        records = list(printed(tmp_path, "solve", "strimko/four", "--extra", "bad.lp", *options))
        assert [record["status"] for record in records] == ["error"]
        assert {*HEAD, *keys("Errors")} <= set(records[0]) <= {*HEAD, *keys("solve"), "error"}


def test_exit_codes() -> None:
    """The table has every exit code, in the order in which one outweighs another."""
    assert [int(code) for code in keys("Exit codes")] == [0, 1, 3, 2, 130]


def test_every_command_is_documented() -> None:
    """Every command with `--json` has a section."""
    sections = re.findall(r"^## (\w+)$", DOCUMENT, re.MULTILINE)
    commands = getattr(typer.main.get_command(cli.application()), "commands", {})
    with_json = [name for name in commands if "as_json" in {option.name for option in commands[name].params}]
    assert with_json == [name for name in sections if name in cli.COMMANDS]
