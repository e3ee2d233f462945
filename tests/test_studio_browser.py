"""The studio in a real browser, walked through as people would: playing, rules, answers, setting, steps, new boards.

They need Chromium, its driver, selenium and the extra studio, and are skipped where one is missing.
"""

from __future__ import annotations  # selenium need not be there

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import pyasp_puzzles
from pyasp_puzzles import load, loads, solve
from pyasp_puzzles.model.keys import TOOLS
from pyasp_puzzles.puzzles import declaration, templates
from pyasp_puzzles.puzzles.declaration import variants_in
from pyasp_puzzles.puzzles.lines import Lines
from pyasp_puzzles.render.svg import svg

from .chromium import STUDIO, chrome, find, press, resize
from .helpers import CHECKOUT, INSTANCES
from .strategies import TIMES
from .studio import Studio, studio

if TYPE_CHECKING:
    from selenium.webdriver import Chrome
    from selenium.webdriver.remote.webelement import WebElement

pytestmark = STUDIO

# Keys, as WebDriver has them.
SHIFT, CONTROL, ENTER, DELETE, ALT, ESCAPE = "\ue008\ue009\ue007\ue017\ue00a\ue00c"
HOME, LEFT, UP, RIGHT, DOWN, END = "\ue011\ue012\ue013\ue014\ue015\ue010"
PAGE = Path(pyasp_puzzles.__file__).parent / "studio" / "page"
DOCUMENT = CHECKOUT / "docs" / "studio.md"
MODES = ("play", "set", "rules")
# The boards in progress on the front page.
CONTINUE = "#progress .tile"
FOUR = "puzzle = 'sudoku'\ntitle = 'Small'\ngivens = '''\n1 . . .\n. . 3 .\n. 4 . .\n. . . 2\n'''"
EMPTY = "puzzle = 'sudoku'\ntitle = 'Empty'\ngivens = '''\n" + f"{'. ' * 9}\n" * 9 + "'''"
SHADES = "puzzle = 'shades'\ntitle = 'Shades'\nsize = [4, 4]\nlabels = { left = '2 1 2 1', top = '0 2 2 2' }\n"
SHADED = [". x . x", ". . x .", ". x . x", ". . x ."]
POSSIBLE = "//button[@id='candidates']"
SMALL = "puzzle = 'sudoku'\ntitle = 'Open'\ngivens = '''\n1 2 3 4\n3 4 1 2\n. . . .\n. . . .\n'''"

