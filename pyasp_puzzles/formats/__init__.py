"""Texts to instances and back: a module for each format, which `format.find_format` finds by its name.

load      reads files and texts in any format
dump      writes a board as text in any format
format    `Format`, and the registry of formats
numbers   boards of numbers as other programs have them
answers   reads answers, for `pyasp check` and the like
"""
