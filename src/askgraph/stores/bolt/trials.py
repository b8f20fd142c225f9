"""Harmless trials on a Bolt server, for `askgraph doctor --self-test`.

Every statement here is a constant of this module, leaves nothing behind, reads no data of the graph, and ends by itself
within seconds, also on a server that heeds no time-out: its size is found by running smaller ones first.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Final

from ...core.budget import Budget
from ...core.errors import DeadlineExceededError, QueryFailedError
from ..address import Address
from ..trial import Trial, seconds_text
from .server import BoltServer, Statement

_WRITE: Final = "CREATE (n) RETURN 1 / size(keys(n)) AS one"
"""Fails whatever happens: where the write is not refused, the division by zero that follows undoes it. Only for servers
on which a statement that fails leaves nothing behind; that is known of Neo4j."""

_PRODUCT: Final = (
    "UNWIND range(1, $outer) AS a UNWIND range(1, 1000) AS b UNWIND range(1, $inner) AS c "
    "WITH a, b, c WHERE a + b + c < 0 RETURN count(*) AS n"
)
"""Three nested loops whose every step is in vain: work of any size, with no data and next to no memory."""

_TIME_OUT: Final = 1.0
_WORK: Final = 6.0
"""Seconds that the product takes on a server that does not stop it. Neo4j looks for what is overdue only every two
seconds, so being somewhat late proves nothing yet."""
_TOO_LATE: Final = 3.5
_PATIENCE: Final = 30.0
_SMALLEST_WORK, _LONG_ENOUGH = 10_000, 0.2
_MOST_STEPS: Final = 4_000_000_000

_ROWS: Final = "UNWIND range(1, $rows) AS row RETURN row"
MOST_ROWS: Final = 20_000
_READ_FILE: Final = "EXPLAIN LOAD CSV FROM 'file:///askgraph-doctor.csv' AS line RETURN line"
_REFUSED: Final = ("AccessMode", "forbidden", "WriteOnReadOnlyAccessDatabase")


@dataclass(frozen=True, slots=True)
class BoltTrials:
    """What was tried out; ``None`` for what was not."""

    write: Trial | None = None
    time_out: Trial | None = None
    rows: Trial | None = None
    read_file: Trial | None = None


def try_out(address: Address, impersonate: str | None, *, can_try_write: bool) -> BoltTrials:
    """Try all of them, each in read sessions as the store's own are.

    Args:
        address: the server and its database.
        impersonate: the user whose rights hold.
        can_try_write: whether the server is one on which a write may be tried.

    Raises:
        ServerError: the server cannot be reached any more.
    """
    server = BoltServer(address, impersonate=impersonate, timeout=_PATIENCE)
    try:
        return BoltTrials(
            write=try_write(server) if can_try_write else None,
            time_out=try_time_out(server),
            rows=try_rows(server),
            read_file=try_read_file(server),
        )
    finally:
        server.close()


def try_write(server: BoltServer) -> Trial:
    """Whether a write in a read session is refused."""
    began = time.monotonic()
    try:
        _run(server, _WRITE)
    except QueryFailedError as error:
        took = time.monotonic() - began
        if error.code in _REFUSED:
            return Trial(True, "a CREATE in a read session was refused", took)
        if error.code == "ArithmeticError":
            return Trial(False, "a CREATE in a read session went through, and was undone", took)
        return Trial(None, f"a CREATE in a read session failed ({error.code})", took)
    except DeadlineExceededError:
        return Trial(None, "a CREATE in a read session got no answer", time.monotonic() - began)
    return Trial(None, "a CREATE in a read session had no effect", time.monotonic() - began)


def try_time_out(server: BoltServer) -> Trial:
    """Whether a query ends at the time-out that it was sent with."""
    try:
        steps = _steps_for(server, _WORK)
        for _ in range(3):
            took, was_stopped = _multiply_within(server, steps, _TIME_OUT)
            if was_stopped:
                return Trial(
                    True, f"a product was stopped after {seconds_text(took)} by a time-out of 1 s", took
                )
            if took > _TOO_LATE or steps >= _MOST_STEPS:
                what = f"a product with a time-out of 1 s ran to its end, for {seconds_text(took)}"
                return Trial(False, what, took)
            steps = min(_MOST_STEPS, int(steps * _WORK / max(took, 0.1)))
    except QueryFailedError as error:
        return Trial(None, f"a product failed ({error.code})")
    return Trial(None, "no product was slow enough to be stopped")


def _steps_for(server: BoltServer, seconds: float) -> int:
    """How many steps of the product take about so long, judged by the first number that takes long enough to tell."""
    steps = _SMALLEST_WORK
    while True:
        took, was_stopped = _multiply_within(server, steps, seconds)
        if took >= _LONG_ENOUGH or was_stopped or steps >= _MOST_STEPS:
            return min(_MOST_STEPS, int(steps * seconds / max(took, 0.01)))
        steps *= 8


def _multiply_within(server: BoltServer, steps: int, time_out: float) -> tuple[float, bool]:
    """Seconds that a product took, and whether the server, which was told ``time_out``, stopped it."""
    inner = 1 if steps < 1_000_000 else 1000
    outer = max(1, steps // (1000 * inner))
    known_limit, server.server_limit = server.server_limit, time_out
    began = time.monotonic()
    try:
        _run(server, _PRODUCT, outer=outer, inner=inner)
    except DeadlineExceededError:
        took = time.monotonic() - began
        return took, took < _PATIENCE
    finally:
        server.server_limit = known_limit
    return time.monotonic() - began, False


def try_rows(server: BoltServer, rows: int = MOST_ROWS) -> Trial:
    """Whether the server caps the rows of a result."""
    began = time.monotonic()
    try:
        came = _run(server, _ROWS, rows=rows)
    except (QueryFailedError, DeadlineExceededError) as error:
        return Trial(None, f"a query for {rows:,} rows failed ({_word(error)})", time.monotonic() - began)
    took = time.monotonic() - began
    if came == rows:
        return Trial(False, f"all of {rows:,} rows came", took)
    return Trial(True, f"of {rows:,} rows {came:,} came", took)


def try_read_file(server: BoltServer) -> Trial:
    """Whether the server even plans a query that would read a file. Nothing is read: the query is only explained."""
    began = time.monotonic()
    try:
        _run(server, _READ_FILE)
    except (QueryFailedError, DeadlineExceededError) as error:
        return Trial(True, f"LOAD CSV was refused, only explained ({_word(error)})", time.monotonic() - began)
    return Trial(False, "LOAD CSV was planned; it was not run", time.monotonic() - began)


def _run(server: BoltServer, text: str, **parameters: Any) -> int:
    """Run a statement and give the number of its rows."""
    came = 0

    def count(row: list[Any]) -> bool:
        nonlocal came
        came += 1
        return True

    server.read(Statement(text, parameters, doing="trying it out"), count, Budget(seconds=_PATIENCE))
    return came


def _word(error: QueryFailedError | DeadlineExceededError) -> str:
    return error.code if isinstance(error, QueryFailedError) else "time-out"
