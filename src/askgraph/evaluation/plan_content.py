"""What a plan is made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any, Final

from ..core.plan import (
    Aggregate,
    Compare,
    Constant,
    EdgePattern,
    IsNull,
    NodePattern,
    NodeReference,
    Not,
    Plan,
    PropertyOf,
)
from ..core.values import LanguageText
from .query_content import QueryContent, once

_SIZES: Final = frozenset({"<", "<=", ">", ">="})


def content_of_plan(plan: Plan, *, asks: bool = False) -> QueryContent:
    """What a plan is made of. ``asks``: only whether it has rows is asked."""
    parts = list(_parts(plan))
    compared = [part for part in parts if isinstance(part, Compare)]
    edges = [part for part in parts if isinstance(part, EdgePattern)]
    nodes = [part for part in parts if isinstance(part, NodePattern)]
    keys = [part.key for part in parts if isinstance(part, PropertyOf)]
    return QueryContent(
        things=once([id for node in nodes for id in node.ids] + list(_compared_ids(compared))),
        texts=once(_compared_texts(compared)),
        relations=once([type for edge in edges for type in edge.types] + keys),
        types=once(type for node in nodes for type in node.types),
        edges=len(edges),
        forms=frozenset(_forms_of_plan(plan, parts)) | ({"yes/no"} if asks else frozenset()),
    )


def _parts(value: Any) -> Iterator[Any]:
    """Everything that a plan is made of, from the outside in."""
    if isinstance(value, tuple):
        for item in value:
            yield from _parts(item)
    elif is_dataclass(value) and not isinstance(value, LanguageText):
        yield value
        for part in fields(value):
            yield from _parts(getattr(value, part.name))


def _compared_ids(compared: Iterable[Compare]) -> Iterator[str]:
    for part in compared:
        if isinstance(part.left, NodeReference) and isinstance(part.right, Constant):
            yield str(part.right.value)


def _compared_texts(compared: Iterable[Compare]) -> Iterator[str]:
    for part in compared:
        for side, other in ((part.left, part.right), (part.right, part.left)):
            if not isinstance(side, PropertyOf) or not isinstance(other, Constant):
                continue
            if isinstance(other.value, str | LanguageText):
                yield str(other.value)


def _forms_of_plan(plan: Plan, parts: Iterable[Any]) -> Iterator[str]:
    if plan.order and plan.limit is not None:
        yield "order"
    if plan.having:
        yield "filter"
    if plan.is_grouped and any(not isinstance(column.expression, Aggregate) for column in plan.columns):
        yield "group"
    for part in parts:
        match part:
            case Aggregate("count"):
                yield "count"
            case Aggregate():
                yield "figure"
            case Compare(PropertyOf(), comparator, Constant(value)):
                if comparator in _SIZES or not isinstance(value, str | LanguageText):
                    yield "filter"
            case Not(inner):
                if not isinstance(inner, IsNull):  # that there is a value is no condition of its own
                    yield "negation"
