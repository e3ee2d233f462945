"""The studio's server: who may ask, what questions can do and cannot, and how it ends."""

from __future__ import annotations  # selenium need not be there

import json
import os
import re
import signal
import socket
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPConnection
from importlib.util import find_spec
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING

import pytest

from pyasp_puzzles import loads
from pyasp_puzzles.cli.studio import REDIRECT
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.studio.processes import MOST_AT_WORK

from .chromium import CHROMIUM, DRIVER, QUIET
from .command import PACKAGE, SECONDS, process, refused, start
from .command import run as run_command
from .documents import write_files
from .helpers import write
from .studio import RULES, Reply, Studio, ended, resident, studio
from .test_variant_exchange import ADDING

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.skipif(not find_spec("uvicorn"), reason="needs the extra studio")

# Seconds in which a question is answered after an attack, on the busiest machine (benchmarks/studio.py measures it).
SOON = 15
BOARD = 'puzzle = "sudoku"\ntitle = "A <b> & \\"c\\" \\\\1"\ngivens = """\n12..\n....\n....\n....\n"""\n'


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """Return a studio that several tests use."""
    with studio(tmp_path_factory.mktemp("studio"), board=BOARD) as one:
        one.quick()
        yield one


# -- Who may ask -----------------------------------------------------------------------


def question(text: str = "x") -> bytes:
    """Return the body of an easy question."""
    return json.dumps({"ask": "echo", "text": text}).encode()


@pytest.mark.sampled(9)
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": None, "Sec-Fetch-Site": None}, 200),
        ({"Content-Type": "application/json; charset=utf-8"}, 200),
        ({"Host": "localhost:{port}", "Origin": "http://localhost:{port}"}, 200),
        ({"Host": "evil.example"}, 403),
        ({"Host": "evil.example:{port}", "Origin": "http://evil.example:{port}"}, 403),
        ({"Host": "127.0.0.1"}, 403),
        ({"Host": "127.0.0.1.evil.example:{port}"}, 403),
        ({"Host": "127.0.0.1:1"}, 403),
        ({"Host": ""}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Origin": "http://localhost:{port}"}, 403),
        ({"Origin": "https://127.0.0.1:{port}"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "same-origin, cross-site"}, 403),
        ({"X-Token": None}, 403),
        ({"X-Token": ""}, 403),
        ({"X-Token": "0" * 48}, 403),
        ({"X-Token": "é"}, 403),
        ({"X-Token": None, "Cookie": "pyasp-{port}={token}"}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
        ({"Content-Type": None}, 415),
    ],
    ids=str,
)
def test_only_the_page_may_ask(shared: Studio, headers: dict[str, str | None], status: int) -> None:
    """A question comes from the page itself: with its Host and Origin, from the same site, with its token, as JSON."""
    filled = {
        name: value and value.format(port=shared.port, token=shared.token).encode().decode("latin-1")
        for name, value in headers.items()
    }
    reply = shared.request("POST", "/ask", question(), filled)
    assert reply.status == status
    assert (status == 200) == ("x" in reply.text and reply.headers["content-type"] == "application/jsonl")
    protected(reply)
    assert shared.quick() < SOON


@pytest.mark.parametrize("site", ["same-site", "cross-site", ""])
def test_no_other_site_may_ask(shared: Studio, site: str) -> None:
    """A request of another site, also of the same computer, is refused, for a question as for a file."""
    headers = {"Sec-Fetch-Site": site}
    assert shared.request("POST", "/ask", question(), headers).status == 403
    assert shared.request("GET", "/page/main.js", headers=headers).status == 403


def protected(reply: Reply) -> None:
    """Check the headers that every answer has."""
    policy = reply.headers["content-security-policy"].split("; ")
    assert policy[:4] == ["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"]
    assert {"base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"} < set(policy)
    assert "unsafe" not in " ".join(policy)
    assert reply.headers["cache-control"] == "no-store"
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert not any(name.startswith("access-control") or name == "server" for name in reply.headers)


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"{", b"[]", b"1", b"null", b'"ask"', b"[" * 100_000, b"\xff\xfe", b'{"a": ' * 40_000, b"9" * 10_000),
        *(b'{"seconds": ' + seconds + b"}" for seconds in (b'"1"', b"0", b"-1", b"NaN", b"true", b"[]", b"-Infinity")),
    ],
    ids=lambda body: body[:20].decode("latin-1"),
)
def test_a_question_is_an_object_of_json(shared: Studio, body: bytes) -> None:
    """What is no question is refused in plain words."""
    reply = shared.request("POST", "/ask", body)
    assert reply.status == 400
    protected(reply)


