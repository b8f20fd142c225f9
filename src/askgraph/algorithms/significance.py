"""Whether what some seeds show is more than any seeds would: draws of random seeds, and what is found for them.

Seeds of like degree guard against the pull of hubs: E. Guney, J. Menche, M. Vidal, A.-L. Barabási, "Network-based in
silico drug efficacy screening", Nature Communications 7, 2016, "Methods" (bins of degrees with at least 100 nodes).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.budget import Budget
from ..core.errors import AlgorithmError
from .network import Network

Integers = NDArray[np.int64]

SMALLEST_BIN: Final = 100
"""Nodes of neighbouring degrees are put together until a bin has so many."""


@dataclass(frozen=True, slots=True)
class Significance:
    """A figure beside what chance gives.

    Attributes:
        observed: of the seeds.
        mean: over the random draws.
        deviation: the standard deviation over the draws.
        z_score: deviations above the mean; ``None`` where all draws are equal.
        p_value: the share of draws with as much or more, the seeds counted among the draws, so that it is never 0.
        draws: how many there were.
    """

    observed: float
    mean: float
    deviation: float
    z_score: float | None
    p_value: float
    draws: int


def uniform_seeds(network: Network, seeds: ArrayLike, draws: int, *, seed: int = 0) -> Integers:
    """Random node sets as large as the seeds, every node as likely; shape ``(draws, seeds)``.

    Raises as :func:`degree_matched_seeds`.
    """
    chosen = network.seeds(seeds)
    _check_draws(draws)
    lot = np.random.default_rng(seed)
    rows = [np.sort(lot.choice(network.node_count, len(chosen), replace=False)) for _ in range(draws)]
    return np.array(rows, dtype=np.int64).reshape(draws, len(chosen))


def degree_matched_seeds(
    network: Network, seeds: ArrayLike, draws: int, *, smallest_bin: int = SMALLEST_BIN, seed: int = 0
) -> Integers:
    """Random node sets in which each seed is replaced by a node of like degree; shape ``(draws, seeds)``.

    Nodes of one degree are always in one bin. Within a draw no node comes twice.

    Raises:
        UnknownSeedError: there are no seeds, or some are not in the network.
        AlgorithmError: ``draws`` or ``smallest_bin`` is below 1.
    """
    chosen = network.seeds(seeds)
    _check_draws(draws)
    if smallest_bin < 1:
        raise AlgorithmError(f"a bin has one node or more, not {smallest_bin}")
    bins = _bins_of_degrees(network.degrees(), smallest_bin)
    wanted = np.bincount(bins[chosen])
    members = [np.flatnonzero(bins == number) for number in range(len(wanted))]
    lot = np.random.default_rng(seed)
    rows = [
        np.sort(
            np.concatenate(
                [
                    lot.choice(members[number], size, replace=False)
                    for number, size in enumerate(wanted.tolist())
                    if size
                ]
            )
        )
        for _ in range(draws)
    ]
    return np.array(rows, dtype=np.int64).reshape(draws, len(chosen))


def compare_with_chance(
    statistic: Callable[[Integers], float],
    seeds: ArrayLike,
    random_seeds: Integers,
    *,
    budget: Budget | None = None,
) -> Significance:
    """A figure of the seeds beside that of each random draw.

    Args:
        statistic: gives the figure of a set of nodes (the size of its largest component, say).
        seeds: the nodes in question.
        random_seeds: of :func:`degree_matched_seeds` or :func:`uniform_seeds`.
        budget: its time is kept.

    Raises:
        AlgorithmError: there are no draws.
        DeadlineExceededError: the time is up.
    """
    _check_draws(len(random_seeds))
    observed = float(statistic(np.asarray(seeds, dtype=np.int64)))
    figures = []
    for row in random_seeds:
        if budget is not None:
            budget.check("comparing with random seeds")
        figures.append(float(statistic(row)))
    mean = math.fsum(figures) / len(figures)
    deviation = math.sqrt(math.fsum((figure - mean) ** 2 for figure in figures) / len(figures))
    as_much = sum(figure >= observed for figure in figures)
    return Significance(
        observed=observed,
        mean=mean,
        deviation=deviation,
        z_score=(observed - mean) / deviation if deviation > 0 else None,
        p_value=(1 + as_much) / (1 + len(figures)),
        draws=len(figures),
    )


def _bins_of_degrees(degrees: Integers, smallest: int) -> Integers:
    """For each node its bin, numbered by rising degree; the last one takes what is left over."""
    values, places, sizes = np.unique(degrees, return_inverse=True, return_counts=True)
    bin_of_value = np.zeros(len(values), dtype=np.int64)
    number, filled, left = 0, 0, int(sizes.sum())
    for place, size in enumerate(sizes.tolist()):
        bin_of_value[place] = number
        filled, left = filled + size, left - size
        if filled >= smallest and left >= smallest:
            number, filled = number + 1, 0
    return bin_of_value[places]


def _check_draws(draws: int) -> None:
    if draws < 1:
        raise AlgorithmError("at least one random draw is needed")
