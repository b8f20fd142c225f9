from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import networkx
import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from askgraph.algorithms import (
    Bipartite,
    Multiplex,
    Network,
    TypedNetwork,
    personalized_pagerank,
    random_walk_with_restart,
    walk_typed_network,
)
from askgraph.algorithms import network as network_module
from askgraph.algorithms.transition import Transition
from askgraph.core.budget import Budget
from askgraph.core.errors import AlgorithmError, DeadlineExceededError, UnknownSeedError

from .naive import graph_of
from .networks import networks
from .published import folder, pairs, rows


class Reference:
    """The typed network that multixrank was run on."""

    def __init__(self, config: str) -> None:
        self.folder: Path = folder("rwr_multixrank")
        settings = yaml.safe_load((self.folder / config).read_text(encoding="utf-8"))
        self.restart = settings["r"]
        self.jumps = [[float(Fraction(str(cell))) for cell in row] for row in settings["lamb"]]
        self.shares = [float(Fraction(str(cell))) for cell in settings["eta"]]
        layers = [pairs(self.folder / f"multiplex/{number}/layer.tsv") for number in (1, 2, 3)]
        self.names = [sorted({end for edge in layer for end in edge}) for layer in layers]
        self.multiplexes = []
        for names, layer in zip(self.names, layers, strict=True):
            one, other = ([names.index(edge[side]) for edge in layer] for side in (0, 1))
            self.multiplexes.append(Multiplex((Network.from_edges(len(names), one, other),)))

    def bipartites(self) -> list[Bipartite]:
        found = []
        for one, other in ((0, 1), (0, 2), (1, 2)):
            left = {name: number for number, name in enumerate(self.names[one])}
            right = {name: number for number, name in enumerate(self.names[other])}
            edges = pairs(self.folder / f"bipartite/{one + 1}_{other + 1}.tsv")
            # multixrank drops nodes that have no edge inside their own type.
            kept = [(left[a], right[b]) for a, b in edges if a in left and b in right]
            found.append(Bipartite((one, other), [a for a, _ in kept], [b for _, b in kept]))
        return found

    def network(self) -> TypedNetwork:
        return TypedNetwork.of_multiplexes(self.multiplexes, self.bipartites(), type_jumps=self.jumps)

    def seeds(self, network: TypedNetwork) -> list[int]:
        return [network.number(1, self.names[1].index("d0")), network.number(0, self.names[0].index("g1"))]

    def all_names(self) -> list[str]:
        return [name for names in self.names for name in names]


@pytest.mark.parametrize("kind", ["uniform", "skewed"])
def test_scores_on_typed_layers_are_those_of_multixrank(kind: str) -> None:
    reference = Reference(f"config_{kind}.yml")
    network = reference.network()
    found = walk_typed_network(
        network, reference.seeds(network), restart=reference.restart, shares=reference.shares
    )
    scores = dict(zip(reference.all_names(), found.scores.tolist(), strict=True))
    published = rows(reference.folder / f"scores_{kind}.tsv")
    assert len(published) == len(scores)
    for row in published:
        assert scores[row["node"]] == pytest.approx(float(row["score"]), rel=0, abs=1e-12)


def test_a_graph_with_node_types_is_walked_like_its_layers() -> None:
    reference = Reference("config_skewed.yml")
    layered = reference.network()
    names = reference.all_names()
    numbers = {name: number for number, name in enumerate(names)}
    edges = [
        edge for number in (1, 2, 3) for edge in pairs(reference.folder / f"multiplex/{number}/layer.tsv")
    ]
    edges += [
        edge
        for file in ("1_2", "1_3", "2_3")
        for edge in pairs(reference.folder / f"bipartite/{file}.tsv")
        if edge[0] in numbers and edge[1] in numbers
    ]
    whole = Network.from_edges(len(names), [numbers[a] for a, _ in edges], [numbers[b] for _, b in edges])
    typed = TypedNetwork.of_node_types(whole, layered.node_types, type_jumps=reference.jumps)
    seeds = reference.seeds(layered)
    expected = walk_typed_network(layered, seeds, restart=0.5, shares=reference.shares)
    found = walk_typed_network(typed, seeds, restart=0.5, shares=reference.shares)
    assert found.scores == pytest.approx(expected.scores, rel=1e-12, abs=1e-15)


