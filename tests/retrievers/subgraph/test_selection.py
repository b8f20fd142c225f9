from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from askgraph import Graph, Settings, open_graph
from askgraph.core.budget import Budget
from askgraph.core.errors import DeadlineExceededError, PlanError, SettingsError, UnknownSeedError
from askgraph.core.run import Run
from askgraph.retrievers.subgraph.evidence import evidence_of
from askgraph.retrievers.subgraph.options import NESTED, SubgraphOptions
from askgraph.retrievers.subgraph.selection import SubgraphSelection
from askgraph.retrievers.subgraph.selector import SubgraphSelector
from askgraph.stores.base import GraphStore

OBESITY = "Which genes are associated with obesity?"


def steps_of(selection: SubgraphSelection) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for item in selection.nodes:
        found.setdefault(item.step, []).append(item.id)
    return found


def test_each_step_adds_what_it_is_there_for(clinic_graph: Graph) -> None:
    found = clinic_graph.subgraph("What is glass bone disease?", options=SubgraphOptions(walk_nodes=2))
    steps = steps_of(found)
    assert steps["seed"] == ["d"]
    assert sorted(steps["neighbours"]) == ["e", "g1", "g2", "g3", "m"]
    # The rest of the module, the nearest first; nothing of the ring beside it.
    assert set(steps["diamond"][:3]) == {"g4", "g5", "g6"}
    assert "x30" not in found.by_id
    assert {edge.edge.type for edge in found.edges} >= {
        "associates",
        "binds",
        "treats",
        "interacts",
        "resembles",
    }


def test_every_edge_lies_between_selected_nodes_and_none_is_missing(clinic_graph: Graph) -> None:
    found = clinic_graph.subgraph("glass bone disease")
    inside = [
        edge.id
        for edge in clinic_graph.store.edges()
        if edge.source in found.by_id and edge.target in found.by_id
    ]
    assert [item.edge.id for item in found.edges] == inside


def test_provenance_stays_with_the_edge(clinic_graph: Graph) -> None:
    found = clinic_graph.subgraph("glass bone disease", nested="neighbours")
    said = {item.edge.type: dict(item.provenance) for item in found.edges}
    assert said["associates"] == {"source": "DisGeNET", "license": "CC BY-NC"}
    assert said["interacts"] == {"source": "BioPlex", "pmid": "123"}
    assert said["treats"] == {}


@pytest.mark.parametrize("question", [OBESITY, "alcohol dependence and nicotine dependence"])
def test_each_nested_subgraph_holds_the_one_before_it(hetionet: Graph, question: str) -> None:
    full = hetionet.subgraph(question)
    nodes: set[str] = set()
    edges: set[str] = set()
    for nested in NESTED:
        own = hetionet.subgraph(question, nested=nested)
        assert own.nested == nested
        # Grown so far, or cut back so far: the same.
        assert own.nodes == full.within(nested).nodes
        assert own.edges == full.within(nested).edges
        assert nodes <= {item.id for item in own.nodes}
        assert edges <= {item.edge.id for item in own.edges}
        nodes, edges = {item.id for item in own.nodes}, {item.edge.id for item in own.edges}
    assert {item.step for item in full.nodes} == {"seed", "neighbours", "diamond", "c3", "walk"}


def test_p_values_ranks_and_ties_stay_with_the_nodes(hetionet: Graph) -> None:
    found = hetionet.subgraph(OBESITY)
    added = [item for item in found.nodes if item.step == "diamond"]
    assert [item.rank for item in added] == list(range(1, len(added) + 1))
    assert all(item.p_value is not None and 0 < item.p_value < 0.05 for item in added)
    assert all(item.layer == "Gene" for item in added)
    walked = [item.score for item in found.nodes if item.step == "walk"]
    assert len(walked) == 20
    assert walked == sorted(walked, key=lambda score: -(score or 0))


_ASK = """
import sys
from askgraph import Settings, open_graph
with open_graph(sys.argv[1], settings=Settings.load(embedder="none", save_runs=False)) as graph:
    print(graph.subgraph(sys.argv[2]).to_json())
    print([report.to_dict() for report in graph.communities(sys.argv[2])])
"""


