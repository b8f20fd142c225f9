"""SPARQL text on an embedded RDF graph: every form of query, its cells, its caps, and the wall behind the gate."""

from __future__ import annotations

import contextlib
import datetime
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from askgraph.core.budget import Budget
from askgraph.core.checked_query import SEAL, CheckedQuery
from askgraph.core.errors import DeadlineExceededError, OpenError, QueryFailedError
from askgraph.core.graph import Node
from askgraph.core.values import Duration, LanguageText, TypedLiteral
from askgraph.querying import GatePolicy, check
from askgraph.stores.rdf import query_cells
from askgraph.stores.rdf.loading import load_rdf
from askgraph.stores.rdf.sparql_process import INDEX_FOLDER
from askgraph.stores.rdf.store import RdfStore

TURTLE = """
@prefix : <http://e/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:ann a :Person ; rdfs:label "Ann"@en , "Anna"@de ; :age 36 ; :pay 1.50 ; :born "1980-01-02"^^xsd:date ;
    :rest "P1Y2M"^^xsd:duration ; :code "x"^^:secret ; :tall true ; :knows :bob , [ rdfs:label "somebody" ] .
:bob a :Person ; rdfs:label "Bob" ; :seen "2020-01-01T10:00:00Z"^^xsd:dateTime ; :ratio 0.5e0 .
:Person a rdfs:Class ; rdfs:label "human being" .
"""
P = "PREFIX : <http://e/> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> "


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RdfStore]:
    file = tmp_path_factory.mktemp("rdf") / "people.ttl"
    file.write_text(TURTLE, encoding="utf-8")
    with RdfStore.from_files(file) as opened:
        yield opened


def ask(store: RdfStore, text: str, budget: Budget | None = None, policy: GatePolicy | None = None) -> Any:
    return store.query(check(P + text, language="sparql", policy=policy), None, budget or Budget(seconds=60))


def past_the_gate(text: str) -> CheckedQuery:
    """What the gate would never make: only to see that there is a wall behind it."""
    return CheckedQuery(
        SEAL, text=text, language="sparql", dialect="", parameters=(), columns=None, row_cap=10,
        capped_in_text=False, explain=False, notes=(),
    )  # fmt: skip


# --- forms and cells


def test_iris_are_nodes_with_the_names_and_types_that_the_graph_gives_them(store: RdfStore) -> None:
    result = ask(store, "SELECT ?x ?c WHERE { ?x a ?c ; :age ?a }")
    assert (result.columns, result.shape) == (("x", "c"), "rows")
    ((ann, person),) = result.rows
    assert (ann.id, ann.name, ann.types) == ("http://e/ann", "Ann", ("http://e/Person",))
    assert person.name == "human being"
    assert not ann.properties


def test_properties_are_called_what_the_schema_calls_them(store: RdfStore) -> None:
    ((predicate,),) = ask(store, "SELECT DISTINCT ?p WHERE { ?x ?p 36 }").rows
    assert (predicate.id, predicate.name) == ("http://e/age", "age")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("age", 36),
        ("pay", Decimal("1.50")),
        ("born", datetime.date(1980, 1, 2)),
        ("rest", Duration(14)),
        ("code", TypedLiteral("x", "http://e/secret")),
        ("tall", True),
        ("seen", datetime.datetime(2020, 1, 1, 10, tzinfo=datetime.UTC)),
        ("ratio", 0.5),
    ],
)
def test_a_literal_comes_as_the_value_that_it_is(key: str, value: Any, store: RdfStore) -> None:
    assert ask(store, f"SELECT ?v WHERE {{ ?x :{key} ?v }}").rows == [(value,)]


def test_a_text_keeps_its_language_and_what_is_not_bound_is_null(store: RdfStore) -> None:
    rows = ask(
        store, "SELECT ?v ?n WHERE { :ann rdfs:label ?v OPTIONAL { :ann :nothing ?n } } ORDER BY ?v"
    ).rows
    assert sorted(rows, key=str) == [(LanguageText("Ann", "en"), None), (LanguageText("Anna", "de"), None)]


def test_a_blank_node_of_the_graph_is_found_by_its_id_again(store: RdfStore) -> None:
    ((blank,),) = ask(store, 'SELECT ?x WHERE { :ann :knows ?x . ?x rdfs:label "somebody" }').rows
    assert blank.id.startswith("_:")
    assert blank.name == "somebody"
    assert next(iter(store.nodes([blank.id]))).id == blank.id


