from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from askgraph import Graph, Settings, open_graph
from askgraph.core.errors import AlgorithmError, CapExceededError, CorruptGraphError
from askgraph.retrievers.subgraph import whole
from askgraph.retrievers.subgraph.communities import network_of, report_communities


def test_every_node_is_reported_on_once_at_the_top_and_once_at_the_bottom(hetionet: Graph) -> None:
    found = hetionet.subgraph("alcohol dependence")
    reports = report_communities(found)
    everyone = sorted(item.id for item in found.nodes)
    assert sorted(node for report in reports if report.level == 0 for node in report.nodes) == everyone
    assert sorted(node for report in reports if not report.children for node in report.nodes) == everyone
    for report in reports:
        for child in report.children:
            assert set(reports[child].nodes) < set(report.nodes)
            assert reports[child].parent == report.community


def test_a_report_says_what_its_edges_say_and_names_them(clinic_graph: Graph) -> None:
    found = clinic_graph.subgraph("glass bone disease")
    reports = report_communities(found, engine="python")
    by_edge = {item.edge.id: item for item in found.edges}
    assert reports
    for report in reports:
        for finding in report.findings:
            assert set(finding.nodes) <= set(report.nodes)
            assert set(finding.edges) <= set(report.edges)
            for edge in finding.edges:
                assert by_edge[edge].label in finding.explanation
    named = next(report for report in reports if "d" in report.nodes and not report.children)
    assert named.rating >= 9.0
    assert any("Bones break easily." in finding.explanation for finding in named.findings)
    assert "glass bone disease" in named.text


def test_the_nearer_to_the_question_the_higher_the_rating(hetionet: Graph) -> None:
    found = hetionet.subgraph("obesity")
    steps = {item.id: item.step for item in found.nodes}
    near, far = [], []
    for report in report_communities(found):
        kinds = {steps[node] for node in report.nodes}
        if kinds <= {"seed", "neighbours"}:
            near.append(report.rating)
        elif "neighbours" not in kinds and "seed" not in kinds:
            far.append(report.rating)
    assert near
    assert far
    assert min(near) > max(far)


def test_the_same_content_has_the_same_fingerprint(clinic_graph: Graph) -> None:
    found = clinic_graph.subgraph("glass bone disease")
    first, again = report_communities(found, engine="python"), report_communities(found, engine="python")
    assert first == again
    node = found.nodes[0]
    changed = replace(
        found, nodes=(replace(node, node=replace(node.node, properties={"a": 1})), *found.nodes[1:])
    )
    other = report_communities(changed, engine="python")
    assert [one.fingerprint != two.fingerprint for one, two in zip(first, other, strict=True)] == [
        node.id in report.nodes for report in first
    ]


def test_parallel_edges_weigh_together(hetionet: Graph) -> None:
    found = hetionet.subgraph("alcohol dependence")
    network = network_of(found)
    assert network.weights is not None
    assert network.weights.sum() == pytest.approx(
        2 * sum(item.edge.source != item.edge.target for item in found.edges)
    )


def test_reports_of_the_whole_graph_are_kept_and_used_again(
    settings: Settings, hetionet_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_graph(hetionet_folder, settings=settings) as graph:
        reports = graph.communities()
        assert sorted(node for report in reports if report.level == 0 for node in report.nodes) == sorted(
            node.id for node in graph.store.nodes()
        )
        monkeypatch.setattr(whole, "MOST_EDGES", 0)
        assert graph.communities() == reports
        with pytest.raises(CapExceededError, match="edges"):
            graph.communities(rebuild=True)
        with pytest.raises(CapExceededError):
            graph.communities(max_cluster_size=11)
    kept = next(hetionet_folder.rglob("communities.json"))
    content = kept.read_text(encoding="utf-8")
    kept.write_text(content[:100], encoding="utf-8")
    with (
        open_graph(hetionet_folder, settings=settings) as graph,
        pytest.raises(CorruptGraphError, match="rebuild"),
    ):
        graph.communities()
    kept.write_text(json.dumps({"format": 0}), encoding="utf-8")
    with open_graph(hetionet_folder, settings=settings) as graph, pytest.raises(CapExceededError):
        graph.communities()
    kept.unlink()


def test_a_size_below_one_is_refused(clinic_graph: Graph) -> None:
    with pytest.raises(AlgorithmError):
        clinic_graph.communities("glass bone disease", max_cluster_size=0)
