"""Graphs on which a selection can be followed by eye, and the biomedical example."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from askgraph import Graph, Settings, load_graph, open_graph


def clinic() -> Any:
    """One disease with three genes of a module of six; a drug; two far genes that share nothing with it."""
    import networkx

    graph = networkx.MultiDiGraph()
    graph.add_node("d", label="Disease", name="glass bone disease", definition="Bones break easily.")
    graph.add_node("e", label="Disease", name="brittle nails")
    for number in range(1, 7):
        graph.add_node(f"g{number}", label="Gene", name=f"COL{number}")
    for number in range(1, 61):
        graph.add_node(f"x{number}", label="Gene", name=f"XYZ{number}")
        graph.add_edge(f"x{number}", f"x{number % 60 + 1}", type="interacts")
    graph.add_node("m", label="Drug", name="bonefix")
    for one in range(1, 7):
        for other in range(one + 1, 7):
            if (one, other) != (1, 2):
                graph.add_edge(f"g{one}", f"g{other}", type="interacts", source="BioPlex", pmid="123")
    graph.add_edge("g4", "g5", type="regulates")
    graph.add_edge("g6", "x1", type="interacts")
    for number in (1, 2, 3):
        graph.add_edge("d", f"g{number}", type="associates", source="DisGeNET", license="CC BY-NC")
    graph.add_edge("m", "g4", type="binds")
    graph.add_edge("m", "d", type="treats")
    graph.add_edge("d", "e", type="resembles")
    return graph


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings that keep nothing."""
    folder = tmp_path_factory.mktemp("askgraph")
    return Settings.load(
        save_runs=False, cache_dir=folder / "cache", data_dir=folder / "data", embedder="none"
    )


@pytest.fixture(scope="session")
def clinic_graph(settings: Settings) -> Iterator[Graph]:
    """The clinic, open."""
    with open_graph(clinic(), settings=settings) as graph:
        yield graph


@pytest.fixture(scope="session")
def hetionet_folder(
    tmp_path_factory: pytest.TempPathFactory, hetionet_nodes: Path, hetionet_edges: Path
) -> Path:
    """The biomedical example as a graph folder."""
    folder = tmp_path_factory.mktemp("hetionet") / "hetionet.graph"
    load_graph([hetionet_nodes, hetionet_edges], folder)
    return folder


@pytest.fixture(scope="session")
def hetionet(settings: Settings, hetionet_folder: Path) -> Iterator[Graph]:
    """The biomedical example, open."""
    with open_graph(hetionet_folder, settings=settings) as graph:
        yield graph
