"""A studio for tests: a server in a process of its own, answers that need no rules, and a client that can misbehave."""

import json
import os
import re
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from tempfile import mkdtemp
from threading import Thread
from time import monotonic, sleep
from typing import Any, NamedTuple

from clingo import Control

from pyasp_puzzles.errors import PuzzleError

from .command import SECONDS, Started, environment
from .helpers import CHECKOUT, ENDLESS_GROUNDING, ENDLESS_SEARCH

PAGE = Path(__file__).parent / "studio_page"
# What rules can do: ground for ever, ground a billion rules, search for ever.
RULES = {
    "ground": ENDLESS_GROUNDING,
    "billion": "n(1..1000). a(X, Y, Z) :- n(X), n(Y), n(Z).",
    "search": ENDLESS_SEARCH,
}


def answer(question: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the id of the process, and the records of a question; or do what a question must not do."""
    yield {"kind": "text", "text": str(os.getpid())}
    yield from ASKED[question["ask"]](question)


def _echo(question: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield {"kind": "text", "text": question["text"]}


def _count(question: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for number in range(question["limit"]):
        yield {"kind": "answer", "number": number, "svg": "x" * question.get("size", 0)}
    yield {"kind": "end", "late": False, "found": question["limit"]}


def _wait(question: dict[str, Any]) -> Iterator[dict[str, Any]]:
    sleep(question["time"])
    yield {"kind": "text", "text": "waited"}


def _loop(_: dict[str, Any]) -> Iterator[dict[str, Any]]:
    while True:
        yield from ()


def _fill(_: dict[str, Any]) -> Iterator[dict[str, Any]]:
    held = []
    while True:
        held.append(bytearray(2**26))
        yield from ()


def _keep(question: dict[str, Any]) -> Iterator[dict[str, Any]]:
    KEPT.append(b"x" * question["size"])
    yield from ()


def _run(question: dict[str, Any]) -> Iterator[dict[str, Any]]:
    control = Control()
    control.add("base", [], RULES[question["ask"]])
    control.ground([("base", [])])
    control.solve()
    yield from ()


def _leave(_: dict[str, Any]) -> Iterator[dict[str, Any]]:
    Thread(target=sleep, args=(SECONDS,), daemon=True).start()
    yield {"kind": "text", "text": "left"}


def _die(_: dict[str, Any]) -> Iterator[dict[str, Any]]:
    os.kill(os.getpid(), signal.SIGKILL)
    yield from ()


def _store(question: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield {"kind": "text", "text": mkdtemp()}
    yield from _die(question)


def _print(_: dict[str, Any]) -> Iterator[dict[str, Any]]:
    print("noise")  # noqa: T201 (what a question must not do)
    yield from ()


def _refuse(_: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from ()
    raise PuzzleError("this is wrong")


def _fail(_: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from ()
    raise KeyError("fail")


KEPT: list[bytes] = []
ASKED = {"echo": _echo, "count": _count, "wait": _wait, "loop": _loop, "fill": _fill, "leave": _leave, "die": _die}
ASKED |= {"keep": _keep, "store": _store, "print": _print, "refuse": _refuse, "fail": _fail} | dict.fromkeys(
    RULES, _run
)


class Reply(NamedTuple):
    """What a server answers."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def records(self) -> list[dict[str, Any]]:
        """The records of an answer."""
        assert self.headers["content-type"] == "application/jsonl"
        return [json.loads(line) for line in self.text.splitlines()]


class Studio:
    """A server that runs, and its client."""

    def __init__(self, process: Started, address: str) -> None:
        self.process, self.address = process, address
        self.host, _, query = address.removeprefix("http://").partition("/")
        self.port = int(self.host.partition(":")[2])
        self.token = query.removeprefix("?token=")

    def request(
        self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str | None] | None = None
    ) -> Reply:
        """Send a request; headers replace those that a page would send, and None leaves one out."""
        connection = self.connection()
        self.send(connection, method, path, body, headers)
        reply = connection.getresponse()
        text = reply.read().decode()
        connection.close()
        return Reply(reply.status, {name.lower(): value for name, value in reply.getheaders()}, text)

    def connection(self) -> HTTPConnection:
        """Return a connection to the server."""
        return HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)

    def send(
        self,
        connection: HTTPConnection,
        method: str,
        path: str,
        body: bytes = b"",
        headers: Mapping[str, str | None] | None = None,
    ) -> None:
        """Send a request, and do not wait for what comes."""
        usual = {"Host": self.host, "Sec-Fetch-Site": "same-origin", "X-Token": self.token}
        if method == "POST":
            usual |= {"Content-Type": "application/json", "Origin": f"http://{self.host}"}
            usual |= {"Content-Length": str(len(body))}
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in (usual | dict(headers or {})).items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(body or None)

    def ask(self, ask: str, **question: object) -> Reply:
        """Ask a question, and wait for its end."""
        return self.request("POST", "/ask", json.dumps({"ask": ask, **question}).encode())

    def begin(self, ask: str, **question: object) -> tuple[HTTPConnection, HTTPResponse, int]:
        """Ask a question, and return when it is at work, with the process that works on it."""
        connection = self.connection()
        self.send(connection, "POST", "/ask", json.dumps({"ask": ask, **question}).encode())
        reply = connection.getresponse()
        return connection, reply, int(json.loads(reply.readline())["text"])

    def quick(self) -> float:
        """Ask an easy question; return how long its answer takes, in seconds."""
        started = monotonic()
        reply = self.ask("echo", text="all is well")
        assert [record.get("text") for record in reply.records[1:]] == ["all is well", None]
        return monotonic() - started

    def processes(self) -> dict[int, str]:
        """Return the processes that the server has started, and theirs: `{id: state}`; the state of a zombie is Z."""
        states, parents = {}, {}
        for path in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):  # it has just ended
                state, parent = path.read_text(encoding="utf-8").rpartition(")")[2].split()[:2]
                states[int(path.parent.name)], parents[int(path.parent.name)] = state, int(parent)
        ours = {self.process.pid}
        for _ in range(2):
            ours |= {pid for pid, parent in parents.items() if parent in ours}
        return {pid: states[pid] for pid in ours - {self.process.pid}}

    def has_no_zombies(self) -> bool:
        """Return whether processes that have ended are gone."""
        until = monotonic() + SECONDS
        while "Z" in self.processes().values() and monotonic() < until:
            sleep(0.01)
        return "Z" not in self.processes().values()


