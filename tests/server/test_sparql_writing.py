"""Questions as SPARQL that somebody else runs: the query gives what our own answer is, and nothing beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.server.conftest import CK25_GRAPH

from askgraph import Graph, Settings, open_graph
from askgraph.core.errors import NoSparqlError, PlanError, QueryFailedError, UnsafeSparqlError
from askgraph.core.graph import Node
from askgraph.models.scripted import ScriptedModel
from askgraph.querying.sparql.parser import parse
from askgraph.querying.sparql.query_tree import SelectQuery
from askgraph.querying.sparql.term_tree import Variable
from askgraph.server.sparql_writing import SparqlWriter

PV = "PREFIX pv: <http://ld.company.org/prod-vocab/>\n"


def opened(folder: Path, **options: Any) -> Graph:
    settings = Settings.load(save_runs=False, cache_dir=folder)
    return open_graph(CK25_GRAPH, settings=settings, **options)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def company(folder: Path) -> Iterator[Graph]:
    with opened(folder) as graph:
        yield graph


@pytest.fixture(scope="module")
def writer(company: Graph) -> SparqlWriter:
    return SparqlWriter(company)


def cells(graph: Graph, query: str) -> set[Any]:
    """All values of a result, as the challenge compares them."""
    rows = graph.query(query, schema_check=False).rows
    return {cell.id if isinstance(cell, Node) else cell for row in rows for cell in row}


@pytest.mark.parametrize(
    "question",
    [
        "Who is the manager of Heinrich Hoch?",
        "What is the phone number of Baldwin Dirksen?",
        "How many departments are there?",
        "Do we have suppliers in Toulouse?",
        "Who has expertise in Coils?",
        "In which cities are our US suppliers for LCDs?",
        "What is the cheapest Oscillator we have?",
        "Which supplier delivers the most reliable Inductor?",
    ],
)
def test_the_query_gives_what_our_own_answer_is(company: Graph, writer: SparqlWriter, question: str) -> None:
    written = writer.write(question, 60)
    answer = company.ask(question)
    assert not answer.abstained
    expected = {item.value if item.node is None else item.node for item in answer.answers}
    assert cells(company, written.query) == expected
    assert written.written_by == "reading"
    assert written.confidence == round(answer.confidence, 4)
    assert written.meaning == answer.interpretation


def test_what_a_row_is_ordered_or_bounded_by_is_not_selected(writer: SparqlWriter) -> None:
    query = writer.write("What is the cheapest Oscillator we have?", 60).query
    form = parse(query).query.form
    assert isinstance(form, SelectQuery)
    assert form.projection.items == (Variable(name="answer"),)


def test_a_figure_for_each_stands_beside_what_it_is_of(company: Graph, writer: SparqlWriter) -> None:
    query = writer.write("How many employees does each department have?", 60).query
    result = company.query(query, schema_check=False)
    assert len(result.columns) == 2
    assert all(isinstance(row[1], int) for row in result.rows)


def test_where_names_are_asked_for_names_are_selected(company: Graph, writer: SparqlWriter) -> None:
    question = "What is the name of the Network expert from the Marketing Department?"
    values = cells(company, writer.write(question, 60).query)
    assert values
    assert not any(str(value).startswith("http") for value in values)


def test_a_yes_or_no_question_is_an_ask(writer: SparqlWriter) -> None:
    assert "ASK" in writer.write("Do we have suppliers in Toulouse?", 60).query


def test_a_question_that_is_not_understood_has_no_query_and_says_why(writer: SparqlWriter) -> None:
    with pytest.raises(NoSparqlError, match=r"not understood well enough: .+") as raised:
        writer.write("Which coil has the highest density?", 60)
    assert raised.value.advice


@pytest.mark.parametrize("question", ["", "  ", "a" * 2_001])
def test_a_question_that_is_none_is_refused(writer: SparqlWriter, question: str) -> None:
    with pytest.raises(PlanError):
        writer.write(question, 60)


def test_the_same_question_gives_the_same_query(writer: SparqlWriter) -> None:
    first, second = (writer.write("Which supplier in France delivers Compensators?", 60) for _ in range(2))
    assert first == second


# With a model


def test_a_model_writes_where_the_reading_is_not_sure_and_no_cap_is_put_to_its_query(folder: Path) -> None:
    query = PV + "SELECT ?coil WHERE { ?coil a pv:Hardware ; pv:weight_g ?weight } ORDER BY DESC(?weight)"
    with opened(folder, model=ScriptedModel([query])) as graph:
        written = SparqlWriter(graph).write("Which coil has the highest density?", 60)
    assert written.written_by == "model"
    assert written.confidence is None
    assert "LIMIT" not in written.query
    assert "pv:weight_g" in written.query


def test_a_model_is_not_asked_what_the_graph_says_itself(folder: Path) -> None:
    model = ScriptedModel([])
    with opened(folder, model=model) as graph:
        assert SparqlWriter(graph).write("How many departments are there?", 60).written_by == "reading"


def test_a_model_that_writes_more_than_a_query_that_reads_is_refused(folder: Path) -> None:
    with opened(folder, model=ScriptedModel(["DELETE WHERE { ?s ?p ?o }"])) as graph:
        writer = SparqlWriter(graph, "query")
        with pytest.raises(UnsafeSparqlError):
            writer.write("Remove all", 60)


@pytest.mark.parametrize("reply", ["UNANSWERABLE", "I am sorry, I cannot help with that."])
def test_a_model_that_writes_no_query_leaves_the_question_without_one(folder: Path, reply: str) -> None:
    with opened(folder, model=ScriptedModel([reply, reply, reply])) as graph:
        writer = SparqlWriter(graph, "query")
        with pytest.raises(NoSparqlError, match="the model"):
            writer.write("Which coil has the highest density?", 60)


def test_without_a_model_none_can_be_told_to_write(company: Graph) -> None:
    with pytest.raises(PlanError, match="none is set"):
        SparqlWriter(company, "query")
    with pytest.raises(PlanError, match="no way"):
        SparqlWriter(company, "paths")


def test_a_property_graph_is_refused(tmp_path: Path) -> None:
    from askgraph import load_graph

    (tmp_path / "nodes.csv").write_text("id,name,label\n1,Ada,Person\n", encoding="utf-8")
    load_graph([tmp_path / "nodes.csv"], tmp_path / "people.graph")
    with (
        open_graph(tmp_path / "people.graph") as graph,
        pytest.raises(QueryFailedError, match="no RDF graph"),
    ):
        SparqlWriter(graph)


# On an endpoint


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.server(name)) for name in ("oxigraph", "fuseki", "virtuoso")],
)
def test_an_endpoint_is_asked_in_its_own_words(
    name: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    turtle = """
    @prefix : <http://x.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :Ship rdfs:label "ship" . :Person rdfs:label "person" .
    :commands rdfs:label "commands" . :tonnage rdfs:label "tonnage" .
    :dreadnought a :Ship ; rdfs:label "Dreadnought" ; :tonnage 18420 .
    :victory a :Ship ; rdfs:label "Victory" ; :tonnage 3500 .
    :ada a :Person ; rdfs:label "Ada Byron" ; :commands :victory .
    """
    server = request.getfixturevalue(name)
    server.load(turtle)
    settings = Settings.load(save_runs=False, cache_dir=tmp_path)
    with open_graph(server.url.replace("http://", "sparql+http://"), settings=settings) as graph:
        graph.build_index()
        writer = SparqlWriter(graph)
        for question, expected in (
            ("Who commands Victory?", ["http://x.org/ada"]),
            ("Which ship has the highest tonnage?", ["http://x.org/dreadnought"]),
            ("How many ships are there?", ["2"]),
        ):
            reply = server.ask(writer.write(question, 60).query)
            assert reply.status == 200, reply.text
            assert [term["value"] for row in reply.bindings for term in row.values()] == expected
