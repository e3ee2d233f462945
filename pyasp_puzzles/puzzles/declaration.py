"""Declarations: finding puzzles and variants by name, and reading `puzzle.toml` and `variant.toml` in their folders.

    encodings/tectonic/puzzle.toml    name, summary, kind of answer, keys of a board and their facts
    encodings/variants/thermometer/   thermometer.lp with rules to add to a puzzle, variant.toml, words.lp

Other folders are named with `--puzzles` or in PYASP_PUZZLES.

Variant  Variant("thermometer", "Numbers rise along each thermometer.", folder, keys=(Key("thermometers", ...),))
"""

from __future__ import annotations

import copyreg
import os
import re
import tomllib
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from functools import cache, lru_cache
from importlib import import_module
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyasp_puzzles.asp.rules import (
    VARIANT_FILE,
    Rules,
    encodings_directory,
    instances_directory,
    is_variant_path,
    variant_path,
    variant_paths,
)
from pyasp_puzzles.asp.rules import VARIANT_FILE as FILE
from pyasp_puzzles.boards import figure, toml
from pyasp_puzzles.boards.facts import FactPredicate
from pyasp_puzzles.boards.toml import DETAILS, Table
from pyasp_puzzles.errors import (
    EncodingError,
    InstanceError,
    PuzzleError,
    UnknownPuzzleError,
    Where,
    did_you_mean,
    first_listed,
    listing,
    shorten,
    shown,
)
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.grades import GRADES, GradeScale
from pyasp_puzzles.model.keys import Key, KeyRange
from pyasp_puzzles.model.puzzle import Puzzle, Variant
from pyasp_puzzles.puzzles.keys import KEY_KINDS, key_kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pyasp_puzzles.asp.rules import RuleFile
    from pyasp_puzzles.model.keys import KeyKind
    from pyasp_puzzles.model.puzzle import AnswerKind

# Bytes of a `puzzle.toml`; a larger file is no declaration.
_LARGEST_DECLARATION = 2**16


# Puzzles that a message names.
_MOST_NAMED = 5
# The environment variable with directories of puzzles.
PUZZLES_VARIABLE = "PYASP_PUZZLES"
PUZZLE_FILE = "puzzle.toml"
# {kind of answer: module in `puzzles/`, class}
_ANSWERS = {
    "numbers": ("numbers", "NumbersKind"),
    "shading": ("shading", "ShadingKind"),
    "pieces": ("pieces", "PiecesKind"),
    "lines": ("lines", "LinesKind"),
    "areas": ("pieces", "AreasKind"),
    "strips": ("pieces", "StripsKind"),
    "ribbons": ("strata", "RibbonsKind"),
}
# Names that keys cannot have, because every board, or some kind of key, has them.
RESERVED_KEYS = ("puzzle", "solution", "size", "board", "box", "palette", "colors", "variants", *DETAILS)
# Keys of a `puzzle.toml`.
_TOP_LEVEL = (
    "name",
    "aliases",
    "summary",
    "instructions",
    "rules",
    "cell",
    "rows",
    "columns",
    "square",
    "usual_size",
    "full",
    "answer",
    "keys",
    "formats",
    "grades",
)

# Rows, and columns, of a new board if neither a size is asked for nor its puzzle has a usual one.
_USUAL_SIZE = 6
# The `values` of a key whose new clues have none.
_NO_VALUES = "none"

# {what the arguments of a fact are: the kind of key that this tells}; R and C are a row and a column.
_KINDS = {
    "--RC": "paths",
    "---RC": "groups",
    "RC": "marks",
    "RCRC": "pairs",
    "RCRC-": "pairs",
    "RC--": "corners",
    "--/line": "sights",
}
_SIGNATURE = re.compile(r"([a-z]\w*)(?:/(\d+)|\(([^()]*)\))?")
_RANGE = re.compile(r"(\d{1,9})\.\.(\d{1,10}|[\w-]+)")


# -- Finding puzzles -------------------------------------------------------------------------


def names(directories: Sequence[Path] = ()) -> list[str]:
    """Return the names of the puzzles: those that ship in alphabetical order, then those in other directories."""
    return list(_folders(directories))


def puzzles(directories: Sequence[Path] = (), *naming: str) -> Iterator[Puzzle]:
    """Yield the puzzles whose declaration contains some texts, every puzzle without texts; see `find_puzzle`.

    To search a declaration takes a hundredth of the time of reading it.
    """
    for folder in _folders(directories).values():
        declaration = _declaration(folder) if naming else ""
        if all(text in declaration for text in naming):
            yield puzzle_in(folder)