# A puzzle with keys of each kind, and rules that leave all open.
EVERYTHING = """
summary = "Each cell holds a number."
cell = "cell(R, C)"
[answer]
kind = "numbers"
output = "value(R, C, V)"
range = "1..rows"
[keys]
givens = { kind = "givens", fact = "given(R, C, V)" }
hints = { kind = "numbers", fact = "hint(R, C, N)" }
blocks = { kind = "regions", fact = "block(R, C, B)", required = true }
spots = { kind = "regions", fact = "spot(R, C, B)", every = false }
colors_of = { kind = "colors", fact = "tile(R, C, K)" }
signs = { kind = "signs", fact = "sign(R, C, Y, X, S)", across = ["<", ">"], down = ["^", "v"] }
labels = { kind = "outside", fact = "label(S, I, J, N)", several = true }
tops = { kind = "outside", fact = "top(S, I, N)", sides = ["top"] }
totals = { kind = "sums", fact = "total(B, N)", of = "blocks" }
most = { kind = "number", fact = "most(N)" }
digits_of = { kind = "digits", fact = "digit(V)" }
words = { kind = "patterns", fact = "word(I, J, K)" }
remarks = { kind = "notes" }
arrows = { kind = "paths", fact = "arrow(I, J, R, C)", head = "head(I, K, R, C)", value = "number(I, N)" }
rings = { kind = "paths", fact = "ring(I, J, R, C)", closed = "closed(I)" }
cages = { kind = "cages", fact = "cage(I, J, R, C)", value = "sum(I, N)" }
clones = { kind = "groups", fact = "clone(I, G, J, R, C)" }
dots = { kind = "pairs", fact = "dot(R, C, Y, X, N)" }
larger = { kind = "pairs", fact = "larger(R, C, Y, X)" }
letters = { kind = "pairs", fact = "letter(R, C, Y, X, N)", tokens = ["X", "V"] }
corners = { kind = "corners", fact = "corner(R, C, N, K)" }
odd = { kind = "marks", fact = "odd(R, C)" }
notes_of = { kind = "candidates", fact = "note(R, C, N)" }
views = { kind = "sights", fact = "view(I, N)", line = "seen(I, J, R, C)" }
diagonals = { kind = "sights", fact = "diagonal(I, N)", line = "along(I, J, R, C)", directions = "diagonals" }
"""
ANYTHING = "{ value(R, C, 1..N) : N = #max { Y : cell(Y, _) } } = 1 :- cell(R, C). #show value/3."
# Uses the tool of each key on cells of a small board, and asks the server for the board that this makes.
EVERY_TOOL = """
const [puzzles, variants, done] = arguments;
const tools = await import("/page/tools.js");
const { edit, state } = await import("/page/state.js");
const { ask } = await import("/page/ask.js");
const board = async (question) => {
  const found = await ask(JSON.stringify(question), { entries: "", ...question });
  return found.records.find(({ kind }) => kind === "board") ?? { error: found.error.words };
};
const typed = {
  number: (one) => tools.number(one, "1", ["r1c1"]),
  crossing: (one) => tools.put(one, ["r1c1"], 2),
  outside: (one) => tools.setLabel(one, one.sides[0], 0, "3"),
  sum: (one) => tools.change(one.key, { [Object.keys(tools.regions(one))[0]]: 3 }),
  total: (one) => tools.change(one.key, state.doc.board[one.key] === 1 ? 2 : 1),
  digits: (one) => tools.change(one.key, "1..4"),
  pattern: (one) => tools.editLines(one, (old) => [...old, one.values[0] ?? "w"]),
};
const found = [];
async function use(keys, key) {
  edit((doc) => (doc.board = structuredClone(keys)));
  state.info = await board({ ask: "board", board: keys });
  const one = state.info.schema.find((other) => other.key === key);
  Object.assign(tools.chosen, { token: null, parts: [], pending: "" });
  tools.chosen.token = one.tool === "region" ? null : (tools.choices(one)[0] ?? "a");
  for (const cells of typed[one.tool] ? [] : one.tool === "groups" ? [["r1c1"], ["r2c2"]] : [["r1c1", "r1c2"]]) {
    tools.apply(one, cells, () => {});
  }
  typed[one.tool]?.(one);
  const { pending } = tools.chosen;
  pending && tools.editLines(one, (old) => [...old, tools.withValue(one, pending, "2")]);
  const { error } = await board({ ask: "board", board: state.doc.board });
  const changed = JSON.stringify(state.doc.board[key]) !== JSON.stringify(keys[key]);
  found.push([key, one.tool, changed, error ?? ""]);
}
for (const name of puzzles) {
  const { board: keys, schema } = await board({ ask: "read", new: name, rows: 4, columns: 4 });
  for (const { key } of schema) {
    await use(keys, key);
  }
}
const { board: sudoku } = await board({ ask: "read", new: "sudoku", rows: 4, columns: 4 });
for (const [name, keys] of Object.entries(variants)) {
  for (const key of keys) {
    await use({ ...sudoku, variants: [name] }, key);
  }
}
done(found);
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """Return a studio that runs, and knows a puzzle of shading, and one with a key of each kind."""
    answer, folder = "pyasp_puzzles.studio.questions.answer_question", tmp_path_factory.mktemp("puzzles")
    (folder / "everything").mkdir()
    (folder / "everything" / "puzzle.toml").write_text(EVERYTHING, encoding="utf-8")
    (folder / "everything" / "everything.lp").write_text(ANYTHING, encoding="utf-8")
    templates.new_folder("shades", "shading", folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYASP_PUZZLES", str(folder))
        easy = (INSTANCES / "sudoku" / "easy.toml").read_text(encoding="utf-8")
        with studio(tmp_path_factory.mktemp("studio"), answer=answer, page=str(PAGE), board=easy) as one:
            yield one


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """Return a browser."""
    with chrome(tmp_path_factory.mktemp("profile")) as one:
        yield one


@pytest.fixture
def browser(driver: Chrome, server: Studio) -> Iterator[Chrome]:
    """Return a browser that shows a Sudoku in a new studio; at its end, the page has reported nothing wrong."""
    resize(driver, 1200)
    driver.get(f"http://{server.host}/page/studio.css")
    driver.execute_script("localStorage.clear()")
    driver.get(server.address)
    opened(driver, load("sudoku/easy")[0].title)
    yield driver
    log = driver.get_log("browser")  # type: ignore[no-untyped-call]
    assert [entry for entry in log if "favicon.ico" not in entry["message"]] == []  # asked for beside a style sheet


def until(browser: Chrome, true: Callable[[], object], seconds: float = 15) -> None:
    """Wait until a condition holds."""
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver.support.wait import WebDriverWait

    def holds(_: Chrome) -> bool:
        with suppress(WebDriverException):  # an element may be replaced while it is looked at
            return bool(true())
        return False

    WebDriverWait(browser, seconds, 0.05).until(holds)


def click(browser: Chrome, where: str) -> None:
    """Click on an element, which may be drawn again meanwhile."""

    def clicked() -> bool:
        find(browser, where).click()
        return True

    until(browser, clicked)


def says(browser: Chrome, words: str, where: str = "#says") -> None:
    """Wait until a place on the page says so."""
    until(browser, lambda: words in find(browser, where).text)


def cell(browser: Chrome, row: int, column: int) -> WebElement:
    """Return a cell of the board."""
    return find(browser, f".hit[data-cell=r{row}c{column}]")


def drag(browser: Chrome, *cells: tuple[int, int]) -> None:
    """Drag over cells."""
    from selenium.webdriver import ActionChains

    chain = ActionChains(browser, duration=50).click_and_hold(cell(browser, *cells[0]))
    for one in cells[1:]:
        chain.move_to_element(cell(browser, *one))
    chain.release().perform()


def click_near(browser: Chrome, row: int, column: int, right: float, down: float) -> None:
    """Press so many cells right of and below the middle of a cell."""
    from selenium.webdriver import ActionChains

    place = cell(browser, row, column)
    wide = place.rect["width"]
    ActionChains(browser).move_to_element_with_offset(place, int(right * wide), int(down * wide)).click().perform()


def chord(browser: Chrome, modifier: str, *keys: str) -> None:
    """Press keys while a modifier is held."""
    from selenium.webdriver import ActionChains

    chain = ActionChains(browser).key_down(modifier)
    chain.send_keys(*keys).key_up(modifier).perform()


def button(browser: Chrome, words: str, within: str = "body") -> WebElement:
    """Return the button with these words."""
    return find(browser, within).find_element("xpath", f".//button[normalize-space()='{words}']")


def mode(browser: Chrome, name: str) -> None:
    """Go to another mode."""
    click(browser, f"#modes [data-mode={name}]")


def paste(browser: Chrome, text: str) -> None:
    """Paste a text on the front page, where it is said what it is."""
    click(browser, "#boards")
    script = "const [area, text] = arguments; area.value = text; area.dispatchEvent(new Event('input'))"
    browser.execute_script(script, find(browser, "#anything"), text)
    until(browser, lambda: browser.find_elements("css selector", "#known.good"))


def answers(browser: Chrome) -> None:
    """Press the badge that counts answers."""
    mode(browser, "set")
    says(browser, "answer", ".pill")
    click(browser, "#badge")


def open_text(browser: Chrome, text: str) -> None:
    """Open a pasted board."""
    paste(browser, text)
    click(browser, "#read")
    opened(browser, text.partition("title = '")[2].partition("'")[0])


def open_shipped(browser: Chrome, name: str) -> None:
    """Open a board that ships, found by typing."""
    click(browser, "#boards")
    find(browser, "#find").send_keys(name)
    click(browser, f"[data-board='{name}']")
    opened(browser, load(name)[0].title)


def opened(browser: Chrome, title: str) -> None:
    """Wait until the board with a title is there."""
    says(browser, title, "#title")
    until(browser, lambda: browser.find_elements("css selector", "#stage .hit"))


def label(browser: Chrome, row: int, column: int) -> str:
    """Return what a screen reader says of a cell."""
    return cell(browser, row, column).get_attribute("aria-label") or ""


def entry(browser: Chrome, row: int, column: int) -> str:
    """Return what a screen reader says of the shading of a cell, without the clues beside it."""
    words = label(browser, row, column).partition(": ")[2].partition(",")[0]
    return words if words.endswith("shaded") else "empty"


def focused(browser: Chrome) -> str:
    """Return what a screen reader says of what has the focus."""
    return browser.switch_to.active_element.get_attribute("aria-label") or ""


def lit(browser: Chrome, kind: str = "") -> int:
    """Return how many cells are lit."""
    return len(browser.find_elements("css selector", f".lamp:not(.alike){kind}"))


def board_of(browser: Chrome, key: str) -> object:
    """Return a key of the board, as the page keeps it."""
    ask = "import('/page/state.js').then(({ state }) => arguments[1](state.doc.board[arguments[0]] ?? null))"
    return browser.execute_async_script(ask, key)


# -- Presses --------------------------------------------------------------------------------------------


def test_ten_actions_take_as_few_presses_as_documented(browser: Chrome) -> None:
    """Each action takes as many presses of keys and of the pointer as its document says, no more than elsewhere."""
    from selenium.webdriver import ActionChains

    rows = re.findall(r"^\| ([a-z][^|]+) \| (\d) \| (\d)", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    told = {action: (int(here), int(there)) for action, here, there in rows}
    assert len(told) > 10
    assert all(here <= there for here, there in told.values())
    script = "window.presses = 0; ['keydown', 'pointerdown'].forEach((name) =>"
    browser.execute_script(script + " addEventListener(name, (event) => (window.presses += !event.repeat), true));")
    counted = {}

    def act(action: str, how: Callable[[], object], done: Callable[[], object]) -> None:
        before = browser.execute_script("return window.presses")
        how()
        until(browser, done)
        counted[action] = browser.execute_script("return window.presses") - before

    cell(browser, 1, 1).click()
    act("number", lambda: press(browser, "1"), lambda: label(browser, 1, 1).endswith(": 1"))
    act("undo", lambda: chord(browser, CONTROL, "z"), lambda: label(browser, 1, 1).endswith("empty"))
    act("redo", lambda: chord(browser, CONTROL, "y"), lambda: label(browser, 1, 1).endswith(": 1"))
    act("clear", lambda: press(browser, DELETE), lambda: label(browser, 1, 1).endswith("empty"))
    act("corner mark", lambda: chord(browser, SHIFT, "2"), lambda: label(browser, 1, 1).endswith("marks 2"))
    act("centre mark", lambda: chord(browser, CONTROL, "3"), lambda: label(browser, 1, 1).endswith("marks 2 3"))
    keys = ActionChains(browser).key_down(CONTROL).key_down(SHIFT).send_keys("4").key_up(SHIFT).key_up(CONTROL)
    act("color", keys.perform, lambda: browser.find_elements("css selector", ".under .color"))
    pressed = "[data-marks=corner][aria-pressed=true]"
    act("next way to write", lambda: press(browser, " "), lambda: browser.find_elements("css selector", pressed))
    selected = "#stage [aria-selected=true]"

    def selection(count: int) -> bool:
        return len(browser.find_elements("css selector", selected)) == count

    act("select a row", lambda: drag(browser, (5, 1), (5, 9)), lambda: selection(9))
    twice = ActionChains(browser).double_click(cell(browser, 1, 2))
    act("select equal numbers", twice.perform, lambda: selection(5))
    mode(browser, "set")

    def draw() -> None:
        click(browser, "[data-variant=thermometer]")
        until(browser, lambda: browser.find_elements("css selector", "[data-key=thermometers][aria-pressed=true]"))
        drag(browser, (5, 1), (5, 3))

    act("thermometer, in Set", draw, lambda: board_of(browser, "thermometers") == ["r5c1 r5c2 r5c3"])
    assert counted == {action: here for action, (here, _) in told.items()}


# -- The front page -------------------------------------------------------------------------------------


def test_the_front_page_has_all_puzzles_and_variants(browser: Chrome) -> None:
    """Each puzzle and each variant, in its family, is there with a thumbnail, and is found by typing.

    By day, the screen has place for some of the thumbnails.
    """
    resize(browser, 1200, 3000 if TIMES == 1 else 16000)
    click(browser, "#boards")
    names = {one.name for one in declaration.puzzles()} - {"everything", "shades"}
    wanted = len(names) + len(variants_in())
    seen = (
        "[...document.querySelectorAll('.tile .thumb')].filter((one) => one.getBoundingClientRect().top < innerHeight)"
    )
    until(browser, lambda: len(browser.find_elements("css selector", ".tile .thumb")) >= wanted)
    until(browser, lambda: browser.execute_script(f"return {seen}.every((one) => one.querySelector('svg'))"), 60)
    assert browser.execute_script(f"return {seen}.length") > 20
    told = browser.execute_script("return [...document.querySelectorAll('.tile b')].map((one) => one.textContent)")
    assert {*told} >= {name.replace("-", " ").capitalize() for name in names | variants_in().keys()}
    resize(browser, 1200)
    assert len(browser.find_elements("css selector", ".families h3")) == 6
    assert len(browser.find_elements("css selector", ".families .tile")) == len(variants_in())
    find(browser, "#find").send_keys("thermo")
    found = browser.find_elements("css selector", ".tile b")
    until(browser, lambda: {one.text for one in found if one.is_displayed()} >= {"Thermometer", "Slow thermometer"})
    find(browser, "#find").send_keys("xyz")
    assert "Nothing has these words." in find(browser, "#page").text


def test_the_front_page_says_what_it_recognises(browser: Chrome) -> None:
    """A text is read before it is opened; what cannot be read is said, and a grid is read as what somebody chooses."""
    from selenium.webdriver.support.ui import Select

    paste(browser, "https://puzz.link/p?sudoku/4/4/g1k23k3g")
    assert find(browser, "#known").text == "A Sudoku of 4 \u00d7 4, from an address of puzz.link"
    assert not browser.find_elements("css selector", "#table:not([hidden])")
    script = "const [area, text] = arguments; area.value = text; area.dispatchEvent(new Event('input'))"
    browser.execute_script(script, find(browser, "#anything"), "1 . . .\n. . 3 .\n. 4 . .\n. . . 2")
    until(browser, lambda: browser.find_elements("css selector", "#known.bad, #known.good"))
    if browser.find_elements("css selector", "#as"):
        Select(find(browser, "#as")).select_by_value("futoshiki")
        until(browser, lambda: find(browser, "#known").text.startswith("A Futoshiki"))


def test_a_picture_is_recognised(browser: Chrome) -> None:
    """A picture that is pasted asks what it shows, says what it recognises, and opens."""
    from selenium.webdriver.support.ui import Select

    wanted = load("strata/seed")[0]
    click(browser, "#boards")
    script = """
    const [area, svg, done] = arguments;
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
    image.decode().then(() => {
      const [width, height] = [image.width * 3, image.height * 3];
      const canvas = Object.assign(document.createElement("canvas"), { width, height });
      canvas.getContext("2d").drawImage(image, 0, 0, width, height);
      canvas.toBlob((blob) => {
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File([blob], "board.png", { type: "image/png" }));
        area.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
        done();
      });
    });
    """
    browser.execute_async_script(script, find(browser, "#anything"), svg(wanted.drawing()))
    says(browser, "A picture of a board", "#known")
    until(browser, lambda: browser.find_elements("css selector", "#shows option[value=strata]"))
    Select(find(browser, "#shows")).select_by_value("strata")
    for side, number in zip(("Rows", "Columns"), (3, 3), strict=True):
        find(browser, f".open [aria-label={side}]").send_keys(str(number))
    says(browser, "A Strata of 3 \u00d7 3", "#known")
    click(browser, "#read")
    until(browser, lambda: browser.find_elements("css selector", "#stage .hit"))


def test_boards_in_progress_have_a_picture_and_a_count(browser: Chrome) -> None:
    """Continue has each board that was begun: its thumbnail with what is written, how much that is, and the time."""
    open_text(browser, FOUR)
    cell(browser, 1, 2).click()
    press(browser, "3")
    click(browser, "#boards")
    until(browser, lambda: browser.find_elements("css selector", f"{CONTINUE} .value"))
    assert find(browser, f"{CONTINUE} .value").text == "3"
    assert find(browser, f"{CONTINUE} .facts").text.startswith("1 written")
    browser.back()
    until(browser, lambda: label(browser, 1, 2).endswith(": 3"))
    browser.forward()
    until(browser, lambda: browser.find_elements("css selector", CONTINUE))


def test_solved_boards_are_marked(browser: Chrome) -> None:
    """Continue marks a board that is solved; a record that is damaged does not empty it."""
    open_text(browser, "puzzle = 'sudoku'\ntitle = 'Tiny'\ngivens = \"1 2 3 4\\n3 4 1 2\\n2 1 4 3\\n4 3 2 .\"")
    cell(browser, 4, 4).click()
    press(browser, "1")
    says(browser, "Solved.", "#card")
    damaged = "localStorage.setItem(`pyasp board ${arguments[0]}`, arguments[0])"
    for record in ('{"begun": true}', '{"begun": true, "doc": {"board": {"puzzle": "sudoku"}, "pieces": 3}}', "{"):
        browser.execute_script(damaged, record)
    click(browser, "#boards")
    until(browser, lambda: len(browser.find_elements("css selector", CONTINUE)) == 2)
    assert any("Solved" in one.text for one in browser.find_elements("css selector", f"{CONTINUE} .facts"))


@pytest.mark.parametrize(
    ("words", "board"),
    [
        ("suguru", "tectonic/seed"),
        ("light up", "akari/seven"),
        ("16x16", "sudoku/large"),
        ("sudoku easy", "sudoku/easy"),
    ],
)
def test_boards_are_found_by_aliases_and_parts(browser: Chrome, words: str, board: str) -> None:
    """The front page finds boards by other names of their puzzles, by their size, and by words in any order."""
    click(browser, "#boards")
    find(browser, "#find").send_keys(words)
    until(browser, lambda: browser.find_elements("css selector", f"[data-board='{board}']"))


def is_mode(browser: Chrome, name: str) -> bool:
    """Return whether a mode or a page is open."""
    return bool(browser.execute_script("return document.body.dataset.mode === arguments[0]", name))


def test_back_leads_to_the_mode_before(browser: Chrome) -> None:
    """Back and Forward go through the modes of a board, whatever was changed in them, and then leave it."""
    mode(browser, "set")
    cell(browser, 1, 1).click()
    press(browser, "1")
    mode(browser, "rules")
    for go, names in ((browser.back, ("set", "play", "home")), (browser.forward, ("play", "set", "rules"))):
        for name in names:
            go()
            until(browser, partial(is_mode, browser, name))
    assert "1" in label(browser, 1, 1)


def test_a_new_board_is_begun_on_the_front_page(browser: Chrome) -> None:
    """A puzzle and a size lead to an empty board in Set."""
    click(browser, "#boards")
    click(browser, "#door-set")
    until(browser, lambda: browser.find_elements("css selector", "dialog [aria-label=Columns]"))
    for name in ("Rows", "Columns"):
        find(browser, f"dialog [aria-label={name}]").clear()
        find(browser, f"dialog [aria-label={name}]").send_keys("6")
    click(browser, "#begin")
    until(browser, lambda: len(browser.find_elements("css selector", "#stage .hit")) == 36)
    assert find(browser, "body").get_attribute("data-mode") == "set"


# -- Play -----------------------------------------------------------------------------------------------


def test_a_sudoku_is_played(browser: Chrome) -> None:
    """Numbers, corner and centre marks, colors, several cells at once, undo; "solved" when it is."""
    open_text(browser, FOUR)
    cell(browser, 1, 2).click()
    press(browser, "3")
    assert label(browser, 1, 2) == "row 1, column 2: 3"
    press(browser, RIGHT)
    chord(browser, SHIFT, "24")
    assert label(browser, 1, 3) == "row 1, column 3: marks 2 4"
    assert len(browser.find_elements("css selector", ".pencilled")) == 2
    drag(browser, (2, 1), (2, 2))
    press(browser, "c", "24")
    assert [label(browser, 2, c)[-9:] for c in (1, 2)] == ["marks 2 4"] * 2
    press(browser, "v", "4", "7", "z")
    assert len(browser.find_elements("css selector", ".under .color")) == 4
    chord(browser, CONTROL, "z")
    assert len(browser.find_elements("css selector", ".under .color")) == 2
    chord(browser, CONTROL, "y")
    press(browser, "\ue00c")
    press(browser, DELETE)
    assert label(browser, 1, 2) == "row 1, column 2: 3"
    answer = load_answer(FOUR)
    for (row, column), value in answer.items():
        if "given" not in label(browser, row, column):
            cell(browser, row, column).click()
            if not label(browser, row, column).endswith(f": {value}"):
                press(browser, str(value))
    says(browser, "Solved", "#card")


def load_answer(text: str) -> dict[tuple[int, int], object]:
    """Return the answer of a board."""
    found = pyasp_puzzles.solve(pyasp_puzzles.loads(text)[0])
    assert found is not None
    return dict(found.cells())


def test_errors_are_marked_when_asked(browser: Chrome) -> None:
    """A broken rule is said, with its cells, only when it is asked for."""
    open_text(browser, FOUR)
    cell(browser, 1, 2).click()
    press(browser, "1")
    assert lit(browser) == 0
    button(browser, "Check").click()
    until(browser, lambda: lit(browser, ".wrong") > 0)
    says(browser, "Row 1 has more than one 1", "#card")
    assert label(browser, 1, 2).endswith("wrong")
    cell(browser, 3, 3).click()
    press(browser, "2")
    assert not browser.find_elements("css selector", ".card")  # it was about the board as it was
    click(browser, "#check")
    until(browser, lambda: browser.find_elements("css selector", "#back"))
    click(browser, "#back")
    until(browser, lambda: label(browser, 1, 2).endswith("empty"))
    assert label(browser, 3, 3).endswith("empty")
    assert lit(browser) == 0
    chord(browser, CONTROL, "y")
    assert label(browser, 1, 2).endswith(": 1")


def test_marks_that_a_rule_excludes_are_red(browser: Chrome) -> None:
    """Pencil marks that clash with a number in sight are marked with the other errors, and no others are."""
    open_text(browser, FOUR)
    cell(browser, 1, 2).click()
    chord(browser, SHIFT, "13")
    press(browser, RIGHT)
    chord(browser, CONTROL, "34")
    excluded = ".pencilled .excluded, text.excluded"
    assert not browser.find_elements("css selector", excluded)
    switch(browser, "Mark errors at once")
    until(browser, lambda: len(browser.find_elements("css selector", excluded)) == 2)
    assert label(browser, 1, 2) == "row 1, column 2: marks 1 3, excluded 1"
    assert label(browser, 1, 3) == "row 1, column 3: marks 3 4, excluded 3"
    chord(browser, CONTROL, "2")
    says_label(browser, 1, 3, "marks 2 3 4, excluded 3")
    cell(browser, 2, 1).click()
    press(browser, "2")
    cell(browser, 2, 2).click()
    press(browser, "x", "24", "z")
    says_label(browser, 2, 2, "marks 2 4, excluded 2 4")
    switch(browser, "Mark errors at once")
    says_label(browser, 2, 2, "marks 2 4")


def switch(browser: Chrome, words: str) -> None:
    """Press a switch of the menu."""
    click(browser, "#more")
    browser.find_element("xpath", f"//dialog//button[starts-with(normalize-space(), '{words}')]").click()
    click(browser, "dialog [aria-label=Close]")


def test_a_number_strikes_marks(browser: Chrome) -> None:
    """Marks that a written number excludes go, if somebody likes that, in one step of undo with it."""
    open_text(browser, FOUR)
    switch(browser, "Numbers strike marks")
    cell(browser, 1, 2).click()
    chord(browser, CONTROL, "23")
    cell(browser, 1, 3).click()
    press(browser, "2")
    says_label(browser, 1, 2, "marks 3")
    chord(browser, CONTROL, "z")
    says_label(browser, 1, 2, "marks 2 3")
    says_label(browser, 1, 3, "empty")


def test_digits_that_are_left_are_counted(browser: Chrome) -> None:
    """A key says how many of its number are left, until it is done."""
    open_text(browser, FOUR)
    assert button_of(browser, "1").text.split() == ["1", "3", "left"]
    for row, column in ((2, 4), (3, 3), (4, 2)):
        cell(browser, row, column).click()
        press(browser, "1")
    assert button_of(browser, "1").text.split() == ["1", "done"]


def button_of(browser: Chrome, name: str) -> WebElement:
    """Return the key of a number."""
    return find(browser, f".pad [data-key='{name}']")


def test_the_clock_starts_with_the_first_move(browser: Chrome) -> None:
    """Nobody's time runs while the board is only looked at; it runs from the first entry on."""
    open_text(browser, FOUR)
    browser.set_script_timeout(30)
    browser.execute_async_script("setTimeout(arguments[0], 2200)")
    assert find(browser, ".clock").text == "00:00"
    cell(browser, 1, 2).click()
    press(browser, "3")
    until(browser, lambda: find(browser, ".clock").text != "00:00")


