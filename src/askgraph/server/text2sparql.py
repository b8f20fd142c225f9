"""The HTTP protocol of the TEXT2SPARQL challenge: a question about a data set in, a SPARQL query out.

``GET /?dataset=IRI&question=TEXT`` gives ``{"dataset": …, "question": …, "query": …}``, as JSON. The challenge's own
client (``text2sparql-client``) looks at nothing else: not at the status, and whatever is no JSON ends it. So every
reply is JSON, and one without ``"query"`` (which the client counts as a question without an answer) says in
``"detail"``, ``"type"`` and ``"advice"`` what was wrong.

======  ================================================================================================
400     a parameter is missing, given twice, empty, or too long
403     a name of the server that may not be this machine's, where only that is served
404     another data set than those served; another path
405     another method than GET
422     the question cannot be put as SPARQL
502     the model or the graph's server failed, or the model wrote a query that does more than read
503     too many questions at once, the model is busy, or the server is ending
504     the time was up
500     a fault of askgraph
======  ================================================================================================
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from ..core.errors import (
    AskgraphError,
    BudgetError,
    ModelBusyError,
    ModelError,
    NoSparqlError,
    OpenError,
    PlanError,
    QueryRefusedError,
    ServerBusyError,
)
from ..core.run import without_credentials
from .bounded_work import BoundedWork, TooMuchWorkError
from .sparql_writing import SparqlWriter, WrittenSparql

ANY_DATASET: Final = ""
"""The key of a graph that is asked whatever data set a client names."""

_LOCAL_NAMES: Final = frozenset({"127.0.0.1", "localhost", "::1"})
_LONGEST_SHOWN: Final = 200
_STATUS: Final[tuple[tuple[type[AskgraphError], int], ...]] = (
    (TooMuchWorkError, 503),
    (ModelBusyError, 503),
    (ServerBusyError, 503),
    (NoSparqlError, 422),
    (PlanError, 400),
    (QueryRefusedError, 502),
    (BudgetError, 504),
    (ModelError, 502),
    (OpenError, 502),
)


@dataclass(frozen=True, slots=True)
class Served:
    """One request that was answered: what the server's owner sees of it."""

    status: int
    seconds: float
    question: str
    said: str


class BadRequestError(AskgraphError):
    """A request that cannot be read. ``status``: of the reply."""

    def __init__(self, message: str, *, status: int = 400, advice: str | None = None) -> None:
        super().__init__(message, advice=advice)
        self.status = status


def text2sparql_app(
    writers: Mapping[str, SparqlWriter],
    *,
    seconds: float = 30.0,
    at_once: int = 4,
    waiting: int = 60,
    is_local: bool = True,
    on_served: Callable[[Served], None] = lambda served: None,
) -> Starlette:
    """The protocol as an ASGI application.

    Args:
        writers: what puts questions as SPARQL, by the IRI of the data set; :data:`ANY_DATASET` takes every other.
        seconds: how long a question may take, its waiting included.
        at_once: questions that are worked on at a time.
        waiting: further ones that may wait; more are refused.
        is_local: whether only this machine is served: a request by another name of it is then refused, so that no web
            page can ask (DNS rebinding).
        on_served: told about each request.
    """
    work = BoundedWork(at_once, waiting)
    protocol = _Protocol(dict(writers), seconds, work, on_served, _LOCAL_NAMES if is_local else None)
    return Starlette(
        routes=[
            Route("/", protocol.answer, methods=["GET"]),
            Route("/health", protocol.health, methods=["GET"]),
        ],
        exception_handlers={HTTPException: _not_served},
    )