def test_the_same_question_gives_the_same_bytes_whatever_the_hash_seed_and_the_threads(
    hetionet_folder: Path,
) -> None:
    outputs = set()
    for seed, threads in (("1", "1"), ("2", "2")):
        done = subprocess.run(
            [sys.executable, "-c", _ASK, str(hetionet_folder), OBESITY],
            capture_output=True,
            check=True,
            timeout=120,
            env={**os.environ, "PYTHONHASHSEED": seed, "OMP_NUM_THREADS": threads},
        )
        outputs.add(done.stdout)
    assert len(outputs) == 1


def test_nodes_may_be_given_in_place_of_a_question(clinic_graph: Graph) -> None:
    assert steps_of(clinic_graph.subgraph(nodes=["d", "m"]))["seed"] == ["d", "m"]


def test_what_is_not_in_the_graph_is_said(clinic_graph: Graph) -> None:
    found = clinic_graph.subgraph(nodes=["d", "nobody"], nested="neighbours")
    assert any("nobody" in note for note in found.notes)
    with pytest.raises(UnknownSeedError, match="nobody"):
        clinic_graph.subgraph(nodes=["nobody"])
    with pytest.raises(UnknownSeedError):
        clinic_graph.subgraph(nodes=[])
    with pytest.raises(UnknownSeedError, match="names a node"):
        clinic_graph.subgraph("what is it")
    with pytest.raises(PlanError, match="empty"):
        clinic_graph.subgraph(" ")


def test_hubs_are_bounded_and_the_cut_is_said(hetionet: Graph) -> None:
    found = hetionet.subgraph(OBESITY, nested="neighbours", options=SubgraphOptions(most_neighbours=30))
    assert len(steps_of(found)["neighbours"]) == 30
    assert any("obesity has 137 neighbours" in note for note in found.notes)


def test_edges_are_bounded_and_the_first_nodes_keep_theirs(hetionet: Graph) -> None:
    whole = hetionet.subgraph(OBESITY)
    found = hetionet.subgraph(OBESITY, options=SubgraphOptions(most_edges=200))
    assert len(found.edges) == 200
    assert found.nodes == whole.nodes
    assert any("200 are given" in note for note in found.notes)
    assert all(
        "obesity" in (found.by_id[item.edge.source].node.name, found.by_id[item.edge.target].node.name)
        for item in found.edges[:50]
    )


def test_a_layer_may_be_made_of_chosen_edge_types(clinic_graph: Graph) -> None:
    options = SubgraphOptions(layer_edge_types={"Gene": ()}, walk_nodes=0)
    found = clinic_graph.subgraph("glass bone disease", options=options)
    assert all(item.layer != "Gene" or item.step in ("seed", "neighbours") for item in found.nodes)


def test_where_no_type_has_edges_of_its_own_the_whole_graph_is_one_layer(settings: Settings) -> None:
    import networkx

    graph = networkx.DiGraph()
    for author in range(40):
        graph.add_node(f"a{author}", label="Author", name=f"author {author}")
    for paper in range(60):
        graph.add_node(f"p{paper}", label="Paper", name=f"paper {paper}")
        for author in range(paper % 4 + 1):
            graph.add_edge(f"a{(paper * 7 + author * (1 + paper % 5)) % 40}", f"p{paper}", type="wrote")
    with open_graph(graph, settings=settings) as opened:
        found = opened.subgraph(nodes=["a1"])
    assert any("in the whole graph" in note for note in found.notes)
    assert {"Author", "Paper"} >= {item.layer for item in found.nodes if item.step == "diamond"}


def test_weights_of_edges_lead_the_walk(clinic_graph: Graph) -> None:
    def walked(weights: dict[str, float]) -> dict[str, float]:
        options = SubgraphOptions(diamond_steps=0, most_neighbours=0, walk_nodes=5, edge_weights=weights)
        found = clinic_graph.subgraph(nodes=["g4"], options=options)
        return {item.id: item.score or 0.0 for item in found.nodes if item.step == "walk"}

    assert walked({"regulates": 100.0})["g5"] > 2 * walked({})["g5"]


def test_jumps_between_types_lead_the_walk(clinic_graph: Graph) -> None:
    stay = SubgraphOptions(diamond_steps=0, walk_nodes=1, type_jumps={("Disease", "Drug"): 1.0})
    found = clinic_graph.subgraph(nodes=["e"], options=stay)
    # "e" has no way to a drug, and its neighbour "d" gives all that leaves its type to the drug.
    assert [item.id for item in found.nodes if item.step == "walk"] == ["m"]


