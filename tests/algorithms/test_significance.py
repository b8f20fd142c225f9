from __future__ import annotations

import numpy as np
import pytest

from askgraph.algorithms import (
    Network,
    compare_with_chance,
    degree_matched_seeds,
    largest_component_size,
    uniform_seeds,
)
from askgraph.core.budget import Budget
from askgraph.core.errors import AlgorithmError, DeadlineExceededError, UnknownSeedError


def with_module(seed: int = 0) -> Network:
    """Two thousand nodes at random, of which the first thirty are linked in a ring besides."""
    lot = np.random.default_rng(seed)
    ends = lot.integers(0, 2_000, (2, 5_000))
    ring = np.arange(30)
    return Network.from_edges(
        2_000, np.concatenate([ends[0], ring]), np.concatenate([ends[1], (ring + 1) % 30])
    )


def test_a_planted_module_hangs_together_more_than_chance() -> None:
    network = with_module()
    draws = degree_matched_seeds(network, range(30), 200, seed=1)
    found = compare_with_chance(lambda nodes: largest_component_size(network, nodes), range(30), draws)
    assert found.observed == 30
    assert found.z_score is not None
    assert found.z_score > 10
    assert found.p_value == pytest.approx(1 / 201)


def test_random_seeds_are_no_module() -> None:
    network = with_module()
    seeds = np.random.default_rng(9).choice(np.arange(30, 2_000), 30, replace=False)
    draws = degree_matched_seeds(network, seeds, 100)
    found = compare_with_chance(lambda nodes: largest_component_size(network, nodes), seeds, draws)
    assert found.p_value > 0.01


def test_matched_seeds_have_the_degrees_of_the_seeds() -> None:
    lot = np.random.default_rng(2)
    hubs = np.concatenate([np.repeat(np.arange(20), 200), lot.integers(0, 4_000, 4_000)])
    network = Network.from_edges(4_000, hubs, lot.integers(0, 4_000, len(hubs)))
    degrees = network.degrees()
    seeds = [0, 1, 2, *range(100, 120)]
    matched = degree_matched_seeds(network, seeds, 50, smallest_bin=20, seed=3)
    assert matched.shape == (50, len(seeds))
    assert all(len(set(row)) == len(seeds) for row in matched.tolist())
    observed = degrees[seeds].mean()
    assert degrees[matched].mean() == pytest.approx(observed, rel=0.2)
    assert degrees[uniform_seeds(network, seeds, 50)].mean() < observed / 2


def test_the_same_seed_draws_the_same() -> None:
    network = with_module()
    for draw in (uniform_seeds, degree_matched_seeds):
        assert draw(network, [1, 5, 9], 5, seed=4).tolist() == draw(network, [1, 5, 9], 5, seed=4).tolist()
        assert draw(network, [1, 5, 9], 5, seed=4).tolist() != draw(network, [1, 5, 9], 5, seed=5).tolist()


def test_figures_that_are_all_the_same_have_no_z_score() -> None:
    network = with_module()
    found = compare_with_chance(lambda nodes: 1.0, [1, 2], uniform_seeds(network, [1, 2], 10))
    assert found.z_score is None
    assert found.p_value == 1.0


def test_seeds_that_are_the_whole_network_match_themselves() -> None:
    network = Network.from_edges(5, [0, 1, 2], [1, 2, 3])
    assert degree_matched_seeds(network, range(5), 3).tolist() == [[0, 1, 2, 3, 4]] * 3


def test_bad_input_is_said() -> None:
    network = with_module()
    with pytest.raises(AlgorithmError, match="random draw"):
        uniform_seeds(network, [1], 0)
    with pytest.raises(AlgorithmError, match="bin"):
        degree_matched_seeds(network, [1], 1, smallest_bin=0)
    with pytest.raises(UnknownSeedError):
        degree_matched_seeds(network, [], 1)
    with pytest.raises(DeadlineExceededError):
        compare_with_chance(lambda nodes: 1.0, [1], uniform_seeds(network, [1], 2), budget=Budget(seconds=0))
