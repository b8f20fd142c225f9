"""Harmless trials on a SPARQL endpoint, for `askgraph doctor --self-test`.

Every query and update here is a constant of this module or a product of a size found by running smaller ones first;
none reads data of the graph. The one update would delete a triple that no graph has. SERVICE and FROM are pointed at a
listener of our own on loopback, and only where the endpoint is on this machine too.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final, Protocol, Self
from urllib.parse import urlencode, urlsplit

from ...core.budget import Budget
from ...core.errors import DeadlineExceededError, ServerError
from ..trial import Trial, seconds_text
from .endpoint import Endpoint
from .engines import Engine, Recognised
from .http import HttpPool, HttpRequest
from .loopback_listener import LoopbackListener

MOST_ROWS: Final = 20_000
_DIGITS: Final = " ".join(str(digit) for digit in range(10))
_NOTHING: Final = (
    "DELETE DATA { GRAPH <urn:askgraph:doctor> "
    '{ <urn:askgraph:doctor> <urn:askgraph:doctor> "a triple that no graph has" } }'
)
_WORK, _PATIENCE = 11.0, 8.0
"""Seconds that the product takes on an endpoint that does not stop it, and after which we stop waiting."""
_SMALLEST_WORK, _LONG_ENOUGH = 1_000, 0.5
_MOST_STEPS: Final = 10**12
_MOST_BYTES: Final = 32_000_000
_SIGNS_OF_A_CALL: Final = (
    "connection refused", "connectexception", "failed to connect", "not connect", "unreachable",
)  # fmt: skip
_SIGNS_OF_TIME_OUT: Final = (
    "timed out", "timeout", "time out", "s1t00", "cancelled", "canceled", "interrupted",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class EndpointTrials:
    """What was tried out; ``None`` for what was not.

    Attributes:
        update: an update sent to the query endpoint.
        update_beside: an update sent to the endpoint for updates that servers of this kind have beside it.
        time_out: a query of some seconds.
        rows: a query of many rows.
        service: SERVICE.
        documents: FROM with a document that the endpoint does not have.
        partial: a query that is to give what it has when its time is up.
    """

    update: Trial | None = None
    update_beside: Trial | None = None
    time_out: Trial | None = None
    rows: Trial | None = None
    service: Trial | None = None
    documents: Trial | None = None
    partial: Trial | None = None


@dataclass(frozen=True, slots=True)
class RawReply:
    """What an endpoint sent, unread. ``status`` 0: nothing came in time, or the connection broke.

    Attributes:
        status: of HTTP.
        headers: names in lower case.
        body: all bytes, of a broken reply those that came.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body as text, whatever it is."""
        return self.body.decode("utf-8", errors="replace")


class Send(Protocol):
    """Posts a form to the endpoint, or to the URL of one beside it, and gives whatever comes back."""

    def __call__(self, form: Mapping[str, str], *, patience: float, url: str | None = None) -> RawReply:
        """The reply, within ``patience`` seconds."""


class RawSender:
    """Sends as the store does, and judges nothing. A context manager."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._pool = HttpPool(endpoint.host, endpoint.scheme, ca_file=endpoint.ca_file)

    def __call__(self, form: Mapping[str, str], *, patience: float, url: str | None = None) -> RawReply:
        """See :class:`Send`."""
        target = url or self._endpoint.url
        data_set = self._endpoint.data_set if "query" in form else ()
        body = urlencode([*form.items(), *data_set]).encode()
        headers = {
            "Host": urlsplit(target).netloc,
            "User-Agent": self._endpoint.user_agent,
            "Accept": "application/sparql-results+json",
            "Content-Type": "application/x-www-form-urlencoded",
            "Content-Length": str(len(body)),
        }
        if self._endpoint.authorization is not None:
            headers["Authorization"] = self._endpoint.authorization
        content = bytearray()
        try:
            with self._pool.send(
                HttpRequest("POST", target, headers, body), Budget(seconds=patience)
            ) as reply:
                for piece in reply.pieces():
                    content += piece
                    if len(content) > _MOST_BYTES:
                        break
                return RawReply(reply.status, reply.headers, bytes(content))
        except (ServerError, DeadlineExceededError):
            return RawReply(0, {}, bytes(content))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.close()


