"""Boards of other programs: a text becomes a `Draft`, and that an instance; to write, an instance becomes a `Draft`.

Each text that is written is read again: `checked` refuses to lose keys, variants or holes, and reports lost details.
Of rules in words, our own sentences are read back; others are found, for a warning. A sentence says nothing new if all
its words are those of the usual rules ("Normal sudoku rules apply"), or if it names a variant of the board and no
other: `called` in the declarations of variants has the words that name them.

Draft  a Sudoku, a Strimko or a Tectonic has its givens, the region of each cell, and its variants; another puzzle has
       its keys, which `codings` reads and writes
"""

from __future__ import annotations

import re
from contextlib import suppress
from math import isqrt
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from pyasp_puzzles.asp.rules import is_shipped_path
from pyasp_puzzles.asp.symbols import UNKNOWN
from pyasp_puzzles.boards import regions
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
    grid_by_cell,
    grid_extent,
    grid_rows,
    grid_text,
    grouped,
)
from pyasp_puzzles.boards.regions import windows
from pyasp_puzzles.boards.toml import DETAILS, Table
from pyasp_puzzles.errors import InstanceError, PuzzleError, listing, printable_line, shown
from pyasp_puzzles.formats.format import (
    WRONG,
    Format,
    Text,
    guarded,
    left_out,
    only_board,
    refusal,
)
from pyasp_puzzles.puzzles import declaration
from pyasp_puzzles.puzzles.board import board_from_keys, board_from_table, keys_of_board
from pyasp_puzzles.puzzles.declaration import (
    find_puzzle,
    fitting_variants,
    folders_of_variants,
    shipped_variants,
    variants_in,
    variants_of,
)
from pyasp_puzzles.puzzles.keys.grids import NO_SIGN
from pyasp_puzzles.puzzles.keys.lines import KeyLine, key_line_text, parsed_key_line
from pyasp_puzzles.puzzles.numbers import Numbers, NumbersKind
from pyasp_puzzles.puzzles.wording import instruction_sentences, instructions, variant_instructions

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from pyasp_puzzles.formats.format import Report
    from pyasp_puzzles.model.keys import Key, KeyLayer
    from pyasp_puzzles.model.puzzle import Instance, Puzzle, Variant

# The key of JSON under which our whole board travels along, and the key in it for the name of its puzzle.
CARRIED, _NAME = "pyasp", "name"
# The tools of keys with numbers outside the board.
OUTSIDE_TOOLS = ("outside", "sight")
# The diagonals of a board, as `diagonals` in `[formats]` of a variant names them.
DIAGONALS = ("rising", "falling")


class Draft(NamedTuple):
    """A board between its text and its instance.

    A Sudoku, a Strimko or a Tectonic has `givens` and `regions`; another puzzle has `keys` and `cells`.
    """

    givens: Mapping[Cell, int] = {}
    regions: Mapping[Cell, str] = {}
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
    """The keys of its variants, or all keys, as in TOML: {"thermometers": ["r1c1 r1c2"]}."""
    layers: Mapping[str, KeyLayer] = {}
    """What those keys print."""
    carried: Mapping[str, object] = {}
    """The keys of the whole board, for a format that keeps them besides what it knows."""
    known: Mapping[str, Variant] = {}
    """The variants that it may have, by name."""
    rules: str = ""
    """Its rules in words: those to write, or all that a text has."""
    puzzle: str = "sudoku"
    """The name of its puzzle."""
    answer: str = ""
    """Its answer as text, if it is not in numbers."""
    cells: Collection[Cell] = ()
    """The cells that `keys` are about, each of which must be one of the board."""
    instance: Instance | None = None
    """The board to write."""

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
        of_keys = {name for name, variant in self.known.items() for key in variant.keys if key.name in self.keys}
        alone = {name for name, variant in self.known.items() if variant.formats.get("diagonals") in ways}
        both = {name for name in names if self.known[name].formats.get("diagonals") == "both"}
        return [self.known[name] for name in self.known if name in (names | of_keys | alone) - both]

    def lines_of(self, key: str) -> list[KeyLine]:
        """Return the lines of a key, which may be one text."""
        value = self.keys.get(key, [])
        return [parsed_key_line(text) for text in ([value] if isinstance(value, str) else cast("list[str]", value))]

    @property
    def candidates(self) -> dict[Cell, list[int]]:
        """The candidates of each cell that has some."""
        return {line.groups[0][0]: [*map(int, line.values)] for line in self.lines_of(candidates_key(self.known).name)}

    def has_name(self, one: Variant, format_: str) -> bool:
        """Return whether a format has a name for a variant, or draws it as candidates, diagonals or windows."""
        return bool(one.formats.keys() & {format_, "diagonals", "windows"}) or candidates_key(self.known) in one.keys

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
    """Which Sudokus, Strimkos and Tectonics a program knows, as far as its texts do not say so: see `checked`."""

    puzzles: tuple[str, ...] = ("sudoku",)
    """Of "sudoku", "tectonic" and "strimko"; without Strimko, one becomes a jigsaw Sudoku."""
    sides: Collection[int] = ()
    """The sides of a Sudoku; empty: any."""
    says: Callable[[Draft, Variant], bool] = lambda *_: False
    """Returns whether it has a variant of a board."""
    digits: bool = False
    """Whether a board may list its digits, and need not be square."""


