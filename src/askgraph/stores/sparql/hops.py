"""One hop in a graph on a server from many nodes at once, the relations of nodes, and edges by their ids.

A frontier goes out in a few requests, never in one for each node. If the reply holds everything, it was one request. If
not, some node is a hub: then edges are counted by node and type, which every engine does on an index, and of each node
only the hops are asked for that its limit lets through.

Which hops of a hub are the first is decided by the order of ids; of a hub with more edges of one type than
:data:`~askgraph.stores.sparql.hop_patterns.MOST_SORTED` by the server, which would have to sort them all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from ...core.budget import Budget
from ...core.errors import DeadlineExceededError
from ...core.graph import Direction, Edge, edge_id
from ..base import Neighbors, RelationCount
from .annotations import Annotations
from .client import SparqlClient
from .counting import Scope
from .hop_patterns import EdgeGroup, HopPatterns
from .self_description import number_of
from .terms import Resource, Row
from .wording import iris, node_text

NODES_AT_ONCE: Final = 500
_MOST_ROWS: Final = 20_000
_GROUPS_AT_ONCE: Final = 40
_EDGES_AT_ONCE: Final = 300

Hop = tuple[str, bool, str, str]
"""The node where it starts, whether the edge leads from it, the edge's type, the node at the other end."""


class HopReader:
    """Reads hops of one graph, without what is hidden, and without what describes the graph."""

    def __init__(
        self,
        client: SparqlClient,
        scope: Scope,
        shared: Collection[str] = (),
        of_declarations: Collection[str] = (),
        *,
        annotated: bool = False,
    ) -> None:
        """A reader.

        Args:
            client: asks the server.
            scope: what is a node, and what is hidden.
            shared: edge types that classes, properties and ontologies have too, and not only nodes.
            of_declarations: predicates that only these have.
            annotated: whether the graph says something of triples, as RDF 1.2 does.
        """
        self._client = client
        self._hiding = scope.hiding
        self._annotations = Annotations(client, scope) if annotated else None
        self._patterns = HopPatterns(client.engine, scope, sorted(shared), sorted(of_declarations))

    # --- neighbours

    def neighbors(
        self,
        ids: Sequence[str],
        direction: Direction,
        *,
        types: Sequence[str] | None,
        limit: int,
        budget: Budget,
    ) -> Neighbors:
        """:meth:`GraphStore.neighbors`, with at most ``limit`` hops of each node."""
        frontier = _Frontier(self._client, self._patterns, direction, types, limit, budget)
        if types is None or types:
            unique = list(dict.fromkeys(ids))
            for start in range(0, len(unique), NODES_AT_ONCE):
                frontier.read(self._texts(unique[start : start + NODES_AT_ONCE]))
        return _as_columns(ids, frontier.hops, frontier.cut)

    # --- relations

    def relations(self, ids: Sequence[str], budget: Budget) -> list[RelationCount]:
        """:meth:`GraphStore.relations`."""
        unique = list(dict.fromkeys(ids))
        counts: dict[tuple[str, bool], int] = {}
        for start in range(0, len(unique), NODES_AT_ONCE):
            texts = self._texts(unique[start : start + NODES_AT_ONCE])
            if not texts:
                continue
            pattern = self._patterns.hops(texts.values(), "both", None, loops=True)
            if not self._client.engine.merges_graphs:
                pattern = f"{{ SELECT DISTINCT ?x ?out ?p ?y WHERE {{ {pattern} }} }}"
            query = f"SELECT ?out ?p (COUNT(*) AS ?n) WHERE {{ {pattern} }} GROUP BY ?out ?p"
            for out, type, number in self._client.select(query, _reading(budget, _MOST_ROWS)).rows:
                if isinstance(type, Resource):
                    key = (type.id, number_of(out) == 1)
                    counts[key] = counts.get(key, 0) + (number_of(number) or 0)
        found = [RelationCount(type, forward, count) for (type, forward), count in counts.items() if count]
        return sorted(found, key=lambda item: (-item.count, item.type, not item.forward))

    # --- edges

    def edges(self, ids: Sequence[str], budget: Budget) -> Iterator[Edge]:
        """The edges with these ids that there are, in their order."""
        triples = {id: triple for id in ids if (triple := _triple_of(id)) is not None}
        for start in range(0, len(ids), _EDGES_AT_ONCE):
            part = ids[start : start + _EDGES_AT_ONCE]
            rows = self._rows({id: triples[id] for id in part if id in triples})
            there = self._there(rows, budget)
            said = self._annotations.of(rows, budget) if self._annotations is not None else {}
            for id in part:
                if id in there:
                    source, type, target = triples[id]
                    yield Edge(id, source, target, type, said.get(triples[id], {}))

    def _rows(self, triples: Mapping[str, tuple[str, str, str]]) -> list[str]:
        """Triples as rows of values; those that nobody may see or no query can name are left out."""
        rows = []
        for source, type, target in triples.values():
            ends = [node_text(end, self._client.engine) for end in (source, target)]
            if None not in ends and iris([type]) and type not in self._hiding.predicates:
                rows.append(f"({ends[0]} <{type}> {ends[1]})")
        return rows

    def _there(self, rows: Sequence[str], budget: Budget) -> set[str]:
        if not rows:
            return set()
        hidden = f"{self._hiding.no_hidden_node('?x')} {self._hiding.no_hidden_node('?y')}"
        query = f"SELECT DISTINCT ?x ?p ?y WHERE {{ VALUES (?x ?p ?y) {{ {' '.join(rows)} }} ?x ?p ?y . {hidden} }}"
        found = set()
        for row in self._client.select(query, _reading(budget, _MOST_ROWS)).rows:
            if all(isinstance(term, Resource) for term in row):
                source, type, target = (term[0] for term in row if term is not None)
                found.add(edge_id(source, type, target))
        return found

    def _texts(self, ids: Sequence[str]) -> dict[str, str]:
        found = ((id, node_text(id, self._client.engine)) for id in ids)
        return {id: text for id, text in found if text is not None}


