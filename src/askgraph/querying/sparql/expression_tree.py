"""The expressions of SPARQL that are no terms.

Operators of one rank that follow each other are one flat node, so that the depth of a tree is the depth of nesting that
the author wrote. Parentheses are not kept: the tree says what belongs together, and printing puts them where they are
needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from .term_tree import Expression, Iri

if TYPE_CHECKING:
    from .pattern_tree import Group


class Operation(Expression):
    """``a + b - c``: operands with the operators between them, all of one rank.

    The ranks are ``||``; ``&&``; one comparison (``= != < > <= >=``); ``+`` and ``-``; ``*`` and ``/``.
    """

    operators: tuple[str, ...]
    operands: tuple[Expression, ...]


class Unary(Expression):
    """``!a``, ``-a``, ``+a``."""

    operator: Literal["!", "-", "+"]
    operand: Expression


class Membership(Expression):
    """``a IN (b, c)``, ``a NOT IN (b, c)``."""

    operand: Expression
    items: tuple[Expression, ...]
    negated: bool = False


class FunctionCall(Expression):
    """``xsd:integer(?x)``: a function named by an IRI; ``distinct`` where it is an aggregate of the engine."""

    function: Iri
    arguments: tuple[Expression, ...]
    distinct: bool = False


class BuiltInCall(Expression):
    """A function of the language; ``name`` in capitals (``"STRSTARTS"``, ``"ISIRI"``, ``"IF"``, ``"BOUND"``)."""

    name: str
    arguments: tuple[Expression, ...]


class Aggregate(Expression):
    """``COUNT(DISTINCT ?x)``, ``GROUP_CONCAT(?x; SEPARATOR=", ")``.

    Attributes:
        name: in capitals: ``"COUNT"``, ``"SUM"``, ``"MIN"``, ``"MAX"``, ``"AVG"``, ``"SAMPLE"``, ``"GROUP_CONCAT"``.
        argument: ``None`` for ``COUNT(*)``.
        separator: ``None`` where none is given.
    """

    name: str
    argument: Expression | None
    distinct: bool = False
    separator: str | None = None


class Exists(Expression):
    """``EXISTS { … }``, ``NOT EXISTS { … }``."""

    pattern: Group
    negated: bool = False
