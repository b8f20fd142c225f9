"""What a dialect and an operator allow, checked on the tree: the first thing that is not allowed is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..policy import GatePolicy, is_listed
from ..source import SourceText
from ..tree import SyntaxNode
from . import clause_tree as clauses
from . import expression_tree as expressions
from . import pattern_tree as patterns
from .dialect import Dialect
from .expression_parser import COMPARISONS


def check_rules(
    nodes: Sequence[SyntaxNode], source: SourceText, dialect: Dialect, policy: GatePolicy
) -> set[str]:
    """The constructs that a query uses, by their names in the dialect's table.

    ``nodes`` are all the nodes of the query, in the order of the text. Raises :class:`QueryRefusedError` if it uses
    what the dialect lacks or the operator does not allow.
    """
    rules = _Rules(source, dialect, policy)
    rules.check(nodes)
    return rules.used


class _Rules:
    """The rules for one query. Every kind of node is either named here or in ``_PLAIN``; any other is refused."""

    def __init__(self, source: SourceText, dialect: Dialect, policy: GatePolicy) -> None:
        self.source = source
        self.dialect = dialect
        self.policy = policy
        self.used: set[str] = set()

    def check(self, nodes: Sequence[SyntaxNode]) -> None:
        for node in nodes:
            kind = type(node)
            rule = _RULES.get(kind)
            if rule is not None:
                rule(self, node)
            elif kind not in _PLAIN:
                self.refuse(node, f"the gate has no rule for {kind.__name__}", "unknown")

    def refuse(self, node: SyntaxNode, message: str, code: str, advice: str | None = None) -> None:
        raise self.source.refusal(node.span, message, code=code, advice=advice)

    def require(self, node: SyntaxNode, construct: str) -> None:
        if construct not in self.dialect.constructs:
            self.refuse(
                node,
                f"{self.dialect.title} has no {construct}",
                "unsupported",
                "Say the same with other means.",
            )
        self.used.add(construct)

    # Clauses

    def statement(self, node: clauses.Statement) -> None:
        if node.explain:
            self.require(node, "EXPLAIN")
        if node.version or node.options:
            self.require(node, "CYPHER")
        for option in node.options:
            if option.name not in self.dialect.prefix_options:
                self.refuse(option, f"the option {option.name} may not be set", "option", "Leave it out.")

        self.end(node.query)

    def end(self, query: clauses.Query) -> None:
        """A query that ends with MATCH or WITH gives nothing, and no engine takes it."""
        for stage in query.stages:
            branches: list[clauses.Branch] = []
            if isinstance(stage, clauses.Union):
                branches += stage.branches
            elif isinstance(stage, clauses.Conditional):
                branches += [branch.branch for branch in stage.branches]
                branches += [] if stage.default is None else [stage.default]
            for branch in branches:
                if isinstance(branch, clauses.BracedQuery):
                    self.end(branch.query)
                elif isinstance(branch, clauses.ClauseSequence) and isinstance(branch.clauses[-1], _NO_ENDS):
                    raise self.source.syntax_error(
                        branch.clauses[-1].span, "a query cannot end with this clause", advice="Add RETURN."
                    )

    def query(self, node: clauses.Query) -> None:
        if len(node.stages) > 1:
            self.require(node, "NEXT")

    def union(self, node: clauses.Union) -> None:
        if node.operators:
            self.require(node, "UNION")

    def match(self, node: clauses.Match) -> None:
        self.require(node, "OPTIONAL MATCH" if node.optional else "MATCH")
        if node.mode:
            self.require(node, "match modes")
        if node.hints:
            self.require(node.hints[0], "planner hints")

    def unwind(self, node: clauses.Unwind) -> None:
        self.require(node, node.keyword)

    def projection(self, node: clauses.Projection) -> None:
        if node.group_all or node.grouping is not None:
            self.require(node, "GROUP BY")

    def use(self, node: clauses.Use) -> None:
        if not is_listed(node.graph, self.policy.allow_graphs):
            self.refuse(
                node,
                f"USE would read another graph: {node.graph}",
                "other-graph",
                "Leave USE out: the query reads the graph that was opened.",
            )
        self.require(node, "USE")

    def call_subquery(self, node: clauses.CallSubquery) -> None:
        if node.optional:
            self.require(node, "OPTIONAL CALL")
        scoped = node.scope_all or node.scope is not None
        self.require(node, "CALL (…) { }" if scoped else "CALL { }")

    def call_procedure(self, node: clauses.CallProcedure) -> None:
        if not is_listed(node.name, self.policy.allow_procedures):
            self.refuse(
                node,
                f"the procedure {node.name} is not on the allow-list",
                "procedure",
                self._on_procedure(node),
            )
        self.require(node, "OPTIONAL CALL" if node.optional else "CALL procedure")

    def _on_procedure(self, node: clauses.CallProcedure) -> str:
        for allowed in self.policy.allow_procedures:
            if allowed.lower() == node.name.lower():
                return f"Names of procedures are compared with their case: write {allowed}."
        if node.name in self.dialect.reading_procedures:
            return "It only reads; an operator can put it on allow_procedures."
        return "An operator can put it on allow_procedures."

    # Expressions

    def function(self, node: expressions.FunctionCall) -> None:
        if node.name.lower() in self.dialect.functions or is_listed(node.name, self.policy.allow_functions):
            return
        from ...core.suggestions import nearest_names

        near = nearest_names(node.name, self.dialect.functions.values(), most=1)
        advice = f"Did you mean {near[0]}? " if near else ""
        self.refuse(
            node,
            f"the function {node.name} is not on the allow-list",
            "function",
            f"{advice}An operator can put it on allow_functions.",
        )

    def operation(self, node: expressions.Operation) -> None:
        if len(node.operators) > 1 and node.operators[0] in COMPARISONS:
            self.require(node, "comparison chains")

    def subquery(self, node: expressions.Subquery | expressions.PatternSubquery) -> None:
        self.require(node, f"{node.kind} {{ }}")

    def reduce(self, node: expressions.Reduce) -> None:
        self.require(node, "reduce" if node.condition is None else "allReduce")

    # Patterns

    def labels(self, node: patterns.LabelOperation) -> None:
        # Relationship types in alternative are as old as the language.
        if "&" in node.operators:
            self.require(node, "label expressions")

    def node_pattern(self, node: patterns.NodePattern) -> None:
        if node.condition is not None:
            self.require(node.condition, "inline WHERE")

    def relationship(self, node: patterns.RelationshipPattern) -> None:
        if node.condition is not None:
            self.require(node.condition, "inline WHERE")
        if node.quantifier is not None:
            self.require(node.quantifier, "quantified paths")

    def path_selector(self, node: patterns.PathSelector) -> None:
        self.require(node, "path selectors")
        if node.mode:
            self.require(node, "path modes")

    def path_length(self, node: patterns.PathLength) -> None:
        if node.algorithm or node.lambdas:
            self.require(node, "expansions")


_NO_ENDS = (
    clauses.Match,
    clauses.With,
    clauses.Unwind,
    clauses.Filter,
    clauses.Let,
    clauses.OrderAndPage,
    clauses.Use,
)
_Rule = Callable[[_Rules, Any], None]


def _needs(construct: str) -> _Rule:
    """The rule of a node that is allowed wherever the dialect has it."""

    def rule(rules: _Rules, node: SyntaxNode) -> None:
        rules.require(node, construct)

    return rule


_RULES: dict[type[SyntaxNode], _Rule] = {
    clauses.Statement: _Rules.statement,
    clauses.Query: _Rules.query,
    clauses.Union: _Rules.union,
    clauses.Match: _Rules.match,
    clauses.Search: _needs("SEARCH"),
    clauses.Unwind: _Rules.unwind,
    clauses.Projection: _Rules.projection,
    clauses.Return: _needs("RETURN"),
    clauses.With: _needs("WITH"),
    clauses.OrderAndPage: _needs("ORDER BY clause"),
    clauses.Filter: _needs("FILTER"),
    clauses.Let: _needs("LET"),
    clauses.Finish: _needs("FINISH"),
    clauses.Use: _Rules.use,
    clauses.CallProcedure: _Rules.call_procedure,
    clauses.CallSubquery: _Rules.call_subquery,
    clauses.BracedQuery: _needs("braces"),
    clauses.Conditional: _needs("WHEN"),
    expressions.FunctionCall: _Rules.function,
    expressions.Operation: _Rules.operation,
    expressions.AllProperties: _needs("node.*"),
    expressions.Lambda: _needs("lambdas"),
    expressions.InterpolatedText: _needs("interpolated strings"),
    expressions.TypeTest: _needs("type tests"),
    expressions.NormalizedTest: _needs("normalization tests"),
    expressions.ListComprehension: _needs("list comprehension"),
    expressions.PatternComprehension: _needs("pattern comprehension"),
    expressions.Reduce: _Rules.reduce,
    expressions.ListPredicate: _needs("list predicates"),
    expressions.MapProjection: _needs("map projection"),
    expressions.PatternPredicate: _needs("pattern predicate"),
    expressions.PatternSubquery: _Rules.subquery,
    expressions.Subquery: _Rules.subquery,
    patterns.NodePattern: _Rules.node_pattern,
    patterns.RelationshipPattern: _Rules.relationship,
    patterns.PathLength: _Rules.path_length,
    patterns.PathSelector: _Rules.path_selector,
    patterns.ParenthesizedPath: _needs("quantified paths"),
    patterns.ShortestPath: _needs("shortestPath"),
    patterns.DynamicLabel: _needs("dynamic labels"),
    patterns.LabelOperation: _Rules.labels,
    patterns.LabelGroup: _needs("label expressions"),
    patterns.AnyLabel: _needs("label expressions"),
    patterns.NotLabel: _needs("label expressions"),
}
_PLAIN: frozenset[type[SyntaxNode]] = frozenset(
    {
        clauses.ClauseSequence,
        clauses.ConditionalBranch,
        clauses.Hint,
        clauses.ProjectionItem,
        clauses.QueryOption,
        clauses.SortItem,
        clauses.YieldItem,
        expressions.Case,
        expressions.CaseBranch,
        expressions.CaseSubject,
        expressions.Constant,
        expressions.CountAll,
        expressions.Index,
        expressions.LabelTest,
        expressions.ListLiteral,
        expressions.MapEntry,
        expressions.MapLiteral,
        expressions.NullTest,
        expressions.Number,
        expressions.Parameter,
        expressions.Parenthesized,
        expressions.ProjectedAll,
        expressions.ProjectedProperty,
        expressions.PropertyAccess,
        expressions.Slice,
        expressions.Text,
        expressions.TextPart,
        expressions.Trim,
        expressions.Unary,
        expressions.Variable,
        patterns.ExpansionLambda,
        patterns.LabelName,
        patterns.PathPattern,
        patterns.Quantifier,
    }
)
"""Nodes that are harmless in every dialect."""
