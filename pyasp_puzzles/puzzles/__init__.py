"""Puzzles, read from their folders, and their kinds of answers."""
