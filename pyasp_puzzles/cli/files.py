"""The files that commands write: each appears as a whole or not at all, and none is replaced without --force."""

from __future__ import annotations

import os
from contextlib import suppress
from errno import EACCES, EISDIR, ENOENT, ENOTDIR
from functools import cached_property
from typing import TYPE_CHECKING

from pyasp_puzzles.cli.terminal import write
from pyasp_puzzles.errors import PuzzleError, Where

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path
    from typing import BinaryIO, Self

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.model.puzzle import Instance


class NewFile:
    """A file that is written piece by piece and appears when its block ends, with all pieces that are complete.

    Until then there is what was there before, which also stays if writing fails.

    Args:
        path: the file; what is not a regular file, such as /dev/stdout, is written directly.
        force: whether it may replace another one.
    """

    def __init__(self, path: Path, *, force: bool) -> None:
        self._path, self._force = path, force
        self._target = path.resolve()
        self._direct = path.exists() and not path.is_file()
        self._copy = path if self._direct else self._target.with_name(f"{self._target.name}.{os.getpid()}.part")
        self._whole = 0

    @cached_property
    def _file(self) -> BinaryIO:
        return self._copy.open("wb", buffering=0)

    def write(self, data: bytes) -> None:
        """Add a piece.

        Raises:
            OSError: it cannot be written; the error has the name of the file.
        """
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            error.filename = str(self._path)
            self._whole = 0 if self._target.exists() else self._whole
            raise
        self._whole += len(data)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if "_file" not in vars(self):
            return
        try:
            with self._file:
                if self._direct:
                    return
                self._file.truncate(self._whole)  # without a piece that was interrupted
            if self._whole:
                refuse_existing(self._target, force=self._force)
                self._copy.replace(self._target)
        except OSError as error:
            error.filename = str(self._path)
            raise
        finally:
            if not self._direct:
                with suppress(OSError):
                    self._copy.unlink(missing_ok=True)


class Output:
    """Where a command writes: standard output, one file, or a directory with a file for each board.

    A name without a suffix is that of a directory, unless there is such a file.

    Args:
        path: the file or directory; None for standard output.
        force: whether files may be replaced.
        directories: whether it may be a directory.

    Raises:
        PuzzleError: there is such a file.
        OSError: it cannot be written.
    """

    def __init__(self, path: Path | None, *, force: bool, directories: bool = True) -> None:
        self.force = force
        is_directory = directories and path is not None and (path.is_dir() or not (path.suffix or path.exists()))
        self.directory = path if is_directory else None
        self.path = None if is_directory else path
        # The files that are written, none of which may have the name of another.
        self._written: set[Path] = set()
        if path is not None:
            _check_writable(path, is_directory=is_directory)
        if self.path is not None:
            refuse_existing(self.path, force=force)

    def write(self, data: str | bytes) -> None:
        """Write all there is to the file, or a piece of it to standard output."""
        if self.path is None:
            write(data.decode() if isinstance(data, bytes) else data)
        else:
            self._write(self.path, data)

    def in_directory(self, name: str) -> Path:
        """Return the path of a file in the directory, which may be written.

        Raises:
            PuzzleError: there is such a file, or it was written already.
        """
        assert self.directory is not None
        path = self.directory / name
        refuse_existing(path, force=self.force and path not in self._written)
        return path

    def write_in_directory(self, name: str, data: str) -> None:
        """Write a file in the directory; errors as for `in_directory`."""
        path = self.in_directory(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._write(path, data)
        self._written.add(path)

    def free(
        self,
        boards: Iterable[tuple[Instance, Settings]],
        name: Callable[[Instance], str],
        report: Callable[[PuzzleError], object],
    ) -> Iterator[tuple[Instance, Settings]]:
        """Yield the boards whose files may be written, and report the others."""
        for board, settings in boards:
            try:
                if self.directory is not None:
                    self.in_directory(name(board))
            except PuzzleError as error:
                error.about = board.about
                report(error)
                continue
            yield board, settings

    def _write(self, path: Path, data: str | bytes) -> None:
        with NewFile(path, force=self.force) as file:
            file.write(data if isinstance(data, bytes) else data.encode("utf-8", "xmlcharrefreplace"))


def refuse_existing(path: Path, *, force: bool) -> None:
    """Raise `PuzzleError` if there is such a file, unless it may be replaced."""
    if not force and path.is_file():
        raise PuzzleError("exists; choose another name or pass --force", Where(str(path)))


def _check_writable(path: Path, *, is_directory: bool) -> None:
    """Raise `OSError` unless a file or a directory can be written."""
    there = next((one for one in (path, *path.absolute().parents) if one.exists()), path)
    below = there is not path
    if below and not is_directory and there != path.absolute().parent:
        raise FileNotFoundError(ENOENT, os.strerror(ENOENT), str(path))
    if (below or is_directory) and not there.is_dir():
        raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR), str(path))
    if not is_directory and path.is_dir():
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR), str(path))
    if not os.access(there, os.W_OK) or (path.is_file() and not os.access(path.resolve().parent, os.W_OK)):
        raise PermissionError(EACCES, os.strerror(EACCES), str(path))
