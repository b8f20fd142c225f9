"""What endpoints of each kind prevent by themselves, what only askgraph prevents, and what to change.

Fuseki 5.6, Virtuoso 7.2.5 and Oxigraph 0.5 were measured; of the others only the documentation and their published
rules are known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..stores.sparql.engines import Engine
from .finding import Finding
from .protection import protection

_FUSEKI_FILE = "In the server's configuration (Turtle), then restart:"
_VIRTUOSO_FILE = "In virtuoso.ini, then restart:"


@dataclass(frozen=True, slots=True)
class EndpointProtections:
    """What is known of one kind of endpoint before anything is tried.

    Attributes:
        updates: whether the query endpoint takes updates.
        time: whether a query that takes too long is stopped.
        hanging_up: whether a query is stopped when its client has gone; ``None`` where nothing is known.
        rows: whether long results are cut.
        partial: whether a part of an answer may look like the whole.
        service: whether ``SERVICE`` calls other addresses.
        documents: whether ``FROM`` fetches documents.
    """

    updates: Finding
    time: Finding
    rows: Finding
    partial: Finding
    service: Finding
    documents: Finding
    hanging_up: Finding | None = None


def known_of(engine: Engine) -> EndpointProtections:
    """What is known of an engine, or of any for one that was not recognised."""
    return _KNOWN.get(engine, _UNKNOWN)


_NO_UPDATES = protection("updates", "server", "the query endpoint takes no update")
_NO_CAP = protection("rows", "askgraph", "results have no end of their own")
_WHOLE = protection("parts", "server", "an answer is whole, or breaks off so that it can be told")
_NO_FETCH = protection("FROM", "server", "no document is fetched; a graph that is not there is empty")
_CALLS = protection(
    "SERVICE", "askgraph", "SERVICE calls any address; askgraph refuses SERVICE", severity="warning"
)

_UNKNOWN = EndpointProtections(
    updates=protection(
        "updates",
        "askgraph",
        "whether the query endpoint takes updates is not known; askgraph sends none",
        "Give people an endpoint that only takes queries.",
    ),
    time=protection(
        "time",
        "nobody",
        "whether a query that takes too long is stopped is not known; askgraph stops waiting",
    ),
    rows=protection("rows", "askgraph", "whether results are cut is not known"),
    partial=protection(
        "parts", "nobody", "whether a part of an answer is marked as one is not known", severity="note"
    ),
    service=protection(
        "SERVICE", "askgraph", "whether SERVICE calls other addresses is not known; askgraph refuses SERVICE"
    ),
    documents=protection(
        "FROM", "askgraph", "whether FROM fetches documents is not known; askgraph refuses FROM"
    ),
)

_FUSEKI = EndpointProtections(
    updates=_NO_UPDATES,
    time=protection(
        "time", "server", "a query is stopped at the time-out that is sent with it; askgraph sends one"
    ),
    rows=_NO_CAP,
    partial=_WHOLE,
    service=replace(
        _CALLS,
        what="SERVICE calls any address, unless the server is configured otherwise; askgraph refuses SERVICE",
        advice=_FUSEKI_FILE,
        lines=('ja:context [ ja:cxtName "arq:httpServiceAllowed" ;', '             ja:cxtValue "false" ] ;'),
    ),
    documents=_NO_FETCH,
    hanging_up=protection(
        "others' time",
        "nobody",
        "a client that sends no time-out may compute for ever, also when it has gone, unless the server has one",
        _FUSEKI_FILE,
        'ja:context [ ja:cxtName "arq:queryTimeout" ;',
        '             ja:cxtValue "30000" ] ;',
        severity="note",
    ),
)

_VIRTUOSO = EndpointProtections(
    updates=protection("updates", "server", "the user of the endpoint may not write"),
    time=protection(
        "time",
        "server",
        "a query is stopped at MaxQueryExecutionTime, where that is set",
        _VIRTUOSO_FILE,
        "[SPARQL]",
        "MaxQueryExecutionTime = 30",
    ),
    rows=protection(
        "rows", "server", "results are cut at ResultSetMaxRows; those of CONSTRUCT without a word"
    ),
    partial=protection(
        "parts",
        "askgraph",
        "asked with timeout=, it gives a part of the answer for the whole; askgraph never asks so, and takes nothing "
        "that is marked as a part",
    ),
    service=protection("SERVICE", "server", "the user of the endpoint may call no other address"),
    documents=_NO_FETCH,
    hanging_up=protection(
        "hanging up",
        "nobody",
        "a query that nobody waits for may run on, unless one thread works on each",
        _VIRTUOSO_FILE,
        "[Parameters]",
        "ThreadsPerQuery = 1",
        severity="note",
    ),
)

_OXIGRAPH = EndpointProtections(
    updates=_NO_UPDATES,
    time=protection(
        "time",
        "nobody",
        "even with a time-out some queries run on (counts over a filter did); askgraph stops waiting",
        "Start the server with:",
        "oxigraph serve-read-only --timeout-s 30 …",
    ),
    rows=_NO_CAP,
    partial=_WHOLE,
    service=replace(
        _CALLS,
        advice="It cannot be told not to. Run it where it reaches nothing else; with systemd, in its unit:",
        lines=("IPAddressDeny=any", "IPAddressAllow=localhost"),
    ),
    documents=_NO_FETCH,
    hanging_up=protection(
        "hanging up",
        "nobody",
        "a query that nobody waits for runs on to the server's time-out, at times beyond it",
        severity="note",
    ),
)

_GRAPHDB = EndpointProtections(
    updates=protection(
        "updates", "server", "the query endpoint takes no update; they have an address of their own"
    ),
    time=protection(
        "time",
        "nobody",
        "a query runs to its end, unless the repository has a time-out; askgraph stops waiting",
        "In the repository's configuration (seconds): query-timeout.",
    ),
    rows=protection(
        "rows",
        "askgraph",
        "results have no end, unless the repository has query-limit-results: then nothing says so",
    ),
    partial=protection(
        "parts",
        "nobody",
        "when its time-out is over it may give the rows found so far as if they were all",
        "In the repository's configuration: throw-QueryEvaluationException-on-timeout, true.",
    ),
    service=_CALLS,
    documents=_UNKNOWN.documents,
)

_QLEVER = EndpointProtections(
    updates=protection("updates", "server", "an update needs the server's access token"),
    time=protection("time", "server", "a query is stopped after 30 s, or what the server was started with"),
    rows=_NO_CAP,
    partial=_UNKNOWN.partial,
    service=_CALLS,
    documents=_UNKNOWN.documents,
)

_WIKIDATA = EndpointProtections(
    updates=protection("updates", "server", "the service takes no update"),
    time=protection("time", "server", "a query is stopped after 60 s, at times in the middle of its answer"),
    rows=_NO_CAP,
    partial=_WHOLE,
    service=protection("SERVICE", "server", "SERVICE calls only what is on the service's own list"),
    documents=_UNKNOWN.documents,
)

_BLAZEGRAPH = replace(
    _UNKNOWN,
    updates=protection(
        "updates",
        "askgraph",
        "the query endpoint takes updates too, unless the server is read-only; askgraph sends none",
        "In web.xml, then restart: the context parameter readOnly with the value true.",
        severity="warning",
    ),
    time=protection("time", "server", "a query is stopped after the time that askgraph sends with it"),
    service=_CALLS,
)

_KNOWN: Mapping[Engine, EndpointProtections] = {
    Engine.FUSEKI: _FUSEKI,
    Engine.VIRTUOSO: _VIRTUOSO,
    Engine.OXIGRAPH: _OXIGRAPH,
    Engine.GRAPHDB: _GRAPHDB,
    Engine.QLEVER: _QLEVER,
    Engine.WIKIDATA: _WIKIDATA,
    Engine.BLAZEGRAPH: _BLAZEGRAPH,
}
