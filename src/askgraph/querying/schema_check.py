"""Whether a query asks for what the graph has: types, relations, properties, directions and kinds of value.

An engine gives no error for a label that does not exist, or an arrow that points the wrong way: it gives no rows, which
a reader takes for an answer. So this is looked at before a query runs, and said with the right name beside the wrong
one. What cannot be known (a label that is computed, a node that came out of a procedure) raises no problem.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Literal, Protocol

from ..core.schema import UNTYPED, EdgeType, Property, Schema
from ..core.suggestions import nearest_names
from ..core.values import ValueType, display
from .gate import CheckedQuery
from .source import SourceText, Span
from .tree import SyntaxNode

ProblemCode = Literal[
    "unknown-type",
    "unknown-relation",
    "unknown-property",
    "unknown-variable",
    "wrong-direction",
    "wrong-ends",
    "wrong-value",
    "wrong-language",
    "missing-type",
    "unknown-value",
    "ambiguous-value",
    "unknown-node",
]
Severity = Literal["error", "warning"]
_Found = tuple[str, str | None, tuple[str, ...], Severity]
Names = frozenset[str]
Arrow = Literal["out", "in", "any"]

_MOST_LISTED = 5
_MOST_PROBLEMS = 100
# A schema does not list every pair of types that a relationship joins if there are very many.
_MANY_ENDS = 100


@dataclass(frozen=True, slots=True)
class SchemaProblem:
    """A place where a query asks for what the graph does not have.

    Attributes:
        code: the kind of problem.
        message: what is wrong, in a sentence.
        advice: what to write instead, in a sentence; ``None`` where nothing is near.
        suggestions: right names, the nearest first.
        line, column: where in the query's original text, from 1.
        offset: the same from its beginning, from 0.
        excerpt: the line with a mark under the place.
        severity: ``"error"`` where what is asked for cannot be found, ``"warning"`` where the query may give rows all
            the same, or where not every value of the graph was looked at.
    """

    code: ProblemCode
    message: str
    advice: str | None
    suggestions: tuple[str, ...]
    line: int
    column: int
    offset: int
    excerpt: str
    severity: Severity = "error"

    def __str__(self) -> str:
        where = f"{self.message} (line {self.line}, column {self.column})"
        return "\n".join(part for part in (where, self.excerpt, self.advice) if part)


class _Language(Protocol):
    """What a language brings to the check, in a module ``schema_names`` of its package."""

    def find_problems(self, tree: SyntaxNode, rules: SchemaRules) -> None:
        """Ask the rules about everything that a query names."""


def check_schema(checked: CheckedQuery, schema: Schema) -> tuple[SchemaProblem, ...]:
    """The problems of a query with a graph's schema, in the order of its text."""
    return problems_of(checked.tree, checked.source, checked.language, schema)


def problems_of(
    tree: SyntaxNode, source: SourceText, language: str, schema: Schema
) -> tuple[SchemaProblem, ...]:
    """The same of a tree that may have been changed since it was read from its text."""
    rules = SchemaRules(schema, source)
    names: _Language = import_module(f".{language}.schema_names", __package__)
    names.find_problems(tree, rules)
    return rules.problems()


