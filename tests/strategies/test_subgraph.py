from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from askgraph import Graph, Settings, load_graph, open_graph

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def hetionet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    folder = tmp_path_factory.mktemp("hetionet")
    files = ROOT / "examples" / "hetionet"
    load_graph([files / "nodes.csv", files / "edges.csv"], folder / "hetionet.graph")
    settings = Settings.load(
        save_runs=False, cache_dir=folder / "cache", data_dir=folder / "data", embedder="none"
    )
    with open_graph(folder / "hetionet.graph", settings=settings) as graph:
        yield graph


def test_what_is_asked_for_is_answered_from_the_edges_of_what_is_named(hetionet: Graph) -> None:
    found = hetionet.ask("Which genes are associated with alcohol dependence?", strategy="subgraph")
    assert not found.abstained
    expected = {edge.target for edge in hetionet.store.edges() if edge.source == "Disease::DOID:0050741"}
    assert {item.node for item in found.answers} == expected
    # Every sentence rests on facts, and every fact is an edge of the graph.
    assert all(sentence.facts for sentence in found.sentences)
    assert all(fact.elements for fact in found.facts)
    first = found.facts[0].path
    assert first is not None
    assert first.hops[0].edge in {edge.id for edge in hetionet.store.edges([first.hops[0].edge or ""])}


def test_definitions_of_what_is_named_come_first(hetionet: Graph) -> None:
    found = hetionet.ask("What is NAT2?", strategy="subgraph")
    assert found.sentences[0].text == "NAT2: N-acetyltransferase 2 (arylamine N-acetyltransferase)"
    assert found.sentences[0].facts == (1,)


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("What is Zorkland?", "names nothing"),
        ("How many genes are associated with obesity?", "a number"),
        ("Which gene has the most pathways?", ""),
    ],
)
def test_what_reports_do_not_say_is_not_answered(hetionet: Graph, question: str, reason: str) -> None:
    found = hetionet.ask(question, strategy="subgraph")
    assert found.abstained
    assert reason in found.text


def test_edges_that_are_no_facts_are_noted(hetionet: Graph) -> None:
    found = hetionet.ask("Which genes are associated with obesity?", strategy="subgraph")
    assert len(found.answers) == 137
    assert len(found.facts) == 50
    assert any("137 edges" in note for note in found.notes)


def test_points_and_reports_are_in_the_run(hetionet: Graph) -> None:
    steps: dict[str, dict[str, object]] = {}
    hetionet.ask(
        "Which genes are associated with alcohol dependence?",
        strategy="subgraph",
        on_step=lambda step, finished: steps.update({step.name: step.details}) if finished else None,
    )
    assert steps["subgraph"]["diamond"] == 50
    assert steps["reports"]["reports"]
    points = steps["answer"]["points"]
    assert isinstance(points, list)
    scores = [point["score"] for point in points]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 100 for score in scores)