def test_questions_are_bounded(shared: Studio) -> None:
    """A body of 100 MB is refused before it is read, whether its length is declared, wrong, or left out."""
    declared = shared.connection()
    shared.send(declared, "POST", "/ask", headers={"Content-Length": str(100 * 2**20)})
    assert declared.getresponse().status == 413
    declared.close()
    endless = shared.connection()
    shared.send(endless, "POST", "/ask", headers={"Content-Length": None, "Transfer-Encoding": "chunked"})
    sent = 0
    try:
        while sent < 100 * 2**20:
            endless.send(b"10000\r\n" + b" " * 2**16 + b"\r\n")
            sent += 2**16
    except OSError:
        pass  # it has closed the connection
    assert sent < 20 * 2**20
    endless.close()
    assert shared.request("POST", "/ask", question("x" * (Limits.LARGEST_QUESTION - 100))).status == 200
    assert shared.request("POST", "/ask", question("x" * Limits.LARGEST_QUESTION)).status == 413
    assert shared.quick() < SOON


def test_a_question_that_is_too_large_is_told_so(shared: Studio) -> None:
    """A question of some megabytes is read and refused in words; a browser that cannot send it would not see them."""
    for headers in ({}, {"Content-Length": None, "Transfer-Encoding": "chunked"}):
        connection = shared.connection()
        shared.send(connection, "POST", "/ask", headers={"Content-Length": str(2**21)} | headers)
        for _ in range(2**5):
            connection.send((b"" if not headers else b"10000\r\n") + b" " * 2**16 + (b"" if not headers else b"\r\n"))
        connection.send(b"0\r\n\r\n" if headers else b"")
        reply = connection.getresponse()
        assert (reply.status, reply.read()) == (413, b"A question has at most 262144 bytes.")
        connection.close()


USUAL = "Host: {host}\r\nConnection: close\r\nX-Token: {token}\r\nContent-Type: application/json\r\n"
ASKED = '{{"ask": "print"}}'
RAW = {
    "a question": ("POST /ask HTTP/1.1\r\n" + USUAL + "Content-Length: 16\r\n\r\n" + ASKED, 200),
    "two lengths": (f"POST /ask HTTP/1.1\r\n{USUAL}Content-Length: 4\r\nContent-Length: 16\r\n\r\n{ASKED}", 400),
    "a length below 0": (f"POST /ask HTTP/1.1\r\n{USUAL}Content-Length: -1\r\n\r\n{ASKED}", 400),
    "a length of 5000 digits": (f"POST /ask HTTP/1.1\r\n{USUAL}Content-Length: {'9' * 5000}\r\n\r\n{ASKED}", 400),
    "a question in the body of another": (
        (
            f"POST /ask HTTP/1.1\r\n{USUAL}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
            f"POST /ask HTTP/1.1\r\n{USUAL}Content-Length: 16\r\n\r\n{ASKED}"
        ),
        400,
    ),
    "a chunk of no number": (f"POST /ask HTTP/1.1\r\n{USUAL}Transfer-Encoding: chunked\r\n\r\n-1\r\n{ASKED}", 400),
    "another coding": (f"POST /ask HTTP/1.1\r\n{USUAL}Transfer-Encoding: gzip\r\n\r\n{ASKED}", 400),
    "two hosts": ("GET / HTTP/1.1\r\nHost: {host}\r\nHost: evil.example\r\n\r\n", 400),
    "no host": ("GET /?token={token} HTTP/1.0\r\n\r\n", 403),
    "the address of another site": ("GET http://evil.example/?token={token} HTTP/1.1\r\nHost: {host}\r\n\r\n", 404),
    "a WebSocket": (
        (
            "GET /ask HTTP/1.1\r\nHost: {host}\r\nOrigin: http://evil.example\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        ),
        403,
    ),
    "a preflight": (
        (
            "OPTIONS /ask HTTP/1.1\r\nHost: {host}\r\nOrigin: http://evil.example\r\n"
            "Access-Control-Request-Method: POST\r\nAccess-Control-Request-Private-Network: true\r\n\r\n"
        ),
        403,
    ),
    "HTTP 2": ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 403),
    "HTTP 0.9": ("GET /\r\n\r\n", 400),
    "TLS": ("\x16\x03\x01\x00\xf1\x01" + "\x00" * 200, 400),
    "a path of 100 000 characters": (f"GET /{'a' * 100_000} HTTP/1.1\r\nHost: {{host}}\r\n\r\n", 404),
}


