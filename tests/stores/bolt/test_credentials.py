"""Who is not let in, or no more: on real servers, a typed error in time that says what to do and gives nothing away."""

from __future__ import annotations

import secrets
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.servers.bolt import BoltServer as RealServer
from tests.stores.bolt.bolt_support import opened

from askgraph.core.budget import Budget
from askgraph.core.errors import AskgraphError, AuthenticationError, GraphNotFoundError
from askgraph.querying.gate import check
from askgraph.stores.address import Credentials, parse_address
from askgraph.stores.bolt.store import BoltStore, open_bolt

NEO4J = [pytest.param(name, marks=pytest.mark.server(name)) for name in ("neo4j", "neo4j_2026")]
SERVERS = [*NEO4J, pytest.param("arcadedb", marks=pytest.mark.server("arcadedb"))]
PATIENCE = 3.0


@pytest.fixture
def neo4j_server(request: pytest.FixtureRequest) -> RealServer:
    server: RealServer = request.getfixturevalue(request.param)
    return server


@contextmanager
def a_user(server: RealServer, then: str = "CHANGE NOT REQUIRED") -> Iterator[tuple[str, str]]:
    """A user who is there for a while, and the password."""
    name, password = f"user_{secrets.token_hex(4)}", secrets.token_hex(12)
    server.rows(f"CREATE USER {name} SET PASSWORD '{password}' {then}")
    try:
        yield name, password
    finally:
        server.rows(f"DROP USER {name} IF EXISTS")


def refusal_of(store: BoltStore, *hidden: str) -> AuthenticationError:
    """How the store says that it is not let in. It says so in time, and nothing that is to be hidden."""
    began = time.monotonic()
    with pytest.raises(AuthenticationError) as caught:
        store.query(check("RETURN 1 AS one"), budget=Budget(seconds=PATIENCE))
    assert time.monotonic() - began < PATIENCE
    assert tells_none_of(caught.value, *hidden)
    assert caught.value.advice
    return caught.value


def tells_none_of(error: AskgraphError, *hidden: str) -> bool:
    everything = "".join(traceback.format_exception(error)) + repr(error)
    return not any(secret in everything for secret in hidden)


def cut_connections_of(server: RealServer, user: str) -> None:
    """Neo4j asks for the password only when a connection is opened, so it has to be opened again."""
    for row in server.rows("CALL dbms.listConnections() YIELD connectionId, username"):
        if row["username"] == user:
            server.rows("CALL dbms.killConnection($id)", {"id": row["connectionId"]})


@pytest.mark.parametrize("name", SERVERS)
def test_a_wrong_password_and_a_wrong_database_are_told_apart(
    name: str, request: pytest.FixtureRequest
) -> None:
    server: RealServer = request.getfixturevalue(name)
    secret = "no-such-password-anywhere"
    with pytest.raises(AuthenticationError, match="ASKGRAPH_PASSWORD") as refused:
        open_bolt(parse_address(server.url, Credentials(server.user, secret)), timeout=10)
    assert tells_none_of(refused.value, secret)
    with pytest.raises(GraphNotFoundError, match="no_such_database"):
        open_bolt(parse_address(f"{server.url}/no_such_database", Credentials(*server.auth)), timeout=10)


@pytest.mark.parametrize("neo4j_server", NEO4J, indirect=True)
def test_a_password_that_has_to_be_changed_is_said_to_have_expired(neo4j_server: RealServer) -> None:
    with a_user(neo4j_server, "CHANGE REQUIRED") as (user, password):
        began = time.monotonic()
        with pytest.raises(AuthenticationError, match=r"has expired[\s\S]*ALTER CURRENT USER") as caught:
            opened(neo4j_server, auth=(user, password), timeout=PATIENCE)
        assert time.monotonic() - began < PATIENCE
        assert tells_none_of(caught.value, password)


@pytest.mark.parametrize("neo4j_server", NEO4J, indirect=True)
@pytest.mark.parametrize(
    "change",
    ["ALTER USER {user} SET PASSWORD '{new}' CHANGE NOT REQUIRED", "DROP USER {user}"],
    ids=["another password", "no such user any more"],
)
def test_who_was_let_in_and_is_no_more_is_told_so(neo4j_server: RealServer, change: str) -> None:
    new = secrets.token_hex(12)
    with (
        a_user(neo4j_server) as (user, password),
        opened(neo4j_server, auth=(user, password)) as store,
    ):
        store.schema()
        neo4j_server.rows(change.format(user=user, new=new))
        cut_connections_of(neo4j_server, user)
        assert "lets this user in no more" in str(refusal_of(store, password, new))
        refusal_of(store, password, new)


@pytest.mark.parametrize("neo4j_server", NEO4J, indirect=True)
def test_a_password_that_expires_while_the_graph_is_open(neo4j_server: RealServer) -> None:
    with (
        a_user(neo4j_server) as (user, password),
        opened(neo4j_server, auth=(user, password)) as store,
    ):
        store.schema()
        neo4j_server.rows(f"ALTER USER {user} SET PASSWORD CHANGE REQUIRED")
        cut_connections_of(neo4j_server, user)
        assert "has expired" in str(refusal_of(store, password))


@pytest.mark.parametrize("neo4j_server", NEO4J, indirect=True)
def test_an_open_connection_outlives_a_changed_password(neo4j_server: RealServer) -> None:
    """Neo4j lets it go on, which docs/databases.md says: only closing it, or the server, ends it."""
    with (
        a_user(neo4j_server) as (user, password),
        opened(neo4j_server, auth=(user, password)) as store,
    ):
        store.schema()
        neo4j_server.rows(f"ALTER USER {user} SET PASSWORD '{password}x' CHANGE NOT REQUIRED")
        assert store.query(check("RETURN 1 AS one")).rows == [(1,)]
        with pytest.raises(AuthenticationError):
            opened(neo4j_server, auth=(user, password))
