"""How the server is asked: in how many requests, by which plans, in which words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from neo4j import Query
from tests.servers.bolt import BoltServer as RealServer
from tests.stores.bolt.bolt_support import opened
from tests.stores.bolt.made_up_server import MadeUpServer, Rows
from tests.stores.bolt.packstream import node
from tests.stores.bolt.test_shapes import INFO

from askgraph.core.graph import Node
from askgraph.core.hidden import Hidden
from askgraph.core.plan import (
    Aggregate,
    And,
    Column,
    Compare,
    Constant,
    EdgePattern,
    Exists,
    NodePattern,
    NodeReference,
    Not,
    Pattern,
    Plan,
    PropertyOf,
)
from askgraph.querying.gate import check
from askgraph.querying.policy import GatePolicy
from askgraph.stores.address import parse_address
from askgraph.stores.bolt import hops
from askgraph.stores.bolt.server import BoltServer, Statement
from askgraph.stores.bolt.store import open_bolt

_SCANS = ("AllNodesScan", "NodeByLabelScan", "DirectedAllRelationshipsScan", "UndirectedAllRelationshipsScan")


def listening(monkeypatch: pytest.MonkeyPatch) -> list[Statement]:
    """Whatever is asked from now on."""
    asked: list[Statement] = []
    read = BoltServer.read

    def noting(self: BoltServer, statement: Statement, *rest: Any) -> Any:
        asked.append(statement)
        return read(self, statement, *rest)

    monkeypatch.setattr(BoltServer, "read", noting)
    return asked


# --- on Neo4j


@pytest.fixture(scope="module")
def labelled(neo4j: RealServer) -> RealServer:
    """Thirty labels and thirty relationship types, some with more than a sample holds."""
    server = neo4j
    server.clear()
    for number in range(30):
        size = 1_500 if number < 3 else 40
        server.rows(
            f"UNWIND range(1, {size}) AS i CREATE (a:Kind{number} {{name: 'thing ' + i, number: i}})"
            f" CREATE (a)-[:JOINS{number} {{weight: i}}]->(:Other)"
        )
    server.rows("CREATE FULLTEXT INDEX names FOR (n:Kind0|Kind1) ON EACH [n.name]")
    server.rows("CREATE INDEX numbers FOR (n:Kind0) ON (n.number)")
    server.rows("CALL db.awaitIndexes(60)")
    return server


def operators_of(server: RealServer, statement: Statement) -> Iterator[tuple[str, bool]]:
    """The operators of a statement's plan, and whether each lies below a limit."""
    if statement.text.startswith("SHOW"):
        return
    text: Any = f"EXPLAIN {statement.text}"
    with server.driver.session(database=server.database) as session:
        plan = session.run(Query(text, timeout=60), dict(statement.parameters)).consume().plan
    assert plan is not None
    waiting: list[tuple[Mapping[str, Any], bool]] = [(plan, False)]
    while waiting:
        operator, is_limited = waiting.pop()
        name = operator["operatorType"].partition("@")[0]
        yield name, is_limited
        limits = is_limited or name in ("Limit", "Top", "PartialTop")
        waiting += [(child, limits) for child in operator.get("children", ())]


