"""RDF: an RDF graph exactly as it is, a property graph by a mapping.

An RDF graph is written as N-Triples, every literal as it was written, or as N-Quads where it has named graphs.

A property graph becomes triples under the namespace ``urn:askgraph:``:

* A node whose id is an absolute IRI or a blank node (``_:b1``) keeps it; any other is ``urn:askgraph:node/<id>``.
  Labels are ``urn:askgraph:type/<label>``, keys ``urn:askgraph:property/<key>``, edge types
  ``urn:askgraph:edge/<type>``, unless they are IRIs themselves; what an IRI cannot hold is percent-encoded. A
  node without labels is an ``rdfs:Resource``.
* Values are literals of XML Schema's types; a point is a ``geo:wktLiteral``; a list is several triples. Maps,
  lists within lists and what else has no datatype are ``rdf:JSON`` in the strict form of
  :mod:`askgraph.core.values`.
* An edge is a triple. One that has properties or an id of its own is described besides, as an ``rdf:Statement``
  called ``urn:askgraph:statement/<edge id>``.

The order and repetition of values in lists, and how many parallel edges there are, cannot be said in RDF: the
report says where they are lost.
"""

from __future__ import annotations

import base64
import datetime
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import IO, Final, Protocol, runtime_checkable
from urllib.parse import quote as percent_encoded

from ...core.graph import Edge, Node
from ...core.progress import Progress
from ...core.values import Duration, LanguageText, Point, TypedLiteral, Value, to_json_value
from ...core.words import quantity
from ..base import GraphStore
from .objects import checked_edges, checked_nodes, given_id
from .report import ExportReport

NAMESPACE: Final = "urn:askgraph:"

_RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFS: Final = "http://www.w3.org/2000/01/rdf-schema#"
_XSD: Final = "http://www.w3.org/2001/XMLSchema#"
_WKT: Final = "http://www.opengis.net/ont/geosparql#wktLiteral"
_ABSOLUTE_IRI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|\\^`\x7f]+")
_BLANK_NODE: Final = re.compile(r"_:[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?")
_LANGUAGE: Final = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")


@runtime_checkable
class WritesNTriples(Protocol):
    """A store of RDF that writes its own triples."""

    @property
    def has_named_graphs(self) -> bool:
        """Whether any triple stands in a named graph."""

    def write_ntriples(self, file: IO[str]) -> int:
        """Write every triple; the number of lines."""


def write_ntriples(store: GraphStore, folder: Path, directory: Path, progress: Progress) -> ExportReport:
    """Write the file into ``folder``, which will become ``directory``."""
    schema = store.schema()
    if isinstance(store, WritesNTriples):
        name = "graph.nq" if store.has_named_graphs else "graph.nt"
        progress.start("writing triples")
        with (folder / name).open("w", encoding="utf-8", newline="\n") as stream:
            store.write_ntriples(stream)
        progress.finish()
        return ExportReport(directory, (name,), "nt", schema.node_count, schema.edge_count)
    writer = _PropertyGraphWriter()
    with (folder / "graph.nt").open("w", encoding="utf-8", newline="\n") as stream:
        progress.start("writing nodes", schema.node_count)
        nodes = _write(stream, map(writer.node, checked_nodes(store)), progress)
        progress.finish()
        progress.start("writing edges", schema.edge_count)
        edges = _write(stream, map(writer.edge, checked_edges(store)), progress)
        progress.finish()
    return ExportReport(directory, ("graph.nt",), "nt", nodes, edges, writer.notes())


def _write(stream: IO[str], items: Iterable[Iterator[str]], progress: Progress) -> int:
    count = 0
    for lines in items:
        stream.writelines(lines)
        count += 1
        if count % 10_000 == 0:
            progress.advance(10_000)
    progress.advance(count % 10_000)
    return count


class _PropertyGraphWriter:
    """Turns nodes and edges into triples, and keeps count of what RDF cannot say."""

    def __init__(self) -> None:
        self._lists = 0
        self._parallels = 0
        self._last_edge: tuple[str, str, str] | None = None
        self._described = False

    def notes(self) -> tuple[str, ...]:
        """What was lost or put in another way."""
        notes = [f"Names that are no IRIs stand under {NAMESPACE}"]
        if self._lists:
            lists = quantity(self._lists, "list")
            notes.append(f"{lists} became several values: their order, repeated values and nulls are lost.")
        if self._parallels:
            parallels = quantity(self._parallels, "parallel edge")
            notes.append(f"{parallels} fell together with another: RDF has no two triples alike.")
        if self._described:
            notes.append("Properties and ids of edges stand with statements about the edges (rdf:Statement).")
        return tuple(notes)

    def node(self, node: Node) -> Iterator[str]:
        """The triples that a node is the subject of, but for its edges."""
        subject = _resource(node.id, "node")
        if not node.types:
            # Without any triple there would be no node; everything is a resource.
            yield f"{subject} <{_RDF}type> <{_RDFS}Resource> .\n"
        for label in node.types:
            yield f"{subject} <{_RDF}type> {_resource(label, 'type')} .\n"
        yield from self._properties(subject, node.properties)

    def edge(self, edge: Edge) -> Iterator[str]:
        """The triple of an edge, and what is said about it."""
        subject, target = _resource(edge.source, "node"), _resource(edge.target, "node")
        predicate = _resource(edge.type, "edge")
        # Stores give parallel edges one after the other.
        ends = (edge.source, edge.type, edge.target)
        if ends == self._last_edge:
            self._parallels += 1
        else:
            yield f"{subject} {predicate} {target} .\n"
        self._last_edge = ends
        if edge.properties or given_id(edge) is not None:
            self._described = True
            statement = _resource(edge.id, "statement")
            yield f"{statement} <{_RDF}type> <{_RDF}Statement> .\n"
            for part, term in (("subject", subject), ("predicate", predicate), ("object", target)):
                yield f"{statement} <{_RDF}{part}> {term} .\n"
            yield from self._properties(statement, edge.properties)

    def _properties(self, subject: str, properties: Mapping[str, Value]) -> Iterator[str]:
        for key, value in properties.items():
            predicate = _resource(key, "property")
            for item in self._several(value):
                yield f"{subject} {predicate} {_literal(item)} .\n"

    def _several(self, value: Value) -> Iterable[Value]:
        if not isinstance(value, list | tuple):
            return (value,)
        self._lists += 1
        return [item for item in value if item is not None]


@lru_cache(maxsize=100_000)
def _resource(name: str, kind: str) -> str:
    """A name as an IRI or a blank node."""
    if _BLANK_NODE.fullmatch(name) and kind == "node":
        return name
    if _ABSOLUTE_IRI.fullmatch(name) and not name.startswith((f"{NAMESPACE}{kind}/", "_:")):
        return f"<{name}>"
    return f"<{NAMESPACE}{kind}/{percent_encoded(name, safe='')}>"


def _literal(value: Value) -> str:
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, LanguageText) and _LANGUAGE.fullmatch(value.language):
        return f"{_quoted(value.text)}@{value.language}"
    if isinstance(value, TypedLiteral) and _ABSOLUTE_IRI.fullmatch(value.datatype):
        return f"{_quoted(value.text)}^^<{value.datatype}>"
    text, datatype = _typed(value)
    return f"{_quoted(text)}^^<{datatype}>"


def _typed(value: Value) -> tuple[str, str]:
    """The text and datatype of a value that is no text."""
    match value:
        case bool():
            return ("true" if value else "false"), f"{_XSD}boolean"
        case int():
            return str(value), f"{_XSD}integer"
        case float():
            return _float_text(value), f"{_XSD}double"
        case Decimal() if value.is_finite():
            return f"{value:f}", f"{_XSD}decimal"
        case datetime.datetime() if _has_usual_zone(value):
            return value.isoformat(), f"{_XSD}dateTime"
        case datetime.date() if not isinstance(value, datetime.datetime):
            return value.isoformat(), f"{_XSD}date"
        case datetime.time() if _has_usual_zone(value):
            return value.isoformat(), f"{_XSD}time"
        case Duration() if (text := _duration_text(value)) is not None:
            return text, f"{_XSD}duration"
        case bytes():
            return base64.b64encode(value).decode("ascii"), f"{_XSD}base64Binary"
        case Point(x, y, None, 4326):
            return f"POINT({x!r} {y!r})", _WKT
        case Point(x, y, float() as z, 4979):
            return f"POINT Z({x!r} {y!r} {z!r})", _WKT
    text = json.dumps(to_json_value(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text, f"{_RDF}JSON"


def _float_text(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "INF" if value > 0 else "-INF"
    return repr(value)


def _has_usual_zone(value: datetime.datetime | datetime.time) -> bool:
    """Whether XML Schema can write the zone: whole minutes, at most 14 hours from UTC."""
    offset = value.utcoffset()
    return offset is None or (
        offset.seconds % 60 == 0 and not offset.microseconds and abs(offset) <= datetime.timedelta(hours=14)
    )


def _duration_text(value: Duration) -> str | None:
    """A duration as XML Schema writes it, or ``None`` if its parts have different signs."""
    parts = (value.months, value.days, value.microseconds)
    if all(part >= 0 for part in parts):
        return str(value)
    if all(part <= 0 for part in parts):
        return f"-{Duration(*(-part for part in parts))}"
    return None


_ESCAPES: Final = {
    ord("\\"): "\\\\",
    ord('"'): '\\"',
    ord("\n"): "\\n",
    ord("\r"): "\\r",
    ord("\t"): "\\t",
} | {code: f"\\u{code:04X}" for code in (*range(9), 0x0B, 0x0C, *range(0x0E, 0x20), 0x7F)}


def _quoted(text: str) -> str:
    return f'"{text.translate(_ESCAPES)}"'
