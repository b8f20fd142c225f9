"""Looks into an open graph: how much is in it, whether its nodes have names, its index, what its back end can do."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from ..core.words import quantity
from .finding import Finding

if TYPE_CHECKING:
    from ..engine import Graph

MOST_NODES_LOOKED_AT = 200_000
"""Nodes whose names are counted. In a larger graph the first ones stand for the rest, and this is said."""


def content(graph: Graph) -> Iterator[Finding]:
    """How much is in the graph, and what its schema says of itself."""
    schema = graph.schema()
    counts = (
        f"{quantity(schema.node_count, 'node')}, {quantity(schema.edge_count, 'edge')}, "
        f"{quantity(len(schema.node_types), 'node type')}, {quantity(len(schema.edge_types), 'edge type')}"
    )
    if schema.node_count == 0:
        yield Finding("warning", "content", f"nothing: {counts}", "Load files into it: askgraph load FILE…")
    else:
        yield Finding("ok", "content", counts)
    for note in schema.notes:
        yield Finding("note", "schema", note)


def names(graph: Graph) -> Iterator[Finding]:
    """How many nodes have a name, of those looked at."""
    looked_at = nameless = 0
    for node in islice(graph.store.nodes(), MOST_NODES_LOOKED_AT):
        looked_at += 1
        nameless += not any(name.source for name in node.names)  # else it is called by a part of its id
    if not looked_at:
        return
    among = "" if looked_at < MOST_NODES_LOOKED_AT else f" of the first {looked_at:,}"
    if not nameless:
        yield Finding("ok", "names", f"every node{among} has a name")
        return
    share = nameless / looked_at
    what = f"{nameless:,}{among or f' of {looked_at:,}'} nodes ({_percent(share)}) have no name"
    yield Finding(
        "warning" if share > 0.5 else "note",
        "names",
        f"{what}; they are found by the last part of their id",
        "If a property holds their names: askgraph load … --name-property KEY, or the setting label_properties.",
    )


def _percent(share: float) -> str:
    return "<1%" if 0 < share < 0.01 else f"{share:.0%}"


def index(graph: Graph) -> Iterator[Finding]:
    """Whether there is an index that fits."""
    status = graph.index_status()
    command = f"askgraph index {graph.location}"
    match status.state:
        case "current":
            built = f", made {status.built}" if status.built else ""
            yield Finding("ok", "index", f"current: {quantity(status.names, 'name')}{built}")
        case "missing":
            yield Finding("note", "index", "not made yet; the first question makes it", f"Or now: {command}")
        case "stale":
            yield Finding(
                "warning",
                "index",
                f"stale: {status.detail}; the next question makes it anew",
                f"Or now: {command}",
            )
        case "damaged":
            yield Finding("problem", "index", f"damaged: {status.detail}", f"{command} --rebuild")


def abilities(graph: Graph) -> Iterator[Finding]:
    """What runs below, and what it cannot do."""
    capabilities = graph.store.capabilities
    languages = ", ".join(capabilities.query_languages) or "none"
    yield Finding("ok", "back end", f"{capabilities.engine}; query languages: {languages}")
    for limit in capabilities.limits:
        yield Finding("note", "back end", limit)
