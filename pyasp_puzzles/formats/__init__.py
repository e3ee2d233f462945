"""Texts to instances and back: a module for each format, which `format.find_format` finds by its name.

load      reads files and texts in any format
dump      writes a board as text in any format
format    `Format`, and the registry of formats
exchange  boards as other programs have them: read, written, and read again to see that nothing is lost
codings   parts of texts that the folders of puzzles declare
answers   reads answers, for `pyasp check` and the like
"""
