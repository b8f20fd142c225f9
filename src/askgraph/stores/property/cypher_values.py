"""Values between the Cypher engine and the strict JSON of :mod:`askgraph.core.values`. Of the worker alone.

Nodes, edges and paths go out by number, ``{"$type": "node", "value": row}``; the parent knows the rest of them.
"""

from __future__ import annotations

import base64
import datetime
import math
import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, Final

from ...core.values import (
    Duration,
    LanguageText,
    Point,
    TypedLiteral,
    from_json_value,
    to_json_value,
)

_SMALLEST_INTEGER: Final = -(2**63)
_LARGEST_INTEGER: Final = 2**63 - 1
_LARGEST_OFFSET: Final = datetime.timedelta(hours=18)
_MAKES_A_LATITUDE: Final = re.compile(r"latitude`?\s*:", re.IGNORECASE)

# The engine gives these as dictionaries; its maps have their keys in alphabetical order, and these have not.
_EDGE_KEYS: Final = ("id", "start", "end", "type", "properties")
_DURATION_KEYS: Final = (("months", "days", "seconds"), ("months", "days", "seconds", "nanoseconds"))
# In these the order is that of a map with the same keys, so what is in them must tell.
_NODE_KEYS: Final = ("id", "labels", "properties")
_PATH_KEYS: Final = ("nodes", "relationships")
_POINT_KEYS: Final = ("latitude", "longitude")


def stored_value(data: Any) -> Any:
    """A value in JSON form as the engine can store it. What it has no type for becomes the nearest that it has; a
    duration of months inside a list or map its text."""
    return _plain(from_json_value(data), str)


def parameter_value(data: Any) -> Any:
    """A value in JSON form as the engine takes it for a parameter.

    Raises:
        ValueError: a duration of months, which it cannot be given.
    """
    return _plain(from_json_value(data), _refuse)


def _plain(value: Any, of_months: Callable[[Duration], Any]) -> Any:
    match value:
        case bool() | float() | str() | None:
            return value
        case int():
            return value if _SMALLEST_INTEGER <= value <= _LARGEST_INTEGER else float(value)
        case Decimal():
            return math.nan if value.is_nan() else float(value)
        case LanguageText() | TypedLiteral():
            return value.text
        case bytes():
            return base64.b64encode(value).decode("ascii")
        case Duration():
            if value.months:
                return of_months(value)
            return datetime.timedelta(days=value.days, microseconds=value.microseconds)
        case Point():
            return _plain_point(value)
        case datetime.time() if not _is_usual(value.utcoffset()):
            return value.isoformat()
        case list() | tuple():
            return [_plain(item, of_months) for item in value]
        case dict():
            return {key: _plain(item, of_months) for key, item in value.items()}
    return value


def _is_usual(offset: datetime.timedelta | None) -> bool:
    """Whether the engine's times can have it."""
    return offset is None or (abs(offset) <= _LARGEST_OFFSET and not offset.microseconds)


def _refuse(value: Duration) -> Any:
    raise ValueError(f"the engine takes no duration of months as a parameter: {value}")


def _plain_point(value: Point) -> dict[str, Any]:
    axes = {"x": value.x, "y": value.y} if value.z is None else {"x": value.x, "y": value.y, "z": value.z}
    return axes | {"srid": value.srid}


class ValueWriter:
    """Writes the cells of one result."""

    def __init__(self, text: str, nodes: Sequence[int], edges: Sequence[int]) -> None:
        """Args:
        text: of the query.
        nodes: the row of each node by the engine's number.
        edges: the number of each edge by the engine's.
        """
        self._nodes = nodes
        self._edges = edges
        # {latitude: …, longitude: …} is a point unless the query makes such maps itself.
        self._has_points = "point" in text.lower() or not _MAKES_A_LATITUDE.search(text)

    def cell(self, value: Any) -> Any:
        """A cell as JSON data."""
        if isinstance(value, dict):
            return self._of_dictionary(value)
        if isinstance(value, list | tuple):
            return [self.cell(item) for item in value]
        return to_json_value(value)

    def _of_dictionary(self, value: dict[str, Any]) -> Any:
        keys = tuple(value)
        writer = _WRITERS.get(keys)
        written = None if writer is None else writer(self, value)
        if written is not None:
            return written
        plain = {key: self.cell(item) for key, item in value.items()}
        return {"$type": "map", "value": plain} if "$type" in plain else plain

    def _node(self, value: dict[str, Any]) -> dict[str, Any] | None:
        number, labels, properties = value["id"], value["labels"], value["properties"]
        is_node = (
            isinstance(number, int)
            and 0 <= number < len(self._nodes)
            and isinstance(labels, list)
            and isinstance(properties, dict)
            and properties.keys() >= {"id", "title", "type"}
        )
        return {"$type": "node", "value": self._nodes[number]} if is_node else None

    def _edge(self, value: dict[str, Any]) -> dict[str, Any]:
        return {"$type": "edge", "value": self._edges[value["id"]]}

    def _path(self, value: dict[str, Any]) -> dict[str, Any] | None:
        nodes, edges = self.cell(value["nodes"]), self.cell(value["relationships"])
        if not (isinstance(nodes, list) and isinstance(edges, list) and len(nodes) == len(edges) + 1):
            return None
        if not (all(_is(item, "node") for item in nodes) and all(_is(item, "edge") for item in edges)):
            return None
        return {
            "$type": "path",
            "nodes": [item["value"] for item in nodes],
            "edges": [item["value"] for item in edges],
        }

    def _duration(self, value: dict[str, int]) -> Any:
        micro = value["seconds"] * 1_000_000 + value.get("nanoseconds", 0) // 1_000
        return to_json_value(Duration(value["months"], value["days"], micro))

    def _point(self, value: dict[str, Any]) -> Any:
        latitude, longitude = value["latitude"], value["longitude"]
        if not (self._has_points and isinstance(latitude, float) and isinstance(longitude, float)):
            return None
        return to_json_value(Point(longitude, latitude))


def _is(item: Any, kind: str) -> bool:
    return isinstance(item, dict) and item.get("$type") == kind


_WRITERS: Final[dict[tuple[str, ...], Callable[[ValueWriter, dict[str, Any]], Any]]] = {
    _NODE_KEYS: ValueWriter._node,
    _EDGE_KEYS: ValueWriter._edge,
    _PATH_KEYS: ValueWriter._path,
    _POINT_KEYS: ValueWriter._point,
    **dict.fromkeys(_DURATION_KEYS, ValueWriter._duration),
}
