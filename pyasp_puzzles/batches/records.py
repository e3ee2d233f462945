"""Records of boards in a file of JSON Lines, to which one may come back: what is there is not done again.

Record   what `solve --json` prints of a board, known by its `source` and `board`; see docs/json.md
Refusal  the record of a file or line that cannot be read: it has no `solutions`
Options  {"limit": 2, "extra": ["diagonal"]}: what was asked, in every record where it is not the usual
"""

from __future__ import annotations

import json
import os
from bisect import bisect_right
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias

from pyasp_puzzles.batches.batch import LOST
from pyasp_puzzles.errors import PuzzleError, Where, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from pathlib import Path
    from types import TracebackType
    from typing import BinaryIO, Self


BEGINS = (b'{"puzzle": "', b'{"source": ')
"""How records begin."""


class Records:
    """A file of records; each is written as a whole, so that at most the last one is lost with the process.

    Boards whose worker was lost are not taken to be done when a file is resumed: their records are removed. What cannot
    be read is read again, as boards are; its record stays if it cannot be read this time either.

    Args:
        path: the file.
        resume: whether it may be there already.
        options: what is asked of each board, where it is not the usual.
        sources: the files whose boards are to be recorded, to tell the records of another job; None where nobody knows.

    Raises:
        PuzzleError: there is such a file already and it is not to be resumed, or it holds something else, or records of
            another job, or it cannot be opened.
    """

    def __init__(
        self,
        path: Path,
        *,
        resume: bool = False,
        options: Mapping[str, object] | None = None,
        sources: Collection[str] | None = None,
    ) -> None:
        self.statuses: set[str] = set()
        """What came of the boards that were there: "satisfiable", "unsatisfiable", "unknown" or "error"."""
        self._done: dict[str, _Numbers] = {}
        self._refusals: dict[_Refusal, bool] = {}
        """Of each refusal that was there: whether it came again."""
        self._lost = False
        self._options = dict(options or {})
        self._sources = sources
        self._path = path
        self._where = Where(str(path))
        try:
            self._file: BinaryIO = path.open("r+b" if resume and path.exists() else "xb")
            try:
                self._file.truncate(self._read() if resume else 0)
                if self._lost:
                    self._keep(lambda record: record.get("status") != LOST)
                self._file.seek(0, 2)
            except BaseException:
                self._file.close()
                raise
        except FileExistsError:
            raise PuzzleError("there is such a file already, expected a new one, or --resume", self._where) from None
        except OSError as error:
            raise self._unwritable(error) from None

    def write(self, record: str) -> None:
        """Write a record, a line.

        Raises:
            PuzzleError: it cannot be written.
        """
        if self._options:
            record = f"{record.rstrip()[:-1]}, {json.dumps({'options': self._options})[1:]}\n"
        try:
            self._file.write(record.encode())
            self._file.flush()
        except OSError as error:
            raise self._unwritable(error) from None

    def refuse(self, record: str) -> None:
        """Write the record of what cannot be read, unless it is there already."""
        refusal = _refusal(json.loads(record))
        if refusal in self._refusals:
            self._refusals[refusal] = True
        else:
            self.write(record)

    def finish(self) -> None:
        """Remove the records of what could not be read and now can: all has been read."""
        gone = {refusal for refusal, again in self._refusals.items() if not again}
        if gone:
            try:
                self._keep(lambda record: "solutions" in record or _refusal(record) not in gone)
            except OSError as error:
                raise self._unwritable(error) from None

    def __contains__(self, board: tuple[str, int]) -> bool:
        source, number = board
        return source in self._done and number in self._done[source]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):  # what could not be written was said when it was
            self._file.close()

    def _read(self) -> int:
        """Take note of the records that are there; return how many bytes they are, an unfinished last one left out."""
        if not self._file.readable():  # it is new
            return 0
        whole = 0
        for line, data in enumerate(self._file, 1):
            if not data.endswith(b"\n"):
                if not any(data.startswith(begin) or begin.startswith(data) for begin in BEGINS):
                    raise self._strange(line)
                break
            self._note(data, line)
            whole += len(data)
        return whole

    def _note(self, data: bytes, line: int) -> None:
        try:
            record = json.loads(data)
            source, status, board = record["source"], record["status"], record.get("board")
            refused = "solutions" not in record
            sound = isinstance(source, str) and isinstance(status, str) and (refused or type(board) is int)
            if not sound or (refused and not isinstance(record["error"], str)):
                raise self._strange(line)
            refusal = _refusal(record) if refused else None
            hash(refusal)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise self._strange(line) from None
        self._check_job(record, line)
        if refusal is not None:
            self._refusals[refusal] = False
        elif status == LOST:
            self._lost = True
        else:
            self._done.setdefault(source, _Numbers()).add(board)
            self.statuses.add(status)

    def _check_job(self, record: Mapping[str, Any], line: int) -> None:
        """Raise `PuzzleError` if a record is not of this job."""
        where = self._where._replace(line=line)
        if self._sources is not None and record["source"] not in self._sources:
            message = f"a record of {shown(record['source'])}, which is not among the files given"
            raise PuzzleError(f"{message}, expected the --output of the same job", where)
        if record.get("options", {}) != self._options:
            usual = "the usual options"
            was, now = (json.dumps(of) if of else usual for of in (record.get("options"), self._options))
            raise PuzzleError(f"a record made with {was}, expected {now}: the --output of the same job", where)

    def _keep(self, kept: Callable[[Mapping[str, Any]], bool]) -> None:
        """Remove all records but those to be kept; whatever happens, the file is the old one or the new one."""
        self._file.flush()
        target = self._path.resolve()
        copy = target.with_name(f"{target.name}.{os.getpid()}.part")
        try:
            with self._path.open("rb") as old, copy.open("xb") as new:
                new.writelines(line for line in old if kept(json.loads(line)))
                new.flush()
                os.fsync(new.fileno())
            copy.replace(target)
        except BaseException:
            copy.unlink(missing_ok=True)
            raise
        self._file.close()
        self._file = target.open("r+b")
        self._file.seek(0, 2)

    def _strange(self, line: int) -> PuzzleError:
        where = self._where._replace(line=line)
        return PuzzleError("no record of a board, expected a file that --output has written", where)

    def _unwritable(self, error: OSError) -> PuzzleError:
        return PuzzleError(f"cannot be written: {error.strerror or error}", self._where)


_Refusal: TypeAlias = "tuple[str, int | None, str]"
"""What cannot be read: its source, its board where that is known, and the error."""


def _refusal(record: Mapping[str, Any]) -> _Refusal:
    return record["source"], record.get("board"), record["error"]


class _Numbers:
    """Whole numbers, kept as ranges: those of boards come one after the other."""

    def __init__(self) -> None:
        self._firsts: list[int] = []
        self._lasts: list[int] = []

    def add(self, number: int) -> None:
        """Add a number."""
        if self._lasts and number == self._lasts[-1] + 1:
            self._lasts[-1] = number
        elif number not in self:
            at = bisect_right(self._firsts, number)
            self._firsts.insert(at, number)
            self._lasts.insert(at, number)

    def __contains__(self, number: int) -> bool:
        at = bisect_right(self._firsts, number) - 1
        return at >= 0 and number <= self._lasts[at]
