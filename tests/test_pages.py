"""Pages for browsers: every step and every remark with its board, in one file that needs no other."""

import re
import signal
import subprocess
from base64 import b64encode
from collections import Counter
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from pyasp_puzzles import board, check, count, dumps, explain
from pyasp_puzzles.explanation.pages import explanation_section
from pyasp_puzzles.render.pages import page
from pyasp_puzzles.render.svg import svg, svg_frames

from .command import printed, run, start
from .helpers import FOUR, not_none, one, only, steps, write

HOSTILE = "</script></style><script>alert(1)</script><img/src=x/onerror=alert(1)>\"'&"
EXPLAINED = ["strata/seed", "strata/stuck", "strimko/six", "sudoku/easy", "tectonic/seed", "strips/final"]
EMPTY_ELEMENTS = {"meta", "input", "br", "img", "link"}


class Page(HTMLParser):
    """The elements of a page: each start tag with its attributes, the text of each kind, and whether they nest."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: dict[str, list[str]] = {}
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep an element."""
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in EMPTY_ELEMENTS:
            self.open.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep an element that is closed at once."""
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        """Close the last element, which must be of that kind."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Keep the text of the last element."""
        if self.open:
            self.texts[self.open[-1]][-1] += data

    def all(self, tag: str) -> list[dict[str, str]]:
        """Return the attributes of all elements of a kind."""
        return [attributes for name, attributes in self.elements if name == tag]


def made(place: Path, *arguments: str, code: int = 0) -> Page:
    """Return the page that a command writes."""
    assert printed(*arguments, "--html", "page.html", "--force", where=place, code=code) == ""
    return Page((place / "page.html").read_text(encoding="utf-8"))


def explained(name: str) -> str:
    """Return the page of all steps of a board that ships."""
    return page("Title", [explanation_section(only(name), steps(name))])


def parts(picture: str, view: int | None = None) -> Counter[str]:
    """Return what is drawn in an SVG, or in one view of it; without its frame, and without row and column numbers."""
    found: Counter[str] = Counter()

    def walk(element: ET.Element) -> None:
        if (at := element.get("data-at")) is not None and view is not None:
            runs = [[int(number) for number in run.split("-")] for run in at.split()]
            if not any(run[0] <= view <= run[-1] for run in runs):
                return
        kind = element.tag.rpartition("}")[2]
        if kind not in {"svg", "g", "title", "style"} and element.get("class") not in {"paper", "axis"}:
            found[f"{kind} {sorted(element.attrib.items())} {element.text}"] += 1
        for child in element:
            walk(child)

    walk(ET.fromstring(picture))  # noqa: S314 (what we have drawn)
    return found


def number_of(kind: str, found: Counter[str]) -> int:
    """Return how many parts of a picture have a class that begins so."""
    return sum(n for part, n in found.items() if f"('class', '{kind}" in part)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", EXPLAINED)