def test_keys_are_listed(browser: Chrome) -> None:
    """A question mark lists the keys; H asks for a hint and for more of it, K checks."""
    open_text(browser, FOUR)
    press(browser, "?")
    says(browser, "Shift", ".keys")
    press(browser, ESCAPE)
    cell(browser, 1, 2).click()
    press(browser, "h")
    says(browser, "Look at", ".card")
    cell(browser, 1, 2).click()
    press(browser, "h")
    until(browser, lambda: lit(browser, ".goal") == 1)
    press(browser, ESCAPE)
    assert not browser.find_elements("css selector", ".card")
    cell(browser, 1, 2).click()
    press(browser, "k")
    says(browser, "Nothing is wrong", ".card")


def test_lines_are_drawn(browser: Chrome) -> None:
    """Lines are drawn along a drag and taken away by another; a tap between cells makes a cross; keys do the same."""
    open_shipped(browser, "simple-loop/eight")
    drag(browser, (1, 1), (1, 2), (2, 2))
    assert drawn(browser, "lines") == ["r1c1-r1c2", "r1c2-r2c2"]
    drag(browser, (2, 2), (1, 2))
    assert drawn(browser, "lines") == ["r1c1-r1c2"]
    click_near(browser, 3, 3, 0.48, 0)
    assert drawn(browser, "lines") == ["r1c1-r1c2", "r3c3xr3c4"]
    chord(browser, ALT, DOWN)
    assert drawn(browser, "lines")[-1] == "r3c3-r4c3"
    assert len(browser.find_elements("css selector", ".own-line, .own-cross")) == 3
    chord(browser, CONTROL, "z")
    chord(browser, CONTROL, "z")
    assert drawn(browser, "lines") == ["r1c1-r1c2"]
    open_shipped(browser, "slitherlink/eight")
    click_near(browser, 2, 2, 0, -0.5)
    assert drawn(browser, "lines") == ["r2c2-r2c3"]
    open_shipped(browser, "hashi/eight")
    for line in (["r1c1-r1c6"], ["r1c1=r1c6"], []):
        drag(browser, (1, 1), (1, 6))
        assert drawn(browser, "lines") == line


def test_a_press_on_an_edge_draws_it(browser: Chrome) -> None:
    """Where lines are along edges, a press draws an edge or clears it; the right button or a long press crosses it."""
    from selenium.webdriver import ActionChains

    open_shipped(browser, "slitherlink/eight")
    place, there = cell(browser, 2, 2), "return import('/page/state.js').then(({ state }) => state.doc.lines)"
    down = int(place.rect["height"] / 2)

    def after(*acts: str) -> object:
        chain = ActionChains(browser).move_to_element_with_offset(place, 0, down)
        for act in acts:
            getattr(chain, act)()
        chain.perform()
        return browser.execute_script(there)

    assert after("click") == ["r3c2-r3c3"]
    assert "line below" in label(browser, 2, 2)
    assert "line above" in label(browser, 3, 2)
    assert after("click") == []
    assert after("context_click") == ["r3c2xr3c3"]
    assert after("click") == ["r3c2-r3c3"]
    ActionChains(browser).move_to_element_with_offset(place, 0, down).click_and_hold().pause(1).release().perform()
    assert browser.execute_script(there) == ["r3c2xr3c3"]


def test_a_numbered_cell_cannot_be_shaded(browser: Chrome) -> None:
    """A cell that the rules leave unshaded can be marked as such only, by pointer and keys, and the page says why."""
    open_shipped(browser, "nurikabe/five")
    until(browser, lambda: "1" in label(browser, 1, 1))
    ask = "return import('/page/ask.js').then(({ latest }) => latest('closed')?.cells.length)"
    until(browser, lambda: browser.execute_script(ask) == 7)
    for wanted in ("not shaded, 1", "1", "not shaded, 1"):
        cell(browser, 1, 1).click()
        assert label(browser, 1, 1) == f"row 1, column 1: {wanted}"
    button(browser, "Shade").click()
    says(browser, "cannot be shaded")
    drag(browser, (1, 2), (1, 4), (1, 5))
    assert [label(browser, 1, c).split(": ")[1] for c in (4, 5)] == ["shaded", "1"]


def test_lines_solve_a_board(browser: Chrome) -> None:
    """A loop that is drawn whole is a solved board; three more are offered until it is changed."""
    open_shipped(browser, "masyu/eight")
    answer = pyasp_puzzles.solve(load("masyu/eight")[0])
    assert isinstance(answer, Lines)
    lines = answer.typed().split()
    write_ = "import('/page/state.js').then(({ edit }) => (edit((doc) => (doc.lines = arguments[0])), arguments[1]()))"
    browser.execute_async_script(write_, lines[:-1])
    assert not browser.find_elements("css selector", ".finish")
    browser.execute_async_script(write_, lines)
    says(browser, "Solved", "#card")
    assert browser.find_elements("css selector", ".finish")
    more = ".more-like [data-board]"
    assert len(browser.find_elements("css selector", more)) == 3
    assert not find(browser, "#check").is_displayed()
    chord(browser, CONTROL, "z")
    until(browser, lambda: not browser.find_elements("css selector", more))
    assert find(browser, "#check").is_displayed()
    chord(browser, CONTROL, "y")
    until(browser, lambda: browser.find_elements("css selector", more))
    name = find(browser, more).get_attribute("data-board") or ""
    click(browser, more)
    opened(browser, load(name)[0].title)


def test_areas_are_cut(browser: Chrome) -> None:
    """Areas are cut by drags, as pieces are."""
    open_shipped(browser, "shikaku/eight")
    drag(browser, (1, 1), (1, 4))
    assert drawn(browser, "pieces") == [["r1c1", "r1c2", "r1c3", "r1c4"]]


def drawn(browser: Chrome, part: str) -> list[object]:
    """Return a part of what is filled in, as the page keeps it."""
    ask = "import('/page/state.js').then(({ state }) => arguments[1](state.doc[arguments[0]]))"
    found = browser.execute_async_script(ask, part)
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize("name", ["akari/seven", "simple-loop/eight", "shikaku/eight", "strips/list", "strata/seed"])
def test_each_kind_of_answer_is_played_alike(browser: Chrome, name: str) -> None:
    """Whatever is filled in, a hint is a card with levels, and a check says that nothing is wrong yet."""
    open_shipped(browser, name)
    click(browser, "#hint")
    until(browser, lambda: browser.find_elements("css selector", ".card .words"))
    click(browser, ".card [aria-label=Close]")
    click(browser, "#check")
    says(browser, "Nothing is wrong", ".card")


def test_giving_up_shows_the_answer(browser: Chrome) -> None:
    """The answer is drawn after somebody has confirmed it, until the card is closed."""
    open_text(browser, FOUR)
    click(browser, "#more")
    click(browser, "#give-up")
    assert not browser.find_elements("css selector", ".over .found")
    click(browser, "#sure")
    until(browser, lambda: len(browser.find_elements("css selector", ".over .found")) == 12)
    button(browser, "Hide it").click()
    until(browser, lambda: not browser.find_elements("css selector", ".over .found"))


def says_label(browser: Chrome, row: int, column: int, words: str) -> None:
    """Wait until a cell says so to screen readers."""
    until(browser, lambda: label(browser, row, column) == f"row {row}, column {column}: {words}")


def test_a_long_press_takes_cells_alike(browser: Chrome) -> None:
    """A long press and a double press select all cells with the same number, or with the same marks."""
    from selenium.webdriver import ActionChains

    open_text(browser, FOUR.replace(". 4 . .", "1 4 . 1"))
    ActionChains(browser).click_and_hold(cell(browser, 3, 1)).perform()
    chosen = "[aria-selected=true].hit"
    until(browser, lambda: len(browser.find_elements("css selector", chosen)) == 3)
    ActionChains(browser).release().perform()
    drag(browser, (2, 1), (2, 2))
    press(browser, "c", "2", "z")
    assert len(browser.find_elements("css selector", chosen)) == 2
    cell(browser, 4, 1).click()
    ActionChains(browser).double_click(cell(browser, 2, 2)).perform()
    assert len(browser.find_elements("css selector", chosen)) == 2


LARGE = "puzzle = 'sudoku'\ntitle = 'Large'\ngivens = '''\n" + f"{'. ' * 16}\n" * 16 + "'''"


@pytest.mark.parametrize(("name", "marks"), [("play", ""), ("play", "x"), ("play", "c"), ("set", "")])
def test_digits_join_in_one_cell_only(browser: Chrome, name: str, marks: str) -> None:
    """Digits that follow each other soon make one number and one step of undo, unless something is done between."""
    open_text(browser, LARGE)
    mode(browser, name)
    before, after = ("marks ", "") if marks else ("", ", given" if name == "set" else "")

    def holds(*numbers: str) -> None:
        for column, number in enumerate(numbers, 1):
            says_label(browser, 1, column, f"{before}{number}{after}" if number else "empty")

    cell(browser, 1, 1).click()
    press(browser, *marks, "1", "2")
    holds("12")
    chord(browser, CONTROL, "z")
    holds("")
    press(browser, "1", RIGHT, "2", RIGHT, "1", LEFT, RIGHT, "1" if name == "set" else "2")
    holds("1", "2", "" if name == "set" else "1 2" if marks else "2")
    cell(browser, 1, 4).click()
    press(browser, "1")
    cell(browser, 1, 5).click()
    press(browser, "2")
    cell(browser, 1, 6).click()
    press(browser, "1", "\ue004", "1" if name == "set" else "3")
    holds("1", "2", "" if name == "set" else "1 2" if marks else "2", "1", "2")
    says_label(browser, 1, 6, "empty" if name == "set" else "marks 1 3" if marks else "3")
    cell(browser, 1, 7).click()
    press(browser, "5")
    chord(browser, CONTROL, "z")
    press(browser, "1", "9")  # 19 is too large
    says_label(browser, 1, 7, f"{before}{'1 9' if marks else '9'}{after}")


def test_a_hint_says_more_step_by_step(browser: Chrome) -> None:
    """A hint lights a whole unit, then the cell in it, then the reasons and the number; last of all it fills it in.

    Words that name cells light these alone.
    """
    from selenium.webdriver import ActionChains

    open_text(browser, FOUR)
    click(browser, "#hint")
    until(browser, lambda: lit(browser) == 4)
    assert lit(browser, ".goal") == 0
    assert len(browser.find_elements("css selector", ".levels .on")) == 1
    first = find(browser, ".card .words").text
    click(browser, "#more-hint")
    assert find(browser, ".card .words").text != first
    assert (lit(browser), lit(browser, ".goal")) == (5, 1)
    assert find(browser, ".over .value").text == "?"
    click(browser, "#more-hint")
    every = lit(browser)
    assert find(browser, ".over .value").text in {*"1234"}
    assert every > lit(browser, ".goal") == 1
    place = next(one for one in browser.find_elements("css selector", ".words .place") if ", column" in one.text)
    ActionChains(browser).move_to_element(place).perform()
    assert (lit(browser), lit(browser, ".goal")) == (1, 0)
    ActionChains(browser).move_to_element(find(browser, "#boards")).perform()
    assert lit(browser) == every
    assert len(browser.find_elements("css selector", "#stage svg, .card .pyasp")) == 1
    click(browser, "#write")
    assert browser.find_elements("css selector", ".over .value")


