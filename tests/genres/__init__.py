"""What the genres that ship demand, in plain Python, a module for each: from their rules, and not from the `.lp`.

A module has the name of its genre, with _ for -, and three functions:

    draw(random)          a small board, as TOML
    tries(board)          whatever may be an answer of a board
    keeps(board, answer)  whether it is one

Board  the keys of a board, as TOML has them: {"puzzle": "hitori", "numbers": "1 2 2"}
Told   what an answer says: the shaded cells, {(1, 2), (2, 1)}; the number in each cell, {(1, 2, 5), ...}; a line from
       (1, 2) to (1, 3), {(1, 2, 1, 3, 1), ...}; the areas or pieces, {{(1, 1), (1, 2)}, ...}, which
       may be there besides numbers
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import permutations, product
from random import Random
from typing import Any

from pyasp_puzzles import Answer
from pyasp_puzzles.boards.grid import EMPTY, OUTSIDE
from tests import rules
from tests.rules import Cell
from tests.strategies import grid, rectangle, toml

# A clue whose number is not told.
UNKNOWN = "?"
Board = Mapping[str, Any]
Told = frozenset[Any]


def told(answer: Answer) -> Told:
    """Return what an answer says."""
    if hasattr(answer, "lines"):
        joined = {(*one, *other, number) for (one, other), number in answer.lines.items()}
        return frozenset(joined | answer.marks)
    if hasattr(answer, "areas"):
        return frozenset(map(frozenset, answer.areas))
    if hasattr(answer, "pieces"):
        return frozenset(frozenset(piece.cells) for piece in answer.pieces)
    if hasattr(answer, "shaded"):
        return frozenset(cell for cell, shaded in answer.shaded.items() if shaded)
    cut = rules.members(getattr(answer, "regions", {}))
    return frozenset((*cell, value) for cell, value in answer.values.items()) | {*map(frozenset, cut.values())}


# -- Boards ---------------------------------------------------------------------


def labels(grid: str) -> dict[Cell, str]:
    """Return what is in each cell of a grid, without `.` and what is outside of it."""
    return {cell: token for cell, token in tokens(grid).items() if token != EMPTY}


def tokens(grid: str) -> dict[Cell, str]:
    """Return what is in each cell of a grid, `.` if it is empty."""
    rows = [line.split() if " " in line else [*line] for line in grid.strip().splitlines()]
    return {(r, c): token for r, row in enumerate(rows, 1) for c, token in enumerate(row, 1) if token != OUTSIDE}


def numbers(grid: str) -> dict[Cell, int]:
    """Return the number in each cell of a grid that has one."""
    return {cell: int(token) for cell, token in labels(grid).items() if token != UNKNOWN}


def beside(cell: Cell) -> set[Cell]:
    """Return the four places that share a side with a cell."""
    r, c = cell
    return {(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)}


def seen(cell: Cell, clear: Collection[Cell]) -> set[Cell]:
    """Return the clear cells that are seen from a cell in four directions, up to the first that is not clear."""
    found = set[Cell]()
    for y, x in beside((0, 0)):
        r, c = cell[0] + y, cell[1] + x
        while (r, c) in clear:
            found.add((r, c))
            r, c = r + y, c + x
    return found


def squared(cells: Collection[Cell]) -> bool:
    """Return whether cells fill a square of 2x2 cells."""
    return any({(r, c), (r + 1, c), (r, c + 1), (r + 1, c + 1)} <= {*cells} for r, c in cells)


def groups(cell: Cell, cells: Collection[Cell]) -> set[Cell]:
    """Return the connected groups of cells that share a side with a cell."""
    return {one for part in parts(cells) if part & beside(cell) for one in part}


def numbered(grid: str, shaded: Collection[Cell]) -> bool:
    """Return whether each connected part of the unshaded cells has just one clue: its size, or ?."""
    clues = labels(grid)
    islands = parts({*tokens(grid)} - {*shaded})
    return all(
        [clues[cell] for cell in island if cell in clues] in ([str(len(island))], [UNKNOWN]) for island in islands
    )


def rectangular(cells: Collection[Cell]) -> bool:
    """Return whether cells are all that is in a rectangle."""
    height, width = extent(cells)
    return len(cells) == height * width


def extent(cells: Collection[Cell]) -> tuple[int, int]:
    """Return the height and the width of the smallest rectangle around some cells."""
    rows, columns = zip(*cells, strict=True)
    return max(rows) - min(rows) + 1, max(columns) - min(columns) + 1


def parts(cells: Collection[Cell]) -> Iterator[set[Cell]]:
    """Yield the connected parts of some cells."""
    left = {*cells}
    while left:
        found = [left.pop()]
        for cell in found:
            found += beside(cell) & left
            left -= beside(cell)
        yield {*found}


def counted(board: Board, cells: Collection[Cell]) -> bool:
    """Return whether some cells are as many in each row and column as its number outside says."""
    outside = {side: str(text).split() for side, text in board.get("counts", {}).items()}
    return all(
        number in {EMPTY, UNKNOWN} or sum(cell[way] == i for cell in cells) == int(number)
        for way, side in ((0, "left"), (1, "top"))
        for i, number in enumerate(outside.get(side, []), 1)
    )


def counted_regions(board: Board, cells: Collection[Cell]) -> bool:
    """Return whether as many of some cells are in each region as its number says."""
    inside = rules.members(tokens(board["regions"]))
    return all(number in {UNKNOWN, len(inside[name] & {*cells})} for name, number in board.get("counts", {}).items())


def reaches_into_three(regions: Mapping[Cell, str], cells: Collection[Cell]) -> bool:
    """Return whether a straight line of some cells crosses two borders of regions."""
    for r, c in cells:
        for y, x in ((0, 1), (1, 0)):
            crossed, (i, j) = 0, (r, c)
            while (i + y, j + x) in cells:
                crossed += regions[i, j] != regions[i + y, j + x]
                i, j = i + y, j + x
            if crossed > 1:
                return True
    return False


def apart(regions: Mapping[Cell, str], cells: Collection[Cell]) -> bool:
    """Return whether those of some cells that are in one region are connected, and share no side with the others."""
    alone = all(regions[cell] == regions[other] for cell in cells for other in beside(cell) & {*cells})
    return alone and all(rules.connected(inside & {*cells}) for inside in rules.members(regions).values())


# -- Drawing --------------------------------------------------------------------


def size(random: Random, most: int) -> list[Cell]:
    """Return the cells of a small rectangle of at most so many."""
    sizes = [
        (r, c) for r, c in product(range(1, most + 1), repeat=2) if r * c <= most and min(r, c) >= 2 and max(r, c) < 6
    ]
    rows, columns = random.choice(sizes)
    return [*product(range(1, rows + 1), range(1, columns + 1))]


def outline(random: Random, most: int) -> list[Cell]:
    """Return the same, perhaps with one or two holes, but not in the last cell."""
    cells = size(random, most)
    holes = random.sample(cells[:-1], random.choice([0, 0, 1, 2])) if len(cells) > 5 else []
    return [cell for cell in cells if cell not in holes]


def blurred(random: Random, clues: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return clues; on some boards, some of them are unknown."""
    share = random.choice([0, 0, 0.3, 0.8])
    return {place: UNKNOWN if random.random() < share else clue for place, clue in clues.items()}


