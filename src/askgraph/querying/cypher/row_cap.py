"""The row cap: a query rewritten so that it cannot give more rows than allowed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ..source import SourceText
from ..tree import SyntaxNode, transform
from .clause_tree import (
    BracedQuery,
    Branch,
    CallProcedure,
    CallSubquery,
    Clause,
    ClauseSequence,
    Conditional,
    Projection,
    ProjectionItem,
    Query,
    Return,
    Stage,
    Statement,
    Union,
    With,
)
from .dialect import Dialect
from .expression_tree import AllProperties, Expression, Number, Parameter, Variable
from .names import print_name
from .printer import text_of


class Capped(NamedTuple):
    """A statement with its cap.

    Attributes:
        statement: the rewritten statement.
        in_text: whether the text itself holds the cap. A procedure called by itself cannot have one: the store stops
            reading instead.
        notes: what was changed, in plain sentences.
    """

    statement: Statement
    in_text: bool
    notes: tuple[str, ...]


def name_columns(statement: Statement, nodes: Iterable[SyntaxNode], source: SourceText) -> Statement:
    """Columns without an alias are called by their text, so where printing changes the text they get it as an alias.

    A variable in back-ticks gets its name as an alias, because some engines call the column by half of it.
    ``nodes`` are all the nodes of the statement.
    """
    items = [node for node in nodes if isinstance(node, ProjectionItem) and _changes_name(node, source)]
    if not items:
        return statement
    places = {item.span for item in items}

    def named(node: SyntaxNode) -> SyntaxNode:
        if isinstance(node, ProjectionItem) and node.span in places and node.alias is None:
            return node.changed(alias=_column_name(node, source))
        return node

    return transform(statement, named)


def _changes_name(item: ProjectionItem, source: SourceText) -> bool:
    if _is_open(item):
        return False
    return item.alias is None and text_of(item.expression) != _column_name(item, source)


def column_names(query: Query, source: SourceText) -> tuple[str, ...] | None:
    """The names of a query's columns, where its text tells them (``RETURN *`` does not)."""
    clause = _last_clause(query)
    if isinstance(clause, CallProcedure) and clause.yields is not None:
        return tuple(item.alias or item.column for item in clause.yields)
    if not isinstance(clause, Return) or clause.projection.everything:
        return None
    if any(map(_is_open, clause.projection.items)):
        return None
    return tuple(_column_name(item, source) for item in clause.projection.items)


def cap_rows(
    statement: Statement,
    source: SourceText,
    dialect: Dialect,
    rows: int,
    parameters: Mapping[str, Any],
) -> Capped:
    """The statement with at most ``rows + 1`` rows: one more than allowed, which tells that there was more.

    A smaller LIMIT of the author stays. A LIMIT that is computed, or a parameter whose value is not given here, is kept
    in a WITH and followed by a second one. A UNION is put into a subquery, or, where the dialect has none, each of its
    branches gets the cap.
    """
    cap = _RowCap(source, dialect, rows, parameters, statement.version)
    query = cap.query(statement.query)
    return Capped(statement.changed(query=query), cap.in_text, tuple(dict.fromkeys(cap.notes)))