class _Protocol:
    """Answers requests."""

    def __init__(
        self,
        writers: dict[str, SparqlWriter],
        seconds: float,
        work: BoundedWork,
        on_served: Callable[[Served], None],
        names: frozenset[str] | None,
    ) -> None:
        self._names = names
        self._writers = writers
        self._seconds = seconds
        self._work = work
        self._on_served = on_served

    async def health(self, request: Request) -> JSONResponse:
        """That the server lives, and what it serves; that too is told only to who may ask."""
        try:
            self._insist_on_name(request)
        except BadRequestError as error:
            return _failed(error)
        return JSONResponse(
            {"status": "ok", "datasets": [iri for iri in self._writers if iri != ANY_DATASET]}
        )

    async def answer(self, request: Request) -> JSONResponse:
        """A question as a query, or why there is none."""
        began = time.perf_counter()
        question = ""
        try:
            self._insist_on_name(request)
            dataset, question = (_parameter(request, name) for name in ("dataset", "question"))
            written = await self._written(request, self._writer_of(dataset), question)
            reply, said = JSONResponse(_found(dataset, question, written)), f"by the {written.written_by}"
        except AskgraphError as error:
            reply, said = _failed(error), without_credentials(error.message)
        except asyncio.CancelledError:  # uvicorn gives up what has not ended in time
            said = "the server is ending"
            reply = _failed(BadRequestError(said, status=503, advice="Ask again when it is back."))
        except Exception as error:  # noqa: BLE001 - the outermost door: nothing that a fault says goes out
            said = f"askgraph itself failed ({type(error).__name__})"
            reply = JSONResponse(
                {"detail": said, "type": "InternalError", "advice": "This is a fault of askgraph."}, 500
            )
        self._on_served(Served(reply.status_code, time.perf_counter() - began, question, said))
        return reply

    def _insist_on_name(self, request: Request) -> None:
        """That the server was asked for by a name that only this machine can mean."""
        if self._names is not None and request.url.hostname not in self._names:
            raise BadRequestError(
                "this server is asked by another name than its own", status=403, advice="Ask 127.0.0.1."
            )

    def _writer_of(self, dataset: str) -> SparqlWriter:
        writer = self._writers.get(dataset) or self._writers.get(ANY_DATASET)
        if writer is None:
            served = ", ".join(self._writers)
            raise BadRequestError(
                f"there is no data set {dataset[:_LONGEST_SHOWN]} here",
                status=404,
                advice=f"Served are: {served}.",
            )
        return writer

    async def _written(self, request: Request, writer: SparqlWriter, question: str) -> WrittenSparql:
        """The query, if the client stays until it is there. What it does not wait for any more is not begun."""
        asking = asyncio.ensure_future(
            self._work.run(lambda left: writer.write(question, left), self._seconds)
        )
        leaving = asyncio.ensure_future(_left(request))
        try:
            await asyncio.wait({asking, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not asking.done():
                raise BadRequestError("the client has gone", status=400)
            return asking.result()
        finally:
            await _ended(asking, leaving)


async def _left(request: Request) -> None:
    """Returns when the client has gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _ended(*tasks: asyncio.Future[Any]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _parameter(request: Request, name: str) -> str:
    """The one value of a parameter. Raises :class:`BadRequestError` where there is none, or several."""
    values: Sequence[str] = request.query_params.getlist(name)
    advice = "Ask as GET /?dataset=IRI&question=TEXT."
    if not values:
        raise BadRequestError(f"the parameter {name} is missing", advice=advice)
    if len(values) > 1:
        raise BadRequestError(f"the parameter {name} stands there {len(values)} times", advice=advice)
    if not values[0].strip():
        raise BadRequestError(f"the parameter {name} is empty", advice=advice)
    if "\N{REPLACEMENT CHARACTER}" in values[0] or "\0" in values[0]:
        raise BadRequestError(f"the parameter {name} is no UTF-8 text", advice=advice)
    return values[0]


def _found(dataset: str, question: str, written: WrittenSparql) -> dict[str, Any]:
    """What the protocol has, and beside it how the query was come by: clients pass over what they do not know."""
    return {
        "dataset": dataset,
        "question": question,
        "query": written.query,
        "written_by": written.written_by,
        "confidence": written.confidence,
        "meaning": written.meaning,
        "notes": list(written.notes),
    }


def _failed(error: AskgraphError) -> JSONResponse:
    status = error.status if isinstance(error, BadRequestError) else _status_of(error)
    headers = {"Retry-After": "1"} if status == 503 else None
    detail = without_credentials(error.message)
    advice = without_credentials(error.advice) if error.advice else None
    return JSONResponse({"detail": detail, "type": type(error).__name__, "advice": advice}, status, headers)


def _status_of(error: AskgraphError) -> int:
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


async def _not_served(request: Request, error: Exception) -> JSONResponse:
    """What Starlette refuses by itself (paths, methods), as JSON."""
    assert isinstance(error, HTTPException)
    advice = "Ask as GET /?dataset=IRI&question=TEXT."
    return JSONResponse(
        {"detail": error.detail, "type": "HTTPException", "advice": advice}, error.status_code, error.headers
    )
