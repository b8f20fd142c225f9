"""What is the same, by how much two things differ, and what part of some things is so; on a small orchard of facts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest

from askgraph import Answer, Graph, Settings, open_graph


def fleet() -> Any:
    import networkx

    graph = networkx.MultiDiGraph()
    ships = {
        "s1": ("Iron Duke", 120, date(1990, 3, 4), "Panama", 90),
        "s2": ("Salt Wind", 80, date(1990, 9, 30), "Malta", 300),
        "s3": ("Night Heron", 60, date(1997, 3, 4), "Panama", 45),
        "s4": ("Amber Gale", 40, date(2003, 7, 1), "Cyprus", 20),
        "s5": ("Copper Bay", 40, date(2003, 7, 1), "Panama", 20),
    }
    for id, (name, tonnage, built, flag, duration) in ships.items():
        graph.add_node(
            id, label="Ship", name=name, tonnage=tonnage, built=built, flag=flag, crossing_minutes=duration
        )
    for id, name, born in (("c1", "Ada Moss", 1960), ("c2", "Theo Lind", 1971), ("c3", "Luxor", 1971)):
        graph.add_node(id, label="Captain", name=name, birth_year=born)
    for id, name, people in (("h1", "Hull", 260_000), ("h2", "Riga", 600_000), ("h3", "Luxor", 500_000)):
        graph.add_node(id, label="Harbour", name=name, population=people)
    for ship, captain in (("s1", "c1"), ("s2", "c1"), ("s3", "c2"), ("s4", "c2"), ("s5", "c2")):
        graph.add_edge(captain, ship, type="COMMANDS")
    for ship, harbour in (("s1", "h1"), ("s2", "h2"), ("s3", "h1"), ("s4", "h2"), ("s5", "h2")):
        graph.add_edge(ship, harbour, type="HOME_PORT")
    return graph


@pytest.fixture(scope="module")
def ships(settings: Settings) -> Iterator[Graph]:
    with open_graph(fleet(), settings=settings) as graph:
        yield graph


def texts(answer: Answer) -> set[str]:
    return {item.text for item in answer.answers}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        # the same value, never that of the thing itself
        ("Which ships have the same flag as Iron Duke?", {"Night Heron", "Copper Bay"}),
        ("Which ships were built on the same day as Amber Gale?", {"Copper Bay"}),
        ("Which ships were built in the same year as Iron Duke?", {"Salt Wind"}),
        ("Who shares a birth year with Theo Lind?", {"Luxor"}),
        ("How many ships have the same tonnage as Amber Gale?", {"1"}),
        # the same neighbour
        ("Which ships have the same home port as Iron Duke?", {"Night Heron"}),
        # by how much
        ("How much larger is the tonnage of Iron Duke than that of Salt Wind?", {"40"}),
        ("How many more people live in Riga than in Hull?", {"340,000"}),
        ("What is the difference in tonnage between Amber Gale and Iron Duke?", {"80"}),
        ("How many more ships does Theo Lind command than Ada Moss?", {"1"}),
        # what part
        ("What share of the ships have the flag Panama?", {"0.6"}),
        ("What percentage of ships have their home port in Hull?", {"40"}),
        ("top 40% of the ships by tonnage", {"Iron Duke", "Salt Wind"}),
        # numbers in other units, and how many of something there are
        ("Which ships have a crossing of more than 4 hours?", {"Salt Wind"}),
        ("How long is the crossing of Night Heron?", {"45"}),
        ("captains with 3 ships", {"Theo Lind"}),
    ],
)
def test_what_the_question_compares_is_compared(ships: Graph, question: str, expected: set[str]) -> None:
    answer = ships.ask(question)
    assert texts(answer) == expected, answer


def test_the_answer_says_of_how_many_a_share_is(ships: Graph) -> None:
    assert any("3 of 5" in note for note in ships.ask("What share of the ships have the flag Panama?").notes)


def test_things_of_one_name_are_both_described(ships: Graph) -> None:
    told = texts(ships.ask("Tell me about Luxor"))
    assert {"1971", "500000"} <= {text.replace(",", "") for text in told}


@pytest.mark.parametrize(
    "question",
    [
        "How much heavier is Iron Duke than Riga?",
        "What share of the ships of Ada Moss have the flag Panama?",
        "Which ships have the same owner as Iron Duke?",
    ],
)
def test_what_cannot_be_compared_is_not_answered(ships: Graph, question: str) -> None:
    assert ships.ask(question).abstained
