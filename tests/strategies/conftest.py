"""A company that is open, and strategies over it with a scripted model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from tests.engine.conftest import company

from askgraph import Answer, Graph, Settings, open_graph
from askgraph.core.run import Run
from askgraph.models.scripted import ScriptedModel
from askgraph.strategies.agent.strategy import AgentStrategy


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    folder = tmp_path_factory.mktemp("askgraph")
    return Settings.load(save_runs=False, cache_dir=folder / "cache", data_dir=folder / "data")


@pytest.fixture(scope="session")
def company_graph(settings: Settings) -> Iterator[Graph]:
    with open_graph(company(), settings=settings) as graph:
        yield graph


COMPANY_TURTLE = """
@prefix : <http://example.org/company/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Employee a rdfs:Class ; rdfs:label "Employee"@en . :Department a rdfs:Class ; rdfs:label "Department"@en .
:Product a rdfs:Class ; rdfs:label "Product"@en .
:hasManager rdfs:label "has manager"@en . :memberOf rdfs:label "member of"@en . :phone rdfs:label "phone"@en .
:responsibleFor rdfs:label "responsible for"@en .
:p1 a :Employee ; rdfs:label "Ada Lovelace" ; :phone "+44 1" ; :hasManager :p2 ; :memberOf :d1 .
:p2 a :Employee ; rdfs:label "Charles Babbage" ; :phone "+44 2" ; :memberOf :d1 .
:p3 a :Employee ; rdfs:label "Grace Hopper" ; :phone "+1 3" ; :memberOf :d2 .
:d1 a :Department ; rdfs:label "Engines" ; :responsibleFor :a, :b .
:d2 a :Department ; rdfs:label "Compilers" ; :responsibleFor :c .
:a a :Product ; rdfs:label "Difference Engine" . :b a :Product ; rdfs:label "Punch Card" .
:c a :Product ; rdfs:label "Compiler" .
"""


@pytest.fixture(scope="session")
def company_rdf(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    file: Path = tmp_path_factory.mktemp("rdf") / "company.ttl"
    file.write_text(COMPANY_TURTLE, encoding="utf-8")
    with open_graph(file, settings=settings) as graph:
        yield graph


@dataclass
class Asked:
    """An answer, with the run that led to it and what the model was asked."""

    answer: Answer
    run: Run
    model: ScriptedModel

    @property
    def texts(self) -> list[str]:
        return sorted(item.text for item in self.answer.answers)

    @property
    def purposes(self) -> list[str]:
        return [call.purpose for call in self.run.calls]

    def details(self, step: str) -> list[dict[str, Any]]:
        return [item.details for item in self.run.steps if item.name == step]


def ask_agent(graph: Graph, question: str, script: Any, **options: Any) -> Asked:
    """Ask with the strategy ``agent``."""
    model = ScriptedModel(script, **{key: options.pop(key) for key in ["context_window"] if key in options})
    run = Run(question, graph=graph.location, graph_version=graph.store.capabilities.version)
    strategy = AgentStrategy(replace(graph.parts(), model=model), **options)
    answer = strategy.answer(graph.linked(question), graph.settings.budget(), run)
    return Asked(answer, run, model)
