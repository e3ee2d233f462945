"""Pages in a real browser: stepping by button, key, slider and list, playing, printing, themes, phones, no script.

They need Chromium, its driver and selenium, and are skipped where one is missing.
"""

from __future__ import annotations  # selenium need not be there

import os
import re
from base64 import b64decode
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pyasp_puzzles import board, check, explain, review
from pyasp_puzzles.cli.check import check_review_section, check_verdict_section
from pyasp_puzzles.explanation.pages import explanation_section
from pyasp_puzzles.render.pages import PageSection, page
from pyasp_puzzles.render.svg import Drawing, svg

from .chromium import CHROMIUM, DRIVER, chrome, find, press, resize
from .documents import STEP_PAGE, step_page
from .helpers import CHECKOUT, FOUR, one, only, read, steps

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

# Keys, as WebDriver has them.
SHIFT, TAB, ENTER, END, HOME, LEFT, RIGHT, DOWN = "\ue008\ue004\ue007\ue010\ue011\ue012\ue014\ue015"
STEPS = 10
FRAMES = (
    "[...document.querySelectorAll('figure .marked, figure .premise')].filter(e => e.getClientRects().length)"
    ".map(e => [e.classList[0], e.x.baseVal.value, e.y.baseVal.value])"
)
# What is seen of a step: its number, its sentence, its number in the list, whether that is in view, and its frames.
STATE = (
    "const text = (selector) => document.querySelector(selector).textContent;"
    "const current = document.querySelector('li[aria-current=step]');"
    "const [item, list] = [current, current.parentElement].map((one) => one.getBoundingClientRect());"
    "return [text('.now b'), text('.now span'), text('li[aria-current=step] b'),"
    f" list.top <= item.top && (item.bottom <= list.bottom || item.height > list.height), {FRAMES}];"
)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not CHROMIUM or not DRIVER, reason="needs Chromium and its driver: apt-get install chromium-driver"
    ),
]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """Return a browser."""
    with chrome(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


def explained(name: str) -> PageSection:
    """Return the section of a board that ships."""
    return explanation_section(only(name), steps(name))


def show(browser: Chrome, place: Path, sections: Sequence[PageSection], hash_: str = "", wide: int = 1200) -> None:
    """Open a page of these sections."""
    (place / "page.html").write_text(page("A title", sections), encoding="utf-8")
    resize(browser, wide)
    browser.get("about:blank")
    browser.get(f"{(place / 'page.html').as_uri()}{hash_}")


def at(browser: Chrome) -> str:
    """Return which step is shown: "Step 3 of 12"."""
    return find(browser, ".now b").text


def frames_of(browser: Chrome) -> set[tuple[str, float, float]]:
    """Return the kind and the place of each frame that is seen on the board."""
    return {(kind, x, y) for kind, x, y in browser.execute_script(f"return {FRAMES}")}


def frames_in(drawing: Drawing | None) -> set[tuple[str, float, float]]:
    """Return the same for a drawing."""
    assert drawing
    found = re.findall(r'<rect class="(marked|premise)[^"]*" x="([\d.]+)" y="([\d.]+)"', svg(drawing))
    return {(kind, float(x), float(y)) for kind, x, y in found}


@pytest.mark.parametrize(
    ("name", "way"),
    [("tectonic/seed", "button"), ("tectonic/seed", "key"), ("strips/final", "slider"), ("strimko/six", "list")],
)
def test_steps_show_their_sentence_and_frames_both_ways(browser: Chrome, tmp_path: Path, name: str, way: str) -> None:
    """Each of ten steps has its sentence, its place in the list, and its frames; and so on the way back."""
    show(browser, tmp_path, [explained(name)])
    links = browser.find_elements("css selector", "ol a")

    def go(number: int, *, on: bool) -> None:
        if way == "button":
            find(browser, f"[data-go={'on' if on else 'back'}]").click()
        elif way == "key":
            press(browser, RIGHT if on else LEFT)
        elif way == "slider":
            find(browser, "input").send_keys(RIGHT if on else LEFT)
        else:
            links[number].click()

    assert at(browser) == "Start"
    for on in (True, False):
        for number in range(1, STEPS + 1) if on else range(STEPS - 1, 0, -1):
            go(number, on=on)
            step = steps(name)[number - 1]
            label, words, listed, in_view, frames = browser.execute_script(STATE)
            assert label == f"Step {number} of {len(steps(name)) - 1}"
            assert (words, listed, in_view) == (step.words, str(number), True)
            assert {tuple(frame) for frame in frames} == frames_in(step.drawing())
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]


