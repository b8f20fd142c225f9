"""What ArcadeDB does with queries that no gate has seen: READ access means nothing to it, a user's rights do."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from neo4j import READ_ACCESS, GraphDatabase, Query
from neo4j.exceptions import ClientError, Neo4jError
from tests.servers.arcadedb_server import ArcadeDbServer
from tests.servers.datasets import PEOPLE_CYPHER, RUNAWAY_CYPHER


@pytest.fixture(scope="module")
def server(arcadedb: ArcadeDbServer) -> ArcadeDbServer:
    arcadedb.load(*PEOPLE_CYPHER)
    return arcadedb


def reading(server: ArcadeDbServer, auth: tuple[str, str], text: str) -> list[dict[str, Any]]:
    with (
        GraphDatabase.driver(server.url, auth=auth) as driver,
        driver.session(database=server.database, default_access_mode=READ_ACCESS) as session,
    ):
        return session.run(text).data()


def test_it_has_what_was_loaded(server: ArcadeDbServer) -> None:
    assert server.rows("MATCH (:Person)-[k:KNOWS]->() RETURN count(k) AS n") == [{"n": 399}]
    assert len(server.dump()) == 799


def test_read_access_lets_root_write(arcadedb: ArcadeDbServer) -> None:
    arcadedb.load("CREATE (:Person {name: 'Ann'})")
    reading(arcadedb, arcadedb.auth, "CREATE (:Person {name: 'Eve'})")
    assert len(arcadedb.dump()) == 2
    arcadedb.load(*PEOPLE_CYPHER)


@pytest.mark.parametrize(
    "text",
    [
        "CREATE (:Person)",
        "MATCH (p:Person) SET p.name = 'x'",
        "MATCH (p:Person) DETACH DELETE p",
        "CREATE (:New)",
    ],
)
def test_the_reader_cannot_write(server: ArcadeDbServer, text: str) -> None:
    before = server.dump()
    with pytest.raises(ClientError) as refused:
        reading(server, server.reader_auth, text)
    assert refused.value.code == "Neo.ClientError.Security.Forbidden"
    assert server.dump() == before


def test_root_reads_files_and_the_reader_does_not(server: ArcadeDbServer) -> None:
    secret = server.folder / "secret.csv"
    secret.write_text("a secret\n", encoding="utf-8")
    text = f"LOAD CSV FROM 'file://{secret}' AS line RETURN line[0] AS line"
    assert reading(server, server.auth, text) == [{"line": "a secret"}]
    with pytest.raises(ClientError):
        reading(server, server.reader_auth, text)


def test_the_readers_time_out_ends_a_runaway(server: ArcadeDbServer) -> None:
    with pytest.raises(Neo4jError) as ended:
        reading(server, server.reader_auth, RUNAWAY_CYPHER)
    assert ended.value.code == "Neo.ClientError.Transaction.TransactionTimedOut"


@pytest.mark.server("arcadedb")
def test_a_time_out_of_the_client_is_not_heeded(server: ArcadeDbServer) -> None:
    """It is still at work long after; ended by asking for it, as the store does with what it leaves behind."""
    asking = threading.Thread(target=_ask_with_a_time_out, args=(server, 1.0))
    asking.start()
    time.sleep(4)
    assert any(RUNAWAY_CYPHER in str(row["currentQuery"]) for row in server.rows("SHOW TRANSACTIONS"))
    for row in server.rows("SHOW TRANSACTIONS"):
        if RUNAWAY_CYPHER in str(row["currentQuery"]):
            server.rows(f"TERMINATE TRANSACTIONS '{row['transactionId']}'")
    asking.join(20)
    assert not asking.is_alive()


def _ask_with_a_time_out(server: ArcadeDbServer, seconds: float) -> None:
    with (
        server.driver.session(database=server.database, default_access_mode=READ_ACCESS) as session,
        pytest.raises(Neo4jError),
    ):
        session.run(Query(RUNAWAY_CYPHER, timeout=seconds)).consume()


def test_it_comes_back_with_its_data_after_a_crash(start_server: Callable[..., ArcadeDbServer]) -> None:
    server = start_server("arcadedb")
    server.load("CREATE (:Person {name: 'Ann'})")
    server.kill()
    server.restart()
    assert server.rows("MATCH (p:Person) RETURN p.name AS name") == [{"name": "Ann"}]
    assert reading(server, server.reader_auth, "MATCH (p) RETURN count(*) AS n") == [{"n": 1}]
