"""Entries kept beside an index: the same as in the files, without reading these again."""

from __future__ import annotations

from pathlib import Path

import pytest

from askgraph import Graph, Settings, load_graph, open_graph
from askgraph.core.graph import Node
from askgraph.engine import index_keeper
from askgraph.linking.dictionaries import DictionaryEntry, NodeDictionary, read_entries, save_entries

NAME, ENTRY = "subacute encephalopathy", "UMLS:C0022336 'Encephalopathy, Subacute' of MSH (names.tsv, line 1)"


def entry(id: str, name: str = "a", line: int = 1) -> DictionaryEntry:
    return DictionaryEntry(id, name, "S", "f.tsv", line)


# --- the file


def test_entries_come_back_by_node_in_their_order(tmp_path: Path) -> None:
    entries = {
        f"n{place}": (entry("X:1", "b", place), entry("X:2", "a\t\u00e9", 2)) for place in range(1_200)
    }
    save_entries(entries, tmp_path, "v1")
    nodes = [*entries, "absent"]
    found = read_entries(nodes, tmp_path, "v1")
    assert found is not None
    assert {node: tuple(own) for node, own in found.items()} == entries | {"absent": ()}
    assert [file.name for file in tmp_path.iterdir()] == ["dictionary_entries.sqlite"]


def test_later_entries_take_the_place_of_earlier_ones(tmp_path: Path) -> None:
    save_entries({"n": (entry("X:1"),)}, tmp_path, "v1")
    save_entries({"m": (entry("X:2"),)}, tmp_path, "v2")
    assert read_entries(["n"], tmp_path, "v1") is None
    assert read_entries(["n", "m"], tmp_path, "v2") == {"n": [], "m": [entry("X:2")]}


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\x00 and no more"])
def test_a_damaged_file_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "dictionary_entries.sqlite").write_bytes(content)
    assert read_entries(["n"], tmp_path, "v1") is None


def test_nothing_is_lost_where_nothing_can_be_kept(tmp_path: Path) -> None:
    save_entries({"n": (entry("X:1"),)}, tmp_path / "not there", "v1")
    assert read_entries(["n"], tmp_path / "not there", "v1") is None


def test_only_what_is_asked_for_while_recording_is_noted() -> None:
    known = NodeDictionary(lambda: [entry("X:1"), entry("X:2")])
    known.names_of(Node("X:1"))
    with known.recording() as found:
        known.names_of(Node("X:2"))
        known.names_of(Node("X:3"))
    known.names_of(Node("X:1"))
    assert found == {"X:2": (entry("X:2"),)}


# --- with a graph


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    names = tmp_path / "names.tsv"
    names.write_text("C0022336\tEncephalopathy, Subacute\tMSH\n", encoding="utf-8")
    (tmp_path / "nodes.csv").write_text("id,type,name\nC0022336,Disease,CJD\n", encoding="utf-8")
    load_graph([tmp_path / "nodes.csv"], tmp_path / "g.graph")
    return Settings.load(
        save_runs=False,
        cache_dir=tmp_path / "cache",
        data_dir=tmp_path / "data",
        embedder="none",
        dictionaries=(names,),
    )


def reopened(tmp_path: Path, settings: Settings) -> Graph:
    return open_graph(tmp_path / "g.graph", settings=settings)


def entries_of(graph: Graph) -> list[str]:
    return [link.entry for link in graph.link(NAME) if link.kind == "node"]


def test_files_are_not_read_again_for_what_the_index_knows(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with reopened(tmp_path, settings) as graph:
        assert entries_of(graph) == [ENTRY]
    monkeypatch.setattr(index_keeper, "read_dictionary", lambda *args, **options: pytest.fail("read again"))
    with reopened(tmp_path, settings) as graph:
        assert entries_of(graph) == [ENTRY]


@pytest.mark.parametrize("content", [None, b"no database"])
def test_files_are_read_where_nothing_is_kept(
    settings: Settings, tmp_path: Path, content: bytes | None
) -> None:
    with reopened(tmp_path, settings) as graph:
        graph.build_index()
    kept = list((tmp_path / "g.graph").rglob("dictionary_entries.sqlite"))
    assert len(kept) == 1
    if content is None:
        kept[0].unlink()
    else:
        kept[0].write_bytes(content)
    with reopened(tmp_path, settings) as graph:
        assert entries_of(graph) == [ENTRY]


def test_a_changed_dictionary_gives_other_entries(settings: Settings, tmp_path: Path) -> None:
    with reopened(tmp_path, settings) as graph:
        assert entries_of(graph) == [ENTRY]
    (tmp_path / "names.tsv").write_text("# new\nC0022336\tsubacute encephalopathy\tMTH\n", encoding="utf-8")
    with reopened(tmp_path, settings) as graph:
        assert entries_of(graph) == ["UMLS:C0022336 'subacute encephalopathy' of MTH (names.tsv, line 2)"]
