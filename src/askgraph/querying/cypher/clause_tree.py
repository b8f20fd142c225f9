"""The clauses of Cypher that read, and the queries that they make."""

from __future__ import annotations

from typing import Literal

from ..tree import SyntaxNode
from .expression_tree import Expression, MapEntry
from .pattern_tree import PathPattern


class Clause(SyntaxNode):
    """A step of a query."""


class Hint(SyntaxNode):
    """``USING INDEX n:Person(name)``: advice to the planner, kept as text in its one spelling."""

    text: str


class Search(SyntaxNode):
    """``SEARCH n IN (VECTOR INDEX name FOR vector WHERE … LIMIT 10) SCORE AS score`` (Cypher 25)."""

    variable: str
    kind: Literal["VECTOR", "FULLTEXT"]
    index: str | Expression
    target: Expression
    analyzer: Expression | None
    condition: Expression | None
    skip: Expression | None
    limit: Expression
    score: str | None


class Match(Clause):
    """``OPTIONAL MATCH patterns WHERE condition``. ``mode`` is ``"REPEATABLE ELEMENTS"`` and the like, or empty."""

    patterns: tuple[PathPattern, ...]
    condition: Expression | None = None
    optional: bool = False
    mode: str = ""
    hints: tuple[Hint, ...] = ()
    search: Search | None = None


class Unwind(Clause):
    """``UNWIND list AS variable``, or ``FOR variable IN list`` (Cypher 25)."""

    source: Expression
    variable: str
    keyword: Literal["UNWIND", "FOR"] = "UNWIND"


class ProjectionItem(SyntaxNode):
    """``expression AS alias``."""

    expression: Expression
    alias: str | None = None


class SortItem(SyntaxNode):
    """``expression DESC``."""

    expression: Expression
    descending: bool = False


class Projection(SyntaxNode):
    """What ``RETURN`` and ``WITH`` have in common.

    Attributes:
        everything: whether it begins with ``*``.
        items: the columns.
        distinct: whether equal rows are given once.
        grouping: ``None`` without ``GROUP BY``; empty for ``GROUP BY ()``.
        group_all: ``GROUP BY ALL``.
    """

    items: tuple[ProjectionItem, ...]
    everything: bool = False
    distinct: bool = False
    grouping: tuple[Expression, ...] | None = None
    group_all: bool = False
    order: tuple[SortItem, ...] = ()
    skip: Expression | None = None
    limit: Expression | None = None


class Return(Clause):
    """``RETURN …``."""

    projection: Projection


class With(Clause):
    """``WITH … WHERE condition``."""

    projection: Projection
    condition: Expression | None = None


class OrderAndPage(Clause):
    """``ORDER BY … SKIP … LIMIT …`` as a clause of its own."""

    order: tuple[SortItem, ...]
    skip: Expression | None
    limit: Expression | None


class Filter(Clause):
    """``FILTER condition`` (Cypher 25)."""

    condition: Expression


class Let(Clause):
    """``LET a = 1, b = 2`` (Cypher 25)."""

    entries: tuple[MapEntry, ...]


class Finish(Clause):
    """``FINISH``: no rows."""


class Use(Clause):
    """``USE graph``: another graph than the session's. ``graph`` is its name, or the text of a function call."""

    graph: str


class YieldItem(SyntaxNode):
    """``column AS alias``."""

    column: str
    alias: str | None = None


class CallProcedure(Clause):
    """``CALL name(arguments) YIELD columns WHERE condition``.

    ``arguments`` and ``yields`` are ``None`` where they are not written; ``yields_all`` is ``YIELD *``.
    """

    name: str
    arguments: tuple[Expression, ...] | None = None
    yields: tuple[YieldItem, ...] | None = None
    yields_all: bool = False
    condition: Expression | None = None
    optional: bool = False


class CallSubquery(Clause):
    """``CALL (variables) { query }``. ``scope`` is ``None`` for the older form without; ``scope_all`` is ``(*)``."""

    query: Query
    scope: tuple[str, ...] | None = None
    scope_all: bool = False
    optional: bool = False


class Branch(SyntaxNode):
    """A part of a query between ``UNION``, ``NEXT`` and braces."""


class ClauseSequence(Branch):
    """Clauses, one after the other."""

    clauses: tuple[Clause, ...]


class BracedQuery(Branch):
    """``USE graph { query }`` (Cypher 25); ``use`` is mostly ``None``."""

    query: Query
    use: Use | None = None


class Stage(SyntaxNode):
    """What stands between two ``NEXT``; in most queries there is one."""


class Union(Stage):
    """Branches with ``"UNION"`` or ``"UNION ALL"`` between them; in most queries there is one branch."""

    branches: tuple[Branch, ...]
    operators: tuple[str, ...] = ()


class ConditionalBranch(SyntaxNode):
    """``WHEN condition THEN branch``."""

    condition: Expression
    branch: Branch


class Conditional(Stage):
    """``WHEN … THEN … ELSE …`` (Cypher 25)."""

    branches: tuple[ConditionalBranch, ...]
    default: Branch | None = None


class Query(SyntaxNode):
    """Stages with ``NEXT`` between them."""

    stages: tuple[Stage, ...]


class QueryOption(SyntaxNode):
    """``runtime=slotted`` after ``CYPHER``."""

    name: str
    value: str


class Statement(SyntaxNode):
    """A whole text: what stands before the query, and the query.

    Attributes:
        version: the language version asked for with ``CYPHER 25``; empty without.
        options: further options after ``CYPHER``.
        explain: whether only the plan is asked for.
    """

    query: Query
    version: str = ""
    options: tuple[QueryOption, ...] = ()
    explain: bool = False
