"""A server that speaks Bolt: requests that only read, each under one deadline."""

from __future__ import annotations

import asyncio
import logging
import random
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final
from urllib.parse import unquote

import neo4j
from neo4j import exceptions as driver_errors

from ...core.budget import Budget
from ...core.errors import DeadlineExceededError, ServerBusyError, SettingsError
from ...core.version import __version__
from ..address import Address, Credentials
from ..tls import trusting_context
from .event_loop import BackgroundLoop
from .failures import Circumstances, is_worth_another_try, translated

POOL_SIZE: Final = 16
FETCH_SIZE: Final = 500
"""Rows that are asked for at once; so many wait in memory at most twice over."""

# What a server has for ending a query by itself before the connection is closed, of the time allowed.
_GRACE: Final = 0.07
_ATTEMPTS: Final = 4
# The share of the time that must be left for another attempt.
_LEAST_TIME: Final = 0.1
_FIRST_PAUSE: Final = 0.05
# Seconds for telling a server that no more rows are wanted; one that does not listen loses its connection.
_PATIENCE: Final = 0.5
_PATIENCE_WITH_ENDINGS: Final = 3.0
_TRANSACTION_ID: Final = re.compile(r"[\w.@-]+")
_LONGEST_CONNECTING: Final = 15.0
_DRIVER_LOG: Final = "neo4j"

Take = Callable[[list[Any]], bool]
"""Takes a row, and says whether more are wanted."""


