"""What the tests of SPARQL endpoints share."""

from __future__ import annotations

from typing import Any

from tests.servers.sparql import SparqlServer
from tests.servers.virtuoso_server import VirtuosoServer

from askgraph.core.budget import Budget
from askgraph.core.checked_query import SEAL, CheckedQuery
from askgraph.core.hidden import NOTHING_HIDDEN, Hidden
from askgraph.stores.address import parse_address
from askgraph.stores.sparql.client import SparqlClient
from askgraph.stores.sparql.endpoint import Endpoint
from askgraph.stores.sparql.store import SparqlStore, open_endpoint

BASE = "http://example.org/"
ENGINES = ("oxigraph", "fuseki", "virtuoso")


def address_of(server: SparqlServer) -> str:
    """The address by which a user opens a server of the tests: Virtuoso's with its graph."""
    if isinstance(server, VirtuosoServer):
        return f"sparql+{server.url}?default-graph-uri={server.graph}"
    return f"sparql+{server.url}"


def open_store(server: SparqlServer | str, *, hidden: Hidden = NOTHING_HIDDEN, **options: Any) -> SparqlStore:
    address = server if isinstance(server, str) else address_of(server)
    return open_endpoint(parse_address(address), hidden=hidden, **options)


def client_of(url: str) -> SparqlClient:
    """A client that has not greeted its server."""
    return SparqlClient(Endpoint.of(parse_address(url)))


def passed(text: str, *, row_cap: int | None = 1_000, **more: Any) -> CheckedQuery:
    """A query as if it had passed the gate, to try out what a store does with one."""
    values: dict[str, Any] = {
        "text": text,
        "language": "sparql",
        "dialect": "",
        "parameters": (),
        "columns": None,
        "row_cap": row_cap,
        "capped_in_text": False,
        "explain": False,
        "notes": (),
    }
    return CheckedQuery(SEAL, **(values | more))


def short(seconds: float = 10.0, rows: int = 1_000) -> Budget:
    return Budget(seconds=seconds, rows=rows)