def find_puzzle(name: str, where: Where | None = None, directories: Sequence[Path] = ()) -> Puzzle:
    """Return the puzzle of that name or alias.

    Args:
        name: the name or alias.
        where: the place where it is named, for the error.
        directories: folders of puzzles, or directories of such folders, besides those of PYASP_PUZZLES.

    Raises:
        UnknownPuzzleError: there is no such puzzle.
        EncodingError: a directory has no puzzles, or a folder is not a puzzle.
    """
    folders = _folders(directories)
    if name in folders:
        return puzzle_in(folders[name])
    for puzzle in puzzles(directories, name):
        if name in puzzle.aliases:
            return puzzle
    beside = Path(where.source).parent if where else Path()
    if where and beside.resolve().name == name and (beside / "puzzle.toml").is_file():
        raise UnknownPuzzleError(f"unknown puzzle {shown(name)}; to use the folder, pass --puzzles {beside}", where)
    names_of_all = [alias for puzzle in puzzles(directories) for alias in (*puzzle.aliases, puzzle.name)]
    named = listing(first_listed(well_known_puzzles(directories), _MOST_NAMED, "more"), "and")
    message = f"unknown puzzle {shown(name)}; the puzzles are {named}{did_you_mean(name, names_of_all)}"
    raise UnknownPuzzleError(message, where)


def well_known_puzzles(directories: Sequence[Path] = ()) -> list[str]:
    """Return the names of the puzzles, those of the user first, and then those with the most boards that ship."""
    boards = {name: len([*(instances_directory() / name).glob("*")]) for name in _folders(directories)}
    return sorted(boards, key=lambda name: (name in _shipped(), -boards[name]))


def aliases() -> dict[str, str]:
    """Return {alias: name} of the puzzles that ship: {"suguru": "tectonic"}."""
    return {alias: name for name, folder in _shipped().items() for alias in puzzle_in(folder).aliases}


def shipped_name(name: str) -> str | None:
    """Return the name of the puzzle that ships and has this name or alias; None if there is none."""
    named = (puzzle for puzzle in puzzles((), name) if puzzle.folder == _shipped().get(puzzle.name))
    return name if name in _shipped() else next((puzzle.name for puzzle in named if name in puzzle.aliases), None)


def _declaration(folder: Path) -> str:
    """Return the text of a declaration; empty if it cannot be read."""
    file = folder / PUZZLE_FILE
    try:
        return _text_of(file, file.stat().st_mtime_ns)
    except OSError:
        return ""


@lru_cache(maxsize=1024)
def _text_of(file: Path, _stamp: int) -> str:
    return file.read_text(encoding="utf-8-sig", errors="replace")


def puzzle_in(folder: Path) -> Puzzle:
    """Return the puzzle that a folder declares.

    Raises:
        EncodingError: what is wrong with the declaration, with its line.
    """
    file = folder / PUZZLE_FILE
    try:
        stamp = tuple((path.name, path.stat().st_mtime_ns) for path in (file, *sorted(folder.glob("*.lp"))))
    except OSError as error:
        raise EncodingError(f"cannot be read: {error.strerror}", Where(str(file))) from None
    return _puzzle(folder, stamp)


def _folders(directories: Sequence[Path]) -> dict[str, Path]:
    """Return {name: folder} of all puzzles: one in a directory comes in place of one that ships with the same name.

    Raises:
        EncodingError: a directory has no puzzles, or two puzzles in directories have one name.
    """
    of_user: dict[str, Path] = {}
    for folder in folders(PUZZLE_FILE, directories):
        name = folder.name
        if of_user.setdefault(name, folder) != folder:
            message = f"two puzzles are called {shown(name)}: give this one another name than that of {of_user[name]}"
            raise EncodingError(message, Where(str(folder)))
    return _shipped() | of_user


def folders(file: str, directories: Sequence[Path]) -> list[Path]:
    """Return the folders with a file, `puzzle.toml` or `variant.toml`, in directories and in those of PYASP_PUZZLES.

    Raises:
        EncodingError: a directory has neither puzzles nor variants.
    """
    others = [Path(path) for path in os.environ.get(PUZZLES_VARIABLE, "").split(os.pathsep) if path]
    return [folder for directory in dict.fromkeys([*directories, *others]) for folder in _inside(Path(directory), file)]


@cache
def _shipped() -> dict[str, Path]:
    return {path.parent.name: path.parent for path in sorted(encodings_directory().glob(f"*/{PUZZLE_FILE}"))}


def _inside(directory: Path, file: str) -> list[Path]:
    """Return the directory if it is a folder with that file, or else the folders in it that have the file."""
    folders_of: dict[str, list[Path]] = {}
    try:
        for name in (PUZZLE_FILE, VARIANT_FILE):
            if (directory / name).is_file():
                folders_of[name] = [directory.resolve()]
            else:
                folders_of[name] = sorted(path.parent.resolve() for path in directory.glob(f"*/{name}"))
    except (OSError, ValueError):
        folders_of = {}
    if not any(folders_of.values()):
        expected = f"a folder with a {PUZZLE_FILE} or a {VARIANT_FILE}, or a directory of such folders"
        raise EncodingError(f"there are no puzzles here; name {expected}", Where(str(directory)[:200]))
    return folders_of[file]


