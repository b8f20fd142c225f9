"""Nodes and edges by their ids, and all of them page by page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from ...core.errors import BadReplyError, SettingsError
from ...core.graph import Edge, Node
from ..base import NodePage
from .elements import ElementReader
from .engines import Engine
from .server import BoltServer, Statement
from .values import LONGEST_LIST

_IDS_AT_ONCE: Final = 1_000
# Nodes of which all edges are read at once.
_SOURCES_AT_ONCE: Final = 200
# Nodes of a page, and of a row of it: rows with many nodes cost much less to send than one row for each.
_PAGE: Final = 2_000
_NODES_IN_A_ROW: Final = 50
_FETCH: Final = 100
_DOING: Final = "reading nodes and edges"
# "4:1fa2….:17": the kind of element, the database, and a number below the highest that was ever in use.
_NUMBERED: Final = re.compile(r"(?P<prefix>\d+:[0-9A-Za-z-]+:)(?P<number>\d+)|(?P<plain>\d+)")


_Read = TypeVar("_Read")
_Words = Callable[[str], str]
"""Gives the expression for the properties of what is bound to a variable."""


class GraphReader:
    """Reads the elements of one graph. ``hidden_labels``: of nodes that are not there at all."""

    def __init__(self, server: BoltServer, engine: Engine, hidden_labels: Sequence[str]) -> None:
        self._server = server
        self._engine = engine
        self._hidden = tuple(hidden_labels)

    # --- by id

    def nodes(self, ids: Sequence[str], elements: ElementReader) -> Iterator[Node]:
        """The nodes with these ids, in their order."""

        def text(words: _Words) -> str:
            return (
                f"UNWIND range(0, size($ids) - 1) AS i MATCH (n) WHERE {self._engine.has_id('n', '$ids[i]')}"
                f"{self.seen('n')} RETURN i / {_NODES_IN_A_ROW} AS part, collect([i, labels(n), {words('n')}])"
            )

        for start in range(0, len(ids), _IDS_AT_ONCE):
            part = list(ids[start : start + _IDS_AT_ONCE])

            def read(row: list[Any], part: list[str] = part) -> list[tuple[int, Node | None]]:
                return [
                    (i, elements.node(part[i], labels, as_map(properties)))
                    for i, labels, properties in row[1]
                ]

            rows = self._rows(text, {"ids": part}, read)
            found = {i: node for nodes in rows for i, node in nodes}
            yield from (node for i in range(len(part)) if (node := found.get(i)) is not None)

    def edges(self, ids: Sequence[str], elements: ElementReader) -> Iterator[Edge]:
        """The edges with these ids, in their order; none of which an end is hidden."""
        id_of = self._engine.id_of

        def text(words: _Words) -> str:
            return (
                f"UNWIND range(0, size($ids) - 1) AS i {self._match_edge()}{self.seen('a')}{self.seen('b')}"
                f" RETURN i / {_NODES_IN_A_ROW} AS part,"
                f" collect([i, {id_of('r')}, {id_of('a')}, {id_of('b')}, type(r), {words('r')}])"
            )

        def read(row: list[Any]) -> list[tuple[int, Edge | None]]:
            return [(cells[0], _edge(cells[1:], elements)) for cells in row[1]]

        for start in range(0, len(ids), _IDS_AT_ONCE):
            part = [self._engine.parts_of_edge_id(id) for id in ids[start : start + _IDS_AT_ONCE]]
            parameters = {"ids": [own for _, own in part], "sources": [source for source, _ in part]}
            found = {i: edge for edges in self._rows(text, parameters, read) for i, edge in edges}
            yield from (edge for i in range(len(part)) if (edge := found.get(i)) is not None)

    def _match_edge(self) -> str:
        if self._engine.seeks_edge_ids:
            return f"MATCH (a)-[r]->(b) WHERE {self._engine.has_id('r', '$ids[i]')}"
        return (
            f"MATCH (a) WHERE {self._engine.has_id('a', '$sources[i]')}"
            f" MATCH (a)-[r]->(b) WHERE {self._engine.has_id('r', '$ids[i]')}"
        )

    # --- all of them

    def pages(self, after: str | None, elements: ElementReader) -> Iterator[NodePage]:
        """Every node in a fixed order, from the beginning or after a cursor.

        Raises:
            SettingsError: ``after`` is no cursor of this graph.
        """
        place = _place_of(after)
        numbering = self._numbering()
        while place is not None:
            if numbering is None:
                found, following = self._skipped(place, elements)
            else:
                found, following = self._numbered(numbering, place, elements)
            nodes = [node for node in found if node is not None]
            if nodes:
                yield NodePage(
                    nodes, json.dumps({"next": following if following is not None else place + _PAGE})
                )
            place = following

    def all_edges(self, elements: ElementReader) -> Iterator[Edge]:
        """Every edge, ordered by the place of its source among the nodes, then by type and id."""
        id_of = self._engine.id_of

        def text(words: _Words) -> str:
            return (
                f"UNWIND range(0, size($ids) - 1) AS i MATCH (a) WHERE {self._engine.has_id('a', '$ids[i]')}"
                f" MATCH (a)-[r]->(b) WHERE true{self.seen('b')} WITH i, r, b ORDER BY i, type(r), {id_of('r')}"
                f" RETURN {id_of('r')}, $ids[i], {id_of('b')}, type(r), {words('r')}"
            )

        for page in self.pages(None, elements):
            for start in range(0, len(page.nodes), _SOURCES_AT_ONCE):
                part = [node.id for node in page.nodes[start : start + _SOURCES_AT_ONCE]]
                edges = self._rows(text, {"ids": part}, lambda row: _edge(row, elements))
                yield from (edge for edge in edges if edge is not None)

    def _numbering(self) -> str | None:
        """What stands before the number in an id, where ids are numbers close to each other; ``None`` elsewhere."""
        if self._engine.product == "ArcadeDB":
            return None
        rows = self._server.rows(
            Statement(f"MATCH (n) RETURN {self._engine.id_of('n')} LIMIT 1", doing=_DOING)
        )
        match = _NUMBERED.fullmatch(rows[0][0]) if rows else None
        return (match["prefix"] or "") if match else None

    def _numbered(
        self, prefix: str, place: int, elements: ElementReader
    ) -> tuple[list[Node | None], int | None]:
        """The nodes whose numbers are in the window that begins here, and where the next window begins."""

        def text(words: _Words) -> str:
            return (
                f"UNWIND range($first, $last) AS i MATCH (n) WHERE {self._engine.has_id('n', '$prefix + toString(i)')}"
                f"{self.seen('n')} RETURN i / {_NODES_IN_A_ROW} AS part, collect({self._cells('n', words)}) AS cells"
                " ORDER BY part"
            )

        parameters = {"first": place, "last": place + _PAGE - 1, "prefix": prefix}
        parts = self._rows(text, parameters, lambda row: [_node(cells, elements) for cells in row[1]])
        if parts:
            return [node for part in parts for node in part], place + _PAGE
        # Nothing here: what follows may begin far away. Only this looks at every node, at the end and at wide gaps.
        number = f"toInteger(substring({self._engine.id_of('n')}, {len(prefix)}))"
        found = self._server.rows(
            Statement(
                f"MATCH (n) WITH {number} AS number WHERE number >= $next RETURN min(number)",
                {"next": place + _PAGE},
                _DOING,
            )
        )
        return [], found[0][0]

    def _skipped(self, place: int, elements: ElementReader) -> tuple[list[Node | None], int | None]:
        """The nodes after so many others, in the order in which the engine keeps them."""

        def text(words: _Words) -> str:
            return (
                f"MATCH (n) WHERE true{self.seen('n')} WITH n SKIP $skip LIMIT {_PAGE}"
                f" RETURN {self._cells('n', words)} AS cells"
            )

        nodes = self._rows(text, {"skip": place}, lambda row: _node(row[0], elements))
        return nodes, place + _PAGE if nodes else None

    def _rows(
        self,
        text: Callable[[_Words], str],
        parameters: Mapping[str, Any],
        read: Callable[[list[Any]], _Read],
    ) -> list[_Read]:
        """What is read from the rows of a request for properties. Years that the driver cannot hold come as texts."""

        def asked(words: _Words) -> list[_Read]:
            statement = Statement(text(words), parameters, _DOING, fetch_size=_FETCH)
            return [read(row) for row in self._server.rows(statement)]

        try:
            return asked(self._properties)
        except BadReplyError:
            return asked(self._plain_properties)

    # --- words

    def seen(self, variable: str) -> str:
        """The condition, to be added to others, that a node is not hidden."""
        return "".join(f" AND NOT {variable}:{self._engine.name(label)}" for label in self._hidden)

    def _properties(self, variable: str) -> str:
        """An expression for the properties of a node or relationship but for vectors: pairs of key and value."""
        if not self._engine.tests_lists_of_numbers:
            return f"properties({variable})"
        return f"[key IN keys({variable}) WHERE {self._is_no_vector(variable)} | [key, {variable}[key]]]"

    def _plain_properties(self, variable: str) -> str:
        """The same, with dates and date-times as texts."""
        value = f"{variable}[key]"
        is_temporal = self._engine.is_of(value, "DATE", "LOCAL DATETIME", "ZONED DATETIME")
        shown = f"CASE WHEN {is_temporal} THEN toString({value}) ELSE {value} END"
        where = f" WHERE {self._is_no_vector(variable)}" if self._engine.tests_lists_of_numbers else ""
        return f"[key IN keys({variable}){where} | [key, {shown}]]"

    def _is_no_vector(self, variable: str) -> str:
        value = f"{variable}[key]"
        # Most values are told by the first test, and need no other.
        is_plain = self._engine.is_of(value, "STRING", "INTEGER")
        is_numbers = self._engine.is_of(value, "LIST<INTEGER NOT NULL>", "LIST<FLOAT NOT NULL>")
        return (
            f"CASE WHEN {is_plain} THEN true WHEN {is_numbers} THEN size({value}) <= {LONGEST_LIST}"
            f" ELSE NOT valueType({value}) STARTS WITH 'VECTOR' END"
        )

    def _cells(self, variable: str, words: _Words) -> str:
        return f"[{self._engine.id_of(variable)}, labels({variable}), {words(variable)}]"


def _node(cells: list[Any], elements: ElementReader) -> Node | None:
    id, labels, properties = cells
    return elements.node(id, labels, as_map(properties))


def _edge(cells: list[Any], elements: ElementReader) -> Edge | None:
    id, source, target, type, properties = cells
    return elements.edge(id, source, target, type, as_map(properties))


def as_map(properties: Any) -> Mapping[str, Any]:
    """Properties as a map, whether they came as one or as pairs."""
    if isinstance(properties, Mapping):
        return properties
    return {pair[0]: pair[1] for pair in properties}


def _place_of(cursor: str | None) -> int | None:
    if cursor is None:
        return 0
    try:
        place = json.loads(cursor)["next"]
    except (ValueError, TypeError, KeyError):
        place = None
    if not isinstance(place, int) or place < 0:
        raise SettingsError("this is no place in the graph where reading could go on", advice="Begin anew.")
    return place
