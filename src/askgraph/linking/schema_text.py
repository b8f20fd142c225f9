"""A schema as a language model is shown it: in the spelling that a query needs.

For Cypher the names stand as they must be written (``(:`My Type`)-[:WORKS_FOR]->(:Company)``), for SPARQL with the
prefixes that the query declares. Types of values are those of the language, samples are literals of it. What a graph
says about itself (labels of opaque ids, descriptions) stands beside the names.
"""

from __future__ import annotations

import datetime
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from types import MappingProxyType

from ..core.printable import printable, shortened
from ..core.schema import UNTYPED, EdgeEnds, EdgeType, NodeType, Property, Schema
from ..core.values import LanguageText, TypedLiteral, Value, ValueType, display
from ..core.words import human_label, local_name, normalize
from ..querying.cypher.names import print_name
from ..querying.sparql.well_known import WELL_KNOWN_PREFIXES

_LONGEST_SAMPLE = 40
_LONGEST_DESCRIPTION = 120
_MOST_SAMPLES = 2
# Of a property with so few values all are shown that are known: a query will compare with one of them.
_FEW_VALUES = 8
_MOST_ENDS = 6
_MOST_OWNERS = 12
_MOST_LANGUAGES = 4
_LONGEST_PREFIX = 12
_USUAL = 0.95
_LOCAL_NAME = re.compile(r"[A-Za-z_0-9](?:[\w-]*\w)?", re.ASCII)
_NAMESPACE = re.compile(r"(.*[/#:])([^/#:]*)", re.DOTALL)
_XSD_NAMES = {
    ValueType.BOOLEAN: "xsd:boolean",
    ValueType.INTEGER: "xsd:integer",
    ValueType.DECIMAL: "xsd:decimal",
    ValueType.FLOAT: "xsd:double",
    ValueType.DATE: "xsd:date",
    ValueType.TIME: "xsd:time",
    ValueType.DATETIME: "xsd:dateTime",
    ValueType.DURATION: "xsd:duration",
}
_CYPHER_NAMES = {ValueType.TEXT: "STRING", ValueType.DECIMAL: "FLOAT", ValueType.OTHER: "ANY"}


class SchemaText(ABC):
    """A way to write a schema. Each part of it is a line or a few, so that what it costs can be counted.

    Attributes:
        language: the query language that it is written for.
    """

    language: str

    def write(self, schema: Schema) -> str:
        """The whole schema."""
        sections = [self.head(schema), *self._sections(schema)]
        return "\n\n".join(section for section in sections if section)

    @abstractmethod
    def head(self, schema: Schema) -> str:
        """What stands before everything: prefixes."""

    @abstractmethod
    def node_type(self, item: NodeType) -> str:
        """A type of nodes, without its properties."""

    @abstractmethod
    def edge_type(self, item: EdgeType, properties: Sequence[Property]) -> str:
        """A type of edges: what it joins, and the properties that its edges have."""

    @abstractmethod
    def property(self, item: Property, owners: Sequence[str]) -> str:
        """A property of nodes of these types."""

    @abstractmethod
    def _sections(self, schema: Schema) -> Iterator[str]: ...


class CypherSchemaText(SchemaText):
    """Node patterns with their properties below them, and relationship patterns."""

    language = "cypher"

    def head(self, schema: Schema) -> str:
        """Nothing: Cypher has no prefixes."""
        return ""

    def _sections(self, schema: Schema) -> Iterator[str]:
        of_nodes, of_edges = _by_owner(schema, of_edges=False), _by_owner(schema, of_edges=True)
        lines = ["Nodes:"]
        for item in schema.node_types:
            lines.append(self.node_type(item))
            lines += [self.property(own, (own.owner,)) for own in of_nodes.get(item.id, ())]
        yield "\n".join(lines) if len(lines) > 1 else ""
        edges = [self.edge_type(item, of_edges.get(item.id, ())) for item in schema.edge_types]
        yield "\n".join(["Relationships:", *edges]) if edges else ""

    def node_type(self, item: NodeType) -> str:
        """``(:Person) "employee": Somebody who is paid by us.``"""
        pattern = self._node(item.id)
        about = _about(item.id, item.label, item.description)
        return f"{pattern} without a label" if item.id == UNTYPED else f"{pattern}{about}"

    def edge_type(self, item: EdgeType, properties: Sequence[Property]) -> str:
        """``(:Person)-[:ACTED_IN {roles: LIST}]->(:Movie)``, a line for each pair of types."""
        held = ", ".join(f"{print_name(own.key)}: {_cypher_types(own)}" for own in properties)
        arrow = f"-[:{print_name(item.id)}{f' {{{held}}}' if held else ''}]->"
        ends = item.ends or (EdgeEnds(UNTYPED, UNTYPED, 0),)
        lines = [f"{self._node(pair.source)}{arrow}{self._node(pair.target)}" for pair in ends[:_MOST_ENDS]]
        lines[0] += _about(item.id, item.label, item.description)
        if len(ends) > _MOST_ENDS:
            lines[-1] += f" and {len(ends) - _MOST_ENDS:,} more pairs of types"
        return "\n".join(lines)

    def property(self, item: Property, owners: Sequence[str]) -> str:
        """``  born: INTEGER, such as 1956``"""
        about = _about(item.key, item.label, item.description)
        line = f"  {print_name(item.key)}: {_cypher_types(item)}{_samples(item, _cypher_literal)}"
        return f"{line}{_coverage(item)}{about}"

    @staticmethod
    def _node(type: str) -> str:
        return f"(:{print_name(type)})" if type != UNTYPED else "()"


