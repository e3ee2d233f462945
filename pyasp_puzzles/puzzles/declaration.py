"""Finding puzzles by name, and reading the `puzzle.toml` of their folders.

    encodings/tectonic/puzzle.toml    name, summary, kind of answer, keys of a board and their facts

Other folders are named with `--puzzles` or in PYASP_PUZZLES.
"""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyasp_puzzles.asp.paths import encodings_directory
from pyasp_puzzles.boards.facts import Predicate
from pyasp_puzzles.errors import EncodingError, UnknownPuzzleError, Where, did_you_mean, listing, shortened, shown
from pyasp_puzzles.puzzles.key_kinds import KINDS, SIDES
from pyasp_puzzles.puzzles.keys import Key, Range
from pyasp_puzzles.puzzles.puzzle import Puzzle

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pyasp_puzzles.puzzles.kind import Kind


VARIABLE = "PYASP_PUZZLES"
"""The environment variable with directories of puzzles."""
FILE = "puzzle.toml"
LARGEST_FILE = 2**16
"""Bytes; a larger file is no declaration."""
ANSWERS = {
    "numbers": ("numbers", "NumbersKind"),
    "shading": ("shading", "ShadingKind"),
    "pieces": ("pieces", "PiecesKind"),
    "strips": ("strips", "StripsKind"),
    "ribbons": ("strata.kind", "RibbonsKind"),
}
"""{kind of answer: module in `puzzles/`, class}"""
RESERVED = ("puzzle", "solution", "size", "board", "box", "palette", "colors", "title", "author", "source", "notes")
"""Keys of every board, or of some kinds of keys."""
_SIGNATURE = re.compile(r"([a-z]\w*)(?:/(\d+)|\(([^()]*)\))?")
_RANGE = re.compile(r"(\d{1,9})\.\.(\d{1,10}|[\w-]+)")


# -- Finding puzzles -------------------------------------------------------------------------


def names(directories: Sequence[Path] = ()) -> list[str]:
    """Return the names of the puzzles: those that ship in alphabetical order, then those in other directories."""
    return list(_folders(directories))


def puzzles(directories: Sequence[Path] = ()) -> Iterator[Puzzle]:
    """Yield every puzzle; see `find`."""
    for folder in _folders(directories).values():
        yield puzzle_in(folder)


def find(name: str, where: Where | None = None, directories: Sequence[Path] = ()) -> Puzzle:
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
    known = {alias: puzzle for puzzle in puzzles(directories) for alias in (*puzzle.aliases, puzzle.name)}
    if name not in known:
        hint = did_you_mean(name, known)
        raise UnknownPuzzleError(f"unknown puzzle {shown(name)}, expected {listing(folders)}{hint}", where)
    return known[name]


def shipped_aliases() -> dict[str, str]:
    """Return {alias: name} of the puzzles that ship: {"suguru": "tectonic"}."""
    return {alias: name for name, folder in _shipped().items() for alias in puzzle_in(folder).aliases}


def _folders(directories: Sequence[Path]) -> dict[str, Path]:
    """Return {name: folder} of all puzzles.

    Raises:
        EncodingError: a directory has no puzzles, or two puzzles have one name.
    """
    found = dict(_shipped())
    others = [Path(path) for path in os.environ.get(VARIABLE, "").split(os.pathsep) if path]
    for directory in dict.fromkeys([*directories, *others]):
        for folder in _inside(Path(directory)):
            name = folder.name
            if found.setdefault(name, folder) != folder:
                message = f"two puzzles are called {shown(name)}, expected another name than that of {found[name]}"
                raise EncodingError(message, Where(str(folder)))
    return found


@lru_cache(maxsize=1)
def _shipped() -> dict[str, Path]:
    return {path.parent.name: path.parent for path in sorted(encodings_directory().glob(f"*/{FILE}"))}


