"""A Cypher query rewritten so that it sees a graph without the nodes and relationships that deny-lists name.

Every node that a pattern can match is held to have none of the hidden labels, every relationship to have another type;
of a path whose length varies, all of them. So counts and unlabelled patterns give what they would give on a graph from
which all of that was removed. The conditions are those of the oldest Cypher (``NOT n:Secret``, ``type(r)``,
``all(…)``), which every engine reads alike.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Literal, NoReturn

from ...core.schema import UNTYPED
from ..source import SourceText
from ..tree import SyntaxNode, transform, walk
from .bindings import label_names
from .clause_tree import CallProcedure, CallSubquery, Match, Projection, Statement
from .dialect import Dialect
from .expression_tree import (
    Expression,
    FunctionCall,
    LabelTest,
    ListLiteral,
    ListPredicate,
    Operation,
    Parenthesized,
    PatternComprehension,
    PatternPredicate,
    PatternSubquery,
    Text,
    Unary,
    Variable,
)
from .pattern_tree import (
    LabelName,
    NodePattern,
    ParenthesizedPath,
    PathElement,
    PathPattern,
    RelationshipPattern,
)


def without_hidden(
    statement: Statement, source: SourceText, dialect: Dialect, types: Sequence[str]
) -> Statement:
    """The statement as it must be asked. Raises :class:`QueryRefusedError` (code ``"hidden"``) if it cannot be."""
    rewriting = _Rewriting(source, dialect, types)
    changed = transform(statement, rewriting.change)
    if rewriting.has_added_names:
        _refuse_stars(statement, source)
    return changed


class _Rewriting:
    def __init__(self, source: SourceText, dialect: Dialect, types: Sequence[str]) -> None:
        self.source = source
        self.dialect = dialect
        self.types = types
        self.has_added_names = False
        self._numbers = itertools.count(1)
        self._former_predicates: dict[int, PatternSubquery] = {}

    def change(self, node: SyntaxNode) -> SyntaxNode:
        """A node in its new form; what is below it has its own already."""
        if isinstance(node, Match | PatternSubquery):
            named, conditions = self._hold(node.patterns)
            return node.changed(patterns=named, condition=_conjunction(node.condition, conditions))
        if isinstance(node, PatternComprehension):
            (pattern,), conditions = self._hold((node.pattern,))
            return node.changed(pattern=pattern, condition=_conjunction(node.condition, conditions))
        if isinstance(node, PatternPredicate):
            return self._predicate(node)
        if isinstance(node, FunctionCall):
            return self._call(node)
        return node

    def _predicate(self, node: PatternPredicate) -> SyntaxNode:
        """``(a)-->(b)`` as ``EXISTS { (a)-->(b) WHERE … }``: a predicate can have no condition of its own."""
        if "EXISTS { }" not in self.dialect.constructs:
            self._refuse(node)
        named, conditions = self._hold((node.pattern,))
        changed = PatternSubquery("EXISTS", "", named, _conjunction(None, conditions), span=node.span)
        self._former_predicates[id(changed)] = changed
        return changed

    def _call(self, node: FunctionCall) -> SyntaxNode:
        """``exists((a)-->(b))`` and ``size((a)-->(b))``, whose argument is a subquery now."""
        if len(node.arguments) != 1 or id(node.arguments[0]) not in self._former_predicates:
            return node
        argument = self._former_predicates[id(node.arguments[0])]
        name = node.name.lower()
        if name != "exists" and (name != "size" or "COUNT { }" not in self.dialect.constructs):
            self._refuse(node)
        kind: Literal["EXISTS", "COUNT"] = "EXISTS" if name == "exists" else "COUNT"
        return PatternSubquery(kind, "", argument.patterns, argument.condition, span=node.span)

    def _refuse(self, node: SyntaxNode) -> NoReturn:
        raise self.source.refusal(
            node.span,
            "this pattern may match what is not to be seen here",
            code="hidden",
            advice="Put it into a MATCH of its own.",
        )

    # Patterns

    def _hold(
        self, patterns: Sequence[PathPattern]
    ) -> tuple[tuple[PathPattern, ...], tuple[Expression, ...]]:
        """The patterns with a name for all that needs one, and what must hold for what they match to be visible."""
        conditions: dict[Expression, None] = {}
        named = []
        for pattern in patterns:
            if any(_varies(element) for element in pattern.elements):
                pattern = pattern.changed(variable=pattern.variable or self._new_name())
                conditions.update(dict.fromkeys(self._path_conditions(pattern)))
            else:
                pattern = pattern.changed(elements=tuple(map(self._named, pattern.elements)))
                conditions.update(dict.fromkeys(self._element_conditions(pattern)))
            named.append(pattern)
        return tuple(named), tuple(conditions)

    def _named(self, element: PathElement) -> PathElement:
        if isinstance(element, NodePattern) and element.variable is None:
            return element.changed(variable=self._new_name())
        if isinstance(element, RelationshipPattern) and element.variable is None and _is_open(element):
            return element.changed(variable=self._new_name())
        return element

    def _new_name(self) -> str:
        self.has_added_names = True
        return next(name for number in self._numbers if (name := f"_{number}") not in self.source.text)

    def _element_conditions(self, pattern: PathPattern) -> Iterator[Expression]:
        for element in pattern.elements:
            if isinstance(element, NodePattern):
                assert element.variable is not None
                yield self._is_visible_node(element.variable)
            elif isinstance(element, RelationshipPattern) and _is_open(element):
                assert element.variable is not None
                yield self._is_visible_edge(element.variable)

    def _path_conditions(self, pattern: PathPattern) -> Iterator[Expression]:
        assert pattern.variable is not None
        path, element = Variable(pattern.variable), self._new_name()
        nodes = FunctionCall("nodes", (path,))
        yield ListPredicate("all", element, nodes, self._is_visible_node(element))
        edges = [node for node in walk(pattern) if isinstance(node, RelationshipPattern)]
        if any(_is_open(edge) for edge in edges):
            relationships = FunctionCall("relationships", (path,))
            yield ListPredicate("all", element, relationships, self._is_visible_edge(element))

    def _is_visible_node(self, name: str) -> Expression:
        tests = [_has_not(name, type) for type in self.types]
        return tests[0] if len(tests) == 1 else Operation(("AND",) * (len(tests) - 1), tuple(tests))

    def _is_visible_edge(self, name: str) -> Expression:
        types = ListLiteral(tuple(Text(type) for type in self.types))
        return Unary("NOT", Operation(("IN",), (FunctionCall("type", (Variable(name),)), types)))


def _has_not(name: str, type: str) -> Expression:
    """That a node has not this label; for the type of those without a label, that it has one."""
    if type != UNTYPED:
        return Unary("NOT", LabelTest(Variable(name), LabelName(type)))
    # Nothing, or for an engine that lists one label without characters, that.
    first = FunctionCall("head", (FunctionCall("labels", (Variable(name),)),))
    return Operation(("<>",), (first, Text("")))


def _varies(element: PathElement) -> bool:
    """Whether a part of a path may have several relationships, or none."""
    if isinstance(element, RelationshipPattern):
        return element.length is not None or element.quantifier is not None
    return isinstance(element, ParenthesizedPath)


def _is_open(edge: RelationshipPattern) -> bool:
    """Whether it matches relationships of types that it does not name."""
    return label_names(edge.types) is None


def _conjunction(condition: Expression | None, more: Sequence[Expression]) -> Expression | None:
    parts = ([] if condition is None else [Parenthesized(condition)]) + [
        item if isinstance(item, Unary | ListPredicate) else Parenthesized(item) for item in more
    ]
    if not parts:
        return None
    return parts[0] if len(parts) == 1 else Operation(("AND",) * (len(parts) - 1), tuple(parts))


def _refuse_stars(statement: Statement, source: SourceText) -> None:
    """Variables that were added would be among what ``*`` stands for."""
    for node in walk(statement):
        is_star = (
            (isinstance(node, Projection) and node.everything)
            or (isinstance(node, CallSubquery) and node.scope_all)
            or (isinstance(node, CallProcedure) and node.yields_all)
        )
        if is_star:
            raise source.refusal(
                node.span,
                "not all that * stands for is to be seen here",
                code="hidden",
                advice="Name the columns.",
            )
