"""Questions answered by what stands at the end of a path."""

from __future__ import annotations

import networkx
import pytest
from tests.engine.conftest import company

from askgraph import Graph
from askgraph.answering.confidence import fitted_model
from askgraph.answering.path_confidence import confidence_of
from askgraph.core.errors import PlanError
from askgraph.models.scripted import ScriptedModel
from askgraph.stores.opening import open_store

_ANSWERED = [
    ("Which department is Ada Lovelace a member of?", ["Engines"]),
    ("Who is the manager of Ada Lovelace?", ["Charles Babbage"]),
    ("What is the price of the Difference Engine?", ["120.5"]),
    (
        "Which products is the department of Ada Lovelace responsible for?",
        ["Difference Engine", "Punch Card"],
    ),
    ("Who is a member of Engines?", ["Ada Lovelace", "Charles Babbage"]),
]


@pytest.mark.parametrize(("question", "expected"), _ANSWERED)
def test_a_property_graph_answers_by_paths(company_graph, question, expected):
    answer = company_graph.ask(question, strategy="paths")
    assert sorted(item.text for item in answer.answers) == expected
    assert answer.sentences[0].facts
    assert answer.confidence >= 0.5


def test_each_fact_of_the_answer_is_a_path_of_the_best_subgraph(company_graph):
    answer = company_graph.ask("Who is the manager of Ada Lovelace?", strategy="paths")
    cited = [answer.facts[number - 1] for number in answer.sentences[0].facts]
    assert cited
    assert cited[0].text.startswith("Ada Lovelace has manager Charles Babbage")
    assert cited[0].path is not None
    assert cited[0].path.hops[0].target == "p2"


def test_provenance_of_an_edge_goes_with_its_fact(company_graph):
    answer = company_graph.ask("Which products is Engines responsible for?", strategy="paths")
    told = [dict(fact.provenance) for fact in answer.facts if "Difference Engine" in fact.text]
    assert {"source": "ledger 7", "license": "CC0"} in told


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the cheapest product of Engines?", "superlative"),
        ("Which products of Engines have a price over 100?", "comparison"),
        ("What is the weather like?", "names nothing"),
    ],
)
def test_what_paths_cannot_answer_is_said(company_graph, question, said):
    answer = company_graph.ask(question, strategy="paths")
    assert answer.abstained
    assert said in answer.text


def test_things_that_a_question_names_and_that_no_path_joins_are_no_answer(company_graph):
    answer = company_graph.ask("Who of Compilers is the manager of Ada Lovelace?", strategy="paths")
    assert answer.abstained or "Charles Babbage" not in answer.text


def test_an_rdf_graph_answers_by_paths(ck25):
    answer = ck25.ask("Who is the manager of Heinrich Hoch?", strategy="paths")
    assert [item.text for item in answer.answers] == ["Waldtraud Kuttner"]
    answer = ck25.ask("Which suppliers do we have in Toulouse?", strategy="paths")
    assert len(answer.answers) == 1


def test_a_run_tells_the_subgraphs_with_their_probabilities(company_graph):
    steps = []
    company_graph.ask(
        "Who is the manager of Ada Lovelace?",
        strategy="paths",
        on_step=lambda step, finished: steps.append(step) if finished else None,
    )
    (paths,) = [step for step in steps if step.name == "paths"]
    assert paths.details["subgraphs"][0]["path"] == "Ada Lovelace -has manager->"
    assert paths.details["subgraphs"][0]["probability"] > 1.5


def test_a_strategy_that_does_not_exist_is_told_with_those_that_do(company_graph):
    with pytest.raises(PlanError, match="paths"):
        company_graph.ask("Who is Ada?", strategy="path")


def test_with_a_model_the_answer_is_written_from_the_facts_of_the_paths(settings):
    model = ScriptedModel(
        {
            "path_template": {"phrase": "Ada Lovelace has manager", "relations": ["has manager"]},
            "answer": "Her manager is Charles Babbage. [1]\nShort answer: Charles Babbage",
        }
    )
    with Graph("company", _store(), None, settings, model=model) as graph:
        answer = graph.ask("Who is the boss of Ada Lovelace?", strategy="paths")
    assert "Charles Babbage" in answer.text
    asked = next(request for request in model.requests if request.purpose == "answer")
    assert "Ada Lovelace has manager Charles Babbage" in asked.messages[-1].text


