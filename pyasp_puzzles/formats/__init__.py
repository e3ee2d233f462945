"""Texts to instances and back. Each `Format` in these modules is one of `pyasp list --formats`.

format    `Format`, the registry of formats, and `dumps`, a board as text
load      files and texts in any format; answers, for `pyasp check`; `addresses` finds boards in lists and sentences
toml      our own formats: also `json`, `lp`, and `grid`
exchange  formats of other programs: a text says a `Draft` of a board, and what is written is read again
codings   drafts of puzzles whose folders declare the parts of a text: for `puzzlink`, `tatham` and `penpa`
sites     what sites of Sudokus share whose constraints variants name: `f_puzzles`, `sudokupad`, `sudokumaker`, `iss`
lists     lines and rows of Sudokus; `files` has janko.at, .non and OpenSudoku
picture   photos and screenshots, whose board `picture_grid` finds
"""
