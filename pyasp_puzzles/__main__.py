"""Run the command: `python -m pyasp_puzzles`."""

from .cli import main

main()
