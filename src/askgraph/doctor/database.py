"""Looks at a database that speaks Bolt: what it is, who we are there, what it prevents, and what only askgraph does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..core.settings import Settings
from ..core.words import quantity
from ..stores.address import Address
from ..stores.bolt.catalog import Catalog, read_catalog
from ..stores.bolt.engines import engine_of
from ..stores.bolt.inspection import BoltInspection, inspect
from ..stores.bolt.server import BoltServer
from ..stores.bolt.store import BoltStore
from ..stores.bolt.trials import BoltTrials, try_out
from .deny_lists import deny_lists
from .finding import Finding
from .neo4j import neo4j_protections
from .other_databases import arcadedb_protections, memgraph_protections, unknown_protections
from .server_index import names_by_index

if TYPE_CHECKING:
    from ..engine import Graph

_PATIENCE = 10.0
_MEASURED = ("Neo4j", "ArcadeDB")


def inspected(address: Address, settings: Settings) -> BoltInspection:
    """What a database says of itself.

    Raises:
        ServerError, DeadlineExceededError: it is not reached in time, or does not let us in.
    """
    with _open(address, settings) as server:
        return inspect(server)


@contextmanager
def _open(address: Address, settings: Settings) -> Iterator[BoltServer]:
    timeout = min(_PATIENCE, settings.timeout)
    server = BoltServer(address, impersonate=settings.impersonate, timeout=timeout)
    try:
        yield server
    finally:
        server.close()


def _catalog(address: Address, settings: Settings) -> Catalog:
    with _open(address, settings) as server:
        return read_catalog(server, engine_of(server.agent()))


def database(said: BoltInspection, settings: Settings) -> Iterator[Finding]:
    """What it is, and whose rights hold."""
    parts = [f"{said.product} {said.version} {said.edition.title()}".strip(), f"Bolt {said.protocol}"]
    if said.cypher_versions:
        parts.append(f"Cypher {' and '.join(said.cypher_versions)}")
    if said.database:
        parts.append(f"database {said.database}")
    yield Finding("ok", "server", ", ".join(parts), known="told")
    if said.product not in _MEASURED:
        yield Finding(
            "note",
            "server",
            "servers of this kind were not tried by the makers of askgraph; what is said of them is what their "
            "documentation says",
            "--self-test tries this very one.",
        )
    yield _user(said, settings)


def _user(said: BoltInspection, settings: Settings) -> Finding:
    if said.must_change_password and said.user:
        return Finding(
            "problem",
            "user",
            f"the password of {said.user} is expired",
            "Change it on the server: ALTER CURRENT USER SET PASSWORD FROM '…' TO '…'",
            known="told",
        )
    whose = said.user or "nobody: the server asks for no user"
    if settings.impersonate:
        whose = f"{whose}, with the rights of {settings.impersonate}"
    roles = f"; roles: {', '.join(said.roles)}" if said.roles and said.product == "Neo4j" else ""
    return Finding("ok", "user", f"{whose}{roles}", known="told")


def schema_of_database(graph: Graph) -> Iterator[Finding]:
    """What it cost to learn what the graph is made of."""
    store = _store(graph)
    graph.schema()
    requests = quantity(store.server.requests, "request")
    counts = "counts as the server keeps them" if store.engine.counts_quickly else "counts made by looking"
    yield Finding("ok", "schema", f"read in {requests}, {counts}, and samples of each type")


def names_in_database(graph: Graph, settings: Settings) -> Iterator[Finding]:
    """By which indexes of the server names are found."""
    store = _store(graph)
    return names_by_index(store.catalog(), store.engine, graph.schema(), settings.label_properties)


def _store(graph: Graph) -> BoltStore:
    assert isinstance(graph.store, BoltStore)
    return graph.store


def hidden_in_database(address: Address, settings: Settings) -> Iterator[Finding]:
    """What the deny-lists hide."""
    if not settings.hidden:
        return deny_lists(settings.hidden, _nothing, _nothing)
    catalog = _catalog(address, settings)
    types = {*catalog.labels, *catalog.edge_types}
    return deny_lists(settings.hidden, types.__contains__, set(catalog.keys).__contains__)


def _nothing(name: str) -> bool:
    return False


def database_protections(
    address: Address, said: BoltInspection, settings: Settings, *, self_test: bool
) -> Iterator[Finding]:
    """Every protection of the database, in a fixed order; with ``self_test``, tried out."""
    trials = BoltTrials()
    if self_test:
        trials = try_out(address, settings.impersonate, can_try_write=said.product == "Neo4j")
    match said.product:
        case "Neo4j":
            yield from neo4j_protections(said, trials, settings)
        case "ArcadeDB":
            yield from arcadedb_protections(trials, settings)
        case "Memgraph":
            yield from memgraph_protections(trials, settings)
        case _:
            yield from unknown_protections(trials, settings)
