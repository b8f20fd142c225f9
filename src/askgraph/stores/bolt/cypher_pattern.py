"""The pattern of a plan as MATCH clauses, one for each edge: so two edges of a plan may be one edge of the graph."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ...core.plan import EdgePattern, NodePattern, Pattern
from ...core.schema import UNTYPED, Schema
from .engines import Engine

_SHORT: Final = re.compile(r"[a-z]\d*")
# Names of ours, which no variable of a plan may have.
_OWN: Final = re.compile(r"[vp]\d+|id\d+|e\d*")


@dataclass(slots=True)
class Names:
    """The names of a query: variables of the plan as variables of Cypher, and parameters.

    Attributes:
        engine: that reads them.
        parameters: the values so far.
    """

    engine: Engine
    parameters: dict[str, Any] = field(default_factory=dict)
    _variables: dict[str, str] = field(default_factory=dict)

    def variable(self, name: str) -> str:
        """The variable of Cypher for one of the plan."""
        if name not in self._variables:
            is_short = _SHORT.fullmatch(name) and not _OWN.fullmatch(name)
            self._variables[name] = name if is_short else f"n{len(self._variables)}_"
        return self._variables[name]

    def parameter(self, value: Any) -> str:
        """A parameter with this value."""
        name = f"p{len(self.parameters)}"
        self.parameters[name] = value
        return f"${name}"


class PatternWriter:
    """Writes the patterns of one plan."""

    def __init__(
        self,
        engine: Engine,
        schema: Schema,
        names: Names,
        hidden_labels: Sequence[str] = (),
        hidden_types: Sequence[str] = (),
    ) -> None:
        """``hidden_labels`` and ``hidden_types`` are of nodes and of edges that are not there at all."""
        self._engine = engine
        self._schema = schema
        self._names = names
        self._hidden_labels = tuple(hidden_labels)
        self._hidden_types = tuple(hidden_types)

    def required(self, pattern: Pattern, outer: frozenset[str] = frozenset()) -> list[str]:
        """The clauses for what a match must have; the last one may be given further conditions with AND.

        ``outer`` are variables that have a node already, from around an EXISTS.
        """
        optional = set(pattern.optional_variables)
        nodes = {node.variable: node for node in pattern.nodes if node.variable not in optional}
        written = set(outer)
        lines = [self._held(node) for node in pattern.nodes if node.variable in outer]
        for name, node in nodes.items():
            if name not in outer and node.ids:
                lines.append(self._by_ids(node))
                written.add(name)
        waiting = list(pattern.required_edges)
        while waiting:
            edge = next((item for item in waiting if {item.source, item.target} & written), waiting[0])
            waiting.remove(edge)
            lines.append(self._edge("MATCH", edge, nodes, written))
        lines += [self._node("MATCH", nodes[name], written) for name in nodes if name not in written]
        return lines

    def optional(self, pattern: Pattern) -> list[str]:
        """A clause for each optional edge, in an order in which they can be followed."""
        nodes = {node.variable: node for node in pattern.nodes}
        may_be_null = set(pattern.optional_variables)
        written = {node.variable for node in pattern.nodes if node.variable not in may_be_null}
        return [self._edge("OPTIONAL MATCH", edge, nodes, written) for edge in pattern.optional_edges]

    # --- clauses

    def _by_ids(self, node: NodePattern) -> str:
        variable = self._names.variable(node.variable)
        ids = self._names.parameter(list(dict.fromkeys(node.ids)))
        conditions = self._conditions(node)
        if self._engine.seeks_id_lists:
            conditions.insert(0, self._engine.has_one_of_ids(variable, ids))
            return f"MATCH ({variable}{self._types(node)}) WHERE {' AND '.join(conditions)}"
        has_id = self._engine.has_id(variable, f"id_{variable}")
        found = f"UNWIND {ids} AS id_{variable} MATCH ({variable}) WHERE {has_id}"
        if types := self._types(node):
            conditions.insert(0, f"{variable}{types}")
        return found + (f" WITH * WHERE {' AND '.join(conditions)}" if conditions else "")

    def _node(self, word: str, node: NodePattern, written: set[str]) -> str:
        written.add(node.variable)
        return self._clause(word, f"({self._names.variable(node.variable)}{self._types(node)})", [node])

    def _held(self, node: NodePattern) -> str:
        """A variable from around: its types and ids narrow it, and null is nothing."""
        variable = self._names.variable(node.variable)
        conditions = [f"{variable} IS NOT NULL"]
        if node.ids:
            ids = self._names.parameter(list(node.ids))
            conditions.append(self._engine.has_one_of_ids(variable, ids))
        conditions += self._conditions(node)
        return f"MATCH ({variable}{self._types(node)}) WHERE {' AND '.join(conditions)}"

    def _edge(self, word: str, edge: EdgePattern, nodes: dict[str, NodePattern], written: set[str]) -> str:
        new = [
            nodes[name]
            for name in dict.fromkeys((edge.source, edge.target))
            if name in nodes and name not in written
        ]
        written.update((edge.source, edge.target))
        source, target = (
            f"({self._names.variable(name)}{self._types(nodes[name]) if nodes.get(name) in new else ''})"
            for name in (edge.source, edge.target)
        )
        is_loop = edge.source == edge.target
        if is_loop:
            target = f"({self._names.variable(edge.target)})"
        before, after = {"out": ("-", "->"), "in": ("<-", "-"), "both": ("-", "-")}[edge.direction]
        # A loop is one edge whichever way it is followed.
        if is_loop:
            before, after = "-", "->"
        conditions = []
        own = self._names.variable(edge.variable) if edge.variable is not None else ""
        if edge.types:
            inside = f"[{own}:{self._engine.names(edge.types)}]"
        elif self._hidden_types:
            own = own or "e"
            inside = f"[{own}]"
            conditions = [f"NOT type({own}) IN {self._names.parameter(list(self._hidden_types))}"]
        else:
            inside = f"[{own}]" if own else ""
        ids = [self._narrowed(node) for node in new if node.ids]
        return self._clause(word, f"{source}{before}{inside}{after}{target}", new, [*conditions, *ids])

    def _narrowed(self, node: NodePattern) -> str:
        variable = self._names.variable(node.variable)
        return self._engine.has_one_of_ids(variable, self._names.parameter(list(node.ids)))

    def _clause(
        self, word: str, pattern: str, new: Sequence[NodePattern], conditions: Sequence[str] = ()
    ) -> str:
        every = [*conditions, *(condition for node in new for condition in self._conditions(node))]
        return f"{word} {pattern}" + (f" WHERE {' AND '.join(every)}" if every else "")

    # --- types

    def _types(self, node: NodePattern) -> str:
        """The labels of a node pattern, where labels alone say it."""
        if not node.types or UNTYPED in node.types:
            return ""
        return f":{self._engine.names(self._schema.with_subtypes(node.types))}"

    def _conditions(self, node: NodePattern) -> list[str]:
        variable = self._names.variable(node.variable)
        conditions = [f"NOT {variable}:{self._engine.name(label)}" for label in self._hidden_labels]
        if UNTYPED in node.types:
            others = self._schema.with_subtypes(type for type in node.types if type != UNTYPED)
            untyped = f"size(labels({variable})) = 0"
            labelled = f" OR {variable}:{self._engine.names(others)}" if others else ""
            conditions.append(f"({untyped}{labelled})")
        return conditions
