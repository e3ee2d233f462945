"""Records of boards in a file of JSON Lines, to which one may come back: what is there is not done again.

Record  what `solve --json` prints of a board; it is known by its `source` and `board`
"""

from __future__ import annotations

import json
from bisect import bisect_right
from typing import TYPE_CHECKING

from .errors import PuzzleError, Where

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType
    from typing import BinaryIO, Self

BEGINS = b'{"puzzle": "'
"""How every record begins."""


class Records:
    """A file of records; each is written as a whole, so that at most the last one is lost with the process.

    Raises:
        PuzzleError: there is such a file already and it is not to be resumed, or it holds something else, or it cannot
            be opened.
    """

    def __init__(self, path: Path, *, resume: bool = False) -> None:
        self.statuses: set[str] = set()
        """What came of the boards that were there: "satisfiable", "unsatisfiable", "unknown" or "error"."""
        self._done: dict[str, _Numbers] = {}
        self._where = Where(str(path))
        try:
            self._file: BinaryIO = path.open("r+b" if resume and path.exists() else "xb")
            try:
                self._file.truncate(self._read() if resume else 0)
                self._file.seek(0, 2)
            except BaseException:
                self._file.close()
                raise
        except FileExistsError:
            raise PuzzleError("there is such a file already, expected a new one, or --resume", self._where) from None
        except OSError as error:
            raise PuzzleError(f"cannot be written: {error.strerror}", self._where) from None

    def write(self, record: str) -> None:
        """Write a record, a line."""
        try:
            data = record.encode()
        except UnicodeEncodeError:  # a file name that is no text
            data = json.dumps(json.loads(record)).encode() + b"\n"
        self._file.write(data)
        self._file.flush()

    def __contains__(self, board: tuple[str, int]) -> bool:
        source, number = board
        return source in self._done and number in self._done[source]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def _read(self) -> int:
        """Take note of the records that are there; return how many bytes they are, an unfinished last one left out."""
        if not self._file.readable():  # it is new
            return 0
        whole = 0
        for line, data in enumerate(self._file, 1):
            if not data.endswith(b"\n"):
                if not (data.startswith(BEGINS) or BEGINS.startswith(data)):
                    raise self._strange(line)
                break
            self._note(data, line)
            whole += len(data)
        return whole

    def _note(self, data: bytes, line: int) -> None:
        try:
            record = json.loads(data)
            source, board, status = record["source"], record["board"], record["status"]
        except (ValueError, TypeError, KeyError, RecursionError):
            raise self._strange(line) from None
        if not isinstance(source, str) or not isinstance(board, int) or not isinstance(status, str):
            raise self._strange(line)
        self._done.setdefault(source, _Numbers()).add(board)
        self.statuses.add("error" if "error" in record else status)

    def _strange(self, line: int) -> PuzzleError:
        where = self._where._replace(line=line)
        return PuzzleError("no record of a board, expected a file that --output has written", where)


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
