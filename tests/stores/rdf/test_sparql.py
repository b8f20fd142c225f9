"""Plans shown as SPARQL, and SPARQL that runs in a process of its own."""

from __future__ import annotations

import itertools
import math
import os
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.stores.plan_conformance import CASES, EDGES, NODES, PARENTS, Case, assert_rows
from tests.stores.plan_strategies import PARENTS as RANDOM_PARENTS
from tests.stores.plan_strategies import PLAIN_VALUES, plans
from tests.stores.rdf.rdf_text import ntriples
from tests.stores.rdf.test_plans import alike, iri, rdf_graphs

from askgraph.core.budget import Budget
from askgraph.core.errors import CapExceededError, DeadlineExceededError, OpenError, PlanError
from askgraph.core.graph import Edge, Node
from askgraph.core.plan import (
    Aggregate,
    And,
    Column,
    Compare,
    Constant,
    EdgePattern,
    Expression,
    NodePattern,
    NodeReference,
    Not,
    Pattern,
    Plan,
    PropertyOf,
)
from askgraph.core.values import LanguageText
from askgraph.stores.rdf.loading import load_rdf
from askgraph.stores.rdf.plan_to_sparql import plan_to_sparql
from askgraph.stores.rdf.sparql_process import INDEX_FOLDER
from askgraph.stores.rdf.store import RdfStore

# SPARQL says 0 where a plan says that there is nothing to take.
NOT_THE_SAME = {"an average of nothing"}

X = NodeReference("x")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RdfStore]:
    file: Path = tmp_path_factory.mktemp("plans") / "graph.nt"
    file.write_text(ntriples(NODES, EDGES, PARENTS), encoding="utf-8")
    with RdfStore.from_files(file) as opened:
        yield opened


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.name not in NOT_THE_SAME], ids=lambda case: case.name
)
def test_the_query_that_is_shown_gives_the_rows_of_the_plan(case: Case, store: RdfStore) -> None:
    assert_rows(store.run_as_sparql(case.plan), case)


@given(data=st.data(), graph=rdf_graphs(PLAIN_VALUES))
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
def test_random_plans_and_their_queries_agree(
    data: st.DataObject, graph: tuple[list[Node], list[Edge]]
) -> None:
    nodes, edges = graph
    parents = {iri(below): tuple(map(iri, above)) for below, above in RANDOM_PARENTS.items()}
    folder = Path(tempfile.mkdtemp())
    try:
        file = folder / "graph.nt"
        file.write_text(ntriples(nodes, edges, parents), encoding="utf-8")
        with RdfStore.from_files(file) as store:
            for _ in range(6):
                plan = data.draw(plans(nodes, edges))
                if plan.limit is not None or plan.offset or _takes_sums(plan):
                    continue
                found = sorted(store.run_as_sparql(plan, Budget(seconds=60)).rows, key=repr)
                wanted = sorted(store.run(plan).rows, key=repr)
                same = len(found) == len(wanted) and all(
                    all(map(alike, row, right)) for row, right in zip(found, wanted, strict=True)
                )
                assert same, (store.to_sparql(plan), found, wanted)
    finally:
        shutil.rmtree(folder)


NAME, NUMBER, MIXED = (iri(name) for name in ("name", "number", "mixed"))
CONSTANTS: list[Any] = [
    3,
    "3",
    True,
    1.5,
    None,
    2**64,
    iri("n1"),
    LanguageText("a", "en"),
    math.nan,
    math.inf,
]
CONSTANTS += [Decimal(text) for text in ("NaN", "Infinity", "1E+30", "1.50")]
COMPARED: list[Expression] = [
    *(NodeReference(variable) for variable in "xy"),
    *(PropertyOf("x", key) for key in (NAME, NUMBER, MIXED)),
    *map(Constant, CONSTANTS),
]


