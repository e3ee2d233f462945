"""Questions about a board: its answers, their number, whether it is a good puzzle, what is wrong with an answer.

solve, check, review           questions that clingo answers; `sessions` keep groundings for boards of one layout
ground_rules, formulas, words  the named rules of a board, one by one, and what they say in words
diagrams                       what formulas over a few cells force together
resolve, about                 what follows by disjunctive syllogism, and where the rules of a board apply
method                         explanations by the method of a kind of answer, such as Strata's
"""
