"""networkx graphs as stores, and stores as networkx graphs."""

from __future__ import annotations

import datetime
import enum
import uuid
from typing import Any

import networkx as nx
import numpy as np
import pytest

from askgraph.core.errors import BadValueError, DanglingEdgeError, DuplicateIdError, UnsupportedGraphError
from askgraph.core.graph import Edge, Node
from askgraph.core.values import Duration
from askgraph.stores.memory import from_networkx, in_memory, to_networkx
from askgraph.stores.property.store import PropertyStore


def nodes_of(store: PropertyStore) -> dict[str, tuple[tuple[str, ...], dict[str, Any]]]:
    return {node.id: (node.types, dict(node.properties)) for node in store.nodes()}


def edges_of(store: PropertyStore) -> list[tuple[str, str, str, dict[str, Any]]]:
    return [(edge.source, edge.type, edge.target, dict(edge.properties)) for edge in store.edges()]


def test_types_and_names_follow_the_usual_attributes() -> None:
    graph = nx.DiGraph()
    graph.add_node("a", labels=["Person", "Boss"], name="Ann")
    graph.add_node("b", type="Person", name="Bob", label="Manager")
    graph.add_node("c", label="Company", name="Acme")
    graph.add_node("d")
    graph.add_edge("a", "b", type="manages", since=2001)
    graph.add_edge("a", "c", relation="works at", label="kept")
    graph.add_edge("b", "c")
    with from_networkx(graph) as store:
        assert nodes_of(store) == {
            "a": (("Person", "Boss"), {"name": "Ann"}),
            "b": (("Person",), {"name": "Bob", "label": "Manager"}),
            "c": (("Company",), {"name": "Acme"}),
            "d": ((), {}),
        }
        assert edges_of(store) == [
            ("a", "manages", "b", {"since": 2001}),
            ("a", "works at", "c", {"label": "kept"}),
            ("b", "related_to", "c", {}),
        ]


def test_a_label_is_a_name_where_nodes_have_no_other() -> None:
    graph = nx.Graph()
    graph.add_node(1, label="Ann")
    with from_networkx(graph) as store:
        (node,) = store.nodes()
        assert (node.types, node.name) == ((), "Ann")


def test_the_attributes_that_hold_types_can_be_chosen() -> None:
    graph = nx.DiGraph()
    graph.add_node("a", kind="Gene", type="x", code="A1")
    graph.add_edge("a", "a", p="binds", type="y")
    options: dict[str, Any] = {
        "node_type_keys": ["kind"],
        "edge_type_keys": ["p"],
        "name_properties": ["code"],
    }
    with from_networkx(graph, **options) as store:
        assert nodes_of(store) == {"a": (("Gene",), {"type": "x", "code": "A1"})}
        assert edges_of(store) == [("a", "binds", "a", {"type": "y"})]
        assert next(store.nodes()).name == "A1"


def test_parallel_edges_of_a_multigraph_all_stay() -> None:
    graph = nx.MultiDiGraph()
    graph.add_edge("a", "b", type="r", w=1)
    graph.add_edge("a", "b", type="r", w=2)
    graph.add_edge("a", "b", "s")
    graph.add_edge("a", "b", "key", type="r")
    with from_networkx(graph) as store:
        assert edges_of(store) == [
            ("a", "r", "b", {"w": 1}), ("a", "r", "b", {"w": 2}), ("a", "r", "b", {"key": "key"}), ("a", "s", "b", {}),
        ]  # fmt: skip


@pytest.mark.parametrize("kind", [nx.Graph, nx.MultiGraph])
def test_an_undirected_edge_is_stored_once_and_found_from_both_ends(kind: Any) -> None:
    graph = kind()
    graph.add_edge("b", "a", type="r")
    with from_networkx(graph) as store:
        assert edges_of(store) == [("b", "r", "a", {})]
        assert list(store.neighbors(["a"]).nodes) == ["b"]
        assert list(store.neighbors(["b"]).nodes) == ["a"]


def test_the_edge_types_of_an_undirected_graph_are_symmetric() -> None:
    for graph, symmetric in ((nx.path_graph(3), True), (nx.path_graph(3, create_using=nx.DiGraph), False)):
        with from_networkx(graph) as store:
            assert [item.symmetric for item in store.schema().edge_types] == [symmetric]


def test_ids_are_the_texts_of_keys() -> None:
    graph = nx.Graph()
    graph.add_nodes_from([1, "x", 2.5, (0, "a"), np.int64(7), uuid.UUID(int=1), datetime.date(2020, 1, 2)])
    with from_networkx(graph) as store:
        assert list(nodes_of(store)) == [
            "1", "x", "2.5", "(0, 'a')", "7", "00000000-0000-0000-0000-000000000001", "2020-01-02",
        ]  # fmt: skip


def test_a_number_and_its_text_cannot_both_be_ids() -> None:
    graph = nx.Graph()
    graph.add_nodes_from([1, "1"])
    with pytest.raises(DuplicateIdError, match="1 and '1'"):
        from_networkx(graph)


def test_a_key_without_a_lasting_text_is_refused() -> None:
    graph = nx.Graph()
    graph.add_node(object())
    with pytest.raises(BadValueError, match="object") as caught:
        from_networkx(graph)
    assert "relabel" in str(caught.value)


class Colour(enum.Enum):
    RED = "red"


def test_values_of_python_programs_become_plain() -> None:
    graph = nx.Graph()
    graph.add_node(
        "a", type=Colour.RED, integer=np.int32(3), real=np.float64(0.5), array=np.array([1, 2]), flags={"b", "a"},
        took=datetime.timedelta(days=1, seconds=2), of=Colour.RED, nothing=None, deep={"x": (1, np.int64(2))},
    )  # fmt: skip
    with from_networkx(graph) as store:
        assert nodes_of(store)["a"] == (
            ("red",),
            {
                "integer": 3, "real": 0.5, "array": [1, 2], "flags": ["a", "b"], "took": Duration(0, 1, 2_000_000),
                "of": "red", "deep": {"x": [1, 2]},
            },
        )  # fmt: skip


def test_a_value_that_cannot_be_stored_is_told_with_its_owner() -> None:
    graph = nx.DiGraph()
    graph.add_edge("a", "b", how=lambda: None)
    with pytest.raises(BadValueError, match="function"):
        from_networkx(graph)


def test_something_else_is_no_graph() -> None:
    with pytest.raises(UnsupportedGraphError, match="dict"):
        from_networkx({"a": "b"})


def test_a_store_goes_to_networkx_and_back() -> None:
    nodes = [Node("a", types=("X", "Y"), properties={"name": "Ann"}), Node("b")]
    edges = [Edge("", "a", "b", "r", {"w": 1}), Edge("", "a", "b", "r"), Edge("", "b", "b", "s")]
    with in_memory(nodes, edges) as store:
        graph = to_networkx(store)
        assert sorted(graph.edges(keys=True)) == [
            ("a", "b", "a|r|b"),
            ("a", "b", "a|r|b|1"),
            ("b", "b", "b|s|b"),
        ]
        with from_networkx(graph) as again:
            assert nodes_of(again) == nodes_of(store)
            assert [(s, t, o) for s, t, o, _ in edges_of(again)] == [
                (s, t, o) for s, t, o, _ in edges_of(store)
            ]


def test_objects_that_make_no_graph_are_refused() -> None:
    with pytest.raises(DanglingEdgeError):
        in_memory([Node("a")], [Edge("", "a", "b", "r")])
    with pytest.raises(DuplicateIdError):
        in_memory([Node("a"), Node("a", types=("X",))], [])
