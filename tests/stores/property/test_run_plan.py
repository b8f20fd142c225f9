"""The embedded property graph gives the rows that a plan means."""

from __future__ import annotations

import datetime
import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.stores import plan_conformance as conformance
from tests.stores.plan_strategies import PARENTS, VALUES, graphs, plans
from tests.stores.property.layout_builder import build
from tests.stores.reference_plan import ReferenceGraph, identity, rows_of

from askgraph.core.budget import Budget
from askgraph.core.errors import DeadlineExceededError, PlanError
from askgraph.core.graph import Edge, Node
from askgraph.core.plan import (
    Aggregate,
    Column,
    Constant,
    EdgePattern,
    NodePattern,
    Pattern,
    Plan,
    PropertyOf,
    Table,
)
from askgraph.core.schema import EdgeType, NodeType, Property, Schema
from askgraph.core.values import Value
from askgraph.stores.property.deadline import within_deadline
from askgraph.stores.property.run_plan import run_plan
from askgraph.stores.property.sql_numbers import canonical_number, size_key, size_key_sql


def schema_of(nodes: Sequence[Node], edges: Sequence[Edge], parents: Any) -> Schema:
    """No more of a schema than a plan needs: names, and the hierarchy of types."""
    types = dict.fromkeys([label for node in nodes for label in node.types] + list(parents))
    types |= dict.fromkeys(parent for several in parents.values() for parent in several)
    keys = dict.fromkeys((key, False) for node in nodes for key in node.properties)
    keys |= dict.fromkeys((key, True) for edge in edges for key in edge.properties)
    return Schema(
        "property",
        len(nodes),
        len(edges),
        tuple(NodeType(type, type, 1, 1, parents.get(type, ())) for type in types),
        tuple(EdgeType(type, type, 1) for type in dict.fromkeys(edge.type for edge in edges)),
        tuple(Property(key, key, "A", (), 1, 1.0, of_edges=of_edges) for key, of_edges in keys),
    )


def runner(edges: Sequence[Edge]) -> Iterator[Callable[[Plan], Table]]:
    schema = schema_of(conformance.NODES, edges, conformance.PARENTS)
    with build(conformance.NODES, edges) as connection:
        yield lambda plan: run_plan(connection, plan, schema, Budget())


@pytest.fixture(scope="module")
def run() -> Iterator[Callable[[Plan], Table]]:
    yield from runner(conformance.EDGES)


@pytest.fixture(scope="module")
def run_parallel() -> Iterator[Callable[[Plan], Table]]:
    yield from runner(conformance.EDGES + conformance.PARALLEL_EDGES)


@pytest.fixture(scope="module")
def run_told() -> Iterator[Callable[[Plan], Table]]:
    yield from runner(conformance.EDGES + conformance.TOLD_EDGES)


class TestConformance(
    conformance.PlanConformance, conformance.ParallelEdgeConformance, conformance.ToldEdgeConformance
):
    pass


@pytest.mark.parametrize("case", conformance.CASES, ids=lambda case: case.name)
def test_the_reference_agrees_with_the_conformance_suite(case: conformance.Case) -> None:
    graph = ReferenceGraph(conformance.NODES, conformance.EDGES, conformance.PARENTS)
    rows = rows_of(case.plan, graph)
    assert same_rows(rows, case.rows), rows


def same_rows(found: Sequence[tuple[Value, ...]], wanted: Sequence[tuple[Value, ...]]) -> bool:
    return len(found) == len(wanted) and all(
        len(one) == len(other) and all(map(same_value, one, other))
        for one, other in zip(found, wanted, strict=True)
    )


def same_value(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float) and math.isfinite(one) and math.isfinite(other):
        return math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-300)
    if isinstance(one, float) and isinstance(other, int | Decimal) and _is_beyond_exact_sums(other):
        return math.isclose(one, other, rel_tol=1e-12)
    if isinstance(one, Decimal) and isinstance(other, Decimal) and one.is_finite() and other.is_finite():
        return one == other
    return bool(identity(one) == identity(other))


def _is_beyond_exact_sums(number: int | Decimal) -> bool:
    places: Any = Decimal(number).as_tuple().exponent
    return (
        not Decimal(number).is_finite() or abs(Decimal(number)) >= 10**20 or places < -9 or "E" in str(number)
    )


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(config={"threads": 2}) as opened:
        yield opened


@given(data=st.data())
@settings(
    max_examples=80,
    deadline=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow, HealthCheck.data_too_large],
)
def test_any_plan_gives_the_rows_of_the_reference(
    connection: duckdb.DuckDBPyConnection, data: st.DataObject
) -> None:
    nodes, edges = data.draw(graphs(edge_values=VALUES))
    plan = data.draw(plans(nodes, edges))
    build(nodes, edges, connection)
    table = run_plan(connection, plan, schema_of(nodes, edges, PARENTS))
    wanted = rows_of(plan, ReferenceGraph(nodes, edges, PARENTS))
    assert same_rows(table.rows, wanted), (table.rows, wanted)


@given(
    st.lists(st.decimals(allow_nan=False, places=None) | st.integers().map(Decimal), min_size=2, max_size=20)
)
@settings(max_examples=40, deadline=None)
def test_texts_of_numbers_sort_as_the_numbers_do(
    connection: duckdb.DuckDBPyConnection, numbers: list[Decimal]
) -> None:
    keys = f"SELECT {size_key_sql('x')}, {canonical_number('x')} FROM (SELECT unnest($numbers) AS x)"
    found = connection.execute(keys, {"numbers": [str(number) for number in numbers]}).fetchall()
    assert [key for key, _ in found] == [size_key(number) for number in numbers]
    for (one_key, one_text), one in zip(found, numbers, strict=True):
        for (other_key, other_text), other in zip(found, numbers, strict=True):
            assert (one_key < other_key) == (one < other)
            assert (one_text == other_text) == (one == other)


