"""The documented class on both lines of Neo4j, and its SPARQL twin on an endpoint: as on a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from tests.engine.test_servers import COMPANY, COMPANY_TURTLE

from askgraph import Graph, Settings, open_graph
from askgraph.core.errors import DeadlineExceededError, QueryFailedError, ServerError
from askgraph.models.scripted import ScriptedModel
from askgraph.text2cypher import (
    Entity,
    QueryValue,
    Relation,
    RetrievalSettings,
    SearchFilters,
    Text2CypherRetriever,
    Text2SparqlRetriever,
    UnsafeCypherError,
)


@pytest.fixture(scope="module", params=["neo4j", "neo4j_2026"])
def server(request: pytest.FixtureRequest) -> Any:
    server = request.getfixturevalue(request.param)
    server.clear()
    server.load(*COMPANY)
    return server


@pytest.fixture(scope="module")
def graph(server: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    folder = tmp_path_factory.mktemp("askgraph")
    user, password = server.auth
    settings = Settings.load(
        user=user, password=password, save_runs=False, cache_dir=folder / "cache", data_dir=folder / "data"
    )
    with open_graph(server.url, settings=settings) as graph:
        yield graph


def retriever(graph: Graph, replies: Sequence[Any], **options: Any) -> Text2CypherRetriever:
    return Text2CypherRetriever(
        graph_store=graph, schema=graph.schema(), model=ScriptedModel(list(replies)), **options
    )


def values(results: Sequence[Any]) -> list[Any]:
    return [result.item.value for result in results if isinstance(result.item, QueryValue)]


def test_nodes_relationships_and_values_come_back_typed(graph: Graph) -> None:
    query = "MATCH (m:Person)-[r:MANAGES]->(p:Person) RETURN m, r, p.phone AS phone"
    found = retriever(graph, [query]).retrieve("Who manages whom?")
    manager = next(result.item for result in found if isinstance(result.item, Entity))
    assert (manager.name, manager.labels, manager.properties["born"]) == (
        "Charles Babbage",
        ("Person",),
        1791,
    )
    relation = next(result.item for result in found if isinstance(result.item, Relation))
    assert (relation.type, relation.source, relation.properties["since"]) == ("MANAGES", manager.id, 1840)
    assert values(found) == ["+44 20 1"]


def test_a_reversed_arrow_and_a_misspelt_name_are_put_right(graph: Graph) -> None:
    query = "MATCH (d:Department)-[:WORKS_IN]->(p:Person {name: 'Ada Lovelase'}) RETURN d.name AS department"
    found = retriever(graph, [query]).retrieve("Where does Ada Lovelace work?")
    assert values(found) == ["Difference Engines"]


def test_what_the_planner_refuses_is_written_once_more(graph: Graph) -> None:
    wrong = "MATCH (p:Person) WHERE count(p) > 1 RETURN count(p) AS n"
    made = retriever(graph, [wrong, "MATCH (p:Person) RETURN count(p) AS n"])
    assert values(made.retrieve("How many people are there?")) == [3]
    model = made.model
    assert isinstance(model, ScriptedModel)
    assert "WHERE count(p) > 1" in model.requests[1].messages[-1].text


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (p:Person) SET p.phone = '0' RETURN p",
        "CALL apoc.load.json('http://127.0.0.1/') YIELD value RETURN value",
        "LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line",
    ],
)
def test_what_is_unsafe_raises_and_changes_nothing(server: Any, graph: Graph, query: str) -> None:
    before = server.dump()
    with pytest.raises(UnsafeCypherError):
        retriever(graph, [query, query]).retrieve("Change it")
    assert server.dump() == before


def test_an_endless_query_ends_at_its_timeout(graph: Graph) -> None:
    endless = "UNWIND range(1, 3100) AS a UNWIND range(1, 3100) AS b RETURN sum(a * b) AS n"
    settings = RetrievalSettings(text2cypher_timeout=0.2)
    with pytest.raises((DeadlineExceededError, QueryFailedError, ServerError)):
        retriever(graph, [endless, endless], settings=settings).retrieve("How many?")


def test_filters_confine_a_query_on_the_server(graph: Graph) -> None:
    made = retriever(graph, ["MATCH (n) RETURN n.name AS name ORDER BY name"])
    found = made.retrieve("What is there?", filters=SearchFilters(labels=("City", "Department")), limit=50)
    assert values(found) == ["Difference Engines", "Turin"]


def test_the_sparql_twin_on_an_endpoint(oxigraph: Any, tmp_path: Any) -> None:
    oxigraph.load(COMPANY_TURTLE)
    settings = Settings.load(save_runs=False, cache_dir=tmp_path / "cache", data_dir=tmp_path / "data")
    query = """
    PREFIX : <http://example.org/company/>
    PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
    SELECT ?manager WHERE { ?manager :manages ?person . ?person rdfs:label "ada lovelace"@en }
    """
    with open_graph(f"sparql+{oxigraph.url}", settings=settings) as graph:
        made = Text2SparqlRetriever(graph_store=graph, schema=graph.schema(), model=ScriptedModel([query]))
        found = made.retrieve("Who manages Ada Lovelace?")
    assert [(type(result.item), str(result.item)) for result in found] == [(Entity, "Charles Babbage")]
