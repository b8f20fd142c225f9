"""What a property graph answers: nodes, edges, hops, from several threads, whatever writers do."""

from __future__ import annotations

import datetime
import json
import shutil
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from askgraph.core.budget import Budget
from askgraph.core.errors import (
    CapExceededError,
    CorruptGraphError,
    DeadlineExceededError,
    OpenError,
    UnsupportedGraphError,
)
from askgraph.core.graph import Edge, Name, Node
from askgraph.stores.base import Neighbors, RelationCount
from askgraph.stores.folder import GraphFolder
from askgraph.stores.memory import in_memory
from askgraph.stores.property.store import PropertyStore
from askgraph.stores.property.writer import PropertyGraphWriter

NODES = [
    Node("ann", types=("Person", "Boss"), properties={"name": "Ann", "born": datetime.date(1980, 1, 2)}),
    Node("bob", types=("Person",), properties={"name": "Bob"}),
    Node("acme", types=("Company",)),
    Node("lonely"),
]
EDGES = [
    Edge("", "ann", "bob", "manages"),
    Edge("", "ann", "acme", "works at", {"since": 2001}),
    Edge("", "ann", "acme", "works at", {"since": 2010}),
    Edge("", "bob", "acme", "works at"),
    Edge("", "acme", "acme", "owns"),
    Edge("hired-7", "acme", "bob", "hired"),
]


def load(path: Path, nodes: list[Node], edges: list[Edge]) -> None:
    with PropertyGraphWriter.into(path) as writer:
        writer.add_node_objects(nodes)
        writer.add_edge_objects(edges)
        writer.finish()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PropertyStore]:
    path = tmp_path_factory.mktemp("stores") / "company.graph"
    load(path, NODES, EDGES)
    with PropertyStore.open(path) as opened:
        yield opened


def rows(found: Neighbors) -> list[tuple[int, bool, str, str, str]]:
    return [
        (int(origin), bool(forward), found.type_names[code], node, edge)
        for origin, forward, code, node, edge in zip(
            found.origins, found.forward, found.edge_types, found.nodes, found.edges, strict=True
        )
    ]


# --- nodes and edges


def test_nodes_come_by_id_in_the_order_asked_for_and_unknown_ids_give_nothing(store: PropertyStore) -> None:
    assert [node.id for node in store.nodes(["bob", "nobody", "ann", "bob"])] == ["bob", "ann", "bob"]
    assert list(store.nodes([])) == []
    assert list(store.nodes(["half \ud800"])) == []


def test_a_node_has_its_names_types_and_properties(store: PropertyStore) -> None:
    (ann,) = store.nodes(["ann"])
    assert ann == Node("ann", (Name("Ann", "name"),), ("Person", "Boss"), NODES[0].properties)
    (acme,) = store.nodes(["acme"])
    assert acme.names == (Name("acme"),)


def test_types_of_nodes_are_told_without_reading_them(store: PropertyStore) -> None:
    every = list(store.nodes())
    ids = [node.id for node in every]
    for type in (*store.schema().with_subtypes(item.id for item in store.schema().node_types), "nothing"):
        assert list(store.of_types(ids, [type])) == [type in node.types for node in every]
    first, *_, last = sorted({type for node in every for type in node.types})
    assert list(store.of_types([*ids, "unknown"], [first, last])) == [
        *(first in node.types or last in node.types for node in every),
        False,
    ]


def test_edges_come_by_given_and_by_made_id(store: PropertyStore) -> None:
    ids = [
        "hired-7",
        "ann|works at|acme|1",
        "nothing",
        "ann|works at|acme|2",
        "ann|works at",
        "ann|works at|acme|01",
    ]
    assert list(store.edges(ids)) == [
        Edge("hired-7", "acme", "bob", "hired"),
        Edge("ann|works at|acme|1", "ann", "acme", "works at", {"since": 2010}),
    ]
    assert len(list(store.edges())) == len(EDGES)


