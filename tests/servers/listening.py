"""A place on loopback to which servers are made to call out, to see whether they do."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def listener() -> Iterator[tuple[str, list[bytes]]]:
    """A place on loopback that notes what arrives, and has nothing."""
    arrived: list[bytes] = []

    class Nothing(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            arrived.append(self.request.recv(1000))
            self.request.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    with socketserver.TCPServer(("127.0.0.1", 0), Nothing) as place:
        thread = threading.Thread(target=place.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{place.server_address[1]}/sparql", arrived
        place.shutdown()
        thread.join()
