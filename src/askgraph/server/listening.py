"""An ASGI application on an address of this machine, until it is told to end."""

from __future__ import annotations

import errno
import ipaddress
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Final

from ..core.errors import ListenError, MissingPackageError

if TYPE_CHECKING:
    from starlette.applications import Starlette

INSTALL: Final = 'pip install "askgraph[server]"'
# Seconds that requests have to end in when the server is told to.
_PATIENCE: Final = 2
_BACKLOG: Final = 128
_MOST_CONNECTIONS: Final = 256
_TERMINATED: Final = 128 + signal.SIGTERM


def insist_on_packages() -> None:
    """Raises :class:`MissingPackageError` where the extra ``server`` is not installed."""
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise MissingPackageError(
            f"a server needs the package {error.name}, which is not installed",
            advice=f"Install it with: {INSTALL}",
        ) from error


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket that listens. Port 0 takes a free one.

    Raises:
        ListenError: the port is taken or not allowed, or the address is not one of this machine.
    """
    if not 0 <= port <= 65_535:
        raise ListenError(f"there is no port {port}", advice="Ports go from 1 to 65535; 0 takes a free one.")
    listener: socket.socket | None = None
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        if sys.platform != "win32":  # there it would let two servers share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError as error:
        if listener is not None:
            listener.close()
        raise _cannot_listen(host, port, error) from error
    return listener


def address_of(listener: socket.socket) -> str:
    """Where clients find it: ``"http://127.0.0.1:8000"``."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve(app: Starlette, listener: socket.socket, *, until: Callable[[], bool] = lambda: False) -> None:
    """Serve until Ctrl-C, until the process is told to end, or until ``until`` says so. The socket is closed then.

    Raises:
        KeyboardInterrupt: Ctrl-C.
        SystemExit: the process was told to end; what is open is closed on the way out.
    """
    import uvicorn

    class Server(uvicorn.Server):
        async def on_tick(self, counter: int) -> bool:
            return await super().on_tick(counter) or until()

    config = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_graceful_shutdown=_PATIENCE,
    )
    with listener, _ended_in_order():
        Server(config).run(sockets=[listener])


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """Lets a request to end the process unwind it, so that graphs are closed."""

    def end(number: int, frame: FrameType | None) -> None:
        raise SystemExit(_TERMINATED)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)


def _cannot_listen(host: str, port: int, error: OSError) -> ListenError:
    where = f"{host}:{port}"
    if error.errno == errno.EADDRINUSE:
        return ListenError(
            f"the port {port} of {host} is taken",
            advice="Take another: --port N, or --port 0 for a free one.",
        )
    if error.errno == errno.EACCES:
        return ListenError(f"{where} is not for this user", advice="Take a port from 1024 on: --port N.")
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return ListenError(f"{host} is no address of this machine", advice="Take --host 127.0.0.1.")
    return ListenError(f"nothing can listen at {where}: {error.strerror or error}")