# -- Reading puzzle.toml ------------------------------------------------------------------------


def read(file: Path) -> Table:
    """Return the table of a whole `puzzle.toml`.

    Raises:
        EncodingError: it cannot be read, is too large, or is not TOML.
    """
    where = Where(str(file))
    try:
        with file.open("rb") as opened:
            data = opened.read(_LARGEST_DECLARATION + 1)
        if len(data) > _LARGEST_DECLARATION:
            raise EncodingError(
                f"the file is larger than {_LARGEST_DECLARATION >> 10} kB, too large for a declaration", where
            )
        text = data.decode("utf-8-sig")
        table = tomllib.loads(text)
    except OSError as error:
        raise EncodingError(f"cannot be read: {error.strerror}", where) from None
    except (ValueError, RecursionError) as error:
        line = re.search(r"at line (\d+)", str(error))
        where = Where(str(file), int(line[1]) if line else None)
        raise EncodingError(f"this is not valid TOML: {shorten(str(error), 200)}", where) from None
    return Table(
        table,
        toml.lines_of_keys(text, where, EncodingError)[0],
        where,
        EncodingError,
        "{key} is {found}, expected {expected}",
    )


def signature(table: Table, key: str, words: str) -> tuple[str, int]:
    """Return the name and the number of arguments of `value(R, C, V)` or `value/3`; -1 if only a name is given."""
    match = _SIGNATURE.fullmatch(words.strip())
    if match is None:
        message = f'{table.path(key)} is {shown(words)}, expected a predicate such as "value(R, C, V)"'
        raise table.error(message, key)
    if match[2]:
        return match[1], int(match[2])
    return match[1], len(match[3].split(",")) if match[3] is not None else -1


def _input_predicate(table: Table, key: str, arguments: tuple[str, ...], unique: int) -> FactPredicate | None:
    """Return the input predicate that a key names; the other arguments are those of `FactPredicate`."""
    text = table.get(key, str)
    if text is None:
        return None
    name, arity = signature(table, key, text)
    if arity not in {-1, len(arguments)}:
        expected = f"{name}({', '.join(arguments)})"
        raise table.error(f"{table.path(key)} has {arity} arguments, expected {expected}", key)
    return FactPredicate(name, arguments, unique)


def output(table: Table, usual: str, arity: int, *known: str) -> str:
    """Return the name of the output predicate of a table `[answer]`.

    Args:
        table: the table `[answer]`.
        usual: the output if the table names none.
        arity: the number of arguments of the output.
        known: the keys of this kind of answer; others raise `EncodingError`.
    """
    table.check_names(["kind", "output", *known])
    name, given_arity = signature(table, "output", table.get("output", str) or usual)
    if given_arity not in {-1, arity}:
        raise table.error(f"output has {given_arity} arguments, expected {arity} as in {usual}", "output")
    return name


def key_range(table: Table, key: str) -> KeyRange | None:
    """Return the range of a key like `range = "1..rows"`, or None."""
    text = table.get(key, str)
    if text is None:
        return None
    name = table.path(key)
    match = _RANGE.fullmatch(text.replace(" ", ""))
    if match is None:
        message = f"{name} is {shown(text)}, expected a range such as 1..9, 1..rows or 1..blocks"
        raise table.error(message, key)
    high: int | str = int(match[2]) if match[2].isdigit() else match[2]
    tables = table.root.get("keys", dict) or {}
    kinds = {name: of.get("kind") for name, of in tables.items() if isinstance(of, dict)}
    expected = ["rows", "columns", "cells", *(name for name, kind in kinds.items() if kind in {"regions", "number"})]
    if isinstance(high, str) and high not in expected:
        raise table.error(f"{name} ends with {shown(high)}, expected a number, {listing(expected)}", key)
    if isinstance(high, int) and high < int(match[1]):
        raise table.error(f"{name} is {shown(text)}, expected the smaller number first", key)
    return KeyRange(int(match[1]), high)


