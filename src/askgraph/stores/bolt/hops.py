"""One hop from a batch of nodes, cut at the server where a node has too many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import repeat
from typing import Any, Final

import numpy as np

from ...core.budget import Budget
from ...core.errors import CapExceededError
from ...core.graph import Direction
from ...core.hidden import Hidden
from ...core.words import quantity
from ..base import Neighbors, RelationCount
from .engines import Engine
from .server import BoltServer, Statement

_DOING: Final = "following edges"
# Rows of a request, and nodes of a row: few rows with flat lists cost a driver much less than many with short ones.
_FETCH: Final = 4
_NODES_IN_A_ROW: Final = 20
_BYTES_OF_A_HOP: Final = 320
# Beyond so many types, counting the edges of a node one by one is quicker than asking for each type.
_MOST_TYPES_BY_DEGREE: Final = 60
# Types that are asked for side by side, each in a request of its own.
_MOST_ASKED_APART: Final = 6
# Of so many nodes at most, those that have so few edges are asked with one text for all types: to look at every edge
# of a few thousand takes a server less than to plan a text.
_FEW_NODES: Final = 64
_FEW_EDGES: Final = 256
# Nodes of which it is remembered that they have more.
_MOST_REMEMBERED: Final = 10_000


_Hop = tuple[bool, str, str, str]
"""Whether it leads out, its type, the other end, the edge."""


class _Room:
    """Counts what hops take."""

    def __init__(self, nodes: int, budget: Budget) -> None:
        self._nodes = nodes
        self._budget = budget
        self._size = 0

    def take(self, hops: int) -> None:
        self._size += _BYTES_OF_A_HOP * hops
        if self._size > self._budget.bytes:
            raise CapExceededError(
                f"the neighbours of {quantity(self._nodes, 'node')} would take more than"
                f" {self._budget.bytes:,} bytes",
                advice="Ask for fewer nodes at once, or allow more with Budget(bytes=…).",
            )


class HopReader:
    """Finds hops in one graph.

    Args:
        server: to ask.
        engine: that answers.
        hidden: types of nodes and of edges that are not to be seen.
        labels: the labels that nodes have, of which some may be hidden.
        types: all edge types that are to be seen.
    """

    def __init__(
        self,
        server: BoltServer,
        engine: Engine,
        hidden: Hidden,
        labels: Sequence[str],
        types: Sequence[str],
    ) -> None:
        self._server = server
        self._engine = engine
        self._hidden = hidden
        self._types = tuple(types)
        self._hidden_labels = [label for label in hidden.types if label in labels]
        # Nodes that had many edges when they were last looked at: no more than a hint.
        self._busy: dict[str, None] = {}

    def neighbors(
        self,
        ids: Sequence[str],
        direction: Direction,
        types: Sequence[str] | None,
        limit: int,
        budget: Budget,
    ) -> Neighbors:
        """At most ``limit`` hops from each node, out before in, each by type, by other end and by edge.

        Raises:
            CapExceededError: all of them take more than the budget's bytes.
        """
        wanted = None if types is None else [type for type in types if not self._hidden.hides_type(type)]
        found: dict[int, list[_Hop]] = {}
        if ids and (wanted is None or wanted):
            found = self._follow(ids, direction, wanted, limit, budget)
        cut = [ids[i] for i, hops in sorted(found.items()) if len(hops) > limit]
        hops = [(i, hop) for i, of_node in sorted(found.items()) for hop in of_node[:limit]]
        names = sorted({hop[1] for _, hop in hops})
        codes = {name: code for code, name in enumerate(names)}
        return Neighbors(
            origins=np.array([i for i, _ in hops], dtype=np.int64),
            forward=np.array([hop[0] for _, hop in hops], dtype=np.bool_),
            edge_types=np.array([codes[hop[1]] for _, hop in hops], dtype=np.int64),
            type_names=tuple(names),
            nodes=[hop[2] for _, hop in hops],
            edges=[hop[3] for _, hop in hops],
            cut=self._degrees(cut, direction, wanted, budget) if cut else {},
        )

    def _follow(
        self,
        ids: Sequence[str],
        direction: Direction,
        types: Sequence[str] | None,
        limit: int,
        budget: Budget,
    ) -> dict[int, list[_Hop]]:
        """For each position in ``ids`` the hops, one more than ``limit`` in each direction where there are more."""
        sides = [side for side in ("out", "in") if direction in (side, "both")]
        found: dict[int, list[_Hop]] = {}
        places = list(range(len(ids)))
        if types is not None and len(ids) <= _FEW_NODES and self._engine.keeps_plans:
            quiet = [place for place in places if ids[place] not in self._busy]
            found, busy = self._follow_few([ids[place] for place in quiet], sides, types, limit, budget)
            found = {quiet[i]: hops for i, hops in found.items()}
            places = sorted({*places} - {*quiet} | {quiet[i] for i in busy})
        if places:
            rest = self._follow_typed([ids[place] for place in places], sides, types, limit, budget)
            found |= {places[i]: hops for i, hops in rest.items()}
        return found

    def _follow_few(
        self, ids: Sequence[str], sides: Sequence[str], types: Sequence[str], limit: int, budget: Budget
    ) -> tuple[dict[int, list[_Hop]], list[int]]:
        """The hops of those nodes that have few edges, by position in ``ids``, and the positions of the others.

        Neo4j plans a text for a tenth of a second when it first sees it. This one is the same for all types.
        """
        found: dict[int, list[_Hop]] = {}
        busy: list[int] = []
        room = _Room(len(ids), budget)

        def take(row: list[Any]) -> bool:
            for i, edges, *of_sides in row[1]:
                if edges > _FEW_EDGES:
                    busy.append(i)
                    continue
                found[i] = [
                    (side == "out", type, other, self._edge_id(side, ids[i], other, edge))
                    for side, hops in zip(sides, of_sides, strict=True)
                    for type, other, edge in zip(*hops, strict=True)
                ]
                room.take(len(found[i]))
            return True

        if ids:
            asked = {"ids": list(ids), "most": limit + 1, "few": _FEW_EDGES, "types": list(types)}
            statement = Statement(self._text_for_few(sides), asked, _DOING, fetch_size=_FETCH)
            self._server.read(statement, take, budget)
        if len(self._busy) + len(busy) > _MOST_REMEMBERED:
            self._busy = {}
        self._busy.update((ids[i], None) for i in busy)
        return found, busy

    def _text_for_few(self, sides: Sequence[str]) -> str:
        degrees = " + ".join(f"COUNT {{ {'(n)-->()' if side == 'out' else '(n)<--()'} }}" for side in sides)
        subqueries = " ".join(self._one_side(side, None, both=len(sides) == 2, of_few=True) for side in sides)
        return (
            f"UNWIND range(0, size($ids) - 1) AS i MATCH (n) WHERE {self._engine.has_id('n', '$ids[i]')}"
            f"{self._seen('n')} WITH i, n, {degrees} AS edges {subqueries}"
            f" RETURN i / {_NODES_IN_A_ROW} AS part,"
            f" collect([i, edges, {', '.join(f'hops_{side}' for side in sides)}])"
        )

    def _follow_typed(
        self,
        ids: Sequence[str],
        sides: Sequence[str],
        types: Sequence[str] | None,
        limit: int,
        budget: Budget,
    ) -> dict[int, list[_Hop]]:
        """The same with texts that name the types."""
        groups = self._asked_apart(types)
        # By position, and for each direction by group: in order, whichever reply comes first.
        found: dict[int, dict[tuple[int, int], list[_Hop]]] = {}
        room = _Room(len(ids), budget)

        def take(group: int, row: list[Any]) -> bool:
            only = groups[group]
            for i, *of_sides in row[1]:
                for place, (side, hops) in enumerate(zip(sides, of_sides, strict=True)):
                    kinds = hops[0] if only is None or len(only) > 1 else repeat(only[0])
                    found.setdefault(i, {})[place, group] = [
                        (side == "out", type, other, self._edge_id(side, ids[i], other, edge))
                        for type, other, edge in zip(kinds, *hops[-2:], strict=False)
                    ]
                    room.take(len(hops[-1]))
            return True

        parameters = {"ids": list(ids), "most": limit + 1, "hidden": list(self._hidden.types)}
        statements = [
            Statement(self._hops_text(sides, group), parameters, _DOING, fetch_size=_FETCH)
            for group in groups
        ]
        self._server.read_together(statements, take, budget)
        return {
            i: [
                hop for place in range(len(sides)) for hop in self._in_order(parts, place, len(groups), limit)
            ]
            for i, parts in found.items()
        }

    def _in_order(
        self, parts: Mapping[tuple[int, int], list[_Hop]], side: int, groups: int, limit: int
    ) -> list[_Hop]:
        """The hops of one node in one direction, one more than ``limit`` where there are more."""
        hops = [hop for group in range(groups) for hop in parts.get((side, group), ())]
        return hops[: limit + 1]

    def _asked_apart(self, types: Sequence[str] | None) -> list[Sequence[str] | None]:
        """The types of each request. Neo4j keeps the plan of a text: there are as many texts of one type as there are
        types, and far more of several, which would be planned anew, for longer than they run, time and again."""
        if types is None or len(types) > _MOST_ASKED_APART or not self._engine.keeps_plans:
            return [types]
        return [[type] for type in sorted(set(types))]

    def _hops_text(self, sides: Sequence[str], types: Sequence[str] | None) -> str:
        subqueries = " ".join(self._one_side(side, types, both=len(sides) == 2) for side in sides)
        return (
            f"UNWIND range(0, size($ids) - 1) AS i MATCH (n) WHERE {self._engine.has_id('n', '$ids[i]')}"
            f"{self._seen('n')} {subqueries} RETURN i / {_NODES_IN_A_ROW} AS part,"
            f" collect([i, {', '.join(f'hops_{side}' for side in sides)}])"
        )

    def _one_side(self, side: str, types: Sequence[str] | None, *, both: bool, of_few: bool = False) -> str:
        """The subquery that gathers the hops of one node in one direction; a loop of both comes out alone."""
        conditions = self._conditions([] if of_few else types)
        conditions += ["m <> n"] if both and side == "in" else []
        start = ""
        if of_few:
            conditions.append("type(r) IN $types")
            start = "WITH n, edges WHERE edges <= $few "
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        id_of = self._engine.id_of
        if self._engine.orders_elements:
            kept, other, edge = "m AS other, r AS edge", id_of("other"), id_of("edge")
        else:
            kept, other, edge = f"{id_of('m')} AS other, {id_of('r')} AS edge", "other", "edge"
        kinds = "" if types is not None and len(types) == 1 else "collect(type), "
        return self._engine.subquery(
            "n, edges" if of_few else "n",
            f"{start}MATCH {self._edge_pattern(side, types)}{where} WITH type(r) AS type, {kept}"
            f" ORDER BY type, other, edge LIMIT $most"
            f" RETURN [{kinds}collect({other}), collect({edge})] AS hops_{side}",
        )

    def _edge_pattern(self, side: str, types: Sequence[str] | None) -> str:
        of_types = "" if types is None else f":{self._engine.names(tuple(types))}"
        return f"(n)-[r{of_types}]->(m)" if side == "out" else f"(n)<-[r{of_types}]-(m)"

    def _conditions(self, types: Sequence[str] | None) -> list[str]:
        conditions = [f"NOT m:{self._engine.name(label)}" for label in self._hidden_labels]
        if types is None and self._hidden.types:
            conditions.append("NOT type(r) IN $hidden")
        return conditions

    def _seen(self, variable: str) -> str:
        return "".join(f" AND NOT {variable}:{self._engine.name(label)}" for label in self._hidden_labels)

    def _edge_id(self, side: str, id: str, other: str, edge: str) -> str:
        return self._engine.edge_id(id if side == "out" else other, edge)

    def _degrees(
        self, ids: Sequence[str], direction: Direction, types: Sequence[str] | None, budget: Budget
    ) -> dict[str, int]:
        """How many hops each of these nodes has in all."""
        sides = [side for side in ("out", "in") if direction in (side, "both")]
        text = f"UNWIND $ids AS id MATCH (n) WHERE {self._engine.has_id('n', 'id')} "
        parameters = {"ids": list(ids), "hidden": list(self._hidden.types)}
        is_quick = self._engine.counts_quickly and not self._conditions(types)
        if is_quick and types is not None and len(sides) == 1 and len(self._types) <= _MOST_TYPES_BY_DEGREE:
            # One text for whatever types are asked for: its plan is kept.
            text += f"RETURN id, [{', '.join(self._counts_by_type(sides[0]))}]"
            rows = self._server.rows(Statement(text, parameters, _DOING), budget)
            wanted = [place for place, type in enumerate(self._types) if type in types]
            return {row[0]: sum(row[1][place] for place in wanted) for row in rows}
        if is_quick:
            text += f"RETURN id, {self._quick_degree(sides, types)}"
        else:
            parts = [self._counting(side, types, both=len(sides) == 2) for side in sides]
            text += f"{' '.join(parts)} RETURN id, {' + '.join(f'count_{side}' for side in sides)}"
        rows = self._server.rows(Statement(text, parameters, _DOING), budget)
        return {row[0]: row[1] for row in rows}

    def _counts_by_type(self, side: str) -> list[str]:
        """For each type of edges the expression for how many of them a node has: Neo4j reads it off the node."""
        arrows = ("-", "->") if side == "out" else ("<-", "-")
        return [
            f"COUNT {{ (n){arrows[0]}[:{self._engine.name(type)}]{arrows[1]}() }}" for type in self._types
        ]

    def _quick_degree(self, sides: Sequence[str], types: Sequence[str] | None) -> str:
        """Without names for what is not looked at, Neo4j reads the number off the node. A loop counts once."""
        patterns = [self._edge_pattern(side, types).replace("[r", "[").replace("(m)", "()") for side in sides]
        counts = [f"COUNT {{ {pattern} }}" for pattern in patterns]
        loops = self._edge_pattern("out", types).replace("(m)", "(n)")
        return " + ".join(counts) + (f" - COUNT {{ {loops} }}" if len(sides) == 2 else "")

    def _counting(self, side: str, types: Sequence[str] | None, *, both: bool) -> str:
        conditions = self._conditions(types) + (["m <> n"] if both and side == "in" else [])
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        return self._engine.subquery(
            "n", f"MATCH {self._edge_pattern(side, types)}{where} RETURN count(r) AS count_{side}"
        )

    def relations(self, ids: Sequence[str], budget: Budget) -> list[RelationCount]:
        """The edge types at these nodes, the most frequent first."""
        types = self._types
        if not ids or not types:
            return []
        by_degree = (
            self._engine.counts_quickly and not self._hidden_labels and len(types) <= _MOST_TYPES_BY_DEGREE
        )
        unique = list(dict.fromkeys(ids))
        start = f"UNWIND $ids AS id MATCH (n) WHERE {self._engine.has_id('n', 'id')}{self._seen('n')}"
        text = f"{start} {self._by_degree() if by_degree else self._one_by_one()}"
        parameters = {"ids": unique, "hidden": list(self._hidden.types)}
        rows = self._server.rows(Statement(text, parameters, "counting edges"), budget)
        if by_degree:
            rows = [
                [type, is_forward, count]
                for is_forward, counts in zip((True, False), rows[0] if rows else (), strict=False)
                for type, count in zip(types, counts, strict=True)
            ]
        counts = [RelationCount(type, is_forward, count) for type, is_forward, count in rows if count]
        return sorted(counts, key=lambda item: (-item.count, item.type, not item.forward))

    def _by_degree(self) -> str:
        sums = [", ".join(f"sum({count})" for count in self._counts_by_type(side)) for side in ("out", "in")]
        return f"RETURN [{sums[0]}], [{sums[1]}]"

    def _one_by_one(self) -> str:
        conditions = self._conditions(None)
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        return (
            self._engine.subquery(
                "n",
                f"MATCH (n)-[r]->(m){where} RETURN type(r) AS type, true AS is_forward, count(*) AS count"
                f" UNION ALL {'' if self._engine.scoped_subqueries else 'WITH n '}MATCH (n)<-[r]-(m){where}"
                " RETURN type(r) AS type, false AS is_forward, count(*) AS count",
            )
            + " RETURN type, is_forward, sum(count)"
        )
