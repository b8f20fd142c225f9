"""The process that runs Cypher: its walls, its deadlines, and what it leaves on the disk."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from askgraph.core.budget import Budget
from askgraph.core.checked_query import SEAL, CheckedQuery
from askgraph.core.errors import (
    CapExceededError,
    DeadlineExceededError,
    OpenError,
    QueryFailedError,
)
from askgraph.core.graph import Edge, Node
from askgraph.querying import GatePolicy, check
from askgraph.stores.memory import in_memory
from askgraph.stores.property import cypher_feed
from askgraph.stores.property.cypher_process import engine_folder
from askgraph.stores.property.store import PropertyStore
from askgraph.stores.property.writer import PropertyGraphWriter
from askgraph.stores.workers.frames import making_of

COUNT = "MATCH (n) RETURN count(n) AS n"
# The engine's own time-out does not see this one.
RUNAWAY = "MATCH (a:P)-[*1..9]-(b) RETURN count(*) AS n"
EASY = GatePolicy(refuse_costly=False)


def query(text: str, **parameters: Any) -> CheckedQuery:
    return check(text, dialect="kglite", policy=EASY, parameters=parameters)


def past_the_gate(text: str) -> CheckedQuery:
    """What the gate would never make: only to see that there is a wall behind it."""
    return CheckedQuery(
        SEAL, text=text, language="cypher", dialect="kglite", parameters=(), columns=None, row_cap=10,
        capped_in_text=False, explain=False, notes=(),
    )  # fmt: skip


def crowd(path: Path, count: int = 100_000) -> Path:
    """Nodes enough that keeping something of each of them takes tens of megabytes."""
    with PropertyGraphWriter.into(path) as writer:
        writer.add_node_objects([Node(f"n{i}", types=("P",), properties={"k": i}) for i in range(count)])
        writer.finish()
    return path


def ring(count: int = 300) -> tuple[list[Node], list[Edge]]:
    """Nodes that all know many others."""
    nodes = [Node(f"n{i}", types=("P",), properties={"k": i, "text": "x" * 100}) for i in range(count)]
    edges = [
        Edge("", f"n{i}", f"n{(i * step + step) % count}", "K")
        for i in range(count)
        for step in (1, 3, 7, 11)
    ]
    return nodes, edges


def made(path: Path, count: int = 300) -> Path:
    with PropertyGraphWriter.into(path) as writer:
        nodes, edges = ring(count)
        writer.add_node_objects(nodes)
        writer.add_edge_objects(edges)
        writer.finish()
    return path


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with PropertyStore.open(made(tmp_path / "ring.graph")) as opened:
        yield opened


def engine_of(store: PropertyStore) -> Path:
    assert store.version_folder is not None
    return store.version_folder / engine_folder()


# --- walls


def test_a_store_takes_nothing_but_checked_queries(store: PropertyStore) -> None:
    with pytest.raises(TypeError, match=r"askgraph\.querying\.check"):
        store.query(COUNT)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        store.explain(COUNT)  # type: ignore[arg-type]


def test_another_language_is_said(store: PropertyStore) -> None:
    with pytest.raises(QueryFailedError, match="takes Cypher, and the query is SPARQL") as caught:
        store.query(check("ASK { ?s ?p ?o }", language="sparql"))
    assert caught.value.code == "language"


def test_missing_parameters_are_named(store: PropertyStore) -> None:
    with pytest.raises(QueryFailedError, match=r"\$least") as caught:
        store.query(query("MATCH (n) WHERE n.k > $least RETURN n"))
    assert caught.value.code == "parameters"


@pytest.mark.parametrize(
    "text",
    [
        "CREATE (n:X) RETURN n",
        "MATCH (n) SET n.k = 1",
        "MATCH (n) DETACH DELETE n",
        "CREATE INDEX FOR (n:P) ON (n.k)",
    ],
)
def test_what_got_past_the_gate_would_still_change_nothing(text: str, store: PropertyStore) -> None:
    before = store.query(query("MATCH (n) RETURN n.k AS k ORDER BY k")).rows
    with pytest.raises(QueryFailedError, match="read-only"):
        store.query(past_the_gate(text))
    assert store.query(query("MATCH (n) RETURN n.k AS k ORDER BY k")).rows == before


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limits")
def test_what_got_past_the_gate_would_still_read_no_file(store: PropertyStore, tmp_path: Path) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("a,b\n1,2\n", encoding="utf-8")
    for address in (str(secret), f"file://{secret}"):
        with pytest.raises(QueryFailedError) as caught:
            store.query(past_the_gate(f"LOAD CSV FROM '{address}' AS line RETURN line"))
        assert "open" in str(caught.value)


def test_the_worker_is_told_no_secrets(store: PropertyStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASKGRAPH_PASSWORD", "hunter2")
    monkeypatch.setenv("OPENAI_API_KEY", "hunter3")
    store.query(query(COUNT))
    environment = Path(f"/proc/{store.cypher_process_id}/environ")
    if not environment.exists():
        pytest.skip("this system does not show the environment of a process")
    assert b"hunter" not in environment.read_bytes()


# --- caps and deadlines


def test_rows_are_capped_and_the_cut_is_said(store: PropertyStore) -> None:
    result = store.query(query("MATCH (n) RETURN n.k"), None, Budget(rows=7, seconds=60))
    assert (len(result), result.truncated) == (7, True)
    assert "Only the first 7 rows: there are more." in result.notes
    capped = check("MATCH (n) RETURN n.k", dialect="kglite", policy=GatePolicy(rows=5))
    assert len(store.query(capped, None, Budget(seconds=60))) == 5
    whole = store.query(query("MATCH (n) RETURN n.k LIMIT 300"), None, Budget(seconds=60))
    assert (len(whole), whole.truncated, whole.notes) == (300, False, ())


def test_bytes_are_capped_with_those_of_the_nodes_in_a_row(store: PropertyStore) -> None:
    for text in ("MATCH (n) RETURN n", "MATCH (n) RETURN n.text", "MATCH ()-[r]->(n) RETURN r, n"):
        result = store.query(query(text), None, Budget(bytes=20_000, seconds=60))
        assert 10 < len(result) < 200
        assert result.truncated


def test_a_runaway_ends_at_its_deadline_and_the_next_query_works(store: PropertyStore) -> None:
    store.query(query(COUNT), None, Budget(seconds=60))
    started = time.monotonic()
    with pytest.raises(DeadlineExceededError, match="running Cypher"):
        store.query(query(RUNAWAY), None, Budget(seconds=1))
    assert time.monotonic() - started < 1.5
    assert store.query(query(COUNT), None, Budget(seconds=60)).rows == [(300,)]


def test_a_product_without_end_is_an_error_with_advice(store: PropertyStore) -> None:
    with pytest.raises((DeadlineExceededError, CapExceededError)) as caught:
        store.query(
            query("MATCH (a), (b), (c), (d) WHERE a.k < d.k RETURN count(*)"), None, Budget(seconds=3)
        )
    assert caught.value.advice


def test_more_than_the_engine_holds_at_once_is_a_cap(store: PropertyStore) -> None:
    with pytest.raises(CapExceededError, match="holds at once"):
        store.query(query("UNWIND range(1, 9900000) AS x RETURN sum(x)"), None, Budget(seconds=60))


def test_a_worker_that_is_killed_is_replaced(store: PropertyStore) -> None:
    store.query(query(COUNT), None, Budget(seconds=60))
    process = store.cypher_process_id
    assert process is not None
    os.kill(process, signal.SIGKILL)
    wait_until(lambda: store.cypher_process_id is None)
    assert store.query(query(COUNT), None, Budget(seconds=60)).rows == [(300,)]
    assert store.cypher_process_id not in (None, process)


def test_a_worker_that_dies_at_work_is_an_error_with_a_type(store: PropertyStore) -> None:
    store.query(query(COUNT), None, Budget(seconds=60))
    process = store.cypher_process_id
    assert process is not None
    threading.Timer(0.5, os.kill, (process, signal.SIGKILL)).start()
    with pytest.raises(CapExceededError, match="ended while it worked"):
        store.query(query(RUNAWAY), None, Budget(seconds=60, memory=2**40))
    assert store.query(query(COUNT), None, Budget(seconds=60)).rows == [(300,)]


def test_a_store_that_is_closed_meanwhile_says_so(store: PropertyStore) -> None:
    store.query(query(COUNT), None, Budget(seconds=60))
    threading.Timer(0.5, store.close).start()
    with pytest.raises(OpenError, match="closed"):
        store.query(query(RUNAWAY), None, Budget(seconds=60, memory=2**40))
    with pytest.raises(OpenError, match="closed"):
        store.query(query(COUNT))
    assert store.cypher_process_id is None


def test_queries_of_several_threads_take_turns(store: PropertyStore) -> None:
    found: list[Any] = []

    def ask() -> None:
        found.append(store.query(query(COUNT), None, Budget(seconds=60)).rows)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert found == [[(300,)]] * 8


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no such signal")
def test_an_interrupted_query_leaves_no_reply_for_the_next_one(store: PropertyStore) -> None:
    store.query(query(COUNT), None, Budget(seconds=60))
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        store.query(query(RUNAWAY), None, Budget(seconds=60, memory=2**40))
    assert store.query(query(COUNT), None, Budget(seconds=60)).rows == [(300,)]


# --- what is kept


class Watched:
    """A progress that remembers."""

    def __init__(self) -> None:
        self.stages: list[tuple[str, int | None]] = []
        self.done = 0

    def start(self, label: str, total: int | None = None) -> None:
        self.stages.append((label, total))

    def advance(self, amount: int = 1) -> None:
        self.done += amount

    def finish(self) -> None:
        pass


def test_the_engines_graph_is_made_once_with_progress_and_kept_with_the_version(tmp_path: Path) -> None:
    path = made(tmp_path / "ring.graph")
    watched = Watched()
    with PropertyStore.open(path) as store:
        folder = engine_of(store)
        assert not folder.exists()
        store.prepare_queries(watched)
        assert watched.stages == [("Preparing Cypher", 1_500)]
        assert watched.done <= 1_500
        written = (folder / "graph.kgl").stat().st_mtime_ns
        store.prepare_queries(watched)
        assert len(watched.stages) == 1
    with PropertyStore.open(path) as store:
        assert store.query(query(COUNT), None, Budget(seconds=60)).rows == [(300,)]
        assert (folder / "graph.kgl").stat().st_mtime_ns == written
        assert not [entry for entry in folder.parent.iterdir() if "making" in entry.name]


@pytest.mark.parametrize(
    "damage",
    [
        lambda folder: (folder / "graph.kgl").write_bytes(b"not a graph"),
        lambda folder: (folder / "graph.kgl").unlink(),
        lambda folder: (folder / "edges").write_bytes(b"12345678"),
        lambda folder: (folder / "nodes").unlink(),
    ],
)
def test_a_damaged_one_is_made_again(damage: Callable[[Path], object], tmp_path: Path) -> None:
    path = made(tmp_path / "ring.graph")
    with PropertyStore.open(path) as store:
        store.prepare_queries()
        folder = engine_of(store)
    damage(folder)
    with PropertyStore.open(path) as store:
        assert store.query(query(COUNT), None, Budget(seconds=60)).rows == [(300,)]
        (node,) = store.query(query("MATCH (n {id: 'n5'}) RETURN n"), None, Budget(seconds=60)).rows[0]
        assert isinstance(node, Node)
        assert node.id == "n5"


def test_a_deadline_before_it_is_ready_leaves_it_in_the_making(tmp_path: Path) -> None:
    path = made(tmp_path / "ring.graph")
    with PropertyStore.open(path) as store:
        with pytest.raises(DeadlineExceededError, match="index for Cypher") as caught:
            store.query(query(COUNT), None, Budget(seconds=0.001))
        assert "Try again" in (caught.value.advice or "")
        assert store.query(query(COUNT), None, Budget(seconds=60)).rows == [(300,)]


def test_closing_leaves_nothing_half_made_and_the_next_sweeps_what_others_left(tmp_path: Path) -> None:
    path = made(tmp_path / "ring.graph")
    with PropertyStore.open(path) as store:
        with pytest.raises(DeadlineExceededError):
            store.query(query(COUNT), None, Budget(seconds=0.001))
        folder = engine_of(store)
    assert not [entry for entry in folder.parent.iterdir() if "making" in entry.name]
    dead = making_of(folder, 2**22 + 12345)  # no system has a process of this number
    dead.mkdir()
    with PropertyStore.open(path) as store:
        store.prepare_queries()
    assert not dead.exists()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_asked_all_the_same(tmp_path: Path) -> None:
    path = made(tmp_path / "ring.graph")
    version = path / "versions" / "1"
    version.chmod(0o555)
    try:
        with PropertyStore.open(path) as store:
            assert store.query(query(COUNT), None, Budget(seconds=60)).rows == [(300,)]
    finally:
        version.chmod(0o755)


def test_lists_that_are_too_long_are_left_out_and_this_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cypher_feed, "MOST_LIST_NUMBERS", 100)
    nodes = [Node(f"n{i}", properties={"vector": [0.5] * 64, "short": [1.0]}) for i in range(3)]
    with in_memory(nodes, []) as store:
        result = store.query(query("MATCH (n) RETURN n.vector, n.short LIMIT 1"))
        assert result.rows == [(None, [1.0])]
        assert any("vector" in warning for warning in result.warnings)
        whole = store.query(query("MATCH (n) RETURN n LIMIT 1"))
        (node,) = whole.rows[0]
        assert isinstance(node, Node)
        assert node.properties["vector"] == [0.5] * 64
        assert whole.warnings == ()


# --- what the engine says


def test_warnings_of_the_engine_come_with_the_result(store: PropertyStore) -> None:
    result = store.query(query("MATCH (n:Q) RETURN n"))
    assert any("Q" in warning for warning in result.warnings)


@pytest.mark.parametrize(
    "text",
    [
        "MATCH ()-[r]->() RETURN startNode(r) LIMIT 1",
        "MATCH ()-[r]->() RETURN DISTINCT endNode(r) AS e",
        "MATCH ()-[r]->() RETURN collect(endNode(r)) AS ends",
        "MATCH ()-[r]->() WITH startNode(r) AS s RETURN s LIMIT 1",
    ],
)
def test_an_end_of_a_relationship_that_would_be_shown_as_nothing_is_refused(
    store: PropertyStore, text: str
) -> None:
    for ask in (store.query, store.explain):
        with pytest.raises(QueryFailedError, match="gives no node for") as caught:
            ask(query(text))
        assert caught.value.code == "unsupported"
        assert "Name the node in the pattern" in str(caught.value.advice)


@pytest.mark.parametrize(
    "text",
    [
        "MATCH ()-[r]->() RETURN startNode(r).k, 'startNode(r)' LIMIT 1",
        "MATCH ()-[r]->() WITH startNode(r) AS s RETURN s.k LIMIT 1",
        "MATCH ()-[r]->(m) WHERE endNode(r) = m RETURN m.k LIMIT 1",
        "MATCH ()-[r]->(m) WHERE m <> startNode(r) RETURN count(DISTINCT startNode(r)) AS n",
        "MATCH ()-[r]->() RETURN id(startNode(r)) AS i, labels(endNode(r)) AS l LIMIT 1",
    ],
)
def test_an_end_of_a_relationship_that_is_only_looked_at_is_fine(store: PropertyStore, text: str) -> None:
    assert store.query(query(text)).warnings == ()


def test_an_error_of_the_engine_is_typed(store: PropertyStore) -> None:
    with pytest.raises(QueryFailedError, match="zero") as caught:
        store.query(query("RETURN 1/0 AS x"))
    assert caught.value.code == "engine"


def test_explain_tells_operators_and_runs_nothing(store: PropertyStore) -> None:
    found = store.explain(query("MATCH (n:P)-[r:K]->(m) WHERE n.k > 5 RETURN m.k"))
    assert found.operators[-1].startswith("Match :P")
    assert "rows)" in found.text
    assert not any("OptimizerPass" in operator for operator in found.operators)
    assert store.explain(query("EXPLAIN MATCH (n:P) RETURN n.k")).operators


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.01)


# --- memory

# Keeps something of every node, in an order and then as a list.
GREEDY = "MATCH (n:P) WITH n ORDER BY n.k RETURN collect(n.k) AS a, count(*) AS c"
MEGABYTE = 1024 * 1024


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with PropertyStore.open(crowd(tmp_path_factory.mktemp("crowd") / "crowd.graph")) as opened:
        yield opened


@pytest.mark.skipif(
    sys.platform != "linux", reason="the system does not tell how much memory a process holds"
)
def test_a_query_that_needs_too_much_memory_is_ended_and_the_next_one_works(crowded: PropertyStore) -> None:
    assert crowded.query(query(COUNT), budget=Budget(seconds=60)).rows == [(100_000,)]
    with pytest.raises(CapExceededError, match=r"more than 8 MB of memory[\s\S]*query_memory"):
        crowded.query(query(GREEDY), budget=Budget(seconds=60, memory=8 * MEGABYTE))
    assert crowded.cypher_process_id is None
    assert crowded.query(query(COUNT), budget=Budget(seconds=60, memory=8 * MEGABYTE)).rows == [(100_000,)]


@pytest.mark.skipif(
    sys.platform != "linux", reason="the system does not tell how much memory a process holds"
)
def test_what_an_earlier_query_left_behind_is_not_held_against_the_next(crowded: PropertyStore) -> None:
    crowded.query(query(GREEDY), budget=Budget(seconds=60))
    process = crowded.cypher_process_id
    assert process is not None
    assert crowded.query(query(COUNT), budget=Budget(seconds=60, memory=MEGABYTE)).rows == [(100_000,)]
    sorted_rows = query("MATCH (n:P) RETURN n.k AS k ORDER BY k DESC LIMIT 1")
    assert crowded.query(sorted_rows, budget=Budget(seconds=60)).rows == [(99_999,)]


def test_sorted_rows_up_to_a_cap_take_next_to_no_memory(crowded: PropertyStore) -> None:
    for text in (
        "MATCH (n:P) RETURN n.k AS k ORDER BY k",
        "MATCH (n:P) RETURN n",
        "MATCH (n:P) RETURN n ORDER BY n.k",
    ):
        found = crowded.query(query(text), budget=Budget(seconds=60, rows=100, memory=16 * MEGABYTE))
        assert (len(found.rows), found.truncated) == (100, True)
