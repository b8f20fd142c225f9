"""A schema without what nobody is to see: a correction must not lead there, nor say what lies there."""

from __future__ import annotations

from dataclasses import replace

from ....core.hidden import Hidden
from ....core.schema import EdgeType, Property, Schema


def visible_schema(schema: Schema, hidden: Hidden) -> Schema:
    """The schema without hidden types and properties."""
    if not hidden:
        return schema
    return replace(
        schema,
        node_types=tuple(item for item in schema.node_types if not hidden.hides_type(item.id)),
        edge_types=tuple(
            _with_visible_ends(item, hidden) for item in schema.edge_types if _is_seen(item, hidden)
        ),
        properties=tuple(item for item in schema.properties if not _is_hidden(item, hidden)),
    )


def _is_seen(item: EdgeType, hidden: Hidden) -> bool:
    return not hidden.hides_type(item.id)


def _with_visible_ends(item: EdgeType, hidden: Hidden) -> EdgeType:
    ends = tuple(
        pair
        for pair in item.ends
        if not hidden.hides_type(pair.source) and not hidden.hides_type(pair.target)
    )
    return replace(item, ends=ends)


def _is_hidden(item: Property, hidden: Hidden) -> bool:
    return hidden.hides_type(item.owner) or hidden.hides_property(item.key, (item.owner,))
