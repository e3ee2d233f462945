"""CaDiCaL, a SAT solver, through python-sat: a new solver for each board, or one for all boards of a size."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations

from pysat.solvers import Cadical195

from benchmarks.boards import Board, Verdict

from .choices import Choices, encode


def new_solver(board: Board) -> Verdict:
    """Use a new `Cadical195` for each board, pairwise clauses, and a second search with the answer forbidden."""
    encoded = encode(board)
    with Cadical195(bootstrap_with=[*clauses_of(encoded), *([i + 1] for i in encoded.given)]) as solver:
        if not solver.solve():
            return Verdict(None, unique=False)
        true = _true(solver, encoded)
        solver.add_clause([-literal for literal in true])
        return Verdict(encoded.answer(literal - 1 for literal in true), not solver.solve())


def shared_solver(board: Board) -> Verdict:
    """Use one `Cadical195` with the clauses of the empty board, and assume the clues of each board."""
    n = len(board.givens)
    solver, encoded = _shared(n)
    clues = [(r * n + c) * n + value for r, row in enumerate(board.givens) for c, value in enumerate(row) if value]
    if not solver.solve(assumptions=clues):
        return Verdict(None, unique=False)
    true = _true(solver, encoded)
    other = solver.nof_vars() + 1  # a new variable: if it is true, this answer is forbidden
    solver.add_clause([-other, *(-literal for literal in true)])
    unique = not solver.solve(assumptions=[*clues, other])
    solver.add_clause([-other])
    return Verdict(encoded.answer(literal - 1 for literal in true), unique)


@cache
def _shared(n: int) -> tuple[Cadical195, Choices]:
    side = round(n**0.5)
    boxes = [[str(r // side * side + c // side) for c in range(n)] for r in range(n)]
    encoded = encode(Board("sudoku", [[0] * n for _ in range(n)], boxes))
    return Cadical195(bootstrap_with=[*clauses_of(encoded)]), encoded


def _true(solver: Cadical195, encoded: Choices) -> list[int]:
    return [literal for literal in solver.get_model()[: len(encoded.choices)] if literal > 0]


def clauses_of(encoded: Choices) -> Iterator[list[int]]:
    """Yield the constraints on the choices of a board, numbered from 1, as clauses."""
    for group in encoded.exactly_one:
        yield [i + 1 for i in group]
    for group in encoded.exactly_one + encoded.at_most_one:
        yield from ([-one - 1, -other - 1] for one, other in combinations(group, 2))