@lru_cache(maxsize=1000)
def _puzzle(folder: Path, stamp: object) -> Puzzle:
    """Return the puzzle that the `puzzle.toml` of a folder declares; it is read again (30 ms) when its files change."""
    del stamp
    table, name = read(folder / PUZZLE_FILE), folder.name
    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]*", name):
        raise table.error(f"the folder is called {shown(name)}; the name of a puzzle has a-z, 0-9, - and _")
    table.check_names(_TOP_LEVEL)
    declared = table.get("name", object)
    if declared not in (None, name):
        raise table.error(f"name is {shown(declared)}, but the folder is called {name}; use one name", "name")
    folders = _rule_folders(folder, table)
    keys = board_keys(table)
    answer = table.table("answer")
    if answer is None:
        raise table.error(f"there is no table [answer]; write one with kind = {listing(map(repr, _ANSWERS))}")
    kind_name = answer.get("kind", str)
    if kind_name not in _ANSWERS:
        hint = did_you_mean(str(kind_name), _ANSWERS)
        raise answer.error(
            f"unknown kind of answer {shown(kind_name)}; the kinds are {listing(_ANSWERS, 'and')}{hint}", "kind"
        )
    cell = _input_predicate(table, "cell", ("row", "column"), 2)
    lines = tuple(
        filter(None, (_input_predicate(table, "rows", ("row",), 1), _input_predicate(table, "columns", ("column",), 1)))
    )
    if len(lines) == 1:
        raise table.error("rows and columns go together: give both or none", "rows")
    module, class_name = _ANSWERS[kind_name]
    kind: AnswerKind = getattr(import_module(f"{__package__}.{module}"), class_name).from_table(answer)
    keys = _with_defaults(keys, kind, table)
    predicates = (
        *lines,
        *filter(None, [cell]),
        *(predicate for key in keys for predicate in (*key.board_predicates, *key.predicates)),
    )
    twice = {name for name, times in Counter(predicate.name for predicate in predicates).items() if times > 1}
    if twice:
        last = [key.name for key in keys if key.fact in twice]
        message = f"two keys become facts of {listing(sorted(twice))}: give each key a fact of its own"
        raise table.error(message, *(("keys", last[-1]) if last else ()))
    if not lines and not cell and not any(key.whole for key in keys):
        message = 'no key defines the cells of a board: write cell = "cell(R, C)", or a key of regions'
        raise table.error(message)
    puzzle = Puzzle(
        name=name,
        summary=table.get("summary", str) or "",
        instructions=instructions(table),
        aliases=tuple(map(str, table.get("aliases", list) or ())),
        folder=folder,
        ships=folder.parent == encodings_directory(),
        folders=folders,
        keys=tuple(keys),
        cell=cell,
        lines=lines,
        square=bool(table.get("square", bool)),
        usual_size=_usual_size(table),
        full=bool(table.get("full", bool)),
        kind=kind,
        predicates=predicates,
        formats=table.get("formats", dict) or {},
        grades=_grades(table.table("grades")),
    )
    if puzzle.ships:
        return puzzle
    if kind.method and len(puzzle.encodings) > 1:
        message = f"{folder.name}.lp adds rules to {puzzle.encodings[0].name}, which {kind.method.name} does not know"
        raise table.error(f"{message}; add them with --extra instead", "rules")
    return replace(puzzle, warnings=(*_check_rules(puzzle, table), *_unmatched(puzzle), *_unused(puzzle)))


def instructions(table: Table) -> tuple[tuple[str, ...], ...]:
    """Return the instructions of a declaration: each sentence with its alternatives."""
    return tuple(
        tuple(map(str, sentence)) if isinstance(sentence, list) else (str(sentence),)
        for sentence in table.get("instructions", list) or ()
    )


def _usual_size(table: Table) -> int:
    """Return how many rows and columns new boards have if no size is asked for."""
    size = table.get("usual_size", int)
    if size is None:
        return _USUAL_SIZE
    if not 1 <= size <= Limits.LONGEST_SIDE:
        raise table.error(f"usual_size is {shown(size)}, expected 1 to {Limits.LONGEST_SIDE}", "usual_size")
    return size


def _grades(table: Table | None) -> GradeScale | None:
    """Return the words for the scores of a puzzle."""
    if table is None:
        return None
    table.check_names((*GRADES, "agree"))
    limits = tuple((word, most) for word in GRADES if (most := _number(table, word)) is not None)
    scores = [most for _, most in limits]
    if sorted({*scores}) != scores or not scores or scores[-1] != inf:
        raise table.error("grades are the largest score of each word, the easiest first, and inf for the last word")
    agree = _number(table, "agree")
    if agree is not None and not 0 <= agree <= 1:
        raise table.error(f"agree is {agree:g}, expected 0 to 1", "agree")
    return GradeScale(limits, agree)


def _number(table: Table, key: str) -> float | None:
    number = table.get(key, object)
    if isinstance(number, bool) or not isinstance(number, int | float | None):
        raise table.wrong(key, shown(number), "a number such as 2.5")
    return number


def _rule_folders(folder: Path, table: Table, users: tuple[Path, ...] = ()) -> tuple[Path, ...]:
    """Return the folders of the rules: those of the puzzles and bases that `rules` names, and this folder.

    What it names may use the rules of others, and so on; a base declares at most that.
    """
    bases: list[Path] = []
    for name in _rules_named(table):
        base = _base(folder, name)
        if base is None:
            expected = "the name of a puzzle or a base in the next folder, or of one that ships"
            raise table.error(f"there is no puzzle {shown(name)}, expected {expected}", "rules")
        chain = (*users, folder)
        if base in chain:
            names = listing(sorted({user.name for user in chain[chain.index(base) :]}), "and")
            message = f"{names} would use the rules of one another; one of them needs rules of its own"
            raise table.error(message if base != folder else f"{names} would use its own rules", "rules")
        declaration = base / PUZZLE_FILE
        bases += _rule_folders(base, read(declaration), chain) if declaration.is_file() else [base]
    if not bases and not (folder / f"{folder.name}.lp").is_file():
        raise EncodingError(f"there is no {folder.name}.lp with the rules", Where(str(folder)))
    return tuple(dict.fromkeys([*bases, folder]))


