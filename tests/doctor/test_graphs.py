from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.doctor.support import found, only

from askgraph.core.settings import Settings
from askgraph.doctor import content, examine
from askgraph.engine import load_graph, open_graph
from askgraph.stores.folder import GraphFolder


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    """Two people, one of them nameless, who know each other."""
    nodes, edges = tmp_path / "people.csv", tmp_path / "friends.csv"
    nodes.write_text("id,type,name\n1,Person,Ann\n2,Person,\n", encoding="utf-8")
    edges.write_text("source,target,type\n1,2,knows\n", encoding="utf-8")
    load_graph([nodes, edges], tmp_path / "people.graph")
    return tmp_path / "people.graph"


def test_a_graph_in_order_has_no_problem(graph: Path):
    findings = examine(graph, Settings.load())
    assert not [finding for finding in findings if finding.severity in ("warning", "problem")]
    abouts = list(dict.fromkeys(finding.about for finding in findings))
    for about in (
        "packages",
        "settings",
        "cache",
        "run records",
        "embedder",
        "graph folder",
        "content",
        "names",
    ):
        assert about in abouts
    assert only(graph, "content").what.startswith("2 nodes, 1 edge, ")
    assert "a property graph, version 1" in only(graph, "graph folder").what


def test_looking_changes_nothing(graph: Path):
    def state() -> dict[str, tuple[int, int]]:
        return {
            str(file): (file.stat().st_size, file.stat().st_mtime_ns)
            for file in graph.rglob("*")
            if file.is_file()
        }

    before = state()
    examine(graph, Settings.load())
    assert state() == before


def test_findings_are_json(graph: Path):
    data = [finding.to_dict() for finding in examine(graph, Settings.load())]
    assert json.loads(json.dumps(data)) == data
    assert set(data[0]) == {"severity", "about", "what", "advice", "lines", "enforced_by", "known", "trial"}


# --- the graph folder


def test_nothing_there(tmp_path: Path):
    finding = only(tmp_path / "none.graph", "graph")
    assert finding.severity == "problem"
    assert "askgraph load" in finding.advice


def test_a_folder_that_is_no_graph(tmp_path: Path):
    (tmp_path / "notes.txt").touch()
    assert only(tmp_path, "graph folder").severity == "problem"
    assert found(tmp_path, "content") == []


def test_a_version_that_lost_a_file(graph: Path):
    version = GraphFolder.open(graph).current_version()
    next(version.path.glob("*.duckdb")).unlink()
    finding = only(graph, "graph folder")
    assert finding.severity == "problem"
    assert "missing" in finding.what
    assert finding.advice


def test_a_graph_of_a_newer_askgraph(graph: Path):
    mark = graph / "graph.toml"
    mark.write_text(mark.read_text(encoding="utf-8").replace("format_version = 1", "format_version = 99"))
    finding = only(graph, "graph folder")
    assert (finding.severity, "99" in finding.what, "Update askgraph" in finding.advice) == (
        "problem",
        True,
        True,
    )


def test_what_a_killed_load_left(graph: Path):
    (graph / "versions" / ".unfinished-abc").mkdir()
    assert [finding.severity for finding in found(graph, "graph folder")] == ["ok", "warning"]


def test_a_load_that_is_under_way(graph: Path):
    with GraphFolder.writing(graph, kind="property"):
        state, writing = found(graph, "graph folder")
        assert (state.severity, writing.severity) == ("ok", "note")
        assert "being written to by process" in writing.what


def test_a_version_that_readers_hold(graph: Path):
    with GraphFolder.open(graph).pin():
        load_graph([graph.parent / "people.csv"], graph)
        _, older = found(graph, "graph folder")
        assert (older.severity, older.what[:16]) == ("note", "1 other version ")


# --- the graph


def test_nodes_without_a_name_are_counted(graph: Path):
    finding = only(graph, "names")
    assert "1 of 2 nodes (50%) have no name" in finding.what
    assert "--name-property" in finding.advice


def test_a_large_graph_is_judged_by_its_first_nodes(graph: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(content, "MOST_NODES_LOOKED_AT", 1)
    assert only(graph, "names").what == "every node of the first 1 has a name"


def test_an_empty_graph(tmp_path: Path):
    nodes = tmp_path / "nodes.csv"
    nodes.write_text("id,name\n", encoding="utf-8")
    load_graph([nodes], tmp_path / "empty.graph")
    assert only(tmp_path / "empty.graph", "content").severity == "warning"


def test_the_index_from_none_to_damaged(graph: Path):
    assert (only(graph, "index").severity, only(graph, "index").advice) == (
        "note",
        f"Or now: askgraph index {graph}",
    )
    with open_graph(graph) as opened:
        opened.build_index()
    assert only(graph, "index").severity == "ok"
    assert only(graph, "index", embedder="none").severity == "warning"
    description = next(GraphFolder.open(graph).current_version().path.glob("index/*.json"))
    for file in description.parent.glob("*.json"):
        file.write_text("{", encoding="utf-8")
    finding = only(graph, "index")
    assert (finding.severity, "--rebuild" in finding.advice) == ("problem", True)


def test_a_bare_file_is_examined_too(tmp_path: Path, cache_directory: Path):
    file = tmp_path / "a.ttl"
    file.write_text("<http://e.org/a> <http://e.org/knows> <http://e.org/b> .", encoding="utf-8")
    assert only(file, "content").what.startswith("2 nodes, 1 edge")
    assert "pyoxigraph" in found(file, "back end")[0].what
    file.write_text("<http://e.org/a> <http://e.org/knows> ", encoding="utf-8")
    assert "a.ttl, line 1" in only(file, "graph").what
