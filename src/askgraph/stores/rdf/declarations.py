"""What an RDF graph says about its own classes and properties: hierarchies, labels, comments, domains and ranges."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...core.graph import Node
from ...core.values import LanguageText, ValueType, value_type
from ...core.words import local_name, split_identifier
from .columns import RdfColumns
from .literals import literal_value
from .names import LabelSettings
from .statements import StatementReader
from .vocabulary import (
    CLASS_TYPES,
    DESCRIPTION_PROPERTIES,
    DOMAIN,
    EMPTY_TYPES,
    EQUIVALENT_CLASS,
    INVERSE_OF,
    OWL,
    PROPERTY_TYPES,
    RANGE,
    RDFS,
    SUB_CLASS_OF,
    SUB_PROPERTY_OF,
    SYMMETRIC_PROPERTY,
    VOCABULARY_NAMESPACES,
    XSD,
)

_THING = f"{OWL}Thing"  # everything is one: as a superclass, domain or range it says nothing
_EXAMPLES = ("2000", "2000-01-01", "2000-01-01T00:00:00", "00:00:00", "P1D", "true", "")


@dataclass(frozen=True, slots=True)
class Description:
    """What a class or property is called and said to be."""

    label: str
    other_labels: tuple[str, ...]
    comment: str


class DeclaredTerms(ABC):
    """What a graph declares, wherever its statements are read."""

    def __init__(self, labels: LabelSettings) -> None:
        self._labels = labels

    @abstractmethod
    def _pairs(self, predicate: str) -> list[tuple[str, str]]:
        """Subject and object of each statement with a predicate whose object is no literal."""

    @property
    @abstractmethod
    def _typings(self) -> list[tuple[str, str]]:
        """Subject and type of each statement that types a class or a property."""

    @property
    @abstractmethod
    def _used_datatypes(self) -> frozenset[str]:
        """The datatypes that literals of the graph have."""

    def links(self, predicate: str) -> list[tuple[str, str]]:
        """Pairs of subject and object of a predicate, IRIs only, without those that link a thing to itself."""
        return [
            (subject, object)
            for subject, object in self._pairs(predicate)
            if subject != object and not subject.startswith("_:") and not object.startswith("_:")
        ]

    # --- classes

    @cached_property
    def parents(self) -> dict[str, tuple[str, ...]]:
        """The direct superclasses of each class."""
        return _gathered(self.links(SUB_CLASS_OF))

    @cached_property
    def equivalents(self) -> dict[str, tuple[str, ...]]:
        """The classes said to mean the same."""
        pairs = self.links(EQUIVALENT_CLASS)
        return _gathered([*pairs, *((second, first) for first, second in pairs)])

    @cached_property
    def classes(self) -> list[str]:
        """Every class that is declared or used as one in a declaration, whether it has members or not."""
        found = {name for name, type in self._typings if type in CLASS_TYPES}
        for pairs in (self.links(SUB_CLASS_OF), self.links(EQUIVALENT_CLASS)):
            found.update(name for pair in pairs for name in pair)
        found.update(object for _, object in self.links(DOMAIN))
        found.update(object for _, object in self.links(RANGE))
        return sorted(
            name
            for name in found
            if not name.startswith(("_:", *VOCABULARY_NAMESPACES)) and name not in self._datatypes
        )

    @cached_property
    def _datatypes(self) -> frozenset[str]:
        declared = {name for name, type in self._typings if type == f"{RDFS}Datatype"}
        return self._used_datatypes | declared

    # --- properties

    @cached_property
    def property_parents(self) -> dict[str, tuple[str, ...]]:
        """The direct superproperties of each property."""
        return _gathered(self.links(SUB_PROPERTY_OF))

    @cached_property
    def inverses(self) -> dict[str, str]:
        """The inverse of each property that has one."""
        inverses: dict[str, str] = {}
        for first, second in self.links(INVERSE_OF):
            inverses.setdefault(first, second)
            inverses.setdefault(second, first)
        return inverses

    @cached_property
    def symmetric(self) -> frozenset[str]:
        """The properties that hold in both directions."""
        return frozenset(name for name, type in self._typings if type == SYMMETRIC_PROPERTY)

    @cached_property
    def domains(self) -> dict[str, tuple[str, ...]]:
        """The classes whose members have each property."""
        return _gathered(self.links(DOMAIN))

    @cached_property
    def ranges(self) -> dict[str, tuple[str, ...]]:
        """The classes or datatypes of what each property leads to."""
        return _gathered(self.links(RANGE))

    @cached_property
    def object_properties(self) -> list[str]:
        """Properties that are said to lead to nodes."""
        said = {name for name, type in self._typings if type == f"{OWL}ObjectProperty"}
        to_classes = {
            name
            for name, ranges in self.ranges.items()
            if any(range in self.classes for range in ranges) and name not in self.datatype_properties
        }
        return sorted(said | to_classes)

    @cached_property
    def datatype_properties(self) -> list[str]:
        """Properties that are said to lead to literals."""
        said = {name for name, type in self._typings if type == f"{OWL}DatatypeProperty"}
        to_datatypes = {
            name for name, ranges in self.ranges.items() if any(range.startswith(XSD) for range in ranges)
        }
        return sorted(said | to_datatypes)

    def value_types(self, property: str) -> tuple[ValueType, ...]:
        """The kinds of value that the range of a property allows."""
        found = [
            type for range in self.ranges.get(property, ()) if (type := type_of_datatype(range)) is not None
        ]
        return tuple(dict.fromkeys(found))

    # --- words

    def describe(self, id: str, node: Node | None) -> Description:
        """What a class or property is called, from what its node says; from its IRI if it says nothing."""
        names = [name for name in node.names if name.source] if node is not None else []
        own = split_identifier(local_name(id)) or id
        texts = list(dict.fromkeys(name.text for name in names)) or [own]
        return Description(texts[0], tuple(texts[1:]), "" if node is None else self._comment(node))

    def _comment(self, node: Node) -> str:
        ranked: list[tuple[int, int, str]] = []
        for rank, key in enumerate(DESCRIPTION_PROPERTIES):
            value = node.properties.get(key)
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, str | LanguageText):
                    language = item.language if isinstance(item, LanguageText) else None
                    ranked.append((self._labels.language_rank(language), rank, " ".join(str(item).split())))
        return min(ranked)[2] if ranked else ""


class Declarations(DeclaredTerms):
    """What an embedded graph declares, read from its columns when first asked for."""

    def __init__(self, columns: RdfColumns, labels: LabelSettings) -> None:
        super().__init__(labels)
        self._columns = columns
        self._reader = StatementReader(columns, labels)

    def described(self, ids: Sequence[str]) -> list[Description]:
        """What classes and properties are called, in the order of ``ids``."""
        rows = self._columns.find_rows(ids)
        known = {node.id: node for node in self._reader.nodes(np.unique(rows[rows >= 0]))}
        return [self.describe(id, known.get(id)) for id in ids]

    def _pairs(self, predicate: str) -> list[tuple[str, str]]:
        columns = self._columns
        number = columns.predicate_numbers.get(predicate)
        if number is None:
            return []
        statements = np.flatnonzero(columns.statement_predicates == number)
        objects = columns.statement_objects[statements].astype(np.int64)
        subjects = np.searchsorted(columns.statement_offsets, statements, side="right") - 1
        to_resources = objects >= 0
        return list(
            zip(
                columns.resources.texts(subjects[to_resources]),
                columns.resources.texts(objects[to_resources]),
                strict=True,
            )
        )

    @cached_property
    def _typings(self) -> list[tuple[str, str]]:
        wanted = CLASS_TYPES | PROPERTY_TYPES
        columns = self._columns
        number = columns.type_predicate
        rows = columns.find_rows(sorted(wanted))
        statements = np.flatnonzero(columns.statement_predicates == number)
        objects = columns.statement_objects[statements].astype(np.int64)
        keep = np.isin(objects, rows[rows >= 0])
        subjects = np.searchsorted(columns.statement_offsets, statements[keep], side="right") - 1
        return list(
            zip(columns.resources.texts(subjects), columns.resources.texts(objects[keep]), strict=True)
        )

    @cached_property
    def _used_datatypes(self) -> frozenset[str]:
        return frozenset(kind.datatype for kind in self._columns.terms.kind_table)


def type_of_datatype(datatype: str) -> ValueType | None:
    """The kind of value that literals of a datatype are; ``None`` if it is no datatype that we read."""
    if not datatype.startswith(XSD):
        return None
    for example in _EXAMPLES:
        found = value_type(literal_value(example, datatype))
        if found is not ValueType.OTHER:
            return found
    return None


def _gathered(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    gathered: dict[str, dict[str, None]] = {}
    for first, second in pairs:
        if second not in EMPTY_TYPES and second != _THING:
            gathered.setdefault(first, {})[second] = None
    return {first: tuple(sorted(seconds)) for first, seconds in gathered.items()}
