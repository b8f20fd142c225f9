"""Queries as models write them, put right by the graph that they are asked of."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.retrievers.movie_graph import movies

import askgraph
from askgraph.core.errors import QueryRefusedError, QuerySyntaxError
from askgraph.core.settings import Settings
from askgraph.engine import Graph
from askgraph.stores.opening import open_store


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    folder = tmp_path_factory.mktemp("movies")
    settings = Settings.load(
        embedder="none", save_runs=False, cache_dir=folder / "cache", data_dir=folder / "data"
    )
    with askgraph.open_graph(movies(), settings=settings) as opened:
        yield opened


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        pytest.param(
            "MATCH (p:person)-[:actedIn]->(m:Movies) RETURN m.title",
            "MATCH (p:Person)-[:ACTED_IN]->(m:Movie) RETURN m.title",
            id="spelling",
        ),
        pytest.param(
            "MATCH (m:Movie)-[:DIRECTED]->(p:Person) RETURN p.name",
            "MATCH (m:Movie)<-[:DIRECTED]-(p:Person) RETURN p.name",
            id="arrow",
        ),
        pytest.param(
            'MATCH (m)-[:DIRECTED]->(p) WHERE m.title = "You\'ve Got Mail" RETURN p.name',
            'MATCH (m)<-[:DIRECTED]-(p) WHERE m.title = "You\'ve Got Mail" RETURN p.name',
            id="arrow without labels",
        ),
        pytest.param(
            "MATCH (a:Actor)-[:ACTS_IN]->(m:Movie) RETURN a",
            "MATCH (a:Person)-[:ACTED_IN]->(m:Movie) RETURN a",
            id="another form of the verb",
        ),
        pytest.param(
            "MATCH (m:Movie {name: 'sleepless in seattle'}) RETURN m",
            "MATCH (m:Movie {title: 'Sleepless in Seattle'}) RETURN m",
            id="name for title, and its letters",
        ),
        pytest.param(
            "MATCH (p:Person)-[:ACTED_IN]->(m:Movie) WHERE p.released > '1995' RETURN p.name",
            "MATCH (p:Person)-[:ACTED_IN]->(m:Movie) WHERE m.released > 1995 RETURN p.name",
            id="property of the other node, and a number as text",
        ),
        pytest.param(
            "MATCH (p:Person {name: 'Tom Hank'}) RETURN p",
            "MATCH (p:Person {name: 'Tom Hanks'}) RETURN p",
            id="slip of the pen",
        ),
        pytest.param(
            "MATCH (p:Person {name: 'Hanks, Tom'}) RETURN p",
            "MATCH (p:Person {name: 'Tom Hanks'}) RETURN p",
            id="order of words",
        ),
        pytest.param(
            "MATCH (p:Person {name: 'Zoe Kravitz'}) RETURN p",
            "MATCH (p:Person {name: 'Zoë Kravitz'}) RETURN p",
            id="accents",
        ),
        pytest.param(
            "MATCH (c:Company {name: 'JNJ'}) RETURN c",
            "MATCH (c:Company {code: 'JNJ'}) RETURN c",
            id="value of another property",
        ),
        pytest.param(
            "MATCH (c:Company {name: 'the J&J company'}) RETURN c",
            "MATCH (c:Company {name: 'Johnson & Johnson'}) RETURN c",
            id="initials, and words around a name",
        ),
        pytest.param(
            "MATCH (p:Person)-[r:ACTED_IN]->(m) WHERE p.role = 'Joe Fox' RETURN p.name",
            "MATCH (p:Person)-[r:ACTED_IN]->(m) WHERE r.role = 'Joe Fox' RETURN p.name",
            id="property of the relationship",
        ),
        pytest.param(
            "MATCH (m:Movie) WHERE m.title CONTAINS 'polar' RETURN m",
            "MATCH (m:Movie) WHERE toLower(m.title) CONTAINS 'polar' RETURN m",
            id="part in other letters",
        ),
    ],
)
def test_what_is_clearly_meant_is_written(graph: Graph, wrong: str, right: str) -> None:
    correction = graph.correct(wrong)
    assert correction.text == right
    assert correction.changes


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (p:Person {name: 'Tom Hanks'})-[:ACTED_IN]->(m) RETURN m.title // as it is",
        "MATCH (p:Person) WHERE p.born < 1950 RETURN p.name",
        "MATCH (m:Movie) WHERE m.title CONTAINS 'Polar' RETURN m",
        "MATCH (p:Person)-[:ACTED_IN|DIRECTED]-(m) RETURN p.name, m.title",
        "MATCH (p:Person)-[r]-(x) RETURN type(r), x",
        "MATCH (p:Person) WHERE toLower(p.name) = 'tom hanks' RETURN p",
    ],
)
def test_what_the_graph_has_is_left_as_it_is(graph: Graph, query: str) -> None:
    correction = graph.correct(query)
    assert correction.text == query
    assert correction.changes == ()
    assert correction.is_sound


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("MATCH (p:Person) RETURN lower(p.name)", "MATCH (p:Person) RETURN toLower(p.name)"),
        ("MATCH (p:Person) RETURN len(p.name)", "MATCH (p:Person) RETURN size(p.name)"),
        ("MATCH (p:Person) RETURN average(p.born)", "MATCH (p:Person) RETURN avg(p.born)"),
    ],
)
def test_functions_of_other_dialects_get_the_names_of_this_one(graph: Graph, wrong: str, right: str) -> None:
    correction = graph.correct(wrong)
    assert correction.text == right
    assert [change.kind for change in correction.changes] == ["function"]


def test_a_function_without_an_equivalent_is_refused_as_before(graph: Graph) -> None:
    with pytest.raises(QueryRefusedError):
        graph.correct("MATCH (p:Person) RETURN apoc.load.json(p.name)")


def test_what_is_not_clear_is_said_and_left(graph: Graph) -> None:
    correction = graph.correct("MATCH (p:Person {name: 'Buster Keaton'})-[:WON]->(a:Award) RETURN a")
    assert correction.changes == ()
    assert {problem.code for problem in correction.problems} >= {
        "unknown-type",
        "unknown-relation",
        "unknown-value",
    }


def test_values_of_parameters_are_linked(graph: Graph) -> None:
    correction = graph.correct("MATCH (p:Person {name: $who}) RETURN p", {"who": "tom hanks"})
    assert correction.parameters == {"who": "Tom Hanks"}
    assert correction.text == "MATCH (p:Person {name: $who}) RETURN p"


def test_lists_in_parameters_are_linked_item_by_item(graph: Graph) -> None:
    names = ["tom hanks", "Meg Ryan", "Nora Efron"]
    correction = graph.correct("MATCH (p:Person) WHERE p.name IN $names RETURN p", {"names": names})
    assert correction.parameters == {"names": ["Tom Hanks", "Meg Ryan", "Nora Ephron"]}
    unknown = graph.correct("MATCH (p:Person) WHERE p.name IN $names RETURN p", {"names": ["Buster Keaton"]})
    assert unknown.parameters == {"names": ["Buster Keaton"]}
    assert "Buster Keaton" in unknown.problems[0].message


def test_a_corrected_query_runs_and_says_what_was_changed(graph: Graph) -> None:
    result = graph.query("MATCH (m:Movie)-[:directed]->(p:Person) RETURN DISTINCT p.name", correct=True)
    assert [tuple(row) for row in result.rows] == [("Nora Ephron",)]
    assert any("DIRECTED leads from Person to Movie" in note for note in result.notes)


def test_a_value_cannot_break_out_of_its_quotes(graph: Graph) -> None:
    correction = graph.correct('MATCH (m:Movie {title: "you\'ve got mail"}) RETURN m')
    assert correction.text == 'MATCH (m:Movie {title: "You\'ve Got Mail"}) RETURN m'


def test_what_writes_is_refused_and_never_put_right(graph: Graph) -> None:
    with pytest.raises(QueryRefusedError):
        graph.correct("MATCH (p:person) SET p.name = 'x'")
    with pytest.raises(QuerySyntaxError):
        graph.correct("MATCH (p:person RETURN p")


@pytest.fixture(scope="module")
def ck25(tmp_path_factory: pytest.TempPathFactory, ck25_turtle: Path) -> Iterator[Graph]:
    folder = tmp_path_factory.mktemp("ck25")
    settings = Settings.load(
        embedder="none", save_runs=False, cache_dir=folder / "cache", data_dir=folder / "data"
    )
    with askgraph.open_graph(ck25_turtle, settings=settings) as opened:
        yield opened


_PV = "PREFIX pv: <http://ld.company.org/prod-vocab/> "


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        pytest.param(
            _PV + "SELECT ?s WHERE { ?s pv:hasSupplier ?p . ?s a pv:Supplier . ?p a pv:Hardware }",
            _PV + "SELECT ?s WHERE { ?s ^pv:hasSupplier ?p . ?s a pv:Supplier . ?p a pv:Hardware }",
            id="direction",
        ),
        pytest.param(
            _PV + "SELECT ?m WHERE { <http://ld.company.org/prod-instances/empl-Heinrich.Hoch@company.org>"
            " pv:hasManager ?m }",
            _PV + "SELECT ?m WHERE { <http://ld.company.org/prod-instances/empl-Heinrich.Hoch%40company.org>"
            " pv:hasManager ?m }",
            id="characters of an IRI",
        ),
        pytest.param(
            _PV + "SELECT ?m WHERE { pv:DataServicesDepartment pv:responsibleFor ?m }",
            _PV
            + "SELECT ?m WHERE { <http://ld.company.org/prod-instances/dept-41622> pv:responsibleFor ?m }",
            id="an IRI made of a name",
        ),
        pytest.param(
            _PV + 'SELECT ?s WHERE { ?s a pv:Hardware ; pv:width_mm "15" }',
            _PV + "SELECT ?s WHERE { ?s a pv:Hardware ; pv:width_mm 15 }",
            id="a number as text",
        ),
        pytest.param(
            "SELECT ?s WHERE { ?s a <http://example.org/Supplier> }",
            "SELECT ?s WHERE { ?s a <http://ld.company.org/prod-vocab/Supplier> }",
            id="namespace",
        ),
        pytest.param(
            _PV + 'SELECT ?s WHERE { ?s a pv:Employee ; pv:name ?n FILTER(CONTAINS(?n, "sabrina")) }',
            _PV + 'SELECT ?s WHERE { ?s a pv:Employee ; pv:name ?n FILTER(CONTAINS(LCASE(?n), "sabrina")) }',
            id="part in other letters",
        ),
    ],
)
def test_what_sparql_clearly_means_is_written(ck25: Graph, wrong: str, right: str) -> None:
    assert ck25.correct(wrong).text == right


def test_casts_that_sparql_does_not_have_become_those_it_has(ck25: Graph) -> None:
    text = (
        _PV
        + "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> SELECT ?h WHERE { ?h pv:id ?i FILTER(xsd:int(?i) > 5) }"
    )
    assert "xsd:integer(?i) > 5" in ck25.correct(text).text


def test_languages_and_names_of_nodes_are_those_of_the_graph(ck25: Graph) -> None:
    correction = ck25.correct(_PV + 'SELECT ?s WHERE { ?s a pv:Supplier ; pv:country "France"@en }')
    assert "<http://dbpedia.org/resource/France>" in correction.text
    assert ck25.query(correction.text).rows


def test_a_class_that_nodes_only_have_by_its_subclasses_is_asked_for_with_them(ck25: Graph) -> None:
    text = _PV + "SELECT ?p WHERE { ?p a pv:Product }"
    assert not ck25.query(text).rows
    result = ck25.query(text, correct=True)
    assert len(result.rows) == 1_000
    assert any("subclasses" in note for note in result.notes)


def test_initials_of_classes_and_countries_are_read(ck25: Graph) -> None:
    correction = ck25.correct(_PV + "SELECT ?x WHERE { ?x a pv:Bom } ")
    assert "pv:BillOfMaterial" in correction.text
    correction = ck25.correct(_PV + 'SELECT ?s WHERE { ?s pv:country "US" }')
    assert "<http://dbpedia.org/resource/United_States>" in correction.text


def test_a_prefix_that_is_not_declared_is_that_of_the_graph(ck25: Graph) -> None:
    correction = ck25.correct("SELECT ?s WHERE { ?s a :Supplier ; rdfs:label ?n }")
    assert "PREFIX : <http://ld.company.org/prod-vocab/>" in correction.text
    assert "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>" in correction.text
    assert {change.kind for change in correction.changes} == {"prefix"}


def test_a_correction_neither_leads_to_what_is_hidden_nor_tells_of_it(tmp_path: Path) -> None:
    settings = Settings.load(
        embedder="none",
        save_runs=False,
        cache_dir=tmp_path / "cache",
        data_dir=tmp_path / "data",
        hidden_types=("Company",),
        hidden_properties=("tagline",),
    )
    with Graph("movies", open_store(movies()).store, None, settings) as graph:
        for query in (
            "MATCH (c {name: 'Johnson and Johnson'}) RETURN c",
            "MATCH (p:Person {name: 'Johnson & Johnson'}) RETURN p",
            "MATCH (m:Movie {title: 'At odds in life'}) RETURN m",
            "MATCH (c {name: 'J&J'}) RETURN c",
        ):
            correction = graph.correct(query)
            said = repr((correction.text, correction.changes, correction.problems)).replace(query, "")
            assert "Company" not in said
            assert "tagline" not in said
            assert "JNJ" not in said
            assert "Johnson & Johnson" not in said or "Johnson & Johnson" in query