def test_ask_is_one_truth_value(store: RdfStore) -> None:
    result = ask(store, "ASK { :ann :knows :bob }")
    assert (result.columns, result.rows, result.shape) == (("answer",), [(True,)], "boolean")
    assert ask(store, "ASK { :bob :knows :ann }").rows == [(False,)]


def test_construct_gives_each_triple_once(store: RdfStore) -> None:
    result = ask(store, "CONSTRUCT { ?x :is :here } WHERE { ?x rdfs:label ?l }")
    assert (result.columns, result.shape) == (("subject", "predicate", "object"), "triples")
    subjects = [row[0].name for row in result.rows]
    assert sorted(subjects) == ["Ann", "Bob", "human being", "somebody"]


def test_blank_nodes_that_a_query_makes_have_the_same_ids_each_time(store: RdfStore) -> None:
    text = "CONSTRUCT { ?x :has [ :of ?x ] } WHERE { ?x a :Person } ORDER BY ?x"
    first = [[cell.id for cell in row] for row in ask(store, text).rows]
    assert first == [[cell.id for cell in row] for row in ask(store, text).rows]
    assert any(id.startswith("_:new") for row in first for id in row)


def test_describe_gives_what_is_said_of_a_node(store: RdfStore) -> None:
    result = ask(store, "DESCRIBE :bob")
    assert result.shape == "triples"
    assert {row[1].id.rpartition("/")[2] for row in result.rows} >= {"seen", "ratio"}


def test_triples_of_named_graphs_are_seen_with_and_without_graph(tmp_path: Path) -> None:
    file = tmp_path / "a.trig"
    file.write_text("@prefix : <http://e/> . :g { :a :p :b } :a :q :c .", encoding="utf-8")
    with RdfStore.from_files(file) as store:
        assert ask(store, "SELECT ?o WHERE { :a :p ?o }").rows[0][0].id == "http://e/b"
        assert ask(store, "SELECT ?g WHERE { GRAPH ?g { ?s ?p ?o } }").rows[0][0].id == "http://e/g"