def corner_numbers(random: Random, board: tuple[int, int], most: int, largest: int) -> str:
    """Return a grid with at most so many numbers at the corners of a board of this size; on some boards, some are ?."""
    places = sorted(corners(rectangle(*board)))
    printed = {place: random.randint(0, largest) for place in random.sample(places, random.randint(0, most))}
    return grid(blurred(random, printed), places, *places[-1])


def cut(random: Random, cells: Collection[Cell], parts: int) -> dict[Cell, str]:
    """Return a cell's region, for connected cells that are cut into so many connected regions."""
    found = dict(zip(random.sample([*cells], parts), "ABCDEFGHI", strict=False))
    while open_ := [(cell, other) for cell in found for other in beside(cell) & {*cells} - found.keys()]:
        cell, other = random.choice(sorted(open_))
        found[other] = found[cell]
    return found


def counts_line(random: Random, counts: Mapping[str, int]) -> str:
    """Return the key with the counts of regions; on some boards, some of them are unknown."""
    text = ", ".join(f"{name} = {number!r}" for name, number in blurred(random, counts).items())
    return f"counts = {{ {text} }}\n"


def flags(random: Random, *keys: str) -> str:
    """Return the keys of rules that a board may add, as TOML; on some boards, some of them."""
    return "".join(f"{key} = 1\n" for key in keys if random.random() < 0.3)


