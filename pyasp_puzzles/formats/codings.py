"""Codings of boards, by which puzzles describe formats: `[formats.NAME]` says how each part is coded and decoded.

Values     {"givens": {(1, 1): 3}, "sums": {"1": 6}}: the keys of a board as in TOML, but grids by cell
Part  Part("numbers", "givens", "", False): a part of a text: its coding, key, a word, if it may be absent. A part may
      have several keys, "circles,lengths": a cell's tokens are joined, "w,3", or "w," without a length
"""

from __future__ import annotations

import re
from itertools import chain, product
from string import ascii_lowercase, digits
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from pyasp_puzzles.asp.symbols import UNKNOWN
from pyasp_puzzles.boards import regions
from pyasp_puzzles.boards.grid import (
    EMPTY,
    OUTSIDE,
    all_cells,
    cell_corners,
    cell_name,
    cell_place,
    check_grid_size,
    grid_at,
    grid_extent,
    grid_rows,
    grouped,
    neighbor_pairs,
)
from pyasp_puzzles.errors import EncodingError, InstanceError, Where, did_you_mean, listing, shown
from pyasp_puzzles.formats.exchange import OUTSIDE_TOOLS, Draft, board_content, main_keys
from pyasp_puzzles.formats.format import (
    COPY_WHOLE,
    Text,
)
from pyasp_puzzles.model.keys import empty_key_tokens
from pyasp_puzzles.puzzles import declaration
from pyasp_puzzles.puzzles.declaration import PUZZLE_FILE, find_puzzle
from pyasp_puzzles.puzzles.keys import outside
from pyasp_puzzles.puzzles.keys.lines import key_line_text, parsed_key_line
from pyasp_puzzles.puzzles.keys.outside import SIDES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.boards.regions import Walls
    from pyasp_puzzles.model.keys import Key
    from pyasp_puzzles.model.puzzle import Puzzle


class Part(NamedTuple):
    """One part of the text of a board."""

    coding: str
    key: str
    word: str
    """What else the coding needs, such as the token of the cells that it lists."""
    optional: bool
    unknown: str = ""
    """The token of a clue without its value; empty if there is none."""


class FormatTable(NamedTuple):
    """A puzzle, and its declaration of a format: the table `[formats.NAME]`."""

    puzzle: Puzzle
    table: Mapping[str, Any]

    @property
    def names(self) -> Mapping[str, Mapping[str, object]]:
        """The names of the puzzle in this format, the one to write first, with keys that the name sets."""
        names = self.table.get("names", [])
        return names if isinstance(names, dict) else {name: {} for name in names}

    @property
    def flags(self) -> Mapping[str, Mapping[str, object]]:
        """The flags that a text may have, and the keys that they set."""
        return cast("Mapping[str, Mapping[str, object]]", self.table.get("flags", {}))

    def name_of(self, body: Body) -> str:
        """Return the name that sets the most keys as the board has them; the first name if none does."""
        fitting = [name for name, values in self.names.items() if self.has(body, values)]
        return max(fitting or self.names, key=lambda name: len(self.names[name]))

    def has(self, body: Body, values: Mapping[str, object]) -> bool:
        """Return whether a board has these values of keys."""
        return all(body.values.get(key) == value for key, value in values.items())

    @property
    def parts(self) -> list[Part]:
        """The parts of the text, in order: `borders? rooms` may be absent."""
        triples = ((*entry.split(), "", "")[:3] for entry in self.table.get("body", []))
        unknown = {key.name for key in self.puzzle.keys if key.unknown}
        return [
            Part(coding.rstrip("?"), key, word, coding.endswith("?"), _unknown_token(key, word, unknown))
            for coding, key, word in triples
        ]

    def check(self, codings: Collection[str]) -> None:
        """Raise `EncodingError` if a part names an unknown coding, or an unknown key."""
        keys = ["", *(key.name for key in self.puzzle.keys)]
        for part in self.parts:
            within = part.word if part.coding == "borders" else ""
            named_keys = ((key, keys, "key of a board") for key in (*part.key.split(","), within))
            named = ((part.coding, codings, "coding"), *named_keys)
            for word, allowed, what in named:
                if word not in allowed:
                    message = f"body has {shown(word)}, which is no {what}, expected {listing(filter(None, allowed))}"
                    raise EncodingError(message, Where(str(self.puzzle.folder / PUZZLE_FILE)))


