"""The event loop in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest

from askgraph.core.errors import OpenError
from askgraph.stores.bolt.event_loop import BackgroundLoop


async def _slow(seconds: float, log: list[str]) -> str:
    try:
        await asyncio.sleep(seconds)
    except asyncio.CancelledError:
        log.append("cancelled")
        raise
    return "done"


async def _failing() -> None:
    raise ValueError("as it should")


def test_it_gives_what_the_coroutine_gives_and_raises_what_it_raises() -> None:
    loop = BackgroundLoop("test")
    assert loop.run(_slow(0, [])) == "done"
    with pytest.raises(ValueError, match="as it should"):
        loop.run(_failing())
    loop.close()


def test_it_works_inside_another_event_loop() -> None:
    loop = BackgroundLoop("test")

    async def outer() -> str:
        return await asyncio.to_thread(loop.run, _slow(0.01, []))

    assert asyncio.run(outer()) == "done"
    loop.close()


def test_closing_cancels_what_runs_and_runs_the_last_first() -> None:
    loop = BackgroundLoop("test")
    log: list[str] = []
    caught: list[BaseException] = []

    def wait() -> None:
        try:
            loop.run(_slow(30, log))
        except OpenError as error:
            caught.append(error)

    async def last() -> None:
        log.append("last")

    thread = threading.Thread(target=wait)
    thread.start()
    time.sleep(0.1)
    loop.close(last())
    thread.join(5)
    assert log == ["last", "cancelled"]
    assert len(caught) == 1


def test_it_starts_no_thread_before_it_is_used_and_leaves_none() -> None:
    before = threading.active_count()
    loop = BackgroundLoop("test")
    assert threading.active_count() == before
    loop.run(_slow(0, []))
    assert threading.active_count() == before + 1
    loop.close()
    loop.close()
    assert threading.active_count() == before
    with pytest.raises(OpenError, match="closed"):
        loop.run(_slow(0, []))


def test_an_interrupted_caller_cancels_what_it_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = BackgroundLoop("test")
    log: list[str] = []
    loop.run(_slow(0, []))
    submit = asyncio.run_coroutine_threadsafe

    def interrupted(coroutine: Any, running: asyncio.AbstractEventLoop) -> Any:
        future: Any = submit(coroutine, running)

        def result(timeout: float | None = None) -> None:
            time.sleep(0.05)
            raise KeyboardInterrupt

        future.result = result
        return future

    monkeypatch.setattr(asyncio, "run_coroutine_threadsafe", interrupted)
    with pytest.raises(KeyboardInterrupt):
        loop.run(_slow(30, log))
    monkeypatch.undo()
    end = time.monotonic() + 2
    while not log and time.monotonic() < end:
        time.sleep(0.01)
    assert log == ["cancelled"]
    loop.close()
