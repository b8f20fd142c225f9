"""Plans on the embedded RDF graph."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.stores.plan_conformance import EDGES, NODES, PARENTS, PlanConformance, equal_cells
from tests.stores.plan_strategies import PARENTS as RANDOM_PARENTS
from tests.stores.plan_strategies import VALUES, graphs, plans
from tests.stores.rdf.rdf_text import NotInRdf, literal, ntriples
from tests.stores.reference_plan import ReferenceGraph, rows_of

from askgraph.core.budget import Budget
from askgraph.core.errors import CapExceededError, DeadlineExceededError, PlanError
from askgraph.core.graph import Edge, Node
from askgraph.core.plan import (
    Aggregate,
    Column,
    Compare,
    Constant,
    EdgePattern,
    NodePattern,
    NodeReference,
    Pattern,
    Plan,
    PropertyOf,
    Table,
)
from askgraph.stores.rdf.store import RdfStore

BASE = "http://e/"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RdfStore]:
    file: Path = tmp_path_factory.mktemp("plans") / "graph.nt"
    file.write_text(ntriples(NODES, EDGES, PARENTS), encoding="utf-8")
    with RdfStore.from_files(file) as opened:
        yield opened


class TestPlansOnRdf(PlanConformance):
    @pytest.fixture
    def run(self, store: RdfStore) -> Callable[[Plan], Table]:
        return store.run


def test_a_plan_that_asks_what_edges_say_is_refused(store: RdfStore) -> None:
    ends = (NodePattern("x"), NodePattern("y"))
    plan = Plan(
        Pattern(ends, (EdgePattern("x", "y", variable="edge"),)),
        (Column("graph", PropertyOf("edge", "graph")),),
    )
    with pytest.raises(PlanError, match="the edges of this graph have no properties"):
        store.run(plan)


# --- random plans on random graphs, against the reference


def iri(name: str) -> str:
    return BASE + "".join(
        c if c.isalnum() and c.isascii() else f"%{byte:02X}" for c in name for byte in c.encode()[:1]
    )


def in_rdf(value: Any) -> Any:
    """The value that comes back from RDF, where a list is a set of values; None where there is none."""
    items = value if isinstance(value, list) else [value]
    kept: list[Any] = []
    for item in items:
        try:
            literal(item)
        except NotInRdf:
            continue
        if not any(same(item, other) for other in kept):
            kept.append(item)
    return kept[0] if len(kept) == 1 else kept or None


def same(one: Any, other: Any) -> bool:
    from tests.stores.reference_plan import identity

    return bool(identity(one) == identity(other))


@st.composite
def rdf_graphs(draw: st.DrawFn, values: st.SearchStrategy[Any] = VALUES) -> tuple[list[Node], list[Edge]]:
    """Graphs that RDF can hold: every node says something, edges are sets, values are literals."""
    nodes, edges = draw(graphs(values))
    kept = [
        Node(
            iri(node.id),
            types=tuple(iri(type) for type in node.types),
            properties={
                iri(key): found
                for key, value in node.properties.items()
                if (found := in_rdf(value)) is not None
            }
            | {iri("here"): True},
        )
        for node in nodes
    ]
    links = {
        (edge.source, edge.type, edge.target): Edge("", iri(edge.source), iri(edge.target), iri(edge.type))
        for edge in edges
    }
    return kept, list(links.values())


@given(data=st.data(), graph=rdf_graphs())
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_random_plans_give_what_they_mean(data: st.DataObject, graph: tuple[list[Node], list[Edge]]) -> None:
    nodes, edges = graph
    parents = {iri(below): tuple(map(iri, above)) for below, above in RANDOM_PARENTS.items()}
    reference = ReferenceGraph(nodes, edges, parents)
    folder = Path(tempfile.mkdtemp())
    try:
        file = folder / "graph.nt"
        file.write_text(ntriples(nodes, edges, parents), encoding="utf-8")
        with RdfStore.from_files(file) as store:
            for _ in range(4):
                plan = data.draw(plans(nodes, edges))
                found, wanted = store.run(plan).rows, rows_of(plan, reference)
                assert len(found) == len(wanted), (plan, found, wanted)
                for row, right in zip(found, wanted, strict=True):
                    assert all(map(alike, row, right)), (plan, found, wanted)
    finally:
        shutil.rmtree(folder)


BIG = Pattern(tuple(NodePattern(name) for name in ("x", "y", "z")))


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RdfStore]:
    file: Path = tmp_path_factory.mktemp("crowd") / "graph.nt"
    file.write_text(
        "".join(f'<http://e/n{i:04}> <http://e/k> "{i}" .\n' for i in range(3_000)), encoding="utf-8"
    )
    with RdfStore.from_files(file) as opened:
        yield opened


@pytest.mark.parametrize("distinct", [True, False])
def test_a_cross_product_ends_at_its_deadline(crowd: RdfStore, distinct: bool) -> None:
    columns = (Column("x", NodeReference("x")), Column("y", NodeReference("y")))
    plan = Plan(
        BIG, columns, Compare(PropertyOf("x", iri("k")), "<", PropertyOf("y", iri("k"))), distinct=distinct
    )
    started = time.monotonic()
    with pytest.raises(DeadlineExceededError, match="running a plan"):
        crowd.run(plan, Budget(seconds=1.0))
    assert time.monotonic() - started < 1.5


def test_a_count_of_a_cross_product_multiplies(crowd: RdfStore) -> None:
    assert crowd.run(Plan(BIG, (Column("n", Aggregate("count")),)), Budget(seconds=10)).rows == [(3_000**3,)]


def test_a_count_beyond_all_counting_is_an_error_and_no_wrong_number(crowd: RdfStore) -> None:
    pattern = Pattern(tuple(NodePattern(f"v{i}") for i in range(6)))
    with pytest.raises(CapExceededError, match="more matches than can be counted"):
        crowd.run(Plan(pattern, (Column("n", Aggregate("count")),)), Budget(seconds=10))


def test_having_on_a_constant_leaves_nothing_where_it_does_not_hold(crowd: RdfStore) -> None:
    plan = Plan(Pattern((NodePattern("x"),)), (Column("c", Constant(0)),))
    assert crowd.run(plan).rows == [(0,)]
    assert crowd.run(replace(plan, having=(("c", "=", 1),))).rows == []


def test_too_many_groups_are_an_error_and_no_flood(crowd: RdfStore) -> None:
    columns = (
        Column("x", NodeReference("x")),
        Column("y", NodeReference("y")),
        Column("n", Aggregate("count")),
    )
    with pytest.raises(CapExceededError, match="rows to group"):
        crowd.run(Plan(BIG, columns), Budget(seconds=60, bytes=1_000_000))


def test_the_row_cap_cuts_and_says_so(crowd: RdfStore) -> None:
    plan = Plan(Pattern((NodePattern("x"),)), (Column("x", NodeReference("x")),))
    table = crowd.run(plan, Budget(rows=10))
    assert [row[0] for row in table.rows] == [f"http://e/n{i:04}" for i in range(10)]
    assert table.truncated
    assert not crowd.run(replace(plan, limit=10), Budget(rows=10)).truncated
    assert not crowd.run(plan, Budget(rows=3_000)).truncated
    later = crowd.run(replace(plan, offset=2_995), Budget(rows=10))
    assert (len(later.rows), later.truncated) == (5, False)


def test_the_byte_cap_cuts_and_says_so(crowd: RdfStore) -> None:
    plan = Plan(Pattern((NodePattern("x"),)), (Column("k", PropertyOf("x", iri("k"))),))
    table = crowd.run(plan, Budget(bytes=10_000))
    assert 50 < len(table.rows) < 500
    assert table.truncated
    assert "10,000 bytes" in table.notes[0]


def alike(found: Any, wanted: Any) -> bool:
    return same(found, wanted) or equal_cells(found, wanted)
