"""What a selected subgraph is worth, without a model.

    python benchmarks/subgraphs.py hetionet.graph [--layer Gene] [--samples 30]   # hidden neighbours
    python benchmarks/subgraphs.py --planted     # the same in 20,000 genes that form modules
    python benchmarks/subgraphs.py --primekg     # the same in a graph of the size and the types of PrimeKG
    python benchmarks/subgraphs.py hetionet.graph --answers   # where the answers to questions lie
    python benchmarks/subgraphs.py GRAPH --cost  # what a subgraph costs, the first after opening and further ones

**Hidden neighbours.** Of a node with many neighbours of one type 30 % of these are hidden: the edges to them are taken
out of the graph. Then the graph is cut to that node, and it is counted how many of the hidden ones come back among so
many added nodes, for each nested subgraph, for a plain personalised PageRank of the same size, and by chance: DIAMOnD
from random nodes of the same degrees, and from any nodes. What a method adds is counted without the neighbours that
were left.

**Answers.** For the questions of ``questions/hetionet.jsonl`` whose answers are nodes the graph is cut to the nodes
that the gold plan names, and it is counted which share of the answers is among so many selected nodes.

**Cost.** CPU seconds of the first subgraph after opening and of as many more as ``--samples`` says, around nodes drawn
by chance, and the most memory that the process had. For a graph of PrimeKG's size ``make_files`` of ``load.py`` writes
the tables that ``askgraph load`` takes.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
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
from askgraph.evaluation import read_questions
from askgraph.evaluation.gold_answers import gold_of
from askgraph.retrievers.subgraph.options import NESTED, SubgraphOptions
from askgraph.stores.base import GivesRows

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
QUESTIONS = Path(__file__).resolve().parent / "questions" / "hetionet.jsonl"
HIDDEN = 0.3
SIZES = (50, 200, 1_000)
PAGERANK = "a plain PageRank"
METHODS = (
    "neighbours",
    "DIAMOnD",
    "DIAMOnD and C3",
    "full (the walk too)",
    PAGERANK,
    "DIAMOnD from like degrees",
    "DIAMOnD from any nodes",
)


# --- hidden neighbours


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
        self.network = without(network, node, self.hidden)
        self.rows = np.flatnonzero(types == layer)
        self.layer = self.network.induced(self.rows)
        left = self.network.neighbors_of(node)
        self.seeds = left[types[left] == layer]
        number = int(lot.integers(2**31))
        places = np.searchsorted(self.rows, self.seeds)
        self._starts = {
            "DIAMOnD": places,
            "DIAMOnD from like degrees": degree_matched_seeds(self.layer, places, 1, seed=number)[0],
            "DIAMOnD from any nodes": uniform_seeds(self.layer, places, 1, seed=number)[0],
        }
        self._grown: dict[str, Integers] = {}

    def ranked(self, method: str, most: int) -> Integers:
        """What a method adds, in order, at most so many nodes."""
        if method == "neighbours":
            return np.empty(0, dtype=np.int64)  # those that are left are not counted, and it adds no others
        if method == PAGERANK:
            return self._best(self._pagerank, np.append(self.seeds, self.node), most)
        if method in self._starts:
            return self._diamond(method)[:most]
        # Each step takes its share of the same number of nodes.
        added = self._diamond("DIAMOnD")
        first = added[: most // 2]
        joined = np.union1d(self.seeds, first)
        linked = self.rows[c3(self.layer, np.searchsorted(self.rows, joined), most_nodes=most // 4).nodes]
        chosen = np.concatenate([first, linked])
        if method == "DIAMOnD and C3":
            rest = added[most // 2 :]
            return np.concatenate([chosen, rest[~np.isin(rest, chosen)]])[:most]
        start = np.concatenate([[self.node], self.seeds, chosen])
        scores = walk_typed_network(self._typed, start).scores
        return np.concatenate([chosen, self._best(scores, start, most - len(chosen))])

    def _diamond(self, method: str) -> Integers:
        if method not in self._grown:
            most = min(SIZES[-1], len(self.rows))
            self._grown[method] = self.rows[diamond(self.layer, self._starts[method], steps=most).nodes]
        return self._grown[method]

    @cached_property
    def _pagerank(self) -> Floats:
        return personalized_pagerank(self.network, [self.node]).scores

    @cached_property
    def _typed(self) -> TypedNetwork:
        return TypedNetwork.of_node_types(self.network, self.types)

    def _best(self, scores: Floats, without: Integers, most: int) -> Integers:
        inside = self.rows[~np.isin(self.rows, without)]
        best: Integers = inside[_order(scores[inside])[:most]]
        return best

    def recall(self, ranked: Integers, size: int) -> float:
        """The share of the hidden nodes among the first so many."""
        return float(np.isin(self.hidden, ranked[:size]).mean())


def without(network: Network, node: int, others: Integers) -> Network:
    """The network without the edges between a node and some of its neighbours."""
    own = network.offsets[node] + np.searchsorted(network.neighbors_of(node), others)
    theirs = [network.offsets[other] + np.searchsorted(network.neighbors_of(other), node) for other in others]
    counts = np.diff(network.offsets)
    counts[node] -= len(others)
    counts[others] -= 1
    neighbors = np.delete(network.neighbors, np.concatenate([own, theirs]))
    return Network(np.concatenate([[0], np.cumsum(counts)]), neighbors, network.loops)


def _order(scores: Floats) -> Integers:
    """By falling score; of equal ones the first. Rounded, for the order of sums must not decide."""
    return np.argsort(-np.round(scores, 15), kind="stable")


def trials(network: Network, types: Integers, asked: Integers, layer: int, samples: int) -> Iterator[Trial]:
    """Trials for some of the nodes that may be asked about: those with 20 to 500 neighbours in the layer."""
    lot = np.random.default_rng(1)
    counts = np.array([int((types[network.neighbors_of(node)] == layer).sum()) for node in asked.tolist()])
    fits = asked[(counts >= 20) & (counts <= 500)]
    for node in np.sort(lot.choice(fits, min(samples, len(fits)), replace=False)).tolist():
        yield Trial(network, types, node, layer, lot)


def measure_hidden(
    name: str, network: Network, types: Integers, asked: Integers, layer: int, samples: int
) -> None:
    """One table: methods by sizes."""
    found: dict[str, list[Sequence[float]]] = {method: [] for method in METHODS}
    done = 0
    for trial in trials(network, types, asked, layer, samples):
        done += 1
        for method in METHODS:
            found[method].append(
                [trial.recall(trial.ranked(method, min(size, len(trial.rows))), size) for size in SIZES]
            )
    print(f"# {name}: {done} nodes, {HIDDEN:.0%} of their neighbours hidden; share that comes back")
    show(found)


def show(found: Mapping[str, Sequence[Sequence[float]]]) -> None:
    """Means of each method by size."""
    print(f"{'':<28}" + "".join(f"{size:>8,}" for size in SIZES))
    for method, rows in found.items():
        means = np.array(rows).mean(axis=0)
        print(f"{method:<28}" + "".join(f"{mean:>8.0%}" for mean in means), flush=True)


# --- graphs with planted modules

MODULE = 60
# PrimeKG's node types, and between which of them its undirected edges lie.
PRIMEKG_NODES = {
    "gene/protein": 27_671,
    "disease": 17_080,
    "biological_process": 28_642,
    "effect/phenotype": 15_311,
    "anatomy": 14_035,
    "molecular_function": 11_169,
    "drug": 7_957,
    "cellular_component": 4_176,
    "pathway": 2_516,
    "exposure": 818,
}
PRIMEKG_EDGES = {
    ("disease", "gene/protein"): 80_000,
    ("drug", "gene/protein"): 26_000,
    ("drug", "drug"): 1_336_000,
    ("anatomy", "gene/protein"): 1_538_000,
    ("biological_process", "gene/protein"): 145_000,
    ("cellular_component", "gene/protein"): 83_000,
    ("molecular_function", "gene/protein"): 70_000,
    ("pathway", "gene/protein"): 43_000,
    ("disease", "effect/phenotype"): 151_000,
    ("drug", "effect/phenotype"): 65_000,
    ("drug", "disease"): 42_000,
    ("biological_process", "biological_process"): 53_000,
    ("disease", "disease"): 32_000,
    ("exposure", "gene/protein"): 1_200,
}


def modules_of_genes(genes: int, edges: int, lot: np.random.Generator) -> tuple[Integers, Integers]:
    """Edges between genes that form groups, among hubs: a little under a half of them within a group."""
    pull = 1.0 / np.arange(1, genes + 1) ** 0.6
    pull = lot.permutation(pull / pull.sum())
    ends = lot.choice(genes, (2, 3 * edges), p=pull)
    kept = (ends[0] // MODULE == ends[1] // MODULE) | (lot.random(3 * edges) < 0.3)
    inside = lot.integers(0, genes, 3 * edges // 10)
    near = np.minimum(inside // MODULE * MODULE + lot.integers(0, MODULE, len(inside)), genes - 1)
    return np.concatenate([ends[0][kept], inside]), np.concatenate([ends[1][kept], near])


def genes_of_diseases(
    first: int, diseases: int, genes: int, lot: np.random.Generator
) -> tuple[Integers, Integers]:
    """Diseases, numbered from ``first``, that have thirty genes of one group and ten by lot."""
    sources, targets = [], []
    for disease in range(diseases):
        group = int(lot.integers(genes // MODULE)) * MODULE
        sources.append(np.full(40, first + disease))
        targets += [group + lot.choice(MODULE, 30, replace=False), lot.choice(genes, 10, replace=False)]
    return np.concatenate(sources), np.concatenate(targets)


def planted(seed: int = 3) -> tuple[Network, Integers, Integers]:
    """20,000 genes in groups, 200 diseases: the network, the types of its nodes, the diseases."""
    lot = np.random.default_rng(seed)
    genes, diseases = 20_000, 200
    edges = modules_of_genes(genes, 200_000, lot), genes_of_diseases(genes, diseases, genes, lot)
    network = Network.from_edges(genes + diseases, *map(np.concatenate, zip(*edges, strict=True)))
    return network, np.repeat([0, 1], [genes, diseases]), np.arange(genes, genes + diseases)


def primekg_shaped(seed: int = 3) -> tuple[Network, Integers, Integers]:
    """As many nodes and edges of each kind as PrimeKG has; genes in groups, of which 200 diseases have theirs."""
    lot = np.random.default_rng(seed)
    names, counts = list(PRIMEKG_NODES), list(PRIMEKG_NODES.values())
    starts = dict(zip(names, np.cumsum([0, *counts]).tolist(), strict=False))
    genes, first = PRIMEKG_NODES["gene/protein"], starts["disease"]
    asked = 200
    parts = [modules_of_genes(genes, 235_000, lot), genes_of_diseases(first, asked, genes, lot)]
    for (one, other), edges in PRIMEKG_EDGES.items():
        parts.append((drawn(lot, PRIMEKG_NODES[one], edges), drawn(lot, PRIMEKG_NODES[other], edges)))
        # The diseases that are asked about have no genes but their own.
        skipped = asked if (one, other) == ("disease", "gene/protein") else 0
        sources, targets = parts[-1]
        parts[-1] = starts[one] + np.maximum(sources, skipped), starts[other] + targets
    network = Network.from_edges(sum(counts), *map(np.concatenate, zip(*parts, strict=True)))
    return network, np.repeat(np.arange(len(counts)), counts), np.arange(first, first + asked)


def drawn(lot: np.random.Generator, count: int, edges: int) -> Integers:
    """Ends of edges, a few nodes with many of them."""
    pull = 1.0 / np.arange(1, count + 1) ** 0.6
    return lot.choice(count, edges, p=lot.permutation(pull / pull.sum()))


# --- where the answers lie


def measure_answers(graph: Graph) -> None:
    """One table: methods by sizes, the mean share of a question's answers."""
    found: dict[str, list[Sequence[float]]] = {method: [] for method in (*NESTED, PAGERANK)}
    sizes: dict[str, list[Sequence[int]]] = {method: [] for method in found}
    in_rows = in_rows_of(graph).graph_in_rows()
    network = Network.from_adjacency(in_rows.adjacency)
    for named, answers in answered_questions(graph):
        chosen = {size: selected(graph, network, named, size) for size in SIZES}
        for method in found:
            lists = [chosen[size][method] for size in SIZES]
            found[method].append([len(answers.intersection(nodes)) / len(answers) for nodes in lists])
            sizes[method].append([len(nodes) for nodes in lists])
    print(f"# {len(found[PAGERANK])} questions; share of the answers among so many selected nodes")
    show(found)
    print("nodes that were selected, in the mean")
    for method, rows in sizes.items():
        means = [statistics.fmean(column) for column in zip(*rows, strict=True)]
        print(f"{method:<28}" + "".join(f"{mean:>8,.0f}" for mean in means))


