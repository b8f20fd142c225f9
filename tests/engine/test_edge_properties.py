"""What the edges of a graph say, asked in words: roles, dates, doses; on a small lending library and a clinic."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest

from askgraph import Answer, Graph, Settings, open_graph


def library() -> Any:
    import networkx

    graph = networkx.MultiDiGraph()
    for id, name, born in (("m1", "Per Alm", 1990), ("m2", "Uma Rao", 1985), ("m3", "Leo Berg", 1979)):
        graph.add_node(id, label="Member", name=name, birth_year=born)
    for id, name in (("b1", "The Glass Ferry"), ("b2", "Salt Roads"), ("b3", "Small Machines")):
        graph.add_node(id, label="Book", name=name, pages=100 + 50 * int(id[1]))
    for id, name in (("c1", "Reading Circle"), ("c2", "Night Shift")):
        graph.add_node(id, label="Club", name=name)
    for member, book, day, days in (
        ("m1", "b1", date(2024, 2, 11), 9),
        ("m1", "b2", date(2023, 6, 1), 30),
        ("m2", "b1", date(2024, 5, 2), 14),
        ("m3", "b3", date(2022, 1, 20), 3),
    ):
        graph.add_edge(member, book, type="BORROWED", borrowed_on=day, days=days)
    for member, club, role, since in (
        ("m1", "c1", "treasurer", 2015),
        ("m2", "c1", "chair", 2011),
        ("m3", "c1", "guest", 2020),
        ("m2", "c2", "guest", 2022),
    ):
        graph.add_edge(member, club, type="BELONGS_TO", role=role, since=since)
    return graph


@pytest.fixture(scope="module")
def lending(settings: Settings) -> Iterator[Graph]:
    with open_graph(library(), settings=settings) as graph:
        yield graph


def texts(answer: Answer) -> set[str]:
    return {item.text for item in answer.answers}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        # between two things that are named
        ("When did Per Alm borrow Salt Roads?", {"2023-06-01"}),
        ("What is the role of Uma Rao in the Reading Circle?", {"chair"}),
        ("Since when does Leo Berg belong to the Reading Circle?", {"2020"}),
        ("For how many days did Uma Rao borrow The Glass Ferry?", {"14"}),
        # by a value that the edge has
        ("Who is the treasurer of the Reading Circle?", {"Per Alm"}),
        ("Who chairs the Reading Circle?", {"Uma Rao"}),
        ("Which members belong to a club as guest?", {"Leo Berg", "Uma Rao"}),
        ("How many members belong to the Reading Circle as guests?", {"1"}),
        # by a number or a time
        ("Which books did Per Alm borrow in 2024?", {"The Glass Ferry"}),
        ("Who has belonged to the Reading Circle since before 2016?", {"Per Alm", "Uma Rao"}),
        ("Which books were borrowed for more than 12 days?", {"The Glass Ferry", "Salt Roads"}),
    ],
)
def test_what_edges_say_is_answered(lending: Graph, question: str, expected: set[str]) -> None:
    answer = lending.ask(question)
    assert texts(answer) == expected, answer


def test_what_a_node_has_itself_comes_before_what_its_edges_have(lending: Graph) -> None:
    assert texts(lending.ask("When was Per Alm born?")) == {"1990"}
    assert texts(lending.ask("How many pages does Salt Roads have?")) == {"200"}


def test_the_row_behind_an_answer_shows_what_the_edge_says(lending: Graph) -> None:
    answer = lending.ask("Who chairs the Reading Circle?")
    assert any("role: chair" in fact.text for fact in answer.facts)
    assert "role = chair" in answer.interpretation


def test_a_value_of_edges_is_shown_as_linked(lending: Graph) -> None:
    shown = lending.link("Who is the treasurer of the Reading Circle?")
    named = [mention for mention in shown.mentions if mention.mention.text == "treasurer"]
    assert named
    assert named[0].links[0].kind == "value"
    assert named[0].links[0].types == ("BELONGS_TO",)


@pytest.mark.parametrize(
    "question",
    [
        "Who is the president of the Reading Circle?",
        "When did Leo Berg borrow Salt Roads?",
        "For how many euros did Uma Rao borrow The Glass Ferry?",
    ],
)
def test_what_no_edge_says_is_not_answered(lending: Graph, question: str) -> None:
    assert lending.ask(question).abstained


def votes() -> Any:
    import networkx

    graph = networkx.MultiDiGraph()
    for id, name in (("a", "Agnes Brandt"), ("b", "Otto Faber"), ("c", "Rosa Demir")):
        graph.add_node(id, label="Member", name=name)
    graph.add_node("x", label="Bill", name="Clean Rivers Act", pages=12)
    for member, vote in (("a", "yes"), ("b", "no"), ("c", "abstained")):
        graph.add_edge(member, "x", type="VOTED_ON", vote=vote)
    return graph


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who voted no on the Clean Rivers Act?", {"Otto Faber"}),
        ("who abstained on the Clean Rivers Act", {"Rosa Demir"}),
        ("How did Agnes Brandt vote on the Clean Rivers Act?", {"yes"}),
        ("Did Otto Faber vote yes on the Clean Rivers Act?", {"No"}),
    ],
)
def test_words_that_are_votes_are_no_form(settings: Settings, question: str, expected: set[str]) -> None:
    with open_graph(votes(), settings=settings) as graph:
        assert texts(graph.ask(question)) == expected
