"""Where the encodings and the instances that ship lie: in an installed wheel, or in a checkout."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from .errors import EncodingError, Where

_PACKAGE = Path(__file__).resolve().parent


def encoding_path(name: str) -> Path:
    """Return the file of the encoding of that name, "tectonic" say."""
    return _directory("encodings") / f"{name}.lp"


def mode_path(name: str) -> Path:
    """Return the file of a mode, the few lines that are loaded beside an encoding to ask it another question."""
    return _directory("encodings") / "modes" / f"{name}.lp"


def companions(kind: str, *names: str) -> list[Path]:
    """Return the files that stand beside encodings of those names, as far as there are any.

    Args:
        kind: "words", in which people say the rules, or "about", the cells that break them.
        names: the names of encodings, or of puzzles.
    """
    paths = (_directory("encodings") / kind / f"{name}.lp" for name in dict.fromkeys(names))
    return [path for path in paths if path.exists()]


def instances_directory() -> Path:
    """Return the directory of the instances that ship."""
    return _directory("instances")


@cache
def _directory(name: str) -> Path:
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def eject_encoding(file: Path, directory: Path) -> Path:
    """Copy an encoding into a directory, which is made if need be, and return the copy.

    Raises:
        EncodingError: there is a file of that name already, or it cannot be written.
    """
    copy = directory / file.name
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with copy.open("x", encoding="utf-8") as out:
            out.write(file.read_text(encoding="utf-8"))
    except FileExistsError:
        raise EncodingError("there is such a file already, expected to make a new one", Where(str(copy))) from None
    except OSError as error:
        raise EncodingError(f"cannot be written: {error.strerror}", Where(str(copy))) from None
    return copy
