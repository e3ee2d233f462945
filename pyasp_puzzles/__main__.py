"""The entry point, of the command `pyasp` and of `python -m pyasp_puzzles`."""

import gc


def main() -> None:
    """Run the command line."""
    gc.set_threshold(100_000)  # starting up makes much and drops nothing: looking for garbage costs 4 ms of 90

    from .cli import main as run  # noqa: PLC0415 (so that the threshold holds for what it imports)

    run()


if __name__ == "__main__":
    main()
