"""Whole queries of SPARQL: the prologue, the four forms, and what orders and pages the solutions."""

from __future__ import annotations

from typing import Literal

from ..tree import SyntaxNode
from .pattern_tree import Group, InlineValues, TriplesBlock
from .term_tree import Expression, Iri, Variable


class Declaration(SyntaxNode):
    """A line of the prologue."""


class BaseDeclaration(Declaration):
    """``BASE <iri>``; ``iri`` as written, which may be relative to an earlier one."""

    iri: str


class PrefixDeclaration(Declaration):
    """``PREFIX name: <iri>``; ``name`` without the colon, ``iri`` as written. Of two with one name the later counts."""

    name: str
    iri: str


class Assignment(SyntaxNode):
    """``(expression AS ?variable)``: in SELECT, and in GROUP BY."""

    expression: Expression
    variable: Variable


class Projection(SyntaxNode):
    """``SELECT DISTINCT ?x (expression AS ?y)``; ``items`` are empty for ``SELECT *``."""

    items: tuple[Variable | Assignment, ...]
    modifier: Literal["", "DISTINCT", "REDUCED"] = ""

    @property
    def everything(self) -> bool:
        """Whether it is ``SELECT *``."""
        return not self.items


class OrderCondition(SyntaxNode):
    """``DESC(expression)``; ``ASC`` is what is meant without."""

    expression: Expression
    descending: bool = False


class SolutionModifiers(SyntaxNode):
    """``GROUP BY … HAVING … ORDER BY … LIMIT … OFFSET …``, all of which may be missing."""

    group_by: tuple[Expression | Assignment, ...] = ()
    having: tuple[Expression, ...] = ()
    order_by: tuple[OrderCondition, ...] = ()
    limit: int | None = None
    offset: int | None = None


class Dataset(SyntaxNode):
    """``FROM iri``, ``FROM NAMED iri``."""

    graph: Iri
    named: bool = False


class QueryForm(SyntaxNode):
    """``SELECT``, ``CONSTRUCT``, ``ASK`` or ``DESCRIBE``.

    Each has ``dataset``, ``where``, ``modifiers`` and ``values`` (the VALUES at the end), in the order of its text.
    """


class SelectQuery(QueryForm):
    """``SELECT …``."""

    projection: Projection
    dataset: tuple[Dataset, ...]
    where: Group
    modifiers: SolutionModifiers
    values: InlineValues | None = None


class ConstructQuery(QueryForm):
    """``CONSTRUCT { template } WHERE { … }``.

    Without a template it is the short form, ``CONSTRUCT WHERE { triples }``: ``where`` then holds one block of triples
    or nothing, which is the template as well.
    """

    template: TriplesBlock | None
    dataset: tuple[Dataset, ...]
    where: Group
    modifiers: SolutionModifiers
    values: InlineValues | None = None


class AskQuery(QueryForm):
    """``ASK { … }``."""

    dataset: tuple[Dataset, ...]
    where: Group
    modifiers: SolutionModifiers
    values: InlineValues | None = None


class DescribeQuery(QueryForm):
    """``DESCRIBE <iri> ?x WHERE { … }``; ``targets`` are empty for ``DESCRIBE *``, ``where`` may be missing."""

    targets: tuple[Iri | Variable, ...]
    dataset: tuple[Dataset, ...]
    where: Group | None
    modifiers: SolutionModifiers
    values: InlineValues | None = None


AnyForm = SelectQuery | ConstructQuery | AskQuery | DescribeQuery
"""The four forms, for type checkers."""


class Query(SyntaxNode):
    """A whole text: what it declares, and what it asks."""

    prologue: tuple[Declaration, ...]
    form: AnyForm