@pytest.fixture(scope="module")
def of_every_kind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RdfStore]:
    """Nodes with texts, numbers, both, or an IRI for a value."""
    nodes = [
        Node(iri("n1"), properties={NAME: "a", NUMBER: 3, MIXED: [1, "3"]}),
        Node(iri("n2"), properties={NAME: iri("n1"), NUMBER: Decimal("1.5"), MIXED: "a"}),
        Node(iri("n3"), properties={NAME: "3", NUMBER: -1.0, MIXED: True}),
    ]
    ends = (("n1", "n2"), ("n2", "n3"), ("n3", "n3"))
    edges = [Edge("", iri(source), iri(target), iri("r")) for source, target in ends]
    file: Path = tmp_path_factory.mktemp("kinds") / "graph.nt"
    file.write_text(ntriples(nodes, edges, {}), encoding="utf-8")
    with RdfStore.from_files(file) as opened:
        yield opened


@pytest.mark.parametrize("comparator", ["=", "<>", "<", ">=", "contains", "ends with"])
def test_values_of_every_kind_compare_alike(comparator: Any, of_every_kind: RdfStore) -> None:
    pattern = Pattern((NodePattern("x"), NodePattern("y")), (EdgePattern("x", "y", (iri("r"),)),))
    columns = (Column("x", X), Column("y", NodeReference("y")))
    for left, right in itertools.product(COMPARED, COMPARED):
        compare = Compare(left, comparator, right)
        for where in (compare, Not(compare)):
            plan = Plan(pattern, columns, where)
            found = of_every_kind.run_as_sparql(plan, Budget(seconds=60)).rows
            assert found == of_every_kind.run(plan).rows, of_every_kind.to_sparql(plan)


def _takes_sums(plan: Plan) -> bool:
    return any(getattr(column.expression, "function", "") in ("sum", "average") for column in plan.columns)


# --- the text


def text_of(store: RdfStore, **parts: Any) -> str:
    defaults: dict[str, Any] = {
        "pattern": Pattern((NodePattern("x", ("http://example.org/Company",)),)),
        "columns": (Column("company", X),),
    }
    return store.to_sparql(Plan(**(defaults | parts)))


def test_a_query_reads_as_a_person_would_write_it(store: RdfStore) -> None:
    pattern = Pattern(
        (
            NodePattern("x", ("http://example.org/Person",)),
            NodePattern("y", ids=("http://example.org/acme",)),
        ),
        (EdgePattern("x", "y", ("http://example.org/worksAt",)),),
    )
    where = Compare(PropertyOf("x", "http://example.org/salary"), ">", Constant(4500))
    columns = (Column("who", X), Column("salary", PropertyOf("x", "http://example.org/salary")))
    assert (
        text_of(store, pattern=pattern, where=where, columns=columns, limit=3)
        == """\
# person means: person, employee, artist, manager.

SELECT DISTINCT ?who ?salary WHERE {
  VALUES ?who_type { <http://example.org/Person> <http://example.org/Employee> <http://example.org/Artist> \
<http://example.org/Manager> }
  ?who a ?who_type .
  VALUES ?y { <http://example.org/acme> }
  ?who <http://example.org/worksAt> ?y .
  ?who <http://example.org/salary> ?salary .
  FILTER(?salary > 4500)
}
ORDER BY ?who ?salary
LIMIT 3
"""
    )


@pytest.mark.parametrize(
    "evil",
    ['" } DROP ALL #', "\\", 'x" . ?s ?p ?o . FILTER(""="', "a\nb", "> } SERVICE <http://e/> {", "\u0000"],
)
def test_a_text_cannot_leave_its_quotes(evil: str, store: RdfStore) -> None:
    where = Compare(PropertyOf("x", "http://example.org/name"), "=", Constant(evil))
    plan = Plan(Pattern((NodePattern("x", ids=(evil, "http://example.org/acme")),)), (Column("x", X),), where)
    assert store.run_as_sparql(plan).rows == []
    plan = Plan(Pattern((NodePattern("x", ids=(evil, "http://example.org/acme")),)), (Column(evil, X),))
    assert store.run_as_sparql(plan).rows == [("http://example.org/acme",)]


def test_names_that_the_graph_does_not_have_are_refused(store: RdfStore) -> None:
    with pytest.raises(PlanError, match="Company"):
        text_of(store, pattern=Pattern((NodePattern("x", ("http://example.org/Compony",)),)))


