"""`generate`, which makes new boards with one answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import chain
from random import Random
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from pyasp_puzzles.arguments import check_flag, check_text, check_type, whole_number
from pyasp_puzzles.asp.settings import DEFAULT, NUMBER_OF_SEEDS, Settings
from pyasp_puzzles.asp.symbols import fact_symbol, symbol_from_plain
from pyasp_puzzles.boards.grid import Cell, grid_extent
from pyasp_puzzles.errors import ArgumentError, EncodingError, InstanceError, OutOfTime, PuzzleError, listing, shown
from pyasp_puzzles.formats.load import InstanceLike, load_only_board
from pyasp_puzzles.generation import layouts, reduction, wishes
from pyasp_puzzles.generation.answers import random_answer
from pyasp_puzzles.generation.clue_search import AnswerLiterals, ClueSearch, clues_only_forbid
from pyasp_puzzles.generation.clues import (
    Generated,
    Wish,
    clue_cells,
    clue_keys,
    clue_units,
    clues_of_board,
    unit_facts,
    with_clues,
)
from pyasp_puzzles.generation.layouts import WantedLayout
from pyasp_puzzles.generation.lines import RandomLines, Selection, is_on_sides, with_lines_numbered
from pyasp_puzzles.generation.minimize import (
    MOST_CELLS_GRADED,
    board_title,
    check_arguments,
    check_scale,
    removal_order,
    with_time_limit,
)
from pyasp_puzzles.generation.reduction import Reduction
from pyasp_puzzles.generation.uniqueness import unique_layouts
from pyasp_puzzles.generation.wishes import SOME, WAYS_OF_LINES
from pyasp_puzzles.model.keys import Key, KeyOffer, KeyRange, Shape
from pyasp_puzzles.puzzles.declaration import (
    find_puzzle,
    variant_layout_files,
    variant_name,
    variants_in,
    variants_with_keys,
)
from pyasp_puzzles.queries.solve import has_one_answer

if TYPE_CHECKING:
    from clingo import Symbol

    from pyasp_puzzles.generation.clues import Clue, Unit
    from pyasp_puzzles.model.grades import GradeWord
    from pyasp_puzzles.model.puzzle import Instance

# How clues are counted: 4, or (3, 5) for three to five.
HowMany: TypeAlias = "int | tuple[int, int]"
# Boards of the same grade, and the share of the time, after which no other grade is looked for, if no choice of their
# clues has another.
_MOST_ALIKE, _SHARE_ALIKE = 16, 1 / 6


def generate(
    puzzle: str,
    number: int = 1,
    *,
    size: int | tuple[int, int] | None = None,
    grade: GradeWord | None = None,
    seed: int | None = None,
    symmetric: bool = False,
    like: InstanceLike | None = None,
    layout: Literal["new", "same"] | None = None,
    clues: int | None = None,
    fewest: bool = False,
    givens: HowMany | None = None,
    use: Mapping[str, HowMany | None] | None = None,
    cells: HowMany | None = None,
    cover: bool = False,
    sides: Sequence[str] = (),
    lines: Literal["overlap", "touch", "apart"] = "touch",
    all_dots: bool = False,
    numbers: Mapping[Cell, int] | None = None,
    peels: int | None = None,
    colors: int | None = None,
    longest: int | None = None,
    largest: int | None = None,
    settings: Settings = DEFAULT,
) -> Iterator[Instance]:
    """Yield new boards, each with exactly one answer; of a Strata board, with one finished picture.

    Unless a grade or a number of clues is asked for, no clue can be left out. If a wish cannot be met in time, the
    nearest board found is yielded; its `details["notes"]` say what it lacks.

    Args:
        puzzle: the name of the puzzle.
        number: how many boards.
        size: the side of the board, or its rows and columns.
        grade: how hard it is, a word of `grade`.
        seed: a seed; the same one makes the same boards, whatever their number.
        symmetric: whether the places of the clues remain the same if the board is turned half around.
        like: a board with the layout, or with the outline only if the layout is new. Lines that it has remain, and
            cages without sums get sums.
        layout: "new" for new regions, streams or blocks (a jigsaw Sudoku), "same" for those of `like`. By default, they
            are new where a size alone makes no board.
        clues: how many clues.
        fewest: whether the clues are the fewest for their answer, with proof.
        givens: how many numbers are printed: 0, or (0, 4) for up to four.
        use: how many clues there are of some keys, such as `{"thermometers": 4, "killer_cages": (8, 12)}`; None for any
            number but 0. The variants of these keys are added.
        cells: how many cells a line or a cage has.
        cover: whether the cages cover the board; without cages, the lines. They all remain.
        sides: the sides of the board that have clues, such as `["top", "left"]`; by default all.
        lines: "touch": lines share no cell, and cages do not; "apart": nor lie side by side; "overlap": they may.
        all_dots: whether all signs between cells that hold are printed, even those that are not needed.
        numbers: numbers of the answer, of all cells or of some: `{(1, 1): 5}`.
        peels: the rounds in which a Strata board is peeled, if each round takes off every ribbon that can come off.
        colors: how many colors.
        longest: the length of the longest strip.
        largest: the most cells of a block in new layouts of Tectonic; 5 by default.
        settings: the rules, and the time limit for a board, 60 seconds by default.

    Raises:
        PuzzleError: there are no such boards.
        OutOfTime: not even one board was found in time.
    """
    check_type(use or {}, Mapping, "use", '{"thermometers": 4}')
    check_type(numbers or {}, Mapping, "numbers", "{(row, column): number}")
    check_type(sides, (list, tuple), "sides", '["top", "left"]')
    check_text(lines, "lines", f"one of {listing(WAYS_OF_LINES)}")
    check_flag(cover, "cover")
    check_flag(all_dots, "all_dots")
    spans = {name: _span(count, name) for name, count in {"givens": givens, "cells": cells}.items()}
    wish = Wish(
        grade,
        clues,
        symmetric,
        fewest,
        layouts.measures(peels=peels),
        spans["givens"],
        tuple((name, _span(count, name) or SOME) for name, count in (use or {}).items()),
        spans["cells"],
        tuple(sides),
        cover,
        lines,
        all_dots,
    )
    check_arguments(puzzle, wish, seed, settings)
    number = whole_number(number, "number", 0, "how many boards to make, 0 or more")
    check_text(layout, "layout", '"new" or "same"', optional=True)
    for name, value in layouts.measures(colors=colors, longest=longest, largest=largest):
        whole_number(value, name, 1)
    maker = Generator(
        WantedLayout(
            find_puzzle(puzzle, directories=settings.puzzles),
            _size(size),
            None if like is None else load_only_board(like, settings),
            layout,
            colors,
            layouts.measures(longest=longest, largest=largest),
        ),
        wish,
        settings,
        answer=numbers,
    )
    return (maker.make(board_seed).instance for board_seed in seeds(seed, number))


class _ChosenClues(NamedTuple):
    """Clues for an answer."""

    program: ClueSearch
    answer: AnswerLiterals
    every: Sequence[Unit]
    """All clues that hold, from which they were chosen."""
    chosen: Sequence[Unit]
    why: str = ""
    """Why they leave another answer, if they do."""
    needs: Callable[[Unit, Sequence[Unit]], bool] | None = None
    """Tells whether one of them is known to be needed."""
    final: bool = False
    """Whether other answers hardly have the clues that are wanted."""


class Generator:
    """Makes boards, each within the time limit of the settings; those of one layout share a grounding.

    Args:
        wanted: the layout.
        wish: what else is wanted.
        settings: the rules and the time limit.
        graded: whether boards have their grade, except large ones if no grade is wanted.
        command: the command that makes the boards, without its seed: their source.
        answer: numbers of their answer.

    Raises:
        PuzzleError: there are no such boards.
    """

    def __init__(
        self,
        wanted: WantedLayout,
        wish: Wish,
        settings: Settings,
        *,
        graded: bool = False,
        command: str = "",
        answer: Mapping[Cell, int] | None = None,
    ) -> None:
        self._arguments = wanted, wish, settings, graded, command, answer
        self.stage: Callable[[str], None] = lambda _words: None
        """Is told what is being done, in this process: "leaving out clues"."""
        self._graded = graded
        if wanted.layout not in {None, "new", "same"}:
            raise ArgumentError(f"unknown layout {shown(wanted.layout)}; choose new or same")
        if wish.clues is not None and wish.clues < 0:
            raise PuzzleError(f"a board cannot have {wish.clues} clues; choose 0 or more")
        variants = {path: name for path in settings.extra if (name := variant_name(path))}
        # The board says its variants, so that it needs no --extra.
        used = variants_with_keys([name for name, _ in wish.use], variants_in(settings.puzzles).values())
        wanted = layouts.with_variants(wanted, tuple(dict.fromkeys([*variants.values(), *used])), settings.puzzles)
        extra = tuple(path for path in settings.extra if path not in variants)
        self._settings = settings._replace(seed=None, threads=1, extra=extra)
        check_scale(wish.grade, wanted.puzzle, wanted.variants, self._settings)
        self._kept, self._cells = layouts.first(wanted)
        layouts.check_options(wanted, self._kept)
        self._wanted, self._wish = wanted, wish
        self._keys = [_sized(key, wish.cells) for key in layouts.new_clue_keys(wanted)]
        # Given lines and cages without values get values, and all of them remain.
        valued = [key for key in _without_values(wanted.like) if key not in self._keys]
        there = {key.name: len(clues_of_board(wanted.like, [key])) for key in valued if wanted.like is not None}
        self._wish = wish = wish._replace(use=(*wish.use, *((name, KeyRange(n, n)) for name, n in there.items())))
        self._keys += valued
        wishes.check(wish, self._keys, wanted, self._kept, self._cells)
        if answer is not None:
            wishes.check_numbers(answer, wanted.puzzle, self._kept)
        self._fixed = [
            fact_symbol(name, *cell, value)
            for name, _ in wanted.puzzle.view().signatures()[:1]
            for cell, value in sorted((answer or {}).items())
        ]
        # Lines and cages of the given board hold for the answer, even before their values are known.
        self._new = [key for key in self._keys if key not in valued]
        self._clued = bool(self._keys)
        if not self._clued:
            none = f"{wanted.puzzle.name} has no clues that can be left out"
            if wish.clues is not None or wish.symmetric or wish.fewest:
                raise PuzzleError(f"{none}; leave out what you ask of them")
            if self._kept is not None:
                how = (
                    "ask for a new layout"
                    if wanted.puzzle.companions("layout")
                    else "new boards need a layout.lp in its folder"
                )
                raise PuzzleError(f"{none}: {how}")
        wishes.check_measures(wanted.puzzle, wish, self._cells)
        # {names of keys, and atoms of the answer: the boards of the layout}
        self._searches: dict[tuple[object, ...], ClueSearch] = {}
        self._searched: Instance | None = None
        """The layout of these boards."""
        self._spare: _ChosenClues | None = None
        """The last choice of clues that left another answer."""
        self._drawing: Iterator[Instance] | None = None
        """Further layouts for the current board."""
        self._ambiguous: tuple[Instance, list[Symbol]] | None = None
        """A layout, and the atoms of an answer whose clues leave another one."""
        self._program: ClueSearch | None = None

    def __reduce__(self) -> tuple[Callable[..., Generator], tuple[object, ...]]:
        """Pickle as its arguments: each worker process has a maker of its own, with its groundings, for all boards."""
        return _maker, self._arguments

    def make(self, seed: int) -> Generated:
        """Return the board of a seed, with a title, and with notes on its grade, its seed and what it lacks.

        Raises:
            PuzzleError: the layout has no answer.
            OutOfTime: no board at all was found in time.
        """
        rng = Random(seed)  # noqa: S311 (no secret)
        settings = with_time_limit(self._settings)
        half, enough = (settings.deadline().left() * share for share in (1 / 2, 1 - _SHARE_ALIKE))
        nearest: Generated | None = None
        alike = 0
        unique_boards = self._layouts(rng, settings)
        self._spare = self._drawing = self._ambiguous = None
        try:
            while nearest is None or not nearest.met:
                hurry = bool(nearest and nearest.grade) or settings.deadline().left() > half
                if self._spare is not None and nearest is None and not hurry:
                    made = self._reduced(self._spare, rng, settings)
                else:
                    made = (
                        self._attempt(rng, settings, hurry=hurry, nearest=nearest)
                        if self._clued
                        else next(unique_boards)
                    )
                if nearest is not None and made is not None:
                    alike = alike + 1 if made.final and made.grade in {nearest.grade, ""} else 0
                if made is not None and (nearest is None or made.distance < nearest.distance):
                    nearest = made
                if nearest is not None and alike >= _MOST_ALIKE and settings.deadline().left() < enough:
                    nearest = nearest._replace(boards=alike + 1)
                    break
        except PuzzleError as error:  # time ran out, or all layouts were tried
            if nearest is None:
                raise
            nearest = nearest._replace(late=isinstance(error, OutOfTime))
        if self._graded and not nearest.grade and len(self._cells) <= MOST_CELLS_GRADED:
            self.stage("grading")
            nearest = reduction.with_grade(nearest, settings)
        return self._described(nearest._replace(seed=seed))

    def make_in_time(self, seed: int) -> Generated | str:
        """Return the board of a seed as `make` does, or the words that none was found in time."""
        try:
            return self.make(seed)
        except OutOfTime:
            return "no board was found in time"

    def _attempt(self, rng: Random, settings: Settings, *, hurry: bool, nearest: Generated | None) -> Generated | None:
        """Return a board, or None if this attempt made none, or none nearer; `hurry` as for `Reduction`."""
        wish, keys = self._wish, self._keys
        self.stage("drawing an answer")
        board, atoms, shapes_of = self._drawn(rng, settings)
        offers: list[KeyOffer] = []
        missing: list[str] = []
        if drawn := [key for key in keys if key.kind.drawn]:
            self.stage("drawing clues")
            lines = RandomLines(with_clues(board, (), self._new), atoms, rng, settings)
            for key in drawn:
                alike = [other for other in board.puzzle.keys if other.kind.drawn and other.kind.tool == key.kind.tool]
                there = [shape for other in alike for shape in shapes_of.get(other.name, ())]
                there += [
                    (tuple(clue_cells(other, clue)),) for other in alike for clue in clues_of_board(board, [other])
                ]
                taken = set(chain(*chain(*there))) if wish.lines != "overlap" and not wish.cover else set()
                new = lines.of(key, shapes_of.get(key.name, ()), without=taken, symmetric=wish.symmetric)
                offers += new
                missing += [] if new or key.name not in dict(wish.use) else [key.name]
        program = self._search(board, settings, keys, offers)
        answer = program.literals(atoms)
        every = clue_units(program.board, program.clues(answer, rng), symmetric=wish.symmetric)
        choice = _ChosenClues(program, answer, every, every)
        if any(key.kind.pictured or key.kind.tool in {"outside", "sight"} for key in keys):
            shapes = {symbol_from_plain(*fact): offer.shape for offer in offers for fact in offer.facts}

            def here(clue: Clue) -> bool:
                return is_on_sides(program.key_of(clue), clue, shapes.get(clue[0], ()), wish.sides)

            every = [unit for unit in every if all(map(here, unit))]
            self.stage("choosing clues")
            none = {name for name, span in wish.spans(keys) if span.high == 0}
            pool = [unit for unit in every if program.key_of(unit[0]).name not in none]
            selection = Selection(
                program, answer, pool, shapes, {*chain(*shapes_of.values())}, wish=wish, rng=rng, settings=settings
            )
            chosen, why = selection.units()
            chosen = _with_missed(program, answer, chosen, pool)
            if missing:
                sizes = f" of {wish.cells.words} cells" if wish.cells else ""
                why = f"no {listing(missing, 'and')}{sizes} hold for an answer that was drawn"
            needs = selection.needs if selection.judges and not why else None
            facts = {*unit_facts(chosen)}
            offered = [offer for offer in offers if symbol_from_plain(*offer.facts[0]) in facts]
            program, answer = program.offering(offered, {*unit_facts(every)}, answer)
            choice = _ChosenClues(program, answer, every, chosen, why, needs, bool(missing))
            if why and (nearest is not None or hurry) and wish.givens is not None:
                self._spare = choice
                return None  # another answer is tried; after half of the time, the last choice is taken
        elif program.chosen and not offers:
            program, answer = program.offering((), {*unit_facts(every)}, answer)
            choice = _ChosenClues(program, answer, every, every)
        made = self._reduced(choice, rng, settings, hurry=hurry, graded=bool(nearest and nearest.grade))
        if made is None and program.chosen and not offers and not self._fixed:
            self._ambiguous = board, atoms
        return made

    def _reduced(
        self, choice: _ChosenClues, rng: Random, settings: Settings, *, hurry: bool = False, graded: bool = False
    ) -> Generated | None:
        """Return the board of chosen clues without those that are not needed; arguments as for `Reduction`."""
        wish, keys, program, every = self._wish, self._keys, choice.program, choice.chosen
        more: list[Unit] = []
        if every is not choice.every:
            givens = [unit for unit in choice.every if program.key_of(unit[0]).kind.role == "answers"]
            every = [*givens, *(unit for unit in every if unit not in givens)] if choice.why else every
            more = [unit for unit in givens if unit not in every]
            rng.shuffle(more)
        self.stage("leaving out clues" if wish.grade is None else "leaving out clues and grading")
        self._check_places(every)
        ordered, needs, why = removal_order([*every], keys, rng), choice.needs, choice.why
        search = Reduction(program, choice.answer, ordered, wish, settings, hurry, graded, more, needs, why)
        made = search.board()
        return made._replace(final=made.final or choice.final) if made and made.missed else made

    def _check_places(self, units: Iterable[Unit]) -> None:
        """Raise `EncodingError` if two clues of an answer are in one place, as rules let a cell hold two numbers."""
        places: dict[tuple[object, ...], Symbol] = {}
        unique = {predicate.name: predicate.unique for key in self._keys for predicate in key.predicates}
        for fact in (fact for unit in units for clue in unit for fact in clue):
            first = places.setdefault((fact.name, *fact.arguments[: unique[fact.name]]), fact)
            if first != fact:
                raise EncodingError(
                    f"by these rules, an answer has both {first} and {fact}, but a board prints one clue in a place; "
                    "add a rule that allows only one"
                )

    def _drawn(self, rng: Random, settings: Settings) -> tuple[Instance, list[Symbol], dict[str, list[Shape]]]:
        """Return the board of a layout, the atoms of a random answer, and {name of a key: lines drawn for it}.

        Raises:
            PuzzleError: there is none.
        """
        if self._ambiguous is not None:
            (board, ambiguous), self._ambiguous = self._ambiguous, None
            # A grounding of its own: what is found depends on what was asked before.
            program = ClueSearch(board, settings, self._keys)
            answer = program.literals(ambiguous)
            near = program.determined(answer, rng)
            if near is not None and near != answer:
                return board, program.atoms(near), {}
        kept = [self._kept] if self._kept is not None else []
        if self._drawing is None:
            self._drawing = layouts.new(
                self._wanted, self._cells, rng, settings, lambda layout: self._answer(layout, rng, settings)
            )
        for board in kept or self._drawing:

            def search(
                of: Sequence[Key], offers: Sequence[KeyOffer], lines: Sequence[str], board: Instance = board
            ) -> ClueSearch:
                return self._search(board, settings, of, offers, lines, fixed=self._fixed, free=self._free)

            atoms, lines = random_answer(
                board, self._wish, self._new, rng, search, settings=settings, listed=bool(kept)
            )
            if atoms is not None:
                return board, atoms, lines
        if not kept:
            message = "no layout of this size has an answer, or it would take too long to make"
            raise PuzzleError(f"{message}; try another size or other rules")
        rows, columns = grid_extent(self._cells)
        asked = "with the numbers asked for " if self._fixed else ""
        message = f"no {rows}x{columns} board of this layout {asked}has an answer by these rules; try others"
        if self._wanted.like is None:
            raise PuzzleError(f"{message}, or another size")
        raise InstanceError(message, kept[0].facts.where)

    def _search(
        self,
        board: Instance,
        settings: Settings,
        keys: Sequence[Key],
        offers: Sequence[KeyOffer],
        lines: Sequence[str] = (),
        *,
        fixed: Sequence[Symbol] = (),
        free: bool = False,
    ) -> ClueSearch:
        """Return the boards of a layout with clues of some keys; with neither offers nor lines, on a kept grounding.

        If it is `free`, with neither offers nor lines, boards have no clues, unless such boards have no answer.
        """
        if offers or lines:
            more = [file for key in keys if lines for file in variant_layout_files(board.puzzle, key)]
            return ClueSearch(board, settings, keys, offers, more=more, fixed=fixed, lines=lines)
        if board is not self._searched:
            self._searches, self._searched = {}, board
        of = (free, *(key.name for key in keys), *fixed)
        if of not in self._searches:
            program = ClueSearch(board, settings, keys, fixed=fixed, possible=() if free else None)
            if free and program.another(()) is None:
                program = ClueSearch(board, settings, keys, fixed=fixed)
            self._searches[of] = program
        return self._searches[of].timed(settings)

    @cached_property
    def _free(self) -> bool:
        """Whether a random answer is drawn without clues, because these only forbid answers.

        With them, clingo would choose the clues, too: 5 s for a Nonogram of 10x10, and not 0.05 s.
        """
        return any(key.kind.role != "answers" and not key.kind.drawn for key in self._new) and clues_only_forbid(
            self._wanted.puzzle, self._wanted.variants, self._new, self._settings
        )

    def _answer(self, board: Instance, rng: Random, settings: Settings) -> list[Symbol] | None:
        """Return the atoms of a random answer of a first layout, usually that of the previous board."""
        if self._program is None or not self._program.board.facts.equal(board.facts):
            self._program = ClueSearch(board, settings, self._keys)
        program = self._program.timed(settings)
        answer = program.random_answer(rng)
        return None if answer is None else program.atoms(answer)

    def _layouts(self, rng: Random, settings: Settings) -> Iterator[Generated]:
        """Yield boards whose layouts leave one answer, without end; arguments and errors as for `unique_layouts`."""

        def judge(boards: Iterator[Instance]) -> Generated | None:
            judged: list[Generated] = []
            for board in boards:
                if not has_one_answer(board, settings):
                    continue
                made = reduction.judged(board, self._wish, settings)
                if self._wish.grade is not None:
                    graded = reduction.with_grade(made, settings)
                    made = reduction.judged(board, self._wish, settings, graded.grade)._replace(late=graded.late)
                # Of two that are as near, the later one is returned, which has fewer clues.
                judged = [made._replace(final=made.distance[0] > 0), *judged]
                if reduction.is_harder(made.grade, self._wish.grade):  # without some clues, it is harder still
                    break
            return min(judged, key=lambda made: made.distance, default=None)

        return unique_layouts(self._wanted, self._cells, rng, settings, judge)

    def _described(self, made: Generated) -> Generated:
        """Return a board with its details, which mention rules other than those of the puzzle."""
        _, _, settings, _, command, _ = self._arguments
        notes = [f"grade {made.grade}"] if made.grade else []
        notes += [f"seed {made.seed}", *([made.lacks] if made.lacks else [])]
        notes += [f"{made.untested} clue{'s' * (made.untested > 1)} perhaps not needed"] if made.untested else []
        files = [*([settings.encoding] if settings.encoding else []), *settings.extra]
        rules = [path.name for path in files if path.stem not in made.instance.variants]
        notes += [f"for the rules of {listing(rules, 'and')}"] if rules else []
        source = {"source": f"{command} --seed {made.seed}"} if command else {}
        extras = {name: value for name, value in made.instance.extras.items() if name == "colors"}
        board = made.instance._replace(number=1, total=1, collection="", extras=extras)
        details = {"title": board_title(board, made.grade), **source, "notes": ", ".join(notes)}
        return made._replace(instance=with_lines_numbered(board._replace(details=details)))


def _with_missed(program: ClueSearch, answer: AnswerLiterals, chosen: list[Unit], pool: Sequence[Unit]) -> list[Unit]:
    """Return chosen clues with those of a pool without which the answer would not hold, as all dots are given."""
    units = {fact: unit for unit in pool for fact in unit_facts([unit])}
    chosen = [*chosen]
    while program.chosen and (
        missed := [units[fact] for fact in program.missed(answer, {*unit_facts(chosen)}) if fact in units]
    ):
        chosen += [unit for unit in dict.fromkeys(missed) if unit not in chosen]
    return chosen


def _sized(key: Key, cells: KeyRange | None) -> Key:
    """Return a key with the sizes of its lines."""
    return key._replace(options={**key.options, "cells": cells}) if cells and key.kind.drawn else key


def _without_values(board: Instance | None) -> list[Key]:
    """Return the keys with values of which some line or cage on a board has none."""
    if board is None:
        return []
    keys = [key for key in clue_keys(board.puzzle) if key.option("value") and key.option("values", SOME)]
    return [
        key
        for key in keys
        if not all(any(fact.name == key.option("value").name for fact in clue) for clue in clues_of_board(board, [key]))
    ]


def seeds(first: int | None, number: int) -> Iterator[int]:
    """Yield the seed of each board: the first one, or a random one for None, and then others that follow from it.

    Raises:
        PuzzleError: the seed is no number of 32 bits.
    """
    first = Random().randrange(NUMBER_OF_SEEDS) if first is None else first  # noqa: S311 (no secret)
    Settings(seed=first)  # checks it
    for i in range(number):
        yield first if not i else int.from_bytes(sha256(f"{first} {i}".encode()).digest()[:4])


@lru_cache(maxsize=1)
def _maker(wanted: WantedLayout, wish: Wish, settings: Settings, *more: Any) -> Generator:  # noqa: ANN401 (unpickled)
    """Return the generator of a process; cached: 60 Sudokus by two processes take half as long again without it."""
    graded, command, answer = more
    return Generator(wanted, wish, settings, graded=graded, command=command, answer=answer)


def _span(count: object, name: str) -> KeyRange | None:
    """Return how many clues there are to be, given a number, or the least and the most."""
    pair = _pair(count, name, ("least", "most"), "a number, or (least, most)", 0)
    if pair and pair[1] < pair[0]:
        raise ArgumentError(f"{name} is {shown(count)}; pass the smaller number first")
    return KeyRange(*pair) if pair else None


def _size(size: object) -> tuple[int, int] | None:
    """Return rows and columns, given one of both, or both."""
    return _pair(size, "size", ("rows", "columns"), "a number of rows and columns, or (rows, columns)", 1)


def _pair(value: object, name: str, names: tuple[str, str], expected: str, low: int) -> tuple[int, int] | None:
    if value is None:
        return None
    pair = value if isinstance(value, tuple | list) else (value, value)
    if len(pair) != len(names):
        raise ArgumentError(f"{name} is {shown(value)}; pass {expected}")
    first, other = (whole_number(number, name, low, expected) for number in pair)
    return first, other