def dense_multiplex(item: Multiplex) -> NDArray[np.float64]:
    """The supra-adjacency matrix as the paper writes it."""
    layers, count = len(item.layers), item.node_count
    matrix = np.zeros((layers * count, layers * count))
    for number, layer in enumerate(item.layers):
        for node in range(count):
            for other in layer.neighbors_of(node):
                weight = 1.0 if layers == 1 else 1 - item.layer_jump
                matrix[number * count + int(other), number * count + node] = weight
        for further in range(layers):
            if further != number:
                block = np.eye(count) * item.layer_jump / (layers - 1)
                matrix[number * count : (number + 1) * count, further * count : (further + 1) * count] = block
    return matrix


@settings(max_examples=60)
@given(networks(least=2, most=6, loops=False), st.data())
def test_layers_of_one_type_are_joined_as_in_the_paper(first: Network, data: st.DataObject) -> None:
    count = first.node_count
    ends = st.integers(0, count - 1)
    edges = data.draw(st.lists(st.tuples(ends, ends).filter(lambda edge: edge[0] != edge[1]), max_size=10))
    second = Network.from_edges(count, [a for a, _ in edges], [b for _, b in edges])
    item = Multiplex((first, second), layer_jump=0.3, layer_shares=(0.25, 0.75))
    seed = data.draw(ends)
    matrix = dense_multiplex(item)
    matrix = matrix / matrix.sum(axis=0)
    start = np.zeros(2 * count)
    start[seed], start[count + seed] = 0.25, 0.75
    expected = np.linalg.solve(np.eye(2 * count) - 0.3 * matrix, 0.7 * start)
    found = walk_typed_network(TypedNetwork.of_multiplexes([item]), [seed], restart=0.7)
    assert found.scores == pytest.approx(expected[:count] + expected[count:], abs=1e-9)


@settings(max_examples=80)
@given(networks(least=2, loops=False, weighted=True), st.sampled_from([0.15, 0.5, 0.7]), st.data())
def test_a_walk_is_the_solution_of_its_equation(
    network: Network, restart: float, data: st.DataObject
) -> None:
    seeds = data.draw(st.sets(st.integers(0, network.node_count - 1), min_size=1))
    count = network.node_count
    matrix = np.zeros((count, count))
    start = np.zeros(count)
    start[sorted(seeds)] = 1 / len(seeds)
    assert network.weights is not None
    for node in range(count):
        entries = slice(network.offsets[node], network.offsets[node + 1])
        matrix[network.neighbors[entries], node] = network.weights[entries]
    totals = matrix.sum(axis=0)
    matrix = np.where(totals > 0, matrix / np.where(totals > 0, totals, 1), start[:, None])
    expected = np.linalg.solve(np.eye(count) - (1 - restart) * matrix, restart * start)
    found = random_walk_with_restart(network, sorted(seeds), restart=restart)
    assert found.scores == pytest.approx(expected, abs=1e-9)
    assert found.scores.sum() == pytest.approx(1.0)


@settings(max_examples=60)
@given(networks(least=2, loops=False), st.data())
def test_pagerank_is_that_of_networkx(network: Network, data: st.DataObject) -> None:
    seeds = sorted(data.draw(st.sets(st.integers(0, network.node_count - 1), min_size=1)))
    weights = [data.draw(st.integers(1, 4)) for _ in seeds]
    expected = networkx.pagerank(
        graph_of(network),
        personalization={
            **dict.fromkeys(range(network.node_count), 0),
            **dict(zip(seeds, weights, strict=True)),
        },
        tol=1e-13,
        max_iter=1_000,
    )
    found = personalized_pagerank(network, seeds, weights=weights)
    assert found.scores.tolist() == pytest.approx(
        [expected[node] for node in range(network.node_count)], abs=1e-8
    )


