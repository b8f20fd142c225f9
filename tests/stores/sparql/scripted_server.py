"""A web server on loopback that answers exactly as a test says, byte by byte: for what real servers do rarely, and for
servers that cannot be had here (GraphDB, QLever, the Wikidata Query Service), by their published protocol."""

from __future__ import annotations

import contextlib
import json
import socket
import socketserver
import threading
import time
import urllib.parse
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

RESULTS = "application/sparql-results+json"


@dataclass(frozen=True)
class Asked:
    """A request as it came."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def form(self) -> dict[str, list[str]]:
        """The parameters of the URL and of a form."""
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
        if self.headers.get("content-type") == "application/x-www-form-urlencoded":
            query |= urllib.parse.parse_qs(self.body.decode())
        return query

    @property
    def query(self) -> str:
        """The query text, however it was sent."""
        return self.form["query"][0] if "query" in self.form else self.body.decode()


@dataclass
class Line:
    """The connection to a client."""

    socket: socket.socket
    closing: threading.Event = field(default_factory=threading.Event)

    def send(self, content: bytes) -> None:
        self.socket.sendall(content)

    def reply(
        self,
        body: bytes | str,
        *,
        status: str = "200 OK",
        type: str = RESULTS,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """A whole reply."""
        content = body.encode() if isinstance(body, str) else body
        fields = {"Content-Type": type, "Content-Length": str(len(content)), **(headers or {})}
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        self.send(f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + content)

    def head(
        self, *, chunked: bool = True, type: str = RESULTS, headers: Mapping[str, str] | None = None
    ) -> None:
        """Only the head of a reply, to be followed by :meth:`chunk`."""
        fields = {
            "Content-Type": type,
            **({"Transfer-Encoding": "chunked"} if chunked else {}),
            **(headers or {}),
        }
        self.send(
            b"HTTP/1.1 200 OK\r\n" + "".join(f"{n}: {v}\r\n" for n, v in fields.items()).encode() + b"\r\n"
        )

    def chunk(self, content: bytes | str) -> None:
        data = content.encode() if isinstance(content, str) else content
        self.send(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def drip(self, content: bytes, seconds: float = 0.05) -> None:
        """Sends byte by byte, for as long as the client stays."""
        for place in range(len(content)):
            self.send(content[place : place + 1])
            time.sleep(seconds)

    def cut(self) -> None:
        """Breaks the connection off, as a crash would."""
        with contextlib.suppress(OSError):
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
        self.socket.close()
        raise ConnectionAbortedError


Script = Callable[[Asked, Line], Any]


class ScriptedServer:
    """Runs for as long as the context lasts. ``asked`` has every request."""

    def __init__(self, script: Script) -> None:
        self.asked: list[Asked] = []
        self._script = script

    def __enter__(self) -> Self:
        outer = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                with contextlib.suppress(OSError):
                    while (asked := _read(self.request)) is not None:
                        outer.asked.append(asked)
                        outer._script(asked, Line(self.request))

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = True
            daemon_threads = True
            block_on_close = False

        self._server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        ).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/sparql"


def _read(line: socket.socket) -> Asked | None:
    data = b""
    while b"\r\n\r\n" not in data:
        piece = line.recv(65_536)
        if not piece:
            return None
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {
        name.strip().lower(): value.strip() for name, _, value in (item.partition(":") for item in lines)
    }
    length = int(headers.get("content-length", 0))
    while len(body) < length:
        body += line.recv(65_536)
    method, path, _ = first.split(" ")
    return Asked(method, path, headers, body)


# --- results


def results(columns: list[str], rows: list[dict[str, Any]]) -> str:
    """A result in the JSON format; a plain text in a row is a literal."""
    bindings = [
        {
            name: value if isinstance(value, dict) else {"type": "literal", "value": value}
            for name, value in row.items()
        }
        for row in rows
    ]
    return json.dumps({"head": {"vars": columns}, "results": {"bindings": bindings}})


YES = json.dumps({"head": {}, "boolean": True})


def answering(*bodies: str, **options: Any) -> Script:
    """Answers ASK with yes, and everything else with these bodies, one after the other; the last again and again."""
    left = list(bodies)

    def script(asked: Asked, line: Line) -> None:
        if asked.query.strip().upper().startswith("ASK"):
            line.reply(YES)
        else:
            line.reply(left.pop(0) if len(left) > 1 else left[0], **options)

    return script
