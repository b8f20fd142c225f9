"""Whether the values that a SPARQL query asks for are of the kind, and in the language, that the graph has.

``?x e:born "1960"`` finds nothing where years are numbers, and neither does ``?x rdfs:label "Ann"`` where labels are
written ``"Ann"@en``; no engine says so. A condition is only called wrong if it can never hold, whichever way it is met:
of alternatives (``||``, ``IN``, UNION, VALUES) every one must be wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ..schema_check import SchemaRules
from .expression_tree import BuiltInCall, Exists, Membership, Operation
from .findings import Finding, as_warnings, if_all
from .pattern_tree import (
    Filter,
    Group,
    GroupPattern,
    InlineValues,
    MinusPattern,
    NamedGraphPattern,
    OptionalPattern,
    PatternElement,
    SubSelect,
    UnionPattern,
    ValuesRow,
)
from .property_values import PropertyValues, values_of
from .query_tree import AnyForm
from .term_tree import Expression, RdfLiteral, StringLiteral, Variable
from .value_sources import Origin, Origins, Source, origins_in, triples_in, value_source
from .variable_classes import Classes, with_classes

_COMPARISONS = ("=", "<", ">", "<=", ">=")
_TEXT_TESTS = ("CONTAINS", "STRSTARTS", "STRENDS", "REGEX", "STRLEN", "LCASE", "UCASE", "SUBSTR")
_KEEPS_LANGUAGE = ("LCASE", "UCASE", "SUBSTR", "STRBEFORE")


_Question = Callable[[Source], list[Finding]]


def check_values(form: AnyForm, rules: SchemaRules) -> None:
    """Tell the rules about every value that the graph cannot have where it is asked for."""
    if form.where is None:
        return
    values = _Values(rules)
    found = values.group(form.where, {}, {})
    if form.values is not None:
        found += values.inline(form.values, origins_in(form.where, {}))
    for finding in found:
        rules.add(*finding)


class _Values:
    """What is wrong with the parts of a query. ``origins`` say where the variables around a part come from."""

    def __init__(self, rules: SchemaRules) -> None:
        self.rules = rules

    # Patterns

    def group(self, group: Group, origins: Origins, classes: Classes) -> list[Finding]:
        if isinstance(group, SubSelect):
            found = self.group(group.where, {}, {})
            if group.values is not None:
                found += self.inline(group.values, origins_in(group.where, {}))
            return found
        assert isinstance(group, GroupPattern)
        triples = triples_in(group)
        classes = with_classes(classes, triples)
        origins = origins | origins_in(group, classes)
        found = []
        for triple in triples:
            source = value_source(triple, classes)
            if source is not None and isinstance(triple.object, RdfLiteral):
                found += self.asked_for(triple.object, source)
        for element in group.elements:
            found += self._element(element, origins, classes)
        return found

    def _element(self, element: PatternElement, origins: Origins, classes: Classes) -> list[Finding]:
        if isinstance(element, Filter):
            return self.condition(element.condition, origins, classes)
        if isinstance(element, OptionalPattern):
            return as_warnings(self.group(element.pattern, origins, classes))
        if isinstance(element, MinusPattern):
            return as_warnings(self.group(element.pattern, {}, {}))
        if isinstance(element, UnionPattern):
            return if_all(self.group(branch, {}, classes) for branch in element.branches)
        if isinstance(element, NamedGraphPattern):
            return self.group(element.pattern, {}, classes)
        if isinstance(element, Group):
            return self.group(element, {}, classes)
        return self.inline(element, origins) if isinstance(element, InlineValues) else []

    def inline(self, values: InlineValues, origins: Origins) -> list[Finding]:
        """Rows of VALUES, each of which is an alternative."""
        return if_all(self._row(values, row, origins) for row in values.rows)

    def _row(self, values: InlineValues, row: ValuesRow, origins: Origins) -> list[Finding]:
        found = []
        for variable, value in zip(values.variables, row.values, strict=True):
            if isinstance(value, RdfLiteral) and variable.name in origins:
                found += self._of_origin(origins[variable.name], partial(self.asked_for, value))
        return found

    # Conditions

    def condition(self, node: Expression, origins: Origins, classes: Classes) -> list[Finding]:
        """Why a condition can never hold; nothing if it can, or if that cannot be told."""
        if isinstance(node, Operation):
            return self._operation(node, origins, classes)
        if isinstance(node, Membership) and not node.negated:
            return if_all(self._compared(node.operand, item, "=", origins) for item in node.items)
        if isinstance(node, Exists):
            found = self.group(node.pattern, origins, classes)
            return as_warnings(found) if node.negated else found
        if isinstance(node, BuiltInCall) and node.name == "LANGMATCHES":
            return self._language(node.arguments[0], node.arguments[1], origins, is_range=True)
        return self._text_test(node, origins)

    def _operation(self, node: Operation, origins: Origins, classes: Classes) -> list[Finding]:
        operator = node.operators[0]
        if operator == "&&":
            return [item for part in node.operands for item in self.condition(part, origins, classes)]
        if operator == "||":
            return if_all(self.condition(part, origins, classes) for part in node.operands)
        if operator not in _COMPARISONS or len(node.operands) != 2:
            return []
        left, right = node.operands
        return self._compared(left, right, operator, origins) or self._compared(
            right, left, operator, origins
        )

    def _compared(
        self, side: Expression, literal: Expression, operator: str, origins: Origins
    ) -> list[Finding]:
        """A variable, or a function of one, is compared with a literal."""
        if not isinstance(literal, RdfLiteral):
            return self._text_test(side, origins)
        if isinstance(side, BuiltInCall) and side.name == "LANG" and operator == "=":
            return self._language(side, literal, origins, is_range=False)
        is_computed = isinstance(side, BuiltInCall) and side.name in _KEEPS_LANGUAGE
        variable = side.arguments[0] if is_computed else side  # type: ignore[attr-defined]
        if not isinstance(variable, Variable) or variable.name not in origins:
            return self._text_test(side, origins)
        return self._text_test(side, origins) or self._of_origin(
            origins[variable.name], lambda source: self._comparable(literal, source, operator)
        )

    def _text_test(self, node: Expression, origins: Origins) -> list[Finding]:
        """Functions of texts are given what is none."""
        if not isinstance(node, BuiltInCall) or node.name not in _TEXT_TESTS:
            return []
        first = node.arguments[0]
        if isinstance(first, BuiltInCall):
            return self._text_test(first, origins)
        if not isinstance(first, Variable) or first.name not in origins:
            return []
        return self._of_origin(origins[first.name], lambda source: self._of_text(first, node.name, source))

    def _of_origin(self, origin: Origin, ask: _Question) -> list[Finding]:
        for source in origin.certain:
            if found := ask(source):
                return found
        if origin.certain or origin.is_open:
            return []
        return if_all([*map(ask, origin.possible)])[:1]

    # One property and one value

    def _known(self, source: Source, ask: Callable[[PropertyValues], list[Finding]]) -> list[Finding]:
        held = values_of(self.rules, source)
        return [] if held is None else ask(held)

    def asked_for(self, literal: RdfLiteral, source: Source) -> list[Finding]:
        """A value that must be there as it is written."""
        return self._known(source, lambda held: held.lacks(literal))

    def _comparable(self, literal: RdfLiteral, source: Source, operator: str) -> list[Finding]:
        return self._known(source, lambda held: held.never_compares(literal, operator))

    def _of_text(self, node: Variable, function: str, source: Source) -> list[Finding]:
        return self._known(source, lambda held: held.is_no_text(node, function))

    def _language(
        self, call: Expression, wanted: Expression, origins: Origins, *, is_range: bool
    ) -> list[Finding]:
        """``LANG(?x) = "en"``, ``LANGMATCHES(LANG(?x), "en")``."""
        if not isinstance(call, BuiltInCall) or call.name != "LANG" or not isinstance(wanted, StringLiteral):
            return []
        variable = call.arguments[0]
        if not isinstance(variable, Variable) or variable.name not in origins:
            return []

        def ask(source: Source) -> list[Finding]:
            return self._known(source, lambda held: held.lacks_language(wanted, is_range=is_range))

        return self._of_origin(origins[variable.name], ask)
