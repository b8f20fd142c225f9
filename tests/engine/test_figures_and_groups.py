"""What is counted, summed, ranked, grouped and compared, on a shipping register small enough to check by eye."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from askgraph import Answer, Graph, Settings, open_graph


def register() -> object:
    """Four ships, three captains, three ports, two companies, two cargoes; dates also written as texts."""
    import networkx

    graph = networkx.MultiDiGraph()
    for id, name, tonnage, built, inspected, flag in (
        ("s1", "Iron Duke", 5000, date(1985, 3, 1), "2019-01-15", "Norway"),
        ("s2", "Grey Heron", 20000, date(1994, 7, 9), "2019-06-02", "Malta"),
        ("s3", "Lady Ann", 800, date(1999, 12, 31), "2021-03-20", "Norway"),
        ("s4", "Sea Holly", 12000, date(2015, 5, 5), "2022-11-11", "Panama"),
    ):
        graph.add_node(
            id, label="Ship", name=name, tonnage=tonnage, built_on=built, inspected_on=inspected, flag=flag
        )
    for id, name, years in (("c1", "Olga Weber", 30), ("c2", "Bruno Silva", 12), ("c3", "Mara Petrov", 5)):
        graph.add_node(id, label="Captain", name=name, years_at_sea=years, email=f"{id}@example.org")
    for id, name, berths in (("p1", "Ravenscar", 60), ("p2", "Aldermoor", 8), ("p3", "Dunmere", 20)):
        graph.add_node(id, label="Port", name=name, berths=berths)
    for id, name, founded in (("o1", "Juniper Holdings", 1890), ("o2", "Delta Works", 1975)):
        graph.add_node(id, label="ShippingCompany", name=name, founded=founded)
    for id, name, weight in (("k1", "Copper Ore", 40.0), ("k2", "Tin Ore", 10.0)):
        graph.add_node(id, label="Cargo", name=name, weight=weight)
    for ship, captain in (("s1", "c1"), ("s2", "c1"), ("s3", "c2"), ("s4", "c1")):
        graph.add_edge(ship, captain, type="COMMANDED_BY")
    for ship, port in (("s1", "p1"), ("s2", "p1"), ("s3", "p2"), ("s4", "p1")):
        graph.add_edge(ship, port, type="HOME_PORT")
    for ship, owner in (("s1", "o1"), ("s2", "o1"), ("s3", "o2"), ("s4", "o1")):
        graph.add_edge(ship, owner, type="OWNED_BY")
    for ship, cargo in (("s1", "k1"), ("s1", "k2"), ("s2", "k1")):
        graph.add_edge(ship, cargo, type="CARRIES")
    return graph


@pytest.fixture(scope="module")
def ships(settings: Settings) -> Iterator[Graph]:
    with open_graph(register(), settings=settings) as graph:
        yield graph


def texts(answer: Answer) -> list[str]:
    return sorted(item.text for item in answer.answers)


def rows(answer: Answer) -> dict[str, object]:
    """The first column of the answer's table, with the last."""
    assert answer.table is not None, answer
    names = {item.node: item.text for item in answer.answers}
    return {names.get(str(row[0]), str(row[0])): row[-1] for row in answer.table.rows}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many ships does each captain command?", {"Olga Weber": 3, "Bruno Silva": 1}),
        ("number of ships per captain", {"Olga Weber": 3, "Bruno Silva": 1}),
        ("For each captain, how many ships do they command?", {"Olga Weber": 3, "Bruno Silva": 1}),
        ("Count the ships per home port", {"Ravenscar": 3, "Aldermoor": 1}),
        ("number of ships by flag", {"Norway": 2, "Malta": 1, "Panama": 1}),
        ("number of companies founded each year", {"1890": 1, "1975": 1}),
        (
            "average tonnage of ships for every shipping company",
            {"Juniper Holdings": 37000 / 3, "Delta Works": 800},
        ),
        ("total tonnage of the ships by captain", {"Olga Weber": 37000, "Bruno Silva": 800}),
        (
            "What is the highest tonnage of the ships in each home port?",
            {"Ravenscar": 20000, "Aldermoor": 800},
        ),
    ],
)
def test_there_is_one_figure_for_each_where_the_question_groups(
    ships: Graph, question: str, expected: dict[str, object]
) -> None:
    answer = ships.ask(question)
    assert rows(answer) == expected, answer.interpretation
    assert texts(answer) == sorted(expected)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        # a number that the graph holds is not a number of nodes
        ("How many berths does Ravenscar have?", ["60"]),
        ("What is the number of years at sea of Olga Weber?", ["30"]),
        ("How many berths do all ports have together?", ["88"]),
        ("What is the total number of berths of all ports?", ["88"]),
        # a value is asked for, not what has it
        ("What is the highest tonnage of the ships?", ["20,000"]),
        ("What is the lowest number of berths of any port?", ["8"]),
        ("What is the average tonnage of the ships?", ["9,450"]),
        # a number of nodes
        ("How many ships does Olga Weber command?", ["3"]),
        ("How many ships carry a cargo?", ["2"]),
        ("How many captains command at least two ships?", ["1"]),
        ("How many captains command no ship?", ["1"]),
        ("What is the average number of ships per company?", ["2"]),
        ("On average, how many ships does a captain command?", ["2"]),
        # a number of values
        ("How many flags are there?", ["3"]),
        # a choice
        ("Which is bigger, Iron Duke or Grey Heron?", ["Grey Heron"]),
        ("Is Iron Duke bigger than Grey Heron?", ["No"]),
        ("Is Iron Duke older than Grey Heron?", ["Yes"]),
    ],
)
def test_a_figure_is_of_what_the_question_says(ships: Graph, question: str, expected: list[str]) -> None:
    answer = ships.ask(question)
    assert texts(answer) == expected, (answer, answer.interpretation)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the largest ship?", ["Grey Heron"]),
        ("What is the oldest ship?", ["Iron Duke"]),
        ("the newest 2 ships", ["Lady Ann", "Sea Holly"]),
        ("the two ships with the highest tonnage", ["Grey Heron", "Sea Holly"]),
        ("top 2 ships by tonnage", ["Grey Heron", "Sea Holly"]),
        ("What is the second largest ship?", ["Sea Holly"]),
        ("Which port has the fewest berths?", ["Aldermoor"]),
        ("Which port has the smallest number of berths?", ["Aldermoor"]),
        ("Which captain commands the most ships?", ["Olga Weber"]),
        ("Which company owns the most ships?", ["Juniper Holdings"]),
        ("Which ship carries the most cargoes?", ["Iron Duke"]),
        ("Which flag has the most ships?", ["Norway"]),
        # the ends of a scale of other things
        ("Who commands the smallest ship?", ["Bruno Silva"]),
        ("Who commands the ship with the highest tonnage?", ["Olga Weber"]),
        ("Who commands the lowest tonnage ship?", ["Bruno Silva"]),
        ("Which company owns the oldest ship?", ["Juniper Holdings"]),
    ],
)
def test_the_ends_of_a_scale_are_found_whatever_it_is_called(
    ships: Graph, question: str, expected: list[str]
) -> None:
    answer = ships.ask(question)
    assert texts(answer) == expected, (answer, answer.interpretation)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("ships with more than one cargo", ["Iron Duke"]),
        ("Which captains command at least three ships?", ["Olga Weber"]),
        ("Which captains command fewer than 2 ships?", ["Bruno Silva", "Mara Petrov"]),
        ("ships that carry 2 or more cargoes", ["Iron Duke"]),
        ("ships with a tonnage of more than 10 thousand", ["Grey Heron", "Sea Holly"]),
        ("ships with a tonnage between 1,000 and 13,000", ["Iron Duke", "Sea Holly"]),
        (
            "ships with a tonnage of less than half a million",
            ["Grey Heron", "Iron Duke", "Lady Ann", "Sea Holly"],
        ),
        ("companies founded before 1900", ["Juniper Holdings"]),
        ("companies founded in the 19th century", ["Juniper Holdings"]),
        ("companies from 1975", ["Delta Works"]),
        ("companies founded in 1900 or later", ["Delta Works"]),
        ("Which ships were built in the 1990s?", ["Grey Heron", "Lady Ann"]),
        ("Which ships were built before July 1994?", ["Iron Duke"]),
        ("Which ships were built after 2010?", ["Sea Holly"]),
        # dates that the graph holds as texts
        ("Which ships were inspected in 2019?", ["Grey Heron", "Iron Duke"]),
        ("ships inspected after March 2019", ["Grey Heron", "Lady Ann", "Sea Holly"]),
        ("ships inspected before 2019-02-01", ["Iron Duke"]),
        # compared with something named
        ("ships with a higher tonnage than Iron Duke", ["Grey Heron", "Sea Holly"]),
        ("Which captains have more years at sea than Bruno Silva?", ["Olga Weber"]),
        ("Which ships are older than Lady Ann?", ["Grey Heron", "Iron Duke"]),
    ],
)
def test_bounds_are_kept(ships: Graph, question: str, expected: list[str]) -> None:
    answer = ships.ask(question)
    assert texts(answer) == expected, (answer, answer.interpretation)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("captains who do not command any ship", ["Mara Petrov"]),
        ("Which ships do not carry any cargo?", ["Lady Ann", "Sea Holly"]),
        ("ports without ships", ["Dunmere"]),
        ("Which ships carry a cargo?", ["Grey Heron", "Iron Duke"]),
        ("captains who command a ship", ["Bruno Silva", "Olga Weber"]),
    ],
)
def test_what_nodes_must_or_must_not_have_is_a_condition(
    ships: Graph, question: str, expected: list[str]
) -> None:
    answer = ships.ask(question)
    assert texts(answer) == expected, (answer, answer.interpretation)


