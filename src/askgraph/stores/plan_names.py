"""Every name in a plan must be one that the schema has; a wrong one is answered with the nearest right one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..core.errors import PlanError
from ..core.plan import (
    Aggregate,
    And,
    Compare,
    Condition,
    Exists,
    Expression,
    IsNull,
    Not,
    Or,
    Pattern,
    Plan,
    PropertyOf,
)
from ..core.schema import UNTYPED, Schema
from ..core.suggestions import did_you_mean

_LISTING = "`askgraph schema` lists what the graph has."


def check_plan_names(plan: Plan, schema: Schema, *, edges_have_properties: bool = True) -> None:
    """Raise :class:`PlanError` for the first node type, edge type or property key that ``schema`` does not have.

    ``edges_have_properties``: whether the store can tell those of edges.
    """
    for pattern in patterns_of(plan):
        for node in pattern.nodes:
            for type_id in node.types:
                if type_id != UNTYPED and not schema.has_node_type(type_id):
                    raise _unknown("node type", type_id, (item.id for item in schema.node_types), schema)
        for edge in pattern.edges:
            for type_id in edge.types:
                if not schema.has_edge_type(type_id):
                    raise _unknown("edge type", type_id, (item.id for item in schema.edge_types), schema)
    of_edges = frozenset(plan.pattern.edge_variables)
    for used in properties_of(plan):
        is_of_edge = used.variable in of_edges
        if is_of_edge and not edges_have_properties:
            raise PlanError(
                f"the edges of this graph have no properties, and the plan asks for {used.key!r} of one",
                advice=_LISTING,
            )
        keys = {item.key for item in schema.properties if item.of_edges == is_of_edge}
        if used.key not in keys:
            raise _unknown_key(used.key, sorted(keys), schema, is_of_edge=is_of_edge)


def patterns_of(plan: Plan) -> Iterator[Pattern]:
    """The plan's own pattern, then those of its :class:`Exists` conditions."""
    yield plan.pattern
    if plan.where is not None:
        for condition in conditions_within(plan.where):
            if isinstance(condition, Exists):
                yield condition.pattern


def conditions_within(condition: Condition) -> Iterator[Condition]:
    """The condition and every condition that it is made of."""
    yield condition
    match condition:
        case And(parts) | Or(parts):
            for part in parts:
                yield from conditions_within(part)
        case Not(part):
            yield from conditions_within(part)


def expressions_of(plan: Plan) -> Iterator[Expression]:
    """Every expression of the plan's columns and conditions; the argument of an aggregate in its place."""
    for column in plan.columns:
        if not isinstance(column.expression, Aggregate):
            yield column.expression
        elif column.expression.argument is not None:
            yield column.expression.argument
    for condition in conditions_within(plan.where) if plan.where is not None else ():
        match condition:
            case Compare(left, _, right):
                yield left
                yield right
            case IsNull(expression):
                yield expression


def properties_of(plan: Plan) -> tuple[PropertyOf, ...]:
    """Every property that the plan asks for, once, in the order in which they stand."""
    found = (expression for expression in expressions_of(plan) if isinstance(expression, PropertyOf))
    return tuple(dict.fromkeys(found))


def _unknown(kind: str, name: str, candidates: Iterable[str], schema: Schema) -> PlanError:
    ids = tuple(candidates)
    hint = did_you_mean(name, ids, labels={id: schema.label_of(id) for id in ids})
    return PlanError(f"this graph has no {kind} {name!r}", advice=hint or _LISTING)


def _unknown_key(key: str, keys: Iterable[str], schema: Schema, *, is_of_edge: bool) -> PlanError:
    owner, other = ("edge", "nodes") if is_of_edge else ("node", "edges")
    if any(item.key == key and item.of_edges != is_of_edge for item in schema.properties):
        return PlanError(
            f"{key!r} is a property of {other}, and the plan asks for it of {owner}s", advice=_LISTING
        )
    ids = tuple(keys)
    hint = did_you_mean(key, ids, labels={id: schema.label_of(id) for id in ids})
    return PlanError(f"no {owner} of this graph has a property {key!r}", advice=hint or _LISTING)
