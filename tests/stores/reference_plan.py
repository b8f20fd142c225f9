"""What a plan means, spelled out in plain Python over lists of nodes and edges: slow, short, and easy to check by eye
against the words of :mod:`askgraph.core.plan`. Stores are compared with it."""

from __future__ import annotations

import datetime
import functools
import itertools
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from askgraph.core.graph import Edge, Node
from askgraph.core.plan import (
    Aggregate,
    And,
    Compare,
    Condition,
    Constant,
    EdgePattern,
    Exists,
    Expression,
    IsNull,
    NodePattern,
    NodeReference,
    Not,
    Or,
    Pattern,
    Plan,
    PropertyOf,
)
from askgraph.core.values import (
    Duration,
    LanguageText,
    TypedLiteral,
    Value,
    ValueType,
    to_json_value,
    value_type,
)

Binding = dict[str, Any]
"""Of variables of nodes the ids, or nothing; of variables of edges the edges."""


@dataclass(frozen=True)
class ReferenceGraph:
    """A graph as lists. ``parents`` are the direct supertypes of each type."""

    nodes: Sequence[Node]
    edges: Sequence[Edge]
    parents: Mapping[str, Sequence[str]]

    def is_of_type(self, node: Node, types: Sequence[str]) -> bool:
        if not types:
            return True
        if "" in types and not node.types:
            return True
        waiting = list(node.types)
        seen = set(waiting)
        while waiting:
            current = waiting.pop()
            if current in types:
                return True
            for parent in self.parents.get(current, ()):
                if parent not in seen:
                    seen.add(parent)
                    waiting.append(parent)
        return False


def rows_of(plan: Plan, graph: ReferenceGraph) -> list[tuple[Value, ...]]:
    """The rows of a plan in their order, without any budget."""
    matches = [match for match in _matches(plan, graph) if _holds(plan.where, match, graph)]
    cells = [column.expression for column in plan.columns]
    if plan.is_grouped:
        rows = _grouped(cells, matches)
    else:
        rows = [tuple(match.value(cell) for cell in cells) for match in matches]
    if plan.distinct:
        rows = list({tuple(identity(value) for value in row): row for row in rows}.values())
    names = [column.name for column in plan.columns]
    rows = [
        row
        for row in rows
        if all(compare(row[names.index(name)], sign, value) for name, sign, value in plan.having)
    ]
    asked = {item.column: item.descending for item in reversed(plan.order)}
    order = list(dict.fromkeys([item.column for item in plan.order] + names))
    for name in reversed(order):
        position = names.index(name)
        present = [row for row in rows if row[position] is not None]
        absent = [row for row in rows if row[position] is None]
        present.sort(key=lambda row: order_key(row[position]), reverse=asked.get(name, False))
        rows = present + absent
    end = None if plan.limit is None else plan.offset + plan.limit
    return rows[plan.offset : end]


# --- matches


@dataclass(frozen=True)
class Match:
    """Nodes of variables, and of each property asked for one value."""

    nodes: Binding
    properties: Mapping[PropertyOf, Value]

    def value(self, expression: Expression) -> Value:
        match expression:
            case NodeReference(variable):
                bound: str | None = self.nodes[variable]
                return bound
            case PropertyOf():
                return self.properties[expression]
            case Constant(value):
                return value
        raise AssertionError(expression)


def _matches(plan: Plan, graph: ReferenceGraph) -> Iterator[Match]:
    by_id = {node.id: node for node in graph.nodes}
    asked = list(dict.fromkeys(_properties(plan)))
    for binding in _bindings(plan.pattern, graph, {}):
        choices = []
        for item in asked:
            bound = binding[item.variable]
            owner = bound if isinstance(bound, Edge) else by_id.get(bound)
            choices.append(values_of(owner.properties.get(item.key)) if owner is not None else [None])
        for combination in itertools.product(*choices):
            yield Match(binding, dict(zip(asked, combination, strict=True)))


def values_of(value: Value) -> list[Value]:
    """The values of a property: those of a list, or the one."""
    if not isinstance(value, list | tuple):
        return [value]
    return [item for item in value if item is not None] or [None]


def _bindings(pattern: Pattern, graph: ReferenceGraph, outer: Binding) -> Iterator[Binding]:
    """One binding for each match, edges included: parallel edges give the same binding several times."""
    optional = set(pattern.optional_variables)
    free = [node for node in pattern.nodes if node.variable not in optional and node.variable not in outer]
    candidates = [[node.id for node in graph.nodes if _fits(node, wanted, graph)] for wanted in free]
    held = [node for node in pattern.nodes if node.variable in outer]
    by_id = {node.id: node for node in graph.nodes}
    for node in held:
        id = outer[node.variable]
        if id is None or not _fits(by_id[id], node, graph):
            return
    for combination in itertools.product(*candidates):
        binding = outer | {node.variable: id for node, id in zip(free, combination, strict=True)}
        required = pattern.required_edges
        for followed in itertools.product(*(_between(edge, binding, graph) for edge in required)):
            pairs = zip(required, followed, strict=True)
            named = {edge.variable: item for edge, item in pairs if edge.variable is not None}
            yield from _with_optional(list(pattern.optional_edges), pattern, binding | named, graph)


