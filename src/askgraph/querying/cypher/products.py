"""Products of patterns that have nothing to do with each other.

``MATCH (a:Person), (b:Movie) RETURN count(*)`` pairs every person with every movie. Nobody wants that: the author
forgot a relationship, or wanted two counts. It is refused where every pair must be made before the first row can be
given (for an aggregate, a sort or DISTINCT); elsewhere the row cap stops it soon enough.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

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
    _check(root, source, ())


def _check(node: SyntaxNode, source: SourceText, outer: Container[str]) -> None:
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


def _check_sequence(sequence: ClauseSequence, source: SourceText, outer: Container[str]) -> None:
    patterns = _Patterns(outer)
    for clause in sequence.clauses:
        for child in children(clause):
            _check(child, source, patterns)
        if isinstance(clause, With | Return):
            if patterns.count > 1 and _makes_all_rows(clause.projection):
                patterns.refuse_product(source)
            kept = patterns.names() if clause.projection.everything else ()
            patterns = _Patterns(outer if clause.projection.everything else ())
            patterns.bind(kept)
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


class _Patterns:
    """The patterns since the last projection, in groups that something connects (a union-find forest).

    It is also the scope of what is nested in its clauses: ``in`` tells whether a variable is known.
    """

    def __init__(self, outer: Container[str]) -> None:
        self._outer = outer
        self._bound: set[str] = set()
        self._parents: list[int] = []
        self._narrow: list[bool] = []
        self._patterns: list[PathPattern] = []
        self._group_of: dict[str, int] = {}

    def __contains__(self, name: object) -> bool:
        return (
            name in self._bound or name in self._group_of or (isinstance(name, str) and name in self._outer)
        )

    @property
    def count(self) -> int:
        """How many patterns there are."""
        return len(self._patterns)

    def names(self) -> set[str]:
        """The variables that were met here."""
        return self._bound.union(self._group_of)

    def bind(self, names: Iterable[str]) -> None:
        """Variables that come from elsewhere: a pattern that begins from one is no scan of its own."""
        self._bound.update(names)

    def match(self, patterns: Iterable[PathPattern], condition: Expression | None, *, narrow: bool) -> None:
        """Patterns of one clause, and their condition."""
        for pattern in patterns:
            names = set(_variables(pattern))
            known = any(name in self._bound or name in self._outer for name in names)
            self._parents.append(len(self._parents))
            self._narrow.append(narrow or known or _is_narrow(pattern))
            self._patterns.append(pattern)
            for name in names:
                self._join(self._group_of.setdefault(name, len(self._parents) - 1), len(self._parents) - 1)
        if condition is not None:
            self.condition(condition)

    def condition(self, condition: Expression) -> None:
        """Each part of a conjunction connects the groups that it names, and narrows them."""
        parts = (
            condition.operands
            if isinstance(condition, Operation) and condition.operators[0] == "AND"
            else (condition,)
        )
        for part in parts:
            groups = [self._group_of[name] for name in _names_in(part) if name in self._group_of]
            for group in groups:
                self._join(groups[0], group)
            if groups:
                self._narrow[self._root(groups[0])] = True

    def _root(self, group: int) -> int:
        while self._parents[group] != group:
            self._parents[group] = self._parents[self._parents[group]]
            group = self._parents[group]
        return group

    def _join(self, one: int, other: int) -> None:
        first, second = sorted((self._root(one), self._root(other)))
        if first != second:
            self._parents[second] = first
            self._narrow[first] |= self._narrow[second]

    def refuse_product(self, source: SourceText) -> None:
        """Raise if two groups are scans of their own, without any condition."""
        wide = [
            pattern
            for group, pattern in enumerate(self._patterns)
            if self._parents[group] == group and not self._narrow[group]
        ]
        if len(wide) > 1:
            raise source.refusal(
                wide[-1].span,
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
