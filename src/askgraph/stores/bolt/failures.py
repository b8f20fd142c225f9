"""What the driver and the servers say when something fails, as errors of ours with advice.

Errors of a server are told apart by their ``code``, whose last part names the fault. The status codes of GQL are nearly
always the one for "general", and messages are for people.
"""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from neo4j import exceptions as driver_errors

from ...core.errors import (
    AskgraphError,
    AuthenticationError,
    BadReplyError,
    CapExceededError,
    DeadlineExceededError,
    GraphNotFoundError,
    QueryFailedError,
    ServerBusyError,
    SettingsError,
    UnreachableError,
)
from ..address import Address
from ..causes import causes_of
from ..tls import distrusted, refused_certificate

_PLACE = re.compile(r"\(line (\d+), column (\d+) \(offset: (\d+)\)\)")
_RATE_LIMIT_SECONDS: Final = 5.0
# Servers whose names for faults are not Neo4j's say these in their messages.
_TIME_WAS_UP: Final = ("transaction was asked to abort", "timeout", "timed out")

# The last parts of codes.
_TIMED_OUT: Final = frozenset({
    "TransactionTimedOut", "TransactionTimedOutClientConfiguration", "TransactionTimedOutDefaultConfiguration",
    "LockClientStopped",
})  # fmt: skip
_NO_ROOM: Final = frozenset({
    "NoThreadsAvailable", "DatabaseUnavailable", "TransactionStartFailed", "MaximumTransactionLimitReached",
})  # fmt: skip
_NO_MEMORY: Final = frozenset({
    "MemoryPoolOutOfMemoryError", "TransactionOutOfMemoryError", "OutOfMemoryError", "StackOverFlowError",
    "TransactionMemoryLimit",
})  # fmt: skip
_NO_DATABASE: Final = frozenset({"DatabaseNotFound", "GraphNotFound"})
_NOT_ALLOWED: Final = frozenset({"Forbidden", "PermissionDenied"})


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What an error message needs to know of the request that failed.

    Attributes:
        address: where the server is.
        database: the database that was asked for; empty for the server's default.
        seconds: how long the request was allowed to take.
        server_limit: seconds after which the server ends any query, where that is known.
        connected: whether there had been a connection before.
    """

    address: Address
    database: str
    seconds: float
    server_limit: float | None = None
    connected: bool = False

    @property
    def place(self) -> str:
        """The address without credentials."""
        return self.address.shown


def translated(error: Exception, at: Circumstances) -> AskgraphError:
    """Our error for one of the driver, or for one of the operating system that comes through it."""
    if isinstance(error, AskgraphError):
        return error
    if isinstance(error, driver_errors.Neo4jError):
        return _of_server(error, at)
    if isinstance(error, driver_errors.ConnectionAcquisitionTimeoutError):
        return _silent(at)
    if isinstance(error, driver_errors.AuthConfigurationError | driver_errors.ConfigurationError):
        return SettingsError(f"{at.place} cannot be used as asked: {error}")
    if isinstance(error, driver_errors.BrokenRecordError | driver_errors.ResultError):
        return BadReplyError(
            f"a row from {at.place} cannot be read: {error}",
            advice="Turn the value into a text in the query (toString).",
        )
    return _of_connection(error, at)


def is_worth_another_try(error: Exception) -> bool:
    """Whether the same request may succeed if it is sent again: it only reads, so that does no harm."""
    if isinstance(error, driver_errors.Neo4jError):
        if _fault(error) in _NO_MEMORY or _fault(error) in _TIMED_OUT:
            return False
        return error.is_retryable()
    if isinstance(error, driver_errors.ConnectionAcquisitionTimeoutError):
        return False
    if isinstance(error, driver_errors.DriverError):
        return error.is_retryable() and not any(isinstance(cause, ssl.SSLError) for cause in causes_of(error))
    return isinstance(error, ConnectionError)


# --- what a server says


def _fault(error: driver_errors.Neo4jError) -> str:
    return (error.code or "").rpartition(".")[2]


def _of_server(error: driver_errors.Neo4jError, at: Circumstances) -> AskgraphError:
    code, fault = error.code or "", _fault(error)
    if ".Security." in code:
        return _security(error, fault, at)
    for faults, make in _FAULTS:
        if fault in faults:
            return make(error, at)
    if fault in ("UnknownError", "ExecutionFailed") and any(
        words in error.message.lower() for words in _TIME_WAS_UP
    ):
        return _timed_out(error, at)
    return _query_failed(error)


def _security(error: driver_errors.Neo4jError, fault: str, at: Circumstances) -> AskgraphError:
    if fault in _NOT_ALLOWED:
        return QueryFailedError(
            f"this user may not do that at {at.place}: {_one_line(error)}",
            code="forbidden",
            advice="`askgraph doctor` says what this user may do.",
        )
    if fault == "CredentialsExpired":
        return AuthenticationError(
            f"the password for {at.place} has expired",
            advice="Change it with the server's own tools (ALTER CURRENT USER SET PASSWORD FROM … TO …), then set the"
            " new one.",
        )
    if fault == "TokenExpired":
        return AuthenticationError(f"the token for {at.place} has expired", advice="Set ASKGRAPH_TOKEN anew.")
    if fault == "AuthenticationRateLimit":
        return ServerBusyError(
            f"{at.place} takes no more passwords for a while: too many were wrong",
            retry_after=_RATE_LIMIT_SECONDS,
            advice=f"Wait {_RATE_LIMIT_SECONDS:g} s, then try the right one.",
        )
    if at.connected:
        return AuthenticationError(
            f"{at.place} lets this user in no more",
            advice="The password was changed, or the user suspended or dropped: set ASKGRAPH_USER and"
            " ASKGRAPH_PASSWORD anew, then open the graph again.",
        )
    if at.address.credentials:
        return AuthenticationError(
            f"{at.place} refused the user or the password",
            advice="Look at ASKGRAPH_USER and ASKGRAPH_PASSWORD, or at what stands in the address.",
        )
    return AuthenticationError(
        f"{at.place} wants a user and a password",
        advice="Set ASKGRAPH_USER and ASKGRAPH_PASSWORD, or write them in the address.",
    )


def _timed_out(error: driver_errors.Neo4jError, at: Circumstances) -> AskgraphError:
    if at.server_limit is not None and at.server_limit < at.seconds:
        return DeadlineExceededError(
            f"{at.place} ended the query after {at.server_limit:g} s, which is all that it allows",
            advice="Ask something narrower, or let the server's operator raise the limit (db.transaction.timeout).",
        )
    return DeadlineExceededError(
        f"the time of {at.seconds:.3g} s was up while {at.place} worked on the query",
        advice="Allow more with --timeout or Budget(seconds=…), or ask something narrower.",
    )


def _no_room(error: driver_errors.Neo4jError, at: Circumstances) -> AskgraphError:
    return ServerBusyError(
        f"{at.place} has no room for another request now: {_one_line(error)}",
        advice="Try again in a moment.",
    )


def _no_memory(error: driver_errors.Neo4jError, at: Circumstances) -> AskgraphError:
    return CapExceededError(
        f"the query needs more memory than {at.place} gives to one",
        advice="Ask for something narrower: fewer types, a filter, a limit.",
    )


def _no_database(error: driver_errors.Neo4jError, at: Circumstances) -> AskgraphError:
    return GraphNotFoundError(
        f"there is no database {at.database!r} at {at.address.scheme}://{at.address.authority}",
        advice="The path of the address names the database; SHOW DATABASES lists those that there are.",
    )


def _query_failed(error: driver_errors.Neo4jError) -> QueryFailedError:
    place = _PLACE.search(error.message)
    line, column, offset = (int(number) for number in place.groups()) if place else (1, 1, 0)
    advice = None
    if _fault(error) == "AccessMode":
        advice = "Queries may only read."
    elif _fault(error) == "ProcedureNotFound":
        advice = "This server does not have it, or this user may not call it."
    return QueryFailedError(
        f"the server could not run the query: {_PLACE.sub('', _one_line(error)).strip()}",
        code=_fault(error) or "engine",
        line=line,
        column=column,
        offset=offset,
        advice=advice,
    )


def _one_line(error: driver_errors.Neo4jError) -> str:
    """The message without the copy of the query that stands below it."""
    first = (error.message or "").strip().splitlines()
    return first[0].strip() if first else (error.code or "no reason was given")


_Make = Callable[[driver_errors.Neo4jError, Circumstances], AskgraphError]
_FAULTS: Final[tuple[tuple[frozenset[str], _Make], ...]] = (
    (_TIMED_OUT, _timed_out),
    (_NO_MEMORY, _no_memory),
    (_NO_ROOM, _no_room),
    (_NO_DATABASE, _no_database),
)


# --- what the way to it says


def _of_connection(error: Exception, at: Circumstances) -> AskgraphError:
    causes = list(causes_of(error))
    refused = refused_certificate(causes)
    if refused is not None:
        return distrusted(
            refused, at.place, f"; {_plain(at)}+ssc:// accepts any, and then nobody knows who answers"
        )
    for kind, make in _OBSTACLES:
        if any(isinstance(cause, kind) for cause in causes):
            return make(at)
    if at.connected:
        return UnreachableError(
            f"the connection to {at.place} was cut",
            advice="See whether the server is still up, then ask again.",
        )
    if "+" in at.address.scheme:
        return _no_tls(at)
    if any("looks like HTTP" in str(cause) for cause in causes):
        return UnreachableError(
            f"{at.place} speaks HTTP, not Bolt", advice="The port for Bolt is another one, by default 7687."
        )
    if isinstance(error, driver_errors.UnsupportedServerProduct):
        return UnreachableError(f"{at.place} speaks no version of Bolt that this driver knows")
    return UnreachableError(
        f"{at.place} closed the connection before it said anything",
        advice=f"Perhaps it is no Bolt port (7687 by default), or it wants TLS: {_plain(at)}+s://.",
    )


def _no_tls(at: Circumstances) -> UnreachableError:
    return UnreachableError(
        f"{at.place} does not speak TLS",
        advice=f"Use {_plain(at)}:// if the network between is trusted, or turn TLS on at the server.",
    )


def _no_such_machine(at: Circumstances) -> UnreachableError:
    return UnreachableError(
        f"no machine is called {at.address.host!r}", advice="Look at the address and the name server."
    )


def _refused(at: Circumstances) -> UnreachableError:
    lost = "the connection was lost, and now " if at.connected else ""
    return UnreachableError(
        f"{lost}nothing listens at {at.place}",
        advice="See whether the server runs, and on which port. One in a container or behind a tunnel may send its"
        " clients to addresses that only it can reach: bolt:// does not ask it.",
    )


def _silent(at: Circumstances) -> UnreachableError:
    tls = "" if at.connected or "+" in at.address.scheme else f" Perhaps it wants TLS: {_plain(at)}+s://."
    return UnreachableError(
        f"{at.place} did not answer in time",
        advice=f"See whether the server is up and not overloaded, or allow more time with --timeout.{tls}",
    )


# The first that is among the causes says what was wrong.
_OBSTACLES: Final[tuple[tuple[type[BaseException], Callable[[Circumstances], UnreachableError]], ...]] = (
    (ssl.SSLError, _no_tls),
    (socket.gaierror, _no_such_machine),
    (ConnectionRefusedError, _refused),
    (TimeoutError, _silent),
)


def _plain(at: Circumstances) -> str:
    return at.address.scheme.partition("+")[0]
