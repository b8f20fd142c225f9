"""A plan that contradicts itself is refused when it is made, and says which of its nodes may be null."""

from __future__ import annotations

from typing import Any

import pytest

from askgraph.core.errors import PlanError
from askgraph.core.plan import (
    Aggregate,
    Column,
    Compare,
    Constant,
    EdgePattern,
    Exists,
    IsNull,
    NodePattern,
    NodeReference,
    Not,
    OrderBy,
    Pattern,
    Plan,
    PropertyOf,
)

A, B, C = NodePattern("a"), NodePattern("b"), NodePattern("c")
X = Column("x", NodeReference("a"))


def optional(source: str, target: str) -> EdgePattern:
    return EdgePattern(source, target, optional=True)


def test_the_target_of_an_optional_edge_may_be_null() -> None:
    pattern = Pattern((A, B), (optional("a", "b"),))
    assert pattern.optional_variables == ("b",)
    assert pattern.required_edges == ()


def test_a_node_that_a_required_edge_touches_may_not() -> None:
    assert Pattern((A, B, C), (optional("a", "b"), EdgePattern("b", "c"))).optional_variables == ()
    assert Pattern((A,), (optional("a", "a"),)).optional_variables == ()


def test_optional_edges_come_after_what_leads_to_them() -> None:
    late, early = optional("b", "c"), optional("a", "b")
    assert Pattern((A, B, C), (late, early)).optional_edges == (early, late)


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ((optional("a", "b"), optional("b", "a")), "nothing leads to 'a'"),
        ((optional("a", "c"), optional("b", "c")), "two optional edges lead to 'c'"),
    ],
)
def test_optional_edges_without_a_clear_order_are_refused(edges: Any, message: str) -> None:
    with pytest.raises(PlanError, match=message):
        Plan(Pattern((A, B, C), edges), (X,))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"pattern": Pattern(())}, "at least one node"),
        ({"pattern": Pattern((A, A))}, "stands twice"),
        ({"pattern": Pattern((A,), (EdgePattern("a", "b"),))}, "ends at 'b', which is no node"),
        ({"columns": ()}, "at least one column"),
        ({"columns": (X, X)}, "two columns of the plan share a name"),
        ({"columns": (Column("y", NodeReference("z")),)}, "speaks of 'z'"),
        (
            {"columns": (Column("n", Aggregate("sum", NodeReference("a"))),)},
            "sum is of the values of a property",
        ),
        ({"columns": (Column("n", Aggregate("minimum")),)}, "minimum is of the values of a property"),
        ({"where": Compare(PropertyOf("z", "k"), "=", Constant(1))}, "speaks of 'z'"),
        ({"where": Compare(Aggregate("count"), ">", Constant(1))}, "use having"),
        ({"where": Not(Exists(Pattern((B,), (EdgePattern("b", "z"),))))}, "ends at 'z'"),
        ({"order": (OrderBy("z"),)}, "orders or filters by 'z'"),
        ({"having": (("z", "=", 1),)}, "orders or filters by 'z'"),
        ({"limit": -1}, "cannot be negative"),
        ({"offset": -1}, "cannot be negative"),
    ],
)
def test_a_contradiction_is_refused(arguments: dict[str, Any], message: str) -> None:
    whole: dict[str, Any] = {"pattern": Pattern((A,)), "columns": (X,), **arguments}
    with pytest.raises(PlanError, match=message):
        Plan(**whole)


def told(source: str, target: str, variable: str, **options: Any) -> EdgePattern:
    return EdgePattern(source, target, variable=variable, **options)


@pytest.mark.parametrize(
    ("edges", "column", "message"),
    [
        ((told("a", "b", "a"),), X, "variable 'a' of an edge stands twice"),
        ((told("a", "b", "e"), told("b", "a", "e")), X, "variable 'e' of an edge stands twice"),
        ((told("a", "b", "e", optional=True),), X, "an optional edge cannot have a variable"),
        ((told("a", "b", "e"),), Column("e", NodeReference("e")), "takes 'e' for a node"),
        ((told("a", "b", "e"),), Column("n", Aggregate("count", NodeReference("e"))), "takes 'e' for a node"),
    ],
)
def test_a_variable_of_an_edge_is_its_own(edges: Any, column: Column, message: str) -> None:
    with pytest.raises(PlanError, match=message):
        Plan(Pattern((A, B), edges), (column,))


def test_only_edges_of_the_plans_own_pattern_have_variables() -> None:
    tie = Exists(Pattern((B,), (told("a", "b", "e"),)))
    with pytest.raises(PlanError, match="not those of an Exists"):
        Plan(Pattern((A,)), (X,), tie)


def test_properties_of_an_edge_are_asked_by_its_variable() -> None:
    since = PropertyOf("e", "since")
    plan = Plan(Pattern((A, B), (told("a", "b", "e"),)), (Column("since", since),), IsNull(since))
    assert plan.pattern.edge_variables == ("e",)


def test_exists_may_speak_of_nodes_around_it() -> None:
    tie = Exists(Pattern((), (EdgePattern("a", "b"),)))
    assert Plan(Pattern((A, B)), (X,), tie).where == tie
