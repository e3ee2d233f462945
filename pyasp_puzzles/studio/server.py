"""`serve_studio`, the studio's server: its page and its files, and the answers to the page's questions.

Rules are programs, so the server answers only this computer, and only pages that know its token:
`_Guard` refuses what other sites, and other programs of theirs, could send through a browser.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import re
import secrets
import signal
import socket
from contextlib import suppress
from html import escape
from math import isnan
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from pyasp_puzzles.errors import ArgumentError
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.puzzles.declaration import PUZZLES_VARIABLE
from pyasp_puzzles.render.theme import style_sheet
from pyasp_puzzles.studio.processes import BusyProcessesError, Processes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

# At most so many bytes of a question that is too large are read, so that the page gets an answer.
_MOST_DISCARDED = 2**22
# At most so many connections are idle, or send a request; of more, the one that did nothing for the longest is closed.
_MOST_IDLE = 100
# Seconds in which a client must read what is sent to it, and the bytes that may lie unread in the system.
_READING_SECONDS = 4
_MOST_UNREAD = 2**16
# Seconds in which the head of a request must have come, and then the rest.
_REQUEST_SECONDS = 10
# Seconds until an idle connection is closed; long, so that a page seldom uses it at that moment.
_IDLE_SECONDS = 300

_ADDRESS = "127.0.0.1"
# Ports to try if none is given: browsers keep the data of a page by its port.
_PORTS = range(8047, 8057)
_ANSWER = "pyasp_puzzles.studio.questions.answer_question"
PAGE = Path(__file__).parent / "page"
_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json"}
# The style of pictures, made by `render`; the page's policy forbids style in the pictures themselves.
_BOARD_STYLE = "board.css"
# The player of steps, which the pages of `render` have, too.
_PLAYER, _CONTROLS = (Path(__file__).parents[1] / "render" / name for name in ("player.js", "controls.html"))
# Questions answered in advance, so that the first ones of a page, and of a new process, are as fast as others.
_GIVENS = "1234567.. 456789123 789123456 231564897 564897231 897231564 312645978 645978312 978312645".split()  # noqa: SIM905
_BOARD = {"puzzle": "sudoku", "givens": _GIVENS}
_WARM_UP = tuple({"ask": name, "board": _BOARD} for name in ("board", "hint", "catalogue"))
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:;"
        " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
# What is refused is not read to its end.
_CLOSE = {"Connection": "close"}
_UNKNOWN = (
    "<!doctype html><html lang=en><title>The studio</title><h1>The studio</h1><p>Open the address that"
    " <code>pyasp studio</code> printed when it started: it is a new one each time."
    "<p>What you wrote on boards is kept in this browser."
)


def serve_studio(
    ready: Callable[[str], None],
    *,
    port: int | None = None,
    board: str = "",
    puzzles: Sequence[Path] = (),
    answer: str = _ANSWER,
    page: Path = PAGE,
    warm_up: Sequence[dict[str, Any]] = _WARM_UP,
) -> None:
    """Serve the studio until Ctrl-C.

    Args:
        ready: called with the address of the page, which has the token, when the page can be opened.
        port: the port; by default the first that is free of a few, 0 for any.
        board: the text of a file of boards for the page to begin with.
        puzzles: folders of puzzles besides those that ship.
        answer: the function that answers questions, by its dotted name; it yields records.
        page: the directory of the page's files.
        warm_up: questions that are answered ahead, so that what they need is there.

    Raises:
        ArgumentError: the port is taken.
    """
    folders = [*(str(folder.resolve()) for folder in puzzles), *filter(None, [os.environ.get(PUZZLES_VARIABLE)])]
    # Processes that are killed leave their temporary files to be removed in the end.
    with _listener(port) as listener, TemporaryDirectory(prefix="pyasp-studio-") as temporary:
        environment = os.environ | {"TMPDIR": temporary}
        environment |= {PUZZLES_VARIABLE: os.pathsep.join(folders)} if folders else {}
        studio = _Studio(listener.getsockname()[1], page, board)
        config = uvicorn.Config(
            studio.application,
            http=_Connection,
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="critical",
            access_log=False,
            server_header=False,
            timeout_keep_alive=_IDLE_SECONDS,
            timeout_graceful_shutdown=1,
        )

        class Server(uvicorn.Server):
            """A server that ends the questions before it waits for their answers."""

            async def startup(self, sockets: list[socket.socket] | None = None) -> None:
                await super().startup(sockets)
                studio.processes = Processes(answer, warm_up, environment)
                ready(studio.address)

            async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
                await studio.processes.close()
                await super().shutdown(sockets)

        gc.set_threshold(1000)  # connections that are closed are garbage, each with a question that may be large
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # uvicorn raises it again when all is closed
        if signal.getsignal(signal.SIGHUP) == signal.SIG_DFL:  # not under nohup
            signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))
        with suppress(KeyboardInterrupt):
            Server(config).run([listener])


def _listener(port: int | None) -> socket.socket:
    """Return a socket that listens on this computer only."""
    wrong = None
    for wanted in (*_PORTS, 0) if port is None else (port,):
        try:
            return socket.create_server((_ADDRESS, wanted))
        except OSError as error:
            wrong = error
    reason = os.strerror(wrong.errno) if wrong and wrong.errno else "it is taken"
    raise ArgumentError(f"port {port} cannot be used: {reason}; choose another one with --port")


class _Studio:
    """The state of one run of the server: its token, its page and its processes."""

    processes: Processes

    def __init__(self, port: int, page: Path, board: str) -> None:
        self._page, self._board = page, board
        self._token = secrets.token_hex(24)
        self._cookie = f"pyasp-{port}"  # cookies do not know ports
        self.address = f"http://{_ADDRESS}:{port}/?token={self._token}"
        ask = Route("/ask", self._ask, methods=["POST"])
        routes = [Route("/", self._index), Route("/page/{name}", self._file), ask]
        self.application = _Guard(Starlette(routes=routes), port, self._knows)

    def _knows(self, token: str | None) -> bool:
        """Return whether a token is that of this run."""
        return secrets.compare_digest((token or "").encode(errors="replace"), self._token.encode())

    async def _index(self, request: Request) -> Response:
        """Return the page, with the token in it; a cookie keeps the token for when the page is loaded again."""
        given = request.query_params.get("token"), request.cookies.get(self._cookie), request.headers.get("x-token")
        if not any(map(self._knows, given)):
            return HTMLResponse(_UNKNOWN, 403)
        text = (
            (self._page / "index.html").read_text(encoding="utf-8").replace("$controls", _CONTROLS.read_text("utf-8"))
        )
        response = HTMLResponse(_filled(_filled(text, "token", self._token), "board", self._board))
        response.set_cookie(self._cookie, self._token, httponly=True, samesite="strict")
        return response

    async def _file(self, request: Request) -> Response:
        """Return a file of the page, which is no secret."""
        name = request.path_params["name"]
        if name == _BOARD_STYLE:
            return Response(style_sheet(), media_type="text/css")
        files = {path.name: path for path in (*self._page.iterdir(), _PLAYER) if path.suffix in _TYPES}
        if name not in files:
            return PlainTextResponse("There is no such file.", 404)
        return Response(files[name].read_bytes(), media_type=_TYPES[files[name].suffix])

    async def _ask(self, request: Request) -> Response:
        """Return the answer to a question, sent record by record."""
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if not self._knows(request.headers.get("x-token")):
            return PlainTextResponse("The token is missing or wrong; open the address that pyasp studio printed.", 403)
        if kind != "application/json":
            return PlainTextResponse("A question is application/json.", 415)
        try:
            async with asyncio.timeout(_REQUEST_SECONDS):
                body = await _body(request)
        except TimeoutError:
            return PlainTextResponse("The question did not come in time.", 408)
        if body is None:
            return PlainTextResponse(f"A question has at most {Limits.LARGEST_QUESTION} bytes.", 413)
        try:
            question = json.loads(body)
            question["seconds"] = _seconds(question.get("seconds"))
        except (ValueError, RecursionError, TypeError, AttributeError):
            return PlainTextResponse("A question is a JSON object; its seconds are a number above 0.", 400)
        return _Answer(self.processes, question)


class _Answer(Response):
    """The records of a question, sent as they come; the question ends when the client goes away."""

    def __init__(self, processes: Processes, question: dict[str, Any]) -> None:
        super().__init__()
        self._processes, self._question = processes, question

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the records."""
        tasks = [asyncio.create_task(work) for work in (self._send(scope, receive, send), _gone(receive))]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if not tasks[0].cancelled():
            tasks[0].result()

    async def _send(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def write(records: bytes, *, more: bool = True) -> None:
            nonlocal begun
            if not begun:
                begun, headers = True, [(b"content-type", b"application/jsonl")]
                await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": records, "more_body": more})

        try:
            await self._processes.ask(self._question, write)
            await write(b"", more=False)
        except BusyProcessesError:
            await PlainTextResponse("Too many questions at once; ask again in a moment.", 503)(scope, receive, send)


class _Connection(H11Protocol):
    """A connection that is closed if a head is late, if its client reads nothing, or if too many ask nothing."""

    _late: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None
    since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        # asyncio does not set it for a socket of `create_server`; a small record would wait 40 ms for the one before.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _MOST_UNREAD)
        transport.set_write_buffer_limits(0)  # whatever is left of what was sent must be read in time
        self._watch()
        others = [
            connection
            for connection in self.connections
            if isinstance(connection, _Connection) and connection.asks_nothing()
        ]
        if len(others) > _MOST_IDLE:
            min(others, key=lambda connection: connection.since).transport.close()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(_READING_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._unread:
            self._unread.cancel()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        for timer in filter(None, (self._late, self._unread)):
            timer.cancel()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def is_idle(self) -> bool:
        """Return whether no request is being answered, and the connection is open."""
        return (not self.cycle or self.cycle.response_complete) and not self.transport.is_closing()

    def asks_nothing(self) -> bool:
        """Return whether it is idle, or a request has not come whole."""
        comes = self.cycle is not None and self.cycle.more_body and not self.transport.is_closing()
        return comes or self.is_idle()

    def _watch(self) -> None:
        """Close the connection if no request has begun in some seconds."""
        self.since = self.loop.time()
        if not self.is_idle():
            if self._late:
                self._late.cancel()
            self._late = None
        elif not self._late:
            self._late = self.loop.call_later(_REQUEST_SECONDS, self.transport.close)


class _Guard:
    """Middleware that refuses requests from other sites, and adds the headers that all answers have."""

    def __init__(self, app: ASGIApp, port: int, knows: Callable[[str | None], bool]) -> None:
        self._app, self._knows = app, knows
        # A page of another name may resolve to this computer.
        self._hosts = {f"{name}:{port}".removesuffix(":80") for name in (_ADDRESS, "localhost")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS if message["status"] < 400 else _HEADERS | _CLOSE)
            await send(message)

        app = self._app if self._is_ours(scope) else PlainTextResponse("This is not for other sites.", 403)
        await app(scope, receive, send_with_headers)

    def _is_ours(self, scope: Scope) -> bool:
        headers = Headers(scope=scope)
        host = headers.get("host", "")  # of two, h11 takes none
        if host not in self._hosts or headers.get("origin", f"http://{host}") != f"http://{host}":
            return False
        # Browsers say where a request comes from, and pages cannot change it: "none" is the address bar.
        if headers.get("sec-fetch-site", "none") in {"none", "same-origin"}:
            return True
        # A file that leads a browser here is another site, too, but it has the token.
        opens = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
        return opens and scope["path"] == "/" and self._knows(QueryParams(scope["query_string"]).get("token"))


async def _body(request: Request) -> bytes | None:
    """Return the body of a request; None if it is too large.

    A body that is a little too large is read to its end: a browser that cannot send all of it reads no answer.
    """
    declared = request.headers.get("content-length", "0")
    if not declared.isdecimal() or int(declared) > _MOST_DISCARDED:
        return None
    body, length = b"", 0
    with suppress(ClientDisconnect):
        async for part in request.stream():
            length += len(part)
            body += part if length <= Limits.LARGEST_QUESTION else b""
            if length > _MOST_DISCARDED:
                break
    return body if length <= Limits.LARGEST_QUESTION else None


async def _gone(receive: Receive) -> None:
    """Return when the client has gone away."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _seconds(given: object) -> float:
    """Return the limit of a question.

    Raises:
        ValueError: it is no number above 0.
    """
    seconds = Limits.QUESTION_SECONDS if given is None else given
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or isnan(seconds) or seconds <= 0:
        raise ValueError("expected a number of seconds")
    return float(min(seconds, Limits.MOST_QUESTION_SECONDS))


def _filled(page: str, name: str, content: str) -> str:
    """Return a page with the content of a `meta` element filled in."""
    element = f'<meta name="{name}" content="{escape(content)}">'
    return re.sub(rf'<meta name="{name}"[^>]*>', lambda _: element, page, count=1)