def regions_with_counts(random: Random, puzzle: str, most: int, *, holes: bool = True) -> str:
    """Return a small board of regions, some of which have counts of at most so many cells."""
    cells = outline(random, 12) if holes else size(random, 12)
    regions = cut(random, cells, random.randint(2, 4))
    counts = {name: random.randint(0, most) for name in sorted({*regions.values()}) if random.random() < 0.4}
    board = toml(puzzle=f'"{puzzle}"', regions=grid(regions, regions, *cells[-1]))
    return board + (counts_line(random, counts) if counts else "")


# -- Answers --------------------------------------------------------------------


def shadings(cells: Collection[Cell], always: Collection[Cell] = ()) -> Iterator[Told]:
    """Yield every way to shade some of the cells, and always some others."""
    return (frozenset(shaded).union(always) for shaded in rules.subsets(cells))


def pairs(nodes: Collection[Cell]) -> list[tuple[Cell, Cell]]:
    """Return the neighbours among nodes, each pair in order."""
    return sorted((node, other) for node in nodes for other in beside(node) & {*nodes} if node < other)


def drawings(nodes: Collection[Cell], degrees: Mapping[Cell, Collection[int]]) -> Iterator[Told]:
    """Yield every way to join neighbours so that each node is joined to as many others as it may be."""
    places = pairs(nodes)
    left = {node: sum(node in pair for pair in places) for node in nodes}

    def draw(i: int, joined: Mapping[Cell, int], drawn: Told) -> Iterator[Told]:
        if i == len(places):
            if all(joined[node] in degrees[node] for node in nodes):
                yield drawn
            return
        for there in (0, 1):
            now = {**joined, **{node: joined[node] + there for node in places[i]}}
            after = {node: sum(node in pair for pair in places[i + 1 :]) for node in places[i]}
            if all(any(now[node] <= most <= now[node] + after[node] for most in degrees[node]) for node in places[i]):
                yield from draw(i + 1, now, drawn | ({(*places[i][0], *places[i][1], 1)} if there else set()))

    if all(left[node] or 0 in degrees[node] for node in nodes):
        yield from draw(0, dict.fromkeys(nodes, 0), frozenset())


def loop_drawings(cells: Collection[Cell]) -> Iterator[Told]:
    """Yield every way to join each cell to two others or none."""
    return drawings(cells, dict.fromkeys(cells, (0, 2)))


def shaded_drawings(cells: Collection[Cell]) -> Iterator[Told]:
    """Yield every way to join each cell to two others or none, where those without a line are shaded."""
    for drawn in loop_drawings(cells):
        yield drawn | ({*cells} - joins(drawn).keys())


def joins(answer: Told) -> dict[Cell, set[Cell]]:
    """Return the nodes that each node is joined to."""
    found: dict[Cell, set[Cell]] = {}
    for r, c, row, column, _ in (one for one in answer if len(one) > 2):
        found.setdefault((r, c), set()).add((row, column))
        found.setdefault((row, column), set()).add((r, c))
    return found


