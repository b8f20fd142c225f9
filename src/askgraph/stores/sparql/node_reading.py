"""Nodes of a graph on a server: by their ids in batches, or all of them page by page."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ...core.budget import Budget
from ...core.errors import SettingsError
from ...core.graph import Node
from ...core.values import Value
from ..base import NodePage
from ..rdf.names import LabelSettings, NameRules
from ..rdf.vocabulary import EMPTY_TYPES, RDF_TYPE
from .client import SparqlClient
from .counting import Scope
from .hiding import Hiding
from .terms import Literal, Resource
from .wording import TYPE, listed, node_text, quoted, values

NODES_AT_ONCE: Final = 200
PAGE: Final = 1_000
_ROWS: Final = 50_000
"""Rows of one reply; a batch that has more is halved."""
_PAGE_SECONDS: Final = 120.0
_SUBJECTS, _OBJECTS = "subjects", "objects"


class NodeReader:
    """Reads nodes of one graph, without what is hidden."""

    def __init__(self, client: SparqlClient, labels: LabelSettings, hiding: Hiding) -> None:
        self._client = client
        self._labels = labels
        self._hiding = hiding
        self._at_once = NODES_AT_ONCE

    # --- by id

    def nodes(self, ids: Sequence[str], budget: Budget) -> Iterator[Node]:
        """The nodes with these ids that there are, in their order, each with types, names and properties."""
        start = 0
        while start < len(ids):
            part = ids[start : start + self._at_once]
            start += len(part)
            found = self._read(list(dict.fromkeys(part)), budget)
            yield from (found[id] for id in part if id in found)

    def _read(self, ids: list[str], budget: Budget) -> dict[str, Node]:
        texts = {id: text for id in ids if (text := node_text(id, self._client.engine)) is not None}
        if not texts:
            return {}
        query = (
            f"SELECT ?s ?p ?o WHERE {{ {values('?s', texts.values())} ?s ?p ?o . "
            f"FILTER(isLiteral(?o) || ?p = {TYPE}) }}"
        )
        found = self._client.select(query, _reading(budget))
        if found.truncated and len(texts) > 1:
            half = (len(ids) + 1) // 2
            # The next ones are like these.
            self._at_once = max(1, min(self._at_once, half))
            return self._read(ids[:half], budget) | self._read(ids[half:], budget)
        said: dict[str, list[tuple[str, Resource | Literal]]] = {}
        for subject, predicate, object in found.rows:
            if isinstance(subject, Resource) and isinstance(predicate, Resource) and object is not None:
                said.setdefault(subject.id, []).append((predicate.id, object))
        silent = [id for id in texts if id not in said]
        for id in self._objects_among(silent, budget):
            said[id] = []
        nodes = {id: self._node(id, said[id]) for id in texts if id in said}
        return {id: node for id, node in nodes.items() if node is not None}

    def _objects_among(self, ids: Sequence[str], budget: Budget) -> list[str]:
        """Those of which nothing is said that are yet ends of edges."""
        texts = [text for id in ids if (text := node_text(id, self._client.engine)) is not None]
        if not texts:
            return []
        query = (
            f"SELECT DISTINCT ?o WHERE {{ {values('?o', texts)} "
            f"{{ ?o ?q ?any }} UNION {{ ?s ?p ?o . FILTER(?p != {TYPE}) }} }}"
        )
        rows = self._client.select(query, _reading(budget)).rows
        return [term.id for (term,) in rows if isinstance(term, Resource)]

    def _node(self, id: str, said: Iterable[tuple[str, Resource | Literal]]) -> Node | None:
        """A node of what is said of it; ``None`` if it is hidden."""
        types = {term.id for predicate, term in said if predicate == RDF_TYPE and isinstance(term, Resource)}
        if self._hiding.hides_node(types):
            return None
        said_once: dict[tuple[str, str], tuple[str, Value]] = {}
        for predicate, term in said:
            if isinstance(term, Literal):
                value = term.value
                said_once.setdefault((predicate, repr(value)), (predicate, value))
        pairs = [said_once[key] for key in sorted(said_once)]
        properties = self._hiding.visible(_as_properties(pairs), types)
        shown = tuple(sorted(type for type in types if type not in EMPTY_TYPES))
        rules = NameRules(self._labels, sorted(properties), shown)
        names = rules.names(id, [pair for pair in pairs if pair[0] in properties])
        return Node(id, names, shown, properties)

    # --- page by page

    def pages(
        self, scope: Scope, edge_types: Sequence[str], shared: Sequence[str], after: str | None = None
    ) -> Iterator[NodePage]:
        """Every node in the order of the ids: first what something is said of, then what only stands at the end of an
        edge. Each page begins after the last id of the one before, so no page costs the server more than the first,
        and a reading can be taken up anywhere.

        Args:
            scope: what is a node.
            edge_types: by which edges lead to nodes.
            shared: those that classes, properties and ontologies have too.
            after: the cursor of a page, to go on after it.
        """
        phase, last = _read_cursor(after)
        while True:
            ids = self._ids_after(phase, last, scope, edge_types, shared)
            if ids:
                last = ids[-1]
                nodes = tuple(self.nodes(ids, Budget(seconds=_PAGE_SECONDS)))
                yield NodePage(nodes, json.dumps([phase, last]))
            elif phase == _SUBJECTS:
                phase, last = _OBJECTS, ""
            else:
                return

    def _ids_after(
        self, phase: str, last: str, scope: Scope, edge_types: Sequence[str], shared: Sequence[str]
    ) -> list[str]:
        later = f"FILTER(isIRI(?x) && STR(?x) > {quoted(last)})"
        if phase == _SUBJECTS:
            pattern = f"?x ?p ?o . {later}"
            rest = scope.nodes_only("?x")
        elif edge_types:
            pattern = f"?s ?p ?x . FILTER(?p IN ({listed(edge_types)})) {later} {scope.no_declaration('?s', shared)}"
            rest = f"FILTER NOT EXISTS {{ ?x ?q ?any }} {self._hiding.no_hidden_node('?x')}"
        else:
            return []
        size = min(PAGE, self._client.row_cap or PAGE)
        query = (
            f"SELECT ?x WHERE {{ {{ SELECT DISTINCT ?x WHERE {{ {pattern} }} }} {rest} }} "
            f"ORDER BY STR(?x) LIMIT {size}"
        )
        rows = self._client.select(query, Budget(seconds=_PAGE_SECONDS, rows=size)).rows
        return sorted(term.id for (term,) in rows if isinstance(term, Resource))


def _reading(budget: Budget) -> Budget:
    """What is left of a budget, for a request whose rows are no result."""
    return Budget(seconds=budget.remaining, rows=_ROWS, bytes=budget.bytes)


def _read_cursor(cursor: str | None) -> tuple[str, str]:
    if cursor is None:
        return _SUBJECTS, ""
    try:
        phase, last = json.loads(cursor)
    except (ValueError, TypeError):
        phase, last = None, None
    if phase not in (_SUBJECTS, _OBJECTS) or not isinstance(last, str):
        raise SettingsError(f"{cursor!r} is no place in this graph to go on from")
    return phase, last


def _as_properties(values: Iterable[tuple[str, Value]]) -> dict[str, Value]:
    """One value as it is, several as a list."""
    gathered: dict[str, list[Value]] = {}
    for predicate, value in values:
        gathered.setdefault(predicate, []).append(value)
    return {key: found[0] if len(found) == 1 else found for key, found in gathered.items()}
