"""Speaks the SPARQL 1.1 Protocol: a query goes out, rows, triples or an error with a type come back.

Every call has one deadline, whatever happens: connecting, waiting, reading, trying again. Status 200 proves nothing: a
reply counts as an answer only when it was read to its end and nothing in it, and none of its headers, says that it is a
part.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Generic, Literal, TypeVar
from urllib.parse import urlencode, urljoin, urlsplit

from ...core.budget import Budget
from ...core.errors import (
    BadReplyError,
    DeadlineExceededError,
    ServerBusyError,
    UnreachableError,
)
from .endpoint import Endpoint
from .engines import UNRECOGNISED, Recognised, recognise
from .faults import MOST_WORDS, fault_of_break, fault_of_page, fault_of_status, page_title, partial_answer
from .http import HttpPool, HttpReply, HttpRequest, seconds_to_wait
from .json_results import BrokenReply, JsonResults
from .terms import Row, size_of
from .triple_reading import ACCEPTED as ACCEPTED_TRIPLES
from .triple_reading import read_triples
from .xml_results import XmlResults

ACCEPTED_RESULTS: Final = "application/sparql-results+json, application/sparql-results+xml;q=0.5"

_Way = Literal["form", "direct", "get"]
_WAYS: Final[tuple[_Way, ...]] = ("form", "direct", "get")
_MOST_TRIES: Final = 4
_FIRST_PAUSE: Final = 0.5
_MOST_REDIRECTS: Final = 3
# A result with exactly so many rows was cut, as a rule.
_ROUND_NUMBERS: Final = frozenset(
    digit * 10**zeros for digit in (1, 2, 5) for zeros in range(3, 8)
) | {2**power for power in range(10, 21)}  # fmt: skip
_LAST_LIMIT: Final = re.compile(r"\bLIMIT\s+(\d+)\s*(?:OFFSET\s+\d+\s*)?\Z", re.IGNORECASE)
_MADE_FOR_PEOPLE: Final = ("text/html", "application/xhtml+xml")

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Found(Generic[Item]):
    """What a query gave.

    Attributes:
        columns: names of the variables; of a graph ``subject``, ``predicate``, ``object``.
        rows: in the order in which they came.
        truncated: whether there are, or may well be, more.
        notes: what was cut, in plain sentences.
    """

    columns: tuple[str, ...]
    rows: list[Item]
    truncated: bool = False
    notes: tuple[str, ...] = ()


class SparqlClient:
    """Asks one endpoint. Safe to use from several threads at once.

    Attributes:
        endpoint: where, and as whom.
        engine: what answers there; known after the first reply.
        row_cap: the most rows that the server gives, once it has said so.
        requests: how many requests have been sent.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.engine: Recognised = UNRECOGNISED
        self.row_cap: int | None = None
        self.requests = 0
        self._way: _Way = "form"
        self._pool = HttpPool(endpoint.host, endpoint.scheme, ca_file=endpoint.ca_file)
        self._count = threading.Lock()

    # --- what is asked

    def greet(self, budget: Budget) -> Recognised:
        """Ask the least that can be asked, to see that an endpoint is there and what it is. Raises what
        :meth:`select` raises."""
        with self._send("ASK {}", ACCEPTED_RESULTS, budget) as reply:
            self.engine = recognise(self.endpoint.host, self.endpoint.path, reply.headers)
            results = _results(reply)
            _read_all(results)
            if results.boolean is None:
                raise BadReplyError("the server answered an ASK with something else than yes or no")
        return self.engine

    def select(self, text: str, budget: Budget) -> Found[Row]:
        """The solutions of a SELECT, as terms: at most the budget's rows and bytes.

        Raises:
            DeadlineExceededError: the time is up, here or on the server.
            QueryFailedError: the server cannot run the query.
            ServerError: it is not reached, refuses, has no room, or its reply is no whole answer.
        """
        return self.select_as(text, budget, lambda row: row)

    def select_as(self, text: str, budget: Budget, made: Callable[[Row], Item]) -> Found[Item]:
        """As :meth:`select`, each row made into something else as it comes."""
        with self._send(text, ACCEPTED_RESULTS, budget) as reply:
            results = _results(reply)
            rows: list[Item] = []
            size = 0
            cut = ""
            came = 0
            try:
                for row in results.rows():
                    came += 1
                    size += 64 + sum(map(size_of, row))
                    cut = _cut(came, size, budget)
                    if cut:
                        break
                    rows.append(made(row))
            except BrokenReply as broken:
                raise self._broken(reply, broken, came) from None
            if results.boolean is not None and not came:
                raise BadReplyError("the server answered a SELECT with yes or no")
            notes = [cut] if cut else self._notes_on_caps(reply, text, came)
        return Found(results.columns or (), rows, bool(notes), tuple(notes))

    def ask(self, text: str, budget: Budget) -> bool:
        """The answer to an ASK. Raises as :meth:`select` does."""
        with self._send(text, ACCEPTED_RESULTS, budget) as reply:
            results = _results(reply)
            try:
                _read_all(results)
            except BrokenReply as broken:
                raise self._broken(reply, broken, 0) from None
        if results.boolean is None:
            raise BadReplyError("the server answered an ASK with something else than yes or no")
        return results.boolean

    def construct(self, text: str, budget: Budget) -> Found[Row]:
        """The triples of a CONSTRUCT or DESCRIBE, as rows of subject, predicate, object. Raises as :meth:`select`."""
        with self._send(text, ACCEPTED_TRIPLES, budget) as reply:
            if reply.media_type in _MADE_FOR_PEOPLE:
                raise fault_of_page(reply.text(MOST_WORDS))
            rows: list[Row] = []
            size = 0
            cut = ""
            try:
                for triple in read_triples(reply.pieces(), reply.media_type):
                    size += 64 + sum(map(size_of, triple))
                    cut = _cut(len(rows) + 1, size, budget)
                    if cut:
                        break
                    rows.append(triple)
            except BrokenReply as broken:
                raise self._broken(reply, broken, len(rows)) from None
            notes = [cut] if cut else self._notes_on_caps(reply, text, len(rows), of_triples=True)
        return Found(("subject", "predicate", "object"), rows, bool(notes), tuple(notes))

    def describe_service(self, budget: Budget) -> Found[Row]:
        """What the endpoint says of itself (SPARQL 1.1 Service Description): the triples that a request without a
        query gives. Raises as :meth:`select`; many servers have nothing to say."""
        endpoint = self.endpoint
        request = self._request("GET", endpoint.url, ACCEPTED_TRIPLES, budget)
        with self._checked(self._pool_send(request, budget), budget) as reply:
            if reply.media_type in _MADE_FOR_PEOPLE:
                raise fault_of_page(reply.text(MOST_WORDS))
            try:
                rows: list[Row] = list(read_triples(reply.pieces(), reply.media_type))
            except BrokenReply as broken:
                raise self._broken(reply, broken, 0) from None
        return Found(("subject", "predicate", "object"), rows)

    def close(self) -> None:
        """Close the connections. Closing twice is allowed."""
        self._pool.close()

    # --- sending, and trying again

    def _send(self, text: str, accept: str, budget: Budget) -> HttpReply:
        """Send a query until a reply with a status of success comes, or trying again makes no sense."""
        pause = _FIRST_PAUSE
        for tries in range(1, _MOST_TRIES + 1):
            try:
                return self._checked(self._send_some_way(text, accept, budget), budget)
            except ServerBusyError as busy:
                wait = pause if busy.retry_after is None else busy.retry_after
                if tries == _MOST_TRIES or wait >= budget.remaining:
                    raise
                time.sleep(wait)
                pause *= 2
            except UnreachableError:
                # A connection that was kept open may have been closed at the other end meanwhile.
                if tries > 1 or budget.remaining <= pause:
                    raise
        raise AssertionError("the last try returns or raises")

    def _send_some_way(self, text: str, accept: str, budget: Budget) -> HttpReply:
        """Send a query in a way that the server takes: as a form, as it is, or in the URL."""
        for way in _WAYS[_WAYS.index(self._way) :]:
            reply = self._follow(self._query_request(way, text, accept, budget), budget)
            if reply.status in (405, 415, 501) and way != _WAYS[-1]:
                reply.close()
                continue
            if reply.status < 400:
                self._way = way
            return reply
        raise AssertionError("the last way returns")

    def _query_request(self, way: _Way, text: str, accept: str, budget: Budget) -> HttpRequest:
        endpoint = self.endpoint
        given = list(endpoint.data_set)
        parameter = self.engine.timeout_parameter
        if parameter:
            given.append((parameter, str(max(1, round(budget.remaining + 0.5)))))
        match way:
            case "form":
                body = urlencode([("query", text), *given]).encode()
                return self._request(
                    "POST", endpoint.url, accept, budget, body, "application/x-www-form-urlencoded"
                )
            case "direct":
                url = _with_parameters(endpoint.url, given)
                return self._request(
                    "POST", url, accept, budget, text.encode(), "application/sparql-query; charset=utf-8"
                )
        return self._request("GET", _with_parameters(endpoint.url, [("query", text), *given]), accept, budget)

    def _request(
        self, method: str, url: str, accept: str, budget: Budget, body: bytes = b"", media_type: str = ""
    ) -> HttpRequest:
        headers = {
            "Host": urlsplit(url).netloc,
            "User-Agent": self.endpoint.user_agent,
            "Accept": accept,
            "Accept-Encoding": "gzip",
        }
        if body:
            headers |= {"Content-Type": media_type, "Content-Length": str(len(body))}
        if self.endpoint.authorization is not None:
            headers["Authorization"] = self.endpoint.authorization
        if self.engine.timeout_header:
            headers[self.engine.timeout_header] = str(max(1, int(budget.remaining * 1000)))
        return HttpRequest(method, url, headers, body)

    def _pool_send(self, request: HttpRequest, budget: Budget) -> HttpReply:
        with self._count:
            self.requests += 1
        return self._pool.send(request, budget)

    def _follow(self, request: HttpRequest, budget: Budget) -> HttpReply:
        """Send, and go where the server points, but never to another host: credentials and query are for this one."""
        for _ in range(_MOST_REDIRECTS + 1):
            reply = self._pool_send(request, budget)
            target = reply.headers.get("location")
            if reply.status not in (301, 302, 303, 307, 308) or target is None:
                return reply
            reply.close()
            url = urljoin(request.url, target)
            if not _is_same_place(request.url, url):
                raise UnreachableError(
                    f"the server points to another one, at {urlsplit(url).hostname}, and is not followed there",
                    advice="If that is where the endpoint is, give its address.",
                )
            headers = {**request.headers, "Host": urlsplit(url).netloc}
            if reply.status == 303:
                keep = {name: value for name, value in headers.items() if not name.startswith("Content-")}
                request = HttpRequest("GET", url, keep)
            else:
                request = replace(request, url=url, headers=headers)
        raise UnreachableError(f"the server points from one address to the next, {_MOST_REDIRECTS} times")

    def _checked(self, reply: HttpReply, budget: Budget) -> HttpReply:
        """The reply if its status and headers promise an answer, else the error that it is."""
        if 200 <= reply.status < 300:
            state = reply.headers.get("x-sql-state")
            if state:
                reply.close()
                raise partial_answer(f"{state} {reply.headers.get('x-sql-message', '')}")
            return reply
        with reply:
            retry_after = seconds_to_wait(reply.headers.get("retry-after"))
            try:
                text = reply.text(MOST_WORDS)
            except (UnreachableError, DeadlineExceededError):
                text = ""  # the status alone says enough
            budget.check("waiting for the server")
            raise fault_of_status(
                reply.status,
                text,
                retry_after=retry_after,
                sent_credentials=bool(self.endpoint.credentials),
            )

    # --- what a reply is worth

    def _broken(self, reply: HttpReply, broken: BrokenReply, rows: int) -> Exception:
        if not rows and (reply.media_type in _MADE_FOR_PEOPLE or page_title(broken.tail) is not None):
            return fault_of_page(broken.tail)
        return fault_of_break(broken.tail, rows)

    def _notes_on_caps(
        self, reply: HttpReply, text: str, count: int, *, of_triples: bool = False
    ) -> list[str]:
        """What is to be said of a whole reply that may yet be a part of the answer."""
        own = _LAST_LIMIT.search(text)
        limit = int(own[1]) if own else None
        stated = reply.headers.get("x-sparql-maxrows", "")
        if stated.isdigit() and int(stated):
            self.row_cap = int(stated)
        wants_no_more = limit is not None and limit <= count
        if count and self.row_cap is not None and count >= self.row_cap and not wants_no_more:
            return [f"The server gives at most {self.row_cap:,} rows and has cut the rest off."]
        if of_triples and count >= _LEAST_SUSPECT and self.engine.caps_rows and limit is None:
            return [f"{count:,} triples came; this server may cut such a result and not say so."]
        if count in _ROUND_NUMBERS and self.engine.caps_rows and not wants_no_more:
            return [f"Exactly {count:,} rows came, which looks like a cap of the server: there may be more."]
        return []


