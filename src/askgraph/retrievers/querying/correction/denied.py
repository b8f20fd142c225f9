"""What a query excludes, and corrections that stand there: a guess would leave out other rows, and nobody would see it.

Where a pattern must be there, a relation that was guessed wrong shows: rows are missing, or say what nobody asked.
Where it must not be there (``NOT``, ``NOT EXISTS``, ``MINUS``), rows too many look like any others. So a guess is no
correction there: the query is not run as guessed, and what may be meant is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from ....querying.schema_check import ProblemCode
from ....querying.source import Span
from ....querying.tree import SyntaxNode, walk
from .changes import Change, ChangeKind
from .draft import Doubt, Draft

# A change that is less sure is a guess: another spelling of a name and the one direction that there is are more.
_SURE: Final = 0.9
_CODES: Final[Mapping[ChangeKind, ProblemCode]] = {
    "relation": "unknown-relation",
    "direction": "wrong-direction",
    "type": "unknown-type",
}


def hold_back_guesses(draft: Draft[Any]) -> None:
    """Say of each relation, direction and type that was changed in what a query excludes that it stands there; one that
    was guessed becomes a fault, so that the query is not run with it."""
    denied = tuple(_denied(draft.original))
    if not denied:
        return
    for number, (change, span) in enumerate(draft.places()):
        if change.kind not in _CODES or not any(_is_within(span, part) for part in denied):
            continue
        draft.changes[number] = replace(
            change, reason=f"{change.reason} (it stands in what is excluded: other rows are left out by it)"
        )
        if change.confidence < _SURE:
            draft.doubt(_guessed(change, span))


def _guessed(change: Change, span: Span) -> Doubt:
    return Doubt(
        _CODES[change.kind],
        f"{change.before} stands in what the query excludes, and that {change.after} is meant is a guess",
        span,
        f"Write {change.after} if that is what must not be there.",
        (change.after,),
    )


def _is_within(span: Span, part: Span) -> bool:
    return part.start <= span.start and span.end <= part.end


def _denied(tree: SyntaxNode) -> Iterator[Span]:
    """The parts of a query that must not be there."""
    from ....querying.cypher import expression_tree as cypher
    from ....querying.sparql import expression_tree as sparql
    from ....querying.sparql import pattern_tree

    for node in walk(tree):
        match node:
            case cypher.Unary(operator="NOT") | sparql.Unary(operator="!"):
                yield node.span
            case sparql.Exists(negated=True) | pattern_tree.MinusPattern():
                yield node.span