class SparqlSchemaText(SchemaText):
    """Prefixes, classes, properties with values, and properties between nodes.

    Args:
        prefixes: prefixes that the graph's author uses, and their namespaces.
    """

    language = "sparql"

    def __init__(self, prefixes: Mapping[str, str] = MappingProxyType({})) -> None:
        self._given = dict(prefixes)
        self._prefixes: dict[str, str] = {}

    def write(self, schema: Schema) -> str:
        """The whole schema."""
        self._prefixes = _chosen_prefixes(_iris(schema), self._given)
        return super().write(schema)

    def prepare(self, schema: Schema) -> None:
        """Choose the prefixes of a whole schema, before parts of it are written one by one."""
        self._prefixes = _chosen_prefixes(_iris(schema), self._given)

    def head(self, schema: Schema) -> str:
        """The declarations of the prefixes."""
        declared = [f"PREFIX {prefix}: <{namespace}>" for namespace, prefix in self._prefixes.items()]
        return "\n".join([*declared, f"PREFIX xsd: <{WELL_KNOWN_PREFIXES['xsd']}>"])

    def _sections(self, schema: Schema) -> Iterator[str]:
        classes = [self.node_type(item) for item in schema.node_types if item.id != UNTYPED]
        yield "\n".join(["Classes:", *classes]) if classes else ""
        owners: dict[str, list[Property]] = {}
        for item in schema.properties:
            owners.setdefault(item.key, []).append(item)
        held = [self.property(same[0], [item.owner for item in same]) for same in owners.values()]
        yield "\n".join(["Properties that hold values:", *held]) if held else ""
        edges = [self.edge_type(item, ()) for item in schema.edge_types]
        yield "\n".join(["Properties that lead to other things:", *edges]) if edges else ""

    def node_type(self, item: NodeType) -> str:
        """``pv:Manager, subclass of pv:Employee: An employee with some direct reports.``"""
        parents = [self.name(parent) for parent in item.parents[:_MOST_ENDS]]
        below = f", subclass of {', '.join(parents)}" if parents else ""
        empty = ", only through its subclasses" if item.count == 0 and item.total > 0 else ""
        return f"{self.name(item.id)}{below}{empty}{_about(item.id, item.label, item.description)}"

    def edge_type(self, item: EdgeType, properties: Sequence[Property]) -> str:
        """``pv:hasSupplier: pv:Hardware → pv:Supplier``"""
        pairs = [f"{self._end(pair.source)} → {self._end(pair.target)}" for pair in item.ends[:_MOST_ENDS]]
        if len(item.ends) > _MOST_ENDS:
            pairs.append(f"{len(item.ends) - _MOST_ENDS:,} more")
        about = _about(item.id, item.label, item.description)
        more = ", the same both ways" if item.symmetric else ""
        inverse = f", the inverse of {self.name(item.inverse)}" if item.inverse else ""
        return f"{self.name(item.id)}: {'; '.join(pairs) or 'anything → anything'}{more}{inverse}{about}"

    def property(self, item: Property, owners: Sequence[str]) -> str:
        """``pv:name: pv:Hardware, pv:Supplier → xsd:string, such as "Adams-White"``"""
        names = [self._end(owner) for owner in owners[:_MOST_OWNERS]]
        if len(owners) > _MOST_OWNERS:
            names.append(f"{len(owners) - _MOST_OWNERS:,} more")
        about = _about(item.key, item.label, item.description)
        line = f"{self.name(item.key)}: {', '.join(names)} → {_sparql_types(item)}"
        return f"{line}{_samples(item, _sparql_literal)}{_coverage(item)}{about}"

    def name(self, iri: str) -> str:
        """An IRI as a query is to write it."""
        parts = _NAMESPACE.fullmatch(iri)
        if parts is not None and parts[1] in self._prefixes and _LOCAL_NAME.fullmatch(parts[2]):
            return f"{self._prefixes[parts[1]]}:{parts[2]}"
        return f"<{iri}>"

    def _end(self, type: str) -> str:
        return self.name(type) if type != UNTYPED else "anything"


def schema_text(language: str, prefixes: Mapping[str, str] = MappingProxyType({})) -> SchemaText:
    """The way to write a schema for a query language; ``prefixes``: those of the graph's author."""
    return SparqlSchemaText(prefixes) if language == "sparql" else CypherSchemaText()


def _by_owner(schema: Schema, *, of_edges: bool) -> Mapping[str, Sequence[Property]]:
    found: dict[str, list[Property]] = {}
    for item in schema.properties:
        if item.of_edges == of_edges:
            found.setdefault(item.owner, []).append(item)
    return found


