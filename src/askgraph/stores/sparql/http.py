"""HTTP requests and replies under a deadline: a pool of connections, bodies read piece by piece, typed errors."""

from __future__ import annotations

import ssl
import time
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Final, Self
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

import httpcore2

from ...core.budget import Budget
from ...core.errors import DeadlineExceededError, ServerBusyError, UnreachableError
from ..causes import causes_of
from ..tls import distrusted, refused_certificate, trusting_context
from .network import DeadlineBackend

MOST_CONNECTIONS: Final = 8
_IDLE_SECONDS: Final = 15.0
# What is decompressed at once: a small body may hold a very large one.
_INFLATED: Final = 262_144


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request. ``repr`` shows neither headers, which hold credentials, nor the body."""

    method: str
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(default=b"", repr=False)


class HttpReply:
    """A reply whose body is still to be read. Closing it before its end closes the connection.

    Attributes:
        status: the status code.
        headers: by name in lower case; of one that comes again the last.
    """

    def __init__(self, response: httpcore2.Response, budget: Budget) -> None:
        self.status = response.status
        self.headers = {
            name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers
        }
        self._response = response
        self._budget = budget

    @property
    def media_type(self) -> str:
        """The media type of the body, in lower case and without parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    def pieces(self) -> Iterator[bytes]:
        """The body, decompressed, as it comes.

        Raises:
            DeadlineExceededError: the time is up.
            UnreachableError: the connection was cut before the end.
        """
        with _TypedFaults(self._budget, "reading the reply"):
            coding = self.headers.get("content-encoding", "identity").strip().lower()
            raw: Iterator[bytes] = self._response.iter_stream()
            yield from raw if coding in ("", "identity") else _inflated(raw, coding)

    def text(self, most_bytes: int) -> str:
        """The beginning of the body as text."""
        content = bytearray()
        for piece in self.pieces():
            content += piece
            if len(content) >= most_bytes:
                break
        return bytes(content[:most_bytes]).decode("utf-8", "replace")

    def close(self) -> None:
        """Let go of the connection; it is used again only if the body was read to its end."""
        self._response.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class HttpPool:
    """Connections that are used again and again. Safe to use from several threads.

    Certificates are verified. A proxy that the environment names (``HTTPS_PROXY``, ``NO_PROXY``) is used.
    """

    def __init__(
        self, host: str, scheme: str, *, connections: int = MOST_CONNECTIONS, ca_file: Path | None = None
    ) -> None:
        """Nothing is connected yet.

        Args:
            host: of the requests to come.
            scheme: theirs, http or https.
            connections: at most.
            ca_file: certificates of authorities that are trusted beside those of the system.

        Raises:
            SettingsError: a file of certificates cannot be used.
        """
        self._connections = connections
        self._pool = httpcore2.ConnectionPool(
            ssl_context=trusting_context(ca_file) if scheme == "https" else None,
            proxy=_proxy(host, scheme),
            max_connections=connections,
            keepalive_expiry=_IDLE_SECONDS,
            network_backend=DeadlineBackend(),
        )

    def send(self, request: HttpRequest, budget: Budget) -> HttpReply:
        """Send a request and wait for the head of its reply.

        Raises:
            DeadlineExceededError: the time is up.
            ServerBusyError: no connection of the pool became free in time.
            UnreachableError: nothing answers, the certificate is not trusted, or the connection was cut.
        """
        budget.check("waiting for the server")
        moment = budget.deadline
        asked = httpcore2.Request(
            method=request.method,
            url=request.url,
            headers=list(request.headers.items()),
            content=request.body,
            extensions={
                "timeout": {"connect": moment, "read": moment, "write": moment, "pool": budget.remaining}
            },
        )
        with _TypedFaults(budget, "waiting for the server", self._connections):
            return HttpReply(self._pool.handle_request(asked), budget)

    def close(self) -> None:
        """Close the connections. Closing twice is allowed."""
        self._pool.close()


class _TypedFaults:
    """Turns what the network raises into errors of ours. They say nothing of the request."""

    def __init__(self, budget: Budget, doing: str, connections: int = 0) -> None:
        self._budget = budget
        self._doing = doing
        self._connections = connections

    def __enter__(self) -> None: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        match error:
            case httpcore2.PoolTimeout():
                raise ServerBusyError(
                    f"all {self._connections} connections to the server are in use",
                    advice="Ask fewer questions at once, or allow more time.",
                ) from None
            case httpcore2.TimeoutException():
                raise DeadlineExceededError(
                    f"{self._budget.stated_time} was up while {self._doing}",
                    advice="Allow more with --timeout or Budget(seconds=…), or ask something narrower.",
                ) from None
            case httpcore2.ConnectError():
                raise _not_reached(error) from None
            case httpcore2.NetworkError() | httpcore2.ProtocolError() | httpcore2.ProxyError():
                raise UnreachableError(
                    f"the connection to the server was cut while {self._doing}",
                    advice="Try again; if it comes again, look at the server's own log.",
                ) from None
            case zlib.error():
                raise UnreachableError("what the server sent cannot be decompressed") from None


def _not_reached(error: httpcore2.ConnectError) -> UnreachableError:
    causes = list(causes_of(error))
    refused = refused_certificate(causes)
    if refused is not None:
        return distrusted(refused, "the server")
    if any(isinstance(cause, ssl.SSLError) for cause in causes):
        return UnreachableError(
            "the server does not speak TLS at this port",
            advice="Use sparql+http:// if the network between is trusted, or the port at which it does.",
        )
    return UnreachableError(
        f"nothing answers at the address ({error})",
        advice="Is the server running, and are host and port right?",
    )


def _inflated(raw: Iterator[bytes], coding: str) -> Iterator[bytes]:
    if coding not in ("gzip", "x-gzip", "deflate"):
        raise UnreachableError(
            f"the server sent its reply compressed in a way that nobody asked for: {coding}"
        )
    inflater = zlib.decompressobj(zlib.MAX_WBITS | 32 if coding != "deflate" else zlib.MAX_WBITS)
    for piece in raw:
        while piece:
            yield inflater.decompress(piece, _INFLATED)
            piece = inflater.unconsumed_tail
    yield inflater.flush()
    if not inflater.eof:
        raise httpcore2.RemoteProtocolError("the compressed body has no end")


def _proxy(host: str, scheme: str) -> httpcore2.Proxy | None:
    url = getproxies().get(scheme)
    if not url or proxy_bypass(host):
        return None
    parts = urlsplit(url if "://" in url else f"http://{url}")
    address = f"{parts.scheme}://{parts.hostname}:{parts.port or (443 if parts.scheme == 'https' else 80)}"
    if parts.username is None:
        return httpcore2.Proxy(address)
    return httpcore2.Proxy(address, auth=(unquote(parts.username), unquote(parts.password or "")))


def seconds_to_wait(value: str | None, now: float | None = None) -> float | None:
    """The seconds that a ``Retry-After`` header asks for: a number, or a date of HTTP; ``None`` if it says neither."""
    if value is None:
        return None
    value = value.strip()
    if value.isascii() and value.isdigit():
        return float(value)
    from email.utils import parsedate_to_datetime

    try:
        moment = parsedate_to_datetime(value).timestamp()
    except (TypeError, ValueError):
        return None
    return max(0.0, moment - (time.time() if now is None else now))
