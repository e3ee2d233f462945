"""How fast the puzzles are solved, beside other solvers: `python -m benchmarks`, from the checkout."""