def test_keys_move_through_the_steps(browser: Chrome, tmp_path: Path) -> None:
    """Home and End, space to play and to pause; the focus stays where it was; arrows go through the list."""
    from selenium.webdriver.support.wait import WebDriverWait

    show(browser, tmp_path, [explained("strata/seed")])
    last = len(steps("strata/seed"))
    press(browser, END)
    assert at(browser) == "End"
    press(browser, RIGHT)
    assert at(browser) == "End"
    press(browser, HOME)
    assert at(browser) == "Start"
    press(browser, " ")
    assert find(browser, "[data-go=play]").get_attribute("aria-label") == "Pause"
    assert find(browser, ".now").get_attribute("aria-live") == "off"
    WebDriverWait(browser, 20).until(lambda _: at(browser) == "Step 1 of 6")
    press(browser, " ")
    assert find(browser, "[data-go=play]").get_attribute("aria-label") == "Play"
    assert find(browser, ".now").get_attribute("aria-live") == "polite"
    press(browser, *[TAB] * 6)  # five buttons, the slider
    assert browser.switch_to.active_element.get_attribute("type") == "range"
    press(browser, TAB, DOWN)
    assert browser.switch_to.active_element.find_element("tag name", "b").text == "2"
    assert at(browser) == "Step 2 of 6"
    outline = browser.execute_script("return getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    assert last == len(browser.find_elements("css selector", "li")) - 1


def test_reasons_are_shown_when_asked_for(browser: Chrome, tmp_path: Path) -> None:
    """The reasons of a step are shown when they are asked for, and then those of the steps after it; by key, too."""
    first, second, *_ = (step for step in steps("tectonic/seed") if step.why)
    show(browser, tmp_path, [explained("tectonic/seed")], f"#b1-s{first.number}")
    assert not find(browser, ".now details p").is_displayed()
    find(browser, ".now summary").click()
    assert find(browser, ".now details p").text.split("\n") == list(first.why)
    press(browser, *[RIGHT] * (second.number - first.number))
    assert at(browser).startswith(f"Step {second.number} ")
    assert find(browser, ".now details p").text.split("\n") == list(second.why)
    find(browser, ".now summary").send_keys(" ")
    assert not find(browser, ".now details p").is_displayed()
    assert at(browser).startswith(f"Step {second.number} ")


def test_play_to_the_end(browser: Chrome, tmp_path: Path) -> None:
    """Playing goes on by itself, and ends at the end."""
    from selenium.webdriver.support.wait import WebDriverWait

    show(browser, tmp_path, [explained("strata/seed")], "#b1-s6")
    assert at(browser) == "Step 6 of 6"
    find(browser, "[data-go=play]").click()
    WebDriverWait(browser, 20).until(lambda _: at(browser) == "End")
    assert find(browser, "[data-go=play]").get_attribute("aria-label") == "Play"


def test_an_address_names_a_step(browser: Chrome, tmp_path: Path) -> None:
    """An address opens a step of a board; the links above choose the board, and only one is seen."""
    show(browser, tmp_path, [explained("strata/seed"), explained("tectonic/seed")], "#b2-s5")
    first, second = browser.find_elements("css selector", "section")
    assert (first.is_displayed(), second.is_displayed()) == (False, True)
    assert second.find_element("css selector", ".now b").text.startswith("Step 5 of")
    find(browser, "nav a").click()
    assert (first.is_displayed(), second.is_displayed()) == (True, False)
    press(browser, RIGHT)
    assert first.find_element("css selector", ".now b").text == "Step 1 of 6"


@pytest.mark.parametrize("name", ["tectonic/ten", "strata/seed", "strips/final", "strimko/six"])
def test_pages_fit_any_screen(browser: Chrome, tmp_path: Path, name: str) -> None:
    """Wide or narrow, light or dark, there is a picture; nothing is wider than a phone; buttons are large."""
    show(browser, tmp_path, [explained(name)], "#b1-s3")
    for wide in (1200, 360):
        pictures = []
        for dark in (False, True):
            resize(browser, wide, dark=dark)
            pictures.append(browser.get_screenshot_as_png())
            color = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
            assert color == ("rgb(27, 27, 29)" if dark else "rgb(255, 255, 255)")
        assert min(map(len, pictures)) > 10_000  # a blank one has some 3 000 bytes
        assert pictures[0] != pictures[1]
        assert browser.execute_script("return document.documentElement.scrollWidth") == wide
        board_ = find(browser, "figure svg").rect
        assert board_["width"] <= wide
        for place in browser.execute_script(
            "return [...document.querySelectorAll('.controls button, .controls input')]"
            ".map(e => e.getBoundingClientRect().toJSON())"
        ):
            assert place["height"] >= 44
            assert place["right"] <= wide
    assert find(browser, ".now span").rect["y"] < 800  # the sentence is seen below the board


def test_a_hundred_steps_print_on_a_few_pages(browser: Chrome, tmp_path: Path) -> None:
    """A hundred steps print on a few pages, with every sentence; two boards begin a page each."""
    show(browser, tmp_path, [explained("tectonic/ten")])
    printed = b64decode(browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})["data"])
    assert printed.startswith(b"%PDF")
    assert 2 <= pages(printed) <= 8
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    seen = browser.execute_script("return [...document.querySelectorAll('li')].filter(e => e.checkVisibility()).length")
    assert seen == len(steps("tectonic/ten")) + 1 + sum(len(step.listed) for step in steps("tectonic/ten"))
    assert not find(browser, ".controls").is_displayed()
    show(browser, tmp_path, [explained("strata/seed"), explained("tectonic/seed")])
    printed = b64decode(browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})["data"])
    assert pages(printed) >= 2


