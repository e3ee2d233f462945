"""Options and arguments, each declared once, groups of options, help, and what a shell completes."""

# Without `from __future__ import annotations`, as to evaluate the text of each annotation takes time.

import os
import re
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from inspect import Parameter, Signature, get_annotations, signature
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from pyasp_puzzles.errors import PuzzleError, listing, shown

if TYPE_CHECKING:
    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.formats.format import Shows

# The largest limit on models that clingo takes.
_LARGEST_LIMIT = 2**31 - 1

# The groups of options in help, in this order; --help is in the last one.
GROUPS = (
    *("Arguments", "Board", "Answers", "Boards in pictures", "Strata", "Strips", "Strata and strips", "Tectonic"),
    *("Output", "Many boards", "Rules", "Search", "Options"),
)
ARGUMENTS, BOARD, ANSWERS, PICTURES, STRATA, STRIPS, COLORED, TECTONIC, *_ = GROUPS
*_, OUTPUT, MANY_BOARDS, RULES, SEARCH, OTHERS = GROUPS
# Columns of help, on a wide terminal.
_WIDEST_HELP = 100


def option(group: str, text: str, *names: str, offers: str = "", **details: Any) -> Any:  # noqa: ANN401 (typer's)
    """Return an option with its help, in a group; without names, it has the name of its parameter.

    `offers` is what a shell completes: a kind of `completions`.
    """
    return typer.Option(*names, help=text, rich_help_panel=group, autocompletion=_offered(offers), **details)


def argument(metavar: str, text: str, offers: str = "", **details: Any) -> Any:  # noqa: ANN401 (as above)
    """Return an argument with its help."""
    return typer.Argument(metavar=metavar, help=text, autocompletion=_offered(offers), **details)


def _offered(kind: str) -> Callable[[typer.Context, str], list[tuple[str, str]]] | None:
    # Typer would evaluate annotations, so this function has none.
    def complete(ctx, incomplete):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        return completions(kind, incomplete, ctx.params.get("puzzles") or ())

    return complete if kind else None


# -- Options of several commands ------------------------------------------------------------------

INPUT = (
    "Boards: a file, an address or a text in any format of `pyasp list --formats`, a directory, - for standard input,"
    " or a name from `pyasp list`."
)
File = Annotated[str, argument("FILE", INPUT, "board")]
_AS = (
    "The format of FILE, or the puzzle of its bare grids or pictures; by default it is recognised. `sudoku` also reads"
    " a list of Sudokus, each a line of 16, 36, 64 or 81 cells, . or 0 for an empty one."
)
As = Annotated[str | None, option(ARGUMENTS, _AS, "--as", metavar="FORMAT|PUZZLE", offers="format or puzzle")]
BoardNumber = Annotated[
    int | None, option(ARGUMENTS, "Which board of FILE, if it has several.", "--board", min=1, metavar="N")
]


def number_option(text: str) -> Any:  # noqa: ANN401 (typer's)
    """Return the option -n with its help, for an annotation."""
    return option(OUTPUT, text, "-n", "--number", min=1, max=_LARGEST_LIMIT, metavar="N")


_FILLED_IN = (
    "A file with an answer, complete or not; - for standard input. It is a grid, with `.` for an empty cell; a laying"
    " order (for a hint, its last ribbons); or output of solve --json, also for several boards."
)
FilledIn = Annotated[str | None, option(ANSWERS, _FILLED_IN, "--answer", metavar="FILE")]
_DISTINCT = (
    "Which answers to Strata count as different: lattices, plays, orders or looks. lattices, the default: those with"
    " another ribbon on top at some crossing, or another visible color; plays: those with another laying order, or"
    " another color of some ribbon; orders: as plays, but consecutive ribbons that are parallel or of one color may be"
    " swapped; looks: those with another finished picture."
)
Distinct = Annotated[str | None, option(STRATA, _DISTINCT, metavar="WHAT", offers="distinct")]
_GRADE = "How hard boards are, where grades are words: easy, medium, hard, very-hard or extreme."
Grade = Annotated[str | None, option(BOARD, _GRADE, "--grade", metavar="WORD", offers="grade")]
_SYMMETRIC = "Keep the places of clues symmetric by a half-turn."
Symmetric = Annotated[bool, option(BOARD, _SYMMETRIC, "--symmetric")]
_FEWEST = "Keep as few clues as possible, with proof. If time runs out, print how many are needed at least."
Fewest = Annotated[bool, option(BOARD, _FEWEST, "--fewest")]
Stats = Annotated[bool, option(OUTPUT, "Print times and sizes of searches to standard error.", "--stats")]
Brief = Annotated[bool, option(OUTPUT, "Print no pictures.", "--brief")]
Why = Annotated[bool, option(OUTPUT, "Print why each candidate is ruled out.", "--why")]
NoGrade = Annotated[bool, option(OUTPUT, "Skip grading (faster).", "--no-grade")]
_TO = "Write boards in this format; see `pyasp list --formats`."
To = Annotated[str | None, option(OUTPUT, _TO, "--to", metavar="FORMAT", offers="format")]
Force = Annotated[bool, option(OUTPUT, "Replace files that exist.", "--force")]
_JOBS = "Work on N boards at a time, each in its own process."
Jobs = Annotated[int | None, option(MANY_BOARDS, _JOBS, min=1, max=1024, metavar="N")]
_PUZZLES = "Use the puzzle or variant in this folder, or all in its subfolders. May be repeated."
Puzzles = Annotated[list[Path] | None, option(RULES, _PUZZLES, metavar="DIR")]
_SEED = "The seed of random choices; the same seed gives the same result."
Seed = Annotated[int | None, option(SEARCH, _SEED, metavar="N", min=0, max=2**32 - 1)]


