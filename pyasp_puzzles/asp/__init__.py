"""Programs for clingo: settings, grounding, searching, cores, error messages.

This layer knows where the puzzles that ship are, and none of their rules.
"""
