"""Everything that a Cypher query names, asked of a schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Literal

from ...core.values import ValueType
from ..schema_check import Arrow, SchemaRules, Severity
from ..tree import SyntaxNode, children, walk
from .bindings import (
    OTHER,
    Binding,
    Scope,
    bind_conditions,
    bind_patterns,
    bind_search,
    bound_to,
    label_names,
    projected,
)
from .clause_tree import (
    BracedQuery,
    Branch,
    CallProcedure,
    CallSubquery,
    Clause,
    ClauseSequence,
    Conditional,
    Let,
    Match,
    Query,
    Return,
    Stage,
    Statement,
    Union,
    Unwind,
    With,
)
from .expression_tree import (
    Case,
    Expression,
    LabelTest,
    Lambda,
    ListComprehension,
    ListPredicate,
    MapLiteral,
    MapProjection,
    Operation,
    PatternComprehension,
    PatternPredicate,
    PatternSubquery,
    ProjectedProperty,
    PropertyAccess,
    Reduce,
    Subquery,
    Unary,
    Variable,
)
from .literals import literal_kind
from .pattern_tree import (
    LabelExpression,
    LabelName,
    NodePattern,
    ParenthesizedPath,
    PathPattern,
    RelationshipPattern,
    ShortestPath,
)

_COMPARISONS = ("=", "<>", "<", ">", "<=", ">=")
_TEXT_TESTS = ("STARTS WITH", "ENDS WITH", "CONTAINS", "=~")


def find_problems(tree: SyntaxNode, rules: SchemaRules) -> None:
    """Ask the rules about everything that a query names."""
    assert isinstance(tree, Statement)
    NameWalk(rules).query(tree.query, {})


class NameWalk:
    """A walk over a query in the order of its clauses, with what each variable stands for at every place.

    It asks ``rules`` about what it meets; who needs the places themselves overrides what looks at them.

    Attributes:
        severity: of a value of the wrong kind: ``"warning"`` inside of what need not hold for there to be rows.
    """

    def __init__(self, rules: SchemaRules) -> None:
        self.rules = rules
        self.severity: Severity = "error"

    # Queries

    def query(self, query: Query, scope: Scope) -> Scope:
        """Look at a query that sees these variables; gives the variables that it returns."""
        for stage in query.stages:
            scope = self._stage(stage, scope)
        return scope

    def _stage(self, stage: Stage, scope: Scope) -> Scope:
        if isinstance(stage, Conditional):
            for branch in stage.branches:
                self.expression(branch.condition, scope)
            branches = [branch.branch for branch in stage.branches]
            branches += [] if stage.default is None else [stage.default]
        else:
            assert isinstance(stage, Union)
            branches = list(stage.branches)
        with self._less_sure(if_=len(branches) > 1):
            after = [self._branch(branch, dict(scope)) for branch in branches]
        return after[0]

    def _branch(self, branch: Branch, scope: Scope) -> Scope:
        if isinstance(branch, BracedQuery):
            return self.query(branch.query, scope)
        assert isinstance(branch, ClauseSequence)
        for clause in branch.clauses:
            scope = self._clause(clause, scope)
        return scope

    # Clauses

    def _clause(self, clause: Clause, scope: Scope) -> Scope:
        if isinstance(clause, Match):
            with self._less_sure(if_=clause.optional):
                self._match(clause, scope)
        elif isinstance(clause, With | Return):
            return self._projection(clause, scope)
        elif isinstance(clause, CallSubquery):
            scope |= self.query(clause.query, dict(scope))
        elif isinstance(clause, CallProcedure):
            self._expressions(clause.arguments or (), scope)
            scope |= {item.alias or item.column: OTHER for item in clause.yields or ()}
            self.expression(clause.condition, scope)
        elif isinstance(clause, Unwind):
            self.expression(clause.source, scope)
            scope[clause.variable] = OTHER
        elif isinstance(clause, Let):
            for entry in clause.entries:
                self.expression(entry.value, scope)
                scope[entry.key] = bound_to(entry.value, scope)
        else:
            self._expressions(children(clause), scope)
        return scope

    def _match(self, clause: Match, scope: Scope) -> None:
        self._bind(scope, clause.patterns, clause.condition)
        bind_search(scope, clause.search)
        self._patterns(clause.patterns, scope)
        self.expression(clause.condition, scope)
        if clause.search is not None:
            self._expressions(children(clause.search), scope)

    def _projection(self, clause: With | Return, scope: Scope) -> Scope:
        projection = clause.projection
        after = projected(scope, projection)
        both = scope | after
        with self._less_sure(if_=True):
            self._expressions([item.expression for item in projection.items], scope)
            self._expressions(projection.grouping or (), both)
            self._expressions([item.expression for item in projection.order], both)
            self._expressions([item for item in (projection.skip, projection.limit) if item], both)
        if isinstance(clause, With):
            bind_conditions(after, clause.condition)
            self.expression(clause.condition, both | after)
        return after

    # Patterns

    def _bind(self, scope: Scope, patterns: Iterable[PathPattern], condition: Expression | None) -> None:
        """Add the variables of patterns to a scope; a relationship tells the types of nodes that have no label."""
        bind_patterns(scope, patterns)
        bind_conditions(scope, condition)
        for pattern in patterns:
            elements = pattern.elements
            for left, edge, right in zip(elements, elements[1:], elements[2:], strict=False):
                if isinstance(edge, RelationshipPattern) and _leads_somewhere(edge):
                    source, target = (right, left) if edge.to_left else (left, right)
                    types = label_names(edge.types)
                    # Whatever lies between, a path of one type begins and ends with nodes of that type's ends.
                    self._infer(scope, source, self.rules.ends(types, "source"))
                    self._infer(scope, target, self.rules.ends(types, "target"))

    def _infer(self, scope: Scope, node: SyntaxNode, types: frozenset[str] | None) -> None:
        name = node.variable if isinstance(node, NodePattern) else None
        if name and types and scope.get(name) == Binding("node"):
            scope[name] = Binding("node", types)

    def _patterns(self, patterns: Iterable[PathPattern], scope: Scope) -> None:
        for pattern in patterns:
            self._path(pattern, scope)

    def _path(self, pattern: PathPattern, scope: Scope) -> None:
        elements = pattern.elements
        for position, element in enumerate(elements):
            if isinstance(element, NodePattern):
                self._node(element, scope)
            elif isinstance(element, RelationshipPattern):
                left, right = elements[position - 1], elements[position + 1]
                assert isinstance(left, NodePattern)
                assert isinstance(right, NodePattern)
                self._relationship(element, left, right, scope)
            elif isinstance(element, ParenthesizedPath):
                inner = dict(scope)
                for name in _names_in_path(element.pattern):
                    inner.pop(name, None)
                self._bind(inner, [element.pattern], element.condition)
                self._path(element.pattern, inner)
                self.expression(element.condition, inner)
            elif isinstance(element, ShortestPath):
                self._path(element.pattern, scope)

    def _node(self, node: NodePattern, scope: Scope) -> None:
        self._labels(node.labels, "node")
        binding = self._node_binding(node, scope)
        self._pattern_properties(node.properties, binding, scope)
        self.expression(node.condition, scope)

    def _node_binding(self, node: NodePattern, scope: Scope) -> Binding:
        if node.variable and node.variable in scope:
            return scope[node.variable]
        return Binding("node", label_names(node.labels))

    def _relationship(
        self, edge: RelationshipPattern, left: NodePattern, right: NodePattern, scope: Scope
    ) -> None:
        self._labels(edge.types, "edge")
        types = label_names(edge.types)
        self._pattern_properties(edge.properties, Binding("edge", types), scope)
        inner = scope
        if edge.condition is not None and edge.variable:
            inner = scope | {edge.variable: Binding("edge", types)}
        self.expression(edge.condition, inner)
        if edge.length is not None:
            for item in edge.length.lambdas:
                names = {item.relationship: Binding("edge", types), item.node: OTHER}
                self.expression(item.expression, scope | names)
        if edge.length is None and edge.quantifier is None:
            arrow: Arrow = "any" if edge.to_left == edge.to_right else "in" if edge.to_left else "out"
            ends = self._node_binding(left, scope).types, self._node_binding(right, scope).types
            self.rules.edge(types, *ends, arrow, edge.span)

    def _pattern_properties(self, properties: Expression | None, binding: Binding, scope: Scope) -> None:
        if not isinstance(properties, MapLiteral):
            self.expression(properties, scope)
            return
        for entry in properties.entries:
            self._property(binding, entry.key, entry)
            kind = literal_kind(entry.value)
            if kind is not None:
                self._value(binding, entry.key, kind, entry)
            self.expression(entry.value, scope)

    def _labels(self, labels: LabelExpression | None, kind: Literal["node", "edge", "other"]) -> None:
        ask = {"node": self.rules.node_type, "edge": self.rules.edge_type, "other": self.rules.either_type}
        if labels is not None:
            for node in walk(labels):
                if isinstance(node, LabelName):
                    ask[kind](node.name, node.span)

    # Expressions

    def _expressions(self, nodes: Iterable[SyntaxNode], scope: Scope) -> None:
        for node in nodes:
            self.expression(node, scope)

    def expression(self, node: SyntaxNode | None, scope: Scope) -> None:
        """Look at an expression, or at whatever else holds some."""
        if node is None:
            return
        scope = self._inner_scope(node, scope)
        with self._less_sure(if_=_is_lenient(node)):
            self._looked_at(node, scope)

    @contextmanager
    def _less_sure(self, *, if_: bool) -> Iterator[None]:
        outside = self.severity
        if if_:
            self.severity = "warning"
        yield
        self.severity = outside

    def _looked_at(self, node: SyntaxNode, scope: Scope) -> None:
        if isinstance(node, Variable):
            if node.name not in scope:
                self.rules.variable(node.name, scope, node.span)
        elif isinstance(node, PropertyAccess):
            self._property_access(node, scope)
        elif isinstance(node, MapProjection):
            self._map_projection(node, scope)
        elif isinstance(node, LabelTest):
            self._labels(node.labels, _binding_of(node.operand, scope).kind)
            self.expression(node.operand, scope)
        elif isinstance(node, PatternPredicate | PatternSubquery | PatternComprehension | Subquery):
            self._nested(node, scope)
        else:
            if isinstance(node, Operation):
                self._operation(node, scope)
            self._expressions(children(node), scope)

    def _inner_scope(self, node: SyntaxNode, scope: Scope) -> Scope:
        """What is known inside an expression that binds variables of its own."""
        if isinstance(node, ListComprehension | ListPredicate):
            return scope | {node.variable: OTHER}
        if isinstance(node, Reduce):
            return scope | {node.variable: OTHER, node.accumulator: OTHER}
        if isinstance(node, Lambda):
            return scope | dict.fromkeys(node.variables, OTHER)
        return scope

    def _nested(
        self, node: PatternPredicate | PatternSubquery | PatternComprehension | Subquery, scope: Scope
    ) -> None:
        inner = dict(scope)
        if isinstance(node, Subquery):
            self.query(node.query, inner)
            return
        patterns = node.patterns if isinstance(node, PatternSubquery) else (node.pattern,)
        if isinstance(node, PatternPredicate):
            self._known_variables(node.pattern, scope)
        condition = None if isinstance(node, PatternPredicate) else node.condition
        self._bind(inner, patterns, condition)
        self._patterns(patterns, inner)
        self.expression(condition, inner)
        if isinstance(node, PatternComprehension):
            self.expression(node.result, inner)

    def _known_variables(self, pattern: PathPattern, scope: Scope) -> None:
        """A pattern that is a condition cannot bind variables."""
        for element in pattern.elements:
            name = element.variable if isinstance(element, NodePattern | RelationshipPattern) else None
            if name and name not in scope:
                self.rules.variable(name, scope, element.span)

    def _property_access(self, node: PropertyAccess, scope: Scope) -> None:
        self.expression(node.subject, scope)
        self._property(_binding_of(node.subject, scope), node.key, node)

    def _map_projection(self, node: MapProjection, scope: Scope) -> None:
        binding = scope.get(node.variable)
        if binding is None:
            self.rules.variable(node.variable, scope, node.span)
        for item in node.items:
            if isinstance(item, ProjectedProperty):
                self._property(binding or OTHER, item.key, item)
            else:
                self.expression(item, scope)

    def _property(self, binding: Binding, key: str, place: SyntaxNode) -> None:
        if binding.kind != "other":
            self.rules.property(key, binding.types, place.span, of_edges=binding.kind == "edge")

    def _value(self, binding: Binding, key: str, kind: ValueType, place: SyntaxNode) -> None:
        if binding.kind != "other":
            of_edges = binding.kind == "edge"
            self.rules.value(key, binding.types, kind, place.span, of_edges=of_edges, severity=self.severity)

    def _operation(self, node: Operation, scope: Scope) -> None:
        """Compare the kind of a property with that of the literal beside it."""
        for operator, left, right in zip(node.operators, node.operands, node.operands[1:], strict=False):
            if operator in _TEXT_TESTS:
                self._compare(left, ValueType.TEXT, left, scope)
            elif operator == "IN":
                for item in getattr(right, "items", ()):
                    self._compare(left, literal_kind(item), item, scope)
            elif operator in _COMPARISONS:
                self._compare(left, literal_kind(right), right, scope)
                self._compare(right, literal_kind(left), left, scope)

    def _compare(self, side: Expression, kind: ValueType | None, place: SyntaxNode, scope: Scope) -> None:
        if kind is None:
            return
        value = bound_to(side, scope).value
        if value is not None:
            self.rules.value(
                value.key, value.types, kind, place.span, of_edges=value.of_edges, severity=self.severity
            )


def _binding_of(node: Expression, scope: Scope) -> Binding:
    """What an expression stands for, if it is a variable that is known."""
    return scope.get(node.name, OTHER) if isinstance(node, Variable) else OTHER


def _is_lenient(node: SyntaxNode) -> bool:
    """Whether an expression may hold although a comparison in it never does."""
    if isinstance(node, Operation):
        return node.operators[0] in ("OR", "XOR", "<>") or (
            node.operators[0] == "IN" and len(getattr(node.operands[1], "items", ())) > 1
        )
    return isinstance(node, Case) or (isinstance(node, Unary) and node.operator == "NOT")


def _leads_somewhere(edge: RelationshipPattern) -> bool:
    """Whether it has one direction, and at least one relationship."""
    least = edge.quantifier.minimum if edge.quantifier else 1
    if edge.length is not None and edge.length.minimum is not None:
        least = edge.length.minimum
    return edge.to_left != edge.to_right and least > 0


def _names_in_path(pattern: PathPattern) -> list[str]:
    return [
        node.variable
        for node in walk(pattern)
        if isinstance(node, NodePattern | RelationshipPattern) and node.variable
    ]
