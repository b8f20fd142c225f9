"""Why a query found nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.retrievers.movie_graph import movies

import askgraph
from askgraph.core.budget import Budget
from askgraph.core.errors import QueryRefusedError
from askgraph.core.settings import Settings
from askgraph.engine import Graph
from askgraph.graph_queries import GraphQueries
from askgraph.retrievers.querying.empty_results import WhyEmpty, why_empty


@pytest.fixture(scope="module")
def queries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphQueries]:
    folder = tmp_path_factory.mktemp("movies")
    settings = Settings.load(
        embedder="none", save_runs=False, cache_dir=folder / "cache", data_dir=folder / "data"
    )
    with askgraph.open_graph(movies(), settings=settings) as graph:
        yield GraphQueries(graph.store, settings)


def explained(queries: GraphQueries, text: str, **options: object) -> WhyEmpty:
    checked = queries.check(text)
    assert not queries.run(checked).rows
    return why_empty(checked.query.shown, queries, language="cypher", **options)  # type: ignore[arg-type]


def test_a_node_that_is_not_there_explains_everything(queries: GraphQueries) -> None:
    why = explained(queries, "MATCH (p:Person {name: 'Nobody'})-[:ACTED_IN]->(m:Movie) RETURN m.title")
    assert why.parts[0].kind == "part"
    assert "Nobody" in why.parts[0].sentence
    assert "alone matches nothing" in why.diagnostic()


def test_an_arrow_that_points_the_wrong_way_is_found_and_turned(queries: GraphQueries) -> None:
    why = explained(queries, 'MATCH (m:Movie {title: "You\'ve Got Mail"})-[:DIRECTED]->(p) RETURN p.name')
    assert why.parts[0].kind == "direction"
    (proposal,) = why.proposals
    assert [tuple(row) for row in queries.run(queries.check(proposal)).rows] == [("Nora Ephron",)]


def test_a_condition_that_never_holds_is_named(queries: GraphQueries) -> None:
    why = explained(
        queries,
        "MATCH (p:Person)-[:ACTED_IN]->(m:Movie) WHERE p.born > 1900 AND m.released > 2050 RETURN m.title",
    )
    assert [(part.kind, part.what) for part in why.parts] == [("condition", "m.released > 2050")]
    assert "m.released › 2050" in why.diagnostic()


def test_a_relationship_that_nobody_has_is_named(queries: GraphQueries) -> None:
    why = explained(queries, "MATCH (p:Person {name: 'Meg Ryan'})-[:DIRECTED]->(m:Movie) RETURN m.title")
    assert "relation" in {part.kind for part in why.parts}


def test_what_takes_several_parts_is_said_to(queries: GraphQueries) -> None:
    why = explained(
        queries,
        "MATCH (p:Person)-[:ACTED_IN]->(m:Movie) WHERE p.born > 3000 AND m.released > 3000 RETURN m.title",
    )
    assert why.parts == ()
    assert "No single part" in why.diagnostic()
    assert why.tried > 0


def test_counts_of_nothing_are_explained_too(queries: GraphQueries) -> None:
    text = "MATCH (p:Person)-[:ACTED_IN]->(m:Movie) WHERE m.released > 2050 RETURN count(m) AS movies"
    why = why_empty(text, queries, language="cypher")
    assert [part.what for part in why.parts] == ["m.released > 2050"]


def test_few_queries_are_asked_and_what_was_not_is_said(queries: GraphQueries) -> None:
    text = "MATCH (p:Person)-[:ACTED_IN]->(m:Movie) WHERE p.born > 3000 AND m.released > 3000 RETURN m.title"
    why = explained(queries, text, most=2)
    assert why.tried == 2
    assert "more were not asked" in why.stopped
    spent = Budget(seconds=0.0)
    assert explained(queries, text, budget=spent).tried == 0


def test_a_query_that_writes_is_not_looked_into(queries: GraphQueries) -> None:
    with pytest.raises(QueryRefusedError):
        why_empty("MATCH (n) DELETE n", queries, language="cypher")


_PV = "PREFIX pv: <http://ld.company.org/prod-vocab/> "


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory, ck25_turtle: Path) -> Iterator[Graph]:
    folder = tmp_path_factory.mktemp("ck25")
    settings = Settings.load(
        embedder="none", save_runs=False, cache_dir=folder / "cache", data_dir=folder / "data"
    )
    with askgraph.open_graph(ck25_turtle, settings=settings) as opened:
        yield opened


@pytest.mark.parametrize(
    ("text", "kind", "what"),
    [
        (
            _PV + "SELECT ?s WHERE { ?s a pv:Supplier . ?s pv:hasSupplier ?h }",
            "direction",
            "pv:hasSupplier ?h",
        ),
        (
            _PV + "SELECT ?h WHERE { ?h pv:width_mm ?w FILTER(?w > 100000 && ?w > 1) }",
            "condition",
            "?w > 100000",
        ),
        (_PV + "SELECT ?h WHERE { ?h a pv:Department ; pv:width_mm ?w }", "type", "?h a pv:Department"),
    ],
)
def test_empty_sparql_is_explained(company: Graph, text: str, kind: str, what: str) -> None:
    queries = GraphQueries(company.store, company.settings)
    assert not queries.run(queries.check(text)).rows
    why = why_empty(text, queries, language="sparql")
    assert (kind, what) in [(part.kind, part.what) for part in why.parts]
