"""The whole graph as one selection, and its reports kept beside it: what the other order of work starts from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from ...core.errors import CapExceededError, CorruptGraphError
from ...core.model_call import Usage
from ...core.schema import Schema
from ...stores.base import GraphStore
from ..provenance import provenance_of
from .communities import CommunityReport, Finding
from .selection import SelectedEdge, SelectedNode, SubgraphSelection

MOST_EDGES: Final = 1_000_000
"""Larger graphs are cut to a question first."""

_FORMAT: Final = 3
_FILES: Final[Mapping[Kept, str]] = {"extracts": "communities.json", "written": "written_communities.json"}

Kept = Literal["extracts", "written"]
"""Reports are kept apart by who made them: nobody, or a language model."""


@dataclass(frozen=True, slots=True)
class ReportsAhead:
    """The reports of a whole graph, and what they took when they were made.

    Attributes:
        reports: of every level.
        seconds: of making them.
        calls: of a language model.
        usage: its tokens.
        were_kept: whether they were there already.
    """

    reports: tuple[CommunityReport, ...]
    seconds: float = 0.0
    calls: int = 0
    usage: Usage = field(default_factory=lambda: Usage(cost=0.0))
    were_kept: bool = False


def whole_graph(store: GraphStore, schema: Schema) -> SubgraphSelection:
    """Every node and edge.

    Raises:
        CapExceededError: there are more than :data:`MOST_EDGES` edges.
    """
    if schema.edge_count > MOST_EDGES:
        raise CapExceededError(
            f"the graph has {schema.edge_count:,} edges; reports are written for at most {MOST_EDGES:,}",
            advice='Say what they shall be about: askgraph communities GRAPH "…"',
        )
    nodes = tuple(SelectedNode(node, "whole", rank) for rank, node in enumerate(store.nodes(), start=1))
    edges = tuple(
        SelectedEdge(edge, schema.label_of(edge.type), provenance_of([edge])) for edge in store.edges()
    )
    return SubgraphSelection(
        "", nodes, edges, graph_version=store.capabilities.version, is_of_whole_graph=True
    )


def save_reports(made: ReportsAhead, folder: Path, key: str, kept: Kept = "extracts") -> None:
    """Keep the reports of a whole graph, in place of earlier ones. ``key``: what they were made from."""
    file = _FILES[kept]
    folder.mkdir(parents=True, exist_ok=True)
    data = {
        "format": _FORMAT,
        "key": key,
        "seconds": round(made.seconds, 6),
        "calls": made.calls,
        "usage": made.usage.to_dict(),
        "reports": [report.to_dict() for report in made.reports],
    }
    draft = folder / f"{file}.draft"
    draft.write_text(json.dumps(data, ensure_ascii=False, allow_nan=False), encoding="utf-8")
    draft.replace(folder / file)


def read_reports(folder: Path, key: str, kept: Kept = "extracts") -> ReportsAhead | None:
    """The reports that were kept, if they were made from the same.

    Raises:
        CorruptGraphError: their file is damaged.
    """
    file = folder / _FILES[kept]
    if not file.is_file():
        return None
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        if data["format"] != _FORMAT or data["key"] != key:
            return None
        reports = tuple(map(_report, data["reports"]))
        return ReportsAhead(reports, data["seconds"], data["calls"], Usage(**data["usage"]), were_kept=True)
    except (ValueError, KeyError, TypeError) as error:
        raise CorruptGraphError(
            f"{file} cannot be read: {error}", advice="Make them again: askgraph communities GRAPH --rebuild"
        ) from error


def _report(data: dict[str, Any]) -> CommunityReport:
    findings = tuple(
        Finding(item["summary"], item["explanation"], tuple(item["nodes"]), tuple(item["edges"]))
        for item in data["findings"]
    )
    lists = {key: tuple(data[key]) for key in ("children", "nodes", "edges", "notes")}
    return CommunityReport(**(data | lists | {"findings": findings}))