def test_an_edge_with_an_id_of_its_own_is_not_found_under_a_made_one(store: PropertyStore) -> None:
    assert list(store.edges(["acme|hired|bob"])) == []


# --- hops


def test_one_hop_gives_edges_out_then_edges_in_each_by_type(store: PropertyStore) -> None:
    assert rows(store.neighbors(["acme", "nobody", "bob"])) == [
        (0, True, "hired", "bob", "hired-7"),
        (0, True, "owns", "acme", "acme|owns|acme"),
        (0, False, "works at", "ann", "ann|works at|acme"),
        (0, False, "works at", "ann", "ann|works at|acme|1"),
        (0, False, "works at", "bob", "bob|works at|acme"),
        (2, True, "works at", "acme", "bob|works at|acme"),
        (2, False, "hired", "acme", "hired-7"),
        (2, False, "manages", "ann", "ann|manages|bob"),
    ]


def test_one_direction_gives_a_self_loop_in_each(store: PropertyStore) -> None:
    assert [row[2] for row in rows(store.neighbors(["acme"], "out"))] == ["hired", "owns"]
    assert [row[2] for row in rows(store.neighbors(["acme"], "in"))] == [
        "owns",
        "works at",
        "works at",
        "works at",
    ]


def test_hops_of_some_types_alone(store: PropertyStore) -> None:
    assert [row[3] for row in rows(store.neighbors(["ann"], types=["manages", "no such type"]))] == ["bob"]
    assert len(store.neighbors(["ann"], types=[])) == 0


def test_capped_hops_say_how_many_there_are(store: PropertyStore) -> None:
    capped = store.neighbors(["acme", "bob", "lonely"], limit_per_node=3)
    assert [row[:3] for row in rows(capped)] == [
        (0, True, "hired"), (0, True, "owns"), (0, False, "works at"),
        (1, True, "works at"), (1, False, "hired"), (1, False, "manages"),
    ]  # fmt: skip
    assert capped.cut == {"acme": 5}
    assert len(store.neighbors(["acme"], limit_per_node=0)) == 0
    assert store.neighbors(["acme"], budget=Budget(fan_out=2), limit_per_node=4).cut == {"acme": 5}


def test_the_texts_of_hops_are_a_sequence(store: PropertyStore) -> None:
    found = store.neighbors(["ann"], "out")
    assert found.nodes[0] == "bob"
    assert found.nodes[-1] == "acme"
    assert list(found.nodes[1:]) == ["acme", "acme"]
    assert found.nodes == ["bob", "acme", "acme"]
    assert found.nodes != ["bob", "acme"]
    assert repr(found.nodes) == "['bob', 'acme', 'acme']"


def test_relations_count_edges_in_both_directions(store: PropertyStore) -> None:
    assert store.relations(["ann", "bob", "nobody", "ann"]) == [
        RelationCount("works at", True, 3),
        RelationCount("hired", False, 1),
        RelationCount("manages", True, 1),
        RelationCount("manages", False, 1),
    ]
    assert store.relations([]) == []


def test_algorithms_get_arrays(store: PropertyStore) -> None:
    numbers = store.rows(["bob", "nobody", "ann"])
    assert numbers.tolist() == [1, -1, 0]
    assert store.ids(np.array([2, 0])) == ["acme", "ann"]
    assert store.adjacency.node_count == 4
    assert store.adjacency.edge_count == 6


def test_time_that_is_up_stops_a_hop(store: PropertyStore) -> None:
    with pytest.raises(DeadlineExceededError):
        store.neighbors(["ann"], budget=Budget(seconds=0))
    with pytest.raises(DeadlineExceededError):
        store.relations(["ann"], budget=Budget(seconds=0))


def test_a_hop_that_would_take_too_much_memory_is_refused(store: PropertyStore) -> None:
    with pytest.raises(CapExceededError, match="2 nodes would take more"):
        store.neighbors(["ann", "acme"], budget=Budget(bytes=500))
    assert len(store.neighbors(["lonely"], budget=Budget(bytes=500))) == 0


# --- what it is


