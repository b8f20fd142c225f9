"""So many questions at a time, so many waiting, each with its deadline, and no mixing up of results."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable

import pytest

from askgraph.core.errors import DeadlineExceededError
from askgraph.server import bounded_work
from askgraph.server.bounded_work import BoundedWork, TooMuchWorkError


class Gate:
    """Work that stays until it is let go, and counts how many stay."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.entered = threading.Semaphore(0)
        self.inside = 0
        self.most = 0
        self._lock = threading.Lock()

    def work(self, left: float) -> float:
        with self._lock:
            self.inside += 1
            self.most = max(self.most, self.inside)
        self.entered.release()
        assert self.open.wait(30)
        with self._lock:
            self.inside -= 1
        return left


def test_every_caller_gets_the_result_of_its_own_work() -> None:
    def own(number: int) -> Callable[[float], int]:
        return lambda left: number

    async def many() -> list[int]:
        bounded = BoundedWork(at_once=4, waiting=200)
        return await asyncio.gather(*(bounded.run(own(number), 30) for number in range(100)))

    assert asyncio.run(many()) == list(range(100))


def test_no_more_than_so_many_work_at_a_time_and_the_rest_waits() -> None:
    gate = Gate()

    async def many() -> None:
        bounded = BoundedWork(at_once=2, waiting=3)
        running = [asyncio.ensure_future(bounded.run(gate.work, 30)) for _ in range(5)]
        for _ in range(2):
            await asyncio.to_thread(gate.entered.acquire)
        await asyncio.sleep(0.05)
        assert gate.inside == 2
        with pytest.raises(TooMuchWorkError, match="5 questions"):
            await bounded.run(gate.work, 30)
        gate.open.set()
        await asyncio.gather(*running)
        assert await bounded.run(lambda left: "again", 30) == "again"

    asyncio.run(many())
    assert gate.most == 2


def test_time_spent_waiting_is_taken_from_the_deadline() -> None:
    gate = Gate()

    async def wait() -> float:
        bounded = BoundedWork(at_once=1, waiting=1)
        first = asyncio.ensure_future(bounded.run(gate.work, 30))
        await asyncio.to_thread(gate.entered.acquire)
        second = asyncio.ensure_future(bounded.run(lambda left: left, 30))
        await asyncio.sleep(0.2)
        gate.open.set()
        await first
        return await second

    assert asyncio.run(wait()) < 29.9


def test_who_waits_too_long_for_a_turn_is_told_so_and_leaves_the_place_free() -> None:
    gate = Gate()

    async def wait() -> str:
        bounded = BoundedWork(at_once=1, waiting=1)
        first = asyncio.ensure_future(bounded.run(gate.work, 30))
        await asyncio.to_thread(gate.entered.acquire)
        for _ in range(3):  # each would be refused if the one before had kept its place
            with pytest.raises(DeadlineExceededError, match=r"0\.05 s"):
                await bounded.run(gate.work, 0.05)
        gate.open.set()
        await first
        return await bounded.run(lambda left: "free", 30)

    assert asyncio.run(wait()) == "free"


def test_work_that_does_not_look_at_its_deadline_is_given_up_and_keeps_its_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bounded_work, "_GRACE", 0.05)
    gate = Gate()

    async def late() -> str:
        bounded = BoundedWork(at_once=1, waiting=0)
        began = time.monotonic()
        with pytest.raises(DeadlineExceededError):
            await bounded.run(gate.work, 0.1)
        assert time.monotonic() - began < 5
        with pytest.raises(TooMuchWorkError):  # it is still at work
            await bounded.run(gate.work, 30)
        gate.open.set()
        while gate.inside:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        return await bounded.run(lambda left: "free", 30)

    assert asyncio.run(late()) == "free"


def test_who_gives_up_waiting_leaves_the_place_free_and_its_work_is_never_begun() -> None:
    gate = Gate()
    begun: list[float] = []

    async def give_up() -> None:
        bounded = BoundedWork(at_once=1, waiting=1)
        first = asyncio.ensure_future(bounded.run(gate.work, 30))
        await asyncio.to_thread(gate.entered.acquire)
        second = asyncio.ensure_future(bounded.run(begun.append, 30))
        await asyncio.sleep(0.05)
        second.cancel()
        with pytest.raises(asyncio.CancelledError):
            await second
        gate.open.set()
        await first
        assert await bounded.run(lambda left: 1, 30) == 1

    asyncio.run(give_up())
    assert begun == []


def test_what_the_work_raises_reaches_its_caller_alone() -> None:
    def fail(left: float) -> None:
        raise ValueError("mine")

    async def both() -> str:
        bounded = BoundedWork(at_once=2, waiting=0)
        failing = asyncio.ensure_future(bounded.run(fail, 30))
        fine = asyncio.ensure_future(bounded.run(lambda left: "fine", 30))
        with pytest.raises(ValueError, match="mine"):
            await failing
        return await fine

    assert asyncio.run(both()) == "fine"