def _with_optional(
    edges: list[EdgePattern], pattern: Pattern, binding: Binding, graph: ReferenceGraph
) -> Iterator[Binding]:
    if not edges:
        yield binding
        return
    edge, *rest = edges
    if edge.target in binding:
        found = [binding] * len(_between(edge, binding, graph))
        missing = binding
    else:
        wanted = next(node for node in pattern.nodes if node.variable == edge.target)
        found = []
        for node in graph.nodes:
            if _fits(node, wanted, graph):
                extended = binding | {edge.target: node.id}
                found += [extended] * len(_between(edge, extended, graph))
        missing = binding | {edge.target: None}
    for extended in found or [missing]:
        yield from _with_optional(rest, pattern, extended, graph)


def _fits(node: Node, wanted: NodePattern, graph: ReferenceGraph) -> bool:
    return (not wanted.ids or node.id in wanted.ids) and graph.is_of_type(node, wanted.types)


def _between(edge: EdgePattern, binding: Binding, graph: ReferenceGraph) -> list[Edge]:
    source, target = binding[edge.source], binding[edge.target]
    return [
        item
        for item in graph.edges
        if (not edge.types or item.type in edge.types)
        and (
            (edge.direction != "in" and (item.source, item.target) == (source, target))
            or (edge.direction != "out" and (item.target, item.source) == (source, target))
        )
    ]


def _properties(plan: Plan) -> Iterator[PropertyOf]:
    def within(condition: Condition | None) -> Iterator[Expression]:
        match condition:
            case Compare(left, _, right):
                yield from (left, right)
            case IsNull(expression):
                yield expression
            case And(parts) | Or(parts):
                for part in parts:
                    yield from within(part)
            case Not(part):
                yield from within(part)

    expressions = [column.expression for column in plan.columns] + list(within(plan.where))
    for expression in expressions:
        inner = expression.argument if isinstance(expression, Aggregate) else expression
        if isinstance(inner, PropertyOf):
            yield inner


# --- conditions


def _holds(condition: Condition | None, match: Match, graph: ReferenceGraph) -> bool:
    return condition is None or _outcome(condition, match, graph) is True


def _outcome(condition: Condition, match: Match, graph: ReferenceGraph) -> bool | None:
    match condition:
        case Compare(left, comparator, right):
            return compare(match.value(left), comparator, match.value(right))
        case IsNull(expression):
            return match.value(expression) is None
        case And(parts):
            outcomes = [_outcome(part, match, graph) for part in parts]
            return False if False in outcomes else None if None in outcomes else True
        case Or(parts):
            outcomes = [_outcome(part, match, graph) for part in parts]
            return True if True in outcomes else None if None in outcomes else False
        case Not(part):
            outcome = _outcome(part, match, graph)
            return None if outcome is None else not outcome
        case Exists(pattern):
            return any(True for _ in _bindings(pattern, graph, match.nodes))
    raise AssertionError(condition)


def compare(left: Value, comparator: str, right: Value) -> bool | None:
    """A comparison; ``None`` is unknown."""
    if left is None or right is None or _class(left) != _class(right):
        return None
    if comparator in ("contains", "starts with", "ends with"):
        if not isinstance(left, str | LanguageText):
            return None
        one, other = str(left).lower(), str(right).lower()
        return {"contains": other in one, "starts with": one.startswith(other)}.get(
            comparator, one.endswith(other)
        )
    sign = _sign(left, right)
    if sign is None:
        unequal = isinstance(left, Duration)
        return {"=": False, "<>": True}.get(comparator) if unequal else None
    if _class(left) in ("bytes", "point", "other") and comparator not in ("=", "<>"):
        return None
    return {
        "=": sign == 0, "<>": sign != 0, "<": sign < 0, "<=": sign <= 0, ">": sign > 0, ">=": sign >= 0,
    }[comparator]  # fmt: skip


def _class(value: Value) -> str:
    if isinstance(value, datetime.datetime):
        return "datetime" if value.tzinfo is None else "zoned"
    if isinstance(value, datetime.time) and value.tzinfo is not None:
        return "other"
    kind = value_type(value)
    if kind.is_number:
        return "number"
    if kind in (ValueType.LIST, ValueType.MAP, ValueType.OTHER) or isinstance(value, TypedLiteral):
        return "other"
    return kind.value