def test_the_schema_takes_at_most_twenty_requests_and_scans_nothing(
    labelled: RealServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(labelled) as store:
        asked = listening(monkeypatch)
        schema = store.schema()
    assert len(schema.node_types) == 31
    assert len(schema.edge_types) == 30
    assert schema.edge_type("JOINS0").ends[0].count == 1_500
    assert len(asked) <= 20
    for statement in asked:
        for name, is_limited in operators_of(labelled, statement):
            assert name not in _SCANS or is_limited, statement.text


def test_who_may_not_read_the_statistics_counts_the_same_by_queries(labelled: RealServer) -> None:
    from askgraph.stores.bolt.catalog import read_catalog
    from askgraph.stores.bolt.counts import _from_count_queries, read_counts

    with opened(labelled) as store:
        catalog = read_catalog(store.server, store.engine)
        kept = read_counts(store.server, store.engine, catalog)
        counted = _from_count_queries(store.server, store.engine, catalog, None)
    assert (counted.nodes, counted.edges) == (kept.nodes, kept.edges)
    assert (counted.labels, counted.types) == (kept.labels, kept.types)
    assert len(counted.labels) == 31


def test_what_a_question_needs_scans_nothing(labelled: RealServer, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(labelled) as store:
        store.schema()
        asked = listening(monkeypatch)
        ((found, *_),) = store.find_names(["thing 7"])
        list(store.nodes([found.id]))
        hops = store.neighbors([found.id], limit_per_node=1)
        list(store.edges(list(hops.edges)))
        store.relations([found.id])
        pattern = Pattern(
            (NodePattern("x", ids=(found.id,)), NodePattern("y")), (EdgePattern("x", "y", direction="both"),)
        )
        store.run(Plan(pattern, (Column("y", NodeReference("y")),)))
    assert len(asked) >= 6
    for statement in asked:
        for name, _ in operators_of(labelled, statement):
            assert name not in _SCANS, statement.text


def test_a_few_nodes_are_followed_by_one_text_for_whatever_types_and_busy_ones_by_texts_of_their_own(
    labelled: RealServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    labelled.rows(
        "CREATE (h:Hub {name: 'a hub'}) CREATE (h)-[:JOINS3]->(h) WITH h UNWIND range(1, 300) AS i"
        " CREATE (h)-[:JOINS0]->(:Other) CREATE (h)<-[:JOINS1]-(:Other)"
    )
    [row] = labelled.rows("MATCH (h:Hub) RETURN elementId(h) AS id")
    type_sets = (["JOINS2", "JOINS0", "JOINS1"], ["JOINS1"], ["JOINS3", "JOINS0"])
    with opened(labelled) as store:
        ids = [found[0].id for found in store.find_names(["thing 7", "thing 8", "thing 9"])]
        ids.insert(1, row["id"])
        asked = listening(monkeypatch)
        few = [
            store.neighbors(ids, side, types=types) for side in ("out", "in", "both") for types in type_sets
        ]
        texts = [statement.text for statement in asked if "$types" in statement.text]
        once = [text for text in texts if "(n)-->() } + COUNT" in text]
        monkeypatch.setattr(hops, "_FEW_NODES", 0)
        typed = [
            store.neighbors(ids, side, types=types) for side in ("out", "in", "both") for types in type_sets
        ]
    for one, other in zip(few, typed, strict=True):
        assert list(one.nodes) == list(other.nodes)
        assert list(one.edges) == list(other.edges)
        assert one.origins.tolist() == other.origins.tolist()
        assert one.forward.tolist() == other.forward.tolist()
        assert one.cut == other.cut
    assert any(len(found) for found in few)
    # One text for each choice of directions, whatever the types.
    assert len(set(texts)) == 3
    assert len(once) == len(type_sets)
    labelled.rows("MATCH (h:Hub) OPTIONAL MATCH (h)--(o:Other) DETACH DELETE h, o")


def test_several_types_of_many_nodes_are_followed_by_texts_of_one_type_each_whose_plans_are_kept(
    labelled: RealServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hops, "_FEW_NODES", 0)
    types = ["JOINS2", "JOINS0", "JOINS1"]
    with opened(labelled) as store:
        ids = [found[0].id for found in store.find_names(["thing 7", "thing 8", "thing 9"])]
        asked: list[Statement] = []
        together = BoltServer.read_together

        def noting(self: BoltServer, statements: Any, *rest: Any) -> None:
            asked.extend(statements)
            together(self, statements, *rest)

        monkeypatch.setattr(BoltServer, "read_together", noting)
        found = store.neighbors(ids, "both", types=types)
        one_by_one = [store.neighbors(ids, "both", types=[type]) for type in sorted(types)]
        many = store.neighbors(ids, "both", types=[f"JOINS{number}" for number in range(30)])
    texts = {statement.text for statement in asked[:3]}
    assert len(texts) == 3
    assert all(len([type for type in types if type in text]) == 1 for text in texts)
    assert texts == {statement.text for statement in asked[3:6]}
    assert sorted(found.edges) == sorted(edge for hops in one_by_one for edge in hops.edges)
    assert sorted(many.edges) == sorted(found.edges)
    assert len(asked) == 7


def test_of_several_types_as_many_hops_come_as_of_one(labelled: RealServer) -> None:
    labelled.rows(
        "CREATE (h:Hub {name: 'a hub'}) WITH h UNWIND range(1, 5) AS i"
        " CREATE (h)-[:JOINS0]->(:Other) CREATE (h)-[:JOINS1]->(:Other) CREATE (h)<-[:JOINS1]-(:Other)"
    )
    [row] = labelled.rows("MATCH (h:Hub) RETURN elementId(h) AS id")
    with opened(labelled) as store:
        found = store.neighbors([row["id"]], "both", types=["JOINS1", "JOINS0"], limit_per_node=7)
        kinds = [found.type_names[type] for type in found.edge_types]
        alone = store.neighbors([row["id"]], "out", types=["JOINS1", "JOINS0"], limit_per_node=3)
    assert kinds == ["JOINS0"] * 5 + ["JOINS1"] * 2
    assert found.forward.all()
    assert found.cut == {row["id"]: 15}
    assert alone.cut == {row["id"]: 10}
    labelled.rows("MATCH (h:Hub) OPTIONAL MATCH (h)--(o:Other) DETACH DELETE h, o")


def test_names_as_they_are_written_are_found_without_weighing_all_that_are_alike(
    labelled: RealServer,
) -> None:
    with opened(labelled) as store:
        written, none = store.find_written_names(["thing 7", "thingg 7"], limit=3)
        (alike,) = store.find_names(["thingg 7"], limit=3)
    assert written[0].name == "thing 7"
    assert len(written) <= 3
    assert none == []
    assert alike


def test_a_filter_of_a_plan_uses_the_index_that_there_is(labelled: RealServer) -> None:
    with opened(labelled) as store:
        plan = Plan(
            Pattern((NodePattern("x", ("Kind0",)),)),
            (Column("x", NodeReference("x")),),
            where=And((Compare(PropertyOf("x", "number"), "=", Constant(3)),)),
        )
        assert len(store.run(plan).rows) == 1
        text = "\n".join(line for line in store.to_cypher(plan).splitlines() if not line.startswith("//"))
        names = [name for name, _ in operators_of(labelled, Statement(text, {"p0": 3}))]
    assert "NodeIndexSeek" in names


# --- as Memgraph's documentation says


def _plan() -> Plan:
    pattern = Pattern(
        (NodePattern("x", ("Person",), ids=("1",)), NodePattern("y")),
        (EdgePattern("x", "y", (), "both"), EdgePattern("y", "x", ("KNOWS",), optional=True)),
    )
    other = Exists(Pattern((NodePattern("z", ("Person",)),), (EdgePattern("y", "z", ("KNOWS",)),)))
    columns = (Column("y", NodeReference("y")), Column("n", Aggregate("maximum", PropertyOf("x", "name"))))
    where = And((Not(other), Compare(PropertyOf("x", "name"), "contains", Constant("a"))))
    return Plan(pattern, columns, where=where)


def _memgraph(text: str, parameters: Mapping[str, Any]) -> Rows:
    index = {"labels": ["Person"], "properties": ["name"], "count": 8, "type": "label+property"}
    if text == "SHOW SCHEMA INFO":
        return Rows(["schema"], [[json.dumps({**INFO, "node_indexes": [index]})]])
    if "keys(n)" in text and "-[n:" not in text:
        return Rows(
            ["number", "key", "type", "count", "different", "examples"],
            [[0, "name", "STRING", 8, 8, ["Ann", "Bob"]], [0, "nick", "LIST", 1, 1, [["a", "b"]]]],
        )
    if "AS node" in text:
        names = {"name": "Ann", "nick": None}
        return Rows(["i", "score", "id", "labels", "names"], [[0, 3.0, "7", ["Person"], names]])
    if "MATCH (m:Person)" in text:
        return Rows(["m"], [[node(7, ["Person"], {"name": "Ann"})]])
    return Rows(["one"], [])


def test_memgraph_is_asked_in_its_own_words() -> None:
    agent = "Neo4j/v5.11.0 compatible graph database server - Memgraph"
    hidden = Hidden(types=("Admin", "SECRET"), properties=("Person.salary",))
    with (
        MadeUpServer(_memgraph, agent=agent) as made_up,
        open_bolt(parse_address(made_up.url), hidden=hidden) as store,
    ):
        schema = store.schema()
        assert store.capabilities.dialect == "memgraph"
        assert [(item.id, item.count) for item in schema.node_types] == [("Person", 10), ("", 1)]
        assert schema.edge_type("KNOWS").ends[0].count == 6
        assert [(item.owner, item.key, item.samples) for item in schema.properties] == [
            ("Person", "name", ("Ann", "Bob")),
            ("Person", "nick", ("a", "b")),
        ]
        (found,) = store.find_names(["ann"])
        assert [(item.id, item.name) for item in found] == [("7", "Ann")]
        list(store.nodes(["7"]))
        list(store.edges(["7>9"]))
        store.neighbors(["7"], "both")
        store.neighbors(["7"], "out", types=["KNOWS"])
        store.relations(["7"])
        next(store.node_pages(), None)
        store.run(_plan())
        result = store.query(check("MATCH (m:Person) RETURN m", dialect="memgraph"))
        assert [cell.id for (cell,) in result.rows if isinstance(cell, Node)] == ["7"]
        asked = [text for text in made_up.asked if not text.startswith("SHOW")]
    policy = GatePolicy(rows=None, refuse_costly=False)
    for text in asked:
        check(text, dialect="memgraph", policy=policy, parameters=dict.fromkeys(("p0", "p1", "p2"), "x"))
        assert "elementId" not in text
        assert "IS ::" not in text
        assert "COUNT {" not in text