def test_a_list_has_a_column_for_each_thing_that_is_asked_and_leaves_nobody_out(ships: Graph) -> None:
    answer = ships.ask("List all ships with their cargoes and home port")
    assert texts(answer) == ["Grey Heron", "Iron Duke", "Lady Ann", "Sea Holly"]
    assert answer.table is not None
    assert len(answer.table.columns) == 3
    cells = {(row[0], row[1], row[2]) for row in answer.table.rows}
    assert ("s1", "k2", "p1") in cells
    assert ("s4", None, "p1") in cells


def test_several_things_asked_of_a_class_make_a_table_of_its_nodes(ships: Graph) -> None:
    answer = ships.ask("emails and years at sea of all captains")
    assert texts(answer) == ["Bruno Silva", "Mara Petrov", "Olga Weber"]


def test_one_thing_asked_of_a_class_is_the_answer(ships: Graph) -> None:
    answer = ships.ask("In which home ports are our ships?")
    assert texts(answer) == ["Aldermoor", "Ravenscar"]


def test_things_listed_by_a_property_are_called_by_it(ships: Graph) -> None:
    answer = ships.ask("List the tonnage of all ships by flag")
    assert texts(answer) == ["Malta", "Norway", "Panama"]


def test_a_condition_and_a_count_speak_of_the_same_things(ships: Graph) -> None:
    answer = ships.ask("How many ships with a tonnage above 6000 does each captain command?")
    assert rows(answer) == {"Olga Weber": 2}, answer.interpretation


def test_what_is_read_is_said_in_words(ships: Graph) -> None:
    assert (
        ships.ask("number of ships per captain").interpretation
        == "the number of commanded by of each Captain"
    )


@pytest.mark.parametrize(
    "question",
    [
        "How many passengers does each ship carry?",
        "average salary by captain",
        "Which captain has the most medals?",
        "ships with a higher price than Iron Duke",
    ],
)
def test_a_figure_of_what_the_graph_does_not_hold_is_not_made_up(ships: Graph, question: str) -> None:
    answer = ships.ask(question)
    assert answer.abstained, (texts(answer), answer.interpretation)