@pytest.mark.parametrize(
    "options",
    [
        {"layer_edge_types": {"Nobody": ()}},
        {"layer_edge_types": {"Gene": ("nothing",)}},
        {"edge_weights": {"nothing": 1.0}},
        {"type_jumps": {("Gene", "Nobody"): 0.5}},
        {"type_jumps": {("Gene", "Gene"): 0.9, ("Gene", "Disease"): 0.9}},
    ],
)
def test_options_that_the_graph_cannot_meet_are_refused(
    clinic_graph: Graph, options: dict[str, object]
) -> None:
    with pytest.raises(SettingsError):
        clinic_graph.subgraph(nodes=["d"], options=SubgraphOptions(**options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "options",
    [
        {"diamond_steps": -1},
        {"diamond_alpha": 0},
        {"restart": 0.0},
        {"c3_significance": 2.0},
        {"edge_weights": {"a": 0.0}},
        {"diamond_steps_by_types": {("a", "b"): -1}},
    ],
)
def test_options_out_of_range_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(SettingsError):
        SubgraphOptions(**options)  # type: ignore[arg-type]


def test_its_time_is_kept(clinic_graph: Graph) -> None:
    selector = SubgraphSelector(clinic_graph.store, clinic_graph.schema())
    with pytest.raises(DeadlineExceededError):
        selector.select(["d"], Budget(seconds=0), Run("", graph="", graph_version=""))


def test_an_rdf_graph_is_cut_too(settings: Settings, ck25_turtle: Path) -> None:
    with open_graph(ck25_turtle, settings=settings) as graph:
        found = graph.subgraph("Heinrich Hoch")
    steps = steps_of(found)
    assert [found.by_id[id].node.name for id in steps["seed"]] == ["Heinrich Hoch"]
    assert len(steps["neighbours"]) > 2
    assert found.edges


class Remote:
    """A store that is only asked, as one on a server is: it gives no rows."""

    def __init__(self, store: GraphStore) -> None:
        self._store = store
        self.capabilities = store.capabilities
        self.nodes, self.edges, self.neighbors, self.run = (
            store.nodes,
            store.edges,
            store.neighbors,
            store.run,
        )


@pytest.fixture
def remote(clinic_graph: Graph) -> SubgraphSelector:
    return SubgraphSelector(Remote(clinic_graph.store), clinic_graph.schema())  # type: ignore[arg-type]


def test_a_graph_on_a_server_is_fetched_around_the_question(
    remote: SubgraphSelector, clinic_graph: Graph
) -> None:
    run = Run("", graph="", graph_version="")
    found = remote.select(["d"], Budget(), run)
    embedded = clinic_graph.subgraph(nodes=["d"])
    assert steps_of(found)["seed"] == ["d"]
    assert sorted(steps_of(found)["neighbours"]) == sorted(steps_of(embedded)["neighbours"])
    assert {"g4", "g5", "g6"} <= set(found.by_id)
    assert any("on a server" in note for note in found.notes)
    assert found.to_dict() == remote.select(["d"], Budget(), run).to_dict()
    with pytest.raises(UnknownSeedError):
        remote.select(["nobody"], Budget(), run)


def test_evidence_begins_with_what_the_question_names(hetionet: Graph) -> None:
    found = hetionet.subgraph(OBESITY)
    evidence = evidence_of(found, most_facts=25)
    assert len(evidence.facts) == 25
    assert all("obesity" in fact.text for fact in evidence.facts)
    assert any("edges" in note for note in evidence.notes)
    fact = evidence.facts[0]
    assert fact.retriever == "subgraph"
    assert fact.path is not None
    assert set(fact.path.node_ids) <= set(found.by_id)


def test_a_selection_shows_itself(hetionet: Graph) -> None:
    found = hetionet.subgraph(OBESITY)
    assert repr(found).startswith("SubgraphSelection(full: 1 seed, 137 neighbours")
    html = found._repr_html_()
    assert "obesity" in html
    assert "<script" not in html
    data = json.loads(found.to_json())
    assert data["counts"]["neighbours"] == 137
    assert data["options"]["diamond_steps"] == 50
    assert data == found.to_dict()
    with pytest.raises(ValueError, match="no nested subgraph"):
        found.within("most")  # type: ignore[arg-type]
