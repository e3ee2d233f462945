"""New boards, and boards with fewer clues: layouts, random answers, minimal clues, grades.

generate     new boards; `wishes` that no board can meet
layouts      layouts of a given size, from a file or by `layout.lp`; `uniqueness`, those with one answer and no clues
answers      random answers on which clues say much, by `answer.lp`
clues        the clues of a board, and what is wanted of it; `lines`, clues of several facts, and which are chosen
clue_search  the answers of a layout for any clues
minimize     boards with fewer clues; `reduction` to a minimal set
"""
