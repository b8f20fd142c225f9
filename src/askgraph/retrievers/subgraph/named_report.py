"""A report on what a question names: its definitions and all its edges.

Communities divide a graph, and the edges between two of them are in no report. Those of the nodes that the question
names are the ones that it asks for, so they have a report of their own.
"""

from __future__ import annotations

from typing import Final

from ...core.words import quantity
from .communities import CommunityReport, Finding, fingerprint_of, listed, said_of_many
from .descriptions import definition_of
from .selection import SelectedEdge, SelectedNode, SubgraphSelection

_NAMES_IN_LIST: Final = 60
_HIGHEST: Final = 10.0


def report_on_named(selection: SubgraphSelection, community: int) -> CommunityReport | None:
    """The report on the nodes that the question of a selection names; ``None`` where it names none.

    Args:
        selection: the subgraph.
        community: the number that the report gets, which no community may have.
    """
    seeds = selection.seeds
    if not seeds:
        return None
    groups = _groups(selection)
    edges = list(dict.fromkeys(item.edge.id for own in groups.values() for item in own))
    by_id = {item.edge.id: item for item in selection.edges}
    ends = (end for id in edges for end in (by_id[id].edge.source, by_id[id].edge.target))
    nodes = dict.fromkeys([*(item.id for item in seeds), *ends])
    findings = [*_definitions(seeds)]
    for (seed, label, forward, _), own in groups.items():
        findings.append(_finding(selection, seed, label, forward, own))
    names = listed([item.node.name for item in seeds], _NAMES_IN_LIST)
    return CommunityReport(
        community=community,
        level=0,
        parent=-1,
        children=(),
        nodes=tuple(nodes),
        edges=tuple(edges),
        title=names,
        summary=f"What the question names, with {quantity(len(edges), 'edge')} of its own.",
        rating=_HIGHEST,
        rating_explanation="The question names it.",
        findings=tuple(findings),
        fingerprint=fingerprint_of([selection.by_id[id] for id in nodes], [by_id[id] for id in edges]),
    )


_Groups = dict[tuple[str, str, bool, str], list[SelectedEdge]]


def _groups(selection: SubgraphSelection) -> _Groups:
    """Edges of the named nodes by relation, direction and the type of the other end."""
    named = {item.id for item in selection.seeds}
    groups: _Groups = {}
    for item in selection.edges:
        source, target = item.edge.source, item.edge.target
        if source in named:
            groups.setdefault((source, item.label, True, selection.by_id[target].layer), []).append(item)
        elif target in named:
            groups.setdefault((target, item.label, False, selection.by_id[source].layer), []).append(item)
    return groups


def _definitions(seeds: tuple[SelectedNode, ...]) -> list[Finding]:
    said = [(item, definition_of(item.node)) for item in seeds]
    return [Finding(f"{item.node.name}, defined", text, (item.id,)) for item, text in said if text]


def _finding(
    selection: SubgraphSelection, seed: str, label: str, forward: bool, edges: list[SelectedEdge]
) -> Finding:
    ids = list(dict.fromkeys(item.edge.target if forward else item.edge.source for item in edges))
    name = selection.by_id[seed].node.name
    others = [selection.by_id[id].node.name for id in ids]
    if forward:
        text = f"{name} {label} {listed(others, _NAMES_IN_LIST)}."
    else:
        text = said_of_many(others, label, name, _NAMES_IN_LIST)
    summary = f"{name}: {label} ({len(ids):,})"
    return Finding(summary, text, (seed, *ids), tuple(item.edge.id for item in edges))
