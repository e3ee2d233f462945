"""Puzzles: their folders, the keys of their boards, and their kinds of answers.

declaration   `puzzle.toml` and `variant.toml`; `templates` of new ones
board         boards from data; `keys`, the kinds of keys
numbers       a kind of answer, as `shading`, `pieces`, `lines` and `strata` are
questions     questions for clingo about a board; `consequences` of its rules
wording       the words of rules, clues and entries
"""