def draft_format(
    name: str,
    summary: str,
    recognise: Callable[[str], bool],
    read: Callable[[Text], Draft],
    write: Callable[[Draft], str],
    *,
    can: Can | None = None,
    content: Callable[[str], Mapping[str, Any]] | None = None,
    alike: Callable[[Draft, str, Any], Any] = lambda _draft, _key, value: value,
    web: bool = False,
    **options: Any,  # noqa: ANN401 (the rest of the fields of a format)
) -> Format:
    """Return a format with one board in a text.

    Args:
        name: its name; puzzles that have a table `[formats.NAME]` are described there, and others by `can`.
        summary: one sentence about it.
        recognise: as in `Format`.
        read: returns the draft of a text; whatever it raises is reported as bad input.
        write: returns the text of a board that the format can store.
        can: which Sudokus and the like it can store.
        content: returns the JSON of a text without its details. Such a format tells rules in words, draws the keys of
            variants that it does not have, and keeps `Draft.carried`.
        alike: returns the value of a key of a draft so that values with one meaning are equal.
        web: whether a source must be a web address.
        options: further fields of `Format`.
    """

    def read_text(text: Text) -> Iterator[Instance]:
        draft = guarded(name, text, lambda: read(text))
        plain = instance_of_draft(draft, text)
        yield (carried(draft, plain, text) if draft.carried else None) or plain

    def carried(draft: Draft, plain: Instance, text: Text) -> Instance | None:
        """Return the board that a text carries if the rest of the text agrees with it."""
        assert content
        try:
            keys = {**draft.carried, _NAME: None}
            board = board_from_keys(str(draft.carried[_NAME]), keys, text.where, text.puzzles)
            both = content(text.text), content(write(drafted(board, lambda _: None)))
        except (PuzzleError, *WRONG):
            return None
        whole, again = ({key: value for key, value in part.items() if value} for part in both)
        if whole != again:
            return None
        rules = printable_line(without_our_rule_words(draft.rules, board))
        details = {key: detail for key, detail in {**plain.details, "rules": rules}.items() if detail}
        return board._replace(details=details, solution=plain.solution)

    def drafted(board: Instance, report: Report) -> Draft:
        return draft_of_instance(name, can, board, report, tells=content is not None)

    def written(board: Instance, report: Report) -> str:
        draft, text = drafted(board, report), ""
        with suppress(*WRONG):
            text = write(draft)
        return checked(name, [draft], text, read_text, report, alike=alike, web=web)

    def write_boards(boards: Sequence[Instance], report: Report) -> str:
        if not options.get("line"):
            only_board(name, boards)
        return "\n".join(written(board, report) for board in boards)

    return Format(name, summary, recognise, read_text, write_boards, **options)


# -- Drafts to instances -----------------------------------------------------------------------