def _inside(directory: Path) -> list[Path]:
    """Return the directory if it is the folder of a puzzle, or else the folders of puzzles in it."""
    try:
        if (directory / FILE).is_file():
            return [directory.resolve()]
        found = sorted(path.parent.resolve() for path in directory.glob(f"*/{FILE}"))
    except (OSError, ValueError):
        found = []
    if not found:
        message = f"no puzzles here, expected a folder with a {FILE}, or a directory of such folders"
        raise EncodingError(message, Where(str(directory)[:200]))
    return found


def puzzle_in(folder: Path) -> Puzzle:
    """Return the puzzle that a folder declares.

    Raises:
        EncodingError: what is wrong with the declaration, with its line.
    """
    file = folder / FILE
    try:
        stamp = tuple((path.name, path.stat().st_mtime_ns) for path in (file, *sorted(folder.glob("*.lp"))))
    except OSError as error:
        raise EncodingError(f"cannot be read: {error.strerror}", Where(str(file))) from None
    return _puzzle(folder, stamp)


@lru_cache(maxsize=100)
def _puzzle(folder: Path, stamp: object) -> Puzzle:
    """Return the puzzle of a folder, which is read again when its files change."""
    del stamp
    return Declaration(folder).puzzle()


# -- Reading puzzle.toml ------------------------------------------------------------------------