def test_reasons_are_on_the_board(browser: Chrome) -> None:
    """The last level of a hint has rings on what forbids, crosses where, and dotted lines between; the card is beside.

    Its tail is at the row of its place.
    """
    click(browser, "#hint")
    for _ in range(2):
        click(browser, "#more-hint")
    rays = len(browser.find_elements("css selector", ".ray"))
    assert rays == 3
    assert lit(browser, ".no") == 3
    assert lit(browser, ".seen") == 2
    assert lit(browser, ".lit") == 9  # the whole box stays lit
    box, stage, goal = (find(browser, one).rect for one in (".card", "#stage", ".lamp.goal"))
    assert box["x"] + box["width"] < stage["x"] + 20
    assert box["y"] <= goal["y"] + goal["height"] / 2 <= box["y"] + box["height"]
    resize(browser, 390)
    until(browser, lambda: find(browser, ".card").rect["y"] > find(browser, "#stage").rect["y"] + 100)


def test_the_rules_are_beside_the_board(browser: Chrome) -> None:
    """Play says what to do, who set the board, and what its setter says."""
    text = EMPTY.replace("givens", "author = 'A. Setter'\nnotes = 'Look twice.'\nvariants = ['diagonal']\ngivens", 1)
    open_text(browser, text)
    told = find(browser, ".told").text
    for words in ("By A. Setter.", "a number from 1 to 9", "diagonals", "Look twice."):
        assert words in told


def test_touch_has_a_pad(browser: Chrome) -> None:
    """On a phone, the pad is on the first screen, and its keys are large enough for fingers."""
    resize(browser, 390)
    open_text(browser, FOUR)
    cell(browser, 1, 2).click()
    key = button_of(browser, "3")
    assert min(key.size.values()) >= 44
    assert key.rect["y"] + key.rect["height"] <= 800
    key.click()
    assert label(browser, 1, 2) == "row 1, column 2: 3"


def test_keys_alone_suffice(browser: Chrome) -> None:
    """The board is one stop of the tab key; arrows move in it, and with Shift or Control they select more."""
    open_text(browser, FOUR)
    stops = browser.find_elements("css selector", ".hit[tabindex='0']")
    assert len(stops) == 1
    browser.execute_script("arguments[0].focus()", stops[0])
    press(browser, LEFT, UP)
    assert browser.switch_to.active_element == cell(browser, 4, 4)
    chord(browser, SHIFT, LEFT, LEFT)
    chosen = "[aria-selected=true].hit"
    assert len(browser.find_elements("css selector", chosen)) == 3
    chord(browser, CONTROL, "a")
    assert len(browser.find_elements("css selector", chosen)) == 16
    press(browser, "\ue00c")
    assert not browser.find_elements("css selector", chosen)


@pytest.mark.parametrize("how", ["", "Peel from the top", "Turn the board by 45"])
def test_strata_is_laid(browser: Chrome, how: str) -> None:
    """Ribbons are laid by a color and an arrow beside the board, from the bottom, or peeled off; then it is solved.

    The arrows of a turned board are at its upper sides.
    """
    open_shipped(browser, "strata/seed")
    laid = ["column 3  ", "row 3 g", "column 1 y", "row 1 y", "column 2 r", "row 2 b"]
    if how:
        browser.find_element("xpath", f"//button[starts-with(normalize-space(), '{how}')]").click()
    if how.startswith("Turn"):
        row, column, middle = (
            browser.find_element("css selector", one).rect
            for one in ("[data-head='row 2']", "[data-head='column 2']", "[data-cell=r2c2].hit")
        )
        assert row["x"] < middle["x"] < column["x"]
        assert max(row["y"], column["y"]) < middle["y"]
    for ribbon in reversed(laid) if how.startswith("Peel") else laid:
        line, index, color = ribbon.split(" ")[:3]
        click(browser, f"[data-token='{color}']")
        click(browser, f"[data-head='{line} {index}']")
    assert len(browser.find_elements("css selector", ".pile li")) == 6
    says(browser, "Solved", "#card")


def test_strips_are_cut(browser: Chrome) -> None:
    """Pieces are cut by strokes, or from selected cells by Enter; a press takes one away."""
    open_shipped(browser, "strips/holes")
    drag(browser, (1, 2), (1, 4))
    pieces = ".own-piece"
    assert len(browser.find_elements("css selector", pieces)) == 1
    cell(browser, 2, 1).click()
    chord(browser, SHIFT, DOWN, DOWN)
    press(browser, ENTER)
    assert len(browser.find_elements("css selector", pieces)) == 2
    cell(browser, 1, 3).click()
    assert len(browser.find_elements("css selector", pieces)) == 1


def test_shading_by_mouse(browser: Chrome) -> None:
    """Cells are shaded by presses and drags, which spare what is decided; errors are told; shaded cells alone solve."""
    from selenium.webdriver import ActionChains

    open_text(browser, SHADES)
    ActionChains(browser).context_click(cell(browser, 2, 2)).perform()
    says_label(browser, 2, 2, "not shaded")
    drag(browser, (2, 1), (2, 4))
    assert [entry(browser, 2, c) for c in (1, 2, 3, 4)] == ["shaded", "not shaded", *["shaded"] * 2]
    click(browser, "#check")
    until(browser, lambda: lit(browser, ".wrong") > 0)
    assert "Row 2 holds 1 black" in find(browser, ".card").text
    chord(browser, CONTROL, "z")
    assert entry(browser, 2, 1) == "empty"
    click(browser, "#hint")
    for _ in range(2):
        click(browser, "#more-hint")
    click(browser, "#write")
    until(browser, lambda: entry(browser, 1, 1) == "not shaded")
    for r, row in enumerate(SHADED, 1):
        for c, shade in enumerate(row.split(), 1):
            if shade == "x" and not label(browser, r, c).endswith(": shaded"):
                cell(browser, r, c).click()
    says(browser, "Solved", "#card")


def test_touch_drags_and_a_pinch_writes_nothing(browser: Chrome) -> None:
    """One finger shades the cells that it goes over; a second one takes back what the first has begun."""

    def touch(kind: str, *cells: tuple[int, int]) -> None:
        places = [cell(browser, *one).rect for one in cells]
        points = [{"x": at["x"] + at["width"] / 2, "y": at["y"] + at["height"] / 2} for at in places]
        numbered = [point | {"id": number} for number, point in enumerate(points)]
        browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": numbered})

    resize(browser, 390)
    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2})
    try:
        open_text(browser, SHADES)
        touch("Start", (2, 1))
        touch("Move", (2, 3))
        touch("End")
        assert [entry(browser, 2, c) for c in (1, 2, 3, 4)] == [*["shaded"] * 3, "empty"]
        touch("Start", (3, 1))
        touch("Start", (3, 1), (3, 4))
        touch("End")
        assert entry(browser, 3, 1) == "empty"
        assert entry(browser, 2, 1) == "shaded"
    finally:
        browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


def test_shading_by_keys(browser: Chrome) -> None:
    """Space and Enter go from open to shaded to not shaded; Delete opens cells again."""
    open_text(browser, SHADES)
    browser.execute_script("arguments[0].focus()", find(browser, ".hit[tabindex='0']"))
    chord(browser, CONTROL, "\ue011")
    chord(browser, SHIFT, RIGHT)
    press(browser, " ", ENTER)
    assert [entry(browser, 1, c) for c in (1, 2)] == ["not shaded"] * 2
    press(browser, DELETE)
    until(browser, lambda: entry(browser, 1, 2) == "empty")
    press(browser, RIGHT, LEFT, LEFT)
    for row in SHADED:
        for shade in row.split():
            press(browser, *([" "] if shade == "x" else []), RIGHT)
        press(browser, DOWN)
    says(browser, "Solved", "#card")


# -- Progress -------------------------------------------------------------------------------------------


def test_each_board_keeps_its_progress(browser: Chrome) -> None:
    """Entries, marks, colors, the clock and undo of each board come back with it, until somebody clears them."""
    open_text(browser, FOUR)
    cell(browser, 1, 2).click()
    press(browser, "3", RIGHT, "x", "2", RIGHT, "v", "4", "z")
    until(browser, lambda: "00:00" not in find(browser, ".clock").text)
    open_text(browser, SMALL)
    assert label(browser, 3, 1).endswith("empty")
    cell(browser, 3, 1).click()
    press(browser, "2")
    browser.refresh()
    until(browser, lambda: label(browser, 3, 1).endswith(": 2"))
    resume(browser, "Small")
    until(browser, lambda: label(browser, 1, 2).endswith(": 3"))
    assert label(browser, 1, 3).endswith("marks 2")
    assert browser.find_elements("css selector", ".under .color")
    assert "00:00" not in find(browser, ".clock").text
    chord(browser, CONTROL, "z")
    chord(browser, CONTROL, "z")
    assert label(browser, 1, 3).endswith("empty")
    chord(browser, CONTROL, "y")
    assert label(browser, 1, 3).endswith("marks 2")
    mode(browser, "set")
    cell(browser, 4, 1).click()
    press(browser, "4")  # another board, which does not take the progress of the one before
    until(browser, lambda: "given" in label(browser, 4, 1))
    mode(browser, "play")
    chord(browser, CONTROL, "z")
    until(browser, lambda: "given" not in label(browser, 4, 1))
    assert label(browser, 1, 2).endswith(": 3")
    click(browser, "#boards")
    assert [one.text for one in browser.find_elements("css selector", f"{CONTINUE} b")] == ["Small", "Open"]
    find(browser, "[aria-label='Clear Small']").click()
    click(browser, "#sure")
    until(browser, lambda: len(browser.find_elements("css selector", f"{CONTINUE} b")) == 1)
    browser.back()
    until(browser, lambda: label(browser, 1, 2).endswith("empty"))
    resume(browser, "Open")
    until(browser, lambda: label(browser, 3, 1).endswith(": 2"))
    assert not [one for one in progress(browser) if "Small" in one]


def resume(browser: Chrome, title: str) -> None:
    """Open a board in progress."""
    click(browser, "#boards")
    begun = next(one for one in browser.find_elements("css selector", f"{CONTINUE} button") if title in one.text)
    begun.click()
    opened(browser, title)


def progress(browser: Chrome) -> list[str]:
    """Return the names under which the page keeps progress."""
    found = browser.execute_script("return Object.keys(localStorage).filter((name) => name.startsWith('pyasp board'))")
    assert isinstance(found, list)
    return found


def test_tabs_do_not_destroy_each_others_progress(browser: Chrome) -> None:
    """Two tabs keep the progress of their boards; on one board, each has what is done in the other."""
    open_text(browser, FOUR)
    cell(browser, 1, 2).click()
    press(browser, "3")
    until(browser, lambda: progress(browser))
    address, first = browser.current_url, browser.current_window_handle
    browser.switch_to.new_window("tab")
    try:
        browser.get(address)
        until(browser, lambda: label(browser, 1, 2).endswith(": 3"))
        cell(browser, 1, 3).click()
        press(browser, "2")
        second = browser.current_window_handle
        browser.switch_to.window(first)
        until(browser, lambda: label(browser, 1, 3).endswith(": 2"))
        cell(browser, 1, 4).click()
        press(browser, "4")
        browser.switch_to.window(second)
        until(browser, lambda: label(browser, 1, 4).endswith(": 4"))
        open_text(browser, SMALL)
        cell(browser, 3, 1).click()
        press(browser, "2")
        until(browser, lambda: len(progress(browser)) == 2)
        browser.switch_to.window(first)
        browser.refresh()
        until(browser, lambda: [label(browser, 1, c)[-1] for c in (2, 3, 4)] == ["3", "2", "4"])
    finally:
        for tab in browser.window_handles:
            if tab != first:
                browser.switch_to.window(tab)
                browser.close()
        browser.switch_to.window(first)


def test_what_two_tabs_do_at_once_is_joined(browser: Chrome) -> None:
    """What another tab has kept, and this one has not heard of, stays beside what is done here; undo leads back."""
    open_text(browser, FOUR)
    cell(browser, 1, 2).click()
    press(browser, "3")
    until(browser, lambda: progress(browser))
    other = "const [name] = arguments, record = JSON.parse(localStorage[name]), { entries } = record.doc;"
    other += " entries.r4c1 = '4'; delete entries.r1c2; localStorage[name] = JSON.stringify(record)"
    browser.execute_script(other, *progress(browser))
    cell(browser, 1, 3).click()
    press(browser, "2")
    says_label(browser, 4, 1, "4")
    assert [label(browser, 1, column).endswith("empty") for column in (2, 3)] == [True, False]
    chord(browser, CONTROL, "z")
    says_label(browser, 1, 3, "empty")
    assert label(browser, 4, 1).endswith(": 4")


def test_a_full_storage_is_told(browser: Chrome) -> None:
    """If the browser has no room left, the page says so, and nothing that was kept is lost."""
    open_text(browser, FOUR)
    cell(browser, 1, 2).click()
    press(browser, "3")
    until(browser, lambda: progress(browser))
    fill = "for (let n = 2 ** 22; n >= 1; n /= 2) try { for (;;) localStorage[Math.random()] = 'x'.repeat(n) } catch {}"
    browser.execute_script(fill)
    cell(browser, 1, 3).click()
    press(browser, "2", RIGHT, "4", "x")
    for digit in "1234":
        chord(browser, CONTROL, "a")
        press(browser, digit)
    says(browser, "no room left")
    assert [label(browser, 1, column)[-1] for column in (2, 3, 4)] == ["3", "2", "4"]
    press(browser, "z")
    cell(browser, 2, 1).click()
    press(browser, "4")
    says(browser, "no room left")
    assert [label(browser, 1, column)[-1] for column in (2, 3, 4)] == ["3", "2", "4"]
    browser.refresh()
    until(browser, lambda: label(browser, 1, 2).endswith(": 3"))


