"""A selection as evidence: each edge a fact in words, those nearest to the question first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ...core.evidence import Evidence, Fact
from ...core.graph import Hop, Path
from .descriptions import definition_of
from .selection import STEPS_WITHIN, AddedBy, SelectedEdge, SelectedNode, SubgraphSelection

RETRIEVER: Final = "subgraph"

_NEARNESS: Final[Mapping[AddedBy, float]] = {
    "seed": 1.0,
    "neighbours": 0.8,
    "diamond": 0.6,
    "c3": 0.5,
    "walk": 0.4,
    "whole": 0.4,
}


def evidence_of(selection: SubgraphSelection, *, most_facts: int) -> Evidence:
    """The edges of a selection as facts: between the nodes that the question names first, then in the order of the
    steps that added their ends; at most so many, and a note where there are more."""
    ranked = sorted(enumerate(selection.edges), key=lambda item: (*_order(item[1], selection.by_id), item[0]))
    facts = tuple(fact_of(edge, selection.by_id) for _, edge in ranked[:most_facts])
    notes = list(selection.notes)
    if len(ranked) > most_facts:
        notes.append(
            f"The subgraph has {len(ranked):,} edges; the {most_facts:,} nearest to the question are facts."
        )
    return Evidence(facts, tuple(notes))


def fact_of(item: SelectedEdge, nodes: Mapping[str, SelectedNode]) -> Fact:
    """An edge as a fact."""
    edge = item.edge
    source, target = nodes[edge.source], nodes[edge.target]
    later = max(source, target, key=lambda node: STEPS_WITHIN["full"].index(node.step))
    hop = Hop(edge.type, item.label, True, edge.id, edge.target, target.node.name)
    return Fact(
        text=f"{source.node.name} - {item.label} - {target.node.name}",
        kind="path",
        score=_NEARNESS[source.step] * _NEARNESS[target.step],
        retriever=RETRIEVER,
        step=later.step,
        path=Path(edge.source, source.node.name, (hop,)),
        elements=(edge.source, edge.id, edge.target),
        provenance=item.provenance,
    )


def definition_fact_of(item: SelectedNode) -> Fact | None:
    """What the graph says of a node in words of its own, as a fact; ``None`` where it says nothing."""
    text = definition_of(item.node)
    if not text:
        return None
    return Fact(
        text=f"{item.node.name}: {text}",
        kind="path",
        score=_NEARNESS[item.step],
        retriever=RETRIEVER,
        step=item.step,
        path=Path(item.id, item.node.name, (Hop("definition", "definition", value=text),)),
        elements=(item.id,),
    )


def _order(item: SelectedEdge, nodes: Mapping[str, SelectedNode]) -> tuple[float, int]:
    source, target = nodes[item.edge.source], nodes[item.edge.target]
    return -_NEARNESS[source.step] * _NEARNESS[target.step], source.rank + target.rank
