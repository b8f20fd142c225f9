"""What is hidden is nowhere in what the store says or gives, on real servers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.servers.bolt import BoltServer as RealServer
from tests.stores.bolt.bolt_support import add, opened

from askgraph.core.errors import PlanError
from askgraph.core.graph import Edge, Node
from askgraph.core.hidden import Hidden
from askgraph.core.plan import (
    Aggregate,
    Column,
    EdgePattern,
    IsNull,
    NodePattern,
    NodeReference,
    Pattern,
    Plan,
    PropertyOf,
)
from askgraph.querying.gate import check
from askgraph.stores.bolt.store import BoltStore

NODES = (
    Node("ann", types=("Person",), properties={"name": "Ann", "email": "ann@example.org", "salary": 1}),
    Node("bob", types=("Person", "Agent"), properties={"name": "Bob", "email": "bob@example.org"}),
    Node("eve", types=("Agent",), properties={"name": "Eve", "codename": "Sparrow"}),
    Node("acme", types=("Company",), properties={"name": "Acme", "email": "info@acme.example", "salary": 2}),
)
EDGES = (
    Edge("", "ann", "acme", "WORKS_AT", {"wage": 9}),
    Edge("", "ann", "bob", "KNOWS"),
    Edge("", "eve", "ann", "KNOWS"),
    Edge("", "ann", "acme", "SPIES_ON"),
    Edge("", "acme", "ann", "KNOWS"),
)
HIDDEN = Hidden(types=("Agent", "SPIES_ON"), properties=("salary", "Person.email", "WORKS_AT.wage"))
SECRETS = (
    "Agent",
    "SPIES_ON",
    "salary",
    "ann@example.org",
    "bob@",
    "Bob",
    "Eve",
    "Sparrow",
    "codename",
    "wage",
)


class Spied:
    """The graph behind its owner's wishes."""

    def __init__(self, store: BoltStore, ids: dict[str, str]) -> None:
        self.store = store
        self.ids = ids


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=pytest.mark.server(name)) for name in ("neo4j", "arcadedb")],
)
def spied(request: pytest.FixtureRequest) -> Iterator[Spied]:
    server: RealServer = request.getfixturevalue(request.param)
    server.clear()
    server.rows("CREATE INDEX person_names FOR (n:Person) ON (n.name)")
    if request.param == "neo4j":
        server.rows("CREATE FULLTEXT INDEX names FOR (n:Person|Agent|Company) ON EACH [n.name]")
    _, ids = add(server, NODES, EDGES)
    if request.param == "neo4j":
        server.rows("CALL db.awaitIndexes(60)")
    with opened(server, hidden=HIDDEN) as store:
        yield Spied(store, ids)


def assert_nothing_shows(*things: Any) -> None:
    text = json.dumps(
        [thing if isinstance(thing, str | list | dict) else thing.to_dict() for thing in things], default=str
    )
    for secret in SECRETS:
        assert secret not in text, secret


def test_the_schema_knows_nothing_of_it(spied: Spied) -> None:
    schema = spied.store.schema()
    assert_nothing_shows(schema)
    assert {item.id for item in schema.node_types} == {"Person", "Company"}
    assert {(item.owner, item.key) for item in schema.properties if item.key == "email"} == {
        ("Company", "email")
    }
    assert {(pair.source, pair.target) for pair in schema.edge_type("KNOWS").ends} == {
        ("Company", "Person")
    } | {(pair.source, pair.target) for pair in schema.edge_type("KNOWS").ends if pair.source == "Person"}


def test_hidden_nodes_and_properties_do_not_come_by_id_nor_in_pages(spied: Spied) -> None:
    nodes = list(spied.store.nodes(list(spied.ids.values())))
    assert [node.name for node in nodes] == ["Ann", "Acme"]
    assert_nothing_shows(*nodes)
    pages = [node for page in spied.store.node_pages() for node in page.nodes]
    assert sorted(node.name for node in pages) == ["Acme", "Ann"]
    assert_nothing_shows(*pages)