def instance_of_draft(draft: Draft, text: Text) -> Instance:
    """Return the instance of a draft.

    Raises:
        InstanceError: it is no board of its puzzle.
    """
    where = text.where
    table = _table_of_regions(draft, text) if draft.regions else {"puzzle": draft.puzzle, **draft.keys}
    table |= {key: detail for key in DETAILS if (detail := printable_line(draft.details.get(key, "")))}
    instance = board_from_table(Table(table, {}, where), text.puzzles)
    if draft.cells and len(instance.cells) != len(draft.cells):
        raise InstanceError(f"this board has places that are no cells, which one of {draft.puzzle} cannot have")
    if (
        draft.rules
        and draft.regions
        and not draft.drawn
        and (told := variants_in_words(draft.rules, instance, text.puzzles))
    ):
        instance = board_from_table(Table(table | {"variants": [*draft.variants, *told]}, {}, where), text.puzzles)
    rules = without_our_rule_words(draft.rules, instance)
    if rules and draft.regions:
        instance = instance._replace(details={**instance.details, "rules": printable_line(rules)})
    numbers = {cell: str(value) for cell, value in draft.solution.items()}
    if answer := grid_text(draft.regions, numbers) if numbers else draft.answer:
        instance = instance._replace(solution=instance.puzzle.kind.read(instance, answer, where, whole=True))
    unread = printable_line(rules) if not draft.regions or may_be_rules_in_words(rules, instance) else ""
    return instance._replace(warnings=(*draft.warnings, *warnings_about(draft.lost, unread)))


def _table_of_regions(draft: Draft, text: Text) -> dict[str, object]:
    """Return the keys of a Sudoku, a Strimko or a Tectonic, as in TOML."""
    where = text.where
    check_grid_size(*draft.size)
    if outside := [cell for cell in draft.regions if min(cell) < 1]:
        raise InstanceError(f"{cell_place(outside[0])} is outside the board", where)
    named, keys = find_puzzle(text.puzzle or draft.puzzle, where, text.puzzles), dict(draft.keys)
    # A board with cages may be one of a Sudoku of the user that has cages.
    others = [named, *declaration.puzzles(text.puzzles)] if cages_key().name in keys else []
    with_cages = ((other, *main_keys(other)) for other in others if _cage_keys(other))
    able = (
        other
        for other, region_key, givens in with_cages
        if region_key and givens and region_key.option("size") == "rows"
    )
    puzzle = next(able, named)
    regions, givens = main_keys(puzzle)
    if regions is None or givens is None or _genre(puzzle) not in {_genre(find_puzzle(draft.puzzle)), ""}:
        raise InstanceError(f"this is a board of {draft.puzzle}; use --as {draft.puzzle}, or no --as", where)

    def grid(labels: Mapping[Cell, object]) -> Grid:
        tokens = {cell: str(labels.get(cell, EMPTY)) for cell in draft.regions}
        return grid_at(grid_rows(tokens, draft.regions, OUTSIDE), where)

    table: dict[str, object] = {"puzzle": puzzle.name, regions.name: grid(draft.regions)}
    table[givens.name] = grid(draft.givens)
    table |= {"variants": [*draft.variants]} if draft.variants else {}
    if cages_key().name in keys and (cage_keys := _cage_keys(puzzle)):
        lines = [*enumerate(draft.lines_of(cages_key().name), 1)]
        del keys[cages_key().name]
        cages, sums = cage_keys
        table[cages.name] = grid({cell: str(i) for i, line in lines for cell in line.groups[0]})
        table[sums.name] = {str(i): int(line.values[0]) for i, line in lines if line.values}
    return table | dict(sorted(keys.items(), key=lambda pair: pair[0] != cages_key().name))


def main_keys(puzzle: Puzzle) -> tuple[Key | None, Key | None]:
    """Return the keys of the regions and of the givens of a puzzle of numbers."""
    if not isinstance(puzzle.kind, NumbersKind):
        return None, None
    region_key = next((key for key in puzzle.keys if key.kind.role == "regions" and key.whole), None)
    return region_key, next((key for key in puzzle.keys if key.kind.role == "answers"), None)


def _cage_keys(puzzle: Puzzle) -> tuple[Key, Key] | None:
    """Return the keys of cages (regions other than the main ones) and of their sums; None without cages."""
    region_key, _ = main_keys(puzzle)
    for sums in (key for key in puzzle.keys if key.option("of")):
        cages = next(key for key in puzzle.keys if key.name == sums.options["of"])
        if cages is not region_key:
            return cages, sums
    return None


