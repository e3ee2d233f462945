"""Templates of files of rules: copies of rules to edit, and the folder of a new puzzle."""

from __future__ import annotations

import re
from contextlib import suppress
from errno import EEXIST
from typing import TYPE_CHECKING

from pyasp_puzzles.asp.rules import VARIANT_FILE, encodings_directory
from pyasp_puzzles.errors import EncodingError, Where, listing, shown
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.puzzles import consequences

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from pyasp_puzzles.model.puzzle import Puzzle, Variant

# The tables of keys in a declaration.
KEYS = re.compile(r"^\[keys\..*?(?=^\[(?!keys\.)|\Z)", re.MULTILINE | re.DOTALL)
# The kinds of answers for which there is a template of a puzzle.
KINDS = ("numbers", "shading", "pieces", "lines", "areas")


def eject(files: Iterable[Path], directory: Path) -> list[Path]:
    """Copy files of rules to a directory, which is made if there is none, and return the paths of the copies.

    Raises:
        EncodingError: a copy exists already, or one cannot be written, and then nothing is copied.
    """
    texts = {file.name: file.read_text(encoding="utf-8") for file in files}
    try:
        for name in texts:
            if (directory / name).exists():
                raise FileExistsError(EEXIST, "", str(directory / name))
        _write_new(directory, texts)
    except OSError as error:
        raise _not_written(error, error.filename or str(directory), "another directory") from None
    return [directory / name for name in texts]


def new_folder(name: str, answer: str, directory: Path) -> Path:
    """Write the folder of a small, complete puzzle, and return its path.

    Args:
        name: the name of the puzzle and its folder.
        answer: the kind of its answer, one of `KINDS`; "variant" for the folder of a variant.
        directory: where to make the folder.

    Raises:
        EncodingError: the name is invalid or taken, or the folder cannot be written.
    """
    if answer not in {*KINDS, "variant"}:
        raise _unknown_kind(answer)
    files = sorted((encodings_directory() / "templates" / answer).iterdir())
    texts = {file: file.read_text(encoding="utf-8").replace("NAME", name) for file in files}
    named = {f"{name}.lp" if file.stem == "rules" else file.name: text for file, text in texts.items()}
    return write_folder(name, named, directory)


def write_folder(name: str, files: Mapping[str, str], directory: Path) -> Path:
    """Write the folder of a puzzle with these files, {name: text}; see `new_folder`."""
    folder = directory / name
    _check_name(name)
    try:
        if folder.exists():
            raise FileExistsError
        _write_new(folder, files)
    except OSError as error:
        raise _not_written(error, str(folder), "another name") from None
    return folder


def _write_new(directory: Path, texts: Mapping[str, str]) -> None:
    """Write new files into a directory, which is made if there is none; leave nothing if one cannot be written."""
    made: list[Path] = []
    is_new = not directory.exists()
    directory.mkdir(parents=True, exist_ok=True)
    try:
        for name, text in texts.items():
            with (directory / name).open("x", encoding="utf-8") as out:
                made.append(directory / name)
                out.write(text)
    except BaseException as error:
        if isinstance(error, OSError) and made:
            error.filename = error.filename or str(made[-1])
        with suppress(OSError):
            for path in made:
                path.unlink()
            if is_new:
                directory.rmdir()
        raise


def answer_table(answer: str) -> str:
    """Return the table `[answer]` of a declaration, of the kind `answer`.

    Raises:
        EncodingError: there is no such kind.
    """
    if answer not in KINDS:
        raise _unknown_kind(answer)
    text = (encodings_directory() / "templates" / answer / "puzzle.toml").read_text(encoding="utf-8")
    return text[text.index("[answer]") : text.index("[keys.")]


def bare_rules(name: str, answer: str, keys: str) -> str:
    """Return the encoding of a puzzle whose rules are still to be written; `keys` are the tables of its keys."""
    text = (encodings_directory() / "templates" / "link" / answer / "rules.lp").read_text(encoding="utf-8")
    facts = re.findall(r'= "((\w+)\(([^()]*)\))"', keys)
    listed = "".join(f"%          {fact:<15} (optional)\n" for fact, _, _ in facts)
    defined = "".join(f"#defined {name}/{arguments.count(',') + 1}.\n" for _, name, arguments in facts)
    return text.replace("NAME", name).replace("% INPUT\n", listed).replace("% DEFINED\n", defined)


def edited_files(puzzle: Puzzle, name: str, rules: str, variants: Sequence[Variant] = ()) -> dict[str, str]:
    """Return the files of a folder with other rules for a puzzle, each with its text.

    The files of `consequences.FILES` follow from the rules of the puzzle, and perhaps not from others, so they are left
    out.

    Args:
        puzzle: the puzzle.
        name: the name of the folder.
        rules: the rules, those of `variants` among them.
        variants: the variants whose keys and words the folder has, too.

    Raises:
        EncodingError: the name is invalid or taken.
    """
    _check_name(name)
    declaration = (puzzle.folder / "puzzle.toml").read_text(encoding="utf-8")
    # The rules are in the folder itself, and the aliases are those of the puzzle.
    files = {"puzzle.toml": re.sub(r"^(?:rules|aliases) = .*\n", "", declaration, flags=re.MULTILINE)}
    files[f"{name}.lp"] = rules
    rule_files = {*puzzle.encodings, *(variant.rules for variant in variants)}
    for folder in (*puzzle.folders, *(variant.folder for variant in variants)):
        for file in sorted(folder.glob("*.lp")):
            if file not in rule_files and file.stem not in consequences.FILES:
                files[file.name] = files.get(file.name, "") + file.read_text(encoding="utf-8")
    for one in variants:
        tables = KEYS.findall((one.folder / VARIANT_FILE).read_text(encoding="utf-8"))
        files["puzzle.toml"] += "".join(f"\n{table.strip()}\n" for table in tables)
    return files


def _check_name(name: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", name) or len(name) > Limits.LONGEST_STEM:
        raise EncodingError(f"a puzzle cannot be called {shown(name)}; use a-z, 0-9, - and _, with a letter first")
    if (encodings_directory() / name).exists() or (encodings_directory() / "variants" / name).exists():
        raise EncodingError(f"the puzzle {shown(name)} exists already; choose another name")


def _unknown_kind(answer: str) -> EncodingError:
    return EncodingError(f"unknown kind of answer {shown(answer)}; choose {listing(KINDS)}")


def _not_written(error: OSError, path: str, instead: str) -> EncodingError:
    exists = f"exists already; choose {instead}"
    message = exists if isinstance(error, FileExistsError) else f"cannot be written: {error.strerror}"
    return EncodingError(message, Where(path))
