"""Easy as ABC: every row and column has each letter once, and blank cells; a letter outside is the first seen there."""

from collections.abc import Iterator
from random import Random

from tests.genres import UNKNOWN, Board, Told, blurred, label_words, labels, squares, tokens
from tests.strategies import grid, rectangle, toml

PUZZLE = '"easy-as-abc"'
SIDES = ("top", "bottom", "left", "right")


def _first(answer: Told, n: int) -> dict[tuple[str, int], str]:
    """Return the letter that is seen first from each side in each line."""
    value = {(r, c): v for r, c, v in answer}
    found: dict[tuple[str, int], str] = {}
    for i in range(1, n + 1):
        column, row = [value[r, i] for r in range(1, n + 1)], [value[i, c] for c in range(1, n + 1)]
        ways = (("top", column), ("bottom", column[::-1]), ("left", row), ("right", row[::-1]))
        found |= {(side, i): "ABC"[next(filter(None, line)) - 1] for side, line in ways}
    return found


def draw(random: Random) -> str:
    """Return a small board, perhaps with a letter outside that is wrong."""
    n = random.randint(2, 4)
    letters = random.choice([n, n - 1])
    letters = min(3, letters)
    answer = random.choice([*squares([*range(1, letters + 1), *[0] * (n - letters)])])
    first = {place: letter for place, letter in _first(answer, n).items() if random.random() < 0.3}
    if first and random.random() < 0.25:
        first[random.choice([*first])] = random.choice("ABC"[:letters])
    told = blurred(random, first)
    sides = [f'{side} = "{" ".join(str(told.get((side, i), ".")) for i in range(1, n + 1))}"' for side in SIDES]
    filled = sorted((r, c, "ABC"[v - 1]) for r, c, v in answer if v)
    given = {(r, c): letter for r, c, letter in random.sample(filled, random.randint(0, 2))}
    board = toml(puzzle=PUZZLE, letters=letters, givens=grid(blurred(random, given), rectangle(n, n), n, n))
    return f"{board}abc = {{ {', '.join(sides)} }}\n"


def tries(board: Board) -> Iterator[Told]:
    """Yield every square of letters and blanks."""
    n = max(tokens(board["givens"]))[0]
    letters = board.get("letters", 3)
    return squares([*range(1, letters + 1), *[0] * (n - letters)])


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a square keeps the rules."""
    value = {(r, c): v for r, c, v in answer}
    givens = all(
        value[cell] and token in {UNKNOWN, "ABC"[value[cell] - 1]} for cell, token in labels(board["givens"]).items()
    )
    first = _first(answer, max(value)[0])
    told = {(side, i): word for side in SIDES for i, word in enumerate(label_words(board, "abc", side), 1)}
    return givens and all(word in {".", UNKNOWN, first[place]} for place, word in told.items())