class _Frontier:
    """One hop from many nodes in one go.

    Attributes:
        hops: of each node, in order.
        cut: of each node whose hops were capped, how many it has.
    """

    def __init__(
        self,
        client: SparqlClient,
        patterns: HopPatterns,
        direction: Direction,
        types: Sequence[str] | None,
        limit: int,
        budget: Budget,
    ) -> None:
        self.hops: dict[str, list[Hop]] = {}
        self.cut: dict[str, int] = {}
        self._client = client
        self._patterns = patterns
        self._direction: Direction = direction
        self._types = types
        self._limit = limit
        self._budget = budget

    def read(self, texts: Mapping[str, str]) -> None:
        """Read the hops of nodes, given by id as a query writes them."""
        if not texts or self._read_all(texts):
            return
        groups = self._count(texts)
        whole = [id for id in groups if id not in self.cut]
        self._read_whole(whole, texts, groups)
        self._read_hubs([group for id in groups if id in self.cut for group in groups[id]], texts)

    def _read_all(self, texts: Mapping[str, str]) -> bool:
        """Whether one reply held everything."""
        most = min(self._room - 1, len(texts) * self._limit)
        query = f"SELECT ?x ?out ?p ?y WHERE {{ {self._pattern(texts.values())} }} LIMIT {most + 1}"
        try:
            found = self._client.select(query, _reading(self._budget, most))
        except DeadlineExceededError:
            # The server's own time-out: some node is a hub, and counting goes by an index.
            self._budget.check("following edges")
            return False
        if found.truncated or len(found.rows) > most:
            return False
        for id, own in _gathered(found.rows).items():
            if len(own) > self._limit:
                self.cut[id] = len(own)
            self.hops[id] = own[: self._limit]
        return True

    def _count(self, texts: Mapping[str, str]) -> dict[str, list[EdgeGroup]]:
        """Which edges of each node its limit lets through, by counts alone."""
        number = "COUNT(*)" if self._client.engine.merges_graphs else "COUNT(DISTINCT ?y)"
        pattern = self._pattern(texts.values())
        query = f"SELECT ?x ?out ?p ({number} AS ?n) WHERE {{ {pattern} }} GROUP BY ?x ?out ?p"
        counts: dict[str, list[tuple[bool, str, int]]] = {}
        for node, out, type, count in self._select(query):
            if isinstance(node, Resource) and isinstance(type, Resource):
                counts.setdefault(node.id, []).append((number_of(out) == 1, type.id, number_of(count) or 0))
        return {id: self._groups(id, counts[id]) for id in texts if id in counts}

    def _groups(self, id: str, counts: list[tuple[bool, str, int]]) -> list[EdgeGroup]:
        counts.sort(key=lambda item: (not item[0], item[1]))
        total = sum(count for _, _, count in counts)
        if total > self._limit:
            self.cut[id] = total
        groups = []
        left = self._limit
        for forward, type, count in counts:
            if left:
                groups.append(EdgeGroup(id, forward, type, count, min(count, left)))
                left -= groups[-1].wanted
        return groups

    def _read_whole(
        self, ids: Sequence[str], texts: Mapping[str, str], groups: Mapping[str, Sequence[EdgeGroup]]
    ) -> None:
        """Nodes all of whose hops are wanted, as many at once as fit into a reply."""
        batch: list[str] = []
        size = 0
        for id in ids:
            own = sum(group.wanted for group in groups[id])
            if batch and size + own > self._room:
                self._take(self._pattern(batch))
                batch, size = [], 0
            batch.append(texts[id])
            size += own
        if batch:
            self._take(self._pattern(batch))

    def _read_hubs(self, groups: Sequence[EdgeGroup], texts: Mapping[str, str]) -> None:
        """Groups of edges, as many at once as fit into a reply."""
        batch: list[str] = []
        size = 0
        loops = self._direction != "both"
        for group in groups:
            if batch and (size + group.wanted > self._room or len(batch) >= _GROUPS_AT_ONCE):
                self._take(" UNION ".join(batch))
                batch, size = [], 0
            batch.append(self._patterns.group(texts[group.node], group, loops=loops))
            size += group.wanted
        if batch:
            self._take(" UNION ".join(batch))

    def _take(self, pattern: str) -> None:
        for id, own in _gathered(self._select(f"SELECT ?x ?out ?p ?y WHERE {{ {pattern} }}")).items():
            self.hops[id] = sorted([*self.hops.get(id, ()), *own], key=_order)

    def _select(self, query: str) -> list[Row]:
        return self._client.select(query, _reading(self._budget, _MOST_ROWS * 5)).rows

    def _pattern(self, texts: Iterable[str]) -> str:
        return self._patterns.hops(texts, self._direction, self._types)

    @property
    def _room(self) -> int:
        """Rows that fit into a reply."""
        return min(_MOST_ROWS, self._client.row_cap or _MOST_ROWS)


