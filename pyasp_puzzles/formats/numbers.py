"""`NumberBoard`, a board of numbers as other programs have it, and what they `Can` say: sayable boards, variants.

NumberBoard  a Sudoku, a Strimko or a Tectonic: its givens, the region of each cell, and what else programs say
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from pyasp_puzzles.asp.paths import is_shipped_path
from pyasp_puzzles.asp.symbols import UNKNOWN
from pyasp_puzzles.boards.facts import fact_name
from pyasp_puzzles.boards.grid import (
    EMPTY,
    OUTSIDE,
    Cell,
    Grid,
    all_cells,
    cell_place,
    check_grid_size,
    connected_cells,
    grid_at,
    grid_extent,
    grid_rows,
    grid_text,
)
from pyasp_puzzles.boards.regions import are_latin_regions, are_usual_boxes, cells_by_region, numbered_regions, windows
from pyasp_puzzles.boards.toml import DETAILS, Table
from pyasp_puzzles.errors import InstanceError, PuzzleError, listing, printable_line, shown
from pyasp_puzzles.formats.format import (
    WRONG,
    Format,
    guarded_format,
    left_out_by_format,
    only_board_of_format,
    refusal,
)
from pyasp_puzzles.formats.rows import ROW_MARKS, fault_of_rows
from pyasp_puzzles.formats.rules_in_words import may_be_rules_in_words, variants_in_words, without_our_rule_words
from pyasp_puzzles.puzzles.board import board_from_keys, board_from_table, keys_of_board
from pyasp_puzzles.puzzles.declaration import declared_puzzles, find_puzzle
from pyasp_puzzles.puzzles.instructions import instructions
from pyasp_puzzles.puzzles.keys.lines import KeyLine, key_line_text, parsed_key_line
from pyasp_puzzles.puzzles.numbers import Numbers, NumbersKind
from pyasp_puzzles.puzzles.variant import puzzle_with_variants, shipped_variants, variants_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from pyasp_puzzles.formats.format import Report, Text
    from pyasp_puzzles.model.keys import Key, KeyLayer
    from pyasp_puzzles.model.puzzle import Instance, Puzzle, Variant

# The key of JSON under which our whole board travels along, and the key in it for the name of its puzzle.
CARRIED, _NAME = "pyasp", "name"
# The diagonals of a board, as `diagonals` in `[formats]` of a variant names them.
DIAGONALS = ("rising", "falling")


class NumberBoard(NamedTuple):
    """A board of numbers."""

    givens: Mapping[Cell, int]
    regions: Mapping[Cell, str]
    """The region of each cell: a place without one is no cell."""
    details: Mapping[str, str] = {}
    """Title, author, source and notes."""
    solution: Mapping[Cell, int] = {}
    variants: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    """What the text has and the board lacks."""
    drawn: bool = False
    """Whether that may be a drawing of rules."""
    warnings: tuple[str, ...] = ()
    keys: Mapping[str, object] = {}
    """The keys of its variants, as in TOML: {"thermometers": ["r1c1 r1c2"]}."""
    layers: Mapping[str, KeyLayer] = {}
    """What those keys print."""
    carried: Mapping[str, object] = {}
    """The keys of the whole board, for a format that keeps them besides what it knows."""
    known: Mapping[str, Variant] = {}
    """The variants that it may have, by name."""
    rules: str = ""
    """Its rules in words: those to write, or all that a text has."""
    puzzle: str = "sudoku"
    """ "sudoku", "strimko" or "tectonic"."""

    @property
    def carrying(self) -> dict[str, object]:
        """The key of JSON for what is carried, if anything is."""
        return {CARRIED: self.carried} if self.carried else {}

    @property
    def size(self) -> tuple[int, int]:
        """The number of rows and of columns."""
        return grid_extent(self.regions)

    @property
    def diagonals(self) -> list[str]:
        """The diagonals that it has: "rising", "falling"."""
        looks = [self.known[name].formats.get("diagonals") for name in self.variants]
        return [way for way in DIAGONALS if {way, "both"} & {*looks}]

    @property
    def windows(self) -> list[tuple[Cell, ...]]:
        """The windows between its boxes, if it has a variant about them."""
        return windows(self.size[0]) if any(self.known[name].formats.get("windows") for name in self.variants) else []

    @property
    def used(self) -> list[Variant]:
        """Its variants, that of both diagonals as those of one each."""
        names, ways = {*self.variants}, self.diagonals
        of_keys = {name for name, one in self.known.items() for key in one.keys if key.name in self.keys}
        alone = {name for name, one in self.known.items() if one.formats.get("diagonals") in ways}
        both = {name for name in names if self.known[name].formats.get("diagonals") == "both"}
        return [self.known[name] for name in self.known if name in (names | of_keys | alone) - both]

    def lines_of(self, key: str) -> list[KeyLine]:
        """Return the lines of a key, which may be one text."""
        found = self.keys.get(key, [])
        return [parsed_key_line(text) for text in ([found] if isinstance(found, str) else cast("list[str]", found))]

    @property
    def candidates(self) -> dict[Cell, list[int]]:
        """The candidates of each cell that has some."""
        return {
            line.groups[0][0]: [*map(int, line.values)]
            for line in self.lines_of(number_candidates_key(self.known).name)
        }

    def has_name(self, one: Variant, format_: str) -> bool:
        """Return whether a format has a name for a variant, or draws it as candidates, diagonals or windows."""
        return (
            bool(one.formats.keys() & {format_, "diagonals", "windows"})
            or number_candidates_key(self.known) in one.keys
        )

    def is_closed(self, key: Key) -> bool:
        """Return whether a line of a key of the board leads back to its first cell."""
        lines = self.lines_of(key.name) if key.kind.tool == "path" and key.name in self.keys else []
        return any(len(group) > 1 and group[0] == group[-1] for line in lines for group in line.groups)

    def places(self) -> list[Cell]:
        """Return all places within the sides of the board, row by row, cells or not."""
        return all_cells(*self.size)

    def lines(self, labels: Mapping[Cell, object], empty: str = ".", between: str = "") -> list[str]:
        """Return a line for each row, with the labels of its places."""
        return [between.join(map(str, row)) for row in grid_rows(labels, self.regions, empty)]


class Can(NamedTuple):
    """What a format can say."""

    puzzles: tuple[str, ...] = ("sudoku",)
    """Of "sudoku", "tectonic" and "strimko"; without Strimko, one becomes a jigsaw Sudoku."""
    sides: Collection[int] = ()
    """The sides of a Sudoku; empty: any."""
    jigsaw: bool = False
    """Whether a Sudoku may have other regions than the usual boxes."""
    scattered: bool = True
    """Whether a region may be in several pieces."""
    says: Callable[[NumberBoard, Variant], bool] = lambda *_: False
    """Returns whether it has a variant of a board."""
    told: bool = False
    """Whether it can tell rules in words, and draw the keys of variants that it does not have."""
    details: tuple[str, ...] = ()
    """Of "title", "author", "source" and "notes"."""
    source: str = "text"
    """ "address" if a source must be one that begins with http."""
    solved: float = 0
    """The largest side of a board whose answer it can hold; 0 for none."""


def number_format(
    name: str,
    summary: str,
    recognise: Callable[[str], bool],
    read: Callable[[Text], NumberBoard],
    write: Callable[[NumberBoard], str],
    *,
    can: Can,
    content: Callable[[str], Mapping[str, Any]] | None = None,
    **options: Any,  # noqa: ANN401 (the rest of the fields of a format)
) -> Format:
    """Return a format of boards of numbers, one in a text; what it cannot store is refused or reported here.

    Whatever `read` raises is reported as bad input. `write` gets only boards that the format can say. `content` returns
    the JSON of a text without its details, if the format keeps `NumberBoard.carried`. Further options are fields of
    `Format`.
    """

    def read_text(text: Text) -> Iterator[Instance]:
        board = guarded_format(name, text, lambda: read(text))
        plain = number_board_instance(board, text)
        yield (carried(board, plain, text) if board.carried else None) or plain

    def carried(board: NumberBoard, plain: Instance, text: Text) -> Instance | None:
        """Return the board that a text carries if the rest of the text agrees with it."""
        assert content
        try:
            keys = {**board.carried, _NAME: None}
            found = board_from_keys(str(board.carried[_NAME]), keys, text.where, text.puzzles)
            both = content(text.text), content(write(sayable(name, can, found, lambda _: None)))
        except (PuzzleError, *WRONG):
            return None
        whole, again = ({key: value for key, value in one.items() if value} for one in both)
        if whole != again:
            return None
        rules = printable_line(without_our_rule_words(board.rules, found))
        details = {key: words for key, words in {**plain.details, "rules": rules}.items() if words}
        return found._replace(details=details, solution=plain.solution)

    def write_boards(boards: Sequence[Instance], report: Report) -> str:
        if not options.get("line"):
            only_board_of_format(name, boards)
        return "\n".join(write(sayable(name, can, board, report)) for board in boards)

    return Format(name, summary, recognise, read_text, write_boards, answers=bool(can.solved), **options)


# -- Boards to instances ---------------------------------------------------------------------


def number_board_instance(board: NumberBoard, text: Text) -> Instance:
    """Return the instance of a board.

    Raises:
        InstanceError: it is no board of its puzzle.
    """
    where = text.where
    check_grid_size(*board.size)
    if outside := [cell for cell in board.regions if min(cell) < 1]:
        raise InstanceError(f"{cell_place(outside[0])} is outside the board", where)
    named, keys = find_puzzle(text.puzzle or board.puzzle, where, text.puzzles), dict(board.keys)
    # A board with cages may be one of a Sudoku of the user that has cages.
    others = [named, *declared_puzzles(text.puzzles)] if number_cages_key().name in keys else []
    with_cages = ((one, *_keys(one)) for one in others if _cage_keys(one))
    able = (one for one, regions, givens in with_cages if regions and givens and regions.option("size") == "rows")
    puzzle = next(able, named)
    regions, givens = _keys(puzzle)
    if regions is None or givens is None or _genre(puzzle) not in {_genre(find_puzzle(board.puzzle)), ""}:
        raise InstanceError(f"this is a board of {board.puzzle}; use --as {board.puzzle}, or no --as", where)

    def grid(labels: Mapping[Cell, object]) -> Grid:
        tokens = {cell: str(labels.get(cell, EMPTY)) for cell in board.regions}
        return grid_at(grid_rows(tokens, board.regions, OUTSIDE), where)

    table: dict[str, object] = {"puzzle": puzzle.name, regions.name: grid(board.regions)}
    table[givens.name] = grid(board.givens)
    table |= {key: words for key in DETAILS if (words := printable_line(board.details.get(key, "")))}
    table |= {"variants": [*board.variants]} if board.variants else {}
    if number_cages_key().name in keys and (cage_keys := _cage_keys(puzzle)):
        lines = [*enumerate(board.lines_of(number_cages_key().name), 1)]
        del keys[number_cages_key().name]
        cages, sums = cage_keys
        table[cages.name] = grid({cell: str(i) for i, line in lines for cell in line.groups[0]})
        table[sums.name] = {str(i): int(line.values[0]) for i, line in lines if line.values}
    table |= dict(sorted(keys.items(), key=lambda pair: pair[0] != number_cages_key().name))
    instance = board_from_table(Table(table, {}, where), text.puzzles)
    if board.rules and not board.drawn and (told := variants_in_words(board.rules, instance, text.puzzles)):
        instance = board_from_table(Table(table | {"variants": [*board.variants, *told]}, {}, where), text.puzzles)
    if rules := without_our_rule_words(board.rules, instance):
        instance = instance._replace(details={**instance.details, "rules": printable_line(rules)})
    if board.solution:
        words = grid_text(board.regions, {cell: str(value) for cell, value in board.solution.items()})
        instance = instance._replace(solution=puzzle.kind.read(instance, words, where, whole=True))
    unread = printable_line(rules) if may_be_rules_in_words(rules, instance) else ""
    return instance._replace(warnings=(*board.warnings, *number_board_warning(board.lost, unread)))


def _keys(puzzle: Puzzle) -> tuple[Key | None, Key | None]:
    """Return the keys of the regions and of the givens of a puzzle of numbers."""
    if not isinstance(puzzle.kind, NumbersKind):
        return None, None
    regions = next((key for key in puzzle.keys if key.kind.role == "regions" and key.whole), None)
    return regions, next((key for key in puzzle.keys if key.kind.role == "answers"), None)


def _cage_keys(puzzle: Puzzle) -> tuple[Key, Key] | None:
    """Return the keys of cages (regions other than the main ones) and of their sums; None without cages."""
    regions, _ = _keys(puzzle)
    for sums in (key for key in puzzle.keys if key.option("of")):
        cages = next(key for key in puzzle.keys if key.name == sums.options["of"])
        if cages is not regions:
            return cages, sums
    return None


def number_cages_key() -> Key:
    """Return the key of the variant whose cages are the regions with sums of a puzzle of the user."""
    return next(one.keys[0] for one in shipped_variants().values() if one.formats.get("cages"))


def number_candidates_key(known: Mapping[str, Variant]) -> Key:
    """Return the key of the candidates of cells."""
    return next(key for one in known.values() for key in one.keys if key.kind.tool == "mark" and key.kind.arguments[2:])


def _genre(puzzle: Puzzle) -> str:
    """Return what other programs call a puzzle: sudoku, tectonic, or "" for one whose rules they do not know."""
    shipped = {"strimko": "sudoku", "tectonic": "tectonic"}
    return shipped.get(puzzle.encoding.stem, "") if all(map(is_shipped_path, puzzle.encodings)) else ""


# -- Instances to boards ---------------------------------------------------------------------


def _to_board(instance: Instance, name: str) -> NumberBoard:
    """Return an instance as a board of numbers, for the format of that name.

    Raises:
        InstanceError: it is no such board.
    """
    puzzle, where = instance.puzzle, instance.facts.where
    regions, givens = _keys(puzzle)
    cage_keys = _cage_keys(puzzle)
    known = [key.name for key in (regions, givens, *(cage_keys or ())) if key]
    variants = variants_of(puzzle)
    of_variants = {key.name for name in puzzle.variants for key in variants[name].keys}
    others = [key.name for key in puzzle.keys if key.name not in {*known, *of_variants}]
    written = keys_of_board(instance) if of_variants else {}
    keys = {name: words for name, words in written.items() if name in of_variants}
    if givens and UNKNOWN in instance.outline.values(givens.fact).values():
        others.append(f"unknown {givens.name}")
    genre = puzzle.name if puzzle.ships or puzzle.name == "strimko" else "sudoku" if cage_keys else ""
    if regions is None or givens is None or not genre or others or puzzle.cell or puzzle.lines:
        what = f"{listing(others, 'and')} of {puzzle.name}" if others else puzzle.name
        message = f"{name} cannot store {what}; use one of our own formats: toml, lp, json or grid"
        raise InstanceError(message, where)
    if cage_keys and (members := cells_by_region(instance.facts.names(cage_keys[0].fact))):
        totals = {fact_name(region): int(total) for region, total in instance.facts.arguments(cage_keys[1].fact)}
        keys[number_cages_key().name] = [key_line_text(cells, totals.get(cage)) for cage, cells in members.items()]
    return NumberBoard(
        {cell: int(arguments[-1]) for cell, arguments in instance.facts.items(givens.fact)},
        instance.facts.names(regions.fact),
        instance.details,
        instance.solution.values if isinstance(instance.solution, Numbers) else {},
        tuple(name for name in instance.variants if not variants[name].keys),
        keys=keys,
        layers={key.name: key.kind.draw(key, instance.outline) for key in puzzle.keys if key.name in keys},
        known=variants,
        rules=instructions(instance),
        puzzle=genre,
    )


def sayable(  # noqa: C901 (a branch for each thing that a format may lack)
    name: str, can: Can, instance: Instance, report: Report
) -> NumberBoard:
    """Return the board of an instance, if a format can say it; report details that are lost.

    Raises:
        InstanceError: the format cannot store what the board is.
    """
    board = _to_board(instance, name)
    if board.puzzle == "strimko" and "strimko" not in can.puzzles and "sudoku" in can.puzzles:
        report(f"{name} has no Strimko: the board is written as a Sudoku whose regions are the streams")
        streams = puzzle_with_variants(find_puzzle("sudoku"), instance.variants, instance.puzzle.variant_folders)
        board = board._replace(puzzle="sudoku", rules=instructions(instance._replace(puzzle=streams)))
    is_sudoku, (rows, columns) = board.puzzle == "sudoku", board.size
    pieces = (cells for cells in cells_by_region(board.regions).values() if len(connected_cells(cells)) > 1)
    scattered = None if can.scattered else next(pieces, None)
    unknown = [name for name in board.variants if not can.says(board, board.known[name])]
    able = {key.name for one in board.used if can.says(board, one) for key in one.keys}
    others = [key for key in board.keys if key not in able]
    what = only = ""
    if board.puzzle not in can.puzzles:
        what, only = f"a {board.puzzle.capitalize()}", listing(map(str.capitalize, can.puzzles), "and")
    elif is_sudoku and can.sides and rows not in can.sides:
        what, only = f"a Sudoku of {rows}x{columns}", listing((f"{side}x{side}" for side in can.sides), "and")
    elif is_sudoku and not can.jigsaw and not are_usual_boxes(board.regions):
        what, only = "other regions of a Sudoku", "its usual boxes"
    elif scattered:
        what, only = f"the region at {cell_place(min(scattered))}, which is in several pieces", "connected regions"
    elif unknown and not can.told:
        what, only = f"the variants {listing(unknown, 'and')}", "variants with a name there"
    elif others and not can.told:
        what, only = listing(others, "and"), "keys with a name there"
    if what:
        raise refusal(name, what, instance.facts.where, only)
    if unknown or others:
        left = {*DETAILS, "solution", "puzzle"}
        whole = {key: one for key, one in keys_of_board(instance).items() if key not in left}
        board = board._replace(carried={_NAME: instance.puzzle.name, **whole})
        report(f"{name} has no rules for {listing([*unknown, *others], 'and')}: they are drawn, and told in words")
    known = (*can.details, *(["rules"] if can.told else []), "resolution")  # which follows from the board
    lost = [key for key in DETAILS if key in board.details and key not in known]
    if can.source == "address" and not board.details.get("source", "http").startswith("http"):
        lost.append("a source that is not a web address")
    if board.solution and max(rows, columns) > can.solved:
        lost.append("solution")
        board = board._replace(solution={})
    if lost:
        report(left_out_by_format(name, lost))
    return board


# -- What several formats read ---------------------------------------------------------------


def number_board_text(digits: str, side: int, empty: str) -> dict[Cell, int]:
    """Return the numbers of a square board with one character for each cell, row by row.

    Raises:
        ValueError: there are more characters than cells, or fewer, or one is neither a digit nor in `empty`.
    """
    return {cell: int(digit) for cell, digit in zip(all_cells(side, side), digits, strict=True) if digit not in empty}


def number_board_rows(rows: Sequence[str]) -> dict[Cell, int]:
    """Return the numbers of a Sudoku of 9x9 with one character for each cell.

    Raises:
        InstanceError: what is wrong with the rows.
    """
    if problem := fault_of_rows(rows, 9):
        raise InstanceError(problem)
    return number_board_text("".join(rows), 9, ROW_MARKS)


def number_board_regions(found: Mapping[Cell, str], side: int) -> dict[Cell, str]:
    """Return the regions of a Sudoku.

    Raises:
        InstanceError: they are not n of n cells.
    """
    if len(found) != side * side or not are_latin_regions(found):
        raise InstanceError(f"the regions are not {side} of {side} cells, as a Sudoku has them")
    return numbered_regions(found)


def joined_variants(names: Iterable[str], known: Mapping[str, Variant]) -> tuple[str, ...]:
    """Return variants without doubles: diagonals come first, both as the variant of both."""
    ways = {look: name for name, one in known.items() if (look := one.formats.get("diagonals"))}
    found = dict.fromkeys(names)
    diagonals = [ways[way] for way in DIAGONALS if ways[way] in found]
    rest = [name for name in found if name not in diagonals]
    return (*([ways["both"]] if len(diagonals) == len(DIAGONALS) else diagonals), *rest)


def windows_variant(known: Mapping[str, Variant]) -> str:
    """Return the variant of the windows between boxes."""
    return next(name for name, one in known.items() if one.formats.get("windows"))


def number_cage_sum(label: object) -> str:
    """Return the sum of a cage, given its label: a number, a text of one, or None or "" for no sum.

    Raises:
        InstanceError: it is something else.
    """
    words = "" if label is None else str(label)
    if words and not re.fullmatch("[0-9]{1,4}", words):
        raise InstanceError(f"a cage of {shown(words)} is not possible; the label of a cage is its sum")
    return str(int(words)) if words else ""


def number_board_warning(found: Iterable[str], rules: str) -> tuple[str, ...]:
    """Return the warning about what a text says that is not in its board; empty if there is nothing.

    Rules told in words are part of it, as what is drawn may belong to them.
    """
    names = dict.fromkeys(found)
    if rules and not names:
        return (f"rules that are only told in words are not read: {rules}",)
    told = f"; its rules are told in words: {rules}" if rules else ""
    return (f"left out: {listing(names, 'and')}{told}",) if names else ()
