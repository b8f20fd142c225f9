"""Questions are made of any graph, with plans that give their answers; the same seed gives the same questions."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from askgraph import Graph, Settings, load_graph, open_graph
from askgraph.core.errors import EvaluationError
from askgraph.core.words import normalize
from askgraph.evaluation.asking import evaluate
from askgraph.evaluation.generation import generate_questions, write_questions
from askgraph.evaluation.gold import GoldQuestion
from askgraph.evaluation.gold_answers import gold_of
from askgraph.evaluation.reading import read_questions

SETTINGS = {"save_runs": False, "embedder": "none"}


@pytest.fixture(scope="module")
def ck25(ck25_turtle: Path) -> Iterator[Graph]:
    with open_graph(ck25_turtle, settings=Settings.load(**SETTINGS)) as graph:
        yield graph


@pytest.fixture(scope="module")
def hetionet(hetionet_nodes: Path, hetionet_edges: Path, tmp_path_factory: Any) -> Iterator[Graph]:
    folder = tmp_path_factory.mktemp("generation") / "hetionet.graph"
    load_graph([hetionet_nodes, hetionet_edges], folder)
    with open_graph(folder, settings=Settings.load(**SETTINGS)) as graph:
        yield graph


def made(graph: Graph, number: int = 60, seed: int = 1) -> tuple[GoldQuestion, ...]:
    return generate_questions(graph, number, seed=seed).questions


@pytest.fixture(scope="module", params=["ck25", "hetionet"])
def graph(request: pytest.FixtureRequest) -> Graph:
    opened: Graph = request.getfixturevalue(request.param)
    return opened


def test_all_kinds_are_made(graph: Graph) -> None:
    kinds = {question.form for question in made(graph, 120)}
    wanted = {
        "one hop",
        "two hops",
        "three hops",
        "two conditions",
        "count",
        "yes/no",
        "filter",
        "superlative",
    }
    absent = {"absent name", "absent attribute", "absent relation", "absent fact"}
    assert wanted | absent | {"property", "negation", "for each"} <= kinds


def test_the_same_seed_gives_the_same_questions_and_another_gives_others(graph: Graph) -> None:
    assert made(graph) == made(graph)
    assert made(graph) != made(graph, seed=2)
    assert made(graph, 20) == made(graph, 60)[:20]


def test_the_gold_of_each_is_what_its_plan_gives(graph: Graph) -> None:
    for question in made(graph, 100):
        gold = gold_of(question, graph.store, 10)
        if question.form.startswith("absent"):
            assert gold.is_unanswerable
        else:
            assert question.query is not None
            assert 0 < len(gold.items) <= 50, question.text


def test_a_plan_is_worded_twice_and_no_question_comes_twice(graph: Graph) -> None:
    questions = made(graph, 120)
    assert len({question.text for question in questions}) == len(questions)
    pairs = [(one, other) for one, other in pairwise(questions) if one.id[:-1] == other.id[:-1]]
    assert len(pairs) > 40
    for one, other in pairs:
        assert one.text != other.text
        assert (one.query, one.answers, one.form) == (other.query, other.answers, other.form)


def test_questions_are_sentences_with_no_slot_left_open(graph: Graph) -> None:
    for question in made(graph, 120):
        assert re.search(r"[.?]$", question.text)
        assert question.text[0] == question.text[0].upper()
        assert not re.search(r"[{}]|  |\bnone\b|http", question.text), question.text


def test_names_that_are_not_there_are_not_there(graph: Graph) -> None:
    names = {normalize(name.text) for node in graph.store.nodes() for name in node.names}
    invented = [question for question in made(graph, 100) if question.form == "absent name"]
    assert invented
    for question in invented:
        words = normalize(question.text)
        longest = max((name for name in names if f" {name} " in f" {words} "), key=len, default="")
        assert len(longest) < len(words) / 2, question.text


def test_both_truths_are_asked_for(hetionet: Graph) -> None:
    truths = [
        gold_of(question, hetionet.store, 10).items[0].forms[0]
        for question in made(hetionet, 160)
        if question.form == "yes/no"
    ]
    assert {True, False} == set(truths)


def test_no_first_place_is_shared(ck25: Graph) -> None:
    for question in made(ck25, 100):
        if question.form == "superlative":
            assert question.query is not None
            plan = question.query.plan
            assert plan is not None
            assert plan.limit == 1


def test_what_is_written_is_read_and_asked_again(ck25: Graph, tmp_path: Path) -> None:
    questions = generate_questions(ck25, 12, seed=3)
    path = tmp_path / "made.jsonl"
    write_questions(questions, path)
    again = read_questions(path)
    assert again.questions == questions.questions
    assert [item.to_dict() | {"seconds": 0} for item in evaluate(ck25, questions).outcomes] == [
        item.to_dict() | {"seconds": 0} for item in evaluate(ck25, again).outcomes
    ]
    with pytest.raises(EvaluationError, match="cannot be written"):
        write_questions(questions, tmp_path / "nowhere" / "made.jsonl")


def test_nodes_without_names_are_called_by_their_keys(tmp_path: Path) -> None:
    lines = [
        f"<http://x/{kind}{number}> <http://x/{key}> {value} . <http://x/{kind}{number}> a <http://x/{kind}> ."
        for kind, key in (("Policy", "policyNumber"), ("Claim", "claimNumber"))
        for number, value in enumerate((3107, 3108, 3109))
    ]
    lines += [
        f"<http://x/Claim{number}> <http://x/against> <http://x/Policy{number % 2}> ." for number in range(3)
    ]
    file = tmp_path / "policies.ttl"
    file.write_text("\n".join(lines), encoding="utf-8")
    with open_graph(file, settings=Settings.load(**SETTINGS)) as graph:
        texts = [question.text for question in made(graph, 40)]
    assert any("policy 3107" in text.casefold() for text in texts)
    assert not any("Policy0" in text for text in texts)


def people(number: int, seed: int = 0) -> nx.MultiDiGraph[str]:
    draw = random.Random(seed)
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for place in range(number):
        name = "".join(draw.choice("bdfgklmnprst") + draw.choice("aeiou") for _ in range(4)).title()
        graph.add_node(f"p{place}", labels=["Q5"], name=name)
    for place in range(number):
        graph.add_edge(f"p{place}", f"p{draw.randrange(number)}", key="P31")
    return graph


def test_labels_that_are_codes_are_left_alone() -> None:
    with (
        open_graph(people(20), settings=Settings.load(**SETTINGS)) as graph,
        pytest.raises(EvaluationError, match="no questions can be made"),
    ):
        generate_questions(graph, 10)


def test_a_graph_that_gives_few_questions_gives_those() -> None:
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for place, name in enumerate(("Alder", "Birch", "Cedar")):
        graph.add_node(f"t{place}", labels=["Tree"], name=name)
    with open_graph(graph, settings=Settings.load(**SETTINGS)) as opened:
        questions = made(opened, 100)
    assert 0 < len(questions) < 100
    assert any(question.text == "How many trees are there?" for question in questions)


def test_as_many_as_asked_for(ck25: Graph) -> None:
    for number in (1, 2, 7):
        assert len(made(ck25, number)) == number
    with pytest.raises(EvaluationError, match="at least one"):
        generate_questions(ck25, 0)


def test_questions_are_strict_json(hetionet: Graph) -> None:
    for question in made(hetionet, 40):
        json.dumps(question.to_dict(), allow_nan=False)
