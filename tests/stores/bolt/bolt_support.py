"""Graphs of ours on real servers that speak Bolt, and stores over them."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from neo4j import GraphDatabase
from tests.servers.bolt import BoltServer as RealServer
from tests.stores.reference_plan import ReferenceGraph

from askgraph.core.graph import Edge, Node
from askgraph.core.hidden import NOTHING_HIDDEN, Hidden
from askgraph.stores.address import Credentials, parse_address
from askgraph.stores.bolt.store import BoltStore, open_bolt
from askgraph.stores.bolt.values import to_bolt

SERVERS = ("neo4j", "neo4j_2026", "arcadedb")


def opened(
    server: RealServer, *, hidden: Hidden = NOTHING_HIDDEN, timeout: float = 20.0, **options: Any
) -> BoltStore:
    """A store over a server of the tests."""
    user, password = options.pop("auth", server.auth)
    address = parse_address(f"{server.url}/{server.database}", Credentials(user, password))
    return open_bolt(address, hidden=hidden, timeout=timeout, **options)


def quoted(name: str) -> str:
    """A name in back-ticks. The names of tests have no escapes in them."""
    return "`" + name.replace("`", "``") + "`"


def add(
    server: RealServer, nodes: Sequence[Node], edges: Sequence[Edge]
) -> tuple[ReferenceGraph, dict[str, str]]:
    """Puts a graph on a server, beside what is there. Gives it as the server keeps it (which has
    no decimals), and for each id of ours the id that the server gave."""
    ids: dict[str, str] = {}
    kept = [
        Node(node.id, (), node.types, {key: _kept(value) for key, value in node.properties.items()})
        for node in nodes
    ]
    with (
        GraphDatabase.driver(server.url, auth=server.auth) as driver,
        driver.session(database=server.database) as session,
        session.begin_transaction() as transaction,
    ):
        for node in kept:
            labels = "".join(f":{quoted(label)}" for label in node.types)
            properties = {key: to_bolt(value) for key, value in node.properties.items()}
            made = transaction.run(
                f"CREATE (n{labels}) SET n = $properties RETURN elementId(n)", properties=properties
            )
            ids[node.id] = made.single(strict=True)[0]
        for edge in edges:
            transaction.run(
                "MATCH (a) WHERE elementId(a) = $a MATCH (b) WHERE elementId(b) = $b"
                f" CREATE (a)-[r:{quoted(edge.type)}]->(b) SET r = $properties",
                a=ids[edge.source],
                b=ids[edge.target],
                properties={key: to_bolt(value) for key, value in edge.properties.items()},
            ).consume()
        transaction.commit()
    return ReferenceGraph(
        [Node(ids[node.id], (), node.types, node.properties) for node in kept],
        [Edge(edge.id, ids[edge.source], ids[edge.target], edge.type, edge.properties) for edge in edges],
        {},
    ), ids


def _kept(value: Any) -> Any:
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value
