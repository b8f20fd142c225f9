"""What the self-test finds out about real Bolt servers, and that it leaves no trace there."""

from __future__ import annotations

from collections.abc import Iterator

import neo4j
import pytest
from tests.servers import bolt

from askgraph.stores.address import Credentials, parse_address
from askgraph.stores.bolt.inspection import BoltInspection, inspect
from askgraph.stores.bolt.server import BoltServer
from askgraph.stores.bolt.trials import try_read_file, try_rows, try_time_out, try_write

NEO4J = [pytest.param(name, marks=pytest.mark.server(name)) for name in ("neo4j", "neo4j_2026")]


def client_of(server: bolt.BoltServer) -> BoltServer:
    address = parse_address(f"{server.url}/{server.database}", Credentials(server.user, server.password))
    return BoltServer(address, timeout=30)


@pytest.fixture(scope="module", params=NEO4J)
def neo4j_server(request: pytest.FixtureRequest) -> bolt.BoltServer:
    server: bolt.BoltServer = request.getfixturevalue(request.param)
    server.load("UNWIND range(1, 20) AS i CREATE (:Person {number: i})-[:KNOWS]->(:Person {number: -i})")
    return server


@pytest.fixture
def client(neo4j_server: bolt.BoltServer) -> Iterator[BoltServer]:
    client = client_of(neo4j_server)
    yield client
    client.close()


def test_neo4j_refuses_a_write_in_a_read_session_and_nothing_is_left_of_it(
    neo4j_server: bolt.BoltServer, client: BoltServer
) -> None:
    before = neo4j_server.dump(), neo4j_server.rows("CALL db.labels()")
    trial = try_write(client)
    assert (trial.held, trial.what) == (True, "a CREATE in a read session was refused")
    assert (neo4j_server.dump(), neo4j_server.rows("CALL db.labels()")) == before


def test_a_write_that_goes_through_is_undone_and_said(
    neo4j_server: bolt.BoltServer, client: BoltServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = neo4j_server.dump()
    monkeypatch.setattr(neo4j, "READ_ACCESS", neo4j.WRITE_ACCESS)  # a server that does not mind the mode
    trial = try_write(client)
    assert (trial.held, trial.what) == (False, "a CREATE in a read session went through, and was undone")
    assert neo4j_server.dump() == before


def test_neo4j_stops_what_is_overdue(client: BoltServer) -> None:
    trial = try_time_out(client)
    assert trial.held is True, trial
    assert 0.9 < trial.seconds < 8
    assert client.server_limit is None


def test_neo4j_gives_all_rows_and_plans_to_read_a_file(client: BoltServer) -> None:
    assert try_rows(client).what == "all of 20,000 rows came"
    trial = try_read_file(client)
    assert (trial.held, trial.what) == (False, "LOAD CSV was planned; it was not run")


def test_what_neo4j_says_of_itself(neo4j_server: bolt.BoltServer, client: BoltServer) -> None:
    said = inspect(client)
    assert (said.product, said.edition, said.database, said.user) == ("Neo4j", "community", "neo4j", "neo4j")
    assert said.version == {"neo4j-5": "5.26.30", "neo4j-2026": "2026.08.1"}[neo4j_server.kind]
    assert said.cypher_versions == (("5",) if neo4j_server.kind == "neo4j-5" else ("5", "25"))
    assert said.access == "read-write"
    assert said.settings["db.transaction.timeout"] == "2s"
    assert said.settings["dbms.security.allow_csv_import_from_file_urls"] == "true"
    assert (said.settings["server.directories.import"] or "").endswith("/import")
    assert said.add_ons == {}
    assert said.may_write is True


@pytest.mark.parametrize(
    ("said", "may_write"),
    [
        (BoltInspection(product="Neo4j", edition="community", access="read-write"), True),
        (BoltInspection(product="Neo4j", edition="community", access="read-only"), False),
        (BoltInspection(product="Neo4j", edition="enterprise", roles=("PUBLIC", "reader")), False),
        (BoltInspection(product="Neo4j", edition="enterprise", roles=("PUBLIC", "editor")), True),
        (BoltInspection(product="Neo4j", edition="enterprise"), None),
        (BoltInspection(product="ArcadeDB", roles=("admin",)), None),
        (
            BoltInspection(
                product="Neo4j",
                edition="enterprise",
                roles=("PUBLIC", "own"),
                privileges=(
                    "GRANT ACCESS ON DATABASE neo4j TO `own`",
                    "GRANT MATCH {*} ON GRAPH neo4j NODE * TO `own`",
                ),
            ),
            False,
        ),
        (
            BoltInspection(
                product="Neo4j",
                edition="enterprise",
                roles=("PUBLIC", "own"),
                privileges=("GRANT SET PROPERTY {name} ON GRAPH neo4j NODE * TO `own`",),
            ),
            True,
        ),
        (
            BoltInspection(
                product="Neo4j",
                edition="enterprise",
                privileges=("DENY WRITE ON GRAPH * TO `own`",),
                roles=("own",),
            ),
            False,
        ),
    ],
)
def test_whether_the_user_may_write(said: BoltInspection, may_write: bool | None) -> None:
    assert said.may_write is may_write
