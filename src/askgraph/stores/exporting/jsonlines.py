"""JSON Lines: an object for each node in ``nodes.jsonl``, for each edge in ``edges.jsonl``.

The objects are those of :meth:`askgraph.core.graph.Node.to_dict` and :meth:`askgraph.core.graph.Edge.to_dict`,
with a ``kind`` (``node`` or ``edge``) in front; values are strict JSON as :mod:`askgraph.core.values` writes it.
Whatever a graph holds comes back exactly.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from ...core.graph import Edge, Node
from ...core.progress import Progress
from ..base import GraphStore
from .objects import checked_edges, checked_nodes, given_id, losses
from .report import ExportReport

# One for all objects: `json.dumps` would make a new one for each.
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def write_json_lines(store: GraphStore, folder: Path, directory: Path, progress: Progress) -> ExportReport:
    """Write the files into ``folder``, which will become ``directory``."""
    schema = store.schema()
    progress.start("writing nodes", schema.node_count)
    nodes = _write(folder / "nodes.jsonl", map(_node, checked_nodes(store)), progress)
    progress.finish()
    files = ["nodes.jsonl"]
    edges = 0
    if schema.edge_count:
        progress.start("writing edges", schema.edge_count)
        edges = _write(folder / "edges.jsonl", map(_edge, checked_edges(store)), progress)
        progress.finish()
        files.append("edges.jsonl")
    return ExportReport(directory, tuple(files), "jsonl", nodes, edges, tuple(losses(store)))


def _node(node: Node) -> dict[str, Any]:
    return {"kind": "node", **node.to_dict()}


def _edge(edge: Edge) -> dict[str, Any]:
    data = {"kind": "edge", **edge.to_dict()}
    if given_id(edge) is None:
        # It is made from the edge's content, and will be made again.
        del data["id"]
    return data


def _write(file: Path, objects: Iterable[dict[str, Any]], progress: Progress) -> int:
    count = 0
    with file.open("w", encoding="utf-8", newline="\n") as stream:
        for data in objects:
            stream.write(_ENCODER.encode(data) + "\n")
            count += 1
            if count % 10_000 == 0:
                progress.advance(10_000)
    progress.advance(count % 10_000)
    return count
