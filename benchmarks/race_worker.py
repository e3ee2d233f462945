"""Solve boards with the package of a checkout: `python race_worker.py CHECKOUT`.

Runs outside of this package, so that it works with an older checkout too. Each line of input is a JSON list of boards,
`[what, text, format]`; each line of output a list of `[seconds, result]`, null for what this checkout cannot read.
"""

import json
import sys
import zlib
from time import process_time
from typing import Any


def main() -> None:
    """Answer each line."""
    sys.path.insert(0, sys.argv[1])
    # The checkout is known only now.
    import pyasp_puzzles as package

    for line in sys.stdin:
        results = [_timed(package, *board) for board in json.loads(line)]
        sys.stdout.write(json.dumps(results) + "\n")
        sys.stdout.flush()


def _timed(package: Any, what: str, text: str, name: str | None) -> tuple[float, object] | None:  # noqa: ANN401
    """Return the CPU time in seconds, and what both checkouts must agree about."""
    try:
        started = process_time()
        [board] = package.loads(text, format=name)
        read = process_time()
        result = _ask(package, what, board)
    except Exception:  # noqa: BLE001 (whatever an older checkout raises for a board that it does not know)
        return None
    return (read if what == "read" else process_time()) - (started if what == "read" else read), result


def _ask(package: Any, what: str, board: Any) -> object:  # noqa: ANN401
    if what == "solve":
        found = package.solutions(board, 2)
        answers = [answer.json() for answer in found]
        # A board with several answers may give any two of them.
        unique = len(answers) == 1 and found.complete
        return zlib.crc32(json.dumps(answers, sort_keys=True).encode()) if unique else len(answers)
    if what == "explain":
        list(package.explain(board))
    return what


if __name__ == "__main__":
    main()
