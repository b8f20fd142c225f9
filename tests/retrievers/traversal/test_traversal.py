"""What is found around a node, and what is not."""

from __future__ import annotations

import pytest
from tests.retrievers.traversal.conftest import traverse, triples_of

from askgraph.core.budget import Budget
from askgraph.core.errors import DeadlineExceededError
from askgraph.retrievers.traversal.stopping import AdaptiveStopping, hard_limit
from askgraph.retrievers.traversal.template import Template

LIBRARY = """
@prefix : <http://x.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:p1 a :Paper ; rdfs:label "On Engines" ; :writtenBy :ada , :bob ; :year 1843 ; :cites :p2 .
:p2 a :Paper ; rdfs:label "On Looms" ; :writtenBy :bob ; :year 1801 .
:ada a :Person ; rdfs:label "Ada D. Lovelace" ; :bornIn :london .
:bob a :Person ; rdfs:label "Bob Babbage" ; :bornIn :london .
:london a :City ; rdfs:label "London" ; :motto "Domine dirige nos"@la .
"""
X = "http://x.org/"


def test_edges_are_followed_against_their_direction(open_turtle):
    found = traverse(open_turtle(LIBRARY), X + "ada", "papers written by Ada D. Lovelace")
    assert ("On Engines", "written by", "Ada D. Lovelace") in triples_of(found)


def test_the_most_probable_subgraph_comes_first_and_says_which_path_it_is(open_turtle):
    found = traverse(open_turtle(LIBRARY), X + "ada", "In which city was Ada D. Lovelace born in?")
    first = found.subgraphs[0]
    assert first.path == "Ada D. Lovelace -born in->"
    assert [item.probability for item in found.subgraphs] == sorted(
        (item.probability for item in found.subgraphs), reverse=True
    )
    assert all(1 / 2.72 <= item.probability <= 2.72 for item in found.subgraphs)


def test_two_steps_in_two_directions_lead_to_the_coauthor(open_turtle):
    template = Template("written by, written by", (X + "writtenBy",))
    found = traverse(open_turtle(LIBRARY), X + "ada", template)
    assert any(X + "bob" in item.ends for item in found.subgraphs)


def test_literals_are_ends_with_their_values(open_turtle):
    found = traverse(open_turtle(LIBRARY), X + "p1", "What is the year of On Engines?")
    (triple,) = [
        item for subgraph in found.subgraphs for item in subgraph.triples if item.relation == X + "year"
    ][:1]
    assert triple.value == 1843
    assert triple.target is None
    assert ("On Engines", "year", "1843") in triples_of(found)


def test_a_value_at_the_end_of_a_path_comes_with_the_path(open_turtle):
    found = traverse(
        open_turtle(LIBRARY), X + "ada", "What is the motto of the city where Ada D. Lovelace was born in?"
    )
    best = found.subgraphs[0]
    assert best.ends == (X + "london",)
    assert any(item.relation == X + "motto" for item in best.triples)


def test_no_path_goes_round_in_a_circle(open_turtle):
    ring = """@prefix : <http://x.org/> . :a :next :b . :b :next :c . :c :next :a ."""
    found = traverse(open_turtle(ring), X + "a", "next next next", stopping=hard_limit(15), max_hops=6)
    for subgraph in found.subgraphs:
        for instance in subgraph.instances:
            assert len(set(instance.nodes)) == len(instance.nodes)


def test_a_node_reached_by_two_ways_is_followed_though_one_of_them_passed_there(open_turtle):
    diamond = """@prefix : <http://x.org/> .
    :a :to :b , :c . :b :on :d . :c :on :d . :d :then :b . :b :last :e ."""
    found = traverse(
        open_turtle(diamond), X + "a", Template("to on then last"), stopping=hard_limit(15), max_hops=4
    )
    ways = {instance.nodes for item in found.subgraphs for instance in item.instances}
    assert tuple(X + name for name in "acdbe") in ways
    assert all(len(set(way)) == len(way) for way in ways)


