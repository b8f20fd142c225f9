from __future__ import annotations

import json

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askgraph.algorithms import Network, c3
from askgraph.core.budget import Budget
from askgraph.core.errors import AlgorithmError, DeadlineExceededError, UnknownSeedError

from .naive import c3_pair, c3_single, graph_of
from .networks import networks
from .published import folder, published


@pytest.mark.parametrize("name", ["example", "synth_small", "synth_medium", "synth_interactome"])
def test_the_connectors_are_those_of_the_reference(name: str) -> None:
    case = published(name)
    reference = json.loads((folder(name) / "c3_ref2019.json").read_text(encoding="utf-8"))
    found = c3(case.network, case.seeds)
    names = [case.names[node] for node in found.nodes]
    # Its order among ties is that of a set, and within a pair as well.
    assert sorted(names) == sorted(reference["added_in_order"])
    assert found.components == reference["seed_components"]
    assert found.components_left == reference["components_after"]
    assert len(found.largest) == reference["lcc_size"]
    seeds_within = [case.names[node] for node in set(found.largest.tolist()) & set(case.seeds)]
    assert sorted(seeds_within) == sorted(reference["seeds_in_lcc"])


def test_until_a_tie_or_a_pair_the_order_is_that_of_the_reference() -> None:
    case = published("synth_medium")
    reference = json.loads((folder("synth_medium") / "c3_ref2019.json").read_text(encoding="utf-8"))
    found = c3(case.network, case.seeds)
    certain = next(
        (place for place, step in enumerate(found.steps) if step.ties > 1 or len(step.nodes) > 1),
        len(found.steps),
    )
    names = [case.names[node] for step in found.steps[:certain] for node in step.nodes]
    assert certain > 3
    assert names == reference["added_in_order"][: len(names)]


@settings(max_examples=150)
@given(networks(least=3, loops=False), st.data())
def test_a_single_connector_is_the_one_of_the_smallest_exact_p_value(
    network: Network, data: st.DataObject
) -> None:
    graph = graph_of(network)
    module = data.draw(st.sets(st.integers(0, network.node_count - 1), min_size=1))
    found = c3(network, sorted(module), significance=0.6, most_nodes=1)
    before = networkx.number_connected_components(graph.subgraph(module))
    assert found.components == before
    if not found.steps:
        expected = c3_single(graph, module)
        if expected is not None and before > 1 and expected[0] < 0.6:
            # It is significant, and joins nothing.
            joined = [
                networkx.number_connected_components(graph.subgraph(module | {node})) for node in expected[1]
            ]
            assert before in joined
        return
    step = found.steps[0]
    expected = c3_single(graph, module)
    assert expected is not None
    assert step.p_value == pytest.approx(float(expected[0]), rel=1e-10)
    assert step.nodes[0] in expected[1]
    after = networkx.number_connected_components(graph.subgraph(module | {step.nodes[0]}))
    assert step.components == found.components_left == after < before


@settings(max_examples=150)
@given(networks(least=4, most=20), st.data())
def test_each_step_is_the_best_of_all_that_could_be_added_to_the_module_as_it_has_grown(
    network: Network, data: st.DataObject
) -> None:
    graph = graph_of(network)
    module = data.draw(st.sets(st.integers(0, network.node_count - 1), min_size=2))
    for step in c3(network, sorted(module), significance=0.9).steps:
        single = c3_single(graph, module)
        before = networkx.number_connected_components(graph.subgraph(module))
        if len(step.nodes) == 1:
            best, tied = single if single is not None else (None, set())
            assert step.nodes[0] in tied
        else:
            best, pairs = c3_pair(graph, module) or (None, set())
            assert frozenset(step.nodes) in pairs
            joining = {
                node
                for node in (single[1] if single is not None and single[0] < 0.9 else ())
                if networkx.number_connected_components(graph.subgraph(module | {node})) < before
            }
            assert not joining or len(joining) < len(single[1] if single is not None else ())
        assert best is not None
        assert step.p_value == pytest.approx(float(best), rel=1e-9)
        module |= set(step.nodes)
        assert step.components == networkx.number_connected_components(graph.subgraph(module)) < before


@settings(max_examples=25)
@given(st.integers(0, 10_000))
def test_a_module_in_many_components_grows_as_if_each_step_began_anew(seed: int) -> None:
    lot = np.random.default_rng(seed)
    network = Network.from_edges(600, *lot.integers(0, 600, (2, 900)))
    module = lot.choice(600, 150, replace=False).tolist()
    found = c3(network, module)
    assert found.components > 64  # more than one word of bits
    for step in found.steps:
        anew = c3(network, module, most_nodes=len(step.nodes)).steps
        assert anew[0] == step
        module += step.nodes


def test_two_linked_nodes_connect_what_one_cannot() -> None:
    # 0 - 1 - 2 - 3: seeds at the ends, in a network large enough for that to be no chance.
    network = Network.from_edges(200, [0, 1, 2], [1, 2, 3])
    found = c3(network, [0, 3])
    assert [step.nodes for step in found.steps] == [(1, 2)]
    assert (found.components, found.components_left) == (2, 1)
    assert found.largest.tolist() == [0, 1, 2, 3]


def test_more_components_than_fit_a_word_of_bits() -> None:
    # 130 leaves around one node, and a far pair that joins two more.
    leaves = list(range(1, 131))
    network = Network.from_edges(2_000, [0] * 130, leaves)
    found = c3(network, leaves)
    assert found.components == 130
    assert [step.nodes for step in found.steps] == [(0,)]
    assert found.components_left == 1


def test_nothing_significant_adds_nothing() -> None:
    case = published("edge_cases")
    found = c3(case.network, case.seeds)
    assert not found.steps
    assert found.components == found.components_left == 2


def test_isolated_nodes_and_a_module_that_is_whole_are_left_as_they_are() -> None:
    network = Network.from_edges(5, [0, 1], [1, 2])
    assert c3(network, [3, 4]).components_left == 2
    assert c3(network, [0, 1, 2]).components == 1
    assert c3(network, range(5)).largest.tolist() == [0, 1, 2]


def test_no_more_nodes_are_added_than_allowed() -> None:
    case = published("synth_medium")
    assert len(c3(case.network, case.seeds, most_nodes=5).nodes) == 5
    assert len(c3(case.network, case.seeds, most_nodes=0).nodes) == 0


def test_bad_input_is_said() -> None:
    network = Network.from_edges(3, [0], [1])
    with pytest.raises(AlgorithmError, match="significance"):
        c3(network, [0], significance=0)
    with pytest.raises(AlgorithmError, match="significance"):
        c3(network, [0], significance=float("nan"))
    with pytest.raises(AlgorithmError, match="most nodes"):
        c3(network, [0, 2], most_nodes=-1)
    with pytest.raises(UnknownSeedError):
        c3(network, [7])
    with pytest.raises(UnknownSeedError):
        c3(Network.from_edges(0, [], []), [])
    with pytest.raises(DeadlineExceededError):
        c3(network, [0, 2], budget=Budget(seconds=0))


def test_a_part_of_a_network_is_judged_by_the_population_of_the_whole() -> None:
    part = Network.from_edges(5, [0, 0, 1, 3], [2, 3, 2, 4])
    whole = Network.from_edges(500, [0, 0, 1, 3], [2, 3, 2, 4])
    assert c3(part, [0, 1], population=500).steps == c3(whole, [0, 1]).steps
    with pytest.raises(AlgorithmError, match="population"):
        c3(part, [0, 1], population=4)
