"""What the README and the documents show is what happens."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from clingo import Control

from pyasp_puzzles import loads, solve

from .command import SECONDS, environment, pyasp

CHECKOUT = Path(__file__).parents[1]
README = (CHECKOUT / "README.md").read_text(encoding="utf-8")
STRIMKO = (CHECKOUT / "docs" / "strimko.md").read_text(encoding="utf-8")
ADDING = (CHECKOUT / "docs" / "adding-a-puzzle.md").read_text(encoding="utf-8")


def blocks(language: str, document: str = README) -> list[str]:
    """Return the fenced blocks of a document in a language."""
    return re.findall(rf"^```{language}(?: title=.*?)?\n(.*?)^```$", document, re.MULTILINE | re.DOTALL)


def write_files(place: Path) -> None:
    """Write the files that the documents show with a title."""
    documents = README + STRIMKO + ADDING
    for name, text in re.findall(r'^```\w+ title="(.*?)"\n(.*?)^```$', documents, re.MULTILINE | re.DOTALL):
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    "block",
    [one for document in (README, STRIMKO, ADDING) for one in blocks("console", document)],
    ids=lambda block: block.split("\n")[0],
)
def test_commands(block: str, tmp_path: Path) -> None:
    """A command prints what the document shows; `...` stands for more, and files are those shown with a title."""
    write_files(tmp_path)
    for part in re.split(r"^\$ pyasp ", block, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        done = pyasp(*shlex.split(command), where=tmp_path)
        assert done.stderr == ""
        if shown.endswith("\n...\n"):
            assert done.stdout.startswith(shown.removesuffix("...\n"))
        else:
            assert done.stdout == shown


@pytest.mark.parametrize("block", blocks("python"), ids=lambda block: block.split("\n")[-2])
def test_python(block: str, tmp_path: Path) -> None:
    """The README's Python runs, and prints the words that its comments promise."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", block],
        cwd=tmp_path,
        env=environment({"PYTHONIOENCODING": "utf-8"}),
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert re.findall(r"print\(.*\) +# ([A-Z]{2,})$", block, re.MULTILINE) == re.findall(
        r"^([A-Z]{2,})$", done.stdout, re.MULTILINE
    )


def test_sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is typed on the page about Strimko, in one session from its first line to its last, prints what it shows."""
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    session = "".join(blocks("pycon", STRIMKO))
    test = doctest.DocTestParser().get_doctest(session, {}, "docs/strimko.md", None, 0)
    found: list[str] = []
    doctest.DocTestRunner().run(test, out=found.append)
    assert test.examples
    assert "".join(found) == ""


@pytest.mark.parametrize("document", [README, STRIMKO], ids=["README.md", "docs/strimko.md"])
def test_quotations(document: str) -> None:
    """The rules that a document shows, other than as a file with a title, stand in an encoding."""
    encodings = " ".join(path.read_text(encoding="utf-8") for path in (CHECKOUT / "encodings").rglob("*.lp"))
    lines = "".join(re.findall(r"^```prolog\n(.*?)^```$", document, re.MULTILINE | re.DOTALL)).splitlines()
    assert lines
    for line in lines:
        assert " ".join(line.split()) in " ".join(encodings.split())


def test_an_edited_copy(tmp_path: Path) -> None:
    """The rule and the copy of the README's tour give what plain clingo gives."""
    write_files(tmp_path)
    strimko = (CHECKOUT / "encodings" / "strimko" / "strimko.lp").read_text(encoding="utf-8")
    (tmp_path / "strimko.lp").write_text(strimko, encoding="utf-8")
    for board, rules, extra in (("four.toml", "strimko.lp", "knight.lp"), ("small.toml", "corners.lp", "")):
        facts = pyasp("facts", board, where=tmp_path).stdout
        control = Control(["0"], message_limit=0)
        for file in filter(None, (rules, extra)):
            control.load(str(tmp_path / file))
        control.add("base", [], facts)
        control.ground([("base", [])])
        with control.solve(yield_=True) as models:
            number = sum(1 for _ in models)
        options = ["--encoding", rules, *(["--extra", extra] if extra else [])]
        assert pyasp("count", board, *options, where=tmp_path).stdout == f"{number}\n"


def test_a_tutorial_in_one_sitting() -> None:
    """The puzzle of the tutorial is as short as it promises."""
    files = dict(re.findall(r'^```\w+ title="(.*?)"\n(.*?)^```$', ADDING, re.MULTILINE | re.DOTALL))
    lines = {name: [line for line in text.splitlines() if line and line[0] != "%"] for name, text in files.items()}
    assert len(lines["futoshiki/futoshiki.lp"]) <= 25
    assert len(lines["futoshiki/puzzle.toml"]) <= 20
    assert len(lines["futoshiki/words.lp"]) <= 6


@pytest.mark.parametrize("block", blocks("toml"), ids=lambda block: block.split("\n")[1])
def test_boards(block: str) -> None:
    """The boards in the README can be solved."""
    for instance in loads(block, "README.toml"):
        assert solve(instance) is not None


def test_blocks_are_found() -> None:
    """There is something for the tests above to run."""
    assert all(map(blocks, ("console", "python", "toml")))


@pytest.mark.parametrize("document", ["README.md", *(f"docs/{path.name}" for path in (CHECKOUT / "docs").glob("*.md"))])
def test_links(document: str) -> None:
    """Every file that a document links to exists."""
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", (CHECKOUT / document).read_text(encoding="utf-8"))
    for link in links:
        assert link.startswith("https://") or (CHECKOUT / document).parent.joinpath(link).exists(), link
