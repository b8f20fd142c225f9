"""Hops as patterns of a query."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from ...core.graph import Direction
from .counting import Scope
from .engines import Recognised
from .wording import TYPE, listed, values

MOST_SORTED: Final = 20_000
"""Edges up to which a server is asked to sort them, so that the first ones are always the same."""

_NO_IRI: Final = "<urn:askgraph:none>"


@dataclass(frozen=True, slots=True)
class EdgeGroup:
    """The edges of one type that leave or enter one node, and how many of them are wanted."""

    node: str
    forward: bool
    type: str
    count: int
    wanted: int


class HopPatterns:
    """Writes hops of one graph over the variables ?x, ?out (1 for an edge that leaves ?x, else 0), ?p and ?y."""

    def __init__(
        self, engine: Recognised, scope: Scope, shared: Sequence[str], of_declarations: Sequence[str]
    ) -> None:
        """``shared`` and ``of_declarations`` are as in :class:`~askgraph.stores.sparql.hops.HopReader`."""
        self._engine = engine
        self._scope = scope
        self._shared = shared
        self._no_edges = listed([TYPE.strip("<>"), *of_declarations])

    def hops(
        self, texts: Iterable[str], direction: Direction, types: Sequence[str] | None, *, loops: bool = False
    ) -> str:
        """Every hop of some nodes. A loop is a hop out, and, with ``loops``, a hop in as well."""
        wanted = "" if types is None else f"FILTER(?p IN ({listed(types) or _NO_IRI}))"
        nodes = values("?x", texts)
        outward = f"{{ {nodes} ?x ?p ?y . {wanted} {self._edges_only(forward=True)} BIND(1 AS ?out) }}"
        no_loop = "FILTER(?x != ?y)" if direction == "both" and not loops else ""
        edges = self._edges_only(forward=False)
        inward = f"{{ {nodes} ?y ?p ?x . {wanted} {no_loop} {edges} BIND(0 AS ?out) }}"
        return {"out": outward, "in": inward}.get(direction, f"{outward} UNION {inward}")

    def group(self, text: str, group: EdgeGroup, *, loops: bool) -> str:
        """The first hops of one node over edges of one type. ``loops``: whether a loop is a hop in as well."""
        triple = f"?x <{group.type}> ?y" if group.forward else f"?y <{group.type}> ?x"
        inner = (
            f"{values('?x', [text])} VALUES ?p {{ <{group.type}> }} {triple} . "
            f"{self._edges_only(forward=group.forward)}"
        )
        if not group.forward and not loops:
            inner += " FILTER(?x != ?y)"
        order = "ORDER BY STR(?y)" if group.count <= MOST_SORTED else ""
        cut = f"{order} LIMIT {group.wanted}" if group.wanted < group.count else ""
        return f"{{ SELECT ?x ({int(group.forward)} AS ?out) ?p ?y WHERE {{ {inner} }} {cut} }}"

    def _edges_only(self, *, forward: bool) -> str:
        """Filters that leave out what is no edge, or hidden, or could never be asked for again."""
        tests = [f"?p NOT IN ({self._no_edges})"]
        if not self._engine.names_blank_nodes:
            tests.append("isIRI(?y)")
        elif forward:
            tests.append("!isLiteral(?y)")
        hiding = self._scope.hiding
        hidden = f"{hiding.no_hidden_node('?x')} {hiding.no_hidden_node('?y')}"
        declared = self._scope.no_declaration("?x" if forward else "?y", self._shared)
        return f"FILTER({' && '.join(tests)}) {hiding.no_hidden_predicate('?p')} {hidden} {declared}"
