"""What a graph says of where its facts come from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..core.graph import Edge, Node
from ..core.values import Value, display
from ..core.words import local_name, normalize

# Keys, in normal form, whose values say where a fact comes from.
_PROVENANCE_KEYS = frozenset(
    {
        "source", "sources", "provenance", "license", "licence", "rights", "publication", "publications", "pubmed",
        "pmid", "pmids", "doi", "reference", "references", "evidence", "url", "graph", "wasderivedfrom",
    }
)  # fmt: skip
_MOST_VALUES = 5


def provenance_of(edges: Iterable[Edge], nodes: Iterable[Node] = ()) -> Mapping[str, Value]:
    """The provenance of a fact made of these edges: theirs first; that of its nodes where no edge says anything.

    Several different values under one key become a list.
    """
    found = _collect(edge.properties for edge in edges)
    return found or _collect(node.properties for node in nodes)


def _collect(owners: Iterable[Mapping[str, Value]]) -> dict[str, Value]:
    found: dict[str, dict[str, Value]] = {}
    for properties in owners:
        for key, value in properties.items():
            if is_provenance(key) and value is not None:
                for item in value if isinstance(value, list) else [value]:
                    found.setdefault(key, {}).setdefault(display(item), item)
    return {key: _single_or_list(list(values.values())[:_MOST_VALUES]) for key, values in found.items()}


def _single_or_list(values: list[Value]) -> Value:
    return values[0] if len(values) == 1 else values


def is_provenance(key: str) -> bool:
    """Whether a property says where something comes from (``source``, ``license``, ``dct:source`` …)."""
    return normalize(local_name(key)) in _PROVENANCE_KEYS
