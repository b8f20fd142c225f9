"""How sure answers are, and what is said where there is none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askgraph import Answer, Graph, Settings, open_graph
from askgraph.answering import confidence
from askgraph.answering.confidence import Judgement, fitted_model
from askgraph.core.run import Step
from askgraph.strategies import reading

from .conftest import company


def asked(graph: Graph, question: str) -> tuple[Answer, list[Step]]:
    """The answer, and the steps that led to it."""
    steps: list[Step] = []
    return graph.ask(question, on_step=lambda step, ended: steps.append(step) if ended else None), steps


def against(steps: list[Step]) -> dict[str, float]:
    """What was weighed last."""
    weighed: list[dict[str, float]] = [step.details["against"] for step in steps if step.name == "judge"]
    return weighed[-1]


@pytest.fixture(scope="module")
def reckless(settings: Settings) -> Iterator[Graph]:
    """The company, asked by somebody who takes any answer."""
    with open_graph(company(), settings=settings.model_copy(update={"least_confidence": 0.0})) as graph:
        yield graph


@pytest.fixture(scope="module")
def careful(settings: Settings) -> Iterator[Graph]:
    """The company, asked by somebody who wants to be quite sure."""
    with open_graph(company(), settings=settings.model_copy(update={"least_confidence": 1.0})) as graph:
        yield graph


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("What is the salary of Ada Lovelace?", "explains 'salary'"),
        ("Who is the manager of Zaphod Beeblebrox?", "called 'Zaphod Beeblebrox'"),
        ("Who is the manager of Ada Babbage?", "called 'Ada Babbage'"),
        ("Does Ada Lovelace like Punch Card?", "connects 'Punch Card'"),
        ("Which hospitals are there?", "explains 'hospitals'|No word of the question"),
    ],
)
def test_the_reason_says_what_is_wrong(company_graph: Graph, question: str, reason: str) -> None:
    answer = company_graph.ask(question)
    assert answer.abstained, answer
    assert any(part in answer.text for part in reason.split("|")), answer.text


def airline() -> Any:
    """Two airlines, two airports, and a flight between these that one of them operates."""
    import networkx

    graph = networkx.MultiDiGraph()
    for id, label, name in (
        ("a1", "Airline", "Northwind Airways"),
        ("a2", "Airline", "Polar Airways"),
        ("p1", "Airport", "Kestrelton Airport"),
        ("p2", "Airport", "Brackwater Airport"),
        ("f1", "Flight", "Flight Ultramarine"),
    ):
        graph.add_node(id, label=label, name=name)
    for source, target, type in (
        ("a1", "p1", "BASED_AT"),
        ("a2", "p1", "BASED_AT"),
        ("f1", "p2", "ARRIVES_AT"),
        ("f1", "a1", "OPERATED_BY"),
    ):
        graph.add_edge(source, target, type=type)
    return graph


def test_a_relation_that_leads_nowhere_from_here_is_not_replaced_by_a_way_round(settings: Settings) -> None:
    with open_graph(airline(), settings=settings) as graph:
        assert {
            item.text for item in graph.ask("Which airlines are based at Kestrelton Airport?").answers
        } == {
            "Northwind Airways",
            "Polar Airways",
        }
        assert graph.ask("Which airlines are based at Brackwater Airport?").abstained


def test_a_question_with_a_name_that_nothing_has_is_never_answered_without_it(reckless: Graph) -> None:
    answer, steps = asked(reckless, "Which products cost more than 50 in Zanzibar?")
    assert against(steps)["open names"] == 1
    assert answer.confidence == 0.0


def test_a_sure_answer_has_little_against_it(company_graph: Graph) -> None:
    answer, steps = asked(company_graph, "Who is the manager of Ada Lovelace?")
    assert answer.confidence > 0.7
    assert "unexplained" not in against(steps)
    assert "passed over" not in against(steps)


def test_a_doubtful_answer_says_what_is_against_it(reckless: Graph) -> None:
    answer, steps = asked(reckless, "What is the salary of Ada Lovelace?")
    assert against(steps)["open words"] == 1
    assert answer.confidence < 0.5


def test_whoever_takes_any_answer_gets_one_with_its_low_confidence(
    company_graph: Graph, reckless: Graph
) -> None:
    question = "Which department makes the Punch Card in Norway?"
    assert company_graph.ask(question).abstained
    answer = reckless.ask(question)
    assert not answer.abstained
    assert answer.confidence < 0.5


def test_whoever_wants_to_be_certain_gets_no_answer(careful: Graph) -> None:
    answer = careful.ask("Who is the manager of Ada Lovelace?")
    assert answer.abstained
    assert answer.confidence > 0.5
    assert answer.nearest


def test_the_same_question_is_as_sure_every_time(company_graph: Graph) -> None:
    question = "Which products is Engines responsible for?"
    assert len({company_graph.ask(question).confidence for _ in range(3)}) == 1


def test_every_weight_is_of_something_that_is_weighed(
    company_graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    judgements: list[Judgement] = []

    def judge(*given: Any, **options: Any) -> Judgement:
        judgements.append(confidence.judge(*given, **options))
        return judgements[-1]

    monkeypatch.setattr(reading, "judge", judge)
    company_graph.ask("Which departments are there?")
    weighed = judgements[-1].features
    assert set(fitted_model().weights) <= set(weighed)
    assert weighed["bare type"] == 1.0
    assert weighed["unexplained"] == weighed["rival"] == 0.0


@given(st.dictionaries(st.sampled_from(sorted(fitted_model().weights)), st.floats(0, 3)), st.data())
def test_nothing_that_speaks_against_a_reading_makes_it_surer(
    features: dict[str, float], data: st.DataObject
) -> None:
    model = fitted_model()
    worse = data.draw(st.sampled_from(sorted(model.weights)))
    before = model.confidence(features)
    after = model.confidence(features | {worse: features.get(worse, 0.0) + 1.0})
    assert 0.0 <= after <= before <= 1.0


def test_where_nothing_speaks_against_it_an_answer_is_sure() -> None:
    assert fitted_model().confidence({}) > 0.9