def _gathered(rows: Iterable[Row]) -> dict[str, list[Hop]]:
    """The hops of each node, in order, each once: an engine that does not merge graphs gives one for each of them."""
    hops: dict[str, dict[Hop, None]] = {}
    for node, out, type, other in rows:
        if isinstance(node, Resource) and isinstance(type, Resource) and isinstance(other, Resource):
            hop = (node.id, number_of(out) == 1, type.id, other.id)
            hops.setdefault(node.id, {})[hop] = None
    return {id: sorted(own, key=_order) for id, own in hops.items()}


def _order(hop: Hop) -> tuple[bool, str, str]:
    return not hop[1], hop[2], hop[3]


def _as_columns(ids: Sequence[str], hops: Mapping[str, list[Hop]], cut: Mapping[str, int]) -> Neighbors:
    rows = [(place, *hop[1:]) for place, id in enumerate(ids) for hop in hops.get(id, ())]
    names = sorted({type for _, _, type, _ in rows})
    places = {name: place for place, name in enumerate(names)}
    return Neighbors(
        origins=np.array([row[0] for row in rows], dtype=np.int64),
        forward=np.array([row[1] for row in rows], dtype=np.bool_),
        edge_types=np.array([places[row[2]] for row in rows], dtype=np.int64),
        type_names=tuple(names),
        nodes=[row[3] for row in rows],
        edges=[
            edge_id(ids[place], type, other) if forward else edge_id(other, type, ids[place])
            for place, forward, type, other in rows
        ],
        cut={id: cut[id] for id in dict.fromkeys(ids) if id in cut},
    )


def _reading(budget: Budget, rows: int) -> Budget:
    return Budget(seconds=budget.remaining, rows=rows + 1, bytes=budget.bytes)


def _triple_of(id: str) -> tuple[str, str, str] | None:
    parts = [part.replace("%7C", "|").replace("%25", "%") for part in id.split("|")]
    return (parts[0], parts[1], parts[2]) if len(parts) == 3 else None
