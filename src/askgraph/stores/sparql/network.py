"""Sockets with a deadline.

httpx2 and httpcore2 know time-outs for each single read: a server that sends a byte now and then is never cut. So here
the "time-outs" that a request carries are moments on the clock of :func:`time.monotonic`, and every connect, read and
write waits at most until then.
"""

from __future__ import annotations

import ipaddress
import queue
import socket
import ssl
import threading
import time
from collections.abc import Iterable
from typing import Any, Final

import httpcore2

# What is written at once: a server that reads slowly is noticed after each piece.
_PIECE: Final = 16_384


class DeadlineBackend(httpcore2.NetworkBackend):
    """Connects by TCP; what it takes for time-outs are moments."""

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        """Connect to the first of the host's addresses that answers in time."""
        backend = httpcore2.SyncBackend()
        fault: httpcore2.ConnectError | httpcore2.ConnectTimeout | None = None
        for address in _addresses(host, port, timeout):
            try:
                stream = backend.connect_tcp(
                    address,
                    port,
                    _left(timeout, httpcore2.ConnectTimeout),
                    local_address,
                    socket_options or (),
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                fault = error
            else:
                return _DeadlineStream(stream)
        raise fault or httpcore2.ConnectError(f"no address is known for {host}")

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)


class _DeadlineStream(httpcore2.NetworkStream):
    """A connection; what it takes for time-outs are moments."""

    def __init__(self, stream: httpcore2.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _left(timeout, httpcore2.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), _PIECE):
            self._stream.write(buffer[start : start + _PIECE], _left(timeout, httpcore2.WriteTimeout))

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        left = _left(timeout, httpcore2.ConnectTimeout)
        return _DeadlineStream(self._stream.start_tls(ssl_context, server_hostname, left))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)

    def close(self) -> None:
        self._stream.close()


def _left(moment: float | None, error: type[httpcore2.TimeoutException]) -> float | None:
    """Seconds until a moment. Raises ``error`` if it is past."""
    if moment is None:
        return None
    left = moment - time.monotonic()
    if left <= 0:
        raise error("the time is up")
    return left


def _addresses(host: str, port: int, moment: float | None) -> list[str]:
    """The addresses of a host. The system's resolver knows no time-out, so it is asked in a thread and left behind."""
    try:
        return [str(ipaddress.ip_address(host))]
    except ValueError:
        pass
    answers: queue.SimpleQueue[list[str] | OSError] = queue.SimpleQueue()

    def ask() -> None:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as error:
            answers.put(error)
        else:
            answers.put(list(dict.fromkeys(str(entry[4][0]) for entry in found)))

    threading.Thread(target=ask, daemon=True).start()
    try:
        answer = answers.get(timeout=_left(moment, httpcore2.ConnectTimeout))
    except queue.Empty:
        raise httpcore2.ConnectTimeout(f"nobody knew in time where {host} is") from None
    if isinstance(answer, OSError):
        raise httpcore2.ConnectError(f"nobody knows where {host} is: {answer.strerror or answer}") from answer
    return answer
