"""The entry point, of the command `pyasp` and of `python -m pyasp_puzzles`."""

import gc


def main() -> None:
    """Run the command line."""
    gc.set_threshold(100_000)  # starting up makes much and drops nothing: looking for garbage costs 4 ms of 90

    from .cli import main as run

    run()


if __name__ == "__main__":
    main()
