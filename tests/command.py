"""Run the command as people do: in a process of its own, in some other directory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pyasp_puzzles

if TYPE_CHECKING:
    from collections.abc import Mapping

PACKAGE = Path(pyasp_puzzles.__file__).parent
_CACHE = TemporaryDirectory()
"""Where the commands keep what Python has compiled, which is a third of the time of a short one."""
PYASP = [sys.executable, "-m", "pyasp_puzzles"]
SECONDS = 60
"""Longer than any command here takes, on any machine."""


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return this process's environment without what changes how a command looks."""
    taste = {
        "NO_COLOR",
        "FORCE_COLOR",
        "COLUMNS",
        "LINES",
        "TERM",
        "PYTHONPATH",
        "PYTHONIOENCODING",
        "PYTHONDONTWRITEBYTECODE",
    }
    kept = {name: value for name, value in os.environ.items() if name not in taste}
    ours = {"PYTHONPATH": str(PACKAGE.parent), "TERM": "xterm-256color", "PYTHONPYCACHEPREFIX": _CACHE.name}
    return kept | ours | dict(extra or {})


def pyasp(
    *arguments: str | Path, where: Path, stdin: str = "", extra: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command in a directory and return what it wrote; it never shows a traceback."""
    done = subprocess.run(
        [*PYASP, *map(str, arguments)],
        cwd=where,
        env=environment(extra),
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        errors="backslashreplace",
        timeout=SECONDS,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done


def objects(stdout: str) -> list[dict[str, Any]]:
    """Return the objects of JSON Lines."""
    return [json.loads(line) for line in stdout.splitlines()]
