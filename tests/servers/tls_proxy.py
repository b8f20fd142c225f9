"""What stands in front of many servers: it speaks TLS with clients, and passes on what they say in plain text."""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Self

# Seconds in which a connection says goodbye.
_PARTING = 0.1


class TlsProxy:
    """A context manager; listens on a port of loopback, and gives all that comes to another port.

    Every connection belongs to a task of its own, handshake included, so that none is left open at the end.
    """

    def __init__(self, port: int, context: ssl.SSLContext) -> None:
        """``port`` is that of the server behind; ``context`` has the certificate that clients are shown."""
        self._behind = port
        self._context = context
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._tasks: set[asyncio.Task[None]] = set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.setblocking(False)
        self.port: int = self._listener.getsockname()[1]

    def __enter__(self) -> Self:
        # Handshakes that fail are what some tests are about: they are no news to anybody's log.
        self._loop.set_exception_handler(lambda loop, context: None)
        self._thread.start()
        self._loop.call_soon_threadsafe(lambda: self._keep(self._accept()))
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()
        self._listener.close()

    def _keep(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _accept(self) -> None:
        while True:
            connection, _ = await self._loop.sock_accept(self._listener)
            self._keep(self._serve(connection))

    async def _end(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        # Connections let go of their sockets in the turns of the loop that follow; one that was cancelled while hands
        # were shaken says goodbye first.
        await asyncio.sleep(4 * _PARTING)

    async def _serve(self, connection: socket.socket) -> None:
        reader = asyncio.StreamReader()
        protocol = asyncio.StreamReaderProtocol(reader)
        with suppress(OSError):
            transport, _ = await self._loop.connect_accepted_socket(
                lambda: protocol, connection, ssl=self._context, ssl_shutdown_timeout=_PARTING
            )
            writer = asyncio.StreamWriter(transport, protocol, reader, self._loop)
            try:
                await self._pass_on_both(reader, writer)
            finally:
                transport.abort()

    async def _pass_on_both(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        behind_reader, behind_writer = await asyncio.open_connection("127.0.0.1", self._behind)
        try:
            await asyncio.gather(_pass_on(reader, behind_writer), _pass_on(behind_reader, writer))
        finally:
            behind_writer.transport.abort()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while piece := await reader.read(65_536):
            writer.write(piece)
            await writer.drain()
        writer.close()
