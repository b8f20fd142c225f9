from __future__ import annotations

from pathlib import Path

import pytest

from askgraph.stores.folder import GraphFolder
from askgraph.stores.folder_state import folder_state


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    """A graph folder with one version."""
    path = tmp_path / "company.graph"
    publish(path, "one")
    return path


def publish(path: Path, content: str) -> None:
    with GraphFolder.writing(path, kind="rdf") as writer:
        (writer.path / "content").write_text(content, encoding="utf-8")
        writer.seal(content)


def test_a_quiet_graph_has_one_version_and_nobody_writing(graph: Path):
    state = folder_state(graph)
    assert state.versions == (1,)
    assert state.unfinished == ()
    assert state.writer == ""
    assert state.bytes == sum(file.stat().st_size for file in graph.rglob("*") if file.is_file()) > 3


def test_a_version_that_a_reader_holds_is_seen_beside_the_new_one(graph: Path):
    with GraphFolder.open(graph).pin():
        publish(graph, "two")
        assert folder_state(graph).versions == (1, 2)


def test_a_writer_is_named_while_it_writes_and_not_disturbed(graph: Path):
    with GraphFolder.writing(graph, kind="rdf") as writer:
        state = folder_state(graph)
        assert state.writer.startswith("process ")
        assert len(state.unfinished) == 1
        (writer.path / "content").write_text("two", encoding="utf-8")
        writer.seal("two")
    assert folder_state(graph).writer == ""
    assert folder_state(graph).versions == (2,)


def test_a_killed_writer_is_not_taken_for_one_that_writes(graph: Path):
    # What a killed process leaves: its name without its lock, and its unfinished version.
    (graph / "lock").write_text("process 1 on elsewhere", encoding="utf-8")
    (graph / "versions" / ".unfinished-abc").mkdir()
    state = folder_state(graph)
    assert state.writer == ""
    assert state.unfinished == (".unfinished-abc",)


def test_a_folder_that_is_no_graph_has_no_state(tmp_path: Path):
    state = folder_state(tmp_path)
    assert (state.versions, state.unfinished, state.bytes, state.writer) == ((), (), 0, "")
