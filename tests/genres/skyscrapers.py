"""Skyscrapers: every row and column holds 1..n once; a number outside says how many towers are seen from there."""

from collections.abc import Iterator, Sequence
from random import Random

from tests.genres import UNKNOWN, Board, Told, blurred, label_words, printed, some, squares, tokens
from tests.strategies import grid, rectangle, toml

PUZZLE = '"skyscrapers"'
SIDES = ("top", "bottom", "left", "right")


def _lines(answer: Told, n: int) -> dict[tuple[str, int], list[int]]:
    """Return the towers that are seen from each side, in their order; some may be 0."""
    value = {(r, c): v for r, c, v in answer}
    found: dict[tuple[str, int], list[int]] = {}
    for i in range(1, n + 1):
        column, row = [value[r, i] for r in range(1, n + 1)], [value[i, c] for c in range(1, n + 1)]
        ways = (("top", column), ("bottom", column[::-1]), ("left", row), ("right", row[::-1]))
        found |= {(side, i): line for side, line in ways}
    return found


def _seen(line: Sequence[int]) -> int:
    return sum(tower > 0 and tower > max([0, *line[:i]]) for i, tower in enumerate(line))


def _size(board: Board) -> int:
    return max(tokens(board["givens"]))[0]


def draw(random: Random) -> str:
    """Return a small board; some have fewer towers than cells in a row, and some a clue that may be wrong."""
    n = random.randint(2, 4)
    largest = random.choice([n, n, max(1, n - 1)])
    answer = random.choice([*squares([*range(1, largest + 1), *[0] * (n - largest)])])
    seen = {place: _seen(line) for place, line in _lines(answer, n).items() if random.random() < 0.3}
    if seen and random.random() < 0.25:
        seen[random.choice([*seen])] = random.randint(1, n)
    seen = blurred(random, seen)
    sides = [f'{side} = "{" ".join(str(seen.get((side, i), ".")) for i in range(1, n + 1))}"' for side in SIDES]
    keys = {"largest": largest} if largest < n else {}
    givens = grid(blurred(random, some(random, answer, 3)), rectangle(n, n), n, n)
    return f"{toml(puzzle=PUZZLE, givens=givens, **keys)}skyscrapers = {{ {', '.join(sides)} }}\n"


def tries(board: Board) -> Iterator[Told]:
    """Yield every square of towers and empty plots."""
    n = _size(board)
    largest = board.get("largest", n)
    return squares([*range(1, largest + 1), *[0] * (n - largest)])


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a square keeps the rules."""
    n = _size(board)
    largest = board.get("largest", n)
    lines = _lines(answer, n)
    towers = [0] * (n - largest) + [*range(1, largest + 1)]
    clues = {
        (side, i): int(label)
        for side in SIDES
        for i, label in enumerate(label_words(board, "skyscrapers", side), 1)
        if label not in {".", UNKNOWN}
    }
    return (
        printed(board, answer)
        and all(sorted(line) == towers for line in lines.values())
        and all(_seen(lines[place]) == number for place, number in clues.items())
    )
