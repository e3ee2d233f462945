"""Layouts: of a given size, from a file, or new ones as the puzzle's `layout.lp` describes them.

`layout.lp` chooses the facts that a board gives besides its clues, and with `with_clues` these, too. With `with_rules`
it is loaded with the rules, so that the board has an answer. A layout is changed a few cells at a time, with all other
cells as assumptions, until it is random and nothing of the first layout shows. With `answer_first`, a random answer of
the first layout is drawn instead, and then a layout that has the same answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.search import SEARCH_ANEW, program_search
from pyasp_puzzles.boards.facts import Facts
from pyasp_puzzles.boards.grid import EMPTY, grid_extent
from pyasp_puzzles.errors import InstanceError, PuzzleError, Where
from pyasp_puzzles.generation.clues import clue_keys
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.puzzle import Instance, Puzzle
from pyasp_puzzles.puzzles import consequences, declaration, questions
from pyasp_puzzles.puzzles.board import board as board_of
from pyasp_puzzles.puzzles.declaration import folders_of_variants

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path
    from random import Random

    from clingo import Symbol

    from pyasp_puzzles.asp.rules import RuleFile
    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.model.keys import Key

# Conflicts after which a square of a layout is left unchanged: a few squares would take a thousand times as long.
_MOST_CONFLICTS = 1000
# Further changes after which a layout is given up if the first one still shows.
_MOST_CHANGES = 500
# Rows, and columns, of the largest new layout.
_LONGEST_SIDE_OF_LAYOUT = 20
# Cells of the largest block of a new layout that may be asked for.
_LARGEST_BLOCK = 9


# The source of a generated board in messages.
_SOURCE = "<generated>"
# Names of colors, as many as are asked for; a key of colors may say which are usual.
_COLORS = "rgbycmow"
# Cells on a side of the squares that are changed at once. In smaller ones, corners of blocks hardly move; in larger
# ones, most changes to a jigsaw take too long.
_WINDOWS = (5, 6)
# How often every cell of a board is changed, at least, if the first layout is one that `layout.lp` says, and if it is
# one that clingo finds. Each time, what is left of the first layout is halved.
_PASSES, _PASSES_OF_FOUND = 8, 2
# The first layout shows if the density of walls where it had some differs by more than this from elsewhere.
_SHOWS = 0.02
# Colors of a board if neither a number nor a key says which.
_USUAL_COLORS = 4


class WantedLayout(NamedTuple):
    """The wanted layout of a board."""

    puzzle: Puzzle
    size: tuple[int, int] | None = None
    like: Instance | None = None
    layout: str | None = None
    """ "new" or "same"; None: new if the size alone makes no board."""
    colors: int | None = None
    numbers: tuple[tuple[str, int], ...] = ()
    """Numbers, each for the key of that name, or else for layout.lp: (("largest", 7),)."""
    variants: tuple[str, ...] = ()
    """Variants, whose rules hold for the board, too."""


def measures(**numbers: int | None) -> tuple[tuple[str, int], ...]:
    """Return the numbers that are given, by name."""
    return tuple((name, number) for name, number in numbers.items() if number is not None)


def with_variants(wanted: WantedLayout, names: tuple[str, ...], directories: Sequence[Path]) -> WantedLayout:
    """Return a wanted layout with variants, in addition to those of the board that is given.

    Raises:
        PuzzleError: there is no such variant, or it does not fit the puzzle.
    """
    like = wanted.like
    names = tuple(dict.fromkeys([*(like.variants if like else ()), *names]))
    if not names:
        return wanted
    puzzle = declaration.with_variants(wanted.puzzle, names, directories)
    if like is not None:
        where = Where(like.source)
        facts = Facts(puzzle.predicates, where)
        for name in {fact.name for fact in like.facts}:
            facts = facts.replaced(name, like.facts.of(name), where)
        like = like._replace(puzzle=puzzle, facts=facts, variants=names)
    return wanted._replace(puzzle=puzzle, like=like, variants=names)


def new_clue_keys(wanted: WantedLayout) -> list[Key]:
    """Return the keys whose clues are new: not those of lines that the given board has, which are its layout.

    If `layout.lp` says `with_clues`, there are none, as layouts have all clues.
    """
    keys = _drawn_keys(wanted.puzzle)
    if wanted.like is None:
        return keys
    return [key for key in keys if not (key.kind.pictured and any(wanted.like.facts.of(key.fact)))]


def _drawn_keys(puzzle: Puzzle) -> list[Key]:
    """Return the keys whose clues are drawn after a layout."""
    return [] if "with_clues" in statements(puzzle.companions("layout")) else clue_keys(puzzle)


def use_colors(puzzle: Puzzle) -> bool:
    """Return whether new layouts depend on the number of colors."""
    from pyasp_puzzles.asp import syntax

    return bool(syntax.statements_using(syntax.statements(puzzle.companions("layout")) or (), "color"))


def first(wanted: WantedLayout) -> tuple[Instance | None, Collection[Cell]]:
    """Return the layout to keep, or None if new ones are to be made, and the cells of the board.

    Raises:
        PuzzleError: the size or the board does not fit the puzzle, or there is no way to make a layout.
    """
    puzzle, like = wanted.puzzle, wanted.like
    if like is not None:
        if like.puzzle.name != puzzle.name:
            message = f"this is a board of {like.puzzle.name}; choose one of {puzzle.name}"
            raise InstanceError(message, like.facts.where)
        if wanted.size is not None:
            raise PuzzleError("a size and a board with the layout are given; give only one of them")
        size, cells = (0, 0), like.cells
        same: Instance | PuzzleError | None = like
        if wanted.layout is None and puzzle.companions("layout") and _lacks_layout(_blank(wanted, (1, 1)), puzzle):
            same = None
    else:
        size = wanted.size or (puzzle.usual_size,) * 2
        if min(size) < 1 or max(size) > Limits.LONGEST_SIDE:
            raise PuzzleError(f"a board cannot be {size[0]}x{size[1]}; its sides have 1 to {Limits.LONGEST_SIDE} cells")
        same = None if wanted.layout == "new" else _blank(wanted, size)
        unusual = isinstance(same, PuzzleError)  # a size without usual boxes
        if puzzle.companions("layout") and (unusual or (wanted.layout is None and _lacks_layout(same, puzzle))):
            same = None
        cells = [(r, c) for r in range(1, size[0] + 1) for c in range(1, size[1] + 1)]
    if isinstance(same, PuzzleError):
        raise PuzzleError(same.message)  # there is no file to name
    if same is not None and wanted.layout != "new":
        variants = tuple(dict.fromkeys([*same.variants, *wanted.variants]))
        return same._replace(variants=variants), same.cells
    _check_new(wanted, cells)
    return None, cells


def _lacks_layout(board: Instance | PuzzleError | None, puzzle: Puzzle) -> bool:
    """Return whether a board lacks what `layout.lp` makes, such as walls, which no board must have."""
    if board is None or isinstance(board, PuzzleError):
        return board is None
    clues = _drawn_keys(puzzle)
    fixed = [key for key in puzzle.keys if key.kind.role == "general" and key.option("default") is not None]
    keys = [key for key in puzzle.keys if key.predicate and key not in [*fixed, *clues]]
    names = [*(key.fact for key in keys), *(predicate.name for key in clues for predicate in key.board_predicates)]
    return bool(names) and not any(board.facts.arguments(name) for name in names)


def check_options(wanted: WantedLayout, kept: Instance | None) -> None:
    """Raise `PuzzleError` for a number of colors, or another number, that would change nothing or is out of range.

    Args:
        wanted: the wanted layout.
        kept: the layout to keep; None if new ones are made.
    """
    puzzle = wanted.puzzle
    free = kept is None or wanted.like is None
    if kept is None:
        colored = use_colors(puzzle)
    else:
        colored = free and puzzle.grid_key is not None and bool(puzzle.grid_key.option("palette"))
    said = statements(puzzle.companions("layout")) if kept is None else ()
    choices = [("colors", wanted.colors, colored)]
    for name, number in wanted.numbers:
        chosen = f"#defined {name}/1" in said
        choices.append((name, number, chosen or (free and name in _number_keys(puzzle))))
        if chosen and not 1 <= number <= _LARGEST_BLOCK:
            raise PuzzleError(f"{name} is {number}; choose 1 to {_LARGEST_BLOCK}")
    for name, value, used in choices:
        if value is not None and not used:
            which = f"new layouts of {puzzle.name} have no such choice" if free else "those of the given board are kept"
            raise PuzzleError(f"{name} {value} would change nothing: {which}; leave it out")


def _number_keys(puzzle: Puzzle) -> set[str]:
    """Return the keys whose value is one number about the whole board."""
    return {key.name for key in puzzle.keys if key.kind.role == "general"}


def _check_new(wanted: WantedLayout, cells: Collection[Cell]) -> None:
    """Raise `PuzzleError` unless there can be new layouts of some cells."""
    puzzle = wanted.puzzle
    if wanted.layout == "same" or (not puzzle.companions("layout") and wanted.layout is None):
        rows, columns = grid_extent(cells)
        what = f"{rows}x{columns} alone makes no board of {puzzle.name}, so there is no layout to keep"
        if not puzzle.companions("layout"):
            what = f"{puzzle.name} has no layout.lp to make new layouts with"
        raise PuzzleError(f"{what}; name a board with the layout: --like FILE")
    if not puzzle.companions("layout"):
        raise PuzzleError(
            f"{puzzle.name} has no layout.lp to make new layouts with; keep the layout of a board with --layout same"
        )
    rows, columns = grid_extent(cells)
    if max(rows, columns) > _LONGEST_SIDE_OF_LAYOUT:
        most = _LONGEST_SIDE_OF_LAYOUT
        raise PuzzleError(f"new layouts have at most {most} cells a side, and this one would be {rows}x{columns}")
    if puzzle.square and rows != columns:
        raise PuzzleError(
            f"boards of {puzzle.name} have as many rows as columns, and this one would be {rows}x{columns}"
        )


def statements(files: Sequence[Path]) -> set[str]:
    """Return the statements of files, each as clingo writes it, without the full stop."""
    from pyasp_puzzles.asp import syntax

    return {str(statement).removesuffix(".") for statement in syntax.statements(files) or ()}


def _blank(wanted: WantedLayout, size: tuple[int, int]) -> Instance | PuzzleError | None:
    """Return the board of a size without clues, or what is wrong with it; None if a size makes no board."""
    puzzle = wanted.puzzle
    if puzzle.grid_key is not None and (puzzle.grid_key.whole or puzzle.grid_key.kind.role == "regions"):
        return None
    rows = [[EMPTY] * size[1]] * size[0]
    keys: dict[str, object] = {"size": list(size)} if puzzle.grid_key is None else {puzzle.grid_key.name: rows}
    if puzzle.grid_key is not None and puzzle.grid_key.option("palette"):
        keys["palette"] = _palette(wanted)
    if wanted.variants:
        keys["variants"] = [*wanted.variants]
    numbers = _number_keys(puzzle)
    keys |= {key.name: key.option("usual") for key in puzzle.keys if key.name in numbers and key.option("usual")}
    keys |= {name: number for name, number in wanted.numbers if name in numbers}
    try:
        return board_of(puzzle.name, puzzles=folders_of_variants(puzzle), **keys)
    except PuzzleError as error:
        return error


def _palette(wanted: WantedLayout) -> list[str]:
    """Return the names of the colors of a board: the usual ones first, as many as are wanted."""
    usual = [color for key in wanted.puzzle.keys for color in key.option("usual", ())]
    number = wanted.colors or len(usual) or _USUAL_COLORS
    if number > len(_COLORS):
        raise PuzzleError(f"there are names for {len(_COLORS)} colors, not for {number}; choose fewer")
    return [*dict.fromkeys([*usual, *_COLORS])][:number]


class LayoutSearch:
    """The program of `layout.lp` for a board of some cells.

    Raises:
        EncodingError: `layout.lp` cannot be read or grounded.
        OutOfTime: grounding did not end in time; every question raises this, too.
    """

    def __init__(self, wanted: WantedLayout, cells: Collection[Cell], settings: Settings) -> None:
        self.wanted, self.cells = wanted, sorted(cells)
        puzzle = wanted.puzzle
        files = puzzle.companions("layout")
        clues = {predicate.name for key in _drawn_keys(puzzle) for predicate in key.predicates}
        self.predicates = [predicate for predicate in puzzle.predicates if predicate.name not in clues]
        lines = [f"cell({r},{c})." for r, c in self.cells]
        lines += [f'color("{color}").' for color in _palette(wanted)]
        self.defaults = {
            key.fact: int(dict(wanted.numbers).get(key.name) or key.option("default"))
            for key in puzzle.keys
            if key.kind.role == "general" and key.option("default") is not None
        }
        lines += [f"{name}({value})." for name, value in self.defaults.items()]
        lines += [f"{name}({number})." for name, number in wanted.numbers if name not in _number_keys(puzzle)]
        programs: list[RuleFile] = [*files]
        said = statements(files)
        self.with_rules = "with_rules" in said and "without_rules" not in said
        rules = questions.rules_with_variants(puzzle, wanted.variants, settings)
        programs = [*rules, *programs] if self.with_rules else programs
        lines += ["unchanged."] if any(consequences.hold(file, rules) for file in files) else []
        lines += ["#defined cell/2. #defined color/1. #defined start/1. #defined loose/2."]
        lines += ["#defined random/1.", f"random({settings.seed % 1000})."] if settings.seed is not None else []
        lines += [f"#defined {predicate.name}/{len(predicate.arguments)}." for predicate in self.predicates]
        signatures = [(predicate.name, len(predicate.arguments)) for predicate in self.predicates]
        signatures += puzzle.view().signatures() if self.with_rules else []
        lines += [f"#project {name}/{arity}. #show {name}/{arity}." for name, arity in signatures]
        self.search = program_search(programs, "\n".join(lines), settings, SEARCH_ANEW)
        self.search.check()
        self.atoms = {
            atom: atoms[atom]
            for atoms in (self.search.atoms(name, arity) for name, arity in signatures)
            for atom in sorted(atoms)
        }
        """{atom of a layout, or of its answer: its literal, 0 for a fact}"""
        self._places = {atom: first_cell(atom) for atom in self.atoms}
        self._names = {predicate.name for predicate in self.predicates}
        self.chosen = {atom: literal for atom, literal in self.atoms.items() if literal and atom.name in self._names}
        whole = {key.fact for key in puzzle.keys if key.whole}
        # Assume absent walls and the like, too; otherwise each change would add some.
        self._optional = [(atom, literal) for atom, literal in self.chosen.items() if atom.name not in whole]
        self.start = [atom.arguments[0] for atom in self.search.facts("start", 1)]
        self._loose = {(r.number, c.number) for r, c in (atom.arguments for atom in self.search.facts("loose", 2))}
        self.answer_first = self.with_rules and "answer_first" in said and bool(self.start)

    def first(self) -> set[Symbol] | None:
        """Return the atoms of a first layout; None if there is none."""
        sure = [atom for atom in self.start if first_cell(atom) not in self._loose]
        return (self.with_all(sure) if sure else None) or self.find([])

    def with_all(self, atoms: Iterable[Symbol]) -> set[Symbol] | None:
        """Return the atoms of a layout with these; None if there is none."""
        return self.find(sorted(literal for atom in atoms if (literal := self.atoms.get(atom))))

    def find(self, literals: Sequence[int], most: int | None = None) -> set[Symbol] | None:
        """Return the atoms of a layout under assumptions; None if there is none, or after `most` conflicts."""
        layouts = self.search.find(literals, 1, lambda model: self.atoms.keys() & model.symbols(shown=True), most=most)
        return layouts[0] if layouts else None

    def changed(self, layout: set[Symbol], rng: Random) -> set[Symbol]:
        """Return the layout with other choices in a random square of cells."""
        side = rng.choice(_WINDOWS)
        r, c = rng.choice(self.cells)
        return self.redrawn(layout, r - rng.randrange(side), c - rng.randrange(side), side)

    def renewed(self, layout: set[Symbol], rng: Random) -> set[Symbol]:
        """Return the layout with other choices everywhere: in squares that cover the board, in random order."""
        side = rng.choice(_WINDOWS)
        y, x = rng.randrange(side), rng.randrange(side)
        squares = sorted({((r + y) // side, (c + x) // side) for r, c in self.cells})
        rng.shuffle(squares)
        for r, c in squares:
            layout = self.redrawn(layout, r * side - y, c * side - x, side)
        return layout

    def redrawn(self, layout: set[Symbol], r: int, c: int, side: int) -> set[Symbol]:
        """Return the layout with other choices in a square, given its upper left cell and its side."""
        inside = {(r + y, c + x) for y in range(side) for x in range(side)}
        kept = [self.atoms[atom] for atom in layout if self._places[atom] not in inside]
        absent = [
            -literal for atom, literal in self._optional if atom not in layout and self._places[atom] not in inside
        ]
        return self.find(sorted(filter(None, [*kept, *absent])), _MOST_CONFLICTS) or layout

    def walls(self, layout: Collection[Symbol]) -> dict[tuple[Cell, Cell], bool]:
        """Return {(cell, the one right of it or below): whether the layout says different things of them}."""
        said: dict[Cell, list[tuple[str, list[Symbol]]]] = {cell: [] for cell in self.cells}
        for atom in sorted(atom for atom in layout if atom.name in self._names):
            if (cell := first_cell(atom)) in said:
                said[cell].append((atom.name, atom.arguments[2:]))
        beside = [(cell, (cell[0] + y, cell[1] + x)) for cell in self.cells for y, x in ((0, 1), (1, 0))]
        return {(cell, other): said[cell] != said[other] for cell, other in beside if other in said}

    def board(self, layout: Collection[Symbol]) -> Instance:
        """Return the board of a layout.

        Raises:
            InstanceError: it is no board of the puzzle.
        """
        puzzle, where = self.wanted.puzzle, Where(_SOURCE)
        facts = Facts(puzzle.predicates, where)
        for name, value in self.defaults.items():
            facts.add(name, [value], where)
        if puzzle.cell:
            for cell in self.cells:
                facts.add(puzzle.cell.name, cell, where)
        names = {predicate.name: predicate for predicate in self.predicates}
        tokens: dict[tuple[str, str], str] = {}
        for atom in sorted(atom for atom in layout if atom.name in names):
            arguments: list[object] = []
            for kind, argument in zip(names[atom.name].arguments, atom.arguments, strict=True):
                if kind != "name":
                    arguments.append(argument.number)
                elif argument.type.name == "String" or (
                    argument.type.name == "Function" and argument.name and not argument.arguments
                ):
                    arguments.append(argument)  # a color, or a side of the board
                else:  # regions are called A, B, ... in the order of their first cells
                    arguments.append(tokens.setdefault((atom.name, str(argument)), _letter(len(tokens))))
            facts.add(atom.name, arguments, where)  # type: ignore[arg-type]
        puzzle.validate(facts)
        return Instance(puzzle, facts, variants=self.wanted.variants)


def first_cell(atom: Symbol) -> Cell | None:
    """Return the first cell of an atom, its first two arguments; None if these are no numbers."""
    numbers = [argument.number for argument in atom.arguments[:2] if argument.type.name == "Number"]
    return (numbers[0], numbers[1]) if len(numbers) == 2 else None


def _letter(i: int) -> str:
    """Return A to Z, a to z, and then two letters."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    return letters[i] if i < len(letters) else letters[i // len(letters) - 1] + letters[i % len(letters)]