def _rules_named(table: Table) -> list[str]:
    """Return the names of the puzzles and bases whose rules a puzzle uses."""
    value: Any = table.get("rules", object)
    names: list[str] = value if isinstance(value, list) else [] if value is None else [value]
    if not all(isinstance(name, str) for name in names):
        raise table.wrong("rules", shown(value), "a name, or an array of names")
    return names


def _base(folder: Path, name: str) -> Path | None:
    """Return the folder of a puzzle, a base or a variant: the one next to a folder, or else one that ships."""
    if not re.fullmatch(r"[\w-]+", name):
        return None
    shipped = encodings_directory()
    places = dict.fromkeys((folder.parent, shipped, shipped / "bases", shipped / "variants"))
    candidates = (place / name for place in places)
    files = f"{name}.lp", PUZZLE_FILE, "layout.lp"
    found = (place for place in candidates if place.is_dir() and any((place / file).is_file() for file in files))
    return next(found, None)


def board_keys(table: Table) -> list[Key]:
    """Return the keys of a board that a table declares."""
    tables = table.table("keys")
    if tables is None:
        return []
    keys = []
    for name in tables.names():
        if name in RESERVED_KEYS:
            raise tables.error(f"a key cannot be called {shown(name)}: boards use that already", name)
        key = tables.table(name)
        assert key is not None
        keys.append(_key(name, key))
    return keys


def _key(name: str, table: Table) -> Key:
    """Return the key of a board that a table `[keys.NAME]` declares."""
    kind = key_kind(_kind_of(name, table))
    types = {"rule": str, **({"picture": dict} if kind.grid else {}), **kind.options}
    table.check_names(["kind", "fact", "clue", "required", *types])
    values = {option: table.get(option, of) for option, of in types.items()}
    if "picture" in types:
        figure.look(table)
    options: dict[str, Any] = {option: value for option, value in values.items() if value is not None}
    for option, (arguments, unique) in kind.more.items():
        if option in options:
            more = max(signature(table, option, options[option])[1] - len(arguments), 0)
            options[option] = _input_predicate(table, option, (*arguments, *["number"] * more), unique + more)
    predicate = _input_predicate(table, "fact", *_arguments(kind, options, table)) if kind.arguments else None
    if predicate is None and kind.arguments:
        raise table.error(f'the key {name} has no fact: write fact = "{name}({", ".join(kind.arguments)})"')
    if predicate is not None:
        predicate = predicate._replace(unknown=bool(options.get("unknown")))
    for option in {"range", "cells", "values"} & options.keys():
        options[option] = None if options[option] == _NO_VALUES else key_range(table, option)
    for option in kind.beside.keys() & options.keys():
        options[option] = _input_predicate(table, option, *kind.beside[option])
    _check_options(kind, options, table)
    clue = table.get("clue", bool)
    clue = kind.role == "answers" or None if clue is None else clue
    return Key(name, kind, predicate, clue, bool(table.get("required", bool)), options, table.place())


def _kind_of(name: str, table: Table) -> str:
    """Return the name of the kind of a key, which is declared or follows from the arguments of its fact."""
    kind = table.get("kind", str)
    if kind is None:
        arguments = re.findall(r"[(,]\s*(?:([RC])['\d]*|[^(),]*)(?=[),])", table.get("fact", str) or "")
        kind = _KINDS.get("".join(letter or "-" for letter in arguments) + "/line" * ("line" in table.names()))
    if kind is None:
        raise table.error(f"the key {name} has no kind: write kind = one of: {listing(KEY_KINDS)}")
    if kind not in KEY_KINDS:
        hint = did_you_mean(kind, KEY_KINDS)
        message = f"unknown kind of key {shown(kind)}; the kinds are {listing(KEY_KINDS, 'and')}{hint}"
        raise table.error(message, "kind")
    return kind


def _arguments(kind: KeyKind, options: Mapping[str, Any], table: Table) -> tuple[tuple[str, ...], int]:
    """Return the arguments of the facts of a key, and how many are unique; its options may add or drop a value."""
    if options.get("several"):
        return (*kind.arguments, "number"), kind.unique + 1
    if kind.tool != "pair":
        return kind.arguments, kind.unique
    _, arity = signature(table, "fact", table.get("fact", str) or "fact")
    value = [] if arity == kind.unique else ["name" if options.get("tokens") else "number"]
    return (*kind.arguments[: kind.unique], *value), kind.unique


