"""Looks at how names are found in a graph on a server: by its own indexes, or in a copy, and how old that is."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..core.schema import Schema
from ..core.values import ValueType
from ..core.words import quantity
from ..engine import SMALL_GRAPH
from ..stores.bolt.catalog import Catalog, ServerIndex
from ..stores.bolt.engines import Engine
from ..stores.property.names import NameRules, name_rules
from .finding import Finding

if TYPE_CHECKING:
    from ..engine import Graph

_MOST_LABELS = 20
_STALE_AFTER = 30
"""Days after which a copy of names deserves a second look."""


def names_by_index(
    catalog: Catalog, engine: Engine, schema: Schema, chosen: Sequence[str]
) -> Iterator[Finding]:
    """Which indexes of a property graph's server names can be looked up by, and the statement that makes the best one.

    Args:
        catalog: what the server knows of its graph.
        engine: whose server it is.
        schema: what the graph is made of.
        chosen: properties that the user says are names; none: the usual ones.
    """
    rules = _rules(schema, chosen)
    keys = _name_keys(rules)
    full_text = [index for index in catalog.indexes if index.kind == "fulltext" and _serves(index, keys)]
    exact = [index for index in catalog.indexes if index.kind in ("range", "text") and index.keys[0] in keys]
    for index in full_text:
        what = f"found by words and nearly: full-text index {index.name} on {_listed(index)}"
        yield Finding("ok", "names", what, known="told")
    if full_text:
        return
    advice, lines = _best_index(engine, schema, keys)
    if exact:
        listed = "; ".join(f"{index.name} on {_listed(index)}" for index in exact)
        yield Finding(
            "note",
            "names",
            f"found only if they are spelled exactly so, by {listed}",
            advice,
            lines,
            known="told",
        )
    elif schema.node_count <= SMALL_GRAPH:
        what = "no index finds a node by its name; as the graph is small, the first question copies the names"
        yield Finding("note", "names", what, advice, lines, known="told")
    else:
        yield Finding("warning", "names", "no index finds a node by its name", advice, lines, known="told")


def _rules(schema: Schema, chosen: Sequence[str]) -> NameRules:
    texts = {
        item.key for item in schema.properties if not item.of_edges and ValueType.TEXT in item.value_types
    }
    return name_rules(sorted(texts), chosen=tuple(chosen) or None)


def _name_keys(rules: NameRules) -> list[str]:
    return list(
        dict.fromkeys([*rules.keys, *(key for group in rules.fallbacks for key in group), *rules.aliases])
    )


def _serves(index: ServerIndex, keys: Sequence[str]) -> bool:
    return not index.of_edges and any(key in keys for key in index.keys)


def _listed(index: ServerIndex) -> str:
    return f"{', '.join(index.types)} ({', '.join(index.keys)})"


def _best_index(engine: Engine, schema: Schema, keys: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    copying = "copy the names once, with askgraph index ADDRESS"
    owners = [
        node_type.id
        for node_type in schema.node_types
        if any(
            item.key in keys for item in schema.properties if item.owner == node_type.id and not item.of_edges
        )
    ]
    if engine.product != "Neo4j" or not owners:
        return f"{copying[0].upper()}{copying[1:]}.", ()
    used = {item.key for item in schema.properties if item.owner in owners and not item.of_edges}
    labels = engine.names(tuple(owners[:_MOST_LABELS]))
    properties = ", ".join(f"n.{engine.name(key)}" for key in keys if key in used)
    statement = f"CREATE FULLTEXT INDEX names FOR (n:{labels}) ON EACH [{properties}]"
    return f"Make one on the server, or {copying}:", (statement,)


def server_index(graph: Graph) -> Iterator[Finding]:
    """What is kept on this machine of a graph on a server, and its age."""
    status = graph.index_status()
    command = f"askgraph index {graph.location}"
    finds_names = graph.store.capabilities.finds_names
    match status.state:
        case "damaged":
            yield Finding("problem", "index", f"damaged: {status.detail}", f"{command} --rebuild")
            return
        case "missing":
            names = "; names stay on the server" if finds_names else ""
            yield Finding("ok", "index", f"nothing is kept here before the first question{names}")
            return
        case "stale":
            yield Finding("note", "index", f"stale: {status.detail}; the next question brings it up to date")
    if not status.has_names:
        yield Finding("ok", "index", "holds what relations mean; names stay on the server")
    elif status.built is not None:
        days = _days_since(status.built)
        yield Finding(
            "note" if days < _STALE_AFTER else "warning",
            "index",
            f"{quantity(status.names, 'name')} copied {_ago(days)}; what was added since is not found",
            f"{command} --rebuild",
        )


def _days_since(moment: str) -> int:
    built = datetime.datetime.fromisoformat(moment)
    return max(0, (datetime.datetime.now(datetime.UTC) - built).days)


def _ago(days: int) -> str:
    return "today" if days == 0 else f"{quantity(days, 'day')} ago"
