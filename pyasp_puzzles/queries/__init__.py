"""Questions about a board: its answers, their number, whether it is a good puzzle, what is wrong with an answer."""
