"""A schema in lines for a prompt: types, relations with what they join, properties; what fits the question first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from ...core.schema import UNTYPED, EdgeType, Property, Schema
from ...linking.schema_terms import HopKind
from ..relevance import Relevance
from .metapath_text import short_name

_ENDS: Final = 3
Item = TypeVar("Item")


def schema_outline(schema: Schema, relevance: Relevance | None = None, *, most: int = 120) -> str:
    """The schema as lines.

    Args:
        schema: what to outline.
        relevance: of the question; without it the order is that of the schema, the most frequent first.
        most: relations and properties together; what fits worst is left out, and that is said.
    """
    relations = _best_first(((HopKind(item.id, True), item) for item in schema.edge_types), relevance)
    properties = _best_first(
        (
            (HopKind(item.key, True, item.owner or None, None, True), item)
            for item in schema.properties
            if not item.of_edges
        ),
        relevance,
    )
    shown_relations = relations[: most // 2]
    shown_properties = properties[: most - len(shown_relations)]
    lines = [
        "Types: " + ", ".join(_type_name(schema, item.id) for item in schema.node_types[:most] if item.id)
    ]
    lines += ["Relations:", *(f"  {_relation(schema, item)}" for item in shown_relations)]
    lines += ["Properties:", *(f"  {_property(schema, item)}" for item in shown_properties)]
    left = len(relations) - len(shown_relations) + len(properties) - len(shown_properties)
    if left:
        lines.append(f"{left} further relations and properties are left out.")
    return "\n".join(lines)


def _best_first(items: Iterable[tuple[HopKind, Item]], relevance: Relevance | None) -> list[Item]:
    listed = list(items)
    if relevance is not None:
        listed.sort(key=lambda pair: -round(relevance.score([pair[0]]).total, 6))
    return [item for _, item in listed]


def _type_name(schema: Schema, id: str) -> str:
    return _named(schema, id) if id != UNTYPED else "anything"


def _relation(schema: Schema, item: EdgeType) -> str:
    joined = "; ".join(
        f"{short_name(ends.source) or 'anything'} -> {short_name(ends.target) or 'anything'}"
        for ends in item.ends[:_ENDS]
    )
    return ": ".join(part for part in (_named(schema, item.id), joined) if part)


def _property(schema: Schema, item: Property) -> str:
    kinds = "/".join(kind.value for kind in item.value_types)
    owner = short_name(item.owner) if item.owner else "anything"
    return f"{_named(schema, item.key)} of {owner}: {kinds}"


def _named(schema: Schema, id: str) -> str:
    """A name that a path or a query can use, and what it is called where that differs."""
    name, label = short_name(id), schema.label_of(id)
    parts: Sequence[str] = [name]
    if "://" in id:
        parts = [*parts, f"<{id}>"]
    if label.casefold() not in (name.casefold(), id.casefold()):
        parts = [*parts, f"({label})"]
    return " ".join(parts)
