"""What a question costs on a graph of PrimeKG's size, beside the same question without an embedder.

    python benchmarks/ask.py            130,000 nodes, 4,000,000 edges; --edges and --nodes for other sizes

Makes and loads the graph of ``load.py``, indexes it, and asks for properties and neighbours of nodes chosen by chance,
for counts, filters and superlatives. Prints CPU milliseconds; the first question, which loads the model, is left out.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from load import make_files

from askgraph import Graph, Settings, load_graph, open_graph

SEED = 1


def questions(graph: Graph, nodes: int) -> list[str]:
    """Twenty questions about single nodes, four about all of a type."""
    ids = [f"N{number}" for number in random.Random(SEED).sample(range(nodes), 10)]
    asked = [
        "How many type 2 are there?",
        "Which type 2 has the highest score?",
        "type 3 with score over 990",
    ]
    asked.append("What is the average score of type 4?")
    for node in graph.store.nodes(ids):
        asked += [f"What is the score of {node.name}?", f"What is relation 3 of {node.name}?"]
    return asked


def measure(folder: Path, embedder: str, nodes: int) -> dict[str, float]:
    """Ask every question once, on a graph opened anew."""
    settings = Settings.load(save_runs=False, embedder=embedder, cache_dir=folder / "cache")
    began = time.process_time()
    with open_graph(folder / "made.graph", settings=settings) as graph:
        opened = time.process_time()
        graph.build_index()
        indexed = time.process_time()
        graph.ask("How many type 1 are there?")
        times = []
        for question in questions(graph, nodes):
            start = time.process_time()
            graph.ask(question)
            times.append(1000 * (time.process_time() - start))
    return {
        "open_cpu_s": opened - began,
        "index_cpu_s": indexed - opened,
        "p50_cpu_ms": statistics.median(times),
        "p95_cpu_ms": statistics.quantiles(times, n=20)[-1],
    }


def main() -> None:
    """Print a line for each embedder."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--nodes", type=int, default=130_000)
    parser.add_argument("--edges", type=int, default=4_000_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="askgraph-benchmark-") as scratch:
        folder = Path(scratch)
        make_files(folder, arguments.nodes, arguments.edges)
        load_graph([folder / "nodes.csv", folder / "edges.csv"], folder / "made.graph")
        for embedder in ("none", "minilm"):
            row = measure(folder, embedder, arguments.nodes)
            print(f"{embedder:<8}", "  ".join(f"{name} {value:.3g}" for name, value in row.items()))


if __name__ == "__main__":
    main()
