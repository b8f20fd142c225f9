"""Plans survive the way to JSON and back, and data that is no plan is refused with its place."""

from __future__ import annotations

import datetime
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askgraph.core.errors import PlanError
from askgraph.core.plan import (
    Aggregate,
    And,
    Column,
    Compare,
    Condition,
    Constant,
    EdgePattern,
    Exists,
    IsNull,
    NodePattern,
    NodeReference,
    Not,
    Or,
    OrderBy,
    Pattern,
    Plan,
    PropertyOf,
)
from askgraph.core.plan_json import plan_from_dict, plan_to_dict

VARIABLES = ("a", "b", "c")

values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(),
    st.dates(),
    st.decimals(allow_nan=False),
)
operands = st.one_of(
    st.builds(NodeReference, st.sampled_from(VARIABLES)),
    st.builds(PropertyOf, st.sampled_from(VARIABLES), st.text(min_size=1)),
    st.builds(Constant, values),
)
texts = st.lists(st.text(), max_size=2).map(tuple)
nodes = st.tuples(*(st.builds(NodePattern, st.just(name), texts, texts) for name in VARIABLES))
edges = st.builds(
    EdgePattern,
    st.sampled_from(VARIABLES),
    st.sampled_from(VARIABLES),
    texts,
    st.sampled_from(["out", "in", "both"]),
)
patterns = st.builds(Pattern, nodes, st.lists(edges, max_size=3).map(tuple))
# Edges with variables.
told = st.lists(edges, min_size=1, max_size=3).map(
    lambda found: tuple(replace(edge, variable=f"edge {place}") for place, edge in enumerate(found))
)
comparisons = st.builds(Compare, operands, st.sampled_from(["=", "<", "contains"]), operands)
conditions: st.SearchStrategy[Condition] = st.recursive(
    st.one_of(comparisons, st.builds(IsNull, operands), st.builds(Exists, patterns)),
    lambda inner: st.one_of(
        st.builds(And, st.lists(inner, min_size=1, max_size=2).map(tuple)),
        st.builds(Or, st.lists(inner, min_size=1, max_size=2).map(tuple)),
        st.builds(Not, inner),
    ),
    max_leaves=5,
)
plans = st.builds(
    Plan,
    patterns | st.builds(Pattern, nodes, told),
    st.just(
        (
            Column("x", NodeReference("a")),
            Column("n", Aggregate("count", NodeReference("b"), distinct=True)),
            Column("sum", Aggregate("sum", PropertyOf("c", "price"))),
            Column("all", Aggregate("count")),
        )
    ),
    where=st.none() | conditions,
    having=st.lists(st.tuples(st.just("n"), st.just(">"), values), max_size=1).map(tuple),
    order=st.lists(st.builds(OrderBy, st.just("n"), st.booleans()), max_size=1).map(tuple),
    distinct=st.booleans(),
    limit=st.none() | st.integers(0, 10),
    offset=st.integers(0, 10),
)


@given(plans)
def test_a_plan_survives_the_way_to_json_and_back(plan: Plan) -> None:
    text = json.dumps(plan_to_dict(plan), allow_nan=False)
    assert plan_from_dict(json.loads(text)) == plan


def test_a_plan_may_be_written_by_hand() -> None:
    data = {
        "nodes": [{"variable": "product", "types": ["Product"]}],
        "where": {
            "left": {"property": "since", "of": "product"},
            "comparator": ">=",
            "right": {"value": {"$type": "date", "value": "2020-01-31"}},
        },
        "columns": [{"name": "product", "expression": {"node": "product"}}],
    }
    plan = plan_from_dict(data)
    assert plan.where == Compare(PropertyOf("product", "since"), ">=", Constant(datetime.date(2020, 1, 31)))
    assert plan.distinct
    assert plan_to_dict(plan) == data


GOOD: dict[str, Any] = {
    "nodes": [{"variable": "a"}],
    "columns": [{"name": "x", "expression": {"node": "a"}}],
}


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"nodes": "a"}, r"the plan\.nodes: a list"),
        ({"nodes": [{"types": ["A"]}]}, r"the plan\.nodes\[0\]: 'variable' is missing"),
        ({"nodes": [{"variable": "a", "types": "A"}]}, r"nodes\[0\]\.types: a list of texts"),
        ({"nodes": [{"variable": 3}]}, r"variable: a text"),
        ({"edges": [{"source": "a", "target": "a", "direction": "up"}]}, r"direction: one of out, in, both"),
        ({"edges": [{"source": "a", "target": "z"}]}, "'z', which is no node"),
        ({"columns": []}, "at least one column"),
        ({"columns": [{"name": "x", "expression": {}}]}, r"columns\[0\]\.expression: 'node'"),
        ({"columns": [{"name": "x", "expression": {"aggregate": "median"}}]}, "one of count, sum"),
        (
            {"columns": [{"name": "x", "expression": {"aggregate": "sum", "argument": {"value": 1}}}]},
            "argument",
        ),
        ({"where": {"nand": []}}, r"the plan\.where: unknown entry 'nand'"),
        ({"where": {"left": {"node": "a"}, "comparator": "~", "right": {"value": 1}}}, "comparator: one of"),
        (
            {"where": {"is null": {"value": {"$type": "date", "value": "soon"}}}},
            r"is null\.value: not a value",
        ),
        ({"having": [{"column": "y", "comparator": "=", "value": 1}]}, "'y', which is no column"),
        ({"limit": True}, r"limit: a whole number"),
        ({"limit": -1}, "cannot be negative"),
        ({"distinct": "yes"}, "distinct: true or false"),
        ({"colums": []}, "unknown entry 'colums'"),
    ],
)
def test_what_is_no_plan_is_refused_with_its_place(change: dict[str, Any], place: str) -> None:
    with pytest.raises(PlanError, match=place):
        plan_from_dict(GOOD | change)


@pytest.mark.parametrize("data", [None, [], "MATCH (a)", 3])
def test_what_is_no_object_is_no_plan(data: object) -> None:
    with pytest.raises(PlanError, match="an object was expected"):
        plan_from_dict(data)


def test_a_plan_nested_beyond_reason_is_refused() -> None:
    condition: dict[str, Any] = {"is null": {"node": "a"}}
    for _ in range(3_000):
        condition = {"not": condition}
    with pytest.raises(PlanError, match="nested too deeply"):
        plan_from_dict(GOOD | {"where": condition})
