"""The entry point of the command `pyasp` and of `python -m pyasp_puzzles`."""

from __future__ import annotations

import gc


def main() -> None:
    """Run the command line."""
    gc.set_threshold(100_000)  # start-up creates many objects and no garbage; collecting takes 4 ms of 90

    from pyasp_puzzles.cli import run_application as run

    run()


if __name__ == "__main__":
    main()