def new(
    wanted: WantedLayout,
    cells: Collection[Cell],
    rng: Random,
    settings: Settings,
    answer: Callable[[Instance], Collection[Symbol] | None],
) -> Iterator[Instance]:
    """Yield random layouts without end; none if there is none.

    `answer` returns the atoms of a random answer of a board, None if it has none.

    Raises:
        OutOfTime: time ran out.
    """
    program = LayoutSearch(wanted, cells, settings._replace(seed=rng.randrange(2**32)))
    while program.answer_first and (kept := answer(program.board(program.start))) is not None:
        layout = program.with_all(kept)
        if layout is not None:
            yield program.board(layout)
    layout, before = program.first(), program.walls(program.start)
    passes = _PASSES if program.start else _PASSES_OF_FOUND
    while layout is not None:
        for _ in range(passes):
            layout = program.renewed(layout, rng)
        for _ in range(_MOST_CHANGES):
            if not _shows(before, program.walls(layout)):
                break
            layout = program.changed(layout, rng)
        else:
            rows, columns = grid_extent(cells)
            raise PuzzleError(f"no new layout of {rows}x{columns} was found that differs enough; try another size")
        yield program.board(layout)
        passes = 1


def _shows(before: Mapping[tuple[Cell, Cell], bool], after: Mapping[tuple[Cell, Cell], bool]) -> bool:
    """Return whether an earlier layout shows in a later one. Two walls more or less do not show.

    Between rows alone, or columns alone, three times the difference is allowed: by chance, it is larger there.
    """
    for ways, most in (((0, 1), _SHOWS), ((0,), 3 * _SHOWS), ((1,), 3 * _SHOWS)):
        pairs = [(cell, other) for cell, other in before if any(cell[way] == other[way] for way in ways)]
        places = [[pair for pair in pairs if before[pair] == wall] for wall in (True, False)]
        if all(places):
            there, elsewhere = (sum(after[pair] for pair in pairs_there) / len(pairs_there) for pairs_there in places)
            if abs(there - elsewhere) > max(most, 2 / min(map(len, places))):
                return True
    return False
