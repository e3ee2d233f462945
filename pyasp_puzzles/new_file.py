"""`NewFile`, a file that appears as a whole or not at all, and replaces none without leave."""

from __future__ import annotations

import os
from contextlib import nullcontext, suppress
from functools import cached_property
from glob import escape
from typing import TYPE_CHECKING

from pyasp_puzzles.errors import PuzzleError, Where

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO, Self


class NewFile:
    """A file that is written piece by piece and appears when its block ends, with all pieces that are complete.

    Until then, the previous file remains; it also remains if writing fails.

    Args:
        path: the file; what is not a regular file, such as /dev/stdout, is written directly.
        force: whether it may replace an existing file.
    """

    def __init__(self, path: Path, *, force: bool) -> None:
        self._path, self._force = path, force
        self._target = path.resolve()
        self._direct = path.exists() and not path.is_file()
        self._copy = path if self._direct else self._target.with_name(f"{self._target.name}.{os.getpid()}.part")
        self._whole = 0

    @cached_property
    def _file(self) -> BinaryIO:
        file = self._copy.open("wb", buffering=0)
        try:
            for copy in () if self._direct else self._target.parent.glob(f"{escape(self._target.name)}.*.part"):
                # Those of runs that still write are locked.
                with suppress(FileNotFoundError), nullcontext(file) if copy == self._copy else copy.open("rb") as other:
                    lock_file(other, self._path)
        except BaseException:
            file.close()
            self._copy.unlink()
            raise
        return file

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
                refuse_existing_file(self._target, force=self._force)
                self._copy.replace(self._target)
        except OSError as error:
            error.filename = str(self._path)
            raise
        finally:
            if not self._direct:
                with suppress(OSError):
                    self._copy.unlink(missing_ok=True)


def lock_file(file: BinaryIO, path: Path) -> None:
    """Keep other runs from writing to a file until it is closed, or this process dies.

    Raises:
        PuzzleError: another run writes to it; the error names the path.
    """
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock
    except ImportError:  # Windows has no such locks
        return
    with suppress(OSError):  # nor have some file systems
        try:
            flock(file, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            if path.is_file() or not path.exists():  # and no device, which takes several writers
                message = "another run is writing to this file; wait for it, or choose another name"
                raise PuzzleError(message, Where(str(path))) from None


def refuse_existing_file(path: Path, *, force: bool) -> None:
    """Raise `PuzzleError` if there is such a file, unless it may be replaced."""
    if not force and path.is_file():
        raise PuzzleError("exists; choose another name or pass --force", Where(str(path)))
