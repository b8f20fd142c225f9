"""Work in threads for an event loop: so many pieces at a time, so many waiting, each for so long and no longer."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeVar

from ..core.errors import CapExceededError, DeadlineExceededError

_Result = TypeVar("_Result")

# Work looks at its deadline itself; what does not is given up this much later.
_GRACE: Final = 1.0


class TooMuchWorkError(CapExceededError):
    """More is being asked at once than is taken on."""


class BoundedWork:
    """Runs blocking work for one event loop.

    Threads are daemons: work that nobody waits for any more does not hold up the end of the process.

    Args:
        at_once: pieces of work that run at a time.
        waiting: further pieces that may wait for their turn.
    """

    def __init__(self, at_once: int, waiting: int) -> None:
        self._free = asyncio.Semaphore(at_once)
        self._most = at_once + waiting
        self._taken = 0

    async def run(self, work: Callable[[float], _Result], seconds: float) -> _Result:
        """The result of ``work``, which is called in a thread with the seconds that are left to it.

        A caller that is cancelled while it waits gives up its place. Work that has begun keeps its own until it ends.

        Raises:
            TooMuchWorkError: all places are taken.
            DeadlineExceededError: the time was up before there was a result.
            Exception: whatever ``work`` raises.
        """
        if self._taken >= self._most:
            raise TooMuchWorkError(
                f"{self._most} questions are being answered or waiting", advice="Ask again in a moment."
            )
        deadline = time.monotonic() + seconds
        self._taken += 1
        begun = False
        try:
            async with asyncio.timeout(seconds):
                await self._free.acquire()
            begun = True
        except TimeoutError:
            raise _late(seconds) from None
        finally:
            if not begun:
                self._taken -= 1
        result = self._started(work, deadline)
        try:
            return await asyncio.wait_for(
                asyncio.shield(result), max(0.0, deadline - time.monotonic()) + _GRACE
            )
        except TimeoutError:
            raise _late(seconds) from None

    def _started(self, work: Callable[[float], _Result], deadline: float) -> asyncio.Future[_Result]:
        loop = asyncio.get_running_loop()
        result: asyncio.Future[_Result] = loop.create_future()
        result.add_done_callback(self._ended)

        def body() -> None:
            try:
                found = work(max(0.0, deadline - time.monotonic()))
            except BaseException as error:  # noqa: BLE001 - it is raised again where it is waited for
                _tell(loop, _set_error, result, error)
            else:
                _tell(loop, _set_result, result, found)

        threading.Thread(target=body, name="askgraph-question", daemon=True).start()
        return result

    def _ended(self, result: asyncio.Future[_Result]) -> None:
        self._free.release()
        self._taken -= 1
        if not result.cancelled():
            result.exception()  # looked at, so that nobody complains where the one who waited has gone


def _late(seconds: float) -> DeadlineExceededError:
    return DeadlineExceededError(
        f"the time of {seconds:g} s was up", advice="Allow more with --timeout, or ask something narrower."
    )


def _tell(loop: asyncio.AbstractEventLoop, call: Callable[..., None], *arguments: object) -> None:
    with suppress(RuntimeError):  # the loop has ended
        loop.call_soon_threadsafe(call, *arguments)


def _set_result(future: asyncio.Future[_Result], value: _Result) -> None:
    if not future.done():
        future.set_result(value)


def _set_error(future: asyncio.Future[_Result], error: BaseException) -> None:
    if not future.done():
        future.set_exception(error)
