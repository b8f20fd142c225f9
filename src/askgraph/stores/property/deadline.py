"""A query that stops when the time of its budget is up."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ...core.budget import Budget

if TYPE_CHECKING:
    import duckdb


@contextmanager
def within_deadline(
    connection: duckdb.DuckDBPyConnection, budget: Budget | None, doing: str
) -> Iterator[None]:
    """Interrupt what ``connection`` runs in this block when the time of ``budget`` is up.

    ``doing`` completes "the time was up while …". Without a budget nothing is limited.

    Raises:
        DeadlineExceededError: the time is up, before the block or within it.
    """
    import duckdb

    if budget is None:
        yield
        return
    budget.check(doing)
    guard = threading.Lock()
    finished = False

    def interrupt() -> None:
        # The lock keeps a late timer from interrupting whatever the connection runs after this block.
        with guard:
            if not finished:
                connection.interrupt()

    timer = threading.Timer(budget.remaining, interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    except duckdb.InterruptException:
        budget.check(doing)
        raise
    finally:
        with guard:
            finished = True
        timer.cancel()
