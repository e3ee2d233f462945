"""clingo: a program, how it is grounded and solved, and what is wrong with it; knows no puzzle."""
