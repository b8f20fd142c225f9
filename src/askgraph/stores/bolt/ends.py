"""Which types a relationship type joins, and about how many of its relationships join each pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ...core.schema import UNTYPED, EdgeEnds

_ROUNDS: Final = 20
_MOST_PAIRS: Final = 200
# The share of a seen pair that one not seen is taken to have, where a type of node must be at an end and was not seen.
_UNSEEN: Final = 0.01

SeenEnds = Mapping[tuple[tuple[str, ...], tuple[str, ...]], int]
"""For the labels of both ends how often they were seen."""


def edge_ends(
    total: int, seen: SeenEnds, sources: Mapping[str, int], targets: Mapping[str, int]
) -> tuple[tuple[EdgeEnds, ...], bool]:
    """The pairs of types, the most frequent first, and whether their counts are estimates.

    A node with several labels counts for each. Where one label stands at one end of all, the counts of the other end
    are those of the pairs. Else the pairs seen in a sample are scaled until they agree with the counts of both ends
    (iterative proportional fitting, Deming and Stephan 1940).

    Args:
        total: relationships of the type.
        seen: in a sample of them.
        sources: how many leave nodes with each label, where a server keeps such counts; else empty.
        targets: the same for those that enter.
    """
    pairs = _pairs(seen)
    looked_at = sum(seen.values())
    if not sources or not targets:
        exact = looked_at >= total
        scale = 1.0 if exact or not looked_at else total / looked_at
        return _ordered({pair: count * scale for pair, count in pairs.items()}), not exact
    if looked_at >= total:
        return _ordered(pairs), False
    if _is_everywhere(sources, total):
        return _ordered({(next(iter(sources)), target): count for target, count in targets.items()}), False
    if _is_everywhere(targets, total):
        return _ordered({(source, next(iter(targets))): count for source, count in sources.items()}), False
    return _ordered(_fitted(pairs, sources, targets)), True


def _pairs(seen: SeenEnds) -> dict[tuple[str, str], float]:
    pairs: dict[tuple[str, str], float] = {}
    for (sources, targets), count in seen.items():
        for source in sources or (UNTYPED,):
            for target in targets or (UNTYPED,):
                pairs[source, target] = pairs.get((source, target), 0) + count
    return pairs


def _is_everywhere(counts: Mapping[str, int], total: int) -> bool:
    return len(counts) == 1 and next(iter(counts.values())) >= total


def _fitted(
    pairs: Mapping[tuple[str, str], float], sources: Mapping[str, int], targets: Mapping[str, int]
) -> dict[tuple[str, str], float]:
    cells = {pair: count for pair, count in pairs.items() if pair[0] in sources and pair[1] in targets}
    least = _UNSEEN * min(cells.values(), default=1.0)
    seen_sources, seen_targets = {pair[0] for pair in cells}, {pair[1] for pair in cells}
    for source in sources:
        for target in targets:
            if source not in seen_sources or target not in seen_targets:
                cells[source, target] = least
    for _ in range(_ROUNDS):
        for side, wanted in ((0, sources), (1, targets)):
            sums: dict[str, float] = {}
            for pair, count in cells.items():
                sums[pair[side]] = sums.get(pair[side], 0.0) + count
            cells = {pair: count * wanted[pair[side]] / sums[pair[side]] for pair, count in cells.items()}
    return {pair: count for pair, count in cells.items() if count >= 0.5}


def _ordered(pairs: Mapping[tuple[str, str], float]) -> tuple[EdgeEnds, ...]:
    ends = [EdgeEnds(source, target, round(count)) for (source, target), count in pairs.items()]
    ends.sort(key=lambda item: (-item.count, item.source, item.target))
    return tuple(ends[:_MOST_PAIRS])


def without_types(ends: Sequence[EdgeEnds], hidden: Sequence[str]) -> tuple[EdgeEnds, ...]:
    """The pairs in which none of these types stands."""
    return tuple(item for item in ends if item.source not in hidden and item.target not in hidden)