class Declaration:
    """A `puzzle.toml`, read table by table, each key with its line."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / FILE
        self.ships = folder.parent == encodings_directory()
        try:
            with self.file.open("rb") as file:
                data = file.read(LARGEST_FILE + 1)
            if len(data) > LARGEST_FILE:
                raise EncodingError(f"larger than {LARGEST_FILE >> 10} kB, expected a declaration", self.where())
            self.text = data.decode()
            self.table = tomllib.loads(self.text)
        except OSError as error:
            raise EncodingError(f"cannot be read: {error.strerror}", self.where()) from None
        except (ValueError, RecursionError) as error:
            line = re.search(r"at line (\d+)", str(error))
            where = Where(str(self.file), int(line[1]) if line else None)
            raise EncodingError(f"no valid TOML: {shortened(str(error), 200)}", where) from None

    def where(self, *path: str) -> Where:
        """Return the place of a key, or of its table."""
        if not hasattr(self, "text"):
            return Where(str(self.file))
        table: tuple[str, ...] = ()
        line: int | None = None
        for number, words in enumerate(self.text.split("\n"), 1):
            header = re.match(r"\s*\[+([^\]]*)\]", words)
            key = re.match(r"\s*[\"']?([\w-]+)[\"']?\s*=", words)
            if header:
                table = tuple(part.strip(" \"'") for part in header[1].split("."))
                found = table
            elif key:
                found = (*table, key[1])
            else:
                continue
            if found == path:
                return Where(str(self.file), number)
            if line is None and path[: len(found)] == found:
                line = number
        return Where(str(self.file), line)

    def error(self, message: str, *path: str) -> EncodingError:
        """Return an error about a key, given its path."""
        return EncodingError(message, self.where(*path))

    def get(self, table: Mapping[str, Any], kind: type, *path: str) -> Any:  # noqa: ANN401 (what TOML has)
        """Return the value of the last key of a path in its table, or None; raise `EncodingError` for another type."""
        value = table.get(path[-1])
        if value is not None and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
            names = {str: "a string", bool: "true or false", list: "an array", dict: "a table", int: "a whole number"}
            raise self.error(f"{'.'.join(path)} is {shown(value)}, expected {names[kind]}", *path)
        return value

    def puzzle(self) -> Puzzle:
        """Return the puzzle that is declared."""
        table = self.table
        name = self.folder.name
        if not re.fullmatch(r"[a-z0-9][a-z0-9_-]*", name):
            raise self.error(f"the folder is called {shown(name)}, expected a-z, 0-9, - and _ in the name of a puzzle")
        self._known(
            table,
            ("name", "aliases", "summary", "rules", "cell", "rows", "columns", "square", "full", "answer", "keys"),
        )
        if table.get("name", name) != name:
            raise self.error(f"name is {shown(table['name'])}, expected {name} as the folder is called", "name")
        rules = self._rules()
        keys = self._keys()
        answer = self.get(table, dict, "answer")
        if answer is None:
            raise self.error(f"no table [answer], expected one with kind = {listing(map(repr, ANSWERS))}")
        kind_name = self.get(answer, str, "answer", "kind")
        if kind_name not in ANSWERS:
            hint = did_you_mean(str(kind_name), ANSWERS)
            message = f"unknown kind of answer {shown(kind_name)}, expected {listing(ANSWERS)}{hint}"
            raise self.error(message, "answer", "kind")
        cell = self._line("cell", ("row", "column"))
        lines = tuple(filter(None, (self._line("rows", ("row",)), self._line("columns", ("column",)))))
        if len(lines) == 1:
            raise self.error("rows and columns go together, expected both or none", "rows")
        module, class_name = ANSWERS[kind_name]
        kind: Kind = getattr(import_module(f"{__package__}.{module}"), class_name).from_table(self, answer, keys)
        keys = self._completed(keys, kind)
        extra = [key.options["palette"] for key in keys if key.option("palette")]
        predicates = (*lines, *filter(None, [cell]), *extra, *(key.predicate for key in keys if key.predicate))
        twice = {p.name for p in predicates if sum(other.name == p.name for other in predicates) > 1}
        if twice:
            last = [key.name for key in keys if key.fact in twice]
            message = f"two keys become facts of {listing(sorted(twice))}, expected one each"
            raise self.error(message, "keys", *last[-1:])
        if not lines and not cell and not any(key.whole for key in keys):
            message = 'nothing says which cells a board has, expected cell = "cell(R, C)", or a key of regions'
            raise self.error(message, "keys")
        puzzle = Puzzle(
            name=name,
            summary=self.get(table, str, "summary") or "",
            aliases=tuple(map(str, self.get(table, list, "aliases") or ())),
            folder=self.folder,
            ships=self.ships,
            rules=rules,
            keys=tuple(keys),
            cell=cell,
            lines=lines,
            square=bool(self.get(table, bool, "square")),
            full=bool(self.get(table, bool, "full")),
            kind=kind,
            kind_name=kind_name,
            predicates=predicates,
        )
        if self.ships:
            return puzzle
        self._check_output(puzzle)
        return replace(puzzle, warnings=tuple(self._warnings(puzzle)))

    def _known(self, table: Mapping[str, Any], known: Iterable[str], *path: str) -> None:
        known = list(known)
        for name in table:
            if name not in known:
                hint = did_you_mean(name, known)
                message = f"unknown key {shown('.'.join((*path, name)))}, expected {listing(known)}{hint}"
                raise self.error(message, *path, name)

    def _rules(self) -> Path:
        """Return the folder of the rules."""
        other: str | None = self.get(self.table, str, "rules")
        if other is not None:
            for folder in (self.folder.parent / other, encodings_directory() / other):
                if re.fullmatch(r"[\w-]+", other) and (folder / f"{other}.lp").is_file():
                    return folder
            expected = "the name of a puzzle beside this one, or of ours"
            raise self.error(f"{shown(other)} has no rules of its own, expected {expected}", "rules")
        if not (self.folder / f"{self.folder.name}.lp").is_file():
            raise EncodingError(f"there is no {self.folder.name}.lp, expected the rules", Where(str(self.folder)))
        return self.folder

    def signature(self, words: str, *path: str) -> tuple[str, int]:
        """Return the name and the number of arguments of `value(R, C, V)` or `value/3`; -1 if only a name is given."""
        match = _SIGNATURE.fullmatch(words.strip())
        if match is None:
            message = f'{".".join(path)} is {shown(words)}, expected a predicate such as "value(R, C, V)"'
            raise self.error(message, *path)
        if match[2]:
            return match[1], int(match[2])
        return match[1], len(match[3].split(",")) if match[3] is not None else -1

    def _predicate(self, words: str, arguments: tuple[str, ...], unique: int, *path: str) -> Predicate:
        name, arity = self.signature(words, *path)
        if arity not in {-1, len(arguments)}:
            expected = f"{name}({', '.join(arguments)})"
            raise self.error(f"{'.'.join(path)} has {arity} arguments, expected {expected}", *path)
        return Predicate(name, arguments, unique)

    def output(self, answer: Mapping[str, Any], usual: str, arity: int, *known: str) -> str:
        """Return the name of the output predicate.

        Args:
            answer: the table `[answer]`.
            usual: the output if the table names none.
            arity: the number of arguments of the output.
            known: further keys of the table; others raise `EncodingError`.
        """
        self._known(answer, ["kind", "output", *known], "answer")
        words = self.get(answer, str, "answer", "output") or usual
        name, found = self.signature(words, "answer", "output")
        if found not in {-1, arity}:
            raise self.error(f"output has {found} arguments, expected {arity} as in {usual}", "answer", "output")
        return name

    def _line(self, key: str, arguments: tuple[str, ...]) -> Predicate | None:
        words = self.get(self.table, str, key)
        return None if words is None else self._predicate(words, arguments, len(arguments), key)

    def _keys(self) -> list[Key]:
        tables = self.get(self.table, dict, "keys") or {}
        found = []
        for name in tables:
            if name in RESERVED:
                raise self.error(f"a key cannot be called {shown(name)}: boards use that already", "keys", name)
            found.append(self._key(name, self.get(tables, dict, "keys", name)))
        return found

    def _key(self, name: str, table: Mapping[str, Any]) -> Key:
        path = ("keys", name)
        kind_name = self.get(table, str, *path, "kind")
        if kind_name is None:
            raise self.error(f"no kind for key {name}, expected kind = one of: {listing(KINDS)}", *path)
        if kind_name not in KINDS:
            hint = did_you_mean(kind_name, KINDS)
            message = f"unknown kind of key {shown(kind_name)}, expected {listing(KINDS)}{hint}"
            raise self.error(message, *path, "kind")
        kind = KINDS[kind_name]
        common = {"kind": str, "fact": str, "clue": bool, "rule": str, "required": bool}
        self._known(table, [*common, *kind.options], *path)
        options: dict[str, Any] = {}
        for option, of in {**common, **kind.options}.items():
            value = self.get(table, of, *path, option)
            if value is not None and option not in {"kind", "fact", "clue", "required"}:
                options[option] = value
        words = self.get(table, str, *path, "fact")
        if words is None and kind.arguments:
            raise self.error(f'no fact for key {name}, expected fact = "{name}({", ".join(kind.arguments)})"', *path)
        arguments, unique = kind.arguments, kind.unique
        if options.get("several"):
            arguments, unique = ("name", "number", "number", "number"), 3
        predicate = self._predicate(words, arguments, unique, *path, "fact") if arguments else None
        if "range" in options:
            options["range"] = self.range(options["range"], *path, "range")
        if "palette" in options:
            options["palette"] = self._predicate(options["palette"], ("name",), 1, *path, "palette")
        self._sides(options, *path)
        clue = bool(table.get("clue", kind_name == "givens"))
        return Key(name, kind_name, predicate, clue, bool(table.get("required")), options, self.where(*path))

    def _sides(self, options: Mapping[str, Any], *path: str) -> None:
        for option in ("tokens", "across", "down", "sides"):
            expected = SIDES if option == "sides" else None
            for one in options.get(option, ()):
                if not isinstance(one, str) or not one.strip() or (expected and one not in expected):
                    words = listing(expected) if expected else "strings"
                    raise self.error(f"{option} has {shown(one)}, expected {words}", *path, option)
        if options.get("size") not in {None, "rows", "columns"}:
            raise self.error(f"size is {shown(options['size'])}, expected rows or columns", *path, "size")

    def range(self, words: str, *path: str) -> Range:
        """Return the range of a string like `1..rows`."""
        match = _RANGE.fullmatch(words.replace(" ", ""))
        if match is None:
            message = f"{'.'.join(path)} is {shown(words)}, expected a range such as 1..9, 1..rows or 1..blocks"
            raise self.error(message, *path)
        high: int | str = int(match[2]) if match[2].isdigit() else match[2]
        tables = self.table.get("keys", {})
        regions = [name for name in tables if isinstance(tables[name], dict) and tables[name].get("kind") == "regions"]
        known = ["rows", "columns", "cells", *regions]
        if isinstance(high, str) and high not in known:
            message = f"{'.'.join(path)} ends with {shown(high)}, expected a number, {listing(known)}"
            raise self.error(message, *path)
        if isinstance(high, int) and high < int(match[1]):
            raise self.error(f"{'.'.join(path)} is {shown(words)}, expected the smaller number first", *path)
        return Range(int(match[1]), high)

    def _completed(self, keys: list[Key], kind: Kind) -> list[Key]:
        """Return the keys with defaults: the first grid is the board; givens have the range of the answer."""
        range_ = getattr(kind, "range", None)
        grids = [key for key in keys if KINDS[key.kind].grid and key.kind != "notes"]
        if grids and not any(key.required for key in grids):
            keys = [key._replace(required=True) if key is grids[0] else key for key in keys]
        for i, key in enumerate(keys):
            if key.kind == "givens" and "range" not in key.options and range_:
                keys[i] = key._replace(options={**key.options, "range": range_})
            if key.kind == "sums":
                names = [other.name for other in keys if other.kind == "regions"]
                if key.option("of") not in names:
                    message = f"{key.name} has sums of {shown(key.option('of'))}"
                    raise self.error(f"{message}, expected of = one of: {listing(names)}", "keys", key.name, "of")
        return keys

    def _check_output(self, puzzle: Puzzle) -> None:
        """Raise `EncodingError` for output that the rules never derive."""
        from pyasp_puzzles.asp.source import heads, statements

        program = statements(puzzle.encoding)
        if any(one.startswith("#include") for one in program):
            return
        found = heads(program)
        derived = {"output": puzzle.view().outputs[0].partition("/")[0]}
        if covers := getattr(puzzle.kind, "covers", ""):
            derived["covers"] = covers
        for option, name in derived.items():
            if not any(re.search(rf"(?<![\w']){name}(?![\w'])", head) for head in found):
                message = f"the rules never derive {name}, expected {name}(...) in the head of a rule"
                raise self.error(message, "answer", option)

    def _warnings(self, puzzle: Puzzle) -> Iterator[str]:
        """Yield what looks wrong: facts that the rules never use, clues without a named rule."""
        from pyasp_puzzles.asp.source import arities, heads, statements

        program = statements(puzzle.encoding)
        if any(one.startswith("#include") for one in program):
            return
        found = heads(program)
        text = ".\n".join(one for one in program if not one.startswith(("#defined", "#show")))
        for predicate in puzzle.predicates:
            if len(predicate.arguments) not in arities(text, predicate.name):
                places = [key.where for key in puzzle.keys if key.predicate == predicate]
                where = places[0] if places else self.where(predicate.name)
                yield f"{where}: the rules never use {predicate.name}/{len(predicate.arguments)}, which boards become"
        if not re.search(r":-[^.]*\bviolated\s*\(", text):
            yield f"{puzzle.encoding}: nothing forbids what is violated, expected :- violated(Rule), not relaxed(Rule)."
        if any(re.search(r"violated\s*\(\s*[A-Z_]", head) for head in found):
            return
        for key in puzzle.clue_keys:
            if not any(re.search(rf"violated\s*\(\s*{key.rule}\b", head) for head in found):
                where = self.where("keys", key.name)
                yield (
                    f"{where}: no rule is named for the clues of {key.name}, expected violated({key.rule}(...)) in "
                    f'{puzzle.encoding.name}, or rule = "NAME" here'
                )
