"""Graph algorithms on arrays: what grows a subgraph out of a few nodes, walks it, divides it, and finds paths in it.

They know nothing of stores, names or questions. Nodes are numbers from 0; a network is a
:class:`~askgraph.algorithms.network.Network` (compressed sparse rows), made from edges or from the adjacency of a
graph. Same input, same output: ties are broken by a rule that each function states, and what is drawn by lot is drawn
from a seed.
"""

from __future__ import annotations

from .c3 import C3Result, C3Step, c3
from .communities import Community, Hierarchy, hierarchical_leiden
from .components import connected_components, largest_component_size
from .diamond import DiamondResult, DiamondStep, diamond
from .hypergeometric import log_upper_tail
from .network import Network
from .pagerank import personalized_pagerank
from .paths import Route, k_shortest_paths, shortest_path
from .significance import Significance, compare_with_chance, degree_matched_seeds, uniform_seeds
from .typed_network import Bipartite, Multiplex, TypedNetwork
from .walk import WalkResult, random_walk_with_restart, walk_typed_network

__all__ = [
    "Bipartite",
    "C3Result",
    "C3Step",
    "Community",
    "DiamondResult",
    "DiamondStep",
    "Hierarchy",
    "Multiplex",
    "Network",
    "Route",
    "Significance",
    "TypedNetwork",
    "WalkResult",
    "c3",
    "compare_with_chance",
    "connected_components",
    "degree_matched_seeds",
    "diamond",
    "hierarchical_leiden",
    "k_shortest_paths",
    "largest_component_size",
    "log_upper_tail",
    "personalized_pagerank",
    "random_walk_with_restart",
    "shortest_path",
    "uniform_seeds",
    "walk_typed_network",
]