# -- Groups of options ----------------------------------------------------------------------------


class Options:
    """Options of several commands: each field annotated with an option is one; its value is the default."""

    def __init__(self, **given: Any) -> None:  # noqa: ANN401 (options have any type)
        vars(self).update(given)

    @classmethod
    def parameters(cls) -> list[Parameter]:
        """Return the options as parameters of a function.

        Raises:
            NameError: an annotation, which could be an option, has a name that is imported for type checkers only.
        """
        fields: dict[str, Any] = {}
        for group in cls.__mro__:
            for name, kind in get_annotations(group, eval_str=True).items():
                fields.setdefault(name, kind)
        return [
            Parameter(name, Parameter.KEYWORD_ONLY, default=getattr(cls, name, Parameter.empty), annotation=kind)
            for name, kind in fields.items()
            if hasattr(kind, "__metadata__")
        ]


def spread_options(function: Callable[..., None], call: Callable[..., None]) -> Callable[..., None]:
    """Return a function for typer: its parameters are those of a command, each group replaced by its options.

    It makes the groups of their options again, and calls `call` with all arguments of the command.
    """
    own = signature(function, eval_str=True).parameters.values()
    kinds = {one.name: one.annotation for one in own if isinstance(one.annotation, type)}
    groups = {name: kind for name, kind in kinds.items() if issubclass(kind, Options)}
    options = {name: group.parameters() for name, group in groups.items()}

    def command(**given: Any) -> None:  # noqa: ANN401 (as above)
        for name, group in groups.items():
            given[name] = group(**{one.name: given.pop(one.name) for one in options[name]})
        call(**given)

    every = [new for one in own for new in options.get(one.name, [one.replace(kind=Parameter.KEYWORD_ONLY)])]
    command.__signature__ = Signature(every)  # type: ignore[attr-defined]
    command.__annotations__.clear()
    return command


class FolderOptions(Options):
    """Where puzzles and variants are, besides those that ship."""

    puzzles: Puzzles = None

    @property
    def settings(self) -> "Settings":
        """The settings that these options make."""
        from pyasp_puzzles.asp.settings import Settings

        return Settings(puzzles=tuple(self.puzzles or ()))


class RuleOptions(FolderOptions):
    """By which rules, and for how long."""

    ENCODING = (
        "Use this file instead of the rules of the puzzle; or the files in this folder, each in place of the file of"
        " the same name."
    )
    # A list, so that a second one is not ignored.
    encoding: Annotated[list[Path] | None, option(RULES, ENCODING, metavar="FILE|DIR")] = None
    EXTRA = (
        "Add the rules in this file, or a variant by its name (see `pyasp list --variants`) or its folder. May be"
        " repeated."
    )
    extra: Annotated[list[Path] | None, option(RULES, EXTRA, metavar="RULES", offers="variant")] = None
    TIMEOUT = "Stop after this time on a board, and print what was found."
    timeout: Annotated[float | None, option(SEARCH, TIMEOUT, metavar="SECONDS", min=0)] = None
    seed: int | None = None
    threads: int = 1

    @property
    def settings(self) -> "Settings":
        """The settings that these options make.

        Raises:
            UsageError: there are two encodings.
            BadParameter: the timeout is not a number.
        """
        if self.encoding and len(self.encoding) > 1:
            raise UsageError("--encoding is given twice; name one file, or one folder with all of them")
        if self.timeout is not None and isnan(self.timeout):
            raise option_error("--timeout", self.timeout, "is not a number; write seconds")
        from pyasp_puzzles.asp.rules import is_variant_path
        from pyasp_puzzles.asp.settings import Settings

        extra = tuple(self.extra or ())
        puzzles = (
            *(self.puzzles or ()),
            *filter(is_variant_path, extra),
        )  # the keys of these variants may be in boards
        encoding = self.encoding[0] if self.encoding else None
        return Settings(encoding, extra, self.timeout, self.seed, self.threads, puzzles)