class _RowCap:
    def __init__(
        self, source: SourceText, dialect: Dialect, rows: int, parameters: Mapping[str, Any], version: str
    ) -> None:
        self.source = source
        self.dialect = dialect
        self.rows = rows
        self.parameters = parameters
        self.version = version
        self.in_text = True
        self.notes: list[str] = []

    @property
    def _limit(self) -> Number:
        return Number(str(self.rows + 1))

    def query(self, query: Query, *, whole: bool = True) -> Query:
        """The query with the cap; ``whole`` if it is not in braces, where it may see variables of others."""
        *before, last = query.stages
        if whole and not before and isinstance(last, Union) and last.operators and self._can_wrap(last):
            return self._wrapped(query)
        return query.changed(stages=(*before, self._stage(last)))

    def _stage(self, stage: Stage) -> Stage:
        if isinstance(stage, Conditional):
            branches = tuple(branch.changed(branch=self._branch(branch.branch)) for branch in stage.branches)
            default = None if stage.default is None else self._branch(stage.default)
            return stage.changed(branches=branches, default=default)
        assert isinstance(stage, Union)
        distinct = "UNION" in stage.operators
        return stage.changed(branches=tuple(self._branch(item, distinct=distinct) for item in stage.branches))

    def _branch(self, branch: Branch, *, distinct: bool = False) -> Branch:
        if isinstance(branch, BracedQuery):
            return branch.changed(query=self.query(branch.query, whole=False))
        assert isinstance(branch, ClauseSequence)
        *before, last = branch.clauses
        return branch.changed(clauses=(*before, *self._clause(last, distinct=distinct)))

    def _clause(self, clause: Clause, *, distinct: bool) -> tuple[Clause, ...]:
        if isinstance(clause, CallProcedure):
            return self._procedure(clause)
        if not isinstance(clause, Return):
            return (clause,)
        projection = clause.projection
        # Equal rows of a UNION are given once; they must not use up the cap of their branch.
        if distinct and not projection.distinct:
            if projection.order or projection.skip is not None or projection.limit is not None:
                return self._in_two_steps(clause, distinct=True)
            return (clause.changed(projection=projection.changed(distinct=True, limit=self._limit)),)
        limit = self._known_limit(projection.limit)
        if limit is None:
            self.notes.append(
                f"LIMIT is known only when the query runs: at most {self.rows:,} rows are given"
            )
            return self._in_two_steps(clause, distinct=False)
        return (clause.changed(projection=projection.changed(limit=limit)),)

    def _known_limit(self, limit: Expression | None) -> Expression | None:
        """The limit to write, or ``None`` where the author's is not known before the query runs."""
        if limit is None:
            return self._limit
        value: object = None
        if isinstance(limit, Number):
            value = limit.integer
        elif isinstance(limit, Parameter):
            value = self.parameters.get(limit.name)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            return None
        if value <= self.rows:
            return limit if isinstance(limit, Number) else Number(str(value))
        self.notes.append(f"LIMIT {value:,} was lowered to the cap of {self.rows:,} rows")
        return self._limit

    def _in_two_steps(self, clause: Return, *, distinct: bool) -> tuple[Clause, ...]:
        """``RETURN … LIMIT x`` as ``WITH … LIMIT x RETURN … LIMIT cap``."""
        projection = clause.projection
        items = tuple(self._aliased(item) for item in projection.items)
        again = tuple(_returned(item.alias or "") for item in items)
        everything = projection.everything or any(map(_is_open, items))
        outer = Projection(
            () if everything else again,
            everything=everything,
            distinct=distinct,
            limit=self._limit,
        )
        return With(projection.changed(items=items)), Return(outer)

    def _aliased(self, item: ProjectionItem) -> ProjectionItem:
        return (
            item
            if item.alias is not None or _is_open(item)
            else item.changed(alias=_column_name(item, self.source))
        )

    def _procedure(self, clause: CallProcedure) -> tuple[Clause, ...]:
        """A query that ends with CALL: its columns can be returned with a limit if they are named."""
        if not clause.yields:
            self.in_text = False
            return (clause,)
        items = tuple(_returned(item.alias or item.column) for item in clause.yields)
        return clause, Return(Projection(items, limit=self._limit))

    # UNION

    def _can_wrap(self, stage: Union) -> bool:
        """Whether the union fits into a subquery: the dialect has them, and every branch ends with RETURN."""
        if "CALL { }" not in self.dialect.constructs:
            return False
        return all(isinstance(_last_of(branch), Return) for branch in stage.branches)

    def _wrapped(self, query: Query) -> Query:
        columns = column_names(query, self.source)
        inner = transform(query, self._with_aliases)
        scope = () if self.version.startswith("25") else None
        items = tuple(_returned(name) for name in columns or ())
        outer = Return(Projection(items, everything=columns is None, limit=self._limit))
        return Query((Union((ClauseSequence((CallSubquery(inner, scope), outer)),)),))

    def _with_aliases(self, node: SyntaxNode) -> SyntaxNode:
        if isinstance(node, ProjectionItem) and not isinstance(node.expression, Variable):
            return self._aliased(node)
        return node


def _returned(name: str) -> ProjectionItem:
    """A column of the same name as a variable, which is said where the name needs back-ticks."""
    return ProjectionItem(Variable(name), None if print_name(name) == name else name)


def _is_open(item: ProjectionItem) -> bool:
    """Whether an item stands for columns that the text does not name."""
    return isinstance(item.expression, AllProperties)


def _column_name(item: ProjectionItem, source: SourceText) -> str:
    if item.alias is not None:
        return item.alias
    if isinstance(item.expression, Variable):
        return item.expression.name
    return source.slice(item.expression.span) or text_of(item.expression)


def _last_clause(query: Query) -> Clause | None:
    stage = query.stages[-1]
    if isinstance(stage, Union):
        return _last_of(stage.branches[0])
    return _last_of(stage.branches[0].branch) if isinstance(stage, Conditional) else None


def _last_of(branch: Branch) -> Clause | None:
    if isinstance(branch, BracedQuery):
        return _last_clause(branch.query)
    return branch.clauses[-1] if isinstance(branch, ClauseSequence) else None