def reached(node: Cell, joined: Mapping[Cell, Collection[Cell]]) -> set[Cell]:
    """Return the nodes that lines lead to from a node, and this one."""
    found, waiting = set[Cell](), [node]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += joined[one]
    return found


def one_loop(answer: Told) -> bool:
    """Return whether lines are one loop."""
    joined = joins(answer)
    connected = len(joined) > 0 and reached(next(iter(joined)), joined) == joined.keys()
    return connected and all(len(others) == 2 for others in joined.values())


def filled(board: Board, answer: Told, places: Collection[Cell]) -> bool:
    """Return whether lines visit all places, if the board says that they do."""
    return not board.get("full") or {*places} == joins(answer).keys()


def corners(cells: Collection[Cell]) -> set[Cell]:
    """Return the corners of some cells; that at the upper left of a cell has its place."""
    return {(r + y, c + x) for r, c in cells for y in (0, 1) for x in (0, 1)}


def edges(cell: Cell) -> set[tuple[int, ...]]:
    """Return the lines along the four edges of a cell."""
    r, c = cell
    across = {(r, c, r, c + 1, 1), (r + 1, c, r + 1, c + 1, 1)}
    return across | {(r, c, r + 1, c, 1), (r, c + 1, r + 1, c + 1, 1)}


def inside(cell: Cell, answer: Told) -> bool:
    """Return whether a cell is inside a loop that goes from cell to cell, if the loop does not visit it."""
    joined = joins(answer)
    return sum((cell[0] + 1, c) in joined.get((cell[0], c), ()) for c in range(cell[1])) % 2 == 1


def tours(answer: Told) -> int:
    """Return how many loops lines are, if they go straight on where they cross."""
    joined, left, number = joins(answer), {frozenset([(r, c), (y, x)]) for r, c, y, x, _ in answer}, 0
    while left:
        number += 1
        waiting = [left.pop()]
        while waiting:
            (r, c), (y, x) = sorted(waiting.pop())
            for node, other in (((r, c), (y, x)), ((y, x), (r, c))):
                on = (2 * node[0] - other[0], 2 * node[1] - other[1])
                for third in joined[node] if len(joined[node]) == 2 else {on}:
                    if frozenset([node, third]) in left:
                        left.remove(frozenset([node, third]))
                        waiting.append(frozenset([node, third]))
    return number


def straight(node: Cell, joined: Mapping[Cell, Collection[Cell]]) -> bool:
    """Return whether a loop goes straight on in a node that it visits."""
    (r, c), (row, column) = joined[node]
    return r == row or c == column


def crossings(region: Mapping[Cell, str], answer: Told) -> list[tuple[str, str]]:
    """Return the two regions for each line that goes from one region to another."""
    ends = [(region[r, c], region[row, column]) for r, c, row, column, _ in answer]
    return [pair for pair in ends if pair[0] != pair[1]]


def reach(node: Cell, way: Cell, joined: Mapping[Cell, Collection[Cell]]) -> int:
    """Return how many nodes a line goes straight on from a node in a direction, down and to the right."""
    other = node[0] + way[0], node[1] + way[1]
    return 1 + reach(other, way, joined) if other in joined.get(node, ()) else 0


def areas_of(first: Cell, cells: Collection[Cell], most: int = 99) -> set[frozenset[Cell]]:
    """Return every connected area that has a cell, and at most so many cells."""
    found, waiting = set[frozenset[Cell]](), [frozenset([first])]
    while waiting:
        area = waiting.pop()
        if area not in found:
            found.add(area)
            more = len(area) < most
            waiting += [area | {other} for cell in area if more for other in beside(cell) & {*cells} - area]
    return found


def partitions(
    cells: Collection[Cell], areas: Callable[[Cell, Collection[Cell]], Collection[frozenset[Cell]]] = areas_of
) -> Iterator[Told]:
    """Yield every way to cut cells into areas, given those that the first cell may be in: all connected ones."""
    if not cells:
        yield frozenset()
        return
    for area in areas(min(cells), {*cells}):
        if area <= {*cells}:
            yield from (rest | {area} for rest in partitions({*cells} - area, areas))


