"""A model server of our own on loopback that fails in the ways in which real ones do, over real HTTP."""

from __future__ import annotations

import json
import socket
import ssl
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Asked:
    """A request that arrived."""

    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class FaultServer:
    """What a server does, and what it saw.

    Attributes:
        url: its address.
        asked: what arrived, in its order.
        hung_up: set when a client closed a connection while a reply was being written.
        finish: set to end what hangs.
    """

    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    hung_up: threading.Event = field(default_factory=threading.Event)
    finish: threading.Event = field(default_factory=threading.Event)


class Exchange:
    """One request, and the ways to answer it."""

    def __init__(self, handler: BaseHTTPRequestHandler, server: FaultServer, asked: Asked) -> None:
        self._handler = handler
        self._server = server
        self.asked = asked
        self.number = len(server.asked)

    def answer(self, body: Any, status: int = 200, **headers: str) -> None:
        """A whole answer: JSON data, or bytes as they are."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode("utf-8")
        self._handler.send_response(status)
        self._handler.send_header("Content-Type", headers.pop("content_type", "application/json"))
        self._handler.send_header("Content-Length", str(len(content)))
        for name, value in headers.items():
            self._handler.send_header(name.replace("_", "-"), value)
        self._handler.end_headers()
        self._handler.wfile.write(content)

    def fail(self, status: int, message: str = "no", **headers: str) -> None:
        """An error in OpenAI's form."""
        self.answer({"error": {"message": message, "type": "error", "code": None}}, status, **headers)

    def say(self, text: str, finish: str | None = "stop", *, usage: bool = True) -> None:
        """A chat completion, streamed if that was asked for."""
        if self.asked.body.get("stream"):
            self.begin_stream()
            for word in text.split(" "):
                self.piece(word + " ")
            self.end_stream(finish)
            return
        whole: dict[str, Any] = {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": self.asked.body.get("model"),
            "choices": [
                {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text}}
            ],
        }
        if usage:
            whole["usage"] = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
        self.answer(whole)

    def begin_stream(self) -> None:
        self._handler.send_response(200)
        self._handler.send_header("Content-Type", "text/event-stream")
        self._handler.send_header("Connection", "close")
        self._handler.end_headers()

    def piece(self, text: str, finish: str | None = None) -> None:
        """A piece of a stream; notes a client that has gone."""
        delta = {"content": text} if text else {}
        chunk = {
            "id": "1",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": "m",
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
        }
        self.write(f"data: {json.dumps(chunk)}\n\n".encode())

    def end_stream(self, finish: str | None = "stop") -> None:
        self.piece("", finish)
        self.write(b"data: [DONE]\n\n")

    def write(self, content: bytes) -> None:
        try:
            self._handler.wfile.write(content)
            self._handler.wfile.flush()
        except OSError:
            self._server.hung_up.set()
            raise

    def hang(self) -> None:
        """Nothing, until the test is over or the client has gone."""
        connection = self._handler.connection
        connection.settimeout(0.05)
        while not self._server.finish.is_set():
            try:
                if connection.recv(1) == b"":
                    self._server.hung_up.set()
                    return
            except TimeoutError:
                continue
            except OSError:
                return

    def cut(self) -> None:
        """The connection, broken off."""
        self._handler.connection.shutdown(socket.SHUT_RDWR)


@contextmanager
def fault_server(
    behave: Callable[[Exchange], None], *, tls: ssl.SSLContext | None = None
) -> Iterator[FaultServer]:
    """A server that answers each request as ``behave`` does; over TLS with a certificate."""
    state = FaultServer()
    failures: list[BaseException] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            raw = self.rfile.read(length)
            body = json.loads(raw) if raw else None
            asked = Asked(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
            state.asked.append(asked)
            self.close_connection = True
            try:
                behave(Exchange(self, state, asked))
            except OSError:
                state.hung_up.set()

        do_GET = do_POST

        def log_message(self, format: str, *args: Any) -> None:
            """Prints nothing."""

    class QuietServer(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

        def handle_error(self, request: Any, client_address: Any) -> None:
            """Prints nothing: that connections break is the point. What a test expected and did not get, counts."""
            error = sys.exception()
            if isinstance(error, AssertionError | KeyError):
                failures.append(error)

    server = QuietServer(("127.0.0.1", 0), Handler)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    state.url = f"http{'s' if tls else ''}://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        state.finish.set()
        server.shutdown()
        server.server_close()
        thread.join()
        if failures:
            raise failures[0]
