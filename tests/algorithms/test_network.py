from __future__ import annotations

import networkx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from askgraph.algorithms import Network, connected_components, largest_component_size
from askgraph.algorithms import network as network_module
from askgraph.core.adjacency import Adjacency
from askgraph.core.errors import AlgorithmError
from askgraph.stores.property.adjacency import adjacency_of

from .naive import graph_of
from .networks import networks


@given(networks(weighted=True))
def test_degrees_and_neighbours_are_those_of_networkx(network: Network) -> None:
    graph = graph_of(network)
    assert network.degrees().tolist() == [degree for _, degree in graph.degree()]
    assert network.edge_count == graph.number_of_edges()
    for node in graph:
        assert network.neighbors_of(node).tolist() == sorted(set(graph[node]) - {node})


def test_parallel_edges_are_one_and_their_weights_add_up() -> None:
    network = Network.from_edges(3, [0, 1, 2, 2], [1, 0, 1, 2], [1.5, 2.0, 1.0, 9.0])
    assert network.neighbors_of(1).tolist() == [0, 2]
    assert network.weights is not None
    assert network.weights[network.offsets[1] : network.offsets[2]].tolist() == [3.5, 1.0]
    assert network.loops.tolist() == [2]


def adjacency(count: int, edges: list[tuple[int, int, int]]) -> Adjacency:
    """Of edges (source, type, target)."""
    ordered = np.array(sorted(edges), dtype=np.int32).reshape(-1, 3)
    return adjacency_of(ordered[:, 0], ordered[:, 2], ordered[:, 1], count)


def test_a_layer_of_a_graph_has_the_edges_of_its_types_among_its_nodes() -> None:
    graph = adjacency(5, [(0, 0, 1), (1, 0, 0), (1, 1, 2), (2, 0, 4), (3, 0, 3), (4, 1, 0)])
    whole = Network.from_adjacency(graph)
    assert (whole.node_count, whole.edge_count) == (5, 5)
    layer = Network.from_adjacency(graph, nodes=[4, 2, 0, 3], edge_types=[0])
    assert layer.neighbors_of(0).tolist() == [1]
    assert layer.edge_count == 2
    assert layer.loops.tolist() == [3]


def test_a_layer_without_nodes_or_types_is_empty() -> None:
    graph = adjacency(2, [(0, 0, 1)])
    assert Network.from_adjacency(graph, nodes=[]).node_count == 0
    assert Network.from_adjacency(graph, edge_types=[]).edge_count == 0


_EDGES = st.integers(1, 12).flatmap(
    lambda count: st.tuples(
        st.just(count),
        st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, 2), st.integers(0, count - 1))),
    )
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_EDGES, st.sets(st.integers(0, 2)))
def test_a_graph_read_a_few_rows_at_a_time_is_that_of_its_edges(
    monkeypatch: pytest.MonkeyPatch, drawn: tuple[int, list[tuple[int, int, int]]], types: set[int]
) -> None:
    monkeypatch.setattr(network_module, "_ENTRIES_AT_ONCE", 3)
    count, edges = drawn
    graph = adjacency(count, edges)
    found = Network.from_adjacency(graph, edge_types=sorted(types))
    chosen = [(source, target) for source, kind, target in edges if kind in types]
    expected = Network.from_edges(count, [one for one, _ in chosen], [other for _, other in chosen])
    for name in ("offsets", "neighbors", "loops"):
        assert getattr(found, name).tolist() == getattr(expected, name).tolist()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(networks(weighted=True), st.data())
def test_an_induced_network_is_the_same_in_whatever_order_its_nodes_are_read(
    monkeypatch: pytest.MonkeyPatch, network: Network, data: st.DataObject
) -> None:
    monkeypatch.setattr(network_module, "_ENTRIES_AT_ONCE", 3)
    chosen = sorted(data.draw(st.sets(st.integers(0, network.node_count - 1))))
    ascending = network.induced(chosen)
    backwards = network.induced(chosen[::-1])
    last = len(chosen) - 1
    for place in range(len(chosen)):
        mirrored = sorted((last - backwards.neighbors_of(last - place)).tolist())
        assert ascending.neighbors_of(place).tolist() == mirrored
    assert ascending.loops.tolist() == sorted((last - backwards.loops).tolist())


@given(networks(weighted=True), st.data())
def test_an_induced_network_is_that_of_networkx(network: Network, data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.integers(0, network.node_count - 1), unique=True))
    induced = network.induced(chosen)
    expected = networkx.relabel_nodes(
        graph_of(network).subgraph(chosen), {node: place for place, node in enumerate(chosen)}
    )
    assert networkx.utils.edges_equal(graph_of(induced).edges, expected.edges)
    if network.weights is not None and induced.weights is not None:
        inside = [
            float(network.weights[place])
            for node in chosen
            for place in range(network.offsets[node], network.offsets[node + 1])
            if int(network.neighbors[place]) in chosen
        ]
        assert sorted(induced.weights.tolist()) == sorted(inside)


@given(networks(most=25))
def test_components_are_those_of_networkx(network: Network) -> None:
    labels, count = connected_components(network)
    expected = sorted(map(sorted, networkx.connected_components(graph_of(network))))
    found = [np.flatnonzero(labels == number).tolist() for number in range(count)]
    assert found == expected  # in the order of their lowest nodes
    assert largest_component_size(network, range(network.node_count)) == max(map(len, expected))


def test_a_long_chain_is_one_component() -> None:
    order = np.random.default_rng(1).permutation(20_000)
    chain = Network.from_edges(20_000, order[:-1], order[1:])
    assert connected_components(chain)[1] == 1


def test_no_nodes_have_no_component() -> None:
    assert connected_components(Network.from_edges(0, [], []))[1] == 0
    assert largest_component_size(Network.from_edges(2, [0], [1]), []) == 0


@pytest.mark.parametrize(
    ("sources", "targets", "weights"),
    [
        ([0], [1, 2], None),
        ([0], [3], None),
        ([-1], [0], None),
        ([0.5], [1], None),
        ([0], [1], [0.0]),
        ([0], [1], [float("nan")]),
        ([0], [1], [float("inf")]),
        ([0], [1], [-1.0]),
        ([0], [1], [1.0, 2.0]),
    ],
)
def test_arrays_that_make_no_network_are_refused(
    sources: list[int], targets: list[int], weights: list[float] | None
) -> None:
    with pytest.raises(AlgorithmError):
        Network.from_edges(3, sources, targets, weights)