def try_out(endpoint: Endpoint, engine: Recognised, *, is_local: bool) -> EndpointTrials:
    """Try all of them.

    Args:
        endpoint: where, and as whom.
        engine: what answers there.
        is_local: whether the endpoint is on this machine, so that it could call us.
    """
    beside = _updates_beside(endpoint, engine)
    with RawSender(endpoint) as send:
        return EndpointTrials(
            update=try_update(send),
            update_beside=try_update(send, beside) if beside is not None else None,
            time_out=try_time_out(send, engine.timeout_parameter),
            rows=try_rows(send),
            service=try_service(send) if is_local else None,
            documents=try_from(send) if is_local else None,
            partial=try_partial_answer(send) if engine.engine is Engine.VIRTUOSO else None,
        )


def _updates_beside(endpoint: Endpoint, engine: Recognised) -> str | None:
    """The URL under which a server of this kind takes updates, if it takes any."""
    folder = endpoint.path.rpartition("/")[0]
    match engine.engine:
        case Engine.OXIGRAPH | Engine.FUSEKI:
            return f"{endpoint.origin}{folder}/update"
        case Engine.GRAPHDB:
            return f"{endpoint.origin}{endpoint.path.rstrip('/')}/statements"
    return None


def try_rows(send: Send, rows: int = MOST_ROWS) -> Trial:
    """Whether the endpoint caps the rows of a result, and at how many."""
    digits = "".join(f" VALUES ?d{place} {{{_DIGITS}}}" for place in range(4))
    choices = " ".join(str(number) for number in range(rows // 10_000))
    began = time.monotonic()
    reply = send(
        {"query": f"SELECT ?d0 ?d1 WHERE {{{digits} VALUES ?more {{{choices}}} }}"}, patience=_PATIENCE
    )
    took = time.monotonic() - began
    came = _rows(reply)
    if came is None:
        return Trial(None, f"a query for {rows:,} rows failed: {_failure(reply)}", took)
    if came >= rows:
        return Trial(False, f"all of {rows:,} rows came", took)
    is_told = "x-sparql-maxrows" in reply.headers
    told = ", and the header X-SPARQL-MaxRows says so" if is_told else ", and nothing says so"
    return Trial(True, f"of {rows:,} rows {came:,} came{told}", took)


def try_time_out(send: Send, parameter: str = "") -> Trial:
    """Whether the endpoint stops a query by itself before we stop waiting.

    Args:
        send: sends to the endpoint.
        parameter: the name of the parameter, if there is one, by which it is told to stop after a second.
    """
    told = {parameter: "1"} if parameter else {}
    steps, took = _SMALLEST_WORK, 0.0
    while True:
        began = time.monotonic()
        reply = send({"query": product(steps), **told}, patience=_PATIENCE)
        took = time.monotonic() - began
        if _rows(reply) is None:
            return _stopped(reply, took)
        if took >= _PATIENCE or steps >= _MOST_STEPS:
            return Trial(False, f"a product ran to its end, {seconds_text(took)}", took)
        # From a run that is too short to tell, only a step up; from a longer one, right to the size that is due.
        steps = steps * 10 if took < _LONG_ENOUGH else int(steps * _WORK / took)


def _stopped(reply: RawReply, took: float) -> Trial:
    if reply.status == 0:
        if took >= _PATIENCE * 0.9:
            return Trial(False, f"a product was not stopped within {_PATIENCE:g} s", took)
        return Trial(None, f"a product ended in a broken connection after {seconds_text(took)}", took)
    if any(sign in reply.text.lower() for sign in _SIGNS_OF_TIME_OUT):
        how = f"status {reply.status}" if reply.status >= 400 else "status 200 and a broken answer"
        return Trial(True, f"a product was stopped after {seconds_text(took)}, with {how}", took)
    return Trial(None, f"a product failed: {_failure(reply)}", took)


def product(steps: int) -> str:
    """A query that counts nothing in a product of about so many rows: work of any size, with no data."""
    blocks: list[str] = []
    while steps >= 100:
        steps //= 10
        blocks.append(f"VALUES ?d{len(blocks)} {{{_DIGITS}}}")
    numbers = " ".join(str(number) for number in range(steps))
    total = " + ".join([*(f"?d{place}" for place in range(len(blocks))), "?last"])
    return f"SELECT (COUNT(*) AS ?n) WHERE {{ {' '.join(blocks)} VALUES ?last {{{numbers}}} FILTER ({total} < 0) }}"


def try_partial_answer(send: Send) -> Trial:
    """Whether Virtuoso, asked for what it has after half a second, answers with a part as if it were the whole."""
    began = time.monotonic()
    reply = send({"query": product(10_000_000), "timeout": "500"}, patience=_PATIENCE)
    took = time.monotonic() - began
    state = reply.headers.get("x-sql-state", "")
    if reply.status == 200 and state:
        what = f"with timeout=500 a count came with status 200, marked as partial by the header X-SQL-State: {state}"
        return Trial(False, what, took)
    if reply.status >= 400:
        return Trial(
            True, f"with timeout=500 a product was refused or stopped, with status {reply.status}", took
        )
    return Trial(None, "with timeout=500 a product ran to its end", took)


def try_update(send: Send, url: str | None = None) -> Trial:
    """Whether an update is taken, by the query endpoint or that at ``url``. It deletes a triple that is not there."""
    began = time.monotonic()
    reply = send({"update": _NOTHING}, patience=_PATIENCE, url=url)
    took = time.monotonic() - began
    if reply.status == 0:
        return Trial(None, "an update got no answer", took)
    if reply.status < 300 and not _is_page(reply):
        return Trial(False, "an update (of nothing) was taken", took)
    return Trial(True, f"an update (of nothing) was refused, with status {reply.status}", took)


def try_service(send: Send) -> Trial:
    """Whether SERVICE calls out: to a listener of our own on this machine."""
    return _try_calling(
        send,
        "SELECT * WHERE {{ SERVICE <{url}> {{ ?s ?p ?o }} }} LIMIT 1",
        "SERVICE",
        "to an address of ours",
    )


def try_from(send: Send) -> Trial:
    """Whether FROM fetches a document that the endpoint does not have: from a listener of our own on this machine."""
    return _try_calling(
        send, "SELECT * FROM <{url}> WHERE {{ ?s ?p ?o }} LIMIT 1", "FROM", "a document from us"
    )


def _try_calling(send: Send, query: str, keyword: str, whither: str) -> Trial:
    began = time.monotonic()
    with LoopbackListener() as listener:
        reply = send({"query": query.format(url=listener.url)}, patience=_PATIENCE)
        called = listener.was_called
    took = time.monotonic() - began
    if called:
        verb = "called out" if keyword == "SERVICE" else "fetched"
        return Trial(False, f"{keyword} {verb} {whither}", took)
    if reply.status == 0:
        return Trial(None, f"a query with {keyword} got no answer", took)
    if any(sign in reply.text.lower() for sign in _SIGNS_OF_A_CALL):
        return Trial(False, f"{keyword} tried to call out, and did not reach us", took)
    if reply.status >= 400:
        return Trial(True, f"{keyword} was refused, with status {reply.status}", took)
    return Trial(True, f"{keyword} called nobody", took)


def _rows(reply: RawReply) -> int | None:
    """How many rows a whole answer has; ``None`` for what is no whole answer."""
    if reply.status != 200:
        return None
    try:
        answer: Any = json.loads(reply.body)
        return len(answer["results"]["bindings"])
    except (ValueError, KeyError, TypeError):
        return None


def _is_page(reply: RawReply) -> bool:
    return "html" in reply.headers.get("content-type", "")


def _failure(reply: RawReply) -> str:
    if reply.status == 0:
        return "no answer"
    return f"status {reply.status}" if reply.status != 200 else "an answer that is not JSON"
