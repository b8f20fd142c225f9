"""Refuses every address but loopback, before anything is sent.

An audit hook sees each use of a socket by Python code, also below ``socket.socket`` and from asyncio, before the system
call is made, and cannot be taken out again. What it refuses is also noted in a file, so that a test whose code swallows
the error still fails. Sockets opened by compiled code are out of its sight; ``scripts/loopback_only.py`` holds those.

Started in the test process by ``conftest.py`` and in its Python children by ``sitecustomize.py``; therefore it imports
next to nothing.
"""

from __future__ import annotations

import os
import sys

LOG_VARIABLE = "TESTS_NETWORK_LOG"

# Audit event to the place of the address, or of the host, among its arguments.
_ADDRESS_EVENTS = {"socket.connect": 1, "socket.sendto": 1, "socket.sendmsg": 1}
_HOST_EVENTS = {"socket.getaddrinfo": 0, "socket.gethostbyname": 0, "socket.gethostbyaddr": 0}
# Looked up in order to listen, these send nothing. As an address to connect to they are not loopback.
_LISTEN_ANYWHERE = ("0.0.0.0", "::")

_started = False


class NetworkBlockedError(AssertionError):
    """Something tried to reach an address that is not loopback. Not an OSError, which code may rightly expect."""


def is_loopback(host: str) -> bool:
    """Whether this name or address never leaves the machine."""
    name = host.lower().rstrip(".")
    return name in ("", "localhost", "::1") or name.endswith(".localhost") or _is_loopback_ipv4(name)


def _is_loopback_ipv4(name: str) -> bool:
    parts = name.split(".")
    return len(parts) == 4 and parts[0] == "127" and all(part.isdigit() for part in parts)


def start() -> None:
    """Sets the hook, once in each process."""
    global _started
    if not _started:
        _started = True
        sys.addaudithook(_check)


def _check(event: str, arguments: tuple[object, ...]) -> None:
    if event in _ADDRESS_EVENTS:
        address = arguments[_ADDRESS_EVENTS[event]]
        # A Unix socket's address is a path; sendmsg on a connected socket has none.
        if (
            isinstance(address, tuple)
            and address
            and isinstance(address[0], str)
            and not is_loopback(address[0])
        ):
            _refuse(event, address[0])
    elif event in _HOST_EVENTS:
        host = arguments[_HOST_EVENTS[event]]
        if isinstance(host, bytes):
            host = host.decode("ascii", "replace")
        if isinstance(host, str) and host not in _LISTEN_ANYWHERE and not is_loopback(host):
            _refuse(event, host)


def _refuse(event: str, host: str) -> None:
    message = f"{event} to {host!r}: tests reach no address but loopback"
    log = os.environ.get(LOG_VARIABLE)
    if log:
        with open(log, "a", encoding="utf-8") as file:  # noqa: PTH123 (pathlib costs time in every child)
            file.write(message + "\n")
    raise NetworkBlockedError(message)
