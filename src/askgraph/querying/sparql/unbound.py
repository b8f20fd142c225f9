"""Variables that are selected, compared or sorted by, and that nothing in the query can bind."""

from __future__ import annotations

from collections.abc import Iterable

from ..schema_check import SchemaRules, Severity
from ..tree import SyntaxNode, children, walk
from .expression_tree import BuiltInCall, Exists, Membership, Operation, Unary
from .pattern_tree import (
    Bind,
    Filter,
    Group,
    GroupPattern,
    InlineValues,
    MinusPattern,
    NamedGraphPattern,
    OptionalPattern,
    ServicePattern,
    SubSelect,
    TriplesBlock,
    UnionPattern,
)
from .query_tree import AnyForm, AskQuery, Assignment, ConstructQuery, DescribeQuery, Projection, SelectQuery
from .scopes import visible_variables
from .term_tree import Variable

_LENIENT = ("BOUND", "COALESCE", "IF")
"""Functions that give a value although a variable has none."""

Known = dict[str, None]


def check_variables(form: AnyForm, rules: SchemaRules) -> None:
    """Ask the rules about every variable that is used; nothing, where another service may bind what it likes."""
    if not any(isinstance(node, ServicePattern) for node in walk(form)):
        _Variables(rules, form).form(form)


class _Variables:
    """A walk over a query in the order of its text.

    Attributes:
        anywhere: what is bound somewhere, if not where it is used.
        put_in: inside EXISTS, the variables around it, whose values are put into the pattern however deep.
    """

    def __init__(self, rules: SchemaRules, form: AnyForm) -> None:
        self.rules = rules
        self.anywhere = _bound_anywhere(form)
        self.put_in: Known = {}

    # Queries

    def form(self, form: AnyForm) -> None:
        known: Known = {}
        if form.where is not None:
            self.group(form.where, {}, is_required=True)
            known = _visible(form.where)
        known |= _names(form.values.variables if form.values else ())
        if isinstance(form, SelectQuery):
            self.solutions(form, known)
            return
        self.solutions(form, known)
        if isinstance(form, ConstructQuery) and form.template is not None:
            self.used(form.template, known)
        elif isinstance(form, DescribeQuery):
            for target in form.targets:
                self.used(target, known)

    def solutions(
        self, query: SelectQuery | SubSelect | ConstructQuery | AskQuery | DescribeQuery, known: Known
    ) -> None:
        """What is selected, grouped and sorted of the solutions of a pattern."""
        modifiers = query.modifiers
        for key in modifiers.group_by:
            self.used(key.expression if isinstance(key, Assignment) else key, known)
            if isinstance(key, Assignment):
                known = known | {key.variable.name: None}
        if isinstance(query, SelectQuery | SubSelect):
            known = self._columns(query.projection, known)
        for node in (*modifiers.having, *(condition.expression for condition in modifiers.order_by)):
            self.used(node, known)

    def _columns(self, projection: Projection, known: Known) -> Known:
        for item in projection.items:
            self.used(item.expression if isinstance(item, Assignment) else item, known)
            if isinstance(item, Assignment):
                known = known | {item.variable.name: None}
        return known

    # Patterns

    def group(self, group: Group, outside: Known, *, is_required: bool) -> None:
        """Look at the conditions of a group. ``outside`` is what they see beside that which the group binds."""
        if isinstance(group, SubSelect):
            self.group(group.where, {}, is_required=is_required)
            inner = _visible(group.where) | _names(group.values.variables if group.values else ())
            self.solutions(group, inner)
            return
        assert isinstance(group, GroupPattern)
        known = self.put_in | outside | _visible(group)
        before = self.put_in | outside
        for element in group.elements:
            if isinstance(element, Filter):
                self.condition(element.condition, known, is_required=is_required)
            elif isinstance(element, Bind):
                self.used(element.expression, before)
            elif isinstance(element, OptionalPattern):
                self.group(element.pattern, before | _visible(element.pattern), is_required=False)
            elif isinstance(element, UnionPattern):
                for branch in element.branches:
                    self.group(branch, {}, is_required=False)
            elif isinstance(element, MinusPattern):
                self.group(element.pattern, {}, is_required=False)
            elif isinstance(element, Group):
                self.group(element, {}, is_required=is_required)
            else:
                for child in children(element):
                    if isinstance(child, Group):
                        self.group(child, {}, is_required=is_required)
            before |= _visible(GroupPattern((element,)))

    def condition(self, node: SyntaxNode, known: Known, *, is_required: bool) -> None:
        """Look at a condition. Where it is required, one that has no value for want of a variable lets nothing pass."""
        if isinstance(node, Variable):
            if node.name not in known:
                self.unbound(node, known, "error" if is_required else "warning")
        elif isinstance(node, Exists):
            outside, self.put_in = self.put_in, self.put_in | known
            self.group(node.pattern, {}, is_required=False)
            self.put_in = outside
        else:
            strict = is_required and not _is_lenient(node)
            for child in children(node):
                self.condition(child, known, is_required=strict)

    def used(self, node: SyntaxNode, known: Known) -> None:
        """Look at an expression without which there are rows all the same."""
        self.condition(node, known, is_required=False)

    def unbound(self, variable: Variable, known: Iterable[str], severity: Severity) -> None:
        shown = [f"?{name}" for name in known]
        if variable.name in self.anywhere:
            self.rules.add(
                "unknown-variable",
                f"?{variable.name} has no value here",
                variable.span,
                "What is inside braces does not see what is bound outside, and BIND sees what stands before it. "
                f"Move this to where ?{variable.name} is bound.",
                severity="warning",
            )
            return
        self.rules.variable(f"?{variable.name}", shown, variable.span, severity=severity)


def _is_lenient(node: SyntaxNode) -> bool:
    """Whether an expression may have a value although a part of it has none."""
    if isinstance(node, BuiltInCall):
        return node.name in _LENIENT
    if isinstance(node, Unary):
        return node.operator == "!"
    return isinstance(node, Membership) or (isinstance(node, Operation) and node.operators[0] == "||")


def _bound_anywhere(form: AnyForm) -> frozenset[str]:
    """The variables that stand in a pattern, or that something is given to."""
    found: set[str] = set()
    for node in () if form.where is None else walk(form.where):
        if isinstance(node, TriplesBlock | NamedGraphPattern | InlineValues):
            found.update(visible_variables(GroupPattern((node,))))
        elif isinstance(node, Assignment | Bind):
            found.add(node.variable.name)
    return frozenset(found)


def _visible(group: Group) -> Known:
    return dict.fromkeys(visible_variables(group))


def _names(variables: Iterable[Variable]) -> Known:
    return {variable.name: None for variable in variables}
