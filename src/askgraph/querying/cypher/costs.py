"""Queries whose cost has no bound: refused before an engine begins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..policy import GatePolicy
from ..regular_expressions import may_backtrack_forever
from ..source import SourceText
from ..tree import SyntaxNode, walk
from .clause_tree import Unwind
from .expression_tree import (
    Expression,
    FunctionCall,
    ListComprehension,
    ListLiteral,
    Operation,
    Reduce,
    Variable,
)
from .pattern_tree import PathPattern
from .products import check_products

if TYPE_CHECKING:
    from ..possible_texts import PossibleTexts

_REGULAR_EXPRESSION_FUNCTIONS = {
    "regexp_matches": 1,
    "regexp_full_match": 1,
    "regexp_replace": 1,
    "regexp_extract": 1,
    "regexp_extract_all": 1,
    "string.matchregex": 1,
    "string.replaceregex": 1,
}
"""For each function of a dialect that takes one: which argument is the regular expression."""


def check_costs(
    nodes: Sequence[SyntaxNode], source: SourceText, policy: GatePolicy, parameters: Mapping[str, Any]
) -> None:
    """Raise :class:`QueryRefusedError` (code ``"cost"``) for a query whose cost nothing bounds.

    ``nodes`` are all the nodes of the query, in the order of the text.
    """
    paths = growing = 0
    expressions: list[Expression] = []
    for node in nodes:
        paths += isinstance(node, PathPattern)
        growing += _growth(node)
        if isinstance(node, Operation) and "=~" in node.operators:
            expressions += node.operands[1:]
        elif isinstance(node, FunctionCall):
            expressions += _pattern_of(node)
        elif isinstance(node, Reduce):
            _check_reduce(node, source)
    # What few queries need is loaded when it is needed.
    if expressions:
        from .pattern_texts import PatternTexts

        _check_patterns(expressions, source, PatternTexts(nodes, parameters))
    if growing >= _MUCH or (growing and len(nodes) > _LONG):
        from .loops import check_loops

        check_loops(nodes[0], source, policy.longest_range, parameters)
    if paths > 1:
        check_products(nodes[0], source)


def _growth(node: SyntaxNode) -> int:
    """How much a node may add to what a query makes without any data."""
    if isinstance(node, Operation):
        return "+" in node.operators or "||" in node.operators
    if isinstance(node, FunctionCall):
        return _MUCH if node.name.lower() in _GROWING_FUNCTIONS else 0
    if isinstance(node, Reduce):
        return _MUCH
    return 2 if isinstance(node, Unwind) else isinstance(node, ListComprehension | ListLiteral)


_MUCH = 3
_LONG = 2_000
_GROWING_FUNCTIONS = (
    "range",
    "repeat",
    "lpad",
    "rpad",
    "replace",
    "regexp_replace",
    "string.replaceregex",
    "string.join",
    "join",
    "list_to_string",
)


def _pattern_of(call: FunctionCall) -> tuple[Expression, ...]:
    """The regular expression that a function is given, if it takes one."""
    position = _REGULAR_EXPRESSION_FUNCTIONS.get(call.name.lower())
    return () if position is None else call.arguments[position : position + 1]


def _check_patterns(operands: Iterable[Expression], source: SourceText, texts: PossibleTexts) -> None:
    """Look at the regular expressions that are known: literals, and parameters whose value was given."""
    from ..possible_texts import UnknownTextError

    for operand in operands:
        try:
            known = texts.of(operand)
        except UnknownTextError as error:
            raise source.refusal(
                error.node.span,
                "what this regular expression will be cannot be told",
                code="cost",
                advice="Write it as one text; CONTAINS and STARTS WITH need no expression.",
            ) from error
        if any(map(may_backtrack_forever, known)):
            raise source.refusal(
                operand.span,
                "matching this regular expression may take for ever",
                code="cost",
                advice="Do not repeat what repeats already; CONTAINS and STARTS WITH need no expression.",
            )


def _check_reduce(node: Reduce, source: SourceText) -> None:
    """A step that adds the accumulator to itself doubles it: forty steps fill any memory."""
    for part in walk(node.step):
        if not isinstance(part, Operation) or part.operators[0] not in ("+", "-", "||"):
            continue
        if sum(_is_accumulator(operand, node.accumulator) for operand in part.operands) > 1:
            raise source.refusal(
                part.span,
                f"every step of reduce would double {node.accumulator}",
                code="cost",
                advice="Add something else than the accumulator itself.",
            )


def _is_accumulator(node: SyntaxNode, name: str) -> bool:
    while hasattr(node, "inner"):
        node = node.inner
    return isinstance(node, Variable) and node.name == name
