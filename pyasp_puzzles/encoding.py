"""Where the encodings and the instances that ship lie: in an installed wheel, or in a checkout."""

from __future__ import annotations

from pathlib import Path

from .errors import EncodingError, Where

_PACKAGE = Path(__file__).resolve().parent


def encoding_path(name: str) -> Path:
    """Return the file of the encoding of that name, "tectonic" say."""
    return _directory("encodings") / f"{name}.lp"


def mode_path(name: str) -> Path:
    """Return the file of a mode, the few lines that are loaded beside an encoding to ask it another question."""
    return _directory("encodings") / "modes" / f"{name}.lp"


def words_path(name: str) -> Path | None:
    """Return the file of the words in which people say the rules of an encoding, if there is one."""
    path = _directory("encodings") / "words" / f"{name}.lp"
    return path if path.exists() else None


def instances_directory() -> Path:
    """Return the directory of the instances that ship."""
    return _directory("instances")


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