def _sign(left: Any, right: Any) -> int | None:
    """Below, equal or above; ``None`` where two values of one class have no order."""
    match _class(left):
        case "number":
            if math.isnan(left) or math.isnan(right):
                return None
            wide = {type(left), type(right)} == {float, Decimal} or (
                {type(left), type(right)} == {float, int} and any(_is_wide(item) for item in (left, right))
            )
            one, other = (_as_float(left), _as_float(right)) if wide else (left, right)
            return (one > other) - (one < other)
        case "text":
            one, other = str(left), str(right)
            return (one > other) - (one < other)
        case "duration":
            one, other = _months_and_rest(left), _months_and_rest(right)
            if (one[0] - other[0]) * (one[1] - other[1]) < 0:
                return None
            return (one > other) - (one < other)
        case "point" | "other":
            return int(_json(left) != _json(right))
    return int(left > right) - int(left < right)


def _is_wide(value: Any) -> bool:
    return isinstance(value, int) and not -(2**63) <= value < 2**63


def _as_float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _months_and_rest(value: Duration) -> tuple[int, int]:
    return value.months, value.days * 86_400_000_000 + value.microseconds


def _json(value: Value) -> str:
    return json.dumps(to_json_value(value), ensure_ascii=False)


# --- groups


def identity(value: Value) -> Any:
    """Equal for values that are one value to ``distinct`` and to groups."""
    if isinstance(value, float) and math.isnan(value):
        return "NaN"
    if isinstance(value, Decimal) and value.is_nan():
        return "decimal NaN"
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        return "zoned", value
    if isinstance(value, Duration):
        return "duration", value
    if isinstance(value, list | dict):
        return "json", _json(value)
    return type(value).__name__, value


def _grouped(cells: Sequence[Expression], matches: Sequence[Match]) -> list[tuple[Value, ...]]:
    groups: dict[Any, list[Match]] = {}
    keys = [cell for cell in cells if not isinstance(cell, Aggregate)]
    for match in matches:
        groups.setdefault(tuple(identity(match.value(key)) for key in keys), []).append(match)
    if not keys and not groups:
        groups[()] = []
    return [
        tuple(
            _aggregate(cell, members) if isinstance(cell, Aggregate) else members[0].value(cell)
            for cell in cells
        )
        for members in groups.values()
    ]


def _aggregate(cell: Aggregate, members: Sequence[Match]) -> Value:
    if cell.argument is None:
        return len(members)
    values = [value for member in members if (value := member.value(cell.argument)) is not None]
    if cell.distinct:
        values = list({identity(value): value for value in values}.values())
    if cell.function == "count":
        return len(values)
    if cell.function in ("minimum", "maximum"):
        choose: Callable[..., Any] = min if cell.function == "minimum" else max
        return choose(values, key=order_key) if values else None
    numbers: list[Any] = [value for value in values if _class(value) == "number"]
    if not numbers:
        return None
    is_exact = not any(isinstance(number, float) for number in numbers)
    total = _total(numbers)
    if cell.function == "average":
        return float(total) / len(numbers)
    if is_exact:
        return total if any(isinstance(number, Decimal) for number in numbers) else int(total)
    return float(total)


def _total(numbers: Iterable[Any]) -> Any:
    numbers = list(numbers)
    if all(isinstance(number, int | Decimal) for number in numbers):
        return sum(numbers, Decimal(0)) if any(isinstance(n, Decimal) for n in numbers) else sum(numbers)
    if any(not math.isfinite(number) for number in numbers):
        return sum(float(number) for number in numbers)
    return math.fsum(float(number) for number in numbers)


# --- order

_CLASSES = (
    "number", "text", "boolean", "date", "datetime", "zoned", "time", "duration", "bytes", "point", "other",
)  # fmt: skip


@functools.total_ordering
@dataclass(frozen=True)
class _NumberKey:
    """Numbers by size; equal ones as integer, decimal, float; a NaN last."""

    value: Any

    def _compare(self, other: _NumberKey) -> int:
        one, two = self.value, other.value
        nan = math.isnan(one) - math.isnan(two)
        if nan or math.isnan(one):
            return nan
        sign = _sign(one, two)
        assert sign is not None
        return sign or _kind(one) - _kind(two)

    def __lt__(self, other: _NumberKey) -> bool:
        return self._compare(other) < 0


def _kind(number: Any) -> int:
    return 2 if isinstance(number, float) else 1 if isinstance(number, Decimal) else 0


def order_key(value: Any) -> Any:
    """Values that are not null in their order."""
    name = _class(value)
    rank = _CLASSES.index(name)
    match name:
        case "number":
            return rank, _NumberKey(value)
        case "text":
            return rank, str(value), value.language if isinstance(value, LanguageText) else ""
        case "duration":
            months, rest = _months_and_rest(value)
            return rank, Fraction(months * 2_629_746_000_000 + rest), months, str(value)
        case "point" | "other":
            return rank, _json(value)
    return rank, value
