"""Templates that a model makes, in the words of the graph."""

from __future__ import annotations

from tests.retrievers.traversal.test_traversal import LIBRARY, X

from askgraph.core.budget import Budget
from askgraph.core.progress import SILENT
from askgraph.core.run import Run
from askgraph.linking.schema_chooser import SchemaChooser
from askgraph.models.calls import ModelCalls
from askgraph.models.prompts.prompts import Prompts
from askgraph.models.scripted import ScriptedModel
from askgraph.retrievers.traversal.model_template import ModelTemplates
from askgraph.retrievers.traversal.retriever import PathRetriever

QUESTION = "What did Ada D. Lovelace produce?"


def _retrieve(graph, *replies):
    model = ScriptedModel(list(replies))
    run = Run(QUESTION, graph="x", graph_version="1")
    chooser = SchemaChooser(graph.schema(), {}, None)
    templates = ModelTemplates(chooser, lambda budget, run: ModelCalls(model, budget, run, Prompts()))
    retriever = PathRetriever(graph.store, graph.schema(), None, template=templates)
    linked = graph._link(QUESTION, run, SILENT)
    return retriever.retrieve(linked, Budget(), run), model, run


def test_the_relations_that_a_model_names_lead_the_way(open_turtle):
    said = {"phrase": "Ada D. Lovelace written by paper", "relations": ["written by"]}
    evidence, model, run = _retrieve(open_turtle(LIBRARY), said)
    assert "On Engines written by Ada D. Lovelace" in evidence.facts[0].text
    shown = model.requests[0].messages[-1].text
    assert "written by" in shown
    assert "Ada D. Lovelace" in shown
    step = next(step for step in run.steps if step.name == "paths")
    assert step.details["relations"] == [X + "writtenBy"]


def test_relations_that_the_graph_does_not_have_are_left_out(open_turtle):
    said = {"phrase": "composed", "relations": ["composed", "WRITTEN BY"]}
    _, _, run = _retrieve(open_turtle(LIBRARY), said)
    step = next(step for step in run.steps if step.name == "paths")
    assert step.details["relations"] == [X + "writtenBy"]


def test_a_model_that_says_nothing_leaves_the_question_as_the_template(open_turtle):
    _, _, run = _retrieve(open_turtle(LIBRARY), {"phrase": "  ", "relations": []})
    step = next(step for step in run.steps if step.name == "paths")
    assert step.details["template"] == QUESTION


def _no_calls(budget: Budget, run: Run) -> ModelCalls:
    raise AssertionError("no model is asked here")


def test_of_many_relations_those_are_shown_that_the_question_needs(open_turtle):
    lines = [
        f':a :relation{number} :b . :relation{number} rdfs:label "relation number {number}" .'
        for number in range(800)
    ]
    graph = open_turtle("\n".join([LIBRARY, *lines]))
    run = Run("In which city was Ada D. Lovelace born in?", graph="x", graph_version="1")
    templates = ModelTemplates(SchemaChooser(graph.schema(), {}, None), _no_calls)
    shown = templates.relations_for(graph._link(run.question, run, SILENT), lambda text: len(text) // 4)
    assert "born in" in shown
    assert len(shown) < 400