# --- budgets


def a_big_plan() -> tuple[duckdb.DuckDBPyConnection, Plan, Schema]:
    nodes = [Node(f"n{i:03}", types=("A",), properties={"k": "x" * 100}) for i in range(300)]
    pattern = Pattern(tuple(NodePattern(f"v{i}") for i in range(5)))
    plan = Plan(pattern, (Column("n", Aggregate("count")),))
    return build(nodes, []), plan, schema_of(nodes, [], {})


def test_a_plan_that_takes_too_long_is_stopped_and_the_connection_still_works() -> None:
    connection, plan, schema = a_big_plan()
    started = time.monotonic()
    with pytest.raises(DeadlineExceededError, match="running a plan"):
        run_plan(connection, plan, schema, Budget(seconds=0.3))
    assert time.monotonic() - started < 20
    small = Plan(Pattern((NodePattern("x"),)), (Column("n", Aggregate("count")),))
    assert run_plan(connection, small, schema, Budget()).rows == [(300,)]


def test_a_late_timer_interrupts_nothing() -> None:
    connection, _, _ = a_big_plan()
    before = threading.active_count()
    for _ in range(20):
        with within_deadline(connection, Budget(seconds=0.002), "waiting"):
            pass
        time.sleep(0.001)
        assert connection.execute("SELECT count(*) FROM range(100000)").fetchone() == (100000,)
    assert threading.active_count() < before + 10


def test_the_row_cap_cuts_and_says_so() -> None:
    connection, _, schema = a_big_plan()
    plan = Plan(Pattern((NodePattern("x"),)), (Column("x", conformance.X),))
    table = run_plan(connection, plan, schema, Budget(rows=10))
    assert [row[0] for row in table.rows] == [f"n{i:03}" for i in range(10)]
    assert table.truncated
    assert not run_plan(connection, plan, schema, Budget(rows=300)).truncated


def test_a_limit_within_the_cap_is_no_cut() -> None:
    connection, _, schema = a_big_plan()
    plan = Plan(Pattern((NodePattern("x"),)), (Column("x", conformance.X),), limit=10)
    assert not run_plan(connection, plan, schema, Budget(rows=10)).truncated


def test_the_byte_cap_cuts_and_says_so() -> None:
    connection, _, schema = a_big_plan()
    columns = (Column("x", conformance.X), Column("k", PropertyOf("x", "k")))
    table = run_plan(connection, Plan(Pattern((NodePattern("x"),)), columns), schema, Budget(bytes=10_000))
    assert 10 < len(table.rows) < 100
    assert table.truncated
    assert "10,000 bytes" in table.notes[0]


# --- names


def test_odd_names_and_values_are_never_query_text() -> None:
    odd = "a'; DROP TABLE nodes; --\"`$1 ?"
    nodes = [Node(odd, types=(odd,), properties={odd: odd}), Node("b")]
    edges = [Edge("", odd, "b", odd)]
    with build(nodes, edges) as connection:
        plan = Plan(
            Pattern((NodePattern(odd, (odd,), (odd,)), NodePattern("y")), (EdgePattern(odd, "y", (odd,)),)),
            (Column(odd, PropertyOf(odd, odd)), Column("y", conformance.Y)),
            conformance.is_(PropertyOf(odd, odd), "=", odd),
            having=((odd, "=", odd),),
        )
        assert run_plan(connection, plan, schema_of(nodes, edges, {})).rows == [(odd, "b")]


def test_moments_beyond_sql_come_back_and_break_nothing() -> None:
    odd = datetime.timezone(datetime.timedelta(hours=2, seconds=3))
    moments = [
        datetime.datetime(2020, 1, 1, tzinfo=odd),
        datetime.datetime(1, 1, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=2))),
        datetime.datetime(9999, 12, 31, 23, 59, tzinfo=datetime.timezone(datetime.timedelta(hours=-2))),
        datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=-2))),
    ]
    nodes = [Node(str(i), properties={"at": moment}) for i, moment in enumerate(moments)]
    columns = (Column("x", conformance.X), Column("at", PropertyOf("x", "at")))
    with build(nodes, []) as connection:
        rows = run_plan(
            connection, Plan(Pattern((NodePattern("x"),)), columns), schema_of(nodes, [], {})
        ).rows
    assert [at for _, at in rows] == moments


def test_a_key_that_only_edges_have_is_said_to_be_one() -> None:
    schema = Schema(
        "property", 0, 0, (), (), (Property("since", "since", "knows", (), 1, 1.0, of_edges=True),)
    )
    plan = Plan(Pattern((NodePattern("x"),)), (Column("since", PropertyOf("x", "since")),))
    with build([], []) as connection, pytest.raises(PlanError, match="of edges"):
        run_plan(connection, plan, schema)


def test_a_graph_without_anything() -> None:
    plan = Plan(
        Pattern((NodePattern("x"),)), (Column("n", Aggregate("count")), Column("one", Constant(None)))
    )
    with build([], []) as connection:
        assert run_plan(connection, plan, schema_of([], [], {})).rows == []
