"""An event loop in a thread of its own, for callers that wait.

The driver can end a request that a server does not answer only from within an event loop: cancelling its task closes
the connection at once. Callers are synchronous, so the loop runs beside them.
"""

from __future__ import annotations

import asyncio
import selectors
import threading
from collections.abc import Coroutine
from concurrent.futures import CancelledError
from typing import Any, TypeVar

from ...core.errors import OpenError

_Result = TypeVar("_Result")
_LAST_TURNS = 5
_GOODBYE = 1.0  # seconds that connections under TLS have for saying goodbye
_PATIENCE = 5.0  # seconds that what was cancelled has for ending


class BackgroundLoop:
    """Runs coroutines for threads that wait for them. Starts at the first use; safe to use from several threads."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._guard = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        # What the loop listens to: its own alarm, and each socket that is still open.
        self._selector = selectors.DefaultSelector()
        self._thread: threading.Thread | None = None
        self._closed = False

    def run(self, coroutine: Coroutine[Any, Any, _Result]) -> _Result:
        """What the coroutine gives. If the waiting is interrupted (Ctrl-C), it is cancelled.

        Raises:
            OpenError: the loop was closed.
        """
        try:
            loop = self._running_loop()
        except OpenError:
            coroutine.close()
            raise
        future = asyncio.run_coroutine_threadsafe(coroutine, loop)
        try:
            return future.result()
        except CancelledError:
            raise _closed() from None
        except BaseException:
            future.cancel()
            raise

    def close(self, last: Coroutine[Any, Any, None] | None = None) -> None:
        """Run ``last``, cancel what runs then, and end the thread. Closing twice is allowed."""
        with self._guard:
            loop, thread, self._closed = self._loop, self._thread, True
            self._loop = self._thread = None
        if loop is None or thread is None:
            self._selector.close()
            if last is not None:
                last.close()
            return
        asyncio.run_coroutine_threadsafe(_wind_up(last, self._selector), loop).result(2 * _PATIENCE)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(_PATIENCE)
        if not thread.is_alive():
            loop.close()

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        with self._guard:
            if self._closed:
                raise _closed()
            if self._loop is None:
                self._loop = asyncio.SelectorEventLoop(self._selector)
                self._thread = threading.Thread(target=self._loop.run_forever, name=self._name, daemon=True)
                self._thread.start()
            return self._loop


def _closed() -> OpenError:
    return OpenError("the graph was closed", advice="Open it again.")


async def _wind_up(last: Coroutine[Any, Any, None] | None, selector: selectors.BaseSelector) -> None:
    if last is not None:
        await asyncio.wait_for(last, _PATIENCE)
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    if others:
        await asyncio.wait(others, timeout=_PATIENCE)
    loop = asyncio.get_running_loop()
    await loop.shutdown_asyncgens()
    await loop.shutdown_default_executor()
    # Connections that were closed let go of their sockets in the turns of the loop that follow.
    for _ in range(_LAST_TURNS):
        await asyncio.sleep(0)
    # Under TLS each side says goodbye before.
    end = loop.time() + _GOODBYE
    while len(selector.get_map()) > 1 and loop.time() < end:
        await asyncio.sleep(0.005)
