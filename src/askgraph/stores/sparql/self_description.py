"""What a graph on a server says of itself: its vocabulary, its shapes (SHACL), its statistics (VoID)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from ..rdf.declarations import DeclaredTerms
from ..rdf.instances import DECLARING
from ..rdf.names import LabelSettings
from ..rdf.vocabulary import CLASS_TYPES, OWL, PROPERTY_TYPES, RDFS, SH, XSD
from .terms import Resource, Row
from .wording import TYPE, iris

VOID: Final = "http://rdfs.org/ns/void#"
MOST_ROWS: Final = 10_000

_TYPES: Final = tuple(sorted(CLASS_TYPES | PROPERTY_TYPES))
_SIZES: Final = tuple(VOID + name for name in ("triples", "entities", "distinctSubjects"))

TYPINGS: Final = (
    f"SELECT ?s ?type WHERE {{ VALUES ?type {{ {iris(_TYPES)} }} ?s {TYPE} ?type . FILTER(isIRI(?s)) }} "
    f"LIMIT {MOST_ROWS}"
)
"""The classes and properties that a graph declares."""

LINKS: Final = (
    f"SELECT ?s ?p ?o WHERE {{ VALUES ?p {{ {iris(DECLARING)} }} ?s ?p ?o . FILTER(isIRI(?s) && isIRI(?o)) }} "
    f"LIMIT {MOST_ROWS}"
)
"""How they are related."""

SHAPES: Final = (
    f"SELECT ?class ?path ?datatype ?target WHERE {{ ?shape <{SH}property> ?property . ?property <{SH}path> ?path . "
    f"FILTER(isIRI(?path)) {{ ?shape <{SH}targetClass> ?class }} UNION "
    f"{{ ?shape {TYPE} <{RDFS}Class> . BIND(?shape AS ?class) }} "
    f"OPTIONAL {{ ?property <{SH}datatype> ?datatype }} OPTIONAL {{ ?property <{SH}class> ?target }} }} "
    f"LIMIT {MOST_ROWS}"
)
"""What its SHACL shapes say of the properties of classes."""

SIZES: Final = (
    f"SELECT ?d ?p ?n WHERE {{ VALUES ?p {{ {iris(_SIZES)} }} ?d {TYPE} <{VOID}Dataset> ; ?p ?n . "
    f"FILTER NOT EXISTS {{ ?whole <{VOID}classPartition>|<{VOID}propertyPartition> ?d }} }} LIMIT 1000"
)
"""The sizes of data sets that it describes by VoID."""

PARTITIONS: Final = (
    f"SELECT ?class ?property ?n WHERE {{ "
    f"{{ ?d <{VOID}classPartition> ?part . ?part <{VOID}class> ?class ; <{VOID}entities>|<{VOID}triples> ?n }} UNION "
    f"{{ ?d <{VOID}propertyPartition> ?part . ?part <{VOID}property> ?property ; <{VOID}triples> ?n "
    f"FILTER NOT EXISTS {{ ?whole <{VOID}classPartition> ?d }} }} }} LIMIT {MOST_ROWS}"
)
"""How many members each class, and how many statements each property has, by VoID."""


class ServerDeclarations(DeclaredTerms):
    """The classes and properties that a graph on a server declares."""

    def __init__(self, labels: LabelSettings, typings: Iterable[Row], links: Iterable[Row]) -> None:
        super().__init__(labels)
        self._typed = [(row[0], row[1]) for row in map(_iris_of, typings) if row is not None]
        self._linked: dict[str, list[tuple[str, str]]] = {}
        for link in map(_iris_of, links):
            if link is not None:
                self._linked.setdefault(link[1], []).append((link[0], link[2]))

    def _pairs(self, predicate: str) -> list[tuple[str, str]]:
        return self._linked.get(predicate, [])

    @property
    def _typings(self) -> list[tuple[str, str]]:
        return self._typed

    @property
    def _used_datatypes(self) -> frozenset[str]:
        return frozenset(
            object
            for pairs in self._linked.values()
            for _, object in pairs
            if object.startswith(XSD) or object == f"{RDFS}Literal"
        )

    @cached_property
    def declared_by_use(self) -> tuple[str, ...]:
        """The declaring properties that are used, if anything is declared by them alone, without a type."""
        typed = {subject for subject, _ in self._typed}
        bare = any(
            not name.startswith((XSD, OWL, RDFS)) and name not in typed
            for pairs in self._linked.values()
            for pair in pairs
            for name in pair
        )
        return tuple(name for name in DECLARING if name in self._linked) if bare else ()


@dataclass(frozen=True, slots=True)
class PropertyShape:
    """What a shape says of one property of a class: the datatype of its values, or the class of what it leads to."""

    owner: str
    path: str
    datatype: str = ""
    target: str = ""


def shapes(rows: Iterable[Row]) -> list[PropertyShape]:
    """The rows of :data:`SHAPES`, in a fixed order."""
    found = {
        PropertyShape(*(part.id if isinstance(part, Resource) else "" for part in row))
        for row in rows
        if isinstance(row[0], Resource) and isinstance(row[1], Resource)
    }
    return sorted(found, key=lambda item: (item.owner, item.path, item.datatype, item.target))


@dataclass(frozen=True, slots=True)
class Statistics:
    """What VoID says. ``None`` and empty where it says nothing."""

    triples: int | None = None
    entities: int | None = None
    classes: Mapping[str, int] = field(default_factory=dict)
    properties: Mapping[str, int] = field(default_factory=dict)


def sizes(rows: Iterable[Row]) -> tuple[int | None, int | None]:
    """Triples and entities of the largest data set among the rows of :data:`SIZES`."""
    of: dict[str, dict[str, int]] = {}
    for dataset, predicate, number in rows:
        value = number_of(number)
        if isinstance(dataset, Resource) and isinstance(predicate, Resource) and value is not None:
            own = of.setdefault(dataset.id, {})
            own[predicate.id] = max(value, own.get(predicate.id, 0))
    largest = max(of.values(), key=lambda own: own.get(_SIZES[0], 0), default={})
    return largest.get(_SIZES[0]), largest.get(_SIZES[1], largest.get(_SIZES[2]))


def partitions(rows: Iterable[Row]) -> tuple[dict[str, int], dict[str, int]]:
    """Members by class and statements by property, from the rows of :data:`PARTITIONS`."""
    classes: dict[str, int] = {}
    properties: dict[str, int] = {}
    for owner, property, number in rows:
        value = number_of(number)
        if value is None:
            continue
        if isinstance(owner, Resource):
            classes[owner.id] = max(value, classes.get(owner.id, 0))
        elif isinstance(property, Resource):
            properties[property.id] = max(value, properties.get(property.id, 0))
    return classes, properties


def number_of(term: object) -> int | None:
    """A term as a count; ``None`` if it is none."""
    value = getattr(term, "value", None)
    if isinstance(value, bool) or not isinstance(value, int):
        try:
            value = int(str(getattr(term, "text", "")))
        except ValueError:
            return None
    return value if value >= 0 else None


def _iris_of(row: Row) -> list[str] | None:
    """A row that is all IRIs; ``None`` for any other."""
    ids = [term.id for term in row if isinstance(term, Resource) and not term.is_blank]
    return ids if len(ids) == len(row) else None