def answered_questions(graph: Graph) -> Iterator[tuple[list[str], set[str]]]:
    """The nodes that each question's plan names, and the nodes that answer it."""
    for question in read_questions(QUESTIONS).questions:
        plan = question.query.plan if question.query is not None else None
        named = [id for node in plan.pattern.nodes for id in node.ids] if plan is not None else []
        answers = {item.node for item in gold_of(question, graph.store, 60.0).items if item.node}
        if named and answers:
            yield named, answers


def selected(graph: Graph, network: Network, named: list[str], size: int) -> dict[str, list[str]]:
    """What each method selects around some nodes: at most so many, these among them, in the order of the steps."""
    options = SubgraphOptions(
        most_neighbours=size // 2,
        diamond_steps=size // 4,
        c3_most_nodes=size // 10,
        walk_nodes=size,
        most_edges=0,
    )
    selection = graph.subgraph(nodes=named, options=options, timeout=60)
    lists: dict[str, list[str]] = {
        nested: [item.id for item in selection.within(nested).nodes[:size]] for nested in reversed(NESTED)
    }
    store = in_rows_of(graph)
    rows = store.rows(named)
    scores = personalized_pagerank(network, np.unique(rows)).scores
    others = np.setdiff1d(np.flatnonzero(scores > 0), rows)
    best = others[_order(scores[others])[: len(lists["full"]) - len(named)]]
    lists[PAGERANK] = [*named, *store.ids(best)]
    return lists


