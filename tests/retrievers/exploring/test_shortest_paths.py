"""Shortest paths: for every pair, in both directions, bounded."""

from __future__ import annotations

import itertools

import networkx
import pytest
from tests.retrievers.conftest import hub

from askgraph.core.budget import Budget
from askgraph.retrievers.exploring.shortest_paths import ShortestPathRetriever
from askgraph.stores.memory import from_networkx


def between(store, sources, targets, **options):
    retriever = ShortestPathRetriever(store, store.schema(), max_hops=options.pop("max_hops", 3))
    return retriever.between(sources, targets, Budget(**options))


def ends(evidence):
    return [(fact.path.start, fact.path.hops[-1].target, len(fact.path.hops)) for fact in evidence.facts]


def test_a_path_goes_over_edges_in_either_direction(company_store):
    (fact,) = between(company_store, ["p1"], ["a"]).facts
    assert fact.text == "Ada Lovelace member of Engines; Engines responsible for Difference Engine"
    assert ends(between(company_store, ["a"], ["p1"])) == [("a", "p1", 2)]


def test_each_pair_has_its_path_not_the_nearest_source_alone(company_store):
    found = ends(between(company_store, ["p1", "p2"], ["a", "b"]))
    assert sorted(found) == [("p1", "a", 2), ("p1", "b", 2), ("p2", "a", 2), ("p2", "b", 2)]


def test_a_target_that_is_a_source_too_is_reached_from_the_others(company_store):
    assert ends(between(company_store, ["p1", "p2"], ["p2"])) == [("p1", "p2", 1)]


def test_what_is_further_than_allowed_is_not_found(company_store):
    assert between(company_store, ["p1"], ["c"]).facts == ()
    assert between(company_store, ["p1"], ["a"], max_hops=1).facts == ()


def test_the_shortest_come_first(company_store):
    assert [length for *_, length in ends(between(company_store, ["p1"], ["a", "p2", "d1"]))] == [1, 1, 2]


@pytest.mark.parametrize("seed", range(4))
def test_lengths_are_those_of_networkx(seed):
    graph = networkx.gnp_random_graph(40, 0.05, seed=seed, directed=True)
    undirected = graph.to_undirected()
    sources, targets = ["0", "1", "2"], ["7", "8", "9"]
    with from_networkx(graph) as store:
        found = {
            (one, other): length for one, other, length in ends(between(store, sources, targets, max_hops=4))
        }
    for one, other in itertools.product(sources, targets):
        reachable = networkx.has_path(undirected, int(one), int(other))
        length = networkx.shortest_path_length(undirected, int(one), int(other)) if reachable else 99
        assert found.get((one, other)) == (length if length <= 4 else None)


def test_a_path_that_is_found_is_a_path_of_the_graph(company_store):
    edges = {edge.id: edge for edge in company_store.edges()}
    for fact in between(company_store, ["p1", "c"], ["b", "p3"]).facts:
        here = fact.path.start
        for hop in fact.path.hops:
            edge = edges[hop.edge]
            assert (edge.source, edge.target) == ((here, hop.target) if hop.forward else (hop.target, here))
            here = hop.target


def test_an_unreachable_target_of_a_hub_costs_a_bounded_search():
    graph = hub(5_000)
    graph.add_node("alone", label="Person", name="Nobody")
    with from_networkx(graph) as store:
        found = between(store, ["hub"], ["alone"], max_hops=3, fan_out=100)
    assert found.facts == ()
    assert found.notes == ("Not all neighbours were looked at for a shortest path.",)
