"""The libraries of model providers are asynchronous; askgraph is not. One event loop in the background serves all.

A caller waits in its own thread, never past its budget's deadline, and may be anywhere: in a notebook, in a server's
event loop's thread pool, in several threads at a time. Who stops waiting ends the call.
"""

from __future__ import annotations

import asyncio
import os
import queue
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from concurrent.futures import Future, InvalidStateError
from contextlib import aclosing, suppress
from typing import Any, TypeVar

from ..core.budget import Budget
from ..core.errors import DeadlineExceededError

T = TypeVar("T")

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None
_process = 0


def run(coroutine: Coroutine[Any, Any, T], budget: Budget, doing: str) -> T:
    """What the coroutine returns.

    Raises:
        DeadlineExceededError: the budget's time was up while ``doing``; the coroutine is cancelled.
    """
    future = asyncio.run_coroutine_threadsafe(coroutine, _running_loop())
    return _result(future, budget, doing)


def iterate(source: AsyncGenerator[T, None], budget: Budget, doing: str) -> Generator[T, None, None]:
    """What the asynchronous generator yields, as it comes. Closing this one closes that one.

    Raises:
        DeadlineExceededError: the budget's time was up while ``doing``.
    """
    arrived: queue.SimpleQueue[T | None] = queue.SimpleQueue()

    async def pump() -> None:
        try:
            async with aclosing(source) as items:
                async for item in items:
                    arrived.put(item)
        finally:
            arrived.put(None)

    future = asyncio.run_coroutine_threadsafe(pump(), _running_loop())
    try:
        while True:
            try:
                item = arrived.get(timeout=budget.remaining)
            except queue.Empty:
                budget.check(doing)
                continue
            if item is None:
                break
            yield item
            budget.check(doing)
        _result(future, budget, doing)
    finally:
        future.cancel()


def begin(coroutine: Coroutine[Any, Any, Any]) -> None:
    """Start a coroutine for whose end nobody waits."""
    asyncio.run_coroutine_threadsafe(coroutine, _running_loop())


def _result(future: Future[T], budget: Budget, doing: str) -> T:
    try:
        # A tick longer than is left: at the deadline itself a reply that has just come is not thrown away.
        return future.result(timeout=budget.remaining + 0.01)
    except TimeoutError:
        if future.done():
            raise
        budget.check(doing)
        raise DeadlineExceededError(f"the time was up while {doing}") from None
    finally:
        future.cancel()


def _running_loop() -> asyncio.AbstractEventLoop:
    """The loop of this process, started when first needed (again after a fork, which leaves threads behind)."""
    global _loop, _process
    with _lock:
        if _loop is None or _process != os.getpid():
            _loop, _process = asyncio.new_event_loop(), os.getpid()
            threading.Thread(target=_loop.run_forever, name="askgraph-models", daemon=True).start()
        return _loop


def in_thread(function: Callable[[], T], budget: Budget, doing: str) -> T:
    """What the function returns, run in a thread of its own that is left behind when the time is up.

    Raises:
        DeadlineExceededError: the budget's time was up while ``doing``.
    """
    future: Future[T] = Future()

    def call() -> None:
        try:
            result = function()
        except BaseException as error:  # noqa: BLE001 (it is raised where the result is waited for)
            with suppress(InvalidStateError):
                future.set_exception(error)
        else:
            with suppress(InvalidStateError):
                future.set_result(result)

    # Not a pool's: those are waited for at the end of the process, however long they take.
    threading.Thread(target=call, name="askgraph-model-call", daemon=True).start()
    return _result(future, budget, doing)
