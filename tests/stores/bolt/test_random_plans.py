"""Random plans over small random graphs on real servers, compared with what they mean, spelled out in Python.

Of what plans speak of, a server cannot hold everything: there are no decimals, bytes, wide integers, tagged texts and
maps here, and lists hold values of one type.
"""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.servers.bolt import BoltServer as RealServer
from tests.stores import plan_strategies as strategies
from tests.stores.bolt.bolt_support import add, opened
from tests.stores.bolt.test_plans import assert_same, with_ids
from tests.stores.reference_plan import rows_of

from askgraph.core.errors import PlanError
from askgraph.core.graph import Node
from askgraph.core.plan import Aggregate, Column, NodePattern, Pattern, Plan, PropertyOf
from askgraph.core.values import Duration, Point
from askgraph.stores.bolt.store import BoltStore

EXAMPLES = int(os.environ.get("ASKGRAPH_FUZZ", "0")) or 5
_ZONE = datetime.timezone(datetime.timedelta(hours=2))
_SCALARS = st.one_of(
    st.integers(-3, 3),
    st.sampled_from([1.0, -1.5, 2.5, 2.0**53, 2**53 + 1, float("inf")]),
    st.sampled_from(["", "a", "b", "A", "ab", "é", "1", "%", "x\ny", "'"]),
    st.booleans(),
    st.sampled_from([
        datetime.date(2020, 1, 1), datetime.date(1999, 12, 31), datetime.datetime(2020, 1, 1, 12, 30),
        datetime.datetime(2020, 1, 1, 12, 30, tzinfo=datetime.UTC),
        datetime.datetime(2020, 1, 1, 14, 31, 0, 5, tzinfo=_ZONE), datetime.time(1, 2, 3, 4), datetime.time(9),
        Duration(1), Duration(0, 30), Duration(0, 40), Duration(1, -1), Duration(0, 1),
        Duration(0, 0, 86_400_000_000), Duration(), Duration(0, 0, -1_500_000), Point(1, 2), Point(1, 2, 3, 4979),
    ]),
)  # fmt: skip
_VALUES = st.one_of(
    _SCALARS, st.lists(st.integers(-2, 2), max_size=3), st.lists(st.sampled_from(["a", "b", "A"]), max_size=3)
)


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=pytest.mark.server(name)) for name in ("neo4j", "arcadedb")],
)
def opened_server(request: pytest.FixtureRequest) -> Iterator[tuple[RealServer, BoltStore]]:
    server: RealServer = request.getfixturevalue(request.param)
    server.clear()
    with opened(server) as store:
        yield server, store


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(data=st.data())
def test_random_plans_give_the_rows_that_they_mean(
    data: st.DataObject, opened_server: tuple[RealServer, BoltStore]
) -> None:
    server, store = opened_server
    nodes, edges = data.draw(strategies.graphs(_VALUES, _VALUES))
    plans = [data.draw(strategies.plans(nodes, edges)) for _ in range(8)]
    server.rows("MATCH (n) DETACH DELETE n")
    graph, ids = add(server, nodes, edges)
    store._learned = None  # the graph is another one now
    for drawn in plans:
        plan = with_ids(drawn, ids)
        meant = rows_of(plan, graph)
        if _is_beyond_servers(plan, meant):
            continue
        try:
            table = store.run(plan)
        except PlanError:
            continue  # a key that no sample saw is none of the schema
        assert_same(table, meant)


def test_nodes_without_a_label_are_seen_although_others_have_several(
    opened_server: tuple[RealServer, BoltStore],
) -> None:
    """The labels alone count to more than the nodes; what only the node without one has is known all the same."""
    server, store = opened_server
    server.rows("MATCH (n) DETACH DELETE n")
    nodes = [
        Node("one", types=("A", "B"), properties={"mixed": 2.5}),
        Node("two", types=("A", "B"), properties={"mixed": "b"}),
        Node("none", properties={"mixed": True, "own": "x"}),
    ]
    graph, ids = add(server, nodes, [])
    store._learned = None
    columns = (
        Column("most", Aggregate("maximum", PropertyOf("x", "mixed"))),
        Column("own", PropertyOf("x", "own")),
    )
    plan = with_ids(Plan(Pattern((NodePattern("x", ids=("none",)),)), columns), ids)
    assert_same(store.run(plan), rows_of(plan, graph))
    assert store.schema().node_type("").count == 1


def _is_beyond_servers(plan: Any, meant: list[tuple[Any, ...]]) -> bool:
    """Whether the rows have a number that no server has, or depend on adding floats in an order."""
    cells = [cell for row in meant for cell in row]
    if any(
        type(cell).__name__ == "Decimal" or (isinstance(cell, int) and abs(cell) >= 2**63) for cell in cells
    ):
        return True
    return any(
        isinstance(column.expression, Aggregate) and column.expression.function in ("sum", "average")
        for column in plan.columns
    ) and (plan.having != () or any(isinstance(cell, float) for cell in cells))