@contextmanager
def studio(where: Path, code: int = 0, **options: object) -> Iterator[Studio]:
    """Run a server while a test uses it, until it ends with an exit code; its errors go to `errors.txt`."""
    program = (
        "import sys, json; from pathlib import Path; from pyasp_puzzles.studio.server import serve_studio;"
        " options = json.loads(sys.argv[1]); options['page'] = Path(options['page']);"
        " serve_studio(lambda address: print(address, flush=True), **options)"
    )
    usual: dict[str, object] = {"port": 0, "answer": f"{__name__}.answer", "page": str(PAGE), "warm_up": []}
    command = [sys.executable, "-c", program, json.dumps(usual | options)]
    paths = {"PYTHONPATH": os.pathsep.join([str(CHECKOUT), environment()["PYTHONPATH"]])}
    with (where / "errors.txt").open("wb") as errors:
        process = Started(command, cwd=where, env=environment(paths), stdout=-1, stderr=errors, encoding="utf-8")
    with process:
        try:
            yield Studio(process, process.stdout.readline().strip())
        finally:
            process.send_signal(signal.SIGINT)
            try:
                assert process.wait(SECONDS) == code
            finally:
                process.kill()


def ended(pid: int, seconds: float) -> bool:
    """Return whether a process ends within some seconds."""
    until = monotonic() + seconds
    while Path(f"/proc/{pid}").exists():
        if monotonic() > until:
            return False
        sleep(0.005)
    return True


def resident(pid: int) -> int:
    """Return the memory of a process, in bytes."""
    [size] = re.findall(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(encoding="utf-8"))
    return int(size) * 1024