def test_a_query_needs_no_more_than_plan_and_schema(store: RdfStore) -> None:
    plan = Plan(Pattern((NodePattern("x"), NodePattern("y")), (EdgePattern("x", "y"),)), (Column("x", X),))
    text = plan_to_sparql(plan, store.schema())
    found = pyoxigraph.Store()
    found.load(ntriples(NODES, EDGES), pyoxigraph.RdfFormat.N_TRIPLES)
    assert len(list(found.query(text))) == len(store.run(plan).rows)  # type: ignore[arg-type]


def test_blank_nodes_and_languages_and_years(tmp_path: Path) -> None:
    file = tmp_path / "a.ttl"
    file.write_text(
        """@prefix : <http://e/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
        _:one :name "Haus"@de, "house"@en ; :built "1999"^^xsd:gYear ; :by :a .
        _:two :name "Haus" ; :built "2005"^^xsd:gYear .""",
        encoding="utf-8",
    )
    with RdfStore.from_files(file) as store:
        one, two = (node.id for node in store.nodes() if node.id.startswith("_:"))
        name, built = PropertyOf("x", "http://e/name"), PropertyOf("x", "http://e/built")
        for where, wanted in (
            (Compare(name, "=", Constant("Haus")), [(one,), (two,)]),
            (Compare(built, "<", Constant(2000)), [(one,)]),
            (
                And((Compare(name, "contains", Constant("HAU")), Compare(built, ">", Constant(2000)))),
                [(two,)],
            ),
        ):
            plan = Plan(Pattern((NodePattern("x"),)), (Column("x", X),), where)
            assert store.run(plan).rows == store.run_as_sparql(plan).rows == wanted, store.to_sparql(plan)
        edge = Pattern((NodePattern("x", ids=(one, two)), NodePattern("y")), (EdgePattern("x", "y"),))
        plan = Plan(edge, (Column("x", X), Column("y", NodeReference("y"))))
        assert store.run_as_sparql(plan).rows == store.run(plan).rows == [(one, "http://e/a")]


def test_a_triple_in_several_graphs_is_one_edge(tmp_path: Path) -> None:
    file = tmp_path / "a.trig"
    file.write_text(
        "@prefix : <http://e/> . :g { :a :p :b . :a :q 1 } :h { :a :p :b . :a :q 1 } :a :p :b, :c .",
        encoding="utf-8",
    )
    with RdfStore.from_files(file) as store:
        pattern = Pattern((NodePattern("x"), NodePattern("y")), (EdgePattern("x", "y", ("http://e/p",)),))
        columns = (
            Column("n", Aggregate("count")),
            Column("sum", Aggregate("sum", PropertyOf("x", "http://e/q"))),
        )
        plan = Plan(pattern, columns)
        assert store.run(plan).rows == store.run_as_sparql(plan).rows == [(2, 2)]


# --- the process


def crowd(folder: Path) -> Path:
    file = folder / "crowd.nt"
    lines = (f'<http://e/n{i:04}> <http://e/k> "{i}" .\n' for i in range(2_000))
    file.write_text("".join(lines), encoding="utf-8")
    return file


RUNAWAY = Plan(
    Pattern(tuple(NodePattern(name) for name in "xyz")),
    (Column("n", Aggregate("count", X)),),
    And(tuple(Compare(PropertyOf(name, "http://e/k"), "<>", Constant("")) for name in "xyz")),
)
SMALL = Plan(Pattern((NodePattern("x"),)), (Column("n", Aggregate("count")),))


def test_a_runaway_ends_at_its_deadline_and_the_next_query_works(tmp_path: Path) -> None:
    with RdfStore.from_files(crowd(tmp_path)) as store:
        assert store.run_as_sparql(SMALL, Budget(seconds=60)).rows == [(2_000,)]
        started = time.monotonic()
        with pytest.raises(DeadlineExceededError, match="running SPARQL"):
            store.run_as_sparql(RUNAWAY, Budget(seconds=2))
        assert time.monotonic() - started < 2.2
        assert store.run_as_sparql(SMALL, Budget(seconds=60)).rows == [(2_000,)]


