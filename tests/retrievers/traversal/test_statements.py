"""Statements about statements: what is written over an intermediate node is read as one step."""

from __future__ import annotations

from tests.retrievers.traversal.conftest import traverse

from askgraph.core.run import Run
from askgraph.retrievers.traversal.retriever import PathRetriever
from askgraph.retrievers.traversal.stopping import hard_limit
from askgraph.retrievers.traversal.template import Template

WIKIDATA = """
@prefix wd: <http://www.wikidata.org/entity/> . @prefix wds: <http://www.wikidata.org/entity/statement/> .
@prefix p: <http://www.wikidata.org/prop/> . @prefix ps: <http://www.wikidata.org/prop/statement/> .
@prefix pq: <http://www.wikidata.org/prop/qualifier/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
wd:Q1 rdfs:label "Ada Lovelace"@en ; p:P39 wds:Q1-a , wds:Q1-b .
wds:Q1-a ps:P39 wd:Q10 ; pq:P580 "1843-01-01"^^xsd:date ; pq:P1365 wd:Q2 .
wds:Q1-b ps:P39 wd:Q11 ; pq:P580 "1850-01-01"^^xsd:date .
wd:Q2 rdfs:label "Bob Babbage"@en .
wd:Q10 rdfs:label "royal programmer"@en . wd:Q11 rdfs:label "mayor"@en .
wd:P39 rdfs:label "position held"@en . wd:P580 rdfs:label "start time"@en . wd:P1365 rdfs:label "replaces"@en .
"""
WD = "http://www.wikidata.org/entity/"
X = "http://x.org/"


def _facts(graph, found):
    retriever = PathRetriever(graph.store, graph.schema(), None)
    return [fact.text for fact in retriever.facts(found.subgraphs)]


def test_a_statement_of_wikidata_is_one_step(open_turtle):
    found = traverse(open_turtle(WIKIDATA), WD + "Q1", "Which position did Ada Lovelace hold?", max_hops=1)
    ends = {end for subgraph in found.subgraphs for end in subgraph.ends}
    assert {WD + "Q10", WD + "Q11"} <= ends
    assert max(subgraph.depth for subgraph in found.subgraphs) == 1


def test_relations_whose_ids_are_codes_are_called_by_their_labels(open_turtle):
    found = traverse(open_turtle(WIKIDATA), WD + "Q1", "Which position did Ada Lovelace hold?")
    assert found.subgraphs[0].path == "Ada Lovelace -position held-> -position held->"


def test_qualifiers_stand_with_their_statement(open_turtle):
    graph = open_turtle(WIKIDATA)
    facts = _facts(graph, traverse(graph, WD + "Q1", "Which position did Ada Lovelace hold?", max_hops=1))
    assert "Ada Lovelace position held royal programmer (start time 1843-01-01)" in facts
    assert "Ada Lovelace position held mayor (start time 1850-01-01)" in facts


def test_a_qualifier_that_is_a_node_can_be_what_is_asked_for(open_turtle):
    found = traverse(open_turtle(WIKIDATA), WD + "Q1", "Whom does Ada Lovelace replace?", max_hops=1)
    assert any(subgraph.ends == (WD + "Q2",) for subgraph in found.subgraphs)


def test_a_blank_node_is_passed_through(open_turtle):
    graph = open_turtle(
        """@prefix : <http://x.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        :shop rdfs:label "Shop" ; :address [ :city :rome ; :street "Via Appia 1" ] . :rome rdfs:label "Rome" ."""
    )
    found = traverse(graph, X + "shop", "In which city is the address of the Shop?", max_hops=1)
    assert found.subgraphs[0].ends == (X + "rome",)
    assert "Shop address city Rome (street Via Appia 1)" in _facts(graph, found)


def test_a_node_of_a_type_without_names_joins_what_it_stands_between(open_turtle):
    graph = open_turtle(
        """@prefix : <http://x.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        :e1 a :Employment ; :employee :ada ; :employer :acme ; :since 1843 .
        :e2 a :Employment ; :employee :bob ; :employer :acme ; :since 1850 .
        :ada a :Person ; rdfs:label "Ada" . :bob a :Person ; rdfs:label "Bob" .
        :acme a :Company ; rdfs:label "Acme" ."""
    )
    found = traverse(graph, X + "ada", "Who is the employer of Ada?", max_hops=1)
    best = found.subgraphs[0]
    assert (best.ends, best.depth) == ((X + "acme",), 1)
    assert "Ada employer Acme (since 1843)" in _facts(graph, found)


def test_a_reified_statement_is_passed_through(open_turtle):
    graph = open_turtle(
        """@prefix : <http://x.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
        :s1 a rdf:Statement ; rdf:subject :ada ; rdf:predicate :knows ; rdf:object :bob ; :since 1843 .
        :ada rdfs:label "Ada" . :bob rdfs:label "Bob" ."""
    )
    found = traverse(graph, X + "ada", "whom does Ada know", stopping=hard_limit(10), max_hops=1)
    assert any(X + "bob" in subgraph.ends for subgraph in found.subgraphs)


def test_what_rdf_12_says_of_a_triple_is_told_with_it(open_turtle):
    graph = open_turtle(
        """@prefix : <http://x.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        :ada rdfs:label "Ada" . :acme rdfs:label "Acme" .
        :ada :worksFor :acme {| :since 1843 |} ."""
    )
    found = traverse(graph, X + "ada", "whom does Ada work for", max_hops=1)
    assert "Ada works for Acme (since 1843)" in _facts(graph, found)


def test_properties_of_an_edge_are_told_and_provenance_stands_apart(open_networkx):
    import networkx

    content = networkx.MultiDiGraph()
    content.add_node("p1", label="Person", name="Ada")
    content.add_node("c1", label="Company", name="Acme")
    content.add_edge("p1", "c1", type="WORKS_FOR", since=1843, source="ledger 7")
    graph = open_networkx(content)
    found = traverse(graph, "p1", "whom does Ada work for", max_hops=1)
    (fact,) = PathRetriever(graph.store, graph.schema(), None).facts(found.subgraphs)
    assert fact.text == "Ada works for Acme (since 1843)"
    assert dict(fact.provenance) == {"source": "ledger 7"}


def test_a_template_may_name_relations(open_turtle):
    template = Template("office", ("http://www.wikidata.org/prop/P39",))
    found = traverse(open_turtle(WIKIDATA), WD + "Q1", template)
    assert "position held" in found.subgraphs[0].path


def test_the_retriever_tells_a_run_what_it_did(open_turtle):
    graph = open_turtle(WIKIDATA)
    from askgraph.core.progress import SILENT

    run = Run("Which position did Ada Lovelace hold?", graph="x", graph_version="1")
    linked = graph._link(run.question, run, SILENT)
    from askgraph.core.budget import Budget

    evidence = PathRetriever(graph.store, graph.schema(), None).retrieve(linked, Budget(), run)
    assert any("royal programmer" in fact.text for fact in evidence.facts)
    assert [fact.score for fact in evidence.facts] == sorted(
        (fact.score for fact in evidence.facts), reverse=True
    )
    step = next(step for step in run.steps if step.name == "paths")
    assert step.details["template"] == run.question
    assert step.details["subgraphs"][0]["probability"] == round(evidence.facts[0].score, 4)
