"""How long a question takes beside the model on a real Neo4j: the loop of the strategy ``agent``, a million nodes.

    python benchmarks/byokg_on_neo4j.py                  1,000,000 nodes, 4,000,000 relationships; --nodes, --edges
    python benchmarks/byokg_on_neo4j.py --keep FOLDER    leaves the database there, and takes it from there if it is

Starts a Neo4j of its own (`make servers` installs it), with a heap of 512 MB. It is filled by ``neo4j-admin database
import`` with a graph shaped like PrimeKG (load.py), and has a full-text index over names. A scripted model replies at
once, so that what is measured is all but the model, as in byokg_latency.py. Each question is asked of several nodes,
each new to the graph, after a few that warm up the server.

Printed for each kind of question: milliseconds of wall clock (median and least), milliseconds of CPU time of ours and
of the server's, requests, and what the server says that each of them took. On a busy machine the least wall clock and
the CPU times are the figures to look at; ``--rounds`` asks everything several times, about other nodes.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from byokg_latency import KINDS
from load import NODE_TYPES, make_files
from scripts.servers import launching, places
from tests.servers.neo4j_server import Neo4jServer

from askgraph import Graph, Settings, open_graph
from askgraph.byokg import ByoKGQueryEngine
from askgraph.models.scripted import ScriptedModel
from askgraph.stores.bolt.store import BoltStore

# Questions of a kind that go before: the server keeps the plan of a text, and there is one for each relation.
WARMING = 15
ASKED = 12
# Of the hub there is one: the same again and again, but for the first times, when the server plans its texts.
WARMING_AT_HUB = 2
ASKED_OF_HUB = 9
_SETTINGS = ("db.transaction.timeout=0s", "server.memory.pagecache.size=256m")
_TICKS = os.sysconf("SC_CLK_TCK")
_DATABASE = "neo4j"


@dataclass(frozen=True)
class Cost:
    """What one question took: seconds, requests, facts."""

    wall: float
    own_cpu: float
    server_cpu: float
    requests: int
    facts: int


def files(folder: Path, nodes: int, edges: int) -> list[str]:
    """Write the graph as files for the importer; gives its arguments."""
    import duckdb

    make_files(folder, nodes, edges)
    columns = {
        "nodes": 'id AS "id:ID", type AS ":LABEL", name, score AS "score:int"',
        "edges": 'source AS ":START_ID", target AS ":END_ID", type AS ":TYPE",'
        ' weight AS "weight:double", year AS "year:int"',
    }
    with duckdb.connect() as database:
        for name, selected in columns.items():
            database.execute(
                f"COPY (SELECT {selected} FROM read_csv('{folder}/{name}.csv')) TO '{folder}/import_{name}.csv'"
            )
    return [f"--nodes={folder}/import_nodes.csv", f"--relationships={folder}/import_edges.csv"]


def fill(server: Neo4jServer, nodes: int, edges: int) -> None:
    """Make the graph by the importer, before the server has ever run."""
    server.command()  # writes its configuration
    with tempfile.TemporaryDirectory(prefix="askgraph-import-") as scratch:
        words = ["database", "import", "full", _DATABASE, *files(Path(scratch), nodes, edges)]
        flags = ["-XX:TieredStopAtLevel=1", "-Xmx512m"]
        command = [
            *launching.java_command(places.NEO4J_5, flags),
            "org.neo4j.cli.AdminTool",
            *words,
            "--max-off-heap-memory=1g",
        ]
        subprocess.run(command, env=server.environment(), cwd=scratch, check=True, stdout=subprocess.DEVNULL)


def index(server: Neo4jServer) -> None:
    """The full-text index over names, waited for."""
    labels = "|".join(f"type_{number}" for number in range(NODE_TYPES))
    server.rows(f"CREATE FULLTEXT INDEX names IF NOT EXISTS FOR (n:{labels}) ON EACH [n.name]")
    server.rows("CALL db.awaitIndexes(600)")


def names(server: Neo4jServer) -> Iterator[str]:
    """Names of nodes that have few edges and many, spread over the graph."""
    rows = server.rows(
        "MATCH (n) WHERE n.score = 77 AND COUNT { (n)--() } > 0 RETURN n.name AS name LIMIT 400"
    )
    yield from (row["name"] for row in rows)


def hub(server: Neo4jServer) -> tuple[str, int]:
    """The node with the most edges."""
    [row] = server.rows(
        "MATCH (n) WITH n, COUNT { (n)--() } AS edges ORDER BY edges DESC LIMIT 1 RETURN n.name AS name, edges"
    )
    return row["name"], row["edges"]


def ask(graph: Graph, server: Neo4jServer, kind: str, name: str) -> Cost:
    """Ask one question."""
    question, path = KINDS[kind]
    reply = f"<entities>{name}</entities><paths>{path}</paths>"
    again = "<task-completion>FINISH</task-completion>"
    model = ScriptedModel({"propose": reply, "propose_again": again})
    engine = ByoKGQueryEngine(graph_store=graph, llm_generator=model)
    bolt = _bolt(graph).server
    requests, theirs = bolt.requests, cpu_of(server.pid)
    began, own = time.perf_counter(), time.process_time()
    context = engine.query(question.format(name=name))
    return Cost(
        time.perf_counter() - began,
        time.process_time() - own,
        cpu_of(server.pid) - theirs,
        bolt.requests - requests,
        len(context),
    )


def cpu_of(pid: int) -> float:
    """Seconds of CPU time that a process has had, all threads together; to the hundredth."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def summary(costs: list[Cost]) -> dict[str, Any]:
    """The figures of one kind of question."""
    return {
        "wall ms, median": round(1000 * statistics.median(item.wall for item in costs)),
        "wall ms, least": round(1000 * min(item.wall for item in costs)),
        "our CPU ms, median": round(1000 * statistics.median(item.own_cpu for item in costs)),
        "server's CPU ms, mean": round(1000 * statistics.fmean(item.server_cpu for item in costs)),
        "requests, most": max(item.requests for item in costs),
        "facts, median": statistics.median(item.facts for item in costs),
    }


