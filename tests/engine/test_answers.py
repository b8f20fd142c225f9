"""Questions in plain words, and the answers that a graph supports."""

from __future__ import annotations

import pytest

from askgraph import Answer, Graph


def texts(answer: Answer) -> set[str]:
    return {item.text for item in answer.answers}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who is the manager of Ada Lovelace?", {"Charles Babbage"}),
        ("who is the manager of ada lovelace", {"Charles Babbage"}),
        ("Who is the manager of Ada Lovelcae?", {"Charles Babbage"}),
        ("In which department is Grace Hopper?", {"Compilers"}),
        ("What is the phone of Charles Babbage?", {"+44 2"}),
        ("What is the telephone number of Charles Babbage?", {"+44 2"}),
        ("Which department is responsible for the Punch Card?", {"Engines"}),
        ("Which products is Engines responsible for?", {"Difference Engine", "Punch Card"}),
        ("Which employees are members of Engines?", {"Ada Lovelace", "Charles Babbage"}),
        ("How many departments are there?", {"2"}),
        ("How many products are there?", {"3"}),
        ("List all departments", {"Engines", "Compilers"}),
        ("What is the cheapest product?", {"Punch Card"}),
        ("What is the most expensive product?", {"Difference Engine"}),
        ("Which products cost more than 50?", {"Difference Engine", "Compiler"}),
        ("products under 100 euro", {"Punch Card", "Compiler"}),
        ("Which department is responsible for the most products?", {"Engines"}),
        ("What is the average price of products?", {"67.5"}),
    ],
)
def test_a_question_gets_the_answer_that_the_graph_holds(
    company_graph: Graph, question: str, expected: set[str]
) -> None:
    answer = company_graph.ask(question)
    assert not answer.abstained, answer
    assert texts(answer) == expected, answer.interpretation


@pytest.mark.parametrize(
    "question",
    [
        "What is the salary of Ada Lovelace?",
        "Who is the spouse of Charles Babbage?",
        "Who is the manager of Zaphod Beeblebrox?",
        "Which hospitals are there?",
        "What is the birthday of Grace Hopper?",
        "What is the melting point of iron?",
        "asdf qwer",
        "???",
    ],
)
def test_what_the_graph_does_not_hold_is_not_answered(company_graph: Graph, question: str) -> None:
    answer = company_graph.ask(question)
    assert answer.abstained, (answer, answer.interpretation)
    assert answer.answers == ()
    assert answer.sentences[0].text


def test_every_sentence_rests_on_facts_that_are_there(company_graph: Graph) -> None:
    answer = company_graph.ask("Which products is Engines responsible for?")
    for sentence in answer.sentences:
        assert sentence.is_supported
        assert all(1 <= number <= len(answer.facts) for number in sentence.facts)
    assert {fact.path.hops[-1].target for fact in answer.facts if fact.path} == {"a", "b"}


def test_where_a_fact_comes_from_stays_with_it(company_graph: Graph) -> None:
    answer = company_graph.ask("Which department is responsible for the Difference Engine?")
    assert answer.facts[0].provenance == {"source": "ledger 7", "license": "CC0"}


def test_an_abstention_shows_the_nearest_things(company_graph: Graph) -> None:
    answer = company_graph.ask("Who is the manager of Grace Hoppel Murray?")
    assert answer.abstained
    assert any("Grace Hopper" in item for item in answer.nearest)


def test_a_misspelt_name_is_said_to_have_been_read_as_another(company_graph: Graph) -> None:
    answer = company_graph.ask("What is the phone of Charles Babage?")
    assert any("'Charles Babbage'" in note for note in answer.notes)


def test_a_class_means_its_subclasses_too_and_that_is_said(ck25: Graph) -> None:
    products = ck25.ask("How many products are there?")
    assert texts(products) == {"1,009"} or products.answers[0].value == 1009
    assert any("Hardware (1,000)" in note and "Service (9)" in note for note in products.notes)
    employees = ck25.ask("How many employees are there?")
    assert employees.answers[0].value == 53
    assert any("Manager (6)" in note and "47" in note for note in employees.notes)


def test_a_question_on_real_data_is_answered_with_its_path(ck25: Graph) -> None:
    answer = ck25.ask("Who is the manager of Heinrich Hoch?")
    assert texts(answer) == {"Waldtraud Kuttner"}
    path = answer.facts[0].path
    assert path is not None
    assert [hop.label for hop in path.hops] == ["has manager"]
