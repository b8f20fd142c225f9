"""What answers, facts and notes say: figures beside their things, whose a value is, and what a No looked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from askgraph import Graph, Settings, open_graph


def concert_hall() -> Any:
    """Four composers, one of whom has composed nothing; what they are paid stands on the edge."""
    import networkx

    graph = networkx.MultiDiGraph()
    for id, name, age in (
        ("p1", "Ada Moss", 41),
        ("p2", "Theo Lind", 29),
        ("p3", "Ines Roth", 37),
        ("p4", "Karl Egg", 52),
    ):
        graph.add_node(id, label="Composer", name=name, age=age)
    for id, name, length in (("w1", "Dawn", 30), ("w2", "Noon", 45), ("w3", "Dusk", 12), ("w4", "Night", 60)):
        graph.add_node(id, label="Work", name=name, length=length)
    graph.add_node("o1", label="Orchestra", name="City Players")
    for composer, work, year in (
        ("p1", "w1", 2001),
        ("p1", "w2", 2002),
        ("p2", "w3", 2003),
        ("p3", "w4", 2004),
    ):
        graph.add_edge(composer, work, type="COMPOSED", year=year)
    for composer, role, fee in (("p1", "violin", 100), ("p2", "cello", 200)):
        graph.add_edge(composer, "o1", type="PLAYS_IN", role=role, fee=fee)
    return graph


@pytest.fixture(scope="module")
def hall() -> Iterator[Graph]:
    with open_graph(concert_hall(), settings=Settings.load(save_runs=False, embedder="none")) as graph:
        yield graph


def test_a_figure_for_each_stands_in_the_first_line_and_those_without_are_counted(hall):
    answer = hall.ask("How many works did each composer compose?")
    assert answer.text.startswith("Ada Moss: 2, Theo Lind: 1 and Ines Roth: 1.")
    assert [item.text for item in answer.answers] == ["Ada Moss", "Theo Lind", "Ines Roth"]
    assert "Left out, for having none: 1 of the type Composer." in answer.notes


def test_a_sum_for_each_stands_in_the_first_line(hall):
    answer = hall.ask("What is the total length of the works of each composer?")
    assert answer.text.startswith("Ada Moss: 75, Theo Lind: 12 and Ines Roth: 60.")


def test_where_all_have_some_nothing_is_said_to_be_left_out(hall):
    answer = hall.ask("How many composers are there in each orchestra?")
    assert not any("Left out" in note for note in answer.notes)


def test_what_an_edge_has_is_not_said_of_the_node(hall):
    answer = hall.ask("What is the fee of Ada Moss?")
    assert [item.text for item in answer.answers] == ["100"]
    assert [fact.text for fact in answer.facts] == ["Ada Moss — plays in fee: 100"]


def test_the_fact_of_a_no_says_what_was_looked_for(hall):
    answer = hall.ask("Did Theo Lind compose Dawn?")
    assert answer.text.startswith("No")
    (fact,) = answer.facts
    assert fact.text == "the graph has no record of this: Theo Lind where Dawn <-[composed]- Composer"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who is the oldest?", {"Karl Egg"}),
        ("Who is older than 35?", {"Ada Moss", "Ines Roth", "Karl Egg"}),
        ("Is Karl Egg older than Ada Moss?", {"Yes"}),
        ("Is Ada Moss older than Karl Egg?", {"No"}),
    ],
)
def test_who_is_old_is_told_by_the_age_and_not_by_a_year_of_what_they_did(hall, question, expected):
    assert {item.text for item in hall.ask(question).answers} == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which works have a higher length than 40?", {"Noon", "Night"}),
        ("Which works have a length higher than 40?", {"Noon", "Night"}),
        ("Which works have a lower length than 40?", {"Dawn", "Dusk"}),
        ("Which works have a higher length than Dawn?", {"Noon", "Night"}),
    ],
)
def test_what_is_measured_may_stand_between_higher_and_than(hall, question, expected):
    assert {item.text for item in hall.ask(question).answers} == expected


def test_what_must_hold_of_every_one_is_not_answered_by_what_holds_of_some(hall):
    answer = hall.ask("Which composers composed every work?")
    assert answer.abstained
    assert "'every work'" in answer.text
    assert not hall.ask("How many works did every composer compose?").abstained
    assert not hall.ask("Which composers composed a work?").abstained
    assert not hall.ask("I want to write to the composers, give me every composer's age.").abstained
