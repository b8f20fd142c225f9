"""Evidence with the types of its nodes: with them a sentence that calls TP53 a gene can be checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..core.evidence import Evidence, Fact
from ..core.schema import Schema
from ..stores.base import GraphStore

_MOST = 1_000


def with_types(evidence: Evidence, store: GraphStore, schema: Schema) -> Evidence:
    """The same evidence with the labels of the types of the nodes of its facts, as far as they were not known.

    One request to the store; of more than a thousand nodes the first. Raises as the store does.
    """
    ids = [id for fact in evidence.facts for id in _nodes_of(fact) if id not in evidence.types]
    wanted = list(dict.fromkeys(ids))[:_MOST]
    if not wanted:
        return evidence
    types = dict(evidence.types)
    for node in store.nodes(wanted):
        types[node.id] = tuple(schema.label_of(kind) for kind in node.types)
    return replace(evidence, types=types)


def _nodes_of(fact: Fact) -> Iterator[str]:
    if fact.path is not None:
        yield from fact.path.node_ids
    elif fact.kind == "row":
        yield from fact.elements