def test_edges_to_hidden_nodes_and_of_hidden_types_do_not_come(spied: Spied) -> None:
    edges = list(spied.store.edges())
    assert sorted(edge.type for edge in edges) == ["KNOWS", "WORKS_AT"]
    assert_nothing_shows(*edges)
    everything = spied.store.server.rows  # the ids of all, past the store
    from askgraph.stores.bolt.server import Statement

    engine = spied.store.engine
    ids = [
        engine.edge_id(source, own)
        for source, own in everything(Statement("MATCH (a)-[r]->() RETURN elementId(a), elementId(r)"))
    ]
    assert len(ids) == 5
    assert len(list(spied.store.edges(ids))) == 2


@pytest.mark.parametrize("types", [None, ("KNOWS", "SPIES_ON")])
def test_hops_lead_to_nothing_hidden(spied: Spied, types: Any) -> None:
    found = spied.store.neighbors([spied.ids["ann"], spied.ids["eve"]], types=types)
    assert set(found.nodes) == {spied.ids["acme"]}
    assert "SPIES_ON" not in found.type_names
    cut = spied.store.neighbors([spied.ids["ann"]], types=types, limit_per_node=1).cut
    assert cut == ({spied.ids["ann"]: 2} if types is None else {})


def test_relations_count_nothing_hidden(spied: Spied) -> None:
    found = [(item.type, item.forward, item.count) for item in spied.store.relations([spied.ids["ann"]])]
    assert sorted(found) == [("KNOWS", False, 1), ("WORKS_AT", True, 1)]


def test_names_of_hidden_nodes_are_not_found(spied: Spied) -> None:
    found = spied.store.find_names(["Ann", "Bob", "Eve", "Sparrow"])
    assert [[node.name for node in nodes] for nodes in found] == [["Ann"], [], [], []]
    assert_nothing_shows(*found[0])


def test_plans_see_nothing_of_it(spied: Spied) -> None:
    every = Plan(Pattern((NodePattern("x"),)), (Column("x", NodeReference("x")),))
    assert {row[0] for row in spied.store.run(every).rows} == {spied.ids["ann"], spied.ids["acme"]}
    hops = Pattern(
        (NodePattern("x", ids=(spied.ids["ann"],)), NodePattern("y")), (EdgePattern("x", "y", (), "both"),)
    )
    assert spied.store.run(Plan(hops, (Column("n", Aggregate("count")),))).rows == [(2,)]
    for key in ("salary", "codename"):
        with pytest.raises(PlanError):
            spied.store.run(Plan(Pattern((NodePattern("x"),)), (Column("v", PropertyOf("x", key)),)))
    with pytest.raises(PlanError):
        spied.store.run(Plan(Pattern((NodePattern("x", ("Agent",)),)), (Column("x", NodeReference("x")),)))


def test_a_property_that_is_hidden_of_one_type_is_null_there_for_plans(spied: Spied) -> None:
    emails = Plan(
        Pattern((NodePattern("x"),)),
        (Column("x", NodeReference("x")), Column("email", PropertyOf("x", "email"))),
    )
    assert {row[0]: row[1] for row in spied.store.run(emails).rows} == {
        spied.ids["ann"]: None,
        spied.ids["acme"]: "info@acme.example",
    }
    without = Plan(
        Pattern((NodePattern("x"),)),
        (Column("x", NodeReference("x")),),
        where=IsNull(PropertyOf("x", "email")),
    )
    assert spied.store.run(without).rows == [(spied.ids["ann"],)]


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) RETURN n",
        "MATCH (n) RETURN collect(n) AS l",
        "MATCH (n) RETURN {node: n} AS m",
        "MATCH p = (a)-[r]-(b) RETURN p",
        "MATCH (a)-[r]-(b) RETURN a, r, b",
        "MATCH (n:Company) RETURN properties(n) AS p",
        "MATCH (n:Company) RETURN n {.name, .salary} AS p",
    ],
)
def test_whatever_a_query_returns_holds_nothing_of_it(spied: Spied, text: str) -> None:
    # The gate of a store with deny-lists refuses most of these; the store does not rely on that.
    result = spied.store.query(check(text))
    assert len(result.rows) > 0
    assert_nothing_shows([result.to_dict()["rows"]])


def test_that_something_was_left_out_is_said(spied: Spied) -> None:
    result = spied.store.query(check("MATCH (n) RETURN n"))
    assert any("hidden" in note for note in result.notes)
    assert sum(row[0] is None for row in result.rows) == 2
