"""SPARQL examples in Turtle as questions with right answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from askgraph import Graph, Settings, load_graph, open_graph
from askgraph.core.errors import QuestionsError
from askgraph.evaluation import read_questions
from askgraph.evaluation.gold_answers import gold_of

PREFIXES = """
@prefix ex: <https://sparql.example.org/.well-known/sparql-examples/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix schema: <https://schema.org/> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
DECLARED = """
ex:prefixes sh:declare [ sh:prefix "up" ; sh:namespace "http://x.org/"^^xsd:anyURI ] .
"""
SELECT = '''
ex:2_taxa a sh:SPARQLExecutable, sh:SPARQLSelectExecutable ;
  sh:prefixes ex:prefixes ;
  rdfs:comment "Welche Arten gibt es?"@de , "Which <em>taxa</em> are there &amp; why?"^^rdf:HTML ;
  sh:select """SELECT ?taxon WHERE { ?taxon a up:Taxon }""" ;
  schema:keywords "taxa", "list" ;
  schema:target <https://sparql.example.org/sparql> .
'''
ASK = '''
ex:1_any a sh:SPARQLExecutable, sh:SPARQLAskExecutable ; sh:prefixes ex:prefixes ;
  rdfs:label "Is there a taxon?"@en ; sh:ask """PREFIX up: <http://x.org/> ASK { ?x a up:Taxon }""" .
'''
CONSTRUCT = """
ex:3_all a sh:SPARQLExecutable ; rdfs:comment "Everything"@en ; sh:construct "CONSTRUCT WHERE { ?s ?p ?o }" .
"""


def _written(folder: Path, *parts: str) -> Path:
    file = folder / "examples.ttl"
    file.write_text(PREFIXES + "".join(parts), encoding="utf-8")
    return file


@pytest.fixture
def taxa(tmp_path: Path) -> Graph:
    (tmp_path / "taxa.nt").write_text(
        "<http://x.org/1> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://x.org/Taxon> .\n",
        encoding="utf-8",
    )
    load_graph([tmp_path / "taxa.nt"], tmp_path / "taxa.graph")
    settings = Settings.load(save_runs=False, cache_dir=tmp_path / "cache", embedder="none")
    return open_graph(tmp_path / "taxa.graph", settings=settings)


def test_an_example_is_a_question_with_its_query(tmp_path):
    read = read_questions(_written(tmp_path, DECLARED, SELECT, ASK))
    assert [question.id for question in read.questions] == ["2_taxa", "1_any"]
    first = read.questions[0]
    assert first.text == "Which taxa are there & why?"
    assert first.form == ""  # keywords are topics; the kind of a question is told by its query
    assert first.query is not None
    assert first.query.text.startswith("PREFIX up: <http://x.org/>\nSELECT")


def test_the_wording_of_a_language_is_taken_where_there_is_one(tmp_path):
    read = read_questions(_written(tmp_path, DECLARED, SELECT), language="de")
    assert read.questions[0].text == "Welche Arten gibt es?"


def test_a_prefix_that_the_query_declares_itself_is_not_declared_twice(tmp_path):
    query = read_questions(_written(tmp_path, DECLARED, ASK)).questions[0].query
    assert query is not None
    assert query.text.count("PREFIX") == 1


def test_the_queries_give_the_right_answers(tmp_path, taxa):
    with taxa:
        items = [
            gold_of(question, taxa.store, 30.0).items
            for question in read_questions(_written(tmp_path, DECLARED, SELECT, ASK)).questions
        ]
    assert items[0][0].node == "http://x.org/1"
    assert items[1][0].forms == (True,)


def test_what_has_no_rows_is_left_out_and_said(tmp_path):
    read = read_questions(_written(tmp_path, DECLARED, SELECT, CONSTRUCT))
    assert len(read) == 1
    assert read.format == "SPARQL examples in Turtle (1 of CONSTRUCT or DESCRIBE left out)"


def test_a_folder_of_examples_is_read_whole(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "1.ttl").write_text(PREFIXES + ASK, encoding="utf-8")
    (tmp_path / "2.ttl").write_text(PREFIXES + SELECT, encoding="utf-8")
    (tmp_path / "prefixes.ttl").write_text(PREFIXES + DECLARED, encoding="utf-8")
    read = read_questions(tmp_path)
    assert len(read) == 2
    assert all("PREFIX up:" in question.query.text for question in read.questions if question.query)


def test_prefixes_of_a_blank_node_may_stand_in_another_file(tmp_path):
    example = ASK.replace("ex:prefixes", "_:shared").replace("PREFIX up: <http://x.org/> ", "")
    (tmp_path / "1.ttl").write_text(PREFIXES + example, encoding="utf-8")
    # As the SIB writes them, in the other way to declare a prefix.
    declared = """
    prefix sh: <http://www.w3.org/ns/shacl#>
    prefix xsd: <http://www.w3.org/2001/XMLSchema#>
    _:shared sh:declare _:prefix_up .
    _:prefix_up sh:prefix "up" ; sh:namespace "http://x.org/"^^xsd:anyURI .
    """
    (tmp_path / "prefixes.ttl").write_text(declared, encoding="utf-8")
    query = read_questions(tmp_path).questions[0].query
    assert query is not None
    assert query.text.startswith("PREFIX up: <http://x.org/>\nASK")


def test_two_databases_may_number_their_examples_alike(tmp_path):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        own = PREFIXES.replace("sparql.example.org", f"{folder}.example.org") + ASK
        (tmp_path / folder / "001.ttl").write_text(own, encoding="utf-8")
    (tmp_path / "other.ttl").write_text(PREFIXES + DECLARED + SELECT, encoding="utf-8")
    ids = [question.id for question in read_questions(tmp_path).questions]
    assert ids == [
        "https://one.example.org/.well-known/sparql-examples/1_any",
        "2_taxa",
        "https://two.example.org/.well-known/sparql-examples/1_any",
    ]


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "colour"),
        ("en-US", "color"),
        ("en-gb", "colour"),
        ("de", "Farbe"),
        ("fr", "none"),
        ("DE", "Farbe"),
    ],
)
def test_a_kind_of_the_language_will_do(tmp_path, language, expected):
    wordings = '"Farbe"@de, "none", "colour"@en-GB, "color"@en-us'
    example = f'ex:1 rdfs:comment {wordings} ; sh:select "SELECT * {{ ?s ?p ?o }}" .'
    assert read_questions(_written(tmp_path, example), language=language).questions[0].text == expected


def test_a_description_in_the_ontology_of_the_sib_is_left_out_and_said(tmp_path):
    described = """
    ex:9 rdfs:comment "All of it"@en ;
      <https://purl.expasy.org/sparql-examples/ontology#describe> "DESCRIBE <http://x.org/1>" .
    """
    assert (
        "(1 of CONSTRUCT or DESCRIBE left out)" in read_questions(_written(tmp_path, ASK, described)).format
    )


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        (('ex:1 sh:select "SELECT * WHERE {}" .',), "no question"),
        (('ex:1 sh:select "SELECT * WHERE {}" ', "rdfs:comment"), "not Turtle"),
        ((CONSTRUCT.replace("CONSTRUCT", "construct select"),), "no questions"),
    ],
)
def test_a_file_that_is_at_fault_is_told(tmp_path, parts, said):
    with pytest.raises(QuestionsError, match=said):
        read_questions(_written(tmp_path, *parts))


def test_an_empty_folder_is_told(tmp_path):
    with pytest.raises(QuestionsError, match="no Turtle files"):
        read_questions(tmp_path)
