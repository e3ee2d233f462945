"""A release holds what it should: the sdist the checkout, the wheel the package with its encodings and instances."""

import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from email import message_from_bytes
from fnmatch import fnmatch
from pathlib import Path

import pytest

from .command import printed
from .helpers import CHECKOUT

PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERSION = PROJECT["version"]
IGNORED = [line.strip("/") for line in (CHECKOUT / ".gitignore").read_text(encoding="utf-8").split()]
# Where the folders of the checkout are in the wheel.
PLACES = {
    "pyasp_puzzles": "pyasp_puzzles",
    "encodings": "pyasp_puzzles/encodings",
    "instances": "pyasp_puzzles/instances",
}


def files_in(folder: Path) -> Iterator[str]:
    """Yield the files of a folder that git does not ignore, relative to it."""
    for path in folder.iterdir():
        if path.name == ".git" or any(fnmatch(path.name, pattern) for pattern in IGNORED):
            continue
        if path.is_dir():
            yield from (f"{path.name}/{name}" for name in files_in(path))
        else:
            yield path.name


def build(folder: Path, out: Path, kind: str) -> Path:
    """Return the sdist or the wheel of a folder."""
    pytest.importorskip("hatchling")
    command = [sys.executable, "-m", "hatchling", "build", "--target", kind, "--directory", str(out)]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    [built] = out.iterdir()
    return built


def contents(wheel: Path) -> dict[str, bytes]:
    """Return {name: contents} of the files in a wheel, without its record of them."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/RECORD")}


@pytest.mark.slow
def test_the_sdist_is_the_checkout_and_makes_the_same_wheel(tmp_path: Path) -> None:
    """An sdist has each file of the checkout and no other; its wheel is that of the checkout, byte for byte."""
    sdist = build(CHECKOUT, tmp_path / "sdist", "sdist")
    assert sdist.name == f"pyasp_puzzles-{VERSION}.tar.gz"
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    [unpacked] = (tmp_path / "unpacked").iterdir()
    assert {*files_in(unpacked)} == {*files_in(CHECKOUT), "PKG-INFO"}
    wheels = [build(folder, tmp_path / name, "wheel") for name, folder in (("one", CHECKOUT), ("other", unpacked))]
    assert contents(wheels[0]) == contents(wheels[1])


@pytest.mark.slow
def test_the_wheel_is_the_package_with_its_rules_and_boards(tmp_path: Path) -> None:
    """A wheel has the package, the encodings and the instances, and no tests; its metadata are those of the project."""
    wheel = build(CHECKOUT, tmp_path / "wheel", "wheel")
    assert wheel.name == f"pyasp_puzzles-{VERSION}-py3-none-any.whl"
    files = contents(wheel)
    own = {name: data for name, data in files.items() if ".dist-info/" not in name}
    expected = {
        f"{place}/{name}": (CHECKOUT / folder / name).read_bytes()
        for folder, place in PLACES.items()
        for name in files_in(CHECKOUT / folder)
    }
    assert own == expected
    info = f"pyasp_puzzles-{VERSION}.dist-info"
    assert files.keys() - own.keys() == {
        f"{info}/{name}" for name in ("METADATA", "WHEEL", "entry_points.txt", "licenses/LICENSE")
    }
    metadata = message_from_bytes(files[f"{info}/METADATA"])
    assert (metadata["Version"], metadata["Requires-Python"]) == (VERSION, PROJECT["requires-python"])
    text = metadata.get_payload(decode=True)
    assert isinstance(text, bytes)
    assert text.decode() == (CHECKOUT / "README.md").read_text(encoding="utf-8")


def test_all_pages_name_one_version(tmp_path: Path) -> None:
    """The command, the changelog and the citation have the version of the project, as have those of its release."""
    assert printed("--version", where=tmp_path).strip() == f"pyasp {VERSION}"
    headings = [
        line for line in (CHECKOUT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines() if line[:3] == "## "
    ]
    assert headings[0] == "## Unreleased" or headings[0].startswith(f"## {VERSION} (")
    citation = (CHECKOUT / "docs" / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {VERSION}\n" in citation
    oldest = PROJECT["requires-python"].removeprefix(">=")
    named = [line.rsplit(" ", 1)[1] for line in PROJECT["classifiers"] if line.startswith("Programming Language :: ")]
    assert next(version for version in named if "." in version) == oldest
