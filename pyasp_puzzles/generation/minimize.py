"""`minimize`, which leaves out clues of a board, and the arguments and titles that it shares with `generate`."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

from pyasp_puzzles.arguments import check_flag, check_text, whole_number
from pyasp_puzzles.asp.settings import DEFAULT, Settings, check_settings
from pyasp_puzzles.boards.grid import grid_extent
from pyasp_puzzles.errors import ArgumentError, InstanceError, did_you_mean, listing, shown
from pyasp_puzzles.formats.load import InstanceLike, load_only_board
from pyasp_puzzles.generation import reduction
from pyasp_puzzles.generation.clue_search import ClueSearch
from pyasp_puzzles.generation.clues import Generated, Wish, clue_keys, clue_units, clues_of_board
from pyasp_puzzles.generation.lines import line_offers_of, with_lines_numbered
from pyasp_puzzles.generation.reduction import Reduction
from pyasp_puzzles.model.grades import GRADES, GradeWord
from pyasp_puzzles.model.puzzle import Instance, Puzzle, remaining_details

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from pyasp_puzzles.generation.clues import Unit
    from pyasp_puzzles.model.keys import Key

# The default time limit for a board: some wishes can never be met.
_GENERATE_SECONDS = 60.0
# Boards with more cells are graded only if a grade is asked for: this can take minutes.
MOST_CELLS_GRADED = 100


def minimize(
    instance: InstanceLike,
    *,
    fewest: bool = False,
    symmetric: bool = False,
    grade: GradeWord | None = None,
    seed: int = 0,
    settings: Settings = DEFAULT,
) -> Instance:
    """Return a board without the clues that it does not need to have one answer; no other clue can be left out.

    If clues were left out, the source and the notes of the board are dropped. A grade in its title or notes is computed
    again, or dropped if time runs out.

    Args:
        instance: a board with one answer, or the name or the path of a file with one board.
        fewest: whether to keep as few of the board's clues as possible, with proof.
        symmetric: whether clues at opposite places are left out together, half a turn around the board.
        grade: a word of `grade`; as many clues are kept as the board needs to have that grade.
        seed: a seed; another one leaves other clues.
        settings: the rules, and the time limit, 60 seconds by default.

    Raises:
        PuzzleError: the board has several answers or none, or its puzzle has no clues.
        OutOfTime: time ran out before anything was left out.
    """
    instance = load_only_board(instance, settings)
    wish = Wish(grade, None, symmetric, fewest)
    check_arguments(instance.puzzle.name, wish, whole_number(seed, "seed", 0), settings)
    return minimized(instance, wish, seed, settings).instance


def minimized(board: Instance, wish: Wish, seed: int, settings: Settings) -> Generated:
    """Return the board with fewer clues, and what is known of it; arguments and errors as for `minimize`."""
    check_scale(wish.grade, board.puzzle, board.variants, settings)
    Settings(seed=seed)  # checks it
    settings = with_time_limit(settings._replace(seed=None, threads=1))
    where = board.facts.where
    if not clue_keys(board.puzzle):
        raise InstanceError(f"boards of {board.puzzle.name} have no clues to leave out", where)
    keys, clues = clue_keys(board.puzzle), clues_of_board(board)
    settings.deadline().check()
    program = ClueSearch(board, settings, keys, line_offers_of(board, keys))
    answer = program.only_answer([fact for clue in clues for fact in clue])
    if answer is None:
        raise InstanceError("this board does not have exactly one answer; see pyasp check", where)
    every = removal_order(clue_units(board, clues, symmetric=wish.symmetric), keys, Random(seed))  # noqa: S311 (no secret)
    made = Reduction(program, answer, every, wish, settings).board()
    if made is None:
        made = Generated(board, seed, missed="no clue was left out")
    if made.instance.facts.equal(board.facts):
        return made._replace(instance=board, seed=seed)
    details = remaining_details(board.details)
    if not made.grade and _says_grade(board) and len(board.cells) <= MOST_CELLS_GRADED:
        made = reduction.with_grade(made, settings)._replace(late=made.late)
    if made.grade:
        details["notes"] = f"grade {made.grade}"
        if details.get("title", "") != board.title:
            title = details.get("title")
            details["title"] = f"{title}, {made.grade}" if title else board_title(board, made.grade)
    instance = with_lines_numbered(made.instance._replace(details=details, extras=board.extras))
    return made._replace(instance=instance, seed=seed)


def _says_grade(board: Instance) -> bool:
    """Return whether the title or the notes of a board say how hard it is."""
    text = f"{board.title} {board.details.get('notes', '')}"
    return re.search(rf"\b({'|'.join(GRADES)})\b", text, re.IGNORECASE) is not None


def check_arguments(puzzle: object, wish: Wish, seed: object, settings: Settings) -> None:
    """Raise `TypeError` for arguments of a wrong type, and `ArgumentError` for numbers out of range."""
    check_settings(settings)
    check_text(puzzle, "puzzle", "the name of a puzzle")
    check_flag(wish.symmetric, "symmetric")
    check_flag(wish.fewest, "fewest")
    check_grade(wish.grade)
    if seed is not None:
        whole_number(seed, "seed", 0)
    if wish.clues is not None:
        whole_number(wish.clues, "clues", 0)
    for name, value in wish.measures:
        whole_number(value, name, 1)


def check_grade(word: str | None) -> None:
    """Raise `ArgumentError` unless a word is a grade, and `TypeError` if it is no word at all."""
    check_text(word, "grade", f"one of {listing(GRADES)}", optional=True)
    if word is not None and word not in GRADES:
        raise ArgumentError(f"unknown grade {shown(word)}; choose {listing(GRADES)}{did_you_mean(word, GRADES)}")


def check_scale(word: str | None, puzzle: Puzzle, variants: Collection[str], settings: Settings) -> None:
    """Raise `ArgumentError` unless a word is a grade that boards of a puzzle can have, with variants and settings."""
    check_grade(word)
    scale = puzzle.scale(variants, settings)
    if word is None or (scale and word in scale.words):
        return
    if scale:
        raise ArgumentError(f"boards of {puzzle.name} are {listing(scale.words)}, not {word}")
    why = "all steps are of the same kind" if puzzle.kind.method else "too few graded boards are known"
    where = f"{puzzle.name} with other rules" if puzzle.grades else puzzle.name
    raise ArgumentError(f"boards of {where} have no grade to ask for, as {why}; leave it out")


def with_time_limit(settings: Settings) -> Settings:
    """Return settings with the clock running, and with a time limit in any case."""
    return (settings._replace(timeout=_GENERATE_SECONDS) if settings.timeout is None else settings).started()


def removal_order(every: list[Unit], keys: Sequence[Key], rng: Random) -> list[Unit]:
    """Return units in random order of removal: givens first, so that clues of variants replace them."""
    places = {predicate.name: key.kind.pictured for key in keys for predicate in key.predicates}
    rng.shuffle(every)
    return sorted(every, key=lambda unit: places[unit[0][0].name])


def board_title(board: Instance, grade: str) -> str:
    """Return the title of a board without one: "Sudoku 9x9, hard"."""
    rows, columns = grid_extent(board.cells)
    return f"{board.puzzle.name.replace('-', ' ').capitalize()} {rows}x{columns}" + (f", {grade}" if grade else "")