def test_what_a_more_probable_subgraph_contains_is_not_given_twice(open_turtle):
    found = traverse(open_turtle(LIBRARY), X + "ada", "written by year", stopping=hard_limit(15))
    contents = [frozenset(item.key for item in subgraph.triples) for subgraph in found.subgraphs]
    assert len(contents) > 3
    for place, content in enumerate(contents):
        assert not any(content <= other for other in contents[:place])


def test_never_more_subgraphs_than_allowed(open_turtle):
    found = traverse(open_turtle(LIBRARY), X + "bob", "anything", stopping=AdaptiveStopping(1, 2, 0.0, 0.0))
    assert len(found.subgraphs) == 2
    assert any("most allowed" in note for note in found.notes)


def test_an_absolute_threshold_keeps_what_is_unlike_the_template_out(open_turtle):
    rule = AdaptiveStopping(1, 15, 0.0, 1.5)
    found = traverse(open_turtle(LIBRARY), X + "ada", "born in", stopping=rule, max_hops=1)
    assert [item.path for item in found.subgraphs] == ["Ada D. Lovelace -born in->"]


def test_the_same_question_gives_the_same_subgraphs(open_turtle):
    graph = open_turtle(LIBRARY)
    runs = [traverse(graph, X + "bob", "which papers cite what Bob wrote") for _ in range(2)]
    first, second = ([item.to_dict() for item in run.subgraphs] for run in runs)
    assert first == second


def test_paths_that_meet_another_seed_come_first(open_turtle):
    found = traverse(
        open_turtle(LIBRARY), [X + "ada", X + "bob"], "Did Ada D. Lovelace and Bob Babbage write a paper?"
    )
    assert {X + "ada", X + "bob"} <= {*found.subgraphs[0].seed, *found.subgraphs[0].ends}


def test_a_seed_that_the_graph_lacks_finds_nothing(open_turtle):
    graph = open_turtle(LIBRARY)
    from askgraph.core.evidence import Mention
    from askgraph.retrievers.seeds import Seed
    from askgraph.retrievers.traversal.traversal import PathTraversal

    traversal = PathTraversal(graph.store, graph.schema(), None)
    seed = Seed(Mention("", 0, 0), "Nobody", 1.0, (X + "nobody",), ())
    assert traversal.subgraphs([seed], Template("written by"), Budget()).subgraphs == ()
    assert traversal.subgraphs([], Template("written by"), Budget()).subgraphs == ()


def test_time_that_is_up_before_anything_was_found_is_an_error(open_turtle):
    with pytest.raises(DeadlineExceededError):
        traverse(open_turtle(LIBRARY), X + "ada", "born in", budget=Budget(seconds=0))


def test_all_open_paths_of_a_hop_are_followed_with_two_questions_to_the_graph(open_turtle):
    found = traverse(
        open_turtle(LIBRARY), [X + "ada", X + "bob"], "written by cites year", stopping=hard_limit(15)
    )
    # One more reads the names and values of everything that was collected.
    assert found.round_trips <= 2 * found.hops + 1


def test_property_graphs_are_traversed_too(open_networkx):
    import networkx

    graph = networkx.MultiDiGraph()
    graph.add_node("p1", label="Employee", name="Ada Lovelace")
    graph.add_node("d1", label="Department", name="Engines")
    graph.add_node("a", label="Product", name="Difference Engine", price=120.5)
    graph.add_edge("p1", "d1", type="MEMBER_OF")
    graph.add_edge("d1", "a", type="RESPONSIBLE_FOR")
    found = traverse(
        open_networkx(graph), "p1", "What is the price of what Ada Lovelace's department is responsible for?"
    )
    best = found.subgraphs[0]
    assert best.ends == ("a",)
    assert any(item.value == 120.5 for item in best.triples)
    assert all(item.edge for item in best.triples if item.target is not None)
    assert {edge.id for edge in open_networkx(graph).store.edges()} >= {
        item.edge for item in best.triples if item.target is not None
    }
