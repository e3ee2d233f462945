"""What `docs/performance.md` says beside its figures."""

INTRO = """\
# Performance

How fast boards are solved, beside other solvers, and how cost grows with size. `python -m benchmarks --write` wrote
this page, in one run on one machine; [how](#how-it-was-measured) is told below, and how to [run it](#run-it) yourself.

Every solver does the same work on the same boards, but for Strata: it finds an answer, and shows whether it is the only
one. Every answer was checked by the rules in plain Python, and what the solvers say of uniqueness was compared.
Strata is the exception: a board that has an answer always has a second one, so the seed's peeling says so without
looking for it, where we and clingo find two."""

HOW = """\
## How it was measured

- *In turn.* Each solver solves 20 boards one after another, as one who has many boards would, then it is the next
  one's turn, another one first each time. All boards are gone through {repeats} times, each time in a new process, so
  that no solver knows a board from before; the time for a board is the median of these. What a solver prepares once and
  uses for many boards, such as the grounding of a shape, counts for the board with which it does so.
- *What is timed* is from the board in the form that a solver takes (our `Instance`, of 9x9 Sudokus one that was read
  from a line; another's arrays or grids) to the answer as rows of numbers, cells of strips, or ribbons in their order.
  Reading a file, imports, and the checks are not timed; where it says "whole process", all of it is.
- *Ratios.* "By medians" is the ratio of two medians, "by totals" that of two sums, both over the boards that both
  solvers decided. Above 1 we are faster.
- *Limits.* A solver has {limit:g} s for a board, and leaves the race when it has used {budget:g} s in all; the boards
  are shuffled, so that the first few stand for all. Boards on which it was late are counted in its row, and are not in
  its ratios, which flatters it.
- *One thread*, or worker, for each solver.

How each solver was used is below. We tried several ways for two of them, on Sudokus: for CP-SAT integers and Booleans,
answers enumerated or forbidden one by one (both faster ones are in the tables); for python-sat clauses made afresh or
clues assumed, with CaDiCaL 1.0.3, 1.5.3 and 1.9.5 (1.9.5 was fastest on sudoku-17-clue by mean, 1.5.3 a little faster
on sudoku-hardest). The others run in the way that their own examples do, untuned; whoever knows them better may get
more out of them.
"""

BOARDS = """\
multi-puzzle-solver and puzzlekit have Sudoku and, as Suguru, Tectonic, but neither Strimko, nor strips, nor Strata.
grilops, CP-SAT and CaDiCaL know no puzzles; we have taught them those with numbers, the last two strips too, and none
of them Strata, where the seed's peeling needs no search at all.

The reference collections (sudoku-17-clue, sudoku-magictour and sudoku-hardest, from the lists of t-dillon/tdoku;
suguru and strimko, from public collections) do not ship with the project. A record whose sizes do not agree was left
out. What is "made" comes from a fixed seed, by [`benchmarks/boards.py`](../benchmarks/boards.py).
"""

RUN = """\
## Run it

From a checkout, in an environment that has the project:

```sh
pip install --requirement benchmarks/requirements.txt
python -m benchmarks --quick
python -m benchmarks --write
```

A solver that is not installed is left out. `--only NAME` measures one thing, and `--data DIR` also the reference
collections in a directory."""

LIMITS = """\
The medians of what clingo itself takes for a board, call by call, in a loop that does little else, beside what a board
takes with us, and what it may take to reach the goals above. A goal below what clingo alone takes is out of reach of
any driver. Of Sudokus that share a grounding three things are left: what a solve call costs in which every number is
given, so that there is nothing to search; the search; and the answer, as one text that Python takes apart. Boards that
are grounded one by one pay for reading the rules and the facts, for grounding, which is most of it, and for the search.
"""

WHOLE = """\
From the start of Python to the last line, files read: ours by `pyasp solve --json -n 2`, each of the others by a few
lines of Python that import what it needs and little else.
"""

JOBS = """\
{boards} Tectonics by `pyasp solve --json -n 2`: {one} with `--jobs 1`, {two} with `--jobs 2`, which is {gain:.2f} times
as fast. Two independent processes with one job each, at the same time, did {machine:.2f} times as much as one: that is
what this machine has.
"""

EXPLANATIONS = """\
Whole explanations, by `explain(instance)`: every step to the answer with the rules that force it, and that there is no
other answer. None of the other solvers explains, so there is nothing to compare them with.
"""

GROWTH = """\
## How cost grows

Each point is the median over {grown} boards of a size, each solver in a process of its own; a line ends where the
boards of a size take more than {grow:g} s together. The axes are logarithmic: a straight line is a power of the side,
and its slope the exponent. Tectonics are laid from bricks of 5x5 cells, and have one answer; Sudokus have boxes from
2x2 to 6x6 and 60 % of their numbers given; a Strata board that has an answer always has several, of which two are
asked for; boards of strips are cut at random into strips that are all different, as long as there are enough. Where a
board has several answers, as the larger Sudokus and the strips do, the time is that of finding two, and no proof.
"""