@pytest.mark.parametrize("sent", RAW)
def test_raw_requests(shared: Studio, sent: str) -> None:
    """What no browser sends gets one answer at most, never that of a question within it, and the next is answered."""
    text, status = RAW[sent]
    with socket.create_connection(("127.0.0.1", shared.port), timeout=SECONDS) as raw, raw.makefile("rb") as lines:
        raw.sendall(text.format(host=shared.host, token=shared.token).encode("latin-1"))
        found = lines.read()
    assert found.startswith(b"HTTP/1.1 %d " % status)
    assert found.count(b"HTTP/1.1 ") == 1
    assert b"access-control" not in found.lower()
    assert shared.quick() < SOON


@pytest.mark.slow
def test_idle_connections_make_room(tmp_path: Path) -> None:
    """Hundreds of connections that ask nothing, or never come to the end of a head, keep no question waiting."""
    with studio(tmp_path) as one:
        one.quick()
        idle = [socket.create_connection(("127.0.0.1", one.port), timeout=SECONDS) for _ in range(400)]
        for connection in idle[-50:]:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: ")
        assert one.quick() < SOON
        for connection in idle:
            connection.close()
        assert one.quick() < SOON
    assert (tmp_path / "errors.txt").read_bytes() == b""


def test_questions_that_do_not_come_make_room(tmp_path: Path) -> None:
    """Of many connections that send only a part of a question, the first are closed; the next question is answered."""
    with studio(tmp_path) as one:
        one.quick()
        idle = []
        for _ in range(120):
            connection = one.connection()
            one.send(connection, "POST", "/ask", b"{", {"Content-Length": "100"})
            idle.append(connection)
        assert one.quick() < SOON
        for connection in idle[:10]:
            assert connection.sock
            with suppress(ConnectionResetError):
                assert connection.sock.recv(1) == b""
        for connection in idle:
            connection.close()


@pytest.mark.slow
def test_late_heads_are_given_up(tmp_path: Path) -> None:
    """A connection whose request comes drop by drop is closed in some seconds."""
    with studio(tmp_path) as one, socket.create_connection(("127.0.0.1", one.port)) as slow:
        slow.settimeout(0.5)
        until = monotonic() + SECONDS
        for drop in b"GET / HTTP/1.1\r\nX: " + b"a" * 1000:
            with suppress(TimeoutError):
                slow.sendall(bytes([drop]))
                if slow.recv(1) == b"":
                    break
            assert monotonic() < until


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/page/main.js", 200),
        ("GET", "/page/board.css", 200),
        ("GET", "/page/player.js", 200),
        ("GET", "/page/index.html", 404),
        ("GET", "/page/", 404),
        ("GET", "/page/../server.py", 404),
        ("GET", "/page/..%2f..%2ftests%2fstudio.py", 404),
        ("GET", "/page/%2e%2e/studio.py", 404),
        ("GET", "/page/main.js%00", 404),
        ("GET", "/page//etc/passwd", 404),
        ("GET", "/etc/passwd", 404),
        ("GET", "/docs", 404),
        ("GET", "/ask", 405),
        ("POST", "/", 405),
        ("OPTIONS", "/ask", 405),
        ("HEAD", "/ask", 405),
        ("TRACE", "/", 405),
        ("GET", "/.git/config", 404),
        ("PUT", "/page/main.js", 405),
    ],
)
def test_paths(shared: Studio, method: str, path: str, status: int) -> None:
    """There are the page's own files, and nothing else."""
    reply = shared.request(method, path)
    assert reply.status == status
    protected(reply)
    if status == 200:
        assert reply.headers["content-type"].startswith({"s": "text/css", "j": "text/javascript"}[path[-2]])
    other = shared.request(method, path, headers={"Sec-Fetch-Site": "cross-site"})
    assert other.status == 403


NAVIGATION = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}


