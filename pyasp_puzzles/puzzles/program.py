"""Programs for clingo: the encodings, facts and modes that a question about an instance takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.paths import extra_rules, mode_path
from pyasp_puzzles.asp.search import SMALL, Search

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.puzzles.puzzle import Instance


def program(instance: Instance, without: Collection[str] = ()) -> str:
    """Return the facts of an instance as a program that plain clingo takes, headed by what is known about it.

    Args:
        instance: the board.
        without: predicates whose facts are left out.
    """
    head = [f"% {key}: {value}" for key, value in {"puzzle": instance.puzzle.name, **instance.details}.items()]
    return "\n".join([*head, "", instance.facts.program(without), ""])


class Question(NamedTuple):
    """What is asked of an instance, beside its encoding and its facts."""

    outputs: tuple[str, ...]
    """Predicates, "value/3" say; only these show, so that they alone tell models apart."""
    modes: tuple[str, ...] = ()
    """The modes to load beside the encoding."""
    given: str = ""
    """More of the program."""
    files: tuple[str, ...] = ()
    """Further files of the puzzle's folder: "words", how people say its rules; "cells", which cells break them."""
    without: Collection[str] = ()
    """Predicates whose facts are left out."""
    pruned: bool = False
    """Whether to load what prunes; it is left out wherever the rules are not exactly those that it follows from."""


def assembled(instance: Instance, settings: Settings, question: Question) -> tuple[list[Path], str]:
    """Return the files and the program to ground."""
    puzzle = instance.puzzle
    files = list(question.files)
    if question.pruned and not settings.edited:
        files.append("pruning")
    encodings = [settings.encoding or puzzle.encoding, *map(extra_rules, settings.extra)]
    encodings += [path for name in files for path in puzzle.companions(name)]
    encodings += map(mode_path, question.modes)
    facts = program(instance, question.without)
    large = "large.\n" if "pruning" in files and len(facts) > SMALL else ""
    show = "".join(f"#show {output}. #project {output}.\n" for output in question.outputs)
    return encodings, f"{facts}{question.given}{large}{show}"


def ask(instance: Instance, settings: Settings, question: Question) -> Search:
    """Return the search through what is `assembled`.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    settings = settings.started()
    return Search(*assembled(instance, settings, question), settings)