def test_a_worker_that_is_killed_is_replaced(tmp_path: Path) -> None:
    with RdfStore.from_files(crowd(tmp_path)) as store:
        assert store.run_as_sparql(SMALL, Budget(seconds=60)).rows == [(2_000,)]
        process = store.sparql_process_id
        assert process is not None
        os.kill(process, signal.SIGKILL)
        deadline = time.monotonic() + 10
        while store.sparql_process_id is not None and time.monotonic() < deadline:
            time.sleep(0.01)
        assert store.run_as_sparql(SMALL, Budget(seconds=60)).rows == [(2_000,)]
        assert store.sparql_process_id not in (None, process)


def test_a_worker_that_dies_at_work_is_an_error_with_a_type(tmp_path: Path) -> None:
    with RdfStore.from_files(crowd(tmp_path)) as store:
        store.run_as_sparql(SMALL, Budget(seconds=60))
        process = store.sparql_process_id
        assert process is not None
        threading.Timer(0.5, os.kill, (process, signal.SIGKILL)).start()
        with pytest.raises(CapExceededError, match="ended while it worked"):
            store.run_as_sparql(RUNAWAY, Budget(seconds=60))
        assert store.run_as_sparql(SMALL, Budget(seconds=60)).rows == [(2_000,)]


def test_the_index_is_made_once_and_kept_with_the_version(tmp_path: Path) -> None:
    into = tmp_path / "out.graph"
    load_rdf([crowd(tmp_path)], into)
    with RdfStore.open(into) as store:
        folder = store.version_folder
        assert folder is not None
        assert not (folder / INDEX_FOLDER).exists()
        assert store.run_as_sparql(SMALL, Budget(seconds=60)).rows == [(2_000,)]
        assert (folder / INDEX_FOLDER).is_dir()
        made = (folder / INDEX_FOLDER).stat().st_mtime_ns
    with RdfStore.open(into) as store:
        assert store.run_as_sparql(SMALL, Budget(seconds=60)).rows == [(2_000,)]
        assert (folder / INDEX_FOLDER).stat().st_mtime_ns == made
        assert not [entry for entry in folder.iterdir() if "making" in entry.name]


def test_a_deadline_before_the_index_is_ready_leaves_it_in_the_making(tmp_path: Path) -> None:
    into = tmp_path / "out.graph"
    load_rdf([crowd(tmp_path)], into)
    with RdfStore.open(into) as store:
        with pytest.raises(DeadlineExceededError, match="index for SPARQL"):
            store.run_as_sparql(SMALL, Budget(seconds=0.001))
        assert store.run_as_sparql(SMALL, Budget(seconds=60)).rows == [(2_000,)]
    with RdfStore.open(into) as store:
        with pytest.raises(DeadlineExceededError):
            store.run_as_sparql(SMALL, Budget(seconds=0.001))
        folder = store.version_folder
    assert folder is not None
    assert not [entry for entry in folder.iterdir() if "making" in entry.name], (
        "closing leaves nothing half made"
    )


def test_rows_and_bytes_are_capped(tmp_path: Path) -> None:
    with RdfStore.from_files(crowd(tmp_path)) as store:
        plan = Plan(Pattern((NodePattern("x"),)), (Column("x", X),))
        table = store.run_as_sparql(plan, Budget(rows=7, seconds=60))
        assert (len(table.rows), table.truncated) == (7, True)
        table = store.run_as_sparql(plan, Budget(bytes=10_000, seconds=60))
        assert 10 < len(table.rows) < 200
        assert table.truncated


def test_a_closed_store_runs_nothing(tmp_path: Path) -> None:
    store = RdfStore.from_files(crowd(tmp_path))
    store.run_as_sparql(SMALL, Budget(seconds=60))
    process = store.sparql_process_id
    assert process is not None
    store.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    with pytest.raises(OpenError):
        store.run_as_sparql(SMALL)