@pytest.mark.parametrize(
    ("query", "headers", "status"),
    [
        ("?token={token}", {"Sec-Fetch-Site": "none"}, 200),
        ("?token={token}", {"Sec-Fetch-Site": "cross-site"} | NAVIGATION, 200),  # from the file that opens it
        ("?token={token}", {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403),
        ("?token={token}", {"Sec-Fetch-Site": "cross-site"} | NAVIGATION | {"Sec-Fetch-Dest": "iframe"}, 403),
        ("?token={token}", {"Host": "evil.example:{port}"}, 403),
        ("", {"Sec-Fetch-Site": "none"}, 403),
        ("?token=", {"Sec-Fetch-Site": "none"}, 403),
        ("?token={port}", {"Sec-Fetch-Site": "cross-site"} | NAVIGATION, 403),
        ("", {"Sec-Fetch-Site": "none", "Cookie": "pyasp-{port}={token}"}, 200),
        ("", {"Sec-Fetch-Site": "cross-site", "Cookie": "pyasp-{port}={token}"} | NAVIGATION, 403),
        ("", {"Sec-Fetch-Site": "none", "Cookie": "pyasp-1={token}"}, 403),
    ],
    ids=str,
)
def test_the_page_needs_its_token(shared: Studio, query: str, headers: dict[str, str], status: int) -> None:
    """The page needs the token, in its address or in the cookie that it got with it."""
    known = {"port": shared.port, "token": shared.token}
    filled = {"X-Token": None} | {name: value.format(**known) for name, value in headers.items()}
    reply = shared.request("GET", "/" + query.format(**known), headers=filled)
    assert reply.status == status
    assert (status == 200) == (shared.token in reply.text)
    assert "127.0.0.1" not in reply.text
    protected(reply)
    if status == 200:
        assert f'<meta name="token" content="{shared.token}">' in reply.text
        flags = {"HttpOnly", "Path=/", "SameSite=strict"}
        assert set(reply.headers["set-cookie"].split("; ")[1:]) == flags


def test_it_listens_on_this_computer_only(shared: Studio) -> None:
    """No other address of this computer is listened on."""
    addresses = Path("/proc/net/tcp").read_text(encoding="utf-8") if Path("/proc/net/tcp").exists() else ""
    listening = re.findall(rf": (\w+):{shared.port:04X} 00000000:0000 0A", addresses)
    assert listening in (["0100007F"], [])
    with socket.socket() as other, pytest.raises(OSError, match="refused"):
        other.connect(("127.0.0.2", shared.port))


# -- What a question can do --------------------------------------------------------------


def test_records_come_as_they_are_found(shared: Studio) -> None:
    """A record comes at once, and the last one says how it ended."""
    connection, reply, _ = shared.begin("loop", seconds=SECONDS)  # its first record is there, and it has not ended
    closed(connection, reply)
    records = shared.ask("count", limit=3).records
    assert [record["kind"] for record in records] == ["text", "answer", "answer", "answer", "end"]
    assert records[-1] == {"kind": "end", "late": False, "found": 3}


def test_processes_are_kept(shared: Studio) -> None:
    """The process of one question answers the next one; nothing that is printed gets among the records."""
    processes = {shared.ask(ask).records[0]["text"] for ask in ("print", "refuse", "print", "refuse")}
    assert len(processes) == 1
    assert [record["kind"] for record in shared.ask("print").records] == ["text", "end"]


def test_processes_are_kept_after_a_search(tmp_path: Path) -> None:
    """A process that has searched within a time limit answers the next question, too: what it knows is not lost."""
    board = {"puzzle": "sudoku", "size": 4, "givens": "1...\n..3.\n.4..\n...2"}
    with studio(tmp_path, answer="pyasp_puzzles.studio.questions.answer_question") as one:
        processes = []
        for _ in range(3):
            assert one.ask("state", board=board, limit=10).records[-1]["kind"] == "end"
            sleep(0.2)  # longer than a process takes to be replaced
            processes.append(set(one.processes()))
    assert processes[0] <= processes[1] <= processes[2]


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        ("refuse", "this is wrong"),
        ("fail", "This failed: KeyError: 'fail'"),
        ("nonsense", "This failed: KeyError: 'nonsense'"),
        ("die", "it ended the process"),
    ],
)
def test_a_question_that_fails_ends_with_words(shared: Studio, ask: str, words: str) -> None:
    """A question that fails, even with its process, ends with an error and the end; the next one is answered."""
    *_, error, end = shared.ask(ask).records
    assert error | {"words": ""} == {"kind": "error", "words": "", "file": "", "line": None}
    assert words in error["words"]
    assert end == {"kind": "end", "late": False}
    assert shared.quick() < SOON


