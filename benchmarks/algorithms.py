"""How fast the graph algorithms are, beside a plain transcription of each published procedure, in one run.

    python benchmarks/algorithms.py                    # everything but the largest graph
    python benchmarks/algorithms.py --only walk,diamond
    python benchmarks/algorithms.py --large            # a graph of 129k nodes and 4M edges too
    python benchmarks/algorithms.py --multixrank PYTHON  # the walk beside multixrank, installed for that interpreter

Times are processor seconds of this process, the least of several runs. The transcriptions are written here from the
papers, in dictionaries and sets like the authors' programs; nothing of those is copied.
"""

from __future__ import annotations

import argparse
import math
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import networkx
import numpy as np

from askgraph.algorithms import (
    Network,
    TypedNetwork,
    c3,
    connected_components,
    degree_matched_seeds,
    diamond,
    hierarchical_leiden,
    k_shortest_paths,
    personalized_pagerank,
    random_walk_with_restart,
    walk_typed_network,
)
from askgraph.algorithms.communities import DEFAULT_SEED
from askgraph.algorithms.transition import Transition

REPEATS = 5


def least(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Processor seconds of the fastest run."""
    times = []
    for _ in range(repeats):
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return min(times)


def both(ours: Callable[[], object], theirs: Callable[[], object], repeats: int = 3) -> tuple[float, float]:
    """Processor seconds of the fastest run of each, taken in turns, so that neither has the quieter minute."""
    pairs = [(least(ours, 1), least(theirs, 1)) for _ in range(repeats)]
    return min(one for one, _ in pairs), min(other for _, other in pairs)


def say(what: str, ours: float, theirs: float | None = None, who: str = "") -> None:
    """One line: a figure, and how many times another's it is."""
    line = f"{what:<58} {ours * 1000:>10.1f} ms"
    if theirs is not None:
        line += f"   {who} {theirs * 1000:>10.1f} ms   {theirs / ours:>7.1f}x"
    print(line, flush=True)


# --- networks


def interactome(nodes: int = 13_460, edges: int = 141_296, seed: int = 7) -> tuple[Network, np.ndarray]:
    """A network of the size and the kind of the human interactome of 2015, and the nodes of one planted group."""
    lot = np.random.default_rng(seed)
    pull = 1.0 / np.arange(1, nodes + 1) ** 0.6
    pull /= pull.sum()
    group = lot.integers(0, nodes // 60, nodes)
    sources = lot.choice(nodes, edges * 2, p=pull)
    targets = lot.choice(nodes, edges * 2, p=pull)
    kept = (sources != targets) & ((group[sources] == group[targets]) | (lot.random(edges * 2) < 0.6))
    network = Network.from_edges(nodes, sources[kept][:edges], targets[kept][:edges])
    return network, np.flatnonzero(group == 3)


def power_law(nodes: int, edges: int, seed: int = 0) -> Network:
    """A network whose nodes draw edges by a power law."""
    lot = np.random.default_rng(seed)
    pull = 1.0 / np.arange(1, nodes + 1) ** 0.5
    pull /= pull.sum()
    return Network.from_edges(nodes, lot.choice(nodes, edges, p=pull), lot.choice(nodes, edges, p=pull))


def as_graph(network: Network) -> networkx.Graph:
    """The same network for networkx."""
    graph = networkx.Graph()
    graph.add_nodes_from(range(network.node_count))
    ends = np.repeat(np.arange(network.node_count), np.diff(network.offsets))
    graph.add_edges_from(zip(ends.tolist(), network.neighbors.tolist(), strict=True))
    return graph


# --- the published procedures as they read


class Logs:
    """Logarithms of factorials, as the authors' programs keep them."""

    def __init__(self, most: int) -> None:
        self._log = [math.lgamma(n + 1) for n in range(most + 1)]

    def tail(self, observed: int, draws: int, marked: int, population: int) -> float:
        """The tail of the hypergeometric distribution, term by term."""
        log = self._log

        def choose(n: int, k: int) -> float:
            return log[n] - log[k] - log[n - k] if 0 <= k <= n else -math.inf

        whole = choose(population, draws)
        total = 0.0
        for x in range(observed, min(draws, marked) + 1):
            total += math.exp(choose(marked, x) + choose(population - marked, draws - x) - whole)
        return min(total, 1.0)


def plain_diamond(graph: networkx.Graph, seeds: list[int], steps: int) -> list[int]:
    """DIAMOnD with the shortcuts of its paper: equal links by fewest degree, p-values kept."""
    neighbors = {node: set(graph[node]) for node in graph}
    logs, count = Logs(len(graph)), len(graph)
    module, added = set(seeds), []
    kept: dict[tuple[int, int, int], float] = {}
    while len(added) < steps:
        around = {other for node in module for other in neighbors[node]} - module
        by_links: dict[int, tuple[int, int]] = {}
        for node in around:
            links = sum(other in module for other in neighbors[node])
            entry = (len(neighbors[node]), node)
            if links not in by_links or entry < by_links[links]:
                by_links[links] = entry
        best = None
        for links, (degree, node) in by_links.items():
            key = (degree, links, len(module))
            if key not in kept:
                kept[key] = logs.tail(links, degree, len(module), count)
            if best is None or kept[key] < best[0]:
                best = (kept[key], node)
        if best is None:
            break
        module.add(best[1])
        added.append(best[1])
    return added


def plain_c3(graph: networkx.Graph, seeds: list[int]) -> list[int]:
    """C3, component by component."""
    neighbors = {node: set(graph[node]) for node in graph}
    logs, module, added = Logs(len(graph) + 1), set(seeds), []

    def components() -> dict[int, int]:
        parts = networkx.connected_components(graph.subgraph(module))
        return {node: number for number, part in enumerate(parts) for node in part}

    part_of = components()
    while True:
        parts = len(set(part_of.values()))
        population = len(graph) - len(module) + parts

        def p_of(links: int, touched: int, parts: int = parts, population: int = population) -> float:
            return logs.tail(touched, links, parts, population)

        around = {other for node in module for other in neighbors[node]} - module
        best: tuple[float, tuple[int, ...]] = (1.0, ())
        for node in around:
            inside = neighbors[node] & module
            touched = len({part_of[other] for other in inside})
            p = p_of(len(neighbors[node]) - len(inside) + touched, touched)
            best = min(best, (p, (node,)))
        if best[0] < 0.05 and len({part_of[other] for other in neighbors[best[1][0]] & module}) > 1:
            module.update(best[1])
            added.extend(best[1])
            part_of = components()
            continue
        best = (1.0, ())
        for node in around:
            for other in neighbors[node] - module - {node}:
                inside, others = neighbors[node] & module, neighbors[other] & module
                touched = len({part_of[end] for end in inside | others})
                links = len(neighbors[node]) + len(neighbors[other]) - 2 - len(inside) - len(others) + touched
                best = min(best, (p_of(links, touched), (node, other)))
        if best[0] >= 0.05:
            return added
        module.update(best[1])
        part_of = components()
        if len(set(part_of.values())) >= parts:
            return added
        added.extend(best[1])


def plain_walk(graph: networkx.Graph, seeds: list[int], restart: float) -> dict[int, float]:
    """The walk with restart, node by node, until the change is below 1e-10."""
    start = dict.fromkeys(graph, 0.0) | dict.fromkeys(seeds, 1 / len(seeds))
    scores = start
    while True:
        following = {node: restart * share for node, share in start.items()}
        for node, neighbors in graph.adjacency():
            if scores[node] and neighbors:
                share = (1 - restart) * scores[node] / len(neighbors)
                for other in neighbors:
                    following[other] += share
        change = math.sqrt(sum((following[node] - scores[node]) ** 2 for node in graph))
        scores = following
        if change < 1e-10:
            return scores


# --- what is measured


def measure_modules() -> None:
    """DIAMOnD and C3."""
    network, group = interactome()
    graph = as_graph(network)
    print(f"# modules: {network.node_count:,} nodes, {network.edge_count:,} edges")
    for size in (10, 40, 57):
        seeds = group[:size].tolist()
        ours = least(lambda seeds=seeds: diamond(network, seeds, steps=200))
        theirs = least(lambda seeds=seeds: plain_diamond(graph, seeds, 200), 1)
        say(f"DIAMOnD, {size} seeds, 200 steps", ours, theirs, "transcription")
    lot = np.random.default_rng(1)
    seeds = np.concatenate([group[:20], lot.choice(network.node_count, 20, replace=False)]).tolist()
    found = c3(network, seeds)
    ours = least(lambda: c3(network, seeds), 3)
    theirs = least(lambda: plain_c3(graph, seeds), 1)
    say(
        f"C3, 40 seeds, {found.components} to {found.components_left} components",
        ours,
        theirs,
        "transcription",
    )


def measure_walk(multixrank: str | None) -> None:
    """Random walks and PageRank."""
    network = power_law(100_000, 1_000_000)
    print(f"# walk: {network.node_count:,} nodes, {network.edge_count:,} edges")
    graph = as_graph(network)
    seeds = [5, 77]
    kept = Transition.of_network(network)
    build = least(lambda: rebuilt(network), 2)
    ours = least(lambda: random_walk_with_restart(kept, seeds), 15)
    theirs = least(lambda: plain_walk(graph, seeds, 0.7), 1)
    say("random walk with restart 0.7, matrix at hand", ours, theirs, "transcription")
    say("network of its edges, and the walk", build + ours)
    theirs = least(lambda: networkx.pagerank(graph, personalization=dict.fromkeys(seeds, 1), tol=1e-15), 1)
    say("personalised PageRank", least(lambda: personalized_pagerank(kept, seeds)), theirs, "networkx")
    types = np.random.default_rng(2).integers(0, 3, network.node_count)
    build = least(lambda: TypedNetwork.of_node_types(network, types), 2)
    typed = TypedNetwork.of_node_types(network, types)
    say("matrix of three types", build)
    say("heterogeneous walk, matrix at hand", least(lambda: walk_typed_network(typed, seeds)))
    if multixrank:
        beside_multixrank(network, seeds, multixrank, ours)


def rebuilt(network: Network) -> Network:
    """The network built once more from its edges."""
    ends = np.repeat(np.arange(network.node_count), np.diff(network.offsets))
    once = ends < network.neighbors
    return Network.from_edges(network.node_count, ends[once], network.neighbors[once])


_MULTIXRANK = """
import time, sys, multixrank
begun = time.process_time(); m = multixrank.Multixrank(config="config.yml", wdir="."); loaded = time.process_time()
m.random_walk_rank(); print(loaded - begun, time.process_time() - loaded)
"""


def beside_multixrank(network: Network, seeds: list[int], python: str, ours: float) -> None:
    """The same walk by multixrank, in a process of its own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ends = np.repeat(np.arange(network.node_count), np.diff(network.offsets))
        once = ends < network.neighbors
        lines = (
            f"{a}\t{b}\n" for a, b in zip(ends[once].tolist(), network.neighbors[once].tolist(), strict=True)
        )
        (folder / "layer.tsv").write_text("".join(lines), encoding="utf-8")
        (folder / "seeds.txt").write_text("".join(f"{seed}\n" for seed in seeds), encoding="utf-8")
        (folder / "config.yml").write_text(
            "seed: seeds.txt\nself_loops: 0\nmultiplex:\n  1:\n    layers:\n      - layer.tsv\n",
            encoding="utf-8",
        )
        done = subprocess.run(
            [python, "-c", _MULTIXRANK], cwd=folder, capture_output=True, text=True, check=True, timeout=900
        )
    load, rank = map(float, done.stdout.split()[-2:])
    build = least(lambda: rebuilt(network), 2)
    say("network and walk", build + ours, load + rank, "multixrank load + rank")
    say("walk alone", ours, rank, "multixrank rank")


def measure_communities() -> None:
    """Leiden."""
    import graspologic_native

    network = power_law(20_000, 100_000)
    print(f"# communities: {network.node_count:,} nodes, {network.edge_count:,} edges")
    ends = np.repeat(np.arange(network.node_count), np.diff(network.offsets))
    once = ends < network.neighbors

    def theirs() -> object:
        edges = [
            (str(a), str(b), 1.0)
            for a, b in zip(ends[once].tolist(), network.neighbors[once].tolist(), strict=True)
        ]
        found = graspologic_native.hierarchical_leiden(edges=edges, max_cluster_size=10, seed=DEFAULT_SEED)
        communities: dict[int, set[str]] = {}
        for item in found:
            communities.setdefault(item.cluster, set()).add(item.node)
        return communities

    native, plain = both(lambda: hierarchical_leiden(network, engine="graspologic-native"), theirs)
    say("hierarchical Leiden", native, plain, "graspologic-native")
    small = power_law(1_000, 6_000)
    say("the same in Python, 1,000 nodes", least(lambda: hierarchical_leiden(small, engine="python"), 2))


def measure_paths() -> None:
    """Shortest paths and components."""
    network = power_law(100_000, 1_000_000)
    graph = as_graph(network)
    print(f"# paths: {network.node_count:,} nodes, {network.edge_count:,} edges")
    for source, target in ((90_001, 80_003), (50, 99_990)):

        def first_five(source: int = source, target: int = target) -> list[list[int]]:
            found: Iterator[list[int]] = networkx.shortest_simple_paths(graph, source, target)
            return [path for path, _ in zip(found, range(5), strict=False)]

        ours = least(lambda s=source, t=target: k_shortest_paths(network, s, t, 5), 3)
        say(f"5 shortest paths from {source} to {target}", ours, least(first_five, 1), "networkx")
    theirs = least(lambda: sum(1 for _ in networkx.connected_components(graph)), 1)
    say("connected components", least(lambda: connected_components(network), 3), theirs, "networkx")


def measure_large() -> None:
    """Everything on a graph of the size of PrimeKG."""
    network = power_law(129_375, 4_050_249)
    print(f"# large: {network.node_count:,} nodes, {network.edge_count:,} edges")
    types = np.random.default_rng(2).integers(0, 10, network.node_count)
    seeds = list(range(500, 540))
    say("network of its edges", least(lambda: rebuilt(network), 2))
    say("DIAMOnD, 40 seeds, 200 steps", least(lambda: diamond(network, seeds, steps=200), 2))
    say("C3, 40 seeds", least(lambda: c3(network, list(range(100_000, 100_040))), 1))
    say("matrix of ten types", least(lambda: TypedNetwork.of_node_types(network, types), 2))
    typed = TypedNetwork.of_node_types(network, types)
    say("heterogeneous walk, matrix at hand", least(lambda: walk_typed_network(typed, seeds), 2))
    say("5 shortest paths", least(lambda: k_shortest_paths(network, 120_001, 90_003, 5), 2))
    say("100 sets of degree-matched seeds", least(lambda: degree_matched_seeds(network, seeds, 100), 2))
    say("connected components", least(lambda: connected_components(network), 2))
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


def main() -> None:
    """Measure what the options say."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="modules,walk,communities,paths", help="what to measure")
    parser.add_argument("--large", action="store_true", help="a graph of 4M edges too")
    parser.add_argument("--multixrank", help="a Python interpreter that has multixrank")
    options = parser.parse_args()
    chosen = set(options.only.split(","))
    if "modules" in chosen:
        measure_modules()
    if "walk" in chosen:
        measure_walk(options.multixrank)
    if "communities" in chosen:
        measure_communities()
    if "paths" in chosen:
        measure_paths()
    if options.large:
        measure_large()


if __name__ == "__main__":
    main()
