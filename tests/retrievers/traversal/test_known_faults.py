"""Faults of kinds that other implementations of the same algorithm have been found to have."""

from __future__ import annotations

from tests.retrievers.traversal.conftest import traverse
from tests.retrievers.traversal.test_path_space import CountingEmbedder

from askgraph.core.budget import Budget
from askgraph.core.evidence import Mention
from askgraph.retrievers.seeds import Seed
from askgraph.retrievers.traversal.path_plan import plan_of_subgraph
from askgraph.retrievers.traversal.stopping import hard_limit
from askgraph.retrievers.traversal.template import Template
from askgraph.retrievers.traversal.traversal import PathTraversal

X = "http://x.org/"
PREFIXES = """@prefix : <http://x.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
"""


def test_parallel_edges_have_probabilities_of_their_own(open_turtle):
    graph = open_turtle(PREFIXES + ':ada :admires :bob ; :employs :bob . :ada rdfs:label "Ada" .')
    found = traverse(graph, X + "ada", "Whom does Ada employ?", stopping=hard_limit(5), max_hops=1)
    by_relation = {item.kinds[0].type: item.probability for item in found.subgraphs}
    assert by_relation[X + "employs"] > by_relation[X + "admires"]


def test_a_relation_that_fits_well_does_not_end_the_path(open_turtle):
    graph = open_turtle(
        PREFIXES + ':ada rdfs:label "Ada" ; :wrote :book . :book :printedIn :london . :london :lies :uk .'
    )
    template = Template("Ada wrote", (X + "wrote",))
    found = traverse(graph, X + "ada", template, stopping=hard_limit(10))
    assert X + "london" in {end for item in found.subgraphs for end in item.ends}


def test_a_traversal_embeds_each_relation_once_for_all_its_seeds(open_turtle):
    graph = open_turtle(
        PREFIXES + ':ada rdfs:label "Ada" ; :knows :bob . :bob rdfs:label "Bob" ; :knows :cyd ; :likes :ada .'
    )
    embedder = CountingEmbedder()
    traversal = PathTraversal(graph.store, graph.schema(), embedder)
    for node in graph.store.nodes([X + "ada", X + "bob", X + "cyd"]):
        seed = Seed(Mention("", 0, 0), node.name, 1.0, (node.id,), node.types)
        traversal.subgraphs([seed], Template("who knows whom"), Budget())
    texts = [text for batch in embedder.batches for text in batch]
    assert len(texts) == len(set(texts))
    assert len(embedder.batches) <= 9


def test_values_that_look_like_ids_stay_values(open_turtle):
    digest = "d41d8cd98f00b204e9800998ecf8427e"
    graph = open_turtle(
        PREFIXES + f':file rdfs:label "File" ; :checksum "{digest}" ; :page "http://x.org/ada" .'
    )
    found = traverse(graph, X + "file", "What are checksum and page of the File?", stopping=hard_limit(5))
    values = {item.target_name: item.target for subgraph in found.subgraphs for item in subgraph.triples}
    assert values == {digest: None, "http://x.org/ada": None}


def test_labels_are_the_preferred_ones_and_never_cut(open_turtle):
    graph = open_turtle(
        PREFIXES
        + ':a skos:prefLabel "Dr. Grita D. Tasha: a life"@en , "Grita"@fr ; :wrote :b . :b rdfs:label "St. John. II" .'
    )
    found = traverse(graph, X + "a", "wrote", max_hops=1)
    (triple,) = found.subgraphs[0].triples
    assert triple.in_words() == "Dr. Grita D. Tasha: a life wrote St. John. II"


def test_edges_of_named_graphs_are_followed(tmp_path, plain_settings):
    from askgraph import load_graph, open_graph

    (tmp_path / "g.nq").write_text(
        "<http://x.org/a> <http://x.org/wrote> <http://x.org/b> <http://x.org/graph> .\n", encoding="utf-8"
    )
    load_graph([tmp_path / "g.nq"], tmp_path / "g.graph")
    with open_graph(tmp_path / "g.graph", settings=plain_settings) as graph:
        assert traverse(graph, X + "a", "wrote").subgraphs[0].ends == (X + "b",)


def test_ids_with_signs_of_sparql_in_them_do_no_harm(open_turtle):
    graph = open_turtle(PREFIXES + '<http://x.org/a%22%7D> rdfs:label "A\\" } UNION" ; :wrote :b .')
    found = traverse(graph, "http://x.org/a%22%7D", "wrote", max_hops=1)
    sparql = graph.store.to_sparql(plan_of_subgraph(found.subgraphs[0]))
    assert graph.query(sparql).rows[0][0].id == X + "b"


def test_the_plan_of_a_path_finds_its_ends_again(open_turtle):
    graph = open_turtle(
        PREFIXES + ':p1 :by :ada . :p2 :by :ada ; :cites :p1 ; :year 1843 . :ada rdfs:label "Ada" .'
    )
    for question in ("by Ada", "what cites what is by Ada", "year of what is by Ada"):
        for item in traverse(graph, X + "ada", question, stopping=hard_limit(8)).subgraphs:
            table = graph.store.run(plan_of_subgraph(item))
            found = {row[0] for row in table.rows if row[0] is not None}
            values = {
                triple.value
                for triple in item.triples
                if triple.target is None
                and triple.relation in item.end_properties[:1]
                and triple.source in item.ends
            }
            assert found >= (values or set(item.ends))
