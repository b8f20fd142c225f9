"""Load a graph shaped like PrimeKG from CSV, open it, follow edges; beside DuckDB alone on the same files.

    python benchmarks/load.py                      # 130,000 nodes of 10 types, 4,000,000 edges of 30 types
    python benchmarks/load.py --edges 400000 --nodes 20000

CPU-seconds are the figures to compare; the wall clock depends on who else uses the machine. Each part runs in a process
of its own, so that its memory is its own.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

SEED = 7
NODE_TYPES = 10
EDGE_TYPES = 30
HOPS = 500


def make_files(folder: Path, nodes: int, edges: int) -> None:
    """Write ``nodes.csv`` and ``edges.csv``: heavy-tailed degrees, parallel edges, two properties on each edge."""
    import duckdb
    import numpy as np

    random = np.random.default_rng(SEED)
    weights = np.arange(1, nodes + 1) ** -0.75
    cumulative = np.cumsum(weights / weights.sum())
    shuffled = random.permutation(nodes)

    def ends() -> Any:
        return shuffled[np.minimum(np.searchsorted(cumulative, random.random(edges)), nodes - 1)]

    connection = duckdb.connect()
    connection.register(
        "made_nodes", {"number": np.arange(nodes), "kind": random.integers(0, NODE_TYPES, nodes)}
    )
    connection.execute(
        "COPY (SELECT 'N' || number AS id, 'type_' || kind AS type,"
        " 'entity ' || md5(number::VARCHAR)[:10] || ' ' || number AS name, number * 7 % 1000 AS score FROM made_nodes)"
        f" TO '{folder}/nodes.csv' (HEADER)"
    )
    connection.register(
        "made_edges",
        {
            "source": ends(),
            "target": ends(),
            "kind": random.integers(0, EDGE_TYPES, edges),
            "weight": random.random(edges).round(3),
            "year": random.integers(1980, 2025, edges),
        },
    )
    connection.execute(
        "COPY (SELECT 'N' || source AS source, 'N' || target AS target, 'relation_' || kind AS type, weight, year"
        f" FROM made_edges) TO '{folder}/edges.csv' (HEADER)"
    )


def duckdb_alone(folder: Path) -> dict[str, float]:
    """Read both files into tables of a database, and no more."""
    import duckdb

    def read() -> None:
        connection = duckdb.connect(str(folder / "alone.duckdb"), config={"memory_limit": "1GB"})
        for name in ("nodes", "edges"):
            connection.execute(
                f"CREATE TABLE {name} AS SELECT * FROM read_csv('{folder}/{name}.csv', header = true)"
            )
        connection.close()

    return measured(read)


def load(folder: Path) -> dict[str, float]:
    """``askgraph load nodes.csv edges.csv --into bench.graph``."""
    from askgraph.stores.loading import load_files

    return measured(lambda: load_files([folder / "nodes.csv", folder / "edges.csv"], folder / "bench.graph"))


def write_alone(folder: Path) -> dict[str, float]:
    """What of the load is the writer: the same graph from relations that read the files as they are."""
    from askgraph.stores.property.writer import PropertyGraphWriter, PropertySource

    files = [folder / "nodes.csv", folder / "edges.csv"]

    def write() -> None:
        with PropertyGraphWriter.into(folder / "writer.graph", reads=files) as writer:
            for file in files:
                writer.connection.execute(
                    f"CREATE TEMP VIEW {file.stem}_file AS SELECT * FROM read_csv('{file}', header = true)"
                )
            properties = [PropertySource("name", "name", "text"), PropertySource("score", "score", "integer")]
            writer.add_nodes("nodes_file", id_column="id", types_column="type", properties=properties)
            properties = [
                PropertySource("weight", "weight", "float"),
                PropertySource("year", "year", "integer"),
            ]
            writer.add_edges(
                "edges_file",
                source_column="source",
                target_column="target",
                type_column="type",
                properties=properties,
            )
            writer.finish()

    return measured(write)


def read(folder: Path) -> dict[str, float]:
    """Open the graph and ask for neighbours and nodes."""
    import numpy as np

    from askgraph.stores.property.store import PropertyStore

    found: dict[str, float] = {}
    store: PropertyStore | None = None

    def open_it() -> None:
        nonlocal store
        store = PropertyStore.open(folder / "bench.graph")

    found["open_cpu_s"] = measured(open_it)["cpu_s"]
    assert store is not None
    with store:
        count = store.adjacency.node_count
        random = np.random.default_rng(SEED)
        ids = store.ids(random.integers(0, count, HOPS))
        batch = store.ids(random.integers(0, count, 1000))
        for id in ids[:20]:
            store.neighbors([id])
        found["one_hop_ms"] = median_ms(lambda number: len(store.neighbors([ids[number]])), HOPS)
        found["one_hop_with_ids_ms"] = median_ms(
            lambda number: list(store.neighbors([ids[number]]).edges), HOPS
        )
        found["typed_hop_ms"] = median_ms(
            lambda number: len(store.neighbors([ids[number]], types=["relation_3"])), HOPS
        )
        found["hop_of_1000_nodes_ms"] = median_ms(lambda number: len(store.neighbors(batch)), 10)
        found["one_node_ms"] = median_ms(lambda number: list(store.nodes([ids[number]])), 100)
        started = time.process_time()
        found["nodes"] = sum(1 for _ in store.nodes())
        found["all_nodes_cpu_s"] = time.process_time() - started
        started = time.process_time()
        found["edge_types"] = len(store.schema().edge_types)
        found["schema_cpu_s"] = time.process_time() - started
    found["rss_mb"] = peak_mb()
    return found


def measured(work: Callable[[], Any]) -> dict[str, float]:
    """CPU-seconds and wall-seconds of some work, and the peak memory of the process."""
    started, cpu = time.perf_counter(), time.process_time()
    work()
    return {
        "cpu_s": time.process_time() - cpu,
        "wall_s": time.perf_counter() - started,
        "rss_mb": peak_mb(),
    }


def median_ms(work: Callable[[int], Any], times: int) -> float:
    """The median time of one call, in milliseconds."""
    taken = []
    for number in range(times):
        started = time.perf_counter()
        work(number)
        taken.append(time.perf_counter() - started)
    return statistics.median(taken) * 1000


def peak_mb() -> float:
    """The most memory that this process has had, in megabytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


