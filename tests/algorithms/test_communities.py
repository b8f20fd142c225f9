from __future__ import annotations

from typing import Literal

import networkx
import numpy as np
import pytest
from hypothesis import given, settings

from askgraph.algorithms import Hierarchy, Network, hierarchical_leiden
from askgraph.algorithms import communities as module
from askgraph.core.budget import Budget
from askgraph.core.errors import AlgorithmError, DeadlineExceededError, MissingPackageError

from .naive import graph_of
from .networks import networks

Engine = Literal["graspologic-native", "python"]


@pytest.fixture(params=["python", "graspologic-native"])
def engine(request: pytest.FixtureRequest) -> Engine:
    if request.param == "graspologic-native":
        pytest.importorskip("graspologic_native")
    chosen: Engine = request.param
    return chosen


def cliques(number: int, size: int) -> Network:
    """Cliques in a ring, each joined to the next by one edge."""
    graph = networkx.ring_of_cliques(number, size)
    return Network.from_edges(number * size, [a for a, _ in graph.edges], [b for _, b in graph.edges])


def modularity(network: Network, hierarchy: Hierarchy) -> float:
    parts = [set(item.nodes) for item in hierarchy.at_level(0)]
    quality: float = networkx.community.modularity(graph_of(network), parts)
    return quality


def check(network: Network, found: Hierarchy, most: int) -> None:
    """Every node once at the top, and each divided community the sum of its parts."""
    everyone = sorted(node for item in found.communities if item.level == 0 for node in item.nodes)
    assert everyone == list(range(network.node_count))
    assert [item.id for item in found.communities] == list(range(len(found.communities)))
    for item in found.communities:
        assert list(item.nodes) == sorted(item.nodes)
        if item.children:
            parts = [found.communities[child] for child in item.children]
            assert len(item.nodes) >= most
            assert sorted(node for part in parts for node in part.nodes) == list(item.nodes)
            assert all(part.parent == item.id and part.level == item.level + 1 for part in parts)
        elif item.parent == -1:
            assert item.level == 0
    assert sorted(node for item in found.final for node in item.nodes) == everyone


def test_cliques_are_communities(engine: Engine) -> None:
    found = hierarchical_leiden(cliques(6, 8), max_cluster_size=9, engine=engine)
    assert [item.nodes for item in found.final] == [tuple(range(8 * n, 8 * n + 8)) for n in range(6)]
    assert found.engine == engine


def test_large_communities_are_divided_to_the_size_asked(engine: Engine) -> None:
    lot = np.random.default_rng(0)
    ends = lot.integers(0, 300, (2, 900))
    network = Network.from_edges(300, ends[0], ends[1])
    for most in (5, 10, 40):
        found = hierarchical_leiden(network, max_cluster_size=most, engine=engine)
        check(network, found, most)
    assert max(item.level for item in hierarchical_leiden(network, engine=engine).communities) > 0


@settings(max_examples=60)
@given(networks(most=30))
def test_every_network_is_divided_wholly(network: Network) -> None:
    check(network, hierarchical_leiden(network, max_cluster_size=4, engine="python"), 4)


@settings(max_examples=40)
@given(networks(most=30))
def test_communities_hang_together(network: Network) -> None:
    graph = graph_of(network)
    for item in hierarchical_leiden(network, max_cluster_size=5, engine="python").communities:
        assert networkx.is_connected(graph.subgraph(item.nodes))


def test_the_python_engine_is_as_good_as_the_native_one() -> None:
    pytest.importorskip("graspologic_native")
    lot = np.random.default_rng(2)
    for size, edges in ((200, 700), (1_000, 4_000)):
        ends = lot.integers(0, size, (2, edges))
        group = lot.integers(0, size // 20, size)
        kept = (group[ends[0]] == group[ends[1]]) | (lot.random(edges) < 0.3)
        network = Network.from_edges(size, ends[0][kept], ends[1][kept])
        own = modularity(network, hierarchical_leiden(network, engine="python"))
        native = modularity(network, hierarchical_leiden(network, engine="graspologic-native"))
        assert own > native - 0.01


def test_the_same_seed_gives_the_same(engine: Engine) -> None:
    network = cliques(12, 5)
    first = hierarchical_leiden(network, engine=engine, seed=7)
    assert hierarchical_leiden(network, engine=engine, seed=7) == first


def test_weights_count(engine: Engine) -> None:
    # A square whose two heavy edges are its communities.
    network = Network.from_edges(4, [0, 1, 2, 3], [1, 2, 3, 0], [10.0, 1.0, 10.0, 1.0])
    found = hierarchical_leiden(network, engine=engine)
    assert [item.nodes for item in found.communities] == [(0, 1), (2, 3)]


def test_isolated_nodes_are_communities_of_their_own(engine: Engine) -> None:
    found = hierarchical_leiden(Network.from_edges(4, [0], [2]), engine=engine)
    assert sorted(item.nodes for item in found.communities) == [(0, 2), (1,), (3,)]
    assert [
        item.nodes for item in hierarchical_leiden(Network.from_edges(2, [], []), engine=engine).final
    ] == [
        (0,),
        (1,),
    ]
    assert hierarchical_leiden(Network.from_edges(0, [], []), engine=engine).communities == ()


def test_without_the_extra_small_networks_are_divided_and_large_ones_say_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_native", lambda: None)
    assert hierarchical_leiden(cliques(3, 4)).engine == "python"
    monkeypatch.setattr(module, "MOST_EDGES_IN_PYTHON", 5)
    with pytest.raises(MissingPackageError, match="graspologic-native"):
        hierarchical_leiden(cliques(3, 4))
    with pytest.raises(MissingPackageError):
        hierarchical_leiden(cliques(2, 2), engine="graspologic-native")


def test_bad_parameters_are_said() -> None:
    network = cliques(2, 3)
    with pytest.raises(AlgorithmError):
        hierarchical_leiden(network, max_cluster_size=0)
    with pytest.raises(AlgorithmError):
        hierarchical_leiden(network, resolution=0)
    with pytest.raises(AlgorithmError):
        hierarchical_leiden(network, seed=-1)
    with pytest.raises(DeadlineExceededError):
        hierarchical_leiden(network, engine="python", budget=Budget(seconds=0))