def _check_options(kind: KeyKind, options: Mapping[str, Any], table: Table) -> None:
    """Raise `EncodingError` for tokens that are no strings, and for unknown sides, directions or sizes."""
    for option in ("tokens", "across", "down", "usual"):
        for token in options.get(option, ()) if kind.options.get(option) is list else ():
            if not isinstance(token, str) or not token.strip():
                raise table.error(f"{option} has {shown(token)}, expected strings", option)
    for option in ("sides", "directions"):
        for name in options.get(option, ()) if kind.constants else ():
            if name not in kind.constants:
                raise table.error(f"{option} has {shown(name)}, expected {listing(kind.constants)}", option)
    if options.get("size") not in {None, "rows", "columns"}:
        raise table.error(f"size is {shown(options['size'])}, expected rows or columns", "size")


def _with_defaults(keys: Sequence[Key], kind: AnswerKind, table: Table) -> list[Key]:
    """Return the keys with defaults: the first grid is the board; givens have the range and the names of the answer."""
    grids = [key for key in keys if key.kind.grid and key.predicate]
    board = grids[0] if grids and not any(key.required for key in grids) else None
    range_ = getattr(kind, "range", None)
    regions = [key.name for key in keys if key.kind.role == "regions"]
    completed = []
    for key in keys:
        options = dict(key.options)
        if key.kind.role == "answers" and range_:
            options.setdefault("range", range_)
        if key.kind.role == "answers" or key.option("named"):
            options["names"] = kind.look.get("names", {})
        if "of" in key.kind.options and options.get("of") not in regions:
            message = f"{key.name} has sums of {shown(options.get('of'))}, expected of = one of: {listing(regions)}"
            raise table.error(message, "keys", key.name, "of")
        completed.append(key._replace(options=options, required=key.required or key is board))
    return completed


def _check_rules(puzzle: Puzzle, table: Table) -> Iterator[str]:
    """Yield what looks wrong: facts that the rules never use, clues without a named rule.

    Raises:
        EncodingError: the rules never derive the output.
    """
    from pyasp_puzzles.asp import syntax

    program = syntax.statements(puzzle.encodings)
    if program is None:  # clingo says what is wrong when it grounds the rules
        return
    heads = syntax.head_atoms(program)
    derived = {"output": puzzle.view().outputs[0].partition("/")[0], "covers": getattr(puzzle.kind, "covers", "")}
    for option, name in derived.items():
        if name and all(head.name != name for head in heads):
            message = f"the rules never derive {name}: write {name}(...) in the head of a rule"
            raise table.error(message, "answer", option)
    used = syntax.atom_signatures(syntax.rule_statements(program))
    for predicate in puzzle.predicates:
        if (predicate.name, len(predicate.arguments)) not in used:
            places = [key.where for key in puzzle.keys if key.predicate == predicate]
            where = places[0] if places else table.place(predicate.name)
            yield f"{where}: the rules never use {predicate.name}/{len(predicate.arguments)}, which boards become"
    if all(atom.name != "violated" for atom in syntax.body_atoms(reversed(program))):  # it is often the last rule
        yield f"{puzzle.encoding}: nothing forbids what is violated; add the line :- violated(Rule), not relaxed(Rule)."
    named = {syntax.term_name(head.arguments[0]) for head in heads if head.name == "violated" and head.arguments}
    if syntax.VARIABLE_NAME in named:
        return
    for key in puzzle.clue_keys:
        if key.rule not in named:
            yield (
                f"{key.where}: no rule is named for the clues of {key.name}; write violated({key.rule}(...)) in "
                f'{puzzle.encodings[-1].name}, or rule = "NAME" here'
            )


def _unmatched(puzzle: Puzzle) -> Iterator[str]:
    """Yield the names in rules that no fact of a key has: "top" for top, as sides are constants, and w for "w"."""
    from pyasp_puzzles.asp import syntax

    atoms = [*syntax.body_atoms(syntax.statements(puzzle.encodings) or ())]
    for key in puzzle.keys:
        ways = key.predicate.arguments if key.predicate else ()
        for atom in (atom for atom in atoms if (atom.name, len(atom.arguments)) == (key.fact, len(ways))):
            terms = (term for way, term in zip(ways, atom.arguments, strict=True) if way == "name")
            for name in (name for term in terms for name in syntax.term_constants(term)):
                if expected := _expected(key, name):
                    yield f"{puzzle.encodings[-1]}: {key.fact} never has {name}, expected {expected}"


def _expected(key: Key, name: str) -> str:
    """Return what a name in a rule should be, as facts of a key never have it; empty if they may."""
    plain = name.strip('"')
    tokens = [token for way in ("tokens", "across", "down") for token in key.option(way, ())]
    if key.constants:
        return "" if name in key.constants else plain if plain in key.constants else listing(key.constants)
    if name == plain:
        return f'"{plain}"'
    return listing(f'"{token}"' for token in tokens) if tokens and plain not in tokens else ""


