from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askgraph.algorithms import DiamondStep, Network, diamond
from askgraph.algorithms.diamond import MOST_TIED
from askgraph.core.budget import Budget
from askgraph.core.errors import AlgorithmError, DeadlineExceededError, UnknownSeedError

from .naive import diamond_step, diamond_step_with_alpha, graph_of
from .networks import networks
from .published import Published, folder, published, rows

REFERENCES = [
    ("example", "diamond_n100_alpha1.tsv"),
    ("example", "diamond_exhaust_alpha1.tsv"),
    ("synth_small", "diamond_n100_alpha1.tsv"),
    ("synth_medium", "diamond_n200_alpha1.tsv"),
    ("synth_interactome", "diamond_n200_alpha1.tsv"),
    ("edge_cases", "diamond_exhaust_alpha1.tsv"),
]


def next_step(case: Published, module: list[int]) -> DiamondStep:
    return diamond(case.network, module, steps=1).steps[0]


@pytest.mark.parametrize(("name", "file"), REFERENCES)
def test_every_step_of_the_reference_has_our_p_value_and_our_ties(name: str, file: str) -> None:
    case, reference = published(name), rows(folder(name) / file)
    numbers = case.numbers()
    # A replay of every step takes its time on the larger networks: there every third.
    stride = 3 if len(case.names) > 2_000 else 1
    for place in range(0, len(reference), stride):
        row = reference[place]
        module = case.seeds + [numbers[earlier["node"]] for earlier in reference[:place]]
        step = next_step(case, module)
        assert step.module_size == int(row["module_size"])
        assert step.p_value == pytest.approx(float(row["p_exact"]), rel=1e-9)
        assert step.ties == int(row["n_tied"])
        if step.ties <= 40:
            assert sorted(step.tied) == sorted(numbers[node] for node in row["tied"].split(","))


@pytest.mark.parametrize(("name", "file"), REFERENCES)
def test_up_to_the_first_tie_the_ranking_is_that_of_the_reference(name: str, file: str) -> None:
    case, reference = published(name), rows(folder(name) / file)
    untied = next((place for place, row in enumerate(reference) if int(row["n_tied"]) > 1), len(reference))
    found = diamond(case.network, case.seeds, steps=len(reference))
    assert [case.names[node] for node in found.nodes[:untied]] == [row["node"] for row in reference[:untied]]
    for step, row in zip(found.steps[:untied], reference[:untied], strict=True):
        assert (step.degree, step.links) == (int(row["k"]), int(row["kb"]))


def test_when_the_candidates_run_out_it_ends_where_the_reference_breaks() -> None:
    case = published("edge_cases")
    found = diamond(case.network, case.seeds, steps=200)
    assert found.ran_out
    assert len(found.steps) == len(rows(folder("edge_cases") / "diamond_exhaust_alpha1.tsv"))


@settings(max_examples=150)
@given(networks(least=2), st.data())
def test_each_step_is_the_smallest_exact_p_value_and_the_tie_goes_by_the_rule(
    network: Network, data: st.DataObject
) -> None:
    graph = graph_of(network)
    seeds = data.draw(st.sets(st.integers(0, network.node_count - 1), min_size=1))
    module = set(seeds)
    found = diamond(network, sorted(seeds), steps=network.node_count)
    for step in found.steps:
        expected = diamond_step(graph, module)
        assert expected is not None
        p, tied = expected
        assert step.p_value == pytest.approx(float(p), rel=1e-10)
        assert set(step.tied) == tied
        chosen = min(
            tied,
            key=lambda node: (
                -sum(other in module for other in graph[node]),
                min(graph.degree(node), network.node_count),
                node,
            ),
        )
        assert step.node == chosen
        module.add(step.node)
    assert found.ran_out
    assert diamond_step(graph, module) is None


@settings(max_examples=60)
@given(networks(least=3, loops=False), st.integers(2, 4), st.data())
def test_a_seed_of_weight_alpha_counts_as_so_many_nodes(
    network: Network, alpha: int, data: st.DataObject
) -> None:
    seeds = data.draw(st.sets(st.integers(0, network.node_count - 1), min_size=1, max_size=3))
    module, graph = set(seeds), graph_of(network)
    for step in diamond(network, sorted(seeds), steps=4, alpha=alpha).steps:
        expected = diamond_step_with_alpha(graph, seeds, module, alpha)
        assert expected is not None
        assert step.p_value == pytest.approx(float(expected[0]), rel=1e-10)
        assert step.node in expected[1]
        module.add(step.node)


