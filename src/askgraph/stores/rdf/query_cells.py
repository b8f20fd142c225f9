"""The cells of a SPARQL result as the rest of askgraph sees them: nodes with their names, values of Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from ...core.graph import Name, Node
from ...core.query_result import Cell
from ...core.schema import Schema
from .literals import canonical_language, literal_value

MOST_NAMED: Final = 10_000
"""Nodes of one result whose names are looked up; the others have their ids."""

Term = Sequence[Any] | bool | None


def cells_of(
    rows: Sequence[Sequence[Term]], find_nodes: Callable[[Sequence[str]], Iterable[Node]], schema: Schema
) -> tuple[list[tuple[Cell, ...]], bool]:
    """The rows of a result, and whether all its nodes have the names that the graph has for them.

    Args:
        rows: what the worker gave.
        find_nodes: looks up nodes by id; those that the graph does not have are left out.
        schema: gives names to classes and properties.
    """
    ids = dict.fromkeys(_node_ids(rows))
    named = dict.fromkeys(list(ids)[:MOST_NAMED])
    # A row of a result shows which nodes it is about, not all that the graph knows of them.
    nodes = {node.id: replace(node, properties={}) for node in find_nodes(list(named))}
    new = _NewBlanks(find_nodes)
    for id in ids:
        if id not in nodes:
            nodes[id] = Node(new.id_of(id) if id.startswith("_:") and id in named else id, _names(id, schema))
    return [tuple(_cell(term, nodes) for term in row) for row in rows], len(named) == len(ids)


class _NewBlanks:
    """Ids for blank nodes that a query made: the engine draws its own by lot; one query must always give the same."""

    def __init__(self, find_nodes: Callable[[Sequence[str]], Iterable[Node]]) -> None:
        self._find_nodes = find_nodes
        self._next = 1

    def id_of(self, drawn: str) -> str:
        """The id instead of one that was drawn; none that the graph has."""
        while True:
            id = f"_:new{self._next}"
            self._next += 1
            if not list(self._find_nodes([id])):
                return id


def _node_ids(rows: Sequence[Sequence[Term]]) -> Iterator[str]:
    for row in rows:
        for term in row:
            if isinstance(term, list) and term[0] == "node":
                yield term[1]


def _names(id: str, schema: Schema) -> tuple[Name, ...]:
    label = schema.label_of(id)
    return (Name(label),) if label != id else ()


def _cell(term: Term, nodes: dict[str, Node]) -> Cell:
    match term:
        case ["node", str() as id]:
            return nodes[id]
        case ["literal", text, datatype, language]:
            return literal_value(text, datatype, None if language is None else canonical_language(language))
        case bool():
            return term
    return None