# -- What is shown --------------------------------------------------------------------------------------

# Everything on the stage that could say a digit: texts and labels of the drawing.
DIGITS = """
const stage = document.querySelector("#stage");
const said = [...stage.querySelectorAll(".hit")].map((hit) => hit.getAttribute("aria-label").split(": ")[1]);
const labels = said.map((words) => words.split(",")[0]);
const texts = [...stage.querySelectorAll("text")].map((text) => text.textContent);
const known = labels.filter((words) => !/^(empty|box|region|stream|block)/.test(words));
return [known, texts.filter((words) => /^\\d+$/.test(words))];
"""


@pytest.mark.parametrize("name", ["sudoku/easy", "sudoku/jigsaw", "tectonic/seed"])
def test_the_answer_is_not_drawn_unasked(browser: Chrome, name: str) -> None:
    """Whichever tab is open, the stage has the givens and what is filled in, and nothing else of the answer."""
    open_shipped(browser, name)
    find(browser, ".hit:not([aria-label*=given])").click()
    press(browser, "1")
    [labels, texts] = browser.execute_script(DIGITS)
    known = Counter([*labels, *texts])
    for _ in range(2):
        for one in MODES:
            mode(browser, one)
            if one != "play":
                until(browser, lambda: browser.find_elements("css selector", ".pill"))
            if browser.find_elements("css selector", ".pill"):
                until(browser, lambda: "answer" in find(browser, ".pill").text.lower())
                says_nothing_new(browser)
            [labels, texts] = browser.execute_script(DIGITS)
            assert not Counter([*labels, *texts]) - known, one
        mode(browser, "set")
        browser.find_element("xpath", POSSIBLE).click()  # is shown when it is asked for, until another tab is opened
        until(browser, lambda: len(browser.execute_script(DIGITS)[0]) > known.total() / 2)
    mode(browser, "play")
    for presses in (["#more", "#steps"], ["#modes [data-mode=play]", "#check"], ["#hint"]):
        for one in presses:
            click(browser, one)
        says_nothing_new(browser)
        [labels, texts] = browser.execute_script(DIGITS)
        assert not Counter([*labels, *texts]) - known, presses


def says_nothing_new(browser: Chrome) -> None:
    """Wait until nothing is under way."""
    until(browser, lambda: not browser.find_elements("css selector", "[aria-busy]"))


def test_an_answer_goes_with_its_board(browser: Chrome) -> None:
    """The answer that is shown of one board is not seen on the next one."""
    open_shipped(browser, "strips/list")
    answers(browser)
    click(browser, "#next")
    says(browser, "1 of 1", ".count")
    assert not browser.find_elements("css selector", "#stage .hit")
    open_shipped(browser, "strips/holes")
    until(browser, lambda: browser.find_elements("css selector", "#stage .hit"))
    answers(browser)
    assert not find(browser, ".count").text


@pytest.mark.parametrize("name", ["strata/seed", "strips/holes", "sudoku/easy"])
def test_lamps_leave_colors_as_they_are(browser: Chrome, name: str) -> None:
    """Cells are lit by outlines, which hide no color."""
    open_shipped(browser, name)
    click(browser, "#hint")
    until(browser, lambda: lit(browser) > 0)
    fills = "return [...document.querySelectorAll('.frames > *, .edges > *')].map((one) => getComputedStyle(one).fill)"
    assert {*browser.execute_script(fills)} == {"none"}
    below = "return [...document.querySelector('.lights').parentNode.children].map((one) => one.getAttribute('class'))"
    assert browser.execute_script(below)[:2] == ["paper", "lights"]


def test_messages_go_when_they_are_no_longer_true(browser: Chrome) -> None:
    """A message about the board as it was goes with the next change, and one about a format with another format."""
    from selenium.webdriver.support.ui import Select

    open_text(browser, FOUR)

    def choose(name: str) -> None:
        until(browser, lambda: browser.find_elements("css selector", f"#format option[value={name}]"))
        Select(find(browser, "#format")).select_by_value(name)

    def edit(_: str) -> None:
        click(browser, "[aria-label=Close]")
        cell(browser, 1, 2).click()
        press(browser, "3")

    for change in (choose, edit):
        click(browser, "#share")
        choose("sdk")
        click(browser, "#as-text")
        says(browser, "only 9x9")
        change("toml")
        until(browser, lambda: not find(browser, "#says").text)
        if change == choose:
            click(browser, "[aria-label=Close]")


def test_paper_has_the_board_and_its_rules(browser: Chrome) -> None:
    """A printed page has the title, the board and its rules, dark on light, and no controls."""
    open_text(browser, FOUR)
    resize(browser, 1200, dark=True)
    cell(browser, 1, 2).click()
    press(browser, "3")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})  # `resize` takes it back
    for where in ("#stage svg", ".told", "#left .big"):
        assert find(browser, where).is_displayed()
    for where in ("#modes", "#share", ".pad", ".clock"):
        assert not find(browser, where).is_displayed()
    scheme = "return getComputedStyle(document.documentElement).colorScheme"
    assert browser.execute_script(scheme) == "light"
    mode_of = "document.querySelector('#modes [data-mode=set]').click()"
    browser.execute_script(mode_of)
    until(browser, lambda: not find(browser, ".tool").is_displayed())


def test_boards_are_printed_on_sheets(browser: Chrome) -> None:
    """A sheet has the board and its rules; what is written, and the answer on a last sheet, are there if asked for."""
    open_text(browser, FOUR)
    cell(browser, 1, 2).click()
    press(browser, "3")
    click(browser, "#more")
    click(browser, "#print")
    until(browser, lambda: browser.find_elements("css selector", ".a4 svg"))
    assert "Write a number from 1 to 4" in find(browser, ".a4").text
    assert not browser.find_elements("css selector", ".a4 .value")
    for name in ("What I wrote", "Answers"):
        browser.find_element("xpath", f"//button[starts-with(normalize-space(), '{name}')]").click()
    until(browser, lambda: browser.find_elements("css selector", ".turned-over svg"))
    assert find(browser, ".a4:not(.turned-over) .value").text == "3"
    turn = "return getComputedStyle(document.querySelector('.turned-over > div')).rotate"
    assert browser.execute_script(turn) == "180deg"
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert not find(browser, "#to-paper").is_displayed()
    assert len([one for one in browser.find_elements("css selector", ".a4") if one.is_displayed()]) == 2


def test_several_boards_are_printed_together(browser: Chrome) -> None:
    """Boards of one text are on as few sheets as hold them: one, two, four or six on each, within the sheet."""
    one = '[[board]]\npuzzle = "sudoku"\ntitle = "Board {}"\ngivens = """\n1...\n..3.\n.4..\n...2\n"""\n'
    paste(browser, "".join(one.format(number) for number in range(3)))
    click(browser, "#read")
    click(browser, "#print-all")
    until(browser, lambda: len(browser.find_elements("css selector", ".a4 section svg")) == 3)
    within = """const bottom = (part) => part.getBoundingClientRect().bottom;
        const parts = [...document.querySelectorAll(".a4 section")];
        return parts.every((one) => bottom(one) <= bottom(one.closest(".a4")));"""
    for many, sheets in ("4", 1), ("2", 2), ("6", 1), ("1", 3):
        browser.find_element("xpath", f"//div[contains(@class, 'even')]/button[normalize-space() = '{many}']").click()
        assert len(browser.find_elements("css selector", ".a4")) == sheets
        assert browser.execute_script(within)


def test_streams_are_printed(browser: Chrome) -> None:
    """Circles and the links between them are on paper as they are drawn."""
    open_shipped(browser, "strimko/four")
    click(browser, "#more")
    click(browser, "#print")
    until(browser, lambda: browser.find_elements("css selector", ".a4 svg"))
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert find(browser, ".a4 .link").is_displayed()
    circle = find(browser, ".a4 .tint")
    assert circle.value_of_css_property("width") == f"{circle.get_attribute('width')}px"


@pytest.mark.parametrize("side", [16, 25])
def test_large_boards_have_a_verdict_at_once(browser: Chrome, side: int) -> None:
    """How many answers a large board has is said first, then what is possible, where there is time for it."""
    open_text(
        browser, EMPTY.replace("'Empty'", f"'Side {side}'").replace(f"{'. ' * 9}\n" * 9, f"{'. ' * side}\n" * side)
    )
    mode(browser, "set")
    until(browser, lambda: find(browser, ".pill").text == "More than one answer", 8)
    browser.find_element("xpath", POSSIBLE).click()

    def waits() -> bool:
        return find(browser, ".verdict").get_attribute("aria-busy") is not None

    def shows() -> bool:
        return bool(browser.find_elements("css selector", ".possible"))

    until(browser, lambda: waits() or shows())
    until(browser, lambda: not waits() or shows(), 60)
    assert shows() or side > 16  # a slow machine has no time for it


def test_a_server_that_is_gone_is_told_at_once(tmp_path: Path) -> None:
    """A page whose server was killed says so by itself."""
    answer = "pyasp_puzzles.studio.questions.answer_question"
    with studio(tmp_path, -9, answer=answer, page=str(PAGE)) as server, chrome(tmp_path / "profile") as browser:
        browser.get(server.address)
        until(browser, lambda: browser.find_elements("css selector", ".tile"))
        assert not find(browser, "#gone").is_displayed()
        server.process.kill()
        until(browser, lambda: find(browser, "#gone").is_displayed(), 5)


def test_a_server_that_is_started_anew_is_told(tmp_path: Path) -> None:
    """A page says which address to open, and works again when that was opened in this browser."""
    answer = "pyasp_puzzles.studio.questions.answer_question"
    with chrome(tmp_path / "profile") as browser:
        with studio(tmp_path, answer=answer, page=str(PAGE)) as server:
            browser.get(server.address)
            open_shipped(browser, "sudoku/easy")
        with studio(tmp_path, answer=answer, page=str(PAGE), port=server.port) as server:
            says(browser, "started anew: open the address that it printed", "#gone")
            click(browser, "#hint")
            says(browser, "open the address that it printed")
            page = browser.current_window_handle
            browser.switch_to.new_window("tab")
            browser.get(server.address)
            until(browser, lambda: browser.find_elements("css selector", ".tile"))
            browser.switch_to.window(page)
            click(browser, "#hint")
            says(browser, "Look at", "#card")
            until(browser, lambda: not find(browser, "#gone").is_displayed())
            browser.delete_all_cookies()
            browser.refresh()
            says(browser, "Open the address that pyasp studio printed", "body")


# -- What is asked, pending and out of date -------------------------------------------------------------

ENDLESS = "n(0). n(X + 1) :- n(X)."


def add_rules(browser: Chrome, text: str) -> None:
    """Add rules to the board, as My own does."""
    script = "import('/page/state.js').then(({ edit }) => arguments[1](edit((doc) => (doc.extra = arguments[0]))))"
    browser.execute_async_script(script, text)


def is_busy(browser: Chrome, where: str) -> bool:
    """Return whether a place shows that it waits for an answer."""
    return find(browser, where).get_attribute("aria-busy") == "true"


@pytest.mark.parametrize("name", ["set", "rules"])
def test_a_verdict_is_not_out_of_date(browser: Chrome, name: str) -> None:
    """The badge does not say what was so before, however long the answer takes; when it comes, nothing waits."""
    mode(browser, name)
    says(browser, "One answer", ".pill")
    add_rules(browser, ENDLESS)
    until(browser, lambda: find(browser, "#badge").text == "Counting …" and is_busy(browser, ".verdict"), 3)
    chord(browser, CONTROL, "z")
    says(browser, "One answer", ".pill")
    until(browser, lambda: not is_busy(browser, ".verdict"))


def test_what_waits_is_seen_and_is_asked_once(browser: Chrome) -> None:
    """Hint and Check show that they wait; a key pressed again does not ask anew; a change drops what was asked."""
    count = "const ask = fetch; window.asked = []; window.fetch = (path, more) =>"
    count += " (more?.body && asked.push(JSON.parse(more.body).ask), ask(path, more))"
    browser.execute_script(count)
    add_rules(browser, ENDLESS)
    cell(browser, 1, 1).click()
    press(browser, "1")
    for where, words in [("#hint", "Looking for a hint"), ("#check", "Checking")]:
        click(browser, where)
        until(browser, partial(is_busy, browser, where), 3)
        says(browser, words, "p.waits")
        press(browser, "h" if where == "#hint" else "k")
    assert Counter(browser.execute_script("return asked"))["hint"] == 1
    press(browser, "2")
    until(browser, lambda: not is_busy(browser, "#hint") and not is_busy(browser, "#check"), 3)
    assert find(browser, "p.waits").text == ""


# -- Rules ----------------------------------------------------------------------------------------------


def write(browser: Chrome, text: str) -> None:
    """Type at the end of the rules that are open as plain text."""
    find(browser, "#text").send_keys(text)


def card(browser: Chrome, words: str, act: str = "return one?.innerText ?? ''") -> str:
    """Return the text of the card of the rule whose sentence begins so; cards are drawn anew all the time."""
    find_it = (
        "const one = [...document.querySelectorAll('.rule')].find((rule) => rule.innerText.startsWith(arguments[0]))"
    )
    return str(browser.execute_script(f"{find_it}; {act}", words))


