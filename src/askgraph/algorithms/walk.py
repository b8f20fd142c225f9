"""Random walk with restart, on one network or on typed layers.

Monoplex: H. Tong, C. Faloutsos, J.-Y. Pan, "Fast Random Walk with Restart and Its Applications", ICDM 2006. Multiplex
and heterogeneous: A. Valdeolivas et al., "Random walk with restart on multiplex and heterogeneous biological networks",
Bioinformatics 35(3), 2019; any number of types: A. Baptista, A. Gonzalez, A. Baudot, "Universal multilayer network
exploration by random walk with restart", Communications Physics 5, 2022 (MultiXrank), whose parameters and defaults
are used here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.budget import Budget
from ..core.errors import AlgorithmError
from .network import Network, checked_seeds
from .transition import Transition
from .typed_network import TypedNetwork

Floats = NDArray[np.float64]

DEFAULT_RESTART: Final = 0.7
"""The probability of going back to the seeds at each step (MultiXrank's r)."""

TOLERANCE: Final = 1e-10
"""The walk ends when the Euclidean length of the change is below this, as MultiXrank's does."""

_MOST_STEPS: Final = 10_000


@dataclass(frozen=True, slots=True, eq=False)
class WalkResult:
    """Where the walker is in the long run.

    Attributes:
        scores: for each node the probability, shape ``(nodes)``; they add up to 1.
        steps: products that were needed.
    """

    scores: Floats
    steps: int


def random_walk_with_restart(
    network: Network | Transition,
    seeds: ArrayLike,
    *,
    restart: float = DEFAULT_RESTART,
    tolerance: float = TOLERANCE,
    budget: Budget | None = None,
) -> WalkResult:
    """Walk along edges by their weights, and go back to a seed (each as likely) with a fixed probability.

    A walker that can go nowhere goes back to the seeds. Self-loops are not walked.

    Args:
        network: a network, or :meth:`Transition.of_network` of one that is walked often.
        seeds: numbers of nodes.
        restart: from above 0 to 1.
        tolerance: see :data:`TOLERANCE`.
        budget: its time is kept.

    Raises:
        UnknownSeedError: there are no seeds, or some are not in the network.
        AlgorithmError: ``restart`` is out of range.
        DeadlineExceededError: the time is up.
    """
    transition = Transition.of_network(network) if isinstance(network, Network) else network
    start = np.zeros(transition.size)
    start[checked_seeds(seeds, transition.size)] = 1.0
    return walk(transition, start / start.sum(), restart=restart, tolerance=tolerance, budget=budget)


def walk_typed_network(
    network: TypedNetwork,
    seeds: ArrayLike,
    *,
    restart: float = DEFAULT_RESTART,
    shares: Sequence[float] | None = None,
    tolerance: float = TOLERANCE,
    budget: Budget | None = None,
) -> WalkResult:
    """Walk a network of several types of nodes, each with one layer of edges or more.

    Args:
        network: with the probabilities of going from type to type (MultiXrank's lambda, delta and tau).
        seeds: numbers of nodes, of any types.
        restart: from above 0 to 1.
        shares: of the restarts, for each type (MultiXrank's eta); equal ones otherwise. What falls to a type without a
            seed is spread over the others.
        tolerance: see :data:`TOLERANCE`.
        budget: its time is kept.

    Returns:
        The scores of the nodes, summed over layers.

    Raises:
        UnknownSeedError: there are no seeds, or some are not in the network.
        AlgorithmError: a parameter is out of range.
        DeadlineExceededError: the time is up.
    """
    chosen = checked_seeds(seeds, network.node_count)
    start = network.restart_vector(chosen, shares)
    found = walk(network.transition, start, restart=restart, tolerance=tolerance, budget=budget)
    return WalkResult(network.scores_of_nodes(found.scores), found.steps)


def walk(
    transition: Transition,
    start: Floats,
    *,
    restart: float = DEFAULT_RESTART,
    tolerance: float = TOLERANCE,
    budget: Budget | None = None,
) -> WalkResult:
    """The fixed point of ``p = (1 - restart) W p + restart start``, by iteration from ``start``.

    Raises as :func:`random_walk_with_restart`.
    """
    if not 0 < restart <= 1:
        raise AlgorithmError(f"the probability of a restart is above 0 and at most 1, not {restart}")
    if not tolerance > 0:
        raise AlgorithmError(f"the tolerance is above 0, not {tolerance}")
    scores, dead_ends, rows = start, transition.dead_ends, None
    going = 1.0 - restart
    for step in range(1, _MOST_STEPS + 1):
        if budget is not None:
            budget.check("walking the graph")
        if rows is None and not transition.reaches_few(scores):
            # From here on everything stands in the order in which products are fast.
            rows = transition.sorted_rows
            scores, start, dead_ends = scores[rows.order], start[rows.order], rows.numbers[dead_ends]
        following = transition.times_sparse(scores) if rows is None else rows.times(scores)
        stuck = float(scores[dead_ends].sum()) if len(dead_ends) else 0.0
        following *= going
        following += (restart + going * stuck) * start
        # Not by a library of linear algebra, whose sums depend on the number of threads.
        change = math.sqrt(float(np.square(following - scores).sum()))
        scores = following
        if change < tolerance:
            return WalkResult(scores if rows is None else rows.in_place_order(scores), step)
    raise AlgorithmError(
        f"the walk did not settle within {_MOST_STEPS} steps",
        advice="Take a higher restart probability or a larger tolerance.",
    )
