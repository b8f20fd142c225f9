"""Personalised PageRank.

L. Page, S. Brin, R. Motwani, T. Winograd, "The PageRank Citation Ranking: Bringing Order to the Web", Stanford InfoLab
1999-66, section 6.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from ..core.budget import Budget
from ..core.errors import AlgorithmError
from .network import Network, checked_seeds
from .transition import Transition
from .walk import TOLERANCE, WalkResult, walk

DEFAULT_DAMPING: Final = 0.85
"""The probability of going on, as in the paper."""


def personalized_pagerank(
    network: Network | Transition,
    seeds: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    damping: float = DEFAULT_DAMPING,
    tolerance: float = TOLERANCE,
    budget: Budget | None = None,
) -> WalkResult:
    """PageRank whose jumps lead to the seeds only. From a node without neighbours the next step is a jump.

    Args:
        network: a network, or :meth:`Transition.of_network` of one that is ranked often.
        seeds: numbers of nodes, without repeats where there are weights.
        weights: of the seeds, positive; equal ones otherwise.
        damping: the probability of going on, from 0 to below 1.
        tolerance: the ranking ends when the Euclidean length of the change is below this.
        budget: its time is kept.

    Raises:
        UnknownSeedError: there are no seeds, or some are not in the network.
        AlgorithmError: weights or damping are out of range.
        DeadlineExceededError: the time is up.
    """
    if not 0 <= damping < 1:
        raise AlgorithmError(f"the damping is from 0 to below 1, not {damping}")
    transition = Transition.of_network(network) if isinstance(network, Network) else network
    chosen = checked_seeds(seeds, transition.size)
    start = np.zeros(transition.size)
    if weights is None:
        start[chosen] = 1.0
    else:
        given = np.asarray(weights, dtype=np.float64)
        if given.shape != (len(chosen),) or not (np.isfinite(given) & (given > 0)).all():
            raise AlgorithmError(f"weights are {len(chosen)} positive numbers, one for each different seed")
        start[np.asarray(seeds, dtype=np.int64)] = given
    return walk(transition, start / start.sum(), restart=1 - damping, tolerance=tolerance, budget=budget)
