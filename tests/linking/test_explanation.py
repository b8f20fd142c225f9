"""Linking tells what it linked, what else came into question, and why the rest was not linked."""

from __future__ import annotations

import json
from collections.abc import Iterator

import networkx as nx
import pytest

from askgraph import Graph, Settings, open_graph
from askgraph.core.errors import PlanError
from askgraph.core.linked_text import LinkedMention, LinkedText


@pytest.fixture(scope="module")
def library() -> Iterator[Graph]:
    """Books and their authors, two of whom share a name."""
    graph = nx.MultiDiGraph()
    graph.add_node("b1", labels=["Book"], name="The Silver Orchard", genre="novel")
    graph.add_node("b2", labels=["Book"], name="Tides of Glass", genre="travelogue")
    graph.add_node("p1", labels=["Person"], name="Mary Sterling")
    graph.add_node("p2", labels=["Person"], name="Mary Sterling")
    graph.add_node("p3", labels=["Person"], name="Ottokar Brandl")
    graph.add_edge("b1", "p1", key="WRITTEN_BY")
    graph.add_edge("b2", "p3", key="WRITTEN_BY")
    with open_graph(graph, settings=Settings.load(save_runs=False, embedder="none")) as opened:
        yield opened


def mention(linked: LinkedText, text: str) -> LinkedMention:
    return next(item for item in linked.mentions if item.mention.text == text)


def test_a_mention_has_its_link_its_score_and_the_name_that_matched(library: Graph) -> None:
    found = mention(library.link("Who wrote tides of glass?"), "tides of glass")
    (link,) = found.links
    assert (link.kind, link.id, link.name) == ("node", "b2", "Tides of Glass")
    assert link.score == pytest.approx(0.99)
    assert found.reason == ""
    assert [candidate.id for candidate in found.candidates if candidate.chosen] == ["b2"]


def test_a_typo_is_told_by_its_score(library: Graph) -> None:
    (link,) = mention(library.link("Who is Otokar Brandl?"), "Otokar Brandl").links
    assert link.id == "p3"
    assert link.method == "fuzzy"
    assert 0.8 < link.score < 0.97


def test_all_who_share_a_name_are_linked(library: Graph) -> None:
    links = mention(library.link("What did Mary Sterling write?"), "Mary Sterling").links
    assert {link.id for link in links} == {"p1", "p2"}
    assert all(link.alternatives == 1 for link in links)


def test_what_is_not_linked_says_why_and_what_is_nearest(library: Graph) -> None:
    found = mention(library.link("Who is Ottilia Brandis?"), "Ottilia Brandis")
    assert not found.links
    assert "not near enough" in found.reason
    assert found.candidates[0].name == "Ottokar Brandl"
    assert not found.candidates[0].chosen


def test_a_word_in_small_letters_that_names_nothing_is_not_passed_over(library: Graph) -> None:
    found = mention(library.link("Who wrote a zeppelin?"), "zeppelin")
    assert found.reason.startswith("nothing in the graph is called so")


def test_types_properties_and_values_are_linked_too(library: Graph) -> None:
    linked = library.link("Which book is a travelogue by genre?")
    kinds = {item.mention.text: item.links[0].kind for item in linked.mentions if item.links}
    assert kinds["book"] == "node type"
    assert kinds["travelogue"] == "value"
    assert kinds["genre"] == "property"


def test_every_link_is_in_the_order_of_the_text(library: Graph) -> None:
    linked = library.link("Tides of Glass, a book of Ottokar Brandl")
    starts = [link.mention.start for link in linked]
    assert starts == sorted(starts)
    assert len(linked) == len(linked.links) == len(starts)
    assert [item for item in linked.mentions if not item.links] == list(linked.unlinked)


def test_a_text_that_names_nothing_has_no_mentions(library: Graph) -> None:
    assert library.link("What is it?").mentions == ()


def test_it_is_strict_json(library: Graph) -> None:
    data = json.loads(json.dumps(library.link("Did Ottilia Brandis write Tides of Glass?").to_dict()))
    assert data["text"].startswith("Did Ottilia")
    assert {"mention", "links", "candidates", "reason"} == set(data["mentions"][0])


@pytest.mark.parametrize("text", ["", "  ", "\ud800", "x" * 3_000])
def test_what_is_no_text_is_refused(library: Graph, text: str) -> None:
    with pytest.raises(PlanError):
        library.link(text)