def pages(printed: bytes) -> int:
    """Return how many pages a PDF has."""
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", printed))


def test_without_script_all_sentences_are_there(browser: Chrome, tmp_path: Path) -> None:
    """Without JavaScript, the board and all sentences are there."""
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        show(browser, tmp_path, [explained("strata/seed"), explained("tectonic/seed")])
        nodes = browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    names = [node.get("name", {}).get("value", "") for node in nodes if not node["ignored"]]
    for name in ("strata/seed", "tectonic/seed"):
        assert {step.words for step in steps(name)} <= set(names)
    assert sum(node.get("role", {}).get("value") in {"image", "img"} for node in nodes) >= 2
    assert "Play" not in names


def test_pointing_at_a_sentence_marks_its_cells(browser: Chrome, tmp_path: Path) -> None:
    """Pointing at a sentence, or reaching it by key, marks its cells alone; pressing it keeps them; and vice versa."""
    from selenium.webdriver import ActionChains

    instance = one(FOUR)
    answer = read(instance, "1 2 . .\n. . . .\n. . . .\n1 . . 1")
    show(browser, tmp_path, [check_review_section(instance, answer, review(instance, answer))])
    column, row = browser.find_elements("css selector", "li button")
    to_take_back = frames_in(answer.drawing([(4, 1)]))
    assert frames_of(browser) == to_take_back
    ActionChains(browser).move_to_element(column).perform()
    assert frames_of(browser) == frames_in(answer.drawing([(1, 1), (4, 1)]))
    ActionChains(browser).move_to_element(find(browser, "h1")).perform()
    assert frames_of(browser) == to_take_back
    press(browser, TAB, TAB)
    assert browser.switch_to.active_element == row
    assert frames_of(browser) == frames_in(answer.drawing([(4, 1), (4, 4)]))
    press(browser, ENTER, TAB)
    assert row.get_attribute("aria-pressed") == "true"
    assert frames_of(browser) == frames_in(answer.drawing([(4, 1), (4, 4)]))
    press(browser, SHIFT, TAB)
    row.click()
    ActionChains(browser).move_to_element(browser.find_elements("css selector", "figure .tooltip")[0]).perform()
    pointed = [button.get_attribute("class") for button in (column, row)]
    assert "pointed" in pointed


def test_two_answers_are_side_by_side_on_wide_screens(browser: Chrome, tmp_path: Path) -> None:
    """Two answers are side by side on a wide screen, and below one another on a phone."""
    show(browser, tmp_path, [check_verdict_section(check(one(FOUR)))])
    first, second = browser.find_elements("css selector", "figure")
    assert first.rect["y"] == second.rect["y"]
    resize(browser, 360)
    assert first.rect["y"] < second.rect["y"]
    assert browser.execute_script("return document.documentElement.scrollWidth") == 360