def cages_key() -> Key:
    """Return the key of the variant whose cages are the regions with sums of a puzzle of the user."""
    return next(variant.keys[0] for variant in shipped_variants().values() if variant.formats.get("cages"))


def candidates_key(known: Mapping[str, Variant]) -> Key:
    """Return the key of the candidates of cells."""
    return next(key for one in known.values() for key in one.keys if key.kind.tool == "mark" and key.kind.arguments[2:])


def _genre(puzzle: Puzzle) -> str:
    """Return what other programs call a puzzle: sudoku, tectonic, or "" for one whose rules they do not know."""
    shipped = {"strimko": "sudoku", "tectonic": "tectonic"}
    return shipped.get(puzzle.encoding.stem, "") if all(map(is_shipped_path, puzzle.encodings)) else ""


# -- Instances to drafts -----------------------------------------------------------------------


def draft_of_instance(name: str, can: Can | None, instance: Instance, report: Report, *, tells: bool = False) -> Draft:
    """Return the draft of an instance for the format of that name; report what changes.

    Raises:
        InstanceError: the format cannot store the board.
    """
    if name in instance.puzzle.formats and "variants" not in instance.puzzle.formats[name]:
        if instance.variants:
            what = f"the variants {listing(instance.variants, 'and')}"
            raise refusal(name, what, instance.facts.where, "boards without variants")
        rules = instructions(instance)
        return Draft(details=instance.details, rules=rules, puzzle=instance.puzzle.name, instance=instance)
    if can is None:
        puzzles = (puzzle.name.capitalize() for puzzle in declaration.puzzles() if name in puzzle.formats)
        raise refusal(name, f"a {instance.puzzle.name.capitalize()}", instance.facts.where, listing(puzzles, "and"))
    draft = _draft_of_regions(instance, name)
    if draft.puzzle == "strimko" and "strimko" not in can.puzzles and "sudoku" in can.puzzles:
        report(f"{name} has no Strimko: the board is written as a Sudoku whose regions are the streams")
        streams = declaration.with_variants(find_puzzle("sudoku"), instance.variants, instance.puzzle.variant_folders)
        draft = draft._replace(puzzle="sudoku", rules=instructions(instance._replace(puzzle=streams)))
    unknown = [name for name in draft.variants if not can.says(draft, draft.known[name])]
    able = {key.name for variant in draft.used if can.says(draft, variant) for key in variant.keys}
    digits = _digits_keys(instance)
    others = [key for key in draft.keys if key not in able and not (can.digits and key in digits)]
    if draft.puzzle not in can.puzzles:
        only = listing(map(str.capitalize, can.puzzles), "and")
        raise refusal(name, f"a {draft.puzzle.capitalize()}", instance.facts.where, only)
    if draft.puzzle == "sudoku" and can.sides and draft.size[0] not in can.sides:
        only = listing((f"{side}x{side}" for side in can.sides), "and")
        raise refusal(name, "a Sudoku of {}x{}".format(*draft.size), instance.facts.where, only)
    if unknown and not tells:
        what = f"the variants {listing(unknown, 'and')}"
        raise refusal(name, what, instance.facts.where, "variants with a name there")
    if others and not (tells and digits.isdisjoint(others)):
        raise refusal(name, listing(others, "and"), instance.facts.where, "keys with a name there")
    if unknown or others:
        left = {*DETAILS, "solution", "puzzle"}
        whole = {key: value for key, value in keys_of_board(instance).items() if key not in left}
        draft = draft._replace(carried={_NAME: instance.puzzle.name, **whole})
        report(f"{name} has no rules for {listing([*unknown, *others], 'and')}: they are drawn, and told in words")
    return draft


def _digits_keys(instance: Instance) -> set[str]:
    """Return the names of the keys that list the digits of boards."""
    return {key.name for key in instance.puzzle.keys if key.kind.role == "digits"}


