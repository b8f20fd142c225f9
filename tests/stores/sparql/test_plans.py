"""Plans mean the same on every engine: those of the conformance suite, and others beside the embedded graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.servers.virtuoso_server import VirtuosoServer
from tests.stores.plan_conformance import (
    CASES,
    EDGES,
    MATCHES,
    NODES,
    PARENTS,
    PERSON,
    Case,
    PlanConformance,
    X,
    assert_rows,
    count,
    edge,
    iri,
    is_,
    node,
    of,
    plan,
)
from tests.stores.rdf.rdf_text import ntriples
from tests.stores.sparql.support import ENGINES, open_store

from askgraph.core.budget import Budget
from askgraph.core.hidden import Hidden
from askgraph.core.plan import (
    Aggregate,
    Constant,
    EdgePattern,
    IsNull,
    NodePattern,
    NodeReference,
    Not,
    OrderBy,
    Plan,
    Table,
)
from askgraph.core.schema import Schema
from askgraph.core.values import Value
from askgraph.stores.rdf.store import RdfStore
from askgraph.stores.sparql.store import SparqlStore

ON_EVERY_ENGINE = [pytest.param(name, marks=pytest.mark.server(name)) for name in ENGINES]


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RdfStore]:
    file: Path = tmp_path_factory.mktemp("plans") / "graph.nt"
    file.write_text(ntriples(NODES, EDGES, PARENTS), encoding="utf-8")
    with RdfStore.from_files(file) as store:
        yield store


@pytest.fixture(scope="module", params=ON_EVERY_ENGINE)
def store(request: pytest.FixtureRequest) -> Iterator[SparqlStore]:
    server = request.getfixturevalue(request.param)
    server.load(ntriples(NODES, EDGES, PARENTS))
    with open_store(server) as opened:
        yield opened


class TestPlansOnServers(PlanConformance):
    @pytest.fixture
    def run(self, store: SparqlStore) -> Callable[[Plan], Table]:
        return store.run


def without_details(schema: Schema) -> Schema:
    """A schema without what one engine may count and another not: kinds of values by owner, samples, notes."""
    return Schema("rdf", schema.node_count, schema.edge_count, schema.node_types, schema.edge_types, ())


def test_the_schema_is_the_one_of_the_embedded_graph(store: SparqlStore, embedded: RdfStore) -> None:
    found, wanted = store.schema(), embedded.schema()
    assert without_details(found) == without_details(wanted)
    assert {
        (item.key, item.owner, item.count, item.coverage, item.label, item.distinct)
        for item in found.properties
    } == {
        (item.key, item.owner, item.count, item.coverage, item.label, item.distinct)
        for item in wanted.properties
    }
    assert found.notes == ()
    assert store.schema_requests <= 20
    assert store.schema() is found


@pytest.mark.parametrize(
    "name", ["least and greatest of mixed numbers and texts", "groups by a value, nulls together"]
)
def test_the_engine_itself_puts_values_in_order_where_there_is_a_limit(name: str, store: SparqlStore) -> None:
    from dataclasses import replace

    case = next(case for case in CASES if case.name == name)
    for limit in (1, 2):
        asked = replace(case.plan, limit=limit)
        assert_rows(store.run(asked), Case(name, asked, case.rows[:limit]))


def test_integers_divide_to_what_lies_between_them(store: SparqlStore) -> None:
    table = store.run(plan([PERSON], {"average": Aggregate("average", of("x", "age"))}))
    assert only_cell(table) == pytest.approx(30.125)
    table = store.run(plan([node("x")], {"average": Aggregate("average", of("x", "size"))}))
    assert only_cell(table) == pytest.approx(1166667.6666, abs=0.001)


def only_cell(table: Table) -> Value:
    ((cell,),) = table.rows
    return cell


def test_a_cut_is_said_and_the_rows_are_the_first(store: SparqlStore, embedded: RdfStore) -> None:
    asked = plan([PERSON], {"x": X, "name": of("x", "name")}, order=(OrderBy("name", True),))
    table = store.run(asked, Budget(rows=2))
    assert table.rows == embedded.run(asked, Budget(rows=2)).rows
    assert table.truncated
    assert not store.run(asked, Budget(rows=6)).truncated


def test_what_is_hidden_is_not_there(store: SparqlStore) -> None:
    with open_store(
        store_address(store),
        hidden=Hidden(
            (iri("City"), iri("knows"), iri("Artist")), (iri("salary"), f"{iri('Employee')}.{iri('age')}")
        ),
    ) as hiding:
        schema = hiding.schema()
        assert not schema.has_node_type(iri("City"))
        assert not schema.has_edge_type(iri("knows"))
        assert not schema.has_edge_type(iri("livesIn")), "it leads to cities alone"
        keys = {(item.key, item.owner) for item in schema.properties}
        assert not {key for key, _ in keys} & {iri("salary"), iri("size") + "?"}
        assert (iri("age"), iri("Person")) in keys
        assert not {(iri("age"), iri("Employee")), (iri("age"), iri("Manager"))} & keys, (
            "managers are employees"
        )
        assert all(not item.samples for item in schema.properties if item.key == iri("age"))
        people = hiding.run(plan([PERSON], {"x": X, "age": of("x", "age")})).rows
        assert people == [
            (iri("ada"), None), (iri("bob"), None), (iri("dan"), 7), (iri("eve"), "unknown"),
        ]  # fmt: skip
        assert hiding.run(plan([node("x")], {"n": count(X)})).rows == [(6,)]
        shown = hiding.to_sparql(plan([PERSON], {"x": X, "age": of("x", "age")}))
        assert not [name for name in ("City", "Artist", "hidden") if name in shown]
        assert hiding.run(plan([PERSON], {"x": X}, is_(of("x", "age"), ">", 30))).rows == []
        assert [node.id for node in hiding.nodes([iri("rome"), iri("cyd"), iri("ada")])] == [iri("ada")]
        ada = next(iter(hiding.nodes([iri("ada")])))
        assert not {iri("salary"), iri("age")} & set(ada.properties)
        hops = hiding.neighbors([iri("ada"), iri("acme")])
        assert set(hops.nodes) == {iri("acme"), iri("bob"), iri("ada")}
        assert iri("knows") not in hops.type_names
        assert all(relation.type != iri("knows") for relation in hiding.relations([iri("ada")]))
        assert iri("rome") not in {node.id for node in hiding.nodes()}
        assert hiding.find_names(["Rome", "Ada"])[0] == []


def store_address(store: SparqlStore) -> str:
    endpoint = store.client.endpoint
    graphs = "&".join(f"default-graph-uri={graph}" for graph in endpoint.default_graphs)
    return f"{endpoint.shown}?{graphs}"


def test_the_query_that_is_sent_can_be_shown(store: SparqlStore) -> None:
    text = store.to_sparql(plan([PERSON], {"x": X}, is_(of("x", "age"), ">", 30)))
    assert "SELECT DISTINCT ?x" in text
    assert "FILTER" in text


def test_a_triple_in_two_graphs_of_virtuoso_is_one_edge(virtuoso: VirtuosoServer) -> None:
    """Virtuoso itself gives it twice."""
    virtuoso.load(ntriples(NODES, EDGES, PARENTS))
    other = "http://example.org/other"
    virtuoso.sql(
        f"SPARQL CLEAR GRAPH <{other}>;",
        f"SPARQL INSERT INTO GRAPH <{other}> {{ <{iri('ada')}> <{iri('worksAt')}> <{iri('acme')}> . "
        f"<{iri('dan')}> <{iri('worksAt')}> <{iri('acme')}> . <{iri('acme')}> <{iri('size')}> 3 }};",
    )
    graphs = f"default-graph-uri={virtuoso.graph}&default-graph-uri={other}"
    works: list[NodePattern | EdgePattern] = [PERSON, node("y"), edge("x", "worksAt", "y")]
    with open_store(f"{virtuoso.url}?{graphs}") as store:
        assert store.run(plan(works, {"n": MATCHES})).rows == [(4,)]
        assert store.run(plan(works, {"sum": Aggregate("sum", of("y", "size"))})).rows == [(9,)]
        hops = store.neighbors([iri("acme")], "in", limit_per_node=2)
        assert (list(hops.nodes), dict(hops.cut)) == ([iri("cyd"), iri("ada")], {iri("acme"): 4})
        relations = {(item.type, item.forward): item.count for item in store.relations([iri("acme")])}
        assert relations == {
            (iri("worksAt"), False): 3, (iri("basedIn"), True): 1, (iri("advises"), False): 1,
        }  # fmt: skip


OPTIONAL_HOME = edge("x", "livesIn", "z", optional=True)
FAULTS = {
    "a loop stays a loop where the query goes on": plan(
        [node("x"), node("z"), edge("x", "knows", "x"), OPTIONAL_HOME], {"x": X, "z": NodeReference("z")}
    ),
    "equal rows are all kept under a limit": plan(
        [PERSON], {"name": of("x", "name")}, distinct=False, limit=6
    ),
    "groups are tested where there is but one": plan(
        [PERSON],
        {"n": count(X), "sum": Aggregate("sum", of("x", "age"))},
        having=(("n", ">", 1), ("sum", ">", 100)),
    ),
    "a constant is no group where nothing matches": plan(
        [node("x", ids=("nobody",))], {"n": count(X), "one": Constant(1)}
    ),
    "a sum of nothing is nothing": plan(
        [node("x", ids=("nobody",))], {"sum": Aggregate("sum", of("x", "size"))}
    ),
    "values of two kinds are not compared": plan(
        [node("x"), node("y")], {"n": MATCHES}, Not(is_(of("x", "age"), "=", of("y", "name")))
    ),
    "what having asks for is there": plan(
        [PERSON], {"x": X, "age": of("x", "age")}, having=(("age", ">", 7),), limit=2
    ),
    "what must be present is present": plan(
        [PERSON], {"x": X, "born": of("x", "born")}, Not(IsNull(of("x", "born"))), limit=2
    ),
    "an integer beyond 64 bits": plan([PERSON], {"x": X}, is_(of("x", "age"), "<", 2**70)),
    "a value of no literal's kind": plan(
        [PERSON], {"x": X, "map": Constant({"a": 1})}, is_(of("x", "name"), "<>", "Ada")
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_once_went_wrong_gives_the_rows_of_the_embedded_graph(
    name: str, store: SparqlStore, embedded: RdfStore
) -> None:
    assert store.run(FAULTS[name]).rows == embedded.run(FAULTS[name]).rows
    assert (
        embedded.run_as_sparql(FAULTS[name]).rows == embedded.run(FAULTS[name]).rows
        or "sum of nothing" in name
    )


def test_nulls_are_one_group_however_many_there_are(virtuoso: VirtuosoServer) -> None:
    """Virtuoso itself makes several."""
    lines = [f"<{iri(f'n{i}')}> a <{iri('Thing')}> ." for i in range(3_000)]
    lines += [f"<{iri(f'n{i}')}> <{iri('size')}> {i % 2} ." for i in range(0, 3_000, 300)]
    virtuoso.load("\n".join(lines))
    with open_store(virtuoso) as opened:
        table = opened.run(plan([node("x", "Thing")], {"size": of("x", "size"), "n": MATCHES}))
        assert table.rows == [(0, 10), (None, 2_990)]
