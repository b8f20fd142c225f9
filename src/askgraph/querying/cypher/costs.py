"""Queries whose cost has no bound: refused before an engine begins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..policy import GatePolicy
from ..regular_expressions import may_backtrack_forever
from ..source import SourceText
from ..tree import SyntaxNode, walk
from .clause_tree import Statement
from .expression_tree import (
    Expression,
    FunctionCall,
    Number,
    Operation,
    Parameter,
    Reduce,
    Text,
    Unary,
    Variable,
)
from .products import check_products

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
    statement: Statement, source: SourceText, policy: GatePolicy, parameters: Mapping[str, Any]
) -> None:
    """Raise :class:`QueryRefusedError` (code ``"cost"``) for a query whose cost nothing bounds."""
    for node in walk(statement):
        if isinstance(node, Operation) and "=~" in node.operators:
            _check_patterns(node.operands[1:], source, parameters)
        elif isinstance(node, FunctionCall):
            _check_call(node, source, policy, parameters)
        elif isinstance(node, Reduce):
            _check_reduce(node, source)
    check_products(statement, source)


def _check_call(
    call: FunctionCall, source: SourceText, policy: GatePolicy, parameters: Mapping[str, Any]
) -> None:
    name = call.name.lower()
    position = _REGULAR_EXPRESSION_FUNCTIONS.get(name)
    if position is not None:
        _check_patterns(call.arguments[position : position + 1], source, parameters)
    if name == "range" and (count := _range_size(call.arguments)) is not None and count > policy.longest_range:
        raise source.refusal(
            call.span,
            f"range() would make {count:,} numbers",
            code="cost",
            advice=f"At most {policy.longest_range:,} are allowed.",
        )


def _check_patterns(
    operands: Iterable[Expression], source: SourceText, parameters: Mapping[str, Any]
) -> None:
    """Look at the regular expressions that are known: literals, and parameters whose value was given."""
    for operand in operands:
        for node in walk(operand):
            pattern: object = None
            if isinstance(node, Text):
                pattern = node.value
            elif isinstance(node, Parameter):
                pattern = parameters.get(node.name)
            if isinstance(pattern, str) and may_backtrack_forever(pattern):
                raise source.refusal(
                    node.span,
                    "matching this regular expression may take for ever",
                    code="cost",
                    advice="Do not repeat what repeats already; CONTAINS and STARTS WITH need no expression.",
                )


def _range_size(arguments: tuple[Expression, ...]) -> int | None:
    """How many numbers ``range`` makes, if its arguments are literals."""
    numbers = [_integer(argument) for argument in arguments]
    if len(numbers) not in (2, 3) or any(number is None for number in numbers):
        return None
    start, end, step = [*numbers, 1][:3]
    assert start is not None
    assert end is not None
    return max(0, (end - start) // step + 1) if step else None


def _integer(node: Expression) -> int | None:
    if isinstance(node, Number):
        return node.integer
    if isinstance(node, Unary) and isinstance(node.operand, Number):
        value = node.operand.integer
        return -value if value is not None and node.operator == "-" else value
    return None


def _check_reduce(node: Reduce, source: SourceText) -> None:
    """A step that adds the accumulator to itself doubles it: forty steps fill any memory."""
    for part in walk(node.step):
        if isinstance(part, Operation) and part.operators[0] in ("+", "-", "||"):
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
