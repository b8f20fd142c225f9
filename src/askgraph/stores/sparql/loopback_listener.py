"""A web server of our own on this machine, to see whether an endpoint calls it."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

_NOTHING = b'{"head": {"vars": []}, "results": {"bindings": []}}'


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def _answer(self) -> None:
        self.server.was_called = True
        self.send_response(200)
        self.send_header("Content-Type", "application/sparql-results+json")
        self.send_header("Content-Length", str(len(_NOTHING)))
        self.end_headers()
        self.wfile.write(_NOTHING)

    do_GET = do_POST = do_HEAD = _answer

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is logged: whoever called is told to the doctor alone."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    was_called = False


class LoopbackListener:
    """Listens on a free port of 127.0.0.1 for as long as the context lasts, and answers everything with no rows."""

    def __enter__(self) -> Self:
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._server.server_port}/askgraph-doctor"

    @property
    def was_called(self) -> bool:
        """Whether anybody called so far."""
        return self._server.was_called
