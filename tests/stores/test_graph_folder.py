"""A graph folder: versions that readers pin, one writer at a time, nothing half-written."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from askgraph.core.errors import (
    AskgraphError,
    CorruptGraphError,
    GraphLockedError,
    GraphNotFoundError,
    MissingFileError,
    OpenError,
    UnsupportedGraphError,
)
from askgraph.stores.cache import cache_directory, cached_folder
from askgraph.stores.folder import GraphFolder


def publish(path: Path, content: str, *, content_hash: str | None = None) -> None:
    with GraphFolder.writing(path, kind="property") as writer:
        (writer.path / "data.txt").write_text(content, encoding="utf-8")
        writer.seal(content_hash or f"hash of {content}")


def read(path: Path) -> str:
    version = GraphFolder.open(path).current_version()
    return (version.path / "data.txt").read_text(encoding="utf-8")


def versions(path: Path) -> list[str]:
    return sorted(entry.name for entry in (path / "versions").iterdir())


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    path = tmp_path / "company.graph"
    publish(path, "one")
    return path


# --- publishing


def test_what_was_sealed_is_what_readers_open(graph: Path) -> None:
    folder = GraphFolder.open(graph)
    assert folder.kind == "property"
    assert folder.current_version().number == 1
    assert folder.current_version().content_hash == "hash of one"
    assert read(graph) == "one"


def test_each_load_makes_a_version_and_sweeps_the_one_before(graph: Path) -> None:
    publish(graph, "two")
    publish(graph, "three")
    assert read(graph) == "three"
    assert versions(graph) == ["3"]


def test_a_folder_may_lie_in_folders_that_do_not_exist_yet(tmp_path: Path) -> None:
    publish(tmp_path / "a" / "b" / "new.graph", "one")
    assert read(tmp_path / "a" / "b" / "new.graph") == "one"


def test_a_writer_may_start_from_a_copy_of_what_is_there(graph: Path) -> None:
    first = GraphFolder.open(graph).pin()
    with GraphFolder.writing(graph, kind="property") as writer:
        writer.copy_previous(may_link=lambda relative: relative.name == "data.txt")
        (writer.path / "more.txt").write_text("more", encoding="utf-8")
        writer.seal("two files")
    current = GraphFolder.open(graph).current_version()
    assert (current.path / "data.txt").read_text(encoding="utf-8") == "one"
    assert (current.path / "data.txt").samefile(first.version.path / "data.txt")
    first.close()


def test_a_copy_that_may_be_modified_leaves_the_original_alone(graph: Path) -> None:
    pinned = GraphFolder.open(graph).pin()
    with GraphFolder.writing(graph, kind="property") as writer:
        writer.copy_previous()
        with (writer.path / "data.txt").open("a", encoding="utf-8") as stream:
            stream.write(" and two")
        writer.seal("appended")
    assert (pinned.version.path / "data.txt").read_text(encoding="utf-8") == "one"
    assert read(graph) == "one and two"
    pinned.close()


# --- failing


def test_an_error_while_writing_leaves_the_graph_as_it_was(graph: Path) -> None:
    def fail() -> None:
        with GraphFolder.writing(graph, kind="property") as writer:
            (writer.path / "data.txt").write_text("half", encoding="utf-8")
            writer.seal("half")
            raise ValueError("bad row")

    with pytest.raises(ValueError, match="bad row"):
        fail()
    assert read(graph) == "one"
    assert versions(graph) == ["1"]


def test_an_error_in_the_first_load_leaves_no_folder(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "new.graph"

    def fail() -> None:
        with GraphFolder.writing(path, kind="property"):
            raise ValueError("bad row")

    with pytest.raises(ValueError, match="bad row"):
        fail()
    assert list(tmp_path.iterdir()) == []


def test_a_block_without_a_seal_publishes_nothing(graph: Path, tmp_path: Path) -> None:
    with GraphFolder.writing(graph, kind="property") as writer:
        (writer.path / "data.txt").write_text("unsealed", encoding="utf-8")
    assert read(graph) == "one"
    with GraphFolder.writing(tmp_path / "other.graph", kind="property"):
        pass
    assert not (tmp_path / "other.graph").exists()


def test_an_empty_folder_of_the_user_stays_after_a_failed_load(tmp_path: Path) -> None:
    path = tmp_path / "mine"
    path.mkdir()

    def fail() -> None:
        with GraphFolder.writing(path, kind="property"):
            raise ValueError("bad row")

    with pytest.raises(ValueError, match="bad row"):
        fail()
    assert path.is_dir()
    publish(path, "one")
    assert read(path) == "one"


# --- readers


def test_a_reader_keeps_its_version_while_writers_publish(graph: Path) -> None:
    with GraphFolder.open(graph).pin() as pinned:
        publish(graph, "two")
        publish(graph, "three")
        assert (pinned.version.path / "data.txt").read_text(encoding="utf-8") == "one"
        assert versions(graph) == ["1", "3"]
    publish(graph, "four")
    assert versions(graph) == ["4"]


def test_readers_that_open_while_writers_publish_always_get_a_whole_version(graph: Path) -> None:
    failures: list[BaseException] = []
    done = threading.Event()

    def open_again_and_again() -> None:
        try:
            while not done.is_set():
                with GraphFolder.open(graph).pin() as pinned:
                    text = (pinned.version.path / "data.txt").read_text(encoding="utf-8")
                    assert pinned.version.content_hash == f"hash of {text}"
        except BaseException as error:  # noqa: BLE001 - told to the main thread
            failures.append(error)

    readers = [threading.Thread(target=open_again_and_again) for _ in range(3)]
    for reader in readers:
        reader.start()
    for number in range(30):
        publish(graph, f"round {number}")
    done.set()
    for reader in readers:
        reader.join()
    assert failures == []


def test_closing_a_pin_twice_is_allowed(graph: Path) -> None:
    pinned = GraphFolder.open(graph).pin()
    pinned.close()
    pinned.close()


# --- one writer at a time


def test_a_second_writer_is_told_who_holds_the_lock(graph: Path) -> None:
    with (
        GraphFolder.writing(graph, kind="property"),
        pytest.raises(GraphLockedError, match=f"process {os.getpid()}") as caught,
        GraphFolder.writing(graph, kind="property"),
    ):
        pass
    assert caught.value.advice is not None
    publish(graph, "two")


def test_a_second_writer_may_wait_for_the_first(graph: Path) -> None:
    started = threading.Event()

    def write_slowly() -> None:
        with GraphFolder.writing(graph, kind="property") as writer:
            started.set()
            threading.Event().wait(0.2)
            (writer.path / "data.txt").write_text("slow", encoding="utf-8")
            writer.seal("slow")

    first = threading.Thread(target=write_slowly)
    first.start()
    started.wait()
    with GraphFolder.writing(graph, kind="property", wait=30) as writer:
        assert writer.previous is not None
        assert writer.previous.content_hash == "slow"
    first.join()


_WRITE_AND_HANG = """
import sys, time
from pathlib import Path
from askgraph.stores.folder import GraphFolder
with GraphFolder.writing(Path(sys.argv[1]), kind="property") as writer:
    (writer.path / "data.txt").write_text("half", encoding="utf-8")
    print("writing", flush=True)
    time.sleep(600)