def test_a_process_with_something_left_behind_is_replaced(shared: Studio) -> None:
    """A process in which a search goes on, as nothing can stop it, answers no other question."""
    left, other = (int(shared.ask(ask).records[0]["text"]) for ask in ("leave", "print"))
    assert left != other
    assert ended(left, SOON)


@pytest.mark.slow
def test_a_process_that_grows_is_replaced(tmp_path: Path) -> None:
    """A process that keeps more and more from question to question is replaced before it is large."""
    with studio(tmp_path) as one:
        processes = [int(one.ask("keep", size=2**21).records[0]["text"]) for _ in range(250)]
        assert 1 < len({*processes}) < 10
        assert resident(processes[-1]) < 2**28
        assert ended(processes[0], SOON)


@pytest.mark.slow
def test_questions_do_not_write_on_the_terminal(tmp_path: Path) -> None:
    """Neither what a question prints nor what fails in it, or in the process, is written where the studio runs."""
    with studio(tmp_path) as one:
        for ask in ("print", "fail", "die", "refuse"):
            one.ask(ask)
        assert one.quick() < SOON
    assert (tmp_path / "errors.txt").read_bytes() == b""


@pytest.mark.slow
@pytest.mark.parametrize("ask", ["loop", *RULES])
def test_a_question_that_overruns_is_ended(tmp_path: Path, ask: str) -> None:
    """Endless loops, groundings and searches are ended in time, with their process; the next question is answered."""
    with studio(tmp_path) as one:
        one.quick()
        sleep(1)
        started = monotonic()
        pid, error, end = one.ask(ask, seconds=1).records
        assert 1 < monotonic() - started < SOON
        assert error["words"] == "This took longer than 1 seconds, and was stopped."
        assert end == {"kind": "end", "late": True}
        assert one.quick() < SOON
        assert ended(int(pid["text"]), SOON)
        assert one.has_no_zombies()
    assert (tmp_path / "errors.txt").read_bytes() == b""


@pytest.mark.alone
@pytest.mark.parametrize("ask", ["fill", "billion"])
def test_memory_is_bounded(tmp_path: Path, ask: str) -> None:
    """A question that takes more than 2 GB is ended, and its process with it; the next question is answered."""
    with studio(tmp_path) as one:
        one.quick()
        pid, error, end = one.ask(ask, seconds=60).records
        assert "2 GB of memory" in error["words"] or "bad_alloc" in error["words"]
        assert end == {"kind": "end", "late": False}
        assert one.quick() < SOON
        assert ended(int(pid["text"]), SOON)


@pytest.mark.slow
def test_every_process_can_be_killed(tmp_path: Path) -> None:
    """When all processes are killed, that which starts them included, the next question is answered all the same."""
    with studio(tmp_path) as one:
        one.quick()
        for _ in range(2):
            for pid in one.processes():
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            sleep(0.2)
            assert one.quick() < SECONDS
        for _ in range(10):
            assert "it ended the process" in one.ask("die").text
            assert one.quick() < SOON
        assert one.has_no_zombies()


@pytest.mark.alone
def test_fifty_questions_at_once(tmp_path: Path) -> None:
    """Of fifty questions at once, each is answered or politely refused, and the next one is answered."""
    with studio(tmp_path) as one, ThreadPoolExecutor(50) as clients:
        one.quick()
        for ask, options in (("wait", {"time": 0.05}), ("loop", {"seconds": 1})):
            replies = list(clients.map(lambda _, ask=ask, options=options: one.ask(ask, **options), range(50)))
            assert {reply.status for reply in replies} == {200, 503}
            assert all("Too many questions" in reply.text for reply in replies if reply.status == 503)
            assert {reply.records[-1]["late"] for reply in replies if reply.status == 200} == {ask == "loop"}
            assert one.quick() < SOON
        assert len(one.processes()) <= 1 + MOST_AT_WORK


@pytest.mark.slow
def test_a_page_that_is_closed_ends_its_questions(tmp_path: Path) -> None:
    """A client that goes away ends its question at once, at work or waiting; a short question keeps its process."""
    with studio(tmp_path) as one:
        one.quick()
        for ask in ("loop", *RULES):
            connection, reply, pid = one.begin(ask, seconds=60)
            closed(connection, reply)
            assert ended(pid, SOON), ask
            assert one.quick() < SOON
        waiting = []
        for _ in range(20):
            connection = one.connection()
            one.send(connection, "POST", "/ask", json.dumps({"ask": "loop", "seconds": 60}).encode())
            waiting.append(connection)
        sleep(0.2)
        for connection in waiting:
            connection.close()
        assert one.quick() < SOON
        connection, reply, pid = one.begin("wait", time=0.05)
        closed(connection, reply)
        sleep(0.2)
        assert int(one.ask("print").records[0]["text"]) == pid
        assert one.has_no_zombies()