def _draft_of_regions(instance: Instance, name: str) -> Draft:
    """Return the draft of a Sudoku, a Strimko or a Tectonic, or of a Sudoku of the user with cages."""
    puzzle, where = instance.puzzle, instance.facts.where
    region_key, givens = main_keys(puzzle)
    cage_keys = _cage_keys(puzzle)
    main = [key.name for key in (region_key, givens, *(cage_keys or ())) if key]
    variants = variants_of(puzzle)
    of_variants = {key.name for name in puzzle.variants for key in variants[name].keys}
    listed = _digits_keys(instance)
    others = [key.name for key in puzzle.keys if key.name not in {*main, *of_variants, *listed}]
    written = keys_of_board(instance) if of_variants or instance.outline.digits else {}
    keys = {name: value for name, value in written.items() if name in of_variants | listed}
    if givens and UNKNOWN in instance.outline.values(givens.fact).values():
        others.append(f"unknown {givens.name}")
    genre = puzzle.name if puzzle.ships or puzzle.name == "strimko" else "sudoku" if cage_keys else ""
    if region_key is None or givens is None or not genre or others or puzzle.cell or puzzle.lines:
        what = f"{listing(others, 'and')} of {puzzle.name}" if others else puzzle.name
        message = f"{name} cannot store {what}; use one of our own formats: toml, lp, json or grid"
        raise InstanceError(message, where)
    if cage_keys and (members := regions.cells(instance.facts.names(cage_keys[0].fact))):
        totals = {fact_name(region): int(total) for region, total in instance.facts.arguments(cage_keys[1].fact)}
        keys[cages_key().name] = [key_line_text(cells, totals.get(cage)) for cage, cells in members.items()]
    return Draft(
        {cell: int(arguments[-1]) for cell, arguments in instance.facts.items(givens.fact)},
        instance.facts.names(region_key.fact),
        instance.details,
        instance.solution.values if isinstance(instance.solution, Numbers) else {},
        tuple(name for name in instance.variants if not variants[name].keys),
        keys=keys,
        layers={key.name: key.kind.draw(key, instance.outline) for key in puzzle.keys if key.name in keys},
        known=variants,
        rules=instructions(instance),
        puzzle=genre,
        instance=instance,
    )


# -- The guard ---------------------------------------------------------------------------------


def checked(
    name: str,
    drafts: Sequence[Draft],
    text: str,
    read: Callable[[Text], Iterable[Instance]],
    report: Report,
    *,
    alike: Callable[[Draft, str, Any], Any] = lambda _draft, _key, value: value,
    web: bool = False,
) -> str:
    """Return a text of drafts after reading it back; report details that do not come back.

    The other arguments are those of `draft_format`.

    Raises:
        InstanceError: a key, a variant or a hole does not come back.
    """
    boards = [draft.instance for draft in drafts if draft.instance]
    first, read_back = boards[0], []
    folders = [*folders_of_variants(first.puzzle), *(() if first.puzzle.ships else (first.puzzle.folder,))]
    puzzle = drafts[0].puzzle if first.puzzle.ships else first.puzzle.name
    with suppress(InstanceError, *WRONG):
        read_back = [*read(Text(text, first.facts.where, puzzle, folders))]
    for i, (draft, board) in enumerate(zip(drafts, boards, strict=True)):
        back = read_back[i] if len(read_back) == len(boards) else None
        values, again = board_content(board), _content_as(back, board) if back else {}
        every = {**values, **again}
        lost = [key for key in every if alike(draft, key, values.get(key)) != alike(draft, key, again.get(key))]
        pieces = (cells for cells in regions.cells(draft.regions).values() if len(connected_cells(cells)) > 1)
        if back is None and (cells := next(pieces, None)):
            what = f"the region at {cell_place(min(cells))}, which is in several pieces"
            raise refusal(name, what, board.facts.where, "connected regions")
        region_key, _ = main_keys(board.puzzle)
        if draft.regions and back and region_key and region_key.name in lost and draft.puzzle == "sudoku":
            raise refusal(name, "other regions of a Sudoku", board.facts.where, "its usual boxes")
        of_variants = _variants_lost(board, back, lost) if back else board.variants
        if of_variants:
            what = f"{listing(of_variants, 'and')} of this board so that they can be read again"
            raise refusal(name, what, board.facts.where)
        if back is None or lost or {*back.cells} != {*board.cells}:
            what = f"the {listing(lost or ['holes'], 'and')} of this board"
            able = [f"{key} = {again[key]}" for key in lost if isinstance(again.get(key), int)]
            raise refusal(name, what, board.facts.where, listing(able or ["what it has a place for"], "and"))
        kept = [key for key in board.details if key == "resolution" or back.details.get(key) == board.details[key]]
        left = [key for key in DETAILS if key in board.details and key not in kept]  # a resolution follows from a board
        if "source" in left and web:
            left = [*(key for key in left if key != "source"), "a source that is not a web address"]
        if left := [*left, *(["solution"] if board.solution and not back.solution else [])]:
            report(left_out(name, left))
    return text


