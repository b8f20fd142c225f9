"""What a selected subgraph is worth, without a model: what of the hidden neighbours of a node it brings back.

    python benchmarks/subgraphs.py hetionet.graph [--layer Gene] [--samples 30]
    python benchmarks/subgraphs.py --planted

Of a node with many neighbours of one type 30 % of these are hidden: the edges to them are taken out of the graph. Then
the graph is cut to that node, and it is counted how many of the hidden ones come back among so many added nodes, for
each nested subgraph, for a plain personalised PageRank of the same size, and by chance: DIAMOnD from random nodes of
the same degrees, and from any nodes. What a method adds is counted without the neighbours that were left.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from askgraph import Graph, Settings, open_graph
from askgraph.algorithms import (
    Network,
    TypedNetwork,
    c3,
    degree_matched_seeds,
    diamond,
    personalized_pagerank,
    uniform_seeds,
    walk_typed_network,
)

Integers = NDArray[np.int64]
HIDDEN = 0.3
SIZES = (50, 200, 1_000)
METHODS = ("DIAMOnD", "DIAMOnD + C3", "full (walk behind)", "PageRank", "like degrees", "any nodes")


class Trial:
    """A node whose neighbours are partly hidden.

    Args:
        network: all nodes and edges.
        types: of the nodes.
        node: the one that is asked about.
        layer: the type of the neighbours.
        lot: draws what is hidden.
    """

    def __init__(
        self, network: Network, types: Integers, node: int, layer: int, lot: np.random.Generator
    ) -> None:
        around = network.neighbors_of(node)
        neighbours = around[types[around] == layer]
        self.hidden = np.sort(lot.choice(neighbours, max(1, round(HIDDEN * len(neighbours))), replace=False))
        self.node, self.types = node, types
        ends = np.repeat(np.arange(network.node_count), np.diff(network.offsets))
        once = ends < network.neighbors
        one, other = ends[once], network.neighbors[once]
        cut = ((one == node) & np.isin(other, self.hidden)) | ((other == node) & np.isin(one, self.hidden))
        self.network = Network.from_edges(network.node_count, one[~cut], other[~cut])
        self.rows = np.flatnonzero(types == layer)
        self.layer = self.network.induced(self.rows)
        left = self.network.neighbors_of(node)
        self.seeds = left[types[left] == layer]
        self.number = int(lot.integers(2**31))

    def ranked(self, method: str, most: int) -> Integers:
        """What a method adds, in order, at most so many nodes."""
        places = np.searchsorted(self.rows, self.seeds)
        if method == "like degrees":
            places = degree_matched_seeds(self.layer, places, 1, seed=self.number)[0]
        elif method == "any nodes":
            places = uniform_seeds(self.layer, places, 1, seed=self.number)[0]
        if method == "PageRank":
            scores = personalized_pagerank(self.network, [self.node]).scores
            return self._best(scores, np.append(self.seeds, self.node), most)
        added = self.rows[diamond(self.layer, places, steps=most).nodes]
        if method in ("DIAMOnD", "like degrees", "any nodes"):
            return added
        # Each step takes its share of the same number of nodes.
        first = added[: most // 2]
        joined = np.union1d(self.seeds, first)
        linked = self.rows[c3(self.layer, np.searchsorted(self.rows, joined), most_nodes=most // 4).nodes]
        chosen = np.concatenate([first, linked])
        if method == "DIAMOnD + C3":
            rest = added[most // 2 :]
            return np.concatenate([chosen, rest[~np.isin(rest, chosen)]])[:most]
        start = np.concatenate([[self.node], self.seeds, chosen])
        scores = walk_typed_network(TypedNetwork.of_node_types(self.network, self.types), start).scores
        return np.concatenate([chosen, self._best(scores, start, most - len(chosen))])

    def _best(self, scores: NDArray[np.float64], without: Integers, most: int) -> Integers:
        inside = self.rows[~np.isin(self.rows, without)]
        order = np.lexsort((inside, -np.round(scores[inside], 15)))[:most]
        best: Integers = inside[order]
        return best

    def recall(self, ranked: Integers, size: int) -> float:
        """The share of the hidden nodes among the first so many."""
        return float(np.isin(self.hidden, ranked[:size]).mean())


def trials(network: Network, types: Integers, layer: int, samples: int) -> Iterator[Trial]:
    """Trials for nodes of other types with at least twenty neighbours in the layer."""
    lot = np.random.default_rng(1)
    is_inside = (types == layer).astype(np.int64)
    counts = np.add.reduceat(np.append(is_inside[network.neighbors], 0), network.offsets[:-1])
    counts[np.diff(network.offsets) == 0] = 0
    fits = np.flatnonzero((counts >= 20) & (counts <= 500) & (types != layer))
    for node in np.sort(lot.choice(fits, min(samples, len(fits)), replace=False)).tolist():
        yield Trial(network, types, node, layer, lot)


def measure(name: str, network: Network, types: Integers, layer: int, samples: int) -> None:
    """One table: methods by sizes."""
    found: dict[str, list[Sequence[float]]] = {method: [] for method in METHODS}
    done = 0
    for trial in trials(network, types, layer, samples):
        done += 1
        for method in METHODS:
            found[method].append(
                [trial.recall(trial.ranked(method, min(size, len(trial.rows))), size) for size in SIZES]
            )
    print(f"# {name}: {done} nodes, {HIDDEN:.0%} of their neighbours hidden; share that comes back")
    print(f"{'':<22}" + "".join(f"{size:>8}" for size in SIZES))
    for method, rows in found.items():
        means = np.array(rows).mean(axis=0)
        print(f"{method:<22}" + "".join(f"{mean:>8.1%}" for mean in means), flush=True)


def planted(seed: int = 3) -> tuple[Network, Integers]:
    """20,000 genes in groups of 60, with hubs; 200 diseases that have genes of one group and some by lot."""
    lot = np.random.default_rng(seed)
    genes, diseases, size = 20_000, 200, 60
    pull = 1.0 / np.arange(1, genes + 1) ** 0.6
    pull = lot.permutation(pull / pull.sum())
    ends = lot.choice(genes, (2, 600_000), p=pull)
    kept = (ends[0] // size == ends[1] // size) | (lot.random(600_000) < 0.3)
    inside = lot.integers(0, genes, 60_000)
    near = inside // size * size + lot.integers(0, size, 60_000)
    near = np.minimum(near, genes - 1)
    sources, targets = [ends[0][kept], inside], [ends[1][kept], near]
    for disease in range(diseases):
        group = int(lot.integers(genes // size)) * size
        own = np.concatenate(
            [group + lot.choice(size, 30, replace=False), lot.choice(genes, 10, replace=False)]
        )
        sources.append(np.full(len(own), genes + disease))
        targets.append(own)
    network = Network.from_edges(genes + diseases, np.concatenate(sources), np.concatenate(targets))
    return network, np.repeat([0, 1], [genes, diseases])


def of_graph(graph: Graph, layer: str) -> tuple[Network, Integers, int]:
    """The network of an open graph, the types of its nodes, and the number of a type."""
    rows = graph.store.graph_in_rows()  # type: ignore[attr-defined]
    return Network.from_adjacency(rows.adjacency), rows.types_of_rows, rows.node_types.index(layer)


def main() -> None:
    """Measure a graph folder, or the planted modules."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("graph", nargs="?", type=Path, help="a graph folder")
    parser.add_argument("--layer", default="Gene", help="the type whose nodes are hidden")
    parser.add_argument("--samples", type=int, default=30, help="nodes that are asked about")
    parser.add_argument("--planted", action="store_true", help="measure planted modules")
    options = parser.parse_args()
    if options.planted:
        network, types = planted()
        measure("planted modules", network, types, 0, options.samples)
    if options.graph:
        with open_graph(options.graph, settings=Settings.load(embedder="none")) as graph:
            measure(options.graph.name, *of_graph(graph, options.layer), options.samples)


if __name__ == "__main__":
    main()
