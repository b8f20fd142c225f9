"""Queries in a graph's own language, from Python."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import networkx
import pytest

import askgraph
from askgraph.core.errors import (
    DeadlineExceededError,
    OpenError,
    QueryFailedError,
    QueryRefusedError,
    QuerySyntaxError,
    SettingsError,
)
from askgraph.core.graph import Node
from askgraph.core.settings import Settings
from askgraph.engine import Graph
from askgraph.graph_queries import QueryCheck


def people() -> Any:
    graph = networkx.DiGraph()
    for number in range(30):
        graph.add_node(f"p{number}", type="Person", name=f"Person {number}", age=number)
    graph.add_node("acme", type="Company", name="Acme")
    graph.add_edges_from(((f"p{number}", "acme") for number in range(30)), type="WORKS_AT")
    return graph


@pytest.fixture
def graph() -> Iterator[Graph]:
    with askgraph.open_graph(people()) as opened:
        yield opened


@pytest.fixture
def rdf(tmp_path: Path, cache_directory: Path) -> Iterator[Graph]:
    file = tmp_path / "people.ttl"
    file.write_text('@prefix : <http://e/> . :ann a :Person ; :age 36 ; :name "Ann" .', encoding="utf-8")
    with askgraph.open_graph(file) as opened:
        yield opened


def test_a_networkx_graph_takes_cypher(graph: Graph) -> None:
    result = graph.query("MATCH (p:Person)-[:WORKS_AT]->(c) WHERE p.age > $age RETURN p, c.name", {"age": 28})
    assert len(result) == 1
    person, company = result.rows[0]
    assert isinstance(person, Node)
    assert (person.id, person.name, company) == ("p29", "Person 29", "Acme")


def test_an_rdf_graph_takes_sparql(rdf: Graph) -> None:
    result = rdf.query("SELECT ?x ?age WHERE { ?x <http://e/age> ?age }")
    ((ann, age),) = result.rows
    assert isinstance(ann, Node)
    assert (ann.id, age) == ("http://e/ann", 36)


def test_rows_are_capped_by_the_call_the_settings_and_the_operator() -> None:
    everyone = "MATCH (p:Person) RETURN p.age"
    with askgraph.open_graph(people(), settings=Settings.load(rows=20)) as graph:
        assert (len(graph.query(everyone)), graph.query(everyone).truncated) == (20, True)
        assert len(graph.query(everyone, rows=5)) == 5
        assert len(graph.query(everyone, rows=25)) == 25
    with askgraph.open_graph(people(), settings=Settings.load(gate={"rows": 10})) as graph:
        assert len(graph.query(everyone)) == 10
        assert len(graph.query(everyone, rows=25)) == 10
        assert len(graph.query(everyone, rows=5)) == 5


@pytest.mark.parametrize("rows", [0, -1, True, 1.5, "7"])
def test_a_number_of_rows_that_is_none_is_said(rows: Any, graph: Graph) -> None:
    with pytest.raises(SettingsError, match="number of rows"):
        graph.query("MATCH (p) RETURN p", rows=rows)


def test_a_check_runs_nothing_and_tells_the_problems(graph: Graph) -> None:
    found = graph.check("MATCH (p:Persn)<-[:WORKS_AT]-(c:Company) RETURN p.nme")
    assert isinstance(found, QueryCheck)
    assert [problem.code for problem in found.problems][:1] == ["unknown-type"]
    assert any("Did you mean Person?" in warning for warning in found.warnings)
    assert graph.check("MATCH (p:Persn) RETURN p", schema_check=False).problems == ()
    assert graph.query(found).rows == []


def test_problems_are_among_the_warnings_of_the_result(graph: Graph) -> None:
    result = graph.query("MATCH (p:Person)<-[:WORKS_AT]-(c:Company) RETURN p")
    assert any("points the other way" in warning for warning in result.warnings)


def test_what_the_gate_refuses_is_not_run(graph: Graph) -> None:
    with pytest.raises(QueryRefusedError, match="SET would change"):
        graph.query("MATCH (p) SET p.age = 1")
    with pytest.raises(QuerySyntaxError):
        graph.check("MATCH (p RETURN p")
    assert graph.query("MATCH (p:Person {age: 1}) RETURN count(p) AS n").rows == [(1,)]


def test_the_other_language_is_told(graph: Graph, rdf: Graph) -> None:
    with pytest.raises(QuerySyntaxError) as caught:
        graph.query("PREFIX : <http://e/> SELECT ?x { ?x a :Person }")
    assert "looks like SPARQL; this graph takes Cypher" in (caught.value.advice or "")
    with pytest.raises(QuerySyntaxError) as caught:
        rdf.query("// people\nMATCH (p) RETURN p")
    assert "looks like Cypher; this graph takes SPARQL" in (caught.value.advice or "")
    with pytest.raises(QueryFailedError, match="takes Cypher, not SPARQL"):
        graph.query("ASK { ?s ?p ?o }", language="sparql")


def test_explain_tells_where_the_engine_does(graph: Graph, rdf: Graph) -> None:
    assert graph.explain("MATCH (p:Person)-[:WORKS_AT]->(c) RETURN c").operators
    with pytest.raises(QueryFailedError, match="does not tell"):
        rdf.explain("ASK { ?s ?p ?o }")


def test_a_deadline_holds_for_the_query_and_not_for_what_is_prepared(graph: Graph) -> None:
    assert graph.query("RETURN 1 AS one", timeout=5).rows == [(1,)]
    with pytest.raises(DeadlineExceededError, match=r"0\.3 s"):
        graph.query("UNWIND range(1, 5000000) AS x UNWIND [1, 2] AS y RETURN sum(x * y) AS s", timeout=0.3)
    with pytest.raises(SettingsError, match="timeout"):
        graph.query("RETURN 1 AS one", timeout=0)


def test_the_prepared_copy_is_told_as_progress(graph: Graph) -> None:
    stages: list[str] = []

    class Watched:
        def start(self, label: str, total: int | None = None) -> None:
            stages.append(label)

        def advance(self, amount: int = 1) -> None: ...
        def finish(self) -> None: ...

    graph.query("RETURN 1 AS one", progress=Watched())
    graph.query("RETURN 1 AS one", progress=Watched())
    assert stages == ["Preparing Cypher"]


def test_settings_of_the_gate_that_do_not_exist_are_said() -> None:
    with (
        askgraph.open_graph(people(), settings=Settings.load(gate={"rowz": 1})) as graph,
        pytest.raises(SettingsError, match="rowz"),
    ):
        graph.query("RETURN 1 AS one")


def test_a_closed_graph_answers_nothing() -> None:
    graph = askgraph.open_graph(people())
    graph.close()
    for call in (graph.query, graph.check, graph.explain):
        with pytest.raises(OpenError, match="closed"):
            call("RETURN 1 AS one")
