"""Programs for clingo. This layer knows where the puzzles that ship are, and none of their rules.

settings     the options of every question; `deadline`, their time limit
rules        files of rules; `source`, their text; `syntax` and `nodes`, what is in it; `checks` of files together
grounding    a ground program, and the strongly connected components of its atoms
search       models, their number, consequences, decisions of clingo; `cores`, minimal sets of assumptions
symbols      clingo's symbols to Python values and back
diagnostics  clingo's messages as exceptions
"""
