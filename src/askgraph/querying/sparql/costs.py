"""Queries whose cost has no bound: refused before an engine begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from ..possible_texts import PossibleTexts


def check_costs(form: AnyForm, nodes: Sequence[SyntaxNode], source: SourceText, policy: GatePolicy) -> None:
    """Raise :class:`QueryRefusedError` (code ``"cost"``) for a query whose cost nothing bounds.

    ``nodes`` are all the nodes of the query, in the order of the text.
    """
    if any(isinstance(node, RepeatedPath) for node in nodes):
        check_closures(form, nodes, source, policy)
    if not policy.refuse_costly:
        return
    calls = [node for node in nodes if isinstance(node, BuiltInCall) and node.name in ("REGEX", "REPLACE")]
    if calls:
        from .pattern_texts import PatternTexts

        _check_regular_expressions(calls, source, PatternTexts(nodes))
    if any(isinstance(node, InlineValues) for node in nodes):
        check_inline_rows(form, source, policy.longest_range)
    check_growth(form, source, policy.longest_range)
    check_products(form, source)


def _check_regular_expressions(
    calls: Sequence[BuiltInCall], source: SourceText, texts: PossibleTexts
) -> None:
    """Look at the regular expressions that the text tells."""
    from ..possible_texts import UnknownTextError

    for call in calls:
        pattern = call.arguments[1]
        try:
            known = texts.of(pattern)
        except UnknownTextError as error:
            raise source.refusal(
                error.node.span,
                "what this regular expression will be cannot be told",
                code="cost",
                advice="Write it as one text; CONTAINS and STRSTARTS need no expression.",
            ) from error
        if any(map(may_backtrack_forever, known)):
            raise source.refusal(
                pattern.span,
                "matching this regular expression may take for ever",
                code="cost",
                advice="Do not repeat what repeats already; CONTAINS and STRSTARTS need no expression.",
            )