def _variants_lost(board: Instance, back: Instance, lost: Collection[str]) -> list[str]:
    """Return the variants and the keys of variants that do not come back."""
    named = [variants_of(board.puzzle)[name] for name in board.variants]
    gone = [one for one in named if one.name not in back.variants and not one.keys and not one.formats.get("diagonals")]
    return [*sorted(one.name for one in gone), *(key.name for one in named for key in one.keys if key.name in lost)]


def _content_as(back: Instance, board: Instance) -> dict[str, Any]:
    """Return the content of a board, its main keys by the names that they have in another board."""
    names = {
        new.name: old.name
        for new, old in zip(main_keys(back.puzzle), main_keys(board.puzzle), strict=True)
        if new and old
    }
    values = {names.get(key, key): value for key, value in board_content(back).items()}
    return values if board.puzzle.name == back.puzzle.name else {key: {} for key in board_content(board)} | values


def board_content(instance: Instance) -> dict[str, Any]:
    """Return the values of the keys of a board, grids by cell, regions numbered in the order of their first cells.

    Lines are sorted, and so are the cells of each where their order means nothing.
    """
    values, renamed = keys_of_board(instance), dict[str, dict[str, str]]()
    for key in instance.puzzle.keys:
        value = values.get(key.name)
        if key.kind.role == "regions":
            names = instance.facts.names(key.fact)
            named = regions.numbered(names)
            renamed[key.name] = {name: named[cell] for cell, name in names.items()}
            values[key.name] = named
        elif key.kind.tool == "sign" and isinstance(value, list):
            values[key.name] = {
                place: sign for place, sign in grid_by_cell(value).items() if sign not in {None, *NO_SIGN}
            }
        elif (key.kind.grid or key.kind.tool == "crossing") and isinstance(value, list):
            # Several arrows of a cell may come in any order.
            tokens = {cell: token for cell, token in grid_by_cell(value).items() if token not in {None, OUTSIDE}}
            arrows = {cell: "".join(sorted(re.findall(r"[\d?]+[nesw]", str(token)))) for cell, token in tokens.items()}
            values[key.name] = {cell: arrows[cell] or token for cell, token in tokens.items()}
        elif key.kind.tool == "mark" and value:
            marks = grouped(((int(r), int(c)), str(*word)) for r, c, *word in instance.facts.arguments(key.fact))
            values[key.name] = {cell: " ".join(sorted(texts)) for cell, texts in marks.items()}
        elif key.kind.around and value:
            values[key.name] = {(int(y) - 1, int(x) - 1): "" for y, x in instance.facts.arguments(key.fact)}
        elif key.kind.tool in OUTSIDE_TOOLS and isinstance(value, dict):
            lines = (((side, i), label) for side, labels in value.items() for i, label in enumerate(labels, 1))
            placed = (((*line, far), word) for line, label in lines for far, word in enumerate(label.split(",")[::-1]))
            values[key.name] = {place: word for place, word in placed if word != EMPTY}
        elif isinstance(value, list):
            ordered = key.kind.tool in {"path", "groups", "sight"} or key.option("picture", {}).get("text") == "greater"
            values[key.name] = sorted(value if ordered else (" ".join(sorted(line.split())) for line in value))
        elif "of" in key.options and isinstance(value, dict):
            values[key.name] = {renamed[key.options["of"]][name]: number for name, number in value.items()}
    keys = {key.name for key in instance.puzzle.keys}
    return {name: value for name, value in values.items() if name in keys}


# -- Rules in words ----------------------------------------------------------------------------

