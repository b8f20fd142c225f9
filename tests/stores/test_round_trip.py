"""Whatever graph goes out in a format that can hold it comes back: nodes, edges, ids, schema, neighbours."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st
from tests.stores.property.made_graphs import exact_edges, exact_nodes, graphs

from askgraph.core.errors import ExportError
from askgraph.core.graph import Edge, Node
from askgraph.stores.base import GraphStore
from askgraph.stores.exporting import FORMATS, ExportFormat, export_graph
from askgraph.stores.loading.load import load_files
from askgraph.stores.memory import in_memory
from askgraph.stores.property.store import PropertyStore

Graph = tuple[list[Node], list[Edge]]


def what_comes_back(store: GraphStore) -> object:
    """Everything that must be the same of a graph and its copy."""
    nodes, edges = list(store.nodes()), list(store.edges())
    neighbors = store.neighbors([node.id for node in nodes])
    schema = store.schema().to_dict()
    return {
        "nodes": exact_nodes(nodes),
        "names": [node.names for node in nodes],
        "edges": exact_edges(edges),
        "edge ids": sorted(edge.id for edge in edges),
        "neighbours": sorted(
            zip(
                neighbors.origins.tolist(),
                neighbors.forward.tolist(),
                (neighbors.type_names[code] for code in neighbors.edge_types.tolist()),
                neighbors.nodes,
                neighbors.edges,
                strict=True,
            )
        ),
        "schema": {key: schema[key] for key in ("node_count", "edge_count", "node_types", "edge_types")},
        "properties": sorted(
            (item["owner"], item["key"], item["count"], item["distinct"], item["value_types"])
            for item in schema["properties"]
        ),
    }


def cannot_be_held(graph: Graph, format: ExportFormat) -> bool:
    """Whether the format may refuse the graph: no empty ids; in tables no keys that are no header; in CSV no NUL."""
    nodes, edges = graph
    owned = [item.properties for item in nodes] + [item.properties for item in edges]
    keys = [key for properties in owned for key, value in properties.items() if value is not None]
    texts = [value for properties in owned for value in properties.values() if isinstance(value, str)]
    texts += [node.id for node in nodes]
    odd_key = any(not key or key != key.strip() or set(key) & set("\r\n\x00") for key in keys)
    return (
        any(not node.id for node in nodes)
        or (format in ("csv", "parquet") and odd_key)
        or (format == "csv" and any("\x00" in text for text in texts))
    )


def usually_held(graph: Graph) -> Graph:
    """The graph with an id for each node, and keys that a table can have."""
    nodes, edges = graph

    def named(id: str) -> str:
        return id.replace("\x00", "<NUL>") or "the empty one"

    def held(properties: Mapping[str, Any]) -> dict[str, Any]:
        return {
            " ".join(key.replace("\x00", "0").split()) or "key": value for key, value in properties.items()
        }

    return (
        [Node(named(node.id), types=node.types, properties=held(node.properties)) for node in nodes],
        [
            Edge(edge.id, named(edge.source), named(edge.target), edge.type, held(edge.properties))
            for edge in edges
        ],
    )


@st.composite
def mostly_held(draw: st.DrawFn) -> Graph:
    graph = draw(graphs(most_nodes=4, most_edges=6))
    return graph if draw(st.integers(0, 4)) == 0 else usually_held(graph)


@given(graph=mostly_held())
@settings(
    max_examples=8,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    deadline=None,
)
def test_any_graph_comes_back(tmp_path: Path, graph: Graph) -> None:
    nodes, edges = graph
    assume(nodes)
    with in_memory(nodes, edges) as store:
        before = what_comes_back(store)
        for format in FORMATS[:3]:
            shutil.rmtree(tmp_path)
            tmp_path.mkdir()
            try:
                report = export_graph(store, tmp_path / "out", format)
            except ExportError:
                event(f"refused by {format}")
                assert cannot_be_held(graph, format)
                assert not list(tmp_path.iterdir())
                continue
            assert (report.nodes, report.edges) == (len(nodes), len(edges))
            load_files([tmp_path / "out" / name for name in report.files], tmp_path / "again.graph")
            with PropertyStore.open(tmp_path / "again.graph") as again:
                assert what_comes_back(again) == before
