"""Small networks by lot, for hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from askgraph.algorithms import Network


@st.composite
def networks(
    draw: st.DrawFn, *, least: int = 1, most: int = 14, loops: bool = True, weighted: bool = False
) -> Network:
    count = draw(st.integers(least, most))
    ends = st.integers(0, count - 1)
    edges = draw(st.lists(st.tuples(ends, ends), max_size=3 * count))
    if not loops:
        edges = [edge for edge in edges if edge[0] != edge[1]]
    weights = None
    if weighted:
        weights = [draw(st.integers(1, 5)) for _ in edges]
    return Network.from_edges(count, [one for one, _ in edges], [other for _, other in edges], weights)
