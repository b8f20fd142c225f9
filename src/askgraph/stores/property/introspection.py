"""The schema of a property graph, counted from its tables.

A node with several labels counts for each of them, and its edges for each pair of its labels and those at the other
end. A property with lists is shown with the types of their elements.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from ...core.budget import Budget
from ...core.schema import UNTYPED, EdgeEnds, EdgeType, NodeType, Property, Schema
from ...core.values import display
from ...core.words import human_label, quantity
from .catalog import Catalog, read_catalog
from .deadline import within_deadline
from .property_statistics import property_statistics

if TYPE_CHECKING:
    import duckdb

UNTYPED_LABEL: Final = "untyped"
_MOST_PAIRS: Final = 200
# Properties by which edges say whether they have a direction, and how they say that they have none.
_DIRECTION_KEYS: Final = frozenset({"direction", "directed", "directionality"})
_UNDIRECTED: Final = frozenset({"both", "undirected", "no", "false", "none", "bidirectional"})
_EDGES_AT_ONCE: Final = 1_000_000


def introspect(cursor: duckdb.DuckDBPyConnection, budget: Budget | None = None) -> Schema:
    """Count what a graph is made of.

    Types, edge types and the coverage of properties are counted exactly. Numbers of different values are estimated in
    large graphs, and samples are taken from some of the values; the schema's notes say so.

    Args:
        cursor: on the graph's database; nobody else uses it meanwhile.
        budget: its deadline; ``None`` for none.

    Raises:
        DeadlineExceededError: the time of the budget is up.
    """
    with within_deadline(cursor, budget, "counting what the graph is made of"):
        catalog = read_catalog(cursor)
        label_sets, set_of_node = _label_sets(cursor, catalog)
        node_counts = _node_counts(label_sets, set_of_node)
        edge_counts = _edge_counts(cursor, catalog)
        ends = _ends(cursor, label_sets, set_of_node)
        edge_types, notes = _edge_types(catalog, edge_counts, ends)
        of_nodes, node_notes = property_statistics(cursor, catalog, "node", node_counts)
        of_edges, edge_notes = property_statistics(cursor, catalog, "edge", edge_counts)
    if any(len(labels) > 1 for labels in label_sets):
        notes = ["A node with several labels is counted under each of them, and so are its edges.", *notes]
    return Schema(
        kind="property",
        node_count=len(set_of_node),
        edge_count=sum(edge_counts.values()),
        node_types=_node_types(node_counts),
        edge_types=tuple(replace(item, symmetric=_is_symmetric(item, of_edges)) for item in edge_types),
        properties=(*of_nodes, *of_edges),
        notes=(*notes, *node_notes, *edge_notes),
    )


def _is_symmetric(edge_type: EdgeType, properties: Sequence[Property]) -> bool:
    """Whether every edge of the type says itself that it has no direction (``direction``: ``both``)."""
    for item in properties:
        if item.owner == edge_type.id and item.key.lower() in _DIRECTION_KEYS:
            said = {display(value).lower() for value in item.samples}
            return item.coverage == 1.0 and item.distinct == 1 and said <= _UNDIRECTED
    return False


# --- node types


def _label_sets(
    cursor: duckdb.DuckDBPyConnection, catalog: Catalog
) -> tuple[list[tuple[str, ...]], NDArray[np.int32]]:
    """The different sets of labels that nodes have, and for each row the number of its set.

    A node without labels has the one label :data:`UNTYPED`.
    """
    names = list(catalog.node_type_codes)
    rows = cursor.execute("SELECT DISTINCT types FROM nodes ORDER BY types").fetchall()
    sets = [tuple(names[code] for code in codes or ()) or (UNTYPED,) for (codes,) in rows]
    numbers = cursor.execute(
        "SELECT row, s.number FROM nodes AS n JOIN"
        " (SELECT types, row_number() OVER (ORDER BY types) - 1 AS number FROM (SELECT DISTINCT types FROM nodes)) AS s"
        " ON n.types IS NOT DISTINCT FROM s.types"
    ).fetchnumpy()
    set_of_node = np.zeros(len(numbers["row"]), dtype=np.int32)
    set_of_node[numbers["row"]] = numbers["number"]
    return sets, set_of_node


def _node_counts(label_sets: Sequence[Sequence[str]], set_of_node: NDArray[np.int32]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for labels, count in zip(
        label_sets, np.bincount(set_of_node, minlength=len(label_sets)).tolist(), strict=True
    ):
        for label in dict.fromkeys(labels):
            counts[label] = counts.get(label, 0) + count
    return counts


def _node_types(counts: Mapping[str, int]) -> tuple[NodeType, ...]:
    types = [
        NodeType(id, UNTYPED_LABEL if id == UNTYPED else human_label(id), count, count)
        for id, count in counts.items()
    ]
    return tuple(sorted(types, key=lambda item: (-item.count, item.id)))


# --- edge types


def _edge_counts(cursor: duckdb.DuckDBPyConnection, catalog: Catalog) -> dict[str, int]:
    counts = dict(cursor.execute("SELECT type, count(*) FROM edges GROUP BY type").fetchall())
    return {name: counts.get(code, 0) for name, code in catalog.edge_type_codes.items()}


def _ends(
    cursor: duckdb.DuckDBPyConnection, label_sets: Sequence[Sequence[str]], set_of_node: NDArray[np.int32]
) -> dict[int, dict[tuple[str, str], int]]:
    """For each edge type's code the pairs of labels that its edges join, with their counts."""
    width = len(label_sets)
    totals: dict[int, int] = {}
    start = 0
    while True:
        batch = cursor.execute(
            "SELECT source, target, type FROM edges WHERE row >= $start AND row < $end",
            {"start": start, "end": start + _EDGES_AT_ONCE},
        ).fetchnumpy()
        if not len(batch["type"]):
            break
        start += _EDGES_AT_ONCE
        keys = batch["type"].astype(np.int64) * width + set_of_node[batch["source"]]
        for key, count in _counted(keys * width + set_of_node[batch["target"]]):
            totals[key] = totals.get(key, 0) + count
    ends: dict[int, dict[tuple[str, str], int]] = {}
    for key, count in totals.items():
        rest, target_set = divmod(key, width)
        code, source_set = divmod(rest, width)
        pairs = ends.setdefault(code, {})
        for source in dict.fromkeys(label_sets[source_set]):
            for target in dict.fromkeys(label_sets[target_set]):
                pairs[source, target] = pairs.get((source, target), 0) + count
    return ends


def _counted(keys: NDArray[np.int64]) -> Iterable[tuple[int, int]]:
    different, counts = np.unique(keys, return_counts=True)
    return zip(different.tolist(), counts.tolist(), strict=True)


def _edge_types(
    catalog: Catalog, counts: Mapping[str, int], ends: Mapping[int, Mapping[tuple[str, str], int]]
) -> tuple[tuple[EdgeType, ...], list[str]]:
    types = []
    notes = []
    for name, code in catalog.edge_type_codes.items():
        pairs = [EdgeEnds(source, target, count) for (source, target), count in ends.get(code, {}).items()]
        pairs.sort(key=lambda item: (-item.count, item.source, item.target))
        if len(pairs) > _MOST_PAIRS:
            notes.append(
                f"Of the {quantity(len(pairs), 'pair')} of labels that {name!r} joins the {_MOST_PAIRS} most"
                " frequent are listed."
            )
        types.append(EdgeType(name, human_label(name), counts[name], tuple(pairs[:_MOST_PAIRS])))
    return tuple(sorted(types, key=lambda item: (-item.count, item.id))), notes