def press_card(browser: Chrome, words: str) -> None:
    """Press a card, and wait until it is open, and says where it applies."""
    until(browser, lambda: card(browser, words))
    card(browser, words, "one.querySelector('.sentence').click()")
    until(browser, lambda: "open" in card(browser, words, "return one?.className"))
    until(browser, lambda: "\N{HORIZONTAL ELLIPSIS}" not in card(browser, words))


def edit_card(browser: Chrome, words: str, old: str, new: str) -> None:
    """Change some text of a card in place."""
    press_card(browser, words)
    click(browser, "[data-act-card=edit]")
    script = "const [a, b, c] = arguments; a.value = a.value.replace(b, c); a.dispatchEvent(new Event('input'))"
    browser.execute_script(script, find(browser, "#cards textarea.code"), old, new)


def test_rules_are_edited_live(browser: Chrome) -> None:
    """The plain text changes the answers at once; what is wrong is at its line; it is compared, and reset."""
    open_text(browser, SMALL)
    mode(browser, "rules")
    says(browser, "More than one answer", ".pill")
    click(browser, "#plain")
    click(browser, "[data-file=extra]")
    write(browser, ":- not value(3, 1, 2).\n:- not value(3, 2, 1).\n")
    write(browser, ":- value(3,")
    until(browser, lambda: find(browser, ".marks .error").text.startswith("Line 3"))
    click(browser, "#reset")
    until(browser, lambda: not browser.find_elements("css selector", ".marks .error"))
    click(browser, "[data-file=rules]")
    assert "value(" in (find(browser, "#text").get_attribute("value") or "")
    write(browser, "\n:- value(3, 3, _).")
    says(browser, "No answer", ".pill")
    click(browser, "#plain")
    says(browser, ":- value(3, 3, _).", "#cards .added")
    click(browser, "#plain")
    click(browser, "#reset")
    says(browser, "More than one answer", ".pill")
    click(browser, "#keep")
    click(browser, "#facts")
    says(browser, "given(1,1,1)", "#dialog .text")


def test_the_rule_that_never_ends_is_named(browser: Chrome) -> None:
    """If rules do not ground in time, it is said which one, with its line."""
    open_text(browser, SMALL)
    mode(browser, "rules")
    click(browser, "#plain")
    click(browser, "[data-file=extra]")
    write(browser, "a(1).\na(X + 1) :- a(X).\n")
    until(browser, lambda: find(browser, ".marks .error").text.startswith("Line 2"))
    until(browser, lambda: find(browser, ".pill").text == "Out of time", 25)
    says(browser, "your own rules, line 2", ".conflict")
    write(browser, "%")
    click(browser, "#reset")
    says(browser, "More than one answer", ".pill")
    assert "line 2" not in find(browser, ".conflict").text


def test_each_rule_is_a_card_that_leads_to_the_board(browser: Chrome) -> None:
    """A card has its sentence and its size; pressed, it lights one place, and arrows the next; a cell counts rules."""
    open_text(browser, FOUR)
    mode(browser, "rules")
    assert find(browser, "[data-file=rules]").text == "Sudoku"
    until(browser, lambda: "12 \N{MULTIPLICATION SIGN} 4" in card(browser, "Each unit holds each number once"))
    press_card(browser, "Each unit holds each number once")
    until(browser, lambda: lit(browser, ".lit") == 4)
    says(browser, "1 of 12", ".instance")
    shown = find(browser, ".instance").text
    click(browser, "[data-go=next]")
    says(browser, "2 of 12", ".instance")
    assert find(browser, ".instance").text != shown
    click(browser, ".rule [aria-label=Close]")
    until(browser, lambda: not lit(browser, ".lit"))
    cell(browser, 1, 1).click()
    until(browser, lambda: "12 here" in card(browser, "Each unit holds each number once"))


def test_a_rule_says_what_it_forbids(browser: Chrome) -> None:
    """In the pressed cell, what a rule forbids is struck, each value with its reason; the reasons are ringed."""
    open_text(browser, FOUR)
    mode(browser, "rules")
    press_card(browser, "Each unit holds each number once")
    cell(browser, 1, 2).click()
    click(browser, "#forbids")
    until(browser, lambda: browser.find_elements("css selector", ".forbidden li"))
    words = [one.text.replace("\n", " ") for one in browser.find_elements("css selector", ".forbidden li")]
    assert words == [
        "1 Row 1 holds 1 once: the 1 in row 1, column 1.",
        "4 Column 2 holds 4 once: the 4 in row 3, column 2.",
    ]
    assert [one.text for one in browser.find_elements("css selector", ".struck")] == ["1", "4"]
    assert lit(browser, ".seen") == 2
    cell(browser, 2, 4).click()
    says(browser, "row 2, column 4", ".rule.open")
    until(browser, lambda: [one.text for one in browser.find_elements("css selector", ".struck")] == ["2", "3"])


def test_a_rule_is_edited_in_place(browser: Chrome) -> None:
    """What went and came is shown with both counts; it is taken back; a rule is switched off and on by one press."""
    open_text(browser, FOUR)
    mode(browser, "rules")
    edit_card(browser, "Three kinds of unit", "unit(stream(S)", "% unit(stream(S)")

    def counted() -> bool:
        counts = [one.text for one in browser.find_elements("css selector", ".changes .badge")]
        return len(counts) == 2 and counts[0] == "1 answer" != counts[1]

    until(browser, counted)
    click(browser, "[data-act-card=edit]")
    assert find(browser, ".gone").text.startswith("\N{MINUS SIGN}")
    assert find(browser, ".added").text.startswith("+")
    click(browser, "[data-act-card=restore]")
    says(browser, "One answer", ".pill")
    assert not browser.find_elements("css selector", ".gone")
    press_card(browser, "A printed number stays")
    click(browser, "[data-act-card=off]")
    says(browser, "More than one answer", ".pill")
    assert "off" in card(browser, "A printed number stays")


def test_the_rules_of_a_variant_are_edited_in_place(browser: Chrome) -> None:
    """Those of a thermometer are cards, too: edited with both counts, also after a reload, and taken back."""
    open_text(browser, f'{SMALL}\nthermometers = ["r1c1 r1c2 r1c3"]\n')
    mode(browser, "rules")
    click(browser, "[data-file='thermometer.lp']")
    edit_card(browser, "A number is greater", ">=", "<=")
    until(browser, lambda: browser.find_elements("css selector", ".changes .badge"))
    badges = [".changes .badge", "4 answers", "no answer"]
    until(
        browser, lambda: [badges[0], *(one.text for one in browser.find_elements("css selector", badges[0]))] == badges
    )
    browser.refresh()
    mode(browser, "rules")
    click(browser, "[data-file='thermometer.lp']")
    until(browser, lambda: find(browser, ".added").text.startswith("+"))
    click(browser, "#plain")
    assert "V <= V'" in str(find(browser, "#text").get_attribute("value"))
    click(browser, "#reset")
    click(browser, "#plain")
    until(browser, lambda: not browser.find_elements("css selector", ".gone"))


def test_a_press_is_not_lost_when_the_card_is_drawn_anew(browser: Chrome) -> None:
    """If the places of a rule come while a button of its card is held, the button still does what it says."""
    from selenium.webdriver import ActionChains

    open_text(browser, FOUR)
    mode(browser, "rules")
    until(
        browser,
        lambda: "4" in card(browser, "Each unit holds each number once", "return one.querySelector('.size').innerText"),
    )
    browser.execute_script("""
        const ask = window.fetch;
        const answered = new Promise((done) => (window.answer = done));
        window.fetch = async (...all) => {
            const found = await ask(...all);
            await answered;
            window.told = true;
            return found;
        };
    """)
    card(browser, "Each unit holds each number once", "one.querySelector('.sentence').click()")
    ActionChains(browser).click_and_hold(find(browser, "[data-act-card=edit]")).perform()
    browser.execute_script("answer()")
    until(browser, lambda: browser.execute_script("return window.told"))
    ActionChains(browser).pause(0.3).release().perform()
    until(browser, lambda: browser.find_elements("css selector", "#cards textarea.code"))
    says(browser, "of 12", ".instance")


def test_an_error_is_at_its_token(browser: Chrome) -> None:
    """An error is said in plain words, its token is underlined, and the only repair is a button."""
    open_text(browser, FOUR)
    mode(browser, "rules")
    edit_card(browser, "The numbers are 1..n", "1..N", "1..M")
    says(browser, "M is never given a value", ".wrong")
    click(browser, "[data-act-card=edit]")
    assert find(browser, ".fault").text == "M"
    assert find(browser, "[data-repair]").text == "Change M to N"
    click(browser, "[data-repair]")
    until(browser, lambda: not browser.find_elements("css selector", ".wrong"))
    says(browser, "One answer", ".pill")


def test_a_rule_of_ones_own_begins_with_an_example(browser: Chrome) -> None:
    """An example is added by one press; it is among the rules, and counted; any kind of puzzle has one."""
    open_text(browser, SMALL)
    mode(browser, "rules")
    click(browser, "[data-file=extra]")
    click(browser, "#begin-own")
    until(browser, lambda: card(browser, "The numbers on the falling diagonal differ"))
    until(browser, lambda: browser.find_elements("css selector", "#right p .badge"))
    for name in ("akari/seven", "strata/seed"):
        open_shipped(browser, name)
        mode(browser, "rules")
        click(browser, "[data-file=extra]")
        click(browser, "#begin-own")
        until(browser, lambda: card(browser, "There is nothing in the first cell"))
        until(browser, lambda: "answer" in find(browser, ".pill").text.lower())
        assert not browser.find_elements("css selector", ".wrong.error")


def test_a_lesson_sees_what_was_done(browser: Chrome) -> None:
    """A lesson opens a board, says what to do, and is done when the server has found it so; then comes the next."""
    click(browser, "#boards")
    click(browser, "#door-learn")
    until(browser, lambda: len(browser.find_elements("css selector", "[data-lesson]")) == 8)
    click(browser, "[data-lesson='0']")
    says(browser, "equal numbers never touch", ".lesson")
    press_card(browser, "Equal numbers never touch")
    assert not browser.find_elements("css selector", ".lesson.done")
    click(browser, "[data-act-card=off]")
    until(browser, lambda: browser.find_elements("css selector", ".lesson.done"))
    click(browser, "#next-lesson")
    says(browser, "Lesson 2", ".lesson")
    press_card(browser, "Each unit holds each number once")
    for number in (2, 3, 4):
        click(browser, "[data-go=next]")
        says(browser, f"{number} of 27", ".instance")
    until(browser, lambda: browser.find_elements("css selector", ".lesson.done"))


def test_a_late_answer_does_not_take_somebody_back(browser: Chrome) -> None:
    """Who has gone on to another place of a rule stays there when the places are asked again."""
    count = """
    const asked = window.fetch;
    window.places = 0;
    window.fetch = async (where, question) => {
      const answer = await asked(where, question);
      if (JSON.parse(question?.body ?? "{}").ask === "about") window.places += 1;
      return answer;
    };"""
    browser.execute_script(count)
    find(browser, ".hit:not([aria-label*=given])").click()
    press(browser, "1")
    mode(browser, "rules")
    press_card(browser, "Each unit holds each number once")
    for number in (2, 3):
        click(browser, "[data-go=next]")
        says(browser, f"{number} of 27", ".instance")
    chord(browser, CONTROL, "z")
    until(browser, lambda: browser.execute_script("return window.places") == 2)
    pause = "setTimeout(arguments[arguments.length - 1], 300)"  # until what came is drawn
    browser.execute_async_script(pause)
    says(browser, "3 of 27", ".instance")


def test_variants_by_a_click(browser: Chrome) -> None:
    """A variant holds as soon as it is ticked, and no longer when it is not."""
    open_text(browser, SMALL)
    mode(browser, "rules")
    click(browser, "#variants")
    find(browser, "#dialog input[type=search]").send_keys("king")
    click(browser, "[data-variant=anti-king]")
    until(browser, lambda: board_of(browser, "variants") == ["anti-king"])
    says(browser, "No answer", ".pill")
    chord(browser, CONTROL, "z")
    says(browser, "More than one answer", ".pill")


# -- Answers --------------------------------------------------------------------------------------------


def test_answers_while_setting(browser: Chrome) -> None:
    """How many answers, what is possible in each cell, each answer, and why there is none."""
    open_text(browser, SMALL)
    answers(browser)
    says(browser, "More than one answer", ".pill")
    browser.find_element("xpath", POSSIBLE).click()
    until(browser, lambda: browser.find_elements("css selector", ".possible.few"))
    row = [find(browser, where).rect["y"] for where in ("#previous", "#next")]
    assert max(row) - min(row) < 10  # in one line
    click(browser, "#next")
    says(browser, "1 of 4", ".count")
    first = label(browser, 3, 1)
    seen = {first}
    for number in (2, 3, 4):
        click(browser, "#next")
        says(browser, f"{number} of 4", ".count")
        seen.add(" ".join(label(browser, 3, c) for c in (1, 2, 3, 4)))
    assert len(seen) == 4
    click(browser, "#previous")
    says(browser, "3 of 4", ".count")
    mode(browser, "set")
    cell(browser, 3, 1).click()
    press(browser, "1")
    says(browser, "No answer", ".pill")
    until(browser, lambda: lit(browser) > 0)
    assert browser.find_elements("css selector", ".conflict .reason")
    press(browser, "2")
    until(browser, lambda: "No answer" not in find(browser, ".pill").text)


