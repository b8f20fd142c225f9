"""Whatever the graph is like (parallel edges, self-loops, isolated nodes, nodes without a type, empty layers), what is
selected of it holds to its rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import networkx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from askgraph import Graph, Settings, open_graph
from askgraph.retrievers.subgraph.options import NESTED, SubgraphOptions
from askgraph.retrievers.subgraph.selection import SubgraphSelection

# None: a node without a type. "Note" has no edges inside its type.
TYPES = ("Gene", "Gene", "Gene", "Disease", "Note", None)


@st.composite
def typed_graphs(draw: st.DrawFn) -> Any:
    """A small graph of several types, its edges directed and some of them parallel."""
    lot = np.random.default_rng(draw(st.integers(0, 2**32)))
    graph = networkx.MultiDiGraph()
    kinds = draw(st.lists(st.sampled_from(TYPES), min_size=2, max_size=40))
    for number, kind in enumerate(kinds):
        graph.add_node(f"n{number}", name=f"thing {number}", **({} if kind is None else {"label": kind}))
    for _ in range(int(lot.integers(0, 4 * len(kinds)))):
        one, other = (int(end) for end in lot.integers(0, len(kinds), 2))
        if kinds[one] == kinds[other] == "Note":
            continue
        kind = str(lot.choice(["interacts", "mentions"]))
        for _ in range(int(lot.integers(1, 3))):
            graph.add_edge(f"n{one}", f"n{other}", type=kind)
    return graph


OPTIONS = st.builds(
    SubgraphOptions,
    most_neighbours=st.integers(0, 6),
    diamond_steps=st.integers(0, 5),
    diamond_significance=st.sampled_from([None, 0.05, 0.9]),
    c3_significance=st.sampled_from([0.05, 1.0]),
    c3_most_nodes=st.integers(0, 4),
    walk_nodes=st.integers(0, 5),
    edge_weights=st.sampled_from([{}, {"interacts": 0.5}]),
)


def opened(graph: Any, options: SubgraphOptions, settings: Settings) -> tuple[Graph, SubgraphOptions]:
    """The graph, and the options without weights of edges that it does not have."""
    types = {data["type"] for _, _, data in graph.edges(data=True)}
    weights = {kind: weight for kind, weight in options.edge_weights.items() if kind in types}
    return open_graph(graph, settings=settings), replace(options, edge_weights=weights)


def ids(selection: SubgraphSelection) -> list[str]:
    return [item.id for item in selection.nodes]


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(typed_graphs(), OPTIONS, st.data())
def test_nested_subgraphs_hold_each_other_and_all_edges_between_their_nodes(
    settings: Settings, graph: Any, options: SubgraphOptions, data: st.DataObject
) -> None:
    seeds = data.draw(st.lists(st.sampled_from(sorted(graph)), min_size=1, max_size=4, unique=True))
    store, options = opened(graph, options, settings)
    with store:
        full = store.subgraph(nodes=seeds, options=options)
        grown = {nested: store.subgraph(nodes=seeds, options=options, nested=nested) for nested in NESTED}
    before: list[str] = seeds
    for nested, own in grown.items():
        assert own.nodes == full.within(nested).nodes
        assert own.edges == full.within(nested).edges
        assert ids(own)[: len(before)] == before
        before = ids(own)
        chosen = set(before)
        assert len(own.edges) == graph.subgraph(chosen).number_of_edges()
        assert len(before) == len(chosen)
    near = {end for seed in seeds for end in (*graph.successors(seed), *graph.predecessors(seed))}
    neighbours = {item.id for item in full.nodes if item.step == "neighbours"}
    assert neighbours <= near - set(seeds)
    if options.most_neighbours >= len(near):
        assert neighbours == near - set(seeds)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(typed_graphs(), OPTIONS)
def test_seeds_that_are_the_whole_graph_are_left_as_they_are(
    settings: Settings, graph: Any, options: SubgraphOptions
) -> None:
    store, options = opened(graph, options, settings)
    with store:
        found = store.subgraph(nodes=sorted(graph), options=options)
    assert ids(found) == sorted(graph)
    assert {item.step for item in found.nodes} == {"seed"}
    assert len(found.edges) == graph.number_of_edges()


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(typed_graphs())
def test_nothing_asked_adds_nothing(settings: Settings, graph: Any) -> None:
    nothing = SubgraphOptions(most_neighbours=0, diamond_steps=0, c3_most_nodes=0, walk_nodes=0, most_edges=0)
    with open_graph(graph, settings=settings) as store:
        found = store.subgraph(nodes=["n1"], options=nothing)
    assert ids(found) == ["n1"]
    assert not found.edges


def test_parallel_edges_directions_and_self_loops_change_no_module(settings: Settings) -> None:
    plain, doubled = networkx.MultiDiGraph(), networkx.MultiDiGraph()
    lot = np.random.default_rng(8)
    for graph in (plain, doubled):
        graph.add_nodes_from((f"n{number}", {"label": "Gene"}) for number in range(60))
    for one, other in lot.integers(0, 60, (150, 2)).tolist():
        if one != other:
            plain.add_edge(f"n{one}", f"n{other}", type="interacts")
            doubled.add_edge(f"n{other}", f"n{one}", type="interacts")
            doubled.add_edge(f"n{one}", f"n{other}", type="regulates")
    found = []
    for graph in (plain, doubled):
        with open_graph(graph, settings=settings) as store:
            selection = store.subgraph(nodes=["n1", "n2"])
            found.append([(item.id, item.step, item.p_value, item.ties) for item in selection.nodes])
    assert found[0] == found[1]


@pytest.mark.parametrize("seeds", [[], ["nobody"], ["nobody", "n99"]])
def test_seeds_that_are_not_there_are_an_error_of_their_own(settings: Settings, seeds: list[str]) -> None:
    from askgraph.core.errors import UnknownSeedError

    graph = networkx.DiGraph()
    graph.add_edge("n1", "n2", type="knows")
    with open_graph(graph, settings=settings) as store, pytest.raises(UnknownSeedError):
        store.subgraph(nodes=seeds)
