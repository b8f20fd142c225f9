"""The gold plans of made questions."""

from __future__ import annotations

import datetime
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ...core.budget import Budget
from ...core.plan import (
    Aggregate,
    AggregateFunction,
    Column,
    Comparator,
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
from ...core.values import Value, display
from ...stores.base import GraphStore
from .material import PropertyWords, Step, TypeWords

ANSWER: Final = "answer"
_NUMBER: Final = "number"
_VALUE: Final = "value"
_MOST_VALUES: Final = 2_000
_LONGEST_VALUE: Final = 40


@dataclass(frozen=True, slots=True)
class Condition:
    """Steps that lead from a node to those asked for."""

    start: str
    steps: tuple[Step, ...]


def chain_plan(conditions: Sequence[Condition], answer: str | None = None) -> Plan:
    """The nodes that all conditions lead to; with ``answer`` only that one."""
    pattern = _pattern(conditions, answer)
    return Plan(pattern, (Column(ANSWER, NodeReference(ANSWER)),))


def count_plan(conditions: Sequence[Condition]) -> Plan:
    """Their number."""
    pattern = _pattern(conditions, None)
    return Plan(pattern, (Column(_NUMBER, Aggregate("count", NodeReference(ANSWER), distinct=True)),))


def _pattern(conditions: Sequence[Condition], answer: str | None) -> Pattern:
    nodes: list[NodePattern] = []
    edges: list[EdgePattern] = []
    nodes.append(NodePattern(ANSWER, (conditions[0].steps[-1].end.id,), () if answer is None else (answer,)))
    for number, condition in enumerate(conditions):
        here = f"start{number}"
        nodes.append(NodePattern(here, ids=(condition.start,)))
        for place, step in enumerate(condition.steps):
            there = ANSWER if place == len(condition.steps) - 1 else f"via{number}_{place}"
            if there != ANSWER:
                nodes.append(NodePattern(there, (step.end.id,)))
            edges.append(EdgePattern(here, there, (step.type,), step.direction))
            here = there
    return Pattern(tuple(nodes), tuple(edges))


def type_plan(type: TypeWords) -> Plan:
    """How many nodes a type has."""
    pattern = Pattern((NodePattern(ANSWER, (type.id,)),))
    return Plan(pattern, (Column(_NUMBER, Aggregate("count", NodeReference(ANSWER), distinct=True)),))


# --- properties


def property_plan(node: str, item: PropertyWords) -> Plan:
    """The values that one node has."""
    pattern = Pattern((NodePattern(ANSWER, ids=(node,)),))
    has_value = Not(IsNull(PropertyOf(ANSWER, item.key)))
    return Plan(pattern, (Column(_VALUE, PropertyOf(ANSWER, item.key)),), where=has_value)


def bound_plan(item: PropertyWords, store: GraphStore, draw: random.Random) -> tuple[Plan, str, str] | None:
    """Nodes with a value beyond one that occurs, or equal to it: the plan, which templates, and the value in words."""
    values = _values(item, store)
    if len(values) < 2:
        return None
    if item.kind == "text":
        value = draw.choice(values)
        if not isinstance(value, str) or not 2 <= len(value) <= _LONGEST_VALUE:
            return None
        return _bounded(item, "=", value), "equal", value
    is_above = draw.random() < 0.5
    # From the outer quarter: neither all nor none.
    quarter = max(1, len(values) // 4)
    value = draw.choice(values[-quarter - 1 : -1] if is_above else values[1 : quarter + 1])
    if isinstance(value, datetime.date):
        year = _new_year(value)
        return (
            _bounded(item, ">=" if is_above else "<", year),
            ("after" if is_above else "before"),
            _said_year(value, is_above=is_above),
        )
    return (
        _bounded(item, ">" if is_above else "<", value),
        ("more than" if is_above else "less than"),
        display(value),
    )


def _said_year(value: datetime.date, *, is_above: bool) -> str:
    """ "After 2010" is from the first day of 2011 on, "before 2010" up to the last day of 2009."""
    return str(value.year - 1 if is_above else value.year)


def _new_year(value: datetime.date) -> datetime.date:
    day = datetime.date(value.year, 1, 1)
    if isinstance(value, datetime.datetime):
        return datetime.datetime.combine(day, datetime.time(), value.tzinfo)
    return day


def _values(item: PropertyWords, store: GraphStore) -> list[Value]:
    plan = Plan(
        Pattern((NodePattern(ANSWER, (item.owner.id,)),)),
        (Column(_VALUE, PropertyOf(ANSWER, item.key)),),
        where=Not(IsNull(PropertyOf(ANSWER, item.key))),
        order=(OrderBy(_VALUE),),
        limit=_MOST_VALUES,
    )
    return [row[0] for row in store.run(plan, Budget(rows=_MOST_VALUES)).rows]


def _bounded(item: PropertyWords, comparator: Comparator, value: Value) -> Plan:
    return Plan(
        Pattern((NodePattern(ANSWER, (item.owner.id,)),)),
        (Column(ANSWER, NodeReference(ANSWER)),),
        where=Compare(PropertyOf(ANSWER, item.key), comparator, Constant(value)),
    )


def extreme_plan(item: PropertyWords, *, descending: bool) -> Plan:
    """The node with the greatest or least value; two rows, so that a tie is seen."""
    return Plan(
        Pattern((NodePattern(ANSWER, (item.owner.id,)),)),
        (Column(ANSWER, NodeReference(ANSWER)), Column(_VALUE, PropertyOf(ANSWER, item.key))),
        where=Not(IsNull(PropertyOf(ANSWER, item.key))),
        order=(OrderBy(_VALUE, descending),),
        limit=1,
    )


def aggregate_plan(item: PropertyWords, function: AggregateFunction) -> Plan:
    """A figure of all values."""
    pattern = Pattern((NodePattern(ANSWER, (item.owner.id,)),))
    return Plan(pattern, (Column(_NUMBER, Aggregate(function, PropertyOf(ANSWER, item.key))),))


# --- relations of all nodes of a type


def each_plan(step: Step) -> Plan:
    """For each node how many are at the other end."""
    return Plan(
        _step_pattern(step),
        (
            Column(ANSWER, NodeReference(ANSWER)),
            Column(_NUMBER, Aggregate("count", NodeReference("other"), distinct=True)),
        ),
    )


def most_plan(step: Step) -> Plan:
    """The node with most at the other end."""
    each = each_plan(step)
    return Plan(each.pattern, each.columns, order=(OrderBy(_NUMBER, descending=True),), limit=1)


def absence_plan(step: Step) -> Plan:
    """The nodes with none at the other end."""
    inner = Pattern((NodePattern("other", (step.end.id,)),), _step_pattern(step).edges)
    return Plan(
        Pattern((NodePattern(ANSWER, (step.start.id,)),)),
        (Column(ANSWER, NodeReference(ANSWER)),),
        where=Not(Exists(inner)),
    )


def _step_pattern(step: Step) -> Pattern:
    return Pattern(
        (NodePattern(ANSWER, (step.start.id,)), NodePattern("other", (step.end.id,))),
        (EdgePattern(ANSWER, "other", (step.type,), step.direction),),
    )
