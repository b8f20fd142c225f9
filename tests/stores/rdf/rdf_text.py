"""Nodes and edges written as N-Triples, independently of the code under test."""

from __future__ import annotations

import base64
import datetime
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from askgraph.core.graph import Edge, Node
from askgraph.core.values import Duration, LanguageText, Point, TypedLiteral

XSD = "http://www.w3.org/2001/XMLSchema#"
RDF_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
SUB_CLASS_OF = "<http://www.w3.org/2000/01/rdf-schema#subClassOf>"
WKT = "http://www.opengis.net/ont/geosparql#wktLiteral"


class NotInRdf(Exception):
    """A value that has no literal."""


def quoted(text: str) -> str:
    """A text with every character escaped that might not be plain."""
    return '"' + "".join(c if c.isalnum() and c.isascii() else f"\\U{ord(c):08X}" for c in text) + '"'


def literal(value: Any) -> str:
    """A value as a literal."""
    write = _WRITERS.get(type(value))
    if write is None:
        raise NotInRdf(value)
    return write(value)


def _float(value: float) -> str:
    special = {math.inf: "INF", -math.inf: "-INF"}.get(value, "NaN" if math.isnan(value) else None)
    return typed(special or repr(value), "double")


def _decimal(value: Decimal) -> str:
    if not value.is_finite():
        raise NotInRdf(value)
    return typed(f"{value:f}", "decimal")


def _duration(value: Duration) -> str:
    if min(value.months, value.days, value.microseconds) < 0:
        raise NotInRdf(value)
    return typed(str(value), "duration")


def _point(value: Point) -> str:
    text = f"POINT({value.x} {value.y})" if value.z is None else f"POINT Z ({value.x} {value.y} {value.z})"
    return f"{quoted(text)}^^<{WKT}>"


_WRITERS: dict[type, Callable[[Any], str]] = {
    bool: lambda value: typed(str(value).lower(), "boolean"),
    int: lambda value: typed(str(value), "integer"),
    float: _float,
    Decimal: _decimal,
    str: lambda value: quoted(value),
    LanguageText: lambda value: f"{quoted(value.text)}@{value.language}",
    TypedLiteral: lambda value: f"{quoted(value.text)}^^<{value.datatype}>",
    datetime.datetime: lambda value: typed(value.isoformat(), "dateTime"),
    datetime.date: lambda value: typed(value.isoformat(), "date"),
    datetime.time: lambda value: typed(value.isoformat(), "time"),
    Duration: _duration,
    bytes: lambda value: typed(base64.b64encode(value).decode(), "base64Binary"),
    Point: _point,
}


def typed(text: str, datatype: str) -> str:
    return f"{quoted(text)}^^<{XSD}{datatype}>"


def ntriples(nodes: Iterable[Node], edges: Iterable[Edge], parents: Mapping[str, Sequence[str]] = {}) -> str:
    """A graph whose ids, types and keys are IRIs."""
    lines = []
    for node in nodes:
        lines += [f"<{node.id}> {RDF_TYPE} <{type}> ." for type in node.types]
        for key, value in node.properties.items():
            for item in value if isinstance(value, list) else [value]:
                lines.append(f"<{node.id}> <{key}> {literal(item)} .")
    lines += [f"<{edge.source}> <{edge.type}> <{edge.target}> ." for edge in edges]
    lines += [f"<{below}> {SUB_CLASS_OF} <{above}> ." for below, all in parents.items() for above in all]
    return "\n".join([*lines, ""])
