"""Where a Cypher query names labels, types and properties, and compares values: each with what is known around it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ...core.schema import Schema
from ..schema_check import SchemaRules
from ..source import SourceText
from ..tree import SyntaxNode, walk
from .bindings import OTHER, Binding, PropertyValue, Scope, bound_to, label_names
from .clause_tree import Statement
from .expression_tree import (
    Expression,
    FunctionCall,
    ListLiteral,
    MapEntry,
    MapLiteral,
    MapProjection,
    Operation,
    Parameter,
    Parenthesized,
    ProjectedProperty,
    PropertyAccess,
    Text,
    Variable,
)
from .literals import literal_kind
from .pattern_tree import LabelExpression, LabelName, NodePattern, RelationshipPattern
from .schema_names import NameWalk

LabelKind = Literal["node", "edge", "other"]
_FOLDS = {
    "tolower": "lower",
    "lower": "lower",
    "toupper": "upper",
    "upper": "upper",
    "trim": "",
    "tostring": "",
}
_MIRRORED = {"=": "=", "<>": "<>", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_TESTS = ("STARTS WITH", "ENDS WITH", "CONTAINS", "=~", "IN")


@dataclass(frozen=True, slots=True)
class LabelPlace:
    """A label or a relationship type that is named; ``bearer`` is the pattern that has it, ``None`` in a condition."""

    node: LabelName
    kind: LabelKind
    bearer: SyntaxNode | None = None


@dataclass(frozen=True, slots=True)
class PropertyPlace:
    """A property that is read or asked for.

    Attributes:
        node: a property access, an entry of a pattern's map, or an item of a map projection.
        key: its name.
        owner: what it is a property of.
        variable: the name of that, where it has one.
        scope: what is known of all variables there.
        pattern: the node or relationship in whose map it stands.
    """

    node: PropertyAccess | MapEntry | ProjectedProperty
    key: str
    owner: Binding
    variable: str | None
    scope: Scope
    pattern: NodePattern | RelationshipPattern | None = None


@dataclass(frozen=True, slots=True)
class EdgePlace:
    """A relationship of one step or more between two nodes, with what is known of these."""

    node: RelationshipPattern
    left: Binding
    right: Binding
    left_node: NodePattern
    right_node: NodePattern

    @property
    def is_one_step(self) -> bool:
        """Whether it stands for exactly one relationship."""
        return self.node.length is None and self.node.quantifier is None


@dataclass(frozen=True, slots=True)
class ComparisonPlace:
    """A property that is compared with values that the query writes out.

    Attributes:
        node: the operation, or the entry of a pattern's map.
        property: the property as it is read; ``None`` where it stands in a map, whose entry says it.
        value: which property, of what.
        variable: the name of the node or relationship, where it has one.
        operator: as in the text, seen from the property; ``"="`` for a map.
        literals: the texts, numbers and parameters that it is compared with.
        folded: ``"lower"`` or ``"upper"`` where the property is read in small letters or capitals.
        position: which comparison of a chain it is.
    """

    node: Operation | MapEntry
    property: PropertyAccess | None
    value: PropertyValue
    variable: str | None
    operator: str
    literals: tuple[Expression, ...]
    folded: str = ""
    position: int = 0
    pattern: NodePattern | RelationshipPattern | None = None


@dataclass(frozen=True, slots=True)
class NodePlace:
    """A node of a pattern, and what is known of it."""

    node: NodePattern
    binding: Binding


@dataclass(slots=True)
class NamedPlaces:
    """Everything that a query names, in the order in which its clauses are walked."""

    labels: list[LabelPlace] = field(default_factory=list)
    properties: list[PropertyPlace] = field(default_factory=list)
    edges: list[EdgePlace] = field(default_factory=list)
    comparisons: list[ComparisonPlace] = field(default_factory=list)
    nodes: list[NodePlace] = field(default_factory=list)
    joined: set[str] = field(default_factory=set)
    """The variables of nodes that a relationship leads to or from."""


def named_places(tree: Statement, schema: Schema, source: SourceText, *, infer: bool = True) -> NamedPlaces:
    """What a query names.

    Args:
        tree: the query.
        schema: of the graph: it tells what the ends of relationships are.
        source: the text of the query.
        infer: whether a node without a label has the types that the relationships beside it tell.
    """
    walk = _PlaceWalk(_Silent(schema, source), infer=infer)
    walk.query(tree.query, {})
    return walk.found


class _Silent(SchemaRules):
    """Knows the schema, and says nothing: finding the nearest right name for each wrong one would take long."""

    def _unknown(self, *wrong: object) -> None:
        """Nothing is said of an unknown name."""

    def add(self, *found: object) -> None:
        """Nothing is said of any problem."""


class _PlaceWalk(NameWalk):
    """Keeps the places that the walk passes."""

    def __init__(self, rules: SchemaRules, *, infer: bool) -> None:
        super().__init__(rules)
        self.found = NamedPlaces()
        self._infers = infer
        self._bearer: SyntaxNode | None = None

    def _infer(self, scope: Scope, node: SyntaxNode, types: frozenset[str] | None) -> None:
        if self._infers:
            super()._infer(scope, node, types)

    def _labels(self, labels: LabelExpression | None, kind: LabelKind) -> None:
        if labels is not None:
            for node in walk(labels):
                if isinstance(node, LabelName):
                    self.found.labels.append(LabelPlace(node, kind, self._bearer))
        super()._labels(labels, kind)

    def _node(self, node: NodePattern, scope: Scope) -> None:
        binding = self._node_binding(node, scope)
        self.found.nodes.append(NodePlace(node, binding))
        self._entries(node.properties, binding, node.variable, scope, node)
        outside, self._bearer = self._bearer, node
        super()._node(node, scope)
        self._bearer = outside

    def _relationship(
        self, edge: RelationshipPattern, left: NodePattern, right: NodePattern, scope: Scope
    ) -> None:
        bindings = self._node_binding(left, scope), self._node_binding(right, scope)
        self.found.edges.append(EdgePlace(edge, *bindings, left, right))
        self.found.joined.update(node.variable for node in (left, right) if node.variable)
        self._entries(edge.properties, Binding("edge", label_names(edge.types)), edge.variable, scope, edge)
        outside, self._bearer = self._bearer, edge
        super()._relationship(edge, left, right, scope)
        self._bearer = outside

    def _entries(
        self,
        properties: Expression | None,
        owner: Binding,
        variable: str | None,
        scope: Scope,
        pattern: NodePattern | RelationshipPattern,
    ) -> None:
        if not isinstance(properties, MapLiteral):
            return
        for entry in properties.entries:
            self.found.properties.append(
                PropertyPlace(entry, entry.key, owner, variable, dict(scope), pattern)
            )
            literals = _literals(entry.value)
            if literals and owner.kind != "other":
                value = PropertyValue(entry.key, owner.types, owner.kind == "edge")
                self.found.comparisons.append(
                    ComparisonPlace(entry, None, value, variable, "=", literals, pattern=pattern)
                )

    def _property_access(self, node: PropertyAccess, scope: Scope) -> None:
        super()._property_access(node, scope)
        if isinstance(node.subject, Variable):
            name = node.subject.name
            self.found.properties.append(
                PropertyPlace(node, node.key, scope.get(name, OTHER), name, dict(scope))
            )

    def _map_projection(self, node: MapProjection, scope: Scope) -> None:
        super()._map_projection(node, scope)
        owner = scope.get(node.variable, OTHER)
        for item in node.items:
            if isinstance(item, ProjectedProperty):
                self.found.properties.append(PropertyPlace(item, item.key, owner, node.variable, dict(scope)))

    def _operation(self, node: Operation, scope: Scope) -> None:
        super()._operation(node, scope)
        for position, operator in enumerate(node.operators):
            left, right = node.operands[position], node.operands[position + 1]
            if operator in _MIRRORED or operator in _TESTS:
                self._comparison(node, position, left, operator, right, scope)
            if operator in _MIRRORED:
                self._comparison(node, position, right, _MIRRORED[operator], left, scope)

    def _comparison(
        self,
        node: Operation,
        position: int,
        side: Expression,
        operator: str,
        other: Expression,
        scope: Scope,
    ) -> None:
        read, folded = _unfolded(side)
        value = bound_to(read, scope).value
        literals = _literals(other)
        if value is None or not literals:
            return
        access = read if isinstance(read, PropertyAccess) else None
        variable = (
            access.subject.name if access is not None and isinstance(access.subject, Variable) else None
        )
        self.found.comparisons.append(
            ComparisonPlace(node, access, value, variable, operator, literals, folded, position)
        )


def _unfolded(node: Expression) -> tuple[Expression, str]:
    """A property as it is read, without the functions of letters around it."""
    folded = ""
    while True:
        if isinstance(node, Parenthesized):
            node = node.inner
        elif isinstance(node, FunctionCall) and len(node.arguments) == 1 and node.name.lower() in _FOLDS:
            folded = _FOLDS[node.name.lower()] or folded
            node = node.arguments[0]
        else:
            return node, folded


def _literals(node: Expression) -> tuple[Expression, ...]:
    """The values that an expression writes out, those of a list each."""
    node, _ = _unfolded(node)
    if isinstance(node, ListLiteral):
        return tuple(item for entry in node.items for item in _literals(entry))
    is_value = isinstance(node, Text | Parameter) or literal_kind(node) is not None
    return (node,) if is_value else ()