def _bolt(graph: Graph) -> BoltStore:
    store = graph.store
    assert isinstance(store, BoltStore)
    return store


def measured(server: Neo4jServer, rounds: int) -> dict[str, Any]:
    """Ask questions of each kind."""
    own, (hub_name, degree) = names(server), hub(server)
    with tempfile.TemporaryDirectory(prefix="askgraph-cache-") as scratch:
        settings = Settings.load(
            save_runs=False, cache_dir=Path(scratch), user=server.user, password=server.password
        )
        with open_graph(server.url, settings=settings) as graph:
            for kind in KINDS:
                for _ in range(WARMING):
                    ask(graph, server, kind, next(own))
            figures = {
                kind: summary([ask(graph, server, kind, next(own)) for _ in range(ASKED * rounds)])
                for kind in KINDS
            }
            for kind in KINDS:
                for _ in range(WARMING_AT_HUB):
                    ask(graph, server, kind, hub_name)
            return figures | {
                f"{kind}, from the hub of {degree:,}": summary(
                    [ask(graph, server, kind, hub_name) for _ in range(ASKED_OF_HUB * rounds)]
                )
                for kind in KINDS
            }


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--edges", type=int, default=4_000_000)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the filled database in a folder")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="askgraph-benchmark-") as scratch:
        folder = (arguments.keep or Path(scratch)) / "neo4j"
        filled = folder / "filled"
        server = Neo4jServer(folder, settings=_SETTINGS)
        if not filled.exists():
            fill(server, arguments.nodes, arguments.edges)
        server.start()
        try:
            index(server)
            filled.touch()
            print(json.dumps(measured(server, arguments.rounds), indent=2))
        finally:
            server.stop()


if __name__ == "__main__":
    main()