def test_thousands_of_answers_are_browsed(browser: Chrome) -> None:
    """Answers are asked for as one goes, whatever their number, and only those near the one that is shown are kept."""
    open_text(browser, EMPTY)
    answers(browser)
    says(browser, "More than one answer", ".pill")
    click(browser, "#next")
    says(browser, "1 of 50 or more", ".count")
    memory = [heap(browser)]
    for number in (1000, 10000):
        find(browser, "#jump").send_keys(str(number), ENTER)
        says(browser, f"{number} of {number} or more", ".count")
        click(browser, "#next")
        says(browser, f"{number + 1} of {number + 50} or more", ".count")
        memory.append(heap(browser))
    assert max(memory) < 1.2 * min(memory)
    last = label(browser, 5, 5)
    click(browser, "#previous")
    says(browser, "10000 of", ".count")
    click(browser, "#next")
    says(browser, "10001 of", ".count")
    assert label(browser, 5, 5) == last


def heap(browser: Chrome) -> int:
    """Return the bytes that the page keeps."""
    browser.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
    return int(browser.execute_cdp_cmd("Runtime.getHeapUsage", {})["usedSize"])


def test_a_clue_that_clashes_is_removed(browser: Chrome) -> None:
    """Without an answer, each clue that would help if it went is listed, of variants too; a press removes it."""
    open_text(browser, f"{SMALL}\nkiller_cages = ['r1c1 r2c1 = 8', 'r3c3 r3c4 = 3']")
    mode(browser, "set")
    says(browser, "No answer", ".pill")
    until(browser, lambda: "killer cage" in find(browser, ".conflict .reasons:last-child").text)
    # The reasons come last.
    until(browser, lambda: browser.find_elements("css selector", ".conflict .reasons:nth-of-type(1) > *"))
    assert lit(browser, ".wrong") == 2
    click(browser, ".conflict .reasons:last-child button")
    says(browser, "One answer", ".pill")
    assert board_of(browser, "killer_cages") == ["r3c3 r3c4 = 3"]
    assert not browser.find_elements("css selector", ".conflict .reason")


# -- Set ------------------------------------------------------------------------------------------------


def test_givens_are_set(browser: Chrome) -> None:
    """Givens are typed; undo takes them back; the page keeps them when it is loaded again, and so does its address."""
    open_text(browser, FOUR)
    mode(browser, "set")
    cell(browser, 1, 2).click()
    press(browser, "3")
    until(browser, lambda: label(browser, 1, 2).endswith("3, given"))
    says(browser, "One answer", ".pill")
    press(browser, RIGHT, "3")
    says(browser, "No answer", ".pill")
    chord(browser, CONTROL, "z")
    says(browser, "One answer", ".pill")
    until(browser, lambda: len(browser.current_url.partition("#")[2]) > 20)
    assert "token" not in browser.current_url
    browser.refresh()
    until(browser, lambda: label(browser, 1, 2).endswith("3, given"))


def test_givens_are_symmetric(browser: Chrome) -> None:
    """The partners of a given wait for a number; clearing a given clears them."""
    from selenium.webdriver.support.ui import Select

    open_text(browser, EMPTY)
    mode(browser, "set")
    Select(find(browser, "#symmetry")).select_by_value("quarter")
    cell(browser, 1, 2).click()
    press(browser, "3")
    until(browser, lambda: lit(browser, ".waits") == 3)
    click(browser, "#next-waiting")
    press(browser, "5")
    until(browser, lambda: lit(browser, ".waits") == 2)
    until(browser, lambda: label(browser, 2, 9) == "row 2, column 9: 5, given")
    press(browser, DELETE)
    until(browser, lambda: lit(browser, ".waits") == 0)
    until(browser, lambda: not browser.find_elements("css selector", "[aria-readonly=true]"))


def test_holes_are_set(browser: Chrome) -> None:
    """Cells are taken off the board by pointer and by keys, with the clues on them, and brought back."""
    open_shipped(browser, "tectonic/seed")
    mode(browser, "set")
    click(browser, "[data-key='#']")

    def count(number: int) -> None:
        until(browser, lambda: len(browser.find_elements("css selector", ".hit")) == number)

    drag(browser, (1, 1), (1, 2))
    count(53)
    givens = board_of(browser, "givens")
    assert isinstance(givens, list)
    assert givens[0][:2] == ["#", "#"]
    click_near(browser, 2, 1, 0, -1)
    count(54)
    button(browser, "Bring back r1c2").click()
    count(55)
    browser.execute_script("arguments[0].focus()", find(browser, ".hit[tabindex='0']"))
    chord(browser, CONTROL, HOME)
    press(browser, ENTER)
    count(54)


def test_a_keypad_types_values(browser: Chrome) -> None:
    """The value of a cage, and a pattern of colors, are typed by pointer alone."""
    open_shipped(browser, "variants/killer-cage")
    mode(browser, "set")
    click(browser, "[data-key=killer_cages]")
    drag(browser, (6, 2), (6, 3))
    keys = ".tool .small-pad"

    def last(key: str, line: str) -> None:
        until(browser, lambda: (board_of(browser, key) or [""])[-1] == line)  # type: ignore[index]

    last("killer_cages", "r6c2 r6c3")
    for digit, line in zip("13", ("r6c2 r6c3 = 1", "r6c2 r6c3 = 13"), strict=True):
        button(browser, digit, keys).click()
        last("killer_cages", line)
    button(browser, "⌫", keys).click()
    last("killer_cages", "r6c2 r6c3 = 1")
    open_shipped(browser, "strips/holes")
    mode(browser, "set")
    click(browser, "[data-key=strips]")
    for i, color in enumerate("wbw", 1):
        button(browser, color, keys).click()
        last("strips", "wbw"[:i])
    assert board_of(browser, "strips") == ["wbw"]


@pytest.mark.parametrize(
    ("name", "key", "stroke", "line"),
    [
        ("variants/thermometer", "thermometers", [(6, 1), (5, 2), (6, 3)], "r6c1 r5c2 r6c3"),
        ("variants/killer-cage", "killer_cages", [(1, 1), (2, 1)], "r1c1 r2c1"),
        ("variants/arrow", "arrows", [(6, 1), (5, 2), (6, 3)], "r6c1 > r5c2 r6c3"),
        ("variants/difference", "differences", [(1, 1), (1, 2)], "r1c1 r1c2"),
    ],
)
def test_clues_are_drawn(browser: Chrome, name: str, key: str, stroke: list[tuple[int, int]], line: str) -> None:
    """Thermometers, cages, arrows and dots are drawn by dragging, or set by keys; a press in the list deletes them."""
    open_shipped(browser, name)
    mode(browser, "set")
    click(browser, f"[data-key={key}]")
    drag(browser, *stroke)

    def written() -> list[str]:
        found = board_of(browser, key)
        assert isinstance(found, list)
        return found

    assert written()[-1].startswith(line)
    count = len(written())
    until(browser, lambda: len(browser.find_elements("css selector", f"[data-clue={key}]")) == count)
    browser.execute_script(f"[...document.querySelectorAll('[data-clue={key}] + button')].at(-1).click()")
    assert len(written()) == count - 1
    cell(browser, *stroke[0]).click()
    for one, other in pairwise(stroke):
        way = {(0, 1): [RIGHT], (1, 0): [DOWN], (-1, 1): [UP, RIGHT], (1, 1): [DOWN, RIGHT]}
        if len(steps := way[other[0] - one[0], other[1] - one[1]]) == 1:
            chord(browser, SHIFT, *steps)
    if len(stroke) == 2:
        press(browser, ENTER)
        assert written()[-1].startswith(line)


def test_borders_corners_and_sides(browser: Chrome) -> None:
    """A press on a border sets a dot, one on a corner asks for its numbers, one beside the board for a label."""
    open_shipped(browser, "variants/quadruple")
    mode(browser, "set")
    click(browser, "[data-key=quadruples]")
    click_near(browser, 1, 1, 0.48, 0.48)
    until(browser, lambda: focused(browser) == "Value of quadruples to add")
    press(browser, "1 2", ENTER)
    found = board_of(browser, "quadruples")
    assert isinstance(found, list)
    assert found[-1] == "r1c1 = 1 2"
    open_shipped(browser, "variants/sandwich")
    mode(browser, "set")
    click(browser, "[data-key=sandwiches]")
    click_near(browser, 1, 1, 0, -0.8)
    until(browser, lambda: "top 1" in focused(browser))
    press(browser, "9", ENTER)
    found = board_of(browser, "sandwiches")
    assert isinstance(found, dict)
    assert found["top"][0] == "9"


def test_numbers_at_corners(browser: Chrome) -> None:
    """A press on a corner, also one of the outline, asks for its number; Enter leads from corner to corner."""
    open_text(browser, "puzzle = 'creek'\ntitle = 'Corners'\nsize = [2, 2]")
    mode(browser, "set")
    click(browser, "[data-key=numbers]")
    click_near(browser, 1, 1, 0.48, 0.48)
    until(browser, lambda: focused(browser) == "numbers, corner 2, 2")
    press(browser, "2", ENTER)
    click_near(browser, 2, 2, 0.53, 0.53)
    until(browser, lambda: focused(browser) == "numbers, corner 3, 3")
    press(browser, "?", ENTER)
    until(browser, lambda: len(browser.find_elements("css selector", "#stage .figures circle")) == 2)
    click_near(browser, 1, 2, 0, 0)
    press(browser, ENTER)
    until(browser, lambda: focused(browser) == "numbers, corner 1, 2")
    press(browser, ENTER, ENTER)
    until(browser, lambda: focused(browser) == "numbers, corner 1, 3")
    press(browser, "1", ENTER)
    assert board_of(browser, "numbers") == [[None, None, 1], [None, 2, None], [None, None, "?"]]


def test_regions_are_painted(browser: Chrome) -> None:
    """A drag enlarges a region; a new one is made from selected cells."""
    open_shipped(browser, "tectonic/seed")
    mode(browser, "set")
    click(browser, "[data-key=blocks]")
    before = board_of(browser, "blocks")
    assert isinstance(before, list)
    drag(browser, (1, 1), (1, 2), (1, 3))
    after = board_of(browser, "blocks")
    assert isinstance(after, list)
    assert after[0][:3] == [before[0][0]] * 3
    until(browser, lambda: [click(browser, "#new-region")])  # type: ignore[func-returns-value] # it may be replaced
    drag(browser, (1, 1), (1, 2))
    newer = board_of(browser, "blocks")
    assert isinstance(newer, list)
    assert newer[0][0] == newer[0][1] not in {name for row in before for name in row}


@pytest.mark.slow
def test_every_declared_key_has_a_tool(browser: Chrome) -> None:
    """Each key of each puzzle and each variant, and of a puzzle of one's own with all kinds, is changed by its tool.

    By day, it is each key of a puzzle for each tool, and of every third variant.
    """
    every = [*declaration.puzzles()]
    some = {key.kind.tool: puzzle for puzzle in reversed(every) for key in puzzle.keys}.values()
    puzzles = {puzzle.name: puzzle for puzzle in (some if TIMES == 1 else every)}
    variants = {
        one.name: [key.name for key in one.keys] for one in [*variants_in().values()][:: 3 if TIMES == 1 else 1]
    }
    ready = "import('/page/state.js').then(({ state }) => arguments[0](Boolean(state.catalogue)))"
    until(browser, lambda: browser.execute_async_script(ready))
    browser.set_script_timeout(120)
    script = (
        f"(async (...arguments) => {{{EVERY_TOOL}}})(...arguments).catch((error) => arguments[2](`${{error.stack}}`))"
    )
    found = browser.execute_async_script(script, [*puzzles, "everything"], variants)
    assert isinstance(found, list), found
    declared = [key for keys in variants.values() for key in keys]
    declared += [key.name for puzzle in puzzles.values() for key in puzzle.keys]
    assert {key for key, *_ in found} >= {*declared, "totals", "remarks", "rings", "diagonals"}
    assert [key for key, _, changed, _ in found if not changed] == []
    wrong = {key: error for key, _, _, error in found if error}
    assert wrong.keys() <= {"regions", "streams"}  # which are no board yet: each needs as many cells as a row
    assert {tool for _, tool, _, _ in found} == {*TOOLS}


def test_what_is_no_board_yet_is_drawn(browser: Chrome) -> None:
    """A jigsaw with regions of wrong sizes is drawn as far as it goes, and it is said what is wrong."""
    open_shipped(browser, "sudoku/jigsaw")
    mode(browser, "set")
    click(browser, "[data-key=regions]")
    drag(browser, (1, 1), (1, 5))
    says(browser, "expected 9")
    says(browser, "No board yet", ".pill")
    assert len(browser.find_elements("css selector", ".whole .corner")) == 81
    chord(browser, CONTROL, "z")
    says(browser, "One answer", ".pill")
    until(browser, lambda: not browser.find_elements("css selector", ".whole .corner"))


def test_a_new_board_and_another_size(browser: Chrome) -> None:
    """A new board is empty; its size can be changed."""
    click(browser, "#boards")
    click(browser, "#door-set")
    click(browser, "#begin")
    until(browser, lambda: browser.find_elements("css selector", "#resize"))
    until(browser, lambda: label(browser, 1, 2).endswith("empty"))
    click(browser, "#right summary")
    rows = "const all = document.querySelectorAll('#right input[type=number]'); all[0].value = all[1].value = 4"
    browser.execute_script(rows)
    click(browser, "#resize")
    until(browser, lambda: len(browser.find_elements("css selector", "#stage .hit")) == 16)


