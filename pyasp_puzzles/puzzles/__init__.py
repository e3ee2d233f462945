"""Puzzles: their folders, the keys of their boards, and their kinds of answers."""