@dataclass(frozen=True, slots=True)
class Statement:
    """What is sent.

    Attributes:
        text: in the server's language.
        parameters: by name.
        doing: completes "the time was up while …".
        fetch_size: rows asked for at once.
        may_take_long: whether it is somebody else's query, which may run on when nobody waits any more.
    """

    text: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    doing: str = "asking the server"
    fetch_size: int = FETCH_SIZE
    may_take_long: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server said beside the rows.

    Attributes:
        columns: their names.
        summary: the driver's; ``None`` where the connection was closed before it came.
    """

    columns: tuple[str, ...]
    summary: neo4j.ResultSummary | None


class BoltServer:
    """Requests to one database of one server. Safe to use from several threads.

    Attributes:
        address: where it is.
        database: its name; ``None`` for the server's default.
        server_limit: seconds after which the server ends any query, once that is known.
        requests: how many requests have been sent.
        ends_what_is_cut: whether it ends a query whose connection is closed. Of one that does not, as soon as that is
            known, what we leave behind is ended by asking for it.
    """

    def __init__(
        self,
        address: Address,
        *,
        impersonate: str | None = None,
        timeout: float = 30.0,
        pool_size: int = POOL_SIZE,
    ) -> None:
        """Nothing is connected yet.

        Args:
            address: whose path names the database.
            impersonate: the user whose rights hold.
            timeout: seconds for a request without a budget.
            pool_size: connections at most.
        """
        self.address = address
        self.database = database_of(address)
        self.server_limit: float | None = None
        self.ends_what_is_cut = True
        self._impersonate = impersonate
        self._timeout = timeout
        self._pool_size = pool_size
        self._loop = BackgroundLoop(f"bolt {address.authority}")
        self._driver: neo4j.AsyncDriver | None = None
        self._places: asyncio.Semaphore | None = None
        self.requests = 0
        self._connected = False
        self._endings: set[asyncio.Task[None]] = set()

    def budget(self, budget: Budget | None = None) -> Budget:
        """The budget given, else the one for requests without."""
        return Budget(seconds=self._timeout) if budget is None else budget

    # --- requests

    def read(self, statement: Statement, take: Take, budget: Budget | None = None) -> Reply:
        """Send a statement, and give its rows to ``take`` as they come.

        A request that failed for a passing reason is sent again while there is time, if no row had come.

        Raises:
            DeadlineExceededError: the time was up. The query is no longer waited for.
            UnreachableError, AuthenticationError, ServerBusyError, GraphNotFoundError: there is no way to the server.
            QueryFailedError: the server could not run it.
            CapExceededError: it needs more memory than the server gives.
        """
        budget = self.budget(budget)
        budget.check(statement.doing)
        return self._loop.run(self._read_in_time(statement, take, budget))

    def read_together(
        self,
        statements: Sequence[Statement],
        take: Callable[[int, list[Any]], bool],
        budget: Budget | None = None,
    ) -> None:
        """Send statements side by side, and give their rows to ``take`` as they come, each with the place of its
        statement: in no order among the statements, but one at a time. Raises as :meth:`read` does."""
        budget = self.budget(budget)
        if len(statements) == 1:
            self.read(statements[0], partial(take, 0), budget)
        elif statements:
            budget.check(statements[0].doing)
            self._loop.run(self._all_in_time(statements, take, budget))

    async def _all_in_time(
        self, statements: Sequence[Statement], take: Callable[[int, list[Any]], bool], budget: Budget
    ) -> None:
        try:
            async with asyncio.TaskGroup() as group:
                for place, statement in enumerate(statements):
                    group.create_task(self._read_in_time(statement, partial(take, place), budget))
        except ExceptionGroup as failed:
            # The first one ended the others.
            raise failed.exceptions[0] from None

    def rows(self, statement: Statement, budget: Budget | None = None) -> list[list[Any]]:
        """All rows of a statement whose rows are few. Raises as :meth:`read` does."""
        found: list[list[Any]] = []

        def take(row: list[Any]) -> bool:
            found.append(row)
            return True

        self.read(statement, take, budget)
        return found

    def agent(self, budget: Budget | None = None) -> str:
        """How the server introduces itself, such as ``Neo4j/5.26.30``. Raises as :meth:`read` does."""
        reply = self.read(Statement("RETURN 1 AS one", doing="connecting"), lambda row: True, budget)
        return "" if reply.summary is None else reply.summary.server.agent

    def close(self) -> None:
        """Close all connections. Closing twice is allowed."""
        driver, self._driver = self._driver, None
        self._loop.close(None if driver is None else self._wind_up(driver))

    def __repr__(self) -> str:
        return f"<BoltServer at {self.address.shown}>"

    # --- inside the event loop

    async def _read_in_time(self, statement: Statement, take: Take, budget: Budget) -> Reply:
        """The reply, if it comes before the budget's time, and a little more, is up."""
        mark = ""
        if statement.may_take_long and not self.ends_what_is_cut:
            mark = f"askgraph-{secrets.token_hex(8)}"
            statement = replace(statement, text=f"/* {mark} */ {statement.text}")
        try:
            reply = await asyncio.wait_for(
                self._attempts(statement, take, budget), budget.remaining + _GRACE * budget.seconds
            )
            if reply.summary is None:
                self._end(mark)
            return reply
        except TimeoutError:
            self._end(mark)
            raise DeadlineExceededError(
                f"the time of {budget.seconds:.3g} s was up while {statement.doing} at {self.address.shown}",
                advice="Allow more with --timeout or Budget(seconds=…), or ask something narrower.",
            ) from None
        except (driver_errors.Neo4jError, driver_errors.DriverError, OSError) as error:
            raise translated(error, self._circumstances(budget)) from error

    async def _attempts(self, statement: Statement, take: Take, budget: Budget) -> Reply:
        taken = False

        def noting(row: list[Any]) -> bool:
            nonlocal taken
            taken = True
            return take(row)

        for attempt in range(1, _ATTEMPTS + 1):
            try:
                return await self._attempt(statement, noting, budget)
            except (driver_errors.Neo4jError, driver_errors.DriverError, OSError) as error:
                pause = _FIRST_PAUSE * 4 ** (attempt - 1) * random.uniform(0.5, 1.5)
                has_time = budget.remaining > max(2 * pause, _LEAST_TIME * budget.seconds)
                if taken or attempt == _ATTEMPTS or not has_time or not is_worth_another_try(error):
                    raise
            await asyncio.sleep(pause)
        raise AssertionError("unreachable")

    async def _attempt(self, statement: Statement, take: Take, budget: Budget) -> Reply:
        self.requests += 1
        async with self._place(budget), self._session(statement, budget) as session:
            query = neo4j.Query(statement.text, timeout=self._server_timeout(budget))
            result = await session.run(query, dict(statement.parameters))
            self._connected = True
            columns = tuple(result.keys())
            async for record in result:
                if not take(record.values()):
                    return Reply(columns, await _enough(result))
            return Reply(columns, await result.consume())

    def _end(self, mark: str) -> None:
        """See in the background that the query with this mark does not run on."""
        if mark and self._connected:
            task = asyncio.get_running_loop().create_task(self._end_marked(mark))
            self._endings.add(task)
            task.add_done_callback(self._endings.discard)

    async def _end_marked(self, mark: str) -> None:
        budget = Budget(seconds=_PATIENCE_WITH_ENDINGS)
        with suppress(driver_errors.Neo4jError, driver_errors.DriverError, OSError, TimeoutError):
            async with asyncio.timeout(budget.seconds), self._session(Statement(""), budget) as session:
                result = await session.run("SHOW TRANSACTIONS")
                running = [record.data() async for record in result]
                for row in running:
                    # The columns of Neo4j and ArcadeDB, then those of Memgraph.
                    id = str(row.get("transactionId") or row.get("transaction_id"))
                    text = str(row.get("currentQuery") or row.get("query"))
                    if mark in text and _TRANSACTION_ID.fullmatch(id):
                        await (await session.run(f'TERMINATE TRANSACTIONS "{id}"')).consume()

    async def _wind_up(self, driver: neo4j.AsyncDriver) -> None:
        if self._endings:
            await asyncio.wait(self._endings, timeout=_PATIENCE_WITH_ENDINGS)
        await driver.close()

    def _session(self, statement: Statement, budget: Budget) -> neo4j.AsyncSession:
        return self._open_driver().session(
            database=self.database,
            impersonated_user=self._impersonate,
            default_access_mode=neo4j.READ_ACCESS,
            fetch_size=statement.fetch_size,
            connection_acquisition_timeout=self._acquisition_timeout(budget),
            disable_auto_commit_retries=True,
        )

    def _open_driver(self) -> neo4j.AsyncDriver:
        if self._driver is None:
            # What the driver logs of notices and retries is said by us, once, where it belongs.
            logging.getLogger(_DRIVER_LOG).addHandler(logging.NullHandler())
            scheme, trust = _trust(self.address)
            self._driver = neo4j.AsyncGraphDatabase.driver(
                f"{scheme}://{self.address.authority}",
                auth=_auth(self.address.credentials),
                user_agent=f"askgraph/{__version__}",
                max_connection_pool_size=self._pool_size,
                connection_timeout=min(self._timeout, _LONGEST_CONNECTING),
                keep_alive=True,
                telemetry_disabled=True,
                warn_notification_severity=neo4j.NotificationMinimumSeverity.OFF,
                **trust,
            )
        return self._driver

    def _place(self, budget: Budget) -> _Place:
        if self._places is None:
            self._places = asyncio.Semaphore(self._pool_size)
        return _Place(self._places, budget, self._pool_size, self.address.shown)

    def _server_timeout(self, budget: Budget) -> float:
        """Seconds that the server is told. It takes ours even where its own limit is shorter; 0 is no limit at all."""
        limits = [budget.remaining] + ([] if self.server_limit is None else [self.server_limit])
        return max(0.001, min(limits))

    def _acquisition_timeout(self, budget: Budget) -> float:
        """A little less than there is, so that what was wrong can still be said."""
        return max(0.001, min(0.95 * budget.remaining, _LONGEST_CONNECTING))

    def _circumstances(self, budget: Budget) -> Circumstances:
        return Circumstances(
            self.address, self.database or "", budget.seconds, self.server_limit, self._connected
        )