# --- words


def _about(id: str, label: str, description: str) -> str:
    """The label, where the id does not say it, and the description."""
    own = normalize(human_label(local_name(id)))
    said = label not in ("", id) and normalize(label).replace(" ", "") != own.replace(" ", "")
    text = f" {json.dumps(printable(label), ensure_ascii=False)}" if said else ""
    about = shortened(printable(description), _LONGEST_DESCRIPTION) if description else ""
    return f"{text}: {about}" if about and normalize(about) != normalize(label) else text


def _coverage(item: Property) -> str:
    """How many have it, where not nearly all do."""
    return "" if item.coverage >= _USUAL else f" ({max(1, round(100 * item.coverage))} % have it)"


def _samples(item: Property, literal: object) -> str:
    assert callable(literal)
    most = _FEW_VALUES if item.distinct is not None and item.distinct <= _FEW_VALUES else _MOST_SAMPLES
    shown = list(dict.fromkeys(literal(value) for value in item.samples[:most]))
    if not shown:
        return ""
    word = (
        "one of"
        if item.distinct is not None and item.distinct <= len(shown) and len(shown) > 1
        else "such as"
    )
    return f", {word} {', '.join(shown)}"


# --- Cypher


def _cypher_types(item: Property) -> str:
    kinds = [_CYPHER_NAMES.get(kind, kind.value.upper()) for kind in item.value_types]
    return " or ".join(dict.fromkeys(kinds)) or "ANY"


def _cypher_literal(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float | Decimal):
        return str(value)
    if isinstance(value, datetime.datetime):
        return f"datetime('{value.isoformat()}')"
    if isinstance(value, datetime.date):
        return f"date('{value.isoformat()}')"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_cypher_literal, value[:3]))}{', …' if len(value) > 3 else ''}]"
    return json.dumps(shortened(printable(display(value)), _LONGEST_SAMPLE), ensure_ascii=False)


# --- SPARQL


def _sparql_types(item: Property) -> str:
    kinds = dict.fromkeys(_XSD_NAMES.get(kind, "") or _text_type(item) for kind in item.value_types)
    return " or ".join(kinds) or "a literal"


def _text_type(item: Property) -> str:
    tags = [tag for tag in item.languages or () if tag][:_MOST_LANGUAGES]
    has_plain = item.languages is None or "" in item.languages or not tags
    tagged = f"text in {', '.join(f'@{tag}' for tag in tags)}" if tags else ""
    return " or ".join(part for part in ("xsd:string" if has_plain else "", tagged) if part)


def _sparql_literal(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | Decimal):
        return str(value)
    if isinstance(value, float):
        return f"{value:g}e0"
    for kind, datatype in ((datetime.datetime, "dateTime"), (datetime.date, "date"), (datetime.time, "time")):
        if isinstance(value, kind):
            return f'"{value.isoformat()}"^^xsd:{datatype}'
    tag = f"@{value.language}" if isinstance(value, LanguageText) else ""
    datatype = f"^^<{value.datatype}>" if isinstance(value, TypedLiteral) else tag
    return json.dumps(shortened(printable(display(value)), _LONGEST_SAMPLE), ensure_ascii=False) + datatype


def _iris(schema: Schema) -> Iterable[str]:
    for node_type in schema.node_types:
        yield node_type.id
        yield from node_type.parents
    for edge_type in schema.edge_types:
        yield edge_type.id
    for item in schema.properties:
        yield item.key


def _chosen_prefixes(iris: Iterable[str], given: Mapping[str, str]) -> dict[str, str]:
    """A prefix for each namespace: the author's, a well-known one, or one made from the namespace's last part."""
    counts: dict[str, int] = {}
    for iri in iris:
        parts = _NAMESPACE.fullmatch(iri)
        if parts is not None and _LOCAL_NAME.fullmatch(parts[2]):
            counts[parts[1]] = counts.get(parts[1], 0) + 1
    known = {namespace: prefix for prefix, namespace in reversed(WELL_KNOWN_PREFIXES.items())}
    known |= {namespace: prefix for prefix, namespace in given.items() if prefix}
    chosen: dict[str, str] = {}
    for namespace in sorted(counts, key=lambda name: (-counts[name], name)):
        wanted = known.get(namespace) or _made_prefix(namespace)
        prefix, number = wanted, 2
        while prefix in chosen.values() or prefix == "xsd":
            prefix, number = f"{wanted}{number}", number + 1
        chosen[namespace] = prefix
    return chosen


def _made_prefix(namespace: str) -> str:
    """``http://ld.company.org/prod-vocab/`` gives ``prodvocab``, ``http://example.org/`` gives ``example``."""
    host, *path = re.sub(r"^[A-Za-z][A-Za-z0-9+.-]*:(?://)?", "", namespace).split("/")
    names = [re.sub(r"[^a-z]", "", part.lower()) for part in ("".join(host.split(".")[:1]), *path)]
    known = [name for name in names if name]
    return known[-1][:_LONGEST_PREFIX] if known else "ns"
