"""Cypher text on the embedded property graph: what it gives, and that it gives what the store itself knows."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from tests.stores.plan_conformance import CASES, EDGES, NODES
from tests.stores.property.made_graphs import exact_nodes, graphs
from tests.stores.property.plan_to_cypher import NotSayableError, plan_to_cypher

from askgraph.core.budget import Budget
from askgraph.core.errors import PlanError, QueryFailedError
from askgraph.core.graph import Edge, Node
from askgraph.core.query_result import FoundPath
from askgraph.core.values import Duration, LanguageText, Point
from askgraph.querying import GatePolicy, check
from askgraph.stores.memory import in_memory
from askgraph.stores.property.store import PropertyStore

FREE = GatePolicy(rows=None, refuse_costly=False)


def ask(store: PropertyStore, text: str, policy: GatePolicy | None = None, **parameters: Any) -> Any:
    """The result of a text that passes the gate."""
    return store.query(check(text, dialect="kglite", policy=policy), parameters, Budget(seconds=60))


def values(store: PropertyStore, text: str, **parameters: Any) -> tuple[Any, ...]:
    """The one row of a result."""
    (row,) = ask(store, text, **parameters).rows
    return tuple(row)


ANN = Node(
    "ann",
    types=("Person", "Boss"),
    properties={
        "name": "Ann",
        "pay": Decimal("1.50"),
        "born": datetime.date(1980, 1, 2),
        "rest": Duration(14, 3, 4_500_000),
        "home": Point(13.4, 52.5),
        "desk": Point(1.0, 2.0, srid=7203),
        "tags": ["a", "b"],
        "about": {"a": 1, "since": datetime.date(2020, 1, 1)},
        "motto": LanguageText("Hallo", "de"),
        "huge": 2**70,
        "seen": datetime.datetime(2020, 1, 1, 12, tzinfo=datetime.timezone(datetime.timedelta(hours=2))),
        "up": datetime.time(7, 30),
        "raw": b"xx",
        "far": datetime.time(1, 2, tzinfo=datetime.timezone(datetime.timedelta(hours=20))),
        "unknown": Decimal("NaN"),
        "mixed": 1,
        "back`tick": True,
    },
)
BOB = Node("bob", types=("Person",), properties={"title": "Dr", "mixed": "one"})
NOBODY = Node("nobody", properties={"mixed": Duration(1)})
KNOWS_1 = Edge("", "ann", "bob", "KNOWS", {"since": 2000})
KNOWS_2 = Edge("", "ann", "bob", "KNOWS", {"since": 2001})
OWED = Edge("e7", "bob", "nobody", "OWES to", {"sum": Decimal("2.50")})
LOOP = Edge("", "nobody", "nobody", "KNOWS")


@pytest.fixture(scope="module")
def store() -> Iterator[PropertyStore]:
    with in_memory([ANN, BOB, NOBODY], [KNOWS_1, KNOWS_2, OWED, LOOP]) as opened:
        yield opened


# --- nodes, edges, paths


def test_nodes_come_with_their_ids_names_types_and_exact_properties(store: PropertyStore) -> None:
    result = ask(store, "MATCH (n) RETURN n ORDER BY n.id")
    assert result.columns == ("n",)
    assert exact_nodes(row[0] for row in result.rows) == exact_nodes(store.nodes(["ann", "bob", "nobody"]))


def test_each_label_of_a_node_finds_it(store: PropertyStore) -> None:
    assert ask(store, "MATCH (n:Boss) RETURN n.name, labels(n)").rows == [("Ann", ["Person", "Boss"])]
    assert ask(store, "MATCH (n:Person:Boss) RETURN count(n)").rows == [(1,)]
    assert ask(store, "MATCH (n:Person) RETURN count(n)").rows == [(2,)]


def test_edges_come_with_their_ids_also_parallel_ones(store: PropertyStore) -> None:
    result = ask(store, "MATCH (a)-[r]->(b) RETURN r, r.since")
    assert sorted((row[0].id, row[1]) for row in result.rows) == [
        ("ann|KNOWS|bob", 2000),
        ("ann|KNOWS|bob|1", 2001),
        ("e7", None),
        ("nobody|KNOWS|nobody", None),
    ]
    (owed,) = next(row[:1] for row in result.rows if row[0].id == "e7")
    assert owed == Edge("e7", "bob", "nobody", "OWES to", {"sum": Decimal("2.50")})


def test_a_path_has_its_nodes_and_the_edges_between_them(store: PropertyStore) -> None:
    (path, nodes, edges) = values(
        store,
        "MATCH p = (:Boss)-[:KNOWS {since: 2001}]->()-[:`OWES to`]->() RETURN p, nodes(p), relationships(p)",
    )
    assert isinstance(path, FoundPath)
    assert [node.id for node in path.nodes] == ["ann", "bob", "nobody"]
    assert [edge.id for edge in path.edges] == ["ann|KNOWS|bob|1", "e7"]
    assert (exact_nodes(nodes), tuple(edges)) == (exact_nodes(path.nodes), path.edges)


def test_nodes_inside_lists_and_maps_are_nodes(store: PropertyStore) -> None:
    (found,) = values(store, "MATCH (a:Boss)-[r {since: 2000}]->(b) RETURN {who: a, rest: [r, b, 1]} AS m")
    assert found["who"].id == "ann"
    assert [getattr(item, "id", item) for item in found["rest"]] == ["ann|KNOWS|bob", "bob", 1]


def test_a_map_that_only_looks_like_a_node_is_a_map(store: PropertyStore) -> None:
    assert values(store, "RETURN {id: 0, labels: ['Person'], properties: {a: 1}} AS m") == (
        {"id": 0, "labels": ["Person"], "properties": {"a": 1}},
    )
    assert values(store, "RETURN {nodes: [1], relationships: []} AS m, {`$type`: 'node', value: 0} AS t") == (
        {"nodes": [1], "relationships": []},
        {"$type": "node", "value": 0},
    )


def test_ids_are_those_that_the_rest_of_askgraph_uses(store: PropertyStore) -> None:
    assert values(store, "MATCH (n:Boss) RETURN n.id, id(n), elementId(n)") == ("ann", "ann", "ann")
    assert ask(store, "MATCH (n) WHERE elementId(n) = 'bob' RETURN n.title").rows == [("Dr",)]
    assert ask(store, "RETURN 'elementId(n)' AS `elementId(x)`").rows == [("elementId(n)",)]


def test_a_property_id_that_tells_nodes_apart_is_found_by_it() -> None:
    nodes = [Node("a", types=("P",), properties={"id": 7}), Node("b", types=("P",), properties={"id": 8})]
    with in_memory(nodes, [Edge("", "a", "b", "K")]) as store:
        (found,) = values(store, "MATCH (p:P {id: 7})-[:K]->(q) RETURN q")
        assert found.id == "b"
        assert any("property id" in limit for limit in store.capabilities.limits)


def test_a_property_id_that_several_nodes_share_does_not_mix_them_up() -> None:
    nodes = [Node(name, types=("P",), properties={"id": 1}) for name in "abc"]
    with in_memory(nodes, [Edge("", "a", "b", "K"), Edge("", "b", "c", "K")]) as store:
        found = ask(store, "MATCH (p)-[:K]->(q) RETURN p, q").rows
        assert sorted((p.id, q.id) for p, q in found) == [("a", "b"), ("b", "c")]


# --- values


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("n.pay", 1.5),
        ("n.born", datetime.date(1980, 1, 2)),
        ("n.rest", Duration(14, 3, 4_500_000)),
        ("n.home", Point(13.4, 52.5)),
        ("n.desk", {"x": 1.0, "y": 2.0, "srid": 7203}),
        ("n.tags", ["a", "b"]),
        ("n.about", {"a": 1, "since": datetime.date(2020, 1, 1)}),
        ("n.motto", "Hallo"),
        ("n.huge", float(2**70)),
        ("n.seen", ANN.properties["seen"]),
        ("n.up", datetime.time(7, 30)),
        ("n.raw", "eHg="),
        ("n.far", "01:02:00+20:00"),
        ("toString(n.unknown)", "NaN"),
        ("n.`back``tick`", True),
        ("n.born + duration('P1D')", datetime.date(1980, 1, 3)),
        ("n.missing", None),
        ("9223372036854775807", 2**63 - 1),
        ("1.0", 1.0),
        ("datetime('2020-07-01T02:00[Europe/Berlin]').year", 2020),
        ("{latitude: 1.0, longitude: 2.0}", {"latitude": 1.0, "longitude": 2.0}),
        ("{months: 1, days: 2, seconds: 3}", {"months": 1, "days": 2, "seconds": 3}),
        ("localdatetime('2020-01-02T03:04:05')", datetime.datetime(2020, 1, 2, 3, 4, 5)),
        ("duration('PT-1.5S')", Duration(0, 0, -1_500_000)),
    ],
)
def test_a_value_comes_as_what_it_is(expression: str, value: Any, store: PropertyStore) -> None:
    assert values(store, f"MATCH (n:Boss) RETURN {expression} AS v") == (value,)


def test_a_key_with_values_of_several_types_keeps_each(store: PropertyStore) -> None:
    assert ask(store, "MATCH (n) RETURN n.mixed ORDER BY n.id").rows == [(1,), ("one",), (Duration(1),)]


def test_a_node_without_a_name_or_title_has_none(store: PropertyStore) -> None:
    assert ask(store, "MATCH (n) WHERE n.name IS NULL AND n.title IS NULL RETURN n.id").rows == [("nobody",)]
    assert values(store, "MATCH (n:Boss) RETURN n.title, 'title' IN keys(n)") == (None, False)


def test_parameters_are_values_and_may_be_lists_maps_and_dates(store: PropertyStore) -> None:
    given_ = {"a": [1, {"b": datetime.date(2020, 1, 1)}], "d": Decimal("2.5")}
    assert values(store, "RETURN $a AS a, $d AS d", **given_) == ([1, {"b": datetime.date(2020, 1, 1)}], 2.5)
    found = ask(store, "MATCH (n) WHERE n.born = $day RETURN n.id", day=datetime.date(1980, 1, 2))
    assert found.rows == [("ann",)]


def test_a_parameter_that_the_engine_cannot_take_is_said(store: PropertyStore) -> None:
    with pytest.raises(QueryFailedError, match="parameter") as caught:
        ask(store, "RETURN $d AS d", d=Duration(months=1))
    assert caught.value.code == "parameters"


# --- the same as plans, and as the graph


def test_plans_and_texts_of_the_same_meaning_give_the_same_rows() -> None:
    # Where Cypher means something else: a list is one value, the sum of nothing is 0, texts come before numbers.
    others = {
        "each of several values",
        "several values give several matches",
        "a sum of a decimal and an integer is exact",
        "least and greatest of mixed numbers and texts",
    }
    compared = 0
    with in_memory(NODES, EDGES) as store:
        for case in CASES:
            try:
                text = plan_to_cypher(case.plan, store.schema())
                expected = sorted(store.run(case.plan).rows, key=repr)
            except (NotSayableError, PlanError):
                continue
            if case.name not in others:
                found = sorted(ask(store, text, FREE).rows, key=repr)
                assert found == expected, f"{case.name}:\n{text}"
                compared += 1
    assert compared > 50


@given(graph=graphs())
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_graph_is_in_the_engine_as_it_is_in_the_store(graph: tuple[list[Node], list[Edge]]) -> None:
    nodes, edges = graph
    with in_memory(nodes, edges) as store:
        found = ask(store, "MATCH (n) RETURN n, labels(n) AS l", FREE).rows
        given_back = sorted((row[0] for row in found), key=lambda node: node.id)
        assert exact_nodes(given_back) == exact_nodes(sorted(store.nodes(), key=lambda node: node.id))
        # The engine keeps the first label where it is.
        for node, labels in found:
            types = list(node.types) or [""]
            assert labels == [types[0], *sorted(types[1:])]
        joined = ask(store, "MATCH (a)-[r]->(b) RETURN r, a, b", FREE).rows
        assert sorted(row[0].id for row in joined) == sorted(edge.id for edge in store.edges())
        assert all((r.source, r.target) == (a.id, b.id) for r, a, b in joined)


@given(graph=graphs())
@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
def test_properties_can_be_asked_for_by_any_name(graph: tuple[list[Node], list[Edge]]) -> None:
    nodes, edges = graph
    keys = sorted({key for node in nodes for key in node.properties} - {"", "id", "name", "title", "type"})
    with in_memory(nodes, edges) as store:
        # How a backslash in a quoted name is read is not known of every engine: the gate lets none through.
        for key in [key for key in keys if "\\" not in key][:5]:
            quoted = "`" + key.replace("`", "``") + "`"
            having = {node.id for node in store.nodes() if key in node.properties}
            found = ask(store, f"MATCH (n) WHERE n.{quoted} IS NOT NULL RETURN n", FREE).rows
            assert {row[0].id for row in found} == having
