"""A plan as Cypher text, for the tests that compare the two: written once more, in another way than the stores do."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator

from askgraph.core.plan import (
    Aggregate,
    And,
    Compare,
    Condition,
    Constant,
    EdgePattern,
    Expression,
    IsNull,
    NodePattern,
    NodeReference,
    Not,
    Or,
    Plan,
    PropertyOf,
)
from askgraph.core.schema import Schema

_AGGREGATES = {"count": "count", "minimum": "min", "maximum": "max", "sum": "sum", "average": "avg"}


class NotSayableError(Exception):
    """Cypher says this in another way, or means something else by it."""


def plan_to_cypher(plan: Plan, schema: Schema) -> str:
    """The text. Raises :class:`NotSayableError`."""
    if (
        plan.limit is not None
        or plan.offset
        or plan.having
        or any(edge.optional for edge in plan.pattern.edges)
    ):
        raise NotSayableError
    # A MATCH of its own for each edge: two edges of a plan may be the same one.
    lines = [f"MATCH ({node.variable})" for node in plan.pattern.nodes]
    lines += map(_edge, plan.pattern.edges)
    conditions = [text for node in plan.pattern.nodes for text in _of_node(node, schema)]
    if plan.where is not None:
        conditions.append(_condition(plan.where))
    where = [f"WITH *\nWHERE {' AND '.join(conditions)}"] if conditions else []
    columns = ", ".join(f"{_expression(item.expression)} AS `{item.name}`" for item in plan.columns)
    distinct = "" if any(isinstance(item.expression, Aggregate) for item in plan.columns) else "DISTINCT "
    return "\n".join([*lines, *where, f"RETURN {distinct}{columns}"])


def _edge(edge: EdgePattern) -> str:
    left, right = {"out": ("-", "->"), "in": ("<-", "-"), "both": ("-", "-")}[edge.direction]
    types = "|".join(f"`{type}`" for type in edge.types)
    return f"MATCH ({edge.source}){left}[{':' + types if types else ''}]{right}({edge.target})"


def _of_node(node: NodePattern, schema: Schema) -> Iterator[str]:
    if node.types:
        types = dict.fromkeys(below for type in node.types for below in schema.subtypes(type))
        yield "(" + " OR ".join(f"{node.variable}:`{type}`" for type in types) + ")"
    if node.ids:
        yield f"id({node.variable}) IN {json.dumps(list(node.ids))}"


def _condition(condition: Condition) -> str:
    match condition:
        case Compare(left, ("=" | "<>" | "<" | "<=" | ">" | ">=") as comparator, right):
            return f"{_expression(left)} {comparator} {_expression(right)}"
        case Compare(left, "contains", right):
            return f"toLower({_expression(left)}) CONTAINS toLower({_expression(right)})"
        case IsNull(expression):
            return f"{_expression(expression)} IS NULL"
        case And(parts):
            return "(" + " AND ".join(map(_condition, parts)) + ")"
        case Or(parts):
            return "(" + " OR ".join(map(_condition, parts)) + ")"
        case Not(part):
            return f"NOT ({_condition(part)})"
    raise NotSayableError


def _expression(expression: Expression) -> str:
    match expression:
        case NodeReference(variable):
            return f"id({variable})"
        case PropertyOf(variable, key):
            return f"{variable}.`{key}`"
        case Constant(value):
            return _constant(value)
        case Aggregate("count", None):
            return "count(*)"
        case Aggregate(function, argument, distinct) if argument is not None:
            return f"{_AGGREGATES[function]}({'DISTINCT ' if distinct else ''}{_expression(argument)})"
    raise NotSayableError


def _constant(value: object) -> str:
    if isinstance(value, bool | int | float | str) or value is None:
        return json.dumps(value)
    if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        return f"date('{value.isoformat()}')"
    raise NotSayableError
