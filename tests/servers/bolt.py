"""What the servers have in common that speak Bolt."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from neo4j import Driver, GraphDatabase, Query
from neo4j.graph import Node, Relationship
from tests.servers.processes import Server

# The magic number of Bolt, then four versions that a client would speak: 5.0 to 5.8, 4.4, none, none.
_HANDSHAKE = bytes.fromhex("6060b017 00080805 00000404 00000000 00000000")
# Longer than any load of test data takes, and longer than the server's own time-out, which it overrides.
_LOAD_TIMEOUT = 120.0


class BoltServer(Server):
    """A property graph over Bolt. ``load``, ``clear`` and ``rows`` are a test's own hand: they may do anything."""

    user: str
    password: str
    database: str

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._driver: Driver | None = None

    @property
    def url(self) -> str:
        """Where clients find it, without user and password."""
        return f"bolt://127.0.0.1:{self.port}"

    @property
    def auth(self) -> tuple[str, str]:
        """User and password."""
        return (self.user, self.password)

    def answers(self) -> bool:
        try:
            with (
                socket.create_connection(("127.0.0.1", self.port), timeout=2) as plain,
                self.wrapped(plain) as client,
            ):
                client.sendall(_HANDSHAKE)
                reply = client.recv(4)
        except OSError:
            return False
        return len(reply) == 4 and reply != bytes(4)

    def wrapped(self, client: socket.socket) -> socket.socket:
        """A connection, with TLS around it where the server wants that."""
        return client

    @property
    def driver(self) -> Driver:
        """A driver of the user who may do anything; closed with the server."""
        if self._driver is None:
            self._driver = GraphDatabase.driver(self.url, auth=self.auth)
        return self._driver

    def rows(self, text: str, parameters: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
        """Runs one statement, a writing one too, and gives its rows."""
        with self.driver.session(database=self.database) as session:
            return session.run(Query(text, timeout=_LOAD_TIMEOUT), dict(parameters or {})).data()

    def load(self, *statements: str, parameters: Mapping[str, Any] | None = None) -> None:
        """Replaces everything in the database by what these statements make, one after the other."""
        self.clear()
        for statement in statements:
            self.rows(statement, parameters)

    def clear(self) -> None:
        """Empties the database: nodes, relationships, indexes and constraints."""
        # Relationships by themselves: those of one big hub would not fit into one transaction's memory.
        self.rows("MATCH ()-[r]->() CALL (r) { DELETE r } IN TRANSACTIONS OF 10000 ROWS")
        self.rows("MATCH (n) CALL (n) { DELETE n } IN TRANSACTIONS OF 10000 ROWS")

    def dump(self) -> list[str]:
        """Every node and relationship in a form that changes when any of them does, in a fixed order."""
        with self.driver.session(database=self.database) as session:
            nodes = [f"node {_described(n)}" for n in session.run("MATCH (n) RETURN n").value()]
            found = session.run("MATCH (a)-[r]->(b) RETURN elementId(a), r, elementId(b)").values()
            edges = [f"edge {source} {_described(edge)} {target}" for source, edge, target in found]
        return sorted([*nodes, *edges])

    def close_driver(self) -> None:
        """Closes the connections of the test's own hand; the next use opens new ones."""
        if self._driver is not None:
            self._driver.close()
            self._driver = None

    def stop(self) -> None:
        self.close_driver()
        super().stop()


def _described(element: Node | Relationship) -> str:
    properties = sorted((name, repr(value)) for name, value in element.items())
    kind = sorted(element.labels) if isinstance(element, Node) else element.type
    return f"{element.element_id} {kind} {properties}"