PARTS: dict[str, Callable[[Path], dict[str, float]]] = {
    "DuckDB alone": duckdb_alone,
    "writer alone": write_alone,
    "askgraph load": load,
    "reading": read,
}


def main() -> None:
    """Make the files, run each part in a process of its own, print what each took."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--nodes", type=int, default=130_000)
    parser.add_argument("--edges", type=int, default=4_000_000)
    parser.add_argument("--part", choices=list(PARTS), help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.part:
        print(json.dumps(PARTS[arguments.part](arguments.folder)))
        return
    with tempfile.TemporaryDirectory(prefix="askgraph-benchmark-") as name:
        folder = Path(name)
        make_files(folder, arguments.nodes, arguments.edges)
        size = sum(file.stat().st_size for file in folder.glob("*.csv")) / 2**20
        print(f"{arguments.nodes:,} nodes, {arguments.edges:,} edges, {size:.0f} MB of CSV")
        for part in PARTS:
            process = subprocess.run(
                [sys.executable, __file__, "--part", part, "--folder", name],
                check=True,
                stdout=subprocess.PIPE,
                encoding="utf-8",
            )
            figures = json.loads(process.stdout)
            print(
                f"{part:14}",
                "  ".join(f"{key} {value:,.3f}".rstrip("0").rstrip(".") for key, value in figures.items()),
            )
        kept = (
            sum(file.stat().st_size for file in (folder / "bench.graph").rglob("*") if file.is_file()) / 2**20
        )
        print(f"{'on disk':14} {kept:.0f} MB")


if __name__ == "__main__":
    main()