class _Place:
    """One of the connections that may be open at once, waited for within the deadline."""

    def __init__(self, places: asyncio.Semaphore, budget: Budget, size: int, shown: str) -> None:
        self._places = places
        self._budget = budget
        self._size = size
        self._shown = shown

    async def __aenter__(self) -> None:
        if not self._places.locked():
            await self._places.acquire()
            return
        try:
            await asyncio.wait_for(self._places.acquire(), 0.95 * self._budget.remaining)
        except TimeoutError:
            raise ServerBusyError(
                f"all {self._size} connections to {self._shown} are in use",
                advice="Ask fewer things at once, or allow more time with --timeout.",
            ) from None

    async def __aexit__(self, *_: object) -> None:
        self._places.release()


async def _enough(result: neo4j.AsyncResult) -> neo4j.ResultSummary | None:
    """Tell the server that no more rows are wanted; one that goes on nevertheless loses its connection."""
    with suppress(TimeoutError):
        return await asyncio.wait_for(result.consume(), _PATIENCE)
    return None


def database_of(address: Address) -> str | None:
    """The database that the path of an address names; ``None`` for the server's default.

    Raises :class:`SettingsError` for a path of several parts.
    """
    name = unquote(address.path.strip("/"))
    if "/" in name:
        raise SettingsError(
            f"the address {address.shown} names no database: its path has several parts",
            advice=f"Write it as {address.scheme}://{address.authority}/database.",
        )
    return name or None


def _trust(address: Address) -> tuple[str, dict[str, Any]]:
    """The scheme that the driver is told, and an option that says whom TLS trusts.

    The driver takes such an option with schemes alone that do not speak of TLS, and uses TLS wherever there is one.
    """
    plain, _, trust = address.scheme.partition("+")
    return (
        (plain, {"ssl_context": trusting_context(address.ca_file)}) if trust == "s" else (address.scheme, {})
    )


def _auth(credentials: Credentials) -> neo4j.Auth | None:
    if credentials.token:
        return neo4j.bearer_auth(credentials.token)
    if credentials:
        return neo4j.basic_auth(credentials.user, credentials.password)
    return None
