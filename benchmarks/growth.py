"""How the cost of everything grows with a graph: load, index, open, link, ask and memory, each beside a baseline.

    python benchmarks/growth.py                          10,000, 100,000, 1,000,000, 4,000,000 and 10,000,000 edges
    python benchmarks/growth.py --edges 10000 100000     other sizes
    python benchmarks/growth.py --hub                    a node with a million neighbours as well

Graphs are shaped like PrimeKG (``load.py``): one node for 30 edges, 10 node types, 30 edge types, heavy-tailed degrees.
Every step of every size runs in a process of its own, so that its memory is its own. Times are CPU times, of all
threads together: what else the machine does changes them little. Questions are asked warm: the model is loaded, and the
same has been asked of other nodes before.

Baselines, on the same data in the same run: for loading, DuckDB reading both files into tables; for the index, a Python
dictionary from names to ids; for opening, DuckDB opening its tables and counting them; for linking a name with a typo,
RapidFuzz comparing it with every name; for asking, the same questions as SQL that somebody wrote by hand for these
tables, in DuckDB.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from load import duckdb_alone, load, make_files, measured, peak_mb

if TYPE_CHECKING:
    from askgraph import Graph

SEED = 1
SIZES = (10_000, 100_000, 1_000_000, 4_000_000, 10_000_000)
EDGES_PER_NODE = 30
SINGLE_NODES = 10
MENTIONS = 30
BASELINE_MENTIONS = 4
HUB_NEIGHBOURS = 1_000_000
HUB_TIMEOUT = 5.0

Figures = dict[str, float]


# --- what is asked


def sample(folder: Path, count: int, seed: int = SEED) -> list[tuple[str, str]]:
    """Ids and names of nodes chosen by chance."""
    import duckdb

    with duckdb.connect() as database:
        rows = database.execute(
            f"SELECT id, name FROM read_csv('{folder}/nodes.csv', header = true)"
        ).fetchall()
    return [(str(id), str(name)) for id, name in random.Random(seed).sample(rows, min(count, len(rows)))]


def questions(folder: Path, seed: int = SEED) -> list[tuple[str, str]]:
    """Questions, about single nodes and about all of a type, each with the SQL that answers it."""
    asked = [
        ("How many type 2 are there?", "SELECT count(*) FROM nodes WHERE type = 'type_2'"),
        (
            "Which type 2 has the highest score?",
            "SELECT name FROM nodes WHERE type = 'type_2' ORDER BY score DESC LIMIT 1",
        ),
        ("type 3 with score over 990", "SELECT name, score FROM nodes WHERE type = 'type_3' AND score > 990"),
        ("What is the average score of type 4?", "SELECT avg(score) FROM nodes WHERE type = 'type_4'"),
    ]
    for id, name in sample(folder, SINGLE_NODES, seed):
        asked.append((f"What is the score of {name}?", f"SELECT score FROM nodes WHERE name = '{name}'"))
        ends = f"'{id}' IN (e.source, e.target)"
        other = f"if(e.source = '{id}', e.target, e.source)"
        joined = f"SELECT DISTINCT n.name FROM edges e JOIN nodes n ON n.id = {other} WHERE {ends}"
        asked.append((f"What is relation 3 of {name}?", f"{joined} AND e.type = 'relation_3'"))
    return asked


def with_typo(name: str) -> str:
    """A name with one letter left out."""
    cut = len(name) // 2
    return name[:cut] + name[cut + 1 :]


# --- the steps


def opened(folder: Path) -> Graph:
    """The graph, with what it learns kept in the folder of this run."""
    from askgraph import Settings, open_graph

    return open_graph(
        folder / "bench.graph", settings=Settings.load(save_runs=False, cache_dir=folder / "cache")
    )


def index(folder: Path) -> Figures:
    """``askgraph index``."""
    with opened(folder) as graph:
        return measured(graph.build_index)


def dictionary(folder: Path) -> Figures:
    """Names to ids in a dictionary."""
    import duckdb

    def build() -> None:
        names: dict[str, list[str]] = {}
        with duckdb.connect(str(folder / "alone.duckdb"), read_only=True) as database:
            cursor = database.execute("SELECT name, id FROM nodes")
            while rows := cursor.fetchmany(10_000):
                for name, id in rows:
                    names.setdefault(name.casefold(), []).append(id)

    return measured(build)


def open_it(folder: Path) -> Figures:
    """Open the graph and its index, up to the first name that is found."""
    ((_, name),) = sample(folder, 1)
    __import__("askgraph.engine")

    def work() -> None:
        with opened(folder) as graph:
            graph.link(name)

    return measured(work)


def open_tables(folder: Path) -> Figures:
    """Open the tables and count them."""
    import duckdb

    def work() -> None:
        with duckdb.connect(str(folder / "alone.duckdb"), read_only=True) as database:
            database.execute("SELECT (SELECT count(*) FROM nodes), (SELECT count(*) FROM edges)").fetchall()

    return measured(work)


def link(folder: Path) -> Figures:
    """Link names with a typo, one after another."""
    names = [with_typo(name) for _, name in sample(folder, MENTIONS)]
    with opened(folder) as graph:
        graph.link(names[0])
        return each([lambda name=name: graph.link(name) for name in names])


def compare_all(folder: Path) -> Figures:
    """Compare a name with every name there is."""
    import duckdb
    from rapidfuzz import fuzz, process

    wanted = [with_typo(name) for _, name in sample(folder, MENTIONS)][:BASELINE_MENTIONS]
    with duckdb.connect(str(folder / "alone.duckdb"), read_only=True) as database:
        names = [name for (name,) in database.execute("SELECT name FROM nodes").fetchall()]
    return each([lambda name=name: process.extractOne(name, names, scorer=fuzz.WRatio) for name in wanted])


def ask(folder: Path) -> Figures:
    """Ask every question once."""
    with opened(folder) as graph:
        for question, _ in questions(folder, SEED + 1):
            graph.ask(question)
        asked = [question for question, _ in questions(folder)]
        figures = each([lambda question=question: graph.ask(question) for question in asked])
        answered = sum(not graph.ask(question).abstained for question in asked)
        return {**figures, "answered": answered / len(asked)}


def query(folder: Path) -> Figures:
    """Run the SQL of every question once."""
    import duckdb

    with duckdb.connect(str(folder / "alone.duckdb"), read_only=True) as database:
        return each([lambda sql=sql: database.execute(sql).fetchall() for _, sql in questions(folder)])


def each(work: Sequence[Callable[[], Any]]) -> Figures:
    """The median and 95th percentile of the CPU milliseconds that each call takes, and the peak memory."""
    taken = []
    for call in work:
        started = time.process_time()
        call()
        taken.append(1000 * (time.process_time() - started))
    p95 = statistics.quantiles(taken, n=20)[-1] if len(taken) > 1 else taken[0]
    return {"p50_ms": statistics.median(taken), "p95_ms": p95, "rss_mb": peak_mb()}


def hub(folder: Path) -> Figures:
    """Ask for the neighbours of a node that has a million, within a deadline."""
    import duckdb

    with duckdb.connect() as database:
        everything = f"range({HUB_NEIGHBOURS}) numbers(n)"
        database.execute(
            "COPY (SELECT 'H' AS id, 'place' AS type, 'Grand Junction' AS name UNION ALL "
            f"SELECT 'N' || n, 'person', 'person ' || n FROM {everything}) TO '{folder}/nodes.csv' (HEADER)"
        )
        database.execute(
            f"COPY (SELECT 'N' || n AS source, 'H' AS target, 'visited' AS type FROM {everything})"
            f" TO '{folder}/edges.csv' (HEADER)"
        )
    load(folder)
    with opened(folder) as graph:
        graph.build_index()
        graph.ask("How many person are there?")
        started = time.perf_counter()
        answer = graph.ask("Who visited Grand Junction?", timeout=HUB_TIMEOUT)
        taken = time.perf_counter() - started
    said = " ".join(answer.notes)
    print(f"  {answer.text[:110]}\n  {said}", file=sys.stderr)
    is_said = "not all were followed" in said or "There are more rows" in said
    return {
        "answers": len(answer.answers),
        "wall_s": taken,
        "cut_is_said": float(is_said),
        "rss_mb": peak_mb(),
    }


STEPS: dict[str, Callable[[Path], Figures]] = {
    "make": lambda folder: {},
    "load": load,
    "load in DuckDB": duckdb_alone,
    "index": index,
    "index as a dictionary": dictionary,
    "open": open_it,
    "open in DuckDB": open_tables,
    "link": link,
    "link by comparing all": compare_all,
    "ask": ask,
    "ask in SQL by hand": query,
    "hub": hub,
}


def run_step(step: str, folder: Path, edges: int = 0) -> Figures:
    """A step in a process of its own. This one stays small: a child's peak memory begins with that of its parent."""
    command = [sys.executable, __file__, "--step", step, "--folder", str(folder), "--edges", str(edges)]
    process = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8")
    figures: Figures = json.loads(process.stdout)
    return figures


