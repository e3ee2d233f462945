"""What the README and the documents show is what happens."""

import ast
import doctest
import inspect
import json
import re
import shlex
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer
from _pytest.mark import ParameterSet

import pyasp_puzzles
from pyasp_puzzles import batch, cli, load, loads, solve
from pyasp_puzzles.puzzles import questions

from .command import environment, objects, printed, process, pyasp
from .command_page import ELSEWHERE, help_texts, page
from .documents import (
    COMMAND_PAGE,
    CUT,
    DOCUMENTS,
    STEP_PAGE,
    WRITTEN,
    blocks,
    commands,
    explained,
    files,
    gallery,
    text_of,
)
from .documents import write_files as write_files_of
from .helpers import CHECKOUT, GENRES, encoding, write
from .notebooks import NOTEBOOK, executed
from .puzzle_page import PICTURES as PUZZLE_PICTURES
from .puzzle_page import PUZZLE_PAGE, puzzle_page, puzzle_pictures
from .variant_page import PICTURES, VARIANT_PAGE, variant_page, variant_pictures

README = Path("README.md")
# The pictures of pages in the README.
PAGES = (STEP_PAGE, Path("docs/images/studio-hint.png"))
TUTORIAL = Path("docs/tutorial.md")
HOW_TO = Path("docs/how-to.md")
INSTANCES = Path("docs/instances.md")
STRIMKO = Path("docs/strimko.md")
TECTONIC = Path("docs/tectonic.md")
SEEDS = Path("docs/seeds.md")
ADDING = Path("docs/adding-a-puzzle.md")
# Documents that quote the encodings.
RULES = (README, STRIMKO)
# Documents with Python as it is typed.
SESSIONS = (Path("docs/library.md"), STRIMKO, TECTONIC)


def each(language: str, *, only: str = "") -> list[ParameterSet]:
    """Return every block of a language as a test parameter, its document and its text: those of lines that begin so."""
    return [
        pytest.param(document, block, id=f"{document.name}: {next(filter(None, block.splitlines()))}")
        for document in WRITTEN
        for block in blocks(language, document)
        if all(line.startswith(only) for line in block.splitlines())
    ]


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("document", "block"), each("console"))
def test_commands_print_what_documents_show(document: Path, block: str, tmp_path: Path) -> None:
    """A command prints what the document shows; `...` stands for more, and files are those shown with a title."""
    write_files_of(document, tmp_path)
    assert block.count("\n$ ") + block.startswith("$ ") == len(list(commands(block)))
    for command, shown in commands(block):
        done = pyasp(*shlex.split(command), where=tmp_path)
        assert done.stderr == ""
        if shown.endswith(f"\n{CUT}"):
            assert done.stdout.startswith(shown.removesuffix(CUT))
        else:
            assert done.stdout == shown


CLAIMS = re.findall(r"^- .*? `pyasp ([^`]*)`: `(.*)`$", text_of(SEEDS), re.MULTILINE)


@pytest.mark.sampled(8)
@pytest.mark.parametrize(("command", "shown"), CLAIMS, ids=str)
def test_commands_answer_the_claims_of_the_seeds(command: str, shown: str, tmp_path: Path) -> None:
    """In the lists of what the project started from, each command prints the result beside it."""
    assert shown in pyasp(*shlex.split(command), where=tmp_path).stdout


def test_every_claim_of_the_seeds_has_a_command_or_a_page() -> None:
    """Each line of these lists has a command with a result, or a link."""
    rows = [row for row in text_of(SEEDS).splitlines() if row.startswith("- ")]
    assert len(rows) == len(CLAIMS) + sum("](" in row for row in rows)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("document", "block"), each("sh", only="pyasp "))
def test_lines_for_a_shell_work(document: Path, block: str, tmp_path: Path) -> None:
    """Lines for a shell work, one after the other; blocks that set something up, or need a cluster, are left out."""
    write_files_of(document, tmp_path)
    for name, words in (("pyasp", " -m pyasp_puzzles"), ("python", "")):
        tool = tmp_path / "bin" / name
        tool.parent.mkdir(exist_ok=True)
        tool.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)}{words} "$@"\n', encoding="utf-8")
        tool.chmod(0o755)
    path = f"{tmp_path / 'bin'}:{environment()['PATH']}"
    before = set(tmp_path.iterdir())
    done = process(["/bin/sh", "-e", "-c", block], tmp_path, {"PATH": path})
    assert "Traceback" not in done.stderr
    assert done.stdout or set(tmp_path.iterdir()) > before
    assert done.returncode == 0 or "clingo" in block  # whose exit codes are others


