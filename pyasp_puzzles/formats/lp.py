"""Ground facts, as `pyasp facts` prints them and plain clingo reads them."""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING

from pyasp_puzzles.boards.facts import Facts
from pyasp_puzzles.boards.toml import DETAILS, one_line
from pyasp_puzzles.errors import InstanceError, PuzzleError, Where, listing
from pyasp_puzzles.formats.facts import predicates, read_facts
from pyasp_puzzles.formats.format import Format
from pyasp_puzzles.puzzles.declaration import find, puzzles
from pyasp_puzzles.puzzles.program import program
from pyasp_puzzles.puzzles.puzzle import Instance

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pyasp_puzzles.formats.format import Report, Text
    from pyasp_puzzles.puzzles.puzzle import Puzzle

_DETAIL = re.compile(rf"^% (puzzle|variants|{'|'.join(DETAILS)}):(.*)$", re.MULTILINE)
_FACTS = re.compile(r"\s*+(%|:-|#(script|include|const|show)\b|[a-z]\w*\s*(\(|\.(?=\s|%|$)))")


def is_facts(text: str) -> bool:
    """Tell whether a text begins as facts, or another program, do."""
    return _FACTS.match(text) is not None


def read(text: Text) -> Iterator[Instance]:
    """Yield the board of some facts."""
    from pyasp_puzzles.formats.load import checked_variants

    words, where = text.text, text.where
    used = predicates(words, where)
    facts_read = read_facts(words, where)
    first = list(islice(facts_read, 1))  # an error in the first fact comes before an unknown puzzle
    details = {match[1]: (match[2].strip(), match.start()) for match in _DETAIL.finditer(words)}
    name, start = details.pop("puzzle", ("", 0))
    variants, place = details.pop("variants", ("", 0))
    if name:
        puzzle = find(name, Where(where.source, words.count("\n", 0, start) + 1), text.puzzles)
    else:
        puzzle = _recognise(used, where, text.puzzles)
    facts = Facts(puzzle.predicates, where)
    about = {key: one_line(value) for key, (value, _) in details.items()}
    try:
        names = checked_variants(variants.split(), Where(where.source, words.count("\n", 0, place) + 1))
        for fact in chain(first, facts_read):
            facts.add(*fact)
        if not len(facts):
            raise InstanceError(f"no facts, expected {puzzle.required} and others", where)
        puzzle.validate(facts)
    except PuzzleError as error:
        error.about = {"puzzle": puzzle.name, "source": where.source, "board": 1, "title": about.get("title", "")}
        raise
    yield Instance(puzzle, facts, details=about, variants=names)


def _recognise(used: set[str], where: Where, directories: Sequence[Path]) -> Puzzle:
    """Return the puzzle of facts with these predicates: it requires one of them, and knows the most."""
    with_rules = [puzzle for puzzle in puzzles(directories) if puzzle.rules == puzzle.folder]
    candidates = [puzzle for puzzle in with_rules if puzzle.required in used]
    if not candidates:
        needed = listing(f"{puzzle.required} ({puzzle.name})" for puzzle in with_rules)
        raise InstanceError(f"no board of any puzzle in these facts, expected facts of {needed}", where)
    return min(candidates, key=lambda puzzle: len(used - {known.name for known in puzzle.predicates}))


def write(boards: Sequence[Instance], report: Report) -> str:
    """Return the facts of a board."""
    if len(boards) > 1:
        message = f"lp has one board in a text, expected one, or -o DIR to write a file for each of {len(boards)}"
        raise InstanceError(message, boards[0].facts.where)
    (board,) = boards
    lost = [*board.extras, *(["solution"] if board.solution is not None else [])]
    if lost:
        report(f"lp has no place for {listing(lost, 'and')}")
    return program(board).removesuffix("\n")


FORMAT = Format("lp", "ground facts for clingo, of one board", is_facts, read, write, suffixes=(".lp",))