class SchemaRules:
    """A graph's schema as questions about one query; each wrong answer becomes a problem, once for each place."""

    def __init__(self, schema: Schema, source: SourceText) -> None:
        self.schema = schema
        self.source = source
        self._found: dict[tuple[Span, ProblemCode], _Found] = {}

    def problems(self) -> tuple[SchemaProblem, ...]:
        """What was found, in the order of the text; of very many the first ones."""
        places = sorted(self._found, key=lambda place: (place[0].start, place[1]))
        return tuple(self._problem(place, self._found[place]) for place in places[:_MOST_PROBLEMS])

    # Names

    def node_type(self, name: str, span: Span) -> None:
        """A type of nodes is named."""
        if self.schema.has_node_type(name):
            return
        advice = f"{name} is a type of relationships." if self.schema.has_edge_type(name) else None
        known = [item.id for item in self.schema.node_types if item.id != UNTYPED]
        self._unknown("unknown-type", f"the graph has no nodes of type {name}", name, known, span, advice)

    def edge_type(self, name: str, span: Span) -> None:
        """A type of relationships is named."""
        if self.schema.has_edge_type(name):
            return
        advice = f"{name} is a type of nodes." if self.schema.has_node_type(name) else None
        known = [item.id for item in self.schema.edge_types]
        message = f"the graph has no relationships of type {name}"
        self._unknown("unknown-relation", message, name, known, span, advice)

    def predicate(self, name: str, span: Span) -> None:
        """A predicate is named that is neither a type of edges nor a property."""
        known = [item.id for item in self.schema.edge_types]
        known += [item.key for item in self.schema.properties if not item.of_edges]
        self._unknown("unknown-relation", f"the graph has no predicate {name}", name, known, span, None)

    def either_type(self, name: str, span: Span) -> None:
        """A type is named, and it cannot be told whether of nodes or of relationships."""
        if not self.schema.has_edge_type(name):
            self.node_type(name, span)

    def variable(self, name: str, known: Iterable[str], span: Span, *, severity: Severity = "error") -> None:
        """A variable is used that nothing has bound."""
        message = f"nothing binds the variable {name}"
        self._unknown("unknown-variable", message, name, known, span, None, severity)

    def property(self, key: str, owners: Names | None, span: Span, *, of_edges: bool) -> None:
        """A property is read of a node or relationship of one of these types (``None``: of any)."""
        if any(item.key == key for item in self._properties(owners, of_edges=of_edges)):
            return
        if owners is not None and not any(self._has_type(owner, of_edges=of_edges) for owner in owners):
            return
        kind = "relationship" if of_edges else "node"
        whose = " or ".join(sorted(owners)) if owners else f"no {kind}"
        message = f"{whose} has no property {key}" if owners else f"{whose} of the graph has a property {key}"
        elsewhere = [
            item.owner for item in self.schema.properties if item.key == key and item.of_edges == of_edges
        ]
        advice = f"{_either(elsewhere)} has it." if elsewhere and owners else None
        known = [item.key for item in self._properties(owners, of_edges=of_edges)]
        self._unknown("unknown-property", message, key, known, span, advice)

    def _unknown(
        self,
        code: ProblemCode,
        message: str,
        name: str,
        known: Iterable[str],
        span: Span,
        advice: str | None,
        severity: Severity = "error",
    ) -> None:
        candidates = list(dict.fromkeys(known))
        near = nearest_names(
            name, candidates, labels={item: self.schema.label_of(item) for item in candidates}
        )
        if near:
            advice = " ".join(part for part in (f"Did you mean {_either(near)}?", advice) if part)
        elif advice is None and candidates:
            advice = f"There is {_listed(candidates)}."
        self.add(code, message, span, advice, near, severity)

    # Relations

    def edge(
        self, types: Names | None, left: Names | None, right: Names | None, arrow: Arrow, span: Span
    ) -> None:
        """A relationship of one of these types joins a node of the types ``left`` with one of the types ``right``.

        ``arrow`` says in which direction it is drawn; ``None`` stands for any type.
        """
        if types is None or (left is None and right is None):
            return
        known = self._edge_types(types)
        if not known:
            return
        wide_left, wide_right = self._widened(left), self._widened(right)
        forward = any(_joins(item, wide_left, wide_right) for item in known)
        backward = any(_joins(item, wide_right, wide_left) for item in known)
        if (forward and arrow != "in") or (backward and arrow != "out"):
            return
        names = _either(sorted(types))
        ends = "; ".join(f"{item.id} leads {_ends_of(item)}" for item in known)
        if forward or backward:
            message = f"{names} points the other way"
            self.add("wrong-direction", message, span, f"Turn the arrow: {ends}.", ())
        else:
            message = f"{names} does not join {_types(left)} with {_types(right)}"
            self.add("wrong-ends", message, span, f"In this graph {ends}.", ())

    def ends(self, types: Names | None, side: Literal["source", "target"]) -> Names | None:
        """The types of the nodes that relationships of these types begin or end with; ``None`` if not known."""
        known = self._edge_types(types) if types else []
        names = frozenset(getattr(pair, side) for item in known for pair in item.ends)
        return names if names and UNTYPED not in names else None

    def _edge_types(self, types: Names) -> list[EdgeType]:
        """The schema's account of these types; empty if it does not tell all their ends."""
        known = [self.schema.edge_type(name) for name in sorted(types) if self.schema.has_edge_type(name)]
        whole = all(item.ends and len(item.ends) < _MANY_ENDS for item in known)
        return known if whole and len(known) == len(types) else []

    # Values

    def values(self, key: str, owners: Names | None, *, of_edges: bool = False) -> tuple[Property, ...]:
        """What the schema tells of a property of nodes or relationships of these types (``None``: of any)."""
        return tuple(item for item in self._properties(owners, of_edges=of_edges) if item.key == key)

    def value(
        self,
        key: str,
        owners: Names | None,
        kind: ValueType,
        span: Span,
        *,
        of_edges: bool,
        severity: Severity = "error",
    ) -> None:
        """A property is compared with a value of this kind."""
        found = self.values(key, owners, of_edges=of_edges)
        kinds = tuple(dict.fromkeys(value for item in found for value in item.value_types))
        if not kinds or any(_are_comparable(kind, other) for other in kinds):
            return
        held = " or ".join(item.value for item in kinds)
        samples = [display(value) for item in found for value in item.samples][:3]
        shown = f", such as {', '.join(samples)}" if samples else ""
        self.add(
            "wrong-value",
            f"{key} holds {held}, not {kind.value}",
            span,
            f"Compare it with a value of the type {held}{shown}.",
            (),
            severity,
        )

    def _properties(self, owners: Names | None, *, of_edges: bool) -> tuple[Property, ...]:
        if owners is None:
            return self._all_properties[of_edges]
        widened = owners if of_edges else self._widened(owners) or owners
        return tuple(
            item for owner in sorted(widened) for item in self.schema.properties_of(owner, of_edges=of_edges)
        )

    @cached_property
    def _all_properties(self) -> dict[bool, tuple[Property, ...]]:
        return {
            of_edges: tuple(item for item in self.schema.properties if item.of_edges == of_edges)
            for of_edges in (False, True)
        }

    def _has_type(self, name: str, *, of_edges: bool) -> bool:
        return self.schema.has_edge_type(name) if of_edges else self.schema.has_node_type(name)

    def _widened(self, types: Names | None) -> Names | None:
        """The types with all above and below them; ``None`` if one of them is unknown, which is said elsewhere."""
        if types is None or not all(self.schema.has_node_type(name) for name in types):
            return None
        return frozenset(self.schema.with_subtypes(types)) | frozenset(self.schema.supertypes(types))

    def add(
        self,
        code: ProblemCode,
        message: str,
        span: Span,
        advice: str | None,
        suggestions: tuple[str, ...] = (),
        severity: Severity = "error",
    ) -> None:
        """A problem was found; of several with one code at one place the first is kept."""
        self._found.setdefault((span, code), (message, advice, suggestions, severity))

    def _problem(self, place: tuple[Span, ProblemCode], found: _Found) -> SchemaProblem:
        span, code = place
        message, advice, suggestions, severity = found
        line, column, offset = self.source.position(span.start)
        excerpt = self.source.excerpt(span)
        return SchemaProblem(code, message, advice, suggestions, line, column, offset, excerpt, severity)


def _joins(edge: EdgeType, source: Collection[str] | None, target: Collection[str] | None) -> bool:
    return any(
        (source is None or ends.source in source) and (target is None or ends.target in target)
        for ends in edge.ends
    )


def _are_comparable(one: ValueType, other: ValueType) -> bool:
    if one == other or other in (ValueType.OTHER, ValueType.LIST, ValueType.MAP):
        return True
    return (one.is_number and other.is_number) or (one.is_temporal and other.is_temporal)


def _ends_of(edge: EdgeType) -> str:
    pairs = [f"from {ends.source or 'untyped'} to {ends.target or 'untyped'}" for ends in edge.ends]
    return _listed(list(dict.fromkeys(pairs)))


def _types(names: Names | None) -> str:
    return _either(sorted(names)) if names else "any node"


def _either(names: Iterable[str]) -> str:
    return " or ".join(dict.fromkeys(names))


def _listed(names: list[str]) -> str:
    shown = ", ".join(names[:_MOST_LISTED])
    return f"{shown} and {len(names) - _MOST_LISTED} more" if len(names) > _MOST_LISTED else shown
