"""Random graphs with everything in them that a property graph can hold, and an exact comparison of values."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from askgraph.core.graph import Edge, Node
from askgraph.core.values import Duration, LanguageText, Point, TypedLiteral

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    [
        "",
        " ",
        "'",
        '"',
        "\\",
        "\x00",
        "a\nb",
        "NULL",
        "null",
        "%7C",
        "a|b",
        "|",
        "%",
        "Ünïcödé",
        "日本",
        "👩‍🔬",
        "1",
        "true",
    ]
)
IDS = TEXTS
TYPES = st.sampled_from(["Person", "person", "a b", "日本", "x'y", "|", "%7C"])

_FINITE = st.floats(allow_nan=False, allow_infinity=False)
_OFFSETS = st.integers(-23 * 60, 23 * 60).map(
    lambda minutes: datetime.timezone(datetime.timedelta(minutes=minutes))
)
_ZONES = st.just(datetime.UTC) | _OFFSETS
SCALARS: st.SearchStrategy[Any] = st.one_of(
    st.booleans(),
    st.integers(),
    st.integers(-(2**64), 2**64),
    st.sampled_from([2**63 - 1, 2**63, -(2**63), -(2**63) - 1]),
    st.floats(),
    st.decimals(),
    TEXTS,
    st.binary(max_size=8),
    st.dates(),
    st.times(),
    st.times(timezones=_ZONES),
    st.datetimes(),
    st.datetimes(timezones=_ZONES),
    st.builds(Duration, st.integers(-99, 99), st.integers(-999, 999), st.integers(-(10**12), 10**12)),
    st.builds(Point, _FINITE, _FINITE, st.none() | _FINITE),
    st.builds(LanguageText, TEXTS, st.sampled_from(["en", "de-CH"])),
    st.builds(TypedLiteral, TEXTS, st.just("urn:type")),
)  # fmt: skip
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS
    | st.lists(st.integers(), max_size=3)
    | st.lists(TEXTS, max_size=3)
    | st.lists(st.dates(), max_size=2),
    lambda inner: (
        st.lists(inner | st.none(), max_size=3)
        | st.dictionaries(TEXTS | st.just("$type"), inner | st.none(), max_size=3)
    ),
    max_leaves=5,
)
PROPERTIES = st.dictionaries(
    st.sampled_from(["name", "Name", "k", "K", "a b", "日本", "", "x'\"y", "row", "id"]) | TEXTS,
    VALUES,
    max_size=4,
)


@st.composite
def graphs(draw: st.DrawFn, *, most_nodes: int = 6, most_edges: int = 10) -> tuple[list[Node], list[Edge]]:
    """Nodes with different ids, and edges between them: parallel ones, loops, some with an id of their own."""
    ids = draw(st.lists(IDS, unique=True, max_size=most_nodes))
    nodes = [
        Node(id, types=tuple(draw(st.lists(TYPES, unique=True, max_size=3))), properties=draw(PROPERTIES))
        for id in ids
    ]
    edges = []
    for number in range(draw(st.integers(0, most_edges)) if ids else 0):
        given = f"edge {number}" if draw(st.integers(0, 3)) == 0 else ""
        source, target, kind = draw(st.sampled_from(ids)), draw(st.sampled_from(ids)), draw(TYPES)
        edges.append(Edge(given, source, target, kind, draw(PROPERTIES)))
    return nodes, edges


def exact(value: Any) -> Any:
    """A form in which only the very same values are equal: ``1``, ``1.0``, ``True`` and ``Decimal(1)`` are four."""
    if isinstance(value, float):
        return ("float", "nan" if math.isnan(value) else value.hex())
    if isinstance(value, Decimal):
        return ("Decimal", str(value) if value.is_finite() is False else value.as_integer_ratio())
    if isinstance(value, list | tuple):
        return ("list", tuple(exact(item) for item in value))
    if isinstance(value, dict):
        return ("dict", tuple(sorted((key, exact(item)) for key, item in value.items())))
    if isinstance(value, datetime.datetime | datetime.time):
        return (type(value).__name__, value.isoformat())
    if isinstance(value, Point):
        return ("Point", exact(value.x), exact(value.y), exact(value.z), value.srid)
    return (type(value).__name__, value)


def exact_nodes(nodes: Iterable[Node]) -> list[Any]:
    """What must be the same of nodes that come back."""
    return [(node.id, node.types, exact(dict(node.properties))) for node in nodes]


def exact_edges(edges: Iterable[Edge]) -> list[Any]:
    """What must be the same of edges that come back, but for their ids and order."""
    return sorted(repr((edge.source, edge.type, edge.target, exact(dict(edge.properties)))) for edge in edges)