def _unknown_token(key: str, word: str, unknown: Collection[str]) -> str:
    """Return the token of a clue without its value: `?` if a key allows it, or else the only token of the part."""
    if not {*key.split(",")}.isdisjoint(unknown):
        return UNKNOWN
    return "" if "," in word else word


class Coding(NamedTuple):
    """A way to write a part of a board: as text, or in its drawing."""

    read: Callable[[Any, Part], None]
    write: Callable[[Any, Part], Any]


class Body:
    """A board while its text is read or written: the rest of the text, and the values of keys."""

    def __init__(self, puzzle: Puzzle, size: tuple[int, int], text: str = "") -> None:
        check_grid_size(*size)
        self.puzzle = puzzle
        self.rows, self.columns = size
        self.places = all_cells(*size)
        self.text = text
        self.values: dict[str, Any] = {}
        self.holes: set[Cell] = set()
        self.walls: dict[str, Walls] = {}
        # {key of regions: key of the walls within them}
        self.within: dict[str, str] = {}

    def take(self, count: int, what: str) -> str:
        """Return the next characters of the text.

        Raises:
            InstanceError: there are too few.
        """
        if len(self.text) < count:
            raise InstanceError(f"the address ends within its {what}: {COPY_WHOLE}")
        taken, self.text = self.text[:count], self.text[count:]
        return taken

    def key(self, name: str) -> Key:
        """Return a key of the puzzle."""
        return next(key for key in self.puzzle.keys if key.name == name)

    def grid(self, name: str) -> dict[Cell, Any]:
        """Return the values of the cells of a key, to read or to fill in."""
        return cast("dict[Cell, Any]", self.values.setdefault(name, {}))

    def outer_lines(self, name: str) -> list[tuple[str, int]]:
        """Return the lines with numbers outside, each with the side that they are on."""
        return outside.ends((self.rows, self.columns), self.key(name).option("sides", SIDES))

    def places_of(self, name: str) -> Sequence[Any]:
        """Return the places of keys in order: cells, regions with sums, numbers outside, or those of dots and signs.

        A number outside is at ("top", 1, 0): its side, its line, and how many are nearer to the board. Dots and signs
        are in the lattice of cells, sides and corners: the cell in row 2, column 3 is at (3, 5). Signs between cells
        side by side come first. A number at a corner is at that corner.
        """
        key = self.key(name.partition(",")[0]) if name else None
        if key and "of" in key.options:
            return [*dict.fromkeys(region for _, region in sorted(self.regions(key.options["of"]).items()))]
        if key and key.kind.tool in OUTSIDE_TOOLS:
            deep = {side: (self.rows if side in SIDES[:2] else self.columns) + 1 for side in SIDES}
            wide = {side: deep[side] // 2 if key.option("several") else 1 for side in SIDES}
            return [(side, i, far) for side, i in self.outer_lines(name) for far in range(wide[side])]
        if key and key.kind.tool == "sign":
            pairs = chain(*neighbor_pairs(self.rows, self.columns))
            return [(r + row - 1, c + column - 1) for (r, c), (row, column) in pairs]
        if key and key.kind.tool == "crossing":
            return all_cells(self.rows + 1, self.columns + 1)
        return self.lattice if key and key.kind.around else self.places

    @property
    def lattice(self) -> list[Cell]:
        """The lattice of cells, sides and corners, row by row."""
        return [*product(range(1, 2 * self.rows), range(1, 2 * self.columns))]

    def tokens(self, part: Part) -> dict[Any, Any]:
        """Return {place: token} of a key, with the holes if the part writes them; without a key, of the holes alone.

        Outside the board, the word of a part means a line without numbers, which is left out.
        """
        if not part.key:
            return dict.fromkeys(self.holes, part.word)
        if "," in part.key:
            grids = [*map(self.grid, part.key.split(","))]
            return {place: ",".join(str(grid.get(place, "")) for grid in grids) for place in set[Any]().union(*grids)}
        grid = self.grid(part.key)
        if self.key(part.key).kind.tool in OUTSIDE_TOOLS:
            return {place: grid[place] for place in self.places_of(part.key) if grid.get(place, part.word) != part.word}
        return grid | dict.fromkeys(self.holes, OUTSIDE) if OUTSIDE in part.word else grid

    def add(self, part: Part, found: Mapping[Any, Any]) -> None:
        """Put tokens at places; see `tokens`."""
        if not part.key:
            self.holes |= found.keys()
            return
        if "," in part.key:
            for i, name in enumerate(part.key.split(",")):
                words = {place: token.split(",")[i] for place, token in found.items()}
                self.grid(name).update({place: word for place, word in words.items() if word})
            return
        if self.key(part.key).kind.tool in OUTSIDE_TOOLS:
            empty = {(*line, 0): part.word for line in self.outer_lines(part.key) if part.word}
            found = {place: str(token) for place, token in {**empty, **found}.items()}
        self.holes |= {place for place, token in found.items() if token == OUTSIDE}
        self.grid(part.key).update((place, token) for place, token in found.items() if token != OUTSIDE)

    def divide(self, part: Part, walls: Walls) -> None:
        """Put walls between cells: they make the regions of a key; those within a region go to the key of its word."""
        self.walls[part.key] = walls
        self.within[part.key] = part.word

    def borders(self, part: Part) -> Walls:
        """Return where walls are: between the regions of a key, and those within them."""
        within = (parsed_key_line(line).groups[0] for line in self.values.get(part.word, ()))
        between = regions.walls(self.regions(part.key), (self.rows, self.columns))
        return between | {(min(cells), max(cells)) for cells in within}

    def regions(self, name: str) -> Mapping[Cell, str]:
        """Return the regions of a key, which its walls make while a text is read."""
        if name in self.walls:
            return regions.of_walls([cell for cell in self.places if cell not in self.holes], self.walls[name])
        return self.grid(name)


def find_entry(format_: str, site: str, name: str, text: Text) -> FormatTable:
    """Return the `FormatTable` of the puzzle that has this name in a format.

    Raises:
        InstanceError: no puzzle has the name, or the user says that it is another puzzle.
    """
    tables = entries(format_, text.puzzles, name)
    owners = [table for table in tables if name in table.names]
    if not owners:
        near = did_you_mean(name, {name for table in entries(format_, text.puzzles) for name in table.names})
        begin = " --from LINK" if format_ == "puzzlink" else ""
        how = f"to add it, write its rules in a folder, which `pyasp new {name}{begin}` begins"
        raise InstanceError(f"this is {site} {name.capitalize()}, which pyasp has no puzzle for{near}; {how}")
    owner, wanted = owners[0], find_puzzle(text.puzzle, text.where, text.puzzles) if text.puzzle else owners[0].puzzle
    if same := [table for table in owners if table.puzzle.name == wanted.name]:
        return same[0]
    if not {key for part in owner.parts for key in part.key.split(",")} <= {"", *(key.name for key in wanted.keys)}:
        raise InstanceError(f"this is a board of {owner.puzzle.name}; use --as {owner.puzzle.name}, or no --as")
    return FormatTable(wanted, owner.table)


def entries(format_: str, directories: Sequence[Path], *naming: str) -> list[FormatTable]:
    """Return the puzzles with a table about a format; those only whose declaration contains some texts."""
    found = declaration.puzzles(directories, format_, *naming)
    tables = ((puzzle, puzzle.formats.get(format_)) for puzzle in found)
    return [FormatTable(puzzle, table) for puzzle, table in tables if table]


def read_parts(one: FormatTable, codings: Mapping[str, Coding | TokenCoding], body: Body) -> None:
    """Read the parts of a text into a board.

    Raises:
        InstanceError: a part cannot be read, or text follows the last one.
        EncodingError: the puzzle names an unknown coding or key.
    """
    one.check(codings)
    for part in one.parts:
        if body.text or not part.optional:
            codings[part.coding].read(body, part)
    if body.text and not one.parts:
        raise InstanceError(
            f"{PUZZLE_FILE} of {one.puzzle.name} does not say yet what the body of a link is; write body"
        )
    if body.text:
        raise InstanceError(f"{shown(body.text)} follows the end of the board: copy the text alone")


def write_parts(one: FormatTable, codings: Mapping[str, Coding | TokenCoding], body: Body) -> str:
    """Return the text of the parts of a board."""
    one.check(codings)
    return "".join(codings[part.coding].write(body, part) for part in one.parts)


def write_skips(words: Iterable[str], letters: str) -> str:
    """Return words joined, with a letter for each run of empty ones: the first letter for one, the next for two."""
    text, empty = "", 0
    for word in (*words, None):
        if empty and (word or word is None or empty == len(letters)):
            text += letters[empty - 1]
            empty = 0
        if word:
            text += word
        elif word is not None:
            empty += 1
    return text


def read_runs(text: str, count: int, tokens: Sequence[str], what: str, *, ends: bool = True) -> dict[int, str]:
    """Return {place: token}. A letter is a run of free places, `a` the shortest, and a token; `z` is 25 free places.

    Of two tokens, the second has capital letters. A text that `ends` has a token behind its last place; if there is
    only one token, `_` then means no free place, and `a` one.

    Raises:
        InstanceError: there are more places, or fewer.
    """
    placed, at, letters = dict[int, str](), 0, _run_letters(tokens, ends=ends)
    for letter in text:
        at += 25 if letter in "zZ" else letters.index(letter.lower())
        if letter not in "zZ":
            placed[at] = tokens[letter.isupper()]
            at += 1
    if ends and at != count + 1:
        raise InstanceError(f"there are {what} for {at - 1} of {count} places: {COPY_WHOLE}")
    return {i: token for i, token in placed.items() if i < count or not ends}


def write_runs(values: Iterable[str | None], tokens: Sequence[str], *, ends: bool = True) -> str:
    """Return the text of places with a token or None; see `read_runs`."""
    text, run, letters = "", 0, _run_letters(tokens, ends=ends)
    for token in (*values, *tokens[:ends]):
        if token is None:
            run += 1
            continue
        long = max(0, run - len(letters) + 25) // 25
        letter = letters[run - 25 * long]
        text += "z" * long + (letter.upper() if token in tokens[1:] else letter)
        run = 0
    return text


def _run_letters(tokens: Sequence[str], *, ends: bool) -> str:
    return f"{'_' * (ends and len(tokens) == 1)}{ascii_lowercase[:-1]}"


def read_tokens(
    text: str, count: int, pattern: str, letters: str, what: str, *, free: Callable[[str], int] = lambda _: 0
) -> tuple[dict[int, str], str]:
    """Return the tokens of places, which fit a pattern, and the rest of a text; see `write_skips` for the letters.

    A token may say how many places after it are free.

    Raises:
        InstanceError: a token does not fit the pattern, or there are too few.
    """
    at, start, placed = 0, 0, dict[int, str]()
    item = re.compile(rf"(?P<skip>[{letters}])|(?P<token>{pattern})")
    while at < count and start < len(text):
        match = item.match(text, start)
        if match is None:
            raise InstanceError(f"{shown(text[start])} is not one of the {what}: {COPY_WHOLE}")
        if match["token"]:
            placed[at] = match["token"]
            at = min(count, at + 1 + free(match["token"]))
        else:
            at += 1 + letters.index(match["skip"])
        start = match.end()
    if at != count:
        raise InstanceError(f"there are {what} for {at} of {count} places: {COPY_WHOLE}")
    return placed, text[start:]


def cells_at_edge(place: Cell) -> tuple[Cell, Cell]:
    """Return the first and the last cell that a place of the lattice touches, which may be the same."""
    row, column = place
    return ((row + 1) // 2, (column + 1) // 2), (row // 2 + 1, column // 2 + 1)


class TokenCoding(NamedTuple):
    """A coding of tokens, with letters for places without one."""

    pattern: str
    """What the text of a token fits."""
    letters: str
    token: Callable[[str, Part], object] = lambda _, part: part.word
    """Returns the token of a text; None if it says nothing."""
    text: Callable[[str, Part], str] = lambda *_: "0"
    """Returns the text of a token."""
    values: int = 0
    """The number of values of a token, if its digit also counts the free places after it: each adds this number."""
    most: int = 0
    """The most free places that a digit counts."""

    def read(self, body: Body, part: Part) -> None:
        """Read the tokens at the start of the text."""
        places = body.places_of(part.key)
        placed, body.text = read_tokens(body.text, len(places), self.pattern, self.letters, part.key, free=self._free)
        tokens = {places[i]: self.token(word, part) for i, word in placed.items()}
        body.add(part, {place: token for place, token in tokens.items() if token is not None})

    def _free(self, word: str) -> int:
        return int(word, 36) // self.values if self.values and word != "." else 0

    def write(self, body: Body, part: Part) -> str:
        """Return the text of the tokens."""
        by_place, texts, at = body.tokens(part), list[str](), 0
        tokens = [*map(by_place.get, body.places_of(part.key))]
        while at < len(tokens):
            word = "" if tokens[at] is None else self.text(str(tokens[at]), part)
            free = 0
            if self.values and word not in {"", "."}:
                following = tokens[at + 1 : at + 1 + self.most]
                none = len(following) if self.values == 1 else self.most
                free = next((i for i, token in enumerate(following) if token is not None), none)
                word = (digits + ascii_lowercase)[int(word) + self.values * free]
            texts.append(word)
            at += 1 + free
        return "" if part.optional and not by_place else write_skips(texts, self.letters)


def read_numbers(text: str, count: int, what: str) -> tuple[dict[int, int], str]:
    """Return the numbers of places, and the rest of a text: letters skip 1 to 26 places, `_` separates two numbers."""
    placed, rest = read_tokens(text, count, "_?[0-9]{1,4}_?", ascii_lowercase, what)
    return {i: int(word.strip("_")) for i, word in placed.items()}, rest


def write_numbers(values: Iterable[object]) -> str:
    """Return the text of places with a number or None; see `read_numbers`."""
    text = write_skips(("" if value is None else f"{value}|" for value in values), ascii_lowercase)
    return re.sub(r"(?<=\d)\|(?=\d)", "_", text).replace("|", "")


def draft_of_body(body: Body, text: Text, details: Mapping[str, str] = {}) -> Draft:
    """Return the draft of a board that was read.

    Raises:
        InstanceError: there are no cells, or a border has no meaning.
    """
    if len(body.holes) == len(body.places):
        raise InstanceError("this board has no cells")
    cells = [cell for cell in body.places if cell not in body.holes]
    for name, walls in body.walls.items():
        region_of = body.values[name] = body.regions(name)
        within = sorted(pair for pair in walls if {*pair} <= region_of.keys() and len({*map(region_of.get, pair)}) == 1)
        if within and not body.within[name]:
            first, second = map(cell_place, within[0])
            raise InstanceError(
                f"a border between {first} and {second} separates no {name}, which has no meaning in {body.puzzle.name}"
            )
        body.values |= {body.within[name]: [*map(key_line_text, within)]} if within else {}
    keys: dict[str, object] = {"size": [body.rows, body.columns]}
    for key in body.puzzle.keys:
        value = body.values.get(key.name)
        if value not in (None, {}) or key is body.puzzle.grid_key:
            keys[key.name] = _in_toml(key, {} if value is None else value, body, cells, text.where)
    return Draft(details=details, keys=keys, puzzle=body.puzzle.name, cells=cells)


def body_of_draft(draft: Draft) -> Body:
    """Return a board to write."""
    assert draft.instance
    board, cells = draft.instance, draft.regions or draft.instance.cells
    body = Body(find_puzzle(draft.puzzle) if draft.regions else board.puzzle, grid_extent(cells))
    body.values, body.holes = board_content(board), {*body.places}.difference(cells)
    if draft.regions:
        main = zip(main_keys(body.puzzle), (draft.regions, dict(sorted(draft.givens.items()))), strict=True)
        body.values = {key.name: values for key, values in main if key}
    return body


def _in_toml(key: Key, value: Any, body: Body, cells: Sequence[Cell], where: Where) -> object:  # noqa: ANN401 (a grid, a number, a list)
    """Return the value of a key as in TOML; of other grids than that of signs, only `cells` are on the board."""
    if key.kind.tool == "mark":
        return " ".join(map(cell_name, sorted(value)))
    if key.kind.tool in OUTSIDE_TOOLS:
        farthest_first = sorted(value.items(), key=lambda pair: -pair[0][2])
        labels = grouped((place[:2], word) for place, word in farthest_first)
        return grouped((line[0], ",".join(labels.get(line, [EMPTY]))) for line in body.outer_lines(key.name))
    if key.kind.tool == "crossing":
        corners = cell_corners(cells)
        return grid_at(grid_rows({at: str(value.get(at, EMPTY)) for at in corners}, corners, OUTSIDE), where)
    if key.kind.around:
        return [key_line_text(dict.fromkeys(cells_at_edge(place))) for place in value]
    if key.kind.tool == "sign":
        return grid_at(grid_rows(value, body.lattice, EMPTY), where)
    tokens = {cell: str(value.get(cell, EMPTY)) for cell in cells} if key.kind.grid else {}
    if key.kind.tool == "number" and "0" in empty_key_tokens(range_ := key.option("range")):
        zero = next((cell for cell, number in value.items() if number in {0, "0"}), None)
        if zero:
            least = range_.low if range_ else 1
            raise InstanceError(f"{cell_place(zero)}: {key.fact} 0 is out of range, expected {least} or more", where)
    return grid_at(grid_rows(tokens, body.places, OUTSIDE), where) if key.kind.grid else value
