"""The path cap: a path without an end gets one, for the number of paths grows with a power of their length."""

from __future__ import annotations

from collections.abc import Iterable

from ..policy import GatePolicy
from ..source import SourceText
from ..tree import SyntaxNode, map_children
from .clause_tree import Statement
from .expression_tree import Expression, Number
from .pattern_tree import (
    ParenthesizedPath,
    PathLength,
    PathPattern,
    Quantifier,
    RelationshipPattern,
    ShortestPath,
)

_MOST_SHORTEST = 100
"""Who asks for the thousand shortest paths asks for all of them."""


def has_long_paths(nodes: Iterable[SyntaxNode]) -> bool:
    """Whether a query, given by all its nodes, has paths whose length varies."""
    return any(isinstance(node, PathLength | Quantifier) for node in nodes)


def cap_paths(
    statement: Statement, source: SourceText, policy: GatePolicy
) -> tuple[Statement, tuple[str, ...]]:
    """The statement with no path longer than the policy allows, and what was changed, in plain sentences.

    Shortest paths, if few of them are wanted, are left alone: an engine finds them without going through all. Raises
    :class:`QueryRefusedError`
    (code ``"cost"``) for a path that must be longer than allowed, or for any that has no end where the policy says so.
    """
    if policy.unbounded_paths == "allow":
        return statement, ()
    cap = _PathCap(source, policy)
    changed = cap.change(statement, exempt=False)
    assert isinstance(changed, Statement)
    return changed, (cap.note,) if cap.note else ()


class _PathCap:
    def __init__(self, source: SourceText, policy: GatePolicy) -> None:
        self.source = source
        self.longest = policy.longest_path
        self.refuses = policy.unbounded_paths == "refuse"
        self.note = ""

    def change(self, node: SyntaxNode, *, exempt: bool) -> SyntaxNode:
        if isinstance(node, Expression):
            exempt = False
        elif isinstance(node, ShortestPath) or _selects_shortest(node):
            exempt = True
        node = map_children(node, lambda child: self.change(child, exempt=exempt))
        if exempt:
            return node
        if isinstance(node, RelationshipPattern) and node.length and not _finds_shortest(node.length):
            return node.changed(length=self._length(node.length))
        if isinstance(node, RelationshipPattern | ParenthesizedPath) and node.quantifier:
            return node.changed(quantifier=self._quantifier(node.quantifier))
        return node

    def _length(self, length: PathLength) -> PathLength:
        if not self._is_too_long(length, length.minimum or 1, length.maximum):
            return length
        return length.changed(maximum=self.longest, exact=False)

    def _quantifier(self, quantifier: Quantifier) -> Quantifier:
        if not self._is_too_long(quantifier, quantifier.minimum, quantifier.maximum):
            return quantifier
        return quantifier.changed(maximum=self.longest)

    def _is_too_long(self, node: SyntaxNode, minimum: int, maximum: int | None) -> bool:
        if maximum is not None and maximum <= self.longest:
            return False
        if self.refuses or minimum > self.longest:
            found = "has no end" if maximum is None else f"may have {maximum:,} relationships"
            raise self.source.refusal(
                node.span,
                f"this path {found}",
                code="cost",
                advice=f"Give it an end of at most {self.longest} relationships.",
            )
        self.note = f"paths were followed over at most {self.longest} relationships"
        return True


def _finds_shortest(length: PathLength) -> bool:
    """Whether an expansion goes to each node once (``*BFS``, ``* ALL SHORTEST``); ``*DFS`` and ``* TRAIL`` do not."""
    return any(word == "BFS" or word.endswith("SHORTEST") for word in length.algorithm.split())


def _selects_shortest(node: SyntaxNode) -> bool:
    if not isinstance(node, PathPattern) or node.selector is None:
        return False
    count = node.selector.count
    if isinstance(count, Number) and (count.integer is None or count.integer > _MOST_SHORTEST):
        return False
    return node.selector.kind.startswith(("SHORTEST", "ANY", "ALL SHORTEST"))