def test_capabilities_tell_kind_engine_and_version(store: PropertyStore) -> None:
    found = store.capabilities
    assert found.kind == "property"
    assert found.engine.startswith("DuckDB ")
    assert found.persistent
    assert (found.query_languages, found.dialect) == (("cypher",), "kglite")
    assert len(found.version) == 64
    assert "4 nodes" in repr(store)


def test_the_same_content_has_the_same_version_and_another_content_another(
    store: PropertyStore, tmp_path: Path
) -> None:
    load(tmp_path / "again.graph", NODES, EDGES)
    with PropertyStore.open(tmp_path / "again.graph") as again, in_memory(NODES, EDGES) as memory:
        assert again.capabilities.version == store.capabilities.version
        assert memory.capabilities.version == store.capabilities.version
        assert not memory.capabilities.persistent
    changed = [*EDGES[:-1], Edge("hired-7", "acme", "bob", "hired", {"when": 1})]
    with in_memory(NODES, changed) as memory:
        assert memory.capabilities.version != store.capabilities.version


def test_the_schema_is_counted_by_the_load_and_opened_with_the_graph(
    store: PropertyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with in_memory(NODES, EDGES) as memory:
        counted = memory.schema()
    assert store.version_folder is not None
    with PropertyStore.open(store.version_folder.parent.parent) as again:
        monkeypatch.setattr(PropertyStore, "_introspect", None)
        assert again.schema().to_dict() == counted.to_dict()
    assert [(item.id, item.count) for item in counted.edge_types] == [
        ("works at", 3), ("hired", 1), ("manages", 1), ("owns", 1),
    ]  # fmt: skip


def test_a_damaged_schema_is_told_as_such(tmp_path: Path) -> None:
    path = tmp_path / "g.graph"
    load(path, NODES, EDGES)
    _damage(path, "schema.json", b"{} ")
    with PropertyStore.open(path) as damaged, pytest.raises(CorruptGraphError, match="schema"):
        damaged.schema()


# --- many at once


def test_many_threads_ask_at_once(store: PropertyStore) -> None:
    def ask(number: int) -> tuple[list[Node], list[Edge], int]:
        return list(store.nodes(["ann", "bob"])), list(store.edges()), len(store.neighbors(["acme"]))

    expected = ask(0)
    with ThreadPoolExecutor(8) as pool:
        assert all(result == expected for result in pool.map(ask, range(100)))


def test_one_stream_may_be_read_while_others_are_asked(store: PropertyStore) -> None:
    seen = []
    for node in store.nodes():
        seen.append((node.id, len(list(store.nodes(["ann"]))), len(list(store.edges()))))
    assert seen == [(node.id, 1, 6) for node in NODES]


def test_a_reader_sees_its_version_while_a_writer_publishes(tmp_path: Path) -> None:
    path = tmp_path / "company.graph"
    load(path, NODES, EDGES)
    with PropertyStore.open(path) as before:
        load(path, [Node("new")], [Edge("", "new", "ann", "knows")])
        load(path, [Node("newer")], [])
        assert [node.id for node in before.nodes()] == [node.id for node in NODES]
        assert len(before.neighbors(["ann"])) == 3
        with PropertyStore.open(path) as after:
            assert len(list(after.nodes())) == len(NODES) + 2
            assert len(after.neighbors(["ann"])) == 4
            assert after.capabilities.version != before.capabilities.version


def test_readers_that_open_during_loads_are_never_disturbed(tmp_path: Path) -> None:
    path = tmp_path / "company.graph"
    load(path, NODES, EDGES)
    failures: list[BaseException] = []
    done = threading.Event()

    def read_again_and_again() -> None:
        try:
            while not done.is_set():
                with PropertyStore.open(path) as opened:
                    count = opened.adjacency.node_count
                    assert len(list(opened.nodes())) == count
        except BaseException as error:  # noqa: BLE001 - told to the main thread
            failures.append(error)

    readers = [threading.Thread(target=read_again_and_again) for _ in range(2)]
    for reader in readers:
        reader.start()
    for number in range(5):
        load(path, [Node(f"new {number}")], [])
    done.set()
    for reader in readers:
        reader.join()
    assert failures == []


# --- closing, and what is damaged


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    load(tmp_path / "g.graph", NODES, EDGES)
    store = PropertyStore.open(tmp_path / "g.graph")
    stream = store.nodes()
    next(stream)
    store.close()
    store.close()
    for ask in (
        lambda: list(store.nodes()),
        lambda: store.neighbors(["ann"]),
        lambda: store.relations(["ann"]),
    ):
        with pytest.raises(OpenError, match="closed"):
            ask()


def test_an_rdf_folder_is_no_property_graph(tmp_path: Path) -> None:
    with GraphFolder.writing(tmp_path / "g.graph", kind="rdf") as writer:
        writer.seal("hash")
    with pytest.raises(UnsupportedGraphError, match="rdf"):
        PropertyStore.open(tmp_path / "g.graph")


def _damage(path: Path, file: str, content: bytes) -> None:
    """Replaces a file of the version by another of the same size, so that only its content is wrong."""
    target = path / "versions" / "1" / file
    size = target.stat().st_size
    target.write_bytes((content * (size // max(len(content), 1) + 1))[:size])


@pytest.mark.parametrize(
    "file",
    ["graph.duckdb", "adjacency/out_offsets.npy", "adjacency/in_edges.npy", "adjacency/node_ids_text.npy",
     "adjacency/node_ids_offsets.npy", "adjacency/edge_ids_hashes.npy"],
)  # fmt: skip
def test_a_damaged_file_is_told_as_such(tmp_path: Path, file: str) -> None:
    path = tmp_path / "g.graph"
    load(path, NODES, EDGES)
    _damage(path, file, b"garbage ")
    with pytest.raises(CorruptGraphError):
        PropertyStore.open(path)
    # Nothing of it is held: the folder can be removed, and loaded again.
    shutil.rmtree(path)
    load(path, NODES, EDGES)


def test_arrays_that_do_not_fit_together_are_told(tmp_path: Path) -> None:
    path = tmp_path / "g.graph"
    load(path, NODES, EDGES)
    offsets = path / "versions" / "1" / "adjacency" / "out_offsets.npy"
    array = np.load(offsets)
    array[-1] += 1
    np.save(offsets, array)
    with pytest.raises(CorruptGraphError, match="do not fit together"):
        PropertyStore.open(path)


def test_tables_of_a_newer_format_ask_for_an_update(tmp_path: Path) -> None:
    import duckdb

    path = tmp_path / "g.graph"
    load(path, NODES, EDGES)
    database = path / "versions" / "1" / "graph.duckdb"
    with duckdb.connect(str(database)) as connection:
        connection.execute("UPDATE metadata SET value = '99' WHERE key = 'format_version'")
    description = path / "versions" / "1" / "version.toml"
    lines = description.read_text(encoding="utf-8").splitlines()
    lines = [
        f'"graph.duckdb" = {database.stat().st_size}' if "graph.duckdb" in line else line for line in lines
    ]
    description.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(UnsupportedGraphError, match="format 99"):
        PropertyStore.open(path)


def test_a_query_reaches_nothing_but_the_graph(store: PropertyStore, tmp_path: Path) -> None:
    import duckdb

    (tmp_path / "secret.csv").write_text("a\n1\n", encoding="utf-8")
    for sql in (
        f"SELECT * FROM read_csv('{tmp_path}/secret.csv')",
        f"COPY nodes TO '{tmp_path}/out.csv'",
        f"ATTACH '{tmp_path}/other.duckdb'",
        "CREATE TABLE t (a INTEGER)",
        "DELETE FROM nodes",
        "SET memory_limit = '100GB'",
        "SET lock_configuration = false",
        "INSTALL httpfs",
    ):
        with store._cursor() as cursor, pytest.raises(duckdb.Error):
            cursor.execute(sql)
    assert json.dumps([entry.name for entry in tmp_path.iterdir()]) == '["secret.csv"]'
