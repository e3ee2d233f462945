"""New boards, and boards with fewer clues: layouts, random answers, minimal clues, grades.

generate     new boards; `wishes` that no board can meet
layouts      layouts of a given size, from a file or by `layout.lp`; `uniqueness`, those with one answer and no clues
answers      random answers on which clues say much, by `answer.lp`
clues        the clues that a board may have; `lines`, those of several facts; `selection`, which are chosen first
clue_search  the answers of a layout for any clues
minimize     boards with fewer clues; `reduction` to a minimal set; `trials`, where proofs take long
"""