def test_hostile_words_are_shown_as_text(browser: Chrome, tmp_path: Path) -> None:
    """Whatever a board holds is shown as text, and nothing of it runs."""
    hostile = "</script></style><script>document.title='run'</script><img/src=x/onerror=document.title='run'>"
    instance = board("tectonic", blocks=[[hostile, hostile], [hostile, "<b>"]], title=hostile)
    show(browser, tmp_path, [explanation_section(instance, list(explain(instance)), [hostile])])
    assert browser.title == "A title"
    assert find(browser, ".lead p").text == hostile
    assert at(browser) == "Start"
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]


def test_words_light_up_cells(browser: Chrome, tmp_path: Path) -> None:
    """Words of a sentence that name cells light these up while they are pointed at; a tap keeps them lit."""
    from selenium.webdriver import ActionChains

    step = next(step for step in steps("sudoku/easy") if step.words.startswith("Box "))
    box = step.words.partition(" needs")[0]
    ((cell, _),) = (step.display.meaning[atom] for atom in step.placed)
    show(browser, tmp_path, [explained("sudoku/easy")], f"#{step.number}")
    assert find(browser, ".now span").text == step.words
    words = {place.text: place for place in browser.find_elements("css selector", ".now span .place")}
    assert {f"row {cell[0]}, column {cell[1]}", box} <= words.keys()
    lit = "return [...document.querySelectorAll('.boards .lit')].map(e => [e.y.baseVal.value, e.x.baseVal.value])"

    def cells() -> list[tuple[int, ...]]:
        return sorted(tuple(int(place // 40) + 1 for place in places) for places in browser.execute_script(lit))

    assert cells() == []
    ActionChains(browser).move_to_element(words[box]).perform()
    top, left = (part - (part - 1) % 3 for part in cell)
    assert cells() == [(r, c) for r in range(top, top + 3) for c in range(left, left + 3)]
    ActionChains(browser).move_to_element(find(browser, "h1")).perform()
    assert cells() == []
    words[f"row {cell[0]}, column {cell[1]}"].click()
    ActionChains(browser).move_to_element(find(browser, "h1")).perform()
    assert cells() == [cell]
    press(browser, RIGHT)
    assert cells() == []


def test_links_light_up_their_cells(browser: Chrome, tmp_path: Path) -> None:
    """The links of a step are a numbered list; the cells of a link light up while it is pointed at."""
    from selenium.webdriver import ActionChains

    section = explained("sudoku/easy")
    links = [("Two numbers are left there.", [(1, 2), (1, 3)]), ("Row 5, column 6 would be 7 (from 1).", [(5, 6)])]
    slides = [replace(slide, links=links if slide.label == "2" else ()) for slide in section.slides]
    show(browser, tmp_path, [replace(section, slides=slides)], "#2")
    items = browser.find_elements("css selector", ".now > ol > li")
    assert [item.text for item in items] == [words for words, _ in links]
    assert not any(item.is_displayed() for item in browser.find_elements("css selector", ".text > ol ol"))
    lit = "return [...document.querySelectorAll('.boards .lit')].map(e => [e.y.baseVal.value, e.x.baseVal.value])"
    for item, (_, cells) in zip(items, links, strict=True):
        ActionChains(browser).move_to_element_with_offset(item, 40, 0).perform()
        places = sorted(tuple(int(place // 40) + 1 for place in places) for places in browser.execute_script(lit))
        assert places == cells
    press(browser, RIGHT)
    assert not browser.find_elements("css selector", ".now > ol")


def test_the_address_keeps_the_step(browser: Chrome, tmp_path: Path) -> None:
    """The address names the step that is shown, and leads there again; `#7` opens step 7."""
    show(browser, tmp_path, [explained("tectonic/seed")], "#7")
    assert at(browser).startswith("Step 7 of")
    press(browser, RIGHT, RIGHT)
    assert browser.current_url.endswith("#9")
    browser.refresh()
    assert at(browser).startswith("Step 9 of")
    browser.execute_script("location.hash = '#3'")
    assert at(browser).startswith("Step 3 of")
    show(browser, tmp_path, [explained("strata/seed"), explained("tectonic/seed")], "#2-4")
    assert [one.is_displayed() for one in browser.find_elements("css selector", "section")] == [False, True]
    press(browser, LEFT)
    assert browser.current_url.endswith("#2-3")


def test_the_sentence_stands_under_the_board(browser: Chrome, tmp_path: Path) -> None:
    """On a phone, the sentence of a step is right under the board, above the buttons, and on the first screen."""
    show(browser, tmp_path, [explained("strimko/six")], "#7", wide=390)
    board_, words, buttons = (find(browser, name).rect for name in (".boards", ".now", ".controls"))
    assert 0 <= words["y"] - (board_["y"] + board_["height"]) < 30
    assert words["y"] + words["height"] <= buttons["y"] + 1
    assert buttons["y"] + buttons["height"] <= 800


def test_print_has_a_picture_for_each_sentence(browser: Chrome, tmp_path: Path) -> None:
    """On paper, each sentence has the picture of its step above it; on the screen, there is one again."""
    from selenium.webdriver.support.wait import WebDriverWait

    show(browser, tmp_path, [explained("strata/seed")])
    before = len(browser.find_elements("css selector", "figure"))
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    wait = WebDriverWait(browser, 20)
    pictures = wait.until(lambda _: browser.find_elements("css selector", "li figure svg"))
    assert len(pictures) == len(steps("strata/seed")) + 1
    assert all(picture.is_displayed() for picture in pictures)
    marked = "return [...document.querySelectorAll('li')].map(e => e.querySelectorAll('figure .marked').length)"
    drawn = [drawing for step in steps("strata/seed") if (drawing := step.drawing())]
    assert browser.execute_script(marked)[1 : len(drawn) + 1] == [
        len(frames_in(drawing)) - len([1 for kind, *_ in frames_in(drawing) if kind == "premise"]) for drawing in drawn
    ]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    wait.until(lambda _: len(browser.find_elements("css selector", "figure")) == before)


@pytest.mark.parametrize(("host", "paper"), [("true", "rgb(255, 255, 255)"), ("false", "rgb(27, 27, 29)")])
def test_the_theme_of_a_notebook(browser: Chrome, tmp_path: Path, host: str, paper: str) -> None:
    """In a notebook, pictures have its theme, whatever that of the system is."""
    shown = next(iter(steps("strimko/six")))._repr_html_()
    page_ = f"<!doctype html><body data-jp-theme-light={host}>{shown}"
    (tmp_path / "notebook.html").write_text(page_, encoding="utf-8")
    browser.get((tmp_path / "notebook.html").as_uri())
    for dark in (False, True):
        resize(browser, 800, dark=dark)
        color = browser.execute_script("return getComputedStyle(document.querySelector('.paper')).fill")
        assert color == paper


def test_pictures_have_names(browser: Chrome, tmp_path: Path) -> None:
    """Each picture has a name of its own for screen readers, and each page one main part."""
    show(browser, tmp_path, [check_verdict_section(check(one(FOUR)))])
    names = [picture.get_attribute("aria-label") for picture in browser.find_elements("css selector", "svg[role=img]")]
    assert len(names) == len(set(names)) == 2
    assert all(names)
    assert len(browser.find_elements("css selector", "main")) == 1


def test_axe_finds_no_fault(browser: Chrome, tmp_path: Path) -> None:
    """axe-core, if AXE is its path, finds nothing wrong with pages of steps and of two answers, and with a book."""
    from pyasp_puzzles.render.book import BookExercise, book

    script = os.environ.get("AXE")
    if script is None:
        pytest.skip("needs axe-core: npm install axe-core, and AXE=node_modules/axe-core/axe.min.js")
    axe = Path(script).read_text(encoding="utf-8")
    ask = "axe.run().then(found => arguments[0](found.violations.map(one => `${one.id} ${one.nodes[0].html}`)))"
    boards = [explained("strimko/six"), check_verdict_section(check(one(FOUR)))]
    exercise = BookExercise("Six", "strimko", "A rule.", only("strimko/six").drawing())
    printed = book("A book", [exercise], large=True, notes=True)
    for text in (page("Steps", boards[:1]), page("Two", boards), printed):
        (tmp_path / "page.html").write_text(text, encoding="utf-8")
        browser.get("about:blank")
        browser.get((tmp_path / "page.html").as_uri())
        for wide, dark in ((1200, False), (390, True)):
            resize(browser, wide, dark=dark)
            browser.execute_script(axe)
            assert browser.execute_async_script(ask) == []


def test_the_picture_of_the_readme() -> None:
    """The picture of a step page is as its command makes it: a PNG of that size."""
    now = step_page()
    assert now[:24] == (CHECKOUT / STEP_PAGE).read_bytes()[:24]  # its signature, width and height
    assert len(now) > 20_000