class FileOptions(FolderOptions):
    """Which boards, and how they are read."""

    files: Annotated[list[str], argument("FILE...", INPUT, "board", default_factory=list)]
    format: As = None

    def __init__(self, **given: Any) -> None:  # noqa: ANN401 (options have any type)
        super().__init__(**given)
        if not self.files:
            if not _is_piped():
                raise UsageError("Missing argument 'FILE'")
            self.files = ["-"]

    @property
    def shows(self) -> "Shows | None":
        """What pictures show; None without options for it."""
        return None


class PictureOptions(Options):
    """What pictures show, PNG or JPEG; --as says which puzzle."""

    SIZE = "Rows and columns of the board in a picture: 9, or 8x10."
    size: Annotated[str | None, option(PICTURES, SIZE, metavar="SIZE")] = None
    COLORS = "How many colors the board in a picture has; detected unless ambiguous."
    colors: Annotated[int | None, option(PICTURES, COLORS, metavar="N", min=1, max=100)] = None
    ANGLE = (
        "About how many degrees the board in a picture is turned clockwise; by default 45 if it is on a corner, as"
        " Strata shows it, and 0 if not."
    )
    angle: Annotated[float | None, option(PICTURES, ANGLE, "--angle", metavar="DEGREES", min=-360, max=360)] = None

    @property
    def shows(self) -> "Shows | None":
        """What a picture shows, as these options say; None if none of them is given.

        Raises:
            BadParameter: the size or the angle cannot be read.
        """
        if (self.size, self.colors, self.angle) == (None,) * 3:
            return None
        if self.angle is not None and isnan(self.angle):
            raise option_error("--angle", self.angle, "is not a number; write degrees")
        from pyasp_puzzles.formats.format import Shows

        return Shows(None, size_option(self.size), self.colors, self.angle)


class PicturedBoardOptions(PictureOptions, FileOptions):
    """Which boards, which may be in pictures."""


class BoardOptions(FileOptions, RuleOptions):
    """Which boards, by which rules, and for how long."""


class AnyBoardOptions(PicturedBoardOptions, BoardOptions):
    """Which boards, perhaps in pictures, by which rules, and for how long."""


class SearchOptions(AnyBoardOptions):
    """The options of `AnyBoardOptions`, and how to search."""

    seed: Seed = None
    threads: Annotated[int, option(SEARCH, "Search with this many threads.", metavar="N", min=1, max=64)] = 1


class WriteOptions(Options):
    """Where boards are written."""

    FILES = "Write to this file, or a file a board to this directory; - for standard output."
    output: Annotated[Path | None, option(OUTPUT, FILES, "-o", "--output", metavar="FILE|DIR")] = None
    force: Force = False


class JsonOptions(Options):
    """Whether results are printed as JSON Lines."""

    as_json: Annotated[bool, option(OUTPUT, "Print JSON Lines.", "--json")] = False


class PageOptions(JsonOptions):
    """Whether results are printed as JSON Lines, or go to a page."""

    HTML = "Write an HTML page to this file instead; - for standard output."
    html: Annotated[str | None, option(OUTPUT, HTML, metavar="PAGE")] = None
    force: Force = False


def _is_piped() -> bool:
    """Return whether standard input is a file or the output of a program, and not a terminal or nothing."""
    try:
        mode = os.fstat(0).st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode)


def size_option(words: str | None) -> tuple[int, int] | None:
    """Return the rows and columns of --size, 9 or 8x10; None if it is not given.

    Raises:
        BadParameter: it is no size.
    """
    if words is None:
        return None
    match = re.fullmatch(r"(\d{1,4})(?:x(\d{1,4}))?", words)
    if match is None:
        raise option_error("--size", words, "is not a size; write 9, or 8x10 for 8 rows and 10 columns")
    return int(match[1]), int(match[2] or match[1])


class UsageError(typer.BadParameter):
    """Options that make no sense; the message is about no single value, and printed as it is."""

    def format_message(self) -> str:
        """Return the message."""
        return self.message


def option_error(name: str, value: object, problem: str) -> typer.BadParameter:
    """Return the error for the value of an option: `Invalid value for '--size': 'x' is not a size; write 9`."""
    return typer.BadParameter(f"{shown(value)} {problem}", param_hint=f"'{name}'")


def refuse_options_together(given: Mapping[str, object]) -> None:
    """Raise `UsageError` if several of some options are given."""
    chosen = [name for name, value in given.items() if value]
    if len(chosen) > 1:
        raise UsageError(f"{listing(chosen, 'and')} do not go together")


# -- Help ----------------------------------------------------------------------------


def help_width() -> int:
    """Return how many columns help takes: those of the terminal, unless that is too wide to read."""
    return max(20, min(shutil.get_terminal_size().columns, _WIDEST_HELP) - 2)


