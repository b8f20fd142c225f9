"""What is done where nobody names a strategy: read first, then a query, or proposals of the model; and why."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.strategies.conftest import Asked
from tests.strategies.test_agent import propose

from askgraph.core.errors import ModelAuthenticationError, ModelUnreachableError
from askgraph.core.run import Run
from askgraph.models.scripted import ScriptedModel
from askgraph.strategies.auto import AutoStrategy, takes_steps

READABLE = "Who is the manager of Ada Lovelace?"
UNREADABLE = "Hand me the digits that reach Grace, please"
STEPS = "What does the department of the wizard of Ada Lovelace product?"
PHONE = "MATCH (e:Employee {name: 'Grace Hopper'}) RETURN e.name AS name, e.phone AS phone"
NOBODY = "MATCH (e:Employee {name: 'Zoroaster'}) RETURN e.phone AS phone"
UNKNOWN = "MATCH (s:Spaceship) RETURN s.name AS name"
PATH = propose(entities="Ada Lovelace", paths="has manager -> member of -> responsible for")
TO_THE_PHONE = propose(entities="Grace Hopper", paths="phone")


def ask(graph, question, script, **limits):
    model = ScriptedModel(script)
    run = Run(question, graph=graph.location, graph_version=graph.store.capabilities.version)
    strategy = AutoStrategy(replace(graph.parts(), model=model))
    budget = replace(graph.settings.budget(), **limits)
    return Asked(strategy.answer(graph.linked(question), budget, run), run, model)


def chosen(asked):
    return [details["strategy"] for details in asked.details("choose")]


def test_what_can_be_read_is_not_asked_of_the_model(company_graph):
    asked = ask(company_graph, READABLE, {"answer": "Ada Lovelace is managed by Charles Babbage [1]."})
    assert chosen(asked) == ["reading"]
    assert asked.purposes == ["answer"]


def test_what_cannot_be_read_is_put_as_a_query(company_graph):
    asked = ask(company_graph, UNREADABLE, {"cypher": PHONE, "answer": "Grace Hopper's phone is +1 3 [1]."})
    assert chosen(asked) == ["query"]
    assert asked.purposes == ["cypher", "answer"]
    assert "explains" in asked.details("choose")[0]["reason"]


def test_a_question_of_several_steps_from_something_named_is_for_proposals(company_graph):
    asked = ask(company_graph, STEPS, {"propose": PATH, "answer": "Difference Engine and Punch Card [1][2]."})
    assert chosen(asked) == ["agent"]
    assert asked.purposes == ["propose", "answer"]
    assert asked.texts == ["Difference Engine", "Punch Card"]
    assert "several steps" in asked.details("choose")[0]["reason"]
    assert any("proposed by the model" in note and "wizard" in note for note in asked.answer.notes)


def test_a_graph_without_a_query_language_is_for_proposals(company_graph, monkeypatch):
    store = company_graph.store
    speechless = replace(store.capabilities, query_languages=())
    monkeypatch.setattr(type(store), "capabilities", property(lambda self: speechless))
    asked = ask(
        company_graph, UNREADABLE, {"propose": TO_THE_PHONE, "answer": "Grace Hopper's phone is +1 3 [1]."}
    )
    assert chosen(asked) == ["agent"]
    assert asked.texts == ["+1 3"]
    assert "takes no queries" in asked.details("choose")[0]["reason"]


@pytest.mark.parametrize(("query", "why"), [(NOBODY, "found nothing"), (UNKNOWN, "No query could be made")])
def test_where_a_query_came_to_nothing_twice_the_model_proposes_other_ways(company_graph, query, why):
    script = {
        "cypher": query,
        "cypher_repair": [query] * 2,
        "propose": TO_THE_PHONE,
        "answer": "Grace Hopper's phone is +1 3 [1].",
    }
    asked = ask(company_graph, UNREADABLE, script)
    assert chosen(asked) == ["query", "agent"]
    assert asked.purposes.count("propose") == 1
    assert asked.texts == ["+1 3"]
    assert why in asked.details("choose")[1]["reason"]
    assert any("A query did not find it" in note for note in asked.answer.notes)


def test_that_the_graph_cannot_tell_is_taken_from_the_model_at_its_word(company_graph):
    asked = ask(company_graph, UNREADABLE, {"cypher": "UNANSWERABLE: nothing has digits"})
    assert chosen(asked) == ["query"]
    assert asked.answer.abstained
    assert "propose" not in asked.purposes


def test_no_more_is_tried_than_the_calls_allow(company_graph):
    asked = ask(
        company_graph,
        UNREADABLE,
        {"cypher": NOBODY, "cypher_repair": NOBODY, "propose": TO_THE_PHONE},
        model_calls=3,
    )
    assert chosen(asked) == ["query", "query"]
    assert "No more calls" in asked.details("choose")[1]["reason"]
    assert "propose" not in asked.purposes
    assert asked.answer.abstained


def test_all_ways_together_keep_to_the_calls_that_are_allowed(company_graph):
    script = {
        "cypher": NOBODY,
        "cypher_repair": NOBODY,
        "propose": TO_THE_PHONE,
        "answer": "Grace Hopper's phone is +1 3 [1].",
    }
    asked = ask(company_graph, UNREADABLE, script, model_calls=4)
    assert asked.purposes == [*asked.purposes[:2], "propose", "answer"]
    assert asked.texts == ["+1 3"]


def test_a_query_that_may_not_run_ends_it(company_graph):
    asked = ask(company_graph, UNREADABLE, {"cypher": "MATCH (n) DETACH DELETE n", "propose": TO_THE_PHONE})
    assert asked.purposes == ["cypher"]
    assert asked.answer.abstained
    assert any("may not run" in note for note in asked.answer.notes)


def test_a_model_that_fails_on_the_way_leaves_what_there_was(company_graph):
    script = {"cypher": NOBODY, "cypher_repair": NOBODY, "propose": ModelUnreachableError("nobody answers")}
    asked = ask(company_graph, UNREADABLE, script)
    assert asked.answer.text.startswith("The query ran and found nothing")
    assert any("could not be tried: nobody answers" in note for note in asked.answer.notes)


def test_a_wrong_key_is_said_whatever_was_tried_before(company_graph):
    script = {
        "cypher": NOBODY,
        "cypher_repair": NOBODY,
        "propose": ModelAuthenticationError("the key is wrong"),
    }
    with pytest.raises(ModelAuthenticationError):
        ask(company_graph, UNREADABLE, script)


def test_where_nothing_finds_it_both_ways_are_told(company_graph):
    script = {
        "cypher": NOBODY,
        "cypher_repair": NOBODY,
        "propose": propose(entities="Isambard Brunel"),
        "propose_again": propose(finish=True),
    }
    asked = ask(company_graph, UNREADABLE, script)
    assert asked.answer.abstained
    assert asked.answer.text.startswith("The query ran and found nothing")
    assert any("did not find it either" in note for note in asked.answer.notes)


@pytest.mark.parametrize(
    ("question", "is_path"),
    [
        (STEPS, True),
        ("What is the phone of the boss of the boss of Ada Lovelace?", True),
        (READABLE, False),
        ("How many products does the department of the boss of Ada Lovelace have?", False),
        ("Which product of the department of Ada Lovelace is the cheapest?", False),
        ("Which products of which departments are there?", False),
    ],
)
def test_a_path_is_what_begins_at_something_named_and_asks_for_no_figure(company_graph, question, is_path):
    assert takes_steps(company_graph.linked(question)) is is_path
