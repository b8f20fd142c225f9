"""What the words of a question are linked to, on a small shop whose names are written as real ones are."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal

import networkx
import pytest

from askgraph import Answer, Graph, Settings, open_graph
from askgraph.core.evidence import Link
from askgraph.core.graph import Node
from askgraph.core.values import LanguageText, Value
from askgraph.linking.property_values import named_values, text_of_value, value_id, value_of


def shop() -> networkx.MultiDiGraph:
    graph = networkx.MultiDiGraph()
    for id, number, opened in (("o1", 31003000336, 2019), ("o2", 31003000337, 2020), ("o3", 7, 2020)):
        graph.add_node(id, label="Order", orderNumber=number, opened=opened, rating=number % 5)
    for id, name, stock, zip_code in (("d1", "North", 12000, 78704), ("d2", "South", 5, 78738)):
        graph.add_node(id, label="Depot", name=name, stock=stock, zipCode=zip_code)
    for id, name in (("c1", "Ada Moss"), ("c2", "Theo Lind"), ("c3", "Ada Brook")):
        graph.add_node(id, label="Customer", name=name)
    for order, customer in (("o1", "c1"), ("o2", "c2"), ("o3", "c3")):
        graph.add_edge(customer, order, type="PLACED")
    for order, depot in (("o1", "d1"), ("o2", "d2"), ("o3", "d2")):
        graph.add_edge(order, depot, type="SHIPPED_FROM")
    return graph


@pytest.fixture(scope="module")
def orders() -> Iterator[Graph]:
    with open_graph(shop(), settings=Settings.load(save_runs=False, embedder="none")) as graph:
        yield graph


def links(graph: Graph, question: str, mention: str) -> list[Link]:
    return [link for link in graph.link(question) if link.mention.text == mention]


def values(graph: Graph, question: str, mention: str) -> set[tuple[str, object]]:
    return {value_of(link.id) for link in links(graph, question, mention) if link.kind == "value"}


def texts(answer: Answer) -> set[str]:
    return {item.text for item in answer.answers}


# --- names that are also words which say nothing


@pytest.fixture(scope="module")
def people() -> Iterator[Graph]:
    graph = networkx.MultiDiGraph()
    for name, age in (("Will", 40), ("May", 30), ("Ada", 50), ("Theo", 20)):
        graph.add_node(name, label="Person", name=name, age=age)
    for name in ("As You Like It", "Main"):
        graph.add_node(name, label="Play", name=name)
    for name in ("IT", "Sales"):
        graph.add_node(name, label="Department", name=name)
    for who, what in (("Will", "Sales"), ("May", "IT"), ("Ada", "IT"), ("Theo", "Sales")):
        graph.add_edge(who, what, type="WORKS_IN")
    graph.add_edge("Will", "May", type="MANAGES")
    graph.add_edge("Ada", "As You Like It", type="DIRECTED")
    graph.add_edge("Theo", "Main", type="DIRECTED")
    with open_graph(graph, settings=Settings.load(save_runs=False, embedder="none")) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Who manages May?", {"Will"}),
        ("Who does Will manage?", {"May"}),
        ("Where does Will work?", {"Sales"}),
        ("Which persons are older than Will?", {"Ada"}),
        ("Who directed As You Like It?", {"Ada"}),
        ("Who directed Main?", {"Theo"}),
        ("Who works in IT?", {"May", "Ada"}),
    ],
)
def test_a_word_that_mostly_says_nothing_is_a_name_where_it_is_written_as_one(
    people: Graph, question: str, answers: set[str]
) -> None:
    assert texts(people.ask(question)) == answers


def test_what_somebody_called_as_a_little_word_does_is_not_told_of_all(people: Graph) -> None:
    assert people.ask("Does Will work in Sales?").text.startswith("Yes")
    assert people.ask("Does Will work in IT?").text.startswith("No")


@pytest.mark.parametrize(
    "question",
    [
        "Who will work in Sales?",
        "What may Ada direct?",
        "Will Ada manage Theo?",
        "Who joined before May 2019?",
        "What is the main play?",
    ],
)
def test_a_word_that_mostly_says_nothing_is_no_name_elsewhere(people: Graph, question: str) -> None:
    assert not {link.id for link in people.link(question)} & {"Will", "May", "Main"}


@pytest.mark.parametrize(
    ("text", "names"),
    [("Moss", {"Ada Moss"}), ("Lind Brook", {"Theo Lind", "Ada Brook"}), ("moss", set()), ("Nobody", set())],
)
def test_a_name_that_stands_alone_may_be_a_part_of_a_longer_one(
    orders: Graph, text: str, names: set[str]
) -> None:
    assert {link.name for link in orders.link(text)} == names


# --- numbers


@pytest.mark.parametrize(
    "question",
    [
        "Who placed order 31003000336?",
        "who placed order number 31003000336",
        "Who placed the order 31,003,000,336?",
        "Who placed 31003000336?",
    ],
)
def test_a_number_names_the_thing_that_bears_it(orders: Graph, question: str) -> None:
    assert texts(orders.ask(question)) == {"Ada Moss"}


def test_a_short_number_is_a_name_only_beside_the_word_that_it_numbers(orders: Graph) -> None:
    assert values(orders, "Who placed order 7?", "7") == {("orderNumber", 7)}
    assert values(orders, "Who placed order no 7?", "7") == {("orderNumber", 7)}
    assert texts(orders.ask("Who placed order 7?")) == {"Ada Brook"}
    assert values(orders, "Who placed 7 orders?", "7") == set()


def test_a_number_is_the_value_of_the_property_that_stands_before_it(orders: Graph) -> None:
    assert values(orders, "Which depot has the zip code 78738?", "78738") == {("zipCode", 78738)}
    assert values(orders, "depots with a stock of 5", "5") == {("stock", 5)}
    assert texts(orders.ask("Which depot has the zip code 78738?")) == {"South"}


def test_a_number_in_a_comparison_is_no_name(orders: Graph) -> None:
    assert values(orders, "Which depots have a stock of more than 12000?", "12000") == set()
    assert values(orders, "Which depots have at least 12000 in stock?", "12000") == set()
    assert values(orders, "the top 5 depots by stock", "5") == set()


def test_another_number_is_not_taken_for_one_that_is_like_it(orders: Graph) -> None:
    assert links(orders, "Who placed order 31003000338?", "31003000338") == []
    assert orders.ask("Who placed order 31003000338?").abstained


# --- types


def test_a_word_that_mostly_says_nothing_is_a_type_where_a_noun_stands(orders: Graph) -> None:
    assert texts(orders.ask("How many orders are there?")) == {"3"}
    assert [link.id for link in links(orders, "Which order was opened in 2019?", "order")] == ["Order"]
    assert links(orders, "List the depots in order of stock", "order") == []


@pytest.fixture(scope="module")
def catalogue() -> Iterator[Graph]:
    """A graph whose types are called as types are called in the wild."""
    graph = networkx.MultiDiGraph()
    kinds = (
        "Movie", "Company", "Children", "Analysis", "Criterion", "Wolf", "Vertex", "Data Set", "E-Mail", "FilmStudio",
        "ns0__Employee", "CUSTOMER_ADDRESS", "PolicyCoverageDetail", "Premium Amount", "Loss Amount", "Laboratory",
    )  # fmt: skip
    for number, kind in enumerate(kinds):
        graph.add_node(f"n{number}", label=kind, name=f"The {'abcdefghijklmnop'[number] * 7}")
    with open_graph(graph, settings=Settings.load(save_runs=False, embedder="none")) as opened:
        yield opened


@pytest.mark.parametrize(
    ("written", "type"),
    [
        ("movies", "Movie"),
        ("companies", "Company"),
        ("child", "Children"),
        ("children", "Children"),
        ("analyses", "Analysis"),
        ("criteria", "Criterion"),
        ("wolves", "Wolf"),
        ("vertices", "Vertex"),
        ("datasets", "Data Set"),
        ("data sets", "Data Set"),
        ("data-sets", "Data Set"),
        ("emails", "E-Mail"),
        ("e-mails", "E-Mail"),
        ("film studios", "FilmStudio"),
        ("filmstudios", "FilmStudio"),
        ("employees", "ns0__Employee"),
        ("customer addresses", "CUSTOMER_ADDRESS"),
        ("PolicyCoverageDetails", "PolicyCoverageDetail"),
        ("coverage details", "PolicyCoverageDetail"),
        ("labaratories", "Laboratory"),
        ("compannies", "Company"),
    ],
)
def test_a_type_is_found_by_what_people_call_it(catalogue: Graph, written: str, type: str) -> None:
    found = links(catalogue, f"How many {written} are there?", written)
    assert [(link.kind, link.id) for link in found] == [("node type", type)]


@pytest.mark.parametrize(
    "written",
    [
        "amounts",
        "moves",
        "walls",
        "things",
        "data",
        "details of laws",
        "analysts",
        "laborator",
        "employed",
        "employs",
    ],
)
def test_a_word_that_could_be_several_types_or_another_word_is_none(catalogue: Graph, written: str) -> None:
    assert links(catalogue, f"How many {written} are there?", written) == []


# --- names


def clinic() -> networkx.MultiDiGraph:
    graph = networkx.MultiDiGraph()
    illnesses = {
        "i1": "attention deficit hyperactivity disorder",
        "i2": "Alzheimer's disease",
        "i3": "BPPV",
        "i4": "rheumatoid arthritis",
        "i5": "juvenile idiopathic arthritis",
        "i6": "chronic joint disease",
    }
    for id, name in illnesses.items():
        graph.add_node(id, label="Illness", name=name)
    for id, name in (("p1", "Pump"), ("p2", "K77-1013 - Pump"), ("p3", "K78-1014 - Pump")):
        graph.add_node(id, label="Device", name=name)
    return graph


@pytest.fixture(scope="module")
def illnesses() -> Iterator[Graph]:
    with open_graph(clinic(), settings=Settings.load(save_runs=False, embedder="none")) as graph:
        yield graph


@pytest.mark.parametrize(
    ("question", "mention", "id"),
    [
        ("What is ADHD?", "ADHD", "i1"),
        ("who has adhd", "adhd", "i1"),
        (
            "What helps against benign paroxysmal positional vertigo?",
            "benign paroxysmal positional vertigo",
            "i3",
        ),
        ("who has alzheimers", "alzheimers", "i2"),
        ("Who has alzheimer's?", "alzheimer", "i2"),
        ("who has rheumatiod artritis", "rheumatiod artritis", "i4"),
        ("Where is the K77 pump?", "K77 pump", "p2"),
        ("Where is the pump?", "pump", "p1"),
    ],
)
def test_a_thing_is_found_by_what_people_call_it(
    illnesses: Graph, question: str, mention: str, id: str
) -> None:
    assert [link.id for link in links(illnesses, question, mention)] == [id]


@pytest.mark.parametrize(
    "question", ["Who has a cjx?", "when did he join", "the cure of joints in dogs", "a new job"]
)
def test_words_in_small_letters_are_no_acronyms_by_chance(illnesses: Graph, question: str) -> None:
    assert illnesses.link(question).links == ()


def test_an_acronym_says_what_it_was_read_as(illnesses: Graph) -> None:
    assert (
        "'ADHD' was read as 'attention deficit hyperactivity disorder'."
        in illnesses.ask("What is ADHD?").notes
    )


# --- values


@pytest.mark.parametrize("value", ["red", 7, -3, 2**70, 12.0, Decimal("30")])
def test_a_value_survives_in_its_id(value: object) -> None:
    key, back = value_of(value_id("http://example.org/size", value))  # type: ignore[arg-type]  # checked below
    assert (key, back, type(back)) == ("http://example.org/size", value, type(value))


def test_short_texts_and_whole_numbers_may_be_named_and_measurements_and_prose_may_not() -> None:
    properties: dict[str, Value] = {
        "colour": "red",
        "label": LanguageText("rot", "de"),
        "notes": "x" * 81,
        "number": 31003000336,
        "stock": 12000.0,
        "weight": 2.75,
        "share": Decimal("0.5"),
        "price": Decimal("20"),
        "missing": float("nan"),
        "endless": Decimal("Infinity"),
        "signed": True,
        "since": date(2020, 1, 1),
        "tags": ["new", 5, None],
        "nothing": "",
    }
    found = [(key, text_of_value(value)) for key, value in named_values(Node("n", properties=properties))]
    assert found == [
        ("colour", "red"),
        ("label", "rot"),
        ("number", "31003000336"),
        ("stock", "12000"),
        ("price", "20"),
        ("tags", "new"),
        ("tags", "5"),
    ]


# --- numbers within names of types


def test_a_number_in_the_name_of_a_type_is_no_value_beside_it():
    graph = networkx.MultiDiGraph()
    for number in range(1, 9):
        graph.add_node(number, label=f"Class {1 + number % 2}", name=f"Pupil {number}", score=number)
    with open_graph(graph, settings=Settings.load(save_runs=False, embedder="none")) as classes:
        assert values(classes, "What is the average score of class 2?", "2") == set()
        assert texts(classes.ask("What is the average score of class 2?")) == {"4"}
        assert values(classes, "Which class 2 has the score 2?", "2") == {("score", 2)}
