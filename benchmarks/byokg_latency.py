"""How long a question takes beside the model: the loop of the strategy ``agent`` on a graph of four million edges.

    python benchmarks/byokg_latency.py              4,000,000 edges, shaped like PrimeKG (load.py); --edges for others
    python benchmarks/byokg_latency.py --in FOLDER  the graph that an earlier run has left there

A scripted model replies at once, so that what is measured is all but the model: linking the question, the schema for
the prompt, linking what the model names, following its paths, exploring, ranking. Questions of one and of two hops from
random nodes, one without a path (so that the graph is explored), and all of them from the node with the most
neighbours. Every question is new to the graph; the graph and its index are warm. CPU time of all threads.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from load import make_files

from askgraph import Graph, Settings, load_graph, open_graph
from askgraph.byokg import ByoKGQueryEngine
from askgraph.models.scripted import ScriptedModel

EDGES_PER_NODE = 30
NODES = 12
WARMING = 3
KINDS = {
    "one hop": ("What is relation 3 of {name}?", "relation_3"),
    "two hops": ("What is relation 5 of the relation 3 of {name}?", "relation_3 -> relation_5"),
    "explored": ("What is relation 7 of {name}?", ""),
}


def made(folder: Path, edges: int) -> None:
    """Make the graph and its index in a folder, unless they are there."""
    if (folder / "bench.graph").exists():
        return
    make_files(folder, edges // EDGES_PER_NODE, edges)
    load_graph([folder / "nodes.csv", folder / "edges.csv"], folder / "bench.graph")
    with open_graph(folder / "bench.graph") as graph:
        graph.build_index()


def hub(folder: Path) -> tuple[str, str, int]:
    """Id and name of the node with the most edges, and how many it has."""
    import duckdb

    with duckdb.connect() as database:
        found = database.execute(
            f"SELECT id, count(*) AS edges FROM (SELECT source AS id FROM read_csv('{folder}/edges.csv') UNION ALL "
            f"SELECT target FROM read_csv('{folder}/edges.csv')) GROUP BY id ORDER BY edges DESC LIMIT 1"
        ).fetchone()
        assert found is not None
        named = database.execute(
            f"SELECT name FROM read_csv('{folder}/nodes.csv') WHERE id = '{found[0]}'"
        ).fetchone()
    assert named is not None
    return str(found[0]), str(named[0]), int(found[1])


def names(folder: Path) -> Iterator[str]:
    """Names of nodes spread over the file."""
    import duckdb

    with duckdb.connect() as database:
        rows = database.execute(
            f"SELECT name FROM read_csv('{folder}/nodes.csv') USING SAMPLE 200 (reservoir, 7)"
        )
        yield from (str(name) for (name,) in rows.fetchall())


def ask(graph: Graph, kind: str, name: str) -> tuple[float, float, int]:
    """Seconds of CPU and of wall that one question takes, and how many facts it finds."""
    question, path = KINDS[kind]
    reply = f"<entities>{name}</entities><paths>{path}</paths>"
    again = "<task-completion>FINISH</task-completion>"
    engine = ByoKGQueryEngine(
        graph_store=graph, llm_generator=ScriptedModel({"propose": reply, "propose_again": again})
    )
    began, cpu = time.perf_counter(), time.process_time()
    context = engine.query(question.format(name=name))
    return time.process_time() - cpu, time.perf_counter() - began, len(context)


def measured(graph: Graph, kind: str, asked: list[str]) -> dict[str, float]:
    """Median and greatest times of a kind of question, in milliseconds."""
    found = [ask(graph, kind, name) for name in asked]
    cpu, wall = [item[0] * 1000 for item in found], [item[1] * 1000 for item in found]
    return {
        "CPU ms, median": round(statistics.median(cpu), 1),
        "CPU ms, most": round(max(cpu), 1),
        "wall ms, median": round(statistics.median(wall), 1),
        "facts, median": statistics.median(item[2] for item in found),
    }


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--edges", type=int, default=4_000_000)
    parser.add_argument("--in", dest="folder", type=Path, help="a folder to keep the graph in")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.folder or Path(scratch)
        made(folder, arguments.edges)
        _, hub_name, degree = hub(folder)
        settings = Settings.load(save_runs=False, data_dir=Path(scratch))
        with open_graph(folder / "bench.graph", settings=settings) as graph:
            own = names(folder)
            for kind in KINDS:
                for _ in range(WARMING):
                    ask(graph, kind, next(own))
            figures: dict[str, object] = {
                kind: measured(graph, kind, [next(own) for _ in range(NODES)]) for kind in KINDS
            }
            figures |= {
                f"{kind}, from the hub of {degree:,}": measured(graph, kind, [hub_name]) for kind in KINDS
            }
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