def test_names_are_looked_up_for_so_many_nodes_and_this_is_said(
    store: RdfStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(query_cells, "MOST_NAMED", 1)
    monkeypatch.setattr("askgraph.stores.rdf.store.MOST_NAMED", 1)
    result = ask(store, "SELECT ?x WHERE { ?x a :Person } ORDER BY ?x")
    assert [row[0].name for row in result.rows] == ["Ann", "bob"]
    assert any("looked up for the first 1" in note for note in result.notes)


# --- caps, deadlines, errors


def crowd(folder: Path) -> Path:
    file = folder / "crowd.nt"
    lines = (f'<http://e/n{i:04}> <http://e/k> "{i}" .\n' for i in range(2_000))
    file.write_text("".join(lines), encoding="utf-8")
    return file


def test_rows_and_bytes_are_capped_and_the_cut_is_said(tmp_path: Path) -> None:
    with RdfStore.from_files(crowd(tmp_path)) as store:
        for text in ("SELECT ?x WHERE { ?x :k ?v }", "CONSTRUCT { ?x :l ?v } WHERE { ?x :k ?v }"):
            result = ask(store, text, Budget(rows=7, seconds=60))
            assert (len(result), result.truncated) == (7, True)
            assert "Only the first 7 rows: there are more." in result.notes
            result = ask(store, text, Budget(bytes=10_000, seconds=60))
            assert 10 < len(result) < 200
            assert result.truncated
        whole = ask(store, "SELECT ?x WHERE { ?x :k ?v } LIMIT 1000")
        assert (len(whole), whole.truncated) == (1_000, False)


def test_a_runaway_ends_at_its_deadline_and_the_next_query_works(tmp_path: Path) -> None:
    with RdfStore.from_files(crowd(tmp_path)) as store:
        free = GatePolicy(refuse_costly=False)
        ask(store, "ASK { ?s ?p ?o }")
        started = time.monotonic()
        with pytest.raises(DeadlineExceededError, match="running SPARQL"):
            ask(store, "SELECT (COUNT(*) AS ?n) { ?a :k ?x . ?b :k ?y . ?c :k ?z }", Budget(seconds=1), free)
        assert time.monotonic() - started < 1.5
        assert ask(store, "SELECT (COUNT(*) AS ?n) { ?x :k ?v }").rows == [(2_000,)]


def test_what_is_no_checked_sparql_is_refused(store: RdfStore) -> None:
    with pytest.raises(TypeError, match=r"askgraph\.querying\.check"):
        store.query("ASK { ?s ?p ?o }")  # type: ignore[arg-type]
    with pytest.raises(QueryFailedError, match="takes SPARQL, and the query is Cypher"):
        store.query(check("MATCH (n) RETURN n"))
    checked = check("ASK { ?s ?p ?o }", language="sparql")
    with pytest.raises(QueryFailedError, match="no parameters"):
        store.query(checked, {"s": "http://e/ann"})


def test_an_explanation_is_not_to_be_had_and_this_is_said(store: RdfStore) -> None:
    with pytest.raises(QueryFailedError) as caught:
        store.explain(check("ASK { ?s ?p ?o }", language="sparql"))
    assert caught.value.code == "unsupported"


def test_an_error_of_the_engine_is_typed(store: RdfStore) -> None:
    with pytest.raises(QueryFailedError, match="cannot run this query") as caught:
        store.query(past_the_gate("SELECT nothing"))
    assert caught.value.code == "engine"


def test_a_closed_store_answers_nothing(tmp_path: Path) -> None:
    store = RdfStore.from_files(crowd(tmp_path))
    store.close()
    with pytest.raises(OpenError, match="closed"):
        ask(store, "ASK { ?s ?p ?o }")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limits")
def test_what_got_past_the_gate_would_still_call_nobody(store: RdfStore) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        called = []
        server.settimeout(2)

        def listen() -> None:
            with contextlib.suppress(OSError):
                called.append(server.accept()[0])

        listener = threading.Thread(target=listen)
        listener.start()
        address = f"http://127.0.0.1:{server.getsockname()[1]}/sparql"
        with pytest.raises(QueryFailedError):
            store.query(past_the_gate(f"SELECT * WHERE {{ SERVICE <{address}> {{ ?s ?p ?o }} }}"))
        listener.join()
    assert not called


def test_the_index_is_made_ahead_with_progress_and_made_again_when_damaged(tmp_path: Path) -> None:
    into = tmp_path / "out.graph"
    load_rdf([crowd(tmp_path)], into)
    with RdfStore.open(into) as store:
        folder = store.version_folder
        assert folder is not None
        store.prepare_queries()
        assert (folder / INDEX_FOLDER).is_dir()
    for file in (folder / INDEX_FOLDER).iterdir():
        file.write_bytes(b"damaged")
    with RdfStore.open(into) as store:
        assert ask(store, "SELECT (COUNT(*) AS ?n) { ?x :k ?v }").rows == [(2_000,)]


def test_names_of_nodes_are_those_of_the_store(store: RdfStore) -> None:
    (node,) = ask(store, "SELECT ?x WHERE { ?x :ratio ?r }").rows[0]
    assert isinstance(node, Node)
    assert node.names == next(iter(store.nodes(["http://e/bob"]))).names


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such timer")
def test_a_worker_whose_parent_was_killed_ends_soon_after_its_deadline(tmp_path: Path) -> None:
    script = f"""
import threading, time
from askgraph.core.budget import Budget
from askgraph.querying import GatePolicy, check
from askgraph.stores.rdf.store import RdfStore
store = RdfStore.from_files({str(crowd(tmp_path))!r})
store.prepare_queries()
print(store.sparql_process_id, flush=True)
text = "SELECT (COUNT(*) AS ?n) {{ ?a <http://e/k> ?x . ?b <http://e/k> ?y . ?c <http://e/k> ?z }}"
store.query(check(text, language="sparql", policy=GatePolicy(refuse_costly=False)), None, Budget(seconds=2))
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        time.sleep(0.5)
        parent.kill()
    deadline = time.monotonic() + 20
    while is_running(worker) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not is_running(worker)


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    # One that has ended and that nobody has waited for is still listed.
    state = Path(f"/proc/{process}/stat")
    return not state.exists() or state.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
