"""How many nodes and relationships of each type there are, from the counts that a server keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ...core.budget import Budget
from ...core.errors import QueryFailedError
from .catalog import Catalog
from .ends import SeenEnds
from .engines import Engine
from .memgraph import SchemaInfo, edge_type_of, read_schema_info
from .server import BoltServer, Statement

_DOING: Final = "counting what the graph is made of"
# Counts that one request asks for: a server plans each of them.
_AT_ONCE: Final = 100
_MOST_REQUESTS: Final = 5
# What ArcadeDB counts nodes without a label under.
_WITHOUT_LABEL: Final = "~NO_LABEL~"


@dataclass(frozen=True, slots=True)
class GraphCounts:
    """Counts of a graph.

    Attributes:
        nodes, edges: in all.
        labels: of nodes with each label; one with several labels counts for each.
        types: of relationships of each type.
        sources: for (relationship type, label) the relationships that leave nodes with the label. Only above zero.
        targets: the same for those that enter them.
        known_unlabelled: nodes without any label, where the server keeps that.
        ends: for each type how many relationships join nodes with these labels, where the server keeps that.
        notes: what could not be counted, in sentences.
    """

    nodes: int
    edges: int
    labels: Mapping[str, int]
    types: Mapping[str, int]
    sources: Mapping[tuple[str, str], int] = field(default_factory=dict)
    targets: Mapping[tuple[str, str], int] = field(default_factory=dict)
    ends: Mapping[str, SeenEnds] = field(default_factory=dict)
    known_unlabelled: int | None = None
    notes: tuple[str, ...] = ()

    @property
    def least_unlabelled(self) -> int:
        """Nodes without any label: all of them, or where nodes have several labels perhaps not all."""
        if self.known_unlabelled is not None:
            return self.known_unlabelled
        return max(0, self.nodes - sum(self.labels.values()))

    @property
    def may_hide_unlabelled(self) -> bool:
        """Whether nodes with several labels make up in the sum for nodes that have none."""
        return self.known_unlabelled is None and sum(self.labels.values()) > self.nodes


def read_counts(
    server: BoltServer, engine: Engine, catalog: Catalog, budget: Budget | None = None
) -> GraphCounts:
    """Ask for counts in at most six requests, none of which makes the server look at every node.

    Raises:
        ServerError, DeadlineExceededError, QueryFailedError: it cannot be asked.
    """
    if engine.product == "ArcadeDB":
        return _from_meta_statistics(server, budget)
    if engine.product == "Memgraph":
        return from_schema_info(read_schema_info(server, budget))
    try:
        rows = server.rows(
            Statement(
                "CALL db.stats.retrieve('GRAPH COUNTS') YIELD data RETURN data.nodes, data.relationships",
                doing=_DOING,
            ),
            budget,
        )
        return from_count_store(*rows[0])
    except QueryFailedError:
        # For administrators alone, where there are roles.
        return _from_count_queries(server, engine, catalog, budget)


def from_count_store(
    nodes: Sequence[Mapping[str, Any]], relationships: Sequence[Mapping[str, Any]]
) -> GraphCounts:
    """What Neo4j's count store holds, as ``db.stats.retrieve`` tells it: entries with a count and what it is of."""
    in_all = {True: 0, False: 0}
    labels: dict[str, int] = {}
    types: dict[str, int] = {}
    sources: dict[tuple[str, str], int] = {}
    targets: dict[tuple[str, str], int] = {}
    for entry in nodes:
        if "label" in entry:
            labels[entry["label"]] = entry["count"]
        else:
            in_all[True] = entry["count"]
    for entry in relationships:
        type, count = entry.get("relationshipType"), entry["count"]
        if type is None:
            in_all[False] = count
        elif "startLabel" in entry:
            sources[type, entry["startLabel"]] = count
        elif "endLabel" in entry:
            targets[type, entry["endLabel"]] = count
        else:
            types[type] = count
    return GraphCounts(
        in_all[True],
        in_all[False],
        _above_zero(labels),
        _above_zero(types),
        {key: count for key, count in sources.items() if count},
        {key: count for key, count in targets.items() if count},
    )


def from_schema_info(info: SchemaInfo) -> GraphCounts:
    """What Memgraph keeps: nodes by the set of their labels, relationships by type and the labels of their ends."""
    labels: dict[str, int] = {}
    types: dict[str, int] = {}
    ends: dict[str, dict[tuple[tuple[str, ...], tuple[str, ...]], int]] = {}
    for entry in info["nodes"]:
        for label in entry["labels"]:
            labels[label] = labels.get(label, 0) + entry["count"]
    for entry in info["edges"]:
        type, count = edge_type_of(entry), entry["count"]
        types[type] = types.get(type, 0) + count
        pair = (tuple(sorted(entry["start_node_labels"])), tuple(sorted(entry["end_node_labels"])))
        of_type = ends.setdefault(type, {})
        of_type[pair] = of_type.get(pair, 0) + count
    return GraphCounts(
        sum(entry["count"] for entry in info["nodes"]),
        sum(types.values()),
        _above_zero(labels),
        _above_zero(types),
        ends=ends,
        known_unlabelled=sum(entry["count"] for entry in info["nodes"] if not entry["labels"]),
    )


def _from_count_queries(
    server: BoltServer, engine: Engine, catalog: Catalog, budget: Budget | None
) -> GraphCounts:
    """The same by queries that Neo4j answers from its count store; the ends of relationships are not asked for."""
    patterns = ["()", "()-[]->()"]
    patterns += [f"(:{engine.name(label)})" for label in catalog.labels]
    patterns += [f"()-[:{engine.name(type)}]->()" for type in catalog.edge_types]
    asked = patterns[: _AT_ONCE * _MOST_REQUESTS]
    counts: list[int] = []
    for start in range(0, len(asked), _AT_ONCE):
        cells = (f"COUNT {{ MATCH {pattern} }}" for pattern in asked[start : start + _AT_ONCE])
        text = "RETURN " + ", ".join(f"{cell} AS c{number}" for number, cell in enumerate(cells))
        counts += server.rows(Statement(text, doing=_DOING), budget)[0]
    names = [*catalog.labels, *catalog.edge_types]
    known = dict(enumerate(counts[2:]))
    labels = {name: known[i] for i, name in enumerate(catalog.labels) if i in known}
    first = len(catalog.labels)
    types = {name: known[first + i] for i, name in enumerate(catalog.edge_types) if first + i in known}
    notes = []
    if len(known) < len(names):
        notes.append(f"{len(names) - len(known):,} labels and relationship types were not counted.")
    return GraphCounts(counts[0], counts[1], _above_zero(labels), _above_zero(types), notes=tuple(notes))


def _from_meta_statistics(server: BoltServer, budget: Budget | None) -> GraphCounts:
    """ArcadeDB keeps its counts by type; a node with several labels has a type of its own, ``A~B``."""
    statistics = server.rows(Statement("CALL apoc.meta.stats()", doing=_DOING), budget)[0][0]
    nodes = server.rows(Statement("MATCH (n) RETURN count(n)", doing=_DOING), budget)[0][0]
    labels = {name: count for name, count in statistics["labels"].items() if "~" not in name}
    return GraphCounts(
        nodes,
        statistics["relCount"],
        _above_zero(labels),
        _above_zero(statistics["relTypes"]),
        known_unlabelled=statistics["labels"].get(_WITHOUT_LABEL),
    )


def _above_zero(counts: Mapping[str, int]) -> dict[str, int]:
    """Names of nothing that is left are no types of the graph."""
    return {name: count for name, count in counts.items() if count}