"""


def kill_a_writer(path: Path) -> None:
    """Starts a writer in a process of its own and kills it in the middle of its work."""
    with subprocess.Popen(
        [sys.executable, "-c", _WRITE_AND_HANG, str(path)], stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "writing\n"
        with (
            pytest.raises(GraphLockedError, match=f"process {process.pid}"),
            GraphFolder.writing(path, kind="property"),
        ):
            pass
        process.send_signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
        process.wait()


def test_a_killed_writer_leaves_the_graph_as_it_was_and_its_lock_free(graph: Path) -> None:
    kill_a_writer(graph)
    assert read(graph) == "one"
    assert len(versions(graph)) == 2
    publish(graph, "two")
    assert read(graph) == "two"
    assert versions(graph) == ["2"]


def test_a_killed_first_load_leaves_no_graph_and_can_be_done_again(tmp_path: Path) -> None:
    path = tmp_path / "new.graph"
    kill_a_writer(path)
    with pytest.raises(GraphNotFoundError, match="did not end"):
        GraphFolder.open(path)
    publish(path, "one")
    assert read(path) == "one"


@pytest.mark.parametrize("stopped_at", ["rename", "replace"])
def test_a_writer_that_dies_while_it_publishes_leaves_the_graph_as_it_was(
    graph: Path, stopped_at: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, stopped_at, die)
        with pytest.raises(OSError, match="No space left"):
            publish(graph, "two")
    assert read(graph) == "one"
    publish(graph, "three")
    assert read(graph) == "three"
    assert len(versions(graph)) == 1


# --- what is no graph folder, or a damaged one


def test_nothing_there_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(GraphNotFoundError, match="no graph at"):
        GraphFolder.open(tmp_path / "missing.graph")
    with (
        pytest.raises(GraphNotFoundError, match="no graph at"),
        GraphFolder.writing(tmp_path / "missing.graph", kind="property", create=False),
    ):
        pass
    assert list(tmp_path.iterdir()) == []


def test_another_folder_or_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    for path in (tmp_path, tmp_path / "notes.txt"):
        with pytest.raises(UnsupportedGraphError):
            GraphFolder.open(path)
        with pytest.raises(OpenError), GraphFolder.writing(path, kind="property"):
            pass
    assert [entry.name for entry in tmp_path.iterdir()] == ["notes.txt"]


def test_a_graph_of_another_kind_is_not_overwritten(graph: Path) -> None:
    with pytest.raises(UnsupportedGraphError, match="kind property"), GraphFolder.writing(graph, kind="rdf"):
        pass
    assert read(graph) == "one"


def test_a_graph_of_a_newer_format_asks_for_an_update(graph: Path) -> None:
    (graph / "graph.toml").write_text('format_version = 99\nkind = "property"\n', encoding="utf-8")
    with pytest.raises(UnsupportedGraphError, match="format version 99") as caught:
        GraphFolder.open(graph)
    assert "Update askgraph" in str(caught.value)
    with pytest.raises(UnsupportedGraphError), GraphFolder.writing(graph, kind="property"):
        pass


def write_text(text: str) -> object:
    return lambda file: file.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "damage"),
    [
        ("graph.toml", write_text("kind = ")),
        ("graph.toml", write_text("")),
        ("graph.toml", write_text("format_version = 1\nkind = 'wine'\n")),
        ("graph.toml", write_text("format_version = 0\nkind = 'rdf'\n")),
        ("graph.toml", lambda file: file.write_bytes(b"\xff\xfe\x00")),
        ("current", Path.unlink),
        ("current", write_text("")),
        ("current", write_text("-1")),
        ("current", write_text("²")),
        ("current", write_text("../../elsewhere")),
        ("current", write_text("7")),
        ("current", lambda file: file.write_bytes(b"\xff")),
        ("versions", shutil.rmtree),
        ("versions/1", shutil.rmtree),
        ("versions/1/pin", Path.unlink),
        ("versions/1/data.txt", Path.unlink),
        ("versions/1/data.txt", write_text("on")),
        ("versions/1/version.toml", Path.unlink),
        ("versions/1/version.toml", write_text("content_hash = 3")),
        ("versions/1/version.toml", write_text("garbage")),
    ],
)
def test_a_damaged_folder_is_told_as_such(graph: Path, file: str, damage: object) -> None:
    assert callable(damage)
    damage(graph / file)
    with pytest.raises(CorruptGraphError) as caught:
        GraphFolder.open(graph).pin()
    assert caught.value.advice is not None


# --- the cache of bare files


def test_a_bare_file_gets_a_folder_by_what_it_contains(tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text("id,name\n1,Ann\n", encoding="utf-8")
    first = cached_folder([file])
    assert first.parent.parent == cache_directory()
    assert first == cached_folder([file])
    assert first != cached_folder([file], {"language": "de"})
    assert cached_folder([file], directory=tmp_path).parent == tmp_path / "graphs"
    file.write_text("id,name\n1,Bob\n", encoding="utf-8")
    changed = cached_folder([file])
    assert changed != first
    publish(changed, "loaded")
    assert read(changed) == "loaded"


def test_a_missing_file_has_no_cached_folder(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match="missing"):
        cached_folder([tmp_path / "missing.csv"])


def test_every_failure_has_one_root(tmp_path: Path) -> None:
    with pytest.raises(AskgraphError):
        GraphFolder.open(tmp_path / "missing.graph")