# The words of the usual rules of Sudoku, and further words of those of boards with blocks of several sizes.
_SUDOKU = (
    r"normal|standard|classic(?:al)?|usual|regular|ordinary|traditional|conventional|jigsaw|irregular|sudoku|rules?|"
    r"appl(?:y|ies)|place|put|fill|enter|write|insert|complete|an?|the|of|in(?:to)?|to|from|with(?:in|out)?|so|that|and|"
    r"or|through|each|every|all|any|both|rows?|columns?|box(?:es)?|regions?|blocks?|grid|cells?|houses?|empty|outlined|"
    r"digits?|numbers?|sets?|one|once|twice|exactly|only|just|must|may|can(?:not)?|should|not?|"
    r"never|none|be|is|are|do|does|repeat(?:s|ed|ing)?|contain(?:s|ing)?|hold(?:s|ing)?|ha(?:s|ve)|"
    r"(?:appear|occur)(?:s|ing)?"
)
_BLOCKS = (
    r"suguru|tectonic|size|n|touch(?:es|ing)?|adjacent|neighbou?r(?:s|ing)?|even|diagonal(?:ly)?|horizontally|"
    r"vertically|orthogonally|identical|equal|other|corner|at|by|if|it|they|next"
)
# What says nothing new: digits may repeat if other rules allow it; not all dots are given; some digits are. Patterns
# bound what is between words, so that no long text takes quadratic time.
_NOTHING = re.compile(
    r"(?:digits|numbers|they) (?:may|can) repeat[^.;!?]{0,80}(?:allowed|permitted) by (?:the )?other \w+"
    r"|not (?:necessarily )?(?:all|every)\b[^.;!?]{0,80}?\bgiven"
    r"|(?:there is |with )?(?:no|without) (?:a )?negative (?:constraint|rule)s?"
    r"|some (?:digits|numbers) are (?:already )?given"
    r"|exported from [a-z.-]+"
)
_NEGATION = re.compile(r"\b(?:no|not|never|none|cannot|without|once)\b")
_TWICE = re.compile(r"\b(?:repeat\w*|same|twice|more)\b")
_REVOKED = re.compile(r"\b(?:not|no|never|without|none of)\b.{0,80}\b(?:apply|applies|rules?)\b")


def variants_in_words(text: str, instance: Instance, directories: Sequence[Path]) -> list[str]:
    """Return the variants without keys that a text tells in our sentences, and its board does not have."""
    fit = {*fitting_variants(instance.puzzle, directories)} - {*instance.variants}
    variants = [variant for name, variant in variants_in(directories).items() if name in fit and not variant.keys]
    return [variant.name for variant in variants if variant_instructions(variant, instance) in text]


def check_rules_in_words(variant: Variant, format_: str, rules: str, what: str) -> None:
    """Check that rules in words do not give a constraint of a format another meaning than the usual one.

    Raises:
        InstanceError: they do, as `redefined` in the declaration of its variant finds.
    """
    pattern = variant.formats.get("redefined", {}).get(format_)
    if pattern and re.search(pattern, rules, re.IGNORECASE):
        raise InstanceError(f"the rules in its text say what {what}, which pyasp does not know: read them there")


def without_our_rule_words(text: str, instance: Instance) -> str:
    """Return a text without the sentences that we write of a board."""
    for sentence in sorted(instruction_sentences(instance), key=len, reverse=True):
        text = text.replace(sentence, "")
    return re.sub("  +", " ", text).strip()


def may_be_rules_in_words(text: str, instance: Instance) -> bool:
    """Return whether a text may tell rules that a board does not have."""
    lines = re.sub(r"\n\W{0,9}([a-z])", r" \1", text)  # such a line continues the one before
    folded = (
        re.sub(r"[\u2018\u2019]", "'", lines.lower())
        .replace("\u00d7", "x")
        .replace("can't", "cannot")
        .replace("n't", " not")
    )
    folded = re.sub(r"(?<=\d) *x *(?=\d)", "x", folded)
    parts = re.split(r"[.;!?\n]+", _NOTHING.sub(" ", folded))
    plain = (" ".join(re.findall(r"[\w'/]+", part)) for part in parts)
    return any(part and not _is_usual(part, instance) and not _is_read(part, instance) for part in plain)


