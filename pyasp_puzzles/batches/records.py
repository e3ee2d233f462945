"""`Records`, a file of JSON Lines with a record for each board, which an interrupted run can continue.

Record        what `solve --json` prints about a board, identified by its `source` and `board`; see docs/json.md
Error record  the record of a file or line that cannot be read: it has an `error` and no `solutions`
Options       {"limit": 2, "extra": ["diagonal"]}: the options of the run that differ from the defaults, in each record
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias

from pyasp_puzzles.errors import PuzzleError, Where, shown
from pyasp_puzzles.model.record import LOST_STATUS
from pyasp_puzzles.new_file import NewFile, lock_file

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from pathlib import Path
    from typing import BinaryIO, Self


# How records begin.
_BEGINNINGS = (b'{"puzzle": "', b'{"source": ')

# The source of an error record, its board if that is known, and the error.
ErrorKey: TypeAlias = "tuple[str, int | None, str]"


class Records:
    """A file of records. Each is written as a whole, so that a killed process loses at most the last one.

    With `resume`, boards whose worker was lost are solved again, and their records removed. Inputs with error records
    are read again, and `finish` removes the records of those that can be read now.

    Args:
        path: the file.
        resume: whether the file may exist, and is continued.
        force: whether the file may exist, and is written anew.
        options: the options of the run that differ from the defaults.
        sources: the files of the run, so that the records of another run are recognized; None if unknown.

    Raises:
        PuzzleError: the file exists and is not to be resumed, holds something else or records of another run, or cannot
            be opened.
    """

    def __init__(
        self,
        path: Path,
        *,
        resume: bool,
        force: bool = False,
        options: Mapping[str, object],
        sources: Collection[str] | None,
    ) -> None:
        self.statuses: set[str] = set()
        """The statuses of the boards in the file: "satisfiable", "unsatisfiable", "unknown" or "error"."""
        # {source: the numbers of its boards}
        self._solved: dict[str, set[int]] = {}
        # {error record in the file: whether the error occurred again}
        self._errors: dict[ErrorKey, bool] = {}
        self._options = options
        # How each record ends, if there are options.
        self._end = json.dumps({"options": options})[1:]
        self._sources = sources
        self._path = path
        self._where = Where(str(path))
        there = (resume and path.exists()) or (force and path.is_file())
        try:
            self._file: BinaryIO = path.open("r+b" if there else "wb" if force else "xb")
            try:
                lock_file(self._file, path)
                if there and force:
                    self._file.truncate(0)
                elif there:
                    self._resume()
            except BaseException:
                self._file.close()
                raise
        except FileExistsError:
            message = "exists; choose another name, continue it with --resume, or pass --force"
            raise PuzzleError(message, self._where) from None
        except OSError as error:
            raise self._unwritable(error) from None

    def write(self, record: str) -> None:
        """Write a record, a line of JSON.

        Raises:
            PuzzleError: it cannot be written.
        """
        if self._options:
            record = f"{record.rstrip()[:-1]}, {self._end}\n"
        try:
            self._file.write(record.encode())
            self._file.flush()
        except OSError as error:
            raise self._unwritable(error) from None

    def write_error(self, record: str) -> None:
        """Write an error record, unless it is in the file already."""
        key = _error_key(json.loads(record))
        if key in self._errors:
            self._errors[key] = True
        else:
            self.write(record)

    def finish(self) -> None:
        """Remove the error records whose errors did not occur again; call it when all inputs have been read."""
        solved = {key for key, again in self._errors.items() if not again}
        if solved:
            try:
                self._filter(lambda record: "solutions" in record or _error_key(record) not in solved)
            except OSError as error:
                raise self._unwritable(error) from None

    def __contains__(self, board: tuple[str, int]) -> bool:
        source, number = board
        return source in self._solved and number in self._solved[source]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # a failed write has been reported already
            self._file.close()

    def _resume(self) -> None:
        """Read the records in the file; remove an incomplete last one, and those of lost boards."""
        complete, lost = 0, False
        for line, data in enumerate(self._file, 1):
            if not data.endswith(b"\n"):
                if not any(data.startswith(begin) or begin.startswith(data) for begin in _BEGINNINGS):
                    raise self._not_a_record(line)
                break
            lost |= self._read(data, line) == LOST_STATUS
            complete += len(data)
        self._file.truncate(complete)
        if lost:
            self._filter(lambda record: record.get("status") != LOST_STATUS)
        self._file.seek(0, 2)

    def _read(self, data: bytes, line: int) -> str:
        """Note the board, or the error, of a record in the file, and return its status."""
        try:
            record = json.loads(data)
            source, status, board = record["source"], record["status"], record.get("board")
            key = None if "solutions" in record else _error_key(record)
            hash(key)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise self._not_a_record(line) from None
        valid = isinstance(source, str) and isinstance(status, str)
        if not valid or not (type(board) is int if key is None else isinstance(key[2], str)):
            raise self._not_a_record(line)
        self._check_run(record, line)
        if key is not None:
            self._errors[key] = False
        elif status != LOST_STATUS:
            self._solved.setdefault(source, set()).add(board)
            self.statuses.add(status)
        return str(status)

    def _check_run(self, record: Mapping[str, Any], line: int) -> None:
        """Raise `PuzzleError` if a record is from another run."""
        where = self._where._replace(line=line)
        if self._sources is not None and record["source"] not in self._sources:
            message = f"this is a record of {shown(record['source'])}, which is not among the files given"
            raise PuzzleError(f"{message}; continue the --output of the same job", where)
        if record.get("options", {}) != self._options:
            was, now = (json.dumps(of) if of else "the usual options" for of in (record.get("options"), self._options))
            raise PuzzleError(
                f"this record was made with {was}, not with {now}; continue the --output of the same job", where
            )

    def _filter(self, keep: Callable[[Mapping[str, Any]], bool]) -> None:
        """Remove the records that `keep` refuses, atomically: a copy replaces the file."""
        self._file.flush()
        with self._path.open("rb") as old:
            kept = b"".join(line for line in old if keep(json.loads(line)))
        if not kept:
            self._file.truncate(0)
            return
        with NewFile(self._path, force=True) as new:
            new.write(kept)
        self._file.close()
        self._file = self._path.open("r+b")
        lock_file(self._file, self._path)
        self._file.seek(0, 2)

    def _not_a_record(self, line: int) -> PuzzleError:
        where = self._where._replace(line=line)
        return PuzzleError("this is not a record of a board; name a file that --output has written", where)

    def _unwritable(self, error: OSError) -> PuzzleError:
        return PuzzleError(f"cannot be written: {error.strerror or error}", self._where)


def _error_key(record: Mapping[str, Any]) -> ErrorKey:
    return record["source"], record.get("board"), record["error"]
