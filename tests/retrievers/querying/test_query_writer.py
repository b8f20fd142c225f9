"""What a model is shown when it is asked for a query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from askgraph import load_graph, open_graph
from askgraph.core.budget import Budget
from askgraph.core.hidden import Hidden
from askgraph.core.progress import SILENT
from askgraph.core.run import Run
from askgraph.engine import Graph
from askgraph.linking.linked_question import LinkedQuestion
from askgraph.models.calls import ModelCalls
from askgraph.models.prompts.prompts import Prompts
from askgraph.models.scripted import ScriptedModel
from askgraph.querying.replies import queries_in
from askgraph.retrievers.querying.query_writer import Example, QueryWriter

PV = "http://ld.company.org/prod-vocab/"


@dataclass(frozen=True)
class Solved:
    question: str
    query: str


class Solutions:
    """Knows one solved question, in any language."""

    def similar(
        self, question: LinkedQuestion, limit: int, *, language: str, hidden: Hidden
    ) -> Sequence[Example]:
        return [Solved("Who is it?", f"a query in {language}")]


@dataclass
class Asked:
    """Puts a question to the writer, and gives what the model was asked."""

    graph: Graph
    language: str
    hidden: Hidden = Hidden()  # noqa: RUF009 - it is frozen
    examples: Solutions | None = None

    def __call__(self, question: str, *, context_window: int = 128_000) -> tuple[str, Run]:
        run = Run(question, graph="", graph_version="")
        index = self.graph._open_index(run, SILENT)
        writer = QueryWriter(
            self.graph.schema(),
            index,
            None,
            self.graph.store.capabilities,
            examples=self.examples,
            hidden=self.hidden,
        )
        model = ScriptedModel(["UNANSWERABLE: no"], context_window=context_window)
        calls = ModelCalls(model, Budget(), run, Prompts())
        reply = writer.task(self.graph._link(question, run, SILENT), self.language, calls, run).write()
        assert queries_in(reply, self.language).outcome == "unanswerable"
        return "\n".join(message.text for message in model.requests[0].messages), run


@pytest.fixture(scope="module")
def company(ck25_turtle: Path) -> Iterator[Asked]:
    with open_graph(ck25_turtle) as graph:
        yield Asked(graph, "sparql")


@pytest.fixture(scope="module")
def genes(
    hetionet_nodes: Path, hetionet_edges: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Asked]:
    folder = tmp_path_factory.mktemp("writer") / "hetionet.graph"
    load_graph([hetionet_nodes, hetionet_edges], folder)
    with open_graph(folder) as graph:
        yield Asked(graph, "cypher")


def test_the_schema_stands_in_the_spelling_of_the_language(company: Asked, genes: Asked):
    prompt, _ = company("Who is the manager of Heinrich Hoch?")
    assert "| PREFIX pv: <http://ld.company.org/prod-vocab/>" in prompt
    assert "| pv:hasManager: pv:Employee → pv:Manager" in prompt
    prompt, _ = genes("genes linked to obesity")
    assert "| (:Disease)-[:associates" in prompt


def test_what_the_question_names_is_told(company: Asked, genes: Asked):
    prompt, _ = company("Who is the manager of Heinrich Hoch?")
    iri = "<http://ld.company.org/prod-instances/empl-Heinrich.Hoch%40company.org>"
    assert f'| "Heinrich Hoch" is the Employee "Heinrich Hoch", {iri}' in prompt
    prompt, _ = genes("genes linked to obesity")
    assert '| "obesity" is the Disease "obesity"' in prompt


def test_solved_questions_are_shown_where_there_are_any(company: Asked):
    prompt, _ = company("Who is the manager of Heinrich Hoch?")
    assert "Solved examples" not in prompt
    asked = Asked(company.graph, "sparql", examples=Solutions())
    prompt, run = asked("Who is the manager of Heinrich Hoch?")
    assert "Solved examples:\n| Question: Who is it?\n| a query in sparql" in prompt
    assert any(step.name == "find solved questions" for step in run.steps)


def test_what_is_hidden_is_in_no_prompt(company: Asked):
    hidden = Hidden(types=(PV + "hasManager",), properties=(PV + "phone",))
    prompt, run = Asked(company.graph, "sparql", hidden)(
        "What is the phone number of the manager of Heinrich Hoch?"
    )
    assert "pv:phone" not in prompt
    assert "hasManager" not in prompt
    assert "hasManager" not in str([step.to_dict() for step in run.steps if step.name == "choose schema"])


def test_a_model_that_reads_little_gets_a_small_part_of_the_schema(company: Asked):
    prompt, run = company("Who is the manager of Heinrich Hoch?", context_window=20_000)
    (choice,) = [step.to_dict() for step in run.steps if step.name == "choose schema"]
    assert "hasManager" in prompt
    assert "'whole': True" in str(choice)
    prompt, run = company("Who is the manager of Heinrich Hoch?", context_window=7_000)
    (choice,) = [step.to_dict() for step in run.steps if step.name == "choose schema"]
    assert "hasManager" in prompt
    assert "'whole': False" in str(choice)


@pytest.mark.parametrize("name", ["cypher", "cypher_repair", "sparql", "sparql_repair"])
def test_every_prompt_says_how_to_give_up_and_takes_what_the_writer_gives(name: str):
    prompt = Prompts().get(name)
    assert "UNANSWERABLE:" in prompt.system
    known = {"question", "schema", "mentions", "nearby", "examples", "dialect", "notes"}
    assert prompt.placeholders == known | ({"query", "problem"} if name.endswith("repair") else set())