# --- what it costs


def measure_cost(graph: Graph, samples: int) -> None:
    """CPU seconds of the first subgraph and of further ones, and memory."""
    store = in_rows_of(graph)
    count = graph.schema().node_count
    chosen = np.random.default_rng(0).choice(count, size=samples + 1, replace=False)
    seconds = []
    for node in store.ids(chosen):
        began = time.process_time()
        graph.subgraph(nodes=[node], timeout=60)
        seconds.append(time.process_time() - began)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    further = sorted(seconds[1:])
    print(
        f"first {seconds[0]:.2f} CPU s; {samples} more: median {statistics.median(further):.2f} CPU s,",
        end=" ",
    )
    print(f"most {further[-1]:.2f} CPU s; at most {memory:,.0f} MB")


def in_rows_of(graph: Graph) -> GivesRows:
    """The store of an embedded graph, which has rows."""
    if not isinstance(graph.store, GivesRows):
        raise SystemExit(f"{graph.location} is not an embedded graph")
    return graph.store


def main() -> None:
    """Measure a graph folder, or graphs with planted modules."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("graph", nargs="?", type=Path, help="a graph folder")
    parser.add_argument("--layer", default="Gene", help="the type whose nodes are hidden")
    parser.add_argument("--samples", type=int, default=30, help="nodes that are asked about")
    parser.add_argument("--planted", action="store_true", help="measure planted modules")
    parser.add_argument(
        "--primekg", action="store_true", help="the same in a graph of PrimeKG's size and types"
    )
    parser.add_argument("--answers", action="store_true", help="measure where the answers to questions lie")
    parser.add_argument("--cost", action="store_true", help="measure what a subgraph costs")
    options = parser.parse_args()
    if options.planted:
        measure_hidden("planted modules", *planted(), 0, options.samples)
    if options.primekg:
        network, types, asked = primekg_shaped()
        print(f"# PrimeKG's shape: {network.node_count:,} nodes, {network.edge_count:,} edges")
        measure_hidden("PrimeKG's shape", network, types, asked, 0, options.samples)
    if options.graph:
        with open_graph(options.graph, settings=Settings.load(embedder="none")) as graph:
            if options.answers:
                measure_answers(graph)
                return
            if options.cost:
                measure_cost(graph, options.samples)
                return
            rows = in_rows_of(graph).graph_in_rows()
            layer = rows.node_types.index(options.layer)
            network, asked = (
                Network.from_adjacency(rows.adjacency),
                np.flatnonzero(rows.types_of_rows != layer),
            )
            measure_hidden(options.graph.name, network, rows.types_of_rows, asked, layer, options.samples)


if __name__ == "__main__":
    main()
