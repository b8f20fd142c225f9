"""What a question means where the graph says it otherwise: who acts, in whose company, how much; on a
small film archive."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from askgraph import Answer, Graph, Settings, open_graph


def archive() -> Any:
    import networkx

    graph = networkx.MultiDiGraph()
    for id, name, born in (("p1", "Ada Moss", 1960), ("p2", "Theo Lind", 1971), ("p3", "Uma Rao", 1980)):
        graph.add_node(id, label="Person", name=name, birth_year=born)
    for id, name, released, width, height in (
        ("f1", "Salt Roads", date(1999, 5, 1), 40, 30),
        ("f2", "The Glass Ferry", date(2005, 2, 3), 30, 40),
        ("f3", "Small Machines", date(2010, 8, 9), 50, 20),
    ):
        graph.add_node(
            id, label="Film", name=name, publication_date=released, poster_width=width, poster_height=height
        )
    for person, film in (("p1", "f1"), ("p2", "f1"), ("p2", "f2"), ("p3", "f3"), ("p2", "f3")):
        graph.add_edge(person, film, type="ACTED_IN")
    graph.add_edge("p1", "f2", type="DIRECTED")
    return graph


@pytest.fixture(scope="module")
def films(settings: Settings) -> Iterator[Graph]:
    with open_graph(archive(), settings=settings) as graph:
        yield graph


def texts(answer: Answer) -> set[str]:
    return {item.text for item in answer.answers}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("actors who appeared in at least 3 films", {"Theo Lind"}),
        ("Who acted with Ada Moss?", {"Theo Lind"}),
        ("Who has acted in the most films?", {"Theo Lind"}),
        ("earliest publication date of any film", {"1999-05-01"}),
        ("names and publication dates of all films", {"Salt Roads", "The Glass Ferry", "Small Machines"}),
        ("Which films don't have a director?", {"Salt Roads", "Small Machines"}),
        ("Who was born after 1975?", {"Uma Rao"}),
    ],
)
def test_the_question_is_answered_as_it_is_meant(films: Graph, question: str, expected: set[str]) -> None:
    answer = films.ask(question)
    assert texts(answer) == expected, answer


def boxes() -> Any:
    import networkx

    graph = networkx.MultiDiGraph()
    for id, name, width, height in (("b1", "Crate", 40, 30), ("b2", "Pillar", 10, 90), ("b3", "Slab", 80, 5)):
        graph.add_node(id, label="Box", name=name, width=width, height=height)
    return graph


def test_two_sizes_of_one_thing_are_compared(settings: Settings) -> None:
    with open_graph(boxes(), settings=settings) as graph:
        assert texts(graph.ask("Which boxes are wider than they are tall?")) == {"Crate", "Slab"}
        assert texts(graph.ask("Which boxes are taller than they are wide?")) == {"Pillar"}


CLAIMS = """
@prefix i: <http://example.org/insurance/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
i:Claim a owl:Class ; rdfs:label "claim" .
i:LossPayment a owl:Class ; rdfs:label "loss payment" .
i:hasLossPayment a owl:ObjectProperty ; rdfs:label "has loss payment" ; rdfs:domain i:Claim ; rdfs:range i:LossPayment .
i:lossPaymentAmount rdfs:label "loss payment amount" .
i:claimNumber rdfs:label "claim number" .
i:claim-1 a i:Claim ; i:claimNumber 12312701 ; i:hasLossPayment i:amount-1 .
i:claim-2 a i:Claim ; i:claimNumber 12312702 ; i:hasLossPayment i:amount-2 .
i:amount-1 i:lossPaymentAmount 1200 .
i:amount-2 i:lossPaymentAmount 2300 .
"""


def test_an_amount_is_given_and_not_the_node_that_holds_it(settings: Settings, tmp_path: Path) -> None:
    file = tmp_path / "claims.ttl"
    file.write_text(CLAIMS, encoding="utf-8")
    with open_graph(file, settings=settings) as graph:
        assert texts(graph.ask("What is the loss payment of claim 12312701?")) == {"1200"}
        assert texts(graph.ask("How much was the loss payment of claim 12312702?")) == {"2,300"}
