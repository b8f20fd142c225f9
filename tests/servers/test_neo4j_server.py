"""What Neo4j itself does with queries that no gate has seen: what the gate and the stores have to reckon with."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from neo4j import READ_ACCESS, GraphDatabase, Query
from neo4j.exceptions import AuthError, ClientError, DriverError, Neo4jError
from tests.servers.datasets import MILLION_ROWS_CYPHER, PEOPLE_CYPHER, RUNAWAY_CYPHER
from tests.servers.listening import listener
from tests.servers.neo4j_server import TRANSACTION_TIMEOUT, Neo4jServer


@pytest.fixture(
    scope="module",
    params=[
        pytest.param("neo4j", marks=pytest.mark.server("neo4j")),
        pytest.param("neo4j_2026", marks=pytest.mark.server("neo4j_2026")),
    ],
)
def server(request: pytest.FixtureRequest) -> Neo4jServer:
    """400 people who know the next one."""
    loaded: Neo4jServer = request.getfixturevalue(request.param)
    loaded.load(*PEOPLE_CYPHER)
    return loaded


def reading(server: Neo4jServer, text: str, timeout: float | None = None) -> list[dict[str, Any]]:
    """Runs a text as a client would who asked for nothing but read access."""
    with server.driver.session(database=server.database, default_access_mode=READ_ACCESS) as session:
        return session.run(Query(text, timeout=timeout)).data()


def test_it_has_what_was_loaded(server: Neo4jServer) -> None:
    assert server.rows("MATCH (p:Person)-[k:KNOWS]->() RETURN count(*) AS n, sum(p.number) AS s") == [
        {"n": 399, "s": 79800}
    ]
    assert len(server.dump()) == 799


def test_a_wrong_password_is_refused(server: Neo4jServer) -> None:
    with (
        GraphDatabase.driver(server.url, auth=(server.user, "wrong")) as driver,
        pytest.raises(AuthError, match="authentication"),
    ):
        driver.verify_connectivity()


@pytest.mark.parametrize(
    "text",
    [
        "CREATE (:Person)",
        "MATCH (p:Person) SET p.name = 'x'",
        "MATCH (p:Person) DETACH DELETE p",
        "MERGE (:Person {name: 'nobody'})",
        "CREATE INDEX by_name FOR (p:Person) ON (p.name)",
    ],
)
def test_read_access_refuses_writes(server: Neo4jServer, text: str) -> None:
    before = server.dump()
    with pytest.raises(ClientError) as refused:
        reading(server, text)
    assert refused.value.code == "Neo.ClientError.Statement.AccessMode"
    assert server.dump() == before


def test_read_access_lets_the_users_and_settings_be_seen(server: Neo4jServer) -> None:
    assert [row["user"] for row in reading(server, "SHOW USERS")] == ["neo4j"]
    assert reading(server, "SHOW SETTINGS YIELD name, value RETURN count(*) AS n")[0]["n"] > 100


def test_read_access_lets_a_file_of_the_import_folder_be_read(server: Neo4jServer) -> None:
    (server.folder / "import" / "secret.csv").write_text("a secret\n", encoding="utf-8")
    rows = reading(server, "LOAD CSV FROM 'file:///secret.csv' AS line RETURN line[0] AS line")
    assert rows == [{"line": "a secret"}]


def test_read_access_lets_an_address_be_fetched(server: Neo4jServer) -> None:
    with listener() as (url, arrived), pytest.raises(Neo4jError):
        reading(server, f"LOAD CSV FROM '{url}' AS line RETURN line")
    assert arrived[0].startswith(b"GET /sparql")


@pytest.mark.parametrize(
    "text",
    [
        "TERMINATE TRANSACTIONS 'neo4j-transaction-123456789'",
        "CALL dbms.killConnection('no-such-connection')",
        "CALL db.clearQueryCaches()",
        "CALL dbms.listConfig('server.bolt') YIELD name RETURN count(*) AS n",
        "SHOW TRANSACTIONS",
    ],
)
def test_read_access_lets_an_administrator_do_more_than_read(server: Neo4jServer, text: str) -> None:
    """What is ended here is not there: that it was looked for proves that the access mode does not hold it back."""
    assert reading(server, text)


def test_every_user_of_community_may_write(server: Neo4jServer) -> None:
    server.rows("CREATE USER clerk SET PASSWORD 'a-password-of-a-clerk' CHANGE NOT REQUIRED")
    try:
        with (
            GraphDatabase.driver(server.url, auth=("clerk", "a-password-of-a-clerk")) as driver,
            driver.session(database=server.database) as session,
        ):
            session.run("CREATE (:Note) WITH 1 AS one MATCH (n:Note) DELETE n").consume()
        with pytest.raises(Neo4jError, match=r"[Uu]nsupported administration command"):
            server.rows("CREATE ROLE reader")
    finally:
        server.rows("DROP USER clerk")


def test_indexes_of_every_kind_can_be_made(server: Neo4jServer) -> None:
    made = [
        "CREATE FULLTEXT INDEX words FOR (p:Person) ON EACH [p.name]",
        "CREATE VECTOR INDEX vectors FOR (p:Person) ON (p.vector) OPTIONS {indexConfig: $config}",
        "CREATE RANGE INDEX numbers FOR (p:Person) ON (p.number)",
        "CREATE TEXT INDEX names FOR (p:Person) ON (p.name)",
    ]
    config = {"vector.dimensions": 8, "vector.similarity_function": "cosine"}
    for text in made:
        server.rows(text, {"config": config})
    kinds = {row["type"] for row in server.rows("SHOW INDEXES YIELD type")}
    for name in ("words", "vectors", "numbers", "names"):
        server.rows(f"DROP INDEX {name}")
    assert kinds >= {"FULLTEXT", "VECTOR", "RANGE", "TEXT"}


def test_faults_are_told_apart_by_their_code_and_not_by_their_status(server: Neo4jServer) -> None:
    """The status of GQL is the same for most of them in 5.26."""
    told: list[tuple[str, str]] = []
    for text in ("RETURN unknown", "CALL no.such()", "RETURN 1/0"):
        with pytest.raises(Neo4jError) as caught:
            reading(server, text)
        told.append((caught.value.code or "", caught.value.gql_status))
    assert [code.rpartition(".")[2] for code, _ in told] == [
        "SyntaxError",
        "ProcedureNotFound",
        "ArithmeticError",
    ]
    if server.kind == "neo4j-5":
        assert [status for _, status in told].count("50N42") == 2


def test_explain_tells_what_is_unknown_and_how_many_rows_are_expected(server: Neo4jServer) -> None:
    with server.driver.session(database=server.database, default_access_mode=READ_ACCESS) as session:
        summary = session.run("EXPLAIN MATCH (p:Persom)-[:KNOWS]->(q) RETURN p.nme, q").consume()
    assert summary.plan is not None
    assert "EstimatedRows" in summary.plan["args"]
    told = " ".join(note.status_description for note in summary.gql_status_objects)
    assert ("Persom" in told, "nme" in told) == (True, True)


@pytest.mark.server("neo4j")
def test_without_an_import_folder_any_file_can_be_read(
    start_server: Callable[..., Neo4jServer], tmp_path: Path
) -> None:
    server = start_server("neo4j", without=["server.directories.import"])
    file = tmp_path / "secret.csv"
    file.write_text("a secret\n", encoding="utf-8")
    rows = reading(server, f"LOAD CSV FROM '{file.as_uri()}' AS line RETURN line[0] AS line")
    assert rows == [{"line": "a secret"}]


def test_explain_says_that_a_text_writes_without_running_it(server: Neo4jServer) -> None:
    with server.driver.session(database=server.database, default_access_mode=READ_ACCESS) as session:
        assert session.run("EXPLAIN MATCH (p:Person) DETACH DELETE p").consume().query_type == "w"
        assert session.run("EXPLAIN MATCH (p:Person) SET p.x = 1 RETURN p").consume().query_type == "rw"
        assert session.run("EXPLAIN MATCH (p:Person) RETURN p").consume().query_type == "r"
    assert server.rows("MATCH (p:Person) RETURN count(*) AS n") == [{"n": 400}]


def test_the_servers_own_time_out_ends_a_product_of_26_billion_rows(server: Neo4jServer) -> None:
    started = time.monotonic()
    with pytest.raises(Neo4jError) as ended:
        reading(server, RUNAWAY_CYPHER)
    assert "TransactionTimedOut" in (ended.value.code or "")
    assert time.monotonic() - started < TRANSACTION_TIMEOUT + 10


def test_a_time_out_of_the_client_goes_beyond_the_servers(server: Neo4jServer) -> None:
    started = time.monotonic()
    with pytest.raises(Neo4jError) as ended:
        reading(server, RUNAWAY_CYPHER, timeout=TRANSACTION_TIMEOUT + 1)
    assert "TransactionTimedOut" in (ended.value.code or "")
    assert time.monotonic() - started > TRANSACTION_TIMEOUT + 1


def test_a_million_rows_come_without_a_cap(server: Neo4jServer) -> None:
    with server.driver.session(database=server.database, default_access_mode=READ_ACCESS) as session:
        result = session.run(Query(MILLION_ROWS_CYPHER, timeout=60))
        assert sum(1 for _ in zip(range(5000), result, strict=False)) == 5000


def test_cypher_25_is_known_to_2026_alone(server: Neo4jServer) -> None:
    text = "CYPHER 25 RETURN 1 AS n"
    if server.kind == "neo4j-5":
        with pytest.raises(ClientError) as refused:
            reading(server, text)
        assert refused.value.code == "Neo.ClientError.Statement.ArgumentError"
    else:
        assert reading(server, text) == reading(server, "CYPHER 5 RETURN 1 AS n") == [{"n": 1}]


@pytest.mark.server("neo4j")
def test_a_server_that_crashed_comes_back_with_its_data(start_server: Callable[..., Neo4jServer]) -> None:
    server = start_server("neo4j")
    server.load("CREATE (:Person {name: 'Ann'})")
    server.kill()
    with (
        GraphDatabase.driver(server.url, auth=server.auth, connection_timeout=1) as driver,
        pytest.raises((DriverError, Neo4jError)),
    ):
        driver.verify_connectivity()
    server.restart()
    assert server.rows("MATCH (p:Person) RETURN p.name AS name") == [{"name": "Ann"}]
