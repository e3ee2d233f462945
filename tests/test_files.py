"""The files that commands write: none is replaced unasked, and each is whole."""

import resource
import shlex
import sys
from pathlib import Path

import pytest

from pyasp_puzzles import load
from pyasp_puzzles.new_file import NewFile

from .command import process, pyasp
from .helpers import FOUR, write

# What writes a file, without the board.
WRITERS = [
    *("draw -o x.svg", "draw --solved -o x.html", "book --no-grade -o x.html", "convert -o x.toml"),
    *("convert --to json -o x.txt", "minimize -o x.toml", "solve --output x.jsonl", "solve --jobs 1 --output x.jsonl"),
    *("explain --html x.html", "explain --jobs 1 --html x.html", "grade --html x.html", "check --html x.html"),
]
# A Sudoku with one answer.
UNIQUE = 'puzzle = "sudoku"\ngivens = """\n1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 .\n"""\n'


def there(place: Path) -> dict[str, str]:
    """Return the text of each file in a directory."""
    return {path.name: path.read_text(encoding="utf-8") for path in place.rglob("*") if path.is_file()}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("writer", WRITERS)
def test_no_command_replaces_a_file_unasked(writer: str, tmp_path: Path) -> None:
    """A file that exists is refused before anything is read, and keeps its text; --force replaces it."""
    command, *options = writer.split()
    write(tmp_path, {"board.toml": UNIQUE, options[-1]: "mine"})
    before = there(tmp_path)
    for board in ("board.toml", "nosuch"):
        done = pyasp(command, board, *options, where=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"pyasp: {options[-1]}: exists; choose another name")
        assert done.stderr.count("\n") == 1
    assert there(tmp_path) == before
    assert pyasp(command, "board.toml", *options, "--force", where=tmp_path).returncode == 0
    after = there(tmp_path)
    assert after.keys() == before.keys()
    assert after[options[-1]] not in {"mine", ""}


@pytest.mark.parametrize(
    ("writer", "usual"),
    [
        *(("draw", ""), ("convert --to toml", ""), ("minimize", ""), ("solve", "--json"), ("solve --to toml", "")),
        ("generate sudoku --size 4 --seed 1 --no-grade", ""),
    ],
)
def test_a_dash_is_standard_output(writer: str, usual: str, tmp_path: Path) -> None:
    """With -o -, standard output has what a file would have, and no file is written."""
    write(tmp_path, {"board.toml": UNIQUE})
    command, *options = writer.split()
    words = [command, *options, *(["board.toml"] if command != "generate" else [])]
    done = pyasp(*words, "-o", "-", where=tmp_path)
    assert (done.returncode, done.stdout) == (0, pyasp(*words, *usual.split(), where=tmp_path).stdout)
    assert there(tmp_path).keys() == {"board.toml"}