def closed(connection: HTTPConnection, reply: object) -> None:
    """Close a connection from which an answer comes."""
    assert connection.sock
    connection.sock.shutdown(socket.SHUT_RDWR)
    connection.close()
    del reply


@pytest.mark.slow
def test_a_client_that_does_not_read_is_left(tmp_path: Path) -> None:
    """A client that takes no records, or sends no more of its question, holds nothing for longer than its limit."""
    with studio(tmp_path) as one:
        one.quick()
        for seconds in (1, 60):
            connection, reply, pid = one.begin("count", limit=10**9, size=1000, seconds=seconds)
            assert ended(pid, SOON)
            assert one.quick() < SOON
            closed(connection, reply)
        slow = one.connection()
        one.send(slow, "POST", "/ask", headers={"Content-Length": "100"})
        assert slow.getresponse().status == 408
        slow.close()


def test_clients_that_do_not_read_make_room(tmp_path: Path) -> None:
    """Clients that ask for much and read nothing keep no other one waiting."""
    with studio(tmp_path) as one:
        one.quick()
        begun = [one.begin("count", limit=10**9, size=10**5, seconds=60) for _ in range(2 * MOST_AT_WORK)]
        assert [one.ask("echo", text=text, seconds=60).status for text in "abc"] == [200] * 3
        for connection, reply, _ in begun:
            closed(connection, reply)


@pytest.mark.slow
def test_many_answers_take_no_memory(tmp_path: Path) -> None:
    """The answers pass through: 100 MB of them leave the server as small as it was."""
    with studio(tmp_path) as one:
        one.quick()
        before = resident(one.process.pid)
        connection, reply, _ = one.begin("count", limit=10_000, size=10_000, seconds=60)
        assert sum(1 for _ in reply) == 10_001
        connection.close()
        assert resident(one.process.pid) - before < 20 * 2**20


# -- How it starts and ends --------------------------------------------------------------


@pytest.mark.slow
def test_an_interrupt_ends_it(tmp_path: Path) -> None:
    """Ctrl-C ends the server and its processes at once, in the middle of questions; nothing is written."""
    with studio(tmp_path) as one:
        begun = [one.begin("loop", seconds=60) for _ in range(2)]
        processes = one.processes()
        assert {pid for *_, pid in begun} <= set(processes)
        one.process.send_signal(signal.SIGINT)
        assert one.process.wait(SOON) == 0
        assert all(ended(pid, SOON) for pid in processes)
        for connection, reply, _ in begun:
            closed(connection, reply)
    assert (tmp_path / "errors.txt").read_bytes() == b""


@pytest.mark.slow
def test_processes_end_with_a_server_that_is_killed(tmp_path: Path) -> None:
    """When the server is killed, its processes end, whatever they are doing."""
    with studio(tmp_path, code=-signal.SIGKILL) as one:
        connection, reply, _ = one.begin("ground", seconds=60)
        processes = one.processes()
        one.process.kill()
        assert all(ended(pid, 5) for pid in processes)
        closed(connection, reply)
    assert (tmp_path / "errors.txt").read_bytes() == b""


@pytest.mark.slow
def test_the_command_prints_the_address(tmp_path: Path) -> None:
    """The command prints the address of the page, which has the boards of a file; Ctrl-C ends it with exit code 0."""
    with start("studio", "sudoku/easy", "--no-browser", "--port", "0", where=tmp_path) as process:
        line = process.stdout.readline().decode()
        assert re.fullmatch(r"The studio is at http://127\.0\.0\.1:\d+/\?token=[0-9a-f]{48}\n", line)
        assert process.stdout.readline() == b"Ctrl-C ends it.\n"
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=SECONDS)
    assert (process.returncode, out, errors) == (0, b"", b"")


