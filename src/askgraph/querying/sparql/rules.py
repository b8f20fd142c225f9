"""What SPARQL's gate and an operator allow, checked on the tree: the first thing that is not allowed is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..policy import GatePolicy, is_listed
from ..source import SourceText
from ..tree import SyntaxNode, children, walk
from . import expression_tree as expressions
from . import path_tree as paths
from . import pattern_tree as patterns
from . import query_tree as queries
from . import term_tree as terms
from .built_ins import AGGREGATES, ARGUMENTS
from .extensions import CASTS, is_hint, is_option_prefix, is_outside, runs_code


def check_rules(query: queries.Query, source: SourceText, policy: GatePolicy) -> None:
    """Raise :class:`QueryRefusedError` if a query uses what the operator does not allow."""
    rules = _Rules(source, policy)
    rules.has_open_verbs = any(
        isinstance(node, patterns.PropertyList) and isinstance(node.verb, terms.Variable)
        for node in walk(query)
    )
    rules.check(query, "")


class _Rules:
    """The rules for one query. Every kind of node is either named here or in ``_PLAIN``; any other is refused."""

    def __init__(self, source: SourceText, policy: GatePolicy) -> None:
        self.source = source
        self.policy = policy
        self.namespace = ""
        self.has_open_verbs = False

    def check(self, node: SyntaxNode, namespace: str) -> None:
        """Look at a node and all below it; ``namespace`` is that of the SERVICE that it stands in, if any."""
        kind = type(node)
        rule = _RULES.get(kind)
        self.namespace = namespace
        if rule is not None:
            rule(self, node)
        elif kind not in _PLAIN:
            self.refuse(node, f"the gate has no rule for {kind.__name__}", "unknown")
        if self.has_open_verbs and kind in _GIVES_VALUES:
            self.check_values(node)
        if isinstance(node, patterns.ServicePattern) and isinstance(node.endpoint, terms.Iri):
            namespace = _namespace_of(node.endpoint.value)
        for child in children(node):
            self.check(child, namespace)

    def refuse(self, node: SyntaxNode, message: str, code: str, advice: str | None = None) -> None:
        raise self.source.refusal(node.span, message, code=code, advice=advice)

    # Where the triples come from

    def dataset(self, node: queries.Dataset) -> None:
        if node.graph.value not in self.policy.allow_graphs:
            word = "FROM NAMED" if node.named else "FROM"
            self.refuse(
                node,
                f"{word} would read another graph, and some engines fetch it: {node.graph.value}",
                "other-graph",
                "Leave it out: the query reads the graph that was opened. An operator can put it on allow_graphs.",
            )

    def named_graph(self, node: patterns.NamedGraphPattern) -> None:
        graph = node.graph
        if not isinstance(graph, terms.Iri) or graph.value in self.policy.allow_graphs:
            return
        if is_outside(graph.value):
            self.refuse(
                graph,
                f"this graph is not kept in the database: {graph.value}",
                "other-graph",
                "An operator can put it on allow_graphs.",
            )

    def service(self, node: patterns.ServicePattern) -> None:
        endpoint = node.endpoint
        if isinstance(endpoint, terms.Variable):
            self.refuse(
                node, "SERVICE would call whatever address the data names", "outside-data", _ONLY_THIS_GRAPH
            )
        elif endpoint.value not in self.policy.allow_services:
            self.refuse(
                node,
                f"SERVICE would call another address: {endpoint.value}",
                "outside-data",
                f"{_ONLY_THIS_GRAPH} An operator can put the address on allow_services.",
            )

    # What is run

    def built_in(self, node: expressions.BuiltInCall) -> None:
        if node.name not in ARGUMENTS:
            self.refuse(node, f"the function {node.name} is not on the allow-list", "function")

    def aggregate(self, node: expressions.Aggregate) -> None:
        if node.name not in AGGREGATES:
            self.refuse(node, f"the aggregate {node.name} is not on the allow-list", "function")

    def function(self, node: expressions.FunctionCall) -> None:
        name = node.function
        if name.value in CASTS:
            if node.distinct:
                self.refuse(node, "DISTINCT belongs to aggregates, and this is none", "function")
            return
        if not is_listed(name.value, self.policy.allow_functions):
            self.refuse(
                name,
                f"the function {name.written or name.value} is not on the allow-list",
                "function",
                "Use the functions of SPARQL 1.1. An operator can put its IRI on allow_functions.",
            )

    def property_list(self, node: patterns.PropertyList) -> None:
        for predicate in _predicates(node.verb):
            self._check_predicate(predicate)

    def _check_predicate(self, predicate: terms.Iri) -> None:
        name = predicate.value
        if is_listed(name, self.policy.allow_functions) or (
            self.namespace and name.startswith(self.namespace)
        ):
            return
        if is_hint(name):
            self.refuse(
                predicate,
                f"{predicate.written or name} gives an order to the engine",
                "option",
                "Leave it out.",
            )
        if runs_code(name):
            self.refuse(
                predicate,
                f"{predicate.written or name} is no edge of the graph: an engine runs code for it",
                "function",
                "An operator can put its IRI on allow_functions.",
            )

    def check_values(self, node: SyntaxNode) -> None:
        """An engine may put the value of a variable into the triples before it looks at their predicates."""
        if getattr(node, "negated", False) or getattr(node, "operators", ("=",)) != ("=",):
            return
        for child in children(node):
            if isinstance(child, terms.Iri):
                self._check_predicate(child)

    def string(self, node: terms.StringLiteral) -> None:
        if "\0" in node.value:
            self.refuse(node, "this string holds U+0000, where some engines take the query to end", "escape")

    def prefix(self, node: queries.PrefixDeclaration) -> None:
        if is_option_prefix(node.name):
            self.refuse(
                node, f"declaring {node.name}: sets an option of an engine", "option", "Leave it out."
            )


_ONLY_THIS_GRAPH = "Only the graph that was opened is read."


def _namespace_of(iri: str) -> str:
    return iri[: max(iri.rfind("#"), iri.rfind("/")) + 1]


def _predicates(verb: paths.Verb) -> Iterator[terms.Iri]:
    for node in walk(verb):
        if isinstance(node, terms.Iri):
            yield node


_RULES: dict[type[SyntaxNode], Callable[[_Rules, Any], None]] = {
    queries.Dataset: _Rules.dataset,
    queries.PrefixDeclaration: _Rules.prefix,
    patterns.NamedGraphPattern: _Rules.named_graph,
    patterns.PropertyList: _Rules.property_list,
    patterns.ServicePattern: _Rules.service,
    expressions.Aggregate: _Rules.aggregate,
    expressions.BuiltInCall: _Rules.built_in,
    expressions.FunctionCall: _Rules.function,
    terms.StringLiteral: _Rules.string,
}
_GIVES_VALUES = (
    expressions.BuiltInCall,
    expressions.Membership,
    expressions.Operation,
    patterns.Bind,
    patterns.ValuesRow,
    queries.Assignment,
)
_PLAIN: frozenset[type[SyntaxNode]] = frozenset(
    {
        expressions.Exists,
        expressions.Membership,
        expressions.Operation,
        expressions.Unary,
        paths.AlternativePath,
        paths.InversePath,
        paths.NegatedPropertySet,
        paths.RepeatedPath,
        paths.SequencePath,
        patterns.Bind,
        patterns.BlankNodeProperties,
        patterns.Collection,
        patterns.Filter,
        patterns.GroupPattern,
        patterns.InlineValues,
        patterns.MinusPattern,
        patterns.OptionalPattern,
        patterns.SubSelect,
        patterns.Triples,
        patterns.TriplesBlock,
        patterns.Undefined,
        patterns.UnionPattern,
        patterns.ValuesRow,
        queries.AskQuery,
        queries.Assignment,
        queries.BaseDeclaration,
        queries.ConstructQuery,
        queries.DescribeQuery,
        queries.OrderCondition,
        queries.Projection,
        queries.Query,
        queries.SelectQuery,
        queries.SolutionModifiers,
        terms.BlankNode,
        terms.BooleanLiteral,
        terms.Iri,
        terms.NumericLiteral,
        terms.Variable,
    }
)
"""Nodes that are harmless everywhere."""