_LEAST_SUSPECT: Final = 1_000


def _results(reply: HttpReply) -> JsonResults | XmlResults:
    """A reader for the format of the reply."""
    if reply.media_type in _MADE_FOR_PEOPLE:
        raise fault_of_page(reply.text(MOST_WORDS))
    is_xml = reply.media_type.endswith(("/xml", "+xml"))
    return XmlResults(reply.pieces()) if is_xml else JsonResults(reply.pieces())


def _read_all(results: JsonResults | XmlResults) -> None:
    for _ in results.rows():
        pass


def _cut(count: int, size: int, budget: Budget) -> str:
    """Why reading stops before this row; empty if it goes on."""
    if count > budget.rows:
        return f"There are more than the {budget.rows:,} rows that were asked for."
    if size > budget.bytes:
        return f"The result was cut after {count - 1:,} rows: more would take over {budget.bytes:,} bytes."
    if not count % 256:
        budget.check("reading the result")
    return ""


def _with_parameters(url: str, parameters: list[tuple[str, str]]) -> str:
    if not parameters:
        return url
    return f"{url}{'&' if '?' in url else '?'}{urlencode(parameters)}"


def _is_same_place(url: str, other: str) -> bool:
    """Whether two URLs are of one host and port; from http to https of the same host is allowed, never back."""
    one, two = urlsplit(url), urlsplit(other)
    if one.hostname != two.hostname or two.scheme not in ("http", "https"):
        return False
    if one.scheme == two.scheme:
        return _port(one.scheme, one.port) == _port(two.scheme, two.port)
    return (one.scheme, two.scheme) == ("http", "https")


def _port(scheme: str, port: int | None) -> int:
    return port or (443 if scheme == "https" else 80)
