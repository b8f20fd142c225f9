"""The schema of an RDF graph: counted from the columns, completed from what the graph says about itself."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.errors import CorruptGraphError
from ...core.schema import UNTYPED, EdgeEnds, EdgeType, NodeType, Property, Schema
from ...core.values import ValueType, value_type
from ...core.words import quantity
from .arrays import Integers, positions_of_slices, starts_of_runs
from .columns import RdfColumns
from .declarations import Declarations, type_of_datatype
from .names import LabelSettings
from .statements import GRAPH_PROPERTY
from .terms import Terms
from .value_order import ValueClass
from .vocabulary import VOCABULARY_NAMESPACES

SCHEMA_FILE: Final = "schema.json"

_SAMPLES: Final = 5
_MOST_LANGUAGES: Final = 40
_UNTYPED_LABEL: Final = "untyped"
_MOST_PAIRS: Final = 200
_EDGES_AT_ONCE: Final = 1_000_000
_TYPES: Final = tuple(ValueType)


def introspect(columns: RdfColumns, labels: LabelSettings) -> Schema:
    """Count everything. Nothing is sampled; a million triples take about a second.

    The properties of a type are those of all its members, members of subtypes included, as a plan means a type; the
    ends of an edge type are the types that nodes carry themselves.
    """
    declarations = Declarations(columns, labels)
    memberships = _Memberships.of(columns, declarations)
    node_types = _node_types(columns, declarations, memberships)
    edge_types, edge_notes = _edge_types(columns, declarations, memberships)
    properties = _properties(columns, declarations, memberships)
    return Schema(
        kind="rdf",
        node_count=len(columns.node_rows),
        edge_count=columns.adjacency.edge_count,
        node_types=node_types,
        edge_types=edge_types,
        properties=properties,
        notes=(*_notes(columns), *edge_notes),
    )


def save_schema(schema: Schema, folder: Path) -> None:
    """Keep the schema as JSON."""
    text = json.dumps(schema.to_dict(), ensure_ascii=False, allow_nan=False)
    (folder / SCHEMA_FILE).write_text(text, encoding="utf-8")


def open_schema(folder: Path) -> Schema:
    """What :func:`save_schema` kept. Raises :class:`CorruptGraphError`."""
    file = folder / SCHEMA_FILE
    try:
        return Schema.from_dict(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CorruptGraphError(f"{file} cannot be read: {error}", advice="Load the graph again.") from error


def _notes(columns: RdfColumns) -> list[str]:
    notes = []
    subjects = np.flatnonzero(np.diff(columns.statement_offsets))
    described = int(np.count_nonzero(~columns.is_node[subjects]))
    if described:
        notes.append(
            f"{quantity(described, 'resource describes', 'resources describe')} the graph itself "
            "(classes, properties, ontologies) and are not counted as nodes."
        )
    if columns.graph_names:
        notes.append(
            f"The graph is the union of {quantity(len(columns.graph_names), 'named graph')} and the default graph; "
            f"a triple in several of them counts once."
        )
    return notes


# --- which node is of which type


@dataclass(frozen=True, slots=True, eq=False)
class _Memberships:
    """The types of every resource, as slices of one array. Types are places in ``names``; the last one is no type.

    Attributes:
        names: class IRIs: those that nodes carry, then those only above them, then :data:`UNTYPED`.
        offsets, types: the types that a row carries itself; :data:`UNTYPED` for a node without any.
        all_offsets, all_types: these and every type above them.
    """

    names: Sequence[str]
    offsets: NDArray[np.int64]
    types: NDArray[np.int64]
    all_offsets: NDArray[np.int64]
    all_types: NDArray[np.int64]

    @classmethod
    def of(cls, columns: RdfColumns, declarations: Declarations) -> _Memberships:
        own = list(columns.class_numbers)
        above = _schema_of_classes(own, declarations)
        names = list(dict.fromkeys([*own, *(name for name in above.supertypes(own))]))
        untyped = len(names)
        rows = columns.class_members.astype(np.int64)
        places = np.repeat(np.arange(len(own), dtype=np.int64), np.diff(columns.class_offsets))
        bare = columns.is_node.copy()
        bare[rows] = False
        rows = np.concatenate([rows, np.flatnonzero(bare)])
        places = np.concatenate([places, np.full(len(rows) - len(places), untyped, dtype=np.int64)])
        offsets, types = _grouped(rows, places, columns.resource_count)
        supertypes = [
            np.array([names.index(name) for name in above.supertypes([class_id])], dtype=np.int64)
            for class_id in names
        ] + [np.array([untyped])]
        if all(len(found) == 1 for found in supertypes):
            return cls([*names, UNTYPED], offsets, types, offsets, types)
        starts = np.cumsum([0, *map(len, supertypes)])
        lengths = np.diff(starts)[places]
        expanded = np.concatenate(supertypes)[positions_of_slices(starts[places], lengths)]
        all_offsets, all_types = _grouped(np.repeat(rows, lengths), expanded, columns.resource_count)
        return cls([*names, UNTYPED], offsets, types, all_offsets, all_types)

    def pairs(self, rows: Integers, *, with_supertypes: bool) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For each type of each of these rows the position in ``rows``, and the type."""
        offsets, types = (self.all_offsets, self.all_types) if with_supertypes else (self.offsets, self.types)
        lengths = offsets[rows + 1] - offsets[rows]
        positions = np.repeat(np.arange(len(rows), dtype=np.int64), lengths)
        return positions, types[positions_of_slices(offsets[rows], lengths)]


