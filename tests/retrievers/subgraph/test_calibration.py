from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx
import numpy as np
import pytest

from askgraph import Settings, load_graph, open_graph
from askgraph.core.errors import CorruptGraphError
from askgraph.retrievers.subgraph.calibration import CHECKPOINTS, Calibration, read_calibration
from askgraph.retrievers.subgraph.options import SubgraphOptions


def planted(groups: int = 8, size: int = 40) -> Any:
    """Genes in planted groups; each disease has genes of one group, each pathway genes by lot."""
    lot = np.random.default_rng(5)
    graph = networkx.DiGraph()
    count = groups * size
    for gene in range(count):
        graph.add_node(f"g{gene}", label="Gene", name=f"gene {gene}")
    for gene in range(count):
        own = gene // size * size
        for _ in range(5):
            graph.add_edge(f"g{gene}", f"g{own + int(lot.integers(size))}", type="interacts")
        graph.add_edge(f"g{gene}", f"g{int(lot.integers(count))}", type="interacts")
    for group in range(groups):
        graph.add_node(f"d{group}", label="Disease", name=f"disease {group}")
        for gene in lot.choice(size, 20, replace=False):
            graph.add_edge(f"d{group}", f"g{group * size + int(gene)}", type="associates")
        graph.add_node(f"p{group}", label="Pathway", name=f"pathway {group}")
        for gene in lot.choice(count, 20, replace=False):
            graph.add_edge(f"g{int(gene)}", f"p{group}", type="participates")
    return graph


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    graph = planted()
    nodes = ["id,type,name"] + [f"{id},{data['label']},{data['name']}" for id, data in graph.nodes(data=True)]
    edges = ["source,type,target"] + [f"{a},{data['type']},{b}" for a, b, data in graph.edges(data=True)]
    (tmp_path / "nodes.csv").write_text("\n".join(nodes), encoding="utf-8")
    (tmp_path / "edges.csv").write_text("\n".join(edges), encoding="utf-8")
    load_graph([tmp_path / "nodes.csv", tmp_path / "edges.csv"], tmp_path / "planted.graph")
    return tmp_path / "planted.graph"


def test_planted_modules_deserve_steps_and_random_sets_few(folder: Path, settings: Settings) -> None:
    with open_graph(folder, settings=settings) as graph:
        found = graph.calibrate_subgraphs(samples=6)
        pairs = {(pair.origin, pair.layer): pair for pair in found.pairs}
        disease, pathway = pairs["Disease", "Gene"], pairs["Pathway", "Gene"]
        place = CHECKPOINTS.index(disease.steps)
        assert disease.steps > 0
        assert disease.recall[place] > 0.5
        assert disease.recall[place] > disease.recall_by_chance[place] + 0.3
        gain = max(own - chance for own, chance in zip(pathway.recall, pathway.recall_by_chance, strict=True))
        assert gain < 0.25
        assert disease.largest[0] > disease.largest_matched[0]
        # The selection goes by it from now on.
        options = graph.subgraph(nodes=["d1"]).options
        assert options["diamond_steps_by_types"]["Disease > Gene"] == disease.steps
        added = [item for item in graph.subgraph(nodes=["d1"]).nodes if item.step == "diamond"]
        assert len(added) <= disease.steps
        own = SubgraphOptions(diamond_steps_by_types={("Disease", "Gene"): 3})
        assert sum(item.step == "diamond" for item in graph.subgraph(nodes=["d1"], options=own).nodes) == 3


def test_the_same_seed_measures_the_same(folder: Path, settings: Settings) -> None:
    with open_graph(folder, settings=settings) as graph:
        assert graph.calibrate_subgraphs(samples=2) == graph.calibrate_subgraphs(samples=2)


def test_a_calibration_of_another_version_does_not_count(folder: Path, settings: Settings) -> None:
    with open_graph(folder, settings=settings) as graph:
        found = graph.calibrate_subgraphs(samples=1)
        version = graph.store.capabilities.version
    kept = next(folder.rglob("subgraph_calibration.json"))
    assert read_calibration(kept.parent, version) == found
    assert read_calibration(kept.parent, "another") is None
    kept.write_text("{", encoding="utf-8")
    with pytest.raises(CorruptGraphError, match="calibrate"):
        read_calibration(kept.parent, version)


def test_when_the_time_is_up_the_rest_is_said(folder: Path, settings: Settings) -> None:
    with open_graph(folder, settings=settings) as graph:
        found = graph.calibrate_subgraphs(samples=1, timeout=1e-9)
    assert isinstance(found, Calibration)
    assert not found.pairs
    assert "not measured" in found.notes[0]