def four_meet(answer: Told) -> bool:
    """Return whether four areas meet in a point."""
    areas = {cell: area for area in answer for cell in area}
    points = ([(r, c), (r + 1, c), (r, c + 1), (r + 1, c + 1)] for r, c in areas)
    return any(len({areas[cell] for cell in point if cell in areas}) == 4 for point in points)


def squares(values: Sequence[int]) -> Iterator[Told]:
    """Yield every square with these values in each row and column; 0 may be among them several times."""
    rows = sorted({*permutations(values)})

    def extend(above: tuple[tuple[int, ...], ...]) -> Iterator[Told]:
        if len(above) == len(values):
            yield frozenset((r, c, value) for r, row in enumerate(above, 1) for c, value in enumerate(row, 1))
            return
        for row in rows:
            if not any(value and value == other[c] for other in above for c, value in enumerate(row)):
                yield from extend((*above, row))

    return extend(())


def orders(regions: Mapping[Cell, str]) -> Iterator[Told]:
    """Yield every way to write 1, 2, 3, ... into the cells of each region."""
    groups = [sorted(region) for region in rules.members(regions).values()]
    for written in product(*(permutations(range(1, len(group) + 1)) for group in groups)):
        filled = zip(groups, written, strict=True)
        yield frozenset((*cell, value) for group, order in filled for cell, value in zip(group, order, strict=True))


def printed(board: Board, answer: Told) -> bool:
    """Return whether an answer has the numbers that are printed on a board."""
    return {(*cell, value) for cell, value in numbers(board.get("givens", "")).items()} <= answer


def some(random: Random, answer: Told, most: int) -> dict[Cell, int]:
    """Return some numbers of an answer, at most so many."""
    return {(r, c): value for r, c, value in random.sample(sorted(answer), random.randrange(most + 1))}


def label_words(board: Board, key: str, side: str) -> list[str]:
    """Return the labels on a side of a board; none if there are none."""
    return str(board.get(key, {}).get(side, "")).split()


def slides(circles: Mapping[Cell, str], cells: Collection[Cell]) -> Iterator[Told]:
    """Yield the lines along which circles slide straight on, for every way they may; `?` is any distance."""
    ways: list[list[Told]] = []
    for cell, number in circles.items():
        found = {frozenset[Any]()} if number in {"0", UNKNOWN} else set[Told]()
        for other in cells:
            across, down = sorted((cell[1], other[1])), sorted((cell[0], other[0]))
            if number in {UNKNOWN, str(across[1] - across[0] + down[1] - down[0])} and cell != other:
                if cell[0] == other[0]:
                    found.add(frozenset((cell[0], c, cell[0], c + 1, 1) for c in range(*across)))
                if cell[1] == other[1]:
                    found.add(frozenset((r, cell[1], r + 1, cell[1], 1) for r in range(*down)))
        ways.append([*found])
    yield from {frozenset[Any]().union(*chosen) for chosen in product(*ways)}


def slid(circles: Mapping[Cell, str], answer: Told) -> set[Cell] | None:
    """Return where circles are in the end, or None if lines are not the ways that they slide."""
    joined, used, ends = joins(answer), [*circles], set[Cell]()
    for cell, number in circles.items():
        way = next(((r - cell[0], c - cell[1]) for r, c in joined.get(cell, ())), (0, 0))
        far = reach(cell, way, joined) if cell in joined else 0
        used += [(cell[0] + i * way[0], cell[1] + i * way[1]) for i in range(1, far + 1)]
        ends.add((cell[0] + far * way[0], cell[1] + far * way[1]))
        if number not in {UNKNOWN, str(far)}:
            return None
    return ends if len(used) == len({*used}) == len(answer) + len(circles) else None
