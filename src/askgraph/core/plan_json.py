"""Plans as strict JSON data: to be stored with a run, sent over a wire, or written by hand as a gold query.

A plan for "which products cost less than ten, and who makes them"::

    {
      "nodes": [{"variable": "product", "types": ["Product"]}, {"variable": "maker"}],
      "edges": [{"source": "product", "target": "maker", "types": ["MADE_BY"]}],
      "where": {"left": {"property": "price", "of": "product"}, "comparator": "<", "right": {"value": 10}},
      "columns": [{"name": "product", "expression": {"node": "product"}},
                  {"name": "maker", "expression": {"node": "maker"}}]
    }

==========================================================  ==========================================================
an expression                                               a condition
==========================================================  ==========================================================
``{"node": variable}``                                      ``{"left": …, "comparator": "<", "right": …}``
``{"property": key, "of": variable}``                       ``{"is null": expression}``
``{"value": value}``                                        ``{"and": […]}``, ``{"or": […]}``, ``{"not": condition}``
``{"aggregate": "count", "argument": …, "distinct": true}`` ``{"exists": {"nodes": […], "edges": […]}}``
==========================================================  ==========================================================

What is left out has the default of :mod:`askgraph.core.plan`. Values are those of :mod:`askgraph.core.values`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, get_args

from .errors import BadValueError, PlanError
from .graph import Direction
from .plan import (
    Aggregate,
    AggregateFunction,
    And,
    Column,
    Comparator,
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
    OrderBy,
    Pattern,
    Plan,
    PropertyOf,
)
from .values import from_json_value, to_json_value

_T = TypeVar("_T")


# --- out


def plan_to_dict(plan: Plan) -> dict[str, Any]:
    """A plan as strict JSON data; what is at its default is left out."""
    data: dict[str, Any] = _pattern_to_dict(plan.pattern)
    if plan.where is not None:
        data["where"] = _condition_to_dict(plan.where)
    data["columns"] = [
        {"name": column.name, "expression": _expression_to_dict(column.expression)} for column in plan.columns
    ]
    if plan.having:
        data["having"] = [
            {"column": name, "comparator": comparator, "value": to_json_value(value)}
            for name, comparator, value in plan.having
        ]
    if plan.order:
        data["order"] = [{"column": item.column, "descending": item.descending} for item in plan.order]
    if not plan.distinct:
        data["distinct"] = False
    if plan.limit is not None:
        data["limit"] = plan.limit
    if plan.offset:
        data["offset"] = plan.offset
    return data


def _pattern_to_dict(pattern: Pattern) -> dict[str, Any]:
    data: dict[str, Any] = {"nodes": [_node_to_dict(node) for node in pattern.nodes]}
    if pattern.edges:
        data["edges"] = [_edge_to_dict(edge) for edge in pattern.edges]
    return data


def _node_to_dict(node: NodePattern) -> dict[str, Any]:
    data: dict[str, Any] = {"variable": node.variable}
    if node.types:
        data["types"] = list(node.types)
    if node.ids:
        data["ids"] = list(node.ids)
    return data


def _edge_to_dict(edge: EdgePattern) -> dict[str, Any]:
    data: dict[str, Any] = {"source": edge.source, "target": edge.target}
    if edge.types:
        data["types"] = list(edge.types)
    if edge.direction != "out":
        data["direction"] = edge.direction
    if edge.optional:
        data["optional"] = True
    if edge.variable is not None:
        data["variable"] = edge.variable
    return data


def _expression_to_dict(expression: Expression) -> dict[str, Any]:
    match expression:
        case NodeReference(variable):
            return {"node": variable}
        case PropertyOf(variable, key):
            return {"property": key, "of": variable}
        case Constant(value):
            return {"value": to_json_value(value)}
    data: dict[str, Any] = {"aggregate": expression.function}
    if expression.argument is not None:
        data["argument"] = _expression_to_dict(expression.argument)
    return data | {"distinct": True} if expression.distinct else data


def _condition_to_dict(condition: Condition) -> dict[str, Any]:
    match condition:
        case Compare(left, comparator, right):
            return {
                "left": _expression_to_dict(left),
                "comparator": comparator,
                "right": _expression_to_dict(right),
            }
        case IsNull(expression):
            return {"is null": _expression_to_dict(expression)}
        case And(parts):
            return {"and": [_condition_to_dict(part) for part in parts]}
        case Or(parts):
            return {"or": [_condition_to_dict(part) for part in parts]}
        case Not(part):
            return {"not": _condition_to_dict(part)}
    return {"exists": _pattern_to_dict(condition.pattern)}


# --- in


def plan_from_dict(data: Any) -> Plan:
    """The inverse of :func:`plan_to_dict`.

    Raises:
        PlanError: the data is not a plan; the message says where in it, and what was expected there.
    """
    try:
        return _plan(data)
    except RecursionError:
        raise PlanError("the plan is nested too deeply") from None


def _plan(data: Any) -> Plan:
    known = ("nodes", "edges", "where", "columns", "having", "order", "distinct", "limit", "offset")
    fields = _Fields(data, "the plan", known)
    return Plan(
        pattern=_pattern(fields),
        columns=tuple(fields.each("columns", _column)),
        where=fields.optional("where", _condition),
        having=tuple(fields.each("having", _having)),
        order=tuple(fields.each("order", _order)),
        distinct=fields.flag("distinct", default=True),
        limit=fields.optional("limit", _number),
        offset=fields.optional("offset", _number) or 0,
    )


class _Fields:
    """An object of the data, and where it stands."""

    def __init__(self, data: Any, place: str, known: tuple[str, ...]) -> None:
        if not isinstance(data, dict):
            raise PlanError(f"{place}: an object was expected, not {_shown(data)}")
        for key in data:
            if key not in known:
                raise PlanError(f"{place}: unknown entry {key!r}", advice=f"Known are {', '.join(known)}.")
        self._data: Mapping[str, Any] = data
        self.place = place

    def has(self, key: str) -> bool:
        return self._data.get(key) is not None

    def required(self, key: str, read: Callable[[Any, str], _T]) -> _T:
        if not self.has(key):
            raise PlanError(f"{self.place}: {key!r} is missing")
        return read(self._data[key], f"{self.place}.{key}")

    def optional(self, key: str, read: Callable[[Any, str], _T]) -> _T | None:
        return self.required(key, read) if self.has(key) else None

    def each(self, key: str, read: Callable[[Any, str], _T]) -> list[_T]:
        return self.required(key, lambda data, place: _list(data, place, read)) if self.has(key) else []

    def flag(self, key: str, *, default: bool = False) -> bool:
        value = self._data.get(key, default)
        if not isinstance(value, bool):
            raise PlanError(f"{self.place}.{key}: true or false was expected, not {_shown(value)}")
        return value

    def raw(self, key: str) -> Any:
        return self._data.get(key)


def _list(data: Any, place: str, read: Callable[[Any, str], _T]) -> list[_T]:
    if not isinstance(data, list):
        raise PlanError(f"{place}: a list was expected, not {_shown(data)}")
    return [read(item, f"{place}[{number}]") for number, item in enumerate(data)]


def _text(data: Any, place: str) -> str:
    if not isinstance(data, str) or not data:
        raise PlanError(f"{place}: a text was expected, not {_shown(data)}")
    return data


def _texts(data: Any, place: str) -> tuple[str, ...]:
    """Ids or types; the type of what has none is the empty text."""
    if not isinstance(data, list) or not all(isinstance(item, str) for item in data):
        raise PlanError(f"{place}: a list of texts was expected, not {_shown(data)}")
    return tuple(data)


def _number(data: Any, place: str) -> int:
    if not isinstance(data, int) or isinstance(data, bool):
        raise PlanError(f"{place}: a whole number was expected, not {_shown(data)}")
    return data


def _shown(data: Any) -> str:
    text = repr(data)
    return text if len(text) <= 60 else f"{text[:60]}…"


def _pattern(fields: _Fields) -> Pattern:
    return Pattern(tuple(fields.each("nodes", _node)), tuple(fields.each("edges", _edge)))


def _node(data: Any, place: str) -> NodePattern:
    fields = _Fields(data, place, ("variable", "types", "ids"))
    return NodePattern(
        fields.required("variable", _text),
        fields.optional("types", _texts) or (),
        fields.optional("ids", _texts) or (),
    )


def _edge(data: Any, place: str) -> EdgePattern:
    fields = _Fields(data, place, ("source", "target", "types", "direction", "optional", "variable"))
    return EdgePattern(
        fields.required("source", _text),
        fields.required("target", _text),
        fields.optional("types", _texts) or (),
        fields.optional("direction", _direction) or "out",
        fields.flag("optional"),
        fields.optional("variable", _text),
    )


def _direction(data: Any, place: str) -> Direction:
    return _one_of(data, place, get_args(Direction))  # type: ignore[no-any-return]


def _comparator(data: Any, place: str) -> Comparator:
    return _one_of(data, place, get_args(Comparator))  # type: ignore[no-any-return]


def _function(data: Any, place: str) -> AggregateFunction:
    return _one_of(data, place, get_args(AggregateFunction))  # type: ignore[no-any-return]


def _one_of(data: Any, place: str, known: tuple[str, ...]) -> Any:
    if data not in known:
        raise PlanError(f"{place}: one of {', '.join(known)} was expected, not {_shown(data)}")
    return data


def _column(data: Any, place: str) -> Column:
    fields = _Fields(data, place, ("name", "expression"))
    return Column(fields.required("name", _text), fields.required("expression", _expression))


def _having(data: Any, place: str) -> tuple[str, Comparator, Any]:
    fields = _Fields(data, place, ("column", "comparator", "value"))
    # Null is a value: nothing passes a comparison with it.
    value = _value(fields.raw("value"), f"{place}.value")
    return fields.required("column", _text), fields.required("comparator", _comparator), value


def _order(data: Any, place: str) -> OrderBy:
    fields = _Fields(data, place, ("column", "descending"))
    return OrderBy(fields.required("column", _text), fields.flag("descending"))


def _value(data: Any, place: str) -> Any:
    try:
        return from_json_value(data)
    except BadValueError as error:
        raise PlanError(f"{place}: {error.message}") from error


def _expression(data: Any, place: str) -> Expression:
    known = ("node", "property", "of", "value", "aggregate", "argument", "distinct")
    fields = _Fields(data, place, known)
    if fields.has("node"):
        return NodeReference(fields.required("node", _text))
    if fields.has("property"):
        return PropertyOf(fields.required("of", _text), fields.required("property", _text))
    if fields.has("aggregate"):
        argument = fields.optional("argument", _expression)
        if not isinstance(argument, NodeReference | PropertyOf | None):
            raise PlanError(f"{place}.argument: a node or a property was expected")
        function = fields.required("aggregate", _function)
        return Aggregate(function, argument, fields.flag("distinct"))
    if isinstance(data, dict) and "value" in data:
        return Constant(_value(fields.raw("value"), f"{place}.value"))
    raise PlanError(f"{place}: 'node', 'property', 'value' or 'aggregate' was expected")


def _condition(data: Any, place: str) -> Condition:
    known = ("left", "comparator", "right", "is null", "and", "or", "not", "exists")
    fields = _Fields(data, place, known)
    if fields.has("and"):
        return And(tuple(fields.each("and", _condition)))
    if fields.has("or"):
        return Or(tuple(fields.each("or", _condition)))
    if fields.has("not"):
        return Not(fields.required("not", _condition))
    if fields.has("is null"):
        return IsNull(fields.required("is null", _expression))
    if fields.has("exists"):
        return Exists(fields.required("exists", _inner_pattern))
    return Compare(
        fields.required("left", _expression),
        fields.required("comparator", _comparator),
        fields.required("right", _expression),
    )


def _inner_pattern(data: Any, place: str) -> Pattern:
    return _pattern(_Fields(data, place, ("nodes", "edges")))
