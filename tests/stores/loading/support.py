"""Small files on their way into a graph, and what came of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from askgraph.core.graph import Edge, Node
from askgraph.stores.loading import LoadReport, load_files
from askgraph.stores.property.store import PropertyStore

Files = Mapping[str, str | bytes]


def write_files(folder: Path, files: Files) -> list[Path]:
    """Writes files, texts as UTF-8 with the line ends that they have; their paths, in order."""
    paths = []
    for name, content in files.items():
        path = folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        paths.append(path)
    return paths


def load(folder: Path, files: Files, **options: Any) -> LoadReport:
    """Loads files into ``folder / "g.graph"``."""
    return load_files(write_files(folder, files), folder / "g.graph", **options)


def nodes(folder: Path) -> dict[str, Node]:
    """The nodes of the graph that :func:`load` made, by id."""
    with PropertyStore.open(folder / "g.graph") as store:
        return {node.id: node for node in store.nodes()}


def edges(folder: Path) -> list[Edge]:
    """The edges of the graph that :func:`load` made."""
    with PropertyStore.open(folder / "g.graph") as store:
        return list(store.edges())


def properties(folder: Path, id: str) -> dict[str, Any]:
    """The properties of one node."""
    return dict(nodes(folder)[id].properties)


def triples(folder: Path) -> list[tuple[str, str, str]]:
    """The edges as source, type, target, sorted."""
    return sorted((edge.source, edge.type, edge.target) for edge in edges(folder))
