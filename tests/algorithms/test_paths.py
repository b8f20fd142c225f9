from __future__ import annotations

from itertools import islice, pairwise

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askgraph.algorithms import Network, k_shortest_paths, shortest_path
from askgraph.core.budget import Budget
from askgraph.core.errors import AlgorithmError, DeadlineExceededError, UnknownSeedError

from .naive import graph_of
from .networks import networks


def all_paths(network: Network, source: int, target: int) -> list[tuple[float, tuple[int, ...]]]:
    graph = graph_of(network)
    if network.weights is not None:
        for node in graph:
            for place in range(network.offsets[node], network.offsets[node + 1]):
                graph.edges[node, int(network.neighbors[place])]["weight"] = float(network.weights[place])
    if source == target:
        return [(0.0, (source,))]
    found = []
    for path in networkx.all_simple_paths(graph, source, target):
        length = sum(graph.edges[one, other].get("weight", 1.0) for one, other in pairwise(path))
        found.append((length, tuple(path)))
    return sorted(found)


@settings(max_examples=120)
@given(networks(most=7), st.data())
def test_paths_come_in_order_of_length_and_node_numbers(network: Network, data: st.DataObject) -> None:
    ends = st.integers(0, network.node_count - 1)
    source, target, k = data.draw(ends), data.draw(ends), data.draw(st.integers(1, 12))
    found = k_shortest_paths(network, source, target, k)
    assert [(route.length, route.nodes) for route in found] == all_paths(network, source, target)[:k]


@settings(max_examples=120)
@given(networks(most=7, weighted=True), st.data())
def test_weights_are_lengths(network: Network, data: st.DataObject) -> None:
    ends = st.integers(0, network.node_count - 1)
    source, target = data.draw(ends), data.draw(ends)
    found = k_shortest_paths(network, source, target, 6)
    assert [(route.length, route.nodes) for route in found] == all_paths(network, source, target)[:6]


@settings(max_examples=80)
@given(networks(most=7, weighted=True), st.integers(0, 4), st.data())
def test_a_bound_on_hops_leaves_the_shortest_of_what_is_left(
    network: Network, hops: int, data: st.DataObject
) -> None:
    ends = st.integers(0, network.node_count - 1)
    source, target = data.draw(ends), data.draw(ends)
    found = shortest_path(network, source, target, most_hops=hops)
    expected = [path for path in all_paths(network, source, target) if len(path[1]) - 1 <= hops]
    assert (None if found is None else found.length) == (expected[0][0] if expected else None)


def test_lengths_on_a_larger_network_are_those_of_networkx() -> None:
    lot = np.random.default_rng(8)
    ends = lot.integers(0, 400, (2, 1_500))
    network = Network.from_edges(400, ends[0], ends[1])
    found = k_shortest_paths(network, 3, 250, 40)
    expected = list(islice(networkx.shortest_simple_paths(graph_of(network), 3, 250), 40))
    assert [len(route.nodes) for route in found] == [len(path) for path in expected]
    assert len({route.nodes for route in found}) == 40


def test_there_may_be_no_path() -> None:
    network = Network.from_edges(4, [0, 2], [1, 3])
    assert shortest_path(network, 0, 3) is None
    assert k_shortest_paths(network, 0, 3, 5) == ()


def test_bad_input_is_said() -> None:
    network = Network.from_edges(2, [0], [1])
    with pytest.raises(UnknownSeedError):
        shortest_path(network, 0, 2)
    with pytest.raises(AlgorithmError):
        k_shortest_paths(network, 0, 1, 0)
    with pytest.raises(AlgorithmError):
        shortest_path(network, 0, 1, most_hops=-1)
    with pytest.raises(DeadlineExceededError):
        shortest_path(network, 0, 1, budget=Budget(seconds=0))