def test_every_step_is_drawn(name: str) -> None:
    """In each view of a page, the board is that of its step: with every cell that follows, or that it follows from."""
    section = explanation_section(only(name), steps(name))
    drawings = [slide.drawings[0] for slide in section.slides]
    together = svg_frames(drawings)
    for number, drawing in enumerate(drawings):
        alone, seen = parts(svg(drawing, css=False)), parts(together, number)
        if not any(other.notes for other in drawings):  # the size of candidates is that of all views
            assert seen == alone
        for kind in ("marked", "premise", "value", "given", "shaded", "piece", "band"):
            assert number_of(kind, seen) == number_of(kind, alone), kind


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", EXPLAINED)
def test_pages_have_headings_items_and_unique_ids(name: str) -> None:
    """A page has a heading, an item for each step with its words and rules, unique ids, and names for all controls."""
    found = Page(explained(name))
    items = [attributes for attributes in found.all("li") if attributes.get("id")]
    assert len(items) == len(steps(name)) + 1
    assert [words for words in found.texts["span"] if words][1:] == [step.words for step in steps(name)]
    assert found.texts["code"] == [str(rule) for step in steps(name) for rule in step.rules]
    reasons = ["\n".join(step.why) for step in steps(name) if step.why]
    assert [words for words in found.texts.get("p", []) if words in reasons] == reasons
    assert len(found.texts["h1"]) == len(found.texts["section"]) == len(found.all("template")) == 1
    ids = [attributes["id"] for _, attributes in found.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {target.removeprefix("#") for a in found.all("a") if (target := a["href"])} <= set(ids)
    for control in [*found.all("button"), *found.all("input")]:
        assert control["aria-label"]
    assert {"name": "viewport", "content": "width=device-width, initial-scale=1"} in found.all("meta")
    runs = [attributes["data-at"] for _, attributes in found.elements if "data-at" in attributes]
    views = {int(number) for run in runs for number in re.split("[ -]", run)}
    assert views <= set(range(len(steps(name)) + 1))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", EXPLAINED)
def test_a_page_needs_no_other_file(name: str) -> None:
    """A page refers to nothing but itself, and its policy allows nothing but its own script."""
    text = explained(name)
    found = Page(text)
    for tag, attributes in found.elements:
        assert not {"src", "srcset", "data", "action", "xlink:href"} & attributes.keys()
        assert attributes.get("href", "#").startswith("#"), tag
        assert not any(name.startswith("on") for name in attributes)
    assert not re.search(r"@import|url\(|https?://(?!www\.w3\.org/2000/svg)", text)
    [policy] = (meta["content"] for meta in found.all("meta") if meta.get("http-equiv") == "Content-Security-Policy")
    [script] = found.texts["script"]
    assert f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" in policy
    assert policy.startswith("default-src 'none';")


def test_everything_is_escaped() -> None:
    """Whatever titles, tokens and names of rules hold is text."""
    instance = board("tectonic", blocks=[[HOSTILE, HOSTILE], [HOSTILE, "<b>"]], title=HOSTILE)
    found = Page(page(HOSTILE, [explanation_section(instance, list(explain(instance)), [HOSTILE])]))
    assert len(found.all("script")) == len(found.all("style")) == 1
    assert not found.all("img")
    assert not found.all("b") or all(not attributes for attributes in found.all("b"))
    assert found.texts["span"]
    assert HOSTILE in "".join(found.texts["span"] + found.texts["code"] + found.texts["text"] + found.texts["title"])


@pytest.mark.slow
def test_excluded_candidates_are_struck_out() -> None:
    """A number that a step excludes is struck out in its cell."""
    excluding = [step for step in steps("strimko/seven") if step.eliminated]
    assert excluding
    for step in excluding:
        drawing = not_none(step.drawing())
        drawn = ET.fromstring(svg(drawing))  # noqa: S314 (what we have drawn)
        struck = ["".join(element.itertext()) for element in drawn.iter() if "struck" in element.get("class", "")]
        assert sorted(filter(None, struck)) == sorted(str(step.display.meaning[atom][1]) for atom in step.eliminated)


@pytest.mark.parametrize("kind", ["numbers", "shading", "pieces", "lines", "areas"])
@pytest.mark.slow
def test_own_puzzles_have_pages(tmp_path: Path, kind: str) -> None:
    """Puzzles of one's own have pages, too; a label that a step follows from, or that is to blame, has a frame."""
    run("new", "mine", "--kind", kind, where=tmp_path)
    for command in ("explain", "check", "grade"):
        assert len(made(tmp_path, command, "mine/first.toml", "--puzzles", "mine").texts["figure"]) == 1
    if kind == "shading":
        first = tmp_path / "mine" / "first.toml"
        first.write_text(first.read_text(encoding="utf-8").split("solution")[0].replace("2 1 2 1", "2 1 2 4"), "utf-8")
        found = made(tmp_path, "check", "mine/first.toml", "--puzzles", "mine", code=1)
        assert "Without the 4 left of row 4 it has 1 answer." in found.texts["button"]
        assert (marked(found, 0), marked(found, 1)) == (1, 1)


@pytest.mark.slow
def test_pages_are_small() -> None:
    """A hundred steps of a 10x10 take less than 140 kB, and so do those of a hard 9x9 with candidates."""
    assert len(explained("tectonic/ten").encode()) < 140_000
    assert len(explained("sudoku/seventeen").encode()) < 140_000


@pytest.mark.slow
def test_explain_writes_pages(tmp_path: Path) -> None:
    """The page goes to a file or to standard output; several boards are sections of one page."""
    found = made(tmp_path, "explain", "tectonic/seed", "strata/seed")
    assert [section["id"] for section in found.all("section")] == ["b1", "b2"]
    assert [a["href"] for a in found.all("a")][:2] == ["#b1", "#b2"]
    done = run("explain", "strata/seed", "--html", "-", where=tmp_path, extra={"PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stdout.count("<section")) == (0, 1)
    Page(done.stdout)


MISTAKE = 'puzzle = "sudoku"\ngivens = """\n1 . . 1\n. . . .\n. 3 . .\n. . . 2\n"""\n'


def marked(found: Page, view: int) -> int:
    """Return how many cells of all boards of a page are marked in a view."""
    pictures = re.findall(r"<svg xmlns.*?</svg>", found.text, re.DOTALL)
    return sum(number_of("marked", parts(picture, view)) for picture in pictures)


def test_pages_show_two_answers_side_by_side(tmp_path: Path) -> None:
    """Two answers are side by side, with the cells marked in which they differ, and what would leave one answer."""
    write(tmp_path, {"four.toml": FOUR})
    found = made(tmp_path, "check", "four.toml", code=1)
    assert len(found.texts["figure"]) == 2
    [differ] = re.findall("which differ in ([0-9]+) cells", found.text)
    assert marked(found, 0) == 2 * int(differ)
    [remark] = (words for words in found.texts["button"] if words.startswith("With "))
    assert marked(found, 1) == 2 * remark.count("row ")


def test_pages_mark_clues_whose_removal_helps(tmp_path: Path) -> None:
    """Each clue whose removal helps is marked, alone where its sentence is pointed at."""
    write(tmp_path, {"none.toml": MISTAKE})
    found = made(tmp_path, "check", "none.toml", code=1)
    assert [words for words in found.texts["button"] if words.startswith("Without")] == [
        "Without the 1 in row 1, column 1 it has 3 answers.",
        "Without the 1 in row 1, column 4 it has 3 answers.",
    ]
    assert [marked(found, view) for view in range(3)] == [2, 1, 1]


def test_pages_name_the_rules_that_an_answer_breaks(tmp_path: Path) -> None:
    """Of an answer, each broken rule is in words, with its name; its cells have the words too."""
    write(tmp_path, {"four.toml": FOUR, "mine.txt": "1 2 . .\n. . . .\n. . . .\n1 . . 1\n"})
    found = made(tmp_path, "check", "four.toml", "--answer", "mine.txt", code=1)
    assert found.texts["code"] == ["once(col(1),1)", "once(row(4),1)"]
    assert [marked(found, view) for view in range(3)] == [1, 2, 2]  # what to take back; the cells of each rule
    column, row = "row 1, column 1; row 4, column 1", "row 4, column 1; row 4, column 4"
    assert f"column 1 has more than one 1: {column}\nrow 4 has more than one 1: {row}" in found.texts["title"]


@pytest.mark.parametrize("name", ["strata/stuck", "strata/seed", "strips/final", "strimko/zigzag", "sudoku/easy"])
def test_every_verdict_is_a_page(tmp_path: Path, name: str) -> None:
    """Every verdict is a page with a board, and shows itself in a notebook."""
    verdict = check(only(name))
    found = made(tmp_path, "check", name, code=int(verdict.status not in {"unique", "solvable"}))
    assert verdict.words in found.texts["p"]
    assert len(found.texts["figure"]) == max(1, len(verdict.answers))
    shown = Page(verdict._repr_html_())
    assert shown.texts["p"][0] == verdict.words
    assert len(shown.all("svg")) == len(verdict.drawings())
    assert verdict.drawing() == verdict.drawings()[0]


@pytest.mark.slow
def test_a_page_of_a_grade_has_a_chart(tmp_path: Path) -> None:
    """A grade has its steps, and a chart in which each bar leads to its step."""
    found = made(tmp_path, "grade", "strimko/six")
    number = sum(step.kind != "end" for step in steps("strimko/six"))
    bars = [a["href"] for a in found.all("a") if a.get("tabindex") == "-1"]
    assert bars == [f"#b1-s{step}" for step in range(1, number + 1)]
    words = run("grade", "strimko/six", where=tmp_path).stdout.splitlines()
    assert found.texts["p"][: len(words) - 1] == words[1:]


def test_a_page_without_a_grade_says_why(tmp_path: Path) -> None:
    """A board without an answer has no grade and no steps, but a page."""
    write(tmp_path, {"none.toml": MISTAKE})
    assert "No grade: there is no answer" in made(tmp_path, "grade", "none.toml", code=1).texts["p"]


def test_a_notebook_shows_a_count() -> None:
    """A count shows itself with what it counts, and is a number still."""
    assert count(one(FOUR))._repr_html_() == "<p>72 answers</p>"
    assert count(one(FOUR), limit=10)._repr_html_() == "<p>at least 10 answers</p>"


def test_pages_say_that_time_ran_out(tmp_path: Path) -> None:
    """If time runs out, the page has what was found, and says so."""
    text = dumps(only("sudoku/large"), "toml")
    done = run("explain", "-", "--html", "x.html", "--timeout", "0", where=tmp_path, stdin=text)
    assert done.returncode == 3
    assert "Out of time." in Page((tmp_path / "x.html").read_text(encoding="utf-8")).texts["span"]


@pytest.mark.slow
def test_an_interrupted_page_has_what_was_found(tmp_path: Path) -> None:
    """After Ctrl-C, the page has what was found until then."""
    write(tmp_path, {"mine.lp": "fine :- unheard(1).\n"})
    arguments = ("explain", "tectonic/seed", "-", "--html", "x.html", "--extra", "mine.lp")
    with start(*arguments, where=tmp_path, stdin=subprocess.PIPE) as command:
        assert b"warning" in command.stderr.readline()  # about the first board, which is done; now it waits for another
        command.send_signal(signal.SIGINT)
        assert command.wait(30) == 130
    assert len(Page((tmp_path / "x.html").read_text(encoding="utf-8")).texts["section"]) == 1
