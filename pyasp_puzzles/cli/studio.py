"""The command `studio`: a page in the browser, and the server that it needs."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

from pyasp_puzzles.cli import options
from pyasp_puzzles.cli.options import OTHERS, argument, option
from pyasp_puzzles.cli.run import Run
from pyasp_puzzles.cli.terminal import write_stdout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


BOARDS = f"What to begin with. {options.INPUT}"
_NO_BROWSER = "Print the address of the page, and do not open it."
_PORT = "The port of the page's address, 0 for any; the default is 8047, or the next that is free."
# A page that leads to another one.
REDIRECT = '<!doctype html><meta http-equiv="refresh" content="0; url={address}"><title>The studio</title>'


def studio_command(
    run: Run,
    folders: options.FolderOptions,
    file: Annotated[str | None, argument("FILE|URL", BOARDS, "board")] = None,
    port: Annotated[int | None, option(OTHERS, _PORT, "--port", metavar="N", min=0, max=65535)] = None,
    no_browser: Annotated[bool, option(OTHERS, _NO_BROWSER, "--no-browser")] = False,
) -> None:
    """Play, set and solve boards, and edit their rules, on a page in the browser.

    The page comes from this computer and is only for it. Ctrl-C ends the studio.

    Examples:
      pyasp studio
      pyasp studio sudoku/easy
      pyasp studio my.toml --puzzles mine --port 8080
    """
    serve, puzzles = _server(), folders.puzzles or []
    text = _text(run, file, puzzles)
    if text is not None:
        with _opener(no_browser) as ready:
            serve(ready, port=port, board=text, puzzles=puzzles)


def _server() -> Callable[..., None]:
    """Return the function that serves the page.

    Raises:
        PuzzleError: the extra is not installed.
    """
    from pyasp_puzzles.errors import PuzzleError

    if os.name != "posix":
        raise PuzzleError("the studio needs Linux or macOS; under Windows, use it in WSL")
    try:
        import starlette  # noqa: F401 (the server needs it)
        import uvicorn  # noqa: F401 (as above)
    except ImportError:
        raise PuzzleError("the studio needs Starlette and uvicorn; run pip install 'pyasp-puzzles[studio]'") from None
    from pyasp_puzzles.studio.server import serve_studio

    return serve_studio


def _text(run: Run, file: str | None, folders: list[Path]) -> str | None:
    """Return the boards of an input as TOML; "" without an input, None if it has none, which was reported.

    Raises:
        PuzzleError: there are too many, or a folder has no puzzles that can be read.
    """
    from pyasp_puzzles.errors import PuzzleError
    from pyasp_puzzles.formats import toml
    from pyasp_puzzles.limits import Limits
    from pyasp_puzzles.puzzles import declaration
    from pyasp_puzzles.puzzles.declaration import variants_in

    list(declaration.puzzles(folders))
    variants_in(folders)
    if file is None:
        return ""
    boards = [board for board, _ in run.boards(options.FileOptions(files=[file], puzzles=folders))]
    text = toml.FORMAT.write(boards, lambda _: None) if boards else None
    if text is not None and len(text.encode()) > Limits.LARGEST_QUESTION // 2:
        raise PuzzleError(f"{file}: {len(boards)} boards are too many for the studio; choose a smaller file")
    return text


@contextmanager
def _opener(no_browser: bool) -> Iterator[Callable[[str], None]]:
    """Yield the function that prints the address of the page, and opens it in the browser.

    The browser gets a file that leads to the page: the address has the token, and all users of a computer see the
    arguments of its processes.
    """
    with TemporaryDirectory(prefix="pyasp-studio-", ignore_cleanup_errors=True) as directory:

        def ready(address: str) -> None:
            write_stdout(f"The studio is at {address}\nCtrl-C ends it.\n")
            if not no_browser and _has_screen():
                page = Path(directory) / "studio.html"
                page.write_text(REDIRECT.format(address=address), encoding="utf-8")
                # The browser must not print here, and Ctrl-C must not end it.
                command, no = [sys.executable, "-m", "webbrowser", page.as_uri()], subprocess.DEVNULL
                subprocess.Popen(command, stdin=no, stdout=no, stderr=no, start_new_session=True)  # noqa: S603 (ours)

        yield ready


def _has_screen() -> bool:
    """Return whether a browser can have a window; a text browser would take the terminal."""
    return sys.platform == "darwin" or any(map(os.environ.get, ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")))
