"""Explanations, hints and grades, by deduction from the named rules of an encoding.

explain         the steps from the clues to the answer; `hint`, `grade`; `pages`, as a section of a page
deduction       what one or two rules force; `groups` and `diagrams`, rules over the same cells; `totals`, sums;
                `global_rules`, about graphs
levels          what is forced level by level; `cores` of several rules, `chains` of inferences
patterns        what people call a step
sentences       the sentences of an explanation; `step_sentences` of its steps; `reasons` of what is ruled out
"""