@pytest.mark.parametrize("options", ["--seed 1 -o x.toml", "--seed 1 -o all", "--seed 1 -n 3 -o all"])
def test_generate_replaces_no_file_unasked(options: str, tmp_path: Path) -> None:
    """New boards go to new files: where one of their names is taken, none is made."""
    words = ["generate", "sudoku", "--size", "4", "--no-grade", *options.split()]
    name = words[-1]
    assert pyasp(*words, where=tmp_path).returncode == 0
    files = list(tmp_path.rglob("*.toml"))
    last = max(files, key=lambda path: path.name != "sudoku-1.toml")
    for path in files:
        if path != last:
            path.unlink()
    last.write_text("mine", encoding="utf-8")
    done = pyasp(*words, where=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert f"pyasp: {last.relative_to(tmp_path)}: exists" in done.stderr
    assert there(tmp_path) == {last.name: "mine"}
    assert pyasp(*words, "--force", where=tmp_path).returncode == 0
    assert len(load(tmp_path / name)) == len(files)


@pytest.mark.parametrize("command", ["draw", "draw --solved", "convert --to toml", "minimize"])
def test_files_in_a_directory_are_not_replaced(command: str, tmp_path: Path) -> None:
    """Of several boards, those whose files exist are refused by name, and the others are written."""
    write(tmp_path, {"one.toml": UNIQUE, "two.toml": UNIQUE})
    suffix = "svg" if "draw" in command else "toml"
    write(tmp_path, {f"all/one.{suffix}": "mine"})
    words = [*command.split(), "one.toml", "two.toml", "-o", "all"]
    done = pyasp(*words, where=tmp_path)
    assert done.returncode == 2
    assert f"all/one.{suffix}: exists; choose another name or pass --force" in done.stderr
    found = there(tmp_path / "all")
    assert (sorted(found), found[f"one.{suffix}"]) == ([f"one.{suffix}", f"two.{suffix}"], "mine")
    assert pyasp(*words, "--force", where=tmp_path).returncode == 0
    assert there(tmp_path / "all")[f"one.{suffix}"] != "mine"


def test_two_boards_never_share_a_file(tmp_path: Path) -> None:
    """Boards whose files would have one name are not written over one another, not even with --force."""
    write(tmp_path, {"a/b.toml": UNIQUE, "a-b.toml": FOUR})
    done = pyasp("draw", "a/b.toml", "a-b.toml", "-o", "all", "--force", where=tmp_path)
    assert (done.returncode, "all/a-b.svg: exists" in done.stderr) == (2, True)


@pytest.mark.parametrize("writer", [*WRITERS, "generate sudoku --size 9 -n 9 --seed 1 --no-grade -o x.toml"])
@pytest.mark.parametrize("mine", ["mine", None])
@pytest.mark.slow
def test_a_file_is_whole_or_as_it_was(writer: str, mine: str | None, tmp_path: Path) -> None:
    """If a file cannot be written to its end, the message names it, and no part of it replaces another one."""
    if "jsonl" in writer:
        return  # such a file is written record by record, for --resume
    command, *options = writer.split()
    name = options[-1]
    boards = ["sudoku/easy"] if command != "generate" else []
    if mine is not None:
        write(tmp_path, {name: mine})
    words = [sys.executable, "-m", "pyasp_puzzles", command, *boards, *options, "--force"]
    done = process(["sh", "-c", f"ulimit -f 0; exec {shlex.join(words)}"], tmp_path, {"PYTHONDONTWRITEBYTECODE": "1"})
    assert done.returncode == 2
    assert f"{name}: cannot be written: File too large" in done.stderr
    assert there(tmp_path) == ({} if mine is None else {name: mine})


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "line",
    [
        *("new sums", "new walls --kind shading", "new knights --variant"),
        *("encoding sudoku --eject mine", "encoding sudoku --eject empty", "draw board.toml -o x.svg"),
    ],
)
def test_a_full_disk_leaves_nothing(tmp_path: Path, line: str) -> None:
    """Where files or folders cannot be written whole, nothing is left of them."""
    write(tmp_path, {"board.toml": UNIQUE})
    (tmp_path / "empty").mkdir()
    # Python leaves half a compiled file where the limit ends it, and later commands would read that.
    done = process(f"ulimit -f 0; pyasp {line}", tmp_path, {"PYTHONDONTWRITEBYTECODE": "1"})
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert ": cannot be written: " in done.stderr
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["board.toml", "empty"]


@pytest.mark.parametrize("before", ["", "mine"])
def test_a_failed_write_keeps_what_is_whole(tmp_path: Path, before: str) -> None:
    """When a piece cannot be written, the file has the pieces before it; one that was there remains as it was."""
    path = tmp_path / "x.txt"
    if before:
        path.write_text(before, encoding="utf-8")
    usual, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    with NewFile(path, force=True) as file:
        file.write(b"whole")
        resource.setrlimit(resource.RLIMIT_FSIZE, (8, most))
        try:
            with pytest.raises(OSError, match="File too large"):
                file.write(b"a part of it")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (usual, most))
    assert there(tmp_path) == {"x.txt": before or "whole"}
