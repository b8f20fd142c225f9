"""Which variables can be seen where, and the rules that follow from it.

What a pattern binds is in scope (SPARQL 1.1 §18.2.1). A variable that ``AS`` makes must not be in scope already; and
where solutions are grouped, what is selected must be a group key or made of aggregates (§11.4).
"""

from __future__ import annotations

from collections.abc import Iterable

from ..source import SourceText
from ..tree import SyntaxNode, children
from .expression_tree import Aggregate, Exists
from .pattern_tree import (
    Bind,
    Filter,
    Group,
    GroupPattern,
    InlineValues,
    MinusPattern,
    NamedGraphPattern,
    OptionalPattern,
    PatternElement,
    ServicePattern,
    SubSelect,
    TriplesBlock,
    UnionPattern,
)
from .query_tree import AnyForm, Assignment, Projection, SelectQuery, SolutionModifiers
from .term_tree import Expression, Variable

Scope = dict[str, None]
"""Names of variables, in the order in which the text binds them."""


def check_scopes(form: AnyForm, source: SourceText) -> None:
    """Raise :class:`QuerySyntaxError` (code ``"scope"``) for a variable that stands where it may not."""
    checker = _Checker(source)
    visible = {} if form.where is None else checker.group(form.where)
    projection = form.projection if isinstance(form, SelectQuery) else None
    checker.query(projection, form.modifiers, visible)


def visible_variables(group: Group) -> tuple[str, ...]:
    """The variables that a group binds: the columns of ``SELECT *``, in the order of the text."""
    return tuple(_Checker(SourceText("")).group(group))


class _Checker:
    """Walks a tree once; what it finds of a part is what that part binds."""

    def __init__(self, source: SourceText) -> None:
        self.source = source

    # Patterns

    def group(self, group: Group) -> Scope:
        if isinstance(group, SubSelect):
            return self._sub_select(group)
        assert isinstance(group, GroupPattern)
        scope: Scope = {}
        for element in group.elements:
            if isinstance(element, Bind) and element.variable.name in scope:
                self._taken(element.variable, "BIND")
            scope.update(self._element(element))
        return scope

    def _sub_select(self, query: SubSelect) -> Scope:
        inner = self.group(query.where)
        if query.values is not None:
            inner.update(_names(query.values.variables))
        return self.query(query.projection, query.modifiers, inner)

    def _element(self, element: PatternElement) -> Scope:
        if isinstance(element, Group):
            return self.group(element)
        if isinstance(element, TriplesBlock):
            return _all_variables(element)
        if isinstance(element, OptionalPattern):
            return self.group(element.pattern)
        if isinstance(element, UnionPattern):
            scope: Scope = {}
            for branch in element.branches:
                scope.update(self.group(branch))
            return scope
        if isinstance(element, NamedGraphPattern | ServicePattern):
            place = element.graph if isinstance(element, NamedGraphPattern) else element.endpoint
            return _all_variables(place) | self.group(element.pattern)
        if isinstance(element, InlineValues):
            return _names(element.variables)
        if isinstance(element, Bind):
            self.expression(element.expression)
            return _names([element.variable])
        if isinstance(element, Filter):
            self.expression(element.condition)
        elif isinstance(element, MinusPattern):
            self.group(element.pattern)
        return {}

    def expression(self, expression: Expression) -> None:
        """Look at the patterns inside an expression; what they bind is not seen outside."""
        for node in _within(expression, Exists):
            if isinstance(node, Exists):
                self.group(node.pattern)

    # Queries

    def query(self, projection: Projection | None, modifiers: SolutionModifiers, visible: Scope) -> Scope:
        """What a query with these parts gives to its surroundings; ``visible`` is what its pattern binds."""
        keys = self._group_keys(modifiers, visible)
        for expression in (*modifiers.having, *(condition.expression for condition in modifiers.order_by)):
            self.expression(expression)
        if projection is None:
            return {}
        grouped = bool(modifiers.group_by) or _has_aggregates(projection, modifiers)
        if projection.everything:
            if grouped:
                self._fail(projection, "SELECT * cannot be grouped", "Name the columns.")
            return visible
        return self._columns(projection, visible, keys if grouped else None)

    def _group_keys(self, modifiers: SolutionModifiers, visible: Scope) -> Scope:
        keys: Scope = {}
        for key in modifiers.group_by:
            if isinstance(key, Assignment):
                if key.variable.name in visible or key.variable.name in keys:
                    self._taken(key.variable, "GROUP BY")
                self.expression(key.expression)
                keys[key.variable.name] = None
            elif isinstance(key, Variable):
                keys[key.name] = None
            else:
                self.expression(key)
        return keys

    def _columns(self, projection: Projection, visible: Scope, keys: Scope | None) -> Scope:
        """The columns of a query; ``keys`` are the group keys where its solutions are grouped."""
        columns: Scope = {}
        for item in projection.items:
            variable = item if isinstance(item, Variable) else item.variable
            if isinstance(item, Assignment):
                self.expression(item.expression)
                if variable.name in visible or variable.name in columns or (keys and variable.name in keys):
                    self._taken(variable, "SELECT")
            if keys is not None:
                self._check_grouped(item, keys, columns)
            columns[variable.name] = None
        return columns

    def _check_grouped(self, item: Variable | Assignment, keys: Scope, columns: Scope) -> None:
        expression = item if isinstance(item, Variable) else item.expression
        for node in _within(expression, Variable, Aggregate, Exists):
            # What an earlier column computes can be used by a later one.
            if isinstance(node, Variable) and node.name not in keys and node.name not in columns:
                self._fail(
                    node,
                    f"?{node.name} is neither grouped nor aggregated",
                    f"Add ?{node.name} to GROUP BY, or take one of its values: SAMPLE(?{node.name}).",
                )

    def _taken(self, variable: Variable, word: str) -> None:
        self._fail(
            variable,
            f"?{variable.name} has a value already, {word} cannot give it another",
            "Choose a new name.",
        )

    def _fail(self, node: SyntaxNode, message: str, advice: str) -> None:
        raise self.source.syntax_error(node.span, message, code="scope", advice=advice)


def _names(variables: Iterable[Variable]) -> Scope:
    return {variable.name: None for variable in variables}


def _all_variables(node: SyntaxNode) -> Scope:
    return _names(found for found in _within(node, Variable) if isinstance(found, Variable))


def _has_aggregates(projection: Projection, modifiers: SolutionModifiers) -> bool:
    parts = [item for item in projection.items if isinstance(item, Assignment)]
    return any(
        isinstance(node, Aggregate)
        for part in (*parts, *modifiers.having, *modifiers.order_by)
        for node in _within(part, Aggregate, Exists)
    )


def _within(root: SyntaxNode, *kinds: type[SyntaxNode]) -> Iterable[SyntaxNode]:
    """The nodes of these kinds, in the order of the text; what is below one of them is not looked at."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, kinds):
            yield node
        else:
            waiting += reversed(list(children(node)))
