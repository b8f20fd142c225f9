"""The schema of a graph on a server: what the server knows first, then bounded samples, in at most twenty requests.

No request makes the server look at every node. Counts are those that it keeps; properties and their values are seen in
the first thousand nodes or relationships of each type.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ...core.budget import Budget
from ...core.hidden import Hidden
from ...core.schema import UNTYPED, EdgeType, NodeType, Property, Schema
from ...core.words import human_label, quantity
from .catalog import Catalog, ServerConstraint, ServerIndex
from .counts import GraphCounts, read_counts
from .ends import edge_ends, without_types
from .engines import Engine
from .samples import (
    MOST_TYPES,
    SAMPLE,
    SeenProperties,
    SeenProperty,
    count_unlabelled,
    sample_ends,
    sample_properties,
)
from .server import BoltServer

_UNTYPED_LABEL: Final = "untyped"


@dataclass(frozen=True, slots=True)
class KeyTypes:
    """What the values of a property key of nodes are, over all types, as far as was seen.

    Attributes:
        names: such as ``"STRING"``, ``"ZONED DATETIME"``; of the elements where they are lists.
        has_lists: whether any is a list.
    """

    names: frozenset[str]
    has_lists: bool


@dataclass(frozen=True, slots=True)
class Introspection:
    """A schema, and what was seen beside it.

    Attributes:
        schema: without what is hidden.
        key_types: of keys of nodes. A key that is not here was never seen: it may hold anything.
        edge_key_types: the same of keys of edges.
    """

    schema: Schema
    key_types: Mapping[str, KeyTypes]
    edge_key_types: Mapping[str, KeyTypes]


def introspect(
    server: BoltServer, engine: Engine, catalog: Catalog, hidden: Hidden, budget: Budget | None = None
) -> Introspection:
    """Find out what a graph is made of.

    Args:
        server: to ask.
        engine: that answers.
        catalog: what the server says without looking.
        hidden: what is not to be seen.
        budget: for every request; ``None`` for the server's usual one.

    Raises:
        ServerError, DeadlineExceededError, QueryFailedError: the server cannot be asked.
    """
    counts = read_counts(server, engine, catalog, budget)
    labels = _by_count(counts.labels, hidden)
    types = _by_count(counts.types, hidden)
    untyped = counts.least_unlabelled
    if counts.may_hide_unlabelled:
        untyped = count_unlabelled(server, budget)
    of_nodes = sample_properties(
        server,
        engine,
        [*labels, *([UNTYPED] if untyped else [])],
        of_edges=False,
        without=_hidden_labels(counts, hidden),
        budget=budget,
    )
    of_edges = sample_properties(server, engine, types, of_edges=True, budget=budget)
    edge_types, estimated = _edge_types(server, engine, counts, types, hidden, budget)
    properties = [
        *_properties(of_nodes, {**counts.labels, UNTYPED: untyped}, catalog, hidden, of_edges=False),
        *_properties(of_edges, counts.types, catalog, hidden, of_edges=True),
    ]
    schema = Schema(
        kind="property",
        node_count=counts.nodes - sum(counts.labels.get(type, 0) for type in hidden.types),
        edge_count=counts.edges - sum(counts.types.get(type, 0) for type in hidden.types),
        node_types=_node_types(counts, labels, untyped),
        edge_types=edge_types,
        properties=tuple(properties),
        notes=(*catalog.notes, *counts.notes, *_notes(counts, labels, types, estimated)),
    )
    return Introspection(schema, _key_types(of_nodes), _key_types(of_edges))


def _by_count(counts: Mapping[str, int], hidden: Hidden) -> list[str]:
    seen = (name for name in counts if not hidden.hides_type(name))
    return sorted(seen, key=lambda name: (-counts[name], name))


def _hidden_labels(counts: GraphCounts, hidden: Hidden) -> list[str]:
    return [name for name in hidden.types if name in counts.labels]


def _node_types(counts: GraphCounts, labels: Sequence[str], untyped: int) -> tuple[NodeType, ...]:
    found = [NodeType(name, human_label(name), counts.labels[name], counts.labels[name]) for name in labels]
    if untyped:
        found.append(NodeType(UNTYPED, _UNTYPED_LABEL, untyped, untyped))
    return tuple(sorted(found, key=lambda item: (-item.count, item.id)))


def _edge_types(
    server: BoltServer,
    engine: Engine,
    counts: GraphCounts,
    types: Sequence[str],
    hidden: Hidden,
    budget: Budget | None,
) -> tuple[tuple[EdgeType, ...], list[str]]:
    """The edge types, and those of which the counts of pairs are estimates."""
    seen = counts.ends or sample_ends(server, engine, types, budget)
    found, estimated = [], []
    for type in types:
        sources = {label: count for (name, label), count in counts.sources.items() if name == type}
        targets = {label: count for (name, label), count in counts.targets.items() if name == type}
        ends, is_estimate = edge_ends(counts.types[type], seen.get(type, {}), sources, targets)
        if is_estimate:
            estimated.append(type)
        found.append(EdgeType(type, human_label(type), counts.types[type], without_types(ends, hidden.types)))
    return tuple(found), estimated


def _properties(
    seen: SeenProperties,
    owners: Mapping[str, int],
    catalog: Catalog,
    hidden: Hidden,
    *,
    of_edges: bool,
) -> list[Property]:
    found = []
    for owner, items in seen.items():
        for key in sorted({*items, *_promised(catalog, owner, of_edges)}):
            if not hidden.hides_property(key, (owner,)):
                found.append(
                    _property(items.get(key, SeenProperty()), key, owner, owners[owner], catalog, of_edges)
                )
    return sorted(found, key=lambda item: (-item.count, item.key, item.owner))


def _promised(catalog: Catalog, owner: str, of_edges: bool) -> set[str]:
    """Keys that an index or a constraint says are there, though perhaps on few."""
    found: set[str] = set()
    promises: list[ServerIndex | ServerConstraint] = [*catalog.indexes, *catalog.constraints]
    for item in promises:
        # An index of several types and several keys need not find all of these on each type.
        is_plain = len(item.types) == 1 or len(item.keys) == 1
        if is_plain and item.of_edges == of_edges and owner in item.types:
            found.update(item.keys)
    return found


def _property(
    seen: SeenProperty, key: str, owner: str, owners: int, catalog: Catalog, of_edges: bool
) -> Property:
    looked_at = min(owners, SAMPLE)
    coverage = min(1.0, seen.count / looked_at) if looked_at else 0.0
    if any(
        item.insists_on_presence and item.of_edges == of_edges and owner in item.types and key in item.keys
        for item in catalog.constraints
    ):
        coverage = 1.0
    return Property(
        key=key,
        label=human_label(key),
        owner=owner,
        value_types=seen.value_types,
        count=round(coverage * owners),
        coverage=coverage,
        samples=() if seen.has_vectors else tuple(seen.examples[:5]),
        distinct=seen.distinct if owners <= SAMPLE and not seen.has_lists else None,
        of_edges=of_edges,
    )


def _key_types(seen: SeenProperties) -> dict[str, KeyTypes]:
    names: dict[str, set[str]] = {}
    lists: set[str] = set()
    for items in seen.values():
        for key, item in items.items():
            names.setdefault(key, set()).update(item.types)
            if item.has_lists:
                lists.add(key)
    return {key: KeyTypes(frozenset(found), key in lists) for key, found in names.items()}


def _notes(
    counts: GraphCounts, labels: Sequence[str], types: Sequence[str], estimated: Sequence[str]
) -> list[str]:
    notes = []
    if sum(counts.labels.values()) > counts.nodes:
        notes.append("A node with several labels is counted under each of them, and so are its edges.")
    if counts.may_hide_unlabelled and counts.nodes > SAMPLE:
        notes.append(f"Nodes without a label were only looked for among the first {SAMPLE:,} nodes.")
    if any(counts.labels[name] > SAMPLE for name in labels) or any(
        counts.types[name] > SAMPLE for name in types
    ):
        notes.append(
            f"Properties and their values were seen in the first {SAMPLE:,} nodes or edges of each type; how many have"
            " one is an estimate."
        )
    if estimated:
        notes.append(
            f"How many edges join each pair of types is an estimate for {quantity(len(estimated), 'edge type')}:"
            f" {', '.join(sorted(estimated)[:20])}."
        )
    unseen = max(0, len(labels) - MOST_TYPES) + max(0, len(types) - MOST_TYPES)
    if unseen:
        notes.append(f"The properties of the {unseen:,} rarest types were not looked at.")
    return notes
