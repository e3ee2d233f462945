"""Reading answers: a grid, a laying order, or the JSON Lines that `pyasp solve --json` prints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from pyasp_puzzles.errors import InstanceError, Where, shown
from pyasp_puzzles.formats.load import load_text, refuse_empty_file_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyasp_puzzles.model.answer import Answer
    from pyasp_puzzles.model.puzzle import Instance


def read_answers(boards: Sequence[Instance], name: str) -> Iterator[tuple[Instance, Answer]]:
    """Yield boards, each with its answer from a file: the first, if JSON has several for a board.

    Raises:
        InstanceError: the answer cannot be read, or is to another board.
    """
    refuse_empty_file_name(name)
    text = load_text(None if name == "-" else Path(name), name)
    if text.lstrip().startswith("{"):
        yield from _from_json(boards, text, name)
    elif len(boards) > 1:
        needed = f"{len(boards)} boards need JSON Lines, as solve --json prints them"
        raise InstanceError(f"this is an answer to one board; {needed}", Where(name))
    else:
        yield boards[0], boards[0].puzzle.kind.read(boards[0], text, Where(name))


def _from_json(boards: Sequence[Instance], text: str, name: str) -> Iterator[tuple[Instance, Answer]]:
    answered, sources = False, {board.source for board in boards}
    known = {(board.source, board.number): board for board in boards}
    for number, line in enumerate(text.split("\n"), 1):
        where = Where(name, number)
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            board, solutions = record.get("board", 1), record.get("solutions", [record])
            source = next(iter(sources)) if len(sources) == 1 else record.get("source")
            instance = known.get((source, board))
            answer = instance.puzzle.kind.from_json(instance, solutions[0], where) if instance and solutions else None
        except InstanceError as error:
            raise InstanceError(error.message, where) from None
        except (ValueError, RecursionError):
            message = "this is not valid JSON; write one object a line, as solve --json prints"
            raise InstanceError(message, where) from None
        except (AttributeError, KeyError, TypeError, IndexError):
            message = "this JSON has no answer to this puzzle; solve --json prints one"
            raise InstanceError(message, where) from None
        if instance is None:
            raise InstanceError(f"board {shown(board)} of {shown(source)} is not among the boards given", where)
        if answer is not None:
            answered = True
            yield instance, answer
    if not answered:
        raise InstanceError("this JSON has no answer to any board", Where(name))
