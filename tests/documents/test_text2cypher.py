"""What `documents/text2cypher_retriever` promises, sentence by sentence, on an embedded graph."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from askgraph import Graph, Settings, open_graph
from askgraph.core.errors import (
    DeadlineExceededError,
    NoQueryError,
    OpenError,
    PlanError,
    QueryFailedError,
    QuerySyntaxError,
    SettingsError,
    UnsafeSparqlError,
)
from askgraph.models.scripted import ScriptedModel
from askgraph.text2cypher import (
    Entity,
    EntityType,
    GraphSchema,
    QueryValue,
    Relation,
    RelationType,
    RetrievalSettings,
    SearchFilters,
    Text2CypherRetriever,
    Text2SparqlRetriever,
    UnsafeCypherError,
    UnsupportedFilterError,
)

_COUNT = "MATCH (e:Employee) RETURN count(e) AS employees"
_PEOPLE = "MATCH (e:Employee)-[m:MEMBER_OF]->(d:Department) RETURN e, m, d.name AS department"


def retriever(graph: Graph, replies: Sequence[Any], **options: Any) -> Text2CypherRetriever:
    """The documented class, with a model that gives these replies in their order."""
    return Text2CypherRetriever(
        graph_store=graph, schema=graph.schema(), model=ScriptedModel(list(replies)), **options
    )


def asked(retriever: Text2CypherRetriever) -> list[str]:
    """What the model was asked, each time in one text."""
    model = retriever.model
    assert isinstance(model, ScriptedModel)
    return ["\n".join(message.text for message in request.messages) for request in model.requests]


def test_it_has_the_documented_name(company_graph: Graph) -> None:
    assert retriever(company_graph, []).name == "text2cypher"


def test_scalar_rows_become_query_values(company_graph: Graph) -> None:
    found = retriever(company_graph, [_COUNT]).retrieve("How many employees are there?")
    assert [(type(result.item), str(result.item)) for result in found] == [(QueryValue, "employees: 3")]


def test_a_value_has_the_same_identity_in_every_run(company_graph: Graph) -> None:
    first, second = (
        retriever(company_graph, [_COUNT]).retrieve("How many employees are there?") for _ in range(2)
    )
    assert [result.identity for result in first] == [result.identity for result in second]


def test_nodes_are_loaded_relationships_parsed_and_no_column_is_lost(company_graph: Graph) -> None:
    found = retriever(company_graph, [_PEOPLE]).retrieve("Who is in which department?", limit=50)
    ada = next(result for result in found if str(result.item) == "Ada Lovelace")
    assert isinstance(ada.item, Entity)
    assert ada.item.id == "p1"
    assert ada.item.labels == ("Employee",)
    assert ada.item.properties["phone"] == "+44 1"
    assert [row["department"] for row in ada.rows] == ["Engines"]
    membership = next(result.item for result in found if isinstance(result.item, Relation))
    assert (membership.type, membership.source, membership.target) == ("MEMBER_OF", "p1", "d1")
    departments = {result.item.value for result in found if isinstance(result.item, QueryValue)}
    assert departments == {"Engines", "Compilers"}
    assert all(set(row) == {"e", "m", "department"} for result in found for row in result.rows)


def test_a_column_of_ids_is_loaded_from_the_graph(company_graph: Graph) -> None:
    query = "MATCH (e:Employee {name: 'Grace Hopper'}) RETURN elementId(e) AS entity_id"
    found = retriever(company_graph, [query]).retrieve("Who is Grace Hopper?")
    items = [result.item for result in found]
    assert [item.name for item in items if isinstance(item, Entity)] == ["Grace Hopper"]


def test_the_results_are_strict_json(company_graph: Graph) -> None:
    found = retriever(company_graph, [_PEOPLE]).retrieve("Who is in which department?")
    assert json.loads(json.dumps([result.to_dict() for result in found], allow_nan=False))


def test_the_limit_is_kept(company_graph: Graph) -> None:
    assert len(retriever(company_graph, [_PEOPLE]).retrieve("Who is where?", limit=2)) == 2
    with pytest.raises(PlanError, match="limit"):
        retriever(company_graph, [_PEOPLE]).retrieve("Who is where?", limit=0)


def test_generation_is_grounded_in_the_declared_schema(company_graph: Graph) -> None:
    made = retriever(company_graph, [_COUNT])
    made.retrieve("How many employees are there?")
    for name in ("Employee", "Department", "MEMBER_OF", "phone"):
        assert name in asked(made)[0]


def test_a_schema_declared_by_hand_is_all_that_the_model_sees(company_graph: Graph) -> None:
    declared = GraphSchema(
        name="staff",
        entity_types=(
            EntityType("Employee", "Somebody who works here", {"name": "text"}),
            EntityType("Department"),
        ),
        relation_types=(RelationType("MEMBER_OF", pairs=(("Employee", "Department"),)),),
    )
    made = Text2CypherRetriever(
        graph_store=company_graph, schema=declared, model=ScriptedModel([_COUNT, _COUNT])
    )
    made.retrieve("How many employees are there?")
    text = asked(made)[0]
    assert "Somebody who works here" in text
    assert "Product" not in text
    assert "phone" not in text


def test_a_declared_label_that_the_graph_lacks_is_an_error_with_the_right_one(company_graph: Graph) -> None:
    with pytest.raises(SettingsError, match="Employe") as raised:
        Text2CypherRetriever(
            graph_store=company_graph, schema=GraphSchema(entity_types=(EntityType("Employe"),))
        )
    assert "Employee" in str(raised.value.advice)


def test_a_query_that_fails_is_written_once_more_with_a_diagnostic(company_graph: Graph) -> None:
    made = retriever(company_graph, ["MATCH (e:Employee RETURN count(e)", _COUNT])
    found = made.retrieve("How many employees are there?")
    assert [result.item.value for result in found if isinstance(result.item, QueryValue)] == [3]
    assert len(asked(made)) == 2
    assert "MATCH (e:Employee RETURN count(e)" in asked(made)[1]


def test_a_second_failure_raises(company_graph: Graph) -> None:
    made = retriever(company_graph, ["MATCH (e:Employee RETURN count(e)"] * 3)
    with pytest.raises(QuerySyntaxError):
        made.retrieve("How many employees are there?")
    assert len(asked(made)) == 2


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (e:Employee) DETACH DELETE e",
        "MATCH (e:Employee) SET e.phone = '0' RETURN e",
        "CREATE (e:Employee {name: 'Mallory'}) RETURN e",
        "LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line",
    ],
)
def test_a_write_raises_at_once_and_is_never_repaired(company_graph: Graph, query: str) -> None:
    made = retriever(company_graph, [query, _COUNT])
    with pytest.raises(UnsafeCypherError):
        made.retrieve("How many employees are there?")
    assert len(asked(made)) == 1


@pytest.mark.parametrize(
    "query",
    [
        "DELETE WHERE { ?s ?p ?o }",
        "DROP ALL",
        "```sparql\nLOAD <file:///etc/passwd>\n```",
        "SELECT ?s { ?s ?p ?o } ; DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }",
        "SELECT ?s { ?s ?p ?o }\nINSERT DATA { <urn:a> <urn:b> <urn:c> }",
        "SELECT ?s { ?s ?p ?o } ;; PREFIX a: <urn:a#> DROP ALL",
    ],
)
def test_an_update_raises_at_once_and_is_never_repaired(ck25: Graph, query: str) -> None:
    model = ScriptedModel([query, "ASK { ?s ?p ?o }"])
    with pytest.raises(UnsafeSparqlError):
        Text2SparqlRetriever(graph_store=ck25, model=model).retrieve("How many employees are there?")
    assert len(model.requests) == 1


def test_a_query_that_would_join_everything_with_everything_is_written_again(company_graph: Graph) -> None:
    made = retriever(company_graph, ["MATCH (a:Employee), (b:Product) RETURN count(*) AS n", _COUNT])
    assert made.retrieve("How many employees are there?")
    assert "nothing connects this pattern" in asked(made)[1]


def test_an_empty_list_means_that_the_query_ran_and_found_nothing(company_graph: Graph) -> None:
    query = "MATCH (p:Product) WHERE p.price > 1000 RETURN p"
    assert retriever(company_graph, [query, query]).retrieve("Which products cost over 1000?") == []


def test_a_name_that_nothing_has_is_asked_for_again_and_then_found_nowhere(company_graph: Graph) -> None:
    query = "MATCH (e:Employee {name: 'Zaphod Beeblebrox'}) RETURN e"
    made = retriever(company_graph, [query, query])
    assert made.retrieve("Who is Zaphod Beeblebrox?") == []
    assert "Zaphod Beeblebrox" in asked(made)[1].split("It did not do")[-1]


def test_a_label_that_nothing_has_is_an_error_the_second_time(company_graph: Graph) -> None:
    made = retriever(company_graph, ["MATCH (s:Spaceship) RETURN s"] * 2)
    with pytest.raises(QueryFailedError, match="Spaceship"):
        made.retrieve("Which spaceships are there?")


def test_no_query_and_no_answer_are_typed(company_graph: Graph) -> None:
    with pytest.raises(NoQueryError):
        retriever(company_graph, ["Let me think about it.", "Hm."]).retrieve("Who is the tallest?")


def test_a_closed_graph_raises(settings: Any) -> None:
    from tests.engine.conftest import company

    from askgraph import open_graph

    graph = open_graph(company(), settings=settings)
    made = retriever(graph, [_COUNT])
    graph.close()
    with pytest.raises(OpenError):
        made.retrieve("How many employees are there?")


def test_misspelt_values_are_replaced_by_those_of_the_graph(company_graph: Graph) -> None:
    query = "MATCH (e:Employee {name: 'ada lovelase'})-[:MEMBER_OF]->(d) RETURN d.name AS department"
    found = retriever(company_graph, [query]).retrieve("Which department is Ada in?")
    assert [result.item.value for result in found if isinstance(result.item, QueryValue)] == ["Engines"]


# --- filters


def test_filters_confine_the_query(company_graph: Graph) -> None:
    made = retriever(company_graph, ["MATCH (n) RETURN n.name AS name"])
    filters = SearchFilters(labels=("Product",))
    found = made.retrieve("What is there?", filters=filters, limit=50)
    assert {result.item.value for result in found if isinstance(result.item, QueryValue)} == {
        "Difference Engine",
        "Punch Card",
        "Compiler",
    }
    assert "Employee" not in asked(made)[0]


def test_a_filter_by_relationship_types_confines_the_query(company_graph: Graph) -> None:
    made = retriever(company_graph, ["MATCH ()-[r]->() RETURN DISTINCT type(r) AS type"])
    found = made.retrieve("Which relations?", filters=SearchFilters(relation_types=("MEMBER_OF",)))
    assert [result.item.value for result in found if isinstance(result.item, QueryValue)] == ["MEMBER_OF"]


@pytest.mark.parametrize(
    "filters", [SearchFilters(properties={"price": 2.0}), SearchFilters(document_ids=("d",))]
)
def test_a_filter_that_cannot_be_honoured_is_refused(company_graph: Graph, filters: SearchFilters) -> None:
    made = retriever(company_graph, [_COUNT])
    with pytest.raises(UnsupportedFilterError):
        made.retrieve("How many?", filters=filters)
    assert asked(made) == []


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (p:Product) RETURN 'd1' AS department_id",
        "MATCH (p:Product) RETURN ['x', 'd1'] AS ids, 'd1' AS id",
    ],
)
def test_a_filter_also_holds_for_what_a_query_names_by_its_id(company_graph: Graph, query: str) -> None:
    found = retriever(company_graph, [query]).retrieve("What?", filters=SearchFilters(labels=("Product",)))
    assert found
    assert "Engines" not in json.dumps([result.to_dict() for result in found])


def test_a_filter_holds_for_what_sparql_names_by_its_iri(settings: Settings, tmp_path: Path) -> None:
    file = tmp_path / "staff.ttl"
    file.write_text(
        "@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."
        ' :ada a :Person ; rdfs:label "Ada" . :pay a :Salary ; rdfs:label "Grade Nine" .',
        encoding="utf-8",
    )
    query = "SELECT ?p (<http://example.org/pay> AS ?s) WHERE { ?p a <http://example.org/Person> }"

    with open_graph(file, settings=settings) as graph:
        for filters in (None, SearchFilters(labels=("http://example.org/Person",))):
            made = Text2SparqlRetriever(graph_store=graph, model=ScriptedModel([query]))
            found = json.dumps([result.to_dict() for result in made.retrieve("What?", filters=filters)])
            assert "Ada" in found
            assert ("Grade Nine" in found) is (filters is None)


@pytest.mark.parametrize("labels", ["Product", (None,)])
def test_a_filter_of_another_kind_is_a_typed_error(company_graph: Graph, labels: Any) -> None:
    with pytest.raises(UnsupportedFilterError, match="list of texts"):
        retriever(company_graph, [_COUNT]).retrieve("What?", filters=SearchFilters(labels=labels))


@pytest.mark.parametrize("limit", [0, 2.5, "3", True])
def test_a_limit_of_another_kind_is_a_typed_error(company_graph: Graph, limit: Any) -> None:
    with pytest.raises(PlanError, match="limit"):
        retriever(company_graph, [_COUNT]).retrieve("What?", limit=limit)


@pytest.fixture(scope="module")
def partly_labelled() -> Iterator[Graph]:
    import networkx

    graph = networkx.MultiDiGraph()
    for id, label in (("Ada", "Person"), ("Charles", "Person"), ("someone", ""), ("Engine", "Machine")):
        graph.add_node(id, name=id, **({"label": label} if label else {}))
    for target in ("Charles", "someone", "Engine"):
        graph.add_edge("Ada", target, type="KNOWS")
    graph.add_edge("someone", "Charles", type="KNOWS")
    with open_graph(graph, settings=Settings.load(save_runs=False)) as opened:
        yield opened


@pytest.mark.parametrize(
    ("query", "values"),
    [
        ("MATCH (n) RETURN n.name AS name", ["Ada", "Charles"]),
        ("MATCH ()-[:KNOWS]->(n) RETURN count(n) AS known", [1]),
        ("MATCH (n:Person) WHERE (n)-[:KNOWS]->() RETURN n.name AS name", ["Ada"]),
        ("MATCH (a {name: 'Ada'})-[:KNOWS*1..2]->(n) RETURN n.name AS name", ["Charles"]),
    ],
)
def test_a_filter_by_labels_leaves_out_nodes_that_have_none(partly_labelled: Graph, query, values) -> None:
    found = retriever(partly_labelled, [query]).retrieve("Who?", filters=SearchFilters(labels=("Person",)))
    assert [result.item.value for result in found if isinstance(result.item, QueryValue)] == values


def test_a_filter_by_types_that_sparql_cannot_be_held_to_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "people.ttl"
    file.write_text(
        '@prefix : <http://e.org/> . :a a :Person ; :name "Ada" ; :knows :b . :b :name "nobody" .',
        encoding="utf-8",
    )
    with open_graph(file, settings=Settings.load(save_runs=False)) as graph:
        made = Text2SparqlRetriever(graph_store=graph, model=ScriptedModel(["ASK { ?s ?p ?o }"]))
        with pytest.raises(UnsupportedFilterError, match="without a type"):
            made.retrieve("Who?", filters=SearchFilters(labels=("http://e.org/Person",)))


# --- settings, tracing, language


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (RetrievalSettings().text2cypher_timeout, RetrievalSettings().text2cypher_max_rows) == (10, 1000)
    monkeypatch.setenv("RETRIEVAL_TEXT2CYPHER_TIMEOUT", "3")
    monkeypatch.setenv("RETRIEVAL_TEXT2CYPHER_MAX_ROWS", "7")
    assert (RetrievalSettings().text2cypher_timeout, RetrievalSettings().text2cypher_max_rows) == (3, 7)


@pytest.mark.parametrize(
    ("name", "value"),
    [("text2cypher_timeout", 0), ("text2cypher_timeout", float("inf")), ("text2cypher_max_rows", -1)],
)
def test_a_setting_out_of_bounds_is_a_typed_error(
    monkeypatch: pytest.MonkeyPatch, name: str, value: Any
) -> None:
    with pytest.raises(SettingsError, match=f"'{name}' .*RETRIEVAL_{name.upper()}.* not {value}"):
        RetrievalSettings(**{name: value})
    monkeypatch.setenv(f"RETRIEVAL_{name.upper()}", str(value))
    with pytest.raises(SettingsError, match=name):
        RetrievalSettings()


def test_the_rows_are_capped(company_graph: Graph) -> None:
    settings = RetrievalSettings(text2cypher_max_rows=2)
    made = retriever(company_graph, ["MATCH (e:Employee) RETURN e"], settings=settings)
    assert len(made.retrieve("Who works here?")) == 2


def test_a_query_that_runs_too_long_ends_at_its_timeout(company_graph: Graph) -> None:
    endless = "UNWIND range(1, 3100) AS a UNWIND range(1, 3100) AS b RETURN sum(a * b) AS n"
    settings = RetrievalSettings(text2cypher_timeout=0.05)
    with pytest.raises((DeadlineExceededError, QueryFailedError)):
        retriever(company_graph, [endless, endless], settings=settings).retrieve("How many?")


def test_a_tracer_gets_a_span_for_each_step(company_graph: Graph) -> None:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracer = provider.get_tracer("tests")
    retriever(company_graph, [_COUNT], tracer=tracer).retrieve("How many employees are there?")
    spans = {span.name: span for span in exporter.get_finished_spans()}
    assert {"text2cypher.retrieve", "text2cypher.write_query", "text2cypher.run_query"} <= set(spans)
    whole, running = spans["text2cypher.retrieve"].context, spans["text2cypher.run_query"]
    assert whole is not None
    assert running.parent is not None
    assert running.parent.span_id == whole.span_id
    assert dict(running.attributes or {})["askgraph.rows"] == 1


def test_the_sparql_twin_does_the_same(ck25: Graph) -> None:
    query = (
        "PREFIX pv: <http://ld.company.org/prod-vocab/> "
        "SELECT (COUNT(?d) AS ?departments) WHERE { ?d a pv:Department }"
    )
    made = Text2SparqlRetriever(graph_store=ck25, schema=ck25.schema(), model=ScriptedModel([query]))
    found = made.retrieve("How many departments are there?")
    departments = len(
        ck25.query("PREFIX pv: <http://ld.company.org/prod-vocab/> SELECT ?d { ?d a pv:Department }")
    )
    assert [(str(result.item), result.method) for result in found] == [
        (f"departments: {departments}", "text2sparql")
    ]


def test_each_twin_refuses_a_graph_of_the_other_language(company_graph: Graph, ck25: Graph) -> None:
    with pytest.raises(QueryFailedError, match="cypher"):
        Text2CypherRetriever(graph_store=ck25)
    with pytest.raises(QueryFailedError, match="sparql"):
        Text2SparqlRetriever(graph_store=company_graph)
