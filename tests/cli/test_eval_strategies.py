"""Two strategies compared from the terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from askgraph.evaluation.pairwise_judge import CRITERIA
from askgraph.models import registry
from askgraph.models.language_model import LanguageModel
from askgraph.models.scripted import ScriptedModel

from .conftest import Askgraph


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two departments, as a file of triples."""
    lines = ["@prefix : <http://example.org/> .", "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."]
    lines += [':memberOf rdfs:label "member of" . :Person rdfs:label "Person" . :Team rdfs:label "Team" .']
    for team in ("Engines", "Compilers"):
        lines.append(f':{team} a :Team ; rdfs:label "{team}" .')
        for name in ("Ada", "Grace", "Alan", "Barbara"):
            lines.append(f':{name}{team} a :Person ; rdfs:label "{name} of {team}" ; :memberOf :{team} .')
    file = tmp_path_factory.mktemp("graph") / "teams.ttl"
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    file = tmp_path / "questions.jsonl"
    asked = [
        {"question": "Who is member of Engines?", "answers": ["Ada of Engines", "Grace of Engines"]},
        {"question": "What is Zorkland?"},
    ]
    file.write_text("\n".join(map(json.dumps, asked)), encoding="utf-8")
    return file


def test_both_orders_are_shown_with_what_they_took_and_say(askgraph: Askgraph, graph: Path, questions: Path):
    done = askgraph("eval", questions, graph, "--compare")
    assert done.code == 0
    assert done.out.startswith("2 questions from questions.jsonl (JSON Lines)\n")
    words = " ".join(done.out.split())
    assert "subgraph global answered 1 of 2" in words
    assert "right answers named 100%" in words
    assert "ahead: time - " in words
    assert "a question: reports read" in words
    assert "What is Zorkland? subgraph (no answer) The question names nothing" in words
    assert "model calls" not in words
    assert all(len(line) <= 80 for line in done.out.splitlines())


@pytest.mark.parametrize("behind", [True, False])
def test_any_two_are_compared_wherever_the_option_stands(
    askgraph: Askgraph, graph: Path, questions: Path, behind: bool
):
    named = ("--compare", "reading,subgraph")
    words = (questions, graph, *named) if behind else (*named, questions, graph)
    data = askgraph("eval", *words, "--json", "--limit", 1).json
    assert data["strategies"] == ["reading", "subgraph"]
    assert data["compared"][0]["first"]["named"] == 1.0
    assert data["totals"][0]["ahead"] is None
    assert len(data["compared"]) == 1


def test_questions_alone_are_compared(askgraph: Askgraph, graph: Path, tmp_path: Path):
    file = tmp_path / "questions.txt"
    file.write_text("Who is member of Engines?\n", encoding="utf-8")
    done = askgraph("eval", file, graph, "--compare", "subgraph,reading")
    assert done.code == 0
    assert "(plain text)" in done.out
    assert "right answers" not in done.out


def test_a_judge_is_heard(askgraph: Askgraph, graph: Path, questions: Path, monkeypatch: pytest.MonkeyPatch):
    reply = {name: {"reason": "It says more.", "better": "first"} for name in CRITERIA}
    judge = ScriptedModel([reply, reply], name="wise")
    monkeypatch.setattr(registry, "make_judge", lambda settings, model: judge)
    done = askgraph("eval", questions, graph, "--compare", "subgraph,reading", "--judge", "openai:wise")
    words = " ".join(done.out.split())
    assert "Judge wise" in words
    assert "better by subgraph reading tie of these by order" in words
    assert "comprehensiveness 0 0 1 1" in words
    assert "judge comprehensiveness tie, diversity tie" in words
    assert "Judging took 2 calls" in words


def test_a_graph_taken_for_a_result_is_said(askgraph: Askgraph, questions: Path, tmp_path: Path):
    (tmp_path / "company.graph").mkdir()
    done = askgraph("eval", "--compare", questions, tmp_path / "company.graph")
    assert done.code == 2
    assert "QUESTIONS GRAPH --compare" in " ".join(done.err.split())


def test_questions_made_from_the_graph_are_compared(askgraph: Askgraph, graph: Path):
    data = askgraph(
        "eval", graph, "--generate", 3, "--seed", 1, "--compare", "subgraph,reading", "--json"
    ).json
    assert len(data["compared"]) == 3
    assert all(item["gold_count"] is not None for item in data["compared"])


def test_strategies_that_do_not_exist_are_said(askgraph: Askgraph, graph: Path, questions: Path):
    done = askgraph("eval", questions, graph, "--compare", "subgraph,globe")
    assert done.code == 1
    assert "there is no strategy 'globe'" in done.err


@pytest.mark.parametrize(
    ("model", "judge", "keeps"),
    [
        ("openai:small", "openai:large", True),
        ("openai:small", "anthropic:large", False),
        ("http://localhost:1/v1", "http://LOCALHOST:1/v1|large", True),
        ("http://localhost:1/v1", "http://localhost:2/v1", False),
        ("http://localhost:1/v1", "http://me:secret@localhost:1/v1", True),
        (None, "openai:large", False),
    ],
)
def test_the_key_of_the_model_goes_to_no_other_house(
    monkeypatch: pytest.MonkeyPatch, model: str | None, judge: str, keeps: bool
):
    from askgraph import Settings

    seen: list[Settings] = []

    def watched(settings: Settings, named: str) -> LanguageModel:
        assert named == judge
        seen.append(settings)
        return ScriptedModel([])

    monkeypatch.setattr(registry, "make_model", watched)
    registry.make_judge(Settings.load(model=model, model_key="secret", model_url="http://localhost:1"), judge)
    key = seen[0].model_key
    assert (key is not None) is keeps
    assert (seen[0].model_url is not None) is keeps
