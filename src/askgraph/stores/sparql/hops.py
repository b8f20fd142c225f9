"""One hop in a graph on a server from many nodes at once, the relations of nodes, and edges by their ids.

A frontier goes out in a few requests, never in one for each node. If the reply holds everything, it was one request. If
not, some node is a hub: then edges are counted by node and type, which every engine does on an index, and of each node
only the hops are asked for that its limit lets through.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...core.budget import Budget
from ...core.graph import Direction, Edge, edge_id
from ..base import Neighbors, RelationCount
from .client import Found, SparqlClient
from .counting import Scope
from .self_description import number_of
from .terms import Resource, Row
from .wording import TYPE, iris, listed, node_text, values

NODES_AT_ONCE: Final = 500
_MOST_ROWS: Final = 20_000
_HUBS_AT_ONCE: Final = 40
_EDGES_AT_ONCE: Final = 300

Hop = tuple[str, bool, str, str]
"""The node where it starts, whether the edge leads from it, the edge's type, the node at the other end."""


@dataclass(frozen=True, slots=True)
class _Group:
    """The edges of one type that leave or enter one node, and how many of them are wanted."""

    node: str
    forward: bool
    type: str
    count: int
    wanted: int


class HopReader:
    """Reads hops of one graph, without what is hidden, and without what describes the graph."""

    def __init__(
        self,
        client: SparqlClient,
        scope: Scope,
        shared: Collection[str] = (),
        of_declarations: Collection[str] = (),
    ) -> None:
        """A reader.

        Args:
            client: asks the server.
            scope: what is a node, and what is hidden.
            shared: edge types that classes, properties and ontologies have too, and not only nodes.
            of_declarations: predicates that only these have.
        """
        self._client = client
        self._scope = scope
        self._hiding = scope.hiding
        self._shared = sorted(shared)
        self._of_declarations = sorted(of_declarations)

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
        hops: dict[str, list[Hop]] = {}
        cut: dict[str, int] = {}
        if types is None or types:
            unique = list(dict.fromkeys(ids))
            for start in range(0, len(unique), NODES_AT_ONCE):
                self._read(unique[start : start + NODES_AT_ONCE], direction, types, limit, budget, hops, cut)
        return _as_columns(ids, hops, cut)

    def _read(
        self,
        ids: Sequence[str],
        direction: Direction,
        types: Sequence[str] | None,
        limit: int,
        budget: Budget,
        hops: dict[str, list[Hop]],
        cut: dict[str, int],
    ) -> None:
        texts = self._texts(ids)
        if not texts:
            return
        most = min(_MOST_ROWS, len(texts) * limit, (self._client.row_cap or _MOST_ROWS) - 1)
        query = f"SELECT ?x ?out ?p ?y WHERE {{ {self._pattern(texts, direction, types)} }} LIMIT {most + 1}"
        found = self._client.select(query, _reading(budget, most))
        if not found.truncated and len(found.rows) <= most:
            _gather(found, hops)
            for id, own in hops.items():
                own.sort(key=_order)
                if len(own) > limit:
                    cut[id] = len(own)
                    del own[limit:]
            return
        groups = self._groups(texts, direction, types, limit, budget, cut)
        fresh: dict[str, list[Hop]] = {}
        self._read_groups(groups, texts, budget, fresh)
        for own in fresh.values():
            own.sort(key=_order)
        hops |= fresh

    def _groups(
        self,
        texts: Mapping[str, str],
        direction: Direction,
        types: Sequence[str] | None,
        limit: int,
        budget: Budget,
        cut: dict[str, int],
    ) -> list[_Group]:
        """Which edges of each node its limit lets through, by counts alone."""
        pattern = self._pattern(texts, direction, types)
        number_of_ends = "COUNT(*)" if self._client.engine.merges_graphs else "COUNT(DISTINCT ?y)"
        query = f"SELECT ?x ?out ?p ({number_of_ends} AS ?n) WHERE {{ {pattern} }} GROUP BY ?x ?out ?p"
        counts: dict[str, list[tuple[bool, str, int]]] = {}
        for node, out, type, number in self._client.select(query, _reading(budget, _MOST_ROWS * 5)).rows:
            if isinstance(node, Resource) and isinstance(type, Resource):
                counts.setdefault(node.id, []).append((number_of(out) == 1, type.id, number_of(number) or 0))
        groups = []
        for id, own in counts.items():
            own.sort(key=lambda item: (not item[0], item[1]))
            total = sum(count for _, _, count in own)
            if total > limit:
                cut[id] = total
            left = limit
            for forward, type_id, count in own:
                wanted = min(count, left)
                left -= wanted
                if wanted:
                    groups.append(_Group(id, forward, type_id, count, wanted))
        return groups

    def _read_groups(
        self, groups: Sequence[_Group], texts: Mapping[str, str], budget: Budget, hops: dict[str, list[Hop]]
    ) -> None:
        """Ask for groups, as many at once as fit into a reply."""
        room = min(_MOST_ROWS, self._client.row_cap or _MOST_ROWS)
        batch: list[_Group] = []
        size = 0
        for group in groups:
            if batch and (size + group.wanted > room or len(batch) >= _HUBS_AT_ONCE):
                self._read_batch(batch, texts, budget, hops)
                batch, size = [], 0
            batch.append(group)
            size += group.wanted
        if batch:
            self._read_batch(batch, texts, budget, hops)

    def _read_batch(
        self, groups: Sequence[_Group], texts: Mapping[str, str], budget: Budget, hops: dict[str, list[Hop]]
    ) -> None:
        parts = []
        for group in groups:
            node = texts[group.node]
            triple = f"?x <{group.type}> ?y" if group.forward else f"?y <{group.type}> ?x"
            bound = f"{values('?x', [node])} VALUES ?p {{ <{group.type}> }}"
            inner = f"{bound} {triple} . {self._ends(forward=group.forward)}"
            cutting = f"ORDER BY STR(?y) LIMIT {group.wanted}" if group.wanted < group.count else ""
            out = int(group.forward)
            parts.append(f"{{ SELECT ?x ({out} AS ?out) ?p ?y WHERE {{ {inner} }} {cutting} }}")
        query = f"SELECT ?x ?out ?p ?y WHERE {{ {' UNION '.join(parts)} }}"
        _gather(self._client.select(query, _reading(budget, _MOST_ROWS * 5)), hops)

    # --- relations

    def relations(self, ids: Sequence[str], budget: Budget) -> list[RelationCount]:
        """:meth:`GraphStore.relations`."""
        unique = list(dict.fromkeys(ids))
        counts: dict[tuple[str, bool], int] = {}
        for start in range(0, len(unique), NODES_AT_ONCE):
            texts = self._texts(unique[start : start + NODES_AT_ONCE])
            if not texts:
                continue
            pattern = self._pattern(texts, "both", None, loops=True)
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
            there = self._there({id: triples[id] for id in part if id in triples}, budget)
            for id in part:
                if id in there:
                    source, type, target = triples[id]
                    yield Edge(id, source, target, type)

    def _there(self, triples: Mapping[str, tuple[str, str, str]], budget: Budget) -> set[str]:
        rows = []
        for source, type, target in triples.values():
            ends = [node_text(end, self._client.engine) for end in (source, target)]
            if None not in ends and iris([type]) and type not in self._hiding.predicates:
                rows.append(f"({ends[0]} <{type}> {ends[1]})")
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

    # --- text

    def _texts(self, ids: Sequence[str]) -> dict[str, str]:
        found = ((id, node_text(id, self._client.engine)) for id in ids)
        return {id: text for id, text in found if text is not None}

    def _pattern(
        self,
        texts: Mapping[str, str],
        direction: Direction,
        types: Sequence[str] | None,
        *,
        loops: bool = False,
    ) -> str:
        """Hops of nodes as a pattern over ?x, ?out (1 or 0), ?p and ?y; a loop once, unless ``loops``."""
        wanted = "" if types is None else f"FILTER(?p IN ({listed(types) or '<urn:askgraph:none>'}))"
        nodes = values("?x", texts.values())
        outward = f"{{ {nodes} ?x ?p ?y . {wanted} {self._ends(forward=True)} BIND(1 AS ?out) }}"
        no_loop = "FILTER(?x != ?y)" if direction == "both" and not loops else ""
        inward = f"{{ {nodes} ?y ?p ?x . {wanted} {no_loop} {self._ends(forward=False)} BIND(0 AS ?out) }}"
        return {"out": outward, "in": inward}.get(direction, f"{outward} UNION {inward}")

    def _ends(self, *, forward: bool) -> str:
        """Filters that leave out what is no edge, or hidden, or could never be asked for again."""
        tests = [f"?p NOT IN ({TYPE}, {listed(self._of_declarations)})".replace(", )", ")")]
        if not self._client.engine.names_blank_nodes:
            tests.append("isIRI(?y)")
        elif forward:
            tests.append("!isLiteral(?y)")
        hiding = self._hiding
        hidden = f"{hiding.no_hidden_node('?x')} {hiding.no_hidden_node('?y')}"
        declared = self._scope.no_declaration("?x" if forward else "?y", self._shared)
        return f"FILTER({' && '.join(tests)}) {hiding.no_hidden_predicate('?p')} {hidden} {declared}"


def _gather(found: Found[Row], hops: dict[str, list[Hop]]) -> None:
    seen: set[Hop] = set()
    for node, out, type, other in found.rows:
        if isinstance(node, Resource) and isinstance(type, Resource) and isinstance(other, Resource):
            hop = (node.id, number_of(out) == 1, type.id, other.id)
            # An engine that does not merge graphs gives an edge once for each that it stands in.
            if hop not in seen:
                seen.add(hop)
                hops.setdefault(node.id, []).append(hop)


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
