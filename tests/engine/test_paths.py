"""Questions that need more than one edge, or that state or deny one: in whatever words, the right path is followed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from askgraph import Answer, Graph, Settings, open_graph


def school() -> object:
    """Teachers, courses and rooms; a course may require another, and one teacher advises another."""
    import networkx

    graph = networkx.MultiDiGraph()
    teachers = {"t1": "Ada Moor", "t2": "Bruno Falk", "t3": "Cora Lind", "t4": "Dov Stern"}
    courses = {"c1": "Optics", "c2": "Algebra", "c3": "Heat Theory", "c4": "Logic"}
    halls = {"h1": "Birch Hall", "h2": "Cedar Hall", "h3": "Aspen Hall"}
    for nodes, label in ((teachers, "Teacher"), (courses, "Course"), (halls, "Hall")):
        for id, name in nodes.items():
            graph.add_node(id, label=label, name=name)
    edges = {
        "TEACHES": [("t1", "c1"), ("t1", "c2"), ("t2", "c2"), ("t3", "c3"), ("t4", "c4")],
        "HAS_PREREQUISITE": [("c1", "c2"), ("c3", "c1"), ("c2", "c4")],
        "LOCATED_IN": [("c1", "h1"), ("c2", "h2"), ("c3", "h1")],
        "ADVISES": [("t1", "t2"), ("t2", "t3")],
    }
    for type, pairs in edges.items():
        for source, target in pairs:
            graph.add_edge(source, target, type=type)
    graph.add_node("t9", label="Teacher", name="Zoe Alder")
    return graph


@pytest.fixture(scope="module")
def courses(settings: Settings) -> Iterator[Graph]:
    with open_graph(school(), settings=settings) as graph:
        yield graph


def texts(answer: Answer) -> set[str]:
    return {item.text for item in answer.answers}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        # a relation whose ends are of one type, on the first hop and beyond it
        ("What are the prerequisites of Optics?", {"Algebra"}),
        ("Which course is Optics a prerequisite of?", {"Heat Theory"}),
        ("Who advises Bruno Falk?", {"Ada Moor"}),
        ("Whom does Bruno Falk advise?", {"Cora Lind"}),
        ("By whom is Cora Lind advised?", {"Bruno Falk"}),
        ("Who teaches the prerequisites of Optics?", {"Ada Moor", "Bruno Falk"}),
        ("What are the prerequisites of the courses that Cora Lind teaches?", {"Optics"}),
        # what a question goes beyond is not what it asks for
        ("What is the prerequisite of Optics located in?", {"Cedar Hall"}),
        # what is shared, without the one that it is shared with
        ("Which teachers teach the same course as Bruno Falk?", {"Ada Moor"}),
        ("Which courses share a hall with Optics?", {"Heat Theory"}),
        ("Which courses do Ada Moor and Bruno Falk teach together?", {"Algebra"}),
        # what stands beside each of them, over whatever edges
        ("What do Optics and Logic have in common?", {"Algebra"}),
        ("How are Dov Stern and Algebra connected?", {"Logic"}),
    ],
)
def test_the_right_path_is_followed(courses: Graph, question: str, expected: set[str]) -> None:
    assert texts(courses.ask(question)) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Does Ada Moor teach Optics?", "Yes"),
        ("Does Bruno Falk teach Optics?", "No"),
        ("Is Optics located in Birch Hall?", "Yes"),
        ("Is Optics located in Cedar Hall?", "No"),
        ("Is Optics located in Aspen Hall?", "No"),  # nothing is there
        ("Is Algebra in Cedar Hall?", "Yes"),  # only one relation joins a course and a hall
        ("Is Logic in Cedar Hall?", "No"),  # it is nowhere
        ("Is Algebra a prerequisite of Optics?", "Yes"),
        ("Is Optics a prerequisite of Algebra?", "No"),
        ("Does Ada Moor advise Bruno Falk?", "Yes"),
        ("Does Bruno Falk advise Ada Moor?", "No"),
        ("Is Bruno Falk advised by Ada Moor?", "Yes"),
        ("Is there a course by Dov Stern?", "Yes"),
        ("Is Ada Moor a teacher?", "Yes"),
        ("Is Ada Moor a course?", "No"),
        ("Is Cora Lind connected to Cedar Hall?", "Yes"),
        ("Is Zoe Alder connected to Cedar Hall?", "No"),
    ],
)
def test_a_statement_is_true_or_false(courses: Graph, question: str, expected: str) -> None:
    assert texts(courses.ask(question)) == {expected}


def test_a_connection_is_shown_edge_by_edge(courses: Graph) -> None:
    answer = courses.ask("Is Cora Lind connected to Cedar Hall?")
    path = next(fact.path for fact in answer.facts if fact.path is not None)
    assert path.start_name == "Cora Lind"
    assert path.hops[-1].target_name == "Cedar Hall"
    assert all(hop.edge and hop.label for hop in path.hops)


def test_what_is_common_is_shown_by_the_edges_that_there_are(courses: Graph) -> None:
    answer = courses.ask("What do Optics and Logic have in common?")
    said = {fact.text.lower() for fact in answer.facts}
    assert "optics has prerequisite algebra" in said
    assert "algebra has prerequisite logic" in said


def test_nobody_says_no_where_a_hub_was_cut(settings: Settings) -> None:
    import networkx

    graph = networkx.MultiDiGraph()
    graph.add_node("a", label="Stop", name="Aldgate")
    graph.add_node("z", label="Stop", name="Zenith")
    for number in range(40):
        graph.add_node(f"s{number}", label="Stop", name=f"Halt {number:03}")
        graph.add_edge("a", f"s{number}", type="LINE")
    graph.add_edge("s39", "z", type="LINE")
    graph.add_edge("z", "a0", type="LINE")
    graph.add_node("a0", label="Stop", name="Barbican")
    for number in range(100, 140):
        graph.add_node(f"s{number}", label="Stop", name=f"Halt {number:03}")
        graph.add_edge("z", f"s{number}", type="LINE")
    narrow = settings.model_copy(update={"fan_out": 5})
    with open_graph(graph, settings=narrow) as cut:
        assert texts(cut.ask("Is Aldgate connected to Zenith?")) != {"No"}
    with open_graph(graph, settings=settings) as whole:
        assert texts(whole.ask("Is Aldgate connected to Zenith?")) == {"Yes"}


def test_conditions_that_nothing_meets_are_not_exchanged_for_others(courses: Graph) -> None:
    answer = courses.ask("Which courses do Bruno Falk and Dov Stern teach?")
    assert answer.abstained
    assert answer.sentences[0].text == "No node of the graph meets every condition."


def test_a_type_named_on_the_way_is_kept_to(settings: Settings) -> None:
    import networkx

    graph = networkx.MultiDiGraph()
    graph.add_node("d", label="Department", name="Harvest Team")
    for id, label, name in (("p", "Product", "Sickle"), ("s", "Service", "Threshing")):
        graph.add_node(id, label=label, name=name)
        graph.add_node(f"{id}1", label="Price", name=f"price of {name.lower()}")
        graph.add_edge("d", id, type="RESPONSIBLE_FOR")
        graph.add_edge(id, f"{id}1", type="HAS_PRICE")
    with open_graph(graph, settings=settings) as team:
        answer = team.ask("What are the prices of the services that the Harvest Team is responsible for?")
    assert texts(answer) == {"price of threshing"}


def test_who_is_meant_may_be_said_by_what_they_do_not_do(courses: Graph) -> None:
    assert texts(courses.ask("Who teaches Algebra but not Optics?")) == {"Bruno Falk"}


def test_a_year_is_a_time(settings: Settings) -> None:
    import networkx

    graph = networkx.MultiDiGraph()
    graph.add_node("w", label="Writer", name="Rosa Lind", birth_year=1931)
    graph.add_node("v", label="Writer", name="Tomas Berg", birth_year=1954)
    graph.add_node("c", label="City", name="Lund")
    graph.add_edge("w", "c", type="BORN_IN")
    with open_graph(graph, settings=settings) as writers:
        assert texts(writers.ask("When was Rosa Lind born?")) == {"1931"}