def test_what_is_typed_stays_when_the_view_is_drawn_again(browser: Chrome) -> None:
    """A size that was typed is still there after another cell is set, and then changes the board."""
    open_text(browser, FOUR)
    mode(browser, "set")
    click(browser, "#right .fold summary")
    rows = find(browser, "[aria-label=Rows]")
    rows.clear()
    rows.send_keys("5")
    cell(browser, 1, 2).click()
    press(browser, "3")
    until(browser, lambda: label(browser, 1, 2).endswith("3, given"))
    assert find(browser, "[aria-label=Rows]").get_attribute("value") == "5"
    click(browser, "#resize")
    until(browser, lambda: len(board_of(browser, "givens") or []) == 5)  # type: ignore[arg-type]


def test_links_and_formats(browser: Chrome) -> None:
    """Links of other programs are offered, and can be pasted again."""
    click(browser, "#share")
    click(browser, "#links")
    until(browser, lambda: browser.find_elements("css selector", ".links input"))
    links = [one.get_attribute("value") or "" for one in browser.find_elements("css selector", ".links input")]
    link = next(one for one in links if "puzz.link" in one or "pzv" in one or "pzprxs" in one)
    find(browser, "[aria-label=Close]").click()
    paste(browser, link)
    assert find(browser, "#known").text.startswith("A Sudoku of 9 \u00d7 9, from an address of ")
    click(browser, "#read")
    until(browser, lambda: not find(browser, "#page").is_displayed())


# -- Steps and new boards -------------------------------------------------------------------------------


def explain(browser: Chrome) -> None:
    """Ask how the board could be done."""
    click(browser, "#more")
    click(browser, "#steps")


def test_steps_are_walked(browser: Chrome) -> None:
    """The explanation has the player of step pages; words light up cells; Algorithm 1 goes round by round."""
    from selenium.webdriver import ActionChains

    open_text(browser, FOUR)
    explain(browser)
    until(browser, lambda: len(browser.find_elements("css selector", ".steps li")) > 10)
    click(browser, "[data-go=on]")
    says(browser, "Step 1 of", ".now b")
    word = find(browser, ".now .place")
    ActionChains(browser).move_to_element(word).perform()
    assert lit(browser) > 0
    press(browser, RIGHT)
    says(browser, "Step 2 of", ".now b")
    click(browser, ".now summary")
    assert find(browser, ".now details p").text
    browser.find_elements("css selector", ".steps button")[5].click()
    says(browser, "Step 5 of", ".now b")
    press(browser, DOWN)
    says(browser, "Step 6 of", ".now b")
    until(browser, lambda: not browser.find_elements("css selector", "[aria-busy]"))
    bars = browser.find_elements("css selector", ".costs i")
    assert len(bars) in {len(browser.find_elements("css selector", ".steps li")) - more for more in (1, 2)}
    bars[2].click()
    says(browser, "Step 3 of", ".now b")
    click(browser, "#resolve")
    until(browser, lambda: len(browser.find_elements("css selector", ".steps li")) > 2)
    assert "cells are known" not in find(browser, ".steps").text  # nobody is told a step before it is reached
    until(browser, lambda: [press(browser, END), says(browser, "Solved", ".steps")])  # type: ignore[func-returns-value]
    open_shipped(browser, "strata/seed")
    explain(browser)
    until(browser, lambda: not find(browser, "#resolve").is_displayed())
    until(browser, lambda: len(browser.find_elements("css selector", ".steps li")) == 8)
    press(browser, END)
    says(browser, "End", ".now b")


def test_boards_are_made(browser: Chrome) -> None:
    """Boards are made by what the form says, and come one by one; one is played, or changed."""
    click(browser, "#boards")
    click(browser, "#door-make")
    until(browser, lambda: browser.find_elements("css selector", "[data-puzzle=sudoku][aria-pressed=true]"))
    find(browser, "#make-size").send_keys("4")
    click(browser, "#add-variant")
    click(browser, "[data-variant=thermometer]")
    find(browser, ".wished input").send_keys("2")
    click(browser, "#make-them")
    until(browser, lambda: len(browser.find_elements("css selector", "#made .tile")) == 6, 60)
    says(browser, "6 boards, one answer each", ".making [role=status] h2")
    button(browser, "Change", "#made").click()
    says(browser, "One answer", ".pill")
    assert len(browser.find_elements("css selector", "[data-clue=thermometers]")) == 2


def test_made_boards_stay(browser: Chrome) -> None:
    """Boards go on being made while one is played; Back leads to all of them, and the front page keeps them."""
    click(browser, "#boards")
    click(browser, "#door-make")
    click(browser, "[data-puzzle=tectonic]")
    find(browser, "#make-size").send_keys("5")
    click(browser, "#make-them")
    made = "#made .made"
    until(browser, lambda: browser.find_elements("css selector", made), 60)
    click(browser, f"{made} button")
    opened(browser, "Tectonic")
    browser.back()
    until(browser, lambda: len(browser.find_elements("css selector", made)) == 6, 60)
    until(browser, lambda: find(browser, "#make-them").text == "Make 6 boards")
    click(browser, "#boards")
    browser.refresh()
    until(browser, lambda: len(browser.find_elements("css selector", CONTINUE)) == 6)
    assert {one.text.splitlines()[-1] for one in browser.find_elements("css selector", CONTINUE)} == {"New"}


def test_numbers_of_the_answer_are_those_of_the_open_board(browser: Chrome) -> None:
    """New boards have the numbers of the open board in their answer, if that is wanted."""
    open_text(browser, SMALL)
    click(browser, "#boards")
    click(browser, "#door-make")
    click(browser, "[data-puzzle=sudoku]")
    find(browser, "#make-size").send_keys("4")
    click(browser, ".wishes summary")
    button(browser, "The answer has the numbers of the open board", ".wishes").click()
    click(browser, "#make-them")
    until(browser, lambda: len(browser.find_elements("css selector", "#made .tile")) == 6, 60)
    click(browser, "#made li:last-child .two button:last-child")
    says(browser, "One answer", ".pill")
    made = {"puzzle": "sudoku", "givens": board_of(browser, "givens")}
    answer = solve(loads(json.dumps(made))[0])
    assert answer is not None
    assert [[answer.values[r, c] for c in range(1, 5)] for r in (1, 2)] == [[1, 2, 3, 4], [3, 4, 1, 2]]


def test_clues_are_added_and_left_out(browser: Chrome) -> None:
    """A missing clue is put in, and clues that are not needed go, while one sets."""
    open_text(browser, SMALL)
    mode(browser, "set")
    click(browser, "#right summary")
    click(browser, "#add")
    says(browser, "One answer", ".pill")
    click(browser, "#minimize")
    says(browser, "No clue can be left out now")


def test_a_key_of_ones_own(browser: Chrome) -> None:
    """A key of one's own has a tool and a rule at once; its clues count, and stay when the page is loaded again."""
    open_text(browser, SMALL)
    mode(browser, "set")
    click(browser, "#own-key")
    find(browser, "#own-name").clear()
    find(browser, "#own-name").send_keys("bond")
    click(browser, "#own-make")
    until(browser, lambda: browser.find_elements("css selector", "[data-key=bonds][aria-pressed=true]"))
    drag(browser, (1, 2), (1, 3))
    until(browser, lambda: board_of(browser, "bonds") == ["r1c2 r1c3"])
    says(browser, "answer", ".pill")
    mode(browser, "rules")
    click(browser, "[data-file=extra]")
    press_card(browser, "Neighbours along a bond differ")
    until(browser, lambda: lit(browser, ".lit") == 2)
    browser.refresh()
    until(browser, lambda: browser.find_elements("css selector", "[data-file=extra]"))
    until(browser, lambda: board_of(browser, "bonds") == ["r1c2 r1c3"])
    says(browser, "answer", ".pill")


def test_a_board_is_kept_when_its_page_is_loaded_before_its_address_has_changed(browser: Chrome) -> None:
    """A page that is loaded again at the former address, as its board has just changed, has the changed board."""
    open_text(browser, SMALL)
    browser.execute_async_script("import('/page/state.js').then(({ save }) => save()).then(arguments[0])")
    former = browser.execute_script("return location.hash")
    mode(browser, "set")
    click(browser, "#own-key")
    click(browser, "#own-make")
    until(browser, lambda: browser.find_elements("css selector", "[data-key=rings][aria-pressed=true]"))
    browser.execute_async_script("import('/page/state.js').then(({ save }) => save()).then(arguments[0])")
    assert browser.execute_script("return location.hash") != former
    browser.execute_async_script("import('/page/state.js').then(({ save }) => save()).then(arguments[0])")
    # So it is if the browser begins to load the page just before the address changes.
    browser.execute_script("Storage.prototype.setItem = () => {}; history.replaceState(null, '', arguments[0])", former)
    browser.refresh()
    until(browser, lambda: browser.find_elements("css selector", "[data-key=rings]"))


def test_a_link_has_keys_and_rules_of_ones_own(browser: Chrome) -> None:
    """A link to a board with a key of one's own has the key, its clues and its rule."""
    open_text(browser, SMALL)
    mode(browser, "set")
    click(browser, "#own-key")
    click(browser, "#own-make")
    until(browser, lambda: browser.find_elements("css selector", "[data-key=rings][aria-pressed=true]"))
    drag(browser, (1, 2), (1, 3))
    until(browser, lambda: board_of(browser, "rings") == ["r1c2 r1c3"])
    before = len(browser.current_url)
    until(browser, lambda: len(browser.current_url) != before or browser.current_url.count("#"))
    browser.execute_async_script("import('/page/state.js').then(({ save }) => save()).then(arguments[0])")
    link = browser.current_url
    browser.get("about:blank")
    browser.get(link.partition("#")[0])
    browser.execute_script("localStorage.clear()")
    browser.get("about:blank")
    browser.get(link)
    says(browser, "rules of its own")
    until(browser, lambda: board_of(browser, "rings") == ["r1c2 r1c3"])
    mode(browser, "rules")
    click(browser, "[data-file=extra]")
    says(browser, "Neighbours along a ring differ", "#cards")


# -- Pleasant -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("wide", "dark"), [(360, True), (800, False), (1920, True)])
def test_no_mode_is_wider_than_the_screen(browser: Chrome, wide: int, *, dark: bool) -> None:
    """No mode scrolls sideways, and all of the board is on the screen."""
    resize(browser, wide, 900, dark=dark)
    for name in MODES:
        mode(browser, name)
        until(browser, lambda: browser.find_elements("css selector", "#stage svg"))
        assert browser.execute_script("return document.documentElement.scrollWidth") <= wide
        box = find(browser, "#stage svg").rect
        assert box["y"] + box["height"] <= 900
        assert box["width"] >= 300


NARROW, WIDE = 360, 1200


@pytest.mark.parametrize(
    ("wide", "dark"),
    [
        (NARROW, True),
        (WIDE, False),
        pytest.param(NARROW, False, marks=pytest.mark.night),
        pytest.param(WIDE, True, marks=pytest.mark.night),
    ],
)
def test_axe_finds_no_fault(browser: Chrome, wide: int, *, dark: bool) -> None:
    """axe-core, if AXE is its path, finds no fault in any mode, light and dark, wide and narrow."""
    script = os.environ.get("AXE")
    if script is None:
        pytest.skip("needs axe-core: npm install axe-core, and AXE=node_modules/axe-core/axe.min.js")
    axe = Path(script).read_text(encoding="utf-8")
    ask = (
        "axe.run({ rules: { 'label-content-name-mismatch': { enabled: true } } }).then(found =>"
        " arguments[0](found.violations.map(one => `${one.id} ${one.nodes[0].html}`)))"
    )
    states: dict[str, tuple[str, ...]] = {
        **{name: (f"#modes [data-mode={name}]",) for name in MODES},
        "hint": ("#modes [data-mode=play]", "#hint", "#more-hint", "#more-hint"),
        "check": (".card [aria-label=Close]", "#check"),
        "a rule": ("#modes [data-mode=rules]", "[data-file=rules]", "#cards li:nth-last-of-type(3) .sentence"),
        "what it forbids": (".hit[data-cell=r7c6]", "#forbids"),
        "a rule of one's own": ("#modes [data-mode=rules]", "[data-file=extra]"),
        "plain text": ("#plain",),
        "keep": ("#plain", "#keep"),
        "variants": ("[aria-label=Close]", "#modes [data-mode=set]", "#variants"),
        "own key": ("[aria-label=Close]", "#own-key"),
        "learn": ("[aria-label=Close]", "#boards", "#door-learn"),
        "make": ("#boards", "#door-make"),
        "lesson": ("#boards", "#door-learn", "[data-lesson='3']"),
        "menu": ("#modes [data-mode=play]", "#more"),
        "steps": ("#steps",),
        "print": ("#modes [data-mode=play]", "#more", "#print"),
        "front page": ("#boards",),
        "new board": ("#door-set",),
    }
    small = "return [...document.querySelectorAll('button, select, input, textarea, a')].filter((one) => { const"
    small += " { width, height } = one.getBoundingClientRect(); return width && !one.matches('.place, [type=checkbox],"
    small += " [type=range]') && Math.min(width, height) < 43.5 }).map((one) => one.outerHTML.slice(0, 99))"
    resize(browser, wide, dark=dark)
    for name, presses in states.items():
        for one in presses:
            click(browser, one)
        until(browser, lambda: not browser.find_elements("css selector", "[aria-busy]"))
        browser.execute_script(axe)
        assert browser.execute_async_script(ask) == [], name
        assert browser.execute_script("return document.documentElement.scrollWidth") <= wide, name
        if wide == NARROW:
            assert browser.execute_script(small) == [], name
