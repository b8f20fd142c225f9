"""The path of a subgraph as a plan: what would find its ends again, and all of them."""

from __future__ import annotations

from typing import Final

from ...core.plan import Column, EdgePattern, NodePattern, NodeReference, Pattern, Plan, PropertyOf
from .subgraph import Subgraph

ANSWER: Final = "answer"
"""The column of what the path leads to."""


def plan_of_subgraph(subgraph: Subgraph, *, limit: int | None = None) -> Plan:
    """A plan that follows the path of a subgraph from its seed, and to the other seeds that it meets, if it does. Its
    column ``answer`` has the values of the property of the ends that fits best, where one was read; what stands
    between two seeds; or the ends."""
    names = ["seed", *(f"step{number}" for number in range(1, len(subgraph.kinds) + 1))]
    given = {names[0]: subgraph.seed} | ({names[-1]: subgraph.met} if subgraph.met else {})
    nodes = tuple(NodePattern(name, ids=given.get(name, ())) for name in names)
    edges = tuple(
        EdgePattern(source, target, (kind.type,), "out" if kind.forward else "in")
        for source, target, kind in zip(names, names[1:], subgraph.kinds, strict=False)
    )
    key = next(
        (
            triple.relation
            for triple in subgraph.triples
            if triple.target is None and triple.relation in subgraph.end_properties[:1]
        ),
        None,
    )
    if subgraph.met and len(names) > 2:
        found: NodeReference | PropertyOf = NodeReference(names[-2])
    else:
        found = NodeReference(names[-1]) if key is None else PropertyOf(names[-1], key)
    return Plan(Pattern(nodes, edges), (Column(ANSWER, found),), distinct=True, limit=limit)
