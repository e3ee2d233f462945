"""`--scheduler`: the same answers from a Dask cluster, a real scheduler and two workers; skipped where Dask is not."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from .command import PYASP, environment, pyasp, refused
from .helpers import write
from .lists import DEADLY, lines, mixed_list

LIST = ("solve", "--as", "sudoku", "list.txt")
here = pytest.mark.skipif(find_spec("distributed") is None, reason="pyasp-puzzles[dask] is not installed")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a directory with lists, and with rules that end a process."""
    texts = {"list.txt": lines(300), "hard.txt": mixed_list(12), "long.txt": lines(1500), "deadly.lp": DEADLY}
    return write(tmp_path, texts)


@contextmanager
def cluster(place: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Start a scheduler and two workers, each a process; yield the address of the scheduler, and its process."""
    options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"]
    processes = [begin(place, "scheduler", *options, stderr=subprocess.PIPE)]
    try:
        assert processes[0].stderr
        (address,) = next(filter(None, (re.findall(r"tcp://[\d.:]+", line) for line in processes[0].stderr)))
        processes += [begin(place, "worker", address, "--nthreads", "1", "--no-dashboard") for _ in range(2)]
        yield address, processes[0]
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            try:
                process.communicate(timeout=30)
            except subprocess.TimeoutExpired:  # a worker without a scheduler may look for it for long
                process.kill()
                process.communicate()


def begin(place: Path, name: str, *options: str, stderr: int = subprocess.DEVNULL) -> subprocess.Popen[str]:
    """Start a process of Dask's."""
    command = [sys.executable, "-m", f"distributed.cli.dask_{name}", *options]
    taste = environment({"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"})
    return subprocess.Popen(command, cwd=place, env=taste, stderr=stderr, text=True)


@pytest.mark.slow
@here
def test_a_cluster_gives_the_same_answers(place: Path) -> None:
    """A cluster gives the same answers, in order; a board that kills its workers is reported, the rest are solved.

    When the scheduler is gone, processes of our own go on; no board is lost.
    """
    with cluster(place) as (address, scheduler):
        alone = pyasp(*LIST, where=place)
        done = pyasp(*LIST, "--scheduler", address, where=place)
        assert (done.returncode, done.stdout, done.stderr) == (0, alone.stdout, "")
        hard = ["solve", "--as", "sudoku", "hard.txt", "--extra", "deadly.lp"]
        done = pyasp(*hard, "--scheduler", address, where=place)
        assert (done.returncode, done.stderr) == (3, "pyasp: hard.txt:6: the worker was killed\n")
        assert [i for i, answer in enumerate(done.stdout.splitlines()) if len(answer) != 81] == [5]
        assert done.stdout.count("\n") == 13
        command = [*PYASP, "solve", "--as", "sudoku", "long.txt", "--scheduler", address]
        with subprocess.Popen(
            command, cwd=place, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
        ) as process:
            assert process.stdout
            first = process.stdout.readline()
            scheduler.kill()
            out, errors = process.communicate(timeout=180)
    assert (process.returncode, errors) == (0, b"")
    assert (first + out).decode() == pyasp("solve", "--as", "sudoku", "long.txt", where=place).stdout


@pytest.mark.slow
def test_without_a_cluster_there_is_one_line(place: Path) -> None:
    """An address without a scheduler, or a Python without Dask, is reported in one line."""
    refused(pyasp(*LIST, "--scheduler", "nonsense", where=place), "Dask")