def test_alpha_does_not_make_p_values_collapse() -> None:
    case = published("synth_medium")
    found = diamond(case.network, case.seeds, steps=100, alpha=10)
    assert len(found.steps) == 100
    assert all(step.p_value > 0 for step in found.steps)


def test_p_values_below_the_smallest_double_still_rank() -> None:
    # Two nodes with very many links into a large module, and one more link each than the other outside.
    module = list(range(600))
    edges = [(600, node) for node in module] + [(601, node) for node in module[:599]]
    edges += [(node, node + 1) for node in range(700, 9_000)] + [(600, 700), (601, 701), (601, 702)]
    network = Network.from_edges(9_001, [one for one, _ in edges], [other for _, other in edges])
    first, second = diamond(network, module, steps=2).steps
    assert (first.node, second.node) == (600, 601)
    assert first.p_value == 0.0
    assert -math.inf < first.log_p_value < second.log_p_value < -700


def test_many_ties_are_counted_and_not_listed() -> None:
    star = Network.from_edges(300, [0] * 299, list(range(1, 300)))
    step = diamond(star, [0], steps=1).steps[0]
    assert (step.node, step.ties, step.tied) == (1, 299, ())
    assert step.ties > MOST_TIED


def test_seeds_that_are_the_whole_network_have_no_candidates() -> None:
    found = diamond(Network.from_edges(3, [0, 1], [1, 2]), [0, 1, 2])
    assert (found.steps, found.ran_out, found.tied_steps) == ((), True, 0)
    assert found.nodes.shape == (0,)


def test_isolated_seeds_add_nothing() -> None:
    found = diamond(Network.from_edges(4, [0], [1]), [2, 3])
    assert found.ran_out
    assert not found.steps


def test_an_empty_layer_is_an_unknown_seed() -> None:
    empty = Network.from_edges(0, [], [])
    with pytest.raises(UnknownSeedError, match="1 of 1 seeds"):
        diamond(empty, [0])
    with pytest.raises(UnknownSeedError, match="no seeds"):
        diamond(empty, [])


@pytest.mark.parametrize("seeds", [[-1], [3], [0, 99], ["0"], [[0, 1]], [0.5]])
def test_unknown_seeds_are_said(seeds: list[object]) -> None:
    with pytest.raises(UnknownSeedError):
        diamond(Network.from_edges(3, [0], [1]), seeds)  # type: ignore[arg-type]


@pytest.mark.parametrize("options", [{"steps": -1}, {"alpha": 0}])
def test_parameters_out_of_range_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(AlgorithmError):
        diamond(Network.from_edges(3, [0], [1]), [0], **options)  # type: ignore[arg-type]


def test_its_time_is_kept() -> None:
    with pytest.raises(DeadlineExceededError, match="growing a module"):
        diamond(Network.from_edges(3, [0, 1], [1, 2]), [0], budget=Budget(seconds=0))


def test_no_steps_asked_is_no_step() -> None:
    assert not diamond(Network.from_edges(3, [0], [1]), [0], steps=0).ran_out


def test_hubs_are_counted_like_any_node() -> None:
    lot = np.random.default_rng(4)
    hub = np.arange(1, 20_000)
    network = Network.from_edges(
        20_000,
        np.concatenate([np.zeros(len(hub), dtype=np.int64), lot.integers(1, 20_000, 60_000)]),
        np.concatenate([hub, lot.integers(1, 20_000, 60_000)]),
    )
    found = diamond(network, lot.choice(np.arange(1, 20_000), 40, replace=False), steps=30)
    assert 0 not in found.nodes[:5]
    assert len(found.steps) == 30


def test_a_part_of_a_network_is_judged_by_the_population_of_the_whole() -> None:
    part = Network.from_edges(5, [0, 0, 1, 3], [2, 3, 2, 4])
    whole = Network.from_edges(500, [0, 0, 1, 3], [2, 3, 2, 4])
    assert diamond(part, [0, 1], population=500).steps == diamond(whole, [0, 1]).steps
    with pytest.raises(AlgorithmError, match="population"):
        diamond(part, [0, 1], population=4)
