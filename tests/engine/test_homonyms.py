"""Things of one name: the rest of the question decides which is meant, or all of them are said."""

from __future__ import annotations

from collections.abc import Iterator

import networkx
import pytest

from askgraph import Answer, Graph, Settings, open_graph


def homonyms() -> networkx.MultiDiGraph:
    graph = networkx.MultiDiGraph()
    things: list[tuple[str, str, str, dict[str, object]]] = [
        ("c1", "City", "Paris", {"population": 2100000}),
        ("c2", "City", "Paris", {"population": 25000}),
        ("p0", "Person", "Paris", {"phone": "111"}),
        ("co1", "Country", "France", {}),
        ("co2", "Country", "United States", {}),
        ("p1", "Person", "Mary Sterling", {"phone": "222"}),
        ("p2", "Person", "Mary Sterling", {"phone": "333"}),
        ("d1", "Department", "Sales", {}),
        ("d2", "Department", "Research", {}),
        ("b1", "Book", "Tides of Glass", {}),
        ("b2", "Book", "The Silver Orchard", {}),
        ("f", "Film", "Titanic", {"year": 1997}),
        ("s", "Ship", "Titanic", {"length": 269}),
        ("jc", "Person", "James Cameron", {}),
        ("hw", "Company", "Harland Wolff", {}),
    ]
    for id, label, name, properties in things:
        graph.add_node(id, label=label, name=name, **properties)
    edges = [
        ("c1", "co1", "LOCATED_IN"),
        ("c2", "co2", "LOCATED_IN"),
        ("p0", "d2", "WORKS_IN"),
        ("p1", "d1", "WORKS_IN"),
        ("p2", "d2", "WORKS_IN"),
        ("p1", "b1", "WROTE"),
        ("p2", "b2", "WROTE"),
        ("jc", "f", "DIRECTED"),
        ("hw", "s", "BUILT"),
    ]
    for source, target, type in edges:
        graph.add_edge(source, target, type=type)
    return graph


@pytest.fixture(scope="module", params=["none", "minilm"])
def graph(request: pytest.FixtureRequest) -> Iterator[Graph]:
    settings = Settings.load(save_runs=False, embedder=request.param)
    with open_graph(homonyms(), settings=settings) as opened:
        yield opened


def texts(answer: Answer) -> set[str]:
    return {item.text for item in answer.answers}


@pytest.mark.parametrize(
    ("question", "answer", "kind"),
    [
        ("Which department does Paris work in?", "Research", "Person"),
        ("What is the phone of Paris?", "111", "Person"),
        ("Who directed Titanic?", "James Cameron", "Film"),
        ("Who built Titanic?", "Harland Wolff", "Ship"),
        ("Who built the ship Titanic?", "Harland Wolff", "Ship"),
        ("What is the length of the Titanic?", "269", "Ship"),
        ("In which year was the film Titanic made?", "1997", "Film"),
    ],
)
def test_types_and_relations_decide(graph: Graph, question: str, answer: str, kind: str) -> None:
    found = graph.ask(question)
    assert texts(found) == {answer}
    assert any(f"the rest of the question leaves 1 of them ({kind})" in note for note in found.notes)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the population of Paris in France?", "2100000"),
        ("What is the population of Paris, United States?", "25000"),
        ("What is the phone of Mary Sterling of Sales?", "222"),
        ("What is the phone of the Mary Sterling who wrote Tides of Glass?", "222"),
        ("What did Mary Sterling from Research write?", "The Silver Orchard"),
        ("Which department is the Mary Sterling who wrote Tides of Glass in?", "Sales"),
    ],
)
def test_neighbours_decide(graph: Graph, question: str, answer: str) -> None:
    found = graph.ask(question)
    assert texts(found) == {answer}
    assert any("the rest of the question leaves 1 of them" in note for note in found.notes)


@pytest.mark.parametrize(
    ("question", "answers", "note"),
    [
        (
            "What is the phone of Mary Sterling?",
            {"222", "333"},
            "2 things in the graph fit 'Mary Sterling'; all",
        ),
        ("Which department does Mary Sterling work in?", {"Sales", "Research"}, "all were followed"),
        ("What is the population of Paris?", {"2100000", "25000"}, "leaves 2 of them (City)"),
    ],
)
def test_where_nothing_decides_all_are_said(
    graph: Graph, question: str, answers: set[str], note: str
) -> None:
    found = graph.ask(question)
    assert texts(found) == answers
    assert any(note in said for said in found.notes)
