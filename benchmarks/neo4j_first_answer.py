"""The first answer from a Neo4j that has a million nodes and a full-text index, beside a scan for the same name.

    python benchmarks/neo4j_first_answer.py              1,000,000 nodes, 2,000,000 relationships; --nodes for others

Starts a Neo4j of its own (`make servers` installs it), fills it, then opens it and asks, in a process that has never
seen it. Prints seconds from opening to the first answer and to each further one, what the driver alone needs to find
one of the names without an index, and which of the plans that the server ran scanned all nodes: none may.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

SEED = 5
_BATCH = 20_000
_LOG_PLANS = (
    "db.logs.query.enabled=INFO",
    "db.logs.query.plan_description_enabled=true",
    "db.transaction.timeout=0s",
    "server.memory.heap.max_size=2g",
)
# Operators that look at every node, whatever stands behind them.
_SCANS = re.compile(r"AllNodesScan|PartitionedAllNodesScan")


def fill(server: object, nodes: int) -> list[str]:
    """Make the graph; gives some names in it."""
    rows = server.rows  # type: ignore[attr-defined]
    first = ("Ada", "Charles", "Mary", "Grace", "Alan", "Emmy", "Sofia", "Carl", "Rosa", "Otto")
    rows("CREATE CONSTRAINT number IF NOT EXISTS FOR (n:Person) REQUIRE n.number IS UNIQUE")
    for start in range(0, nodes, _BATCH):
        rows(
            "UNWIND range($start, $end) AS i CREATE (:Person {number: i,"
            " name: $first[i % size($first)] + ' ' + ['Stone','Rivers','Hill'][i / 10 % 3] + ' ' + toString(i),"
            " born: 1900 + i % 100})",
            {"start": start, "end": min(start + _BATCH, nodes) - 1, "first": first},
        )
    for start in range(0, nodes, _BATCH):
        rows(
            "UNWIND range($start, $end) AS i MATCH (a:Person {number: i})"
            " MATCH (b:Person {number: (i * 7919 + 13) % $nodes}) MATCH (c:Person {number: i / 1000})"
            " CREATE (a)-[:KNOWS]->(b) CREATE (a)-[:WORKS_FOR]->(c)",
            {"start": start, "end": min(start + _BATCH, nodes) - 1, "nodes": nodes},
        )
    rows("CREATE FULLTEXT INDEX names IF NOT EXISTS FOR (n:Person) ON EACH [n.name]")
    rows("CALL db.awaitIndexes(600)")
    return [
        row["name"]
        for row in rows(
            "MATCH (n:Person) WHERE n.number IN [4321, 98] RETURN n.name AS name ORDER BY n.number DESC"
        )
    ]


def ask(address: str, names: list[str]) -> None:
    """Open the graph and ask, with the clock running from before the import; for a process of its own."""
    began = time.perf_counter()
    from askgraph import Settings, open_graph

    settings = Settings.load(save_runs=False, cache_dir=Path(os.environ["ASKGRAPH_CACHE_DIR"]), timeout=30)
    with open_graph(address, settings=settings) as graph:
        for question in (
            f"When was {names[0]} born?",
            f"Who does {names[0]} know?",
            f"Who works for {names[1]}?",
            "How many people are there?",
        ):
            answer = graph.ask(question)
            print(f"{time.perf_counter() - began:6.2f} s  {question}  {answer.text[:80]}")
            began = time.perf_counter()


def scans(log: Path) -> list[str]:
    """The plans in the server's log that looked at every node."""
    text = log.read_text(encoding="utf-8", errors="replace") if log.is_file() else ""
    return [line[:200] for line in text.splitlines() if _SCANS.search(line)]


def main() -> None:
    """Make, ask, look at the log."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--ask", nargs=3, metavar=("ADDRESS", "NAME", "NAME"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.ask:
        ask(arguments.ask[0], arguments.ask[1:])
        return
    from tests.servers.neo4j_server import Neo4jServer

    with tempfile.TemporaryDirectory(prefix="askgraph-benchmark-") as scratch:
        server = Neo4jServer(Path(scratch) / "neo4j", settings=_LOG_PLANS).start()
        try:
            began = time.perf_counter()
            names = fill(server, arguments.nodes)
            print(f"{time.perf_counter() - began:6.1f} s  to fill it with {arguments.nodes:,} nodes")
            log = server.folder / "logs" / "query.log"
            before = len(scans(log))
            environment = {
                **os.environ,
                "ASKGRAPH_CACHE_DIR": f"{scratch}/cache",
                "ASKGRAPH_USER": server.user,
                "ASKGRAPH_PASSWORD": server.password,
                "PYTHONPATH": str(ROOT / "src"),
            }
            command = [sys.executable, __file__, "--ask", server.url, *names]
            subprocess.run(command, env=environment, check=True)
            time.sleep(1)
            found = scans(log)[before:]
            print(f"plans that scanned all nodes: {len(found)}", *found, sep="\n  ")
            began = time.perf_counter()
            server.rows(
                "MATCH (n:Person) WHERE toLower(n.name) CONTAINS toLower($name) RETURN n", {"name": names[0]}
            )
            print(f"{time.perf_counter() - began:6.2f} s  the driver alone, one name without an index")
        finally:
            server.stop()


if __name__ == "__main__":
    main()
