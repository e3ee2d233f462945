"""One module a puzzle, found by its name; `docs/adding-a-puzzle.md` tells how to add one."""
