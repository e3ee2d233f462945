"""Books: every board is on a page with its number, and its answer at the end; pages are as large as the paper."""

import re
import signal
import sys
from itertools import pairwise
from pathlib import Path
from subprocess import PIPE
from typing import NamedTuple

import pytest

from pyasp_puzzles import load
from pyasp_puzzles.render.book import MARGIN, PAPERS

from .command import process, run, start
from .helpers import FOUR, write

UNSOLVABLE = 'puzzle = "sudoku"\ngivens = """\n1 1 . .\n. . . .\n. . . .\n. . . .\n"""\n'
NUMBER = r'left:([\d.]+)mm;top:([\d.]+)mm;width:([\d.]+)mm;height:([\d.]+)mm".*?<figcaption><b>(\d+)</b>'


class Figure(NamedTuple):
    """A board on a page: its place and size in millimetres, and its number."""

    left: float
    top: float
    width: float
    height: float
    number: float


def sections(book: str) -> list[list[Figure]]:
    """Return the figures on each page of a book."""
    pages = re.findall(r"<section[^>]*>(.*?)</section>", book, re.DOTALL)
    return [[Figure(*map(float, found)) for found in re.findall(NUMBER, page)] for page in pages]


def made(place: Path, *arguments: str, code: int = 0, stdin: str = "") -> str:
    """Return the book that a command writes."""
    done = run("book", *arguments, "-o", "book.html", "--force", where=place, stdin=stdin)
    assert done.returncode == code, done.stderr
    return (place / "book.html").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("paper", "per_page"), [("a4", None), ("letter", None), ("letter", 1), ("a4", 3), ("letter", 7), ("a4", 24)]
)
def test_each_board_is_printed_once_and_answered_once(paper: str, per_page: int | None, tmp_path: Path) -> None:
    """Each board is once among the boards and once among the answers, in order, and no two share a place.

    Answers are on the last pages, upside down.
    """
    names = ["strips/hunt", "sudoku/large", "tectonic/seed", "strata/seed", "strimko/four"]
    options = ["--no-grade", "--paper", paper, *(["--per-page", str(per_page)] if per_page else [])]
    book = made(tmp_path, *names, *options)
    pages = sections(book)
    boards = sum(len(load(name)) for name in names)
    assert [figure.number for page in pages for figure in page] == [*range(1, boards + 1)] * 2
    answers = re.findall("<h2>Answers</h2>", book)
    upright, *turned = book.split('<section class="turned"><h2>Answers</h2>')
    assert "Answers" not in upright
    assert len(turned) == len(answers) > 0
    assert all(one.count("<section") == 0 for one in turned)
    assert ".turned{transform:rotate(180deg)}" in book
    assert len(pages) - len(answers) == -(-boards // per_page) if per_page else len(answers) < len(pages) / 2
    for page in pages:
        for figure in page:
            assert figure.left + figure.width <= PAPERS[paper].width - 2 * MARGIN + 0.1
            assert figure.top + figure.height <= PAPERS[paper].height - 2 * MARGIN + 0.1
        for one, other in pairwise(page):
            assert other.left > one.left + one.width - 0.2 or other.top > one.top + one.height - 0.2
    assert not re.search(r"(src|href)=|@import|url\((?!#)", book)


@pytest.mark.slow
def test_what_is_above_a_board(tmp_path: Path) -> None:
    """Above a board are its number, its title, its puzzle and its grade; the first page has the title."""
    write(tmp_path, {"mine.toml": f'title = "<Four>"\n{FOUR}'})
    book = made(tmp_path, "strimko/four", "mine.toml", "--title", "A & B", code=1)
    assert "<h1>A &amp; B</h1>" in book
    assert "2 boards" in book
    assert (
        book.index("<h1>")
        < book.index("<b>1</b> Four by four")
        < book.index("Every row, every column and every stream")
    )
    assert "<b>1</b> Four by four<br><small>strimko, easy</small>" in book
    assert "<b>2</b> &lt;Four&gt;<br><small>sudoku</small>" in book
    assert "<small>one of several answers</small>" in book


def test_boards_that_cannot_be_printed_are_reported(tmp_path: Path) -> None:
    """What cannot be read is reported, boards with several answers or none as well; the rest is printed."""
    write(tmp_path, {"none.toml": UNSOLVABLE, "four.toml": FOUR, "bad.toml": "puzzle = 3"})
    done = run("book", "none.toml", "bad.toml", "four.toml", "strimko/four", "-o", "book.html", where=tmp_path)
    assert done.returncode == 2
    none, bad, several, incomplete = done.stderr.splitlines()
    assert (none, several) == ("pyasp: none.toml: no answer", "pyasp: four.toml: several answers")
    assert bad.startswith("pyasp: bad.toml:1: ")
    assert incomplete == "pyasp: book.html is incomplete; the next try replaces it"
    pages = sections((tmp_path / "book.html").read_text(encoding="utf-8"))
    assert [figure.number for page in pages for figure in page] == [1, 2, 3] * 2


@pytest.mark.parametrize("name", ["book.html", pytest.param("book.pdf", marks=pytest.mark.slow)])
def test_a_book_that_failed_does_not_block_the_next_try(name: str, tmp_path: Path) -> None:
    """A book that lacks boards is replaced by the next one; a whole one is not, unless --force says so."""
    if name.endswith("pdf"):
        pytest.importorskip("weasyprint")
    write(tmp_path, {"bad.toml": "puzzle = 3"})
    command = ("book", "strimko/four", "bad.toml", "-o", name, "--no-grade")
    assert run(*command, where=tmp_path).returncode == 2
    assert run(*command, where=tmp_path).stderr.count(f"{name} is incomplete; the next try replaces it") == 1
    write(tmp_path, {"bad.toml": UNSOLVABLE})
    assert run(*command, where=tmp_path).stderr == "pyasp: bad.toml: no answer\n"
    whole = (tmp_path / name).read_bytes()
    refused = run(*command, where=tmp_path)
    assert (refused.returncode, refused.stderr.count(f"{name}: exists")) == (2, 1)
    assert (tmp_path / name).read_bytes() == whole


@pytest.mark.parametrize("board", ["nosuch", "bad.toml", "strimko/four"])
def test_a_book_without_boards_is_not_written(board: str, tmp_path: Path) -> None:
    """Where no board can be read, or an option is wrong, there is no file."""
    write(tmp_path, {"bad.toml": "puzzle = 3"})
    options = ["--paper", "a9"] if board == "strimko/four" else []
    done = run("book", board, "-o", "book.html", *options, where=tmp_path)
    assert (done.returncode, [path.name for path in tmp_path.iterdir()]) == (2, ["bad.toml"])


@pytest.mark.parametrize(("package", "words"), [("weasyprint", "book -o x.pdf"), ("resvg_py", "draw -o x.png")])
def test_a_missing_package_leaves_no_file(package: str, words: str, tmp_path: Path) -> None:
    """Without the package that makes a PDF or PNG, one line says what to install, and there is no file."""
    script = f"import sys; sys.modules[{package!r}] = None; from pyasp_puzzles.__main__ import main; main()"
    done = process([sys.executable, "-c", script, *words.split(), "strimko/four"], tmp_path)
    assert (done.returncode, done.stderr.count("\n"), "pip install" in done.stderr) == (2, 1, True)
    assert [*tmp_path.iterdir()] == []


def test_boards_are_read_from_standard_input(tmp_path: Path) -> None:
    """Boards are read from standard input, too."""
    assert "<b>1</b>" in made(tmp_path, "-", code=1, stdin=FOUR)


def test_an_interrupted_book_has_the_boards_so_far(tmp_path: Path) -> None:
    """Ctrl-C keeps what was made: the book has the boards so far."""
    write(tmp_path, {"four.toml": FOUR, "none.toml": UNSOLVABLE})
    with start("book", "four.toml", "none.toml", "-", "-o", "book.html", where=tmp_path, stdin=PIPE) as command:
        command.stderr.readline()
        command.stderr.readline()  # about the second board: the first is done
        command.send_signal(signal.SIGINT)
        so_far, interrupted = command.stderr.read().decode().splitlines()
    assert (command.returncode, interrupted) == (130, "pyasp: interrupted")
    assert so_far.startswith("pyasp: book.html has the boards so far: ")
    assert so_far.endswith("; the next try replaces it")
    pages = sections((tmp_path / "book.html").read_text(encoding="utf-8"))
    assert [len(page) for page in pages] in ([1, 1], [2, 2])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["book.html", "four.toml", "none.toml"]
    assert run("book", "strimko/four", "-o", "book.html", where=tmp_path).returncode == 0


def test_interrupt_in_a_pipe(tmp_path: Path) -> None:
    """Ctrl-C ends the program that makes the boards; what it wrote until then is a book. SIGTERM ends the book."""
    script = """if True:
        import io, os, signal, sys
        from pyasp_puzzles.__main__ import main

        class Pipe(io.BytesIO):
            def readline(self, *size):
                if not self.tell():
                    os.kill(os.getpid(), end)
                return super().readline(*size)

        end = getattr(signal, sys.argv.pop(1))
        sys.stdin = io.TextIOWrapper(Pipe(sys.argv.pop(1).encode()))
        main()
    """
    command = ["book", "-", "-o", "book.html"]
    done = process([sys.executable, "-c", script, "SIGTERM", FOUR, *command], tmp_path)
    assert (done.returncode, done.stderr) == (130, "pyasp: interrupted\n")
    done = process([sys.executable, "-c", script, "SIGINT", FOUR, *command], tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr  # FOUR has several answers
    assert "<b>1</b>" in (tmp_path / "book.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_pdf_is_written_or_says_what_to_install(tmp_path: Path) -> None:
    """A PDF is written if weasyprint is there; otherwise one line says what to install."""
    done = run("book", "strimko/four", "-o", "book.pdf", where=tmp_path)
    try:
        import weasyprint  # noqa: F401 (whether it is there)
    except (ImportError, OSError):
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert "pip install 'pyasp-puzzles[pdf]'" in done.stderr
    else:
        assert (tmp_path / "book.pdf").read_bytes().startswith(b"%PDF")


def test_sizes_of_the_board(tmp_path: Path) -> None:
    """The rules have the sizes and numbers of the boards, also those of a user's puzzle."""
    book = made(tmp_path, "strimko/four", "strimko/six", "sudoku/easy", "tectonic/seed", "strips/list", "--no-grade")
    rules = re.findall(r'<p class="rules">(.*?)</p>', book)
    said = ("1 to 4", "1 to 6", "1 to 9", "1 to 5", "black-white-white")
    assert all(words in text for words, text in zip(said, rules, strict=True))
    assert not re.search(r"1\.\.|\bn\b|\{", "".join(rules))
    assert run("new", "mine", where=tmp_path).returncode == 0
    book = made(tmp_path, "mine/first.toml", "--puzzles", "mine", "--no-grade")
    [words] = re.findall(r'<p class="rules">(.*?)</p>', book)
    assert not re.search(r"1\.\.|\bn\b", words)


def test_a_board_on_a_page_of_its_own_fills_it(tmp_path: Path) -> None:
    """A board that has a page is as wide as it, or as high; boards that share one are smaller."""
    wide = r'<div style="width:([\d.]+)mm'
    for options in (["sudoku/easy"], ["sudoku/easy", "strimko/four", "--per-page", "1"]):
        assert float(re.findall(wide, made(tmp_path, *options, "--no-grade"))[0]) > 160
    assert float(re.findall(wide, made(tmp_path, "sudoku/easy", "strimko/four", "--no-grade"))[0]) < 140


def test_boards_that_share_a_page_are_large(tmp_path: Path) -> None:
    """Two boards of different puzzles fill a page, with their rules beside or below them in small type."""
    run("book", "yajilin/six", "variants/sandwich", "-o", "two.html", "--no-grade", where=tmp_path)
    page = (tmp_path / "two.html").read_text(encoding="utf-8").partition("Answers</h2>")[0]
    sides = [float(width) for width in re.findall(r'<div style="width:([\d.]+)mm;height', page)]
    assert len(sides) == page.count('class="rules"') == 2
    assert min(sides) > 6 * 14
    assert "figure .rules{font-size:.75em}" in page


@pytest.mark.slow
def test_no_caption_says_the_same_twice(tmp_path: Path) -> None:
    """What the title of a board says is not said again with it."""
    titles = {"a": "Sudoku 4x4, easy", "b": "An easy one", "c": "Very easy-going"}
    write(tmp_path, {f"{name}.toml": f'title = "{title}"\n{FOUR}' for name, title in titles.items()})
    book = made(tmp_path, "a.toml", "b.toml", "c.toml", "tectonic/seed", "--title", "Mine", code=1)
    captions = re.findall(r"<figcaption>(.*?)</figcaption>", book)[:4]
    for caption in captions:
        words = re.findall(r"[a-z]+", re.sub("<.*?>", " ", caption).casefold())
        assert len(words) == len(set(words)), caption


def test_large_print_corners_and_notes(tmp_path: Path) -> None:
    """Large print has a board on a page; empty cells may have a corner for pencil marks, and boards room for notes."""
    names = ["strimko/four", "sudoku/easy", "strips/final"]
    plain = made(tmp_path, *names, "--no-grade")
    large = made(tmp_path, *names, "--no-grade", "--large-print", "--corners", "--notes")
    assert [len(page) for page in sections(large)][:3] == [1, 1, 1]
    assert 'class="pencil"' not in plain
    assert large.count('class="pencil"') == sum(
        len(instance.drawing().cells) - len(instance.drawing().givens) for name in names[:2] for instance in load(name)
    )
    assert (plain.count('class="notes"'), large.count('class="notes"')) == (0, 3)

    def sizes(book: str) -> list[float]:
        return [float(wide) for wide in re.findall(r'<div style="width:([\d.]+)mm', book)[:3]]

    assert all(one < 1.2 * other for one, other in zip(sizes(plain), sizes(large), strict=True))
    assert "<main" in plain