def test_a_model_that_fails_leaves_what_the_paths_say(settings):
    with Graph("company", _store(), None, settings, model=ScriptedModel([])) as graph:
        answer = graph.ask("Who is the manager of Ada Lovelace?", strategy="paths")
    assert [item.text for item in answer.answers] == ["Charles Babbage"]


def _store():
    return open_store(company()).store


# --- in which direction


@pytest.fixture
def league_graph(settings):
    content = networkx.MultiDiGraph()
    for team in ("Lyon Rovers", "Łódź United", "Bergen Stars", "Porto Eagles"):
        content.add_node(team, labels=["Team"], name=team)
    for player in ("Bo Lee", "Ann Hill", "Emil Fox"):
        content.add_node(player, labels=["Player"], name=player)
        content.add_edge(player, "Lyon Rovers" if player == "Emil Fox" else "Łódź United", type="plays for")
    content.add_node("Łódź", labels=["City"], name="Łódź")
    content.add_edge("Łódź United", "Łódź", type="plays in")
    for winner, loser in (("Łódź United", "Lyon Rovers"), ("Lyon Rovers", "Bergen Stars")):
        content.add_edge(winner, loser, type="beat")
    content.add_edge("Ann Hill", "Bo Lee", type="friend of")
    content.add_edge("Bo Lee", "Emil Fox", type="friend of")
    with Graph("league", open_store(content).store, None, settings) as graph:
        yield graph


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which team did Lyon Rovers beat?", ["Bergen Stars"]),
        ("Which team beat Lyon Rovers?", ["Łódź United"]),
        ("Which team was beaten by Lyon Rovers?", ["Bergen Stars"]),
        ("Who plays for Łódź United?", ["Ann Hill", "Bo Lee"]),
        ("Who is a friend of Bo Lee?", ["Ann Hill"]),
        ("Whose friend is Bo Lee?", ["Emil Fox"]),
        ("Did Łódź United beat Lyon Rovers?", ["Yes"]),
    ],
)
def test_the_answer_lies_in_the_direction_that_the_question_says(league_graph, question, expected):
    answer = league_graph.ask(question, strategy="paths")
    assert sorted(item.text for item in answer.answers) == expected


@pytest.mark.parametrize(
    "question",
    [
        "Which team beat Łódź United?",
        "Which team did Bergen Stars beat?",
        "Did Lyon Rovers beat Łódź United?",
    ],
)
def test_what_lies_only_in_the_other_direction_is_no_answer(league_graph, question):
    answer = league_graph.ask(question, strategy="paths")
    assert answer.abstained
    assert "other way round" in answer.text


def test_a_direction_that_nothing_says_halves_the_confidence():
    assert confidence_of({"direction undecided": 1.0}) == pytest.approx(confidence_of({}) / 2, abs=0.01)


# --- how sure


def test_what_speaks_against_an_answer_is_recorded_and_weighed(company_graph):
    steps = []
    answer = company_graph.ask(
        "Who is the manager of Ada Lovelace?",
        strategy="paths",
        on_step=lambda step, finished: steps.append(step) if finished else None,
    )
    (judged,) = [step.details["against"] for step in steps if step.name == "answer"]
    model = fitted_model("path_confidence.toml")
    assert set(model.weights) <= set(judged)
    assert all(value >= 0 for value in judged.values())
    assert answer.confidence == pytest.approx(confidence_of(judged), abs=0.01)


def test_nothing_that_speaks_against_an_answer_makes_it_surer():
    model = fitted_model("path_confidence.toml")
    assert model.weights
    for name in model.weights:
        assert confidence_of({name: 1.0}) < confidence_of({}) < 1.0


def test_a_path_of_which_the_question_does_not_speak_is_less_sure(company_graph):
    sure = company_graph.ask("Who is the manager of Ada Lovelace?", strategy="paths").confidence
    unsure = company_graph.ask("Who is the favourite manager of Ada Lovelace?", strategy="paths").confidence
    assert unsure < sure
