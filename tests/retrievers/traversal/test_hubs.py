"""Nodes with very many edges."""

from __future__ import annotations

from tests.retrievers.traversal.conftest import traverse

from askgraph.retrievers.traversal.template import Template

X = "http://x.org/"


def _hub(members: int) -> str:
    lines = ["@prefix : <http://x.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."]
    lines.append(':country rdfs:label "Utopia" ; :capital :town . :town rdfs:label "Amaurot" .')
    for relation in ("residentOf", "mentions", "visited", "exportsTo", "borders"):
        lines += [f":n{relation}{number} :{relation} :country ." for number in range(members)]
    return "\n".join(lines)


def test_of_a_hub_the_relations_that_fit_are_followed_and_the_others_are_told(open_turtle):
    found = traverse(open_turtle(_hub(2_000)), X + "country", "Who is a resident of Utopia?")
    followed = {item.relation for subgraph in found.subgraphs for item in subgraph.triples}
    assert X + "residentOf" in followed
    assert len(followed & {X + name for name in ("mentions", "visited", "exportsTo", "borders")}) <= 2
    assert any("not followed" in note for note in found.notes)


def test_a_rare_relation_of_a_hub_is_never_crowded_out(open_turtle):
    found = traverse(open_turtle(_hub(2_000)), X + "country", "What is the capital of Utopia?")
    assert found.subgraphs[0].ends == (X + "town",)


def test_what_was_cut_at_a_hub_is_told_with_its_number(open_turtle):
    found = traverse(open_turtle(_hub(2_000)), X + "country", "resident of", max_hops=1)
    assert any("Utopia has" in note and "not all were read" in note for note in found.notes)
    assert all(len(subgraph.instances) <= 100 for subgraph in found.subgraphs)


def test_many_hubs_do_not_make_the_frontier_explode(open_turtle):
    template = Template("mentions visited", (X + "mentions", X + "visited"))
    found = traverse(open_turtle(_hub(2_000)), X + "nmentions0", template)
    assert sum(len(subgraph.triples) for subgraph in found.subgraphs) < 3_000
