"""Run the command: in a fork of a process that has imported it and read a board of each puzzle, or in a new Python.

A fork takes 10 ms where a new Python takes 150, and has its own directory, environment and streams as well.
"""

import atexit
import gc
import json
import os
import resource
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, Any

import pyasp_puzzles

Done = subprocess.CompletedProcess[str]

PACKAGE = Path(pyasp_puzzles.__file__).parent
PYASP = [sys.executable, "-m", "pyasp_puzzles"]
# Longer than any command here takes, on any machine.
SECONDS = 180
# Where the commands keep what Python has compiled, which is a third of the time of a short one.
_COMPILED = TemporaryDirectory()
_IGNORED = "NO_COLOR FORCE_COLOR COLUMNS LINES TERM PYTHONPATH PYTHONIOENCODING PYTHONDONTWRITEBYTECODE".split()


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return this process's environment without the variables that change how a command looks."""
    kept = {name: value for name, value in os.environ.items() if name not in _IGNORED}
    ours = {"PYTHONPATH": str(PACKAGE.parent), "TERM": "xterm-256color", "PYTHONPYCACHEPREFIX": _COMPILED.name}
    return kept | ours | dict(extra or {})


def run(
    *arguments: str | Path,
    where: Path,
    stdin: str | bytes = "",
    extra: Mapping[str, str] | None = None,
    memory: int = 0,
    seconds: float = SECONDS,
) -> Done:
    """Run the command in a directory, within some bytes of memory and some seconds; return what it wrote.

    Raises:
        TimeoutError: it did not end in time, and was killed.
    """
    words = [*map(str, arguments)]
    request = json.dumps([words, str(where), environment(extra), memory]).encode()
    with TemporaryFile() as given, TemporaryFile() as out, TemporaryFile() as err:
        given.write(stdin if isinstance(stdin, bytes) else stdin.encode())
        given.seek(0)
        server = _server()
        socket.send_fds(server, [len(request).to_bytes(8)], [given.fileno(), out.fileno(), err.fileno()])
        server.sendall(request)
        child = int.from_bytes(_receive(server, 8))
        server.settimeout(seconds)
        try:
            code = int.from_bytes(_receive(server, 8), signed=True)
        except TimeoutError:
            os.kill(child, signal.SIGKILL)
            server.settimeout(SECONDS)
            _receive(server, 8)
            raise
        server.settimeout(SECONDS)
        stdout, stderr = map(_written, (out, err))
    return subprocess.CompletedProcess(words, code, stdout, stderr)


def pyasp(*arguments: str | Path, where: Path, **options: Any) -> Done:
    """Run the command in a directory, as `run` does; it never shows a traceback."""
    done = run(*arguments, where=where, **options)
    assert "Traceback" not in done.stderr
    return done


def printed(*arguments: str | Path, where: Path, code: int = 0, **options: Any) -> str:
    """Run the command, which ends with this exit code and writes nothing to stderr; return what it prints."""
    done = pyasp(*arguments, where=where, **options)
    assert (done.returncode, done.stderr) == (code, "")
    return done.stdout


def refused(done: Done, says: str = "", longest: int = 1200) -> None:
    """Check that a command ended with exit code 2, one line on stderr, and nothing on stdout but its record in JSON."""
    assert done.returncode == 2
    if "--json" in done.args and done.stdout:
        (record,) = objects(done.stdout)
        assert (record["status"], f"pyasp: {record['error']}\n") == ("error", done.stderr)
    else:
        assert done.stdout == ""
    assert done.stderr.startswith("pyasp: ")
    assert done.stderr.endswith("\n")
    assert done.stderr[:-1].isprintable()
    assert len(done.stderr) < longest
    assert says in done.stderr


def _written(file: IO[bytes]) -> str:
    """Return what a file holds; bytes that are no UTF-8 are shown as they are."""
    file.seek(0)
    return file.read().decode(errors="backslashreplace")


def process(command: str | list[str], where: Path, extra: Mapping[str, str] | None = None, **options: Any) -> Done:
    """Run a program of its own and return what it wrote: its words, or a line of bash that begins with `pyasp`."""
    if isinstance(command, str):
        command = ["bash", "-c", command.replace("pyasp", f"exec {shlex.join(PYASP)}", 1)]
    streams: dict[str, Any] = {"encoding": "utf-8", "errors": "backslashreplace", "timeout": SECONDS}
    streams |= {"capture_output": "stdout" not in options} | options
    done: Done = subprocess.run(command, cwd=where, env=environment(extra), check=False, **streams)
    return done


class Started(subprocess.Popen[Any]):
    """A command that runs; of its streams, use those that are pipes."""

    stdin: IO[Any]
    stdout: IO[Any]
    stderr: IO[Any]


def start(*arguments: str, where: Path, **options: Any) -> Started:
    """Start the command; what it writes comes through pipes, unbuffered: read-ahead would be lost to `communicate`."""
    streams: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "bufsize": 0} | options
    return Started([*PYASP, *arguments], cwd=where, env=environment(), **streams)


def objects(stdout: str) -> list[dict[str, Any]]:
    """Return the objects of JSON Lines."""
    return [json.loads(line) for line in stdout.splitlines()]


# -- The process that forks -------------------------------------------------------


@cache
def _server() -> socket.socket:
    """Return a connection to the process that forks."""
    ours, theirs = socket.socketpair()
    ours.settimeout(SECONDS)
    command = [sys.executable, "-P", __file__, str(theirs.fileno())]
    server = subprocess.Popen(command, env=environment(), pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
    theirs.close()

    def end() -> None:
        ours.close()
        server.wait()
        _COMPILED.cleanup()

    atexit.register(end)
    return ours


def _receive(connection: socket.socket, size: int) -> bytes:
    """Return so many bytes."""
    data = b""
    while len(data) < size:
        data += connection.recv(size - len(data)) or _ended()
    return data


def _ended() -> bytes:
    raise EOFError("the other process has ended")


def serve(connection: socket.socket) -> None:
    """Fork for each command that comes: with its directory, environment and streams."""
    from pyasp_puzzles import cli
    from pyasp_puzzles.__main__ import main
    from pyasp_puzzles.puzzles import declaration

    cli.application()
    for module in walk_packages(pyasp_puzzles.__path__, "pyasp_puzzles."):
        import_module(module.name)
    for name in ("strata/seed", "strimko/four", "strips/final", "sudoku/six", "tectonic/seed"):
        pyasp_puzzles.load(name)
    list(declaration.puzzles())  # most messages name some
    gc.freeze()  # or each fork would copy the pages of all objects when it collects garbage
    while True:
        size, streams, *_ = socket.recv_fds(connection, 8, 3)
        if not size:
            return
        words, where, variables, memory = json.loads(_receive(connection, int.from_bytes(size)))
        child = os.fork()
        if not child:
            connection.close()
            for number, stream in enumerate(streams):
                os.dup2(stream, number)
                os.close(stream)
            os.chdir(where)
            os.environ.clear()
            os.environ.update(variables)
            if memory:
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
            if coding := variables.get("PYTHONIOENCODING"):
                sys.stdout.reconfigure(encoding=coding)  # type: ignore[union-attr]
                sys.stderr.reconfigure(encoding=coding, errors="backslashreplace")  # type: ignore[union-attr]
            sys.argv = ["pyasp", *words]
            main()
        for stream in streams:
            os.close(stream)
        connection.sendall(child.to_bytes(8))
        _, status = os.waitpid(child, 0)
        connection.sendall(os.waitstatus_to_exitcode(status).to_bytes(8, signed=True))


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as asking:
        serve(asking)
