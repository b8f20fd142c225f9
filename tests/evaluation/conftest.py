"""A small company, a graph that answers, and outcomes made by hand."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Any

import networkx as nx
import pytest

from askgraph import Graph, Settings, open_graph
from askgraph.evaluation.evaluated import Evaluation
from askgraph.evaluation.gold import GoldQuestion, QuestionSet
from askgraph.evaluation.outcome import Outcome
from askgraph.evaluation.question_objects import question_of_object

PEOPLE = ("Agnes Sorrel", "Boris Tarn", "Clara Umber", "Dora Vane", "Edgar Wren", "Fanny Yarrow")


def company() -> nx.MultiDiGraph[str]:
    """Six people in two departments, one of whom manages the others of hers; each has an age."""
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for number, name in enumerate(PEOPLE):
        graph.add_node(f"p{number}", labels=["Employee"], name=name, age=30 + number)
    graph.add_node("d0", labels=["Department"], name="Research")
    graph.add_node("d1", labels=["Department"], name="Sales")
    for number in range(len(PEOPLE)):
        graph.add_edge(f"p{number}", f"d{number % 2}", key="MEMBER_OF")
        if number > 1:
            graph.add_edge(f"p{number}", f"p{number % 2}", key="HAS_MANAGER")
    return graph


@pytest.fixture(scope="package")
def graph() -> Iterator[Graph]:
    """The company, open."""
    with open_graph(company(), settings=Settings.load(save_runs=False)) as opened:
        yield opened


def questions(*objects: dict[str, Any]) -> QuestionSet:
    """A set of questions as a file would have them."""
    read: list[GoldQuestion] = [
        question_of_object(item, number, "en") for number, item in enumerate(objects, start=1)
    ]
    return QuestionSet("made.jsonl", "JSON Lines", tuple(read), "0" * 16)


def outcome(question: str = "Who?", **values: Any) -> Outcome:
    """An outcome that is right, but for what is given."""
    usual: dict[str, Any] = {
        "id": question,
        "question": question,
        "kind": "one hop",
        "gold": ("Ada",),
        "gold_count": 1,
        "answers": ("Ada",),
        "answer_count": 1,
        "abstained": False,
        "confidence": 0.9,
        "hit_1": True,
        "hit_k": True,
        "precision": 1.0,
        "recall": 1.0,
        "f1": 1.0,
        "seconds": 0.01,
    }
    return Outcome(**usual | values)


def wrong(question: str = "Who?", **values: Any) -> Outcome:
    """An outcome with a wrong answer."""
    usual = {
        "answers": ("Bob",), "hit_1": False, "hit_k": False, "precision": 0.0, "recall": 0.0, "f1": 0.0,
        "failing_step": "path", "reason": "joins the right relations otherwise",
    }  # fmt: skip
    return outcome(question, **usual | values)


def abstention(question: str = "Who?", **values: Any) -> Outcome:
    """An outcome without an answer to a question that has one."""
    usual = {
        "answers": (),
        "answer_count": 0,
        "abstained": True,
        "failing_step": "relation",
        "confidence": 0.3,
    }
    return wrong(question, **usual | values)


def hopeless(question: str = "Who?", **values: Any) -> Outcome:
    """An outcome of a question without an answer, which got none."""
    usual = {
        "gold": (), "gold_count": 0, "answers": (), "answer_count": 0, "abstained": True, "kind": "unanswerable",
        "hit_1": None, "hit_k": None, "precision": None, "recall": None, "f1": None, "confidence": 0.2,
    }  # fmt: skip
    return outcome(question, **usual | values)


def evaluation(*outcomes: Outcome, id: str = "20260101-120000-abcdef", **values: Any) -> Evaluation:
    """Results made of outcomes."""
    usual: dict[str, Any] = {
        "started": datetime.datetime(2026, 1, 1, 12, tzinfo=datetime.UTC),
        "graph": "company.graph",
        "graph_version": "1",
        "questions": {
            "name": "made.jsonl",
            "format": "JSON Lines",
            "questions": len(outcomes),
            "digest": "0",
        },
        "options": {"first": 5, "timeout": 30.0, "embedder": "minilm", "limit": None, "seed": None},
    }
    return Evaluation(id=id, outcomes=outcomes, **usual | values)