def _unused(puzzle: Puzzle) -> Iterator[str]:
    """Yield a warning for each of its own files of consequences that is not used."""
    from pyasp_puzzles.puzzles import consequences

    for file in (file for name in consequences.FILES for file in puzzle.companions(name)):
        pruning = file.stem == "pruning" and consequences.files(puzzle.encodings, [file], (), ())
        used = pruning or consequences.hold_exactly(file, puzzle.encodings)
        if file.parent == puzzle.folder and not used:
            line = consequences.line(puzzle.encodings[-1])
            yield f"{file}: it is not used, as its header does not say from which rules it follows; write {line}"


@cache
def shipped_variants() -> Mapping[str, Variant]:
    """Return the variants that ship, by name; reading them takes 100 ms."""
    return {file.stem: variant_in(file.parent) for file in variant_paths()}


def variant_in(folder: Path) -> Variant:
    """Return the variant that a folder declares.

    Raises:
        EncodingError: what is wrong with the declaration, with its line.
    """
    table = read(folder / FILE)
    table.check_names(["name", "summary", "instructions", "called", "square", "picture", "keys", "formats", "common"])
    if not (folder / f"{folder.name}.lp").is_file():
        raise EncodingError(f"there is no {folder.name}.lp with the rules", Where(str(folder)))
    return Variant(
        folder.name,
        table.get("summary", str) or "",
        folder,
        instructions(table),
        tuple(map(str, table.get("called", list) or [folder.name.replace("-", " ")])),
        tuple(board_keys(table)),
        figure.look(table),
        _sides(table),
        table.get("formats", dict) or {},
        table.get("common", bool) or False,
    )


def _sides(table: Table) -> tuple[int, ...] | None:
    """Return the sides of the boards that a variant fits, as `square` says: true, or an array of them."""
    square = table.get("square", object, "true, or an array of sides")
    if square is None:
        return None
    sides = () if square is True else square
    if not isinstance(sides, (list, tuple)) or not all(type(side) is int for side in sides):
        raise table.error(f"square is {shown(square)}, expected true, or an array of sides", "square")
    return tuple(sides)


def _stamp(folder: Path) -> tuple[tuple[str, int], ...]:
    files = (folder / FILE, folder / f"{folder.name}.lp")
    return tuple((file.name, file.stat().st_mtime_ns) for file in files if file.is_file())


def variants_in(directories: Sequence[Path] = ()) -> Mapping[str, Variant]:
    """Return the variants that ship and those in other directories, and in PYASP_PUZZLES, by name.

    Raises:
        EncodingError: what is wrong with a declaration, or two variants have one name.
    """
    variants = dict(shipped_variants())
    for folder in folders(FILE, directories):
        if folder.name in variants and variants[folder.name].folder != folder:
            message = f"two variants are called {folder.name}: give this one another name"
            raise EncodingError(message, Where(str(folder)))
        variants[folder.name] = variant_in(folder)
        _check_formats(variants[folder.name])
    return variants


def _check_formats(variant: Variant) -> None:
    """Check that what formats call a variant has the form that it has for those that ship.

    Raises:
        EncodingError: it has another form.
    """
    for name, value in variant.formats.items():
        types = {type(variant.formats[name]) for variant in shipped_variants().values() if name in variant.formats}
        if types and (type(value) not in types or not value):
            expected = {str: "its name", dict: "a table", bool: "true"}.get(next(iter(types)), "another value")
            where = Where(str(variant.folder / FILE))
            raise EncodingError(f"formats.{name} is {shown(value)}, expected {expected}", where)


def variants_of(puzzle: Puzzle) -> Mapping[str, Variant]:
    """Return the variants that ship and those of the boards of a puzzle, by name."""
    return variants_in(puzzle.variant_folders) if puzzle.variant_folders else shipped_variants()


def variant_rules(puzzle: Puzzle, name: str) -> Path:
    """Return the file of a variant of a puzzle.

    Raises:
        EncodingError: there is none of that name.
    """
    folder = next((variant_folder for variant_folder in puzzle.variant_folders if variant_folder.name == name), None)
    return folder / f"{name}.lp" if folder else variant_path(name)


def variant_name(path: RuleFile) -> str:
    """Return the name of the variant that a path names: a shipped one, or its folder; "" if it names none."""
    if isinstance(path, Rules):
        return ""
    if is_variant_path(path):
        return path.resolve().name
    return str(path) if not path.exists() and any(file.stem == str(path) for file in variant_paths()) else ""


def folders_of_variants(puzzle: Puzzle) -> list[Path]:
    """Return the folders that are needed to read boards of a puzzle, besides those that ship."""
    return [*([] if puzzle.ships else [puzzle.folder]), *puzzle.variant_folders]


def variant_layout_files(puzzle: Puzzle, key: Key) -> list[Path]:
    """Return the layout.lp of the variant of a board that has a key, if there is one."""
    folders = (
        variant.folder for variant in puzzle.added if any(variant_key.name == key.name for variant_key in variant.keys)
    )
    return [file for folder in folders if (file := folder / "layout.lp").is_file()]


