"""The patterns of Cypher: paths, their nodes and relationships, and what their labels must be."""

from __future__ import annotations

from ..tree import SyntaxNode
from .expression_tree import Expression


class LabelExpression(SyntaxNode):
    """What the labels of a node, or the type of a relationship, must be."""


class LabelName(LabelExpression):
    """One label or relationship type."""

    name: str


class AnyLabel(LabelExpression):
    """``%``: at least one, whichever."""


class DynamicLabel(LabelExpression):
    """``$(expression)``, ``$all(…)``, ``$any(…)``: labels named by a value."""

    kind: str
    names: Expression


class NotLabel(LabelExpression):
    """``!A``."""

    operand: LabelExpression


class LabelGroup(LabelExpression):
    """``(A|B)``."""

    inner: LabelExpression


class LabelOperation(LabelExpression):
    """``A|B``, ``A&B`` or, in the older form for ``&``, ``A:B``; all operators of a rank in one node."""

    operators: tuple[str, ...]
    operands: tuple[LabelExpression, ...]


class PathElement(SyntaxNode):
    """A node, a relationship, or a part of a path in parentheses."""


class NodePattern(PathElement):
    """``(variable:Label {key: value} WHERE condition)``. ``properties`` is a map or a parameter."""

    variable: str | None = None
    labels: LabelExpression | None = None
    properties: Expression | None = None
    condition: Expression | None = None


class Quantifier(SyntaxNode):
    """How often a part of a path repeats: ``{2}``, ``{1,3}``, ``+``, ``*``. ``maximum`` is ``None`` for no end."""

    minimum: int
    maximum: int | None


class ExpansionLambda(SyntaxNode):
    """``(relationship, node | expression)`` in the expansions of Memgraph and Ladybug."""

    relationship: str
    node: str
    is_condition: bool
    expression: Expression


class PathLength(SyntaxNode):
    """``*``, ``*3``, ``*1..3`` in a relationship. ``None`` where a bound is not written.

    ``exact`` tells ``*3`` from ``*3..``. ``algorithm`` and what follows are the extensions of Memgraph (``*BFS ..5``,
    ``*WSHORTEST (r, n | r.weight) total``) and Ladybug (``* SHORTEST 1..3``).
    """

    minimum: int | None = None
    maximum: int | None = None
    exact: bool = False
    algorithm: str = ""
    lambdas: tuple[ExpansionLambda, ...] = ()
    total: str | None = None


class RelationshipPattern(PathElement):
    """``-[variable:TYPE*1..3 {key: value} WHERE condition]->``.

    ``to_left`` and ``to_right`` say which arrow heads are drawn; with none or both the direction does not matter.
    """

    to_left: bool
    to_right: bool
    variable: str | None = None
    types: LabelExpression | None = None
    length: PathLength | None = None
    properties: Expression | None = None
    condition: Expression | None = None
    quantifier: Quantifier | None = None


class PathSelector(SyntaxNode):
    """Which of the matching paths are wanted: ``ANY``, ``ALL SHORTEST``, ``SHORTEST 3 GROUPS``, ``ACYCLIC`` …

    ``kind`` is ``"ALL"``, ``"ANY"``, ``"ANY SHORTEST"``, ``"ALL SHORTEST"``, ``"SHORTEST"``, ``"SHORTEST GROUPS"`` or
    empty, ``mode`` is ``"WALK"``, ``"TRAIL"``, ``"ACYCLIC"`` or empty; ``count`` is a number or a parameter.
    """

    kind: str
    count: Expression | None = None
    mode: str = ""


class PathPattern(SyntaxNode):
    """``variable = selector (a)-[r]->(b)``: nodes and relationships in turn, or parts in parentheses."""

    elements: tuple[PathElement, ...]
    variable: str | None = None
    selector: PathSelector | None = None


class ParenthesizedPath(PathElement):
    """``(path WHERE condition){1,3}``."""

    pattern: PathPattern
    condition: Expression | None = None
    quantifier: Quantifier | None = None


class ShortestPath(PathElement):
    """``shortestPath(path)`` or ``allShortestPaths(path)``."""

    every: bool
    pattern: PathPattern
