"""Exploring: by what the question says, by a model only where that says nothing, and hubs for what is read of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.retrievers.conftest import hub

from askgraph import open_graph
from askgraph.core.budget import Budget
from askgraph.core.run import Run
from askgraph.models.calls import ModelCalls
from askgraph.models.prompts.prompts import Prompts
from askgraph.models.scripted import ScriptedModel
from askgraph.retrievers.exploring.exploration import Explorer
from askgraph.retrievers.exploring.scored_triples import ScoredTripleRetriever
from askgraph.retrievers.hop_table import HopTable
from askgraph.strategies.relevances import Relevances


class Watched:
    """A store that notes how much was read of it."""

    def __init__(self, store):
        self._store = store
        self.hops = 0
        self.reads = []

    def __getattr__(self, name):
        return getattr(self._store, name)

    def neighbors(self, ids, direction="both", *, types=None, limit_per_node=None, budget=None):
        found = self._store.neighbors(
            ids, direction, types=types, limit_per_node=limit_per_node, budget=budget
        )
        self.hops += len(found)
        self.reads.append((tuple(types or ()), limit_per_node))
        return found


def explore(graph, question, sources, script=None, *, most_calls=1, **options):
    parts = graph.parts()
    store = Watched(parts.store)
    run = Run(question, graph="x", graph_version="1")
    budget = Budget()
    model = ScriptedModel(script) if script is not None else None
    calls = ModelCalls(model, budget, run, Prompts()) if model is not None else None
    relevance, _ = Relevances(replace(parts)).of(graph.linked(question))
    explorer = Explorer(store, parts.schema, HopTable(parts.schema), **options)
    evidence = explorer.explore(question, sources, relevance, budget, calls=calls, most_calls=most_calls)
    return [fact.text for fact in evidence.facts], store, run, evidence


@pytest.fixture(scope="module")
def company_graph(settings):
    from tests.engine.conftest import company

    with open_graph(company(), settings=settings) as graph:
        yield graph


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    from askgraph import Settings

    folder = tmp_path_factory.mktemp("askgraph")
    return Settings.load(save_runs=False, cache_dir=folder / "cache", data_dir=folder / "data")


@pytest.fixture(scope="module")
def hub_graph(settings):
    with open_graph(hub(20_000), settings=settings) as graph:
        yield graph


def test_the_relation_that_the_question_speaks_of_is_followed_first_and_without_a_model(company_graph):
    texts, _, run, _ = explore(
        company_graph,
        "Who is the manager of Ada Lovelace?",
        ["p1"],
        {"choose_relations": "1"},
        max_relations=1,
    )
    assert texts[0] == "Ada Lovelace has manager Charles Babbage"
    assert run.calls == []


def test_it_goes_on_until_the_words_of_the_question_are_explained(company_graph):
    texts, *_ = explore(
        company_graph, "Which products is the manager of Ada Lovelace responsible for?", ["p1"]
    )
    assert "Engines responsible for Punch Card" in texts


def test_edges_are_followed_against_their_direction_too(company_graph):
    texts, *_ = explore(company_graph, "Who are the members of Engines?", ["d1"])
    assert {"Ada Lovelace member of Engines", "Charles Babbage member of Engines"} <= set(texts)


def test_a_model_is_asked_once_where_the_question_says_nothing(company_graph):
    texts, _, run, _ = explore(
        company_graph,
        "Anything unusual concerning Engines?",
        ["d1", "d2"],
        {"choose_relations": "<selected>2</selected>"},
        max_relations=1,
        max_hops=1,
    )
    assert [call.purpose for call in run.calls] == ["choose_relations"]
    assert texts


def test_a_model_is_asked_no_more_often_than_allowed(company_graph):
    script = {
        "choose_relations": "<selected>1</selected>",
        "choose_nodes": "<next-entities>1</next-entities>",
    }
    for most in (0, 1, 2):
        *_, run, _ = explore(
            company_graph, "Anything unusual?", ["d1"], script, most_calls=most, max_relations=1, max_nodes=1
        )
        assert len(run.calls) <= most


def test_what_a_model_names_that_is_no_option_is_passed_over(company_graph):
    texts, *_ = explore(
        company_graph,
        "Anything unusual?",
        ["d1"],
        {"choose_relations": "<selected>OWNS</selected>"},
        max_relations=1,
    )
    assert texts


def test_a_hub_costs_what_its_useful_neighbours_cost(hub_graph):
    texts, store, _, _ = explore(hub_graph, "Where does Grace Hopper live?", ["hub"])
    assert texts[0] == "Grace Hopper lives in New York"
    assert store.hops <= 60
    assert all(limit is not None for _, limit in store.reads)


def test_what_is_capped_is_capped_and_said(hub_graph):
    texts, store, _, evidence = explore(hub_graph, "Who follows Grace Hopper?", ["hub"], max_triples=30)
    assert 20 <= len([text for text in texts if "follows" in text]) < len(texts) + 1 <= 31
    assert store.hops <= 60
    assert evidence.notes


def test_scored_triples_are_the_best_within_their_bounds(hub_graph, company_graph):
    relevance, _ = Relevances(hub_graph.parts()).of(hub_graph.linked("Where does Grace Hopper live?"))
    parts = hub_graph.parts()
    store = Watched(parts.store)
    retriever = ScoredTripleRetriever(store, parts.schema, HopTable(parts.schema), max_triples=40)
    evidence = retriever.retrieve(["hub"], relevance, Budget(), hops=2, most=10)
    assert evidence.facts[0].text == "Grace Hopper lives in New York"
    assert len(evidence.facts) <= 10
    assert store.hops <= 200
    scores = [fact.score for fact in evidence.facts]
    assert scores == sorted(scores, reverse=True)


def test_scored_triples_lie_within_their_hops(company_graph):
    relevance, _ = Relevances(company_graph.parts()).of(company_graph.linked("products of Ada Lovelace"))
    parts = company_graph.parts()
    retriever = ScoredTripleRetriever(parts.store, parts.schema, HopTable(parts.schema))
    one = {fact.text for fact in retriever.retrieve(["p1"], relevance, Budget(), hops=1).facts}
    two = {fact.text for fact in retriever.retrieve(["p1"], relevance, Budget(), hops=2).facts}
    assert one == {"Ada Lovelace has manager Charles Babbage", "Ada Lovelace member of Engines"}
    assert one < two
    assert "Engines responsible for Punch Card" in two
