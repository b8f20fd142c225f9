"""Instances of paths in words, each edge in its own direction; a statement with its qualifiers is one clause."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from ...core.graph import Edge
from ...core.values import Value, display
from ...core.words import human_label, local_name
from ..provenance import is_provenance
from .subgraph import Instance, Subgraph, Triple

_MOST_QUALIFIERS: Final = 4
# What a store says of an edge by itself.
_GRAPH: Final = "graph"


class SubgraphWords:
    """Words for the instances of one subgraph.

    Args:
        subgraph: of which they are instances.
        edges: what the graph says of edges, by their ids: their properties are qualifiers too.
    """

    def __init__(self, subgraph: Subgraph, edges: Mapping[str, Edge]) -> None:
        self._edges = edges
        self._statements = frozenset(subgraph.statements)
        self._values: dict[str, list[Triple]] = {}
        for triple in subgraph.triples:
            if triple.target is None:
                self._values.setdefault(triple.source, []).append(triple)

    def of_instance(self, instance: Instance) -> str:
        """A path from the seed to an end, and what was read of that end."""
        clauses = list(self._clauses(instance))
        if instance.end not in self._statements:
            clauses += [triple.in_words() for triple in self.values(instance.end)]
        return "; ".join(clauses)

    def values(self, node: str) -> Sequence[Triple]:
        """What was read of a node."""
        return self._values.get(node, ())

    def _clauses(self, instance: Instance) -> Iterator[str]:
        steps = iter(zip(instance.nodes[1:], instance.triples, strict=True))
        for there, triple in steps:
            if there not in self._statements:
                yield triple.in_words() + _in_brackets(self._of_edge(triple))
                continue
            stated = next(steps, None)
            yield (
                self._statement_alone(triple, there)
                if stated is None
                else self._stated(triple, there, stated[1])
            )

    def _stated(self, one: Triple, statement: str, other: Triple) -> str:
        """Two triples that meet in a statement, as one clause."""
        labels = (
            [one.relation_name, other.relation_name] if one.target == statement else [other.relation_name]
        )
        object = other.target_name if other.source == statement else other.source_name
        qualifiers = (
            f"{item.relation_name} {item.target_name}"
            for item in self.values(statement)
            if item.relation != other.relation
        )
        return " ".join([_other_name(one, statement), *dict.fromkeys(labels), object]) + _in_brackets(
            qualifiers
        )

    def _statement_alone(self, triple: Triple, statement: str) -> str:
        """A path that ends at a statement: the values of this are all that it says."""
        said = ", ".join(f"{item.relation_name} {item.target_name}" for item in self.values(statement))
        own_name = triple.target_name if triple.target == statement else triple.source_name
        return f"{_other_name(triple, statement)} {triple.relation_name} {said or own_name}"

    def _of_edge(self, triple: Triple) -> Iterator[str]:
        edge = self._edges.get(triple.edge or "")
        for key, value in sorted(edge.properties.items()) if edge is not None else ():
            if not is_provenance(key) and key != _GRAPH:
                yield f"{human_label(local_name(key))} {_shown(value)}"


def _other_name(triple: Triple, statement: str) -> str:
    return triple.source_name if triple.target == statement else triple.target_name


def _in_brackets(parts: Iterable[str]) -> str:
    listed = list(parts)[:_MOST_QUALIFIERS]
    return f" ({', '.join(listed)})" if listed else ""


def _shown(value: Value) -> str:
    return ", ".join(map(display, value)) if isinstance(value, list) else display(value)
