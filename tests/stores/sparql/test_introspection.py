"""What a server is asked about its graph: in few requests, from what the graph says of itself before counting, and
whatever fails."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from tests.servers.oxigraph_server import OxigraphServer
from tests.stores.sparql.scripted_server import YES, Asked, Line, ScriptedServer, results
from tests.stores.sparql.support import ENGINES, open_store

from askgraph.core.budget import Budget
from askgraph.core.errors import AuthenticationError, DeadlineExceededError
from askgraph.core.hidden import Hidden
from askgraph.core.schema import EdgeEnds, Schema
from askgraph.core.values import ValueType
from askgraph.stores.sparql import counting
from askgraph.stores.sparql.introspection import MOST_REQUESTS

LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
ONTOLOGY = """
@prefix : <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:ontology a owl:Ontology ; :by :nobody .
:Agent a owl:Class ; rdfs:label "agent"@en, "Akteur"@de ; rdfs:comment "Whoever acts." .
:Person a owl:Class ; rdfs:subClassOf :Agent ; rdfs:label "person"@en .
:Robot a owl:Class ; rdfs:subClassOf :Agent .
:worksFor a owl:ObjectProperty ; rdfs:domain :Person ; rdfs:range :Firm ; owl:inverseOf :employs ;
   rdfs:label "works for" .
:employs a owl:ObjectProperty .
:near a owl:SymmetricProperty .
:motto a owl:DatatypeProperty ; rdfs:domain :Firm ; rdfs:range xsd:string .
:RobotShape a sh:NodeShape ; sh:targetClass :Robot ;
  sh:property [ sh:path :serial ; sh:datatype xsd:integer ], [ sh:path :builtBy ; sh:class :Firm ] .
:ada a :Person ; rdfs:label "Ada" ; :worksFor :acme ; :by :bob .
:bob a :Person, owl:NamedIndividual ; rdfs:label "Bob" ; :worksFor :acme ; :seeks [ :what "peace" ] .
:acme a :Firm ; rdfs:label "Acme" ; :near :bell .
:bell rdfs:label "Bell" .
"""


@pytest.fixture(
    scope="module", params=[pytest.param(name, marks=pytest.mark.server(name)) for name in ENGINES]
)
def ontology(request: pytest.FixtureRequest) -> Schema:
    server = request.getfixturevalue(request.param)
    server.load(ONTOLOGY)
    with open_store(server) as store:
        schema = store.schema()
        assert store.schema_requests <= MOST_REQUESTS
    return schema


def test_the_vocabulary_of_the_graph_is_used(ontology: Schema) -> None:
    agent = ontology.node_type("http://e/Agent")
    assert (agent.label, agent.other_labels, agent.description) == ("agent", ("Akteur",), "Whoever acts.")
    assert (agent.count, agent.total) == (0, 2)
    assert ontology.node_type("http://e/Person").parents == ("http://e/Agent",)
    works_for = ontology.edge_type("http://e/worksFor")
    assert (works_for.label, works_for.inverse) == ("works for", "http://e/employs")
    assert works_for.ends == (EdgeEnds("http://e/Person", "http://e/Firm", 2),)
    assert ontology.edge_type("http://e/near").symmetric


def test_classes_properties_and_ontologies_are_no_nodes(ontology: Schema) -> None:
    assert not any(item.id.startswith("http://www.w3.org/") for item in ontology.node_types)
    assert not ontology.has_edge_type("http://www.w3.org/2000/01/rdf-schema#subClassOf")
    assert ontology.edge_type("http://e/by").count == 1
    labels = [item.owner for item in ontology.properties if item.key.endswith("#label")]
    assert sorted(labels) == ["", "http://e/Agent", "http://e/Firm", "http://e/Person"]


def test_what_is_declared_and_nobody_has_is_there_with_a_count_of_zero(ontology: Schema) -> None:
    declared = {(item.key, item.owner, item.value_types) for item in ontology.properties if item.count == 0}
    assert ("http://e/motto", "http://e/Firm", (ValueType.TEXT,)) in declared
    assert ("http://e/serial", "http://e/Robot", (ValueType.INTEGER,)) in declared
    built_by = ontology.edge_type("http://e/builtBy")
    assert built_by.ends == (EdgeEnds("http://e/Robot", "http://e/Firm", 0),)


def test_hidden_types_and_properties_are_not_in_it(request: pytest.FixtureRequest) -> None:
    server = request.getfixturevalue("oxigraph")
    server.load(ONTOLOGY)
    with open_store(server, hidden=Hidden(("http://e/Agent", "http://e/near"), ("http://e/motto",))) as store:
        schema = store.schema()
    assert {item.id for item in schema.node_types} == {"http://e/Firm", ""}, "persons are agents"
    assert not {"http://e/near", "http://e/worksFor"} & {item.id for item in schema.edge_types if item.count}
    assert "http://e/motto" not in {item.key for item in schema.properties}
    assert "Ada" not in repr(schema)


# --- large graphs

VOID = """
@prefix void: <http://rdfs.org/ns/void#> . @prefix : <http://e/> .
:d a void:Dataset ; void:triples 900000000 ; void:entities 40000000 ;
   void:classPartition [ void:class :Person ; void:entities 30000000 ], [ void:class :Firm ; void:entities 10000000 ] ;
   void:propertyPartition [ void:property :worksFor ; void:triples 31000000 ] ,
      [ void:property :name ; void:triples 5 ] .
