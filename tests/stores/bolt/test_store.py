"""The store on real servers: what it says of a graph, and what it gives of it."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from tests.servers.bolt import BoltServer as RealServer
from tests.stores.bolt.bolt_support import add, opened

from askgraph.core.budget import Budget
from askgraph.core.errors import CapExceededError, QueryFailedError, SettingsError
from askgraph.core.graph import Edge, Node
from askgraph.core.query_result import FoundPath
from askgraph.core.schema import EdgeEnds
from askgraph.core.values import Duration, Point, ValueType
from askgraph.querying.gate import check
from askgraph.stores.address import Credentials, parse_address
from askgraph.stores.bolt.server import Statement
from askgraph.stores.bolt.store import BoltStore, open_bolt
from askgraph.stores.memory import in_memory
from askgraph.stores.property.store import PropertyStore

VECTOR = [0.001 * number for number in range(1_536)]
NODES = (
    Node(
        "keanu",
        types=("Person",),
        properties={"name": "Keanu Reeves", "born": 1964, "tags": ["actor", "musician"]},
    ),
    Node("carrie", types=("Person",), properties={"name": "Carrie-Anne Moss", "born": 1967}),
    Node(
        "lana",
        types=("Person", "Director"),
        properties={"name": "Lana Wachowski", "born": datetime.date(1965, 6, 21), "height": 1.7},
    ),
    Node("matrix", types=("Movie",), properties={"title": "The Matrix", "year": 1999, "embedding": VECTOR}),
    Node(
        "speed",
        types=("Movie",),
        properties={"title": "Speed", "year": 1994, "length": Duration(0, 0, 6_960_000_000)},
    ),
    Node("chicago", types=("City",), properties={"name": "Chicago", "place": Point(-87.6, 41.9)}),
)
EDGES = (
    Edge("", "keanu", "matrix", "ACTED_IN", {"role": "Neo"}),
    Edge("", "keanu", "speed", "ACTED_IN", {"role": "Jack"}),
    Edge("", "carrie", "matrix", "ACTED_IN", {"role": "Trinity"}),
    Edge("", "lana", "matrix", "DIRECTED"),
    Edge("", "lana", "chicago", "BORN_IN"),
    Edge("", "keanu", "carrie", "KNOWS", {"since": 1998}),
    Edge("", "carrie", "keanu", "KNOWS"),
    Edge("", "keanu", "carrie", "KNOWS"),
    Edge("", "lana", "lana", "KNOWS"),
)


@dataclass
class Movies:
    """The same graph on a server and in memory."""

    server: RealServer
    store: BoltStore
    memory: PropertyStore
    ids: dict[str, str]

    def of(self, *names: str) -> list[str]:
        return [self.ids[name] for name in names]


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(name, marks=pytest.mark.server(name)) for name in ("neo4j", "neo4j_2026", "arcadedb")
    ],
)
def movies(request: pytest.FixtureRequest) -> Iterator[Movies]:
    server: RealServer = request.getfixturevalue(request.param)
    server.clear()
    if request.param != "arcadedb":
        server.rows("CREATE FULLTEXT INDEX names FOR (n:Person|Movie) ON EACH [n.name, n.title]")
    server.rows("CREATE INDEX person_names FOR (n:Person) ON (n.name)")
    server.rows("CREATE INDEX movie_titles FOR (n:Movie) ON (n.title)")
    graph, ids = add(server, NODES, EDGES)
    if request.param != "arcadedb":
        server.rows("CALL db.awaitIndexes(60)")
    with opened(server) as store, in_memory(graph.nodes, graph.edges) as memory:
        yield Movies(server, store, memory, ids)


# --- what it says of itself


def test_capabilities_tell_the_engine_and_that_the_graph_is_asked_not_copied(movies: Movies) -> None:
    found = movies.store.capabilities
    assert found.kind == "property"
    assert found.engine.split()[0] in ("Neo4j", "ArcadeDB")
    assert found.engine.split()[1][0].isdigit()
    assert (found.dialect, found.remote, found.persistent, found.finds_names) == ("neo4j", True, True, True)
    assert found.query_languages == ("cypher",)
    assert all(limit.endswith(".") for limit in found.limits)


def test_the_version_is_the_same_for_the_same_graph_and_another_for_another_shape(movies: Movies) -> None:
    before = movies.store.capabilities.version
    with opened(movies.server) as again:
        assert again.capabilities.version == before
    movies.server.rows("CREATE (:Award {name: 'Oscar'})")
    try:
        with opened(movies.server) as changed:
            assert changed.capabilities.version != before
    finally:
        movies.server.rows("MATCH (n:Award) DELETE n")


def test_counts_alone_leave_the_version(movies: Movies) -> None:
    before = movies.store.capabilities.version
    movies.server.rows("CREATE (:City {name: 'Oslo', place: point({longitude: 10.7, latitude: 59.9})})")
    try:
        with opened(movies.server) as more:
            assert more.schema().node_type("City").count == 2
            assert more.capabilities.version == before
    finally:
        movies.server.rows("MATCH (n:City {name: 'Oslo'}) DELETE n")


def test_the_schema_has_types_with_counts_and_the_pairs_that_edges_join(movies: Movies) -> None:
    schema = movies.store.schema()
    assert {item.id: item.count for item in schema.node_types} == {
        "Person": 3,
        "Movie": 2,
        "City": 1,
        "Director": 1,
    }
    assert (schema.node_count, schema.edge_count) == (6, 9)
    assert {item.id: item.count for item in schema.edge_types} == {
        "KNOWS": 4,
        "ACTED_IN": 3,
        "DIRECTED": 1,
        "BORN_IN": 1,
    }
    assert schema.edge_type("ACTED_IN").ends == (EdgeEnds("Person", "Movie", 3),)
    assert set(schema.edge_type("DIRECTED").ends) == {
        EdgeEnds("Director", "Movie", 1),
        EdgeEnds("Person", "Movie", 1),
    }


def test_the_schema_has_properties_with_their_kinds_and_samples(movies: Movies) -> None:
    found = {(item.owner, item.key): item for item in movies.store.schema().properties}
    assert found["Person", "name"].value_types == (ValueType.TEXT,)
    assert set(found["Person", "name"].samples) == {"Keanu Reeves", "Carrie-Anne Moss", "Lana Wachowski"}
    assert set(found["Person", "born"].value_types) == {ValueType.INTEGER, ValueType.DATE}
    assert found["Person", "tags"].value_types == (ValueType.TEXT,)
    assert found["Person", "tags"].coverage == pytest.approx(1 / 3)
    assert found["Movie", "length"].value_types == (ValueType.DURATION,)
    assert found["City", "place"].value_types == (ValueType.POINT,)
    assert found["ACTED_IN", "role"].of_edges
    assert found["KNOWS", "since"].coverage == 0.25


def test_a_vector_is_a_list_without_samples(movies: Movies) -> None:
    found = next(item for item in movies.store.schema().properties if item.key == "embedding")
    assert found.value_types == (ValueType.LIST,)
    assert found.samples == ()


# --- nodes and edges


def test_nodes_come_in_the_order_of_their_ids_with_names_and_values(movies: Movies) -> None:
    ids = movies.of("speed", "keanu", "speed", "lana")
    nodes = list(movies.store.nodes([*ids[:2], "no such id", *ids[2:]]))
    assert [node.id for node in nodes] == ids
    assert nodes[0].name == "Speed"
    assert nodes[0].types == ("Movie",)
    assert nodes[0].properties == {"title": "Speed", "year": 1994, "length": Duration(0, 0, 6_960_000_000)}
    assert nodes[3].types == ("Director", "Person")
    assert nodes[3].properties["born"] == datetime.date(1965, 6, 21)


def test_no_ids_are_no_nodes(movies: Movies) -> None:
    assert list(movies.store.nodes([])) == []
    assert list(movies.store.edges([])) == []


def test_vectors_are_left_out_of_nodes(movies: Movies) -> None:
    (node,) = movies.store.nodes(movies.of("matrix"))
    assert set(node.properties) == {"title", "year"}


def test_years_that_python_cannot_count_come_as_texts(movies: Movies) -> None:
    if movies.server.kind == "arcadedb":
        pytest.skip("it has no such years")
    (row,) = movies.server.rows(
        "CREATE (n:City {name: 'Rome', founded: date('-0753-04-21'), since: date('1870-09-20')})"
        " RETURN elementId(n) AS id"
    )
    try:
        (rome,) = movies.store.nodes([row["id"]])
        assert rome.properties == {"name": "Rome", "founded": "-0753-04-21", "since": "1870-09-20"}
        assert "Rome" in [node.name for node in movies.store.nodes()]
        with opened(movies.server) as store:
            assert any(item.key == "founded" for item in store.schema().properties)
    finally:
        movies.server.rows("MATCH (n:City {name: 'Rome'}) DELETE n")


def test_the_same_graph_is_found_by_way_of_routing(movies: Movies) -> None:
    url = movies.server.url.replace("bolt://", "neo4j://")
    address = parse_address(f"{url}/{movies.server.database}", Credentials(*movies.server.auth))
    with open_bolt(address, timeout=20) as store:
        assert [node.name for node in store.nodes(movies.of("speed"))] == ["Speed"]


def test_all_nodes_come_once_in_a_fixed_order(movies: Movies) -> None:
    first, second = list(movies.store.nodes()), list(movies.store.nodes())
    assert [node.id for node in first] == [node.id for node in second]
    assert sorted(node.id for node in first) == sorted(movies.ids.values())


def test_reading_all_nodes_goes_on_where_it_stopped(movies: Movies) -> None:
    pages = list(movies.store.node_pages())
    assert [node for page in movies.store.node_pages(pages[-1].cursor) for node in page.nodes] == []
    with pytest.raises(SettingsError):
        next(movies.store.node_pages("{}"))


def test_all_edges_come_once_and_are_found_again_by_their_ids(movies: Movies) -> None:
    edges = list(movies.store.edges())
    assert sorted((edge.source, edge.type, edge.target) for edge in edges) == sorted(
        (movies.ids[edge.source], edge.type, movies.ids[edge.target]) for edge in EDGES
    )
    assert len({edge.id for edge in edges}) == len(EDGES)
    ids = [edge.id for edge in reversed(edges)]
    assert list(movies.store.edges([*ids, "no such id"])) == list(reversed(edges))
    assert {edge.properties.get("role") for edge in edges} == {"Neo", "Jack", "Trinity", None}


# --- neighbours


def _hops(store: Any, ids: list[str], *arguments: Any, **options: Any) -> list[Any]:
    found = store.neighbors(ids, *arguments, **options)
    return [
        (int(origin), bool(forward), found.type_names[code], node)
        for origin, forward, code, node in zip(
            found.origins, found.forward, found.edge_types, found.nodes, strict=True
        )
    ]


@pytest.mark.parametrize("direction", ["out", "in", "both"])
@pytest.mark.parametrize("types", [None, ("KNOWS",), ("KNOWS", "DIRECTED", "NO_SUCH"), ()])
def test_neighbours_are_those_that_the_same_graph_has_in_memory(
    movies: Movies, direction: Any, types: Any
) -> None:
    ids = [*movies.of("keanu", "matrix", "lana"), "no such id", *movies.of("keanu")]
    found = _hops(movies.store, ids, direction, types=types)
    assert sorted(found) == sorted(_hops(movies.memory, ids, direction, types=types))
    groups = [(origin, not forward, type) for origin, forward, type, _ in found]
    assert groups == sorted(groups)


def test_a_hop_names_the_edge_that_it_follows(movies: Movies) -> None:
    found = movies.store.neighbors(movies.of("lana", "carrie"))
    edges = {edge.id: edge for edge in movies.store.edges(list(found.edges))}
    for origin, forward, node, edge in zip(
        found.origins, found.forward, found.nodes, found.edges, strict=True
    ):
        start = movies.of("lana", "carrie")[origin]
        ends = (start, node) if forward else (node, start)
        assert (edges[edge].source, edges[edge].target) == ends


def test_more_hops_than_allowed_are_cut_and_counted(movies: Movies) -> None:
    (keanu,) = movies.of("keanu")
    found = movies.store.neighbors([keanu], limit_per_node=2)
    assert len(found) == 2
    assert found.cut == {keanu: 5}
    assert _hops(movies.store, [keanu])[:2] == _hops(movies.store, [keanu], limit_per_node=2)
    assert movies.store.neighbors([keanu], "in", limit_per_node=1).cut == {}
    assert movies.store.neighbors([keanu], "out", types=("KNOWS",), limit_per_node=1).cut == {keanu: 2}


def test_a_loop_counts_once_in_what_was_cut(movies: Movies) -> None:
    (lana,) = movies.of("lana")
    assert movies.store.neighbors([lana], limit_per_node=1).cut == {lana: 3}


def test_the_budget_bounds_the_fan_out_and_the_bytes(movies: Movies) -> None:
    assert len(movies.store.neighbors(movies.of("keanu"), budget=Budget(fan_out=1))) == 1
    with pytest.raises(CapExceededError):
        movies.store.neighbors(movies.of("keanu"), budget=Budget(bytes=10))


def test_relations_are_those_that_the_same_graph_has_in_memory(movies: Movies) -> None:
    ids = movies.of("keanu", "lana", "keanu")
    assert list(movies.store.relations(ids)) == list(movies.memory.relations(ids))
    assert list(movies.store.relations(["no such id"])) == []
    assert list(movies.store.relations([])) == []


# --- names


def test_names_are_found_in_one_request(movies: Movies, monkeypatch: pytest.MonkeyPatch) -> None:
    movies.store.schema()
    asked: list[str] = []
    read = movies.store.server.read

    def noted(statement: Any, *rest: Any) -> Any:
        asked.append(statement.text)
        return read(statement, *rest)

    monkeypatch.setattr(movies.store.server, "read", noted)
    found = movies.store.find_names(["Keanu Reeves", "the matrix", "!?", "nobody at all"])
    assert [[node.name for node in nodes[:1]] for nodes in found] == [
        ["Keanu Reeves"],
        ["The Matrix"],
        [],
        [],
    ]
    assert found[0][0].id == movies.ids["keanu"]
    assert found[0][0].types == ("Person",)
    assert len(asked) == 1


def test_misspelt_names_are_found_through_a_full_text_index(movies: Movies) -> None:
    if movies.server.kind == "arcadedb":
        pytest.skip("there is none here")
    found = movies.store.find_names(["Kenau Reevs", "matrx", "Moss", "reeves, keanu"], limit=3)
    assert [nodes[0].name for nodes in found] == [
        "Keanu Reeves",
        "The Matrix",
        "Carrie-Anne Moss",
        "Keanu Reeves",
    ]


def test_a_limit_of_names_holds(movies: Movies) -> None:
    (found,) = movies.store.find_names(["Keanu Lana Carrie Speed"], limit=1)
    assert len(found) <= 1


# --- queries


def run(movies: Movies, text: str, budget: Budget | None = None, **parameters: Any) -> Any:
    return movies.store.query(check(text, parameters=parameters), parameters, budget)


def test_a_query_gives_nodes_edges_paths_and_values(movies: Movies) -> None:
    result = run(
        movies,
        "MATCH p = (a:Person {name: $name})-[r:ACTED_IN]->(m:Movie {year: 1999}) RETURN a, r, p, m.title, [m, 1] AS l",
        name="Keanu Reeves",
    )
    assert result.columns == ("a", "r", "p", "m.title", "l")
    ((person, role, path, title, pair),) = result.rows
    assert (person.id, person.name) == (movies.ids["keanu"], "Keanu Reeves")
    assert (role.source, role.target, role.type) == (movies.ids["keanu"], movies.ids["matrix"], "ACTED_IN")
    assert role.properties == {"role": "Neo"}
    assert isinstance(path, FoundPath)
    assert [node.id for node in path.nodes] == movies.of("keanu", "matrix")
    assert path.edges == (role,)
    assert list(movies.store.edges([role.id])) == [role]
    assert title == "The Matrix"
    assert pair == [path.nodes[1], 1]


def test_a_vector_comes_where_it_is_asked_for_and_not_with_its_node(movies: Movies) -> None:
    result = run(movies, "MATCH (m:Movie {title: 'The Matrix'}) RETURN m, m.embedding AS e")
    assert result.rows[0][1] == VECTOR
    assert "embedding" not in result.rows[0][0].properties
    assert any("Vectors" in note for note in result.notes)


def test_values_of_every_kind_come_as_they_are(movies: Movies) -> None:
    result = run(
        movies,
        "RETURN 9223372036854775807 AS big, 0.0 / 0.0 AS nan, date('2020-02-29') AS d,"
        " datetime('2020-01-01T12:00:00.5+02:00') AS t, duration('P1M2DT3.5S') AS s, point({x: 1, y: 2}) AS p,"
        " {a: [1, null]} AS m, null AS n",
    )
    big, nan, date, moment, span, place, mapping, nothing = result.rows[0]
    assert big == 2**63 - 1
    assert nan != nan
    assert date == datetime.date(2020, 2, 29)
    assert moment == datetime.datetime(2020, 1, 1, 10, 0, 0, 500_000, tzinfo=datetime.UTC)
    assert moment.utcoffset() == datetime.timedelta(hours=2)
    assert span == Duration(1, 2, 3_500_000)
    assert (place, mapping, nothing) == (Point(1.0, 2.0, None, 7203), {"a": [1, None]}, None)
    assert result.to_dict()


def test_rows_beyond_the_cap_are_cut_and_that_is_said(movies: Movies) -> None:
    result = run(movies, "UNWIND range(1, 50) AS i RETURN i", Budget(rows=7))
    assert [row[0] for row in result.rows] == [1, 2, 3, 4, 5, 6, 7]
    assert result.truncated
    assert "Only the first 7 rows: there are more." in result.notes
    assert not run(movies, "UNWIND range(1, 7) AS i RETURN i", Budget(rows=7)).truncated


def test_bytes_beyond_the_cap_are_cut(movies: Movies) -> None:
    result = run(movies, "UNWIND range(1, 100) AS i RETURN range(1, 1000) AS l", Budget(bytes=300_000))
    assert 0 < len(result.rows) < 20
    assert result.truncated
    assert any("300,000 bytes" in note for note in result.notes)


def test_only_checked_queries_are_taken(movies: Movies) -> None:
    with pytest.raises(TypeError):
        movies.store.query("MATCH (n) RETURN n")  # type: ignore[arg-type]
    with pytest.raises(QueryFailedError, match="neptune"):
        movies.store.query(check("RETURN 1", dialect="neptune"))
    with pytest.raises(QueryFailedError, match=r"\$x"):
        movies.store.query(check("RETURN $x"))
    with pytest.raises(QueryFailedError, match="64 bits"):
        movies.store.query(check("RETURN $x"), {"x": 2**63})


def test_what_the_server_cannot_run_is_said_with_its_reason(movies: Movies) -> None:
    with pytest.raises(QueryFailedError, match="could not run the query"):
        run(movies, "UNWIND [1] AS a RETURN a / 0")


def test_a_query_is_explained_without_being_run(movies: Movies) -> None:
    explanation = movies.store.explain(check("MATCH (n:Person) RETURN n.name LIMIT 3"))
    assert "NodeByLabelScan" in explanation.text
    if movies.server.kind != "arcadedb":
        assert explanation.operators[0] == "ProduceResults"
        assert explanation.writes is False
        assert explanation.estimated_rows is not None
    shown = run(movies, "EXPLAIN MATCH (n:Person) RETURN n.name LIMIT 3")
    assert shown.columns == ("plan",)
    assert "NodeByLabelScan" in "\n".join(row[0] for row in shown.rows)


def test_warnings_of_the_server_are_passed_on(movies: Movies) -> None:
    if movies.server.kind == "arcadedb":
        pytest.skip("it has none")
    result = run(movies, "MATCH (n:Persom) RETURN n.nme LIMIT 1")
    assert any("Persom" in warning for warning in result.warnings)


def test_everything_that_is_sent_only_reads(movies: Movies) -> None:
    before = movies.server.dump()
    with opened(movies.server) as store:
        store.schema()
        list(store.nodes())
        list(store.edges())
        store.neighbors(list(movies.ids.values()))
        store.find_names(["Keanu"])
    assert movies.server.dump() == before
    if movies.server.kind != "arcadedb":
        with pytest.raises(QueryFailedError, match="read access mode"):
            movies.store.server.rows(Statement("CREATE (n:Intruder)"))
