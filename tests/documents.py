"""The documents, what they show, and how to bring them up to date: `python -m tests.documents --write`, or `--picture`.

Document   Path("README.md"), Path("docs/tutorial.md"): a page, named within the checkout
Block      the text between two fences; one with a title is a file that the commands of its page read
Command    ("solve tectonic/seed", "The first Tectonic ..."): what follows `$ pyasp `, and what it prints
"""

import argparse
import json
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from .chromium import chrome, resize, screenshot, wait_for
from .command import PACKAGE, pyasp
from .command_page import page
from .notebooks import CHECKOUT, NOTEBOOK, executed
from .puzzle_page import PUZZLE_PAGE, puzzle_page, puzzle_pictures
from .variant_page import VARIANT_PAGE, variant_page, variant_pictures

COMMAND_PAGE = Path("docs/command.md")
# Pages that programs write.
GENERATED = {COMMAND_PAGE, VARIANT_PAGE, Path("docs/performance.md")}
DOCUMENTS = [
    Path("README.md"),
    Path("CONTRIBUTING.md"),
    *sorted(path.relative_to(CHECKOUT) for path in (CHECKOUT / "docs").glob("*.md")),
]
# The picture of a step page in the README, and its width and height.
STEP_PAGE, STEP_PAGE_SIZE = Path("docs/images/steps.png"), (900, 560)
# Pictures of the studio, each with what is pressed on its front page; and their width and height.
STUDIO_PAGES = {
    Path("docs/images/studio.png"): (),
    Path("docs/images/studio-hint.png"): ("[data-board='sudoku/easy']", "#hint", "#more-hint", "#more-hint"),
}
STUDIO_SIZE = (1200, 760)
# Pages that people write: these have examples to run.
WRITTEN = [document for document in DOCUMENTS if document not in GENERATED]
# The last line of an output that is not shown to its end.
CUT = "...\n"


def text_of(document: Path) -> str:
    """Return the text of a document."""
    return (CHECKOUT / document).read_text(encoding="utf-8")


def blocks(language: str, document: Path) -> list[str]:
    """Return the fenced blocks of a document in a language."""
    return re.findall(rf"^```{language}(?: title=.*?)?\n(.*?)^```$", text_of(document), re.MULTILINE | re.DOTALL)


def files(document: Path) -> dict[str, str]:
    """Return the files that a document shows with a title: `{name: text}`."""
    shown = re.findall(r'^```\w+ title="(.*?)"\n(.*?)^```$', text_of(document), re.MULTILINE | re.DOTALL)
    return dict(shown)


def write_files(document: Path, place: Path) -> None:
    """Write the files that a document shows with a title into a directory."""
    for name, text in files(document).items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text(text, encoding="utf-8")


def commands(block: str) -> Iterator[tuple[str, str]]:
    """Yield each command of a block, and what it prints."""
    for part in re.split(r"^\$ pyasp ", block, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown


def refreshed(document: Path) -> str:
    """Return a document with what its commands print today; outputs that are cut keep their number of lines."""

    def run(block: re.Match[str]) -> str:
        lines = []
        for command, shown in commands(block[2]):
            output = pyasp(*shlex.split(command), where=place).stdout
            if shown.endswith(CUT):
                output = "".join(output.splitlines(keepends=True)[: shown.count("\n") - 1]) + CUT
            lines.append(f"$ pyasp {command}\n{output}")
        return block[1] + "".join(lines) + "```"

    with TemporaryDirectory() as directory:
        place = Path(directory)
        write_files(document, place)
        return re.sub(r"^(```console\n)(.*?)^```$", run, text_of(document), flags=re.MULTILINE | re.DOTALL)


def gallery() -> dict[Path, str]:
    """Return the pictures of the README, as its first command in a block for a shell draws them: `{path: text}`."""
    lines = "".join(blocks("sh", Path("README.md"))).splitlines()
    command = next(line for line in lines if line.startswith("pyasp draw "))
    with TemporaryDirectory() as directory:
        place = Path(directory)
        done = pyasp(*shlex.split(command)[1:], where=place)
        assert (done.returncode, done.stderr) == (0, "")
        return {path.relative_to(place): path.read_text(encoding="utf-8") for path in sorted(place.rglob("*.svg"))}


def step_page() -> bytes:
    """Return a picture of the first step of the page that the README writes; its description is what the step says."""
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    with explained() as (written, first):
        picture, info = Image.open(BytesIO(screenshot(written, "1", STEP_PAGE_SIZE))), PngInfo()
    info.add_text("Description", first)
    out = BytesIO()
    picture.save(out, "PNG", pnginfo=info, optimize=True)
    return out.getvalue()


@contextmanager
def explained() -> Iterator[tuple[Path, str]]:
    """Yield the page that the README writes, and what its first step says."""
    readme = Path("README.md")
    shown = [command for block in blocks("console", readme) for command, _ in commands(block)]
    command = next(command for command in shown if command.startswith("explain ") and "--html" in command)
    with TemporaryDirectory() as directory:
        place = Path(directory)
        write_files(readme, place)
        done = pyasp(*shlex.split(command), where=place)
        assert (done.returncode, done.stderr) == (0, "")
        [written] = place.glob("*.html")
        _, board, *_ = shlex.split(command)
        yield written, json.loads(pyasp("explain", board, "--json", where=place).stdout.splitlines()[0])["words"]


def studio_pages() -> Iterator[tuple[Path, bytes]]:
    """Yield pictures of the studio: of its front page, and of a hint with its reasons."""
    from .studio import studio

    answer, page_files = "pyasp_puzzles.studio.questions.answer_question", str(PACKAGE / "studio" / "page")
    with TemporaryDirectory() as directory:
        place = Path(directory)
        with studio(place, answer=answer, page=page_files) as server, chrome(place / "profile") as browser:
            for path, presses in STUDIO_PAGES.items():
                resize(browser, *STUDIO_SIZE)
                browser.get(server.address)
                for where in presses:
                    wait_for(browser, where).click()
                wait_for(browser, ".card .words" if presses else ".thumb svg")
                yield path, browser.get_screenshot_as_png()


def main() -> None:
    """Write the page of the command, and what all others show; or name what is not current."""
    parser = argparse.ArgumentParser(prog="python -m tests.documents", description="Bring the documents up to date.")
    parser.add_argument("--write", action="store_true", help="write the documents that are out of date")
    parser.add_argument(
        "--picture", action="store_true", help=f"make {STEP_PAGE} and those of the studio again, with Chromium"
    )
    arguments = parser.parse_args()
    if arguments.picture:
        for path, picture in [(STEP_PAGE, step_page()), *studio_pages()]:
            (CHECKOUT / path).write_bytes(picture)
        return
    write = arguments.write
    current = {document: refreshed(document) for document in WRITTEN} | {COMMAND_PAGE: page(), NOTEBOOK: executed()}
    current |= {VARIANT_PAGE: variant_page(), PUZZLE_PAGE: puzzle_page()}
    current |= variant_pictures() | puzzle_pictures() | gallery()
    stale = [path for path, text in current.items() if not (CHECKOUT / path).exists() or text != text_of(path)]
    for path in stale:
        sys.stdout.write(f"{path}\n")
        if write:
            (CHECKOUT / path).parent.mkdir(exist_ok=True)
            (CHECKOUT / path).write_text(current[path], encoding="utf-8")
    sys.exit(bool(stale) and not write)


if __name__ == "__main__":
    main()