:ada a :Person ; :name "Ada" ; :worksFor :acme . :acme a :Firm ; :name "Acme" .
"""


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.server(name)) for name in ENGINES])
def test_a_large_graph_is_known_by_its_void_description_and_a_few_statements(
    name: str, request: pytest.FixtureRequest
) -> None:
    server = request.getfixturevalue(name)
    server.load(VOID)
    with open_store(server) as store:
        schema = store.schema()
        assert store.schema_requests <= 12
    assert schema.node_count == 40_000_000
    assert [(item.id, item.count) for item in schema.node_types] == [
        ("http://e/Person", 30_000_000), ("http://e/Firm", 10_000_000),
    ]  # fmt: skip
    (works_for,) = schema.edge_types
    assert works_for.count == 31_000_000
    assert [(ends.source, ends.target) for ends in works_for.ends] == [("http://e/Person", "http://e/Firm")]
    assert {(item.key, item.owner, item.value_types) for item in schema.properties} == {
        ("http://e/name", "http://e/Person", (ValueType.TEXT,)), ("http://e/name", "http://e/Firm", (ValueType.TEXT,)),
    }  # fmt: skip
    assert any("VoID" in note for note in schema.notes)
    assert any("estimates" in note for note in schema.notes)


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.server(name)) for name in ENGINES])
def test_a_graph_that_is_too_large_to_count_is_sampled(
    name: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "SMALL", 20)
    monkeypatch.setattr(counting.size_query, "__defaults__", (20,))
    server = request.getfixturevalue(name)
    lines = [
        f"<http://e/p{i}> a <http://e/Person> ; <http://e/age> {i % 50} ;"
        f" <http://e/knows> <http://e/p{(i * 7) % 200}> ."
        for i in range(200)
    ]
    server.load("\n".join(lines))
    with open_store(server) as store:
        schema = store.schema()
        assert store.schema_requests <= MOST_REQUESTS
    assert [(item.id, item.count) for item in schema.node_types] == [("http://e/Person", 200)]
    (knows,) = schema.edge_types
    assert knows.count == 200
    assert [(ends.source, ends.target) for ends in knows.ends] == [("http://e/Person", "http://e/Person")]
    (age,) = schema.properties
    assert (age.owner, age.count, age.coverage) == ("http://e/Person", 200, 1.0)
    assert any("estimates" in note for note in schema.notes)


def test_a_plan_on_a_sampled_graph_takes_every_property_for_one_that_may_be_missing(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.stores.plan_conformance import CASES, EDGES, NODES, PARENTS, assert_rows
    from tests.stores.rdf.rdf_text import ntriples

    monkeypatch.setattr(counting, "SMALL", 1)
    monkeypatch.setattr(counting.size_query, "__defaults__", (1,))
    server = request.getfixturevalue("oxigraph")
    server.load(ntriples(NODES, EDGES, PARENTS))
    with open_store(server) as store:
        assert store.schema().notes
        for case in CASES:
            assert_rows(store.run(case.plan), case)


# --- whatever fails


def failing(asked: Asked, line: Line) -> None:
    if asked.query.startswith("ASK"):
        line.reply(YES)
    else:
        line.reply("Query timed out", status="503 Service Unavailable", type="text/plain")


def test_a_server_that_answers_nothing_gives_a_schema_that_says_so() -> None:
    with ScriptedServer(failing) as server, open_store(server.url) as store:
        schema = store.schema()
        assert (schema.node_types, schema.edge_types, schema.properties) == ((), (), ())
        assert len(schema.notes) > 3
        assert store.schema_requests <= MOST_REQUESTS


def test_each_request_has_its_share_of_the_time_and_all_have_an_end() -> None:
    def slow(asked: Asked, line: Line) -> None:
        if asked.query.startswith("ASK"):
            line.reply(YES)
        else:
            time.sleep(5)

    with ScriptedServer(slow) as server, open_store(server.url) as store:
        started = time.monotonic()
        with pytest.raises(DeadlineExceededError):
            store.schema(Budget(seconds=1.5))
        assert time.monotonic() - started < 1.7
        assert len(server.asked) > 2


def test_a_refusal_is_no_empty_schema() -> None:
    def refusing(asked: Asked, line: Line) -> None:
        if asked.query.startswith("ASK"):
            line.reply(YES)
        else:
            line.reply("no", status="401 Unauthorized", type="text/plain")

    with (
        ScriptedServer(refusing) as server,
        open_store(server.url) as store,
        pytest.raises(AuthenticationError),
    ):
        store.schema()


def test_one_request_that_fails_takes_nothing_but_itself(start_server: Callable[..., Any]) -> None:
    """A server between us and an Oxigraph that lets everything through but the counting of ends."""
    real: OxigraphServer = start_server("oxigraph")
    real.load(ONTOLOGY)

    def passing(asked: Asked, line: Line) -> None:
        if "?from ?to (COUNT" in asked.query:
            line.reply("Query timed out", status="503 Service Unavailable", type="text/plain")
            return
        reply = real.ask(asked.query)
        line.reply(reply.body, status=f"{reply.status} OK")

    with ScriptedServer(passing) as server, open_store(server.url) as store:
        schema = store.schema()
        assert schema.node_type("http://e/Person").count == 2
        assert schema.edge_type("http://e/worksFor").ends[0].count == 2, "from samples then"
        assert any("could not count ends" in note for note in schema.notes)
        assert store.schema_requests <= MOST_REQUESTS


def test_a_wikidata_predicate_is_called_as_its_property_is() -> None:
    """By the published data model: the label hangs on the property, not on the predicate of its statements."""
    predicate = "http://www.wikidata.org/prop/direct/P106"
    asked_for_labels: list[str] = []

    def wikidata(asked: Asked, line: Line) -> None:
        query = asked.query
        if query.startswith("ASK"):
            line.reply(YES)
        elif "GROUP BY ?p ORDER" in query and "?literals" in query:
            row = {"p": {"type": "uri", "value": predicate}, "n": "10", "literals": "0"}
            line.reply(results(["p", "n", "literals"], [row]))
        elif "directClaim" in query:
            asked_for_labels.append(query)
            label = {"type": "literal", "xml:lang": "en", "value": "occupation"}
            row = {"s": {"type": "uri", "value": predicate}, "p": {"type": "uri", "value": LABEL}, "o": label}
            line.reply(results(["s", "p", "o"], [row]))
        else:
            line.reply(results(["x"], []))

    with ScriptedServer(wikidata) as server, open_store(server.url) as store:
        from askgraph.stores.sparql.engines import Engine, Recognised

        store.client.engine = Recognised(Engine.WIKIDATA)
        assert store.schema().edge_type(predicate).label == "occupation"
        assert 'LANG(?o) IN ("en")' in asked_for_labels[0]


def test_two_threads_learn_it_once_and_neither_waits_beyond_its_time() -> None:
    def slow(asked: Asked, line: Line) -> None:
        if not asked.query.startswith("ASK"):
            time.sleep(0.3)
        failing(asked, line)

    with ScriptedServer(slow) as server, open_store(server.url) as store:
        learning = threading.Thread(target=store.schema)
        learning.start()
        time.sleep(0.1)
        started = time.monotonic()
        with pytest.raises(DeadlineExceededError, match="another question"):
            store.schema(Budget(seconds=0.5))
        assert time.monotonic() - started < 0.7
        learning.join()
        before = store.client.requests
        store.schema(Budget(seconds=0.5))
        assert store.client.requests == before
