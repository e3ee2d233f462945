"""The data model: puzzles, boards, answers, and what questions about them return; values without a search."""
