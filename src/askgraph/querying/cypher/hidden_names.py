"""Deny-lists as a Cypher query meets them: what may not be named, and what cannot be kept from showing it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from ...core.hidden import Hidden
from ..source import SourceText
from ..tokens import words
from ..tree import SyntaxNode
from . import clause_tree as clauses
from . import expression_tree as expressions
from . import pattern_tree as patterns
from .dialect import Dialect
from .hidden_owners import ElementNames, element_of, owners_of

DIALECTS = ("neo4j", "memgraph", "neptune", "falkordb", "kglite")
"""Where deny-lists can be kept up: no function of these turns a whole node into a text, other than those named here."""

_ANY_PROPERTY = frozenset(
    words(
        """properties keys property_exists propertysize values tojson removekeyfrommap text_bm25 embedding
        embedding_norm vector_score valid_at valid_during ts_at ts_avg ts_count ts_delta ts_first ts_last ts_max ts_min
        ts_series ts_sum"""
    )
)
"""Functions that read properties whose names are not written as such."""
_TEXT_OF_ANYTHING = frozenset(words("tostring tostringornull tostringlist"))
_ANY_EDGE = frozenset(words("degree indegree outdegree shortest_path_length shortestpath project"))
"""Functions that count or follow edges by themselves."""
_NUMBERS = frozenset(words("tointeger tointegerornull toint size length char_length character_length"))
_EXACT_OPERATORS = frozenset(words("- * / %"))


def refuse_hidden(nodes: Sequence[SyntaxNode], source: SourceText, dialect: Dialect, hidden: Hidden) -> None:
    """Raise :class:`QueryRefusedError` (code ``"hidden"``) for a query that names what is hidden, or that could show it
    without a name. ``nodes`` are all the nodes of the query."""
    if dialect.name not in DIALECTS:
        raise source.refusal(
            nodes[0].span, f"on {dialect.title} nothing can be hidden from a query", code="hidden"
        )
    rules = _Rules(nodes, source, hidden)
    for node in nodes:
        rule = _RULES.get(type(node))
        if rule is not None:
            rule(rules, node)


class _Rules:
    def __init__(self, nodes: Sequence[SyntaxNode], source: SourceText, hidden: Hidden) -> None:
        self.source = source
        self.hidden = hidden
        self.types = hidden.types
        self.names = ElementNames(nodes) if hidden.properties else ElementNames(())
        self.hides_property = hidden.hides_property_somewhere
        self.properties = hidden.properties
        self.elements = {
            node.variable
            for node in nodes
            if isinstance(node, patterns.NodePattern | patterns.RelationshipPattern) and node.variable
        }

    def refuse(self, node: SyntaxNode, message: str, advice: str | None = None) -> NoReturn:
        raise self.source.refusal(node.span, message, code="hidden", advice=advice)

    # Names

    def label(self, node: patterns.LabelName) -> None:
        if node.name in self.types:
            self.refuse(node, f"{node.name} is not to be seen here")

    def key(
        self, node: expressions.PropertyAccess | expressions.ProjectedProperty | expressions.MapEntry
    ) -> None:
        if not self.hides_property(node.key):
            return
        owners = owners_of(self.hidden, node.key)
        if not owners:
            self.refuse(node, f"{node.key} is not to be seen here")
        # Of a node that a pattern names it is asked with a condition, which `hidden_owners` puts there.
        if not isinstance(node, expressions.PropertyAccess) or element_of(node) not in self.names:
            self.refuse(
                node,
                f"{node.key} of {' or '.join(owners)} is not to be seen here, and whose this is cannot be told",
                f"Write variable.{node.key} with the variable of a node in MATCH: in RETURN, or in WHERE.",
            )

    def element(self, node: patterns.NodePattern | patterns.RelationshipPattern) -> None:
        if not self.properties or node.properties is None:
            return
        if not isinstance(node.properties, expressions.MapLiteral):
            self.refuse(
                node.properties, "which properties this names is known only when the query runs", _WRITE_KEYS
            )
        for entry in node.properties.entries:
            self.key(entry)

    # Names that are computed

    def index(self, node: expressions.Index) -> None:
        if not self.properties or _is_number(node.index):
            return
        if not isinstance(node.index, expressions.Text):
            self.refuse(
                node.index,
                "which property this names is known only when the query runs",
                "Write the property's name; for an item of a list, write toInteger(…).",
            )
        if self.hides_property(node.index.value):
            self.refuse(node.index, f"{node.index.value} is not to be seen here")

    def everything(self, node: expressions.ProjectedAll) -> None:
        if self.properties:
            self.refuse(node, "some of the properties are not to be seen here", _WRITE_KEYS)

    def function(self, node: expressions.FunctionCall) -> None:
        name = node.name.lower()
        if self.properties and name in _ANY_PROPERTY:
            self.refuse(node, f"{node.name} may give properties that are not to be seen here", _WRITE_KEYS)
        if self.properties and name in _TEXT_OF_ANYTHING and any(map(self._is_element, node.arguments)):
            self.refuse(
                node, f"{node.name} may give properties that are not to be seen here", "Name a property."
            )
        if self.types and name in _ANY_EDGE:
            self.refuse(
                node,
                f"{node.name} may count edges that are not to be seen here",
                "Write the pattern, and count(*).",
            )

    def interpolated(self, node: expressions.InterpolatedText) -> None:
        if self.properties and any(map(self._is_element, node.parts)):
            self.refuse(node, "this may show properties that are not to be seen here", "Name a property.")

    def _is_element(self, node: SyntaxNode) -> bool:
        while isinstance(node, expressions.Parenthesized):
            node = node.inner
        return isinstance(node, expressions.Variable) and node.name in self.elements

    # What finds nodes without a pattern

    def procedure(self, node: clauses.CallProcedure) -> None:
        self.refuse(node, "what a procedure gives may show what is not to be seen here", "Write a pattern.")

    def search(self, node: clauses.Search) -> None:
        self.refuse(node, "what an index finds may show what is not to be seen here", "Write a condition.")

    def hint(self, node: clauses.Hint) -> None:
        self.refuse(node, "a hint may name what is not to be seen here", "Leave it out.")

    def statement(self, node: clauses.Statement) -> None:
        if node.explain:
            self.refuse(node, "a plan may name what is not to be seen here", "Leave EXPLAIN out.")

    def shortest(self, node: patterns.ShortestPath) -> None:
        if self.types:
            self.refuse(node, "the shortest path may lead over what is not to be seen here", _WRITE_PATH)

    def selector(self, node: patterns.PathSelector) -> None:
        if self.types and node.kind not in ("", "ALL"):
            self.refuse(node, "a path that is chosen may lead over what is not to be seen here", _WRITE_PATH)

    def length(self, node: patterns.PathLength) -> None:
        if self.types and (node.algorithm or node.lambdas):
            self.refuse(node, "this path may lead over what is not to be seen here", _WRITE_PATH)


_WRITE_KEYS = "Write the names of the properties."
_WRITE_PATH = "Write a path of bounded length, such as (a)-[:TYPE*..5]->(b), and order by its length."


def _is_number(node: expressions.Expression) -> bool:
    """Whether an expression can only be a number: no key of a property."""
    if isinstance(node, expressions.Parenthesized):
        return _is_number(node.inner)
    if isinstance(node, expressions.Unary):
        return node.operator != "NOT"
    if isinstance(node, expressions.Operation):
        return all(operator in _EXACT_OPERATORS for operator in node.operators)
    if isinstance(node, expressions.FunctionCall):
        return node.name.lower() in _NUMBERS
    return isinstance(node, expressions.Number)


_RULES: dict[type[SyntaxNode], Callable[[_Rules, Any], None]] = {
    clauses.CallProcedure: _Rules.procedure,
    clauses.Hint: _Rules.hint,
    clauses.Search: _Rules.search,
    clauses.Statement: _Rules.statement,
    expressions.FunctionCall: _Rules.function,
    expressions.Index: _Rules.index,
    expressions.InterpolatedText: _Rules.interpolated,
    expressions.ProjectedAll: _Rules.everything,
    expressions.ProjectedProperty: _Rules.key,
    expressions.PropertyAccess: _Rules.key,
    patterns.LabelName: _Rules.label,
    patterns.NodePattern: _Rules.element,
    patterns.PathLength: _Rules.length,
    patterns.PathSelector: _Rules.selector,
    patterns.RelationshipPattern: _Rules.element,
    patterns.ShortestPath: _Rules.shortest,
}