@pytest.mark.skipif(not (PACKAGE / "studio" / "page" / "index.html").exists(), reason="there is no page yet")
@pytest.mark.parametrize("key", ["thermometers", "thermos"])
@pytest.mark.slow
def test_the_command_honours_variants(tmp_path: Path, key: str) -> None:
    """The page has the board of the file, with the keys of variants that ship, and of those in --puzzles."""
    write_files(ADDING, tmp_path)
    write(tmp_path, {"my.toml": f'puzzle = "sudoku"\nsize = [4, 4]\n{key} = "r1c1 r1c2 r2c2"\n'})
    folders = ["--puzzles", "thermo"] if key == "thermos" else []
    with start("studio", "my.toml", *folders, "--no-browser", "--port", "0", where=tmp_path) as process:
        one = Studio(process, re.findall(r"http://\S+", process.stdout.readline().decode())[0])
        page = one.request("GET", f"/?token={one.token}").text
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=SECONDS)
    assert f"{key} = &quot;r1c1 r1c2 r2c2&quot;" in page or f"{key} = [&quot;r1c1 r1c2 r2c2&quot;]" in page


def test_boards_are_in_the_page(shared: Studio) -> None:
    """The page has the text of the boards that it begins with, as it is."""
    page = shared.request("GET", f"/?token={shared.token}").text
    [content] = re.findall(r'<meta name="board" content="(.*?)">', page, re.DOTALL)
    for character, name in (("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("&", "&amp;")):
        content = content.replace(name, character)
    assert content == BOARD
    assert loads(content)[0].title == 'A <b> & "c" \\1'


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("missing.toml", "missing.toml: "),
        ("bad.toml", "bad.toml:1: "),
        ("--port 70000", "Invalid value for '--port': 70000 is not in the range 0<=x<=65535"),
        ("--port {taken}", "port {taken} cannot be used: Address already in use; choose another one with --port"),
        ("many.txt", "many.txt: 2000 boards are too many for the studio; choose a smaller file"),
        ("https://example.com/1", "https://example.com/1: pyasp does not know the site"),
        ("--puzzles nowhere", "nowhere: there are no puzzles here; name a folder"),
        ("--puzzles broken", "broken: there is no broken.lp with the rules"),
    ],
)
def test_wrong_usage(tmp_path: Path, arguments: str, says: str) -> None:
    """A file that cannot be read, or a port that is taken, gives one line and exit code 2."""
    many = "".join(f"{'.' * (number % 81)}1{'.' * (80 - number % 81)}\n" for number in range(2000))
    write(tmp_path, {"bad.toml": "puzzle = 1\n", "many.txt": many, "broken/puzzle.toml": "summary = 1\n"})
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = run_command("studio", "--no-browser", *arguments.format(taken=port).split(), where=tmp_path)
    refused(done, says.format(taken=port))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("missing", ["starlette", "uvicorn"])
def test_without_the_extra(tmp_path: Path, missing: str) -> None:
    """Without the extra there is one line that says what to install, and exit code 2."""
    code = f"import sys; sys.modules['{missing}'] = None; from pyasp_puzzles.__main__ import main; main()"
    done = process([sys.executable, "-c", code, "studio"], tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == ("pyasp: the studio needs Starlette and uvicorn; run pip install 'pyasp-puzzles[studio]'\n")


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGHUP])
def test_the_browser_gets_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: signal.Signals) -> None:
    """The browser is given a file that leads to the page, so the token is in no list of processes; it prints nothing.

    The file is gone when the studio ends, however it is told to.
    """
    script = '#!/bin/sh\necho noise; echo noise >&2\necho "$1" > opened\ncp "${1#file://}" seen.html\n'
    browser = write(tmp_path, {"browser": script}) / "browser"
    browser.chmod(0o755)
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    with start("studio", "--port", "0", where=tmp_path) as process:
        address = re.findall(r"http://\S+", process.stdout.readline().decode())[0]
        until = monotonic() + SECONDS
        while not (tmp_path / "seen.html").exists() and monotonic() < until:
            sleep(0.01)
        sleep(0.1)
        [file] = (tmp_path / "temporary").rglob("*.html")
        assert oct(file.parent.stat().st_mode)[-3:] == "700"
        process.send_signal(end)
        assert process.communicate(timeout=SECONDS) == (b"Ctrl-C ends it.\n", b"")
        assert process.returncode == 0
    assert (tmp_path / "opened").read_text(encoding="utf-8") == f"{file.as_uri()}\n"
    assert address in (tmp_path / "seen.html").read_text(encoding="utf-8")
    assert list((tmp_path / "temporary").iterdir()) == []


# -- In a browser --------------------------------------------------------------------------

