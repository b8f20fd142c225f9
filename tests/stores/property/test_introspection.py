"""The schema of a property graph says what is in it."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from tests.stores.plan_strategies import graphs
from tests.stores.property.layout_builder import build
from tests.stores.reference_plan import identity, values_of

from askgraph.core.budget import Budget
from askgraph.core.errors import DeadlineExceededError
from askgraph.core.graph import Edge, Node
from askgraph.core.schema import EdgeEnds, Property, Schema
from askgraph.core.values import LanguageText, ValueType, value_type
from askgraph.stores.memory import in_memory
from askgraph.stores.property import property_statistics
from askgraph.stores.property.introspection import introspect

PEOPLE = (
    Node("a", types=("Person", "SalesManager"), properties={"name": "Ada", "age": 36}),
    Node("b", types=("Person",), properties={"name": "Bob", "age": 41.5, "tags": ["x", "y", "x"]}),
    Node("c", types=("Person",), properties={"name": "Bob", "age": "unknown"}),
    Node("d", properties={"tags": []}),
    Node("acme", types=("Company",), properties={"name": "Acme"}),
)
EDGES = (
    Edge("", "a", "b", "MANAGES_TEAM", {"since": datetime.date(2020, 1, 1)}),
    Edge("", "a", "acme", "WORKS_FOR"),
    Edge("", "b", "acme", "WORKS_FOR", {"since": 2019}),
    Edge("", "d", "acme", "WORKS_FOR"),
)


def schema_of(nodes: Any = PEOPLE, edges: Any = EDGES) -> Schema:
    with in_memory(nodes, edges) as store:
        return store.schema()


def found(schema: Schema, owner: str, key: str, *, of_edges: bool = False) -> Property:
    (item,) = [item for item in schema.properties_of(owner, of_edges=of_edges) if item.key == key]
    return item


def test_types_are_counted_with_those_that_have_none() -> None:
    schema = schema_of()
    assert (schema.node_count, schema.edge_count) == (5, 4)
    assert [(item.id, item.label, item.count, item.total) for item in schema.node_types] == [
        ("Person", "Person", 3, 3),
        ("", "untyped", 1, 1),
        ("Company", "Company", 1, 1),
        ("SalesManager", "sales manager", 1, 1),
    ]
    assert schema.notes[0].startswith("A node with several labels is counted under each")


def test_edge_types_say_what_they_join() -> None:
    works, manages = schema_of().edge_types
    assert (works.id, works.label, works.count) == ("WORKS_FOR", "works for", 3)
    assert works.ends == (
        EdgeEnds("Person", "Company", 2),
        EdgeEnds("", "Company", 1),
        EdgeEnds("SalesManager", "Company", 1),
    )
    assert (manages.label, manages.ends[0].count) == ("manages team", 1)


def test_properties_say_who_has_them_and_of_what_kind() -> None:
    schema = schema_of()
    age = found(schema, "Person", "age")
    assert (age.count, age.coverage, age.distinct) == (3, 1.0, 3)
    assert age.value_types == (ValueType.INTEGER, ValueType.FLOAT, ValueType.TEXT)
    assert set(age.samples) == {36, 41.5, "unknown"}
    name = found(schema, "Person", "name")
    assert (name.samples, name.distinct) == (("Bob", "Ada"), 2)
    assert found(schema, "SalesManager", "name").samples == ("Ada",)
    since = found(schema, "WORKS_FOR", "since", of_edges=True)
    assert (since.count, since.coverage, since.value_types) == (1, 1 / 3, (ValueType.INTEGER,))
    assert [(item.key, item.count) for item in schema.properties] == [
        ("age", 3), ("name", 3), ("age", 1), ("name", 1), ("name", 1), ("tags", 1), ("since", 1), ("since", 1),
    ]  # fmt: skip


def test_lists_are_shown_by_their_elements_and_empty_ones_are_none() -> None:
    schema = schema_of()
    tags = found(schema, "Person", "tags")
    assert (tags.count, tags.value_types, tags.samples, tags.distinct) == (
        1,
        (ValueType.TEXT,),
        ("x", "y"),
        2,
    )
    assert not schema.properties_of("")


def test_values_that_only_json_holds_have_their_own_kinds() -> None:
    values: list[Any] = [LanguageText("a", "en"), {"k": 1}, [1, "a"], [[1], None]]
    schema = schema_of(
        [Node(f"n{i}", types=("T",), properties={"p": value}) for i, value in enumerate(values)], []
    )
    item = found(schema, "T", "p")
    assert set(item.value_types) == {ValueType.TEXT, ValueType.MAP, ValueType.INTEGER, ValueType.LIST}
    assert (item.count, item.distinct) == (4, 5)


def test_long_texts_are_cut_in_samples() -> None:
    schema = schema_of([Node("n", types=("T",), properties={"p": "x" * 500})], [])
    assert schema.properties[0].samples == ("x" * 80 + "…",)


def test_a_graph_without_anything() -> None:
    assert schema_of([], []) == Schema("property", 0, 0, (), (), ())


def test_the_same_graph_gives_the_same_schema_and_survives_json() -> None:
    nodes = [
        Node(f"n{i}", types=("T",), properties={"p": f"v{i % 700}", "d": Decimal(i) / 7}) for i in range(1500)
    ]
    schema = schema_of(nodes, [])
    assert schema == schema_of(nodes, [])
    assert len(found(schema, "T", "p").samples) == 5
    assert "most frequent among 200" in schema.notes[0]
    assert Schema.from_dict(schema.to_dict()).to_dict() == schema.to_dict()


def test_many_different_values_of_a_large_graph_are_estimated_and_few_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(property_statistics, "_COUNTED_ROWS", 1_000)
    nodes = [
        Node(f"n{i}", types=("T",), properties={"many": i, "few": i % 10, "lists": [i % 7, -1]})
        for i in range(5000)
    ]
    schema = schema_of(nodes, [])
    assert abs((found(schema, "T", "many").distinct or 0) - 5000) < 500
    assert found(schema, "T", "few").distinct == 10
    assert found(schema, "T", "lists").distinct == 8
    (note,) = [note for note in schema.notes if "estimates" in note]
    assert note.endswith("1 property of nodes are estimates (within some per cent): many.")


def test_an_edge_type_that_joins_everything_lists_its_most_frequent_pairs() -> None:
    nodes = [Node(f"n{i}", types=(f"T{i}",)) for i in range(25)]
    edges = [Edge("", one.id, other.id, "R") for one in nodes for other in nodes]
    schema = schema_of(nodes, [*edges, Edge("", "n3", "n4", "R")])
    (only,) = schema.edge_types
    assert (len(only.ends), only.ends[0], only.count) == (200, EdgeEnds("T3", "T4", 2), 626)
    assert "Of the 625 pairs" in schema.notes[0]


def test_no_time_is_an_error() -> None:
    with build(PEOPLE, EDGES) as connection, pytest.raises(DeadlineExceededError):
        introspect(connection, Budget(seconds=0))


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(config={"threads": 2}) as opened:
        yield opened


@given(graphs())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_graph_is_counted_as_counting_by_hand_does(
    connection: duckdb.DuckDBPyConnection, graph: tuple[list[Node], list[Edge]]
) -> None:
    nodes, edges = graph
    build(nodes, edges, connection)
    schema = introspect(connection)
    labels = {node.id: node.types or ("",) for node in nodes}
    assert {item.id: item.count for item in schema.node_types} == Counter(
        t for n in nodes for t in labels[n.id]
    )
    pairs = Counter((e.type, s, t) for e in edges for s in labels[e.source] for t in labels[e.target])
    assert pairs == {(item.id, e.source, e.target): e.count for item in schema.edge_types for e in item.ends}
    values: dict[tuple[str, str], list[Any]] = {}
    owners: Counter[tuple[str, str]] = Counter()
    for node in nodes:
        for key, value in node.properties.items():
            present = [item for item in values_of(value) if item is not None]
            for label in labels[node.id] if present else ():
                owners[label, key] += 1
                values.setdefault((label, key), []).extend(present)
    assert {(item.owner, item.key): item.count for item in schema.properties} == owners
    for item in schema.properties:
        of_type = values[item.owner, item.key]
        assert item.distinct == len({identity(value) for value in of_type})
        assert set(item.value_types) == {value_type(value) for value in of_type}
        assert {identity(sample) for sample in item.samples} <= {identity(value) for value in of_type}
