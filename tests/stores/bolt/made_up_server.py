"""A server that speaks Bolt 5.4 on loopback and says what a test tells it to: to meet faults that no real server shows
on demand, and to speak as the documentation of a product says that runs nowhere here."""

from __future__ import annotations

import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from tests.stores.bolt.packstream import Structure, pack, unpack

_HELLO, _GOODBYE, _RESET, _RUN, _BEGIN, _COMMIT, _ROLLBACK = 0x01, 0x02, 0x0F, 0x10, 0x11, 0x12, 0x13
_DISCARD, _PULL, _TELEMETRY, _ROUTE, _LOGON, _LOGOFF = 0x2F, 0x3F, 0x54, 0x66, 0x6A, 0x6B
_SUCCESS, _RECORD, _IGNORED, _FAILURE = 0x70, 0x71, 0x7E, 0x7F


@dataclass(frozen=True)
class Rows:
    """What a query gives: columns, rows, and what is said at their end."""

    columns: Sequence[str] = ()
    rows: Sequence[Sequence[Any]] = ()
    end: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Fault:
    """A failure with a code."""

    code: str
    message: str = "something is wrong"


@dataclass(frozen=True)
class Cut:
    """The connection is closed after so many rows."""

    after: int = 0


@dataclass(frozen=True)
class Silence:
    """Nothing is said for so many seconds."""

    seconds: float


Answer = Rows | Fault | Cut | Silence
Handler = Callable[[str, Mapping[str, Any]], Answer]


class MadeUpServer:
    """Answers queries as ``handler`` says; ``asked`` are the texts that came, ``logons`` what was shown at the door."""

    def __init__(
        self,
        handler: Handler,
        *,
        agent: str = "Neo4j/5.26.0",
        logon: Answer | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._tls = tls
        self._handler = handler
        self._agent = agent
        self._logon = logon
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.asked: list[str] = []
        self.extras: list[Mapping[str, Any]] = []
        self.logons: list[Any] = []
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"bolt://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()
        for connection in self._open:
            connection.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._open.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            if self._tls is not None:
                connection = self._tls.wrap_socket(connection, server_side=True)
            with connection:
                _Conversation(self, connection).hold()
        except (OSError, EOFError):
            pass


class _Conversation:
    def __init__(self, server: MadeUpServer, connection: socket.socket) -> None:
        self._server = server
        self._connection = connection
        self._answer: Rows | Cut | None = None
        self._sent = 0
        self._failed = False

    def hold(self) -> None:
        self._receive(20)
        self._connection.sendall(b"\x00\x00\x04\x05")
        while True:
            message = self._message()
            if message.tag == _GOODBYE:
                return
            self._reply(message)

    def _reply(self, message: Structure) -> None:
        if message.tag == _RESET:
            self._failed, self._answer = False, None
            self._send(_SUCCESS, {})
        elif self._failed:
            self._send(_IGNORED)
        elif message.tag == _HELLO:
            self._send(_SUCCESS, {"server": self._server._agent, "connection_id": "bolt-1", "hints": {}})
        elif message.tag == _LOGON:
            self._server.logons.append(message.fields[0])
            self._say(self._server._logon or Rows())
        elif message.tag == _RUN:
            text, parameters, extra = message.fields
            self._server.asked.append(text)
            self._server.extras.append(extra)
            self._run(self._server._handler(text, parameters))
        elif message.tag in (_PULL, _DISCARD):
            self._stream(message)
        else:
            self._send(_SUCCESS, {})

    def _say(self, answer: Answer) -> None:
        match answer:
            case Fault(code, text):
                self._failed = True
                self._send(_FAILURE, {"code": code, "message": text})
            case Silence(seconds):
                time.sleep(seconds)
                raise EOFError
            case Cut(0):
                raise EOFError
            case _:
                self._send(_SUCCESS, {})

    def _run(self, answer: Answer) -> None:
        match answer:
            case Rows(columns):
                self._answer, self._sent = answer, 0
                self._send(_SUCCESS, {"fields": list(columns), "t_first": 0})
            case Cut(after) if after:
                self._answer, self._sent = answer, 0
                self._send(_SUCCESS, {"fields": ["n"], "t_first": 0})
            case _:
                self._say(answer)

    def _stream(self, message: Structure) -> None:
        answer, wanted = self._answer, message.fields[0].get("n", -1)
        if isinstance(answer, Cut):
            for number in range(answer.after):
                self._send(_RECORD, [number])
            raise EOFError
        assert isinstance(answer, Rows)
        rows = answer.rows[self._sent :]
        if message.tag == _PULL:
            part = rows if wanted < 0 else rows[:wanted]
            for row in part:
                self._send(_RECORD, list(row))
            self._sent += len(part)
            if self._sent < len(answer.rows):
                self._send(_SUCCESS, {"has_more": True})
                return
        self._answer = None
        self._send(_SUCCESS, {"type": "r", "t_last": 0, "db": "made-up", **answer.end})

    def _send(self, tag: int, *fields: Any) -> None:
        data = pack(Structure(tag, fields))
        chunks = [data[start : start + 0xFFFF] for start in range(0, len(data), 0xFFFF)]
        framed = b"".join(struct.pack(">H", len(chunk)) + chunk for chunk in chunks) + b"\x00\x00"
        self._connection.sendall(framed)

    def _message(self) -> Structure:
        data = b""
        while True:
            size = struct.unpack(">H", self._receive(2))[0]
            if size:
                data += self._receive(size)
            elif data:
                message: Structure = unpack(data)
                return message

    def _receive(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            part = self._connection.recv(count - len(data))
            if not part:
                raise EOFError
            data += part
        return data
