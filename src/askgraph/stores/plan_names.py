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


def check_plan_names(plan: Plan, schema: Schema) -> None:
    """Raise :class:`PlanError` for the first node type, edge type or property key that ``schema`` does not have."""
    for pattern in patterns_of(plan):
        for node in pattern.nodes:
            for type_id in node.types:
                if type_id != UNTYPED and not schema.has_node_type(type_id):
                    raise _unknown("node type", type_id, (item.id for item in schema.node_types), schema)
        for edge in pattern.edges:
            for type_id in edge.types:
                if not schema.has_edge_type(type_id):
                    raise _unknown("edge type", type_id, (item.id for item in schema.edge_types), schema)
    keys = {item.key for item in schema.properties if not item.of_edges}
    for used in properties_of(plan):
        if used.key not in keys:
            raise _unknown_key(used.key, sorted(keys), schema)


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


def _unknown_key(key: str, keys: Iterable[str], schema: Schema) -> PlanError:
    if any(item.key == key and item.of_edges for item in schema.properties):
        return PlanError(
            f"{key!r} is a property of edges, and a plan asks for those of nodes", advice=_LISTING
        )
    ids = tuple(keys)
    hint = did_you_mean(key, ids, labels={id: schema.label_of(id) for id in ids})
    return PlanError(f"no node of this graph has a property {key!r}", advice=hint or _LISTING)
