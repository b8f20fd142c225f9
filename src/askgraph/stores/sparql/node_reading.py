"""Nodes of a graph on a server: by their ids in batches, or all of them page by page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ...core.budget import Budget
from ...core.errors import SettingsError
from ...core.graph import Node
from ...core.values import Value
from ..base import NodePage
from ..rdf.names import LabelSettings, NameRules
from ..rdf.vocabulary import EMPTY_TYPES, RDF_TYPE
from .client import SparqlClient
from .counting import Scope, telling
from .hiding import Hiding
from .terms import Literal, Resource
from .wording import TYPE, listed, node_text, quoted, values

NODES_AT_ONCE: Final = 200
PAGE: Final = 1_000
_ROWS: Final = 50_000
"""Rows of one reply; a batch that has more is halved."""
_PAGE_SECONDS: Final = 120.0
_PART: Final = re.compile(r"[0-9a-f]{0,8}")
_MOST_DIGITS: Final = 8
_SUBJECTS, _OBJECTS = "subjects", "objects"


@dataclass(frozen=True, slots=True)
class PagePlan:
    """What is read page by page.

    Attributes:
        scope: what is a node.
        types: the types that have members, and how many.
        has_untyped: whether there are nodes without a type.
        edge_types: by which edges lead to nodes.
        shared: those of them that classes, properties and ontologies have too.
    """

    scope: Scope
    types: Mapping[str, int]
    has_untyped: bool
    edge_types: tuple[str, ...]
    shared: tuple[str, ...]


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

    def pages(self, plan: PagePlan, after: str | None = None) -> Iterator[NodePage]:
        """Every node: type by type, then those without a type, then what only stands at the end of an edge.

        A page has the nodes whose ids' MD5 begins with the same digits, as many digits as it takes to make the page
        short. So a server has nothing to sort or to skip for it, no page costs more than another, and a reading can be
        taken up anywhere.

        Args:
            plan: what is to be read.
            after: the cursor of a page, to go on after it.
        """
        phases = [*plan.types, *([_SUBJECTS] if plan.has_untyped else []), _OBJECTS]
        first, part = _read_cursor(after, phases)
        for place in range(first, len(phases)):
            # A node of several types comes with the first of them.
            earlier = frozenset(phases[:place])
            if part is None:
                part = _first_part(plan.types.get(phases[place], 0))
            while part is not None:
                ids = self._ids_of(phases[place], part, plan)
                if ids is None:
                    part += "0"
                    continue
                if ids:
                    found = self.nodes(ids, Budget(seconds=_PAGE_SECONDS))
                    nodes = tuple(node for node in found if earlier.isdisjoint(node.types))
                    yield NodePage(nodes, json.dumps([phases[place], part]))
                part = _part_after(part)

    def _ids_of(self, phase: str, part: str, plan: PagePlan) -> list[str] | None:
        """The ids of one part of a phase, in order; ``None`` if there are too many for a page."""
        own = "FILTER(isIRI(?x))"
        if part:
            own = f"FILTER(isIRI(?x) && STRSTARTS(LCASE(MD5(STR(?x))), {quoted(part)}))"
        scope = plan.scope
        if phase == _SUBJECTS:
            rest = f"FILTER NOT EXISTS {{ ?x {TYPE} ?type . {telling('?type')} }} {scope.nodes_only('?x')}"
            pattern = f"{{ SELECT DISTINCT ?x WHERE {{ ?x ?p ?o . {own} }} }} {rest}"
        elif phase != _OBJECTS:
            pattern = f"?x {TYPE} <{phase}> . {own} {self._hiding.no_hidden_node('?x')}"
        elif plan.edge_types:
            edges = f"FILTER(?p IN ({listed(plan.edge_types)})) {scope.no_declaration('?s', plan.shared)}"
            rest = f"FILTER NOT EXISTS {{ ?x ?q ?any }} {self._hiding.no_hidden_node('?x')}"
            pattern = f"{{ SELECT DISTINCT ?x WHERE {{ ?s ?p ?x . {edges} {own} }} }} {rest}"
        else:
            return []
        most = min(PAGE, (self._client.row_cap or PAGE + 1) - 1)
        query = f"SELECT ?x WHERE {{ {pattern} }} LIMIT {most + 1}"
        found = self._client.select(query, Budget(seconds=_PAGE_SECONDS, rows=most + 1))
        if (found.truncated or len(found.rows) > most) and len(part) < _MOST_DIGITS:
            return None
        return sorted({term.id for (term,) in found.rows if isinstance(term, Resource)})


def _first_part(count: int) -> str:
    """The first part of so many nodes, if they are to come in pages of a good size."""
    digits = 0
    while count > PAGE * 16**digits * 0.8:
        digits += 1
    return "0" * digits


def _part_after(part: str) -> str | None:
    """The part that follows; ``None`` after the last."""
    number = int(part or "0", 16) + 1
    return None if number >= 16 ** len(part) else f"{number:0{len(part)}x}"


def _reading(budget: Budget) -> Budget:
    """What is left of a budget, for a request whose rows are no result."""
    return Budget(seconds=budget.remaining, rows=_ROWS, bytes=budget.bytes)


def _read_cursor(cursor: str | None, phases: Sequence[str]) -> tuple[int, str | None]:
    """Where to go on: the place of a phase, and its part; ``None`` for its first."""
    if cursor is None:
        return 0, None
    try:
        phase, part = json.loads(cursor)
    except (ValueError, TypeError):
        phase, part = None, None
    if phase not in phases or not isinstance(part, str) or not _PART.fullmatch(part):
        raise SettingsError(
            "this is no place in this graph to go on from",
            advice="Begin anew: the graph may have changed since, or the place is one of another graph.",
        )
    following = _part_after(part)
    return phases.index(phase) + (following is None), following


def _as_properties(values: Iterable[tuple[str, Value]]) -> dict[str, Value]:
    """One value as it is, several as a list."""
    gathered: dict[str, list[Value]] = {}
    for predicate, value in values:
        gathered.setdefault(predicate, []).append(value)
    return {key: found[0] if len(found) == 1 else found for key, found in gathered.items()}
