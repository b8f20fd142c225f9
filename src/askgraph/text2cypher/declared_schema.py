"""A schema that a user declares: the part of a graph that generated queries are to know, in the user's words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from ..core.errors import SettingsError
from ..core.schema import EdgeType, NodeType, Property, Schema
from ..core.suggestions import nearest_names


@dataclass(frozen=True, slots=True)
class EntityType:
    """A label, what it means, its properties with their types in words, and the labels below it.

    Without ``properties`` all that the graph has are known.
    """

    label: str
    description: str = ""
    properties: Mapping[str, str] = field(default_factory=dict)
    subtypes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RelationType:
    """A relationship type, what it means, and the pairs of labels (from, to) that it joins; none for all pairs."""

    label: str
    description: str = ""
    pairs: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class GraphSchema:
    """What of a graph may be asked for. Everything else of the graph is left out of prompts, and a query that names it
    is taken for wrong."""

    name: str = ""
    version: str = ""
    entity_types: tuple[EntityType, ...] = ()
    relation_types: tuple[RelationType, ...] = ()

    def of(self, schema: Schema) -> Schema:
        """The declared part of what the graph has, with its counts and samples and the declared descriptions.

        Raises:
            SettingsError: the graph has no such label, relationship type or property.
        """
        labels = [label for item in self.entity_types for label in (item.label, *item.subtypes)]
        _insist("label", labels, [item.id for item in schema.node_types])
        relations = [item.label for item in self.relation_types]
        _insist("relationship type", relations, [item.id for item in schema.edge_types])
        declared = {item.label: item for item in self.entity_types}
        return replace(
            schema,
            name=self.name or schema.name,
            node_types=tuple(
                _described(item, declared.get(item.id)) for item in schema.node_types if item.id in labels
            ),
            edge_types=tuple(self._edge_types(schema, labels)),
            properties=tuple(self._properties(schema, declared, set(labels), set(relations))),
        )

    def _edge_types(self, schema: Schema, labels: Iterable[str]) -> Iterable[EdgeType]:
        known = set(labels)
        for declared in self.relation_types:
            _insist("label", [label for pair in declared.pairs for label in pair], known)
            item = schema.edge_type(declared.label)
            pairs = set(declared.pairs)
            ends = tuple(
                end
                for end in item.ends
                if end.source in known
                and end.target in known
                and (not pairs or (end.source, end.target) in pairs)
            )
            yield replace(item, ends=ends, description=declared.description or item.description)

    def _properties(
        self, schema: Schema, declared: Mapping[str, EntityType], labels: set[str], relations: set[str]
    ) -> Iterable[Property]:
        for label, entity in declared.items():
            _insist(
                f"property of {label}", entity.properties, [own.key for own in schema.properties_of(label)]
            )
        for item in schema.properties:
            if item.of_edges:
                if item.owner in relations:
                    yield item
                continue
            owner = declared.get(item.owner)
            if item.owner in labels and (
                owner is None or not owner.properties or item.key in owner.properties
            ):
                yield item


def _described(item: NodeType, declared: EntityType | None) -> NodeType:
    return replace(item, description=declared.description) if declared and declared.description else item


def _insist(kind: str, wanted: Iterable[str], known: Iterable[str]) -> None:
    names = list(known)
    for name in wanted:
        if name not in names:
            near = nearest_names(name, names)
            raise SettingsError(
                f"the graph has no {kind} {name!r}",
                advice=f"Did you mean {near[0]!r}?" if near else "`askgraph schema GRAPH` lists what it has.",
            )
