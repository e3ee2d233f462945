"""Japanese Sums: some cells hold numbers, none twice in a line; numbers outside are the sums of its runs, in order."""

from collections.abc import Iterator
from itertools import permutations, product
from random import Random

from tests.genres import UNKNOWN, Board, Told, blurred, label_words, labels, printed, some, tokens
from tests.strategies import grid, rectangle, toml

PUZZLE = '"japanese-sums"'


def _sums(line: list[int]) -> list[int]:
    """Return the sums of the runs of a line; [0] if it is blank."""
    sums, last = list[int](), 0
    for v in line:
        if v and last:
            sums[-1] += v
        elif v:
            sums.append(v)
        last = v
    return sums or [0]


def _lines(answer: Told, n: int) -> dict[tuple[str, int], list[int]]:
    value = {(r, c): v for r, c, v in answer}
    lines = {("left", i): [value[i, c] for c in range(1, n + 1)] for i in range(1, n + 1)}
    return lines | {("top", i): [value[r, i] for r in range(1, n + 1)] for i in range(1, n + 1)}


def _squares(n: int, largest: int) -> Iterator[Told]:
    """Yield every square of numbers and blanks, without two equal numbers in a row or column."""
    lines = sorted({*permutations([*range(1, largest + 1), *[0] * n], n)})
    for rows in product(lines, repeat=n):
        if all(len({*filter(None, column)}) == sum(map(bool, column)) for column in zip(*rows, strict=True)):
            yield frozenset((r, c, v) for r, row in enumerate(rows, 1) for c, v in enumerate(row, 1))


def draw(random: Random) -> str:
    """Return a small board, perhaps with sums that are wrong."""
    n, largest = random.choice([(2, 2), (2, 3), (3, 2)])
    answer = random.choice([*_squares(n, largest)])
    sums = {place: _sums(line) for place, line in _lines(answer, n).items() if random.random() < 0.5}
    if sums and random.random() < 0.25:
        sums[random.choice([*sums])] = random.choice([[1], [2], [1, 1], [0]])
    told = {place: blurred(random, dict(enumerate(line))) if line != [0] else {0: 0} for place, line in sums.items()}
    words = {place: ",".join(map(str, line.values())) for place, line in told.items()}
    sides = [f'{side} = "{" ".join(words.get((side, i), ".") for i in range(1, n + 1))}"' for side in ("top", "left")]
    given = blurred(random, some(random, frozenset(one for one in answer if one[2]), 1))
    board = toml(puzzle=PUZZLE, largest=largest, givens=grid(given, rectangle(n, n), n, n))
    return f"{board}sums = {{ {', '.join(sides)} }}\n"


def tries(board: Board) -> Iterator[Told]:
    """Yield every square of numbers and blanks, without two equal numbers in a row or column."""
    return _squares(max(tokens(board["givens"]))[0], board.get("largest", 4))


def keeps(board: Board, answer: Told) -> bool:
    """Return whether a square keeps the rules."""
    n = max(tokens(board["givens"]))[0]
    lines = _lines(answer, n)
    for side in ("top", "left"):
        for i, word in enumerate(label_words(board, "sums", side), 1):
            sums = [*map(str, _sums(lines[side, i]))]
            told = word.split(",")
            if word != "." and not (
                len(sums) == len(told)
                and all(one in {UNKNOWN, other} for one, other in zip(told, sums, strict=True))
                and (told != [UNKNOWN] or sums != ["0"])
            ):
                return False
    blank = {(r, c) for r, c, v in answer if not v}
    return printed(board, answer) and blank.isdisjoint(labels(board["givens"]))
