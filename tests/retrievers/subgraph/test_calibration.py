from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx
import numpy as np
import pytest

from askgraph import Graph, Settings, load_graph, open_graph
from askgraph.core.errors import CorruptGraphError
from askgraph.core.run import Step
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


def test_a_question_is_answered_from_a_subgraph_that_was_grown_as_measured(
    folder: Path, settings: Settings
) -> None:
    with open_graph(folder, settings=settings) as graph:
        assert steps_said(graph, "What is disease 1?") == []
        graph.calibrate_subgraphs(samples=2)
        # The strategy that answered before knows of it too.
        said = steps_said(graph, "What is disease 1?")
        selected = graph.subgraph("What is disease 1?")
    assert len(said) == 1
    assert said == [note for note in selected.notes if "As measured" in note]
    assert "of Gene around Disease" in said[0]


def test_communities_of_a_question_are_those_of_the_subgraph_that_was_grown_as_measured(
    folder: Path, settings: Settings
) -> None:
    with open_graph(folder, settings=settings) as graph:
        pairs = {(pair.origin, pair.layer): pair for pair in graph.calibrate_subgraphs(samples=2).pairs}
        nodes = {id for report in graph.communities("disease 1") for id in report.nodes}
        selected = graph.subgraph("disease 1")
        own = graph.subgraph(
            "disease 1", options=SubgraphOptions(diamond_steps_by_types={("Disease", "Gene"): 1})
        )
    assert pairs["Disease", "Gene"].steps > 1
    assert nodes == {item.id for item in selected.nodes}
    assert nodes != {item.id for item in own.nodes}
    assert not any("As measured" in note for note in own.notes)


def test_a_graph_that_has_changed_is_grown_by_the_defaults_until_it_is_measured_again(
    folder: Path, settings: Settings
) -> None:
    with open_graph(folder, settings=settings) as graph:
        graph.calibrate_subgraphs(samples=1)
        assert graph.subgraph(nodes=["d1"]).options["measured_steps"]
    with open_graph(folder, settings=settings) as graph:
        assert graph.subgraph(nodes=["d1"]).options["measured_steps"]  # another process finds it
    more = folder.parent / "more.csv"
    more.write_text("source,type,target\nd1,associates,g7", encoding="utf-8")
    load_graph([more], folder)
    with open_graph(folder, settings=settings) as graph:
        found = graph.subgraph(nodes=["d1"])
    assert found.options["measured_steps"] == []
    assert not any("As measured" in note for note in found.notes)


def test_what_was_measured_in_some_layers_does_not_count_in_others(folder: Path, settings: Settings) -> None:
    layers = SubgraphOptions(layer_edge_types={"Gene": ("interacts",)})
    with open_graph(folder, settings=settings) as graph:
        graph.calibrate_subgraphs(samples=1, options=layers)
        assert graph.subgraph(nodes=["d1"]).options["measured_steps"] == []
        assert graph.subgraph(nodes=["d1"], options=layers).options["measured_steps"]


def steps_said(graph: Graph, question: str) -> list[str]:
    """What a run's steps say of measured steps of DIAMOnD."""
    steps: list[Step] = []
    graph.ask(question, strategy="subgraph", on_step=lambda step, finished: steps.append(step))
    found = {step.name: step for step in steps}["subgraph"]
    return [note for note in found.details["notes"] if "As measured" in note]
