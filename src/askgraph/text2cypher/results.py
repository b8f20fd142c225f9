"""What a generated query found, as typed results: every column of every row is in one of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Any

from ..core.graph import Edge, Node
from ..core.hidden import NOTHING_HIDDEN, Hidden
from ..core.query_result import FoundPath, QueryResult, cell_to_json
from ..core.values import Value, display
from ..retrievers.querying.query_rows import nodes_of
from ..stores.base import GraphStore

METHOD = "text2cypher"
_CHUNK_TYPE, _CHUNK_TEXT = "chunk", "text"
_DOCUMENT_KEYS = ("document_id", "documentId", "document", "source_id", "source")


@dataclass(frozen=True, slots=True)
class Entity:
    """A node, as the graph holds it."""

    id: str
    name: str
    labels: tuple[str, ...] = ()
    properties: Mapping[str, Value] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Relation:
    """An edge, as the graph holds it. ``source`` and ``target`` are ids of nodes."""

    id: str
    type: str
    source: str
    target: str
    properties: Mapping[str, Value] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.source} {self.type} {self.target}"


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document: a node of the type ``Chunk`` that has a text."""

    id: str
    text: str
    document_id: str | None = None
    properties: Mapping[str, Value] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class QueryValue:
    """A value that a query gave: a count, a property, a date. One column and value always have the same id."""

    id: str
    column: str
    value: Value

    def __str__(self) -> str:
        return f"{self.column}: {display(self.value)}"


Item = Entity | Relation | Chunk | QueryValue


@dataclass(frozen=True, slots=True)
class SearchResult:
    """One thing that was found.

    Attributes:
        item: the thing.
        score: 1.0: a row is in the result of a query or it is not.
        method: which retriever found it.
        rows: every row that it stands in, whole, by column: what it was found together with.
    """

    item: Item
    score: float = 1.0
    method: str = METHOD
    rows: tuple[Mapping[str, Any], ...] = ()

    @property
    def identity(self) -> tuple[str, str]:
        """The kind and the id of the item: equal for the same thing in whichever run."""
        return type(self.item).__name__, self.item.id

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        item = {name: cell_to_json(getattr(self.item, name)) for name in type(self.item).__slots__}
        return {
            "type": type(self.item).__name__,
            "item": item,
            "score": self.score,
            "method": self.method,
            "rows": [{name: cell_to_json(cell) for name, cell in row.items()} for row in self.rows],
        }


def typed_results(
    result: QueryResult,
    store: GraphStore,
    *,
    limit: int,
    method: str = METHOD,
    hidden: Hidden = NOTHING_HIDDEN,
) -> list[SearchResult]:
    """The things in the rows, each once, in the order of the rows and columns; at most ``limit``.

    A hidden node that the query got hold of by its id, to which no pattern led, is left out.
    """
    loaded = _loaded_nodes(result, store)
    unseen = {id for id, node in loaded.items() if any(hidden.hides_type(type) for type in node.types)}
    loaded = {id: node for id, node in loaded.items() if id not in unseen}
    items: dict[tuple[str, str], Item] = {}
    rows: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in result.rows:
        seen = [_without(cell, unseen) for cell in row] if unseen else row
        whole = dict(zip(result.columns, seen, strict=True))
        for column, cell in whole.items():
            for item in _things(column, cell, loaded):
                identity = type(item).__name__, item.id
                items.setdefault(identity, item)
                standing = rows.setdefault(identity, [])
                if not standing or standing[-1] is not whole:
                    standing.append(whole)
    return [
        SearchResult(item, method=method, rows=tuple(rows[identity]))
        for identity, item in list(items.items())[:limit]
    ]


def _loaded_nodes(result: QueryResult, store: GraphStore) -> dict[str, Node]:
    """The nodes of the rows as the graph holds them, by id, and those that a column of ids names."""
    ids: dict[str, None] = {}
    for row in result.rows:
        for column, cell in zip(result.columns, row, strict=True):
            ids.update(dict.fromkeys(node.id for node in nodes_of(cell)))
            if isinstance(cell, str) and _names_ids(column):
                ids[cell] = None
    return {node.id: node for node in store.nodes(list(ids))} if ids else {}


def _without(cell: Any, unseen: Set[str]) -> Any:
    """A cell without these nodes: empty, or a list or map with less in it."""
    match cell:
        case Node():
            return None if cell.id in unseen else cell
        case FoundPath():
            return None if any(node.id in unseen for node in cell.nodes) else cell
        case list() | tuple():
            return [_without(item, unseen) for item in cell]
        case dict():
            return {key: _without(item, unseen) for key, item in cell.items()}
    return cell


def _names_ids(column: str) -> bool:
    """Whether a column says that it holds ids: ``id``, ``entity_id``, ``supplierId``, ``elementId(n)``."""
    return column.lower() in ("id", "iri", "uri") or column.endswith(("_id", "Id", "_iri", "_uri"))


def _things(column: str, cell: Any, loaded: Mapping[str, Node]) -> Iterator[Item]:
    match cell:
        case None:
            return
        case Node():
            yield _node_item(loaded.get(cell.id, cell))
        case Edge():
            yield Relation(cell.id, cell.type, cell.source, cell.target, cell.properties)
        case FoundPath():
            for node in cell.nodes:
                yield _node_item(loaded.get(node.id, node))
            for edge in cell.edges:
                yield Relation(edge.id, edge.type, edge.source, edge.target, edge.properties)
        case list() | tuple() if _holds_graph_items(cell):
            for item in cell:
                yield from _things(column, item, loaded)
        case dict() if _holds_graph_items(cell.values()):
            for key, item in cell.items():
                yield from _things(f"{column}.{key}", item, loaded)
        case str() if _names_ids(column) and cell in loaded:
            yield _node_item(loaded[cell])
        case _:
            yield QueryValue(_value_id(column, cell), column, cell)


def _holds_graph_items(cells: Iterable[Any]) -> bool:
    return any(
        isinstance(cell, Node | Edge | FoundPath)
        or (isinstance(cell, list | tuple) and _holds_graph_items(cell))
        or (isinstance(cell, dict) and _holds_graph_items(cell.values()))
        for cell in cells
    )


def _node_item(node: Node) -> Entity | Chunk:
    text = node.properties.get(_CHUNK_TEXT)
    if isinstance(text, str) and any(type.lower() == _CHUNK_TYPE for type in node.types):
        document = next((node.properties[key] for key in _DOCUMENT_KEYS if key in node.properties), None)
        return Chunk(node.id, text, None if document is None else display(document), node.properties)
    return Entity(node.id, node.name, node.types, node.properties)


def _value_id(column: str, value: Value) -> str:
    content = json.dumps([column, cell_to_json(value)], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(content.encode("utf-8", errors="surrogatepass")).hexdigest()[:32]