def _is_usual(sentence: str, instance: Instance) -> bool:
    """Return whether a sentence, in lower case and without marks, says the usual rules."""
    rows, columns = grid_extent(instance.cells)
    digits = instance.outline.digits or range(1, rows + 1)
    span, numbers = rf"{digits[0]} (?:(?:to|through) )?{digits[-1]}", " ".join(map(str, digits))
    usual = re.compile(_SUDOKU if instance.puzzle.square else f"{_SUDOKU}|{_BLOCKS}")
    if (_TWICE.search(sentence) and not _NEGATION.search(sentence)) or _REVOKED.search(sentence):
        return False
    sentence = re.sub(rf"\b(?:{span}|{numbers}|{numbers.replace(' ', '')})\b", "", sentence)
    sentence = re.sub(r"\bmore than once|same (?=row|column|box|region|block|house|digit|number)", "", sentence)
    return all(usual.fullmatch(word) or _is_size(word, rows, columns) for word in sentence.split())


def _is_size(word: str, rows: int, columns: int) -> bool:
    """Return whether a word is the size of a board, or of usual boxes on it: 9x9, 3x3."""
    sides = re.fullmatch(r"(\d{1,3})x(\d{1,3})", word)
    if sides is None:
        return False
    high, wide = int(sides[1]), int(sides[2])
    return (high, wide) == (rows, columns) or (high * wide == rows and abs(isqrt(rows) - high) <= 1)


def _is_read(sentence: str, instance: Instance) -> bool:
    """Return whether a sentence names variants of a board, and no other."""
    owners: dict[str, set[str]] = {}
    for name, variant in variants_of(instance.puzzle).items():
        for phrase in variant.called:
            owners.setdefault(phrase, set()).add(name)
    every = sorted(owners, key=len, reverse=True)  # the longest first, and long ones with any ending
    long, short = ("|".join(re.escape(phrase) for phrase in every if (len(phrase) < 5) is few) for few in (False, True))
    matches = re.findall(rf"(?<![\w'])(?:({long})|({short})s?(?!\w))", sentence)
    return bool(matches) and all(owners[first or second] & {*instance.variants} for first, second in matches)


# -- What several formats read ---------------------------------------------------------------


def numbers_in_digits(digits: str, side: int, empty: str) -> dict[Cell, int]:
    """Return the numbers of a square board with one character for each cell, row by row.

    Raises:
        ValueError: there are more characters than cells, or fewer, or one is neither a digit nor in `empty`.
    """
    return {cell: int(digit) for cell, digit in zip(all_cells(side, side), digits, strict=True) if digit not in empty}


def regions_of_sudoku(found: Mapping[Cell, str], side: int) -> dict[Cell, str]:
    """Return the regions of a Sudoku.

    Raises:
        InstanceError: they are not n of n cells.
    """
    if len(found) != side * side or not regions.are_latin(found):
        raise InstanceError(f"the regions are not {side} of {side} cells, as a Sudoku has them")
    return regions.numbered(found)


def joined_variants(names: Iterable[str], known: Mapping[str, Variant]) -> tuple[str, ...]:
    """Return variants without duplicates: diagonals come first, two of them as the variant of both."""
    ways = {look: name for name, variant in known.items() if (look := variant.formats.get("diagonals"))}
    unique = dict.fromkeys(names)
    diagonals = [ways[way] for way in DIAGONALS if ways[way] in unique]
    rest = [name for name in unique if name not in diagonals]
    return (*([ways["both"]] if len(diagonals) == len(DIAGONALS) else diagonals), *rest)


def windows_variant(known: Mapping[str, Variant]) -> str:
    """Return the variant of the windows between boxes."""
    return next(name for name, variant in known.items() if variant.formats.get("windows"))


def cage_sum(label: object) -> str:
    """Return the sum of a cage, given its label: a number, a text of one, or None or "" for no sum.

    Raises:
        InstanceError: it is something else.
    """
    text = "" if label is None else str(label)
    if text and not re.fullmatch("[0-9]{1,4}", text):
        raise InstanceError(f"a cage of {shown(text)} is not possible; the label of a cage is its sum")
    return str(int(text)) if text else ""


def warnings_about(found: Iterable[str], rules: str) -> tuple[str, ...]:
    """Return the warning about parts of a text that its board lacks; empty if there are none.

    It includes rules that are told in words, as drawings may belong to them.
    """
    names = dict.fromkeys(found)
    if rules and not names:
        return (f"rules that are only told in words are not read: {rules}",)
    told = f"; its rules are told in words: {rules}" if rules else ""
    return (f"left out: {listing(names, 'and')}{told}",) if names else ()