def _schema_of_classes(names: Sequence[str], declarations: Declarations) -> Schema:
    """Only the hierarchy, to ask it for what is above and below."""
    known = dict.fromkeys([*names, *declarations.classes])
    for name in list(known):
        known.update(dict.fromkeys(declarations.parents.get(name, ())))
        known.update(dict.fromkeys(declarations.equivalents.get(name, ())))
    types = [
        NodeType(name, name, 0, 0, declarations.parents.get(name, ()), declarations.equivalents.get(name, ()))
        for name in known
    ]
    return Schema("rdf", 0, 0, tuple(types), (), ())


def _grouped(rows: Integers, types: Integers, row_count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Types by row, each once: where those of a row begin, and all of them."""
    order = np.lexsort((types, rows))
    rows, types = rows[order], types[order]
    first = starts_of_runs((rows, types))
    rows, types = rows[first], types[first]
    offsets: NDArray[np.int64] = np.zeros(row_count + 1, dtype=np.int64)
    np.cumsum(np.bincount(rows, minlength=row_count), out=offsets[1:])
    return offsets, types.astype(np.int64)


# --- node types


def _node_types(
    columns: RdfColumns, declarations: Declarations, memberships: _Memberships
) -> tuple[NodeType, ...]:
    counts = _counts_by_name(memberships.types, memberships.names)
    totals = _counts_by_name(memberships.all_types, memberships.names)
    names = [name for name in memberships.names[:-1] if totals[name]]
    names += [name for name in declarations.classes if not totals.get(name)]
    known = set(names)
    types = [
        NodeType(
            id=name,
            label=words.label,
            count=counts.get(name, 0),
            total=totals.get(name, 0),
            parents=tuple(item for item in declarations.parents.get(name, ()) if item in known),
            equivalents=tuple(item for item in declarations.equivalents.get(name, ()) if item in known),
            other_labels=words.other_labels,
            description=words.comment,
        )
        for name, words in zip(names, declarations.described(names), strict=True)
    ]
    if untyped := counts[UNTYPED]:
        types.append(NodeType(UNTYPED, _UNTYPED_LABEL, untyped, untyped))
    return tuple(sorted(types, key=lambda item: (-item.total, -item.count, item.id)))


def _counts_by_name(types: Integers, names: Sequence[str]) -> dict[str, int]:
    return dict(zip(names, np.bincount(types, minlength=len(names)).tolist(), strict=True))


# --- edge types


def _edge_types(
    columns: RdfColumns, declarations: Declarations, memberships: _Memberships
) -> tuple[tuple[EdgeType, ...], list[str]]:
    counts = {
        name: int(n) for name, n in zip(columns.predicates, np.diff(columns.typed_offsets), strict=True) if n
    }
    with_values = {
        name for name, n in zip(columns.predicates, np.diff(columns.property_offsets), strict=True) if n
    }
    declared = [
        name
        for name in declarations.object_properties
        if name not in counts and name not in with_values and not name.startswith(VOCABULARY_NAMESPACES)
    ]
    names = [*counts, *declared]
    known = set(names)
    types, notes = [], []
    for name, words in zip(names, declarations.described(names), strict=True):
        ends = _ends(columns, name, memberships) if name in counts else []
        if len(ends) > _MOST_PAIRS:
            notes.append(
                f"Of the {len(ends):,} pairs of types that {words.label!r} joins, {_MOST_PAIRS} are listed."
            )
        ends = ends[:_MOST_PAIRS] + _declared_ends(name, ends, declarations)
        inverse = declarations.inverses.get(name)
        types.append(
            EdgeType(
                id=name,
                label=words.label,
                count=counts.get(name, 0),
                ends=tuple(ends),
                parents=tuple(item for item in declarations.property_parents.get(name, ()) if item in known),
                inverse=inverse if inverse in known else None,
                symmetric=name in declarations.symmetric,
                other_labels=words.other_labels,
                description=words.comment,
            )
        )
    return tuple(sorted(types, key=lambda item: (-item.count, item.id))), notes


def _ends(columns: RdfColumns, name: str, memberships: _Memberships) -> list[EdgeEnds]:
    """The pairs of types that the edges of one type join, the most frequent first."""
    number = columns.predicate_numbers[name]
    start, end = columns.typed_offsets[number : number + 2].tolist()
    width = len(memberships.names)
    totals: dict[int, int] = {}
    for first in range(start, end, _EDGES_AT_ONCE):
        part = slice(first, min(first + _EDGES_AT_ONCE, end))
        positions, source_types = memberships.pairs(columns.typed_sources[part], with_supertypes=False)
        targets = columns.typed_targets[part][positions]
        again, target_types = memberships.pairs(targets, with_supertypes=False)
        pairs, counts = np.unique(source_types[again] * width + target_types, return_counts=True)
        for pair, count in zip(pairs.tolist(), counts.tolist(), strict=True):
            totals[pair] = totals.get(pair, 0) + count
    ends = [
        EdgeEnds(memberships.names[pair // width], memberships.names[pair % width], count)
        for pair, count in totals.items()
    ]
    return sorted(ends, key=lambda item: (-item.count, item.source, item.target))


def _declared_ends(name: str, ends: Sequence[EdgeEnds], declarations: Declarations) -> list[EdgeEnds]:
    """Domain and range, where no edge has both ends typed."""
    if any(item.source != UNTYPED and item.target != UNTYPED for item in ends):
        return []
    classes = set(declarations.classes)
    domains = [item for item in declarations.domains.get(name, ()) if item in classes]
    ranges = [item for item in declarations.ranges.get(name, ()) if item in classes]
    seen = {(item.source, item.target) for item in ends}
    sources = domains or list(dict.fromkeys(item.source for item in ends)) or [UNTYPED]
    targets = ranges or list(dict.fromkeys(item.target for item in ends)) or [UNTYPED]
    pairs = [(source, target) for source in sources for target in targets if (source, target) not in seen]
    return [EdgeEnds(source, target, 0) for source, target in pairs]


# --- properties


def _properties(
    columns: RdfColumns, declarations: Declarations, memberships: _Memberships
) -> tuple[Property, ...]:
    totals = np.bincount(memberships.all_types, minlength=len(memberships.names))
    kinds = _Kinds.of(columns.terms)
    found: list[_Found] = []
    for number, key in enumerate(columns.predicates):
        start, end = columns.property_offsets[number : number + 2].tolist()
        if start < end:
            found += _found(key, columns.property_subjects[start:end], columns.property_values[start:end],
                            memberships, kinds)  # fmt: skip
    samples = iter(columns.terms.values_of(np.concatenate([item.samples for item in found])) if found else [])
    keys = sorted({item.key for item in found} | set(declarations.datatype_properties))
    words = dict(zip(keys, declarations.described(keys), strict=True))
    properties = [
        Property(
            key=item.key,
            label=words[item.key].label,
            owner=memberships.names[item.owner],
            value_types=item.value_types,
            count=item.count,
            coverage=item.count / int(totals[item.owner]),
            samples=tuple(next(samples) for _ in item.samples),
            distinct=item.distinct,
            other_labels=words[item.key].other_labels,
            description=words[item.key].comment,
            languages=item.languages,
        )
        for item in found
    ]
    seen = {item.key for item in found}
    classes = set(declarations.classes)
    properties += [
        Property(key, words[key].label, owner, declarations.value_types(key), 0, 0.0, (), 0,
                 other_labels=words[key].other_labels, description=words[key].comment)
        for key in declarations.datatype_properties
        for owner in declarations.domains.get(key, ())
        if key not in seen and owner in classes and key not in columns.predicate_numbers
    ]  # fmt: skip
    properties += _graph_properties(columns)
    return tuple(sorted(properties, key=lambda item: (item.of_edges, -item.count, item.key, item.owner)))


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """A property of one type. ``samples`` are value codes."""

    key: str
    owner: int
    value_types: tuple[ValueType, ...]
    count: int
    distinct: int
    samples: NDArray[np.int64]
    languages: tuple[str, ...] | None


@dataclass(frozen=True, slots=True, eq=False)
class _Kinds:
    """What each value is, by its code.

    Attributes:
        types: places in ``_TYPES``.
        languages: places in ``language_names`` for texts (``""`` for those without a tag), -1 for all other values.
        language_names: tags in alphabetical order.
    """

    types: NDArray[np.int64]
    languages: NDArray[np.int64]
    language_names: Sequence[str]

    @classmethod
    def of(cls, terms: Terms) -> _Kinds:
        shown = [language or "" for language in terms.shown_languages]
        names = sorted(set(shown))
        places = np.array([names.index(language) for language in shown], dtype=np.int64)
        languages = np.full(terms.value_count, -1, dtype=np.int64)
        start, end = terms.class_range(ValueClass.TEXT)
        if end > start:
            languages[start:end] = places[terms.kinds[terms.first_terms[start:end]]]
        return cls(_value_types(terms), languages, names)

    def languages_of(self, codes: NDArray[np.int64]) -> tuple[str, ...] | None:
        """The languages of these values, the most frequent first; ``None`` if they are too many to list."""
        places = self.languages[codes]
        counts = np.bincount(places[places >= 0], minlength=len(self.language_names))
        found = np.flatnonzero(counts)
        if len(found) > _MOST_LANGUAGES:
            return None
        frequent = sorted(found.tolist(), key=lambda place: (-counts[place], place))
        return tuple(self.language_names[place] for place in frequent)


def _found(
    key: str, subjects: Integers, values: Integers, memberships: _Memberships, kinds: _Kinds
) -> list[_Found]:
    """What each type has of one property, whose values are given by subject."""
    positions, owners = memberships.pairs(subjects, with_supertypes=True)
    width = len(memberships.names)
    is_first = starts_of_runs((subjects,))
    counts = np.bincount(owners[is_first[positions]], minlength=width)
    codes = values[positions].astype(np.int64)
    of_kind = np.bincount(owners * len(_TYPES) + kinds.types[codes], minlength=width * len(_TYPES)).reshape(
        width, -1
    )
    order = np.lexsort((codes, owners))
    owners, codes = owners[order], codes[order]
    different = starts_of_runs((owners, codes))
    owners, codes = owners[different], codes[different]
    present = np.unique(owners)
    bounds = np.searchsorted(owners, np.append(present, width))
    found = []
    for owner, start, end in zip(present.tolist(), bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        frequent = sorted(
            np.flatnonzero(of_kind[owner]).tolist(), key=lambda kind: (-of_kind[owner][kind], kind)
        )
        chosen = np.unique(np.linspace(start, end - 1, num=min(_SAMPLES, end - start)).astype(np.int64))
        types = tuple(_TYPES[kind] for kind in frequent)
        languages = kinds.languages_of(codes[start:end])
        found.append(_Found(key, owner, types, int(counts[owner]), end - start, codes[chosen], languages))
    return found


def _value_types(terms: Terms) -> NDArray[np.int64]:
    """For each value code the place of its type in ``_TYPES``."""
    by_class = {
        ValueClass.TEXT: ValueType.TEXT,
        ValueClass.BOOLEAN: ValueType.BOOLEAN,
        ValueClass.DATE: ValueType.DATE,
        ValueClass.DATETIME: ValueType.DATETIME,
        ValueClass.ZONED_DATETIME: ValueType.DATETIME,
        ValueClass.TIME: ValueType.TIME,
        ValueClass.DURATION: ValueType.DURATION,
        ValueClass.BYTES: ValueType.BYTES,
        ValueClass.POINT: ValueType.POINT,
    }
    types = np.full(terms.value_count, _TYPES.index(ValueType.OTHER), dtype=np.int64)
    for kind, type in by_class.items():
        start, end = terms.class_range(kind)
        types[start:end] = _TYPES.index(type)
    _, end = terms.class_range(ValueClass.NUMBER)
    of_kind = np.array(
        [_TYPES.index(type_of_datatype(kind.datatype) or ValueType.OTHER) for kind in terms.kind_table],
        dtype=np.int64,
    )
    if end:
        types[:end] = of_kind[terms.kinds[terms.first_terms[:end]]]
    start, end = terms.class_range(ValueClass.OTHER)
    for code in range(start, end):
        types[code] = _TYPES.index(value_type(terms.value(code)))
    return types


def _graph_properties(columns: RdfColumns) -> list[Property]:
    """The named graphs of edges, as a property of each edge type that has edges in one."""
    if not columns.graph_names:
        return []
    in_named = np.unique(columns.graph_statements[columns.graph_codes > 0])
    subjects = np.searchsorted(columns.statement_offsets, in_named, side="right") - 1
    are_edges = (columns.statement_objects[in_named] >= 0) & columns.is_node[subjects]
    counts = np.bincount(columns.statement_predicates[in_named[are_edges]], minlength=len(columns.predicates))
    samples = tuple(columns.graph_names[:_SAMPLES])
    totals = np.diff(columns.typed_offsets).tolist()
    return [
        Property(
            GRAPH_PROPERTY, "graph", name, (ValueType.TEXT,), count, count / total, samples, of_edges=True
        )
        for name, count, total in zip(columns.predicates, counts.tolist(), totals, strict=True)
        if count and total
    ]