def measure(edges: int) -> dict[str, Figures]:
    """All steps for a graph of this size."""
    with tempfile.TemporaryDirectory(prefix="askgraph-growth-") as name:
        folder = Path(name)
        run_step("make", folder, edges)
        results = {step: run_step(step, folder) for step in STEPS if step not in ("make", "hub")}
        kept = sum(file.stat().st_size for file in (folder / "bench.graph").rglob("*") if file.is_file())
        results["load"]["disk_mb"] = kept / 2**20
        return results


def table(results: dict[int, dict[str, Figures]]) -> str:
    """The figures as a Markdown table: a row for a step and what was measured of it, a column for a size."""
    shown = [("cpu_s", "CPU s"), ("p50_ms", "p50 CPU ms"), ("p95_ms", "p95 CPU ms"), ("rss_mb", "peak MB")]
    shown += [("disk_mb", "MB on disk"), ("answered", "share answered")]
    lines = ["| | | " + " | ".join(f"{edges:,} edges" for edges in results) + " |"]
    lines.append("| --- | --- |" + " ---: |" * len(results))
    for step in STEPS:
        for key, heading in shown:
            cells = [found[step][key] for found in results.values() if key in found.get(step, {})]
            if cells:
                lines.append(f"| {step} | {heading} | " + " | ".join(_figure(cell) for cell in cells) + " |")
    return "\n".join(lines)


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def main() -> None:
    """Measure each size in turn and print the table after each, so that nothing is lost when it is stopped."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--edges", type=int, nargs="*", default=SIZES)
    parser.add_argument("--hub", action="store_true", help="a node with a million neighbours as well")
    parser.add_argument("--step", choices=list(STEPS), help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.step:
        if arguments.step == "make":
            (edges,) = arguments.edges
            make_files(arguments.folder, max(100, edges // EDGES_PER_NODE), edges)
        print(json.dumps(STEPS[arguments.step](arguments.folder)))
        return
    results: dict[int, dict[str, Figures]] = {}
    for edges in arguments.edges:
        results[edges] = measure(edges)
        print(table(results), flush=True)
    if arguments.hub:
        with tempfile.TemporaryDirectory(prefix="askgraph-growth-") as name:
            print("hub", json.dumps(run_step("hub", Path(name))), flush=True)


if __name__ == "__main__":
    main()
