"""The same paths on every server as embedded: the triples, the answers, and what statements say."""

from __future__ import annotations

import pytest
from tests.retrievers.traversal.conftest import traverse
from tests.retrievers.traversal.test_statements import WD, WIKIDATA, X
from tests.stores.sparql.support import ENGINES, address_of

from askgraph import Settings, open_graph
from askgraph.core.evidence import Mention
from askgraph.retrievers.seeds import Seed
from askgraph.retrievers.traversal.retriever import PathRetriever
from askgraph.retrievers.traversal.stopping import hard_limit
from askgraph.retrievers.traversal.template import Template
from askgraph.retrievers.traversal.traversal import PathTraversal

SERVERS = [pytest.param(name, marks=pytest.mark.server(name)) for name in ENGINES]

COMPANY = """
@prefix : <http://x.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:ada a :Person ; rdfs:label "Ada"@en ; :memberOf :sales ; :salary 4.0 , 12.50 .
:bob a :Person ; rdfs:label "Bob"@en ; :memberOf :sales ; :reportsTo :ada ; :born "1990-02-01"^^xsd:date .
:cho a :Person ; rdfs:label "Cho"@en ; :memberOf :research ; :reportsTo :ada ; :active true .
:sales a :Department ; rdfs:label "Sales"@en ; :locatedIn :rome .
:research a :Department ; rdfs:label "Research"@en ; :locatedIn :oslo .
:rome a :City ; rdfs:label "Rome"@en ; :population 2800000 . :oslo a :City ; rdfs:label "Oslo"@en ; :population 700000 .
:e1 a :Employment ; :employee :ada ; :employer :acme ; :since 1843 .
:e2 a :Employment ; :employee :bob ; :employer :acme ; :since 1850 .
:acme a :Company ; rdfs:label "Acme"@en .
"""
ANNOTATED = """
@prefix : <http://x.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:ada a :Person ; rdfs:label "Ada" . :acme a :Company ; rdfs:label "Acme" .
:ada :worksFor :acme {| :since 1843 ; :role "programmer" , "clerk" |} .
"""
# Node, question, and what one of the best paths leads to. Which is first words alone, without an embedder, do not tell.
QUESTIONS: tuple[tuple[str, str, set[str]], ...] = (
    ("ada", "Who reports to Ada?", {X + "bob", X + "cho"}),
    ("bob", "In which city is Bob's department located?", {X + "rome"}),
    ("ada", "What is the salary of Ada?", set()),
    ("acme", "Who is employed by Acme?", {X + "ada", X + "bob"}),
    ("oslo", "Which people work in a department located in Oslo?", {X + "cho"}),
)


@pytest.fixture
def served(request, tmp_path):
    """Opens a graph on the server of that name, with other content than anybody else's."""
    opened = []

    def open_on(name, turtle):
        server = request.getfixturevalue(name)
        server.load(turtle)
        settings = Settings.load(save_runs=False, embedder="none", cache_dir=tmp_path / "cache")
        opened.append(open_graph(address_of(server), settings=settings))
        return opened[-1]

    yield open_on
    for graph in opened:
        graph.close()


def _subgraphs(graph, node, question):
    seeds = [
        Seed(Mention("", 0, 0), item.name, 1.0, (item.id,), item.types)
        for item in graph.store.nodes([X + node])
    ]
    traversal = PathTraversal(graph.store, graph.schema(), None)
    return traversal.subgraphs(seeds, Template(question), graph.settings.budget(), stopping=hard_limit(8))


@pytest.mark.parametrize("name", SERVERS)
def test_a_server_gives_the_triples_and_paths_that_the_embedded_graph_gives(name, served, open_turtle):
    embedded, there = open_turtle(COMPANY), served(name, COMPANY)
    for node, question, ends in QUESTIONS:
        here, theirs = _subgraphs(embedded, node, question), _subgraphs(there, node, question)
        keys = [
            {triple.key for item in found.subgraphs for triple in item.triples} for found in (here, theirs)
        ]
        assert keys[0] == keys[1], question
        assert [item.path for item in here.subgraphs] == [item.path for item in theirs.subgraphs]
        probabilities = [[round(item.probability, 4) for item in found.subgraphs] for found in (here, theirs)]
        assert probabilities[0] == probabilities[1]
        assert any(ends <= set(item.ends) for item in here.subgraphs[:3])
        # Two a hop, one more where it leads through statements, and one for names and values in the end.
        assert theirs.round_trips <= 3 * theirs.hops + 1


@pytest.mark.parametrize("name", SERVERS)
def test_statements_of_wikidata_and_n_ary_nodes_are_one_step_on_a_server(name, served):
    graph = served(name, WIKIDATA)
    found = traverse(graph, WD + "Q1", "Which position did Ada Lovelace hold?", max_hops=1)
    assert {WD + "Q10", WD + "Q11"} <= set(found.subgraphs[0].ends)
    facts = [fact.text for fact in PathRetriever(graph.store, graph.schema(), None).facts(found.subgraphs)]
    assert any("position held royal programmer" in text and "start time 1843-01-01" in text for text in facts)
    company = served(name, COMPANY)
    found = traverse(company, X + "ada", "Who is the employer of Ada?", max_hops=1)
    assert (found.subgraphs[0].ends, found.subgraphs[0].depth) == ((X + "acme",), 1)


@pytest.mark.parametrize("name", SERVERS[:2])
def test_what_rdf_12_says_of_a_triple_on_a_server_is_told_with_it(name, served):
    graph = served(name, ANNOTATED)
    found = traverse(graph, X + "ada", "whom does Ada work for", max_hops=1)
    facts = [fact.text for fact in PathRetriever(graph.store, graph.schema(), None).facts(found.subgraphs)]
    assert any(
        text.startswith("Ada works for Acme (") and "since 1843" in text and "clerk" in text for text in facts
    )
    (edge,) = graph.store.edges([f"{X}ada|{X}worksFor|{X}acme"])
    assert edge.properties[X + "since"] == 1843
    assert sorted(edge.properties[X + "role"]) == ["clerk", "programmer"]


@pytest.mark.parametrize("name", SERVERS)
def test_a_graph_that_says_nothing_of_triples_is_not_asked_what_it_says(name, served):
    graph = served(name, COMPANY)
    graph.schema()
    assert not graph.store.capabilities.edge_properties
    (edge,) = graph.store.edges([f"{X}bob|{X}reportsTo|{X}ada"])
    assert edge.properties == {}