# Ask a question, and return the first record of its answer: the process that works on it.
BEGIN = """
(async (ask, done) => {
  window.control = new AbortController();
  const reader = (await window.ask({ ask, seconds: 60 }, window.control.signal)).body.getReader();
  done(JSON.parse(new TextDecoder().decode((await reader.read()).value).split("\\n")[0]).text);
})(...arguments)
"""
# Ask another server in several ways; return the status of each answer.
ATTEMPTS = """
(async (host, token, done) => {
  const results = [];
  for (const [path, options] of [
    ["/ask", { method: "POST", mode: "no-cors", body: "{}" }],
    ["/ask", { method: "POST", headers: { "Content-Type": "application/json", "X-Token": token }, body: "{}" }],
    ["/?token=" + token, { credentials: "include" }],
    ["/page/main.js", {}],
  ]) {
    results.push(await fetch("http://" + host + path, options).then((reply) => reply.status, () => "refused"));
  }
  done(results);
})(...arguments)
"""


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Chrome]:
    """Return a browser."""
    if not CHROMIUM or not DRIVER:
        pytest.skip("needs Chromium and its driver: apt-get install chromium-driver")
    pytest.importorskip("selenium", reason="needs selenium: pip install '.[test]'")
    from selenium.webdriver import Chrome, ChromeOptions
    from selenium.webdriver.chrome.service import Service

    options = ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for argument in [*QUIET, f"--user-data-dir={tmp_path / 'profile'}"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Chrome(options=options, service=Service(DRIVER))
    yield driver
    driver.quit()


def told(browser: Chrome, element: str, words: str) -> bool:
    """Return whether an element of a page comes to say something."""
    until = monotonic() + SECONDS
    while words not in (
        text := browser.execute_script(f"return document.querySelector('{element}')?.textContent ?? ''")
    ):
        if monotonic() > until:
            pytest.fail(f"{element}: {text}")
        sleep(0.02)
    return True


@pytest.mark.slow
def test_a_process_that_is_killed_leaves_no_temporary_files(tmp_path: Path) -> None:
    """Its temporary files are gone when the server ends."""
    with studio(tmp_path) as one:
        left = Path(one.ask("store").records[1]["text"])
        assert left.is_dir()
    assert not left.exists()


@pytest.mark.browser
def test_the_page_opens_from_a_file_and_loads_again(tmp_path: Path, browser: Chrome) -> None:
    """The file for the browser leads to the page; it loads again without the token in its address, and none without."""
    with studio(tmp_path) as one:
        file = tmp_path / "file.html"
        file.write_text(REDIRECT.format(address=one.address), encoding="utf-8")
        browser.get(file.as_uri())
        assert told(browser, "#told", "answered")
        for _ in range(2):
            assert browser.current_url == f"http://{one.host}/"
            browser.refresh()
            assert told(browser, "#told", "answered")
        assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]
        browser.delete_all_cookies()
        browser.refresh()
        assert told(browser, "p", "Open the address")


@pytest.mark.browser
def test_a_tab_that_is_closed_ends_its_question(tmp_path: Path, browser: Chrome) -> None:
    """When a question is dropped, and when its tab is closed in mid-search, its process ends."""
    with studio(tmp_path) as one:
        browser.get(one.address)
        assert told(browser, "#told", "answered")
        dropped = int(browser.execute_async_script(BEGIN, "loop"))
        browser.execute_script("window.control.abort()")
        assert ended(dropped, SOON)
        closed_with_tab = int(browser.execute_async_script(BEGIN, "ground"))
        browser.switch_to.new_window("tab")
        browser.switch_to.window(browser.window_handles[0])
        browser.close()
        assert ended(closed_with_tab, SOON)
        browser.switch_to.window(browser.window_handles[0])
        assert one.quick() < SOON


@pytest.mark.browser
def test_other_pages_cannot_ask(tmp_path: Path, browser: Chrome) -> None:
    """A page of another port of this computer gets nothing, nor does a file, though they had the token."""
    with studio(tmp_path) as one, studio(tmp_path) as other:
        browser.get(other.address)
        assert told(browser, "#told", "answered")
        assert browser.execute_async_script(ATTEMPTS, one.host, one.token) == ["refused"] * 4
        # Without the policy of the studio's own pages.
        file = tmp_path / "evil.html"
        file.write_text("<p>evil", encoding="utf-8")
        browser.get(file.as_uri())
        assert browser.execute_async_script(ATTEMPTS, one.host, one.token) == ["refused"] * 4
        assert one.ask("print").status == 200
