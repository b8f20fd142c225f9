"""What is made of what a server says of its graph: counts, ends of edges, Memgraph's schema. Nothing is sent."""

from __future__ import annotations

from typing import Any

import pytest

from askgraph.core.errors import UnsupportedGraphError
from askgraph.core.schema import EdgeEnds
from askgraph.stores.bolt.counts import from_count_store, from_schema_info
from askgraph.stores.bolt.ends import edge_ends


def test_counts_are_read_as_neo4j_tells_them() -> None:
    counts = from_count_store(
        [{"count": 10}, {"label": "A", "count": 7}, {"label": "Gone", "count": 0}],
        [
            {"count": 5},
            {"relationshipType": "R", "count": 5},
            {"relationshipType": "R", "startLabel": "A", "count": 5},
            {"relationshipType": "R", "endLabel": "B", "count": 3},
            {"relationshipType": "Old", "count": 0},
        ],
    )
    assert (counts.nodes, counts.edges) == (10, 5)
    assert counts.labels == {"A": 7}
    assert counts.types == {"R": 5}
    assert counts.sources == {("R", "A"): 5}
    assert counts.targets == {("R", "B"): 3}


# --- ends


def test_ends_of_few_edges_are_counted() -> None:
    ends, estimated = edge_ends(3, {(("A",), ("B",)): 2, (("A",), ("C",)): 1}, {"A": 3}, {"B": 2, "C": 1})
    assert ends == (EdgeEnds("A", "B", 2), EdgeEnds("A", "C", 1))
    assert not estimated


def test_where_one_type_is_at_one_end_of_all_the_other_end_says_it_exactly() -> None:
    # The sample saw one of the two targets; the counts know both.
    ends, estimated = edge_ends(10_000, {(("A",), ("B",)): 1_000}, {"A": 10_000}, {"B": 9_000, "C": 1_000})
    assert ends == (EdgeEnds("A", "B", 9_000), EdgeEnds("A", "C", 1_000))
    assert not estimated


def test_estimates_agree_with_the_counts_of_both_ends() -> None:
    seen: dict[tuple[tuple[str, ...], tuple[str, ...]], int] = {(("A",), ("X",)): 900, (("B",), ("Y",)): 100}
    ends, estimated = edge_ends(10_000, seen, {"A": 6_000, "B": 4_000}, {"X": 6_000, "Y": 4_000})
    assert ends == (EdgeEnds("A", "X", 6_000), EdgeEnds("B", "Y", 4_000))
    assert estimated


def test_a_type_that_must_be_at_an_end_is_there_although_no_sample_saw_it() -> None:
    seen: dict[tuple[tuple[str, ...], tuple[str, ...]], int] = {(("A",), ("X",)): 1_000}
    ends, _ = edge_ends(10_000, seen, {"A": 9_000, "B": 1_000}, {"X": 8_000, "Y": 2_000})
    pairs = {(item.source, item.target): item.count for item in ends}
    assert sum(count for (source, _), count in pairs.items() if source == "B") == pytest.approx(
        1_000, rel=0.1
    )
    assert sum(count for (_, target), count in pairs.items() if target == "Y") == pytest.approx(
        2_000, rel=0.1
    )


def test_without_counts_the_sample_is_scaled() -> None:
    ends, estimated = edge_ends(5_000, {(("A",), ("B",)): 750, ((), ("B",)): 250}, {}, {})
    assert ends == (EdgeEnds("A", "B", 3_750), EdgeEnds("", "B", 1_250))
    assert estimated


def test_a_node_of_several_labels_counts_for_each() -> None:
    ends, _ = edge_ends(4, {(("A", "B"), ("C",)): 4}, {}, {})
    assert ends == (EdgeEnds("A", "C", 4), EdgeEnds("B", "C", 4))


def test_an_edge_type_of_which_nothing_was_seen_joins_nothing_known() -> None:
    assert edge_ends(0, {}, {}, {}) == ((), False)


# --- Memgraph


INFO: dict[str, Any] = {
    "nodes": [
        {"labels": ["Person"], "count": 8, "properties": [{"key": "name", "count": 8, "types": []}]},
        {"labels": ["Person", "Admin"], "count": 2, "properties": []},
        {"labels": [], "count": 1, "properties": []},
    ],
    "edges": [
        {"type": ":KNOWS", "start_node_labels": ["Person"], "end_node_labels": ["Person"], "count": 5},
        {
            "type": ":KNOWS",
            "start_node_labels": ["Person", "Admin"],
            "end_node_labels": ["Person"],
            "count": 1,
        },
    ],
}


def test_memgraphs_counts_are_those_of_sets_of_labels() -> None:
    counts = from_schema_info(INFO)
    assert (counts.nodes, counts.edges) == (11, 6)
    assert counts.labels == {"Person": 10, "Admin": 2}
    assert counts.types == {"KNOWS": 6}
    ends, estimated = edge_ends(6, counts.ends["KNOWS"], {}, {})
    assert ends == (EdgeEnds("Person", "Person", 6), EdgeEnds("Admin", "Person", 1))
    assert not estimated


def test_a_memgraph_that_does_not_keep_its_schema_says_how_to_make_it() -> None:
    from tests.stores.bolt.made_up_server import Fault, MadeUpServer, Rows

    from askgraph.stores.address import parse_address
    from askgraph.stores.bolt.store import open_bolt

    def handle(text: str, parameters: Any) -> Any:
        if text == "SHOW SCHEMA INFO":
            return Fault("Memgraph.ClientError.MemgraphError.MemgraphError", "SchemaInfo disabled.")
        return Rows(["one"], [[1]])

    agent = "Neo4j/v5.11.0 compatible graph database server - Memgraph"
    with (
        MadeUpServer(handle, agent=agent) as made_up,
        open_bolt(parse_address(made_up.url), timeout=5) as store,
        pytest.raises(UnsupportedGraphError, match="--schema-info-enabled"),
    ):
        store.schema()
