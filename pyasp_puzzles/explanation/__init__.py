"""Explanations, hints and grades, by deduction from the named rules of an encoding.

explain         the steps from the clues to the answer; `hint`, `grade`; `pages`, as a section of a page
propagators     what rules force, and what that needs; `groups` of rules over the same cells, `totals` of sums,
                `global_rules`, about graphs
deduction       what one propagator forces, and which placement is the cheapest
levels          what is forced level by level; `cores` of several rules, `chains` of inferences
patterns        what people call a step
sentences       the sentences of an explanation; `step_sentences` of its steps; `reasons` of what is ruled out
"""
