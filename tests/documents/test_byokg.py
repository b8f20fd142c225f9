"""The document on the multi-strategy engine: its examples on embedded graphs, with a scripted model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.documents.byokg_examples import CHECKS, DRUGS_TURTLE, drugs

from askgraph import Graph, Settings, open_graph
from askgraph.byokg import BedrockGenerator, ByoKGQueryEngine, parse_response
from askgraph.models.scripted import ScriptedModel


@pytest.fixture(scope="module", params=["property", "rdf"])
def graph(request: Any, settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    location: Any = drugs()
    if request.param == "rdf":
        location = Path(tmp_path_factory.mktemp("drugs") / "drugs.ttl")
        location.write_text(DRUGS_TURTLE, encoding="utf-8")
    with open_graph(location, settings=settings) as opened:
        yield opened


@pytest.mark.parametrize("example", CHECKS)
def test_an_example_of_the_document_runs(
    graph: Graph, example: str, capsys: pytest.CaptureFixture[str]
) -> None:
    CHECKS[example](graph, graph.store.capabilities.kind)


@pytest.mark.parametrize("example", ["basic usage", "components", "Cypher-focused usage"])
def test_a_store_will_do_for_a_graph(graph: Graph, example: str) -> None:
    CHECKS[example](graph.store, graph.store.capabilities.kind)


def test_the_model_of_the_document_is_made_without_being_called() -> None:
    llm_generator = BedrockGenerator(model_name="us.anthropic.claude-sonnet-4-6", region_name="us-east-1")
    assert llm_generator.model_name == "us.anthropic.claude-sonnet-4-6"
    assert llm_generator.region_name == "us-east-1"
    assert repr(llm_generator).startswith("BedrockGenerator(")


def test_custom_llm_configuration(graph: Graph) -> None:
    custom_llm = BedrockGenerator(model_name="us.anthropic.claude-sonnet-4-6", region_name="us-east-1")
    query_engine = ByoKGQueryEngine(graph_store=graph, llm_generator=custom_llm)
    assert query_engine.kg_linker is not None


def test_the_completion_signal_is_read_as_the_document_reads_it() -> None:
    response = "Fine.\n<task-completion>\nFINISH\n</task-completion>"
    task_completion = parse_response(response, r"<task-completion>(.*?)</task-completion>")
    assert "FINISH" in " ".join(task_completion)


def test_any_object_with_generate_is_a_model(graph: Graph) -> None:
    class Local:
        def generate(self, prompt: str, system_prompt: str = "") -> str:
            assert "side effects" in prompt
            return "<entities>Aspirin</entities><paths>has side effect</paths>"

    query_engine = ByoKGQueryEngine(graph_store=graph, llm_generator=Local())
    assert sorted(query_engine.query("What are the side effects of aspirin?").answers) == [
        "Bleeding",
        "Nausea",
    ]


def test_without_a_model_the_words_of_the_question_answer_it(graph: Graph) -> None:
    context = ByoKGQueryEngine(graph_store=graph).query("What are the side effects of aspirin?")
    assert sorted(context.answers) == ["Bleeding", "Nausea"]
    assert context.run.calls == []
    assert context


def test_context_and_answers_are_both_at_hand(graph: Graph) -> None:
    model = ScriptedModel({"propose": "<entities>aspirin</entities><paths>has side effect</paths>"})
    context = ByoKGQueryEngine(graph_store=graph, llm_generator=model).query(
        "What are the side effects of aspirin?"
    )
    assert isinstance(context, list)
    assert "\n".join(context).count("\n") == 1
    assert len(context.facts) == len(context)
    assert all(fact.elements for fact in context.facts)
