"""One hop in an RDF graph from many nodes at once, and edges by their ids."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...core.budget import Budget
from ...core.graph import Direction, edge_id
from ..base import Neighbors, RelationCount
from ..property.hops import count_types, find_edge, hops, sources_of
from ..property.reading import LazyTexts
from .columns import RdfColumns


def find_neighbors(
    columns: RdfColumns,
    ids: Sequence[str],
    direction: Direction,
    *,
    types: Sequence[str] | None,
    limit_per_node: int | None,
    budget: Budget | None,
) -> Neighbors:
    """:meth:`GraphStore.neighbors`. Of the limit and the budget's fan-out the smaller holds."""
    if budget is not None:
        budget.check("following edges")
        limit_per_node = budget.fan_out if limit_per_node is None else min(budget.fan_out, limit_per_node)
    wanted = None
    if types is not None:
        wanted = np.zeros(len(columns.predicates), dtype=np.bool_)
        wanted[[columns.predicate_numbers[name] for name in types if name in columns.predicate_numbers]] = (
            True
        )
    rows = columns.find_rows(ids)
    found = hops(columns.adjacency, rows, direction, wanted_types=wanted, limit=limit_per_node)
    return Neighbors(
        origins=found.origins,
        forward=found.forward,
        edge_types=found.types,
        type_names=tuple(columns.predicates),
        nodes=LazyTexts(found.nodes, columns.resources.texts),
        edges=LazyTexts(found.edges, lambda numbers: edge_ids(columns, numbers)),
        cut={ids[position]: total for position, total in found.cut.items()},
    )


def edge_ids(columns: RdfColumns, numbers: NDArray[np.int64]) -> list[str]:
    """The ids of edges by their places in the adjacency."""
    adjacency, resources = columns.adjacency, columns.resources
    return [
        edge_id(source, columns.predicates[type], target)
        for source, type, target in zip(
            resources.texts(sources_of(adjacency, numbers)),
            adjacency.out_types[numbers].tolist(),
            resources.texts(adjacency.out_targets[numbers].astype(np.int64)),
            strict=True,
        )
    ]


def count_relations(columns: RdfColumns, ids: Sequence[str]) -> list[RelationCount]:
    """:meth:`GraphStore.relations`. An edge between two of the nodes counts in both directions."""
    names = columns.predicates
    leaving, entering = count_types(columns.adjacency, np.unique(columns.find_rows(ids)), len(names))
    counts = [
        RelationCount(name, forward, count)
        for forward, side in ((True, leaving), (False, entering))
        for name, count in zip(names, side.tolist(), strict=True)
        if count
    ]
    return sorted(counts, key=lambda item: (-item.count, item.type, not item.forward))


def edge_numbers(columns: RdfColumns, ids: Sequence[str]) -> NDArray[np.int64]:
    """The places in the adjacency of the edges with these ids that there are, in their order."""
    parts = [found for id in ids if len(found := id.split("|")) == 3]
    triples = [[part.replace("%7C", "|").replace("%25", "%") for part in found] for found in parts]
    rows = columns.find_rows([end for source, _, target in triples for end in (source, target)]).reshape(
        -1, 2
    )
    numbers = []
    for (source, target), (_, type, _) in zip(rows.tolist(), triples, strict=True):
        code = columns.predicate_numbers.get(type, -1)
        if min(source, target, code) >= 0:
            numbers.append(find_edge(columns.adjacency, source, code, target, 0))
    return np.array([number for number in numbers if number >= 0], dtype=np.int64)
