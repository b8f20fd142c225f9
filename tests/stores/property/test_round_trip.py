"""Whatever graph goes in comes back: every value exactly, every edge, every id."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from tests.stores.property.made_graphs import VALUES, exact, exact_edges, exact_nodes, graphs

from askgraph.core.graph import Edge, Node, edge_id
from askgraph.core.values import Value
from askgraph.stores.memory import in_memory
from askgraph.stores.property.codec import decode, encode
from askgraph.stores.property.layout import COLUMN_TYPES
from askgraph.stores.property.store import PropertyStore
from askgraph.stores.property.writer import PropertyGraphWriter

Graph = tuple[list[Node], list[Edge]]
_FOLDER = settings(
    max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


def load(path: Path, nodes: list[Node], edges: list[Edge]) -> None:
    with PropertyGraphWriter.into(path) as writer:
        writer.add_node_objects(nodes)
        writer.add_edge_objects(edges)
        writer.finish()


@given(VALUES)
def test_every_value_has_a_column_type(value: Value) -> None:
    column_type, _ = encode(value)
    assert column_type.removesuffix("[]") in COLUMN_TYPES
    if column_type in ("json", "point", "duration", "decimal", "big_integer"):
        assert exact(decode(*encode(value))) == exact(value)


@given(graphs())
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
def test_a_graph_in_memory_comes_back(graph: Graph) -> None:
    nodes, edges = graph
    with in_memory(nodes, edges) as store:
        check(store, nodes, edges)


@given(graphs())
@_FOLDER
def test_a_graph_in_a_folder_comes_back(tmp_path: Path, graph: Graph) -> None:
    nodes, edges = graph
    path = tmp_path / "g.graph"
    shutil.rmtree(path, ignore_errors=True)
    load(path, nodes, edges)
    with PropertyStore.open(path) as store:
        check(store, nodes, edges)
        again = list(store.nodes()), list(store.edges())
        version = store.capabilities.version
    # What came back loads again to the same graph, edge ids included, and to the same version.
    load(tmp_path / "again.graph", *again)
    with PropertyStore.open(tmp_path / "again.graph") as store:
        assert exact_nodes(store.nodes()) == exact_nodes(again[0])
        assert [edge.id for edge in store.edges()] == [edge.id for edge in again[1]]
        assert store.capabilities.version == version
    shutil.rmtree(tmp_path / "again.graph")


@given(graphs(), graphs())
@_FOLDER
def test_what_is_loaded_later_joins_what_is_there(tmp_path: Path, first: Graph, second: Graph) -> None:
    path = tmp_path / "g.graph"
    shutil.rmtree(path, ignore_errors=True)
    load(path, *first)
    load(path, *second)
    nodes, edges = expected_merge(first, second)
    with PropertyStore.open(path) as store:
        check(store, nodes, edges)
        version = store.capabilities.version
    load(path, *second)
    with PropertyStore.open(path) as store:
        assert store.capabilities.version == version, "loading the same again changes nothing"


def check(store: PropertyStore, nodes: list[Node], edges: list[Edge]) -> None:
    """The store gives exactly this graph, by every way of asking."""
    assert exact_nodes(store.nodes()) == exact_nodes(nodes)
    assert exact_edges(store.edges()) == exact_edges(edges)
    stored = list(store.edges())
    ids = [edge.id for edge in stored]
    assert len(set(ids)) == len(ids)
    assert exact_edges(store.edges(ids)) == exact_edges(edges)
    assert [edge.id for edge in store.edges(list(reversed(ids)))] == list(reversed(ids))
    for edge in stored:
        assert edge.id.startswith("edge ") or edge.id.startswith(edge_id(edge.source, edge.type, edge.target))
    assert {edge.id for edge in edges if edge.id} <= set(ids)
    wanted = [node.id for node in nodes]
    assert exact_nodes(store.nodes(list(reversed(wanted)))) == exact_nodes(reversed(nodes))
    check_neighbors(store, wanted, stored)


def check_neighbors(store: PropertyStore, ids: list[str], edges: list[Edge]) -> None:
    found = store.neighbors(ids)
    hops = [
        (ids[origin], bool(forward), found.type_names[code], node, edge)
        for origin, forward, code, node, edge in zip(
            found.origins, found.forward, found.edge_types, found.nodes, found.edges, strict=True
        )
    ]
    out = [(edge.source, True, edge.type, edge.target, edge.id) for edge in edges]
    back = [
        (edge.target, False, edge.type, edge.source, edge.id) for edge in edges if edge.source != edge.target
    ]
    assert sorted(hops) == sorted(out + back)
    order = {id: position for position, id in enumerate(ids)}
    assert hops == sorted(hops, key=lambda hop: (order[hop[0]], not hop[1], hop[2], order[hop[3]]))
    counted = Counter({(item.type, item.forward): item.count for item in store.relations(ids)})
    assert counted == Counter((edge.type, forward) for edge in edges for forward in (True, False))


def expected_merge(first: Graph, second: Graph) -> Graph:
    """What the writer promises of a second load, done plainly."""
    nodes = {node.id: node for node in first[0]}
    for node in second[0]:
        old = nodes.get(node.id, Node(node.id))
        types = tuple(dict.fromkeys((*old.types, *node.types)))
        nodes[node.id] = Node(node.id, types=types, properties=dict(old.properties) | dict(node.properties))
    given = {edge.id for edge in second[1] if edge.id}
    kept = [edge for edge in first[1] if edge.id not in given or not edge.id]
    present = Counter(repr(exact_edges([edge])) for edge in kept if not edge.id)
    added = []
    for edge in second[1]:
        content = repr(exact_edges([edge]))
        if not edge.id and present[content] > 0:
            present[content] -= 1
        else:
            added.append(edge)
    return list(nodes.values()), kept + added
