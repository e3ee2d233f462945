"""The files that commands write: each appears as a whole or not at all; only incomplete ones are replaced unasked."""

from __future__ import annotations

import os
import re
from contextlib import ExitStack, suppress
from errno import EACCES, EISDIR, ENOENT, ENOTDIR
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyasp_puzzles.cli.options import WriteOptions
from pyasp_puzzles.cli.terminal import write_stderr, write_stdout
from pyasp_puzzles.errors import PuzzleError
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.new_file import NewFile, refuse_existing_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Self

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.model.puzzle import Instance

# The last line of a page or picture that lacks boards because the command failed; the next try may replace it. What
# reads HTML, SVG, PNG or PDF skips it.
_INCOMPLETE = b"<!-- incomplete: pyasp may replace this file -->\n"


class OutputFiles(WriteOptions):
    """Where a command writes: standard output, one file, or a directory with a file for each board.

    A name without a suffix is a directory, unless it is an existing file. Use it in a `with` statement, which first
    checks that it can be written; the file appears at the end.
    """

    directories: bool = True
    """Whether it may be a directory."""

    def __init__(self, **given: Any) -> None:  # noqa: ANN401 (options have any type)
        super().__init__(**given)
        self.unnamed = self.output is None
        """Whether neither a file nor - for standard output was named."""
        self.output = None if self.output == Path("-") else self.output
        # The files written so far; no two may have the same name.
        self._written: set[Path] = set()
        self._open = ExitStack()

    @cached_property
    def directory(self) -> Path | None:
        """The directory, if it is one."""
        path = self.output if self.directories else None
        return path if path is not None and (path.is_dir() or not (path.suffix or path.exists())) else None

    @property
    def path(self) -> Path | None:
        """The file, if it is one."""
        return None if self.directory is not None else self.output

    def __enter__(self) -> Self:
        if self.output is not None:
            _check_writable(self.output, is_directory=self.directory is not None)
        if self.path is not None:
            self.force = self.force or _is_incomplete(self.path)
            refuse_existing_file(self.path, force=self.force)
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    @cached_property
    def _file(self) -> NewFile:
        assert self.path is not None
        return self._open.enter_context(NewFile(self.path, force=self.force))

    def write(self, data: str | bytes, name: str = "", *, lacks: str = "") -> None:
        """Write a piece to standard output or the file, or a file in the directory; errors as for `check`.

        If the page or picture in the file lacks something, `lacks` says so, and the next try may replace it.
        """
        encoded = data if isinstance(data, bytes) else data.encode("utf-8", "xmlcharrefreplace")
        if self.directory is not None:
            self.check(name)
            path = self.directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with NewFile(path, force=self.force) as file:
                file.write(encoded)
            self._written.add(path)
        elif self.path is not None:
            self._file.write(encoded + _INCOMPLETE if lacks else encoded)
            if lacks:
                write_stderr(f"{self.path} {lacks}; the next try replaces it")
        else:
            write_stdout(data.decode() if isinstance(data, bytes) else data)

    def check(self, name: str) -> None:
        """Raise `PuzzleError` if the directory has a file of that name that may not be replaced."""
        if self.directory is not None:
            path = self.directory / name
            refuse_existing_file(path, force=self.force and path not in self._written)

    def free(
        self, boards: Iterable[tuple[Instance, Settings]], suffix: str, report: Callable[[PuzzleError], object]
    ) -> Iterator[tuple[Instance, Settings]]:
        """Yield the boards whose files, with this suffix, may be written, and report the others."""
        for board, settings in boards:
            try:
                self.check(board_file_name(board, suffix))
            except PuzzleError as error:
                error.about = board.about
                report(error)
                continue
            yield board, settings


def board_file_name(board: Instance, suffix: str) -> str:
    """Return the name of a file for a board: the source of the board, and its number."""
    stem = re.sub(r"[^\w-]+", "-", Path(board.source).with_suffix("").as_posix())[-Limits.LONGEST_STEM :].strip("-")
    number = f"-{board.number}" if board.total != 1 else ""
    return f"{stem or 'board'}{number}{suffix}"


def _is_incomplete(path: Path) -> bool:
    """Return whether a file lacks boards because the command that wrote it failed."""
    if not path.is_file():
        return False
    with suppress(OSError), path.open("rb") as file:
        file.seek(-min(len(_INCOMPLETE), path.stat().st_size), os.SEEK_END)
        return file.read() == _INCOMPLETE
    return False


def _check_writable(path: Path, *, is_directory: bool) -> None:
    """Raise `OSError` unless a file or a directory can be written."""
    there = next((place for place in (path, *path.absolute().parents) if place.exists()), path)
    below = there is not path
    if below and not is_directory and there != path.absolute().parent:
        raise FileNotFoundError(ENOENT, os.strerror(ENOENT), str(path))
    if (below or is_directory) and not there.is_dir():
        raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR), str(path))
    if not is_directory and path.is_dir():
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR), str(path))
    if not os.access(there, os.W_OK) or (path.is_file() and not os.access(path.resolve().parent, os.W_OK)):
        raise PermissionError(EACCES, os.strerror(EACCES), str(path))
