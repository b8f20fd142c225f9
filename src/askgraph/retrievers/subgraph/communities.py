"""Communities of a selection, and a report on each that needs no model: what its own nodes and edges say.

A report is what GraphRAG's are (title, summary, rating, findings with references), written from the graph: the title
from the nodes of most links, the findings from the kinds of relations inside.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from ...algorithms import Community, Network, hierarchical_leiden
from ...algorithms.communities import DEFAULT_MAX_CLUSTER_SIZE, DEFAULT_SEED, LeidenEngine
from ...core.budget import Budget
from ...core.words import quantity
from .descriptions import definition_of
from .selection import AddedBy, SelectedEdge, SelectedNode, SubgraphSelection

_NAMES_IN_TITLE: Final = 3
_NAMES_IN_LIST: Final = 8
_MOST_FINDINGS: Final = 8
_HIGHEST: Final = 10.0
# The nearer to the question a step is, the more a community of its nodes is worth.
_WORTH: Final[Mapping[AddedBy, float]] = {
    "seed": 1.0, "neighbours": 0.8, "diamond": 0.6, "c3": 0.4, "walk": 0.2, "whole": 0.2,
}  # fmt: skip
_WORTH_OF_NAMED: Final = 0.9


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a report says, and the nodes and edges that it rests on, by id."""

    summary: str
    explanation: str
    nodes: tuple[str, ...] = ()
    edges: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CommunityReport:
    """A community and what is said of it.

    Attributes:
        community: its number.
        level: 0 at the top.
        parent: the number of the community that it is a part of; -1 at the top.
        children: the numbers of its parts.
        nodes: ids of its nodes, in the order of the selection.
        edges: ids of the edges between them.
        title: what it is about.
        summary: in a sentence or two.
        rating: 0 to 10: how near it is to what the question names.
        rating_explanation: why.
        findings: what is in it.
        fingerprint: a digest of its nodes, edges and what is said of them: the same content, the same report.
        written_by: the model that wrote it; empty for an extract of the graph.
        notes: what it does not cover, or why no model wrote it, in plain sentences.
    """

    community: int
    level: int
    parent: int
    children: tuple[int, ...]
    nodes: tuple[str, ...]
    edges: tuple[str, ...]
    title: str
    summary: str
    rating: float
    rating_explanation: str
    findings: tuple[Finding, ...]
    fingerprint: str = ""
    written_by: str = ""
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The report as text."""
        parts = [self.title, self.summary, *(f"{item.summary}: {item.explanation}" for item in self.findings)]
        return "\n".join(parts)

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return asdict(self)


def report_communities(
    selection: SubgraphSelection,
    *,
    max_cluster_size: int = DEFAULT_MAX_CLUSTER_SIZE,
    seed: int = DEFAULT_SEED,
    engine: LeidenEngine = "auto",
    budget: Budget | None = None,
) -> tuple[CommunityReport, ...]:
    """Divide a selection into communities and report on each, without a model.

    Args:
        selection: the subgraph.
        max_cluster_size: communities of so many nodes or more are divided further.
        seed: of Leiden.
        engine: of Leiden.
        budget: its time is kept.

    Returns:
        A report for each community of every level, by its number.

    Raises as :func:`askgraph.algorithms.hierarchical_leiden`.
    """
    hierarchy = hierarchical_leiden(
        network_of(selection), max_cluster_size=max_cluster_size, seed=seed, engine=engine, budget=budget
    )
    writer = _ReportWriter(selection)
    return tuple(writer.report(community) for community in hierarchy.communities)


def network_of(selection: SubgraphSelection) -> Network:
    """A selection as a network: parallel edges weigh together; nodes are numbered in their order."""
    places = {item.id: place for place, item in enumerate(selection.nodes)}
    sources = np.array([places[item.edge.source] for item in selection.edges], dtype=np.int64)
    targets = np.array([places[item.edge.target] for item in selection.edges], dtype=np.int64)
    return Network.from_edges(len(places), sources, targets, np.ones(len(sources)))


class _ReportWriter:
    def __init__(self, selection: SubgraphSelection) -> None:
        self._selection = selection
        self._leaving: dict[str, list[int]] = {}
        for place, item in enumerate(selection.edges):
            self._leaving.setdefault(item.edge.source, []).append(place)

    def report(self, community: Community) -> CommunityReport:
        nodes = [self._selection.nodes[place] for place in community.nodes]
        members = {item.id for item in nodes}
        places = sorted(
            place
            for id in members
            for place in self._leaving.get(id, ())
            if self._selection.edges[place].edge.target in members
        )
        edges = [self._selection.edges[place] for place in places]
        ordered = self._most_linked(nodes, edges)
        rating, why = self._rating(nodes, edges)
        findings = (*self._named(ordered), *self._relations(edges), *self._definitions(ordered))
        return CommunityReport(
            community=community.id,
            level=community.level,
            parent=community.parent,
            children=community.children,
            nodes=tuple(item.id for item in nodes),
            edges=tuple(item.edge.id for item in edges),
            title=listed([item.node.name for item in ordered], _NAMES_IN_TITLE),
            summary=self._summary(ordered, edges),
            rating=rating,
            rating_explanation=why,
            findings=findings[:_MOST_FINDINGS],
            fingerprint=fingerprint_of(nodes, edges),
        )

    def _most_linked(
        self, nodes: Sequence[SelectedNode], edges: Sequence[SelectedEdge]
    ) -> list[SelectedNode]:
        """What the question names first, then by links inside the community, then by the order of the selection."""
        inside = dict.fromkeys((item.id for item in nodes), 0)
        for item in edges:
            inside[item.edge.source] += 1
            inside[item.edge.target] += 1
        return sorted(nodes, key=lambda item: (item.step != "seed", -inside[item.id]))

    def _rating(self, nodes: Sequence[SelectedNode], edges: Sequence[SelectedEdge]) -> tuple[float, str]:
        """By the steps that added the nodes; of a whole graph by how much of it is here."""
        if nodes[0].step == "whole":
            share = math.log1p(len(edges)) / math.log1p(max(len(self._selection.edges), 1))
            return round(_HIGHEST * share, 1), f"{quantity(len(edges), 'edge')} of the graph lie inside."
        total = sum(_WORTH[item.step] for item in nodes) / len(nodes)
        if any(item.step == "seed" for item in nodes):
            total = max(total, _WORTH_OF_NAMED)
        near = sum(item.step in ("seed", "neighbours") for item in nodes)
        why = f"{near} of {quantity(len(nodes), 'node')} are named by the question or next to what it names."
        return round(_HIGHEST * total, 1), why

    def _summary(self, nodes: Sequence[SelectedNode], edges: Sequence[SelectedEdge]) -> str:
        kinds: dict[str, list[str]] = {}
        for item in nodes:
            kinds.setdefault(item.layer or ", ".join(item.node.types) or "node", []).append(item.node.name)
        parts = [
            f"{kind}: {listed(names, _NAMES_IN_LIST)}"
            for kind, names in sorted(kinds.items(), key=lambda entry: (-len(entry[1]), entry[0]))
        ]
        head = f"{quantity(len(nodes), 'node')} and {quantity(len(edges), 'edge')} between them."
        return f"{head} {'; '.join(parts)}."

    def _named(self, nodes: Sequence[SelectedNode]) -> list[Finding]:
        seeds = [item for item in nodes if item.step == "seed"]
        if not seeds:
            return []
        names = listed([item.node.name for item in seeds], _NAMES_IN_LIST)
        text = " ".join(filter(None, (definition_of(item.node) for item in seeds)))
        return [
            Finding(
                f"{names} is named by the question", text or f"{names}.", tuple(item.id for item in seeds)
            )
        ]

    def _relations(self, edges: Sequence[SelectedEdge]) -> list[Finding]:
        """One finding for each kind of relation from or to the node that has most of them."""
        by_label: dict[str, list[SelectedEdge]] = {}
        for item in edges:
            by_label.setdefault(item.label, []).append(item)
        findings = []
        for label, group in sorted(by_label.items(), key=lambda entry: (-len(entry[1]), entry[0])):
            for hub, own in _by_hub(group):
                findings.append(self._finding(label, hub, own))
                if len(findings) >= _MOST_FINDINGS:
                    return findings
        return findings

    def _finding(self, label: str, hub: str, edges: Sequence[SelectedEdge]) -> Finding:
        by_id = self._selection.by_id
        name = by_id[hub].node.name
        forward = [item for item in edges if item.edge.source == hub]
        backward = [item for item in edges if item.edge.source != hub]
        sentences = []
        if forward:
            others = listed([by_id[item.edge.target].node.name for item in forward], _NAMES_IN_LIST)
            sentences.append(f"{name} {label} {others}.")
        if backward:
            subjects = [by_id[item.edge.source].node.name for item in backward]
            sentences.append(said_of_many(subjects, label, name, _NAMES_IN_LIST))
        nodes = dict.fromkeys([hub, *(end for item in edges for end in (item.edge.source, item.edge.target))])
        summary = f"{name}: {label} ({len(edges)})"
        return Finding(summary, " ".join(sentences), tuple(nodes), tuple(item.edge.id for item in edges))

    def _definitions(self, nodes: Sequence[SelectedNode]) -> list[Finding]:
        found = []
        for item in nodes:
            text = definition_of(item.node)
            if text and item.step != "seed":
                found.append(Finding(item.node.name, text, (item.id,)))
        return found


def _by_hub(edges: Sequence[SelectedEdge]) -> list[tuple[str, list[SelectedEdge]]]:
    """Edges of one relation by the node that most of them share, then of what is left, and so on."""
    left, groups = list(edges), []
    while left:
        counts: dict[str, int] = {}
        for item in left:
            for end in dict.fromkeys((item.edge.source, item.edge.target)):
                counts[end] = counts.get(end, 0) + 1
        hub = max(counts, key=lambda end: counts[end])
        own = [item for item in left if hub in (item.edge.source, item.edge.target)]
        left = [item for item in left if hub not in (item.edge.source, item.edge.target)]
        groups.append((hub, own))
    return groups


def listed(names: Sequence[str], most: int) -> str:
    """Names in a row, of many the first."""
    distinct = list(dict.fromkeys(names))
    shown = distinct[:most]
    left = len(distinct) - len(shown)
    if left:
        return f"{', '.join(shown)} and {left} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else (shown[0] if shown else "")


def said_of_many(names: Sequence[str], label: str, object_name: str, most: int) -> str:
    """A sentence that a relation holds from each of these to one thing. Labels are mostly verbs in the singular, so
    several subjects stand behind: "plays for Leeds: Ann and Bob." """
    row = listed(names, most)
    several = len(dict.fromkeys(names)) > 1
    return f"{label} {object_name}: {row}." if several else f"{row} {label} {object_name}."


def fingerprint_of(nodes: Sequence[SelectedNode], edges: Sequence[SelectedEdge]) -> str:
    """A digest of nodes and edges with everything that the graph says of them."""
    said: list[Mapping[str, Any]] = [item.node.to_dict() for item in nodes]
    said += [item.edge.to_dict() for item in edges]
    return hashlib.sha256(repr(said).encode()).hexdigest()[:32]