def test_a_transition_may_be_kept_for_many_walks() -> None:
    network = Network.from_edges(5, [0, 1, 2, 3], [1, 2, 3, 4])
    kept = Transition.of_network(network)
    for seed in range(5):
        one = random_walk_with_restart(network, [seed])
        other = random_walk_with_restart(kept, [seed])
        assert one.scores.tolist() == other.scores.tolist()


def test_few_or_many_places_at_a_time_give_the_same() -> None:
    lot = np.random.default_rng(3)
    ends = lot.integers(0, 3_000, (2, 12_000))
    network = Network.from_edges(3_000, ends[0], ends[1])
    transition = Transition.of_network(network)
    vector = np.zeros(3_000)
    vector[5] = 1.0
    spread_out = np.asarray(transition.times(vector))
    again = np.zeros(3_000)
    for other in network.neighbors_of(5):
        again[other] = 1 / len(network.neighbors_of(5))
    assert spread_out.tolist() == again.tolist()
    full = transition.times(lot.random(3_000))
    assert full.shape == (3_000,)


def dense_matrix(
    network: Network, types: NDArray[np.int64], jumps: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The matrix of a typed walk, cell by cell."""
    count = network.node_count
    matrix = np.zeros((count, count))
    for node in range(count):
        entries = slice(network.offsets[node], network.offsets[node + 1])
        around = network.neighbors[entries]
        weights = np.ones(len(around)) if network.weights is None else network.weights[entries]
        own = types[node]
        share = {kind: jumps[kind, own] for kind in set(types[around].tolist()) - {own}}
        if own in types[around]:
            share[own] = 1 - sum(share.values())
        total = sum(share.values())
        for other, weight in zip(around.tolist(), weights.tolist(), strict=True):
            kind = types[other]
            if total > 0:
                part = share[kind] if own in share else share[kind] / total
                matrix[other, node] = part * weight / weights[types[around] == kind].sum()
    return matrix


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("at_once", [7, 1 << 16])
def test_products_are_those_of_the_matrix_for_short_rows_and_long_ones(
    monkeypatch: pytest.MonkeyPatch, weighted: bool, at_once: int
) -> None:
    monkeypatch.setattr(network_module, "_ENTRIES_AT_ONCE", at_once)
    lot = np.random.default_rng(4)
    hubs = np.concatenate([np.zeros(90, dtype=int), np.ones(40, dtype=int), lot.integers(0, 150, 400)])
    ends = np.stack([hubs, lot.integers(0, 150, len(hubs))])
    weights = lot.integers(1, 5, len(hubs)) if weighted else None
    network = Network.from_edges(155, ends[0], ends[1], weights)  # the last five are isolated
    assert np.diff(network.offsets).max() > 64
    types = lot.integers(0, 3, 155)
    jumps = lot.random((3, 3))
    jumps /= jumps.sum(axis=0)
    typed = TypedNetwork.of_node_types(network, types, type_jumps=jumps).transition
    one_type = Transition.of_network(network)
    for transition, matrix in (
        (typed, dense_matrix(network, types, jumps)),
        (one_type, dense_matrix(network, np.zeros(155, dtype=np.int64), np.ones((1, 1)))),
    ):
        few, many = np.zeros(155), lot.random(155)
        few[[3, 154]] = 0.5
        for vector in (few, many):
            assert transition.times(vector) == pytest.approx(matrix @ vector, rel=1e-12, abs=1e-15)
        assert transition.dead_ends.tolist() == np.flatnonzero(matrix.sum(axis=0) == 0).tolist()


def test_an_isolated_seed_keeps_everything() -> None:
    network = Network.from_edges(3, [0], [1])
    assert random_walk_with_restart(network, [2]).scores.tolist() == [0.0, 0.0, 1.0]
    assert personalized_pagerank(network, [2]).scores.tolist() == [0.0, 0.0, 1.0]


def test_a_node_without_an_edge_in_its_type_is_walked_all_the_same() -> None:
    # 0 and 1 of one type, linked; 2 of another, linked to 1 only.
    network = TypedNetwork.of_node_types(Network.from_edges(3, [0, 1], [1, 2]), [0, 0, 1])
    scores = walk_typed_network(network, [2], restart=0.5).scores
    assert scores[1] > 0
    assert scores[0] > 0
    assert scores.sum() == pytest.approx(1.0)


def test_restarts_of_a_type_without_seeds_go_to_the_others() -> None:
    network = TypedNetwork.of_node_types(Network.from_edges(3, [0, 1], [1, 2]), [0, 0, 1])
    even = walk_typed_network(network, [0], shares=[1, 0])
    split = walk_typed_network(network, [0], shares=[0.2, 0.8])
    assert even.scores.tolist() == split.scores.tolist()
    with pytest.raises(AlgorithmError, match="share of the restarts"):
        walk_typed_network(network, [0], shares=[0, 1])


@pytest.mark.parametrize("jumps", [[[1.0]], [[0.5, 0.5], [0.5, 0.4]], [[-1.0, 0.5], [2.0, 0.5]]])
def test_jumps_that_are_no_probabilities_are_refused(jumps: list[list[float]]) -> None:
    with pytest.raises(AlgorithmError, match="type jumps"):
        TypedNetwork.of_node_types(Network.from_edges(2, [0], [1]), [0, 1], type_jumps=jumps)


def test_bad_parameters_and_seeds_are_said() -> None:
    network = Network.from_edges(3, [0], [1])
    layer = (network,)
    for restart in (0.0, -1.0, 1.5, float("nan")):
        with pytest.raises(AlgorithmError, match="restart"):
            random_walk_with_restart(network, [0], restart=restart)
    with pytest.raises(AlgorithmError, match="tolerance"):
        random_walk_with_restart(network, [0], tolerance=0.0)
    with pytest.raises(UnknownSeedError):
        random_walk_with_restart(network, [])
    with pytest.raises(UnknownSeedError):
        personalized_pagerank(network, [3])
    with pytest.raises(AlgorithmError, match="damping"):
        personalized_pagerank(network, [0], damping=1.0)
    with pytest.raises(AlgorithmError, match="weights"):
        personalized_pagerank(network, [0], weights=[0.0])
    with pytest.raises(AlgorithmError, match="no type"):
        TypedNetwork.of_multiplexes([])
    with pytest.raises(AlgorithmError, match="layer jump"):
        TypedNetwork.of_multiplexes([Multiplex(layer, layer_jump=2.0)])
    with pytest.raises(AlgorithmError, match="layer shares"):
        TypedNetwork.of_multiplexes([Multiplex(layer, layer_shares=(0.5,))])
    with pytest.raises(AlgorithmError, match="layer shares"):
        TypedNetwork.of_multiplexes([Multiplex(layer, layer_shares=(float("nan"),))])
    with pytest.raises(AlgorithmError, match="weights"):
        personalized_pagerank(network, [0], weights=[float("nan")])
    with pytest.raises(AlgorithmError, match="two different types"):
        TypedNetwork.of_multiplexes([Multiplex(layer)], [Bipartite((0, 0), [0], [1])])
    with pytest.raises(AlgorithmError, match="do not have"):
        TypedNetwork.of_multiplexes([Multiplex(layer), Multiplex(layer)], [Bipartite((0, 1), [9], [1])])
    with pytest.raises(AlgorithmError, match="types of shape"):
        TypedNetwork.of_node_types(network, [0])
    with pytest.raises(DeadlineExceededError):
        random_walk_with_restart(network, [0], budget=Budget(seconds=0))