def variants_with_keys(keys: Iterable[str], known: Iterable[Variant]) -> list[str]:
    """Return the names of the variants that have these keys."""
    by_key = {key.name: variant.name for variant in known for key in variant.keys}
    return list(dict.fromkeys(by_key[key] for key in keys if key in by_key))


def with_variants(puzzle: Puzzle, names: Sequence[str], directories: Sequence[Path] = ()) -> Puzzle:
    """Return a puzzle whose boards may have the keys of some variants.

    Raises:
        InstanceError: there is no such variant, or its rules are about what those of the puzzle do not have.
    """
    known_variants = variants_in(directories)
    folders = tuple(
        known_variants[name].folder for name in names if name in known_variants and name not in shipped_variants()
    )
    return _extended(puzzle, tuple(names), folders, tuple(map(_stamp, folders)))


@lru_cache(maxsize=256)
def _extended(puzzle: Puzzle, names: Sequence[str], folders: tuple[Path, ...], stamps: object) -> Puzzle:
    """Return an extended puzzle: one object for all boards, which can then share a grounding.

    It is made again when the files of a variant change.
    """
    del stamps
    variants = variants_in(folders)
    chosen: list[Variant] = []
    for name in names:
        if name not in variants:
            hint = did_you_mean(name, variants)
            message = f"no variant of that name in `pyasp list --variants`{hint}"
            raise InstanceError(message, Where(name))
        check_variant_fit(variants[name], puzzle.encodings, puzzle.name, chosen)
        chosen.append(variants[name])
    keys = (key for variant in chosen for key in variant.keys)
    predicates = (predicate for variant in chosen for predicate in variant.predicates())
    return replace(
        puzzle, keys=(*puzzle.keys, *keys), predicates=(*puzzle.predicates, *predicates), added=tuple(chosen)
    )


def check_variant_fit(
    variant: Variant, encodings: Sequence[RuleFile], puzzle: str, others: Iterable[Variant] = ()
) -> None:
    """Raise unless the rules of a puzzle, or of other variants, have the predicates that a variant reads.

    Raises:
        EncodingError: they do not, so the variant would change nothing.
    """
    from pyasp_puzzles.asp import syntax

    files = [*encodings, *(other.rules for other in others)]
    available = syntax.program_atom_signatures(files)
    missing = [atom for atom, signature in variant.reads().items() if signature not in available]
    if available and missing:  # of rules that cannot be read, clingo says why
        names = listing((encoding.name for encoding in encodings), "and")
        message = f"no variant of {puzzle}: its rules are about {listing(missing, 'and')}"
        lacks = "does not have" if len(encodings) == 1 else "do not have"
        raise EncodingError(f"{message}, which {names} {lacks}", Where(variant.name))


def fitting_variants(puzzle: Puzzle, directories: Sequence[Path] = ()) -> list[str]:
    """Return the names of the variants that the boards of a puzzle may have, those of directories among them."""
    others = [variant for name, variant in variants_in(directories).items() if name not in shipped_variants()]
    return [*_fitting_shipped(puzzle), *_fitting(puzzle, others)]


@lru_cache(maxsize=1000)
def _fitting_shipped(puzzle: Puzzle) -> list[str]:
    """Return the variants that ship and fit; cached: it takes 40 ms, and the studio asks with each board."""
    return _fitting(puzzle, shipped_variants().values())


def _fitting(puzzle: Puzzle, variants: Iterable[Variant]) -> list[str]:
    names_that_fit = []
    for variant in variants:
        with suppress(EncodingError):
            check_variant_fit(variant, puzzle.encodings, puzzle.name)
            names_that_fit.append(variant.name)
    return names_that_fit


def _extended_in(folder: Path, names: tuple[str, ...], folders: tuple[Path, ...]) -> Puzzle:
    return with_variants(puzzle_in(folder), names, folders) if names else puzzle_in(folder)


# A puzzle pickles as its folder and variants, so that a process reads the declaration once.
copyreg.pickle(Puzzle, lambda puzzle: (_extended_in, (puzzle.folder, puzzle.variants, puzzle.variant_folders)))


def with_named_variants(puzzle: Puzzle, names: Sequence[str], where: Where, directories: Sequence[Path] = ()) -> Puzzle:
    """Return a puzzle whose boards may have the keys of variants: those that ship, and those in other directories.

    Raises:
        InstanceError: there is no such variant, or its rules are about what those of the puzzle do not have. An
            instance brings no rules with it: the user names the directories.
    """
    if not names:
        return puzzle
    try:
        return with_variants(puzzle, tuple(dict.fromkeys(names)), directories)
    except PuzzleError as error:
        raise InstanceError(f"variants: {error}", where) from None


def is_variant_about_regions(variant: Variant) -> bool:
    """Return whether the rules of a variant are about the regions of a board."""
    return any(atom.startswith("region(") for atom in variant.reads())
