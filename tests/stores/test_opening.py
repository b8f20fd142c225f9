"""A graph is opened by what it is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import networkx
import pytest

from askgraph.core.errors import GraphNotFoundError, MalformedFileError, SettingsError, UnsupportedGraphError
from askgraph.core.hidden import Hidden
from askgraph.stores.cache import remote_folder
from askgraph.stores.opening import Access, open_store

TURTLE = '@prefix : <http://example.org/> . :a :knows :b . :a <http://xmlns.com/foaf/0.1/name> "Ada" .'


def test_a_bare_rdf_file_is_loaded_once_and_found_again(tmp_path: Path) -> None:
    file = tmp_path / "people.ttl"
    file.write_text(TURTLE, encoding="utf-8")
    cache = tmp_path / "cache"
    first = open_store(file, cache_directory=cache)
    first.store.close()
    (made,) = (cache / "graphs").iterdir()
    stamp = (made / "current").stat().st_mtime_ns
    again = open_store(file, cache_directory=cache)
    assert next(again.store.nodes(["http://example.org/a"])).name == "Ada"
    again.store.close()
    assert (made / "current").stat().st_mtime_ns == stamp


def test_a_changed_file_is_another_graph(tmp_path: Path) -> None:
    file = tmp_path / "people.ttl"
    file.write_text(TURTLE, encoding="utf-8")
    with open_store(file, cache_directory=tmp_path / "cache").store as store:
        before = store.capabilities.version
    file.write_text(TURTLE.replace("Ada", "Eva"), encoding="utf-8")
    with open_store(file, cache_directory=tmp_path / "cache").store as store:
        assert store.capabilities.version != before
        assert next(store.nodes(["http://example.org/a"])).name == "Eva"


def test_several_processes_may_open_the_same_new_file_at_once(tmp_path: Path, ck25_turtle: Path) -> None:
    script = (
        "import sys; from askgraph.stores.opening import open_store; from pathlib import Path\n"
        "print(open_store(sys.argv[1], cache_directory=Path(sys.argv[2])).store.schema().node_count)\n"
    )
    running = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(ck25_turtle), str(tmp_path / "cache")],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ,
        )
        for _ in range(3)
    ]
    ended = [process.communicate(timeout=120) for process in running]
    assert {out.strip() for out, _ in ended} == {"2641"}, ended


def test_a_broken_file_leaves_nothing_in_the_cache(tmp_path: Path) -> None:
    file = tmp_path / "broken.ttl"
    file.write_text(":a :b", encoding="utf-8")
    with pytest.raises(MalformedFileError):
        open_store(file, cache_directory=tmp_path / "cache")
    assert not list((tmp_path / "cache").rglob("graph.toml"))


@pytest.mark.parametrize("location", ["mysql://localhost:3306", "ftp://ada:s3cret@example.org/graph.ttl"])
def test_an_address_of_something_else_is_refused_with_what_can_be_opened(location: str) -> None:
    with pytest.raises(UnsupportedGraphError, match="neo4j://") as caught:
        open_store(location)
    assert "s3cret" not in str(caught.value)


def test_deny_lists_are_refused_where_they_would_not_hold(tmp_path: Path) -> None:
    file = tmp_path / "people.ttl"
    file.write_text(TURTLE, encoding="utf-8")
    with pytest.raises(SettingsError, match="hidden_types"):
        open_store(file, access=Access(hidden=Hidden(types=("Person",))), cache_directory=tmp_path / "cache")
    assert not (tmp_path / "cache").exists()
    with pytest.raises(SettingsError, match="hidden_types"):
        open_store(networkx.DiGraph(), access=Access(hidden=Hidden(properties=("ssn",))))


def test_what_is_kept_of_a_server_is_not_shared_between_users_or_deny_lists(tmp_path: Path) -> None:
    folders = {
        remote_folder(identity, directory=tmp_path)
        for identity in ("address ada", "address eva", "address ada")
    }
    assert len(folders) == 2
    assert not any("ada" in str(folder.relative_to(tmp_path)) for folder in folders)


def test_a_table_is_no_whole_graph(tmp_path: Path) -> None:
    file = tmp_path / "nodes.csv"
    file.write_text("id,name\n1,a\n", encoding="utf-8")
    with pytest.raises(UnsupportedGraphError, match="askgraph load"):
        open_store(file)


def test_nothing_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(GraphNotFoundError):
        open_store(tmp_path / "missing.graph")
