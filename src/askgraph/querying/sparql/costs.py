"""Queries whose cost has no bound: refused before an engine begins."""

from __future__ import annotations

from collections.abc import Sequence

from ..policy import GatePolicy
from ..regular_expressions import may_backtrack_forever
from ..source import SourceText
from ..tree import SyntaxNode
from .closures import check_closures
from .expression_tree import BuiltInCall
from .growth import check_growth
from .inline_rows import check_inline_rows
from .path_tree import RepeatedPath
from .pattern_tree import InlineValues
from .products import check_products
from .query_tree import AnyForm
from .term_tree import StringLiteral


def check_costs(form: AnyForm, nodes: Sequence[SyntaxNode], source: SourceText, policy: GatePolicy) -> None:
    """Raise :class:`QueryRefusedError` (code ``"cost"``) for a query whose cost nothing bounds.

    ``nodes`` are all the nodes of the query, in the order of the text.
    """
    if any(isinstance(node, RepeatedPath) for node in nodes):
        check_closures(form, nodes, source, policy)
    if not policy.refuse_costly:
        return
    for node in nodes:
        if isinstance(node, BuiltInCall) and node.name in ("REGEX", "REPLACE"):
            _check_regular_expression(node, source)
    if any(isinstance(node, InlineValues) for node in nodes):
        check_inline_rows(form, source, policy.longest_range)
    check_growth(form, source, policy.longest_range)
    check_products(form, source)


def _check_regular_expression(call: BuiltInCall, source: SourceText) -> None:
    """Look at a regular expression that the text tells."""
    pattern = call.arguments[1]
    if isinstance(pattern, StringLiteral) and may_backtrack_forever(pattern.value):
        raise source.refusal(
            pattern.span,
            "matching this regular expression may take for ever",
            code="cost",
            advice="Do not repeat what repeats already; CONTAINS and STRSTARTS need no expression.",
        )
