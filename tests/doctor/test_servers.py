"""What the doctor says of real servers: who prevents what there, as tried out, and that nothing is left of trying."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.servers.arcadedb_server import ArcadeDbServer
from tests.servers.bolt import BoltServer
from tests.servers.fuseki_server import FusekiServer
from tests.servers.oxigraph_server import OxigraphServer
from tests.servers.virtuoso_server import VirtuosoServer

from askgraph.core.settings import Settings
from askgraph.doctor import Finding, examine
from askgraph.stores.bolt import trials as bolt_trials
from askgraph.stores.sparql import trials as sparql_trials

ONE_TRIPLE = "<http://e.org/ann> <http://e.org/knows> <http://e.org/bob> ."


def looked_at(location: str, *, self_test: bool = False, **settings: object) -> dict[str, Finding]:
    """What is found about each thing, the last finding about it standing for all."""
    given = Settings.load(**settings)
    findings = examine(location, given, self_test=self_test)
    if given.password is not None:
        secret = given.password.get_secret_value()
        assert secret not in json.dumps([finding.to_dict() for finding in findings])
    return {finding.about: finding for finding in findings}


def who(found: dict[str, Finding], *abouts: str) -> list[str | None]:
    return [found[about].enforced_by for about in abouts]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.server(name)) for name in ("neo4j", "neo4j_2026")]
)
def test_neo4j_tried_out(name: str, request: pytest.FixtureRequest) -> None:
    server: BoltServer = request.getfixturevalue(name)
    server.load("CREATE (:Person {name: 'Ann'})-[:KNOWS]->(:Person {name: 'Bob'})")
    before = server.dump()
    found = looked_at(
        f"{server.url}/{server.database}", self_test=True, user=server.user, password=server.password
    )
    assert server.dump() == before
    assert found["server"].what.startswith("Neo4j ")
    assert "Community" in found["server"].what
    assert found["user"].what == server.user
    assert who(found, "writes", "time", "others' time") == ["server", "server", "server"]
    assert who(found, "rows", "files", "network", "rights", "admin") == ["askgraph"] * 5
    assert found["writes"].trial == "a CREATE in a read session was refused"
    assert "was stopped after" in found["time"].trial
    assert found["rows"].trial == "all of 20,000 rows came"
    assert found["network"].trial == ""  # nothing is ever fetched
    assert "problem" not in {finding.severity for finding in found.values()}, found


def test_neo4j_with_an_index_of_names_and_without(neo4j: BoltServer) -> None:
    neo4j.load("CREATE (:Person {name: 'Ann', mail: 'a@e.org'})-[:KNOWS]->(:City {title: 'Rome'})")
    reader: dict[str, Any] = {"user": neo4j.user, "password": neo4j.password}
    missing = looked_at(neo4j.url, **reader)["names"]
    assert (missing.severity, "the first question copies" in missing.what) == ("note", True)
    assert missing.lines == ("CREATE FULLTEXT INDEX names FOR (n:City|Person) ON EACH [n.name, n.title]",)
    neo4j.rows("CREATE INDEX people FOR (p:Person) ON (p.name)")
    neo4j.rows("CALL db.awaitIndexes()")
    assert "people on Person (name)" in looked_at(neo4j.url, **reader)["names"].what
    neo4j.rows(missing.lines[0])
    neo4j.rows("CALL db.awaitIndexes()")
    there = looked_at(neo4j.url, **reader)["names"]
    assert (there.severity, there.lines) == ("ok", ())
    assert "full-text index names on City, Person (name, title)" in there.what


def test_neo4j_with_deny_lists_that_hide_and_that_do_not(neo4j: BoltServer) -> None:
    neo4j.load("CREATE (:Person {name: 'Ann', mail: 'a@e.org'})-[:KNOWS]->(:Salary {sum: 1})")
    reader: dict[str, Any] = {"user": neo4j.user, "password": neo4j.password}
    findings = examine(
        neo4j.url,
        Settings.load(**reader, hidden_types=("Salary", "Wages"), hidden_properties=("Person.mail",)),
    )
    hidden, idle = (finding for finding in findings if finding.about == "deny-lists")
    assert hidden.what == "1 type (Salary); 1 property (Person.mail) appear nowhere"
    assert "Wages" in idle.what


def test_neo4j_with_a_wrong_password(neo4j: BoltServer) -> None:
    found = looked_at(neo4j.url, user=neo4j.user, password="wrong-password")
    assert found["server"].severity == "problem"
    assert "ASKGRAPH_PASSWORD" in found["server"].advice


def test_arcadedb_where_no_write_is_tried(arcadedb: ArcadeDbServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bolt_trials, "_WORK", 4.5)
    arcadedb.load("CREATE (:Person {name: 'Ann'})")
    before = arcadedb.dump()
    found = looked_at(
        f"{arcadedb.url}/{arcadedb.database}", self_test=True, user=arcadedb.user, password=arcadedb.password
    )
    assert arcadedb.dump() == before
    assert found["server"].what.startswith("ArcadeDB 26.10")
    assert who(found, "writes", "files", "rows", "time") == ["askgraph", "askgraph", "askgraph", "nobody"]
    assert (found["writes"].severity, found["writes"].trial) == ("warning", "")
    assert "ran to its end" in found["time"].trial


def test_fuseki_with_and_without_a_way_out(fuseki: FusekiServer) -> None:
    fuseki.load(ONE_TRIPLE)
    closed = looked_at(f"sparql+{fuseki.url}", self_test=True)
    assert who(closed, "updates", "rights", "time", "SERVICE", "FROM") == ["server"] * 5
    assert closed["rows"].enforced_by in ("askgraph", None)
    open_one = looked_at(f"sparql+{fuseki.calling_url}", self_test=True)["SERVICE"]
    assert (open_one.enforced_by, open_one.severity) == ("askgraph", "warning")
    assert open_one.trial == "SERVICE called out to an address of ours"
    assert any("arq:httpServiceAllowed" in line for line in open_one.lines)


def test_oxigraph_calls_out_and_stops_nothing(
    oxigraph: OxigraphServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sparql_trials, "_PATIENCE", 3.0)
    monkeypatch.setattr(sparql_trials, "_WORK", 4.0)
    oxigraph.load(ONE_TRIPLE)
    found = looked_at(f"sparql+{oxigraph.url}", self_test=True)
    assert found["server"].what.startswith("Oxigraph 0.5.")
    assert who(found, "updates", "rights", "SERVICE", "rows", "time") == [
        "server",
        "server",
        "askgraph",
        "askgraph",
        "nobody",
    ]


def test_virtuoso_cuts_rows_and_gives_parts(virtuoso: VirtuosoServer) -> None:
    virtuoso.load(ONE_TRIPLE)
    found = looked_at(f"sparql+{virtuoso.url}?default-graph-uri={virtuoso.graph}", self_test=True)
    assert found["server"].what.startswith("Virtuoso ")
    assert who(found, "updates", "time", "rows", "SERVICE", "FROM", "parts") == [*["server"] * 5, "askgraph"]
    assert "X-SPARQL-MaxRows" in found["rows"].trial
    assert "S1TAT" in found["parts"].trial


def test_without_the_self_test_nothing_is_tried_and_that_is_said(oxigraph: OxigraphServer) -> None:
    oxigraph.load(ONE_TRIPLE)
    found = looked_at(f"sparql+{oxigraph.url}")
    assert "--self-test" in found["self-test"].advice
    assert {finding.trial for finding in found.values()} == {""}
    assert {finding.known for finding in found.values() if finding.enforced_by} == {"documented"}
