"""Query-first with a real model behind a real server. It is small, and what it says is worth nothing: all that it says
must be caught."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.engine.conftest import company
from tests.servers.model_server import ModelServer

from askgraph import Settings, open_graph
from askgraph.core.run import Step

QUESTION = "Who is the manager of Ada Lovelace?"


def test_a_small_model_can_say_nothing_unmarked_that_the_graph_does_not_say(
    model_server: ModelServer, tmp_path: Path
) -> None:
    # What a busy machine does not get done in this time is done without the model, and that is said.
    settings = Settings.load(
        save_runs=False, cache_dir=tmp_path, data_dir=tmp_path, embedder="none", timeout=40.0,
        allow_model_calls=True, model=model_server.url, model_calls=8,
    )  # fmt: skip
    steps: dict[str, dict[str, Any]] = {}

    def tell(step: Step, finished: bool) -> None:
        steps[step.name] = step.details

    with open_graph(company(), settings=settings) as graph:
        answer = graph.ask(QUESTION, strategy="subgraph", on_step=tell)
        edges = {edge.id for edge in graph.store.edges()}
    assert {"mentions", "subgraph", "reports", "answer"} <= steps.keys()
    for sentence in answer.sentences:
        assert sentence.is_supported or sentence.mark or answer.abstained or not sentence.facts
    for number, fact in enumerate(answer.facts, start=1):
        # Every fact that is cited is of the graph, or is a report on it.
        assert any(number in sentence.facts for sentence in answer.sentences)
        assert fact.kind == "report" or (fact.path is not None and set(fact.path.edge_ids) <= edges)
    # A report is its words, with real references; or an extract, and that is said.
    read = steps["reports"]
    assert read["written"] > 0 or any("extract" in note for note in answer.notes)
    for point in [*steps["answer"]["points"], *steps["answer"].get("points_without_model", [])]:
        assert 0 <= point["score"] <= 100