@pytest.mark.parametrize("document", WRITTEN, ids=str)
def test_lines_for_a_shell_write_files_of_their_own(document: Path) -> None:
    """No two lines of a document write the same file, except to resume a run: a reader may run one after the other."""
    lines = [line for block in blocks("sh", document) for line in block.splitlines() if "--resume" not in line]
    found = [name for line in lines for name in re.findall(r"(?:-o|--output|>) ([\w.-]+\.\w+)\b", line)]
    assert len(found) == len(set(found))


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("document", "block"), each("python"))
def test_python_in_documents_runs(document: Path, block: str, tmp_path: Path) -> None:
    """Python in a document runs, and prints the words that its comments promise."""
    write_files_of(document, tmp_path)
    done = process([sys.executable, "-W", "error", "-c", block], tmp_path, {"PYTHONIOENCODING": "utf-8"})
    assert (done.returncode, done.stderr) == (0, "")
    assert re.findall(r"print\(.*\) +# ([A-Z]{2,})$", block, re.MULTILINE) == re.findall(
        r"^([A-Z]{2,})$", done.stdout, re.MULTILINE
    )


@pytest.mark.sampled(1)
@pytest.mark.parametrize("document", SESSIONS, ids=str)
def test_sessions_print_what_they_show(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is typed on a page, in one session from its first line to its last, prints what it shows."""
    write_files_of(document, tmp_path)
    monkeypatch.chdir(tmp_path)
    questions.groundings.cache_clear()  # which of several answers comes first depends on what was grounded before
    session = "".join(blocks("pycon", document))
    test = doctest.DocTestParser().get_doctest(session, {}, str(document), None, 0)
    found: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=found.append)
    assert test.examples
    assert "".join(found) == ""


# Steps 51 to 56 of the trace, which follow those on the page.
TRACE = """\
STEP 51
ActiveCell : 1,1, active i : 6, value : 3
Cell : adding one
Cell : max reached, new value : 4, new state : maxed
Cell : test failed, we'll stay here
STEP 52
ActiveCell : 1,1, active i : 6, value : 4
Cell : maxed. Set to 0 and go back!
Cell : new value 0, new status notmax
STEP 53
ActiveCell : 1,0, active i : 5, value : 4
Cell : maxed. Set to 0 and go back!
Cell : new value 0, new status notmax
STEP 54
ActiveCell : 0,4, active i : 4, value : 2
Cell : maxed. Set to 0 and go back!
Cell : new value 0, new status notmax
STEP 55
ActiveCell : 0,3, active i : 3, value : 3
Cell : value not changed : 3
Cell : fixed. Keep going backward!
STEP 56
ActiveCell : 0,2, active i : 2, value : 1
Cell : adding one
Cell : max not reached, new value : 2, new state : notmax
Cell : test failed, we'll stay here
"""


def test_brute_force_takes_the_steps_of_the_text(tmp_path: Path) -> None:
    """Brute force prints the trace of steps 48 to 56, the published grid, and how many steps it took."""
    program = CHECKOUT / "docs/brute_force.py"
    done = process([sys.executable, str(program), "tectonic/seed", "48", "56"], tmp_path)
    _, trace = blocks("text", TECTONIC)
    grid = tomllib.loads(text_of(Path("instances/tectonic/seed.toml")))["solution"]
    assert done.stdout == f"{trace}{TRACE}{grid}3318 steps, 584 of them back\n"


@pytest.mark.parametrize("document", WRITTEN, ids=str)
def test_every_session_runs(document: Path) -> None:
    """No other page has a session, and no page has a block in a language that nothing here runs or checks."""
    assert bool(blocks("pycon", document)) == (document in SESSIONS)
    languages = set(re.findall(r"^```(\w+)", text_of(document), re.MULTILINE))
    assert languages <= {"console", "json", "prolog", "pycon", "python", "sh", "text", "toml", "yaml"}


@pytest.mark.parametrize("document", RULES, ids=str)
def test_quoted_rules_stand_in_an_encoding(document: Path) -> None:
    """The rules that a document shows, other than as a file with a title, stand in an encoding."""
    encodings = " ".join(path.read_text(encoding="utf-8") for path in (CHECKOUT / "encodings").rglob("*.lp"))
    lines = "".join(re.findall(r"^```prolog\n(.*?)^```$", text_of(document), re.MULTILINE | re.DOTALL)).splitlines()
    assert lines
    for line in lines:
        assert " ".join(line.split()) in " ".join(encodings.split())


@pytest.mark.parametrize("document", WRITTEN, ids=str)
def test_what_forbids_is_explained(document: Path) -> None:
    """Rules that a document shows say why they may be violated, and that `relaxed` is input, as those that ship do."""
    for name, text in files(document).items():
        last = text.count(":- violated(Rule), not relaxed(Rule).\n")
        why = "% No rule may be violated; pyasp relaxes rules to see which force what.\n:- violated(Rule), "
        assert text.count(why) == last, name
        head = text.partition("#")[0]
        assert len(re.findall(r"^% {10}relaxed\(Rule\) +Rule may be violated", head, re.MULTILINE)) == last, name


# A board, and rules of Tectonic by which equal numbers may touch at a corner.
SMALL = {
    "small.toml": """\
puzzle = "tectonic"
title = "Small"
blocks = \"\"\"
A A B
A B B
C C B
\"\"\"
givens = \"\"\"
2 . .
. . .
. . .
\"\"\"
""",
    "corners.lp": """\
% Input:   block(R, C, B)   cell R,C is in block B
%          given(R, C, V)   V is printed in cell R,C   (optional)
%          relaxed(Rule)    Rule may be violated       (optional)
#defined given/3.
#defined relaxed/1.
size(B, N) :- block(_, _, B), N = { block(R, C, B) }.
{ value(R, C, 1..N) } :- block(R, C, B), size(B, N).

violated(cell(R, C))        :- block(R, C, _), { value(R, C, V) } != 1.
violated(once(block(B), V)) :- size(B, N), V = 1..N, { value(R, C, V) : block(R, C, B) } != 1.
violated(beside(R, C, V))   :- value(R, C, V), value(R, C + 1, V).
violated(above(R, C, V))    :- value(R, C, V), value(R + 1, C, V).
violated(given(R, C))       :- given(R, C, V), not value(R, C, V).
% No rule may be violated; pyasp relaxes rules to see which force what.
:- violated(Rule), not relaxed(Rule).
""",
}


@pytest.mark.parametrize(
    ("shown", "board", "rules", "extra"),
    [(files(TUTORIAL), "four.toml", "", "knight.lp"), (SMALL, "small.toml", "corners.lp", "")],
)
def test_edited_rules_agree_with_plain_clingo(
    shown: dict[str, str], board: str, rules: str, extra: str, tmp_path: Path
) -> None:
    """Rules that are added, or that replace all others, give what plain clingo gives."""
    write(tmp_path, shown)
    write(tmp_path, {"strimko.lp": encoding("strimko").read_text(encoding="utf-8")})
    rules = rules or "strimko.lp"
    facts = pyasp("facts", board, where=tmp_path).stdout
    files = [str(tmp_path / file) for file in (rules, extra) if file]
    clingo = process([sys.executable, "-m", "clingo", "-", *files, "0", "--quiet"], tmp_path, input=facts)
    [number] = re.findall(r"^Models +: (\d+)", clingo.stdout, re.MULTILINE)
    options = ["--encoding", rules, *(["--extra", extra] if extra else [])]
    assert pyasp("count", board, *options, where=tmp_path).stdout == f"{number}\n"


@pytest.mark.parametrize(("name", "most"), [("futoshiki.lp", 25), ("puzzle.toml", 20), ("words.lp", 6)])
def test_a_tutorial_in_one_sitting(name: str, most: int) -> None:
    """The puzzle of the tutorial is as short as it promises."""
    lines = files(ADDING)[f"futoshiki/{name}"].splitlines()
    assert len([line for line in lines if line and line[0] != "%"]) <= most


def test_a_constraint_in_nine_lines() -> None:
    """The constraint of the tutorial has as many lines as it promises."""
    lines = [
        line
        for name in ("thermo.lp", "variant.toml", "words.lp")
        for line in files(ADDING)[f"thermo/{name}"].split("\n")
    ]
    assert len([line for line in lines if line and line[0] != "%"]) == 9


@pytest.mark.parametrize("document", [TUTORIAL, HOW_TO, INSTANCES], ids=str)
def test_boards_in_documents_can_be_solved(document: Path) -> None:
    """The boards in a document can be solved, but for one that is there for its mistake."""
    boards = {name: text for name, text in files(document).items() if name.endswith(".toml") and name != "typo.toml"}
    assert len(boards) == len(blocks("toml", document)) - ("typo.toml" in files(document))
    for name, text in boards.items():
        for instance in loads(text, name):
            assert solve(instance) is not None


def test_blocks_are_found() -> None:
    """There is something for the tests above to run."""
    assert all(blocks(language, README) for language in ("console", "python", "sh", "text"))
    assert all(blocks("console", document) for document in (TUTORIAL, HOW_TO, STRIMKO, ADDING))


def examples() -> list[str]:
    """Return the commands in the README's table."""
    return re.findall(r"^\| `pyasp ([^`]+)` *\|[^|]*\|$", text_of(README), re.MULTILINE)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("example", [example for example in examples() if not example.startswith("studio ")])
def test_examples_in_the_table_work(example: str, tmp_path: Path) -> None:
    """Every example in the README's table of commands works; that of the studio, which does not end, in test_studio."""
    write_files_of(README, tmp_path)
    before = set(tmp_path.iterdir())
    assert printed(*shlex.split(example), where=tmp_path) or set(tmp_path.iterdir()) > before


def test_readme_is_short_and_lists_the_documents() -> None:
    """The README links to every document, and every command has an example in its table."""
    links = re.findall(r"\]\(([^)#]+)\)", text_of(README))
    assert {str(document) for document in DOCUMENTS} - {"README.md"} <= set(links)
    assert text_of(README).count("\n") <= 160
    assert len(text_of(README).split()) <= 860
    program: Any = typer.main.get_command(cli.application())
    assert {example.split()[0] for example in examples()} == {
        name for name, command in program.commands.items() if not command.hidden
    }


def test_readme_begins_with_a_board_from_a_newspaper() -> None:
    """The README begins with a board as a newspaper prints it, its answer, a hint, and pictures of two pages."""
    first, install, _ = text_of(README).partition("\n## ")
    assert install
    [(name, text)] = files(README).items()
    assert f"{name}\n" in first
    assert re.fullmatch(r"([.1-9]{9}\n){9}", text)
    [session] = blocks("console", README)
    assert session in first
    assert [command.split()[:2] for command, _ in commands(session)] == [
        [command, name] for command in ("solve", "hint", "explain")
    ]
    assert re.findall(r'<img src="(.*?)"', first) == [str(path) for path in PAGES]
    for path in PAGES:
        picture = (CHECKOUT / path).read_bytes()
        assert picture.startswith(b"\x89PNG")
        assert len(picture) < 120_000


@pytest.mark.slow
def test_the_picture_of_a_step_is_current() -> None:
    """The picture of the first step shows what it says today; `python -m tests.documents --picture` makes it."""
    image = pytest.importorskip("PIL.Image")
    with explained() as (_, first):
        assert image.open(CHECKOUT / STEP_PAGE).text["Description"] == first
    [alt] = re.findall(rf'{STEP_PAGE}" width="\d+" alt="Step 1 of a Sudoku: (.*?)"', text_of(README))
    assert first.lower().startswith(alt)


def test_color_is_spelt_one_way() -> None:
    """Documents, encodings and help spell "color" as the keys and options of that name do."""
    texts = {str(document): text_of(document) for document in [*DOCUMENTS, Path("CHANGELOG.md")]}
    texts |= {str(path): path.read_text(encoding="utf-8") for path in (CHECKOUT / "encodings").rglob("*.*")}
    assert [name for name, text in {**texts, "help": help_texts()}.items() if "colour" in text.lower()] == []


def test_two_lines_set_the_project_up() -> None:
    """Two lines set the project up: to use it, and to test it."""
    assert len(re.findall(r"^python3 -m venv", text_of(README), re.MULTILINE)) == 2


def test_the_command_page_is_what_the_help_says() -> None:
    """The page of the command is what the help says; `python -m tests.documents --write` makes it so."""
    assert text_of(COMMAND_PAGE) == page()
    for name, document in ELSEWHERE.items():
        section = text_of(COMMAND_PAGE).partition(f"## pyasp {name}\n")[2].partition("\n## ")[0]
        explained = text_of(Path("docs", document))
        assert all(option in explained for option in re.findall(r"--[a-z-]+", section))


def test_the_pages_of_variants_and_puzzles_are_current() -> None:
    """These pages have what ships, and a picture of each board; `tests.documents --write` makes it so."""
    assert (text_of(VARIANT_PAGE), text_of(PUZZLE_PAGE)) == (variant_page(), puzzle_page())
    for folder, pictures in ((PICTURES, variant_pictures()), (PUZZLE_PICTURES, puzzle_pictures())):
        assert {path: text_of(path) for path in pictures} == pictures
        assert {path.relative_to(CHECKOUT) for path in (CHECKOUT / folder).iterdir()} == pictures.keys()
        assert sum(map(len, pictures.values())) < 420_000


def test_the_gallery_is_what_its_command_draws() -> None:
    """The README shows what its command draws: one picture of each puzzle, with words for those who cannot see it."""
    pictures = gallery()
    assert {path: text_of(path) for path in pictures} == pictures
    shown = re.findall(r'<img src="(.*?)" width="\d+" alt="(.+?)">', text_of(README))
    assert sorted(Path(path) for path, _ in shown) == sorted([*pictures, *PAGES])
    puzzles = {declaration.parent.name for declaration in (CHECKOUT / "encodings").glob("*/puzzle.toml")}
    assert {path.name.split("-")[0] for path in pictures} == puzzles - {*GENRES}


@pytest.mark.slow
def test_every_cell_of_the_notebook_runs() -> None:
    """Every cell of the notebook runs, and shows what is in it; `python -m tests.documents --write` makes it so."""
    assert json.loads(text_of(NOTEBOOK)) == json.loads(executed())


def test_the_library_page_has_every_public_name() -> None:
    """The reference of the library has every public name, and the parameters of every function as they are."""
    text = text_of(Path("docs/library.md"))
    assert [name for name in pyasp_puzzles.__all__ if f"`{name}`" not in text] == []
    for name, shown in re.findall(r"^    (\w+)\(((?:.|\n {5,})*)\)$", text, re.MULTILINE):
        given = inspect.signature(getattr(pyasp_puzzles, name)).parameters.values()
        [function] = ast.parse(f"(lambda {shown}: 0)").body
        assert isinstance(function, ast.Expr)
        assert [one.arg for one in ast.walk(function) if isinstance(one, ast.arg)] == [one.name for one in given]


def test_the_instances_page_has_every_key() -> None:
    """The reference of instances has every key of the puzzles that ship, and of genres an example."""
    text = text_of(INSTANCES)
    for declaration in (CHECKOUT / "encodings").glob("*/puzzle.toml"):
        if declaration.parent.name in GENRES:
            continue
        for key in tomllib.loads(declaration.read_text(encoding="utf-8")).get("keys", {}):
            assert f"`{key}`" in text, f"{declaration.parent.name}: {key}"


def slug(heading: str) -> str:
    """Return the anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def test_no_merge_is_unfinished() -> None:
    """No document has a line of a merge that was not finished."""
    for document in [*DOCUMENTS, Path("CHANGELOG.md")]:
        text = (CHECKOUT / document).read_text(encoding="utf-8")
        assert not re.search(r"^(<{7} |={7}$|>{7} )", text, re.MULTILINE), document


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_links_lead_to_files_and_headings(document: Path) -> None:
    """Every file that a document links to exists, and has the heading that it links to."""
    prose = re.sub(r"^```.*?^```$", "", text_of(document), flags=re.MULTILINE | re.DOTALL)
    for link, _, anchor in (found.partition("#") for found in re.findall(r"\]\(([^)\s]+)\)", prose)):
        if link.startswith("https://"):
            continue
        target = (CHECKOUT / document).parent / link if link else CHECKOUT / document
        assert target.exists(), link
        if anchor:
            headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in map(slug, headings), f"{link}#{anchor}"


# -- The page of JSON ------------------------------------------------------

DOCUMENT = text_of(Path("docs/json.md"))
HEAD = ["puzzle", "source", "board", "title"]
BOARDS = ["tectonic/three-clues", "strimko/four", "sudoku/six", "strata/seed", "strips/list"]
NUMBERS = BOARDS[:3]


def keys(section: str) -> list[str]:
    """Return the keys of the first list of a section."""
    (text,) = re.findall(rf"^## {section}\n(.*?)(?=^## |\Z)", DOCUMENT, re.MULTILINE | re.DOTALL)
    items = re.search(r"^- `(?:.+\n)+", text, re.MULTILINE)
    assert items
    return re.findall(r"^- `(\w+)`: ", items[0], re.MULTILINE)


def told(place: Path, *arguments: str) -> list[dict[str, Any]]:
    """Return the objects that a command prints; each is one line of UTF-8."""
    return objects(pyasp(*arguments, "--json", where=place).stdout)


def test_documented_objects_begin_with_the_board() -> None:
    """The document begins with the keys of every board."""
    assert re.findall(r"^- `(\w+)`: ", DOCUMENT.split("\n## ")[0], re.MULTILINE) == HEAD


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("section", "command", "boards"),
    [
        ("solve", "solve -n 2", [*BOARDS, "strata/stuck"]),
        ("solve", "solve --decided --jobs 1", BOARDS),
        ("solve", "solve --possible", BOARDS),
        ("count", "count -n 3", BOARDS),
        ("check", "check", [*BOARDS, "strata/stuck"]),
        ("explain", "explain", BOARDS),
        ("explain", "hint", BOARDS),
        ("grade", "grade", BOARDS),
        ("resolve", "resolve", NUMBERS),
    ],
)
def test_objects_have_the_documented_keys(tmp_path: Path, section: str, command: str, boards: list[str]) -> None:
    """Each object has the keys of its section, in that order, for boards that ship."""
    together = section in {"solve", "count", "grade"}  # other commands take one board
    asked = [boards] if together else [[board] for board in boards]
    found = [record for names in asked for record in told(tmp_path, *command.split(), *names)]
    assert {record["source"] for record in found} == set(boards)
    assert {tuple(record) for record in found} == {(*HEAD, *keys(section))}


def test_broken_rules_are_printed_as_documented(tmp_path: Path) -> None:
    """The rules that an answer breaks are printed as documented."""
    write(tmp_path, {"answer.txt": "1 1 . .\n. . . .\n. . . .\n. . . .\n"})
    (record,) = told(tmp_path, "check", "strimko/four", "--answer", "answer.txt")
    assert list(record) == [*HEAD, *keys("check --answer")]
    assert list(record["broken"][0]) == ["rule", "cells", "words", "spans"]


def test_records_have_the_documented_keys(tmp_path: Path) -> None:
    """Records of `batch` are those of `solve`; those of `--output` also have the options, if there are any."""
    (record,) = batch(load("tectonic/seed"))
    assert list(record) == [*HEAD, *keys("solve")]
    for options, more in (([], []), (["-n", "2"], keys("solve --output"))):
        pyasp("solve", "tectonic/seed", "nosuch", "--output", "out.jsonl", *options, where=tmp_path)
        answered, refused = (json.loads(line) for line in (tmp_path / "out.jsonl").read_bytes().splitlines())
        assert list(answered) == [*HEAD, *keys("solve"), *more]
        assert list(refused) == [*keys("Errors"), *more]
        (tmp_path / "out.jsonl").unlink()


def test_errors_have_the_documented_keys(tmp_path: Path) -> None:
    """An error has the documented keys, and those of the board if they are known."""
    assert keys("Errors") == ["source", "status", "error"]  # as test_records has it of every command
    write(tmp_path, {"bad.lp": "value(99, 99, 1).\n"})
    for options in ([], ["--jobs", "1"]):
        records = told(tmp_path, "solve", "strimko/four", "--extra", "bad.lp", *options)
        assert [record["status"] for record in records] == ["error"]
        assert {*HEAD, *keys("Errors")} <= set(records[0]) <= {*HEAD, *keys("solve"), "error"}


def test_the_list_has_every_exit_code() -> None:
    """The list has every exit code, in the order in which one outweighs another."""
    assert [int(code) for code in keys("Exit codes")] == [0, 1, 3, 2, 130]


def test_every_command_is_documented() -> None:
    """Every command with `--json` has a section."""
    sections = re.findall(r"^## (\w+)$", DOCUMENT, re.MULTILINE)
    commands = getattr(typer.main.get_command(cli.application()), "commands", {})
    with_json = [name for name in commands if "as_json" in {option.name for option in commands[name].params}]
    assert with_json == [name for name in sections if name in cli.COMMANDS]
