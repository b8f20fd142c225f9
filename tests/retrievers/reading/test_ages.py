"""What is asked of who is old, where the graph has ages and where it has years of birth."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import networkx
import pytest

from askgraph import Graph, Settings, open_graph

AGES = {"Bill Moss": 40, "Jane Lind": 30, "Ada Brook": 50, "Theo Rath": 20}


@pytest.fixture(scope="module", params=["age", "patientAge", "born"])
def people(request: pytest.FixtureRequest) -> Iterator[Graph]:
    graph = networkx.MultiDiGraph()
    for name, age in AGES.items():
        value = 2000 - age if request.param == "born" else age
        graph.add_node(name, label="Person", name=name, salary=age % 7, **{request.param: value})
    with open_graph(graph, settings=Settings.load(save_runs=False, embedder="none")) as opened:
        yield opened


def asked(graph: Graph, question: str) -> set[str]:
    return {item.text for item in graph.ask(question).answers}


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Who is the oldest person?", {"Ada Brook"}),
        ("Who is the youngest person?", {"Theo Rath"}),
        ("Who are the two oldest persons?", {"Ada Brook", "Bill Moss"}),
        ("Which persons are older than Bill Moss?", {"Ada Brook"}),
        ("Which persons are younger than Jane Lind?", {"Theo Rath"}),
        ("Welche person ist älter als Bill Moss?", {"Ada Brook"}),
    ],
)
def test_the_oldest_has_most_years_and_the_least_year_of_birth(
    people: Graph, question: str, answers: set[str]
) -> None:
    assert asked(people, question) == answers


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("Is Ada Brook older than Theo Rath?", "Yes"),
        ("Is Theo Rath older than Ada Brook?", "No"),
        ("Is Theo Rath younger than Ada Brook?", "Yes"),
        ("How much older is Ada Brook than Theo Rath?", "30"),
        ("How much younger is Theo Rath than Ada Brook?", "30"),
    ],
)
def test_two_people_are_compared_by_how_old_they_are(people: Graph, question: str, begins: str) -> None:
    assert people.ask(question).text.startswith(begins)


def test_the_highest_age_is_the_most_years() -> None:
    graph = networkx.MultiDiGraph()
    for name, age in AGES.items():
        graph.add_node(name, label="Person", name=name, age=age)
    with open_graph(graph, settings=Settings.load(save_runs=False, embedder="none")) as people:
        assert asked(people, "Which person has the highest age?") == {"Ada Brook"}
        assert asked(people, "Which person has the lowest age?") == {"Theo Rath"}
        assert asked(people, "Which persons are older than 35?") == {"Ada Brook", "Bill Moss"}
        assert asked(people, "Which persons are younger than 25?") == {"Theo Rath"}
        assert asked(people, "persons older than 35 years") == {"Ada Brook", "Bill Moss"}


@pytest.mark.parametrize("is_date", [False, True])
def test_what_is_older_than_a_year_was_built_before_it(is_date: bool) -> None:
    graph = networkx.MultiDiGraph()
    for name, year in (("Old Mill", 1850), ("Town Hall", 1890), ("Dome", 1999)):
        graph.add_node(
            name, label="Building", name=name, built=date(year, 5, 1) if is_date else year, height=9
        )
    with open_graph(graph, settings=Settings.load(save_runs=False, embedder="none")) as buildings:
        assert asked(buildings, "Which buildings are older than 1900?") == {"Old Mill", "Town Hall"}
        assert asked(buildings, "Which buildings are newer than 1900?") == {"Dome"}
        # How old they are today is not known.
        assert asked(buildings, "Which buildings are older than 35?") == set()
