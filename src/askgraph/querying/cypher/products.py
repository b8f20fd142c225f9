"""Products of patterns that have nothing to do with each other.

``MATCH (a:Person), (b:Movie) RETURN count(*)`` pairs every person with every movie. Nobody wants that: the author
forgot a relationship, or wanted two counts. It is refused where every pair must be made before the first row can be
given (for an aggregate, a sort or DISTINCT); elsewhere the row cap stops it soon enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..source import SourceText
from ..tokens import words
from ..tree import SyntaxNode, children, walk
from .clause_tree import (
    CallProcedure,
    CallSubquery,
    Clause,
    ClauseSequence,
    Filter,
    Let,
    Match,
    Projection,
    Return,
    Unwind,
    With,
)
from .expression_tree import (
    CountAll,
    Expression,
    FunctionCall,
    MapProjection,
    Operation,
    PatternSubquery,
    Subquery,
    Variable,
)
from .pattern_tree import NodePattern, PathPattern, RelationshipPattern

_AGGREGATES = frozenset(
    words(
        """avg collect count max min percentilecont percentiledisc percentile_cont percentile_disc stdev
        stdevp stdev_pop stdev_samp sum collect_list median mode variance std var_samp"""
    )
)


def is_aggregate(node: SyntaxNode) -> bool:
    """Whether a node makes one value of many rows."""
    return isinstance(node, CountAll) or (isinstance(node, FunctionCall) and node.name.lower() in _AGGREGATES)


def check_products(root: SyntaxNode, source: SourceText) -> None:
    """Raise :class:`QueryRefusedError` (code ``"cost"``) for a product that is made as a whole."""
    _check(root, source, frozenset())


def _check(node: SyntaxNode, source: SourceText, outer: frozenset[str]) -> None:
    """Look below a node; ``outer`` are the variables that it sees."""
    if isinstance(node, ClauseSequence):
        _check_sequence(node, source, outer)
        return
    if isinstance(node, PatternSubquery) and node.kind == "COUNT":
        patterns = _Patterns(outer)
        patterns.match(node.patterns, node.condition, narrow=False)
        patterns.refuse_product(source)
    for child in children(node):
        _check(child, source, outer)


def _check_sequence(sequence: ClauseSequence, source: SourceText, outer: frozenset[str]) -> None:
    patterns = _Patterns(outer)
    for clause in sequence.clauses:
        for child in children(clause):
            _check(child, source, patterns.names())
        if isinstance(clause, With | Return):
            if len(patterns.groups) > 1 and _makes_all_rows(clause.projection):
                patterns.refuse_product(source)
            patterns = _Patterns(outer if clause.projection.everything else frozenset(), patterns)
            patterns.bind(_column_names(clause.projection))
        elif isinstance(clause, Match):
            narrow = clause.optional or clause.search is not None
            patterns.match(clause.patterns, clause.condition, narrow=narrow)
        elif isinstance(clause, Filter):
            patterns.condition(clause.condition)
        else:
            patterns.bind(_bound_names(clause))


def _column_names(projection: Projection) -> Iterator[str]:
    for item in projection.items:
        if item.alias is not None:
            yield item.alias
        elif isinstance(item.expression, Variable):
            yield item.expression.name


def _bound_names(clause: Clause) -> Iterator[str]:
    """The variables that a clause adds, other than those of patterns and projections."""
    if isinstance(clause, Unwind):
        yield clause.variable
    elif isinstance(clause, Let):
        yield from (entry.key for entry in clause.entries)
    elif isinstance(clause, CallProcedure):
        yield from (item.alias or item.column for item in clause.yields or ())
    elif isinstance(clause, CallSubquery):
        for node in walk(clause.query):
            if isinstance(node, Return):
                yield from _column_names(node.projection)


def _makes_all_rows(projection: Projection) -> bool:
    if projection.distinct or projection.order:
        return True
    return any(_aggregates(item.expression) for item in projection.items)


def _aggregates(expression: Expression) -> bool:
    """Whether an expression aggregates the rows of this projection, not those of a subquery."""
    waiting: list[SyntaxNode] = [expression]
    while waiting:
        node = waiting.pop()
        if is_aggregate(node):
            return True
        if not isinstance(node, Subquery | PatternSubquery):
            waiting.extend(children(node))
    return False


class _Group(NamedTuple):
    """Patterns that something connects: their variables, whether a condition narrows them, and the first of them."""

    names: frozenset[str]
    narrow: bool
    pattern: PathPattern


class _Patterns:
    """The patterns since the last projection."""

    def __init__(self, outer: frozenset[str], before: _Patterns | None = None) -> None:
        self.bound = set(outer)
        self.groups: list[_Group] = []
        if before is not None and outer:
            self.bound |= before.names()

    def names(self) -> frozenset[str]:
        """Every variable that is known here."""
        return frozenset(self.bound).union(*[group.names for group in self.groups])

    def bind(self, names: Iterable[str]) -> None:
        """Variables that come from elsewhere: a pattern that begins from one is no scan of its own."""
        self.bound.update(names)

    def match(self, patterns: Iterable[PathPattern], condition: Expression | None, *, narrow: bool) -> None:
        for pattern in patterns:
            names = frozenset(_variables(pattern))
            narrowed = narrow or _is_narrow(pattern) or not self.bound.isdisjoint(names)
            self._add(_Group(names, narrowed, pattern))
        if condition is not None:
            self.condition(condition)

    def _add(self, group: _Group) -> None:
        kept = []
        for other in self.groups:
            if other.names.isdisjoint(group.names):
                kept.append(other)
            else:
                group = _Group(other.names | group.names, other.narrow or group.narrow, other.pattern)
        self.groups = [*kept, group]

    def condition(self, condition: Expression) -> None:
        """Each part of a conjunction connects the groups that it names, and narrows them."""
        parts = (
            condition.operands
            if isinstance(condition, Operation) and condition.operators[0] == "AND"
            else (condition,)
        )
        for part in parts:
            names = frozenset(_names_in(part))
            if names:
                for group in self.groups:
                    if not group.names.isdisjoint(names):
                        self._add(_Group(names | group.names, True, group.pattern))
                        break

    def refuse_product(self, source: SourceText) -> None:
        """Raise if two groups are scans of their own, without any condition."""
        wide = [group.pattern for group in self.groups if not group.narrow]
        if len(wide) > 1:
            raise source.refusal(
                max(wide, key=lambda pattern: pattern.span.start).span,
                "nothing connects this pattern with the others: every pair of matches would be made",
                code="cost",
                advice="Connect the patterns, or count each by itself with WITH between them.",
            )


def _is_narrow(pattern: PathPattern) -> bool:
    """Whether a property or a condition narrows the pattern."""
    return any(
        isinstance(node, NodePattern | RelationshipPattern)
        and (node.properties is not None or node.condition is not None)
        for node in walk(pattern)
    )


def _variables(pattern: PathPattern) -> Iterator[str]:
    for node in walk(pattern):
        if isinstance(node, NodePattern | RelationshipPattern | PathPattern | MapProjection):
            if node.variable:
                yield node.variable
        elif isinstance(node, Variable):
            yield node.name


def _names_in(expression: Expression) -> Iterator[str]:
    for node in walk(expression):
        if isinstance(node, Variable):
            yield node.name
        elif isinstance(node, MapProjection | NodePattern | RelationshipPattern) and node.variable:
            yield node.variable
