"""The published procedures written down as they read, in sets and fractions: slow, and an oracle."""

from __future__ import annotations

import math
from fractions import Fraction

import networkx

from askgraph.algorithms import Network


def graph_of(network: Network) -> networkx.Graph:
    graph = networkx.Graph()
    graph.add_nodes_from(range(network.node_count))
    for node in range(network.node_count):
        graph.add_edges_from((node, int(other)) for other in network.neighbors_of(node))
    graph.add_edges_from((int(node), int(node)) for node in network.loops)
    return graph


def upper_tail(observed: int, draws: int, marked: int, population: int) -> Fraction:
    draws = min(draws, population)  # a self-loop counts two in a degree
    ways = sum(
        math.comb(marked, x) * math.comb(population - marked, draws - x)
        for x in range(max(observed, 0), min(draws, marked) + 1)
    )
    return Fraction(ways, math.comb(population, draws))


def diamond_step(graph: networkx.Graph, module: set[int]) -> tuple[Fraction, set[int]] | None:
    """The smallest p-value of all outside neighbours, and who has it."""
    found: dict[int, Fraction] = {}
    for node in sorted({other for member in module for other in graph[member]} - module):
        links = sum(other in module for other in graph[node])
        found[node] = upper_tail(links, graph.degree(node), len(module), graph.number_of_nodes())
    if not found:
        return None
    best = min(found.values())
    return best, {node for node, p in found.items() if p == best}


def diamond_step_with_alpha(
    graph: networkx.Graph, seeds: set[int], module: set[int], alpha: int
) -> tuple[Fraction, set[int]] | None:
    """The same where every seed is drawn as ``alpha`` nodes, each with all of the seed's links."""
    wide = networkx.Graph()
    for one, other in graph.edges:
        for a in range(alpha if one in seeds else 1):
            for b in range(alpha if other in seeds else 1):
                wide.add_edge((one, a), (other, b))
    wide.add_nodes_from((node, a) for node in graph for a in range(alpha if node in seeds else 1))
    marked = {node for node in wide if node[0] in module}
    found: dict[int, Fraction] = {}
    for node in sorted({other for member in marked for other in wide[member]} - marked):
        links = sum(other in marked for other in wide[node])
        found[node[0]] = upper_tail(links, wide.degree(node), len(marked), wide.number_of_nodes())
    if not found:
        return None
    best = min(found.values())
    return best, {node for node, p in found.items() if p == best}


def c3_single(graph: networkx.Graph, module: set[int]) -> tuple[Fraction, set[int]] | None:
    """The smallest p-value of a single connector, and who has it."""
    parts = list(networkx.connected_components(graph.subgraph(module)))
    population = graph.number_of_nodes() - len(module) + len(parts)
    found: dict[int, Fraction] = {}
    for node in sorted({other for member in module for other in graph[member]} - module):
        touched = sum(any(other in part for other in graph[node]) for part in parts)
        links = graph.degree(node) - sum(other in module for other in graph[node]) + touched
        found[node] = upper_tail(touched, links, len(parts), population)
    if not found:
        return None
    best = min(found.values())
    return best, {node for node, p in found.items() if p == best}


def c3_pair(graph: networkx.Graph, module: set[int]) -> tuple[Fraction, set[frozenset[int]]] | None:
    """The smallest p-value of two linked connectors, the first next to the module, and which pairs have it."""
    parts = list(networkx.connected_components(graph.subgraph(module)))
    population = graph.number_of_nodes() - len(module) + len(parts)
    found: dict[frozenset[int], Fraction] = {}
    for node in sorted({other for member in module for other in graph[member]} - module):
        for other in set(graph[node]) - module - {node}:
            ends = (node, other)
            touched = sum(any(near in part for end in ends for near in graph[end]) for part in parts)
            inside = sum(near in module for end in ends for near in graph[end])
            links = graph.degree(node) + graph.degree(other) - 2 - inside + touched
            found[frozenset(ends)] = upper_tail(touched, links, len(parts), population)
    if not found:
        return None
    best = min(found.values())
    return best, {pair for pair, p in found.items() if p == best}
