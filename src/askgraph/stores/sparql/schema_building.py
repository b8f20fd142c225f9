"""What a server told of its graph, put together as a schema, and as what the writer of SPARQL must know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ...core.graph import Node
from ...core.schema import UNTYPED, EdgeEnds, EdgeType, NodeType, Property, Schema
from ...core.values import Value, ValueType
from ..rdf.declarations import Description, type_of_datatype
from ..rdf.names import LabelSettings, NameRules
from ..rdf.sparql_context import SparqlContext
from ..rdf.sparql_dialect import OXIGRAPH, STANDARD, VIRTUOSO, SparqlDialect
from ..rdf.vocabulary import (
    ALIAS_PROPERTIES,
    DESCRIPTION_PROPERTIES,
    EMPTY_TYPES,
    GEO,
    LABEL_PROPERTIES,
    RDF_LANG_STRING,
    RDF_TYPE,
    VOCABULARY_NAMESPACES,
    XSD,
    XSD_STRING,
)
from .counting import Owned, Sample, Values, is_edge_type
from .engines import Engine, Recognised
from .introspection import Learned
from .terms import Literal, Resource, Row
from .wording import iris

_SAMPLES: Final = 5
_MOST_PAIRS: Final = 200
_TERMS_AT_ONCE: Final = 400
_UNTYPED_LABEL: Final = "untyped"
_WORDS: Final = (*LABEL_PROPERTIES, *ALIAS_PROPERTIES, *DESCRIPTION_PROPERTIES)
_DIALECTS: Final[dict[Engine, SparqlDialect]] = {Engine.VIRTUOSO: VIRTUOSO, Engine.OXIGRAPH: OXIGRAPH}
_WIKIBASE: Final = "http://wikiba.se/ontology#"


def terms_of(learned: Learned) -> list[str]:
    """The types and predicates whose labels are wanted, the most frequent first."""
    declared = learned.declarations
    names = dict.fromkeys(sorted(learned.types, key=lambda name: (-learned.types[name], name)))
    names |= dict.fromkeys(learned.predicates)
    names |= dict.fromkeys([*declared.object_properties, *declared.datatype_properties, *declared.classes])
    return list(names)


def labels_queries(names: Sequence[str], labels: LabelSettings, engine: Recognised) -> list[str]:
    """Requests for the labels and descriptions of types and predicates: the names most frequent, two requests."""
    words = dict.fromkeys([*labels.properties, *labels.aliases, *_WORDS])
    queries = []
    for start in range(0, min(len(names), 2 * _TERMS_AT_ONCE), _TERMS_AT_ONCE):
        wanted = iris(names[start : start + _TERMS_AT_ONCE])
        own = f"?s ?p ?o . VALUES ?p {{ {iris(words)} }}"
        if engine.engine is Engine.WIKIDATA:
            # There a predicate of statements has no label; the property that it belongs to has.
            tags = ", ".join(f'"{tag}"' for tag in labels.languages) or '"en"'
            own = f"{{ {own} }} UNION {{ ?entity <{_WIKIBASE}directClaim> ?s ; ?p ?o . VALUES ?p {{ {iris(words)} }} }}"
            own += f" FILTER(LANG(?o) IN ({tags}))"
        queries.append(
            f"SELECT ?s ?p ?o WHERE {{ VALUES ?s {{ {wanted} }} {own} FILTER(isLiteral(?o)) }} LIMIT 10000"
        )
    return queries


def describe(
    names: Iterable[str], rows: Iterable[Row], learned: Learned, labels: LabelSettings
) -> dict[str, Description]:
    """What types and predicates are called, from the rows of :func:`labels_queries`."""
    pairs: dict[str, list[tuple[str, Value]]] = {}
    for subject, predicate, object in rows:
        if isinstance(subject, Resource) and isinstance(predicate, Resource) and isinstance(object, Literal):
            pairs.setdefault(subject.id, []).append((predicate.id, object.value))
    rules = NameRules(labels, ())
    found = {}
    for name in names:
        said = sorted(pairs.get(name, ()), key=lambda pair: (pair[0], str(pair[1]), repr(pair[1])))
        properties: dict[str, Value] = {}
        for key, value in said:
            properties.setdefault(key, []).append(value)  # type: ignore[union-attr]
        node = Node(name, rules.names(name, said), (), properties) if said else None
        found[name] = learned.declarations.describe(name, node)
    return found


def build_schema(learned: Learned, words: Mapping[str, Description]) -> Schema:
    """The schema, ordered as every schema is."""
    builder = _Builder(learned, words)
    edge_types, edge_notes = builder.edge_types()
    node_types = builder.node_types()
    notes = [*learned.notes, *edge_notes]
    node_count = learned.node_count
    if node_count is None:
        node_count = sum(item.count for item in node_types)
        notes.append("How many nodes there are is not known: members of all types were added up.")
    return Schema(
        kind="rdf",
        node_count=node_count,
        edge_count=sum(item.count for item in edge_types),
        node_types=node_types,
        edge_types=edge_types,
        properties=builder.properties(),
        notes=tuple(dict.fromkeys(notes)),
    )


def build_context(learned: Learned, engine: Recognised, *, several_graphs: bool) -> SparqlContext:
    """What the writer of SPARQL must know. ``several_graphs``: whether the default graph may be made of several."""
    values = learned.values or [
        Values(item.predicate, item.datatype, item.language, item.count)
        for item in learned.samples
        if item.is_literal
    ]
    # From samples it cannot be told that a property never has a language.
    unsure = () if learned.is_exact else [item.predicate for item in values if _is_text(item)]
    return SparqlContext(
        with_languages=frozenset([*(item.predicate for item in values if item.language), *unsure]),
        with_years=frozenset(item.predicate for item in values if item.datatype == f"{XSD}gYear"),
        of_declarations=learned.declared_predicates,
        declaration_types=learned.scope.declared_types,
        declaring=learned.scope.declaring,
        empty_types=learned.empty_types,
        has_named_graphs=several_graphs and not engine.merges_graphs,
        counts_are_exact=learned.is_exact,
        hidden_types=learned.hiding.types,
        hidden_edge_types=learned.hiding.predicates,
        hidden_keys=tuple(learned.hiding.keys.items()),
        dialect=_DIALECTS.get(engine.engine, STANDARD),
    )


def _is_text(item: Values) -> bool:
    return item.datatype in (XSD_STRING, RDF_LANG_STRING, "")


@dataclass(frozen=True, slots=True)
class _Typed:
    """A property of one type, with what its values are."""

    key: str
    owner: str
    count: int
    distinct: int | None
    value_types: tuple[ValueType, ...]
    samples: tuple[Value, ...]


class _Builder:
    """Makes the parts of one schema."""

    def __init__(self, learned: Learned, words: Mapping[str, Description]) -> None:
        self._learned = learned
        self._declared = learned.declarations
        self._words = words
        self._hidden = frozenset((*learned.hiding.types, *learned.hiding.predicates))

    # --- node types

    def node_types(self) -> tuple[NodeType, ...]:
        """The types, those without members too."""
        learned, declared = self._learned, self._declared
        totals = dict(learned.totals)
        names = [name for name in dict.fromkeys([*learned.types, *totals]) if totals.get(name)]
        shaped = [name for shape in learned.shapes for name in (shape.owner, shape.target) if name]
        names += [name for name in dict.fromkeys([*declared.classes, *shaped]) if not totals.get(name)]
        known = {name for name in names if self._may_show(name)}
        types = []
        for name in names:
            if name not in known:
                continue
            words = self._described(name)
            types.append(
                NodeType(
                    id=name,
                    label=words.label,
                    count=learned.types.get(name, 0),
                    total=max(totals.get(name, 0), learned.types.get(name, 0)),
                    parents=tuple(item for item in declared.parents.get(name, ()) if item in known),
                    equivalents=tuple(item for item in declared.equivalents.get(name, ()) if item in known),
                    other_labels=words.other_labels,
                    description=words.comment,
                )
            )
        untyped = learned.untyped_count
        if untyped is None:
            untyped = int(self._has_untyped())
        if untyped:
            types.append(NodeType(UNTYPED, _UNTYPED_LABEL, untyped, untyped))
        return tuple(sorted(types, key=lambda item: (-item.total, -item.count, item.id)))

    def _has_untyped(self) -> bool:
        """Whether an edge or a sample shows nodes without a type, which nobody counted."""
        if any(UNTYPED in (ends.source, ends.target) for ends in self._learned.ends):
            return True
        return any(
            item.source == UNTYPED or (not item.is_literal and item.target == UNTYPED)
            for item in self._learned.samples
        )

    def _may_show(self, type: str) -> bool:
        return type not in self._hidden and type not in EMPTY_TYPES and not type.startswith("_:")

    def _described(self, name: str) -> Description:
        return self._words.get(name) or self._declared.describe(name, None)

    # --- edge types

    def edge_types(self) -> tuple[tuple[EdgeType, ...], list[str]]:
        """The edge types, and what is to be said of them."""
        learned, declared = self._learned, self._declared
        ends = self._ends()
        names = [name for name in self._predicates() if self._leads_to_nodes(name, ends)]
        said = [*declared.object_properties, *(item.path for item in learned.shapes if item.target)]
        names += [
            name
            for name in dict.fromkeys(said)
            if name not in learned.predicates and not name.startswith(VOCABULARY_NAMESPACES)
        ]
        known = {name for name in names if name not in self._hidden}
        types, notes = [], []
        for name in dict.fromkeys(names):
            if name not in known:
                continue
            words, own = self._described(name), ends.get(name, [])
            if len(own) > _MOST_PAIRS:
                notes.append(
                    f"Of the {len(own):,} pairs of types that {words.label!r} joins, {_MOST_PAIRS} are listed."
                )
            inverse = declared.inverses.get(name)
            types.append(
                EdgeType(
                    id=name,
                    label=words.label,
                    count=self._edge_count(name),
                    ends=(*own[:_MOST_PAIRS], *self._declared_ends(name, own)),
                    parents=tuple(item for item in declared.property_parents.get(name, ()) if item in known),
                    inverse=inverse if inverse in known else None,
                    symmetric=name in declared.symmetric,
                    other_labels=words.other_labels,
                    description=words.comment,
                )
            )
        return tuple(sorted(types, key=lambda item: (-item.count, item.id))), notes

    def _predicates(self) -> list[str]:
        return [
            name
            for name in self._learned.predicates
            if name != RDF_TYPE and name not in self._hidden and is_edge_type(name)
        ]

    def _leads_to_nodes(self, name: str, ends: Mapping[str, Sequence[EdgeEnds]]) -> bool:
        if ends.get(name):
            return True
        sampled = {item.predicate for item in self._learned.samples}
        return name not in sampled and not self._learned.is_exact and self._learned.predicates[name].links > 0

    def _edge_count(self, name: str) -> int:
        found = self._learned.predicates.get(name)
        return 0 if found is None else found.links

    def _ends(self) -> dict[str, list[EdgeEnds]]:
        """The pairs of types that each edge type joins, the most frequent first."""
        gathered: dict[str, list[EdgeEnds]] = {}
        for ends in self._learned.ends:
            if self._may_end(ends.source) and self._may_end(ends.target) and is_edge_type(ends.predicate):
                gathered.setdefault(ends.predicate, []).append(EdgeEnds(ends.source, ends.target, ends.count))
        for predicate, samples in _by_predicate(self._learned.samples).items():
            links = [item for item in samples if not item.is_literal]
            total = sum(item.count for item in links)
            have = self._learned.predicates.get(predicate)
            counts: dict[tuple[str, str], int] = {}
            for item in links:
                if self._may_end(item.source) and self._may_end(item.target):
                    pair = (item.source, item.target)
                    counts[pair] = counts.get(pair, 0) + item.count
            if counts and is_edge_type(predicate):
                scale = (have.links if have else total) / total
                gathered[predicate] = [
                    EdgeEnds(source, target, max(1, round(count * scale)))
                    for (source, target), count in counts.items()
                ]
        for own in gathered.values():
            own.sort(key=lambda item: (-item.count, item.source, item.target))
        return gathered

    def _may_end(self, type: str) -> bool:
        """Whether a type may stand at the end of an edge: it is shown, or is none."""
        return type == UNTYPED or (self._may_show(type) and type not in self._learned.scope.declared_types)

    def _declared_ends(self, name: str, ends: Sequence[EdgeEnds]) -> list[EdgeEnds]:
        """Domain and range, and what shapes say, where no edge has both ends typed."""
        if any(item.source != UNTYPED and item.target != UNTYPED for item in ends):
            return []
        declared = self._declared
        classes = {item for item in declared.classes if self._may_show(item)}
        shaped = [
            EdgeEnds(item.owner, item.target, 0)
            for item in self._learned.shapes
            if item.path == name
            and item.target
            and self._may_show(item.owner)
            and self._may_show(item.target)
        ]
        if shaped:
            return shaped
        domains = [item for item in declared.domains.get(name, ()) if item in classes]
        ranges = [item for item in declared.ranges.get(name, ()) if item in classes]
        seen = {(item.source, item.target) for item in ends}
        sources = domains or list(dict.fromkeys(item.source for item in ends)) or [UNTYPED]
        targets = ranges or list(dict.fromkeys(item.target for item in ends)) or [UNTYPED]
        return [
            EdgeEnds(source, target, 0)
            for source in sources
            for target in targets
            if (source, target) not in seen
        ]

    # --- properties

    def properties(self) -> tuple[Property, ...]:
        """The properties of each type."""
        found = [
            self._property(item)
            for item in self._typed()
            if item.owner == UNTYPED or self._may_end(item.owner)
        ]
        seen = {(item.key, item.owner) for item in found}
        keys = {item.key for item in found}
        found += [
            self._property(_Typed(key, owner, 0, 0, types, ()))
            for key, owner, types in self._declared_properties()
            if (key, owner) not in seen and key not in keys
        ]
        return tuple(sorted(found, key=lambda item: (item.of_edges, -item.count, item.key, item.owner)))

    def _property(self, item: _Typed) -> Property:
        words = self._described(item.key)
        members = (self._learned.untyped_count or 0) if item.owner == UNTYPED else self._total(item.owner)
        return Property(
            key=item.key,
            label=words.label,
            owner=item.owner,
            value_types=item.value_types,
            count=item.count,
            coverage=min(1.0, item.count / members) if members else 0.0,
            samples=item.samples,
            distinct=item.distinct,
            other_labels=words.other_labels,
            description=words.comment,
        )

    def _total(self, type: str) -> int:
        return max(self._learned.totals.get(type, 0), self._learned.types.get(type, 0))

    def _typed(self) -> list[_Typed]:
        values = _values_by_predicate(self._learned)
        typed = []
        for item in (*self._learned.owned, *self._estimated_owners()):
            if item.predicate in self._hidden or self._learned.hiding.hides_property(
                item.predicate, [item.owner]
            ):
                continue
            own = values.get(item.predicate, [])
            typed.append(
                _Typed(
                    item.predicate, item.owner, item.count, item.distinct, _types_of(own), _samples_of(own)
                )
            )
        return typed

    def _estimated_owners(self) -> list[Owned]:
        """Nodes that have a property by type, from a few members of each type; members of subtypes are added up."""
        totals = self._learned.types
        counts: dict[tuple[str, str], int] = {}
        for item in self._learned.members:
            if item.literals:
                estimate = max(1, round(item.nodes / item.members * totals.get(item.type, 0)))
                for owner in self._learned.owners_of(item.type):
                    counts[item.predicate, owner] = counts.get((item.predicate, owner), 0) + estimate
        for sample in self._learned.samples:
            # Properties of nodes without a type, and of types whose members were not looked at.
            if sample.is_literal and (sample.predicate, sample.source) not in counts:
                counts[sample.predicate, sample.source] = sample.count
        return [Owned(predicate, owner, count) for (predicate, owner), count in counts.items()]

    def _declared_properties(self) -> Iterable[tuple[str, str, tuple[ValueType, ...]]]:
        """Properties that the graph declares and that nobody has: with their owners and kinds of values."""
        declared, known = self._declared, {item.id for item in self.node_types()}
        for key in declared.datatype_properties:
            for owner in declared.domains.get(key, ()):
                if owner in known and not self._learned.hiding.hides_property(key, [owner]):
                    yield key, owner, declared.value_types(key)
        for shape in self._learned.shapes:
            type = type_of_datatype(shape.datatype) if shape.datatype else None
            if (
                type
                and shape.owner in known
                and not self._learned.hiding.hides_property(shape.path, [shape.owner])
            ):
                yield shape.path, shape.owner, (type,)


def _by_predicate(samples: Sequence[Sample]) -> dict[str, list[Sample]]:
    gathered: dict[str, list[Sample]] = {}
    for item in samples:
        gathered.setdefault(item.predicate, []).append(item)
    return gathered


def _values_by_predicate(learned: Learned) -> dict[str, list[Values]]:
    """The kinds of values of each property, the most frequent first. What is hidden of some nodes has no samples."""
    counts: dict[tuple[str, str, str | None], tuple[int, dict[str, None]]] = {}
    for item in learned.values:
        counts[item.predicate, item.datatype, item.language] = (item.count, dict.fromkeys(item.texts))
    for sample in learned.samples:
        if sample.is_literal:
            key = (sample.predicate, sample.datatype, sample.language)
            count, texts = counts.get(key, (0, {}))
            counts[key] = (count + sample.count, texts | {sample.text: None})
    gathered: dict[str, list[Values]] = {}
    for (predicate, datatype, language), (count, texts) in counts.items():
        shown = () if predicate in learned.hiding.keys else tuple(sorted(texts))
        gathered.setdefault(predicate, []).append(Values(predicate, datatype, language, count, shown))
    for own in gathered.values():
        own.sort(key=lambda item: (-item.count, item.datatype, item.language or ""))
    return gathered


def _types_of(values: Iterable[Values]) -> tuple[ValueType, ...]:
    counts: dict[ValueType, int] = {}
    for item in values:
        kind = _type_of(item)
        counts[kind] = counts.get(kind, 0) + item.count
    order = list(ValueType)
    return tuple(sorted(counts, key=lambda kind: (-counts[kind], order.index(kind))))


def _type_of(item: Values) -> ValueType:
    if item.language or item.datatype == RDF_LANG_STRING:
        return ValueType.TEXT
    if item.datatype == f"{GEO}wktLiteral":
        return ValueType.POINT
    return type_of_datatype(item.datatype) or ValueType.OTHER


def _samples_of(values: Iterable[Values]) -> tuple[Value, ...]:
    literals = [literal for item in values for literal in item.samples]
    return tuple(literal.value for literal in literals[:_SAMPLES])