class HelpCommand(TyperCommand):
    """A command whose help lists its options in groups, in plain text.

    Typer groups options only with rich, which takes 100 ms more and draws boxes that do not belong in a pipe.
    """

    def collect_usage_pieces(self, ctx: Any) -> list[str]:  # noqa: ANN401 (as below)
        """Return the parts of the usage line: FILE, where typer has {FILE} for what is required."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 (click's types, which typer hides)
        """Write the arguments, and then the options of each group."""
        groups: dict[str, list[tuple[str, str]]] = {group: [] for group in GROUPS}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                usual = ARGUMENTS if parameter.param_type_name == "argument" else OTHERS
                group = getattr(parameter, "rich_help_panel", None) or usual
                groups[group].append((record[0], _plain_help(record[1])))
        _write_groups(groups, formatter)


class HelpCommandGroup(TyperGroup):
    """The command itself, whose help has the commands in groups, each with its whole summary; typer would cut it."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 (as above)
        """Write each command with the first paragraph of its help."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for name in self.list_commands(ctx):
            command: Any = self.get_command(ctx, name)
            summary = (command.help or "").partition("\n\n")[0]
            groups.setdefault(command.rich_help_panel, []).append((name, " ".join(summary.split())))
        _write_groups(groups, formatter)


def _write_groups(groups: Mapping[str, list[tuple[str, str]]], formatter: Any) -> None:  # noqa: ANN401 (as above)
    for name, records in groups.items():
        if records:
            with formatter.section(name):
                formatter.write_dl(records, col_max=min(30, formatter.width * 2 // 5))


def _plain_help(text: str) -> str:
    """Return the help of an option without typer's notes on ranges, and on required values, which usage shows."""
    head, _, notes = text.rpartition("  [")
    if not head:
        return text
    kept = [note for note in notes.removesuffix("]").split("; ") if note != "required" and not re.search("[<>]", note)]
    return f"{head}  [{'; '.join(kept)}]" if kept else head


# -- What a shell completes ------------------------------------------------------------------------

# Kinds of names that may also be files; a shell adds no files to the names that it is given.
_WITH_FILES = {"board", "variant", "rules"}
_WORDS = {
    "distinct": ("lattices", "plays", "orders", "looks"),
    "layout": ("new", "same"),
    "paper": ("a4", "letter"),
}


def completions(kind: str, incomplete: str, puzzles: Sequence[Path] = ()) -> list[tuple[str, str]]:
    """Return (completion, meaning) for what a shell may complete; meanings may be empty.

    Args:
        kind: "board", "puzzle", "variant", "rules" (all three), "format", "format or puzzle", "grade", "answer", or a
            key of `_WORDS`.
        incomplete: what is typed already.
        puzzles: folders of further puzzles.
    """
    names = []
    with suppress(PuzzleError, OSError):
        names = [(name, meaning) for name, meaning in _names(kind, puzzles) if name.startswith(incomplete)]
    return names + [(file, "") for file in _files(incomplete)] if names and kind in _WITH_FILES else names


def _names(kind: str, puzzles: Sequence[Path]) -> Iterator[tuple[str, str]]:
    if kind in {"puzzle", "rules", "format or puzzle"}:
        from pyasp_puzzles.puzzles import declaration

        for puzzle in declaration.puzzles(puzzles):
            yield from ((name, puzzle.summary) for name in (puzzle.name, *puzzle.aliases))
    if kind in {"variant", "rules"}:
        from pyasp_puzzles.puzzles.declaration import variants_in

        yield from ((name, variant.summary) for name, variant in variants_in(puzzles).items())
    if kind in {"board", "rules"}:
        from pyasp_puzzles.formats.load import shipped_instances

        yield from ((name, "") for name in shipped_instances())
    if kind in {"format", "format or puzzle"}:
        from pyasp_puzzles.formats.format import formats

        yield from ((format_.name, format_.summary) for format_ in formats().values())
    if kind == "grade":
        from pyasp_puzzles.model.grades import GRADES

        yield from ((word.replace(" ", "-"), "") for word in GRADES)
    if kind == "answer":
        from pyasp_puzzles.puzzles import templates

        yield from ((word, "") for word in templates.KINDS)
    yield from ((word, "") for word in _WORDS.get(kind, ()))


def _files(incomplete: str) -> list[str]:
    """Return the files and directories that begin with a text; hidden ones only if it has their dot."""
    directory, _, start = incomplete.rpartition("/")
    place = f"{directory}/" if "/" in incomplete else ""
    with suppress(OSError, ValueError), os.scandir(place or ".") as entries:
        return sorted(
            f"{place}{entry.name}" + "/" * entry.is_dir()
            for entry in entries
            if entry.name.startswith(start) and (start or not entry.name.startswith("."))
        )
    return []
