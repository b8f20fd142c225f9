"""The first facts of the paths that fit a question, on a small works with many parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from askgraph import Graph, Settings, open_graph
from askgraph.core.budget import Budget
from askgraph.core.progress import SILENT
from askgraph.core.run import Run
from askgraph.retrievers.hop_table import HopTable
from askgraph.retrievers.reading.route_facts import Triple, facts_of_routes
from askgraph.retrievers.reading.routes import RouteFinder
from askgraph.retrievers.seeds import seeds_of
from askgraph.strategies.base import Parts
from askgraph.strategies.relevances import Relevances


def works() -> Any:
    import networkx

    graph = networkx.MultiDiGraph()
    for id, name in (("c1", "Hinges"), ("c2", "Springs")):
        graph.add_node(id, label="Category", name=name)
    for place in range(60):
        graph.add_node(f"p{place}", label="Part", name=f"Part Number {place}", reliability=place % 50)
        graph.add_edge(f"p{place}", "c1", type="IN_CATEGORY")
        graph.add_node(f"s{place}", label="Supplier", name=f"Supplier {place}", phone=f"+44 {place}")
        graph.add_edge(f"s{place}", f"p{place}", type="DELIVERS")
    graph.add_edge("p7", "c2", type="IN_CATEGORY")
    return graph


@pytest.fixture(scope="module")
def graph() -> Iterator[Graph]:
    with open_graph(works(), settings=Settings.load(save_runs=False, embedder="none")) as opened:
        yield opened


def facts(graph: Graph, question: str, most: int) -> list[Triple]:
    run = Run(question, graph="", graph_version="")
    linked = graph._link(question, run, SILENT)
    schema = graph.schema()
    parts = Parts(
        graph.store,
        schema,
        graph._open_index(run, SILENT),
        graph._ready_embedder(),
        graph.settings,
        graph._queries,
    )
    relevance, _ = Relevances(parts).of(linked)
    finder = RouteFinder(graph.store, schema, HopTable(schema), max_hops=3)
    asked = frozenset(schema.with_subtypes([link.id for link in linked.asked]))
    routes = [
        route
        for seed in seeds_of(linked, graph.store, Budget())
        for route in finder.from_seed(seed, relevance, asked, Budget())
    ]
    superlative = linked.form.superlative
    extreme = superlative.extreme if superlative is not None else None
    return facts_of_routes(graph.store, schema, routes, relevance, most, extreme=extreme)


def place_of(found: Sequence[Triple], node: str) -> int:
    return next(place for place, fact in enumerate(found) if node in (fact.subject, fact.object))


def test_a_wide_path_does_not_hide_what_else_there_is(graph: Graph) -> None:
    found = facts(graph, "Which suppliers deliver Hinges?", 40)
    assert {"IN_CATEGORY", "DELIVERS", "phone", "reliability"} <= {fact.predicate for fact in found}


def test_most_of_what_is_shown_is_of_the_best_path(graph: Graph) -> None:
    found = facts(graph, "Which suppliers deliver Hinges?", 60)
    shown = {node for fact in found for node in (fact.subject, fact.object)}
    suppliers = [place for place in range(60) if f"s{place}" in shown]
    assert len(suppliers) >= 15


def test_facts_are_not_repeated_and_end_where_they_should(graph: Graph) -> None:
    found = facts(graph, "Which suppliers deliver Hinges?", 50)
    assert len(found) == len(set(found)) == 50
    assert len(facts(graph, "Which suppliers deliver Springs?", 10_000)) < 1_000


def test_where_two_things_meet_comes_first(graph: Graph) -> None:
    found = facts(graph, "Which parts are in Hinges and in Springs?", 60)
    others = [
        place_of(found, f"p{place}") for place in (20, 30) if any(f"p{place}" in fact for fact in found)
    ]
    assert all(place_of(found, "p7") < other for other in others)
    assert place_of(found, "p7") < 10


def test_what_has_the_most_comes_first(graph: Graph) -> None:
    found = facts(graph, "Which supplier delivers the part of Hinges with the highest reliability?", 40)
    assert place_of(found, "s49") < 30
